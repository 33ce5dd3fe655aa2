"""roll and odds."""

import json
from fractions import Fraction

import pytest

from rulewright.dice import HighestDie, count_every_roll


def test_typed_dice_give_the_outcome_number_for_number(run):
    found = run("roll", "scumm", "3d+1 vs 5", "--dice", "2,6,4", "--json").json
    assert found["label"] == "success by 2"
    assert (found["success"], found["margin"], found["draw"]) == (True, 2, False)
    assert found["rolls"][0]["by"] is None
    assert found["rolls"][0]["faces"] == [2, 6, 4]
    assert found["rolls"][0]["result"] == {"total": 7, "fumble": False}
    assert found["reasons"][0] == {
        "label": "highest of 3",
        "value": 6,
        "op": "+",
        "rule": "scumm-dice-roll",
        "source": "book",
        "terms": [],
    }
    assert sum(reason["value"] for reason in found["reasons"]) == 7


def test_two_sides_take_their_dice_after_a_slash(run):
    found = run("roll", "scumm", "3d+1 vs 2d", "--dice", "2,6,4/3,5", "--json").json
    assert [roll["faces"] for roll in found["rolls"]] == [[2, 6, 4], [3, 5]]
    assert found["margin"] == 2
    assert [reason["value"] for reason in found["reasons"]] == [7, 5]


def test_a_seed_rolls_the_same_again_and_no_seed_rolls_afresh(run):
    seeded = {run("roll", "scumm", "5d", "--seed", 4).out for _ in range(3)}
    fresh = {run("roll", "scumm", "20d", "--json").out for _ in range(5)}
    assert len(seeded) == 1
    assert len(fresh) > 1


def test_people_read_the_verdict_the_dice_and_the_sum(run):
    shown = run("roll", "scumm", "3d+1 vs 5", "--dice", "2,6,4").out
    assert "success by 2" in shown
    assert "[6]" in shown
    assert "highest of 3" in shown
    assert "scumm-dice-roll" in shown


def test_odds_are_whole_weights_that_add_up_to_what_counting_gives(run):
    found = run("odds", "scumm", "3d+1 vs 5", "--json").json
    counted = count_every_roll(HighestDie(3, 1))
    assert found["total"] == 216
    assert sum(outcome["weight"] for outcome in found["outcomes"]) == 216
    by_value = {(o["value"]["total"], o["value"]["fumble"]): Fraction(o["weight"], found["total"]) for o in found["outcomes"]}
    assert by_value == {(total.total, total.fumble): Fraction(weight, 216) for total, weight in counted.items()}
    assert [outcome["order"] for outcome in found["outcomes"]] == sorted(outcome["order"] for outcome in found["outcomes"])
    above = sum(weight for total, weight in counted.items() if total.total > 5)
    assert found["chance"]["success"] == pytest.approx(above / 216)
    assert sum(found["chance"].values()) == pytest.approx(1)


def test_weights_beyond_64_bits_are_printed_whole(run):
    found = run("odds", "scumm", "80d", "--json").json
    assert found["total"] == 6**80
    assert sum(outcome["weight"] for outcome in found["outcomes"]) == 6**80


def test_a_test_without_a_threshold_has_no_verdict(run):
    assert run("odds", "scumm", "3d", "--json").json["chance"] is None
    assert run("roll", "scumm", "3d", "--json").json["success"] is None


@pytest.mark.parametrize(
    ("game", "notation", "dice", "success", "draw"),
    [
        ("ore", "4d", "7,7,2,1", True, False),
        ("ore", "4d", "7,6,2,1", False, False),
        ("ore", "2d contest 2d", "7,7/7,7", False, True),
        ("foresight", "14 x 5", "30", True, False),
        ("foresight", "14 x 5", "77", False, False),
        ("hybrid", "DF 12", "30", True, False),
        ("hybrid", "DF 12", "77", False, False),
        ("silhouette", "2d vs 4", "4,1", False, True),
    ],
)
def test_a_roll_says_whether_it_succeeded_wherever_the_odds_do(run, game, notation, dice, success, draw):
    rolled = run("roll", game, notation, "--dice", dice, "--json").json
    assert (rolled["success"], rolled["draw"]) == (success, draw)
    verdict = "success" if success else "draw" if draw else "failure"
    assert run("odds", game, notation, "--json").json["chance"][verdict] > 0


def test_a_pool_of_matching_dice_lists_every_set_that_lies_there(run):
    found = run("roll", "ore", "7d diff 3", "--dice", "2,2,2,9,9,4,4", "--json").json
    assert (found["width"], found["height"]) == (2, 9)
    assert found["sets"] == [{"width": 2, "height": 9}, {"width": 2, "height": 4}]
    assert run("roll", "ore", "3d", "--dice", "1,2,3", "--json").json["sets"] == []
    assert run("roll", "ore", "4d sets", "--dice", "3,3,1,1", "--json").json["sets"] == 2


def test_several_tests_are_compared_and_at_most_four(run):
    found = run("odds", "pebbles", "3c vs 2", "4c vs 2", "--json").json
    assert [answer["notation"] for answer in found] == ["3c vs 2", "4c vs 2"]
    shown = run("odds", "pebbles", "3c vs 2", "4c vs 2").out
    assert "3c vs 2" in shown
    assert "█" in shown
    assert run("odds", "pebbles", *["3c vs 2"] * 5).status == 2


@pytest.mark.parametrize(("name", "begins"), [("o.svg", b"<svg"), ("o.png", b"\x89PNG"), ("o.json", b"{")])
def test_odds_are_drawn_into_a_file(run, folder, name, begins):
    assert run("odds", "scumm", "3d+1 vs 5", "--plot", name).status == 0
    assert (folder / name).read_bytes().startswith(begins)


def test_a_chart_of_several_tests_keeps_the_order_of_the_axis(run, folder):
    run("odds", "scumm", "2d+4 vs 5", "3d vs 5", "--plot", "o.json")
    spec = json.loads((folder / "o.json").read_text())
    labels = [int(label.split(",")[0]) for label in spec["encoding"]["x"]["sort"]]
    assert labels == sorted(labels)


def test_options_change_what_is_rolled(run):
    plain = run("roll", "scumm", "unskilled+2ed vs 3", "--json")
    refused = run("roll", "scumm", "unskilled+2ed vs 3", "--set", "unskilled-emergency-dice=none")
    assert plain.status == 0
    assert refused.status == 2
    assert "unskilled-emergency-dice" in refused.err


def test_house_rules_come_from_a_file(run, folder):
    (folder / "house.yaml").write_text(
        "system: scumm\nkind: house-rules\nname: Ours\nsettings:\n  unskilled-emergency-dice: none\n", encoding="utf-8"
    )
    assert run("roll", "scumm", "unskilled+2ed vs 3", "--house", "house.yaml").status == 2
    assert run("roll", "scumm", "2d vs 3", "--house", "house.yaml").status == 0


def test_faces_are_read_alike_however_they_are_written(run):
    spoken = [
        run("roll", "scumm", "3d+1 vs 2d", "--dice", text, "--json").json["rolls"] for text in ("2,6,4/3,5", "2 6 4 / 3 5", "2,6, 4/3,5")
    ]
    assert spoken[0] == spoken[1] == spoken[2]
    refused = run("roll", "scumm", "3d", "--dice", "2,six,4")
    assert refused.status == 2
    assert "are no faces" in refused.err


def test_at_least_adds_up_from_the_far_end(run):
    each = run("odds", "scumm", "3d+1 vs 5", "--json").json
    least = run("odds", "scumm", "3d+1 vs 5", "--at-least", "--json").json
    weights = [outcome["weight"] for outcome in each["outcomes"]]
    assert [outcome["weight"] for outcome in least["outcomes"]] == [sum(weights[at:]) for at in range(len(weights))]
    assert least["chance"] == each["chance"]


def test_outcomes_that_share_a_place_are_one_where_they_add_up(run):
    least = run("odds", "scumm", "3d vs 2d", "--at-least", "--json").json["outcomes"]
    assert len({outcome["order"] for outcome in least}) == len(least)
    assert least[0]["weight"] == 6**5


def test_a_number_has_its_average_and_deviation(run):
    assert "total 3.50 ± 1.71" in run("odds", "scumm", "1d vs 4").out
    assert "±" not in run("odds", "ore", "5d").out
    assert "±" not in run("odds", "hybrid", "DF 12").out


def test_a_chart_of_many_outcomes_leaves_out_what_nobody_could_see(run, folder):
    run("odds", "ore", "7d", "5d+1ed", "--plot", "many.json")
    drawn = json.loads((folder / "many.json").read_text())
    outcomes = {row["outcome"] for row in drawn["data"]["values"]}
    assert {"no set", "2x1", "3x10", "4x5"} <= outcomes
    assert "7x9" not in outcomes
    run("odds", "ore", "2d", "--plot", "few.json")
    assert len(json.loads((folder / "few.json").read_text())["data"]["values"]) == 11


def test_dice_that_are_not_rolled_are_named(run):  # a pool of One Roll Engine has ten dice at most
    for command in (("roll", "ore", "20d"), ("odds", "ore", "12d-1d vs 5d")):
        found = run(*command)
        assert "dice are rolled, the limit of a pool" in found.out
    assert run("odds", "ore", "20d", "--json").json["remark"] == "only 10 of 20 dice are rolled, the limit of a pool"
    assert "remark" not in run("odds", "ore", "10d", "--json").json
