"""Single numbers of the book are rows: a house rule that changes one changes what is played."""

import pytest

from foresight.fights import fight_of, someone
from rulewright.errors import UserError
from rulewright.play import sub
from rulewright.play.odds import exact
from rulewright.rules import House
from rulewright.systems.foresight.build.audit import audit
from rulewright.systems.foresight.combat.moves import change_stance
from rulewright.systems.foresight.combat.pins import may_cuff
from rulewright.systems.foresight.fight.actions.registry import action_options
from rulewright.systems.foresight.gear.armor import covers_of, eased_hindrance, hindrance
from rulewright.systems.foresight.gear.vehicles import range_after_bids
from rulewright.systems.foresight.gear.weapons import blade, minimum_strength, too_heavy
from rulewright.systems.foresight.harm.damage import accumulate
from rulewright.systems.foresight.harm.medicine import surgery_reduction
from rulewright.systems.foresight.harm.stamina import exertion_cost
from rulewright.systems.foresight.people.attributes import load
from rulewright.systems.foresight.people.backgrounds import starting_merit
from rulewright.systems.foresight.people.characters import Arm, Background, Character, Merit, Trait, Worn
from rulewright.systems.foresight.people.creation import ages, attribute_points, factor_worth
from rulewright.systems.foresight.people.merit import repute
from rulewright.systems.foresight.people.skills import (
    attribute_price,
    favor,
    favored_classes,
    favored_fields,
    highest_trained,
    unskilled_task,
)
from rulewright.systems.foresight.people.social import engagement_total, first_glance
from rulewright.systems.foresight.people.study import downtime, learn_in_play
from rulewright.systems.foresight.pursuit.rules import after_answer, after_reverse
from rulewright.systems.foresight.resolution.damage_classes import vital_extra
from rulewright.systems.foresight.resolution.tests import Task, chance_of
from rulewright.systems.foresight.settings import BOOK


def under(rule, name, value, **settings):
    return BOOK.ruleset(house=House(settings=settings, tables={rule: {name: {"value": value}}} if rule else {}))


FIGURES = {
    "fs-score-over-20": ("points for +1", 2, lambda rules: chance_of(rules, Task(26, 3)), 120, 100),
    "fs-attribute-points": ("to spread", 40, lambda rules: attribute_points(rules).value, 85, 81),
    "fs-custom-background-factor": ("an inherent point", 20, lambda rules: factor_worth(rules, "Superior Specimen").value, 140, 80),
    "fs-background-duration": ("childhood ends", 12, lambda rules: ages(rules, 2).youngest, 14, 17),
    "fs-downtime": ("points", 10, lambda rules: downtime(rules, 7).value, 20, 10),
    "fs-unskilled-use": ("modifier", -4, lambda rules: unskilled_task(rules, "Aircraft").modifier, -4, -1),
    "fs-favored-field": ("levels of Theory", 3, lambda rules: favored_fields(rules, 9).value, 3, 1),
    "fs-favored-weapon": ("second from level", 5, lambda rules: favored_classes(rules, 5).value, 2, 1),
    "fs-melee-strength": ("strength a kg, one hand", 6, lambda rules: minimum_strength(rules, 2).value, 12, 10),
    "fs-armor-wear": ("levels a point", 2, lambda rules: eased_hindrance(rules, -5, 8).value, -1, -3),
    "fs-wound-accumulation": ("less for a limb", 1, lambda rules: accumulate(rules, 3, 3, "left arm"), 5, 4),
    "fs-close-quarters-pins": ("turns before cuffs", 3, lambda rules: may_cuff(rules, 2), False, True),
    "fs-vital-hit-extra": ("worse up to", 5, lambda rules: exact(sub(vital_extra, rules)).weights, {1: 5, 2: 5}, {1: 8, 2: 2}),
}


@pytest.mark.parametrize("rule", FIGURES)
def test_a_house_rule_that_changes_a_figure_changes_play(rule):
    name, value, asked, changed, printed = FIGURES[rule]
    options = {"downtime": True, "vital-hits": True}
    assert (asked(under(rule, name, value, **options)), asked(under("", "", 0, **options))) == (changed, printed)


@pytest.mark.parametrize("upto", [0, 1, 9, 10])
def test_a_vital_hit_may_be_worse_on_any_faces_of_the_d10_or_none(upto):
    rules = under("fs-vital-hit-extra", "worse up to", upto, **{"vital-hits": True})
    assert exact(sub(vital_extra, rules)).chance(lambda levels: levels == 2) == (upto / 10, upto / 10)


def test_further_figures_of_a_rule_change_what_they_name():
    assert favor(under("fs-favored-weapon", "most for one class", 3), ("Sword",) * 3, "Sword").value == 3
    assert too_heavy(under("fs-melee-strength", "points short for -1", 1), 2, 8).value == -2
    assert hindrance(under("fs-armor-wear", "levels a point", 1), (), 4) == hindrance(BOOK.ruleset(), (), 4)
    assert learn_in_play(under("fs-learn-skill-in-play", "rating", 4), qr=4).value > 0
    with pytest.raises(UserError, match="QR3 or better"):
        learn_in_play(BOOK.ruleset(), qr=4)


def test_a_figure_of_which_nothing_can_be_reckoned_is_refused():
    with pytest.raises(UserError, match="'levels of Theory' of fs-favored-field is 0, but must be at least 1"):
        favored_fields(under("fs-favored-field", "levels of Theory", 0), 9)


def changed(rule, row, **cells):
    return BOOK.ruleset(house=House(tables={rule: {row: cells}}))


def test_what_a_load_does_is_one_row_for_agility_and_for_every_cost_of_stamina():
    heavy = changed("fs-load-bands", "laden", agility=-3, stamina=5)
    assert [(load(rules, 9, 12).agility, load(rules, 9, 12).stamina) for rules in (heavy, BOOK.ruleset())] == [(-3, 5), (-1, 2)]
    assert [exertion_cost(rules, "heavy", 50, load="laden").value for rules in (heavy, BOOK.ruleset())] == [50, 20]


def test_a_second_operation_strangers_and_parties_that_meet_go_by_rows():
    assert surgery_reduction(changed("fs-surgery", "follow-up", reduction=-3), 5, 2, follow_up=True).value == 1
    seen = changed("fs-first-glance", "similar", mildest=2, strongest=4)
    assert [first_glance(seen, ("similar",), strongly=each).value for each in (False, True)] == [2, 4]
    assert engagement_total(under("fs-engagement-march", "ambush", -6), (3,), (4,), "ambush").value == 1


def test_the_slowest_bid_is_a_row_that_a_pursuit_asks():
    slow = under("fs-pursuit-speed-bids", "slowest", 4)
    assert range_after_bids(slow, 2, 4, 4) == 2
    with pytest.raises(UserError, match=r"at most \+2"):
        range_after_bids(BOOK.ruleset(), 2, 3, 3)


def test_an_attribute_is_trained_as_far_as_training_has_a_price():
    further = changed("fs-spending-cps", "trained attribute to inherent +5", points=40, per="")
    assert [highest_trained(rules, 9).value for rules in (further, BOOK.ruleset())] == [14, 13]
    assert attribute_price(further, 9, 14).value == 80
    with pytest.raises(UserError, match="trained to 13 at most"):
        attribute_price(BOOK.ruleset(), 9, 14)


def test_rising_pivots_and_reverses_go_by_their_rows():
    down = someone("Ann", state={"stance": "kneeling"})
    quick = changed("fs-actions-list", "rise", takes={"kneeling": 1})
    assert [change_stance(rules, down, "rise").stance for rules in (quick, BOOK.ruleset())] == ["standing", "kneeling"]
    ann, bob = someone("Ann", (0, 0), side="north"), someone("Bob", (5, 0), side="south")
    fight = fight_of(ann, bob).change("Ann", acts=2, facing=90)
    for rules, pivots in ((changed("fs-actions-list", "pivot", degrees=60), False), (BOOK.ruleset(), True)):
        offered = {option.key for option in action_options(rules, fight, "Ann")}
        assert ("pivot:Bob" in offered, "turn:Bob" in offered) == (pivots, True)
    slow = changed("fs-pursuit-actions", "reverse", steps=1, turns=3)
    assert [(gap.owes, gap.steps) for gap in (after_reverse(slow), after_reverse(BOOK.ruleset()))] == [(3, 1), (2, 3)]
    assert after_answer(slow, after_reverse(BOOK.ruleset()), "reverse").owes == 0


def test_sleeves_and_gloves_that_are_otherwise_make_up_for_each_other():
    worn = (Worn("Chainmail", "Sleeves"), Worn("Chainmail", "Gloves"))
    sleeves, gloves = [{"covers": {"left arm": tenths, "right arm": tenths}} for tenths in (7, 3)]
    short = House(tables={"fs-armor-locations": {"Sleeves": sleeves}})
    both = House(tables={"fs-armor-locations": {"Sleeves": sleeves, "Gloves": gloves}})
    for house, tenths in ((House(), [10, 10]), (short, [7, 7, 2, 2]), (both, [10, 10])):
        assert [cover.tenths for cover in covers_of(BOOK.ruleset(house=house), worn)] == tenths


def test_the_price_of_metal_is_a_figure_of_the_shield():
    dear = changed("fs-melee-weapons", "Small Shield", metal=5)
    assert [blade(rules, Arm("Small Shield", metal=True)).cost for rules in (dear, BOOK.ruleset())] == [250, 150]


def test_what_a_background_brings_in_merit_is_a_row():
    lavish, own = under("fs-starting-merit", "inside, at most", 60), Background("Field Experience", merit=50)
    ann = Character("Ann", background=(own,), merit=(Merit("navy", 0),))
    assert [repute(rules, ann)[0].points.value for rules in (lavish, BOOK.ruleset())] == [50, 40]
    assert [any(p.field == "background.0.merit" for p in audit(rules, ann).problems) for rules in (lavish, BOOK.ruleset())] == [False, True]
    assert starting_merit(lavish, (), (60,)).value == 60


def test_what_a_unique_gift_holds_and_takes_is_a_row():
    gift = Trait("Unique Gift", skills=("Handguns", "Longarms"), inherent={"EM": -2})
    ann = Character("Ann", traits=(gift,))
    mild = changed("fs-character-modifiers", "Unique Gift", skill_cost=9, deficit=-2)
    told = [[p.message for p in audit(rules, ann).problems if p.field == "traits.0"] for rules in (mild, BOOK.ruleset())]
    assert told[0] == []
    assert "unique gift" in told[1][0]
