"""Hit locations, damage to body and mind, and side effects (book lines 930-942, 1002-1065, 1135-1139)."""

from fractions import Fraction
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.percentile import HUNDRED, BandedPercentile
from rulewright.dice.sums import Sum
from rulewright.errors import UserError
from rulewright.play import Play, Roll, Tell, sub
from rulewright.play.cache import cached
from rulewright.rules import Figures, Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, Reason, at_least, limited, reckoned, term, times, total
from rulewright.systems.hybrid.harm.energy import RESTED, Energy, drain
from rulewright.systems.hybrid.harm.events import Struck, Wounded, check_of
from rulewright.systems.hybrid.resolution.tests import (
    Check,
    Checked,
    Degree,
    Mod,
    effect,
    limits,
    rounding,
    skill_check,
)

DamageType = Literal["crushing", "cutting", "piercing", "projectile", "laser", "energy", "explosive"]
Location = Literal["Head", "Chest", "Abdomen", "Groin", "Upper Leg", "Lower Leg", "Foot", "Upper Arm", "Lower Arm", "Hand"]


class CalledRow(TableRow, frozen=True):
    """A target that can be called: what that costs, and the part of the body it is."""

    target: str
    df: int
    location: Location
    size: str = ""


class LocationRow(TableRow, frozen=True):
    """A part of the body: up to which roll it is hit, and what a hit there does to the roll against shock."""

    location: Location
    upto: int
    shock: int = 0
    paired: bool = False


class DamageRow(TableRow, frozen=True):
    """A type of damage: what does it, and what else follows from it."""

    type: DamageType
    done_by: str
    knockback: bool = False
    always_knockback: bool = False
    bleeding: bool = False
    shock: bool = False


class ShockRow(TableRow, frozen=True):
    """How hard shock strikes from so many points of failure on; a null modifier: nothing can be done."""

    effect: str
    failed_by: int
    df: int | None


CALLED_SHOTS = Table("hyb-8-called-shots", CalledRow)
LOCATIONS = Table("hyb-8-hit-location", LocationRow)
DAMAGE_TYPES = Table("hyb-8-damage-types", DamageRow)
SHOCK = Table("hyb-8-shock", ShockRow)


@cached(64)
def location_dice(rules: Ruleset) -> BandedPercentile[Location]:
    """The d100 that says where a blow lands."""
    rows = sorted(LOCATIONS(rules).values(), key=lambda row: row.upto)
    return BandedPercentile(tuple((min(HUNDRED, row.upto), row.location) for row in rows))


def shock_by(rules: Ruleset, failed_by: int) -> ShockRow | None:
    """The effect of a roll against shock that failed by so much; None where it did not fail."""
    rows = sorted(SHOCK(rules).values(), key=lambda row: row.failed_by)
    return next((row for row in reversed(rows) if row.failed_by <= failed_by), None)


KNOCKBACK, BLEEDING, ROLLING = Figures("hyb-8-knockback"), Figures("hyb-8-bleeding"), Figures("hyb-8-roll-with-blow")
SHOCK_COUNTS = 45
"""With 2d6 more, how long shock lasts where a campaign times it."""


# --- a person who can be hurt -------------------------------------------------------------------------------------------------


class Plate(Struct, frozen=True, cache_hash=True, gc=False):
    """Armour as it is worn: the parts it covers and what each type of damage loses on it."""

    armour: str = ""
    covers: tuple[Location, ...] = ()
    stops: tuple[tuple[DamageType, int], ...] = ()


class Body(Struct, frozen=True, cache_hash=True, gc=False):
    """A body and a mind in a fight: what is left of them, what they resist with, and what was done to them."""

    name: str = ""
    pbd: int = 24
    pbd_full: int = 24
    energy: Energy = RESTED
    mbd: int = 24
    mbd_full: int = 24
    mind: Energy = RESTED
    pst: int = 12
    pen: int = 12
    pag: int = 12
    men: int = 12
    mag: int = 12
    armour: tuple[Plate, ...] = ()
    bleeding: tuple[int, ...] = ()
    """Every wound that bleeds, by the count on which it began to."""
    shock: str = ""
    """The worst effect of shock that has not ended."""
    shock_ends: int = 0
    """The count on which it ends, where a campaign times it."""
    shock_mental: bool = False
    prone: bool = False
    dead: bool = False

    @property
    def awake(self) -> bool:
        """Whether anything can still be done."""
        return not self.dead and self.pbd > 0 and self.mbd > 0 and self.shock != UNCONSCIOUS


UNCONSCIOUS = "unconscious"
SOUND = Body()


class Blow(Struct, frozen=True, cache_hash=True, gc=False):
    """What a hit does: dice and what is added to them, its type, where it was aimed, and what the degree makes of it."""

    dice: tuple[int, ...] = (6,)
    flat: int = 3
    type: DamageType = "piercing"
    called: str = ""
    degree: Degree = Degree.SUCCESS
    times: tuple[int, int] = (1, 1)
    """What the mode of the attack multiplies damage with."""
    mental: bool = False
    armour: int = 0
    """What a block or a ward takes off beside the armour worn."""
    rolled_with: bool = False
    rolling: int = 0
    """The modifiers of a roll with the blow."""
    topples: bool = False
    """Whether it puts the victim on the ground by itself."""
    past_armour: bool = False
    """Whether it goes past all armour."""


A_STAB = Blow()


# --- where (lines 930-942, 1002-1021) -----------------------------------------------------------------------------------------


@rule("hyb-8-called-shots")
def called_modifier(rules: Ruleset, target: str = "head") -> Mod:
    """The penalty of an attack aimed at a part of the body."""
    return Mod(f"called shot: {target}", CALLED_SHOTS.get(rules, target).df, "hyb-8-called-shots")


@rule("hyb-8-hit-location")
def hit_location(rules: Ruleset, called: str = "", by: str = "") -> Play[Location]:
    """The d100 says where a hit lands; a called shot that hits lands where it was called (ruling)."""
    if called and rules.on("called-shots-land"):
        return CALLED_SHOTS.get(rules, called).location
    return (yield from Roll(location_dice(rules), by, "hit location"))


# --- how much (lines 1023-1042) -----------------------------------------------------------------------------------------------


@rule("hyb-8-damage-application")
def damage_done(rules: Ruleset, rolled: int = 6, degree: Degree = Degree.SUCCESS, manner: tuple[int, int] = (1, 1)) -> Derived[int]:
    """Returns the damage: the roll times the effect of the degree (ruling) and of the mode of attack, rounded as everything is."""
    share = Fraction(str(effect(rules, degree).value)) if rules.on("damage-by-degree") and degree.success else Fraction(1)
    terms = [term("rolled", rolled)]
    if share != 1:
        terms.append(times(str(degree), float(share), rule="hyb-2-degrees", source=rules.source("damage-by-degree")))
    if manner[0] != manner[1]:
        terms.append(times("manner of attack", manner[0] / manner[1]))
    terms += [] if isinstance(reckoned(terms), int) else [rounding(rules)]
    return limited("damage", *terms, limit=at_least(0), rule="hyb-8-damage-application")


@cached(20_000)
def _done(rules: Ruleset, rolled: int, degree: Degree, manner: tuple[int, int]) -> Derived[int]:
    """The same, remembered: few sums come in a fight, again and again."""
    return damage_done(rules, rolled, degree, manner)


@rule("hyb-8-damage-application")
def armour_at(rules: Ruleset, body: Body = SOUND, type: DamageType = "piercing", location: Location = "Chest") -> Derived[int]:
    """Returns what everything worn over a part takes off damage of a type."""
    terms = [Reason(plate.armour, dict(plate.stops).get(type, 0)) for plate in body.armour if location in plate.covers]
    return total(f"armour: {location}", *terms, rule="hyb-8-damage-application")


class Hurt(Struct, frozen=True, gc=False):
    """What became of damage: taken by armour, by fatigue, by the body (or mind), and the victim after it."""

    body: Body
    armour: int = 0
    fatigue: int = 0
    flesh: int = 0


@rule("hyb-8-damage-application")
def apply_damage(
    rules: Ruleset,
    body: Body = SOUND,
    points: int = 12,
    type: DamageType = "piercing",
    location: Location = "Chest",
    mental: bool = False,
    armour: int = 0,
) -> Hurt:
    """Armour first, then fatigue, then the body; of a mental attack MFT and MBD, and no armour. A body at 0 is dead (ruling)."""
    if points < 0:
        raise UserError(f"damage is 0 or more, not {points}")
    worn = 0 if mental else (armour_at(rules, body, type, location).value if body.armour else 0) + armour
    past = max(0, points - worn)
    drained = drain(rules, body.mind if mental else body.energy, past)
    if mental:
        after = replace(body, mind=drained.energy, mbd=max(0, body.mbd - drained.over))
    else:
        after = replace(body, energy=drained.energy, pbd=max(0, body.pbd - drained.over))
        if after.pbd == 0:
            after = replace(after, dead=True) if rules.on("death-at-zero") else replace(after, shock=UNCONSCIOUS)
    return Hurt(after, points - past, past - drained.over, drained.over)


@rule("hyb-8-damage-types")
def secondary_effects(rules: Ruleset, type: DamageType = "cutting") -> tuple[str, ...]:
    """Lists other effects of a type of damage, beside shock from harm to the body. A view of the row that `wound` follows."""
    row = DAMAGE_TYPES.get(rules, type)
    named = (("knockback", row.knockback or row.always_knockback), ("bleeding", row.bleeding), ("shock", row.shock))
    return tuple(name for name, follows in named if follows)


# --- what follows (lines 1044-1065) -------------------------------------------------------------------------------------------


@rule("hyb-8-knockback")
def knocks_back(rules: Ruleset, before: Body = SOUND, fatigue: int = 20, flesh: int = 0, type: DamageType = "crushing") -> bool:
    """Whether a strike may throw its victim down: more than half of PFT or a quarter of PBD at once, of the full values (ruling)."""
    row = DAMAGE_TYPES.get(rules, type)
    if row.always_knockback:
        return True
    if not row.knockback:
        return False
    current = rules.word("knockback-share") == "current"
    pft, pbd = (before.energy.fatigue, before.pbd) if current else (before.energy.most_fatigue, before.pbd_full)
    return 2 * fatigue > pft or 4 * flesh > pbd


@rule("hyb-8-knockback")
def resist_knockback(rules: Ruleset, body: Body = SOUND) -> Play[Body]:
    """A roll at a penalty on the better of strength and agility; failure puts the victim on the ground."""
    best = Mod("Physical Strength", body.pst) if body.pst >= body.pag else Mod("Physical Agility", body.pag)
    mods = (best, Mod("knockback", KNOCKBACK.of(rules, "modifier"), "hyb-8-knockback"))
    degree = yield from skill_check(rules, check_of(mods), body.name, "knockback")
    told = "keeps their feet" if degree.success else "is thrown to the ground"
    yield from Tell(Struck(body.name, told, "hyb-8-knockback", degree.success, rules, mods=mods))
    return body if degree.success else replace(body, prone=True)


@rule("hyb-8-bleeding")
def resist_bleeding(rules: Ruleset, body: Body = SOUND, now: int = 0) -> Play[Body]:
    """A roll at a penalty on endurance after a cut or stab that reached the body; failure means bleeding until treated (ruling)."""
    mods = (Mod("Physical Endurance", body.pen), Mod("bleeding", BLEEDING.of(rules, "modifier"), "hyb-8-bleeding"))
    degree = yield from skill_check(rules, check_of(mods), body.name, "bleeding")
    told = "does not bleed" if degree.success else "bleeds"
    yield from Tell(Struck(body.name, told, "hyb-8-bleeding", degree.success, rules, mods=mods))
    if degree.success:
        return body
    return replace(body, bleeding=(*body.bleeding, now % bleeding_counts(rules)))


def bleeding_counts(rules: Ruleset) -> int:
    """After how many counts a wound costs the next point."""
    return BLEEDING.of(rules, "counts", least=1)


@rule("hyb-8-bleeding")
def bleed(rules: Ruleset, body: Body = SOUND, begun: int = 0, now: int = 100) -> Body:
    """A point of fatigue for every twenty counts that a wound bleeds; with none left, the body bleeds (ruling)."""
    number = bleeding_counts(rules)
    ticks = sum((now - since) // number - (begun - since) // number for since in body.bleeding) if now > begun else 0
    if not ticks or body.dead:
        return body
    return replace(apply_damage(rules, replace(body, armour=()), ticks).body, armour=body.armour)


def shock_dice(rules: Ruleset, check: Check) -> BandedPercentile[str]:
    """The d100 against shock, read into its effects; nothing where it succeeds."""
    chance = limits(rules, check).chance
    strict = rules.word("success-at") == "under"
    rows = sorted(SHOCK(rules).values(), key=lambda row: row.failed_by)
    bands = [(chance - strict, "")]
    for row, following in zip(rows, [*rows[1:], None], strict=True):
        bands.append((HUNDRED if following is None else chance + following.failed_by - 1, row.effect))
    highest, banded = 0, []
    for limit, name in bands:
        highest = max(highest, min(HUNDRED, limit))
        banded.append((highest, name))
    return BandedPercentile(tuple(banded))


@rule("hyb-8-shock")
def system_shock(
    rules: Ruleset, body: Body = SOUND, location: Location | None = None, mental: bool = False, modifier: int = 0, now: int = 0
) -> Play[Body]:
    """Endurance against shock, worse for hits to head and groin; by how much it fails decides how hard it strikes."""
    there = LOCATIONS.get(rules, location).shock if location is not None else 0
    mods = (
        _endurance(body, mental),
        Mod(f"hit to the {str(location).lower()}", there, "hyb-8-hit-location"),
        Mod("rolling with the blow", modifier, "hyb-8-roll-with-blow"),
    )
    struck = yield from Roll(shock_dice(rules, check_of(mods)), body.name, "system shock")
    yield from Tell(Struck(body.name, f"is {struck}" if struck else "withstands the shock", "hyb-8-shock", not struck, rules, mods=mods))
    if not struck:
        return body
    ends = 0
    if rules.word("shock-ends") == "2d6+45 counts":
        ends = now + (yield from Roll(Sum((6, 6), SHOCK_COUNTS), body.name, "how long the shock lasts"))
    if _severity(rules, struck) < _severity(rules, body.shock):
        return replace(body, shock_ends=max(ends, body.shock_ends))  # the worse one stays, with the roll that ends it
    return replace(body, shock=struck, shock_ends=max(ends, body.shock_ends), shock_mental=mental)


def _endurance(body: Body, mental: bool) -> Mod:
    return Mod("Mental Endurance", body.men) if mental else Mod("Physical Endurance", body.pen)


def _severity(rules: Ruleset, shock: str) -> int:
    return SHOCK.get(rules, shock).failed_by if shock else 0


@rule("hyb-8-shock")
def shock_modifier(rules: Ruleset, shock: str = "stunned") -> Mod:
    """The penalty of shock to every action until it ends; the unconscious do nothing at all."""
    df = SHOCK.get(rules, shock).df if shock else 0
    return Mod(f"shock: {shock}" if shock else "shock", df if df is not None else -HUNDRED, "hyb-8-shock")


@rule("hyb-8-shock")
def shake_off(rules: Ruleset, body: Body = SOUND, now: int = 0) -> Play[Body]:
    """Once at every own initiative the shocked may roll endurance to be rid of it (ruling); or it ends by itself after a time."""
    if not body.shock:
        return body
    if rules.word("shock-ends") == "2d6+45 counts":
        return replace(body, shock="", shock_ends=0) if now >= body.shock_ends and body.pbd > 0 else body
    if body.shock == UNCONSCIOUS:
        return body
    mods = (_endurance(body, body.shock_mental),)
    degree = yield from skill_check(rules, check_of(mods), body.name, "shaking off the shock")
    told = "is over the shock" if degree.success else f"is still {body.shock}"
    yield from Tell(Struck(body.name, told, "hyb-8-shock", degree.success, rules, mods=mods))
    if not degree.success:
        return body
    return replace(body, shock="", shock_ends=0)


# --- rolling with the blow (lines 1135-1139) ----------------------------------------------------------------------------------


class Rolling(Struct, frozen=True):
    """What rolling with a blow spares: knockback, and a bonus against shock."""

    spared: bool
    shock: int


@rule("hyb-8-roll-with-blow")
def roll_with_blow(rules: Ruleset, agility: int = 12, modifier: int = 0, by: str = "") -> Play[Rolling]:
    """The damage is taken, but a roll on agility spares knockback and adds 5 against shock; a failed one does neither (ruling)."""
    mods = (Mod("agility", agility), Mod("wounds, pace and surroundings", modifier))
    degree = yield from skill_check(rules, check_of(mods), by, "rolling with the blow")
    yield from Tell(Checked(by, "rolling with the blow", degree.success, rules, check_of(mods), mods=mods))
    helps = degree.success or not rules.on("rolling-needs-success")
    return Rolling(degree.success, ROLLING.of(rules, "against shock") if helps else 0)


# --- the whole of it ----------------------------------------------------------------------------------------------------------


@rule("hyb-8-damage-application")
def wound(rules: Ruleset, body: Body = SOUND, blow: Blow = A_STAB, now: int = 0, by: str = "") -> Play[Body]:
    """A hit from its place and its dice through armour, fatigue and body to knockback, bleeding and shock."""
    location: Location | None = None
    if not blow.mental:
        location = yield from hit_location(rules, blow.called, by)
    rolled = blow.flat
    if blow.dice:
        rolled = yield from Roll(Sum(blow.dice, blow.flat), by, "damage")
    done = _done(rules, rolled, blow.degree, blow.times)
    points = done.value
    worn = replace(body, armour=()) if blow.past_armour else body
    hurt = apply_damage(rules, worn, points, blow.type, location or "Chest", mental=blow.mental, armour=blow.armour)
    after = replace(hurt.body, armour=body.armour) if blow.past_armour else hurt.body
    where = location or ""
    yield Tell(
        Wounded(
            body.name,
            where,
            points,
            hurt.armour,
            hurt.fatigue,
            flesh=hurt.flesh,
            mental=blow.mental,
            dead=after.dead,
            why=done,
            flat=blow.flat if blow.dice else 0,
            blocked=blow.armour,
        )
    )
    if blow.topples:
        after = replace(after, prone=True)
    if after.dead or after.pbd <= 0 or after.mbd <= 0:
        return after
    rolling = Rolling(spared=False, shock=0)
    if blow.rolled_with and body.awake:
        rolling = yield from roll_with_blow(rules, body.mag if blow.mental else body.pag, blow.rolling, body.name)
    may_fall = not after.prone and not rolling.spared and not blow.mental
    falls = may_fall and knocks_back(rules, body, hurt.fatigue, hurt.flesh, blow.type)
    then = yield from sub(_follow, rules, _bare(body, now), blow.type, blow.mental, hurt.flesh > 0, location, falls, rolling.shock)
    return replace(
        after,
        prone=after.prone or then.prone,
        bleeding=(*after.bleeding, now % bleeding_counts(rules)) if then.bleeding else after.bleeding,
        shock=then.shock,
        shock_ends=now + then.shock_ends if then.shock_ends else after.shock_ends,
        shock_mental=then.shock_mental,
    )


def _bare(body: Body, now: int) -> Body:
    """All of a body that bears on what follows from a wound, with time counted from now: the same for many wounds."""
    left, mental = max(0, body.shock_ends - now), body.shock_mental
    return Body(body.name, pst=body.pst, pen=body.pen, pag=body.pag, men=body.men, shock=body.shock, shock_ends=left, shock_mental=mental)


def _follow(
    rules: Ruleset, after: Body, type: DamageType, mental: bool, flesh: bool, location: Location | None, falls: bool, eased: int
) -> Play[Body]:
    """Knockback, bleeding and shock, each where the damage calls for it."""
    if mental:
        return (yield from system_shock(rules, after, None, mental=True, modifier=eased)) if flesh else after
    row = DAMAGE_TYPES.get(rules, type)
    if falls:
        after = yield from resist_knockback(rules, after)
    if row.bleeding and flesh:
        after = yield from resist_bleeding(rules, after)
    if flesh or row.shock:
        after = yield from system_shock(rules, after, location, mental=False, modifier=eased)
    return after
