"""Recovery and deterioration of wounds, and the effect of care (book lines 2574-2610, 2878-2891)."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.limits import bound
from rulewright.errors import UserError
from rulewright.play import Play, Tell, sub
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.systems.foresight.harm.body import DYING, SOMEBODY, Patient, better, endurance_task, will_task, worse, wound_row
from rulewright.systems.foresight.harm.events import CameTo, OfARoll
from rulewright.systems.foresight.resolution.tests import BARELY, BOTCH, Mod, Task, attempt, half_up, weighed

DAY = 24 * 60
MOST_MINUTES = 3 * 365 * DAY


class CareRow(TableRow, frozen=True):
    """What care adds to recovery and deterioration rolls, from the worst to the best facility, and the interval in percent."""

    tl: float
    worst: int
    best: int
    interval: int


CARE = Table("fs-medical-care", CareRow)


class Care(Struct, frozen=True):
    """The care that a patient has: its modifier, and the recovery interval in percent."""

    modifier: int = 0
    interval: int = 100


NO_CARE = Care()


@rule("fs-medical-care")
def care(rules: Ruleset, tl: float = 5, quality: float = 1) -> Care:
    """The modifier and the interval of care by technology level; quality runs from 0, the worst facility, to 1, the best."""
    if tl < 0:
        raise UserError(f"a technology level is 0 or more, not {tl:g}")
    rows = [row for row in CARE(rules).values() if row.tl <= tl]
    row = max(rows, key=lambda row: row.tl)
    share = max(0.0, min(1.0, quality))
    return Care(half_up(row.worst + share * (row.best - row.worst)), row.interval)


class Mended(OfARoll, frozen=True):
    """A roll to recover or not to deteriorate."""

    name: str
    kind: str
    qr: int
    before: int
    after: int

    def headline(self) -> str:
        if self.after == self.before:
            return f"{self.name} stays at wound level {self.before}"
        how = "recovers" if self.after < self.before else "gets worse"
        return f"{self.name} {how}: wound level {self.before} to {self.after}"

    def tone(self) -> str:
        return "bad" if self.after > self.before else "good" if self.after < self.before else "plain"


def _task(rules: Ruleset, patient: Patient, *mods: Mod) -> Task:
    """Endurance at the worst wound level so far, which here stands for the penalty of the present one."""
    return endurance_task(rules, patient, Mod("worst wound level", -patient.worst, "fs-recovery-deterioration"), *mods)


def _change(patient: Patient, levels: int) -> Patient:
    """So many levels worse, or better where negative; the wait for the next roll begins anew."""
    return worse(patient, levels) if levels > 0 else better(patient, -levels) if levels else replace(patient, clock=0)


def _recovery(rules: Ruleset, patient: Patient, modifier: int, so_far: int = 0) -> Play[int]:
    """The levels that a recovery roll changes, told on top of what another roll of the same moment changed."""
    task = _task(rules, patient, Mod("care", modifier, "fs-medical-care"))
    rolled = yield from attempt(rules, task, patient.name, "recovery")
    change = -1 if rolled.success else 1 if rolled.qr == BOTCH else 0
    now = patient.wounds + so_far
    of = weighed(rules, task)
    yield from Tell(Mended(name=patient.name, kind="recovery", qr=rolled.qr, before=now, after=now + change, of=of))
    return change


class Sunk(Struct, frozen=True):
    """The result of a deterioration roll: the levels it changes, whether it succeeded, whether it was botched."""

    levels: int
    held: bool
    botched: bool


def _deterioration(rules: Ruleset, patient: Patient, modifier: int) -> Play[Sunk]:
    mods = (Mod("care", modifier, "fs-medical-care"), Mod("bandages", patient.bandaged, "fs-bandaging"))
    task = _task(rules, patient, *mods)
    rolled = yield from attempt(rules, task, patient.name, "deterioration")
    lifts = rolled.qr < BARELY or (rolled.qr == BARELY and rules.word("mediocre-deterioration") == "improves")
    change = -1 if lifts else 0 if rolled.success else 1
    now, of = patient.wounds, weighed(rules, task)
    yield from Tell(Mended(name=patient.name, kind="deterioration", qr=rolled.qr, before=now, after=now + change, of=of))
    return Sunk(change, rolled.success, rolled.qr == BOTCH)


@rule("fs-recovery-deterioration")
def recovery_roll(rules: Ruleset, patient: Patient = SOMEBODY, modifier: int = 0) -> Play[Patient]:
    """An endurance roll to mend: success is a wound level better, a botch one worse, a failure nothing."""
    if patient.dead or not patient.wounds:
        return patient
    change = yield from _recovery(rules, patient, modifier)
    return _change(patient, change)


@rule("fs-recovery-deterioration")
def deterioration_roll(rules: Ruleset, patient: Patient = SOMEBODY, modifier: int = 0) -> Play[Patient]:
    """An endurance roll not to sink: QR3 or better is a level better, QR4 holds, QR7 is a level worse, QR10 besides unconscious.

    Bandages help here. At level 6 and 7 success allows a willpower roll for about a minute of consciousness.

    A view of `due_rolls`.
    """
    if patient.dead:
        return patient
    sunk = yield from _deterioration(rules, patient, modifier)
    return (yield from _afterwards(rules, patient, _change(patient, sunk.levels), sunk))


def _afterwards(rules: Ruleset, before: Patient, after: Patient, sunk: Sunk) -> Play[Patient]:
    if sunk.botched:
        return replace(after, unconscious=True)
    if not sunk.held or before.wounds < DYING:
        return after
    task = will_task(rules, after)
    woke = yield from attempt(rules, task, before.name, "a conscious minute")
    yield from Tell(CameTo(name=before.name, qr=woke.qr, awake=woke.success, of=weighed(rules, task)))
    return replace(after, unconscious=not woke.success)


def _deteriorates(rules: Ruleset, patient: Patient) -> int | None:
    """Minutes between deterioration rolls; by the worst level until it is treated, where the campaign plays so."""
    now = wound_row(rules, patient.wounds).deterioration
    if now is None and patient.wounds and rules.word("deterioration-by") == "worst level":
        return wound_row(rules, min(patient.worst, DYING + 1)).deterioration
    return now


def sinks(rules: Ruleset, patient: Patient) -> bool:
    """Whether deterioration rolls await a person, so that bandages help."""
    return not patient.dead and _deteriorates(rules, patient) is not None


@rule("fs-recovery-deterioration")
def next_roll(rules: Ruleset, patient: Patient = SOMEBODY, care: Care = NO_CARE) -> int | None:
    """Minutes until the next roll to recover or not to deteriorate; None for a person who needs neither.

    Where both are due, at level 5, care does not hasten them: they are made together, so that they can cancel out (ruling).
    """
    sinks, mends = _deteriorates(rules, patient), wound_row(rules, patient.wounds).recovery
    if patient.dead:
        return None
    if sinks is not None:
        return max(0, sinks - patient.clock)
    return None if mends is None else max(0, max(1, half_up(mends * care.interval / 100)) - patient.clock)


@rule("fs-recovery-deterioration")
def due_rolls(rules: Ruleset, patient: Patient = SOMEBODY, care: Care = NO_CARE) -> Play[Patient]:
    """The rolls that are due at the present wound level; at 5 both are made before either counts, so that they can cancel out."""
    if patient.dead or not patient.wounds:
        return patient
    sinks, mends = _deteriorates(rules, patient) is not None, wound_row(rules, patient.wounds).recovery is not None
    if not sinks:
        return (yield from recovery_roll(rules, patient, care.modifier))
    sunk = yield from _deterioration(rules, patient, care.modifier)
    mended = (yield from _recovery(rules, patient, care.modifier, sunk.levels)) if mends else 0
    return (yield from _afterwards(rules, patient, _change(patient, sunk.levels + mended), sunk))


@rule("fs-recovery-deterioration")
def convalesce(rules: Ruleset, patient: Patient = SOMEBODY, minutes: int = DAY, care: Care = NO_CARE) -> Play[Patient]:
    """Time goes by over a wound: every roll that falls due is made, and what is left of the time counts toward the next.

    A view of `due_rolls`, hour after hour.
    """
    bound("minutes", minutes, 0, MOST_MINUTES)
    return (yield from sub(_live_on, rules, patient, minutes, care))


def _live_on(rules: Ruleset, patient: Patient, minutes: int, care: Care) -> Play[Patient]:
    wait = next_roll(rules, patient, care)
    if wait is None:
        return replace(patient, clock=0)
    if wait > minutes:
        return replace(patient, clock=patient.clock + minutes)
    after = yield from due_rolls(rules, patient, care)
    return (yield from sub(_live_on, rules, after, minutes - wait, care))
