"""Decisions and blows asked for as parts of what they depend on come to the same, die for die, as in the whole fight."""

from collections import Counter

import pytest
from msgspec.structs import replace

from rulewright import library
from rulewright.lab import sample
from rulewright.play import Player, Seeded, is_local
from rulewright.play.odds import Exact
from rulewright.systems.hybrid.fight.log_events import COUNTS_A_SECOND
from rulewright.systems.hybrid.fight.scene import TACTICS
from rulewright.systems.hybrid.harm.damage import SHOCK, UNCONSCIOUS
from rulewright.systems.hybrid.lab_view.batch_counts import Counts
from rulewright.systems.hybrid.lab_view.moment_excerpt import came_of, decided


def knives(tactic="fencer", count=2, **changes):
    """The knife fight with so many on each side."""
    sides = {
        side: [{"character": one.character, "name": one.name, "tactic": tactic, "state": one.state, "count": count} for one in members]
        for side, members in library.take("hybrid/knife-fight", "scenario").thing.sides.items()
    }
    return library.stage("hybrid/knife-fight", changes={"sides": sides, **changes})


def fought(staged, seed, steps):
    """The states that a fight comes to."""
    player, state = Player(Seeded(seed), staged.decide), staged.state
    for _ in range(steps):
        if staged.scene.result(state) is not None:
            return
        yield state
        state = player.run(staged.scene.step(state))


class Parts(Player):
    """Luck of which nothing is learned: every part is played with the next dice, and remembered."""

    def __init__(self, dice, decide):
        super().__init__(dice, decide)
        self.parts = []

    def learned(self, part):
        return None

    def sub(self, part):
        self.parts.append(part)
        return super().sub(part)


class Found(Exception):
    """What was asked for first."""


class Asking(Parts):
    """Breaks off at the first part, or at whatever is played before it."""

    def sub(self, part):
        raise Found(part)

    def run(self, play):
        raise Found(None)


def agrees(staged, state, seed):
    """That a walk does with these dice what the steps do, in one second and until somebody is out of it; and what it asked for."""
    scene, alone, whole = staged.scene, Parts(Seeded(seed), staged.decide), Player(Seeded(seed), staged.decide)
    after, came = Counts(scene.rules, alone)(state, scene.round(state)), state
    for _ in range(100):
        if came == after and len(whole.rolls) == len(alone.rolls):
            break
        assert scene.result(came) is None
        assert came.count // COUNTS_A_SECOND == state.count // COUNTS_A_SECOND
        came = whole.run(scene.step(came))
    assert came == after
    assert [rolled.faces for rolled in whole.rolls] == [rolled.faces for rolled in alone.rolls]
    return Counter(part.procedure for part in alone.parts)


@pytest.mark.parametrize("tactic", ["fencer", "reckless", "careful", "marksman"])
@pytest.mark.parametrize("settings", [{}, {"initiative-ties": "higher speed first"}, {"defense-counts": "percent"}], ids=str)
def test_the_same_dice_do_the_same_as_in_the_whole_fight(tactic, settings):
    staged = knives(tactic, 3, settings=settings)
    asked = Counter()
    for seed in range(2):
        for state in list(fought(staged, seed, 200))[seed::2]:
            asked += agrees(staged, state, seed)
    assert asked[decided] > 50
    assert asked[came_of] > 50


@pytest.mark.parametrize("scenario", ["hybrid/ambush", "hybrid/arrest", "hybrid/duel"])
def test_it_is_so_with_bows_spells_and_holds(scenario):
    staged = replace(library.stage(scenario), tactics={}, usual=TACTICS["marksman"])
    for seed in range(2):
        for state in list(fought(staged, seed, 120))[seed::3]:
            agrees(staged, state, seed)


def asked_for(staged, state):
    """The part that a walk asks for first, if any."""
    try:
        Counts(staged.rules, Asking(Seeded(1), staged.decide))(state, staged.scene.round(state))
    except Found as found:
        return found.args[0]
    return None


def facing(what):
    """A fight of two against two in which one of them alone is due on this count, for this part; and who that is."""
    staged = knives()
    for state in fought(staged, 1, 200):
        due = [one for one in state.fighters if one.at == state.count]
        part = asked_for(staged, state) if len(due) == 1 else None
        if part is not None and part.procedure is what:
            return staged, state, due[0]
    raise AssertionError("nobody was due")


HINDERED = [
    {"body": {"shock": "stunned"}},
    {"body": {"pbd": 3, "bleeding": (4, 11)}},
    {"body": {"prone": True}},
    {"off_balance": -4, "late": 3, "points": 5, "fooled_by": "Ilvane 2", "ward": 2, "ward_ends": 9_000, "strain": (3, 900)},
    {"evading": True, "retreating": True, "all_out": "body"},
    {"evading": True, "advancing": True, "pace": "run"},
    {"inside": ("Pell 1", "Pell 2", "Ilvane 1", "Ilvane 2")},
]


@pytest.mark.parametrize("who", ["one", "all"])
@pytest.mark.parametrize("what", [decided, came_of])
@pytest.mark.parametrize("changes", HINDERED, ids=str)
def test_it_is_so_for_whoever_is_hurt_or_hindered(changes, what, who):
    staged, state, me = facing(what)
    changes = dict(changes)
    body = changes.pop("body", {})
    if "shock" in body:
        body = {"shock": next(row.effect for row in SHOCK(staged.rules).values() if row.effect != UNCONSCIOUS)}
    for one in state.fighters:
        if who == "all" or one.name == me.name:
            state = state.put(replace(one, body=replace(one.body, **body), **changes))
    for dice in range(8):
        asked = agrees(staged, state, dice)
        assert asked[what] or "ward" in changes  # a blow at a ward is played


@pytest.mark.parametrize("way", ["all out", "advance", "retreating", "spinning", "set up", "called"])
def test_it_is_so_in_whichever_manner_the_blow_is_struck(way):
    staged, state, me = facing(came_of)
    doing = replace(me.doing, called="head") if way == "called" else replace(me.doing, way=way)
    state = state.put(replace(me, doing=replace(doing, share=(2, 3))))
    for dice in range(8):
        assert agrees(staged, state, dice)[came_of]


def test_there_is_no_part_where_more_than_a_blow_may_be_begun():
    staged, state, me = facing(decided)
    foes = [one for one in state.fighters if one.side != me.side]
    fists = next(place for place, arm in enumerate(me.profile.arms) if arm.name == "fist")
    assert asked_for(staged, state).procedure is decided
    for changes in ({"bound_with": foes[0].name}, {"in_hand": fists}, {"x": 90.0}):
        changed = state.put(replace(me, **changes))
        assert (asked_for(staged, changed) is None) == ("in_hand" in changes)
        for dice in range(4):
            agrees(staged, changed, dice)
    waiting = [replace(one, waiting=one.side != me.side) for one in state.fighters]
    assert asked_for(staged, replace(state, fighters=tuple(waiting))) is None


def test_nothing_happens_while_somebody_is_held_or_waits_or_shock_ends_by_the_clock():
    staged, state, me = facing(decided)
    foe = next(one for one in state.fighters if one.side != me.side)
    held = state.put(replace(foe, holding=me.name, hold=1))
    timed = knives(settings={"shock-ends": "2d6+45 counts"})
    waits = state.put(replace(foe, waiting=True))
    for where, still in ((staged, waits), (staged, held), (timed, state)):
        player = Parts(Seeded(1), where.decide)
        assert Counts(where.rules, player)(still, 10_000) is still
        assert not player.record


def test_the_names_of_people_and_the_count_do_not_matter_to_a_part():
    staged, state, me = facing(came_of)
    twin = next(one for one in state.fighters if one.side == me.side and one is not me)
    other = state.put(replace(me, at=me.at + 30)).put(
        replace(me, profile=twin.profile, body=replace(me.body, name=twin.name, pbd=me.body.pbd - 1), doing=replace(me.doing, began=0))
    )
    assert asked_for(staged, state).procedure is came_of
    assert asked_for(staged, other) == asked_for(staged, state)


def test_a_blow_has_few_outcomes_so_that_its_odds_are_soon_known():
    staged, state, _ = facing(came_of)
    odds = Exact(staged.decide).part(asked_for(staged, state))
    assert len(odds.weights) < 40
    assert odds.paths < 200


def test_only_tactics_that_look_at_no_more_are_local():
    assert {name for name, tactic in TACTICS.items() if is_local(tactic)} == {"fencer", "reckless", "careful", "marksman"}


@pytest.mark.slow
@pytest.mark.parametrize(("count", "tactic", "fights"), [(1, "fencer", 30), (2, "reckless", 40)])
def test_drawn_and_played_fights_agree(count, tactic, fights):
    staged = knives(tactic, count)
    assert is_local(staged.decide)
    asked = {"question": "losses", "rounds": staged.scenario.rounds, "tables": False, "confidence": 0.9999}
    drawn = sample(staged.scene, staged.state, staged.decide, 3 * fights, seed=5, **asked)
    played = sample(staged.scene, staged.state, lambda choice: staged.decide(choice), fights, seed=6, **asked)
    pairs = [(drawn.sides[side].interval, played.sides[side].interval) for side in drawn.sides]
    pairs += [(drawn.losses[side].interval, played.losses[side].interval) for side in drawn.losses]
    for (low, high), (least, most) in [*pairs, (drawn.rounds.interval, played.rounds.interval)]:
        assert low < most
        assert least < high


def test_a_blow_that_may_be_noticed_in_passing_is_played_whole():
    staged, state, _ = facing(came_of)
    unaware = replace(state, fighters=tuple(replace(one, aware=False) for one in state.fighters))
    for dice in range(10):
        assert not agrees(staged, unaware, dice)[came_of]
