"""Lightning strikes in a battle (book lines 4655-4663)."""

from tests.silhouette.battle.steered import RULES

from rulewright import library
from rulewright.play import Seeded, play
from rulewright.scenes.encounter import Encounter
from rulewright.systems.silhouette.battle.lightning_strike import is_pass, tear_past


def test_only_what_is_too_fast_for_the_map_is_a_pass() -> None:
    assert is_pass(library.stage("silhouette/lightning-pass").state)
    assert not is_pass(library.stage("silhouette/two-ships").state)
    assert not is_pass(library.stage("silhouette/dogfight").state)


def test_all_dice_are_rolled_before_any_damage_and_every_system_fires_once() -> None:
    more = {"character": "vehicles/needle-fighter", "name": "Bodkin", "at": [2, 12], "state": {"vector": [-40, 0, 0]}}
    battle = library.stage("silhouette/lightning-pass", changes={"sides.patrol.1": more}).state
    assert len(battle.units) == 3
    played = play(tear_past(RULES, battle), dice=Seeded(2))
    rolls = [at for at, rolled in enumerate(played.rolls) if rolled.roll.what in ("attack", "defense")]
    later = [at for at, rolled in enumerate(played.rolls) if rolled.roll.what == "system hit"]
    assert not later or max(rolls) < min(later)
    for unit in played.outcome.units:
        if unit.able or any(arm.fired for arm in unit.arms):
            assert all(arm.fired <= 1 for arm in unit.arms)


def test_the_encounter_is_over_after_the_pass() -> None:
    staged = library.stage("silhouette/lightning-pass")
    encounter = Encounter.begin(staged.scene, staged.state, staged.scenario.name)
    encounter.play_out(Seeded(1), staged.decide)
    assert encounter.result is not None
