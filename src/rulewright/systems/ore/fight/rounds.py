"""The round: declare from the lowest to the highest, roll at once, resolve by Speed (book lines 4171-4304)."""

from msgspec.structs import replace

from rulewright.play import Choice, Event, Happened, Option, Play, Roll, Tell, sub
from rulewright.rules import Ruleset, rule
from rulewright.systems.ore.combat.close_actions import STRANGLED
from rulewright.systems.ore.combat.cover import Cover
from rulewright.systems.ore.combat.fighters import DEFENCES, REACH, WITHOUT_ROLL, Act, Fight, Fighter, Group, Pending, Plan, Situation
from rulewright.systems.ore.combat.hazards import in_area, mooks_in_area
from rulewright.systems.ore.combat.mooks import mook_attack, mook_dice, mook_sets
from rulewright.systems.ore.combat.two_weapons import twins
from rulewright.systems.ore.drama.determination import Determined, Timed, determine, speed_of, waste_counts
from rulewright.systems.ore.drama.falls import Laid, arranged
from rulewright.systems.ore.drama.points import fortunate_test
from rulewright.systems.ore.fight.gunfire import lays_fire, shots_fired, under_suppression
from rulewright.systems.ore.fight.heroics import Fell, after_the_roll, before_the_roll, counters, flinches, heroic_cast, slips
from rulewright.systems.ore.fight.initialisation import declare, order_of, raise_shield, rolls_initiative, take_initiative
from rulewright.systems.ore.fight.parley import before_combat
from rulewright.systems.ore.fight.pools import cast_of
from rulewright.systems.ore.fight.strikes import BLOWS, arm_gone, defended, lands, shaken, weapon_of
from rulewright.systems.ore.fight.unrolled import approaches, without_roll
from rulewright.systems.ore.gear.armour import encumbered, encumbrance
from rulewright.systems.ore.harm.body import AnyBody
from rulewright.systems.ore.harm.endurance import MOST_DIFFICULTY, Stamina, exerted, exertion_pool, must_test, perished, rests, strains
from rulewright.systems.ore.harm.lasting import a_round_passes
from rulewright.systems.ore.harm.locations import uses_locations
from rulewright.systems.ore.resolution.readings import Thrown
from rulewright.systems.ore.resolution.tests import difficulty_of, sides

SECONDS = 5
"""How long a round is."""


class RoundBegins(Event, frozen=True):
    """A new round, with those who declare in it, the lowest Initiative first."""

    number: int
    order: tuple[str, ...]

    def headline(self) -> str:
        return f"Round {self.number}: {', '.join(self.order)}"


# --- the steps ----------------------------------------------------------------------------------------------------------------


@rule("ore-4.01-round")
def next_step(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """A round of five seconds has three steps: everybody declares, everybody rolls, and the results are applied in order of Speed;
    then the next begins. This is the next thing to happen in it."""
    if fight.phase == "begin":
        fight = yield from begin_round(rules, fight)
    if fight.phase == "declare":
        return (yield from next_declaration(rules, fight))
    if fight.phase == "roll":
        return (yield from roll_at_once(rules, fight))
    return (yield from resolve_fastest(rules, fight))


def begin_round(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """The order of declarations stands; where initiative is rolled, it is rolled before the first round. Mooks only ever attack."""
    if fight.round == 0 and rolls_initiative(rules):
        fight = yield from take_initiative(rules, fight, tuple([fighter.name for fighter in fight.fighters if fighter.able]))
    if fight.round == 0 and fight.ground.parley:
        fight = yield from before_combat(rules, fight)
    order = order_of(rules, fight)
    yield Tell(RoundBegins(fight.round + 1, order))
    return begun(fight, order)


def begun(fight: Fight, order: tuple[str, ...]) -> Fight:
    """A new round in which these declare in this order."""
    plans = tuple([Plan(name, (Act("attack"),)) for name in order if fight.group(name) is not None])
    return replace(fight, round=fight.round + 1, phase="declare", order=order[len(plans) :], plans=plans, pending=())


@rule("ore-4.02-initialisation")
def next_declaration(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Who is lowest declares everything he will do, knowing what was declared before him; who is highest knows most."""
    fight = yield from declaration(rules, fight)
    return fight if fight.order else (yield from make_ready(rules, fight))


def declaration(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Who is next declares, and says what shield and Drama Points are for."""
    name = fight.order[0]
    acts = yield from declare(rules, fight, name)
    fight = yield from raise_shield(rules, fight, name)
    fight, plan = yield from before_the_roll(rules, fight, name, acts)
    return replace(fight, order=fight.order[1:], plans=(*fight.plans, plan))


# --- everybody rolls ----------------------------------------------------------------------------------------------------------


def make_ready(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Everybody has declared: what needs no roll happens now (ruling), and it is clear who rolls what."""
    fight = yield from without_roll(rules, fight)
    casts = []
    for plan in fight.plans:
        acts = rolled(plan)
        if acts and fight.group(plan.who) is None and acts[0].kind != "suppress":
            casts.append(heroic_cast(rules, fight, cast_of(rules, fight, fight.fighter(plan.who), acts), plan))
    for fighter in fight.fighters:
        fight = _spent(fight, fighter.name)
    return replace(fight, phase="roll", casts=tuple(casts), plain=_what_matters(rules, fight))


def rolled(plan: Plan) -> tuple[Act, ...]:
    """What somebody declared that needs dice."""
    return tuple([act for act in plan.acts if act.kind not in WITHOUT_ROLL])


@rule("ore-4.03-determination")
def roll_at_once(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Everybody rolls for what was declared, all at the same time. Where no set can answer another, all are applied at once."""
    determined: Determined = yield from sub(determine, rules, fight.casts, fight.plain)
    pending: list[Pending] = []
    plans = {plan.who: plan for plan in fight.plans}
    for cast, sets, waste, lying in zip(fight.casts, determined.sets, determined.waste, determined.lying, strict=True):
        acts = rolled(plans[cast.who])
        fight, (sets, waste, _) = yield from after_the_roll(rules, fight, cast, plans[cast.who], Fell(sets, waste, lying))
        assigned = yield from _assigned(rules, fight, cast.who, acts, sets)
        pending += assigned if cast.difficulty == 1 else [replace(each, need=difficulty_of(rules, cast.difficulty)) for each in assigned]
        fight = fight.put((yield from shots_fired(rules, fight.fighter(cast.who), acts, waste)))
        if sets and acts[0].kind == "dive":
            fight = fight.change(cast.who, diving=True)
    for plan in fight.plans:
        if plan.acts[0].kind == "suppress":
            pending.append((yield from _suppression(rules, fight, fight.fighter(plan.who), plan.acts[0])))
            fight = fight.put((yield from shots_fired(rules, fight.fighter(plan.who), plan.acts, _lowest(pending[-1]))))
    pending += _still_choking(rules, fight)
    for group in fight.groups:
        if group.able and group.name in plans:
            pending += yield from _mooks_attack(rules, fight, group)
    fight, waiting = yield from slips(rules, fight, tuple(pending))
    fight = replace(fight, phase="resolve", casts=(), pending=waiting)
    while fight.plain and fight.phase == "resolve":
        fight = yield from resolve_fastest(rules, fight)
    return fight


def _assigned(rules: Ruleset, fight: Fight, who: str, acts: tuple[Act, ...], sets: tuple[Timed, ...]) -> Play[list[Pending]]:
    """Which set serves which action: the first goes to the first, unless somebody says otherwise."""
    if len(acts) > 1 and len(set(acts)) == 1:
        acts = acts[: len(sets)]  # the shots of one volley are all alike
    elif len(sets) > 1 and len(set(sets)) > 1:
        words = ", ".join([act.kind for act in acts])
        options = (
            Option("as they are", f"{_sets(sets)} for {words}", sets),
            Option("the other way round", f"{_sets(sets[::-1])} for {words}", sets[::-1]),
        )
        sets = yield from Choice(who, "Which set is for what?", options, Situation(fight, who, rules), "assign")
    elif len(sets) == 1 and len(acts) > 1:
        options_of = tuple([Option(*_named(act, acts), act) for act in acts])
        chosen = yield from Choice(who, f"What is your {_sets(sets)} for?", options_of, Situation(fight, who, rules), "serve")
        acts = (chosen,)
    elif not sets:
        yield Tell(Happened(who, f"rolls no set for {' and '.join([act.kind for act in acts])}"))
    off = fight.fighter(who).hand == "off"
    found = [Pending(who, act, one.width, one.height, one.speed, off=off) for act, one in zip(acts, sets, strict=False)]
    return found + [replace(each, act=replace(each.act, twin=True)) for each in found if _is_twinned(fight, each)]


def _is_twinned(fight: Fight, each: Pending) -> bool:
    """Whether two weapons make an attack happen twice: with a better skill than the opponent's, or with ranged ones."""
    if not each.act.off_hand:
        return False
    fighter, group = fight.fighter(each.who), fight.group(each.act.target)
    if group is not None:
        against = group.mob.threat
    else:
        other = fight.fighter(each.act.target)
        against = other.profile.ratings[other.in_hand]
    return twins(fighter.weapon.kind, fighter.profile.ratings[fighter.in_hand], against)


def _named(act: Act, acts: tuple[Act, ...]) -> tuple[str, str]:
    """An action by its kind, or by its target where all are of one kind."""
    return (act.kind, act.kind.capitalize()) if len({each.kind for each in acts}) > 1 else (act.target, act.target)


def _suppression(rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Pending]:
    """An area under fire waits for its Speed like any set: that of its widest, or of a single die."""
    lying = yield from lays_fire(rules, fight, fighter)
    width, height = lying[0]
    return Pending(fighter.name, act, width, height, speed_of(rules, width, height), lying)


def _lowest(fire: Pending) -> int:
    return min([height for width, height in fire.lying if width == 1], default=0)


def _still_choking(rules: Ruleset, fight: Fight) -> list[Pending]:
    """Whoever is strangled is hurt again without a further roll, while the grip lasts and its owner does nothing else."""
    idle = {plan.who for plan in fight.plans if not any(act.kind not in WITHOUT_ROLL for act in plan.acts)}
    found = []
    for fighter in fight.fighters:
        if fighter.choked and fighter.held_by in idle:
            act = Act("strangle", fighter.name, "head")
            height = min(STRANGLED, sides(rules))
            found.append(Pending(fighter.held_by, act, fighter.choked, height, speed_of(rules, fighter.choked, height)))
    return found


def _sets(sets: tuple[Timed, ...]) -> str:
    return ", ".join([f"{one.width}x{one.height}" for one in sets])


def _mooks_attack(rules: Ruleset, fight: Fight, group: Group) -> Play[list[Pending]]:
    """One roll for all mooks of a group; every set goes to somebody whom the Game Master names."""
    sets = yield from _mook_sets(rules, group)
    found: list[Pending] = []
    people = [fighter for fighter in fight.fighters if fighter.side != group.side and fighter.able]
    if not people:  # the last of them was put out by his own gun
        return []
    options = tuple([Option(fighter.name, fighter.name, fighter.name) for fighter in people])
    speaker = group.members[0]
    for width, height, waste in sets:
        target = options[0].value
        if len(options) > 1:
            about = Situation(replace(fight, pending=tuple(found)), speaker, rules)
            target = yield from Choice(speaker, f"Whom do {group.name} attack with a {width}x{height}?", options, about, "mooks")
        found.append(Pending(group.name, Act("attack", target), width, height, speed_of(rules, width, height, waste)))
    if not found:
        yield Tell(Happened(group.name, "roll no set"))
    return found


def _mook_sets(rules: Ruleset, group: Group) -> Play[tuple[tuple[int, int, int], ...]]:
    """The sets of a group of mooks, each with its waste die where these decide Speed."""
    if not any(group.mob.ratings):
        return ()
    if not waste_counts(rules):
        sets = yield from mook_attack(rules, group.mob, group.members[0])
        return tuple([(width, height, 0) for width, height in sets])
    dice = Thrown(mook_dice(group.mob), (0,) * sides(rules))
    lying, singles = yield from Roll(Laid(dice), group.members[0], "mooks attack")
    return arranged((mook_sets(rules, lying, group.mob.threat), singles), len(lying) * MOST_PARTS)


MOST_PARTS = 5
"""Into how many sets one can be broken up at most."""


PLAIN = frozenset(("attack", "slash", "thrust", "pass", "draw", "reload", "feint", "aim", "get bearings", "put out the fire", "stand"))
"""Actions among which no set answers another."""


def _what_matters(rules: Ruleset, fight: Fight) -> str:
    """How much of the dice can matter to who wins: nothing but Widths (and places) where nobody defends and Width is Speed; and where
    two strike at each other, the slower has nothing left of a narrow set."""
    acts = [act for plan in fight.plans for act in plan.acts]
    plain = all(act.kind in PLAIN and not act.wait for act in acts)
    if not plain or rules.word("speed") != "width" or rules.word("drama-points") != "none" or fight.groups:
        return ""
    if any(fighter.cover.any for fighter in fight.fighters) or any(len(rolled(plan)) > 1 for plan in fight.plans):
        return ""  # which of several sets a hit takes a die from is said by their Heights
    matters = "places" if uses_locations(rules) and rules.word("hit-location") == "height" else "widths"
    return f"{matters}, mutual" if _mutual(fight) else matters


def _mutual(fight: Fight) -> bool:
    """Whether exactly two people strike at each other, each once and within reach, so that the faster blow lands for certain."""
    blows = [(plan.who, act) for plan in fight.plans for act in plan.acts if act.kind in BLOWS and act.shots == 1]
    if len(blows) != 2 or any(len(plan.acts) > 1 for plan in fight.plans):
        return False
    (first, one), (second, other) = blows
    near = fight.distance(first, second) <= REACH or not (fight.fighter(first).weapon.close or fight.fighter(second).weapon.close)
    return one.target == second and other.target == first and near


def _spent(fight: Fight, name: str) -> Fight:
    """What was gathered for an attack is used up by it, and lost by whoever did something else in between."""
    fighter = fight.fighter(name)
    plan = next((plan for plan in fight.plans if plan.who == name), None)
    kinds = {act.kind for act in plan.acts} if plan is not None else set()
    if fighter.tripped:
        fighter = replace(fighter, tripped=0)
    if fighter.impresses and kinds & BLOWS:
        fighter = replace(fighter, impresses=False)
    if not kinds & {"aim", "feint"} and (fighter.aim or fighter.feints):
        fighter = replace(fighter, aim=0, feints=0, against="")
    return fight.put(fighter)


# --- the results --------------------------------------------------------------------------------------------------------------


@rule("ore-4.05-resolution-order", "ore-4.04-no-reaction-to-faster")
def resolve_fastest(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """The fastest sets that wait are applied, those of equal Speed at the same time; everybody who is hit loses a die from a set that
    still waits. A defence waits for what it can answer. When nothing is left, the round is over."""
    waiting = [each for each in fight.pending if each.act.kind not in DEFENCES]
    if not waiting:
        return (yield from end_round(rules, fight))
    top = max([each.speed for each in waiting])
    held_back = next((each for each in waiting if each.speed == top and each.act.wait), None)
    if held_back is not None:
        return (yield from _waits(rules, fight, held_back))
    hits: list[str] = []
    before = fight
    while (each := _next_at(fight, top)) is not None:
        fight = replace(fight, pending=tuple([other for other in fight.pending if other is not each]))
        if before.able(each.who):
            fight, names = yield from _resolved(rules, before, fight, _still_armed(before, fight, each))
            hits += names
    fight = replace(fight, pending=tuple([other for other in fight.pending if fight.able(other.who)]))
    for name in hits:
        fight, loses = yield from flinches(rules, fight, name)
        fight = replace(fight, pending=shaken(rules, fight.pending, name)) if loses else fight
    return fight


def _still_armed(before: Fight, fight: Fight, each: Pending) -> Pending:
    """Whoever lost his weapon in this very moment still strikes with it."""
    if fight.group(each.who) is not None:
        return each
    held = before.fighter(each.who).in_hand
    return each if fight.fighter(each.who).in_hand == held else replace(each, act=replace(each.act, weapon=held))


def _next_at(fight: Fight, speed: tuple[int, ...]) -> Pending | None:
    """The next set to be applied at this Speed; a charge comes before the blow it ends in."""
    found = [each for each in fight.pending if each.speed == speed and each.act.kind not in DEFENCES]
    return next((each for each in found if each.act.kind == "charge"), found[0] if found else None)


def _waits(rules: Ruleset, fight: Fight, each: Pending) -> Play[Fight]:
    """Whoever waits says after which slower set he acts; with nobody slower the action is lost."""
    slower = sorted({other.speed for other in fight.pending if other.speed < each.speed and other is not each}, reverse=True)
    others = tuple([other for other in fight.pending if other is not each])
    if not slower:
        yield Tell(Happened(each.who, "has waited for nothing"))
        return replace(fight, pending=others)
    options = tuple([Option("/".join(map(str, speed)), f"At Speed {'/'.join(map(str, speed))}", speed) for speed in slower])
    speed = yield from Choice(each.who, "When do you act?", options, Situation(fight, each.who, rules), "wait")
    return replace(fight, pending=(*others, replace(each, act=replace(each.act, wait=False), speed=speed)))


Names = tuple[str, ...]


def _resolved(rules: Ruleset, before: Fight, fight: Fight, each: Pending) -> Play[tuple[Fight, Names]]:
    """One set is applied; whom it costs dice of waiting sets, once for each. Who fell in this very moment still acts, and can be hit."""
    act, fighter = each.act, fight.fighter(each.who) if fight.group(each.who) is None else None
    if fighter is not None and act.kind == "run":
        return approaches(rules, fight, fighter, each.width), ()
    if fighter is not None and act.kind == "charge":
        return _charged(approaches(rules, fight, fighter, each.width), each), ()
    if fighter is not None and act.kind == "escape":
        return (yield from _escapes(rules, fight, fighter, each)), ()
    if act.kind == "kip up":
        yield Tell(Happened(each.who, "is on his feet again in one leap"))
        return fight.change(each.who, downed=False), ()
    if act.kind == "suppress":
        yield Tell(Happened(each.who, "lays the area under fire"))
        return (yield from under_suppression(rules, fight, each))
    if arm_gone(rules, before, each):
        yield Tell(Happened(each.who, f"has lost the arm for the {act.kind}"))
        return fight, ()
    if not before.able(act.target):
        yield Tell(Happened(each.who, f"finds {act.target} out of the fight already"))
        return fight, ()
    if weapon_of(fight, each).close and fight.distance(each.who, act.target) > REACH:
        yield Tell(Happened(each.who, f"cannot reach {act.target}"))
        return fight, ()
    fight, width = yield from defended(rules, fight, each, before)
    if not width:
        yield Tell(Happened(each.who, f"is stopped by {act.target}"))
        return fight, ()
    if act.kind == "close in":
        yield Tell(Happened(each.who, f"gets inside {act.target}'s guard"))
        return fight.change(each.who, close_to=act.target), ()
    fight, dice = yield from lands(rules, fight, each, width)
    return fight, (act.target,) * dice


def _charged(fight: Fight, charge: Pending) -> Fight:
    """A charge adds to the attack that ends it, if that still waits."""
    own = [each for each in fight.pending if each.who == charge.who and each.act.kind == "attack"]
    pending = [replace(each, act=replace(each.act, charge=charge.width)) if each in own else each for each in fight.pending]
    return replace(fight, pending=tuple(pending))


def _escapes(rules: Ruleset, fight: Fight, fighter: Fighter, each: Pending) -> Play[Fight]:
    """Whoever is grappled breaks free, unless the other holds on."""
    holder = fighter.held_by
    if not holder or not fight.able(holder):
        return fight.put(replace(fighter, held_by="", choked=0))
    fight, left = yield from counters(rules, fight, holder, fight.fighter(holder).profile.wrestle, each.width, each.height)
    yield Tell(Happened(each.who, f"breaks free of {holder}" if left.success else f"cannot break free of {holder}"))
    return fight.put(replace(fighter, held_by="", choked=0)) if left.success else fight


def _exerts(rules: Ruleset, fight: Fight, fighter: Fighter) -> bool:
    """Whether somebody exerts himself this round: whoever does anything in a fight does, and whoever wears more than he can carry."""
    acts = any(plan.who == fighter.name and any(act.kind != "pass" for act in plan.acts) for plan in fight.plans)
    return acts or encumbered(encumbrance(rules, fighter.worn).value, fighter.profile.body)


def _tires(rules: Ruleset, fighter: Fighter, body: AnyBody, tired: Stamina) -> Play[tuple[AnyBody, Stamina]]:
    """Somebody has exerted himself for a round, and makes the Exertion Test if one is due."""
    if not must_test(rules, tired):
        return body, tired
    if tired.difficulty > MOST_DIFFICULTY:
        return body, exerted(tired)
    pool = exertion_pool(fighter.profile.endurance, tired)
    body, outcome = yield from fortunate_test(rules, body, pool, tired.difficulty, fighter.name, "exertion")
    return body, exerted(tired, outcome.success)


def end_round(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """The round is over: what everybody stands in hurts, fires burn, wounds bleed, bodies at their end fight for themselves, fear wears
    off, and no grip outlasts whoever had it."""
    ground = fight.ground
    for fighter in fight.fighters:
        body = fighter.body
        if ground.area and not body.dead:
            body = yield from in_area(rules, body, ground.area, ground.area_form, by=fighter.name)
        body = yield from a_round_passes(rules, body, fighter.name)
        stamina = fighter.stamina
        if fighter.able and _exerts(rules, fight, fighter):
            body, stamina = yield from _tires(rules, fighter, body, strains(rules, stamina))
            body = perished(body) if stamina.dead else body
        else:
            stamina = rests(stamina)
        held = fighter.held_by if fighter.held_by and fight.able(fighter.held_by) and body.able else ""
        after = replace(fighter, body=body, afraid=max(0, fighter.afraid - 1), held_by=held, choked=fighter.choked if held else 0)
        after = replace(after, stamina=stamina) if stamina is not fighter.stamina else after
        after = replace(after, diving=False, cover=Cover(ground.cover, ground.cover_material)) if fighter.diving else after
        if after != fighter:
            fight = fight.put(after)
    for group in [each for each in fight.groups if each.able] if ground.area else ():
        mob = yield from mooks_in_area(rules, group.mob, ground.area)
        gone = group.mob.number - mob.number
        yield Tell(Happened(group.name, f"lose {gone} to what they stand in" if gone else "suffer from what they stand in"))
        fight = fight.put_group(replace(group, mob=mob))
    return replace(fight, phase="begin", order=(), plans=(), pending=(), plain="")
