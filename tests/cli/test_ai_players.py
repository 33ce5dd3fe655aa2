"""Who thinks before they act at the terminal and in simulations, hints, and tactics each against each."""

import pytest
from tests.lab.search.test_opponent_model import HOW, TACTICS, crossed, lefty

from rulewright.cli.play.ai_players import Thinking, hint_lines
from rulewright.lab.search import Mind, Thought, Valued

BEACH = "pebbles/on-the-beach"


def test_a_fight_with_somebody_who_thinks_comes_out_the_same_with_a_seed(run):
    first = run("fight", BEACH, "--seed", 2, "--play", "family=easy", "--json").json
    again = run("fight", BEACH, "--seed", 2, "--play", "family=easy", "--json").json
    assert first == again


def test_a_record_with_thoughts_replays_without_thinking(run, folder):
    played = run("fight", BEACH, "--seed", 2, "--play", "family=easy", "--record", "thought.jsonl", "--json").json
    assert run("fight", "--replay", "thought.jsonl", "--json").json == played
    assert "takes only a record" in run("fight", "--replay", "thought.jsonl", "--play", "family=good").err


def test_a_simulation_counts_fights_of_those_who_think(run):
    found = run("simulate", BEACH, "--play", "family=easy", "-n", 6, "--seed", 3, "--json").json
    assert found["n"] == 6
    assert found["how"] == "thought"
    again = run("simulate", BEACH, "--play", "family=easy", "-n", 6, "--seed", 3, "--workers", 2, "--json").json
    assert again["sides"] == found["sides"]


@pytest.mark.slow
def test_balance_can_mean_against_people_who_can_play(run):
    arguments = ("simulate", BEACH, "--balance", "family", "--between", "0%", "100%", "--most", 1, "--play", "family=easy", "--seed", 1)
    found = run(*arguments, "--json").json
    assert found["tried"][0]["n"] in (40, 120)


def test_tactics_meet_each_against_each_with_a_chart(run, folder):
    found = run("simulate", BEACH, "--tournament", "-n", 20, "--plot", "met.svg", "--json").json
    assert found["sides"] == ["family", "Oskar alone"]
    mine = {one["tactic"]: one for one in found["standings"] if one["side"] == "family"}
    theirs = {one["tactic"]: one for one in found["standings"] if one["side"] != "family"}
    assert set(mine) == set(theirs) == {"as written", "bold", "careful"}
    for name, one in mine.items():
        for other, chance in one["against"].items():
            assert chance["chance"] == pytest.approx(1 - theirs[other]["against"][name]["chance"])
    averages = [one["average"] for one in found["standings"] if one["side"] == "family"]
    assert averages == sorted(averages, reverse=True)
    assert (folder / "met.svg").exists()
    assert "a draw counts half" in run("simulate", BEACH, "--tournament", "-n", 5).out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("simulate", BEACH, "--play", "familly=good"), 'did you mean "family"'),
        (("simulate", BEACH, "--play", "family=perfect"), "there are easy, good, best"),
        (("simulate", BEACH, "--play", "family=good", "--exact"), "--play plays -n fights"),
        (("simulate", BEACH, "--tournament", "--versus", BEACH), "give only one of"),
        (("simulate", BEACH, "--tournament", "--play", "family=good"), "does not work with --best, --tournament"),
        (("fight", BEACH, "--play", "family"), "--play"),
    ],
)
def test_what_makes_no_sense_is_refused(run, arguments, says):
    assert says in run(*arguments).err


def test_a_hint_stands_beside_the_options(process):
    said = process("fight", BEACH, "--interactive", "--seed", 1, typed="hint\nq\n").out
    assert "Hint: " in said
    assert "±" in said
    assert "default action" in said


def test_a_hint_that_cannot_be_given_says_why():
    thought = Thought("Ana", "what to do", "throw", "throw pebbles", "throw", note="nobody can know that")
    assert list(hint_lines(thought)) == ["  nobody can know that; default action: throw pebbles"]


def test_a_hint_shows_the_best_the_usual_and_how_many_more_there_were():
    worths = [Valued(f"k{at}", f"deed {at}", 0.9 - at / 20, (0.4, 0.6), 10) for at in range(12)]
    thought = Thought("Ana", "What do you do?", "k0", "deed 0", "k11", options=tuple(worths), playouts=120)
    said = list(hint_lines(thought))
    assert said[0] == "  Hint: deed 0, after 120 playouts"
    assert [line for line in said if "deed 11" in line] == ["   35.0% ± 10  deed 11  (default action)"]
    assert not any("deed 9" in line for line in said)
    assert said[-1] == "  and 3 more, 50.0% at best"
    stays = list(hint_lines(Thought("Ana", "What do you do?", "k0", "deed 0", "k0", options=tuple(worths), playouts=120)))
    assert stays[0].endswith(": the default action; no option is clearly better")
    seen = list(hint_lines(Thought("Ana", "?", "k0", "deed 0", "k0", options=tuple(worths), playouts=120, seem={"Ilvane": "wrestler"})))
    assert "  Ilvane seems to play by the tactic wrestler" in seen


def test_who_thinks_at_the_terminal_learns_from_what_was_done_before():
    """The shy one goes right three times where they are taken to go left; whoever seeks them follows."""
    encounter = crossed(3)
    thinking = Thinking(encounter, lefty, {}, 1, None)
    thinking._minds["good"] = Mind(encounter.scene, TACTICS, lefty, HOW, seed=3)
    assert thinking.hint(1).seem == {"shy": "righty"}
    thinking._levels = {"seeker": "good"}
    assert thinking.answer(1, encounter.open[1][1]) == "right"
