"""The text that a grammar stumbles over is cut out of what it reads and shown below a mark; the rest is a usual skeleton."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skeleton import CompressionLevel, Language, Skeleton, skeletons
from skeleton.index.units import units_of
from skeleton.outline.branches import untorn
from skeleton.outline.cutting import Lines, merged, without
from skeleton.outline.outlining import every_definition
from skeleton.skeletonizer import definitions_of
from tests.skeleton.desk import Desk
from tests.skeleton.test_regions import told

MACROS_FOR_STATEMENTS = b"""\
namespace bench {
    struct Benchmark {
        template <class Fun>
        Benchmark(std::string name, Fun fun) : fun(fun) {}

        template <typename Clock>
        Plan prepare(const Config &config) {
            auto ahead = clock.ahead();
            return { ahead, config };
        }

        template <typename Clock = Steady>
        void run() {
            static_assert(Clock::is_steady, "steady");
            TRY_IT {
                auto plan = user_code([&] { return prepare<Clock>(*config); });
            } CATCH_ANON (Failure const&) {
                failed("because of an assertion");
            } CATCH_ALL {
                failed(active());
            }
        }

        template <typename Fun, std::enable_if_t<!related<Fun>::value, int> = 0>
        Benchmark & operator=(Fun fun) {
            this->fun = fun;
            return *this;
        }

        explicit operator bool() {
            return true;
        }
    };
}

""" + b"\n".join(
    b"""\
static int after_%d(const Config &config, int times) {
    int sum = 0;
    for (int at = 0; at < times; ++at) {
        sum += config.value(at);
    }
    return sum;
}
"""
    % number
    for number in range(6)
)

CALLS_WITHOUT_SEMICOLONS = b"""\
#include "git.h"

static int before(void)
{
	return 1;
}

static GIT_PATH_FUNC(git_path_names, "BISECT_NAMES")
static GIT_PATH_FUNC(git_path_run, "BISECT_RUN")
static GIT_PATH_FUNC(git_path_start, "BISECT_START")

static void read_paths(struct strvec *array)
{
	const char *filename = git_path_names();
	FILE *fp = xfopen(filename, "r");

	while (getline(&str, fp) != EOF) {
		trim(&str);
	}
	fclose(fp);
}

static char *join(struct oid_array *array, char delim)
{
	return detach(array, delim);
}
"""

MEMBERS_OF_A_MACRO = b"""\
typedef struct stats_s stats_t;
struct stats_s {
	LOCKED(mtx)

	/* Those of the base. */
	size_t base;
	size_t resident;
};

static inline bool
stats_init(stats_t *stats) {
	int made = 0;
	made += stats->base == 0;
	return made > 0;
}

static inline void
stats_add(stats_t *stats, size_t more) {
	lock(stats);
	stats->resident += more;
	unlock(stats);
}
"""

TORN_BLOCKS = b"""\
static int first(int a) {
    for (a = 0; a < 3; ++a) {
#ifdef __MVS__
        if (threads[a].__ != 0) {
#else
        if (threads[a] != 0) {
#endif
            join(threads[a]);
        }
    }
    return a;
}

#if OLD
static void timeout(timer_t *timer, int status) {
    (void)status; // a brace of a comment: }
#else
static void timeout(timer_t *timer) {
#endif
    handle(timer->data, "}");
}

static int last(void) {
    return 3;
}
"""

BLOCK_IN_TWO_CONDITIONS = b"""\
#ifndef NOTHING
static int *add(int *res, const int *lhs,
                int negate) {
  int residue;
  do {
    if (lhs[0]) {
      copy(res, lhs, &residue); // as needed
      #if FAST // in chunks
      if (lhs[1]) {
        res[0] = lhs[1];
        }
       else {
      #endif
        res[0] = negate;
      #if FAST
        } // no chunks
      #endif
      finish(res, &residue);
      break;}
    res[1] = 1;
    } while (0);
  return res;
  } // add

static int only(struct peer *peer)
{
  int is_six = 0;
#ifdef UNIX
  if(peer->path)
    result = name(peer);
  else {
#endif /* UNIX */
  result = address(peer, &is_six);
  if(result)
    return result;
  if(peer->asked) {
    from = peer->asked;
  }
  else {
    from = peer->local;
  }
  result = added(peer, "%s %s", is_six ? "six" : "four", from);
#ifdef UNIX
  }
#endif /* UNIX */
  return 0;
}

int last(void) {
  return 0;
}
#endif
"""

FORMAT_MACROS = b"""\
static inline FORMAT_PRESERVING(1) const char *_(const char *msgid)
{
	if (!*msgid)
		return "";
	return gettext(msgid);
}

static inline FORMAT_PRESERVING(1) FORMAT_PRESERVING(2)
const char *Q_(const char *msgid, const char *plu, unsigned long n)
{
	return ngettext(msgid, plu, n);
}
"""


def shown(source: bytes, name: str, level: CompressionLevel) -> Skeleton:
    one = skeletons(source, Language.named(name)).at(level)
    assert one.level is level, one.unproven
    assert not one.unproven
    return one


LEVELS = [CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON]


@pytest.mark.parametrize("level", LEVELS)
def test_a_body_that_macros_make_unreadable_takes_nothing_else_of_its_class_with_it(level: CompressionLevel) -> None:
    one = shown(MACROS_FOR_STATEMENTS, "cpp", level)
    ((first, last),) = told(one, MACROS_FOR_STATEMENTS)
    lines = MACROS_FOR_STATEMENTS.decode().split("\n")
    assert "void run() {" in "\n".join(lines[first - 1 : last])
    assert "operator=" not in "\n".join(lines[first - 1 : last])
    for gone in ("this->fun = fun", "return true", "sum"):
        assert gone not in one.text
    paths = [definition.path for definition in one.definitions]
    assert "bench.Benchmark.operator=" in paths
    assert "bench.Benchmark.operator bool()" in paths


@pytest.mark.parametrize("level", LEVELS)
def test_calls_that_end_in_nothing_do_not_take_the_next_function_for_their_body(level: CompressionLevel) -> None:
    one = shown(CALLS_WITHOUT_SEMICOLONS, "c", level)
    assert [definition.name for definition in one.definitions][-2:] == ["read_paths", "join"]
    assert "fclose" not in one.text
    assert "const char *filename" not in one.text
    for name in (b"git_path_names", b"git_path_run", b"git_path_start"):
        assert f"static GIT_PATH_FUNC({name.decode()}, " in one.text
    assert told(one, CALLS_WITHOUT_SEMICOLONS)


@pytest.mark.parametrize("level", LEVELS)
def test_what_cannot_be_proven_costs_its_own_lines_and_not_the_file(level: CompressionLevel) -> None:
    one = shown(MEMBERS_OF_A_MACRO, "c", level)
    assert told(one, MEMBERS_OF_A_MACRO) == [(2, 8)]
    assert "made +=" not in one.text
    assert "unlock(stats)" not in one.text
    assert [(definition.kind, definition.name) for definition in one.definitions if definition.kind != "field"] == [
        ("type", "stats_t"),
        ("struct", "stats_s"),
        ("function", "stats_init"),
        ("function", "stats_add"),
    ]


@pytest.mark.parametrize("level", LEVELS)
def test_branches_that_each_open_a_block_hide_no_function(level: CompressionLevel) -> None:
    one = shown(TORN_BLOCKS, "c", level)
    assert [definition.name for definition in one.definitions] == ["first", "timeout", "timeout", "last"]
    assert all(one.line_numbers), "everything could be read"
    for gone in ("join(", "handle(", "return", "(void)status"):
        assert gone not in one.text
    assert "timeout(timer_t *timer, int status)" in one.text


def test_a_function_of_which_a_branch_holds_the_signature_alone_is_no_more_than_that() -> None:
    every = every_definition(TORN_BLOCKS, Language.named("c"))
    first, last = (TORN_BLOCKS[one.start : one.end].decode() for one in every if one.name == "timeout")
    assert first == "static void timeout(timer_t *timer, int status)"
    assert last.startswith("static void timeout(timer_t *timer) {")
    assert last.endswith("}")
    assert "handle(" in last


def test_conditions_that_tear_nothing_apart_are_read_as_they_are() -> None:
    conditions = Language.named("c").conditions
    assert conditions is not None
    whole = b'#ifdef A\nint f(void) { return 1; }\n#else\n#define OPEN "{"\nint f(void) { return 2; }\n#endif\n'
    assert untorn(whole, conditions) is whole
    linkage = b'#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\n#ifdef __cplusplus\n}\n#endif\n'
    assert untorn(linkage, conditions) == linkage.replace(b'extern "C" {', b" " * 12).replace(b"}", b" ")
    alone = linkage.partition(b"int")[0]
    assert untorn(alone, conditions) is alone
    torn = b"#if A\nif (a) {\n#elif B\nif (b) {\n#else\nif (c) {\n#endif\n}\n"
    assert untorn(torn, conditions) == b"     \nif (a) {\n      }\nif (b) {\n    }\nif (c) {\n      \n}\n"
    closing = b"#if A\n}\n#else\n; }\n#endif\n"
    assert untorn(closing, conditions) == b"     \n}\n    {\n; }\n      \n"
    alone = b"int a;\n#endif\nint b;\n#if C\nint c;\n"
    assert untorn(alone, conditions) == b"int a;\n      \nint b;\n     \nint c;\n"
    never_closed = b"#if A\n#if B\nf() {\n#else\ng() {\n#endif\n}\n"
    assert untorn(never_closed, conditions) == b"     \n     \nf() {\n    }\ng() {\n      \n}\n"


def test_two_conditions_that_open_and_close_one_block_are_blanked() -> None:
    conditions = Language.named("c").conditions
    assert conditions is not None
    halves = b"f() {\n#if A\n  if (a) {\n#endif\n  g();\n  #if A\n  }\n  #endif\n}\n"
    assert untorn(halves, conditions) == b"f() {\n     \n  if (a) {\n      \n  g();\n       \n  }\n        \n}\n"
    other = halves.replace(b"  #if A", b"  #if B")
    assert untorn(other, conditions) is other
    never_closed = b"f() {\n#if A\n  if (a) {\n#endif\n}\n"
    assert untorn(never_closed, conditions) is never_closed


@pytest.mark.parametrize("level", LEVELS)
def test_a_block_that_one_condition_opens_and_another_closes_leaves_no_line_of_its_body(
    level: CompressionLevel,
) -> None:
    one = shown(BLOCK_IN_TWO_CONDITIONS, "c", level)
    assert [definition.name for definition in one.definitions] == ["add", "only", "last"]
    assert not one.syntax_errors
    assert all(one.line_numbers), "everything could be read"
    for gone in ("copy", "finish", "address", "local", "result", "residue"):
        assert gone not in one.text


@pytest.mark.parametrize("level", LEVELS)
def test_a_macro_with_numbers_between_the_words_before_a_type_costs_no_name(level: CompressionLevel) -> None:
    one = shown(FORMAT_MACROS, "c", level)
    assert [definition.name for definition in one.definitions if definition.kind == "function"] == ["_", "Q_"]
    assert "static inline FORMAT_PRESERVING(1) const char *_(const char *msgid)" in one.text
    assert "const char *Q_(const char *msgid, const char *plu, unsigned long n)" in one.text
    assert "return" not in one.text


def test_conditions_in_comments_and_brackets_in_texts_are_none() -> None:
    conditions = Language.named("c").conditions
    assert conditions is not None
    told = b"#if A\nint a;\n/* as in\n#ifdef B\n   here */\n#else\nint b;\n#endif\n"
    assert untorn(told, conditions) == told
    quoted = b"#if A\nf(\"\\\"{\", '{', '\\'') /* { */; // {\n#else\ng();\n#endif\n"
    assert untorn(quoted, conditions) == quoted
    around = b"#if A\n" * 3 + b"f() {\n" + b"#else\ng() {\n#endif\n" * 3 + b"}\n"
    assert untorn(around, conditions).count(b"}") == 1 + 3  # for each of four blocks that are opened, one


@given(st.lists(st.sampled_from([b"#if A", b"#else", b"#endif", b"#elif B \\\n  C", b"f() {", b"}", b"// {", b"x;"])))
@settings(max_examples=200, deadline=None)
def test_blanked_conditions_leave_every_other_line_where_it_was(lines: list[bytes]) -> None:
    conditions = Language.named("c").conditions
    assert conditions is not None
    text = b"\n".join(lines)
    read = untorn(text, conditions)
    assert len(read) == len(text)
    assert [at for at, byte in enumerate(read) if byte == 10] == [at for at, byte in enumerate(text) if byte == 10]
    for before, after in zip(text.split(b"\n"), read.split(b"\n"), strict=True):
        if before in (b"f() {", b"}", b"// {", b"x;"):
            assert after == before


def test_cuts_begin_where_something_begins_and_end_where_it_is_closed() -> None:
    begins = re.compile(rb"^[ \t]*(?:struct|int|void) \w", re.MULTILINE)
    source = b"int a() {\n  bad(\n}\n\nint b() {\n}\nstruct S {\n  void c() {\n    bad(\n  }\n  void d();\n}\n"
    lines = Lines(source, tuple(match.span() for match in begins.finditer(source)))

    def text(at: bytes) -> bytes:
        start, end = lines.around(source.index(at))
        return source[start:end]

    assert text(b"bad(") == b"int a() {\n  bad(\n}\n"
    assert text(b"    bad(") == b"  void c() {\n    bad(\n  }\n"
    first = lines.around(source.index(b"bad("))
    start, end = lines.wider(first)
    assert source[start:end] == b"int a() {\n  bad(\n}\n\nint b() {\n}\n"
    assert lines.with_cut([first], first[0]) == ((start, end),)
    assert merged([(20, 24), (0, 20)], source) == ((0, 24),)
    assert without(b"int a;\nint b;\n", [(0, 7)]) == b"\f\f\f\f\f\f\nint b;\n"


@pytest.mark.parametrize(
    ("source", "language"),
    [
        (MACROS_FOR_STATEMENTS, "cpp"),
        (CALLS_WITHOUT_SEMICOLONS, "c"),
        (MEMBERS_OF_A_MACRO, "c"),
        (TORN_BLOCKS, "c"),
        (BLOCK_IN_TWO_CONDITIONS, "c"),
    ],
)
def test_the_definitions_of_a_file_are_the_same_whether_or_not_its_levels_are_asked_for(
    source: bytes, language: str
) -> None:
    made = skeletons(source, Language.named(language))
    assert made.full.definitions == definitions_of(source, Language.named(language))
    assert made.outline is not None
    zoomed = {one.path for one in every_definition(source, Language.named(language))}
    for one in made.outline.definitions:
        assert one.path in zoomed or any(start <= one.name_start < end for start, end in made.outline.cut)


def test_what_was_cut_out_can_be_zoomed(tmp_path: Path) -> None:
    (tmp_path / "bench.cpp").write_bytes(MACROS_FOR_STATEMENTS)
    (tmp_path / "git.c").write_bytes(CALLS_WITHOUT_SEMICOLONS)
    desk = Desk(tmp_path)
    assert desk.one("read_paths").text.startswith("static void read_paths(")
    assert "fclose(fp);" in desk.one("read_paths").text
    assert "return true;" in desk.one("Benchmark.operator bool()").text


def test_heads_that_share_a_block_are_declarations_but_for_the_last() -> None:
    conditions = Language.named("c").conditions
    assert conditions is not None
    heads = b"#if A\nint a(int b)\n#elif B\nint\nb(void) // so\n#else\nint c(void)\n#endif\n{\n}\n"
    assert untorn(heads, conditions) == (
        b"\f\f\f\f\f\nint a(int b);\f\f\f\f\f\f\f\nint\nb(void);// so\n\f\f\f\f\f\nint c(void)\n      \n{\n}\n"
    )
    for no_head in (b"  if (a)", b"x = (int (void))", b"int a(int b) __attribute__"):
        other = heads.replace(b"int a(int b)", no_head)
        assert untorn(other, conditions) is other
    assert b";" not in untorn(heads.replace(b"int a(int b)", b"else if (a)"), conditions)


NAMESPACED = b"""namespace shop {
SHOP_NAMESPACE_BEGIN

using ::shop::inner::Till;

static Till* noalias Open(const char* noalias name,
                          int n) {
  int a = n;
  use(a, name);
  return make(name);
}
static bool Check(Till* noalias till,
                  Till* noalias first) {
  int a = 1;
  use(a);
  return till == first;
}
static bool Match(Till* noalias till,
                  Till* noalias first) {
  int a = 1;
  use(a);
  return till == first;
}
void Till::Ring(int n) {
  if (n > 0) {
    ring(n);
    ring(n + 1);
  }
}
SHOP_NAMESPACE_END
}  // namespace shop
"""
"""A file whose skeletons are proven once the first lines are not read, so that all below these stands in no namespace."""


def test_what_stands_in_a_namespace_whose_first_line_is_cut_out_keeps_its_units() -> None:
    outline = definitions_of(NAMESPACED, Language.named("cpp"))
    skeleton = skeletons(NAMESPACED, Language.named("cpp")).skeleton
    assert {one.container for one in outline} == {"", "shop", "shop.Till"}
    assert {one.container for one in skeleton.definitions} == {"", "Till"}
    found = units_of(NAMESPACED, outline, skeleton)
    lines = skeleton.text.split("\n")
    shown = {
        outline[place].name: lines[found.units[unit].first : found.units[unit].last + 1]
        for place, unit in found.of.items()
    }
    assert shown["Ring"] == ["void Till::Ring(int n);"]
    assert shown["Open"] == ["static Till* noalias Open(const char* noalias name, int n);"]
    assert {"shop", "Check"} <= shown.keys()
