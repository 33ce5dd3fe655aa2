"""Somebody who thinks is never better than the exact best, and not worse than their tactic: small duels that can be solved.

A duel ends after a round or a few; who is asked whether they win must have won by then. Whoever thinks is offered what the tactics would
do, so that solving and thinking choose among the same answers.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace
from tests.lab.search.test_agreement_of_search import both
from tests.lab.search.test_planner import asked

from rulewright import library
from rulewright.lab import Best, best
from rulewright.lab.search import Level, Match, Mind
from rulewright.play import Choice, Play, Request, Sub, Tactic, Together
from rulewright.play.intervals import wilson
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.scene import Result, Scene

SURE = 0.999


class Duel(Struct, frozen=True):
    """A ready-made duel with changes: who thinks, in how many rounds they have to win, and among what tactics' answers."""

    scenario: str
    changes: dict[str, Any]
    side: str
    rounds: int
    tactics: tuple[str, ...]


DUELS = {
    "scumm": Duel(
        "scumm/duel",
        both("north", "south", system_shock=1) | {"tactics.north": "waiter", "tactics.south": "shooter"},
        "north",
        1,
        ("shooter", "duellist", "waiter"),
    ),
    "silhouette": Duel(
        "silhouette/duel",
        both("master", "pupil", system_shock=1) | {"tactics.master": "waiter"},
        "master",
        1,
        ("fencer", "whirlwind", "shooter", "hasty", "waiter"),
    ),
    "ore": Duel("ore/duel", {"tactics.law": "careful"}, "law", 6, ("careful", "attacker")),
    "foresight": Duel("foresight/gunslingers", {}, "north", 1, ("gunslinger", "shooter")),
}
"""Waiting is no use to whoever ties, so that those who wait by their tactic have something to gain by thinking. Hybrid's fights take too
many dice to be solved."""
STATES = 5000
"""So many are looked at; ForeSight's duel is known within a hundredth then, which is closer than ten fights tell."""


def staged(game: str) -> tuple[library.Staged, Scene[Any], dict[str, Tactic]]:
    """The duel, as a scene that ends when the rounds are over, and the tactics."""
    duel = DUELS[game]
    found = library.stage(duel.scenario, changes=duel.changes)
    other = next(side for side in found.scene.sides(found.state) if side != duel.side)
    kind: type[Scene[Any]] = type(found.scene)

    class Brief(kind):  # type: ignore[misc, valid-type]
        """Ends when the rounds are over; nothing is levelled, so that the round counts."""

        lens, focus, walker, currents = Scene.lens, Scene.focus, Scene.walker, Scene.currents

        def result(self, state: Any) -> Result | None:
            ended = super().result(state)
            return Result(other, "time is up") if ended is None and self.round(state) > duel.rounds else ended

    return found, Brief(found.rules), {name: found.system.tactics[name] for name in duel.tactics}


def narrowed(scene: Scene[Any], names: tuple[str, ...], tactics: Mapping[str, Tactic]) -> Scene[Any]:
    """The same scene, in which these are offered only what one of the tactics would do."""
    kind: type[Scene[Any]] = type(scene)

    def fewer(request: Request[Any]) -> Request[Any]:
        if isinstance(request, Choice) and request.who in names and isinstance(request.options, tuple):
            keys = {tactic(request) for tactic in tactics.values()}
            return replace(request, options=tuple([option for option in request.options if option.key in keys]))
        if isinstance(request, Together):
            return replace(request, requests=tuple([fewer(each) for each in request.requests]))
        return Sub(part, (request,)) if isinstance(request, Sub) else request

    def part(whole: Sub[Any]) -> Play[Any]:
        return (yield from played(whole.start()))

    def played(play: Play[Any]) -> Play[Any]:
        value: Any = None
        while True:
            try:
                request = play.send(value)
            except StopIteration as over:
                return over.value
            value = yield fewer(request)

    class Narrowed(kind):  # type: ignore[misc, valid-type]
        """Offers less."""

        def step(self, state: Any) -> Play[Any]:
            return (yield from played(super().step(state)))

    return Narrowed(scene.rules)


@cache
def solved(game: str, aim: str = "win") -> Best:
    """The best of the side that thinks."""
    found, scene, tactics = staged(game)
    return best(scene, found.state, found.decide, side=DUELS[game].side, among=list(tactics.values()), aim=aim, states=STATES)


def thinking(game: str, playouts: int, n: int) -> tuple[int, int]:
    """How often somebody who thinks at every question won, and how often nobody did, of n fights."""
    found, scene, tactics = staged(game)
    names = scene.sides(found.state)[DUELS[game].side]
    scene = narrowed(scene, names, tactics)
    match = Match(scene, found.state, found.decide, tactics, dict.fromkeys(names, Level("test", playouts, None)), 5, None, "win")
    ends = [match(number) for number in range(n)]
    winners = [end.winner for end in ends if end is not None]
    assert len(winners) == n
    return winners.count(DUELS[game].side), winners.count(None)


def not_above_the_best_nor_below_the_tactic(game: str, playouts: int, n: int) -> None:
    won, drawn = thinking(game, playouts, n)
    win, last = solved(game), solved(game, "last")
    assert win.value[1] - win.usual_value > 0.01, "there is something to gain"
    assert wilson(won, n, SURE)[0] <= win.value[1]
    assert wilson(won + drawn, n, SURE)[0] <= last.value[1]
    usual = (win.usual_value + last.usual_value) / 2
    assert wilson(min(n, won + (drawn + 1) // 2), n, SURE)[1] >= usual


@pytest.mark.parametrize("game", ["scumm", "silhouette"])
def test_who_thinks_wins_no_more_than_the_best_and_no_less_than_the_tactic(game: str) -> None:
    not_above_the_best_nor_below_the_tactic(game, 24, 40)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "playouts", "n"), [("scumm", 60, 150), ("silhouette", 60, 150), ("ore", 16, 24), ("foresight", 16, 10)])
def test_so_it_is_over_more_fights_and_in_slower_games(game: str, playouts: int, n: int) -> None:
    not_above_the_best_nor_below_the_tactic(game, playouts, n)


def first_answer(game: str, playouts: int, seed: int) -> tuple[dict[Any, float], Any]:
    """What every answer to the first question is worth at best, by solving; and which one thinking gives."""
    found, scene, tactics = staged(game)
    names = scene.sides(found.state)[DUELS[game].side]
    scene = narrowed(scene, names, tactics)
    encounter = Encounter.begin(scene, found.state)
    moment = encounter.moment(asked(encounter, names[0], decide=found.decide))
    thought = Mind(scene, tactics, found.decide, Level("test", playouts, None), seed=seed).think(moment, all_known=True, every=True)
    _, brief, _ = staged(game)
    known = best(brief, moment.state, found.decide, side=DUELS[game].side, among=list(tactics.values()))
    advice = known.advice[0]
    assert (advice.who, advice.question, advice.reached) == (moment.who, thought.question, 1.0)
    return {worth.key: worth.worth[1] for worth in advice.options}, thought.answer


@pytest.mark.parametrize("game", ["scumm", "silhouette"])
def test_with_enough_playouts_the_answer_is_worth_nearly_what_the_best_is(game: str) -> None:
    worths, answer = first_answer(game, 150, 1)
    assert max(worths.values()) - worths[answer] < 0.03


@pytest.mark.slow
@pytest.mark.parametrize("game", DUELS)
def test_so_it_is_whatever_the_luck(game: str) -> None:
    for seed in range(2):
        worths, answer = first_answer(game, 200, seed)
        assert max(worths.values()) - worths[answer] < 0.03
