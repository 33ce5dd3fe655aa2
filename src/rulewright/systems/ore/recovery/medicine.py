"""Recovery by rest and medicine in each damage system (book lines 4382-4394, 4465-4483, 4531, 4717-4727)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.play import Choice, Option, Play, Range, sub
from rulewright.rules import Column, Ruleset, rule
from rulewright.systems.ore.combat.abstract import HARDEST
from rulewright.systems.ore.harm.body import Abstract, AnyBody, Injury, Located, Part, Vital
from rulewright.systems.ore.harm.locations import Location
from rulewright.systems.ore.harm.wounds import staunched_one
from rulewright.systems.ore.people.advantages import shrugged_off
from rulewright.systems.ore.people.feat_effects import Feats, Try, helps, with_help
from rulewright.systems.ore.resolution.outcomes import Outcome
from rulewright.systems.ore.resolution.tests import Mod, Pool, make_test

SIX = Pool(6)
DAYS = 7
"""Days in a week of rest."""


# --- boxes in every part of the body ------------------------------------------------------------------------------------------


@rule("ore-4.09-recovery")
def day_of_rest(body: Located) -> Located:
    """A day of rest halves the Shock in every location; a last point heals too (ruling)."""
    return replace(body, parts=tuple([replace(part, shock=rested(part.shock)) for part in body.parts]))


@rule("ore-4.09-recovery")
def rested(shock: int = 5) -> int:
    """The Shock left after a day of rest: half, rounded down (ruling), and none of a last point."""
    left = shock // 2
    return 0 if left == 1 else left


@rule("ore-4.09-recovery")
def week_of_rest(body: Located) -> Located:
    """A week of rest turns 1 Kill into Shock in every location."""
    return replace(body, parts=tuple([_turned(part, 1) for part in body.parts]))


def _turned(part: Part, points: int) -> Part:
    """Turns Kill into Shock."""
    turned = min(points, part.kill)
    return replace(part, kill=part.kill - turned, shock=part.shock + turned) if turned else part


@rule("ore-4.09-medicine")
def treated(part: Part, points: int = 2) -> Part:
    """Medicine on a location: each point turns Kill into Shock, then heals Shock."""
    if points < 0:
        raise UserError("medicine cannot heal a negative amount")
    after = _turned(part, points)
    over = points - (part.kill - after.kill)
    return replace(after, shock=max(0, after.shock - over)) if over else after


@rule("ore-4.09-medicine")
def medicine(
    rules: Ruleset, body: Located, location: Location = "torso", pool: Pool = SIX, by: str = "", hard_to_kill: int = 0
) -> Play[Located]:
    """Psyche and Medicine on a location, with all its damage as Difficulty; the Width treats points (ruling; setting medicine-heals).
    Each level of Hard To Kill adds a die (ruling)."""
    part = body.part(location)
    total = part.shock + part.kill
    if not total or total > HARDEST:
        return body
    outcome = yield from make_test(rules, _hardy(pool, hard_to_kill), total, by=by, what=f"medicine, {part.location}")
    points = outcome.height if rules.word("medicine-heals") == "height" and outcome.width else outcome.width
    return body.put(treated(part, points)) if points else body


def _hardy(pool: Pool, levels: int) -> Pool:
    """A pool of a roll to heal somebody who is Hard To Kill."""
    return pool.plus(Mod("Hard To Kill", shrugged_off(levels), "ore-2.27-hard-to-kill"))


# --- Vital Boxes --------------------------------------------------------------------------------------------------------------


@rule("ore-4.07-opt06-vital-healing")
def catch_breath(body: Vital) -> Vital:
    """After a fight half of all Shock is gone (ruling: rounded up)."""
    return replace(body, shock=body.shock // 2)


@rule("ore-4.07-opt06-vital-healing")
def night_of_sleep(body: Vital, width: int = 0) -> Vital:
    """A night's sleep heals Body in Shock, plus the Width of a medicine roll."""
    return replace(body, shock=max(0, body.shock - body.statistic - width))


@rule("ore-4.07-opt06-vital-healing")
def day_for_kill(body: Vital, rest: bool = True, width: int = 0) -> Vital:
    """A day of rest heals a Kill Box; with a medicine roll even when active."""
    return replace(body, kill_lost=max(0, body.kill_lost - 1)) if rest or width else body


@rule("ore-4.07-opt06-vital-healing", "ore-4.07-opt09-wounds", "ore-4.07-opt07-healing")
def healings(days: int = 7, width: int = 0, active: int = 0, most_active: int | None = None) -> int:
    """How often something heals that takes a week of rest. Medicine shortens the week by its Width in days (ruling), or allows as many
    active days."""
    if active > (width if most_active is None else min(width, most_active)):
        raise UserError(f"a Width of {width} does not allow {count(active, 'active day')}")
    return (days + active) // DAYS if active else days // rest_needed(width)


@rule("ore-4.07-opt06-vital-healing", "ore-4.07-opt09-wounds", "ore-4.07-opt07-healing")
def rest_needed(width: int = 0) -> int:
    """The days of rest for what takes a week: a week, less the Width of a medicine roll in days (ruling), and at least one."""
    return max(1, DAYS - width)


@rule("ore-4.09-medicine")
def medicine_width(rules: Ruleset, pool: Pool = SIX, by: str = "", hard_to_kill: int = 0) -> Play[int]:
    """The Width of a medicine roll for a body without locations, or for a Wound: no Difficulty (ruling). Hard To Kill adds dice."""
    return (yield from make_test(rules, _hardy(pool, hard_to_kill), by=by, what="medicine")).width


@rule("ore-4.07-opt06-vital-healing")
def week_for_vital(body: Vital, days: int = 7, width: int = 0, active: int = 0) -> Vital:
    """A Vital Box heals per week of rest, sooner with medicine."""
    return replace(body, vital_lost=max(0, body.vital_lost - healings(days, width, active)))


# --- Wounds -------------------------------------------------------------------------------------------------------------------


@rule("ore-4.07-opt09-wounds")
def wounds_heal(body: AnyBody, days: int = 7, width: int = 0, active: int = 0) -> AnyBody:
    """A Wound heals per week of rest, sooner with medicine, which may allow one active day; the oldest first."""
    return replace(body, wounds=body.wounds[healings(days, width, active, 1) :])


@rule("ore-4.07-opt09-wounds")
def staunch(rules: Ruleset, body: AnyBody, pool: Pool = SIX, by: str = "") -> Play[AnyBody]:
    """Medicine staunches a Wound with a set (ruling: no Difficulty, one roll per Wound)."""
    if not any(wound.bleeding for wound in body.wounds):
        return body
    outcome = yield from make_test(rules, pool, by=by, what="staunching a wound")
    return staunched_one(body) if outcome.success else body


# --- Downs and Outs -----------------------------------------------------------------------------------------------------------

Mark = Literal["downs", "outs"]


class Healed(Struct, frozen=True):
    """One Down or Out healed, by index of the Injury."""

    injury: int
    mark: Mark


@rule("ore-4.07-opt07-healing")
def can_heal(body: Abstract) -> tuple[Healed, ...]:
    """Downs and Outs that can heal now: of Injuries that are not Wounds."""
    healeds = []
    for place, injury in enumerate(body.injuries):
        if not injury.penalty:
            healeds += [Healed(place, "downs")] * bool(injury.downs) + [Healed(place, "outs")] * bool(injury.outs)
    return tuple(healeds)


@rule("ore-4.07-opt07-healing")
def heal(body: Abstract, healed: tuple[Healed, ...]) -> Abstract:
    """The body with these healed. An empty Injury is removed."""
    injuries = list(body.injuries)
    for candidate in healed:
        if not 0 <= candidate.injury < len(injuries):
            raise UserError(f"there is no Injury {candidate.injury}, only {count(len(injuries), 'Injury', 'Injuries')}")
        injury = injuries[candidate.injury]
        if injury.penalty:
            raise UserError(f"{injury} is a Wound; heal its penalty first")
        if not getattr(injury, candidate.mark):
            raise UserError(f"{injury} has no {candidate.mark} to heal")
        injuries[candidate.injury] = _less(injury, candidate.mark)
    return replace(body, injuries=tuple([injury for injury in injuries if injury != Injury()]))


def _less(injury: Injury, mark: Mark) -> Injury:
    return replace(injury, **{mark: getattr(injury, mark) - 1})


@rule("ore-4.07-opt07-healing")
def superficial(rules: Ruleset, body: Abstract, by: str = "") -> Play[Abstract]:
    """After a rest, up to Body Downs and Outs heal, chosen among Injuries that are not Wounds."""
    return (yield from taken_off(body, body.statistic, by=by))


@rule("ore-4.07-opt07-healing")
def abstract_day(rules: Ruleset, body: Abstract, attended: bool = False, by: str = "") -> Play[Abstract]:
    """A day of rest heals a Down or Out, medical attention another."""
    return (yield from taken_off(body, 1 + attended, by=by))


def taken_off(body: Abstract, most: int, mark: Mark | None = None, by: str = "") -> Play[Abstract]:
    """Asks one by one which Downs and Outs heal."""
    chosen: list[Healed] = []
    left = body  # Injuries keep their numbers until all is said
    for _ in range(most):
        open_to = [candidate for candidate in can_heal(left) if mark in (None, candidate.mark)]
        if not open_to:
            break
        healed = open_to[0]
        if len(open_to) > 1 or mark is None:
            options = tuple(
                [
                    Option(f"{healed.injury + 1} {healed.mark}", f"{left.injuries[healed.injury]}: {healed.mark}", healed)
                    for healed in open_to
                ]
            )
            healed = yield from Choice(by, "What do you heal?", options, left, "heal")
        chosen.append(healed)
        left = replace(
            left, injuries=tuple([_less(result, healed.mark) if i == healed.injury else result for i, result in enumerate(left.injuries)])
        )
    return heal(body, tuple(chosen))


@rule("ore-4.07-opt07-healing")
def penalty_heals(body: Abstract, days: int = 7, width: int = 0, active: int = 0) -> Abstract:
    """The penalty of a Wound heals after a week of rest, sooner with medicine, one after another."""
    weeks = healings(days, width, active)
    injuries = []
    for injury in body.injuries:
        gone = min(weeks, injury.penalty)
        weeks -= gone
        injuries.append(replace(injury, penalty=injury.penalty - gone))
    return replace(body, injuries=tuple([injury for injury in injuries if injury != Injury()]))


RECOVERIES = Column("ore-4.07-opt07-healing", "width", int, boxes=int)
"""Boxes recovered by a Recovery Test."""


@rule("ore-4.07-opt07-healing")
def boxes_recovered(rules: Ruleset, width: int = 2) -> int:
    """Boxes recovered by Width (stand-in: the chart is lost)."""
    reached = {least: boxes for least, boxes in RECOVERIES.numbered(rules).items() if least <= (width if width > 1 else 0)}
    return reached[max(reached)] if reached else 0


@rule("ore-4.07-opt07-healing")
def recovery_test(rules: Ruleset, body: Abstract, by: str = "", hard_to_kill: int = 0, feats: Feats = ()) -> Play[Abstract]:
    """A Recovery Test for Down and Out Boxes: Health Threshold minus Wounds, with all Downs and Outs as Difficulty; the Width gives the
    boxes. Hard To Kill adds dice, and `feats` may squash or squish."""
    if body.dead or not (body.down_boxes or body.out_boxes) or body.total > HARDEST:
        return body
    pool = _hardy(Pool(body.health_threshold).plus(Mod("wounds", -body.penalty, "ore-4.07-opt07-healing")), hard_to_kill)
    pool = with_help(pool, helps(rules, feats, Try(on=("recovery",), when=("recovering from harm",))))
    outcome: Outcome = yield from sub(make_test, rules, pool, max(1, body.total), "widest", by, "Recovery Test")
    boxes = min(boxes_recovered(rules, outcome.width), body.down_boxes + body.out_boxes)
    if not boxes:
        return body
    least, most = max(0, boxes - body.out_boxes), min(boxes, body.down_boxes)
    downs = most
    if least < most:
        downs = yield from Choice[int](by, "How many of the boxes are Down Boxes?", Range(least, most), body, "recover")
    return replace(body, down_boxes=body.down_boxes - downs, out_boxes=body.out_boxes - (boxes - downs))
