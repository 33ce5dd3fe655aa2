"""Feats that reduce either a Difficulty or a penalty, as the player chooses (book lines 2421, 2759, 3260, 3792)."""

import pytest
from msgspec.structs import replace

from ore.fight.test_feats import BOB, RULES, fight, somebody
from rulewright.play import script
from rulewright.systems.ore.combat.fighters import Act, Plan
from rulewright.systems.ore.fight.feats.effects import with_words
from rulewright.systems.ore.fight.pools import cast_of, chooses_ease
from rulewright.systems.ore.people.characters import Character
from rulewright.systems.ore.people.feat_effects import EFFECTS, Try, helped, helps
from rulewright.systems.ore.people.feat_tests import feat_test
from rulewright.systems.ore.resolution.tests import Mod, Pool

EITHER = {
    row.feat: (tuple(does.on), tuple(does.when), does.eases, does.eases_dice or does.eases)
    for row in EFFECTS(RULES).values()
    for does in row.does
    if does.eases
}


def test_these_levels_ease_either():
    assert {"Cliffhanger 5", "Applied Professional 3", "Pet Sounds 2", "Silent Walk 5", "Give No Quarter! 2"} <= set(EITHER)


@pytest.mark.parametrize("feat", EITHER)
def test_one_of_both_is_reduced_and_never_both(feat):
    on, when, need, dice = EITHER[feat]
    path, _, level = feat.rpartition(" ")
    given = helps(RULES, ((path, int(level)),), Try(on=on, when=when))
    hard = Pool(8).plus(Mod("fog", -2))
    pool, difficulty = helped(RULES, hard, given, 4)
    assert (pool.penalty, difficulty) == (2, 4 - need)
    pool, difficulty = helped(RULES, hard, given, 4, "penalty")
    assert (pool.penalty, difficulty) == (max(0, 2 - dice), 4)
    assert helped(RULES, hard, given, 1)[0].penalty == max(0, 2 - dice)  # without a Difficulty there is nothing to choose


@pytest.mark.parametrize(("answer", "dice"), [("difficulty", 5), ("penalty", 7)])
def test_a_skill_test_asks_which(answer, dice):
    climber = Character("Ana", skills={"athletics": 5}, feats={"Cliffhanger": 5})
    done = script(feat_test(RULES, climber, "climbing", difficulty=4, penalty=2), [(9,) * dice], [answer])
    assert done.outcome.success


def test_a_quarterstaff_asks_before_a_hard_called_shot():  # line 3792
    ann = somebody("Ann", "staff", skills={"hafted weapons": 5}, feats={"Give No Quarter!": 2})
    state = replace(fight(ann, BOB), edition=1)
    plan = with_words(RULES, state, Plan("Ann", (Act("called shot", "Bob", "head"),)))
    before = cast_of(RULES, state, state.fighter("Ann"), plan.acts)
    assert before.difficulty == 1  # the penalty of the called shot is eased
    assert script(chooses_ease(RULES, state, plan), [], []).outcome == plan
