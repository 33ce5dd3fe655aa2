"""One Speed of a forecast round, split by targets: blows at different targets are independent.

Each part is played alone (`rounds.applied_at`), in a fight where nobody else has changed, and cached for many states and options.
"""

from itertools import product
from math import prod
from typing import Any, NamedTuple

from msgspec.structs import replace

from rulewright.play import Play, Verdict, sub
from rulewright.rules import Ruleset
from rulewright.scenes.evaluation import overheard
from rulewright.scenes.scene import Solve
from rulewright.systems.ore.combat.fighters import Act, Fight, Fighter, Group, Pending, Plan
from rulewright.systems.ore.drama.determination import Speed
from rulewright.systems.ore.fight.rounds import applied_at, moment
from rulewright.systems.ore.harm.locations import ARMS

Sets = tuple[Pending, ...]


class Struck(NamedTuple):
    """What a part of a moment did: its target afterwards, what waits of his, dice that it cost, and verdicts of the subject."""

    target: Fighter | Group
    waiting: Sets
    dice: int
    told: tuple[Verdict, ...]


class Came(NamedTuple):
    """What a moment came to: the fight, whom it cost dice, and verdicts of the subject."""

    fight: Fight
    hits: tuple[str, ...]
    told: tuple[Verdict, ...]


def strikes_one(rules: Ruleset, fight: Fight, top: Speed, target: str, who: str) -> Play[Struck | None]:
    """A moment in which all sets are aimed at one target; None where it changed anything else."""
    (after, hits), told = yield from overheard(applied_at(rules, fight, top))
    struck = after.one(target)
    if replace(after.put_one(fight.one(target)), pending=()) != replace(fight, pending=()):
        return None
    return Struck(
        struck,
        tuple([candidate for candidate in after.pending if candidate.who == target]),
        hits.count(target),
        tuple([verdict for verdict in told if who in (verdict.by, verdict.to)]),
    )


class Moments:
    """The moments of a round, for one who is asked about; `order` is that in which sets are applied at the same Speed."""

    def __init__(self, rules: Ruleset, fight: Fight, who: str, order: list[str], solve: Solve) -> None:
        self.rules, self.fight, self.who, self.order, self.solve = rules, fight, who, order, solve
        self._feats = fight.with_feats
        self._plans = fight.plans if self._feats else tuple([Plan(plan.who, (Act("pass"),), exposed=plan.exposed) for plan in fight.plans])
        self._known: dict[Any, tuple[int, list[tuple[Struck | None, int]]]] = {}

    def came(self, fight: Fight, top: Speed, plain: "dict[Pending, str]") -> tuple[int, list[tuple[Came, int]]] | None:
        """The results of a moment with their weights, and the number these are out of; None where it cannot be taken apart. `plain` says
        of each set whom it reaches."""
        now = [candidate for candidate in fight.pending if not candidate.counters and moment(fight, candidate) == top]
        if any(candidate.needs or not candidate.act.target or plain.get(candidate) != candidate.act.target for candidate in now):
            return None
        own = [candidate for candidate in now if candidate.who == self.who]
        if len(own) > 1:
            return None
        targets = list(dict.fromkeys([candidate.act.target for candidate in (*own, *now)]))
        parts = [self._part(fight, now, top, target) for target in targets]
        if any(struck is None for _, outcome in parts for struck, _ in outcome):
            return None
        left = [candidate for candidate in fight.pending if candidate not in now and candidate.who not in targets]
        result = []
        for ways in product(*[ways for _, ways in parts]):
            together = self._together(fight, left, targets, [struck for struck, _ in ways if struck is not None])
            result.append((together, prod([weight for _, weight in ways])))
        return prod([total for total, _ in parts]), result

    def _together(self, fight: Fight, left: list[Pending], targets: list[str], parts: list[Struck]) -> Came:
        """The fight after all parts of a moment."""
        told: tuple[Verdict, ...] = ()
        hits: tuple[str, ...] = ()
        waiting = list(left)
        for target, struck in zip(targets, parts, strict=True):
            fight = fight.put_one(struck.target)
            waiting += struck.waiting
            hits += (target,) * struck.dice
            told += struck.told
        waiting.sort(key=lambda item: self.order.index(item.who) if item.who in self.order else -1)
        return Came(replace(fight, pending=tuple(waiting)), hits, told)

    def _part(self, fight: Fight, now: list[Pending], top: Speed, target: str) -> tuple[int, list[tuple[Struck | None, int]]]:
        """The effects of a moment's sets on one target, with their weights."""
        sets = tuple([candidate for candidate in now if candidate.act.target == target])
        waiting = [candidate for candidate in fight.pending if candidate.who == target and candidate not in now]
        if any(candidate.counters for candidate in waiting):  # who is still to come may be the reason to spare some of a guard
            waiting += [
                candidate
                for candidate in fight.pending
                if candidate.act.target == target and candidate not in now and not candidate.counters
            ]
        attackers = tuple([self._as_who_strikes(fight, name) for name in dict.fromkeys([candidate.who for candidate in sets])])
        key = (sets, tuple(waiting), fight.one(target), attackers)
        known = self._known.get(key)
        if known is None:
            odds = self.solve(sub(strikes_one, self.rules, self._alone(fight, (*sets, *waiting), target, attackers), top, target, self.who))
            if odds.unsettled:
                return 1, [(None, 1)]
            known = self._known[key] = odds.total, list(odds)
        return known

    def _as_who_strikes(self, fight: Fight, name: str) -> Fighter | Group:
        """Somebody as far as it matters to a blow of his: not how he is hurt, but whether he stands, and which arms he can use."""
        fighter, was = fight.one(name), self.fight.one(name)
        if isinstance(fighter, Group) or isinstance(was, Group) or self._feats or fighter is was:
            return fighter
        body = fighter.body
        alike = fighter.able == was.able and all(body.usable(arm) == was.body.usable(arm) for arm in ARMS)
        return was if alike and replace(fighter, body=was.body, worn=was.worn) == was else fighter

    def _alone(self, fight: Fight, pending: Sets, target: str, attackers: tuple[Fighter | Group, ...]) -> Fight:
        """The fight as it began, with these sets, one target as it is now and who strikes at it."""
        changed = {fighter.name: fighter for fighter in (*attackers, fight.one(target))}
        ordered = sorted(pending, key=fight.pending.index)
        return replace(
            fight,
            fighters=tuple([changed.get(fighter.name, fighter) for fighter in self.fight.fighters]),
            groups=tuple([changed.get(group.name, group) for group in self.fight.groups]),
            plans=self._plans,
            pending=tuple(ordered),
        )
