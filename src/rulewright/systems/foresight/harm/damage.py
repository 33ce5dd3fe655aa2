"""Damage: location, armor, wounds and pain (book lines 2560-2714, 2998-3004)."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.limits import bound
from rulewright.play import Happened, Play, Scale, Tell, came_to, sub
from rulewright.rules import Figures, Ruleset, instead_of, rule
from rulewright.systems.foresight.harm.body import CRITICAL, DEAD, DYING, INCAPACITATED, SOMEBODY, Patient, pain_task, will_task, wound_row
from rulewright.systems.foresight.harm.events import Came, CameTo, Hit, Pain, PulledTogether, Reckoned
from rulewright.systems.foresight.resolution.damage_classes import (
    Aimed,
    DamageClass,
    Protection,
    covered,
    damage,
    locate,
    parse_dc,
    protection,
    vital_extra,
)
from rulewright.systems.foresight.resolution.locations import ARMS, LEGS, LIMBS, Location, Side
from rulewright.systems.foresight.resolution.tests import BARELY, BOTCH, RESULTS, Mod, attempt, random_quality, weighed

WOUNDS_ADD_UP = Figures("fs-wound-accumulation")
MOST_HITS = 20
PAIN = Figures("fs-pain-stun")
"""Seconds between efforts to recover from stun outside of combat."""
MOST_EFFORTS = 100
_LEVELS = ("light wound", "medium wound", "heavy wound", "incapacitated", "critical", "dying", "death")
OUTCOMES = ("miss", "stopped", "no wound", "stunned", *_LEVELS)
WOUNDING = Scale(OUTCOMES, OUTCOMES[3:], "hurts", "unhurt", harms=True)
"""What an attack can lead to, from nothing to worst."""


class Blow(Struct, frozen=True):
    """A hit on its way: the damage class as written, the rating of the attack (0: a random one), and what stands in between."""

    dc: str = "6i"
    qr: int = 3
    aimed: Aimed = ""
    side: Side = "front"
    barriers: tuple[str, ...] = ()
    """Protection of walls and the like before the body, outermost first."""
    electric: bool = False


A_SHOT = Blow()
"""What the rules are asked about when nobody names a hit."""


RECOVERY = Scale(("recovers", "still stunned", "passes out"), ("recovers",), "recovers")
"""What an effort to recover from stun can lead to."""


# --- wounds add up ------------------------------------------------------------------------------------------------------------


@rule("fs-wound-accumulation")
def accumulate(rules: Ruleset, current: int, new: int, location: Location = "chest") -> int:
    """The wound level after a new wound: wounds add up, but one to a limb adds two less, or replaces the level where it is worse."""
    if location not in LIMBS:
        return current + new
    return max(current + max(0, new - WOUNDS_ADD_UP.of(rules, "less for a limb")), new)


@instead_of(accumulate, "wound-accumulation", False)  # noqa: FBT003
@rule("fs-wound-levels")
def added_up(rules: Ruleset, current: int, new: int, location: Location = "chest") -> int:
    """A new wound is added to the level, wherever it is."""
    return current + new


# --- the hit ------------------------------------------------------------------------------------------------------------------


@rule("fs-armor-protection", "fs-damage-formula", "fs-hit-location")
def be_hit(rules: Ruleset, patient: Patient = SOMEBODY, blow: Blow = A_SHOT) -> Play[Patient]:
    """A hit: where it lands, what armor and barriers leave of it, the wound, and the pain."""
    dc = parse_dc(blow.dc)
    bound("the number of hits", dc.hits, 1, MOST_HITS)
    for _ in range(dc.hits):
        if blow.qr > BARELY or patient.dead:
            break
        patient = yield from sub(_one_hit, rules, patient, replace(dc, hits=1), blow)
    return patient


def _one_hit(rules: Ruleset, patient: Patient, dc: DamageClass, blow: Blow) -> Play[Patient]:
    qr = blow.qr or (yield from random_quality(rules, patient.name, "damage"))
    location = yield from locate(rules, blow.aimed, patient.name)
    return (yield from sub(strike, rules, patient, dc, qr, location, blow.side, blow.barriers, blow.electric))


def strike(
    rules: Ruleset,
    patient: Patient,
    dc: DamageClass,
    qr: int,
    location: Location,
    side: Side,
    barriers: tuple[str, ...],
    electric: bool = False,
) -> Play[Patient]:
    """A hit on a known place."""
    layers, rolled = list(barriers), []
    for cover in patient.covering(location):
        tenths = cover.coverage(side)
        in_the_way = yield from covered(rules, tenths, patient.name)
        if in_the_way:
            layers.append(cover.against(dc.type, dc.stun))
        if 0 < tenths < 10:
            rolled.append(in_the_way)
    armor = protection(rules, tuple(layers), dc.pierces)
    plain, stuns = _levels(rules, dc.amount, qr, patient.ds, armor=armor, location=location)
    levels = yield from vital_extra(rules, location, plain, patient.name)
    reckoned = Reckoned(
        dc=dc,
        percent=RESULTS.get(rules, str(qr)).yields,
        ds=patient.ds,
        armor=armor,
        head=int(location == "head" and plain > 0),
        head_first=rules.word("head-bonus") == "before armor",
        vital=levels - plain,
        by_table=rules.word("damage-scale") == "table",
        rating=qr,
        in_the_way=tuple(rolled),
    )
    if dc.stun and levels:
        return (yield from sub(take_stun, rules, patient, levels, location, reckoned))
    hit = _wounded(rules, patient, levels, location)
    level = wound_row(rules, hit.wounds).name.lower()
    yield from Tell(Hit(name=patient.name, location=location, qr=qr, levels=levels, level=level, stuns=stuns, reckoned=reckoned))
    if not levels and not stuns:
        return patient
    if hit.dead:
        yield from Tell(Happened(patient.name, "dies", "bad"))
        return hit
    return (yield from sub(bear_pain, rules, hit, location, electric))


def _levels(rules: Ruleset, dc: float, qr: int, ds: float, *, armor: Protection, location: Location) -> tuple[int, bool]:
    """Wound levels of a hit with what the head adds, before or after armor absorbs (setting head-bonus), and whether it may stun."""
    before = rules.word("head-bonus") == "before armor"
    harm = damage(rules, dc, qr, ds, armor.number, absorbs=0 if before else armor.absorbs)
    levels = harm.levels + int(harm.levels > 0 and location == "head")
    return (max(0, levels - armor.absorbs) if before else levels), harm.stuns


def _wounded(rules: Ruleset, patient: Patient, levels: int, location: Location) -> Patient:
    if not levels:
        return patient
    now = accumulate(rules, patient.wounds, levels, location)
    return replace(
        patient,
        wounds=now,
        worst=max(patient.worst, now),
        hurt=tuple(sorted({*patient.hurt, location})),
        dead=now >= DEAD,
        unconscious=patient.unconscious or now >= DYING,
        clock=patient.clock if now == patient.wounds else 0,
    )


@rule("fs-pain-stun")
def bear_pain(rules: Ruleset, patient: Patient = SOMEBODY, location: Location = "chest", electric: bool = False) -> Play[Patient]:
    """An injury calls for a Pain Resistance roll, wounds weighing on it; failure stuns.

    Stunned by a blow to the head one falls unconscious, to an arm one drops what it holds, to a leg one falls. After an
    electric shock a botch stops the heart.
    """
    if patient.dead or patient.unconscious:
        return patient
    task = pain_task(rules, patient)
    rolled = yield from attempt(rules, task, patient.name, "Pain Resistance")
    after = patient if rolled.success else _stunned(patient, location)
    if electric and rolled.qr == BOTCH:
        after = replace(after, heart_stopped=True, unconscious=True)
    limb = location if location in LIMBS and not rolled.success else ""
    of = weighed(rules, task)
    yield from Tell(Pain(name=patient.name, qr=rolled.qr, stunned=not rolled.success, unconscious=after.unconscious, limb=limb, of=of))
    return after


def _stunned(patient: Patient, location: Location) -> Patient:
    dropped = {*patient.dropped, location} if location in ARMS else {*patient.dropped}
    return replace(
        patient,
        stunned=True,
        unconscious=patient.unconscious or location == "head",
        dropped=tuple(sorted(dropped)),
        prone=patient.prone or location in LEGS,
    )


@rule("fs-stun-damage")
def take_stun(
    rules: Ruleset, patient: Patient = SOMEBODY, points: int = 1, location: Location = "chest", reckoned: Reckoned | None = None
) -> Play[Patient]:
    """Stun points add up as wounds do and stun at once, without a roll."""
    now = accumulate(rules, patient.stun, points, location)
    after = replace(_stunned(patient, location), stun=now)
    yield from Tell(Hit(name=patient.name, location=location, qr=0, levels=points, stun=now, reckoned=reckoned))
    return after


@rule("fs-pain-stun", "fs-stun-damage")
def recover_from_stun(rules: Ruleset, patient: Patient = SOMEBODY) -> Play[Patient]:
    """A Pain Resistance roll, at a penalty of the stun points: success takes one point away, or ends the stun where there are none.

    QR1 takes all of them; QR10 knocks out (with stun points only, by ruling).
    """
    if not patient.stunned or patient.unconscious or patient.dead:
        return patient
    task = pain_task(rules, patient).plus(Mod("stun points", -patient.stun, "fs-stun-damage"))
    rolled = yield from attempt(rules, task, patient.name, "recovery from stun")
    after = patient
    if rolled.success:
        left = 0 if rolled.qr == 1 else max(0, patient.stun - 1)
        after = replace(patient, stun=left, stunned=left > 0)
    elif rolled.qr == BOTCH and (patient.stun or rules.word("botched-recovery") == "any stun"):
        after = replace(patient, unconscious=True)
    of = weighed(rules, task)
    yield from Tell(Came(name=patient.name, qr=rolled.qr, stun=after.stun, stunned=after.stunned, unconscious=after.unconscious, of=of))
    outcome = "passes out" if after.unconscious else "recovers" if not after.stunned else "still stunned"
    yield from came_to(outcome, RECOVERY, patient.name, patient.name)
    return after


@rule("fs-pain-stun")
def come_round(rules: Ruleset, patient: Patient = SOMEBODY, seconds: int = 60) -> Play[Patient]:
    """Outside of combat a stunned character may try to recover every ten seconds. A view of `recover_from_stun`, outside of combat."""
    bound("seconds", seconds, 0, 10 * MOST_EFFORTS)
    return (yield from sub(_try_to_recover, rules, patient, seconds // PAIN.of(rules, "seconds between tries", least=1)))


def _try_to_recover(rules: Ruleset, patient: Patient, efforts: int) -> Play[Patient]:
    if not efforts or not patient.stunned or patient.unconscious or patient.dead:
        return patient
    after = yield from sub(recover_from_stun, rules, patient)
    return (yield from sub(_try_to_recover, rules, after, efforts - 1))


class Willed(Struct, frozen=True):
    """Whether a person can act this turn, how many actions the wounds take, and the body after the effort."""

    able: bool
    lost: int
    patient: Patient
    overcame: bool = True
    """Whether the wounds allow an effort to recover from stun: no roll was due, or it succeeded."""


@rule("fs-wound-levels")
def pull_together(rules: Ruleset, patient: Patient = SOMEBODY) -> Play[Willed]:
    """The willpower roll that grave wounds ask for each turn: at level 4 to act at all, with one action less; at 5 to stay conscious.

    Whether who is worse off loses that action too is not said (ruling, setting critical-loses-action). The stunned roll too, but
    have no action to lose: the effort to recover from stun is left to them (ruling).
    """
    need = wound_row(rules, patient.wounds).needs_will
    if patient.dead or patient.wounds >= DYING or patient.heart_stopped:
        return Willed(able=False, lost=0, patient=patient, overcame=False)
    if not need:
        return Willed(not patient.helpless, 0, patient)
    if patient.wounds == INCAPACITATED and patient.unconscious:
        return Willed(able=False, lost=1, patient=patient, overcame=False)
    task = will_task(rules, patient)
    rolled = yield from attempt(rules, task, patient.name, f"willpower to {need}")
    after = replace(patient, unconscious=not rolled.success) if patient.wounds == CRITICAL else patient
    lost = 1 if (patient.wounds == INCAPACITATED or rules.on("critical-loses-action")) and not patient.stunned else 0
    of = weighed(rules, task)
    yield from Tell(PulledTogether(name=patient.name, qr=rolled.qr, able=rolled.success, unconscious=after.unconscious, lost=lost, of=of))
    return Willed(rolled.success and not after.stunned, lost, after, rolled.success)


def may_come_to(patient: Patient) -> bool:
    """Whether a person senseless may still come to in a fight: at wound level 5, and no further."""
    return patient.wounds == CRITICAL and patient.unconscious and not patient.dead and not patient.heart_stopped


@rule("fs-wound-levels")
def come_to(rules: Ruleset, patient: Patient = SOMEBODY) -> Play[Patient]:
    """At wound level 5 a willpower roll each combat turn also brings back consciousness."""
    if not may_come_to(patient):
        return patient
    task = will_task(rules, patient)
    rolled = yield from attempt(rules, task, patient.name, "willpower to come to")
    yield from Tell(CameTo(name=patient.name, qr=rolled.qr, awake=rolled.success, of=weighed(rules, task)))
    return replace(patient, unconscious=False) if rolled.success else patient


def outcome_of(before: Patient, after: Patient) -> str:
    """The result of a hit, as one of the words of `OUTCOMES`."""
    if after.wounds == before.wounds:
        return "stunned" if after.stunned and not before.stunned else "no wound"
    return "death" if after.dead else OUTCOMES[min(after.wounds, DYING) + 3]
