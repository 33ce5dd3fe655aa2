"""Figures recomputed from the book by rule id, as somebody from outside asks for them: at limits, and where halves fall."""

import pytest

from rulewright.errors import UserError
from rulewright.rules.reasons import Derived
from rulewright.show import rule_calls
from rulewright.system import find

GAME = find("silhouette")
RULES = GAME.book.ruleset()
INFOS = {info.id: info for info in GAME.book.rules()}


def asked(rule_id, /, **given):
    """The bare value that a rule answers."""
    bare, _, function = rule_id.partition(":")
    value = rule_calls.prepare(RULES, INFOS[bare], given, function or None).value()
    return value.value if isinstance(value, Derived) else value


@pytest.mark.parametrize(
    ("location", "part", "change", "armor"),
    [
        ("room", "wall", "0.5", 23),
        ("room", "wall", "-0.5", 8),
        ("room", "bulkhead", "0.5", 38),
        ("room", "bulkhead", "-0.5", 13),
        ("airlock", "wall", "0.1", 17),
        ("station", "door", "-0.5", 175),
    ],
)
def test_half_a_point_of_a_changed_wall_goes_up_line_5513(location, part, change, armor):
    assert asked("sil-6.2.1-pressurized-areas:wall_armor", location=location, part=part, change=change) == armor


def test_forms_and_components_are_reckoned_by_id_lines_3945_and_3955():
    assert asked("sil-4.3.7-transformables:transformed", worths="100,80,40,40") == 160
    assert asked("sil-4.3.7-transformables:transformed", worths="80,100", one_way="true") == 120
    assert asked("sil-4.3.6-combiners:combined", own="100", components="60,70") == 130


def test_muscle_power_takes_a_person_for_each_point_of_size_squared_line_9358():
    assert asked("sil-e-movement-flaws:muscle_power", size="2", crew="16", strength="1", stamina="25") == {"top": 6, "deployment": 54}
    with pytest.raises(UserError, match="needs 9 people, not 8"):
        asked("sil-e-movement-flaws:muscle_power", size="3", crew="8", strength="1", stamina="25")


def test_a_value_that_is_not_allowed_is_answered_with_those_that_are():
    with pytest.raises(UserError, match="wound is one of death, deep, flesh, none, not 'x'"):
        asked("sil-6.4.5-genre-effects:lucky_break", wound="x")
    with pytest.raises(UserError, match="angle is one of 15, 30, 45, not '20'"):
        asked("sil-5.2.1-jumping:jump_distance", speed="9", angle="20")


def test_names_are_found_whatever_the_case_of_their_letters():
    assert asked("sil-5.2.1-underwater:deep_cost", terrain="deep water") == 1
    assert asked("sil-5.2.1-jumping:jump_distance", speed="9", angle="45") == 9
    assert asked("sil-4.3.2-very-large:scale_factor", own="Gigantic", target="Very Large".lower()) == 100


BY_HAND = {
    # machines on the drawing board (lines 2832-4106)
    "sil-4.1.2-size-mass:largest_mass": [("size=6", 7415), ("size=10", 31256), ("size=5", 4400), ("size=1.1", 102)],
    "sil-4.1.2-size-mass:size_for": [("mass=6500", 6), ("mass=4401", 6), ("mass=7416", 7), ("mass=81", 1.1)],
    "sil-4.1.2-size-mass:volume": [("size=1", 4), ("size=4.5", 35), ("size=10", 216)],
    "sil-4.1.11-default-size-cost:pre_production": [("threat_value=582 size=6", 776000), ("threat_value=582 size=12", 582000)],
    "sil-4.1.13-computer-crew:computer_multiplier": [("level=7 mind=sentient", 25), ("level=1 mind=dumb", 0.25)],
    "sil-4.2.4-ammo-cost": [("uses=25", 0.9), ("uses=26", 1), ("uses=2400", 4), ("uses=0", 5), ("uses=0 melee=true", 2)],
    "sil-4.3.1-small-vehicles:against_vehicles": [("personal=45", 5), ("personal=44", 4), ("personal=4", 1)],
    "sil-4.3.2-very-large:scale_modifier": [("own=gigantic target=vehicle", -4), ("own=vehicle target=gigantic", 0)],
    "sil-4.3.2-large-vehicles:carried_over": [("armor=24 damage=110", 38), ("armor=24 damage=72", 0)],
    "sil-4.3.8-ftl": [("speed=11 reach=1", 16), ("speed=10 reach=100", 16), ("speed=1 reach=1", 2)],
    "sil-d-arms:lifting": [("ratings=6,4,3 size=3", 6), ("ratings=6,4,3 size=3 braced=true", 9.5)],
    "sil-d-features:bio_energy_speed": [("rating=2 willpower=1 psyche=-3", 12), ("rating=0 willpower=-2", 0)],
    # machines in action (lines 4243-5222)
    "sil-5.1.1-actions:crew_actions": [("crew=1", 2), ("crew=3", 3), ("crew=511", 10), ("crew=512", 11)],
    "sil-5.2-stacking:hexes_taken": [("size=61", 3), ("size=60", 2), ("size=30", 1)],
    "sil-5.2.1-combat-speed:gravity_maneuver": [("gravity=0.16", -1), ("gravity=1", 0), ("gravity=1.2", 1), ("gravity=2.5", 2)],
    "sil-5.2.1-underwater:inertia": [("size=65", 2), ("size=60", 2), ("size=59", 3), ("size=100", 1)],
    "sil-5.2.2-turn-radius:turn_radius": [
        ("maneuver=-4 speed=10", 5),
        ("maneuver=-1 speed=5", 1),
        ("maneuver=-1 speed=21", 3),
        ("maneuver=0 speed=5", 0),
    ],
    "sil-5.2.3-vectors:facing_cost": [("maneuver=1 sides=3", 1), ("maneuver=0 sides=3", 2), ("maneuver=-8 sides=3", 12)],
    "sil-5.3.1-concealment:range_bands": [("hexes=12 size=6", 1), ("hexes=13 size=6", 2), ("hexes=24 size=6 walker=true", 1)],
    "sil-5.3.2-sensor-range:array_bonus": [("size=29", 0), ("size=65", 2), ("size=65 step=2", 4)],
    "sil-5.4.1-attacker-modifiers:attacker_modifier": [
        ("distance=0 base=2 pace=stationary", 3),
        ("distance=16 base=2 pace=top", -6),
        ("distance=33 base=2", -5),
    ],
    "sil-5.4.2-defender-modifiers:defender_modifier": [
        ("hexes=0", -3),
        ("hexes=9", 1),
        ("hexes=999", 4),
        ("hexes=5 side=rear attackers=7", -5),
        ("hexes=5 side=rear all_around=true", -1),
    ],
    "sil-5.4.2-capped-modifiers": [
        ("maneuver=1 movement=-1", 0),
        ("maneuver=-3 movement=-1", -1),
        ("maneuver=1 movement=1 evasive=3", 3),
        ("maneuver=-2 movement=0", -2),
    ],
    "sil-5.4.3-ramming:ram_multiplier": [("size=6 hexes=1", 4), ("size=6 hexes=100", 10), ("size=1 hexes=1", 1)],
    "sil-5.4.4-anti-missile:anti_missile_shots": [("margin=9", 1), ("margin=9 rof=1", 5), ("margin=1 rof=1 missiles=true", 8)],
    "sil-5.5-damage:severity_of": [
        ("damage=14 armor=15", "none"),
        ("damage=15 armor=15", "light"),
        ("damage=45 armor=15", "overkill"),
        ("damage=100 armor=15 piercing=true", "heavy"),
    ],
    "sil-5.5.2-extra-damage:armor_loss": [("severity=heavy crushing=true brittle=true", 8), ("severity=heavy piercing=true", 0)],
    "sil-5.6.4-structures:road_bonus": [("points=7 way=ground", 3), ("points=7 way=walker", 0), ("points=7 way=rail rail=true", 3)],
    "sil-f-system-perks:doom": [("damage=20 hexes=5", 200), ("damage=20 hexes=10", 100), ("damage=20 hexes=21", 0)],
    # creatures and hazards (lines 5312-5912)
    "sil-6.1.1-expanded-bld:build_for": [("kilograms=79.95", 0), ("kilograms=2950", 9), ("kilograms=0.005", -10)],
    "sil-6.1.4-creature-movement:running_speed": [("fitness=1 agility=1 build=7 athletics=1", 75), ("fitness=-3 agility=-3 build=-3", 1)],
    "sil-6.1.5-swarm-attack:swarm_damage": [("roll=7 damage=3 victims=2", 10), ("roll=4 damage=2 victims=3", 2)],
    "sil-6.2.1-atmosphere-oxygen:oxygen_penalty": [("minutes=9.9", 0), ("minutes=12", -2), ("minutes=24 oxygen=40", -2)],
    "sil-6.2.1-breach-size": [("damage=35 armor=10", 3), ("damage=10 armor=10", 0)],
    "sil-6.2.2-multi-effect-doses:dose_potency": [("potency=6 doses=3", 7), ("potency=12 doses=3", 14)],
    "sil-6.2.6-fire-damage:effective_heat": [("intensity=7 full_round=false", 3), ("intensity=7 full_round=false fumble=true", 1)],
    "sil-6.2.7-gravity-health:fitness_lost": [("months=1.9", 1), ("months=4", 3), ("months=16", 5)],
    "sil-6.2.8-rad-protection": [("rads=5 hours=1 vehicle_armor=5", 3.5), ("rads=60 hours=2 factor=10", 40)],
    # genres and the open rules (lines 7169-7784)
    "sil-7.5.8-cybernetics:implant_price": [("what=attribute value=5", 2500), ("what=physical_skill value=4", 1000)],
    "sil-8.1.1-ability-modifiers:score_for": [("modifier=3.5", 17), ("modifier=0.5", 11), ("modifier=-0.5", 9)],
    "sil-8.2.3-new-demolitions:shaped_damage": [("damage=10 hardness=4", 9), ("damage=4 hardness=10", 0)],
}


@pytest.mark.parametrize(("rule_id", "given", "value"), [(rule_id, *case) for rule_id, cases in BY_HAND.items() for case in cases])
def test_what_was_computed_by_hand_from_the_book_is_what_the_rule_answers(rule_id, given, value):
    pairs = dict(each.split("=") for each in given.split())
    assert asked(rule_id, **{name: part.replace("_", " ") for name, part in pairs.items()}) == (
        value if isinstance(value, str) else pytest.approx(value)
    )
