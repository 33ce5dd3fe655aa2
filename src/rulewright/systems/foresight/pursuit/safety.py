"""Safety rolls for a vehicle that was driven too fast or steered badly (book lines 3473-3482)."""

from msgspec.structs import replace

from rulewright.play import Play, Tell
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, less, term, total
from rulewright.rules.reasons import rounded as rounded_off
from rulewright.systems.foresight.gear.vehicles import SAFETY
from rulewright.systems.foresight.harm.events import OfARoll
from rulewright.systems.foresight.pursuit.craft import A_CAR, Craft, hurt_aboard
from rulewright.systems.foresight.resolution.tests import FAILURE, Mod, Task, Weighed, attempt, weighed

A_DRIVER = Task(12, 6)
"""A person who can drive, for rules that are asked without naming anybody."""


class Skidded(OfARoll, frozen=True):
    """A safety roll and what it did."""

    name: str
    qr: int
    result: str
    level: int
    """The safety roll, where there was one."""

    def headline(self) -> str:
        if self.result == "nothing":
            return f"{self.name} skids without harm"
        return f"{self.name}: {self.result}, damage level {self.level}"

    def tone(self) -> str:
        return "plain" if self.result == "nothing" else "bad"


@rule("fs-safety-rolls")
def too_fast(rules: Ruleset, bid: int = 0, safe: float = -1) -> bool:
    """Whether the speed alone calls for a safety roll: a bid lower, and so faster, than the vehicle's Safe rating."""
    return bid < safe


@rule("fs-safety-rolls")
def safety_modifier(rules: Ruleset, bid: int = 0, safe: float = -1) -> Derived[int]:
    """The modifier of a safety roll: the speed bid less the Safe rating, a help where the speed was safe."""
    return total("safety modifier", term("bid", bid), less("Safe", safe), rounded_off(), rule="fs-safety-rolls")


@rule("fs-safety-rolls", "fs-safety-speed-dc")
def crash_class(rules: Ruleset, qr: int = 7, ds: float = 3, bid: int = 0) -> Derived[float] | None:
    """The damage class that everybody aboard suffers after a failed safety roll: 8 or 12 less the vehicle's damage scale.

    Where the campaign plays so, 2 less the speed bid is added.
    """
    row = SAFETY.get(rules, str(qr))
    if row.dc is None:
        return None
    terms = [term(row.result, row.dc), term("damage scale", -ds)]
    faster = 2 - bid if rules.on("faster-crashes") else 0
    if faster:
        terms.append(term("speed", faster, rule="fs-safety-speed-dc"))
    return total("damage class of the crash", *terms, rule="fs-safety-rolls")


@rule("fs-safety-rolls")
def safety_roll(rules: Ruleset, craft: Craft = A_CAR, driving: Task = A_DRIVER, bid: int = 0, by: str = "") -> Play[Craft]:
    """A driving roll at the speed bid less the Safe rating: QR4 damages the vehicle, QR7 stops it, QR10 wrecks it.

    Those aboard suffer in the last two cases, each with a random rating (ruling). Damage levels add up (stand-in).
    """
    return (yield from safety_rolls(rules, craft, driving, bid, by=by, count=1))


def safety_rolls(rules: Ruleset, craft: Craft, driving: Task, bid: int, *, by: str, count: int) -> Play[Craft]:
    """So many safety rolls at once: all of them damage the vehicle, and those aboard suffer the worst of them (ruling)."""
    modifier = safety_modifier(rules, bid, craft.safe).value
    task = driving.plus(Mod("speed bid less Safe", modifier, "fs-safety-rolls"))
    worst = 0
    for _ in range(count):
        rolled = yield from attempt(rules, task, by, "safety")
        craft = yield from _damaged(rules, craft, rolled.qr, weighed(rules, task))
        worst = max(worst, rolled.qr)
    return (yield from _suffered(rules, craft, worst, bid))


@rule("fs-safety-rolls")
def crash(rules: Ruleset, craft: Craft = A_CAR, qr: int = FAILURE, bid: int = 0, modifier: int = 0) -> Play[Craft]:
    """Applies a safety roll of this rating to the vehicle and to those aboard; what modified the roll changes nothing any more."""
    craft = yield from _damaged(rules, craft, qr, None)
    return (yield from _suffered(rules, craft, qr, bid))


def _damaged(rules: Ruleset, craft: Craft, qr: int, of: Weighed | None) -> Play[Craft]:
    """Damages the vehicle by a rating."""
    row = SAFETY.get(rules, str(qr))
    craft = replace(craft, level=craft.level + row.levels)
    yield from Tell(Skidded(name=craft.name, qr=qr, result=row.result, level=craft.level, of=of))
    return craft


def _suffered(rules: Ruleset, craft: Craft, qr: int, bid: int) -> Play[Craft]:
    """Hurts those aboard by a rating."""
    suffered = crash_class(rules, qr, craft.ds, bid)
    if suffered is None:
        return craft
    return (yield from hurt_aboard(rules, craft, f"{suffered.value:.4f}".rstrip("0").rstrip(".")))
