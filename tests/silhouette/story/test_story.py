"""The gamemaster's tables and people made from them (book lines 6406-6890, 9618-9645)."""

import json
from fractions import Fraction

import pytest
from msgspec.structs import replace

from rulewright import library
from rulewright.cli import main
from rulewright.errors import UserError
from rulewright.play import Seeded, play, script
from rulewright.play.odds import exact
from rulewright.rules import House
from rulewright.scenes.scenarios import Placed
from rulewright.scenes.scene import run
from rulewright.system import find
from rulewright.systems.silhouette.build.audit import audit
from rulewright.systems.silhouette.combat.entrants import checked, enter
from rulewright.systems.silhouette.drama.death_scenes import farewell
from rulewright.systems.silhouette.fight.scene import TACTICS, begin
from rulewright.systems.silhouette.lab_view.scene import FightScene
from rulewright.systems.silhouette.settings import BOOK
from rulewright.systems.silhouette.story import people, tables
from rulewright.systems.silhouette.story.people import LEVELS, Sketch, made_from, reroll, sketch
from rulewright.systems.silhouette.story.stat_blocks import TRACK, stat_block, track_penalty

PLAIN = BOOK.ruleset()
GAME = find("silhouette")
SUMS = {total: Fraction(6 - abs(total - 7), 36) for total in range(2, 13)}


def drawn(seed, **pins):
    return play(sketch(PLAIN, pins), dice=Seeded(seed)).outcome


# --- tables -------------------------------------------------------------------------------------------------------------------


def test_features_are_those_of_lines_6650_to_6662():
    assert [row.appearance for row in tables.FEATURES(PLAIN).values()] == [
        *("albino", "unusual height", "artificial limb", "one-eyed", "tattoo", "scar"),
        *("bald", "birthmark", "missing limb", "overweight", "body odor"),
    ]
    assert [row.behavior for row in tables.FEATURES(PLAIN).values()] == [
        *("absent-minded", "gloomy", "silent", "brutal", "fanatic", "drug addict"),
        *("zealot", "pacifist", "loquacious", "sociable", "tenacious"),
    ]
    clothes = [row.clothing for row in tables.FEATURES(PLAIN).values()]
    assert (clothes[0], clothes[4], clothes[5], clothes[10]) == ("rags", "uniform", "plain", "high fashion")
    assert [row.roll for row in tables.FEATURES(PLAIN).values()] == list(range(2, 13))


def test_looks_are_those_of_lines_6669_to_6676():
    rows = list(tables.LOOKS(PLAIN).values())
    assert [row.age for row in rows] == list(range(20, 71, 5))
    assert [row.height for row in rows] == list(range(150, 201, 5))
    assert [row.weight for row in rows] == list(range(45, 96, 5))
    assert [row.hair for row in rows][:6] == ["white", "blonde", "red", "auburn", "brown", "black"]
    assert [row.eyes for row in rows][:6] == ["amber", "blue", "green", "brown", "brown", "black"]
    assert [(row.hair, row.eyes) for row in rows] == [(row.hair, row.eyes) for row in reversed(rows)]


def test_two_dice_are_added_and_women_are_shorter_by_a_row_and_lighter_by_two():
    odds = exact(lambda: tables.looks(PLAIN, "height", "man"))
    assert {int(value): Fraction(weight, odds.total) for value, weight in odds.weights.items()} == {
        150 + 5 * (total - 2): chance for total, chance in SUMS.items()
    }
    assert [tables.looks_row(total, "height", "woman") for total in (2, 3, 12)] == [2, 2, 11]
    assert [tables.looks_row(total, "weight", "woman") for total in (2, 4, 12)] == [2, 2, 10]
    assert tables.looks_row(9, "age", "woman") == 9
    fashion = exact(lambda: tables.feature(PLAIN, "clothing"))
    assert Fraction(fashion.weights["plain"], fashion.total) == Fraction(6, 36)


def test_every_kind_of_fumble_has_six_suggestions_and_devices_say_how_long_they_work():
    for kind in ("attack", "defense", "perception", "social", "stealth", "technical"):
        odds = exact(lambda kind=kind: tables.mishap(PLAIN, kind))
        assert len({came.what for came in odds.weights}) == 6
    fuse = script(tables.mishap(PLAIN, "technical"), [(3,), (5,)]).outcome
    assert fuse.turns == 5
    assert script(tables.mishap(PLAIN, "technical"), [(6,)]).outcome.blows_up_at == 3
    assert script(tables.mishap(PLAIN, "technical"), [(4,)]).outcome.works_half
    assert tables.noticed_after_fumble(False) is False


def test_there_are_four_stereotypes_six_motivations_and_five_changes_of_life():
    assert tables.types_of(PLAIN) == ("fighter", "tinkerer", "socialite", "rogue")
    assert tables.types_of(PLAIN, "motivation") == ("family", "friendship", "duty", "revenge", "survival", "circumstances")
    assert len(tables.types_of(PLAIN, "life change")) == 5
    assert len(exact(lambda: tables.twist(PLAIN, "rogue")).weights) == 9
    assert len(exact(lambda: tables.drawn_type(PLAIN)).weights) == 4


def test_twelve_plots_go_two_ways_each():
    assert len(tables.PLOTS(PLAIN)) == 12
    odds = exact(lambda: tables.plot_mover(PLAIN))
    assert len(odds.weights) == 24
    assert len(set(odds.weights.values())) == 1
    assert script(tables.plot_mover(PLAIN, "raw action"), [(2,)]).outcome.title == "raw action"


def test_five_points_are_spread_over_a_death_scene():
    assert [farewell((), 5).value, farewell((3, 1), 1).value] == [5, 1]
    with pytest.raises(UserError, match="1 of 5"):
        farewell((3, 1), 2)


def test_in_a_fight_points_of_a_death_scene_go_into_a_roll_and_are_gone():
    scenario = replace(library.take("silhouette/duel").thing, place={})
    members = []
    for side, those in scenario.sides.items():
        character = library.fetch(library.take("silhouette/duel").system, those[0].character)
        members.append(Placed(character, f"one of {side}", side, None, {"farewell": 5} if not members else {}))
    state = begin(PLAIN, scenario, members)
    usual = next(iter(TACTICS.values()))
    asked = []

    def decide(choice):
        if choice.topic == "death scene":
            asked.append(choice.options.high)
            return choice.options.high
        return usual(choice)

    last = play(run(FightScene(PLAIN), state), dice=Seeded(3), decide=decide).outcome
    assert asked == [5]
    assert last.fighters[0].farewell == 0


def test_nobody_has_more_than_five_points_of_a_death_scene():
    one = enter(PLAIN, library.take("silhouette/bounty-rider").thing, "E", "e")
    with pytest.raises(UserError, match="death scene"):
        checked(PLAIN, replace(one, farewell=6))


def test_the_track_of_the_sheet_costs_one_a_box_and_bruises_one_for_every_second():
    assert [(row.box, row.wounds, row.bruises) for row in TRACK(PLAIN).values()] == [
        (box, -box, -box // 2 if box % 2 == 0 else None) for box in range(1, 11)
    ]
    assert [track_penalty(PLAIN, boxes) for boxes in (0, 1, 10, 12)] == [0, -1, -10, -12]
    assert [track_penalty(PLAIN, boxes, True) for boxes in (0, 1, 2, 5, 10, 13)] == [0, 0, -1, -2, -5, -6]


# --- people -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["by the book", "gritty", "cinematic"])
@pytest.mark.parametrize("level", LEVELS)
def test_people_of_every_level_and_stereotype_are_legal_with_every_point_spent(preset, level):
    rules = BOOK.ruleset(preset)
    for seed in range(12):
        one = play(sketch(rules), dice=Seeded(seed)).outcome
        for stereotype in people.STRONG:
            found = audit(rules, made_from(rules, replace(one, stereotype=stereotype), level))
            assert found.problems == ()


def test_the_best_skills_are_those_of_the_level_and_the_stereotype():
    for level, best in people.BEST.items():
        one = made_from(PLAIN, drawn(4, stereotype="fighter"), level)
        assert max(one.skills.values()) >= best
        assert [name for name, value in one.skills.items() if value == best and name in people.LEARNT["fighter"]]


# Stereotype, level, talent, weakness, leaning and hobby: attributes and skills, read once and found fit for what they are.
MADE = {
    ("fighter", "green", 1, 1, 1, 1): (
        "agility +1, appearance -1, creativity -1, influence -1; "
        "small arms 1/1, defense 1/1, combat sense 1/1, hand-to-hand 1/1, melee 1/1, athletics 1/1, throwing 1/1, "
        "heavy weapons 1/1, leadership 1/1, notice 1/1, survival (urban) 1/1, medicine 1/1, interrogation 1/1, "
        "disguise 1/1, teaching 1/1, seduction 1/1, forgery (documents) 1/1, pilot (ground) 1/1, stealth 1/1, "
        "business 1/1"
    ),
    ("fighter", "veteran", 3, 3, 6, 12): (
        "agility +2, build +2, fitness +1, influence -1; "
        "athletics 3/1, melee 3/1, hand-to-hand 3/1, combat sense 3/1, defense 3/1, small arms 2/1, leadership 1/1, "
        "heavy weapons 1/1, throwing 1/1"
    ),
    ("tinkerer", "green", 2, 2, 4, 7): (
        "build -1, creativity +1, fitness -1, influence -1; "
        "investigation 1/1, medicine 1/1, notice 1/1, technical sciences (computers) 1/1, defense 1/1, teaching 1/1, "
        "technical sciences (electronics) 1/1, tinker 1/1, natural sciences (physical) 1/1, throwing 1/1, "
        "interrogation 1/1, small arms 1/1, disguise 1/1, seduction 1/1, forgery (documents) 1/1, athletics 1/1, "
        "pilot (ground) 1/1, stealth 1/1, business 1/1, melee 1/1"
    ),
    ("tinkerer", "elite", 1, 1, 1, 1): (
        "agility +1, appearance -1, creativity +2, knowledge +3, perception +2, psyche +1, willpower +1; "
        "technical sciences (electronics) 3/1, tinker 4/1, natural sciences (physical) 3/1, investigation 4/1, "
        "medicine 3/1, notice 3/1, technical sciences (computers) 3/1, defense 2/1"
    ),
    ("socialite", "qualified", 3, 4, 9, 20): (
        "agility -1, build -1, psyche +1, willpower -1; "
        "investigation 2/1, negotiation 2/1, streetwise 2/1, seduction 2/1, performance art (theatrics) 2/1"
    ),
    ("socialite", "elite", 2, 2, 4, 7): (
        "appearance +3, build -1, creativity +1, influence +2, knowledge +1, perception +1, psyche +2; "
        "streetwise 4/1, notice 4/1, seduction 4/1, business 4/1, performance art (theatrics) 4/1, investigation 1/1"
    ),
    ("rogue", "veteran", 2, 2, 4, 7): (
        "agility +2, creativity +1, knowledge -1, perception +2; "
        "sleight-of-hand 3/1, defense 3/1, athletics 3/1, melee 3/1, small arms 3/1, disguise 2/1, stealth 1/1, "
        "streetwise 1/1, notice 1/1"
    ),
    ("rogue", "elite", 3, 3, 6, 12): (
        "agility +2, appearance +1, creativity +3, fitness +1, influence +1, perception +2, psyche -1; "
        "athletics 4/1, defense 4/1, sleight-of-hand 4/1, notice 4/1, streetwise 4/1, stealth 1/1"
    ),
}


@pytest.mark.parametrize("drawn", list(MADE))
def test_whoever_is_made_from_a_sketch_stays_the_same_person(drawn):
    stereotype, level, talent, weakness, leaning, hobby = drawn
    pinned = Sketch("Somebody", stereotype=stereotype, talent=talent, weakness=weakness, leaning=leaning, hobby=hobby)
    one = made_from(PLAIN, pinned, level)
    attributes = ", ".join(f"{name} {value:+d}" for name, value in one.attributes.items() if value)
    skills = ", ".join(f"{name} {value}/{one.complexity.get(name, 1)}" for name, value in one.skills.items())
    assert f"{attributes}; {skills}" == MADE[drawn]


@pytest.mark.parametrize(("points", "deeper"), [(62, {}), (63, {"small arms": 2}), (64, {"small arms": 2})])
def test_the_best_skill_is_deepened_as_soon_as_points_are_left_for_it(points, deeper):
    rules = BOOK.ruleset(house=House(tables={"sil-2.2.1-skill-points": {"adventurous": {"pc": points}}}))
    one = made_from(rules, Sketch("Somebody", stereotype="fighter"), "veteran")  # 61 for levels 3 and 2, and two points from attributes
    assert one.complexity == deeper
    assert audit(rules, one).problems == ()


def test_points_that_are_left_over_raise_no_skill_beyond_where_it_must_be_specialized():
    rules = BOOK.ruleset("cinematic")
    one = made_from(rules, Sketch("Somebody", stereotype="tinkerer"), "green", "major npc")
    sciences = ("medicine", "natural sciences (physical)", "technical sciences (computers)", "technical sciences (electronics)")
    assert [one.skills[name] for name in sciences] == [3, 3, 3, 3]
    assert max(one.skills.values()) == 4
    assert audit(rules, one).problems == ()


def test_fewer_attributes_are_no_hindrance():
    for number in ("five", "three"):
        rules = BOOK.ruleset(settings={"attributes": number})
        assert audit(rules, made_from(rules, drawn(2), "veteran")).legal


def test_what_is_pinned_stays_and_what_is_rolled_anew_alone_changes():
    one = drawn(1, stereotype="tinkerer", age=30)
    assert (one.stereotype, one.age) == ("tinkerer", 30)
    again = play(reroll(PLAIN, one, "twist", "hair"), dice=Seeded(99)).outcome
    same = [name for name in Sketch.__struct_fields__ if getattr(one, name) == getattr(again, name)]
    assert set(Sketch.__struct_fields__) - set(same) <= {"twist", "hair"}
    with pytest.raises(UserError, match="stereo"):
        drawn(1, stereotip="rogue")
    with pytest.raises(UserError, match="no stereotype"):
        drawn(1, stereotype="pirate")


def test_what_is_said_of_somebody_stays_and_dice_decide_on_the_other_parts():
    said = {"level": "elite", "role": "pc", "stereotype": "rogue", "leaning": "9"}
    found = play(GAME.draft_parts(PLAIN, said), dice=Seeded(5)).outcome
    assert list(found) == list(Sketch.__struct_fields__)
    assert (found["stereotype"], found["leaning"]) == ("rogue", "9")
    assert found["trade"] in tables.TYPES(PLAIN)["rogue"].trades


def test_the_parts_that_are_numbers_go_from_one_to_as_many_as_the_die_has_sides():
    choices = GAME.draft_choices(PLAIN)
    assert (choices["talent"], choices["weakness"], choices["kit"]) == (("1", "2", "3"), ("1", "2", "3", "4"), ("1", "2", "3", "4"))
    assert [(choices[part][0], choices[part][-1]) for part in ("leaning", "hobby")] == [("1", "9"), ("1", "20")]


def test_of_one_thing_there_is_still_a_choice_and_of_none_there_is_not():
    def twisted(*twists):
        rules = BOOK.ruleset(house=House(tables={"sil-7.2.2-stereotypes": {"fighter": {"twists": twists}}}))
        return script(tables.twist(rules), [(1,)]).outcome

    assert twisted("afraid of blood") == "afraid of blood"
    with pytest.raises(UserError, match="nothing to choose"):
        twisted()


def test_one_seed_is_one_person():
    assert drawn(8) == drawn(8) != drawn(9)


def test_a_stat_block_names_what_a_gamemaster_needs():
    text = stat_block(PLAIN, made_from(PLAIN, drawn(3), "veteran"))
    assert all(word in text for word in ("STA", "wounds", "SS", "fists ×", "driven by"))
    beast = stat_block(PLAIN, library.take("silhouette/creatures/cave-bear").thing)
    assert "claws ×" in beast


def test_fifty_people_are_legal_differ_and_fight_without_an_error(tmp_path, capsys):
    assert main(["npc", "silhouette", "-n", "50", "--seed", "11", "-o", str(tmp_path), "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert len({one["name"] for one in made}) == 50
    assert len({json.dumps([one["attributes"], one["skills"], one["gear"], one["notes"]]) for one in made}) == 50
    files = sorted(tmp_path.glob("*.yaml"))
    found = [library.take(file).thing for file in files]
    assert all(audit(PLAIN, one).legal for one in found)
    scenario = replace(library.take("silhouette/duel").thing, place={}, rounds=6)
    usual = next(iter(TACTICS.values()))
    for at in range(0, 50, 2):
        pair = [Placed(found[at + i], found[at + i].name, side, None, {}) for i, side in enumerate(scenario.sides)]
        scene = FightScene(PLAIN)
        last = play(run(scene, begin(PLAIN, scenario, pair)), dice=Seeded(at), decide=usual).outcome
        assert scene.result(last) is not None


def test_the_command_says_what_can_be_said_beforehand(capsys):
    assert main(["npc", "silhouette", "level=green", "stereotype=rogue", "--seed", "2"]) == 0
    assert "green" in capsys.readouterr().out
    assert main(["npc", "silhouette", "colour=red"]) == 2
    assert main(["npc", "scumm"]) == 2
    assert main(["npc", "silhouette", "-n", "0"]) == 2
