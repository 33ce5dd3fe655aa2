"""Two guns in a fight: separate targets with the feat, and the bullets of both (book lines 3360, 5307-5313)."""

import pytest

from ore.fight.test_feats import a_round, dice, fight, keys, size, somebody
from rulewright.systems.ore.combat.fighters import Act

BOB, CID = somebody("Bob", insight=2), somebody("Cid", insight=3)


def gunner(level, metres=20):
    guns = (".44 magnum", ".38 special")
    state = fight(somebody("Ann", *guns, feats={"Bullet Man": level}), BOB, CID, metres=metres)
    return state.change("Ann", in_hand=1, off_hand=2)


@pytest.mark.parametrize(("level", "offered"), [(3, False), (4, True), (5, True)])
def test_only_a_two_gun_god_fires_at_separate_targets(level, offered):
    assert ("two weapons:Bob+Cid" in keys(gunner(level))) is offered
    assert ("two weapons:Cid+Bob" in keys(gunner(level))) is offered  # which gun fires at whom
    assert "two weapons:Bob+Bob" not in keys(gunner(level))


def test_each_gun_hits_its_own_target_and_spends_its_own_bullet():
    many = size(dice(gunner(4), "Ann", Act("attack", "Bob", off_hand=2, also="Cid")))
    faces = (9, 9, *range(1, many - 1))
    after, log = a_round(gunner(4), [faces], ["two weapons:Bob+Cid", "pass", "pass"])
    assert {"Ann hits Bob with a 2x9", "Ann hits Cid with a 2x9"} <= set(log)
    assert "Ann has 4 dice for an attack on Bob and an attack on Cid" in log
    for gun in (1, 2):
        weapon = after.fighter("Ann").profile.weapons[gun]
        assert f"Ann fires 1 bullet from the {weapon.name}: {weapon.magazine - 1} left" in log
    assert dict(after.fighter("Ann").spent) == {1: 1, 2: 1}


def test_the_farther_target_decides_the_dice():
    state = gunner(4, 20)
    near = size(dice(state, "Ann", Act("attack", "Bob", off_hand=2)))
    state = state.change("Cid", metres=100)
    far = size(dice(state, "Ann", Act("attack", "Cid", off_hand=2)))
    assert far < near
    for first, second in (("Bob", "Cid"), ("Cid", "Bob")):
        assert size(dice(state, "Ann", Act("attack", first, off_hand=2, also=second))) == far
