"""Bodies with boxes in every part: where blows land, how Shock and Kill are marked, Wounds (chapter 4.06-4.07)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import UserError
from rulewright.play import Player, Seeded, script, sub
from rulewright.play.odds import exact
from rulewright.rules import House
from rulewright.systems.ore.harm.body import (
    Dealt,
    Hindrance,
    Located,
    Part,
    Speed,
    Wound,
    damage,
    dealt,
    fresh,
    hindered,
    hurt,
    legs,
    mark_kill,
    mark_shock,
    marked,
)
from rulewright.systems.ore.harm.locations import (
    Bonus,
    anatomy,
    at_height,
    called_bonus,
    heights_of,
    location_struck,
    strike,
    uses_locations,
)
from rulewright.systems.ore.harm.over_time import a_round_passes, set_alight
from rulewright.systems.ore.harm.wounds import Slashed, slash, staunched, wound_threshold
from rulewright.systems.ore.settings import BOOK

BOOK_RULES = BOOK.ruleset()
DEADLY = BOOK.ruleset(settings={"deadly-locations": True})
WOUNDS = BOOK.ruleset(settings={"wounds": True})
WIDTH = BOOK.ruleset(settings={"hit-location": "width"})
SIX = BOOK.ruleset(settings={"six-sided-dice": True})
PARTS = ("head", "torso", "right arm", "left arm", "right leg", "left leg")


def took(body, location, shock, kill, rules=BOOK_RULES, slashed=0):
    return script(damage(rules, body, location, shock, kill, "Bo", slashed)).outcome


def boxes(body, location):
    part = body.part(location)
    return part.shock, part.kill


def test_every_height_strikes_a_part_and_every_part_has_its_boxes():
    found = {part.location: (part.heights, part.boxes) for part in anatomy(BOOK_RULES)}
    assert found == {
        "head": ((10,), 4),
        "torso": ((7, 8, 9), 10),
        "right arm": ((5, 6), 5),
        "left arm": ((3, 4), 5),
        "right leg": ((2,), 5),
        "left leg": ((1,), 5),
    }
    assert sum(part.boxes for part in anatomy(BOOK_RULES)) == 34
    assert [at_height(BOOK_RULES, height) for height in (1, 4, 6, 9, 10)] == ["left leg", "left arm", "right arm", "torso", "head"]
    with pytest.raises(UserError, match="Height 11"):
        at_height(BOOK_RULES, 11)


def test_deadly_locations_have_a_vital_part_and_a_smaller_torso():
    found = {part.location: (part.heights, part.boxes) for part in anatomy(DEADLY)}
    assert found["vital"] == ((9,), 4)
    assert found["torso"] == ((7, 8), 6)
    assert at_height(BOOK_RULES, 9) == "torso"
    assert at_height(DEADLY, 9) == "vital"
    body = took(fresh(DEADLY), "vital", 0, 4, DEADLY)
    assert body.dead
    assert took(fresh(DEADLY), "vital", 4, 0, DEADLY).down
    assert took(fresh(DEADLY), "vital", 5, 0, DEADLY).part("vital") == Part("vital", 4, 3, 1)


def test_six_sided_dice_strike_every_part_but_not_those_of_deadly_locations():
    assert [at_height(SIX, face) for face in range(1, 7)] == ["left leg", "right leg", "left arm", "right arm", "torso", "head"]
    with pytest.raises(UserError, match="seven locations"):
        BOOK.ruleset(settings={"six-sided-dice": True, "deadly-locations": True})


def test_width_decides_where_a_blow_lands_where_a_campaign_says_so():
    assert script(location_struck(BOOK_RULES, 3, 10)).outcome == "head"
    assert script(location_struck(WIDTH, 2, 10)).outcome == "torso"
    assert script(location_struck(WIDTH, 3, 10, "Bo"), choices=["left leg"]).outcome == "left leg"
    assert script(location_struck(WIDTH, 4, 1)).outcome == "head"
    assert script(location_struck(WIDTH, 6, 1)).outcome == "head"
    at_random = BOOK.ruleset(settings={"hit-location": "width", "limb-by-width": "at random"})
    odds = exact(sub(location_struck, at_random, 3, 5))
    assert {limb: odds[limb] for limb in ("right arm", "left arm", "right leg", "left leg")} == dict.fromkeys(PARTS[2:], odds["left leg"])
    assert odds["left leg"] * 4 == 1


def test_an_aimed_blow_lands_where_it_was_aimed_and_without_locations_any_other_hits_the_torso():
    vital = BOOK.ruleset(settings={"damage-system": "vital"})
    beside = BOOK.ruleset(settings={"damage-system": "vital", "locations-beside-vital": True})
    assert uses_locations(BOOK_RULES)
    assert not uses_locations(vital)
    assert script(strike(BOOK_RULES, 2, 1)).outcome == "left leg"
    assert script(strike(vital, 2, 1)).outcome == "torso"
    assert script(strike(beside, 2, 1)).outcome == "left leg"
    assert script(strike(vital, 2, 1, "Bo", "head")).outcome == "head"


def test_an_aimed_blow_adds_damage_only_where_no_part_has_boxes():
    """The example: an attack of 4 Kill and 3 Shock on an arm becomes 4 Kill and 5 Shock."""
    for system in ("vital", "abstract"):
        rules = BOOK.ruleset(settings={"damage-system": system})
        attack, bonus = dealt(3, 1, 0), called_bonus(rules, "right arm")
        assert attack == Dealt(4, 3)
        assert (attack.kill + bonus.kill, attack.shock + bonus.shock) == (4, 5)
        assert called_bonus(rules, "head") == Bonus(4, 2)
        assert called_bonus(rules, "vital") == Bonus(3, 1)
        assert called_bonus(rules, "torso") == Bonus()
        assert heights_of(rules, "right arm") == (5, 6)
    assert called_bonus(BOOK_RULES, "head") == Bonus()


def test_a_club_deals_its_width_and_one_shock_more():
    assert dealt(3, 0, 1) == Dealt(3, 4)
    assert dealt(3, None, 1) == Dealt(0, 4)
    assert dealt(1, -3, 0) == Dealt(0, 1)


def test_shock_takes_empty_boxes_and_kill_crosses_over_it():
    assert mark_shock(Part("head", 4, 1, 2), 3) == (Part("head", 4, 2, 2), 2)
    assert mark_kill(Part("head", 4, 2, 1), 2) == (Part("head", 4, 1, 3), 0)
    assert mark_kill(Part("head", 4, 2, 1), 5) == (Part("head", 4, 0, 4), 2)
    with pytest.raises(UserError, match="too few for"):
        Part("head", 4, 3, 2)
    with pytest.raises(UserError, match="cannot be negative"):
        marked(BOOK_RULES, fresh(BOOK_RULES), "head", -1)


def test_within_one_hit_shock_is_marked_before_kill():
    body = took(fresh(BOOK_RULES), "left arm", 3, 3)
    assert boxes(body, "left arm") == (2, 3)  # three strokes, two empty boxes for Kill, and one stroke crossed over
    assert not body.usable("left arm")
    assert body.usable("right arm")
    assert body.able


def test_what_finds_no_room_in_a_limb_goes_on_to_the_torso():
    body = took(fresh(BOOK_RULES), "left leg", 7, 0)
    assert boxes(body, "left leg") == (5, 0)
    assert boxes(body, "torso") == (2, 0)
    assert legs(body) == Speed(2)
    body = took(body, "left leg", 0, 6)
    assert boxes(body, "left leg") == (0, 5)  # Kill crosses over Shock until the leg is gone, and only then goes on
    assert boxes(body, "torso") == (2, 1)
    body = took(body, "right leg", 5, 0)
    assert legs(body) == Speed(1, True)
    assert body.able


def test_a_campaign_can_send_kill_on_to_the_torso_as_soon_as_a_part_is_full():
    rules = BOOK.ruleset(settings={"kill-where-out": "goes to the torso"})
    body = took(took(fresh(rules), "left leg", 5, 0, rules), "left leg", 0, 2, rules)
    assert boxes(body, "left leg") == (5, 0)
    assert boxes(body, "torso") == (0, 2)
    assert boxes(took(took(fresh(BOOK_RULES), "left leg", 5, 0), "left leg", 0, 2), "left leg") == (3, 2)


def test_a_full_head_is_sleep_and_one_full_of_kill_is_death():
    body = took(fresh(BOOK_RULES), "head", 3, 1)
    assert (body.unconscious, body.dead, body.able) == (True, False, False)
    assert took(body, "head", 0, 2).unconscious  # one box of Shock is left
    assert took(body, "head", 0, 3).dead


def test_a_full_torso_is_down_and_further_shock_becomes_kill():
    body = took(fresh(BOOK_RULES), "torso", 6, 4)
    assert (body.down, body.dead, body.able) == (True, False, False)
    assert legs(body).crawling
    body = took(body, "torso", 5, 0)
    assert boxes(body, "torso") == (1, 9)
    assert took(body, "torso", 1, 0).dead


def test_an_amputated_limb_passes_everything_on():
    body = took(fresh(BOOK_RULES), "right arm", 0, 5)
    assert body.part("right arm").slain
    assert boxes(took(body, "right arm", 2, 3), "torso") == (2, 3)


@given(st.lists(st.tuples(st.sampled_from(PARTS), st.integers(0, 9), st.integers(0, 9)), max_size=8))
@settings(max_examples=60, deadline=None)
def test_damage_never_heals_and_boxes_always_fit(hits):
    body = fresh(BOOK_RULES)
    for location, shock, kill in hits:
        before = body
        body = took(body, location, shock, kill)
        marks, old = sum(p.shock + p.kill for p in body.parts), sum(p.shock + p.kill for p in before.parts)
        assert old <= marks <= min(34, old + shock + kill)
        assert sum(p.kill for p in body.parts) >= sum(p.kill for p in before.parts)
        assert before.able or not body.able
        assert not before.dead or body.dead
        assert all(part.shock + part.kill <= part.boxes for part in body.parts)


def test_hurting_is_told_in_words():
    played = script(hurt(BOOK_RULES, fresh(BOOK_RULES), "left arm", 0, 5, "Bo"))
    assert [event.headline() for event in played.events] == ["Bo takes 5 Kill to the left arm: loses the left arm"]
    played = script(hurt(BOOK_RULES, fresh(BOOK_RULES), "head", 4, 0, "Bo"))
    assert [event.headline() for event in played.events] == ["Bo takes 4 Shock to the head: falls unconscious"]


# --- Wounds -------------------------------------------------------------------------------------------------------------------


def test_the_wound_threshold_follows_body():
    assert [wound_threshold(WOUNDS, body) for body in range(1, 12)] == [2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7]


def test_a_single_great_blow_leaves_a_wound_that_costs_a_die():
    body = took(fresh(WOUNDS, 3), "torso", 3, 3, WOUNDS)
    assert body.wounds == ()
    body = took(fresh(WOUNDS, 3), "torso", 4, 4, WOUNDS)
    assert body.wounds == (Wound("torso"),)  # one, even if both are above the threshold
    assert hindered(WOUNDS, body) == Hindrance(1)
    assert took(fresh(BOOK_RULES, 3), "torso", 4, 4).wounds == ()


def test_the_example_of_a_slash_leaves_a_wound_and_no_kill():
    """5 Kill and 3 Shock against armour rated 2 are 3 and 1; the slash deals 1 Shock and is held at 4 against a threshold of 3."""
    assert slash(3, 1) == Slashed(0, 1, 3)
    body = took(fresh(WOUNDS, 3), "torso", 1, 0, WOUNDS, slashed=3)
    assert boxes(body, "torso") == (1, 0)
    assert body.wounds == (Wound("torso"),)
    assert took(fresh(WOUNDS, 3), "torso", 1, 0, WOUNDS, slashed=2).wounds == ()
    assert slash(2, 1, slashing=True) == Slashed(0, 1, 3)  # a slashing weapon adds 1
    assert slash(0, 0, slashing=True) == Slashed(0, 0, 0)


def test_wounds_bleed_every_body_rounds_until_they_are_staunched():
    body = took(fresh(WOUNDS, 3), "right leg", 0, 4, WOUNDS)
    for shock in (0, 0, 1, 1):
        body = script(a_round_passes(WOUNDS, body)).outcome
        assert body.part("right leg").shock == shock
    assert script(a_round_passes(WOUNDS, staunched(body))).outcome == staunched(body)


def test_fire_burns_every_part_but_the_head_until_it_is_out():
    body = set_alight(fresh(BOOK_RULES), 3)
    body = Player(Seeded(1)).run(a_round_passes(BOOK_RULES, body))
    assert isinstance(body, Located)
    assert {part.location: part.shock for part in body.parts} == {**dict.fromkeys(PARTS, 1), "head": 0}


def test_a_house_may_change_boxes_and_what_a_width_strikes():
    tough = BOOK.ruleset(house=House(tables={"ore-4.07-health-boxes": {"head": {"boxes": 6}}}))
    assert took(fresh(tough), "head", 0, 5, tough).able
    without_limbs = BOOK.ruleset(settings={"hit-location": "width"}, house=House(tables={"ore-4.06-opt04-width-location": {"3": None}}))
    assert script(location_struck(without_limbs, 3, 10)).outcome == "torso"
    with pytest.raises(UserError, match="at least a torso"):
        Located().part("head")
