"""Study, learning in play and down-time (book lines 1072-1103)."""

from msgspec import Struct

from rulewright.dice.limits import bound
from rulewright.errors import UserError
from rulewright.play import Play
from rulewright.rules import Figures, Ruleset, rule
from rulewright.rules.reasons import Derived, at_least, divided, less, rounded_down, term, times, total
from rulewright.rules.reasons import rounded as rounded_off
from rulewright.systems.foresight.people.attributes import attribute_task
from rulewright.systems.foresight.people.skills import skill_price
from rulewright.systems.foresight.resolution.tests import RATINGS, amount, attempt

DOWNTIME, LEARNT_IN_PLAY = Figures("fs-downtime"), Figures("fs-learn-skill-in-play")


@rule("fs-spending-experience")
def studied(rules: Ruleset, points: int = 8, qr: int = 3) -> Derived[int]:
    """Education points that study makes of an award: the yield of an intelligence roll."""
    bound("the points of an award", points, 0, 100_000)
    if qr not in RATINGS:
        raise UserError(f"a quality rating is one of {', '.join(map(str, RATINGS))}, not {qr}")
    share = amount(rules, qr, points)
    return total("education points", term("yield", share), rounded_off(), at_least(0), rule="fs-spending-experience")


@rule("fs-spending-experience")
def study(rules: Ruleset, points: int = 8, intelligence: int = 9) -> Play[int]:
    """An award turned towards fields: an intelligence roll says how many of its points become education points."""
    quality = yield from attempt(rules, attribute_task(rules, "IN", intelligence), "", "study")
    return studied(rules, points, quality.qr).value


@rule("fs-spending-experience")
def study_months(rules: Ruleset, points: int = 5, part_time: bool = False) -> float:
    """How many months of study so many education points stand for: three for five, twice that beside other work."""
    bound("education points", points, 0, 100_000)
    months, number = DOWNTIME.of(rules, "months"), DOWNTIME.of(rules, "points", least=1)
    return points / number * months * (2 if part_time else 1)


@rule("fs-spending-experience")
def unspent_lost(rules: Ruleset, unspent: int = 13) -> Derived[int]:
    """Points that are lost unless they are spent now: no more than ten are kept."""
    most = rules.number("unspent-points")
    source = rules.source("unspent-points")
    return total("lost", term("unspent", unspent), less("kept", most), at_least(0), rule="fs-spending-experience", source=source)


@rule("fs-learn-skill-in-play")
def learn_in_play(rules: Ruleset, skill: str = "Aircraft", qr: int = 3, banked: int = 10) -> Derived[int]:
    """A character who uses an unlearnt skill and reaches QR3 may buy it at level 0 at once, for the usual price."""
    if qr not in RATINGS:
        raise UserError(f"a quality rating is one of {', '.join(map(str, RATINGS))}, not {qr}")
    enough = LEARNT_IN_PLAY.of(rules, "rating")
    if qr > enough:
        raise UserError(f"a skill is learnt by using it at QR{enough} or better, not at QR{qr}")
    cost = skill_price(rules, skill, 0)
    if cost.value > banked:
        raise UserError(f"{skill} costs {cost.value} points at level 0 and {banked} are banked")
    return total(f"{skill} learnt in play", term("price", cost), rule="fs-learn-skill-in-play")


@rule("fs-downtime")
def downtime(rules: Ruleset, months: int = 3) -> Derived[int]:
    """Five character points for every full three months of study and practice, where the campaign gives them."""
    bound("months of down-time", months, 0, 1200)
    if not rules.on("downtime"):
        raise UserError("this campaign gives nothing for down-time (setting downtime)")
    quarters = (divided("months each", DOWNTIME.of(rules, "months", least=1)), rounded_down())
    return total("down-time", term("months", months), *quarters, times("points each", DOWNTIME.of(rules, "points")), rule="fs-downtime")


class Trained(Struct, frozen=True):
    """What down-time came to: character points, and how many of them may go into fields."""

    points: int
    education: int


@rule("fs-downtime")
def train(rules: Ruleset, months: int = 3, willpower: int = 9, intelligence: int = 9, rolls: bool = True) -> Play[Trained]:
    """Down-time with rolls: each quarter a willpower roll to keep at it, then an intelligence roll for what may go into fields."""
    whole, kept, number = downtime(rules, months).value, 0, DOWNTIME.of(rules, "points", least=1)
    for quarter in range(1, whole // number + 1):
        if (
            not rolls
            or (yield from attempt(rules, attribute_task(rules, "WP", willpower), "", f"keeping at it, quarter {quarter}")).qr <= 4
        ):
            kept += number
    if not kept:
        return Trained(0, 0)
    return Trained(kept, (yield from study(rules, kept, intelligence)))
