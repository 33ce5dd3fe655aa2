"""A look back finds the decisions that cost most, and names what would have been better with a reason."""

from typing import Any

from tests.lab.search.search_scenes import Climbing, Ladder

from rulewright import library
from rulewright.lab.search import review
from rulewright.lab.search.planner import Thought, Valued
from rulewright.lab.search.reasons import Reason, reasons
from rulewright.play import Choice, Given, Roll, Seeded
from rulewright.play.position_value import Weights
from rulewright.scenes.encounter import Encounter


def safe(choice: Choice[Any]) -> Given:
    """Climbs safely."""
    return "safe"


def test_rash_decisions_are_found_and_safe_ones_are_not() -> None:
    encounter = Encounter.begin(Climbing(), Ladder())
    given = iter(["rash", "safe", "safe", "safe", "safe"])
    while encounter.open:
        at, request = encounter.open[0]
        encounter.give((1,) if isinstance(request, Roll) else next(given), at)
    found = review(encounter.past(), ["climber"], {}, safe, by_steps=True)
    assert [(decision.thought.usual, decision.thought.answer) for decision in found] == [("rash", "safe")]
    assert found[0].cost > 0.04
    assert found[0].sentence.startswith("Round 1, climber: climb: ")
    assert review(encounter.past(), ["ladder"], {}, safe, by_steps=True) == []


def test_a_bad_decision_in_a_fight_is_named_with_a_better_one() -> None:
    staged = library.stage("scumm/shootout")
    encounter = Encounter.begin(staged.scene, staged.state)
    mine, dice, asked = next(iter(staged.scene.sides(staged.state).values())), Seeded(3), 0
    while encounter.open and asked < 8:
        at, request = encounter.open[0]
        if isinstance(request, Roll):
            encounter.give(dice.faces(request), at)
        elif request.who in mine and request.topic == "act" and "pass" in (*request.keys(),):
            asked += 1
            encounter.give("pass", at)
        else:
            encounter.give(staged.decide(request), at)
    found = review(encounter.past(), mine, staged.system.tactics, staged.decide, by_steps=True)
    assert found
    assert len(found) <= 3
    assert [decision.cost for decision in found] == sorted([decision.cost for decision in found], reverse=True)
    assert any(decision.thought.usual == "pass" for decision in found)


def test_the_reason_is_the_figure_that_tells_most() -> None:
    weights = Weights(weights={"cover": 1.0, "down": -1.0, "share of power": 2.0, "nameless": 9.0})
    answer = {"cover": 1.0, "own cover": 1.0, "down": 0.0, "share of power": 0.1, "power": 1.0, "own power": 2.0, "nameless": 1.0}
    other = {"cover": 0.0, "own cover": 0.0, "down": 0.5, "own down": 0.0, "share of power": 0.05, "power": 0.8, "own power": 2.0}
    told = reasons(weights, answer, other)
    assert [reason.name for reason in told] == ["cover", "down", "power"]
    assert told[0].words == "your side has more cover"
    assert told[2].words == "the enemy has less fighting power"
    assert Reason("pinned", 1.0, 0.0, 2.0).words == "more enemies are pinned down"


def test_a_hint_in_a_sentence_names_both_chances() -> None:
    options = (Valued("wall", "Fall back to the wall", 0.64, (0.6, 0.7), 40), Valued("stay", "Stay", 0.51, (0.4, 0.6), 40))
    thought = Thought("Ana", "What do you do?", "wall", options[0].label, "stay", options, 80, why="your side has more cover")
    assert thought.sentence == "Fall back to the wall: 64% instead of 51% for stay, because your side has more cover"
    usual = Thought("Ana", "What do you do?", "wall", options[0].label, "wall", options[:1], 40)
    assert usual.sentence == "Fall back to the wall: 64%"
