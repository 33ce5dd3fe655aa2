"""Long distance travel: legs, speeds, getting lost, mishaps (book lines 3338-3382)."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.limits import bound
from rulewright.errors import UserError
from rulewright.grammar import figure
from rulewright.play import Event, Play, Reckoned, Tell, sub
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Reason
from rulewright.systems.foresight.gear.vehicles import ACCIDENTS, TRAVEL
from rulewright.systems.foresight.harm.body import Patient
from rulewright.systems.foresight.pursuit.craft import A_CAR, ON_FOOT, Craft, hurt_aboard
from rulewright.systems.foresight.pursuit.safety import A_DRIVER
from rulewright.systems.foresight.resolution.tests import BOTCH, FAILURE, Mod, Task, attempt

MOST_LEGS = 100


class Wrenched(Event, frozen=True):
    """How a mishap on the road went off."""

    name: str
    qr: int
    result: str
    level: int

    def headline(self) -> str:
        return f"a mishap for {self.name}: {self.result}"

    def reasons(self) -> tuple[Reason, ...]:
        return (Reason("driving against the accident", f"QR{self.qr}", "=", "fs-travel-accident"),)

    def tone(self) -> str:
        return "bad" if self.qr > 1 else "plain"


# --- accidents ----------------------------------------------------------------------------------------------------------------


class Accident(Struct, frozen=True):
    """What became of a mishap: the rating, the vehicle's damage level, those aboard, hours lost, and whether the journey goes on."""

    qr: int
    level: int
    aboard: tuple[Patient, ...]
    hours: int
    goes_on: bool


@rule("fs-travel-accident")
def avoid_accident(
    rules: Ruleset,
    craft: Craft = A_CAR,
    driving: Task = A_DRIVER,
    modifier: int = 0,
    explodes: bool = False,
    by: str = "",
    spares: bool = True,
) -> Play[Accident]:
    """A second driving roll, at the vehicle's Man rating, decides how bad a mishap is for the vehicle and for everybody inside.

    Everybody suffers with a random rating. Whether a wreck explodes afterwards is for the gamemaster to say. Light damage takes spare
    parts to be mended on the way, and a vehicle whose damage adds up to incapacitation goes nowhere.
    """
    task = driving.plus(Mod("Man", craft.man, "fs-travel"), Mod("serious mishap", modifier, "fs-travel"))
    rolled = yield from attempt(rules, task, by, "avoiding an accident")
    row = ACCIDENTS.get(rules, str(rolled.qr))
    after = replace(craft, level=craft.level + row.damage)
    yield from Tell(Wrenched(craft.name, rolled.qr, row.result, after.level))
    if row.dc:
        after = yield from hurt_aboard(rules, after, str(row.dc))
    if row.explosion and explodes:
        after = yield from hurt_aboard(rules, after, str(row.explosion))
    goes_on = row.goes_on and not after.stopped and (spares or not row.damage)
    return Accident(rolled.qr, after.level, after.aboard, row.hours if goes_on else 0, goes_on)


# --- a leg --------------------------------------------------------------------------------------------------------------------


@rule("fs-travel")
def average_speed(rules: Ruleset, qr: int = 3, cruise: float = 60, most: float = 100, hasty: bool = False) -> float | None:
    """The average speed of a leg by the rating of its driving roll; None where a mishap comes instead."""
    row = TRAVEL.get(rules, str(qr))
    parts = row.hasty if hasty else row.normal
    if parts is None:
        return None
    return max(parts[0] * cruise + parts[1] * most, row.hasty_at_least * most if hasty else 0)


class Leg(Struct, frozen=True):
    """A leg as it went: kilometers toward the goal, hours, the vehicle's damage level, those aboard, whether they are lost or stopped."""

    km: float
    hours: float
    level: int
    aboard: tuple[Patient, ...] = ()
    lost: bool = False
    stopped: bool = False


@rule("fs-travel")
def leg(
    rules: Ruleset,
    craft: Craft = A_CAR,
    km: float = 100,
    driving: Task = A_DRIVER,
    willpower: int = 9,
    hasty: bool = False,
    navigating: Task | None = None,
    pace: float = 0,
    explodes: bool = False,
    by: str = "",
    spares: bool = True,
) -> Play[Leg]:
    """One driving roll for as long as the driver's willpower in hours; in strange country a Navigate roll too, and the worse counts.

    A botched Navigate roll means lost: the hours go by and bring nobody nearer (ruling). Those without a speed of their own need a pace.
    """
    trip = Trip(craft, km, driving, willpower, hasty=hasty, pace=pace, explodes=explodes, by=by, spares=spares)
    check_trip(trip)
    outset = yield from set_out(rules, trip, navigating)
    return (yield from go_leg(rules, trip, outset))


class Trip(Struct, frozen=True):
    """A leg that is about to be made: the vehicle with those aboard, how far, who drives, and how."""

    craft: Craft
    km: float
    driving: Task
    willpower: int
    hasty: bool = False
    pace: float = 0
    explodes: bool = False
    by: str = ""
    spares: bool = True


class Outset(Struct, frozen=True):
    """How a leg will go, from the ratings of driver and navigator: the modifier of a mishap on the way, if there is one."""

    driven: int
    number: int
    mishap: int | None = None

    @property
    def lost(self) -> bool:
        """Whether the way is lost."""
        return self.number == BOTCH


def check_trip(trip: Trip) -> None:
    """Refuses a leg that nobody can make."""
    _speeds(trip.craft, trip.pace)
    if trip.hasty and trip.craft.vehicle in ON_FOOT:
        raise UserError("hasty travel is not possible on foot: use a higher exertion instead")
    if trip.km <= 0:
        raise UserError(f"a leg is longer than 0 km, not {trip.km:g}")
    if trip.craft.stopped:
        raise UserError(f"{trip.craft.name} is too badly damaged to go anywhere: damage level {trip.craft.level}")
    bound("willpower", trip.willpower, 1, 100)


def set_out(rules: Ruleset, trip: Trip, navigating: Task | None = None) -> Play[Outset]:
    """The rolls at the beginning of a leg."""
    driven = (yield from attempt(rules, trip.driving, trip.by, "driving")).qr
    number = (yield from attempt(rules, navigating, trip.by, "navigation")).qr if navigating is not None else 1
    row = TRAVEL.get(rules, str(driven))
    mishap = row.hasty_mishap if trip.hasty else row.normal_mishap
    if mishap is None and trip.hasty and number == FAILURE and rules.word("navigation-failure") == "mishap":
        mishap = TRAVEL.get(rules, str(FAILURE)).hasty_mishap
    return Outset(driven, number, mishap)


def hours_to_change(rules: Ruleset, trip: Trip, outset: Outset) -> float:
    """The hours from the beginning of a leg to its end, or to the mishap on it."""
    cruise, _ = _speeds(trip.craft, trip.pace)
    if outset.mishap is not None:
        return min(trip.km / cruise, float(trip.willpower)) * rules.number("mishap-at") / 100
    return min(trip.km / _speed_of(rules, trip, outset), float(trip.willpower))


def go_leg(rules: Ruleset, trip: Trip, outset: Outset) -> Play[Leg]:
    """The leg after its first rolls: to its end, or through the mishap on it."""
    if outset.mishap is not None:
        return (yield from _mishap(rules, trip, outset))
    return (yield from _covered(trip.craft, trip.km, _speed_of(rules, trip, outset), trip.willpower, lost=outset.lost))


def _speed_of(rules: Ruleset, trip: Trip, outset: Outset) -> float:
    """The average speed of a leg without a mishap."""
    cruise, most = _speeds(trip.craft, trip.pace)
    return _speed(rules, outset.driven if outset.lost else max(outset.driven, outset.number), cruise, most, trip.hasty)


def _speeds(craft: Craft, pace: float) -> tuple[float, float]:
    if craft.cruise is None or craft.max is None:
        if pace <= 0:
            raise UserError(f"{craft.vehicle} has no speed of its own: give a pace in km/h")
        return pace, pace
    return craft.cruise, craft.max


def _speed(rules: Ruleset, qr: int, cruise: float, most: float, hasty: bool) -> float:
    """The average speed; a failure of the navigator alone has the speed of normal travel even in haste."""
    value = average_speed(rules, qr, cruise, most, hasty)
    return value if value is not None else average_speed(rules, FAILURE, cruise, most) or cruise


def _covered(craft: Craft, km: float, speed: float, willpower: int, *, lost: bool, delay: float = 0) -> Play[Leg]:
    """The leg at a speed, to its end or for as long as the driver can go on."""
    hours = min(km / speed, float(willpower))
    went = min(km, speed * hours)
    told = f"goes {went:g} km in {figure(hours + delay)} {'hour' if hours + delay == 1 else 'hours'}{' and is lost' if lost else ''}"
    yield from Tell(Reckoned(craft.name, told, "bad" if lost else "plain", (Reason("average speed", speed, "=", "fs-travel"),)))
    return Leg(0.0 if lost else went, hours + delay, craft.level, craft.aboard, lost)


def _mishap(rules: Ruleset, trip: Trip, outset: Outset) -> Play[Leg]:
    """A mishap on the way: avoided the leg goes on as at QR4, and otherwise it ends there."""
    craft, (cruise, _) = trip.craft, _speeds(trip.craft, trip.pace)
    modifier = outset.mishap or 0
    accident = yield from sub(avoid_accident, rules, craft, trip.driving, modifier, trip.explodes, trip.by, trip.spares)
    if accident.goes_on:
        after = replace(craft, level=accident.level, aboard=accident.aboard)
        return (yield from _covered(after, trip.km, cruise, trip.willpower, lost=outset.lost, delay=accident.hours))
    hours = hours_to_change(rules, trip, outset)
    return Leg(0.0 if outset.lost else cruise * hours, hours, accident.level, accident.aboard, outset.lost, stopped=True)


# --- a journey ----------------------------------------------------------------------------------------------------------------


class Driver(Struct, frozen=True):
    """A person at the wheel: the driving task, and the willpower that says for how many hours."""

    name: str = "the driver"
    driving: Task = A_DRIVER
    willpower: int = 9


class Journey(Struct, frozen=True):
    """A journey as far as it has gone: kilometers left, hours gone by, the vehicle's damage level, those aboard, and legs made."""

    left: float
    hours: float
    level: int
    aboard: tuple[Patient, ...] = ()
    legs: int = 0
    lost: bool = False
    stopped: bool = False

    @property
    def over(self) -> bool:
        """Arrived, lost or stopped."""
        return self.left <= 0 or self.lost or self.stopped


@rule("fs-travel")
def journey(
    rules: Ruleset,
    craft: Craft = A_CAR,
    km: float = 1000,
    drivers: tuple[Driver, ...] = (Driver(),),
    hasty: bool = False,
    navigating: Task | None = None,
    pace: float = 0,
    rest: float = 8,
    routine: bool = False,
    spares: bool = True,
) -> Play[Journey]:
    """Leg after leg until the journey ends, in whatever way. Drivers relieve each other; one alone rests for so many hours in between.

    A wholly routine journey takes no rolls and goes at cruise speed.

    By id only.
    """
    if not drivers or km <= 0:
        raise UserError("a journey needs a driver and at least one leg")
    bound("rest in hours", int(rest), 0, 24)
    if routine:
        return Journey(0.0, km / _speeds(craft, pace)[0], craft.level, craft.aboard, 1)
    return (
        yield from sub(_go_on, rules, craft, Journey(km, 0.0, craft.level, craft.aboard), drivers, hasty, navigating, pace, rest, spares)
    )


def _go_on(
    rules: Ruleset,
    craft: Craft,
    now: Journey,
    drivers: tuple[Driver, ...],
    hasty: bool,
    navigating: Task | None,
    pace: float,
    rest: float,
    spares: bool,
) -> Play[Journey]:
    if now.over or now.legs >= MOST_LEGS:
        return now
    driver = drivers[now.legs % len(drivers)]
    there = replace(craft, level=now.level, aboard=now.aboard)
    explodes = False
    went = yield from sub(
        leg, rules, there, now.left, driver.driving, driver.willpower, hasty, navigating, pace, explodes, driver.name, spares
    )
    left, hours = max(0.0, round(now.left - went.km, 6)), round(now.hours + went.hours, 6)
    after = Journey(left=left, hours=hours, level=went.level, aboard=went.aboard, legs=now.legs + 1, lost=went.lost, stopped=went.stopped)
    if after.over:
        return after
    if len(drivers) == 1:
        after = replace(after, hours=after.hours + rest)
    return (yield from sub(_go_on, rules, craft, after, drivers, hasty, navigating, pace, rest, spares))
