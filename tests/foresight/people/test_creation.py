"""Building a character by the book's examples (lines 425-1059, 1105-1184)."""

import pytest
from msgspec.structs import replace

from foresight.amy import AMY
from foresight.rules_for_tests import RULES, under
from rulewright.errors import UserError
from rulewright.play import Seeded, play, sub
from rulewright.play.odds import exact
from rulewright.rules import House
from rulewright.systems.foresight.people.backgrounds import FACTORS, SPECIES
from rulewright.systems.foresight.people.characters import Background, Character, Known, OwnSpecies, Trait
from rulewright.systems.foresight.people.creation import (
    Ages,
    accounts,
    ages,
    aging,
    attribute_points,
    custom_factor,
    exchange,
    factor_worth,
    free_environments,
    given_back,
    highest_inherent,
    insight_barred,
    sale,
    sound,
    steps,
)
from rulewright.systems.foresight.people.skills import off_hand, skill_price
from rulewright.systems.foresight.settings import BOOK


def spent(character, kind="general", rules=RULES):
    return {item.what: item.points for item in accounts(rules, character)[kind].bill}


def test_attribute_points():  # 473-477: all at five and 36 more, or all at nine
    assert attribute_points(RULES).value == 9 * 5 + 36 == 9 * 9
    assert attribute_points(RULES, "Dwarf").value == 45 + 2 + 1 + 36  # 1147: from the species' own minimum


def test_amys_points_step_by_step():  # 752, 875, 982-992
    books = accounts(RULES, AMY)
    assert books["general"].given.value == 50 + 40 + 60 + 75
    assert books["education"].given.value == 30 + 40 + 20 + 5
    assert sum(points for what, points in spent(AMY).items() if "trained" in what) == 50  # 873
    assert books["education"].left == 0  # 992
    assert spent(AMY, "education") == {
        "Computer Science": 20,
        "Law": 20,
        "Psychology": 20,
        "Forensic Science": 20,
        "Photography": 5,
        "Surveillance": 5,
        "Unarmed Combat Defensive": 5,
    }


def test_amys_charisma():  # 1045: levels 5 to 10 for 1 each, 11 and 12 for 2 each
    assert skill_price(RULES, "Charisma", 12, 4).value == 10
    assert skill_price(RULES, "Charisma", 11, 4).value == 8
    assert skill_price(RULES, "Confidence", 13, 4).value == 9  # 1049


def test_amy_gives_points_back():  # 1033-1041
    assert given_back(RULES, "Pain Resistance", 4, 0).value == 8
    assert given_back(RULES, "Athletics", 4, 3).value == 2
    assert given_back(RULES, "Disguise", 4, None).value == 8 + 6
    assert given_back(RULES, "Teach", 4, 2).value == 2
    assert given_back(RULES, "Dance", 4, 1).value == 3  # 1053
    with pytest.raises(UserError, match="in play"):
        given_back(RULES, "Archery", 10, 5, in_play=True)  # 1057: Brett must ask
    assert given_back(RULES, "Archery", 10, 5, in_play=True, leave=True).value == 10
    with pytest.raises(UserError, match="cannot raise"):
        given_back(RULES, "Dance", 1, 4)


def test_a_free_skill_is_sold_for_half():  # 720
    assert sale(RULES, "Pain Resistance").value == 3
    assert sale(RULES, "Literacy", "standard").value == 8  # 15, rounded up from 7.5
    assert sale(RULES, "Theology", "basic").value == 3
    less = replace(AMY, sold=("Pain Resistance",))
    assert accounts(RULES, less)["general"].given.value == 228
    assert accounts(RULES, replace(AMY, sold=("Charisma",)))["general"].given.value == 225  # it did not come free
    sold = replace(AMY, sold=("Physics",), fields=tuple(known for known in AMY.fields if known.field != "Physics"))
    assert accounts(RULES, sold)["education"].given.value == 98


def test_two_points_for_one():  # 714
    assert exchange(RULES, 10).value == 5
    assert exchange(RULES, 11).value == 5
    books = accounts(RULES, replace(AMY, exchanged=20))
    assert (books["general"].given.value, books["education"].given.value) == (205, 105)
    books = accounts(RULES, replace(AMY, exchanged=-20))
    assert (books["general"].given.value, books["education"].given.value) == (235, 75)


def test_every_factor_is_worth_80_but_for_the_talents():  # 655
    odd = {"Ch'i Talent": 0, "Magical Talent": 0, "Mystic Talent": 40, "Psionic Talent": 40, "Religious Transformation": 40}
    assert {name: factor_worth(RULES, name).value for name in FACTORS(RULES)} == {name: odd.get(name, 80) for name in FACTORS(RULES)}


@pytest.mark.parametrize(("steps", "worth"), [(2, 40), (1, 20), (-1, -10), (-2, -20)])
def test_a_step_of_wealth_is_worth_what_it_costs(steps, worth):  # 655, 1015
    plain, wealthy = [
        BOOK.ruleset(house=House(tables={"fs-background-factors": {"Superior Specimen": {"wealth": wealth}}})) for wealth in (0, steps)
    ]
    assert factor_worth(wealthy, "Superior Specimen").value - factor_worth(plain, "Superior Specimen").value == worth


def test_a_factor_of_ones_own():  # 655-657
    ours = under(custom_background_factors=True)
    assert custom_factor(ours, 40, 20, 2).value == 80
    with pytest.raises(UserError, match="worth 80 points, not 90"):
        custom_factor(ours, 60, 20, 1)
    with pytest.raises(UserError, match="permission"):
        custom_factor(RULES)


def test_how_long_a_factor_lasts():  # 667, 679: Amy's three grown-up factors make her 25 to 30
    found = ages(RULES, 3)
    assert found == Ages(18, 30)
    assert found.youngest <= 25 <= 27 <= 30 == found.oldest


def test_the_colony_package():  # 708: 8 are printed and 7 listed
    assert free_environments(RULES, "Far Future Colony World") == 5
    assert free_environments(under(colony_package_points=7), "Far Future Colony World") == 4
    assert free_environments(under(colony_package_points=7)) == 7
    settler = Character("x", package="Far Future Colony World", environments={"Crags": 3, "Desert": 2})
    assert spent(settler) == {}
    assert spent(settler, rules=under(colony_package_points=7)) == {"1 environment points": 2}
    assert spent(settler, rules=under(free_packages=False)) == {"5 environment points": 10}


def test_familiarities_cost_what_the_table_says():  # 741-743
    assert spent(replace(AMY, environments={"Urban": 3, "Forest": 2}))["3 environment points"] == 6
    assert spent(replace(AMY, gravities={"ZG": 2, "NL": 3, "LT": 2}))["gravity ZG"] == 10
    assert spent(replace(AMY, gravities={"ZG": 2, "NL": 3, "LT": 2}))["gravity LT"] == 5  # one came free
    assert spent(replace(AMY, handed="both"))["ambidexterity"] == 15  # 746
    assert spent(replace(AMY, wealth=2))["wealth"] == 40
    assert spent(replace(AMY, wealth=-1))["wealth"] == -10  # 1015


def test_ambidexterity():  # 746; what it does is a ruling
    assert off_hand(RULES).value == -2
    assert off_hand(RULES, True).value == 0
    assert off_hand(RULES, True, -1).value == 0
    assert off_hand(under(ambidexterity_helps=False), True).value == -2


def test_background_attributes_stay_in_range():  # 603
    big = replace(AMY, traits=(Trait("Enormous Frame"), Trait("Aging", inherent={"ST": -1})))
    assert highest_inherent(RULES, AMY, "ST").value == 12
    assert highest_inherent(RULES, big, "ST").value == 13  # 1112: base and maximum shift together
    assert highest_inherent(RULES, big, "AG").value == 10


def test_fields_of_the_package_count_towards_more():  # 901: basic first, and both are paid
    more = replace(AMY, fields=(*[known for known in AMY.fields if known.field != "Physics"], Known("Physics")))
    assert spent(more, "education")["Physics"] == 15
    assert spent(replace(more, package="Default"), "education")["Physics"] == 20


def test_languages_of_the_travelled_and_the_immersed():  # 624
    tongue = Known("Language", name="Hindi")
    assert spent(replace(AMY, fields=(tongue,)), "education")["Language: Hindi"] == 20
    assert spent(replace(AMY, fields=(replace(tongue, immersed=True),)), "education")["Language: Hindi"] == 10
    far = replace(AMY, fields=(replace(tongue, travels=True),), background=(Background("Wide Travels"),))
    assert spent(far)["Language: Hindi, on travels"] == 10
    assert spent(far, "education") == {}


def test_half_of_a_language_is_half_of_what_the_package_leaves_to_learn():  # 2250; specializations keep their price (our reading)
    settings = {"fs-free-packages": {"Default": {"fields": [], "basic": ["Language"]}}}
    rules = BOOK.ruleset(house=House(tables=settings))
    tongue = Known("Language", name="Hindi", immersed=True)
    assert spent(Character("x", package="Default", fields=(tongue,)), "education", rules) == {"Language: Hindi": 8}
    learned = replace(tongue, specializations=("Bhojpuri",))
    assert spent(Character("x", package="Default", fields=(learned,)), "education", rules) == {"Language: Hindi": 8 + 10}


def test_elves_study_languages():  # 1151: their education points go into languages
    elf = Character("x", species="Elf")
    assert accounts(RULES, elf)["education"].given.value == 0
    assert accounts(RULES, replace(elf, fields=(Known("Language", "basic", "Old Elvish"),)))["education"].given.value == 5
    assert accounts(RULES, replace(elf, fields=(Known("Language", name="Old Elvish"),)))["education"].given.value == 10


def test_fields_ahead_of_their_time():  # 909
    early = under(early_fields=True)
    scholar = Character("x", tl=3, package="", fields=(Known("Economics", "basic"),))
    assert spent(scholar, "education", early) == {"Economics": 10}
    assert spent(scholar, "education") == {"Economics": 5}
    deep = Character("x", package="", fields=(Known("Law", "basic", specializations=("inheritance",)),))
    assert spent(deep, "education", under(specialize_from_basic=True)) == {"Law": 17}  # 903: a fifth more
    deeper = replace(deep, fields=(Known("Law", "basic", specializations=("inheritance", "trade")),))
    assert spent(deeper, "education", under(specialize_from_basic=True)) == {"Law": 29}
    first = Character("x", tl=0, package="", fields=(Known("Trade", "basic", "smith"),))
    assert spent(first, "education", early) == {"Trade: smith": 10}


def test_unique_insight_is_hard_to_come_by():  # 1117
    assert insight_barred(RULES, AMY, "Search") == "Search is not at its highest level"
    assert insight_barred(RULES, replace(AMY, skills={"Dance": 12}), "Dance") == "Dance has a score of 22 and not 26"
    gifted = replace(AMY, trained={"EM": 14, "AP": 14}, skills={"Charisma": 14})
    assert insight_barred(RULES, gifted, "Charisma") == ""
    for power, barred in ((11, "Charisma has a score of 25 and not 26"), (12, "")):
        assert insight_barred(RULES, replace(AMY, trained={"EM": 13, "AP": power}, skills={"Charisma": 13}), "Charisma") == barred
    assert insight_barred(RULES, AMY, "Sorcery") == "there is no skill 'Sorcery'"
    assert spent(replace(gifted, traits=(Trait("Unique Insight", "Charisma"),)))["unique insight: Charisma"] == 10


def test_aging_is_rolled():  # 1116
    weights = exact(sub(aging, RULES)).weights
    total = sum(weights.values())
    for name, percent in {"ST": 75, "AP": 75, "PC": 50, "IN": 25}.items():
        assert sum(weight for fallen, weight in weights.items() if name in fallen) * 100 == total * percent
    fallen = play(aging(RULES), dice=Seeded(1)).outcome
    assert set(fallen) <= {"ST", "EN", "DX", "AG", "IN", "PC", "EM", "WP", "AP"}


def test_the_steps_of_creation():  # 429-438
    found = steps(RULES, AMY)
    assert [step.step for step in found][3:6] == ["spread attribute points", "pick background factors", "take the free package"]
    assert [step.done for step in found] == [True] * 6 + [False, True]
    assert [step.step for step in steps(RULES) if not step.done] == ["who it is", "pick background factors"]


def test_what_is_unknown_is_set_aside():
    odd = Character(
        "x", species="Marshfolk", package="Mars", native_gravity="?", base_wealth="Rich!", skills={"Sorcery": 3}, fields=(Known("Spells"),)
    )
    whole = sound(RULES, odd)
    assert (whole.species, whole.package, whole.native_gravity, whole.base_wealth) == ("Human", "Default", "NL", "Average")
    assert (whole.skills, whole.fields) == ({}, ())
    own = OwnSpecies(ds=float("nan"), traits=("night vision", "wings"))
    assert sound(RULES, replace(odd, own_species=own)).own_species == OwnSpecies(traits=("night vision",))
    assert "Marshfolk" not in SPECIES(RULES)
