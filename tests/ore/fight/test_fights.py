"""Fights as scenes: the ready-made scenarios, mooks, what a lens leaves out, and any combination of options that a campaign may choose."""

import random
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright import library
from rulewright.errors import UserError
from rulewright.lab.solver.exact import solve
from rulewright.lab.solver.state_graph import Chain, _Solver
from rulewright.play import Player, Range, Rolled, Seeded
from rulewright.play.odds import Budget, Sampler
from rulewright.scenes.encounter import Encounter
from rulewright.systems.ore.fight.tactics import TACTICS
from rulewright.systems.ore.game import OneRollEngine
from rulewright.systems.ore.harm.body import Abstract, Injury, Located, Vital
from rulewright.systems.ore.lab_view.scene import FightScene
from rulewright.systems.ore.people.mook_file import Mook
from rulewright.systems.ore.settings import BOOK

SCENARIOS = ("duel", "alley", "bridge", "rooftop", "vault")


def staged(name, changes=None, **chosen):
    return library.stage(f"ore/{name}", settings={key.replace("_", "-"): value for key, value in chosen.items()}, changes=changes)


def fought(found, seed=1, steps=400):
    encounter = Encounter.begin(found.scene, found.state)
    encounter.play_out(Seeded(seed), found.decide, steps)
    return encounter


def test_five_scenarios_over_the_three_gears_and_twenty_mooks_against_four_heroes():
    presets = {staged(name).scenario.preset for name in SCENARIOS}
    assert set(BOOK.presets) - {"by the book"} <= presets
    state = staged("bridge").state
    assert [len(group.members) for group in state.groups] == [20]
    assert len(state.fighters) == 4
    assert {type(staged(name).state.fighters[0].body) for name in SCENARIOS} == {Located, Vital, Abstract}


def test_four_heroes_against_twenty_mooks_replay_bit_for_bit():
    first = fought(staged("bridge"), 1)
    assert first.result is not None
    again = Encounter(staged("bridge").scene, first.entries)
    assert again.state == first.state
    assert again.log == first.log


def test_twenty_four_characters_and_mooks_are_ready_made():
    game = OneRollEngine()
    assert len(game.archetypes("character")) == 26  # and two plain beginnings
    assert len(game.archetypes("mook")) >= 4
    assert game.new(BOOK.ruleset(), "mook", "dock_thugs").threat == 1
    assert game.audit(BOOK.ruleset(), Mook("X", threat=2)).legal
    assert [problem.field for problem in game.audit(BOOK.ruleset(), Mook("X", threat=9, kill=-1, armour=12)).problems] == [
        "threat",
        "kill",
        "armour",
    ]
    assert game.sheet(BOOK.ruleset(), Mook("X", threat=3)).values()["threat"].value == 3
    with pytest.raises(UserError, match="did you mean"):
        game.new(BOOK.ruleset(), "mook", "dock_thug")
    with pytest.raises(UserError, match="no beginnings of kind"):
        game.new(BOOK.ruleset(), "dragon")


@pytest.mark.slow
def test_the_duel_is_solved_to_its_end_and_sampling_agrees():
    found = staged("duel")
    solved = solve(found.scene, found.state, found.decide, rounds=found.scenario.rounds, seconds=20)
    assert solved.settled == pytest.approx(1)
    law = solved.sides["law"].chance
    sampler, won = Sampler(1, found.decide), 0
    for _ in range(300):
        state = found.state
        while (result := found.scene.result(state)) is None:
            state = sampler.run(found.scene.step(state))
        won += result.winner == "law"
    assert abs(won / 300 - law) < 0.09


def test_what_cannot_be_is_refused_in_one_line():
    found = staged("duel")
    with pytest.raises(UserError, match="already"):
        found.scene.join(found.state, Mook("Ines"), "law")
    grown = found.scene.join(found.state, Mook("Thug"), "law")
    assert found.scene.sides(grown)["law"] == ("Brannock", "Thug")


@pytest.mark.parametrize("tactic", TACTICS)
@pytest.mark.parametrize("name", ["duel", "vault"])
def test_every_tactic_brings_every_fight_to_an_end(tactic, name):
    found = staged(name)
    player = Player(Seeded(3), TACTICS[tactic])
    state, steps = found.state, 0
    while found.scene.result(state) is None and steps < 900:
        state = player.run(found.scene.step(state))
        steps += 1
    assert found.scene.result(state) is not None


def test_the_lens_forgets_what_cannot_matter():
    found = staged("rooftop")
    first = found.state.fighters[0]
    body = Abstract(statistic=first.body.statistic, injuries=(Injury(1, 0), Injury(1, 2, 1)))
    state = found.state.change(first.name, body=body)
    seen = found.scene.lens(state, "win")
    assert seen.fighters[0].body.injuries == (Injury(2, 2, 1),)
    assert found.scene.lens(state, "all") == state
    dead = found.state.change(first.name, body=Abstract(statistic=first.body.statistic, out_boxes=1, injuries=(Injury(4, 4),)))
    assert found.scene.lens(dead, "win").fighters[0].body.injuries == ()


def test_a_roll_of_a_fight_says_which_dice_match():
    log = fought(staged("bridge"), 2, 12).log
    rolls = [line.what for line in log if isinstance(line.what, Rolled) and line.what.result]
    assert rolls
    for rolled in rolls:
        for reason in OneRollEngine().explain(rolled):
            face = int(reason.label.rsplit(" ", 1)[1])
            assert reason.value >= rolled.faces.count(face) > 0


BLOWS = {"tactics.crooks": "attacker"}
"""Both strike wherever it lands: of a called shot more than Widths and places counts, and nothing is levelled."""


class Unlevelled(FightScene):
    """A fight in which every set is told apart."""

    def level(self, outcome, question):
        return outcome


@pytest.mark.slow
def test_what_is_levelled_changes_nothing_about_who_wins():
    found = staged("duel", BLOWS)
    chances = []
    for scene in (found.scene, Unlevelled(found.rules)):
        solved = solve(scene, found.state, found.decide, rounds=found.scenario.rounds)
        assert solved.settled == 1
        chances.append([solved.sides[side].chance for side in ("law", "crooks")])
    assert chances[0] == pytest.approx(chances[1])


@pytest.mark.slow
@pytest.mark.parametrize("system", ["locations", "vital", "abstract"])
def test_a_round_seen_through_the_lens_is_the_same_round(system):
    found = staged("duel", BLOWS, damage_system=system)
    player = Player(Seeded(1), found.decide)
    state = found.state
    while state.phase != "roll":
        state = player.run(found.scene.step(state))
    assert state.plain.endswith("mutual")
    levelled = exact_step(found.scene, state, found.decide)
    whole = exact_step(Unlevelled(found.rules), state, found.decide)
    assert levelled == whole


def exact_step(scene, state, decide):
    """The chances of all states after a step, each seen through the lens."""
    chain = Chain(scene, state, "win")
    odds = _Solver(chain.scene, chain.question, decide, Budget()).solve(lambda: scene.step(state))
    found = {}
    for after, weight in odds:
        seen = scene.lens(after, "win")
        found[seen] = found.get(seen, 0) + Fraction(weight, odds.total)
    return found


# --- any combination of options -----------------------------------------------------------------------------------------------


def _values(setting):
    if isinstance(setting.default, bool):
        return st.booleans()
    if isinstance(setting.default, int):
        return st.sampled_from(sorted({setting.low, setting.default, min(setting.high, setting.default + 2)}))
    return st.sampled_from(setting.values)


def anyhow(seed):
    """Whatever is allowed, sensible or not."""
    dice = random.Random(seed)

    def decide(choice):
        options = choice.options
        return dice.randint(options.low, options.high) if isinstance(options, Range) else dice.choice(options).key

    return decide


CHOSEN = {
    name: _values(setting)
    for name, setting in BOOK.settings.items()
    if setting.rule.startswith(("ore-4", "ore-1")) and name not in ("points",)
}


@given(st.fixed_dictionaries({}, optional=CHOSEN), st.sampled_from(SCENARIOS), st.integers(0, 999))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_combination_of_options_breaks_a_round(chosen, name, seed):
    """Either it is refused with the reason, or rounds can be played by it: every body whole, every set a set, and the same again."""
    try:
        found = staged(name, **{key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in chosen.items()})
    except UserError as error:
        refused = str(error)
    else:
        refused = ""
    if refused:
        assert "cannot work together" in refused
        return
    player = Player(Seeded(seed), anyhow(seed) if seed % 2 else found.decide)
    state, steps = found.state, 0
    while found.scene.result(state) is None and state.round < 4 and steps < 60:
        before, state = state, player.run(found.scene.step(state))
        assert state != before
        assert all(each.width >= 1 and 1 <= each.height <= 10 for each in state.pending)
        assert all(was.able or not now.able for was, now in zip(before.fighters, state.fighters, strict=True))
        assert sum(len(group.mob.ratings) for group in state.groups) <= sum(len(group.mob.ratings) for group in before.groups)
        found.scene.view(state, None)
        hash(found.scene.lens(state, "win"))
        steps += 1
    again = Player(Seeded(seed), anyhow(seed) if seed % 2 else found.decide)
    other = found.state
    for _ in range(steps):
        other = again.run(found.scene.step(other))
    assert other == state


@pytest.mark.parametrize("option", ["speed=height", "speed=waste", "hit-location=width", "damage-system=vital", "damage-system=abstract"])
def test_a_campaign_sees_an_option_in_play(option):
    name, value = option.split("=")
    plain, changed = staged("bridge"), staged("bridge", **{name: value})
    logs = [[str(line.what) for line in fought(found, 5, 60).log] for found in (plain, changed)]
    assert logs[0] != logs[1]
