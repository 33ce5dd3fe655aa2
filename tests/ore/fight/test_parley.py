"""Ways to strike, two weapons, holds, fending off, dives, threats and displays in a fight."""

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.systems.ore.combat.attacks import land
from rulewright.systems.ore.combat.fighters import Act, Fight, Ground
from rulewright.systems.ore.combat.profiles import enter, gather
from rulewright.systems.ore.fight.declarations import options_for
from rulewright.systems.ore.fight.pools import cast_of
from rulewright.systems.ore.fight.resolution.gunfire import loaded, pairs
from rulewright.systems.ore.fight.rounds import next_step
from rulewright.systems.ore.gear.armour import Hit, stopped
from rulewright.systems.ore.gear.armoury import weapon_named
from rulewright.systems.ore.gear.weapons import blow
from rulewright.systems.ore.harm.body import Part
from rulewright.systems.ore.people.characters import Character, Owned, Statistics
from rulewright.systems.ore.people.feat_tests import dice_kept
from rulewright.systems.ore.people.mook_file import Mook
from rulewright.systems.ore.resolution.tests import ready_dice
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()
REACH = BOOK.ruleset(settings={"weapon-reach": True})


def somebody(name, *weapons, insight=1, skill=2, **more):
    statistics = Statistics(body=3, insight=insight, coordination=3)
    return Character(name, statistics=statistics, skills={"close combat": skill, "small arms": skill}, weapons=weapons, **more)


def fight(by, ana, ben, mooks=0, **place):
    """Ana declares first, then Ben."""
    off_hand = place.pop("off_hand", 0)
    people = (replace(enter(by, ana, "Ana", "a"), off_hand=off_hand), enter(by, ben, "Ben", "b", place.get("metres", 0)))
    groups = (gather(Mook("Thug", threat=2), tuple(f"Thug {n}" for n in range(1, mooks + 1)), "b"),) if mooks else ()
    return Fight(Ground(**place), people, groups)


def a_round(by, state, faces, choices):
    def go(now):
        now = yield from next_step(by, now)
        while now.phase != "begin":
            now = yield from next_step(by, now)
        return now

    return script(go(state), faces, choices).outcome


def keys(by, state, name="Ana"):
    found = [option.key for option in options_for(by, state, name)]
    assert len(found) == len(set(found))
    return set(found)


# --- two weapons --------------------------------------------------------------------------------------------------------------

SAI = ("sai: narrow blade 1 close-in fighting", "other sai: narrow blade 1 close-in fighting")


def test_who_can_use_two_weapons():
    ben = somebody("Ben", insight=2)
    sai = fight(RULES, somebody("Ana", *SAI), ben)
    assert not {"two weapons:Ben", "draw second:sai"} & keys(RULES, sai)
    assert "draw second:other sai" in keys(RULES, sai)
    ready = a_round(RULES, sai, [], ["draw second:other sai", "pass"])
    assert "two weapons:Ben" in keys(RULES, ready)
    assert pairs(RULES, ready.fighter("Ana")) == 2
    skilled = fight(RULES, somebody("Ana", *SAI, skill=3), ben)
    at_once = a_round(
        RULES, skilled, [(7, 7)], ["several", "draw second:other sai", "two weapons:Ben", "done", "pass"]
    )  # six dice, less three, less one
    assert at_once.fighter("Ben").body.part("torso").kill == 4  # twice, for the better skill
    for arms in (("dagger",), ("dagger", "zweihander"), ("dagger", ".38 special")):
        assert not any(key.startswith("draw second") for key in keys(RULES, fight(RULES, somebody("Ana", *arms), ben)))
    shielded = keys(RULES, fight(RULES, somebody("Ana", *SAI, shield="small"), ben))
    assert not any(key.startswith("draw second") for key in shielded)


def test_two_sai_against_somebody_less_skilled():  # lines 5303-5309
    ana = somebody("Ana", *SAI, skill=3)  # five dice (Body 3 is less than Coordination's way), less three
    state = fight(RULES, ana, somebody("Ben", insight=2, skill=2), off_hand=2)
    dice = ready_dice(RULES, cast_of(RULES, state, state.fighter("Ana"), (Act("attack", "Ben", off_hand=2),)).pool).size
    assert dice == 3 + 3 - 3
    after = a_round(RULES, state, [(7, 7, 7)], ["two weapons:Ben", "pass"])
    assert after.fighter("Ben").body.part("torso").kill == 6
    equal = fight(RULES, ana, somebody("Ben", insight=2, skill=3), off_hand=2)
    assert a_round(RULES, equal, [(7, 7, 7)], ["two weapons:Ben", "pass"]).fighter("Ben").body.part("torso").kill == 3


def test_two_pistols_always_fire_twice():
    guns = ("left: pistol 9mm magazine 6", "right: pistol 9mm magazine 6")
    state = fight(RULES, somebody("Ana", *guns), somebody("Ben", insight=2, skill=5), off_hand=2, metres=10)
    after = a_round(RULES, state, [(7, 7, 7)], ["two weapons:Ben", "pass"])  # five dice, one for range, less three
    assert after.fighter("Ben").body.part("torso").kill == 6
    assert after.fighter("Ana").spent == ((1, 1), (2, 1))
    assert loaded(after.fighter("Ana")) == 5


def test_both_of_two_pistols_kick():  # lines 5150-5160, 5311
    def dice(*guns, metres=10):
        state = fight(RULES, somebody("Ana", *guns, skill=5), somebody("Ben", insight=2), off_hand=2, metres=metres)
        return ready_dice(RULES, cast_of(RULES, state, state.fighter("Ana"), (Act("attack", "Ben", off_hand=2),)).pool).size

    light, heavy, cannon = "light: pistol 9mm magazine 6", "heavy: pistol 4 magazine 6", "cannon: pistol 6 magazine 6"
    assert dice(light, light) == 3 + 5 + 1 - 3
    assert dice(light, heavy) == dice(heavy, light) == dice(heavy, heavy) == 3 + 5 + 1 - 3 - 1
    knives = "knives: trajectory 1"
    assert [dice(knives, gun, metres=2) for gun in (light, heavy)] == [1, 0]  # three dice and one for range, less three
    state = fight(RULES, somebody("Ana", light, cannon, skill=5), somebody("Ben", insight=2), off_hand=2, metres=10)
    after = a_round(RULES, state, [(7, 7, 1)], ["two weapons:Ben", "pass"])
    assert [after.fighter("Ana").body.part(arm).shock for arm in ("left arm", "right arm")] == [1, 0]
    both = fight(
        RULES, somebody("Ana", cannon, cannon.replace("cannon", "other"), skill=5), somebody("Ben", insight=2), off_hand=2, metres=10
    )
    hurt = a_round(RULES, both, [(7, 7, 1)], ["two weapons:Ben", "pass"]).fighter("Ana").body
    assert [hurt.part(arm).shock for arm in ("left arm", "right arm")] == [1, 1]
    free = BOOK.ruleset(settings={"powerless": True})
    calm = fight(free, somebody("Ana", light, cannon, skill=5), somebody("Ben", insight=2), off_hand=2, metres=10)
    assert ready_dice(free, cast_of(free, calm, calm.fighter("Ana"), (Act("attack", "Ben", off_hand=2),)).pool).size == 3 + 5 + 1 - 3


def test_the_ambidextrous_keep_two_dice():
    ana = somebody("Ana", *SAI, advantages=(Owned("ambidextrous"),))
    state = fight(RULES, ana, somebody("Ben", insight=2), off_hand=2)
    assert ready_dice(RULES, cast_of(RULES, state, state.fighter("Ana"), (Act("attack", "Ben", off_hand=2),)).pool).size == 5 - 1


# --- ways to strike -----------------------------------------------------------------------------------------------------------


def test_a_hand_and_a_half_in_two_hands():
    state = fight(RULES, somebody("Ana", "hand & half"), somebody("Ben", insight=2))
    one = a_round(RULES, state, [(7, 7, 1, 2, 3, 4)], ["attack:Ben", "pass"])  # five dice, and one for the free hand
    two = a_round(RULES, state, [(7, 7, 1, 2, 3)], ["two hands:Ben", "pass"])
    assert one.fighter("Ben").body.part("torso").kill == 4
    assert two.fighter("Ben").body.part("torso").kill == 5
    assert "two hands:Ben" not in keys(RULES, fight(RULES, somebody("Ana", "broadsword"), somebody("Ben", insight=2)))


def test_the_class_of_damage_is_picked():
    by = BOOK.ruleset(settings={"damage-classes": True})
    ben = somebody("Ben", insight=2, armour={"torso": "AR 3 (C3-P1)"})
    state = fight(by, somebody("Ana", "broadsword"), ben)
    cut = a_round(by, state, [(7, 7, 7, 1, 2)], ["attack:Ben", "pass"])
    pierced = a_round(by, state, [(7, 7, 7, 1, 2)], ["attack P:Ben", "pass"])
    assert (cut.fighter("Ben").body.part("torso").kill, pierced.fighter("Ben").body.part("torso").kill) == (2, 4)
    assert "attack P:Ben" not in keys(RULES, fight(RULES, somebody("Ana", "broadsword"), ben))


def test_a_weapon_drawn_and_used_at_once_costs_a_die():  # line 5364
    state = fight(RULES, somebody("Ana", "dagger", "broadsword"), somebody("Ben", insight=2))
    assert "draw+attack:broadsword:Ben" in keys(RULES, state)
    after = a_round(RULES, state, [(7, 7, 1, 2)], ["draw+attack:broadsword:Ben", "pass"])
    assert after.fighter("Ana").weapon.name == "broadsword"
    assert after.fighter("Ben").body.part("torso").kill == 4
    plain = a_round(RULES, state, [(7, 7, 1, 2, 3)], ["attack:Ben", "pass"])
    assert plain.fighter("Ben").body.part("torso").kill == 2


def test_a_kip_up_is_part_of_a_multiple_action():  # line 5392
    state = fight(RULES, somebody("Ana"), somebody("Ben", insight=2)).change("Ana", downed=True)
    assert "kip up+attack:Ben" in keys(RULES, state)
    both = a_round(RULES, state, [(3, 3)], ["kip up+attack:Ben", "pass", "2x3"])  # Coordination 3, a die less
    assert not both.fighter("Ana").downed
    neither = a_round(RULES, state, [(3, 4)], ["kip up+attack:Ben", "pass"])
    assert neither.fighter("Ana").downed


# --- holds, fending off, dives ------------------------------------------------------------------------------------------------


def test_a_hold_counters_a_blow():
    state = fight(RULES, somebody("Ana"), somebody("Ben", insight=2))
    assert "hold:Ben" in keys(RULES, state)
    after = a_round(RULES, state, [(9, 9, 9, 1, 2), (7, 7, 7, 1, 2)], ["hold:Ben", "attack:Ana"])
    assert after.fighter("Ana").body == state.fighter("Ana").body
    slow = a_round(RULES, state, [(9, 9, 1, 2, 3), (7, 7, 7, 1, 2)], ["hold:Ben", "attack:Ana"])
    assert slow.fighter("Ana").body.part("torso").kill == 3


def test_closing_in_is_fended_off():
    ana, ben = somebody("Ana", "shortsword"), somebody("Ben", "pike: narrow blade 2 hafted", insight=2)
    state = fight(REACH, ana, ben)
    assert "fend off" in keys(REACH, state, "Ben")
    assert "fend off" not in keys(RULES, fight(RULES, ana, ben), "Ben")
    inside = a_round(REACH, state, [(3, 3, 3, 1, 2)], ["close in:Ben", "pass"])
    assert inside.fighter("Ana").close_to == "Ben"
    kept_off = a_round(REACH, state, [(3, 3, 1, 2, 4), (8, 8, 1, 2, 3)], ["close in:Ben", "fend off"])
    assert kept_off.fighter("Ana").close_to == ""


def test_a_dive_counters_a_shot_and_ends_in_cover():
    ana, ben = somebody("Ana", ".38 special"), somebody("Ben", insight=2)
    state = fight(RULES, ana, ben, metres=10, cover="50% total", cover_metres=1)
    assert "dive" in keys(RULES, state, "Ben")
    assert "dive" not in keys(RULES, fight(RULES, ana, ben, metres=10), "Ben")
    shot, dived = (7, 7, 1, 2, 3, 4), (9, 9, 1, 2)  # Ben has five dice, less one for the metre
    after = a_round(RULES, state, [shot, dived], ["attack:Ben", "dive"])
    assert after.fighter("Ben").body == state.fighter("Ben").body
    assert after.fighter("Ben").cover.name == "50% total"
    caught = a_round(RULES, state, [shot, (1, 2, 3, 4)], ["attack:Ben", "dive"])
    assert caught.fighter("Ben").body.part("torso").kill == 2
    assert not caught.fighter("Ben").cover.any


# --- before the first round ---------------------------------------------------------------------------------------------------


def test_nobody_is_asked_unless_there_is_time():
    state = fight(RULES, somebody("Ana"), somebody("Ben", insight=2))
    assert a_round(RULES, state, [], ["pass", "pass"]).round == 1


def test_a_threat_costs_dice_and_wears_off():
    state = fight(RULES, somebody("Ana"), somebody("Ben", insight=2), parley=True)
    after = a_round(RULES, state, [(4, 4), (1, 2)], ["threaten:Ben", "nothing", "pass", "pass"])
    assert after.fighter("Ben").afraid == 1  # two, and one less after the round
    held = a_round(RULES, state, [(4, 4), (3, 3)], ["threaten:Ben", "nothing", "pass", "pass"])
    assert held.fighter("Ben").afraid == 0
    vain = a_round(RULES, state, [(4, 5)], ["threaten:Ben", "nothing", "pass", "pass"])
    assert vain.fighter("Ben").afraid == 0


def test_mooks_run_from_a_threat():
    state = fight(RULES, somebody("Ana"), somebody("Ben", insight=2), mooks=5, parley=True)
    after = a_round(RULES, state, [(4, 4), (1, 2, 3, 4, 5, 6)], ["threaten:Thug", "nothing", "pass", "pass"])
    assert after.groups[0].mob.number == 3


def test_a_display_is_worth_a_die_once():
    state = fight(RULES, somebody("Ana"), somebody("Ben", insight=2), parley=True)
    after = a_round(RULES, state, [(4, 4, 1, 2, 3)], ["display", "nothing", "pass", "pass"])
    assert after.fighter("Ana").impresses
    dice = ready_dice(RULES, cast_of(RULES, after, after.fighter("Ana"), (Act("attack", "Ben"),)).pool).size
    assert dice == 6
    used = a_round(RULES, after, [(1, 2, 3, 4, 5, 6)], ["attack:Ben", "pass"])
    assert not used.fighter("Ana").impresses


@pytest.mark.parametrize("mooks", [0, 4])
def test_every_option_has_a_key_of_its_own(mooks):
    for by in (RULES, REACH):
        ana = somebody("Ana", "uzi 9mm", *SAI, "dagger", "dagger")
        keys(by, fight(by, ana, somebody("Ben", "dagger", insight=2), mooks, metres=0, cover="50% total"))


# --- what advantages do in a fight --------------------------------------------------------------------------------------------


def test_a_signature_weapon_is_used_with_the_extra_die():
    katana = Owned("signature weapon", rating=1, choice="katana", when="swords")
    written = ("katana: narrow blade 3 sword", "dagger")
    plain, owner = somebody("Ana", *written), somebody("Ana", *written, advantages=(katana,))
    before, after = enter(RULES, plain, "Ana", "a").profile, enter(RULES, owner, "Ana", "a").profile
    sizes = [(ready_dice(RULES, one).size, ready_dice(RULES, other).size) for one, other in zip(before.attacks, after.attacks, strict=True)]
    assert sizes == [(5, 5), (5, 6), (5, 5)]  # bare hands, the katana, the dagger
    assert ready_dice(RULES, after.parries[1]).size == ready_dice(RULES, before.parries[1]).size + 1
    assert ready_dice(RULES, after.dodge) == ready_dice(RULES, before.dodge)
    several = BOOK.ruleset(settings={"special-dice": "extra expert"})
    assert ready_dice(several, enter(several, owner, "Ana", "a").profile.attacks[1]).expert == 1


def test_a_body_that_resists_bullets_stops_them_and_nothing_else():
    """Ballistic 3: a .38 of Width 4 loses 3 of its 4 Kill and Shock, a fist nothing; worn armour adds to it, and PEN wears it down."""
    skin = Owned("preternatural resistance", rating=3, choice="ballistic")
    tough = enter(RULES, somebody("Ben", advantages=(skin,)), "Ben", "b")
    assert tough.worn.natural == (("B", 3),)
    assert stopped(RULES, Hit(4, 4, 4, damage_class="B"), tough.worn) == (1, 1)
    assert stopped(RULES, Hit(4, 4, 4, damage_class="I"), tough.worn) == (4, 4)
    armoured = enter(RULES, somebody("Ben", advantages=(skin,), armour={"torso": "light"}), "Ben", "b").worn
    assert stopped(RULES, Hit(6, 6, 4, damage_class="B"), armoured) == (2, 2)
    piercing = BOOK.ruleset(settings={"penetration": True})
    assert [stopped(piercing, Hit(6, 6, 4, pen, "B"), armoured).kill for pen in (0, 1, 2, 9)] == [2, 3, 4, 6]
    struck = script(land(RULES, blow(RULES, weapon_named(RULES, ".38 special"), 4), 8, tough.body, tough.worn, ranged=True)).outcome
    assert (struck.kill, struck.shock) == (1, 1)
    shot = fight(RULES, somebody("Ana", ".38 special"), somebody("Ben", insight=2, advantages=(skin,)), metres=5)
    after = a_round(RULES, shot, [(8, 8, 8, 1, 2, 3)], ["attack:Ben", "pass"])
    assert after.fighter("Ben").body.record() == "unhurt"  # Width 3 against 3


# --- disarming and pushing ----------------------------------------------------------------------------------------------------

WIDE = (5, 5, 5, 1)  # beside the die that is set to 5, for the right arm


def disarming(*weapons, shield="", faces=WIDE, choices=("yes",), ben="broadsword", change=()):
    """Ana goes for Ben's weapon, who does nothing."""
    strong = somebody("Ana", *weapons, skill=3, shield=shield)
    state = fight(RULES, strong, somebody("Ben", ben, insight=2))
    for name, changes in change:
        state = state.change(name, **changes)
    return a_round(RULES, state, [faces], ["disarm:Ben", *(["torso"] if shield else []), "pass", *choices])


def test_a_wide_disarm_takes_the_weapon():
    after = disarming()
    ana, ben = after.fighter("Ana"), after.fighter("Ben")
    assert (ana.weapon.name, ben.weapon.name, ben.lost, ben.taken) == ("broadsword", "bare hands", (1,), (1,))
    assert ben.body.part("right arm").shock == 2
    assert not any("broadsword" in key for key in keys(RULES, after, "Ben"))  # there is nothing to pick up
    cast = cast_of(RULES, after, ana, (Act("attack", "Ben"),))
    assert ready_dice(RULES, cast.pool).size == 6  # Body 3 and Close Combat 3
    struck = a_round(RULES, after, [(7, 7, 1, 2, 3, 4)], ["attack:Ben", "pass"])
    assert struck.fighter("Ben").body.part("torso").kill == blow(RULES, ana.weapon, 2).kill
    back = a_round(RULES, struck, [(5, 5, 5)], ["pass", "disarm:Ana", "yes"])
    assert (back.fighter("Ben").weapon.name, back.fighter("Ana").weapon.name) == ("broadsword", "bare hands")


def test_it_is_left_if_nobody_wants_it():
    after = disarming(choices=["no"])
    assert (after.fighter("Ana").weapon.name, after.fighter("Ben").lost, after.fighter("Ben").taken) == ("bare hands", (1,), ())
    assert "pick up:broadsword" in keys(RULES, after, "Ben")
    assert "pick up:broadsword" in keys(RULES, after, "Ana")


def test_a_narrow_disarm_only_knocks_it_away():
    after = disarming(faces=(5, 5, 1, 2), choices=[])
    assert (after.fighter("Ben").body.part("right arm").shock, after.fighter("Ben").taken) == (1, ())


def test_only_a_free_hand_takes_it():
    beside = disarming("dagger")
    assert [weapon.name for weapon in beside.fighter("Ana").profile.weapons] == ["bare hands", "dagger", "broadsword"]
    assert beside.fighter("Ana").weapon.name == "dagger"
    assert "two weapons:Ben" in keys(RULES, beside)
    shielded = disarming("dagger", shield="small", choices=[])
    assert shielded.fighter("Ben").taken == ()
    two_handed = disarming("spear: hafted narrow blade 3", choices=[])
    assert two_handed.fighter("Ben").taken == ()


def test_the_arm_that_holds_the_weapon_is_aimed_at():
    one_armed = (("Ben", {"body": enter(RULES, somebody("Ben"), "Ben", "b").body.put(Part("right arm", 5, 5, 0))}),)
    after = disarming(faces=(3, 3, 3, 1), change=one_armed)
    assert after.fighter("Ben").body.part("left arm").shock == 2
    assert after.fighter("Ana").weapon.name == "broadsword"


def test_bullets_go_with_the_gun():
    gun = "pistol: pistol 9mm semi-automatic magazine 5"
    after = disarming(ben=gun, change=(("Ben", {"spent": ((1, 3),)}),))
    assert loaded(after.fighter("Ana")) == 2


def test_a_push_moves_somebody_away():
    state = fight(REACH, somebody("Ana"), somebody("Ben", "spear: hafted narrow blade 3", insight=2)).change("Ana", close_to="Ben")
    after = a_round(REACH, state, [(7, 7, 7, 1, 2)], ["push:Ben", "pass"])
    assert (after.distance("Ana", "Ben"), after.fighter("Ana").close_to) == (3, "")
    assert not after.close_in(after.fighter("Ana"), after.fighter("Ben"))
    back = fight(REACH, somebody("Ana"), somebody("Ben", insight=2)).change("Ben", close_to="Ana")
    assert a_round(REACH, back, [(7, 7, 1, 2, 3)], ["push:Ben", "pass"]).fighter("Ben").close_to == ""


# --- in every fight -----------------------------------------------------------------------------------------------------------


def declared(state, choices, faces=(), by=RULES):
    done = script(next_step(by, state), faces, choices)
    return done.outcome, [event.headline() for event in done.events]


def test_threats_and_displays_are_offered_once_beside_the_first_declaration():  # lines 5358-5362, 5404
    state = replace(fight(RULES, somebody("Ana", "broadsword", skill=4), somebody("Ben", insight=2), mooks=3), edition=1)
    after, log = declared(state, ["parley:display", "attack:Ben"], [(5, 5, 1, 2, 3, 4, 9)])
    assert "Ana makes an impressive display" in log
    assert after.fighter("Ana").impresses
    assert [plan.acts[0].kind for plan in after.plans if plan.who == "Ana"] == ["attack"]
    with pytest.raises(UserError, match="not allowed"):
        declared(state, ["parley:display", "parley:display"], [(5, 5, 1, 2, 3, 4, 9)])
    later = replace(state, round=1)
    with pytest.raises(UserError, match="not allowed"):
        declared(later, ["parley:threaten:Ben"])


@pytest.mark.parametrize("chosen", ["parley:threaten:Ben", "parley:threaten:Thug"])
def test_a_threat_before_the_first_declaration_needs_no_place_in_the_scenario(chosen):
    state = replace(fight(RULES, somebody("Ana"), somebody("Ben", insight=2), mooks=3), edition=1)
    _, log = declared(state, [chosen, "pass"], [(5, 5)] if chosen.endswith("Thug") else [(5, 5), (1, 2)])
    assert f"Ana threatens {chosen.rpartition(':')[2]}" in log


def test_the_dice_that_a_knuckleball_keeps_are_asked():  # line 3824
    fell = script(dice_kept("Ann", (2, 7, 9), 2), [], ["keep 2", "keep 9"])
    assert fell.outcome == (2, 9)
    assert script(dice_kept("Ann", (2, 7), 2), [], []).outcome == (7, 2)  # nothing to choose
