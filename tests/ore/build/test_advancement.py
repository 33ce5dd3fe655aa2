"""What experience buys."""

import pytest

from rulewright.errors import UserError
from rulewright.systems.ore.build.advancement import buy, experience_cost, standing
from rulewright.systems.ore.build.audit import audit
from rulewright.systems.ore.people.characters import Award, Character, Person, Purchase, Special, Statistics
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()
DISCIPLINES = BOOK.ruleset(settings={"skill-system": "discipline", "special-dice": "extra expert"})


def faults(character, by=RULES):
    return [problem.rule for problem in audit(by, character).problems if problem.field.startswith("advancement")]


def test_disciplines_and_concentrations_have_printed_prices():  # lines 1924-1927
    assert experience_cost(RULES, "discipline", 3).value == 6
    assert experience_cost(RULES, "concentration", 3).value == 9
    assert experience_cost(RULES, "feat", 3).value == 3
    assert experience_cost(RULES, "discipline", 3, halved=True).value == 3  # a polyglot's, line 3848


def test_a_log_raises_what_it_buys():
    character = Character("Ann", skills={"close combat": 2}, concentrations={"close combat": {"unarmed": 2}})
    for entry in (Award(40, "the siege"),):
        character = Character(**{**{f: getattr(character, f) for f in character.__struct_fields__}, "advancement": (entry,)})
    character = buy(DISCIPLINES, character, Purchase("discipline", "close combat", 3))
    character = buy(DISCIPLINES, character, Purchase("concentration", "unarmed", 3, under="close combat"))
    character = buy(DISCIPLINES, character, Purchase("feat", "Kick Murder", 1))
    person = Person.of(DISCIPLINES, character)
    assert (person.skills["close combat"], person.concentrations["close combat"]["unarmed"], person.feats) == (3, 3, {"Kick Murder": 1})
    assert standing(DISCIPLINES, character).left == 40 - 6 - 9 - 1
    assert audit(DISCIPLINES, character).legal


@pytest.mark.parametrize(
    "entry",
    [
        Purchase("discipline", "close combat", 5),
        Purchase("discipline", "close combat", 2),
        Purchase("discipline", "dancing", 1),
        Purchase("concentration", "chess", 1, under="education"),
        Purchase("feat", "Kick Murder", 1),
        Purchase("feat", "Kick Marder", 1),
        Purchase("statistic", "body", 4),
        Purchase("statistic", "luck", 1, xp=1),
        Purchase("expert die", "dancing", 1, xp=1),
        Purchase("master die", "close combat", 1, xp=1),
        Purchase("feat", "Kick Murder", 1, instead_of="Wired"),
    ],
)
def test_what_breaks_a_rule_is_not_bought(entry):
    character = Character("Ann", skills={"close combat": 2}, advancement=(Award(50),))
    with pytest.raises(UserError):
        buy(DISCIPLINES, character, entry)
    assert faults(buy(DISCIPLINES, character, entry, force=True), DISCIPLINES)


def test_where_the_book_is_silent_the_game_master_names_the_price():
    character = Character("Ann", skills={"fight": 2}, advancement=(Award(20), Purchase("skill", "fight", 3)))
    assert faults(character) == ["ore-3.02-advancement-discipline"]
    paid = Character("Ann", skills={"fight": 2}, advancement=(Award(20), Purchase("skill", "fight", 3, xp=6)))
    assert not faults(paid)
    dear = Character("Ann", skills={"fight": 2}, advancement=(Award(5), Purchase("skill", "fight", 3, xp=6)))
    assert faults(dear) == ["ore-3.02-advancement-discipline"]
    other = Character("Ann", skills={"fight": 2}, advancement=(Award(9), Purchase("feat", "Power Attack", 1, xp=3)))
    assert [problem.warning for problem in audit(RULES, other).problems] == [True]
    assert faults(Character("Ann", advancement=(Award(-3),)))


def test_dice_are_promoted_by_experience():
    log = (Award(20), Purchase("expert die", "fight", xp=2), Purchase("master die", "fight", xp=4), Purchase("advantage", "lucky", xp=1))
    character = Character("Ann", skills={"fight": 2}, advancement=log)
    person = Person.of(RULES, character)
    assert person.special == {"fight": Special(0, 1)}
    assert person.has("lucky") == 1
    assert audit(RULES, character).legal
    assert audit(RULES, Character("Ann", advancement=(Award(9), Purchase("statistic", "body", 3, xp=9)))).legal


def test_a_new_feat_takes_the_place_of_the_highest_level_of_another():  # lines 748-751
    log = (Award(20), Purchase("feat", "Uncanny Defense", 1, instead_of="Power Attack"))
    character = Character("Ann", skills={"close combat": 3}, feats={"Power Attack": 2}, advancement=log)
    assert Person.of(RULES, character).feats == {"Power Attack": 1, "Uncanny Defense": 1}
    assert audit(RULES, character).legal


# --- what a purchase writes into a person -----------------------------------------------------------------------------------------


def bought_by(entry, **made):
    """Somebody after one purchase, whatever the audit says of it."""
    return Person.of(RULES, Character("Ann", **{"skills": {"close combat": 3}, **made}, advancement=(Award(50), entry)))


@pytest.mark.parametrize(("to", "now"), [(2, 3), (3, 3), (4, 4)])
def test_a_purchase_never_lowers_what_is_there(to, now):
    assert bought_by(Purchase("skill", "close combat", to)).skills == {"close combat": now}
    body = bought_by(Purchase("statistic", "body", to), statistics=Statistics(body=3)).statistics.body
    assert body == now
    under = bought_by(Purchase("concentration", "boxing", to, under="close combat"), concentrations={"close combat": {"boxing": 3}})
    assert under.concentrations == {"close combat": {"boxing": now}}


@pytest.mark.parametrize(("had", "expert"), [(Special(), Special(1)), (Special(1), Special(2)), (Special(1, 1), Special(2, 1))])
def test_an_expert_die_is_one_more(had, expert):
    entry = Purchase("expert die", "close combat", 1)
    assert bought_by(entry, special={"close combat": had}).special == {"close combat": expert}


@pytest.mark.parametrize(
    ("had", "master"),
    [(Special(), Special(0, 1)), (Special(1), Special(0, 1)), (Special(2), Special(1, 1)), (Special(0, 1), Special(0, 2))],
)
def test_a_master_die_takes_the_place_of_an_expert_die(had, master):
    entry = Purchase("master die", "close combat", 1)
    assert bought_by(entry, special={"close combat": had}).special == {"close combat": master}


@pytest.mark.parametrize(("had", "left"), [(0, {"Wired": 1}), (1, {"Wired": 1}), (2, {"Wired": 1, "Kick Murder": 1})])
def test_a_feat_takes_one_level_of_the_one_that_is_given_up(had, left):  # lines 748-751
    given = {"Kick Murder": had} if had else {}
    found = bought_by(Purchase("feat", "Wired", 1, instead_of="Kick Murder"), feats=given).feats
    assert {name: level for name, level in found.items() if level} == left
