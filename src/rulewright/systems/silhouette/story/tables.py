"""Tables to roll on behind the screen: fumbles, features, looks, plots, and the last deeds of heroes (book lines 6406-6450, 6622-6680)."""

from typing import Literal

from msgspec import Struct

from rulewright.dice.sums import Sum, sum_of
from rulewright.errors import UserError
from rulewright.play import Play, Roll
from rulewright.rules import Ruleset, Table, TableRow, rule

Fumbled = Literal["attack", "defense", "perception", "social", "stealth", "technical"]
Sex = Literal["man", "woman"]


class PromptRow(TableRow, frozen=True):
    """Something that a fumble of a kind may be, and what it does to a device."""

    prompt: str
    kind: Fumbled
    roll: int
    what: str
    turns: bool = False
    works_half: bool = False
    blows_up_at: int = 0


class FeatureRow(TableRow, frozen=True):
    """What two dice say of somebody's appearance, behavior and clothing."""

    roll: int
    appearance: str
    behavior: str
    clothing: str


class LooksRow(TableRow, frozen=True):
    """What two dice say of somebody's age in years, height in centimetres, weight in kilograms, hair and eyes."""

    roll: int
    age: int
    height: int
    weight: int
    hair: str
    eyes: str


class TypeRow(TableRow, frozen=True):
    """A stereotype with its trades and twists, a motivation, or a change of life."""

    name: str
    group: Literal["stereotype", "motivation", "life change"]
    about: str
    trades: tuple[str, ...] = ()
    twists: tuple[str, ...] = ()


class PlotRow(TableRow, frozen=True):
    """Something that sets a story going, in two ways."""

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
    """A die with as many faces as there are things to choose from."""
    if count < 1:
        raise UserError("there is nothing to choose from")
    return sum_of(1, count)


# --- fumbles ------------------------------------------------------------------------------------------------------------------


class Mishap(Struct, frozen=True):
    """What a fumble was; of a device how many turns it still works, and at which use it blows up."""

    what: str
    turns: int | None = None
    works_half: bool = False
    blows_up_at: int = 0


@rule("sil-7.1.7-fumble-effects")
def mishap(rules: Ruleset, kind: Fumbled = "attack", name: str = "") -> Play[Mishap]:
    """What a fumble of a kind was: one of six suggestions, drawn by a die behind the screen. Some of those for devices say how long or how
    often they still work.

    By id only.
    """
    rows = sorted([row for row in PROMPTS(rules).values() if row.kind == kind], key=lambda row: row.roll)
    face = yield from Roll(one_of(len(rows)), name, f"what the {kind} fumble was", True, True)
    row = rows[face - 1]
    turns = (yield from Roll(sum_of(1, 6), name, "turns it still works", True, True)) if row.turns else None
    return Mishap(row.what, turns, row.works_half, row.blows_up_at)


@rule("sil-7.1.7-fumble-effects")
def noticed_after_fumble(watched: bool) -> bool:
    """Who fumbles at Stealth can be seen, and is noticed only where somebody looks. By id only."""
    return watched


# --- people -------------------------------------------------------------------------------------------------------------------


@rule("sil-7.2.3-npc-features")
def feature(rules: Ruleset, of: Literal["appearance", "behavior", "clothing"] = "appearance") -> Play[str]:
    """One thing about somebody, by the sum of two dice. By id only."""
    total = yield from Roll(TWO_DICE, "", of)
    return str(getattr(FEATURES.get(rules, str(total)), of))


@rule("sil-7.2.3-npc-physical")
def looks_row(total: int, of: Literal["age", "height", "weight", "hair", "eyes"] = "height", sex: Sex = "man") -> int:
    """The row that a sum of two dice stands for: of women 1 lower for the height and 2 for the weight, never below the first (reading)."""
    lower = {"height": 1, "weight": 2}.get(of, 0) if sex == "woman" else 0
    return max(2, total - lower)


@rule("sil-7.2.3-npc-physical")
def looks(rules: Ruleset, of: Literal["age", "height", "weight", "hair", "eyes"] = "height", sex: Sex = "man") -> Play[str]:
    """One thing about somebody's body, by the sum of two dice."""
    total = yield from Roll(TWO_DICE, "", of)
    return str(getattr(LOOKS.get(rules, str(looks_row(total, of, sex))), of))


@rule("sil-7.2.2-stereotypes")
def types_of(rules: Ruleset, group: Literal["stereotype", "motivation", "life change"] = "stereotype") -> tuple[str, ...]:
    """The names of a group: four stereotypes, six motivations of a party, five changes of a life."""
    return tuple([row.name for row in TYPES(rules).values() if row.group == group])


@rule("sil-7.2.2-stereotypes")
def drawn_type(rules: Ruleset, group: Literal["stereotype", "motivation", "life change"] = "stereotype") -> Play[str]:
    """One of a group, each as likely as the others. By id only."""
    names = types_of(rules, group)
    return names[(yield from Roll(one_of(len(names)), "", group)) - 1]


@rule("sil-7.2.2-stereotypes")
def twist(rules: Ruleset, stereotype: str = "fighter") -> Play[str]:
    """What makes one of a stereotype different from the others."""
    twists = TYPES.get(rules, stereotype).twists
    return twists[(yield from Roll(one_of(len(twists)), "", "twist")) - 1]


# --- stories ------------------------------------------------------------------------------------------------------------------


class Plot(Struct, frozen=True):
    """Something that happens, and how."""

    title: str
    premise: str
    how: str


@rule("sil-7.3-plot-movers")
def plot_mover(rules: Ruleset, title: str = "") -> Play[Plot]:
    """Something to set a story going, and one of its two ways; a title may be named. By id only."""
    rows = list(PLOTS(rules).values())
    row = PLOTS.get(rules, title) if title else rows[(yield from Roll(one_of(len(rows)), "", "what happens", True, True)) - 1]
    way = yield from Roll(sum_of(1, 2), "", "which way", True, True)
    return Plot(row.title, row.premise, row.first if way == 1 else row.second)
