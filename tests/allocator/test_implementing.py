"""The main flow through interfaces, fields whose types a header says, and names that an import gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.allocator.test_calls import told

if TYPE_CHECKING:
    from pathlib import Path

_CLIENT = """class Client
{
    private readonly IFactory _made;

    public int CreateAll(int x)
    {
        return _made.MakeOne(x);
    }
}

interface IFactory
{
    int MakeOne(int x);
}

class Program
{
    static void Main()
    {
        Client client = new Client();
        client.CreateAll(1);
    }
}
"""
_FACTORY = "class %s : IFactory {\n    public int MakeOne(int x) { return KeepOne(x); }\n    int KeepOne(int x) { return x; }\n}\n"


@pytest.mark.parametrize(
    ("names", "meant"),
    [(["Plain"], "Plain"), (["Odd", "Factory"], "Factory"), (["Odd", "Even"], "IFactory")],
)
def test_a_call_of_an_interface_comes_to_the_only_type_or_the_one_called_after_it(
    tmp_path: Path, names: list[str], meant: str
) -> None:
    tree = {"src/Client.cs": _CLIENT, **{f"src/{name}.cs": _FACTORY % name for name in names}}
    assert told(tmp_path, tree)["Client.CreateAll"] == [f"{meant}.MakeOne"]


def test_a_type_of_go_builds_on_the_interface_whose_methods_it_has(tmp_path: Path) -> None:
    tree = {
        "main.go": "package main\n\nfunc main() {\n\tvar rows Rows\n\trows.ReadAll(1)\n}\n",
        "rows.go": "package main\n\ntype Rows interface {\n\tReadAll(x int) int\n\tClose()\n}\n",
        "disk.go": (
            "package main\n\ntype disk struct{}\n\nfunc (d *disk) ReadAll(x int) int {\n\treturn x\n}\n\n"
            "func (d *disk) Close() {\n\tprintln()\n}\n"
        ),
        "half.go": "package main\n\ntype half struct{}\n\nfunc (h *half) ReadAll(x int) int {\n\treturn x\n}\n",
    }
    assert told(tmp_path, tree) == {"main": ["disk.ReadAll"]}


def test_a_member_calls_what_its_type_has_from_another(tmp_path: Path) -> None:
    tree = {
        "src/Base.java": "abstract class Base {\n    int read(int x) { return x + 1; }\n}\n",
        "src/Other.java": "class Other {\n    int read(int x) { return x + 2; }\n}\n",
        "src/Shop.java": "class Shop extends Base {\n    public int openAll() { return this.read(1); }\n}\n",
    }
    assert told(tmp_path, tree) == {"Shop.openAll": ["Base.read"]}


def test_the_header_of_a_type_says_what_its_fields_are(tmp_path: Path) -> None:
    tree = {
        "lib/engine.h": "class Engine {\n public:\n  int run(int x);\n\n private:\n  std::unique_ptr<Listener> kept_;\n};\n",
        "lib/engine.cc": '#include "engine.h"\n\nint Engine::run(int x) {\n  return kept_->open(x);\n}\n',
        "lib/listener.h": "class Listener {\n public:\n  int open(int x);\n};\n",
        "lib/listener.cc": '#include "listener.h"\n\nint Listener::open(int x) {\n  return x;\n}\n',
    }
    tree["lib/main.cc"] = '#include "engine.h"\n\nint main() {\n  Engine engine;\n  return engine.run(1);\n}\n'
    assert told(tmp_path, tree) == {"main": ["Engine.run"], "Engine.run": ["Listener.open"]}


def test_a_module_is_called_by_the_name_that_the_import_gives_it(tmp_path: Path) -> None:
    tree = {
        "go.mod": "module example.com/x\n",
        "cmd/main.go": (
            'package main\n\nimport rows "example.com/x/store"\n\nfunc main() {\n\trows.OpenAll(1)\n}\n// as this\n'
        ),
        "store/open.go": "package store\n\nfunc OpenAll(x int) int { return x }\n",
    }
    assert told(tmp_path, tree) == {"main": ["OpenAll"]}


def test_a_variable_calls_the_interface_that_it_is_called_after(tmp_path: Path) -> None:
    tree = {
        "src/Logger.php": "<?php\nclass Logger {\n    public function writeAll($x) {\n        foreach ($this->list as $sink) {\n"
        "            $sink->take($x);\n        }\n    }\n}\n",
        "src/SinkInterface.php": "<?php\ninterface SinkInterface {\n    public function take($x);\n}\n",
        "src/Mail.php": "<?php\nclass Mail {\n    public function take($x) { return $x; }\n}\n",
    }
    assert told(tmp_path, tree) == {"Logger.writeAll": ["SinkInterface.take"]}


def test_a_word_of_ruby_that_something_is_called_on_may_be_a_call(tmp_path: Path) -> None:
    code = """class Builder
  def answer_all(env)
    chain.call(env)
  end

  def other_all(chain)
    chain.call(1)
  end

  def chain
    @chain ||= link_all(1)
  end

  def link_all(x)
    x
  end
end
"""
    flow = told(tmp_path, {"lib/builder.rb": code})
    assert flow == {"Builder.answer_all": ["Builder.chain"], "Builder.chain": ["Builder.link_all"]}


def test_a_variable_is_of_the_type_that_the_call_gives_which_made_it(tmp_path: Path) -> None:
    trouble = "type Trouble%s struct{}\n\nfunc (t *Trouble%s) Tell() int {\n\treturn %s\n}\n\n"
    tree = {
        "go.mod": "module example.com/x\n",
        "main.go": (
            "package main\n\nfunc main() {\n\ttrouble := openAll(1)\n\ttrouble.Tell()\n}\n\n"
            "func openAll(x int) *TroubleWrapper {\n\treturn nil\n}\n"
        ),
        "trouble.go": "package main\n\n" + trouble % ("", "", 1) + trouble % ("Wrapper", "Wrapper", 2),
    }
    assert told(tmp_path, tree) == {"main": ["openAll", "TroubleWrapper.Tell"]}


@pytest.mark.parametrize(("line", "called"), [("include Answers", ["Answers.send_answer"]), ("# include Answers", [])])
def test_a_class_of_ruby_has_the_members_of_the_modules_that_it_takes_in(
    tmp_path: Path, line: str, called: list[str]
) -> None:
    tree = {
        "lib/shop/answers.rb": "module Shop\n  module Answers\n    def send_answer(row)\n      row\n    end\n  end\nend\n",
        "lib/shop/server.rb": (
            "module Shop\n  class Server\n    module Slow\n      include Waits\n      def send_answer(row)\n        super\n"
            f"      end\n    end\n\n    {line}\n\n    def run(row)\n      open_row(row)\n      send_answer(row)\n    end\n\n"
            "    def open_row(row)\n      row\n    end\n  end\nend\n"
        ),
    }
    assert told(tmp_path, tree)["Server.run"] == ["Server.open_row", *called]
