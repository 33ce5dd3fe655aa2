"""Help in the middle of a fight: bandages and tasks that build on each other (book lines 1527-1545, 2819-2823, 3052)."""

import pytest
from msgspec.structs import replace

from foresight.fights import Table, fight_of, someone
from foresight.rules_for_tests import RULES, under
from rulewright.play import GAMEMASTER
from rulewright.scenes.chances import Asked, weigh
from rulewright.systems.foresight.fight.actions.moves import where_options
from rulewright.systems.foresight.fight.actions.registry import action_options
from rulewright.systems.foresight.fight.tactics import shooter
from rulewright.systems.foresight.people.characters import Arm

QUICK = under(bandaging_actions=1)
HURT = {"wounds": 5, "worst": 5, "hurt": ("chest",), "unconscious": True}


def after_the_shot(rules=RULES, at=(1.0, 0.0), body=None, **ann):
    """Ann beside a friend who was shot, and an enemy at some distance."""
    ann = someone("Ann", side="friends", rules=rules, **ann)
    cal = someone("Cal", at, side="friends", rules=rules, body={**HURT, **(body or {})})
    return replace(fight_of(ann, cal, someone("Bob", (9.0, 0.0), rules=rules)), turn="Ann")


def keys(fight, rules=RULES):
    return {option.key for option in action_options(rules, fight, "Ann")}


def test_wounds_that_may_get_worse_can_be_bandaged_at_arms_length():
    assert "bandage:Cal" in keys(after_the_shot())
    assert "bandage:Cal" not in keys(after_the_shot(at=(3.0, 0.0)))
    assert "bandage:Cal" not in keys(after_the_shot(body={"wounds": 4, "worst": 4}))  # 2583: no deterioration roll below level 5
    assert "bandage:Cal" not in keys(after_the_shot(body={"bandaged": 1}))
    assert "bandage:Cal" not in keys(after_the_shot(body={"dead": True, "wounds": 8}))
    assert "bandage:Bob" not in keys(after_the_shot())


def test_both_hands_full_bandage_nobody():
    assert "bandage:Cal" not in keys(after_the_shot(blades=("Dagger", Arm("Dagger", name="other dagger")), state={"hand": 1, "off": 2}))


def test_a_helpless_enemy_can_be_bandaged_too():
    fight = after_the_shot()
    cal = fight.fighter("Cal")
    assert "bandage:Cal" in keys(fight.put(replace(cal, profile=replace(cal.profile, side="others"))))


def test_the_way_to_a_friend_who_needs_it_is_offered():
    assert "to:Cal" in {option.key for option in where_options(after_the_shot(at=(6.0, 0.0)), "Ann", "move")}
    assert "to:Cal" not in {option.key for option in where_options(after_the_shot(body={"bandaged": 1}), "Ann", "move")}


def test_it_takes_five_concentrate_actions_in_a_row_and_then_two_rolls():
    fight = after_the_shot(state={"acts": 6})
    table = Table(fight)
    table.play(*[("Ann", "bandage:Cal")] * 2, ("Ann", "squat"), *[("Ann", "bandage:Cal")] * 2)
    assert (table.fighter("Ann").tending, table.fighter("Ann").concentrated) == ("Cal", 2)  # the squat came between
    assert "Ann bandages the wounds of Cal (2 of 5 actions)" in table.transcript()


def test_the_rating_of_the_second_roll_helps_against_sinking():  # 2821: 5 less the rating
    table = Table(after_the_shot(QUICK), QUICK)
    table.play(("Ann", "bandage:Cal"), ("Ann", "QR4"))
    (_, roll), *_ = table.encounter.open
    mods = {mod.label: mod.value for mod in roll.reading.of.task.mods}
    assert mods["no basic medicine"] == -3
    table.play(("Ann", "QR3"))
    assert table.fighter("Cal").body.bandaged == 2
    assert "Ann treats Cal: bandaged, +2 to deterioration rolls (search QR4, then QR3); wound level 5, worst so far 5" in table.transcript()
    card = next(card for card in table.encounter.scene.view(table.fight, None).cards if card.name == "Cal")
    assert "bandaged +2" in [piece.name for piece in card.pieces]
    assert table.encounter.scene.lasting(table.fight, "Cal")["bandaged"].value == 2


def test_wounds_that_are_not_found_are_not_bandaged():
    table = Table(after_the_shot(QUICK), QUICK)
    table.play(("Ann", "bandage:Cal"), ("Ann", "QR7"))
    assert table.fighter("Cal").body.bandaged == 0
    assert "Cal: the wounds are not found" in table.transcript()


def test_several_wounds_and_grave_ones_are_harder_to_find():  # 2860-2866: -1 for several, -2 at level 5
    table = Table(after_the_shot(QUICK, body={"hurt": ("chest", "left leg")}), QUICK)
    table.play(("Ann", "bandage:Cal"))
    (_, roll), *_ = table.encounter.open
    mods = {mod.label: mod.value for mod in roll.reading.of.task.mods}
    assert (mods["multiple wounds"], mods["worst level 5 or 6"]) == (-1, -2)


def test_the_chance_beside_the_last_action_is_that_of_both_rolls():
    table = Table(after_the_shot(QUICK), QUICK)
    shown = {each.key: each for each in weigh(Asked(table.encounter.moment(0), ("Ann",), shooter), 60)}
    (helps,) = [each for each in shown["bandage:Cal"].outcomes if each.good]
    assert 0 < helps.chance < 1


def test_where_bandages_have_to_be_carried_only_they_will_do():
    strict = under(bandages="carried")
    fight = after_the_shot(strict)
    assert "bandage:Cal" not in keys(fight, strict)
    ann = fight.fighter("Ann")
    assert "bandage:Cal" in keys(fight.put(replace(ann, profile=replace(ann.profile, supplies=True))), strict)


@pytest.mark.parametrize(("qr", "more"), [(1, 3), (2, 2), (3, 1), (4, 0), (7, -3), (10, -6)])  # 1533-1543
def test_the_next_task_of_a_friend_builds_on_that_of_a_helper(qr, more):
    ann = someone("Ann", side="friends", stealth=5)
    cal = someone("Cal", (2.0, 0.0), side="friends", lockpicking=8)
    table = Table(replace(fight_of(ann, cal, someone("Bob", (9.0, 0.0))), turn="Ann"))
    table.play(("Ann", "help:Cal"), ("Ann", "DX"), (GAMEMASTER, 1), ("Ann", f"QR{qr}"))
    assert table.fighter("Cal").helped == more
    assert f"Cal is helped: {more:+} to the next task" in table.transcript()
    table = Table(replace(table.fight, turn="Cal"))
    table.play(("Cal", "task"), ("Cal", "Lockpicking"), (GAMEMASTER, 0))
    (_, roll), *_ = table.encounter.open
    assert {mod.label: mod.value for mod in roll.reading.of.task.mods}.get("help", 0) == more
    table.play(("Cal", "QR4"))
    assert table.fighter("Cal").helped == 0


def test_nobody_is_helped_from_afar_or_while_helpless():
    ann = someone("Ann", side="friends")
    for cal in (someone("Cal", (4.0, 0.0), side="friends"), someone("Cal", (1.0, 0.0), side="friends", body=HURT)):
        assert "help:Cal" not in keys(replace(fight_of(ann, cal, someone("Bob", (9.0, 0.0))), turn="Ann"))
