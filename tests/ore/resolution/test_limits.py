"""Small rules of armour, healing, morale, boxes and dice at their limits (book lines 706-714, 4419-4435, 4700-4830, 5461-5479)."""

import pytest

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.systems.ore.combat.attacks import _felt
from rulewright.systems.ore.combat.morale import frightened
from rulewright.systems.ore.drama.determination import Cast, _timed
from rulewright.systems.ore.gear.armour import Dealt, Hit, Piece, Stops, _made_of, ablated, light_and_heavy
from rulewright.systems.ore.gear.weapons import Blow
from rulewright.systems.ore.harm.body import MOST_STATISTIC, Part, Vital
from rulewright.systems.ore.harm.locations import called_numbers
from rulewright.systems.ore.machines.structure import HITS, TRACKS, Hull
from rulewright.systems.ore.people.advantages import with_extra_die
from rulewright.systems.ore.people.skills import too_many
from rulewright.systems.ore.recovery.healing import DAY, _fast
from rulewright.systems.ore.recovery.psychic import _boxes
from rulewright.systems.ore.resolution.contests import quality
from rulewright.systems.ore.resolution.outcomes import may_trade
from rulewright.systems.ore.resolution.tests import Pool
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()


def by(**settings):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in settings.items()})


# --- armour ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lost", "pen", "kill", "shock"),
    [(0, 0, 2, 5), (1, 0, 1, 4), (2, 0, 0, 3), (3, 0, 0, 2), (5, 0, 0, 0), (6, 0, 0, 0), (0, 1, 1, 4), (0, 9, 0, 3)],
)
def test_heavy_armour_stops_both_light_armour_shock_and_wear_and_pen_take_the_heavy_first(lost, pen, kill, shock):
    piece = Piece("torso", rating=5, light=3, heavy=2, lost=lost)
    assert light_and_heavy(by(penetration=True), piece, Hit(5, 5, 3, pen)) == Stops(kill, shock)


@pytest.mark.parametrize(("trait", "at"), [("", 4), ("weak", 3), ("hardened", 5)])
def test_armour_loses_a_point_to_a_wide_blow_and_never_more_than_it_has(trait, at):
    piece = Piece("torso", rating=2, trait=trait)
    assert [ablated(RULES, piece, width).lost for width in (at - 1, at, at + 1)] == [0, 1, 1]
    once, twice = ablated(RULES, piece, at), ablated(RULES, ablated(RULES, piece, at), at)
    assert (once.lost, twice.lost, ablated(RULES, twice, at).lost) == (1, 2, 2)


@pytest.mark.parametrize(("stronger", "rating", "made"), [(False, 1, (1, 0)), (False, 2, (0, 2)), (True, 2, (2, 0)), (True, 3, (0, 3))])
def test_armour_that_no_list_names_is_light_if_it_is_rated_so(stronger, rating, made):
    assert _made_of(by(stronger_armour=stronger), "an old coat", rating) == made


@pytest.mark.parametrize(
    ("blow", "came", "felt"),
    [
        ({}, (2, 1), (2, 1)),
        ({"through": ("kill",)}, (0, 0), (5, 0)),
        ({"through": ("shock",)}, (0, 0), (0, 4)),
        ({"pierces": 2}, (1, 1), (3, 3)),
        ({"pierces": 9}, (1, 1), (5, 4)),
        ({"least_kill": 2, "least_shock": 3}, (0, 0), (2, 3)),
        ({"least_kill": 2, "least_shock": 3}, (4, 4), (4, 4)),
        ({"least_kill": 9, "least_shock": 9}, (0, 0), (5, 4)),
        ({"spared": 1}, (2, 1), (2, 0)),
        ({"spared": 3}, (2, 1), (2, 0)),
    ],
)
def test_what_gets_through_is_never_more_than_the_blow_and_what_is_not_felt_comes_off_last(blow, came, felt):
    assert _felt(Blow(3, 5, 4, **blow), Hit(5, 4, 3), Dealt(*came)) == Dealt(*felt)


# --- bodies ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("points", "kill", "vital", "left"), [(1, 2, 2, 0), (3, 0, 2, 0), (4, 0, 1, 0), (5, 0, 0, 0), (7, 0, 0, 2)])
def test_kill_boxes_come_back_before_vital_ones(points, kill, vital, left):
    body, rest = _boxes(Vital(statistic=3, vital_boxes=5, kill_lost=3, vital_lost=2), points, "kill")
    assert (body.kill_lost, body.vital_lost, rest) == (kill, vital, left)


@pytest.mark.parametrize(("statistic", "fine"), [(0, False), (1, True), (MOST_STATISTIC, True), (MOST_STATISTIC + 1, False)])
def test_a_body_has_a_statistic_from_one_on(statistic, fine):
    if fine:
        assert Vital(statistic=statistic, vital_boxes=5)
    else:
        with pytest.raises(UserError, match="from 1 to"):
            Vital(statistic=statistic, vital_boxes=5)


@pytest.mark.parametrize(
    ("shock", "kill", "fine"), [(0, 0, True), (3, 2, True), (5, 0, True), (4, 2, False), (-1, 0, False), (0, -1, False)]
)
def test_a_part_holds_as_much_as_it_has_boxes(shock, kill, fine):
    if fine:
        assert Part("left arm", 5, shock, kill)
    else:
        with pytest.raises(UserError, match="5 boxes"):
            Part("left arm", 5, shock, kill)


@pytest.mark.parametrize(
    ("size", "marked", "fine"),
    [(0, 0, False), (1, TRACKS, True), (1, TRACKS + 1, False), (6, 6 * TRACKS, True), (7, 0, False), (3, -1, False)],
)
def test_a_hull_has_boxes_by_its_size(size, marked, fine):
    if fine:
        assert Hull(size=size, marked=marked)
    else:
        with pytest.raises(UserError):
            Hull(size=size, marked=marked)


@pytest.mark.parametrize(("hits", "fine"), [(0, False), (1, True), (HITS, True), (HITS + 1, False)])
def test_a_system_takes_so_many_hits(hits, fine):
    if fine:
        assert Hull(size=3, hits=(("engine", hits),))
    else:
        with pytest.raises(UserError, match="hits"):
            Hull(size=3, hits=(("engine", hits),))


@pytest.mark.parametrize(
    ("hours", "resting", "kill"), [(DAY - 1, True, 2), (DAY, True, 1), (2 * DAY, True, 0), (5 * DAY, True, 0), (DAY, False, 2)]
)
def test_a_day_of_rest_heals_a_box_of_kill_of_somebody_with_boxes(hours, resting, kill):
    hurt = Vital(statistic=3, vital_boxes=5, kill_lost=2)
    assert script(_fast(RULES, hurt, 1, hours, resting=resting, by="Ann")).outcome.kill_lost == kill


# --- dice and names ----------------------------------------------------------------------------------------------------------------


def test_an_aimed_torso_is_struck_at_seven_to_nine_and_at_five_on_six_sides():
    assert called_numbers(RULES, "torso") == (7, 8, 9)
    assert called_numbers(by(six_sided_dice=True), "torso") == (5,)


@pytest.mark.parametrize(
    ("expert", "master", "trade"), [(0, 0, (False, False)), (1, 0, (False, True)), (0, 1, (True, True)), (2, 1, (True, True))]
)
def test_an_expert_die_lets_squish_and_a_master_die_both(expert, master, trade):
    assert may_trade(by(squash_and_squish="special dice"), expert, master) == trade


@pytest.mark.parametrize(
    ("width", "height", "threat", "mooks", "gone"),
    [(2, 5, 2, 10, 2), (2, 1, 2, 10, 2), (2, 1, 3, 10, 0), (2, 3, 3, 10, 2), (4, 5, 2, 3, 3), (0, 9, 2, 10, 0), (1, 9, 2, 10, 1)],
)
def test_a_morale_attack_that_is_wide_or_high_enough_frightens_as_many_as_it_is_wide(width, height, threat, mooks, gone):
    assert frightened(by(simple_mooks=True), width, height, threat, mooks) == gone
    assert frightened(RULES, width, height, threat, mooks) == (min(width, mooks) if width >= threat else 0)


@pytest.mark.parametrize(
    ("names", "more"),
    [
        ([], 0),
        (["fight"], 0),
        (["fight", "dodge"], 0),
        (["fight", "dodge", "parry"], 1),
        (["perform: song", "perform: dance", "compose"], 0),
    ],
)
def test_two_narrow_skills_of_a_field_are_enough_and_one_in_several_media_is_one(names, more):
    assert too_many(names) == more


@pytest.mark.parametrize(("special", "expert", "given"), [("extra expert", 2, []), ("standard", 1, [1])])
def test_an_extra_die_is_one_more_of_its_kind(special, expert, given):
    pool = with_extra_die(by(special_dice=special), Pool(4, 1, 1))
    assert (pool.dice, pool.expert, pool.master, [mod.dice for mod in pool.mods]) == (4, expert, 1, given)


@pytest.mark.parametrize(
    ("less", "cast", "own", "speed"), [(0, 0, 0, 3), (0, 2, 0, 5), (0, 1, 1, 5), (0, -1, 0, 2), (0, -9, 0, 0), (2, 0, 0, 3)]
)
def test_feats_make_a_set_faster_and_nothing_is_slower_than_nothing(less, cast, own, speed):
    timed = _timed(RULES, Cast("Ann", Pool(6), height=less, speed=cast), (3, 7, 0), own)
    assert (timed.width, timed.height, timed.speed[0]) == (3, 7 - less, speed)


def test_the_rolls_of_a_project_are_counted_from_the_first():
    assert [(reason.label, reason.value) for reason in quality(RULES, (4, 8)).reasons[:2]] == [("roll 1", 4), ("roll 2", 8)]
