"""Blows: attack, dodge and parry as the fight stands, what gets through, and what it costs (book lines 3090-3191)."""

import random
from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from foresight.fights import Table, drive, face, fight_of, someone, weapon_at
from foresight.rules_for_tests import RULES, under
from rulewright.errors import UserError
from rulewright.play import sub
from rulewright.play.odds import exact, sample
from rulewright.systems.foresight.combat.attack_exchange import attack, struck_so, ways_of
from rulewright.systems.foresight.combat.fighters import BARE, UNUSED, Action, Ground
from rulewright.systems.foresight.combat.melee import (
    DODGE,
    Strike,
    attack_task,
    damage_of,
    dim,
    dodge_task,
    exchange,
    parry_task,
    shield_covers,
    strike_at,
    struck_body,
    style_modifier,
    written_dc,
)
from rulewright.systems.foresight.combat.reflexes import Answer, guard_options, notice, tire
from rulewright.systems.foresight.fight.actions.registry import action_options
from rulewright.systems.foresight.gear.armor import ARMOR
from rulewright.systems.foresight.gear.weapons import blade
from rulewright.systems.foresight.harm.body import Patient
from rulewright.systems.foresight.lab_view.scene import FightScene
from rulewright.systems.foresight.people.characters import Arm
from rulewright.systems.foresight.resolution.tests import RATINGS, Mod, QualityRoll, Task, blocked, chance_of, reading

SWORD = "Sabre/Longsword"


def pair(at=(1.0, 0.0), ann=None, bob=None, ground=None, **levels):
    ann = someone("Ann", (0.0, 0.0), **{"hth": 8, "blades": (SWORD,), "weapon": SWORD, **(ann or {})})
    bob = someone("Bob", at, **{"hth": 8, "blades": (SWORD,), "weapon": SWORD, **(bob or {})})
    fight = fight_of(ann, bob, ground=ground or Ground(), **levels)
    return fight.change("Ann", focus="Bob").change("Bob", focus="Ann")


def mods(task):
    return {mod.label: mod.value for mod in task.mods}


def task_of(fight, weapon=1, **how):
    return attack_task(RULES, fight, fight.fighter("Ann"), fight.fighter("Bob"), weapon=weapon, **how)


# --- the attack ---------------------------------------------------------------------------------------------------------------


def test_the_weapon_counts_for_its_distance():  # 3120
    assert mods(task_of(pair())) == {f"{SWORD} at normal": 1}
    knife = {"blades": ("Dagger",), "weapon": "Dagger"}
    assert mods(task_of(pair(ann=knife))) == {"Dagger at normal": -1}
    assert mods(task_of(pair((0.0, 0.0), ann=knife))) == {"Dagger at close": 1}
    with pytest.raises(UserError, match="does not reach"):
        task_of(pair((2.0, 0.0)))


def test_stances_light_and_the_rest():  # 3122-3149
    fight = pair().change("Ann", stance="kneeling").change("Bob", stance="prone")
    assert task_of(fight).modifier == 1 - 2 + 1
    assert task_of(pair(ground=Ground(light="poor", dimness=4))).modifier == 1 - 2
    assert task_of(pair(ground=Ground(light="dark"))).modifier == 1 - 4
    assert task_of(pair().change("Bob", motion="quick")).modifier == 1 - 1
    assert task_of(pair().change("Bob", motion="evasive")).modifier == 1 - 3
    stunned = pair(bob={"body": {"stunned": True}})
    assert task_of(stunned).modifier == 1 + 1
    assert task_of(pair().change("Bob", facing=0)).modifier == 1 + 2  # from behind
    assert task_of(pair(), aware=False).modifier == 1 + 2
    assert [task_of(pair(), aimed=aimed).modifier for aimed in ("head", "torso", "legs", "left arm")] == [-3, 1, 0, -1]
    assert task_of(pair().change("Ann", attacks=(0, 2))).modifier == 1 - 4
    assert task_of(pair().change("Ann", last_used=0)).modifier == 1 - 1
    assert task_of(pair(ann={"body": {"wounds": 2, "hurt": ("right arm",)}})).modifier == 1 - 4


def test_favor_off_hand_and_weight():
    assert task_of(pair(ann={"favored": ("swords", "swords")})).modifier == 1 + 2
    fight = pair(ann={"blades": (SWORD, "Dagger")}).change("Ann", off=2)
    assert task_of(fight, 2).modifier == -1 - 2
    both = pair(ann={"blades": (SWORD, "Dagger"), "handed": "both"}).change("Ann", off=2)
    assert task_of(both, 2).modifier == -1
    assert task_of(pair(ann={"ST": 5})).modifier == 1 - 1  # 1.25 kg asks for 6.25
    shield = pair(ann={"blades": (SWORD, "Small Shield"), "ST": 10}).change("Ann", off=2)
    assert mods(task_of(shield, 2))["off-hand"] == -1  # 3769


def test_two_hands_help_where_a_weapon_takes_either():  # 3722
    spear = {"blades": ("Spear", "Small Shield"), "weapon": "Spear", "ST": 16}
    fight = pair(ann=spear)
    assert task_of(fight).modifier == 1 + 1
    assert damage_of(RULES, fight.fighter("Ann"), "normal", 1) == (4 + 3 + 1, 1)
    with_shield = fight.change("Ann", off=2)
    assert task_of(with_shield).modifier == 1
    assert damage_of(RULES, with_shield.fighter("Ann"), "normal", 1) == (4 + 3, 1)


def test_wind_ups_add_damage_and_feints_hinder_the_defense():  # 3023-3024
    fight = pair().change("Ann", windups=2, feints=2)
    assert damage_of(RULES, fight.fighter("Ann"), "normal", 1) == (2 + 4 + 2, 0)
    ann, bob = fight.fighter("Ann"), fight.fighter("Bob")
    assert mods(dodge_task(RULES, fight, bob, ann))["feints"] == -2
    assert mods(parry_task(RULES, fight, bob, ann, weapon=1, dc=6, group="swords"))["feints"] == -2
    assert written_dc(5, 2) == "5m2p"


# --- dodge and parry ----------------------------------------------------------------------------------------------------------


def test_dodging_takes_the_best_of_three_abilities():  # 3098, 3183
    fight = pair(bob={"acrobatics": 10, "favored": ("swords", "swords", "unarmed")})
    one, other = fight.fighter("Bob"), fight.fighter("Ann")
    by = {way: dodge_task(RULES, fight, one, other, group="swords", by=way) for way in ("AG", "Hand-to-Hand Combat", "Acrobatics")}
    assert by["AG"].modifier == 0
    assert by["Hand-to-Hand Combat"].modifier == 2  # 1786: two favors for the attacker's weapon
    assert dodge_task(RULES, fight, one, other, group="hafted", by="Hand-to-Hand Combat").modifier == 1
    assert by["Acrobatics"].modifier == 2
    assert dodge_task(RULES, fight, one, other, group="swords") == by["Acrobatics"]


def test_giving_ground():  # 3098
    fight = pair()
    one, other = fight.fighter("Bob"), fight.fighter("Ann")
    ways = ("", "back", "squat", "back and squat", "far")
    assert [dodge_task(RULES, fight, one, other, ground=way).modifier for way in ways] == [0, 1, 1, 2, 3]
    assert dodge_task(RULES, fight, replace(one, facing=0), other).modifier == -3
    assert dodge_task(RULES, fight, replace(one, facing=90), other).modifier == -1
    assert dodge_task(RULES, fight, replace(one, stance="kneeling"), other).modifier == -2


def test_a_desperate_fighter_parries_and_dodges_by_turns():  # 3112
    fight = pair()
    other = fight.fighter("Ann")

    def again(one, kind):
        task = (
            parry_task(RULES, fight, one, other, weapon=1, dc=6, group="swords")
            if kind == "parry"
            else dodge_task(RULES, fight, one, other)
        )
        label = f"{kind} before"
        return next((mod.value for mod in task.mods if mod.label.startswith(label)), 0)

    one = fight.fighter("Bob")
    found = []
    for kind in ("parry", "dodge", "parry", "dodge"):
        found.append(again(one, kind))
        one = replace(one, parries=one.parries + 1) if kind == "parry" else replace(one, dodges=one.dodges + 1)
    assert found == [0, 0, -2, -2]
    assert [again(replace(one, parries=n, dodges=0), "parry") for n in (0, 1, 2)] == [0, -2, -4]
    assert again(replace(one, parries=3, dodges=0), "dodge") == 0
    assert again(replace(one, parries=2, bonus="parry", bonuses=1), "parry") == 0  # a bonus parry has no such modifier
    assert again(replace(one, dodges=2, bonus="dodge", bonuses=1), "dodge") == 0


def test_parrying():  # 3151-3170
    fight = pair()
    bob, ann = fight.fighter("Bob"), fight.fighter("Ann")
    assert parry_task(RULES, fight, bob, ann, weapon=1, dc=6, group="swords").modifier == 1
    assert parry_task(RULES, fight, bob, ann, weapon=1, dc=10, group="swords").modifier == 1 - 2  # four classes harder than its own 6
    assert parry_task(RULES, fight, bob, replace(ann, stance="prone"), weapon=1, dc=6, group="swords").modifier == 1 + 3
    assert parry_task(RULES, fight, replace(bob, stance="squatting"), ann, weapon=1, dc=6, group="swords").modifier == 1 - 3
    with pytest.raises(UserError, match="no defense"):
        parry_task(RULES, fight, replace(bob, facing=0), ann, weapon=1, dc=6, group="swords")


def test_bare_hands_parry_badly_without_the_field_for_it():  # 2390
    plain = pair(bob={"blades": (), "weapon": ""})
    learnt = pair(bob={"blades": (), "weapon": "", "fields": ("Defensive",)})
    for fight, modifier in ((plain, -2), (learnt, 0)):
        assert parry_task(RULES, fight, fight.fighter("Bob"), fight.fighter("Ann"), weapon=BARE, dc=2).modifier == modifier


def test_a_shield_covers_and_parries_at_little_cost():  # 3769
    fight = pair(bob={"blades": (SWORD, "Small Shield")}).change("Bob", off=2)
    bob = fight.fighter("Bob")
    assert (
        parry_task(RULES, fight, bob, fight.fighter("Ann"), weapon=2, dc=3, group="swords").modifier == 2 - 1 - 1
    )  # off-hand; 2 kg ask for ST 10
    assert {cover.location: cover.tenths for cover in shield_covers(RULES, bob)} == {"left arm": 7, "chest": 3, "abdomen": 3}
    assert {cover.behind for cover in shield_covers(RULES, bob)} == {0}
    assert shield_covers(RULES, fight.fighter("Ann")) == ()


# --- what is offered ----------------------------------------------------------------------------------------------------------


def guards(fight):
    return {option.key for option in guard_options(RULES, fight, fight.fighter("Bob"), fight.fighter("Ann"), "swords")}


def test_what_a_target_may_do():
    assert guards(pair()) >= {"nothing", "dodge", "dodge back", "dodge far", "dodge squat", f"parry:{SWORD}", f"disarm:{SWORD}", "drop"}
    behind = guards(pair().change("Bob", facing=0))
    assert not any(key.startswith("parry") for key in behind)
    assert "pivot" in behind
    assert "pivot" not in guards(pair().change("Bob", facing=0, sudden=True))
    assert guards(pair().change("Bob", qr=10)) == {"nothing", "drop"}  # frozen
    assert "pin" in guards(pair((0.0, 0.0), bob={"blades": (), "weapon": ""}))


def test_pivoting_to_face_a_blow_lets_one_parry():
    fight = pair().change("Bob", facing=0)
    done = drive(
        attack(RULES, fight, "Ann", Action("attack", "Bob", 1)),
        ("Bob", "pivot"),
        ("Bob", f"parry:{SWORD}"),
        ("Ann", "attack"),
        ("Ann", "QR7"),
        ("Bob", "QR4"),
    )
    bob = done.outcome.fighter("Bob")
    assert (bob.facing, bob.sudden, bob.balanced, bob.parries) == (180, True, False, 1)


def test_noticing():  # 3092
    assert drive(notice(RULES)).outcome
    assert drive(notice(RULES, False, by="Bob"), ("Bob", "QR4")).outcome
    assert not drive(notice(RULES, False, by="Bob"), ("Bob", "QR7")).outcome
    assert drive(notice(under(noticing_out_of_focus="freely"), False)).outcome
    assert not drive(notice(under(noticing_out_of_focus="not at all"), False)).outcome


def test_a_blow_from_outside_the_focus():
    fight = pair().change("Bob", focus="")
    played = drive(attack(RULES, fight, "Ann", Action("attack", "Bob", 1)), ("Bob", "QR7"), ("Ann", "QR3"), ("Bob", 5), ("Bob", "QR4"))
    assert played.rolls[1][2].limits[3] == reading(RULES, task_of(fight, aware=False)).limits[3]  # +2: unaware, and no defense
    assert played.outcome.fighter("Bob").body.wounds == 2  # 6m at half, rounded up


# --- the exchange -------------------------------------------------------------------------------------------------------------


def test_a_parried_blow_from_its_beginning_to_its_end():
    done = drive(
        attack(RULES, pair(), "Ann", Action("attack", "Bob", 1)),
        ("Bob", f"parry:{SWORD}"),
        ("Ann", "attack"),
        ("Ann", "QR2"),
        ("Bob", "QR4"),
        ("Bob", 9),
        ("Bob", "QR4"),
    )
    ann, bob = done.outcome.fighters
    assert done.told[0] == "Ann attacks Bob: QR2, Bob parries: QR4; it hits with QR3"
    assert bob.body.wounds == 2
    assert bob.body.hurt == ("right arm",)
    assert (ann.attacks, ann.balanced, ann.last_used) == ((0, 1), False, 1)
    assert (bob.parries, bob.balanced, bob.last_used) == (1, False, 1)
    assert (ann.body.stamina, bob.body.stamina) == (ann.body.stamina_max - 1, bob.body.stamina_max - 1)  # 2536


def test_a_botched_defense_lets_a_miss_through():  # the blocking table: one notch better for the attack
    done = drive(
        attack(RULES, pair(), "Ann", Action("attack", "Bob", 1)),
        ("Bob", "dodge"),
        ("Ann", "QR7"),
        ("Bob", "QR10"),
        ("Bob", 5),
        ("Bob", "QR4"),
    )
    assert done.told[0] == "Ann attacks Bob: QR7, Bob dodges: QR10; it hits with QR4"
    assert done.outcome.fighter("Bob").body.wounds == 1


def test_stamina_is_not_counted_where_the_campaign_says_so():
    rules = under(stamina_in_fights=False)
    done = drive(attack(rules, pair(), "Ann", Action("attack", "Bob", 1)), ("Bob", "dodge far"), ("Ann", "QR7"), ("Bob", "QR4"))
    ann, bob = done.outcome.fighters
    assert ann.body.stamina == ann.body.stamina_max
    assert (bob.x, bob.dodges) == (3.0, 1)  # two meters back


def test_dodging_into_a_squat():
    done = drive(attack(RULES, pair(), "Ann", Action("attack", "Bob", 1)), ("Bob", "dodge back squat"), ("Ann", "QR7"), ("Bob", "QR4"))
    bob = done.outcome.fighter("Bob")
    assert (bob.stance, bob.x) == ("squatting", 2.0)


@pytest.mark.parametrize(("setting", "wounds"), [("takes the force", 1), ("unharmed", 0)])
def test_a_limb_that_parries_a_blade_takes_the_force(setting, wounds):  # 3102
    rules = under(parrying_limb=setting)
    fight = pair(bob={"blades": (), "weapon": ""})
    lines = [("Bob", "parry:bare hands"), ("Ann", "attack"), ("Ann", "QR3"), ("Bob", "QR3")]
    lines += [("Bob", "QR4")] if wounds else []
    body = drive(attack(rules, fight, "Ann", Action("attack", "Bob", 1)), *lines).outcome.fighter("Bob").body
    assert body.wounds == wounds
    assert body.hurt == (("right arm",) if wounds else ())


def test_a_bonus_dodge_is_spent_first():
    fight = pair().change("Bob", bonus="dodge", bonuses=2)
    done = drive(attack(RULES, fight, "Ann", Action("attack", "Bob", 1)), ("Bob", "dodge"), ("Ann", "QR7"), ("Bob", "QR4"))
    assert (done.outcome.fighter("Bob").bonuses, done.outcome.fighter("Bob").dodges) == (1, 0)


# --- styles (2394-2404) -------------------------------------------------------------------------------------------------------


def test_styles():
    assert style_modifier(RULES, "offensive").value == -1
    assert style_modifier(RULES, "defensive", familiar=True).value == 0
    assert [style_modifier(RULES, "drunken", known, drunk).value for known, drunk in ((False, 0), (False, 1), (True, 1))] == [0, -2, -1]


def test_a_style_hinders_until_one_is_used_to_it():
    monkey = {"blades": (), "weapon": "", "styles": ("Mischief (offensive)", "Crane"), "state": {"style": 2}}
    fight = pair((1.0, 0.0), bob=monkey)
    assert mods(task_of(fight))["defensive style"] == -1
    used = fight.change("Ann", faced=(("Bob", 3),))
    assert "defensive style" not in mods(task_of(used))
    assert mods(attack_task(under(style_familiarity=4), used, used.fighter("Ann"), used.fighter("Bob"), weapon=1))["defensive style"] == -1
    offensive = fight.change("Bob", style=1)
    assert mods(dodge_task(RULES, offensive, offensive.fighter("Ann"), offensive.fighter("Bob")))["offensive style"] == -1
    assert "offensive style" not in mods(task_of(offensive))


def test_styles_with_weapons_are_for_the_campaign_to_say():  # 2400
    armed = pair(bob={"styles": ("Crane",), "state": {"style": 1}})
    ann, bob = armed.fighter("Ann"), armed.fighter("Bob")
    assert attack_task(RULES, armed, ann, bob, weapon=1).modifier == 1
    assert attack_task(under(styles_with_weapons=True), armed, ann, bob, weapon=1).modifier == 0


def test_exchanges_are_counted_and_a_style_is_taken_up_for_nothing():
    monkey = {"blades": (), "weapon": "", "styles": ("Crane",), "state": {"style": 1}}
    fight = pair(bob=monkey)
    after = drive(attack(RULES, fight, "Ann", Action("attack", "Bob", 1)), ("Bob", "nothing"), ("Ann", "QR7")).outcome
    assert after.fighter("Ann").faced == (("Bob", 1),)
    table = Table(replace(fight.change("Bob", style=0), turn="Bob"))
    table.play(("Bob", "style:Crane"))
    assert (table.fighter("Bob").style, table.fighter("Bob").acts) == (1, 2)


# --- odds ---------------------------------------------------------------------------------------------------------------------


def rating(roll, chance):
    """A second way to read a d100: straight from the book's words."""
    if roll == 100:
        return 10 if chance < 100 else 7
    if roll > chance:
        return 10 if roll % 10 == 0 else 7
    if roll == 99:
        return 4
    return 1 if roll <= chance // 10 else 2 if roll <= chance // 5 else 3 if roll <= chance // 2 else 4


def defended_by(attack_qr, defense_qr):
    """A second way to block: the table of the book, by notches."""
    order = [1, 2, 3, 4, 7]
    if attack_qr == 10 or defense_qr == 7:
        return attack_qr
    if defense_qr == 10:
        return order[max(0, order.index(attack_qr) - 1)]
    if defense_qr <= attack_qr:
        return 7
    return order[min(4, order.index(attack_qr) + 5 - defense_qr)]


ATTACK, PARRY = Task(14, 4), Task(11, 5)


def test_exact_odds_of_an_attack_against_a_parry_equal_brute_force():
    strike = Strike("Ann", "Bob", ATTACK, PARRY, "parries", "6m")
    odds = exact(sub(exchange, RULES, strike))
    counted = Counter()
    for one, other in product(range(1, 101), repeat=2):
        attack_qr, defense_qr = rating(one, 56), rating(other, 55)
        counted[(attack_qr, defense_qr, defended_by(attack_qr, defense_qr))] += 1
    assert {(met.attack, met.defense, met.through): weight / odds.total for met, weight in odds.weights.items()} == {
        key: count / 10_000 for key, count in counted.items()
    }


def brute_wound(dc, through):
    """Every location and Pain Resistance roll of an unarmored body with Pain Resistance 45 percent: (wounds, stunned, unconscious)."""
    share = {1: 1.0, 2: 0.75, 3: 0.5, 4: 0.25}
    places = {10: "head", 9: "arm", 8: "arm", 7: "chest", 6: "chest", 5: "chest", 4: "abdomen", 3: "abdomen", 2: "leg", 1: "leg"}
    counted = Counter()
    for d10, d100 in product(range(1, 11), range(1, 101)):
        if through > 4:
            counted[(0, False, False)] += 1
            continue
        levels = int(dc * share[through] / 2 + 0.5)
        if levels and places[d10] == "head":
            levels += 1
        steps = 7 - levels - (1 if places[d10] == "abdomen" and levels else 0)  # rung of ease factor 5 is 7
        ladder = [0, 0.25, 0.5, *range(1, 16)]
        chance = int(9 * ladder[max(0, steps)] + 0.5)
        stunned = d100 > chance or d100 == 100
        counted[(levels, stunned, stunned and places[d10] == "head")] += 1
    return counted


def test_exact_odds_of_the_wound_that_follows_equal_brute_force():
    strike = Strike("Ann", "Bob", ATTACK, PARRY, "parries", "6m")
    odds = exact(sub(strike_at, RULES, strike, Patient("Bob")))
    found = Counter()
    for struck, weight in odds.weights.items():
        found[(struck.body.wounds, struck.body.stunned, struck.body.unconscious)] += weight
    expected = Counter()
    through = Counter()
    for one, other in product(range(1, 101), repeat=2):
        through[defended_by(rating(one, 56), rating(other, 55))] += 1
    for qr, ways in through.items():
        for body, count in brute_wound(6, qr).items():
            expected[body] += ways * count
    assert {key: weight / odds.total for key, weight in found.items()} == pytest.approx(
        {key: count / 10_000_000 for key, count in expected.items()}
    )


def test_a_blow_as_its_victim_feels_it():
    strike = Strike("Ann", "Bob", ATTACK, PARRY, "parries", "6m")
    bodies = exact(sub(struck_body, RULES, strike, Patient("Bob")))
    whole = exact(sub(strike_at, RULES, strike, Patient("Bob"))).map(lambda struck: struck.body)
    assert {body: weight / bodies.total for body, weight in bodies.weights.items()} == pytest.approx(
        {body: weight / whole.total for body, weight in whole.weights.items()}
    )


def test_simulated_equals_exact():
    fight = pair()
    strike = struck_so(RULES, fight, fight.fighter("Ann"), fight.fighter("Bob"), Action("attack", "Bob", 1), Answer("dodges"))
    part = sub(strike_at, RULES, strike, fight.fighter("Bob").body)
    odds = exact(part)
    n = 4_000
    drawn = sample(part, n, seed=7)
    for wounds in range(4):
        chance = odds.chance(lambda struck, wounds=wounds: struck.body.wounds == wounds)[0]
        seen = sum(count for struck, count in drawn.items() if struck.body.wounds == wounds) / n
        assert abs(seen - chance) < 4 * (chance * (1 - chance) / n) ** 0.5 + 1e-9


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(RATINGS), st.sampled_from(RATINGS))
def test_blocking_never_helps_the_attack_but_by_a_botch(one, other):
    through = blocked(RULES, one, other)
    assert through == defended_by(one, other)
    assert through >= one or other == 10


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 300), st.integers(1, 100))
def test_ratings_read_as_in_the_book(chance, roll):
    limits = (chance // 10, chance // 5, chance // 2, chance)
    assert QualityRoll(limits).read((roll,)).qr == rating(roll, chance)


# --- the menu -----------------------------------------------------------------------------------------------------------------


def test_attacks_are_offered_within_reach_and_sight_only():
    def keys(fight):
        return {option.key for option in action_options(RULES, fight, "Ann") if option.key.startswith("attack")}

    assert keys(pair()) == {"attack:Bob", "attack how:Bob"}
    assert keys(pair((2.0, 0.0))) == set()
    assert keys(pair().change("Ann", facing=180)) == set()
    assert keys(pair((0.0, 0.0))) == {"attack:Bob", "attack how:Bob"}  # the free hand


def test_special_attacks_ask_for_what_they_need():
    bare = {"blades": (), "weapon": "", "fields": ("Lethal",)}
    fight = pair(ann=bare)
    ann, bob = fight.fighter("Ann"), fight.fighter("Bob")
    assert set(ways_of(fight, ann, bob, BARE)) == {"knockout", "trip", "knockback", "grab", "kick", "lethal strike"}
    near = pair((0.0, 0.0), ann=bare)
    assert {"throw as an attack", "headbutt"} <= set(ways_of(near, near.fighter("Ann"), near.fighter("Bob"), BARE))
    sword = pair()
    assert ways_of(sword, sword.fighter("Ann"), sword.fighter("Bob"), weapon_at(sword.fighter("Ann"), SWORD)) == ["knockout"]


def test_faces_for_a_rating_are_found():
    rng = random.Random(3)
    for _ in range(20):
        dice = reading(RULES, Task(rng.randint(5, 20), 4))
        assert dice.read(face(dice, 4)).qr == 4


def test_a_powered_frame_spends_its_own_stamina_and_stops():  # 3976
    fight = pair(ann={"frame": "Combat (TL6)", "frames": 9}).change("Ann", power=2)
    fight = fight.change("Ann", acts=2, bonuses=1)
    once = drive(tire(RULES, fight, "Ann")).outcome
    assert (once.fighter("Ann").power, once.fighter("Ann").body.stamina, once.fighter("Ann").out) == (1, 9, False)
    stopped = drive(tire(RULES, once, "Ann"))
    assert stopped.told == ["Ann is held fast: the frame is out of power"]
    held = stopped.outcome.fighter("Ann")
    assert (held.out, held.power, held.acts, held.bonuses, held.waiting) == (True, 0, 0, 0, False)
    assert FightScene(RULES).result(stopped.outcome).winner == "Bob"
    assert pair(ann={"frame": "Combat (TL6)"}).fighter("Ann").power == 25


def test_a_parry_uses_a_weapon_one_is_used_to():  # 1314: one skill with one item
    known = pair()
    bob = known.fighter("Bob")
    sword = replace(bob.profile.weapons[1], task=bob.profile.weapons[1].task.plus(Mod("used to it", 1)))
    used = known.put(replace(bob, profile=replace(bob.profile, weapons=(bob.profile.weapons[0], sword))))
    ann = used.fighter("Ann")
    assert parry_task(RULES, used, used.fighter("Bob"), ann, weapon=1).modifier == parry_task(RULES, known, bob, ann, weapon=1).modifier + 1


def test_a_bonus_parry_is_a_use_of_the_weapon():  # 3166
    fight = pair().change("Bob", bonus="parry", bonuses=1, last_used=0)
    lines = (("Bob", f"parry:{SWORD}"), ("Ann", "attack"), ("Ann", "QR7"), ("Bob", "QR4"))
    done = drive(attack(RULES, fight, "Ann", Action("attack", "Bob", 1)), *lines)
    assert (done.outcome.fighter("Bob").last_used, done.outcome.fighter("Bob").parries) == (1, 0)


def test_shields_of_metal_and_from_the_other_side():  # 3769
    wood = someone("Bob", blades=("Large Shield",), weapon="Large Shield", state={"facing": 0})
    metal = someone("Bob", blades=(Arm("Large Shield", metal=True),), weapon="Large Shield")
    assert {cover.melee for cover in shield_covers(RULES, wood)} == {ARMOR.get(RULES, "Chainmail").melee}
    assert {cover.melee for cover in shield_covers(RULES, metal)} == {ARMOR.get(RULES, "Plate").melee}
    assert blade(RULES, Arm("Large Shield", metal=True)).cost == 3 * blade(RULES, Arm("Large Shield")).cost
    right, left = someone("Ann", (0.0, -1.0)), someone("Ann", (0.0, 1.0))
    assert {cover.location for cover in shield_covers(RULES, wood, right) if cover.tenths} >= {"right arm", "chest", "head"}
    assert {cover.location for cover in shield_covers(RULES, wood, left) if cover.tenths} == {"right arm"}
    with pytest.raises(UserError, match="not a shield"):
        blade(RULES, Arm("Dagger", metal=True))


def test_heavy_weapons_may_be_made_for_more_hands():  # 3823
    long = Arm(SWORD, ("Heavy",), grip="1-2")
    assert blade(RULES, long, 2).normal[0] == blade(RULES, long).normal[0] + 1
    assert someone("Ann", blades=(long,)).profile.weapons[1].hands == "1-2"
    assert blade(RULES, Arm("Staff", ("Heavy",), grip="2")).hands == 2
    assert blade(RULES, Arm(SWORD, ("Heavy", "Heavy"), grip="2")).hands == 2
    for wrong in (Arm(SWORD, grip="1-2"), Arm(SWORD, ("Heavy",), grip="2"), Arm("Staff", ("Heavy",), grip="1")):
        with pytest.raises(UserError, match="only being Heavy"):
            blade(RULES, wrong)


@pytest.mark.parametrize("footwork", ["", "back", "far"])
def test_exact_odds_of_a_dodged_attack_and_its_wound_equal_brute_force(footwork):
    fight = pair()
    one, other = fight.fighter("Ann"), fight.fighter("Bob")
    attack_roll, dodge_roll = task_of(fight), dodge_task(RULES, fight, other, one, ground=footwork, group="swords")
    strike = Strike("Ann", "Bob", attack_roll, dodge_roll, "dodges", "6m")
    odds = exact(sub(strike_at, RULES, strike, Patient("Bob")))
    found = Counter()
    for struck, weight in odds.weights.items():
        found[(struck.body.wounds, struck.body.stunned, struck.body.unconscious)] += weight
    chances = [chance_of(RULES, task) for task in (attack_roll, dodge_roll)]
    through, expected = Counter(), Counter()
    for mine, theirs in product(range(1, 101), repeat=2):
        through[defended_by(rating(mine, chances[0]), rating(theirs, chances[1]))] += 1
    for qr, ways in through.items():
        for body, count in brute_wound(6, qr).items():
            expected[body] += ways * count
    assert {key: weight / odds.total for key, weight in found.items()} == pytest.approx(
        {key: count / 10_000_000 for key, count in expected.items()}
    )


def test_what_was_just_used_is_forgotten_with_any_other_action_and_with_the_round():  # 3143, 3166
    from rulewright.systems.foresight.combat.moves import restless
    from rulewright.systems.foresight.fight.turns import refreshed

    ann = replace(pair().fighter("Ann"), last_used=0)
    assert [restless(ann, action).last_used for action in ("attack", "move", "recover")] == [0, UNUSED, UNUSED]
    assert refreshed(RULES, ann, 3).last_used == UNUSED


@pytest.mark.parametrize(
    ("dimness", "shot", "blow", "dodge"),
    [(0, -1, -1, 0), (1, -1, -1, 0), (2, -2, -1, 0), (3, -3, -2, -1), (5, -5, -2, -1), (6, -5, -2, -1)],
)
def test_poor_light_has_five_degrees_for_a_shot_half_as_many_for_a_blow_and_two_for_a_dodge(dimness, shot, blow, dodge):
    tables = ("fs-ranged-modifiers", "fs-melee-modifiers", DODGE.rule)
    assert [dim("poor", dimness, table)[0].pick for table in tables] == [shot, blow, dodge]
    for table in tables:
        assert dim("normal", dimness, table) == ()
        assert [each.name for each in dim("dark", dimness, table)] == ["dark"]
