"""Secrets and texts that look like some, made from pieces so that no scanner trips over this repository.

Every secret is drawn from a seeded generator in the shape its vendor documents, and stands in a file as people write
them: code of several languages, configuration, prose, notebooks.
"""

from __future__ import annotations

import base64
import json
import random
import string
import uuid
from dataclasses import dataclass
from hashlib import md5, sha1, sha256, sha512

_LETTERS = string.ascii_letters
_ALNUM = string.ascii_letters + string.digits
_UPPER = string.ascii_uppercase + string.digits
_LOWER = string.ascii_lowercase + string.digits
_HEX = "0123456789abcdef"
_URL = _ALNUM + "-_"
_BASE64 = _ALNUM + "+/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """A text, and the part of it that the test is about."""

    name: str
    path: str
    text: str
    value: str


_PIECES = random.Random(20)


def _draw(alphabet: str, length: int) -> str:
    """Random text; a long one has a digit and a letter in it where the alphabet has both, as practically all have."""
    kinds = [set(alphabet) & set(kind) for kind in (string.digits, string.ascii_letters)]
    while True:
        text = "".join(_PIECES.choices(alphabet, k=length))
        if length < 8 or all(set(text) & kind for kind in kinds if kind):
            return text


def vendor_tokens() -> dict[str, str]:
    """A credential of each vendor whose tokens have a shape, by what it is."""
    _PIECES.seed(7)
    draw = _draw
    encoded = base64.urlsafe_b64encode
    claims = [
        encoded(json.dumps(part).encode()).decode().rstrip("=") for part in ({"alg": "HS256"}, {"sub": draw(_LOWER, 9)})
    ]
    return {
        "aws access key": "AKIA" + draw(_UPPER, 16),
        "aws session key": "ASIA" + draw(_UPPER, 16),
        "google api key": "AI" + "za" + draw(_URL, 35),
        "google oauth secret": "GOC" + "SPX-" + draw(_URL, 28),
        "google oauth token": "ya" + "29." + draw(_URL, 80),
        "azure client secret": draw(_ALNUM, 3) + "8Q" + "~" + draw(_ALNUM, 34),
        "azure devops token": draw(_ALNUM, 76) + "AZ" + "DO" + draw(_ALNUM, 4),
        "digitalocean token": "dop" + "_v1_" + draw(_HEX, 64),
        "heroku key": "HR" + "KU-" + draw(_URL, 60),
        "fly token": "fo" + "1_" + draw(_URL, 43),
        "netlify token": "nf" + "p_" + draw(_ALNUM, 36),
        "supabase token": "sb" + "p_" + draw(_HEX, 40),
        "planetscale token": "psc" + "ale_tkn_" + draw(_URL, 43),
        "databricks token": "da" + "pi" + draw(_HEX, 32),
        "doppler token": "dp" + ".pt." + draw(_ALNUM, 43),
        "vault token": "hv" + "s." + draw(_URL, 90),
        "terraform token": draw(_ALNUM, 14) + ".atl" + "asv1." + draw(_URL, 67),
        "pulumi token": "pu" + "l-" + draw(_HEX, 40),
        "tailscale key": "tsk" + "ey-auth-" + draw(_ALNUM, 12) + "CNTRL-" + draw(_ALNUM, 32),
        "docker token": "dck" + "r_pat_" + draw(_URL, 27),
        "github token": "gh" + "p_" + draw(_ALNUM, 36),
        "github app token": "gh" + "s_" + draw(_ALNUM, 36),
        "github fine-grained token": "github" + "_pat_" + draw(_ALNUM, 22) + "_" + draw(_ALNUM, 59),
        "gitlab token": "gl" + "pat-" + draw(_URL, 20),
        "atlassian token": "ATA" + "TT3" + draw(_URL, 180),
        "bitbucket token": "AT" + "BB" + draw(_ALNUM, 32),
        "circleci token": "CCI" + "PAT_" + draw(_ALNUM, 22) + "_" + draw(_HEX, 40),
        "sonar token": "sq" + "p_" + draw(_HEX, 40),
        "npm token": "np" + "m_" + draw(_ALNUM, 36),
        "pypi token": "py" + "pi-" + draw(_URL, 150),
        "rubygems key": "ruby" + "gems_" + draw(_HEX, 48),
        "crates token": "ci" + "o" + draw(_ALNUM, 32),
        "anthropic key": "sk-" + "ant-api03-" + draw(_URL, 93) + "AA",
        "openai key": "sk-" + "proj-" + draw(_URL, 74) + "T3Blb" + "kFJ" + draw(_URL, 74),
        "openai legacy key": "sk-" + draw(_ALNUM, 48),
        "huggingface token": "h" + "f_" + draw(_LETTERS, 34),
        "groq key": "gs" + "k_" + draw(_ALNUM, 52),
        "xai key": "xa" + "i-" + draw(_ALNUM, 80),
        "replicate token": "r8" + "_" + draw(_ALNUM, 37),
        "stripe key": "sk_" + "live_" + draw(_ALNUM, 24),
        "stripe restricted key": "rk_" + "test_" + draw(_ALNUM, 99),
        "stripe webhook secret": "wh" + "sec_" + draw(_ALNUM, 32),
        "shopify token": "shp" + "at_" + draw(_HEX, 32),
        "square token": "sq0" + "csp-" + draw(_URL, 43),
        "razorpay key": "rzp" + "_live_" + draw(_ALNUM, 14),
        "slack bot token": f"{'xo'}xb-"
        + draw(string.digits, 12)
        + "-"
        + draw(string.digits, 13)
        + "-"
        + draw(_ALNUM, 24),
        "slack app token": "xa" + "pp-1-A" + draw(_UPPER, 10) + "-" + draw(string.digits, 13) + "-" + draw(_HEX, 64),
        "telegram token": draw("123456789", 10) + ":A" + "A" + draw(_URL, 33),
        "twilio key": "S" + "K" + draw(_HEX, 32),
        "sendgrid key": "S" + "G." + draw(_URL, 22) + "." + draw(_URL, 43),
        "mailgun key": "ke" + "y-" + draw(_HEX, 32),
        "mailchimp key": draw(_HEX, 32) + "-u" + "s14",
        "brevo key": "xke" + "ysib-" + draw(_HEX, 64) + "-" + draw(_ALNUM, 16),
        "linear key": "lin" + "_api_" + draw(_ALNUM, 40),
        "notion token": "nt" + "n_" + draw(_ALNUM, 46),
        "figma token": "fi" + "gd_" + draw(_URL, 40),
        "airtable token": "pa" + "t" + draw(_ALNUM, 14) + "." + draw(_HEX, 64),
        "postman key": "PM" + "AK-" + draw(_HEX, 24) + "-" + draw(_HEX, 34),
        "hubspot token": "pa" + "t-na1-" + str(uuid.UUID(int=_PIECES.getrandbits(128))),
        "grafana token": "gl" + "sa_" + draw(_ALNUM, 32) + "_" + draw(_HEX, 8),
        "new relic key": "NR" + "AK-" + draw(_UPPER, 27),
        "dynatrace token": "dt" + "0c01." + draw(_UPPER, 24) + "." + draw(_UPPER, 64),
        "dropbox token": "s" + "l." + draw(_URL, 135),
        "age key": "AGE-SEC" + "RET-KEY-1" + draw(_UPPER, 58),
        "json web token": ".".join([*claims, draw(_URL, 43)]),
    }


def in_code(value: str) -> tuple[str, str]:
    """A file of code that holds the value and says nothing of it."""
    return "src/client.py", f'import http\n\n\ndef connect():\n    """Opens it."""\n    return http.open("{value}")\n'


def in_configuration(value: str) -> tuple[str, str]:
    """A configuration file that holds it among other things."""
    return "deploy/values.yaml", f"replicas: 3\nendpoint:\n  id: {value}\n  region: eu-central-1\n"


def in_prose(value: str) -> tuple[str, str]:
    """A page that mentions it."""
    return "docs/notes.md", f"# Notes\n\nCall it with `{value}`, then wait.\n\n- and {value}, again\n"


def in_notebook(value: str) -> tuple[str, str]:
    """A notebook with it in a cell and in that cell's output."""
    cell: dict[str, object] = {
        "cell_type": "code",
        "execution_count": 1,
        "metadata": {},
        "source": ["import client\n", f"c = client.open('{value}')\n", "print(c)"],
        "outputs": [{"name": "stdout", "output_type": "stream", "text": [f"opened\n{value}\n"]}],
    }
    return "explore.ipynb", json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)


CONTAINERS = (in_code, in_configuration, in_prose, in_notebook)


def _key_lines(length: int) -> list[str]:
    text = _draw(_BASE64, length)
    return [text[at : at + 64] for at in range(0, length, 64)]


def private_keys() -> list[Planted]:
    """Private keys in the ways they are written down; the value is a line of the key."""
    _PIECES.seed(11)
    planted: list[Planted] = []
    for kind in ("RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", "", "DSA "):
        lines = _key_lines(600)
        text = "\n".join(
            (f"-----BEGIN {kind}PRIVATE " + "KEY-----", *lines, f"-----END {kind}PRIVATE " + "KEY-----", "")
        )
        planted.append(Planted(name=f"{kind}key in a file", path="certs/server.txt", text=text, value=lines[4]))
    lines = _key_lines(600)
    begin, end = "-----BEGIN PRIVATE " + "KEY-----", "-----END PRIVATE " + "KEY-----"
    on_one_line = json.dumps({"type": "service", "key": "\n".join((begin, *lines, end))})
    joined = "const pem =\n" + "".join(f'  "{line}\\n" +\n' for line in (begin, *lines)) + f'  "{end}";\n'
    indented = "data:\n  tls: |\n" + "".join(f"    {line}\n" for line in (begin, *lines, end)) + "kind: x\n"
    commented = "".join(f"# {line}\n" for line in (begin, *lines, end))
    cut = "\n".join((begin, *lines[:6]))
    pgp = "\n".join(
        (
            "-----BEGIN PGP PRIVATE " + "KEY BLOCK-----",
            "Version: 1",
            "",
            *lines,
            "-----END PGP PRIVATE " + "KEY BLOCK-----",
        )
    )
    for name, path, text in (
        ("key on one line", "account.json", on_one_line),
        ("key in joined strings", "pem.ts", joined),
        ("key in yaml", "tls.yaml", indented),
        ("key in comments", "setup.sh", commented),
        ("key that is cut off", "log.txt", cut),
        ("pgp key", "signing.asc.txt", pgp),
    ):
        planted.append(Planted(name=name, path=path, text=text, value=lines[3]))
    return planted


def named_values() -> list[Planted]:
    """Secrets without a shape, given away by the name or the place."""
    _PIECES.seed(13)
    draw = _draw
    password = "Tr0ub4" + "dor&" + draw(_ALNUM, 4)
    word = "".join(_PIECES.choices("bdfgklmnprst", k=4)) + "ovnik" + "".join(_PIECES.choices("aeiou", k=3))
    token, hexadecimal, key = draw(_ALNUM, 32), draw(_HEX, 40), draw(_BASE64, 40)
    account = draw(_BASE64, 86) + "=="
    identifier = str(uuid.UUID(int=_PIECES.getrandbits(128), version=4))
    basic = base64.b64encode(f"deploy:{password}".encode()).decode()
    cases = (
        ("env password", "settings.env.txt", "DEBUG=1\nDB_PASSWORD={}\nDB_HOST=db\n", password),
        ("env word", "settings.conf", "POSTGRES_PASSWORD={}\n", word),
        ("env export", "setup.sh", "export SECRET_KEY='{}'\n", draw(_ALNUM + "!#%*", 50)),
        ("env token", "run.sh", "GITEA_TOKEN={} ./run\n", hexadecimal),
        ("dockerfile", "Dockerfile", "FROM alpine\nENV API_TOKEN {}\n", token),
        ("compose", "compose.yml", "services:\n  db:\n    environment:\n      MYSQL_ROOT_PASSWORD: {}\n", password),
        ("properties", "application.properties", "spring.datasource.password={}\n", password),
        ("ini", "setup.ini", "[mail]\nuser = x\npasswd = {}\n", password),
        ("toml", "config.toml", 'api_key = "{}"\n', token),
        ("json", "config.json", '{{"client": {{"clientSecret": "{}"}}}}\n', token),
        ("xml", "settings.xml", "<server>\n  <id>x</id>\n  <password>{}</password>\n</server>\n", password),
        ("xml attribute", "Web.config", '<add key="ApiKey" value="{}" />\n', token),
        ("terraform", "main.tf", 'resource "x" "y" {{\n  master_password = "{}"\n}}\n', password),
        ("python", "app.py", 'class Settings:\n    api_key: str = "{}"\n', token),
        ("python environment", "app.py", 'SECRET = os.getenv("APP_SECRET", "{}")\n', token),
        ("python call", "app.py", "db.connect(user='x', password='{}')\n", password),
        ("javascript", "app.js", "const config = {{ accessToken: '{}', retries: 3 }};\n", token),
        ("typescript", "app.ts", "const apiKey: string =\n  `{}`;\n", token),
        ("go", "main.go", 'var dbPassword = "{}"\n', password),
        ("java", "App.java", 'private static final String ENCRYPTION_KEY = "{}";\n', token),
        ("kotlin", "App.kt", 'val clientSecret: String = "{}"\n', token),
        ("rust", "main.rs", 'const AUTH_TOKEN: &str = "{}";\n', token),
        ("ruby", "secrets.rb", "config.secret_key_base = '{}'\n", draw(_HEX, 128)),
        ("php", "wp-config.php", "define( 'DB_PASSWORD', '{}' );\n", password),
        ("php array", "app.php", "return ['password' => '{}'];\n", password),
        ("c#", "App.cs", 'var c = "Server=db;User Id=sa;Password={};Encrypt=true";\n', password),
        ("password hash", "seed.sql", "INSERT INTO u (password_hash) VALUES ('{}');\n", "$2b$12$" + draw(_ALNUM, 53)),
        ("sql", "roles.sql", "CREATE ROLE app LOGIN PASSWORD '{}';\n", password),
        ("swift", "App.swift", 'let apiSecret = "{}"\n', token),
        ("aws pair", "credentials.md", "    aws_secret_access_key = {}\n", key),
        ("aws table", "new_user.csv.txt", "x,AKIA" + draw(_UPPER, 16) + ",{}\n", key),
        ("azure account", "app.cs", 'Use("AccountName=x;AccountKey={};EndpointSuffix=core");\n', account),
        ("bearer header", "api.http", "GET /\nAuthorization: Bearer {}\n", token),
        ("header in code", "api.py", 'headers = {{"X-API-Key": "{}"}}\n', token),
        ("basic header", "api.md", "    Authorization: Basic {}\n", basic),
        (
            "database url",
            "app.py",
            'engine = create("postgresql://app:{}@db:5432/app")\n',
            password.replace("&", "%26"),
        ),
        ("redis url", "cache.yml", "url: redis://:{}@cache:6379/0\n", token),
        ("queue url", "readme.md", "Set `AMQP=amqps://svc:{}@mq.internal/x`.\n", token),
        ("query of a url", "job.js", 'fetch("https://api.internal/x?limit=3&api_key={}&page=1")\n', token),
        ("signed url", "notes.md", "[file](https://s3/x?X-Amz-Signature={})\n", draw(_HEX, 64)),
        ("curl user", "notes.md", "    curl -u admin:{} https://x\n", password),
        ("flag", "deploy.sh", "tool login --user x --password {}\n", password),
        ("npm registry", "npm.md", "//registry.internal/:_authToken={}\n", identifier),
        (
            "kubernetes",
            "secret.yaml",
            "apiVersion: v1\nkind: Secret\ndata:\n  database: {}\n",
            base64.b64encode(password.encode()).decode(),
        ),
        (
            "webhook",
            "alert.py",
            'post("https://hooks.sla' + 'ck.com/services/T{}")\n',
            f"{draw(_UPPER, 8)}/B{draw(_UPPER, 8)}/{draw(_ALNUM, 24)}",
        ),
        (
            "notebook value",
            "train.ipynb",
            '{{"cells": [{{"cell_type": "code", "source": ["wandb_api_key = \\"{}\\"\\n"]}}]}}',
            hexadecimal,
        ),
        ("dsn in code", "db.py", 'connect("host=db user=app password={} dbname=x")\n', password),
        ("name and value in yaml", "pod.yaml", "env:\n  - name: DB_PASSWORD\n    value: {}\n", password),
        ("name and value in json", "task.json", '{{"name": "API_TOKEN", "value": "{}"}}\n', token),
        ("settings in a test", "test_env.py", 'ENV = """\nAPI_KEY={}\n"""\n', token),
        ("word as a key", "app.js", 'const JWT_SECRET = "{}";\n', "mysupersecret" + word),
        ("phrase", "wallet.py", 'passphrase = "{}"\n', "correct horse battery " + word),
        ("netrc", "netrc.md", "machine x login deploy password {}\n", token),
        ("mysql", "backup.sh", "mysqldump -u root -p{} shop\n", password),
        ("powershell", "setup.ps1", '$p = ConvertTo-SecureString "{}" -AsPlainText\n', password),
        ("define", "keys.h", '#define WIFI_PASSWORD "{}"\n', password),
        ("lua", "init.lua", 'config["auth_token"] = "{}"\n', token),
        ("elixir", "prod.exs", 'config :app, secret_key_base: "{}"\n', draw(_ALNUM, 64)),
        ("objective-c", "App.m", 'NSString *apiSecret = @"{}";\n', token),
        ("r", "keys.R", 'api_key <- "{}"\n', token),
        ("makefile", "Makefile", "DEPLOY_TOKEN ?= {}\n", token),
        ("helm", "install.sh", "helm install x --set auth.password={}\n", password),
        ("form", "login.html", '<input type="password" value="{}">\n', password),
        ("escaped json", "event.json", '{{"body": "{{\\"password\\": \\"{}\\"}}"}}\n', password),
        ("private key in hexadecimal", "chain.ts", 'const PRIVATE_KEY = "0x{}";\n', draw(_HEX, 64)),
        ("uuid as a key", "heroku.yml", "HEROKU_API_KEY: {}\n", identifier),
        ("ansible", "hosts.ini", "web ansible_user=x ansible_ssh_pass={}\n", password),
        ("c# property", "appsettings.json", '{{"ConnectionStrings": {{"Db": "Server=x;Uid=y;Pwd={};"}}}}\n', password),
        ("vendor's example", "README.md", "key {} of the manual\n", "AKIAIOSFODNN7" + "EXAMPLE"),
        (
            "vendor's second example",
            "README.md",
            "aws_secret_access_key={}\n",
            "wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY",
        ),
        ("in a log", "build.log", "INFO connecting, token={}\n", token),
        ("in an error", "error.txt", "ValueError: bad credentials: password='{}'\n", password),
    )
    return [Planted(name=name, path=path, text=text.format(value), value=value) for name, path, text, value in cases]


def look_alikes() -> list[Planted]:
    """Texts that are no secrets: digests, identifiers, placeholders, names, expressions, data."""
    _PIECES.seed(17)
    draw = _draw
    content = draw(_ALNUM, 20).encode()
    commit = sha1(content, usedforsecurity=False).hexdigest()
    digest = sha256(content).hexdigest()
    integrity = "sha512-" + base64.b64encode(sha512(content).digest()).decode()
    identifier = str(uuid.UUID(int=_PIECES.getrandbits(128), version=4))
    image = base64.b64encode(_PIECES.randbytes(900)).decode()
    lines = _key_lines(300)
    certificate = "\n".join(("-----BEGIN CERTIFICATE-----", *lines, "-----END CERTIFICATE-----"))
    cases = (
        ("commit", "ci.yml", "    uses: actions/checkout@{}\n", commit),
        ("commit in a lock", "Cargo.lock", 'source = "git+https://x/y#{}"\n', commit),
        ("commit in prose", "notes.md", "Fixed in {}.\n", commit),
        ("md5", "sums.txt", "{}  file.tar\n", md5(content, usedforsecurity=False).hexdigest()),
        ("sha256", "sums.py", 'CHECKSUM = "{}"\n', digest),
        ("sha256 of an image", "compose.yml", "image: x@sha256:{}\n", digest),
        ("npm integrity", "package-lock.json", '"integrity": "{}"\n', integrity),
        ("yarn integrity", "yarn.lock", "  integrity {}\n", integrity),
        ("pip hash", "requirements.txt", "x==1.0 --hash=sha256:{}\n", digest),
        ("go sum", "go.sum", "github.com/x/y v1.2.3 h1:{}=\n", draw(_BASE64, 43)),
        ("uuid", "ids.py", 'TENANT = "{}"\n', identifier),
        ("uuid in json", "project.json", '{{"projectId": "{}"}}\n', identifier),
        ("primary key", "rows.json", '{{"primary_key": "{}"}}\n', identifier),
        ("cache key", "cache.yml", "key: {}-deps\n", digest[:16]),
        ("etag", "http.txt", 'ETag: "{}"\n', digest[:32]),
        ("nonce of a page", "page.html", '<script nonce="{}"></script>\n', draw(_ALNUM, 22)),
        ("csrf", "form.html", '<input name="csrf_token" value="{}">\n', draw(_ALNUM, 32)),
        ("image in css", "a.css", "background: url(data:image/png;base64,{})\n", image),
        ("image in markdown", "a.md", "![x](data:image/png;base64,{})\n", image),
        ("image in a notebook", "a.ipynb", '{{"cells": [{{"outputs": [{{"data": {{"image/png": "{}"}}}}]}}]}}', image),
        ("certificate", "ca.txt", "{}\n", certificate),
        ("public key", "keys.txt", "ssh-rsa AAAA{} me@host\n", draw(_BASE64, 200)),
        ("public key in code", "a.ts", 'const publicKey = "{}";\n', draw(_BASE64, 44)),
        ("publishable key", "a.ts", 'const publishableKey = "pk_live_{}";\n', draw(_ALNUM, 24)),
        ("placeholder", "README.md", "export OPENAI_API_KEY={}\n", "your-api-key-here"),
        ("placeholder in code", "a.py", 'api_key = "{}"\n', "YOUR_API_KEY"),
        ("placeholder in angles", "README.md", "password: {}\n", "<your-password>"),
        ("placeholder in braces", "a.yml", "password: {}\n", "${DB_PASSWORD}"),
        ("template", "chart.yaml", "token: {}\n", "{{ .Values.token }}"),
        ("workflow", "ci.yml", "token: {}\n", "${{ secrets.GITHUB_TOKEN }}"),
        ("changeme", ".env.example", "DB_PASSWORD={}\n", "changeme"),
        ("crosses", "README.md", "TOKEN={}\n", "x" * 32),
        ("crosses of a vendor", "README.md", "gh auth with {}\n", "ghp_" + "x" * 36),
        ("stars", "README.md", "password: {}\n", "*" * 12),
        ("dots", "README.md", "`sk-{}`\n", "..."),
        ("environment", "a.js", "const token = {};\n", "process.env.API_TOKEN"),
        ("environment in python", "a.py", "API_KEY = {}\n", 'os.environ["API_KEY"]'),
        ("call", "a.py", "password = {}\n", "getpass.getpass(prompt)"),
        ("call with digits", "a.py", "token = {}\n", "generate_token(32)"),
        ("attribute", "a.ts", "this.password = {};\n", "form.password1.value"),
        ("parameter", "a.py", "def login(user, {}=None):\n    pass\n", "password"),
        ("annotation", "a.ts", "interface A {{ password: {}; }}\n", "string"),
        ("field", "a.py", "password = {}\n", "models.CharField(max_length=128)"),
        ("label", "a.tsx", 'const labels = {{ password: "{}" }};\n', "Enter your password"),
        ("word for itself", "a.js", "const PASSWORD = '{}';\n", "password"),
        ("kind of a field", "a.html", '<input name="password" type="{}">\n', "password"),
        ("error code", "a.ts", 'const BAD_TOKEN = "{}";\n', "ERR_BAD_TOKEN_2"),
        ("name of a secret", "pod.yaml", "secret: {}\n", "my-app-tls-v2"),
        ("name of a key", "a.go", 'const apiKeyHeader = "{}"\n', "X-Api-Key"),
        ("token of a grammar", "lexer.py", 'TOKEN = "{}"\n', "IDENTIFIER"),
        ("pattern of a token", "lexer.py", 'TOKEN = r"{}"\n', "[a-zA-Z_][a-zA-Z0-9_]*"),
        ("long name", "a.py", "def {}():\n    pass\n", "test_that_a_very_long_name_with_2_numbers_1_stays"),
        ("long class", "a.css", ".{} {{ margin: 0 }}\n", "sk-folding-cube-container-wrapper-2"),
        ("url", "a.yml", "token_url: {}\n", "https://login.internal/oauth2/v2.0/token"),
        ("url with a port", "a.yml", "url: {}\n", "http://localhost:8080/@scope/pkg"),
        ("url with words", "a.md", "`{}`\n", "postgres://user:password@localhost/db"),
        ("path", "a.conf", "ssl_key_password_file = {}\n", "/etc/ssl/private/pass1.txt"),
        ("path of a secret", "a.yml", "secret: {}\n", "/run/secrets/db_password_2"),
        ("flag", "a.sh", "{}\n", "tool --password-stdin --token-file=a1.txt"),
        ("version", "package.json", '{{"parse-passwd": "{}"}}\n', "^1.0.0"),
        ("variable", "a.kt", 'val url = "http://user:{}@host"\n', "$password"),
        ("query of a tree", "a.cs", 'tree.SelectToken("{}");\n', "items[0].name"),
        ("number", "a.py", "MAX_TOKENS = {}\n", "128000"),
        ("budget", "a.json", '{{"token_budget": {}}}\n', "8000"),
        ("boolean", "a.yml", "use_auth_token: {}\n", "true"),
    )
    return [Planted(name=name, path=path, text=text.format(value), value=value) for name, path, text, value in cases]
