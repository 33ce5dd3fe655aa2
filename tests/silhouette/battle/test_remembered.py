"""What a battle remembers of questions that come again is what they would come to anew."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright.library import stage
from rulewright.play import Player, Seeded
from rulewright.rules import Ruleset
from rulewright.system import find
from rulewright.systems.silhouette.battle.goals import _goals, goals
from rulewright.systems.silhouette.battle.seen import known_foes, side_sees
from rulewright.systems.silhouette.detection.concealment import Watched, Watcher, seen
from rulewright.systems.silhouette.detection.ground import Hex, Lay
from rulewright.systems.silhouette.detection.sight import _obscured, cover_of, lay, look, sees
from rulewright.systems.silhouette.gunnery.attacks import _defense, _shot, defense_pool, shot
from rulewright.systems.silhouette.units.state import Battle

RULES = find("silhouette").book.ruleset()


def battles(name: str, seed: int, every: int) -> Iterator[tuple[Ruleset, Battle]]:
    """A battle as it stands from time to time."""
    staged = stage(name)
    player = Player(Seeded(seed), staged.decide)
    state: Any = staged.state
    for step in range(60):
        if staged.scene.result(state) is not None:
            return
        if step % every == 0:
            yield staged.rules, state
        state = player.run(staged.scene.step(state))


@pytest.mark.parametrize("name", ["silhouette/town-duel", "silhouette/forest-ambush", "silhouette/convoy"])
def test_who_sees_whom_and_goes_where_is_what_it_would_be_anew(name: str) -> None:
    for rules, battle in battles(name, 2, 7):
        for unit in battle.units:
            foes = [each for each in battle.units if each.side != unit.side]
            for foe in foes:
                assert sees(rules, battle, unit, foe) == bool(look(rules, battle, unit, foe).by)
                assert cover_of(rules, battle, unit, foe) == _obscured(rules, lay(rules, battle, unit, foe), foe.signs.hull_down)
            known = [foe for foe in foes if foe.able and side_sees(rules, battle, unit.side, foe)]
            assert known_foes(rules, battle, unit) == known
            assert goals(rules, battle, unit) == tuple(_goals(rules, battle, unit))


def test_attacks_and_defenses_are_what_they_would_be_anew() -> None:
    for rules, battle in battles("silhouette/town-duel", 3, 3):
        for unit, foe in (battle.units, battle.units[::-1]):
            for arm in range(len(unit.arms)):
                found = shot(rules, battle, unit, foe, arm)
                assert found == _shot(rules, battle, unit, foe, arm, False, None)
                if found is not None:
                    others = len([name for name in foe.hit_by if name != unit.name])
                    assert defense_pool(rules, battle, found) == _defense(rules, battle, foe, found.side, others, False, ())


@given(st.integers(0, 30), st.integers(0, 6), st.integers(0, 4), st.integers(0, 12), st.integers(0, 3), st.integers(0, 4))
def test_eyes_and_passive_sensors_do_not_care_what_moved_fired_or_boosted(
    far: int, cover: int, sensors: int, moved: int, fired: int, boosted: int
) -> None:
    target = Watched(size=6, stealth=2)
    busy = replace(target, moved=moved, fired=fired, boosted=boosted)
    ground, watcher = Lay(target=Hex(cover), hexes=far), Watcher(information_warfare=2, sensors=sensors, reach=20)
    assert seen(RULES, watcher, ground, busy) == seen(RULES, watcher, ground, target)
