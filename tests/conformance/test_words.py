"""The product speaks plainly: module names, local variables, phrases and labels that newcomers would have to guess do not come back."""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.source import parsed
from rulewright.files import read_data

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "rulewright"
WORDS = read_data(Path(__file__).with_name("words.yaml"))
LOCALS = frozenset(WORDS["locals"])
PHRASES = re.compile(rf"\b({'|'.join(map(re.escape, WORDS['phrases']))})\b", re.IGNORECASE)
LABELS = re.compile(rf"\b({'|'.join(map(re.escape, WORDS['labels']))})\b")
KEPT = re.compile("|".join(map(re.escape, WORDS["kept"])))
TEXTS = [*SOURCE.rglob("*.html"), *SOURCE.rglob("*.yaml"), *SOURCE.rglob("*.md"), *(ROOT / "docs").rglob("*.md")]
DOCUMENTS = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_modules_are_named_by_nouns():
    allowed = set(WORDS["nouns in ing"])
    named = {path.stem for path in modules()}
    assert {stem for stem in named if stem.endswith("ing")} - allowed == set()
    assert allowed <= named, "an exemption that nobody needs"


def test_a_folder_has_at_most_15_modules_and_says_what_belongs_in_it():
    for folder in sorted({path.parent for path in modules()}):
        assert len(list(folder.glob("*.py"))) <= 15, name(folder)
        assert (ast.get_docstring(parsed(folder / "__init__.py")) or "").strip(), f"{name(folder)}/__init__.py says nothing"


def _is_rule(function: ast.FunctionDef) -> bool:
    """Whether a function can be called by a rule id: its parameters are what people write."""
    called = [decorator.func for decorator in function.decorator_list if isinstance(decorator, ast.Call)]
    return any(isinstance(decorator, ast.Name) and decorator.id == "rule" for decorator in called)


def bindings(path: Path) -> Iterator[tuple[int, str]]:
    """Local variables and parameters of a module with their lines, apart from the parameters of rules and the fields of classes."""
    exempt, bound = set(), {}
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef) and _is_rule(node):
            exempt |= {id(argument) for argument in [*node.args.args, *node.args.kwonlyargs]}
        elif isinstance(node, ast.ClassDef):
            exempt |= {id(field.target) for field in node.body if isinstance(field, ast.AnnAssign)}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound[id(node)] = node.lineno, node.id
        elif isinstance(node, ast.arg):
            bound[id(node)] = node.lineno, node.arg
    yield from (binding for node, binding in bound.items() if node not in exempt)


def test_local_variables_say_what_they_hold():
    vague = [f"{name(path)}:{line}: {word}" for path in modules() for line, word in bindings(path) if word in LOCALS]
    assert vague == []


def printed(path: Path, words: re.Pattern[str]) -> Iterator[str]:
    """The comments and strings of a module with one of these words."""
    text = path.read_text("utf-8")
    if not words.search(text) and not words.search(KEPT.sub("", text)):
        return  # taking a file apart takes longer than all else
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.COMMENT, tokenize.STRING):
            for number, line in enumerate(token.string.splitlines(), token.start[0]):
                yield from (f"{name(path)}:{number}: {match[0]}" for match in words.finditer(KEPT.sub("", line)))


def test_comments_and_strings_of_the_code_are_plain():
    assert [fault for path in modules() for fault in printed(path, PHRASES)] == []


def test_a_phrase_would_be_found(tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    (tmp_path / "module.py").write_text('"""Fine."""\n\nx = 1  # whoever asks\ny = """a\n  Whoever"""\nwhoever = 1\n')
    assert list(printed(tmp_path / "module.py", PHRASES)) == ["module.py:3: whoever", "module.py:5: Whoever"]


@pytest.mark.parametrize("words", [PHRASES, LABELS], ids=["phrases", "labels"])
def test_documents_and_pages_are_plain(words):
    odd = [
        f"{name(path)}:{number}: {match[0]}"
        for path in [*TEXTS, *DOCUMENTS]
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        for match in words.finditer(KEPT.sub("", line))
    ]
    assert odd == []


def test_labels_that_the_code_prints_are_plain():
    files = [path for room in ("web", "cli", "table") for path in (SOURCE / room).rglob("*.py")]
    assert [fault for path in files for fault in printed(path, LABELS)] == []


def test_labels_of_the_pages_are_the_words_that_people_know():
    """`make messages` keeps the catalogue; tests/web/test_translation.py checks that it is complete."""
    texts = set(re.findall(r'^msgid(?:_plural)? "(.*)"$', (SOURCE / "web/locale/messages.pot").read_text("utf-8"), re.MULTILINE))
    assert len(texts) > 500
    assert texts & set(WORDS["whole texts"]) == set()
