"""The table of strength: what counts as a gain, and what the page says of what was not measured."""

import json
from pathlib import Path
from random import Random

import pytest
from benchmarks import strength
from benchmarks.strength import NO_THOUGHT, SEARCH, TOO_FEW, Kept, Row, Weighed, gained, key, page, said_of, version
from tests.lab.search.search_scenes import Climbing, Ladder

from rulewright.lab import solve
from rulewright.lab.search import Level, level
from rulewright.play import first_option


def row(gains: list[float], side: str = "north", scenario: str = "scumm/duel") -> Row:
    about = {"scenario": scenario, "version": version(scenario), "side": side, "against": "as written", "level": level("good").name}
    won = "1" * len(gains)
    return about | {"search": SEARCH, "thinking": won, "usual": "10" * len(won), "gains": gains, "seconds": 1.0, "thoughts": 4, "left": 1}


def test_who_never_leaves_the_usual_gains_nothing() -> None:
    came_to = gained([row([0.0] * 24)])
    assert (came_to.n, came_to.gain, came_to.error, came_to.word) == (24, 0, 0, "")


def test_gains_in_most_fights_are_better_and_the_reverse_worse_and_a_few_are_too_few() -> None:
    better = gained([row([0.2, 0.1, 0.3, 0.0] * 6)])
    assert (better.thinking, better.usual, round(better.gain, 9), better.word) == (1.0, 0.5, 0.15, "better")
    assert gained([row([-0.2, -0.1, -0.3, 0.0] * 6)]).word == "worse"
    assert gained([row([0.2, 0.1])]).word == TOO_FEW


def test_one_great_gain_among_many_fights_proves_nothing() -> None:
    assert gained([row([0.9] + [0.0] * 30)]).word == ""


def test_draws_count_half() -> None:
    assert gained([row([0.0, 0.0]) | {"thinking": "hh"}]).thinking == 0.5


def test_the_interval_holds_what_is_true_for_about_nineteen_of_twenty() -> None:
    draw = Random(3)
    held = 0
    for _ in range(400):
        came_to = gained([row([draw.choice([0.0, 0.0, draw.gauss(mean, 0.1)]) for _ in range(6)]) for mean in (0.0, 0.1, 0.3, 0.2)])
        held += abs(came_to.gain - 0.05) < 1.96 * came_to.error
    assert 370 <= held <= 399


def test_what_decisions_gain_adds_up_to_what_thinking_wins_above_the_tactic() -> None:
    scene, state, fights = Climbing(), Ladder(), 300
    match = Weighed(scene, state, first_option, {}, {"climber": Level("test", 40, None)}, 5, None, "win")
    wins = [end is not None and end.winner == "climber" for end in map(match, range(fights))]
    above = sum(wins) / fights - solve(scene, state, first_option, question="win").sides["climber"].chance
    assert 0 < match.left < match.thoughts, "so few playouts do not always tell which way is the better"
    assert match.gain / fights > 0.2
    assert abs(match.gain / fights - above) < 3 * 0.5 / fights**0.5


def test_the_page_counts_sides_and_names_what_was_not_measured() -> None:
    said = page([row([0.1, 0.2] * 12), row([0.1, -0.1] * 12, "south"), row([0.1], "house", "scumm/brawl")], [])
    assert "better beyond error for 1 of 2 sides with at least 10 fights, worse for 0, and neither for 1" in said
    missing = said.split("Not measured: ")[1].split("\n")[0]
    assert "hybrid/duel" in missing
    assert "scumm/duel" not in missing


def test_a_side_that_never_had_anything_to_think_about_is_not_counted_as_neither() -> None:
    idle = row([0.0] * 24) | {"thoughts": 0}
    said = page([idle], [])
    assert "of 0 sides with at least 10 fights, worse for 0, and neither for 0" in said
    assert f"| {NO_THOUGHT} |" in said
    assert said_of([idle | {"gains": [0.0]}]) == TOO_FEW


def test_an_opponent_met_at_two_levels_is_one_opponent() -> None:
    other = row([0.1]) | {"level": "64 playouts"}
    assert "| scumm/duel | north | 1 | 2 |" in page([row([0.1]), other], [])


def test_rows_of_another_way_of_thinking_or_another_scenario_are_not_kept(tmp_path: Path) -> None:
    now, before, other = row([0.1]), row([0.1], "south"), row([0.1], scenario="scumm/brawl")
    before["search"] = SEARCH - 1
    other["version"] = "another"
    tmp_path.joinpath("strength.json").write_text(json.dumps({"rows": [now, before, other], "decisions": []}), encoding="utf-8")
    assert list(Kept(tmp_path).rows) == [key(now)]


def test_the_table_is_replaced_when_every_scenario_has_enough_fights_for_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "scenarios", lambda: ["scumm/duel", "scumm/brawl"])
    enough = [row([0.1] * 6), row([0.1] * 4, "south"), row([0.1] * 10, scenario="scumm/brawl")]
    assert strength.is_enough(enough)
    assert not strength.is_enough(enough[:2])
    assert not strength.is_enough(enough[1:])


def test_a_new_way_of_thinking_is_measured_aside_until_it_has_every_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, one, other = {**row([0.1]), "search": SEARCH - 1}, row([0.2]), row([0.3], "south")
    tmp_path.joinpath("strength.json").write_text(json.dumps({"rows": [old], "decisions": []}))
    monkeypatch.setattr(strength, "is_enough", lambda rows: len(rows) == 2)
    kept = Kept(tmp_path)
    kept.rows[key(one)] = one
    kept.write()
    assert json.loads(tmp_path.joinpath("strength.json").read_text())["rows"] == [old]
    assert not tmp_path.joinpath("strength.md").exists()
    again = Kept(tmp_path)
    assert list(again.rows) == [key(one)]
    again.rows[key(other)] = other
    again.write()
    assert json.loads(tmp_path.joinpath("strength.json").read_text())["rows"] == [one, other]
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["strength.json", "strength.md"]
