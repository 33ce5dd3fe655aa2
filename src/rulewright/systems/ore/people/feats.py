"""Feats: paths of five levels, requirements, costs and limits (lines 732-751, 2327-2388)."""

from typing import Literal

from msgspec import Struct, field

from rulewright.errors import UserError
from rulewright.play.cache import cached
from rulewright.rules import Column, Ruleset, Table, TableRow, instead_of, nearest, rule
from rulewright.rules.reasons import Derived, term, total
from rulewright.systems.ore.people.skills import BROAD

FeatKind = Literal["skill", "combat", "secret"]
MOST_OF_A_KIND = 15
HIGHEST_LEVEL = 5
IDENTITIES = "Guy Incognito"


class FeatRow(TableRow, frozen=True):
    """One level of a path: name, requirement, effect (in our words) and kind."""

    feat: str
    path: str
    level: int
    name: str
    skill: str
    kind: FeatKind
    line: int
    effect: str
    tags: tuple[str, ...]
    broad: str = ""
    also: tuple[str, ...] = ()
    steps: dict[str, str] = field(default_factory=dict)


BROAD_FEATS = Table("ore-3.09-broad-feat-list", FeatRow)
SPECIALIST_FEATS = Table("ore-3.29-specialist-feat-list", FeatRow)
SECRET_FEATS = tuple(
    [
        Table(f"ore-5.04-feats-{aptitude}", FeatRow)
        for aptitude in ("clairsentience", "electrokinesis", "psychokinesis", "redaction", "telepathy")
    ]
)
"""Paths opened by Power Skills."""
DESIGN = Column("ore-3.08-feat-design", "level", int, allows=str)
"""Kinds of effects for house-rule paths."""


class Path(Struct, frozen=True):
    """A path of feats: its skills and levels."""

    name: str
    kind: FeatKind
    skill: str
    broad: str
    opened_by: tuple[str, ...]
    levels: tuple[FeatRow, ...]


@cached(64)
def paths(rules: Ruleset) -> dict[str, Path]:
    """All paths of the campaign, by name."""
    grouped: dict[str, list[FeatRow]] = {}
    for table in (BROAD_FEATS, SPECIALIST_FEATS, *SECRET_FEATS):
        for row in table(rules).values():
            grouped.setdefault(row.path, []).append(row)
    path_by_name = {}
    for name, rows in grouped.items():
        first = rows[0]
        opened = (first.skill, *([first.broad] if first.broad else []), *first.also)
        path_by_name[name] = Path(name, first.kind, first.skill, first.broad, opened, tuple(sorted(rows, key=lambda row: row.level)))
    return path_by_name


def path_named(rules: Ruleset, name: str) -> Path:
    """A path by name, in any case; refuses unknown ones with a suggestion."""
    known = paths(rules)
    if name in known:
        return known[name]
    for path, result in known.items():
        if path.casefold() == name.casefold():
            return result
    raise UserError(f"there is no path of feats {name!r}{nearest(name, known)}")


@rule("ore-2.06-feats-general")
def feat_cost(levels: int = 3, owned: int = 0) -> Derived[int]:
    """The cost of levels: each costs its number, so three cost six."""
    if not 0 <= owned <= levels <= HIGHEST_LEVEL:
        raise UserError(f"a path has {HIGHEST_LEVEL} levels")
    steps = [term(f"level {level}", level) for level in range(owned + 1, levels + 1)]
    return total("Points for feats", *steps, rule="ore-2.06-feats-general")


@rule("ore-2.06-feats-general")
def levels_known(rules: Ruleset, feats: dict[str, int]) -> dict[str, int]:
    """Known feats by kind; every level is one, at most fifteen of a kind."""
    known: dict[str, int] = {"skill": 0, "combat": 0, "secret": 0}
    for name, level in feats.items():
        if name in paths(rules):
            known[paths(rules)[name].kind] += max(0, level)
    return known


@rule("ore-2.06-feats-general")
def ditch(feats: dict[str, int], path: str) -> dict[str, int]:
    """Gives up the highest level of a path without a refund. By id only."""
    if feats.get(path, 0) < 1:
        raise UserError(f"no level of {path} is known")
    left = {name: level - (name == path) for name, level in feats.items()}
    return {name: level for name, level in left.items() if level > 0}


@rule("ore-3.08-feat-purchase")
def highest_open(rules: Ruleset, skills: dict[str, int], path: str = "Wired") -> int:
    """The highest level open: the rating of its Narrow or Specialist Skill, or of the Broad Skill. A Specialist path needs its
    Specialist Skill, with any subject (rulings)."""
    opened = opened_by(rules, path)
    ratings = [rating for name, rating in skills.items() if name.partition(":")[0].strip().lower() in opened]
    return min(HIGHEST_LEVEL, max(ratings, default=0))


@rule("ore-3.08-feat-purchase")
def opened_by(rules: Ruleset, path: str = "Wired") -> tuple[str, ...]:
    """The skills that open a path: its own and the Broad Skill."""
    return path_named(rules, path).opened_by


@instead_of(opened_by, "skill-system", "action")
def opened_by_action_skills(rules: Ruleset, path: str = "Wired") -> tuple[str, ...]:
    """In the Action system the skill of the same name, or one for its Broad Skill."""
    result = path_named(rules, path)
    broad = BROAD(rules).get(result.broad)
    return tuple(dict.fromkeys((*result.opened_by, *(broad.action if broad else ()))))


@instead_of(opened_by, "skill-system", "discipline")
def opened_by_concentrations(rules: Ruleset, path: str = "Wired") -> tuple[str, ...]:
    """In the Discipline system only a Concentration of that name."""
    result = path_named(rules, path)
    return (result.skill, *result.levels[0].also)


@rule("ore-3.10-feat-reading-rules")
def reads_as(rules: Ruleset, path: str = "Wired", named: str = "athletics") -> tuple[str, ...]:
    """A feat of a Narrow Skill also works with the Broad Skill, and the other way round. A view of skills in feats."""
    result = path_named(rules, path)
    pair = tuple(dict.fromkeys(filter(None, (result.skill, result.broad))))
    return pair if named in pair else (named,)
