"""Travel between scenes: on foot, by machine, to orbit and back, between stars and dimensions (book lines 2025-2060, 4660-4695)."""

from collections.abc import Mapping
from fractions import Fraction
from math import ceil
from typing import cast

from msgspec.structs import replace

from rulewright.campaign.activities.general import GoTo
from rulewright.campaign.calendar import HOUR, MINUTE, YEAR, read_span
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, Case, Change, Figure
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.highest_die.downtime import Recovers
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.action.movement import MOVES, Gait, fastest_of, slower
from rulewright.systems.silhouette.action.rounds import SECONDS
from rulewright.systems.silhouette.breakage.damage import NAMES, armor_met, severity_of
from rulewright.systems.silhouette.downtime.activities.machines import (
    BURN,
    MACHINE,
    RANGE,
    bench_of,
    fuel_left,
    machine_at,
    missing_machine,
    vehicle_of,
    with_fuel,
    with_wear,
)
from rulewright.systems.silhouette.downtime.activities.tasks import TEST, pool_of
from rulewright.systems.silhouette.downtime.survivors import Survivor
from rulewright.systems.silhouette.machines.design.speeds import combat_speed, kilometres_an_hour
from rulewright.systems.silhouette.machines.design.trait_effects import endurance, fuel_used
from rulewright.systems.silhouette.machines.vehicle import Movement
from rulewright.systems.silhouette.maneuver.orbit import (
    DESCENT,
    Climb,
    fire_on_hull,
    heat_this_round,
    level_after_reentry,
    reach_orbit,
    reentry_heat,
)
from rulewright.systems.silhouette.repairs.scene import damage_parked
from rulewright.systems.silhouette.resolution.tests import Mod
from rulewright.systems.silhouette.units.units import Unit

Now = Case[Survivor]
TO = GoTo.arguments[0]
KILOMETRES = Figure("kilometres", "Kilometres", low=1, high=1_000_000, default=10)


class March(GoTo):
    """Walking to another location: at a walk, slower with wounds or a load, twelve hours a day; it tires like a day of walking."""

    name = "march"
    label = "walk to"
    rules = ("sil-3.5.8-fatigue", "sil-3.2.4-carrying")
    exertion = "walking"
    hours = 12
    arguments = (TO, KILOMETRES)

    def pace(self, rules: Ruleset, case: Now) -> Fraction:
        """Metres a round."""
        gait: Gait = "crawling"
        if case.life.gait is not None:
            gait = slower("walking", slower(case.life.gait, fastest_of(rules, case.life.body)))
        over, under = MOVES.get(rules, gait).share
        return Fraction(case.life.sprint * over, under)

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        return "" if self.pace(rules, case) > 0 else f"{case.name} cannot walk"

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        pace = self.pace(rules, case)
        return case.worked(ceil(int(case.argument(KILOMETRES)) * 1000 / pace * SECONDS)) if pace else YEAR

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        yield from Tell(Recovers(case.name, f"has walked {case.argument(KILOMETRES)} km to {case.argument(TO)}"))
        return Change(case.life, location=str(case.argument(TO)))


# --- by machine ---------------------------------------------------------------------------------------------------------------

SPEED = Figure("speed", "Speed", ("combat", "top"), rule="sil-4.1.7-deployment-range")


class Trip(Activity[Survivor]):
    """A trip in a machine: the machine and who drives it arrive together."""

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        for figure in (MACHINE, TO):
            if figure in self.arguments and not given.get(figure.name):
                raise UserError(f"say which {figure.name}" if figure is MACHINE else "say where to go")

    def trouble(self, rules: Ruleset, case: Now) -> str:
        """What else keeps the machine from going; empty if nothing does."""
        return ""

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        absent = missing_machine(case)
        if absent:
            return absent
        try:
            return self.trouble(rules, case)
        except UserError as error:
            return str(error)

    def arrived(self, case: Now, said: str, used: tuple[tuple[str, int], ...] = ()) -> Play[Change[Survivor]]:
        """Both are there, with what was used up."""
        machine, to = machine_at(case), str(case.argument(TO))
        yield from Tell(Recovers(case.name, f"{said} with {machine.name}"))
        life = machine.life
        for name, amount in used:
            life = with_fuel(life, name, fuel_left(vehicle_of(case), name) - amount)
        return Change(case.life, location=to, partner=(machine.name, life), partner_location=to)


class Drive(Trip):
    """A distance by machine: as fast as its speed, and as far as its Deployment Range."""

    name = "drive"
    label = "drive, sail or fly to"
    rules = ("sil-4.1.7-deployment-range",)
    arguments = (MACHINE, TO, KILOMETRES, SPEED)
    hours = 12

    def way(self, case: Now) -> Movement:
        """The fastest way of moving on a planet."""
        ways = [way for way in vehicle_of(case).movement if way.type != "space" and not way.unpowered and way.top]
        if not ways:
            raise UserError(f"{machine_at(case).name} cannot move on a planet")
        return max(ways, key=lambda way: float(way.top))

    def used(self, rules: Ruleset, case: Now) -> int:
        """The Deployment Range that the way uses, in whole kilometres."""
        kilometres = int(case.argument(KILOMETRES))
        return ceil(fuel_used(vehicle_of(case), kilometres, case.argument(SPEED) == "top").value)

    def trouble(self, rules: Ruleset, case: Now) -> str:
        self.way(case)
        left, used = fuel_left(vehicle_of(case), RANGE), self.used(rules, case)
        return "" if left >= used else f"{used} km of range are needed, {endurance(left).value:g} are left"

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        if missing_machine(case):
            return YEAR
        try:
            way = self.way(case)
        except UserError:
            return YEAR
        points = combat_speed(float(way.top)).value if case.argument(SPEED) == "combat" else way.top
        speed = kilometres_an_hour(rules, float(points), way.type).value
        return case.worked(ceil(int(case.argument(KILOMETRES)) * HOUR / Fraction(str(speed))))

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        used = self.used(rules, case)
        said = f"has gone {case.argument(KILOMETRES)} km to {case.argument(TO)}"
        return (yield from self.arrived(case, said, ((RANGE, used),)))


class Refuel(Activity[Survivor]):
    """Filling a machine up: its whole Deployment Range and all Burn Points."""

    name = "refuel"
    label = "refuel a machine"
    rules = ("sil-4.1.7-deployment-range", "sil-4.1.7-reaction-mass")
    arguments = (MACHINE, Figure("time", "Time it takes", takes="span", default=HOUR))

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        return missing_machine(case)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return int(case.argument(self.arguments[1]))

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        machine, vehicle = machine_at(case), vehicle_of(case)
        life = with_fuel(with_fuel(machine.life, RANGE, int(vehicle.deployment)), BURN, vehicle.burn_points)
        yield from Tell(Recovers(case.name, f"refuels {machine.name}", "good"))
        return Change(case.life, partner=(machine.name, life))


# --- to orbit and back --------------------------------------------------------------------------------------------------------

ESCAPE = Figure("escape velocity", "Escape velocity in m/s", low=1, high=1_000_000, default=11_200, rule="sil-5.2.3-orbit")
GRAVITIES = Figure("gravity", "Gravity in hundredths of a g", low=1, high=10_000, default=100, rule="sil-5.2.3-orbit")
START = Figure("start", "Start", ("elsewhere", "from the equator"), rule="sil-5.2.3-orbit")
SPACE = "space"


class ClimbToOrbit(Trip):
    """An ascent to orbit: minutes of thrust, and the reaction mass of every round begun."""

    name = "climb to orbit"
    label = "climb to orbit"
    rules = ("sil-5.2.3-orbit", "sil-4.1.7-reaction-mass")
    arguments = (MACHINE, TO, ESCAPE, GRAVITIES, START)

    def climb(self, rules: Ruleset, case: Now) -> Climb:
        """The ascent as the book computes it."""
        vehicle = vehicle_of(case)
        thrust = next((way for way in vehicle.movement if way.type == SPACE), None)
        if thrust is None:
            raise UserError(f"{machine_at(case).name} has no thrust for space")
        flies = any(way.type == "air" for way in vehicle.movement)
        gravity, equator = int(case.argument(GRAVITIES)) / 100, case.argument(START) != START.words[0]
        return reach_orbit(
            float(thrust.top), int(case.argument(ESCAPE)), gravity, fuel_left(vehicle_of(case), BURN), equator=equator, flies=flies
        )

    def trouble(self, rules: Ruleset, case: Now) -> str:
        climb = self.climb(rules, case)
        needs = vehicle_of(case).reaction_mass != "none"
        return "" if climb.enough or not needs else f"{climb.burn_points} {BURN} are needed, {fuel_left(vehicle_of(case), BURN)} are left"

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        try:
            return round(self.climb(rules, case).minutes * MINUTE)
        except UserError:
            return YEAR  # it cannot go, and the obstacle says why

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        climb = self.climb(rules, case)
        used = ((BURN, climb.burn_points),) if vehicle_of(case).reaction_mass != "none" else ()
        return (yield from self.arrived(case, f"reaches orbit after {climb.minutes:g} minutes", used))


VELOCITY = Figure("velocity", "Velocity in hexes a round", low=1, high=1000, default=1, rule="sil-5.2.3-reentry")


class Reentry(Trip):
    """Ten minutes through the air: fire on the hull every round without re-entry systems, otherwise if the pilot fails every fifth.

    Damage is told and counts at once; an overkill stops the time.
    """

    name = "re-enter"
    label = "re-enter the atmosphere"
    rules = ("sil-5.2.3-reentry",)
    arguments = (MACHINE, TO, TEST, VELOCITY)

    def trouble(self, rules: Ruleset, case: Now) -> str:
        return "" if case.tests else "say which test of the sheet steers"

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return DESCENT * 30

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        machine, vehicle = machine_at(case), vehicle_of(case)
        unit = bench_of(rules, vehicle, machine.name).unit
        before, pilot = unit, pool_of(case)
        protected = unit.machine.has("reentry systems") is not None
        heat = reentry_heat(int(case.argument(VELOCITY))).value
        for number in range(1, DESCENT + 1):
            hurt = (Mod("damage", -unit.wear.maneuver, "sil-5.2.3-reentry"),)
            if (yield from heat_this_round(rules, number, protected, pilot, case.name, hurt)):
                unit = yield from self._burnt(rules, unit, heat)
            if unit.wear.destroyed:
                break
        life = with_wear(machine.life, unit) if unit != before else machine.life
        if unit.wear.destroyed:
            said = f"{machine.name} is destroyed during re-entry"
            yield from Tell(Recovers(case.name, said, "bad"))
            return Change(case.life, partner=(machine.name, life), stops=said)
        said = f"is through the re-entry at altitude level {level_after_reentry().value}, and must stop the fall,"
        change = yield from self.arrived(case, said)
        return replace(change, partner=(machine.name, life))

    def _burnt(self, rules: Ruleset, unit: Unit, heat: int) -> Play[Unit]:
        damage = yield from fire_on_hull(rules, heat, unit.machine.has("fire resistant") is not None, unit.name)
        severity = severity_of(damage.value, armor_met(unit.machine, unit.wear, "front").value)
        yield from Tell(Recovers(unit.name, f"burns during re-entry: {NAMES[severity]}", "bad" if severity != "none" else "plain"))
        if severity == "none":
            return unit
        if severity == "overkill":
            return replace(unit, wear=replace(unit.wear, destroyed="overkill"))
        return (yield from damage_parked(rules, unit, unit.name, severity == "heavy"))


# --- between stars ------------------------------------------------------------------------------------------------------------

LIGHT_YEARS = Figure("light years", "Light years", low=1, high=1_000_000, default=4, rule="sil-4.3.8-ftl")


class StarVoyage(Trip):
    """A voyage with a star drive: light years at its speed after its delay, at most as far as it reaches."""

    name = "star voyage"
    label = "travel faster than light"
    rules = ("sil-4.3.8-ftl",)
    arguments = (MACHINE, TO, LIGHT_YEARS)

    def trouble(self, rules: Ruleset, case: Now) -> str:
        drive, far = vehicle_of(case).faster_than_light, int(case.argument(LIGHT_YEARS))
        if drive is None:
            return f"{machine_at(case).name} has no star drive"
        return "" if far <= drive.reach else f"its star drive reaches {count(drive.reach, 'light year')}, not {far}"

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        drive = None if missing_machine(case) else vehicle_of(case).faster_than_light
        if drive is None:
            return YEAR
        return read_span(drive.delay) + ceil(Fraction(int(case.argument(LIGHT_YEARS)) * YEAR, drive.speed))

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        far = count(int(case.argument(LIGHT_YEARS)), "light year")
        return (yield from self.arrived(case, f"has travelled {far} to {case.argument(TO)}"))


class DimensionJump(Trip):
    """A jump into another dimension, after the delay of the drive."""

    name = "dimension jump"
    label = "jump to another dimension"
    rules = ("sil-4.3.8-dimension-drive",)
    arguments = (MACHINE, TO)

    def trouble(self, rules: Ruleset, case: Now) -> str:
        return "" if vehicle_of(case).dimension_drive is not None else f"{machine_at(case).name} has no dimension drive"

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        drive = None if missing_machine(case) else vehicle_of(case).dimension_drive
        return YEAR if drive is None else read_span(cast(str, drive.delay))

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        return (yield from self.arrived(case, f"has jumped to {case.argument(TO)}"))
