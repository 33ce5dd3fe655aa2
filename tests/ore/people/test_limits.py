"""What several feats add up to, and what a pool is with their help (book lines 2383-2410)."""

import pytest

from rulewright.systems.ore.people.feat_effects import NO_HELP, RULE, Does, Help, Known, Relief, Try, _with, with_help
from rulewright.systems.ore.people.feats import paths
from rulewright.systems.ore.resolution.tests import NO_EDGE, Edge, Mod, Pool
from rulewright.systems.ore.settings import BOOK

ROW = next(iter(paths(BOOK.ruleset()).values())).levels[0]
BEFORE = Help(
    by=("Before",),
    mods=(Mod("before", 1, RULE),),
    expert=1,
    master=2,
    promotes=3,
    difficulty=4,
    eases=5,
    eases_dice=6,
    edge=Edge(width=1, height=2, floor=3, shift=4),
    speed=7,
    amounts=(("kill", 1),),
    flags=frozenset({"old"}),
    twin=("attack",),
    time=50,
)


def added(times=1, before=BEFORE, **does):
    return _with(before, Known(ROW, Does(**does)), Try(times=times))


@pytest.mark.parametrize(
    ("field", "given", "after"),
    [("expert", 2, 3), ("master", 1, 3), ("promotes", 2, 5), ("difficulty", 2, 6), ("difficulty", -1, 3), ("speed", 2, 9)],
)
def test_figures_of_several_feats_add_up(field, given, after):
    assert getattr(added(**{field: given}), field) == after


def test_what_eases_a_difficulty_eases_penalties_as_much_unless_it_says_otherwise():
    assert (added(eases=2).eases, added(eases=2).eases_dice) == (7, 8)
    assert (added(eases=2, eases_dice=1).eases, added(eases=2, eases_dice=1).eases_dice) == (7, 7)


@pytest.mark.parametrize(
    ("per", "most", "times", "dice"), [("", 3, 5, 2), ("foe", 3, 1, 2), ("foe", 3, 2, 4), ("foe", 3, 3, 6), ("foe", 3, 4, 6)]
)
def test_what_counts_for_each_counts_as_often_as_it_is_there_and_no_more_than_its_most(per, most, times, dice):
    found = added(times, dice=2, per=per, most=most, width=1, amounts={"kill": 1})
    assert [mod.dice for mod in found.mods] == [1, dice]
    assert found.edge.width == 1 + dice // 2
    assert found.amount("kill") == 1 + dice // 2


def test_sets_gain_what_every_feat_gives():
    assert added(width=1, height=1, floor=5, shift=2).edge == Edge(width=2, height=3, floor=5, shift=6)
    assert added(floor=2).edge.floor == 3
    assert added(dice=1).edge == BEFORE.edge


def test_time_is_multiplied_by_its_share():
    assert added(time=50).time == 25
    assert added(time=200).time == 100
    assert added(dice=1).time == 50


def test_names_reliefs_flags_and_other_skills_are_kept_beside_each_other():
    found = added(relief=2, relief_of=("wounds",), flags=("new",), twin=("parry",), instead="dodge", statistic="body", beyond_ten=True)
    assert found.by == ("Before", ROW.name)
    assert found.reliefs == (Relief(ROW.name, 2, ("wounds",)),)
    assert found.flags == {"old", "new"}
    assert found.twin == ("attack", "parry")
    assert found.instead == (("dodge", "body"),)
    assert found.beyond_ten
    assert added(dice=1).reliefs == ()
    assert added(again="all", before=NO_HELP).again == "all"


@pytest.mark.parametrize(("promotes", "dice", "expert"), [(0, 4, 1), (1, 3, 2), (4, 0, 5), (6, 0, 5)])
def test_no_more_dice_are_promoted_than_there_are(promotes, dice, expert):
    pool = with_help(Pool(4, expert=1), Help(promotes=promotes, by=("x",)))
    assert (pool.dice, pool.expert, pool.several) == (dice, expert, promotes > 0)


def test_special_dice_come_beside_others_and_modifiers_after_them():
    given = Help(by=("x",), expert=1, master=2, mods=(Mod("x", 3),), edge=Edge(width=1), beyond_ten=True)
    pool = with_help(Pool(4, expert=1, mods=(Mod("y", -1),)), given)
    assert (pool.dice, pool.expert, pool.master, pool.several, pool.beyond_ten) == (4, 2, 2, True, True)
    assert [mod.dice for mod in pool.mods] == [-1, 3]
    assert pool.edge == Edge(width=1)
    plain = with_help(Pool(4), Help(by=("x",), mods=(Mod("x", 3),)))
    assert (plain.several, plain.edge) == (False, NO_EDGE)
    assert with_help(Pool(4), NO_HELP) == Pool(4)
