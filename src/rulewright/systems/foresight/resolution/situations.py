"""Combat tables: modifiers of attack and defense, actions, bonus and reflex actions (book lines 2945-3298)."""

from typing import Literal

from msgspec import Struct, field

from rulewright.errors import UserError
from rulewright.grammar import figure
from rulewright.play.cache import cached
from rulewright.rules import Column, Ruleset, Table, TableRow, rule
from rulewright.systems.foresight.resolution.tests import RATINGS, Mod, half_up

Stance = Literal["standing", "squatting", "kneeling", "prone", "lying"]
MOST_ATTRIBUTE = 100


class SituationRow(TableRow, frozen=True):
    """A situation; where lowest and highest differ the gamemaster picks, and `per` says what it is counted by."""

    situation: str
    lowest: int
    highest: int
    per: str = ""
    barred: bool = False


class ActionRow(TableRow, frozen=True):
    """An action of a turn."""

    action: str
    group: Literal["melee", "ranged", "movement", "other"]
    effect: str
    unbalances: bool
    standing: int = 0
    prone: int = 0
    evasive: bool = False
    degrees: int = 0
    """How far it turns a person at most."""
    takes: dict[Stance, int] = field(default_factory=dict)
    """How many of it lead from each stance to the next."""


class ReflexRow(TableRow, frozen=True):
    """A reflex action; of the sudden ones only one a round."""

    reflex: str
    sudden: bool
    unbalances: bool
    again: int
    meters: int


class SpecialRow(TableRow, frozen=True):
    """A special melee attack; `rating` and `behind`: how well a blow must come through, from behind too; `meters`: how far it throws."""

    attack: str
    with_weapon: str
    pm: int
    does: str
    dc: int = 0
    rating: int = 0
    behind: int = 0
    meters: int = 0
    without: int = 0
    field: str = ""


class UnarmedFieldRow(TableRow, frozen=True):
    """What an unarmed combat field or style is worth."""

    field: str
    helps: str
    modifier: int


AWARENESS = Column("fs-initiative-modifiers", "awareness", modifier=int)
"""What awareness of the situation does to Initiative."""
ATTACK = Table("fs-melee-attack-modifiers", SituationRow)
PARRY = Table("fs-parry-modifiers", SituationRow)
DODGE = Table("fs-dodge-modifiers", SituationRow)
RANGED = Table("fs-ranged-modifiers", SituationRow)
ACTIONS = Table("fs-actions-list", ActionRow)
BONUS = Column("fs-bonus-actions", "from_attribute", int, won=tuple[int, int, int, int, int, int])
"""Bonus actions by attribute (from this value on), at QR10, 7, 4, 3, 2 and 1."""
REFLEXES = Table("fs-reflex-actions", ReflexRow)
SPECIAL = Table("fs-special-melee-attacks", SpecialRow)
UNARMED_FIELDS = Table("fs-unarmed-fields", UnarmedFieldRow)


@rule("fs-initiative-modifiers")
def awareness(rules: Ruleset, how: str = "positional advantage", stunned: bool = False) -> Mod:
    """The modifier of awareness for an Initiative roll; being stunned costs 4 more."""
    extra = AWARENESS.of(rules, "stunned") if stunned else 0
    return Mod(f"{how}{', stunned' if stunned else ''}", AWARENESS.of(rules, how) + extra, "fs-initiative-modifiers")


class Situation(Struct, frozen=True):
    """A situation of one of the tables, how often it counts, and the gamemaster's pick where there is a range."""

    name: str
    times: int = 1
    pick: int | None = None


@cached(20_000)
def situation_mod(rules: Ruleset, table: str, situation: Situation) -> Mod:
    """A situation as a modifier; refuses one that bars the attempt and a pick outside the range."""
    row = rules.rows(table, SituationRow).get(situation.name)
    if row is None:
        raise UserError(f"{situation.name!r} is not in {table}")
    if row.barred:
        raise UserError(f"{situation.name}: there is no defense at all")
    mildest = min((row.lowest, row.highest), key=abs)
    value = mildest if situation.pick is None else situation.pick
    if not row.lowest <= value <= row.highest:
        raise UserError(f"{situation.name} is worth {row.lowest} to {row.highest}, not {value}")
    label = situation.name if situation.times == 1 else f"{situation.name} × {situation.times}"
    return Mod(label, value * situation.times, table, row.source)


@rule("fs-melee-attack-modifiers")
def attack_modifiers(rules: Ruleset, situations: tuple[Situation, ...] = ()) -> tuple[Mod, ...]:
    """The modifiers of the situation for a melee attack, all added up with the weapon's modifier for the distance."""
    return tuple([situation_mod(rules, ATTACK.rule, situation) for situation in situations])


@rule("fs-parry-modifiers")
def parry_modifiers(rules: Ruleset, situations: tuple[Situation, ...] = ()) -> tuple[Mod, ...]:
    """The modifiers of the situation for a parry; from behind or unaware there is none."""
    return tuple([situation_mod(rules, PARRY.rule, situation) for situation in situations])


@rule("fs-parry-modifiers")
def outweighed(rules: Ruleset, attack: float = 6, defense: float = 3) -> Mod:
    """A parry against a harder blow is at half the difference of the damage classes, a half counting in full."""
    return Mod("attacker hits harder", -max(0, half_up((attack - defense) / 2)), "fs-parry-modifiers")


@rule("fs-dodge-modifiers")
def dodge_modifiers(rules: Ruleset, situations: tuple[Situation, ...] = ()) -> tuple[Mod, ...]:
    """The modifiers of the situation for a dodge."""
    return tuple([situation_mod(rules, DODGE.rule, situation) for situation in situations])


@rule("fs-ranged-modifiers")
def ranged_modifiers(rules: Ruleset, situations: tuple[Situation, ...] = ()) -> tuple[Mod, ...]:
    """The modifiers of the situation for a shot, all added up with the weapon's modifier."""
    return tuple([situation_mod(rules, RANGED.rule, situation) for situation in situations])


@rule("fs-ranged-modifiers")
def aiming(rules: Ruleset, aims: int = 0, just_hit: bool = False) -> Mod:
    """Aim actions add up to +5; with the bonus for having just hit the target, which counts as two, to +6 in all (ruling)."""
    actions = min(aims, rules.number("aim-actions")) * RANGED.get(rules, "aim").highest
    hit = RANGED.get(rules, "just hit the target").highest if just_hit else 0
    return Mod("aim", min(actions + hit, rules.number("aim-total")), "fs-ranged-modifiers", rules.source("aim-total"))


@rule("fs-ranged-modifiers")
def range_modifier(rules: Ruleset, meters: float = 10, increment: float = 3) -> Mod:
    """-1 for every full range increment, and +1 within three meters."""
    if increment <= 0:
        raise UserError(f"a range increment is more than 0 meters, not {increment:g}")
    near = RANGED.get(rules, "target within 3 m").highest if meters <= 3 else 0
    return Mod(f"{figure(meters)} m", near + RANGED.get(rules, "range").highest * int(meters // increment), "fs-ranged-modifiers")


@rule("fs-bonus-actions")
def bonus_actions(rules: Ruleset, attribute: int = 9, qr: int = 3) -> int:
    """Actions won (or lost) by an attribute roll; past the table every three points of attribute go on in the same way."""
    won = BONUS.numbered(rules)
    place = tuple(reversed(RATINGS)).index(qr)
    last = max(won)
    beyond = max(0, (min(attribute, MOST_ATTRIBUTE) - last) // 3)
    if not beyond:
        return won[max([least for least in won if least <= max(1, attribute)])][place]
    # QR7 gains one every second row (0 0 0 1 1 2 2 …), every success one a row
    return {10: -1, 7: won[last][1] + (beyond + 1) // 2}.get(qr, won[last][place] + beyond)


@rule("fs-reflex-actions")
def reflex(rules: Ruleset, which: str = "dodge", before: int = 0) -> Mod:
    """A dodge or parry is at -2 for every one before it this round, each kind counted apart."""
    return Mod(f"{which} again", REFLEXES.get(rules, which).again * before, "fs-reflex-actions")


@rule("fs-actions-list", "fs-balance")
def unbalances(rules: Ruleset, action: str = "move") -> bool:
    """Whether an action costs balance; with the strict reading every change of stance does."""
    if rules.word("stance-and-balance") == "every change" and action in ("squat", "kneel", "drop", "rise", "roll", "dive"):
        return True
    return ACTIONS.get(rules, action).unbalances


@rule("fs-special-melee-attacks", "fs-unarmed-fields")
def special_attack(rules: Ruleset, attack: str = "kick", trained: bool = True) -> tuple[Mod, int]:
    """The modifier and damage class of a special melee attack; some cost more without the unarmed combat field for them."""
    row = SPECIAL.get(rules, attack)
    if attack == "lethal strike" and not trained:
        raise UserError(f"a lethal strike needs the field {row.field}")
    dc = rules.number("lethal-strike-damage") if attack == "lethal strike" else row.dc
    return Mod(attack, row.pm + (0 if trained else row.without), "fs-special-melee-attacks"), dc
