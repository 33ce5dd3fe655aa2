"""The gamemaster's tables that make notes: instant people (book lines 1188-1261)."""

from collections.abc import Mapping, Sequence

from rulewright.campaign.downtime import Value
from rulewright.campaign.generators import RANDOM, Draft, Generator, chosen
from rulewright.dice.sums import Sum
from rulewright.play import Play, Roll
from rulewright.rules import Ruleset
from rulewright.systems.foresight.people.npcs import ADJECTIVES, CALLINGS, COMPETENCES, Extra, extra

COMPETENCE = chosen(
    "competence",
    "Competence",
    "Inept",
    "Green",
    "Inexperienced",
    "Competent",
    "Experienced",
    "Veteran",
    "Well-Rounded",
    "Expert",
    "Formidable",
    "Legendary",
    rule="fs-npc-competence",
)
ADJECTIVE = chosen(
    "adjective",
    "Adjective",
    "none",
    "Tough",
    "Ex-Military",
    "Athletic",
    "Cunning",
    "Hardened",
    "Deadly",
    "Charming",
    "Slimy",
    "Well-traveled",
    "Educated",
    "Sneaky",
    "Chameleon",
    "Acrobatic",
    rule="fs-npc-modifiers",
)
CALLING = chosen(
    "archetype",
    "Archetype",
    "Assassin",
    "Thug",
    "Crimelord",
    "Police Officer",
    "Detective",
    "Guard",
    "Soldier",
    "Commando",
    "Martial Artist",
    "Socialite",
    "Explorer",
    "Business Person",
    "Hunter",
    "Paramedic",
    "Scholar",
    "Journalist",
    "Mechanic",
    "Hotshot",
    "Spy",
    "Doctor",
    "Surgeon",
    rule="fs-npc-archetypes",
)


class InstantPerson(Generator):
    """Somebody in three words: how good, what kind, and which calling, with the scores that follow. What is not chosen is rolled evenly."""

    name = "instant person"
    label = "Roll an instant person"
    rules = ("fs-instant-npc", "fs-npc-archetypes", "fs-npc-competence", "fs-npc-modifiers")
    arguments = (COMPETENCE, ADJECTIVE, CALLING)

    def generate(self, rules: Ruleset, given: Mapping[str, Value]) -> Play[Draft]:
        competence = yield from _drawn(str(given[COMPETENCE.name]), tuple(COMPETENCES(rules)), "competence")
        adjective = yield from _drawn(str(given[ADJECTIVE.name]), tuple(ADJECTIVES(rules)), "adjective")
        calling = yield from _drawn(str(given[CALLING.name]), tuple(CALLINGS(rules)), "archetype")
        person = extra(rules, competence, calling, () if adjective == "none" else (adjective,))
        return Draft(person.name.capitalize(), written(rules, person))


def _drawn(choice: str, words: Sequence[str], what: str) -> Play[str]:
    """The word that was chosen, or one of the table's at random."""
    if choice != RANDOM:
        return choice
    number = yield from Roll(Sum((len(words),)), "", what)
    return words[number - 1]


def written(rules: Ruleset, person: Extra) -> str:
    """An instant person as a note: attributes, skills by score, and fields with how well they are known."""
    attributes = ", ".join(f"{name} {value}" for name, value in person.attributes.each().items())
    skills = ", ".join(f"{skill} {score}" for skill, score in person.written(rules).items())
    fields = ", ".join(person.fields) or "none"
    return f"{attributes}\n\nSkills: {skills}\n\nFields ({person.known}): {fields}"


GENERATORS: tuple[Generator, ...] = (InstantPerson(),)
