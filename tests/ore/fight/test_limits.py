"""Sets that wait, dice that hits cost, and what feats make of a blow, at their limits (book lines 397-424, 4302-4324, 5303-5311)."""

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.systems.ore.combat.fighters import Act, Fight, Ground, Pending, Plan
from rulewright.systems.ore.combat.mooks import MOST_MOOKS, MOST_THREAT, Mob
from rulewright.systems.ore.combat.profiles import enter
from rulewright.systems.ore.drama.determination import ActionPart, Cast, Timed, given_out
from rulewright.systems.ore.fight.events import DieLost, SetReady
from rulewright.systems.ore.fight.resolution.lost_dice import loses_a_die, shaken
from rulewright.systems.ore.fight.resolution.strikes import shaped
from rulewright.systems.ore.fight.rounds import _assigned, _mutual, is_far
from rulewright.systems.ore.gear.weapons import Blow
from rulewright.systems.ore.harm.body import Part
from rulewright.systems.ore.people.characters import Character, Statistics
from rulewright.systems.ore.people.feat_effects import Help
from rulewright.systems.ore.resolution.tests import Edge, Pool
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()
FALLS = BOOK.ruleset(settings={"speed-of-a-shaken-set": "falls with it"})


def somebody(name, *weapons, **more):
    skills = {"close combat": 3, "ranged combat": 3, "athletics": 3}
    return Character(name, statistics=Statistics(body=3, coordination=3), skills=skills, weapons=weapons, **more)


def fight(*weapons, metres=0, **more):
    people = enter(RULES, somebody("Ann", *weapons, **more), "Ann", "a"), enter(RULES, somebody("Bob"), "Bob", "b", metres)
    return Fight(Ground(metres), people)


def assigned(state, cast, *pairs):
    """What waits, and the sets that are told, of actions with their sets."""
    acts, sets = tuple([act for act, _ in pairs]), tuple([one for _, one in pairs])
    played = script(_assigned(RULES, state, cast, acts, sets))
    return played.outcome, [event for event in played.events if isinstance(event, SetReady)]


HIT = Act("attack", "Bob")
WIDE = Timed(3, 7, (3,))


# --- sets and their actions --------------------------------------------------------------------------------------------------------


def test_a_set_waits_with_its_width_height_speed_and_place():
    found, told = assigned(fight(), Cast("Ann", Pool(6), actions=2), (HIT, WIDE), (Act("dodge"), Timed(2, 4, (2,))))
    assert [(each.act.kind, each.width, each.height, each.speed, each.place, each.need, each.needs) for each in found] == [
        ("attack", 3, 7, (3,), 1, 1, 0),
        ("dodge", 2, 4, (2,), 2, 1, 0),
    ]
    assert [each.counters for each in found] == [False, True]
    assert [(event.width, event.height, event.faster, event.wider) for event in told] == [(3, 7, 0, 0), (2, 4, 0, 0)]


def test_an_action_without_a_set_keeps_its_place_free():
    found, _ = assigned(fight(), Cast("Ann", Pool(6), actions=2), (Act("dodge"), None), (HIT, WIDE))
    assert [(each.act.kind, each.place) for each in found] == [("attack", 2)]


@pytest.mark.parametrize(("difficulty", "need"), [(0, 1), (1, 1), (2, 2), (5, 5)])
def test_a_set_remembers_the_difficulty_that_it_had_to_meet(difficulty, need):
    found, _ = assigned(fight(), Cast("Ann", Pool(6), difficulty=difficulty), (HIT, WIDE))
    assert found[0].need == need


def test_what_rests_on_an_earlier_action_says_on_which():
    parts = (ActionPart("close in"), ActionPart("grapple", needs=1))
    found, _ = assigned(fight(), Cast("Ann", Pool(6), actions=2, parts=parts), (HIT, WIDE), (Act("grapple", "Bob"), Timed(2, 4, (2,))))
    assert [each.needs for each in found] == [0, 1]


@pytest.mark.parametrize(("needs", "third"), [(1, 8), (2, None)])
def test_what_rests_on_an_action_without_a_set_gets_none_and_another_does(needs, third):
    """Of three actions the second goes without: the third is done all the same where it rests on the first."""
    parts = (ActionPart("close in"), ActionPart("attack"), ActionPart("grapple", needs=needs))
    cast = Cast("Ann", Pool(9), actions=3, parts=parts)
    played = script(given_out(RULES, cast, ((3, 9), (2, 8))), [], ["3x9", "none"])
    first, second, last = played.outcome
    assert (first.height, second, last and last.height) == (9, None, third)


@pytest.mark.parametrize(("speed", "part", "told"), [(0, 0, 0), (2, 0, 2), (0, 1, 1), (2, 1, 3), (-1, 0, -1), (-9, 0, -3)])
def test_what_makes_a_set_faster_or_slower_is_told_and_never_more_than_its_speed(speed, part, told):
    parts = (ActionPart("attack", speed=part),) if part else ()
    _, (event,) = assigned(fight(), Cast("Ann", Pool(6), parts=parts, speed=speed), (HIT, WIDE))
    assert event.faster == told


def test_what_feats_add_to_the_width_is_told_of_the_whole_pool_or_of_the_part():
    _, (event,) = assigned(fight(), Cast("Ann", Pool(6, edge=Edge(width=1))), (HIT, WIDE))
    assert event.wider == 1
    parts = (ActionPart("attack", edge=Edge(width=2)),)
    _, (event,) = assigned(fight(), Cast("Ann", Pool(6, edge=Edge(width=1)), parts=parts), (HIT, WIDE))
    assert event.wider == 2


@pytest.mark.parametrize(("dice", "width", "edge", "waste"), [(6, 3, 0, 3), (6, 6, 0, 0), (6, 3, 1, 4), (2, 3, 0, 0)])
def test_dice_outside_the_set_are_counted_for_those_with_feats(dice, width, edge, waste):
    state = fight(feats={"Power Attack": 1})
    found, _ = assigned(state, Cast("Ann", Pool(dice, edge=Edge(width=edge))), (HIT, Timed(width, 7, (width,))))
    assert found[0].waste_dice == waste
    plain, _ = assigned(fight(), Cast("Ann", Pool(dice)), (HIT, Timed(width, 7, (width,))))
    assert plain[0].waste_dice == 0


def test_each_of_several_sets_is_as_fast_and_as_wide_as_its_own_part():
    parts = (ActionPart("attack", speed=1, edge=Edge(width=1)), ActionPart("dodge", speed=2, edge=Edge(width=3)))
    _, told = assigned(fight(), Cast("Ann", Pool(6), actions=2, parts=parts), (HIT, WIDE), (Act("dodge"), WIDE))
    assert [(event.faster, event.wider) for event in told] == [(1, 1), (2, 3)]


@pytest.mark.parametrize(("kill", "off"), [(5, True), (0, False)])
def test_what_is_done_with_the_other_hand_is_remembered(kill, off):
    state = fight()
    state = state.change("Ann", body=state.fighter("Ann").body.put(Part("right arm", 5, 0, kill)))
    found, _ = assigned(state, Cast("Ann", Pool(6)), (HIT, WIDE))
    assert found[0].off is off


def test_without_a_set_the_first_of_the_actions_that_were_tried_comes_to_nothing():
    told = [tell.event for tell in _assigned(RULES, fight(), Cast("Ann", Pool(6), actions=2), (Act("dodge"), HIT), (WIDE, None))]
    (verdict,) = [event.verdict() for event in told if event.verdict() is not None]
    assert (verdict.name, verdict.by, verdict.to) == ("no set", "Ann", "Bob")


def test_what_is_thrown_is_the_weapon_in_hand():
    found, _ = assigned(fight("javelin: trajectory 2"), Cast("Ann", Pool(6)), (HIT, WIDE))
    assert found[0].act.weapon == 1
    struck, _ = assigned(fight("broadsword"), Cast("Ann", Pool(6)), (HIT, WIDE))
    assert struck[0].act.weapon == HIT.weapon


# --- two who strike at each other --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ann", "bob", "metres", "mutual"),
    [
        ((HIT,), (Act("attack", "Ann"),), 0, True),
        ((HIT,), (Act("dodge"),), 0, False),
        ((HIT,), (Act("attack", "Cid"),), 0, False),
        ((HIT, Act("dodge")), (Act("attack", "Ann"),), 0, False),
        ((HIT,), (Act("attack", "Ann"),), 2, True),
        ((HIT,), (Act("attack", "Ann"),), 3, False),
        ((replace(HIT, shots=2),), (Act("attack", "Ann"),), 0, False),
    ],
)
def test_exactly_two_who_strike_once_at_each_other_within_reach_are_mutual(ann, bob, metres, mutual):
    state = replace(fight(metres=metres), plans=(Plan("Ann", ann), Plan("Bob", bob)))
    assert _mutual(state) is mutual


@pytest.mark.parametrize(("metres", "far"), [(0, False), (1, False), (2, False), (3, True), (9, True)])
def test_a_blow_is_far_beyond_two_metres(metres, far):
    assert is_far(RULES, fight(metres=metres), "Ann", HIT) is far
    assert not is_far(RULES, fight(".38 special", metres=metres), "Ann", HIT)
    assert not is_far(RULES, fight(metres=metres), "Ann", Act("dodge"))


# --- dice that hits cost (lines 4302-4324) ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "left"), [(4, 3), (3, 2), (2, 0)])
def test_a_hit_takes_a_die_and_a_pair_is_spoiled(width, left):
    waits = Pending("Bob", Act("attack", "Ann"), width, 6, (width,))
    played = script(loses_a_die(RULES, (waits,), "Bob"))
    (event,) = [event for event in played.events if isinstance(event, DieLost)]
    assert (event.width, event.height, event.left) == (width, 6, left)
    assert [each.width for each in played.outcome] == ([left] if left else [])
    assert [each.speed for each in played.outcome] == ([(width,)] if left else [])
    assert script(loses_a_die(RULES, (waits,), "Ann")).outcome == (waits,)


@pytest.mark.parametrize(("width", "speed", "after"), [(4, (4,), (3,)), (3, (3,), (2,)), (4, (2,), (2,))])
def test_the_speed_of_a_set_that_lost_a_die_falls_where_the_campaign_says_so(width, speed, after):
    (less,) = shaken(FALLS, (Pending("Bob", Act("attack", "Ann"), width, 6, speed),), "Bob")
    assert (less.width, less.speed) == (width - 1, after)


@pytest.mark.parametrize(
    ("lying", "told", "left"),
    [
        (((3, 5), (2, 8), (1, 1)), (2, 8, 1), ((3, 5), (1, 8), (1, 1))),
        (((3, 5), (1, 9)), (3, 5, 2), ((2, 5), (1, 9))),
        (((2, 5), (2, 4)), (2, 5, 1), ((2, 4), (1, 5))),
    ],
)
def test_of_an_area_under_fire_the_highest_set_loses_a_die(lying, told, left):
    fire = Pending("Bob", Act("suppress"), lying[0][0], lying[0][1], (3,), lying)
    played = script(loses_a_die(RULES, (fire,), "Bob"))
    (event,) = [event for event in played.events if isinstance(event, DieLost)]
    assert (event.width, event.height, event.left) == told
    (less,) = played.outcome
    assert (less.lying, less.width, less.height) == (left, *left[0])


def test_a_steady_set_loses_nothing():
    waits = Pending("Bob", Act("attack", "Ann"), 3, 6, (3,), steady=True)
    assert shaken(RULES, (waits,), "Bob") == (waits,)


# --- what feats make of a blow ------------------------------------------------------------------------------------------------------

PLAIN = Blow(3, 5, 4, 1)


@pytest.mark.parametrize(
    ("amounts", "flags", "changes"),
    [
        ({"kill": 2}, (), {"kill": 7}),
        ({"kill": -2}, (), {"kill": 3}),
        ({"kill": -9}, (), {"kill": 0}),
        ({"shock": 1}, (), {"shock": 5}),
        ({"shock": -9}, (), {"shock": 0}),
        ({"pen": 2}, (), {"pen": 3}),
        ({}, ("bare width",), {"kill": 3}),
        ({}, ("no kill",), {"kill": 0}),
        ({}, ("no shock",), {"shock": 0}),
        ({"kill": -4}, ("kill at least width",), {"kill": 3, "least_kill": 3}),
        ({}, ("kill at least width",), {"kill": 5, "least_kill": 3}),
        ({"kill": -4}, ("width kill through armour",), {"kill": 3, "least_kill": 3}),
        ({}, ("shock at least width",), {"least_shock": 3}),
        ({"least kill": 1, "least shock": 2}, (), {"least_kill": 1, "least_shock": 2}),
        ({"least kill": 4}, ("kill at least width",), {"least_kill": 4}),
        ({"armour ignored": 2, "wound threshold": 1}, (), {"pierces": 2, "wounding": -1}),
        ({}, ("kill through armour",), {"through": ("kill",)}),
        ({}, ("kill through armour", "shock through armour"), {"through": ("kill", "shock")}),
    ],
)
def test_feats_change_the_figures_of_a_blow(amounts, flags, changes):
    given = Help(by=("x",), amounts=tuple(amounts.items()), flags=frozenset(flags))
    struck = shaped(PLAIN, 3, given)
    assert replace(struck, parts=()) == replace(PLAIN, **changes)
    assert struck.parts == (("x", struck.kill - PLAIN.kill, struck.shock - PLAIN.shock),)


# --- groups ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "fine"),
    [
        ({"threat": 1}, True),
        ({"threat": 0}, False),
        ({"threat": MOST_THREAT}, True),
        ({"threat": MOST_THREAT + 1}, False),
        ({"ratings": (2, 1)}, True),
        ({"ratings": (3,)}, False),
        ({"ratings": (0,)}, False),
        ({"ratings": (1,) * MOST_MOOKS}, True),
        ({"ratings": (1,) * (MOST_MOOKS + 1)}, False),
        ({"kill": -1}, False),
        ({"shock": -1}, False),
        ({"armour": 9}, True),
        ({"armour": 10}, False),
        ({"armour": -1}, False),
    ],
)
def test_a_group_has_a_threat_and_something_left_of_each_ones(made, fine):
    if fine:
        assert Mob(**made)
        return
    with pytest.raises(UserError):
        Mob(**made)


def test_who_has_nothing_left_is_out_and_the_strongest_come_first():
    assert Mob(threat=3, ratings=(3, 2)).left([1, 0, 3, -1]).ratings == (3, 1)
