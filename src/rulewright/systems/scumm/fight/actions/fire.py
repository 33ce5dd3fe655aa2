"""Fire at several targets: suppression and spraying (book lines 462-474)."""

from collections.abc import Iterator
from itertools import combinations
from math import hypot
from typing import Any

from rulewright.field.area_templates import Aimed
from rulewright.field.places import written
from rulewright.play import Option, Play
from rulewright.play.cache import Memory
from rulewright.rules import Ruleset
from rulewright.systems.scumm.combat.fighters import Action, Fight, Fighter, Kind, UnderWay
from rulewright.systems.scumm.combat.shots import MOST_SPRAYED, SPRAY_AMMO, between, can_spray, spray
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
    if fighter.ammo[fighter.in_hand] < SPRAY_AMMO:
        return ()
    places = tuple([(f.profile.name, f.x, f.y, f.body.able) for f in fight.fighters])
    key = (rules, fighter.profile, fighter.in_hand, fighter.jammed, fighter.shot_at, fighter.sprayed, names, places)
    known = _lines.get(key)
    if known is None:
        known = _lines[key] = _spray_lines(rules, fight, fighter, names)
    return known


_lines: Memory[Any, tuple[tuple[str, ...], ...]] = Memory(2_000)
"""Lines of people by where everybody stands: they mostly stand there at the next turn too."""


def _spray_lines(rules: Ruleset, fight: Fight, fighter: Fighter, names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    namess: list[tuple[str, ...]] = []
    people = {name: fight.fighter(name) for name in names}
    near = {pair for pair in combinations(names, 2) if people[pair[0]].distance(people[pair[1]]) <= MOST_SPRAYED}
    if not near:
        return ()
    groups = [group for size in range(2, MOST_SPRAYED + 1) for group in combinations(names, size)]
    for group in [group for group in groups if near.issuperset(combinations(group, 2))]:
        line = between(fight, fighter, group)
        if line not in namess and can_spray(rules, fight, fighter, fighter.in_hand, line):
            namess.append(line)
    return tuple(namess)


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
