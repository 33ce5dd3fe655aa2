"""The workshop scene: technicians choose jobs and pay Labor Points over days; repairs last."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright.build.sheet_parts import AnyPiece, Card, SceneView, Tag
from rulewright.campaign.calendar import DAY
from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.play import Choice, Given, Option, Play, Range, Tactic, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived
from rulewright.scenes.scenarios import Lasts, Placed, Scenario, counted
from rulewright.scenes.scene import Result, Scene
from rulewright.systems.silhouette.breakage.damage import PLAIN
from rulewright.systems.silhouette.breakage.repairs import attempt, common_level, labor_points, repair_pool
from rulewright.systems.silhouette.breakage.systems import Blow, lose_armor, systems_damage
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.machines.vehicle import Vehicle
from rulewright.systems.silhouette.people.characters import Character, Person
from rulewright.systems.silhouette.people.skills import unfamiliar
from rulewright.systems.silhouette.repairs.events import Day, Labored, Repaired
from rulewright.systems.silhouette.repairs.jobs import LOCATION, Job, jobs_of, mended, needed, prices_of, threshold
from rulewright.systems.silhouette.units.combined import components_of
from rulewright.systems.silhouette.units.setup import CARRIES, bodies_after, checked, enter, sections_of, unit_after
from rulewright.systems.silhouette.units.units import Unit

REPAIRS_SCENE = "repairs"
MOST_DAYS = 365
REST = "rest"
CRAFTS = ("technical sciences (mechanics)", "tinker")


class Shop(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """The workshop, from a scenario file."""

    days: int = 7
    parts: bool = True
    """Whether there are enough spare parts."""
    tools: bool = True


class Technician(Struct, frozen=True, cache_hash=True, kw_only=True):
    """A technician."""

    name: str
    side: str
    craft: str = "technical sciences (mechanics)"
    level: int = 0
    attribute: int = 0
    complexity: int = 1
    strange: int = 0
    """The penalty if the skill is for other things than machines."""
    points: int = 0
    """Labor Points left today."""
    resting: bool = False


class Bench(Struct, frozen=True, cache_hash=True, kw_only=True):
    """A machine in the workshop."""

    unit: Unit
    prices: tuple[tuple[str, Figure], ...] = ()
    easy: tuple[str, ...] = ()
    """Parts that are easy to modify."""
    difficult: tuple[str, ...] = ()
    opened: bool = False
    """Its Size has been paid today, if that counts once a day."""


class Work(Struct, frozen=True, cache_hash=True, kw_only=True):
    """Work on one damage: Labor Points needed and paid, by whom, and earlier progress."""

    job: Job
    needed: int
    paid: int = 0
    hands: tuple[str, ...] = ()
    kept: int = 0


class Workshop(Struct, frozen=True, cache_hash=True, kw_only=True):
    """The state of a workshop."""

    shop: Shop
    technicians: tuple[Technician, ...]
    benches: tuple[Bench, ...]
    works: tuple[Work, ...] = ()
    day: int = 1

    def bench(self, name: str) -> Bench:
        """A machine by its name."""
        return next(candidate for candidate in self.benches if candidate.unit.name == name)

    def technician(self, name: str) -> Technician:
        """A technician by name."""
        return next(candidate for candidate in self.technicians if candidate.name == name)

    def put(self, changed: Bench | Technician) -> "Workshop":
        """The workshop with one machine or technician changed."""
        if isinstance(changed, Bench):
            return replace(self, benches=tuple([changed if bench.unit.name == changed.unit.name else bench for bench in self.benches]))
        return replace(self, technicians=tuple([changed if person.name == changed.name else person for person in self.technicians]))

    def work(self, job: Job) -> Work | None:
        """The work started on a damage."""
        same = (job.machine, job.key)
        return next((candidate for candidate in self.works if (candidate.job.machine, candidate.job.key) == same), None)

    def with_work(self, work: Work | None, job: Job) -> "Workshop":
        """The workshop with other work on a damage; None: no more."""
        same = (job.machine, job.key)
        others = [candidate for candidate in self.works if (candidate.job.machine, candidate.job.key) != same]
        return replace(self, works=tuple([*others, work] if work is not None else others))

    @property
    def jobs(self) -> tuple[Job, ...]:
        """All remaining jobs."""
        return tuple([job for bench in self.benches for job in jobs_of(bench.unit, bench.prices)])


# --- a day --------------------------------------------------------------------------------------------------------------------


def points_of(shop: Shop, item: Technician) -> Derived[int]:
    """Labor Points of a technician today."""
    return labor_points(item.level, item.complexity, shop.parts, shop.tools)


def new_day(state: Workshop) -> Play[Workshop]:
    """Restore everyone's Labor Points."""
    fresh = [(candidate, points_of(state.shop, candidate)) for candidate in state.technicians]
    yield from Tell(Day(state.day + 1, tuple([(result.name, points.reason) for result, points in fresh])))
    people = tuple([replace(result, points=points.value, resting=False) for result, points in fresh])
    benches = tuple([replace(bench, opened=False) for bench in state.benches])
    return replace(state, technicians=people, benches=benches, day=state.day + 1)


def begun(rules: Ruleset, state: Workshop, job: Job) -> Work:
    """The work on a damage so far, or a new one."""
    result = state.work(job)
    if result is not None and result.paid < result.needed and result.job == job:
        return result
    bench = state.bench(job.machine)
    once = rules.word("repair-labor") == "once a day"
    cost = needed(rules, bench.unit, job, once and bench.opened).value
    return Work(job=job, needed=cost, kept=result.kept if result is not None else 0)


class Asked(Struct, frozen=True):
    """The situation of a question in the workshop."""

    rules: Ruleset
    state: Workshop
    name: str


def _options(rules: Ruleset, state: Workshop) -> tuple[Option[Job | None], ...]:
    options: list[Option[Job | None]] = []
    for job in state.jobs:
        work = begun(rules, state, job)
        cost, against = work.needed - work.paid, threshold(rules, job).value
        kept = f", progress {work.kept}" if work.kept else ""
        label = f"Repair {job.words} of {job.machine} ({counted(cost, 'Labor Point')}, Threshold {against}{kept})"
        options.append(Option(option_key(job), label, job, verb="help", target=job.machine, manner=(job.words,)))
    options.append(Option(REST, "Nothing more today", None, verb="other"))
    return tuple(options)


def labor(rules: Ruleset, state: Workshop, name: str) -> Play[Workshop]:
    """A technician chooses a job and pays Labor Points; once it is fully paid the attempt is made."""
    result = state.technician(name)
    question = f"What does {name} work on? {counted(result.points, 'Labor Point')} left today."
    job = yield from Choice(name, question, _options(rules, state), Asked(rules, state, name), "act")
    return (yield from work_on(rules, state, name, job))


def work_on(rules: Ruleset, state: Workshop, name: str, job: Job | None) -> Play[Workshop]:
    """A technician pays Labor Points for a job, or rests; once it is fully paid the attempt is made."""
    result = state.technician(name)
    if job is None:
        return state.put(replace(result, resting=True))
    work = begun(rules, state, job)
    put_in = min(result.points, work.needed - work.paid)
    hands = work.hands if name in work.hands else (*work.hands, name)
    work = replace(work, paid=work.paid + put_in, hands=hands)
    state = state.put(replace(result, points=result.points - put_in)).put(replace(state.bench(job.machine), opened=True))
    if work.paid < work.needed:
        yield from Tell(Labored(name, job.machine, job.words, work.paid, work.needed))
        return state.with_work(work, job)
    return (yield from _try(rules, state, work, name))


def _try(rules: Ruleset, state: Workshop, work: Work, name: str) -> Play[Workshop]:
    job, bench = work.job, state.bench(work.job.machine)
    paid = needed(rules, bench.unit, job, work.needed < needed(rules, bench.unit, job).value).reason
    while True:
        result = yield from attempt(rules, _pool(state, bench, work, name), threshold(rules, job).value, work.kept, name)
        yield from Tell(Repaired(name, job.machine, job.words, result, work.kept, paid))
        work = replace(work, kept=result.kept)
        if result.mended or result.harmed or rules.word("repair-again") != "free":
            break
    if result.mended:
        return state.put(replace(bench, unit=mended(bench.unit, job))).with_work(None, job)
    after = replace(work, paid=work.needed, hands=())
    state = state.with_work(after if after.kept else None, job)
    if not result.harmed:
        return state
    broken = yield from damage_parked(rules, bench.unit, name)
    state = state.put(replace(bench, unit=replace(broken, dents=())))
    parts = [candidate for candidate in state.benches if candidate.unit.part is not None and candidate.unit.part.of == broken.name]
    for (_, points), body in [(dent, part) for dent in broken.dents for part in parts if part.unit.machine.name == dent[0]]:
        worse = replace(body.unit.wear, armor=min(int(body.unit.machine.armor), body.unit.wear.armor + points))
        state = state.put(replace(body, unit=replace(body.unit, wear=worse)))
    return state


def damage_parked(rules: Ruleset, unit: Unit, by: str, heavy: bool = False) -> Play[Unit]:
    """Light or Heavy Damage to a machine with nobody aboard."""
    parked = replace(unit, crew=replace(unit.crew, hands=0, passengers=0), riders=())
    broken = yield from lose_armor(rules, parked, "heavy" if heavy else "light", PLAIN)
    broken = yield from systems_damage(rules, broken, Blow(heavy=heavy, by=by, to=by))
    return replace(broken, crew=unit.crew, riders=unit.riders)


def _pool(state: Workshop, bench: Bench, work: Work, name: str) -> Any:
    """The pool: the average level of all who worked on it, with the bonuses of the last of them."""
    result = state.technician(name)
    level = common_level(tuple([state.technician(hand).level for hand in work.hands])).value
    part = LOCATION[work.job.effect]
    return repair_pool(level, result.attribute + result.strange, result.complexity, part in bench.easy, part in bench.difficult)


# --- the scene ----------------------------------------------------------------------------------------------------------------


def technician(rules: Ruleset, member: Placed) -> Technician:
    """A character as a technician: the better of machine skills and tinkering."""
    for field in member.state:
        raise UserError(f"{member.name}: state has no field {field!r} in a workshop")
    return technician_of(rules, Person.of(rules, member.character), member.name, member.side)


def technician_of(rules: Ruleset, person: Person, name: str, side: str) -> Technician:
    """A person as a technician."""
    entries = []
    for craft in CRAFTS:
        known = person.best(craft)
        strange = unfamiliar(rules, known).value if known != craft and person.level(known) else 0
        entries.append((person.level(known), strange, known))
    level, strange, known = max(entries, key=lambda entry: (entry[0] + entry[1], entry[1]))
    return Technician(
        name=name,
        side=side,
        craft=known,
        level=level,
        attribute=person.attribute("creativity"),
        complexity=person.complexity.get(known, 1),
        strange=strange,
    )


def benches(rules: Ruleset, member: Placed) -> tuple[Bench, ...]:
    """A vehicle in the workshop, and each of its sections or components."""
    vehicle: Vehicle = member.character
    parts = {
        name: tuple([fitted.on for fitted in (*vehicle.perks, *vehicle.flaws) if fitted.name == name])
        for name in ("easy to modify", "difficult to modify")
    }
    every = tuple(LOCATION.values()) if "" in parts["difficult to modify"] else parts["difficult to modify"]
    unit = enter(rules, vehicle, member.name, member.side, state=member.state)
    whole = Bench(unit=unit, prices=prices_of(rules, vehicle), easy=parts["easy to modify"], difficult=every)
    bodies = (*sections_of(vehicle, unit, member.state), *components_of(vehicle, unit, member.state))
    designs = (*vehicle.sections, *vehicle.components)
    others = [replace(whole, unit=body, prices=prices_of(rules, design)) for body, design in zip(bodies, designs, strict=True)]
    return (whole, *others)


def begin(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Workshop:
    """The workshop at the start of a scenario."""
    shop = scenario.ground(Shop)
    if not 1 <= shop.days <= MOST_DAYS:
        raise UserError(f"place: days must be 1 to {MOST_DAYS}, not {shop.days}")
    people: list[Technician] = []
    machines: list[Bench] = []
    for member in members:
        if isinstance(member.character, Vehicle):
            machines.extend(benches(rules, member))
        elif isinstance(member.character, Character):
            people.append(technician(rules, member))
        else:
            raise UserError(f"{member.name} is neither a character nor a vehicle: a workshop takes only these")
    if not people:
        raise UserError("a workshop needs at least one character")
    if not machines:
        raise UserError("a workshop needs at least one vehicle")
    if len({person.side for person in people} | {machine.unit.side for machine in machines}) != 1:
        raise UserError("everyone in a workshop must be on one side")
    rested = tuple([replace(person, points=points_of(shop, person).value) for person in people])
    shop = replace(shop, days=min(shop.days, scenario.rounds))
    return Workshop(shop=shop, technicians=rested, benches=tuple(machines), day=1)


class RepairsScene(Scene[Workshop]):
    """Days of repairs: a step is a new day, or a technician's next job."""

    state_type = Workshop
    described = Shop
    kind = REPAIRS_SCENE
    seconds_a_round = DAY
    carries = CARRIES

    def step(self, state: Workshop) -> Play[Workshop]:
        free = [candidate for candidate in state.technicians if candidate.points > 0 and not candidate.resting]
        if not free:
            return new_day(state)
        return labor(self.rules, state, free[0].name)

    def result(self, state: Workshop) -> Result | None:
        side = state.technicians[0].side
        if not state.jobs:
            scrap = [bench.unit.name for bench in state.benches if bench.unit.wear.destroyed]
            left = f", but {join(scrap)} cannot be repaired" if scrap else ""
            return Result(side, f"everything is repaired after {counted(state.day, 'day')}{left}")
        free = any(candidate.points > 0 and not candidate.resting for candidate in state.technicians)
        if state.day >= state.shop.days and not free:
            return Result(None, f"{counted(len(state.jobs), 'job')} left after {counted(state.day, 'day')}")
        if not any(points_of(state.shop, candidate).value for candidate in state.technicians):
            return Result(None, "nobody here can repair anything")
        return None

    def sides(self, state: Workshop) -> Mapping[str, tuple[str, ...]]:
        names = (*[candidate.name for candidate in state.technicians], *[bench.unit.name for bench in state.benches])
        return {state.technicians[0].side: names}

    def out(self, state: Workshop) -> frozenset[str]:
        return frozenset(bench.unit.name for bench in state.benches if bench.unit.wear.destroyed)

    def round(self, state: Workshop) -> int:
        return state.day

    def join(self, state: Workshop, newcomer: Any, side: str) -> Workshop:
        if side != state.technicians[0].side:
            raise UserError(f"everyone in a workshop must be on the side {state.technicians[0].side}")
        member = Placed.coming(newcomer, side)
        if any(member.name in names for names in self.sides(state).values()):
            raise UserError(f"the name {member.name} is already taken here: give the newcomer another name")
        if isinstance(member.character, Vehicle):
            return replace(state, benches=(*state.benches, *benches(self.rules, member)))
        result = technician(self.rules, member)
        return replace(state, technicians=(*state.technicians, replace(result, points=points_of(state.shop, result).value)))

    def lasting(self, state: Workshop, who: str) -> Mapping[str, Lasts]:
        result = next((bench.unit for bench in state.benches if bench.unit.name == who), None)
        if result is None or result.part is not None:
            return {}
        bodies = [bench.unit for bench in state.benches if bench.unit.part is not None and bench.unit.part.of == who]
        return unit_after(result) | bodies_after(result, "sections" if result.machine.sections else "components", bodies)

    def checked(self, state: Workshop) -> Workshop:
        for bench in state.benches:
            checked(bench.unit)
        return state

    def view(self, state: Workshop, who: str | None) -> SceneView:
        headline = f"Day {state.day} of {state.shop.days}"
        cards = [_person(candidate) for candidate in state.technicians] + [_machine(bench, state) for bench in state.benches]
        return SceneView("Repairs", headline, tuple(cards))


def _person(item: Technician) -> Card:
    pieces: tuple[AnyPiece, ...] = (
        Tag(str(item.level), name=item.craft, rule="sil-5.5.4-repairs"),
        Tag(str(item.points), name="Labor Points", rule="sil-5.5.4-repairs"),
    )
    return Card(item.name, item.side, pieces)


def _machine(bench: Bench, state: Workshop) -> Card:
    pieces: list[AnyPiece] = []
    for job in jobs_of(bench.unit, bench.prices):
        work = state.work(job)
        shown = f"{work.paid} of {work.needed} paid" if work is not None and work.paid < work.needed else "damaged"
        pieces.append(Tag(shown, True, name=job.words, rule="sil-5.5.4-repairs"))
    if bench.unit.wear.destroyed:
        pieces.append(Tag(bench.unit.wear.destroyed, True, name="destroyed"))
    return Card(bench.unit.name, bench.unit.side, tuple(pieces or [Tag(name="whole")]), bool(bench.unit.wear.destroyed))


# --- tactics ------------------------------------------------------------------------------------------------------------------


def option_key(job: Job) -> str:
    """The key of the option to repair a damage."""
    return f"mend {job.machine}: {job.key}"


def _cost(rules: Ruleset, state: Workshop, job: Job) -> int:
    work = begun(rules, state, job)
    return work.needed - work.paid


def by_cost(rules: Ruleset, state: Workshop, job: Job) -> tuple[Any, ...]:
    """The order of jobs by what is left to pay."""
    return _cost(rules, state, job), option_key(job)


def cheapest(choice: Choice[Any]) -> Given:
    """The quickest job first; every choice of damage falls on the first option."""
    return _first(choice, by_cost)


_URGENT = ("structural failure", "power transfer", "movement points", "crew compartment", "system destroyed")


def by_urgency(rules: Ruleset, state: Workshop, job: Job) -> tuple[Any, ...]:
    """The order of jobs by what keeps a machine from fighting, Armor last."""
    rank = _URGENT.index(job.effect) if job.effect in _URGENT else len(_URGENT) + (job.effect == "armor")
    return rank, _cost(rules, state, job), option_key(job)


def urgent(choice: Choice[Any]) -> Given:
    """First what keeps a machine from fighting, Armor last."""
    return _first(choice, by_urgency)


def _first(choice: Choice[Any], rank: Any) -> Given:
    if isinstance(choice.options, Range):
        return choice.options.low
    if not isinstance(choice.about, Asked):
        return choice.options[0].key
    jobs, asked = [option for option in choice.options if option.value is not None], choice.about
    return min(jobs, key=lambda option: rank(asked.rules, asked.state, option.value)).key if jobs else REST


REPAIR_TACTICS: Mapping[str, Tactic] = {"urgent": urgent, "cheapest": cheapest}
