"""Machines that combine into one: who is aboard of what, and what the one knows of the others (book lines 3935-3943)."""

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
    """The components of a combined machine as units of their own. They are inside it, and everybody is aboard the whole."""
    bodies = whole.machine.components
    plain = numbered([body.name for body in bodies])
    told = told_apart({**vehicle.condition, **state}, "components", tuple(plain), whole.name)
    found = []
    for name, own, body in zip(called(whole.name, bodies), plain, bodies, strict=True):
        way = max(body.ways, key=lambda each: (not each.unpowered, each.combat), default=None)
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
        found.append(said_of(unit, told.get(own, {})))
    return tuple(found)


def with_own_crews(whole: Unit) -> Unit:
    """A combined machine that comes into a battle in pieces, with everybody of the components' crews for whom it has no seat itself; not
    where its own crew is not all there."""
    body, crew = whole.machine, whole.crew
    more = sum([each.living for each in body.components]) - seats(whole)
    if more <= 0 or (crew.hands, crew.passengers) != (body.living, body.passengers):
        return whole
    return replace(whole, crew=replace(crew, passengers=crew.passengers + more))


def parted(whole: Unit, components: list[Unit]) -> tuple[Unit, list[Unit]]:
    """Everybody aboard a combined machine goes back into its components: somebody into each first, then into the crews, then into the
    seats of passengers. Casualties stay with the whole."""
    crew = whole.crew
    hands = max(0, crew.hands - crew.lost)
    passengers = max(0, crew.passengers - crew.lost_passengers)
    seated: dict[str, tuple[tuple[Rider, ...], int, int]] = {each.name: ((), 0, 0) for each in components}
    people: list[Rider | str] = [*[r for r in whole.riders if r.seat == "crew"], *(["hand"] * hands)]
    people += [*[r for r in whole.riders if r.seat != "crew"], *(["guest"] * passengers)]
    for each in _order(components, len(people)):
        if not people:
            break
        riders, own, guests = seated[each.name]
        crewed = len(riders) + own < each.machine.living
        who = people.pop(0)
        if isinstance(who, Rider):
            seated[each.name] = (*riders, replace(who, seat="crew" if crewed else "passenger")), own, guests
        else:
            seated[each.name] = riders, own + crewed, guests + (not crewed)
    after = []
    for each in components:
        riders, own, guests = seated[each.name]
        aboard = replace(each.crew, hands=own, passengers=guests, skills=crew.skills)
        after.append(replace(each, riders=riders, crew=aboard))
    left = replace(crew, hands=crew.lost, passengers=crew.lost_passengers)
    return replace(whole, crew=left, riders=()), after


def _order(components: list[Unit], many: int) -> list[Unit]:
    """Who is boarded one after the other: each once, then its crew, then its seats, and the last takes whoever is over."""
    found = [each for each in components if each.machine.living]
    for each in components:
        found += [each] * max(0, each.machine.living - 1)
    for each in components:
        found += [each] * each.machine.passengers
    return found + [components[-1]] * many


def joined(whole: Unit, components: list[Unit]) -> tuple[Unit, list[Unit]]:
    """Everybody aboard the components goes into the combined machine: as many as it has crew at the controls, the rest as passengers, and
    those without names for whom there is no seat nowhere."""
    able = sum([max(0, each.crew.hands - each.crew.lost) for each in components])
    guests = sum([max(0, each.crew.passengers - each.crew.lost_passengers) for each in components])
    lost, gone = sum([each.crew.lost for each in components]), sum([each.crew.lost_passengers for each in components])
    named = [rider for each in components for rider in each.riders]
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
        dead=crew.dead + sum([each.crew.dead for each in components]),
    )
    emptied = [replace(each, riders=(), crew=Crew(computers=each.crew.computers, skills=each.crew.skills)) for each in components]
    return replace(whole, crew=after, riders=riders), emptied


def count_aboard(components: list[Unit]) -> int:
    """Living people aboard several machines."""
    return sum([each.crew.aboard + len([rider for rider in each.riders if not rider.body.dead]) for each in components])


def without_seat(whole: Unit, components: list[Unit]) -> Derived[int]:
    """How many of those without names find no place in a combined machine: whoever has a name sits down first (ruling)."""
    nameless = sum([each.crew.aboard for each in components])
    return total(
        "without a seat",
        term("people aboard the components", count_aboard(components)),
        less(f"seats of {whole.name}", seats(whole)),
        at_least(0, "nobody, at the least"),
        at_most(nameless, "whoever has a name sits down first", source="ruling"),
        rule="sil-4.3.6-combiners",
    )


def seats_named(whole: Unit, components: list[Unit]) -> bool:
    """Whether everybody aboard the components who has a name finds a place in a combined machine."""
    return count_aboard(components) - sum([each.crew.aboard for each in components]) <= seats(whole)


def seats(whole: Unit) -> int:
    """Who finds a place in a combined machine, besides those whom it has lost."""
    return whole.machine.living + whole.machine.passengers
