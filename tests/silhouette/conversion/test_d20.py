"""The bridge to d20 and back (book lines 7481-7784)."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright import library
from rulewright.cli import main
from rulewright.errors import UserError
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.systems.silhouette.conversion import abilities, characters, skills
from rulewright.systems.silhouette.creatures.creatures import Creature
from rulewright.systems.silhouette.people.characters import ATTRIBUTES
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()
SHIRI = {"agility": 2, "appearance": 1, "build": 0, "creativity": 1, "fitness": 1, "influence": 1, "psyche": 1}


def test_thresholds_are_a_third_or_a_quarter_of_difficulty_classes():
    assert [abilities.difficulty_class(PLAIN, 5, style).value for style in ("cinematic", "gritty")] == [15, 20]
    assert abilities.difficulty_class(BOOK.ruleset("gritty"), 5).value == 20
    assert [abilities.threshold_for(PLAIN, 20, style).value for style in ("cinematic", "gritty")] == [7, 5]


@pytest.mark.parametrize(("score", "modifier"), [(1, -5), (9, -1), (10, 0), (11, 0), (16, 3), (17, 3), (18, 4)])
def test_a_modifier_is_what_is_above_ten_halved_and_rounded_down(score, modifier):
    assert abilities.ability_modifier(score) == modifier


@pytest.mark.parametrize(("value", "score"), [(2, 14), (3.5, 17), (0.5, 11), (0, 10), (-0.5, 9), (-1, 8), (-9, 1)])
def test_a_fraction_takes_the_upper_score_of_its_pair(value, score):
    assert abilities.score_for(value) == score


@given(st.fractions(-4, 6, max_denominator=2))
def test_a_converted_score_has_the_modifier_it_came_from(value):
    assert abilities.ability_modifier(abilities.score_for(float(value))) == value.__floor__()


def test_shiri_s_abilities_are_those_of_lines_7580_to_7592():
    assert abilities.ability_scores(PLAIN, SHIRI) == {
        "strength": 14,
        "dexterity": 15,
        "constitution": 12,
        "intelligence": 12,
        "wisdom": 11,
        "charisma": 14,
    }


def test_formulas_are_those_of_lines_7529_to_7539():
    found = {row.formula: (row.ability, row.whole, set(row.halves)) for row in abilities.FORMULAS(PLAIN).values()}
    assert list(found.values()) == [
        ("strength", "fitness", {"build", "agility"}),
        ("dexterity", "agility", {"perception", "fitness"}),
        ("constitution", "build", {"fitness", "psyche"}),
        ("intelligence", "knowledge", {"creativity", "willpower"}),
        ("intelligence", "creativity", {"knowledge", "willpower"}),
        ("wisdom", "willpower", {"perception", "creativity"}),
        ("charisma", "influence", {"appearance", "psyche"}),
        ("charisma", "appearance", {"influence", "psyche"}),
    ]


def test_instinct_stands_for_what_animals_lack():
    horse = {"agility": 1, "build": 7, "fitness": 1, "instinct": 2, "perception": 0}
    assert abilities.with_instinct(horse)["knowledge"] == abilities.with_instinct(horse)["psyche"] == 2
    assert abilities.ability_scores(PLAIN, horse)["constitution"] == abilities.score_for(7 + 1.5)


def test_instinct_replaces_willpower_too_line_7527():
    scores = abilities.ability_scores(PLAIN, {"instinct": 3, "willpower": 1, "perception": -1})
    assert (scores["intelligence"], scores["wisdom"]) == (22, 18)
    stubborn = Creature("mule", attributes={"willpower": 4})
    assert characters.to_d20(PLAIN, stubborn).result.wisdom == 10, "an Instinct that is not given is 0"


def test_attributes_come_from_modifiers_by_the_factors_of_lines_7551_to_7561():
    found = {row.attribute: (row.ability, row.factor) for row in abilities.FACTORS(PLAIN).values()}
    assert found == {
        "agility": ("dexterity", 0.75),
        "appearance": ("charisma", 0.5),
        "build": ("constitution", 0.5),
        "creativity": ("intelligence", 0.5),
        "fitness": ("constitution", 0.75),
        "influence": ("charisma", 0.75),
        "knowledge": ("intelligence", 0.75),
        "perception": ("dexterity", 0.5),
        "psyche": ("wisdom", 0.5),
        "willpower": ("wisdom", 0.75),
    }
    assert set(found) == set(ATTRIBUTES)
    assert [abilities.nearest_whole(modifier, 0.75) for modifier in (2, 3, -2, -3)] == [2, 2, -2, -2]
    assert abilities.attributes_from(PLAIN, {"dexterity": 17})["agility"] == 2


def test_sizes_begin_at_the_builds_of_lines_7567_to_7576():
    found = [(row.size, row.build) for row in abilities.SIZES(PLAIN).values()]
    assert found == [
        ("fine", -10),
        ("diminutive", -8),
        ("tiny", -6),
        ("small", -4),
        ("medium", 0),
        ("large", 6),
        ("huge", 10),
        ("gargantuan", 15),
        ("colossal", 16),
    ]
    assert [abilities.d20_size(PLAIN, build) for build in (5, 7, 14, 30, -3, -1)] == [
        "medium",
        "large",
        "huge",
        "colossal",
        "small",
        "medium",
    ]
    assert abilities.build_of_size(PLAIN, "large") == 6


def test_levels_are_those_of_lines_7632_to_7641_and_of_asa_and_shiri():
    names = ["green", "qualified", "veteran", "elite"] + ["legendary"] * 6
    found = [(row.average, row.comparison, row.level, row.beyond) for row in skills.LEVELS(PLAIN).values()]
    assert found == [(n + 1, names[n], 1 + 3 * n, n > 6) for n in range(10)]
    for average, level in ((2, 4), (3, 7)):  # line 7654
        assert skills.d20_level(PLAIN, {f"skill {n}": average for n in range(7)}).value == level
        assert skills.average_for_level(level).value == average
    assert skills.skill_average({"a": 3, "b": 2}).value == 1
    assert [skills.comparison(PLAIN, average) for average in (0, 3, 12)] == ["green", "veteran", "legendary"]


def test_skills_have_the_counterparts_of_lines_7690_to_7727():
    rows = skills.EQUIVALENTS(PLAIN)
    assert len(rows) == 38
    combat = {name for name, row in rows.items() if row.combat}
    assert combat == {"archery", "defense", "hand-to-hand", "melee", "throwing"}
    assert {name: row.feat for name, row in rows.items() if row.feat} == {
        "combat sense": "improved initiative",
        "defense": "dodge",
        "gunnery": "weapon proficiency: gunnery",
        "leadership": "leadership",
        "small arms": "weapon proficiency: firearms",
        "tinker": "a feat of its own",
    }
    assert rows["athletics"].skills == ("jump", "balance", "tumble", "climb", "swim")
    assert rows["notice"].skills == ("spot", "search", "listen", "sense motive")
    assert rows["negotiation"].skills == ("diplomacy", "appraise", "profession (trader)")
    singles = {"stealth": "move silently", "medicine": "heal", "interrogation": "intimidate", "sleight-of-hand": "pick pockets"}
    assert {name: rows[name].skills for name in singles} == {name: (other,) for name, other in singles.items()}
    assert skills.equivalent(PLAIN, "craft (cooking)").skills == ("craft (specify)",)


@given(st.dictionaries(st.sampled_from(["stealth", "notice", "medicine", "etiquette", "seduction"]), st.integers(1, 5)), st.integers(0, 80))
def test_skill_points_are_shared_out_in_proportion_and_all_of_them(known, points):
    found = skills.shared_out(PLAIN, known, points)
    assert sum(found.values()) == (points if known else 0)


def test_skill_points_are_four_levels_worth_at_the_first():
    assert skills.skill_points_of(PLAIN, "rogue", 1, 1).value == (8 + 1 + 1) * 4
    assert skills.skill_points_of(PLAIN, "fighter", 3, 0).value == (2 + 1) * 6
    assert skills.skill_points_of(PLAIN, "fighter", 1, 0, True).value == (4 + 1) * 4
    assert skills.reads_and_writes(1)
    assert not skills.reads_and_writes(0)


def test_demolitions_shape_charges_and_may_set_them_off():
    assert script(skills.demolitions(PLAIN, 5), [(15,)]).outcome.damage_times == 1.5
    people = script(skills.demolitions(PLAIN, 5, "anti-personnel"), [(15,)]).outcome
    assert (people.area_times, people.more_a_die, people.save_more) == (1.5, 2, 4)
    assert script(skills.demolitions(PLAIN, 5, "defuse", 3), [(8,)]).outcome.went_off
    assert not script(skills.demolitions(PLAIN, 5, "defuse", 3), [(9,)]).outcome.went_off
    odds = exact(lambda: skills.demolitions(PLAIN, 0, "defuse", 5))
    assert Fraction(sum(w for came, w in odds.weights.items() if came.went_off), odds.total) == Fraction(15, 20)
    with pytest.raises(UserError, match="defuse a charge"):
        script(skills.demolitions(PLAIN, 5, "defuse", 0, 10), [])
    assert skills.shaped_damage(30, 10) == 30


def test_pilot_is_for_rangers_and_rolled_like_riding():
    assert [skills.pilot_is_class_skill(name) for name in ("ranger", "fighter")] == [True, False]
    odds = exact(lambda: skills.pilot(PLAIN, 5, 15))
    assert Fraction(odds.weights[True], odds.total) == Fraction(11, 20)


def test_attack_and_defense_as_skills_cost_what_the_class_says():
    attack = {name for name, row in skills.CLASSES(PLAIN).items() if row.attack}
    defense = {name for name, row in skills.CLASSES(PLAIN).items() if row.defense}
    assert attack == {"fighter", "warrior", "paladin", "barbarian", "ranger"}
    assert defense == {"fighter", "rogue", "monk", "barbarian"}
    assert {name for name, row in skills.CLASSES(PLAIN).items() if row.more == 2} == {"fighter", "paladin", "warrior"}
    assert [skills.rank_price(PLAIN, name, "defense") for name in ("rogue", "wizard", "paladin")] == [1, 2, 2]
    assert [skills.rank_price(PLAIN, name, "defense", True) for name in ("wizard", "paladin")] == [1, 2]
    assert (skills.most_ranks(PLAIN, "fighter", 1), skills.most_ranks(PLAIN, "wizard", 1)) == (4, 2)


def test_the_beginner_s_attack_and_defense_of_line_7782_come_to_eleven():
    assert skills.total_attack(4, True, True, 4).value == 11
    assert 4 + 1 + skills.armor_class_bonus(4) + 2 == 11
    assert skills.armor_class_bonus(2.5) == 2
    assert skills.armor_class_bonus(4, dexterity_counts=False) == 0


@pytest.mark.parametrize("name", ["bounty-rider", "alley-medic", "creatures/hound", "creatures/hornets"])
def test_whole_characters_cross_with_a_list_of_what_was_lost_and_guessed(name):
    crossing = characters.to_d20(PLAIN, library.take(f"silhouette/{name}").thing)
    assert crossing.result.level >= 1
    assert crossing.guessed
    back = characters.from_d20(PLAIN, crossing.result)
    assert set(back.result.attributes) == set(ATTRIBUTES)
    assert back.guessed


def test_the_command_crosses_both_ways(tmp_path, capsys):
    out = tmp_path / "other.yaml"
    assert main(["convert", "silhouette/bounty-rider", "--to", "d20", "class=ranger", "-o", str(out)]) == 0
    capsys.readouterr()
    assert main(["convert", str(out), "--from", "d20", "--to", "silhouette", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["result"]["concept"].startswith("ranger of level")
    assert found["lost"]
    assert main(["convert", "silhouette/bounty-rider", "--to", "elsewhere"]) == 2
    assert main(["convert", "scumm/scout", "--to", "d20"]) == 2
    nonsense = tmp_path / "nonsense.yaml"
    nonsense.write_text("name: X\nstrength: lots\n")
    assert main(["convert", str(nonsense), "--from", "d20"]) == 2
    assert "d20 character" in capsys.readouterr().err
