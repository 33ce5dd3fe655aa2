"""Dodging shots, diving for cover, and the value of cover (book lines 5054-5138)."""

from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.play import Play
from rulewright.rules import Ruleset, Table, TableRow, instead_of, nearest, rule
from rulewright.systems.ore.gear.weapons import CLOSE, SIX, Kind
from rulewright.systems.ore.harm.locations import Location, heights_of
from rulewright.systems.ore.resolution.contests import Beaten, beat
from rulewright.systems.ore.resolution.outcomes import printed_difficulty, sides
from rulewright.systems.ore.resolution.tests import Mod, Pool

PROJECTILES: tuple[Kind, ...] = ("thrown", "pull", "push")
FAST_ENOUGH = 6
Amount = Literal["light", "medium", "heavy", "complete"]


class CoverRow(TableRow, frozen=True):
    """A silhouette behind cover: hidden Heights (for d10 and d6) and the amount."""

    cover: str
    heights: tuple[int, ...]
    six: tuple[int, ...]
    amount: Amount


class HidingRow(TableRow, frozen=True):
    """The value of cover without locations: the Difficulty of an amount, or the armour of a material."""

    name: str
    kind: Literal["amount", "material"]
    difficulty: int = 1
    armour: int = 0
    example: str = ""


SILHOUETTES = Table("ore-4.11-cover", CoverRow)
HIDING = Table("ore-4.11-opt22-cover-difficulty", HidingRow)


class Cover(Struct, frozen=True, gc=False):
    """Cover of a fighter: amount, material, and whether they hunker down or fight back."""

    name: str = ""
    material: str = ""
    hunkering: bool = True

    @property
    def any(self) -> bool:
        """Whether there is any cover at all."""
        return bool(self.name)


OPEN = Cover()


def cover_words(rules: Ruleset) -> tuple[str, ...]:
    """The words for cover on a map: the amount, and a material after a comma."""
    names = tuple(SILHOUETTES(rules))
    made_of = [row.name for row in HIDING(rules).values() if row.kind == "material"]
    return (*names, *[f"{name}, {material}" for name in names for material in made_of])


def cover_called(word: str) -> Cover:
    """A cover by its words on a map."""
    name, _, material = word.partition(", ")
    return Cover(name, material)


def hides(name: str) -> int:
    """The percentage of a body that a cover hides."""
    return 100 if name == "complete" else int(name.partition("%")[0]) if "%" in name else 0


BEHIND_A_WALL = Cover("50% right")


# --- dodging shots ------------------------------------------------------------------------------------------------------------


@rule("ore-4.10-dive-for-cover")
def dive_for_cover(
    rules: Ruleset, dodge: Pool = SIX, metres: int = 2, width: int = 2, height: int = 5, difficulty: int = 1, by: str = ""
) -> Play[Beaten]:
    """Coordination and Dodge, -1d per metre, as counter dice against a shot: what is left of it. A view of diving in fights."""
    return (yield from beat(rules, dodge.plus(dive_dice(metres)), width, height, difficulty, by))


@rule("ore-4.10-dive-for-cover")
def can_dodge(rules: Ruleset, kind: Kind = "ballistic", coordination: int = 3) -> bool:
    """Blows can be dodged; shots only if the campaign allows it. Everybody else can dive for cover; shots cannot be parried."""
    if kind in CLOSE:
        return True
    return dodges_projectiles(rules) if kind in PROJECTILES else dodges_bullets(rules, coordination)


@rule("ore-4.10-dive-for-cover")
def dodges_projectiles(rules: Ruleset) -> bool:
    """Whether arrows and similar missiles can be dodged: no."""
    return False


@rule("ore-4.10-opt-dodge-projectiles")
@instead_of(dodges_projectiles, "dodge-projectiles")
def everybody_dodges_projectiles(rules: Ruleset) -> bool:
    """Everybody can dodge arrows, bolts and thrown weapons (ruling: thrown weapons count)."""
    return True


@rule("ore-4.10-dive-for-cover")
def dodges_bullets(rules: Ruleset, coordination: int = 3) -> bool:
    """Whether bullets and beams can be dodged: no."""
    return False


@rule("ore-4.10-opt-faster-than-bullet")
@instead_of(dodges_bullets, "faster-than-bullets")
def faster_than_bullets(rules: Ruleset, coordination: int = 6) -> bool:
    """Coordination 6 or more can dodge bullets."""
    return coordination >= FAST_ENOUGH


@rule("ore-4.10-dive-for-cover")
def dive_dice(metres: int = 2) -> Mod:
    """A dive for cover loses a die per metre."""
    if metres < 0:
        raise UserError("the distance to cover cannot be negative")
    return Mod("metres to cover", -metres, "ore-4.10-dive-for-cover")


# --- in cover -----------------------------------------------------------------------------------------------------------------


def _silhouette(rules: Ruleset, name: str) -> CoverRow:
    rows = SILHOUETTES(rules)
    if name not in rows:
        raise UserError(f"there is no cover {name!r}{nearest(name, rows)}")
    return rows[name]


@rule("ore-4.11-cover")
def hidden_heights(rules: Ruleset, cover: str = "50% right") -> tuple[int, ...]:
    """The Heights that cover hides. The book's pictures are lost: the hidden parts are stand-ins of the named size."""
    row = _silhouette(rules, cover)
    return row.six if sides(rules) == 6 else row.heights


@rule("ore-4.11-cover")
def stops_shot(rules: Ruleset, cover: Cover = BEHIND_A_WALL, height: int = 7, location: Location | None = None) -> bool:
    """Whether cover stops a shot at a hidden part, both when hunkering down and fighting back. If Height does not decide the location,
    it counts as hidden if most of its Heights are (ruling)."""
    if not cover.any:
        return False
    hidden = hidden_heights(rules, cover.name)
    if location is None:
        return height in hidden
    own = heights_of(rules, location)
    return 2 * sum([number in hidden for number in own]) > len(own)


@rule("ore-4.11-opt22-cover-difficulty")
@instead_of(stops_shot, "cover-difficulty")
def stops_nothing(rules: Ruleset, cover: Cover = BEHIND_A_WALL, height: int = 7, location: Location | None = None) -> bool:
    """If cover is a Difficulty, it stops no shots."""
    return False


@rule("ore-4.11-cover")
def shot_difficulty(rules: Ruleset, cover: Cover = BEHIND_A_WALL, called: bool = False, difficulty: int = 1) -> int:
    """The Difficulty of a shot at a target in cover: unchanged, because cover stops shots instead. Six-sided dice halve it later."""
    return printed_difficulty(rules, difficulty)


@rule("ore-4.11-opt22-cover-difficulty")
@instead_of(shot_difficulty, "cover-difficulty")
def hiding_difficulty(rules: Ruleset, cover: Cover = BEHIND_A_WALL, called: bool = False, difficulty: int = 1) -> int:
    """Light, medium, heavy and complete cover are Difficulties of 2, 4, 6 and 8 against a hunkering target. A called shot at a target in
    cover counts as complete. Fighting back has none (ruling) or two less (setting fighting-back). The higher Difficulty counts (ruling)."""
    if not cover.any:
        return printed_difficulty(rules, difficulty)
    own = HIDING.get(rules, amount_of(rules, cover, called)).difficulty
    if not cover.hunkering and not called:
        own = own - 2 if rules.word("fighting-back") == "two less" else 1
    return max(own, printed_difficulty(rules, difficulty), 1)


def amount_of(rules: Ruleset, cover: Cover, called: bool = False) -> Amount:
    """The amount of cover in a word."""
    return "complete" if called else _silhouette(rules, cover.name).amount


@rule("ore-4.11-cover")
def cover_armour(rules: Ruleset, cover: Cover = BEHIND_A_WALL, called: bool = False) -> int:
    """The armour of cover: none."""
    return 0


@rule("ore-4.11-opt22-cover-difficulty")
@instead_of(cover_armour, "cover-difficulty")
def material_armour(rules: Ruleset, cover: Cover = BEHIND_A_WALL, called: bool = False) -> int:
    """A shot through complete cover meets the armour of its material, added to worn armour (ruling)."""
    if not cover.any or not cover.material or amount_of(rules, cover, called) != "complete" or not (cover.hunkering or called):
        return 0
    return hardness(rules, cover.material)


@rule("ore-4.11-opt22-cover-difficulty")
def hardness(rules: Ruleset, material: str = "1 inch wooden door") -> int:
    """The Armour Rating of a material."""
    row = HIDING(rules).get(material)
    if row is None or row.kind != "material":
        raise UserError(f"there is no material {material!r}; choose {join(tuple(materials(rules)), 'or')}")
    return row.armour


def materials(rules: Ruleset) -> tuple[str, ...]:
    """All materials of cover."""
    return tuple([hiding_row.name for hiding_row in HIDING(rules).values() if hiding_row.kind == "material"])
