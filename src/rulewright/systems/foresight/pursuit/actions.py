"""Pursuit actions besides driving: maneuvers and shots from the moving vehicle (book lines 3454-3471)."""

from typing import Literal, cast

from msgspec import Struct
from msgspec.structs import replace

from rulewright.grammar import count, the
from rulewright.play import Happened, Option, Play, Scale, Tell, came_to, sub
from rulewright.rules import Ruleset
from rulewright.systems.foresight.combat.fighters import UNJAMMED
from rulewright.systems.foresight.combat.shots import burst_class, clear_jam, fire_actions, jam, really_fails
from rulewright.systems.foresight.gear.items import failing_rolls
from rulewright.systems.foresight.gear.vehicles import CONTACT_LOST, pursuit_range
from rulewright.systems.foresight.gear.weapons import recoil
from rulewright.systems.foresight.harm.body import DEAD, INCAPACITATED, Patient, condition
from rulewright.systems.foresight.harm.damage import WOUNDING, Blow, be_hit, outcome_of
from rulewright.systems.foresight.harm.events import OfARoll
from rulewright.systems.foresight.pursuit.craft import ON_FOOT, Craft, hit_vehicle
from rulewright.systems.foresight.pursuit.melee import strike, strikes
from rulewright.systems.foresight.pursuit.pursuers import Chase, Rider, Runner, Trick
from rulewright.systems.foresight.pursuit.rules import (
    BESIDE,
    Forced,
    Gap,
    Maneuver,
    Turned,
    after_answer,
    after_climb,
    after_quick_turn,
    after_reverse,
    force,
    keep_sight,
    maneuver,
    ratings,
)
from rulewright.systems.foresight.resolution.situations import Situation, aiming, range_modifier, ranged_modifiers
from rulewright.systems.foresight.resolution.tests import BARELY, FAILURE, Mod, Task, attempt, chance_of, weighed

Kind = Literal[
    "wait",
    "hold",
    "bonus",
    "quick turn",
    "reverse",
    "climb",
    "dive",
    "trick",
    "force",
    "aim",
    "fire",
    "ready",
    "reload",
    "clear",
    "strike",
    "draw",
    "feint",
    "wind-up",
]
LARGEST = 6
FARTHEST = CONTACT_LOST - 1
_DAMAGE = ("damaged", "stopped", "wrecked")
MANEUVERING = Scale(("done", "failed", *_DAMAGE), ("done",), "comes off")
"""What a maneuver can lead to, from the best to the worst."""
FORCING = Scale(("failed", "done", *_DAMAGE), ("done", *_DAMAGE), "succeeds", "holds its way")
"""What forcing another vehicle can lead to."""
SHOOTING = Scale(("miss", "no damage", "somebody hurt", *_DAMAGE), ("somebody hurt", *_DAMAGE), "does harm")
"""What a shot at a vehicle can lead to."""


class Deed(Struct, frozen=True):
    """An action: what, against which vehicle (or which bonus actions, which weapon), which trick, at whom, whether it is a burst."""

    kind: Kind
    target: int = -1
    trick: int = -1
    seat: int = 0
    burst: bool = False


class About(Struct, frozen=True):
    """What a decision is about: the pursuit, which vehicle and which seat."""

    rules: Ruleset
    chase: Chase
    number: int
    seat: int

    @property
    def runner(self) -> Runner:
        """The vehicle of the person who decides."""
        return self.chase.runners[self.number]

    @property
    def rider(self) -> Rider:
        """The person who decides."""
        return self.runner.riders[self.seat]


class Fired(OfARoll, frozen=True):
    """A shot at a vehicle."""

    name: str
    target: str
    qr: int
    jammed: bool
    burst: bool = False

    def headline(self) -> str:
        how = "the weapon fails" if self.jammed else "hits" if self.qr <= BARELY else "misses"
        return f"{self.name} fires {'a burst ' if self.burst else ''}at {self.target}: {how}"


# --- the options offered ------------------------------------------------------------------------------------------------------


def pursuit_options(about: About) -> tuple[Option[Deed], ...]:
    """Everything that a rider can do now."""
    chase, number = about.chase, about.number
    options = _maneuvers(about) if about.seat == 0 else []
    rider = about.rider
    if rider.weapon is not None and rider.weapon.ranged:
        options += _shots(about, rider, [at for at in range(len(chase.runners)) if _in_reach(chase, number, at)])
    for at in rider.drawable:
        owned, done = rider.profile.weapons[at], rider.drawn if rider.drawing == at else 0
        options.append(Option(f"draw:{owned.name}", f"draw {the(owned.name)}", Deed("draw", at), f"{done} of {owned.draw}"))
    options += _blows(about, [at for at in range(len(chase.runners)) if _in_reach(chase, number, at)])
    if rider.focus and any(other.name == rider.focus and not other.out for other in chase.runners):
        options.append(Option("hold", f"wait until {rider.focus} acts", Deed("hold")))
    return (*options, Option("wait", "do nothing more", Deed("wait")))


def _blows(about: About, targets: list[int]) -> list[Option[Deed]]:
    """Blows at those beside, and what makes the next one better."""
    chase = about.chase
    options: list[Option[Deed]] = []
    for at in targets:
        for seat in strikes(about.rules, chase, about.number, about.seat, at):
            name = chase.runners[at].riders[seat].name
            options.append(Option(f"strike:{name}", f"strike at {name}", Deed("strike", at, seat=seat)))
    if options:
        options.append(Option("feint", "feint", Deed("feint"), "-1 to the next defense"))
        options.append(Option("wind-up", "wind up", Deed("wind-up"), "+1 damage class"))
    return options


def _in_reach(chase: Chase, number: int, other: int) -> bool:
    gap = chase.between(number, other)
    return other != number and gap is not None and not gap.lost and not chase.runners[other].out


def _maneuvers(about: About) -> list[Option[Deed]]:
    chase, runner = about.chase, about.runner
    gap = runner.gap
    options: list[Option[Deed]] = []
    if gap is None or gap.missed != "no":
        options += [_option("quick turn", "a quick turn"), _option("reverse", "reverse: turn round and go back")]
    for number, trick in enumerate(chase.course.tricks):
        options.append(_option("trick", trick.name, Deed("trick", trick=number), f"trick:{trick.name}"))
    if runner.craft.climbs:
        options += [_option("climb", "climb"), _option("dive", "dive")]
    for number, other in enumerate(chase.runners):
        between = chase.between(about.number, number)
        if _in_reach(chase, about.number, number) and between is not None and (between.range, between.height) == (0, 0):
            deed = Deed("force", number)
            options.append(_option("force", f"force {other.craft.name} off course", deed, f"force:{other.name}"))
    return options


def _option(kind: Kind, label: str, deed: Deed | None = None, key: str = "") -> Option[Deed]:
    what = deed or Deed(kind)
    return Option(key or kind, label, what)


def _shots(about: About, rider: Rider, targets: list[int]) -> list[Option[Deed]]:
    weapon = rider.weapon
    assert weapon is not None
    if rider.jam != UNJAMMED:
        return [Option("clear", f"clear the jammed {weapon.name}", Deed("clear"))]
    names = {at: about.chase.runners[at].name for at in targets}
    options: list[Option[Deed]] = []
    if rider.ammo and not rider.cocked:
        options.append(Option("ready", f"make {the(weapon.name)} ready", Deed("ready")))
    elif rider.ammo:
        options += [Option(f"fire:{name}", f"fire at {name}", Deed("fire", at)) for at, name in names.items()]
        if weapon.burst and rider.ammo >= weapon.burst:
            said = f"a burst of {weapon.burst} at"
            options += [Option(f"burst:{name}", f"fire {said} {name}", Deed("fire", at, burst=True)) for at, name in names.items()]
        options += [Option(f"aim:{name}", f"aim at {name}", Deed("aim", at)) for at, name in names.items()]
    if rider.ammo < weapon.ammo and not weapon.thrown:
        options.append(Option("reload", f"reload {the(weapon.name)}", Deed("reload")))
    return options


def _turned_word(level: int, turned: Turned) -> str:
    if turned.success:
        return "done"
    return "failed" if turned.level == level else _damage_word(turned.level)


def _forced_word(others: int, forced: Forced) -> str:
    if forced.qr >= FAILURE:
        return "failed"
    return "done" if forced.target_level == others else _damage_word(forced.target_level)


def _damage_word(level: int) -> str:
    return "wrecked" if level >= DEAD else "stopped" if level >= INCAPACITATED else "damaged"


# --- the outcome of it --------------------------------------------------------------------------------------------------------


def act(rules: Ruleset, chase: Chase, number: int, seat: int, deed: Deed) -> Play[Chase]:
    """One action of a rider; whatever comes between an aim or a hit and the next shot takes away what they were worth."""
    runner = chase.runners[number]
    rider = runner.riders[seat]
    if rider.just_hit and deed.kind not in ("fire", "wait", "hold"):
        runner = runner.with_rider(seat, just_hit="")
    if rider.aim and deed.kind not in ("fire", "aim", "wait", "hold"):
        runner = runner.with_rider(seat, aim=0, aim_at="")
    if (rider.feints or rider.windups) and deed.kind not in ("feint", "wind-up", "strike", "wait", "hold"):
        runner = runner.with_rider(seat, feints=0, windups=0)
    chase = chase.put(number, runner)
    match deed.kind:
        case "wait" | "hold":
            return chase
        case "strike":
            return (yield from strike(rules, chase, number, seat, target=deed.target, other=deed.seat))
        case "aim":
            target = chase.runners[deed.target].name
            aims = rider.aim + 1 if rider.aim_at == target else 1
            yield from Tell(Happened(rider.name, f"aims at {target} (+{aims})"))
            return chase.put(number, runner.with_rider(seat, aim=aims, aim_at=target, shots=0))
        case "fire":
            if deed.burst and not rider.begun and not _looses(rules, rider):
                yield from Tell(Happened(rider.name, "makes ready for a burst"))
                return chase.put(number, runner.with_rider(seat, begun=True))
            return (yield from _fire(rules, chase, number, seat, target=deed.target, burst=deed.burst))
        case "ready":
            yield from Tell(Happened(rider.name, "makes the weapon ready"))
            return chase.put(number, runner.with_rider(seat, cocked=True))
        case "feint":
            yield from Tell(Happened(rider.name, "feints"))
            return chase.put(number, runner.with_rider(seat, feints=rider.feints + 1))
        case "wind-up":
            yield from Tell(Happened(rider.name, "winds up"))
            return chase.put(number, runner.with_rider(seat, windups=rider.windups + 1))
        case "draw":
            drawn = _draw(runner, seat, deed.target)
            what = rider.profile.weapons[deed.target].name
            done = f"has the {what} in hand" if drawn.riders[seat].hand else f"reaches for the {what}"
            yield from Tell(Happened(rider.name, done))
            return chase.put(number, drawn)
        case "reload" | "clear":
            seen_to = yield from _ready(rules, runner, seat, deed.kind)
            yield from Tell(Happened(rider.name, _seen_to(deed.kind, seen_to.riders[seat])))
            return chase.put(number, seen_to)
        case "force":
            return (yield from _force(rules, chase, number, deed.target))
        case _:
            return (yield from _maneuver(rules, chase, number, deed))


def _seen_to(kind: str, rider: Rider) -> str:
    """The words for the result of work on a weapon."""
    if kind == "clear":
        return "clears the jam" if rider.jam == UNJAMMED else "works on the jam"
    return "is reloading" if rider.reloading else f"has {count(rider.ammo, 'round')} in the weapon"


def _driving(rules: Ruleset, runner: Runner) -> Task:
    return runner.driving.plus(*condition(rules, runner.body(0)))


def _catches(rules: Ruleset, runner: Runner) -> Task | None:
    """The driving task of an operator who can still catch the vehicle."""
    body = runner.body(0)
    return None if body.dead or body.unconscious else _driving(rules, runner)


def _force(rules: Ruleset, chase: Chase, number: int, target: int) -> Play[Chase]:
    runner, other = chase.runners[number], chase.runners[target]
    gap = chase.between(number, target) or BESIDE
    forced = yield from sub(
        force,
        rules,
        runner.craft,
        _driving(rules, runner),
        runner.bid,
        other.craft,
        _catches(rules, other),
        other.bid,
        gap,
        runner.name,
        other.name,
    )
    yield from came_to(_forced_word(other.craft.level, forced), FORCING, runner.name, other.name)
    chase = chase.put(number, _damaged(runner, forced.level, forced.aboard))
    return chase.put(target, _damaged(other, forced.target_level, forced.target_aboard))


def _damaged(runner: Runner, level: int, aboard: tuple[Patient, ...]) -> Runner:
    return replace(runner, craft=replace(runner.craft, level=level, aboard=aboard))


def _trick_modifier(rules: Ruleset, chase: Chase, runner: Runner, deed: Deed) -> int:
    """The modifier of a trick beyond a plain one, which counts acceleration and maneuver: its own modifier and its own ratings."""
    if deed.trick < 0:
        return 0
    trick: Trick = chase.course.tricks[deed.trick]
    craft = runner.craft
    own = (craft.acc if trick.acc else 0) + (craft.man if trick.man else 0) - (craft.size if trick.size else 0)
    return trick.modifier + own - ratings(rules, "trick", craft).value


def _maneuver(rules: Ruleset, chase: Chase, number: int, deed: Deed) -> Play[Chase]:
    runner = chase.runners[number]
    kind = cast(Maneuver, deed.kind)
    added = _trick_modifier(rules, chase, runner, deed)
    turned = yield from sub(maneuver, rules, kind, runner.craft, _driving(rules, runner), runner.bid, added, runner.name)
    yield from came_to(_turned_word(runner.craft.level, turned), MANEUVERING, runner.name)
    chase = chase.put(number, _damaged(runner, turned.level, turned.aboard))
    touched = range(1, len(chase.runners)) if runner.gap is None else (number,)
    for at in touched:
        other = chase.runners[at]
        if other.gap is not None and not other.gap.lost:
            gap = yield from _changed(rules, chase, other, other.gap, deed=deed, qr=turned.qr, quarry=runner.gap is None)
            chase = chase.put(at, replace(chase.runners[at], gap=gap))
            if (gap.range, gap.height) != (other.gap.range, other.gap.height):
                yield from Tell(distance(rules, chase, chase.runners[at]))
    return chase


def distance(rules: Ruleset, chase: Chase, runner: Runner) -> Happened:
    """How far apart two vehicles are now."""
    gap, quarry = runner.gap, chase.quarry.name
    assert gap is not None
    if gap.lost:
        return Happened(runner.name, f"loses contact with {quarry}")
    above = f", {count(abs(gap.height), 'step')} {'below' if gap.height > 0 else 'above'}" if gap.height else ""
    meters = pursuit_range(rules, chase.course.scale, gap.range)
    return Happened(runner.name, f"is {meters} m behind {quarry} (range {gap.range}{above})")


def _changed(rules: Ruleset, chase: Chase, pursuer: Runner, gap: Gap, *, deed: Deed, qr: int, quarry: bool) -> Play[Gap]:
    """A gap after a maneuver of the quarry, or of the pursuer."""
    if deed.kind in ("climb", "dive"):
        return after_climb(rules, gap, deed.kind, qr, quarry)
    if deed.kind == "trick":
        gains = chase.course.tricks[deed.trick].gains if qr < FAILURE else 0
        return replace(gap, range=max(0, min(CONTACT_LOST, gap.range + (gains if quarry else -gains))))
    if not quarry:
        return after_answer(rules, gap, cast(Maneuver, deed.kind), qr)
    if deed.kind == "reverse":
        return after_reverse(rules, gap, qr)
    after = after_quick_turn(rules, gap, qr, chase.course.shortcuts)
    if qr < FAILURE and gap.range > 3 and not pursuer.craft.stopped:
        return (yield from keep_sight(rules, after, qr, _searching(rules, pursuer), pursuer.name))
    if after.missed != gap.missed:
        yield from Tell(
            Happened(pursuer.name, "must turn at once, or goes the wrong way" if after.missed == "sudden" else "must turn there too")
        )
    return after


def _searching(rules: Ruleset, runner: Runner) -> Task:
    """The best searcher among people who are awake."""
    tasks = [Task(0, 1)]
    for rider, body in zip(runner.riders, runner.craft.aboard, strict=True):
        if not (body.dead or body.unconscious):
            tasks.append(rider.search.plus(*condition(rules, body)))
    return max(tasks, key=lambda task: chance_of(rules, task))


# --- weapons ------------------------------------------------------------------------------------------------------------------


def shot_at(rules: Ruleset, chase: Chase, number: int, seat: int, target: int) -> tuple[Task, int]:
    """The task of a shot at a vehicle, which moves quickly and is as large as it is (ruling), and how far off it is."""
    runner, other = chase.runners[number], chase.runners[target]
    rider, gap = runner.riders[seat], chase.between(number, target) or BESIDE
    weapon = rider.weapon
    assert weapon is not None
    meters = pursuit_range(rules, chase.course.scale, min(FARTHEST, max(gap.range, abs(gap.height)))) or 0
    situations = [Situation("target moving quickly")]
    if other.craft.size >= 0:
        situations.append(Situation("target horse-sized to enormous", pick=min(LARGEST, 2 + other.craft.size)))
    aims = rider.aim if rider.aim_at == other.name else 0
    mods = (
        Mod(weapon.name, weapon.pm, "fs-ranged-weapons"),
        recoil(rules, weapon.recoil, rider.shots),
        aiming(rules, aims, rider.just_hit == other.name),
        range_modifier(rules, meters, weapon.increment),
        *ranged_modifiers(rules, tuple(situations)),
    )
    return weapon.task.plus(*condition(rules, runner.body(seat), rider.arms), *mods), meters


def _looses(rules: Ruleset, rider: Rider) -> bool:
    """Whether the next fire action looses a burst: a weapon that is cocked first has had its first of two, others may need one."""
    weapon = rider.weapon
    return weapon is not None and (weapon.prepare or fire_actions(rules, weapon.prepare, burst=True) == 1)


def _fire(rules: Ruleset, chase: Chase, number: int, seat: int, *, target: int, burst: bool) -> Play[Chase]:
    """A shot at a vehicle, or a burst, which is one hit of a higher damage class for more rounds."""
    runner, other = chase.runners[number], chase.runners[target]
    rider = runner.riders[seat]
    weapon = rider.weapon
    assert weapon is not None
    task, _ = shot_at(rules, chase, number, seat, target)
    rolled = yield from attempt(rules, task, rider.name, "shot", failing_rolls(rules, weapon.jam))
    jams = rolled.fails and (yield from really_fails(rules, weapon.jam, rider.name))
    of = weighed(rules, task)
    yield from Tell(Fired(name=rider.name, target=other.name, qr=rolled.qr, jammed=jams, burst=burst, of=of))
    stuck = (yield from jam(rules, rider.name)) if jams else UNJAMMED
    left = rider.ammo - (weapon.burst if burst else 1)
    runner = runner.with_rider(seat, ammo=left, shots=rider.shots + 1, aim=0, aim_at="", jam=stuck, cocked=not weapon.prepare, begun=False)
    hit = other.name if not jams and rolled.qr <= BARELY else ""
    runner = runner.with_rider(seat, just_hit=hit)
    chase = chase.put(number, runner)
    if jams or rolled.qr > BARELY:
        yield from came_to("miss", SHOOTING, rider.name, other.name)
        return chase
    dc = str(burst_class(rules, weapon.dc, weapon.burst_dc)) if burst else weapon.dc
    if other.craft.vehicle in ON_FOOT:
        body = yield from sub(be_hit, rules, other.body(0), Blow(dc, rolled.qr))
        yield from came_to(outcome_of(other.body(0), body), WOUNDING, rider.name, other.name)
        return chase.put(target, other.with_body(0, body))
    craft = yield from sub(hit_vehicle, rules, other.craft, dc, rolled.qr)
    yield from came_to(_shot_word(other.craft, craft), SHOOTING, rider.name, other.name)
    return chase.put(target, replace(other, craft=craft))


def _shot_word(before: Craft, after: Craft) -> str:
    """The effect of a shot on a vehicle and those in it, as one of the words of `SHOOTING`."""
    if after.level > before.level:
        return _damage_word(after.level)
    return "somebody hurt" if after.aboard != before.aboard else "no damage"


def _draw(runner: Runner, seat: int, at: int) -> Runner:
    """An action spent on drawing a weapon, which takes as many as its table says; what has to be cocked is not."""
    rider = runner.riders[seat]
    weapon, done = rider.profile.weapons[at], (rider.drawn if rider.drawing == at else 0) + 1
    if done < weapon.draw:
        return runner.with_rider(seat, drawing=at, drawn=done)
    ammo = weapon.ammo if weapon.loaded is None else weapon.loaded
    fresh = {"drawing": 0, "drawn": 0, "shots": 0, "reloading": 0, "begun": False, "jam": UNJAMMED}
    return runner.with_rider(seat, hand=at, ammo=ammo, cocked=not weapon.prepare, **fresh)


def _ready(rules: Ruleset, runner: Runner, seat: int, kind: str) -> Play[Runner]:
    """An action spent on the weapon: on a jam, or on reloading it, which takes as many as its table says."""
    rider = runner.riders[seat]
    weapon = rider.weapon
    assert weapon is not None
    if kind == "clear":
        task = rider.profile.dexterity.plus(*condition(rules, runner.body(seat), rider.arms, concentration=True))
        return runner.with_rider(seat, jam=(yield from clear_jam(rules, rider.jam, task, rider.name)))
    spent = rider.reloading + 1
    if spent < weapon.reload:
        return runner.with_rider(seat, reloading=spent)
    full = min(weapon.ammo, rider.ammo + 1) if weapon.reload_each else weapon.ammo
    return runner.with_rider(seat, reloading=0, ammo=full, cocked=True)
