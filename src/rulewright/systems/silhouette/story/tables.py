"""Random tables of the gamemaster: fumbles, features, looks, plots (book lines 6406-6450, 6622-6680)."""

from typing import Literal

from msgspec import Struct

from rulewright.dice.sums import Sum, sum_of
from rulewright.errors import UserError
from rulewright.play import Play, Roll
from rulewright.rules import Ruleset, Table, TableRow, rule

Fumbled = Literal["attack", "defense", "perception", "social", "stealth", "technical"]
Sex = Literal["man", "woman"]


class PromptRow(TableRow, frozen=True):
    """A suggestion for a fumble, and its effect on a device."""

    prompt: str
    kind: Fumbled
    roll: int
    what: str
    turns: bool = False
    works_half: bool = False
    blows_up_at: int = 0


class FeatureRow(TableRow, frozen=True):
    """Appearance, behavior and clothing by two dice."""

    roll: int
    appearance: str
    behavior: str
    clothing: str


class LooksRow(TableRow, frozen=True):
    """Age in years, height in centimetres, weight in kilograms, hair and eyes by two dice."""

    roll: int
    age: int
    height: int
    weight: int
    hair: str
    eyes: str


class TypeRow(TableRow, frozen=True):
    """A stereotype with trades and twists, a motivation, or a life change."""

    name: str
    group: Literal["stereotype", "motivation", "life change"]
    about: str
    trades: tuple[str, ...] = ()
    twists: tuple[str, ...] = ()


class PlotRow(TableRow, frozen=True):
    """A plot with two versions."""

    title: str
    premise: str
    first: str
    second: str


PROMPTS = Table("sil-7.1.7-fumble-effects", PromptRow)
FEATURES = Table("sil-7.2.3-npc-features", FeatureRow)
LOOKS = Table("sil-7.2.3-npc-physical", LooksRow)
TYPES = Table("sil-7.2.2-stereotypes", TypeRow)
PLOTS = Table("sil-7.3-plot-movers", PlotRow)
TWO_DICE = sum_of(2, 6)


def one_of(count: int) -> Sum:
    """Returns a die with as many faces as choices."""
    if count < 1:
        raise UserError("there is nothing to choose from")
    return sum_of(1, count)


# --- fumbles ------------------------------------------------------------------------------------------------------------------


class Mishap(Struct, frozen=True):
    """A fumble's effect; for a device how many turns it still works, and at which use it explodes."""

    what: str
    turns: int | None = None
    works_half: bool = False
    blows_up_at: int = 0


@rule("sil-7.1.7-fumble-effects")
def mishap(rules: Ruleset, kind: Fumbled = "attack", name: str = "") -> Play[Mishap]:
    """Rolls one of six suggestions for a fumble behind the screen. Some for devices say how long or how often they still work."""
    rows = sorted([row for row in PROMPTS(rules).values() if row.kind == kind], key=lambda row: row.roll)
    face = yield from Roll(one_of(len(rows)), name, f"what the {kind} fumble was", True, True)
    row = rows[face - 1]
    turns = (yield from Roll(sum_of(1, 6), name, "turns it still works", True, True)) if row.turns else None
    return Mishap(row.what, turns, row.works_half, row.blows_up_at)


@rule("sil-7.1.7-fumble-effects")
def noticed_after_fumble(watched: bool) -> bool:
    """Whether a character who fumbled Stealth is noticed: only if somebody looks. By id only."""
    return watched


# --- people -------------------------------------------------------------------------------------------------------------------


@rule("sil-7.2.3-npc-features")
def feature(rules: Ruleset, of: Literal["appearance", "behavior", "clothing"] = "appearance") -> Play[str]:
    """Rolls one feature of a person with two dice. By id only."""
    total = yield from Roll(TWO_DICE, "", of)
    return str(getattr(FEATURES.get(rules, str(total)), of))


@rule("sil-7.2.3-npc-physical")
def looks_row(total: int, of: Literal["age", "height", "weight", "hair", "eyes"] = "height", sex: Sex = "man") -> int:
    """Returns the row for two dice: for women 1 lower for height and 2 for weight, never below the first (reading)."""
    lower = {"height": 1, "weight": 2}.get(of, 0) if sex == "woman" else 0
    return max(2, total - lower)


@rule("sil-7.2.3-npc-physical")
def looks(rules: Ruleset, of: Literal["age", "height", "weight", "hair", "eyes"] = "height", sex: Sex = "man") -> Play[str]:
    """Rolls one physical property of a person with two dice."""
    total = yield from Roll(TWO_DICE, "", of)
    return str(getattr(LOOKS.get(rules, str(looks_row(total, of, sex))), of))


@rule("sil-7.2.2-stereotypes")
def types_of(rules: Ruleset, group: Literal["stereotype", "motivation", "life change"] = "stereotype") -> tuple[str, ...]:
    """Returns the names of a group: four stereotypes, six motivations, five life changes."""
    return tuple([row.name for row in TYPES(rules).values() if row.group == group])


@rule("sil-7.2.2-stereotypes")
def drawn_type(rules: Ruleset, group: Literal["stereotype", "motivation", "life change"] = "stereotype") -> Play[str]:
    """Rolls one of a group, all equally likely."""
    names = types_of(rules, group)
    return names[(yield from Roll(one_of(len(names)), "", group)) - 1]


@rule("sil-7.2.2-stereotypes")
def twist(rules: Ruleset, stereotype: str = "fighter") -> Play[str]:
    """Rolls what sets one member of a stereotype apart."""
    twists = TYPES.get(rules, stereotype).twists
    return twists[(yield from Roll(one_of(len(twists)), "", "twist")) - 1]


# --- stories ------------------------------------------------------------------------------------------------------------------


class Plot(Struct, frozen=True):
    """An event and its version."""

    title: str
    premise: str
    how: str


@rule("sil-7.3-plot-movers")
def plot_mover(rules: Ruleset, title: str = "") -> Play[Plot]:
    """Rolls a plot and one of its two versions; a title may be given."""
    rows = list(PLOTS(rules).values())
    row = PLOTS.get(rules, title) if title else rows[(yield from Roll(one_of(len(rows)), "", "what happens", True, True)) - 1]
    way = yield from Roll(sum_of(1, 2), "", "which way", True, True)
    return Plot(row.title, row.premise, row.first if way == 1 else row.second)
