"""Saving: nothing is lost, nothing is half written, and comments stay where people put them."""

import os
import stat
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rulewright import __version__, files
from rulewright.errors import UserError
from rulewright.files import file_writer

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ["yes", "null", "1", "1.0", "1e3", "0x1f", ".inf", "-", "- a", "a: b", "a #b", "# a", "*a", "&a", "!a", "one\ntwo", "one\n\n two\n",
     "<<", "=", "---",
     "...", "2001-01-01", "1_000", "12:30", " a", "a ", "'", '"', "\\", "[a]", "{a}", "a,b", "a:", ":a", "?", "? a", "| a", "> a",
     "%a", "@a", "`a", "~",
     "\n", "a\n", "a\n\n", "\u2028", "\x85", "\ufeff", "\x00", "Ω mega", "+1d", "-1d", "true"]
)  # fmt: skip
LARGEST = 10**18 - 1
SCALAR = st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | st.floats(-9.9e17, 9.9e17) | TEXT
NAME = TEXT | st.sampled_from(["name", "skills", "level", "a", "b", "c", "x", "1", "12"])
NESTED = st.recursive(SCALAR, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAME, inner, max_size=4), max_leaves=12)
FIELDS = st.dictionaries(NAME, NESTED, max_size=5)

ANA = """\
# Ana, made for the harbour campaign
system: scumm     # the small game
kind: character
name: Ana

# what she has learnt
skills:
  rifles: 2       # in the war
  "first aid": 1

  # from her aunt
  cooking: 3
weapons:
- name: Rifle     # old
  shots: 5
- {name: Knife, shots: 0}   # always with her
tags: [brave, quiet]
notes: |
  Line one.

  Line two.
# the end
"""


@pytest.mark.slow
@given(FIELDS)
@settings(max_examples=400, deadline=None)
def test_whatever_plain_data_is_written_is_read_back_the_same(tmp_path_factory: pytest.TempPathFactory, data: dict[str, Any]) -> None:
    path = tmp_path_factory.getbasetemp() / "written.yaml"
    if len(data) == 0:
        data = {"a": data}
    files.write(path, data)
    again = files.read(path).data
    assert file_writer._same(again, data)
    assert list(again) == list(data)


@pytest.mark.slow
@given(FIELDS, FIELDS, st.randoms(use_true_random=False))
@settings(max_examples=400, deadline=None)
def test_saving_over_a_file_gives_the_new_data_and_keeps_the_comments_of_what_stays(
    before: dict[str, Any], after: dict[str, Any], chance: Any
) -> None:
    before = {"kept": 1, **before}
    text = "# on top\n" + files.render(before).replace("kept: 1\n", "kept: 1  # beside\n", 1)
    after = {
        "kept": 1,
        **{name: after.get(name, value) for name, value in before.items() if name != "kept" and chance.random() < 0.8},
        **after,
    }
    after["kept"] = 1
    over = files.parse(text, "a.yaml")
    changed = file_writer._Splice(over, "\n").changed(after)
    assert file_writer._same(files.parse(changed, "a.yaml").data, after)
    assert changed.startswith("# on top\n")
    assert "kept: 1  # beside\n" in changed


def mutated(value: Any, chance: Any) -> Any:
    """The same data with a few things changed, added and removed, at any depth."""
    roll = chance.random()
    if isinstance(value, dict):
        out = {name: mutated(item, chance) for name, item in value.items() if chance.random() < 0.85}
        return {**out, "new": chance.choice([1, [1, 2], {"deep": {"er": "x"}}, "one\ntwo"])} if roll < 0.3 else out
    if isinstance(value, list):
        out_list = [mutated(item, chance) for item in value if chance.random() < 0.85]
        if roll < 0.3:
            out_list.insert(chance.randrange(len(out_list) + 1), chance.choice([7, {"deep": [1]}, [[1]], "one\ntwo", {"a": {"b": 1}}]))
        return out_list
    if roll < 0.8:
        return value
    return chance.choice([None, 3, "text", "one\ntwo", {"a": 1}, [1, 2], [{"a": {"b": 2}}], {}, []])


@pytest.mark.slow
@given(FIELDS, st.randoms(use_true_random=False), st.sampled_from(["\n", "\r\n"]), st.booleans())
@settings(max_examples=600, deadline=None)
def test_small_changes_at_any_depth_keep_the_text_of_everything_else(
    data: dict[str, Any], chance: Any, newline: str, comments: bool
) -> None:
    data = {"kept": 1, **data}
    data["kept"] = 1
    lines = files.render(data).split("\n")
    text = "\n".join(lines)
    if comments:
        candidate = "\n".join(line + "  # note" if line and chance.random() < 0.5 else line for line in lines)
        try:
            if file_writer._same(files.parse(candidate, "a.yaml").data, data):
                text = candidate
        except UserError:
            pass
    over = files.parse(text.replace("\n", newline), "a.yaml")
    after = {**mutated(data, chance), "kept": 1}
    changed = file_writer._Splice(over, newline).changed(after)
    assert file_writer._same(files.parse(changed, "a.yaml").data, after)
    assert file_writer._same(over.data, data)


@given(FIELDS)
@settings(deadline=None)
def test_saving_unchanged_data_changes_not_a_single_character(data: dict[str, Any]) -> None:
    text = "# hello\n" + files.render({"x": 1, **data})
    over = files.parse(text, "a.yaml")
    assert file_writer._Splice(over, "\n").changed(over.data) == text


def save(tmp_path: Path, text: str, change: dict[str, Any]) -> str:
    path = tmp_path / "ana.yaml"
    path.write_bytes(text.encode())
    over = files.read(path)
    files.write(path, files.merge(over.data, change, create=True), over=over)
    return path.read_bytes().decode()


def test_a_changed_value_changes_only_its_own_characters(tmp_path: Path) -> None:
    assert save(tmp_path, ANA, {"skills.rifles": 3}) == ANA.replace("rifles: 2 ", "rifles: 3 ")


def test_a_new_field_comes_after_the_last_one_beside_it(tmp_path: Path) -> None:
    assert save(tmp_path, ANA, {"skills.law": 1}) == ANA.replace("cooking: 3\n", "cooking: 3\n  law: 1\n")


def test_a_new_entry_comes_after_the_last_one_in_the_style_of_the_list(tmp_path: Path) -> None:
    added = save(tmp_path, ANA, {"weapons.2": {"name": "Pan", "shots": 0}, "tags.2": "late"})
    assert added == ANA.replace("with her\n", "with her\n- {name: Pan, shots: 0}\n").replace("[brave, quiet]", "[brave, quiet, late]")


def test_a_field_taken_away_takes_only_its_own_line(tmp_path: Path) -> None:
    path = tmp_path / "ana.yaml"
    path.write_text(ANA)
    over = files.read(path)
    data = {**over.data, "skills": {"first aid": 1, "cooking": 3}}
    files.write(path, data, over=over)
    assert path.read_text() == ANA.replace("  rifles: 2       # in the war\n", "")


def test_an_entry_taken_from_the_front_of_a_list_leaves_the_others_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "ana.yaml"
    path.write_text(ANA)
    over = files.read(path)
    files.write(path, {**over.data, "weapons": over.data["weapons"][1:]}, over=over)
    assert path.read_text() == ANA.replace("- name: Rifle     # old\n  shots: 5\n", "")


def test_the_first_field_of_a_list_entry_can_go(tmp_path: Path) -> None:
    path = tmp_path / "ana.yaml"
    path.write_text(ANA)
    over = files.read(path)
    files.write(path, {**over.data, "weapons": [{"shots": 5}, over.data["weapons"][1]]}, over=over)
    assert files.read(path).data["weapons"] == [{"shots": 5}, {"name": "Knife", "shots": 0}]
    assert "# always with her" in path.read_text()


def test_a_value_that_becomes_fields_keeps_the_comment_on_its_line(tmp_path: Path) -> None:
    text = save(tmp_path, "a: 1\nb: 2  # two\nc: 3\n", {"b": {"x": 1, "y": 2}})
    assert text == "a: 1\nb:  # two\n  x: 1\n  y: 2\nc: 3\n"


def test_fields_that_become_a_value_do_so_on_one_line(tmp_path: Path) -> None:
    assert save(tmp_path, "a:\n  x: 1\n  y: 2\n# c\nb: 1\n", {"a": "short"}) == "a: short\n# c\nb: 1\n"


def test_an_empty_field_is_filled_in_on_its_own_line(tmp_path: Path) -> None:
    assert save(tmp_path, "a:   # later\nb:\nc: 1", {"a": 1, "b": [1, 2], "d": 2}) == "a: 1   # later\nb: [1, 2]\nc: 1\nd: 2"


def test_windows_line_ends_stay(tmp_path: Path) -> None:
    assert save(tmp_path, "a: 1\r\nb:\r\n  c: 1\r\n", {"b.d": 2, "e": {"f": 1}}) == "a: 1\r\nb:\r\n  c: 1\r\n  d: 2\r\ne:\r\n  f: 1\r\n"


def test_quotes_stay_and_dates_stay_as_they_were_written(tmp_path: Path) -> None:
    text = save(tmp_path, "a: 'one'\nb: \"two\"\nborn: 2001-01-01\n1: x\n", {"a": "uno", "b": "due", "1": "y"})
    assert text == "a: 'uno'\nb: \"due\"\nborn: 2001-01-01\n1: y\n"


def test_a_block_of_text_is_replaced_by_another(tmp_path: Path) -> None:
    assert save(tmp_path, ANA, {"notes": "One.\nTwo.\n"}) == ANA.replace("Line one.\n\n  Line two.", "One.\n  Two.")
    assert save(tmp_path, ANA, {"notes": "One."}) == ANA.replace("|\n  Line one.\n\n  Line two.", "One.")


@pytest.mark.parametrize(
    "text",
    [
        "? a\n: 1\n? b\n: 2\n",
        "a: 1\n? b\n:\n  - 1\n",
        "{a: 1, b: {c: 2}}\n",
        "--- {a: 1}\n",
        "a:\n  - - 1\n    - 2\n  -\n    - 3\n",
        "a: [1,\n  # in between\n  2]\n",
        "a: >\n  folded\n  text\n\nb: |+\n  kept\n\n",
        "a:\n  b:\n    c:\n      - d: 1\n        e: 2\n...\n",
    ],
)  # fmt: skip
def test_unusual_layouts_are_saved_right_too(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(text)
    over = files.read(path)
    for data in ({**over.data, "z": [1, {"y": {"x": 1}}]}, {"a": "changed"}, {"z": 1}, {**over.data, "a": {"new": [1]}}):
        assert files.write(path, data, over=over).data == data
        assert files.read(path).data == data


def test_comments_on_top_survive_even_when_nothing_else_can(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("# mine\n\na: 1\n")
    over = files.read(path)
    files.write(path, {"b": 2}, over=over)
    assert path.read_text() == "# mine\n\nb: 2\n"


def test_clean_files_put_short_lists_and_short_entries_on_one_line() -> None:
    data = {
        "name": "Ana",
        "tags": ["a", "b c"],
        "weapons": [{"name": "Knife", "shots": 0}, {"name": "Rifle", "ammo": [1, 2]}],
        "stats": {"a": 1},
    }
    assert files.render(data) == (
        "name: Ana\ntags: [a, b c]\nweapons:\n  - {name: Knife, shots: 0}\n  - name: Rifle\n    ammo: [1, 2]\nstats:\n  a: 1\n"
    )


class Thing(msgspec.Struct):
    name: str
    at: tuple[int, int]


def test_structures_can_be_saved_as_they_are(tmp_path: Path) -> None:
    document = files.write(tmp_path / "a.yaml", Thing("x", (1, 2)))
    assert document.data == {"name": "x", "at": [1, 2]}
    assert files.convert(files.read(tmp_path / "a.yaml"), Thing) == Thing("x", (1, 2))


def refused(path: Path, data: Any, over: files.Document | None = None) -> str:
    with pytest.raises(UserError) as caught:
        files.write(path, data, over=over)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.slow
def test_what_cannot_be_saved_is_refused_and_nothing_changes(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a: 1\n")
    deep: Any = 1
    for _ in range(60):
        deep = [deep]
    endless: list[Any] = []
    endless.append(endless)
    for bad in (
        [1], "text", None, {"a": float("nan")}, {"a": float("inf")}, {"a": 10**18}, {"a": object()}, {"a": deep}, {"a": endless},
        {"a": "\ud800"},
        {"a": "x" * (1 << 20)}, {"a": [0] * 60_000}, {"k" * 2000: 1}, {"a": float("-inf")}, {"a": 1e18},
    ):  # fmt: skip
        refused(path, bad)
        refused(path, bad, files.read(path))
        assert path.read_text() == "a: 1\n"
        assert os.listdir(tmp_path) == ["a.yaml"]


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    assert "no directory" in refused(tmp_path / "no" / "a.yaml", {"a": 1})
    assert "is a directory" in refused(tmp_path, {"a": 1})
    (tmp_path / "file").write_text("")
    refused(tmp_path / "file" / "a.yaml", {"a": 1})
    refused(tmp_path / ("x" * 300 + ".yaml"), {"a": 1})
    refused(Path("a\0b"), {"a": 1})
    assert os.listdir(tmp_path) == ["file"]


def test_a_read_only_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a: 1\n")
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert "read-only" in refused(path, {"a": 2})
    assert path.read_text() == "a: 1\n"


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failing_disk_leaves_the_old_file_and_no_litter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a: 1\n")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, fail)
    assert "no space left" in refused(path, {"a": 2})
    assert path.read_text() == "a: 1\n"
    assert os.listdir(tmp_path) == ["a.yaml"]


def test_rights_and_links_survive_a_save(tmp_path: Path) -> None:
    real = tmp_path / "real.yaml"
    real.write_text("a: 1\n")
    real.chmod(0o640)
    link = tmp_path / "link.yaml"
    link.symlink_to(real)
    files.write(link, {"a": 2})
    assert link.is_symlink()
    assert real.read_text().endswith("a: 2\n")
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


@given(FIELDS, st.lists(st.sampled_from(["a", "b", "name", "skills", "0", "1", "level"]), min_size=1, max_size=4), SCALAR)
@settings(deadline=None)
@example({"a": [1]}, ["a", "1"], 2)
def test_setting_a_field_changes_nothing_but_that_field(data: dict[str, Any], parts: list[str], value: Any) -> None:
    before = msgspec.json.encode(data)
    try:
        after = files.set_at(data, ".".join(parts), value)
    except UserError:
        pass
    else:
        assert files.set_at(after, ".".join(parts), value) == after
        assert {name: item for name, item in after.items() if name != parts[0]} == {
            name: item for name, item in data.items() if name != parts[0]
        }
    assert msgspec.json.encode(data) == before


def test_fields_are_set_by_their_dotted_path() -> None:
    data = {"victim": {"flesh": 1, "armour": [1, 2]}, "ammo": {"9.5mm": {"count": 1}}}
    assert files.set_at(data, "victim.flesh", 2)["victim"] == {"flesh": 2, "armour": [1, 2]}
    assert files.set_at(data, "victim.armour.1", 5)["victim"]["armour"] == [1, 5]
    assert files.set_at(data, "victim.armour.2", 5)["victim"]["armour"] == [1, 2, 5]
    assert files.set_at(data, "victim.new", 5)["victim"]["new"] == 5
    assert files.set_at(data, "ammo.9.5mm.count", 7)["ammo"] == {"9.5mm": {"count": 7}}
    assert files.merge({}, {"a.b": 1, "a.c.d": 2}, create=True) == {"a": {"b": 1, "c": {"d": 2}}}


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("victm.flesh", 'victm: unknown field; did you mean "victim"?'),
        ("victim.flesh.x", "victim.flesh.x: victim.flesh is a whole number and has no fields"),
        ("victim.armour.7", "victim.armour.7: expected the number of an entry, from 0 to 1"),
        ("victim.armour.first", "victim.armour.first: expected the number of an entry, from 0 to 1"),
        ("victim..flesh", '"victim..flesh" does not name a field: expected names joined by dots, such as skills.rifles'),
    ],
)
def test_an_impossible_path_is_refused_with_the_nearest_name(field: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        files.set_at({"victim": {"flesh": 1, "armour": [1, 2]}}, field, 1)
    assert str(caught.value) == message


def test_a_new_file_says_which_version_wrote_it_and_a_saved_one_which_saved_it_last(tmp_path):
    kept = files.write(tmp_path / "new.yaml", {"a": 1})
    assert kept.text == f"# Rulewright {__version__}\na: 1\n"
    (tmp_path / "old.yaml").write_text("# mine\n# Rulewright 0.1.0\na: 1 # one\n")
    assert files.write(tmp_path / "old.yaml", {"a": 2}, over=files.read(tmp_path / "old.yaml")).text == (
        f"# mine\n# Rulewright {__version__}\na: 2 # one\n"
    )
    (tmp_path / "own.yaml").write_text("# mine\na: 1\n")
    assert files.write(tmp_path / "own.yaml", {"a": 2}, over=files.read(tmp_path / "own.yaml")).text == "# mine\na: 2\n"


def test_a_field_of_a_later_version_is_told_from_a_mistake():
    class Kept(msgspec.Struct, forbid_unknown_fields=True):
        a: int

    for text, later in (("# Rulewright 99.1.0\na: 1\nb: 2\n", True), ("# Rulewright 0.1.0\na: 1\nb: 2\n", False), ("a: 1\nb: 2\n", False)):
        with pytest.raises(UserError) as refused:
            files.convert(files.parse(text, "file"), Kept)
        assert ("Rulewright 99.1.0 wrote the file" in str(refused.value)) == later
