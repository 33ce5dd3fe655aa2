"""Patients, doctors and the clinic. All of it is plain, immutable and hashable."""

from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright.grammar import count
from rulewright.play import Event
from rulewright.rules import Ruleset
from rulewright.systems.foresight.harm.body import CRITICAL, Patient
from rulewright.systems.foresight.harm.medicine import Means
from rulewright.systems.foresight.harm.recovery import Care
from rulewright.systems.foresight.people.attributes import AttributeName
from rulewright.systems.foresight.resolution.tests import Task

DEEPEST, LOSSES = "deepest", "losses"
"""Fields of a condition: the worst wound level since healthy, whatever surgeons did about it, and what grave wounds have cost."""


class Clinic(Struct, frozen=True, forbid_unknown_fields=True):
    """Where the wounded lie: its technology level, its quality from 0 to 1, its store of blood, and what is known of the wounds."""

    tl: float = 5
    quality: float = 0.5
    x_rays: bool = False
    known: bool = False
    multiple: bool = False
    mysterious: bool = False
    store: dict[Means, int] = {}


class Doctor(Struct, frozen=True, cache_hash=True):
    """A person who treats others."""

    name: str
    side: str
    search: Task
    dexterity: Task
    surgery: Task
    trained: bool
    """Basic medicine or surgery."""
    surgeon: bool
    """Medicine and surgery."""


class Cost(Struct, frozen=True, cache_hash=True):
    """What grave wounds cost a person for good: points of which attribute, how therapy goes, and the hours since its last roll."""

    attribute: AttributeName | None = None
    inherent: int = 0
    trained: int = 0
    regained: int = 0
    therapy: bool = True
    """Under a therapist; otherwise by self-help."""
    ended: bool = False
    """Whether there is no hope of more: a botch, or the patient has given up."""
    hours: int = 0
    decided: bool = False
    """Whether the patient has said how this period is spent."""

    @property
    def over(self) -> bool:
        """Whether nothing is left to win back, or no more can be."""
        return self.ended or self.regained >= self.inherent


def read_costs(value: Any) -> tuple[Cost, ...] | None:
    """What a condition says that grave wounds have cost; None if it cannot be read."""
    try:
        return msgspec.convert(value, tuple[Cost, ...], strict=True)
    except msgspec.ValidationError:
        return None


class Bed(Struct, frozen=True, cache_hash=True):
    """A person wounded."""

    side: str
    body: Patient
    cut: bool = False
    """Whether a surgeon has been at work today."""
    up: bool = False
    """Whether the patient has left the bed, and so does without care."""
    deepest: int = 0
    """The worst wound level so far, whatever surgeons did about it since; kept only where grave wounds cost attributes."""
    cost: Cost | None = None
    """What the wounds cost for good, once they have healed."""

    @property
    def name(self) -> str:
        """A person who lies in it."""
        return self.body.name

    @property
    def healed(self) -> bool:
        """Whether nothing is left of the wounds."""
        return not self.body.dead and self.body.wounds == 0

    @property
    def settled(self) -> bool:
        """Healed or dead."""
        return self.body.dead or self.body.wounds == 0

    @property
    def recovering(self) -> bool:
        """Whether a therapy goes on."""
        return self.healed and self.cost is not None and not self.cost.over

    @property
    def crisis(self) -> bool:
        """Whether it goes either way within the hour."""
        return not self.body.dead and self.body.wounds >= CRITICAL


class Ward(Struct, frozen=True, cache_hash=True):
    """All who are wounded and all who look after them, on which day."""

    tl: float
    care: Care
    beds: tuple[Bed, ...]
    doctors: tuple[Doctor, ...] = ()
    store: tuple[tuple[Means, int], ...] = ()
    circumstances: tuple[bool, bool, bool, bool] = (False, False, False, False)
    """X-rays; cause known, wounds multiple, cause mysterious."""
    day: int = 1
    days: int = 30
    minutes: int = 0
    """How long the crisis of today has lasted."""
    cause_counts: bool = False
    """Whether the cause of a wound counts in the search before bandages; it does in every scene but records from before it did."""

    def put(self, number: int, bed: Bed) -> "Ward":
        """The same with a bed changed."""
        return replace(self, beds=(*self.beds[:number], bed, *self.beds[number + 1 :]))


class Rested(Event, frozen=True):
    """A day that went by over a person's wound."""

    name: str
    day: int
    wounds: int
    word: str

    def headline(self) -> str:
        if not self.wounds:
            return f"Day {self.day}: {self.name} is well again"
        return f"Day {self.day}: {self.name} is at wound level {self.wounds} ({self.word.lower()})"

    def tone(self) -> str:
        return "good" if not self.wounds else "plain"


class Passed(Event, frozen=True):
    """Some minutes of a crisis."""

    name: str
    minutes: int
    wounds: int
    dead: bool

    def headline(self) -> str:
        if self.dead:
            return f"{self.name} dies after {count(self.minutes, 'minute')}"
        return f"{self.name} is at wound level {self.wounds} after {count(self.minutes, 'minute')}"

    def tone(self) -> str:
        return "bad" if self.wounds >= CRITICAL else "good"


class About(Struct, frozen=True):
    """What a decision is about: the ward, whose bed it is, and the doctor who is asked, or none where the patient is."""

    rules: Ruleset
    ward: Ward
    doctor: Doctor | None
    bed: Bed
