"""Tactics for fights, used by scenario files and AI players. A tactic sees the choice and its subject."""

from collections.abc import Mapping
from math import hypot
from typing import Any

from rulewright.field.destinations import covers_near, doors_to_try
from rulewright.play import Choice, Given, Range, Tactic, local
from rulewright.scenes.allowed_answers import at_hand, keys_of, nearest, pick
from rulewright.systems.silhouette.action.movement import DOWN
from rulewright.systems.silhouette.combat.close_combat import GUARDS
from rulewright.systems.silhouette.combat.fighters import Fighter, reach_of, striking_weapon

CHARGE = 25.0
"""Distance in metres within which an enemy may arrive before a second shot."""
SHORT_BURST = 5
"""The shots of a burst of +1."""
AT_COVER = 1.5
"""Distance in metres from a cover at which nobody looks for another one."""


def _answer_minor(choice: Choice[Any]) -> Given:
    """Answers minor questions: save Emergency Dice, use the best defense, strike when possible."""
    topic, options = choice.topic, choice.options
    if isinstance(options, Range):
        return options.high if topic == "hand out" else options.low
    if topic == "guard":
        return best_guard(choice)
    if topic == "orders":
        me = choice.about.fight.fighter(choice.about.name)
        return "and 1" if me.profile.level("leadership") > 1 else "no"
    if topic == "command":
        return "no"
    if topic in ("guard point", "sooner"):
        return "yes"
    if topic == "confused":
        me, foe = at_hand(choice)
        far = foe is not None and foe.distance(me) > reach_of(choice.about.rules, foe.profile, foe.weapon)
        return pick(choice, "go on", "duck" if far else "nothing") or "nothing"
    if topic == "delayed":
        return "act"
    return options[0].key


def best_guard(choice: Choice[Any]) -> Given:
    """Returns the defense with the best pool: dice count more than modifiers."""
    about = choice.about
    me: Fighter = about.fight.fighter(about.name)
    profile = me.profile

    def worth(key: str) -> float:
        skill, attribute = GUARDS[key]  # type: ignore[index]
        level = profile.level(skill)
        more = profile.attribute(attribute)
        if key == "parry":
            own = me.weapon.parry if me.weapon.parry is not None else -9
            more += max(own, profile.shield.parry if me.shield_up and profile.shield is not None else -9)
        highest = {0: 2.5, 1: 3.5, 2: 4.5, 3: 5.1, 4: 5.4}.get(level, 5.4 + 0.15 * (level - 4))
        return highest + more

    return max([option.key for option in choice.options], key=worth)  # type: ignore[union-attr]


def shooter(choice: Choice[Any]) -> Given:
    """Shoots the nearest enemy in short bursts, from cover at hand; loads and clears jams as needed, and closes in without a gun."""
    topic = choice.topic
    if topic == "act":
        return _attack_nearest(choice, "shoot how" if _can_spare_burst(choice) else "shoot")
    if topic == "move":
        return _close_in_unless_armed(choice)
    if topic == "plan":
        return "1"
    if topic == "way":
        return pick(choice, "burst 1") or _answer_minor(choice)
    return _answer_minor(choice)


def _can_spare_burst(choice: Choice[Any]) -> bool:
    """Whether a short burst, which only costs ammunition, leaves enough in the magazine."""
    me = choice.about.fight.fighter(choice.about.name)
    fires = me.weapon.fires
    return fires is not None and fires.rof > 0 and 4 * (me.ammo[me.in_hand] - SHORT_BURST) > me.weapon.magazine


def _attack_nearest(choice: Choice[Any], way: str) -> Given:
    """Attacks the nearest enemy this way, or otherwise any way; handles the weapon first. Fills a magazine that is nearly empty while
    that is free and no enemy near can exploit it."""
    me, foe = at_hand(choice)
    turn = choice.about.turn
    if foe is None:
        return "pass"
    name, at = foe.profile.name, me.in_hand
    weapon = me.weapon
    if weapon.fires is not None and not me.loaded:
        if me.jammed[at]:
            return pick(choice, "clear", f"strike:{name}", f"bruise:{name}") or "pass"
        if weapon.natural and (other := _other_weapon(choice, me)) is not None:
            return other
        needed = pick(choice, "load")
        if needed is not None:
            return needed
    elif _runs_low(me) and not turn.simple and foe.distance(me) > 1 + _reach(choice, foe):
        return "load"
    if weapon.lobs and not me.ammo[at] and "load" in keys_of(choice.options):
        return "load"
    if me.pace in DOWN and weapon.fires is None and "stand" in keys_of(choice.options):
        return "stand"
    if turn is not None and turn.left < 1:
        return _draw_weapon(choice, me)
    if me.loose and (result := pick(choice, "hold on")) is not None:
        return result
    attack = pick(choice, f"{way}:{name}", f"shoot:{name}", f"strike:{name}", f"bruise:{name}", f"lob:{name}", f"throw:{name}")
    return attack or pick(choice, "get free") or _draw_weapon(choice, me)


def _runs_low(me: Fighter) -> bool:
    """Whether a magazine is nearly empty: a quarter of it or less is left."""
    left, full = me.ammo[me.in_hand], me.weapon.magazine
    return left < full and 4 * left <= full


def _other_weapon(choice: Choice[Any], me: Fighter) -> Given | None:
    """Returns another weapon for a fighter whose power or spells are used up."""
    allowed = choice.keys()
    drawn = [key for key in allowed if key.startswith("draw:") and not _is_spell_spent(me, key[5:])]
    return drawn[0] if drawn else pick(choice, "sheathe")


def _is_spell_spent(me: Fighter, name: str) -> bool:
    """Whether there are too few Spell Points left for a spell."""
    return any(weapon.name == name and weapon.spell > me.profile.magic - me.drained for weapon in me.profile.weapons)


def _reach(choice: Choice[Any], fighter: Fighter) -> int:
    return reach_of(choice.about.rules, fighter.profile, fighter.profile.weapons[striking_weapon(fighter)])


def _draw_weapon(choice: Choice[Any], me: Fighter) -> Given:
    """Draws a weapon if the hands are empty."""
    if me.in_hand:
        return "pass"
    allowed = choice.keys()
    drawn = [key for key in allowed if key.startswith(("draw:", "pick up:"))]
    return drawn[0] if drawn else "pass"


def _close_in_unless_armed(choice: Choice[Any]) -> Given:
    me, foe = at_hand(choice)
    if foe is None:
        return _search_enemy(choice, me)
    fires = me.weapon.fires
    if fires is not None and me.distance(foe) <= 4 * fires.short:
        return _take_cover(choice, me, foe, ("walk",)) or "stay"
    return _close_in(choice, me, foe)


def _take_cover(choice: Choice[Any], me: Fighter, foe: Fighter, gaits: tuple[str, ...]) -> Given | None:
    """Returns the way to the nearest cover; None in cover, next to one, or without one in reach."""
    fight = choice.about.fight
    if me.cover or (fight.bare and not fight.ground.covers):
        return None
    if fight.map.covers and not fight.cover_from((foe.x, foe.y), me):
        near = covers_near(fight.field, (me.x, me.y))
        middles = {cover.name: cover.middle for cover in fight.map.covers}
        if near and near[0] in middles and hypot(middles[near[0]][0] - me.x, middles[near[0]][1] - me.y) > AT_COVER:
            return pick(choice, *[f"{gait} to {cover}" for gait in gaits for cover in near])
    if fight.ground.covers:
        spots = sorted(fight.ground.covers, key=lambda spot: (spot.x - me.x) ** 2 + (spot.y - me.y) ** 2)
        return pick(choice, *[f"{gait} to {spot.name}" for spot in spots for gait in gaits])
    return None


def _search_enemy(choice: Choice[Any], me: Fighter) -> Given:
    """Without an enemy in sight, goes to a known enemy, opens the nearest shut door, or goes to an open one."""
    fight = choice.about.fight
    if fight.bare:
        return "stay"
    known = sorted(fight.known_enemies(me), key=me.distance)
    for foe in known:
        result = pick(choice, *[f"{gait} to {foe.name}" for gait in ("jog", "walk", "crawl")])
        if result is not None:
            return result
    for door in doors_to_try(fight.field, (me.x, me.y)):
        result = pick(choice, f"open {door}", *[f"{gait} to {door}" for gait in ("jog", "walk", "crawl")])
        if result is not None:
            return result
    return "stay"


def _close_in(choice: Choice[Any], me: Fighter, foe: Fighter) -> Given:
    metres = me.distance(foe)
    if metres <= reach_of(choice.about.rules, me.profile, me.profile.weapons[striking_weapon(me)]):
        return "stay"
    slow = metres <= me.profile.sprint / 3 + 0.9
    gaits = ("walk", "crawl") if slow else ("run", "jog", "walk", "crawl")
    pushes = ("push gently", "push hard") if metres <= 6 else ("push", "push hard")
    return pick(choice, *[f"{go} to {foe.name}" for go in (*gaits, *pushes)]) or "stay"


def marksman(choice: Choice[Any]) -> Given:
    """Aims for a round, then shoots; shoots at once at an enemy who could shoot back or arrive."""
    if choice.topic == "act":
        me, foe = at_hand(choice)
        leisure = foe is not None and (me.hidden or (not foe.loaded and me.distance(foe) > CHARGE))
        if foe is not None and leisure and not (me.aim and me.aim_at == foe.name):
            aimed = pick(choice, f"aim:{foe.name}")
            if aimed is not None:
                return aimed
        return _attack_nearest(choice, "shoot")
    return shooter(choice)


def automatic(choice: Choice[Any]) -> Given:
    """Fires the longest burst the ammunition allows."""
    if choice.topic == "way":
        return pick(choice, *[f"burst {rof}" for rof in (5, 4, 3, 2, 1)], "plain") or _answer_minor(choice)
    if choice.topic == "act":
        return _attack_nearest(choice, "shoot how")
    return shooter(choice)


def suppressor(choice: Choice[Any]) -> Given:
    """Pins enemies with saturation fire while allies can use it; fires bursts at pinned or last enemies, and when alone."""
    if choice.topic == "act":
        me, foe = at_hand(choice)
        able = [fighter for fighter in choice.about.fight.fighters if fighter.body.able]
        alone = sum(candidate.side == me.side for candidate in able) < 2
        last = sum(candidate.side != me.side for candidate in able) < 2
        return _attack_nearest(choice, "shoot how" if alone or last or (foe is not None and foe.pinned) else "saturate")
    return automatic(choice)


@local
def fencer(choice: Choice[Any]) -> Given:
    """Closes in and strikes, with or without guns."""
    if choice.topic == "move":
        me, foe = at_hand(choice)
        return _search_enemy(choice, me) if foe is None else _close_in(choice, me, foe)
    if choice.topic == "act":
        return _attack_nearest(choice, "strike")
    if choice.topic == "plan":
        return "1"
    return _answer_minor(choice)


def whirlwind(choice: Choice[Any]) -> Given:
    """A fencer who uses fast attacks."""
    if choice.topic == "act":
        return _attack_nearest(choice, "strike how")
    if choice.topic == "way":
        return pick(choice, "fast", "plain") or _answer_minor(choice)
    return fencer(choice)


@local
def bruiser(choice: Choice[Any]) -> Given:
    """A brawler who does not kill."""
    if choice.topic == "act":
        return _attack_nearest(choice, "bruise")
    return fencer(choice)


def hasty(choice: Choice[Any]) -> Given:
    """A shooter who takes two actions every round."""
    return "2" if choice.topic == "plan" else shooter(choice)


def careful(choice: Choice[Any]) -> Given:
    """Takes cover first, then shoots."""
    if choice.topic == "move":
        fight = choice.about.fight
        me = fight.fighter(choice.about.name)
        foe = nearest(fight, me)
        if fight.map.covers and foe is not None:
            if fight.cover_from((foe.x, foe.y), me):
                return shooter(choice)
            near = covers_near(fight.field, (me.x, me.y))
            result = pick(choice, *[f"{gait} to {cover}" for gait in ("walk", "jog", "run") for cover in near])
            if result is not None:
                return result
        if not me.cover:
            spots = sorted(fight.ground.covers, key=lambda spot: (spot.x - me.x) ** 2 + (spot.y - me.y) ** 2)
            keys = [f"{go} to {spot.name}" for spot in spots for go in ("walk", "jog", "run", "push gently", "push", "push hard")]
            result = pick(choice, *keys)
            if result is not None:
                return result
        elif me.weapon.fires is not None:
            return "stay"
    return shooter(choice)


def waiter(choice: Choice[Any]) -> Given:
    """Readies an action and lets enemies come."""
    if choice.topic == "act":
        me, _ = at_hand(choice)
        if me.weapon.fires is not None and not me.loaded:
            return pick(choice, "clear", "load") or "pass"
        return pick(choice, "ready", "get free") or "pass"
    if choice.topic == "move":
        return "stay"
    return shooter(choice)


TACTICS: Mapping[str, Tactic] = {
    "shooter": shooter,
    "marksman": marksman,
    "automatic": automatic,
    "suppressor": suppressor,
    "fencer": fencer,
    "whirlwind": whirlwind,
    "bruiser": bruiser,
    "hasty": hasty,
    "careful": careful,
    "waiter": waiter,
}
"""Tactics by name; the first is the default."""
