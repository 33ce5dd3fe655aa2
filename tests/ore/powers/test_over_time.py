"""What powers do outside fights: attunement, signatures, sleep, poison, sights and wonders, Burn as dice (lines 6018-7716)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.dice.reading import count_every_roll
from rulewright.errors import UserError
from rulewright.play import play, script
from rulewright.play.odds import exact
from rulewright.rules.reasons import holds
from rulewright.systems.ore.drama.rerolls import Turnable
from rulewright.systems.ore.harm.body import Abstract, Injury, Located, Part, Vital
from rulewright.systems.ore.powers import timed_effects as time
from rulewright.systems.ore.powers.attunement import (
    attunement,
    eased_pain,
    projected_words,
    psi_sight,
    read_signature,
    secret_feats,
    sensing_range,
)
from rulewright.systems.ore.powers.catalogue import effects
from rulewright.systems.ore.powers.usage import (
    activation,
    burns_below,
    burnt_by,
    effect_range,
    energy_points,
    kept_dice,
    seconds_seen,
    use_costs,
    use_effect,
)
from rulewright.systems.ore.powers.wards import (
    Ward,
    bent_away,
    cloaked_dice,
    contact_dice,
    hindered_senses,
    out_of_sight,
    scanner_dice,
    ward_armour,
    ward_dice,
    warped,
)
from rulewright.systems.ore.recovery.psychic import again_dice, heals, mended, soothed_dice
from rulewright.systems.ore.resolution.burn_reading import Burning
from rulewright.systems.ore.resolution.dice_assignment import OnTable
from rulewright.systems.ore.resolution.joint_readings import Fronts
from rulewright.systems.ore.resolution.readings import BestFor, Thrown
from rulewright.systems.ore.resolution.tests import Mod, Pool
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()


# --- attunement ---------------------------------------------------------------------------------------------------------------


def test_attunement_is_psi_and_focus_and_with_its_feat_clairsentience():  # lines 6185, 6228
    assert attunement(3, 2).value == 5
    assert attunement(3, 2, 4).value == 5
    assert attunement(3, 2, 4, True).value == 9


def test_beyond_ten_the_range_of_attunement_doubles():  # line 6199
    assert sensing_range(RULES, 5).value == 750
    assert [sensing_range(RULES, points).value for points in (10, 11, 12)] == [100_000_000, 200_000_000, 400_000_000]
    assert sensing_range(RULES, 0).value == 0
    assert holds(sensing_range(RULES, 12).reason)
    with pytest.raises(UserError):
        sensing_range(RULES, 21)


def test_a_signature_is_read_at_its_difficulty_less_a_cloak():  # lines 6201-6216, 6356
    assert script(read_signature(RULES, Pool(4), 2), [(2, 2, 1, 1)]).outcome.width == 2
    assert not script(read_signature(RULES, Pool(4), 3), [(2, 2, 1, 1)]).outcome.success
    assert script(read_signature(RULES, Pool(4), 1, cloak=2), [(2, 2)]).outcome.success
    with pytest.raises(UserError):
        play(read_signature(RULES, Pool(4), 6))


def test_psi_cloak_takes_a_die_for_each_point_of_width_from_whoever_cannot_see_one():  # lines 6356-6368
    assert cloaked_dice(3).dice == -3
    assert cloaked_dice(3, in_sight=True).dice == 0


def test_a_look_tells_weak_moderate_and_strong_psi_apart():  # line 6226
    assert [psi_sight(psi) for psi in range(7)] == ["none", "weak", *["moderate"] * 3, "strong", "strong"]


def test_a_power_skill_opens_secret_feats_up_to_its_rating():
    assert secret_feats(RULES, "telepathy", 2) == ("Psychic Scent", "Assay Power")
    assert len(secret_feats(RULES, "redaction", 6)) == 5
    with pytest.raises(UserError):
        secret_feats(RULES, "wizardry")
    assert (projected_words(4), eased_pain(2), eased_pain(0)) == (4, 1, 0)


# --- Burn ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrap", [Fronts, BestFor, OnTable, lambda thrown: Turnable(Fronts(thrown))])
@pytest.mark.parametrize(("dice", "difficulty", "below"), [(0, 3, 3), (1, 4, 4), (4, 3, 3), (4, 6, 3), (3, 1, 1)])
def test_how_likely_each_burn_is_agrees_with_every_roll(wrap, dice, difficulty, below):
    reading = Burning(wrap(Thrown(dice, difficulty=difficulty)), below)
    assert dict(reading.weights()) == count_every_roll(reading)


@given(st.lists(st.integers(1, 10), min_size=1, max_size=10), st.integers(1, 6))
def test_every_die_below_the_difficulty_burns_and_no_other(faces, difficulty):
    assert Burning(Fronts(Thrown(len(faces), difficulty=difficulty)), difficulty).read(tuple(faces))[1] == sum(
        [face < difficulty for face in faces]
    )


def test_waste_dice_below_the_effect_burn():  # lines 6018, 6173
    assert burnt_by(RULES, "Heatburn", (1, 2, 5)).value == 2
    assert burnt_by(RULES, "Orientation", (1, 1, 1)).value == 0
    assert burns_below(RULES, "Flashback") == 5
    assert burns_below(BOOK.ruleset(settings={"burn-below": "level"}), "Flashback") == 4


def test_what_a_use_costs_by_its_limit():  # lines 6015-6022
    assert [use_costs(RULES, 3, limit).way for limit in range(6)] == ["session", "burn", "preparation", "mana", "materials", "free"]
    assert use_costs(RULES, 3, 3).energy == 3
    assert use_costs(RULES, 3, 4).pounds == 60
    assert energy_points(3, 1, 2).value == 2


def test_an_effect_is_used_with_statistic_and_skill_at_its_intensity():  # lines 6085-6091
    assert activation(RULES, "Heatburn", 3, 2) == (Pool(5), 3)
    assert effect_range(RULES, "Heatburn", 3).value == 30
    assert effect_range(RULES, "Dowsing", 4).value == 200
    with pytest.raises(UserError):
        effect_range(RULES, "Scan")
    assert [kept_dice(RULES, name).dice for name in ("Scan", "Dowsing", "Control", "Bi-location")] == [0, -1, -2, -3]


def test_the_odds_of_an_effect_are_those_of_its_dice():
    odds = exact(lambda: use_effect(RULES, "Meditation", 2, 1))
    sets = sum(weight for used, weight in odds if used.outcome.success)
    assert Fraction(sets, odds.total) == 1 - Fraction(10 * 9 * 8, 1000)


# --- the game master ----------------------------------------------------------------------------------------------------------

ASKED = [row for row in effects(RULES).values() if row.use == "gamemaster" and row.set == "meta-psychic"]


@pytest.mark.parametrize("row", ASKED, ids=[row.effect for row in ASKED])
def test_the_game_master_is_asked_with_the_measure_and_the_log_keeps_the_answer(row):
    answers = []
    if row.steps:
        answers.append(next(iter(row.steps)))
    if row.hard:
        answers.append(0)
    faces = [(9, 9, 9, 10, 8, 7)]
    faces += [(1, 2, 3)] if row.resist else []
    against = Pool(3) if row.resist else None
    done = script(use_effect(RULES, row.effect, 3, 3, 0, against, "Ann"), faces, [*answers, "some"])
    assert done.outcome.answer == "some of it"
    assert f"Ann uses {row.effect}. {row.asks} Some of it" in [event.headline() for event in done.events]
    if row.by_width:
        assert row.by_width["3"] in done.outcome.measure
    if row.by_height:
        assert row.by_height["8"] in done.outcome.measure


def test_what_is_resisted_asks_nobody():
    done = script(use_effect(RULES, "Pilfer", 3, 3, 0, Pool(3), "Ann"), [(9, 9, 1, 2, 3, 4), (10, 10, 1)])
    assert (done.outcome.resisted, done.outcome.answer) == (True, "")


def test_danger_sense_is_rolled_behind_the_screen():  # lines 6280-6292
    done = script(use_effect(RULES, "Danger Sense", 2, 2, by="Ann"), [(9, 9, 3, 4)], ["all"])
    assert done.rolls[0].roll.unseen
    assert done.outcome.measure == "something is about to happen, in time for one defence"


def test_flashback_shows_so_many_seconds():  # lines 6374-6382
    assert [seconds_seen(RULES, width, 6).value for width in (2, 3, 4, 5)] == [180, 360, 1800, 1800]
    with pytest.raises(UserError):
        seconds_seen(RULES, 1)


# --- Clairsentience -----------------------------------------------------------------------------------------------------------


def test_sense_mastery_lessens_halves_and_ends_what_hinders_senses():  # lines 6270-6278
    assert [hindered_senses(3, psi).value for psi in range(7)] == [3, 2, 2, 1, 1, 0, 0]
    assert hindered_senses(1, 1).value == 0
    assert all(holds(hindered_senses(3, psi).reason) for psi in range(7))


def test_whoever_bilocates_goes_on_at_a_difficulty_by_what_is_known():  # line 6408
    for words, need in (("a signature one knows", 3), ("somewhere or somebody once visited", 4), ("what was only described", 5)):
        assert script(time.project(RULES, words, 2, 2), [(need, need, 1, 1)]).outcome.success
        assert not script(time.project(RULES, words, 2, 2), [(need - 1, need - 1, 1, 1)]).outcome.success
    assert sum(mod.dice for mod in time.body_left_behind()) == -3


def test_the_lifeweb_is_tuned_at_the_difficulty_of_what_is_looked_for():  # lines 6432-6452
    assert script(time.tune(RULES, 6, 2, 2), [(6, 6, 1, 1)]).outcome.success
    assert not script(time.tune(RULES, 6, 2, 2), [(5, 5, 1, 1)]).outcome.success
    with pytest.raises(UserError):
        play(time.tune(RULES, 7))


def test_a_star_seeker_sleeps_an_hour_for_each_point_of_width():  # lines 7384-7386
    assert script(time.listless_sleep(RULES, Pool(4)), [(5, 5, 5, 1)]).outcome == 3
    assert [part.value for part in time.farsensing(3, 5)] == [3, 5]  # lines 7404


# --- Electrokinesis -----------------------------------------------------------------------------------------------------------


def test_lockout_takes_its_width_from_tampering():  # lines 6548-6556
    assert time.tampering_dice(3).dice == -3


def test_a_finer_nervous_system_is_harder_to_control():  # lines 6566-6570
    found = {
        words: time.puppet(RULES, words) for words in ("simple creatures", "birds and fish", "small mammals", "large mammals and people")
    }
    assert [one.dice.dice for one in found.values()] == [0, -1, -2, -3]
    assert [one.resists for one in found.values()] == [False, False, False, True]
    with pytest.raises(UserError):
        time.puppet(RULES, "stones")


def test_light_is_drawn_in_for_so_many_rounds():  # line 6624
    assert [time.gathering_rounds(light) for light in ("bright", "indoor", "dim", "dark")] == [0, 1, 2, None]


def test_power_drain_is_as_strong_as_its_source():  # lines 6659-6663
    assert [time.drained_shock(RULES, size, 3).value for size in ("small", "medium", "large")] == [3, 4, 5]
    with pytest.raises(UserError):
        time.drained_shock(RULES, "tiny")


def test_a_refraction_of_three_by_six_warps_light_by_108_degrees():  # line 6693
    assert warped(6).value == 108
    assert bent_away(6) == 6
    assert [out_of_sight(height) for height in (8, 9, 10)] == [False, True, True]


def test_shields_of_static_and_spectrum_hinder_instruments():  # lines 6612, 6646
    assert scanner_dice(2).dice == -2
    assert contact_dice(3).dice == -3
    assert contact_dice(3, "radio").dice == 0


def test_wards_know_what_they_are_against():
    static, flame, force = Ward("Static Shield", 3), Ward("Flame Immunity", 2), Ward("Force Barrier", 2)
    assert [
        ward_armour(RULES, (static, flame, force), what).value for what in ("electricity", "nerves", "heat", "cold", "bullet", "impact")
    ] == [
        3,
        0,
        2,
        0,
        2,
        2,
    ]
    assert [mod.dice for mod in ward_dice(RULES, (static, flame), "Control")] == [-3]
    assert ward_dice(RULES, (static, flame), "Brainjack") == ()


# --- Psychokinesis ------------------------------------------------------------------------------------------------------------


def test_flash_freeze_cools_by_twenty_degrees_a_point():  # lines 6780-6790
    assert time.cooled(6).value == 120
    assert [time.thing_reached(RULES, "Flash Freeze", height) for height in (1, 2, 5, 10)] == [
        "",
        "water freezes",
        "alcohol too",
        "mercury too",
    ]


def test_hands_of_force_split_six_and_shoot_with_six_dice():  # lines 6838-6842
    assert [time.split_hands(6, body) for body in (1, 5, 3)] == [(1, 5), (5, 1), (3, 3)]
    assert time.hands_pool(1, 3, 3) == Pool(6)
    assert time.hands_pool(4, 3, 3, "body") == Pool(7)
    assert time.hands_pool(0, 6, 3) == time.hands_pool(6, 0, 3) == Pool(0)  # either is missing
    with pytest.raises(UserError):
        time.split_hands(6, 7)


def test_flight_makes_five_kilometres_an_hour_a_point():  # line 6882
    assert time.flying_speed(6).value == 30
    assert [time.flying_metres(height).value for height in (1, 6, 10)] == [6, 41, 69]


def test_heat_sink_weakens_what_it_does_not_put_out():  # lines 6886-6892
    assert [time.douse_dice(2).dice, time.douse_dice(2, explosion=True).dice, time.douse_dice(5, explosion=True).dice] == [-2, -3, -5]
    assert [time.doused(rating, 3, 6) for rating in (5, 3)] == [(2, 6), (0, 6)]
    assert [time.rekindled(2, rounds, 5) for rounds in (1, 3, 9)] == [3, 5, 5]
    assert time.rekindled(0, 4, 5) == 0


def test_plasma_control_splits_two_into_a_metre_and_a_point():  # line 6904
    assert time.fed(3, 4, 2, 1) == (4, 5)
    with pytest.raises(UserError):
        time.fed(3, 4, 2, 3)


def test_a_strength_of_ten_lifts_550_kilograms_or_ten_times_fifteen():  # lines 7576-7578
    assert (time.lifted(10).value, time.lifted(1).value, time.lifted(0).value) == (550, 15, 0)
    assert time.strengths(10, (1,) * 10) == (15,) * 10
    with pytest.raises(UserError):
        time.strengths(10, (5, 6))
    assert time.hurled_damage(3, 10).value == 13  # line 7584


def test_steel_takes_six_rounds_to_melt_and_six_minutes_to_set():  # lines 7546-7550
    assert time.melting(RULES, 6) == (6, 6, 6)
    assert time.melting(RULES, 7) == (6, 6, 7)  # contact deals the Height


# --- Redaction ----------------------------------------------------------------------------------------------------------------


def test_meditation_adds_quarters_of_an_hour_to_each_hour_of_sleep():  # line 6959
    assert time.meditated(6, 2).value == 6 * 90
    assert holds(time.meditated(6, 2).reason)


def test_healthy_glow_and_sensitivity_give_a_die_where_they_help():  # lines 6949, 6969
    assert (time.glow_dice().dice, time.glow_dice(False).dice) == (1, 0)
    assert (time.trust_dice().dice, time.trust_dice(False).dice) == (1, 0)


def test_antitoxin_cures_or_guards():  # lines 7015-7030
    assert [time.purged(virulence, 3).value for virulence in (5, 3, 1)] == [2, 0, 0]
    mod, hours = time.immunity(2, 3)
    assert (mod, hours.value) == (Mod("Antitoxin", 2, "ore-5.04-effects-redaction"), 9)
    assert "influenza" in time.toxin(RULES, 3)
    with pytest.raises(UserError):
        time.toxin(RULES, 6)


def test_cellular_repair_heals_by_height_and_leaves_as_much_to_recover_from():  # lines 7612-7625
    what, hours, kill = time.cells_repaired(RULES, 7)
    assert "30 percent" in what
    assert (hours.value, kill.value) == (7, 7)


def test_muse_moves_width_times_height_people():  # line 7326
    assert time.people_moved(3, 5).value == 15


def body(**marks):
    return Located(
        statistic=3, parts=tuple([Part(where.replace("_", " "), 10, *marks.get(where, (0, 0))) for where in ("torso", "head", "left_arm")])
    )


def test_mending_heals_shock_in_one_part_and_soothes_with_the_rest():  # lines 6983-6995
    after = mended(body(torso=(2, 1), left_arm=(2, 0)), 4, "torso")
    assert (after.body.part("torso").shock, after.body.part("left arm").shock, after.left) == (0, 2, 2)
    assert (soothed_dice(2, 3).dice, soothed_dice(2, 1).dice) == (2, 1)


def test_metamitosis_heals_kill_wherever_it_is_wanted():  # lines 7054-7060
    done = script(heals(RULES, body(torso=(0, 1), left_arm=(0, 3)), 3, "kill", "Ann"), [], ["left arm"])
    assert (done.outcome.body.part("left arm").kill, done.outcome.body.part("torso").kill, done.outcome.left) == (0, 1, 0)
    assert again_dice(2).dice == -2


def test_regeneration_heals_all_shock_before_any_kill():  # lines 7098-7104
    done = script(heals(RULES, body(torso=(2, 3)), 4, "both", "Ann"))
    assert (done.outcome.body.part("torso").shock, done.outcome.body.part("torso").kill) == (0, 1)


def test_healing_works_on_bodies_without_parts():
    vital = Vital(statistic=3, kill_lost=1, vital_lost=2, shock=4)
    after = script(heals(RULES, vital, 2, "kill")).outcome.body
    assert (after.kill_lost, after.vital_lost) == (0, 1)
    assert script(heals(RULES, vital, 6, "both")).outcome.body.record() == "1 Vital Box lost"
    abstract = Abstract(statistic=3, injuries=(Injury(1, 2),))
    assert script(heals(RULES, abstract, 1, "shock", "Ann")).outcome.body.injuries == (Injury(1, 1),)


@pytest.mark.parametrize(("into_rating", "after"), [(0, (3, 6)), (1, (4, 5)), (2, (5, 4))])
def test_all_of_the_width_or_nothing_of_it_may_go_into_the_rating_of_a_fire(into_rating, after):
    assert time.fed(3, 4, 2, into_rating) == after


@pytest.mark.parametrize("into_rating", [-1, 3])
def test_no_more_than_the_width_and_no_less_than_nothing_goes_into_a_fire(into_rating):
    with pytest.raises(UserError, match="cannot take"):
        time.fed(3, 4, 2, into_rating)


def test_an_hour_of_flight_is_five_kilometres_for_each_point_of_height():
    assert [time.flying_metres(height, 3600).value for height in (1, 6, 10)] == [5000, 30000, 50000]
