"""Reading: users' files are understood, and errors are one clear line."""

import os
import subprocess
import sys
import time
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright import files
from rulewright.errors import UserError

ANA = """\
# Ana
system: scumm
kind: character
name: Ana
skills:
  rifles: {level: 2}
  cooking:
    level: 3
weapons:
  - type: gun
    shots: 5
  - {type: blade, length: 3}
"""


class Skill(msgspec.Struct, forbid_unknown_fields=True):
    level: Annotated[int, msgspec.Meta(ge=0, le=5)]
    note: str = ""


class Gun(msgspec.Struct, forbid_unknown_fields=True, tag="gun"):
    shots: int


class Blade(msgspec.Struct, forbid_unknown_fields=True, tag="blade"):
    length: float


class Hand(Enum):
    left = "left"
    right = "right"


class Purse(msgspec.Struct):
    coins: int

    def __post_init__(self) -> None:
        if self.coins == 13:
            raise ValueError("thirteen coins bring bad luck")


class Character(msgspec.Struct, forbid_unknown_fields=True):
    system: str
    kind: str
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=20)]
    skills: dict[str, Skill] = {}
    weapons: list[Gun | Blade] = []
    hand: Hand = Hand.right
    gear: Literal["light", "heavy"] | None = None
    alive: bool = True
    places: dict[str, dict[str, Skill]] = {}
    at: tuple[int, int] = (0, 0)
    code: Annotated[str, msgspec.Meta(pattern="^[A-Z]+$")] = "A"
    wounds: dict[Literal["head", "torso"], int] = {}
    table: dict[int, str] = {}
    factor: Annotated[float, msgspec.Meta(gt=0, lt=2)] = 1
    step: Annotated[int, msgspec.Meta(multiple_of=5)] = 5
    luck: Annotated[list[int], msgspec.Meta(min_length=1, max_length=2)] | None = None
    friend: Skill | None = None
    size: int | None = None
    purse: Purse | None = None


def refused(text: str | bytes) -> str:
    with pytest.raises(UserError) as caught:
        files.parse(text, "ana.yaml")
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 600
    return message


@pytest.fixture(params=["C parser", "Python parser"])
def either_parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "Python parser":
        monkeypatch.setitem(sys.modules, "ruamel.yaml.cyaml", None)
    return str(request.param)


@pytest.mark.usefixtures("either_parser")
@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("", "1:1", "the file is empty"),
        ("# only a comment\n", "1:1", "the file is empty"),
        ("just text", "1:1", "expected named fields such as `name: Ana`, got text"),
        ("- 1\n- 2\n", "1:1", "got a list"),
        ("a: b: c", "1:5", "put text that contains `: ` in quotes"),
        ("a: [1, 2\nb: 3", "2:2", "the list that opens with [ on line 1 is not closed"),
        ("a: {b: 1, c: 2\n", "2:1", "the fields that open with { on line 1 are not closed"),
        ('a: 1\nb: "never closed\nc: 1', "2:4", "the quotation mark on line 2 is never closed"),
        ("a:\n\t- b", "2:1", "a tab cannot be used to indent: use spaces"),
        ("a: @home", "1:4", "text cannot start with @: put it in quotes"),
        ("  a: 1\n b: 2", "2:2", "check the indentation"),
        ("a: 'it's'", "1:8", "quotation marks"),
        ('a: "\\q"', "1:", "unknown escape"),
        ("a: &x 1", "1:4", "aliases are not supported here: write the value out"),
        ("a: 1\nb: *x", "2:4", "aliases are not supported here: write the value out"),
        ("a: *bold* words", "1:", "in quotes"),
        ("a: !!python/object:os.system x", "1:4", "tags such as !!python/object:os.system are not supported here"),
        ("a: !foo {}", "1:4", "tags such as !foo are not supported here"),
        ("!foo\na: 1", "1:1", "tags"),
        ("a: !x!y 1", "1:4", "tags are not supported here"),
        ("a: 1\n---\nb: 2", "2:1", "a second document begins here"),
        ("a:\n  b: 1\n  b: 2", "3:3", "a.b: this name occurs twice, first on line 2; keep one of them"),
        ("1: x\n'1': y", "2:1", "1: this name occurs twice"),
        ("? [a]\n: b", "1:3", "the name of a field must be one word or text in quotes"),
        ("<<: {a: 1}", "1:1", "merge keys (<<) are not supported here"),
        ("a: .nan", "1:4", "a: expected a finite number"),
        ("a: -.inf", "1:4", "a: expected a finite number"),
        ("a: 1e999", "1:4", "a: this number is too large"),
        ("a: 1234567890123456789", "1:4", "a: a whole number may have at most 18 digits"),
        ("a: 0xffffffffffffffffffff", "1:4", "at most 18 digits"),
        ("a: -1.5e18", "1:4", "at most 18 digits"),
        ("a: " + "9" * 100_000, "1:4", "at most 18 digits"),
        ("a: \x07", "1:4", "the character U+0007 is not allowed in a text file"),
        ("a: \ud800", "1:4", "the character U+D800"),
        (b"name: Ana\nnote: \xe9t\xe9\n", "2:7", "this is not UTF-8 text (byte 17 is 0xe9): save the file as UTF-8"),
        (b"\x7fELF\x00\x01", "1:1", "this is not a text file"),
        ("a: [" + "1, " * 60_000 + "]", "", "the file has too many values; at most 50,000 can be read"),
        ("- " * 100_000, "", "nested too deep; at most 40 levels can be read"),
        ("a: " + "{a: " * 200_000, "", "nested too deep"),
        ("".join(" " * depth + "a:\n" for depth in range(1000)), "", "nested too deep"),
        ("a: " + "x" * (1 << 20), "1:1", "the file is too large; at most 1 MiB can be read"),
        ("é" * (1 << 19) + "é", "1:1", "the file is too large"),
    ],
    ids=range(42),
)  # fmt: skip
def test_what_cannot_be_read_is_refused_with_its_place(text: str | bytes, place: str, says: str) -> None:
    message = refused(text)
    assert says in message
    assert message.startswith(f"ana.yaml:{place}")


@pytest.mark.usefixtures("either_parser")
def test_endless_brackets_are_refused_at_once() -> None:
    began = time.process_time()
    assert "nested too deep" in refused("a: " + "[" * 1_000_000)
    assert time.process_time() - began < 30


def test_an_alias_bomb_is_refused_before_it_goes_off() -> None:
    bomb = "a: &a [x, x]\n" + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(20))
    assert refused(bomb) == (
        "ana.yaml:1:4: a: aliases are not supported here: write the value out, or put text that starts with * or & in quotes"
    )


@given(st.text(max_size=60) | st.text("ab:-[]{}?&*!|>'\"%@`#, \n\t~<0.=", max_size=40) | st.binary(max_size=40))
@settings(max_examples=1500, deadline=None)
def test_no_text_whatever_ends_in_anything_but_data_or_one_clear_line(text: str | bytes) -> None:
    try:
        assert isinstance(files.parse(text, "ana.yaml").data, dict)
    except UserError as error:
        message = str(error)
    else:
        return
    assert message.startswith("ana.yaml:")
    assert "\n" not in message


@pytest.mark.usefixtures("either_parser")
def test_plain_words_mean_what_yaml_1_2_says() -> None:
    meanings: dict[str, Any] = {
        "yes": "yes", "on": "on", "true": True, "~": None, "": None, "null": None, "010": 10, "0o17": 15, "0xff": 255, "+3": 3, "-.5": -0.5,
        "1e3": 1000.0, "2001-01-01": "2001-01-01", "'1'": "1", "3d+1": "3d+1", "1_000": "1_000", "12:30": "12:30",
    }  # fmt: skip
    for written, meant in meanings.items():
        value = files.parse(f"a: {written}\n", "a").data["a"]
        assert (value, type(value)) == (meant, type(meant))


def test_names_of_fields_are_text_as_written() -> None:
    assert files.parse("1: a\n2.50: b\non: c\ntrue: d\nnull: e\n'': f\n", "a").data == {
        "1": "a", "2.50": "b", "on": "c", "true": "d", "null": "e", "": "f",
    }  # fmt: skip


def test_a_byte_order_mark_and_windows_line_ends_are_accepted(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbfname: Ana\r\nskills:\r\n  law: 1\r\n")
    document = files.read(path)
    assert document.data == {"name": "Ana", "skills": {"law": 1}}
    assert document.place(("skills", "law")) == (3, 3)


def test_a_very_long_text_is_no_problem() -> None:
    assert len(files.parse("a: " + "x" * 1_000_000, "a").data["a"]) == 1_000_000


@pytest.mark.usefixtures("either_parser")
def test_every_value_has_its_place() -> None:
    document = files.parse(ANA, "ana.yaml")
    assert document.place() == (2, 1)
    assert document.place(("name",)) == (4, 1)
    assert document.place(("skills", "rifles", "level")) == (6, 12)
    assert document.place(("skills", "cooking", "level")) == (8, 5)
    assert document.place(("weapons", 0)) == (10, 5)
    assert document.place(("weapons", 1, "length")) == (12, 19)
    assert document.place(("weapons", 7, "length")) == (9, 1)
    assert document.place(("skills", "law", "level")) == (5, 1)
    assert document.place(("nothing", 0)) == (2, 1)


def test_a_missing_file_is_refused_with_files_that_look_like_it(tmp_path: Path) -> None:
    (tmp_path / "ana.yaml").write_text(ANA)
    with pytest.raises(UserError) as caught:
        files.read(tmp_path / "anna.yaml")
    assert str(caught.value) == f'{tmp_path / "anna.yaml"}: no such file; did you mean "ana.yaml"?'
    with pytest.raises(UserError, match="there is no directory"):
        files.read(tmp_path / "no" / "ana.yaml")
    with pytest.raises(UserError, match="no such file"):
        files.read(tmp_path / "ana.yaml" / "ana.yaml")


def test_what_is_not_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is a directory; name a file in it"):
        files.read(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UserError, match="is not a regular file"):
        files.read(tmp_path / "pipe")
    with pytest.raises(UserError, match="cannot be read"):
        files.read("a\0b")
    with pytest.raises(UserError):
        files.read("x" * 5000)
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(UserError, match="cannot be read"):
        files.read(tmp_path / "loop")


def test_a_large_file_is_refused_without_being_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    with path.open("wb") as file:
        file.truncate(1 << 36)
    with pytest.raises(UserError, match="too large"):
        files.read(path)


def test_a_good_file_becomes_its_type() -> None:
    ana = files.convert(files.parse(ANA, "ana.yaml"), Character)
    assert ana.skills == {"rifles": Skill(2), "cooking": Skill(3)}
    assert ana.weapons == [Gun(5), Blade(3.0)]


TOP = "system: scumm\nkind: character\nname: Ana\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("system: scumm\nkind: hero\n", "1:1: name: missing: every hero needs `name` (text)"),
        ("system: scumm\nname: Ana\n", "1:1: kind: missing: every character needs `kind` (text)"),
        (TOP + "skils: {}", '4:1: skils: unknown field; did you mean "skills"?'),
        (TOP + "skills:\n  law: {level: 1}\n  rifles:\n    levl: 2", '7:5: skills.rifles.levl: unknown field; did you mean "level"?'),
        (TOP + "skills:\n  law: {level: 1, x: 1}", "5:19: skills.law.x: unknown field; known here: level, note"),
        (TOP + "skills:\n  law: {}", "5:3: skills.law.level: missing: every skill needs `level` (a whole number)"),
        (TOP + "skills: {a: {level: 1}, b: {level: 2}, c: {level: 9}}", "4:44: skills.c.level: must be at most 5, got 9"),
        (TOP + "skills: {a: {level: -1}}", "4:14: skills.a.level: must be at least 0, got -1"),
        (TOP + "skills: {a: {level: two}}", '4:14: skills.a.level: expected a whole number, got text ("two")'),
        (TOP + "skills: {a: {level: '2'}}", '4:14: skills.a.level: expected a whole number, got text ("2"); write 2 without quotes'),
        (TOP + "skills: {a: {level: 2.0}}", "4:14: skills.a.level: expected a whole number, got a number (2.0); write 2"),
        (TOP + "skills: {a: {level: }}", "4:14: skills.a.level: expected a whole number, got nothing; fill it in"),
        (TOP + "skills: {a: {level: 1, note: 3}}", '4:24: skills.a.note: expected text, got a whole number (3); put it in quotes: "3"'),
        (TOP + "skills: [a]", "4:1: skills: expected named fields, got a list"),
        (TOP + "places: {a: {x: {level: 1}}, b: {y: {level: 1}, z: {level: x}}}",
         '4:53: places.b.z.level: expected a whole number, got text ("x")'),
        (TOP + "weapons:\n  - {type: gun, shots: 1}\n  - {type: gnu}",
         '6:6: weapons.1.type: "gnu" is not one of "gun", "blade"; did you mean "gun"?'),
        (TOP + "weapons: [{shots: 1}]", '4:11: weapons.0.type: missing: every entry needs `type` (one of "gun", "blade")'),
        (TOP + "weapons: [{type: gun, shot: 1}]", '4:23: weapons.0.shot: unknown field; did you mean "shots"?'),
        (TOP + "weapons: [3]", "4:11: weapons.0: expected named fields, got a whole number (3)"),
        (TOP + "weapons:", "4:1: weapons: expected a list, got nothing; write [] if there are none"),
        (TOP + "hand: lft", '4:1: hand: "lft" is not one of "left", "right"; did you mean "left"?'),
        (TOP + "gear: 3", '4:1: gear: 3 is not one of "heavy", "light"'),
        (TOP + "alive: yes", '4:1: alive: expected true or false, got text ("yes"); write true'),
        (TOP + "alive: Off", '4:1: alive: expected true or false, got text ("Off"); write false'),
        (TOP + "at: [1]", "4:1: at: must have exactly 2 entries, got 1"),
        (TOP + "at: 1", "4:1: at: expected a list, got a whole number (1); write it as a list: [1]"),
        (TOP + "code: abc", "4:1: code: \"abc\" does not have the form '^[A-Z]+$'"),
        (TOP + "wounds: {head: 1, tors: 2}",
         '4:19: wounds.tors: this name is not allowed here: "tors" is not one of "head", "torso"; did you mean "torso"?'),
        (TOP + "table: {1: a, x: b}", '4:15: table.x: this name is not allowed here: expected a whole number, got text ("x")'),
        (TOP + "factor: 0", "4:1: factor: must be more than 0, got 0"),
        (TOP + "factor: 2.5", "4:1: factor: must be less than 2, got 2.5"),
        (TOP + "step: 3", "4:1: step: must be a multiple of 5, got 3"),
        (TOP + "luck: []", "4:1: luck: must not be empty"),
        (TOP + "luck: [1, 2, 3]", "4:1: luck: must have at most 2 entries, got 3"),
        (TOP + "friend: {lvl: 1}", '4:10: friend.lvl: unknown field; did you mean "level"?'),
        (TOP + "size: big", '4:1: size: expected a whole number or nothing, got text ("big")'),
        (TOP + "purse: {coins: 13}", "4:1: purse: thirteen coins bring bad luck"),
        (TOP.replace("Ana", "''"), "3:1: name: must not be empty"),
        (TOP.replace("Ana", "x" * 21), "3:1: name: must have at most 20 characters, got 21"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_said_in_plain_words(text: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        files.convert(files.parse(text, "ana.yaml"), Character)
    assert str(caught.value) == "ana.yaml:" + message


FAULTS = {
    "skills: {a: {level: two}, b: {levl: 1}, c: {}}": ["skills.a.level", "skills.b.levl", "skills.c.level"],
    "weapons: [3, {type: gnu}, {type: gun}, {type: gun, shots: 1, x: 2}]": [
        "weapons.0",
        "weapons.1.type",
        "weapons.2.shots",
        "weapons.3.x",
    ],
    "hand: up": ["hand"],
    "gear: none": ["gear"],
    "alive: maybe": ["alive"],
    "at: [1, x]": ["at.1"],
    "code: abc": ["code"],
    "wounds: {tail: 1, head: x}": ["wounds.tail", "wounds.head"],
    "factor: 7": ["factor"],
    "luck: []": ["luck"],
    "friend: {lvl: 1}": ["friend.lvl"],
    "colour: red": ["colour"],
}


@given(chosen=st.sets(st.sampled_from(sorted(FAULTS)), min_size=1))
def test_all_independent_faults_are_said_at_once_each_with_its_place(chosen: set[str]) -> None:
    lines = sorted(chosen)
    with pytest.raises(UserError) as caught:
        files.convert(files.parse(TOP + "\n".join(lines), "ana.yaml"), Character)
    wanted = [(f"ana.yaml:{number}:", field) for number, line in enumerate(lines, 4) for field in FAULTS[line]]
    assert len(caught.value.parts) == len(wanted)
    assert str(caught.value) == "\n".join(caught.value.parts)
    for where, field in wanted:
        assert [part for part in caught.value.parts if part.startswith(where) and f" {field}: " in part], (field, caught.value.parts)


def test_a_misspelt_required_field_is_recognised_where_unknown_fields_are_allowed() -> None:
    with pytest.raises(UserError, match='is "nmae" meant'):
        files.header(files.parse("system: a\nkind: b\nnmae: c", "a"))


def test_numbers_as_names_can_be_numbers_again() -> None:
    assert files.convert(files.parse(TOP + "table: {1: a, 2: b}", "a"), Character).table == {1: "a", 2: "b"}


def test_a_part_of_a_document_can_be_taken_alone() -> None:
    document = files.parse(ANA, "ana.yaml")
    assert files.convert(document, Skill, at=("skills", "rifles")) == Skill(2)
    assert files.convert(document, dict[str, Skill], at=("skills",))["cooking"] == Skill(3)
    with pytest.raises(UserError, match=r'ana.yaml:5:1: skills.rifle: missing; did you mean "rifles"\?'):
        files.convert(document, Skill, at=("skills", "rifle"))
    with pytest.raises(UserError, match=r"ana.yaml:10:5: weapons.0.level: missing"):
        files.convert(document, Skill, at=("weapons", 0, "level"))


def test_an_error_in_a_large_file_is_found_fast() -> None:
    text = TOP + "skills:\n" + "".join(f"  s{n}: {{level: 1}}\n" for n in range(10_000)) + "  bad: {level: 7}\n"
    document = files.parse(text, "a")
    began = time.process_time()
    with pytest.raises(UserError, match=r"a:10005:9: skills.bad.level: must be at most 5, got 7"):
        files.convert(document, Character)
    assert time.process_time() - began < 10


def test_every_file_has_a_header() -> None:
    assert files.header(files.parse(ANA, "a")) == files.Header("scumm", "character", "Ana")
    with pytest.raises(UserError, match=r"a:1:1: system: missing: every file needs `system` \(text\)"):
        files.header(files.parse("a: 1", "a"))
    with pytest.raises(UserError, match=r'a:3:1: name: expected text, got a whole number \(47\); put it in quotes: "47"'):
        files.header(files.parse("system: a\nkind: b\nname: 47", "a"))
    with pytest.raises(UserError, match="must not be empty"):
        files.header(files.parse("system: a\nkind: ''\nname: c", "a"))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2", 2),
        ("yes", "yes"),
        ("true", True),
        ("[1, 2]", [1, 2]),
        ("{a: 1}", {"a": 1}),
        ("", ""),
        ("3d+1 vs 5", "3d+1 vs 5"),
        ("-1", -1),
        ("~", None),
    ],
)
def test_a_value_from_the_command_line_is_read_as_in_a_file(text: str, value: Any) -> None:
    assert files.parse_value(text) == value


def test_our_own_data_may_use_numbers_as_names_and_anchors(tmp_path: Path) -> None:
    path = tmp_path / "data.yaml"
    path.write_text("rows:\n  1: &one [a, b]\n  2: *one\n  yes: no\n")
    expected = {"rows": {1: ["a", "b"], 2: ["a", "b"], "yes": "no"}}
    assert files.read_data(path) == expected
    assert files.read_data(str(path)) == expected


def test_messages_stay_on_one_line_whatever_the_names_hold() -> None:
    document = files.parse('"a\\nb": {"c\\u2028": 1}', "x\ny")
    message = str(document.wrong(("a\nb", "c\u2028"), "bad\nthing"))
    assert message == "x\\ny:1:10: a\\nb.c\\u2028: bad\\nthing"


def test_importing_the_module_does_not_import_the_yaml_library() -> None:
    code = "import sys, rulewright.files; print([m for m in ('ruamel.yaml', 'difflib') if m in sys.modules])"
    path = str(Path(files.__file__).parents[2])
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": path})
    assert out.stdout.strip() == "[]"
