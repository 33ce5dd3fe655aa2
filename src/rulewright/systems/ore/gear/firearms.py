"""Ballistic weapons: what they are built from, how they are fired, what they kick (book lines 4956-5050, 5140-5219)."""

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
"""Dice of somebody, where nobody says whose."""


class SkillRow(TableRow, frozen=True):
    """A class of firearms: the Narrow Skill that covers it, and the special ones."""

    gun: str
    narrow: str
    special: tuple[str, ...] = ()


class ModeRow(TableRow, frozen=True):
    """A way to fire: the weapons that can, how many attacks it allows, and whether it can be aimed."""

    mode: Mode
    fire: tuple[Fire, ...]
    shots: int
    aimed: bool
    switch: str


class AmmunitionRow(TableRow, frozen=True):
    """What a way to fire uses beside the lowest waste die: for each further shot, and for each point of Spray Rating."""

    mode: Mode
    further_shot: int = 0
    spray: int = 0


class GunRow(TableRow, frozen=True):
    """A type of firearm: its short range in metres, and how much longer a point of Power makes it."""

    gun: str
    base: int
    per_power: int


class FirearmRow(TableRow, frozen=True):
    """A firearm as the book prints it; the size of the magazine is ours."""

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
"""Rounds a minute, and the dice they spray."""
AMMUNITION = Table("ore-4.09d-opt21-ammunition", AmmunitionRow)
DAMAGE = Column("ore-4.11b-firearm-damage", "damage", DamageType, less=int)
RECOIL = Column("ore-4.11b-recoil", "mode", Mode, recoil=int)
"""What a way to fire adds to Recoil."""
CALIBRES = Column("ore-4.11b-calibre-power", "calibre", power=int)
"""A calibre and its Power."""
GUNS = Table("ore-4.11b-firearm-ranges", GunRow)
FIREARMS = Table("ore-4.11b-example-firearms", FirearmRow)


# --- what a firearm is made of ------------------------------------------------------------------------------------------------


@rule("ore-4.09d-firearm-skills")
def firearm_skills(rules: Ruleset, gun: str = "pistol") -> tuple[str, ...]:
    """The skills that cover a firearm, the widest first: small, long or heavy arms, then special ones.

    Ranged Combat is the Broad Skill above all of them.
    """
    row = SKILLS.get(rules, gun)
    return row.narrow, *row.special


@rule("ore-4.11b-calibre-power")
def calibre_power(rules: Ruleset, calibre: str = "9mm") -> int:
    """The Power of a calibre. A view of the Power of guns in fights."""
    return CALIBRES.of(rules, calibre)


@rule("ore-4.11b-firearm-damage")
def firearm_kill(rules: Ruleset, power: int = 3) -> Derived[int]:
    """What a firearm adds to Width for Kill: Power less 1, never below 0 (ruling)."""
    return power_less(power, DAMAGE.of(rules, "kill"), "Kill bonus", "ore-4.11b-firearm-damage")


@rule("ore-4.11b-firearm-damage")
def firearm_shock(rules: Ruleset, power: int = 3) -> Derived[int]:
    """What a firearm adds to Width for Shock: Power less 2, never below 0 (ruling)."""
    return power_less(power, DAMAGE.of(rules, "shock"), "Shock bonus", "ore-4.11b-firearm-damage")


@rule("ore-4.11b-firearm-ranges")
def short_range(rules: Ruleset, gun: str = "pistol", power: int = 3) -> Derived[int]:
    """The short range of a firearm, in metres: what its type has, and more for each point of Power."""
    row = GUNS.get(rules, gun)
    terms = [term("Power", power), times("metres per point", row.per_power), Reason(gun, row.base, "+", "ore-4.11b-firearm-ranges")]
    return total("Short range", *terms, rule="ore-4.11b-firearm-ranges")


@rule("ore-4.11b-firearm-ranges")
def firearm_ranges(rules: Ruleset, gun: str = "pistol", power: int = 3) -> Ranges:
    """Where short, medium and long range end: medium is twice, long four times as far as short."""
    short = short_range(rules, gun, power).value
    return Ranges(short, short * 2, short * 4)


@rule("ore-4.11b-opt23-ballistic-pen")
def ballistic_pen(rules: Ruleset, power: int = 3) -> int:
    """A bullet gets through no armour of itself, unless the campaign makes a PEN Rating of its Power."""
    return 0


@rule("ore-4.11b-opt23-ballistic-pen")
@instead_of(ballistic_pen, "ballistic-penetration")
def half_power_is_pen(rules: Ruleset, power: int = 3) -> int:
    """Half of Power, rounded up, is the PEN Rating."""
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
    """A firearm built from its type and Power; an energy weapon is one that counts charges (stand-in)."""
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
    """One of the book's firearms; damage, ranges and PEN follow from type and Power."""
    row = FIREARMS.get(rules, name)
    return firearm(rules, row.name, row.gun, row.power, row.fire, row.spray, row.magazine)


# --- how it is fired ----------------------------------------------------------------------------------------------------------


@rule("ore-4.09d-fire-modes")
def modes_of(rules: Ruleset, fire: Fire = "automatic") -> tuple[Mode, ...]:
    """How a weapon can be fired: single action weapons one shot at a time, semi-automatic ones up to three, automatic ones any way."""
    return tuple([row.mode for row in MODES(rules).values() if fire in row.fire])


@rule("ore-4.09d-fire-modes")
def check_fire(
    rules: Ruleset, fire: Fire = "automatic", mode: Mode = "semi-automatic", shots: int = 1, aimed: bool = False, called: bool = False
) -> int:
    """How many attacks are made; refuses what the weapon cannot do, and aiming or called shots with more than a single shot.

    The number of shots is announced before the roll, three at most; a semi-automatic weapon fired once is fired as single action.
    """
    row = MODES.get(rules, mode)
    if fire not in row.fire:
        raise UserError(f"{a(fire)} weapon cannot use {mode} fire, only {join(modes_of(rules, fire), 'or')}")
    if not 1 <= shots <= row.shots:
        raise UserError(f"{mode} fire allows 1 to {count(row.shots, 'shot')}, not {shots}")
    if (aimed or called) and not row.aimed and not (mode == "semi-automatic" and shots == 1):
        raise UserError(f"{mode} fire allows neither aiming nor called shots")
    return shots


@rule("ore-4.09d-fire-modes")
def semi_automatic(
    rules: Ruleset, pool: Pool = SEVEN, shots: int = 3, difficulty: int = 1, break_up: bool = True, by: str = ""
) -> Play[tuple[Set, ...]]:
    """Up to three attacks with one roll and no penalty: every set is a hit, as long as there are shots; the others are wasted.

    A wide set may be broken up for the shots that are left (ruling).

    A view of a roll for several shots in fights.
    """
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
    """The Spray Rating of a rate of fire: the row that it reaches; none below the first, and no more than the last (ruling)."""
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
    """One roll for all targets, with the Spray Rating added; each is hit by one set at most, the widest going to the first (ruling).

    A view of bursts in fights.
    """
    return (
        yield from salvo(
            rules, pool.plus(spray_dice(rules, spray, metres_between)), targets, difficulty, break_up=break_up, by=by, what="burst"
        )
    )


@rule("ore-4.09d-burst-fire")
def spray_dice(rules: Ruleset, spray: int = 4, metres_between: int = 0) -> Mod:
    """A burst adds the Spray Rating to the attack, a die less for every metre between the targets; never less than nothing."""
    return Mod("Spray Rating", max(0, spray - metres_between), "ore-4.09d-burst-fire")


# --- suppressive fire ---------------------------------------------------------------------------------------------------------


class Suppressed(NamedTuple):
    """What suppressive fire did to somebody: whether it drove him into cover, and the sets that hit him."""

    in_cover: bool
    hits: tuple[Set, ...] = ()


@rule("ore-4.09d-suppressive-fire")
def suppressive_fire(
    rules: Ruleset, spray: int = 4, dive: Pool | None = SEVEN, focus: Pool | None = None, by: str = "", victim: str = ""
) -> Play[Suppressed]:
    """An area is swept: who will not dive must dare it (`focus`), who dives needs a set (`dive`), and who does neither is shot at.

    A dive succeeds with any set, for there is no attack yet that it must stop (ruling).

    A view of suppressive fire in fights.
    """
    lying = yield from suppressing(rules, spray, by)
    dared = False
    if focus is not None:
        dared = (yield from faces_the_fire(rules, focus, spray, victim)).success
    if not dared and dive is not None and (yield from make_test(rules, dive, by=victim, what="dive for cover")).success:
        return Suppressed(in_cover=True)
    return Suppressed(in_cover=False, hits=(yield from under_fire(rules, lying, victim)))


@rule("ore-4.09d-suppressive-fire")
def suppressing(rules: Ruleset, spray: int = 4, by: str = "", base: int = 2) -> Play[tuple[Set, ...]]:
    """Two dice and the Spray Rating are laid over an area, whoever fires: every die counts, how many show each face, the most first.

    `base` is more than two where feats say so.
    """
    if not 0 <= spray <= MOST_SPRAY:
        raise UserError(f"a Spray Rating goes from 0 to {MOST_SPRAY}, not {spray}")
    return (yield from Roll(Sets(base + spray, sides(rules), loose=True), by, "suppressive fire"))


@rule("ore-4.09d-suppressive-fire")
def faces_the_fire(rules: Ruleset, focus: Pool = FIVE, spray: int = 4, by: str = "") -> Play[Outcome]:
    """Not to dive for cover takes a test of Psyche and Focus, with the Spray Rating as Difficulty."""
    return (yield from make_test(rules, focus, facing_difficulty(spray), by=by, what="facing the fire"))


@rule("ore-4.09d-suppressive-fire")
def facing_difficulty(spray: int = 4) -> int:
    """How hard it is not to dive for cover: the Spray Rating."""
    return max(1, spray)


@rule("ore-4.09d-suppressive-fire")
def under_fire(rules: Ruleset, lying: tuple[Set, ...] = ((2, 5), (1, 8)), by: str = "") -> Play[tuple[Set, ...]]:
    """Whoever is not in cover rolls as many dice as the widest set has, or one; those that match dice of the fire join them.

    Every such set is a hit. What the fire rolled alone hits nobody.
    """
    dice = max([width for width, _ in lying], default=1)
    return (yield from Roll(Joining(lying, dice, sides(rules)), by, "under fire"))


# --- ammunition ---------------------------------------------------------------------------------------------------------------


@rule("ore-4.09d-suppressive-fire")
def bullets(rules: Ruleset, mode: Mode = "burst", shots: int = 1, spray: int = 3, loaded: int = 30, waste: tuple[int, ...] = ()) -> int:
    """What an attack uses: a bullet a shot, half of what is loaded for suppressive fire, rounded up (ruling).

    What a burst uses is not printed: so many bullets a point of Spray Rating as the campaign says (ruling). Never more than is loaded.
    """
    if mode == "suppressive":
        return -(-loaded // 2)
    used = rules.number("burst-bullets") * max(1, spray) if mode == "burst" else shots
    return min(used, loaded)


@rule("ore-4.09d-opt21-ammunition")
@instead_of(bullets, "waste-ammunition")
def bullets_from_waste(
    rules: Ruleset, mode: Mode = "burst", shots: int = 1, spray: int = 3, loaded: int = 30, waste: tuple[int, ...] = (3, 5, 8, 10)
) -> int:
    """All but single shots use as many bullets as the lowest waste die shows, and more by the way of firing.

    A bullet for each shot beyond the first, the Spray Rating for a burst, twice that for suppressive fire. Without a waste die it is
    a single bullet (ruling: in all).
    """
    if mode == "single" or (mode == "semi-automatic" and shots == 1):
        return min(1, loaded)
    if not waste:
        return min(1, loaded)
    row = AMMUNITION.get(rules, mode)
    return min(min(waste) + row.further_shot * (shots - 1) + row.spray * spray, loaded)


# --- recoil -------------------------------------------------------------------------------------------------------------------


class Recoil(NamedTuple):
    """How a firearm kicks: its Recoil, the dice it takes from the attack, and Shock to the arm for every shot."""

    recoil: int
    dice: int = 0
    shock: int = 0

    @property
    def mod(self) -> Mod:
        """What it takes from the attack."""
        return Mod("Recoil", self.dice, "ore-4.11b-recoil")


@rule("ore-4.11b-recoil")
def recoil(rules: Ruleset, power: int = 3, body: int = 2, mode: Mode = "single", shots: int = 1) -> Recoil:
    """A firearm kicks with its Power, 1 more for the round with several shots and 2 more with full automatic fire.

    Every point above Body takes a die; more than two above it hurt the arm with 1 Shock each time it is fired. Suppressive fire kicks
    like a burst (ruling).
    """
    several_shots = mode != "semi-automatic" or shots > 1
    kick = power + (RECOIL.of(rules, mode) if several_shots else 0)
    over = max(0, kick - body)
    return Recoil(kick, -over, shots if over > 2 else 0)


@rule("ore-4.11b-opt24-powerless")
@instead_of(recoil, "powerless")
def no_recoil(rules: Ruleset, power: int = 3, body: int = 2, mode: Mode = "single", shots: int = 1) -> Recoil:
    """Where Power is not used nothing kicks."""
    return Recoil(0)
