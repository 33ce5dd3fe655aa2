"""The duel as a scene: state, turn, views, tactics."""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from pebbles.coins import throw, topple
from pebbles.throwers import Thrower, with_tricks
from rulewright.build.sheet_parts import Card, Pool, SceneView, Timeline, Track, Turn
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.play import Choice, Event, Given, Option, Play, Range, Scale, Tell, Verdict, sub
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Reason
from rulewright.scenes.hidden_state import Draw, Imagine
from rulewright.scenes.scenarios import Lasts, Placed, Scenario, counted
from rulewright.scenes.scene import Result, Scene


class Cairn(Struct, frozen=True):
    """One participant of the duel."""

    name: str
    side: str
    aim: int
    guard: int
    stones: int
    bag: int
    full: int


class Duel(Struct, frozen=True):
    """The state: all cairns, the current turn, and the limit of rounds."""

    cairns: tuple[Cairn, ...]
    turn: int = 0
    round: int = 1
    limit: int = 50


class Threw(Event, frozen=True):
    """Log event: a throw and its effect."""

    by: str
    at: str
    heads: int
    guard: int
    toppled: int
    left: int = 1

    def headline(self) -> str:
        return f"{self.by} throws at {self.at}: {self.toppled} toppled"

    def verdict(self) -> Verdict:
        name = "nothing" if not self.toppled else "some" if self.left else "all"
        return Verdict(name, TOPPLING, self.by, self.at)

    def reasons(self) -> tuple[Reason, ...]:
        return (Reason("heads", self.heads, rule="pebbles-coins"), Reason("guard", self.guard, "-", rule="pebbles-coins"))

    def tone(self) -> str:
        return "bad" if self.toppled else "plain"


TOPPLING = Scale(("nothing", "some", "all"), ("some", "all"), counts="topples", spared="stands")


class Counted(Event, frozen=True):
    """Log event: the pebbles left in a bag, hidden from other sides."""

    by: str
    friends: tuple[str, ...]
    bag: int

    def headline(self) -> str:
        return f"{self.by} has {count(self.bag, 'pebble')} left"

    def hidden_from(self, who: str | None) -> bool:
        return who is not None and who not in self.friends


class About(Struct, frozen=True):
    """The situation of a decision, for tactics."""

    duel: Duel
    me: Cairn


ACT: tuple[Option[str], ...] = (Option("throw", "throw pebbles", "throw"), Option("gather", "gather pebbles", "gather"))


@rule("pebbles-turn")
def turn(rules: Ruleset, duel: Duel) -> Play[Duel]:
    """The active player gathers a pebble, or throws at a cairn of another side and may spend pebbles on the throw."""
    me = duel.cairns[duel.turn]
    about = About(duel, me)
    act = yield from Choice(me.name, "what to do", ACT, about)
    if act == "gather":
        after = _with(duel, msgspec.structs.replace(me, bag=min(me.full, me.bag + 1)))
        yield from Tell(_count(after, me.name))
        return _next(after)
    opponents = [cairn for cairn in duel.cairns if cairn.side != me.side and cairn.stones]
    target = opponents[0]
    if len(opponents) > 1:
        options = tuple(Option(opponent.name, opponent.name, opponent) for opponent in opponents)
        target = yield from Choice(me.name, "at whom", options, about, "target")
    spend: int = yield from Choice(me.name, "pebbles to spend", Range(0, min(me.bag, rules.number("most-spent"))), about, "amount")
    thrown = yield from sub(throw, rules, me.aim + spend, target.guard, me.name, target.name)
    fallen = min(target.stones, topple(rules, thrown.margin).value)
    yield from Tell(Threw(me.name, target.name, thrown.heads, thrown.guard, fallen, target.stones - fallen))
    after = _with(duel, msgspec.structs.replace(me, bag=me.bag - spend))
    after = _with(after, msgspec.structs.replace(target, stones=target.stones - fallen))
    yield from Tell(_count(after, me.name))
    return _next(after)


def _with(duel: Duel, changed: Cairn) -> Duel:
    cairns = tuple(changed if cairn.name == changed.name else cairn for cairn in duel.cairns)
    return Duel(cairns, duel.turn, duel.round, duel.limit)


def _next(duel: Duel) -> Duel:
    """The turn of the next cairn that has stones; after the last one a new round starts."""
    at, count = duel.turn, duel.round
    for _ in duel.cairns:
        at += 1
        if at == len(duel.cairns):
            at, count = 0, count + 1
        if duel.cairns[at].stones:
            break
    return Duel(duel.cairns, at, count, duel.limit)


def _count(duel: Duel, name: str) -> Counted:
    me = next(cairn for cairn in duel.cairns if cairn.name == name)
    return Counted(name, tuple(cairn.name for cairn in duel.cairns if cairn.side == me.side), me.bag)


class Rounds(Scene[Duel]):
    """The duel as a scene; a step is one turn."""

    state_type = Duel

    def step(self, state: Duel) -> Play[Duel]:
        return turn(self.rules, state)

    def result(self, state: Duel) -> Result | None:
        standing = {cairn.side for cairn in state.cairns if cairn.stones}
        if len(standing) <= 1:
            return Result(next(iter(standing), None), "the other cairns have fallen")
        return Result(None, "it grew dark") if state.round > state.limit else None

    def view(self, state: Duel, who: str | None) -> SceneView:
        mine = next((cairn.side for cairn in state.cairns if cairn.name == who), None)
        cards = []
        for cairn in state.cairns:
            pieces: list[Any] = [Track(name="stones", boxes=cairn.stones, marks=("stone",) * cairn.stones)]
            if who is None or cairn.side == mine:
                pieces.append(Pool(name="bag", value=cairn.bag, most=cairn.full))
            cards.append(Card(cairn.name, cairn.side, tuple(pieces), not cairn.stones))
        turns = tuple(Turn(cairn.name, str(at + 1), at == state.turn) for at, cairn in enumerate(state.cairns))
        return SceneView("Pebbles", f"round {state.round}", tuple(cards), Timeline(name="turns", turns=turns))

    def imagining(self, state: Duel, side: str) -> "Imagine[Duel] | None":
        """Draws the hidden bags of other sides: any number of pebbles up to a full bag."""

        def imagine(draw: Draw) -> Duel:
            imagined = state
            for cairn in state.cairns:
                if cairn.side != side:
                    imagined = _with(imagined, msgspec.structs.replace(cairn, bag=int(draw() * (cairn.full + 1))))
            return imagined

        return imagine

    def lens(self, state: Duel, question: str) -> Duel:
        """Drops the values of fallen cairns, which no longer matter."""
        if question == "all":
            return state
        bare = [cairn if cairn.stones else Cairn(cairn.name, cairn.side, 0, 0, 0, 0, 0) for cairn in state.cairns]
        return Duel(tuple(bare), state.turn, state.round, state.limit)

    def sides(self, state: Duel) -> dict[str, tuple[str, ...]]:
        names: dict[str, tuple[str, ...]] = {}
        for cairn in state.cairns:
            names[cairn.side] = (*names.get(cairn.side, ()), cairn.name)
        return names

    def out(self, state: Duel) -> frozenset[str]:
        return frozenset(cairn.name for cairn in state.cairns if not cairn.stones)

    def round(self, state: Duel) -> int:
        return state.round

    def join(self, state: Duel, newcomer: Any, side: str) -> Duel:
        if isinstance(newcomer, Placed):
            newcomer = cairn_of(self.rules, newcomer)
        elif isinstance(newcomer, Thrower):
            newcomer = cairn_of(self.rules, Placed(newcomer, newcomer.name, side, None, {}))
        if any(cairn.name == newcomer.name for cairn in state.cairns):
            raise UserError(f"there is a {newcomer.name} in this duel already")
        return Duel((*state.cairns, newcomer), state.turn, state.round, state.limit)

    carries = ("stones", "bag")

    def lasting(self, state: Duel, who: str) -> dict[str, Lasts]:
        cairn = next(cairn for cairn in state.cairns if cairn.name == who)
        stones, bag = counted(cairn.stones, "stone"), counted(cairn.bag, "pebble")
        return {"stones": Lasts(cairn.stones, f"{stones} left"), "bag": Lasts(cairn.bag, f"{bag} left")}


def cairn_of(rules: Ruleset, placed: Placed) -> Cairn:
    """A character as a participant of a duel."""
    thrower: Thrower = placed.character
    bag = with_tricks(rules, thrower, "bag").value
    fresh = Cairn(
        placed.name,
        placed.side,
        with_tricks(rules, thrower, "aim").value,
        with_tricks(rules, thrower, "guard").value,
        thrower.stones,
        bag,
        bag,
    )
    for field in placed.state:
        if field not in Cairn.__struct_fields__:
            raise UserError(f"{placed.name}: state has no field {field!r}")
    try:
        return msgspec.convert({**msgspec.structs.asdict(fresh), **placed.state}, Cairn)
    except msgspec.ValidationError as error:
        raise UserError(f"{placed.name}: {error}") from None


def begin(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Duel:
    """The starting state of a scenario."""
    return Duel(tuple(cairn_of(rules, member) for member in members), limit=scenario.rounds)


def bold(choice: Choice[Any]) -> Given:
    """Tactic: throw everything at the lowest cairn."""
    if choice.topic == "act":
        return "throw"
    if isinstance(choice.options, Range):
        return choice.options.high
    return min(choice.options, key=lambda option: (option.value.stones, option.key)).key


def careful(choice: Choice[Any]) -> Given:
    """Tactic: gather until the bag is full, then throw with half of it."""
    if choice.topic == "act":
        return "throw" if choice.about.me.bag >= choice.about.me.full else "gather"
    if isinstance(choice.options, Range):
        return (choice.options.low + choice.options.high) // 2
    return choice.options[0].key
