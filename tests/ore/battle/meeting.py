"""Vehicles and people for tests of battles, and rounds played with known dice."""

from msgspec.structs import replace

from rulewright.play import script
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.systems.ore.battle import setup
from rulewright.systems.ore.battle.rounds import next_step
from rulewright.systems.ore.machines.vehicle import Gun, Hands, Vehicle
from rulewright.systems.ore.people.characters import Character, Statistics
from rulewright.systems.ore.settings import BOOK

PLAIN = BOOK.ruleset()


def pilot(name="Ann", skill="pilot", rating=3, **more):
    statistics = more.pop("statistics", Statistics(body=5, coordination=3, insight=2))
    skills = {skill: rating, "gunnery": 3, "athletics": 2, **more.pop("skills", {})}
    return Character(name, statistics=statistics, skills=skills, **more)


def jet(name="Jet", **more):
    given = {
        "handling": 3, "size": 2, "speeds": {"air": 3}, "sensors": 3, "skill": "pilot",
        "weapons": (Gun("cannon", 1),), **more,
    }  # fmt: skip
    return Vehicle(name, **given)


def car(name="Car", **more):
    return Vehicle(name, **{"handling": 2, "size": 1, "speeds": {"land": 3}, "skill": "drive", **more})


def warship(name="Ship", **more):
    given = {
        "handling": 1, "size": 3, "speeds": {"relativistic": 2}, "firepower": 6, "gunners": 4, "sensors": 3, "skill": "spaceflight",
        "weapons": (Gun("guns", 2),), "hands": Hands(2, 3, 2), **more,
    }  # fmt: skip
    return Vehicle(name, **given)


def battle(us, them, rules=PLAIN, begin=setup.begin, **place):
    """Two sides of (file, name, state), as they meet; the mode is that of the air where nothing is said."""
    sides = {"us": us, "them": them}
    members = []
    for side, listed in sides.items():
        for file, name, *state in listed:
            members.append(Placed(file, name, side, None, dict(*state)))
    scenario = Scenario("ore", "scenario", "test", {side: [] for side in sides}, place={"mode": "air", "range": "VR", **place})
    return begin(rules, scenario, members)


def aboard(craft, seat="pilot"):
    return {"aboard": craft, "seat": seat}


def duel(rules=PLAIN, us=None, them=None, **place):
    """Two jets with a pilot each."""
    ann, bob = pilot("Ann"), pilot("Bob")
    first = [(us or jet(), "One"), (ann, "Ann", aboard("One"))]
    return battle(first, [(them or jet(), "Two"), (bob, "Bob", aboard("Two"))], rules, **place)


def a_round(rules, state):
    """One whole round."""
    state = yield from next_step(rules, state)
    while state.phase != "begin":
        state = yield from next_step(rules, state)
    return state


def played(state, choices=(), faces=(), rules=PLAIN):
    """The battle after a round, and what was told."""
    done = script(a_round(rules, state), faces, choices)
    return done.outcome, [event.headline() for event in done.events if event.logged]


def under_way(state, **positions):
    """A battle after its first round has begun, with these Positions."""
    state = replace(state, round=1)
    for name, position in positions.items():
        state = state.change(name, position=position)
    return state
