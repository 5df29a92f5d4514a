"""Sketches hold the names of outlines and no others, in code that repositories of other people showed to be hard."""

from __future__ import annotations

import pytest

from skeleton.languages.queries import Language
from skeleton.outline.members import outline
from tests.skeleton.sketching import sketch

DECLARED_BY_MACROS = """typedef voidpf (ZCALLBACK *open_file) (voidpf opaque, const char* filename, int mode);
typedef int GIT_CALLBACK(each_entry)(const char *name, void *payload);
typedef enum break_e {
    /** Old. */
    CR_BREAK,
    LN_BREAK
} break_t;
typedef struct mark_s {
    int line;
} mark_t, *mark_p;
typedef struct same {
    int line;
} same;
enum kind { FIRST, SECOND };
typedef struct CRYPTO_ALIGN(16) state {
    unsigned char opaque[256];
} state;
struct hooks {
    void *(CJSON_CDECL *allocate)(size_t size);
    TAILQ_ENTRY(item) entry;
};
CJSON_PUBLIC(char *) cJSON_Get(const cJSON * const item)
{
    return CJSON_NEXT(item) get(item);
}
YAML_DECLARE(int)
yaml_parser_initialize(yaml_parser_t *parser);
static MY_API(void) run(void);
void printflike(2, 3)
log_it(int level, const char *format, ...)
{
    int printed = max(2, 3);
}
CTL_PROTO(first)
CTL_PROTO(second)
"""
"""Definitions of C that macros declare, and types that have two names."""

LITERALS = """const proto = module.exports = {
  /**
   * The header.
   *
   * Of the request.
   *
   * @api public
   */

  get header () {
    return this.headers
  },

  inspect () {
    return items
      ? ` (${items.map((i) => `[#${i}](https://example.org/${i})`).join(', ')})`
      : ''
  }
}
const text = `
function no () {}
${a ? `class No { ${b} }` : {}}
`
function after () {}
"""
"""Code of JavaScript with a long comment before the first member, and templates in templates."""

ATTRIBUTES = """#[derive(Error)]
pub enum Wrong {
    #[error(
        "unregistered `{name}`. \\
        use `#[derive(Reflect)]` \\
        and `register::<T>()`"
    )]
    Unregistered,
    #[error("other")]
    Other,
}
const TEXT: &str = "
struct No;
";
fn after() {}
"""
"""Code of Rust with an attribute of several lines, in whose text another one ends."""


def test_what_macros_declare_in_c_has_its_own_name() -> None:
    found = outline(DECLARED_BY_MACROS.encode(), Language.named("c")).definitions
    assert [one.name for one in found if one.kind in {"type", "function"}] == [
        *("open_file", "each_entry", "break_t", "mark_t", "mark_p"),
        *("cJSON_Get", "yaml_parser_initialize", "run", "log_it"),
    ]


@pytest.mark.parametrize(
    ("language", "source"), [("c", DECLARED_BY_MACROS), ("javascript", LITERALS), ("rust", ATTRIBUTES)]
)
def test_a_sketch_holds_the_names_of_the_outline_and_no_others(language: str, source: str) -> None:
    real = outline(source.encode(), Language.named(language)).definitions
    assert sorted((one.path, one.kind) for one in sketch(source.encode(), language)) == sorted(
        (one.path, one.kind) for one in real
    )
