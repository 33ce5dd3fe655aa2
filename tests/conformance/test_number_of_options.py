"""No wall of options: every demonstration shows at most twelve choices at first, and half of all turns take at most three clicks."""

from collections.abc import Sequence
from functools import cache
from itertools import groupby
from statistics import median
from typing import Any

import pytest

from conformance.games import demos, staged
from rulewright.play import Choice, Given, Player, Range, Seeded
from rulewright.play.option_groups import FIRST_SIGHT, Arranged, arrange, beginning, nearest, rooms, sight
from rulewright.web.table.questions import ACTION_TOPICS, MAX_HABIT_OPTIONS, MAX_UNGROUPED

SEEDS = range(1, 9)
TURNS = 8
"""Enough turns for a median; a short scene is played with other dice until there are this many."""
ASKED = 40
"""How many questions of a demonstration are answered per seed."""
STEPS = 60
FAR = 3
"""How many clicks select any option in the bar: verb, target, manner. Each addition is one more."""


class Seat:
    """A guest of a demonstration who controls the first side and takes the preselected option: the last answer, or the default. It counts
    choices and clicks.

    A question that was answered alike the last time gets a standing answer, which takes one click more and none afterwards.
    """

    def __init__(self, name: str) -> None:
        self.staged = staged(name)
        first = next(iter(self.staged.scenario.sides))
        self.mine = {member.name for member in self.staged.members if member.side == first}
        self.most = self.far = 0
        self.turns: list[int] = []

    def played(self, seed: int) -> None:
        """Plays the demonstration."""
        scene, self.state = self.staged.scene, self.staged.state
        self.touches: list[tuple[str, int]] = []
        self.answers: dict[tuple[str, str], Given] = {}
        self.settled: dict[tuple[str, str], Given] = {}
        self.last: dict[tuple[str, str], Arranged] = {}
        player = Player(Seeded(seed), self.decide)
        for _ in range(STEPS):
            if scene.result(self.state) is not None or sum(who != "" for who, _ in self.touches) >= ASKED:
                break
            self.state = player.run(scene.step(self.state))
        counted = [sum(count for _, count in turn) for who, turn in groupby(self.touches, lambda each: each[0]) if who]
        self.turns += [count for count in counted if count]

    def decide(self, choice: Choice[Any]) -> Given:
        """The answer to a question, with its clicks for the own side."""
        given = self.staged.decide(choice)
        if choice.who not in self.mine:
            self.touches.append(("", 0))
            return given
        habit, options = (choice.who, choice.topic), choice.options
        allowed = options if isinstance(options, Range) else [option.key for option in options]
        if habit in self.settled and self.settled[habit] in allowed:
            return self.settled[habit]
        if not isinstance(options, Range) and len(options) > MAX_UNGROUPED:
            given = self._set(choice, given)
        count = int(options.low < options.high if isinstance(options, Range) else len(options) > 1)
        settles = isinstance(options, Range) or (len(options) <= MAX_HABIT_OPTIONS and choice.topic not in ACTION_TOPICS)
        if count and settles and self.answers.get(habit) == given:
            self.settled[habit] = given
            count += 1
        self.answers[habit] = given
        self.touches.append((choice.who, count))
        return given

    def _set(self, choice: Choice[Any], usual: Given) -> Given:
        """The preselected option; every selection shows at most the allowed choices and is within reach."""
        people = tuple(name for names in self.staged.scene.sides(self.state).values() for name in names)
        places = arrange(choice.options, people, choice.topic, self.staged.system.verbs)  # type: ignore[arg-type]
        begun = beginning(places, self.last.get((choice.who, choice.topic)), usual)
        self.last[choice.who, choice.topic] = begun
        self.most = max(self.most, *(sight(places, place).things for place in places))
        self.far = max(self.far, *(touches(places, begun, place) - len(place.manner[1:]) for place in places))
        return begun.key


def touches(places: Sequence[Arranged], now: Arranged, wanted: Arranged) -> int:
    """How many clicks select another option in the bar: the verb, the target, the manner, and each addition."""
    count = 0
    if now.verb != wanted.verb:
        of_it = [place for place in places if place.verb == wanted.verb]
        kept = [place for place in of_it if place.target == now.target] or [place for place in of_it if place.target == of_it[0].target]
        count, now = count + 1, nearest(kept, ())
    here = [place for place in places if (place.verb, place.target) == (wanted.verb, wanted.target)]
    if now.target != wanted.target:
        count, now = count + 1, nearest(here, now.manner)
    if now.manner[0] != wanted.manner[0]:
        alike = [place for place in here if place.manner[0] == wanted.manner[0]]
        count, now = count + 1, nearest(alike, (wanted.manner[0], *now.manner[1:]))
    return count + len(set(wanted.manner) - set(now.manner))


LARGE = ("silhouette/scenarios/mill",)
"""Demonstrations with so many people that one takes as long as all the others."""
every_scenario = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in LARGE else []) for name in demos("scenario")]
)


@cache
def seat(name: str) -> Seat:
    found = Seat(name)
    for seed in SEEDS:
        found.played(seed)
        if len(found.turns) >= TURNS:
            break
    return found


@every_scenario
def test_at_most_twelve_things_to_choose_from_at_first_sight(name: str) -> None:
    assert seat(name).most <= FIRST_SIGHT


@every_scenario
def test_whatever_is_offered_is_three_touches_away(name: str) -> None:
    assert seat(name).far <= FAR


@every_scenario
def test_half_of_all_turns_take_no_more_than_four_touches(name: str) -> None:
    turns = seat(name).turns
    assert not turns or median(turns) <= 4, turns  # do, whom, how, and the button


def test_every_row_is_seen_where_there_is_little_room() -> None:
    assert rooms([20, 20, 20], 5) == [2, 2, 1]
    assert rooms([1, 20, 0], 6) == [1, 5, 0]
    assert rooms([2, 3, 1], 12) == [2, 3, 1]
    assert rooms([4], 0) == [0]


def test_the_same_again_is_set_unless_it_was_on_the_way_to_something_else() -> None:
    places = (
        Arranged("shoot:Ana", "attack", "Ana", ("shoot",)),
        Arranged("shoot:Tom", "attack", "Tom", ("shoot",)),
        Arranged("aim:Tom", "guard", "Tom", ("aim",)),
        Arranged("load", "gear", "", ("load",)),
    )
    assert beginning(places).key == "shoot:Ana"
    assert beginning(places, places[2]).key == "aim:Tom"
    assert beginning(places, places[3]).key == "shoot:Ana"
    assert beginning(places, places[3], "aim:Tom").key == "aim:Tom"
    assert touches(places, places[0], places[2]) == 1
    assert touches(places, places[2], places[0]) == 2
    assert touches(places, places[0], places[0]) == 0
