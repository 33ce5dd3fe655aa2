"""`SYSTEM`: the interface of Pebbles to Rulewright."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pebbles import duel, race, skim, throwers
from pebbles.coins import Throw, coins, throw
from pebbles.downtime import DOWNTIME, Stranger
from pebbles.settings import BOOK
from rulewright.build.audit import Audit
from rulewright.build.sheet_parts import Sheet
from rulewright.campaign.downtime_rules import DowntimeRules
from rulewright.campaign.generators import Generator
from rulewright.errors import UserError
from rulewright.play import Play, Roll, Sub, Tactic, first_option, sub
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.system import Shown, Staging, System

_WRITTEN = re.compile(r"(\d{1,3})c(?:\s*vs\s*(\d{1,3})(c)?)?", re.ASCII)


def flip(rules: Ruleset, number: int) -> Play[int]:
    """Flip coins and count heads."""
    return (yield from Roll(coins(rules, number), "", "heads"))


def against(rules: Ruleset, number: int, needed: int) -> Play[Throw]:
    """Flip coins against a number of heads."""
    heads = yield from Roll(coins(rules, number), "", "heads")
    return Throw(heads, needed)


class Pebbles(System):
    """The game."""

    id = "pebbles"
    name = "Pebbles"
    about = "A duel of coins."
    notation = "3c, 3c vs 2, 3c vs 2c"
    book = BOOK
    kinds: Mapping[str, type[Any]] = {"character": throwers.Thrower}
    tactics: Mapping[str, Tactic] = {"bold": duel.bold, "careful": duel.careful}

    def test(self, rules: Ruleset, notation: str) -> Sub[Any]:
        match = _WRITTEN.fullmatch(notation.strip().lower())
        if match is None:
            raise UserError(f"cannot read {notation!r}: write 3c, 3c vs 2 or 3c vs 2c")
        number = int(match[1])
        coins(rules, number)
        if match[2] is None:
            return sub(flip, rules, number)
        if not match[3]:
            return sub(against, rules, number, int(match[2]))
        coins(rules, int(match[2]))
        return sub(throw, rules, number, int(match[2]))

    def show(self, outcome: Any) -> Shown:
        if isinstance(outcome, int):
            return Shown(f"{outcome} heads", str(outcome), {"heads": outcome}, None, {}, outcome)
        margin = outcome.margin
        verdict = "success" if margin > 0 else "draw" if margin == 0 else "failure"
        words = "draw" if margin == 0 else f"{verdict} by {abs(margin)}"
        fields = {"success": margin > 0, "margin": margin, "draw": margin == 0}
        return Shown(words, words, {"heads": outcome.heads, "guard": outcome.guard}, verdict, fields, margin)

    def archetypes(self, kind: str) -> Mapping[str, str]:
        return {name: about for name, (about, _) in throwers.ARCHETYPES.items()} if kind == "character" else {}

    def new(self, rules: Ruleset, kind: str, archetype: str | None = None) -> Any:
        return throwers.new(archetype)

    def audit(self, rules: Ruleset, thing: Any) -> Audit:
        return throwers.audit(rules, thing)

    def sheet(self, rules: Ruleset, thing: Any) -> Sheet:
        return throwers.sheet(rules, thing)

    def scene(self, rules: Ruleset) -> duel.Rounds:
        return duel.Rounds(rules)

    def begin(self, rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> duel.Duel:
        return duel.begin(rules, scenario, members)

    @property
    def downtime(self) -> DowntimeRules[Any]:
        return DOWNTIME

    @property
    def generators(self) -> tuple[Generator, ...]:
        return (Stranger(),)

    @property
    def scenes(self) -> Mapping[str, Staging]:
        return {
            **super().scenes,
            "race": Staging(race.Stacking, race.begin, {"steady": race.steady}),
            "skim": Staging(skim.Skimming, skim.begin, {"plain": first_option}),
        }


SYSTEM = Pebbles()
