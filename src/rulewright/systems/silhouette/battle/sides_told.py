"""What concerns several sides, told to each side without the names and numbers of sides that it has not found."""

from collections.abc import Callable

from rulewright.play import Choice, Given, Option, Play, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.systems.silhouette.battle.actions.base import About
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.sensors.sightings import names_of, names_of_sides
from rulewright.systems.silhouette.units.state import Battle

Words = Callable[[dict[str, str]], str]
"""The words of an entry, from the name of each side."""


def announce(rules: Ruleset, battle: Battle, words: Words, sums: dict[str, Reason]) -> Play[None]:
    """Tells an entry with a sum for each side. A side that has not found another gets neither its name nor its sum."""
    real = {side: side for side in battle.sides}
    named = {viewer: names_of_sides(rules, battle, viewer) for viewer in battle.sides}
    full = [viewer for viewer, names in named.items() if names == real]
    known = None if len(full) == len(named) else tuple([name for viewer in full for name in names_of(battle, viewer)])
    yield from Tell(Announced("", words(real), tuple(sums.values()), known_to=known))
    for viewer, names in named.items():
        if viewer not in full:
            own_sums = tuple([reason for side, reason in sums.items() if names.get(side, side) == side])
            yield from Tell(Announced("", words(names), own_sums, known_to=names_of(battle, viewer), again=True))


class SideChoice(Choice[str], frozen=True, eq=False):
    """Which side is first: sides that were not found have other keys, but records of 0.9.5 name every side."""

    def take(self, given: Given) -> str:
        side = str(given).removeprefix("first ")
        return side if side in self.about.battle.sides else super().take(given)


def first_side(battle: Battle, ask: str, sides: list[str], voice: str, about: About) -> SideChoice:
    """The question which side does something first."""
    names = names_of_sides(about.rules, battle, battle.unit(about.unit).side)
    labels = [(side, names.get(side, side)) for side in sides]
    options = tuple([Option(f"first {name}", f"{name[:1].upper()}{name[1:]} first", side) for side, name in labels])
    return SideChoice(voice, ask, options, about, "first")
