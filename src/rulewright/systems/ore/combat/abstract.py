"""The abstract damage system: Downs and Outs, their tests and consequences (book lines 4396-4463)."""

from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Play, Roll, Tell, sub
from rulewright.rules import Ruleset, Table, TableRow, instead_of, rule
from rulewright.systems.ore.drama.points import Fortune, fortunate_test, turned, with_fortune
from rulewright.systems.ore.drama.round_readings import TwoWidths
from rulewright.systems.ore.harm.body import Abstract, AnyBody, Hindrance, Injury, damage, fresh, shock_to, system_hindrance
from rulewright.systems.ore.harm.events import BodyMarked, BodyTested
from rulewright.systems.ore.harm.locations import Location
from rulewright.systems.ore.harm.over_time import fights_on
from rulewright.systems.ore.resolution.outcomes import without_dice
from rulewright.systems.ore.resolution.tests import Mod, Pool, make_test, thrown

Track = Literal["down", "out"]
HARDEST = 10
"""A test above this Difficulty fails automatically (ruling)."""


class ComparedRow(TableRow, frozen=True):
    """The result of damage compared with Body: Downs (or Outs), or a test."""

    compared: Literal["less", "equal", "greater"]
    marks: int
    test: bool = False


class TestedRow(TableRow, frozen=True):
    """The result of a Down or Out Test by Width."""

    width: int
    boxes: int = 0
    penalty: int = 0
    marks: int = 0


class BoxNameRow(TableRow, frozen=True):
    """The meaning of a crossed box."""

    box: int
    down: str
    out: str


COMPARED = Table("ore-4.07-opt07-abstract", ComparedRow)
TESTS = Table("ore-4.07-opt07-down-out-tests", TestedRow)
BOX_NAMES = Table("ore-4.07-opt07-boxes", BoxNameRow)


class Mark(NamedTuple):
    """Downs or Outs from an attack, and whether a test is due."""

    marks: int = 0
    test: bool = False


class Came(NamedTuple):
    """The result of a test on its track: a box, a penalty, or one more Down or Out."""

    boxes: int = 0
    penalty: int = 0
    marks: int = 0


@instead_of(fresh, "damage-system", "abstract")
def fresh_abstract(rules: Ruleset, statistic: int = 2) -> AnyBody:
    """A body without Injuries."""
    return Abstract(statistic=statistic)


def _abstract(body: AnyBody) -> Abstract:
    if not isinstance(body, Abstract):
        raise UserError("this body has no Downs and Outs; the campaign uses another damage system")
    return body


@rule("ore-4.07-opt07-abstract")
def compared(rules: Ruleset, amount: int = 3, body: int = 3) -> Mark:
    """Compares damage with Body: less is one Down (Kill) or Out (Shock), equal is two, more calls for a test. No damage has no effect
    (ruling). The setting tests-for-great-damage decides whether the test replaces Downs and Outs or adds to two."""
    if amount <= 0:
        return Mark()
    row = COMPARED(rules)["less" if amount < body else "equal" if amount == body else "greater"]
    besides = row.test and rules.word("tests-for-great-damage") == "besides two"
    return Mark(COMPARED(rules)["equal"].marks if besides else row.marks, row.test)


@rule("ore-4.07-opt07-abstract", "ore-4.07-opt07-recording")
@instead_of(damage, "damage-system", "abstract")
def abstract_damage(
    rules: Ruleset, body: AnyBody | None = None, location: Location = "torso", shock: int = 0, kill: int = 0, by: str = "", slash: int = 0
) -> Play[AnyBody]:
    """One Injury per attack: Downs for its Kill and Outs for its Shock, then the tests that are due, with all Downs and Outs as
    Difficulty. Two tests are one roll with two sets (ruling)."""
    now = _abstract(fresh(rules) if body is None else body)
    downs, outs = compared(rules, kill, now.statistic), compared(rules, shock, now.statistic)
    if not (downs.marks or downs.test or outs.marks or outs.test):
        return now
    now = replace(now, injuries=(*now.injuries, Injury(downs.marks, outs.marks)), stabilised=False)
    if downs.marks or outs.marks:
        yield Tell(BodyMarked(by, downs.marks, outs.marks, kill, shock, now.statistic, now.total))
    due: tuple[Track, ...] = tuple([track for track, mark in (("down", downs), ("out", outs)) if mark.test])  # type: ignore[misc]
    if due:
        now = yield from make_tests(rules, now, due, by)
    return _without_nothing(now)


def _without_nothing(body: Abstract) -> Abstract:
    """A body without a last Injury that has no effect."""
    return replace(body, injuries=body.injuries[:-1]) if body.injuries[-1] == Injury() else body


def make_tests(rules: Ruleset, body: Abstract, due: tuple[Track, ...], by: str = "") -> Play[Abstract]:
    """Makes the tests that are due and adds their results to the last Injury."""
    if body.luck or body.drama:
        body, result = yield from _turned_tests(rules, body, due, by)
    else:
        result = yield from sub(down_and_out, rules, body.health_threshold, body.total, body.penalty, due, by)
    threshold, penalty, difficulty = body.health_threshold, body.penalty, max(1, body.total)
    for track, what in zip(due, result, strict=True):
        yield Tell(BodyTested(by, track, threshold, penalty, difficulty, what.boxes, what.penalty, what.marks))
        body = _taken(body, track, what)
    return body


def _taken(body: Abstract, track: Track, item: Came) -> Abstract:
    """Applies the result of a test: a box on its track, the rest in the last Injury."""
    last = body.injuries[-1] if body.injuries else Injury()
    penalty = last.penalty + item.penalty
    if track == "down":
        last = Injury(last.downs + item.marks, last.outs, penalty)
        body = replace(body, down_boxes=min(3, body.down_boxes + item.boxes))
    else:
        last = Injury(last.downs, last.outs + item.marks, penalty)
        body = replace(body, out_boxes=min(3, body.out_boxes + item.boxes))
    return replace(body, injuries=(*body.injuries[:-1], last))


@rule("ore-4.07-opt07-down-out-tests")
def outcome_of_test(rules: Ruleset, width: int = 2) -> Came:
    """The result of a test by Width: no set crosses a box, 2 costs a die on every roll, 3 is a Down or Out, 4 nothing. A Minimal Success
    counts as 2 (ruling)."""
    reached = [row for row in TESTS(rules).values() if row.width <= (max(width, 2) if width else 0)]
    row = max(reached, key=lambda row: row.width, default=None)
    return Came(row.boxes, row.penalty, row.marks) if row is not None else Came()


@rule("ore-4.07-opt07-down-out-tests")
def down_and_out(
    rules: Ruleset, health_threshold: int = 6, difficulty: int = 3, penalty: int = 0, due: tuple[Track, ...] = ("down", "out"), by: str = ""
) -> Play[tuple[Came, ...]]:
    """Rolls the Health Threshold minus Wounds, with all Downs and Outs as Difficulty. A Down & Out Test is one roll with a set for each
    half; a half without a set fails, and the wider set goes to the Down (ruling)."""
    widths: tuple[int, ...] = (0,) * len(due)
    pool = health_pool(health_threshold, penalty)
    if difficulty <= HARDEST:
        what = _name(due)
        if len(due) == 1:
            widths = ((yield from make_test(rules, pool, max(1, difficulty), "widest", by, what)).width,)
        else:
            widths = yield from _two_sets(rules, pool, max(1, difficulty), by, what)
    return tuple([outcome_of_test(rules, width) for width in widths])


def _turned_tests(rules: Ruleset, body: Abstract, due: tuple[Track, ...], by: str) -> Play[tuple[Abstract, tuple[Came, ...]]]:
    """The same with luck or Drama Points."""
    widths: tuple[int, ...] = (0,) * len(due)
    pool = health_pool(body.health_threshold, body.penalty)
    dice = thrown(rules, pool, max(1, body.total)) if body.total <= HARDEST else None
    if len(due) == 1 and body.total <= HARDEST:
        body, outcome = yield from fortunate_test(rules, body, pool, max(1, body.total), by, _name(due))
        widths = (outcome.width,)
    elif dice is not None:
        widths, left = yield from turned(rules, TwoWidths(dice), Fortune(body.luck, body.drama), by, what=_name(due))
        body = with_fortune(body, left)
    elif body.total <= HARDEST:
        widths = yield from _without_dice(rules, by, _name(due))
    return body, tuple([outcome_of_test(rules, width) for width in widths])


def _name(due: tuple[Track, ...]) -> str:
    return " & ".join([track.capitalize() for track in due]) + " Test"


def health_pool(health_threshold: int, penalty: int) -> Pool:
    """The pool of a Down or Out Test: the Health Threshold minus Wounds."""
    return Pool(max(0, health_threshold)).plus(Mod("wounds", -penalty, "ore-4.07-opt07-down-out-tests"))


def _two_sets(rules: Ruleset, pool: Pool, difficulty: int, by: str, what: str) -> Play[tuple[int, ...]]:
    dice = thrown(rules, pool, difficulty)
    if dice is None:
        return (yield from _without_dice(rules, by, what))
    return (yield from Roll(TwoWidths(dice), by, what))


def _without_dice(rules: Ruleset, by: str, what: str) -> Play[tuple[int, ...]]:
    """A Luck die, if allowed, serves one half of a Down & Out Test."""
    lucky = yield from without_dice(rules, by, what)
    return lucky.width, 0


@rule("ore-4.07-opt07-abstract")
@instead_of(system_hindrance, "damage-system", "abstract")
def abstract_hindrance(rules: Ruleset, body: AnyBody) -> Hindrance:
    """One die for every penalty from tests."""
    return Hindrance(_abstract(body).penalty)


@instead_of(shock_to, "damage-system", "abstract")
def shock_to_abstract(rules: Ruleset, body: AnyBody, location: Location = "torso", shock: int = 1) -> AnyBody:
    """Shock without an attack, compared with Body; it never calls for a test (ruling)."""
    now = _abstract(body)
    outs = COMPARED(rules)["less" if shock < now.statistic else "equal"].marks if shock > 0 else 0
    return replace(now, injuries=(*now.injuries, Injury(0, outs))) if outs else now


# --- what follows -------------------------------------------------------------------------------------------------------------


class Standing(Struct, frozen=True):
    """The consequences of crossed boxes."""

    down: str = ""
    out: str = ""
    dead: bool = False
    needs_help: bool = False
    """Whether immediate medical attention is needed: dying or comatose."""


@rule("ore-4.07-opt07-boxes")
def standing(rules: Ruleset, down_boxes: int = 1, out_boxes: int = 0) -> Standing:
    """Incapacitated, dying, dead; unconscious, comatose, dead. The third failure on either track kills."""
    for crossed in (down_boxes, out_boxes):
        if not 0 <= crossed <= 3:
            raise UserError("a body has three Down Boxes and three Out Boxes")
    rows = BOX_NAMES(rules)
    return Standing(
        rows[str(down_boxes)].down if down_boxes else "",
        rows[str(out_boxes)].out if out_boxes else "",
        max(down_boxes, out_boxes) >= 3,
        max(down_boxes, out_boxes) == 2,
    )


@rule("ore-4.07-opt07-boxes")
def due_tests(body: Abstract) -> tuple[Track, ...]:
    """The tests that a body must repeat: both tracks when Mauled, or incapacitated and unconscious; an Out Test when incapacitated, a
    Down Test when unconscious. Stabilising ends it (ruling: until hurt again)."""
    if body.dead or body.stabilised:
        return ()
    if body.mauled or (body.down_boxes and body.out_boxes):
        return "down", "out"
    return ("out",) if body.down_boxes else ("down",) if body.out_boxes else ()


@rule("ore-4.07-opt07-boxes", "ore-4.07-opt07-abstract")
@instead_of(fights_on, "damage-system", "abstract")
def fights_for_life(rules: Ruleset, body: AnyBody, by: str = "") -> Play[AnyBody]:
    """Repeats the tests of a Mauled, incapacitated or unconscious body after as many rounds as the Health Threshold."""
    now = _abstract(body)
    due = due_tests(now)
    if not due:
        return replace(now, rounds=0) if now.rounds else now
    if now.rounds + 1 < now.health_threshold:
        return replace(now, rounds=now.rounds + 1)
    now = yield from make_tests(rules, replace(now, rounds=0, injuries=(*now.injuries, Injury())), due, by)
    return _without_nothing(now)


@rule("ore-4.07-opt07-abstract")
def stabilise(body: Abstract) -> Abstract:
    """First aid: the body needs no more tests until it is hurt again."""
    return replace(body, stabilised=True, rounds=0)
