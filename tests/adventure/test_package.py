"""The package of an adventure is a folder or a zip file, and nothing in it can do harm."""

import io
import zipfile

import pytest

from adventure.small import content
from rulewright.adventure import package
from rulewright.adventure.package import read_folder, read_package, read_zip, write_zip
from rulewright.errors import UserError
from rulewright.playthrough.loader import open_content, starter
from rulewright.system import find


def packed(*entries: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in entries:
            archive.writestr(name, body, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def test_a_folder_and_its_zip_hold_the_same(tmp_path):
    for name, body in content().items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(body)
    (tmp_path / ".DS_Store").write_bytes(b"left by a file manager")
    assert read_folder(tmp_path) == read_package(tmp_path / "adventure.yaml") == content()
    assert read_zip(write_zip(content())) == content()
    assert write_zip(content()) == write_zip(dict(reversed(content().items())))
    around = packed(*((f"tea-house/{name}", body) for name, body in content().items()))
    assert read_zip(around) == content()


def test_every_bad_entry_is_named_at_once():
    link = zipfile.ZipInfo("people/link.yaml")
    link.external_attr = 0o120777 << 16
    bad = packed(
        ("adventure.yaml", b"system: scumm"),
        ("../../outside.yaml", b"climbs out"),
        ("/etc/absolute.md", b"absolute"),
        ("C:\\windows.md", b"another system"),
        ("run.py", b"code"),
        (link, b"/etc/passwd"),
        ("big.md", b"0" * (package.MOST_TEXT + 1)),
    )
    with pytest.raises(UserError) as caught:
        read_zip(bad, "bad.zip")
    parts = caught.value.parts
    assert len(parts) == 6
    for part, name in zip(
        parts, ["../../outside.yaml", "/etc/absolute.md", "windows.md", "run.py", "people/link.yaml", "big.md"], strict=True
    ):
        assert part.startswith("bad.zip: ")
        assert name in part
    assert "leads out of the folder" in parts[0]
    assert "link" in parts[4]


def test_a_bomb_is_not_unpacked(monkeypatch):
    unpacked = []
    real = zipfile.ZipExtFile.read

    def read(self, number=-1):
        body = real(self, number)
        unpacked.append(len(body))
        return body

    monkeypatch.setattr(zipfile.ZipExtFile, "read", read)
    zeros = b"\0" * package.MOST_PICTURE
    bomb = packed(("adventure.yaml", b"system: scumm"), *((f"pictures/{number}.png", zeros) for number in range(40)))
    assert len(bomb) < 1 << 20
    with pytest.raises(UserError, match="too large"):
        read_zip(bomb)
    assert sum(unpacked) <= package.MOST_BYTES + package.MOST_PICTURE


def test_a_header_that_lies_about_its_size_does_not_help():
    body = bytearray(packed(("adventure.yaml", b"a" * (package.MOST_TEXT + 5_000))))
    size = (package.MOST_TEXT + 5_000).to_bytes(4, "little")
    lying = bytes(body).replace(size, (10).to_bytes(4, "little"))
    with pytest.raises(UserError):
        read_zip(lying)


@pytest.mark.parametrize("cut", [0, 1, 20, 100, -1, -30])
def test_damaged_files_are_refused(cut):
    with pytest.raises(UserError, match="not a zip file"):
        read_zip(write_zip(content())[:cut] if cut else b"")


def test_too_many_files_and_a_missing_main_file():
    many = packed(*((f"{number}.md", b"x") for number in range(package.MOST_FILES + 1)))
    with pytest.raises(UserError, match="too many files"):
        read_zip(many)
    with pytest.raises(UserError, match=r"there is no adventure\.yaml"):
        read_zip(packed(("notes.md", b"x")))


def test_a_link_out_of_the_folder_is_refused(tmp_path):
    (tmp_path / "secret.md").write_text("outside")
    folder = tmp_path / "adventure"
    folder.mkdir()
    (folder / "adventure.yaml").write_bytes(content()["adventure.yaml"])
    (folder / "handout.md").symlink_to(tmp_path / "secret.md")
    with pytest.raises(UserError, match="leads out of the folder"):
        read_folder(folder)


def test_a_starter_survives_being_packed():
    files = starter(find("scumm"), "glass-ferry")
    again = open_content(read_zip(write_zip(files)), "again")
    assert again.adventure == open_content(files, "again").adventure
