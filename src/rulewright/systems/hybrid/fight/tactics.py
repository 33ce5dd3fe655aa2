"""Tactics: named AI policies for scenario files and unassigned characters. A tactic sees the choice and its context."""

from collections.abc import Mapping
from typing import Any

from rulewright.field.destinations import doors_to_try
from rulewright.play import Choice, Given, Range, Tactic, local
from rulewright.systems.hybrid.combat.attacks import against_defense
from rulewright.systems.hybrid.combat.fighters import REACH, Fighter, situation
from rulewright.systems.hybrid.fight.defences import guard_chances
from rulewright.systems.hybrid.resolution.tests import limits

QUIET = ("pass", "plain", "enough", "defend", "go on", "let them come", "take it", "break off")
"""The answers that do nothing more than a question asks for."""


def _pick(choice: Choice[Any], *keys: str) -> Given:
    """The first of these keys that is allowed, or else one that does nothing more."""
    allowed = choice.keys()
    for key in (*keys, *QUIET):
        if key in allowed:
            return key
    return allowed[-1] if allowed else 0


def _me(choice: Choice[Any]) -> Fighter:
    result: Fighter = choice.about.fight.fighter(choice.about.name)
    return result


def _nearest(choice: Choice[Any]) -> Fighter | None:
    me = _me(choice)
    foes: tuple[Fighter, ...] = choice.about.fight.enemies(choice.about.rules, me)
    return min(foes, key=me.distance, default=None)


def _small(choice: Choice[Any], answer: str = "parry") -> Given:
    """Answers the smaller questions as anybody would."""
    options = choice.options
    if isinstance(options, Range):
        return (options.low + options.high + 1) // 2
    if choice.topic == "answer":
        return _pick(choice, *_guards(choice, answer), "defend")
    if choice.topic == "fend":
        return _pick(choice, "fend")
    if choice.topic == "answer fend":
        return _pick(choice, *_guards(choice, answer), "go on")
    if choice.topic == "fended":
        return "break off"
    if choice.topic == "way":  # asked only where a plain blow would be hopeless
        return _pick(choice, "set up", "plain")
    if choice.topic == "roll with it":
        return "roll with the blow" if answer == "roll with the blow" else "take it"
    return options[0].key


HOPELESS = 5.0
"""A parry or block with a chance of so many percent or less is not worth its counts."""
STOPS = 0.7
"""How much a block is worth beside a parry with the same chance: it stops only a part of the blow."""


def _guards(choice: Choice[Any], favourite: str) -> list[str]:
    """The ways to meet an attack that are worth their counts, best first; one that is a habit counts for a little more."""
    about = choice.about
    if favourite not in ("parry", "block") and favourite in choice.keys():  # noqa: SIM118
        return [favourite]
    chances = guard_chances(about.rules, about.fight, about.name, about.other)
    worth = {"parry": chances["parry"], "block": chances["block"] * (1.0 if favourite == "block" else STOPS)}
    return sorted([way for way in worth if chances[way] > HOPELESS], key=lambda way: -worth[way])


def _seek(choice: Choice[Any]) -> Given:
    """Nobody is in sight: go to whom one's side knows of, or open the nearest door that is shut, or go to one that stands open."""
    fight, me = choice.about.fight, _me(choice)
    if fight.bare:
        return _pick(choice, "pass")
    known = sorted(fight.known_enemies(choice.about.rules, me), key=me.distance)
    doors = doors_to_try(fight.field, (me.x, me.y))
    tries = [key for door in doors for key in (f"open:{door}", f"head for:{door}")]
    return _pick(choice, "struggle", "rise", *[f"approach:{foe.name}" for foe in known], *tries, "pass")


def _fight(choice: Choice[Any], *ways: str) -> Given:
    """Attack the nearest enemy in the first of these ways, get there first, and see to one's feet and hands before."""
    foe = _nearest(choice)
    if foe is None:
        return _seek(choice)
    me = _me(choice)
    if not me.bound_with and me.arm.name == "fist" and not me.holding:
        armed = [key for key in choice.keys() if key.startswith("draw:")]  # noqa: SIM118
        if armed:
            return armed[0]
    if me.body.prone and me.distance(foe) > 2:
        return _pick(choice, "rise")
    return _pick(choice, "struggle", "free", *[f"{way}:{foe.name}" for way in (*ways, "attack", "approach")], "rise", "pass")


def _plainly(choice: Choice[Any]) -> tuple[str, ...]:
    """How to attack: plainly, or well prepared where a plain blow at the nearest enemy would be hopeless."""
    foe, me, rules = _nearest(choice), _me(choice), choice.about.rules
    if foe is None or me.distance(foe) > REACH or me.arm.use != "melee":
        return ()
    check = against_defense(rules, me.arm.check.plus(df=situation(rules, choice.about.fight, me)), foe.profile.pdf)
    return ("attack how",) if limits(rules, check).chance <= HOPELESS else ()


QUICK = 3
"""Up to so many counts a blow is quick: to take time for it costs a count or two."""
POOR = 24
"""Below this difficulty factor a blow wants all the help there is."""


def _prepares(me: Fighter) -> bool:
    """Whether a person does well to take time for a blow."""
    arm = me.arm
    return arm.use == "melee" and (arm.speed <= QUICK or arm.check.df < POOR)


@local
def fencer(choice: Choice[Any]) -> Given:
    """Strike and parry; with a quick weapon, or a poor hand at it, take time for the blow."""
    if choice.topic == "act":
        return _fight(choice, "attack how") if _prepares(_me(choice)) else _fight(choice)
    if choice.topic == "way":
        return _pick(choice, "set up", "plain")
    return _small(choice)


@local
def reckless(choice: Choice[Any]) -> Given:
    """Attack all out and get inside whatever it costs."""
    if choice.topic == "act":
        return _fight(choice, "attack how")
    if choice.topic == "way":
        return _pick(choice, "all out")
    return "ignore" if choice.topic == "fended" else _small(choice, "roll with the blow")


@local
def careful(choice: Choice[Any]) -> Given:
    """Take time for every blow, block what comes, and give way once badly hurt."""
    me = _me(choice) if choice.topic != "fended" else None
    if choice.topic == "act":
        return _fight(choice, "attack how")
    if choice.topic == "way" and me is not None:
        hurt = 2 * me.body.pbd < me.body.pbd_full
        return _pick(choice, "retreating" if hurt else "set up", "plain")
    return _pick(choice, "fend and give way") if choice.topic == "fend" else _small(choice, "block")


def wrestler(choice: Choice[Any]) -> Given:
    """Drop the weapon, get a grip, throw or hold until nothing moves."""
    if choice.topic == "act":
        me, foe = _me(choice), _nearest(choice)
        if foe is not None and not me.arm.natural and me.distance(foe) <= 2:
            return _pick(choice, "struggle", "drop weapon")
        if me.holding:
            return _pick(choice, "tighten")
        return _pick(
            choice, "struggle", *[f"{way}:{foe.name}" for way in ("grapple", "approach")] if foe is not None else [], "rise", "pass"
        )
    return "ignore" if choice.topic == "fended" else _small(choice)


@local
def marksman(choice: Choice[Any]) -> Given:
    """Shoot from where one stands, well prepared; never close in while there is something to shoot with."""
    if choice.topic == "act":
        return _fight(choice, "attack how" if _me(choice).arm.use == "missile" else "attack")
    if choice.topic == "way":
        return _pick(choice, "set up")
    return _small(choice)


def feinter(choice: Choice[Any]) -> Given:
    """Fool the other first where one has the skill for it, then strike."""
    if choice.topic == "act":
        foe = _nearest(choice)
        fooled = foe is not None and foe.fooled_by == choice.about.name
        skilled = _me(choice).arm.check.df >= 20
        return _fight(choice, "feint") if skilled and not fooled else _fight(choice, *_plainly(choice))
    return _small(choice)


def waiter(choice: Choice[Any]) -> Given:
    """Let them come, and be faster; once they are there, or shoot from afar, fight."""
    if choice.topic == "act":
        me, foe = _me(choice), _nearest(choice)
        shot_at = any(other.arm.use in ("missile", "spell") for other in choice.about.fight.enemies(choice.about.rules, me))
        if foe is not None and me.distance(foe) > REACH and me.arm.use == "melee" and me.body.mind.fatigue > 0 and not shot_at:
            return _pick(choice, "struggle", "wait")
        return _fight(choice, *_plainly(choice))
    return _small(choice)


def mage(choice: Choice[Any]) -> Given:
    """Ward oneself, make light, then cast whatever harms; with nothing left to cast, fight."""
    if choice.topic != "act":
        return _small(choice)
    me, foe = _me(choice), _nearest(choice)
    spells = [arm for arm in me.profile.arms if arm.use == "spell"]
    warded = me.ward and me.ward_ends > choice.about.fight.count
    helping = [f"cast {arm.name}:{me.name}" for arm in spells if arm.helps == "light" or (arm.helps == "ward" and not warded)]
    harming = [f"cast {arm.name}:{foe.name}" for arm in spells if not arm.helps] if foe is not None else []
    wanted = [key for key in (*helping, *harming) if key in choice.keys()]  # noqa: SIM118
    return wanted[0] if wanted else _fight(choice, *_plainly(choice))


TACTICS: Mapping[str, Tactic] = {
    "fencer": fencer,
    "reckless": reckless,
    "careful": careful,
    "wrestler": wrestler,
    "marksman": marksman,
    "feinter": feinter,
    "waiter": waiter,
    "mage": mage,
}
"""The first is what anybody does who was given no tactic."""
