"""AI tactics for battles: advance, hold, skirmish, snipe, brawl, escape. Each weighs damage done against damage taken.

A tactic is a set of weights; the decision procedure is the same for all. It never gets stuck: without a visible enemy it searches, and a
unit without weapons makes for the edge that its side must reach.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright.play import Choice, Given, Offering, Option, Range, Tactic, first_option
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.attacks.shots import harmless
from rulewright.systems.silhouette.battle.actions.base import About, Deed
from rulewright.systems.silhouette.battle.actions.crew_transfer import Over
from rulewright.systems.silhouette.battle.actions.registry import Offered, offered
from rulewright.systems.silhouette.battle.fire.parries import Barring
from rulewright.systems.silhouette.battle.movement.movement import Passing, least_points, points_left
from rulewright.systems.silhouette.battle.tactics.crew import fights_on, hands_over, wise_crossing
from rulewright.systems.silhouette.battle.tactics.evaluation import (
    MOST_WORTH,
    best_worth,
    danger,
    moved_to,
    nearest_foes,
    promise,
    shot_worth,
    stays,
)
from rulewright.systems.silhouette.battle.tactics.transform import KINDS, feeds, wise_boost, wise_change
from rulewright.systems.silhouette.gunnery.attacks import Aimed
from rulewright.systems.silhouette.maneuver.speeds import combat_speed
from rulewright.systems.silhouette.maneuver.terrain import distance, terrains
from rulewright.systems.silhouette.units.crews import actions_left, actions_of
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit


class Style(Struct, frozen=True, cache_hash=True, kw_only=True):
    """The weights of a tactic: damage done, damage taken, preferred distance (0: any), whether it moves, and the worth of a shot
    with which it interrupts an enemy before its own turn."""

    harm: float = 1.0
    danger: float = 0.5
    wants: int = 4
    pull: float = 0.05
    moves: bool = True
    waits: float = 99.0
    """The worth of a shot at which it interrupts before its own turn."""
    runs: bool = False
    """Whether it makes for the edge first of all."""


STYLES: Mapping[str, Style] = {
    "advance": Style(),
    "hold": Style(moves=False, waits=0.15),
    "skirmish": Style(danger=1.0, wants=6),
    "snipe": Style(danger=0.8, wants=10, waits=0.4),
    "brawl": Style(danger=0.15, wants=0, pull=0.12),
    "escape": Style(danger=1.0, wants=12, runs=True),
}
FIRES_FROM = 0.005
"""The least worth of a shot that is worth its ammunition."""
WORTH_DICE = 1
"""Emergency Dice for tests of one's own body."""
PARRIES_FROM = 0.4
"""The expected damage at which it parries although that costs an action it still needs."""
SAVES_FROM = 1.0
"""The expected damage that is worth a Command Point for defense."""


class Fights:
    """A decision function for a battle, by a style; it can be pickled for other processes."""

    local = True

    def __init__(self, style: Style) -> None:
        self.style = style

    def __call__(self, choice: Choice[Any]) -> Given:
        if choice.topic == "emergency dice" and isinstance(choice.options, Range):
            return min(choice.options.high, WORTH_DICE)
        if choice.topic == "crew" and isinstance(choice.options, Range) and isinstance(choice.about, Over):
            return _crew_to_send(choice.about, choice.options)
        answer = _ANSWERS.get(choice.topic)
        number = answer(self.style, choice) if answer is not None and not choice.ranged else None
        return number if number is not None else first_option(choice)


def style_of(tactic: Tactic) -> Style | None:
    """The weights of a tactic; None for one from elsewhere."""
    style = getattr(tactic, "style", None)
    return style if isinstance(style, Style) else None


def _act(style: Style, choice: Choice[Any]) -> Given | None:
    about = choice.about
    if isinstance(about, Passing):
        return _interrupt(style, about)
    if not isinstance(about, About):
        return None
    offer = choice.offer if isinstance(choice, Offering) else None
    return _turn(style, offer if isinstance(offer, Offered) else offered(about.rules, about.battle, about.unit))


# --- own turn ------------------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=128)
def _turn(style: Style, offer: Offered) -> Given:
    """The next action of a turn; cached, since exact odds ask for it once for every path. It requests no options that do not matter."""
    rules, battle, unit = offer.rules, offer.battle, offer.unit
    if style.moves and not fights_on(battle, unit):
        style = replace(style, runs=True)  # no weapons are left, and there may be an edge to reach
    if style.runs and offer.of("leave"):
        return offer.of("leave")[0].key
    if up := offer.of("get up", "break free"):
        return up[0].key
    foes = nearest_foes(rules, battle, unit)
    if foes and (change := wise_change(rules, battle, unit, foes, offer.of(*KINDS))) is not None:
        return change
    going = _first_move(style, offer, unit, foes) or _fire(rules, battle, unit, foes, offer) or _fallback_action(unit, foes, offer)
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
    fresh, adrift = not unit.hexes and not unit.pace and style.moves, _is_adrift(unit)
    if (fresh or adrift or not offer.of("done")) and ((moves := offer.of("move")) or adrift):
        going = _best_move(style, offer.rules, offer.battle, unit, foes=foes, moves=moves)
        if going is not None:
            return going
    if not unit.hexes and not style.moves:
        return _turn_to_fire(offer, unit, foes)
    return None


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
    for option in offer.of("strike", "indirect"):
        if option.value.what != "blind":
            return option.key
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
    if style.runs and (edge := next((option for option in moves if option.key == "make for the edge"), None)) is not None:
        return edge.key
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
    harm = style.harm * (promise * min(actions, 2))
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


@lru_cache(maxsize=128)
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


def _pace(style: Style, choice: Choice[Any]) -> Given | None:
    """A unit that fires before moving has chosen to stay; one that interrupts stays free to move."""
    about = choice.about
    if not isinstance(about, About):
        return None
    unit = about.battle.unit(about.unit)
    keys = choice.keys()
    if about.battle.active == unit.name or not style.moves:
        return keys[0]
    return "half" if "half" in keys and style.wants >= 10 else keys[-1]


def _declare(style: Style, choice: Choice[Any]) -> Given | None:
    """Unarmed units evade; a power booster is used for a good shot."""
    about, keys = choice.about, choice.keys()
    if not isinstance(about, About) or "evade" not in keys:
        return None
    unit = about.battle.unit(about.unit)
    if (boost := wise_boost(about.rules, about.battle, unit, list(keys))) is not None:
        return boost
    return "as usual" if fights_on(about.battle, unit) and points_left(about.battle, unit) >= 0 else "evade"


def _orders(style: Style, choice: Choice[Any]) -> Given | None:
    about = choice.about
    if not isinstance(about, About):
        return None
    unit = about.battle.unit(about.unit)
    return "yes" if actions_of(about.rules, unit).value > 2 else "no"


def _crew_to_send(about: Over, many: Range) -> int:
    """As many as are worth more in another section; at least one, once crew was sent."""
    unit, other = about.battle.unit(about.unit), about.battle.unit(about.to)
    return max(many.low, hands_over(about.rules, about.battle, unit, other, many.high))


def _guard(style: Style, choice: Choice[Any]) -> Given | None:
    about = choice.about
    if not isinstance(about, Aimed):
        return None
    return "yes" if shot_worth(about.rules, about.battle, about.shot) >= SAVES_FROM else "no"


def _parry(style: Style, choice: Choice[Any]) -> Given | None:
    """A unit that has acted parries any harm; others save the action for their own attack unless the hit would be grave."""
    about = choice.about
    if not isinstance(about, Barring):
        return None
    unit = about.battle.unit(about.unit)
    worth = shot_worth(about.rules, about.battle, about.shot)
    return choice.keys()[0] if worth >= (FIRES_FROM if unit.done or unit.moved else PARRIES_FROM) else "no"


def _place(style: Style, choice: Choice[Any]) -> Given | None:
    """The offered place with the best cover; later units of a group go elsewhere than the first."""
    about = choice.about
    if not isinstance(about, About) or isinstance(choice.options, Range):
        return None
    rows, battle = terrains(about.rules), about.battle
    taken = {unit.spot for unit in battle.units if unit.name != about.unit}

    def hides(option: Option[Deed]) -> tuple[bool, int]:
        spot = option.value.spot or (0.0, 0.0)
        row = rows[battle.field.terrain(spot)]
        return spot not in taken, 0 if row.wet else row.obscurement

    return max(choice.options, key=hides).key


def _damage(style: Style, choice: Choice[Any]) -> Given | None:
    """The attacker picks the first damage option, the target the last."""
    about, keys = choice.about, choice.keys()
    mine = isinstance(about, Unit) and choice.who in (about.name, about.voice)
    return keys[-1] if mine else keys[0]


def _ecm(style: Style, choice: Choice[Any]) -> Given | None:
    """ECM spoofs missiles if an enemy has any, and is saved otherwise."""
    about = choice.about
    if not isinstance(about, About):
        return None
    foes = nearest_foes(about.rules, about.battle, about.battle.unit(about.unit))
    missiles = any(system.versions[0].type == "missile" for foe in foes for system in foe.machine.systems)
    return "spoof" if missiles else "no"


_ANSWERS: Mapping[str, Callable[[Style, Choice[Any]], Given | None]] = {
    "act": _act,
    "point": _point,
    "pace": _pace,
    "declare": _declare,
    "orders": _orders,
    "guard": _guard,
    "damage": _damage,
    "ecm": _ecm,
    "place": _place,
    "parry": _parry,
}

BATTLE_TACTICS: Mapping[str, Tactic] = {name: Fights(style) for name, style in STYLES.items()}
