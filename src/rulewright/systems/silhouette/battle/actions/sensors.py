"""Sensor actions: active sweeps, boosted ranges, large and towed arrays, and forward observing (book lines 4736-4754, 4987)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.grammar import count, figure
from rulewright.play import GAMEMASTER, Event, Option, Play, Stands, Tell, Verdict
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.systems.silhouette.battle.actions.base import Action, Deed
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.sensors.sightings import known_foes, names_of
from rulewright.systems.silhouette.detection.active import (
    SWEEPING,
    Medium,
    Swept,
    array_actions,
    array_bonus,
    bands_beyond,
    boosted_range,
    longest_array,
    sweep,
    sweep_threshold,
)
from rulewright.systems.silhouette.detection.concealment import in_water
from rulewright.systems.silhouette.detection.jamming import strongest
from rulewright.systems.silhouette.detection.line_of_sight import blocked
from rulewright.systems.silhouette.detection.messages import jams_over, sent
from rulewright.systems.silhouette.detection.sight import (
    kilometres,
    lay,
    light_of,
    look,
    sees,
    sensor_base,
    sensor_rating,
    sensor_reach,
    watched,
    watcher_of,
)
from rulewright.systems.silhouette.gunnery.attacks import one_way
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

MOST_BOOSTS = 4
TRAILING: tuple[Medium, ...] = ("naval", "submarine", "air", "space")


class Sensed(Event, frozen=True):
    """An active sensor sweep and its result."""

    by: str
    """The player of the unit, for the chances beside options."""
    name: str
    target: str
    """Empty: nothing was found."""
    swept: Swept | None
    sums: tuple[Reason, ...] = ()
    jam: int | None = None

    def headline(self) -> str:
        if not self.target:
            return f"{self.name} searches with active sensors and finds nothing"
        if self.swept is not None and not self.swept.found:
            return f"{self.name} does not find {self.target} with active sensors"
        return f"{self.name} finds {self.target} with active sensors"

    def reasons(self) -> tuple[Reason, ...]:
        if self.swept is None or not self.target:
            return ()
        jammed = (Reason("jammed", self.swept.jammed, "+", "sil-5.3.3-ecm"),) if self.swept.jammed else ()
        return (*self.swept.test.sum("active sensors", "sil-5.3.2-active-sensors"), *self.sums, *jammed)

    def tone(self) -> str:
        return "good" if self.target and (self.swept is None or self.swept.found) else "plain"

    def verdict(self) -> Verdict | None:
        if self.swept is None and not self.target:  # nobody was there: a chance of 0 would say so
            return None
        was_found = bool(self.target) and self.swept is not None and self.swept.found
        return Verdict("found" if was_found else "not found", SWEEPING, self.by, self.target)


def _hidden_enemies(rules: Ruleset, battle: Battle, unit: Unit) -> list[Unit]:
    """Enemies that a unit could find with active sensors."""
    return _findable(rules, battle, unit, battle.foes(unit))


def _findable(rules: Ruleset, battle: Battle, unit: Unit, foes: list[Unit]) -> list[Unit]:
    """The enemies of a list that a unit could find with active sensors: unseen, within reach, with a clear line of sight."""
    reach = sensor_reach(rules, battle, unit) if foes else 0
    return [
        foe
        for foe in foes
        if not sees(rules, battle, unit, foe)
        and kilometres(battle, unit.spot, foe.spot) <= reach
        and not blocked(rules, lay(rules, battle, unit, foe)).value
    ]


def _threshold(rules: Ruleset, battle: Battle, unit: Unit, foe: Unit) -> int:
    target = watched(rules, battle, foe, unit)
    ground = in_water(rules, lay(rules, battle, unit, foe), watcher_of(rules, battle, unit), target)
    return int(sweep_threshold(rules, ground, target, light_of(battle, foe)).value)


class Sweep(Action):
    """An active sweep for a known enemy, or for any hidden one; then for the enemy that is easiest to find (ruling).

    The gamemaster alone sees a roll for an unknown enemy, so that a bad roll does not reveal that one is there.
    """

    kind = "sweep"
    activity = "active sensor sweep"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if actions_left(rules, unit) < self.costs(rules) or sensor_rating(unit) is None:
            return
        yield Option(
            "sweep", "Search for hidden enemies with active sensors", Deed(kind=self.kind), verb="special", manner=("active sensors",)
        )
        for foe in _findable(rules, battle, unit, known_foes(rules, battle, unit)):
            deed = Deed(kind=self.kind, target=foe.name)
            label = f"Find {foe.name} with active sensors"
            yield Option(f"sweep:{foe.name}", label, deed, verb="special", target=foe.name, manner=("active sensors",))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        hidden = _hidden_enemies(rules, battle, unit)
        unit = replace(unit, used=unit.used + self.costs(rules), signs=replace(unit.signs, loud=True))
        battle = battle.put(unit)
        known = names_of(battle, unit.side)
        if deed.target:
            target = next((foe for foe in hidden if foe.name == deed.target), None)
        else:
            unknown = [foe for foe in hidden if foe not in known_foes(rules, battle, unit)] or hidden
            target = min(unknown, key=lambda foe: (_threshold(rules, battle, unit, foe), foe.name), default=None)
        if target is None:
            yield from Tell(Sensed(unit.voice, unit.name, "", None, known_to=known))
            return battle
        return (yield from self._search(rules, battle, unit, target, known, bool(deed.target)))

    def _search(self, rules: Ruleset, battle: Battle, unit: Unit, target: Unit, known: tuple[str, ...], openly: bool) -> Play[Battle]:
        eyes, thing = watcher_of(rules, battle, unit), watched(rules, battle, target, unit)
        far = bands_beyond(sensor_base(unit), kilometres(battle, unit.spot, target.spot))
        array = array_bonus(rules, unit.machine.size, unit.signs.step).value if unit.signs.step else 0
        jam = strongest(jams_over(battle, "degrade sensors", unit.spot, target.spot), "degrade sensors")
        ground, light = lay(rules, battle, unit, target), light_of(battle, target)
        swept = yield from sweep(rules, eyes, ground, thing, light, far, array, jam, unit.voice if openly else GAMEMASTER, not openly)
        told = target.name if swept.found or openly else ""
        sums = (sweep_threshold(rules, in_water(rules, ground, eyes, thing), thing, light).reason,)
        if swept.found:
            battle = battle.put(replace(unit, signs=replace(unit.signs, found=(*unit.signs.found, target.name))))
        event = Sensed(unit.voice, unit.name, told, swept, sums, jam, known_to=known)
        yield from Tell(event)
        if swept.found:
            yield from Tell(Stands(battle))
        elif not openly:  # the gamemaster alone reads whom the roll was for
            words = f"misses {target.name} with active sensors"
            yield from Tell(Announced(unit.name, words, replace(event, target=target.name).reasons(), known_to=()))
        return battle


class Boost(Action):
    """Doubles the range of the sensors for the round, once for each action; or saves an action for that."""

    kind = "boost"
    activity = "each doubling of sensor or comm range"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if sensor_rating(unit) is None or unit.signs.boosted >= MOST_BOOSTS or unit.evading or unit.machine.has("sensors") is None:
            return
        saved, left = unit.signs.saved, actions_left(rules, unit)
        if left < self.costs(rules) and not saved:
            return
        reach = boosted_range(rules, sensor_base(unit), unit.signs.boosted + 1, unit.signs.array).value
        price = "an action saved before" if saved else "an action"
        label = f"Double the sensor range to {figure(reach)} km for {price} (enemies find the sender at +2)"
        yield Option("boost", label, Deed(kind=self.kind), verb="special", manner=("boosted sensors",))
        if left >= self.costs(rules):
            yield Option("save boost", "Save an action for the sensors", Deed(kind=self.kind, what="save"), verb="special")

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        known = names_of(battle, unit.side)
        signs = unit.signs
        if deed.what == "save":
            yield from Tell(Announced(unit.name, "saves an action for its sensors", known_to=known))
            return battle.put(replace(unit, used=unit.used + self.costs(rules), signs=replace(signs, saved=signs.saved + 1)))
        paid = 0 if signs.saved else self.costs(rules)
        after = replace(signs, boosted=signs.boosted + 1, saved=max(0, signs.saved - 1), loud=True)
        unit = replace(unit, used=unit.used + paid, signs=after)
        reach = boosted_range(rules, sensor_base(unit), after.boosted, after.array)
        yield from Tell(Announced(unit.name, f"boosts its sensors to {figure(reach.value)} km", (reach.reason,), known_to=known))
        battle = battle.put(unit)
        yield from Tell(Stands(battle))
        return battle


class LargeArray(Action):
    """The detection arrays of a very large vehicle: one action for the first step, two for the next, three for the one after."""

    kind = "array"
    activity = "large-vehicle sensor bonus"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if sensor_rating(unit) is None or array_bonus(rules, unit.machine.size).value < 1:
            return
        price = self.price(unit)
        if actions_left(rules, unit) >= price:
            bonus = array_bonus(rules, unit.machine.size, unit.signs.step + 1).value
            label = f"Switch on the large array: +{bonus} on active sensors, for {count(price, 'action')}"
            yield Option("array", label, Deed(kind=self.kind), verb="special", manner=("large array",))

    def price(self, unit: Unit) -> int:
        """Actions for the next step."""
        return int(array_actions(unit.signs.step + 1).value - array_actions(unit.signs.step).value)

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        unit = replace(unit, used=unit.used + self.price(unit), signs=replace(unit.signs, step=unit.signs.step + 1))
        bonus = array_bonus(rules, unit.machine.size, unit.signs.step)
        yield from Tell(
            Announced(unit.name, f"runs its large array at +{bonus.value}", (bonus.reason,), known_to=names_of(battle, unit.side))
        )
        return battle.put(unit)


def medium_of(unit: Unit) -> Medium | None:
    """The medium through which a unit can trail an array; None if it cannot."""
    return next((candidate for candidate in TRAILING if candidate == unit.way), None)


class Trail(Action):
    """Lets out or hauls in the towed array of a ship, submarine, aircraft or spacecraft: twenty rounds a kilometre."""

    kind = "trail"
    activity = "use one system"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        medium = medium_of(unit)
        if medium is None or sensor_rating(unit) is None or actions_left(rules, unit) < self.costs(rules):
            return
        longest = longest_array(rules, sensor_base(unit), medium).value
        if unit.signs.array < longest and unit.signs.paying_out <= 0 and not unit.signs.torn:
            label = f"Let out the towed array, up to {figure(longest)} km"
            yield Option("let out array", label, Deed(kind=self.kind, number=1), verb="special", manner=("towed array",))
        if unit.signs.array > 0 and unit.signs.paying_out >= 0:
            yield Option(
                "haul in array", "Haul in the towed array", Deed(kind=self.kind, number=-1), verb="special", manner=("towed array",)
            )

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        words = "lets out its towed array" if deed.number > 0 else "hauls in its towed array"
        yield from Tell(Announced(unit.name, words, known_to=names_of(battle, unit.side)))
        return battle.put(replace(unit, used=unit.used + self.costs(rules), signs=replace(unit.signs, paying_out=deed.number)))


class Observe(Action):
    """A forward observer: spots a target for the guns of the side for the rest of the round."""

    kind = "observe"
    activity = "forward observing"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if actions_left(rules, unit) < self.costs(rules) or unit.auxiliary("communications") is None or _friendly_gun(battle, unit) is None:
            return
        if one_way(unit) == "receiver":
            return
        for foe in known_foes(rules, battle, unit):
            if foe.name not in unit.signs.observes and sees(rules, battle, unit, foe):
                label = f"Spot {foe.name} for indirect fire"
                deed = Deed(kind=self.kind, target=foe.name)
                yield Option(f"observe:{foe.name}", label, deed, verb="help", target=foe.name, manner=("forward observer",))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        seen = look(rules, battle, unit, battle.unit(deed.target))
        gun = _friendly_gun(battle, unit)
        through = gun is None or (yield from sent(rules, battle, unit, gun))
        if not through:
            return battle.put(replace(unit, used=unit.used + self.costs(rules), signs=replace(unit.signs, loud=True)))
        signs = replace(unit.signs, observes=(*unit.signs.observes, deed.target), loud=True)
        yield from Tell(
            Announced(unit.name, f"spots {deed.target} for indirect fire", seen.reasons(), known_to=names_of(battle, unit.side))
        )
        return battle.put(replace(unit, used=unit.used + self.costs(rules), signs=signs))


def _friendly_gun(battle: Battle, unit: Unit) -> Unit | None:
    """Another unit of the side that could fire indirectly."""
    for friend in battle.friends(unit):
        if any(version.perk("indirect fire") is not None for system in friend.machine.systems for version in system.versions):
            return friend
    return None
