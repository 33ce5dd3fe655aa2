"""People between scenes, for the tests of downtime."""

from rulewright.campaign.calendar import DAY
from rulewright.campaign.downtime import Downtime, Location, Participant
from rulewright.play import Seeded, play
from rulewright.scenes.scene import run
from rulewright.system import find
from rulewright.systems.ore.people.characters import Character, Owned, Statistics

ORE = find("ore")
RULES = ORE.book.ruleset()
CAMP = Location("camp")
HOSPITAL = Location("hospital")


def ruled(**settings):
    return ORE.book.ruleset(settings=settings)


def character(name="Ana", fast=0, **condition):
    advantages = (Owned("fast recovery", fast),) if fast else ()
    return Character(name, statistics=Statistics(body=3), advantages=advantages, condition=condition)


def participant(name="Ana", rules=RULES, exertion="", place=CAMP, fast=0, **condition):
    return Participant(name, ORE.downtime.of(rules, character(name, fast, **condition), name), exertion, place.name)


def doctor(name="Bo", rules=RULES, **condition):
    """Somebody with Psyche 3 and Medicine 4."""
    medic = Character(name, statistics=Statistics(psyche=3, body=3), skills={"medicine": 4}, condition=condition)
    return Participant(name, ORE.downtime.of(rules, medic, name), "", CAMP.name)


def lived(days, *people, rules=RULES, dice=None, places=(CAMP, HOSPITAL), **more):
    scene = ORE.staging("downtime").scene(rules)
    state = Downtime(0, 0, round(days * DAY), people, places, **more).checked()
    return play(run(scene, state), dice=dice or Seeded(1))


def body(played, number=0):
    return played.outcome.people[number].life.body


def told(played):
    return [event.headline() for event in played.events if event.headline()]
