"""fight: played out, recorded, replayed, resumed, and with somebody choosing."""

import json
import re
import signal
import subprocess
import sys

import pytest

from rulewright.cli.play import terminal_player
from rulewright.scenes.chances import TOO_LONG, Answered, Estimate, Outcome, Weighed
from rulewright.scenes.record import Undone, read_record
from rulewright.system import find, names

BEACH = "pebbles/on-the-beach"


def scenarios():
    return [f"{name}/{demo.removesuffix('.yaml')}" for name in names() for demo in find(name).demos() if demo.startswith("scenarios/")]


@pytest.mark.slow
@pytest.mark.parametrize("scenario", scenarios())
def test_every_scenario_plays_to_its_end_and_replays_line_for_line(run, scenario):
    played = run("fight", scenario, "--seed", 11, "--record", "r.rec", "--why", "--rolls")
    again = run("fight", "--replay", "r.rec", "--why", "--rolls")
    assert (played.status, again.status) == (0, 0)
    assert played.out == again.out
    assert " after " in played.out


def test_a_seed_plays_the_same_fight_again(run):
    assert run("fight", BEACH, "--seed", 3).out == run("fight", BEACH, "--seed", 3).out


def test_json_has_the_result_the_rounds_the_sides_and_the_log(run):
    found = run("fight", BEACH, "--seed", 3, "--json").json
    assert found["result"]["winner"] in found["sides"]
    assert found["rounds"] >= 1
    assert found["sides"]["family"]["members"] == ["Wilma", "Little sister"]
    kinds = {line["kind"] for line in found["log"]}
    assert kinds == {"event", "roll", "decision"}
    assert all(line["text"] for line in found["log"])


def test_members_are_numbered_and_each_decides_by_their_own_tactic(run, folder):
    (folder / "s.yaml").write_text(
        "system: pebbles\nkind: scenario\nname: Many\nsides:\n"
        "  here: [{character: wilma, count: 2, tactic: careful}, {character: wilma}]\n  there: [{character: oskar, state: {stones: 30}}]\n"
        "tactics: {here: bold, there: bold}\n"
    )
    found = run("fight", "s.yaml", "--seed", 1, "--json").json
    assert found["sides"]["here"]["members"] == ["Wilma 1", "Wilma 2", "Wilma"]
    spent = {}
    for line in found["log"]:
        if line["kind"] == "decision" and line["question"] == "pebbles to spend":
            spent.setdefault(line["who"], line["text"])
    assert spent["Wilma 1"] == "Wilma 1: 1"  # careful: half of what the bag holds
    assert spent["Wilma"] == "Wilma: 2"  # bold, like the side: all of it
    assert spent["Oskar"] == "Oskar: 3"


def test_settings_of_the_scenario_and_of_the_command_line_are_recorded(run):
    run("fight", BEACH, "--seed", 3, "--set", "gentle-topple=true", "--record", "r.rec")
    assert read_record_settings("r.rec") == {"gentle-topple": True}
    assert run("fight", "--replay", "r.rec").status == 0


def read_record_settings(path):
    from pathlib import Path

    return read_record(Path(path))[0].settings


# --- somebody at the terminal -------------------------------------------------------------------------------------------------


def test_a_person_sees_whose_turn_it_is_how_all_fare_and_what_is_possible(process):
    ran = process("fight", BEACH, "-i", "--seed", 3, typed="")
    assert ran.status == 0
    assert "You play Little sister and Wilma" in ran.out
    assert "Wilma: what to do" in ran.out
    assert "1  throw pebbles" in ran.out
    assert "■■■■" in ran.out
    assert ran.err == ""


def test_options_are_chosen_by_number_or_by_word_and_numbers_from_a_range(process):
    ran = process("fight", BEACH, "-i", "--seed", 3, "--record", "r.rec", typed="throw\n9\n2\n2\nx\n")
    assert ran.status == 0
    assert "Wilma: throw pebbles" in ran.out
    assert "a whole number from 0 to 2" in ran.out
    assert "Wilma: 2 (pebbles to spend)" in ran.out
    assert "Little sister: gather pebbles" in ran.out


def test_what_was_undone_stays_in_the_record_and_can_be_redone(process, folder):
    ran = process("fight", BEACH, "-i", "--seed", 3, "--record", "r.rec", typed="1\nu\nr\nu\nu\n2\nq\n")
    assert ran.status == 0
    assert "Undone; the log keeps it" in ran.out
    assert "Redone" in ran.out
    assert "you have no decision to undo" in ran.out
    entries = read_record(folder / "r.rec")
    assert sum(isinstance(entry, Undone) for entry in entries) == 2
    replayed = process("fight", "--replay", "r.rec", "--rolls")
    assert "undone" in replayed.out


def test_leaving_keeps_everything_and_the_game_goes_on_later(process, run, folder):
    left = process("fight", BEACH, "-i", "--seed", 3, "--record", "r.rec", typed="2\n2\nq\n")
    assert left.status == 0
    assert "Saved the record r.rec" in left.err
    before = len(read_record(folder / "r.rec"))
    resumed = run("fight", BEACH, "--resume", "r.rec", "--seed", 1)
    assert resumed.status == 0
    assert " after " in resumed.out
    assert len(read_record(folder / "r.rec")) > before
    assert run("fight", "--replay", "r.rec").out == resumed.out


def test_real_dice_are_typed_and_refused_where_they_cannot_have_fallen(process):
    ran = process("fight", BEACH, "-i", "--typed-dice", "--as", "Wilma", "--seed", 3, typed="1\n1\n1\n7 7\na b\n2 2\n")
    assert ran.status == 0
    assert "Wilma rolls 2d2 for aim; the faces?" in ran.out
    assert "needs 2 faces, 1 given" in ran.out
    assert "cannot show 7" in ran.out
    assert "Type the faces as numbers" in ran.out
    assert "Wilma rolls 2d2 for aim: 2 2" in ran.out


def test_help_state_log_and_why_are_one_key_each(process):
    ran = process("fight", BEACH, "-i", "--seed", 3, typed="?\n1\n2\nw\nl\ns\n")
    assert "undo your last decision" in ran.out
    assert ran.out.count("Wilma throws at Oskar") >= 3
    assert "heads" in ran.out


def test_only_those_named_are_asked(process):
    ran = process("fight", BEACH, "-i", "--as", "Oskar", "--seed", 3, typed="q\n")
    assert "You play Oskar" in ran.out
    assert "Oskar: what to do" in ran.out
    assert "pebbles left" not in ran.out.split("You play")[1].split("Oskar: what to do")[0]  # the others' bags are secret


def test_json_goes_to_standard_output_alone(process):
    ran = process("fight", BEACH, "-i", "--seed", 3, "--json", typed="2\n")
    assert json.loads(ran.out)["result"] is None
    assert "Wilma" in ran.err


def test_an_interruption_ends_with_130_and_keeps_the_record(folder):
    # whoever runs the tests in the background may have switched the signal off for all that they start
    listens = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    command = [sys.executable, "-uc", f"{listens}from rulewright.cli import main; sys.exit(main())"]
    command += ["fight", BEACH, "-i", "--record", "r.rec"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write("2\n")
        running.stdin.flush()
        shown = ""
        while "Little sister: what to do" not in shown or not shown.endswith("> "):  # it waits for an answer
            sign = running.stdout.read(1)
            assert sign, shown
            shown += sign
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert "Traceback" not in out + err
    assert len(read_record(folder / "r.rec")) == 2


def test_the_exact_chance_stands_beside_each_option(process):
    ran = process("fight", "pebbles/on-the-beach", "-i", "--seed", 1, typed="q\n")
    shown = next(line for line in ran.out.splitlines() if "throw pebbles" in line)
    assert re.search(r"\d+ to \d+% topples, by your", shown)  # how many pebbles to spend is the next question
    assert "█" in shown
    assert not any("%" in line for line in ran.out.splitlines() if "gather pebbles" in line)


def test_the_timeline_says_who_is_due_when_and_what_is_under_way(process):
    ran = process("fight", "hybrid/knife-fight", "-i", "--as", "Pell", "--seed", 12, typed="1\nu\n1\nq\n")
    lines = [line.strip() for line in ran.out.splitlines() if line.startswith("Counts:")]
    assert lines[0] == "Counts:  Ilvane  12: attacks Pell with the knife › Pell 14: decides"
    assert lines[-1] == "Counts:  Pell  14: decides › Ilvane 27: decides"
    assert lines.count(lines[0]) > 1  # undone, back over a count
    assert "Fight: Count 12" in ran.out
    assert "can react" in ran.out


def test_an_estimate_is_said_to_be_about_and_how_far_off_it_may_be():
    outcomes = (Outcome("no set", 0.6625, 0, False), Outcome("hurt", 0.3375, 1, True))
    answers = (Answered("Kaito", "dive", "Dive", outcomes),)
    late = Weighed("suppress", why_not=TOO_LONG, counts="hits", about=Estimate(outcomes, 240, 0.0621, answers))
    assert terminal_player.hoped_for(late) == "about 34%"
    bar, words = terminal_player.chances_of(late)
    assert bar.count("█") == terminal_player.BAR
    assert words.splitlines() == [
        "about: no set 66%, hurt 34% [dim](240 playouts: 34% ± 6 hits)[/]",
        "[dim]about 34% hits if Kaito answers: Dive[/]",
    ]
    assert terminal_player.hoped_for(Weighed("suppress", why_not=TOO_LONG)) == ""
    assert terminal_player.chances_of(Weighed("suppress", why_not=TOO_LONG))[1] == f"[dim]{TOO_LONG}[/]"
    assert terminal_player.hoped_for(Weighed("shoot", outcomes)) == "33.8%"


@pytest.mark.parametrize(("command", "told"), [("surrender", "surrenders"), ("withdraw", "withdraws from the fight")])
def test_a_player_can_leave_a_fight(run, monkeypatch, command, told):
    said = iter((command, "q"))
    monkeypatch.setattr("builtins.input", lambda: next(said, "q"))
    monkeypatch.setattr(terminal_player.Seat, "_weighed", lambda seat, choice: {})
    played = run("fight", "scumm/duel", "-i", "--as", "Vesna", "--seed", 1).out
    assert f"Vesna {told}" in played
    assert "only south can still act" in played


def test_enter_takes_the_default_answer_to_a_number_too(process):
    ran = process("fight", "scumm/brawl", "-i", "--as", "Grigor", "--seed", 2, typed="\nq\n")
    asked = ran.out.partition("Emergency Dice for initiative?")[2]
    assert "Enter: 0" in asked
    assert "Type a whole number" not in asked
    assert "Initiative" in asked.partition("Enter: 0")[2]  # the fight goes on
