"""Duels of machines that are walked: die for die they are the duels that are stepped, whatever is remembered."""

from itertools import pairwise

import pytest
from msgspec.structs import replace

from rulewright import library
from rulewright.lab import sample, solve
from rulewright.lab.sampling.subgames import Drawing
from rulewright.play import first_option
from rulewright.systems.silhouette.battle.tactics.tactics import BATTLE_TACTICS, STYLES, style_of
from rulewright.systems.silhouette.lab_view.duel_setup import duel
from rulewright.systems.silhouette.lab_view.machine_duels import Bouts
from rulewright.systems.silhouette.lab_view.plain_machines import Facts, plain_battle
from rulewright.systems.silhouette.lab_view.step_cache import Change, KnownSteps
from silhouette.battles import RULES

TOWN = "silhouette/scenarios/town-duel"


class Rolling(Drawing):
    """Luck that rolls every die of every part."""

    def sub(self, part):
        return self.run(part.start())


def stepped(scene, state, decide, seed):
    """A fight to its end, every step by the rules; and the number that the luck gives next."""
    luck = Rolling(decide)
    luck.begin(seed)
    while scene.result(state) is None:
        state = luck.run(scene.step(state))
    return state, luck.random()


def walked(scene, state, luck, walk, seed):
    """The same fight walked as far as that goes, and stepped where it does not; and how much of it was walked."""
    luck.begin(seed)
    walks = steps = 0
    while scene.result(state) is None:
        after = walk(state, 10**6)
        walks += after is not state
        if after is state:
            after = luck.run(scene.step(state))
            steps += 1
        state = after
    return state, luck.random(), walks, steps


def assert_same(scene, state, decide, fights, walks_most=True):
    luck = Rolling(decide)
    walk = Bouts(scene, luck)
    left = 0
    for seed in range(fights):
        last, after, walks, steps = walked(scene, state, luck, walk, seed)
        assert (last, after) == stepped(scene, state, decide, seed)
        assert walks
        left += steps
    assert left < 4 * fights or not walks_most


@pytest.mark.parametrize("tactic", STYLES)
def test_a_duel_comes_out_the_same_walked_or_stepped_by_every_tactic(tactic):
    staged = library.stage(TOWN, changes={"sides.patrol.0.tactic": tactic})
    assert_same(staged.scene, staged.state, staged.decide, 25, walks_most=STYLES[tactic].moves and not STYLES[tactic].runs)


@pytest.mark.parametrize(
    ("said"), [{"range": "3", "terrain": "woodland"}, {"range": "12"}, {"range": "5", "tactic": "brawl", "level": "4"}]
)
def test_a_duel_of_two_designs_comes_out_the_same_on_other_ground(said):
    heron = library.take("silhouette/vehicles/heron-walker", "vehicle").thing
    other = replace(heron, name="Stork", armor=22, maneuver=-3)
    fought = duel(RULES, heron, other, said)
    assert_same(fought.scene, fought.state, fought.decide, 25)


def test_a_campaign_in_which_walkers_fall_is_walked_as_it_is_stepped():
    staged = library.stage(TOWN, settings={"walker-knockdown": "true"})
    assert_same(staged.scene, staged.state, staged.decide, 25, walks_most=False)


def test_a_walk_that_remembers_other_fights_goes_as_one_that_remembers_none():
    staged = library.stage(TOWN)
    luck = Rolling(staged.decide)
    used = Bouts(staged.scene, luck)
    for seed in range(30):
        walked(staged.scene, staged.state, luck, used, seed)
    for seed in (3, 99):
        assert (
            walked(staged.scene, staged.state, luck, used, seed)[:2]
            == walked(staged.scene, staged.state, luck, Bouts(staged.scene, luck), seed)[:2]
        )


def test_a_walk_begins_no_round_after_the_one_it_is_told():
    staged = library.stage(TOWN)
    luck = Rolling(staged.decide)
    luck.begin(5)
    state = luck.run(staged.scene.step(staged.state))
    walk = Bouts(staged.scene, luck)
    after = walk(state, 1)
    while staged.scene.result(after) is None and (after.phase, after.round) != ("declaration", 2):
        after = luck.run(staged.scene.step(after)) if (further := walk(after, 1)) is after else further
    assert staged.scene.result(after) is not None or walk(after, 1) is after


@pytest.mark.parametrize("name", ["gun-duel", "two-ships", "sub-hunt", "convoy"])
def test_whatever_is_not_plain_is_left_to_the_scene(name):
    staged = library.stage(f"silhouette/scenarios/{name}")
    luck = Rolling(staged.decide)
    luck.begin(1)
    state = luck.run(staged.scene.step(staged.state))
    assert not plain_battle(state)
    assert Bouts(staged.scene, luck)(state, 10) is state


def test_somebody_who_decides_by_no_tactic_of_this_game_is_left_to_the_scene():
    staged = library.stage(TOWN)
    luck = Rolling(first_option)
    luck.begin(1)
    state = luck.run(staged.scene.step(staged.state))
    assert style_of(first_option) is None
    assert style_of(BATTLE_TACTICS["brawl"]) == STYLES["brawl"]
    assert Bouts(staged.scene, luck)(state, 10) is state


def test_sampled_duels_agree_with_exact_odds():
    heron = library.take("silhouette/vehicles/heron-walker", "vehicle").thing
    fought = duel(RULES, heron, heron, {"range": "2", "tactic": "advance"})
    thin = tuple([replace(unit, wear=replace(unit.wear, armor=15)) for unit in fought.state.units])  # the first hit destroys
    state = replace(fought.state, units=thin)
    exact = solve(fought.scene, state, fought.decide, rounds=2, states=300)
    found = sample(fought.scene, state, fought.decide, 900, question="win", seed=4, rounds=2, tables=False)
    for side, chance in exact.sides.items():
        (low, high), (least, most) = chance.interval, found.sides[side].interval
        assert high - low < 0.1
        assert low - 0.02 <= most
        assert least <= high + 0.02


# --- what is remembered ------------------------------------------------------------------------------------------------------------


def begun():
    staged = library.stage(TOWN)
    luck = Rolling(staged.decide)
    luck.begin(2)
    return staged, luck, luck.run(staged.scene.step(staged.state))


def test_a_change_sets_what_it_sets_even_where_that_was_so_already():
    _, _, battle = begun()
    used = replace(battle, units=tuple([replace(unit, used=2) for unit in battle.units]))
    change = Change(battle, battle, ("used",), ("fired",))
    assert change(used) == battle
    assert Change(battle, battle, (), ())(used) == used


def test_a_change_knows_what_harm_it_does_field_by_field():
    _, _, battle = begun()
    one, two = battle.units
    hurt = replace(battle, units=(one, replace(two, wear=replace(two.wear, armor=2))))
    change = Change(battle, hurt, (), ())
    assert (change.sure(harm=False), change.sure(harm=True)) == (False, True)
    worn = replace(battle, units=(one, replace(two, wear=replace(two.wear, maneuver=1))))
    assert change(worn).units[1].wear == replace(two.wear, armor=2, maneuver=1)


def test_ammunition_that_is_lost_is_never_remembered():
    _, _, battle = begun()
    one, two = battle.units
    left = replace(battle, units=(one, two.with_arm(0, replace(two.arms[0], left=(3,)))))
    assert not Change(battle, left, (), ()).sure(harm=True)


def test_known_steps_are_forgotten_when_they_are_too_many(monkeypatch):
    staged, luck, battle = begun()
    monkeypatch.setattr("rulewright.systems.silhouette.lab_view.step_cache.MOST_STEPS", 3)
    steps = KnownSteps(luck)
    states = [battle]
    for number in range(6):
        states.append(steps(number, battle, staged.scene.step))
    assert all(one == other for one, other in pairwise(states[1:]))


def test_plating_does_not_matter_to_who_aims_nor_ammunition_to_who_is_aimed_at():
    staged, _, battle = begun()
    unit, numbers = battle.units[0], {}

    def facts(changed):
        return Facts(staged.rules, battle.place, changed, numbers)

    fresh = facts(unit)
    thin = facts(replace(unit, wear=replace(unit.wear, armor=3)))
    assert (fresh.aims, fresh.goes, fresh.spent) == (thin.aims, thin.goes, thin.spent)
    assert fresh.hurt != thin.hurt
    fired = facts(unit.with_arm(0, replace(unit.arms[0], left=(4,))))
    assert (fresh.hurt, fresh.aims) == (fired.hurt, fired.aims)
    bent = facts(unit.with_arm(0, replace(unit.arms[0], accuracy=1)))
    assert fresh.aims != bent.aims
    assert fresh.of_part("fire control") != bent.of_part("fire control")
    assert fresh.of_part("crew") == bent.of_part("crew")
