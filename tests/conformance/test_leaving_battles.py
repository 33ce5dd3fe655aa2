"""Anybody can withdraw from a battle of machines or surrender; the battle goes on, and ends when a side has left."""

import pytest

from conformance.games import demos, seeds, staged
from rulewright.errors import UserError
from rulewright.play import Player, Seeded
from rulewright.scenes.encounter import Encounter

BATTLES = [name for name in demos("scenario") if staged(name).scene.kind == "battle"]
STEPS = 25


def test_there_are_battles_of_both_games():
    assert {name.partition("/")[0] for name in BATTLES} >= {"ore", "silhouette"}


@seeds
@pytest.mark.parametrize("how", ["withdraw", "surrender"])
@pytest.mark.parametrize("name", BATTLES)
def test_anybody_can_leave_a_battle(name, how, seed):
    found = staged(name)
    scene, state, player = found.scene, found.state, Player(Seeded(seed), found.decide)
    for _ in range(STEPS * seed):
        if scene.result(state) is not None:
            return
        state = player.run(scene.step(state))
    if scene.result(state) is not None:
        return
    encounter = Encounter.begin(scene, state)
    for side, names in scene.sides(state).items():
        for who in names:
            if who in scene.out(encounter.state):
                continue
            if how == "withdraw" and any(aim.side == side for aim in getattr(getattr(state, "place", None), "objectives", ())):
                with pytest.raises(UserError, match=r"objective|already"):
                    encounter.leave(who, how)
                break
            encounter.leave(who, how)
            assert who in scene.out(encounter.state)
            assert any(who in str(line.what) for line in encounter.log[-1:])
            with pytest.raises(UserError, match="already"):
                encounter.leave(who, how)
        else:
            while encounter.result is None and encounter.advance(Seeded(seed), found.decide):
                pass
            assert encounter.result is None or encounter.result.winner != side
            return
