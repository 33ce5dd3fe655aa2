"""Rounds: initiative, focus, turns, bonus actions, what the stunned and the frozen may do (book lines 2929-3018, 3055-3088)."""

import pytest
from msgspec.structs import replace

from foresight.fights import Table, drive, fight_of, someone
from foresight.rules_for_tests import RULES, under
from rulewright.errors import UserError
from rulewright.systems.foresight.fight.bonus_actions import KINDS, bonus_attribute, bonus_task, covers, roll_bonus
from rulewright.systems.foresight.fight.turns import actions_by_initiative, allowed, begin_round, initiative_task, turn_order
from rulewright.systems.foresight.fight.wait_actions import comes, may_try

GUN = "SL Pistol (TL5)"


def two(**state):
    ann = someone("Ann", (0.0, 0.0), guns=(GUN,), hth=5, initiative=5, state=state)
    bob = someone("Bob", (1.0, 0.0), guns=(GUN,), hth=5, initiative=3)
    return fight_of(ann, bob, round=0)


def begun(*ratings, fight=None, rules=RULES):
    """A table in its first round, everybody watching the first enemy."""
    table = Table(fight or two(), rules)
    names = [f.name for f in table.fight.fighters if not f.out]
    table.play(*[(name, f"QR{qr}") for name, qr in zip(names, ratings, strict=True)])
    while table.asks()[0][1] == "focus":
        who = table.asks()[0][0]
        table.play((who, table.encounter.open[0][1].options[0].key))
    return table


# --- the numbers --------------------------------------------------------------------------------------------------------------


def test_actions_by_initiative():  # 2962
    assert [actions_by_initiative(RULES, qr) for qr in (1, 2, 3, 4, 7, 10)] == [2, 2, 2, 2, 1, 0]
    assert allowed(RULES, 4) == "two actions"
    assert allowed(RULES, 7) == "one action"
    assert allowed(RULES, 10) == "nothing or drop"
    assert allowed(RULES, 1, stunned=True) == "recover from stun"


def test_the_best_acts_first_and_ties_go_to_the_score():  # 2964, 2998
    assert turn_order(RULES, (4, 2, 4, 10), (10, 5, 12, 20)) == (1, 2, 0, 3)
    assert turn_order(RULES, (3, 3), (9, 9)) == (0, 1)
    with pytest.raises(UserError, match="as many scores"):
        turn_order(RULES, (3,), (9, 9))


def test_focus_is_declared_from_the_worst_to_the_best_and_turns_go_the_other_way():
    table = Table(two())
    table.play(("Ann", "QR2"), ("Bob", "QR4"))
    assert table.asks() == [("Bob", "focus")]
    assert [turn.at for turn in table.encounter.scene.view(table.fight, "Bob").timeline.turns] == ["QR2", "QR4"]  # known by then
    table.play(("Bob", "nothing"))
    assert table.asks() == [("Ann", "focus")]
    table.play(("Ann", "Bob"))
    assert table.asks() == [("Ann", "turn")]
    assert (table.fighter("Bob").focus, table.fighter("Ann").focus) == ("", "Bob")


def test_stun_costs_four_on_initiative():  # 2950
    ann = someone("Ann", body={"stunned": True})
    assert initiative_task(RULES, ann).modifier == -4
    assert initiative_task(RULES, replace(ann, awareness=-4)).modifier == -8


# --- turns --------------------------------------------------------------------------------------------------------------------


def test_two_actions_and_the_turn_is_over():
    table = begun(2, 4)
    table.play(("Ann", "act"), ("Ann", f"draw:{GUN}"), ("Ann", f"draw:{GUN}"))
    assert table.asks() == [("Bob", "turn")]
    assert table.fighter("Ann").weapon.name == GUN


def test_a_failed_roll_leaves_one_action_and_no_bonus():  # 2962
    table = begun(7, 10)
    keys = {option.key for option in table.encounter.open[0][1].options}
    assert keys == {"act", "wait"}
    assert not may_try(RULES, table.fighter("Ann"))
    table.play(("Ann", "act"), ("Ann", "drop"))
    assert table.asks() == [("Bob", "frozen")]


def test_who_freezes_can_only_fall_flat():
    table = begun(4, 10)
    table.play(("Ann", "wait"), ("Bob", "drop"))
    assert table.fighter("Bob").stance == "prone"


def test_the_stunned_can_only_try_to_recover_and_may_be_stunned_again():  # 3000-3004
    table = begun(4, 3, fight=two().change("Bob", body=someone("Bob", body={"stunned": True}).body))
    assert table.asks() == [("Bob", "stunned")]
    table.play(("Bob", "recover"), ("Bob", "QR4"))
    assert not table.fighter("Bob").body.stunned
    table.play(("Ann", "act"), ("Ann", "attack:Bob"), ("Bob", "QR7"), ("Ann", "QR2"), ("Bob", 5), ("Bob", "QR7"))  # Bob had no focus
    assert table.fighter("Bob").body.stunned


def test_grave_wounds_take_an_action_and_ask_for_willpower():
    hurt = someone("Ann", (0.0, 0.0), body={"wounds": 4, "worst": 4})
    table = begun(4, 4, fight=fight_of(hurt, someone("Bob", (9.0, 0.0)), round=0))
    assert table.asks() == [("Ann", "willpower to act")]
    table.play(("Ann", "QR4"), ("Ann", "act"), ("Ann", "drop"))
    assert table.asks() == [("Bob", "turn")]  # one action was all there was


def test_who_cannot_pull_together_does_nothing():
    hurt = someone("Ann", (0.0, 0.0), body={"wounds": 4, "worst": 4})
    table = begun(4, 4, fight=fight_of(hurt, someone("Bob", (9.0, 0.0)), round=0))
    table.play(("Ann", "QR7"))
    assert table.asks() == [("Bob", "turn")]


@pytest.mark.parametrize(("level", "initiative"), [(4, 7), (5, 7), (5, 10)])
def test_the_gravely_wounded_roll_willpower_though_stunned_or_frozen(level, initiative):  # 2584-2585: every combat turn
    hurt = someone("Ann", (0.0, 0.0), body={"wounds": level, "worst": level, "stunned": True})
    fight = fight_of(hurt, someone("Bob", (9.0, 0.0)), round=0)
    table = begun(initiative, 4 if initiative == 10 else 10, fight=fight)
    if initiative == 10:
        table.play(("Bob", "act"), ("Bob", "drop"), ("Bob", "done"))
    if level == 4:
        table.play(("Ann", "recover"))
    assert table.asks() == [("Ann", f"willpower to {'act' if level == 4 else 'stay conscious'}")]
    table.play(("Ann", "QR7"))
    assert table.fighter("Ann").body.unconscious == (level == 5)
    assert table.fighter("Ann").body.stunned
    assert not [asked for asked in table.asks() if asked == ("Ann", "recovery from stun")]


def test_who_freezes_cannot_recover_from_stun():  # 2962: do nothing or fall prone
    table = begun(10, 4, fight=two().change("Ann", body=someone("Ann", body={"stunned": True}).body))
    table.play(("Bob", "act"), ("Bob", "drop"), ("Bob", "done"))
    assert table.asks() == [("Ann", "frozen")]
    assert allowed(RULES, 10, stunned=True) == "nothing or drop"


# --- bonus actions ------------------------------------------------------------------------------------------------------------


def test_bonus_actions_by_attribute():  # 3061-3073
    assert {kind: bonus_attribute(RULES, kind) for kind in KINDS} == {
        "step": "AG",
        "move": "AG",
        "dodge": "AG",
        "parry": "DX",
        "fire": "DX",
        "draw": "DX",
        "feint": "DX",
        "aim": "PC",
        "wind-up": "ST",
        "pin": "ST",
        "concentrate": "WP",
    }
    assert all(covers("move", kind) for kind in ("evade", "drop", "roll", "rise"))
    assert [covers("fire", kind) for kind in ("fire", "reload", "throw", "draw")] == [True, True, True, False]
    with pytest.raises(UserError, match="no bonus actions"):
        bonus_attribute(RULES, "nonsense")


def test_an_agile_character_drops_rolls_and_rises():  # 3088: AG 12 and QR2 are three bonus actions of any movement
    fight = fight_of(someone("Ann", AG=12), someone("Bob", (9.0, 0.0)), round=0)
    table = begun(2, 4, fight=fight)
    table.play(("Ann", "bonus:move"), ("Ann", "QR2"))
    assert (table.fighter("Ann").bonus, table.fighter("Ann").bonuses) == ("move", 3)
    table.play(("Ann", "drop"), ("Ann", "roll"), ("Ann", "to:Bob"), ("Ann", "rise"))
    assert (table.fighter("Ann").bonuses, table.fighter("Ann").acts) == (0, 2)


def test_a_botched_roll_for_bonus_actions_costs_one():
    table = begun(2, 4)
    table.play(("Ann", "bonus:draw"), ("Ann", "QR10"), ("Ann", "drop"))
    assert table.asks() == [("Bob", "turn")]


def test_bonus_actions_are_spent_on_their_own_kind_only():
    table = begun(2, 4, fight=fight_of(someone("Ann", guns=(GUN,), DX=12), someone("Bob", (9.0, 0.0)), round=0))
    table.play(("Ann", "bonus:draw"), ("Ann", "QR3"), ("Ann", "drop"), ("Ann", "rise"))
    keys = {option.key for option in table.encounter.open[0][1].options}
    assert keys == {f"draw:{GUN}", "wait", "done"}  # both actions are used, and three bonus draws are left


def test_without_the_option_nobody_is_asked():
    table = begun(2, 4, rules=under(bonus_actions=False))
    assert {option.key for option in table.encounter.open[0][1].options} == {"act", "wait"}


def test_the_roll_itself():
    found = drive(roll_bonus(RULES, 9, by="Ann"), ("Ann", 62)).outcome
    assert (found.qr, found.actions) == (4, 1)  # 3314
    ann = someone("Ann", guns=("Laser Rifle (TL7)",), PC=12, weapon="Laser Rifle (TL7)")
    assert bonus_task(RULES, ann.profile, ann.body, ann.weapon, "aim").modifier == 0
    assert bonus_task(RULES, ann.profile, replace(ann.body, wounds=2), ann.weapon, "aim").modifier == -2


@pytest.mark.parametrize(("attribute", "qr"), [(9, 10), (9, 7), (9, 4), (9, 3), (12, 3), (12, 1), (15, 1), (18, 1)])
def test_how_many_bonus_actions_were_won_is_what_the_roll_came_to(attribute, qr):  # 3314
    played = drive(roll_bonus(RULES, attribute, by="Ann"), ("Ann", f"QR{qr}"))
    told = [said.name for event in played.events if (said := event.verdict()) is not None]
    won = played.outcome.actions
    assert told == [{-1: "an action lost", 0: "none"}.get(won, f"{won} more" if won < 4 else "4 or more")]


def test_bonuses_and_the_rest_are_gone_in_the_next_round():
    ann = someone("Ann", state={"bonuses": 2, "bonus": "draw", "tried": True, "dodges": 2, "parries": 1, "sudden": True, "sighted": True})
    fight = drive(begin_round(RULES, fight_of(ann, someone("Bob", (9.0, 0.0)))), ("Ann", "QR4"), ("Bob", "QR3")).outcome
    fresh = fight.fighter("Ann")
    assert (fresh.bonuses, fresh.tried, fresh.dodges, fresh.parries, fresh.sudden, fresh.sighted) == (0, False, 0, 0, False, False)
    assert fight.order == ("Bob", "Ann")


# --- waiting ------------------------------------------------------------------------------------------------------------------


def test_only_a_strictly_better_rating_comes_before():  # 2978-2990
    assert comes(RULES, 2, 3) == "before"
    assert comes(RULES, 3, 3) == "after"
    assert comes(RULES, 4, 3) == "after"
    assert comes(RULES, 1, 4, on_them=False) == "after"


def waits(*names, fight=None, qr=2, **changes):
    fight = fight or two()
    for name in names:
        fight = fight.change(name, waiting=True, qr=qr, acts=2, tried=True, **changes)
    return fight


@pytest.mark.parametrize(("setting", "first"), [("still comes first", True), ("comes after", False)])
def test_who_aims_and_then_waits_still_comes_first(setting, first):  # 2986-2990: the sniper aims, waits again, and can pre-empt
    rules = under(wait_after_acting=setting)
    ann = someone("Ann", (0.0, 0.0), rules=rules, guns=["Cone Pistol"], weapon="Cone Pistol")
    table = begun(2, 4, fight=fight_of(ann, someone("Bob", (9.0, 0.0)), round=0), rules=rules)
    table.play(("Ann", "act"), ("Ann", "aim:Bob"), ("Ann", "wait"), ("Bob", "act"), ("Bob", "drop"))
    assert (table.asks() == [("Ann", "first")]) == first


def test_nobody_waits_before_their_turn_comes_up():
    table = begun(2, 4)
    table.play(("Ann", "act"), ("Ann", "drop"))
    assert table.asks() == [("Ann", "act")]  # Bob has not begun to wait


def test_an_action_in_an_area_is_answered_after_it_only():
    from rulewright.systems.foresight.combat.fighters import Area, Ground

    ground = Ground(areas=(Area("the door", 0, 0, 1),))
    fight = waits("Bob", fight=fight_of(someone("Ann"), someone("Bob", (9.0, 0.0)), ground=ground), focus="area:the door")
    table = Table(replace(fight.change("Ann", qr=4), turn="Ann"))
    table.play(("Ann", "drop"))
    assert table.asks() == [("Bob", "now")]


def test_a_bored_guard_has_to_notice():  # 2972
    fight = waits("Bob", fight=fight_of(someone("Ann"), someone("Bob", (9.0, 0.0))), focus="")
    table = Table(replace(fight, turn="Ann"))
    table.play(("Ann", "drop"))
    assert table.asks() == [("Bob", "noticing")]
    table.play(("Bob", "QR7"))
    assert table.asks() == [("Ann", "act")]
    table.play(("Ann", "rise"), ("Bob", "QR3"))
    assert table.asks() == [("Bob", "now")]


@pytest.mark.parametrize(("setting", "asked"), [("freely", ("Bob", "now")), ("not at all", ("Ann", "act"))])
def test_what_is_noticed_is_for_the_campaign_to_say(setting, asked):
    fight = waits("Bob", fight=fight_of(someone("Ann"), someone("Bob", (9.0, 0.0))), focus="")
    table = Table(replace(fight, turn="Ann"), under(noticing_out_of_focus=setting))
    table.play(("Ann", "drop"))
    assert table.asks() == [asked]


def test_a_word_from_a_friend_sets_off_who_waits():  # 2994
    cat = someone("Cat", (0.0, 5.0), side="Ann")
    fight = waits("Cat", fight=fight_of(someone("Ann"), someone("Bob", (9.0, 0.0)), cat), focus="Bob")
    table = Table(replace(fight, turn="Ann"))
    table.play(("Ann", "signal"))
    assert table.asks() == [("Cat", "now")]
    table.play(("Cat", "now"), ("Cat", "drop"))
    assert table.fighter("Cat").stance == "prone"
    assert (table.asks(), table.fighter("Ann").acts) == ([("Ann", "act")], 2)  # a word costs no action


def test_interruptions_nest():
    cat = someone("Cat", (0.0, 5.0))
    fight = fight_of(someone("Ann"), someone("Bob", (9.0, 0.0)), cat)
    fight = waits("Bob", fight=fight, qr=3, focus="Ann")
    fight = waits("Cat", fight=fight, qr=2, focus="Bob")
    table = Table(replace(fight.change("Ann", qr=4), turn="Ann"))
    table.play(("Ann", "drop"))
    assert table.asks() == [("Bob", "first")]
    table.play(("Bob", "first"), ("Bob", "squat"))
    assert table.asks() == [("Cat", "first")]  # before Bob, who comes before Ann
    assert [deed.who for deed in table.fight.deeds] == ["Ann"]
    table.play(("Cat", "first"), ("Cat", "kneel"), ("Cat", "wait"))  # and might go on right after Bob
    assert [f.stance for f in table.fight.fighters] == ["prone", "squatting", "kneeling"]
    said = [line for line in table.transcript().splitlines() if not line.startswith(" ")]
    assert said == ["Cat kneels", "Bob squats", "Ann drops prone"]


def test_what_was_begun_may_come_too_late():
    fight = fight_of(someone("Ann", guns=(GUN,), weapon=GUN, handguns=12), someone("Bob", (2.0, 0.0), guns=(GUN,), weapon=GUN, handguns=14))
    fight = waits("Bob", fight=fight, qr=1, focus="Ann")
    table = Table(replace(fight.change("Ann", qr=3, focus="Bob"), turn="Ann"))
    table.play(("Ann", "fire:Bob"), ("Bob", "first"), ("Bob", "fire:Ann"), ("Ann", "nothing"), ("Bob", "QR1"), ("Ann", 5), ("Ann", "QR7"))
    assert table.fighter("Ann").body.stunned
    assert "Ann can no longer carry out the action" in table.transcript()
    assert table.fighter("Ann").ammo == (0, 12)


def test_one_action_for_each_deed_and_the_rest_when_the_other_is_done():
    fight = waits("Bob", qr=3, focus="Ann")
    table = Table(replace(fight.change("Ann", qr=3), turn="Ann"))
    table.play(("Ann", "drop"), ("Bob", "now"), ("Bob", "squat"))
    assert table.fighter("Bob").acts == 1
    table.play(("Ann", "roll over"), ("Bob", "wait"))
    assert table.asks() == [("Bob", "turn")]  # Ann has nothing left
    table.play(("Bob", "wait"))
    assert table.fighter("Bob").waiting
    assert table.asks()[0][1] == "initiative"
