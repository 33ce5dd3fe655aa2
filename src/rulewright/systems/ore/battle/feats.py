"""Feats in battles: the circumstances of an action and their effects (book lines 3338-3340, 3752-3786, 3960-3986, 4101-4107)."""

from msgspec.structs import replace

from rulewright.dice.sets import Sets
from rulewright.play import Choice, Happened, Option, Play, Roll, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived, Reason, divided, rounded_down, term, total
from rulewright.systems.ore.battle.combatants import Battle, Craft, Order, Post, Situation, Wing
from rulewright.systems.ore.battle.dice import Tried, by_oneself, street_of
from rulewright.systems.ore.fight.feats.effects import rating_of
from rulewright.systems.ore.machines.tables import ACTION_LIST
from rulewright.systems.ore.people.feat_effects import (
    ANY_ACTION,
    ANY_ROLL,
    NO_HELP,
    RULE,
    Feats,
    Help,
    Try,
    helps,
    known,
    missing,
    with_help,
)
from rulewright.systems.ore.resolution.outcomes import sides

GUNNERY = ("attack", "lock-on")
HARRIES = "width as difficulty of the next drive roll"
_MODES = {"land": "ground vehicle", "sea": "boat", "air": "aircraft", "relativistic": "aircraft"}
"""Names of vehicles in feats, by mode; sublight space fighters count as aircraft (ruling)."""
_ALSO = {"land": ("landing",), "take-off": ("take-off",)}


def feats_of_post(battle: Battle, post: Post) -> Feats:
    """The feats of a post; an unnamed crew has none."""
    person = battle.person(post.who)
    return person.fighter.profile.feats if person is not None else ()


def driver_help(rules: Ruleset, battle: Battle, craft: str, on: str) -> Help:
    """Feats of the driver that apply outside of actions."""
    post = battle.helm(craft)
    feats = feats_of_post(battle, post) if post is not None else ()
    return helps(rules, feats, Try(on=(on,), when=words_of_unit(battle, craft))) if feats else NO_HELP


def words_of_unit(battle: Battle, name: str) -> tuple[str, ...]:
    """Words for a vehicle in feats."""
    machine = battle.unit(name).machine
    names = [_MODES.get(machine.mode, "")] if machine.mode in _MODES else []
    names += ["helicopter"] if machine.hovers and machine.mode == "air" else []
    names += ["spacecraft"] if machine.mode in ("relativistic", "space", "stellar") else []
    return tuple(filter(None, names))


def words_for(battle: Battle, post: Post, order: Order) -> tuple[str, ...]:
    """All known circumstances of an action."""
    names = list(words_of_unit(battle, post.craft))
    other = next((unit for unit in battle.units if unit.name == order.target), None)
    if other is not None and other.position < battle.unit(post.craft).position:
        names.append("against a lower position")
    if battle.field.adverse:
        names.append("in difficult terrain")
    if street_of(battle)[1]:
        names.append("through terrain")
    return tuple(names)


def on_of(rules: Ruleset, battle: Battle, order: Order, post: Post) -> tuple[str, ...]:
    """The name of an action in feats."""
    listed = ACTION_LIST(rules)
    skill = "gunnery" if order.kind in GUNNERY else battle.unit(post.craft).machine.skill.partition(":")[0]
    moves = ("manoeuvre",) if order.kind in listed and listed[order.kind].manoeuvre else ()
    return (order.kind, skill, *_ALSO.get(order.kind, ()), *moves, ANY_ACTION, ANY_ROLL)


def with_feats(rules: Ruleset, battle: Battle, post: Post, order: Order, tried: Tried) -> tuple[Tried, Help]:
    """A roll with all feats that help it, including those of the pilot."""
    feats = feats_of_post(battle, post)
    steadied = from_the_platform(rules, battle, post)
    if steadied.mods:
        tried = replace(tried, pool=tried.pool.plus(*steadied.mods))
    if not feats:
        return tried, NO_HELP
    given = helps(rules, feats, Try(on=on_of(rules, battle, order, post), when=words_for(battle, post, order)))
    pool, parts, against = with_help(tried.pool, given), tried.parts, tried.against
    for number, name in ((given.expert, "Expert Dice from feats"), (given.master, "Master Dice from feats")):
        parts += ((name, number),) if number else ()
    label, rating = parts[0]
    more = handling_more(rules, battle, post.craft) if label == "Handling" else 0
    if "insight for sensors" in given and label == "Sensors":
        person = battle.somebody(post.who)
        more = max(0, by_oneself(rules, person.fighter.profile.training, "insight", "gunnery")[1] - rating)
    if more:
        parts = (*parts, (given.by[0] if given.by else "Handling from feats", more))
        pool = replace(pool, dice=pool.dice + more)
    return Tried(parts, pool, eased(rules, battle, post, against)), given


def from_the_platform(rules: Ruleset, battle: Battle, post: Post) -> Help:
    """The bonus of a helicopter pilot for everybody else aboard."""
    helm = battle.helm(post.craft)
    if helm is None or helm.who == post.who or "helicopter" not in words_of_unit(battle, post.craft):
        return NO_HELP
    return helps(rules, feats_of_post(battle, helm), Try(on=(ANY_ROLL,), when=("from the helicopter of such a pilot",)))


def handling_more(rules: Ruleset, battle: Battle, craft: str) -> int:
    """Handling bonus from the driver's feats."""
    return driver_help(rules, battle, craft, "handling").amount("handling")


def eased(rules: Ruleset, battle: Battle, post: Post, against: tuple[Reason, ...]) -> tuple[Reason, ...]:
    """A Difficulty with the part from Speed reduced by feats."""
    person = battle.person(post.who)
    speed = sum([int(reason.value) for reason in against if reason.label == "Speed above Handling"])
    if person is None or not speed:
        return against
    words = (*words_of_unit(battle, post.craft), "because of speed")
    given = helps(rules, person.fighter.profile.feats, Try(on=("handling",), when=words))
    less = handling_more(rules, battle, post.craft)
    if given.difficulty_by:
        less += rating_of(rules, person.fighter, given.difficulty_by)
    return (*against, term(given.by[-1], -min(speed, less), rule=RULE)) if less and given.by else against


def spared(rules: Ruleset, battle: Battle, post: Post, orders: tuple[Order, ...]) -> int:
    """How many extra actions cost no die, such as driving and shooting with a feat."""
    kinds = {"gunnery" if order.kind in GUNNERY else "pilot" for order in orders}
    free = [candidate for candidate in known(rules, feats_of_post(battle, post)) if candidate.does.free]
    pairs = [
        candidate for candidate in free if set(candidate.does.free) <= kinds and missing(rules, candidate, Try(on=(ANY_ACTION,))) == ()
    ]
    return min(len(pairs), len(orders) - 1)


def softened(rules: Ruleset, battle: Battle, target: str, damage: Derived[int]) -> Derived[int]:
    """Collision damage for a driver with the feat: half, rounded down (ruling)."""
    unit = next((unit for unit in battle.units if unit.name == target), None)
    if unit is None or isinstance(unit, Wing):
        return damage
    by = driver_help(rules, battle, target, "collision").amount("damage divided by")
    if not by:
        return damage
    whole = replace(damage.reason, op="+")
    return total(damage.reason.label, whole, divided("driver's feat", by, rule=RULE), rounded_down(), rule=RULE)


def holds_still_for_nothing(rules: Ruleset, battle: Battle, craft: Craft) -> bool:
    """Whether a hover needs no roll: with the feat, in fair weather."""
    post = battle.helm(craft.name)
    if post is None or battle.field.adverse:
        return False
    knowns = [candidate for candidate in known(rules, feats_of_post(battle, post)) if candidate.does.sure and "hover" in candidate.does.on]
    return any(all(word in words_of_unit(battle, craft.name) for word in candidate.does.when) for candidate in knowns)


# --- more than the engine can give --------------------------------------------------------------------------------------------

_GIVES_WAY: tuple[Option[str], ...] = (Option("handling", "1 Handling", "handling"), Option("speed", "1 Speed", "speed"))


def beyond_the_limit(rules: Ruleset, battle: Battle, craft: str) -> int:
    """Extra Speed that a driver can get for a round."""
    post = battle.helm(craft)
    feats = feats_of_post(battle, post) if post is not None else ()
    manners = tuple([candidate.row.feat for candidate in known(rules, feats) if candidate.does.manner and "speed" in candidate.does.on])
    return helps(rules, feats, Try(on=("speed",), when=words_of_unit(battle, craft), manner=manners)).amount("speed") if manners else 0


def redlined(rules: Ruleset, battle: Battle, post: Post) -> Play[Battle]:
    """Rolls a die for every consecutive round with an overdriven engine; a set costs a point of Handling or Speed, as the pilot chooses."""
    craft = battle.craft(post.craft)
    dice = craft.redline + 1
    battle = battle.change(craft.name, redline=dice)
    fell = yield from Roll(Sets(min(dice, 15), sides(rules), loose=True), post.who, "the engine")
    if all(many < 2 for many, _ in fell):
        yield Tell(Happened(craft.name, "exceeds its limits, and the engine holds"))
        return battle
    ask = f"The engine of {craft.name} fails. What does it lose?"
    lost = yield from Choice(post.who, ask, _GIVES_WAY, Situation(battle, post, rules), "engine")
    machine = craft.machine
    left = replace(machine, **{lost: max(0, getattr(machine, lost) - 1)})
    yield Tell(Happened(craft.name, f"loses 1 {lost.capitalize()}: {getattr(left, lost)} is left", "bad"))
    return battle.put(replace(battle.craft(craft.name), machine=left))


def cooled(battle: Battle, craft: Craft) -> Play[Battle]:
    """A new round: Speed falls back to the limit, and a rested engine cools down."""
    if craft.speed > craft.machine.speed:
        yield Tell(Happened(craft.name, f"slows down to Speed {craft.machine.speed}"))
        return battle.change(craft.name, speed=craft.machine.speed)
    return battle.change(craft.name, redline=0)
