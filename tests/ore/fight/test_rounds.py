"""The round: who declares when, who is fastest, what can still be answered, and what a hit costs (chapters 4.01-4.05)."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.library import stage
from rulewright.play import Player, Seeded, script, sub
from rulewright.play.odds import exact
from rulewright.scenes.chances import Asked, weigh
from rulewright.scenes.encounter import Encounter
from rulewright.systems.ore.combat.cover import Cover
from rulewright.systems.ore.combat.fighters import Act, Dropped, Fight, Ground, Pending
from rulewright.systems.ore.combat.profiles import enter, gather
from rulewright.systems.ore.drama.determination import Cast, Timed, determine, has_set, in_time, speed_of
from rulewright.systems.ore.fight.declarations import _lying, options_for
from rulewright.systems.ore.fight.events import DieLost, MooksReady, Readied, SetReady
from rulewright.systems.ore.fight.initiative import initiative, order_of, roll_initiative
from rulewright.systems.ore.fight.pools import cast_of
from rulewright.systems.ore.fight.resolution.lost_dice import after_hit, shaken
from rulewright.systems.ore.fight.rounds import _next_at, next_step
from rulewright.systems.ore.fight.scene import FightScene
from rulewright.systems.ore.harm.body import Part
from rulewright.systems.ore.harm.over_time import set_alight
from rulewright.systems.ore.people.characters import Character, Statistics
from rulewright.systems.ore.people.mook_file import Mook
from rulewright.systems.ore.resolution.tests import Pool
from rulewright.systems.ore.settings import BOOK

PLAIN = BOOK.ruleset()
BY_HEIGHT = BOOK.ruleset(settings={"speed": "height"})
BY_WASTE = BOOK.ruleset(settings={"speed": "waste"})
ROLLED = BOOK.ruleset(settings={"random-initiative": True})


def somebody(name, insight=2, coordination=2, psyche=2, body=3, **more):
    skills = more.pop("skills", {"close combat": 2})
    statistics = Statistics(body=body, insight=insight, coordination=coordination, psyche=psyche)
    return Character(name, statistics=statistics, skills=skills, **more)


def meeting(rules, *characters, metres=0, mooks=()):
    """The first against all others."""
    people = tuple(enter(rules, one, one.name, "us" if i == 0 else "them", 0 if i == 0 else metres) for i, one in enumerate(characters))
    groups = tuple(gather(mook, tuple(f"{mook.name} {i}" for i in range(1, many + 1)), "them") for mook, many in mooks)
    return Fight(Ground(metres), people, groups)


def a_round(rules, fight):
    """One whole round."""
    fight = yield from next_step(rules, fight)
    while fight.phase != "begin":
        fight = yield from next_step(rules, fight)
    return fight


def played(rules, fight, choices, faces):
    """The fight after a round, and what was told of it beside pools, sets and dice that were lost (see test_telling)."""
    done = script(a_round(rules, fight), faces, choices)
    beside = (Readied, MooksReady, SetReady, DieLost)
    return done.outcome, [event.headline() for event in done.events if not isinstance(event, beside)]


ANN, BOB = somebody("Ann", insight=3), somebody("Bob", insight=2)


def fists(rules=PLAIN):
    return meeting(rules, ANN, BOB)


def test_what_another_set_rests_on_is_applied_before_it():  # lines 397-424
    def waits(who, place, needs=0):
        return Pending(who, Act("attack", "Bob"), 2, 5, (2,), place=place, needs=needs)

    resting, rested, other = waits("Ann", 2, needs=1), waits("Ann", 1), waits("Bob", 1)
    fight = replace(fists(), pending=(other, resting, rested))
    assert _next_at(fight, (2,)) is rested
    assert _next_at(replace(fight, pending=(other, resting)), (2,)) is other
    assert _next_at(replace(fight, pending=(replace(other, counters=True), resting)), (2,)) is resting
    assert _next_at(fight, (3,)) is None


@pytest.mark.parametrize(("dice", "holds"), [(0, False), (1, False), (2, True), (3, True)])
def test_a_called_shot_has_a_set_from_two_dice_of_its_number_on(dice, holds):
    assert has_set(PLAIN, Cast("Ann", Pool(4), number=7), dice) is holds
    assert has_set(PLAIN, Cast("Ann", Pool(4), number=7), (dice, 0)) is holds


# --- who declares when --------------------------------------------------------------------------------------------------------


def test_the_lowest_insight_declares_first_and_ties_go_by_perception_then_psyche():
    assert initiative(PLAIN, 3, 1, 2) > initiative(PLAIN, 2, 5, 5)
    people = (
        somebody("High", insight=4),
        somebody("Keen", skills={"perception": 2}),
        somebody("Calm", psyche=3),
        somebody("Low", insight=1),
        somebody("Plain"),
    )
    fight = meeting(PLAIN, *people, mooks=((Mook("Thug"), 2),))
    assert order_of(PLAIN, fight) == ("Thug", "Low", "Plain", "Calm", "Keen", "High")


def test_rolled_initiative_goes_by_width_and_height_and_stands_until_somebody_looks_round():
    assert initiative(ROLLED, 9, 9, 9, (2, 5)) == (2, 5)
    assert initiative(PLAIN, 9, 9, 9, (2, 5)) == (9, 9, 9)
    assert script(roll_initiative(ROLLED, (Pool(4), Pool(0)), ("A", "B")), [(3, 3, 8, 8)]).outcome == ((2, 8), (0, 0))
    fight = fists(ROLLED)
    assert fight.fighter("Ann").profile.wits.size == 3 + 2
    rolls = [(4, 4, 4, 1, 2), (9, 9, 1, 2)]
    after, _ = played(ROLLED, fight, ["get bearings", "pass"], [*rolls, (1, 2, 3, 5)])
    assert after.fighter("Ann").initiative == (3, 4)
    assert after.fighter("Bob").initiative == (0, 0)  # Bob declared first, looked round, and found nothing
    after, _ = played(ROLLED, after, ["pass", "pass"], [])
    assert after.round == 2


def test_the_best_combat_skill_counts_for_initiative_whatever_is_in_hand():
    master = somebody("Ann", insight=2, skills={"swords": 4, "fight": 1, "small arms": 2}, weapons=(".38 special",))
    assert enter(ROLLED, master, "Ann", "us").profile.wits.size == 6


# --- Speed --------------------------------------------------------------------------------------------------------------------


def test_speed_comes_from_width_or_height_or_a_waste_die():
    assert speed_of(PLAIN, 3, 5, 9) == (3,)
    assert speed_of(BY_HEIGHT, 3, 5, 9) == (5, 3)
    assert speed_of(BY_WASTE, 3, 5, 9) == (9,)
    assert speed_of(BY_WASTE, 3, 5) == (0,)


def test_the_wrestlers_of_the_example_change_places_where_height_decides():
    """3x2 against 2x7: by Width the first is faster, by Height the second."""
    assert speed_of(PLAIN, 3, 2) > speed_of(PLAIN, 2, 7)
    assert speed_of(BY_HEIGHT, 3, 2) < speed_of(BY_HEIGHT, 2, 7)
    assert speed_of(BY_HEIGHT, 3, 7) > speed_of(BY_HEIGHT, 2, 7)


def test_nobody_answers_what_is_faster():
    assert not in_time(PLAIN, (2,), (3,))
    assert in_time(PLAIN, (3,), (3,))
    assert in_time(PLAIN, (4,), (3,))
    strict = BOOK.ruleset(settings={"defence-at-equal-speed": False})
    assert not in_time(strict, (3,), (3,))


def test_everybody_rolls_at_once_and_chooses_between_sets():
    casts = (Cast("Ann", Pool(5)), Cast("Bob", Pool(3)))
    done = script(determine(PLAIN, casts), [(3, 3, 3, 8, 8), (1, 2, 3)], ["2x8"]).outcome
    assert done.sets == ((Timed(2, 8, (2,)),), ())
    waste = script(determine(BY_WASTE, (Cast("Ann", Pool(6)),)), [(2, 3, 6, 6, 8, 8)], ["2x6@8"]).outcome
    assert waste.sets == ((Timed(2, 6, (8,)),),)
    both = script(determine(BY_WASTE, (Cast("Ann", Pool(6), actions=2),)), [(2, 3, 6, 6, 8, 8)], ["2x8@3"]).outcome
    assert both.sets == ((Timed(2, 8, (3,)), Timed(2, 6, (2,))),)


def test_where_height_says_what_is_struck_any_set_can_be_used():
    faces = [(10, 10, 10, 7, 7)]
    _, log = played(PLAIN, fists(), ["pass", "attack:Bob", "2x7"], faces)
    assert log[1:] == ["Ann hits Bob with a 2x7", "Bob takes 2 Kill and 2 Shock to the torso"]
    vital = BOOK.ruleset(settings={"damage-system": "vital"})
    _, log = played(vital, fists(vital), ["pass", "attack:Bob"], faces)
    assert log[1] == "Ann hits Bob with a 3x10"


def test_a_loss_of_height_lowers_every_set_and_spoils_the_lowest():
    cast = Cast("Ann", Pool(4), height=2)
    assert script(determine(PLAIN, (cast,)), [(7, 7, 7, 9)]).outcome.sets == ((Timed(3, 5, (3,)),),)
    assert script(determine(PLAIN, (cast,)), [(2, 2, 2, 9)]).outcome.sets == ((),)
    beyond = Cast("Ann", Pool(4), difficulty=9, height=2)
    assert script(determine(PLAIN, (beyond,)), []).outcome.sets == ((),)


def test_a_called_shot_needs_its_number():
    cast = Cast("Ann", Pool(5), number=10)
    assert script(determine(PLAIN, (cast,)), [(10, 3, 3, 3)]).outcome.sets == ((Timed(2, 10, (2,)),),)
    assert script(determine(PLAIN, (cast,)), [(9, 3, 3, 3)]).outcome.sets == ((),)
    assert script(determine(BY_WASTE, (cast,)), [(10, 3, 8, 4)]).outcome.sets == ((Timed(2, 10, (8,)),),)
    odds = exact(sub(determine, PLAIN, (cast,)))
    assert odds.chance(lambda done: bool(done.sets[0]))[0] == pytest.approx(1 - 0.9**4)


# --- a die lost to every hit --------------------------------------------------------------------------------------------------


def test_a_hit_takes_a_die_from_the_highest_set_that_waits():
    assert after_hit(PLAIN, ((3, 4), (2, 7))) == ((3, 4),)
    assert after_hit(PLAIN, ((3, 4), (3, 7))) == ((3, 4), (2, 7))
    assert after_hit(PLAIN, ()) == ()
    widest = BOOK.ruleset(settings={"hit-takes-die-from": "widest set"})
    assert after_hit(widest, ((3, 4), (2, 7))) == ((2, 4), (2, 7))
    for_a_set = BOOK.ruleset(settings={"set-for-a-set": True})
    assert after_hit(for_a_set, ((2, 7),)) == ((1, 7),)


@given(st.lists(st.tuples(st.integers(2, 5), st.integers(1, 10)), max_size=4))
@settings(max_examples=50)
def test_a_hit_takes_exactly_one_die_or_spoils_a_pair(sets):
    waiting = tuple(Pending("Bob", Act("attack", "Ann"), width, height, (width,)) for width, height in sets)
    other = Pending("Ann", Act("attack", "Bob"), 2, 2, (2,))
    left = shaken(PLAIN, (*waiting, other), "Bob")
    assert other in left
    lost = sum(each.width for each in waiting) - sum(each.width for each in left if each.who == "Bob")
    assert lost == (0 if not sets else 1 if len(left) == len(waiting) + 1 else 2)


# --- whole rounds -------------------------------------------------------------------------------------------------------------


def test_the_wider_set_hits_first_and_costs_the_other_his():
    """The fist fight of the example: 3x5 is faster than 2x5."""
    after, log = played(PLAIN, fists(), ["attack:Ann", "attack:Bob"], [(5, 5, 1, 2, 3), (5, 5, 5, 1, 2)])
    assert log[:2] == ["Round 1: Bob, Ann", "Ann hits Bob with a 3x5"]
    assert log[2:] == ["Bob takes 3 Kill and 3 Shock to the right arm: cannot use the right arm"]
    assert after.fighter("Ann").body.record() == "unhurt"


def test_sets_as_fast_as_each_other_both_land():
    after, _ = played(PLAIN, fists(), ["attack:Ann", "attack:Bob"], [(9, 9, 1, 2, 3), (1, 1, 5, 4, 2)])
    assert after.fighter("Ann").body.part("torso") == Part("torso", 10, 2, 2)
    assert after.fighter("Bob").body.part("left leg") == Part("left leg", 5, 2, 2)


def test_a_wide_set_survives_a_hit_with_a_die_less():
    after, log = played(PLAIN, fists(), ["attack:Ann", "attack:Bob"], [(8, 8, 8, 1, 2), (1, 1, 1, 1, 9)])
    assert "Bob hits Ann with a 2x8" in log
    assert after.fighter("Ann").body.part("torso") == Part("torso", 10, 2, 2)


def test_by_height_the_higher_set_comes_first():
    _, log = played(BY_HEIGHT, fists(BY_HEIGHT), ["attack:Ann", "attack:Bob"], [(7, 7, 1, 3, 4), (2, 2, 2, 5, 6)])
    assert log[1] == "Bob hits Ann with a 2x7"
    assert log[3] == "Ann hits Bob with a 2x2"  # a die of her 3x2 is gone


def test_by_waste_the_die_given_up_decides():
    choices = ["attack:Ann", "attack:Bob"]
    _, log = played(BY_WASTE, fists(BY_WASTE), choices, [(7, 7, 1, 3, 10), (2, 2, 2, 5, 6)])
    assert log[1] == "Bob hits Ann with a 2x7"
    _, log = played(PLAIN, fists(), choices, [(7, 7, 1, 3, 10), (2, 2, 2, 5, 6)])
    assert log[1] == "Ann hits Bob with a 3x2"


SWORDS = {"skills": {"close combat": 2, "swords": 2, "athletics": 2}, "weapons": ("broadsword",)}
ARMED = (somebody("Ann", insight=3, **SWORDS), somebody("Bob", insight=2, **SWORDS))


def test_a_parry_answers_what_is_not_faster_and_not_higher():
    fight = meeting(PLAIN, *ARMED)
    choices = ["parry", "attack:Bob"]
    after, log = played(PLAIN, fight, choices, [(9, 9, 1, 2, 3), (5, 5, 1, 2, 3)])
    assert log[1:] == ["Bob parries with 1 of 2 dice", "Ann is stopped by Bob"]
    _, log = played(PLAIN, fight, choices, [(9, 9, 1, 2, 3), (5, 5, 5, 2, 3)])
    assert log[1] == "Ann hits Bob with a 3x5"  # faster than the parry
    _, log = played(PLAIN, fight, choices, [(4, 4, 1, 2, 3), (5, 5, 1, 2, 3)])
    assert log[1] == "Ann hits Bob with a 2x5"  # higher than the parry
    _, log = played(PLAIN, fight, choices, [(9, 9, 9, 2, 3), (5, 5, 5, 2, 3)])
    assert log[1:] == ["Bob parries with 2 of 3 dice", "Ann is stopped by Bob"]
    assert after.fighter("Bob").body.record() == "unhurt"


def test_a_parry_that_cannot_stop_a_blow_still_narrows_it():
    for_a_set = BOOK.ruleset(settings={"set-for-a-set": True})
    fight = meeting(for_a_set, *ARMED)
    _, log = played(for_a_set, fight, ["parry", "attack:Bob"], [(9, 9, 9, 2, 3), (5, 5, 5, 2, 3)])
    assert log[1:] == ["Bob parries with 3 of 3 dice", "Ann is stopped by Bob"]


def test_who_has_two_attacks_coming_says_where_counter_dice_go():
    three = (somebody("Bob", insight=1, **SWORDS), somebody("Ann", insight=2, **SWORDS), somebody("Cat", insight=3, **SWORDS))
    fight = meeting(PLAIN, *three)
    faces = [(9, 9, 1, 2, 3), (5, 5, 1, 2, 3), (4, 4, 1, 2, 3)]
    _, log = played(PLAIN, fight, ["parry", "attack:Bob", "attack:Bob", 0], faces)
    assert log[1:] == [
        "Ann hits Bob with a 2x5",
        "Bob takes 4 Kill and 2 Shock to the right arm: cannot use the right arm",
        "Bob parries with 1 of 2 dice",
        "Cat is stopped by Bob",
    ]


def test_no_more_counter_dice_go_against_a_set_than_spoil_it():
    three = (somebody("Bob", insight=1, **SWORDS), somebody("Ann", insight=2, **SWORDS), somebody("Cat", insight=3, **SWORDS))
    fight = meeting(PLAIN, *three)
    faces = [(9, 9, 9, 1, 2), (5, 5, 1, 2, 3), (4, 4, 1, 2, 3)]
    _, log = played(PLAIN, fight, ["parry", "attack:Bob", "attack:Bob", 1], faces)
    stopped = ["Bob parries with 1 of 3 dice", "Ann is stopped by Bob", "Bob parries with 1 of 2 dice", "Cat is stopped by Bob"]
    assert log[1:] == stopped
    with pytest.raises(UserError):
        played(PLAIN, fight, ["parry", "attack:Bob", "attack:Bob", 2], faces)


@pytest.mark.parametrize(("wide", "then"), [(2, 0), (3, 0), (4, 2), (5, 3)])
def test_a_parry_of_a_pair_takes_two_dice_and_spoils_what_keeps_one(wide, then):
    faces = [(9, 9, 1, 2, 3), (*(5,) * wide, 1, 2, 3)[:5]]
    _, log = played(BY_HEIGHT, meeting(BY_HEIGHT, *ARMED), ["parry", "attack:Bob"], faces)
    assert log[1] == f"Bob parries with {min(2, wide - 1)} of 2 dice"
    assert log[2] == (f"Ann hits Bob with a {then}x5" if then else "Ann is stopped by Bob")


def test_two_actions_share_the_smaller_pool_and_each_needs_a_set():
    fight = meeting(PLAIN, *ARMED)
    cast = cast_of(PLAIN, fight, fight.fighter("Ann"), (Act("attack", "Bob"), Act("parry")))
    assert (cast.pool.size, cast.pool.penalty, cast.actions) == (5, 1, 2)
    faces = [(6, 6, 1, 2, 3), (3, 3, 8, 8)]
    _, log = played(PLAIN, fight, ["attack:Ann", "attack+parry:Bob", "2x3"], faces)
    assert log[1:4] == ["Ann parries with 1 of 2 dice", "Bob is stopped by Ann", "Ann hits Bob with a 2x3"]
    _, log = played(PLAIN, fight, ["attack:Ann", "attack+parry:Bob", "2x8"], faces)
    assert log[1] == "Bob hits Ann with a 2x6"  # her threes are too low to parry
    _, log = played(PLAIN, fight, ["attack:Ann", "attack+parry:Bob", "none"], [(6, 6, 1, 2, 3), (3, 4, 8, 8)])
    assert log[1:] == ["Ann parries with 1 of 2 dice", "Bob is stopped by Ann"]


def test_wounds_and_lost_height_count_for_every_roll():
    rules = BOOK.ruleset(settings={"damage-system": "vital"})
    fight = meeting(rules, ANN, BOB)
    ann = fight.fighter("Ann")
    hurt = type(ann.body)(statistic=3, shock=9, vital_lost=1)
    cast = cast_of(rules, fight.change("Ann", body=hurt), fight.change("Ann", body=hurt).fighter("Ann"), (Act("attack", "Bob"),))
    assert (cast.pool.penalty, cast.height) == (2, 2)


def test_a_feint_helps_the_next_blow_and_is_used_up_by_it():
    fight, _ = played(PLAIN, fists(), ["pass", "feint:Bob"], [])
    fight, _ = played(PLAIN, fight, ["pass", "feint:Bob"], [])
    assert (fight.fighter("Ann").feints, fight.fighter("Ann").against) == (2, "Bob")
    assert not any(option.key == "feint:Bob" for option in options_for(PLAIN, fight, "Ann"))
    fight, _ = played(PLAIN, fight, ["pass", "attack:Bob"], [(1, 2, 3, 4, 5, 6, 7)])
    assert fight.fighter("Ann").feints == 0


def test_a_shield_covers_what_its_bearer_says():
    guard = somebody("Bob", insight=2, shield="large")
    fight = meeting(PLAIN, ANN, guard)
    after, log = played(PLAIN, fight, ["pass", "torso", "attack:Bob"], [(9, 9, 1, 2, 3)])
    assert log[-1] == "Bob takes no damage to the torso"
    assert after.fighter("Bob").worn.covers == "torso"
    _, log = played(PLAIN, fight, ["pass", "head", "attack:Bob"], [(9, 9, 1, 2, 3)])
    assert log[-1] == "Bob takes 2 Kill and 2 Shock to the torso"


def test_a_blow_that_armour_stops_still_costs_a_die():
    plate = somebody("Bob", insight=2, armour={"all": "heavy"})
    fight = meeting(PLAIN, ANN, plate)
    _, log = played(PLAIN, fight, ["attack:Ann", "attack:Bob"], [(9, 9, 1, 2, 3), (5, 5, 5, 2, 3)])
    assert log[1:] == ["Ann hits Bob with a 3x5", "Bob takes no damage to the right arm"]


def test_who_waits_acts_with_somebody_slower_or_not_at_all():
    fight = fists()
    _, log = played(PLAIN, fight, ["attack:Ann", "wait:Bob", "2"], [(9, 9, 1, 2, 3), (5, 5, 5, 2, 3)])
    assert "Ann hits Bob with a 3x5" in log
    assert "Bob hits Ann with a 2x9" in log  # both in the same moment
    _, log = played(PLAIN, fight, ["attack:Ann", "wait:Bob"], [(9, 9, 9, 2, 3), (5, 5, 5, 2, 3)])
    assert "Ann waits in vain and loses the action" in log


def test_a_trip_costs_dice_now_and_in_the_next_round():
    after, log = played(PLAIN, fists(), ["attack:Ann", "trip:Bob"], [(9, 9, 1, 2, 3), (5, 5, 5, 2, 3)])
    assert log[1:] == ["Ann trips Bob with a 3x5", "Bob goes down", "Bob has -1d next round"]
    bob = after.fighter("Bob")
    assert (bob.downed, bob.tripped) == (True, 1)
    assert options_for(PLAIN, after, "Bob")[0].key == "stand"
    assert cast_of(PLAIN, after, bob, (Act("attack", "Ann"),)).pool.penalty == 1
    after, _ = played(PLAIN, after, ["stand", "pass"], [])
    assert (after.fighter("Bob").downed, after.fighter("Bob").tripped) == (False, 0)


def test_a_disarmed_sword_lies_on_the_floor_until_it_is_picked_up():
    fight = meeting(PLAIN, *ARMED)
    after, log = played(PLAIN, fight, ["pass", "disarm:Bob"], [(5, 1, 2)])
    assert log[-2:] == ["Ann disarms Bob with a 2x5", "Bob loses the broadsword, which lands 2 m away"]
    bob = after.fighter("Bob")
    assert (bob.weapon.name, bob.lost) == ("bare hands", (1,))
    after, _ = played(PLAIN, after, ["pick up:broadsword", "pass"], [])
    assert (after.fighter("Bob").weapon.name, after.fighter("Bob").lost) == ("broadsword", ())


@pytest.mark.parametrize(("first", "second"), [("Ann", "Bob"), ("Bob", "Ann")])
def test_one_s_own_weapon_is_picked_up_before_another_s(first, second):
    floor = (Dropped(first, 1, 0), Dropped(second, 1, 0))
    fight = replace(meeting(PLAIN, *ARMED), floor=floor)
    lying = _lying(fight, fight.fighter("Bob"), 0)
    assert [floor[place].owner for place, _ in lying] == ["Bob", "Ann"]


def test_a_grapple_holds_both_and_a_strangler_goes_on_without_a_roll():
    fight, log = played(PLAIN, fists(), ["pass", "grapple:Bob"], [(8, 8, 8, 1, 2), (1, 2, 3, 4, 5)])
    assert log[-3:] == ["Ann grapples Bob with a 3x8", "Bob goes down", "Ann goes down too"]
    assert fight.fighter("Bob").held_by == "Ann"
    assert [option.key for option in options_for(PLAIN, fight, "Bob")] == ["escape", "speak", "surrender", "pass"]
    fight, _ = played(PLAIN, fight, ["pass", "strangle:Bob"], [(10, 1, 2)])
    assert fight.fighter("Bob").body.part("head").shock == 2
    fight, _ = played(PLAIN, fight, ["pass", "pass"], [])
    assert fight.fighter("Bob").body.unconscious


def test_who_breaks_free_is_held_no_longer():
    fight, _ = played(PLAIN, fists(), ["pass", "grapple:Bob"], [(8, 8, 8, 1, 2), (1, 2, 3, 4, 5)])
    kept, _ = played(PLAIN, fight, ["escape", "pass"], [(5, 5, 1, 2, 3), (9, 9, 1, 2, 3)])
    assert kept.fighter("Bob").held_by == "Ann"
    free, _ = played(PLAIN, fight, ["escape", "pass"], [(5, 5, 1, 2, 3), (4, 9, 1, 2, 3)])
    assert free.fighter("Bob").held_by == ""


def test_a_run_brings_somebody_nearer_and_a_charge_adds_to_the_blow():
    fight = meeting(PLAIN, *ARMED, metres=14)
    keys = [option.key for option in options_for(PLAIN, fight, "Ann")]
    assert "attack:Bob" not in keys
    assert "charge+attack:Bob" in keys
    near, log = played(PLAIN, fight, ["pass", "run"], [(6, 6, 1, 2, 3)])
    assert near.distance("Ann", "Bob") == 5  # five metres, and two for each point of Width; who does nothing stays where he is
    assert log[1:] == ["Ann runs 5 m towards Bob", "Ann runs 4 m towards Bob"]
    fight = meeting(PLAIN, *ARMED, metres=11)
    after, log = played(PLAIN, fight, ["pass", "charge+attack:Bob", "2x6"], [(6, 6, 9, 9)])
    assert log[-1] == "Bob takes 4 Kill and 3 Shock to the torso"  # a pair of a charge adds 1 Shock
    assert after.distance("Ann", "Bob") == 2
    after, log = played(PLAIN, fight, ["pass", "charge+attack:Bob", "2x6"], [(6, 6, 8, 9)])
    assert log[-1] == "Ann runs 4 m towards Bob"  # with one set the charge comes off, and the blow that rests on it does not
    assert after.fighter("Bob").body.record() == "unhurt"


def test_cover_stops_a_shot_at_what_it_hides():
    shooter = somebody("Ann", insight=3, skills={"ranged combat": 2}, weapons=(".38 special",))
    fight = meeting(PLAIN, shooter, BOB, metres=10)
    fight = fight.change("Bob", cover=Cover("50% right"))
    _, log = played(PLAIN, fight, ["pass", "attack:Bob"], [(5, 5, 1, 2, 3, 4)])
    assert log[-1] == "Bob is protected by cover"
    _, log = played(PLAIN, fight, ["pass", "attack:Bob"], [(9, 9, 1, 2, 3, 4)])
    assert log[-1] == "Bob takes 2 Kill and 2 Shock to the torso"
    harder = BOOK.ruleset(settings={"cover-difficulty": True})
    assert cast_of(harder, fight, fight.fighter("Ann"), (Act("attack", "Bob"),)).difficulty > 1


def test_fire_burns_until_somebody_puts_it_out():
    fight = fists()
    fight = fight.change("Bob", body=set_alight(fight.fighter("Bob").body))
    burnt, _ = played(PLAIN, fight, ["pass", "pass"], [])
    assert burnt.fighter("Bob").body.part("torso").shock == 1
    out, _ = played(PLAIN, burnt, ["put out the fire", "pass"], [])
    assert out.fighter("Bob").body == burnt.fighter("Bob").body.__class__(statistic=3, parts=burnt.fighter("Bob").body.parts)


def test_what_everybody_stands_in_hurts_every_round():
    fight = Fight(Ground(area=2, area_form="kill"), fists().fighters)
    after, _ = played(PLAIN, fight, ["pass", "pass"], [(1,), (10,), (7,), (7,)])
    assert [after.fighter(name).body.record() for name in ("Ann", "Bob")] == ["head X, left leg X", "torso XX"]


def test_the_odds_of_an_exchange_are_those_of_all_rolls_that_there_are():
    """Three dice against two, counted by hand over all 100,000 rolls: who is hurt where, and by how much."""
    ann, bob = somebody("Ann", insight=3, body=2, skills={"fight": 1}), somebody("Bob", insight=2, body=1, skills={"fight": 1})
    fight = meeting(PLAIN, ann, bob)
    assert [fight.fighter(name).profile.attacks[0].size for name in ("Ann", "Bob")] == [3, 2]
    places = {1: "left leg", 2: "right leg", 3: "left arm", 4: "left arm", 5: "right arm", 6: "right arm", 10: "head"}
    counted = {}
    for faces in product(range(1, 11), repeat=5):
        mine, his = faces[:3], faces[3:]
        own = max(((mine.count(face), face) for face in mine if mine.count(face) > 1), default=None)
        other = (2, his[0]) if his[0] == his[1] else None
        if own and other and own[0] > other[0]:
            other = None  # the faster blow takes a die, and the pair is none any more
        key = tuple((one[0], places.get(one[1], "torso")) if one else None for one in (own, other))
        counted[key] = counted.get(key, 0) + 1

    def widest(choice):
        keys = choice.keys()
        return max(keys) if choice.topic == "set" else next(key for key in keys if key.startswith("attack:"))

    odds = exact(lambda: a_round(PLAIN, fight), decide=widest)
    found = {}
    for after, weight in odds:
        key = tuple(struck_at(after.fighter(name).body) for name in ("Bob", "Ann"))
        found[key] = found.get(key, 0) + Fraction(weight, odds.total)
    assert found == {key: Fraction(rolls, 10**5) for key, rolls in counted.items()}


def test_an_attack_says_beside_it_what_it_leads_to():
    idle = FightScene(PLAIN)
    chances = beside(idle, fists(), "attack:Bob", "called shot:Bob:head", "dodge")
    assert chances["attack:Bob"]["no set"] == pytest.approx(1 - 0.6976)
    assert chances["attack:Bob"]["unconscious"] > 0  # 2x10 fills the head
    assert sum(chances["attack:Bob"].values()) == pytest.approx(1)
    assert chances["called shot:Bob:head"]["no set"] == pytest.approx(0.9**3)
    assert "dodge" not in chances  # nobody strikes at her
    mooks = meeting(PLAIN, ANN, mooks=((Mook("Thug"), 2),))
    assert beside(idle, mooks, "attack:Thug")["attack:Thug"]["no set"] == pytest.approx(1 - 0.6976)


def beside(scene, fight, *keys):
    """What stands beside Ann's options where everybody else passes."""

    def decide(choice):
        return "pass" if choice.topic == "act" else choice.keys()[0]

    encounter, dice = Encounter.begin(scene, fight), Seeded(1)
    while encounter.open[0][1].who != "Ann":
        encounter.advance(dice, decide)
    weighed = weigh(Asked(encounter.moment(0), (None,), decide), 30, keys)
    return {each.key: {outcome.name: outcome.chance for outcome in each.outcomes} for each in weighed}


def struck_at(body):
    """The Width of the only blow that a body has taken and where it struck; bare hands deal as much Kill and Shock as that."""
    hurt = [part for part in body.parts if part.kill]
    return (hurt[0].kill, hurt[0].location) if hurt else None


# --- mooks --------------------------------------------------------------------------------------------------------------------


def test_mooks_roll_once_and_every_set_is_an_attack_on_somebody():
    fight = meeting(PLAIN, ANN, mooks=((Mook("Thug", threat=2), 3),))
    assert fight.groups[0].name == "Thug"
    after, log = played(PLAIN, fight, ["attack:Thug"], [(9, 9, 9, 1, 2), (4, 4, 6, 6, 1, 10)])
    assert log[1] == "Ann takes out a Thug with a 3x9"
    assert after.groups[0].mob.number == 2
    assert log[2:] == ["Thug hits Ann with a 2x4", "Ann takes 2 Kill and 2 Shock to the left arm"]  # the sixes lost a die


def test_a_mook_that_is_hit_costs_the_group_a_die():
    fight = meeting(PLAIN, ANN, mooks=((Mook("Thug", threat=2), 3),))
    after, log = played(PLAIN, fight, ["attack:Thug"], [(9, 9, 9, 1, 2), (4, 4, 5, 1, 2, 10)])
    assert len(log) == 2  # the pair of the group is gone
    assert after.fighter("Ann").body.record() == "unhurt"


def test_mooks_name_their_targets_set_by_set():
    cat = somebody("Cat", insight=1)
    fight = meeting(PLAIN, ANN, mooks=((Mook("Thug", threat=2), 3),))
    fight = Fight(Ground(), (*fight.fighters, enter(PLAIN, cat, "Cat", "us")), fight.groups)
    after, _ = played(PLAIN, fight, ["pass", "pass", "Cat", "Ann"], [(4, 4, 6, 6, 1, 10)])
    assert [after.fighter(name).body.record() for name in ("Ann", "Cat")] == ["left arm XX//", "right arm XX//"]


def test_a_second_name_is_refused():
    with pytest.raises(UserError, match=r"there is no .Zoe."):
        fists().fighter("Zoe")


def test_those_who_have_declared_are_shown_in_the_order_in_which_they_did():
    staged = stage("ore/firefight")
    state, player = staged.state, Player(Seeded(1), staged.decide)
    while state.phase != "roll":
        state = player.run(staged.scene.step(state))
    names = list(dict.fromkeys(plan.who for plan in state.plans))
    assert len(names) > 3, "so many that another order would show"
    assert [turn.who for turn in staged.scene.view(state, None).timeline.turns if turn.done] == names
