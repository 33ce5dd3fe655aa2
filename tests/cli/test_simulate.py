"""simulate: solved or sampled, with the shape that other programs rely on."""

import json

import pytest

from rulewright.cli import text
from rulewright.cli.lab import report
from rulewright.cli.lab.simulate import EXACT_SECONDS, _budget

BEACH = "pebbles/on-the-beach"


def test_an_exact_answer_has_the_shape_of_the_design(run):
    found = run("simulate", BEACH, "--exact", "--json").json
    assert found["exact"] is True
    assert found["n"] is None
    assert found["states"] > 10
    assert found["settled"] == pytest.approx(1)
    assert set(found["sides"]) == {"family", "Oskar alone"}
    chances = [side["chance"] for side in found["sides"].values()] + [found["draw"]["chance"]]
    assert sum(chances) == pytest.approx(1)
    assert sum(found["rounds"]["chance"].values()) == pytest.approx(1)
    assert sum(found["losses"]["family"]["chance"].values()) == pytest.approx(1)


def test_sampling_agrees_with_solving(run):
    exact = run("simulate", BEACH, "--exact", "--json").json["sides"]["family"]["chance"]
    sampled = run("simulate", BEACH, "-n", 20_000, "--seed", 4, "--json").json
    low, high = sampled["sides"]["family"]["interval"]
    assert sampled["n"] == 20_000
    assert low - 0.01 < exact < high + 0.01


def test_a_seed_samples_the_same_again(run):
    first = run("simulate", BEACH, "-n", 500, "--seed", 4, "--json").json
    again = run("simulate", BEACH, "-n", 500, "--seed", 4, "--json").json
    assert first["sides"] == again["sides"]


def test_a_budget_gives_bounds(run):
    found = run("simulate", BEACH, "--exact", "--states", 20, "--json").json
    assert found["settled"] < 1
    low, high = found["sides"]["family"]["interval"]
    assert low < high


def test_where_the_budget_does_not_get_far_fights_are_played_beside_it(run):
    found = run("simulate", BEACH, "--exact", "--states", 20, "--json").json
    whole = run("simulate", BEACH, "--exact", "--json").json
    assert found["settled"] < 0.98
    low, high = found["sampled"]["sides"]["family"]["interval"]
    assert low - 0.02 < whole["sides"]["family"]["chance"] < high + 0.02
    assert "sampled" not in whole
    assert "simulated fights in addition" in run("simulate", BEACH, "--exact", "--states", 20).out


def test_people_read_bars_and_charts_are_drawn(run, folder):
    shown = run("simulate", BEACH, "-n", 500, "--seed", 4, "--plot", "s.svg")
    assert shown.status == 0
    assert "500 fights" in shown.out
    assert "rounds" in shown.out
    assert "█" in shown.out
    assert (folder / "s.svg").read_bytes().startswith(b"<svg")
    run("simulate", BEACH, "--exact", "--plot", "s.json")
    assert len(json.loads((folder / "s.json").read_text())["vconcat"]) == 4


def test_settings_change_the_chances(run):
    plain = run("simulate", BEACH, "--exact", "--json").json["sides"]["family"]["chance"]
    gentle = run("simulate", BEACH, "--exact", "--json", "--preset", "friendly").json["sides"]["family"]["chance"]
    assert plain != gentle


def test_two_settings_stand_side_by_side(run, folder):
    plain = run("simulate", BEACH, "--exact", "--json").json["sides"]["family"]["chance"]
    gentle = run("simulate", BEACH, "--exact", "--json", "--preset", "friendly").json["sides"]["family"]["chance"]
    found = run("simulate", BEACH, "--exact", "--versus-preset", "friendly", "--json").json
    assert found["exact"] is True
    assert found["difference"]["family"]["chance"] == pytest.approx(gentle - plain)
    shown = run("simulate", BEACH, "--versus-preset", "friendly", "-n", 500, "--seed", 3, "--plot", "versus.json")
    assert "B - A" in shown.out
    assert "with the same dice" in shown.out
    assert json.loads((folder / "versus.json").read_text())["title"]["text"][1] == "comparison"


def test_a_field_of_the_scenario_can_be_another(run):
    changed = run("simulate", BEACH, "--exact", "--change", "sides.family.1.state.stones=9", "--json").json
    found = run("simulate", BEACH, "--exact", "--versus-change", "sides.family.1.state.stones=9", "--json").json
    assert found["second"]["sides"] == changed["sides"]
    assert found["difference"]["family"]["chance"] > 0


SMALL = ("--change", 'sides.family=[{"character": "wilma", "tactic": "careful", "state": {"stones": 2}}]')


def test_the_best_play_of_a_side(run, folder):
    usual = run("simulate", BEACH, *SMALL, "--exact", "--json").json["sides"]["family"]["chance"]
    found = run("simulate", BEACH, *SMALL, "--best", "family", "--among", "all", "--json").json
    assert found["exact"] is True
    assert found["usual"]["chance"] == pytest.approx(usual, abs=1e-6)
    assert found["value"]["chance"] > usual
    worths = [option["worth"] for option in found["decisions"][0]["options"]]
    assert worths[0] == max(worths) == pytest.approx(found["value"]["chance"], abs=1e-6)
    shown = run("simulate", BEACH, *SMALL, "--best", "family", "--plot", "best.json")
    assert "with best play" in shown.out
    assert "its tactic" in shown.out
    assert (folder / "best.json").exists()


def test_the_best_play_is_looked_for_among_the_tactics_of_the_scene(run):
    found = run("simulate", "pebbles/stacking-race", "--best", "Wilma", "--json").json
    assert found["value"]["chance"] == pytest.approx(found["usual"]["chance"], abs=1e-6)  # there is one tactic in a race
    refused = run("simulate", "pebbles/stacking-race", "--best", "Wilma", "--among", "bold")
    assert "no tactic 'bold'; there are steady" in refused.err


def test_a_fair_number_of_opponents(run, folder):
    found = run(
        "simulate", BEACH, "--balance", "family", "--between", "20%", "95%", "--most", 4, "--quality", "oskar", "--seed", 2, "--json"
    ).json
    assert found["between"] == [0.2, 0.95]
    assert found["found"]
    assert all(0.2 <= one["chance"] <= 0.95 for one in found["found"])
    assert [one["number"] for one in found["tried"]] == sorted(one["number"] for one in found["tried"])
    shown = run("simulate", BEACH, "--balance", "family", "--between", "0.2", "0.95", "--most", 2, "--plot", "balance.json")
    assert "× oskar" in shown.out
    edges = json.loads((folder / "balance.json").read_text())["vconcat"][0]["layer"]
    upright = [layer["encoding"]["x"]["datum"] for layer in edges if "datum" in layer.get("encoding", {}).get("x", {})]
    assert {0.2, 0.95} <= set(upright)


def test_a_precision_may_be_a_percentage(run):
    found = run("simulate", BEACH, "-n", 1_000_000, "--precision", "2%", "--seed", 4, "--json").json
    assert found["n"] < 1_000_000


def test_a_precision_takes_as_many_fights_as_it_needs_where_nobody_says_how_many(run):
    found = run("simulate", BEACH, "--precision", "0.4%", "--seed", 4, "--json").json
    assert found["n"] > 10_000
    assert found["precise"] is True
    assert all(high - low <= 0.008 for low, high in (chance["interval"] for chance in (*found["sides"].values(), found["draw"])))


def test_a_precision_that_is_not_reached_is_said(run):
    asked = ("simulate", BEACH, "-n", 300, "--precision", "0.1%", "--seed", 4)
    assert run(*asked, "--json").json["precise"] is False
    assert "the requested precision is not reached: give a larger -n" in run(*asked).out


@pytest.mark.slow
def test_a_cluster_of_this_machine_plays_the_same_fights(run):
    here = run("simulate", BEACH, "-n", 900, "--seed", 4, "--json").json
    there = run("simulate", BEACH, "-n", 900, "--seed", 4, "--cluster", "local", "--json").json
    assert there == here


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--best", "nobody"], "no side 'nobody'"),
        (["--best", "family", "--among", "nonsense"], "no tactic 'nonsense'"),
        (["--best", "family", "-n", "5"], "play no fights"),
        (["--best", "family", "--balance", "family", "--between", "1%", "2%"], "give only one of"),
        (["--balance", "family"], "give both"),
        (["--between", "1%", "2%"], "give both"),
        (["--balance", "nobody", "--between", "1%", "2%"], "no side 'nobody'"),
        (["--balance", "family", "--between", "9%", "2%"], "give a range from a smaller"),
        (["--precision", "much"], "as 0.001 or 0.1%"),
        (["--change", "sides.family.9.count=2"], "sides.family.9"),
        (["--change", "rounds=many"], "rounds"),
        (["--cluster", "tcp://127.0.0.1:9", "--workers", "2"], "has its own workers"),
        (["--versus", "pebbles/stacking-race", "--exact"], "both scenes need the same sides"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_makes_no_sense_is_refused_in_one_line(run, arguments, says):
    found = run("simulate", BEACH, *arguments)
    assert found.status == 2
    assert says in found.err
    assert found.err.count("\n") == 1


def test_progress_tells_the_rate_and_the_time_left():
    from rulewright.cli.lab.simulate import said
    from rulewright.lab import Progress

    assert said(Progress("fights", 2_000, 10_000, 4.0, precision=0.012)) == "2,000, 500 a second, 0:16 left at most, ± 1.20%"
    assert said(Progress("states", 30, None, 0.5, settled=0.25)) == "30, 60 a second, 25.0% settled"


def test_a_side_without_members_is_refused_with_its_line(run, folder):
    (folder / "empty.yaml").write_text(
        "system: pebbles\nkind: scenario\nname: Empty\nsides:\n  family:\n    - {character: wilma}\n  nobody: []\n"
    )
    found = run("simulate", "empty.yaml")
    assert found.status == 2
    assert "empty.yaml:7" in found.err
    assert "this side has no members" in found.err


def test_a_long_fight_lists_its_rounds_in_groups_that_hold_everything():
    shown = report._grouped(dict.fromkeys(range(15, 155), 1 / 140))
    assert [count for count, _ in shown] == ["11 to 20", *(f"{at} to {at + 9}" for at in range(21, 152, 10))]
    assert abs(sum(chance for _, chance in shown) - 1) < 1e-9
    assert report._grouped({1: 0.5, 2: 0.4999, 3: 0.0001}) == [("1", 0.5), ("2", 0.4999)]
    assert report._grouped({}) == []


def test_a_field_that_a_scenario_does_not_have_is_named_with_the_nearest(run):
    refused = run("simulate", "pebbles/on-the-beach", "--change", "tactic.here=steady")
    assert refused.status == 2
    assert "there is no field 'tactic' to change; did you mean \"tactics\"?" in refused.err


def test_chances_are_never_shown_as_never_or_always_where_they_are_not():
    shown = [text.percent(chance) for chance in (0.0, 1.7e-8, 8.3e-7, 0.00077, 0.5, 0.99985, 0.99999999, 1.0)]
    assert shown == ["0%", "<0.001%", "<0.001%", "0.077%", "50.0%", ">99.9%", ">99.9%", "100%"]


@pytest.mark.slow
def test_where_nothing_is_settled_no_numbers_are_made_up(run):
    shown = run("simulate", "scumm/shootout", "--exact", "--states", "1").out
    assert "no result yet: give it more --seconds or --states" in shown
    assert "on average" not in shown


def test_a_comparison_or_best_play_of_which_nothing_is_settled_shows_no_numbers(run, folder):
    for asked in ((BEACH, "--exact", "--versus-preset", "friendly"), ("scumm/duel", "--best", "north")):
        shown = run("simulate", *asked, "--states", "1")
        assert shown.status == 0
        assert shown.out.endswith("no result yet: give it more --seconds or --states\n")
        assert "%" not in shown.out
    found = run("simulate", BEACH, "--exact", "--states", "1", "--json").json
    assert found["rounds"] == {"mean": None, "chance": {}}
    assert found["losses"]["family"]["mean"] is None
    run("simulate", BEACH, "--exact", "--states", "1", "--plot", "nothing.json")
    (drawn,) = json.loads((folder / "nothing.json").read_text())["vconcat"]
    assert all(row["chance"] is None for row in drawn["data"]["values"])


def test_what_a_tactic_is_worth_has_bounds_where_the_budget_was_spent(run):
    asked = ("simulate", BEACH, *SMALL, "--best", "family", "--states", "5")
    found = run(*asked, "--json").json
    low, high = found["usual"]["interval"]
    exact = run("simulate", BEACH, *SMALL, "--exact", "--json").json["sides"]["family"]["chance"]
    assert found["usual"]["chance"] == low
    assert low < exact < high
    assert f"with its tactic    {text.percent(low)} to {text.percent(high)}" in run(*asked).out


def test_what_has_no_end_of_states_is_solved_for_two_minutes_unless_something_is_said() -> None:
    assert _budget({"states": None, "seconds": None}, EXACT_SECONDS) == {"seconds": 120}
    assert _budget({"states": 9, "seconds": None}, EXACT_SECONDS) == {"states": 9}
    assert _budget({"states": 9, "seconds": 300.0}, EXACT_SECONDS) == {"states": 9, "seconds": 300}
    assert _budget({"states": None, "seconds": None}, None) == {}
