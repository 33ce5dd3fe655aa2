"""Solves scenes exactly: win chances, rounds and losses."""

from collections.abc import Hashable
from importlib.util import find_spec
from typing import Any, TypeVar

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.lab.results import Chance, End, Spread, asked, in_order, mean_of, public_of, sides_of, summed, winners
from rulewright.lab.solver.markov import Flow, flow
from rulewright.lab.solver.state_graph import MOST_STATES, Chain, Report, explore
from rulewright.play import Tactic, first_option, is_local
from rulewright.scenes.scene import Scene

S = TypeVar("S", bound=Hashable)

DUEL = 2
"""Fights of up to this many members are solved state by state."""


class Solved(Struct, frozen=True):
    """An exact result, or bounds if the budget ran out.

    `ends` is the complete result: the chance of each end (winner, losses of each side, round). Everything else follows from it.
    """

    question: str
    members: dict[str, int]
    """The sides, with the number of members of each."""
    states: int
    """The number of explored states."""
    ends: dict[End, float]
    unsettled: float
    """The probability without a result, because the budget ran out or the work was stopped."""
    endless: float = 0.0
    """The chance that the scene never ends; it counts as a draw."""
    stopped: str = ""
    """Why the result is incomplete: the budget (states, links, seconds, paths), sub-procedures nested too deep (depth), too many rounds
    (rounds), the requested precision is reached (precision), or interrupted; empty if it is complete."""
    later: dict[str | None, float] = {}
    """The chance of each winner in rounds too late to list."""
    later_rounds: float = 0.0
    later_losses: dict[tuple[int, ...], float] = {}
    counted: tuple[tuple[str, str], ...] = ()
    """The tallies, by side and name; see `tallies`."""

    @property
    def exact(self) -> bool:
        """Whether all is settled."""
        return self.unsettled == 0.0

    @property
    def settled(self) -> float:
        """The settled share of the probability."""
        return 1.0 - self.unsettled

    @property
    def budget_reached(self) -> bool:
        """Whether the budget ran out."""
        return self.stopped not in ("", "precision", "interrupted")

    @property
    def interrupted(self) -> bool:
        """Whether the user stopped the work."""
        return self.stopped == "interrupted"

    @property
    def sides(self) -> dict[str, Chance]:
        """The win chance of each side."""
        won = self._won()
        return {side: self._chance(won.get(side, 0.0)) for side in winners(self.members, self.ends)}

    @property
    def draw(self) -> Chance:
        """The chance of a draw."""
        return self._chance(self._won().get(None, 0.0) + self.endless)

    @property
    def rounds(self) -> Spread:
        """The distribution of the last round."""
        chances = in_order(summed(self.ends, lambda end: end.round))
        later = sum(self.later.values())
        total = sum(chances.values()) + later
        mean = (sum(at * chance for at, chance in chances.items()) + self.later_rounds) / total if total else 0.0
        return Spread(mean, chances, (mean, mean) if self.exact else None, later)

    @property
    def losses(self) -> dict[str, Spread]:
        """How many of each side are out at the end; empty unless the question is losses or all."""
        if self.question not in ("losses", "all"):
            return {}
        losses_by_side = {}
        for place, (side, people) in enumerate(self.members.items()):
            chances = self._counted(place)
            known = sum(lost * chance for lost, chance in chances.items())
            mean = mean_of(chances)
            open_ended = 1.0 - sum(chances.values()) if not self.exact or self.endless else 0.0
            losses_by_side[side] = Spread(mean, in_order(chances), (known, known + open_ended * people) if open_ended else (mean, mean))
        return losses_by_side

    @property
    def tallies(self) -> dict[str, dict[str, Spread]]:
        """The game's tallies of each side at the end (wounds, ammunition left), for the question all."""
        tallies_by_side: dict[str, dict[str, Spread]] = {}
        for place, (side, what) in enumerate(self.counted, len(self.members)):
            chances = self._counted(place)
            mean = mean_of(chances)
            tallies_by_side.setdefault(side, {})[what] = Spread(
                mean, in_order(chances), (mean, mean) if self.exact and not self.endless else None
            )
        return tallies_by_side

    def by_round(self, side: str | None) -> dict[int, float]:
        """The chance that this side wins (None: draws) in each round."""
        return in_order(summed({end: chance for end, chance in self.ends.items() if end.winner == side}, lambda end: end.round))

    def _counted(self, place: int) -> dict[int, float]:
        """The distribution of the count at an index of the losses."""
        chances = summed(self.ends, lambda end: end.losses[place])
        for losses, chance in self.later_losses.items():
            chances[losses[place]] = chances.get(losses[place], 0.0) + chance
        return chances

    def _won(self) -> dict[str | None, float]:
        won = summed(self.ends, lambda end: end.winner)
        for winner, chance in self.later.items():
            won[winner] = won.get(winner, 0.0) + chance
        return won

    def _chance(self, known: float) -> Chance:
        """The chance with its bounds. The estimate assumes that the unsettled part ends like the settled part."""
        if self.exact:
            return Chance(known, (known, known))
        high = min(1.0, known + self.unsettled)
        return Chance(min(high, known / self.settled) if self.settled > 0 else high / 2, (known, high))

    def public(self) -> dict[str, Any]:
        """The result as plain data, for JSON."""
        result: dict[str, Any] = {"exact": self.exact, "n": None, "states": self.states, "settled": self.settled}
        result |= public_of(self)
        if self.endless:
            result["endless"] = self.endless
        if self.stopped:
            result["stopped"] = self.stopped
        return result


def solve(
    scene: Scene[S],
    state: S,
    decide: Tactic = first_option,
    *,
    question: str = "win",
    rounds: int | None = None,
    states: int = MOST_STATES,
    seconds: float | None = None,
    paths: int | None = None,
    precision: float | None = None,
    progress: Report | None = None,
) -> Solved:
    """Solve a scene exactly from this state on, or as far as the budget allows.

    A smaller question (win, rounds, losses, all) has fewer states, because the game's lens merges more of them. `rounds` ends the scene as
    a draw after that many; give it (scenarios have it) if the lens merges rounds. The budget limits `states`, `seconds` and `paths` of
    rules. The most probable states come first, so that a small budget settles as much as possible. With a `precision`, the work ends when
    every chance is certain within ± that. Ctrl-C, or a `progress` that returns False, stops the work and returns the result so far.

    >>> from rulewright.lab.examples.coins import Coins, Lives
    >>> solved = solve(Coins(), Lives(1, 1))          # every round both throw a coin, and heads costs the other a life
    >>> solved.exact, round(solved.sides["left"].chance, 6), round(solved.draw.chance, 6)
    (True, 0.333333, 0.333333)
    >>> round(solved.rounds.mean, 6)
    1.333333
    """
    if precision is not None and not 0 < precision < 1:
        raise UserError(f"give a precision between 0 and 1 (0.001 is 0.1%), not {precision}")
    if paths is None:
        budget = {"rounds": rounds, "states": states, "seconds": seconds, "precision": precision, "progress": progress}
        followed = _followed(scene, state, decide, question, **budget)
        if followed is not None:
            return followed
    chain = explore(scene, state, decide, question, states=states, seconds=seconds, paths=paths, precision=precision, progress=progress)
    return read(chain, flow(chain, rounds))


def _followed(scene: Scene[S], state: S, decide: Tactic, question: str, **budget: Any) -> Solved | None:
    """Solve a fight of several by probability flow; None for duels and other fights that are solved state by state."""
    members = {side: len(names) for side, names in sides_of(scene, state).items()}
    if sum(members.values()) <= DUEL or asked(question) == "all" or not is_local(decide) or find_spec("numpy") is None:
        return None
    from rulewright.lab.solver.probability_flow import carry

    carried = carry(scene, state, decide, question, **budget)
    if carried is None:
        return None
    return Solved(question, members, carried.states, carried.ends, carried.unsettled, stopped=carried.stopped)


def read(chain: Chain[Any], flowed: Flow) -> Solved:
    """The result of a chain."""
    later: dict[str | None, float] = {}
    later_losses: dict[tuple[int, ...], float] = {}
    for (winner, losses), chance in flowed.later.items():
        later[winner] = later.get(winner, 0.0) + chance
        later_losses[losses] = later_losses.get(losses, 0.0) + chance
    return Solved(
        chain.question,
        {side: len(members) for side, members in chain.sides.items()},
        chain.explored,
        flowed.ends,
        flowed.unsettled,
        flowed.endless,
        chain.stopped or ("rounds" if flowed.unsettled else ""),
        later,
        flowed.later_rounds,
        later_losses,
        chain.counted,
    )
