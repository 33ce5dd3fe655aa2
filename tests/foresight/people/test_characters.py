"""The character file and the person it comes to (book lines 536-1336, 2897-2912)."""

import msgspec
import pytest
from msgspec.structs import replace

from foresight.amy import AMY, INHERENT, TRAINED
from foresight.rules_for_tests import RULES, under
from rulewright.errors import UserError
from rulewright.rules import House
from rulewright.systems.foresight.build.audit import audit
from rulewright.systems.foresight.build.sheet import sheet
from rulewright.systems.foresight.people.abilities import ability_task, person_unarmed, points_given, score_of, scores, stamina_of
from rulewright.systems.foresight.people.attributes import load
from rulewright.systems.foresight.people.backgrounds import (
    AWARDS,
    COMPETENCE,
    FACTORS,
    FEATURES,
    MODIFIERS,
    PACKAGES,
    RANKS,
    SPECIES,
    WEALTH,
    award,
    competence,
    merit,
    rank,
    species_points,
    starting_merit,
    worth,
)
from rulewright.systems.foresight.people.characters import (
    Background,
    Character,
    Familiarity,
    Known,
    Loss,
    Merit,
    MeritGained,
    OwnSpecies,
    Person,
    Purchase,
    Trait,
    damage_scale,
    free_gravities,
    free_skills,
    inherent,
    species_of,
    trained,
)
from rulewright.systems.foresight.people.merit import repute
from rulewright.systems.foresight.resolution.tests import Mod, Task, written_score
from rulewright.systems.foresight.settings import BOOK

PERSON = Person.of(RULES, AMY)
PLAIN = ability_task(RULES, PERSON, "Search").ease


def test_an_attribute_is_raised_only_by_a_purchase_above_it():
    values = [trained(RULES, replace(AMY, experience=(Purchase("attribute", "ST", to),)))["ST"] for to in (6, 7, 8)]
    assert [(value.value, [reason.label for reason in value.reasons]) for value in values] == [
        (7, ["inherent"]),
        (7, ["inherent"]),
        (8, ["inherent", "experience"]),
    ]


def test_a_narrow_interest_is_in_the_skills_and_attributes_that_a_gift_betters():  # 1120
    gift = Trait("Unique Gift", skills=("Search",), inherent={"IN": 1, "ST": 0, "AG": -1}, deficit="no other interest")
    assert Person.of(RULES, replace(AMY, traits=(gift,))).narrow == ("Search", "IN")


def test_where_the_campaign_has_no_unique_insight_a_background_brings_none():
    ours = BOOK.ruleset(house=House(tables={"fs-character-modifiers": {"Unique Insight": None}}))
    gifted = replace(AMY, background=(Background("Comfortable Childhood", insights=("Search",)),))
    eases = [ability_task(rules, Person.of(rules, gifted), "Search").ease for rules in (RULES, ours)]
    assert eases == [PLAIN + 1, PLAIN]


def test_amy_is_what_the_book_makes_her():  # 553, 875
    assert PERSON.inherent == INHERENT
    assert PERSON.attributes == TRAINED
    assert PERSON.level("Pain Resistance") == 0  # 1033: free at level 0
    assert PERSON.level("Disguise") is None
    assert PERSON.environments == {"Interior": 3, "Urban": 2, "Suburban": 2}  # 712
    assert PERSON.gravities == {"NL": 3, "LT": 1, "HY": 1}
    assert PERSON.attribute("PC") == 12


def test_amys_scores():
    assert written_score(RULES, score_of(RULES, PERSON, "Charisma").value) == "20+1"  # 1045
    assert score_of(RULES, PERSON, "Disguise").value == 6  # never learnt: the formula alone
    assert scores(RULES, PERSON)["Search"].value == 21
    assert ability_task(RULES, PERSON, "Search", "Interior") == Task(21, 6)
    assert ability_task(RULES, PERSON, "Search", "Forest") == Task(21, 3)
    assert ability_task(RULES, PERSON, "Disguise") == Task(6, 5, (Mod("not learnt", -1, "fs-unskilled-use"),))
    assert ability_task(RULES, PERSON, "PC", modifiers=(Mod("dark", -2),)) == Task(12, 7, (Mod("dark", -2),))
    assert ability_task(RULES, PERSON, "Dance", gravity=0.2).ease == 3
    assert person_unarmed(RULES, PERSON).value == 1


def test_amys_stamina():
    found = stamina_of(RULES, PERSON)
    assert {name: value.value for name, value in found.items()} == {"stamina": 13, "stamina_reserve": 7, "stamina_threshold": 2}
    assert load(RULES, PERSON.attribute("ST"), 7, 0).band == "laden"


def test_amys_points():  # 752
    given = points_given(RULES, AMY)
    assert (given["general"].value, given["education"].value) == (225, 95)


def test_what_everybody_has_and_what_the_package_gives():  # 695, 712, 829
    assert set(free_skills(RULES, AMY)) == {"Initiative", "Pain Resistance", "Search", "Stamina", "Athletics", "Stealth"}
    assert set(free_skills(RULES, replace(AMY, sold=("Search",)))) == {"Initiative", "Pain Resistance", "Stamina", "Athletics", "Stealth"}
    assert set(free_skills(under(free_packages=False), AMY)) == {"Initiative", "Pain Resistance", "Search", "Stamina"}
    assert free_gravities(RULES, replace(AMY, native_gravity="HY")) == {"HY": 3, "NL": 1, "EX": 1}
    assert free_gravities(RULES, replace(AMY, package="Far Future Colony World")) == {"NL": 3, "NW": 2}


def test_a_character_survives_being_saved():
    data = msgspec.to_builtins(AMY)
    again = msgspec.convert(msgspec.json.decode(msgspec.json.encode(data)), Character)
    assert again == AMY
    assert Person.of(RULES, again) == PERSON
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**data, "nmae": "a slip"}, Character)


def test_background_traits_and_wounds_change_inherent_values():
    big = replace(
        AMY,
        background=(*AMY.background, Background("Superior Specimen", inherent={"ST": 2, "AG": 4})),
        traits=(Trait("Enormous Frame"), Trait("Aging", inherent={"EN": -1})),
    )
    found = {name: value.value for name, value in inherent(RULES, big).items()}
    assert (found["ST"], found["AG"], found["EN"]) == (7 + 2 + 2, 8 + 4 - 2, 6)
    assert [term.label for term in inherent(RULES, big)["ST"].reasons] == ["points spread", "Superior Specimen", "Enormous Frame"]
    assert damage_scale(RULES, big).value == pytest.approx(1.25 * 0.9)  # 1112, 1116
    assert "Enormous Frame" in Person.of(RULES, big).traits


def test_watsons_health_is_ruined():  # 2910: EN inherent 6, trained 8, after the wound 5/5
    watson = Character("Watson", attributes=replace(INHERENT, EN=6), trained={"EN": 8}, experience=(Loss("EN", 1, 3),))
    assert inherent(RULES, watson)["EN"].value == 5
    assert trained(RULES, watson)["EN"].value == 5
    better = replace(watson, experience=(*watson.experience, Loss("EN", -1, 0)))  # 2927
    assert (inherent(RULES, better)["EN"].value, trained(RULES, better)["EN"].value) == (6, 5)
    bought = replace(better, experience=(*better.experience, Purchase("attribute", "EN", 6)))
    assert trained(RULES, bought)["EN"].value == 6


def test_experience_buys_things():
    log = (
        Purchase("skill", "Disguise", 0),
        Purchase("skill", "Theory", 7),
        Purchase("environment", "Forest", 2),
        Purchase("gravity", "ZG", 9),
        Purchase("familiarity", "Handguns", name="my pistol"),
        Purchase("favor", "unarmed"),
        Purchase("insight", "Charisma"),
        Purchase("ambidexterity", ""),
        Purchase("field", "Medicine", level="basic"),
        Purchase("field", "Medicine"),
        Purchase("specialization", "Law", name="international law"),
        Purchase("attribute", "ST", 8),
        Purchase("skill", "Sing", 3, done=False),
        Purchase("wealth", "", 1),
    )
    person = Person.of(RULES, replace(AMY, experience=log))
    assert (person.level("Disguise"), person.level("Theory"), person.level("Sing")) == (0, 7, None)
    assert (person.environments["Forest"], person.gravities["ZG"]) == (2, 3)
    assert person.familiarities == (Familiarity("Handguns", "my pistol"),)
    assert person.favored_weapons == ("unarmed",)
    assert person.ambidextrous
    assert person.attribute("ST") == 8
    assert person.knows("Medicine", "standard")
    assert not PERSON.knows("Medicine")
    assert PERSON.knows("Physics")
    assert not PERSON.knows("Physics", "standard")
    assert person.specialized("Law", "international law")
    assert ability_task(RULES, person, "Charisma").ease == 6
    assert Known("Language", name="English").title == "Language: English"


def test_insights_and_gifts_raise_base_ease_factors():  # 1117, 1120
    gifted = replace(
        AMY,
        background=(*AMY.background, Background("Martial Arts Academy", insights=("Acrobatics",))),
        traits=(Trait("Unique Gift", skills=("Charisma", "Confidence")), Trait("Unique Insight", skill="Charisma")),
    )
    assert Person.of(RULES, gifted).ease == {"Acrobatics": 1, "Charisma": 3, "Confidence": 2}


def test_a_background_factor_of_ones_own_has_its_own_points():  # 655
    own = replace(AMY, background=(Background("Parents Slain by Demon Princes", general=60, education=20),))
    given = points_given(RULES, own)
    assert (given["general"].value, given["education"].value) == (60, 20)
    with pytest.raises(UserError, match="not a background factor"):
        points_given(RULES, replace(AMY, background=(Background("Nonsense"),)))


# --- tables of creation --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("factors", "word"),
    [
        (1, "Bumbling"),
        (2, "Bumbling"),
        (4, "Inexperienced"),
        (5, "Competent"),
        (10, "Capable"),
        (11, "Outstanding"),
        (14, "Outstanding"),
        (15, "Awesome"),
        (40, "Awesome"),
    ],
)
def test_competence_goes_by_background_factors(factors, word):  # 567-573
    assert competence(RULES, factors) == word
    assert len(COMPETENCE(RULES)) == 6


def test_background_factors():  # 601-647
    rows = FACTORS(RULES)
    assert len(rows) == 28
    assert (rows["Privileged Childhood"].general, rows["Privileged Childhood"].inherent, rows["Privileged Childhood"].wealth) == (20, 2, 1)
    assert {name for name, row in rows.items() if row.once and row.group != "intrinsic"} == {"Trained from Childhood", "Mysterious Mentor"}
    # every plain factor is worth 80: points, 10 for an inherent point or a pick's two, 20 up and 10 down for wealth
    for row in rows.values():
        total = row.general + row.education + 10 * row.inherent + 20 * row.picks + (20 if row.wealth > 0 else -10 if row.wealth < 0 else 0)
        assert total == 80 or row.talent, row.factor


def test_packages():  # 697-708
    assert len(PACKAGES(RULES)) == 9
    colony = PACKAGES(RULES)["Far Future Colony World"]
    assert sum(colony.environments.values()) + colony.free == 8
    for row in PACKAGES(RULES).values():
        assert sum(row.environments.values()) + row.free in (7, 8)


def test_wealth():  # 1006-1015
    assert [row.svu for row in WEALTH(RULES).values()] == [40, 200, 1000, 5000, 25000, 125000, 500000, 2000000]
    assert worth(RULES, "Average", -1).value == 5000
    assert worth(RULES, "Filthy Rich", 2).value == 50_000_000
    assert worth(RULES, "Poor", -8).value == 40


@pytest.mark.parametrize(
    ("points", "found"), [(0, 0), (5, 0), (6, 1), (20, 2), (35, 3), (75, 4), (100, 5), (200, 6), (250, 7), (400, 8), (750, 9), (1000, 10)]
)
def test_rank_goes_by_merit(points, found):  # 1281-1294; 1273 calls 250 rank 6 where the table says 7
    assert rank(RULES, points) == found
    assert len(RANKS(RULES)) == 11


def test_amy_starts_as_an_inspector():  # 1277
    assert starting_merit(RULES, (0,), (10, 10, 15)).value == 35
    assert rank(RULES, 35) == 3
    assert merit(RULES, 20, 50, 50).value == 45  # 1300: the navy counts half with intelligence
    with pytest.raises(UserError, match="10 to 40"):
        starting_merit(RULES, (), (5,))


@pytest.mark.parametrize("species", ["Elf", "Dwarf", "Halfling", "Goblin", "Orc"])
def test_every_species_is_worth_eighty_points(species):  # 1141-1184
    assert species_points(RULES, SPECIES(RULES)[species]).value == 80
    assert len(FEATURES(RULES)) == 10


def test_species_have_ranges():  # 1141-1171
    orc = SPECIES(RULES)["Orc"]
    assert (orc.ranges["ST"], orc.ranges["EM"], orc.ranges["WP"], orc.general) == ((7, 14), (3, 8), (4, 10), 60)
    assert all(row.ranges["AP"] == (5, 12) for row in SPECIES(RULES).values())  # 1133
    own = species_of(RULES, replace(AMY, species="Martian", own_species=OwnSpecies(70, 0, 0.8, "small", {"ST": (4, 11)})))
    assert (own.ranges["ST"], own.ranges["EN"], own.ds, own.source) == ((4, 11), (5, 12), 0.8, "house")
    assert points_given(RULES, replace(AMY, species="Orc"))["general"].value == 285


def test_character_modifiers():  # 1111-1120
    rows = MODIFIERS(RULES)
    assert len(rows) == 7
    assert {name for name, row in rows.items() if row.original} == {"Enormous Frame", "Tiny Frame", "Unique Gift"}
    assert rows["Aging"].chance == {"ST": 75, "EN": 75, "DX": 75, "AG": 75, "IN": 25, "PC": 50, "EM": 25, "WP": 25, "AP": 75}


def test_a_session_pays_five_to_fifteen():  # 1071-1075
    assert award(RULES).value == 5
    assert award(RULES, 5, 5).value == 15
    assert award(RULES, 3).value == 8
    with pytest.raises(UserError, match="1 to 5"):
        award(RULES, 6)
    assert len(AWARDS(RULES)) == 3


NAVY = Merit("Navy", 60, {"Intelligence": 50})
SPIES = Merit("Intelligence", 20, {"Navy": 50})


def test_organizations_keep_their_own_merit_and_count_a_share_of_each_others():  # 1300
    spy = Character("Ives", merit=(NAVY, SPIES, Merit("Pirates", 3)), background=(Background("Field Experience", merit=25),))
    found = {each.organization: (each.points.value, each.rank) for each in repute(RULES, spy)}
    assert found == {
        "Navy": (85 + 10, 5),
        "Intelligence": (20 + 43, 4),
        "Pirates": (3, 0),
    }  # half of 85 is 43: what is counted goes no further
    values = {key: piece.value for key, piece in sheet(RULES, spy).values().items()}
    assert (values["merit"], values["rank"], values["merit:Pirates"], values["rank:Intelligence"]) == (95, 5, 3, 4)
    reasons = sheet(RULES, spy).values()["merit"].reasons
    assert [(each.value, each.rule) for each in reasons] == [(25, "fs-merit-points"), (60, "fs-merit-points"), (10, "fs-merit-points")]


def test_merit_gained_in_play_goes_where_it_was_gained():
    log = (MeritGained("Intelligence", 30), MeritGained("Navy", -10))
    found = {each.organization: each.points.value for each in repute(RULES, Character("Ives", merit=(NAVY, SPIES), experience=log))}
    assert found == {"Navy": 50 + 25, "Intelligence": 50 + 25}
    assert repute(RULES, Character("Ives")) == ()
    alone = repute(RULES, Character("Ives", background=(Background("Field Experience", merit=15),)))
    assert [(each.organization, each.points.value, each.rank) for each in alone] == [("", 15, 2)]


def test_nobody_counts_more_than_all_of_anothers_merit():
    odd = Character("Ives", merit=(Merit("Navy", 60, {"Intelligence": 150}), SPIES))
    problem = next(problem for problem in audit(RULES, odd).problems if problem.field == "merit.0.counts")
    assert (problem.rule, problem.over, problem.repair.value) == ("fs-merit-points", 50, {"Intelligence": 100})


@pytest.mark.parametrize(("rate", "points"), [(100, 8), (50, 4), (25, 2), (200, 16), (0, 0)])
def test_the_gamemaster_may_have_characters_grow_more_slowly_or_faster(rate, points):  # 1067
    assert award(under(experience_rate=rate), 3).value == points


@pytest.mark.parametrize(
    ("printed", "listed"), [("Watercraft, Powered", "Powered Watercraft"), ("Generic Game: chess", "Game: chess"), ("Ride", "Ride")]
)
def test_skills_are_accepted_as_the_book_prints_them(printed, listed):  # 828
    character = Character("Ann", attributes=AMY.attributes, skills={printed: 2}, familiarities=(Familiarity(printed, "a launch"),))
    assert character.skills == {listed: 2}
    assert character.familiarities == (Familiarity(listed, "a launch"),)
    assert not [problem for problem in audit(RULES, character).problems if "there is no skill" in problem.message]
