"""Tactics are not silly, in every scenario: nobody repeats what cannot succeed or has no effect, and tactics of a game differ."""

from functools import cache
from itertools import combinations

import pytest

from conformance.games import NAMES, demos, seeds, staged, taken
from conformance.random_play import played, steps_of
from rulewright import library
from rulewright.build.sheet_parts import Pool
from rulewright.play import Paused, Range, Roll, Stands, Together
from rulewright.play.drivers import Rolled
from rulewright.scenes.chances import Asked, hoped, weigh
from rulewright.scenes.evaluation import GUARD
from rulewright.scenes.question_snapshot import Moment
from rulewright.system import find
from rulewright.systems.foresight.combat.reflexes import nearest_cover
from rulewright.systems.ore.fight.tactics import SHOTS
from rulewright.systems.silhouette.battle.tactics.evaluation import best_worth, danger, hidden_after, nearest_foes, stays
from rulewright.systems.silhouette.battle.tactics.styles import STYLES
from rulewright.systems.silhouette.battle.tactics.tactics import style_of

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


# --- cover --------------------------------------------------------------------------------------------------------------------


def is_gun(weapon):
    """Whether somebody with this weapon can shoot."""
    ranged = getattr(weapon, "ranged", None) or getattr(weapon, "close", True) is False
    return bool(ranged or getattr(weapon, "ammo", 0) or getattr(weapon, "fires", None) is not None)


def by_walk(found, stream):
    """S.C.U.M.M. and Silhouette ask where to go before they ask what to do: a walk to cover costs no shot."""
    covers = {}
    for choice, given in (entry for entry in stream if isinstance(entry, tuple)):
        if choice.topic == "move":
            near = [option.label for option in choice.options if option.key.startswith("walk") and "cover)" in option.label]
            covers[choice.who] = near if given == "stay" else []
        elif choice.topic == "act" and str(given).startswith("shoot") and covers.get(choice.who):
            fight = choice.about.fight
            target = fight.fighter(str(given).split(":")[1])
            if is_gun(target.weapon) and fight.cover_from((target.x, target.y), fight.fighter(choice.who)) in ("", "none"):
                yield choice.who, given, covers[choice.who]


def by_step(found, stream):
    """ForeSight lets people step behind something within a metre and a half."""
    for choice, given in (entry for entry in stream if isinstance(entry, tuple)):
        if choice.topic == "act" and str(given).startswith(("fire", "throw")) and "step" in [option.key for option in choice.options]:
            fight = choice.about.fight
            me, target = fight.fighter(choice.who), fight.fighter(str(given).split(":")[1])
            ready = me.stance == "standing" and me.balanced and not me.cover and me.name not in target.unaware_of
            if ready and is_gun(target.weapon) and fight.cover_from(target, me) is None and nearest_cover(fight, me, target) is not None:
                yield choice.who, given, nearest_cover(fight, me, target).name


def besides_the_shot(found, stream):
    """The One Roll Engine lets people walk five metres besides what they do."""
    declared, offered = {}, {}
    for choice, given in (entry for entry in stream if isinstance(entry, tuple)):
        if choice.topic in ("act", "and"):
            declared.setdefault(choice.who, []).append(str(given))
        if choice.topic == "act" and "take cover" in [option.key for option in choice.options]:
            offered[choice.who] = choice.about.fight
    for who, fight in offered.items():
        shots = [given for given in declared[who] if given.startswith(SHOTS)]
        me = fight.fighter(who)
        if shots and "take cover" not in declared[who] and not me.weapon.close and not me.cover.any:
            for foe in [fight.one(name) for name in fight.known_foes(who)]:
                weapon = foe.weapon if hasattr(foe, "weapon") else foe.mob.weapon
                if is_gun(weapon) and fight.sees(foe.name, who) and not fight.cover_from(foe.name, me).any:
                    yield who, shots, foe.name


EXPOSED = {"scumm": by_walk, "silhouette": by_walk, "foresight": by_step, "ore": besides_the_shot}
"""How each game with cover tells who shoots from the open with cover at hand."""


def cover_put_beside(name):
    """A scenario with something to shelter behind next to everybody, where it has no map; None where that cannot be said."""
    kept = taken(name)
    if kept.thing.map is not None or kept.thing.place.get("covers") or kept.system.id not in ("foresight", "ore"):
        return None
    if kept.system.id == "ore":
        return library.stage(name, changes={"place.cover": "60% total", "place.cover_metres": 2})
    people = staged(name).state.fighters
    covers = [{"name": f"wall {number}", "x": each.x, "y": each.y + 1, "cover": "2/3 cover"} for number, each in enumerate(people)]
    return library.stage(name, changes={"place.covers": covers})


def test_every_game_with_cover_says_how_to_find_who_stands_in_the_open():
    """Also of a game to come; Hybrid's book has no cover."""
    covered = {name.partition("/")[0] for name in demos("scenario") if staged(name).scene.kind == "fight" and has_cover(staged(name).scene)}
    assert covered <= EXPOSED.keys()


def has_cover(scene):
    words = scene.ground_words()
    return bool(words.covers) or any("cover" in field for field in scene.place_words())


@seeds
@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("name", [one for one in demos("scenario") if one.split("/")[0] in EXPOSED and staged(one).scene.kind == "fight"])
def test_nobody_shoots_from_the_open_with_cover_at_hand(name, beside, seed):
    """A walk to cover was offered, the enemy has a gun, and nothing shelters from it."""
    found = cover_put_beside(name) if beside else staged(name)
    if found is None:
        return
    steps = steps_of(name, seed, MOST_STEPS, found=found) if beside else played(name, seed, MOST_STEPS)
    find_exposed = EXPOSED[name.split("/")[0]]
    assert [(found.scene.round(before), *exposed) for before, _, stream in steps for exposed in find_exposed(found, stream)] == []


@pytest.mark.parametrize("game", ["foresight", "ore"])
def test_shooters_do_take_the_cover_that_is_put_beside_them(game):
    taken_cover = 0
    for name in (one for one in demos("scenario") if one.startswith(f"{game}/") and staged(one).scene.kind == "fight"):
        found = cover_put_beside(name)
        for _, _, stream in steps_of(name, 1, COMMON_STEPS, found=found) if found is not None else ():
            taken_cover += sum(entry[1] in ("take cover", "step") for entry in stream if isinstance(entry, tuple))
    assert taken_cover > 1


SHARE_KEPT, SHARE_SPARED = 0.95, 0.7
"""Hull-down pays if it keeps this share of one's own shot and leaves less than this share of the threat."""
BATTLES = [one for one in demos("scenario") if one.startswith("silhouette/") and staged(one).scene.kind == "battle"]


@cache
def with_hull_down(name, seed):
    """A battle played by the optional rule."""
    return tuple(steps_of(name, seed, MOST_STEPS, found=library.stage(name, settings={"hull-down": True})))


def hull_down_that_pays(choice):
    """The keys of going hull-down that would keep the shot and spare a good part of the threat."""
    about = choice.about
    rules, battle, unit = about.rules, about.battle, about.battle.unit(about.unit)
    foes = nearest_foes(rules, battle, unit)
    still = stays(battle, unit)
    shot, threat = best_worth(rules, still, still.unit(unit.name), foes), danger(rules, still, still.unit(unit.name), foes)
    for option in choice.options:
        if option.key.startswith("hull-down") and option.value.number == 1 and shot and threat:
            after = hidden_after(rules, battle, unit, option.value)
            then = after.unit(unit.name)
            keeps = best_worth(rules, after, then, foes) >= SHARE_KEPT * shot
            if keeps and danger(rules, after, then, foes) < SHARE_SPARED * threat:
                yield option.key


@seeds
@pytest.mark.parametrize("name", BATTLES)
def test_no_machine_fires_standing_where_hull_down_would_pay(name, seed):
    """It keeps the shot and spares a third of the threat. Those who brawl or make for an edge do not stop for it."""
    scene, standing = staged(name).scene, []
    for before, _, stream in with_hull_down(name, seed):
        for choice, given in (entry for entry in stream if isinstance(entry, tuple)):
            if choice.topic != "act" or not str(given).startswith("fire") or not hasattr(choice.about, "unit"):
                continue
            style = style_of(staged(name).tactic_of(choice.who))
            unit = choice.about.battle.unit(choice.about.unit)
            if style is not None and style.danger >= STYLES["advance"].danger and not style.runs and not unit.signs.hull_down:
                standing += [(scene.round(before), choice.who, given, key) for key in hull_down_that_pays(choice)]
    assert standing == []


def test_machines_do_go_hull_down():
    taken_cover = [
        entry[0].who
        for name in BATTLES
        for _, _, stream in with_hull_down(name, 1)
        for entry in stream
        if isinstance(entry, tuple) and str(entry[1]).startswith("hull-down")
    ]
    assert len(set(taken_cover)) > 1
