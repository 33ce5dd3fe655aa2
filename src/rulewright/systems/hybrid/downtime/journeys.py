"""Journeys of body and mind between scenes (book lines 770-802)."""

from collections.abc import Mapping
from math import ceil
from typing import cast

from msgspec.structs import replace

from rulewright.campaign.activities.general import AIM, TO
from rulewright.campaign.calendar import write_span
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, Affected, Case, Change, Figure
from rulewright.errors import UserError
from rulewright.grammar import figure
from rulewright.play import Happened, Play, Tell
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.hybrid.downtime.convalescents import Convalescent
from rulewright.systems.hybrid.harm.energy import Activity as Effort
from rulewright.systems.hybrid.harm.energy import spend
from rulewright.systems.hybrid.people.characters import statistics_of
from rulewright.systems.hybrid.people.movement import Mode, distance, mental_distance, pace

Now = Case[Convalescent]
KILOMETRE = 1000
MOST_METRES = 1_000_000_000
EFFORTS: dict[str, Effort] = {"run": "running", "jog": "jogging", "dash": "dash", "crawl": "crawling"}
"""The energy that each mode of movement costs."""


@cached(64)
def _statistics(rules: Ruleset, file: str) -> dict[str, float]:
    return {name: float(figure.value) for name, figure in statistics_of(rules, Convalescent(file=file).character).items()}


def statistic(rules: Ruleset, life: Convalescent, name: str) -> float:
    """A statistic of a person."""
    return _statistics(rules, life.file)[name]


class March(Activity[Convalescent]):
    """Walking to another location at the pace of the slowest of the party; eight hours of it a day cost their energy."""

    name = "march"
    label = "walk to"
    rules = ("hyb-6-movement-rates", "hyb-5-energy-use")
    exertion = "walking"
    hours = 8
    km = Figure("km", "Distance in km", low=1, high=100_000, default=20, rule="hyb-6-movement-rates")
    company = True
    companions = Figure("with", "Companions, separated by commas", takes="people")
    arguments = (TO, km, companions)
    needs_partner = companions

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        if not given.get(TO.name):
            raise UserError("say where to go")

    def _pace(self, rules: Ruleset, case: Now) -> float:
        party = (case.life, *[partner.life for partner in case.partners(self.companions)])
        return min(pace(rules, statistic(rules, life, "PMV"), "walk").value for life in party)

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        return "" if self._pace(rules, case) > 0 else "somebody of the party cannot walk"

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        metres = int(case.argument(self.km)) * KILOMETRE
        return case.worked(ceil(metres / (self._pace(rules, case) or 1)))

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Convalescent]]:
        to, party = str(case.argument(TO)), case.partners(self.companions)
        for name in (case.name, *[partner.name for partner in party]):
            yield from Tell(Happened(name, f"arrives at {to} on foot, {figure(self._pace(rules, case))} m/s"))
        affected = tuple(Affected(partner.name, partner.life, to) for partner in party)
        return Change(case.life, location=to, others=affected)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"arrives at {effect.about}"


class Hurry(Activity[Convalescent]):
    """A short way at a run, jog, dash or crawl: as long as the pace makes it, at the price of energy."""

    name = "hurry"
    label = "run, jog or crawl to"
    rules = ("hyb-6-movement-rates", "hyb-5-energy-use")
    metres = Figure("metres", "Distance in metres", low=1, high=100_000, default=500, rule="hyb-6-movement-rates")
    mode = Figure("mode", "How", tuple(EFFORTS), rule="hyb-6-movement-rates")
    arguments = (TO, metres, mode)

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        if not given.get(TO.name):
            raise UserError("say where to go")

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        mode, metres = cast(Mode, case.argument(self.mode)), int(case.argument(self.metres))
        covered = distance(rules, statistic(rules, case.life, "PMV"), mode, 1_000).value
        return ceil(metres * 1_000 / covered) if covered else metres

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Convalescent]]:
        mode, body, to = str(case.argument(self.mode)), case.life.body, str(case.argument(TO))
        energy = spend(rules, body.energy, EFFORTS[mode], effect.spent)
        left = f"PFT {energy.fatigue} and PEX {energy.exhaustion} left"
        yield from Tell(Happened(case.name, f"arrives at {to} at a {mode} after {write_span(effect.spent)}: {left}"))
        return Change(case.life.with_body(replace(body, energy=energy)), location=to)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"arrives at {effect.about}"


class SendMind(Activity[Convalescent]):
    """A mind that travels, by psionics or in a computer, at the speed of Mental Movement."""

    name = "send the mind"
    label = "travel in mind"
    rules = ("hyb-6-mental-movement",)
    metres = Figure("distance", "Distance for the mind, in metres", low=1, high=MOST_METRES, default=100, rule="hyb-6-mental-movement")
    arguments = (AIM, metres)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        metres, covered = int(case.argument(self.metres)), mental_distance(rules, statistic(rules, case.life, "MMV"), 1_000).value
        return ceil(metres * 1_000 / covered) if covered else metres

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        return "" if statistic(rules, case.life, "MMV") > 0 else f"{case.name} has no Mental Movement"

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Convalescent]]:
        yield from Tell(Happened(case.name, f"reaches {effect.about} in mind after {write_span(effect.spent)}"))
        return Change(case.life)
