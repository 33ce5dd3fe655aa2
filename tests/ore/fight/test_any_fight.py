"""Fights under any mixture of options, with anything decided that is offered: nothing that is offered may stop one."""

import random

import pytest

from rulewright.errors import UserError
from rulewright.play import Player, Range, Seeded
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.scenes.scene import run
from rulewright.systems.ore.fight.scene import FightScene, begin
from rulewright.systems.ore.people.characters import Character, Owned, Special, Statistics
from rulewright.systems.ore.people.mook_file import Mook
from rulewright.systems.ore.settings import BOOK

WEAPONS = (
    "broadsword",
    "dagger",
    "zweihander",
    "hand & half",
    "longbow: pull 2",
    "crossbow: push 4 winder",
    "uzi 9mm",
    "spear: hafted narrow blade 3",
    "pistol: pistol 9mm semi-automatic magazine 6",
    "hand cannon: pistol 5 semi-automatic",
    "epee",
)
SKILLS = ("close combat", "ranged combat", "athletics", "willpower", "small arms", "physique")


def options(chance):
    """Some settings other than usual."""
    chosen = {}
    for setting in BOOK.settings.values():
        if chance.random() < 0.3:
            if isinstance(setting.default, bool):
                chosen[setting.name] = not setting.default
            elif setting.values:
                chosen[setting.name] = chance.choice(setting.values)
    return chosen


def somebody(chance, name):
    skills = {skill: chance.randint(1, 3) for skill in SKILLS if chance.random() < 0.6}
    owned = [("lucky", 1), ("hard to kill", 2), ("action hero", 4), ("ambidextrous", 1)]
    return Character(
        name,
        statistics=Statistics(*[chance.randint(1, 5) for _ in range(6)]),
        skills=skills,
        special={skill: Special(1) for skill in skills if chance.random() < 0.25},
        advantages=tuple(Owned(*one) for one in owned if chance.random() < 0.5),
        weapons=tuple(chance.sample(WEAPONS, chance.randint(0, 3))),
        armour=chance.choice([{}, {"torso": "heavy"}, {"all": "kevlar"}]),
        shield=chance.choice(["", "small"]),
    )


def a_fight(chance, rules):
    place = {"metres": chance.choice([0, 4, 10, 40]), "parley": chance.random() < 0.4, "area": chance.choice([0, 2])}
    place |= {"cover": chance.choice(["50% right", "complete"]), "cover_metres": 1} if chance.random() < 0.5 else {}
    people = [Placed(somebody(chance, name), name, side, None, {}) for name, side in (("Ana", "a"), ("Ben", "b"), ("Cid", "b"))]
    people += [Placed(Mook("Thug", threat=2), f"Thug {n}", "b", None, {}) for n in range(chance.choice([0, 0, 3]))]
    return begin(rules, Scenario("ore", "scenario", "f", {"a": [], "b": []}, place=place, rounds=5), people)


@pytest.mark.parametrize("seed", range(4))
def test_nothing_that_is_offered_stops_a_fight(seed):
    chance, fought = random.Random(seed), 0

    def anything(choice):
        if isinstance(choice.options, Range):
            return chance.randrange(choice.options.low, choice.options.high + 1, choice.options.step)
        return chance.choice(choice.options).key

    while fought < 15:
        try:
            rules = BOOK.ruleset(settings=options(chance))
        except UserError:  # some cannot work together
            continue
        scene, state = FightScene(rules), a_fight(chance, rules)
        Player(Seeded(seed * 1000 + fought), anything).run(run(scene, state))
        fought += 1
