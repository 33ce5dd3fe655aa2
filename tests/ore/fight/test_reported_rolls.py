"""The log names every roll, its terms and what it does (book lines 4324, 4396-4463, 5002-5033, 5332)."""

import pytest

from ore.fight.test_gunfire import UZI, fight, rules
from rulewright.play import script
from rulewright.systems.ore.fight.actions.guns import BASE
from rulewright.systems.ore.fight.rounds import next_step
from rulewright.systems.ore.gear.weapons import blow
from rulewright.systems.ore.harm.body import Located, Part, fresh, hurt
from rulewright.systems.ore.settings import BOOK

RULES, ABSTRACT = BOOK.ruleset(), BOOK.ruleset(settings={"damage-system": "abstract"})


def told(by, state, faces, choices):
    def go(now):
        now = yield from next_step(by, now)
        while now.phase != "begin":
            now = yield from next_step(by, now)
        return now

    return [(event.headline(), event.reasons()) for event in script(go(state), faces, choices).events]


@pytest.mark.parametrize(
    ("arm", "words"),
    [
        (Part("right arm", 5), "to the right arm"),
        (Part("right arm", 5, shock=4), "to the right arm and the torso"),
        (Part("right arm", 5, kill=5), "to the torso, because the right arm is lost"),
    ],
)
def test_a_hit_on_a_lost_limb_is_said_to_reach_the_torso(arm, words):  # line 4324
    body = fresh(RULES)
    assert isinstance(body, Located)
    done = script(hurt(RULES, body.put(arm), "right arm", 2, 0, "Ben"), [], [])
    assert done.events[-1].headline().startswith(f"Ben takes 2 Shock {words}")


def test_downs_and_outs_are_told_after_the_damage_and_before_tests():  # lines 4396-4420
    done = script(hurt(ABSTRACT, fresh(ABSTRACT, 3), "torso", 2, 3, "Ben"), [], [])
    assert [event.headline() for event in done.events] == ["Ben takes 3 Kill and 2 Shock", "Ben gains 2 Downs and 1 Out (3 in all)"]
    body = fresh(ABSTRACT, 1)
    for _ in range(3):
        done = script(hurt(ABSTRACT, body, "torso", 1, 1, "Ben"), [], [])
        body = done.outcome
    assert body.mauled
    assert "Mauled" in done.events[-1].headline() or "Mauled" in body.record()


def test_suppressive_fire_has_a_pool_a_set_and_a_sum_for_everybody_under_it():  # lines 5002-5033
    state = fight(RULES, UZI)
    spray = state.fighter("Ana").weapon.spray
    faces = [(5, 5, *range(6, 6 + BASE + spray - 2)), (5, 1)]
    log = told(RULES, state, faces, ["suppress", "pass"])
    lines = dict(log)
    assert [(reason.label, reason.value) for reason in lines[f"Ana has {BASE + spray} dice for suppressive fire"]] == [
        ("pool", BASE),
        ("Spray Rating", spray),
    ]
    assert any(line.startswith("Ana: 2x5") and line.endswith("for suppressive fire, Speed 2") for line in lines)
    (under,) = [line for line in lines if line.startswith("Ben rolls 2 dice under fire")]
    assert "a 3x5 of the fire hits" in under
    assert [reason.value for reason in lines[under]] == [2]


def test_a_called_shot_tells_the_die_it_sets():  # line 5332
    state = fight(RULES, ".38 special")
    log = told(RULES, state, [(9, 8, 7, 6)], ["called shot:Ben:head", "pass"])
    assert any(line.startswith("Ana has ") and "one of them set to 10" in line for line, _ in log)


def test_the_damage_of_a_blow_names_its_parts():
    state = fight(rules(), UZI, {"metres": 10})
    weapon = state.fighter("Ana").weapon
    assert blow(RULES, weapon, 2).parts in ((), ((weapon.name, weapon.kill, weapon.shock),))
