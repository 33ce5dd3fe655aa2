"""Combined machines: their crews and components (book lines 3935-3943)."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from rulewright.rules.reasons import Derived, at_least, at_most, less, term, total
from rulewright.scenes.scenarios import numbered
from rulewright.systems.silhouette.machines.vehicle import Vehicle
from rulewright.systems.silhouette.units.parts import called, told_apart
from rulewright.systems.silhouette.units.setup import crew_of, said_of
from rulewright.systems.silhouette.units.units import Crew, Part, Rider, Unit, fresh_arms


def components_of(vehicle: Vehicle, whole: Unit, state: Mapping[str, Any]) -> tuple[Unit, ...]:
    """The components of a combined machine as units of their own. They start inside it, with everyone aboard the combined machine."""
    bodies = whole.machine.components
    plain = numbered([body.name for body in bodies])
    told = told_apart({**vehicle.condition, **state}, "components", tuple(plain), whole.name)
    units = []
    for name, own, body in zip(called(whole.name, bodies), plain, bodies, strict=True):
        way = max(body.ways, key=lambda item: (not item.unpowered, item.combat), default=None)
        unit = Unit(
            name=name,
            side=whole.side,
            group=whole.group,
            machine=body,
            crew=replace(crew_of(body), hands=0, passengers=0),
            arms=fresh_arms(body),
            way=way.type if way is not None else "",
            halved=whole.halved,
            gone=True,
            part=Part(of=whole.name, section=False, inside=True, voice=whole.voice),
        )
        units.append(said_of(unit, told.get(own, {})))
    return tuple(units)


def with_own_crews(whole: Unit) -> Unit:
    """A combined machine that starts a battle split, with the crews of its components for whom it has no seats; not if its own crew is
    incomplete."""
    body, crew = whole.machine, whole.crew
    more = sum([component.living for component in body.components]) - seats(whole)
    if more <= 0 or (crew.hands, crew.passengers) != (body.living, body.passengers):
        return whole
    return replace(whole, crew=replace(crew, passengers=crew.passengers + more))


def parted(whole: Unit, components: list[Unit]) -> tuple[Unit, list[Unit]]:
    """Move everyone from a combined machine back to its components: one person into each first, then crews, then passenger seats.
    Casualties stay with the combined machine."""
    crew = whole.crew
    hands = max(0, crew.hands - crew.lost)
    passengers = max(0, crew.passengers - crew.lost_passengers)
    seated: dict[str, tuple[tuple[Rider, ...], int, int]] = {unit.name: ((), 0, 0) for unit in components}
    people: list[Rider | str] = [*[r for r in whole.riders if r.seat == "crew"], *(["hand"] * hands)]
    people += [*[r for r in whole.riders if r.seat != "crew"], *(["guest"] * passengers)]
    for component in _boarding_order(components, len(people)):
        if not people:
            break
        riders, own, guests = seated[component.name]
        crewed = len(riders) + own < component.machine.living
        who = people.pop(0)
        if isinstance(who, Rider):
            seated[component.name] = (*riders, replace(who, seat="crew" if crewed else "passenger")), own, guests
        else:
            seated[component.name] = riders, own + crewed, guests + (not crewed)
    after = []
    for component in components:
        riders, own, guests = seated[component.name]
        aboard = replace(component.crew, hands=own, passengers=guests, skills=crew.skills)
        after.append(replace(component, riders=riders, crew=aboard))
    left = replace(crew, hands=crew.lost, passengers=crew.lost_passengers)
    return replace(whole, crew=left, riders=()), after


def _boarding_order(components: list[Unit], many: int) -> list[Unit]:
    """The order of boarding: each once, then its crew, then its seats; the last takes everyone left over."""
    units = [component for component in components if component.machine.living]
    for component in components:
        units += [component] * max(0, component.machine.living - 1)
    for component in components:
        units += [component] * component.machine.passengers
    return units + [components[-1]] * many


def joined(whole: Unit, components: list[Unit]) -> tuple[Unit, list[Unit]]:
    """Move everyone from the components into the combined machine: its crew at the controls, the rest as passengers. Nameless crew
    without a seat are left out."""
    able = sum([max(0, component.crew.hands - component.crew.lost) for component in components])
    guests = sum([max(0, component.crew.passengers - component.crew.lost_passengers) for component in components])
    lost, gone = sum([component.crew.lost for component in components]), sum([component.crew.lost_passengers for component in components])
    named = [rider for component in components for rider in component.riders]
    seats = whole.machine.living
    riders = tuple([replace(rider, seat="crew" if at < seats else "passenger") for at, rider in enumerate(named)])
    people = able + guests - without_seat(whole, components).value
    hands = min(people, max(0, seats - len(riders)))
    crew = whole.crew
    after = replace(
        crew,
        hands=crew.hands + hands + lost,
        lost=crew.lost + lost,
        passengers=crew.passengers + people - hands + gone,
        lost_passengers=crew.lost_passengers + gone,
        dead=crew.dead + sum([component.crew.dead for component in components]),
    )
    emptied = [
        replace(component, riders=(), crew=Crew(computers=component.crew.computers, skills=component.crew.skills))
        for component in components
    ]
    return replace(whole, crew=after, riders=riders), emptied


def count_aboard(components: list[Unit]) -> int:
    """Living people aboard several machines."""
    return sum([component.crew.aboard + len([rider for rider in component.riders if not rider.body.dead]) for component in components])


def without_seat(whole: Unit, components: list[Unit]) -> Derived[int]:
    """How many nameless crew have no seat in a combined machine; named characters are seated first (ruling)."""
    nameless = sum([component.crew.aboard for component in components])
    return total(
        "without a seat",
        term("people aboard the components", count_aboard(components)),
        less(f"seats of {whole.name}", seats(whole)),
        at_least(0, "none at least"),
        at_most(nameless, "named characters are seated first", source="ruling"),
        rule="sil-4.3.6-combiners",
    )


def seats_named(whole: Unit, components: list[Unit]) -> bool:
    """Whether every named character aboard the components has a seat in the combined machine."""
    return count_aboard(components) - sum([component.crew.aboard for component in components]) <= seats(whole)


def seats(whole: Unit) -> int:
    """The seats of a combined machine, less its casualties."""
    return whole.machine.living + whole.machine.passengers
