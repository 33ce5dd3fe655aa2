"""How the ground lies between two units: which hexes, how high, how much they hide; and whether a line of sight is open (book lines
4699-4734)."""

from functools import lru_cache

from msgspec import Struct

from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, derive, term, total
from rulewright.systems.silhouette.maneuver.terrain import IN_SPACE

_LOS, _CONCEALMENT = "sil-5.3-los", "sil-5.3.1-concealment"


class Hex(Struct, frozen=True, gc=False, cache_hash=True):
    """A hex as far as seeing goes: what it hides, how high it lies, what it is called in a sum."""

    obscurement: int = 0
    level: int = 0
    name: str = ""


class Lay(Struct, frozen=True, gc=False, cache_hash=True):
    """How the ground lies from an observer to a target: the hexes between, each step one hex or the two between which the line runs."""

    level: int = 0
    """How high the observer is: the ground and its own height above it."""
    target_level: int = 0
    target: Hex = Hex()
    """The hex the target is in."""
    between: tuple[tuple[Hex, ...], ...] = ()
    hexes: int = 0
    """How far it is; 0 is the same hex."""

    @property
    def higher(self) -> int:
        """How high the higher of the two is."""
        return max(self.level, self.target_level)


def _hindering(rules: Ruleset) -> bool:
    return rules.word("between-hexes") == "hindering"


def _height(rules: Ruleset, step: tuple[Hex, ...]) -> int:
    """How high a step of the line lies: of two hexes the higher, or the lower where the campaign says so."""
    heights = [candidate.level for candidate in step]
    return max(heights) if _hindering(rules) else min(heights)


@lru_cache(maxsize=2048)
@rule(_LOS)
def blocked(rules: Ruleset, lay: Lay) -> Derived[str]:
    """What in the ground stops a line of sight: terrain higher than both units, or a rise next to either of them on the way to the
    other (a dead zone); nothing where it is open. Exactly between two hexes the worse counts (ruling "between-hexes")."""
    heights = [_height(rules, step) for step in lay.between]
    why = ""
    if heights and max(heights) > lay.higher:
        why = "higher ground between"
    elif heights and heights[0] > lay.level:
        why = "a rise right before the observer"
    elif heights and heights[-1] > lay.target_level:
        why = "a rise right before the target"
    terms = [term("observer's level", lay.level), term("target's level", lay.target_level)]
    terms += [term("highest between", max(heights))] if heights else []
    return derive(why, "line of sight", *terms, rule=_LOS)


def _hides(lay: Lay, item: Hex) -> int:
    """What a hex between counts for: all on the same height, else only what lies as high as the higher of the two."""
    if lay.level != lay.target_level and item.level < lay.higher:
        return 0
    return item.obscurement


@lru_cache(maxsize=2048)
@rule(_CONCEALMENT)
def obscurement(rules: Ruleset, lay: Lay, more: int = 0) -> Derived[int]:
    """Obscurement: of every hex between the two and of the target's own, not the observer's. Where one is higher, only terrain at the
    higher level and the target's hex count. `more` is what the target found by itself: a hull-down position."""
    counted: list[Reason] = []
    for step in lay.between:
        choose = max if _hindering(rules) else min
        worst = choose(step, key=lambda item: _hides(lay, item))
        if _hides(lay, worst):
            counted.append(term(worst.name or "terrain between", _hides(lay, worst), rule=_CONCEALMENT))
    if lay.hexes or lay.target.obscurement:
        counted.append(term(f"the target's hex{f', {lay.target.name}' if lay.target.name else ''}", lay.target.obscurement))
    if more:
        counted.append(term("hull-down", more, rule="sil-5.6.3-hull-down"))
    return total("Obscurement", *counted, rule=_CONCEALMENT)


@rule(_LOS)
def obscured_in_space(rules: Ruleset, kind: str) -> int:
    """What a hex hides in space: clouds of dust 1, debris 2. Whatever lies in the shadow of a planet begins with a Concealment of 4."""
    return IN_SPACE.get(rules, kind).value
