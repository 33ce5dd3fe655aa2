"""Experience, study and down-time (book lines 1061-1103)."""

import pytest
from msgspec.structs import replace

from foresight.amy import AMY
from foresight.rules_for_tests import RULES, under
from rulewright.errors import UserError
from rulewright.play import script
from rulewright.systems.foresight.people.advancement import Standing, standing
from rulewright.systems.foresight.people.characters import HTH, Award, Familiarity, Known, Loss, Person, Purchase, Study
from rulewright.systems.foresight.people.study import (
    Trained,
    downtime,
    learn_in_play,
    studied,
    study,
    study_months,
    train,
    unspent_lost,
)

MEDIC = replace(AMY, fields=(*AMY.fields, Known("Medicine", "basic")))


def faults(character, *entries, rules=RULES):
    now = Standing(rules, character)
    return [fault.message for entry in entries for fault in now.take(entry)], now


def grown(*entries, character=AMY, rules=RULES):
    found, now = faults(character, *entries, rules=rules)
    assert found == []
    return now


def test_amy_learns_medicine():  # 1087, the whole story
    now = grown(Award(8), Study(8, "Medicine", 3), character=MEDIC)
    assert (now.general, now.education) == (4, {"Medicine": 4})
    for entry in (Award(5), Purchase("field", "Medicine", points=4, done=False)):
        assert list(now.take(entry)) == []
        if isinstance(entry, Award):
            assert now.unspent == 13
            assert unspent_lost(RULES, now.unspent).value == 3
    assert now.unspent == 9
    assert list(now.take(Study(5, "Medicine", 1))) == []
    assert list(now.take(Purchase("field", "Medicine", points=5, done=False))) == []
    assert now.paid["field", "Medicine"] == 15 - 6
    assert (now.general, now.unspent) == (4, 4)
    assert [fault.message for fault in now.take(Purchase("field", "Medicine"))] == ["Medicine, standard: 6 education points of 0 studied"]


@pytest.mark.parametrize(("points", "over"), [(0, None), (8, None), (9, 1), (11, 3), (-1, 0)])
def test_no_more_is_studied_than_the_award_holds(points, over):  # 1083
    now = grown(Award(8), character=MEDIC)
    assert [fault.over for fault in now.take(Study(points, "Medicine", 1))] == ([] if over is None else [over])
    assert now.education == {"Medicine": max(0, min(points, 8))}


def test_what_study_yields():  # 1087
    assert [studied(RULES, 8, qr).value for qr in (1, 2, 3, 4, 7, 10)] == [8, 6, 4, 2, 0, 0]
    assert script(study(RULES, 8, 9), [(1,)]).outcome == 8
    assert study_months(RULES, 5) == 3  # 1083
    assert study_months(RULES, 5, part_time=True) == 6
    with pytest.raises(UserError, match="quality rating"):
        studied(RULES, 8, 5)


def test_one_step_at_a_time():  # 1079
    assert grown(Award(9), Purchase("skill", "Search", 10), Purchase("skill", "Handguns", 5)).general == 9 - 1 - 2
    found, _ = faults(AMY, Award(9), Purchase("skill", "Search", 11))
    assert found == ["Search to 11: one step at a time, and it is now 9"]
    found, _ = faults(AMY, Award(9), Purchase("skill", "Search", 10), Purchase("skill", "Search", 11))
    assert found == ["Search 11: no ability rises twice at a time"]
    assert grown(Award(5), Purchase("skill", "Search", 10), Award(5), Purchase("skill", "Search", 11)).general == 10 - 1 - 2
    found, _ = faults(AMY, Award(9), Purchase("skill", "Ride", 0), Purchase("skill", "Ride", 1))
    assert found == ["Ride 1: no ability rises twice at a time"]  # a skill just learnt waits


def test_ten_points_are_kept():  # 1085
    found, now = faults(AMY, Award(8), Award(8), Award(5))
    assert found == ["6 points were lost: no more than 10 stay unspent"]
    assert (now.lost, now.general) == (6, 15)
    assert grown(Award(8), Award(8), Award(5), rules=under(unspent_points=100)).general == 21
    assert unspent_lost(under(unspent_points=0), 4).value == 4


def test_points_are_lost_first_where_they_are_free_and_then_field_by_field():
    now = grown(Award(8), Study(8, "Law", 1), Award(8), Study(7, "Medicine", 1), character=MEDIC)
    assert (now.general, now.education) == (1, {"Law": 8, "Medicine": 7})
    assert [fault.over for fault in now.take(Award(5))] == [6]
    assert (now.general, now.education) == (5, {"Law": 3, "Medicine": 7})


def test_every_kind_of_purchase():
    paid = {
        Purchase("attribute", "ST", 8): 5,
        Purchase("attribute", "IN", 13): 5,
        Purchase("environment", "Forest", 1): 2,
        Purchase("gravity", "LT", 2): 5,
        Purchase("familiarity", "Handguns", name="her pistol"): 10,
        Purchase("ambidexterity", ""): 15,
        Purchase("wealth", "", 1): 20,
        Purchase("skill", "Aircraft", 0): 3,
    }
    for entry, points in paid.items():
        assert grown(Award(30), entry).general == 30 - points, entry
    person = Person.of(RULES, replace(AMY, experience=(Award(30), *paid)))
    assert (person.attribute("ST"), person.environments["Forest"], person.gravities["LT"], person.ambidextrous) == (8, 1, 2, True)
    assert person.familiarities == (Familiarity("Handguns", "her pistol"),)
    lawyer = grown(Award(10), Study(10, "Law", 1), Purchase("specialization", "Law", name="international"))
    assert lawyer.person.specialized("Law", "international")


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (Purchase("attribute", "LUCK", 3), "there is no attribute 'LUCK'"),
        (Purchase("attribute", "ST", 9), "one step at a time"),
        (Purchase("skill", "Sorcery", 0), "there is no skill"),
        (Purchase("field", "Spells"), "there is no field"),
        (Purchase("field", "Law"), "is known at standard already"),
        (Purchase("field", "Tracking", level="basic"), "has no basic tier"),
        (Purchase("specialization", "Medicine", name="lungs"), "needs standard knowledge"),
        (Purchase("specialization", "Law"), "has no name"),
        (Purchase("specialization", "Unarmed Combat Defensive", name="x"), "has no specializations"),
        (Purchase("environment", "Moon", 1), "there is no environment"),
        (Purchase("environment", "Interior", 4), "3 is the most there can be"),
        (Purchase("familiarity", "Sorcery", name="x"), "no ability"),
        (Purchase("favored field", "Biology"), "Biology is favored, but not known"),
        (Purchase("favored field", "Surveillance"), "known at basic"),
        (Purchase("insight", "Search"), "highest level"),
        (Purchase("insight", "Sorcery"), "there is no skill"),
        (Purchase("skill", "Stealth", 5, points=1), "1 points were paid where the book asks 2"),
        (Purchase("skill", "Stealth", 5, done=False), "an instalment must say"),
        (Study(3, "Spells", 1), "no field"),
        (Study(3, "Law", 5), "there is no QR5"),
        (Study(90, "Law", 1), "cannot be studied"),
        (Award(-1), "an award of -1 points"),
    ],
)
def test_what_the_log_refuses(entry, message):
    found, _ = faults(AMY, Award(40), entry, rules=under(unspent_points=100))
    assert len(found) == 1
    assert message in found[0]


def test_points_must_be_there():
    found, _ = faults(AMY, Award(3), Purchase("attribute", "ST", 8))
    assert found == ["ST 8: 5 points of 3 in hand"]
    now = grown(Award(8), Study(4, "Medicine", 1), character=MEDIC)
    assert [(fault.message, fault.over) for fault in now.take(Purchase("field", "Medicine"))] == [
        ("Medicine, standard: 15 education points of 4 studied", 11)
    ]


@pytest.mark.parametrize(("sight", "message"), [(12, None), (11, "a unique insight needs a score of 26 in Handguns")])
def test_a_unique_insight_takes_a_score_of_26_and_costs_ten_times_the_skill(sight, message):  # 1117
    marksman = replace(AMY, trained={**AMY.trained, "DX": 13, "PC": sight}, skills={**AMY.skills, "Handguns": 13})
    found, now = faults(marksman, Award(40), Purchase("insight", "Handguns"), rules=under(unspent_points=100))
    assert (found, now.spent) == (([], 20) if message is None else ([message], 0))


def test_a_specialization_is_favored_once_its_field_is():  # 1961-1965
    scholar = replace(
        AMY,
        skills={**AMY.skills, "Theory": 15},
        fields=(*[known for known in AMY.fields if known.field != "Law"], Known("Law", specializations=("international",))),
    )
    law, special = Purchase("favored field", "Law"), Purchase("favored field", "international")
    assert grown(law, special, character=scholar).person.favored_fields == ("Law", "international")
    assert grown(Purchase("favored field", "Psychology"), law, special, character=scholar).person.favored_fields[-1] == "international"
    found, _ = faults(scholar, Purchase("favored field", "Psychology"), special)
    assert found == ["international is a specialization: Law has to be favored before it"]


def test_no_class_of_weapon_is_favored_three_times():  # 799
    fencer = replace(AMY, favored_weapons=("swords",), skills={**AMY.skills, HTH: 10})
    now = grown(Award(40), Purchase("favor", "swords"), character=fencer, rules=under(unspent_points=100))
    assert [fault.message for fault in now.take(Purchase("favor", "swords"))] == ["swords is favored twice already"]


def test_training_after_a_wound():  # 735: AG trained 8, inherent 10, is bought back for 5 a point
    now = grown(Award(15), Loss("ST", trained=2), Purchase("attribute", "ST", 6))
    assert (now.general, now.person.attribute("ST")) == (10, 6)


def test_a_plane_is_landed():  # 1091
    assert learn_in_play(RULES, "Aircraft", 3, 5).value == 3
    with pytest.raises(UserError, match="QR3 or better"):
        learn_in_play(RULES, "Aircraft", 4, 5)
    with pytest.raises(UserError, match="costs 3 points"):
        learn_in_play(RULES, "Aircraft", 2, 2)


def test_downtime():  # 1099
    with pytest.raises(UserError, match="setting downtime"):
        downtime(RULES, 12)
    long = under(downtime=True)
    assert downtime(long, 12).value == 20
    assert downtime(long, 2).value == 0
    assert script(train(long, 6, 9, 9), [(1,), (100,), (1,)]).outcome == Trained(5, 5)
    assert script(train(long, 3, 9, 9), [(100,)]).outcome == Trained(0, 0)
    assert script(train(long, 3, 9, 9, rolls=False), [(100,)]).outcome == Trained(5, 0)
    for roll, kept in ((63, Trained(5, 5)), (64, Trained(0, 0))):  # willpower 9 at 7: up to 63 is QR4
        assert script(train(long, 3, 9, 9), [(roll,), (1,)][: 1 + kept.points // 5]).outcome == kept


def test_downtime_in_the_log():
    assert faults(AMY, Award(5, months=3))[0] == ["this campaign gives nothing for down-time (setting downtime)"]
    long = under(downtime=True)
    assert grown(Award(5, months=3), rules=long).general == 5
    assert faults(AMY, Award(9, months=3), rules=long)[0] == ["3 months of down-time give 5 points, not 9"]
    assert faults(AMY, Award(0, months=-3), rules=long)[0] == ["-3 months of down-time"]


def test_standing_is_the_end_of_the_log():
    assert standing(RULES, replace(AMY, experience=(Award(7), Purchase("skill", "Teach", 3)))).general == 6


def test_a_rating_that_is_none_teaches_nothing():
    with pytest.raises(UserError, match="quality rating"):
        learn_in_play(RULES, "Aircraft", 0)


def test_living_among_people_halves_the_price_of_their_language_in_play_too():  # 2250
    award, study_it = Award(10), Study(10, "Language: Urdu", 1)
    whole, half = (grown(award, study_it, Purchase("field", "Language: Urdu", level="basic", immersed=there)) for there in (False, True))
    assert (whole.spent, half.spent) == (5, 3)  # half a point goes up
    assert ("Language", "Urdu", "basic") in [(known.field, known.name, known.level) for known in half.person.fields]
    found, now = faults(AMY, award, Study(10, "Medicine", 1), Purchase("field", "Medicine", level="basic", immersed=True))
    assert found == ["Medicine is not a language, so it has no immersion"]
    assert now.spent == 0
    found, _ = faults(AMY, award, Purchase("skill", "Ride", 0, immersed=True))
    assert found == ["Ride is not a language, so it has no immersion"]


def test_instalments_beyond_the_price_are_mentioned():  # 1085
    found, now = faults(AMY, Award(9), Purchase("skill", "Search", 10, points=4, done=False), Purchase("skill", "Search", 10))
    assert found == ["Search 10: 4 points were paid in instalments where the book asks 1"]
    assert now.person.level("Search") == 10


def test_watson_wins_back_what_he_lost_and_buys_the_rest():  # 2910, 2916; below the inherent value a point costs 5
    watson = replace(AMY, trained={**AMY.trained})
    inherent = Person.of(RULES, watson).inherent.of("EN")
    value = Person.of(RULES, watson).attribute("EN")
    now = grown(Loss("EN", 1, 3), Loss("EN", -1), character=watson)
    assert (now.person.inherent.of("EN"), now.person.attribute("EN")) == (inherent, value - 3)
    assert value - 3 < inherent
    for point in range(value - 2, inherent + 1):
        before = now.spent
        assert list(now.take(Award(5))) == []
        assert list(now.take(Purchase("attribute", "EN", point))) == []
        assert now.spent - before == 5


@pytest.mark.parametrize(
    ("entries", "messages"),
    [
        ((Loss("EN", 1, 3), Loss("EN", -1)), []),
        ((Loss("EN", 1, 3), Loss("EN", -1, -3)), []),
        ((Loss("EN", 1, 3), Loss("EN", -2)), ["EN: more inherent points are won back than were lost"]),
        ((Loss("EN", 1, 3), Loss("ST", -1)), ["ST: more inherent points are won back than were lost"]),
        ((Loss("EN", 0, -1),), ["EN: more trained points are won back than were lost"]),
    ],
)
def test_nobody_wins_back_more_than_was_lost(entries, messages):
    assert faults(AMY, *entries)[0] == messages


@pytest.mark.parametrize(("lost", "back", "repair"), [(0, 1, 0), (1, 2, -1), (2, 3, -2), (2, 5, -2)])
def test_the_repair_of_too_much_won_back_is_all_that_was_lost(lost, back, repair):
    for field in ("inherent", "trained"):
        now = grown(Loss("EN", **{field: lost}))
        (fault,) = now.take(Loss("EN", **{field: -back}))
        assert (fault.field, fault.value, fault.over) == (field, repair, back - lost)


def test_favors_that_levels_reached_in_play_bring_are_free():  # 799, 826, 1961-1965: Amy favors Law at Theory 10
    unarmed = replace(AMY, favored_weapons=("unarmed",), skills={**AMY.skills, HTH: 9, "Theory": 9}, favored_fields=("Computer Science",))
    found, _ = faults(unarmed, Award(5), Purchase("favor", "swords"))
    assert found == ["further weapons are favored from level 10 of Hand-to-Hand Combat on"]
    found, now = faults(unarmed, Award(40), Purchase("skill", HTH, 10), Purchase("favor", "swords"), rules=under(unspent_points=100))
    assert (found, now.spent, now.person.favored_weapons) == ([], 2, ("unarmed", "swords"))  # the level alone
    found, now = faults(
        unarmed,
        Award(40),
        Purchase("skill", HTH, 10),
        Purchase("favor", "swords"),
        Purchase("favor", "swords"),
        rules=under(unspent_points=100),
    )
    assert (found, now.spent) == ([], 12)  # the third costs 10
    found, now = faults(unarmed, Award(5), Purchase("favored field", "Law"))
    assert found == ["Law: Theory favors 1 fields, and they are chosen"]
    found, now = faults(unarmed, Award(5), Purchase("skill", "Theory", 10), Purchase("favored field", "Law"))
    assert (found, now.spent, now.person.favored_fields) == ([], 3, ("Computer Science", "Law"))


def test_a_familiarity_is_bought_once():  # 2067
    again = (Award(10), Purchase("familiarity", "Handguns", name="it"), Award(10), Purchase("familiarity", "Handguns", name="it"))
    found, now = faults(AMY, *again)
    assert found == ["there is one long-term familiarity with it and no second"]
    assert Person.of(RULES, replace(AMY, experience=again)).familiarities == now.person.familiarities == (Familiarity("Handguns", "it"),)
