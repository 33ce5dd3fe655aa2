"""The notation of checks.

`DF 12`, `DF 12+10-5` (statistic, rank, task), `DF 12 +5%` (percents after the look-up), `DF 12 x1/4` (a share of the chance),
`DF 8 vs DF 10` (the second would undo what the first does), `init 4` (2d6 + 8 less half of Speed 4), `init 4 +5`.
"""

import re
from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Play, Roll
from rulewright.rules import Ruleset
from rulewright.system import Shown
from rulewright.systems.hybrid.combat.initiative import Initiative, initiative_dice, settle
from rulewright.systems.hybrid.resolution.tests import DEGREES, Check, Degree, Opposed, opposed_check, skill_check

_NUMBER = r"[+-]?\s*\d{1,5}"
_CHECK = re.compile(
    rf"df\s*({_NUMBER}(?:\s*[+-]\s*\d{{1,5}}(?!\d*%))*)((?:\s*[+-]\s*\d{{1,5}}%)*)(?:\s*[x×*]\s*(\d{{1,4}})/(\d{{1,4}}))?", re.ASCII
)
_INITIATIVE = re.compile(r"init(?:iative)?\s*(\d{1,3})((?:\s*[+-]\s*\d{1,3})*)", re.ASCII)
_TERM = re.compile(r"[+-]?\d+")
MOST_TEXT = 200
HELP = "write DF 12, DF 12+10-5, DF 12 +5%, DF 12 x1/4, DF 8 vs DF 10, or init 4 (initiative with Speed 4)"


class Reaction(Struct, frozen=True):
    """An initiative roll as written: Speed, and counts added."""

    speed: int
    modifier: int = 0


class Written(Struct, frozen=True):
    """A written check or initiative, and the check that opposes it."""

    check: Check | Reaction
    against: Check | None = None


def parse(text: str) -> Written:
    """Read a notation; refuses anything left over."""
    if len(text) > MOST_TEXT:
        raise UserError(f"a check of {len(text)} characters is too long: {HELP}")
    left, vs, right = text.strip().lower().partition("vs")
    match = _INITIATIVE.fullmatch(left.strip())
    if match is not None and not vs:
        return Written(Reaction(int(match[1]), _sum(match[2])))
    check = _check(left.strip(), text)
    return Written(check, _check(right.strip(), text)) if vs else Written(check)


def _check(text: str, whole: str) -> Check:
    match = _CHECK.fullmatch(text)
    if match is None:
        raise UserError(f"cannot read {whole!r}: {HELP}")
    if match[4] is not None and int(match[4]) == 0:
        raise UserError(f"cannot read {whole!r}: nothing can be divided by 0")
    share = (int(match[3]), int(match[4])) if match[3] is not None else (1, 1)
    return Check(_sum(match[1]), _sum(match[2].replace("%", "")), share)


def _sum(text: str) -> int:
    return sum(int(part) for part in _TERM.findall(re.sub(r"\s+", "", text)))


def spell(check: Check) -> str:
    """A check as people write it."""
    percent = f" {check.percent:+}%" if check.percent else ""
    share = f" x{check.share[0]}/{check.share[1]}" if check.share != (1, 1) else ""
    return f"DF {check.df}{percent}{share}"


def spell_test(written: Written) -> str:
    """The whole as people write it; `parse` reads it back."""
    if isinstance(written.check, Reaction):
        modifier = f" {written.check.modifier:+}" if written.check.modifier else ""
        return f"init {written.check.speed}{modifier}"
    return spell(written.check) + (f" vs {spell(written.against)}" if written.against is not None else "")


def written_test(rules: Ruleset, written: Written) -> Play[Degree | Opposed | Initiative]:
    """The check that was written."""
    check = written.check
    if isinstance(check, Reaction):
        count = yield from Roll(initiative_dice(rules, check.speed, modifier=check.modifier), "", "initiative")
        return settle(rules, count)
    if written.against is None:
        return (yield from skill_check(rules, check))
    return (yield from opposed_check(rules, check, written.against))


def show(outcome: Degree | Opposed | Initiative) -> Shown:
    """An outcome in words."""
    if isinstance(outcome, Initiative):
        return _show_initiative(outcome)
    if isinstance(outcome, Opposed):
        return _show_opposed(outcome)
    fields = {"success": outcome.success, "degree": outcome.value}
    return Shown(outcome.value, outcome.value, {"degree": outcome.value}, _verdict(outcome.success), fields, order=_place(outcome))


def _show_initiative(ready: Initiative) -> Shown:
    words = f"count {ready.count}" + (f", {ready.speed_points} speed points" if ready.speed_points else "")
    value = {"count": ready.count, "speed_points": ready.speed_points}
    return Shown(words, words, value, None, value, order=ready.count - ready.speed_points)


def _show_opposed(opposed: Opposed) -> Shown:
    undone = opposed.resister
    if undone is None:
        label = f"{opposed.actor} by itself"
    else:
        label = f"{opposed.actor}, {'undone' if undone.success else 'stands'} ({undone})"
    value = {"degree": opposed.actor.value, "resister": undone.value if undone is not None else None}
    order = 100 * _place(opposed.actor) - (_place(undone) if undone is not None else 0)
    return Shown(label, label, value, _verdict(opposed.stands), {"success": opposed.stands, **value}, order=order)


def _verdict(success: bool) -> Literal["success", "failure"]:
    return "success" if success else "failure"


def _place(degree: Degree) -> int:
    """0 for the worst degree, 9 for the best."""
    return len(DEGREES) - 1 - DEGREES.index(degree)
