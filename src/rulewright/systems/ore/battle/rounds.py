"""The round of vehicles: Position, declare from the lowest to the highest, roll at once, resolve by Speed (book lines 5816-5971)."""

from collections.abc import Sequence

from msgspec.structs import replace

from rulewright.dice.sets import Set
from rulewright.errors import UserError
from rulewright.play import Choice, Happened, Option, Play, Roll, Tell, Together, sub
from rulewright.rules import Ruleset, rule
from rulewright.systems.ore.battle.actions.maneuvers import at_escape_range, gets_away
from rulewright.systems.ore.battle.actions.registry import action_of, is_volley
from rulewright.systems.ore.battle.actions.weapons import open_to_attack
from rulewright.systems.ore.battle.combatants import Battle, Craft, Order, Plan, Post, Situation, Volley, Waiting, Wing
from rulewright.systems.ore.battle.declarations import declaration, posts
from rulewright.systems.ore.battle.dice import Tried, height_less, pressed, street_of, words
from rulewright.systems.ore.battle.events import DiceReady, NoSet, PositionTaken, Pressed, SetWaits
from rulewright.systems.ore.battle.feats import cooled, spared, with_feats
from rulewright.systems.ore.battle.harm import Blow, strikes
from rulewright.systems.ore.battle.volleys import Widths
from rulewright.systems.ore.combat.mooks import mook_sets
from rulewright.systems.ore.drama.determination import ActionPart, Cast, Determined, Timed, determine, speed_of
from rulewright.systems.ore.drama.round_readings import EverySet
from rulewright.systems.ore.fight.events import RoundBegins
from rulewright.systems.ore.harm.over_time import a_round_passes
from rulewright.systems.ore.log_phrases import action_phrase
from rulewright.systems.ore.machines.driving_tests import blacks_out, ejection, hull_height, no_better_than_the_hover
from rulewright.systems.ore.machines.weapons import ram_damage, reaches
from rulewright.systems.ore.people.feat_effects import Help, relieved
from rulewright.systems.ore.resolution.contests import counted_pool, shared_pool
from rulewright.systems.ore.resolution.readings import BestFor, Trades
from rulewright.systems.ore.resolution.tests import Pool, dice_in, reading, thrown


@rule("ore-4.22-vehicle-round")
def next_step(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """The next step of a battle: declarations, the roll, then results by Speed."""
    if battle.phase == "begin":
        battle = yield from begin_round(rules, battle)
    if battle.phase == "declare":
        battle = yield from declaration(rules, battle)
        return battle if battle.order else (yield from make_ready(rules, battle))
    if battle.phase == "roll":
        return (yield from roll_at_once(rules, battle))
    return (yield from resolve_fastest(rules, battle))


# --- Position -----------------------------------------------------------------------------------------------------------------


@rule("ore-4.22-position")
def positions(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Everybody rolls for Position at the start; without a set there is none (ruling)."""
    rolling: list[tuple[Post, BestFor]] = []
    for unit in battle.units:
        post = battle.helm(unit.name)
        if post is None or not unit.able or (isinstance(unit, Craft) and unit.grounded):
            continue
        try:
            tried, _ = attempted(rules, battle, post, Order("position"))
        except UserError:
            continue
        yield Tell(DiceReady(battle.voice(post), "Position", tried.sum_of_dice(rules), tried.sum_of_difficulty()))
        read = reading(rules, tried.pool, tried.difficulty)
        if isinstance(read, BestFor):
            rolling.append((post, read))
    if not rolling:
        return battle
    fell = yield from Together(tuple([Roll(read, post.who, "Position") for post, read in rolling]))
    for (post, _), pair in zip(rolling, fell, strict=True):
        width, height = pair or (0, 0)
        yield Tell(PositionTaken(post.who, post.craft, width, height))
        battle = battle.change(post.craft, position=(width, height))
    return battle


def begin_round(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Starts a round: effects of the last one end, and the lowest Position declares first."""
    if battle.round == 0:
        battle = yield from positions(rules, battle)
    battle = replace(battle, round=battle.round + 1, plans=(), casts=(), volleys=(), waiting=())
    for craft in battle.crafts:
        if craft.redline:
            battle = yield from cooled(battle, craft)
        if craft.erratic or craft.turned or craft.hover is not None:
            battle = battle.change(craft.name, erratic=0, turned=0, hover=None)
    for person in battle.people:
        if person.dazed == battle.round and person.able and person.craft:
            yield Tell(Happened(person.name, "has blacked out and cannot act this round", "bad"))
    order = posts(battle)
    yield Tell(RoundBegins(battle.round, tuple(dict.fromkeys([post.who for post in order])), street_of(battle)[0]))
    battle = replace(battle, order=order, phase="declare" if order else "roll")
    return battle if order else (yield from make_ready(rules, battle))


# --- everybody rolls ----------------------------------------------------------------------------------------------------------


def make_ready(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """After the declarations: actions without a roll happen (ruling), G-forces apply, and all pools are ready."""
    for plan in battle.plans:
        for order in plan.orders:
            if not action_of(order).needs_roll(rules, battle, plan.post, order) and battle.can_act(plan.post):
                battle = yield from action_of(order).begins(rules, battle, plan.post, order)
    battle = yield from under_pressure(rules, battle)
    casts: list[tuple[Post, Cast]] = []
    volleys: list[Volley] = []
    plans = []
    for plan in battle.plans:
        if not battle.can_act(plan.post):
            continue
        plan = yield from _drop_impossible(rules, battle, plan)
        plans.append(plan)
        for order in plan.orders:
            if is_volley(battle, plan.post, order):
                volleys.append((yield from _volley(rules, battle, plan.post, order)))
        if rolled(rules, battle, plan):
            casts.append((plan.post, (yield from _cast(rules, battle, plan))))
    return replace(battle, phase="roll", plans=tuple(plans), casts=tuple(casts), volleys=tuple(volleys))


def rolled(rules: Ruleset, battle: Battle, plan: Plan) -> tuple[Order, ...]:
    """Declared actions that share one roll."""
    result = [order for order in plan.orders if action_of(order).needs_roll(rules, battle, plan.post, order)]
    return tuple([order for order in result if not is_volley(battle, plan.post, order)])


def _drop_impossible(rules: Ruleset, battle: Battle, plan: Plan) -> Play[Plan]:
    """A plan without actions that became impossible."""
    orders = []
    for order in plan.orders:
        try:
            if action_of(order).needs_roll(rules, battle, plan.post, order):
                action_of(order).attempt(rules, battle, plan.post, order)
            orders.append(order)
        except UserError as error:
            yield Tell(Happened(plan.post.who, f"gives up {action_phrase(words(order))}: {error}", "bad"))
    return replace(plan, orders=tuple(orders))


@rule("ore-4.22-g-force")
def under_pressure(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """G-forces of violent manoeuvres cost dice and may cause a Black-Out next round."""
    for craft in battle.crafts:
        for occupant in battle.aboard(craft.name) if craft.able else ():
            lost = pressed(rules, battle, Post(occupant.name, craft.name, occupant.seat))
            if lost.value and occupant.able:
                out = blacks_out(lost.value)
                yield Tell(Pressed(occupant.name, lost.reason, out))
                battle = battle.put(replace(occupant, dazed=battle.round + 1)) if out else battle
    return battle


def _cast(rules: Ruleset, battle: Battle, plan: Plan) -> Play[Cast]:
    """The roll of a post: one pool for all actions; the highest Difficulty counts (ruling)."""
    post, orders = plan.post, rolled(rules, battle, plan)
    both = [attempted(rules, battle, post, order) for order in orders]
    tried = [result for result, _ in both]
    pools = tuple([candidate.pool for candidate in tried])
    pool = shared_pool(rules, pools, spared(rules, battle, post, orders), common=not battle.edition)
    pool = relieved(pool, tuple(dict.fromkeys([relief for _, given in both for relief in given.reliefs])))
    smallest = tried[pools.index(counted_pool(rules, pools, common=not battle.edition))]
    hardest = max(tried, key=lambda item: item.difficulty)
    what = " and ".join(dict.fromkeys([words(order) for order in orders]))
    height = height_less(rules, battle, post)
    yield Tell(DiceReady(battle.voice(post), what, smallest.sum_of_dice(rules, pool), hardest.sum_of_difficulty(), height))
    parts = tuple([ActionPart(words(order), 0, _rests_on(orders, place), tried[place].pool.edge) for place, order in enumerate(orders)])
    return Cast(
        who=post.who,
        pool=pool,
        actions=len(orders),
        difficulty=hardest.difficulty,
        height=height,
        what=what,
        parts=parts if len(orders) > 1 else (),
    )


def attempted(rules: Ruleset, battle: Battle, post: Post, order: Order) -> tuple[Tried, Help]:
    """The roll of an action with all its feats."""
    return with_feats(rules, battle, post, order, action_of(order).attempt(rules, battle, post, order))


def _rests_on(orders: Sequence[Order], place: int) -> int:
    """The earlier action (from 1) that an attack depends on: taking a Position."""
    if orders[place].kind not in ("attack", "ram", "sideswipe"):
        return 0
    return next((at for at, order in enumerate(orders[:place], 1) if order.kind == "position"), 0)


def _volley(rules: Ruleset, battle: Battle, post: Post, order: Order) -> Play[Volley]:
    """The roll of a wing or gunner: more than ten dice, and every set counts."""
    unit = battle.unit(post.craft)
    if isinstance(unit, Wing):
        threat = sum(unit.ratings)
        tried = Tried((("Threat Ratings", threat),), Pool(min(threat, 60), beyond_ten=True))
        yield Tell(DiceReady(unit.name, words(order), tried.sum_of_dice(rules)))
        return Volley(post, order, tried.pool)
    tried, _ = attempted(rules, battle, post, order)
    pool = replace(tried.pool, beyond_ten=True)
    other = next((craft for craft in battle.crafts if craft.name == order.target), None)
    turned = hull_height(other.turned, unit.machine.of_the_line) if other is not None and other.machine.of_the_line else 0
    height = turned + height_less(rules, battle, post)
    yield Tell(DiceReady(post.who, words(order), tried.sum_of_dice(rules, pool), tried.sum_of_difficulty(), height))
    return Volley(post, order, pool, tried.difficulty, height)


def roll_at_once(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Everybody rolls at the same time, and every set gets its Speed."""
    roll = battle.casts
    determined: Determined = yield from sub(determine, rules, tuple([cast for _, cast in roll]), "")
    waiting: list[Waiting] = []
    for (post, _), sets in zip(roll, determined.sets, strict=True):
        battle, lies = yield from made_of(rules, battle, post, sets)
        waiting += lies
    for (post, _), sets in zip(roll, determined.sets, strict=True):
        battle = yield from _crash_if_failed(rules, battle, post, any(timed is not None for timed in sets))
    waiting += thrown_out(rules, battle)
    waiting += yield from _fire_volleys(rules, battle)
    battle = replace(battle, phase="resolve", casts=(), volleys=(), waiting=tuple(waiting))
    return (yield from _limit_by_hover(battle))


def made_of(rules: Ruleset, battle: Battle, post: Post, sets: tuple[Timed | None, ...]) -> Play[tuple[Battle, list[Waiting]]]:
    """Turns a roll into waiting sets; sets that count at once are applied."""
    orders = rolled(rules, battle, next(plan for plan in battle.plans if plan.post == post))
    waiting = []
    for place, order in enumerate(orders, 1):
        timed, action = sets[place - 1] if place <= len(sets) else None, action_of(order)
        if timed is None:
            yield Tell(NoSet(post.who, words(order), order.target, action.attack, battle.voice(post)))
            battle = yield from action.fails(rules, battle, post, order)
            continue
        result = Waiting(
            post=post,
            order=order,
            width=timed.width,
            height=timed.height,
            speed=timed.speed,
            place=place,
            needs=_rests_on(orders, place - 1),
            counters=action.counters,
        )
        lost = height_less(rules, battle, post)
        yield Tell(SetWaits(battle.voice(post), words(order), timed.width, timed.height, timed.speed, lost))
        if action.at_once:
            battle = yield from action.happens(rules, battle, battle, result)
        else:
            waiting.append(result)
    return battle, waiting


def _crash_if_failed(rules: Ruleset, battle: Battle, post: Post, holds: bool) -> Play[Battle]:
    """A driver sideswiped by a master must succeed with the next roll or crashes with Size and Speed, as if ramming with a set of two
    (ruling)."""
    craft = next((craft for craft in battle.crafts if craft.name == post.craft), None)
    if craft is None or not craft.harried or post.role not in ("pilot", "crew"):
        return battle
    battle = battle.change(craft.name, harried=0)
    if holds:
        return battle
    yield Tell(Happened(craft.name, "goes out of control and crashes", "bad"))
    blow = Blow(by=craft.name, how="crashes", damage=ram_damage(rules, 2, craft.machine.size, craft.speed), width=2, height=1)
    battle = yield from strikes(rules, battle, craft.name, blow)
    return battle.change(craft.name, speed=0)


def thrown_out(rules: Ruleset, battle: Battle) -> list[Waiting]:
    """Ejection seats, which need no roll."""
    waitings = []
    for plan in battle.plans:
        for order in plan.orders:
            if order.kind == "bail out" and (pair := ejection(battle.craft(plan.post.craft).machine.ejects)) is not None:
                speed = speed_of(rules, *pair, 0)
                waitings.append(Waiting(post=plan.post, order=order, width=pair[0], height=pair[1], speed=speed))
    return waitings


def _fire_volleys(rules: Ruleset, battle: Battle) -> Play[list[Waiting]]:
    """Makes the rolls in which every set counts; a wing assigns each of them."""
    readings = [volley_reading(rules, volley) for volley in battle.volleys]
    asked = [Roll(read, v.post.who, words(v.order)) for v, read in zip(battle.volleys, readings, strict=True) if read is not None]
    fell = list((yield from Together(tuple(asked)))) if asked else []
    waitings: list[Waiting] = []
    for number, read in enumerate(readings, 1):
        waitings += yield from fired(rules, battle, number, fell.pop(0) if read is not None else ())
    return waitings


def fired(rules: Ruleset, battle: Battle, number: int, sets: tuple[Set, ...]) -> Play[list[Waiting]]:
    """The sets of a volley, counted from 1."""
    volley = battle.volleys[number - 1]
    wing = battle.wing(volley.post.craft)
    if wing is not None:
        return (yield from wing_sets(rules, battle, volley.post, wing, mook_sets(rules, sets, wing.threat)))
    if not sets:
        yield Tell(NoSet(volley.post.who, words(volley.order), volley.order.target, attack=True))
    waitings = []
    for width, height in sets:
        low = height - volley.height
        waiting = Waiting(
            post=volley.post, order=volley.order, width=width, height=low, speed=speed_of(rules, width, low, 0), place=-number
        )
        yield Tell(SetWaits(volley.post.who, words(volley.order), width, low, waiting.speed, volley.height))
        waitings.append(waiting)
    return waitings


def volley_reading(rules: Ruleset, volley: Volley, level: bool = False) -> EverySet | Widths | None:
    """The reading of a volley: every set; None without dice. `level` ignores Heights."""
    if not dice_in(rules, volley.pool):
        return None
    dice = thrown(rules, volley.pool, volley.difficulty)
    assert dice is not None
    if dice.difficulty + volley.height > dice.top:
        return None
    dice = replace(dice, difficulty=dice.difficulty + volley.height, trades=Trades())
    return Widths(dice) if level and not dice.run else EverySet(dice)


@rule("ore-4.22-fighters")
def wing_sets(rules: Ruleset, battle: Battle, post: Post, wing: Wing, sets: Sequence[tuple[int, int]]) -> Play[list[Waiting]]:
    """Asks what each set of a wing does: attack, or defend."""
    if not sets:
        yield Tell(NoSet(post.who, "the fight", attack=True, name=wing.name))
    waitings: list[Waiting] = []
    gun = next((place for place, gun in enumerate(wing.machine.guns) if gun.direct), 0)
    near = [
        foe.name
        for foe in battle.foes(wing.side)
        if reaches(rules, "VR", battle.range_of(wing.name, foe.name)) and open_to_attack(battle, wing.name, foe.name)
    ]
    options = [Option(f"attack:{name}", f"Attack {name}", Order("attack", name, gun), verb="attack", target=name) for name in near]
    options.append(Option("defend", "Keep the set to defend", Order("defend"), verb="guard"))
    for number, (width, height) in enumerate(sets, 1):
        order = options[0].value
        if len(options) > 1:
            about = Situation(replace(battle, waiting=tuple(waitings)), post, rules)
            ask = f"What does {wing.name} use the {width}x{height} for?"
            order = yield from Choice(post.who, ask, tuple(options), about, "fighters")
        speed = speed_of(rules, width, height, 0)
        yield Tell(SetWaits(wing.name, words(order), width, height, speed))
        counters = order.kind == "defend"
        waitings.append(Waiting(post=post, order=order, width=width, height=height, speed=speed, place=-number, counters=counters))
    return waitings


def _limit_by_hover(battle: Battle) -> Play[Battle]:
    """Limits the sets from hovering vehicles; without a hover they are lost."""
    waiting = []
    for candidate in battle.waiting:
        unit = battle.unit(candidate.post.craft)
        if not isinstance(unit, Craft) or unit.hover is None or candidate.order.kind == "bail out":
            waiting.append(candidate)
        elif unit.hover == (0, 0):
            yield Tell(Happened(candidate.post.who, f"gives up {action_phrase(words(candidate.order))}: {unit.name} does not hover", "bad"))
        else:
            width, height = no_better_than_the_hover(candidate.width, candidate.height, *unit.hover)
            if (width, height) != (candidate.width, candidate.height):
                yield Tell(
                    Happened(
                        candidate.post.who, f"has only a {width}x{height} for {action_phrase(words(candidate.order))} because of the hover"
                    )
                )
            waiting.append(replace(candidate, width=width, height=height))
    return replace(battle, waiting=tuple(waiting))


# --- the results --------------------------------------------------------------------------------------------------------------


@rule("ore-4.22-vehicle-resolution")
def resolve_fastest(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Applies the fastest sets, those of equal Speed at the same time: units that fall at this Speed still act. Then the round ends."""
    waiting = [candidate for candidate in battle.waiting if not candidate.counters]
    if not waiting:
        return (yield from end_round(rules, battle))
    top = max([moment(battle, candidate) for candidate in waiting])
    before = battle
    while (result := _next_at(battle, top)) is not None:
        battle = replace(battle, waiting=tuple([other for other in battle.waiting if other is not result]))
        if before.can_act(result.post):
            battle = yield from action_of(result.order).happens(rules, before, battle, result)
    return replace(battle, waiting=tuple([other for other in battle.waiting if battle.can_act(other.post)]))


def moment(battle: Battle, item: Waiting) -> tuple[int, ...]:
    """When a set is applied: at its Speed, but not before the action it depends on."""
    rests = next((other for other in battle.waiting if item.needs and other.post == item.post and other.place == item.needs), None)
    return item.speed if rests is None else min(item.speed, rests.speed)


def _next_at(battle: Battle, top: tuple[int, ...]) -> Waiting | None:
    """The next set at this Speed; dependencies first, and Escape before Chase (ruling)."""
    waitings = [candidate for candidate in battle.waiting if not candidate.counters and moment(battle, candidate) >= top]
    first = [
        candidate
        for candidate in waitings
        if any(other.post == candidate.post and other.needs == candidate.place for other in waitings if candidate.place)
    ]
    fleeing = [candidate for candidate in waitings if candidate.order.kind == "escape"]
    return next(iter(first or fleeing or waitings), None)


def end_round(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Ends the round: unchased vehicles at Escape Range that broke off are gone, and wounds bleed."""
    for plan in battle.plans:
        if any(order.kind == "escape" and order.far for order in plan.orders) and battle.can_act(plan.post):
            chased = any(
                order.kind == "chase" and order.target == plan.post.craft for candidate in battle.plans for order in candidate.orders
            )
            if not chased and at_escape_range(battle, plan.post.craft):
                battle = yield from gets_away(battle, plan.post)
    for person in battle.people:
        body = yield from a_round_passes(rules, person.fighter.body, person.name)
        if body != person.fighter.body:
            battle = battle.put(replace(person, fighter=replace(person.fighter, body=body)))
    return replace(battle, phase="begin", order=(), plans=(), waiting=())
