"""Throwing: range, deviation and grenades (book lines 2404-2452)."""

from math import cos, radians, sin

from msgspec import Struct

from rulewright.dice.highest import Total
from rulewright.dice.sums import sum_of as sum_of_dice
from rulewright.errors import UserError
from rulewright.grammar import figure
from rulewright.highest_die.harm import hit_outcome
from rulewright.play import Event, Play, Roll, Tell, Together, came_to, sub
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, less, rounded_up, term, times, total
from rulewright.systems.silhouette.combat.close_combat import entangle
from rulewright.systems.silhouette.combat.ranged_attacks import Band, range_band
from rulewright.systems.silhouette.gear.items import GRENADES, Archaic, Melee, snare_threshold, weapon
from rulewright.systems.silhouette.harm.body import AVERAGE, Location, Patient
from rulewright.systems.silhouette.harm.damage import HURTING, SNARING, Hit, Nature, damage, take_hit
from rulewright.systems.silhouette.people.secondary_attributes import body_mass
from rulewright.systems.silhouette.resolution.dice_options import converted
from rulewright.systems.silhouette.resolution.modifiers import throwing_range
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, roll_of, rolled, settled, sum_of

_ID, _GRENADES = "sil-3.4.4-throwing", "sil-3.4.4-grenades"
TWO_DICE = Pool(2)
"""Default pool."""

# --- how far, and with how many hands -----------------------------------------------------------------------------------------


@rule(_ID)
def throwing_band(rules: Ruleset, metres: float, strength: int = 0, kilograms: float = 1) -> Band:
    """Returns the range band of a throw: short range is Strength + 5 metres up to a kilogram, divided by the weight above that, and each
    further band doubles it. An item that flies at most one metre is always at short range.

    A view of `short_range`.
    """
    short = throwing_range(rules, strength, kilograms)
    if short > 0:
        return range_band(rules, metres, short)
    if metres > 1:
        raise UserError(f"with Strength {strength:+} you can throw {figure(kilograms)} kg one metre at most, not {figure(metres)} m")
    return "short range"


@rule(_ID)
def hands_needed(rules: Ruleset, kilograms: float, body_kilograms: float | None = None, build: int = 0) -> int:
    """Returns the hands needed to throw: one up to a quarter of the thrower's weight, two above; a Build weighs the middle of its row.

    By id only.
    """
    low, high = body_mass(rules, build)
    own = body_kilograms if body_kilograms is not None else (low + high) / 2
    return 2 if kilograms > own / 4 else 1


@rule(_ID)
def thrown_multiplier(kilograms: float, armed_damage: int = 3, bonus: int = 0) -> Derived[int]:
    """Returns the Damage Multiplier of a thrown item: its weight in whole kilograms, rounded up (ruling), + Armed Damage + its own
    bonus.

    By id only.
    """
    return total(
        "Damage Multiplier",
        term("kilograms", max(0.0, kilograms)),
        rounded_up(),
        term("Armed Damage", armed_damage),
        term("made for throwing", bonus),
        rule=_ID,
    )


class Missile(Struct, frozen=True, cache_hash=True):
    """An item to throw: its weight, its modifiers to damage and to the roll, its range."""

    name: str = "stone"
    kilograms: float = 1
    bonus: int = 0
    accuracy: int = 0
    short: int | None = None
    """Its own short range, if it flies farther than other items."""
    nature: Nature = "plain"

    @classmethod
    def of(cls, rules: Ruleset, name: str, strength: int = 0) -> "Missile":
        """Returns a throwing weapon of the book's tables; its damage already includes its weight (ruling)."""
        row = weapon(rules, name)
        if isinstance(row, Melee) and row.thrown:
            short = row.thrown_base + strength if row.thrown_base is not None else None
            nature: Nature = "blunt" if row.kind == "blunt" else "stabbing" if row.kind == "piercing" else "plain"
            return cls(name, 0, row.damage, row.accuracy + row.thrown_accuracy, short, nature)
        if isinstance(row, Archaic) and (row.thrown or row.skill == "throwing"):
            return cls(name, 0, row.damage, row.accuracy, row.range or None)
        raise UserError(f"{name} is not made to be thrown")


# --- where it lands -----------------------------------------------------------------------------------------------------------


class Landing(Struct, frozen=True):
    """Where a thrown item landed: metres off the target, and the direction in degrees clockwise from straight ahead; 180 is back."""

    on_target: bool
    margin: int = 0
    metres: int = 0
    direction: int = 0
    fumble: bool = False

    def point(self, thrower: tuple[float, float], mark: tuple[float, float]) -> tuple[float, float]:
        """Returns the landing place from the places of thrower and target, in metres east and north."""
        if not self.metres:
            return mark
        east, north = mark[0] - thrower[0], mark[1] - thrower[1]
        length = (east * east + north * north) ** 0.5
        ahead = (east / length, north / length) if length else (0.0, 1.0)
        turn = radians(self.direction)
        side = (ahead[0] * cos(turn) + ahead[1] * sin(turn), -ahead[0] * sin(turn) + ahead[1] * cos(turn))
        return mark[0] + self.metres * side[0], mark[1] + self.metres * side[1]


@rule(_ID)
def ground_threshold(rules: Ruleset) -> int:
    """Returns the Threshold to hit a spot on the ground: 1, like an object (ruling "spot-threshold"). With the modifier for standing
    still it would be 0, and nobody could miss."""
    return rules.number("spot-threshold")


class Threw(Event, frozen=True, kw_only=True):
    """A throw, where it landed, and the damage of a hit."""

    thrower: str
    at: str
    pool: Pool
    came: Total
    guard: Pool | None = None
    defense: Total | None = None
    threshold: int = 0
    landing: Landing
    safe: bool = False
    damage: Derived[int] | None = None

    def headline(self) -> str:
        landing = self.landing
        if self.safe:
            return f"{self.thrower} throws at {self.at} and misses: the target is fully hidden"
        if landing.on_target:
            force = "" if landing.margin or self.at == THE_MARK else " without force"
            return f"{self.thrower} throws and hits {self.at}{f' by {landing.margin}' if landing.margin else ''}{force}"
        where = "back towards the thrower" if landing.fumble else f"off, {landing.direction} degrees from straight ahead"
        return f"{self.thrower} throws and misses {self.at}: {landing.metres} m {where}"

    def reasons(self) -> tuple[Reason, ...]:
        result = Reason("Threshold", self.threshold, "against", _ID)
        if self.guard is not None and self.defense is not None:
            result = sum_of("defense", self.guard, self.defense, "against", _ID)
        done = [self.damage.reason] if self.damage is not None else []
        landing = self.landing
        if not (self.safe or landing.on_target or landing.fumble):  # 2414
            turned = (term("direction die", landing.direction // 60 + 1), less("straight ahead", 1), times("degrees", 60))
            done.append(total("direction in degrees", *turned, rule=_ID).reason)
        return (sum_of("throw", self.pool, self.came, "=", _ID), result, *done)

    def tone(self) -> str:
        return "bad" if self.landing.on_target else "plain"


THE_MARK = "the mark"


@rule(_ID)
def throw(
    rules: Ruleset,
    attack: Pool = TWO_DICE,
    defense: Pool | None = None,
    threshold: int = 0,
    by: str = "",
    at: str = THE_MARK,
    aimed: bool = False,
    multiplier: int = 0,
    safe: bool = False,
) -> Play[Landing]:
    """Plays a throw: a total equal to the defense, or to the Threshold of a target that does not defend, already hits.

    A lower total deviates by that many metres in a random direction; a fumble deviates toward the thrower (ruling: straight back), at a
    spot by at least a metre (ruling "fumbled-throws"). With aiming, no fumble counts. A `safe` target cannot be hit; `multiplier` is the
    damage shown for a hit.
    """
    thrown, met = roll_of(rules, attack, by, "throwing"), None
    if defense is None:
        number, result = converted(rules, threshold), settled(rules, attack, (yield from thrown))
    else:
        pair = yield from Together((thrown, roll_of(rules, defense, at, "defense")))
        result, met = settled(rules, attack, pair[0]), settled(rules, defense, pair[1])
        number = met.total
    fumbled, margin = result.fumble and not aimed, result.total - number  # 2414, and 2358: ignored while aiming
    if fumbled and margin >= 0 and defense is None and at == THE_MARK and rules.word("fumbled-throws") == "at least a metre":  # 2414
        margin = -1
    if safe:
        landing = Landing(False)
    elif margin >= 0:
        landing = Landing(True, margin, fumble=fumbled)
    elif fumbled:  # 2414: towards the thrower
        landing = Landing(False, margin, -margin, 180, True)
    else:
        landing = Landing(False, margin, -margin, 60 * ((yield from Roll(sum_of_dice(1, 6), by, "direction")) - 1))
    done = damage(rules, multiplier, margin) if landing.on_target and multiplier and margin > 0 else None
    told = Threw(
        thrower=by or "the thrower",
        at=at,
        pool=attack,
        came=result,
        guard=defense,
        defense=met,
        threshold=number,
        landing=landing,
        safe=safe,
        damage=done,
    )
    yield from Tell(told)
    return landing


class Thrown(Struct, frozen=True):
    """Where an item landed, and its effect on the target."""

    victim: Patient
    landing: Landing


@rule(_ID)
def throw_at(
    rules: Ruleset,
    attack: Pool = TWO_DICE,
    defense: Pool | None = None,
    threshold: int = 0,
    multiplier: int = 4,
    victim: Patient = AVERAGE,
    nature: Nature = "plain",
    by: str = "",
    snare: int | None = None,
    location: Location | None = None,
    aimed: bool = False,
    safe: bool = False,
) -> Play[Thrown]:
    """Throws an item at a target: a hit does the Damage Multiplier times the margin, or entangles; `snare` is then added to the margin
    for the Threshold to get free."""
    force = 0 if snare is not None else multiplier
    landing = yield from sub(throw, rules, attack, defense, threshold, by, victim.name, aimed or location is not None, force, safe)
    if snare is not None:
        caught = (yield from entangle(victim, snare_threshold(snare, landing.margin))) if landing.on_target else victim
        yield came_to("entangled" if landing.on_target else "miss", SNARING, by, victim.name)
        return Thrown(caught, landing)
    if not landing.on_target or not landing.margin:
        yield came_to("nothing" if landing.on_target else "miss", HURTING, by, victim.name)
        return Thrown(victim, landing)
    after = yield from sub(take_hit, rules, victim, Hit(damage(rules, multiplier, landing.margin).value, location, False, nature))
    yield came_to(hit_outcome(victim, after), HURTING, by, victim.name)
    return Thrown(after, landing)


# --- grenades -----------------------------------------------------------------------------------------------------------------


class Blast(Struct, frozen=True, cache_hash=True):
    """A grenade: two multipliers and two radii; inside the inner one both count."""

    name: str = "fragmentation"
    damage: int = 26
    radius: float = 8
    outer_damage: int = 14
    outer_radius: float = 30
    fills: str = ""
    """What fills the outer area, or burns in the inner one."""
    rounds: int = 0
    intensity: int = 0

    @classmethod
    def of(cls, rules: Ruleset, name: str) -> "Blast":
        """Returns a grenade of the book's table."""
        row = GRENADES.get(rules, name.removesuffix(" grenade"))
        return cls(row.grenade, row.damage, row.radius, row.outer_damage, row.outer_radius, row.fills, row.rounds, row.intensity)

    def multipliers(self, metres: float) -> tuple[int, ...]:
        """Returns the multipliers at this distance; none beyond its reach."""
        if metres <= self.radius:
            return tuple([number for number in (self.damage, self.outer_damage) if number])
        return (self.outer_damage,) if self.outer_damage and metres <= self.outer_radius else ()


FRAGMENTS = Blast()


class Caught(Struct, frozen=True, cache_hash=True):
    """A person near a grenade: the distance, and the defense pool or the Threshold if unaware."""

    victim: Patient
    metres: float
    defense: Pool | None = None
    threshold: int = 1


class Exploded(Struct, frozen=True):
    """Result of an explosion for those near it, in the given order; `defended` lists those who lost a readied action."""

    dud: bool
    timing: int
    victims: tuple[Patient, ...]
    defended: tuple[str, ...] = ()


SECONDARY = Mod("at the edge of the blast", 1, _GRENADES)


class WentOff(Event, frozen=True):
    """A grenade explodes or not: the timing roll."""

    pool: Pool
    came: Total
    dud: bool = False

    def headline(self) -> str:
        return "The grenade does not explode" if self.dud else f"The grenade explodes (timing {self.came.total})"

    def reasons(self) -> tuple[Reason, ...]:
        return (sum_of("timing", self.pool, self.came, "=", _GRENADES),)

    def tone(self) -> str:
        return "plain" if self.dud else "bad"


class Blasted(Event, frozen=True, kw_only=True):
    """A person near an explosion: the defense against its timing, and the damage of every area that counts."""

    name: str
    timing: int
    guard: Pool | None = None
    defense: Total | None = None
    threshold: int = 1
    damages: tuple[Derived[int], ...] = ()

    def headline(self) -> str:
        return f"{self.name} is caught in the explosion" if self.damages else f"{self.name} escapes the explosion"

    def reasons(self) -> tuple[Reason, ...]:
        result = Reason("Threshold", self.threshold, "against", _GRENADES)
        if self.guard is not None and self.defense is not None:
            result = sum_of("defense", self.guard, self.defense, "against", _GRENADES)
        return (Reason("timing", self.timing, "=", _GRENADES), result, *[done.reason for done in self.damages])

    def tone(self) -> str:
        return "bad" if self.damages else "good"


@rule(_GRENADES)
def explode(
    rules: Ruleset, timing: Pool = TWO_DICE, blast: Blast = FRAGMENTS, caught: tuple[Caught, ...] = (), by: str = ""
) -> Play[Exploded]:
    """Rolls the timing, with the modifiers of the throw; a fumble is a dud (ruling "dud-grenades").

    Everybody in range defends once against it, with +1 in the outer area; each multiplier that counts there, times the margin, is a
    separate hit (ruling). A defender loses a readied action.
    """
    result = yield from rolled(rules, timing, by, "timing")
    dud = result.fumble and rules.on("dud-grenades")  # 2451
    yield from Tell(WentOff(timing, result, dud))
    if dud:
        return Exploded(True, result.total, tuple([item.victim for item in caught]))
    victims, defended = [], []
    for candidate in caught:
        victims.append((yield from sub(caught_in_blast, rules, result.total, blast, candidate)))
        if candidate.defense is not None and blast.multipliers(candidate.metres):
            defended.append(candidate.victim.name)
    return Exploded(False, result.total, tuple(victims), tuple(defended))


@rule(_GRENADES)
def caught_in_blast(rules: Ruleset, timing: int, blast: Blast, caught: Caught) -> Play[Patient]:
    """Plays one person near an explosion: defense, or the Threshold if unaware, against the timing; then the damage."""
    multipliers = blast.multipliers(caught.metres)
    if not multipliers:
        return caught.victim
    victim, number, pool, met = caught.victim, converted(rules, caught.threshold), caught.defense, None
    if pool is not None:
        pool = pool.plus(SECONDARY) if caught.metres > blast.radius else pool
        met = yield from rolled(rules, pool, victim.name, "defense against the blast")
        number = met.total
    done = tuple([damage(rules, multiplier, timing - number) for multiplier in multipliers]) if timing > number else ()
    yield from Tell(Blasted(name=victim.name, timing=timing, guard=pool, defense=met, threshold=number, damages=done))
    for derived in done:
        victim = yield from sub(take_hit, rules, victim, Hit(derived.value, by="concussion"))
    return victim


class Lobbed(Struct, frozen=True):
    """Where a grenade landed, and the result of its explosion."""

    landing: Landing
    blast: Exploded


@rule(_GRENADES)
def lob(
    rules: Ruleset,
    attack: Pool = TWO_DICE,
    blast: Blast = FRAGMENTS,
    thrower: tuple[float, float] = (0, 0),
    mark: tuple[float, float] = (0, 10),
    people: tuple[tuple[Caught, tuple[float, float]], ...] = (),
    by: str = "",
) -> Play[Lobbed]:
    """Throws or launches a grenade at a spot: one roll for the place, and the same pool again for the timing.

    A view of `throw`.
    """
    landing = yield from throw(rules, attack, None, ground_threshold(rules), by)
    at = landing.point(thrower, mark)
    near = tuple([caught_at(caught, place, at) for caught, place in people])
    return Lobbed(landing, (yield from explode(rules, attack, blast, near, by)))


def caught_at(caught: Caught, place: tuple[float, float], blast: tuple[float, float]) -> Caught:
    """Returns a person near an explosion at the distance of a place."""
    metres = ((place[0] - blast[0]) ** 2 + (place[1] - blast[1]) ** 2) ** 0.5
    return Caught(caught.victim, round(metres, 3), caught.defense, caught.threshold)
