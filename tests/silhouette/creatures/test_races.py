"""Races: the book's elves, what abilities cost and do, and characters of a race (book lines 5438-5481, 6220-6232)."""

import pytest
from msgspec.structs import replace

from rulewright import library
from rulewright.errors import UserError
from rulewright.systems.silhouette.action.movement import sprint_of
from rulewright.systems.silhouette.attacks.facing import seen_from
from rulewright.systems.silhouette.build.archetypes import all_rounder
from rulewright.systems.silhouette.build.audit import audit, budgets
from rulewright.systems.silhouette.combat.entrants import enter
from rulewright.systems.silhouette.combat.fighters import reach_of
from rulewright.systems.silhouette.creatures.audit import audit_race
from rulewright.systems.silhouette.people import races
from rulewright.systems.silhouette.people.characters import Person, limits_of, skill_test
from rulewright.systems.silhouette.people.races import ABILITIES, Ability, Race
from rulewright.systems.silhouette.people.traits import Trait
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()
ELF = library.take("silhouette/races/elf").thing


def of(race, **changes):
    return replace(all_rounder(PLAIN), race=race, **changes)


def test_elves_have_ten_character_points_more_and_ten_skill_points_fewer():
    assert ELF.shifts == {"appearance": 2, "agility": 1, "psyche": -1, "willpower": -1}
    assert races.shift_points(ELF.shifts).value == 10  # line 6224
    assert races.pools_of(PLAIN, ELF, 30, 50) == (40, 40)
    found = {budget.name: budget.allowed for budget in budgets(PLAIN, of(ELF))}
    plain = {budget.name: budget.allowed for budget in budgets(PLAIN, all_rounder(PLAIN))}
    assert found["Character Points"] == plain["Character Points"] + 10


@pytest.mark.parametrize(
    ("attribute", "low", "high"), [("appearance", -1, 5), ("agility", -2, 4), ("psyche", -4, 2), ("willpower", -4, 2), ("fitness", -3, 3)]
)
def test_elven_ranges_are_those_of_line_6230(attribute, low, high):
    assert limits_of(PLAIN, of(ELF), attribute) == (low, high)


def test_a_shifted_range_must_still_be_paid_and_kept():
    fair = of(ELF, attributes={"appearance": 4})
    assert not any(problem.field == "attributes.appearance" for problem in audit(PLAIN, fair).problems)
    stubborn = of(ELF, attributes={"willpower": 3})
    assert any(problem.field == "attributes.willpower" for problem in audit(PLAIN, stubborn).problems)
    human = replace(fair, race=None)
    assert any(problem.field == "attributes.appearance" and not problem.warning for problem in audit(PLAIN, human).problems)


def test_abilities_cost_what_lines_5462_to_5474_say():
    found = {row.ability: (row.cost, row.speed_times) for row in ABILITIES(PLAIN).values()}
    assert found == {
        "immobile": (-10, 0),
        "slower than human": (-5, 0.5),
        "faster than human": (5, 2),
        "much faster than human": (10, 4),
        "extra way to move": (10, None),
        "extra limb": (10, None),
        "half reach": (-5, None),
        "double reach": (5, None),
        "270-degree sight": (5, None),
        "360-degree sight": (10, None),
        "morphing": (10, None),
    }


def test_perks_and_flaws_of_a_race_come_out_of_the_character_points_and_everybody_has_them():
    race = Race("Keen folk", perks=(Trait("ambidextrous"),), abilities=(Ability("extra way to move", "fly"),))
    price = races.trait_points(PLAIN, race.perks).value
    assert price > 0
    assert races.template_cost(PLAIN, race).value == price + 10
    assert any(perk.name == "ambidextrous" for perk in Person.of(PLAIN, of(race)).perks)
    found = {budget.name: budget.allowed for budget in budgets(PLAIN, of(race))}
    assert found["Character Points"] == 30 - price - 10


def test_a_race_may_be_faster_reach_further_and_change_its_shape():
    swift = of(Race("Swift", abilities=(Ability("faster than human"), Ability("double reach"), Ability("morphing"))))
    plain = Person.of(PLAIN, all_rounder(PLAIN))
    person = Person.of(PLAIN, swift)
    assert sprint_of(PLAIN, person) == 2 * sprint_of(PLAIN, plain)
    assert skill_test(PLAIN, person, "disguise").modifier == skill_test(PLAIN, plain, "disguise").modifier + 2
    one, other = enter(PLAIN, swift, "A", "a"), enter(PLAIN, all_rounder(PLAIN), "B", "b")
    reach = [reach_of(PLAIN, each.profile, each.profile.weapons[0]) for each in (one, other)]
    assert reach[0] >= reach[1]


def test_an_immobile_race_goes_nowhere():
    rooted = enter(PLAIN, of(Race("Rooted", abilities=(Ability("immobile"),))), "R", "r")
    assert rooted.profile.fastest is None


def test_wide_sight_leaves_no_flank_and_all_round_sight_no_back():
    assert [seen_from(place, 270) for place in ("facing", "flanked", "attacked from behind")] == ["facing", "facing", "flanked"]
    assert {seen_from(place, 360) for place in ("facing", "flanked", "attacked from behind")} == {"facing"}
    assert seen_from("attacked from behind", 180) == "attacked from behind"
    assert (races.surprise_modifier(360), races.surprise_modifier(270)) == (-1, 0)


def test_abilities_that_contradict_each_other_are_refused():
    with pytest.raises(UserError, match="contradict"):
        races.ability_points(PLAIN, (Ability("faster than human"), Ability("immobile")))
    both = Race("Both", abilities=(Ability("half reach"), Ability("double reach")))
    assert not audit_race(PLAIN, both).legal
    assert audit_race(PLAIN, ELF).legal
