"""Instant people in ForeSight (lines 1188-1261)."""

import pytest

from foresight.downtime.plans import RULES
from rulewright.campaign.activities.plan_text import Around, read_arguments
from rulewright.errors import UserError
from rulewright.play import script
from rulewright.systems.foresight.downtime.generators import ADJECTIVE, CALLING, COMPETENCE, GENERATORS
from rulewright.systems.foresight.people.npcs import ADJECTIVES, CALLINGS, COMPETENCES

PERSON = GENERATORS[0]


def drafted(*dice, **given):
    return script(PERSON.generate(RULES, read_arguments(PERSON, given, Around())), [(die,) for die in dice]).outcome


def test_the_words_are_those_of_the_tables():
    assert COMPETENCE.words[1:] == tuple(COMPETENCES(RULES))
    assert ADJECTIVE.words[2:] == tuple(ADJECTIVES(RULES))
    assert CALLING.words[1:] == tuple(CALLINGS(RULES))


def test_a_competent_educated_detective_has_the_scores_of_the_book():
    """Lines 1232, 1243: Charisma and Search 18, and Theory 12 as a secondary skill by the table (the text says 15)."""
    draft = drafted(competence="Competent", adjective="Educated", archetype="Detective")
    assert draft.title == "Competent educated detective"
    assert "Charisma 18, Search 18" in draft.text
    assert "Theory 12" in draft.text
    assert "IN 11" in draft.text


def test_what_is_not_chosen_is_rolled():
    assert drafted(1, 1, 1).title == "Inept tough assassin"
    assert drafted(10, 13, 21).title == "Legendary acrobatic surgeon"
    assert drafted(4, adjective="none", archetype="Guard").title == "Competent guard"
    with pytest.raises(UserError, match="Archetype"):
        drafted(archetype="Wizard")
