"""Dice lost to hits: one die from the highest waiting set."""

from msgspec.structs import replace

from rulewright.play import Play, Tell
from rulewright.rules import Ruleset, rule
from rulewright.systems.ore.combat.fighters import (
    Fight,
    Pending,
)
from rulewright.systems.ore.combat.two_weapons import twins
from rulewright.systems.ore.drama.determination import speed_of, waste_counts
from rulewright.systems.ore.fight.actions.base import the_act
from rulewright.systems.ore.fight.events import DieLost
from rulewright.systems.ore.resolution.contests import spoiled_at

Sets = tuple[tuple[int, int], ...]


@rule("ore-4.05-resolution-order")
def after_hit(rules: Ruleset, sets: Sets = ((2, 7), (3, 4))) -> Sets:
    """A hit, even without damage, takes a die from the highest waiting set; a set of one die is spoiled. Highest means greatest Height,
    then Width (ruling; setting hit-takes-die-from). A view of hits in fights."""
    if not sets:
        return ()
    place = highest_set(rules, sets)
    width, height = sets[place]
    left = ((width - 1, height),) if width - 1 > spoiled_at(rules) else ()
    return (*sets[:place], *left, *sets[place + 1 :])


def highest_set(rules: Ruleset, sets: Sets) -> int:
    """The index of the set that loses a die."""
    by_width = rules.word("hit-takes-die-from") == "widest set"
    return max(range(len(sets)), key=lambda i: sets[i] if by_width else sets[i][::-1])


def loses_a_die(rules: Ruleset, pending: tuple[Pending, ...], name: str) -> Play[tuple[Pending, ...]]:
    """The waiting sets after a hit, with a log entry."""
    result = _shaken(rules, pending, name)
    if result is None:
        return pending
    width, height = max(result.lying, key=lambda pair: (pair[0] > 1, pair[::-1])) if result.lying else (result.width, result.height)
    left = width - 1 if result.lying or width - 1 > spoiled_at(rules) else 0
    yield Tell(DieLost(name, the_act(result.act), width, height, left))
    return shaken(rules, pending, name)


def shaken(rules: Ruleset, pending: tuple[Pending, ...], name: str) -> tuple[Pending, ...]:
    """The waiting sets after a hit. A Twinned set loses the die in both blows; suppressive fire loses it from one of its sets."""
    result = _shaken(rules, pending, name)
    if result is None:
        return pending
    left = result.width - 1 > spoiled_at(rules)
    pendings = []
    for candidate in pending:
        if candidate is result and candidate.lying:
            pendings.append(_thinned(candidate, highest_set(rules, _sets_of(candidate))))
        elif candidate is not result and not _twins(candidate, result):
            pendings.append(candidate)
        elif left:
            pendings.append(_narrower(rules, candidate))
    return tuple(pendings)


def _narrower(rules: Ruleset, pending: Pending) -> Pending:
    """A set with one die less. Its Speed stays, unless the setting speed-of-a-shaken-set says otherwise."""
    falls = rules.word("speed-of-a-shaken-set") == "falls with it" and not waste_counts(rules)
    speed = speed_of(rules, pending.width - 1, pending.height) if falls else pending.speed
    return replace(pending, width=pending.width - 1, speed=min(speed, pending.speed))


def _shaken(rules: Ruleset, pending: tuple[Pending, ...], name: str) -> Pending | None:
    """The set that loses a die; single dice of suppressive fire are no set."""
    own = [(candidate, pair) for candidate in pending if candidate.who == name and not candidate.steady for pair in _sets_of(candidate)]
    return own[highest_set(rules, tuple([pair for _, pair in own]))][0] if own else None


def _sets_of(pending: Pending) -> Sets:
    """The sets of a waiting action."""
    return tuple([pair for pair in pending.lying if pair[0] > 1]) if pending.lying else ((pending.width, pending.height),)


def _thinned(fire: Pending, place: int) -> Pending:
    """Suppressive fire with one die less; its Speed stays (ruling)."""
    width, height = _sets_of(fire)[place]
    lying = tuple(sorted([(width - 1, height) if pair == (width, height) else pair for pair in fire.lying], reverse=True))
    return replace(fire, lying=lying, width=lying[0][0], height=lying[0][1])


def _twins(pending: Pending, other: Pending) -> bool:
    """Whether two blows belong to a Twinned set."""
    if pending.who != other.who or not pending.act.off_hand or pending.act.twin == other.act.twin:
        return False
    return replace(pending.act, twin=False, target="") == replace(other.act, twin=False, target="")


@rule("ore-4.17-two-weapons")
def is_twinned(fight: Fight, each: Pending) -> bool:
    """Whether two weapons strike twice: with a better skill than the opponent's, or ranged."""
    if not each.act.off_hand:
        return False
    fighter, group = fight.fighter(each.who), fight.group(each.act.target)
    if group is not None:
        against = group.mob.threat
    else:
        other = fight.fighter(each.act.target)
        against = other.profile.ratings[other.in_hand]
    return twins(fighter.weapon.kind, fighter.profile.ratings[fighter.in_hand], against)
