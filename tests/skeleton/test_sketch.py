from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from skeleton.index.records import OF_SKETCH, Aspect
from skeleton.index.worker import Batch, Task, perform
from skeleton.languages.headers import QueryFileError, language_names, read_header
from skeleton.languages.queries import Language
from skeleton.languages.sketches import TOP, patterns_of, sketch_patterns
from skeleton.outline.members import outline
from skeleton.outline.sketch import sketch_of
from tests.skeleton.corpus import read_cases
from workspace.cancellation import CallCancelledError, CancelToken, cancellable

if TYPE_CHECKING:
    from skeleton.outline.definitions import Definition

SKETCHED = tuple(name for name in language_names() if sketch_patterns(name) is not None)

IN_ANOTHER_PROCESS = """
import sys
from skeleton.index.records import OF_SKETCH
from skeleton.index.worker import Batch, Task, perform
perform(Batch("o200k_base", (Task(sys.argv[1], b"text", None, tuple(map(int, OF_SKETCH))),)))
print("tree_sitter" in sys.modules)
"""

LEAST_FOUND = {
    "bash": 0.6,
    "c": 0.7,
    "cpp": 0.8,
    "csharp": 0.8,
    "java": 0.8,
    "javascript": 0.6,
    "php": 0.85,
    "rust": 0.65,
    "swift": 0.8,
    "typescript": 0.7,
}
"""The share of the definitions of a corpus, which is made of what is hard to read, that a sketch finds; 0.9 of others."""

SOURCES = {
    "c": b"""#include <stdio.h>
#define LIMIT 10 /* at most */
#define TWICE(x) \\
    ((x) + (x))

/* A point. */
typedef struct point {
    int x, y;
    void (*moved)(struct point *p);
} point;

typedef struct { char *name; } named;

enum color { RED, /* { */
    GREEN
};

static const char *words[] = {
    "}", "{",
};

/* Adds. */
int add(int a,
        int b)
{
    if (a) { return b; }
    return a + b;
}
""",
    "csharp": b"""using System;
[assembly: Named("}")]

namespace A.B
{
    /// <summary>A { shape.</summary>
    [Serializable]
    [Named(
        "shape")]
    public partial class Shape<T> : Base, INamed
        where T : class, new()
    {
        public const int Sides = 4; // class Hidden {
        private static readonly Dictionary<string, int> Map = new()
        {
            { "}", '{' },
        };
        private int x, y;
        private readonly string text = @"
            int Hidden() { ""}"" }
            ";

#region It's {
        [NonSerialized] protected internal event EventHandler<Args>? Changed;

        public int Count { get; private set; } = 3;
        public int this[int at]
        {
            get { return at; }
        }
#endregion

#if DEBUG
        /* int hidden; */
        public Shape(int sides)
            : base(sides, "{")
        {
        }
#endif

        ~Shape() { }

        public static bool operator ==(Shape<T> a, Shape<T> b) { return true; }
        public static implicit operator List<int>(Shape<T> a) { return null; }

        // aside
        [Pure]
        async Task<(int, U[])> INamed.Draw<[Kept(Members.All)] U>(
            U at,
            string name = "class Hidden")
        {
            int Local() { return 1; }
            return (Local(), new[] { at });
        }

        delegate void Moved<in U>(U by);

        enum Kind { ROUND, FLAT }

        [Flags]
        enum Side : byte
        {
            None = 0,
            /// <summary>Left.</summary>
            [Named("left")] Left = 1 << 0,
            Right
        }
    }

    public readonly record struct Point(int X, int Y);

    interface INamed
    {
        string Name { get; }
        void Rename(string name);
    }
}
""",
    "elixir": b"""defmodule Geometry.Shape do
  @moduledoc ~S\"\"\"
  Shapes (of lines.

      def hidden(x), do: "
  \"\"\"
  use Geometry, only: [:area]

  @typedoc "What has sides."
  @type t :: %__MODULE__{
          sides: integer
        }
  @limits [
    {1, "end"}
  ]
  @pattern ~r/["'](\\/|#)/
  defstruct sides: 4

  @doc \"\"\"
  Adds "sides.
  \"\"\"
  @spec add(t, integer) :: t
        when t: term
  @impl true
  def add(shape, by \\\\ 1)

  def add(%{sides: sides} = shape, by)
      when is_integer(by) and
             by > 0 do
    Enum.each([1], fn _ -> "#{inspect("end")} do" end)
    %{shape | sides: sides + by}
  rescue
    _ -> shape
  end # of add

  def add(shape, _), do: shape # as it was
  defp quote?(?"), do: true

  def left <~> right, do: {left, right}

  defmacro block(name, do: block) do
    quote do
      def inner(unquote(name)), do: unquote(block)
    end
  end

  defguard is_side(a)
           when is_integer(a)

  defdelegate size(shape), to: Enum, as: :count
  @callback draw(t) ::
              :ok
              | {:error, term}

  for name <- [:round, :flat] do
    def unquote(name)(), do: unquote(name)
  end

  defimpl Inspect, for: [Shape, List] do
    def inspect(_, _), do: "}"
  end

  defmodule Nested do
    def last,
      do: 1
  end
end

defmodule Geometry.ShapeTest do
  setup %{conn: conn} do
    :ok
  end

  describe "add/2 (with \\"do\\")" do
    @tag :slow
    test "adds", %{
      conn: conn
    } do
      assert conn
    end

    test "is not written"
  end

  scope "/", Web, as: :web do
    get "/", Page, :index
  end
end
""",
    "dart": rb"""library shapes;

import 'a.dart'
    if (dart.library.io) 'b.dart'
    show Named, // }
        Other;
part 'shape.g.dart';

enum Kind { round, flat }

enum Planet implements Comparable<Planet> {
  /// The first {.
  mercury('}', mass: 1),
  @deprecated
  venus(
    '{',
    mass: 2,
  );

  const Planet(this.text, {required this.mass});
  final String text;
  final int mass;
}

/// A shape { of lines.
@immutable
@JsonSerializable(
  explicit: true,
)
abstract class Shape<T extends Object> extends Base<T>
    with Counted
    implements Named {
  /* int hidden; */
  static const int most = 100;
  static final rules = {
    'twice': 2,
  };
  final String owner, other;
  late final Map<String, List<int>>? counts = read(() {
    return {'a': [1]};
  })?.first;
  @JsonKey(
    name: 'done',
  )
  final void Function(int a, {String? b})? done;
  final void Function({
    required int times,
  }) again;
  final (int, String) pair;
  final closure = () {
    return 1;
  }();

  const Shape(
    this.owner, {
    this.done,
  })  : assert(owner != '{'),
        pair = (1, ''),
        super();
  Shape.empty() : counts = {} {
    draw();
  }
  const factory Shape.plain() = Plain<int>;
  factory Shape.of(Map<String, dynamic> json) => _$ShapeFromJson(json);

  @override
  String toString() => 'it\'s {$owner} ${json['}']} ${list.map((e) => '{$e').join("'")}';
  Map<String, int> toJson() => <String, int>{
        'a': 1,
      };
  Future<Map<String, List<T>>> run<A extends Map<A, T>>(
    A argument, {
    void Function(int)? done,
  }) async {
    void local() {}
    return r'\';
  }
  Stream<int> counted() async* {
    yield 1;
  }
  Future<
    Either<int, T>
  >
  either(int a) async => 1;
  T next(int step);
  bool operator ==(Object other) => other is Shape;
  void operator []=(int index, int value) {}
  int get length => 1;
  set length(int value) {
    count = value;
  }
  external int get native;
  untyped(a) {
  }
}

class Alias = Base with Counted;

base mixin Counted on Base {
  void count() {}
}

extension Words on String {
  bool get isWord => isEmpty;
}

extension on int? {
  int get twice => 2;
}

extension type const Id._(int value) implements int {
  Id.zero() : this._(0);
}

typedef Visitor<T> = void Function(T value, {int depth});
typedef int Old(int a);

const text = '''
class Hidden {
''';
var depth = 1;

void main(List<String> arguments) async {
  void local() {}
}

plain() => 1;
int get tight{
  return 1;
}
Future<void> close() async{
  await last();
}
external void last();
""",
    "go": b"""package a

// Limits.
const (
	Least = 1
	Most  = 2 // }
)

type Server struct {
	Name, Host string
	sync.Mutex
}

type Handler interface {
	Serve(w Writer) error
}

// Run runs.
func (s *Server) Run() error {
	if s == nil { // {
		return nil
	}
	return fmt.Errorf("} %s", s.Name)
}
""",
    "java": b"""package a;

/** A { shape. */
@Deprecated
public class Shape<T> implements Named {
    private static final int SIDES = 4;
    private final String text = "}";

    public Shape(int sides) {
        this(sides, "{");
    }

    /* int hidden; */
    @Override
    public String name() {
        return text;
    }

    enum Kind { ROUND, FLAT }
}
""",
    "kotlin": b"""package a

class Shape(val sides: Int) : Named {
    val text = \"\"\"
        fun hidden() {}
    \"\"\"

    override fun name(): String =
        "}"

    companion object {
        fun of(sides: Int) = Shape(sides)
    }
}
""",
    "php": b"""<p>It's</p>
class Hidden {
<?php

namespace App\\Shapes;

define('SIDES', 4);

/** A { shape. */
#[Entity(
    table: 'shapes',
)]
final class Shape extends Base implements Named
{
    use Loggable, Sortable {
        Loggable::sort insteadof Sortable;
    }

    public const int MOST = 3; # }
    private const A = 1, B = 2;
    private array $names = ['}'], $others;
    protected static ?self $one = null;

    public function __construct(
        private readonly string $text = '{',
    ) {
        parent::__construct(fn () => $text);
    }

    // aside
    #[Pure]
    public function &name(array $of = ['a' => 1]): string
    {
        // function hidden() {
        return <<<TEXT
            function hidden() { "
            TEXT;
    }

    abstract protected function last(): void;

    public function short(): int{
        return "class Hidden { $this->text";
    }

    public string $full {
        get => $this->text . '}';
        set { $this->names = max($a, $b); }
    }
}

enum Suit: string
{
    /** Red. */
    case Hearts = 'H';
    #[Black] case Spades = 'S';

    public static function random(): self { return self::Hearts; }
}

$shape = new class (4) extends Base {
    public function area() { return 1; }
};

$each = static function (array $list) use ($shape): int {
    function hidden() {}
    return 1;
};

if (! function_exists('helper')) {
    /** Helps. */
    function helper() { ?>
        <p>It's {</p>
    <?php }
}

foreach ($list as $one)
{
    function hidden() {}
}

$app->get('/', function () {
    $hidden = function () {};
});
?>
function hidden() {}
""",
    "lua": b"""--[[ Not
function hidden() end
]]
local class = require "class"
local M, private = {}, {}
local LIMIT <const> = 10 -- it's at most {
local text = [==[
]] local hidden = 1
]==]

--- Doc.
-- @tparam table options
function M.load(options, -- "
    ...)
    local function inner() end
    for _, one in ipairs(options) do
        M.last = function() return one end
    end
end

--[[
Docs of

two paragraphs.
]]
function M.inner.deep:method(name) if name then return "end" end end

M.table = {
  called = function() end,
  "}", '{',
}
M.assigned = function(a)
  goto done
::done::
end -- assigned
global = M.LIMIT
  or 3

describe("what is local to a call", function()
  local function hidden() end
end, function()
  local function hidden() end
end)

if jit then
	local function fast() return 1 end
	M["quoted"] = function()
		local function hidden() end
	end
else
	M.slow = function()
		return 2
	end
end

local ok = pcall(function()
  local function hidden() end
end)
return setmetatable(M, { __index = function() end })
""",
    "python": b'''"""Not
def hidden(): ...
"""

LIMIT = 10

@decorated(
    1,
)
class Shape(Base):
    """Holds '\\'\\'\\'."""

    sides: int = 4

    # about the name
    async def name(self, of: str = "def x():") -> str:
        def local(): ...
        return of


def last():
    pass
''',
    "ruby": b"""# frozen_string_literal: true

=begin
def hidden; end
=end

module Drawing
  LIMIT = { "}" => 1, most: [1, 2] }.freeze # {
  TEXT = <<~TEXT.strip
def hidden
    end
  TEXT
  ROUND = lambda do |shape|
    shape.sides.zero?
  end
  KIND = if LIMIT.empty?
    1
  else
    2
  end

  Point = Struct.new(:x, :y) do
    def zero? = x.zero? && y.zero?
  end
  NoShape = Class.new(StandardError)
  class Missing < NoShape; end

  # A shape
  # of lines.
  class Shape < Base::Named
    attr_reader :sides, # how many
                :text
    attr_writer(
      :text
    )

    class << self
      def of(sides:, text: "class Hidden (") # made
        new(sides, text)
      end
    end

    def initialize(sides,
                   text)
      @sides = sides
      local = Class.new do
        def hidden; end
      end
    rescue NoShape => error
      raise "#{error["of"]} # (" unless text =~ /["'(]/
    ensure
      close
    end

    def text=(text)
      @text = text
    end

    def ==(other) sides == other.sides end
    def close; end # at once
    alias_method :eql?, :==
    alias shut close

    define_method(:area) { |of| of * 2 }

  private

    # Not for others.
    def self.default
      case LIMIT
      when 1 then 2
      end
    end

    memoize def name
      "shape"
    end
  end

  if LIMIT.empty?
    def self.limit; end
  end
end

def Drawing.last
end

RSpec.describe Drawing::Shape, "of lines" do
  let(:shape) { described_class.new }

  it "has sides, and 'text' (of it)" do
    expect(shape.sides).to eq 4
  end

  context "when it is \\"round\\"",
          :slow do
    it("has none") { expect(shape).to be_round }
    it "will have a name"
  end
end

namespace :shapes do
  task :draw, [:of] => :environment do |_, given|
    given
  end
  task none: []
end

shape = Class.new do
  def hidden; end
end

if __FILE__ == $0
  def hidden; end
end
__END__
def hidden; end
""",
    "rust": b"""/// A shape { of lines.
#[derive(Debug)]
pub struct Shape<'a> {
    #[cfg(any(
        feature = "text",
    ))]
    pub text: &'a str,
}

impl<'a> Shape<'a> {
    pub const fn sides(&self) -> usize where Self: Sized {
        let brace = '{';
        r#"fn hidden() {}"#.len()
    }
}

/* fn hidden() {} */

mod inner {
    pub enum Kind { Round }
    pub fn f() -> u8 { 1 }
}
""",
    "scala": b'''package a

import a.evidence.===

/** A { shape. */
@deprecated(
  "old (",
  "1"
)
sealed abstract class Shape[F[_], +A](
  val sides: Int = 4
)(implicit F: Monad[F])
    extends Named
    with Drawn { self: Logged =>
  private[this] val text: String = s"} ${words("{")} {"
  val (_, least, most) = (1, 2, 3)
  val brace = '{'

  /* def hidden = 1 /* def nested = 2 */
  def after = 3 */
  def this(text: String) = this(text.length)

  /** Draws. */
  @inline final def draw[B](at: B)(implicit ord: Ord[B]): F[Unit] = {
    def local = 1
    F.unit
  }
  def print() { println(text) }
  def refined: Eq[A] { type Out = Int } =
    new Eq[A] {
      def eqv = true
    }

  {
    val block = 1
  }
  test("draws") {
    val inner = 2
  }
  type Rule = A => Boolean
  def `type`: Int
  def sides_=(to: Int): Unit = ()
  def ===(other: A): Boolean
}

object Shape {
  val Known = """
    def hidden = 1
  """
  implicit val eq: Eq[Shape] = new Eq[Shape] {
    def eqv = false
  }
  case object Round extends Shape
}

package object all {
  final val Most = 3
}
''',
    "typescript": b"""export interface Named { name: string }

/** A shape. */
export class Shape extends Base implements Named {
  private sides = 4;

  constructor(readonly text: string) {
    super(`class Hidden {`);
  }

  async draw(at: { x: number }): Promise<void> {
    if (at) { return; } // }
  }
}

export const area = (shape: Shape): number => {
  return shape.sides;
};
""",
}


def spans(language: str, text: str) -> dict[str, str]:
    """The text of each definition, by its qualified name."""
    return {one.path: text[one.start : one.end] for one in sketch(text.encode(), language)}


def beginning(language: str) -> bytes:
    """The line that code of a language begins with, if it does not begin with its file."""
    patterns = sketch_patterns(language)
    return patterns.code + b"\n" if patterns is not None and patterns.code else b""


def sketch(source: bytes, language: str) -> tuple[Definition, ...]:
    patterns = sketch_patterns(language)
    assert patterns is not None
    return sketch_of(source, patterns)


@pytest.mark.parametrize("language", sorted(SOURCES))
def test_a_sketch_of_code_as_it_is_written_holds_the_definitions_of_its_outline(language: str) -> None:
    source = SOURCES[language]
    real = {one.name_start: one for one in outline(source, Language.named(language)).definitions}
    found = {one.name_start: one for one in sketch(source, language)}
    missing = {real[start].path for start in real.keys() - found.keys()}
    assert missing <= {
        "Shape.Kind.ROUND",
        "Shape.Kind.FLAT",
        "A.B.Shape.Kind.ROUND",
        "A.B.Shape.Kind.FLAT",
        "color.RED",
        "inner.Kind.Round",
        "Named.name",
        "named.name",
    }
    assert not {found[start].path for start in found.keys() - real.keys()}
    for start in found.keys() & real.keys():
        assert found[start].end == real[start].end, real[start].path
        assert found[start].container == real[start].container
        assert found[start].start == real[start].start, real[start].path


@pytest.mark.parametrize("language", SKETCHED)
def test_a_sketch_finds_most_of_what_is_hard_to_read(language: str) -> None:
    found = real = 0
    for case in read_cases(language):
        source = case.source.encode()
        names = {one.name_start for one in outline(source, Language.named(case.language)).definitions}
        real += len(names)
        found += len(names & {one.name_start for one in sketch(source, language)})
    assert found >= LEAST_FOUND.get(language, 0.9) * real


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("python", "a = '''\nb = 1\n\"\"\"\n'''\nc = 2\n", ["a", "c"]),
        ("python", "a = \"'''\"  # '''\nb = 1\n# it's '''\nc = 2\n", ["a", "b", "c"]),
        ("python", "a = 1\nx('''\nb = 2\n", ["a", "b"]),
        ("python", "if __name__ == '__main__':\n    def f(): ...\nif x:\n    def g(): ...\n", ["g"]),
        ("elixir", '@a """\n@b 1\n"""\n@c ~S(\n@d "\n)\n@e "\n@f 1"\n@g 1\n', ["a", "c", "e", "g"]),
        ("elixir", "@a 'it\\'s'\n@b [?', ?\", ?(]\n# it's @c \"\n@d ~s|\"|\n@e ~w(x y)\n", ["a", "b", "d", "e"]),
        ("elixir", '@a ~s(#{f("(")} ")\n@b ~r/\\/"/\n@c "#{d("e")} #"\n@f 1\n', ["a", "b", "c", "f"]),
        ("elixir", "@a\n|> f()\n@b == 1\n@doc false\n@spec c(d) :: e\n@f -1\n", ["f"]),
        ("kotlin", 'val a = """\nval b = 1\n"""\n/*\nval c = 1\n*/\nval d = 1 // "\nval e = 2\n', ["a", "d", "e"]),
        ("java", 'class A { // /*\n  String a = "/*";\n  int b;\n  /* int c; */\n}\n', ["A", "A.a", "A.b"]),
        ("csharp", 'string a() {\n}\nvar b = @"c:\\";\nvar c = @"\nclass D { ""\n";\nclass E { }\n', ["a", "E"]),
        ("csharp", 'var a = $@"{b} ""\nclass C {";\nvar d = \'"\';\nclass E { }\n', ["E"]),
        ("csharp", 'var a = """\n  class B { "c"\n  """;\nvar d = "";\nclass E { }\n', ["E"]),
        ("csharp", "class A\n{\n    // int b;\n#region don't {\n    int c;\n#endregion\n}\n", ["A", "A.c"]),
        ("csharp", "if (a)\n{\n    void B() { }\n}\nc.D(() =>\n{\n    void E() { }\n});\nvoid F() { }\n", ["F"]),
        (
            "scala",
            'val a = """\nval b = 1\n""""\n/* /* */\nval c = 1\n*/\nval d = s"${x("\\"")}" // "\nval e = 2\n',
            ["a", "d", "e"],
        ),
        (
            "scala",
            "test(x) {\n  val a = 1\n}\nif x then\n  val b = 2\nelse\n  val c = 3\ndef d = '\"'\nval e = 1\n",
            ["d", "e"],
        ),
        ("php", "class A {}\n<?php\nclass B {}\n?>\nclass C {}\n<?php\nclass D {}\n?>\nclass E {\n", ["B", "D"]),
        ("php", "class A {}\n", []),
        ("php", "<?php // it's ?>\n<p>it's\nclass A {}\n<?php\nclass B {} # it's\nclass C {}\n", ["B", "C"]),
        ("php", "<?php\n$a = 'it\\'s\nclass A {}\n';\n$b = \"\nfunction b() {}\n\";\nfunction c() {}\n", ["c"]),
        ("php", "<?php\nf(<<<'X'\n  class A {}\n  '\n  X, 1);\nfunction a() {}\n", ["a"]),
        ("php", '<?php\nf(<<<X\r\nclass A {}\r\n"\r\nX);\r\nfunction a() {}\r\n', ["a"]),
        ("php", "<?php\nnamespace A {\n  class B {}\n}\nnamespace {\n  define('C', 1);\n}\n", ["A", "A.B", "C"]),
        (
            "php",
            "<?php\nclass A {\n  var $b = [',', $c], $d;\n  const E = 'F = 1', G = 2;\n}\n",
            ["A", "A.b", "A.d", "A.E", "A.G"],
        ),
        (
            "dart",
            "var a = '${b ? '{' : \"'\"}';\nvar c = r'\\';\nvar d = '''\nvar e;\n''';\nvar f;\n",
            ["a", "c", "d", "f"],
        ),
        (
            "dart",
            "class A {\n  // var b;\n  /* var c;\n  var d; */\n  var e = '//';\n  f() => '/*';\n}\n",
            ["A", "A.e", "A.f"],
        ),
        (
            "dart",
            "import 'a.dart'\n    show\n  A;\nb() {\n  var c;\n  d() {}\n}\nint e() => f(\n  g(1),\n);\n",
            ["b", "e"],
        ),
        ("javascript", "const a = `\nconst b = 1;\n`;\nconst c = /[`]/;\nconst d = 1;\n", ["a", "c", "d"]),
        ("lua", "a = '--[['\nb = [[\nc = 1\n]] .. ']]'\nd = 2 --[==[\ne = 3 ]]\n]==]\nf = 4\n", ["a", "b", "d", "f"]),
        ("lua", "a = 1\nf([[\nb = 2\n--[[\nc = 3\n", ["a", "b", "c"]),
        ("lua", "a = '\\'--[['\n---[[ a line\nb = 1 -- ]]\nt[u[1]] = 2\nc = 3\n", ["a", "b", "c"]),
        ("lua", "f(function(a) g()\n  function h() end\nend)\nf(\n  1, 2)\nfunction i() end\n(g)(\n)\n", ["i"]),
        ("lua", "for a in b do\n  function c() end\nend\nreturn {\n  d = function() end,\n}\n", []),
        ("javascript", "describe('x', () => {\n  const a = 1;\n});\nif (x) {\n  var b = 2;\n}\n", ["b"]),
        ("ruby", "A = [<<~X, 1]\n  B = 1\n  X\nC = 2\n", ["A", "C"]),
        ("ruby", "A = <<-'X'.b # \"\nB = 1\n  XY\n  X\nC = 2\n", ["A", "C"]),
        ("ruby", "A = <<~X\nB = 1\n", ["A", "B"]),
        ("ruby", "class A\n  class << self\n    B = 1\n  end\n  x <<A\n  C = 2\nend\n", ["A", "A.B", "A.C"]),
        ("ruby", "A = 1\n=begin\nB = 1\n=end\nC = \"#{D}\" # '\nE = 2 # '\n", ["A", "C", "E"]),
        ("ruby", "A = /[\"'(]/\nB = 4 / 2 # /\nC = x /2\nD = %w[# a]\n", ["A", "B", "C", "D"]),
        ("ruby", "A = 1\n__END__\nB = 1\nclass C\nend\n", ["A"]),
        ("ruby", "a = Class.new do\n  B = 1\nend\nwhile a\n  C = 1\nend\nif a\n  D = 1\nend\n", ["D"]),
        ("ruby", "if $0 == __FILE__\n  A = 1\nend\nB = 2 unless defined?(B)\nC == 3\nD => 4\n", []),
    ],
)
def test_hidden_texts_hold_no_definitions(language: str, text: str, names: list[str]) -> None:
    assert [one.path for one in sketch(text.encode(), language)] == names


def test_ends_with_and_without_braces() -> None:
    assert spans("python", "def f():\n    return '''\nx\n'''  # c\n\n# d\nx = (\n    1,\n)\n") == {
        "f": "def f():\n    return '''\nx\n'''  # c",
        "x": "x = (\n    1,\n)",
    }
    kotlin = spans(
        "kotlin",
        "class A(\n  val x: Int,\n) : B(),\n  C {\n  val y: Int\n    get() = 1\n  fun f() =\n    g {\n    }\n}\n",
    )
    assert kotlin["A"].endswith("{\n    }\n}")
    assert kotlin["A.y"] == "val y: Int"
    assert kotlin["A.f"] == "fun f() =\n    g {\n    }"
    assert spans("javascript", "const f = (a) => {\n  a();\n};\nlet b = 1\nlet c = 2\n") == {
        "f": "const f = (a) => {\n  a();\n};",
        "b": "let b = 1",
        "c": "let c = 2",
    }
    assert spans(
        "php",
        "<?php\nclass A {\n  public $b = [\n    1,\n  ]; // b\n  /** @var int */ public $c {\n    get => 1;\n  }\n"
        "  #[D] abstract function d(): ?int;\n  function e(): int{\n    return 1;\n  }\n  function f() {}\n}\n"
        "define('G', g(1,\n  2));\n$h = new class {\n};\n",
    ) == {
        "A": "class A {\n  public $b = [\n    1,\n  ]; // b\n  /** @var int */ public $c {\n    get => 1;\n  }\n"
        "  #[D] abstract function d(): ?int;\n  function e(): int{\n    return 1;\n  }\n  function f() {}\n}",
        "A.b": "public $b = [\n    1,\n  ];",
        "A.c": "/** @var int */ public $c {\n    get => 1;\n  }",
        "A.d": "#[D] abstract function d(): ?int;",
        "A.e": "function e(): int{\n    return 1;\n  }",
        "A.f": "function f() {}",
        "G": "define('G', g(1,\n  2));",
        "h": "$h = new class {\n};",
    }


def test_braces_behind_a_word_are_the_block_of_a_method_or_the_value_of_a_member() -> None:
    constructor = "A::A(int b, int c) : b{b},\n  c{c} {\n  d();\n}"
    assert spans("cpp", f"{constructor}\nint e() {{ return 1; }}\n") == {
        "A.A": constructor,
        "e": "int e() { return 1; }",
    }
    assert spans("php", "<?php\nfunction a(): int{ return 1; }\nfunction b() {}\n") == {
        "a": "function a(): int{ return 1; }",
        "b": "function b() {}",
    }


def test_a_body_behind_a_sign_of_its_own_ends_with_its_statement() -> None:
    text = (
        "class A\n{\n    int B => C = 1;\n    public int D { get; set; } = 3;\n    Func<int> E = () => { return 1; };\n"
        '    string F(int a) => a switch\n    {\n        1 => "}",\n        _ => null,\n    };\n'
        "    bool G() => H is { } g\n        ? g\n        : I;\n    Action J() => () =>\n    {\n        K();\n    };\n"
        "    int this[int at] => at;\n    A() => L();\n    int M\n    {\n        get => 1;\n    }\n"
        "    public static A operator +(A a, A b) =>\n        a;\n    int N() { return 1; }\n};\n"
    )
    found = sketch(text.encode(), "csharp")
    assert {one.name: text[one.start : one.end] for one in found if one.kind != "class"} == {
        "B": "int B => C = 1;",
        "D": "public int D { get; set; } = 3;",
        "E": "Func<int> E = () => { return 1; };",
        "F": 'string F(int a) => a switch\n    {\n        1 => "}",\n        _ => null,\n    };',
        "G": "bool G() => H is { } g\n        ? g\n        : I;",
        "J": "Action J() => () =>\n    {\n        K();\n    };",
        "this": "int this[int at] => at;",
        "A": "A() => L();",
        "M": "int M\n    {\n        get => 1;\n    }",
        "+": "public static A operator +(A a, A b) =>\n        a;",
        "N": "int N() { return 1; }",
    }
    assert [text[one.signature : one.body] for one in found] == [
        "class A",
        "int B",
        "public int D",
        "Func<int> E",
        "string F(int a)",
        "bool G()",
        "Action J()",
        "int this[int at]",
        "A()",
        "int M",
        "public static A operator +(A a, A b)",
        "int N()",
    ]
    real = outline(text.encode(), Language.named("csharp")).definitions
    assert [(one.start, one.end, one.body) for one in found] == [(one.start, one.end, one.body) for one in real]


def test_ends_of_what_ends_with_a_word() -> None:
    assert spans(
        "ruby", "def a\n  1\nrescue B\n  2\nensure\n  3\nend if c # d\n\ndef e; end # f\ndef g = h(\n  1\n)\n"
    ) == {
        "a": "def a\n  1\nrescue B\n  2\nensure\n  3\nend if c",
        "e": "def e; end",
        "g": "def g = h(\n  1\n)",
    }
    assert spans(
        "ruby", "A = if b\n  1\nelse\n  2\nend\nC = d do\n  1\nend.e\nF = <<~G.h\n  1\nG\nI = /\n  a\n/x\n"
    ) == {
        "A": "A = if b\n  1\nelse\n  2\nend",
        "C": "C = d do\n  1\nend.e",
        "F": "F = <<~G.h\n  1\nG",
        "I": "I = /\n  a\n/x",
    }


def test_a_line_that_ends_what_is_around_a_definition_is_no_part_of_it() -> None:
    found = spans(
        "ruby", "module A\n  B = Class.new(C)\nend\nmodule D\n  def e() = 1\nend\nmodule F\n  attr_reader :g\nend\n"
    )
    assert (found["A.B"], found["D.e"], found["F.g"]) == ("B = Class.new(C)", "def e() = 1", "attr_reader :g")
    found = spans("ruby", "if a\n  B = 1\nelse\n  C = 2\nend\n")
    assert found == {"B": "B = 1", "C": "C = 2"}


def test_words_that_part_a_class_are_indented_as_it_is_or_further() -> None:
    text = "class A\n  attr_reader :b\n\nprivate\n\n  def c; end\n\n  private\n\n  def d; end\nend\n\ndef e; end\nprivate\ndef f; end\n"
    found = spans("ruby", text)
    assert found.pop("A") == text[: text.index("\n\ndef e")]
    assert found == {
        "A.b": "attr_reader :b",
        "A.c": "def c; end",
        "A.d": "def d; end",
        "e": "def e; end",
        "f": "def f; end",
    }


@pytest.mark.parametrize(
    ("text", "signatures"),
    [
        ("def a(b = {}, c: (1)); end\n", {"a": "def a(b = {}, c: (1))"}),
        ("def a(b) = c\ndef d =\n  1\n", {"a": "def a(b)", "d": "def d"}),
        ("private def a(b) c end\n", {"a": "private def a(b)"}),
        ("def a(\n  b,\n  c: 1\n)\n  d\nend\n", {"a": "def a(\n  b,\n  c: 1\n)"}),
        ("class A < B; end\nmodule C\nend\n", {"A": "class A < B;", "C": "module C"}),
        ("A ||= 1\nB = Struct.new(:c) do\nend\n", {"A": "A ||", "B": "B = Struct.new(:c) do"}),
        ("attr_reader :a,\n  :b\n", {"a": "attr_reader :a", "b": "attr_reader :a,\n  :b"}),
        ("it 'a' do |b|\nend\nit('c') { d }\n", {"a": "it 'a' do |b|", "c": "it('c')"}),
    ],
)
def test_signatures_of_ruby_end_as_those_of_its_outline(text: str, signatures: dict[str, str]) -> None:
    source = text.encode()
    for definitions in (sketch(source, "ruby"), outline(source, Language.named("ruby")).definitions):
        assert {one.path: text[one.signature : one.body] for one in definitions} == signatures


def test_marks_are_no_part_of_a_name_that_starts_with_them() -> None:
    text = "attr_accessor :a, :b\nalias_method :c?, :d\ndescribe 'e f' do\nend\ndescribe G::H do\nend\ntask i: :j do\nend\n"
    source = text.encode()
    found = [(one.path, one.kind, text[one.name_start :][:2]) for one in sketch(source, "ruby")]
    assert found == [
        ("a", "field", ":a"),
        ("b", "field", ":b"),
        ("c?", "method", ":c"),
        ("e f", "module", "'e"),
        ("G.H", "module", "H "),
        ("i", "function", "i:"),
    ]
    real = outline(source, Language.named("ruby")).definitions
    assert found == [(one.path, one.kind, text[one.name_start :][:2]) for one in real]


def test_a_definition_of_elixir_ends_with_the_word_that_is_indented_like_it() -> None:
    assert spans(
        "elixir",
        "defmodule A do\n  def f(a,\n    b\n  ) do\n    if a do\n    end\n  rescue\n    _ -> b\n  after\n    b\n  end # f\n\n"
        "  def g, do: [\n    1\n  ] # g\n  def h\n  @x <<\n    1\n  >>\n  @y ~w(a b)\n  def i do :ok end\nend\n",
    ) | {"A": ""} == {
        "A": "",
        "A.f": "def f(a,\n    b\n  ) do\n    if a do\n    end\n  rescue\n    _ -> b\n  after\n    b\n  end",
        "A.g": "def g, do: [\n    1\n  ]",
        "A.h": "def h",
        "A.x": "@x <<\n    1\n  >>",
        "A.y": "@y ~w(a b)",
        "A.i": "def i do :ok end",
    }


@pytest.mark.parametrize(
    ("source", "signature"),
    [
        ("def f(a) when a in ~w(b c) do\n  a\nend\n", "def f(a) when a in ~w(b c)"),
        ("def f(a),\n  do: a\n", "def f(a)"),
        ("def f(a,\n  b\n) do\n  a\nend\n", "def f(a,\n  b\n)"),
        ("defmacro f(a, do: b), do: a\n", "defmacro f(a, do: b)"),
        ("def f(a)\ndef g(a), do: a\n", "def f(a)"),
        ("@type f ::\n  a\n  | b\n", "@type f ::\n  a\n  | b"),
        ("defdelegate f(a),\n  to: B\n", "defdelegate f(a),\n  to: B"),
        ("@f %{\n  a: 1\n}\n", "@f"),
        ('test "f", %{a: a} do\r\n  a\r\nend\r\n', 'test "f", %{a: a}'),
    ],
)
def test_a_signature_of_elixir_ends_before_its_block_or_with_the_definition(source: str, signature: str) -> None:
    first = sketch(source.encode(), "elixir")[0]
    assert source[first.signature : first.body] == signature
    real = outline(source.encode(), Language.named("elixir")).definitions[0]
    assert (first.body, first.end) == (real.body, real.end)


def test_containers_that_stand_in_one_another() -> None:
    text = "class A {\n  enum E { X, Y;\n    int z;\n  }\n  interface I {\n    void f();\n  }\n  int g() { return 1; }\n}\n"
    assert [one.path for one in sketch(text.encode(), "java")][-3:] == ["A.I", "A.I.f", "A.g"]
    text = "class A:\n    class B:\n        def f(self): ...\n    def g(self): ...\ndef h(): ...\n"
    assert [(one.kind, one.path) for one in sketch(text.encode(), "python")] == [
        ("class", "A"),
        ("class", "A.B"),
        ("method", "A.B.f"),
        ("method", "A.g"),
        ("function", "h"),
    ]


def test_kinds_and_containers_of_csharp() -> None:
    text = (
        "namespace A.B;\nrecord struct P(int X)\n{\n    static readonly int a = 1;\n    readonly static int b;\n"
        "    public static P operator +(P a, P b) { return a; }\n    public static explicit operator int(P p) { return 1; }\n"
        "    int I<int>.this[int x] { get { return x; } }\n    P() { }\n    event E I.Done { add { } remove { } }\n}\n"
        "static int Last() { return 1; }\ndelegate R F<in T, out R>(T of);\n"
    )
    assert [(one.kind, one.path) for one in sketch(text.encode(), "csharp")] == [
        ("class", "P"),
        ("constant", "P.a"),
        ("field", "P.b"),
        ("method", "P.+"),
        ("method", "P.int"),
        ("method", "P.this"),
        ("constructor", "P.P"),
        ("field", "P.Done"),
        ("function", "Last"),
        ("type", "F"),
    ]


def test_decorators_over_several_lines_and_docs_belong_to_a_definition() -> None:
    text = "@a(\n    1,\n)\n@b\ndef f(): ...\n"
    assert [one.start for one in sketch(text.encode(), "python")] == [0]
    text = "class A {\n  /** Doc. */\n  // aside\n  @B(\n      1)\n  void f() {}\n}\n"
    assert [text[one.start :][:5] for one in sketch(text.encode(), "java")] == ["class", "/** D"]
    text = "class A\n{\n    /// Doc.\n    // aside\n    [B(\n        1)]\n    void F() { }\n}\n"
    assert [text[one.start :][:7] for one in sketch(text.encode(), "csharp")] == ["class A", "/// Doc"]


@pytest.mark.parametrize("language", ["java", "php", "typescript", "kotlin", "csharp"])
def test_a_brace_on_a_line_of_its_own_opens_a_block(language: str) -> None:
    source = beginning(language) + b"class A\n{\n  class B\n  {\n  }\n}\n"
    assert [one.path for one in sketch(source, language)] == ["A", "A.B"]


@pytest.mark.parametrize("language", SKETCHED)
def test_what_is_damaged_has_a_sketch_whose_places_lie_in_it(language: str) -> None:
    whole = b"\n".join(case.source.encode() for case in read_cases(language))
    patterns = sketch_patterns(language)
    marks = patterns.marks.encode() if patterns else b""
    for cut in range(0, len(whole), max(1, len(whole) // 60)):
        for source in (whole[:cut], whole[cut:]):
            for one in sketch(source, language):
                assert 0 <= one.start <= one.signature <= one.name_start < one.end <= len(source)
                assert one.signature <= one.body <= one.end
                assert source[one.name_start :].lstrip(marks).startswith(one.name.encode()[:1])


@pytest.mark.parametrize("language", SKETCHED)
def test_no_definition_ends_later_than_what_it_stands_in(language: str) -> None:
    for case in read_cases(language):
        outer: list[Definition] = []
        for one in sketch(case.source.encode(), language):
            while outer and outer[-1].end <= one.signature:
                outer.pop()
            assert not outer or one.end <= outer[-1].end, (case.title, outer[-1], one)
            outer.append(one)


@pytest.mark.parametrize(
    ("language", "source", "names"),
    [
        ("rust", b"// fn a() {}\n    // fn b() {}\n\t/// fn c() {}\nfn d() {}\n// fn e() {}", ["d"]),
        ("python", b"# class A:\n    # class B:\nclass C:\n    pass\n", ["C"]),
        ("go", b"/** func a() {\n * **/ \nfunc b() {}\n/*/ func c() {} /**/\nfunc d() {}\n", ["b", "d"]),
        ("python", b'a = """ ""\ndef b(): pass\n"""\ndef c(): pass\n', ["a", "c"]),
        (
            "c",
            b"char *a = \"\\\\\";\nint b(void) { return '{'; }\n// int c(void) {\n // {\nint d(void) { }\n",
            ["a", "b", "d"],
        ),
        ("csharp", b"/* class A { */\nclass B\n{\n    char c = '\\'';\n    char d = '\"';\n}\n", ["B", "c", "d"]),
        ("cpp", b'auto a = R"(\n}; int b() {\n)";\nint c() { return 0; }\n', ["a", "c"]),
        ("ruby", b"# class A\n  # class B; end\nclass C # class D\n  # def e; end\nend\n", ["C"]),
        ("ruby", b"it 'a \"b\" do' do\n  it 'c' do\n  end\nend\nit 'd'\ntest(\"e\") {\n}\n", ['a "b" do', "e"]),
    ],
)
def test_comments_and_quoted_texts_hold_no_definitions(language: str, source: bytes, names: list[str]) -> None:
    assert [one.name for one in sketch(source, language)] == names


@pytest.mark.parametrize("language", SKETCHED)
@pytest.mark.parametrize(
    "line",
    [
        b"a a a a(",
        b"class a:",
        b"{",
        b"}",
        b"/*",
        b'"""',
        b"'",
        b"@a(",
        b"a<a<a<",
        b"= (",
        b"[a] [",
        b"<script>",
        b"let {",
        b"a <<A",
        b"<<<A",
        b"?>",
    ],
)
def test_lines_that_are_made_to_hurt_take_time_by_their_number_alone(language: str, line: bytes) -> None:
    """A search that begins anew for each of these lines would take minutes for so many of them."""
    source = beginning(language) + (line + b"\n") * (200_000 // (len(line) + 1))
    ended = threading.Event()

    def work() -> None:
        sketch(source, language)
        ended.set()

    threading.Thread(target=work, daemon=True).start()
    assert ended.wait(60)


@pytest.mark.parametrize("language", SKETCHED)
@pytest.mark.parametrize("text", [b'\\"', b"\\'", b"\\`", b'"\\', b"'\\"])
def test_a_long_line_of_quotes_takes_time_by_its_length_alone(language: str, text: bytes) -> None:
    source = beginning(language) + text * (200_000 // len(text))
    ended = threading.Event()

    def work() -> None:
        sketch(source, language)
        ended.set()

    threading.Thread(target=work, daemon=True).start()
    assert ended.wait(60)


@pytest.mark.parametrize("text", [b'\\"', b"a<", b"[[a]] ", b"a<(a)", b'$"{', b"a ", b"public ", b"(a) ", b"a, "])
@pytest.mark.parametrize("before", [b"", b"class A\n{\n    ", b"enum A\n{\n    "])
def test_a_long_line_of_csharp_takes_time_by_its_length_alone(before: bytes, text: bytes) -> None:
    source = before + text * (200_000 // len(text))
    ended = threading.Event()

    def work() -> None:
        sketch(source, "csharp")
        ended.set()

    threading.Thread(target=work, daemon=True).start()
    assert ended.wait(20)


def test_nothing_is_looked_for_when_nobody_waits_any_more() -> None:
    token = CancelToken()
    token.give_up()
    with cancellable(token), pytest.raises(CallCancelledError):
        sketch(SOURCES["python"], "python")


@pytest.mark.parametrize(
    "header",
    [
        "sketch: function",
        "sketch: function (",
        "sketch: function a\n; sketch blocks: heaps",
        "sketch: function a\n; sketch value: ->",
        "sketch embeds: vue",
    ],
)
def test_headers_that_cannot_be_read_are_refused_with_the_name_of_their_file(header: str) -> None:
    def read() -> None:
        patterns = patterns_of(read_header(f"; {header}\n", "brand"), "brand")
        assert patterns is not None
        patterns.inside(TOP)

    with pytest.raises(QueryFileError, match=r"^brand\.scm: "):
        read()


@pytest.mark.parametrize(("path", "is_loaded"), [("a.md", False), ("a.txt", False), ("a.py", False), ("a.hs", True)])
def test_a_parser_is_loaded_for_the_sketches_of_code_without_patterns_alone(path: str, *, is_loaded: bool) -> None:
    command = [sys.executable, "-c", IN_ANOTHER_PROCESS, path]
    printed = subprocess.run(command, cwd=Path(__file__).parents[2], check=True, capture_output=True, text=True).stdout
    assert printed.strip() == str(is_loaded)


@pytest.mark.parametrize("path", ["a.md", "a.json", "a.txt", "notes"])
def test_what_is_no_code_has_the_same_words_and_survey_beside_what_takes_a_parser(path: str) -> None:
    source = b"# Title\n\nCall `the_function` twice.\n"

    def found(*aspects: Aspect) -> dict[int, bytes]:
        return perform(Batch("o200k_base", (Task(path, source, None, tuple(map(int, aspects))),)))[0]

    alone = found(*OF_SKETCH)
    assert alone.items() <= found(*OF_SKETCH, Aspect.OUTLINE).items()
    assert set(alone) == set(OF_SKETCH)


SCRIPTS = """<!-- <script>const hidden = 1;</script> -->
<template><p>{{ "const shown = 1" }}</p></template>
<script lang="ts">
export interface Item {
  name: string
}
</script>
<script setup lang="ts" generic="T extends Record<string, Item>">
const props = defineProps<{
  items: T[]
}>();
let { first, ...rest } = $props();

/** Counts. */
function count(items: T[]): number {
  return items.length;
}
</script>
<script>
let plain = 1;
"""


@pytest.mark.parametrize("language", ["vue", "svelte"])
def test_a_component_has_the_definitions_of_its_scripts_in_their_places(language: str) -> None:
    found = sketch(SCRIPTS.encode(), language)
    assert [one.path for one in found] == ["Item", "Item.name", "count", "plain"]
    for one in found:
        assert SCRIPTS[one.name_start :].startswith(one.name)
    assert SCRIPTS[found[2].start : found[2].end].startswith("/** Counts. */\nfunction count(items: T[]): number {")
    ended = SCRIPTS[: SCRIPTS.index("<script>\nlet")]
    real = {one.name_start: one for one in outline(ended.encode(), Language.named(language)).definitions}
    assert {one.name_start: one._replace(body=0) for one in found[:3]} == {
        at: one._replace(body=0) for at, one in real.items()
    }


@pytest.mark.parametrize("language", ["c", "cpp"])
def test_a_type_of_functions_is_called_by_its_name_and_not_by_what_they_give(language: str) -> None:
    source = "typedef int (WSAAPI* LPFN_RECEIVE)\n    (int socket);\ntypedef void (PASCAL *LPFN_END)(int);\ntypedef int file_t;\n"
    assert [one.name for one in sketch(source.encode(), language)] == ["LPFN_RECEIVE", "LPFN_END", "file_t"]


INDENTED_SCALA = """package a

enum Kind(val sides: Int) extends Named:
  case Round extends Kind(0)
  case Flat, Long
  case Mixed(a: Kind, b: Kind)
  private final val most = 3
  def twice: Int =
    sides * 2

trait Show[A]:
  extension (a: A)
    def show: String
    def shown(times: Int) = 1

object Show:
  given Show[Int] with
    extension (a: Int) def show = a.toString
  given byName[A](using Show[A]): Show[List[A]] with {
    def show: String = ""
  }
  given context: Context = Context.global
  given Ordering[Int] = new Ordering[Int]:
    def compare(a: Int, b: Int) = 0
end Show

case class Config(
  name: String
) extends Base(name)
    with Other derives Eq:
  require(name != "")
  val long =
    if name.size > 3 then
      4
    else
      5
  def go(n: Int): Unit =
    n match
      case 1 => println(":")
      case _ =>

  test("this"):
    val hidden = 1
    def hidden2 = 2
  class Inner
    extends Base:
    def deep = 2
  end Inner
  final def last(
    by: Int
  ): Int =
    def local = 1
    local
end Config

opaque type Id = Int
transparent inline def id: Int = 1
@main def run(): Unit =
  println("run")
var count = 1
val c = '{'
"""


def test_scala_that_is_indented_has_the_definitions_of_its_outline() -> None:
    source = INDENTED_SCALA.encode()
    real = {one.name_start: one for one in outline(source, Language.named("scala")).definitions}
    found = {one.name_start: one for one in sketch(source, "scala")}
    assert [one.path for one in found.values()] == [one.path for one in real.values()]
    assert found == real


def test_values_of_scala_are_constants_of_what_is_one_alone() -> None:
    source = b"object A {\n  val a = 1\n  var b = 2\n}\nclass B {\n  val c = 1\n  object D {\n    val e = 1\n  }\n}\nval f = 1\n"
    kinds = {one.path: one.kind for one in sketch(source, "scala")}
    assert kinds == {
        "A": "class",
        "A.a": "constant",
        "A.b": "field",
        "B": "class",
        "B.c": "field",
        "B.D": "class",
        "B.D.e": "constant",
        "f": "constant",
    }


def test_ends_of_scala() -> None:
    found = spans(
        "scala",
        "class A(\n  x: Int\n)\nextends B\nwith C\n{\n  def f(x: Int) = x match {\n    case _ =>\n  }\n  {\n    g()\n  }\n}\n"
        "class D\n\nclass E:\n  def f: Int =\n    g\n  end f\n\n  val x, y = 1\n  def h(x: Int) =\n    x match\n      case _ =>\n"
        "end E\n\nval z = a\n  .b\n  .c\n// aside\ndef k = if (a) {\n  1\n} else {\n  2\n}\n",
    )
    assert found["A"].startswith("class A(")
    assert found["A"].endswith("    g()\n  }\n}")
    assert found["A.f"] == "def f(x: Int) = x match {\n    case _ =>\n  }"
    assert found["D"] == "class D"
    assert found["E"].endswith("      case _ =>")
    assert found["E.f"] == "def f: Int =\n    g"
    assert found["E.x"] == found["E.y"] == "val x, y = 1"
    assert found["z"] == "val z = a\n  .b\n  .c"
    assert found["k"] == "def k = if (a) {\n  1\n} else {\n  2\n}"


def test_statements_of_scala_are_passed_over_with_all_their_blocks() -> None:
    text = (
        "object A {\n  if (x) {\n    val a = 1\n  } else {\n    val b = 1\n  }\n  try {\n    val c = 1\n  } catch {\n"
        "    case _ =>\n      val d = 1\n  }\n  test(1) {\n    val e = 1\n  }.then {\n    val f = 1\n  }\n  class B:\n"
        "    def g = 1\n}\nfoo.map: x =>\n  val h = 1\nval i = 1\n"
    )
    assert [one.path for one in sketch(text.encode(), "scala")] == ["A", "A.B", "A.B.g", "i"]
    assert spans("scala", text)["A.B"] == "class B:\n    def g = 1"


def test_a_comment_behind_an_indented_body_of_scala_belongs_to_what_follows() -> None:
    found = spans("scala", "class A {\n  def f =\n    1\n\n  /** Doc. */\n  def g = 2\n}\n")
    assert found["A.f"] == "def f =\n    1"
    assert found["A.g"] == "/** Doc. */\n  def g = 2"


def test_a_lua_block_ends_with_the_word_that_is_indented_as_its_head() -> None:
    assert spans(
        "lua",
        "local a = f(function()\n  g()\nend, 1) -- a\n"
        "function b() return 1 end -- b\nfunction c()\n  do\n  end\nend;\n"
        "if x then\n  function d() return 1 end\nend\n"
        "e = function()\n::label::\n  return 1\nend\n"
        "local h\nM.i = M.j and function()\nend or nil\n",
    ) == {
        "a": "local a = f(function()\n  g()\nend, 1)",
        "b": "function b() return 1 end",
        "c": "function c()\n  do\n  end\nend;",
        "d": "function d() return 1 end",
        "e": "e = function()\n::label::\n  return 1\nend",
        "M.i": "M.i = M.j and function()\nend or nil",
    }


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_lua_function_has_its_names_and_its_signature_wherever_its_block_stands(line_end: str) -> None:
    lines = (
        "function a.b:c(d) return d end -- c",
        "local e = function (...) end",
        "f.g['h'].i = function(a,",
        "  b)",
        "  return function(c) end",
        "end",
        "x['y'] = function(a)",
        "  local function hidden() end",
        "end",
    )
    text = line_end.join((*lines, ""))
    assert [(one.kind, one.path, text[one.start : one.body]) for one in sketch(text.encode(), "lua")] == [
        ("function", "a.b.c", "function a.b:c(d)"),
        ("function", "e", "local e = function (...)"),
        ("function", "f.g['h'].i", f"f.g['h'].i = function(a,{line_end}  b)"),
    ]


def test_a_comment_of_several_lines_above_a_lua_definition_belongs_to_it() -> None:
    text = "local a = 1 --[[\na ]]\nlocal b = 2\n\n-- Plain.\n--[==[\n\n]] Doc.\n--]==]\nfunction c() end\n"
    starts = [text[one.start :].splitlines()[0] for one in sketch(text.encode(), "lua")]
    assert starts == ["local a = 1 --[[", "local b = 2", "-- Plain."]
    real = outline(text.encode(), Language.named("lua")).definitions
    assert [one.start for one in sketch(text.encode(), "lua")] == [one.start for one in real]


@pytest.mark.parametrize("line", [b'"\\', b"end,", b"f(function()", b"-- ]]", b"--[[", b"[==[", b"x ="])
@pytest.mark.parametrize("separator", [b"", b"\n"])
def test_lua_that_is_made_to_hurt_takes_time_by_its_length_alone(line: bytes, separator: bytes) -> None:
    ended = threading.Event()

    def work() -> None:
        sketch((line + separator) * (200_000 // len(line + separator)), "lua")
        ended.set()

    threading.Thread(target=work, daemon=True).start()
    assert ended.wait(60)


def test_signatures_of_dart_end_before_an_arrow_what_is_initialised_and_a_semicolon() -> None:
    text = """class A {
  final int a;
  static const b = 1;
  A(this.a) : c = 1, super();
  A.named() : c = {} {
    d();
  }
  factory A.other() = B;
  int e() => 1;
  Future<int> f() async => 1;
  Stream<int> g() async* {
  }
  int get h => 1;
  int i(int a);
}
"""
    assert [text[one.signature : one.body] for one in sketch(text.encode(), "dart")] == [
        "class A",
        "final int a",
        "static const b",
        "A(this.a)",
        "A.named()",
        "factory A.other() = B",
        "int e()",
        "Future<int> f() async",
        "Stream<int> g() async*",
        "int get h",
        "int i(int a)",
    ]


def test_values_of_dart_go_on_behind_their_blocks() -> None:
    a = "a() => <int>{\n      1,\n    };"
    b = "var b = () {\n  c();\n}();"
    d = "var d = e\n    ? {\n  1,\n}\n    : {2};"
    assert spans("dart", f"{a}\n{b}\n{d}\n") == {"a": a, "b": b, "d": d}
    field = "final f = G<int,\n      int>();"
    assert spans("dart", f"class A {{\n  {field}\n}}\n")["A.f"] == field


def test_members_in_the_line_of_their_enumeration_are_found() -> None:
    source = "enum A { b, c }\nenum D {\n  e, f;\n\n  int g() => 1;\n}\nenum H { i, j; int k() => 1; }\n"
    found = sketch(source.encode(), "dart")
    assert [one.path for one in found] == ["A", "A.b", "A.c", "D", "D.e", "D.f", "D.g", "H", "H.i", "H.j"]
    assert [source[one.start : one.end] for one in found if one.kind == "member"] == ["b", "c", "e", "f", "i", "j"]


def test_definitions_of_dart_have_the_kinds_of_their_outline() -> None:
    real = {one.name_start: one.kind for one in outline(SOURCES["dart"], Language.named("dart")).definitions}
    assert {one.name_start: one.kind for one in sketch(SOURCES["dart"], "dart")} == real
