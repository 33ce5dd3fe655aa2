"""Modifiers of attack and defense (book lines 4825-4895)."""

from collections.abc import Iterable
from itertools import pairwise

from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, total
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.resolution.tests import Mod
from rulewright.systems.silhouette.units.units import Pace

_ATTACK, _DEFENSE, _CAPPED = "sil-5.4.1-attacker-modifiers", "sil-5.4.2-defender-modifiers", "sil-5.4.2-capped-modifiers"
BANDS = ("point blank", "short", "medium", "long", "extreme", "twice extreme", "four times extreme", "five times extreme")


class AttackRow(TableRow, frozen=True):
    """The attack modifier of a range or a speed; a range ends at `times` the Base Range."""

    situation: str
    group: str
    modifier: int
    times: int = 0


class DefenseRow(TableRow, frozen=True):
    """The defense modifier of a situation; `upto` is where a row of numbers ends."""

    situation: str
    group: str
    modifier: int
    upto: int = 0


ATTACK = Table(_ATTACK, AttackRow)
DEFENSE = Table(_DEFENSE, DefenseRow)


# --- the attack --------------------------------------------------------------------------------------------------------------------


@cached(64)
def _bands(rules: Ruleset) -> tuple[AttackRow, ...]:
    return tuple(sorted([row for row in ATTACK(rules).values() if row.group == "range"], key=lambda row: row.times))


@rule(_ATTACK)
def range_band(rules: Ruleset, distance: int, base: float = 1, ranges: tuple[float, ...] = ()) -> str:
    """The range band of a target: point blank in the same hex, short up to the Base Range, medium, long and extreme up to two, four
    and eight times that, or as designed; beyond that up to five times the extreme. Empty: out of range."""
    if distance < 0:
        raise UserError(f"the distance must be 0 or more hexes, not {distance}")
    if distance == 0:
        return BANDS[0]
    far = ranges or tuple([base * factor for factor in (1, 2, 4, 8)])
    for name, limit in zip(BANDS[1:5], far, strict=True):
        if distance <= limit:
            return name
    for row, before in [(later, earlier) for earlier, later in pairwise(_bands(rules)) if later.times > 8]:
        if distance <= far[-1] * row.times / 8 and before.times >= 8:
            return row.situation
    return ""


@cached(8192)
def band_of(rules: Ruleset, distance: int, ranges: tuple[Figure, ...]) -> str:
    """The same for a system; one without ranges reaches only the same hex."""
    if not ranges:
        return BANDS[0] if distance == 0 else ""
    return range_band(rules, distance, 0, ranges)


@cached(1024)
def range_mod(rules: Ruleset, band: str) -> Mod:
    """The attack modifier of a range."""
    return Mod(f"{band} range" if band != BANDS[0] else band, ATTACK.get(rules, band).modifier, _ATTACK)


_PACES = {"stationary": "standing still", "half": "half speed", "combat": "Combat Speed", "top": "Top Speed"}


@cached(1024)
def pace_mod(rules: Ruleset, pace: Pace) -> Mod:
    """The attack modifier of the attacker's speed."""
    return Mod(_PACES[pace or "combat"], ATTACK.get(rules, pace or "combat").modifier, _ATTACK)


@rule(_ATTACK)
def attacker_modifier(
    rules: Ruleset, accuracy: int = 0, distance: int = 1, base: float = 1, pace: Pace = "combat", obscurement: int = 0
) -> Derived[int]:
    """The total attack modifier: Accuracy, range and the attacker's speed, less the target's Obscurement. A view of `attack_pool`."""
    band = range_band(rules, distance, base)
    if not band:
        raise UserError(f"{count(distance, 'hex')} is beyond five times the extreme range of {8 * base:g}")
    mods = (
        Mod("Accuracy", accuracy, _ATTACK),
        range_mod(rules, band),
        pace_mod(rules, pace),
        Mod("Obscurement", -obscurement, _ATTACK),
    )
    return summed("attack", mods, _ATTACK)


def summed(label: str, mods: Iterable[Mod], rule_id: str) -> Derived[int]:
    """Modifiers as a sum, without zeros."""
    return total(label, *[mod.reason() for mod in mods if mod.value], rule=rule_id)


# --- the defense -------------------------------------------------------------------------------------------------------------------


@cached(256)
def hexes_mod(rules: Ruleset, hexes: int, points: str = "") -> Mod:
    """The defense modifier of movement, by the hexes moved; beyond the table its last row counts (ruling). `points` says what was done
    with the Movement Points that count instead of hexes."""
    rows = sorted([row for row in DEFENSE(rules).values() if row.group == "hexes"], key=lambda row: row.upto)
    row = next((row for row in rows if hexes <= row.upto), rows[-1])
    return Mod(f"{count(hexes, 'Movement Point')} {points}" if points else f"{count(hexes, 'hex')} moved", row.modifier, _DEFENSE)


@cached(1024)
def side_mod(rules: Ruleset, side: str, all_around: bool = False) -> Mod:
    """The defense modifier of the side attacked; All-Around armor takes 1 off."""
    plain = "rear flank" if side.endswith("rear flank") else side
    value = DEFENSE.get(rules, plain).modifier
    return Mod(f"attacked from the {plain}" if plain != "front" else "front", min(0, value + all_around), _DEFENSE)


@cached(1024)
def attackers_mod(rules: Ruleset, before: int) -> Mod:
    """The defense modifier of earlier hits this round: -1 for a second attacker, -2 for a third, -3 for each further."""
    if before <= 0:
        return Mod("first attacker", 0, _DEFENSE)
    rows = sorted([row for row in DEFENSE(rules).values() if row.group == "attackers"], key=lambda row: row.upto)
    row = next((row for row in rows if before <= row.upto), rows[-1])
    return Mod(row.situation, row.modifier, _DEFENSE)


@cached(1024)
def other_mod(rules: Ruleset, situation: str) -> Mod:
    """The modifier of evasive maneuvers or a Command Point."""
    return Mod(situation, DEFENSE.get(rules, situation).modifier, _DEFENSE)


@rule(_CAPPED)
def capped(maneuver: int, movement: int, evasive: int = 0) -> Derived[int]:
    """Of Maneuver, movement and evasion the best positive and the worst negative modifier; if all are negative, only the best of them.

    The side and the number of attackers are not part of it (ruling).

    A view of `moving_mods`.
    """
    given = [("Maneuver", maneuver), ("movement", movement), *([("evasive maneuvers", evasive)] if evasive else [])]
    return summed("defense", [Mod(name, value, _CAPPED) for name, value in _capped_terms(given)], _CAPPED)


def _capped_terms(given: list[tuple[str, int]]) -> list[tuple[str, int]]:
    best, worst = max(given, key=lambda item: item[1]), min(given, key=lambda pair: pair[1])
    if best[1] < 0 or best is worst:
        return [best]
    return [pair for pair in (best, worst) if pair is best or pair[1] < 0]


@cached(1024)
def moving_mods(rules: Ruleset, maneuver: int, hexes: int, evading: bool = False, points: str = "") -> tuple[Mod, ...]:
    """Maneuver, movement and evasion: all of them, or as far as capped modifiers allow."""
    own = Mod("Maneuver", maneuver, _DEFENSE)
    moved = hexes_mod(rules, hexes, points)
    mods = (own, moved, *([other_mod(rules, "evasive maneuvers")] if evading else []))
    if not rules.on("capped-modifiers"):
        return mods
    kept = _capped_terms([(mod.label, mod.value) for mod in mods])
    return tuple([Mod(label, value, _CAPPED) for label, value in kept])


@rule(_DEFENSE)
def defender_modifier(
    rules: Ruleset,
    maneuver: int = 0,
    hexes: int = 0,
    side: str = "front",
    attackers: int = 0,
    evading: bool = False,
    command_point: bool = False,
    all_around: bool = False,
) -> Derived[int]:
    """The total defense modifier: Maneuver, hexes moved, the side attacked, and earlier hits this round. A view of `defense_pool`."""
    mods = [
        *moving_mods(rules, maneuver, hexes, evading),
        side_mod(rules, side, all_around),
        attackers_mod(rules, attackers),
        *([other_mod(rules, "Command Point")] if command_point else []),
    ]
    return summed("defense", mods, _DEFENSE)
