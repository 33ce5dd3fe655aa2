"""Command: commanders, orders and what Command Points buy (book lines 4302-4318, 4334)."""

from msgspec.structs import replace

from rulewright.grammar import count
from rulewright.play import Choice, Option, Play, Scale, Tell, came_to
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, at_least, less, limited, term
from rulewright.systems.silhouette.battle.actions.base import About
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.sensors.sightings import names_of
from rulewright.systems.silhouette.breakage.events import Tested
from rulewright.systems.silhouette.detection.messages import ordered
from rulewright.systems.silhouette.gunnery.attacks import can_command, spend_point
from rulewright.systems.silhouette.resolution.tests import action_test
from rulewright.systems.silhouette.units.crews import actions_left, hand_for, pool_of
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

_ID = "sil-5.1.1-command-points"
THRESHOLD = 1
ORDERS = Scale(("no orders", "orders"), ("orders",), "gives orders", "no orders")


def commander_of(battle: Battle, side: str) -> Unit | None:
    """The unit that commands a side, while it can."""
    command = battle.command(side)
    unit = battle.unit(command.commander) if command.commander else None
    return unit if unit is not None and unit.able else None


def succeed(battle: Battle) -> Battle:
    """Replace a commander who is out of action by another unit with some Leadership; without one nobody commands."""
    for command in battle.commands:
        if commander_of(battle, command.side) is not None:
            continue
        able = [unit for unit in battle.units if unit.side == command.side and unit.able and hand_for(unit, "leadership").skill.level > 0]
        best = max(able, key=lambda unit: hand_for(unit, "leadership").skill.level, default=None)
        if (best.name if best is not None else "") != command.commander:
            battle = battle.put_command(replace(command, commander=best.name if best is not None else ""))
    return battle


def take_command(battle: Battle) -> Play[Battle]:
    """The same, told to the side."""
    after = succeed(battle)
    if after is battle:
        return battle
    for command in after.commands:
        if command.commander == battle.command(command.side).commander:
            continue
        known = names_of(after, command.side)
        if not command.commander:
            yield from Tell(Announced("", f"nobody commands {command.side} any more", known_to=known))
            continue
        level = hand_for(after.unit(command.commander), "leadership").skill.level
        sums = (Reason("Leadership, the highest level left", level, "=", _ID),)
        yield from Tell(Announced(command.commander, f"takes command of {command.side}", sums, known_to=known))
    return after


@rule(_ID)
def leadership_points(margin: int) -> Derived[int]:
    """Leadership Command Points of a round: the margin of the commander's test against 1."""
    return limited("Leadership Command Points", term("Margin of Success", margin), limit=at_least(0), rule=_ID)


@rule(_ID)
def points_left_over(points: int, spent: int = 0) -> Derived[int]:
    """Command Points that remain. A view of `tactical`, from which a battle takes every point spent."""
    return limited("Command Points", term("available", points), less("spent", spent), limit=at_least(0), rule=_ID)


_GIVE: tuple[Option[bool], ...] = (
    Option("no", "No", False),
    Option("yes", "Spend an action: roll Leadership against 1, the margin gives Command Points", True),
)


def give_orders(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Let each commander spend an action on Leadership at the beginning of a round; the margin gives points for others this round."""
    for command in battle.commands:
        unit = commander_of(battle, command.side)
        alone = unit is None or not battle.friends(unit)
        if unit is None or alone or actions_left(rules, unit) < 1 or unit.auxiliary("communications") is None:
            continue
        if not (yield from Choice(unit.voice, "Give orders?", _GIVE, About(rules, battle, unit.name), "orders")):
            continue
        test = yield from action_test(rules, pool_of(rules, unit, "leadership"), THRESHOLD, unit.voice, "Leadership")
        points = int(leadership_points(test.margin).value)
        known = names_of(battle, command.side)
        words = f"gives orders: {count(points, 'Leadership Command Point')}" if points else "gives orders that nobody understands"
        yield from Tell(Tested(unit.name, words, test, _ID, "good" if points else "bad", known_to=known))
        yield from came_to("orders" if points else "no orders", ORDERS, unit.voice)
        battle = battle.put_command(replace(battle.command(command.side), leadership=points, ordered=True))
        battle = battle.change(unit.name, used=unit.used + 1)
    return battle


def out_of_turn(rules: Ruleset, battle: Battle, turn: str) -> Play[Battle | None]:
    """Before a side activates a group, the others may spend a Command Point to let a unit that has not moved act first."""
    for side in battle.sides:
        unit = commander_of(battle, side)
        if side == turn or unit is None:
            continue
        ready = [
            candidate
            for candidate in battle.units
            if candidate.side == side and candidate.able and not candidate.moved and not candidate.done and can_command(battle, candidate)
        ]
        if not ready:
            continue
        options = (
            Option("no", "No", ""),
            *[Option(f"call {candidate.name}", f"{candidate.name} acts now", candidate.name) for candidate in ready],
        )
        name = yield from Choice(unit.voice, "Spend a Command Point to act out of turn?", options, About(rules, battle, unit.name), "call")
        if name:
            if not (yield from ordered(rules, battle, battle.unit(name))):
                return spend_point(battle, battle.unit(name))
            yield from Tell(Announced(name, "acts out of turn", known_to=names_of(battle, side)))
            return replace(spend_point(battle, battle.unit(name)), active=name)
    return None
