"""A second kind of scene: a stacking race, in which all players flip at once."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pebbles.coins import coins
from pebbles.throwers import with_tricks
from rulewright.build.sheet_parts import Card, Pool, SceneView
from rulewright.errors import UserError
from rulewright.play import Choice, Given, Option, Play, Reckoned, Roll, Scale, Tell, Together, came_to
from rulewright.rules import Ruleset
from rulewright.rules.reasons import at_least, at_most, less, term, total
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.scenes.scene import Result, Scene

GOAL = 5


class Stacker(Struct, frozen=True):
    """One participant of the race, with the height of the stack."""

    name: str
    side: str
    aim: int
    height: int = 0


class Race(Struct, frozen=True):
    """The state: all stacks and the limit of rounds."""

    stackers: tuple[Stacker, ...]
    round: int = 1
    limit: int = 50


HANDS: tuple[Option[int], ...] = (Option("steady", "with a steady hand", 0), Option("hasty", "in haste", 1))


STACKING = Scale(("no higher", "grown"), ("grown",), counts="grows")


class Stacking(Scene[Race]):
    """The race as a scene: all players choose a hand, then all flip at once."""

    state_type = Race
    kind = "race"

    def step(self, state: Race) -> Play[Race]:
        stackers = state.stackers
        hands = yield from Together(tuple(Choice(stacker.name, "how to stack", HANDS, state, "hand") for stacker in stackers))
        coin_counts = [stacker.aim + hand for stacker, hand in zip(stackers, hands, strict=True)]
        flips = tuple(
            Roll(coins(self.rules, count), stacker.name, "stacking") for stacker, count in zip(stackers, coin_counts, strict=True)
        )
        heads = yield from Together(flips)
        grown = [
            replace(stacker, height=max(0, min(GOAL, stacker.height + added - hand)))
            for stacker, added, hand in zip(stackers, heads, hands, strict=True)
        ]
        for before, after, added, hand in zip(stackers, grown, heads, hands, strict=True):
            height = total("stack", term("before", before.height), term("heads", added), less("haste", hand), at_least(0), at_most(GOAL))
            yield from Tell(Reckoned(who=after.name, what=f"has a stack of {after.height}", sums=(height.reason,)))
            yield from came_to("grown" if after.height > before.height else "no higher", STACKING, after.name)
        return Race(tuple(grown), state.round + 1, state.limit)

    def result(self, state: Race) -> Result | None:
        done = {stacker.side for stacker in state.stackers if stacker.height >= GOAL}
        if done:
            return Result(next(iter(done)) if len(done) == 1 else None, "a stack is high enough")
        return Result(None, "it grew dark") if state.round > state.limit else None

    def view(self, state: Race, who: str | None) -> SceneView:
        cards = tuple(
            Card(stacker.name, stacker.side, (Pool(name="stack", value=stacker.height, most=GOAL),)) for stacker in state.stackers
        )
        return SceneView("A race of stacking", f"round {state.round}", cards)

    def sides(self, state: Race) -> dict[str, tuple[str, ...]]:
        names: dict[str, tuple[str, ...]] = {}
        for stacker in state.stackers:
            names[stacker.side] = (*names.get(stacker.side, ()), stacker.name)
        return names

    def out(self, state: Race) -> frozenset[str]:
        return frozenset()

    def round(self, state: Race) -> int:
        return state.round

    def join(self, state: Race, newcomer: Any, side: str) -> Race:
        placed = newcomer if isinstance(newcomer, Placed) else Placed(newcomer, newcomer.name, side, None, {})
        if any(stacker.name == placed.name for stacker in state.stackers):
            raise UserError(f"there is a {placed.name} in this race already")
        return replace(state, stackers=(*state.stackers, stacker_of(self.rules, placed)))


def stacker_of(rules: Ruleset, placed: Placed) -> Stacker:
    """A character at the start of the race."""
    for field in placed.state:
        raise UserError(f"{placed.name}: state has no field {field!r}")
    return Stacker(placed.name, placed.side, with_tricks(rules, placed.character, "aim").value)


def begin(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Race:
    """The starting state of a scenario."""
    return Race(tuple(stacker_of(rules, member) for member in members), limit=scenario.rounds)


def steady(choice: Choice[Any]) -> Given:
    """Tactic: always use a steady hand."""
    return "steady"
