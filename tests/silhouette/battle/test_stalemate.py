"""Battles that nobody can decide any more come to an end, in play and where the lab forgets the number of the round."""

from msgspec.structs import replace

from rulewright.lab import sample, solve
from rulewright.play import Player, Seeded
from rulewright.systems.silhouette.battle.stalemate import stalemate
from rulewright.systems.silhouette.battle.tactics.tactics import BATTLE_TACTICS
from rulewright.systems.silhouette.lab_view.battles import BattleScene
from rulewright.systems.silhouette.machines.vehicle import Device
from silhouette.battles import RULES, battle, unit, vehicle


def stuck(**changes):
    """Two machines without ammunition that cannot move."""
    units = []
    for name, side, at in (("One", "red", (5, 5)), ("Two", "blue", (9, 9))):
        each = unit(name, side, at, design=vehicle())
        each = each.with_arm(0, replace(each.arms[0], left=(0,)))
        units.append(replace(each, wear=replace(each.wear, failed=("walker",))))
    return battle(*units, phase="declaration", rounds=30, **changes)


def ended(state, lens=False):
    """A battle played on until it is decided; `lens`: as the lab sees it after every step."""
    scene, player = BattleScene(RULES), Player(Seeded(1), BATTLE_TACTICS["advance"])
    for _ in range(2_000):
        if (result := scene.result(state)) is not None:
            return result
        state = player.run(scene.step(state))
        state = scene.lens(state, "win") if lens else state
    raise AssertionError("it does not end")


def test_machines_that_can_neither_move_nor_fight_end_it_after_three_quiet_rounds():
    assert stalemate(RULES, stuck(quiet=2)) == ""
    assert stalemate(RULES, stuck(quiet=3)) == "neither side can move or fight any more"
    assert ended(stuck()).why == "neither side can move or fight any more"
    assert ended(stuck(), lens=True).why == "neither side can move or fight any more"


def test_under_the_lens_as_many_quiet_rounds_as_the_scenario_has_rounds_end_a_battle():
    """Armed, and out of sight and range of each other for ever: only the number of quiet rounds ends it there."""
    units = [replace(each, wear=replace(each.wear, failed=("walker",))) for each in (unit("One"), unit("Two", "blue", (19, 19)))]
    units = [replace(each, facing=3 if each.name == "One" else 0) for each in units]
    far = battle(replace(units[0], x=1.0, y=19.0), replace(units[1], x=19.0, y=1.0), phase="declaration", rounds=6)
    assert ended(far, lens=True).why == "6 rounds have passed without an attack"
    assert ended(far).winner is None


def test_whoever_has_a_shot_left_or_can_go_somewhere_goes_on():
    armed = stuck(quiet=5).change("One", arms=unit("One").arms)
    assert stalemate(RULES, armed) == ""
    walking = stuck(quiet=5)
    assert stalemate(RULES, walking.change("Two", wear=unit("Two").wear)) == ""


def test_a_battle_that_runs_out_of_rounds_has_lasted_as_many_as_it_had():
    scene, player = BattleScene(RULES), Player(Seeded(1), BATTLE_TACTICS["hold"])
    state = battle(unit("One", design=vehicle(armor=200)), unit("Two", "blue", (7, 5), design=vehicle(armor=200)), rounds=2)
    while scene.result(state) is None:
        state = player.run(scene.step(state))
    assert (scene.result(state).why, scene.round(state)) == ("2 rounds have passed", 2)


def test_a_duel_in_which_nobody_can_be_hurt_is_solved_and_sampled_as_undecided():
    """Both kick each other for ever, or hold their fire: the lab forgets the number of the round, and still knows that nobody wins."""
    pea = Device("pea gun", damage=1, range=3)
    units = [unit(name, side, (5, 5), design=vehicle(armor=200, systems=(pea,))) for name, side in (("One", "red"), ("Two", "blue"))]
    state, scene = battle(*units, phase="declaration", rounds=4), BattleScene(RULES)
    for tactic in ("hold", "brawl"):
        solved = solve(scene, state, BATTLE_TACTICS[tactic], rounds=4)
        assert solved.exact
        assert {end.winner: round(chance, 9) for end, chance in solved.ends.items()} == {None: 1.0}
        assert {end.winner for end in sample(scene, state, BATTLE_TACTICS[tactic], 5, question="win", seed=1, rounds=4).counts} == {None}
