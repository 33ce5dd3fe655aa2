"""The round: declaration, initiative, activation of combat groups and miscellaneous events (book lines 4310-4358)."""

from collections.abc import Callable
from typing import Any, NamedTuple, cast

from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.grammar import count
from rulewright.play import Choice, Offering, Option, Play, Stands, Tell, Together, sub
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, row, total
from rulewright.scenes.scenarios import agrees
from rulewright.systems.silhouette.battle.actions.base import About, Deed
from rulewright.systems.silhouette.battle.actions.registry import action_of, offered
from rulewright.systems.silhouette.battle.command import commander_of, give_orders, out_of_turn, take_command
from rulewright.systems.silhouette.battle.damage.consequences import clinging, water_rises
from rulewright.systems.silhouette.battle.damage.fuses import fuses_burn
from rulewright.systems.silhouette.battle.damage.section_loss import come_apart, power_fades
from rulewright.systems.silhouette.battle.damage.strain import autopilots, cables_drag, heat_builds, minds_link, shutdowns, unsnag
from rulewright.systems.silhouette.battle.damage.zones import fires_burn
from rulewright.systems.silhouette.battle.declarations import declare
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.fire.parries import shields_recover
from rulewright.systems.silhouette.battle.movement import drift
from rulewright.systems.silhouette.battle.movement.movement import Somewhere, points_left
from rulewright.systems.silhouette.battle.movement.winches import haul_on
from rulewright.systems.silhouette.battle.sensors.jamming import electronic_warfare, searchlights
from rulewright.systems.silhouette.battle.sensors.sightings import names_of
from rulewright.systems.silhouette.battle.sensors.sound import listen, trail_arrays
from rulewright.systems.silhouette.battle.setup.deployment import PLACED, deploy, placing_order
from rulewright.systems.silhouette.battle.sides_told import announce, first_side
from rulewright.systems.silhouette.battle.stalemate import quiet_after
from rulewright.systems.silhouette.maneuver.speeds import combat_speed, top_speed
from rulewright.systems.silhouette.resolution.tests import Pool, contest_pools, roll_of, settled, sum_of
from rulewright.systems.silhouette.units.crews import actions_left, hand_for, side_of
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit
from rulewright.systems.silhouette.units.visible_traits import next_round

_SETUP, _ROUND = "sil-5.1.2-setup", "sil-5.1.2-round"
Hook = Callable[[Ruleset, Battle], Play[Battle]]
ROUND_BEGINS: list[Hook] = [electronic_warfare, searchlights, listen, shutdowns, minds_link, *drift.BEGINS]
"""Events at the beginning of every round, after the declarations."""
ROUND_ENDS: list[Hook] = [
    fires_burn,
    clinging,
    fuses_burn,
    haul_on,
    water_rises,
    trail_arrays,
    shields_recover,
    heat_builds,
    unsnag,
    cables_drag,
    autopilots,
    power_fades,
    *drift.ENDS,
]
"""Events of the miscellaneous phase."""
MOST_TIES = 20
"""How often a tie is rolled again before it goes to the first side."""


# --- set-up --------------------------------------------------------------------------------------------------------------------------


@rule(_SETUP)
def stated_movement(combat: int, top: int, speed: str = "combat") -> Derived[int]:
    """The hexes moved for the defense of a unit that is attacked in the first round before it moved: the most that its stated speed
    allows."""
    points = {"stationary": 0, "combat": combat, "top": top}.get(speed, combat)
    return total("hexes", row(f"{speed} speed", points), rule=_SETUP)


def set_up(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Before the first round: each side tests Combat Sense, Tactical Command Points are counted, groups are placed in turn if the
    scenario leaves that open, and all speeds are noted."""
    if battle.placing:
        return _note_speeds(battle) if battle.placing == (PLACED,) else (yield from deploy(rules, battle))
    battle, order = yield from _roll_off(rules, battle, "combat sense", "Combat Sense", fumbles=False)
    for command in battle.commands:
        points = _tactical_points(battle, command.commander)
        battle = battle.put_command(replace(command, tactical=points))
        if points:
            words = f"{agrees(command.side, 'has', 'have')} {count(points, 'Tactical Command Point')}"
            yield from Tell(Announced("", words, known_to=names_of(battle, command.side)))
    zones = [zone.side for zone in battle.place.zones]
    if not zones:
        return _note_speeds(battle)
    first = order[0]
    unit = commander_of(battle, first)
    if unit is not None:
        about = About(rules, battle, unit.name)
        first = yield from first_side(battle, "Which side places a group first?", order, unit.voice, about)
    return replace(battle, placing=placing_order(battle, first))


def _note_speeds(battle: Battle) -> Battle:
    """Count the stated speed as moved; then the first round begins."""
    for unit in battle.units:
        hexes = stated_movement(combat_speed(unit, battle.place), top_speed(unit, battle.place), unit.speed)
        battle = battle.change(unit.name, last=int(hexes.value))
    return replace(battle, phase="declaration", round=1, placing=())


def _tactical_points(battle: Battle, commander: str) -> int:
    """One Tactical Command Point for each point of Complexity of the commander's Combat Sense."""
    if not commander:
        return 0
    hand = hand_for(battle.unit(commander), "combat sense")
    return hand.skill.complexity if hand.skill.level > 0 else 0


# --- initiative ------------------------------------------------------------------------------------------------------------------------


class Opposed(NamedTuple):
    """The totals of an opposed roll."""

    totals: tuple[Total, ...]


def opposed(rules: Ruleset, pools: tuple[Pool, ...], voices: tuple[str, ...], what: str) -> Play[Opposed]:
    """Everyone rolls once."""
    asked = tuple([roll_of(rules, pool, voice, what) for pool, voice in zip(pools, voices, strict=True)])
    totals = yield from Together(asked)
    return Opposed(tuple([settled(rules, pool, result) for pool, result in zip(pools, totals, strict=True)]))


def _roll_off(rules: Ruleset, battle: Battle, skill: str, what: str, fumbles: bool = True) -> Play[tuple[Battle, list[str]]]:
    """Roll a skill for the commanders of all sides; returns the sides, best first. A tie goes by Complexity, then it is rolled again;
    at set-up it is rolled again at once, and fumbles do not count."""
    sides = [(command.side, battle.unit(command.commander)) for command in battle.commands if command.commander]
    if len(sides) < 2:
        return battle, [name for name, _ in sides]
    entered = tuple([(name, side_of(rules, unit, skill)) for name, unit in sides])
    pools = [pool for _, pool in contest_pools(entered)]
    cpx = [hand_for(unit, skill).skill.complexity for _, unit in sides]
    voices = tuple([unit.voice for _, unit in sides])
    contest = what if fumbles else f"{what} test"
    for _ in range(MOST_TIES):
        totals = (yield from sub(opposed, rules, tuple(pools), voices, what)).totals
        ranks = [(result.total, cpx[at] if fumbles else 0) for at, result in enumerate(totals)]
        best = max(ranks)
        order = sorted(range(len(sides)), key=lambda at: ranks[at], reverse=True)
        sums = {sides[at][0]: _total_reason(sides[at][0], pools[at], totals[at]) for at in order}
        if ranks.count(best) == 1:
            break
        yield from announce(rules, battle, lambda names: f"the {contest} is tied", sums)
    winner = sides[order[0]][0]
    yield from announce(rules, battle, lambda names: f"{agrees(names[winner], 'wins', 'win')} the {contest}", sums)
    return battle, [sides[at][0] for at in order]


def _total_reason(name: str, pool: Pool, value: object) -> Reason:
    return sum_of(name, pool, value, rule=_ROUND)  # type: ignore[arg-type]


@rule(_ROUND)
def who_decides(groups: dict[str, int], winner: str) -> str:
    """The side that decides who plays first: the one with the fewest combat groups, or on a tie the winner of the initiative."""
    least = min(groups.values())
    fewest = [side for side, count in groups.items() if count == least]
    return fewest[0] if len(fewest) == 1 else winner


def initiative(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Commanders may give orders first; then they roll against each other, or the pilots if only two units are left; and one side
    decides who plays first."""
    battle = yield from give_orders(rules, battle)
    able = [unit for unit in battle.units if unit.able and not unit.section]
    skill, what = ("piloting", "initiative (Piloting)") if len(able) == 2 else ("leadership", "initiative (Leadership)")
    battle, order = yield from _roll_off(rules, battle, skill, what)
    if len(order) < 2:
        return replace(battle, phase="activation", turn=order[0] if order else battle.sides[0])
    groups = {side: len(groups_of(battle, side)) for side in order}
    decides = who_decides(groups, order[0])
    unit = commander_of(battle, decides)
    first = decides
    if unit is not None:
        sides = [decides, *[side for side in order if side != decides]]
        first = yield from first_side(battle, "Which side plays first?", sides, unit.voice, About(rules, battle, unit.name))

    def words(names: dict[str, str]) -> str:
        plays = f"{agrees(names[first], 'plays', 'play')} first"
        decided = f"; {agrees(names[decides], 'decides', 'decide')}, with the fewest combat groups"
        return plays if decides == order[0] else plays + decided

    sums = {side: Reason(f"combat groups of {side}", number, "=", _ROUND) for side, number in groups.items()}
    yield from announce(rules, battle, words, sums)
    return replace(battle, phase="activation", turn=first)


# --- activation ------------------------------------------------------------------------------------------------------------------------


def groups_of(battle: Battle, side: str) -> list[str]:
    """The combat groups of a side with an able unit."""
    return list(dict.fromkeys([unit.group for unit in battle.units if unit.side == side and unit.able]))


def _open_groups(battle: Battle, side: str) -> list[str]:
    """The groups of a side that have not had their turn."""
    return [
        group
        for group in groups_of(battle, side)
        if f"{side}/{group}" not in battle.activated
        and any(unit.able and not unit.done for unit in battle.units if unit.side == side and unit.group == group)
    ]


def activate(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """The active side chooses a group, then its units one after the other; when none is left the round is over."""
    if battle.waiting:
        return (yield from _next_unit(rules, battle))
    turn = _active_side(battle)
    if not turn:
        return (yield from end_round(rules, battle))
    battle = replace(battle, turn=turn)
    called = yield from out_of_turn(rules, battle, turn)
    if called is not None:
        return called
    groups = _open_groups(battle, turn)
    group = groups[0]
    unit = commander_of(battle, turn) or next(candidate for candidate in battle.units if candidate.side == turn and candidate.able)
    if len(groups) > 1:
        options = tuple([Option(f"activate {name}", f"Activate {name}", name) for name in groups])
        group = yield from Choice(unit.voice, "Which combat group acts?", options, About(rules, battle, unit.name), "group")
    waiting = tuple(
        [
            candidate.name
            for candidate in battle.units
            if candidate.side == turn and candidate.group == group and candidate.able and not candidate.done
        ]
    )
    battle = replace(battle, waiting=waiting, activated=(*battle.activated, f"{turn}/{group}"))
    return (yield from _next_unit(rules, battle))


def _active_side(battle: Battle) -> str:
    """The side that activates a group now: the one whose turn it is, or the next with a group left."""
    sides = battle.sides
    at = sides.index(battle.turn) if battle.turn in sides else 0  # in a simulation's view a round may begin with nobody
    return next((side for side in (*sides[at:], *sides[:at]) if _open_groups(battle, side)), "")


def _next_unit(rules: Ruleset, battle: Battle) -> Play[Battle]:
    waiting = tuple([name for name in battle.waiting if battle.unit(name).able and not battle.unit(name).done])
    if not waiting:
        return _pass_turn(replace(battle, waiting=()))
    name = waiting[0]
    if len(waiting) > 1:
        unit = commander_of(battle, battle.turn) or battle.unit(name)
        options = tuple([Option(f"unit {text}", text, text) for text in waiting])
        name = yield from Choice(unit.voice, "Which unit acts?", options, About(rules, battle, unit.name), "unit")
    battle = replace(battle, waiting=tuple([text for text in waiting if text != name]), active=name)
    yield from Tell(Stands(battle))
    return battle


def _pass_turn(battle: Battle) -> Battle:
    sides = battle.sides
    return replace(battle, turn=sides[(sides.index(battle.turn) + 1) % len(sides)])


def act(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """The active unit takes one action; when it is done the next one follows."""
    unit = battle.unit(battle.active)
    if not unit.able or unit.done:
        return (yield from _end_turn(rules, battle, unit))
    offer = offered(rules, battle, unit.name)
    if offer.only_done:
        battle = yield from action_of("done").do(rules, battle, unit, Deed(kind="done"))
        return (yield from _end_turn(rules, battle, battle.unit(unit.name)))
    where = Somewhere(rules, battle, unit.name) if points_left(battle, unit) or not unit.turned else None
    about = About(rules, battle, unit.name)
    where = where if _is_grounded(unit) else None
    asked: Offering[Deed] = Offering(unit.voice, f"What does {unit.name} do?", cast(Any, offer), about, "act", where=where)
    deed = yield from asked
    battle = yield from action_of(deed.kind).do(rules, battle, unit, deed)
    battle = yield from take_command((yield from come_apart(rules, battle)))
    if battle.active != unit.name:
        return battle  # its successor continues
    unit = battle.unit(unit.name)
    return (yield from _end_turn(rules, battle, unit)) if unit.done or not unit.able else battle


def _is_grounded(unit: Unit) -> bool:
    return not unit.section and unit.way in ("walker", "ground", "hover", "rail", "naval", "submarine", "air", "space")


def _end_turn(rules: Ruleset, battle: Battle, unit: Unit) -> Play[Battle]:
    """End a unit's turn. A unit that acted out of turn does not move again, but keeps its remaining actions for its group's turn."""
    if unit.able and not unit.moved:
        yield from Tell(Announced(unit.name, "does not move" if unit.used else "holds"))
    called = f"{unit.side}/{unit.group}" not in battle.activated
    battle = battle.put(replace(unit, done=True, moved=True))
    if called and unit.able and actions_left(rules, unit) > 0:
        battle = battle.put(replace(unit, done=False, moved=True, points=unit.spent, turned=True))
    battle = replace(battle, active="")
    if called:
        return battle
    waiting = tuple([name for name in battle.waiting if battle.unit(name).able and not battle.unit(name).done])
    return replace(battle, waiting=waiting) if waiting else _pass_turn(replace(battle, waiting=()))


# --- the end of a round ----------------------------------------------------------------------------------------------------------------


def end_round(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Play miscellaneous events; then unspent actions and Leadership Command Points expire, and a new round begins."""
    for hook in ROUND_ENDS:
        battle = yield from hook(rules, battle)
    battle = yield from come_apart(rules, battle)
    quiet = quiet_after(battle)
    units = tuple([_next_round_unit(unit) for unit in battle.units])
    commands = tuple([replace(command, leadership=0, ordered=False) for command in battle.commands])
    crossed = any(unit.crew.crossing for unit in battle.units)
    battle = replace(battle, units=units, commands=commands, round=battle.round + 1, quiet=quiet)
    if crossed:
        battle = yield from come_apart(rules, battle)  # recompute what drives a hull
    return replace(battle, phase="declaration", activated=(), waiting=(), active="")


def _next_round_unit(unit: Unit) -> Unit:
    """A unit at the beginning of the next round."""
    speed = unit.speed
    if unit.shifting in ("top", "combat"):
        speed = "top" if unit.shifting == "top" else "combat"
    elif unit.speed != "top":
        speed = "combat"
    arms = tuple([replace(arm, fired=0) if arm.fired else arm for arm in unit.arms])
    return replace(
        unit,
        arms=arms,
        speed=speed,
        last=unit.hexes,
        hexes=0,
        spent=0,
        points=None,
        pace="",
        shifting="",
        switched=False,
        jumped=False,
        transformed=0,
        turned=False,
        turns=0,
        backed=False,
        moved=False,
        done=False,
        extra=0,
        evading=False,
        ordered=0,
        received=0,
        used=0,
        stunned=unit.owed,
        owed=0,
        hit_by=(),
        signs=next_round(unit.signs),
        crew=replace(unit.crew, crossing=0) if unit.crew.crossing else unit.crew,
    )


def begin_round(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Play the declarations and the events at the beginning of a round."""
    yield from Tell(Announced("", f"Round {battle.round}"))
    battle = yield from declare(rules, (yield from take_command(battle)))
    for hook in ROUND_BEGINS:
        battle = yield from hook(rules, battle)
    return replace(battle, phase="initiative")
