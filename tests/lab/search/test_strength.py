"""The table of strength: what counts as a gain, and what the page says of what was not measured."""

import json
from pathlib import Path
from random import Random

from benchmarks.strength import NO_THOUGHT, SEARCH, TOO_FEW, Kept, Row, gained, key, page, said_of, version

from rulewright.lab.search import level


def row(thinking: str, usual: str, side: str = "north", scenario: str = "scumm/duel") -> Row:
    about = {"scenario": scenario, "version": version(scenario), "side": side, "against": "as written", "level": level("good").name}
    return about | {"search": SEARCH, "thinking": thinking, "usual": usual, "seconds": 1.0, "thoughts": 4, "left": 1}


def test_fights_that_go_alike_gain_nothing_and_their_luck_cancels_out() -> None:
    came_to = gained([row("1001" * 6, "1001" * 6 + "0110" * 42)])
    assert came_to.gain == 0
    assert 0.03 < came_to.error < 0.05, "as if one fight of 24 had gone otherwise"
    assert came_to.word == ""


def test_winning_all_that_the_tactic_wins_half_of_is_better_and_the_reverse_worse() -> None:
    better = gained([row("1" * 24, "10" * 96)])
    assert (better.thinking, better.usual, better.word) == (1.0, 0.5, "better")
    assert gained([row("0" * 24, "10" * 96)]).word == "worse"
    assert gained([row("11", "10" * 8)]).word == TOO_FEW


def test_draws_count_half() -> None:
    assert gained([row("hh", "hhhhhhhh")]).thinking == 0.5


def test_the_interval_holds_what_is_true_for_about_nineteen_of_twenty() -> None:
    draw = Random(3)
    held = 0
    for _ in range(200):
        rows = []
        for chance in (0.2, 0.4, 0.6, 0.8):
            usual = "".join([str(int(draw.random() < chance)) for _ in range(48)])
            thinking = "".join([one if draw.random() < 0.5 else str(int(draw.random() < chance + 0.2)) for one in usual[:6]])
            rows.append(row(thinking, usual))
        came_to = gained(rows)
        held += abs(came_to.gain - 0.1) < 1.96 * came_to.error
    assert 178 <= held <= 199


def test_the_page_counts_sides_and_names_what_was_not_measured() -> None:
    said = page([row("1" * 24, "10" * 96), row("10" * 12, "10" * 96, "south"), row("1", "10" * 4, "house", "scumm/brawl")], [])
    assert "better beyond error for 1 of 2 sides with at least 10 fights, worse for 0, and neither for 1" in said
    missing = said.split("Not measured: ")[1].split("\n")[0]
    assert "hybrid/duel" in missing
    assert "scumm/duel" not in missing


def test_a_side_that_never_had_anything_to_think_about_is_not_counted_as_neither() -> None:
    idle = row("10" * 12, "10" * 96) | {"thoughts": 0}
    said = page([idle], [])
    assert "of 0 sides with at least 10 fights, worse for 0, and neither for 0" in said
    assert f"| {NO_THOUGHT} |" in said
    assert said_of([idle | {"thinking": "1"}]) == TOO_FEW


def test_an_opponent_met_at_two_levels_is_one_opponent() -> None:
    other = row("1", "1") | {"level": "64 playouts"}
    assert "| scumm/duel | north | 1 | 2 |" in page([row("1", "1"), other], [])


def test_rows_of_another_way_of_thinking_or_another_scenario_are_not_kept(tmp_path: Path) -> None:
    now, before, other = row("1", "1"), row("1", "1", "south"), row("1", "1", scenario="scumm/brawl")
    before["search"] = SEARCH - 1
    other["version"] = "another"
    tmp_path.joinpath("strength.json").write_text(json.dumps({"rows": [now, before, other], "decisions": []}), encoding="utf-8")
    assert list(Kept(tmp_path).rows) == [key(now)]
