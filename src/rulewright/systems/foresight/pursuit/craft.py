"""Vehicles in use: people aboard, damage and hits (book lines 3484-3492)."""

from typing import Literal, cast

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.reading import Faces, Reading, Weights
from rulewright.dice.sums import Banded
from rulewright.errors import UserError
from rulewright.play import Event, Play, Roll, Tell, sub
from rulewright.play import Reckoned as Told
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, term, total
from rulewright.systems.foresight.gear.vehicles import PARTS, TYPES, Medium, converted, in_terrain, machine, terrain_value
from rulewright.systems.foresight.harm.body import DEAD, INCAPACITATED, Patient
from rulewright.systems.foresight.harm.damage import Blow, be_hit
from rulewright.systems.foresight.harm.events import Reckoned
from rulewright.systems.foresight.resolution.damage_classes import DamageClass, Protection, damage, parse_dc
from rulewright.systems.foresight.resolution.tests import BARELY, D10, RESULTS, Mod, Quality, Task, attempt, random_quality

LOT = 100
"""Kilograms of cargo that are as likely to be hit as a passenger."""
Harming = Literal["m", "i", "b", "collision"]
SKILLS = {"ground": "Groundcraft", "water": "Powered Watercraft", "air": "Aircraft", "space": "Spacecraft"}
OWN_SKILLS = {
    "Human (on foot)": "Athletics",
    "Human (swimming)": "Swimming",
    "Horse": "Ride",
    "Sailing Boat": "Sail",
    "Sailing Ship": "Sail",
    "Jet Pack": "Personal Flyer",
    "Fast Pack": "Personal Flyer",
    "Super Pack": "Personal Flyer",
    "Ultralight": "Personal Flyer",
}
"""Vehicles that are driven by another skill than that of their medium."""
A_PILOT = Task(12, 5)
"""A person who can fly, for rules that are asked without naming anybody."""
TWO_WHEELS = ("2-wheeled", "Dirt-bike")
ON_FOOT = ("Human (on foot)", "Human (swimming)")
SADDLES = (*ON_FOOT, "Horse", "Jet Pack", "Fast Pack", "Super Pack")
"""What one is on, and not in."""
SUBMARINES = ("Submarine", "Submersible")


class Craft(Struct, frozen=True, cache_hash=True):
    """A vehicle in use, as it goes where it is. Those aboard are in order, the operator first."""

    name: str = "the car"
    vehicle: str = "Automobile"
    acc: int = 0
    man: int = 0
    safe: float = -1
    ds: float = 3
    size: int = 0
    cruise: float | None = None
    max: float | None = None
    lots: int = 2
    """Lots of 100 kg that the cargo space holds."""
    climbs: bool = False
    """Whether it has a ceiling, or a depth, and can climb and dive."""
    fragile: bool = False
    """An aircraft or submarine: every hit counts."""
    armor: int = 0
    level: int = 0
    """Its damage level, counted as wound levels are (stand-in)."""
    aboard: tuple[Patient, ...] = ()
    open: bool = False
    """Whether those aboard can be struck at, and strike, from beside it."""

    @property
    def stopped(self) -> bool:
        """Incapacitated, or worse."""
        return self.level >= INCAPACITATED

    @property
    def wrecked(self) -> bool:
        """Destroyed."""
        return self.level >= DEAD


A_CAR = Craft(cruise=60, max=100)
"""An automobile with nobody in it, for rules that are asked without naming one."""


def craft_of(
    rules: Ruleset,
    name: str,
    vehicle: str = "Automobile",
    terrain: str = "",
    *,
    modifications: tuple[str, ...] = (),
    type: str = "",
    medium: Medium | None = None,
    aboard: tuple[Patient, ...] = (),
    armor: int = 0,
) -> Craft:
    """A vehicle with its modifications, in a terrain where one is named, its ratings made comparable to those of a medium."""
    result = machine(rules, vehicle, modifications)
    kind = type or result.types[0]
    acc, man, safe, cruise, most = result.acc, result.man, result.safe, result.cruise, result.max
    if terrain:
        going = in_terrain(rules, vehicle, terrain, modifications, kind)
        acc, man, safe, cruise, most = going.acc, going.man, going.safe, going.cruise, going.max
    own = TYPES.get(rules, kind).medium
    if medium is not None and medium != own:
        row = converted(rules, 0, 0, 0, own, to=medium)
        acc, man, safe = acc + row.acc, man + row.man, safe + row.safe
    return Craft(
        name=name,
        vehicle=vehicle,
        acc=acc,
        man=man,
        safe=safe,
        ds=result.ds,
        size=result.size,
        cruise=cruise,
        max=most,
        lots=int((result.cargo or 0) // LOT),
        climbs=result.ceiling is not None or result.space,
        fragile=own == "air" or kind in SUBMARINES,
        armor=armor,
        aboard=aboard,
        open=vehicle in SADDLES or kind in TWO_WHEELS,
    )


def driving_skill(rules: Ruleset, vehicle: str = "Automobile", type: str = "", medium: Medium | None = None) -> str:
    """The skill that operates a vehicle; among those of another medium it is the one that the comparison names."""
    if vehicle in OWN_SKILLS:
        return OWN_SKILLS[vehicle]
    kind = type or machine(rules, vehicle).types[0]
    own = TYPES.get(rules, kind).medium
    if medium is not None and medium != own:
        return converted(rules, 0, 0, 0, own, to=medium).skill
    return "Motorcycles" if kind in TWO_WHEELS else SKILLS[own]


# --- where it can go ----------------------------------------------------------------------------------------------------------


@rule("fs-vehicle-types")
def land(rules: Ruleset, vehicle: str = "Helicopter", terrain: str = "forest", piloting: Task = A_PILOT, type: str = "") -> Play[Quality]:
    """Setting an aircraft down: an Aircraft roll at a penalty of the terrain's value for its type; some terrain allows none."""
    kind = type or machine(rules, vehicle).types[0]
    if TYPES.get(rules, kind).medium != "air":
        raise UserError(f"{vehicle} is not an aircraft and cannot land")
    value = terrain_value(rules, kind, terrain).value
    return (yield from attempt(rules, piloting.plus(Mod(terrain, -value, "fs-vehicle-types")), "", "landing"))


@rule("fs-vehicle-stats")
def depth(rules: Ruleset, vehicle: str = "Minisub (TL7)", gravity: float = 1) -> Derived[float]:
    """How deep a submersible can go, in meters: the depth it withstands under Earth's gravity, divided by the gravity.

    By id only.
    """
    listed = machine(rules, vehicle).ceiling
    if listed is None or listed >= 0:
        raise UserError(f"{vehicle} cannot dive under water")
    if gravity <= 0:
        raise UserError(f"without gravity there is no depth to withstand: {gravity:g} g")
    return total("depth", term("under Earth's gravity", -listed), term("gravity", gravity, "÷"), rule="fs-vehicle-stats")


# --- hits ---------------------------------------------------------------------------------------------------------------------


class Wrecking(Event, frozen=True):
    """A hit on a vehicle."""

    name: str
    part: str
    qr: int
    levels: int
    level: int
    reckoned: Reckoned

    def headline(self) -> str:
        if not self.levels:
            return f"{self.name} is hit without damage ({self.part})"
        return f"{self.name} is hit, {self.part}: damage level {self.level}"

    def reasons(self) -> tuple[Reason, ...]:
        return (self.reckoned.levels().reason,)

    def tone(self) -> str:
        return "bad" if self.levels else "plain"


class Seat(Reading[int], frozen=True):
    """A die with a face for everybody aboard and every lot of cargo: who was hit, counted from 1; 0 is cargo."""

    people: int
    lots: int

    def sides(self) -> tuple[int, ...]:
        return (self.people + self.lots,)

    def read(self, faces: Faces) -> int:
        return faces[0] if faces[0] <= self.people else 0

    def weights(self) -> Weights[int]:
        number_by_number = dict.fromkeys(range(1, self.people + 1), 1)
        return {**number_by_number, 0: self.lots} if self.lots else number_by_number

    def explain(self, faces: Faces) -> tuple[tuple[str, int], ...]:
        return (("who was hit", faces[0]),)


@cached(64)
def part_reading(rules: Ruleset) -> Banded:
    """A d10 for the part of a vehicle that is hit."""
    return Banded(D10, tuple([(row.d10[0], row.d10[1], row.part) for row in PARTS(rules).values()]))


@rule("fs-vehicle-hit-location")
def vehicle_class(rules: Ruleset, dc: float = 12, kind: Harming = "i", ds: float = 3, armor: int = 0) -> Derived[float]:
    """The damage class against a vehicle: less its damage scale (half of it for impact, a quarter for beams) and its armor."""
    share = {"m": 1, "collision": 1, "i": 2, "b": 4}[kind]
    terms = [term("damage class", dc), term("damage scale" if share == 1 else f"damage scale / {share}", -ds / share)]
    if armor:
        terms.append(term("armor", -armor))
    return total("damage class against the vehicle", *terms, rule="fs-vehicle-hit-location")


def _written(amount: float, kind: str) -> str:
    return f"{amount:.4f}".rstrip("0").rstrip(".") + kind


@rule("fs-vehicle-hit-location")
def hit_vehicle(rules: Ruleset, craft: Craft = A_CAR, dc: str = "12i", qr: int = 3) -> Play[Craft]:
    """A hit on a vehicle (rating 0: a random one): the engine suffers, or accessories, or a person or something inside.

    The damage scale comes off the damage class and so does not divide it again (ruling). Only hits on the engine count for the
    vehicle, save in aircraft and submarines, where all do. Stun does nothing to a machine (ruling).
    """
    harm = parse_dc(dc)
    for _ in range(harm.hits):
        if qr <= BARELY and not harm.stun:
            craft = yield from sub(_one_hit, rules, craft, replace(harm, hits=1), qr)
    return craft


def _one_hit(rules: Ruleset, craft: Craft, harm: DamageClass, qr: int) -> Play[Craft]:
    rated = qr or (yield from random_quality(rules, craft.name, "damage"))
    part = yield from Roll(part_reading(rules), craft.name, "vehicle hit location")
    kind = cast(Harming, harm.type or "m")
    left = vehicle_class(rules, harm.amount, kind, craft.ds, max(0, craft.armor - harm.pierces)).value
    levels = damage(rules, left, rated).levels
    row = PARTS.get(rules, part)
    if row.aggregates or (craft.fragile and row.fragile):
        craft = replace(craft, level=craft.level + levels)
    reckoned = Reckoned(
        dc=replace(harm, amount=left), percent=RESULTS.get(rules, str(rated)).yields, ds=1, armor=Protection(), rating=rated
    )
    yield from Tell(Wrecking(name=craft.name, part=part, qr=rated, levels=levels, level=craft.level, reckoned=reckoned))
    if part != "compartment" or not (craft.aboard or craft.lots):
        return craft
    seat = yield from Roll(Seat(len(craft.aboard), craft.lots), craft.name, "who is hit")
    whom = f"hits {craft.aboard[seat - 1].name}" if seat else "hits the cargo"
    drawn = Reason("aboard: who is hit, counted from 1 (0: cargo)", seat, "=", "fs-vehicle-hit-location")
    yield from Tell(Told(f"The shot at {craft.name}", whom, "bad" if seat else "plain", (drawn,)))
    if not seat:
        return craft
    return (yield from hurt_aboard(rules, craft, _written(left, harm.type), rated, seat - 1))


def hurt_aboard(rules: Ruleset, craft: Craft, dc: str, qr: int = 0, seat: int | None = None) -> Play[Craft]:
    """Everybody aboard, or who sits in this seat, suffers a damage class, with a random rating where none is given."""
    people = list(craft.aboard)
    for number, body in enumerate(people):
        if (seat is None or seat == number) and not body.dead:
            people[number] = yield from sub(be_hit, rules, body, Blow(dc, qr))
    return replace(craft, aboard=tuple(people))
