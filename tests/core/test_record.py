"""Record files: intact, cut off, changed, or something else."""

import os

import msgspec
import pytest

from core.scenes import STANDOFF, Group, Person, Standoff
from rulewright.errors import UserError
from rulewright.rules import House
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.record import FORMAT, Answered, Begun, RecordFile, Redone, Undone, _check_of, house_of, read_record

START = Group((Person("a", "left"), Person("b", "right", 2)))
encode = msgspec.json.Encoder(order="deterministic").encode


@pytest.fixture
def path(tmp_path):
    """A record of seven entries, with an undo and a redo among them."""
    keep = RecordFile(tmp_path / "game.jsonl")
    encounter = Encounter.begin(Standoff(STANDOFF), START, "a game", keep=keep)
    encounter.give("wait")
    encounter.give("strike a")
    encounter.give("interrupt")
    encounter.give((2,), 0)
    encounter.undo()
    encounter.redo()
    keep.close()
    return keep.path


def sealed(entries):
    """Lines with their checksums."""
    check, lines = "", []
    for entry in entries:
        line = entry if isinstance(entry, bytes) else encode(entry)
        check = _check_of(check, line)
        lines.append(check.encode() + b" " + line + b"\n")
    return b"".join(lines)


def refused(path):
    with pytest.raises(UserError) as wrong:
        read_record(path)
    message = str(wrong.value)
    assert "\n" not in message
    assert str(path) in message
    return message


def test_a_record_reads_back_as_it_was_written(path):
    entries = read_record(path)
    assert [type(entry) for entry in entries] == [Begun, Answered, Answered, Answered, Answered, Undone, Redone]
    begun = entries[0]
    assert (begun.name, begun.system, begun.ruleset, begun.format) == ("a game", "standoff", STANDOFF.digest, FORMAT)
    assert msgspec.convert(begun.state, Group) == START
    assert house_of(begun) == House()
    assert Encounter(Standoff(STANDOFF), entries).open[0][1].by == "a"


def test_a_record_cut_off_at_any_byte_of_its_last_line_says_so_and_how_much_is_whole(path):
    content = path.read_bytes()
    last = content.rstrip(b"\n").rfind(b"\n") + 1
    for cut in range(last + 1, len(content) - 1):
        path.write_bytes(content[:cut])
        message = refused(path)
        assert ":7: the record is cut off in the middle of entry 7; the 6 before it are intact" in message


def test_a_record_cut_off_between_two_entries_is_whole_as_far_as_it_goes(path):
    content = path.read_bytes()
    whole = read_record(path)
    last = content.rstrip(b"\n").rfind(b"\n") + 1
    path.write_bytes(content[:last])
    assert read_record(path) == whole[:-1]
    path.write_bytes(content[:-1])
    assert read_record(path) == whole


def test_a_record_cut_off_in_the_middle_names_the_entry(path):
    content = path.read_bytes()
    ends = [at for at, byte in enumerate(content) if byte == ord("\n")]
    for entry, (begin, end) in enumerate(zip([0, *[at + 1 for at in ends]], ends, strict=False), 1):
        path.write_bytes(content[: (begin + end) // 2])
        assert f":{entry}: the record is cut off in the middle of entry {entry}; the {entry - 1} before it are intact" in refused(path)


def test_going_on_with_a_record_that_lost_its_last_line_end_loses_nothing(path):
    content = path.read_bytes()
    path.write_bytes(content[:-1])
    keep = RecordFile(path, new=False)
    encounter = Encounter(Standoff(STANDOFF), read_record(path), keep)
    encounter.give((5,), 1)
    keep.close()
    assert path.read_bytes().startswith(content)
    assert encode(read_record(path)) == encode(encounter.entries)


@pytest.mark.parametrize("entry", range(1, 8))
def test_a_record_changed_by_hand_names_the_first_entry_that_is_not_as_it_was(path, entry):
    lines = path.read_bytes().splitlines(keepends=True)
    lines[entry - 1] = lines[entry - 1].replace(b'"by":"', b'"by":"x')
    path.write_bytes(b"".join(lines))
    assert f":{entry}: entry {entry} is damaged" in refused(path)


@pytest.mark.parametrize("entry", range(1, 7))
def test_a_record_with_an_entry_taken_out_or_put_twice_is_refused(path, entry):
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: entry - 1] + lines[entry:]))
    assert f"entry {entry} is damaged" in refused(path)
    path.write_bytes(b"".join([*lines[:entry], lines[entry - 1], *lines[entry:]]))
    assert f"entry {entry + 1} is damaged" in refused(path)


def test_an_empty_file_is_no_record(tmp_path):
    for content in (b"", b"\n", b"  \n\n"):
        (tmp_path / "empty").write_bytes(content)
        assert "the record is empty" in refused(tmp_path / "empty")


def test_a_folder_is_no_record(tmp_path):
    assert "this is a folder, not a record" in refused(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    assert "not a regular file" in refused(tmp_path / "pipe")


def test_a_record_that_is_not_there_is_refused(tmp_path):
    assert "cannot be read (No such file or directory)" in refused(tmp_path / "nowhere")


@pytest.mark.parametrize(
    "content", [bytes(range(256)), b"\x00" * 100, b"\xff\xfe\n\xff", b"hello", b"hello\nworld\n", b'{"kind":"begin"}\n', b"name: Ana\n"]
)
def test_a_file_that_is_something_else_is_refused_at_entry_one(tmp_path, content):
    (tmp_path / "other").write_bytes(content)
    assert ":1: entry 1 is damaged: the file was changed by hand or is not a record" in refused(tmp_path / "other")


def test_a_record_of_a_newer_format_names_the_version_that_reads_it(path):
    begun = msgspec.to_builtins(read_record(path)[0]) | {"format": FORMAT + 1, "version": "9.1", "weather": "rain"}
    path.write_bytes(sealed([encode(begun), b'{"kind":"teleport","by":"somebody"}']))
    assert f":1: entry 1 has format {FORMAT + 1}, which this version cannot read; use Rulewright 9.1 or later" in refused(path)


def test_a_whole_record_that_says_what_cannot_be_names_the_entry(path):
    begun = encode(read_record(path)[0])
    path.write_bytes(sealed([begun, b'{"kind":"teleport","by":"somebody"}']))
    assert ":2: entry 2 cannot be read: Invalid value 'teleport'" in refused(path)
    path.write_bytes(sealed([begun, b'{"kind":"answer","by":"a","question":"00","given":1.5}']))
    assert ":2: entry 2 cannot be read: Expected" in refused(path)
    path.write_bytes(sealed([b"[1, 2"]))
    assert ":1: entry 1 cannot be read" in refused(path)
    path.write_bytes(sealed([b'{"kind":"undo","by":"a","to":1}']))
    assert ":1: entry 1 must begin a scene" in refused(path)


def test_a_record_is_never_overwritten(path):
    content = path.read_bytes()
    with pytest.raises(UserError, match="the file exists already; records are never overwritten"):
        RecordFile(path)
    assert path.read_bytes() == content


def test_a_record_that_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(UserError, match=r"cannot be written \(No such file or directory\)"):
        RecordFile(tmp_path / "nowhere" / "game.jsonl")


def test_a_damaged_record_is_not_gone_on_with(path):
    content = path.read_bytes()[:-10]
    path.write_bytes(content)
    with pytest.raises(UserError, match="cut off in the middle of entry 7"):
        RecordFile(path, new=False)
    assert path.read_bytes() == content


def test_every_entry_is_on_disk_as_soon_as_it_is_given(tmp_path):
    keep = RecordFile(tmp_path / "game.jsonl")
    encounter = Encounter.begin(Standoff(STANDOFF), START, keep=keep)
    for number, given in enumerate(("wait", "strike a", "pass", (3,)), 2):
        encounter.give(given)
        assert len(read_record(keep.path)) == number
        assert Encounter(Standoff(STANDOFF), read_record(keep.path)).state == encounter.state
    keep.close()
