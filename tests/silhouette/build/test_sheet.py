"""The sheet: every value with its reasons, every test ready to roll."""

import pytest

from rulewright.build.sheet_parts import Budget, Rows, Stepper, Tag, Track
from rulewright.errors import UserError
from rulewright.highest_die.notation import spell
from rulewright.play import Roll, Rolled
from rulewright.systems.silhouette import SYSTEM
from rulewright.systems.silhouette.people.characters import Award, Character, Gear, Injuries, Purchase, Spent
from rulewright.systems.silhouette.people.traits import Trait
from rulewright.systems.silhouette.resolution.tests import Pool, reading
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()


def pieces(sheet, kind):
    return [piece for section in sheet.sections for piece in section.pieces if isinstance(piece, kind)]


@pytest.fixture
def knight():
    return SYSTEM.sheet(PLAIN, SYSTEM.new(PLAIN, "character", "hedge-knight"))


def test_the_derived_values_of_a_knight(knight):
    values = {key: value.value for key, value in knight.values().items()}
    assert (values["strength"], values["armed_damage"], values["stamina"], values["lift"]) == (1, 8, 35, 80)
    assert knight.values()["stamina"].reasons


def test_the_tests_of_a_knight(knight):
    tests = knight.tests()
    assert tests["melee"].notation == "3d+3"  # Agility 1, Complexity 3 on a plain task
    assert tests["attack.long spear"].notation == "3d"  # Accuracy -1; no Complexity against one who defends (line 537)
    assert "damage × 20" in tests["attack.long spear"].note
    assert tests["strength"].notation == "2d+1"
    assert tests["chance"].notation == "1d"
    assert tests["stealth"].notation == "unskilled+1"
    on = [(chip.label, chip.value) for chip in tests["athletics"].modifiers if chip.on]
    assert on == [("armor", -1), ("shield", -1)]


@pytest.mark.parametrize("name", SYSTEM.archetypes("character"))
def test_every_sheet_draws(name):
    sheet = SYSTEM.sheet(PLAIN, SYSTEM.new(PLAIN, "character", name))
    steppers = {piece.field for piece in pieces(sheet, Stepper)}
    assert len([field for field in steppers if field.startswith("attributes.")]) == 10
    assert len({field.partition(" (")[0] for field in steppers if field.startswith("skills.")}) >= 42
    assert {"Perks", "Flaws", "Weapons"} <= {piece.name for piece in pieces(sheet, Rows)}


def test_wounds_experience_and_traits_show():
    hurt = Character(
        "Hurt",
        skills={"notice": 1},
        perks=(Trait("acute senses", "sight"), Trait("nonsense")),
        flaws=(Trait("motion sickness", rating=2),),
        gear=Gear(weapons=("gas grenade", "zzz", "auxiliary grenade launcher", "sling"), armor="zzz"),
        injuries=Injuries(flesh=1, deep=1),
        advancement=(Award(20, "one"), Purchase("skill", "notice", 2), Purchase("emergency dice", to=2), Spent(1, "notice")),
    )
    rules = BOOK.ruleset(settings={"character-levels": True})
    sheet = SYSTEM.sheet(rules, hurt)
    assert [tag.effect for tag in pieces(sheet, Tag)] == ["-3 on every test"]
    assert pieces(sheet, Track)[0].marks == ("deep", "deep", "flesh")
    assert (sheet.values()["experience_left"].value, sheet.values()["level"].value) == (14, 4)
    chips = {chip.label: chip.value for chip in sheet.tests()["notice"].modifiers}
    assert chips["acute senses (sight): sight"] == 1
    assert chips["motion sickness 2: in motion"] == -2
    assert chips["wounds"] == -3
    assert sheet.tests()["notice"].notation == "2d"


def test_bruises_and_shock_show():
    def tags(**injuries):
        sheet = SYSTEM.sheet(BOOK.ruleset(), Character("Hurt", injuries=Injuries(**injuries)))
        return [(tag.name, tag.effect) for tag in pieces(sheet, Tag)]

    assert tags(bruised_flesh=1) == []
    assert tags(bruised_flesh=1, bruised_deep=1) == [("bruised", "-1 on every test")]
    assert tags(flesh=1, bruised_deep=1) == [("wounded", "-3 on every test")]
    assert tags(deep=3) == [("wounded", "-6 on every test"), ("in shock", "4 minutes to live")]
    assert tags(deep=3, stable_deep=1) == [("wounded", "-6 on every test"), ("stabilized", "1 Deep")]


def test_a_smaller_set_of_attributes_has_its_own_steppers():
    rules = BOOK.ruleset(settings={"attributes": "five"})
    sheet = SYSTEM.sheet(rules, Character("A", attributes={"body": 1}))
    fields = [piece.field for piece in pieces(sheet, Stepper) if piece.field.startswith("attributes.")]
    assert fields == [f"attributes.{name}" for name in ("alertness", "body", "intelligence", "charisma", "mind")]


@pytest.mark.parametrize(
    ("chosen", "faces", "expected"),
    [
        ({}, (6, 6, 2), [("highest of 3", 6), ("extra sixes", 1), ("modifier", -1)]),
        ({"reality": "cinematic"}, (6, 5, 2), [("highest of 3", 6), ("extra dice of the two top faces", 1), ("modifier", -1)]),
        ({"reality": "gritty"}, (6, 6, 2), [("highest of 3", 6), ("modifier", -1)]),
        ({"multiples": "any"}, (4, 4, 4), [("highest of 3", 4), ("extra dice of that value", 2), ("modifier", -1)]),
        ({"dice": "d8"}, (8, 8, 2), [("highest of 3", 8), ("extra 8s", 1), ("modifier", -1)]),
    ],
    ids=str,
)
def test_a_roll_explains_itself_in_every_campaign(chosen, faces, expected):
    from rulewright.systems.silhouette.resolution.tests import Mod

    rules = BOOK.ruleset(settings=chosen)
    dice = reading(rules, Pool(3, (Mod("malus", -1),)))
    terms = SYSTEM.explain(Rolled(Roll(dice), faces, dice.read(faces)))
    assert [(each.label, each.value) for each in terms] == expected
    assert sum(each.value for each in terms) == dice.read(faces).total
    assert all(each.rule in SYSTEM.book.index() for each in terms)


def test_what_silhouette_does_not_have_is_refused():
    with pytest.raises(UserError, match="no beginnings"):
        SYSTEM.new(PLAIN, "machine")
    with pytest.raises(UserError, match="no ready-made character"):
        SYSTEM.new(PLAIN, "character", "hedge-night")
    assert SYSTEM.archetypes("machine") == {}


@pytest.mark.parametrize("name", SYSTEM.archetypes("character"))
def test_the_attacks_on_a_sheet_are_those_that_a_fight_rolls(name):  # lines 537, 2.2.3
    from rulewright.systems.silhouette.attacks.attack_setup import make_blow
    from rulewright.systems.silhouette.attacks.shots import make_shot
    from rulewright.systems.silhouette.combat.entrants import enter
    from rulewright.systems.silhouette.combat.fighters import Fight, Ground

    character = SYSTEM.new(PLAIN, "character", name)
    tests = SYSTEM.sheet(PLAIN, character).tests()
    one, other = enter(PLAIN, character, "Ann", "us"), enter(PLAIN, Character("Ben"), "Ben", "them", (3.0, 0.0))
    fight = Fight(Ground(), (one, other))
    for weapon in one.profile.weapons:
        if weapon.blast is not None or (weapon.fires is None and not weapon.close):
            continue
        if weapon.fires is not None:
            rolled = make_shot(PLAIN, fight, one, other, weapon).attack
        else:
            rolled = make_blow(PLAIN, fight, one, other, weapon).attack.pool
        shown = tests["attack.unarmed" if weapon.name == "fists" else f"attack.{weapon.name}"]
        wounds = sum(chip.value for chip in shown.modifiers if chip.on)
        assert (shown.notation, wounds) == (
            spell(Pool(rolled.dice, tuple(_own(rolled)))),
            rolled.modifier - sum(m.value for m in _own(rolled)),
        )


def _own(pool):
    """What is added but for the penalty of wounds and armor, which the sheet has as chips, and the short distance."""
    chips = ("action penalty", "armor and shield", "badly healed wounds", "short range", "point blank")
    return [mod for mod in pool.mods if mod.label not in chips]


def test_the_sheet_of_an_advanced_character_shows_what_it_is_now():
    grown = Character(
        "Rhea",
        skills={"small arms": 3},
        complexity={"small arms": 2},
        specializations={"small arms": ("pistols",)},
        emergency_dice=2,
        advancement=(
            Award(80, "the wells"),
            Purchase("skill", "small arms", 4),
            Purchase("complexity", "small arms", 3),
            Purchase("skill", "pilot (air)", 1),
            Purchase("specialization", "small arms", name="rifles"),
        ),
    )
    sheet = SYSTEM.sheet(PLAIN, grown)
    budget = next(piece for piece in pieces(sheet, Budget) if piece.name == "Experience")
    assert (budget.spent, budget.allowed) == (31, 80)
    steppers = {piece.field: piece.levels for piece in pieces(sheet, Stepper)}
    assert steppers["skills.small arms"] == (3, 4)
    assert steppers["complexity.small arms"] == (2, 3)
    assert steppers["skills.pilot (air)"] == (0, 1)
    special = next(piece for piece in pieces(sheet, Rows) if piece.field == "specializations.small arms")
    assert (special.rows, special.keys) == ((("pistols",), ("rifles",)), ("pistols",))
