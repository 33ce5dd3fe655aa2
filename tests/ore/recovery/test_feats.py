"""Feats that heal (book lines 2946-2952, 3214-3232, 3342)."""

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.systems.ore.harm.body import Abstract, Injury, Wound, fresh
from rulewright.systems.ore.people.characters import Character, Statistics
from rulewright.systems.ore.people.feat_effects import feats_of
from rulewright.systems.ore.recovery.feats import first_aid, healing_trance, tended
from rulewright.systems.ore.recovery.medicine import recovery_test
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()


def medic(level):
    return Character("Oda", statistics=Statistics(psyche=3), skills={"medicine": 4}, feats={"First Aid": level})


def hurt(shock=3, kill=2):
    body = fresh(RULES, 3)
    return body.put(replace(body.part("torso"), shock=shock, kill=kill))


def test_first_aid_heals_shock_and_then_kill_without_a_roll():  # lines 3216-3226
    bleeding = replace(hurt(), wounds=(Wound(),))
    staunched = first_aid(RULES, bleeding, "torso", medic(2))
    assert (staunched.part("torso").shock, staunched.part("torso").kill, staunched.wounds[0].bleeding) == (2, 2, False)
    cleaned = first_aid(RULES, bleeding, "torso", medic(3))
    assert (cleaned.part("torso").shock, cleaned.part("torso").kill) == (2, 1)
    with pytest.raises(UserError, match="has no feat"):
        first_aid(RULES, bleeding, "torso", medic(1))


def test_a_kit_gives_a_die_and_a_dressed_wound_higher_sets():  # lines 3214, 3228
    done = script(tended(RULES, hurt(1, 1), "torso", medic(4)), [(2, 2, 1, 3, 4, 5, 6, 7)])  # seven dice and one for the kit
    assert done.outcome.part("torso").kill == 0
    deep = hurt(2, 3)
    assert script(tended(RULES, deep, "torso", medic(4), dressed=True), [(5, 5, 1, 2, 3, 4, 6, 7)]).outcome.part("torso").kill == 1
    plain = exact(lambda: tended(RULES, deep, "torso", medic(4)))
    dressed = exact(lambda: tended(RULES, deep, "torso", medic(4), dressed=True))
    assert plain.weights == dressed.weights  # the Difficulty discards dice before sets are raised


def test_a_trance_heals_as_much_shock_as_its_set_is_wide():  # lines 2946-2952
    monk = Character("Kai", statistics=Statistics(body=3), skills={"focus": 4}, feats={"Inner Clarity": 4})
    after = script(healing_trance(RULES, hurt(3, 1), monk), [(5, 5, 1, 2, 3, 4, 6)]).outcome
    assert (after.part("torso").shock, after.part("torso").kill) == (1, 1)
    low = script(healing_trance(RULES, hurt(3, 1), monk), [(3, 3, 1, 2, 4, 5, 6)]).outcome  # four boxes are lost
    assert low.part("torso").shock == 3
    with pytest.raises(UserError, match="healing trance"):
        script(healing_trance(RULES, hurt(), medic(5)), [])


def test_quick_healers_trade_height_for_width():  # line 3342
    body = Abstract(statistic=3, injuries=(Injury(1, 1, 0),), down_boxes=2)
    quick = feats_of({"Iron Constitution": 4})
    roll = [(9, 9, 1, 3, 4, 5, 6)]
    plain = script(recovery_test(RULES, body), roll, []).outcome
    squashed = script(recovery_test(RULES, body, feats=quick), roll, []).outcome
    assert squashed.down_boxes <= plain.down_boxes
    assert exact(lambda: recovery_test(RULES, body, feats=quick)).weights != exact(lambda: recovery_test(RULES, body)).weights
