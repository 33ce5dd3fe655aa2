"""The package of an adventure: a folder, or the same folder as one zip file. Both are read with the same limits.

Nothing is ever unpacked to the disk, so no entry can be written outside its folder.
"""

import io
import stat
import zipfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from rulewright.adventure.format import MAIN
from rulewright.errors import UserError, all_of
from rulewright.files.documents import shortened
from rulewright.grammar import join

MOST_FILES = 200
MOST_BYTES = 24 << 20
"""The largest adventure, unpacked."""
MOST_PACKED = 16 << 20
"""The largest zip file."""
MOST_TEXT, MOST_PICTURE = 1 << 20, 6 << 20
"""The largest text and the largest picture of an adventure."""
TEXTS, PICTURES = (".yaml", ".yml", ".md"), (".png", ".jpg", ".jpeg", ".webp")
SUFFIXES = (*TEXTS, *PICTURES)
_MADE_BY_SYSTEMS = ("__MACOSX/", ".DS_Store", "Thumbs.db", "desktop.ini")
"""Entries that file managers add. They are ignored."""


def read_package(path: str | Path) -> dict[str, bytes]:
    """The files of an adventure by name, from a folder, its adventure.yaml, or a zip file."""
    source = Path(path)
    if source.name == MAIN and source.is_file():
        source = source.parent
    if source.is_dir():
        return read_folder(source)
    if not source.is_file():
        raise UserError(f"{shortened(str(path), 400)}: there is no such folder or zip file")
    if source.stat().st_size > MOST_PACKED:
        raise UserError(f"{shortened(str(path), 400)}: the file is too large; a packed adventure has at most {MOST_PACKED >> 20} MiB")
    return read_zip(source.read_bytes(), str(path))


def read_folder(folder: Path) -> dict[str, bytes]:
    """The files of a folder by their names in it. Links that lead out of it are refused."""
    home, faults, content_by_name = folder.resolve(), list[UserError](), dict[str, bytes]()
    total = 0
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder).as_posix()
        if _is_ignored(name) or file.is_dir():
            continue
        if home not in file.resolve().parents:
            faults.append(UserError(f"{folder}/{name}: this link leads out of the folder; put the file itself there"))
            continue
        if len(content_by_name) >= MOST_FILES:
            faults.append(UserError(f"{folder}: too many files; an adventure has at most {MOST_FILES}"))
            break
        wrong = _wrong_name(name) or _wrong_size(name, file.stat().st_size)
        total += file.stat().st_size
        if wrong:
            faults.append(UserError(f"{folder}/{shortened(name, 200)}: {wrong}"))
        elif total > MOST_BYTES:
            faults.append(UserError(f"{folder}: the adventure is too large; at most {MOST_BYTES >> 20} MiB are allowed"))
            break
        else:
            content_by_name[name] = file.read_bytes()
    return _complete(content_by_name, faults, str(folder))


def read_zip(content: bytes, name: str = "the zip file") -> dict[str, bytes]:
    """The files of a zip file by name; the error lists every entry that cannot be used."""
    shown = shortened(name, 400)
    if len(content) > MOST_PACKED:
        raise UserError(f"{shown}: the file is too large; a packed adventure has at most {MOST_PACKED >> 20} MiB")
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        raise UserError(f"{shown}: this is not a zip file, or it is damaged") from None
    with archive:
        entries = [entry for entry in archive.infolist() if not _is_ignored(entry.filename) and not entry.is_dir()]
        if len(entries) > MOST_FILES:
            raise UserError(f"{shown}: too many files ({len(entries)}); an adventure has at most {MOST_FILES}")
        faults: list[UserError] = []
        content_by_name: dict[str, bytes] = {}
        left = MOST_BYTES
        for entry in entries:
            wrong = _wrong_entry(entry)
            if not wrong and entry.filename in content_by_name:
                wrong = "this name occurs twice"
            if not wrong and left <= 0:
                faults.append(UserError(f"{shown}: the adventure is too large; at most {MOST_BYTES >> 20} MiB are allowed, unpacked"))
                break
            if not wrong:
                most = min(left, _most(entry.filename))
                unpacked = _unpacked(archive, entry, most)
                left -= most if isinstance(unpacked, str) else len(unpacked)
                wrong = unpacked if isinstance(unpacked, str) else ""
            if wrong:
                faults.append(UserError(f"{shown}: {shortened(entry.filename, 200)}: {wrong}"))
                continue
            assert isinstance(unpacked, bytes)
            content_by_name[entry.filename] = unpacked
    return _complete(_without_top_folder(content_by_name), faults, shown)


def write_zip(content_by_name: Mapping[str, bytes]) -> bytes:
    """The files as one zip file. The same files give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(content_by_name):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content_by_name[name], zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int) -> bytes | str:
    """An entry's content, or what is wrong with it. No more than `most` bytes are ever unpacked, whatever its header says."""
    try:
        with archive.open(entry) as file:
            content = file.read(most + 1)
    except (zipfile.BadZipFile, ValueError, OSError, EOFError, NotImplementedError, RuntimeError):
        return "this entry is damaged, or packed in a way that is not supported"
    except Exception as error:  # zlib and lzma raise errors of their own
        return f"this entry cannot be unpacked ({type(error).__name__})"
    if len(content) > most:
        return f"this entry unpacks to more than {most >> 10} KiB; the adventure or the file is too large"
    return content


def _wrong_entry(entry: zipfile.ZipInfo) -> str:
    """What is wrong with an entry of a zip file; empty if nothing is."""
    if entry.flag_bits & 1:
        return "this entry is encrypted; pack the folder without a password"
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        return "this entry is a link or a device; put the file itself there"
    return _wrong_name(entry.filename) or _wrong_size(entry.filename, entry.file_size)


def _wrong_name(name: str) -> str:
    """What is wrong with the name of a file; empty if nothing is."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name:
        return "this name leads out of the folder; names are relative, without .., \\ and :"
    if not name.isprintable() or len(name) > 200 or len(path.parts) > 6:
        return "this name is too long or contains a character that cannot be printed"
    if path.suffix.lower() not in SUFFIXES:
        return f"files of this kind do not belong in an adventure; it has {join(SUFFIXES, 'or')}"
    return ""


def _wrong_size(name: str, size: int) -> str:
    most = _most(name)
    return f"the file has {size >> 10} KiB; at most {most >> 10} are allowed" if size > most else ""


def _most(name: str) -> int:
    return MOST_PICTURE if name.lower().endswith(PICTURES) else MOST_TEXT


def _is_ignored(name: str) -> bool:
    return name.startswith(_MADE_BY_SYSTEMS[0]) or PurePosixPath(name).name in _MADE_BY_SYSTEMS


def _without_top_folder(content_by_name: dict[str, bytes]) -> dict[str, bytes]:
    """The files without the one folder that a zip program may put around them."""
    tops = {name.partition("/")[0] for name in content_by_name}
    if MAIN in content_by_name or len(tops) != 1 or f"{(top := next(iter(tops)))}/{MAIN}" not in content_by_name:
        return content_by_name
    return {name.removeprefix(f"{top}/"): content for name, content in content_by_name.items()}


def _complete(content_by_name: dict[str, bytes], faults: list[UserError], source: str) -> dict[str, bytes]:
    if not faults and MAIN not in content_by_name:
        faults.append(UserError(f"{source}: there is no {MAIN}; an adventure is a folder with this file"))
    if faults:
        raise all_of(faults)
    return content_by_name
