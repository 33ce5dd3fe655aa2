"""Whole scenes solved exactly: who carries it, in which round it ends, who is lost."""

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
"""A fight of so many is solved state by state: it has few enough."""


class Solved(Struct, frozen=True):
    """The exact answer, or as much of it as the budget allowed, with bounds that certainly hold.

    `ends` is the whole answer: the chance of each way to end (winner, losses on each side, round). The rest is read from it.
    """

    question: str
    members: dict[str, int]
    """The sides, with the number of people on each."""
    states: int
    """How many states were explored."""
    ends: dict[End, float]
    unsettled: float
    """The probability of which nothing is known, because the budget was spent or the work was stopped."""
    endless: float = 0.0
    """The chance of never coming to an end: nobody carries it then, as in a draw."""
    stopped: str = ""
    """What kept the answer from being complete: the budget that was spent (states, links, seconds, paths), parts nested too deep
    (depth), a scene that goes on for too many rounds to follow (rounds), the precision that was asked for (precision), or
    interrupted; empty when nothing did."""
    later: dict[str | None, float] = {}
    """Chance per winner of ends in rounds too late to be listed one by one."""
    later_rounds: float = 0.0
    later_losses: dict[tuple[int, ...], float] = {}
    counted: tuple[tuple[str, str], ...] = ()
    """What else was counted, by side and name; see `tallies`."""

    @property
    def exact(self) -> bool:
        """Whether all is settled."""
        return self.unsettled == 0.0

    @property
    def settled(self) -> float:
        """How much of the probability is known."""
        return 1.0 - self.unsettled

    @property
    def budget_reached(self) -> bool:
        """Whether the budget was spent before everything was settled."""
        return self.stopped not in ("", "precision", "interrupted")

    @property
    def interrupted(self) -> bool:
        """Whether somebody stopped the work."""
        return self.stopped == "interrupted"

    @property
    def sides(self) -> dict[str, Chance]:
        """The chance of each side to carry it."""
        won = self._won()
        return {side: self._chance(won.get(side, 0.0)) for side in winners(self.members, self.ends)}

    @property
    def draw(self) -> Chance:
        """The chance that nobody carries it."""
        return self._chance(self._won().get(None, 0.0) + self.endless)

    @property
    def rounds(self) -> Spread:
        """In which round it ends."""
        chances = in_order(summed(self.ends, lambda end: end.round))
        later = sum(self.later.values())
        total = sum(chances.values()) + later
        mean = (sum(at * chance for at, chance in chances.items()) + self.later_rounds) / total if total else 0.0
        return Spread(mean, chances, (mean, mean) if self.exact else None, later)

    @property
    def losses(self) -> dict[str, Spread]:
        """How many of each side are out in the end; empty unless the question was losses or all."""
        if self.question not in ("losses", "all"):
            return {}
        spread_by_name = {}
        for place, (side, people) in enumerate(self.members.items()):
            chances = self._counted(place)
            known = sum(lost * chance for lost, chance in chances.items())
            mean = mean_of(chances)
            open_ended = 1.0 - sum(chances.values()) if not self.exact or self.endless else 0.0
            spread_by_name[side] = Spread(mean, in_order(chances), (known, known + open_ended * people) if open_ended else (mean, mean))
        return spread_by_name

    @property
    def tallies(self) -> dict[str, dict[str, Spread]]:
        """What else was counted of each side in the end (wounds, ammunition left), where all was asked for and the game counts it."""
        spread_by_name_by_name: dict[str, dict[str, Spread]] = {}
        for place, (side, what) in enumerate(self.counted, len(self.members)):
            chances = self._counted(place)
            mean = mean_of(chances)
            spread_by_name_by_name.setdefault(side, {})[what] = Spread(
                mean, in_order(chances), (mean, mean) if self.exact and not self.endless else None
            )
        return spread_by_name_by_name

    def by_round(self, side: str | None) -> dict[int, float]:
        """The chance that this side carries it in each round (None: that nobody does)."""
        return in_order(summed({end: chance for end, chance in self.ends.items() if end.winner == side}, lambda end: end.round))

    def _counted(self, place: int) -> dict[int, float]:
        """How likely each number is of what is counted at a place beside the winner."""
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
        """What is known, and the bounds. Within them the likeliest guess is that the rest goes as the settled part does."""
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
    """Solve a scene exactly from this state on, or as far as the budget goes.

    The question (win, rounds, losses, all) goes to the game's lens: the less is asked, the fewer states there are. `rounds` ends
    the scene with nobody winning after that many: give it (a scenario has it) where the game's lens levels the number of the
    round. The budget is `states` explored, `seconds` passed and `paths` of rules followed; the heaviest states come first, so
    that a spent budget still settles as much as it can. With a `precision` the work ends as soon as every chance is certain
    within ± that. Ctrl-C, or a `progress` that gives False back, stops the work and gives what is known so far.

    >>> from rulewright.lab.examples.coins import Coins, Lives
    >>> solved = solve(Coins(), Lives(1, 1))          # every round both throw a coin, and heads costs the other a life
    >>> solved.exact, round(solved.sides["left"].chance, 6), round(solved.draw.chance, 6)
    (True, 0.333333, 0.333333)
    >>> round(solved.rounds.mean, 6)
    1.333333
    """
    if precision is not None and not 0 < precision < 1:
        raise UserError(f"a precision lies between 0 and 1 (0.001 is a tenth of a percent), {precision} does not")
    if paths is None:
        budget = {"rounds": rounds, "states": states, "seconds": seconds, "precision": precision, "progress": progress}
        followed = _followed(scene, state, decide, question, **budget)
        if followed is not None:
            return followed
    chain = explore(scene, state, decide, question, states=states, seconds=seconds, paths=paths, precision=precision, progress=progress)
    return read(chain, flow(chain, rounds))


def _followed(scene: Scene[S], state: S, decide: Tactic, question: str, **budget: Any) -> Solved | None:
    """A fight of several followed in all its ways at once; None where that is not the way: a duel is solved state by state to its end."""
    members = {side: len(names) for side, names in sides_of(scene, state).items()}
    if sum(members.values()) <= DUEL or asked(question) == "all" or not is_local(decide) or find_spec("numpy") is None:
        return None
    from rulewright.lab.solver.probability_flow import carry

    carried = carry(scene, state, decide, question, **budget)
    if carried is None:
        return None
    return Solved(question, members, carried.states, carried.ends, carried.unsettled, stopped=carried.stopped)


def read(chain: Chain[Any], flowed: Flow) -> Solved:
    """The answer that a chain gives."""
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
