"""Everybody can withdraw and surrender in every fight, battle and pursuit; `ends` says how it ends, and leaving is told."""

from functools import cache

import pytest
from msgspec.structs import replace

from conformance.games import NAMES, demos, staged, taken
from rulewright import library
from rulewright.errors import UserError
from rulewright.lab import sample
from rulewright.play import Player, Seeded
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.skirmish import FIGHT_ON, Parting
from rulewright.system import find

MOST_STEPS = 200
SEEDS = (1, 2)
HOSTILE = ("fight", "battle", "pursuit", "chase")
"""Kinds of scenes in which people harm or hunt each other."""
CALM = {("silhouette", "chase"), ("ore", "pursuit")}
"""Ready-made chases in which nobody is badly hurt within the steps; their quarries are hurt below."""


def scene_of(name):
    """The scene of a scenario, without its people: they are not needed until a test plays it."""
    file = taken(name)
    return file.system.staging(file.thing.scene).scene(file.system.book.ruleset())


FIGHTS = [name for name in demos("scenario") if isinstance(scene_of(name), Parting)]


def test_every_hostile_scene_of_the_books_can_be_left():
    without = [
        (game, kind)
        for game in NAMES
        for kind, staging in find(game).scenes.items()
        if kind in HOSTILE and not isinstance(staging.scene(find(game).book.ruleset()), Parting)
    ]
    assert [(game, kind) for game, kind in without if game != "pebbles"] == []  # nobody gets hurt in the example's game of pebbles


def able(scene, state):
    return [member for member in scene.members(state) if scene.able(state, member)]


@pytest.mark.parametrize("name", FIGHTS)
@pytest.mark.parametrize("how", ["withdraw", "surrender"])
def test_anybody_can_leave_and_when_a_side_has_left_the_fight_is_over(name, how):
    found = staged(name)
    encounter = Encounter.begin(found.scene, found.state)
    first = next(member for member in able(found.scene, found.state) if not found.scene.stays(found.state, member, how))
    encounter.leave(first.name, how)
    assert not found.scene.able(encounter.state, found.scene.member(encounter.state, first.name))
    with pytest.raises(UserError, match="already"):
        encounter.leave(first.name, how)
    assert Encounter(found.scene, encounter.entries).state == encounter.state
    state = encounter.state
    for member in able(found.scene, state):
        if member.side == first.side:
            state = found.scene.leave(state, member.name, how)
    others = {side for side in found.scene.sides(state) if side != first.side}
    result = found.scene.result(settled(found.scene, state))
    groups = any(group.side == first.side for group in getattr(state, "groups", ()))
    assert groups or len(others) > 1 or (result is not None and result.winner in others)


def settled(scene, state):
    """The state after the step that counts the losses, where a battle has one."""
    return state if scene.result(state) is not None else Player(Seeded(1)).run(scene.step(state))


@pytest.mark.parametrize("name", [name for name in FIGHTS if scene_of(name).kind in ("pursuit", "chase")])
def test_who_is_chased_gets_away_by_the_rules_only(name):
    found = staged(name)
    kept = [member for member in able(found.scene, found.state) if found.scene.stays(found.state, member, "withdraw")]
    assert kept
    for member in kept:
        with pytest.raises(UserError, match="chased"):
            found.scene.leave(found.state, member.name, "withdraw")
    state = found.state
    for member in kept:
        state = found.scene.leave(state, member.name, "surrender")
    result = found.scene.result(state)
    assert result is not None
    assert result.winner != kept[0].side
    assert "surrender" in result.why or "gives up" in result.why


@cache
def by_morale(name, seed):
    """A scenario played by morale: the scene, its last state, who was asked and answered what, and the headlines."""
    found = staged(name)
    scene, state, dice, asked, told = found.scene, replace(found.state, ends="by morale"), Seeded(seed), [], []

    def decide(choice):
        if choice.topic == "morale":
            asked.append((choice.about.name, found.decide(choice)))
        return found.decide(choice)

    for _ in range(MOST_STEPS):
        if scene.result(state) is not None:
            break
        player = Player(dice, decide)
        state = player.run(scene.step(state))
        told += [event.headline() for event in player.events]
    return scene, state, asked, told


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", FIGHTS)
def test_a_fight_by_morale_asks_the_shaken_and_tells_who_leaves(name, seed):
    scene, state, asked, told = by_morale(name, seed)
    gone = [who for who, given in asked if given != FIGHT_ON]
    for who in gone:
        assert any(line.startswith(who) and ("withdraw" in line or "surrender" in line) for line in told)
        assert not scene.able(state, scene.member(state, who))
    assert len(gone) == len(set(gone))


@pytest.mark.parametrize(("game", "kind"), sorted({(name.partition("/")[0], scene_of(name).kind) for name in FIGHTS} - CALM))
def test_people_of_every_game_give_up_where_it_pays(game, kind):
    names = [name for name in FIGHTS if name.startswith(f"{game}/") and scene_of(name).kind == kind]
    assert any(given != FIGHT_ON for name in names for seed in SEEDS for _, given in by_morale(name, seed)[2])


def test_a_hurt_quarry_surrenders():
    found = staged("ore/scenarios/town_chase")
    state = replace(found.state, ends="by morale", round=1)
    car = next(craft for craft in state.crafts if craft.side == state.field.quarry)
    state = state.change(car.name, hull=replace(car.hull, marked=2 * car.hull.size))
    player = Player(Seeded(1), found.decide)
    after = player.run(found.scene.step(state))
    assert f"{car.name} surrenders" in [event.headline() for event in player.events]
    assert found.scene.result(after).winner != car.side
    assert "surrendered" in [piece.name for card in found.scene.view(after, None).cards for piece in card.pieces if card.name == car.name]

    found = staged("silhouette/scenarios/chase")
    prey = found.state.prey
    state = replace(found.state, ends="by morale", round=1, prey=replace(prey, body=replace(prey.body, flesh=prey.body.system_shock)))
    player = Player(Seeded(1), found.decide)
    after = player.run(found.scene.step(state))
    assert f"{prey.name} surrenders" in [event.headline() for event in player.events]
    assert found.scene.result(after).winner == state.pursuers[0].side


def test_the_lab_follows_morale():
    """Simulated and computed fights ask the shaken as well, so that nobody is left who was not asked."""
    lengths = {}
    for ends in ("to the end", "by morale"):
        found = library.stage("scumm/scenarios/duel", changes={"ends": ends})
        fast, played = (
            sample(found.scene, found.state, found.decide, n=1_000, seed=1, question=question, rounds=20, confidence=0.999)
            for question in ("win", "all")
        )
        lengths[ends] = fast.rounds.mean
        assert fast.rounds.interval[0] < played.rounds.interval[1]
        assert played.rounds.interval[0] < fast.rounds.interval[1]
    assert lengths["by morale"] < lengths["to the end"]


def battered(scene, state):
    """A fight by morale in which all sides but the first have lost so many that the rest is shaken, and whom that leaves."""
    state = replace(state, ends="by morale")
    sides = list(scene.sides(state))
    last = [member for member in able(scene, state) if member.side == sides[-1]]
    for member in last[len(last) // 2 :]:
        if len(last) > 1 and not scene.stays(state, member, "surrender"):
            state = scene.leave(state, member.name, "surrender")
    return state


def fighting_on(found, asked):
    """Decides that the shaken fight on, and notes who was asked."""

    def decide(choice):
        if choice.topic != "morale":
            return found.decide(choice)
        asked.append(choice.about.name)
        return FIGHT_ON

    return decide


@pytest.mark.parametrize("name", FIGHTS)
def test_those_who_are_shaken_are_asked_and_their_wise_answer_comes_first(name):
    """Whoever is shaken is asked in the next round; everybody else is not."""
    found = staged(name)
    scene, state = found.scene, battered(found.scene, found.state)
    asked = []
    shaken = [member.name for member in able(scene, state) if scene.shaken(state, member) and scene.speaker(state, member)]
    shaken = [name for name in shaken if len(scene.question_of_resolve(state, scene.member(state, name)).keys()) > 1]
    Player(Seeded(1), fighting_on(found, asked)).run(scene.resolve(replace(state, resolved=-1)))
    assert asked == shaken


@pytest.mark.parametrize(("game", "kind"), [(game, kind) for game in NAMES for kind in find(game).scenes])
def test_every_tactic_leaves_when_shaken(game, kind):
    """The wise answer comes first; a tactic without a will of its own takes it."""
    names = [name for name in FIGHTS if name.startswith(f"{game}/") and scene_of(name).kind == kind]
    for name in names:
        found = staged(name)
        for member in able(found.scene, found.state):
            choice = found.scene.question_of_resolve(found.state, member)
            for tactic in find(game).staging(kind).tactics.values():
                assert tactic(choice) == choice.options[0].key


def test_old_scenarios_fight_to_the_end():
    assert all(staged(name).state.ends == "to the end" for name in FIGHTS)


@pytest.mark.parametrize("name", FIGHTS)
def test_a_scenario_says_how_it_ends_and_what_it_cannot_say_is_refused(name):
    """`ends` of the file reaches the state; the rest is refused at its place."""
    for ends in ("to the end", "by morale", "by objectives"):
        fits = ends in scene_of(name).endings and (ends != "by objectives" or taken(name).thing.place.get("objectives"))
        if fits:
            assert library.stage(name, changes={"ends": ends}).state.ends == ends
        else:
            with pytest.raises(UserError, match=r"(cannot end by objectives|no side has an objective)"):
                library.stage(name, changes={"ends": ends})


def test_a_battle_by_objectives_ends_when_none_is_within_reach():
    found = library.stage("silhouette/convoy", changes={"ends": "by objectives"})
    scene, state = found.scene, found.state
    aim = state.place.objectives[0]
    convoy = [unit for unit in able(scene, state) if unit.side == aim.side]
    kept = len(convoy) - aim.units
    for unit in convoy[:kept]:
        state = scene.leave(state, unit.name, "surrender")
    assert scene._decided(state) is None  # a unit that surrendered does not count as arrived
    before = state
    state = scene.leave(state, convoy[kept].name, "surrender")
    result = scene.result(settled(scene, state))
    assert result.winner not in (None, aim.side)
    assert "no longer meet" in result.why
    assert scene._decided(scene.leave(replace(before, ends="to the end"), convoy[kept].name, "surrender")) is None
