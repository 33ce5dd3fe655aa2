"""A third kind of scene: flat stones skim over the water. Nobody decides anything; all is dice."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pebbles.coins import coins
from pebbles.throwers import with_tricks
from rulewright.build.sheet_parts import Card, Pool, SceneView
from rulewright.errors import UserError
from rulewright.play import Play, Reckoned, Roll, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import term, total
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.scenes.scene import Result, Scene

THROWS = 3


class Skimmer(Struct, frozen=True):
    """One participant, with the skips of all stones so far."""

    name: str
    side: str
    aim: int
    skips: int = 0


class Shore(Struct, frozen=True):
    """The state: who throws, and how often everybody has thrown before this round."""

    skimmers: tuple[Skimmer, ...]
    round: int = 1


class Skimming(Scene[Shore]):
    """The scene: in each round everybody throws one stone, in the order of the scenario."""

    state_type = Shore
    kind = "skim"

    def step(self, state: Shore) -> Play[Shore]:
        after = []
        for skimmer in state.skimmers:
            heads = yield from Roll(coins(self.rules, skimmer.aim), skimmer.name, "skips")
            skips = total("skips", term("before", skimmer.skips), term("heads", heads))
            yield from Tell(Reckoned(who=skimmer.name, what=f"has {skips.value} skips", sums=(skips.reason,)))
            after.append(replace(skimmer, skips=skips.value))
        return Shore(tuple(after), state.round + 1)

    def result(self, state: Shore) -> Result | None:
        if state.round <= THROWS:
            return None
        most = max(skimmer.skips for skimmer in state.skimmers)
        best = {skimmer.side for skimmer in state.skimmers if skimmer.skips == most}
        return Result(next(iter(best)) if len(best) == 1 else None, f"the best stones skipped {most} times")

    def view(self, state: Shore, who: str | None) -> SceneView:
        cards = tuple(
            Card(skimmer.name, skimmer.side, (Pool(name="skips", value=skimmer.skips, most=THROWS * skimmer.aim),))
            for skimmer in state.skimmers
        )
        return SceneView("Skimming stones", f"round {state.round}", cards)

    def sides(self, state: Shore) -> dict[str, tuple[str, ...]]:
        names: dict[str, tuple[str, ...]] = {}
        for skimmer in state.skimmers:
            names[skimmer.side] = (*names.get(skimmer.side, ()), skimmer.name)
        return names

    def out(self, state: Shore) -> frozenset[str]:
        return frozenset()

    def join(self, state: Shore, newcomer: Any, side: str) -> Shore:
        placed = newcomer if isinstance(newcomer, Placed) else Placed(newcomer, newcomer.name, side, None, {})
        if any(skimmer.name == placed.name for skimmer in state.skimmers):
            raise UserError(f"there is a {placed.name} on this shore already")
        return replace(state, skimmers=(*state.skimmers, skimmer_of(self.rules, placed)))


def skimmer_of(rules: Ruleset, placed: Placed) -> Skimmer:
    """A character before the first throw."""
    for field in placed.state:
        raise UserError(f"{placed.name}: state has no field {field!r}")
    return Skimmer(placed.name, placed.side, with_tricks(rules, placed.character, "aim").value)


def begin(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Shore:
    """The starting state of a scenario."""
    return Shore(tuple(skimmer_of(rules, member) for member in members))
