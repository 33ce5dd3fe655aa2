"""Faults in the `state` of a scenario's members: numbers that cannot be, and values that the game refuses, each with its field."""

import itertools
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from rulewright.errors import UserError, all_of
from rulewright.files import Document, FieldPath
from rulewright.grammar import figure
from rulewright.scenes.scenarios import CONDITION, Placed, Scenario
from rulewright.scenes.scene import Scene

Limits = Mapping[str, tuple[float, float]]
LEAST, MOST = 0, 1000
"""The limits of a number in a member's state, unless the scene sets others."""
ANYWHERE = (-100_000, 100_000)
"""The limits of a coordinate."""
NO_FIELD = re.compile(r"state has no field|: unknown field")
"""The words with which a field of a state that does not exist is refused."""
MOST_FAULTS = 50
SEARCH_SECONDS = 3.0
"""Processor time of the search for the fields that keep a scene from beginning."""
BY_ANY_SCENE: Limits = {"x": ANYWHERE, "y": ANYWHERE}
LASTING_MOST = 1_000_000
"""The greatest number in the results of earlier scenes, which may be greater than a scenario should begin with."""


def limits_of(scene: Scene[Any], field: str) -> tuple[float, float]:
    """The least and the greatest number that a field of a member's state may have; `ammo.pistol` has those of `ammo`.

    A part of a field without limits of its own is for the game to judge: only far values are refused here.
    """
    head, dot, _ = field.removeprefix("body.").partition(".")
    return scene.limits.get(head) or BY_ANY_SCENE.get(head) or (ANYWHERE if dot else (LEAST, MOST))


def numbers_in(value: Any) -> Iterator[float]:
    """A number, or the numbers of a plain list."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield value
    elif isinstance(value, list | tuple):
        for entry in value:
            if isinstance(entry, int | float) and not isinstance(entry, bool):
                yield entry


def beyond(value: Any, least: float, most: float) -> str:
    """Returns the fault of a value outside of its limits; empty if it is no number or keeps them."""
    wrong = next((number for number in numbers_in(value) if not least <= number <= most), None)
    return "" if wrong is None else f"must be from {figure(least)} to {figure(most)}, not {figure(wrong)}"


def out_of_limits(scene: Scene[Any], document: Document, scenario: Scenario, members: Sequence[Placed]) -> list[UserError]:
    """Every number in the state of a member, or in the results of earlier scenes in their file, that cannot be."""
    faults = []
    for place, entry in entries(scenario):
        for field, value in entry.state.items():
            if words := beyond(value, *limits_of(scene, field)):
                faults.append(document.wrong((*place, "state", field), words))
    for place, placed in zip(places(scenario), members, strict=True):
        for field, value in (getattr(placed.character, CONDITION, None) or {}).items():
            least, most = limits_of(scene, field)
            if field.partition(".")[0] in scene.carries and (words := beyond(value, least, max(most, LASTING_MOST))):
                faults.append(document.wrong((*place, "character"), f"{placed.name}: {CONDITION}.{field} {words}"))
    return faults


def lasting_faults(scenes: Iterable[Scene[Any]], thing: Any) -> list[tuple[str, str]]:
    """The numbers among the results of earlier scenes in a file that no scene of the game could have left, with what is wrong."""
    listed = list(scenes)
    faults = []
    for field, value in (getattr(thing, CONDITION, None) or {}).items():
        carrying = [limits_of(scene, field) for scene in listed if field.partition(".")[0] in scene.carries]
        if carrying:
            least, most = min(least for least, _ in carrying), max(most for _, most in carrying)
            if words := beyond(value, least, max(most, LASTING_MOST)):
                faults.append((f"{CONDITION}.{field}", words))
    return faults


def entries(scenario: Scenario) -> Iterator[tuple[FieldPath, Any]]:
    """The members as the file lists them, each with its field."""
    for side, members in scenario.sides.items():
        for number, member in enumerate(members):
            yield ("sides", side, number), member


def places(scenario: Scenario) -> list[FieldPath]:
    """The field of everybody who takes part, in order; several copies of a member have the same."""
    return [place for place, member in entries(scenario) for _ in range(member.count)]


def each_field_once(faults: Iterable[UserError]) -> UserError:
    """All faults, the first of each field: a number out of its limits is usually refused by the game too.

    For a field that does not exist, this is its fault, not its number.
    """
    by_place: dict[str, UserError] = {}
    for fault in sorted(faults, key=lambda fault: NO_FIELD.search(str(fault)) is None):
        by_place.setdefault(": ".join(str(fault).split(": ")[:2]), fault)
    return all_of(sorted(by_place.values(), key=_line_and_column))


def _line_and_column(fault: UserError) -> tuple[int, ...]:
    place = re.search(r":(\d+):(\d+): ", str(fault))
    return tuple(map(int, place.groups())) if place else ()


Begin = Callable[[tuple[Placed, ...]], Any]


def refused_states(document: Document, scenario: Scenario, members: tuple[Placed, ...], begin: Begin) -> list[UserError]:
    """Lists the fields of members' states that keep a scene from beginning; none if something else does.

    A field is at fault if the error changes without it. It is then left out, so that the next error shows. Fields that the error names are
    tried first. In a very large scenario the search ends after some seconds, with the faults found so far.
    """
    at = places(scenario)
    left = [(place, field) for place, entry in entries(scenario) for field in entry.state]

    def begun(chosen: Iterable[tuple[FieldPath, str]]) -> UserError | None:
        kept = set(chosen)
        return _fails(begin, [_with_fields(placed, place, kept) for place, placed in zip(at, members, strict=True)])

    until = time.process_time() + SEARCH_SECONDS
    faults: list[UserError] = []
    error = begun(left)
    while error is not None and len(faults) < MOST_FAULTS:
        words = str(error)
        by_words = sorted(left, key=lambda suspect: suspect[1].partition(".")[0] not in words)
        suspects = itertools.takewhile(lambda _: time.process_time() < until, by_words)
        without = ((suspect, begun([other for other in left if other != suspect])) for suspect in suspects)
        guilty = next(((suspect, rest) for suspect, rest in without if str(rest) != words), None)
        if guilty is None:
            break
        (place, field), following = guilty
        faults.append(document.wrong((*place, "state", field), words))
        left.remove((place, field))
        error = following
    return faults


def _with_fields(placed: Placed, place: FieldPath, kept: set[tuple[FieldPath, str]]) -> Placed:
    """A member with only the chosen fields of their state."""
    return replace(placed, state={field: value for field, value in placed.state.items() if (place, field) in kept})


def _fails(begin: Begin, members: Sequence[Placed]) -> UserError | None:
    try:
        begin(tuple(members))
    except UserError as error:
        return error
    return None
