"""Special melee attacks and pins (book lines 3191-3253)."""

import pytest
from msgspec.structs import replace

from foresight.fights import Table, drive, fight_of, someone
from foresight.rules_for_tests import RULES, under
from rulewright.play import sub
from rulewright.play.odds import exact
from rulewright.rules import House
from rulewright.systems.foresight.combat.attack_exchange import attack, struck_so
from rulewright.systems.foresight.combat.fighters import BARE, Action, Pin
from rulewright.systems.foresight.combat.gun_actions import fire
from rulewright.systems.foresight.combat.melee import Strike, attack_task
from rulewright.systems.foresight.combat.pins import (
    begin_holding,
    capture,
    choke,
    cuff,
    grip,
    let_slip,
    limbs_to_pin,
    maintain,
    may_cuff,
    pin_task,
    seized_modifier,
    strangle_works,
    strength_task,
    struggle,
    take_hold,
)
from rulewright.systems.foresight.combat.special import (
    after_knockback,
    disarms,
    entangled,
    grabbed,
    headbutt_hurts,
    knockout,
    numbness,
    object_size,
    pushed_back,
)
from rulewright.systems.foresight.fight.actions.registry import action_options
from rulewright.systems.foresight.fight.turns import keep_feet
from rulewright.systems.foresight.harm.body import Patient
from rulewright.systems.foresight.resolution.tests import RATINGS, Task
from rulewright.systems.foresight.settings import BOOK

SWORD = "Sabre/Longsword"
GUN = "SL Pistol (TL5)"


def pair(at=(1.0, 0.0), ann=None, bob=None, rules=RULES):
    ann = someone("Ann", (0.0, 0.0), rules=rules, **{"hth": 8, **(ann or {})})
    bob = someone("Bob", at, rules=rules, **{"hth": 8, **(bob or {})})
    return fight_of(ann, bob).change("Ann", focus="Bob").change("Bob", focus="Ann")


def special(way, *lines, fight=None, weapon=BARE, rules=RULES):
    return drive(attack(rules, fight or pair(), "Ann", Action("attack", "Bob", weapon, way)), *lines)


# --- the examples -------------------------------------------------------------------------------------------------------------


def test_ruggiero_and_rodomont():  # 3245
    sword = {"blades": (SWORD,), "weapon": SWORD}
    fight = fight_of(someone("Ruggiero", hth=8, **sword), someone("Rodomont", (1.0, 0.0), hth=8, **sword))
    fight = fight.change("Ruggiero", focus="Rodomont").change("Rodomont", focus="Ruggiero")
    first = drive(
        attack(RULES, fight, "Ruggiero", Action("attack", "Rodomont", 1)),
        ("Rodomont", f"disarm:{SWORD}"),
        ("Ruggiero", "attack"),
        ("Ruggiero", "QR3"),
        ("Rodomont", "QR3"),
    ).outcome
    assert first.fighter("Ruggiero").hand == 1  # as good blocks it, and is not better
    assert first.fighter("Rodomont").body.wounds == 0
    second = drive(
        attack(RULES, first, "Rodomont", Action("attack", "Ruggiero", 1)),
        ("Ruggiero", f"disarm:{SWORD}"),
        ("Rodomont", "disarm"),
        ("Rodomont", "QR2"),
        ("Ruggiero", "QR3"),
    )
    after = second.outcome.fighter("Ruggiero")
    assert (after.hand, after.gone[1], after.body.wounds) == (0, "away", 0)  # no damage, and the sword skitters away
    assert second.outcome.fighter("Rodomont").hand == 1


def test_a_parry_to_disarm_still_blocks():
    sword = {"blades": (SWORD,), "weapon": SWORD}
    done = drive(
        attack(RULES, pair(ann=sword, bob=sword), "Ann", Action("attack", "Bob", 1)),
        ("Bob", f"disarm:{SWORD}"),
        ("Ann", "attack"),
        ("Ann", "QR4"),
        ("Bob", "QR3"),
    )
    assert done.outcome.fighter("Ann").gone[1] == "away"
    assert done.outcome.fighter("Bob").body.wounds == 0


def test_disarming_costs_three_and_numbs_a_bare_limb():
    assert [disarms(RULES, own, other) for own, other in ((2, 3), (3, 3), (4, 3), (7, 10))] == [True, False, False, False]
    sword = {"blades": (SWORD,), "weapon": SWORD}
    fight = pair(ann=sword)
    parried = attack_task(RULES, fight, fight.fighter("Ann"), fight.fighter("Bob"), weapon=1, way="disarm")
    assert parried.modifier == 1 - 3
    done = drive(
        attack(RULES, fight, "Ann", Action("attack", "Bob", 1)),
        ("Bob", "parry:bare hands"),
        ("Ann", "disarm"),
        ("Ann", "QR2"),
        ("Bob", "QR3"),
    ).outcome
    bob = done.fighter("Bob")
    assert (bob.numb, bob.body.wounds) == (("right arm",), 0)
    numbed = done.change("Bob", focus="Ann")
    task = attack_task(RULES, numbed, numbed.fighter("Bob"), numbed.fighter("Ann"), weapon=BARE)
    assert {mod.label: mod.value for mod in task.mods}["numbed"] == -1
    assert struck_so(RULES, numbed, numbed.fighter("Bob"), numbed.fighter("Ann"), Action("attack", "Ann")).dc == "1m"  # UCDC 2, less 1


def test_feeling_comes_back_by_the_hour():
    rolls = [("somebody", "QR7"), ("somebody", "QR7"), ("somebody", "QR4")]
    assert drive(numbness(RULES, hours=5), *rolls).outcome == 3
    assert drive(numbness(RULES, hours=2), *rolls[:2]).outcome == 0


# --- one by one ---------------------------------------------------------------------------------------------------------------


def test_tripping():  # 3240
    strong = pair(ann={"ST": 12})

    def after(attack_qr, footing, fight=strong):
        return special("trip", ("Bob", "nothing"), ("Ann", attack_qr), ("Bob", footing), fight=fight).outcome.fighter("Bob").stance

    assert [after("QR3", "QR4"), after("QR2", "QR4"), after("QR3", "QR3")] == ["kneeling", "prone", "standing"]
    assert special("trip", ("Bob", "nothing"), ("Ann", "QR7")).outcome.fighter("Bob").stance == "standing"
    assert after("QR3", "QR4", strong.change("Bob", kg=150.0)) == "standing"  # more than Ann can lift: one more is needed
    assert after("QR3", "QR4", pair()) == "standing"  # ST 9 cannot lift 75 kg


@pytest.mark.parametrize(("side", "through", "out"), [("front", 2, True), ("front", 3, False), ("behind", 3, True), ("behind", 4, False)])
def test_knocking_out(side, through, out):  # 3241
    strike = Strike(dc="5m", side=side)
    assert drive(knockout(RULES, through, strike, Patient("Bob"))).outcome.unconscious is out


def test_how_well_a_knockout_must_come_through_is_a_row_of_its_table():
    easy = BOOK.ruleset(house=House(tables={"fs-special-melee-attacks": {"knockout": {"rating": 3, "behind": 4}}}))
    for side, through in (("front", 3), ("behind", 4)):
        assert drive(knockout(easy, through, Strike(dc="5m", side=side), Patient("Bob"))).outcome.unconscious


def test_a_knockout_blow_that_missed_does_nothing_whatever_the_row_asks_for():
    anything = BOOK.ruleset(house=House(tables={"fs-special-melee-attacks": {"knockout": {"rating": 10}}}))
    for through in (7, 10):
        assert drive(knockout(anything, through, Strike(dc="5m"), Patient("Bob"))).outcome == Patient("Bob")


def test_a_knockout_blow_that_would_not_wound_only_stuns():
    found = drive(knockout(RULES, 2, Strike(dc="1m"), Patient("Bob")), ("Bob", "QR7")).outcome
    assert found.unconscious  # stunned by a blow to the head
    assert drive(knockout(RULES, 2, Strike(dc="1m"), Patient("Bob")), ("Bob", "QR4")).outcome == Patient("Bob")


def test_knocking_out_in_a_fight():
    done = special("knockout", ("Bob", "nothing"), ("Ann", "QR2"))
    assert done.outcome.fighter("Bob").out
    assert done.outcome.fighter("Bob").body.wounds == 0


LASSO = {
    "weapon": "Lasso",
    "group": "entangling",
    "hands": "1",
    "reach": [0, "+0m"],
    "parry": None,
    "draw": 2,
    "kg": 1,
    "cost": 20,
    "tl": 1,
}


def test_entangling():  # 3242: the book lists no lasso, a campaign's own rules can
    rules = BOOK.ruleset(house=House(tables={"fs-melee-weapons": {"Lasso": LASSO}}))
    fight = pair((2.0, 0.0), ann={"blades": ("Lasso",), "weapon": "Lasso"}, rules=rules)
    done = special("entangle", ("Bob", "nothing"), ("Ann", "QR2"), ("Bob", "QR4"), fight=fight, weapon=1, rules=rules)
    bob = done.outcome.fighter("Bob")
    assert (bob.entangled, bob.stance) == (2, "prone")
    table = Table(replace(done.outcome.change("Bob", acts=2), turn="Bob"), rules)
    assert {option.key for option in table.encounter.open[0][1].options} == {"struggle free", "wait", "done"}
    table.play(("Bob", "struggle free"), ("Bob", "struggle free"))
    assert table.fighter("Bob").entangled == 0
    assert [entangled(RULES, 2, 3), entangled(RULES, 2, 2), entangled(RULES, 2, 7, ds=3)] == [1, 0, 0]
    barely = special("entangle", ("Bob", "nothing"), ("Ann", "QR4"), ("Bob", "QR7"), fight=fight, weapon=1, rules=rules)
    assert barely.outcome.fighter("Bob").entangled == 3


def test_grabbing():  # 3243
    assert [grabbed(RULES, own, other) for own, other in ((2, 3), (3, 3), (4, 3))] == ["taken", "both hold", "kept"]
    assert [grabbed(RULES, own, other, True) for own, other in ((2, 3), (2, 4))] == ["kept", "taken"]
    assert [object_size(RULES, kg).value for kg in (4, 1.5, 0.5)] == [-1, -2, -3]
    armed = pair(bob={"guns": (GUN,), "weapon": GUN})
    done = special("grab", ("Bob", "nothing"), ("Ann", "QR4"), ("Ann", "QR3"), ("Bob", "QR4"), fight=armed)
    assert done.outcome.fighter("Bob").hand == 0
    assert done.rolls[2][2].limits[3] == 9 * 9  # the holder is at +2
    ann = done.outcome.fighter("Ann")
    assert (ann.weapon.name, ann.ammo, ann.weapon.dc) == (GUN, (0, 12), "6i")  # and it can be fired at once
    assert "fire:Bob" in keys(done.outcome.change("Ann", acts=1), "Ann")
    sword = pair(bob={"blades": (SWORD,), "weapon": SWORD})
    done = special("grab", ("Bob", "nothing"), ("Ann", "QR4"), ("Ann", "QR3"), ("Bob", "QR4"), fight=sword)
    assert done.outcome.fighter("Bob").hand == 1  # nothing but a handle to hold


@pytest.mark.parametrize(("held", "lies"), [((), ""), (("Dagger",), "at hand")])
def test_what_takes_two_hands_is_held_only_if_both_are_free(held, lies):
    fight = pair(ann={"blades": held, "weapon": "".join(held)}, bob={"guns": ("Bow",), "weapon": "Bow"})
    done = special("grab", ("Bob", "nothing"), ("Ann", "QR4"), ("Ann", "QR3"), ("Bob", "QR4"), fight=fight)
    ann = done.outcome.fighter("Ann")
    assert (ann.profile.weapons[-1].name, ann.gone[-1]) == ("Bow", lies)
    assert ann.weapon.name == (held or ("Bow",))[0]


def test_a_blade_is_as_good_as_the_hand_that_holds_it():
    strong = pair(ann={"ST": 15, "blades": ("Dagger",)}, bob={"blades": ("Dagger",), "weapon": "Dagger"})
    done = special("grab", ("Bob", "nothing"), ("Ann", "QR4"), ("Ann", "QR2"), ("Bob", "QR4"), fight=strong)
    ann = done.outcome.fighter("Ann")
    assert (ann.weapon.name, ann.weapon.normal) == ("Bob's Dagger", (-1, 6.0, 0))  # UCDC 4 in place of 2
    assert ann.weapon.task == ann.profile.hth
    full = strong.change("Ann", hand=1)
    again = special("grab", ("Bob", "nothing"), ("Ann", "QR4"), ("Ann", "QR2"), ("Bob", "QR4"), fight=full).outcome.fighter("Ann")
    assert (again.hand, again.off) == (1, 2)


def test_knocking_back():  # 3247
    assert [pushed_back(RULES, levels, ds) for levels, ds in ((3, 1), (1, 1), (2, 0.5))] == [2, 0, 1]
    assert [after_knockback(RULES, qr) for qr in RATINGS] == ["standing"] * 4 + ["kneeling", "prone"]
    strong = pair(ann={"ST": 18})
    done = special("knockback", ("Bob", "nothing"), ("Ann", "QR1"), ("Bob", "QR7"), fight=strong)  # UCDC 5: 3 levels, 2 m
    ann, bob = done.outcome.fighters
    assert (ann.x, bob.x, bob.stance, bob.body.wounds) == (1.0, 3.0, "kneeling", 0)
    aslant = pair((0.6, 0.8), ann={"ST": 18})
    bob = special("knockback", ("Bob", "nothing"), ("Ann", "QR1"), ("Bob", "QR4"), fight=aslant).outcome.fighter("Bob")
    assert (bob.x, bob.y) == (1.8, 2.4)  # straight away from where Ann came
    upon = pair((0.0, 0.0), ann={"ST": 18}).change("Bob", facing=0)
    bob = special("knockback", ("Bob", "nothing"), ("Ann", "QR1"), ("Bob", "QR4"), fight=upon).outcome.fighter("Bob")
    assert (bob.x, bob.y) == (-2, 0)  # backwards, where both stand in one place
    weak = special("knockback", ("Bob", "nothing"), ("Ann", "QR4"))
    assert (weak.outcome.fighter("Ann").x, weak.outcome.fighter("Bob").x) == (1.0, 1.0)


def test_throwing():  # 3249
    near = pair((0.0, 0.0))
    task = attack_task(RULES, near, near.fighter("Ann"), near.fighter("Bob"), weapon=BARE, way="throw as an attack")
    assert task.modifier == -4
    learnt = pair((0.0, 0.0), ann={"fields": ("Throws",)})
    assert attack_task(RULES, learnt, learnt.fighter("Ann"), learnt.fighter("Bob"), weapon=BARE, way="throw as an attack").modifier == -2
    done = special(
        "throw as an attack", ("Bob", "nothing"), ("Ann", "QR4"), ("Bob", "QR4"), ("Bob", 5), ("Bob", 5), ("Bob", "QR4"), fight=near
    )
    bob = done.outcome.fighter("Bob")
    assert (bob.stance, bob.distance(done.outcome.fighter("Ann"))) == ("prone", 3.0)


def test_throwing_by_a_dodge():
    done = drive(
        attack(RULES, pair(), "Ann", Action("attack", "Bob")),
        ("Bob", "dodge throw"),
        ("Ann", "QR4"),
        ("Bob", "QR2"),
        ("Ann", "QR4"),
        ("Ann", 5),
        ("Ann", 5),
        ("Ann", "QR4"),
    )
    assert done.outcome.fighter("Ann").stance == "prone"
    assert done.rolls[1][2].limits[3] == 9 * 4  # agility 7, -1, and -2 without the field
    armed = pair(ann={"blades": (SWORD,), "weapon": SWORD})
    from rulewright.systems.foresight.combat.reflexes import guard_options

    assert "dodge throw" not in {o.key for o in guard_options(RULES, armed, armed.fighter("Bob"), armed.fighter("Ann"), "swords")}


def test_kicks_butts_and_lethal_strikes():  # 3251-3253
    fight = pair(ann={"fields": ("Lethal",)})
    ann, bob = fight.fighter("Ann"), fight.fighter("Bob")
    for way, modifier in (("kick", -1), ("lethal strike", -1)):
        strike = struck_so(RULES, fight, ann, bob, Action("attack", "Bob", BARE, way))
        assert (strike.attack.modifier, strike.dc) == (modifier, "3m")  # UCDC 2 + 1
    assert struck_so(under(lethal_strike_damage=2), fight, ann, bob, Action("attack", "Bob", BARE, "lethal strike")).dc == "4m"
    near = pair((0.0, 0.0))
    done = special("headbutt", ("Bob", "nothing"), ("Ann", "QR10"), ("Ann", "QR4"), fight=near)
    assert done.outcome.fighter("Ann").body.hurt == ()
    assert "Ann is hit in the head without a wound" in done.told
    assert done.rolls[0][2].limits[3] == int(17 * 1 + 0.5)  # ease factor 3, -2
    assert [headbutt_hurts(qr) for qr in RATINGS] == [False] * 5 + [True]


def test_full_hands_leave_feet_and_head():
    full = {"blades": ("Two-Handed Sword",), "weapon": "Two-Handed Sword", "ST": 12}
    table = Table(replace(pair((0.0, 0.0), ann=full), turn="Ann"))  # the sword is of no use so near
    table.play(("Ann", "attack how:Bob"))
    assert {option.key for option in table.encounter.open[0][1].options} == {"trip", "headbutt", "kick"}
    table.play(("Ann", "kick"), ("Bob", "nothing"), ("Ann", "QR7"))
    far = pair((2.0, 0.0), ann={"blades": ("Dagger",), "weapon": "Dagger"})
    assert not any(key.startswith("attack") for key in keys(far, "Ann"))


# --- pins ---------------------------------------------------------------------------------------------------------------------


def test_what_two_strength_rolls_make_of_a_pin():  # 3219
    assert [grip(RULES, *ratings) for ratings in ((3, 3), (4, 3), (4, 2), (3, 4), (2, 4), (7, 4))] == [
        "free to fire",
        "loose",
        "broken",
        "immobile",
        "restrained",
        "broken",
    ]


def test_odds_of_a_struggle_equal_brute_force():
    odds = exact(sub(struggle, RULES, Task(9, 7), Task(10, 7)))
    counted = {}
    for one in range(1, 101):
        for other in range(1, 101):
            ratings = []
            for roll, chance in ((one, 63), (other, 70)):
                limits = (chance // 10, chance // 5, chance // 2, chance)
                good = next((qr for qr, limit in zip((1, 2, 3, 4), limits, strict=True) if roll <= limit), None)
                ratings.append((4 if roll == 99 else good) if good and roll < 100 else 10 if roll % 10 == 0 else 7)
            key = grip(RULES, *ratings)
            counted[key] = counted.get(key, 0) + 1
    assert {key: weight * 10_000 // odds.total for key, weight in odds.weights.items()} == counted


def test_capture_helps_to_pin_keep_and_break():  # 3223
    assert (capture(RULES).value, capture(RULES, False).value) == (2, 0)
    near = pair((0.0, 0.0), ann={"fields": ("Capture",)})
    ann, bob = near.fighter("Ann"), near.fighter("Bob")
    assert pin_task(RULES, near, ann, bob, limb="right arm").modifier == 0  # -2 for the arm
    assert pin_task(RULES, near, bob, ann, limb="right arm").modifier == -2
    assert strength_task(RULES, ann).modifier == 2
    assert pin_task(RULES, near, ann, bob, limb="neck").modifier == -1
    assert pin_task(RULES, near, bob, ann, limb="neck").modifier == -3


def pinned(grip="held", limb="right arm", kept=True, turns=0, **more):
    fight = pair((0.0, 0.0), **more)
    return fight.change("Ann", pins=(Pin("Bob", limb, grip, kept, turns),))


def test_a_pin_from_its_beginning_to_its_end():
    near = pair((0.0, 0.0))
    done = drive(
        attack(RULES, near, "Ann", Action("pin", "Bob", to="right arm")),
        ("Bob", "nothing"),
        ("Ann", "QR4"),
        ("Ann", "stand"),
        ("Bob", "stand"),
        ("Ann", "QR4"),
        ("Bob", "QR7"),
    )
    assert done.outcome.fighter("Ann").pins == (Pin("Bob", "right arm"),)
    assert [f.stance for f in done.outcome.fighters] == ["standing", "prone"]
    done = drive(maintain(RULES, done.outcome, "Ann", "Bob", "right arm"), ("Ann", "QR2"), ("Bob", "QR4"))
    assert done.outcome.fighter("Ann").pins == (Pin("Bob", "right arm", "restrained", True, 1),)
    done = drive(maintain(RULES, done.outcome, "Ann", "Bob", "right arm"), ("Ann", "QR4"), ("Bob", "QR2"))
    assert done.outcome.fighter("Ann").pins == ()


@pytest.mark.parametrize(
    ("wishes", "rolls", "stances"),
    [
        (("stand", "ground"), ("QR3", "QR4"), ["standing", "standing"]),
        (("stand", "ground"), ("QR4", "QR3"), ["prone", "prone"]),
        (("ground", "stand"), ("QR4", "QR4"), ["standing", "standing"]),
        (("ground", "ground"), ("QR4", "QR3"), ["prone", "prone"]),
    ],
)
def test_who_falls(wishes, rolls, stances):  # 3213
    lines = [("Ann", wishes[0]), ("Bob", wishes[1]), ("Ann", rolls[0]), ("Bob", rolls[1])]
    done = drive(take_hold(RULES, pair((0.0, 0.0)), "Ann", "Bob", "right arm"), *lines)
    assert [f.stance for f in done.outcome.fighters] == stances
    assert ("Bob ends up on top" in done.told) == (wishes == ("ground", "ground"))


@pytest.mark.parametrize(
    ("limb", "armor", "held"), [("neck", (), True), ("neck", (("Plate", "Vest"),), False), ("left arm", (("Plate", "Vest"),), True)]
)
def test_armor_keeps_hands_off_the_throat_and_off_nothing_else(limb, armor, held):  # 3221
    fight = fight_of(someone("Ann", (0.0, 0.0)), someone("Bob", (0.0, 0.0), armor=armor))
    lines = [("Ann", "ground"), ("Bob", "ground"), ("Ann", "QR4"), ("Bob", "QR3")] if held else []
    done = drive(take_hold(RULES, fight, "Ann", "Bob", limb), *lines)
    assert [(pin.of, pin.limb) for pin in done.outcome.fighter("Ann").pins] == ([("Bob", limb)] if held else [])


@pytest.mark.parametrize(("of", "limb", "pins"), [("Bob", "left arm", 1), ("Bob", "right arm", 2), ("Cyd", "left arm", 2)])
def test_a_limb_that_is_seized_again_is_held_once(of, limb, pins):
    fight = pair((0.0, 0.0)).change("Ann", pins=(Pin(of, limb, kept=False),), stance="prone").change("Bob", stance="prone")
    done = drive(take_hold(RULES, fight, "Ann", "Bob", "left arm")).outcome.fighter("Ann")
    assert len(done.pins) == pins
    assert done.pins[-1] == Pin("Bob", "left arm")


def test_legs_pin_legs_on_the_ground_only():  # 3215
    fight = pair((0.0, 0.0))
    assert "legs" not in limbs_to_pin(fight, fight.fighter("Ann"), fight.fighter("Bob"))
    down = fight.change("Ann", stance="prone").change("Bob", stance="kneeling")
    assert "legs" in limbs_to_pin(down, down.fighter("Ann"), down.fighter("Bob"))
    busy = down.change("Ann", pins=(Pin("Bob", "left arm"), Pin("Bob", "right arm")))
    assert limbs_to_pin(busy, busy.fighter("Ann"), busy.fighter("Bob")) == ["legs"]


def keys(fight, name, rules=RULES):
    return {option.key for option in action_options(rules, fight, name)}


def test_a_pinned_arm_bars_what_it_holds():  # 3217
    sword = {"blades": ("Two-Handed Sword",), "guns": (GUN,)}
    fight = pinned(limb="left arm", bob={**sword, "weapon": GUN})
    assert "fire:Ann" in keys(fight, "Bob")  # the other arm is free
    two_handed = pinned(limb="left arm", bob={**sword, "weapon": "Two-Handed Sword"})
    assert "attack:Ann" not in keys(two_handed, "Bob")
    gun = pinned(bob={**sword, "weapon": GUN})
    assert "fire:Ann" not in keys(gun, "Bob")
    assert "fire:Ann" in keys(pinned("loose", bob={**sword, "weapon": GUN}), "Bob")
    wild = pinned("free to fire", bob={**sword, "weapon": GUN})
    assert "fire wild" in keys(wild, "Bob")


def test_nobody_gives_ground_out_of_a_hold():
    from rulewright.systems.foresight.combat.reflexes import guard_options

    fight = pinned()
    offered = {option.key for option in guard_options(RULES, fight, fight.fighter("Bob"), fight.fighter("Ann"), "unarmed")}
    assert "dodge" in offered
    assert not offered & {"dodge back", "dodge far", "dodge back squat"}


def test_a_loose_hold_costs_four():
    loose = pinned("loose")
    loose = loose.change("Ann", pins=(Pin("Bob", "right arm", "loose"), Pin("Bob", "left arm", "loose")))
    task = attack_task(RULES, loose, loose.fighter("Bob"), loose.fighter("Ann"), weapon=BARE)
    assert {mod.label: mod.value for mod in task.mods}["pinned arm"] == -4


def test_a_wild_shot_goes_where_the_gamemaster_says():
    fight = pinned("free to fire", bob={"guns": (GUN,), "weapon": GUN, "handguns": 9})
    into_the_air = drive(fire(RULES, fight, "Bob", Action("fire", "Bob", 1, "wild")), ("gamemaster", "nowhere"))
    assert into_the_air.outcome.fighter("Bob").ammo[1] == 11
    at_ann = drive(fire(RULES, fight, "Bob", Action("fire", "Bob", 1, "wild")), ("gamemaster", "Ann"), ("Bob", "QR7"))
    assert at_ann.rolls[0][2].limits[3] < 10  # a blind guess


def test_all_pins_have_to_be_kept():  # 3227
    fight = pinned().change("Ann", pins=(Pin("Bob", "left arm"), Pin("Bob", "right arm")))
    fight = fight.put(begin_holding(fight.fighter("Ann")))
    one_kept = drive(maintain(RULES, fight, "Ann", "Bob", "left arm"), ("Ann", "QR3"), ("Bob", "QR4")).outcome
    assert drive(let_slip(one_kept, "Ann")).outcome.fighter("Ann").pins == ()
    both = drive(maintain(RULES, one_kept, "Ann", "Bob", "right arm"), ("Ann", "QR3"), ("Bob", "QR4")).outcome
    assert len(drive(let_slip(both, "Ann")).outcome.fighter("Ann").pins) == 2


def test_arms_and_legs_take_a_bonus_action():  # 3225
    down = pinned().change("Ann", stance="prone").change("Bob", stance="prone")
    held = tuple(Pin("Bob", limb, kept=False) for limb in ("left arm", "right arm", "legs"))
    table = Table(replace(down.change("Ann", pins=held, bonus="pin", bonuses=1), turn="Ann"))
    for limb in ("left arm", "right arm", "legs"):
        table.play(("Ann", f"maintain:Bob's {limb}"), ("Ann", "QR3"), ("Bob", "QR4"))
    assert len(table.fighter("Ann").pins) == 3


def test_the_restrained_do_nothing_and_are_cuffed_after_two_turns():  # 3219, 3229
    assert [may_cuff(RULES, turns) for turns in (0, 1, 2, 3)] == [False, False, True, True]
    assert "cuff:Bob" not in keys(pinned("restrained", turns=1), "Ann")
    fight = pinned("restrained", turns=2)
    assert "cuff:Bob" in keys(fight, "Ann")
    table = Table(replace(fight, order=("Bob", "Ann")))
    assert table.asks() == [("Ann", "turn")]  # Bob's turn has gone by
    assert drive(cuff(fight, "Ann", "Bob")).outcome.fighter("Bob").out


@pytest.mark.parametrize(("grip", "still"), [("restrained", 2), ("immobile", 0), ("loose", 0)])
def test_only_the_restrained_are_a_target_that_cannot_move(grip, still):  # 3139, 3219
    fight = pinned(grip)
    ann, bob = fight.fighter("Ann"), fight.fighter("Bob")
    task = attack_task(RULES, fight, ann, bob, weapon=BARE)
    assert {mod.label: mod.value for mod in task.mods}.get("defender completely still", 0) == still


def test_a_defensive_pin_against_a_blow():  # 3207
    near = pair((0.0, 0.0))
    done = drive(
        attack(RULES, near, "Ann", Action("attack", "Bob")),
        ("Bob", "pin"),
        ("Ann", "QR3"),
        ("Bob", "QR3"),
        ("Bob", "stand"),
        ("Ann", "stand"),
        ("Bob", "QR4"),
        ("Ann", "QR4"),
    )
    assert done.outcome.fighter("Bob").pins == (Pin("Ann", "right arm"),)
    assert done.rolls[1][2].limits[3] == 4  # bare hands -2, at the arm -2: ease factor ¼ of 17
    failed = drive(
        attack(RULES, near, "Ann", Action("attack", "Bob")), ("Bob", "pin"), ("Ann", "QR4"), ("Bob", "QR7"), ("Bob", 5), ("Bob", "QR4")
    )
    assert failed.outcome.fighter("Bob").pins == ()


@pytest.mark.parametrize(
    ("dodges", "ratings", "modifier"),
    [(False, ("QR4",), -4), (True, ("QR4", "QR4"), -2), (True, ("QR4", "QR7"), -6), (False, ("QR7",), 0)],
)
def test_a_hand_on_the_gun(dodges, ratings, modifier):  # 3207-3211
    fight = pair((0.0, 0.0), ann={"guns": (GUN,), "weapon": GUN, "handguns": 11})
    held = ratings[-1] == "QR7" if dodges else ratings[0] == "QR4"
    lines = [("Bob", "pin"), ("Ann", "dodge" if dodges else "hold"), ("Bob", ratings[0])]
    lines += [("Ann", ratings[1])] if dodges else []
    if held:
        lines += [("Bob", "stand"), ("Ann", "stand"), ("Bob", "QR4"), ("Ann", "QR4")]
    done = drive(fire(RULES, fight, "Ann", Action("fire", "Bob", 1)), *lines, ("Ann", "QR7"))
    shot = done.rolls[-1]
    assert shot[1] == "shot"
    plain = 20 * 4  # Handguns 20 at ease factor 3, +1 within three meters
    ladder = [0, 0.25, 0.5, *range(1, 16)]
    assert shot[2].limits[3] == int(20 * ladder[ladder.index(plain / 20) + modifier])
    assert seized_modifier(RULES, held, dodges) == modifier


@pytest.mark.parametrize(("parries", "bonuses", "again"), [(0, 0, 0), (1, 0, -2), (1, 1, 0)])
def test_a_hand_on_the_gun_is_a_parry_and_a_bonus_parry_costs_nothing(parries, bonuses, again):  # 3103, 3207
    fight = pair((0.0, 0.0), ann={"guns": (GUN,), "weapon": GUN, "handguns": 11})
    fight = fight.change("Bob", parries=parries, bonuses=bonuses, bonus="parry" if bonuses else "")
    lines = [("Bob", "pin"), ("Ann", "hold"), ("Bob", "QR7"), ("Ann", "QR7")]
    seizing = drive(fire(RULES, fight, "Ann", Action("fire", "Bob", 1)), *lines).rolls[0]
    plain = pin_task(RULES, fight, fight.fighter("Bob"), fight.fighter("Ann"), limb="right arm")
    assert seizing[2].of.task.modifier == plain.modifier + again


def test_strangling():  # 3250
    assert strangle_works(RULES, 2, Patient("Bob"))
    plated = someone("Bob", armor=(("Plate", "Vest"),)).body
    assert not strangle_works(RULES, 2, plated)
    fight = pinned(limb="neck")
    for _ in range(11):  # EN 9 holds the breath for 45 seconds
        fight = drive(choke(RULES, fight, 4)).outcome
    assert fight.fighter("Bob").choking == 44
    fight = drive(choke(RULES, fight, 4)).outcome
    fight = drive(choke(RULES, fight, 4), ("Bob", "QR4")).outcome  # 52 seconds: one roll is due
    gone = drive(choke(RULES, fight, 4), ("Bob", "QR7")).outcome
    assert gone.fighter("Bob").out
    assert gone.fighter("Ann").pins == ()


@pytest.mark.parametrize("seconds", [3, 5])
def test_a_round_is_so_many_seconds_long(seconds):  # 2933
    fight = replace(pinned(limb="neck"), round=1)
    table = Table(fight, under(round_seconds=seconds))
    table.play(("Ann", "QR4"), ("Bob", "QR4"))
    assert table.fighter("Bob").choking == seconds


def test_footing_at_close_quarters_where_the_campaign_asks_for_it():  # 3193
    near = pair((0.0, 0.0))
    done = drive(keep_feet(RULES, near, "Ann"), ("Ann", "QR7"))
    assert done.outcome.fighter("Ann").stance == "prone"
    table = Table(replace(near, order=("Ann",)), under(close_quarters_footing=True))
    assert table.asks() == [("Ann", "staying on the feet")]
    assert Table(replace(near, order=("Ann",))).asks() == [("Ann", "turn")]
