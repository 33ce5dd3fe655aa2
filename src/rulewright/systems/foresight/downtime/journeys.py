"""Journeys between scenes, leg by leg, with navigation, mishaps and rest (book lines 3338-3382)."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from rulewright.campaign.activities.general import TO
from rulewright.campaign.calendar import HOUR, write_span
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, Affected, Begun, Case, Change, Figure
from rulewright.errors import UserError
from rulewright.grammar import figure
from rulewright.play import Happened, Play, Tell, sub
from rulewright.rules import Ruleset
from rulewright.systems.foresight.downtime.hazards import calmed, told_wounds
from rulewright.systems.foresight.downtime.market import parted
from rulewright.systems.foresight.downtime.survivors import WALKING, Survivor, person_of, task_of
from rulewright.systems.foresight.gear.items import AIDS, navigation_aid
from rulewright.systems.foresight.gear.vehicles import machine
from rulewright.systems.foresight.pursuit.craft import ON_FOOT, Craft, craft_of, driving_skill
from rulewright.systems.foresight.pursuit.travel import Outset, Trip, check_trip, go_leg, hours_to_change, set_out
from rulewright.systems.foresight.resolution.tests import Task

Now = Case[Survivor]
METERS = 1000
MOST_KM = 1_000_000
NO_MISHAP = 99
REST = 8 * HOUR
"""How long somebody who drives alone rests between two legs."""
ROAD = "on the road"

KM = Figure("km", "Distance in km", low=1, high=MOST_KM, default=100, rule="fs-travel")
WITH = Figure("with", "Companions, separated by commas", takes="people")
VEHICLE = Figure("vehicle", "Vehicle, such as Jeep or Horse", takes="text", needed=True, rule="fs-vehicle-list")
MADE = Figure("modifications", "Modifications of the vehicle, separated by commas", takes="text", rule="fs-vehicle-mods")
TYPE = Figure("type", "Type of the vehicle, if it has several", takes="text", rule="fs-vehicle-types")
LAND = Figure("terrain", "Terrain, such as road or forest", takes="text", rule="fs-vehicle-terrain")
HOW = Figure("how", "How", ("normal", "hasty", "routine"), rule="fs-travel")
RELIEF = Figure("relief", "Companions relieve the driver", ("no", "yes"), rule="fs-travel")
UNKNOWN = Figure("unfamiliar", "Unfamiliar country", ("no", "yes"), rule="fs-travel")
AID = Figure("aid", "Aid to navigation, such as Sextant", takes="text", rule="fs-navigation-aids")
PACE = Figure("pace", "Pace in km/h, without a speed of the vehicle's own", low=0, high=1000, rule="fs-travel")
SPARES = Figure("spares", "Spare parts", ("yes", "no"), rule="fs-travel-accident")
EXPLODES = Figure("explodes", "A wreck explodes", ("no", "yes"), rule="fs-travel-accident")


class Progress(Struct, frozen=True):
    """How far a journey has come: meters left, the vehicle's damage level, legs made, and the present stage with its seconds.

    While a leg is made, the ratings of its rolls; after a mishap that delays it, the meters that it will have made.
    """

    left: int
    level: int = 0
    legs: int = 0
    stage: str = "setting out"
    seconds: int = 0
    driven: int = 0
    number: int = 1
    mishap: int = NO_MISHAP
    made: int = 0
    lost: int = 0

    @classmethod
    def of(cls, effect: OngoingEffect, km: int) -> "Progress":
        """The progress that an effect keeps; the beginning for a journey that has not begun."""
        values: tuple[Value, ...] = effect.data
        return cls(*values) if values else cls(km * METERS)  # type: ignore[arg-type]  # written by `data`

    @property
    def data(self) -> tuple[Value, ...]:
        """The progress as the data of an effect."""
        return tuple(getattr(self, field) for field in self.__struct_fields__)

    @property
    def outset(self) -> Outset:
        """The rolls of the present leg."""
        return Outset(self.driven, self.number, None if self.mishap == NO_MISHAP else self.mishap)


class OnTheRoad(Begun[Survivor]):
    """A journey that was broken off: lost, or with a vehicle that goes nowhere. It is never due."""

    name = ROAD
    rules = ("fs-travel",)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> None:
        return None

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"on the way to {effect.about}, {figure(int(effect.data[0]) / METERS)} km left ({effect.data[1]})"


class Travel(Activity[Survivor]):
    """A journey by vehicle or mount: a driving roll for each leg of at most as many hours as the driver has willpower."""

    name = "travel"
    label = "travel by vehicle or mount to"
    rules: tuple[str, ...] = (
        "fs-travel",
        "fs-travel-accident",
        "fs-vehicle-terrain",
        "fs-vehicle-types",
        "fs-vehicle-list",
        "fs-vehicle-mods",
        "fs-navigation-aids",
    )
    arguments: tuple[Figure, ...] = (TO, KM, WITH, VEHICLE, MADE, TYPE, LAND, HOW, RELIEF, UNKNOWN, AID, PACE, SPARES, EXPLODES)
    needs_partner = WITH
    pace = PACE
    rests = REST
    """The seconds of rest between two legs without a relief."""

    def vehicle(self, given: Mapping[str, Value]) -> str:
        """The vehicle's name in the list."""
        return str(given[VEHICLE.name])

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        if not given.get(TO.name):
            raise UserError("say where to go")
        aid = str(given.get(AID.name, ""))
        if aid:
            AIDS.get(rules, aid)
        made, land, kind = (str(given.get(argument.name, "")) for argument in (MADE, LAND, TYPE))
        craft = craft_of(rules, "", self.vehicle(given), land, modifications=parted(made), type=kind)
        check_trip(Trip(craft, 1, Task(1, 1), 1, hasty=given.get(HOW.name) == "hasty", pace=int(given[self.pace.name])))

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        name = self.vehicle({argument.name: case.argument(argument) for argument in self.arguments})
        seats = machine(rules, name, parted(str(case.argument(MADE)))).passengers
        party = case.partners(WITH)
        return f"{name} carries {seats} besides the driver" if len(party) > seats and name not in ON_FOOT else ""

    # --- a leg

    def _craft(self, rules: Ruleset, case: Now, level: int) -> Craft:
        name = self.vehicle({argument.name: case.argument(argument) for argument in self.arguments})
        made, land, kind = (str(case.argument(argument)) for argument in (MADE, LAND, TYPE))
        aboard = tuple(life.body for life in self._lives(case))
        craft = craft_of(rules, f"the {name}", name, land, modifications=parted(made), type=kind, aboard=aboard)
        return replace(craft, level=level)

    def _lives(self, case: Now) -> tuple[Survivor, ...]:
        return (case.life, *[partner.life for partner in case.partners(WITH)])

    def _trip(self, rules: Ruleset, case: Now, now: Progress) -> Trip:
        craft = self._craft(rules, case, now.level)
        names = (case.name, *[partner.name for partner in case.partners(WITH)])
        lives = self._lives(case)
        turn = now.legs % len(lives) if case.argument(RELIEF) == "yes" else 0
        skill = driving_skill(rules, craft.vehicle, str(case.argument(TYPE)))
        return Trip(
            craft,
            now.left / METERS,
            task_of(rules, case, skill, lives[turn]),
            max(1, person_of(rules, lives[turn].file).attribute("WP")),
            hasty=case.argument(HOW) == "hasty",
            pace=int(case.argument(self.pace)),
            explodes=case.argument(EXPLODES) == "yes",
            by=names[turn],
            spares=case.argument(SPARES) == "yes",
        )

    def _navigating(self, rules: Ruleset, case: Now) -> Task | None:
        """The task of the best navigator of the party, with the aid; None in familiar country."""
        if case.argument(UNKNOWN) != "yes":
            return None
        tasks = [task_of(rules, case, "Navigate", life) for life in self._lives(case)]
        best = max(tasks, key=lambda task: (task.score * task.ease, task.modifier))
        aid = str(case.argument(AID))
        return best.plus(navigation_aid(rules, aid)) if aid else best

    # --- in time

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        if not effect.data and case.argument(HOW) == "routine":
            craft = self._craft(rules, case, 0)
            return case.worked(round(int(case.argument(KM)) / (craft.cruise or int(case.argument(self.pace)) or 1) * HOUR))
        now = Progress.of(effect, int(case.argument(KM)))
        return now.seconds if now.stage == "resting" else case.worked(now.seconds)

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        now = Progress.of(effect, int(case.argument(KM)))
        if not effect.data and case.argument(HOW) == "routine":
            return (yield from self._arrive(case, case.life, {}))
        if now.stage in ("setting out", "resting"):
            trip = self._trip(rules, case, now)
            outset = yield from sub(set_out, rules, trip, self._navigating(rules, case))
            mishap = NO_MISHAP if outset.mishap is None else outset.mishap
            seconds = round(hours_to_change(rules, trip, outset) * HOUR)
            after = replace(now, stage="under way", seconds=seconds, driven=outset.driven, number=outset.number, mishap=mishap)
            return Change(case.life, OngoingEffect(effect.of, effect.about, 0, after.data))
        if now.stage == "under way":
            return (yield from self._go(rules, case, effect, now))
        return (yield from self._end_leg(case, effect, now, case.life, {}))

    def _go(self, rules: Ruleset, case: Now, effect: OngoingEffect, now: Progress) -> Play[Change[Survivor]]:
        """The leg up to its end, or through its mishap."""
        trip = self._trip(rules, case, now)
        leg = yield from sub(go_leg, rules, trip, now.outset)
        before = self._lives(case)
        names = (case.name, *[partner.name for partner in case.partners(WITH)])
        lives = [life.with_body(calmed(body)) for life, body in zip(before, leg.aboard, strict=True)]
        for name, old, new in zip(names, before, lives, strict=True):
            if new.body != old.body:
                yield from told_wounds(rules, name, old.body, new.body, "the accident")
        made = replace(now, level=leg.level, made=round(leg.km * METERS), lost=int(leg.lost), stage="delayed")
        others = dict(zip(names[1:], lives[1:], strict=True))
        left = round(leg.hours * HOUR) - now.seconds
        if leg.stopped:
            return (yield from self._break_off(case, effect, made, lives[0], others, why="the vehicle goes nowhere"))
        if left > 0:
            after = replace(made, seconds=left)
            affected = tuple(Affected(name, life) for name, life in others.items())
            return Change(lives[0], OngoingEffect(effect.of, effect.about, 0, after.data), others=affected)
        return (yield from self._end_leg(case, effect, made, lives[0], others))

    def _end_leg(
        self, case: Now, effect: OngoingEffect, now: Progress, life: Survivor, others: Mapping[str, Survivor]
    ) -> Play[Change[Survivor]]:
        """The end of a leg: at the goal, lost, or with more legs to go."""
        if now.lost:
            return (yield from self._break_off(case, effect, now, life, others, why="lost"))
        left = now.left - now.made
        if left <= 0:
            return (yield from self._arrive(case, life, others))
        alone = case.argument(RELIEF) != "yes" or not case.partners(WITH)
        stage, wait = ("resting", self.rests) if alone and self.rests else ("setting out", 0)
        after = Progress(left, now.level, now.legs + 1, stage, wait)
        yield from Tell(Happened(case.name, f"has {figure(left / METERS)} km left{f' and rests for {write_span(wait)}' if wait else ''}"))
        affected = tuple(Affected(name, life) for name, life in others.items())
        return Change(life, OngoingEffect(effect.of, effect.about, 0, after.data), others=affected)

    def _break_off(
        self, case: Now, effect: OngoingEffect, now: Progress, life: Survivor, others: Mapping[str, Survivor], *, why: str
    ) -> Play[Change[Survivor]]:
        """The journey ends on the way, and the gamemaster says what is next."""
        left = now.left - now.made
        yield from Tell(Happened(case.name, f"is on the way to {effect.about}, {figure(left / METERS)} km left: {why}", "bad"))
        affected = tuple(Affected(name, life) for name, life in others.items())
        kept = OngoingEffect(ROAD, effect.about, 0, (left, why))
        return Change(life, runs=(kept,), others=affected, stops=f"{case.name} is on the way to {effect.about}: {why}")

    def _arrive(self, case: Now, life: Survivor, others: Mapping[str, Survivor]) -> Play[Change[Survivor]]:
        """The goal is reached by everybody."""
        to = str(case.argument(TO))
        party = case.partners(WITH)
        names = [case.name, *[partner.name for partner in party]]
        for name in names:
            yield from Tell(Happened(name, f"arrives at {to}"))
        affected = tuple(Affected(partner.name, others.get(partner.name, partner.life), to) for partner in party)
        return Change(life, ended=((ROAD, to),), location=to, others=affected)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"to {effect.about}, {Progress.of(effect, int(case.argument(KM))).stage}"


class Walk(Travel):
    """A journey on foot, at the pace that the gamemaster allows, for eight hours a day with rests."""

    name = "walk"
    label = "walk to"
    rules = ("fs-travel", "fs-stamina-cost", "fs-vehicle-terrain")
    exertion = WALKING.name
    hours = 8
    pace = Figure("pace", "Pace in km/h", low=1, high=50, default=5, rule="fs-travel")
    rests = 0  # the hours of the day that are not walked
    arguments = (TO, KM, WITH, LAND, UNKNOWN, AID, pace)

    def vehicle(self, given: Mapping[str, Value]) -> str:
        return ON_FOOT[0]
