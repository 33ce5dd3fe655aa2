"""What a battle remembers of questions that come again is what they would come to anew."""

import pickle
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright.lab.sampling.processes import pack
from rulewright.library import Staged, stage
from rulewright.play import Answer, Player, Seeded
from rulewright.play.cache import clear_caches
from rulewright.rules import Ruleset
from rulewright.scenes.scene import run
from rulewright.system import find
from rulewright.systems.silhouette.battle.actions.registry import ACTIONS, SECTION_ACTIONS, Offered
from rulewright.systems.silhouette.battle.movement.destinations import _goals, goals, goes_somewhere
from rulewright.systems.silhouette.battle.movement.movement import Passing, points_left, reach_of
from rulewright.systems.silhouette.battle.sensors.sightings import known_foes, side_sees
from rulewright.systems.silhouette.battle.tactics import evaluation
from rulewright.systems.silhouette.battle.tactics.evaluation import best_worth, promise, shot_worth
from rulewright.systems.silhouette.detection import sight
from rulewright.systems.silhouette.detection.concealment import Watched, Watcher, seen
from rulewright.systems.silhouette.detection.line_of_sight import Hex, Lay, obscurement
from rulewright.systems.silhouette.detection.sight import cover_of, height_of, lay, look, sees
from rulewright.systems.silhouette.gunnery import attacks
from rulewright.systems.silhouette.gunnery.attacks import _compute_shot, _defense, defense_pool, shot
from rulewright.systems.silhouette.gunnery.lines import Line, in_reach, line_of
from rulewright.systems.silhouette.machines.machine import Version
from rulewright.systems.silhouette.maneuver.ground_paths import _reached, _route_to, places, rig_of, route_to
from rulewright.systems.silhouette.resolution.tests import Mod
from rulewright.systems.silhouette.units.state import Battle, Surroundings
from rulewright.systems.silhouette.units.units import Unit

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
                assert cover_of(rules, battle, unit, foe) == obscurement(rules, lay(rules, battle, unit, foe), foe.signs.hull_down).value
            known = [foe for foe in foes if foe.able and side_sees(rules, battle, unit.side, foe)]
            assert known_foes(rules, battle, unit) == known
            assert goals(rules, battle, unit) == tuple(_goals(rules, battle, unit))


def test_attacks_and_defenses_are_what_they_would_be_anew() -> None:
    for rules, battle in battles("silhouette/town-duel", 3, 3):
        for unit, foe in (battle.units, battle.units[::-1]):
            for arm in range(len(unit.arms)):
                found = shot(rules, battle, unit, foe, arm)
                assert found == _compute_shot(rules, battle, unit, foe, arm=arm, interrupts=False, hidden=None)
                if found is not None:
                    others = len([name for name in foe.hit_by if name != unit.name])
                    assert defense_pool(rules, battle, found) == _defense(
                        rules, battle, foe, found.side, others=others, interrupted=False, more=()
                    )


@given(st.integers(0, 30), st.integers(0, 6), st.integers(0, 4), st.integers(0, 12), st.integers(0, 3), st.integers(0, 4))
def test_eyes_and_passive_sensors_do_not_care_what_moved_fired_or_boosted(
    far: int, cover: int, sensors: int, moved: int, fired: int, boosted: int
) -> None:
    target = Watched(size=6, stealth=2)
    busy = replace(target, moved=moved, fired=fired, boosted=boosted)
    ground, watcher = Lay(target=Hex(cover), hexes=far), Watcher(information_warfare=2, sensors=sensors, reach=20)
    assert seen(RULES, watcher, ground, busy) == seen(RULES, watcher, ground, target)


@pytest.mark.parametrize("name", ["silhouette/town-duel", "silhouette/forest-ambush", "silhouette/river-line", "silhouette/land-fortress"])
def test_what_an_attack_promises_is_what_it_would_be_anew(name: str) -> None:
    promised = 0
    for rules, battle in battles(name, 4, 11):
        for unit in battle.units:
            anew = []
            foes = [each for each in battle.units if each.side != unit.side]
            for foe in foes:
                line, fresh = line_of(rules, battle, unit, foe), Line(rules, battle, unit, foe)
                assert (line.far, line.side) == (fresh.far, fresh.side)
                for arm, state in enumerate(unit.arms):
                    band = fresh.aim(arm, unit.version(arm), state.frozen)
                    assert line.aim(arm, unit.version(arm), state.frozen) == band
                    assert bool(band) == in_reach(rules, battle, unit, foe, arm)
                assert line.hidden() == fresh.hidden()
                for arm in evaluation.armed_with(unit):
                    for interrupts in (False, True):
                        found = _compute_shot(rules, battle, unit, foe, arm=arm, interrupts=interrupts, hidden=None)
                        worth = shot_worth(rules, battle, found) if found is not None else 0.0
                        assert promise(rules, battle, unit, foe, arm, interrupts=interrupts) == worth
                        promised += worth > 0
                        anew += [] if interrupts else [worth]
            assert best_worth(rules, battle, unit, foes) == max(anew, default=0.0)
    assert promised


@pytest.mark.parametrize("name", ["silhouette/convoy", "silhouette/dogfight", "silhouette/river-line", "silhouette/land-fortress"])
def test_what_is_offered_by_kinds_is_what_all_actions_offer(name: str) -> None:
    offered = 0
    for rules, battle in battles(name, 5, 17):
        for unit in [each for each in battle.units if each.able and not each.signs.berserk]:
            actions = SECTION_ACTIONS if unit.section else ACTIONS
            anew = [option for action in actions for option in action.options(rules, battle, unit)]
            offer = Offered(rules, battle, unit.name)
            assert offer.only_done == ([option.key for option in anew if option.value.kind != "face"] == ["done"])
            assert [(option.key, option.label, option.value) for option in offer.all] == [(o.key, o.label, o.value) for o in anew]
            assert len({option.key for option in anew}) == len(anew), "a key stands for one option alone"
            for action in actions:
                assert action.some(rules, battle, unit) == bool(offer.of(action.kind))
                assert {option.value.kind for option in offer.of(action.kind)} <= {action.kind}
            offered += len(anew)
            assert goes_somewhere(rules, battle, unit) == bool(goals(rules, battle, unit))
    assert offered


def test_ways_are_what_they_would_be_anew() -> None:
    asked = 0
    for rules, battle in battles("silhouette/river-line", 6, 13):
        for unit in [each for each in battle.units if each.able]:
            found = reach_of(rules, battle, unit)
            start = ((int(unit.x), int(unit.y)), unit.facing, unit.turned)
            anew = _reached(battle.field, rig_of(rules, battle, unit), start, points_left(battle, unit), False)
            assert (found.costs, found.came) == (anew.costs, anew.came)
            for spot in list(places(found))[::7]:
                for facing in (None, 2):
                    assert route_to(found, spot, facing) == route_to(found, spot, facing) == _route_to(anew, spot, facing)
                    asked += 1
    assert asked


def test_whether_anything_can_be_done_to_a_passing_machine_is_known_before_all_of_it() -> None:
    some = 0
    for rules, battle in battles("silhouette/river-line", 7, 9):
        for unit in [each for each in battle.units if each.able][::5]:
            reach = reach_of(rules, battle, unit)
            spot = max(places(reach))
            way = route_to(reach, spot)
            assert way is not None
            for foe in battle.foes(unit)[::4]:
                passing = Passing(rules, battle, foe.name, unit.name, way, 0)
                whole = Passing(rules, battle, foe.name, unit.name, way, 0)
                assert passing.some == bool(whole.chances)
                assert [(at, option.key) for at, option, _ in passing.chances] == [(at, option.key) for at, option, _ in whole.chances]
                assert passing.all[0].key == "let it pass"
                some += passing.some
    assert some


class Masted(Unit, frozen=True, kw_only=True):
    """A unit with a field of which no cache knows."""

    mast: int = 0


def _height_with_mast(rules: Ruleset, battle: Surroundings, unit: Unit) -> int:
    return height_of(rules, battle, unit) + getattr(unit, "mast", 0)


def _mods_of_masts(rules: Ruleset, battle: Surroundings, attacker: Unit, target: Unit, *, arm: int, version: Version) -> list[Mod]:
    return [Mod("the target's mast", getattr(target, "mast", 0)), Mod("its own mast", -getattr(attacker, "mast", 0))]


def _answers(rules: Ruleset, battle: Battle) -> list[object]:
    """What each unit sees, whom it knows of, its attacks and what they promise."""
    answers: list[object] = []
    for unit in battle.units:
        answers.append([foe.name for foe in known_foes(rules, battle, unit)])
        for foe in [foe for foe in battle.units if foe.side != unit.side]:
            answers += [sees(rules, battle, unit, foe), cover_of(rules, battle, unit, foe)]
            for arm in evaluation.armed_with(unit):
                answers += [shot(rules, battle, unit, foe, arm), promise(rules, battle, unit, foe, arm)]
    return answers


@pytest.mark.parametrize("name", ["silhouette/town-duel", "silhouette/forest-ambush"])
def test_a_new_field_that_sight_and_attacks_read_is_in_every_key(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sight, "height_of", _height_with_mast)
    monkeypatch.setattr(attacks, "ATTACK_MODS", [*attacks.ATTACK_MODS, _mods_of_masts])
    luck, changed = Random(12), 0
    for rules, battle in battles(name, 11, 4):
        units = [Masted(**{field: getattr(unit, field) for field in unit.__struct_fields__}) for unit in battle.units]
        plain = _answers(rules, replace(battle, units=tuple(units)))
        for _ in range(3):
            masted = replace(battle, units=tuple([replace(unit, mast=luck.choice((0, 0, 2, 5))) for unit in units]))
            usual = _answers(rules, masted)
            clear_caches()
            assert _answers(rules, masted) == usual
            changed += usual != plain
    clear_caches()
    assert changed > 5


def record(staged: Staged, seed: int) -> list[Answer]:
    """Every answer of a battle that plays itself."""
    player = Player(Seeded(seed), staged.decide)
    player.run(run(staged.scene, staged.state))
    return player.record


@pytest.mark.parametrize("name", ["silhouette/town-duel", "silhouette/dogfight"])
def test_a_battle_comes_out_the_same_if_nothing_is_remembered(name: str) -> None:
    usual = record(stage(name), 8)
    staged = stage(name)
    player = Player(Seeded(8), staged.decide)
    state: Any = staged.state
    while staged.scene.result(state) is None:
        clear_caches()
        state = player.run(staged.scene.step(state))
    assert player.record == usual


def test_a_battle_with_its_tactics_goes_to_other_processes() -> None:
    staged = stage("silhouette/town-duel")
    scene, state, decide = pickle.loads(pack(staged.scene, staged.state, staged.decide))
    player = Player(Seeded(9), decide)
    player.run(run(scene, state))
    assert player.record == record(staged, 9)
