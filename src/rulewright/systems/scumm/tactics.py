"""Named ways to decide, for scenario files and for whoever has nobody to ask. A tactic sees the choice and what it is about."""

from collections.abc import Mapping
from typing import Any

from rulewright.play import Choice, Given, Range, Tactic
from rulewright.systems.scumm.fighters import REACH, Fight, Fighter


def _about(choice: Choice[Any]) -> tuple[Fight, str]:
    """The fight and the name, wherever the choice keeps them."""
    about = choice.about
    return (about[1], about[2]) if len(about) > 2 else about


def _nearest(fight: Fight, fighter: Fighter) -> Fighter | None:
    return min(fight.enemies(fighter), key=fighter.distance, default=None)


def _pick(choice: Choice[Any], *keys: str) -> Given | None:
    """The first of these keys that is allowed."""
    options: Any = choice.options
    for key in keys:
        for option in options:
            if option.key == key:
                return key
    return None


def _sensible(choice: Choice[Any]) -> Given:
    """What anybody would answer to the smaller questions: save Emergency Dice, defend as well as one can, strike when waiting."""
    topic = choice.topic
    options = choice.options
    if isinstance(options, Range):
        return options.high if topic == "metres" else options.low
    if topic == "guard":
        fight, name = _about(choice)
        me = fight.fighter(name).profile
        best = {"defense": me.defense, "parry": me.melee + me.body, "block": me.brawl + me.body}
        return max((option.key for option in options), key=lambda key: best[key])
    if topic == "resist":
        fight, name = _about(choice)
        me = fight.fighter(name).profile
        return "body" if me.body > me.alertness else "alertness"
    if topic == "cheat death":
        return _pick(choice, "yes") or options[0].key
    return options[0].key


def shooter(choice: Choice[Any]) -> Given:
    """Shoot the nearest enemy, reload and clear as needed; close in when there is nothing to shoot with."""
    if choice.topic == "act":
        return _act(choice)
    if choice.topic == "move":
        return _close_in_unless_armed(choice)
    return _sensible(choice)


def _act(choice: Choice[Any], way: str = "shoot") -> Given:
    fight, name = _about(choice)
    me = fight.fighter(name)
    foe = _nearest(fight, me)
    if foe is None:
        return "pass"
    empty = me.weapon.ammo > 0 and me.ammo[me.in_hand] == 0
    found = _pick(choice, "clear") if me.weapon.ammo and me.jammed[me.in_hand] else _pick(choice, "reload") if empty else None
    found = found or (_pick(choice, "stand") if me.mode == "prone" and me.weapon.ammo == 0 else None)
    found = found or _pick(choice, f"{way}:{foe.name}", f"shoot:{foe.name}", f"hit:{foe.name}", f"bruise:{foe.name}")
    return found or _pick(choice, f"throw:{foe.name}") or "pass"


def _close_in_unless_armed(choice: Choice[Any]) -> Given:
    fight, name = _about(choice)
    me = fight.fighter(name)
    foe = _nearest(fight, me)
    if foe is None or me.distance(foe) <= REACH:
        return "stay"
    if me.weapon.ammo and me.weapon.ranges is not None and me.distance(foe) <= me.weapon.ranges[2]:
        return "stay"
    metres = me.distance(foe)
    if metres <= me.profile.walk:
        return _pick(choice, f"walk to {foe.name}", f"crawl to {foe.name}") or "stay"
    return _pick(choice, f"run to {foe.name}", f"walk to {foe.name}", f"crawl to {foe.name}") or "stay"


def marksman(choice: Choice[Any]) -> Given:
    """Aim for a round, then shoot."""
    if choice.topic == "act":
        fight, name = _about(choice)
        me = fight.fighter(name)
        foe = _nearest(fight, me)
        if foe is not None and not (me.aim and me.aim_at == foe.name):
            aimed = _pick(choice, f"aim:{foe.name}")
            if aimed is not None and not (me.aim and me.aim_at == foe.name):
                return aimed
        return _act(choice)
    return shooter(choice)


def automatic(choice: Choice[Any]) -> Given:
    """Fire the longest burst there is ammunition and skill for."""
    if choice.topic == "way":
        return _pick(choice, "burst 2", "burst 1", "plain") or _sensible(choice)
    if choice.topic == "act":
        return _act(choice, "shoot how")
    return shooter(choice)


def suppressor(choice: Choice[Any]) -> Given:
    """Keep the enemy's heads down while there is ammunition, shoot otherwise."""
    if choice.topic == "act":
        return _act(choice, "suppress")
    return automatic(choice)


def brawler(choice: Choice[Any]) -> Given:
    """Close in and strike, guns or not."""
    if choice.topic == "move":
        fight, name = _about(choice)
        me = fight.fighter(name)
        foe = _nearest(fight, me)
        if foe is None or me.distance(foe) <= REACH:
            return "stay"
        gait = "walk" if me.distance(foe) <= me.profile.walk else "run"
        return _pick(choice, f"{gait} to {foe.name}", f"walk to {foe.name}", f"crawl to {foe.name}") or "stay"
    if choice.topic == "act":
        return _act(choice, "hit")
    return _sensible(choice)


def bruiser(choice: Choice[Any]) -> Given:
    """A brawler who wants nobody dead."""
    if choice.topic == "hold":
        return "bruise"
    if choice.topic == "act":
        return _act(choice, "bruise")
    return brawler(choice)


def wrestler(choice: Choice[Any]) -> Given:
    """A brawler who grapples."""
    if choice.topic == "maneuver":
        return _pick(choice, "grapple") or "damage"
    return brawler(choice)


def careful(choice: Choice[Any]) -> Given:
    """Get into cover before anything else, then shoot."""
    if choice.topic == "move":
        fight, name = _about(choice)
        me = fight.fighter(name)
        if me.cover == "none":
            spots = sorted(fight.ground.covers, key=lambda spot: (spot.x - me.x) ** 2 + (spot.y - me.y) ** 2)
            for spot in spots:
                for gait in ("walk", "run"):
                    found = _pick(choice, f"{gait} to {spot.name}")
                    if found is not None:
                        return found
        elif me.weapon.ammo:
            return "stay"
    return shooter(choice)


def waiter(choice: Choice[Any]) -> Given:
    """Stand ready and let them come."""
    if choice.topic == "act":
        fight, name = _about(choice)
        if fight.fighter(name).weapon.ammo and fight.fighter(name).ammo[fight.fighter(name).in_hand] == 0:
            return _pick(choice, "reload") or "pass"
        return _pick(choice, "ready") or "pass"
    if choice.topic == "move":
        return "stay"
    return _sensible(choice)


TACTICS: Mapping[str, Tactic] = {
    "shooter": shooter,
    "marksman": marksman,
    "automatic": automatic,
    "suppressor": suppressor,
    "brawler": brawler,
    "bruiser": bruiser,
    "wrestler": wrestler,
    "careful": careful,
    "waiter": waiter,
}
"""The first is what anybody does who was given no tactic."""
