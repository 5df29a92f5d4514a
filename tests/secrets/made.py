"""Values that look like the secrets of vendors, and values that only look like secrets, made anew from a seed.

The two lists are data: `planted.txt` holds what must never be served, `lookalikes.txt` what must be served as it is. A
section is a file of a made project: its kind, its path, and the encoding where that is not UTF-8. Between « and » stands
what is drawn anew: an alphabet and a length. What stands between ‹ and › in `planted.txt` is drawn as well, but is no
secret: identifiers beside one.
"""

from __future__ import annotations

import base64
import re
import string
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

HERE: Final = Path(__file__).parent
_HOLE: Final = re.compile(r"([«‹])(\w+)(?: (\d+))?[»›]")
_ENCODINGS: Final = {
    "": "utf-8",
    "utf-16-le": "utf-16-le",
    "utf-16-le-bom": "utf-16",
    "utf-16-be-bom": "utf-16-be",
    "latin-1": "latin-1",
}
_DIGITS, _LOWER, _UPPER = string.digits, string.ascii_lowercase, string.ascii_uppercase
_ALPHABETS: Final = {
    "alnum": string.ascii_letters + _DIGITS,
    "alpha": string.ascii_letters,
    "lower": _LOWER + _DIGITS,
    "upper": _UPPER + _DIGITS,
    "digits": _DIGITS,
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "b64": string.ascii_letters + _DIGITS + "+/",
    "url": string.ascii_letters + _DIGITS + "-_",
    "base32": _UPPER + "234567",
    "bech": "qpzry9x8gf2tvdw0s3jn54khce6mua7l",
    "BECH": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "nix": "0123456789abcdfghijklmnpqrsvwxyz",
    "salt": string.ascii_letters + _DIGITS + "!@#^&*()-_=+",
}
_WORDS: Final = [
    "harbor",
    "copper",
    "meadow",
    "violet",
    "thunder",
    "pepper",
    "walnut",
    "ember",
    "glacier",
    "orchid",
    "falcon",
    "timber",
]
SHOWN_CHARACTERS: Final = 12
"""So many characters of a secret in a row give it away; the whole of it where it is shorter."""


class Made(NamedTuple):
    """A file of a made project.

    Attributes:
        kind: what stands in it, in words.
        path: where it stands.
        text: its text.
        encoding: what it is written in.
        drawn: the values that were drawn for it: secrets, or what only looks like one.
    """

    kind: str
    path: str
    text: str
    encoding: str
    drawn: tuple[str, ...]

    @property
    def raw(self) -> bytes:
        """The bytes of the file."""
        mark = b"\xfe\xff" if self.encoding == "utf-16-be" else b""
        return mark + self.text.encode(self.encoding)


def planted(random: Random) -> list[Made]:
    """Makes the files that hold secrets."""
    return _made("planted.txt", random)


def lookalikes(random: Random) -> list[Made]:
    """Makes the files that hold none."""
    return _made("lookalikes.txt", random)


def shown(made: Made, answer: str) -> list[str]:
    """Returns the secrets of a file that an answer gives away."""
    return [value for value in made.drawn if any(piece in answer for piece in pieces(value))]


def pieces(value: str) -> list[str]:
    """Returns the pieces of a secret by any of which it is given away."""
    return [value[at : at + SHOWN_CHARACTERS] for at in range(max(len(value) - SHOWN_CHARACTERS, 0) + 1)]


def _made(name: str, random: Random) -> list[Made]:
    sections = (HERE / name).read_text(encoding="utf-8").split("================ ")[1:]
    return [_section(section, random) for section in sections]


def _section(section: str, random: Random) -> Made:
    head, _, body = section.partition("\n")
    kind, path, encoding = [*(part.strip() for part in head.split("|")), ""][:3]
    drawn: list[str] = []

    def fill(hole: re.Match[str]) -> str:
        value = _drawn(hole[2], int(hole[3] or 0), random)
        if hole[1] == "«":
            drawn.extend(value.splitlines())
        before = hole.string.rfind("\n", 0, hole.start()) + 1
        indent = re.match(r" *", hole.string[before:])
        return value.replace("\n", "\n" + (indent[0] if indent else ""))

    text = _HOLE.sub(fill, body)
    return Made(kind, path, text, _ENCODINGS[encoding], tuple(drawn))


def _drawn(name: str, length: int, random: Random) -> str:
    if name in _ALPHABETS:
        return _mixed(_ALPHABETS[name], length, random)
    return _SPECIAL[name](random, length)


def _mixed(alphabet: str, length: int, random: Random) -> str:
    """Draws letters and digits, both of them where there is room, as a random value of this length nearly always has."""
    while True:
        value = "".join(random.choices(alphabet, k=length))
        kinds = [group for group in (_DIGITS, string.ascii_letters) if set(group) & set(alphabet)]
        if length < SHOWN_CHARACTERS or all(set(group) & set(value) for group in kinds):
            return value


def _password(random: Random, _: int = 0) -> str:
    """Draws what a person makes up."""
    first, second = random.sample(_WORDS, 2)
    number = random.randrange(10, 9999)
    return random.choice(
        (f"{first.title()}{number}!{second}", f"{first}-{second}-{number}", f"{first[:5]}{number}{second.title()}")
    )


def _encoded(random: Random, text: str) -> str:
    del random
    return base64.b64encode(text.encode()).decode()


def _jwt(random: Random, _: int) -> str:
    body = f'{{"sub":"{_mixed(_DIGITS, 10, random)}","name":"{random.choice(_WORDS)}","iat":1767261600}}'
    head, claims = (
        base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in ('{"alg":"HS256","typ":"JWT"}', body)
    )
    return f"{head}.{claims}.{_mixed(_ALPHABETS['url'], 43, random)}"


def _uuid(random: Random, _: int) -> str:
    digits = _mixed(_ALPHABETS["hex"], 32, random)
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"


def _pem(random: Random, lines: int) -> str:
    return "\n".join(_mixed(_ALPHABETS["b64"], 64, random) for _ in range(lines))


def _bcrypt(random: Random, _: int) -> str:
    return f"$2y$10${_mixed(_ALPHABETS['alnum'] + './', 53, random)}"


_SPECIAL: Final[dict[str, Callable[[Random, int], str]]] = {
    "password": _password,
    "basic": lambda random, _: _encoded(random, f"build:{_password(random)}"),
    "b64pw": lambda random, _: _encoded(random, _password(random)),
    "jwt": _jwt,
    "uuid": _uuid,
    "UUID": lambda random, length: _uuid(random, length).upper(),
    "pem": _pem,
    "bcrypt": _bcrypt,
}
