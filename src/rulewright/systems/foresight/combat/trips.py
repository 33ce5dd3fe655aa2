"""Tripping: how much better the attack has to be than the victim's footing (book line 3240)."""

from typing import Literal

from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, term, total
from rulewright.systems.foresight.harm.events import Attempted
from rulewright.systems.foresight.people.attributes import capacity
from rulewright.systems.foresight.resolution.tests import BARELY, Task, attempt, weighed

Footing = Literal["standing", "kneeling", "prone"]
AGILE = Task(9, 7)
"""A person of ordinary agility, for rules that are asked without naming anybody."""
MOST_LEGS = 4


@rule("fs-special-melee-attacks")
def trip_need(rules: Ruleset, strength: int = 9, kg: float = 75, legs: int = 2) -> Derived[int]:
    """By how many points of rating a trip has to be better to bring a person to their knees.

    One more where the attacker could not lift the victim and two where not even drag it, which add up as in the book's own sum
    (ruling, setting trip-weights); one more for four legs. Six legs and more cannot be tripped.
    """
    if legs > MOST_LEGS:
        raise UserError(f"a creature with {count(legs, 'leg')} cannot be tripped")
    limits = capacity(rules, strength)
    heavy, heavier = kg > limits.lift, kg > limits.drag
    lift = int(heavy and not (heavier and rules.word("trip-weights") == "replace"))
    terms = [("better at all", 1), ("cannot lift", lift), ("cannot drag", 2 * heavier), ("four legs", int(legs == MOST_LEGS))]
    reasons = [term(label, value) for label, value in terms if value]
    return total("advantage needed", *reasons, rule="fs-special-melee-attacks")


@rule("fs-special-melee-attacks")
def tripped(rules: Ruleset, attack: int = 2, footing: int = 7, need: int = 1) -> Footing:
    """The footing after a trip: on their knees with just the advantage needed, flat on the ground with more."""
    ahead = footing - attack
    if attack > BARELY or ahead < need:
        return "standing"
    return "kneeling" if ahead == need else "prone"


@rule("fs-special-melee-attacks")
def keep_footing(rules: Ruleset, attack: int = 2, footing: Task = AGILE, need: int = 1, by: str = "") -> Play[Footing]:
    """The victim of a successful trip rolls agility or Acrobatics to stay on the feet."""
    if attack > BARELY:
        return "standing"
    rolled = yield from attempt(rules, footing, by, "keeping the feet")
    stance = tripped(rules, attack, rolled.qr, need)
    if by:
        said = f"{'keeps' if stance == 'standing' else 'cannot keep'} their feet (QR{rolled.qr}; needs {need} less than the trip)"
        yield from Tell(Attempted(by, said, of=((by, weighed(rules, footing)),)))
    return stance
