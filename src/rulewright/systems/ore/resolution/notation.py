"""Notation of tests: `7d`, `5d+1ed+1md diff 4`, `7d vs 5d`; see HELP for the rest.

A pool has ordinary dice (`7d`), Expert Dice (`1ed`) and Master Dice (`1md`); `+2d` and `-1d` are a bonus and a penalty. `diff 4` adds a
Difficulty, `high` asks for the highest set instead of the widest, and `sets` for the number of sets.
"""

import re
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import count, join
from rulewright.play import Play
from rulewright.rules import Ruleset
from rulewright.system import Shown
from rulewright.systems.ore.resolution.contests import Beaten, Contest, against_set, beat, competitive, cooperative, opposed, set_count
from rulewright.systems.ore.resolution.outcomes import Outcome, difficulty_of, sides
from rulewright.systems.ore.resolution.readings import Aim
from rulewright.systems.ore.resolution.tests import NO_EDGE, Edge, Mod, Pool, make_test, special_dice, thrown

MOST_TEXT = 200
HELP = (
    "write 7d; 5d+1ed+1md diff 4 (Expert and Master Dice, a Difficulty); 7d-2d (a penalty); 7d high (the highest set); 7d sets (how many); "
    "7d squash squish width+1 height+1 floor 5 (what feats allow); "
    "7d vs 5d (opposed); 7d against 2x8 and 5d beat 3x7 (a set on the table); 7d with 5d (together); 7d race 6d, 7d contest 6d"
)
_POOL = re.compile(r"(\d{1,3})d((?:\s*[+-]\s*\d{1,3}(?:ed|md|d))*)", re.ASCII)
_TERM = re.compile(r"([+-])\s*(\d+)(ed|md|d)")
_EDGE = r"squash(?:\+\d)?|squish|width[+-]\d|height[+-]\d|floor\s*\d{1,2}|shift\s*\d"
_SIDE = re.compile(rf"(.+?)((?:\s+(?:diff\s*\d{{1,3}}|high|wide|sets|{_EDGE}))*)\s*", re.ASCII)
_SET = re.compile(r"(\d{1,2})\s*x\s*(\d{1,2})", re.ASCII)
_JOINTS = re.compile(r"\s(vs|against|beat|with|race|contest)\s", re.ASCII)

Joint = Literal["", "vs", "against", "beat", "with", "race", "contest"]


class Side(Struct, frozen=True):
    """One roll as written."""

    pool: Pool
    difficulty: int = 1
    aim: Aim = "widest"
    count: bool = False


class Ahead(Struct, frozen=True):
    """The winner of a contest with the result; None for a draw."""

    side: int | None
    outcome: Outcome


class Written(Struct, frozen=True):
    """A parsed test: rolls, how they combine, and a set on the table."""

    sides: tuple[Side, ...]
    joint: Joint = ""
    table: tuple[int, int] | None = None


def parse(text: str) -> Written:
    """Parses a notation; refuses anything left over."""
    if len(text) > MOST_TEXT:
        raise UserError(f"a test of {len(text)} characters is too long: {HELP}")
    parts = _JOINTS.split(text.strip().lower())
    joints = set(parts[1::2])
    if len(joints) > 1:
        raise UserError(f"cannot read {text!r}: {join(sorted(joints))} cannot be combined")
    joint: Any = joints.pop() if joints else ""
    if joint in ("against", "beat"):
        match = _SET.fullmatch(parts[2].strip()) if len(parts) == 3 else None
        if match is None or int(match[1]) < 1 or not 1 <= int(match[2]) <= 10:
            raise UserError(f"cannot read {text!r}: {joint} needs one set after it, like 3x7")
        return Written((_side(parts[0], text),), joint, (int(match[1]), int(match[2])))
    if joint == "vs" and len(parts) > 3:
        raise UserError(f"cannot read {text!r}: only two sides can oppose each other")
    if len(parts) > 25:
        raise UserError(f"cannot read {text!r}: too many sides")
    return Written(tuple([_side(part, text) for part in parts[::2]]), joint)


def _side(text: str, whole: str) -> Side:
    match = _SIDE.fullmatch(text.strip())
    if match is None:
        raise UserError(f"cannot read {whole!r}: {HELP}")
    words = match[2].split()
    wanted = re.search(r"diff\s*(\d+)", match[2])
    if len(re.findall("diff", match[2])) > 1 or {"high", "wide"} <= {*words}:
        raise UserError(f"cannot read {whole!r}: give one Difficulty, and either high or wide")
    aim: Aim = "highest" if "high" in words else "widest"
    pool = replace(_pool(match[1].strip(), whole), edge=_edge(match[2], whole))
    return Side(pool, int(wanted[1]) if wanted else 1, aim, "sets" in words)


def _edge(words: str, whole: str) -> Edge:
    """Changes by feats: `squash`, `squish`, `width+1`, `height+2`, `floor 5`, `shift 1`."""
    said: dict[str, int] = {}
    for name, number in re.findall(r"(squash|squish|width|height|floor|shift)\s*([+-]?\d{1,2})?", words):
        if name in said:
            raise UserError(f"cannot read {whole!r}: {name} is given twice")
        said[name] = int(number or 1)
    if not said:
        return NO_EDGE
    if not 0 <= said.get("floor", 0) <= 10 or not 1 <= said.get("squash", 1) <= 3:
        raise UserError(f"cannot read {whole!r}: a floor goes from 1 to 10, and a squash adds 1 Width or 2 (squash+2)")
    return Edge(
        "squash" in said,
        "squish" in said,
        said.get("squash", 1),
        said.get("width", 0),
        said.get("height", 0),
        said.get("floor", 0),
        said.get("shift", 0),
    )


def _pool(text: str, whole: str) -> Pool:
    match = _POOL.fullmatch(text)
    if match is None:
        raise UserError(f"cannot read {whole!r}: {HELP}")
    dice = {"ed": 0, "md": 0}
    mods: list[Mod] = []
    for sign, number, kind in _TERM.findall(match[2]):
        if kind == "d":
            mods.append(Mod("bonus" if sign == "+" else "penalty", int(sign + number)))
        elif sign == "-":
            raise UserError(f"cannot read {whole!r}: write a penalty as -1d; it takes Special Dice by itself")
        else:
            dice[kind] += int(number)
    return Pool(int(match[1]), dice["ed"], dice["md"]).plus(*mods)


def spell(pool: Pool) -> str:
    """The notation of a pool."""
    special = "".join(f"+{number}{kind}" for number, kind in ((pool.expert, "ed"), (pool.master, "md")) if number)
    return f"{pool.dice}d{special}" + "".join(f"{mod.dice:+}d" for mod in pool.mods)


def spell_test(written: Written) -> str:
    """The notation of a test; `parse` reads it back."""
    sides = [
        spell(side.pool)
        + (f" diff {side.difficulty}" if side.difficulty != 1 else "")
        + (f" {side.pool.edge.words()}" if side.pool.edge != NO_EDGE else "")
        + (" high" if side.aim == "highest" else "")
        + (" sets" if side.count else "")
        for side in written.sides
    ]
    if written.table is not None:
        sides.append(f"{written.table[0]}x{written.table[1]}")
    return f" {written.joint} ".join(sides)


def refuse_what_cannot_be_rolled(rules: Ruleset, written: Written) -> None:
    """Refuses impossible pools, Difficulties and combinations."""
    _refuse_words(written)
    for side in written.sides:
        difficulty_of(rules, side.difficulty)
        special_dice(rules, side.pool.expert, side.pool.master, side.pool.several)
        thrown(rules, side.pool, side.difficulty)
    if written.table is not None and written.table[1] > sides(rules):
        raise UserError(f"there is no Height {written.table[1]}: a die shows 1 to {sides(rules)}")


def _refuse_words(written: Written) -> None:
    """Refuses words that have no effect."""
    joint, first = written.joint, written.sides[0]
    high = [side.aim == "highest" for side in written.sides]
    if any(side.count for side in written.sides) and (joint or first.aim == "highest"):
        raise UserError("the number of sets can only be asked of a single roll: write 7d sets")
    if joint in ("with", "race", "contest", "beat") and any(high):
        raise UserError(f"{joint} decides which set counts: leave out high")
    if joint == "vs" and high[1]:
        raise UserError("the opposing side always uses the widest set that counters: write high after the first pool only")
    if joint == "with" and len(_given(written)) > 1:
        raise UserError("all helpers roll against the same Difficulty: give only one")


def _given(written: Written) -> set[int]:
    """The written Difficulties; one counts for all sides of a contest."""
    return {side.difficulty for side in written.sides if side.difficulty != 1}


def written_test(rules: Ruleset, written: Written) -> Play[Outcome | Beaten | Ahead | int]:
    """Runs a parsed test."""
    first = written.sides[0]
    pools = tuple([side.pool for side in written.sides])
    hardest = max([side.difficulty for side in written.sides])
    if written.joint == "vs":
        other = written.sides[1]
        return (yield from opposed(rules, first.pool, other.pool, first.difficulty, other.difficulty, first.aim))
    if written.joint == "with":
        return (yield from cooperative(rules, pools, hardest))
    if written.joint in ("race", "contest"):
        numbers = tuple([side.difficulty for side in written.sides]) if len(_given(written)) > 1 else ()
        by: Literal["width", "height"] = "height" if written.joint == "race" else "width"
        return _ahead((yield from competitive(rules, pools, by, hardest, difficulties=numbers)))
    if written.table is not None:
        width, height = written.table
        if written.joint == "beat":
            return (yield from beat(rules, first.pool, width, height, first.difficulty))
        return (yield from against_set(rules, first.pool, width, height, first.difficulty, first.aim))
    if first.count:
        return (yield from set_count(rules, first.pool, first.difficulty))
    return (yield from make_test(rules, first.pool, first.difficulty, first.aim))


def _ahead(contest: Contest) -> Ahead:
    won = contest.winner
    return Ahead(None, max(contest.outcomes)) if won is None else Ahead(won + 1, contest.outcomes[won])


def show(outcome: Outcome | Beaten | Ahead | int) -> Shown:
    """An outcome in words."""
    if isinstance(outcome, int):
        words = "no set" if outcome == 0 else count(outcome, "set")
        return Shown(words, str(outcome), {"sets": outcome}, "success" if outcome else "failure", {"sets": outcome}, outcome)
    if isinstance(outcome, Ahead):
        label = f"draw at {outcome.outcome}" if outcome.side is None else f"side {outcome.side} wins with {outcome.outcome}"
        verdict: Literal["success", "draw", "failure"] = "draw" if outcome.side is None else "success" if outcome.side == 1 else "failure"
        value = {"winner": outcome.side, **_value(outcome.outcome)}
        return Shown(label, label, value, verdict, dict(value), 1000 * (outcome.side or 0) + _order(outcome.outcome))
    if isinstance(outcome, Beaten):
        label = "beaten" if outcome.beaten else f"{outcome.left} is left"
        value = {"beaten": outcome.beaten, **_value(outcome.left)}
        return Shown(label, label, value, "success" if outcome.beaten else "failure", dict(value), _order(outcome.left))
    return Shown(_words(outcome), str(outcome), _value(outcome), outcome.verdict, _value(outcome), _order(outcome))


def _words(outcome: Outcome) -> str:
    if not outcome.success:
        return "catastrophic failure" if outcome.catastrophe else "failure"
    return f"{outcome}, minimal success" if outcome.width == 1 else str(outcome)


def _value(outcome: Outcome) -> dict[str, Any]:
    return {"width": outcome.width, "height": outcome.height, "catastrophe": outcome.catastrophe}


def _order(outcome: Outcome) -> float:
    return outcome.width * 100 + outcome.height - outcome.catastrophe


def with_modifier(notation: str, modifier: int, against: str = "") -> str:
    """A notation with modifier dice and opposition: a Difficulty, a pool or a set."""
    pool, space, rest = notation.partition(" ")
    whole = f"{pool}{f'{modifier:+}d' if modifier else ''}{space}{rest}"
    if not against:
        return whole
    if against.isdecimal():
        return f"{re.sub(r' diff *[0-9]+', '', whole)} diff {against}"
    if _SET.fullmatch(against.lower()):
        return f"{whole} against {against}"
    return f"{whole} {against}" if _JOINTS.match(f" {against} ") or against.startswith("diff") else f"{whole} vs {against}"
