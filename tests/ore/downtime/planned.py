"""People who do things between scenes, for the tests of activities."""

from collections import Counter
from fractions import Fraction

from msgspec.structs import replace

from ore.downtime.survivors import ORE
from rulewright import campaign_people
from rulewright.campaign.activities.plan_text import read_assignment, read_effect
from rulewright.campaign.downtime import Downtime, Location
from rulewright.play import ScriptedFaces, Seeded, play, sub
from rulewright.play.odds import exact
from rulewright.scenes.scene import run
from rulewright.systems.ore.people.characters import Award, Character, Owned, PowerSet, Statistics

RULES = ORE.book.ruleset(settings={"auto-complete": True, "companies": "tiers"})
SCENE = ORE.staging("downtime").scene(RULES)
PLACES = (Location("here"), Location("there"))
NO_SET, PAIR = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10), (4, 4, 1, 2, 3, 5, 6, 7, 8, 9)
ADVANTAGES = (
    Owned("allies", first=3, second=2),
    Owned("contacts", first=2, second=2),
    Owned("staff", first=3, second=3),
    Owned("wealth", 3),
    Owned("estate", first=2, second=2),
    Owned("income", 3, attached="estate"),
    Owned("arcane apprentice", first=5, second=1, choice="meta-psychic"),
)
PSYCHIC = PowerSet("meta-psychic", 3, {"redaction": 3}, ("Mending", "Metamitosis", "Antitoxin", "Healthy Glow"))


def character(name="Ana", **changed):
    """Charm 3, Command 2, Psyche 3 and Engineering 3, with ties, money and powers."""
    given = {"statistics": Statistics(body=3, psyche=3, charm=3), "skills": {"engineering": 3, "medicine": 2}, "advantages": ADVANTAGES}
    given |= {"powers": (PSYCHIC,), "advancement": (Award(10),)}
    return Character(name, **{**given, **changed})


def planned(*lines, runs=(), who=None, others=(), location="here", rules=RULES):
    """A participant with a plan of `(activity, arguments)`, and effects of `(kind, arguments)`."""
    thing = who or character()
    names = [thing.name, *[other.name for other in others]]
    around = campaign_people.around(ORE, rules, thing, names, ("here", "there"))
    doing = tuple(read_assignment(rules, SCENE.activities, do, given, hours, around) for do, hours, given in map(split, lines))
    hidden = tuple(read_effect(rules, ORE.downtime, of, given, None) for of, given in runs)
    person = campaign_people.participant(ORE, rules, thing, thing.name, doing, hidden)
    return replace(person, location=location)


def split(line):
    do, given = line
    hours = given.pop("hours", 24) if isinstance(given, dict) else 24
    return do, hours, given


def lasting(span, *people, rules=RULES):
    """A state of downtime for these people."""
    return Downtime(0, 0, span, people, PLACES).checked()


def lived(span, *people, faces=(), rules=RULES):
    """The downtime played with these rolls, or with any."""
    scene = SCENE if rules is RULES else ORE.staging("downtime").scene(rules)
    return play(run(scene, lasting(span, *people)), dice=ScriptedFaces(list(faces)) if faces else Seeded(1))


def told(played):
    return [event.headline() for event in played.events if event.headline()]


def first(played):
    return played.outcome.people[0]


def chances(state, of):
    """The exact chance of each value of the first person after the whole time."""
    whole = exact(sub(run, SCENE, state))
    weights = Counter()
    for after, weight in whole.weights.items():
        weights[of(after.people[0])] += weight
    return {value: Fraction(weight, whole.total) for value, weight in weights.items()}


def chances_of(function, *arguments, of):
    """The same of a rule."""
    whole = exact(sub(function, *arguments))
    weights = Counter()
    for outcome, weight in whole.weights.items():
        weights[of(outcome)] += weight
    return {value: Fraction(weight, whole.total) for value, weight in weights.items()}
