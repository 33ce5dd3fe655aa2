"""Another plan to compare with: somebody at another location, or with another exertion."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright.campaign.downtime import Downtime
from rulewright.campaign.downtime_rules import DowntimeRules
from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.rules import nearest


class Alternative(Struct, frozen=True):
    """What is different for one person. Empty fields stay as they are."""

    who: str
    location: str = ""
    exertion: str = ""

    @property
    def words(self) -> str:
        """The difference in words: Ana in the hospital."""
        return f"{self.who}: {join([part for part in (self.location, self.exertion) if part])}"


FIELDS = ("location", "exertion")


def read_alternative(text: str) -> Alternative:
    """An alternative as people write it: Ana.location=Bruno's room."""
    field, equals, value = text.partition("=")
    who, dot, what = field.strip().rpartition(".")
    if not equals or not dot or what not in FIELDS or not value.strip():
        raise UserError(f"{text[:60]!r} is no other plan; write it like Ana.location=hospital or Ana.exertion=rest")
    return Alternative(who, **{what: value.strip()})


def changed_plan(game: DowntimeRules[Any], state: Downtime[Any], other: Alternative) -> Downtime[Any]:
    """The same time with the alternative; an error names what nobody knows."""
    names = [person.name for person in state.people]
    places, exertions = [place.name for place in state.locations], [exertion.name for exertion in game.exertions]
    for value, known, what in ((other.who, names, "person"), (other.location, places, "location"), (other.exertion, exertions, "exertion")):
        if value and value not in known:
            there = f"; there are {join(known)}" if known else "; there is none"
            raise UserError(f"there is no {what} {value[:40]!r}{nearest(value, known) or there}")
    people = tuple(
        replace(person, location=other.location or person.location, exertion=other.exertion or person.exertion)
        if person.name == other.who
        else person
        for person in state.people
    )
    return replace(state, people=people)
