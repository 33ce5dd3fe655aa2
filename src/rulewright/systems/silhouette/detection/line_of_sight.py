"""Line of sight: the terrain between two units, its heights and Obscurement, and whether the line is open (book lines
4699-4734)."""

from msgspec import Struct

from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, derive, term, total
from rulewright.systems.silhouette.maneuver.terrain import IN_SPACE

_LOS, _CONCEALMENT = "sil-5.3-los", "sil-5.3.1-concealment"


class Hex(Struct, frozen=True, gc=False, cache_hash=True):
    """A hex for lines of sight: Obscurement, height, and its name in a sum."""

    obscurement: int = 0
    level: int = 0
    name: str = ""


class Lay(Struct, frozen=True, gc=False, cache_hash=True):
    """The terrain from an observer to a target: the hexes between, each step one hex or the two between which the line runs."""

    level: int = 0
    """The observer's height: its terrain plus its own height above it."""
    target_level: int = 0
    target: Hex = Hex()
    """The target's hex."""
    between: tuple[tuple[Hex, ...], ...] = ()
    hexes: int = 0
    """The distance; 0 is the same hex."""

    @property
    def higher(self) -> int:
        """The height of the higher of the two."""
        return max(self.level, self.target_level)


def _lower_hex_counts(rules: Ruleset) -> bool:
    return rules.word("between-hexes") == "hindering"


def _height(rules: Ruleset, step: tuple[Hex, ...]) -> int:
    """The height of a step of the line: of two hexes the higher, or the lower if the campaign says so."""
    heights = [candidate.level for candidate in step]
    return max(heights) if _lower_hex_counts(rules) else min(heights)


@cached(2048)
@rule(_LOS)
def blocked(rules: Ruleset, lay: Lay) -> Derived[str]:
    """Returns what blocks a line of sight: terrain higher than both units, or a rise next to either of them towards the other (a dead
    zone); empty if it is open. Exactly between two hexes the worse counts (ruling "between-hexes")."""
    heights = [_height(rules, step) for step in lay.between]
    why = ""
    if heights and max(heights) > lay.higher:
        why = "higher ground between"
    elif heights and heights[0] > lay.level:
        why = "higher ground next to the observer"
    elif heights and heights[-1] > lay.target_level:
        why = "higher ground next to the target"
    terms = [term("observer's level", lay.level), term("target's level", lay.target_level)]
    terms += [term("highest between", max(heights))] if heights else []
    return derive(why, "line of sight", *terms, rule=_LOS)


def _obscurement_of(lay: Lay, item: Hex) -> int:
    """The Obscurement of a hex between: all of it at equal heights, otherwise only if it is as high as the higher of the two."""
    if lay.level != lay.target_level and item.level < lay.higher:
        return 0
    return item.obscurement


@cached(2048)
@rule(_CONCEALMENT)
def obscurement(rules: Ruleset, lay: Lay, more: int = 0) -> Derived[int]:
    """Obscurement: of every hex between the two and of the target's own, not the observer's. If one is higher, only terrain at the
    higher level and the target's hex count. `more` is the target's own cover: a hull-down position."""
    counted: list[Reason] = []
    for step in lay.between:
        choose = max if _lower_hex_counts(rules) else min
        worst = choose(step, key=lambda item: _obscurement_of(lay, item))
        if _obscurement_of(lay, worst):
            counted.append(term(worst.name or "terrain between", _obscurement_of(lay, worst), rule=_CONCEALMENT))
    if lay.hexes or lay.target.obscurement:
        counted.append(term(f"the target's hex{f', {lay.target.name}' if lay.target.name else ''}", lay.target.obscurement))
    if more:
        counted.append(term("hull-down", more, rule="sil-5.6.3-hull-down"))
    return total("Obscurement", *counted, rule=_CONCEALMENT)


@rule(_LOS)
def obscured_in_space(rules: Ruleset, kind: str) -> int:
    """The Obscurement of a hex in space: dust clouds 1, debris 2. A target in the shadow of a planet starts with a Concealment of 4.

    A view of `obscurement`, which adds it by the terrain of each hex.
    """
    return IN_SPACE.get(rules, kind).value
