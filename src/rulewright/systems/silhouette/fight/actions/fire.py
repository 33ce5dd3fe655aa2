"""Saturation fire, walking fire and grenades at a spot (book lines 2385-2414)."""

from collections.abc import Iterator
from itertools import combinations
from math import hypot

from rulewright.field.area_templates import Aimed
from rulewright.field.field import NOTHING, spot_at
from rulewright.grammar import the
from rulewright.play import Option, Play
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.attacks.area_fire import can_walk, saturate_ground, walk_fire
from rulewright.systems.silhouette.attacks.shots import can_reach, short_range
from rulewright.systems.silhouette.combat.fighters import Action, Fight, Fighter, Kind, UnderWay
from rulewright.systems.silhouette.fight.actions.base import Doing, Offer, Target
from rulewright.systems.silhouette.gear.ammunition import endless_ammunition

SWEEPING = 10
"""Shots needed for saturation fire."""


def _rate_suffixes(rof: int, most: int) -> tuple[str, str]:
    """Returns the suffixes of key and label for a rate of fire below the highest."""
    return (f" {rof}", f" at +{rof}") if rof < most else ("", "")


class Saturate(Doing):
    """Saturation fire around a person."""

    kind: Kind = "saturate"
    verb = "special"
    opens = "shoot"

    def against(self, rules: Ruleset, offer: Offer, target: Target) -> Iterator[Option[Action]]:
        weapon, at, name = offer.weapon, offer.at, target.name
        if not (target.shootable and target.medium and offer.rate > 0 and (not weapon.magazine or offer.ammo[at] >= SWEEPING)):
            return
        for rof in range(offer.rate, 0, -1):
            rate, words = _rate_suffixes(rof, offer.rate)
            for wide in (False, True):
                label = f"Saturation fire around {name}{words}{', spread out' if wide else ''}"
                action = Action("saturate", name, weapon=at, rof=rof, wide=wide)
                yield self.option(f"saturate{' wide' if wide else ''}{rate}:{name}", label, action)

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int) -> Play[Fight]:
        return saturate_ground(rules, fight, name, action, penalty)


class WalkFire(Doing):
    """Walking fire over a group; nobody already fired at this turn can be in it."""

    kind: Kind = "walk fire"
    verb = "attack"
    opens = "shoot"
    fires = True

    def options(self, rules: Ruleset, offer: Offer) -> Iterator[Option[Action]]:
        for line, least, most in offer.lines:
            if set(line) & set(offer.fired):
                continue
            names = ", ".join(line)
            for rof in range(most, least - 1, -1):
                rate, words = _rate_suffixes(rof, most)
                walk = Action("walk fire", targets=line, weapon=offer.at, rof=rof)
                yield self.option(f"walk{rate}:{names}", f"Walking fire over {names}{words}", walk, target=names)

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int) -> Play[Fight]:
        return walk_fire(rules, fight, name, action, penalty)


def fire_lines(rules: Ruleset, fight: Fight, fighter: Fighter, names: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], int, int], ...]:
    """Returns every group that walking fire can cover, with its lowest and highest rate of fire."""
    weapon = fighter.weapon
    rof = weapon.fires.rof if weapon.fires is not None else 0
    if weapon.magazine and not endless_ammunition(rules):
        left = fighter.ammo[fighter.in_hand]
        if left < 5:
            return ()
        rof = min(rof, -(-left // 5))
    people = [fight.fighter(name) for name in names]
    near = {(result.name, other.name) for result, other in combinations(people, 2) if result.distance(other) <= rof + 1}
    if not near:
        return ()
    groups = [
        group for size in range(2, rof + 2) for group in combinations(names, size) if all(pair in near for pair in combinations(group, 2))
    ]
    entries = []
    for group in groups:
        rates = [rate for rate in range(1, rof + 1) if can_walk(rules, fight, fighter, group, rate)]
        if rates:
            entries.append((group, rates[0], rof))
    return tuple(entries)


# --- places on the ground -----------------------------------------------------------------------------------------------------


def spots(rules: Ruleset, fight: Fight, fighter: Fighter) -> tuple[Option[Action], ...]:
    """Returns spots for a grenade: every cover, and the middle between two enemies."""
    weapon, at = fighter.weapon, fighter.in_hand
    if weapon.lobs and not fighter.ammo[at]:
        return ()
    places = [(spot.name, spot.x, spot.y) for spot in fight.ground.covers]
    places += [(cover.name, *cover.middle) for cover in fight.known_map.covers]
    pairs = combinations(fight.enemies(fighter), 2)
    places += [(f"between {result.name} and {two.name}", (result.x + two.x) / 2, (result.y + two.y) / 2) for result, two in pairs]
    return tuple(
        [
            Option(f"lob at:{name}", f"Lob {the(weapon.name)} at a spot: {name}", Action("lob", weapon=at, spot=spot_at(x, y)))
            for name, x, y in places
            if can_reach(rules, fighter, weapon, hypot(x - fighter.x, y - fighter.y), thrown=True)
            and fight.clear_between((fighter.x, fighter.y), (x, y))
        ]
    )


def spots_to_aim_at(rules: Ruleset, fight: Fight, fighter: Fighter, turn: UnderWay) -> Aimed[Action] | None:
    """Returns any place as a target for a grenade in hand; on a map also for saturation fire."""
    weapon = fighter.weapon
    if weapon.blast is not None:
        return spots_to_lob_at(rules, fight, fighter, turn)
    if (
        weapon.fires is None
        or not weapon.fires.rof
        or not fighter.loaded
        or turn.left <= 0
        or (weapon.magazine and fighter.ammo[fighter.in_hand] < 10)
    ):
        return None
    if fight.acting_body(fighter).snared is not None:
        return None
    at, rof = fighter.in_hand, weapon.fires.rof
    return Aimed(
        NOTHING if fight.bare else fight.field,
        (fighter.x, fighter.y),
        "saturate",
        "saturation fire",
        2.0 * weapon.fires.short,
        lambda spot: Action("saturate", weapon=at, rof=rof, spot=spot),
        lambda: (fighter, *_known_people(fight, fighter)),
        least=float(weapon.fires.min_range),
    )


def spots_to_lob_at(rules: Ruleset, fight: Fight, fighter: Fighter, turn: UnderWay) -> Aimed[Action] | None:
    """Returns any place in range and sight as a target for a grenade in hand."""
    weapon, at = fighter.weapon, fighter.in_hand
    blast = weapon.blast
    if blast is None or turn.left <= 0 or fight.acting_body(fighter).snared is not None or (weapon.lobs and not fighter.ammo[at]):
        return None
    least = weapon.fires.min_range if weapon.fires is not None and weapon.lobs else 0
    return Aimed(
        NOTHING if fight.bare else fight.field,
        (fighter.x, fighter.y),
        "lob",
        "throwing",
        8.0 * short_range(rules, fighter.profile, weapon, True),
        lambda spot: Action("lob", weapon=at, spot=spot),
        lambda: (fighter, *_known_people(fight, fighter)),
        float(max(blast.radius, blast.outer_radius)),
        float(least),
    )


def _known_people(fight: Fight, fighter: Fighter) -> list[Fighter]:
    """Returns friends and the enemies known to the side."""
    friends = [f for f in fight.fighters if f.side == fighter.side and f.name != fighter.name and not f.body.dead]
    return [*friends, *fight.known_enemies(fighter)]
