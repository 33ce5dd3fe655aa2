"""Tactics do nothing pointless: no attack that cannot hit, no aim past the limit, no reload of a full magazine."""

import pytest

from foresight.fights import Table, fight_of, someone
from foresight.rules_for_tests import RULES
from rulewright.library import scenarios, stage
from rulewright.play import Choice, Option, Player, Seeded
from rulewright.systems.foresight.combat.attack_exchange import attack_weapons
from rulewright.systems.foresight.combat.events import Asked
from rulewright.systems.foresight.combat.fighters import CoverSpot, Ground
from rulewright.systems.foresight.combat.melee import attack_task
from rulewright.systems.foresight.combat.reflexes import duck_options
from rulewright.systems.foresight.combat.shots import shot_task
from rulewright.systems.foresight.fight.tactics import TACTICS
from rulewright.systems.foresight.resolution.tests import chance_of

FIGHTS = [name for name, scenario in scenarios("foresight").items() if scenario.scene == "fight"]
MOST_STEPS = 60


def pointless(choice, key):
    """Why an action makes no sense; nothing if it does."""
    about, verb, target = choice.about, *str(key).partition(":")[::2]
    fight, me = about.fight, about.fight.fighter(about.name)
    if verb == "aim" and me.aim >= about.rules.number("aim-actions") and me.aim_at == target:
        return "aims past the limit"
    if verb == "reload" and me.ammo[me.hand] >= me.weapon.ammo:
        return "reloads a full magazine"
    if verb in ("fire", "throw") and chance_of(about.rules, shot_task(about.rules, fight, me, fight.fighter(target), me.hand)) <= 0:
        return "a shot that cannot hit"
    if verb == "attack":
        weapon = attack_weapons(fight, me, fight.fighter(target))[0]
        if chance_of(about.rules, attack_task(about.rules, fight, me, fight.fighter(target), weapon=weapon)) <= 0:
            return "a blow that cannot hit"
    return ""


@pytest.mark.parametrize("name", FIGHTS)
@pytest.mark.parametrize("tactic", TACTICS)
def test_no_tactic_does_anything_pointless(name, tactic):
    staged, found = stage(f"foresight/{name}"), []

    def decide(choice):
        key = TACTICS[tactic](choice)
        if choice.topic == "act" and pointless(choice, key):
            found.append((choice.who, key, pointless(choice, key)))
        return key

    for seed in range(2):
        state, dice = staged.state, Seeded(seed)
        for _ in range(MOST_STEPS):
            if staged.scene.result(state) is not None:
                break
            state = Player(dice, decide).run(staged.scene.step(state))
    assert found == []


def test_the_tactics_differ_in_what_they_do():
    played = {}
    for tactic, decide in TACTICS.items():
        told = []
        for name in FIGHTS:
            staged, dice = stage(f"foresight/{name}"), Seeded(1)
            state = staged.state
            for _ in range(MOST_STEPS):
                if staged.scene.result(state) is not None:
                    break
                player = Player(dice, decide)
                state = player.run(staged.scene.step(state))
                told += [event.headline() for event in player.events if event.logged]
        played[tactic] = tuple(told)
    assert len(set(played.values())) == len(TACTICS)


def test_who_shoots_steps_behind_cover_at_hand_first():
    gun, ground = "SL Pistol (TL5)", Ground(covers=(CoverSpot("the crates", 0.0, 1.0),))
    people = [someone(name, (x, 0.0), guns=(gun,), weapon=gun, handguns=9) for name, x in (("Ann", 0.0), ("Bob", 9.0))]
    table = Table(fight_of(*people, ground=ground, order=("Ann", "Bob")))
    asked = []
    while not table.fighter("Ann").cover and len(asked) < 6:
        ((place, request),) = table.encounter.open
        asked.append(TACTICS["shooter"](request))
        table.encounter.give(asked[-1], place)
    assert asked == ["act", "step", "cover:the crates"]


def test_out_of_balance_one_recovers_before_a_shot_that_cannot_hit():
    gun = "SL Pistol (TL5)"
    ann = someone("Ann", (0.0, 0.0), guns=(gun,), weapon=gun, state={"balanced": False}, body={"wounds": 2})
    fight = fight_of(ann, someone("Bob", (40.0, 0.0)))
    keys = ("fire:Bob", "recover", "aim:Bob", "done")
    choice = Choice("Ann", "What do you do?", tuple(Option(key, key, key) for key in keys), Asked(fight, "Ann", RULES), "act")
    assert TACTICS["shooter"](choice) == "recover"


@pytest.mark.parametrize("tactic", TACTICS)
@pytest.mark.parametrize("distance", [1.0, 5.0, 60.0])
def test_nobody_drops_for_nothing_when_shot_at(tactic, distance):
    gun = "SL Pistol (TL5)"
    ann = someone("Ann", (0.0, 0.0), guns=(gun,), weapon=gun, handguns=5)
    fight = fight_of(ann, someone("Bob", (distance, 0.0)))
    bob = fight.fighter("Bob")
    choice = Choice("Bob", "?", duck_options(fight, bob, ann), Asked(fight, "Bob", RULES, actor="Ann"), "duck")
    flat = fight.change("Bob", stance="prone")
    pays = [chance_of(RULES, shot_task(RULES, each, each.fighter("Ann"), each.fighter("Bob"), ann.hand)) for each in (flat, fight)]
    assert TACTICS[tactic](choice) != "drop" or pays[0] < pays[1]
