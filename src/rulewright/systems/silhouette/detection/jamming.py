"""ECM and ECCM: jammed communications, degraded sensors, spoofed missiles, and countermeasures (book lines 4788-4800)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Play, Scale
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.systems.silhouette.machines.design.rounding import Figure as Number
from rulewright.systems.silhouette.machines.machine import Machine
from rulewright.systems.silhouette.resolution.tests import Opposed, Pool, Side, Test, action_test, opposed_test, rolled
from rulewright.systems.silhouette.units.visible_traits import Jam

_ECM = "sil-5.3.3-ecm"
Jamming = Literal["jam communications", "degrade sensors", "spoof"]
Countering = Literal["counteract", "shorten"]


class EffectRow(TableRow, frozen=True):
    """An effect of electronic warfare: its system and its result."""

    effect: str
    system: Literal["ecm", "eccm"]
    does: str


EFFECTS = Table(_ECM, EffectRow)

JAMMING = Scale(("comes through", "jammed"), ("comes through",), "comes through", "jammed")
"""The possible results of a message under jamming."""
COUNTERING = Scale(("no effect", "weaker"), ("weaker",), "weakens it", "no effect")
"""The possible results of a countermeasure."""


def jammers(machine: Machine, system: Literal["ecm", "eccm"]) -> tuple[tuple[int, Number], ...]:
    """The jamming systems of a machine: rating, and range in kilometres."""
    return tuple([(perk.rating or 0, perk.amount or 0) for perk in machine.perks if perk.name == system for _ in range(perk.count)])


@rule(_ECM)
def jam(rules: Ruleset, pool: Pool, reach: Number, effect: Jamming = "jam communications", by: str = "", voice: str = "") -> Play[Jam]:
    """Switch a jammer on for the round, for an action at its beginning: Information Warfare plus its rating is the Threshold for others."""
    EFFECTS.get(rules, effect)
    result = yield from rolled(rules, pool, voice or by, f"ECM: {effect}")
    return Jam(by, effect, result.total, reach)


class Countered(Struct, frozen=True):
    """The result of a countermeasure: the jammer now, and the contest."""

    jam: Jam
    came: Opposed

    @property
    def won(self) -> bool:
        """Whether it had any effect."""
        return self.came.margin > 0


@rule(_ECM)
def counter(
    rules: Ruleset, own: Pool, theirs: Pool, active: Jam, effect: Countering = "counteract", by: str = "", against: str = ""
) -> Play[Countered]:
    """Roll a countermeasure against one jammer in range: opposed; on a win its margin is subtracted from the jammer's Threshold, or in
    kilometres from its range; neither falls below zero."""
    opposed = yield from opposed_test(rules, Side(own), Side(theirs), by, against or active.by, f"ECCM: {effect}", "ECM")
    if opposed.margin <= 0:
        return Countered(active, opposed)
    if effect == "counteract":
        return Countered(replace(active, threshold=max(0, active.threshold - opposed.margin)), opposed)
    return Countered(replace(active, reach=max(0, active.reach - opposed.margin)), opposed)


def strongest(jams: tuple[Jam, ...], effect: Jamming) -> int | None:
    """The Threshold under several jammers: the highest of them; None under none."""
    return max((candidate.threshold for candidate in jams if candidate.effect == effect), default=None)


class Sent(Struct, frozen=True):
    """A message under jamming: whether it arrived, and the test."""

    through: bool
    test: Test


@rule(_ECM)
def message(rules: Ruleset, pool: Pool, threshold: int, by: str = "") -> Play[Sent]:
    """Roll a message into or out of a jammer's range: Information Warfare plus the radio's rating must beat it, or it is lost, together
    with its Command Point."""
    test = yield from action_test(rules, pool, threshold, by, "a message through jamming")
    return Sent(test.total > test.threshold and not test.fumble, test)  # 4792: failed or fumbled, it does not get through


@rule(_ECM)
def spoof(rules: Ruleset, pool: Pool, attack: int, by: str = "") -> Play[Test]:
    """Roll to spoof missiles and guided weapons: Information Warfare plus the rating is a second defense; a tie spoofs them too."""
    if attack < 0:
        raise UserError(f"the attack total must be 0 or more, not {attack}")
    return (yield from action_test(rules, pool, attack, by, "spoofing"))


def spoofed(test: Test) -> bool:
    """Whether the second defense succeeded."""
    return test.total >= test.threshold
