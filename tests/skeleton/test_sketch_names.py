"""Sketches hold the names of outlines and no others, in code that repositories of other people showed to be hard."""

from __future__ import annotations

import pytest

from skeleton.languages.queries import Language
from skeleton.outline.outlining import outline
from tests.skeleton.sketching import sketch, spans

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

ATTRIBUTES_OF_C = """typedef struct {
    int source;
} __attribute__((packed)) route_t;
struct __attribute__((packed, aligned(4))) held {
    int byte;
};
void __attribute__((weak)) app_init()
{
    __asm volatile ("dsb");
}
static void __attribute__((used)) mean(int *out);
__attribute__((section("x"))) int placed(void);
typedef void (__interrupt __far *pxISR)();
"""
"""Code of C for one compiler: attributes and words of it, where others would have names."""

HEADS_OF_C = """typedef int
(*callback)(void *clientp,
            int curlfd,
            socktype purpose);
typedef CURLcode writer(void *ctx,
                        const uint8_t *buf, size_t len,
                        size_t *written);
typedef unsigned long (WINAPI *tick)(void *at,
                                     int times,
                                     const char *why);
MAKES(static, insert,
      struct node *newnode,
      int after)
int last(
    int one,
    char *other);
"""
"""Types of functions in C, and calls of macros, over several lines: what is in brackets defines nothing."""

HEADS_OF_CPP = """namespace text {
int
chartorune(Rune *rune, const char *str)
{
    int c;
    return c;
}
EXPORTED
char Reader::next(int at)
{
    return text[at];
}
Rune
Reader::last(
    int at)
{
    return 1;
}
class Handler {
public:
    virtual void handle
        (   Info const& info,
            Expression const& expr,
            int reaction ) = 0;
};
}
"""
"""Heads of C++ whose type has a line of its own, and one whose name has."""

RECEIVERS = """private fun <T : Any> List<(T) -> Boolean>.flattened(): (T) -> Boolean {
    return { true }
}

internal fun Connection.State?.told(): Told.State? = when (this) {
    else -> null
}

fun List<A>.with(more: Map<C>.() -> Unit): List<B>.Inner = more()

fun <T : Closeable?, R> T.use(block: (T) -> R): R = block(this)

fun Map<String, (Int) -> Int>?.count() = 1
"""
"""Functions of Kotlin whose receivers are hard to read."""

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

ATTRIBUTES = """enum Kind {
    Std(u8),
    #[cfg(all(
        tokio_unstable,
        feature = "io-uring",
        target_os = "linux"
    ))]
    Ring(u8),
}
#[derive(Error)]
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

OF_ANY_ALPHABET = {
    "bash": "größe() {\n  :\n}\nfunction über {\n  :\n}\nlänge=1\n",
    "c": (
        "#define MAß 3\nstruct maß {\n  int länge, größe;\n  größe_t öl;\n};\nint größe(struct maß m)\n{\n}\n"
        "typedef struct strauß {\n  int a;\n} strauß_t, *übel_p;\nenum Art { GRÜN, ÖDE };\nint forêt(void)\n{\n}\n"
    ),
    "cpp": (
        "namespace übel {\nclass Maß : public Öl {\n  Maß() : größe{1} {}\n  int länge() const { return 1; }\n"
        "  int größe;\n};\ntemplate <typename T> class Öfen {\n};\n}\n"
    ),
    "csharp": (
        "namespace Übel;\n\npublic class Maß : Öl\n{\n    public int Größe { get; set; }\n    private int länge = 1;\n"
        "    public void Ändern(Größe ö)\n    {\n    }\n}\npublic enum Art\n{\n    Grün,\n    Öde\n}\n"
    ),
    "go": (
        "package a\n\nfunc Größe() int { return 1 }\n\ntype Maß struct {\n\tlänge int\n\tÜber  int\n}\n\n"
        "func (m *Maß) Messung() {}\n\nconst π = 3\n"
    ),
    "java": (
        "public class Prüfung {\n    Größe länge;\n    void prüfe(Größe ö) {\n    }\n    Prüfung() {\n    }\n"
        "    int forêt() {\n        return 1;\n    }\n}\n"
    ),
    "javascript": (
        "export function café() {}\nclass Straße {\n  maß() {\n  }\n  élan() {\n  }\n}\nconst naïf = () => 1\n"
        "Straße.prototype.über = function () {}\n"
    ),
    "kotlin": (
        "class Maß(val länge: Int) : Öl() {\n    val größe = 1\n    fun ändern(ö: Int): Int {\n        return 1\n    }\n}\n"
        "fun String.süß(): String = this\nobject Übel\n"
    ),
    "php": (
        "<?php\nclass Übel {\n    const MAß = 1;\n    public $größe = 1;\n    public function ändern(Größe $ö) {\n    }\n}\n"
    ),
    "python": (
        "class Übersicht:\n    größe: int = 1\n\n    def länge(self):\n        pass\n\n\ndef naïve_bayes(x):\n    pass\n\n\n"
        "def 你好():\n    pass\n\n\nMAß = 3\n"
    ),
    "ruby": "class Maß < Öl\n  Größe = 2\n  def ändern(ö)\n    1\n  end\n  def self.über\n    1\n  end\nend\n",
    "rust": (
        "pub struct Maß {\n    pub länge: u32,\n}\nimpl Maß {\n    fn été(&self) {}\n}\nconst MAß: u32 = 1;\n"
        "mod übel {\n    fn naïf() {}\n}\n"
    ),
    "scala": "class Maß(val länge: Int) extends Öl {\n  def ändern(ö: Int): Int = {\n    1\n  }\n}\nobject Übel {\n  val a, ö = 1\n}\n",
    "swift": (
        "class Maß: Öl {\n    var größe = 1\n    func ändern(ö: Int) -> Int {\n        return 1\n    }\n}\n"
        "enum Art {\n    case öde\n}\n"
    ),
    "typescript": (
        "export class Straße extends Öl {\n  größe = 1\n  maß(ö: string): void {\n  }\n}\n"
        "export interface Ärger {\n  übel: string\n}\nexport type Größe = number\nfunction forêt() {}\n"
    ),
}
"""Names with letters beyond ASCII at their beginnings, inside and at their ends, and behind words that mean something."""


def test_what_macros_declare_in_c_has_its_own_name() -> None:
    found = outline(DECLARED_BY_MACROS.encode(), Language.named("c")).definitions
    assert [one.name for one in found if one.kind in {"type", "function"}] == [
        *("open_file", "each_entry", "break_t", "mark_t", "mark_p"),
        *("cJSON_Get", "yaml_parser_initialize", "run", "log_it"),
    ]


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("c", DECLARED_BY_MACROS),
        ("c", HEADS_OF_C),
        ("c", ATTRIBUTES_OF_C),
        ("kotlin", RECEIVERS),
        ("javascript", LITERALS),
        ("rust", ATTRIBUTES),
        *OF_ANY_ALPHABET.items(),
    ],
)
def test_a_sketch_holds_the_names_of_the_outline_and_no_others(language: str, source: str) -> None:
    real = outline(source.encode(), Language.named(language)).definitions
    assert sorted((one.path, one.kind) for one in sketch(source.encode(), language)) == sorted(
        (one.path, one.kind) for one in real
    )


def test_heads_of_cpp_over_several_lines_are_found_and_their_parameters_are_nothing() -> None:
    assert [one.path for one in sketch(HEADS_OF_CPP.encode(), "cpp")] == [
        *("text", "text.chartorune", "text.Reader.next", "text.Reader.last", "text.Handler"),
    ]


def test_heads_under_a_condition_that_share_a_block_are_all_found() -> None:
    source = "#ifdef A\nint first(int a)\n#elif B\nint\nsecond(void)\n#else\nint third(\n#if C\n  int c\n#else\n  int d\n#endif\n)\n#endif\n{\n}\n"
    for language in ("c", "cpp"):
        found = spans(language, source)
        assert found["first"] == "int first(int a)", language
        assert found["third"] == source[source.index("int third") :].rstrip(), language
    assert spans("c", source)["second"] == "int\nsecond(void)"


def test_bodies_of_members_of_templates_of_cpp_hold_no_definitions() -> None:
    text = (
        "template <typename T>\nOne<T>::Two::Two(int a)\n    : a_(a) {\n  const double b = 1;\n}\n"
        "template <>\nOne& One::operator<< <const char*>(\n    const char* const& v) {\n  Copy(\n      three(v));\n}\n"
        "template <typename U, std::enable_if_t<\n                          four<\n"
        "                              false, U, false>::value,\n                          int> = 0>\nint five();\n"
    )
    assert [one.path for one in sketch(text.encode(), "cpp")] == ["One.Two", "One.operator<<", "five"]


def test_a_class_of_cpp_is_found_behind_macros_and_attributes_in_either_order() -> None:
    text = (
        "class YARD_API_ [[nodiscard]] Dock {\n};\nclass [[nodiscard]] YARD_API_ Pier {\n};\nPOD_CLASS berth {\n};\n"
        "DEFINE_CLASS(crane) {\n}\n"
    )
    found = sketch(text.encode(), "cpp")
    assert [(one.kind, one.name) for one in found if one.kind != "function"] == [
        ("class", "Dock"),
        ("class", "Pier"),
        ("struct", "berth"),
    ]


_TYPES_IN_HEADS = """\
export async function listed(
  settings?: Merged,
): Promise<{
  servers: Record<string, Config>;
  blocked: string[];
}> {
  const manager = new Manager();
  return manager;
}

export function useTable<T extends { id: string }>({
  data,
}: Props<T>): Response<T> {
  const [total, setTotal] = useState<number>();
}

export const Provider: React.FC<{ children: React.ReactNode }> = ({
  children,
}) => {
  const [ids, setIds] = useState(new Set<string>());
};

class Bus {
  private toCleanup = new WeakMap<
    object,
    Map<string, () => void>
  >();
  private next<
    M extends Fake['method'],
    R = Extract<Fake, { method: M }>['response'],
  >(method: M, request: unknown): R {
    return 1;
  }
  public static made = <
    T extends Exclude<Element, Selection>,
  >(
    element: T,
    config: { theme: string } | null,
  ) => {
    if (element) {
      return 1;
    }
  };
  snapshots(): {
    rss: number;
  }[] {
    const found: Record<
      string,
      { at: number }
    > = {};

    for (const log of logs) {
      read(log);
    }
  }
  last() {}
}

export interface Options<
  Data = unknown,
>
  extends
    Config<{
      style: Style;
    }>,
    Pick<
      Other<Data>,
      | 'one'
      | 'two'
    > {
  three: string;
}

class Boundary extends Component<
  { children: ReactNode; onError: (error: Error) => void },
  { hasError: boolean }
> {
  componentDidCatch(error: Error) {}
}

export const exportCommand: Command = {
  name: 'export',
  action: async (
    context: Context,
  ): Promise<Result | void> => {
    const { ui } = context;
  },
};
"""


@pytest.mark.parametrize("language", ["typescript", "tsx"])
def test_types_in_a_head_end_nothing(language: str) -> None:
    source = _TYPES_IN_HEADS.encode()
    real = outline(source, Language.named(language)).definitions
    assert [(one.path, one.start, one.end) for one in sketch(source, language)] == [
        (one.path, one.start, one.end) for one in real
    ]


def test_a_type_in_capitals_above_the_name_of_a_function_is_no_macro() -> None:
    source = "static VALUE id;\n\nVALUE\nmade(int argc, VALUE *argv) {\n    int local = 1;\n    return local;\n}\nLIB_API\nstruct node;\n"
    assert [one.path for one in sketch(source.encode(), "cpp") if one.kind == "function"] == ["made"]


def test_quotes_in_what_a_command_puts_into_a_text_end_nothing() -> None:
    source = """latest() {
  tag="$(
    curl "$url/${REPO}" | awk -F'"' '/"tag":/ { print $4; exit }'
  )"
}
other() {
  echo "a $(b "c" (d)) e"
}
"""
    assert [one.path for one in sketch(source.encode(), "bash")] == ["latest", "other"]


def test_a_subscript_of_swift_is_a_method() -> None:
    source = """struct Ring {
    @inlinable
    public subscript(bounds: Range<Index>) -> SubSequence {
        get {
            var ring = self
            return ring
        }
    }
    static subscript<T>(key: T) -> Int { 1 }
}
"""
    real = outline(source.encode(), Language.named("swift")).definitions
    assert [(one.path, one.start, one.end) for one in sketch(source.encode(), "swift")] == [
        (one.path, one.start, one.end) for one in real
    ]
