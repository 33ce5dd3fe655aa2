"""A cache of battle steps by what they depend on, with their changes."""

from bisect import bisect
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from msgspec.structs import replace

from rulewright.play import Choice, Play, Request, Roll, Sub, Tell, Together
from rulewright.scenes.batch_play import Luck
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit
from rulewright.systems.silhouette.units.wear import Arm, Wear

A = TypeVar("A")

MOST_STEPS = 200_000
"""The number of cached rolls and ends; beyond it the cache is cleared."""

OF_BATTLE = tuple([name for name in Battle.__struct_fields__ if name not in ("units", "round")])
OF_UNITS = tuple([name for name in Unit.__struct_fields__ if name not in ("arms", "wear")])
OF_WEAR = Wear.__struct_fields__
OF_ARMS = Arm.__struct_fields__
HARM = {"crew", "riders", "signs", "course"}
"""Fields that a step may change only if all of them are in the key."""


class Change:
    """The changes of a step: to the battle, to each unit, to its wear and its systems; and the rounds it advanced.

    Fields that a step always sets are kept even if they happened to be equal before.
    """

    __slots__ = ("arms", "battle", "rounds", "units", "wears")

    def __init__(self, before: Battle, after: Battle, sets: tuple[str, ...], sets_arms: tuple[str, ...]) -> None:
        self.rounds = after.round - before.round
        self.battle = _changed_fields(before, after, OF_BATTLE)
        self.units: list[dict[str, Any]] = []
        self.wears: list[dict[str, Any]] = []
        self.arms: list[list[dict[str, Any]]] = []
        for unit, other in zip(before.units, after.units, strict=True):
            self.units.append(_changed_fields(unit, other, OF_UNITS, sets) if unit is not other or sets else {})
            self.wears.append(_changed_fields(unit.wear, other.wear, OF_WEAR) if unit.wear is not other.wear else {})
            same = unit.arms is other.arms and not sets_arms
            pairs = zip(unit.arms, other.arms, strict=True)
            self.arms.append([] if same else [_changed_fields(*arms, OF_ARMS, sets_arms) for arms in pairs])

    def sure(self, harm: bool) -> bool:
        """Whether it changes nothing that depends on its old value: no damage, and no ammunition if damage is in the key."""
        if harm:
            return not any("left" in changes for arms in self.arms for changes in arms)
        return not any(self.wears) and not any(HARM & set(changes) for changes in self.units)

    def __call__(self, battle: Battle) -> Battle:
        """The battle after it."""
        units = []
        for unit, changes, wear, arms in zip(battle.units, self.units, self.wears, self.arms, strict=True):
            if not (changes or wear or arms):
                units.append(unit)
                continue
            more = dict(changes)
            if wear:
                more["wear"] = replace(unit.wear, **wear)
            if arms:
                more["arms"] = tuple([replace(arm, **new) if new else arm for arm, new in zip(unit.arms, arms, strict=True)])
            units.append(replace(unit, **more))
        return replace(battle, units=tuple(units), round=battle.round + self.rounds, **self.battle)


def _changed_fields(old: Any, now: Any, names: tuple[str, ...], sets: tuple[str, ...] = ()) -> dict[str, Any]:
    result = {name: getattr(now, name) for name in sets}
    for name in names:
        new, was = getattr(now, name), getattr(old, name)
        if new is not was and new != was:
            result[name] = new
    return result


class Fork:
    """A roll or part of a step, and what follows from each result so far."""

    __slots__ = ("request", "table", "then")

    def __init__(self, request: Request[Any], luck: Luck) -> None:
        self.request = request
        self.table = luck.roll_table(request) if isinstance(request, Roll) else None
        self.then: dict[Any, Fork | Change] = {}

    def ask(self, luck: Luck) -> Any:
        """The result this time."""
        if self.table is None:
            return luck.run(asked(self.request))
        results, sums = self.table
        return results[bisect(sums, luck.random())]


class KnownSteps:
    """Plays steps, each path once: as long as the dice fall as before, the changes are known."""

    def __init__(self, luck: Luck, harm: bool = False, sets: tuple[str, ...] = (), sets_arms: tuple[str, ...] = ()) -> None:
        self.luck = luck
        self.sets = sets, sets_arms
        """What each of these steps always sets, of units and of their systems."""
        self.harm = harm
        """Whether the keys contain all damage."""
        self._begun: dict[Hashable, Fork | Change] = {}
        self._nodes = 0

    def __call__(self, key: Hashable, battle: Battle, play: Callable[[Battle], Play[Battle]]) -> Battle:
        """The battle after a step that depends on the key alone; `play` starts it anew."""
        node, answers = self._begun.get(key), []
        while type(node) is Fork:
            answer = node.ask(self.luck)
            answers.append((node, answer))
            node = node.then.get(answer)
        return self._play(key, battle, play(battle), answers) if node is None else node(battle)  # type: ignore[operator]

    def _play(self, key: Hashable, battle: Battle, play: Play[Battle], answers: list[tuple[Fork, Any]]) -> Battle:
        if self._nodes >= MOST_STEPS:
            self._begun.clear()
            self._nodes = 0
            key = None  # its key was forgotten, too
        given = iter(answers)
        last, reply, answer = None, None, None
        while True:
            try:
                request = play.send(answer)
            except StopIteration as done:
                change = Change(battle, done.value, *self.sets)
                if change.sure(self.harm):
                    self._link(key, last, reply, change)
                return done.value  # type: ignore[no-any-return]
            if isinstance(request, Tell | Choice) or _only_choices(request):
                answer = self.luck.run(asked(request))
                continue
            before = next(given, None)
            if before is None:
                fork = Fork(request, self.luck)
                self._link(key, last, reply, fork)
                before = (fork, fork.ask(self.luck))
            last, reply = before
            answer = reply

    def _link(self, key: Hashable, last: Fork | None, reply: Any, node: Fork | Change) -> None:
        if last is not None:
            last.then[reply] = node
        elif key is not None:
            self._begun[key] = node
        self._nodes += 1


def with_its_parts(play: Play[A]) -> Play[A]:
    """A procedure that requests the dice of its parts itself."""
    answer: Any = None
    while True:
        try:
            request = play.send(answer)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
        answer = (yield from with_its_parts(request.start())) if isinstance(request, Sub) else (yield request)


def _only_choices(request: Request[Any]) -> bool:
    """Whether it only asks several people for decisions at once."""
    return isinstance(request, Together) and all(isinstance(candidate, Choice) for candidate in request.requests)


def asked(request: Request[Any]) -> Play[Any]:
    """A question by itself, as a procedure."""
    return (yield request)
