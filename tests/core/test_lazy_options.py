"""Decisions whose options are built on demand."""

from typing import Any

import pytest

from rulewright.errors import UserError
from rulewright.play import Choice, Given, Offering, Option, Play, Player, Seeded, replay


class Lazy:
    """Two options; counts how often all of them were built."""

    def __init__(self) -> None:
        self.made = 0

    @property
    def all(self) -> tuple[Option[int], ...]:
        self.made += 1
        return (Option("one", "One", 1), Option("two", "Two", 2))

    def take(self, key: Given) -> Option[int] | None:
        return Option("two", "Two", 2) if key == "two" else None


def asks(offer: Lazy) -> Play[int]:
    question: Offering[int] = Offering("Ann", "How many?", offer)  # type: ignore[arg-type]
    return (yield from question)


def plain() -> Play[int]:
    return (yield from Choice("Ann", "How many?", (Option("one", "One", 1), Option("two", "Two", 2))))


def decide(choice: Choice[Any]) -> Given:
    return "two"


def test_options_are_not_made_for_who_knows_the_answer() -> None:
    offer = Lazy()
    assert Player(Seeded(1), decide).run(asks(offer)) == 2
    assert offer.made == 0


def test_the_record_is_that_of_a_plain_choice_and_replays() -> None:
    lazy, usual = Player(Seeded(1), decide).play(asks(Lazy())), Player(Seeded(1), decide).play(plain())
    assert lazy.record == usual.record
    assert replay(asks(Lazy()), usual.record).outcome == replay(plain(), lazy.record).outcome == 2


def test_who_looks_sees_all_options() -> None:
    question: Offering[int] = Offering("Ann", "How many?", Lazy())  # type: ignore[arg-type]
    assert question.keys() == ("one", "two")
    assert question.label("one") == "One"
    assert question.take("one") == 1
    assert not question.ranged


def test_what_is_not_offered_is_refused() -> None:
    with pytest.raises(UserError, match="choose one of one, two"):
        Player(Seeded(1), lambda choice: "three").run(asks(Lazy()))
