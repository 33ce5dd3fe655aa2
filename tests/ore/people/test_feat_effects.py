"""What all levels of feats change, and how it is applied to a roll (book lines 2383-4154)."""

from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.rules import House
from rulewright.system import find
from rulewright.systems.ore.people.characters import Character, Person, Statistics
from rulewright.systems.ore.people.feat_effects import (
    NO_HELP,
    RULE,
    Does,
    Relief,
    Try,
    asked_about,
    feat_class,
    feat_does,
    feat_named,
    feats_of,
    helped,
    helps,
    known,
    relieved,
)
from rulewright.systems.ore.people.feat_tests import attempted, brought, doubted, feat_test, situations, use_feat
from rulewright.systems.ore.people.feats import paths
from rulewright.systems.ore.resolution.readings import BestFor, Thrown, Trades
from rulewright.systems.ore.resolution.tests import Edge, Mod, Outcome, Pool, make_test
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()
LEVELS = [row for path in paths(RULES).values() for row in path.levels]
EFFECTS = [(row, place) for row in LEVELS for place in range(len(feat_does(RULES, row.feat)))]
GAME = find("ore")


def feats(**levels):
    return feats_of({name.replace("_", " "): level for name, level in levels.items()})


# --- the table of all levels --------------------------------------------------------------------------------------------------


def test_every_level_of_every_path_is_of_a_known_class():
    classes = [feat_class(RULES, row.feat) for row in LEVELS]
    assert len(classes) == 435  # 410 of chapter 3, and 25 Secret Feats of chapter 5
    assert set(classes) <= {"numbers", "offers", "gamemaster", "story"}
    assert all(feat_does(RULES, row.feat) for row in LEVELS)


def test_a_level_without_a_row_tells_a_story():
    assert feat_class(RULES, "a path of my own 1") == "story"


@pytest.mark.parametrize(("row", "place"), EFFECTS, ids=[f"{row.feat}.{place}" for row, place in EFFECTS])
def test_a_level_does_for_its_roll_what_its_row_says(row, place):
    """Each effect by itself, in just the circumstances that it names: dice, Difficulty, penalties and sets change by its figures."""
    does = feat_does(RULES, row.feat)[place]
    by = _rules_for(does)
    everything = known(by, ((row.path, row.level),))
    tried = Try(on=does.on, when=(*does.when, *does.on), manner=(row.feat,), times=3)
    alone = [each for each in everything if each.row.feat == row.feat and each.does == does]
    assert alone, "the level is known under its own rules"
    if not does.on:
        assert does.test or does.asks or does.sure or does.facts
        return
    got = helps(by, ((row.path, row.level),), tried, foes=does.foes)
    lower = [each for each in everything if each.does.foes is does.foes and each.row.feat != row.feat]
    if does.changes:
        assert row.name in got.by
    times = min(3, does.most) if does.per else 1
    bare = Pool(5).plus(Mod("hurt off-hand both hands darkness tired movement weather", -3))
    pool, need = helped(by, bare, got, 6)
    assert pool.bonus + 3 - pool.penalty >= min(0, does.dice)
    if does.dice > 0:
        assert Mod(row.name, does.dice * times, "ore-3.10-feat-reading-rules") in got.mods
    assert got.expert >= does.expert
    assert got.master >= does.master
    assert pool.expert >= does.expert
    assert pool.master >= does.master
    if does.difficulty < 0 or does.eases:
        assert need < 6
    if does.relief:
        assert pool.penalty < 3
    assert got.edge.width >= does.width * times
    assert got.edge.floor >= does.floor
    assert got.edge.height >= does.height
    assert (got.edge.squash, got.edge.squish) >= (does.squash, does.squish) or lower
    for name, number in does.amounts.items():
        assert (name, number * times) in got.amounts
    assert set(does.flags) <= got.flags


def _rules_for(does):
    if not does.where or does.where.startswith("not "):
        return RULES
    name, _, value = does.where.partition("=")
    return BOOK.ruleset(settings={name: value or True})


@pytest.mark.parametrize("row", LEVELS, ids=[row.feat for row in LEVELS])
def test_a_level_does_nothing_in_other_circumstances(row):
    assert helps(RULES, ((row.path, row.level),), Try(on=("something else",), when=("nowhere",))) is NO_HELP


# --- matching -----------------------------------------------------------------------------------------------------------------


def test_a_feat_of_a_narrow_skill_counts_for_the_broad_one_where_that_is_used_so():  # lines 2385-2388
    wired = feats(Wired=1)
    assert helps(RULES, wired, Try.of(RULES, "acrobatics")).difficulty == -1
    assert helps(RULES, wired, Try.of(RULES, "athletics")) is NO_HELP
    assert helps(RULES, wired, Try.of(RULES, "athletics", when=("acrobatics",))).difficulty == -1
    assert helps(RULES, wired, Try.of(RULES, "climbing")) is NO_HELP


def test_a_feat_that_names_the_broad_skill_counts_for_its_narrow_ones():  # line 3403
    assert helps(RULES, feats(Lie_To_Me=2), Try.of(RULES, "empathy", when=("reading how somebody feels",))).mods[0].dice == 1


def test_the_action_skill_that_stands_for_a_skill_has_its_feats():
    by = BOOK.ruleset(settings={"skill-system": "action"})
    assert helps(by, feats(Cliffhanger=4), Try.of(by, "climb", when=("climbing",))).edge.squash


def test_what_nobody_said_is_asked_about():
    (each,) = asked_about(RULES, feats(Tech_Fu=2)[:1], Try.of(RULES, "operation"))[-1:]
    assert each.row.name == "Custom Setup"
    assert not asked_about(RULES, feats(Tech_Fu=2), Try.of(RULES, "operation", when=("at a machine set up your way", "at a keyboard")))


def test_runaway_does_not_add_to_sprint():  # lines 2425-2429
    both = Try(on=("run",), when=("only action", "fleeing"))
    assert [mod.dice for mod in helps(RULES, feats(Marathon_Man=2), both).mods] == [2]
    assert [mod.dice for mod in helps(RULES, feats(Marathon_Man=1), both).mods] == [1]


def test_gifts_count_one_by_one_up_to_three():  # lines 3096-3102
    gifts = ("with gifts or favours",)
    for many, dice in ((1, 1), (2, 2), (3, 3), (5, 3)):
        assert helps(RULES, feats(Travelling_Salesman=2), Try.of(RULES, "influence", when=gifts, times=many)).mods[0].dice == dice


def test_a_master_die_of_a_higher_level_takes_the_place_of_the_expert_die():  # lines 2709-2719
    got = helps(RULES, feats(Fact_Finder=5), Try.of(RULES, "research", when=("on your subject",)))
    assert (got.expert, got.master) == (0, 1)


def test_alternatives_follow_the_rules_of_the_campaign():  # lines 3704-3714, 3348
    chop = Try(on=("attack",), when=("axes",))
    assert helps(RULES, feats(Broadcutter=3), chop).amounts == (("shock", 1), ("kill", 1))
    wounds = BOOK.ruleset(settings={"wounds": True, "penetration": True})
    assert helps(wounds, feats(Broadcutter=3), chop).amounts == (("wound threshold", -1), ("pen", 1))


# --- applying -----------------------------------------------------------------------------------------------------------------


def test_free_climbing_takes_two_off_the_difficulty_or_two_dice_of_penalty():  # lines 2419-2421
    given = helps(RULES, feats(Cliffhanger=5), Try.of(RULES, "climbing"))
    pool = Pool(6).plus(Mod("wet rock", -3))
    assert helped(RULES, pool, given, 5) == (pool.__class__(6, mods=pool.mods, edge=given.edge), 3)
    eased, need = helped(RULES, pool, given, 1)
    assert (eased.penalty, need) == (1, 1)


def test_a_difficulty_never_falls_below_one():
    given = helps(RULES, feats(Wired=1), Try.of(RULES, "acrobatics"))
    assert [helped(RULES, Pool(5), given, need)[1] for need in (1, 2, 3)] == [1, 1, 2]


def test_a_penalty_that_is_ignored_says_by_what():
    pool = relieved(Pool(5).plus(Mod("off-hand", -2), Mod("hurt", -1)), (Relief("Motor Control", 1, ("off-hand",)),))
    assert pool.mods == (Mod("off-hand, reduced by Motor Control", -1), Mod("hurt", -1))


def test_a_bonus_expert_die_is_one_beside_others():  # lines 2709-2713
    given = helps(RULES, feats(Pet_Sounds=5), Try.of(RULES, "hearing"))
    pool, _ = helped(RULES, Pool(3, expert=1), given)
    assert (pool.expert, pool.several) == (2, True)


@given(dice=st.integers(1, 5), width=st.integers(0, 1), height=st.integers(-1, 2), floor=st.integers(0, 10), shift=st.integers(0, 1))
@settings(max_examples=40, deadline=None)
def test_what_sets_count_for_is_weighed_as_it_is_read(dice, width, height, floor, shift):
    trades = Trades(squash=True, squish=True, squash_width=2, wider=width, higher=height, floor=floor, shift=shift)
    reading = BestFor(Thrown(dice, (0,) * 6, 2, trades=trades))
    counted = {}
    for faces in product(range(1, 7), repeat=dice):
        result = reading.read(faces)
        counted[result] = counted.get(result, 0) + 1
    assert dict(reading.weights()) == counted


def test_a_floor_raises_lower_sets_and_leaves_higher_ones():  # line 2743
    pool = Pool(3, edge=Edge(floor=4))
    assert str(script(make_test(RULES, pool), [(2, 2, 9)]).outcome) == "2x4"
    assert str(script(make_test(RULES, pool), [(7, 7, 1)]).outcome) == "2x7"


# --- tests of a person --------------------------------------------------------------------------------------------------------

THIEF = Character(
    "Fay",
    statistics=Statistics(body=3, coordination=4, psyche=3, insight=3, command=2, charm=3),
    skills={"crime": 4, "social": 3, "focus": 4, "athletics": 3, "manipulate": 2, "scrutinize": 2},
    feats={"Locksmith's Hand": 5, "Ill-Gotten Miens": 5, "Winning Smile": 3, "Cliffhanger": 1, "Inner Voice": 2, "Secrets & Lies": 2},
)


def test_another_skill_may_stand_for_the_one_that_is_asked_for():  # lines 2407-2409, 2896-2898
    person = Person.of(RULES, THIEF)
    afraid = Try.of(RULES, "focus", when=("facing a great height",))
    assert attempted(RULES, person, "focus", afraid).pool.size == 3 + 4  # Focus is better here
    noticing = attempted(RULES, person, "perception", Try.of(RULES, "perception", when=("noticing things",)))
    assert noticing.pool.size == 3 + 4


def test_focus_may_stand_for_insight_once():  # lines 2892-2894
    person = Person.of(RULES, THIEF)
    trusting = Try.of(RULES, "scrutinize", "insight", when=("trusting your instinct",))
    assert attempted(RULES, person, "scrutinize", trusting, statistic="insight").pool.size == 4 + 2
    assert attempted(RULES, person, "scrutinize", Try.of(RULES, "scrutinize", "insight"), statistic="insight").pool.size == 3 + 2


def test_somebody_elses_feats_make_a_test_harder():  # lines 2575-2579, 3160-3164
    guard = Character("Gus", skills={"scrutinize": 3, "social": 3})
    search = feat_test(RULES, guard, "searching", when=("looking for your picks",), against=THIEF)
    assert script(search, [(3, 3, 9, 8, 1)]).outcome.success is False  # Difficulty 4 by her Crime
    search = feat_test(RULES, guard, "searching", when=("looking for your picks",), against=THIEF)
    assert script(search, [(4, 4, 9, 8, 1)]).outcome.success is True
    reads = exact(lambda: feat_test(RULES, guard, "empathy", when=("seeing through you",), against=THIEF))
    assert reads.weights == exact(lambda: make_test(RULES, Pool(4))).weights


def test_a_roll_without_a_set_is_made_again_with_as_many_dice_as_the_rating():  # lines 3455-3457
    charms = feat_test(RULES, THIEF, "fascinate")
    done = script(charms, [(1, 3, 5, 7, 9, 10), (10, 2, 4)], ["yes", "keep 10", "keep 9", "keep 7"])
    assert str(done.outcome) == "2x10"
    plain, again = exact(lambda: make_test(RULES, Pool(6))), exact(lambda: feat_test(RULES, THIEF, "fascinate"))
    failing = sum(weight for outcome, weight in plain.weights.items() if not outcome.success) / plain.total
    fails_now = sum(weight for outcome, weight in again.weights.items() if not outcome.success) / again.total
    # three faces stay that differ: three dice more must miss them and one another
    assert fails_now == pytest.approx(failing * (7 * 6 * 5) / 10**3)


@pytest.mark.parametrize(("difficulty", "came"), [(8, "2x8"), (9, "no set")])
def test_dice_as_high_as_the_difficulty_stay_to_be_matched(difficulty, came):  # lines 3455-3457
    charms = feat_test(RULES, THIEF, "fascinate", difficulty=difficulty)
    keeps = ["yes", "keep 8", "keep 5", "keep 4"]
    assert str(script(charms, [(1, 2, 3, 4, 5, 8), (8, 1, 2)], keeps).outcome) == came


def test_a_house_may_let_feats_make_it_harder_for_others():
    harder = {"does": [{"foes": True, "on": ["empathy"], "difficulty": 3}]}
    house = BOOK.ruleset(house=House(tables={RULE: {"Winning Smile 3": harder}}))
    guard = Person.of(house, Character("Gus", skills={"social": 3}))
    reading = Try.of(house, "empathy")
    needs = [attempted(house, guard, "empathy", reading, difficulty=2, against=each).difficulty for each in ((), feats_of(THIEF.feats))]
    assert needs == [2, 5]


def test_levels_that_are_not_known_are_no_feats():
    assert feats_of({"Wired": 2, "Cliffhanger": 0, "Lie To Me": -1, "Airwolf": 1}) == (("Airwolf", 1), ("Wired", 2))


def test_a_level_with_a_test_of_its_own_brings_something_by_width():  # lines 2598-2600, 2638-2659
    done = script(use_feat(RULES, THIEF, "Skeleton Key"), [(6, 6, 1, 1, 2, 3, 4)]).outcome
    assert done.brings == ("the lock is open",)
    assert script(use_feat(RULES, THIEF, "Skeleton Key"), [(4, 4, 1, 1, 2, 3, 5)]).outcome.brings == ("the key breaks",)
    caught = use_feat(RULES, THIEF, "Ill-Gotten Miens 5", situation="caught red handed")
    assert len(script(caught, [(7, 7, 7, 1, 2, 3, 4)]).outcome.brings) == 2
    with pytest.raises(UserError, match="there is no situation"):
        script(use_feat(RULES, THIEF, "Ill-Gotten Miens 5", situation="asleep"), [])
    with pytest.raises(UserError, match="has no roll"):
        script(use_feat(RULES, THIEF, "Hidden Picks"), [])


def test_the_situations_of_a_forged_key_take_off_the_difficulty():  # lines 2587-2596
    (does,) = feat_does(RULES, "Locksmith's Hand 4")
    assert [need for _, need in situations(does)] == [5, 4, 3, 2]
    assert brought(does, 0) == ()


def test_a_level_is_found_by_its_key_and_by_its_name():
    assert feat_named(RULES, "Wired 1").name == feat_named(RULES, "tumble").name == "Tumble"
    with pytest.raises(UserError, match="did you mean"):
        feat_named(RULES, "Tumbl")


def test_rows_say_nothing_that_is_unknown():
    with pytest.raises(TypeError):
        Does(nonsense=1)


@pytest.mark.slow
def test_a_die_in_doubt_is_rolled_again():  # lines 3104-3108
    salesman = Character("Sal", skills={"manipulate": 3}, feats={"Travelling Salesman": 3})
    guard = Character("Gus", statistics=Statistics(psyche=3), skills={"focus": 3})
    resists = lambda: feat_test(RULES, guard, "willpower", when=("resisting your persuasion",), against=salesman)  # noqa: E731
    assert str(script(resists(), [(7, 7, 1, 2, 3, 4), (9,)]).outcome) == "no set"
    assert str(script(resists(), [(7, 7, 1, 2, 3, 4), (4,)]).outcome) == "2x4"
    assert str(script(resists(), [(7, 7, 1, 2, 3, 4), (7,)]).outcome) == "2x7"
    assert exact(resists).total


def test_an_opus_is_composed_against_ones_own_counter_dice():  # lines 2824-2832
    poet = Character("Pia", statistics=Statistics(charm=3), skills={"entertain": 5}, feats={"Soul Man": 5})
    opus = lambda: feat_test(RULES, poet, "compose", manner=("Soul Man 5",), times=2)  # noqa: E731
    assert str(script(opus(), [(7, 7, 7, 1, 2, 3, 4, 5), (8, 1)]).outcome) == "2x7"
    assert not script(opus(), [(7, 7, 7, 1, 2, 3, 4, 5), (8, 9)]).outcome.success
    assert str(script(opus(), [(7, 7, 7, 1, 2, 3, 4, 5), (7, 6)]).outcome) == "2x7"  # as high as the set is high enough
    person = Person.of(RULES, poet)
    performed = attempted(RULES, person, "perform", Try.of(RULES, "perform", when=("performing an opus",), times=2))
    assert performed.pool.edge.width == 2


# --- the table ----------------------------------------------------------------------------------------------------------------


def test_every_level_that_a_scene_has_to_know_of_is_shown_by_a_test_of_its_own():
    """Flags, amounts, copies of sets and free actions are read by scenes: a test names the line of the book for each."""
    from runpy import run_path

    tools = run_path(str(Path(__file__).resolve().parents[3] / "tools" / "docs.py"))
    named = set().union(*[lines for _, lines in tools["shown_in_tests"]()])
    secret = [row.feat for row in LEVELS if row.kind == "secret"]  # shown with the powers
    known = (*ELSEWHERE, *secret)
    missing = [row.feat for row in LEVELS if plays(row) and row.line not in named and row.feat not in known]
    assert missing == []


def plays(row):
    """Whether a level does more than change the dice and sets of a roll, so that some scene has to know of it."""
    return any(each.flags or each.amounts or each.twin or each.spare or each.free for each in feat_does(RULES, row.feat))


ELSEWHERE = ("You Are The Wheelman 2",)  # no vehicle falls in any scene yet


@pytest.mark.parametrize(
    ("faces", "again", "came"),
    [
        ((5, 5, 1, 2), 3, Outcome()),  # the pair is broken
        ((5, 5, 1, 2), 5, Outcome(2, 5)),  # and made again
        ((5, 5, 1, 2), 1, Outcome(2, 1)),  # or the die makes a set with another
        ((5, 5, 5, 2), 3, Outcome(2, 5)),
        ((5, 5, 5, 2), 5, Outcome(3, 5)),
        ((4, 4, 7, 7), 1, Outcome(2, 4)),  # of two as wide the higher is in doubt
        ((4, 4, 4, 7, 7), 7, Outcome(3, 7)),
    ],
)
def test_one_die_of_the_widest_set_is_rolled_again_against_who_sows_doubt(faces, again, came):
    assert script(doubted(RULES, Pool(len(faces))), [faces, (again,)]).outcome == came


def test_without_a_set_there_is_nothing_to_doubt_and_low_dice_make_none():
    assert script(doubted(RULES, Pool(4)), [(1, 2, 3, 4)]).outcome == Outcome()
    assert script(doubted(RULES, Pool(0))).outcome == Outcome()
    assert script(doubted(RULES, Pool(4), 4), [(5, 5, 3, 9), (3,)]).outcome == Outcome()
    assert script(doubted(RULES, Pool(4), 4), [(5, 5, 4, 9), (4,)]).outcome == Outcome(2, 4)
