"""Tests as people write them: `3d+1 vs 5`, `3d+1 vs 2d`, `unskilled-1 vs 4`, `2d+3ed vs 6` with Emergency Dice."""

import re

from msgspec import Struct

from rulewright.dice.highest import Total
from rulewright.errors import Wrong
from rulewright.play import Play
from rulewright.rules import Ruleset
from rulewright.system import Shown
from rulewright.systems.silhouette.resolution import Mod, Opposed, Pool, Side, Test, action_test, opposed_test, rolled

_POOL = re.compile(r"(?:(\d{1,6})d|unskilled)((?:\s*[+-]\s*\d{1,6}(?:ed)?)*)", re.ASCII)
_TERM = re.compile(r"([+-])\s*(\d+)(ed)?")
MOST_TEXT = 200
HELP = "write 3d+1 vs 5, 3d+1 vs 2d, unskilled-1 vs 4, or 2d+3ed vs 6 (ed: Emergency Dice)"


class Written(Struct, frozen=True):
    """A test as written: a pool, and what it is held against."""

    pool: Pool
    against: Pool | int | None = None


def parse(text: str) -> Written:
    """Read a notation; refuses anything left over."""
    if len(text) > MOST_TEXT:
        raise Wrong(f"a test of {len(text)} characters is too long: {HELP}")
    left, vs, right = text.strip().lower().partition("vs")
    pool = _pool(left.strip(), text)
    if not vs:
        return Written(pool)
    right = right.strip()
    if re.fullmatch(r"\d{1,6}", right, re.ASCII):
        return Written(pool, int(right))
    return Written(pool, _pool(right, text))


def _pool(text: str, whole: str) -> Pool:
    found = _POOL.fullmatch(text)
    if found is None:
        raise Wrong(f"cannot read {whole!r}: {HELP}")
    dice = int(found[1]) if found[1] is not None else 0
    if found[1] is not None and dice == 0:
        raise Wrong(f"cannot read {whole!r}: without dice write unskilled")
    modifier = emergency = 0
    for sign, number, ed in _TERM.findall(found[2]):
        if ed and sign == "-":
            raise Wrong(f"cannot read {whole!r}: Emergency Dice are added, never taken away")
        if ed:
            emergency += int(number)
        else:
            modifier += int(sign + number)
    return Pool(dice, (Mod("modifier", modifier),) if modifier else (), emergency)


def spell(pool: Pool) -> str:
    """A pool as people write it."""
    dice = f"{pool.dice}d" if pool.dice > 0 else "unskilled"
    modifier = f"{pool.modifier:+}" if pool.modifier else ""
    return f"{dice}{modifier}" + (f"+{pool.emergency}ed" if pool.emergency else "")


def spell_test(written: Written) -> str:
    """A whole test as people write it; `parse` reads it back."""
    if written.against is None:
        return spell(written.pool)
    against = written.against if isinstance(written.against, int) else spell(written.against)
    return f"{spell(written.pool)} vs {against}"


def written_test(rules: Ruleset, written: Written) -> Play[Total | Test | Opposed]:
    """The test that was written."""
    if written.against is None:
        return (yield from rolled(rules, written.pool, "", "roll"))
    if isinstance(written.against, int):
        return (yield from action_test(rules, written.pool, written.against))
    return (yield from opposed_test(rules, Side(written.pool), Side(written.against)))


def show(outcome: Total | Test | Opposed) -> Shown:
    """An outcome in words."""
    if isinstance(outcome, Total):
        words = f"{outcome.total}, fumble" if outcome.fumble else str(outcome.total)
        return Shown(words, words, {"total": outcome.total, "fumble": outcome.fumble}, None, {"fumble": outcome.fumble}, outcome.total)
    margin = outcome.margin
    words = outcome.verdict if margin == 0 else f"{outcome.verdict} by {abs(margin)}"
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
    fields: dict[str, int] = {"success": outcome.verdict == "success", "margin": margin, "draw": outcome.verdict == "draw"}
    return Shown(label, short, value, outcome.verdict, fields, order)
