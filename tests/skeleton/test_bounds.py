"""Types that definitions take as parameters count as those that they are said to be: `T` of `fn draw<T: Shape>(it: T)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.skeleton.test_whose_calls import told_beside

if TYPE_CHECKING:
    from pathlib import Path

BOUNDED = {
    "a.rs": "pub trait Shape { fn draw(&self); fn twin(&self) -> Self; }\npub struct Pen;\nimpl Pen { pub fn draw(&self) {} }\n"
    "pub struct Desk<T: Listen, S: Shape<T>> { s: S }\nimpl<T: Listen, S: Shape<T>> Desk<T, S> {\n    fn a(&self) { self.s.draw(); }\n}\n"
    "fn b<T: Shape>(x: &T) { x.draw(); }\nfn c<T>(x: T)\nwhere\n    T: Clone + Shape + 'static,\n    U: Other,\n{\n    x.twin().draw();\n}\n"
    "fn d<T: ?Sized + Shape<Vec<u8>>>(x: &mut T) { x.draw(); }\nfn e<T>(x: T) { x.draw(); }\n",
    "B.java": "interface Form { void ink(); }\nclass Quill { void ink() {} }\nclass Use<F extends Form> {\n  F f;\n"
    "  void a() { f.ink(); }\n  <G extends Form> void b(G g) { g.ink(); }\n}\n",
    "c.cs": "interface IBox { void Shut(); }\nclass Bag { public void Shut() {} }\nclass Use<T> where T : IBox {\n  T it;\n"
    "  void A() { it.Shut(); }\n  void B<U>(U u) where U : class, IBox { u.Shut(); }\n}\n",
    "d.ts": "interface Bell { toll(): void }\nclass Gong { toll() {} }\nfunction use<T extends Bell>(x: T) { x.toll(); }\n"
    "class Tower<B extends Bell> { constructor(private b: B) {} go() { this.b.toll(); } }\n",
    "e.kt": "interface Boat { fun sail() }\nclass Raft { fun sail() {} }\nfun <B : Boat> use(b: B) { b.sail() }\n"
    "class Port<B : Boat>(val b: B) { fun go() { b.sail() } }\n",
    "f.go": "package f\ntype Lamp interface { Light() }\ntype Torch struct{}\nfunc (t *Torch) Light() {}\nfunc Use[L Lamp](l L) { l.Light() }\n",
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (
            "Shape.draw",
            [
                "a.rs:6 in Desk.a [s is typed so]",
                "a.rs:8 in b [x is typed so]",
                "a.rs:14 in c [twin() is typed so]",
                "a.rs:16 in d [x is typed so]",
                "a.rs:17 in e [by name, 1 of 2]",
            ],
        ),
        ("Pen.draw", ["a.rs:17 in e [by name, 1 of 2]"]),
        ("Form.ink", ["B.java:5 in Use.a [f is typed so]", "B.java:6 in Use.b [g is typed so]"]),
        ("Quill.ink", []),
        ("IBox.Shut", ["c.cs:5 in Use.A [it is typed so]", "c.cs:6 in Use.B [u is typed so]"]),
        ("Bag.Shut", []),
        ("Bell.toll", ["d.ts:3 in use [x is typed so]", "d.ts:4 in Tower.go [b is typed so]"]),
        ("Gong.toll", []),
        ("Boat.sail", ["e.kt:3 in use [b is typed so]", "e.kt:4 in Port.go [b is typed so]"]),
        ("Raft.sail", []),
        ("Lamp.Light", ["f.go:5 in Use [l is typed so]"]),
        ("Torch.Light", ["f.go:5 in Use [through Lamp]"]),
    ],
)
def test_a_value_of_any_type_that_is_said_to_be_of_another_has_the_members_of_that(
    tmp_path: Path, target: str, expected: list[str]
) -> None:
    assert told_beside(tmp_path, BOUNDED, target) == expected
