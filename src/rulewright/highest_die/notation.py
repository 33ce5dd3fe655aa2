"""Notation of tests of the highest die, their results in words, and the sum behind a roll."""

from typing import Any, Generic, TypeVar

from msgspec import Struct

from rulewright.dice.highest import Total
from rulewright.dice.notation import WrittenDice, parse_test
from rulewright.highest_die.tests import DicePool, Opposed, Test
from rulewright.play import Rolled
from rulewright.rules.reasons import Mod, Reason, at_least, reckoned, term
from rulewright.system import Shown

P = TypeVar("P", bound=DicePool)


class Written(Struct, Generic[P], frozen=True):
    """A parsed test: a pool, and what it is compared with."""

    pool: P
    against: P | int | None = None


def parse(text: str, pool: type[P]) -> Written[P]:
    """Parses a notation; raises an error for anything left over."""

    def read(dice: WrittenDice) -> P:
        return pool(dice.dice, (Mod("modifier", dice.modifier),) if dice.modifier else (), dice.emergency)

    dice, against = parse_test(text)
    return Written(read(dice), read(against) if isinstance(against, WrittenDice) else against)


def spell(pool: DicePool) -> str:
    """A pool in notation."""
    return str(WrittenDice(pool.dice, pool.modifier, pool.emergency))


def spell_test(written: Written[P]) -> str:
    """A whole test in notation; `parse` reads it back."""
    if written.against is None:
        return spell(written.pool)
    against = written.against if isinstance(written.against, int) else spell(written.against)
    return f"{spell(written.pool)} vs {against}"


def show(outcome: Total | Test | Opposed) -> Shown:
    """A result in words."""
    if isinstance(outcome, Total):
        words = _total_in_words(outcome)
        return Shown(words, words, {"total": outcome.total, "fumble": outcome.fumble}, None, {"fumble": outcome.fumble}, outcome.total)
    margin = outcome.margin
    words = outcome.verdict if margin == 0 else f"{outcome.verdict} by {abs(margin)}"
    if isinstance(outcome, Test):
        short = _total_in_words(outcome)
        value: dict[str, int] = {"total": outcome.total, "fumble": outcome.fumble}
        label = f"{words}, fumble" if outcome.fumble else words
        order = outcome.total
    else:
        fumbling = [side for side, total in (("actor", outcome.actor), ("resister", outcome.resister)) if total.fumble]
        label = short = ", ".join([words, *(f"{side} fumbles" for side in fumbling)])
        value = {"margin": margin, "fumble": outcome.actor.fumble, "resister_fumble": outcome.resister.fumble}
        order = margin
    fields: dict[str, int] = {"success": outcome.verdict == "success", "margin": margin, "draw": outcome.verdict == "draw"}
    return Shown(label, short, value, outcome.verdict, fields, order)


def _total_in_words(item: Total | Test) -> str:
    return f"{item.total}, fumble" if item.fumble else str(item.total)


def explained(rolled: Rolled, dice_rule: str, unskilled_rule: str = "", extra_rule: str = "") -> tuple[Reason, ...]:
    """The sum behind a roll: what the dice gave, and what was added. A rule for the unskilled marks an unskilled roll."""
    dice: Any = rolled.roll.reading
    first, *extra = dice.explain(rolled.faces)
    terms = [term(*first, rule=unskilled_rule or dice_rule), *[term(*candidate, rule=extra_rule or dice_rule) for candidate in extra]]
    modifier = getattr(dice, "modifier", 0)
    if unskilled_rule and rolled.result.fumble and modifier:
        terms.append(term("modifiers do not count on an unskilled fumble", 0, rule=unskilled_rule))
    elif modifier:
        terms.append(term("modifier", modifier, rule=dice_rule))
        if reckoned(terms) < 0:
            terms.append(at_least(0, "no total is below", rule=dice_rule))
    return tuple(terms)
