"""Both sides of the limits of bettering and describing characters (book lines 1265-1271, 1720-1764, 8655-9000)."""

import pytest

from rulewright.systems.silhouette.build.audit.points import counted_flaws
from rulewright.systems.silhouette.people.advancement import standing
from rulewright.systems.silhouette.people.characters import Award, Character, Person, Purchase, Spent, skill_test, specialization
from rulewright.systems.silhouette.people.experience import complexity_cost, improvement_cost
from rulewright.systems.silhouette.people.traits import Trait, offered_modifiers
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()


def tried(entry, by=PLAIN, **made):
    """What is wrong with an entry of the log, and what has been spent after it."""
    now = standing(by, Character("Ann", advancement=(Award(500),), **made))
    return list(now.take(entry)), now.spent


@pytest.mark.parametrize(
    ("used", "label", "value"),
    [
        ((), "specialization", 0),
        (("pistols",), "specialization", 0),
        (("rifles",), "specialization: rifles", 1),
        (("night",), "specialization: night", 1),
        (("night", "rifles"), "specialization: rifles", 1),
    ],
)
def test_one_specialization_that_fits_is_worth_one_by_its_name(used, label, value):
    mod = specialization(("rifles", "night"), used)
    assert (mod.label, mod.value) == (label, value)


@pytest.mark.parametrize(
    ("now", "to", "over", "value", "spent"),
    [
        (None, 2, None, None, 4),
        (1, 2, None, None, 4),
        (2, 3, None, None, 9),
        (4, 5, None, None, 25),
        (1, 1, 0, None, 0),
        (2, 2, 0, None, 0),
        (2, 1, 0, None, 0),
        (1, 3, 1, 2, 13),
        (2, 5, 2, 3, 50),
        (5, 6, 1, None, 0),
        (5, 8, 3, None, 0),
    ],
)
def test_complexity_is_bought_step_by_step_up_to_five(now, to, over, value, spent):  # lines 1732-1744
    known = {} if now is None else {"complexity": {"notice": now}}
    faults, paid = tried(Purchase("complexity", "notice", to), skills={"notice": 3}, **known)
    assert [(fault.over, fault.value) for fault in faults] == ([] if over is None else [(over, value)])
    assert paid == spent


@pytest.mark.parametrize(("level", "known"), [(0, False), (1, True)])
def test_complexity_needs_a_skill_that_was_learnt(level, known):
    faults, _ = tried(Purchase("complexity", "notice", 2), skills={"notice": level} if level else {})
    assert any("without the skill" in fault.message for fault in faults) is not known


@pytest.mark.parametrize(
    ("now", "to", "over", "value", "spent"),
    [
        (0, 1, None, None, 50),
        (2, 3, None, None, 50),
        (0, 0, 0, None, 0),
        (0, -1, 0, None, 0),
        (0, 2, 1, 1, 50),
        (3, 4, 1, None, 0),
        (3, 5, 2, None, 0),
    ],
)
def test_an_attribute_rises_by_one_up_to_three(now, to, over, value, spent):
    faults, paid = tried(Purchase("attribute", "agility", to), attributes={"agility": now})
    assert [(fault.over, fault.value) for fault in faults] == ([] if over is None else [(over, value)])
    assert paid == spent


@pytest.mark.parametrize(("times", "allowed"), [(2, True), (3, False)])
def test_no_attribute_is_raised_a_fourth_time(times, allowed):
    log = [Purchase("attribute", "agility", to) for to in range(-2, -2 + times)]
    now = standing(PLAIN, Character("Ann", attributes={"agility": -3}, advancement=(Award(500), *log)))
    assert (not list(now.take(Purchase("attribute", "agility", -2 + times)))) is allowed
    assert not list(now.take(Purchase("attribute", "psyche", 1)))  # each is counted by itself


@pytest.mark.parametrize(("paid", "fine"), [(2, False), (3, True), (9, True), (18, True), (19, False)])
def test_with_a_tutor_a_level_costs_its_own_number_at_least_and_twice_its_price_at_most(paid, fine):  # lines 1762-1764
    faults, spent = tried(Purchase("skill", "stealth", 3, xp=paid, tutor="Sten"), skills={"stealth": 2})
    assert (not faults, spent) == (fine, paid)


@pytest.mark.parametrize(("dice", "allowed"), [(8, False), (9, True)])
def test_as_many_dice_as_the_square_of_the_level_go_into_a_skill_first(dice, allowed):  # line 1724
    by = BOOK.ruleset(settings={"practice-before-levels": True})
    owned = Character(
        "Ann", skills={"stealth": 2}, emergency_dice=20, advancement=(Award(99), Spent(5, "stealth"), Spent(dice - 5, "stealth"))
    )
    faults = list(standing(by, owned).take(Purchase("skill", "stealth", 3)))
    assert [fault.over for fault in faults] == ([] if allowed else [9 - dice])


def test_levels_and_complexities_cost_their_squares_step_by_step():  # lines 1732-1744
    assert [improvement_cost(PLAIN, to).value for to in range(1, 6)] == [1, 4, 9, 16, 25]
    assert improvement_cost(PLAIN, 4, 1).value == 4 + 9 + 16
    assert improvement_cost(PLAIN, 2, 0).value == 5
    assert [complexity_cost(PLAIN, to).value for to in range(2, 6)] == [4, 9, 16, 25]
    for what in (
        lambda: improvement_cost(PLAIN, 0),
        lambda: improvement_cost(PLAIN, 3, 3),
        lambda: complexity_cost(PLAIN, 1),
        lambda: complexity_cost(PLAIN, 6),
    ):
        with pytest.raises(Exception, match=r"can(not)? (buy|raise)"):
            what()


def test_of_quirks_the_first_two_count():
    values = counted_flaws(PLAIN, [Trait("quirk")] * 4)
    assert values[0] == values[1] > 0
    assert values[2:] == [0, 0]


def test_what_a_trait_adds_goes_by_its_rating_or_by_half_its_points():
    """Each row of the printed list, with a rating of three and five points."""
    from rulewright.systems.silhouette.people.traits import FLAW_PRICES, PERK_PRICES, effects

    for name in (*PERK_PRICES(PLAIN), *FLAW_PRICES(PLAIN)):
        trait = Trait(name, rating=3, points=5)
        kind = ((trait,), ()) if name in PERK_PRICES(PLAIN) else ((), (trait,))
        for _, row, _ in effects(PLAIN, *kind):
            for effect in row.modifiers:
                if effect.variant or not effect.on:
                    continue
                scale = {"rating": 3, "half points": 2}.get(effect.by, 1)
                assert effect.value * scale in [
                    mod.value for mod, when in offered_modifiers(PLAIN, effect.on[0], *kind) if when == effect.when
                ]


@pytest.mark.parametrize(("item", "favored"), [("", False), ("cloak", True), ("boots", False)])
def test_only_the_favored_item_itself_is_one(item, favored):
    owner = Person.of(PLAIN, Character("Ann", skills={"stealth": 2}, favored={"stealth": "cloak"}))
    assert skill_test(PLAIN, owner, "stealth", item=item).favored is favored


@pytest.mark.parametrize(("flaw", "worth"), [(Trait("phobia", "severe"), 4), (Trait("no such Flaw"), 0), (Trait("phobia", "odd"), 0)])
@pytest.mark.parametrize("dearer", [1, 3])
def test_a_flaw_is_bought_off_for_its_points_times_what_the_campaign_asks(flaw, worth, dearer):  # lines 1498, 1682
    by = BOOK.ruleset(settings={"experience-per-trait-point": dearer})
    assert tried(Purchase("flaw removal", flaw.name), by, flaws=(flaw,)) == ([], worth * dearer)


@pytest.mark.parametrize("dearer", [1, 3])
def test_a_perk_is_bought_for_its_points_times_what_the_campaign_asks(dearer):  # lines 1498, 1682
    by = BOOK.ruleset(settings={"experience-per-trait-point": dearer})
    assert tried(Purchase("perk", "famous", trait=Trait("famous", points=2)), by) == ([], 2 * dearer)


@pytest.mark.parametrize("trait", [Trait("famous", points=9), Trait("no such Perk"), None])
def test_a_perk_that_cannot_be_had_costs_nothing(trait):
    faults, spent = tried(Purchase("perk", "famous", trait=trait))
    assert (len(faults), spent) == (1, 0)
