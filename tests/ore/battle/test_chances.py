"""The chance beside an option of a battle is the round played on, with everybody else's dice: counted again by enumeration."""

from collections import Counter
from itertools import product

import pytest
from conformance.counting import checked
from msgspec.structs import replace

from rulewright.dice.reading import weights_of
from rulewright.play import Choice, Seeded
from rulewright.scenes.encounter import Encounter
from rulewright.systems.ore.battle.scene import BattleScene
from rulewright.systems.ore.battle.tactics import ace
from rulewright.systems.ore.battle.volleys import Widths
from rulewright.systems.ore.machines.vehicle import Gun
from rulewright.systems.ore.people.characters import Statistics
from rulewright.systems.ore.pursuit.scene import PursuitScene
from rulewright.systems.ore.resolution.readings import Thrown
from rulewright.systems.ore.settings import BOOK

from .meeting import aboard, battle, car, jet, pilot, played, under_way

SIX = BOOK.ruleset(settings={"six-sided-dice": True, "aboard-a-wreck": "unhurt"})
MOST = 6_000


def small(*positions, **more):
    """Two jets whose pilots roll three dice at most; Ann declares last where Bob has no Position."""
    ann = pilot("Ann", rating=1, skills={"gunnery": 1})
    bob = pilot("Bob", rating=1, skills={"gunnery": 1})
    craft = jet(handling=2, speeds={"air": 2}, sensors=2, weapons=(Gun("cannon", 1), Gun("missile", 2, "BVR", 2)), **more)
    state = battle([(craft, "One"), (ann, "Ann", aboard("One"))], [(craft, "Two"), (bob, "Bob", aboard("Two"))], SIX)
    return under_way(state, Two=(0, 0))


def asked_for(scene, state, who, decide):
    """The encounter at the moment at which somebody declares, and the place of the question."""
    encounter, dice = Encounter.begin(scene, state, "chances"), Seeded(1)
    while True:
        at, request = encounter.open[0]
        if isinstance(request, Choice) and request.who == who and request.topic == "act":
            return encounter, at
        encounter.advance(dice, decide)


def does(**keys):
    """Everybody who is named declares one thing, whoever else as an ace would."""
    return lambda choice: keys[choice.who] if choice.topic == "act" and keys.get(choice.who) in set(choice.keys()) else ace(choice)


def held(state, who, decide, *keys, scene=BattleScene):
    encounter, at = asked_for(scene(SIX), state, who, decide)
    options = [option for option in encounter.open[0][1].options if option.key in keys]
    assert len(options) == len(keys)
    return checked(encounter, at, decide, options, MOST)


@pytest.mark.parametrize(
    ("answer", "keys"),
    [
        ("pass", ["attack:Two", "position", "attack+jink:Two"]),
        ("jink", ["attack:Two", "lock-on:Two"]),
        ("chase:One", ["chase:Two", "escape"]),
        ("escape", ["attack:Two", "chase:Two", "escape"]),
        ("position", ["attack:Two", "ram:Two"]),
        ("evasive manoeuvres", ["attack:Two", "lock-on:Two"]),
        ("attack:One", ["attack:Two", "jink", "position", "brake"]),
        ("attack+jink:One", ["attack:Two", "jink"]),
    ],
)
def test_an_order_is_weighed_with_what_the_other_has_declared(answer, keys):
    assert held(small(), "Ann", does(Bob=answer), *keys) == len(keys)


def test_whoever_is_not_attacked_has_nothing_beside_a_guard():
    assert not held(small(), "Ann", does(Bob="position"), "jink")


def crowd(*more):
    """A pilot with two dice, and others."""
    craft = jet(handling=1, speeds={"air": 1}, sensors=1, weapons=(Gun("cannon", 1),))
    people = {name: pilot(name, rating=1, skills={"gunnery": 1}) for name in ("Ann", "Eve", "Bob")}
    ours = [(craft, "One"), (people["Ann"], "Ann", aboard("One")), (craft, "Three"), (people["Eve"], "Eve", aboard("Three"))]
    state = battle(ours, [(craft, "Two"), (people["Bob"], "Bob", aboard("Two")), *more], SIX)
    return under_way(state, One=(2, 2), Two=(0, 0), Three=(0, 0))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("friend", "foe"), [("attack:Two", "jink"), ("attack:Two", "attack:One"), ("attack:Two", "position"), ("chase:Two", "escape")]
)
def test_what_friends_do_to_the_same_target_is_weighed_with_it(friend, foe):
    assert held(crowd(), "Ann", does(Bob=foe, Eve=friend), "attack:Two", "position", "chase:Two") == 3


def test_a_pursuit_is_weighed_by_its_own_end():
    state = small()
    hunted = replace(state, field=replace(state.field, quarry="us"))
    assert held(hunted, "Ann", does(Bob="chase:One"), "escape", "bail out", scene=PursuitScene) == 2


@pytest.mark.parametrize("dice", [2, 5])
@pytest.mark.parametrize("difficulty", [1, 3])
def test_the_widths_of_a_volley_weigh_what_its_faces_come_to(dice, difficulty):
    reading = Widths(Thrown(dice, (0,) * 6, difficulty))
    counted = Counter(reading.read(faces) for faces in product(range(1, 7), repeat=dice))
    assert dict(weights_of(reading)) == dict(counted)


def test_a_round_under_way_is_played_by_the_tactics():
    cars = battle(
        [(car(), "One"), (pilot("Ann", "drive", statistics=Statistics(body=3)), "Ann", aboard("One"))],
        [(car(), "Two"), (pilot("Bob", "drive"), "Bob", aboard("Two"))],
        mode="land",
    )
    after, told = played(under_way(cars), ["pass", "pass"])
    assert after.round == 2
    assert told[0] == "Round 2: Ann, Bob"
