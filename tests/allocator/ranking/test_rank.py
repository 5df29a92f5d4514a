from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from allocator.ranking.corpus import Corpus, Reading
from allocator.ranking.history import NO_HISTORY, History
from allocator.ranking.rank import rank
from allocator.ranking.words import Kind, query_of
from tests.allocator.ranking.code import CodeFile, names_by_weight, ranked_for
from workspace.git.log import PastCommit

FILES = (
    CodeFile(
        "src/config.py",
        'class Config:\n    """Settings."""\n\n    def load(self, path):\n        return parse_toml(open(path).read())\n\n'
        "    def save(self, path):\n        open(path, 'w').write(dump(self))\n",
    ),
    CodeFile(
        "src/toml.py",
        'def parse_toml(text):\n    """Reads TOML."""\n    return tokens(text)\n\ndef dump(value):\n    return str(value)\n',
    ),
    CodeFile(
        "src/server.py",
        "class Server:\n    def start(self, port):\n        self.socket = bind(port)\n\n    def stop(self):\n        self.socket.close()\n",
    ),
    CodeFile("tests/test_toml.py", "def test_parse_toml():\n    assert parse_toml('a = 1') == {'a': 1}\n"),
    CodeFile("docs/notes.md", "# TOML\n\nHow TOML is parsed.\n"),
    CodeFile("pyproject.toml", "[project]\nname = 'x'\n"),
)


def foremost(query: str) -> str:
    return names_by_weight(FILES, ranked_for(FILES, query))[0]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("stop the server cleanly", "src/server.py::Server.stop"),
        ("TOML parsing fails on comments", "src/toml.py::parse_toml"),
        ("parse_toml", "src/toml.py::parse_toml"),
        ("saving the configuration to a path", "src/config.py::Config.save"),
        ("bind the socket to another port", "src/server.py::Server.start"),
    ],
)
def test_a_query_puts_the_definition_it_is_about_first(query: str, expected: str) -> None:
    assert foremost(query) == expected


def test_tests_come_first_only_where_a_query_asks_for_them() -> None:
    names = names_by_weight(FILES, ranked_for(FILES, "parse_toml of an empty text"))
    assert names.index("src/toml.py::parse_toml") < names.index("tests/test_toml.py::test_parse_toml")
    assert foremost("test parse_toml: cover comments in test_toml.py") == "tests/test_toml.py::test_parse_toml"


def test_tests_beside_what_they_test_count_as_tests() -> None:
    lamp = """pub struct Lamp;

impl Lamp {
    pub fn fade(&mut self) { self.level -= 1; }
}

#[cfg(test)]
mod tests {
    #[test]
    fn lamp_fades_when_dimmed() { Lamp.fade(); assert_fades_when_dimmed(); }
}
"""
    files = [CodeFile("src/lamp.rs", lamp), CodeFile("src/dimmer.rs", "pub fn dim(lamp: &mut Lamp) { lamp.fade() }\n")]

    def names(query: str) -> list[str]:
        return names_by_weight(files, ranked_for(files, query))

    of_test = "src/lamp.rs::tests.lamp_fades_when_dimmed"
    asked = names("which code makes a lamp fade when it is dimmed")
    assert asked.index("src/lamp.rs::Lamp.fade") < asked.index("src/dimmer.rs::dim") < asked.index(of_test)
    assert names("test that a lamp fades when it is dimmed")[0] == of_test


def test_a_file_that_the_query_names_comes_first() -> None:
    ranking = ranked_for(FILES, "something is wrong in src/server.py")
    assert FILES[ranking.order[0]].path == "src/server.py"


def test_commits_about_the_subject_speak_for_the_files_they_touched() -> None:
    history = History(
        (
            PastCommit(message="Handle timeouts", paths=("src/server.py",)),
            PastCommit(message="Write notes", paths=("docs/notes.md",)),
        )
    )
    before = ranked_for(FILES, "timeouts are ignored")
    after = ranked_for(FILES, "timeouts are ignored", history=history)
    assert after.files[2] > before.files[2]
    assert FILES[after.order[0]].path == "src/server.py"


def test_weights_with_a_query_are_shares_of_one_and_those_of_files_add_up() -> None:
    ranking = ranked_for(FILES, "parse toml")
    assert sum(ranking.files) == pytest.approx(1.0)
    for file, weights in zip(ranking.files, ranking.definitions, strict=True):
        assert 0 <= sum(weights) <= file + 1e-12
    assert sorted(ranking.order) == list(range(len(FILES)))
    assert [ranking.files[place] for place in ranking.order] == sorted(ranking.files, reverse=True)


def test_a_ranking_says_why() -> None:
    ranking = ranked_for(FILES, "stop the server")
    assert ranking.reasons is not None
    reason = ranking.reasons.foremost(1)[0]
    assert ranking.reasons.of(reason.file, reason.definition) == reason
    assert (FILES[reason.file].path, reason.definition) == ("src/server.py", 2)
    assert reason.weight == ranking.definitions[reason.file][reason.definition] > 0
    assert "name" in dict(reason.parts)


def test_without_a_query_tiers_decide_and_then_what_others_lead_to() -> None:
    callers = tuple(
        CodeFile(f"src/deep/er/use{n}.py", f"def use{n}():\n    return central_thing({n})\n") for n in range(9)
    )
    central = CodeFile("src/deep/er/zebra.py", "def central_thing(n):\n    return n\n")
    files = (*FILES, *callers, central)
    ranking = ranked_for(files)
    tiers = [files[place].tier for place in ranking.order]
    assert tiers == sorted(tiers)
    order = [files[place].path for place in ranking.order]
    assert order.index("src/deep/er/zebra.py") < order.index("src/deep/er/use0.py")
    assert ranking.reasons is None


def test_a_query_of_common_words_alone_is_none() -> None:
    assert ranked_for(FILES, "what is it about?") == ranked_for(FILES)


def test_words_that_questions_are_made_of_count_in_names_alone() -> None:
    files = (
        *FILES,
        CodeFile(
            "src/bind.py",
            "".join(f'def like_{n}():\n    """Works like this works, and works."""\n\n' for n in range(6)),
        ),
        CodeFile("src/work.py", "def handle_work():\n    return 1\n"),
    )
    names = names_by_weight(files, ranked_for(files, "how does the server work?"))
    assert all("like_" not in name for name in names[:4])
    assert names_by_weight(files, ranked_for(files, "where is handle_work?"))[0] == "src/work.py::handle_work"


@pytest.mark.parametrize("query", ["", "parse toml"])
def test_no_files_have_an_empty_ranking(query: str) -> None:
    ranking = ranked_for((), query)
    assert (ranking.order, ranking.files, list(ranking.definitions)) == ((), (), [])


@pytest.mark.parametrize("query", ["", "xylophone", "parse"])
def test_files_without_words_are_ranked_too(query: str) -> None:
    files = (CodeFile("a.txt", ""), CodeFile("b.py", ""))
    ranking = ranked_for(files, query)
    assert len(ranking.order) == 2
    assert list(ranking.definitions) == [(), ()]


def test_a_corpus_forgets_files_only_when_it_knows_many_more_than_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    corpus = Corpus()
    asked: list[int] = []

    def read(places: Sequence[int]) -> list[Reading]:
        asked.extend(places)
        return [FILES[place].reading for place in places]

    rank(FILES, "toml", read=read, corpus=corpus)
    rank(FILES[:1], "toml", read=read, corpus=corpus)
    rank(FILES, "toml", read=read, corpus=corpus)
    assert sorted(asked) == list(range(len(FILES)))
    monkeypatch.setattr("allocator.ranking.corpus.LEAST_KEPT", 0)
    rank(FILES[:1], "toml", read=read, corpus=corpus)
    assert rank(FILES, "toml", read=read, corpus=corpus) == ranked_for(FILES, "toml")
    assert len(asked) == 2 * len(FILES) - 1


def test_a_corpus_reads_a_file_once_and_again_when_it_has_changed() -> None:
    corpus = Corpus()
    ranked_for(FILES, "toml", corpus=corpus)
    changed = (CodeFile("src/config.py", "def reload(): ...\n"), *FILES[2:])
    asked: list[int] = []

    def read(places: Sequence[int]) -> list[Reading]:
        asked.extend(places)
        return [changed[place].reading for place in places]

    again = rank(changed, "toml", read=read, corpus=corpus)
    assert asked == [0]
    assert again == ranked_for(changed, "toml")


def test_an_edit_leaves_what_is_known_of_paths_as_it_is() -> None:
    corpus = Corpus()
    before = corpus.arrays(FILES, lambda places: [FILES[place].reading for place in places])
    assert before.paths_with
    changed = (CodeFile(FILES[0].path, "def reload(): ...\n"), *FILES[1:])
    after = corpus.arrays(changed, lambda places: [changed[place].reading for place in places])
    assert after is not before
    assert after.paths_with is before.paths_with
    assert ranked_for(changed, "toml", corpus=corpus) == ranked_for(changed, "toml")
    fewer = corpus.arrays(FILES[1:], lambda places: [FILES[1:][place].reading for place in places])
    assert fewer.paths_with is not before.paths_with
    assert ranked_for(FILES[1:], "config", corpus=corpus) == ranked_for(FILES[1:], "config")


_TEXTS = st.lists(st.sampled_from(["alpha", "beta_gamma", "delta", "alphaBeta"]), min_size=1, max_size=4).map(
    lambda names: "".join(f"def {name}(x):\n    return {names[0]}(x)\n\n" for name in names)
)


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(st.sampled_from(["a.py", "b/c.py", "test_d.py", "e.md"]), _TEXTS, min_size=1), st.data())
def test_a_ranking_depends_on_the_files_alone(texts: dict[str, str], data: st.DataObject) -> None:
    files = [CodeFile(path, text) for path, text in texts.items()]
    shuffled = data.draw(st.permutations(files))
    query = data.draw(st.sampled_from(["", "alpha", "betaGamma of delta"]))
    corpus = Corpus()
    ranked_for(data.draw(st.permutations(files))[: len(files) // 2], "delta", corpus=corpus)
    warm = ranked_for(shuffled, query, corpus=corpus)
    cold = ranked_for(files, query)
    assert [shuffled[place] for place in warm.order] == [files[place] for place in cold.order]
    assert dict(zip(shuffled, warm.definitions, strict=True)) == dict(zip(files, cold.definitions, strict=True))


def test_an_issue_is_about_what_its_title_and_its_code_name_and_not_about_all_that_it_says() -> None:
    form = "\n".join(f"- [x] I have read the notes on sockets and ports, part {number}" for number in range(20))
    issue = f"Saving loses comments\n\n{form}\n\nAfter `Config.save` the file has none left."
    assert query_of(issue).kind is Kind.ISSUE
    assert query_of("Saving loses comments").kind is Kind.QUESTION
    assert foremost(issue) == "src/config.py::Config.save"


def test_of_files_an_issue_is_about_those_of_its_prose_and_not_those_of_its_code() -> None:
    files = (
        CodeFile("src/jar.py", "def renew(jar):\n    cookies = jar.cookies()\n    return cookies.expire()\n"),
        CodeFile(
            "src/net.py", "def serve(port):\n    server = Server(port)\n    server.listen(host)\n    server.loop()\n"
        ),
    )
    code = "server = Server(port)\nserver.listen(host)\nserver.loop()\n"
    prose = "Cookies expire\n\nNobody renews what is in a jar.\n" + "They are not there. " * 40
    assert names_by_weight(files, ranked_for(files, f"{prose}\n\n```\n{code}```"))[0] == "src/jar.py::renew"
    assert names_by_weight(files, ranked_for(files, f"{prose}\n\n{code}"))[0] == "src/net.py::serve"


def test_a_module_that_an_issue_names_comes_before_others_that_say_as_much() -> None:
    def saved(folder: str) -> CodeFile:
        return CodeFile(f"{folder}/store.py", "def save(value):\n    return value\n")

    files = (saved("alpha"), saved("beta/inner"), saved("gamma"))
    issue = "Values are lost\n\n" + "Nothing is left of what was there before. " * 20 + "\nIt is beta.inner.store.save."
    ranking = ranked_for(files, issue)
    assert files[ranking.order[0]].path == "beta/inner/store.py"
    assert ranking.reasons is not None
    assert "module" in dict(ranking.reasons.foremost(1)[0].parts)


SHOP = (
    CodeFile(
        "shop/till.py",
        "".join(
            f"def {verb}_receipt(receipt):\n    '''Takes a receipt and its printing.'''\n    return receipts(receipt)\n\n"
            for verb in ("open", "close", "print", "void", "store", "send")
        ),
    ),
    CodeFile("shop/receipts.py", "class Receipt:\n    lines = ()\n\n\ndef read(one):\n    return one\n"),
    CodeFile(
        "shop/auth.py", "def check(name):\n    '''The authentication of a name.'''\n    return name in known(name)\n"
    ),
    CodeFile("shop/login.py", "def enter(name):\n    '''The authentication of a name.'''\n    return name\n"),
    CodeFile("shop/stock/__init__.py", "from shop.stock.count import count\n"),
    CodeFile("shop/stock/count.py", "def count(stock):\n    return len(stock)\n"),
)


def first_file(query: str, history: History = NO_HISTORY) -> str:
    return SHOP[ranked_for(SHOP, query, history=history).order[0]].path


def test_a_question_leads_to_the_file_that_is_called_after_its_subject() -> None:
    assert first_file("receipts and their lines") == "shop/receipts.py"
    assert first_file("print receipts at the till") == "shop/till.py"


def test_a_file_may_be_called_by_a_short_form_of_a_word() -> None:
    assert first_file("authentication of users") == "shop/auth.py"


def test_a_class_that_a_query_names_comes_before_functions_that_are_about_it() -> None:
    assert names_by_weight(SHOP, ranked_for(SHOP, "Receipt"))[0] == "shop/receipts.py::Receipt"


def test_what_was_changed_lately_counts_for_what_is_to_be_done_and_not_for_what_is_asked() -> None:
    lately = History((PastCommit(message="Tidy", paths=("shop/till.py",)),))
    for query, moved in (("fix the lines of receipts", True), ("how are the lines of receipts kept?", False)):
        reasons = ranked_for(SHOP, query, history=lately).reasons
        assert reasons is not None
        assert (dict(reasons.of(0, 0).parts)["recent"] > 1) is moved


def test_a_constructor_is_not_about_what_its_type_is_called_after() -> None:
    fields = "".join(f"    this.part{number} = node;\n" for number in range(3))
    made = f"  ClusterCache(Node node) {{\n{fields}  }}\n"
    text = f"class ClusterCache {{\n{made}\n{made.replace('ClusterCache', 'void follow')}}}\n"
    files = [CodeFile("src/ClusterCache.java", text)]
    ranking = ranked_for(files, "how is the cluster cache kept")
    weights = dict(zip((one.path for one in files[0].reading.definitions), ranking.definitions[0], strict=True))
    assert weights["ClusterCache.follow"] == pytest.approx(weights["ClusterCache.ClusterCache"], rel=0.35)


def test_a_prototype_comes_behind_the_function_that_it_announces() -> None:
    files = (
        CodeFile("src/net.h", "int close_slow_client(int fd);\nint only_here(int slow_client);\n"),
        CodeFile("src/net.c", '#include "net.h"\nint close_slow_client(int fd) {\n    return shutdown(fd, 2);\n}\n'),
        CodeFile("src/loop.c", '#include "net.h"\nint turn(int fd) {\n    return close_slow_client(fd);\n}\n'),
    )
    ranking = ranked_for(files, "close slow client")
    announced, elsewhere = ranking.definitions[0][:2]
    assert announced < min(elsewhere, ranking.definitions[1][0] / 5)  # what no other file holds keeps its weight
    alone = ranked_for((files[0], files[2]), "close slow client")
    assert alone.definitions[0][0] > alone.definitions[0][1]


def test_the_name_of_the_project_in_a_question_does_not_lead_to_what_is_called_after_it() -> None:
    shop = CodeFile("myshop/shop.py", "class MyShop:\n    def run(self):\n        return self.serve()\n")
    price = CodeFile("myshop/price.py", "def round_price(price):\n    return price.rounded()\n")
    files = shop, price
    rankings = [
        rank(
            files,
            "how does MyShop round a price",
            read=lambda places: [files[place].reading for place in places],
            project=name,
        )
        for name in ("", "my-shop")
    ]
    assert rankings[1].files[1] > rankings[0].files[1]
    assert files[rankings[1].order[0]].path == "myshop/price.py"
