"""Downtime in every game that has it: nothing due is skipped, cutting time changes nothing, and whatever changes is told."""

from functools import cache

import msgspec
import pytest
from msgspec.structs import replace

from conformance.games import NAMES, demos, staged, taken, with_options
from conformance.random_play import states
from rulewright.build.sheet_parts import Card, SceneView, seen_to_change
from rulewright.campaign.calendar import DAY, HOUR
from rulewright.campaign.downtime import MOST_DUES, RUNS, Downtime, Location, Participant, read_runs
from rulewright.play import Player, Seeded, play, sub
from rulewright.play.odds import Budget, exact
from rulewright.rules.reasons import holds
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.scenarios import CONDITION
from rulewright.scenes.scene import run
from rulewright.system import find

GAMES = [name for name in NAMES if find(name).downtime is not None]
games = pytest.mark.parametrize("name", GAMES)
MOST_PEOPLE = 4


@cache
def survivors(name):
    """Characters of a game as the first fights left them, with the ruleset; every game has some who are hurt."""
    game = find(name)
    rules = with_options(game.book)
    hurt = []
    for scenario in demos("scenario"):
        if taken(scenario).system.id != name or taken(scenario).thing.scene != "fight":
            continue
        found, path = staged(scenario), states(scenario, 1)
        for member in found.members:
            first, last = (values(found.scene.lasting(state, member.name)) for state in (path[0], path[-1]))
            character = member.character
            life = game.downtime.of(rules, character, "x") if hasattr(character, CONDITION) else None
            if life is not None and any(first.get(field) != last.get(field) for field in game.downtime.lasting(life)):
                hurt.append(msgspec.convert(msgspec.to_builtins(replace(character, condition=last)), type(character)))
    assert hurt
    return rules, hurt[:MOST_PEOPLE]


def values(lasting):
    return {field: lasts.value for field, lasts in lasting.items()}


def begun(name, seconds, people=None, best=False):
    """A downtime of the survivors, or of some of them; in the best place that a location can be, or anywhere."""
    game = find(name)
    rules, hurt = survivors(name)
    scene = game.staging("downtime").scene(rules)
    figures = {figure.name: figure.words[-1] if figure.words else max(figure.default, figure.high // 3) for figure in game.downtime.figures}
    place = Location.of("ward", **figures) if best else Location("ward")
    exertions = [exertion.name for exertion in game.downtime.exertions]
    chosen = hurt if people is None else hurt[people]
    participants = []
    for number, character in enumerate(chosen):
        who = f"Person {'ABCD'[number]}"
        life = game.downtime.of(rules, character, who)
        participants.append(Participant(who, life, exertions[number % len(exertions)], "ward", read_runs(character.condition)))
    return scene, Downtime(0, 0, seconds, tuple(participants), (place,)).checked()


def from_files(name, scene, state, until):
    """The same people later, each read again from what their file keeps, and the campaign's hidden effects."""
    game, people = find(name), []
    rules, hurt = survivors(name)
    for number, person in enumerate(state.people):
        condition = msgspec.json.decode(msgspec.json.encode(values(scene.lasting(state, person.name))))
        character = replace(hurt[number], condition={**hurt[number].condition, **condition})
        life = game.downtime.of(rules, character, person.name)
        hidden = tuple(effect for effect in person.runs if effect.known is not None)
        people.append(replace(person, life=life, runs=(*read_runs(character.condition), *hidden)))
    return replace(state, start=state.now, until=until, people=tuple(people), dues=0, stopped="")


def bodies(scene, state):
    """What cutting must not change."""
    state = scene.settled(state)
    return tuple((person.life, person.runs) for person in state.people)


@games
@pytest.mark.parametrize("best", [False, True])
def test_cutting_time_changes_nothing(name, best):
    """A week at once is the same as pieces of it, each read from the files, with the same dice."""
    for seed in range(6):
        scene, whole = begun(name, 7 * DAY, best=best)
        together = Player(Seeded(seed)).run(run(scene, whole))
        if together.dues >= MOST_DUES:
            continue
        player, state = Player(Seeded(seed)), replace(whole, until=0)
        for until in (0, 37, HOUR, 5 * HOUR + 11, DAY, 2 * DAY - 1, 5 * DAY, 7 * DAY):
            state = player.run(run(scene, from_files(name, scene, state, until)))
            assert state.now == until
        assert bodies(scene, state) == bodies(scene, together)


@games
def test_cutting_time_leaves_the_exact_odds(name):
    """One person, up to the second thing that is due, at once and in two pieces."""
    scene, state = begun(name, 7 * DAY, slice(0, 1))
    state = scene.settled(state)
    first = scene.next_moment(state)
    whole = replace(state, until=first + HOUR)
    cut = first // 2

    def at_once():
        after = yield from run(scene, whole)
        return bodies(scene, after)

    def in_pieces():
        after = yield from run(scene, replace(whole, until=cut))
        after = yield from run(scene, from_files(name, scene, after, whole.until))
        return bodies(scene, after)

    together, apart = (exact(sub(procedure), budget=Budget(seconds=20)) for procedure in (at_once, in_pieces))
    assert not together.unsettled
    assert {body: weight / together.total for body, weight in together.weights.items()} == {
        body: weight / apart.total for body, weight in apart.weights.items()
    }


@games
@pytest.mark.parametrize("best", [False, True])
def test_nothing_due_is_skipped_and_what_changes_is_told(name, best):
    scene, state = begun(name, 40 * DAY, best=best)
    dice, untold = Seeded(1), []
    while scene.result(state) is None:
        player = Player(dice)
        after = player.run(scene.step(state))
        assert after.now >= state.now
        for person in after.people:
            assert person.since == after.now
            assert all(scene.remaining(after, person, effect) in (None, 0) or effect.spent >= 0 for effect in person.runs)
            lengths = [(scene.game.kind(effect.of), effect) for effect in person.runs]
            for kind, effect in lengths:
                seconds = kind.seconds(scene.rules, scene.case(after, person, kind), effect)
                assert seconds is None or effect.spent <= max(seconds, 0), f"{effect} was due {effect.spent - seconds} s ago"
        words = " / ".join(event.headline() for event in player.events if event.logged)
        changes = seen_to_change(cards(scene, state), cards(scene, after))
        untold += [(who, change, words) for who, change in changes if who not in words]
        assert all(holds(reason) for event in player.events for reason in event.reasons())
        state = after
    assert untold == []
    assert scene.took(state) == state.now


def cards(scene, state):
    """The bodies as cards, without the time that is left until something is due."""
    pieces = tuple(Card(person.name, "people", tuple(scene.game.pieces(scene.rules, person.life))) for person in state.people)
    return SceneView("", "", pieces)


@games
def test_a_replay_is_the_same_time_again(name):
    scene, state = begun(name, 10 * DAY)
    encounter = Encounter.begin(scene, state, "Ten days")
    dice = Seeded(3)
    while encounter.result is None:
        at, request = encounter.open[0]
        encounter.give(dice.faces(request) if hasattr(request, "reading") else request.options[0].key, at)
    again = Encounter(scene, list(encounter.entries))
    assert again.state == encounter.state
    encounter.undo(to=2) if len(encounter.entries) > 2 else None
    assert encounter.state.now <= again.state.now


@games
def test_a_file_is_the_same_after_no_time(name):
    scene, state = begun(name, 0)
    after = play(run(scene, state), dice=Seeded(1)).outcome
    _, hurt = survivors(name)
    for person, character in zip(after.people, hurt, strict=True):
        kept = values(scene.lasting(after, person.name))
        assert {field: value for field, value in kept.items() if field != RUNS} == {
            field: character.condition.get(field, value) for field, value in kept.items() if field != RUNS
        }
        assert msgspec.json.decode(msgspec.json.encode(kept)) == kept


@games
def test_what_is_hidden_changes_nothing_for_players(name):
    """A hidden effect is in no view of a player, and its events reach nobody else."""
    everybody = [begun(name, 60 * DAY, slice(number, number + 1), best=True) for number in range(len(survivors(name)[1]))]
    scene, state = next((scene, settled) for scene, state in everybody if (settled := scene.settled(state)).people[0].runs)
    person = state.people[0]
    hidden = replace(person, runs=tuple(replace(effect, known=()) for effect in person.runs))
    secret = replace(state, people=(hidden,))
    bare = replace(state, people=(replace(person, runs=()),))
    own = scene.game.pieces(scene.rules, person.life)
    assert scene.view(secret, person.name).cards[0].pieces == tuple(own)
    assert len(scene.view(secret, None).cards[0].pieces) == len(scene.view(bare, None).cards[0].pieces)
    events = play(scene.step(secret), dice=Seeded(2)).events
    assert events
    assert all(event.hidden_from(person.name) for event in events if event.logged)


@games
def test_the_words_of_a_game_fit_together(name):
    game = find(name)
    rules = game.downtime
    ids = {info.id for info in game.book.rules()}
    assert {rule for kind in rules.effects for rule in kind.rules} <= ids
    assert {figure.rule for figure in rules.figures} | {exertion.rule for exertion in rules.exertions} <= ids | {""}
    assert len({kind.name for kind in rules.effects}) == len(rules.effects)
    assert "well" in {milestone.name for milestone in rules.milestones}
    names = [kind.name for kind in (*rules.effects, *rules.activities)]
    assert len(set(names)) == len(names)
    assert {rule for activity in rules.activities for rule in activity.rules} <= ids
    assert {mean.rule for mean in rules.means} | {figure.rule for kind in rules.activities for figure in kind.arguments} <= ids | {""}
    assert {activity.exertion for activity in rules.activities} <= {exertion.name for exertion in rules.exertions} | {""}
    assert all(not figure.fault(figure.usual) for figure in rules.figures)
