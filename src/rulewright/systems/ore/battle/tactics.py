"""Named tactics for battles and pursuits."""

from collections.abc import Mapping
from typing import Any

from rulewright.play import Choice, Given, Range, Tactic
from rulewright.scenes.allowed_answers import pick
from rulewright.systems.ore.battle.combatants import Battle, Craft, Post, Situation, Wing
from rulewright.systems.ore.fight.tactics import dice_used
from rulewright.systems.ore.machines.structure import LEVEL_NAMES

NOBODY_DRIVES = "take seat:pilot"
"""The key every tactic picks if there is no driver."""


def _first(choice: Choice[Any], *beginnings: str) -> Given | None:
    """The first key with one of these prefixes, in order."""
    keys = choice.keys()
    return next((key for begin in beginnings for key in keys if key.startswith(begin)), None)


def _about(choice: Choice[Any]) -> tuple[Battle, Post]:
    about = choice.about
    assert isinstance(about, Situation)
    return about.battle, about.post


def _foes(choice: Choice[Any]) -> list[str]:
    """The enemies, weakest first."""
    battle, post = _about(choice)
    foes = battle.foes(battle.unit(post.craft).side)
    return [foe.name for foe in sorted(foes, key=_strength)]


def _strength(unit: Craft | Wing) -> int:
    """The effort needed to take out an enemy."""
    if isinstance(unit, Wing):
        return 100 + sum(unit.ratings)
    return 3 * unit.hull.size - unit.hull.marked + 3 * unit.machine.armour


def _lesser(choice: Choice[Any]) -> Given:
    """Answers to minor questions."""
    options, used = choice.options, dice_used(choice)
    if used is not None:
        return used
    if choice.topic == "fighters":
        return pick(choice, *[f"attack:{foe}" for foe in _foes(choice)]) or choice.keys()[-1]
    if choice.topic == "helm":
        return _helm(choice)
    if choice.topic == "share" and isinstance(options, Range):
        return (options.high + 1) // 2 if _about(choice)[1].role == "gunner" else options.high
    if isinstance(options, Range):
        return {"counter": options.high, "speed": options.high}.get(choice.topic, options.low)
    return options[0].key


def _helm(choice: Choice[Any]) -> Given:
    """The helm of a ship of the line: guns in range first, then Position."""
    battle, post = _about(choice)
    foes = _foes(choice)
    far = [foe for foe in foes if battle.range_of(post.craft, foe) != "VR"]
    if len(far) == len(foes) and far:
        return pick(choice, *[f"chase:{foe}" for foe in far], "pass") or choice.keys()[0]
    return pick(choice, "pass") or choice.keys()[0]


def _wing(choice: Choice[Any]) -> Given:
    """A wing: attack, else take a Position, else close in."""
    battle, post = _about(choice)
    wing = battle.unit(post.craft)
    near = [foe for foe in battle.foes(wing.side) if battle.range_of(wing.name, foe.name) == "VR"]
    if any(not foe.machine.manoeuvrable or wing.position >= foe.position for foe in near):
        return "fight"
    if near:
        return pick(choice, "position", "fight") or "pass"
    return _first(choice, "chase:") or "fight"


def _barred(battle: Battle, post: Post) -> bool:
    """Whether only Position prevents an attack on an enemy in range."""
    unit = battle.unit(post.craft)
    guns = {gun.range for place, gun in enumerate(unit.machine.guns) if isinstance(unit, Wing) or unit.shots_left(place) > 0}
    reach = {"VR": bool(guns), "BVR": "BVR" in guns, "ER": False}
    near = [foe for foe in battle.foes(unit.side) if reach[battle.range_of(unit.name, foe.name)]]
    return any(foe.machine.manoeuvrable and foe.position > unit.position for foe in near)


def ace(choice: Choice[Any]) -> Given:
    """Attack the weakest possible enemy; take a Position or close in if needed."""
    if choice.topic != "act":
        return _lesser(choice)
    battle, post = _about(choice)
    if post.role == "wing":
        return _wing(choice)
    foes = _foes(choice)
    keys = [f"attack:{foe}" for foe in foes]
    best = pick(choice, NOBODY_DRIVES, *keys, *[f"lock-on:{foe}" for foe in foes])
    if best is None and _barred(battle, post):
        best = pick(choice, "position")
    return best or pick(choice, *[f"chase:{foe}" for foe in foes]) or pick(choice, "pass", "hold fire") or choice.keys()[0]


def wary(choice: Choice[Any]) -> Given:
    """Attack and evade; flee when crippled; keep every second set of a wing to defend."""
    if choice.topic == "fighters":
        battle, _ = _about(choice)
        return pick(choice, "defend") if len(battle.waiting) % 2 else _lesser(choice)  # type: ignore[return-value]
    if choice.topic != "act":
        return _lesser(choice)
    battle, post = _about(choice)
    unit = battle.unit(post.craft)
    if isinstance(unit, Craft) and LEVEL_NAMES.index(unit.hull.level) >= 2 and post.role in ("pilot", "crew"):
        return pick(choice, "escape") or ace(choice)
    pairs = [f"attack+{how}:{foe}" for foe in _foes(choice) for how in ("jink", "swerve")]
    return pick(choice, *pairs) or ace(choice)


def runner(choice: Choice[Any]) -> Given:
    """Get away as fast as possible; passengers fire back or do nothing."""
    if choice.topic == "speed":
        return _sensible_speed(choice)
    if choice.topic != "act":
        return _lesser(choice)
    battle, post = _about(choice)
    unit = battle.unit(post.craft)
    if isinstance(unit, Craft) and post == battle.helm(post.craft):
        if pick(choice, "speed") and unit.speed < _good_speed(unit):
            return "speed"
        return pick(choice, "take-off", "escape", "swerve", "jink") or ace(choice)
    return _first(choice, NOBODY_DRIVES, "attack:", "lock-on:", "pass") or choice.keys()[0]


def hunter(choice: Choice[Any]) -> Given:
    """Close in, then push the fleeing vehicle off the road; fire if there are guns."""
    if choice.topic == "speed":
        return _sensible_speed(choice)
    if choice.topic != "act":
        return _lesser(choice)
    battle, post = _about(choice)
    unit = battle.unit(post.craft)
    if isinstance(unit, Wing):
        return _wing(choice)
    foes = _foes(choice)
    if pick(choice, "speed") and unit.speed < _good_speed(unit):
        return "speed"
    near = [foe for foe in foes if battle.range_of(post.craft, foe) == "VR"]
    strikes = [f"{how}:{foe}" for foe in near for how in ("attack", "sideswipe", "ram")]
    text = pick(choice, NOBODY_DRIVES, *strikes)
    if text is None and near and pick(choice, "position"):
        text = "position"
    return text or pick(choice, *[f"chase:{foe}" for foe in foes]) or ace(choice)


def _good_speed(craft: Craft) -> int:
    """One point above Handling, if possible: more costs more than it gains."""
    return min(craft.machine.speed, craft.machine.handling + 1)


def _sensible_speed(choice: Choice[Any]) -> Given:
    battle, post = _about(choice)
    return _good_speed(battle.craft(post.craft))


def captain(choice: Choice[Any]) -> Given:
    """A ship of the line: all guns at the weakest enemy; turn the hull once damaged."""
    if choice.topic == "turn":
        return 1
    if choice.topic == "helm":
        battle, post = _about(choice)
        unit = battle.craft(post.craft)
        if unit.hull.level != "Undamaged" and not unit.turned and pick(choice, "turn the hull"):
            return "turn the hull"
        return _lesser(choice)
    return ace(choice)


TACTICS: Mapping[str, Tactic] = {"ace": ace, "wary": wary, "runner": runner, "hunter": hunter, "captain": captain}
"""The first is the default tactic."""
