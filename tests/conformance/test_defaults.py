"""The default answer is sensible in random states of every scenario: it can succeed if another can, and never harms a friend."""

import pytest

from conformance.games import demos, seeds, staged, taken
from rulewright.play import Choice, Range, Seeded
from rulewright.play.option_groups import HARMING, Arranged, arrange, default_option
from rulewright.scenes.chances import Asked, hoped, weigh
from rulewright.scenes.encounter import Encounter

MOST_ANSWERS = 60
QUESTIONS = 2
SECONDS = 0.1


def questions(name, seed):
    """Some decisions with several options, from all over a fight."""
    found, met = staged(name), {}
    encounter, dice = Encounter.begin(found.scene, found.state), Seeded(seed)
    for _ in range(MOST_ANSWERS):
        if not encounter.open:
            break
        at, request = encounter.open[0]
        if isinstance(request, Choice) and not isinstance(request.options, Range) and len(request.options) > 1:
            met[request.topic] = met.get(request.topic, 0) + 1
            if met[request.topic] in (1, 4):
                yield Asked(encounter.moment(at), (None,), found.decide)
        encounter.advance(dice, found.decide)


@seeds
@pytest.mark.parametrize("name", demos("scenario"))
def test_the_default_answer_is_sensible(name, seed):
    silly, left = [], QUESTIONS
    for asked in questions(name, seed):
        choice, scene, state = asked.choice, asked.moment.scene, asked.moment.state
        people = [who for names in scene.sides(state).values() for who in names]
        places = arrange(choice.options, people, choice.topic, taken(name).system.verbs)
        chances = {}
        if left and scene.weighs(state, choice):
            left -= 1
            weighed = [each for each in weigh(asked, SECONDS) if each.outcomes and not each.unsettled and not each.why_not]
            chances = {each.key: hoped(each.outcomes) if each.high is None else each.high for each in weighed}
        default = default_option(places, asked.decide(choice), chances, asked.friends)
        hopeless = chances.get(default.key) == 0.0 and any(chances.values())
        if hopeless or (default.verb in HARMING and default.target in asked.friends):
            silly.append((choice.who, choice.ask_for, default.key))
    assert silly == []


PLACES = (
    Arranged("prone", "guard", "", ("Drop prone",)),
    Arranged("nothing", "guard", "", ("Do nothing",)),
    Arranged("dodge", "guard", "", ("Dodge",)),
    Arranged("shoot:Cid", "attack", "Cid", ("Shoot",)),
    Arranged("shoot:Bob", "attack", "Bob", ("Shoot",)),
)


@pytest.mark.parametrize(
    ("usual", "chances", "expected"),
    [
        ("prone", {"prone": 0.5, "nothing": 0.6, "dodge": 0.8}, "dodge"),  # lying down is worse than doing nothing
        ("prone", {"prone": 0.7, "nothing": 0.6, "dodge": 0.8}, "prone"),
        ("shoot:Bob", {"shoot:Bob": 0.0, "dodge": 0.4}, "dodge"),
        ("shoot:Bob", {"shoot:Bob": 0.0, "dodge": 0.0}, "shoot:Bob"),
        ("shoot:Cid", {"shoot:Cid": 0.9, "shoot:Bob": 0.1}, "shoot:Bob"),
        ("shoot:Cid", {}, "shoot:Bob"),
    ],
)
def test_an_answer_that_is_not_sensible_gives_way_to_the_best_known(usual, chances, expected):
    assert default_option(PLACES, usual, chances, ("Cid",)).key == expected
