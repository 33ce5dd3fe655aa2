"""Tactics do nothing silly: no blows without a chance, no endless aiming, and surrender or flight when nothing is left."""

import pytest
from msgspec.structs import replace

from ore.fight.test_combined_actions import BOB, fight, somebody
from rulewright.play import Choice, script
from rulewright.systems.ore.combat.fighters import Act, Situation
from rulewright.systems.ore.fight.actions.registry import ACTIONS
from rulewright.systems.ore.fight.declarations import options_for
from rulewright.systems.ore.fight.penalties import attack_dice
from rulewright.systems.ore.fight.resolution.sets import scale_of
from rulewright.systems.ore.fight.rounds import next_step
from rulewright.systems.ore.fight.tactics import TACTICS
from rulewright.systems.ore.harm.body import Abstract, Injury
from rulewright.systems.ore.settings import BOOK

ABSTRACT = BOOK.ruleset(settings={"damage-system": "abstract"})


def decision(tactic, state, by=ABSTRACT):
    about = Situation(replace(state, round=3), "Ann", by)
    return TACTICS[tactic](Choice("Ann", "What do you do?", options_for(by, state, "Ann"), about, "act"))


def hurt(state, dice):
    """Ann with wounds that leave so many dice for her attack."""
    whole = attack_dice(ABSTRACT, state.fighter("Ann"))
    return state.change("Ann", body=Abstract(statistic=3, injuries=(Injury(1, 1, whole - dice),)))


@pytest.mark.parametrize("tactic", [name for name in TACTICS if name not in ("defender", "suppressor")])
@pytest.mark.parametrize("weapon", ["broadsword", ".38 special"])
def test_nobody_attacks_without_two_dice(tactic, weapon):
    state = fight(ABSTRACT, somebody("Ann", weapon), BOB)
    assert decision(tactic, hurt(state, 1)) == "surrender"
    assert decision(tactic, hurt(state, 0)) == "surrender"
    assert decision(tactic, hurt(state, 2)) not in ("surrender", "flee")
    assert not decision(tactic, hurt(state, 2)).startswith("called shot")  # which would leave one die


def test_who_is_far_from_close_fighters_flees_instead():
    state = fight(ABSTRACT, somebody("Ann", "broadsword"), BOB, metres=30)
    assert decision("attacker", hurt(state, 1)) == "flee"


@pytest.mark.parametrize(("metres", "aim", "answer"), [(30, 0, "aim:Bob"), (30, 1, "aim:Bob"), (30, 2, "attack:Bob"), (5, 0, "attack:Bob")])
def test_a_marksman_aims_twice_at_most_and_never_at_an_enemy_who_is_there(metres, aim, answer):
    state = fight(ABSTRACT, somebody("Ann", ".38 special"), BOB, metres=metres)
    assert decision("marksman", state.change("Ann", aim=aim, against="Bob" if aim else "")) == answer


def test_surrender_ends_the_fight_for_a_person():
    state = fight(ABSTRACT, somebody("Ann"), BOB)
    done = script(next_step(ABSTRACT, state), [], ["surrender"])
    done = script(next_step(ABSTRACT, done.outcome), [], ["pass"])
    assert "Ann surrenders" in [event.headline() for event in done.events]
    assert not done.outcome.fighter("Ann").able


GOALS = {"trip": "tripped", "disarm": "disarmed", "grapple": "grappled", "push": "pushed", "tackle": "tackled", "treat": "treated"}


def test_the_chance_of_an_action_is_named_by_what_it_is_for():
    assert {kind: ACTIONS[kind].goal for kind in GOALS} == GOALS
    state = fight(ABSTRACT, somebody("Ann"), BOB)
    for kind, goal in GOALS.items():
        assert scale_of(ABSTRACT, state, "Ann", Act(kind, "Bob")).counts == goal
