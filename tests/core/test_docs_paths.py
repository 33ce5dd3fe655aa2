"""Every Python file that the architecture page and the games' README files name exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "rulewright"
PAGES = [ROOT / "docs" / "architecture.md", *sorted(PACKAGE.glob("systems/*/README.md"))]


def missing_files(page: Path) -> list[str]:
    """The paths in backticks that exist neither beside the page, nor below the package, nor below the repository's root."""
    named = re.findall(r"`([\w./*-]+\.py)`", page.read_text(encoding="utf-8"))
    assert named, f"{page} names no Python file"
    return [path for path in named if not any(any(folder.glob(path)) for folder in (page.parent, PACKAGE, ROOT))]


@pytest.mark.parametrize("page", PAGES, ids=[page.parent.name for page in PAGES])
def test_every_python_file_named_on_a_page_exists(page):
    assert missing_files(page) == []


def test_a_file_that_does_not_exist_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("`play/requests.py` exists, `play/no_such_module.py` does not.")
    assert missing_files(page) == ["play/no_such_module.py"]
