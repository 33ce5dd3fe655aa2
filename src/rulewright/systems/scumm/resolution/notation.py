"""What a written test stands for, and its outcome in words."""

from msgspec import Struct

from rulewright.dice.highest import Total
from rulewright.dice.written import WrittenDice, parse_test
from rulewright.play import Play, Roll
from rulewright.rules import Ruleset
from rulewright.system import Shown
from rulewright.systems.scumm.resolution.tests import Mod, Opposed, Pool, Test, action_test, opposed_test, reading


class Written(Struct, frozen=True):
    """A test as written: a pool, and what it is held against."""

    pool: Pool
    against: Pool | int | None = None


def parse(text: str) -> Written:
    """Read a notation; refuses anything left over."""
    dice, against = parse_test(text)
    return Written(_pool(dice), _pool(against) if isinstance(against, WrittenDice) else against)


def _pool(dice: WrittenDice) -> Pool:
    return Pool(dice.dice, (Mod("modifier", dice.modifier),) if dice.modifier else (), dice.emergency)


def spell(pool: Pool) -> str:
    """A pool as people write it."""
    return str(WrittenDice(pool.dice, pool.modifier, pool.emergency))


def spell_test(written: Written) -> str:
    """A whole test as people write it; `parse` reads it back."""
    if written.against is None:
        return spell(written.pool)
    against = written.against if isinstance(written.against, int) else spell(written.against)
    return f"{spell(written.pool)} vs {against}"


def written_test(rules: Ruleset, written: Written) -> Play[Total | Test | Opposed]:
    """The test that was written."""
    if written.against is None:
        total = yield from Roll(reading(rules, written.pool), "", "roll")
        return total
    if isinstance(written.against, int):
        return (yield from action_test(rules, written.pool, written.against))
    return (yield from opposed_test(rules, written.pool, written.against))


def show(outcome: Total | Test | Opposed) -> Shown:
    """An outcome in words."""
    if isinstance(outcome, Total):
        words = f"{outcome.total}, fumble" if outcome.fumble else str(outcome.total)
        return Shown(words, words, {"total": outcome.total, "fumble": outcome.fumble}, None, {"fumble": outcome.fumble}, outcome.total)
    margin = outcome.margin
    words = "draw" if margin == 0 else f"{outcome.verdict} by {abs(margin)}"
    if isinstance(outcome, Test):
        short = f"{outcome.total}, fumble" if outcome.fumble else str(outcome.total)
        value: dict[str, int] = {"total": outcome.total, "fumble": outcome.fumble}
        label = f"{words}, fumble" if outcome.fumble else words
        order = outcome.total
    else:
        sides = [side for side, total in (("actor", outcome.actor), ("resister", outcome.resister)) if total.fumble]
        label = ", ".join([words, *(f"{side} fumbles" for side in sides)])
        short = label
        value = {"margin": margin, "fumble": outcome.actor.fumble, "resister_fumble": outcome.resister.fumble}
        order = margin
    fields: dict[str, int] = {"success": margin > 0, "margin": margin, "draw": margin == 0}
    return Shown(label, short, value, outcome.verdict, fields, order)  # type: ignore[arg-type]
