"""The rounds of a battle: set-up, declaration, initiative, activation, interrupts, Command Points, speeds."""

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Choice, Player, ScriptedFaces, Seeded, script
from rulewright.systems.silhouette.battle.actions.base import COSTS, Deed, action_cost
from rulewright.systems.silhouette.battle.actions.registry import action_of, options_of
from rulewright.systems.silhouette.battle.command import give_orders, leadership_points, out_of_turn, points_left_over, succeed
from rulewright.systems.silhouette.battle.declarations import declare
from rulewright.systems.silhouette.battle.movement.declared_speed import announce
from rulewright.systems.silhouette.battle.movement.movement import Somewhere, capacity_of, dragging, go, points_left, points_of
from rulewright.systems.silhouette.battle.rounds import act, activate, end_round, initiative, set_up, stated_movement, who_decides
from rulewright.systems.silhouette.breakage.events import Struck
from rulewright.systems.silhouette.gunnery.attacks import can_command, most_points, pace_now
from rulewright.systems.silhouette.machines.design.crews import crew_actions
from rulewright.systems.silhouette.machines.vehicle import Device, Link, Movement
from rulewright.systems.silhouette.units.crews import actions_left, actions_of, extra_actions
from rulewright.systems.silhouette.units.state import Place
from silhouette.battles import RULES, battle, hexes, unit, vehicle

PAIR = unit("One", at=(5, 9)), unit("Two", "blue", (5, 5), facing=3)


def keys(scene, name):
    return [option.key for option in options_of(RULES, scene, scene.unit(name))]


def move(scene, name, spot, facing=None, faces=(), choices=()):
    one = scene.unit(name)
    return script(go(RULES, scene, one, Deed(kind="move", spot=spot, facing=facing)), faces, choices)


# --- actions --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("crew", "actions"), [(1, 2), (2, 3), (3, 3), (4, 4), (8, 5), (16, 6), (32, 7), (64, 8), (128, 9), (256, 10), (512, 11)]
)
def test_a_crew_has_two_actions_and_one_more_for_every_doubling(crew, actions):
    """Lines 4281-4290."""
    assert crew_actions(RULES, crew).value == actions


def test_one_crewman_with_three_actions_is_at_minus_1_and_with_four_at_minus_2():
    """Line 4275."""
    assert [extra_actions(2, extra).value for extra in (0, 1, 2)] == [0, -1, -2]
    assert [actions_of(RULES, unit(extra=extra)).value for extra in (0, 1, 2)] == [2, 3, 4]


def test_casualties_and_stuns_cost_actions_and_nobody_able_has_none():
    four = unit(design=vehicle(crew=4))
    assert actions_left(RULES, four) == 4
    assert actions_left(RULES, replace(four, crew=replace(four.crew, lost=2))) == 3
    assert actions_left(RULES, replace(four, stunned=1, used=2)) == 1
    gone = replace(four, crew=replace(four.crew, lost=4))
    assert (actions_of(RULES, gone).value, gone.able) == (0, False)


PRINTED = {
    "use one system": 1,
    "use one linked set of systems": 1,
    "one crewman embarks or disembarks": 1,
    "one physical attack": 1,
    "active sensor sweep": 1,
    "ECM or ECCM for the round": 1,
    "forward observing": 1,
    "Leadership for Command Points": 1,
    "voluntary ejection": 1,
    "switch weapon mode or ammunition feed": 1,
    "anti-missile fire": 0,
    "movement, turning, speed shift, defense": 0,
}


def test_what_costs_an_action():
    assert {activity: action_cost(RULES, activity) for activity in PRINTED} == PRINTED
    assert COSTS.get(RULES, "evasive maneuvers").actions is None


# --- set-up and initiative ------------------------------------------------------------------------------------------------------


def test_each_side_tests_combat_sense_a_tie_is_rolled_again_and_tactical_points_are_its_complexity():
    scene = battle(*PAIR, phase="set-up", round=0)
    after = script(set_up(RULES, scene), [(4, 3), (4, 2), (5, 1), (3, 2)]).outcome
    assert [command.tactical for command in after.commands] == [1, 1]
    assert (after.phase, after.round) == ("declaration", 1)


def test_who_is_attacked_before_the_first_move_defends_by_the_speed_that_was_stated():
    assert [stated_movement(4, 8, speed).value for speed in ("stationary", "combat", "top")] == [0, 4, 8]
    scene = battle(PAIR[0], replace(PAIR[1], speed="top"), phase="set-up", round=0)
    after = script(set_up(RULES, scene), [(5, 1), (3, 2)]).outcome
    assert [one.last for one in after.units] == [4, 8]


def test_the_side_with_fewer_groups_says_who_plays_first_and_else_the_winner():
    assert who_decides({"red": 2, "blue": 1}, "red") == "blue"
    assert who_decides({"red": 2, "blue": 2}, "red") == "red"


def test_two_units_test_piloting_and_more_test_leadership():
    rolled = script(initiative(RULES, battle(*PAIR, phase="initiative")), [(5, 1), (3, 2)], ["first red"]).rolls
    assert {roll.roll.what for roll in rolled} == {"initiative (Piloting)"}
    three = battle(*PAIR, unit("Three", "blue", (7, 5)), phase="initiative")
    rolled = script(initiative(RULES, three), [(5, 1), (3, 2)], ["no", "first red"]).rolls
    assert {roll.roll.what for roll in rolled} == {"initiative (Leadership)"}


def test_a_commander_s_margin_against_1_is_command_points_for_others():
    scene = battle(PAIR[0], unit("Friend", at=(6, 9)), PAIR[1], phase="initiative")
    after = script(give_orders(RULES, scene), [(5, 2)], ["yes"]).outcome
    assert after.command("red").leadership == 4
    assert after.unit("One").used == 1
    assert leadership_points(4).value == 4
    assert points_left_over(4, 1).value == 3
    assert can_command(after, after.unit("Friend"))
    assert not can_command(after, after.unit("One"))  # the leader does not use what Leadership gave
    fumbled = script(give_orders(RULES, scene), [(1, 1)], ["yes"]).outcome
    assert fumbled.command("red").leadership == 0


def test_nobody_gets_more_points_in_a_turn_than_the_commander_s_level_or_without_a_radio():
    scene = battle(unit("One", at=(5, 9), level=2), unit("Friend", at=(6, 9)), PAIR[1])
    scene = scene.put_command(replace(scene.command("red"), leadership=5))
    assert most_points(scene, "red") == 2
    assert not can_command(scene, replace(scene.unit("Friend"), received=2))
    deaf = scene.unit("Friend")
    assert not can_command(scene, replace(deaf, wear=replace(deaf.wear, auxiliaries=(5,))))


def test_a_command_point_is_two_on_the_defense_or_an_action_or_a_turn():
    scene = battle(*PAIR)
    scene = scene.put_command(replace(scene.command("blue"), tactical=1))
    fire = next(option.value for option in options_of(RULES, scene, scene.unit("One")) if option.value.kind == "fire")
    scene = scene.change("One", pace="combat")
    played = script(action_of("fire").do(RULES, scene, scene.unit("One"), fire), [(6, 2), (5, 1)], ["single", "yes"])
    assert played.outcome.command("blue").tactical == 0
    assert "Command Point" in [term.label for term in played.events[-1].reasons()[1].terms]
    tired = scene.put(replace(scene.unit("Two"), used=2))
    assert "one more action" in keys(tired, "Two")
    more = script(action_of("order").do(RULES, tired, tired.unit("Two"), Deed(kind="order"))).outcome
    assert actions_left(RULES, more.unit("Two")) == 1
    called = script(out_of_turn(RULES, scene, "red"), choices=["call Two"]).outcome
    assert called.active == "Two"
    assert called.command("blue").tactical == 0


def test_who_acted_out_of_turn_does_not_move_again_but_keeps_the_actions_left():
    scene = battle(*PAIR, turn="red", active="Two")
    after = script(act(RULES, scene), choices=["done"]).outcome
    two = after.unit("Two")
    assert (two.done, two.moved, points_left(after, two), actions_left(RULES, two)) == (False, True, 0, 2)


def test_another_with_leadership_follows_a_commander_who_falls():
    scene = battle(*PAIR, unit("Next", at=(6, 9)))
    fallen = scene.put(replace(scene.unit("One"), wear=replace(scene.unit("One").wear, destroyed="overkill")))
    assert succeed(fallen).command("red").commander == "Next"
    alone = battle(*PAIR)
    assert succeed(alone.put(replace(PAIR[0], gone=True))).command("red").commander == ""


# --- declaration and activation -------------------------------------------------------------------------------------------------


def test_extra_actions_and_evasion_are_declared_by_all_at_once():
    after = script(declare(RULES, battle(*PAIR, phase="declaration")), choices=["extra 1", "evade"]).outcome
    assert (after.unit("One").extra, actions_left(RULES, after.unit("One"))) == (1, 3)
    assert (after.unit("Two").evading, actions_left(RULES, after.unit("Two"))) == (True, 0)


def test_groups_are_activated_by_turns_and_the_rest_one_after_the_other():
    units = [unit(f"R{n}", "red", (n, 9), group=f"g{n}") for n in (1, 2, 3)] + [unit("B", "blue", (5, 2))]
    scene, order = battle(*units, turn="red"), []

    def decide(choice):
        return "done" if choice.topic == "act" else choice.keys()[0]

    player = Player(Seeded(1), decide)
    while scene.round == 1:
        scene = player.run(act(RULES, scene) if scene.active else activate(RULES, scene))
        if scene.active and scene.active not in order:
            order.append(scene.active)
    assert order == ["R1", "B", "R2", "R3"]


def test_a_round_s_end_takes_what_was_not_used_and_keeps_the_speed_that_was_declared():
    one = unit("One", spent=4, hexes=3, used=2, extra=1, owed=1, shifting="top", moved=True, done=True, hit_by=("Two",))
    scene = battle(one, PAIR[1])
    scene = scene.put_command(replace(scene.command("red"), tactical=1, leadership=2))
    after = script(end_round(RULES, scene)).outcome
    now = after.unit("One")
    assert (now.speed, now.last, now.hexes, now.used, now.extra, now.stunned, now.owed, now.hit_by) == ("top", 3, 0, 0, 0, 1, 0, ())
    assert (after.command("red").tactical, after.command("red").leadership) == (1, 0)
    assert points_of(after, now) == 8


# --- moving ---------------------------------------------------------------------------------------------------------------------


def test_moving_takes_movement_points_and_counts_hexes():
    after = move(battle(*PAIR), "One", (5.0, 7.0), choices=["let it pass"]).outcome.unit("One")
    assert (after.spot, after.spent, after.hexes, after.facing, after.moved) == ((5.0, 7.0), 2, 2, 0, True)


def test_who_fires_first_says_how_fast_it_goes_and_keeps_to_it():
    scene = battle(*PAIR, active="One")
    told = script(announce(RULES, scene, scene.unit("One")), choices=["half"]).outcome
    assert points_left(told, told.unit("One")) == 2
    still = script(announce(RULES, scene, scene.unit("One")), choices=["stationary"]).outcome
    assert points_left(still, still.unit("One")) == 0
    assert script(announce(RULES, told, told.unit("One"))).outcome == told


def test_top_speed_is_shifted_to_after_all_points_and_then_must_be_used():
    scene = battle(replace(PAIR[0], spent=4, hexes=4, points=4, moved=True), PAIR[1])
    assert "shift to top" in keys(scene, "One")
    shifted = script(action_of("shift").do(RULES, scene, scene.unit("One"), Deed(kind="shift", what="top"))).outcome
    assert pace_now(shifted, shifted.unit("One")) == "top"
    fast = battle(replace(PAIR[0], speed="top"), PAIR[1])
    assert "done" not in keys(fast, "One")
    where = Somewhere(RULES, fast, "One")
    with pytest.raises(UserError, match="must use 5 to 8"):
        where.take("@5,7")
    assert where.take("@5,3").spot == (5.0, 3.0)


def test_places_are_taken_as_written_and_refused_with_a_reason():
    where = Somewhere(RULES, battle(*PAIR), "One")
    assert where.take("@5,7/1") == Deed(kind="move", spot=(5.0, 7.0), facing=1)
    assert where.take("back@5,10").what == "back"
    for wrong, why in (
        ("@5,4", "cannot reach"),
        ("@5.5,7", "whole column"),
        ("@50,7", "off the map"),
        ("run@5,7", "not a way"),
        ("@5,7/9", "a facing"),
    ):
        with pytest.raises(UserError, match=why):
            where.take(wrong)
    with pytest.raises(UserError, match="backward with"):
        where.take("back@5,12")


def test_the_way_to_move_changes_once_a_round_and_its_points_stay():
    design = vehicle(movement=(Movement("ground", 14), Movement("walker", 10)))
    scene = battle(unit("One", at=(5, 9), design=design, spent=4, points=7, way="ground"), PAIR[1])
    assert "change to walker" in keys(scene, "One")
    after = script(action_of("change way").do(RULES, scene, scene.unit("One"), Deed(kind="change way", what="walker"))).outcome
    one = after.unit("One")
    assert (one.way, points_left(after, one)) == ("walker", 3)
    assert "change to ground" not in keys(after, "One")
    rested = script(end_round(RULES, after)).outcome
    assert points_of(rested, rested.unit("One")) == 5


def test_an_interrupt_comes_at_a_point_of_the_way_and_the_mover_defends_with_its_whole_allocation():
    """Line 4352."""
    scene = battle(unit("One", at=(5, 9), facing=0), unit("Two", "blue", (5, 5), facing=3, pace="stationary"))
    played = move(scene, "One", (5.0, 7.0), faces=[(2, 1), (4, 1)], choices=["fire gun:One", "at 1", "single", "let it pass"])
    struck = next(event for event in played.events if isinstance(event, Struck))
    assert struck.attacker == "Two"
    defense = struck.reasons()[1]
    assert ("4 Movement Points allotted", -1) in [(term.label, term.value) for term in defense.terms]
    assert played.outcome.unit("Two").used == 1
    assert played.outcome.unit("One").spot == (5.0, 7.0)


def test_an_attacker_fires_again_only_after_the_mover_went_on():
    scene = battle(unit("One", at=(5, 9), facing=0), unit("Two", "blue", (5, 5), facing=3, pace="stationary"))
    asked = []

    def decide(choice: Choice):
        keys = choice.keys()
        asked.append((choice.topic, keys))
        return next((key for key in keys if key.startswith(("fire", "at "))), keys[0])

    after = Player(Seeded(3), decide).run(go(RULES, scene, scene.unit("One"), Deed(kind="move", spot=(5.0, 7.0), facing=0)))
    assert after.unit("Two").used == 2
    assert [topic for topic, _ in asked] == ["act", "point", "manner", "act", "manner"]


def test_who_is_destroyed_on_the_way_goes_no_farther():
    scene = battle(unit("One", at=(5, 9), facing=0), unit("Two", "blue", (5, 5), facing=3, pace="stationary", level=3))
    played = move(scene, "One", (5.0, 7.0), faces=[(6, 6, 6), (1, 1), (1,)], choices=["fire gun:One", "at 1", "single"])
    one = played.outcome.unit("One")
    assert (one.destroyed, one.spot) == (True, (5.0, 8.0))


def test_a_hard_turn_at_top_speed_may_skid_or_crash():
    fast = replace(PAIR[0], speed="top", turns=3)
    scene = battle(fast, unit("Two", "blue", (15, 15), used=9))
    skids = move(scene, "One", (7.0, 4.0), faces=[(2, 2)]).outcome.unit("One")
    assert skids.spot != (7.0, 4.0)
    crash = move(scene, "One", (7.0, 4.0), faces=[(1, 1), (2,), (3,)]).outcome
    assert crash.unit("One").wear.armor == 1
    assert points_left(crash, crash.unit("One")) == 0


def test_who_skids_into_somebody_rams_them():
    fast = replace(PAIR[0], speed="top", turns=3, hexes=6)
    wall = unit("Wall", at=(5, 8), used=9, design=vehicle(size=25))
    scene = battle(fast, wall, unit("Two", "blue", (15, 15), used=9))
    deed = Deed(kind="move", spot=(10.0, 6.0))
    dice = ScriptedFaces([(2, 2), (6, 5), (1, 1), *[(3,)] * 6])
    player = Player(dice, lambda choice: choice.keys()[0])
    player.run(go(RULES, scene, scene.unit("One"), deed))
    told = [event.headline() for event in player.events]
    assert "One skids into Wall for 1 Movement Point" in told
    assert any(words.startswith("Wall collides: ") for words in told)
    assert any(words.startswith("One collides: ") for words in told)


def test_a_stuck_friend_is_towed_by_mass_and_comes_along():
    stuck = unit("Wreck", at=(5, 9), design=vehicle(movement=(Movement("ground", 6),)))
    stuck = replace(stuck, wear=replace(stuck.wear, failed=("ground",)))
    scene = battle(PAIR[0], stuck, PAIR[1])
    assert "tow Wreck" in keys(scene, "One")
    after = script(action_of("tow").do(RULES, scene, scene.unit("One"), Deed(kind="tow", target="Wreck"))).outcome
    assert capacity_of(after.unit("One")).value == after.unit("Wreck").machine.mass
    assert dragging(after, after.unit("One")) == "half"
    assert points_left(after, after.unit("One")) == 2
    moved = move(after, "One", (5.0, 8.0), choices=["let it pass"]).outcome
    assert moved.unit("Wreck").spot == (5.0, 8.0)
    assert "let go Wreck" in keys(moved, "One")


def test_jumps_are_offered_where_gravity_lets_them_matter():
    scene = battle(replace(PAIR[0], spent=4, points=4, hexes=4, moved=True), unit("Two", "blue", (1, 1)), place=Place(gravity=0.05))
    assert "jump 1" in keys(scene, "One")
    assert not any(key.startswith("jump") for key in keys(replace(scene, place=Place()), "One"))
    deed = Deed(kind="jump", number=1, spot=(5.0, 8.0))
    lands = script(action_of("jump").do(RULES, scene, scene.unit("One"), deed), [(6, 2)]).outcome.unit("One")
    assert (lands.spot, lands.hexes, lands.jumped) == ((5.0, 8.0), 5, True)
    short = script(action_of("jump").do(RULES, scene, scene.unit("One"), deed), [(1, 1)]).outcome.unit("One")
    assert (short.spot, short.jumped, short.wear.armor) == ((5.0, 9.0), True, 0)  # Size 6 less 1 by a speed of 4 does nothing to Armor 15


def test_a_link_fires_until_the_first_miss_and_uses_the_ammunition_of_all():
    guns = (Device("left gun", damage=10, range=3, uses=5), Device("right gun", damage=10, range=3, uses=5))
    one = unit("One", at=(5, 9), design=vehicle(systems=guns, links=(Link("pair", ("left gun", "right gun")),)), pace="combat")
    scene = battle(one, PAIR[1])
    assert "link pair:Two" in keys(scene, "One")
    played = script(action_of("link").do(RULES, scene, one, Deed(kind="link", target="Two", what="pair")), [(2, 1), (5, 4)])
    after = played.outcome.unit("One")
    assert ([arm.left for arm in after.arms], after.used) == ([(4,), (4,)], 1)


def test_a_smart_system_fires_once_a_round_by_itself_with_its_own_skill():
    guard = vehicle(systems=(Device("guard gun", damage=5, range=3, perks=("smart 3",)),))
    one = unit("One", at=(5, 9), design=guard, used=2, pace="combat")
    scene = battle(one, PAIR[1])
    assert "fire guard gun by itself:Two" in keys(scene, "One")
    assert "fire guard gun:Two" not in keys(scene, "One")
    deed = next(option.value for option in options_of(RULES, scene, one) if option.value.kind == "fire")
    played = script(action_of("fire").do(RULES, scene, one, deed), [(4, 2, 1), (6, 5)], ["single"])
    assert played.outcome.unit("One").used == 2
    assert len(played.rolls[0].faces) == 3
    assert "fire guard gun by itself:Two" not in keys(played.outcome, "One")


def test_off_the_edge_of_the_map_a_unit_is_gone():
    scene = battle(unit("One", at=(5, 1), facing=0), PAIR[1], ground=hexes(size=(10, 10)))
    assert "leave the field" in keys(scene, "One")
    after = script(action_of("leave").do(RULES, scene, scene.unit("One"), Deed(kind="leave"))).outcome
    assert not after.unit("One").able
