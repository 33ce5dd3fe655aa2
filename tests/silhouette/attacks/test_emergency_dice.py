"""Emergency Dice go into any roll of a fight, each into one (book lines 1710-1719)."""

from msgspec.structs import replace

from rulewright.play import script
from rulewright.systems.silhouette.attacks.area_fire import under_fire
from rulewright.systems.silhouette.combat.command import Command, Member
from rulewright.systems.silhouette.combat.effects import after_the_fight
from rulewright.systems.silhouette.combat.fighters import Ground, Zone
from rulewright.systems.silhouette.fight.ambush import spring_ambush
from rulewright.systems.silhouette.fight.moves import move
from rulewright.systems.silhouette.fight.turns import begin_round
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.harm.damage import Hit, take_hit

from ..fights import RULES, act, by, fight_of, pools, roll_initiative, someone, take_turn


def dice_of(played):
    return [(each.roll.by, len(each.faces)) for each in played.rolls]


def left(fight, name):
    return fight.fighter(name).body.emergency_dice


def pair(metres=5, ann=0, ben=0, weapons=("medium pistol",), **skills):
    return fight_of(
        someone("Ann", side="us", weapons=weapons, dice=ann, **skills), someone("Ben", (metres, 0), side="them", defense=1, dice=ben)
    )


def test_initiative():
    fight = pair(ann=3, combat_sense=1)
    played = script(begin_round(RULES, fight), [(2, 6, 5), (4, 4)], [2])
    assert dice_of(played) == [("Ann", 3), ("Ben", 2)]
    assert (left(played.outcome, "Ann"), played.outcome.queue) == (1, (("Ann",), ("Ben",)))
    waits = fight.change("Ann", refocused=True)
    assert roll_initiative(waits, (2, 2)).queue[0] == ("Ann",)  # no roll, no question


def test_initiative_without_any_skill_where_the_campaign_allows_none():
    fight = pair(ann=3)
    assert roll_initiative(fight, (3, 2), (4, 4), rules=by(unskilled_emergency_dice="none")).round == 2
    assert script(begin_round(RULES, fight), [(3, 2, 6), (4, 4)], [1]).outcome.queue == (("Ann",), ("Ben",))


def test_staying_conscious():
    body = Patient("Ann", emergency_dice=6)
    played = script(take_hit(RULES, body, Hit(30)), [(1, 1, 1, 5)], [2])
    assert (played.outcome.deep, played.outcome.awake, played.outcome.emergency_dice) == (1, True, 4)
    assert script(take_hit(RULES, body, Hit(30)), [(6, 5)], [0]).outcome.emergency_dice == 6
    tough = Patient("Ann", emergency_dice=1, acted_tough=True, flesh=1)
    assert script(after_the_fight(RULES, tough), [(1, 1, 6)], [1]).outcome.awake


def test_both_rolls_of_a_grenade_are_paid_for_by_themselves():
    fight = pair(ann=5, throwing=1, weapons=("fragmentation grenade",))
    played = act(fight, "Ann", "lob:Ben", 2, 1, 0, faces=[(6, 2, 1), (4, 1), (6, 5), (6,)])
    assert dice_of(played)[:2] == [("Ann", 3), ("Ann", 2)]
    assert left(played.outcome, "Ann") == 2


def test_getting_away_from_a_blast():
    near = pair(20, ben=2, throwing=1, weapons=("fragmentation grenade",))
    played = act(near, "Ann", "lob:Ben", 2, faces=[(6,), (2,), (6, 6), (5, 4, 3)])
    assert ("Ben", 3) in dice_of(played)
    assert left(played.outcome, "Ben") == 0


def test_getting_through_a_zone_and_daring_to_move():
    fight = pair(ben=3)
    zone = Zone("Ann", 5.0, 0.0, 5.0, 4, 10)
    played = script(under_fire(RULES, fight, "Ben", zone), [(2, 6, 1)], [2])
    assert (dice_of(played), left(played.outcome, "Ben")) == ([("Ben", 3)], 1)
    pinned = fight.change("Ben", pinned=2, cover="light cover")
    dared = script(move(RULES, pinned, "Ben"), [(1, 2, 6)], ["walk away", 1]).outcome[0]
    assert (dared.fighter("Ben").pinned, left(dared, "Ben")) == (0, 2)


def test_every_attack_of_walking_fire():
    shooter = someone("Ann", side="us", weapons=("assault rifle",), small_arms=2, dice=5)
    foes = [someone(name, (20, y), side="them", defense=1, dice=1) for name, y in (("Ben", 0), ("Cat", 1))]
    played = act(fight_of(shooter, *foes), "Ann", "walk:Ben, Cat", 1, 0, 2, 1, faces=[(2, 1, 1), (6,), (2, 1, 1, 1), (6, 5)])
    assert dice_of(played) == [("Ann", 3), ("Ben", 1), ("Ann", 4), ("Cat", 2)]
    assert [left(played.outcome, name) for name in ("Ann", "Ben", "Cat")] == [2, 1, 0]


def test_a_command_point_helps_against_what_is_thrown_and_walked_over():
    fight = pair(4, weapons=("hatchet",), throwing=2)
    command = Command("Ben", 2, (Member("Ben", 2, orders=1),), 0)
    led = replace(fight, commands=(command,))
    played = act(led, "Ann", "throw:Ben", "yes", faces=[(5, 1), (4,)], rules=by(command_points=True))
    assert pools(played)[1] == ("Ben", 1, 1)  # 2 for the point, 1 less for standing still


def test_skill_applications_for_walking_fire():
    shooter = someone("Ann", side="us", weapons=("assault rifle",), small_arms=3)
    foes = [someone(name, (20, y), side="them") for name, y in (("Ben", 0), ("Cat", 1))]
    rules = by(skill_applications=True)
    fight = fight_of(shooter, *foes, ground=Ground(light="poor light"))
    said = ["acting blind 1", "no", "acting blind 1", "no"]
    played = act(fight, "Ann", "walk:Ben, Cat", *said, faces=[(2, 1), (6, 5), (2, 1), (6, 5)], rules=rules)
    assert [pool[:2] for pool in pools(played)[::2]] == [("Ann", 2), ("Ann", 2)]


def test_simple_actions_among_several_and_orders():
    fight = pair(ann=2, small_arms=1).change("Ann", ammo=(0, 0))
    played = take_turn(fight, "2", "stay", "drop", "load", 2, "pass", of="Ann", faces=[(1, 1, 1, 5)])
    assert dice_of(played) == [("Ann", 4)]
    assert left(played.outcome, "Ann") == 0


def test_those_who_lie_in_wait_may_but_nobody_is_asked_about_noticing():
    fight = pair(ann=1, ben=1, stealth=1)
    fight = replace(fight, ground=Ground(ambush="us"), ambush_open=True).change("Ann", hidden=True)
    played = script(spring_ambush(RULES, fight), [(3, 2), (2, 6)], [1])
    assert dice_of(played) == [("gamemaster", 2), ("Ann", 2)]
    assert (left(played.outcome, "Ann"), left(played.outcome, "Ben")) == (0, 1)
    assert played.outcome.fighter("Ben").unwary
