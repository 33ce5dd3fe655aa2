"""People and places of these tests, and time that passes for them."""

from rulewright.campaign.calendar import DAY
from rulewright.campaign.downtime import Downtime, Location, Participant
from rulewright.play import Seeded, play
from rulewright.scenes.scene import run
from rulewright.system import find
from rulewright.systems.silhouette.downtime.survivors import Survivor
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.harm.healing import Medic

SILHOUETTE = find("silhouette")
RULES = SILHOUETTE.book.ruleset()
HOSPITAL = Location.of("hospital", care="constant")
HOME = Location("home")


def person(place=HOME, name="Ana", exertion="", runs=(), medicine=0, attribute=0, load="", insomniac=False, **body):
    life = Survivor(Patient(name, **body), Medic(name, medicine, attribute), load, insomniac)
    return Participant(name, life, exertion, place.name, runs)


def began(seconds, *people, places=(HOSPITAL, HOME), rules=RULES, **more):
    return SILHOUETTE.staging("downtime").scene(rules), Downtime(0, 0, round(seconds), people, places, **more).checked()


def lived(days, *people, dice=None, **more):
    scene, state = began(days * DAY, *people, **more)
    return play(run(scene, state), dice=dice or Seeded(1))


def body(played, number=0):
    return played.outcome.people[number].life.body


def told(played):
    return [event.headline() for event in played.events if event.logged]
