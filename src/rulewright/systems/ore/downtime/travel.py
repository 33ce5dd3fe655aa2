"""Travel between scenes, as far as a Speed goes in the time (book lines 5568-5696)."""

from collections.abc import Mapping
from typing import cast

from rulewright.campaign.activities.general import GoTo
from rulewright.campaign.calendar import MINUTE, write_span
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Change, Figure
from rulewright.errors import UserError
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived
from rulewright.systems.ore.downtime.patients import MARCH, Now, Patient, Recovers
from rulewright.systems.ore.machines.speeds import (
    COMPARED,
    acceleration_rating,
    compared_speeds,
    outclassed,
    speed_in_words,
    travel_time,
)
from rulewright.systems.ore.machines.vehicle import Mode

SPEED_RULE, ACCELERATION_RULE, RANK_RULE = "ore-4.22-speed-tables", "ore-4.22-acceleration-examples", "ore-4.22-speed-comparison"
MODES = ("land", "sea", "air", "relativistic", "space", "stellar")
TO = GoTo.arguments[0]


class Travel(GoTo):
    """Going to another location by a vehicle: the distance and the Speed give the time, or the gamemaster for drives without a figure.

    A pursuer who is faster arrives first.
    """

    name = "travel"
    label = "travel to"
    rules = (SPEED_RULE, ACCELERATION_RULE, RANK_RULE)
    mode = Figure("mode", "Speed Mode", MODES, rule=RANK_RULE)
    speed = Figure("speed", "Speed", low=1, high=COMPARED, default=2, rule=SPEED_RULE)
    gravities = Figure("gravities", "Acceleration in G (0: by Speed)", low=0, high=100, rule=ACCELERATION_RULE)
    kilometres = Figure("kilometres", "Kilometres", low=0, high=2_000_000_000, default=100, rule=SPEED_RULE)
    way = Figure("takes", "Time of the way, where the book has no figure", takes="span")
    pursuer = Figure("pursuer", "Speed Mode of a pursuer", ("nobody", *MODES), rule=RANK_RULE)
    pursuing = Figure("pursuing", "Speed of the pursuer", low=1, high=COMPARED, default=2, rule=RANK_RULE)
    arguments = (TO, mode, speed, gravities, kilometres, way, pursuer, pursuing)

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        super().refuse(rules, given)
        if given[self.gravities.name] and given[self.mode.name] != "relativistic":
            raise UserError("only relativistic travel is measured in G")
        if not given[self.way.name]:
            mode, gravities = cast(Mode, given[self.mode.name]), int(given[self.gravities.name])
            travel_time(rules, mode, self._rating(rules, mode, int(given[self.speed.name]), gravities), 1, gravities)

    def _rating(self, rules: Ruleset, mode: Mode, speed: int, gravities: int) -> int:
        """The Speed, which an acceleration decides if it is given."""
        return acceleration_rating(rules, gravities) if gravities and mode == "relativistic" else speed

    def speed_of(self, rules: Ruleset, case: Now) -> tuple[Mode, int]:
        """The Speed Mode and the Speed."""
        mode = cast(Mode, case.argument(self.mode))
        return mode, self._rating(rules, mode, int(case.argument(self.speed)), int(case.argument(self.gravities)))

    def minutes(self, rules: Ruleset, case: Now) -> Derived[int]:
        """The time of the way by the book."""
        mode, speed = self.speed_of(rules, case)
        return travel_time(rules, mode, speed, int(case.argument(self.kilometres)), int(case.argument(self.gravities)))

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return int(case.argument(self.way)) or MINUTE * self.minutes(rules, case).value

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Patient]]:
        mode, speed = self.speed_of(rules, case)
        way = write_span(self.seconds(rules, case, effect)) or "no time"
        gravities = int(case.argument(self.gravities))
        pace = f"{gravities} G, Speed {speed}" if gravities else speed_in_words(rules, mode, speed)
        sums = () if int(case.argument(self.way)) else (self.minutes(rules, case).reason,)
        said = f"arrives at {effect.about} after {way} ({mode}, {pace})"
        yield from Tell(Recovers(case.name, said + self._pursued(rules, case, mode, speed), "plain", sums))
        return Change(case.life, location=str(case.argument(TO)))

    def _pursued(self, rules: Ruleset, case: Now, mode: Mode, speed: int) -> str:
        """Who is faster, in words."""
        other = case.argument(self.pursuer)
        if other == "nobody":
            return ""
        pursuer, pursuing = cast(Mode, other), int(case.argument(self.pursuing))
        order = compared_speeds(rules, mode, speed, pursuer, pursuing)
        if outclassed(rules, mode, pursuer) or order < 0:
            return "; the pursuer is there first"
        return "; the pursuer is left behind" if order else "; the pursuer is as fast"


class March(GoTo):
    """Walking to another location, which tires like travel on foot."""

    name = "march"
    label = "walk to"
    rules = ("ore-4.09b-opt19-endurance",)
    exertion = MARCH.name
