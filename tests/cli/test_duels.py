"""duel: designs against each other, with what each is worth, and refusals in a sentence."""

import json

import pytest

HERON, MAGPIE, BEETLE = "silhouette/heron-walker", "silhouette/magpie-transformer", "silhouette/beetle-suit"


def test_every_two_designs_meet_in_every_case_and_their_worth_stands_beside(run):
    found = run("duel", HERON, MAGPIE, BEETLE, "-n", 6, "--seed", 3, "--over", "range=4,8", "--json").json
    assert found["worth"] == "Threat Value"
    assert {one["name"]: one["worth"] for one in found["designs"]}["Heron"] == 318
    assert len(found["cases"]) == 3 * 2
    assert {case["said"]["range"] for case in found["cases"]} == {"4", "8"}
    for one in found["designs"]:
        assert one["average"] == pytest.approx(sum(met["chance"] for met in one["against"].values()) / 2, abs=1e-5)
    for case in found["cases"]:
        assert case["chance"] + case["other_chance"] + case["nobody"] == pytest.approx(1)
        assert case["interval"][0] <= case["chance"] <= case["interval"][1]


def test_a_seed_gives_the_same_table_again_and_a_walker_beats_a_suit(run):
    first = run("duel", HERON, BEETLE, "-n", 8, "--seed", 5, "--json").json
    assert run("duel", HERON, BEETLE, "-n", 8, "--seed", 5, "--json").json == first
    heron, beetle = first["designs"]
    assert heron["average"] > beetle["average"]


def test_people_read_a_table_and_a_chart_is_drawn(run, folder):
    shown = run("duel", HERON, BEETLE, "-n", 4, "--seed", 5, "--plot", "d.json")
    assert shown.status == 0
    assert "Threat Value" in shown.out
    assert "vs Heron" in shown.out
    assert json.loads((folder / "d.json").read_text())["vconcat"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((HERON,), "at least two designs"),
        ((HERON, "silhouette/ana"), ""),
        ((HERON, MAGPIE, "--over", "range"), "NAME=A,B"),
        ((HERON, MAGPIE, "--over", "weather=rain"), "there is no circumstance 'weather'"),
        ((HERON, MAGPIE, "--over", "range=-3"), "a whole number from 0 to 80"),
        ((HERON, MAGPIE, "--over", "terrain=lava"), "there is no 'lava'"),
        ((HERON, MAGPIE, "--over", "tactic=panic"), "there is no 'panic'"),
        ((HERON, "silhouette/alley-medic"), "not a machine"),
        ((HERON, MAGPIE, "-n", "0"), "-n takes a number from 1"),
    ],
)
def test_what_cannot_be_set_against_each_other_is_refused_in_a_sentence(run, arguments, why):
    refused = run("duel", *arguments)
    assert refused.status == 2
    assert why in refused.err
    assert refused.err.count("\n") == 1
