"""Sounds of unseen units, and towed arrays (book lines 4748-4754, 4784-4786, 5214-5216)."""

from typing import Literal

from msgspec.structs import replace

from rulewright.field.geometry import hexes
from rulewright.grammar import count
from rulewright.play import Event, Play, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.systems.silhouette.battle.actions.sensors import medium_of
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.sensors.sightings import names_of
from rulewright.systems.silhouette.detection.active import array_lost, longest_array, rounds_to_trail
from rulewright.systems.silhouette.detection.concealment import aquatic_only, heard_under_water
from rulewright.systems.silhouette.detection.night import heard_at
from rulewright.systems.silhouette.detection.sight import aware, depth_of, kilometres, sensor_base, sensor_rating
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

ROUGHLY = 5
"""The precision of a sound's distance, in hexes."""


class Heard(Event, frozen=True):
    """A sound of an unseen unit: rough distance and direction."""

    name: str
    how: str
    far: int
    direction: str
    sums: tuple[Reason, ...] = ()

    def headline(self) -> str:
        return f"{self.name} hears {self.how} about {count(self.far, 'hex')} to the {self.direction}"


def listen(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """At the beginning of a round each side hears unseen enemies: engines by night, and movement under water if its sensors are made
    for that."""
    if not battle.hexes:
        return battle
    for side in battle.sides:
        ears = [unit for unit in battle.units if unit.side == side and unit.able]
        for foe in battle.units:
            if foe.side == side or not foe.able or aware(rules, battle, side, foe):
                continue
            heard = next((event for ear in ears if (event := _sound_of(rules, battle, ear, foe)) is not None), None)
            if heard is not None:
                yield from Tell(replace(heard, known_to=names_of(battle, side)))
    return battle


def _sound_of(rules: Ruleset, battle: Battle, ear: Unit, foe: Unit) -> Heard | None:
    far = kilometres(battle, ear.spot, foe.spot)
    how = ""
    if depth_of(foe) and aquatic_only(ear.machine) and sensor_rating(ear) is not None:
        reach = heard_under_water(rules, sensor_base(ear), ear.signs.array)
        how = "a noise under water" if far <= reach.value else ""
    elif battle.place.night and not depth_of(foe):
        stealth = foe.machine.has("stealth")
        what: Literal["naval", "vehicle"] = "naval" if foe.way == "naval" else "vehicle"
        rating = (stealth.rating or 0) if stealth is not None else 0
        reach = heard_at(rules, what, rating, foe.last if foe.way == "naval" else 0, battle.place.atmosphere > 0)
        how = "engines in the dark" if far * 1000 <= reach.value else ""
    if not how:
        return None
    hexes_off = max(ROUGHLY, ROUGHLY * round(battle.field.distance(ear.spot, foe.spot) / ROUGHLY))
    here, there = (int(ear.x), int(ear.y)), (int(foe.x), int(foe.y))
    direction = hexes.DIRECTIONS[hexes.towards(here, there)] if here != there else "spot"
    return Heard(ear.name, how, hexes_off, direction, (reach.reason,))


def trail_arrays(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Let out, haul in or tear off towed arrays at the end of a round."""
    for unit in battle.units:
        medium = medium_of(unit)
        if medium is None or not (unit.signs.array or unit.signs.paying_out):
            continue
        known = names_of(battle, unit.side)
        why = array_lost(rules, unit.speed == "top" or unit.shifting == "top", unit.backed, unit.turns)
        if why and unit.signs.array:
            yield from Tell(Announced(unit.name, f"loses its towed array {why}", known_to=known))
            battle = battle.change(unit.name, signs=replace(unit.signs, array=0, paying_out=0, torn=True))
            continue
        longest = longest_array(rules, sensor_base(unit), medium).value
        result = 1 / rounds_to_trail(rules, 1).value
        length = round(min(longest, max(0, unit.signs.array + result * unit.signs.paying_out)), 2)
        done = length in (0, longest)
        if done and unit.signs.paying_out:
            words = "has its towed array out" if length else "has its towed array in"
            yield from Tell(Announced(unit.name, f"{words}: {length:g} km", known_to=known))
        signs = replace(unit.signs, array=length, paying_out=0 if done else unit.signs.paying_out)
        battle = battle.change(unit.name, signs=signs)
    return battle
