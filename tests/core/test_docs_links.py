"""Every link and path in the documents leads somewhere, and every document says first what it is for."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
NAMES = [str(path.relative_to(ROOT)) for path in PAGES]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)[^)]*\)")
SCHEME = re.compile(r"[a-z]+:|//")
PATH = re.compile(r"`((?:src|tests|tools|docs|examples|deploy|benchmarks|requirements)/[\w./-]+)`")


def prose(text: str) -> str:
    """A document without its code blocks and inline code."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub and mkdocs write them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE), re.MULTILINE)
    return {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading.lower()).strip()) for heading in headings}


def broken_links(page: Path) -> list[str]:
    """The relative links of a page whose file or heading does not exist."""
    text = page.read_text(encoding="utf-8")
    broken = []
    for link in LINK.findall(prose(text)):
        if SCHEME.match(link):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists() or (anchor and anchor not in anchors(target.read_text(encoding="utf-8"))):
            broken.append(link)
    return broken


def first_paragraph(text: str) -> str:
    """The text between a page's title and its next heading or empty line."""
    after = text.partition("\n")[2].lstrip("\n")
    return after.partition("\n\n")[0].strip()


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_links_and_pictures_exist(page):
    assert broken_links(page) == []


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_the_first_paragraph_says_what_the_page_is_for(page):
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# ")
    assert re.match(r"[^#|`:!\s-]", first_paragraph(text))


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "CHANGELOG.md"], ids=lambda page: page.stem)
def test_paths_in_code_exist(page):
    paths = PATH.findall(page.read_text(encoding="utf-8"))
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_a_broken_link_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# Title\n\n[a](page.md#title) [b](gone.md) ![c](gone.png) [d](#nowhere) [e](https://example.org/x) `[f](code.md)`\n")
    assert broken_links(page) == ["gone.md", "gone.png", "#nowhere"]


def test_the_changelog_has_the_usual_sections():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert all(re.fullmatch(r"\[(Unreleased|\d+\.\d+\.\d+)\](?: - \d{4}-\d\d-\d\d)?", version) for version in versions)
    assert set(re.findall(r"^### (.*)$", text, re.MULTILINE)) <= {"Added", "Changed", "Fixed", "Faster", "Removed"}
