"""Tactics do nothing that a person who knows the rules would not do."""

import pytest
from conformance.games import staged

from rulewright.play import Choice, Player, Seeded
from rulewright.scenes.scene import run
from rulewright.systems.hybrid.combat.fighters import Doing
from rulewright.systems.hybrid.fight.defences import guard_chances
from rulewright.systems.hybrid.fight.log_events import About
from rulewright.systems.hybrid.fight.options import options
from rulewright.systems.hybrid.fight.tactics import HOPELESS, TACTICS

from .test_actions import RULES, fight, person

EVERY_WAY = ("defend", "parry", "block", "crouch", "dodge", "drop prone")
EVERY_FEND = ("go on", "crouch", "dodge", "drop prone")


def answers(tactic, topic, keys, state, name="Bo", other="Al"):
    return TACTICS[tactic](Choice(name, "?", options(keys), About(RULES, state, name, other), topic))


def attacked(weapon, skills=None):
    """Bo with a knife, attacked by Al."""
    al = person("Al", "a", weapons=(weapon,), at=20, doing=Doing("attack", "Bo", 10), skills=skills)
    return fight(al, person("Bo", "b", 1.0, at=30))


@pytest.mark.parametrize("tactic", sorted(TACTICS))
def test_nobody_throws_themselves_to_the_ground_instead_of_going_on(tactic):
    assert answers(tactic, "answer fend", EVERY_FEND, attacked("spear")) == "go on"
    assert answers(tactic, "answer", ("defend", "crouch", "dodge", "drop prone"), attacked("knife")) == "defend"


@pytest.mark.parametrize("tactic", ["fencer", "careful", "marksman", "feinter", "waiter", "mage", "wrestler"])
def test_the_better_guard_is_taken_and_no_hopeless_one(tactic):
    arrow = attacked("bow", {"Archery": 12})
    chances = guard_chances(RULES, arrow, "Bo", "Al")
    assert chances["parry"] <= HOPELESS < chances["block"]
    assert answers(tactic, "answer", EVERY_WAY, arrow) == "block"


@pytest.mark.parametrize("name", ["hybrid/arrest", "hybrid/ambush", "hybrid/knife-fight"])
def test_nobody_drops_or_dodges_by_choice(name):
    found = staged(name)
    for seed in (3, 4):
        player = Player(Seeded(seed), found.decide)
        player.run(run(found.scene, found.state, 150))
        lines = [event.headline() for event in player.events]
        assert not [line for line in lines if line.endswith((" drops", " drops prone", " dodges"))]


def test_nobody_waits_while_they_are_shot_at():
    def waiting(weapon):
        state = fight(person("Al", "a", 9.0, weapons=(weapon,), at=30), person("Bo", "b", 0.0, at=10))
        return answers("waiter", "act", ("approach:Al", "dash:Al", "wait", "pass"), state)

    assert waiting("knife") == "wait"
    assert waiting("bow") == "approach:Al"
