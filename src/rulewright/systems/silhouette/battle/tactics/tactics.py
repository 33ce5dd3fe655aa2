"""AI tactics for battles: advance, hold, skirmish, snipe, brawl, escape. Each weighs damage done against damage taken.

A tactic is a set of weights; the decision procedure is the same for all. It never gets stuck: without a visible enemy it searches, and a
unit without weapons makes for the edge that its side must reach.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from rulewright.play import Choice, Given, Offering, Option, Range, Tactic, first_option
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.attacks.shots import harmless
from rulewright.systems.silhouette.battle.actions.base import About, Deed
from rulewright.systems.silhouette.battle.actions.crew_transfer import Over
from rulewright.systems.silhouette.battle.actions.movement.moves import farthest_ranges
from rulewright.systems.silhouette.battle.actions.registry import Offered, offered
from rulewright.systems.silhouette.battle.movement.destinations import ROAD_TO_EDGE, from_edge
from rulewright.systems.silhouette.battle.movement.movement import Passing, least_points
from rulewright.systems.silhouette.battle.stalemate import PATIENCE
from rulewright.systems.silhouette.battle.tactics.answers import (
    answer_damage,
    answer_declare,
    answer_ecm,
    answer_guard,
    answer_orders,
    answer_pace,
    answer_parry,
    answer_place,
    crew_to_send,
)
from rulewright.systems.silhouette.battle.tactics.crew import fights_on, wise_crossing
from rulewright.systems.silhouette.battle.tactics.evaluation import (
    MOST_WORTH,
    best_worth,
    blow_worth,
    danger,
    hidden_after,
    moved_to,
    nearest_foes,
    promise,
    stays,
)
from rulewright.systems.silhouette.battle.tactics.styles import FAR_AWAY, FIRES_FROM, STYLES, WORTH_DICE, Style
from rulewright.systems.silhouette.battle.tactics.transform import KINDS, feeds, wise_change
from rulewright.systems.silhouette.maneuver.speeds import combat_speed
from rulewright.systems.silhouette.maneuver.terrain import distance
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit


class Fights:
    """A decision function for a battle, by a style; it can be pickled for other processes."""

    local = True

    def __init__(self, style: Style) -> None:
        self.style = style

    def __call__(self, choice: Choice[Any]) -> Given:
        if choice.topic == "emergency dice" and isinstance(choice.options, Range):
            return min(choice.options.high, WORTH_DICE)
        if choice.topic == "crew" and isinstance(choice.options, Range) and isinstance(choice.about, Over):
            return crew_to_send(choice.about, choice.options)
        answer = _ANSWERS.get(choice.topic)
        number = answer(self.style, choice) if answer is not None and not choice.ranged else None
        return number if number is not None else first_option(choice)


def style_of(tactic: Tactic) -> Style | None:
    """The weights of a tactic; None for one from elsewhere."""
    style = getattr(tactic, "style", None)
    return style if isinstance(style, Style) else None


@cached(256)
def fitted(style: Style, unit: Unit) -> Style:
    """A style with the distance that it prefers for the weapons of a unit."""
    ranges = farthest_ranges(unit)
    return replace(style, wants=int(ranges[style.band])) if 0 <= style.band < len(ranges) else style


def _act(style: Style, choice: Choice[Any]) -> Given | None:
    about = choice.about
    if isinstance(about, Passing):
        return _interrupt(style, about)
    if not isinstance(about, About):
        return None
    offer = choice.offer if isinstance(choice, Offering) else None
    return _turn(style, offer if isinstance(offer, Offered) else offered(about.rules, about.battle, about.unit))


# --- own turn ------------------------------------------------------------------------------------------------------------------------


@cached(128)
def _turn(style: Style, offer: Offered) -> Given:
    """The next action of a turn; cached, since exact odds ask for it once for every path. It requests no options that do not matter."""
    rules, battle, unit = offer.rules, offer.battle, offer.unit
    if style.moves and not fights_on(battle, unit):
        style = replace(style, runs=True, wants=FAR_AWAY, band=-1)  # no weapons are left, and there may be an edge to reach
    if style.runs and offer.of("leave"):
        return offer.of("leave")[0].key
    foes = nearest_foes(rules, battle, unit)
    lies_well = unit.signs.hull_down and best_worth(rules, battle, unit, foes) > FIRES_FROM
    if (up := offer.of("get up", "break free")) and not lies_well:
        return up[0].key
    pressing = battle.quiet >= PATIENCE and style.moves and not style.runs
    style = replace(style, danger=style.danger / 4, wants=1, band=-1, halts=MOST_WORTH) if pressing else fitted(style, unit)
    if foes and (change := wise_change(rules, battle, unit, foes, offer.of(*KINDS))) is not None:
        return change
    going = (
        _first_move(style, offer, unit, foes)
        or _hide(style, offer, unit, foes)
        or _fire(rules, battle, unit, foes, offer)
        or _bring_to_bear(style, offer, unit, foes)
        or _fallback_action(unit, foes, offer)
        or _road_on(style, offer, unit)
    )
    if going is not None:
        return going
    if unit.section or unit.machine.sections:  # transferred crew give no actions this round, so they fire first
        over = wise_crossing(rules, battle, unit, offer.of("cross"), moves=style.moves)
        if over is not None:
            return over
    for option in sorted(offer.of("shift"), key=lambda item: item.key):
        if _wants_shift(style, battle, unit, foes, option.key):
            return option.key
    return "done" if offer.of("done") else offer.all[0].key


def _first_move(style: Style, offer: Offered, unit: Unit, foes: list[Unit]) -> Given | None:
    """A move that comes first: for a unit that has not moved, must move on, or turns to bring weapons to bear."""
    if not foes and feeds(offer.rules, offer.battle, unit):
        return None  # it keeps absorbing as long as no enemy is near
    lost = not foes and offer.battle.quiet > 0 and not unit.signs.loud and not unit.hexes
    if lost and actions_left(offer.rules, unit) > 1:
        for option in offer.of("sweep"):
            if option.key == "sweep":
                return option.key  # what it finds before it moves, it can still fire at
    if foes and style.halts < MOST_WORTH and keeps_place(style, offer, unit, foes):
        return None
    fresh, adrift = not unit.hexes and not unit.pace and style.moves, _is_adrift(unit)
    if (fresh or adrift or not offer.of("done")) and ((moves := moves_of(style, offer)) or adrift):
        going = _best_move(style, offer.rules, offer.battle, unit, foes=foes, moves=moves)
        if going is not None:
            return going
    if not unit.hexes and not style.moves:
        return _turn_to_fire(offer, unit, foes)
    return None


def moves_of(style: Style, offer: Offered) -> tuple[Option[Deed], ...]:
    """The moves that a style considers; one that prefers a range also considers places at that range."""
    positions = style.band >= 0 and not _is_adrift(offer.unit)
    return offer.of("move", "position") if positions else offer.of("move")


def keeps_place(style: Style, offer: Offered, unit: Unit, foes: list[Unit]) -> bool:
    """Whether a sniper stays: it need not move, has a good enough shot, and no enemy can reach it soon."""
    battle = offer.battle
    if unit.hexes or least_points(battle, unit) > 0 or _is_adrift(unit):
        return False
    near = min([distance(battle.field, unit.spot, foe.spot) - combat_speed(foe, battle.place) for foe in foes])
    return near > 0 and best_worth(offer.rules, stays(battle, unit), stays(battle, unit).unit(unit.name), foes) > style.halts


def _hide(style: Style, offer: Offered, unit: Unit, foes: list[Unit]) -> Given | None:
    """Going hull-down where that is better than staying as it is."""
    options = offer.of("hull down") if foes and not unit.signs.hull_down else ()
    if not options:
        return None
    rules, battle, actions = offer.rules, offer.battle, actions_left(offer.rules, unit)
    still = stays(battle, unit)
    best, key = _value(style, rules, still, unit.name, foes=foes, actions=actions), None
    lasts = not style.moves or style.halts < MOST_WORTH
    for option in options:
        if option.value.number == 1:
            after = hidden_after(rules, battle, unit, option.value)
            if lasts:  # it stays there, so that only this round's shots suffer
                after = after.change(unit.name, pace=still.unit(unit.name).pace)
            value = _value(style, rules, after, unit.name, foes=foes, actions=actions, least=best + 1e-9)
            if value > best + 1e-9:
                best, key = value, option.key
    return key


def _bring_to_bear(style: Style, offer: Offered, unit: Unit, foes: list[Unit]) -> Given | None:
    """A unit with actions but no shot turns towards an enemy if that gives it one, also after it has moved."""
    if not foes or not style.moves or not unit.hexes or actions_left(offer.rules, unit) < 1:
        return None
    return _turn_to_fire(offer, unit, foes)


def _road_on(style: Style, offer: Offered, unit: Unit) -> Given | None:
    """A unit that makes for an edge follows its road as long as that leads nearer to it."""
    aim = next((objective for objective in offer.battle.place.objectives if objective.side == unit.side), None)
    if not style.runs or aim is None or not aim.edge:
        return None
    far = from_edge(offer.battle, (int(unit.x), int(unit.y)), aim.edge)
    nearer = [
        (from_edge(offer.battle, (int(spot[0]), int(spot[1])), aim.edge), option.key)
        for option in offer.of("follow road")
        if (spot := option.value.spot) is not None
    ]
    return min(nearer)[1] if nearer and min(nearer)[0] < far else None


def _fire(rules: Ruleset, battle: Battle, unit: Unit, foes: list[Unit], offer: Offered) -> Given | None:
    """The attack with the highest expected worth."""
    best, key = FIRES_FROM, None
    near = {foe.name for foe in foes}
    for option in offer.of("fire"):
        deed = option.value
        if deed.target not in near or harmless(unit, deed.arm):
            continue
        worth = promise(rules, battle, unit, battle.unit(deed.target), deed.arm, own=deed.number)
        if worth > best:
            best, key = worth, option.key
    return key


def _fallback_action(unit: Unit, foes: list[Unit], offer: Offered) -> Given | None:
    """Without a useful shot: observed indirect fire, a close attack, clearing a jam, or a search."""
    best, key = FIRES_FROM, None
    for option in offer.of("strike", "indirect"):
        if option.value.what != "blind":
            worth = blow_worth(offer.rules, offer.battle, unit, option.value)
            if worth > best:
                best, key = worth, option.key
    if key is not None:
        return key
    for option in offer.of("sweep", "clear"):
        if option.value.kind == "clear" or (option.key == "sweep" and not foes and not unit.signs.loud):
            return option.key
    food = feeds(offer.rules, offer.battle, unit)
    if food:
        return next((option.key for option in offer.of("absorb") if option.value.what == food), None)
    if unit.shape.stretched and (together := offer.of("draw together")):
        return together[0].key
    return None


def _best_move(
    style: Style, rules: Ruleset, battle: Battle, unit: Unit, *, foes: list[Unit], moves: tuple[Option[Deed], ...]
) -> Given | None:
    """The best move, or None to stay; without a visible enemy, towards where enemies may be."""
    if style.runs:
        keys = [option.key for option in moves]
        for edge in (ROAD_TO_EDGE, "make for the edge"):
            if edge in keys:
                return edge
    if not foes:
        return _search_move(battle, unit, moves)
    actions = actions_left(rules, unit)
    must = unit.speed == "top" or least_points(battle, unit) > 0 or _is_adrift(unit)
    best = float("-inf") if must else _value(style, rules, stays(battle, unit), unit.name, foes=foes, actions=actions)
    key = None
    for option in moves:
        after = moved_to(rules, battle, unit, option.value)
        if after is None:
            continue
        value = _value(style, rules, after, unit.name, foes=foes, actions=actions, least=best + 1e-9)
        if value > best + 1e-9:
            best, key = value, option.key
    return key


def _is_adrift(unit: Unit) -> bool:
    """Whether it drifts in space and has not yet moved this round."""
    return unit.way == "space" and not unit.course.drifted


def _value(
    style: Style, rules: Ruleset, battle: Battle, name: str, *, foes: list[Unit], actions: int, least: float = float("-inf")
) -> float:
    """The value of a place: damage possible from it, damage to expect, and the distance to the preferred range. The threat is not
    computed if the value cannot exceed the least that counts."""
    unit = battle.unit(name)
    far = min([distance(battle.field, unit.spot, foe.spot) for foe in foes])
    return place_value(
        style, best_worth(rules, battle, unit, foes), actions, far, least=least, threat=lambda: danger(rules, battle, unit, foes)
    )


def place_value(style: Style, promise: float, actions: int, far: float, *, least: float, threat: Callable[[], float]) -> float:
    """The same from its inputs: the worth of the best shot, the actions left, the distance to the nearest enemy, and the
    threat."""
    harm = style.harm * (promise * min(actions, 2)) if promise > FIRES_FROM else -style.idle
    pull = style.pull * abs(far - style.wants)
    if harm - pull <= least:
        return harm - pull
    return harm - style.danger * threat() - pull


def _turn_to_fire(offer: Offered, unit: Unit, foes: list[Unit]) -> Given | None:
    """A unit that holds its place turns towards the enemy if that brings weapons to bear."""
    rules, battle = offer.rules, offer.battle
    if best_worth(rules, battle, unit, foes) > FIRES_FROM:
        return None
    for option in offer.of("move"):
        if option.key.startswith("face "):
            after = moved_to(rules, battle, unit, option.value)
            if after is not None and best_worth(rules, after, after.unit(unit.name), foes) > FIRES_FROM:
                return option.key
    return None


def _search_move(battle: Battle, unit: Unit, moves: tuple[Option[Deed], ...]) -> Given | None:
    """Without known enemies: to the middle of the map, then straight on to its edge, and so across it again and again."""
    size = battle.map.size
    if not moves or size is None:
        return moves[0].key if moves else None
    middle = (size[0] / 2, size[1] / 2)
    inside = abs(unit.x - middle[0]) < size[0] / 4 and abs(unit.y - middle[1]) < size[1] / 4

    def left(option: Option[Deed]) -> float:
        spot = option.value.spot or unit.spot
        if not inside:
            return abs(spot[0] - middle[0]) + abs(spot[1] - middle[1])
        seen = battle.field.off_front(unit.spot, unit.facing, spot)
        return seen.degrees / 30 - battle.field.distance(unit.spot, spot)

    return min(moves, key=left).key


def _wants_shift(style: Style, battle: Battle, unit: Unit, foes: list[Unit], key: str) -> bool:
    far = min([distance(battle.field, unit.spot, foe.spot) for foe in foes], default=None)
    if key == "shift to combat":
        return not style.runs and far is not None and far <= 2 * max(1, combat_speed(unit, battle.place))
    return style.runs or (far is not None and style.moves and far - style.wants > 6 * max(1, combat_speed(unit, battle.place)))


# --- everything else -----------------------------------------------------------------------------------------------------------------


@cached(128)
def _interrupt(style: Style, about: Passing) -> Given:
    """A unit that has acted uses its remaining actions; others wait unless the shot is too good."""
    battle, unit = about.battle, about.battle.unit(about.unit)
    best, key = FIRES_FROM if unit.done else style.waits, "let it pass"
    if best >= MOST_WORTH:
        return key  # no shot is ever worth that much
    for worth, _, option in _passing(about):
        if worth > best:
            best, key = worth, option.key
    return key if battle.unit(about.mover).able else "let it pass"


def _passing(about: Passing) -> list[tuple[float, int, Option[Deed]]]:
    entries = []
    for at, option, there in about.chances:
        unit, mover, deed, worth = there.unit(about.unit), there.unit(about.mover), option.value, 0.0
        if deed.kind == "fire":
            worth = promise(about.rules, there, unit, mover, deed.arm, interrupts=True, own=deed.number)
        entries.append((worth, at, option))
    return entries


def _point(style: Style, choice: Choice[Any]) -> Given | None:
    """The point of the path at which the attack has the highest worth."""
    if not isinstance(choice.about, Passing) or isinstance(choice.options, Range):
        return None
    worth: dict[int, float] = {}
    for value, at, _ in _passing(choice.about):
        worth[at] = max(value, worth.get(at, 0.0))
    return max(choice.options, key=lambda option: (worth.get(option.value, 0.0), -option.value)).key


_ANSWERS: Mapping[str, Callable[[Style, Choice[Any]], Given | None]] = {
    "act": _act,
    "point": _point,
    "pace": answer_pace,
    "declare": answer_declare,
    "orders": answer_orders,
    "guard": answer_guard,
    "damage": answer_damage,
    "ecm": answer_ecm,
    "place": answer_place,
    "parry": answer_parry,
}

BATTLE_TACTICS: Mapping[str, Tactic] = {name: Fights(style) for name, style in STYLES.items()}
