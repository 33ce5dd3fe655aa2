"""The social game (book lines 2274-2300)."""

from math import trunc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.rules import House
from rulewright.scenes.scenarios import Placed
from rulewright.systems.silhouette.combat.social import (
    Affront,
    Snubbed,
    Standing,
    lose_face,
    ploy_skill,
    snub,
    social_attribute,
    social_experience,
    social_ratings,
    social_ratings_of,
    social_side,
)
from rulewright.systems.silhouette.debate.speakers import speaker_of
from rulewright.systems.silhouette.people.characters import Character, Person
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, Side
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()
GENERAL = BOOK.ruleset(settings={"social-damage": "general"})


def person(name="Ann", skills=None, **attributes):
    return Person.of(PLAIN, Character(name, attributes=attributes, skills=skills or {}))


def values(rules, *arguments, **named):
    return {key: derived.value for key, derived in social_ratings(rules, *arguments, **named).items()}


def test_the_ratings_of_an_average_person():
    assert values(PLAIN) == {
        "social_strength": 0,
        "social_health": 0,
        "social_stamina": 25,
        "social_damage": 3,
        "embarrassment": 13,
        "hurt": 25,
        "instant_shame": 50,
        "reputation": 5,
    }


def test_the_ratings_of_somebody_remarkable():
    """Influence 2, Willpower 1, Psyche -1, Knowledge 2, a skill of 3."""
    found = values(PLAIN, 2, 1, -1, 2, 3)
    assert found["social_strength"] == 1
    assert found["social_health"] == 1
    assert found["social_stamina"] == 40
    assert found["social_damage"] == 3 + 3 + 1 + 2
    assert (found["embarrassment"], found["hurt"], found["instant_shame"], found["reputation"]) == (20, 40, 80, 6)


def test_the_least_there_is():
    low = values(PLAIN, -3, -3, -3, -3)
    assert (low["social_stamina"], low["social_damage"], low["reputation"]) == (10, 1, 2)
    assert values(GENERAL, -3, -3)["social_damage"] == 5
    assert values(GENERAL, 1, 1, skill=2)["social_damage"] == 8 + 2 + 1 + 1


@settings(max_examples=40, deadline=None)
@given(*[st.integers(-3, 3)] * 4, st.integers(0, 5))
def test_the_formulas(influence, willpower, psyche, knowledge, skill):
    found = values(PLAIN, influence, willpower, psyche, knowledge, skill)
    health = round((willpower + psyche + knowledge) / 3)
    assert found["social_strength"] == trunc((influence + willpower) / 2)
    assert found["social_health"] == health
    assert found["social_stamina"] == max(10, 5 * (influence + health) + 25)
    assert found["embarrassment"] * 2 - found["social_stamina"] in (0, 1)


# --- standing -----------------------------------------------------------------------------------------------------------------


def test_losing_face_by_degrees():
    fine = Standing()
    assert lose_face(fine, 12) == fine
    assert lose_face(fine, 13) == Standing(embarrassments=1)
    assert lose_face(fine, 25) == Standing(hurts=1)
    assert lose_face(fine, 50).exiled
    assert Standing(embarrassments=1, hurts=1).penalty == -3


def test_a_reputation_used_up_is_exile():
    worn = Standing(hurts=2)
    assert worn.reputation_left == 1
    assert lose_face(worn, 13).exiled
    assert not lose_face(Standing(hurts=1, embarrassments=1), 13).exiled


@pytest.mark.parametrize(("state", "able"), [({}, True), ({"hurts": 2}, True), ({"hurts": 2, "embarrassments": 1}, False)])
def test_nobody_enters_society_without_any_reputation(state, able):
    assert speaker_of(PLAIN, Placed(Character("Ann"), "Ann", "a", None, state)).able is able


# --- a social blow ------------------------------------------------------------------------------------------------------------


def test_ploys_and_the_skills_behind_them():
    assert [ploy_skill(PLAIN, ploy) for ploy in ("etiquette", "business", "intimidation")] == ["etiquette", "business", "interrogation"]
    ours = BOOK.ruleset(settings={"intimidation": "negotiation"})
    assert ploy_skill(ours, "intimidation") == "negotiation"


def test_creativity_strikes_and_willpower_answers():
    ann = person(skills={"seduction": 2}, creativity=2, willpower=-1, influence=1, build=3)
    assert social_side(PLAIN, ann, "seduction").pool.modifier == 2
    assert social_side(PLAIN, ann, "seduction", answers=True).pool.modifier == -1
    own = BOOK.ruleset(settings={"social-attributes": "of the skill"})
    assert social_side(own, ann, "seduction").pool.modifier == 1
    assert social_attribute(own, "intimidation") == "build"


def test_intimidation_is_a_matter_of_will():
    """Build or Willpower frightens people, not wit: Willpower where the rest strikes with Creativity."""
    ann = person(skills={"interrogation": 2}, creativity=2, willpower=-1)
    assert social_side(PLAIN, ann, "intimidation").pool.modifier == -1
    assert social_side(PLAIN, ann, "interrogation").pool.modifier == 2


def test_who_speaks_first():
    """Notice stands for Combat Sense: by Perception as that is, or by the Psyche that people are read with."""
    ann = Placed(Character("Ann", attributes={"perception": 2, "psyche": -1}, skills={"notice": 2}), "Ann", "a", None, {})
    own = BOOK.ruleset(settings={"social-attributes": "of the skill"})
    for rules, modifier in ((PLAIN, 2), (own, -1)):
        sense = speaker_of(rules, ann).sense
        assert (sense.pool.dice, sense.pool.modifier, sense.perception) == (2, modifier, modifier)


def test_a_ploy_may_have_values_of_its_own():
    house = BOOK.ruleset(house=House(tables={"sil-3.3.5-social-game": {"etiquette": {"damage": 5, "accuracy": 1}}}))
    ann = Character("Ann", skills={"etiquette (military)": 2})
    ploy = speaker_of(house, Placed(ann, "Ann", "a", None, {})).ploy("etiquette")
    assert ploy.damage == 3 + 2 + 5
    assert ploy.attack.pool.modifier == 1
    assert social_ratings_of(PLAIN, person("Ann", {"etiquette (military)": 2}), "etiquette")["social_damage"].value == 5


AFFRONT = Affront("Ann", "Ben", "seduction", Side(Pool(2), "seduction", 2), Side(Pool(1), "business", 1), 11)


def test_a_snub_tells_by_its_margin():
    played = script(snub(PLAIN, AFFRONT, Standing("Ben")), [(6, 2), (4,)])
    assert played.outcome == Snubbed(Standing("Ben", embarrassments=1), 2)
    assert [event.headline() for event in played.events] == [
        "Ann tries seduction on Ben: success by 2",
        "Ben is embarrassed (reputation 4 of 5)",
    ]
    assert script(snub(PLAIN, AFFRONT, Standing("Ben")), [(4, 2), (4,)]).outcome == Snubbed(Standing("Ben"), 0)
    assert script(snub(PLAIN, AFFRONT, Standing("Ben")), [(6, 6), (1,)]).outcome.standing.exiled is True
    assert script(snub(PLAIN, AFFRONT, Standing("Ben")), [(1, 1), (4,)]).outcome.open == "attacker"


def test_a_tie_is_the_defenders_even_with_advanced_ties():
    advanced = BOOK.ruleset(settings={"advanced-ties": True})
    assert script(snub(advanced, AFFRONT, Standing("Ben")), [(4, 2), (4,)]).outcome.margin == 0


def test_the_chance_of_exile_by_one_word():
    odds = exact(lambda: snub(PLAIN, AFFRONT, Standing("Ben"))).chance(lambda came: came.standing.exiled)[0]
    assert odds == pytest.approx(sum(1 for a in range(1, 7) for b in range(1, 7) for c in range(1, 7) if _by(a, b, c) >= 5) / 216)


def _by(a, b, c):
    return (7 if a == b == 6 else max(a, b)) - c


def test_experience_for_victories():
    assert social_experience(("opponent shamed", "good deal")).value == 2


def test_if_both_make_fools_of_themselves_nothing_happens():  # lines 2177, 2276: as in close combat
    affront = Affront("Ann", "Ben", "etiquette", Side(Pool(2).plus(Mod("Influence", 1))), Side(Pool(2)), 30)
    played = script(snub(PLAIN, affront, Standing("Ben")), [(1, 1), (1, 1)])
    assert played.outcome == Snubbed(Standing("Ben"), 0, "nobody")
    assert played.events[0].headline() == "Ann tries etiquette on Ben: both make fools of themselves"


def test_every_word_of_a_contest_has_its_sum():
    affront = Affront("Ann", "Ben", "etiquette", Side(Pool(2).plus(Mod("Influence", 1))), Side(Pool(1)), 7)
    words, lost = script(snub(PLAIN, affront, Standing("Ben")), [(5, 2), (3,)]).events
    assert [(reason.label, reason.value) for reason in words.reasons()] == [("attack", 6), ("answer", 3), ("social damage", 21)]
    assert [(reason.label, reason.value) for reason in lost.reasons()] == [
        ("social damage", 21),
        ("Embarrassment", 13),
        ("penalty now", -1),
    ]
