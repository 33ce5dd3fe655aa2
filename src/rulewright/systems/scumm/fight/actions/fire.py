"""Fire at several targets: suppression and spraying (book lines 462-474)."""

from collections.abc import Iterator
from itertools import combinations
from math import hypot

from rulewright.field.area_templates import Aimed
from rulewright.field.places import written
from rulewright.play import Option, Play
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.scumm.combat.fighters import Action, Fight, Fighter, Kind, UnderWay
from rulewright.systems.scumm.combat.shots import (
    MOST_SPRAYED,
    SPRAY_AMMO,
    Bands,
    Standing,
    between,
    fired_at,
    fits_spray,
    spray,
    sprays,
    standing,
)
from rulewright.systems.scumm.combat.suppression import suppress, suppressed_width, suppression_ammo
from rulewright.systems.scumm.fight.actions.base import Doing, Offer, Target


class Suppress(Doing):
    """Bursts over ground, so that nobody cares to show themselves there."""

    kind: Kind = "suppress"
    verb = "special"

    def against(self, rules: Ruleset, offer: Offer, target: Target) -> Iterator[Option[Action]]:
        if offer.loaded and target.suppressible and offer.weapon.burst:
            yield from self._around(offer, target.name)

    def options(self, rules: Ruleset, offer: Offer) -> Iterator[Option[Action]]:
        for spot in offer.spots if offer.loaded else ():
            yield from self._around(offer, spot)

    def _around(self, offer: Offer, name: str) -> Iterator[Option[Action]]:
        for wide in (False, True):
            if offer.ammo[offer.in_hand] >= suppression_ammo(wide):
                label = f"Suppression fire around {name}{', double width' if wide else ''}"
                action = Action("suppress", name, weapon=offer.in_hand, wide=wide)
                yield self.option(f"suppress{' wide' if wide else ''}:{name}", label, action, f"{suppression_ammo(wide)} rounds")

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action, extra: int) -> Play[Fight]:
        return suppress(rules, fight, name, place_of(fight, action.target), weapon_index=action.weapon, widened=action.wide, extra=extra)


class Spray(Doing):
    """Bursts along a line of people."""

    kind: Kind = "spray"
    verb = "special"

    def options(self, rules: Ruleset, offer: Offer) -> Iterator[Option[Action]]:
        for line in offer.sprays:
            names = ", ".join(line)
            yield self.option(
                f"spray:{names}", f"Spray {names}", Action("spray", targets=line, weapon=offer.in_hand), f"{SPRAY_AMMO} rounds", names
            )

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action, extra: int) -> Play[Fight]:
        return spray(rules, fight, name, action.targets, weapon_index=action.weapon, extra=extra)


def place_of(fight: Fight, name: str) -> tuple[float, float]:
    """Where a cover lies, or a person stands; none of them is called like another. A place is written as in @12.5,3."""
    if name.startswith("@"):
        return written(name)[1][-1]
    for spot in fight.ground.covers:
        if spot.name == name:
            return spot.x, spot.y
    for cover in fight.map.covers:
        if cover.name == name:
            return cover.middle
    target = fight.fighter(name)
    return target.x, target.y


def covers_in_range(fight: Fight, fighter: Fighter, metres: int) -> tuple[str, ...]:
    """The covers whose ground a person can suppress."""
    spots = tuple([spot.name for spot in fight.ground.covers if hypot(spot.x - fighter.x, spot.y - fighter.y) <= metres])
    return spots + tuple([cover.name for cover in fight.known_map.covers if _within(fight, fighter, cover.middle, metres)])


def _within(fight: Fight, fighter: Fighter, at: tuple[float, float], metres: int) -> bool:
    """Whether a person has a place on the ground in sight and in range."""
    here = (fighter.x, fighter.y)
    return fight.field.distance(here, at) <= metres and fight.field.sight(here, at).open


def spray_lines(rules: Ruleset, fight: Fight, fighter: Fighter, names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Every line of people that a spray can be laid over."""
    at, ranges = fighter.in_hand, fighter.weapon.ranges
    if ranges is None or not sprays(fighter, at):
        return ()
    lines = _lines_of(rules, ranges, standing(fighter), names, tuple([standing(person) for person in fight.fighters]))
    return tuple([line for line in lines if not fired_at(fighter, at, line)])


@cached(2_000)
def _lines_of(
    rules: Ruleset, ranges: Bands, shooter: Standing, names: tuple[str, ...], people: tuple[Standing, ...]
) -> tuple[tuple[str, ...], ...]:
    """Every line of people within range and arc, by where everybody stands: they mostly stand there at the next turn too."""
    lines: list[tuple[str, ...]] = []
    targets = {person.name: person for person in people if person.name in names}
    near = {pair for pair in combinations(names, 2) if targets[pair[0]].distance(targets[pair[1]]) <= MOST_SPRAYED}
    groups = [group for size in range(2, MOST_SPRAYED + 1) for group in combinations(names, size)] if near else []
    for group in [group for group in groups if near.issuperset(combinations(group, 2))]:
        persons = between(shooter.name, group, people)
        line = tuple([person.name for person in persons])
        if line not in lines and fits_spray(rules, ranges, shooter, persons):
            lines.append(line)
    return tuple(lines)


def ground_to_suppress(fight: Fight, fighter: Fighter, turn: UnderWay) -> Aimed[Action] | None:
    """Any place on the map within medium range and in sight, for a weapon that fires bursts."""
    weapon, at = fighter.weapon, fighter.in_hand
    if not weapon.burst or weapon.ranges is None or not fighter.loaded or turn.actions <= 0 or fighter.ammo[at] < suppression_ammo(False):
        return None
    return Aimed(
        fight.field,
        (fighter.x, fighter.y),
        "suppress",
        "suppressing",
        float(weapon.ranges[1]),
        lambda spot: Action("suppress", f"@{spot[0]:g},{spot[1]:g}", weapon=at),
        lambda: (*[f for f in fight.fighters if f.side == fighter.side and f.body.able], *fight.known_enemies(fighter)),
        suppressed_width() / 2,
    )
