"""A second kind of scene: a race of stacking, in which everybody flips at once."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pebbles.coins import coins
from pebbles.throwers import with_tricks
from rulewright.build.sheet_parts import Card, Pool, SceneView
from rulewright.errors import UserError
from rulewright.play import Choice, Given, Happened, Option, Play, Roll, Scale, Tell, Together, came_to
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.scenes.scene import Result, Scene

GOAL = 5


class Stacker(Struct, frozen=True):
    """Somebody in the race, and how high their stack is."""

    name: str
    side: str
    aim: int
    height: int = 0


class Race(Struct, frozen=True):
    """All stacks, and how long it may go on."""

    stackers: tuple[Stacker, ...]
    round: int = 1
    limit: int = 50


HANDS: tuple[Option[int], ...] = (Option("steady", "with a steady hand", 0), Option("hasty", "in haste", 1))


STACKING = Scale(("no higher", "grown"), ("grown",), counts="grows")


class Stacking(Scene[Race]):
    """The rounds of a race: everybody chooses a hand, then all flip at once."""

    state_type = Race
    kind = "race"

    def step(self, state: Race) -> Play[Race]:
        people = state.stackers
        hands = yield from Together(tuple(Choice(one.name, "how to stack", HANDS, state, "hand") for one in people))
        thrown = [(one, one.aim + hand) for one, hand in zip(people, hands, strict=True)]
        flips = tuple(Roll(coins(self.rules, number), one.name, "stacking") for one, number in thrown)
        heads = yield from Together(flips)
        grown = [
            replace(one, height=max(0, min(GOAL, one.height + more - hand))) for one, more, hand in zip(people, heads, hands, strict=True)
        ]
        for one, after in zip(people, grown, strict=True):
            yield from Tell(Happened(one.name, f"has a stack of {after.height}"))
            yield from came_to("grown" if after.height > one.height else "no higher", STACKING, one.name)
        return Race(tuple(grown), state.round + 1, state.limit)

    def result(self, state: Race) -> Result | None:
        done = {one.side for one in state.stackers if one.height >= GOAL}
        if done:
            return Result(next(iter(done)) if len(done) == 1 else None, "a stack is high enough")
        return Result(None, "it grew dark") if state.round > state.limit else None

    def view(self, state: Race, who: str | None) -> SceneView:
        cards = tuple(Card(one.name, one.side, (Pool(name="stack", value=one.height, most=GOAL),)) for one in state.stackers)
        return SceneView("A race of stacking", f"round {state.round}", cards)

    def sides(self, state: Race) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for one in state.stackers:
            found[one.side] = (*found.get(one.side, ()), one.name)
        return found

    def out(self, state: Race) -> frozenset[str]:
        return frozenset()

    def round(self, state: Race) -> int:
        return state.round

    def join(self, state: Race, newcomer: Any, side: str) -> Race:
        placed = newcomer if isinstance(newcomer, Placed) else Placed(newcomer, newcomer.name, side, None, {})
        if any(one.name == placed.name for one in state.stackers):
            raise UserError(f"there is a {placed.name} in this race already")
        return replace(state, stackers=(*state.stackers, stacker_of(self.rules, placed)))


def stacker_of(rules: Ruleset, placed: Placed) -> Stacker:
    """A character at the start of the race."""
    return Stacker(placed.name, placed.side, with_tricks(rules, placed.character, "aim").value)


def begin(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Race:
    """The race that a scenario begins with."""
    return Race(tuple(stacker_of(rules, member) for member in members), limit=scenario.rounds)


def steady(choice: Choice[Any]) -> Given:
    """Never in haste."""
    return "steady"
