"""Regular expressions take a time in proportion to the text, whatever it is: each of these once took its square or more."""

from __future__ import annotations

from importlib import import_module

import pytest

from skeleton.languages.queries import Language

LONG = 200_000
"""Characters; what takes the square of them does not end in the time of a test."""


@pytest.mark.parametrize(
    ("place", "how", "before", "unit", "behind"),
    [
        ("allocator.overview.calls:_GIVES", "search", ")->", " ", "."),
        ("allocator.overview.code:_HELD", "search", "Arc<", "A", "<"),
        ("allocator.overview.code:_HELD", "search", "Arc<", " ", ""),
        ("allocator.overview.code:_HELD", "search", "", "a::", ""),
        ("allocator.overview.code:_NO_CODE", "search", "", "/* ", ""),
        ("allocator.overview.manifests:_XML", "search", "<name>", " ", "<"),
        ("allocator.overview.markup:_LITERAL", "fullmatch", "", " ", ""),
        ("allocator.overview.readme_blocks:_DIRECTIVE", "match", "x::[", "[]", "x"),
        ("allocator.ranking.corpus:_HOLDER", "search", "", "a", ""),
        ("allocator.ranking.corpus:_LAST_NAME", "search", "", "a", "."),
        ("allocator.ranking.quotes:_SAID", "search", "", "a.", ""),
        ("allocator.ranking.quotes:_SAID", "search", "", ":in `", ""),
        ("allocator.ranking.quotes:_SAID", "search", "", "Error (", ""),
        ("allocator.ranking.words:_FOR_USERS", "search", "", "where is ", ""),
        ("allocator.show.attributes:_ATTRIBUTE", "fullmatch", "@a", " ", "x"),
        ("allocator.show.elision:_LEFT_OFF", "match", "", " ", "x"),
        ("compaction.history.aider:_HEAD", "search", "", "`", "x"),
        ("compaction.history.answers:_ECHO", "search", "", "Command: x\nChunk ID: 0", ""),
        (
            "compaction.history.answers:_ECHO_OF_GEMINI",
            "search",
            "MCP tool '",
            " reported tool error for function call: {",
            "",
        ),
        ("compaction.history.answers:_ECHO_OF_REFUSED", "search", "", "x failed for `", ""),
        ("compaction.history.attached:_ANY", "search", "", "<git_commit ", ""),
        ("compaction.history.attached:_OF_AN_EDITOR", "search", "", "\n", ""),
        ("compaction.history.attached:_OF_AN_EDITOR", "search", "", "# Context from my IDE setup:\n", ""),
        ("compaction.history.attached:_PATH", "search", "", "<file_content ", ""),
        (
            "compaction.history.cline:_OF_THE_HOST",
            "fullmatch",
            "The user has provided feedback on the results. Consider their input",
            " ",
            "\nx",
        ),
        ("compaction.history.cline:_PATH", "search", "<path>x", " ", "x"),
        ("compaction.history.cline:_SAID", "search", "", "<answer>", ""),
        ("compaction.history.elsewhere:_SCRIPT", "match", "", "_deploy.", "\nx"),
        ("compaction.history.excerpts:_NUMBERED", "search", "", "1", ""),
        ("compaction.history.file_tools:_DIFF_HEADER", "search", "--- ", "x", ""),
        ("compaction.history.file_tools:_PATCH_HEADER", "search", "*** Add File: x", " ", "x"),
        ("compaction.history.ledger:_CHECKBOX", "search", "", "\n", ""),
        ("compaction.history.narrative:_HEADING", "match", "# x", " ", "x"),
        ("compaction.history.origins:_ARGUMENTS", "search", "", "<command-args>", ""),
        ("compaction.history.origins:_COMMAND", "search", "<command-name>", " ", "x"),
        ("compaction.history.origins:_GIVEN", "search", "", "<user_message>", ""),
        ("compaction.history.outcomes:_EXIT", "search", "", "\n", ""),
        ("compaction.history.outcomes:_LOGGED", "search", "", "a=a", ""),
        ("compaction.history.outcomes:_SUMMARY", "search", "", "a", ""),
        ("compaction.history.programs:_BUILDS", "match", "", ":build", "\nx"),
        ("compaction.history.programs:_CHECK_TARGET", "match", "", ":check", "\nx"),
        ("compaction.history.programs:_TEST_TARGET", "match", "", ":test", "\nx"),
        ("compaction.history.protocols:_TOLD", "search", "", "\n", ""),
        ("compaction.history.protocols:_TRAILER", "search", "", "(Open file: ", ""),
        ("compaction.history.reports:_FAILURES", "search", "", "0", ""),
        ("compaction.history.running:_PART", "search", "", "<output>", ""),
        ("compaction.history.shell_files:_CONDITION", "search", "", "\n", ""),
        ("compaction.history.terms:_FILE", "search", "", "@x", ""),
        ("compaction.history.transcript:_REMINDER", "search", "", "\n", ""),
        ("compaction.history.transcript:_REMINDER", "search", "", "<system-reminder>", ""),
        ("compaction.history.world:_COMMIT", "search", "", "[a (\n", ""),
        ("compaction.history.world:_PUSHED", "search", "", "\n", ""),
        ("compaction.history.world:_URL", "search", "", "https://", ""),
        ("compaction.prose.units:_BOLD", "match", "__x__", " ", "x"),
        ("compaction.prose.units:_UNDER_HEAD", "match", "", "-", "x"),
        ("skeleton.formats.css:_TOKEN", "search", "", "url(x", ""),
        ("skeleton.formats.markup:_PARTS", "search", "<", "a", ""),
        ("skeleton.index.deprecation:_MARK", "search", "", "@available(", ""),
        ("skeleton.index.forwarding:_ACCESSES", "fullmatch", "", "_", "-"),
        ("skeleton.index.forwarding:_FORWARDS", "fullmatch", "", "_", ""),
        ("skeleton.index.survey:_PARAGRAPH_ENDS", "search", "\n", " ", "x"),
        ("skeleton.levels:_FILLED", "fullmatch", "{", "=", ""),
        ("skeleton.names.targets:_ADDRESS", "fullmatch", "file:///", " ", "\0\n\0"),
        ("skeleton.names.packages:_IN_TABLE", "search", "", "[package]\n", ""),
        ("skeleton.names.packages:_PARENT", "search", "", "<parent>", ""),
        ("skeleton.render.docs:_STRING", "match", "-a", " ", "x"),
        ("skeleton.render.sentences:_MEMBERS", "search", "@method ", "x", ""),
        ("skeleton.render.signatures:_BEFORE_CLOSER", "search", "", "\\n", "x"),
        ("skeleton.render.signatures:_BREAK", "search", "", " ", ""),
        ("skeleton.render.signatures:_CONTINUED", "search", "", " ", ""),
        ("skeleton.render.rendering:_BREAK_BEFORE_BRACKET", "search", "", "\n", "x"),
        ("skeleton.sketch.endings:_ENDS_LINE", "match", "", " ", "x"),
        ("skeleton.sketch.sketching:_ALIAS", "search", "", "a", ""),
        ("skeleton.sketch.sketching:_ALIAS", "search", "", "a[", ""),
        ("skeleton.uses.aliases:_BY_DEFAULT", "search", "", "import a ,", ""),
        ("skeleton.uses.aliases:_BY_DEFAULT", "search", "import {", "default as a ", ""),
        ("skeleton.uses.aliases:_POINTS", "search", "from ", ".", "x"),
        ("skeleton.uses.bases:_IMPLEMENTS", "search", "", "impl for ", "{"),
        ("skeleton.uses.sites:_CHAIN", "search", "", "a", ""),
        ("skeleton.uses.sites:_CHAIN", "search", "", "a.", "x"),
        ("skeleton.uses.sites:_GROUP", "search", "", "a::", "x"),
        ("skeleton.uses.variables:_SET", "search", "", "*", ""),
    ],
)
def test_a_pattern_takes_no_longer_for_hostile_text(place: str, how: str, before: str, unit: str, behind: str) -> None:
    module, _, name = place.partition(":")
    pattern = getattr(import_module(module), name)
    text = before + unit * (LONG // len(unit)) + behind

    getattr(pattern, how)(text.encode() if isinstance(pattern.pattern, bytes) else text)


@pytest.mark.parametrize(
    ("name", "before", "unit"),
    [
        ("c", "", "/*"),
        ("c", "", "}/*"),
        ("c", "\ntypedef", " "),
        ("c", ',B("")', " "),
        ("cpp", "\nA_TRY", " "),
        ("cpp", '" ', "A"),
        ("cpp", "", "enum:"),
        ("cpp", "", ", enable_if<"),
        ("cpp", "(a::*", " "),
        ("cpp", "\nA_B(", "<,"),
        ("dart", "@", "a"),
        ("gdscript", "", "\n#"),
        ("gdscript", "", "\n\t@a("),
        ("gdscript", "", "func(): if a"),
        ("javascript", "type ", "a"),
        ("kotlin", "", "$"),
        ("kotlin", "", "class a\n/*"),
        ("objc", "", "\n#ifdef\n/*"),
        ("sql", "", "\nALTER TABLE"),
    ],
)
def test_what_a_language_blanks_takes_no_longer_for_hostile_text(name: str, before: str, unit: str) -> None:
    language = Language.named(name)
    text = (before + unit * (LONG // 4 // len(unit))).encode()
    patterns = [blank.pattern for blank in (*language.blanks, *(blank for _, blank in language.readings))]
    for pattern in filter(None, (*patterns, language.begins)):
        assert sum(1 for _ in pattern.finditer(text)) <= len(text)
