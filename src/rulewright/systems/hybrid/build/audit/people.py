"""Statistics, race and culture (book chapters 9 and 12)."""

from collections.abc import Iterator

from rulewright.build.audit import Problem, Repair, short
from rulewright.rules import Figures
from rulewright.systems.hybrid.build.audit.audited_character import Checked
from rulewright.systems.hybrid.people.advancement import near_to
from rulewright.systems.hybrid.people.characters import CULTURES, background, starting_points
from rulewright.systems.hybrid.people.creation import fair_multiplier, known_race, plain_field
from rulewright.systems.hybrid.people.statistics import PRIMARY, RACES, STATISTICS, Primary, appearance, race, stat_name
from rulewright.systems.hybrid.people.traits import STAT_COSTS

LOOKS = Figures("hyb-9-appearance")


def primary(file: Checked) -> Iterator[Problem]:
    """Points for the primary statistics, each inside its bounds."""
    rules, points, rule_id = file.rules, file.character.primary, "hyb-9-primary-stats"
    low, high = rules.number("lowest-allocated"), rules.number("highest-allocated")
    for stat in PRIMARY:
        value, field = points.of(stat), f"primary.{stat.lower()}"
        if value > high:
            message = f"{stat} {value}: at most {high} points go into a statistic"
            yield Problem(rule_id, field, message, value - high, Repair(f"lower it to {high}", field, high))
        elif value < low:
            message = f"{stat} {value}: at least {low} points go into a statistic"
            yield Problem(rule_id, field, message, low - value, Repair(f"raise it to {low}", field, low))
    given = starting_points(rules, "stat", file.fair.race).value
    if points.total > given:
        message = f"{points.total} of {given} points for statistics spent"
        yield Problem(rule_id, "primary", message, points.total - given, _lowered(points, points.total - given, low))
    elif points.total < given:
        message = f"{given - points.total} of {given} points for statistics unspent"
        yield Problem(rule_id, "primary", message, 0, _raised(points, given - points.total, high), warning=True)


def bought(file: Checked) -> Iterator[Problem]:
    """Calculated statistics that were bought."""
    rule_id, prices = "hyb-9-stat-costs", STAT_COSTS(file.rules)
    for stat, points in file.character.bought.items():
        name, field = stat_name(stat), plain_field("bought", stat)
        if name not in prices:
            why = "has no price and cannot be bought" if name in STATISTICS else "is no statistic"
            yield Problem(rule_id, field, f"{short(stat)} {why}", repair=file.drop("bought", stat))
        elif points < 0 and name != "APP":
            message = f"{name} {points}: statistics are bought, not sold"
            yield Problem(rule_id, field, message, -points, file.put("bought", stat, 0, "set it to 0"))
    who = background(file.fair)
    looks = appearance(file.rules, who.buys("APP"), who.race, who.gender, who.grant("APP")).value
    usual = LOOKS.of(file.rules, "usual")
    if abs(looks) > usual:
        yield Problem("hyb-9-appearance", "bought", f"APP {looks:+} is beyond the usual {-usual} to {usual:+}", warning=True)


def people(file: Checked) -> Iterator[Problem]:
    """Race, culture, heritage and size."""
    rules, who = file.rules, file.character
    if not known_race(rules, who.race):
        near = near_to(who.race, tuple(RACES(rules))) or file.fair.race
        yield Problem("hyb-12-races", "race", f"there is no race {short(who.race)!r}", repair=Repair(f"write {near}", "race", near))
    if who.culture and who.culture not in CULTURES(rules):
        near = near_to(who.culture, tuple(CULTURES(rules))) or ""
        repair = Repair(f"write {near}" if near else "leave it open", "culture", near)
        yield Problem("hyb-12-culture-packages", "culture", f"there is no culture {short(who.culture)!r}", repair=repair)
    elif not who.culture:
        home = next((row.culture for row in CULTURES(rules).values() if row.race == file.fair.race), None)
        repair_to = Repair(f"choose {home}", "culture", home) if home else None
        yield Problem("hyb-9-process", "culture", "no culture is chosen yet", repair=repair_to, warning=True)
    yield from _heritage(file)
    for field in ("height", "weight"):
        size = getattr(who, field)
        if size is not None and size < 1:
            message = f"a {field} of {size} is no {field}"
            yield Problem("hyb-9-height-weight", field, message, 1 - size, Repair("leave it open", field, None))


def _heritage(file: Checked) -> Iterator[Problem]:
    rules, given = file.rules, file.character.heritage
    row, culture = race(rules, file.fair.race), CULTURES(rules).get(file.fair.culture)
    for stat in given.mods:
        if stat_name(stat) not in STATISTICS:
            yield Problem("hyb-9-race", "heritage.mods", f"{short(stat)!r} is no statistic", repair=file.drop("heritage.mods", stat))
    for stat, value in given.times.items():
        if not fair_multiplier(stat, value):
            message = f"a race cannot multiply {short(stat)} by {value:g}"
            yield Problem("hyb-9-race", "heritage.times", message, repair=file.drop("heritage.times", stat))
    if given.cost < 0:
        message = f"a race or culture cannot cost {given.cost} points"
        yield Problem("hyb-9-race", "heritage.cost", message, -given.cost, Repair("set it to 0", "heritage.cost", 0))
    if row.by_gamemaster and not given.mods:
        message = f"the figures of {row.race} are the gamemaster's: none are in the file yet"
        yield Problem("hyb-9-race", "heritage", message, warning=True)
    elif not row.by_gamemaster and (given.mods or given.times):
        message = f"{row.race} has figures in the book: what else is in the file the gamemaster must have granted"
        yield Problem("hyb-9-race", "heritage", message, warning=True)
    if culture is not None and culture.by_gamemaster and not given.skills:
        message = f"the skills of the {culture.culture} culture are the gamemaster's: none are in the file yet"
        yield Problem("hyb-12-culture-packages", "heritage.skills", message, warning=True)


def _lowered(points: Primary, over: int, low: int) -> Repair:
    """Lower the highest statistic by what is over, as far as it goes."""
    stat = max(PRIMARY, key=points.of)
    to = max(low, points.of(stat) - over)
    if to >= points.of(stat):
        return Repair("ask the gamemaster for more points")
    return Repair(f"lower {stat} to {to}", f"primary.{stat.lower()}", to)


def _raised(points: Primary, left: int, high: int) -> Repair | None:
    """Raise the lowest statistic by what is left, as far as it goes."""
    stat = min(PRIMARY, key=points.of)
    to = min(high, points.of(stat) + left)
    return Repair(f"raise {stat} to {to}", f"primary.{stat.lower()}", to) if to > points.of(stat) else None
