"""Size, Speed in all modes, how they compare, and what too much Speed costs (book lines 5519-5698)."""

from typing import Literal

from rulewright.errors import UserError
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, at_least, less, term, times, total
from rulewright.systems.ore.machines.tables import ACCELERATIONS, EXAMPLES, RANKS, SIZES, SPEEDS
from rulewright.systems.ore.machines.vehicle import Mode

HIGHEST = 5
COMPARED = 6
"""The rating that is there to compare with only."""
LIGHT = 300_000
"""Kilometres a second."""
HARDER = 2
"""What each point of Speed above Handling adds to the Difficulty."""


@rule("ore-4.22-vehicle-stats")
def rating_limits(statistic: Literal["handling", "size", "speed"] = "size", compared: bool = False) -> tuple[int, int]:
    """Handling, Size and Speed are rated from 1 to 5; a 6 of Size or Speed is there to compare with, and rarely if ever used."""
    return 1, COMPARED if compared and statistic != "handling" else HIGHEST


@rule("ore-4.22-vehicle-size")
def size_of(rules: Ruleset, metres: float = 12) -> int:
    """The Size of a vehicle so long; who stands on the border is of the smaller one (ruling)."""
    if metres <= 0:
        raise UserError("the length must be more than 0")
    rows = SIZES(rules).values()
    return next((row.size for row in rows if row.most is not None and metres <= row.most), COMPARED)


@rule("ore-4.22-vehicle-size")
def is_manoeuvrable(size: int = 2) -> bool:
    """Vehicles of Size 1 and 2 are Manoeuvrable, larger ones are not."""
    return size <= 2


@rule("ore-4.22-vehicle-examples")
def vehicles_of_size(rules: Ruleset, size: int = 2) -> tuple[str, ...]:
    """Vehicles that are of this Size. By id only."""
    return EXAMPLES.of(rules, str(size))


@rule("ore-4.22-speed-tables")
def speed_in_words(rules: Ruleset, mode: Mode = "land", rating: int = 3) -> str:
    """What a Speed comes to in a mode: a rough guide, since only ratings count."""
    row = SPEEDS.get(rules, str(rating))
    if mode == "stellar":
        return row.stellar
    if mode == "space":
        return f"{row.space}% of the speed of light" if row.space else "relativistic"
    if mode == "relativistic":
        if not row.relativistic:
            return "beyond the table"
        least, *most = row.relativistic
        return f"{least} to {most[0]} G" if most else f"{least} G and more"
    return f"{getattr(row, mode)} km/h"


@rule("ore-4.22-speed-tables")
def light_speed(percent: float = 25) -> Derived[int]:
    """Kilometres an hour at so many percent of the speed of light. By id only."""
    if not 0 <= percent <= 100:
        raise UserError("the share must be from 0 to 100 percent")
    terms = term("kilometres a second", LIGHT), times("seconds an hour", 3_600), times("share", percent / 100)
    return total("km/h", *terms, rule="ore-4.22-speed-tables")


@rule("ore-4.22-acceleration-examples")
def acceleration_rating(rules: Ruleset, gravities: int = 12) -> int:
    """The relativistic Speed of so much acceleration; 5 G, which two rows name, is the lower of them (ruling). By id only."""
    rows = [row.rating for row in SPEEDS(rules).values() if row.relativistic and gravities >= row.relativistic[0]]
    if not rows:
        raise UserError("the table starts at 1 G")
    return min(rows) if gravities == 5 else max(rows)


@rule("ore-4.22-acceleration-examples")
def craft_at(rules: Ruleset, gravities: int = 12) -> tuple[str, ...]:
    """The craft of the list that accelerate so. By id only."""
    return tuple([row.craft for row in ACCELERATIONS(rules).values() if row.least <= gravities <= row.most])


@rule("ore-4.22-speed-comparison")
def compared_speeds(rules: Ruleset, mode: Mode = "land", rating: int = 1, other_mode: Mode = "sea", other_rating: int = 5) -> int:
    """Who is faster: 1 for the first, -1 for the other, 0 for neither. A higher mode is always faster; within one the rating decides.

    A view of which vehicle is faster in battles.
    """
    own, other = (RANKS.of(rules, mode), rating), (RANKS.of(rules, other_mode), other_rating)
    return (own > other) - (own < other)


@rule("ore-4.22-speed-comparison")
def outclassed(rules: Ruleset, mode: Mode = "sea", other_mode: Mode = "land") -> bool:
    """Whether the other's mode of travel is faster, so that nobody catches up with it or gets away from it (setting mode-trumps)."""
    return rules.on("mode-trumps") and RANKS.of(rules, mode) < RANKS.of(rules, other_mode)


@rule("ore-4.22-handling")
def handling_difficulty(handling: int = 2, speed: int = 3) -> Derived[int]:
    """What driving faster than a vehicle handles adds to the driver's Difficulty: 2 for each point of Speed above Handling."""
    over = total("Speed above Handling", term("Speed", speed), less("Handling", handling), at_least(0))
    return total("Difficulty", term("Speed above Handling", over), times("Difficulty per point", HARDER), rule="ore-4.22-handling")
