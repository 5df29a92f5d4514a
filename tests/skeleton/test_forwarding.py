"""Bodies that only forward, and what they are worth."""

from __future__ import annotations

from pathlib import Path

import pytest

from allocator import ContextEngine
from allocator.spend import by_worth
from skeleton import language_of
from skeleton.index.forwarding import forwarding
from skeleton.skeletonizer import definitions_of
from tests.trees import write_tree
from workspace.roots import Roots


def said(path: str, source: str) -> tuple[list[str], list[str]]:
    """The definitions whose bodies only forward, and those that only access a value."""
    text = source.encode()
    every = definitions_of(text, language_of(path, text))
    forwarded, accessing = forwarding(text, every, dict.fromkeys(range(len(every)), 1))
    return [every[place].name for place in forwarded], [every[place].name for place in accessing]


@pytest.mark.parametrize(
    ("path", "source", "names"),
    [
        (
            "app.py",
            ('class App:\n    def route(self, path):\n        """Adds (one of "many").\n\n        Twice, that is."""\n'
            "        return self.router.route(path, [1], key=f(path))\n\n"
            "    def __init__(self, name):\n        super().__init__(name)  \n\n"
            "    def load(self, path):\n        return self.read(path)\n\n"
            "    def save(self, path):\n        self.open(path)\n        self.disk.save(path)\n"),
            ["route", "__init__"],
        ),
        (
            "Decoder.java",
            ("class Decoder {\n  Decoder() { this(new Config().setMax(1)); }\n"
            "  Decoder(Config config) {\n    super(config);\n    this.config = config;\n  }\n"
            "  void decode(int n) {\n    // all at once (see below)\n    decode(n, true);\n  }\n"
            "  void decode(int n, boolean all) {\n    if (all) { decode(n); }\n  }\n}\n"),
            ["Decoder", "decode"],
        ),
        (
            "kv.go",
            ("package kv\n\nfunc (c *Client) Get(key string) error { return c.store.Get(key) }\n\n"
            "func (r *Response) Op() Op { return Op{get: r} }\n"),
            ["Get"],
        ),
        (
            "io.rs",
            ("impl Io {\n    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {\n        Pin::new(&mut self.inner).poll(cx)\n    }\n"
            "    fn wait(&self) {\n        self.inner.wait().await;\n    }\n"
            "    fn flush(&self) {\n        self.inner.flush()?;\n        Ok(())\n    }\n}\n"),
            ["poll", "wait"],
        ),
        (
            "log.cs",
            "class Log {\n  void Info(string text) => Info(text, null);\n  void Warn(string text) => Write(2, text);\n}\n",
            ["Info"],
        ),
        ("rack.rb", "class Rack\n  def get(key)\n    super(key.downcase)\n  end\n\n  def put(key)\n    key\n  end\nend\n", ["get"]),
        ("a.js", "class A {\n  get(x) { return this.b.get({ x, y: [1] }); }\n  put(x) { return () => this.b.put(x); }\n}\n", ["get"]),
    ],
)  # fmt: skip
def test_a_body_forwards_that_is_one_call_of_its_own_name_or_of_what_is_above(
    path: str, source: str, names: list[str]
) -> None:
    assert said(path, source)[0] == names


@pytest.mark.parametrize(
    ("path", "source", "names"),
    [
        (
            "Till.java",
            ("class Till {\n  int getSize() {\n    return this.size;\n  }\n  void setSize(int size) { this.size = size; }\n"
            "  boolean isOpen() { return open; }\n  int getAll() { return size; }\n  int hasty() { return y; }\n"
            "  int getSum() { return sum + 1; }\n  void setSum(int x) { this.sum = x + 1; }\n}\n"),
            ["getSize", "setSize", "isOpen"],
        ),
        (
            "till.php",
            "<?php class Till { function setSize($x) { $this->size = $x; } function size() { return $this->size; } }",
            ["setSize", "size"],
        ),
        (
            "till.py",
            ("class Till:\n    def size(self):\n        return self._size\n\n    def set_size(self, x):\n"
            "        self.size = x\n\n    def sum(self):\n        self.sum = 1\n        return self.sum\n"),
            ["size", "set_size"],
        ),
        ("till.go", "package till\n\nfunc (t *Till) Size() int {\n\treturn t.size\n}\n", ["Size"]),
        ("till.rb", "class Till\n  def size\n    @size\n  end\n\n  def sum\n    @size\n  end\nend\n", ["size"]),
        ("till.cs", "class Till { public int Size => size; public int GetSum() => _sum; }", ["Size", "GetSum"]),
        (
            "state.py",
            ('class Runner:\n    @property\n    def device(self):\n        """Where (the first)."""\n        return self.state.device\n\n'
            "    def size(self):\n        return self.state.count\n"),
            ["device"],
        ),
    ],
)  # fmt: skip
def test_a_body_accesses_that_only_gives_or_takes_what_it_is_called_after(
    path: str, source: str, names: list[str]
) -> None:
    assert said(path, source) == ([], names)


def test_bodies_that_say_nothing_come_late_in_a_first_look_too(tmp_path: Path) -> None:
    names = [f"part{at}" for at in range(9)]
    given = "".join(f"  int get{name.title()}() {{\n    return this.{name};\n  }}\n" for name in names)
    code = f"class Till {{\n{given}  int sumAll() {{\n    return getPart1() + getPart2();\n  }}\n}}\n"
    tree = {"Till.java": code}
    tree |= {
        f"Use{n}.java": f"class Use{n} {{\n  int use(Till till) {{ return till.sumAll() + {n}; }}\n}}\n"
        for n in range(20)
    }
    folder = write_tree(tmp_path / "tills", tree).resolve()
    engine = ContextEngine(Roots([folder]))
    text = engine.get_context(str(folder), token_budget=800).context
    assert "return getPart1() + getPart2();" in text
    assert "return this.part" not in text


def test_a_body_that_gives_the_value_that_is_asked_for_is_shown(tmp_path: Path) -> None:
    names = ("size", "price", "owner", "label", "place")
    work = "".join(f"    sum += sum * {n} + owner;\n" for n in range(6))
    code = "".join(
        f"  int get{name.title()}() {{\n    return this.{name};\n  }}\n"
        f"  int add{name.title()}(int owner) {{\n    int sum = 0;\n{work}    return sum;\n  }}\n"
        for name in names
    )
    tree = {
        f"Use{n}.java": f"class Use{n} {{\n  int use(Till till) {{\n{work}    return {n};\n  }}\n}}\n"
        for n in range(20)
    }
    folder = write_tree(tmp_path / "tills", tree | {"Till.java": f"class Till {{\n{code}}}\n"}).resolve()
    text = ContextEngine(Roots([folder])).get_context(
        str(folder), token_budget=500, query="the owner of a till is given wrongly"
    )
    assert "return this.owner;" in text.context


def test_bodies_that_give_what_nobody_asked_for_come_behind_those_that_do_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("address", "city", "telephone", "street", "title", "email")
    work = "".join(f"    if (name.length() > {n}) {{ found.add(name, {n}); }}\n" for n in range(8))
    given = "".join(f"  String get{name.title()}() {{\n    return this.{name};\n  }}\n" for name in names)
    found = "".join(
        f"  List search{by}(String name) {{\n{work}    return found;\n  }}\n" for by in ("Owners", "ByName", "ByCity")
    )
    tree = {
        "Owner.java": f"class Owner {{\n{given}  int addPet(int pet) {{\n    return pet + 1;\n  }}\n}}\n",
        "OwnerDesk.java": f"class OwnerDesk {{\n{found}}}\n",
    }
    tree |= {
        f"Use{n}.java": f"class Use{n} {{\n  int use(Owner owner) {{\n{work}    return owner.name({n});\n  }}\n}}\n"
        for n in range(20)
    }
    folder = write_tree(tmp_path / "x", tree).resolve()
    engine = ContextEngine(Roots([folder]))

    def given_at(likely: float) -> int:
        monkeypatch.setattr(by_worth, "LIKELY", likely)
        texts = (
            engine.get_context(str(folder), token_budget=budget, query="how are owners searched by name").context
            for budget in range(400, 900, 50)
        )
        return sum(text.count("return this.") for text in texts)

    assert given_at(by_worth.LIKELY) < given_at(0)


def test_a_body_that_does_something_is_shown_before_those_that_only_forward(tmp_path: Path) -> None:
    overloads = "".join(
        f"  /**\n   * Reads chunks of a stream.\n   *\n   * @deprecated Use another reader of chunks.\n   */\n  @Deprecated\n"
        f"  int readChunks(Stream stream, {', '.join(f'int size{at}' for at in range(n + 1))}) {{\n"
        f"    return readChunks(new Config(stream){''.join(f'.withSize(size{at})' for at in range(n + 1))});\n  }}\n"
        for n in range(8)
    )
    work = "".join(f"    total += config.next({n}) * {n};\n" for n in range(30))
    source = f"class Reader {{\n{overloads}  int readChunks(Config config) {{\n    int total = 0;\n{work}    return total;\n  }}\n}}\n"
    others = {f"Other{n}.java": f"class Other{n} {{\n  int value() {{ return {n}; }}\n}}\n" for n in range(20)}
    folder = write_tree(tmp_path / "reader", {"Reader.java": source} | others).resolve()
    result = ContextEngine(Roots([folder])).get_context(
        str(folder), token_budget=900, query="how are chunks of a stream read?"
    )
    assert "total += config.next(29) * 29;" in result.context
    assert result.context.count("new Config(stream)") <= 3
