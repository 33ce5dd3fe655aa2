"""Tactics send crew to a body of a large machine where nobody is left, and only there (book lines 3808-3810)."""

import pytest
from msgspec.structs import replace

from rulewright.play import Choice, Player, ScriptedFaces, script
from rulewright.scenes.scenarios import Placed
from rulewright.systems.silhouette.battle.actions.base import About
from rulewright.systems.silhouette.battle.actions.registry import action_of, options_of
from rulewright.systems.silhouette.battle.rounds import end_round
from rulewright.systems.silhouette.battle.setup.setup import placed
from rulewright.systems.silhouette.battle.tactics.crew import hands_over, wise_crossing
from rulewright.systems.silhouette.battle.tactics.tactics import BATTLE_TACTICS
from rulewright.systems.silhouette.machines.design.crews import crew_actions
from rulewright.systems.silhouette.machines.vehicle import Body, Device, Movement
from rulewright.systems.silhouette.maneuver.speeds import combat_speed
from rulewright.systems.silhouette.units.crews import actions_left
from silhouette.battles import RULES, battle, unit, vehicle

GUN = Device("long gun", damage=12, range=5, uses=30, arc="turret")
TURRET = Body(name="turret", size=12, armor=24, maneuver=-5, crew=4, systems=(GUN,))
STORE = Body(name="store", size=12, armor=24, maneuver=-5, crew=4)
DRIVE = Body(name="drive", size=20, armor=24, maneuver=-5, crew=2, motive=True, movement=(Movement("ground", 8),))
FORT = vehicle(
    name="Fort",
    size=28,
    mass=300_000,
    armor=40,
    maneuver=-5,
    crew=4,
    movement=(Movement("ground", 8),),
    sections=(TURRET, STORE, DRIVE),
    systems=(GUN,),
)


def scene(*emptied, **crews):
    """A fort with three sections, some of them with nobody left; a name with a number has so many."""
    empty = battle(unit("Two", "blue", (5, 2), facing=3, design=vehicle(systems=(GUN,))))
    found = placed(RULES, empty, Placed(name="Fort", side="red", character=FORT, at=(5, 5), state={"facing": 0}), ("blue", "red"))
    for name, hands in (*[(each, 0) for each in emptied], *crews.items()):
        own = found.unit(name if name == "Fort" else f"Fort's {name}")
        found = found.put(replace(own, crew=replace(own.crew, hands=max(4, hands), lost=max(4, hands) - hands)))
    return replace(found, commands=battle(unit("Fort"), unit("Two", "blue")).commands, active="Fort", turn="red")


def chosen(state, name="Fort"):
    one = state.unit(name)
    return wise_crossing(RULES, state, one, [option for option in options_of(RULES, state, one) if option.value.kind == "cross"])


def test_nobody_crosses_over_where_every_body_has_a_crew():
    assert [chosen(scene(), name) for name in ("Fort", "Fort's turret", "Fort's store", "Fort's drive")] == [None] * 4


@pytest.mark.parametrize(
    ("emptied", "key"),
    [
        (("turret",), "crew to Fort's turret"),
        (("store",), None),
        (("turret", "drive"), "crew to Fort's drive"),
    ],
)
def test_they_go_to_what_drives_before_what_fires_and_not_to_what_does_neither(emptied, key):
    assert chosen(scene(*emptied, Fort=5)) == key


def test_nobody_who_fires_goes_to_what_only_drives_unless_the_whole_stands_still_without():
    assert [chosen(scene("drive", Fort=crew)) for crew in (2, 3, 4, 5)] == [None, "crew to Fort's drive", None, "crew to Fort's drive"]
    state = scene("drive", Fort=4)
    stuck = state.put(replace(state.unit("Fort"), drawn=(1, 1_000_000)))
    assert combat_speed(stuck.unit("Fort")) == 0
    assert chosen(stuck) == "crew to Fort's drive"


def test_who_holds_a_place_needs_nobody_at_the_drive():
    state = scene("drive", Fort=5)
    one = state.unit("Fort")
    options = [option for option in options_of(RULES, state, one) if option.value.kind == "cross"]
    assert [wise_crossing(RULES, state, one, options, moves=moves) for moves in (True, False)] == ["crew to Fort's drive", None]


def test_the_controls_of_the_hull_come_before_all_else():
    assert chosen(scene("Fort", "turret", "drive"), "Fort's store") == "crew to Fort"


def test_who_is_alone_stays_and_where_nothing_is_left_to_fire_nobody_is_sent():
    assert chosen(scene("turret", Fort=1)) is None
    state = scene("turret")
    turret = state.unit("Fort's turret")
    assert chosen(state.put(turret.with_arm(0, replace(turret.arms[0], broken=True)))) is None


def test_as_many_go_as_give_both_the_most_actions_and_none_more():
    for own in range(1, 20):
        state = scene("turret", Fort=own)
        here, there = state.unit("Fort"), state.unit("Fort's turret")
        worth = {n: crew_actions(RULES, own - n).value + crew_actions(RULES, n).value for n in range(min(4, own - 1) + 1)}
        best = hands_over(RULES, state, here, there, 12)
        assert worth[best] == max(worth.values())
        assert all(worth[fewer] < worth[best] for fewer in range(best))


def test_a_tactic_sends_them_and_the_empty_turret_fires_again_the_round_after():
    state = scene("turret", Fort=4)
    fights = BATTLE_TACTICS["advance"]
    fort = state.unit("Fort")
    options = options_of(RULES, state, fort)
    assert fights(Choice("Fort", "What now?", options, About(RULES, state, "Fort"), "act")) != "crew to Fort's turret"  # it fires first
    state = state.change("Fort", used=actions_left(RULES, fort), points=0, pace="stationary")
    fort = state.unit("Fort")
    options = options_of(RULES, state, fort)
    key = fights(Choice("Fort", "What now?", options, About(RULES, state, "Fort"), "act"))
    assert key == "crew to Fort's turret"
    deed = next(option.value for option in options if option.key == key)
    played = Player(ScriptedFaces(()), fights).play(action_of("cross").do(RULES, state, fort, deed))
    after = played.outcome
    assert chosen(after) is None  # they are on their way
    assert actions_left(RULES, after.unit("Fort's turret")) == 0
    later = script(end_round(RULES, after)).outcome
    sent = later.unit("Fort's turret").crew.able
    assert sent == hands_over(RULES, state, fort, state.unit("Fort's turret"), deed.number) > 0
    assert actions_left(RULES, later.unit("Fort's turret")) == crew_actions(RULES, sent).value


def test_a_drive_that_has_hands_again_drives_from_the_next_round_on():
    state = scene("drive")
    still = script(end_round(RULES, state)).outcome
    assert combat_speed(still.unit("Fort")) < combat_speed(state.unit("Fort"))
    deed = next(option.value for option in options_of(RULES, still, still.unit("Fort")) if option.key == "crew to Fort's drive")
    sent = script(action_of("cross").do(RULES, still, still.unit("Fort"), deed), choices=[1]).outcome
    assert combat_speed(sent.unit("Fort")) == combat_speed(still.unit("Fort"))
    again = script(end_round(RULES, sent)).outcome
    assert combat_speed(again.unit("Fort")) == combat_speed(state.unit("Fort"))
