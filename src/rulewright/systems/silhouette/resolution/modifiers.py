"""Situation tables: pace, cover, light, distance, crowds and surfaces (book lines 2038-2452, 6049-6066)."""

from typing import Literal

from rulewright.errors import UserError
from rulewright.rules import Column, Ruleset, Table, TableRow, rule


class MovementRow(TableRow, frozen=True):
    """A pace's modifiers to actions, and to defense against close and ranged attacks."""

    movement: str
    defense_close: int
    defense_ranged: int
    action: int | None = None
    """None where no action is possible."""


class ChaseRow(TableRow, frozen=True):
    """Modifier of terrain in a chase."""

    condition: str
    modifier: int
    defense: int = 0


class ClimbRow(TableRow, frozen=True):
    """A surface with its Threshold, or a circumstance that modifies it."""

    situation: str
    threshold: int = 0
    adds: int = 0


class SituationRow(TableRow, frozen=True):
    """A situation in a fight; rows of one group exclude each other."""

    situation: str
    group: str
    attack: int = 0
    defense: int = 0
    safe: bool = False
    """Whether the target cannot be hit."""


class LeadershipRow(TableRow, frozen=True):
    """A situation's modifier to a leader's roll; `size` is the largest group of a row."""

    situation: str
    modifier: int
    size: int = 0


MOVEMENT = Table("sil-3.2.3-movement-modifiers", MovementRow)
CHASE = Table("sil-3.2.6-chase-modifiers", ChaseRow)
CLIMBING = Table("sil-3.2.7-climbing-thresholds", ClimbRow)
CLOSE = Table("sil-3.3.2-close-modifiers", SituationRow)
RANGED = Table("sil-3.4.1-ranged-modifiers", SituationRow)
THROWING = Column("sil-3.4.4-throwing-table", "weight", int, metres=tuple[int, int, int, int, int, int, int])
"""Short range of a throw by Strength from -3 to +3, for objects up to this weight in kilograms."""
LEADERSHIP = Table("sil-6.4.3-leadership-modifiers", LeadershipRow)


@rule("sil-3.2.6-chase-modifiers")
def chase_modifier(rules: Ruleset, conditions: tuple[str, ...] = ()) -> int:
    """Returns the modifier of all terrain conditions for a runner."""
    return sum([CHASE.get(rules, condition).modifier for condition in conditions])


@rule("sil-3.2.7-climbing-thresholds")
def climbing_threshold(rules: Ruleset, surface: str, circumstances: tuple[str, ...] = ()) -> int:
    """Returns the Threshold of a surface with all circumstances."""
    row = CLIMBING.get(rules, surface)
    if not row.threshold:
        raise UserError(f"{surface} is a circumstance, not a surface: name a surface as well")
    return row.threshold + sum([CLIMBING.get(rules, circumstance).adds for circumstance in circumstances])


@rule("sil-3.3.2-close-modifiers", "sil-3.4.1-ranged-modifiers")
def situation_modifier(
    rules: Ruleset, situations: tuple[str, ...] = (), side: Literal["attack", "defense"] = "attack", ranged: bool = False
) -> int:
    """Returns the modifier of situations to an attack or defense; only one of each group may be named."""
    rows = [(RANGED if ranged else CLOSE).get(rules, situation) for situation in situations]
    groups = [row.group for row in rows]
    twice = next((group for group in groups if groups.count(group) > 1), None)
    if twice is not None:
        raise UserError(f"only one situation of the group {twice} can apply at a time")
    return sum([row.attack if side == "attack" else row.defense for row in rows])


@rule("sil-3.3.2-close-modifiers")
def opponents_modifier(rules: Ruleset, opponent: int = 1) -> int:
    """Returns the defense penalty against the second, third and further opponents of a round."""
    if opponent < 2:
        return 0
    name = {2: "second opponent", 3: "third opponent"}.get(opponent, "fourth opponent or more")
    return CLOSE.get(rules, name).defense


@rule("sil-3.4.4-throwing-table")
def throwing_range(rules: Ruleset, strength: int = 0, kilograms: float = 1) -> int:
    """Returns short range of a throw in metres; 0 if the item flies at most one metre. Beyond the table its underlying rule is used
    (ruling)."""
    weight = max(1, -int(-kilograms // 1))
    metres = THROWING.numbered(rules)
    if metres and -3 <= strength <= 3:
        return metres[min(weight, max(metres))][strength + 3]
    return -(-(strength + 5) // weight) if strength + 5 >= weight else 0


@rule("sil-6.4.3-leadership-modifiers")
def group_modifier(rules: Ruleset, size: int) -> int:
    """Returns the modifier of the group's size, without its leader, to the leader's roll."""
    rows = sorted([row for row in LEADERSHIP(rules).values() if row.size], key=lambda row: row.size)
    for row in rows:
        if size <= row.size:
            return row.modifier
    raise UserError(f"a leader's group has at most {rows[-1].size if rows else 0} people, not {size}")
