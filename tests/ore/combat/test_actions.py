"""The list of actions, what each is rolled with, and those that are no attack."""

from typing import get_args

import pytest

from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.systems.ore.combat.abilities import (
    ACTIONS,
    ActionName,
    Risen,
    action,
    action_dice,
    attack_dice,
    display_move,
    draw_actions,
    draw_and_attack,
    pool_for,
    run,
    run_metres,
    stand,
    threaten,
)
from rulewright.systems.ore.gear.armoury import weapon_named
from rulewright.systems.ore.harm.body import Speed
from rulewright.systems.ore.people.characters import Character, Person, Special, Statistics
from rulewright.systems.ore.resolution.outcomes import Outcome
from rulewright.systems.ore.resolution.tests import Pool
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()


def person(by=RULES, **skills):
    named = {name.replace("__", ": ").replace("_", " "): rating for name, rating in skills.items()}
    statistics = Statistics(body=4, coordination=3, psyche=2, insight=5, command=2, charm=1)
    return Person.of(by, Character("Ana", statistics=statistics, skills=named))


def size(who, name, weapon="bare hands", by=RULES):
    return pool_for(by, who, name, weapon_named(by, weapon)).size


def test_twenty_actions():  # lines 5315-5328
    assert set(ACTIONS(RULES)) == set(get_args(ActionName))
    assert len(ACTIONS(RULES)) == 20
    assert {name for name, row in ACTIONS(RULES).items() if not row.rolled} == {"aim", "draw", "feint", "wait"}
    assert {name for name, row in ACTIONS(RULES).items() if row.close_in} == {"grapple", "hold", "push"}
    assert {name for name, row in ACTIONS(RULES).items() if row.counters} == {"dodge", "hold", "parry"}
    assert {name for name, row in ACTIONS(RULES).items() if row.before} == {"display move", "threaten"}
    assert action(RULES, "trip").difficulty == 2
    assert action_dice(RULES, "tackle").dice == action_dice(RULES, "called shot").dice == -1
    assert action_dice(RULES, "push").dice == 0


def test_attacks_have_two_pools_and_the_better_counts():  # lines 5332-5336
    assert attack_dice(3, 2, 4, 2, 2) == 5
    assert attack_dice(3, 4, 4, 2, 3) == 7
    assert attack_dice(3, 2, 4, 2, 2, ranged=True) == 6
    brawler, fencer = person(close_combat=3), person(fencing=5)
    assert size(brawler, "attack", "epee") == 4 + 3
    assert size(fencer, "attack", "epee") == 3 + 5
    assert size(fencer, "attack", "broadsword") == 4
    assert size(person(fight=4, close_combat=2), "attack") == 8
    assert size(person(ranged_combat=3), "attack", "m-16") == 5 + 3
    assert size(person(long_arms=5), "attack", "m-16") == 5 + 3
    assert size(person(long_arms=6), "attack", "m-16") == 9
    assert size(person(missiles=2), "attack", "longbow: pull 3") == 7


def test_defences_and_wrestling():  # lines 5348, 5370-5384
    assert size(person(dodge=3), "dodge") == 3 + 3
    assert size(person(close_combat=2), "dodge") == 3 + 2
    assert size(person(parry=3), "parry", "broadsword") == 4 + 3
    assert size(person(swords=4), "parry", "broadsword") == 4 + 4
    for name in ("grapple", "hold", "push", "tackle"):
        assert size(person(unarmed=5), name) == 3 + 5
        assert size(person(close_combat=2), name) == 4 + 2


def test_everything_else():
    assert size(person(athletics=2), "run") == 6
    assert size(person(running=3), "charge") == 7
    assert size(person(ride__camels=5), "charge") == 9
    assert size(person(acrobatics=3), "stand") == 6
    assert size(person(intimidation=3), "threaten") == 5
    assert size(person(control=4), "display move") == 8
    assert size(person(close_combat=1), "trip") == 5
    with pytest.raises(UserError, match="needs no roll"):
        size(person(), "wait")


def test_promoted_dice_come_along():
    hero = Person.of(RULES, Character("Ana", skills={"swords": 3}, special={"swords": Special(1)}))
    assert pool_for(RULES, hero, "attack", weapon_named(RULES, "broadsword")) == Pool(4, 1)


def test_other_skill_systems():
    plain = BOOK.ruleset(settings={"skill-system": "action"})
    assert size(person(plain, fight=3, shoot=2), "attack", by=plain) == 7
    assert size(person(plain, shoot=4), "attack", "m-16", by=plain) == 7
    assert size(person(plain, dodge=2), "dodge", by=plain) == 5
    discipline = BOOK.ruleset(settings={"skill-system": "discipline"})
    assert size(person(discipline, close_combat=3), "dodge", by=discipline) == 6
    assert size(person(discipline, ranged_combat=3), "attack", "m-16", by=discipline) == 8


# --- no attacks ---------------------------------------------------------------------------------------------------------------


def test_drawing_takes_an_action():  # line 5364
    assert (draw_actions(True), draw_actions(False)) == (2, 1)
    assert script(draw_and_attack(RULES, Pool(4)), [(7, 7, 2)]).outcome == Outcome(2, 7)


def test_running():  # line 5390
    assert [run_metres(RULES, width) for width in (0, 2, 3)] == [5, 9, 11]
    assert run_metres(BOOK.ruleset(settings={"run-metres-per-width": 3}), 2) == 11
    assert run_metres(RULES, 2, Speed(2)) == 4
    assert run_metres(RULES, 2, Speed(1, True)) == 1
    assert script(run(RULES, Pool(3)), [(4, 4, 1)]).outcome == 9
    assert script(run(RULES, Pool(3)), [(4, 5, 1)]).outcome == 5


def test_getting_up():  # line 5392
    assert script(stand(RULES)).outcome == Risen(True)
    assert script(stand(RULES, Pool(5), Pool(6)), [(3, 3, 8, 8)]).outcome == Risen(True, 1)
    assert script(stand(RULES, Pool(5), Pool(6)), [(3, 3, 7, 8)]).outcome == Risen(True, 0)
    assert script(stand(RULES, Pool(5), Pool(6)), [(3, 4, 7, 8)]).outcome == Risen(False, 0)


def test_threats_and_displays():  # lines 5358-5362, 5404
    assert script(threaten(RULES, Pool(4)), [(3, 3, 3, 1)]).outcome.width == 3
    assert script(display_move(RULES, Pool(2)), [(3, 4)]).outcome == Outcome()
    assert exact(sub(display_move, RULES, Pool(2))).chance(lambda one: one.success) == (0.1, 0.1)
