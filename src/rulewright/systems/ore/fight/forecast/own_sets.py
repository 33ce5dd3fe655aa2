"""Combines the asked fighter's sets with the round of the others at each Speed."""

import math
from collections.abc import Iterator
from typing import Any, Protocol

from msgspec.structs import replace

from rulewright.play import Play, Verdict, sub
from rulewright.play.odds import Odds
from rulewright.rules import Ruleset
from rulewright.scenes.evaluation import watched
from rulewright.scenes.scene import Followed, Solve
from rulewright.systems.ore.combat.fighters import Fight, Fighter, Group, Pending
from rulewright.systems.ore.drama.determination import Speed
from rulewright.systems.ore.fight.forecast.other_sets import Course, Lost, NotSo, Sets, Stood, Weights
from rulewright.systems.ore.fight.resolution.lost_dice import shaken
from rulewright.systems.ore.fight.resolution.sets import closed
from rulewright.systems.ore.fight.rounds import applied_at

NOW: Speed = (1,)
"""Where nobody answers a set, it is all the same how fast it is, once its moment has come."""


class Fallen(Protocol):
    """What somebody's dice came to."""

    @property
    def total(self) -> int:
        """Out of how many rolls."""

    @property
    def ended(self) -> dict[Verdict, int]:
        """The verdicts that were settled at once, with their weights."""

    @property
    def known(self) -> "dict[tuple[Fighter, Verdict | None], Weights]":
        """How he is then, with the sets that he may have."""


def his_moment(rules: Ruleset, fight: Fight, question: Followed) -> Play[Any]:
    """The moment of the subject, up to the verdict."""
    return (yield from watched(applied_at(rules, fight, NOW), question, None))


class Laying:
    """One option of the subject."""

    def __init__(self, rules: Ruleset, fight: Fight, question: Followed, course: Course, solve: Solve) -> None:
        self.rules, self.question, self.course, self.solve = rules, question, course, solve
        self.fight = replace(fight, phase="resolve", casts=(), pending=(), plain="")
        self._came: dict[Any, Odds[Any]] = {}
        self._shaken: dict[tuple[Sets, int], Sets] = {}
        self._stood: dict[Speed, dict[Lost, dict[Stood, int]]] = {}
        self._weights: dict[Verdict | None, dict[int, int]] = {}

    def verdicts(self, fallen: Fallen) -> Odds[Any]:
        """The possible verdicts, each with its weight."""
        for verdict, weight in fallen.ended.items():
            self._settle(verdict, weight * self.course.whole, 1)
        for (fighter, _), weights in fallen.known.items():
            for sets, weight in weights.items():
                self._lay(fighter, sets, weight)
        whole = math.lcm(1, *{den for by_den in self._weights.values() for den in by_den})
        number_by_verdict = {verdict: sum(num * (whole // den) for den, num in by_den.items()) for verdict, by_den in self._weights.items()}
        total = fallen.total * self.course.whole * whole
        return Odds(number_by_verdict, total, total - sum(number_by_verdict.values()))

    def _settle(self, verdict: Verdict | None, num: int, den: int) -> None:
        by_den = self._weights.setdefault(verdict, {})
        by_den[den] = by_den.get(den, 0) + num

    def _lay(self, fighter: Fighter, sets: Sets, weight: int) -> None:
        """One fall of his dice: it comes to something at the first moment at which something of it is left, or is lost before."""
        if not sets or any(pending.counters or pending.needs for pending in sets):
            raise NotSo
        spoiled = closed(self.rules, self.fight, sets[0], "spoiled").event.verdict()
        speeds = sorted({pending.speed for pending in sets}, reverse=True)
        for place, at in enumerate(speeds):
            for lost, ways in self._before(at).items():
                if any(self._at(sets, lost, speed) for speed in speeds[:place]):
                    continue
                if self._at(sets, lost, at):
                    own = tuple([replace(pending, speed=NOW) if pending.speed == at else pending for pending in self._left(sets, lost, at)])
                    for stood, num in ways.items():
                        self._now(fighter, own, stood, weight * num)
                elif place == len(speeds) - 1:
                    for stood, num in ways.items():
                        self._settle(spoiled, weight * num, stood.den)
        for (gone, den), num in self.course.gone.items():
            if not any(at >= gone.at and self._at(sets, gone.lost, at) for at in speeds) and gone.at > speeds[-1]:
                in_vain = gone.out or not self._left(sets, gone.lost, ())
                self._settle(spoiled if in_vain else None, weight * num, den)

    def _before(self, at: Speed) -> dict[Lost, dict[Stood, int]]:
        """How things stood for a set of that Speed, by the dice that he had lost."""
        result = self._stood.get(at)
        if result is None:
            result = self._stood[at] = {}
            for stood, num in self.course.before(at).items():
                result.setdefault(stood.lost, {})[stood._replace(lost=())] = num
        return result

    def _left(self, sets: Sets, lost: Lost, at: Speed) -> Sets:
        """The sets that he has left before a moment, after the dice he lost."""
        dice = sum([many for when, many in lost if when > at])
        key = sets, dice
        if key not in self._shaken:
            left = sets
            for _ in range(dice):
                left = shaken(self.rules, left, self.question.who)
            self._shaken[key] = left
        return self._shaken[key]

    def _at(self, sets: Sets, lost: Lost, at: Speed) -> list[Pending]:
        """His sets of one moment."""
        return [pending for pending in self._left(sets, lost, at) if pending.speed == at]

    def _now(self, fighter: Fighter, own: Sets, stood: Stood, num: int) -> None:
        """His moment, with all that is aimed at his goals in it."""
        key = own, fighter.body.luck, fighter.body.drama, stood._replace(den=1)
        if key not in self._came:
            self._came[key] = self.solve(sub(his_moment, self.rules, self._as_stood(fighter, own, stood), self.question))
        odds = self._came[key]
        if any(not isinstance(candidate, Verdict) for candidate in odds.weights):
            raise NotSo
        if odds.unsettled:
            del self._came[key]
        for verdict, weight in odds:
            self._settle(verdict, num * weight, stood.den * odds.total)

    def _as_stood(self, fighter: Fighter, own: Sets, stood: Stood) -> Fight:
        """The fight at his moment."""
        fight = self.fight
        for other in self._others(stood):
            fight = fight.put_one(other)
        him = self.course.as_is(stood.own)
        assert isinstance(him, Fighter)
        body = replace(him.body, luck=fighter.body.luck, drama=fighter.body.drama)
        fight = fight.put(replace(fighter, body=body, worn=him.worn))
        order = self.course.order
        pending = sorted([*own, *[replace(candidate, speed=NOW) for candidate in stood.sets]], key=lambda item: order.index(item.who))
        return replace(fight, pending=tuple(pending))

    def _others(self, stood: Stood) -> Iterator[Fighter | Group]:
        for number in (*stood.strikers, *stood.goals):
            yield self.course.as_is(number)
