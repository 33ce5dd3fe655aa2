"""Tactics are not silly, in every scenario: nobody repeats what cannot succeed or has no effect, and tactics of a game differ."""

from functools import cache
from itertools import combinations

import pytest

from conformance.games import NAMES, demos, seeds, staged
from conformance.random_play import played, steps_of
from rulewright.build.sheet_parts import Pool
from rulewright.play import Paused, Range, Roll, Stands, Together
from rulewright.play.drivers import Rolled
from rulewright.scenes.chances import Asked, hoped, weigh
from rulewright.scenes.evaluation import GUARD
from rulewright.scenes.question_snapshot import Moment
from rulewright.system import find

MOST_STEPS = 90
CHECKS = 6
"""How many repeated actions of a scenario are evaluated."""
SECONDS = 0.1, 0.5
"""Time to find that an action has no chance, and that another has one."""
PASSIVE = (
    "pass",
    "let it pass",
    "nothing",
    "hold",
    "wait",
    "none",
    "no",
    "done",
    "stay",
    "delay",
    "end",
    "guard",
    "dodge",
    "parry",
    "watch",
    "continue",
)
WORK = ("draw", "reload", "load", "treat", "search", "clear")
"""What takes several actions, with a result after the last one."""
COMMON_STEPS = 25
DICE = (1, 2, 3)
"""Seeds with which tactics may differ."""
FULL = 0.75
"""A magazine with more than this share is not worth an action."""


def options_of(choice):
    return () if isinstance(choice.options, Range) else choice.options


def decisions(name, seed):
    """Every action that somebody chose among several: state before the step, state after, position in the stream, choice, answer."""
    for before, after, stream in played(name, seed, MOST_STEPS):
        for at, entry in enumerate(stream):
            if isinstance(entry, tuple) and entry[0].topic == "act" and len(options_of(entry[0])) > 1:
                yield before, after, stream, at, *entry


def moment_of(scene, state, stream, at):
    """The open question at a position of a step's stream."""
    values = [entry for entry in stream[:at] if isinstance(entry, Rolled | tuple)]
    paused, given = Paused(scene.step(state), lambda event: None), []
    while values or not _asks(paused.pending, stream[at][0]):
        pending, answers = paused.pending, []
        together = isinstance(pending, Together)
        requests = pending.requests if together else (pending,)
        if together and any(same(request, stream[at][0]) for request in requests):
            break
        for request in requests:
            entry = values.pop(0)
            answers.append(entry.result if isinstance(request, Roll) else request.take(entry[1]))
        given.append(tuple(answers) if together else answers[0])
        paused.answer(given[-1])
    pending = paused.pending
    requests = pending.requests if isinstance(pending, Together) else (pending,)
    place = next(place for place, request in enumerate(requests) if same(request, stream[at][0]))
    return Moment(scene, state, tuple(given), requests, isinstance(pending, Together), {}, place)


def same(request, choice):
    return not isinstance(request, Roll) and request.who == choice.who and request.key() == choice.key()


def _asks(pending, choice):
    requests = pending.requests if isinstance(pending, Together) else (pending,)
    return any(same(request, choice) for request in requests)


def chances(name, moment, keys, seconds):
    """The chance of a good result of each of these options, if it is exactly known."""
    weighed = weigh(Asked(moment, (None,), staged(name).decide), seconds, keys)
    return {each.key: hoped(each.outcomes) for each in weighed if each.outcomes and not each.unsettled}


@seeds
@pytest.mark.parametrize("name", demos("scenario"))
def test_nobody_repeats_an_action_that_cannot_succeed(name, seed):
    scene, last, hopeless, checked = staged(name).scene, {}, [], 0
    for before, _, stream, at, choice, given in decisions(name, seed):
        option = next((option for option in choice.options if option.key == given), None)
        again, last[choice.who] = last.get(choice.who) == given, given
        if not again or option is None or checked >= CHECKS or option.verb == GUARD or str(given).startswith(PASSIVE):
            continue
        if not scene.weighs(before, choice):
            continue
        checked += 1
        moment = moment_of(scene, before, stream, at)
        if chances(name, moment, [given], SECONDS[0]).get(given) == 0.0:
            better = {
                key: chance for key, chance in chances(name, moment, None, SECONDS[1]).items() if chance > 0 and not key.startswith("skill")
            }
            if better:
                hopeless.append((scene.round(before), choice.who, given, better))
    assert hopeless == []


@seeds
@pytest.mark.parametrize("name", demos("scenario"))
def test_nobody_reloads_a_full_magazine(name, seed):
    scene, full = staged(name).scene, []
    for before, _, stream, at, choice, given in decisions(name, seed):
        if not str(given).startswith(("reload", "load")):  # one that is put off to the end of a turn costs nothing
            continue
        now = next((entry.state for entry in reversed(stream[:at]) if isinstance(entry, Stands)), before)
        card = next((card for card in scene.view(now, None).cards if card.name == choice.who), None)
        label = choice.label(given)
        pools = [piece for piece in (card.pieces if card is not None else ()) if isinstance(piece, Pool)]
        named = [piece for piece in pools if piece.name in label or piece.name == "Bullets"]
        if named and all(piece.value > FULL * piece.most for piece in named):
            full.append((scene.round(before), choice.who, label, [(piece.value, piece.most) for piece in named]))
    assert full == []


@seeds
@pytest.mark.parametrize("name", demos("scenario"))
def test_nobody_shuttles_between_two_places(name, seed):
    """Forth and back twice without doing anything else."""
    scene, paths, shuttles = staged(name).scene, {}, []
    for before, after, stream in played(name, seed, MOST_STEPS):
        rolled = {entry.roll.by for entry in stream if isinstance(entry, Rolled)}
        old, new = scene.standing(before), scene.standing(after)
        for who in rolled:
            paths[who] = paths.get(who, [])[-1:]
        for who, place in new.items():
            spot, path = (round(place.x, 1), round(place.y, 1)), paths.setdefault(who, [])
            if who in old and (not path or path[-1] != spot):
                path.append(spot)
            if len(path) > 3 and path[-4:-2] == path[-2:]:
                shuttles.append((scene.round(before), who, path[-4:]))
    assert shuttles == []


@seeds
@pytest.mark.parametrize("name", demos("scenario"))
def test_nobody_repeats_what_has_no_effect(name, seed):
    """The same preparation (aiming, taking a position) twice in a row, although the first time changed nothing that can be seen."""
    scene, last, vain = staged(name).scene, {}, []
    for before, after, stream in played(name, seed, MOST_STEPS):
        acts = {entry[0].who: entry[1] for entry in stream if isinstance(entry, tuple) and entry[0].topic == "act"}
        rolled = {entry.roll.by for entry in stream if isinstance(entry, Rolled)}
        last = {who: seen for who, seen in last.items() if who not in rolled}
        for who, given in acts.items():
            idle = str(given).startswith((*PASSIVE, *WORK)) or who in rolled
            card = next((card for card in scene.view(after, None).cards if card.name == who), None)
            seen = (given, card, scene.standing(after).get(who))
            if not idle and last.get(who) == seen and card is not None:
                vain.append((scene.round(before), who, given))
            last[who] = seen if not idle else None
    assert vain == []


@cache
def answers(game, kind, tactic, seed):
    """What everybody does by one tactic, in every scenario of a kind."""
    decide, given = find(game).staging(kind).tactics[tactic], []
    for name in demos("scenario"):
        if name.startswith(f"{game}/") and staged(name).scene.kind == kind:
            try:
                for _, _, stream in steps_of(name, seed, COMMON_STEPS, decide=decide):
                    given += [(choice.who, key) for choice, key in (entry for entry in stream if isinstance(entry, tuple))]
            finally:
                given.append(name)
    return given


def several():
    """Games and kinds of scenes with several tactics."""
    return [(game, kind) for game in NAMES for kind, staging in find(game).scenes.items() if len(staging.tactics) > 1]


@pytest.mark.parametrize(("game", "kind"), several())
def test_tactics_of_a_game_differ(game, kind):
    pairs = combinations(find(game).staging(kind).tactics, 2)
    assert [pair for pair in pairs if all(answers(game, kind, pair[0], seed) == answers(game, kind, pair[1], seed) for seed in DICE)] == []


COVERED = ("scumm/", "silhouette/")
"""Games that ask where to go before they ask what to do, so that a walk to cover costs no shot."""


@seeds
@pytest.mark.parametrize("name", [one for one in demos("scenario") if one.startswith(COVERED) and staged(one).scene.kind == "fight"])
def test_nobody_shoots_from_the_open_with_cover_at_hand(name, seed):
    """A walk to cover was offered, the enemy has a gun, and nothing shelters from it."""
    exposed = []
    for before, _, stream in played(name, seed, MOST_STEPS):
        covers = {}
        for choice, given in (entry for entry in stream if isinstance(entry, tuple)):
            if choice.topic == "move":
                near = [option.label for option in choice.options if option.key.startswith("walk") and "cover)" in option.label]
                covers[choice.who] = near if given == "stay" else []
            elif choice.topic == "act" and str(given).startswith("shoot") and covers.get(choice.who):
                fight = choice.about.fight
                target = fight.fighter(str(given).split(":")[1])
                armed = getattr(target.weapon, "ammo", 0) or getattr(target.weapon, "fires", None) is not None
                if armed and fight.cover_from((target.x, target.y), fight.fighter(choice.who)) in ("", "none"):
                    exposed.append((staged(name).scene.round(before), choice.who, given, covers[choice.who]))
    assert exposed == []
