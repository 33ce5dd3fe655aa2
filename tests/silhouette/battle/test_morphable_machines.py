"""Machines of morphable material in a battle: they change shape, take their own anew, and split (book lines 4032-4045)."""

import pytest
from msgspec.structs import replace

from rulewright.grammar import join
from rulewright.play import script
from rulewright.scenes.scenarios import Placed
from rulewright.systems.silhouette.battle.actions.registry import action_of, options_of
from rulewright.systems.silhouette.battle.aftermath import lasting, settle
from rulewright.systems.silhouette.battle.rounds import end_round
from rulewright.systems.silhouette.battle.scene import BattleScene
from rulewright.systems.silhouette.battle.setup.setup import placed
from rulewright.systems.silhouette.battle.tactics.evaluation import nearest_foes
from rulewright.systems.silhouette.battle.tactics.transform import wise_change
from rulewright.systems.silhouette.gunnery.attacks import shot, struck
from rulewright.systems.silhouette.machines.audit.audit import audit
from rulewright.systems.silhouette.machines.design.constructions import morphable
from rulewright.systems.silhouette.machines.design.costs import reckoned
from rulewright.systems.silhouette.machines.design.threat import threat
from rulewright.systems.silhouette.machines.vehicle import Body, Component, Device, Movement
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.wear import Slowed
from silhouette.battles import COMMS, RULES, battle, unit, vehicle

GUN = Device("gun", damage=20, range=5, uses=9)
RUIN = Device("ruin", damage=90, range=5, uses=9)
BALL = Body(name="Ball", size=9, armor=12, crew=2, movement=(Movement("ground", 16),), systems=(GUN,), perks=(COMMS,))
ONE = Component(name="drop", size=6, armor=10, locations=("crew", "structure"), movement=(Movement("walker", 8),), systems=(GUN,))
TWO = Component(name="puddle", size=6, armor=10, locations=("movement", "fire control", "auxiliary"), movement=(Movement("walker", 8),))
MERCURY = vehicle(name="Mercury", size=9, armor=20, crew=2, systems=(GUN,), forms=(BALL,), transformation="morphing", components=(ONE, TWO))
PARTS = ["Mercury's drop", "Mercury's puddle"]


def scene(design=MERCURY, **state):
    """A morphable machine, and somebody north of it who faces it."""
    empty = battle(unit("Two", "blue", (5, 2), facing=3, design=vehicle(systems=(GUN, RUIN))))
    found = placed(
        RULES, empty, Placed(name="Mercury", side="red", character=design, at=(5, 5), state={"facing": 0, **state}), ("blue", "red")
    )
    return replace(found, commands=battle(unit("Mercury"), unit("Two", "blue")).commands, active="Mercury", turn="red")


def worn(state, name="Mercury", armor=3):
    """The same with damage of every kind, a casualty and half the ammunition gone."""
    one = state.unit(name)
    wear = replace(one.wear, armor=armor, maneuver=2, slowed=(Slowed("walker", 1, 2),), failed=("ground",), compartment=True)
    arm = replace(one.arms[0], accuracy=2, broken=True, left=(4,))
    hurt = replace(one.with_arm(0, arm), wear=wear, crew=replace(one.crew, hands=3, lost=1))
    return state.put(replace(hurt, signs=replace(hurt.signs, jammed=(0,))))


def keys(state, name="Mercury"):
    return [option.key for option in options_of(RULES, state, state.unit(name))]


def do(state, key, name="Mercury"):
    option = {option.key: option for option in options_of(RULES, state, state.unit(name))}[key]
    return script(action_of(option.value.kind).do(RULES, state, state.unit(name), option.value))


def lines(played):
    return [event.headline() for event in played.events if event.logged]


def test_every_change_of_shape_takes_an_action_the_first_of_a_turn_too():
    state = scene()
    before = actions_left(RULES, state.unit("Mercury"))
    played = do(state, "change into Ball")
    assert lines(played) == ["Mercury changes into Ball"]
    assert actions_left(RULES, played.outcome.unit("Mercury")) == before - 1
    assert next(event for event in played.events if event.logged).reasons()[0].value == 1
    back = do(played.outcome, "change into Mercury").outcome
    assert actions_left(RULES, back.unit("Mercury")) == before - 2
    tired = state.change("Mercury", used=before)
    assert not [key for key in keys(tired) if key.startswith(("change", "come apart", "take shape"))]


def test_only_lost_armor_and_casualties_go_along_into_another_shape_and_what_was_fired_stays_fired():
    played = do(worn(scene()), "change into Ball")
    assert lines(played) == ["Mercury changes into Ball: all its damage except lost Armor is repaired"]
    ball = played.outcome.unit("Mercury")
    assert (ball.wear.armor, ball.wear.maneuver, ball.wear.slowed, ball.wear.failed, ball.wear.compartment) == (3, 0, (), (), False)
    assert (ball.arms[0].accuracy, ball.arms[0].broken, ball.arms[0].left, ball.signs.jammed) == (0, False, (4,), ())
    assert (ball.crew.lost, ball.way) == (1, "ground")


def test_it_takes_its_own_shape_anew_for_an_action_where_anything_is_damaged_besides_armor():
    assert "take shape anew" not in keys(scene())
    dented = scene()
    dented = dented.put(replace(dented.unit("Mercury"), wear=replace(dented.unit("Mercury").wear, armor=5)))
    assert "take shape anew" not in keys(dented)
    state = worn(scene())
    played = do(state, "take shape anew")
    assert lines(played) == ["Mercury re-forms: all its damage except lost Armor is repaired"]
    after = played.outcome.unit("Mercury")
    assert (after.wear.armor, after.crew.lost, after.arms[0].broken, after.machine.name) == (3, 1, False, "Mercury")
    assert actions_left(RULES, after) == actions_left(RULES, state.unit("Mercury")) - 1
    assert "take shape anew" not in keys(played.outcome)


def test_a_machine_that_only_transforms_keeps_its_damage_and_takes_no_shape_anew():
    state = worn(scene(replace(MERCURY, transformation="free", components=())))
    assert "take shape anew" not in keys(state)
    ball = do(state, "change into Ball").outcome.unit("Mercury")
    assert (ball.wear.maneuver, ball.arms[0].broken) == (2, True)


def test_what_cannot_form_moving_parts_keeps_its_guns_and_wheels_as_they_are():
    after = do(worn(scene(replace(MERCURY, transformation="simple morphing"))), "take shape anew").outcome.unit("Mercury")
    assert (after.arms[0].broken, after.wear.failed, after.wear.slowed, after.wear.maneuver) == (True, ("ground",), (), 0)


def test_a_change_that_goes_one_way_is_not_undone_in_a_battle():
    once = do(scene(replace(MERCURY, transformation="one-way", components=())), "change into Ball").outcome
    later = script(end_round(RULES, once)).outcome
    assert not [key for key in keys(later) if key.startswith("change into")]


@pytest.mark.parametrize("shape", ["Mercury", "Ball"])
def test_it_splits_from_any_shape_for_an_action_and_its_parts_are_sound_but_for_their_armor(shape):
    state = scene() if shape == "Mercury" else do(scene(), "change into Ball").outcome
    state = state.put(replace(state.unit(PARTS[0]), wear=replace(state.unit(PARTS[0]).wear, armor=2, maneuver=1)))
    before = actions_left(RULES, state.unit("Mercury"))
    played = do(state, "come apart")
    assert lines(played) == [f"Mercury splits into {join(PARTS)}"]
    drop = played.outcome.unit(PARTS[0])
    assert (drop.wear.armor, drop.wear.maneuver, drop.used) == (2, 0, state.unit("Mercury").used + 1)
    assert all(played.outcome.unit(name).able for name in PARTS)
    again = do(script(end_round(RULES, played.outcome)).outcome, "combine into Mercury", PARTS[0]).outcome
    assert (again.unit("Mercury").machine.name, again.unit("Mercury").used) == (shape, 1)
    assert before


def test_armor_that_the_parts_lose_is_lost_to_the_whole_as_well_and_told():
    apart = do(worn(scene()), "come apart").outcome
    drop = apart.unit(PARTS[0])
    shot_at = apart.put(replace(drop, wear=replace(drop.wear, armor=drop.wear.armor + 4), used=0))
    played = do(script(end_round(RULES, shot_at)).outcome, "combine into Mercury", PARTS[0])
    assert "Mercury loses 4 more Armor for the damage to its components" in lines(played)
    assert (played.outcome.unit("Mercury").wear.armor, played.outcome.unit("Mercury").wear.maneuver) == (7, 0)


def test_an_overkill_breaks_it_into_its_parts_by_the_rules_of_combiners():
    state = scene()
    found = shot(RULES, state, state.unit("Two"), state.unit("Mercury"), 1)
    played = script(struck(RULES, state, found, 1), [])
    assert f"Mercury splits into {join(PARTS)}" in lines(played)
    assert played.outcome.unit("Mercury").destroyed
    assert "combine into Mercury" not in keys(played.outcome, PARTS[0])


def test_after_the_battle_the_file_knows_its_armor_and_its_parts():
    ball = do(worn(scene()), "change into Ball").outcome
    over = script(settle(RULES, ball), [(1,)]).outcome
    kept = {field: lasts.value for field, lasts in lasting(over, "Mercury").items()}
    assert (kept["wear.armor"], kept["wear.maneuver"], kept["crew.lost"], kept["components.drop.wear.armor"]) == (3, 0, 1, 0)


def test_more_armor_lost_than_another_shape_has_is_shown_as_all_of_it_and_none_comes_back():
    ball = do(worn(scene(), armor=15), "change into Ball").outcome
    card = next(card for card in BattleScene(RULES).view(ball, "Mercury").cards if card.name == "Mercury")
    assert len(card.pieces[0].marks) == 12
    assert ball.unit("Mercury").lost_with(1) == 15
    assert BattleScene(RULES).checked(ball) == ball
    assert scene().unit("Mercury").lost_with(99) == 20


def test_tactics_take_shape_anew_where_the_only_gun_is_broken_and_not_for_a_scratch():
    def chosen(state):
        one = state.unit("Mercury")
        return wise_change(RULES, state, one, nearest_foes(RULES, state, one), options_of(RULES, state, one))

    design = replace(MERCURY, forms=(replace(BALL, systems=()),), components=())
    state = scene(design)
    one = state.unit("Mercury")
    assert chosen(state.put(one.with_arm(0, replace(one.arms[0], broken=True)))) == "take shape anew"
    assert chosen(state.put(one.with_arm(0, replace(one.arms[0], accuracy=1)))) is None


def test_its_worth_is_that_of_the_best_shape_or_of_all_its_parts_and_half_of_it_where_nothing_moves():
    best = threat(RULES, morphable(MERCURY)).value.value
    parts = sum([threat(RULES, each).value.value for each in MERCURY.components])
    assert reckoned(RULES, MERCURY).threat_value.value == max(best, parts) == best
    many = replace(MERCURY, components=tuple([replace(ONE, name=f"drop {at}", armor=30) for at in range(9)]))
    dear = 9 * threat(RULES, many.components[0]).value.value
    assert dear > best
    assert reckoned(RULES, many).threat_value.value == dear
    assert reckoned(RULES, replace(many, transformation="simple morphing")).threat_value.value == -(-dear // 2)
    cost = reckoned(RULES, many).pre_production.value
    assert reckoned(RULES, replace(many, transformation="simple morphing")).pre_production.value == pytest.approx(cost / 2, abs=1)


def test_forms_and_components_go_together_in_morphable_material_alone():
    said = "cannot also have components"
    assert not [problem for problem in audit(RULES, MERCURY).problems if said in problem.message]
    assert [problem for problem in audit(RULES, replace(MERCURY, transformation="free")).problems if said in problem.message]
