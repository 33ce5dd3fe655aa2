"""Areas, lasting damage, falls and collisions (chapters 4.12-4.14)."""

from fractions import Fraction

import pytest

from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.systems.ore.combat.fighters import Fight, Ground
from rulewright.systems.ore.combat.hazards import area_damage, impact, impact_damage, in_area, mooks_in_area
from rulewright.systems.ore.combat.mooks import mob
from rulewright.systems.ore.combat.profiles import enter, gather
from rulewright.systems.ore.fight.rounds import next_step
from rulewright.systems.ore.harm.body import Vital, damage, fresh
from rulewright.systems.ore.harm.over_time import a_round_passes, remedied, set_alight
from rulewright.systems.ore.people.characters import Character
from rulewright.systems.ore.people.mook_file import Mook
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()
VITAL = BOOK.ruleset(settings={"damage-system": "vital"})
ABSTRACT = BOOK.ruleset(settings={"damage-system": "abstract"})


def test_the_concussion_grenade_hurts_a_leg_and_an_arm():
    """Rated 3 for Shock, and the dice show 1, 3 and 4: one to the left leg, two to the left arm."""
    body = script(in_area(RULES, fresh(RULES), 3), [(1,), (3,), (4,)]).outcome
    assert {part.location: part.shock for part in body.parts if part.shock} == {"left leg": 1, "left arm": 2}
    killed = script(in_area(RULES, fresh(RULES), 1, "kill"), [(10,)]).outcome
    assert killed.part("head").kill == 1
    with pytest.raises(UserError, match="an area has"):
        script(in_area(RULES, fresh(RULES), 99))


def test_without_locations_dice_below_the_attackers_height_hurt():
    """3x6 with a grenade rated 4: seven dice, of which 1, 2, 5 and 5 are below 6."""
    faces = [(1,), (2,), (5,), (5,), (8,), (9,), (9,)]
    assert script(area_damage(VITAL, 4, 3, 6), faces).outcome == 4
    assert script(in_area(VITAL, fresh(VITAL, 3), 4, "shock", 3, 6), faces).outcome == Vital(statistic=3, shock=4)
    assert script(in_area(ABSTRACT, fresh(ABSTRACT, 5), 4, "kill", 3, 6), faces).outcome.total == 1
    assert script(area_damage(VITAL, 2, 0, 0), [(4,), (5,)]).outcome == 1  # no set: the rating alone, against 5
    stricter = BOOK.ruleset(settings={"damage-system": "vital", "area-without-a-set": 8})
    assert script(area_damage(stricter, 2, 0, 0), [(4,), (5,)]).outcome == 2


def test_the_odds_of_area_damage_are_binomial():
    odds = exact(sub(area_damage, VITAL, 2, 1, 6))
    assert [odds[points] for points in range(4)] == [Fraction(ways, 8) for ways in (1, 3, 3, 1)]


def test_the_flamethrower_goes_on_burning_by_its_width():
    """W+2 and 3x5: 5 damage, and 3 Shock in every further round; with locations a point to each part but the head."""
    body = script(damage(VITAL, fresh(VITAL, 9), "torso", 5, 0)).outcome
    body = script(a_round_passes(VITAL, set_alight(body, 3))).outcome
    assert body.shock == 8
    assert script(a_round_passes(VITAL, remedied(body))).outcome.shock == 8
    located = script(a_round_passes(RULES, set_alight(fresh(RULES), 3))).outcome
    assert sum(part.shock for part in located.parts) == 5
    assert located.part("head").shock == 0
    downed = script(a_round_passes(ABSTRACT, set_alight(fresh(ABSTRACT, 3), 3))).outcome
    assert downed.total == 2  # as much as Body: two Outs


def test_falls_and_collisions_by_the_table():
    falls = {1: 1, 2: 2, 3: 3, 4: 4, 10: 4, 11: 5, 36: 5, 37: 6, 72: 6, 73: 7, 4000: 7}
    assert {metres: impact_damage(RULES, metres) for metres in falls} == falls
    speeds = {0: 0, 2: 0, 3: 1, 5: 1, 6: 2, 24: 4, 47: 4, 48: 5, 191: 6, 192: 7, 384: 8, 1536: 10, 9999: 10}
    assert {speed: impact_damage(RULES, speed=speed) for speed in speeds} == speeds
    with pytest.raises(UserError, match="cannot be negative"):
        impact_damage(RULES, -1)


def test_an_impact_hurts_every_part_through_any_armour():
    body = script(impact(RULES, fresh(RULES), 3, surface="soft")).outcome
    assert {part.shock for part in body.parts} == {3}
    body = script(impact(RULES, fresh(RULES), 4)).outcome
    assert body.dead  # four Kill to the head
    assert script(impact(VITAL, fresh(VITAL, 3), 4)).outcome == Vital(statistic=3, kill_lost=3, vital_lost=1)
    assert script(impact(RULES, fresh(RULES))).outcome == fresh(RULES)


def test_a_fall_or_an_explosion_is_one_blow_and_leaves_one_wound():
    """Six parts with five points each are a single fall; four dice on the torso are more than a threshold of 3, and two on it are not."""
    wounding = BOOK.ruleset(settings={"wounds": True})
    fallen = script(impact(wounding, fresh(wounding, 3), 4, surface="soft")).outcome
    assert [wound.location for wound in fallen.wounds] == ["torso"]
    assert not script(impact(wounding, fresh(wounding, 3), 3, surface="soft")).outcome.wounds  # three are not more than three
    blasted = script(in_area(wounding, fresh(wounding, 3), 5, "kill"), [(7,), (8,), (1,), (9,), (7,)]).outcome
    assert [wound.location for wound in blasted.wounds] == ["torso"]
    assert (blasted.part("torso").kill, blasted.part("left leg").kill) == (4, 1)
    assert not script(in_area(wounding, fresh(wounding, 3), 5, "kill"), [(7,), (8,), (1,), (3,), (5,)]).outcome.wounds


def test_only_a_body_that_resists_impacts_falls_softer():
    body = script(impact(RULES, fresh(RULES), 4, resistance=3)).outcome
    assert {part.kill for part in body.parts} == {1}
    assert script(impact(RULES, fresh(RULES), 2, resistance=3)).outcome == fresh(RULES)


# --- mooks in it --------------------------------------------------------------------------------------------------------------


def test_an_area_hurts_every_mook_in_it():  # lines 5221-5227, 5449
    punks = mob(3, 3, armour=4)
    assert script(mooks_in_area(RULES, punks, 2)).outcome.ratings == (1, 1, 1)  # armour is no help, and no die misses
    assert script(mooks_in_area(RULES, punks, 3)).outcome.out
    assert script(mooks_in_area(VITAL, punks, 3), [(4,), (5,), (1,)]).outcome.ratings == (1, 1, 1)
    assert script(mooks_in_area(ABSTRACT, punks, 2, 1, 9), [(8,), (9,), (1,)]).outcome.ratings == (1, 1, 1)
    simple = BOOK.ruleset(settings={"simple-mooks": True})
    assert script(mooks_in_area(simple, punks, 2)).outcome == punks
    assert script(mooks_in_area(simple, punks, 3)).outcome.out
    with pytest.raises(UserError):
        script(mooks_in_area(RULES, punks, 99))


def test_mooks_in_a_burning_house_grow_fewer():
    def go(now):
        now = yield from next_step(RULES, now)
        while now.phase != "begin":
            now = yield from next_step(RULES, now)
        return now

    ana = enter(RULES, Character("Ana", skills={"close combat": 1}), "Ana", "a")
    thugs = gather(Mook("Thug", threat=2), ("Thug 1", "Thug 2"), "b")
    fight = Fight(Ground(area=1), (ana,), (thugs,))
    after = script(go(fight), [(1, 2, 3, 4), (7,)], ["pass"]).outcome
    assert after.groups[0].mob.ratings == (1, 1)
    assert after.fighter("Ana").body.part("torso").shock == 1
    assert script(go(after), [(1, 2), (7,)], ["pass"]).outcome.groups[0].mob.out
