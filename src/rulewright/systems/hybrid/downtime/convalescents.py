"""A person between scenes: body and mind, First Aid, the sheet, and what they do all day."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.campaign.downtime_rules import Case, Exertion, Figure
from rulewright.campaign.sheet_files import read_sheet, written_sheet
from rulewright.play import Reckoned
from rulewright.rules import Ruleset
from rulewright.systems.hybrid.combat.fighters import body_of
from rulewright.systems.hybrid.harm.damage import SOUND, Body
from rulewright.systems.hybrid.people.characters import Character, Person
from rulewright.systems.hybrid.people.skills import use_check
from rulewright.systems.hybrid.resolution.tests import Check

FIRST_AID = Figure("first aid", "First Aid of the staff (0: nobody)", low=0, high=60, rule="hyb-8-bleeding")
MEALS = Figure("meals", "Meals", ("ordinary", "a large meal a day"), rule="hyb-5-restoring")
FIGURES = (FIRST_AID, MEALS)

REST = Exertion("rest", "rests in bed", "hyb-5-restoring")
EXERTIONS = (
    REST,
    Exertion("ordinary days", "sits and talks by day and sleeps at night", "hyb-5-restoring"),
    Exertion("walking", "walks for eight hours a day", "hyb-5-energy-use"),
    Exertion("chopping wood", "does heavy work for eight hours a day", "hyb-5-energy-use"),
    Exertion("studying", "studies for eight hours a day", "hyb-5-energy-use"),
    Exertion("spell research", "researches spells for eight hours a day", "hyb-5-energy-use"),
)


class Convalescent(Struct, frozen=True, cache_hash=True):
    """A body and mind, and the person's check of First Aid."""

    body: Body = SOUND
    first_aid: Check = Check(-3)
    file: str = ""
    """The sheet as JSON, without what scenes left: what experience, ties and statistics follow from."""

    @classmethod
    def of(cls, rules: Ruleset, character: Character, name: str = "") -> "Convalescent":
        """A character between scenes, with the condition in the file. Armour is taken off."""
        person = Person.of(rules, character)
        body = replace(body_of(rules, person, character), name=name or character.name, armour=())
        return cls(body, use_check(rules, person.use(rules, "First Aid")), written_sheet(character))

    @property
    def character(self) -> Character:
        """The character of the sheet."""
        return read_sheet(self.file, Character)

    def with_body(self, body: Body) -> "Convalescent":
        """The same person with another body."""
        return replace(self, body=body)


class Recovers(Reckoned, frozen=True):
    """Something about a body or mind changes with time."""


def exertion_of(case: Case[Convalescent]) -> str:
    """Returns the exertion of a person: rest, if none is given."""
    return case.exertion or REST.name
