"""Secrets in text: every planted one is taken out, look-alikes stay, lines stay, hostile text takes linear time."""

from __future__ import annotations

import json
import string
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workspace.planted import (
    CONTAINERS,
    Planted,
    look_alikes,
    named_values,
    private_keys,
    vendor_tokens,
)
from workspace.secrets.redaction import redact, redacted, redactions, secret_count

_TOKENS = vendor_tokens()
_PLANTED = [*private_keys(), *named_values()]
_ALIKE = look_alikes()


@pytest.mark.parametrize("name", _TOKENS)
@pytest.mark.parametrize("container", CONTAINERS)
def test_a_vendors_token_never_leaves(name: str, container: Callable[[str], tuple[str, str]]) -> None:
    token = _TOKENS[name]
    path, text = container(token)

    shown, count = redact(text, path)

    assert token not in shown
    assert token[-10:] not in shown
    assert count == text.count(token)
    assert shown.count("\n") == text.count("\n")


@pytest.mark.parametrize("case", _PLANTED, ids=lambda case: case.name)
def test_a_secret_given_away_by_its_name_or_place_never_leaves(case: Planted) -> None:
    shown, count = redact(case.text, case.path)

    assert case.value not in shown
    assert case.value[-6:] not in shown
    assert "[REDACTED:" in shown
    assert count >= 1
    assert shown.count("\n") == case.text.count("\n")


_WRAPPED: dict[str, Callable[[str], tuple[str, str]]] = {
    "escaped in json": lambda text: ("log.json", json.dumps({"output": "ran\n" + text})),
    "lines of a notebook": lambda text: ("a.ipynb", json.dumps(text.splitlines(keepends=True), indent=1)),
    "a literal": lambda text: ("a.py", repr("ran\n" + text)),
    "quoted": lambda text: ("a.md", "> " + text.replace("\n", "\n> ")),
    "indented": lambda text: ("a.md", "    " + text.replace("\n", "\n    ")),
    "added in a diff": lambda text: ("a.diff", "".join(f"+{line}\n" for line in text.splitlines())),
}


@pytest.mark.parametrize("wrapped", _WRAPPED)
def test_a_planted_secret_never_leaves_when_its_file_stands_inside_another(wrapped: str) -> None:
    for case in _PLANTED:
        path, text = _WRAPPED[wrapped](case.text)
        shown, _ = redact(text, path)
        assert case.value not in shown, case.name
        assert json.dumps(case.value)[1:-1] not in shown, case.name


def test_the_planted_set_is_large_and_of_many_kinds() -> None:
    assert len(_TOKENS) + len(_PLANTED) >= 120
    assert len({case.path.rsplit(".", 1)[-1] for case in _PLANTED}) >= 30


def test_what_looks_like_a_secret_stays_readable() -> None:
    hidden = [case.name for case in _ALIKE if case.value not in redact(case.text, case.path)[0]]

    assert len(_ALIKE) >= 60
    assert hidden == []


@pytest.mark.parametrize(
    "line", ["--- PASS: TestV2Keys (0.00s)", "    --- PASS: TestOutdated/a#01 (0.00s)", "--- PASS: TestV2"]
)
@pytest.mark.parametrize("before", ["", "=== RUN   TestV2Keys\n"])
def test_the_verdict_on_a_test_is_no_password(before: str, line: str) -> None:
    assert redact(before + line) == (before + line, 0)


def test_a_mark_says_what_was_there_and_the_rest_of_the_line_stays() -> None:
    token = _TOKENS["github token"]

    shown, count = redact(f'client = open("{token}", retries=3)  # for the nightly job\n', "a.py")

    assert shown == 'client = open("[REDACTED:github-token]", retries=3)  # for the nightly job\n'
    assert count == 1


def test_a_private_key_keeps_its_frame_and_its_lines() -> None:
    key = private_keys()[0]

    shown, count = redact(key.text, key.path)

    lines = shown.split("\n")
    assert lines[0] == key.text.split("\n")[0]
    assert lines[1] == "[REDACTED:private-key]"
    assert set(lines[2:-2]) == {""}
    assert lines[-2] == key.text.split("\n")[-2]
    assert count == 1


def test_a_json_text_that_holds_secrets_still_parses() -> None:
    for case in [
        *_PLANTED,
        *(Planted(name="", path=path, text=text, value="") for path, text in map(in_notebook_of, _TOKENS)),
    ]:
        if case.path.endswith((".json", ".ipynb")):
            json.loads(redact(case.text, case.path)[0])


def in_notebook_of(name: str) -> tuple[str, str]:
    return CONTAINERS[-1](_TOKENS[name])


def test_what_is_redacted_already_is_left_alone() -> None:
    for case in _PLANTED:
        shown, _ = redact(case.text, case.path)
        assert redact(shown, case.path) == (shown, 0)


def test_the_same_assignment_is_an_expression_in_code_and_a_value_in_settings() -> None:
    line = "db_password=pr3fix.l00kup2\n"

    assert redact(line, "app.py") == (line, 0)
    assert redact(line, "app.properties")[0] == "db_password=[REDACTED:password]\n"


_SECRETISH = st.sampled_from(
    [
        *(
            "password",
            "token",
            "api_key",
            "=",
            ": ",
            '"',
            "'",
            "\n",
            "\\n",
            "://",
            "@",
            "Bearer ",
            "Basic ",
            "-----BEGIN ",
        ),
        *("PRIVATE KEY-----", "-----END ", "AKIA", "ghp_", "kind: Secret\n", "value=", "(", ",", "é", " ", "hunter2x"),
        *("A1b2C3d4E5f6G7h8I9j0K1l2", "curl -u a:"),
    ]
)


@given(st.lists(_SECRETISH | st.text(alphabet=string.printable + "äß漢", max_size=8), max_size=40).map("".join))
def test_places_are_ordered_apart_and_inside_lines(text: str) -> None:
    source = text.encode()

    found = redactions(source, "notes.md")

    end = 0
    for one in found:
        assert end <= one.start < one.end <= len(source)
        assert b"\n" not in source[one.start : one.end]
        end = one.end
    shown = redacted(source, found)
    assert shown.count(b"\n") == source.count(b"\n")
    shown.decode()
    assert secret_count(found) <= len(found)


_HOSTILE = {
    "frames of keys": b"-----BEGIN PRIVATE " + b"KEY-----\n",
    "one long run": b"a1B",
    "starts of tokens": b"AKIA ghp_ sk- eyJ xoxb- SG.",
    "names": b'password="',
    "names without an end": b"password",
    "keys without values": b"api_key=",
    "addresses": b"://a:",
    "address without an end": b"http://user:aaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "dots": b"eyJaaaaaaaaaaaa.",
    "blanks": b"password            ",
    "quotes": b"password='\\'",
    "signs": b"password: : : : [][]",
    "schemes": b"bearer basic ",
    "curl": b"curl -u aaaaaaaaaaaaaa",
    "mysql": b"mysql -h x ",
    "manifests": b"kind: Secret\n  a: aaaaaaaaaaaa\n",
    "line ends": b"\n password\n value\n",
    "base64": b"Kz/+A9aQ",
    "discord": b"discord MTAaaaaaaaaaaaaaaaaaaaaaaa.aaaaaa.",
    "pieces": b'token="aaaa"+"aaaa"+',
    "pieces of names": b'token="token="+token=',
    "strings one below the other": b'token="abcd"\n"abcd"\n',
    "lines that go on": b"token=abcd1234\\\n",
    "blocks": b"token: |\n  abcdefgh\n",
    "blocks without an end": b"token: |\n" + b"  abcd1234\n" * 9,
    "long values": b"token=" + b"a1B2" * 99,
    "values that name themselves": b"token=token=" + b"a1B2" * 9,
    "objects": b'"password": {',
    "objects without a value": b'"password": {"type": "a", ',
    "functions": b"password() -> a ",
    "defaults": b"token || token ?? ",
    "sentences": b"the api key is ",
    "elements": b"<password>aaaa",
    "property lists": b"<key>password</key>      ",
    "comments": b"// password: abcdefg1",
    "cookies": b"cookie: a=b; ",
    "cookies of one name": b"cookie: a=" + b"a1B2" * 99,
    "authorization": b"authorization: ",
    "authorization on one line": b'authorization: "a1B2a1B2a1B2a1B2a1B2',
    "registries": b'"auth": "aaaaaaaa',
    "logins": b"login -p login -p ",
    "logins without an option": b"login                ",
    "uploads": b"upload x -p 1 ",
    "hashes": b"$2b$10$$6$aaaa$",
    "hashes without an end": b"$argon2id$v=19$m=1$aaaaaaaa",
    "directories": b"{SSHA}aaaaaaaaaaaaaaaaaaaa",
    "addresses of keys": b"?key=&code=a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2",
    "pgpass": b"a:5432:a:a:*:a:a:",
    "manifests of strings": b"kind: Secret\nstringData:\n  a: aaaa1\n",
    "manifests of one": b"kind: Secret\nstringData:\n" + b"  a: aaaa1\n" * 999,
    "oracle": b"jdbc:oracle:thin:a/aaaaa",
    "states": b'random_password "result": "',
    "tables": b"| password | a |\n|---|---|\n",
    "tables of many columns": b"| password " * 99 + b"|\n|-|\n",
    "keys in base64": b"LS0tLS1CRUdJTiBQUklWQVRFaaaa",
    "beginnings of web tokens": b"eyJhbGciOiJIUzI1NiJ9_",
    "web of commands": b"htpasswd -b a a a redis-cli -a sqlcmd -P net use /user:a ldapsearch -w ",
}


@pytest.mark.no_cover
@pytest.mark.parametrize("name", _HOSTILE)
@pytest.mark.parametrize("path", ["notes.md", pytest.param("notes.py", marks=pytest.mark.long)])
def test_the_time_is_linear_in_hostile_text(name: str, path: str) -> None:
    def seconds(size: int) -> float:
        text = _HOSTILE[name] * (size // len(_HOSTILE[name]))
        start = time.process_time()
        redactions(text, path)
        return time.process_time() - start

    # Four times the text; quadratic work would take sixteen times as long.
    small = min(seconds(1 << 14) for _ in range(2))
    assert any(seconds(1 << 16) < 10 * small + 0.05 for _ in range(3))


def test_a_web_token_is_found_behind_a_name_and_with_a_long_header() -> None:
    ending = ".eyJzdWIiOiJhbGljZSJ9.dBjftJeZ4CVPmB92K27uhbUJU1p1r_wW1g"
    for header in ("eyJhbGciOiJIUzI1NiJ9", "eyJ4NWMiOlsi" + "MIIDqDCCApCgAwIBAgIGAV0" * 300):
        assert ending not in redact(f"Cookie: session {header}{ending}\n", "notes.md")[0]
    assert ending not in redact(f"id_token_eyJhbGciOiJIUzI1NiJ9{ending}\n", "notes.md")[0]


def test_the_folders_of_a_shell_are_no_passwords() -> None:
    folders = 'PWD=$TEST_DIR/a1 find_up\nOLDPWD="${HOME}/v2.1"\nexport PWD=$TEST_DIR\n'
    assert redact(folders, "find.sh") == (folders, 0)
    kept, count = redact("Server=db;UID=sa;PWD=q7#Lm2xZ9;\nMY_PWD=$Tr0ub4dor/3x\n", "odbc.ini")
    assert (count, "q7#Lm2xZ9" in kept, "Tr0ub4dor" in kept) == (2, False, False)


@pytest.mark.parametrize("path", ["a.nix", "a.conf", "a.gd", "a.ps1"])
def test_a_switch_with_the_sign_that_ends_it_is_no_password(path: str) -> None:
    line = "security.sudo.needsPassword = false;\n"
    assert redact(line, path) == (line, 0)


def test_a_password_of_nix_is_one_where_it_is_quoted() -> None:
    assert redact('users.password = "kF8sQz71mPw";\nhashed.password = cfg.password.hash;\n', "a.nix")[1] == 1


@pytest.mark.parametrize("expression", ["secrets[0]", "names[m.group(0)]", "self.made_pw2", "read2()", "value!r"])
def test_an_expression_that_a_string_takes_its_text_from_is_no_secret(expression: str) -> None:
    lines = f"text = f'<secret>{{{expression}}}</secret>'\npassword = f'{{{expression}}}'\n"
    assert redact(lines, "a.py") == (lines, 0)


def test_a_password_in_braces_is_one_where_it_is_no_expression() -> None:
    assert redact("<password>{xK29fQ!zz1}</password>\n", "a.xml")[1] == 1


_NAMES_AND_LABELS = {
    "fields of a form": ("forms.py", 'first, second = data.get("password1"), data.get("password2")\n'),
    "labels of a form": ("intl_es.arb", '"signInPassword": "Contraseña*",\n"retypePassword": "Palavra-passe*"\n'),
    "notes beside a text": ("intl_en.arb", '"signInPassword": "Password",\n"@signInPassword": {\n'),
    "sentences without blanks": ("ja.json", '"secret": "シークレットを入力してください1"\n'),
    "actions of routes": ("routes.rb", 'post "/login/reset_password" => "login#reset_password"\n'),
    "types of a schema": ("user.graphqls", "type Mutation {\n  login(password: String!, token: [String!]!): User\n}\n"),
    "types of resources": ("main.bicep", "resource dbSecret 'Acme.Vault/vaults/secrets@2022-07-01' = {\n"),
    "names of parameters": ("main.bicep", "dbAdminPassword: sqlAdminPassword\n"),
    "tags of fields": ("a.pb.go", '\tCredentials *Sso `protobuf:"bytes,2,opt,name=sso,json=sso,proto3"`\n'),
    "names of variables": ("saml.php", "'privateKey' => env('SAML2_SP_x509_KEY', ''),\n"),
    "variables in a row": ("shell.scm", '"OLDPWD" "OPTERR"\n'),
    "files in a folder": ("a.yml", 'export GOOGLE_APPLICATION_CREDENTIALS="$RUNNER_TEMP/google_1.json"\n'),
    "set or not": ("mvnw", 'case "${ACME_PASSWORD:+has-password}" in\n'),
    "settings of an editor": ("mcp.json", '"ACME_API_KEY": "{env:ACME_API_KEY2}"\n'),
    "arrays of PowerShell": ("a.ps1", "$pass = @($false)\n"),
    "arguments in prose": ("models.md", "    user = User(**given.dump(), hashed_password=hashed_password)\n"),
    "prose on a login": ("notes.md", "* Fields on login and password reset forms are visible.\n"),
    "manifests beside a secret": (
        "db.yml",
        "kind: Secret\n---\nkind: Deployment\n  pullPolicy: IfNotPresent\n  app: petclinic\n",
    ),
}


@pytest.mark.parametrize("name", _NAMES_AND_LABELS)
def test_a_name_or_a_label_is_no_secret(name: str) -> None:
    path, text = _NAMES_AND_LABELS[name]
    assert redact(text, path) == (text, 0)


def test_what_looks_nearly_like_a_name_is_still_a_secret() -> None:
    for path, text in {
        "a.py": 'password = "hunter22"\n',
        "b.yml": "password: Summer2024*\n",
        "c.json": '"password": "@someThing1234"\n',
        "d.yml": "kind: Secret\ndata:\n  file: cGFzc3dvcmQxMjM0\n",
        "e.yml": "kind: Secret\ndata:\n  file: q83vEjRWeJCrze8SNFZ4kA==\n",
        "g.md": "    user = User(password=hunter22)\n",
        "f.env": "MY_PASSWORD=$Tr0ub4dor/3x\n",
    }.items():
        assert redact(text, path)[1] == 1, path
