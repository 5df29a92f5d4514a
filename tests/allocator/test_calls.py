"""The calls of the main flow: those alone of which what is written says whose they are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.allocator.shop import overview
from tests.trees import write_tree

if TYPE_CHECKING:
    from pathlib import Path

WORK = "".join(f"def do_work_{number}(x):\n    return x + {number}\n\n\n" for number in range(3))
STORE = """class Store:
    def get(self, key):
        return self.read_row(key)

    def read_row(self, key):
        return key

    def send(self, row):
        return row
"""


def told(folder: Path, tree: dict[str, str]) -> dict[str, list[str]]:
    """The main flow of a made program beside some pages of prose: what each definition is said to call."""
    rows = "".join(f"The size of {number} is told.\n\n" for number in range(60))
    aside = {f"docs/aside_{number}.md": f"# Aside {number}\n\n{rows}" for number in range(20)}
    line = re.search(
        r"^main flow: (.*)$", overview(write_tree(folder / "x", {**aside, **tree}), 2000).context, re.MULTILINE
    )
    if line is None:
        return {}
    return {one.partition(" > ")[0]: one.partition(" > ")[2].split(", ") for one in line[1].split("; ")}


def python(body: str, above: str = "from app.work import do_work_0") -> dict[str, str]:
    """A program whose `main` has a body, with a store in the same file."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return {
        "app/work.py": WORK,
        "app/cli.py": f"{above}\n\n\n{STORE}\n\ndef main(given=None):\n{lines}    do_work_0(3)\n",
    }


@pytest.mark.parametrize(
    "body",
    [
        'settings = json.load(open("x"))\nsettings.get("name")',
        "def send(text):\n    print(text)\nsend(1)",
        "send = given\nsend(1)",
        "send(1)",
        "make().get(1)",
        '"a".get(1)',
        "httpx.get(1)",
        "# rows = Store()\nrows.get(1)",
        "values = list(given)\nvalues.send(1)",
    ],
)
def test_what_nothing_written_says_to_be_ours_is_no_call(tmp_path: Path, body: str) -> None:
    assert told(tmp_path, python(body))["main"] == ["do_work_0"]


@pytest.mark.parametrize(
    ("body", "calls"),
    [
        ("rows = Store()\nrows.get(1)", "Store.get"),
        ("store = given\nstore.read_row(1)", "Store.read_row"),
        ("Store.send(None, 1)", "Store.send"),
        ("rows: Store = given\nrows.send(1)", "Store.send"),
    ],
)
def test_a_variable_calls_what_it_is_typed_or_called_like(tmp_path: Path, body: str, calls: str) -> None:
    assert told(tmp_path, python(body))["main"] == [calls, "do_work_0"]


def test_a_name_of_another_file_is_called_where_it_is_imported(tmp_path: Path) -> None:
    assert told(tmp_path, python("do_work_1(2)"))["main"] == ["do_work_0"]
    imported = told(tmp_path, python("do_work_1(2)", "from app.work import do_work_0, do_work_1"))
    assert imported["main"] == ["do_work_1", "do_work_0"]


def test_a_member_calls_others_of_its_class(tmp_path: Path) -> None:
    assert told(tmp_path, python("rows = Store()\nrows.get(1)"))["Store.get"] == ["Store.read_row"]


def test_a_private_method_of_javascript_is_followed(tmp_path: Path) -> None:
    code = """import { helpAll } from './help.js'
export class Hub {
  #passOn(text) { return helpAll(text) }
  fetchAll(text) { return this.#passOn(text) } // runs helpNone(text)
}
"""
    tree = {
        "src/hub.js": code,
        "src/help.js": "export function helpAll(x) { return x }\nexport function helpNone() {}\n",
    }
    assert told(tmp_path, tree) == {"Hub.fetchAll": ["Hub.#passOn"], "Hub.#passOn": ["helpAll"]}


def test_a_name_alone_is_a_member_where_the_language_has_it_so(tmp_path: Path) -> None:
    code = "class Shop {\n    void openAll() { readRow(1); }\n    int readRow(int x) { return x + 2; }\n}\n"
    assert told(tmp_path, {"src/Shop.java": code}) == {"Shop.openAll": ["Shop.readRow"]}


def test_a_pointer_calls_the_member_of_its_type(tmp_path: Path) -> None:
    code = """class Rows {
 public:
  int add_row(int x) { return x; }
};
int run_rows(Rows *rows, std::vector<int> &list) {
  list.push_back(1);
  return rows->add_row(2);
}
"""
    assert told(tmp_path, {"src/rows.cpp": code}) == {"run_rows": ["Rows.add_row"]}


def test_c_calls_the_one_function_of_a_name_that_has_a_body(tmp_path: Path) -> None:
    tree = {
        "src/main.c": '#include "work.h"\nint main(void) {\n  return operate(1) + format(2);\n}\n',
        "src/work.h": "int operate(int x);\nint format(int x);\n",
        "src/work.c": "int operate(int x) {\n  return x;\n}\n",
        "src/other.c": "int format(int x) {\n  return x;\n}\n",
        "src/third.c": "int format(int x) {\n  return x + 1;\n}\n",
    }
    assert told(tmp_path, tree) == {"main": ["operate"]}


def test_a_function_of_a_package_is_called_by_the_name_of_its_folder(tmp_path: Path) -> None:
    tree = {
        "go.mod": "module example.com/x\n",
        "cmd/main.go": 'package main\n\nimport "example.com/x/store"\n\nfunc main() {\n\tstore.OpenAll(1)\n\tother.OpenNone(2)\n}\n',
        "store/open.go": "package store\n\nfunc OpenAll(x int) int { return x }\n\nfunc OpenNone(x int) int { return x }\n",
    }
    assert told(tmp_path, tree) == {"main": ["OpenAll"]}


def test_of_two_types_of_one_name_the_imported_one_is_meant(tmp_path: Path) -> None:
    types = "class Args:\n    def read_all(self):\n        return 1\n"
    tree = {
        "app/near.py": types.replace("read_all", "read_near"),
        "app/far.py": types,
        "app/cli.py": "from app.near import Args\n\n\ndef main():\n    Args.read_all(1)\n    Args.read_near(1)\n",
    }
    assert told(tmp_path, tree) == {"main": ["Args.read_near"]}


def test_a_type_builds_on_the_nearest_one_of_a_name(tmp_path: Path) -> None:
    base = "export class Model {\n  saveAll(x) { return x }\n}\n"
    tree = {
        "server/base.js": base.replace("saveAll", "keepAll"),
        "pages/base.js": base,
        "server/order.js": "import { Model } from './base.js'\nexport class Order extends Model {\n  runAll(x) { this.saveAll(x); this.keepAll(x) }\n}\n",
    }
    assert told(tmp_path, tree) == {"Order.runAll": ["Model.keepAll"]}


def test_ruby_calls_without_brackets_and_by_names_with_marks(tmp_path: Path) -> None:
    code = """module Shop
  class Site
    def process
      rows = []
      read_rows
      dup.write! if rows
      total = rows
    end

    def read_rows
      other_file = 1
      find_file :name
    end

    def write!
      open_store { |find_file| find_file }
    end

    def find_file(name) = name
    def open_store; end
    def total; end
  end
end
"""
    assert told(tmp_path, {"lib/shop.rb": code}) == {
        "Site.process": ["Site.read_rows", "Site.write!"],
        "Site.read_rows": ["Site.find_file"],
        "Site.write!": ["Site.open_store"],
    }


def test_a_class_of_ruby_that_several_files_open_is_one(tmp_path: Path) -> None:
    tree = {
        "lib/shop/store.rb": "module Shop\n  class Store\n    def open_rows(x)\n      x\n    end\n  end\nend\n",
        "lib/shop/row.rb": "module Shop\n  class Store\n    class Row\n      def size\n        1\n      end\n    end\n  end\nend\n",
        "lib/shop/site.rb": "module Shop\n  class Site\n    def run_site\n      @store.open_rows 1\n    end\n  end\nend\n",
    }
    assert told(tmp_path, tree) == {"Site.run_site": ["Store.open_rows"]}


def test_what_holds_a_function_is_called_and_what_declares_it_is_not(tmp_path: Path) -> None:
    tree = {
        "src/hub.ts": "import { openStore, sendAll, keepAll } from './store'\nexport class Hub {\n"
        "  fetchAll: (x: string) => string = (x) => {\n    openStore<string>(x)\n    sendAll(1)\n"
        "    return keepAll.call(this, x)\n  }\n}\n",
        "src/store.ts": "export const openStore = <T>(x: T) => {\n  return x\n}\n\nexport const sendAll = [1, 2]\n\n"
        "export function keepAll(x: string) {\n  return x\n}\n",
        "src/store.d.ts": "export function openStore(x: string): string\n",
    }
    assert told(tmp_path, tree) == {"Hub.fetchAll": ["openStore", "keepAll"]}


@pytest.mark.parametrize(
    ("name", "code"),
    [
        (
            "Shop.java",
            (
                "class Shop {\n  void runShop() { new Maker().with(1).makeAll(2); other().makeAll(3); }\n}\n"
                "class Maker {\n  Maker with(int x) { return this; }\n  int makeAll(int x) { return x; }\n}\n"
            ),
        ),
        (
            "shop.php",
            (
                "<?php\nclass Shop {\n  public function runShop() { $this->maker()->makeAll(1); $this->other()->makeAll(1); }\n"
                "  private function maker(): Maker { return new Maker(); }\n}\n"
                "class Maker {\n  public function makeAll($x) { return $x; }\n}\n"
            ),
        ),
        (
            "shop.py",
            (
                "class Shop:\n    def runShop(self):\n        self.maker().makeAll(f(1))\n\n    def maker(self) -> Maker:\n"
                "        return None\n\n\nclass Maker:\n    def makeAll(self, x):\n        return x\n"
            ),
        ),
        (
            "shop.rs",
            (
                "pub struct Shop {}\npub struct Maker {}\npub type Result<T> = std::result::Result<T, Broken>;\npub struct Broken {}\n"
                "impl Shop {\n    pub fn runShop(&self) {\n        let maker = Maker::open(1)?;\n        maker.makeAll(2);\n    }\n}\n"
                "impl Maker {\n    pub fn open(x: u8) -> Result<Self> {\n        Ok(Maker {})\n    }\n"
                "    pub fn makeAll(&self, x: u8) -> u8 {\n        x + 1\n    }\n}\n"
            ),
        ),
    ],
)
def test_what_a_call_gives_calls_the_member_of_its_type(tmp_path: Path, name: str, code: str) -> None:
    assert "Maker.makeAll" in told(tmp_path, {f"src/{name}": code})["Shop.runShop"]


@pytest.mark.parametrize(("body", "is_called"), [(";", False), ("\n    {\n        x++;\n    }", True)])
def test_what_is_called_above_is_nothing_that_an_interface_only_declares(
    tmp_path: Path, body: str, is_called: bool
) -> None:
    tree = {
        "src/IKeeper.cs": f"public interface IKeeper\n{{\n    int KeepAll(int x){body}\n}}\n",
        "src/Shop.cs": "public class Shop : Base, IKeeper\n{\n    public int OpenShop(int x)\n    {\n"
        "        ReadAll(x);\n        return base.KeepAll(x);\n    }\n\n"
        "    public int ReadAll(int x)\n    {\n        return x;\n    }\n}\n",
    }
    assert ("IKeeper.KeepAll" in told(tmp_path, tree)["Shop.OpenShop"]) is is_called


def test_of_types_whose_names_end_alike_the_one_called_so_is_meant(tmp_path: Path) -> None:
    code = """interface ILogger
{
    void Write(int x) { x++; }
}

class Logger
{
    public void Write(int x) { x++; }
}

class Log
{
    public static void Information(int x) { Logger.Write(x); }
}
"""
    assert told(tmp_path, {"src/Log.cs": code}) == {"Log.Information": ["Logger.Write"]}


def test_a_chain_of_calls_without_end_is_read_like_another(tmp_path: Path) -> None:
    chain = "\n    .w()" * 2000
    code = f"from app.work import do_work_0\n\n\ndef main():\n    do_work_0(1)\n    (Maker(){chain}\n    .all_of())\n"
    assert told(tmp_path, {"app/work.py": WORK, "app/cli.py": code})["main"] == ["do_work_0"]


def test_code_calls_nothing_of_a_language_that_it_does_not_speak(tmp_path: Path) -> None:
    steps = "".join(f"  public function step{at}() {{ return $this->step{at + 1}(); }}\n" for at in range(6))
    tree = {
        "src/Shop.php": f"<?php\nclass Shop {{\n  public function open($rows) {{\n    $run = function () use ($rows) {{ takeRows($rows); }};\n    return $this->step0();\n  }}\n{steps}}}\n",
        "pages/rows.js": "export function takeRows(rows) { return rows }\nexport const use = (rows) => { takeRows(rows) }\n",
    }
    assert told(tmp_path, tree)["Shop.open"] == ["Shop.step0"]


def test_a_single_word_is_a_common_name_also_where_names_begin_with_capitals(tmp_path: Path) -> None:
    tree = {
        "src/Start.cs": "public class Start\n{\n    public void Open()\n    {\n        var builder = MakeHost(1);\n        builder.Build();\n        builder.BuildRequest();\n    }\n}\n",
        "src/RequestBuilder.cs": "public class RequestBuilder\n{\n    public int Build()\n    {\n        return 1;\n    }\n\n    public int BuildRequest()\n    {\n        return 2;\n    }\n}\n",
    }
    assert told(tmp_path, tree)["Start.Open"] == ["RequestBuilder.BuildRequest"]


def test_a_program_of_go_goes_on_in_the_functions_that_a_value_of_its_package_holds(tmp_path: Path) -> None:
    command = (
        'var root = &cobra.Command{\n\tUse: "shop",\n\tRunE: func(_ *cobra.Command, _ []string) error {\n\t\treturn serveShop()\n\t},\n}\n\n'
        'var plain = &cobra.Command{\n\tUse: "shop",\n}\n'
    )
    shop = "".join(f"func openPart{at}() int {{\n\treturn {at}\n}}\n\n" for at in range(3))
    calls = "".join(f"\topenPart{at}()\n" for at in range(3))
    tree = {
        "go.mod": "module shop\n",
        "cmd/main.go": f"package main\n\n{command}\nfunc main() {{\n\tplain.Flags()\n\troot.Execute()\n}}\n",
        "cmd/serve.go": f"package main\n\nfunc serveShop() error {{\n{calls}\treturn nil\n}}\n\n{shop}",
    }
    flow = told(tmp_path, tree)
    assert (flow["main"], flow["root"]) == (["root"], ["serveShop"])
    assert flow["serveShop"] == ["openPart0", "openPart1", "openPart2"]
