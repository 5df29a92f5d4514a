from __future__ import annotations

from benchmarks.skeletons.rust_tokens import items_in_macros

SOURCE = """\
fn outside() { inside! { fn local() {} } }
cfg_rt! {
    /// fn in_doc() {}
    #[derive(Debug)]
    pub(crate) async fn spawn(a: &'static str) -> u8 { let x = "fn text() {}"; 1 }
    impl<T> A<T> where T: B { fn method(&self); const LIMIT: u8 = 1; }
    cfg_net! { static mut COUNT: u8 = 0; mod net; }
    macro_rules! pick { () => { fn none() {} } }
}
lazy_static! { static ref NAMES: Vec<u8> = vec![]; }
cfg_if! { if #[cfg(a)] { struct Here(u8); } else { type There = u8; } }
impl C { run! { unsafe fn deep() {} } }
"""


def test_the_reader_of_tokens_finds_items_inside_calls_alone() -> None:
    assert [(one.kind, one.name, one.line, one.macro) for one in items_in_macros(SOURCE)] == [
        ("fn", "spawn", 5, "cfg_rt"),
        ("fn", "method", 6, "cfg_rt"),
        ("const", "LIMIT", 6, "cfg_rt"),
        ("static", "COUNT", 7, "cfg_net"),
        ("mod", "net", 7, "cfg_net"),
        ("macro_rules", "pick", 8, "cfg_rt"),
        ("static", "NAMES", 10, "lazy_static"),
        ("struct", "Here", 11, "cfg_if"),
        ("type", "There", 11, "cfg_if"),
        ("fn", "deep", 12, "run"),
    ]


def test_an_item_reaches_from_its_first_word_to_its_end() -> None:
    texts = [SOURCE[one.start : one.end] for one in items_in_macros(SOURCE)]
    assert texts[0] == 'pub(crate) async fn spawn(a: &\'static str) -> u8 { let x = "fn text() {}"; 1 }'
    assert texts[-1] == "unsafe fn deep() {}"
    assert texts[-3] == "struct Here(u8);"
