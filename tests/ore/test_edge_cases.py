"""Where rules meet each other: options in combination, pools at their limits, single dice that count."""

import pytest
from msgspec.structs import replace

from rulewright.dice.reading import count_every_roll
from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.systems.ore.combat.abstract import Came, down_and_out
from rulewright.systems.ore.combat.cover import Cover
from rulewright.systems.ore.combat.fighters import Act, Fight, Ground, Pending
from rulewright.systems.ore.combat.profiles import enter, gather
from rulewright.systems.ore.drama.round_readings import TwoWidths
from rulewright.systems.ore.fight.declarations import options_for
from rulewright.systems.ore.fight.resolution.lost_dice import after_hit, shaken
from rulewright.systems.ore.fight.rounds import next_step
from rulewright.systems.ore.fight.scene import begin
from rulewright.systems.ore.gear.armour import Hit, Protection, piece_of, stopped, through
from rulewright.systems.ore.harm.body import Dealt, Part, Vital
from rulewright.systems.ore.people.characters import Character, Owned, Statistics
from rulewright.systems.ore.people.mook_file import Mook
from rulewright.systems.ore.recovery.medicine import medicine
from rulewright.systems.ore.resolution.contests import cooperative, multiple_actions, set_count
from rulewright.systems.ore.resolution.outcomes import Outcome, squish
from rulewright.systems.ore.resolution.readings import HowManySets, Thrown
from rulewright.systems.ore.resolution.tests import Pool, Ready, at_most_ten, dice_rolled, make_test, ready_dice, thrown
from rulewright.systems.ore.settings import BOOK


def rules(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


RULES, RUNS = rules(), rules(the_run=True)
NUDGED = rules(special_dice="extra expert")
LUCK = rules(getting_lucky=True)


def somebody(name, *weapons, insight=1, body=2, coordination=3, **skills):
    named = {each.replace("_", " "): rating for each, rating in skills.items()} or {"close combat": 2}
    return Character(name, statistics=Statistics(body=body, insight=insight, coordination=coordination), skills=named, weapons=weapons)


def fight(by, *people, **place):
    """The first against all others, who declare in this order."""
    sides = ["a"] + ["b"] * (len(people) - 1)
    return Fight(
        Ground(**place),
        tuple(enter(by, one, one.name, side, place.get("metres", 0) * (side == "b")) for one, side in zip(people, sides, strict=True)),
    )


def a_round(by, state, faces, choices):
    def go(now):
        now = yield from next_step(by, now)
        while now.phase != "begin":
            now = yield from next_step(by, now)
        return now

    return script(go(state), faces, choices).outcome


# --- pools at their limits ----------------------------------------------------------------------------------------------------


def test_expert_dice_that_only_nudge_push_no_other_out():
    """Lines 575-600: only the first Expert Die is a die of the roll; beside a Master Die none of them is."""
    assert at_most_ten(NUDGED, 9, 3) == Ready(9, 3)
    assert at_most_ten(NUDGED, 10, 3) == Ready(9, 3)
    assert at_most_ten(NUDGED, 9, 2, 1) == Ready(9, 2, 1)
    assert at_most_ten(NUDGED, 12, 2, 1) == Ready(9, 2, 1)
    assert at_most_ten(RULES, 9, 3) == Ready(7, 3)
    for pool in (Pool(9, 3), Pool(9, 2, 1)):
        assert thrown(NUDGED, pool).dice == 9
    assert dice_rolled(NUDGED, 5, 7, expert=3).value == 10
    assert dice_rolled(NUDGED, 2, 4, expert=3).value == 4


def test_penalties_come_before_the_limit():
    """Line 239: thirteen dice less two are eleven, of which ten are rolled; less four, nine."""
    assert ready_dice(RULES, Pool(13)).size == 10
    assert dice_rolled(RULES, 8, 5, penalty=2).value == 10
    assert dice_rolled(RULES, 8, 5, penalty=4).value == 9
    assert dice_rolled(RULES, 8, 5, bonus=2, penalty=4).value == 10


# --- a Run serves one action --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reading", [HowManySets, TwoWidths])
@pytest.mark.parametrize("dice", [Thrown(4, (0,) * 6, 1, True), Thrown(4, (0,) * 6, 2, True), Thrown(3, (0,) * 6, 1, True, True)])
def test_runs_are_counted_exactly(reading, dice):
    each = reading(dice)
    assert dict(each.weights()) == count_every_roll(each)
    assert each.weights() != reading(Thrown(dice.dice, dice.lent, dice.difficulty)).weights()


def test_a_run_lets_one_of_several_actions_succeed():
    assert script(set_count(RUNS, Pool(4)), [(3, 4, 5, 9)]).outcome == 1
    assert script(set_count(RULES, Pool(4)), [(3, 4, 5, 9)]).outcome == 0
    assert script(set_count(RUNS, Pool(4)), [(3, 3, 9, 9)]).outcome == 2
    assert script(multiple_actions(RUNS, (Pool(5), Pool(6))), [(3, 4, 5, 9)]).outcome == 1


def test_a_run_is_no_failed_down_test():
    by = rules(the_run=True, damage_system="abstract")
    assert TwoWidths(Thrown(3, run=True)).read((3, 4, 5)) == (1, 0)
    assert TwoWidths(Thrown(3)).read((3, 4, 5)) == (0, 0)
    assert script(down_and_out(by, 3, 1, 0, ("down",)), [(3, 4, 5)]).outcome == (Came(0, 1),)
    assert script(down_and_out(by, 3, 1, 0), [(3, 4, 5)]).outcome == (Came(0, 1), Came(1))


def test_a_run_can_be_parried():
    state = fight(RUNS, somebody("Ana"), somebody("Ben", insight=2))
    faces = [(5, 6, 7, 1), (8, 8, 1, 2, 3)]
    stopped = a_round(RUNS, state, faces, ["attack:Ben", "dodge"])
    assert stopped.fighter("Ben").body.record() == "unhurt"
    low = a_round(RUNS, state, [(5, 6, 7, 1), (6, 6, 1, 2, 3)], ["attack:Ben", "dodge"])
    assert low.fighter("Ben").body.part("torso").kill == 1
    both = rules(the_run=True, set_for_a_set=True)
    assert (
        a_round(both, fight(both, somebody("Ana"), somebody("Ben", insight=2)), faces, ["attack:Ben", "dodge"]).fighter("Ben").body.record()
        == "unhurt"
    )


# --- luck without dice --------------------------------------------------------------------------------------------------------


def test_helpers_without_dice_have_their_luck():
    nobody = (Pool(0), Pool(0))
    assert script(cooperative(RULES, nobody)).outcome == Outcome()
    assert script(cooperative(LUCK, nobody), [(10,), (4,)]).outcome == Outcome(1, 10)
    assert script(cooperative(LUCK, nobody), [(10,), (10,)]).outcome == Outcome(2, 10)
    assert script(cooperative(LUCK, nobody), [(1,), (4,)]).outcome == Outcome(catastrophe=True)
    assert exact(sub(cooperative, LUCK, nobody)).chance(lambda one: one.success)[0] == pytest.approx(0.19)


# --- sets that fall below what they needed ------------------------------------------------------------------------------------


def test_a_trip_that_slips_below_its_difficulty_fails():
    by = rules(drama_points="drama points")
    hero = Character("Ben", statistics=Statistics(insight=2), advantages=(Owned("action hero", 1),))
    state = fight(by, somebody("Ana"), hero)
    for face, tripped in ((3, 0), (4, 1)):  # two less are 1, below the Difficulty of 2, or just that
        after = a_round(by, state, [(face, face, 9, 10)], ["trip:Ben", "pass", "1 height"])
        assert after.fighter("Ben").tripped == tripped


# --- armour -------------------------------------------------------------------------------------------------------------------


def test_pen_goes_through_all_armour_there_is_and_no_further():
    """Lines 4711, 5130: what is left of PEN after what is worn lowers cover, and what the body itself stops."""
    by = rules(penetration=True)
    light, hit = piece_of(by, "torso", "light"), Hit(6, 6, 2, pen=3)
    assert through(by, hit, None, extra=2) == Dealt(6, 6)
    assert through(by, hit, None, extra=5) == Dealt(4, 4)
    assert through(by, hit, light, extra=3) == Dealt(5, 5)  # 1 and 3 are 4, less 3
    assert through(RULES, hit, light, extra=3) == Dealt(2, 2)
    assert through(by, Hit(6, 6, 2), light, extra=3) == Dealt(2, 2)
    plates = rules(penetration=True, light_and_heavy_armour=True)
    kevlar = piece_of(plates, "torso", "har 2 + lar 2")
    assert through(plates, hit, kevlar, extra=3) == Dealt(4, 2)  # PEN 3 is 2 of the HAR and 1 of the rest; LAR stays
    natural = Protection((light,), natural=(("B", 3),))
    assert stopped(by, Hit(6, 6, 2, 3, "B"), natural) == Dealt(5, 5)
    assert stopped(by, Hit(6, 6, 2, 3, "P"), natural) == Dealt(6, 6)


# --- what several sets do -----------------------------------------------------------------------------------------------------


def test_a_twinned_set_loses_its_die_for_both_blows():
    """Line 5289: the second action uses the same set."""
    act = Act("attack", "Ben", off_hand=2)
    twins = (Pending("Ana", act, 3, 8, (3,)), Pending("Ana", replace(act, twin=True), 3, 8, (3,)))
    assert [each.width for each in shaken(RULES, twins, "Ana")] == [2, 2]
    narrow = tuple([replace(each, width=2) for each in twins])
    assert shaken(RULES, narrow, "Ana") == ()
    apart = (*twins, Pending("Ana", Act("dodge"), 2, 10, (2,)))
    assert [each.width for each in shaken(RULES, apart, "Ana")] == [3, 3]  # the dodge is the highest
    assert shaken(RULES, twins, "Ben") == twins


def test_two_attacks_in_one_round():
    """Lines 397-424: a die less, and a set for each."""
    state = fight(RULES, somebody("Ana", body=3), somebody("Ben", insight=2), somebody("Cid", insight=3))
    choices = ["attack:Ben+Cid", "pass", "pass"]
    after = a_round(RULES, state, [(7, 7, 7, 10)], [*choices, "none"])  # one set for either
    assert (after.fighter("Ben").body.record(), after.fighter("Cid").body.part("torso").kill) == ("unhurt", 3)
    both = a_round(RULES, state, [(7, 7, 10, 10)], [*choices, "2x7"])
    assert (both.fighter("Ben").body.part("torso").kill, both.fighter("Cid").body.part("head").kill) == (2, 2)
    twice = a_round(RULES, state, [(8, 8, 8, 8)], ["attack twice:Ben", "pass", "pass", "2x8"])  # broken up
    assert twice.fighter("Ben").body.part("torso").kill == 4


def test_the_heights_of_several_sets_matter_even_where_nobody_defends():
    """A hit takes a die from the highest of them, so that they must not be taken for one another."""
    gun = "pistol: pistol 9mm semi-automatic"
    people = (somebody("Ana", gun, small_arms=2), somebody("Ben", gun, insight=2, small_arms=2))
    state = fight(RULES, *people, metres=10)
    for ana, plain in (("attack:Ben", True), ("2 shots:Ben", False)):
        declared = script(next_step(RULES, state), [], [ana]).outcome
        assert bool(script(next_step(RULES, declared), [], ["attack:Ana"]).outcome.plain) == plain
    assert after_hit(RULES, ((3, 7), (2, 9))) == ((3, 7),)


# --- actions ------------------------------------------------------------------------------------------------------------------


def test_a_tackle_hurts_where_its_height_says():
    """Lines 4272, 5402: the Height says where, and armour there counts."""
    ben = Character("Ben", statistics=Statistics(insight=2), armour={"torso": "heavy"})
    state = fight(RULES, somebody("Ana", body=3), ben)
    legs = a_round(RULES, state, [(2, 2, 2, 1)], ["tackle:Ben", "pass"]).fighter("Ben")
    assert (legs.body.part("right leg").shock, legs.downed) == (3, True)
    torso = a_round(RULES, state, [(8, 8, 8, 1)], ["tackle:Ben", "pass"]).fighter("Ben")
    assert (torso.body.record(), torso.downed) == ("unhurt", True)


def test_a_grapple_on_ones_feet_costs_a_die():
    state = fight(RULES, somebody("Ana", body=3), somebody("Ben", insight=2))
    floor = a_round(RULES, state, [(8, 8, 1, 2, 3), (1, 2, 3, 4)], ["grapple:Ben", "pass"])
    assert [one.downed for one in floor.fighters] == [True, True]
    upright = a_round(RULES, state, [(8, 8, 1, 2), (1, 2, 3, 4)], ["grapple standing:Ben", "pass"])
    assert [one.downed for one in upright.fighters] == [False, False]
    assert upright.fighter("Ben").held_by == "Ana"


def test_whoever_is_strong_may_show_it():
    """Line 5360: the dice of an attack, or Body and Control."""
    state = fight(RULES, somebody("Ana", body=4, close_combat=1, control=3), somebody("Ben", insight=2), parley=True)
    after = a_round(RULES, state, [(7, 7, 1, 2, 3, 4, 5)], ["display", "nothing", "pass", "pass"])
    assert after.fighter("Ana").impresses


def test_a_strangler_with_six_sided_dice():
    by = rules(six_sided_dice=True)
    state = fight(by, somebody("Ana"), somebody("Ben", insight=2)).change("Ben", held_by="Ana", choked=2)
    for name in ("pass", "pass"):
        state = script(next_step(by, state), [], [name]).outcome
    assert "Ana strangles Ben with a 2x6" in [event.headline() for event in script(next_step(by, state)).events]


PARRIED = [(7, 7, 1, 2), (8, 8, 1, 2)]


def parries(by, attacker, defender, choices=("attack:Ben", "parry")):
    """Whether Ben comes out of it unhurt."""
    return a_round(by, fight(by, attacker, defender), PARRIED, list(choices)).fighter("Ben").body.record() == "unhurt"


def test_what_one_can_parry_with():
    """Line 2041: a blade, a shield, even a mailed forearm; but not bare hands."""
    sword = somebody("Ana", "shortsword")
    bare = somebody("Ben", insight=2)
    with pytest.raises(UserError, match="'parry' is not allowed"):
        parries(RULES, sword, bare)
    for more in ({"armour": {"arms": "light"}}, {"shield": "small"}, {"weapons": ("dagger",)}):
        covered = replace(bare, **more)
        choices = ("attack:Ben", "parry", "torso") if "shield" in more else ("attack:Ben", "parry")
        assert parries(RULES, sword, covered, choices)


# --- walking up to somebody ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("metres", "attacks", "charges"), [(2, True, False), (6, True, False), (7, True, True), (8, False, True)])
def test_five_metres_are_for_nothing(metres, attacks, charges):
    """Line 5390: who is near enough walks up and strikes in one round; a charge takes five metres at least (ruling)."""
    state = fight(RULES, somebody("Ana"), somebody("Ben", insight=2), metres=metres)
    keys = {option.key for option in options_for(RULES, state, "Ana")}
    assert ("attack:Ben" in keys, "charge+attack:Ben" in keys) == (attacks, charges)
    if attacks:
        after = a_round(RULES, state, [(7, 7, 1, 2)], ["attack:Ben", "pass"])
        assert after.fighter("Ben").body.part("torso").kill == 2


def test_nobody_walks_on_the_ground_or_on_bad_legs():
    state = fight(RULES, somebody("Ana"), somebody("Ben", insight=2), metres=6)
    keys = {option.key for option in options_for(RULES, state.change("Ana", downed=True), "Ana")}
    assert "attack:Ben" not in keys
    lame = state.fighter("Ana").body.put(Part("left leg", 5, 5, 0))
    assert "attack:Ben" not in {option.key for option in options_for(RULES, state.change("Ana", body=lame), "Ana")}


# --- trades and recovery ------------------------------------------------------------------------------------------------------


def test_a_set_of_two_can_be_squished_where_a_single_die_is_enough():
    by = rules(set_for_a_set=True, squash_and_squish="everybody")
    assert squish(by, 2, 7) == Outcome(1, 9)
    with pytest.raises(UserError, match="cannot be squished"):
        squish(RULES, 2, 7)
    high = script(make_test(by, Pool(2), 1, "highest"), [(7, 7)]).outcome
    assert high == Outcome(1, 9)
    plain = rules(squash_and_squish="everybody")
    assert script(make_test(plain, Pool(2), 1, "highest"), [(7, 7)]).outcome == Outcome(2, 7)


def test_the_hard_to_kill_are_easier_to_treat():
    body = enter(RULES, somebody("Ana"), "Ana", "a").body.put(Part("torso", 10, 2, 1))
    assert script(medicine(RULES, body, "torso", Pool(3), hard_to_kill=2), [(1, 2, 5, 6, 6)]).outcome.part("torso").kill == 0
    with pytest.raises(UserError):
        script(medicine(RULES, body, "torso", Pool(3)), [(1, 2, 5, 6, 6)])


def test_whoever_is_neither_dead_nor_unconscious_can_act():
    for boxes in (1, 5):
        for statistic in (1, 3):
            for lost in range(boxes + 1):
                for shock in range(statistic * boxes + 1):
                    body = Vital(statistic=statistic, vital_boxes=boxes, vital_lost=lost, shock=shock)
                    assert body.able == (not body.dead and not body.unconscious)


# --- cover in a fight ---------------------------------------------------------------------------------------------------------

BEHIND = Cover("50% right")


def test_whoever_shoots_from_cover_fights_back():
    """Lines 5118-5128: cover is a Difficulty against those who keep their heads down only."""
    by, gun = rules(cover_difficulty=True), "pistol: pistol 9mm semi-automatic"
    ana, ben = somebody("Ana", gun, insight=3, small_arms=2), somebody("Ben", gun, insight=1, small_arms=2)
    state = fight(by, ana, ben, metres=10).change("Ben", cover=BEHIND)
    for does, difficulty in (("pass", 4), ("attack:Ana", 1), ("dodge", 4)):
        declared = script(next_step(by, state), [], [does]).outcome
        ready = script(next_step(by, declared), [], ["attack:Ben"]).outcome
        assert next(cast.difficulty for cast in ready.casts if cast.who == "Ana") == difficulty


def test_whoever_walks_away_from_cover_has_none():
    state = fight(RULES, somebody("Ana"), somebody("Ben", "longbow: pull 2", insight=2), metres=6).change("Ana", cover=BEHIND)
    stays = a_round(RULES, state, [], ["pass", "pass"])
    assert (stays.fighter("Ana").cover, stays.fighter("Ana").metres) == (BEHIND, 0)
    leaves = a_round(RULES, state, [(1, 2, 3, 4)], ["attack:Ben", "pass"])
    assert (leaves.fighter("Ana").cover.any, leaves.fighter("Ana").metres) == (False, 4)


def test_what_cover_is_made_of_stands_in_the_scenario():
    people = [Placed(somebody(name), name, side, None, {}) for name, side in (("Ana", "a"), ("Ben", "b"))]

    def begun(material):
        place = {"metres": 10, "cover": "complete", "cover_material": material}
        return begin(RULES, Scenario("ore", "scenario", "f", {"a": [], "b": []}, place=place), people)

    assert begun("2 inch wooden wall").ground.cover_material == "2 inch wooden wall"
    with pytest.raises(UserError, match="is no material"):
        begun("cheese")


# --- arms that are gone -------------------------------------------------------------------------------------------------------


def armed(body, **more):
    """Ana is faster and strikes Ben's right arm, who attacks her with a sword."""
    ana = somebody("Ana", "broadsword", insight=1, body=4, close_combat=2)
    ben = Character("Ben", statistics=Statistics(body=body, insight=2), skills={"close combat": 3}, weapons=("broadsword",), **more)
    return fight(RULES, ana, ben)


def test_nothing_can_be_done_with_an_arm_that_is_out():
    """Line 4324: a faster blow that takes the arm takes what it was about to do."""
    state = armed(4)
    ben = (8, 8, 8, 1, 2, 3, 4)
    lost = a_round(RULES, state, [(5, 5, 5, 5, 1, 2), ben], ["attack:Ben", "attack:Ana"])
    assert (lost.fighter("Ben").body.usable("right arm"), lost.fighter("Ana").body.record()) == (False, "unhurt")
    leg = a_round(RULES, state, [(2, 2, 2, 2, 1, 3), ben], ["attack:Ben", "attack:Ana"])
    assert leg.fighter("Ana").body.part("torso").kill > 0
    same = a_round(RULES, state, [(5, 5, 5, 1, 2, 3), ben], ["attack:Ben", "attack:Ana"])  # in the same moment both land
    assert (same.fighter("Ben").body.usable("right arm"), same.fighter("Ana").body.part("torso").kill > 0) == (False, True)


def test_whoever_was_disarmed_strikes_with_the_fist():
    by = rules(melee_penetration=True, damage_classes=True)
    ana = somebody("Ana", body=4, close_combat=3)
    ben = Character("Ben", statistics=Statistics(body=4, insight=2), skills={"close combat": 3}, weapons=("epee",))
    state = fight(by, ana, ben)
    epee = state.fighter("Ben").weapon
    strikes = (8, 8, 8, 1, 2, 3, 4)
    for does in ("thrust:Ana", f"attack {epee.classes[1]}:Ana"):
        slower = a_round(by, state, [(5, 5, 5, 1, 2), strikes], ["disarm:Ben", does, "no"]).fighter("Ana").body.part("torso")
        assert (slower.kill, slower.shock) == (2, 2)  # a die less, and nothing but the fist
        same = a_round(by, state, [(5, 5, 1, 2, 3), strikes], ["disarm:Ben", does]).fighter("Ana").body.part("torso")
        assert same.kill == 3 + epee.kill  # in the same moment the weapon still strikes


def test_a_charge_takes_a_weapon_that_one_can_wield():
    weak = somebody("Ana", "zweihander", body=1)
    state = fight(RULES, weak, somebody("Ben", insight=2), metres=20)
    assert "charge+attack:Ben" not in {option.key for option in options_for(RULES, state, "Ana")}


def test_mooks_have_nobody_to_attack_once_the_last_has_shot_himself():
    ana = somebody("Ana", "hand cannon: pistol 5 semi-automatic", body=1, small_arms=4)
    by = rules(damage_system="vital")
    thugs = gather(Mook("Thug", threat=2), ("Thug 1", "Thug 2"), "b")
    state = Fight(Ground(), (enter(by, ana, "Ana", "a"),), (thugs,))
    hurt = state.change("Ana", body=replace(state.fighter("Ana").body, shock=4))
    after = a_round(by, hurt, [(1, 2)], ["attack:Thug"])
    assert not after.fighter("Ana").able
