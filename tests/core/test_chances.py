"""Exact chances of options: the scene itself, played on for one viewer, with everybody else answering."""

from typing import Any

import pytest
from msgspec import Struct

from core.scenes import STANDOFF
from rulewright.dice import Sum
from rulewright.play import GAMEMASTER, Choice, Option, Play, Range, Roll, Scale, came_to, first_option, sub
from rulewright.scenes import chances
from rulewright.scenes.chances import NOT_YOURS, TOO_LONG, Asked, weigh
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.scene import Result, Scene

D6 = Sum((6,))
HARM = Scale(("miss", "hit"), ("hit",), counts="hits", spared="unhurt")
GUARDS = (Option("dodge", "Dodge", 3), Option("parry", "Parry", 5))
DEEDS = (Option("strike", "Strike", "strike"), Option("creep", "Creep past", "creep"), Option("rest", "Rest", "rest"))

LONG = 60.0
"""More seconds than any test here needs, so that no pause of the machine changes a result."""


class Yard(Struct, frozen=True):
    """A person attacks Bob; a guard whose roll is hidden may see a creeper."""

    round: int = 1
    over: bool = False


def struck(guard: int) -> Play[str]:
    face = yield from Roll(D6, "Ana", "striking")
    return "hit" if face > guard else "miss"


class Scuffle(Scene[Yard]):
    state_type = Yard

    def step(self, state: Yard) -> Play[Yard]:
        deed = yield from Choice("Ana", "What do you do?", DEEDS, state)
        if deed == "strike":
            guard: int = yield from Choice("Bob", "How do you meet it?", GUARDS, state, "guard")
            came = yield from sub(struck, guard)
            yield from came_to(came, HARM, "Ana", "Bob")
        elif deed == "creep":
            seen = yield from Roll(D6, "Bob", "watching", secret=True)
            yield from came_to("hit" if seen < 3 else "miss", HARM, "Ana", "Bob")
        return Yard(state.round + 1, state.round >= 3)

    def result(self, state: Yard) -> Result | None:
        return Result(None, "it is over") if state.over else None

    def round(self, state: Yard) -> int:
        return state.round


def begun() -> Encounter[Yard]:
    return Encounter.begin(Scuffle(STANDOFF), Yard())


def shown(asked: Asked) -> dict[str, dict[str, float]]:
    return {each.key: {outcome.name: outcome.chance for outcome in each.outcomes} for each in weigh(asked, LONG)}


def asked(encounter: Encounter[Yard], eyes: tuple[Any, ...] = (None,), people: frozenset[str] = frozenset(), decide: Any = first_option):
    return Asked(encounter.moment(0), eyes, decide, people)


def test_an_option_has_the_chance_of_what_follows_as_others_would_answer_and_one_without_a_roll_has_none():
    assert shown(asked(begun())) == {
        "strike": pytest.approx({"miss": 0.5, "hit": 0.5}),
        "creep": pytest.approx({"miss": 4 / 6, "hit": 2 / 6}),
    }
    parries = weigh(asked(begun(), decide=lambda choice: "parry" if choice.topic == "guard" else "strike"), LONG)
    assert parries[0].outcomes[1].chance == pytest.approx(1 / 6)
    assert parries[0].counts == "hits"
    assert parries[0].answers == ()


def test_where_a_person_answers_each_answer_has_its_chance_and_the_worst_for_who_asks_stands_first():
    strike, creep = weigh(asked(begun(), people=frozenset(["Ana", "Bob"])), LONG)
    assert [(each.who, each.label, round(each.outcomes[1].chance, 4)) for each in strike.answers] == [
        ("Bob", "Dodge", 0.5),
        ("Bob", "Parry", 0.1667),
    ]
    assert strike.outcomes == strike.answers[1].outcomes
    assert creep.answers == ()


def test_who_defends_sees_the_chance_to_be_spared_by_each_answer():
    encounter = begun()
    encounter.give("strike")
    dodge, parry = weigh(asked(encounter), LONG)
    assert (dodge.counts, parry.counts) == ("unhurt", "unhurt")
    assert [(outcome.name, round(outcome.chance, 4), outcome.good) for outcome in parry.outcomes] == [
        ("miss", 0.8333, True),
        ("hit", 0.1667, False),
    ]


def test_a_chance_that_hangs_on_a_hidden_roll_is_weighed_for_those_who_may_see_it_only():
    for eyes, known in (((None,), True), (("Ana",), False), (("Bob", "Ana"), True)):
        found = {each.key: each for each in weigh(asked(begun(), eyes), LONG)}
        assert bool(found["creep"].outcomes) == known
        assert found["creep"].why_not == ("" if known else NOT_YOURS)
        assert found["strike"].outcomes


def test_what_takes_too_long_says_so_instead_of_staying_empty():
    found = weigh(asked(begun()), seconds=0.0)
    assert all(each.outcomes or each.why_not for each in found)


class Tosses(Scuffle):
    """A strike that lands once a die has shown a six; half of the outcomes take many paths."""

    def step(self, state: Yard) -> Play[Yard]:
        yield from Choice("Ana", "What do you do?", DEEDS, state)
        face = yield from Roll(D6, "Ana", "striking")
        if face > state.round:
            while (yield from Roll(D6, "Ana", "striking again")) != 6:
                pass
        yield from came_to("hit" if face > state.round else "miss", HARM, "Ana", "Bob")
        return Yard(state.round + 1, over=True)


@pytest.mark.parametrize(("round", "told"), [(1, False), (4, True)])
def test_a_chance_of_which_less_than_half_is_settled_is_no_number_and_any_other_is_a_bound(monkeypatch, round, told):
    monkeypatch.setattr(chances, "PATHS", 12)  # enough for the first throw and a few of those that follow
    found = weigh(asked(Encounter.begin(Tosses(STANDOFF), Yard(round))), LONG)[0]
    assert bool(found.outcomes) == told
    assert found.at_least == told
    assert (found.why_not == TOO_LONG) != told


def test_the_chances_of_an_answer_in_the_middle_of_a_step_go_on_from_there():
    encounter = begun()
    encounter.give("rest")  # the next round, a fresh step
    encounter.give("strike")
    assert {each.key for each in weigh(asked(encounter), LONG)} == {"dodge", "parry"}


FISTS = (Option("left", "With the left", 2), Option("right", "With the right", 4))


class Spar(Scuffle):
    """A strike asks for the fist first; a called strike leaves its Threshold to the gamemaster; Cid is on Ana's side."""

    def step(self, state: Yard) -> Play[Yard]:
        deeds = (*DEEDS, Option("call", "Call it", "call"), Option("swing", "Swing at Cid", "swing"))
        deed = yield from Choice("Ana", "What do you do?", deeds, state)
        guard, target = 3, "Bob"
        if deed == "strike":
            guard = yield from Choice("Ana", "Which fist?", FISTS, state, "how")
            guard += yield from Choice("Bob", "How do you meet it?", (Option("duck", "Duck low", 1),), state, "guard")
        elif deed == "call":
            guard = yield from Choice(GAMEMASTER, "What is the Threshold?", Range(1, 6), state, "threshold")
        elif deed == "swing":
            target = "Cid"
        came = yield from sub(struck, guard)
        yield from came_to(came, HURT, "Ana", target)
        return Yard(state.round + 1, state.round >= 3)

    def sides(self, state: Yard) -> dict[str, tuple[str, ...]]:
        return {"us": ("Ana", "Cid"), "them": ("Bob",)}


HURT = Scale(("miss", "hit"), ("hit",), counts="hits", spared="unhurt", harms=True)


def test_an_option_with_a_further_question_shows_the_range_of_its_answers_and_what_is_presumed_of_the_foe():
    weighed = {each.key: each for each in weigh(asked(Encounter.begin(Spar(STANDOFF), Yard())), LONG)}
    strike = weighed["strike"]
    assert (strike.low, strike.high, strike.partial) == (pytest.approx(1 / 6), pytest.approx(3 / 6), False)
    assert strike.presumed == ("Bob: Duck low",)
    assert not weighed["rest"].ranges


def test_a_chance_that_needs_a_number_of_the_gamemaster_is_not_shown():
    weighed = {each.key: each for each in weigh(asked(Encounter.begin(Spar(STANDOFF), Yard())), LONG)}
    assert weighed["call"].why_not == chances.UNNAMED


def test_harm_to_a_friend_is_never_good():
    weighed = {each.key: each for each in weigh(asked(Encounter.begin(Spar(STANDOFF), Yard())), LONG)}
    assert chances.hoped(weighed["swing"].outcomes) == 0
    assert {outcome.name for outcome in weighed["swing"].outcomes} == {"miss", "Cid: hit"}
