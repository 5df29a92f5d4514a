"""Texts for the tests of formats: well-formed files, and hostile ones made of the pieces that formats are read by."""

from __future__ import annotations

import json

from hypothesis import strategies as st

NAMES = "name version build server port host user list items value steps run uses on"
WORDS = st.sampled_from(
    [
        "name",
        "version",
        "build",
        "server",
        "port",
        "host",
        "user",
        "list",
        "items",
        "value",
        "steps",
        "run",
        "uses",
        "on",
    ]
)
SENTENCES = st.lists(WORDS, min_size=2, max_size=8).map(lambda words: " ".join(words).capitalize() + ".")
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-9999, 9999), WORDS, SENTENCES, st.text("ab –é", max_size=150)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=12), st.dictionaries(WORDS, inner, max_size=8)),
    max_leaves=40,
)
JSON_FILES = st.tuples(
    st.dictionaries(WORDS, VALUES, min_size=1, max_size=10),
    st.sampled_from([None, 2]),
).map(lambda pair: json.dumps(pair[0], indent=pair[1], ensure_ascii=False))


def _yaml(value: object, indent: str = "") -> list[str]:
    if isinstance(value, dict) and value:
        lines: list[str] = []
        for key, child in value.items():  # pyright: ignore[reportUnknownVariableType]  # made of VALUES
            if isinstance(child, dict | list) and child:
                lines += [f"{indent}{key}:", *_yaml(child, f"{indent}  ")]  # pyright: ignore[reportUnknownArgumentType]
            else:
                lines.append(f"{indent}{key}: {json.dumps(child, ensure_ascii=False)}")
        return lines
    if isinstance(value, list) and value:
        lines = []
        for child in value:  # pyright: ignore[reportUnknownVariableType]  # made of VALUES
            inner = _yaml(child, f"{indent}  ")  # pyright: ignore[reportUnknownArgumentType]
            lines += [f"{indent}- {inner[0].lstrip()}", *inner[1:]]
        return lines
    return [indent + json.dumps(value, ensure_ascii=False)]


YAML_FILES = st.dictionaries(WORDS, VALUES, min_size=1, max_size=10).map(lambda value: "\n".join(_yaml(value)) + "\n")
TOML_VALUES = st.one_of(
    st.booleans(),
    st.integers(),
    SENTENCES,
    st.lists(WORDS, max_size=30),
    st.just(["a\nb"]),
    st.lists(st.integers(), max_size=9),
).map(json.dumps)
TOML_HEADERS = st.tuples(st.sampled_from(["[{}]", "[[{}]]", "[tool.{}]"]), WORDS).map(
    lambda pair: pair[0].format(pair[1])
)
TOML_TABLES = st.tuples(TOML_HEADERS, st.dictionaries(WORDS, TOML_VALUES, max_size=6)).map(
    lambda pair: "\n".join([pair[0], *(f"{key} = {value}" for key, value in pair[1].items())])
)
TOML_FILES = st.lists(TOML_TABLES, min_size=1, max_size=8).map("\n\n".join)

PARAGRAPHS = st.lists(SENTENCES, min_size=1, max_size=4).map("\n".join)
MARKDOWN_BLOCKS = st.one_of(
    st.tuples(st.integers(1, 6), SENTENCES).map(lambda pair: f"{'#' * pair[0]} {pair[1]}"),
    st.tuples(SENTENCES, st.sampled_from("=-")).map(lambda pair: f"{pair[0]}\n{pair[1] * 3}"),
    PARAGRAPHS,
    st.lists(SENTENCES, min_size=1, max_size=5).map(lambda items: "\n".join(f"- {item}" for item in items)),
    PARAGRAPHS.map(lambda text: f"```sh\n# {text}\n```"),
    st.just("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |"),
    SENTENCES.map(lambda text: f"> {text}"),
    SENTENCES.map(lambda text: f"<!-- {text}\n# no heading -->"),
)
MARKDOWN_FILES = st.lists(MARKDOWN_BLOCKS, min_size=1, max_size=12).map("\n\n".join)
RST_BLOCKS = st.one_of(
    st.tuples(SENTENCES, st.sampled_from("=-~")).map(lambda pair: f"{pair[0]}\n{pair[1] * len(pair[0])}"),
    SENTENCES.map(lambda title: f"{'=' * len(title)}\n{title}\n{'=' * len(title)}"),
    PARAGRAPHS,
    st.lists(SENTENCES, min_size=1, max_size=5).map(lambda items: "\n".join(f"* {item}" for item in items)),
    PARAGRAPHS.map(lambda text: f".. note::\n\n   {text.splitlines()[0]}"),
    WORDS.map(lambda name: f".. function:: {name}(path)\n\n   Does it.\n"),
    st.just(".. code-block:: python\n\n   a = 1\n   b = 2"),
    st.just(".. toctree::\n   :maxdepth: 2\n\n   install\n   usage"),
    st.just("===  ===\na    b\n===  ===\n1    2\n===  ==="),
)
RST_FILES = st.lists(RST_BLOCKS, min_size=1, max_size=12).map("\n\n".join)

ELEMENTS = st.recursive(
    SENTENCES,
    lambda inner: st.tuples(WORDS, st.lists(inner, max_size=6)).map(
        lambda pair: f'<{pair[0]} id="x" other="y z">' + "\n".join(pair[1]) + f"</{pair[0]}>"
    ),
    max_leaves=30,
)
XML_FILES = ELEMENTS.map(lambda text: f"<?xml version='1.0'?>\n<root>\n{text}\n</root>")
HTML_BLOCKS = st.one_of(
    st.tuples(st.integers(1, 6), SENTENCES).map(lambda pair: f"<h{pair[0]}>{pair[1]}</h{pair[0]}>"),
    PARAGRAPHS.map(lambda text: f"<p>{text}</p>"),
    WORDS.map(lambda name: f'<main id="{name}"><div class="a">x</div></main>'),
    WORDS.map(lambda name: f'<script src="{name}.js"></script>\n<script>\nlet a = "<h1>no</h1>";\n</script>'),
    WORDS.map(lambda name: f'<form action="/{name}"><input name="{name}" type="text"></form>'),
    st.just("{% extends 'base.html' %}\n{% block content %}"),
)
HTML_FILES = st.lists(HTML_BLOCKS, min_size=1, max_size=12).map("\n".join)
CSS_BLOCKS = st.one_of(
    WORDS.map(lambda name: f".{name} {{\n  color: red;\n}}"),
    WORDS.map(lambda name: f":root {{ --{name}: 1px; --other: {'x, ' * 30}y; }}"),
    WORDS.map(lambda name: f"@media (min-width: 1px) {{ .{name} {{ color: red }} #{name} {{}} }}"),
    WORDS.map(lambda name: f'@import "{name}.css";\n$var: {name};'),
    WORDS.map(lambda name: f".card {{ &:hover {{ color: red; }} .{name} {{ top: 0 }} }}"),
    st.just("/* a { } */\n@keyframes spin { from { top: 0 } to { top: 1px } }"),
)
CSS_FILES = st.lists(CSS_BLOCKS, min_size=1, max_size=12).map("\n".join)
CSV_FILES = st.lists(
    st.lists(st.one_of(WORDS, st.integers().map(str)), min_size=3, max_size=3), min_size=1, max_size=20
).map(lambda rows: "\n".join(",".join(row) for row in rows) + "\n")
CELLS = st.one_of(
    st.fixed_dictionaries(
        {"cell_type": st.just("markdown"), "source": MARKDOWN_FILES.map(lambda text: text.splitlines(True))}
    ),
    st.fixed_dictionaries(
        {"cell_type": st.just("code"), "source": PARAGRAPHS, "outputs": st.just([{"text": ["x" * 99]}])}
    ),
)
NOTEBOOK_FILES = st.lists(CELLS, min_size=1, max_size=6).map(
    lambda cells: json.dumps({"cells": cells, "metadata": {"kernelspec": {"language": "python"}}}, indent=1)
)
LOG_FILES = st.lists(SENTENCES, min_size=1, max_size=60).map("\n".join)

FILES = {
    "app.json": JSON_FILES,
    "app.yaml": YAML_FILES,
    "app.toml": TOML_FILES,
    "app.md": MARKDOWN_FILES,
    "app.rst": RST_FILES,
    "app.xml": XML_FILES,
    "app.html": HTML_FILES,
    "app.scss": CSS_FILES,
    "app.csv": CSV_FILES,
    "app.ipynb": NOTEBOOK_FILES,
    "app.log": LOG_FILES,
}
"""Well-formed texts of each format, under a file name of it."""

PUNCTUATION = (
    "{ } [ ] ( ) : , = - # ## | > < </ /> \\ … \" ' ` ``` ~~~ \"\"\" ''' --- === ... :: ; . * + ? ! /* */ // <!-- --> <![CDATA[ ]]> {{ {% %} #{ "
    "a key é 1 true string <script> </script> <p> <h1> &bomb; url( .. - - @media --x: $x: \\u12 a\\ [[a]] *a"
)
SPACES = st.sampled_from(["\n", "\n\n", "\r\n", "\t", " ", "  ", "    ", "\n  ", "\n    ", "\x85", "\u2028"])
PHRASES = st.sampled_from(
    [
        *(
            ": ",
            " = ",
            ", ",
            "- ",
            "# ",
            "> ",
            "| x",
            "|\n",
            "? ",
            ".. ",
            ".. function:: f",
            "&a ",
            "!!str ",
            "<<: *a",
            "[a]\n",
            "a = ",
        ),
        *(
            "… 3 more",
            "… 1,234 lines",
            "… 2 rows",
            "… 5 headings",
            "<!DOCTYPE x [",
            "# %%\n",
            "# %% [markdown]\n",
            "x" * 130,
            "1" * 40,
        ),
        *('{"cells": [{"cell_type": "code", "source": ["a\\n"]}]}', "\x00", "\ufeff"),
    ]
)
PIECES = st.one_of(st.sampled_from(PUNCTUATION.split()), SPACES, PHRASES)
HOSTILE = st.one_of(st.lists(PIECES, max_size=40).map("".join), st.text(max_size=200))
