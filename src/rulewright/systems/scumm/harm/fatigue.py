"""Fatigue and rest, an option (book lines 582-602)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, at_most, limited, row, term, total
from rulewright.systems.scumm.gear.encumbrance import capacity
from rulewright.systems.scumm.harm.body import Patient

Causing = Literal[
    "missed sleep",
    "hard work",
    "walking",
    "strenuous travel",
    "load above half",
    "load above three quarters",
    "extreme temperature",
    "armor in extreme temperature",
]
Resting = Literal["quiet rest", "night of rest", "sound sleep"]
COLLAPSE = -5
A_FIGHT = 5
"""Minutes that a typical fight takes at most."""


class CauseRow(TableRow, frozen=True):
    """Something that tires: its penalty for every so many of a unit."""

    cause: str
    penalty: int
    every: float
    per: str


class RestRow(TableRow, frozen=True):
    """A way to rest: what it removes for every so many of a unit."""

    rest: str
    removes: int
    every: float
    per: str


CAUSES = Table("scumm-fatigue", CauseRow)
RESTS = Table("scumm-fatigue-recovery", RestRow)


class Weariness(Struct, frozen=True):
    """Fatigue gathered so far: from lost sleep, from a fight that passes by itself after so many minutes, and from all else."""

    sleep: int = 0
    other: int = 0
    fight: int = 0
    fight_minutes: int = 0

    @property
    def total(self) -> int:
        """All fatigue together."""
        return self.sleep + self.other + self.fight


RESTED = Weariness()


@rule("scumm-fatigue")
def tire(rules: Ruleset, cause: Causing = "hard work", amount: float = 8, weary: Weariness = RESTED) -> Weariness:
    """Every cause costs its penalty for so many nights, hours or days, in full ones; all of it adds up."""
    if amount < 0:
        raise UserError(f"the amount of {cause} is 0 or more, not {amount}")
    row = CAUSES.get(rules, cause)
    points = -int(-row.penalty * amount / row.every)
    if cause == "missed sleep":
        return replace(weary, sleep=weary.sleep + points)
    return replace(weary, other=weary.other + points)


@rule("scumm-fatigue")
def fatigue_penalty(rules: Ruleset, weary: Weariness = RESTED, body: int = 0, stimulant: int = 0) -> Derived[int]:
    """Body is added to all fatigue, and comes to no bonus (ruling); so does what a stimulant cancels. The rested pay nothing."""
    if not weary.total:
        return total("fatigue", row("rested", 0), rule="scumm-fatigue")
    terms = [term("lost sleep", weary.sleep), term("exertion", weary.other), term("fight", weary.fight), term("Body", body)]
    terms += [term("stimulants", stimulant, rule="scumm-stimulants")] if stimulant else []
    if rules.on("fatigue-can-help"):
        return total("fatigue", *terms, rule="scumm-fatigue")
    return limited("fatigue", *terms, limit=at_most(0, "never a bonus", source="ruling"), rule="scumm-fatigue")


@rule("scumm-fatigue")
def load_tires(rules: Ruleset, kilograms: float, body: int = 0, days: float = 1, weary: Weariness = RESTED) -> Weariness:
    """From half of full capacity on a load costs 1 a day, above three quarters 2 a day, 1 the half day. Needs carrying capacity."""
    if kilograms < 0:
        raise UserError(f"a load cannot weigh {kilograms} kg")
    if not rules.on("carrying-capacity"):
        return weary
    row = capacity(rules, body)
    full = row.deadlift if rules.word("full-capacity") == "deadlift" else row.heavy
    if 4 * kilograms > 3 * full:
        return tire(rules, "load above three quarters", days, weary)
    return tire(rules, "load above half", days, weary) if 2 * kilograms >= full else weary


@rule("scumm-fatigue")
def after_fight(rules: Ruleset, minutes: int = 1, extra: int = 0, weary: Weariness = RESTED) -> Weariness:
    """A fight costs 1 for as long as it took; for one longer than five minutes the gamemaster may add more that stays. By id only."""
    if minutes < 0 or extra < 0:
        raise UserError("a fight takes 0 minutes or more, and cannot take fatigue away")
    if extra and minutes <= A_FIGHT:
        raise UserError(f"only a fight of more than {A_FIGHT} minutes costs extra fatigue")
    if not rules.on("fatigue"):
        return weary
    penalty = CAUSES.get(rules, "fight").penalty
    return replace(weary, fight=penalty, fight_minutes=max(minutes, weary.fight_minutes), other=weary.other - extra)


def catch_breath(weary: Weariness, minutes: int) -> Weariness:
    """Minutes after a fight; when as many have gone by as it took, its fatigue is gone."""
    left = max(0, weary.fight_minutes - minutes)
    return replace(weary, fight_minutes=left, fight=weary.fight if left else 0)


@rule("scumm-fatigue-recovery")
def rest(rules: Ruleset, how: Resting = "quiet rest", amount: float = 0.5, weary: Weariness = RESTED) -> Weariness:
    """Every full half hour of quiet rest takes away 1, a night of rest 2, a night of sound sleep 3; nothing is saved up.

    Half hours do nothing for lost sleep (ruling), which only a night restores.
    """
    if amount < 0:
        raise UserError(f"the amount of rest is 0 or more, not {amount}")
    row = RESTS.get(rules, how)
    points = row.removes * int(amount / row.every)
    if how == "quiet rest":
        weary = catch_breath(weary, int(60 * amount))
    else:
        weary = replace(weary, fight=0, fight_minutes=0)
    if how != "quiet rest" or rules.word("rest-removes") == "all":
        slept = min(0, weary.sleep + points)
        weary, points = replace(weary, sleep=slept), points - (slept - weary.sleep)
    return replace(weary, other=min(0, weary.other + points))


@rule("scumm-fatigue")
def bear(rules: Ruleset, patient: Patient, weary: Weariness, body: int = 0) -> Patient:
    """Fatigue weighs on every test; at -5 or below one collapses, and does not wake before all of it is gone."""
    if not rules.on("fatigue"):
        return replace(patient, fatigue=0, collapsed=False)
    penalty = fatigue_penalty(rules, weary, body, patient.initiative_bonus).value
    collapsed = penalty <= COLLAPSE or (patient.collapsed and weary.total < 0)
    return replace(patient, fatigue=penalty, collapsed=collapsed)
