"""Feats of people aboard vehicles (book lines 3338-3340, 3752-3786, 3960-3986, 4101-4107)."""

import pytest
from msgspec.structs import replace

from rulewright.play import Player, ScriptedChoices
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.systems.ore.battle.combatants import Order, Plan, Post
from rulewright.systems.ore.battle.dice import pressed
from rulewright.systems.ore.battle.feats import beyond_the_limit, cooled, redlined, spared
from rulewright.systems.ore.battle.rounds import attempted, next_step
from rulewright.systems.ore.battle.setup import begin
from rulewright.systems.ore.machines.vehicle import Gun, Vehicle
from rulewright.systems.ore.people.characters import Character, Statistics
from rulewright.systems.ore.resolution.tests import dice_in
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()
ANN = Post("Ann", "One", "pilot")


def pilot(name, feats=None, skill="pilot"):
    statistics = Statistics(body=3, coordination=3, insight=5)
    return Character(name, statistics=statistics, skills={skill: 5, "gunnery": 5, "spaceflight": 5, "physique": 5}, feats=feats or {})


def vehicle(mode="air", skill="pilot", **more):
    given = {"handling": 2, "size": 2, "speeds": {mode: 3}, "sensors": 3, "skill": skill, "weapons": (Gun("cannon", 1),), **more}
    return Vehicle("Craft", **given)


def meeting(feats, mode="air", skill="pilot", theirs=None, place=(), **more):
    """Ann with these feats in one vehicle, Bob in another; each has a Position."""
    members = [
        Placed(vehicle(mode, skill, **more), "One", "us", None, {}),
        Placed(pilot("Ann", feats, skill), "Ann", "us", None, {"aboard": "One", "seat": "pilot"}),
        Placed(vehicle(mode, skill, **more), "Two", "them", None, {}),
        Placed(pilot("Bob", theirs, skill), "Bob", "them", None, {"aboard": "Two", "seat": "pilot"}),
    ]
    scenario = Scenario("ore", "scenario", "test", {"us": [], "them": []}, place={"mode": mode, "range": "VR", **dict(place)})
    state = replace(begin(RULES, scenario, members), round=1)
    return state.change("One", position=(3, 5)).change("Two", position=(2, 5))


def dice(state, kind, target=""):
    return dice_in(RULES, attempted(RULES, state, ANN, Order(kind, target))[0].pool)


@pytest.mark.parametrize(
    ("feats", "kind", "target", "more"),
    [
        ({"Grab The Sky": 1}, "jink", "", 1),  # line 3974
        ({"Grab The Sky": 2}, "chase", "Two", 1),  # line 3976
        ({"Silent Death": 1}, "attack", "Two", 1),  # line 3776: Two is in the worse Position
        ({"Voidrunner": 4}, "jink", "", 0),  # a spacecraft it is not
    ],
)
def test_a_feat_gives_dice_in_the_air(feats, kind, target, more):
    assert dice(meeting(feats), kind, target) - dice(meeting({}), kind, target) == more


def test_nobody_gains_by_position_against_a_better_one():  # line 3776
    worse = meeting({"Silent Death": 1}).change("One", position=(1, 5))
    assert dice(worse, "attack", "Two") == dice(meeting({}), "attack", "Two")


def test_a_space_cowboy_handles_better():  # line 4107
    assert (
        dice(meeting({"Voidrunner": 4}, "relativistic", "spaceflight"), "jink")
        == dice(meeting({}, "relativistic", "spaceflight"), "jink") + 1
    )


def test_gunners_squish_and_positions_are_wider():  # lines 3782-3784
    state = meeting({"Silent Death": 4})
    assert attempted(RULES, state, ANN, Order("attack", "Two"))[0].pool.edge.squish
    assert attempted(RULES, state, ANN, Order("position"))[0].pool.edge.width == 1


def test_a_helicopter_in_good_hands():  # lines 3960-3970
    state = meeting({"Airwolf": 5}, hovers=True)
    tried, _ = attempted(RULES, state, ANN, Order("jink"))
    assert tried.pool.edge.squish
    assert tried.pool.expert == 1
    assert not attempted(RULES, meeting({"Airwolf": 5}), ANN, Order("jink"))[0].pool.edge.squish  # a jet is none
    rough = meeting({"Airwolf": 2}, hovers=True, place={"adverse": True})
    assert dice(rough, "take-off") == dice(meeting({}, hovers=True, place={"adverse": True}), "take-off") + 1
    from rulewright.systems.ore.battle.actions.registry import action_of

    assert not action_of(Order("hover")).needs_roll(RULES, state, ANN, Order("hover"))
    assert action_of(Order("hover")).needs_roll(RULES, meeting({}, hovers=True), ANN, Order("hover"))


def test_pilot_and_gunner_in_one():  # line 3780
    orders = (Order("attack", "Two"), Order("jink"))
    assert spared(RULES, meeting({"Silent Death": 2}), ANN, orders) == 1
    assert spared(RULES, meeting({}), ANN, orders) == 0


def test_a_shot_by_instinct():  # line 3786
    sensors = [attempted(RULES, meeting(feats), ANN, Order("lock-on", "Two"))[0].parts for feats in ({}, {"Silent Death": 5})]
    assert sum(points for _, points in sensors[1]) - sum(points for _, points in sensors[0]) == 5 - 3


@pytest.mark.parametrize("feats", [{"Grab The Sky": 3}, {"Voidrunner": 3}, {"Iron Constitution": 3}, {"Grab The Sky": 3, "Voidrunner": 3}])
def test_bodies_that_bear_more(feats):  # lines 3978, 4105, 3340
    fast = {"speeds": {"air": 6}}
    state, bare = (meeting(each, **fast) for each in (feats, {}))
    thrown = [replace(each, plans=(Plan(ANN, (Order("jink"),)),)).change("One", speed=6) for each in (state, bare)]
    lost = [pressed(RULES, each, ANN).value for each in thrown]
    assert lost[0] == lost[1] - 1


def test_a_powerslide_takes_the_skill_off_what_speed_asks():  # line 3758
    state = meeting({"You Are The Wheelman": 4}, "land", "drive", speeds={"land": 6}).change("One", speed=6)
    bare = meeting({}, "land", "drive", speeds={"land": 6}).change("One", speed=6)
    assert attempted(RULES, bare, ANN, Order("swerve"))[0].difficulty == 8
    assert attempted(RULES, state, ANN, Order("swerve"))[0].difficulty == 8 - 5


class Dice:
    """The dice that a test names, and ones for whatever a wreck does to those aboard."""

    def __init__(self, faces):
        self.left = list(faces)

    def faces(self, roll):
        return self.left.pop(0) if self.left else (1,) * len(roll.reading.sides())


def a_round(state, faces, choices):
    def go(now):
        now = yield from next_step(RULES, now)
        while now.phase != "begin":
            now = yield from next_step(RULES, now)
        return now

    done = Player(Dice(faces), ScriptedChoices(choices)).play(go(state))
    return done.outcome, [event.headline() for event in done.events if event.logged]


def test_bumpers_halve_what_an_impact_does():  # lines 3754-3756
    soft, hard = (meeting({}, "land", "drive", theirs=theirs) for theirs in ({"You Are The Wheelman": 3}, {}))
    marked = []
    for state in (hard, soft):
        n = dice(state, "ram", "Two")
        after, _ = a_round(state, [(4, 4, 1, 2, 3, 5, 6, 7)[:n]], ["pass", "ram:Two"])
        marked.append(after.craft("Two").hull.marked)
    assert marked[1] == marked[0] // 2


def test_trading_paint_leaves_the_other_on_the_edge():  # line 3760
    state = meeting({"You Are The Wheelman": 5}, "land", "drive", armour=5)
    n = dice(state, "sideswipe", "Two")
    after, log = a_round(state, [(4, 4, 4, 1, 2, 3, 5, 6)[:n]], ["pass", "sideswipe:Two"])
    assert after.craft("Two").harried == 3
    bob = Post("Bob", "Two", "pilot")
    m = dice_in(RULES, attempted(RULES, after, bob, Order("position"))[0].pool)
    _crashed, log = a_round(after, [tuple(range(1, m + 1))], ["position", "pass"])
    assert "Two goes out of control and crashes" in log
    held, _ = a_round(after, [(9, 9, 1, 2, 3, 4, 5, 6)[:m]], ["position", "pass"])
    assert held.craft("Two").harried == 0
    assert held.craft("Two").hull == after.craft("Two").hull


def test_an_engine_gives_more_than_it_can():  # lines 3984-3986
    state = meeting({"Grab The Sky": 5})
    assert beyond_the_limit(RULES, state, "One") == 1
    assert beyond_the_limit(RULES, meeting({}), "One") == 0
    first = Player(Dice([(5,)]), ScriptedChoices([])).play(redlined(RULES, state.change("One", speed=4), ANN)).outcome
    assert (first.craft("One").redline, first.craft("One").machine.handling) == (1, 2)
    second = Player(Dice([(7, 7)]), ScriptedChoices(["handling"])).play(redlined(RULES, first, ANN)).outcome
    assert (second.craft("One").redline, second.craft("One").machine.handling) == (2, 1)
    back = Player(Dice([]), ScriptedChoices([])).play(cooled(first, first.craft("One"))).outcome
    assert back.craft("One").speed == 3
    cool = Player(Dice([]), ScriptedChoices([])).play(cooled(back, back.craft("One"))).outcome
    assert cool.craft("One").redline == 0


def test_whoever_uses_the_helicopter_of_a_good_pilot_as_a_platform_has_a_die_more():  # line 3966
    def gunner_has(feats, hovers=True):
        members = [
            Placed(vehicle(hovers=hovers), "One", "us", None, {}),
            Placed(pilot("Ann", feats), "Ann", "us", None, {"aboard": "One", "seat": "pilot"}),
            Placed(pilot("Cid"), "Cid", "us", None, {"aboard": "One", "seat": "gunner"}),
            Placed(vehicle(), "Two", "them", None, {}),
            Placed(pilot("Bob"), "Bob", "them", None, {"aboard": "Two", "seat": "pilot"}),
        ]
        scenario = Scenario("ore", "scenario", "test", {"us": [], "them": []}, place={"mode": "air", "range": "VR"})
        state = replace(begin(RULES, scenario, members), round=1)
        cid, ann = Post("Cid", "One", "gunner"), Post("Ann", "One", "pilot")
        shot = attempted(RULES, state, cid, Order("attack", "Two"))[0].pool
        return dice_in(RULES, shot), dice_in(RULES, attempted(RULES, state, ann, Order("jink"))[0].pool)

    plain, flown = gunner_has({})
    assert gunner_has({"Airwolf": 3}) == (plain + 1, flown)  # the pilot has none for it
    assert gunner_has({"Airwolf": 2}) == (plain, flown)
    assert gunner_has({"Airwolf": 3}, hovers=False) == gunner_has({}, hovers=False)  # no helicopter
