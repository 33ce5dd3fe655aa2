"""Piloting tests: the test behind every maneuver of a machine."""

from msgspec import Struct

from rulewright.play import Play, Roll, Scale, Tell, came_to
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.harm.events import Managed
from rulewright.systems.silhouette.resolution.tests import DIE, Mod, Pool, action_test, succeeds

PILOT = Pool(2, hero=False)
"""A qualified crew, the default of a machine."""
STEERING = Scale(("does it", "fails", "fumbles"), ("does it",), "does it", "fails")
"""The possible results of a piloting test."""


class Piloted(Struct, frozen=True):
    """A piloting test: whether it passed, its Margin of Success or, if negative, of Failure, and whether it fumbled."""

    passed: bool
    margin: int
    fumble: bool = False

    @property
    def failed_by(self) -> int:
        """The Margin of Failure; 0 if it did not fail."""
        return max(0, -self.margin)


def steer(
    rules: Ruleset,
    pilot: Pool,
    threshold: int,
    name: str,
    *,
    what: str,
    rule: str,
    mods: tuple[Mod, ...] = (),
    skill: str = "Piloting",
    closes: bool = False,
    fumble_line: int = 0,
) -> Play[Piloted]:
    """Roll a piloting test and tell it. `fumble_line` is the book line of a fumble clause, if the test has one. `closes` if no other
    event gives the result of the attempt."""
    test = yield from action_test(rules, pilot.plus(*mods), threshold, name, what)
    passed = succeeds(rules, test, fumble_line)
    how = f"fumbles{' and yet succeeds' if passed else ''} at" if test.fumble else "succeeds at" if passed else "fails at"  # 611: told
    yield from Tell(Managed(name, f"{how} {what}", test, rule, "plain" if passed else "bad", skill))
    if closes:
        yield from came_to("does it" if passed else "fumbles" if test.fumble else "fails", STEERING, name)
    return Piloted(passed, test.margin, test.fumble)


def a_die(name: str, what: str) -> Play[int]:
    """The face of one die."""
    return (yield from Roll(DIE, name, what))


def handling(maneuver: int) -> Mod:
    """The machine's Maneuver as a modifier."""
    return Mod("Maneuver", maneuver, "sil-4.1.6-maneuver")
