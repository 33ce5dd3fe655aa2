"""Whatever is given: exit status 2, one clear line on standard error, nothing on standard output, nothing written."""

import json
import os
from pathlib import Path

import pytest

from rulewright import files

CHARACTER = """\
system: pebbles
kind: character
name: Wilma
aim: 1
guard: 1
stones: 4
tricks: [low wall]
"""
SCENARIO = """\
system: pebbles
kind: scenario
name: On the beach
sides:
  here:
    - {character: wilma.yaml}
  there:
    - {character: oskar}
"""
HOUSE = "system: pebbles\nkind: house-rules\nname: Ours\n"
BOMB = (
    "system: pebbles\nkind: character\nname: &a [x, x, x, x, x, x, x, x, x]\n"
    "b: &b [*a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b]\nd: [*c, *c, *c, *c, *c, *c, *c]\n"
)


@pytest.fixture
def refused(run, folder):
    """Run a command that must be refused, and give the one line that says why."""

    def refused(*arguments):
        before = _everything(folder)
        ran = run(*arguments)
        assert ran.status == 2, ran
        assert ran.out == ""
        assert ran.err.endswith("\n")
        assert ran.err.count("\n") == 1
        assert ran.err.startswith("rulewright: ")
        assert "Traceback" not in ran.err
        assert _everything(folder) == before
        return ran.err

    return refused


def _everything(folder):
    return {path: path.read_bytes() if path.is_file() and os.access(path, os.R_OK) else None for path in sorted(folder.rglob("*"))}


BROKEN_FILES = {
    "malformed": (b"system: pebbles\n  kind: [character\n", ("1:", "2:")),
    "an unclosed quotation mark": (b'system: "pebbles\nkind: character\n', ("never closed",)),
    "a tab": (b"system: pebbles\nkind: character\nname: x\ntricks:\n\t- low wall\n", ("spaces",)),
    "an alias bomb": (BOMB.encode(), ("3:",)),
    "a tag": (b"system: pebbles\nkind: character\nname: !!python/object/apply:os.system [ls]\n", ("3:",)),
    "an unknown field": (CHARACTER.replace("guard:", "gaurd:").encode(), ("gaurd", "guard", "5:")),
    "a missing field": (CHARACTER.replace("name: Wilma\n", "").encode(), ("name",)),
    "no system": (CHARACTER.replace("system: pebbles\n", "").encode(), ("system",)),
    "an unknown system": (CHARACTER.replace("pebbles", "pebble").encode(), ("pebbles", "1:")),
    "an unknown kind": (CHARACTER.replace("kind: character", "kind: charakter").encode(), ("character", "2:")),
    "a wrong type": (CHARACTER.replace("aim: 1", "aim: much").encode(), ("aim", "4:", "much")),
    "a list where a name should be": (CHARACTER.replace("Wilma", "[a, b]").encode(), ("name", "3:")),
    "a number of a thousand digits": (CHARACTER.replace("aim: 1", "aim: " + "9" * 1000).encode(), ("aim", "18 digits")),
    "a number beyond all size": (CHARACTER.replace("aim: 1", "aim: 1e300").encode(), ("4:", "18 digits")),
    "not a number": (CHARACTER.replace("aim: 1", "aim: .nan").encode(), ("aim",)),
    "a field twice": (CHARACTER.replace("aim: 1", "aim: 1\naim: 2").encode(), ("aim",)),
    "two documents": ((CHARACTER + "---\n" + CHARACTER).encode(), ("document",)),
    "a list": (b"- system: pebbles\n", ("1:",)),
    "nothing": (b"", ("empty",)),
    "binary": (bytes(range(256)), ("text",)),
    "not UTF-8": ("system: pebbles\nkind: character\nname: Björn\n".encode("latin-1"), ("UTF-8", "3:")),
    "far too large": (b"system: pebbles\n" + b"#" * 2_000_000, ("too large",)),
    "nested without end": (b"system: pebbles\nkind: character\nname: " + b"[" * 5000, ("3:",)),
}


@pytest.mark.parametrize("command", [["audit"], ["sheet"], ["fight"], ["simulate"]], ids=lambda command: command[0])
@pytest.mark.parametrize("case", BROKEN_FILES)
def test_a_broken_file_is_refused_with_its_place(refused, folder, case, command):
    content, words = BROKEN_FILES[case]
    (folder / "it.yaml").write_bytes(content)
    said = refused(*command, "it.yaml")
    assert "it.yaml" in said
    assert any(word in said for word in words), said


@pytest.mark.parametrize("command", [["audit", "x"], ["sheet", "x"], ["why", "x", "aim"], ["fight", "x"], ["simulate", "x"]], ids=str)
def test_a_folder_or_a_missing_file_is_refused(refused, folder, command):
    assert "no such file" in refused(*command)
    (folder / "x").mkdir()
    assert "directory" in refused(*command)


def test_a_device_is_refused(refused):
    assert "regular file" in refused("audit", "/dev/zero")


@pytest.mark.parametrize(
    ("notation", "words"),
    [
        ("99999999d vs 5", ""),
        ("5000d vs 5", "100"),
        ("3d+999999999", ""),
        ("3d+99999 vs 5", "10000"),
        ("3d+1 vs 5 please", "cannot read"),
        ("3d+1 vs 5; rm -rf /", "cannot read"),
        ("3d+1 vs", "cannot read"),
        ("", "cannot read"),
        ("3d vs 99999999999999999999", "cannot read"),
        ("2d+9ed vs 3", "5"),
        ("0d", "unskilled"),
        ("३d vs 5", "cannot read"),
        ("3d\n+1 vs 5\nx", "cannot read"),
        ("3d" + "+1" * 5000, ""),
    ],
)
@pytest.mark.parametrize("command", ["roll", "odds"])
def test_a_notation_beyond_sense_is_refused(refused, command, notation, words):
    assert words in refused(command, "scumm", notation)


@pytest.mark.parametrize(
    ("dice", "words"),
    [
        ("2,6", "needs 3 faces, 2 given"),
        ("2,6,4,1", "needs 3 faces, 4 given"),
        ("2,6,7", "a d6 cannot show 7"),
        ("0,6,4", "a d6 cannot show 0"),
        ("2,6,x", "numbers"),
        ("2,6,-4", "numbers"),
        ("", "numbers"),
        ("2,6,4/1", "1 roll too many"),
        ("2,6,4/", "numbers"),
        ("2,6,99999999999", "numbers"),
    ],
)
def test_dice_that_cannot_have_fallen_are_refused(refused, dice, words):
    assert words in refused("roll", "scumm", "3d+1 vs 5", "--dice", dice)


def test_too_few_rolls_are_refused(refused):
    assert "no faces are left" in refused("roll", "scumm", "3d vs 2d", "--dice", "2,6,4")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["rol"], 'did you mean "roll"'),
        (["roll"], "SYSTEM is missing"),
        (["roll", "scumm"], "NOTATION is missing"),
        (["roll", "scumm", "3d", "4d"], "4d"),
        (["roll", "scum", "3d"], 'did you mean "scumm"'),
        (["roll", "../scumm", "3d"], "no game"),
        (["roll", "scumm.game", "3d"], "no game"),
        (["roll", "scumm", "3d", "--seed", "x"], "x"),
        (["roll", "scumm", "3d", "--seed", "1", "--dice", "1,2,3"], "not both"),
        (["roll", "scumm", "3d", "--sed", "1"], "--sed"),
        (["roll", "scumm", "3d", "--preset", "none"], "preset"),
        (["roll", "scumm", "3d", "--set", "draws-pas=true"], 'did you mean "draws-pass"'),
        (["roll", "scumm", "3d", "--set", "draws-pass=perhaps"], "true or false"),
        (["roll", "scumm", "3d", "--set", "draws-pass"], "name=value"),
        (["roll", "scumm", "3d", "--set", "=1"], "name=value"),
        (["roll", "scumm", "3d", "--set", "draws-pass=true", "--set", "draws-pass=false"], "twice"),
        (["roll", "scumm", "3d", "--set", "health-test-dice=9999999999999999999999"], "whole number"),
        (["roll", "scumm", "3d", "--house", "none.yaml"], "no such file"),
        (["odds", "scumm", "3d", "--plot", "o.gif"], ".svg"),
        (["odds", "scumm", "3d", "--plot", "o"], ".svg"),
        (["odds", "scumm", "3d", "--plot", "nowhere/o.svg"], "no folder"),
        (["new", "scum", "-o", "x.yaml"], 'did you mean "scumm"'),
        (["new", "scumm", "mercenery", "-o", "x.yaml"], "mercenary"),
        (["new", "scumm", "--kind", "spaceship", "-o", "x.yaml"], "character"),
        (["new", "scumm", "-o", "nowhere/x.yaml"], "nowhere"),
        (["new", "scumm", "-o", "."], "."),
        (["sheet", "scumm/medic", "--pdf", "nowhere/x.pdf"], "no folder"),
        (["sheet", "scumm/medic", "--pdf", "x.doc"], ".pdf"),
        (["sheet", "scumm/medick"], "medic"),
        (["sheet", "pebbles/on-the-beach"], "no sheet"),
        (["why", "scumm/medic", "body_mass"], "no value"),
        (["schema", "scumm", "spaceship"], "character"),
        (["schema", "--all"], "-o"),
        (["schema", "--all", "-o", "nowhere"], "folder does not exist"),
        (["rules", "scum"], "scumm"),
        (["rule"], "give the id of a rule"),
        (["rule", "scumm-knockot"], 'did you mean "scumm-knockout"'),
        (["rule", "pebbles-throw:thro", "aim=1"], "throw"),
        (["rule", "pebbles-throw", "aim=1"], "guard (a whole number)"),
        (["rule", "pebbles-throw", "aims=1", "guard=1"], 'did you mean "aim"'),
        (["rule", "pebbles-throw", "aim", "guard=1"], "name=value"),
        (["rule", "pebbles-throw", "aim=1", "aim=2", "guard=1"], "twice"),
        (["rule", "pebbles-throw", "aim=many", "guard=1"], "give a whole number, not 'many'"),
        (["rule", "pebbles-throw", "aim=9999999999", "guard=1"], "out of range"),
        (["rule", "pebbles-throw", "aim=" + "9" * 5000, "guard=1"], "out of range"),
        (["rule", "pebbles-throw", "aim=1000", "guard=1"], "60"),
        (["rule", "pebbles-throw", "aim.x=1", "guard=1"], "aim"),
        (["rule", "pebbles-throw", "aim=1", "guard=1", "--dice", "1/1/1"], "roll too many"),
        (["rule", "pebbles-topple", "margin=1", "--odds"], "formula"),
        (["rule", "pebbles-tricks", "thrower.aims=1", "value=aim"], 'did you mean "aim"'),
        (["rule", "pebbles-tricks", "thrower=nobody.yaml", "value=aim"], "no such file"),
        (["rule", "pebbles-tricks", "thrower=nobody", "value=aim"], "nobody"),
        (["rule", "pebbles-tricks", "thrower=pebbles/on-the-beach", "value=aim"], ""),
        (
            ["rule", "scumm-accumulated-successes", "pool.dice=1", "threshold=90", "required=5", "tests=1000000000", "--seed", "1"],
            "1000000000",
        ),
        (["fight"], "give a scenario"),
        (["fight", "pebbles/on-the-beech"], "on-the-beach"),
        (["fight", "pebbles/wilma"], "scenario"),
        (["fight", "pebbles/on-the-beach", "--as", "Wilma"], "--interactive"),
        (["fight", "pebbles/on-the-beach", "-i", "--as", "Vilma"], "Wilma"),
        (["fight", "pebbles/on-the-beach", "--record", "nowhere/r"], "nowhere/r"),
        (["fight", "--replay", "none.rec"], "none.rec"),
        (["fight", "--replay", "a", "--resume", "b"], "give only one of"),
        (["simulate", "pebbles/on-the-beach", "-n", "0"], "from 1"),
        (["simulate", "pebbles/on-the-beach", "-n", "99999999999999999999"], "from 1"),
        (["simulate", "pebbles/on-the-beach", "-n", "10", "--exact"], "--exact"),
        (["simulate", "pebbles/on-the-beach", "--exact", "--seconds", "nan"], "--seconds"),
        (["simulate", "pebbles/on-the-beach", "--plot", "x.bmp"], ".svg"),
        (["simulate", "pebbles/on-the-beach", "--precision", "nan"], "between 0 and 1"),
        (["simulate", "pebbles/on-the-beach", "--precision", "200%"], "between 0 and 1"),
        (["simulate", "pebbles/on-the-beach", "--change", "rounds=" + "[" * 5000], "nested too deep"),
        (["simulate", "pebbles/on-the-beach", "--change", "rounds=1e308"], "18 digits"),
        (["audit", "x" * 5000], "cannot be read"),
        (["fight", "scumm/" + "x" * 5000], "no ready-made"),
        (["rule", "pebbles-tricks", f"thrower={'x' * 5000}", "value=aim"], "no ready-made"),
        (["simulate", "pebbles/on-the-beach", "--best", ""], "no side ''"),
        (["simulate", "pebbles/on-the-beach", "--aim", "last"], "--aim needs --best"),
        (["simulate", "pebbles/on-the-beach", "--among", "all"], "--among needs --best"),
        (["simulate", "pebbles/on-the-beach", "--most", "3"], "--most needs --balance"),
        (["simulate", "pebbles/on-the-beach", "--quality", "oskar"], "--quality needs --balance"),
        (["simulate", "pebbles/on-the-beach", "--balance", "family", "--between", "1%", "9%", "-n", "5"], "leave out"),
        (["simulate", "pebbles/on-the-beach", "--balance", "family", "--between", "1%", "9%", "--exact"], "leave out"),
        (["rule", "pebbles-throw", "aim=1", "guard=1", "--odds", "--dice", "1/1"], "leave out --dice"),
        (["rule", "pebbles-throw", "aim=1", "guard=1", "--odds", "--seed", "1"], "leave out --seed"),
        (["rule", "pebbles-topple", "margin=1", "--choose", "x"], "leave out --choose"),
        (["rule", "pebbles-tricks", "--rows", "--odds"], "leave out --odds"),
        (["odds", "scumm", "3d", "--plot", "x" * 400 + ".svg"], "too long"),
        (["sheet", "scumm/medic", "--pdf", "x" * 400 + ".pdf"], "too long"),
        (["new", "scumm", "-o", "x" * 400 + ".yaml"], "too long"),
        (["fight", "scumm/duel", "--record", "x" * 400], "too long"),
        (["fight", "--replay", "x" * 400], "too long"),
        (["fight", "--replay", "/dev/zero"], "regular file"),
        (["serve", "--port", "99999999"], "99999999"),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else None,
)
def test_bad_usage_is_refused_in_one_line(refused, arguments, words):
    assert words in refused(*arguments)


def test_a_line_that_says_what_is_wrong_is_never_endless(refused):
    for arguments in (["x" * 9000], ["roll", "x" * 9000, "3d"], ["roll", "scumm", "x" * 9000], ["rule", "x" * 9000]):
        assert len(refused(*arguments)) < 1100


@pytest.mark.parametrize("game", ["scumm", "silhouette", "hybrid", "ore", "foresight"])
@pytest.mark.parametrize("number", [999_999_999_999_999_999, -999_999_999_999_999_999, 1_000_003])
def test_a_number_beyond_sense_in_any_field_of_a_character_is_answered(run, game, number):
    begun = run("new", game, "--json").json
    del begun["file"]
    for field in _numbers(begun):
        (Path.cwd() / "it.yaml").write_text(json.dumps(files.set_at(begun, field, number)))
        for command in ("audit", "sheet"):
            ran = run(command, "it.yaml")
            assert ran.status in (0, 1, 2), (field, ran.err)
            assert ran.err.count("\n") == (ran.status == 2), (field, ran.err)


def _numbers(data, at=()):
    for name, value in data.items() if isinstance(data, dict) else enumerate(data):
        if isinstance(value, dict | list):
            yield from _numbers(value, (*at, name))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield (*at, str(name))


def test_an_existing_record_or_file_is_never_written_over(refused, folder):
    (folder / "r").write_text("mine")
    assert "never overwritten" in refused("fight", "pebbles/on-the-beach", "--record", "r")
    assert "exists already" in refused("new", "pebbles", "-o", "r")


BROKEN_SCENARIOS = {
    "an unknown character": (SCENARIO.replace("character: oskar", "character: oscar"), "oskar"),
    "a missing file": (SCENARIO.replace("wilma.yaml", "vilma.yaml"), "wilma.yaml"),
    "a name that no file can have": (SCENARIO.replace("character: oskar", f"character: {'o' * 5000}"), "no ready-made"),
    "a place beyond all size": (SCENARIO.replace("{character: oskar}", "{character: oskar, at: [1.0e+308, 0]}"), "18 digits"),
    "no sides": (SCENARIO.partition("sides:")[0] + "sides: {}\n", "this scenario has no sides"),
    "nobody on a side": (SCENARIO.replace("    - {character: oskar}\n", "    []\n"), "this side has no members"),
    "an unknown tactic": (SCENARIO + "tactics: {there: boldly}\n", "bold"),
    "a tactic for no side": (SCENARIO + "tactics: {theer: bold}\n", "there"),
    "too many members": (SCENARIO.replace("{character: oskar}", "{character: oskar, count: 100000000}"), "200"),
    "fewer than one": (SCENARIO.replace("{character: oskar}", "{character: oskar, count: 0}"), "from 1"),
    "no rounds": (SCENARIO + "rounds: 0\n", "at least 1 round"),
    "an unknown setting": (SCENARIO + "settings: {gentle-tople: true}\n", "gentle-topple"),
    "settings that exclude each other": (SCENARIO + "settings: {gentle-topple: true, ties-hit: true}\n", "together"),
    "missing house rules": (SCENARIO + "house: house.yaml\n", "house.yaml"),
    "a state that is none": (SCENARIO.replace("{character: oskar}", "{character: oskar, state: {stones: many}}"), "stones"),
}


@pytest.mark.parametrize("case", BROKEN_SCENARIOS)
@pytest.mark.parametrize("command", ["fight", "simulate", "audit"])
def test_a_broken_scenario_is_refused(refused, folder, case, command):
    content, word = BROKEN_SCENARIOS[case]
    (folder / "wilma.yaml").write_text(CHARACTER)
    (folder / "s.yaml").write_text(content)
    said = refused(command, "s.yaml")
    assert word in said


BROKEN_HOUSES = {
    "an unknown setting": (HOUSE + "settings: {ties-hitt: true}\n", ("ties-hit", "4:")),
    "a wrong value": (HOUSE + "settings: {most-spent: 99}\n", ("from 0 to 9", "4:")),
    "an unknown table": (HOUSE + "tables: {pebbles-trick: {low wall: {cost: 1}}}\n", ("pebbles-tricks", "4:")),
    "a row removed that is not there": (HOUSE + "tables: {pebbles-tricks: {high wall: null}}\n", ("high wall",)),
    "a wrong type in a row": (HOUSE + "tables: {pebbles-tricks: {low wall: {cost: dear}}}\n", ("cost",)),
    "another game's rules": (HOUSE.replace("pebbles", "scumm"), ("scumm",)),
    "a character": (CHARACTER, ("house-rules",)),
}


@pytest.mark.parametrize("case", BROKEN_HOUSES)
def test_broken_house_rules_are_refused(refused, folder, case):
    content, words = BROKEN_HOUSES[case]
    (folder / "house.yaml").write_text(content)
    said = refused("roll", "pebbles", "3c vs 2", "--house", "house.yaml")
    for word in words:
        assert word in said


@pytest.fixture
def record(run, folder):
    run("fight", "pebbles/on-the-beach", "--seed", 5, "--record", "r.rec")
    return folder / "r.rec"


@pytest.mark.parametrize("how", ["--replay", "--resume"])
def test_a_record_cut_off_in_the_middle_is_refused(refused, record, how):
    content = record.read_bytes()
    record.write_bytes(content[: len(content) - 20])
    assert "cut off" in refused("fight", how, record)


@pytest.mark.parametrize("how", ["--replay", "--resume"])
def test_a_record_changed_by_hand_is_refused_with_the_entry(refused, record, how):
    lines = record.read_bytes().split(b"\n")
    lines[2] = lines[2].replace(b'"by":"', b'"by":"X')
    record.write_bytes(b"\n".join(lines))
    assert "entry 3" in refused("fight", how, record)


@pytest.mark.parametrize("content", [b"", b"\n\n", b"hello\n", bytes(range(256)), b"{}\n", b"0123456789ab {}\n"])
@pytest.mark.parametrize("how", ["--replay", "--resume"])
def test_what_is_no_record_is_refused(refused, folder, how, content):
    (folder / "r.rec").write_bytes(content)
    refused("fight", how, "r.rec")


def test_a_record_of_other_rules_is_refused(refused, record):
    from rulewright.scenes.record import RecordFile, read_record

    begun, *rest = read_record(record)
    forged = record.parent / "forged.rec"
    keep = RecordFile(forged)
    import msgspec

    for entry in (msgspec.structs.replace(begun, ruleset="0" * 16), *rest):
        keep(entry)
    keep.close()
    assert "other rules" in refused("fight", "--replay", forged)


def test_a_record_whose_answers_do_not_fit_is_refused_with_the_entry(refused, record):
    from rulewright.scenes.record import RecordFile, read_record

    begun, first, second, *rest = read_record(record)
    forged = record.parent / "forged.rec"
    keep = RecordFile(forged)
    for entry in (begun, second, first, *rest):
        keep(entry)
    keep.close()
    assert "entry 2" in refused("fight", "--replay", forged)


def test_a_real_process_ends_with_two_and_one_line(process):
    for arguments in (["roll", "scumm", "99999999d vs 5"], ["audit", "none.yaml"], ["rule", "no-such-rule"], ["--frobnicate"]):
        ran = process(*arguments)
        assert ran.status == 2
        assert ran.out == ""
        assert ran.err.count("\n") == 1
        assert "Traceback" not in ran.err


def test_a_mistake_of_our_own_is_one_line_too(run, monkeypatch):
    from rulewright.systems.scumm.game import Scumm

    monkeypatch.setattr(Scumm, "test", lambda *_: 1 / 0)
    ran = run("roll", "scumm", "3d")
    assert ran.status == 3
    assert ran.err.count("\n") == 1
    assert "ZeroDivisionError" in ran.err


def test_output_that_nobody_reads_to_its_end_is_no_mistake():
    import subprocess
    import sys

    command = f"{sys.executable} -c 'import sys; from rulewright.cli import main; sys.exit(main())' rules scumm --json | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "[\n"
    assert done.stderr == ""
