"""Tactics: named AI policies for scenario files and unassigned characters. A tactic sees the choice and its context."""

from collections.abc import Mapping
from typing import Any

from rulewright.dice.highest import HighestDie, Unskilled
from rulewright.field.destinations import covers_near, doors_to_try
from rulewright.play import Choice, Given, Range, Tactic, local
from rulewright.play.cache import cached
from rulewright.scenes.allowed_answers import at_hand, keys_of, nearest, pick
from rulewright.systems.scumm.combat.fighters import DOWN, REACH, Fighter
from rulewright.systems.scumm.combat.suppression import WIDTH


def _sensible(choice: Choice[Any]) -> Given:
    """Answers the smaller questions as anybody would: save Emergency Dice, defend as well as one can, strike when waiting."""
    topic, options = choice.topic, choice.options
    if isinstance(options, Range):
        return options.high if topic == "metres" else options.low
    if topic == "guard":
        me = choice.about.fight.fighter(choice.about.name).profile
        worth = {"defense": _expected(me.defense), "parry": 0.0, "block": 0.0}
        worth |= {guard: _expected(level) + me.body for guard, level in (("parry", me.melee), ("block", me.brawl)) if level > 0}
        return max([option.key for option in options], key=lambda key: worth[key])
    if topic == "confused":
        return _confused(choice)
    if topic == "resist":
        return "body" if choice.about.body > choice.about.alertness else "alertness"
    if topic == "hold":
        return pick(choice, "wound", "bruise", "release") or options[0].key
    return options[0].key


@cached(64)
def _expected(dice: int) -> float:
    """The mean total of so many dice; without a die it is an unskilled roll."""
    weights = (Unskilled() if dice <= 0 else HighestDie(dice)).weights()
    return sum(result.total * weight for result, weight in weights.items()) / sum(weights.values())


def _confused(choice: Choice[Any]) -> Given:
    """After a fumbled initiative: go on with what was begun, or duck where shots may come and nobody is near enough to strike."""
    me, foe = at_hand(choice)
    go_on = pick(choice, "keep treating", "keep aiming")
    if go_on is not None:
        return go_on
    shot_at = foe is not None and me.distance(foe) > REACH and any(other.weapon.gun for other in choice.about.fight.enemies(me))
    return pick(choice, *(("duck", "nothing") if shot_at and me.mode not in DOWN else ("nothing", "duck"))) or "nothing"


@local
def shooter(choice: Choice[Any]) -> Given:
    """Shoot the nearest enemy from cover that is at hand, reload and clear as needed; close in when there is nothing to shoot with."""
    topic = choice.topic
    if topic == "act":
        return _act(choice, "shoot")
    if topic == "move":
        return _to_cover(choice, ("walk",)) or _close_in_unless_armed(choice)
    return _sensible(choice)


def _to_cover(choice: Choice[Any], gaits: tuple[str, ...]) -> Given | None:
    """The way to the nearest cover from which the nearest enemy can be shot at; None where one has cover, or none would help."""
    fight = choice.about.fight
    if not (fight.map.covers or fight.ground.covers):
        return None
    me, foe = at_hand(choice)
    if foe is None or not _in_range(me, foe) or not any(other.weapon.gun for other in fight.enemies(me)):
        return None
    if fight.cover_from((foe.x, foe.y), me) != "none":
        return None
    spots = sorted(fight.ground.covers, key=lambda spot: (spot.x - me.x) ** 2 + (spot.y - me.y) ** 2)
    near = covers_near(fight.field, (me.x, me.y)) if fight.map.covers else ()
    return pick(choice, *[f"{gait} to {cover}" for gait in gaits for cover in (*near, *[spot.name for spot in spots])])


def _in_range(me: Fighter, foe: Fighter) -> bool:
    """Whether the gun in hand reaches an enemy without the penalty of extreme range."""
    weapon = me.weapon
    return bool(weapon.ammo) and weapon.ranges is not None and me.distance(foe) <= weapon.ranges[2]


def _act(choice: Choice[Any], way: str) -> Given:
    """Attack the nearest enemy this way if it can be done, in any other way if not; see to the weapon first."""
    me, foe = at_hand(choice)
    if foe is None:
        return "pass"
    weapon = me.weapon
    if weapon.ammo:
        if me.jammed[me.in_hand]:
            return pick(choice, "clear", f"hit:{foe.name}", f"bruise:{foe.name}") or "pass"
        if not me.ammo[me.in_hand]:
            return pick(choice, "reload", f"hit:{foe.name}", f"bruise:{foe.name}") or "pass"
    elif me.mode in DOWN and "stand" in keys_of(choice.options):
        return "stand"
    if "dropped" in me.gone and not me.in_hand:
        lost = [key for key in keys_of(choice.options) if key.startswith("pick up:")]
        if lost:
            return lost[-1]
    if me.mode in DOWN and me.distance(foe) <= REACH and "stand" in keys_of(choice.options):
        return "stand"
    name = foe.profile.name
    return pick(choice, f"{way}:{name}", f"shoot:{name}", f"hit:{name}", f"bruise:{name}", f"throw:{name}") or "pass"


def _seek(choice: Choice[Any]) -> Given:
    """Nobody is in sight: go to the nearest door that is shut and open it, else to the nearest that stands open."""
    fight = choice.about.fight
    me = fight.fighter(choice.about.name)
    for door in doors_to_try(fight.field, (me.x, me.y)):
        result = pick(choice, f"open {door}", *[f"{gait} to {door}" for gait in ("run", "walk", "crawl")])
        if result is not None:
            return result
    return "stay"


def _close_in_unless_armed(choice: Choice[Any]) -> Given:
    me, foe = at_hand(choice)
    if foe is None:
        return _seek(choice)
    return "stay" if _in_range(me, foe) else _close_in(choice, me, foe)


def _close_in(choice: Choice[Any], me: Fighter, foe: Fighter) -> Given:
    metres = me.distance(foe)
    if metres <= REACH:
        return "stay"
    gaits = ("walk", "crawl") if metres <= me.profile.walk else ("run", "walk", "crawl")
    return pick(choice, *[f"{gait} to {foe.name}" for gait in gaits]) or "stay"


def marksman(choice: Choice[Any]) -> Given:
    """Aim for a round, then shoot; at a person who could shoot back at once, shoot without aiming."""
    if choice.topic == "act":
        me, foe = at_hand(choice)
        if foe is not None and not (me.aim and me.aim_at == foe.name) and (me.hidden or not foe.loaded):
            aimed = pick(choice, f"aim:{foe.name}")
            if aimed is not None:
                return aimed
    return shooter(choice)


@local
def duellist(choice: Choice[Any]) -> Given:
    """Stand and shoot; fill the magazine up at the end of every turn, which costs nothing, and never duck."""
    if choice.topic == "act":
        me, foe = at_hand(choice)
        if foe is not None and me.loaded:
            return pick(choice, "after reload") or shooter(choice)
    if choice.topic == "confused":
        return pick(choice, "nothing") or _sensible(choice)
    return shooter(choice)


@local
def automatic(choice: Choice[Any]) -> Given:
    """Fire the longest burst there is ammunition and skill for."""
    if choice.topic == "way":
        return pick(choice, "burst 2", "burst 1", "plain") or _sensible(choice)
    if choice.topic == "act":
        return _act(choice, "shoot how")
    return shooter(choice)


def suppressor(choice: Choice[Any]) -> Given:
    """Keep the enemy's heads down while there is ammunition, shoot otherwise."""
    if choice.topic == "act":
        me, foe = at_hand(choice)
        friends = [other for other in choice.about.fight.fighters if other.side == me.side and other is not me and other.body.able]
        if foe is not None and not any(foe.distance(friend) <= WIDTH / 2 for friend in friends):
            return _act(choice, "suppress")
    return automatic(choice)


def brawler(choice: Choice[Any]) -> Given:
    """Close in and strike, guns or not."""
    if choice.topic == "move":
        me, foe = at_hand(choice)
        return _seek(choice) if foe is None else _close_in(choice, me, foe)
    if choice.topic == "act":
        return _act(choice, "hit")
    return _sensible(choice)


def bruiser(choice: Choice[Any]) -> Given:
    """A brawler who wants nobody dead."""
    if choice.topic in ("hold", "free strike", "interrupt"):
        return pick(choice, "bruise", "act bruise") or _sensible(choice)
    if choice.topic == "act":
        return _act(choice, "bruise")
    return brawler(choice)


def wrestler(choice: Choice[Any]) -> Given:
    """A brawler who grapples."""
    if choice.topic == "maneuver":
        return pick(choice, "grapple") or "damage"
    if choice.topic == "hold":  # a draw does no damage, but the hold is kept
        return pick(choice, "wound", "bruise", "hold") or _sensible(choice)
    return brawler(choice)


def careful(choice: Choice[Any]) -> Given:
    """Get into cover before anything else, at a run if need be, then shoot."""
    if choice.topic == "move":
        fight = choice.about.fight
        me = fight.fighter(choice.about.name)
        foe = nearest(fight, me)
        if fight.map.covers and foe is not None and fight.cover_from((foe.x, foe.y), me) == "none":
            near = covers_near(fight.field, (me.x, me.y))
            result = pick(choice, *[f"{gait} to {cover}" for gait in ("walk", "run") for cover in near])
            if result is not None:
                return result
        if me.cover == "none" and fight.ground.covers:
            spots = sorted(fight.ground.covers, key=lambda spot: (spot.x - me.x) ** 2 + (spot.y - me.y) ** 2)
            result = pick(choice, *[f"{gait} to {spot.name}" for spot in spots for gait in ("walk", "run")])
            if result is not None:
                return result
        elif me.cover != "none" and foe is not None and _in_range(me, foe):
            return "stay"
        return _close_in_unless_armed(choice)
    return shooter(choice)


def waiter(choice: Choice[Any]) -> Given:
    """Stand ready and let them come."""
    if choice.topic == "act":
        me, _ = at_hand(choice)
        if me.weapon.ammo and not me.ammo[me.in_hand]:
            return pick(choice, "reload") or "pass"
        return pick(choice, "clear", "ready") or "pass"
    if choice.topic == "move":
        return "stay"
    return _sensible(choice)


TACTICS: Mapping[str, Tactic] = {
    "shooter": shooter,
    "marksman": marksman,
    "duellist": duellist,
    "automatic": automatic,
    "suppressor": suppressor,
    "brawler": brawler,
    "bruiser": bruiser,
    "wrestler": wrestler,
    "careful": careful,
    "waiter": waiter,
}
"""The first is what anybody does who was given no tactic."""
