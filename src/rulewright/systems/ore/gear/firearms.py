"""Firearms: construction, fire modes and recoil (book lines 4956-5050, 5140-5219)."""

from typing import Literal, NamedTuple

from rulewright.dice.sets import Set, Sets
from rulewright.errors import UserError
from rulewright.grammar import a, count, join
from rulewright.play import Play, Roll
from rulewright.rules import Column, Ruleset, Table, TableRow, instead_of, rule
from rulewright.rules.reasons import Derived, Reason, term, times, total
from rulewright.systems.ore.gear.missiles import DamageType, Ranges, power_less
from rulewright.systems.ore.gear.weapons import Fire, Weapon, without_power
from rulewright.systems.ore.resolution.outcomes import Outcome, sides, without_dice
from rulewright.systems.ore.resolution.salvos import Joining, several
from rulewright.systems.ore.resolution.tests import Mod, Pool, make_test

Mode = Literal["single", "semi-automatic", "burst", "suppressive"]
MOST_SPRAY = 10
FIVE, SEVEN = Pool(5), Pool(7)
"""A default pool."""


class SkillRow(TableRow, frozen=True):
    """A class of firearms with its Narrow Skill and special skills."""

    gun: str
    narrow: str
    special: tuple[str, ...] = ()


class ModeRow(TableRow, frozen=True):
    """A fire mode: weapons, number of attacks, and whether it can be aimed."""

    mode: Mode
    fire: tuple[Fire, ...]
    shots: int
    aimed: bool
    switch: str


class AmmunitionRow(TableRow, frozen=True):
    """Ammunition of a fire mode besides the lowest waste die: per further shot and per point of Spray Rating."""

    mode: Mode
    further_shot: int = 0
    spray: int = 0


class GunRow(TableRow, frozen=True):
    """A type of firearm: short range in metres, plus metres per point of Power."""

    gun: str
    base: int
    per_power: int


class FirearmRow(TableRow, frozen=True):
    """A firearm of the book; the magazine size is ours."""

    name: str
    gun: str
    fire: Fire
    power: int
    kill: int
    shock: int
    short: int
    pen: int
    spray: int = 0
    magazine: int = 0


SKILLS = Table("ore-4.09d-firearm-skills", SkillRow)
MODES = Table("ore-4.09d-fire-modes", ModeRow)
SPRAYS = Column("ore-4.09d-spray-rating", "rpm", int, spray=int)
"""Rounds per minute and Spray Rating."""
AMMUNITION = Table("ore-4.09d-opt21-ammunition", AmmunitionRow)
DAMAGE = Column("ore-4.11b-firearm-damage", "damage", DamageType, less=int)
RECOIL = Column("ore-4.11b-recoil", "mode", Mode, recoil=int)
"""Recoil added by a fire mode."""
CALIBRES = Column("ore-4.11b-calibre-power", "calibre", power=int)
"""A calibre and its Power."""
GUNS = Table("ore-4.11b-firearm-ranges", GunRow)
FIREARMS = Table("ore-4.11b-example-firearms", FirearmRow)


# --- what a firearm is made of ------------------------------------------------------------------------------------------------


@rule("ore-4.09d-firearm-skills")
def firearm_skills(rules: Ruleset, gun: str = "pistol") -> tuple[str, ...]:
    """The skills for a firearm, widest first: small, long or heavy arms, then special ones. Ranged Combat is their Broad Skill."""
    row = SKILLS.get(rules, gun)
    return row.narrow, *row.special


@rule("ore-4.11b-calibre-power")
def calibre_power(rules: Ruleset, calibre: str = "9mm") -> int:
    """The Power of a calibre. A view of the Power of guns in fights."""
    return CALIBRES.of(rules, calibre)


@rule("ore-4.11b-firearm-damage")
def firearm_kill(rules: Ruleset, power: int = 3) -> Derived[int]:
    """The Kill bonus of a firearm: Power minus 1, at least 0 (ruling)."""
    return power_less(power, DAMAGE.of(rules, "kill"), "Kill bonus", "ore-4.11b-firearm-damage")


@rule("ore-4.11b-firearm-damage")
def firearm_shock(rules: Ruleset, power: int = 3) -> Derived[int]:
    """The Shock bonus of a firearm: Power minus 2, at least 0 (ruling)."""
    return power_less(power, DAMAGE.of(rules, "shock"), "Shock bonus", "ore-4.11b-firearm-damage")


@rule("ore-4.11b-firearm-ranges")
def short_range(rules: Ruleset, gun: str = "pistol", power: int = 3) -> Derived[int]:
    """The short range of a firearm in metres: by type and Power."""
    row = GUNS.get(rules, gun)
    terms = [term("Power", power), times("metres per point", row.per_power), Reason(gun, row.base, "+", "ore-4.11b-firearm-ranges")]
    return total("Short range", *terms, rule="ore-4.11b-firearm-ranges")


@rule("ore-4.11b-firearm-ranges")
def firearm_ranges(rules: Ruleset, gun: str = "pistol", power: int = 3) -> Ranges:
    """Short, medium and long range: medium is twice, long four times short."""
    short = short_range(rules, gun, power).value
    return Ranges(short, short * 2, short * 4)


@rule("ore-4.11b-opt23-ballistic-pen")
def ballistic_pen(rules: Ruleset, power: int = 3) -> int:
    """The PEN of bullets: none without the option."""
    return 0


@rule("ore-4.11b-opt23-ballistic-pen")
@instead_of(ballistic_pen, "ballistic-penetration")
def half_power_is_pen(rules: Ruleset, power: int = 3) -> int:
    """PEN is half of Power, rounded up."""
    return -(-power // 2)


@rule("ore-4.11b-firearm-damage")
def firearm(
    rules: Ruleset,
    name: str = "pistol",
    gun: str = "pistol",
    power: int = 1,
    fire: Fire = "semi-automatic",
    spray: int = 0,
    magazine: int = 0,
    energy: bool = False,
    heavy: bool = False,
) -> Weapon:
    """A firearm from type and Power; energy weapons count charges (stand-in)."""
    if spray and fire != "automatic":
        raise UserError(f"{a(fire)} {name} has no Spray Rating")
    if not 0 <= spray <= MOST_SPRAY:
        raise UserError(f"a Spray Rating goes from 0 to {MOST_SPRAY}, not {spray}")
    fixed = without_power(rules, name)
    return Weapon(
        name,
        "energy" if energy else "ballistic",
        "energy" if energy else "ballistics",
        ("laser weapons", "plasma weapons", "sonic weapons") if energy else firearm_skills(rules, "heavy weapon" if heavy else gun),
        power,
        firearm_kill(rules, power).value if fixed is None else fixed.kill,
        firearm_shock(rules, power).value if fixed is None else fixed.shock,
        ballistic_pen(rules, power),
        ("E",) if energy else ("B",),
        gun=GUNS.get(rules, gun).gun,
        fire=fire,
        spray=spray,
        magazine=magazine,
    )


@rule("ore-4.11b-example-firearms")
def example_firearm(rules: Ruleset, name: str = "m-16") -> Weapon:
    """A firearm of the book; damage, ranges and PEN follow from type and Power."""
    row = FIREARMS.get(rules, name)
    return firearm(rules, row.name, row.gun, row.power, row.fire, row.spray, row.magazine)


# --- how it is fired ----------------------------------------------------------------------------------------------------------


@rule("ore-4.09d-fire-modes")
def modes_of(rules: Ruleset, fire: Fire = "automatic") -> tuple[Mode, ...]:
    """Fire modes: single action weapons fire one shot, semi-automatic ones up to three, automatic ones any way."""
    return tuple([row.mode for row in MODES(rules).values() if fire in row.fire])


@rule("ore-4.09d-fire-modes")
def check_fire(
    rules: Ruleset, fire: Fire = "automatic", mode: Mode = "semi-automatic", shots: int = 1, aimed: bool = False, called: bool = False
) -> int:
    """The number of attacks; refuses impossible modes, and aiming or called shots with several shots. Up to three shots are announced
    before the roll."""
    row = MODES.get(rules, mode)
    if fire not in row.fire:
        raise UserError(f"{a(fire)} weapon cannot use {mode} fire, only {join(modes_of(rules, fire), 'or')}")
    if not 1 <= shots <= row.shots:
        raise UserError(f"{mode} fire allows {'' if row.shots == 1 else '1 to '}{count(row.shots, 'shot')}, not {shots}")
    if (aimed or called) and not row.aimed and not (mode == "semi-automatic" and shots == 1):
        raise UserError(f"{mode} fire allows neither aiming nor called shots")
    return shots


@rule("ore-4.09d-fire-modes")
def semi_automatic(
    rules: Ruleset, pool: Pool = SEVEN, shots: int = 3, difficulty: int = 1, break_up: bool = True, by: str = ""
) -> Play[tuple[Set, ...]]:
    """Up to three attacks with one roll without penalty: every set is a hit while shots last. Wide sets may be broken up (ruling). A
    view of several shots in fights."""
    check_fire(rules, "semi-automatic", "semi-automatic", shots)
    return (yield from salvo(rules, pool, shots, difficulty, break_up=break_up, by=by, what=f"{shots} shots"))


def salvo(rules: Ruleset, pool: Pool, most: int, difficulty: int, *, break_up: bool = True, by: str, what: str) -> Play[tuple[Set, ...]]:
    """One roll for several shots: the sets that hit."""
    read = several(rules, pool, most, difficulty, break_up)
    if read is None:
        lucky = yield from without_dice(rules, by, what)
        return ((lucky.width, lucky.height),) if lucky.success else ()
    return (yield from Roll(read, by, what))


@rule("ore-4.09d-spray-rating")
def spray_rating(rules: Ruleset, rpm: int = 600) -> int:
    """The Spray Rating of a rate of fire: the row it reaches (ruling)."""
    return max([spray for least, spray in SPRAYS.numbered(rules).items() if least <= rpm], default=0)


@rule("ore-4.09d-burst-fire")
def burst_fire(
    rules: Ruleset,
    pool: Pool = FIVE,
    spray: int = 4,
    targets: int = 1,
    metres_between: int = 0,
    difficulty: int = 1,
    break_up: bool = True,
    by: str = "",
) -> Play[tuple[Set, ...]]:
    """One roll for all targets plus Spray Rating; each is hit by at most one set, the widest first (ruling). A view of bursts in fights."""
    return (
        yield from salvo(
            rules, pool.plus(spray_dice(rules, spray, metres_between)), targets, difficulty, break_up=break_up, by=by, what="burst"
        )
    )


@rule("ore-4.09d-burst-fire")
def spray_dice(rules: Ruleset, spray: int = 4, metres_between: int = 0) -> Mod:
    """A burst adds the Spray Rating, minus a die per metre between targets, at least 0."""
    return Mod("Spray Rating", max(0, spray - metres_between), "ore-4.09d-burst-fire")


# --- suppressive fire ---------------------------------------------------------------------------------------------------------


class Suppressed(NamedTuple):
    """The result of suppressive fire for a person: in cover or not, and the sets that hit."""

    in_cover: bool
    hits: tuple[Set, ...] = ()


@rule("ore-4.09d-suppressive-fire")
def suppressive_fire(
    rules: Ruleset, spray: int = 4, dive: Pool | None = SEVEN, focus: Pool | None = None, by: str = "", victim: str = ""
) -> Play[Suppressed]:
    """Suppressive fire: a person who does not dive must dare it (`focus`), a dive needs a set (`dive`), all others are shot at. Any set
    is enough for a dive (ruling). A view of suppressive fire in fights."""
    lying = yield from suppressing(rules, spray, by)
    dared = False
    if focus is not None:
        dared = (yield from faces_the_fire(rules, focus, spray, victim)).success
    if not dared and dive is not None and (yield from make_test(rules, dive, by=victim, what="dive for cover")).success:
        return Suppressed(in_cover=True)
    return Suppressed(in_cover=False, hits=(yield from under_fire(rules, lying, victim)))


@rule("ore-4.09d-suppressive-fire")
def suppressing(rules: Ruleset, spray: int = 4, by: str = "", base: int = 2) -> Play[tuple[Set, ...]]:
    """Rolls two dice plus Spray Rating over an area: every die counts, by number per face. Feats may raise `base`."""
    if not 0 <= spray <= MOST_SPRAY:
        raise UserError(f"a Spray Rating goes from 0 to {MOST_SPRAY}, not {spray}")
    return (yield from Roll(Sets(base + spray, sides(rules), loose=True), by, "suppressive fire"))


@rule("ore-4.09d-suppressive-fire")
def faces_the_fire(rules: Ruleset, focus: Pool = FIVE, spray: int = 4, by: str = "") -> Play[Outcome]:
    """Facing the fire needs Psyche and Focus, with the Spray Rating as Difficulty."""
    return (yield from make_test(rules, focus, facing_difficulty(spray), by=by, what="facing the fire"))


@rule("ore-4.09d-suppressive-fire")
def facing_difficulty(spray: int = 4) -> int:
    """The Difficulty to face the fire: the Spray Rating."""
    return max(1, spray)


@rule("ore-4.09d-suppressive-fire")
def under_fire(rules: Ruleset, lying: tuple[Set, ...] = ((2, 5), (1, 8)), by: str = "") -> Play[tuple[Set, ...]]:
    """A person without cover rolls as many dice as the widest set, or one; dice that match the fire join it. Every such set is a hit;
    sets of the fire alone hit nobody."""
    dice = max([width for width, _ in lying], default=1)
    return (yield from Roll(Joining(lying, dice, sides(rules)), by, "under fire"))


# --- ammunition ---------------------------------------------------------------------------------------------------------------


@rule("ore-4.09d-suppressive-fire")
def bullets(rules: Ruleset, mode: Mode = "burst", shots: int = 1, spray: int = 3, loaded: int = 30, waste: tuple[int, ...] = ()) -> int:
    """Ammunition of an attack: one per shot, half of the magazine for suppressive fire, rounded up (ruling), and a burst by the setting
    burst-bullets (ruling). At most what is loaded."""
    if mode == "suppressive":
        return -(-loaded // 2)
    used = rules.number("burst-bullets") * max(1, spray) if mode == "burst" else shots
    return min(used, loaded)


@rule("ore-4.09d-opt21-ammunition")
@instead_of(bullets, "waste-ammunition")
def bullets_from_waste(
    rules: Ruleset, mode: Mode = "burst", shots: int = 1, spray: int = 3, loaded: int = 30, waste: tuple[int, ...] = (3, 5, 8, 10)
) -> int:
    """Except for single shots, the lowest waste die is the number of bullets, plus more by mode: one per further shot, the Spray Rating
    for a burst, twice that for suppressive fire. Without a waste die it is one bullet (ruling)."""
    if mode == "single" or (mode == "semi-automatic" and shots == 1):
        return min(1, loaded)
    if not waste:
        return min(1, loaded)
    row = AMMUNITION.get(rules, mode)
    return min(min(waste) + row.further_shot * (shots - 1) + row.spray * spray, loaded)


# --- recoil -------------------------------------------------------------------------------------------------------------------


class Recoil(NamedTuple):
    """Recoil: its value, dice lost, and Shock to the arm per shot."""

    recoil: int
    dice: int = 0
    shock: int = 0

    @property
    def mod(self) -> Mod:
        """The penalty on the attack."""
        return Mod("Recoil", self.dice, "ore-4.11b-recoil")


@rule("ore-4.11b-recoil")
def recoil(rules: Ruleset, power: int = 3, body: int = 2, mode: Mode = "single", shots: int = 1) -> Recoil:
    """Recoil is Power, +1 for several shots, +2 for full automatic fire. Each point above Body costs a die; more than two above deal 1
    Shock to the arm per shot. Suppressive fire counts as a burst (ruling)."""
    several_shots = mode != "semi-automatic" or shots > 1
    kick = power + (RECOIL.of(rules, mode) if several_shots else 0)
    over = max(0, kick - body)
    return Recoil(kick, -over, shots if over > 2 else 0)


@rule("ore-4.11b-opt24-powerless")
@instead_of(recoil, "powerless")
def no_recoil(rules: Ruleset, power: int = 3, body: int = 2, mode: Mode = "single", shots: int = 1) -> Recoil:
    """Without Power there is no recoil."""
    return Recoil(0)
