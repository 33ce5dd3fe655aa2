"""Getting out of the way of shots: who can dodge them, diving for cover, and what cover is worth (book lines 5054-5138)."""

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
    """A silhouette behind cover: the Heights that it hides (with ten-sided and with six-sided dice), and how much of it is hidden."""

    cover: str
    heights: tuple[int, ...]
    six: tuple[int, ...]
    amount: Amount


class HidingRow(TableRow, frozen=True):
    """What cover is worth where there are no locations: the Difficulty of an amount of it, or the armour of what it is made of."""

    name: str
    kind: Literal["amount", "material"]
    difficulty: int = 1
    armour: int = 0
    example: str = ""


SILHOUETTES = Table("ore-4.11-cover", CoverRow)
HIDING = Table("ore-4.11-opt22-cover-difficulty", HidingRow)


class Cover(Struct, frozen=True, gc=False):
    """Where somebody hides: how much of him, what it is made of, and whether he keeps his head down or fights back from there."""

    name: str = ""
    material: str = ""
    hunkering: bool = True

    @property
    def any(self) -> bool:
        """Whether there is any cover at all."""
        return bool(self.name)


OPEN = Cover()


def cover_words(rules: Ruleset) -> tuple[str, ...]:
    """What the covers of a map may be: how much of somebody they hide, and after a comma what they are made of."""
    names = tuple(SILHOUETTES(rules))
    made_of = [row.name for row in HIDING(rules).values() if row.kind == "material"]
    return (*names, *[f"{name}, {material}" for name in names for material in made_of])


def cover_called(word: str) -> Cover:
    """A cover by the words of a map."""
    name, _, material = word.partition(", ")
    return Cover(name, material)


def hides(name: str) -> int:
    """How much of somebody a cover hides, in hundredths."""
    return 100 if name == "complete" else int(name.partition("%")[0]) if "%" in name else 0


BEHIND_A_WALL = Cover("50% right")


# --- dodging shots ------------------------------------------------------------------------------------------------------------


@rule("ore-4.10-dive-for-cover")
def dive_for_cover(
    rules: Ruleset, dodge: Pool = SIX, metres: int = 2, width: int = 2, height: int = 5, difficulty: int = 1, by: str = ""
) -> Play[Beaten]:
    """Coordination and Dodge, a die less for each metre, as counter dice against a shot: what is left of it. A view of diving in fights."""
    return (yield from beat(rules, dodge.plus(dive_dice(metres)), width, height, difficulty, by))


@rule("ore-4.10-dive-for-cover")
def can_dodge(rules: Ruleset, kind: Kind = "ballistic", coordination: int = 3) -> bool:
    """Blows can be dodged; shots only by whom the campaign allows it. Everybody else can dive for cover, and nobody can parry a shot."""
    if kind in CLOSE:
        return True
    return dodges_projectiles(rules) if kind in PROJECTILES else dodges_bullets(rules, coordination)


@rule("ore-4.10-dive-for-cover")
def dodges_projectiles(rules: Ruleset) -> bool:
    """Whether arrows and the like can be dodged: they cannot."""
    return False


@rule("ore-4.10-opt-dodge-projectiles")
@instead_of(dodges_projectiles, "dodge-projectiles")
def everybody_dodges_projectiles(rules: Ruleset) -> bool:
    """Everybody can dodge arrows, bolts and what is thrown (ruling: thrown weapons count)."""
    return True


@rule("ore-4.10-dive-for-cover")
def dodges_bullets(rules: Ruleset, coordination: int = 3) -> bool:
    """Whether bullets (and beams) can be dodged: nobody is fast enough."""
    return False


@rule("ore-4.10-opt-faster-than-bullet")
@instead_of(dodges_bullets, "faster-than-bullets")
def faster_than_bullets(rules: Ruleset, coordination: int = 6) -> bool:
    """Whoever has a Coordination of 6 or more can dodge bullets."""
    return coordination >= FAST_ENOUGH


@rule("ore-4.10-dive-for-cover")
def dive_dice(metres: int = 2) -> Mod:
    """A dive for cover loses a die for each metre to be crossed."""
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
    """The Heights that cover hides. The pictures are lost: which parts each hides is a stand-in of the size that its name gives."""
    row = _silhouette(rules, cover)
    return row.six if sides(rules) == 6 else row.heights


@rule("ore-4.11-cover")
def stops_shot(rules: Ruleset, cover: Cover = BEHIND_A_WALL, height: int = 7, location: Location | None = None) -> bool:
    """A shot that strikes a part of the body behind cover is stopped, whether somebody hunkers down or fights back.

    Where Heights do not say which part is struck, `location` does: it is hidden if most of its Heights are (ruling).
    """
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
    """Where cover is a Difficulty, a shot that meets it has found its way."""
    return False


@rule("ore-4.11-cover")
def shot_difficulty(rules: Ruleset, cover: Cover = BEHIND_A_WALL, called: bool = False, difficulty: int = 1) -> int:
    """The Difficulty of a shot at somebody in cover: that of the shot itself, for cover stops what it stops. It is as printed: six-sided
    dice halve it when they are read."""
    return printed_difficulty(rules, difficulty)


@rule("ore-4.11-opt22-cover-difficulty")
@instead_of(shot_difficulty, "cover-difficulty")
def hiding_difficulty(rules: Ruleset, cover: Cover = BEHIND_A_WALL, called: bool = False, difficulty: int = 1) -> int:
    """Light, medium, heavy and complete cover are Difficulties of 2, 4, 6 and 8 for a shot at somebody who hunkers down.

    A shot at one part of the body of somebody in cover counts as complete cover. Whoever fights back has no Difficulty (ruling), or
    one that is two less (setting fighting-back). The higher Difficulty counts (ruling).
    """
    if not cover.any:
        return printed_difficulty(rules, difficulty)
    own = HIDING.get(rules, amount_of(rules, cover, called)).difficulty
    if not cover.hunkering and not called:
        own = own - 2 if rules.word("fighting-back") == "two less" else 1
    return max(own, printed_difficulty(rules, difficulty), 1)


def amount_of(rules: Ruleset, cover: Cover, called: bool = False) -> Amount:
    """How much of somebody is hidden, in a word."""
    return "complete" if called else _silhouette(rules, cover.name).amount


@rule("ore-4.11-cover")
def cover_armour(rules: Ruleset, cover: Cover = BEHIND_A_WALL, called: bool = False) -> int:
    """What cover takes from a shot that gets past it: nothing."""
    return 0


@rule("ore-4.11-opt22-cover-difficulty")
@instead_of(cover_armour, "cover-difficulty")
def material_armour(rules: Ruleset, cover: Cover = BEHIND_A_WALL, called: bool = False) -> int:
    """A shot through complete cover meets the armour of what it is made of, beside what is worn (ruling: added)."""
    if not cover.any or not cover.material or amount_of(rules, cover, called) != "complete" or not (cover.hunkering or called):
        return 0
    return hardness(rules, cover.material)


@rule("ore-4.11-opt22-cover-difficulty")
def hardness(rules: Ruleset, material: str = "1 inch wooden door") -> int:
    """The Armour Rating of what somebody hides behind."""
    row = HIDING(rules).get(material)
    if row is None or row.kind != "material":
        raise UserError(f"there is no material {material!r}; choose {join(tuple(materials(rules)), 'or')}")
    return row.armour


def materials(rules: Ruleset) -> tuple[str, ...]:
    """What there is to hide behind."""
    return tuple([hiding_row.name for hiding_row in HIDING(rules).values() if hiding_row.kind == "material"])
