"""Battles and pursuits under any mixture of options, with anything decided that is offered: nothing that is offered may stop one."""

import random

import pytest

from rulewright.errors import UserError
from rulewright.play import Player, Range, Seeded
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.scenes.scene import run
from rulewright.systems.ore.battle import setup
from rulewright.systems.ore.battle.scene import BattleScene
from rulewright.systems.ore.machines.structure import TRACKS
from rulewright.systems.ore.machines.vehicle import MODES, Gun, Hands, Vehicle
from rulewright.systems.ore.people.characters import Character, Special, Statistics
from rulewright.systems.ore.pursuit import scene as pursuit
from rulewright.systems.ore.settings import BOOK

GUNS = (Gun("guns", 1), Gun("cannon", 3, "VR", 5), Gun("missiles", 3, "BVR", 3), Gun("lances", 5, "BVR"))


def options(chance):
    chosen = {}
    for setting in BOOK.settings.values():
        if chance.random() < 0.2:
            if isinstance(setting.default, bool):
                chosen[setting.name] = not setting.default
            elif setting.values:
                chosen[setting.name] = chance.choice(setting.values)
    return chosen


def a_vehicle(chance, name, mode):
    size = chance.choice([1, 1, 2, 2, 3, 4])
    return Vehicle(
        name,
        handling=chance.randint(1, 5),
        size=size,
        speeds={mode: chance.randint(1, 5)},
        armour=chance.randint(0, 5),
        firepower=chance.randint(0, 9),
        gunners=chance.randint(0, 4),
        passengers=chance.randint(0, 3),
        sensors=chance.randint(0, 5),
        ecm=chance.randint(0, 2),
        eccm=chance.randint(0, 2),
        skill=chance.choice(["pilot", "drive", ""]),
        ejects=chance.random() < 0.3,
        hovers=chance.random() < 0.4,
        weapons=tuple(chance.sample(GUNS, chance.randint(0, 3))),
        hands=Hands(*[chance.randint(0, 4) for _ in range(3)], chance.randint(1, 4)) if chance.random() < 0.6 else None,
    )


def a_character(chance, name):
    skills = {
        skill: chance.randint(1, 3)
        for skill in ("pilot", "drive", "gunnery", "athletics", "computers", "small arms")
        if chance.random() < 0.7
    }
    special = {skill: Special(1) for skill in skills if chance.random() < 0.2}
    return Character(name, statistics=Statistics(*[chance.randint(1, 5) for _ in range(6)]), skills=skills, special=special)


def a_battle(chance, rules, begin):
    mode = chance.choice(MODES)
    members, sides = [], {"a": [], "b": []}
    for side in sides:
        for number in range(chance.randint(1, 3)):
            name = f"{side}{number}"
            file = a_vehicle(chance, f"type {chance.randint(1, 2)}", mode)
            people = chance.randint(0 if file.hands or (file.weapons and file.size < 3) else 1, 3)
            state = {"grounded": True} if people and chance.random() < 0.1 else {}
            members.append(Placed(file, name, side, None, state))
            seats = ["pilot", *[chance.choice(["co-pilot", "gunner", "passenger"]) for _ in range(2)]]
            for seat in seats[:people]:
                who = f"{name} {seat} {len(members)}"
                members.append(Placed(a_character(chance, who), who, side, None, {"aboard": name, "seat": seat}))
    place = {"mode": mode, "range": chance.choice(["VR", "BVR", "ER"]), "adverse": chance.random() < 0.3}
    place["streets"] = [{"name": "a bend", "difficulty": 3}] if chance.random() < 0.2 else []
    return begin(rules, Scenario("ore", "scenario", "any", sides, place=place, rounds=12), members)


def anything(chance):
    def decide(choice):
        options = choice.options
        if isinstance(options, Range):
            return chance.randint(options.low, options.high)
        return chance.choice(options).key

    return decide


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_offered_can_be_done_and_leaves_a_state_that_holds_together(seed):
    chance = random.Random(seed)
    for _ in range(20):
        try:
            rules = BOOK.ruleset(settings=options(chance))
            break
        except UserError:
            continue
    kind, begin = chance.choice([(BattleScene, setup.begin), (pursuit.PursuitScene, pursuit.begin)])
    state = a_battle(chance, rules, begin)
    scene = kind(rules)
    player = Player(Seeded(seed), anything(chance))
    seen = 0
    while scene.result(state) is None and seen < 400:
        state = player.run(scene.step(state))
        seen += 1
        assert scene.checked(state) == state
        for craft in state.crafts:
            assert 0 <= craft.hull.marked <= TRACKS * craft.hull.size
            assert 0 <= craft.speed <= craft.machine.speed
            assert all(craft.shots_left(place) >= 0 for place in range(len(craft.machine.guns)))
        for who in [None, *[name for names in scene.sides(state).values() for name in names]]:
            assert scene.view(state, who).cards
    for event in player.events:
        assert not event.logged or event.headline()
    assert run(scene, state, 1) is not None
