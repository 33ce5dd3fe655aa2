"""What a game gives to roll requests: certain results for more time, group tests, extended tasks, and the price of another try."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from rulewright.build.sheet_parts import Test
from rulewright.campaign.roll_request import Take
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts


class GroupTest(Struct, frozen=True):
    """A way of the game to join several people in one test."""

    name: str
    words: str
    rule: str
    least: int = 2
    most: int = 24
    """How many people may take part."""


class Again(Struct, frozen=True):
    """The price of another try: a modifier of the roll, and how much longer it takes."""

    words: str = "another try"
    modifier: int = 0
    times: int = 1
    rule: str = ""


class RequestRules:
    """The rules of a game about roll requests. A game without its own has plain tests."""

    groups: tuple[GroupTest, ...] = ()
    gathers: str = "successes"
    """What an extended task counts."""
    extended_rule: str = ""
    rules: tuple[str, ...] = ()
    """Further rules that every roll request of the game follows."""

    def takes(self, rules: Ruleset, test: Test, modifier: int, target: str, seconds: int) -> tuple[Take, ...]:
        """Lists the results that somebody may have for more time instead of the plain roll."""
        return ()

    def together(self, rules: Ruleset, group: str, notations: Sequence[str], target: str) -> str:
        """The notation of one test of several people, from the notation of each."""
        raise NotImplementedError

    def gain(self, rules: Ruleset, outcome: Any, success: bool) -> int:
        """How far one result brings an extended task: by default one for a success."""
        return int(success)

    def again(self, rules: Ruleset, tries: int) -> Again:
        """The price of another try after so many."""
        return Again()

    def seconds(self, rules: Ruleset, outcome: Any, estimate: int) -> int:
        """How long an attempt took that was estimated to take so long."""
        return estimate

    def body_after(self, rules: Ruleset, outcome: Any) -> Mapping[str, Lasts] | None:
        """The condition of a person whose body is the outcome of a rule; None if it is no body."""
        return None

    def argument(self, rules: Ruleset, character: Any, wanted: Any, notation: str) -> Any:
        """A rule's argument of a type, read from a character and the notation of a test; None if the character has none."""
        return None


PLAIN = RequestRules()
