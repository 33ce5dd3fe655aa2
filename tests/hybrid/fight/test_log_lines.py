"""Every roll of a fight has a line with its result and its terms, and every option says what it is for (book chapters 2, 4 and 8)."""

import pytest
from msgspec.structs import replace

from rulewright.play import script
from rulewright.rules.reasons import holds
from rulewright.systems.hybrid.combat.attack_setup import ATTACK, DOWN, fate
from rulewright.systems.hybrid.combat.attacks import Strike, block, parry, release
from rulewright.systems.hybrid.combat.fighters import Doing
from rulewright.systems.hybrid.combat.initiative import setup_counts
from rulewright.systems.hybrid.combat.maneuvers import close_in, disarm
from rulewright.systems.hybrid.fight.actions.registry import open_to, take_effect
from rulewright.systems.hybrid.fight.attack_modes import moves_in, ways
from rulewright.systems.hybrid.fight.timeline import decide
from rulewright.systems.hybrid.harm.damage import SOUND, Blow, resist_bleeding, resist_knockback, shake_off, system_shock
from rulewright.systems.hybrid.harm.treatment import heal
from rulewright.systems.hybrid.people.statistics import roll_size
from rulewright.systems.hybrid.resolution.tests import Check

from .test_actions import RULES, fight, mage, person, place, stepped, under

LOW, HIGH = (1,), (100,)
"""A d100 that succeeds, and one that fails."""


def told(played):
    return [event.headline() for event in played.events]


# --- every roll has a line (1044-1065, 1127-1129) -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "body", "passed", "failed"),
    [
        (resist_knockback, SOUND, "keeps their feet", "is thrown to the ground"),
        (resist_bleeding, SOUND, "does not bleed", "bleeds"),
        (system_shock, SOUND, "withstands the shock", "is stunned"),
        (shake_off, replace(SOUND, shock="stunned"), "is over the shock", "is still stunned"),
    ],
)
def test_what_a_body_resists_is_told_either_way_with_its_chance(rule, body, passed, failed):
    for faces, words in ((LOW, passed), (HIGH, failed)):
        (event,) = script(rule(RULES, body), [faces]).events
        assert event.headline().endswith(words)
        (why,) = event.reasons()
        assert why.label == "Success Chance"
        assert holds(why)
        assert not lumps(why)


@pytest.mark.parametrize(("faces", "words"), [(LOW, "Al finds balance again"), (HIGH, "Al is still off balance (-4)")])
def test_finding_balance_is_told(faces, words):
    state = fight(person("Al", "a", at=10, off_balance=-4), person("Bo", "b", 1.0, at=50))
    assert words in told(script(decide(RULES, state, "Al", 10), [faces], ["pass"]))


def lumps(why):
    """The terms of a sum that stand for several things at once."""
    found = [why.label] if why.label in ("statistic and ranks", "Difficulty Factor") and not why.terms else []
    return found + [label for part in why.terms for label in lumps(part)]


def test_parry_grapple_and_running_show_every_term():
    state = fight(person("Al", "a", at=10), person("Bo", "b", 1.0, at=50))
    begun = script(decide(RULES, state, "Al", 10), [], ["attack:Bo"]).outcome
    then = begun.fighter("Al")
    parried = script(take_effect(RULES, begun, "Al", then.at, then), [(95,), (3, 4)], ["parry"])
    bare = fight(person("Al", "a", weapons=(), at=10), person("Bo", "b", 1.0, weapons=(), at=50))
    bare = bare.change("Al", doing=Doing("grapple", "Bo", 8))
    gripped = script(take_effect(RULES, bare, "Al", 10, bare.fighter("Al")), [(30,), (3, 4)], ["defend"])
    far = fight(person("Al", "a", at=10), person("Bo", "b", 9.0, at=50))
    ran = script(decide(RULES, far, "Al", 10), [(30,), (3, 4)], ["approach:Bo"])
    for played, start in (
        (parried, "Bo tries to parry with the knife"),
        (gripped, "Al tries to grapple Bo"),
        (ran, "Al tries to reach a run"),
    ):
        (line,) = [event for event in played.events if event.headline().startswith(start)]
        (why,) = line.reasons()
        assert holds(why)
        assert not lumps(why), start
        assert {"ranks", "unranked"} & {part.label for row in why.terms for factor in row.terms for part in factor.terms}


def labels(event):
    return {why.label: why.value for root in event.reasons() for _, why in root.walk()}


@pytest.mark.parametrize(
    ("procedure", "faces", "start"),
    [
        (lambda: disarm(RULES, by="Al", against="Bo"), [(30,), (53,)], "Bo: keeping hold of the weapon fails"),  # 40 less 30
        (lambda: release(RULES, by="Al", against="Bo"), [(42,), (60,)], "Bo: keeping the weapons bound fails"),  # 52 less 42
        (lambda: parry(RULES, attack=10, by="Bo"), [(60,)], "Bo: parry fails"),
    ],
)
def test_an_opposed_roll_names_the_success_number_of_the_action(procedure, faces, start):  # 537-540
    (line,) = [event for event in script(procedure(), faces).events if event.headline() == start]
    assert labels(line)["Success Number of the action"] == 10
    assert all(holds(why) for why in line.reasons())


def test_a_block_tells_how_much_it_stops():  # 1131-1133
    (line,) = script(block(RULES, Check(60), (6,), 3, "Bo"), [(5,), (4,)]).events
    assert line.headline() == "Bo blocks: up to 7 of the damage is stopped"
    assert (labels(line)["dice"], labels(line)["added to the dice"]) == (4, 3)


def test_a_feint_tells_each_watcher_with_the_perception_behind_it():  # 964-970
    state = fight(person("Al", "a", at=12, doing=Doing("feint", "Bo", 10)), person("Bo", "b", 1.0, at=50), count=10)
    played = script(take_effect(RULES, state, "Al", 12, state.fighter("Al")), [(5,), (99,), (3, 4)])
    (line,) = [event for event in played.events if event.headline() == "Bo falls for the feint of Al"]
    assert "Success Number of the action" in labels(line)
    assert not [lumped for why in line.reasons() for lumped in lumps(why)]


# --- what an option is for (898-908, 974-1000) --------------------------------------------------------------------------------


def test_bringing_down_is_the_gain_of_overbear_and_throw():  # 980, 986
    down = replace(SOUND, prone=True)
    assert DOWN in ATTACK.good
    assert fate(SOUND, down, topples=True) == DOWN
    assert fate(SOUND, down) == "no harm"
    assert fate(SOUND, replace(down, dead=True), topples=True) == "dead"


@pytest.mark.parametrize(("lies", "inside"), [(True, True), (False, True)])
def test_who_ignores_a_fend_gets_inside_also_from_the_ground(lies, inside):  # 902
    fend = Strike(Check(60), 0, Blow((), 1, "cutting"), "Bo", "fend")
    played = script(close_in(RULES, replace(SOUND, prone=lies), fend), [(5,), (40,)], ["ignore"])
    assert played.outcome.inside == inside


def test_nothing_that_needs_feet_is_offered_to_the_prone():
    al, bo = person("Al", "a"), person("Bo", "b", 1.0)
    lying = replace(al, body=replace(al.body, prone=True))
    needs = {"spinning", "jumping", "evading", "retreating", "advance"}
    assert needs <= set(ways(RULES, al, bo, al.arm))
    assert not needs & set(ways(RULES, lying, bo, al.arm))
    assert not needs & set(moves_in(RULES, lying, bo, al.arm, "disarm"))


# --- looking around, degrees of failure (523-538, 701) ------------------------------------------------------------------------


def test_looking_around_takes_eight_counts_and_tells_what_enemies_are_about_to_do():  # 701
    state = fight(person("Al", "a", at=10), person("Bo", "b", 1.0, at=30, doing=Doing("attack", "Al", 8, "all out", "head")))
    assert "look" in open_to(RULES, state, state.fighter("Al"))
    begun, lines = stepped(state, [], ["look"])
    assert lines[-1] == "Al looks around (takes effect at count 18)"
    exact, lines = stepped(begun, [(20,), (3, 4)])
    assert "Al sees that Bo is about to attack Al (all out, called: head), at count 30" in lines
    assert exact.fighter("Al").aware
    _, lines = stepped(begun, [(48,), (3, 4)])
    assert "Al sees that Bo is about to attack Al, at count 30" in lines
    _, lines = stepped(begun, [(99,), (3, 4)])
    assert not any("sees that" in line for line in lines)


@pytest.mark.parametrize(
    ("on", "pbd", "words"), [(True, 19, "Al fails so badly that mend wounds Bea (PBD -1)"), (False, 20, "Al casts mend without effect")]
)
def test_a_very_bad_failure_to_mend_wounds(on, pbd, words):
    rules = under(failures_work_against=on)
    bea = person("Bea", "a", 1.0)
    bea = replace(bea, body=replace(bea.body, pbd=20))
    state = fight(mage(at=25), bea, person("Bo", "b", 5.0, at=90))
    state = state.change("Al", doing=Doing("cast", "Bea", 10, arm=place(state.fighter("Al"), "mend")))
    state = state.change("Bea", at=80)
    after, lines = stepped(state, [(100,), (3, 4)], rules=rules)
    assert words in lines
    assert after.fighter("Bea").body.pbd == pbd


def test_a_very_bad_failure_of_first_aid_opens_a_wound():
    bea = person("Bea", "a", 1.0, at=80)
    bea = replace(bea, body=replace(bea.body, bleeding=(0,)))
    state = fight(person("Al", "a", at=25, doing=Doing("treat", "Bea", 15)), bea, person("Bo", "b", 9.0, at=90))
    for faces, wounds in (((100,), 2), ((1,), 0)):
        after, _ = stepped(state, [faces, (3, 4)])
        assert len(after.fighter("Bea").body.bleeding) == wounds


# --- tables by id -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scale", "counts"), [("count", 12), ("hour", 3), ("day", 3), ("week", 3)])
def test_setting_up_a_task_of_weeks_takes_a_quarter(scale, counts):  # 886
    assert setup_counts(RULES, 12, scale).value == counts


def test_the_healing_table_answers_a_call():
    assert script(heal(RULES, "PBD", 12), [LOW]).outcome == 1
    assert script(heal(RULES, "MBD", 12), [HIGH]).outcome == 0
    assert script(heal(RULES, "PBD", 12, 3), [(50,)]).outcome == 1  # 13 with the rolls before, 10 without
    assert script(heal(RULES, "PBD", 12), [(50,)]).outcome == 0


def test_height_is_rounded_as_the_ruling_says():
    assert script(roll_size(RULES, 100, 5), [(6, 6)]).outcome == 101  # 100.5
    assert script(roll_size(under(size_rounding="down"), 100, 5), [(6, 6)]).outcome == 100
