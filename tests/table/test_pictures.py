"""Pictures of a table: checked before decoding, re-encoded, limited, and visible to those who see what they belong to."""

import struct
import zlib
from io import BytesIO

import msgspec
import pytest
from PIL import Image

from rulewright.errors import UserError
from rulewright.files import images as files
from rulewright.table import limits
from rulewright.table.commands import messages as a
from rulewright.table.log.lines import digest
from rulewright.table.open_tables import NotHere
from rulewright.table.permissions import Forbidden
from rulewright.table.service import Tables
from rulewright.table.storage import backup, export, migrate_full, pictures
from table.group import gather


def drawn(colour="red", size=(40, 30), form="PNG", **more) -> bytes:
    made = BytesIO()
    Image.new("RGB", size, colour).save(made, form, **more)
    return made.getvalue()


def huge(width=20_000, height=20_000) -> bytes:
    """A PNG whose header claims 400 million pixels."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    rows = zlib.compress(bytes(3 * width + 1) * 3)
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (huge(), r"400 million pixels \(20000 by 20000\); at most 36 million"),
        (b"GIF89a" + bytes(100), "not a PNG, JPEG or WebP picture"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not a PNG, JPEG or WebP picture"),
        (drawn()[:60], "is damaged|not a PNG"),
        (b"", "not a PNG"),
        (bytes(files.MOST_BYTES + 1), "at most 32 MB"),
    ],
)
def test_what_is_no_picture_or_too_large_a_one_is_refused_with_one_sentence(data, said):
    with pytest.raises(UserError, match=said) as refused:
        files.written_anew(data, 512, "map.png")
    assert str(refused.value).startswith("map.png: ")


def test_a_picture_is_written_anew_without_what_the_camera_added():
    exif = Image.Exif()
    exif[0x010E] = "taken at the hideout"
    exif[0x0112] = 6  # the camera was held upright
    sent = drawn(size=(400, 200), form="JPEG", exif=exif) + b"<script>appended</script>"
    kept = files.written_anew(sent, 100, "x")
    assert (kept.width, kept.height) == (50, 100)
    assert b"hideout" in sent
    assert b"hideout" not in kept.body
    assert b"script" not in kept.body
    assert Image.open(BytesIO(kept.body)).format == "WEBP"
    assert files.refuse_foreign(kept.body, "x") == (50, 100)


def test_transparency_stays_and_only_the_first_frame_is_kept():
    made = BytesIO()
    frames = [Image.new("RGBA", (8, 8), (200, 0, 0, each)) for each in (0, 255)]
    frames[0].save(made, "WEBP", save_all=True, append_images=frames[1:], lossless=True)
    found = Image.open(BytesIO(files.written_anew(made.getvalue(), 100).body))
    assert getattr(found, "n_frames", 1) == 1
    assert found.convert("RGBA").getpixel((4, 4))[3] == 0


def test_a_picture_is_kept_once_under_its_digest_and_shown_to_whoever_reads_the_note(tables):
    group = gather(tables)
    found = pictures.keep(tables, group.table, group.bea, drawn(), "The old mill")
    assert found == pictures.keep(tables, group.table, group.bea, drawn(), "The old mill")
    body = pictures.body(tables, group.table, group.bea, found)
    assert digest(body) == found
    for who in (group.ana, group.dan):
        with pytest.raises(NotHere):
            pictures.body(tables, group.table, who, found)
    assert pictures.listed(tables, group.table, group.ana) == []
    note = group.act("bea", a.WriteNote("Found", f"In the drawer: ![a mill](picture:{found})", readers="me")).made
    with pytest.raises(NotHere):
        pictures.body(tables, group.table, group.ana, found)
    group.act("bea", a.WriteNote("Found", f"In the drawer: ![a mill](picture:{found})", readers="everyone", note=note))
    assert pictures.body(tables, group.table, group.ana, found) == body
    (kept,) = pictures.listed(tables, group.table, group.ana)
    assert (kept.name, kept.width, kept.height) == ("The old mill", 40, 30)
    with pytest.raises(Forbidden, match="picture is not yours"):
        pictures.remove(tables, group.table, group.ana, found)
    pictures.remove(tables, group.table, group.bea, found)
    with pytest.raises(NotHere):
        pictures.body(tables, group.table, group.ana, found)


def test_what_a_player_keeps_for_themselves_is_not_even_the_gamemasters(kept):
    group = gather(kept)
    found = pictures.keep(kept, group.table, group.ana, drawn(), "mine")
    with pytest.raises(NotHere):
        pictures.body(kept, group.table, group.bea, found)
    assert found.encode() not in export.export(kept, group.table, group.bea)


def test_spectators_send_none_and_players_no_maps(kept):
    group = gather(kept)
    with pytest.raises(Forbidden, match="players"):
        pictures.keep(kept, group.table, group.dan, drawn())
    with pytest.raises(Forbidden, match="gamemaster"):
        pictures.keep(kept, group.table, group.ana, drawn(), purpose="map")
    with pytest.raises(UserError, match="portrait, handout, map"):
        pictures.keep(kept, group.table, group.ana, drawn(), purpose="poster")


def test_a_table_holds_so_many_pictures_and_no_more(kept, monkeypatch):
    group = gather(kept)
    monkeypatch.setitem(limits.OF_ONE, "pictures", 2)
    for colour in ("red", "blue"):
        pictures.keep(kept, group.table, group.ana, drawn(colour))
    with pytest.raises(UserError, match="one person has at most 2 pictures"):
        pictures.keep(kept, group.table, group.ana, drawn("green"))
    monkeypatch.setattr(limits, "PICTURES", 3)
    pictures.keep(kept, group.table, group.bea, drawn("green"))
    with pytest.raises(UserError, match="a table holds at most 3 pictures"):
        pictures.keep(kept, group.table, group.bea, drawn("black"))


def shared(tables, group):
    found = pictures.keep(tables, group.table, group.bea, drawn(), "mill")
    group.act("bea", a.WriteNote("Found", f"![a mill](picture:{found})", readers="everyone"))
    return found, pictures.body(tables, group.table, group.bea, found)


def test_an_export_takes_pictures_along_and_an_import_brings_them(tables):
    group = gather(tables)
    found, body = shared(tables, group)
    content = export.export(tables, group.table, group.bea)
    made = export.bring_in(tables, content, "another device")
    assert pictures.body(tables, made.table, made.member, found) == body
    plain = gather(tables)
    assert b'"format":1' in export.export(tables, plain.table, plain.bea).split(b"\n")[0]


def test_a_picture_in_a_file_that_was_not_written_here_is_refused(kept):
    group = gather(kept)
    shared(kept, group)
    *lines, last, _ = export.export(kept, group.table, group.bea).split(b"\n")
    line = msgspec.json.decode(last, type=export.ExportedPicture)
    picture = line.picture
    foreign = drawn(form="PNG")
    cut = picture.body[:-20]
    for wrong in (foreign, cut, picture.body + b"more"):
        changed = msgspec.structs.replace(picture.kept, digest=digest(wrong), size=len(wrong))
        other = pictures.Body(changed, wrong)
        check = export._check(msgspec.json.decode(lines[-1])["check"], other)
        content = b"\n".join((*lines, msgspec.json.encode(export.ExportedPicture(check, other)), b""))
        with pytest.raises(UserError, match="picture 1 of the exported table"):
            export.bring_in(kept, content, "another device")
    renamed = last.replace(b'"name":"mill"', b'"name":"milk"')
    with pytest.raises(UserError, match="changed by hand"):
        export.bring_in(kept, b"\n".join((*lines, renamed, b"")), "another device")
    assert len(kept.store.tables()) == 1


def test_backups_new_tables_and_deletion_know_pictures(tables, tmp_path):
    group = gather(tables)
    found, body = shared(tables, group)
    assert backup.backup(tables.store, tmp_path / "kept.db").tables == 1
    other = Tables(f"sqlite:///{tmp_path / 'other.db'}")
    backup.restore(other.store, tmp_path / "kept.db")
    assert pictures.body(other, group.table, group.ana, found) == body
    other.close()
    onward = migrate_full.go_on(tables, group.table, group.bea)
    assert pictures.body(tables, onward.table, onward.member, found) == body
    tables.store.delete(group.table)
    assert pictures.raw(tables, group.table, found) is None
    assert pictures.raw(tables, onward.table, found) == body
