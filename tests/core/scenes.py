"""Two miniature scenes that ask more of a step than most games do.

`Standoff`: people wait, interrupt each other's declarations, and pre-empt each other by a contest of quickness. An interrupt is a
declaration itself and can be interrupted in turn.
`Volley`: all declare, the slowest first; all roll at once; the widest set is resolved first. A person who is hit before acting
loses a die.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, structs

from rulewright.build.sheet_parts import Card, SceneView, Track
from rulewright.dice import BestSet, Sum
from rulewright.play import Choice, Event, Given, Option, Play, Roll, Tell, Together, sub
from rulewright.rules import Book
from rulewright.scenes.scene import Result, Scene

D6 = Sum((6,))
STANDOFF = Book("standoff", "core.scenes").ruleset()
VOLLEY = Book("volley", "core.scenes").ruleset()


class Happened(Event, frozen=True):
    text: str

    def headline(self) -> str:
        return self.text


class Person(Struct, frozen=True):
    name: str
    side: str
    health: int = 1
    skill: int = 4
    """Hits on this face or more, in the standoff; the number of dice, in the volley."""
    waiting: bool = False
    quiet: bool = False
    """Passes until something happens."""


class Group(Struct, frozen=True):
    people: tuple[Person, ...]
    turn: int = 0
    round: int = 1

    def __getitem__(self, name: str) -> Person:
        return next(person for person in self.people if person.name == name)

    def changed(self, name: str, **fields: Any) -> "Group":
        people = tuple(structs.replace(person, **fields) if person.name == name else person for person in self.people)
        return structs.replace(self, people=people)

    def standing(self) -> list[Person]:
        return [person for person in self.people if person.health > 0]


class Rounds(Scene[Group]):
    state_type = Group
    longest = 20

    def result(self, state: Group) -> Result | None:
        sides = {person.side for person in state.standing()}
        if len(sides) <= 1:
            return Result(next(iter(sides), None), "the others are down")
        return Result(None, "everybody is tired") if state.round > self.longest else None

    def view(self, state: Group, who: str | None) -> SceneView:
        cards = []
        for person in state.people:
            mine = who is None or state[who].side == person.side
            pieces = [Track(name="health", boxes=person.health)] if mine else []
            cards.append(Card(person.name, person.side, tuple(pieces), person.health == 0))
        return SceneView("", f"round {state.round}", tuple(cards))

    def sides(self, state: Group) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for person in state.people:
            found[person.side] = (*found.get(person.side, ()), person.name)
        return found

    def out(self, state: Group) -> frozenset[str]:
        return frozenset(person.name for person in state.people if person.health == 0)

    def round(self, state: Group) -> int:
        return state.round

    def join(self, state: Group, newcomer: Person, side: str) -> Group:
        return structs.replace(state, people=(*state.people, structs.replace(newcomer, side=side)))


# --- waiting, interrupting, pre-empting -----------------------------------------------------------------------------------------


class Standoff(Rounds):
    def step(self, state: Group) -> Play[Group]:
        """One person's turn: wait, or strike at somebody."""
        me = state.people[state.turn]
        state = state.changed(me.name, waiting=False, quiet=False)
        targets = [person.name for person in state.standing() if person.side != me.side]
        options = (Option("wait", "wait", None), *(Option(f"strike {name}", f"strike {name}", name) for name in targets))
        target = yield from Choice(me.name, "your turn", options, state)
        if target is None:
            state = state.changed(me.name, waiting=True)
            yield from Tell(Happened(f"{me.name} waits"))
        else:
            state = yield from declare(state, me.name, target)
        return _next(state)


WATCH = (
    Option("pass", "let it happen", "pass"),
    Option("interrupt", "interrupt", "interrupt"),
    Option("pass until something happens", "do not ask me until something happens", "quiet"),
)


def declare(state: Group, actor: str, target: str) -> Play[Group]:
    """Everybody who waits is asked at once whether to interrupt; the quicker ones go before the declared strike, the others after."""
    yield from Tell(Happened(f"{actor} is about to strike {target}"))
    watchers = [p.name for p in state.standing() if p.waiting and not p.quiet and p.side != state[actor].side]
    answers = yield from Together(tuple(Choice(name, f"{actor} is about to strike {target}", WATCH, state, "watch") for name in watchers))
    for name, answer in zip(watchers, answers, strict=True):
        if answer == "quiet":
            state = state.changed(name, quiet=True)
    interrupters = [name for name, answer in zip(watchers, answers, strict=True) if answer == "interrupt"]
    if not interrupters:
        return (yield from strike_if_able(state, actor, target))
    contest = yield from Together(tuple(Roll(D6, name, "quickness") for name in (actor, *interrupters)))
    for name in interrupters:
        state = state.changed(name, waiting=False)
    quickest = sorted(zip(contest[1:], interrupters, strict=True), key=lambda pair: -pair[0])
    for quickness, name in quickest:
        if quickness > contest[0]:
            yield from Tell(Happened(f"{name} is quicker than {actor}"))
            state = yield from sub(declare_if_able, state, name, actor)
    state = yield from strike_if_able(state, actor, target)
    for quickness, name in quickest:
        if quickness <= contest[0]:
            yield from Tell(Happened(f"{name} is too late"))
            state = yield from sub(declare_if_able, state, name, actor)
    return state


def declare_if_able(state: Group, actor: str, target: str) -> Play[Group]:
    """An interrupt is declared like any other action, so that it can be interrupted itself."""
    if not (state[actor].health and state[target].health):
        return state
    return (yield from declare(state, actor, target))


def strike_if_able(state: Group, actor: str, target: str) -> Play[Group]:
    if not (state[actor].health and state[target].health):
        yield from Tell(Happened(f"{actor} comes to nothing"))
        return state
    if not (yield from sub(strikes, state[actor].skill, actor)):
        yield from Tell(Happened(f"{actor} misses {target}"))
        return state
    yield from Tell(Happened(f"{actor} hits {target}"))
    state = state.changed(target, health=state[target].health - 1)
    for person in state.people:
        state = state.changed(person.name, quiet=False)
    return state


def strikes(skill: int, by: str) -> Play[bool]:
    return (yield from Roll(D6, by, "strike")) >= skill


def _next(state: Group) -> Group:
    at, count = state.turn, state.round
    while True:
        at += 1
        if at == len(state.people):
            at, count = 0, count + 1
        if state.people[at].health or not state.standing():
            return structs.replace(state, turn=at, round=count)


def wary(choice: Choice[Any]) -> Given:
    """Wait in the first round; interrupt whatever the others declare; strike at the first of them otherwise."""
    if choice.topic == "watch":
        return "interrupt"
    return "wait" if choice.about.round == 1 and choice.about.turn != len(choice.about.people) - 1 else choice.keys()[-1]


# --- declaring, rolling at once, resolving by speed -----------------------------------------------------------------------------


class Volley(Rounds):
    longest = 3

    def step(self, state: Group) -> Play[Group]:
        """One round: declarations with the lowest skill first, all dice at once, the widest set first."""
        declared: dict[str, str | None] = {}
        for person in sorted(state.standing(), key=lambda person: (person.skill, person.name)):
            foes = [foe.name for foe in state.standing() if foe.side != person.side]
            options = (*(Option(f"strike {name}", f"strike {name}", name) for name in foes), Option("stand", "stand by", None))
            declared[person.name] = yield from Choice(person.name, "what will you do", options, (state, dict(declared)))
        acting = [name for name, target in declared.items() if target is not None]
        sets = yield from Together(tuple(Roll(BestSet(state[name].skill), name, "strike") for name in acting))
        left = {name: found for name, found in zip(acting, sets, strict=True) if found is not None}
        while left:
            quickest = max(left, key=lambda name: (left[name], name))
            width, height = left.pop(quickest)
            target = declared[quickest]
            assert target is not None
            if not (state[quickest].health and state[target].health):
                continue
            yield from Tell(Happened(f"{quickest} hits {target} with {width}x{height}"))
            state = state.changed(target, health=state[target].health - 1)
            if target in left:
                left = {**left, target: (left[target][0] - 1, left[target][1])}
                if left[target][0] < 2:
                    del left[target]
                    yield from Tell(Happened(f"{target} loses the set"))
        return structs.replace(state, round=state.round + 1)
