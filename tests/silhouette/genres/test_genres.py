"""Genres: profiles as presets, their limits, and what they add (book lines 5456, 7042-7397)."""

from fractions import Fraction
from itertools import product

import pytest
from msgspec.structs import replace

from rulewright import library
from rulewright.errors import UserError
from rulewright.play import Seeded, play, script
from rulewright.play.odds import exact
from rulewright.systems.silhouette.action.recovery import recover, recovery_days
from rulewright.systems.silhouette.build.archetypes import all_rounder
from rulewright.systems.silhouette.build.audit import audit
from rulewright.systems.silhouette.build.audit.points import Points
from rulewright.systems.silhouette.combat.entrants import enter
from rulewright.systems.silhouette.combat.fighters import Fight, Ground
from rulewright.systems.silhouette.fight.turns import begin_round
from rulewright.systems.silhouette.genres import practices, profiles
from rulewright.systems.silhouette.harm.body import AVERAGE
from rulewright.systems.silhouette.machines.design.systems import version_cost
from rulewright.systems.silhouette.machines.vehicle import Mode
from rulewright.systems.silhouette.people.characters import Character, Person, skill_test
from rulewright.systems.silhouette.people.genre import effects_in_play
from rulewright.systems.silhouette.people.genre_profiles import healing_rate
from rulewright.systems.silhouette.people.martial_arts import martial_bonus
from rulewright.systems.silhouette.people.races import Race, template_cost
from rulewright.systems.silhouette.people.traits import Trait
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()
GENRES = list(profiles.IDS)


def better(one, other):
    return 7 if one == other == 6 else max(one, other)


def chance(odds, holds):
    return Fraction(sum(weight for outcome, weight in odds.weights.items() if holds(outcome)), odds.total)


# --- profiles -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("genre", GENRES)
def test_every_genre_is_a_preset_at_one_of_its_reality_levels_with_effects_the_game_knows(genre):
    rules = BOOK.ruleset(f"genre: {genre}")
    row = profiles.profile(rules)
    assert row.genre == genre
    assert rules.word("reality") in row.realities
    assert 3 <= len(profiles.effects_of(rules)) <= 5
    assert effects_in_play(rules, profiles.effects_of(rules))
    healed = row.healing if "where" not in row.healing and "unless" not in row.healing else "constant aid"
    assert healing_rate(rules) == healed
    alone = BOOK.ruleset(settings={"genre": genre, "reality": rules.word("reality")})
    assert healing_rate(alone) == healing_rate(rules), "the genre alone sets how wounds heal"


@pytest.mark.parametrize(
    ("settings", "days"),
    [
        ({}, 7),
        ({"genre": "core command"}, 0.75),  # line 7149
        ({"healing-rate": "a quarter of constant aid"}, 0.75),
        ({"healing-rate": "constant aid"}, 3),
        ({"genre": "comedy"}, 3),  # line 7339
        ({"genre": "comedy", "reality": "gritty"}, 7),
        ({"genre": "core command", "healing-rate": "as treated"}, 7),
    ],
)
def test_the_days_of_recovery_are_those_that_healing_takes(settings, days):
    rules = BOOK.ruleset(settings=settings)
    hurt = replace(AVERAGE, flesh=1, stable_flesh=1)
    assert recovery_days(rules, 1, 0, "none").value == days
    assert recover(rules, hurt, days, "none").value.flesh == 0
    assert recover(rules, hurt, days - 0.01, "none").value.flesh == 1


def test_without_a_genre_nothing_is_limited():
    assert profiles.profile(PLAIN) is None
    assert profiles.effects_of(PLAIN) == ()


def test_a_gritty_modern_game_has_other_effects_than_a_movie():
    gritty = BOOK.ruleset("genre: modern", {"reality": "gritty"})
    assert profiles.effects_of(gritty) == ("fortune favors the bold", "get a clue", "opportunity seized")


@pytest.mark.parametrize("genre", ["tribe 8", "fantasy"])
def test_low_technology_caps_complexity_and_sciences_at_two(genre):
    rules = BOOK.ruleset(f"genre: {genre}")
    learned = replace(all_rounder(rules), complexity={"melee": 3}, skills={"melee": 3, "medicine": 3, "natural sciences (life)": 2})
    fields = {problem.field for problem in audit(rules, learned).problems if not problem.warning}
    assert {"complexity.melee", "skills.medicine"} <= fields
    assert "skills.natural sciences (life)" not in fields


def test_westerns_have_no_technical_skills_and_nobody_owns_much():
    rules = BOOK.ruleset("genre: western")
    anachronism = replace(
        all_rounder(rules), skills={"pilot (air)": 1, "riding": 2}, perks=(Trait("wealthy", variant="non-renewable", rating=1),)
    )
    fields = {problem.field for problem in audit(rules, anachronism).problems if problem.rule == "sil-7.5.10-western"}
    assert {"skills.pilot (air)", "perks.0"} <= fields


def test_everybody_in_cyberpunk_has_a_flaw_and_nobody_wealth():
    rules = BOOK.ruleset("genre: cyberpunk")
    found = [problem for problem in audit(rules, all_rounder(PLAIN)).problems if problem.rule == "sil-7.5.8-cyberpunk"]
    assert [problem.field for problem in found] == ["flaws"]


def test_wounds_heal_as_with_constant_aid_or_in_a_quarter_of_the_time():
    hurt = replace(AVERAGE, flesh=1, stable_flesh=1)
    fantasy, command = BOOK.ruleset("genre: fantasy"), BOOK.ruleset("genre: core command")
    days = recovery_days(PLAIN, 1, 0, "constant").value
    assert recover(PLAIN, hurt, days, "none").value.flesh == 1
    assert recover(fantasy, hurt, days, "none").value.flesh == 0
    assert recover(command, hurt, days / 4, "none").value.flesh == 0
    assert recover(command, hurt, days / 4 - 0.1, "none").value.flesh == 1


def test_cyberpunk_adds_ten_points_for_the_body_alone():
    punk = BOOK.ruleset("genre: cyberpunk")
    assert profiles.cybernetic_points(punk, {"agility": 1}) == 3
    assert profiles.cybernetic_points(punk, {"agility": 3, "fitness": 3, "knowledge": 3}) == 10
    assert profiles.cybernetic_points(punk, {"knowledge": 3}) == 0
    assert profiles.cybernetic_points(PLAIN, {"agility": 3}) == 0


def test_an_agency_pays_as_much_wealth_as_the_obligation_is_worth():
    spies = BOOK.ruleset("genre: espionage")
    assert [profiles.wealth_of_an_agency(spies, 2, wealth) for wealth in (1, 3)] == [1, 2]
    assert profiles.wealth_of_an_agency(PLAIN, 2, 3) == 0


@pytest.mark.parametrize(("obligation", "wealth", "paid"), [(1, 2, 1), (2, 2, 0), (3, 2, 0), (2, 3, 1)])
def test_what_the_agency_pays_costs_no_skill_points(obligation, wealth, paid):
    agent = Character(
        "Ann",
        perks=(Trait("wealthy", rating=wealth, variant="non-renewable"),),
        flaws=(Trait("obligation", points=obligation, about="the agency"),),
    )
    spies = BOOK.ruleset("genre: espionage")
    assert Points(spies, agent).perks == paid
    assert Points(PLAIN, agent).perks == wealth


# --- Synthesis, spells, powers ------------------------------------------------------------------------------------------------


def test_synthesis_adds_its_margin_and_a_fumble_takes_it_away_for_hours():
    assert script(practices.synthesis(PLAIN, 2, 1), [(6, 3)]).outcome == practices.Channelled(2, 5)
    assert script(practices.synthesis(PLAIN, 2, 1, hurried=True), [(6, 3)]).outcome == practices.Channelled(0, 1)
    assert script(practices.synthesis(PLAIN, 2), [(1, 1), (4,)]).outcome.lost_hours == 4
    odds = exact(lambda: practices.synthesis(PLAIN, 2, 0))
    assert chance(odds, lambda came: came.bonus == 2) == Fraction(1, 36)
    with pytest.raises(UserError):
        practices.channels(("agility", "psyche", "fitness"))


def test_a_spell_costs_what_the_system_costs_and_stamina_pays_for_it():
    bolt = Mode(name="bolt", damage=1, range=1)
    cost = version_cost(PLAIN, bolt).value
    assert practices.casting_cost(PLAIN, bolt).value == practices.power_cost(PLAIN, bolt).value == cost
    cast = script(practices.cast(PLAIN, bolt, 30, 2, 1), [(4, 2)]).outcome
    assert (cast.worked, cast.margin, cast.left) == (True, 1, 30 - cost)
    with pytest.raises(UserError, match="Spell Points"):
        script(practices.cast(PLAIN, bolt, cost - 1), [(4, 2)])
    assert [practices.spell_points(25, 10, minutes) for minutes in (0, 29, 30, 9999)] == [15, 15, 16, 25]
    assert practices.spells_known(3, 2) == 6


def test_a_race_pays_for_its_powers_in_character_points():
    assert template_cost(PLAIN, Race("Spitters", powers={"venom": 7})).value == 7


# --- implants and fear --------------------------------------------------------------------------------------------------------


def test_implants_cost_what_lines_7203_to_7207_say():
    assert practices.implant_price("interface").value == 1000
    assert practices.implant_price("limb or organ", 3).value == 3000
    assert practices.implant_price("attribute", 20, "fitness").value == 10_000
    assert practices.implant_price("mental skill", 9).value == 4500
    assert practices.implant_price("physical skill", 9).value == 2250
    assert practices.implant_price("physical perk", 4).value == 4000
    assert practices.credits_for(3) == 3000
    with pytest.raises(UserError, match="Knowledge"):
        practices.implant_price("attribute", 20, "knowledge")


def test_a_fumbled_surgery_is_rejected_and_infects_day_by_day():
    assert script(practices.implant(PLAIN, 2), [(1, 1), (5,)]).outcome == 5
    assert script(practices.implant(PLAIN, 2), [(2, 1)]).outcome is None
    assert script(practices.rejected(PLAIN, AVERAGE, 2), [(5, 5), (5, 5)]).outcome.flesh == 2
    for days in (-1, 31):
        with pytest.raises(UserError, match="0 to 30 days"):
            script(practices.rejected(PLAIN, AVERAGE, days))
    assert script(practices.rejected(PLAIN, replace(AVERAGE, dead=True), 30)).outcome.dead


def test_horrors_are_faced_with_psyche():
    assert {row.horror: (row.threshold, row.up_to) for row in practices.HORRORS(PLAIN).values()} == {
        "a dead body": (2, None),
        "a mutilated body": (4, None),
        "a horrid monster": (7, 9),
    }
    odds = exact(lambda: practices.face_horror(PLAIN, 0, "a mutilated body"))
    assert chance(odds, lambda came: came.phobia == "severe") == Fraction(1, 36)
    lost = Fraction(sum(better(a, b) < 4 for a, b in product(range(1, 7), repeat=2) if (a, b) != (1, 1)), 36)
    assert chance(odds, lambda came: came.phobia == "mild") == lost
    assert practices.months_of_counselling(2) == 6
    assert [practices.psyche_on_drugs(2, days) for days in (0, 1, 5)] == [2, 1, 0]


# --- showdowns and martial arts -----------------------------------------------------------------------------------------------


def test_the_winner_of_a_showdown_has_the_margin_on_the_first_initiative_alone():
    rider = library.take("silhouette/bounty-rider").thing
    fight = Fight(Ground(showdown=True), (enter(PLAIN, rider, "A", "a"), enter(PLAIN, rider, "B", "b", (20.0, 0.0))))
    after = [play(begin_round(PLAIN, fight), dice=Seeded(seed)).outcome for seed in range(8)]
    bonuses = [tuple(one.body.alert for one in state.fighters) for state in after]
    assert any(max(pair) > 0 for pair in bonuses)
    assert all(min(pair) == 0 for pair in bonuses)
    second = play(begin_round(PLAIN, after[0]), dice=Seeded(1)).outcome
    assert all(one.body.alert == 0 for one in second.fighters)


def test_a_showdown_is_the_better_of_threat_and_eye_with_complexity():
    assert practices.Duelist(interrogation=3, willpower=1, notice=1, psyche=3).side().level == 3
    assert practices.Duelist(interrogation=1, notice=2, psyche=1, notice_complexity=3).side().pool.modifier == 4


def test_martial_artists_add_their_complexity_where_the_campaign_has_them():
    modern = BOOK.ruleset("genre: modern")
    assert martial_bonus(modern, "hand-to-hand", 3).value == 3
    assert martial_bonus(modern, "small arms", 3).value == 0
    assert martial_bonus(modern, "melee", 3, ()).value == 0
    assert martial_bonus(PLAIN, "hand-to-hand", 3).value == 0
    plain = replace(all_rounder(PLAIN), complexity={"athletics": 2}, specializations={"hand-to-hand": ("martial arts",)})
    pools = [skill_test(rules, Person.of(rules, plain), "athletics").modifier for rules in (PLAIN, modern)]
    assert pools[1] == pools[0] + 2
    fighter = enter(modern, plain, "M", "m")
    assert ("martial arts", 2) in [(mod.label, mod.value) for mod in fighter.profile.trained("athletics").mods]
