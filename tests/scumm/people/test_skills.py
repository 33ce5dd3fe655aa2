"""Skills with rules of their own."""

import pytest

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.systems.scumm.people.skills import (
    Gadget,
    disguise,
    etiquette,
    fix,
    forgery,
    persuade,
    persuasion_threshold,
    recognition_threshold,
    see_through,
    strain,
    tinker,
    use,
)
from rulewright.systems.scumm.settings import BOOK

RULES = BOOK.ruleset()
RADIO = Gadget("Ana", 5)


def test_tinkering_makes_something_or_nothing():  # book, line 120
    assert script(tinker(RULES, 2, 1, 5, maker="Ana"), [(4, 1)]).outcome == RADIO
    assert script(tinker(RULES, 2, 1, 5, maker="Ana"), [(3, 1)]).outcome.state == "fell apart"
    assert script(tinker(RULES, 2, 3, 5, maker="Ana"), [(1, 1)]).outcome.state == "fell apart"
    assert script(tinker(RULES, 2, 4, 5, maker="Ana"), [(1, 1)]).outcome.state == "works"  # line 307


def test_a_strained_gadget_is_tested_against_its_creation_threshold():  # book, line 120
    assert script(strain(RULES, RADIO, 2, 1), [(4, 2)]).outcome == RADIO
    broken = script(strain(RULES, RADIO, 2, 1), [(3, 2)]).outcome
    assert broken.state == "malfunctions"
    assert fix(broken) == RADIO
    gone = script(strain(RULES, RADIO, 2, 9), [(1, 1)]).outcome
    assert gone.state == "fell apart"
    assert fix(gone) == gone
    assert script(strain(RULES, gone)).outcome == gone


def test_a_gadget_lasts_in_its_makers_hands_as_long_as_it_is_needed():  # book, line 120
    assert use(RADIO, "Ana") == RADIO
    assert use(RADIO, "Ben").state == "fell apart"
    assert use(RADIO, "Ana", needed=False).state == "fell apart"


def test_forgery_in_an_unfamiliar_field_is_at_minus_two():  # book, line 190
    assert script(forgery(RULES, 2, 1, 4, True), [(4, 2)]).outcome.margin == 1
    assert script(forgery(RULES, 2, 1, 4, False), [(4, 2)]).outcome.margin == -1


def test_etiquette_in_an_unfamiliar_milieu_is_at_minus_two():  # book, line 240
    assert script(etiquette(RULES, 2, 1, 4, True), [(4, 2)]).outcome.margin == 1
    assert script(etiquette(RULES, 2, 1, 4, False), [(4, 2)]).outcome.margin == -1


def test_a_disguise_raises_the_threshold_by_its_margin():  # book, line 234
    made = script(disguise(RULES, 2, 1, 4), [(6, 2)]).outcome
    assert made.margin == 3
    assert recognition_threshold(2, made.margin).value == 5
    assert recognition_threshold(2, -3).value == 2
    assert script(see_through(RULES, 2, 0, 2, made.margin), [(5, 1)]).outcome
    assert not script(see_through(RULES, 2, 0, 2, made.margin), [(4, 1)]).outcome


def test_passing_for_a_certain_person_is_harder():  # book, line 234
    assert script(disguise(RULES, 2, 1, 4, 2), [(6, 2)]).outcome.margin == 1
    with pytest.raises(UserError, match="harder"):
        script(disguise(RULES, 2, 1, 4, -2))


def test_three_things_make_a_persuasion_hard_or_easy():  # book, line 260
    threshold = persuasion_threshold(RULES, "challenging", -1, 2)
    assert threshold.value == 6
    assert [reason.value for reason in threshold.reasons] == [5, -1, 2]
    assert threshold.reason.source == "ruling"
    assert persuasion_threshold(RULES, "routine", -4, -4).value == 1
    assert script(persuade(RULES, 2, 1, "challenging", -1, 2), [(6, 2)]).outcome.margin == 1
    with pytest.raises(UserError, match="scumm-action-test"):
        persuasion_threshold(RULES, "hopeless")
