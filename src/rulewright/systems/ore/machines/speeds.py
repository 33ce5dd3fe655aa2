"""Size and Speed: tables, comparison and Difficulty (book lines 5519-5698)."""

import math
from typing import Literal

from rulewright.errors import UserError
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, at_least, divided, less, rounded_up, term, times, total
from rulewright.systems.ore.machines.tables import ACCELERATIONS, EXAMPLES, RANKS, SIZES, SPEEDS
from rulewright.systems.ore.machines.vehicle import Mode

HIGHEST = 5
COMPARED = 6
"""The rating that only serves for comparison."""
LIGHT = 300_000
"""Kilometres per second."""
HARDER = 2
"""Difficulty per point of Speed above Handling."""


@rule("ore-4.22-vehicle-stats")
def rating_limits(statistic: Literal["handling", "size", "speed"] = "size", compared: bool = False) -> tuple[int, int]:
    """Handling, Size and Speed go from 1 to 5; a 6 of Size or Speed only serves for comparison."""
    return 1, COMPARED if compared and statistic != "handling" else HIGHEST


@rule("ore-4.22-vehicle-size")
def size_of(rules: Ruleset, metres: float = 12) -> int:
    """The Size of a length; on a border the smaller (ruling)."""
    if metres <= 0:
        raise UserError("the length must be more than 0")
    rows = SIZES(rules).values()
    return next((row.size for row in rows if row.most is not None and metres <= row.most), COMPARED)


@rule("ore-4.22-vehicle-size")
def is_manoeuvrable(size: int = 2) -> bool:
    """Whether a Size is Manoeuvrable: 1 and 2."""
    return size <= 2


@rule("ore-4.22-vehicle-examples")
def vehicles_of_size(rules: Ruleset, size: int = 2) -> tuple[str, ...]:
    """Vehicles of this Size. By id only."""
    return EXAMPLES.of(rules, str(size))


@rule("ore-4.22-speed-tables")
def speed_in_words(rules: Ruleset, mode: Mode = "land", rating: int = 3) -> str:
    """A Speed in words, a rough guide."""
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
    """Kilometres per hour at a percentage of the speed of light."""
    if not 0 <= percent <= 100:
        raise UserError("the share must be from 0 to 100 percent")
    terms = term("kilometres a second", LIGHT), times("seconds an hour", 3_600), times("share", percent / 100)
    return total("km/h", *terms, rule="ore-4.22-speed-tables")


GRAVITY = 9.75
"""Metres per second squared of 1 G (line 5612)."""


@rule("ore-4.22-speed-tables")
def travel_time(rules: Ruleset, mode: Mode = "land", rating: int = 2, kilometres: int = 100, gravities: int = 0) -> Derived[int]:
    """The minutes that a distance takes: at the speed of the table, or half the way at an acceleration and half the way braking
    (ruling). Stellar drives and space at relativistic speed have no figure."""
    row = SPEEDS.get(rules, str(rating))
    if min(kilometres, gravities) < 0:
        raise UserError("a distance and an acceleration are not less than 0")
    if mode == "relativistic":
        least = gravities or (row.relativistic[0] if row.relativistic else 0)
        if not least:
            raise UserError("this Speed has no acceleration")
        seconds = 2 * math.sqrt(1000 * kilometres / (least * GRAVITY))
        return total("Minutes", term(f"the way at {least} G", math.ceil(seconds / 60)), rule="ore-4.22-speed-tables")
    if mode == "stellar" or (mode == "space" and not row.space):
        raise UserError(f"{speed_in_words(rules, mode, rating)} has no figure; the Game Master says how long it takes")
    speed = light_speed(row.space).value if mode == "space" else int(getattr(row, mode))
    terms = term("kilometres", kilometres), times("minutes an hour", 60), divided("km/h", speed), rounded_up()
    return total("Minutes", *terms, rule="ore-4.22-speed-tables")


@rule("ore-4.22-acceleration-examples")
def acceleration_rating(rules: Ruleset, gravities: int = 12) -> int:
    """The relativistic Speed of an acceleration; 5 G, in two rows, is the lower (ruling)."""
    rows = [row.rating for row in SPEEDS(rules).values() if row.relativistic and gravities >= row.relativistic[0]]
    if not rows:
        raise UserError("the table starts at 1 G")
    return min(rows) if gravities == 5 else max(rows)


@rule("ore-4.22-acceleration-examples")
def craft_at(rules: Ruleset, gravities: int = 12) -> tuple[str, ...]:
    """Craft with this acceleration. By id only."""
    return tuple([row.craft for row in ACCELERATIONS(rules).values() if row.least <= gravities <= row.most])


@rule("ore-4.22-speed-comparison")
def compared_speeds(rules: Ruleset, mode: Mode = "land", rating: int = 1, other_mode: Mode = "sea", other_rating: int = 5) -> int:
    """Compares two Speeds: 1, -1 or 0. A higher mode is always faster. A view of Speed in battles."""
    own, other = (RANKS.of(rules, mode), rating), (RANKS.of(rules, other_mode), other_rating)
    return (own > other) - (own < other)


@rule("ore-4.22-speed-comparison")
def outclassed(rules: Ruleset, mode: Mode = "sea", other_mode: Mode = "land") -> bool:
    """Whether the other's mode is faster, so that a chase is decided (setting mode-trumps)."""
    return rules.on("mode-trumps") and RANKS.of(rules, mode) < RANKS.of(rules, other_mode)


@rule("ore-4.22-handling")
def handling_difficulty(handling: int = 2, speed: int = 3) -> Derived[int]:
    """The driver's Difficulty: 2 per point of Speed above Handling."""
    over = total("Speed above Handling", term("Speed", speed), less("Handling", handling), at_least(0))
    return total("Difficulty", term("Speed above Handling", over), times("Difficulty per point", HARDER), rule="ore-4.22-handling")
