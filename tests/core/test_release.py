"""tools/release.sh tags a release only if the tree, the version and the changelog agree."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
VERSION_FILE = "src/rulewright/version.py"


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=Tester", "-c", "user.email=tester@example.org"]
    return subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


def release(folder: Path, version: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([folder / "tools" / "release.sh", version], cwd=folder, capture_output=True, text=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository at version 1.2.3, ready for its release."""
    for path, text in {
        VERSION_FILE: '__version__ = "1.2.3"\n',
        "CHANGELOG.md": "# Changelog\n\n## [1.2.3] - 2026-01-02\n\n### Added\n- Dice.\n\n## [1.2.2]\n\n### Fixed\n- Odds.\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "release.sh", tmp_path / "tools")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "config", "user.name", "Tester")
    git(tmp_path, "config", "user.email", "tester@example.org")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message", "Start")
    return tmp_path


def test_a_release_gets_an_annotated_tag_with_its_changes(repository):
    done = release(repository, "1.2.3")
    assert done.returncode == 0, done.stderr
    assert git(repository, "cat-file", "-t", "v1.2.3").strip() == "tag"
    message = git(repository, "tag", "--list", "--format=%(contents)", "v1.2.3")
    assert message.startswith("Rulewright 1.2.3\n")
    assert "### Added\n- Dice." in message
    assert "Odds" not in message
    assert "already exists" in release(repository, "1.2.3").stderr


@pytest.mark.parametrize("version", ["", "1.2", "v1.2.3", "1.2.3; true"])
def test_a_malformed_version_is_refused(repository, version):
    done = release(repository, version)
    assert (done.returncode, done.stdout) == (2, "")
    assert "VERSION=x.y.z" in done.stderr


def test_all_problems_are_listed_at_once(repository):
    (repository / "notes.txt").write_text("not committed")
    done = release(repository, "1.3.0")
    assert done.returncode == 1
    assert "not committed" in done.stderr
    assert f"{VERSION_FILE} has version 1.2.3, not 1.3.0" in done.stderr
    assert "no entries under ## [1.3.0]" in done.stderr
    assert git(repository, "tag") == ""
