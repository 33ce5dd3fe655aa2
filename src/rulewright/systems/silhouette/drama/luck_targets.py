"""Luck and Genre Points of the people in any scene (book lines 6114-6196, 8742-8747, 8844-8847).

A scene with anybody lucky, unlucky or with Genre Points is a `Company`: it says who has what, and records what was spent.
`genre_point_pools.py` pays and `fight/luck.py` watches the rolls, in every kind of scene.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from rulewright.grammar import count
from rulewright.play import Choice, Happened, Option, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.drama.genre_effects import LOWEST_PSYCHE, Standing, burst_of_angst, inner_well
from rulewright.systems.silhouette.drama.traits_in_play import ORDINARY, Fortune
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.people.characters import Person
from rulewright.systems.silhouette.people.genre import Priced, effects_in_play, mimicked_level, starting_points, villain_points
from rulewright.systems.silhouette.people.traits import flaw_value
from rulewright.systems.silhouette.resolution.tests import Mod

S = TypeVar("S")
Pain = Literal["", "flesh", "deep"]
"""The wound to ignore."""


class Fate(Struct, frozen=True):
    """A character's luck and Genre Points, and what decides who may spend them."""

    name: str
    side: str
    able: bool = True
    points: int = 0
    genre: tuple[str, ...] = ()
    """Genre Effects of the campaign."""
    start: int = 0
    """Genre Points at the first scene."""
    villain: bool = False
    hidden: bool = False
    fortune: Fortune = ORDINARY


class Company(ABC, Generic[S]):
    """A scene's state as holders of luck and Genre Points."""

    def __init__(self, rules: Ruleset, state: S) -> None:
        self.rules, self.state = rules, state
        self.fates = self.all_fates()
        self._by_name = {fate.name: fate for fate in self.fates}

    @abstractmethod
    def all_fates(self) -> tuple[Fate, ...]:
        """Returns everybody in the scene, in order."""

    @abstractmethod
    def with_points(self, state: S, points: Mapping[str, int]) -> S:
        """Returns the state with each one's points left."""

    @abstractmethod
    def with_fortune(self, state: S, name: str, fortune: Fortune) -> S:
        """Returns the state with a character's luck changed."""

    @abstractmethod
    def about(self, name: str) -> Any:
        """Returns the subject of a character's decision in this scene."""

    def fate(self, name: str) -> Fate | None:
        """Returns a character's luck and points, or None if not in the scene."""
        return self._by_name.get(name)

    def tell(self, who: str, what: str, mood: str = "plain") -> Tell:
        """Tells what a character does."""
        return Tell(Happened(who, what, mood))


def genre_points_of(rules: Ruleset, person: Person, characters: int) -> int:
    """Returns starting Genre Points: player characters by attributes and Flaws, a main villain the minimum, others none."""
    if person.role == "joe average":
        return 0
    if person.role == "major npc":
        return villain_points(rules, "main villain", characters)[0]
    flaws = sum([flaw_value(rules, flaw).value for flaw in person.flaws])
    return starting_points(rules, min(person.attributes.values()), flaws).value


def with_genre(rules: Ruleset, body: Patient, person: Person, genre: tuple[str, ...], characters: int) -> Patient:
    """Returns a body with the campaign's Genre Effects and starting points (none without effects)."""
    if not genre:
        return body
    return replace(body, genre=effects_in_play(rules, genre), genre_points=genre_points_of(rules, person, characters))


def mimic(who: str, genre: tuple[str, ...], skill: str, about: Any) -> Play[int]:
    """Offers Mimic Skill to a character about to roll an unlearned skill; returns the level for this roll, or 0. The watcher of the
    scene takes the points."""
    if "mimic skill" not in genre:
        return 0
    levels = [Priced(str(n), f"{skill.capitalize()} {n} for this roll", mimicked_level(n), price=n) for n in (1, 2, 3)]
    return (
        yield from Choice[int](
            who, f"Mimic the skill {skill.capitalize()}?", (Option("no", "Try it unskilled", 0), *levels), about, "mimic"
        )
    )


_NO_STRENGTH: Option[Pain] = Option("no", "Bear the pain", "")


def inner_strength(rules: Ruleset, body: Patient, eased: tuple[int, int], about: Any) -> Play[tuple[Patient, tuple[int, int]]]:
    """Offers Inner Well of Strength at the start of a round: ignores one wound until the crisis ends. `eased` counts the Flesh and Deep
    Wounds already ignored; returns the body and the new counts."""
    if "inner well of strength" not in body.genre or not body.able:
        return body, eased
    options = [_NO_STRENGTH]
    if eased[0] < body.flesh:
        options.append(Priced("inner well flesh", "Inner Well of Strength: ignore a Flesh Wound", "flesh", price=1))
    if eased[1] < body.deep:
        options.append(Priced("inner well deep", "Inner Well of Strength: ignore a Deep Wound", "deep", price=3))
    if len(options) < 2:
        return body, eased
    wound = yield from Choice[Pain](body.name, "Do you spend Genre Points?", tuple(options), about, "genre")
    if not wound:
        return body, eased
    standing = Standing(body.name, body.genre_points, body, eased_flesh=eased[0], eased_deep=eased[1])
    paid = inner_well(rules, standing, wound)
    yield Tell(Happened(body.name, "spends Genre Points on inner well of strength", "good"))
    return replace(paid.patient, genre_points=paid.points), (paid.eased_flesh, paid.eased_deep)


Angst = tuple[tuple[str, int], ...]
"""Attribute points moved from Psyche, by attribute."""


class Shaken(Struct, frozen=True, cache_hash=True):
    """A character's Psyche, whether they saw something traumatic, and the result of a Burst of Angst."""

    psyche: int = 0
    shocked: bool = False
    angst: Angst = ()

    def shift(self, attribute: str) -> Mod:
        """Returns the modifier of the rage on a test with an attribute; negative for Psyche."""
        moved = dict(self.angst)
        value = -sum(moved.values()) if attribute == "psyche" else moved.get(attribute, 0)
        return Mod("Burst of Angst", value, "sil-6.4.5-genre-effects")


def burst(rules: Ruleset, fate: Fate, shaken: Shaken, attributes: tuple[str, ...], about: Any) -> Play[Shaken]:
    """Offers Burst of Angst to a shocked character: moves points from Psyche to an attribute used in the scene until it ends. Derived
    values do not change (ruling)."""
    most = min(fate.points, shaken.psyche + shaken.shift("psyche").value - LOWEST_PSYCHE)
    if not shaken.shocked or "burst of angst" not in fate.genre or most < 1:
        return shaken
    none: Option[tuple[str, int]] = Option("no", "Keep calm", ("", 0))
    raised = [
        Priced(
            f"burst of angst {attribute} {n}",
            f"Burst of Angst: move {count(n, 'point')} from Psyche to {attribute.capitalize()}",
            (attribute, n),
            price=n,
        )
        for attribute in attributes
        for n in range(1, most + 1)
    ]
    attribute, points = yield from Choice(fate.name, "Do you spend Genre Points?", (none, *raised), about, "genre")
    if not points:
        return shaken
    paid = burst_of_angst(rules, Standing(fate.name, fate.points, psyche=shaken.psyche, angst=shaken.angst), attribute, points)
    yield Tell(Happened(fate.name, f"bursts into a rage ({attribute.capitalize()} {points:+})", "good"))
    return replace(shaken, angst=paid.angst)
