"""Sound code that a grammar would stumble over is read whole: no mark, and every definition."""

from __future__ import annotations

import pytest

from skeleton import skeletons
from skeleton.languages.queries import Language
from skeleton.outline.parsing import parse
from tests.skeleton.sketching import sketch

READ = [
    ("c", b"u_char * my_cdecl\none(u_char *b)\n{\n    return b;\n}\nFILE * APIENTRY two(void);\n", "one two"),
    ("c", b"static local_inline void *one(int a,\n    int b);\nstatic local_inline node_t *\ntwo(int a)\n{\n}\n", "one two"),
    ("c", b"static int lib_cdecl one(const void *a);\nlocal_inline int two(void) { return 3; }\n", "one two"),
    ("c", b"static char const *one(void);\nstatic struct node *two(int a);\n", "one two"),
    ("c", b"void one(void)\n{\n    a = (u_char *) CRLF;\n    b = (u_char *) DATA(c);\n}\n", "one"),
    ("c", b"int one(int a)\n{\n    return offsetof(conf_t, up.store);\n}\n", "one"),
    ("c", b'char _license[] SEC("license") = LICENSE;\nstatic int one[2] UNUSED = {1, 2};\n', "_license one"),
    ("c", b"int one(char *buf __attribute__((unused)), int b __attribute__((__unused__)))\n{\n    return 0;\n}\n", "one"),
    ("c", b"struct one {\n    int a;\n    LIB_COMPAT_BEGIN(5)\n    LIB_COMPAT_END\n};\n", "one one.a"),
    ("c", b"enum one {\n    A,\n    B, /* b */\n    ONE_END\n};\nenum two {\nC,\nTWO_END\n};\n", "one one.A one.B one.ONE_END two two.C two.TWO_END"),
    ("c", b"enum one {\n    A, /* a */\n    ONE_END /* the last */\n};\n", "one one.A one.ONE_END"),
    ("c", b"int one(int a)\n{\n    if (a == 1\n#if A\n        || a == 2\n#endif\n       )\n    {\n        a = 3;\n    }\n    return a;\n}\n", "one"),
    ("c", b"int one(int a)\n{\n    if (a) {\n        a = 1;\n#if A\n    } else if (b) {\n        a = 2;\n#endif\n    }\n    return a;\n}\n", "one"),
    ("c", b"int one(int a)\n{\n    if (a)\n        goto out;\n#if A\nout:\n#endif\n    return a;\n}\n", "one"),
    ("c", b"t one[] = {\n#if A\n    { 1, 2 },\n#endif\n    { 3, 4 },\n};\n", "one"),
    ("c", b'#pragma once\n#ifdef __cplusplus\nextern "C" {\n#endif\nint one(void);\n#ifdef __cplusplus\n} /* C */\n#endif\n', "one"),
    ("c", b"void *one(va_list a)\n{\n    f(va_arg(a, char *), va_arg(a,unsigned long long), va_arg(a, struct two *));\n    return container_of(list_first(b), struct two, at);\n}\nint two(void) {}\n", "one two"),
    ("cpp", b'void one() {\n  printf("a %" PRIu64 " b" PRIu64, n);\n  printf("a %" SIZE\n         " b\\n");\n}\n', "one"),
    ("cpp", b'#include "a.h"\nFEATURE_HEADER();\nextern "C" int one();\n', "one"),
    ("cpp", b"class One {\n public:\n  One(const T& a, std::vector<int> b = {});\n  void set(int* = nullptr, int* /*b*/ = nullptr);\n};\n", "One One.One One.set"),
    ("cpp", b"class One {\n  enum : int { A, B };\n  enum { C };\n  bool (One::*get)(int a);\n};\n", "One One.A One.B One.C One.get"),
    ("cpp", b"class One\n#ifdef NDEBUG\n    final\n#endif\n    : public Two {\n public:\n  int a;\n};\n", "One One.a"),
    ("cpp", b"One::One(int a)\n    : a_(a),\n#ifndef B\n      b_(1),\n#endif\n      c_(new int*[a]) {}\n", "One.One"),
    ("cpp", b"template <class A>\nLIB_GONE_FOR(3.11.0, a::two or b<c>) // so it is\nint one(const A& a) const;\nenum two {\n  B,\n  LAST_OF_ALL // the end of all\n};\n", "one two two.B two.LAST_OF_ALL"),
    ("cpp", b"#if NEW\ninline json one(const char* s)\n#else\ninline json one(const char* s, size_t n)\n#endif\n{\n    return s;\n}\nclass Two {\n#if C14\n    constexpr\n#endif\n    int get() const { return 1; }\n};\n", "one one Two Two.get"),
    ("cpp", b"class One {\n    template <class A = f<B>,\n#if C17\n              class B = g<A>,\n#endif\n#if C20\n              class C = h<A>,\n#endif\n              class D>\n    int two();\n};\n", "One One.two"),
    ("typescript", b"interface One<E> {\n  <K extends keyof E>(key: K): E[K]\n  <K extends string>(key: K): A[K]\n  // so\n  <\n    I = {}\n  >(a: I): B<I>\n  two(): void\n}\n", "One One.two"),
    ("typescript", b"type One = {\n  <T>(a: T | (() => T)): [T, U<T>]\n  <T = undefined>(): [T, U<T>]\n}\nexport type * from './a'\n", "One"),
    ("typescript", b"const one = f(\n  // so\n  <T extends X>(a: T) => a,\n  <T extends X>(a: T) => a,\n)\n", "one"),
    ("typescript", b"interface One {\n  a?: import('b').C<[d: unknown, e: () => void]> | null;\n  in?: string\n  in2?: string\n}\n", "One One.a One.in One.in2"),
    ("typescript", b"export interface One<out A = unknown, in out B extends C = C> {\n  a: A\n}\n", "One One.a"),
    ("go", b"package a\n\nfunc one() *S {\n\treturn &S{A: new(uint64(0)), B: new(a.b + 1), C: new(d[0].e), D: new([]int)}\n}\n", "one"),
    ("bash", b'one() {\n  local a\n}\n\n(( $+functions[two] )) ||\ntwo() {\n  echo 1\n}\n(( $+functions[_three-b] )) || _three-b() {\n  echo 2\n}\none "$@"\n', "one two _three-b"),
    ("gdscript", b"class One:\n\tfunc two():\n#\t\tprint(1)\n\t\tfor a in b:\n\t# print(2)\n# print(3)\n\n\t\t\tc()\n\tfunc three():\n\t\tpass\n", "One One.two One.three"),
    ("gdscript", b"class One:\n\t@warning_ignore('a')\n\tsignal two\n\t@warning_ignore('b')\n\tconst A = 1\n\tfunc three():\n\t\tready.connect(func(): if a: b())\n", "One One.two One.A One.three"),
    ("swift", b"func one() async throws {\n    switch try await a.get() {\n    case .b:\n        c()\n    case .d: ()\n    default: ()\n    }\n}\nfunc two() {}\n", "one two"),
    ("swift", b"func one(a: Int) {\n    switch a {\n    default:\n        ()\n    }\n    return ()\n}\n// return ()\nfunc two() {}\n", "one two"),
    ("c", b"void one(void)\n{\n    a();\n    run_with_period(100) {\n        b();\n    }\n    list_each(q, &h->list, link) {\n        c(q);\n    }\n}\nint two(void) { return 1; }\n", "one two"),
    ("c", b"void one(void)\n{\n    a();\n    ITEM(1)\n}\nint two(void) { return 1; }\n", "one two"),
    ("c", b"int one(void)\n{\n    a = cast(Node *, cast(unsigned char, b));\n    c = new_vector(L, n, Proto*);\n}\n", "one"),
    ("c", b"void one(void)\n{\n    node_t *a SILENCE_INIT(NULL);\n    size_t b[2] ATTR_OF(aligned(16));\n    err(L, QL(\"a\") \" b\", \"c \" QL(\"d\") \" e\");\n}\n", "one"),
    ("c", b"extern node_t *TEST_MUTABLE one;\nstatic sharedAtomic size_t two = 0;\nstatic int three(node_t *a G_UNUSED, UNUSED int b, C __unused d) { return 0; }\n", "one two three"),
    ("c", b"typedef BOOL (PASCAL *one)\n        (SOCKET s,\n         DWORD* dwFlags);\n", "one"),
    ("cpp", b'TEST_CASE("one", "[a]") {\n    SECTION("b") {\n        c();\n    }\n}\nREGISTER_ALL(a)\n', "one"),
    ("cpp", b'TEMPLATE_TEST("one", "[a]", float,\n    double) {\n    c();\n}\nclass Two {\n public:\n  Two() {\n    a();\n  }\n};\n', "one Two Two.Two"),
    ("cpp", b"template <class A>\nauto one(const A& a, int b)\n-> decltype(a.template get<A>(), f(b, g<2> {}), void())\n{\n    return a;\n}\nvoid two();\n", "one two"),
    ("c", b"struct one {\n\tstruct two *three __guarded_by(lock);\n\tint four[] __counted_by(five) __aligned(8);\n\tspinlock_t lock ____cacheline_aligned;\n} __packed;\nextern int six(int a) __must_hold(lock);\nstatic inline __printf(1, 2) void seven(const char *f, ...) { }\nstatic int eight __read_mostly = 1;\n", "one one.three one.four one.lock six seven eight"),
    ("cpp", b"class One {\n  One(One&& a) noexcept(b<c>::value) : d_(a) {\n    if (e::f<g>::value &&\n        std::is_same_v<A, std::allocator<g>>) {\n      h();\n    }\n  }\n  int two() noexcept LIB_LIFETIME_BOUND { return 1; }\n};\nMY_BENCHMARK(One, 82, int8_t, std::size_t,\n             Two);\nint three();\n", "One One.One One.two three"),
    ("kotlin", b"class One {\n    val a: Flow<Int>\n        field = MutableFlow(1)\n\n    /** So. */\n    val b: List<Two<String>>\n        field: MutableList<Two<String>> = list()\n    val c: Int\n        // so\n        private field = f(1, 2)\n    val field = 2\n}\n", "One One.a One.b One.c One.field"),
    ("tsx", b"const One = styled.div<{ a: boolean; b?: number }>`\n  color: ${(p) => p.a};\n`\nexport const Two = styled(Flex)<{\n  // so\n  onClick?: (event: Event) => void;\n  b: Array<Map<string, C>>;\n}>`\n  a: b;\n`\nfunction three() { return a < 1 ? `a` : `${b > 2}` }\n", "One Two three"),
    ("rust", b'fn one() {\n    let a = str![[r#"\na\n"#]];\n    check(u8!(1), str!["b"]);\n}\nfn two(a: &str) -> bool { a != "b" && str != c }\n', "one two"),
    ("csharp", b"#:sdk A.Sdk\n#:package B@1.0\nusing B;\n\n#if LIGHT\nusing static C.D;\nnamespace One.Light\n#else\nusing static C.E;\n\nnamespace One\n#endif\n{\n    class Two\n    {\n        int a;\n    }\n}\n", "One One.Two One.Two.a"),
    ("csharp", b'class One\n{\n    int Two(int a) =>\n#if A\n        a ? b(a) : c(a);\n#else\n        c(a);\n#endif\n\n    bool Three()\n#if A\n        => !(b() || c())\n#else\n        => !(d(e("f"))\n            || g())\n#endif\n        && !h();\n\n    bool Four(object a)\n    {\n        return a is B\n#if A\n            or C\n#endif\n            ;\n    }\n}\n', "One One.Two One.Three One.Four"),
    ("csharp", b'class One\n{\n    string Two(string a) { return F($@"b ""{a}"""); }\n    string Three(string a) { return F($"""b {a}"""); }\n    Make Four()\n    {\n        return (out Uri a) => { a = b; };\n    }\n}\n', "One One.Two One.Three One.Four"),
    ("swift", b"public typealias One<R: D> = B<R.A, C>\nwhere R.S: I\nclass Two {\n  func id() { self._$change(); a.b[0]._$c.d() }\n}\nfunc three(b: Int, isolation: isolated (any Actor)? = #isolation, c: Int) {\n  f(a: /Action.child) { b() }\n  s[case: /E.x]? += 1\n}\n", "One Two Two.id three"),
    ("swift", b"extension One {\n  public init<S, A>(\n    path: B\n  )\n  where\n    Data == S.P,\n    Root == M<R>,\n    Other: Three,\n    More == F\n  {\n    self.init(path: path)\n  }\n  func two(path: B) where D == S,\n    R == M {\n    f()\n  }\n}\n", "One One.init One.two"),
    ("bash", b'one() {\n  a=(${(f)b} ${(M)c:#*/*})\n  for d do\n    echo $d\n  done\n  for d in $e/**/*.c(.N:r); do echo $d; done\n  case $f in\n    *"\n"enable_$g"\n"*) ;;\n    *) a=b ;;\n  esac\n}\n(( $+commands[h] )) || return 0\ntwo() {\n  cat <<END|cmp -s - $a\ni\nEND\n}\n', "one two"),
    ("c", b"typedef enum {\n#define ITEM(a, b) LIB_ ## a = b,\n  LIB_MAP(ITEM)\n#undef ITEM\n  LIB_LAST = LIB_END - 1\n} one_t;\nstatic const node_t two[] = {\n#define OP(n) {NAME(#n), n},\nLIB_NODES\n#undef OP\n};\nint three(void) { return 1; }\n", "one_t one_t.LIB_LAST two three"),
    ("c", b"struct one {\n  LIB_FIELDS\n  /* read-only */\n  /*\n   * Its size.\n   */\n  size_t size;\n  /* it's private */\n  LIB_PRIVATE_FIELDS\n};\nstruct two {\n  LIB_FIELDS\n  LIB_STREAM_FIELDS\n  LIB_PRIVATE_FIELDS\n};\nint three(void) { return 1; }\n", "one one.size two three"),
    ("c", b"static double\none\n#ifdef KR_headers\n\t(a, e) Node *a; int *e;\n#else\n\t(Node *a, int *e)\n#endif\n{\n  return 1;\n}\nint two(void) { return 1; }\n", "one two"),
    ("c", b"static DWORD WINAPI one(LPVOID a) { return 0; }\nstatic LONG CALLBACK two(INFO *a)\n{\n    return 0;\n}\n", "one two"),
    ("cpp", b"class LIB_API_ [[nodiscard]] One<const string&>\n    : public Base<const string&> {\n public:\n  One(const string& s);\n};\nvoid two() {\n  LIB_TRY {\n    a();\n  } LIB_CATCH_ALL { b(); }\n  t = new const char*[n];\n  x = typename A::B(c);\n  y = (unsigned(s) << 3) | long(z);\n  operator++();\n  CHECK_AS(a < b, c::error&);\n  return operator*();\n}\n", "One One.One two"),
    ("cpp", b"template <typename T, LIB_ENABLE_IF(!is_int<T>::value && sizeof(T) == 1),\n          LIB_ENABLE_IF(b::c<T> > 3)>\nauto one(T a) -> int { return 1; }\nclass Two {\n  MOCK_METHOD(void, Three, (int n, map<int, A> (*b)(int)), (const, override));\n  MOCK_METHOD(int, Four, ());\n  MOCK_METHOD((map<int, A>), Five, (), (override));\n  int a;\n};\n", "one Two Two.MOCK_METHOD Two.MOCK_METHOD Two.MOCK_METHOD Two.a"),
    ("cpp", b"class One {\n  LIB_FORBID(One, <<=)\n  LIB_COMPARISON(==, \" == \", LIB_EQ) // bitwise\n  template < class K, lib::enable_if_t <\n                 lib::is_a<K>::value || lib::is_b<K>::value, int > = 0 >\n  int two(K && key) { return 1; }\n};\nbool three(A a) {\n  LIB_COMPARE( <, false, operator<(a, b))\n}\n", "One One.two three"),
    ("cpp", b"class One {\n public:\n  iterator two() const LIB_ATTRIBUTE_LIFETIME_BOUND {\n    return a;\n  }\n  bool three() const LIB_LOCKS_EXCLUDED(mu_);\n  int four LIB_GUARDED_BY(mu_) = 0;\n  T* lib_nonnull five(const void* lib_nullable p) const { return *p; }\n};\nLIB_CONST_INIT std::string* six LIB_GUARDED_BY(Lock())\n    LIB_PT_GUARDED_BY(Lock()) = nullptr;\nLIB_CONST_INIT std::atomic<int> One::seven{0};\nextern \"C\" LIB_ATTRIBUTE_WEAK int eight() { return 0; }\n", "One One.two One.three One.four One.five six One.seven eight"),
    ("python", b"class One[A = int, *B = *tuple[int, str]]:\n    \"\"\"So.\"\"\"\n    def two[C: (int, str) = int](self, c: C) -> A: return 1\ntype Three[D] = list[D]\ntype Four[E = list[int]] = E\nlazy import five\ndef six():\n    lazy from a import b\n", "One One.two Three Four six"),
    ("dart", b"late final String one;\nexternal int two(int x);\nvoid three() {\n  Color c = .red;\n  four(.blue, a: .green(1), b: [.c, ...d]);\n  return switch (c) { .red => 1, _ => c == .blue ? .e : 2 };\n}\nclass Five {\n  final Six six = .new(1);\n  List<int> seven() => a.b..c();\n}\n", "one two three Five Five.six Five.seven"),
    ("php", b"<?php\nclass One {\n  public function __construct(public protected(set) readonly int $a = 3, private(set) string $b, protected(set) ?C $c = null) {}\n  protected private(set) int $d = 3;\n}\n", "One One.__construct One.d"),
    ("kotlin", b"inline fun <T> one(crossinline a: context(A) T.() -> Unit, noinline b: () -> Int = { 3 }): T = f()\nfun two(c: context(A, B) Map<C, D>.(Int) -> E) {}\n", "one two"),
    ("swift", b"actor One {\n  isolated deinit { a() }\n}\nfunc two<let N: Int>(x: InlineArray<N, Int>) {\n  if let a, let b: Int = c { }\n}\n", "One One.deinit two"),
    ("csharp", b"class One\n{\n    T Two<T>(T a) where T : notnull, allows ref struct { return a; }\n    void Three<T>() where T : allows ref struct { }\n}\n", "One One.Two One.Three"),
    ("scala", b"package a\n\ngiven one: [A] => (s: Show[A]) => Show[List[A]]:\n  def two(a: List[A]) = a\n\ngiven [A] => Show[A] => Show[Option[A]]:\n  def three(a: A) = a\n\ngiven four: (s: Show[Int]) => Show[Long] = f(s)\n", "one one.two Show[Option[A]] Show[Option[A]].three four"),
    ("sql", b"CREATE PROCEDURE a.one(x int) LANGUAGE plpgsql AS $$ BEGIN UPDATE b SET c = x; END $$;\nCREATE OR REPLACE PROCEDURE two(INOUT a int, b text DEFAULT 'x')\nLANGUAGE plpgsql\nSECURITY DEFINER\nAS $$\nBEGIN\n  COMMIT;\nEND;\n$$;\nCREATE TABLE three (a int);\n", "a.one two three three.a"),
    ("c", b"enum one : unsigned char { A, B = 3 };\nint two(int a)\n{\n    switch (a) {\n    case 1 ... 3: return 1;\n    case 'a' ... 'z':\n    default: return f(a ? b : c);\n    }\n}\n", "one one.A one.B two"),
    ("c", b"LIB_API int one(void);\n\nLIB_DEPRECATED(LIB_API struct node * two(\n        const char * path, int (*f)(int)),\n    \"use one instead\");\nLIB_API DEPRECATED(size_t three(void), // at once\n    \"use one\");\nLIB_API int four(void);\n", "one two three four"),
    ("c", b"void one(float * LIB_RESTRICT s, const void * RESTRICT x);\nJNIEXPORT jlong JNICALL\nJava_two(JNIEnv *env, jobject o)\n{\n    return 1;\n}\ntypedef struct {\n    LIB_EXTENSION union {\n        int a;\n    };\n    __extension__ struct {\n        int b;\n    };\n} three;\n", "one Java_two three three.a three.b"),
    ("cpp", b"template<int D>\nstatic __global__ void __launch_bounds__(f(D, g())*2, 1) one(const float * __restrict__ a) {\n    two<<<dim3(1, 2), n, 0, stream->get()>>>(a);\n}\nstatic __device__ __forceinline__ float two(const float a) { return a; }\ntemplate<int D> // so\n#if !defined(HIP)\n__launch_bounds__(D*2, 1)\n#endif // HIP\nstatic __global__ void three(int n) {}\n", "one two three"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "source", "names"), READ, ids=range(len(READ)))
def test_what_is_sound_is_read_whole_and_proven(language: str, source: bytes, names: str) -> None:
    every = skeletons(source, Language.named(language))
    assert (every.plus.syntax_errors, every.plus.unproven, every.skeleton.unproven) == (False, "", "")
    assert " ".join(every.full.symbols) == names


def test_a_name_that_begins_with_function_is_no_function_of_the_rest() -> None:
    source = b"interface A {\n  functionName: string\n}\nclass B {\n  functionRun() {}\n}\nfunctionRun(a)\nfunction* c() {}\n"
    assert [one.path for one in sketch(source, "typescript")] == ["A", "A.functionName", "B", "B.functionRun", "c"]


BROKEN = [
    ("c", b"int one(void)\n{\n    a()\n    return 1;\n}\n"),
    ("c", b"int one(void)\n{\n    return TWO\n}\n"),
    ("c", b"int one(void)\n{\n    run_with_period(100) {\n        b();\n    }\n    a = cast(Node *, b;\n}\n"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "source"), BROKEN, ids=range(len(BROKEN)))
def test_what_is_no_macro_stays_a_syntax_error(language: str, source: bytes) -> None:
    assert skeletons(source, Language.named(language)).plus.syntax_errors


def test_what_sound_code_says_is_never_read_as_something_else() -> None:
    source = b"typedef struct one_s {\n    long long a, b;\n} one_t;\nunsigned int TWO_OF(void);\nint three(const char *, int);\n"
    assert parse(source, Language.named("c"))[0] == source


def test_a_reading_that_leaves_more_in_errors_is_not_taken() -> None:
    source = b"class One {\n public:\n  One(a) {\n    b();\n  }\n};\nint two( {\n"
    parsed, tree = parse(source, Language.named("cpp"))
    assert (parsed, tree.root_node.has_error) == (source, True)
