"""What thinking says an answer is worth agrees with the other ways to know it: fights solved exactly, or played by the thousand.

In a small fight of every game somebody is asked their first real question. Every answer that was tried is then given by hand, the step
is played on by itself, and the fights after it are solved or sampled by the same tactics. Nothing of `lab.search` takes part in that.
"""

from collections import Counter
from functools import cache
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace
from tests.lab.search.test_planner import asked

from rulewright import library
from rulewright.lab import sample, solve
from rulewright.lab.results import Chance
from rulewright.lab.sampling.batches import seed_of
from rulewright.lab.search import Level, Mind, Thought
from rulewright.lab.search import playouts as playing
from rulewright.lab.search.playouts import worth
from rulewright.lab.search.question import Question
from rulewright.play import Choice, Given, Play, Player, Seeded
from rulewright.play.intervals import wilson
from rulewright.play.odds import exact
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.question_snapshot import Moment

SURE = 0.999
"""So sure is each interval. Both that of thinking and that of counting have to be wrong for a right worth to be taken for a wrong one."""


class Small(Struct, frozen=True):
    """A small fight: a ready-made scenario with changes, for how many rounds, who is asked about what, and how the truth is found."""

    scenario: str
    changes: dict[str, Any]
    rounds: int
    playouts: int
    topic: str = ""
    solved: bool = False
    """Whether the fight after an answer is solved rather than counted."""
    keys: tuple[str, ...] = ()
    """Of many options those that are offered here, so that each is tried often; all where nothing is said."""


def both(one: str, other: str, **state: Any) -> dict[str, Any]:
    """The same condition for both of a duel."""
    return {f"sides.{side}.0.state.{field}": value for side in (one, other) for field, value in state.items()}


FIGHTS = {
    "scumm": Small("scumm/duel", both("north", "south", system_shock=1) | {"sides.south.0.state.special_attack": 3}, 1, 600, solved=True),
    "silhouette": Small("silhouette/duel", both("master", "pupil", system_shock=1), 1, 500, solved=True),
    "hybrid": Small(
        "hybrid/knife-fight", both("changer", "archer", pbd=1), 24, 120, "act", keys=("attack how:Pell", "feint:Pell", "drop weapon")
    ),
    "ore": Small(
        "ore/duel",
        {},
        8,
        300,
        "act",
        keys=("called shot:Brannock:head", "attack:Brannock", "attack+dodge:Brannock", "feint:Brannock", "flee"),
    ),
    "foresight": Small("foresight/gunslingers", {}, 3, 300),
}
"""Fighters who go down at the first wound, where the fight is to be short."""


def question(small: Small) -> tuple[library.Staged, Moment]:
    """The fight, and the first question that somebody has a choice about."""
    staged = library.stage(small.scenario, changes=small.changes)
    encounter = Encounter.begin(staged.scene, staged.state)
    moment = encounter.moment(asked(encounter, topic=small.topic, decide=staged.decide))
    assert not moment.given, "the question is the first thing in its step"
    assert not moment.together
    if small.keys:
        (choice,) = moment.requests
        assert set(small.keys) <= set(choice.keys())
        assert staged.decide(choice) in small.keys
        moment = replace(moment, requests=(replace(choice, options=tuple([o for o in choice.options if o.key in small.keys])),))
    return staged, moment


def thought_about(small: Small, staged: library.Staged, moment: Moment, seed: int = 1) -> Thought:
    """What every answer is worth when all play on as the scenario has it, with all that is true known."""
    how = Level("test", small.playouts, None)
    return Mind(staged.scene, {}, staged.decide, how, seed=seed, rounds=small.rounds).think(moment, all_known=True, every=True)


def answered(play: Play[Any], choice: Choice[Any], key: Given) -> Play[Any]:
    """A step whose first question is answered so; all else in it stays open."""
    request = next(play)
    while not isinstance(request, Choice):
        request = play.send((yield request))
    assert (request.who, request.ask_for) == (choice.who, choice.ask_for)
    value = request.take(key)
    while True:
        try:
            request = play.send(value)
        except StopIteration as over:
            return over.value
        value = yield request


def chance_of(side: str, found: Any) -> float:
    """What an answer of the lab is worth to a side; a draw counts half."""
    chances: dict[str, Chance] = found.sides
    return chances[side].chance + found.draw.chance / 2


def side_of(moment: Moment) -> str:
    """The side of whoever is asked."""
    return next(side for side, names in moment.scene.sides(moment.state).items() if moment.who in names)


@cache
def solved(game: str, key: Given) -> float:
    """The chance of whoever is asked after this answer, exactly."""
    staged, moment = question(FIGHTS[game])
    (choice,), found = moment.requests, 0.0
    odds = exact(lambda: answered(staged.scene.step(moment.state), choice, key), decide=staged.decide)
    for after, weight in odds:
        fight = solve(staged.scene, after, staged.decide, question="win", rounds=FIGHTS[game].rounds)
        assert fight.exact
        found += chance_of(side_of(moment), fight) * weight / odds.total
    return found


def counted(game: str, key: Given, n: int) -> tuple[float, float]:
    """Between which bounds the same chance lies: the step drawn n times, and a fight counted after each."""
    staged, moment = question(replace(FIGHTS[game], keys=()))
    (choice,), won = moment.requests, 0.0
    players = [Player(Seeded(seed_of(7, f"{key}/{number}")), staged.decide) for number in range(n)]
    after = Counter(player.run(answered(staged.scene.step(moment.state), choice, key)) for player in players)
    for number, (state, times) in enumerate(after.items()):
        fights = sample(staged.scene, state, staged.decide, times, question="win", rounds=FIGHTS[game].rounds, seed=number, tables=False)
        assert not fights.cut
        won += chance_of(side_of(moment), fights) * times
    return interval(won, n)


def interval(won: float, n: int) -> tuple[float, float]:
    """Between which bounds a chance lies; halves are taken as lost below and as won above."""
    return wilson(int(won), n, SURE)[0], wilson(min(n, int(won + 0.5)), n, SURE)[1]


def disagree(game: str, thought: Thought) -> dict[Given, str]:
    """The answers whose worth is not what solving or counting says, with both."""
    found = {}
    for option in thought.options:
        low, high = interval(option.worth * option.playouts, option.playouts)
        if FIGHTS[game].solved:
            least = most = solved(game, option.key)
        else:
            least, most = counted(game, option.key, max(60, 2 * option.playouts))
        if high < least - 1e-9 or most < low - 1e-9:
            found[option.key] = f"{low:.3f} to {high:.3f} by thinking, {least:.3f} to {most:.3f} else"
    return found


@pytest.mark.parametrize("game", FIGHTS)
def test_what_an_answer_is_worth_is_what_the_fight_after_it_is_worth(game: str) -> None:
    small = FIGHTS[game]
    staged, moment = question(small)
    thought = thought_about(small, staged, moment)
    assert not thought.note
    assert {option.key for option in thought.options} == set(moment.requests[0].keys())
    assert not disagree(game, thought)


@pytest.mark.slow
@pytest.mark.parametrize("game", FIGHTS)
def test_so_it_is_for_every_option_that_the_game_offers_and_with_other_luck(game: str) -> None:
    small = replace(FIGHTS[game], keys=(), playouts=3 * FIGHTS[game].playouts)
    staged, moment = question(small)
    thought = thought_about(small, staged, moment, seed=2)
    assert {option.key for option in thought.options} == set(moment.requests[0].keys())
    assert not disagree(game, thought)


@pytest.mark.parametrize("game", ["scumm", "silhouette"])
def test_the_worth_to_the_wrong_side_would_be_noticed(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def turned(scene: Any, state: Any, side: str, winner: str | None) -> float:
        return worth(scene, state, next(other for other in scene.sides(state) if other != side), winner)

    small = FIGHTS[game]
    staged, moment = question(small)
    monkeypatch.setattr(playing, "worth", turned)
    assert disagree(game, thought_about(small, staged, moment))


@pytest.mark.parametrize("game", ["scumm", "silhouette"])
def test_luck_that_is_kinder_to_one_answer_would_be_noticed(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two fights the better one counts, but only after the usual answer."""
    small = replace(FIGHTS[game], playouts=3 * FIGHTS[game].playouts)
    staged, moment = question(small)
    usual = staged.decide(moment.requests[0])
    fair = Question.played

    def kind(self: Any, way: Any, key: Given, number: int, rounds: float | None = None) -> float:
        value = fair(self, way, key, number)
        return max(value, fair(self, way, key, number + 1_000_000)) if key == usual else value

    monkeypatch.setattr(Question, "played", kind)
    assert usual in disagree(game, thought_about(small, staged, moment))


@pytest.mark.parametrize("game", ["scumm", "silhouette"])
def test_luck_that_comes_again_in_every_fight_would_be_noticed(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    small = FIGHTS[game]
    staged, moment = question(small)
    monkeypatch.setattr(playing.Playing, "begin", lambda self, seed: setattr(self, "_streams", {}))
    assert disagree(game, thought_about(small, staged, moment))
