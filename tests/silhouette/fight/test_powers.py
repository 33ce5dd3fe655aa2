"""Powers and spells in fights (book lines 5456, 7169-7171)."""

import pytest
from msgspec.structs import replace
from tests.silhouette.fights import RULES, act, fight_of, keys, pools, someone

from rulewright import library
from rulewright.play import Seeded
from rulewright.scenes.encounter import Encounter
from rulewright.systems.silhouette.build.audit import audit
from rulewright.systems.silhouette.combat.arms import power_of
from rulewright.systems.silhouette.combat.entrants import enter
from rulewright.systems.silhouette.combat.fighters import UnderWay
from rulewright.systems.silhouette.creatures.audit import race_problems
from rulewright.systems.silhouette.creatures.powers import design_cost, spell_problems
from rulewright.systems.silhouette.fight.aftermath import fighter_after
from rulewright.systems.silhouette.harm.damage import Hit, thresholds_at
from rulewright.systems.silhouette.machines.design.systems import version_cost
from rulewright.systems.silhouette.machines.vehicle import Mode
from rulewright.systems.silhouette.people.characters import Character, Person
from rulewright.systems.silhouette.people.powers import Power
from rulewright.systems.silhouette.people.races import Race, body_of
from rulewright.systems.silhouette.people.secondary_attributes import secondary_of

BOLT = Power("bolt", 5, damage=2, range=0.4, accuracy=1)
HUNGRY = Power("storm", 3, damage=2, range=0.4, flaws=("power-hungry 2",))
CASTER = Character("Ysolde", attributes={"willpower": 2}, skills={"magic": 3}, spells=(BOLT, HUNGRY))


def _caster(**fields):
    return replace(enter(RULES, CASTER, "Ysolde", "Ysolde"), **fields)


def test_a_power_or_spell_costs_what_its_system_costs() -> None:
    assert design_cost(RULES, BOLT).value == version_cost(RULES, Mode(name="bolt", type="energy", damage=2, range=0.4, accuracy=1)).value


def test_a_system_is_ten_times_as_strong_and_fifty_metres_a_point_among_people() -> None:
    weapon = power_of(BOLT, spell=True)
    assert weapon.fires is not None
    assert (weapon.damage, weapon.fires.short, weapon.accuracy, weapon.spell, weapon.skill, weapon.hands) == (20, 20, 1, 5, "magic", 0)


def test_casting_is_magic_with_willpower_and_spends_the_points_whether_it_hits_or_not() -> None:
    """Line 7171."""
    fight = fight_of(_caster(), someone("Ben", (10.0, 0.0), defense=1))
    pool = fight.fighter("Ysolde").profile.magic
    assert pool == secondary_of(RULES, Person.of(RULES, CASTER))["stamina"].value == 30
    played = act(fight, "Ysolde", "shoot:Ben", faces=[(1, 2, 2), (6,)])
    assert pools(played)[0] == ("Ysolde", 3, 3)  # Willpower 2 and Accuracy 1
    assert played.outcome.fighter("Ysolde").drained == 5
    assert fighter_after(played.outcome.fighter("Ysolde"))["drained"].value == 5


def test_who_has_too_few_points_left_cannot_cast() -> None:
    fight = fight_of(_caster(drained=26), someone("Ben", (10.0, 0.0)))
    assert "shoot:Ben" not in keys(fight, "Ysolde")
    assert "shoot:Ben" in keys(fight_of(_caster(drained=25), someone("Ben", (10.0, 0.0))), "Ysolde")


def test_a_spell_that_hungers_takes_two_actions() -> None:
    fight = fight_of(_caster(in_hand=2), someone("Ben", (10.0, 0.0)))
    assert "shoot:Ben" not in keys(fight, "Ysolde", turn=UnderWay("Ysolde", 1, 1))
    assert "shoot:Ben" in keys(fight, "Ysolde", turn=UnderWay("Ysolde", 2, 2))
    after = act(fight, "Ysolde", "shoot:Ben", faces=[(1, 2, 2), (6, 5)], turn=UnderWay("Ysolde", 2, 2)).outcome
    assert after.turn is None or after.turn.left == 0


def test_turning_to_a_power_lets_nothing_fall_and_a_fumbled_spell_does_not_jam() -> None:
    armed = Character("Ysolde", skills={"magic": 1}, spells=(BOLT,), gear=CASTER.gear)
    fighter = enter(RULES, armed, "Ysolde", "Ysolde")
    fight = fight_of(fighter, someone("Ben", (10.0, 0.0), defense=1))
    fumbled = act(fight, "Ysolde", "shoot:Ben", faces=[(1,), (3,)]).outcome.fighter("Ysolde")
    assert not any(fumbled.jammed)


def test_armor_counts_half_against_what_pierces_it() -> None:
    body = someone("Ben", armor="light flak vest").body
    plain, pierced = thresholds_at(RULES, body, Hit(30)), thresholds_at(RULES, body, Hit(30, pierces=True))
    assert pierced.armor == -(-plain.armor // 2) > 0


def test_a_natural_power_is_thrown_and_a_shield_is_worth_a_third_of_its_damage_as_armor() -> None:
    race = Race(
        "kin", designs={"breath": Power("breath", damage=2, range=0.2), "hide": Power("hide", melee=True, damage=3, perks=("shield",))}
    )
    kin = enter(RULES, Character("Kin", race=race, skills={"throwing": 2}), "Kin", "Kin")
    assert [weapon.name for weapon in kin.profile.weapons] == ["fists", "breath"]
    assert kin.profile.weapons[1].skill == "throwing"
    assert body_of(RULES, race).armor == 10
    assert kin.body.armor == 10


def test_the_audit_knows_the_prices_and_how_many_spells_magic_holds() -> None:
    wrong = [problem.message for problem in audit(RULES, CASTER).problems if problem.rule == "sil-7.5.7-magic-spells"]
    assert any("bolt costs" in message for message in wrong)
    many = replace(CASTER, skills={"magic": 1})
    assert any("allows 1 spell, not 2" in problem.message for problem in audit(RULES, many).problems)
    none = replace(CASTER, skills={})
    assert any("need the skill Magic" in problem.message for problem in audit(RULES, none).problems)
    race = Race("kin", powers={"breath": 1}, designs={"breath": Power("breath", damage=2, range=0.2)})
    found = [problem.message for problem in race_problems(RULES, race, "")]
    assert any("breath costs" in message for message in found)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_fight_with_spells_plays_itself_to_an_end(seed: int) -> None:
    staged = library.stage("silhouette/hedge-fight")
    encounter = Encounter.begin(staged.scene, staged.state, staged.scenario.name)
    encounter.play_out(Seeded(seed), staged.decide)
    assert encounter.result is not None


@pytest.mark.parametrize(("level", "complexity", "most"), [(1, 1, 1), (2, 1, 2), (2, 2, 4), (3, 2, 6)])
def test_somebody_knows_as_many_spells_as_magics_level_times_its_complexity(level, complexity, most) -> None:
    """Line 7171; one more than that is left out."""
    price = int(design_cost(RULES, BOLT).value)
    known = Character("Ysolde", skills={"magic": level}, complexity={"magic": complexity}, spells=(replace(BOLT, cost=price),) * most)
    assert not list(spell_problems(RULES, known))
    more = list(spell_problems(RULES, replace(known, spells=(*known.spells, known.spells[0]))))
    assert [problem.field for problem in more] == [f"spells.{most}"]


@pytest.mark.parametrize("off", [-1, 1])
def test_a_spell_costs_neither_more_nor_less_than_its_design(off) -> None:
    price = int(design_cost(RULES, BOLT).value)
    two = Character("Ysolde", skills={"magic": 2}, spells=(replace(BOLT, cost=price), replace(BOLT, cost=price + off)))
    found = list(spell_problems(RULES, two))
    assert [problem.field for problem in found] == ["spells.1.cost"]
    assert [spell["cost"] for spell in found[0].repair.value] == [price, price]
