"""Fatigue and exhaustion of body and mind: use and recovery (book lines 724-768)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.rules import Figures, Ruleset, Table, TableRow, rule

Activity = Literal["crawling", "walking", "jogging", "running", "dash", "chopping wood", "studying", "spell research"]
Rest = Literal["sitting", "resting", "sleeping", "large meal"]
EXHAUSTION = Figures("hyb-5-fatigue-exhaustion")
SECONDS_AN_HOUR = 3_600
COUNTS_AN_HOUR = 36_000


class UseRow(TableRow, frozen=True):
    """What an activity costs: points of fatigue and exhaustion, each for every so many seconds."""

    activity: Activity
    mind: bool
    fatigue: int
    fatigue_seconds: int
    exhaustion: int
    exhaustion_seconds: int


class RestRow(TableRow, frozen=True):
    """What a way of resting gives back, and what it gives once."""

    activity: Rest
    fatigue: int
    fatigue_seconds: int
    exhaustion: int
    exhaustion_seconds: int
    at_once: int = 0
    also: str = ""


USES = Table("hyb-5-energy-use", UseRow)
RESTS = Table("hyb-5-restoring", RestRow)


class Energy(Struct, frozen=True, cache_hash=True, gc=False):
    """A quick pool and its reserve, of body (PFT, PEX) or of mind (MFT, MEX): what is left, of how much.

    `worn` counts the fatigue used since it last cost a point of exhaustion.
    """

    fatigue: int = 36
    exhaustion: int = 60
    most_fatigue: int = 36
    most_exhaustion: int = 60
    worn: int = 0

    @property
    def exhausted(self) -> bool:
        """Whether nothing of the reserve is left; that hinders every action. Empty fatigue alone hinders nothing."""
        return self.exhaustion <= 0

    @classmethod
    def full(cls, fatigue: int, exhaustion: int) -> "Energy":
        """Both pools full."""
        return cls(fatigue, exhaustion, fatigue, exhaustion)


RESTED = Energy()


@rule("hyb-5-fatigue-exhaustion")
def affords(rules: Ruleset, energy: Energy = RESTED, points: int = 10) -> bool:
    """Whether an effort can be made at all: from fatigue, and where a campaign has it so from exhaustion after that (ruling)."""
    return points <= energy.fatigue + (energy.exhaustion if rules.on("exhaustion-follows-fatigue") else 0)


class Drained(Struct, frozen=True):
    """What is left after a loss of fatigue, and how much of the loss found none."""

    energy: Energy
    over: int = 0


@rule("hyb-5-fatigue-exhaustion")
def exert(rules: Ruleset, energy: Energy = RESTED, points: int = 10) -> Energy:
    """Effort costs fatigue, and every ten points of that a point of exhaustion; with no fatigue left it comes from exhaustion (ruling)."""
    drained = drain(rules, energy, points)
    if not rules.on("exhaustion-follows-fatigue"):
        return drained.energy
    return replace(drained.energy, exhaustion=max(0, drained.energy.exhaustion - drained.over))


@rule("hyb-5-fatigue-exhaustion")
def drain(rules: Ruleset, energy: Energy = RESTED, points: int = 10) -> Drained:
    """Fatigue lost to a blow or to effort, with the exhaustion it costs; what finds no fatigue is left over, for the body to take."""
    if points < 0:
        raise UserError(f"a loss of fatigue is 0 or more, not {points}")
    used = min(points, energy.fatigue)
    tenths, worn = divmod(energy.worn + used, EXHAUSTION.of(rules, "fatigue for a point of exhaustion", least=1))
    left = replace(energy, fatigue=energy.fatigue - used, exhaustion=max(0, energy.exhaustion - tenths), worn=worn)
    return Drained(left, points - used)


@rule("hyb-5-energy-use")
def spend(rules: Ruleset, energy: Energy = RESTED, activity: Activity = "walking", seconds: int = 3600) -> Energy:
    """An activity kept up for a time, in full points.

    The exhaustion it lists is all that it costs: the tenth of its fatigue is in there already (ruling, and so the rows add up).
    """
    if seconds < 0:
        raise UserError(f"an activity takes 0 seconds or more, not {seconds}")
    row = USES.get(rules, activity)
    fatigue = row.fatigue * seconds // row.fatigue_seconds
    listed = row.exhaustion * seconds // row.exhaustion_seconds
    return _used(rules, energy, fatigue, listed)


def _used(rules: Ruleset, energy: Energy, fatigue: int, listed: int) -> Energy:
    """Pools after an activity that cost so much fatigue and lists so much exhaustion; what finds no fatigue costs nothing more."""
    if rules.on("exhaustion-twice"):
        tired = drain(rules, energy, fatigue).energy
        return replace(tired, exhaustion=max(0, tired.exhaustion - listed))
    return replace(energy, fatigue=max(0, energy.fatigue - fatigue), exhaustion=max(0, energy.exhaustion - listed))


class Strained(Struct, frozen=True):
    """What is left after so many counts of an activity, and the parts of points that are not full yet."""

    energy: Energy
    strain: tuple[int, int] = (0, 0)


@rule("hyb-5-energy-use")
def keep_up(
    rules: Ruleset, energy: Energy = RESTED, activity: Activity = "dash", counts: int = 10, strain: tuple[int, int] = (0, 0)
) -> Strained:
    """An activity kept up for counts: what is less than a full point of fatigue or exhaustion counts on, in parts of an hour."""
    if counts < 0:
        raise UserError(f"an activity takes 0 counts or more, not {counts}")
    row = USES.get(rules, activity)
    fatigue, tired = divmod(strain[0] + counts * row.fatigue * SECONDS_AN_HOUR // row.fatigue_seconds, COUNTS_AN_HOUR)
    listed, spent = divmod(strain[1] + counts * row.exhaustion * SECONDS_AN_HOUR // row.exhaustion_seconds, COUNTS_AN_HOUR)
    return Strained(_used(rules, energy, fatigue, listed), (tired, spent))


@rule("hyb-5-restoring")
def rest(rules: Ruleset, energy: Energy = RESTED, activity: Rest = "sleeping", seconds: int = 3600, mind: bool = False) -> Energy:
    """Rest gives back fatigue by the second and exhaustion by the hour, each by itself and never beyond what one has.

    The mind rests as the body does (ruling); a large meal gives its exhaustion once.
    """
    if seconds < 0:
        raise UserError(f"rest takes 0 seconds or more, not {seconds}")
    if mind and not rules.on("mind-rests-alike") and activity != "sleeping":
        return energy
    row = RESTS.get(rules, activity)
    fatigue = energy.fatigue + row.fatigue * seconds // row.fatigue_seconds
    exhaustion = energy.exhaustion + row.exhaustion * seconds // row.exhaustion_seconds + row.at_once
    return replace(energy, fatigue=min(energy.most_fatigue, fatigue), exhaustion=min(energy.most_exhaustion, exhaustion))
