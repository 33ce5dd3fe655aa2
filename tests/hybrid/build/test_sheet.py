"""The sheet: every value with its reasons, every check with its notation, steppers with honest limits."""

import msgspec
import pytest
from hypothesis import given, settings

from hybrid.build.test_audit import CHARACTERS, LEGAL, RULESETS
from rulewright.build.sheet_parts import Pool, Rows, Stepper, Tag
from rulewright.systems.hybrid import SYSTEM
from rulewright.systems.hybrid.build.audit import audit
from rulewright.systems.hybrid.build.sheet import sheet
from rulewright.systems.hybrid.people.characters import Award, Enhanced, Gift, Raised, Skill, Tie
from rulewright.systems.hybrid.people.statistics import CALCULATED
from rulewright.systems.hybrid.settings import BOOK

RULES = BOOK.ruleset()


def under(**settings):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in settings.items()})


def pieces(found, kind):
    return [piece for section in found.sections for piece in section.pieces if isinstance(piece, kind)]


@pytest.mark.parametrize("stat", CALCULATED)
def test_why_names_every_term_its_chapter_and_the_ruling(stat):
    value = sheet(RULES, LEGAL).values()[stat]
    said = [(reason.label, reason.source) for top in value.reasons for _, reason in top.walk()]
    assert any(label.startswith("chapter ") and "equation" in label for label, _ in said)
    assert any(label.startswith("ruling") and source == "ruling" for label, source in said)


def test_pools_show_where_their_points_come_from():
    found = sheet(RULES, LEGAL).values()["skill_points"]
    assert [(reason.label, reason.value) for reason in found.reasons] == [("chapter 12, section on points", 100)]
    paid = next(rows for rows in pieces(sheet(RULES, LEGAL), Rows) if rows.name == "Paid with skill points")
    assert sum(int(row[1]) for row in paid.rows) == 100
    assert ("gift: Ambidexterity", "10", "hyb-9-enhancement-list") in paid.rows


def test_an_enhanced_statistic_counts_in_its_area_alone():  # 1551, 1583
    found = sheet(RULES, msgspec.structs.replace(LEGAL, enhanced=(Enhanced("PAW", "smells", 4),)))
    assert found.values()["enhanced.0"].value == 13 + 4
    assert found.tests()["enhanced.0"].notation == "DF 17"
    assert found.tests()["PAW"].notation == "DF 13"
    assert found.values()["PSPD"].value == 4


def test_gifts_change_checks():  # 2399
    memory = msgspec.structs.replace(LEGAL, gifts=(Gift("Eidetic Memory"),))
    assert sheet(RULES, memory).tests()["memory"].notation == "DF 15"
    assert sheet(under(eidetic_bonus=2), memory).tests()["memory"].notation == "DF 14"
    labels = [chip.label for chip in sheet(RULES, memory).tests()["PST"].modifiers]
    assert "off hand" in labels
    assert "off hand" not in [chip.label for chip in sheet(RULES, LEGAL).tests()["PST"].modifiers]


def test_a_gift_for_a_field_counts_in_that_field():  # 2429-2431
    assert (
        sheet(RULES, msgspec.structs.replace(LEGAL, skills={"Magic: Warding": 5})).tests()["heightened.0"].notation == "DF 14"
    )  # 12 + 5 + 1, and -4 for the kind of skill


def test_friends_and_incomes_show_what_they_are_worth():
    found = sheet(RULES, msgspec.structs.replace(LEGAL, incomes=(Tie("stables", 5, "medium high", "wealth"),)))
    assert found.values()["friends.0"].value == 30
    assert found.values()["incomes.0"].value == 3.3


def test_chips_join_the_difficulty_factor():
    assert SYSTEM.compose("DF 12 +5%", -3, "") == "DF 9 +5%"
    assert SYSTEM.compose("DF 12", 2, "DF 8") == "DF 14 vs DF 8"
    assert SYSTEM.compose("init 4", 3, "") == "init 4 +3"


def test_steppers_stop_where_points_end():
    found = {piece.field: piece for piece in pieces(sheet(RULES, LEGAL), Stepper)}
    assert (found["primary.pst"].low, found["primary.pst"].high) == (5, 25)
    assert found["skills.Sword"].high == 14
    assert {piece.field: piece for piece in pieces(sheet(under(highest_allocated=20), LEGAL), Stepper)}["primary.pst"].high == 20


def test_the_steps_of_creation_are_shown():
    wrong = msgspec.structs.replace(LEGAL, race="Orkk")
    hurt = [tag.effect for tag in pieces(sheet(RULES, wrong), Tag) if tag.hurt]
    assert hurt == ["there is no race 'Orkk'"]


def test_experience_is_shown():
    grown = msgspec.structs.replace(LEGAL, advancement=(Award(30, "first"), Raised("Sword", 15)))
    assert sheet(RULES, grown).values()["experience_left"].value == 9
    assert sheet(RULES, grown).values()["rank.Sword"].value == 15


def test_strange_names_are_drawn_too():
    odd = msgspec.structs.replace(LEGAL, skills={"a.b": 2, "": 1, "Juggling": Skill(2, type="art", stat_base=("LUCK",))}, culture="q")
    assert sheet(RULES, odd).tests()["Juggling"].notation


@given(CHARACTERS, RULESETS)
@settings(max_examples=40, deadline=None)
def test_any_character_has_a_sheet(character, rules):
    found = sheet(rules, character)
    for value in found.values().values():
        assert value.reasons
    for test in found.tests().values():
        assert SYSTEM.test(rules, test.notation)
    assert msgspec.json.encode(found)


def test_the_sheet_has_a_check_for_every_throw_and_every_spell_as_the_fight_rolls_them():
    from rulewright.systems.hybrid import SYSTEM
    from rulewright.systems.hybrid.combat.fighters import enter
    from rulewright.systems.hybrid.combat.notation import spell

    for name in ("hunter", "warder"):
        character = SYSTEM.new(RULES, "character", name)
        found = sheet(RULES, character).tests()
        for arm in enter(RULES, character, "X", "a").profile.arms:
            if arm.use == "spell":
                assert found[f"cast.{arm.name}"].notation == spell(arm.check)
            elif arm.thrown is not None:
                assert found[f"throw.{arm.name}"].notation == spell(arm.thrown)
    assert "cast.ward" in found


def test_the_sheet_shows_what_scenes_left_and_every_check_has_its_penalty():
    hurt = msgspec.structs.replace(LEGAL, condition={"pbd": 6, "energy.fatigue": 3, "bleeding": [0]})
    drawn = sheet(RULES, hurt)
    found = {piece.name: piece for piece in pieces(drawn, Pool)}
    assert (found["PBD"].value, found["PFT"].value) == (6, 3)
    assert {"bleeding", "majorly physically wounded"} <= {piece.name for piece in pieces(drawn, Tag)}
    on = {key: [chip.value for chip in test.modifiers if chip.on] for key, test in drawn.tests().items() if key in ("PST", "MST")}
    assert on == {"PST": [-8], "MST": [-4]}


def test_the_audit_refuses_of_it_only_what_cannot_be():
    def faults(condition):
        report = audit(RULES, msgspec.structs.replace(LEGAL, condition=condition))
        return [problem.message for problem in report.problems if problem.field == "condition"]

    assert faults({"pbd": 1, "energy.worn": 3, "bleeding": [0], "dead": True}) == []
    assert len(faults({"pbd": -1, "legs": 2, "energy.fatigue": "low", "mind.nothing": 1})) == 4


def test_all_paces_are_on_the_sheet():  # 774
    values = sheet(RULES, LEGAL).values()
    rates = [values[f"pace_{mode}"].value for mode in ("crawl", "walk", "jog", "run", "dash")]
    assert rates == sorted(rates)
