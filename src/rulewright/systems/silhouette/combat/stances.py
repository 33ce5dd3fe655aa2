"""Stances for a round of combat (book lines 6014-6024)."""

from typing import Literal

from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.systems.silhouette.resolution.tests import Mod, Pool

Stance = Literal["neutral", "offensive", "defensive", "focused"]
Test = Literal["task", "attack", "defense", "initiative"]


class StanceRow(TableRow, frozen=True):
    """Dice of a stance by kind of test, its bonus with a tool or weapon, and whether it leaves the fighter open."""

    stance: Stance
    attack_dice: int = 0
    defense_dice: int = 0
    initiative_dice: int = 0
    tool: int = 0
    open: bool = False


STANCES = Table("sil-6.4.2-stances", StanceRow)


@rule("sil-6.4.2-stances")
def stance_dice(rules: Ruleset, stance: Stance = "neutral", test: Test = "attack") -> int:
    """Returns the dice of a stance for a kind of test: offensive +1 on attacks and tasks, -1 on defense and initiative; defensive the
    other way round. 0 if the campaign has no stances."""
    if not rules.on("stances"):
        return 0
    row = STANCES.get(rules, stance)
    return {"task": row.attack_dice, "attack": row.attack_dice, "defense": row.defense_dice, "initiative": row.initiative_dice}[test]


@rule("sil-6.4.2-stances")
def focus(rules: Ruleset, stance: Stance = "focused", tool: bool = True) -> Mod:
    """Returns the bonus of the focused stance with a tool or weapon: 2."""
    value = STANCES.get(rules, stance).tool if tool and rules.on("stances") else 0
    return Mod(f"{stance} stance", value, "sil-6.4.2-stances")


@rule("sil-6.4.2-stances")
def defends_openly(rules: Ruleset, stance: Stance = "focused") -> bool:
    """Whether a fighter in this stance cannot roll to defend, as if surprised: against 1 + movement and cover."""
    return rules.on("stances") and STANCES.get(rules, stance).open


def in_stance(rules: Ruleset, pool: Pool, stance: Stance, test: Test, tool: bool = True) -> Pool:
    """Returns a pool as rolled in this stance; without dice it is unskilled."""
    dice = stance_dice(rules, stance, test)
    changed = pool.with_dice(pool.dice + dice) if dice else pool
    return changed.plus(focus(rules, stance, tool)) if test in ("task", "attack") else changed
