"""People with sheets, plans and effects for tests of time between scenes in ForeSight."""

from msgspec.structs import replace

from foresight.amy import AMY
from foresight.downtime.test_wounds import FORESIGHT
from rulewright.campaign.activities.plan_text import Around, read_assignment, read_effect
from rulewright.campaign.downtime import Downtime, Location, Participant, SheetTest
from rulewright.play import Player, Seeded, script
from rulewright.scenes.scene import run

RULES = FORESIGHT.book.ruleset(settings={"downtime": True})
GAME = FORESIGHT.downtime
SCENE = FORESIGHT.staging("downtime").scene(RULES)
SURE = SheetTest("sure", "Sure", "20 x 15")


def person(*doing, character=AMY, name="Ana", runs=(), means=(), tests=(SURE,)):
    life = GAME.of(RULES, character, name)
    owned = tuple(sorted(GAME.owned(RULES, character).items()))
    return Participant(name, life, runs=runs, doing=doing, means=means, owned=owned, tests=tests, location="here")


def time(span, *people, stops=(), **figures):
    return Downtime(0, 0, span, people, (Location.of("here", **figures), Location("there")), stops=stops)


def plan(do, hours=None, **given):
    given = {name.replace("_", " "): value for name, value in given.items()}
    return read_assignment(RULES, SCENE.activities, do, given, hours, Around(("Ana", "Ben", "Cleo"), ("here", "there"), {"sure": "sure"}))


def effect(of, hidden=False, **given):
    given = {name.replace("_", " "): value for name, value in given.items()}
    return read_effect(RULES, GAME, of, given, hidden)


def played(state, *dice, seed=None):
    """The downtime played to its end with these rolls, in order, or with random ones."""
    procedure = run(SCENE, state)
    return Player(Seeded(seed)).run(procedure) if seed is not None else script(procedure, [(die,) for die in dice]).outcome


def ana(state):
    return state.people[0]


def waits(state):
    return SCENE.schedule(state)["Ana"][0][1]


def learnt(state):
    return [(entry.entry, dict(entry.fields)) for entry in ana(state).learnt]


def with_log(*entries, character=AMY):
    return replace(character, experience=(*character.experience, *entries))
