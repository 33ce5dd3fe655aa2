"""Firearms in a fight: ways to fire, bullets, recoil, and an area under fire."""

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.systems.ore.fight.declarations import options_for
from rulewright.systems.ore.fight.resolution.gunfire import ENDLESS, can_reload, can_suppress, is_volley, loaded, reloads, volleys
from rulewright.systems.ore.fight.rounds import next_step
from rulewright.systems.ore.fight.scene import begin
from rulewright.systems.ore.gear.armoury import weapon_named
from rulewright.systems.ore.people.characters import Character, Statistics
from rulewright.systems.ore.people.mook_file import Mook
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()


def rules(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


def somebody(name, weapon, body=3, insight=2, **skills):
    named = {each.replace("_", " "): rating for each, rating in skills.items()}
    statistics = Statistics(body=body, coordination=3, psyche=2, insight=insight)
    return Character(name, statistics=statistics, skills=named, weapons=(weapon,) if weapon else ())


def fight(by, gun, place=None, mooks=0, body=3):
    ana, ben = somebody("Ana", gun, body, 1, small_arms=2), somebody("Ben", "", insight=5)
    people = [Placed(ana, "Ana", "a", None, {}), Placed(ben, "Ben", "b", None, {})]
    people += [Placed(Mook("Thug", threat=2), f"Thug {n}", "b", None, {}) for n in range(1, mooks + 1)]
    scenario = Scenario("ore", "scenario", "f", {"a": [], "b": []}, place=place or {"metres": 10})
    return begin(by, scenario, people)


def a_round(by, state, faces, choices):
    """One whole round: Ana declares, then Ben; everybody rolls; everything is resolved."""

    def go(now):
        now = yield from next_step(by, now)
        while now.phase != "begin":
            now = yield from next_step(by, now)
        return now

    return script(go(state), faces, choices).outcome


def keys(by, state, name="Ana"):
    return {option.key for option in options_for(by, state, name)}


UZI = "uzi 9mm"
PISTOL = "pistol: pistol 9mm semi-automatic magazine 5"


def test_what_can_be_declared_with_each_weapon():
    assert {"2 shots:Ben", "3 shots:Ben"} <= keys(RULES, fight(RULES, PISTOL))
    assert "burst:Ben" not in keys(RULES, fight(RULES, PISTOL))
    assert {"2 shots:Ben", "burst:Ben", "suppress"} <= keys(RULES, fight(RULES, UZI))
    assert not any("shots" in key for key in keys(RULES, fight(RULES, ".38 special")))
    assert "burst:Ben+Thug" in keys(RULES, fight(RULES, UZI, mooks=3))


def test_volleys_depend_on_what_is_loaded():
    gun = weapon_named(RULES, PISTOL)
    assert [each.key for each in volleys(RULES, gun, 2, "Ben")] == ["2 shots:Ben"]
    assert [each.key for each in volleys(RULES, gun, ENDLESS, "Ben")] == ["2 shots:Ben", "3 shots:Ben"]
    assert is_volley(volleys(RULES, gun, 5, "Ben")[0].acts)
    assert not is_volley(())
    assert can_suppress(RULES, weapon_named(RULES, UZI))
    assert not can_suppress(RULES, gun)


def test_three_shots_cost_no_dice_and_three_bullets():
    state = fight(RULES, PISTOL)  # Coordination 3 and Small Arms 2, and a die for short range
    after = a_round(RULES, state, [(1, 1, 7, 7, 8, 8)], ["3 shots:Ben", "pass", "2x8", "2x7"])
    assert loaded(after.fighter("Ana")) == 2
    ben = after.fighter("Ben").body
    assert (ben.part("left leg").kill, ben.part("torso").kill) == (2, 4)


def test_without_bullets_there_is_only_reloading():
    state = fight(RULES, PISTOL).change("Ana", spent=((1, 5),))
    assert loaded(state.fighter("Ana")) == 0
    found = keys(RULES, state)
    assert "reload" in found
    assert not any(key.startswith(("attack:", "2 shots", "called shot", "wait")) for key in found)
    after = a_round(RULES, state, [], ["reload", "pass"])
    assert loaded(after.fighter("Ana")) == 5


def test_a_burst_uses_bullets_by_its_spray():
    state = fight(RULES, UZI)
    dice = (4, 4, 4, 1, 2, 3, 5, 6, 7)  # five, one for range, three of spray
    assert loaded(a_round(RULES, state, [dice], ["burst:Ben", "pass"]).fighter("Ana")) == 32 - 9


def test_a_burst_uses_bullets_by_its_lowest_waste_die_with_the_option():
    by = rules(waste_ammunition=True)
    state = fight(by, UZI)
    dice = (4, 4, 4, 2, 3, 3, 5, 6, 7)
    assert loaded(a_round(by, state, [dice], ["burst:Ben", "pass", "3x4"]).fighter("Ana")) == 32 - (2 + 3)
    single = a_round(by, state, [(4, 4, 1, 2, 3, 5)], ["attack:Ben", "pass"])
    assert loaded(single.fighter("Ana")) == 31
    both = rules(waste_ammunition=True, speed="waste")
    assert loaded(a_round(both, fight(both, UZI), [dice], ["burst:Ben", "pass", "3x4@7"]).fighter("Ana")) == 32 - (2 + 3)


def test_recoil_hurts_a_weak_arm():
    cannon = "cannon: pistol .50 bmg magazine 5"
    after = a_round(RULES, fight(RULES, cannon, body=2), [(1, 2, 3)], ["attack:Ben", "pass"])
    assert after.fighter("Ana").body.part("right arm").shock == 1
    strong = a_round(RULES, fight(RULES, cannon, body=3), [(1, 2, 3, 4)], ["attack:Ben", "pass"])
    assert strong.fighter("Ana").body.part("right arm").shock == 0
    without = rules(powerless=True)
    light = a_round(without, fight(without, cannon, body=1), [(1, 2, 3, 4, 5, 6)], ["attack:Ben", "pass"])
    assert light.fighter("Ana").body.part("right arm").shock == 0


# --- an area under fire -------------------------------------------------------------------------------------------------------

YARD = {"metres": 10, "cover": "50% total", "cover_metres": 2}


def test_whoever_dives_gets_into_cover():
    state = fight(RULES, UZI, YARD)  # Coordination 3 without Dodge, less two metres: one die, which makes no set
    area = (5, 5, 1, 2, 8)
    caught = a_round(RULES, state, [area, (9,), (5, 7)], ["suppress", "pass", "dive"])
    assert not caught.fighter("Ben").cover.any
    assert caught.fighter("Ben").body.part("right arm").kill == 3
    near = fight(RULES, UZI, {"metres": 10, "cover": "50% total", "cover_metres": 0})
    saved = a_round(RULES, near, [area, (9, 9, 1)], ["suppress", "pass", "dive"])
    assert saved.fighter("Ben").cover.name == "50% total"
    assert saved.fighter("Ben").body == state.fighter("Ben").body


def test_whoever_will_not_dive_must_dare_it():
    near = fight(RULES, UZI, {"metres": 10, "cover": "50% total", "cover_metres": 0})
    area = (5, 5, 1, 2, 8)
    dared = a_round(RULES, near, [area, (3, 3), (4, 6)], ["suppress", "pass", "face"])  # Difficulty 3, the Spray Rating
    assert not dared.fighter("Ben").cover.any
    faltered = a_round(RULES, near, [area, (2, 2), (9, 9, 1)], ["suppress", "pass", "face"])
    assert faltered.fighter("Ben").cover.any


def test_in_the_open_dice_join_the_fire():
    state = fight(RULES, UZI)  # no cover to dive behind
    played = a_round(RULES, state, [(5, 5, 1, 2, 8), (5, 1)], ["suppress", "pass"])
    ben = played.fighter("Ben").body
    assert (ben.part("right arm").kill, ben.part("left leg").kill) == (3, 2)
    assert loaded(played.fighter("Ana")) == 16


def test_whoever_is_hit_by_the_fire_loses_a_die():
    state = fight(RULES, UZI, {"metres": 0})
    area, blow = (5, 5, 5, 2, 8), (9, 9, 1)  # three dice beat two; Ben's fists have a Body of 3
    hit = a_round(RULES, state, [blow, area, (5, 6, 7)], ["suppress", "attack:Ana"])
    assert hit.fighter("Ana").body == state.fighter("Ana").body
    spared = a_round(RULES, state, [blow, area, (1, 6, 7)], ["suppress", "attack:Ana"])
    assert spared.fighter("Ana").body.part("torso").kill == 2


def test_mooks_are_hit_too():
    state = fight(RULES, UZI, mooks=3)
    played = a_round(RULES, state, [(5, 5, 1, 2, 8), (9, 9), (5, 1)], ["suppress", "pass"])
    assert played.groups[0].mob.number == 1


def test_cover_must_be_known():
    with pytest.raises(UserError, match="no cover"):
        fight(RULES, UZI, {"cover": "a hedge"})
    with pytest.raises(UserError, match="cover_metres"):
        fight(RULES, UZI, {"cover": "50% total", "cover_metres": 99})


# --- crossbows ----------------------------------------------------------------------------------------------------------------


def test_a_crossbow_is_wound_round_by_round():
    state = fight(RULES, "arbalest: push 5 winder", body=3)
    ana = replace(state.fighter("Ana"), spent=((1, 1),))
    rounds = 0
    while loaded(ana) == 0:
        ana, rounds = reloads(RULES, ana), rounds + 1
    assert rounds == 5
    light = fight(RULES, "crossbow: push 3", body=3).change("Ana", spent=((1, 1),)).fighter("Ana")
    assert loaded(reloads(RULES, light)) == 1
    assert not can_reload(RULES, weapon_named(RULES, "arbalest: push 5"), 3)
    assert can_reload(rules(powerless=True), weapon_named(RULES, "arbalest: push 5"), 3)
