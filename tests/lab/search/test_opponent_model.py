"""Who thinks learns how the others play from what they do, and from nothing that their side cannot know."""

from typing import Any

import pytest
from tests.lab.search.search_scenes import Crossing, Meeting

from rulewright import library
from rulewright.lab.search import Level, Match, Mind
from rulewright.lab.search.opponent_model import COMPANIONS, MEMORY, OTHERWISE, USUAL, Habits
from rulewright.lab.tournament import _paired
from rulewright.play import Choice, Given, Option, Seeded
from rulewright.scenes.encounter import Encounter

HOW = Level("test", 40, None)
DEEDS = tuple([Option(where, where, where) for where in ("left", "right", "stay")])


def lefty(choice: Choice[Any]) -> Given:
    return "left"


def righty(choice: Choice[Any]) -> Given:
    return "right"


def laden(choice: Choice[Any]) -> Given:
    """To the right with something heavy."""
    return "right" if choice.about.carries > 1 else "left"


def lost(choice: Choice[Any]) -> Given:
    raise LookupError("nothing is said about this")


TACTICS = {"lefty": lefty, "righty": righty}


def asked(who: str) -> Choice[Any]:
    return Choice(who, "where to?", DEEDS)


def test_at_first_others_are_taken_to_play_as_usual_or_by_any_tactic_alike() -> None:
    assert Habits(TACTICS).likely("Ana", "east") == pytest.approx({"": USUAL, "lefty": (1 - USUAL) / 2, "righty": (1 - USUAL) / 2})
    assert Habits({}).likely("Ana", "east") == {"": 1.0}
    assert Habits(TACTICS).seem() == {}


def test_a_tactic_that_would_have_answered_so_becomes_likelier_for_them_and_by_half_for_their_companions() -> None:
    habits = Habits(TACTICS)
    habits.notice(1, asked("Ana"), "east", "right", lefty)
    odds = (1 - OTHERWISE) / OTHERWISE
    for who, side, told in (("Ana", "east", 1.0), ("Ben", "east", COMPANIONS), ("Cat", "west", 0.0)):
        likely = habits.likely(who, side)
        assert sum(likely.values()) == pytest.approx(1)
        assert likely["righty"] / likely["lefty"] == pytest.approx(odds**told)
        assert likely[""] / likely["lefty"] == pytest.approx(2 * USUAL / (1 - USUAL))


@pytest.mark.parametrize("given", ["left", "stay"])
def test_what_all_would_have_done_or_nobody_tells_nothing(given: str) -> None:
    habits = Habits({"lefty": lefty, "lost": lost})
    habits.notice(1, asked("Ana"), "east", given, lefty)
    assert habits.likely("Ana", "east") == Habits({"lefty": lefty, "lost": lost}).likely("Ana", "east")


def test_only_the_last_decisions_are_remembered_in_whichever_order_they_are_looked_at() -> None:
    old = [(number, "right") for number in range(50)]
    new = [(number, "left") for number in range(50, 50 + MEMORY)]
    found = []
    for order in (old + new, (old + new)[::-1], new):
        habits = Habits(TACTICS)
        for number, given in order:
            habits.notice(number, asked("Ana"), "east", given, righty)
        found.append(habits.likely("Ana", "east"))
        assert habits.seem() == {"Ana": "lefty"}
    assert found[0] == found[1] == found[2]


def test_tactics_are_drawn_as_often_as_they_are_likely() -> None:
    habits = Habits(TACTICS)
    habits.notice(1, asked("Ana"), "east", "right", lefty)
    likely = habits.likely("Ana", "east")
    drawn = [habits.drawn("Ana", "east", (number + 0.5) / 1_000) for number in range(1_000)]
    for name, chance in likely.items():
        assert drawn.count(name) / 1_000 == pytest.approx(chance, abs=0.002)
    assert habits.drawn("Ana", "east", 0.9999999999999999) == "righty"


def crossed(rounds: int, carries: int = 1, shy: str = "right", seeker: str = "left") -> "Encounter[Meeting]":
    """A crossing of which some rounds were played, both going always the same way."""
    encounter = Encounter.begin(Crossing(), Meeting(carries=carries))
    for _ in range(rounds):
        encounter.give(shy, 0)
        encounter.give(seeker, 1)
    return encounter


def minded(tactics: Any = None, **how: Any) -> Mind:
    return Mind(Crossing(), TACTICS if tactics is None else tactics, lefty, HOW, seed=3, **how)


def test_who_thinks_goes_where_the_other_was_seen_to_go() -> None:
    """The other is taken to go left; after three rounds it is plain that they go right."""
    unseen, seen = crossed(3), crossed(3)
    blind = minded().think(unseen.moment(1))
    assert (blind.answer, blind.seem) == ("left", {})
    learned = minded().think(seen.moment(1), past=seen.past())
    assert (learned.usual, learned.answer, learned.seem) == ("left", "right", {"shy": "righty"})


def test_what_is_being_declared_at_the_same_time_is_not_known() -> None:
    before, declared = crossed(2), crossed(2)
    declared.give("right", 0)
    mind, other = minded(), minded()
    assert mind.think(before.moment(1), past=before.past()) == other.think(declared.moment(1), past=declared.past())
    assert mind.habits("seeker").likely("shy", "shy") == other.habits("seeker").likely("shy", "shy")
    assert other.habits("seeker").seen == 2


def test_what_was_noticed_is_not_counted_again_and_another_fight_begins_anew() -> None:
    encounter, mind = crossed(3), minded()
    mind.think(encounter.moment(1), past=encounter.past())
    once = mind.habits("seeker").likely("shy", "shy")
    mind.think(encounter.moment(1), past=encounter.past())
    assert mind.habits("seeker").likely("shy", "shy") == once
    assert mind.habits("seeker").seen == 3
    mind.begin(4)
    assert mind.habits("seeker").likely("shy", "shy") == Habits(TACTICS).likely("shy", "shy")


def test_nobody_learns_by_what_a_tactic_makes_of_something_hidden() -> None:
    """One tactic goes by what the other carries, which the seeker cannot know: it is as likely whatever that is."""
    found = []
    for carries in (1, 2):
        encounter, mind = crossed(3, carries), minded({"laden": laden, "righty": righty})
        thought = mind.think(encounter.moment(1), past=encounter.past())
        found.append((thought, mind.habits("seeker").likely("shy", "shy")))
    assert found[0] == found[1]


def test_who_is_not_seen_is_not_learned_from() -> None:
    staged = library.stage("foresight/sniper")
    hidden = next(side for side, names in staged.scene.sides(staged.state).items() if "Ilse" in names)
    other = next(side for side in staged.scene.sides(staged.state) if side != hidden)
    encounter = Encounter.begin(staged.scene, staged.state)
    encounter.play_out(Seeded(1), staged.decide, 8)
    mind = Mind(staged.scene, staged.system.staging(staged.scene.kind).tactics, staged.decide, HOW, seed=1)
    decisions = list(encounter.past().decisions())
    assert any(moment.who == "Ilse" for _, moment, _ in decisions)
    for about in decisions:
        if about[1].who == "Ilse":
            mind.notice(*about, other)
    assert mind.habits(other).seen == 0


@pytest.mark.parametrize("name", ["reckless", "careful", "wrestler", "feinter"])
def test_in_a_fight_it_soon_shows_by_which_tactic_somebody_goes(name: str) -> None:
    staged = library.stage("hybrid/knife-fight")
    tactics = staged.system.staging(staged.scene.kind).tactics
    sides = staged.scene.sides(staged.state)
    match = Onlooking(
        staged.scene,
        staged.state,
        _paired(staged.decide, tactics, {"archer": (name, sides["archer"])}),
        tactics,
        dict.fromkeys(sides["changer"], HOW),
        1,
        taken_for=staged.decide,
    )
    match(0)
    (mind,) = match._minds.values()
    (foe,) = sides["archer"]
    assert mind.habits("changer").likely(foe, "archer")[name] > 0.9
    assert mind.habits("changer").seem() == {foe: name}


class Onlooking(Match):
    """A match in which those who could think only look on."""

    def _decided(self, choice: Choice[Any], moment: Any) -> Given:
        return self.decide(choice)
