"""Skills: ranks, types, prices, training, and skills that help or hinder each other (book lines 546-695)."""

from fractions import Fraction
from typing import Literal

from msgspec import Struct

from rulewright.dice.limits import bound
from rulewright.errors import UserError
from rulewright.play import Happened, Play, Tell
from rulewright.rules import Column, Figures, Ruleset, Table, TableRow, nearest, rule
from rulewright.rules.reasons import Derived, Reason, at_most, limited, reckoned, rounded, rounded_down, term, times, total
from rulewright.systems.hybrid.resolution.tests import ORDINARY, UNRANKED, Check, Mod, skill_check, stat_basis

SkillKind = Literal["specific", "general", "support"]
SkillType = Literal["mental discipline", "art", "science", "engineering", "craft", "technical study", "physical discipline"]
Interaction = Literal["unassisted", "single assisted"]
Tools = Literal["no tools", "simple tools", "complex tools"]
Method = Literal["teacher", "partner", "alone"]

HIGHEST_RANK = 30
UNFAMILIAR = Figures("hyb-3-unfamiliar-tools")
MOST_ROLLS = 50


# --- ranks and types (lines 564-605) ------------------------------------------------------------------------------------------


class RankRow(TableRow, frozen=True):
    """A band of ranks: where it begins, and its two names."""

    low: int
    label: str
    chapter_12: str


RANKS = Table("hyb-3-ranks", RankRow)
TYPES = Column("hyb-3-skill-types", "type", SkillType, meaning=str)
"""A type of skill."""


@rule("hyb-3-ranks")
def expertise(rules: Ruleset, rank: int | None = 0) -> str:
    """Returns the name of a rank; without any rank one is unranked."""
    if rank is None:
        return "Unranked"
    bound("a rank", rank, 0, 1000)
    row = [row for row in sorted(RANKS(rules).values(), key=lambda row: row.low) if row.low <= rank][-1]
    return row.chapter_12 if rules.word("rank-names") == "chapter 12" else row.label


@rule("hyb-3-skill-types")
def meaning(rules: Ruleset, type: SkillType = "craft") -> str:
    """Returns what a type of skill is about. By id only."""
    return TYPES.of(rules, type)


# --- prices (lines 607-661) ---------------------------------------------------------------------------------------------------


class ComponentRow(TableRow, frozen=True):
    """A component of a skill: what it adds to the base cost and to the skill's own Difficulty Factor."""

    name: str
    group: Literal["type", "interaction", "tools"]
    cost: int
    df: int


class FamilyRow(TableRow, frozen=True):
    """A common family of skills; nobody assists in them."""

    family: str
    type: SkillType
    tools: Tools
    cost: int


COMPONENTS = Table("hyb-3-skill-component-costs", ComponentRow)
FAMILIES = Table("hyb-3-common-skill-costs", FamilyRow)


def _components(rules: Ruleset, type: SkillType, interaction: Interaction, tools: Tools) -> tuple[ComponentRow, ...]:
    return tuple(COMPONENTS.get(rules, name) for name in (type, interaction, tools))


@rule("hyb-3-skill-component-costs")
def base_cost(
    rules: Ruleset, type: SkillType = "physical discipline", interaction: Interaction = "unassisted", tools: Tools = "no tools"
) -> Derived[int]:
    """The base cost of a skill: its type, whether a person must assist, and its tools, added up. New skills are priced the same way."""
    parts = _components(rules, type, interaction, tools)
    terms = (Reason(part.name, part.cost, "+", "hyb-3-skill-component-costs", part.source) for part in parts)
    return total("base cost", *terms, rule="hyb-3-skill-component-costs")


@rule("hyb-3-skill-component-costs")
def own_difficulty(
    rules: Ruleset, type: SkillType = "physical discipline", interaction: Interaction = "unassisted", tools: Tools = "no tools"
) -> Derived[int]:
    """The Difficulty Factor that goes with every use of a skill: the sum over its components (ruling: the equation does not name it)."""
    parts = _components(rules, type, interaction, tools) if rules.on("skills-have-difficulty") else ()
    terms = (Reason(part.name, part.df, "+", "hyb-3-skill-component-costs", part.source) for part in parts)
    return total(
        "the skill's own Difficulty Factor",
        *terms,
        rule="hyb-3-skill-component-costs",
        source=rules.source("skills-have-difficulty"),
    )


@rule("hyb-3-common-skill-costs")
def family_cost(rules: Ruleset, family: str = "lore") -> Derived[int]:
    """The base cost of a common family of skills, from its components."""
    row = FAMILIES.get(rules, family)
    return base_cost(rules, row.type, "unassisted", row.tools)


class SkillRow(TableRow, frozen=True):
    """A skill that the book names: its family, the statistics it rests on, and what sort of skill it is."""

    skill: str
    family: str
    stat_base: tuple[str, ...]
    kind: SkillKind = "specific"
    of: str = ""
    filter: bool = False


SKILLS = Table("hyb-3-skill-format", SkillRow)


class SkillRecord(Struct, frozen=True):
    """A skill as the book describes one: name, its own Difficulty Factor, stat base, and what it costs."""

    name: str
    difficulty: Derived[int]
    stat_base: tuple[str, ...]
    base_cost: Derived[int]
    kind: SkillKind = "specific"
    of: str = ""
    filter: bool = False


def known(rules: Ruleset, skill: str) -> SkillRow | None:
    """The row of a skill: its own, or that of its kind (`Lore: Herbs` is a Lore); None for a skill that the book does not name."""
    rows = SKILLS(rules)
    return rows.get(skill) or rows.get(skill.partition(":")[0].strip())


@rule("hyb-3-skill-format")
def skill_record(rules: Ruleset, skill: str = "Melee: Dagger") -> SkillRecord:
    """Everything that a skill is described by. Stat bases and families are ours (ruling): the book names skills and prints no records."""
    row = known(rules, skill)
    if row is None:
        raise UserError(f"{skill!r} is not a skill of the book{nearest(skill, SKILLS(rules))}")
    family = FAMILIES.get(rules, row.family)
    own = own_difficulty(rules, family.type, "unassisted", family.tools)
    return SkillRecord(skill, own, row.stat_base, family_cost(rules, row.family), row.kind, of=row.of, filter=row.filter)


# --- learning (lines 653-657) -------------------------------------------------------------------------------------------------


RAISING = Column("hyb-3-raising-skills", "rank", int, factor=int)
"""From this rank on, one more costs the base cost so many times."""
TRAINING = Column("hyb-3-training", "method", Method, hours=int)
"""Hours of training for one experience point."""


@rule("hyb-3-raising-skills")
def raising_cost(rules: Ruleset, base_cost: int = 2, rank: int | None = 0, to: int = 1) -> Derived[int]:
    """Experience points from one rank up to another, rank by rank. From unranked to 0 costs as much as from 0 to 1 (ruling)."""
    begin = -1 if rank is None else rank
    bound("a rank", to, 0, HIGHEST_RANK)
    bound("the rank to begin from", begin, -1, HIGHEST_RANK)
    rows = sorted(RAISING(rules).values(), key=lambda row: row.rank)
    steps = []
    for now in range(begin, to):
        row = [row for row in rows if row.rank <= max(0, now)][-1]
        label = f"rank {now + 1}: {row.factor} × base cost {base_cost}"
        steps.append(Reason(label, row.factor * base_cost, "+", "hyb-3-raising-skills", row.source if now >= 0 else "ruling"))
    return total("experience points", *steps, rule="hyb-3-raising-skills")


@rule("hyb-3-training")
def trained(rules: Ruleset, hours: int = 40, method: Method = "teacher") -> Derived[int]:
    """Experience points for so many hours of training, in full ones."""
    if hours < 0:
        raise UserError(f"training takes 0 hours or more, not {hours}")
    reason = term(f"hours for one point: {method}", TRAINING.of(rules, method), "÷")
    return total("experience points", term("hours", hours), reason, rounded_down(), rule="hyb-3-training")


@rule("hyb-3-training")
def training_hours(rules: Ruleset, points: int = 4, method: Method = "teacher") -> Derived[int]:
    """Hours of training for so many experience points."""
    reason = times(f"hours for one point: {method}", TRAINING.of(rules, method))
    return total("hours", term("experience points", points), reason, rule="hyb-3-training")


# --- skills that stand in for others (lines 663-671) --------------------------------------------------------------------------


RELATIONS = Column("hyb-3-related-skills", "relation", share=tuple[int, int])
"""How alike two skills are, and the share of the rank that carries over."""


@rule("hyb-3-related-skills")
def related_rank(rules: Ruleset, rank: int = 10, relation: str = "fairly different") -> Derived[int]:
    """The rank that a related skill is good for: a share of its own, rounded down (ruling)."""
    row = RELATIONS.get(rules, relation)
    share = Reason(relation, f"{row.share[0]}/{row.share[1]}", "×", "hyb-3-related-skills", row.source)
    return total("rank by a related skill", term("rank", rank), share, rounded_down(), rule="hyb-3-related-skills")


@rule("hyb-3-related-skills")
def stand_in_factor(
    rules: Ruleset, stats: tuple[int, ...] = (12,), rank: int = 10, relation: str = "fairly different", difficulty: int = 0
) -> Derived[int]:
    """The Difficulty Factor with a related skill; its user does not count as unranked (ruling). A view of `use_factor`."""
    usable = related_rank(rules, rank, relation)
    mods = () if rules.on("related-counts-as-ranked") else (Mod("unranked", UNRANKED.of(rules, "modifier"), "hyb-2-unranked"),)
    return use_factor(rules, Use(stats, Ranks(usable.value), difficulty, modifiers=mods))


@rule("hyb-3-unfamiliar-tools")
def unfamiliar_tool(rules: Ruleset, learnt: int = 0) -> Mod:
    """A tool that handles differently costs 2, and 1 less for every successful roll to grow familiar with it."""
    return Mod("unfamiliar tool", min(0, UNFAMILIAR.of(rules, "modifier") + max(0, learnt)), "hyb-3-unfamiliar-tools")


@rule("hyb-3-unfamiliar-tools")
def familiarize(rules: Ruleset, stats: tuple[int, ...] = (12,), rolls: int = 2, learnt: int = 0, by: str = "") -> Play[int]:
    """Rolls against the statistic of the skill at -3, each success winning back one point; gives the penalty that is left.

    By id only.
    """
    bound("the number of rolls", rolls, 0, MOST_ROLLS)
    check = Check(stat_basis(rules, stats).value + UNFAMILIAR.of(rules, "growing familiar"))
    for _ in range(rolls):
        if not unfamiliar_tool(rules, learnt).value:
            break
        learnt += (yield from skill_check(rules, check, by, "growing familiar with a tool")).success
    left = unfamiliar_tool(rules, learnt).value
    yield from Tell(Happened(by or "somebody", f"is still at {left} with the tool" if left else "is used to the tool"))
    return left


# --- general and support skills (lines 673-679) -------------------------------------------------------------------------------


class Ranks(Struct, frozen=True, cache_hash=True):
    """The ranks that bear on one use of a skill: specific, general, and any number of support skills; None is unranked."""

    specific: int | None = None
    general: int | None = None
    supports: tuple[int, ...] = ()

    @property
    def ranked(self) -> bool:
        """Whether any skill that can do the task by itself is known; a support skill only helps."""
        return self.specific is not None or self.general is not None

    def named(self) -> list[tuple[SkillKind, int]]:
        """Every rank with the kind of its skill."""
        pairs: list[tuple[SkillKind, int]] = []
        if self.specific is not None:
            pairs.append(("specific", self.specific))
        if self.general is not None:
            pairs.append(("general", self.general))
        return pairs + [("support", rank) for rank in self.supports]


BEGINNER = Ranks(0)


class KindRow(TableRow, frozen=True):
    """What a rank of a kind of skill counts for: a share of itself, or so many percent where a campaign counts them so."""

    kind: SkillKind
    share: tuple[int, int]
    percent: int


KINDS = Table("hyb-3-general-support-skills", KindRow)


@rule("hyb-3-general-support-skills")
def ranks_worth(rules: Ruleset, ranks: Ranks = BEGINNER) -> Derived[int]:
    """Sums ranks for the Difficulty Factor: specific in full, support by half, general by a quarter, then rounded (ruling).

    The book has 4 %, 2 % and 1 % a rank beside an equation that adds the rank; the equation stands, in that ratio.
    """
    if rules.word("ranks-count") == "percent":
        return total("ranks count after the look-up", rule="hyb-3-general-support-skills", source=rules.source("ranks-count"))
    shares = [(kind, rank, Fraction(*KINDS.get(rules, kind).share)) for kind, rank in ranks.named()]
    terms = [term(f"{kind} rank {rank} × {share}", float(share * rank)) for kind, rank, share in shares]
    rounds = [] if isinstance(reckoned(terms), int) else [rounded()]
    return total("ranks", *terms, *rounds, rule="hyb-3-general-support-skills", source=rules.source("ranks-count"))


@rule("hyb-3-general-support-skills")
def ranks_percent(rules: Ruleset, ranks: Ranks = BEGINNER) -> Derived[int]:
    """Returns what ranks add to the chance where a campaign counts them in percent: 4 for a specific rank, 2 for support, 1 for general.

    Support alone helps nobody: the unranked have nothing of it.
    """
    counted = ranks.named() if rules.word("ranks-count") == "percent" and ranks.ranked else []
    percents = [(kind, rank, KINDS.get(rules, kind).percent) for kind, rank in counted]
    terms = [term(f"{kind} rank {rank} × {percent} %", percent * rank) for kind, rank, percent in percents]
    return total("percents for ranks", *terms, rule="hyb-3-general-support-skills", source=rules.source("ranks-count"))


# --- filter skills (lines 681-689) --------------------------------------------------------------------------------------------


@rule("hyb-3-filter-skills")
def use_through_filter(rules: Ruleset, rank: int = 8, filter_rank: int | None = 5, check: Check = ORDINARY, by: str = "") -> Play[int]:
    """The rank that counts in foreign surroundings: a higher one than the filter skill's only after a successful roll on that.

    A view of `filtered_rank`.
    """
    capped = filtered_rank(rules, rank, filter_rank)
    if capped == rank:
        return rank
    degree = yield from skill_check(rules, check, by, "filter skill")
    return rank if degree.success else capped


@rule("hyb-3-filter-skills")
def filtered_rank(rules: Ruleset, rank: int = 8, filter_rank: int | None = 5) -> int:
    """The rank that counts without a roll: at most the filter skill's, and 0 for people who lack it (ruling)."""
    return min(rank, filter_rank or 0)


# --- pools (lines 691-695) ----------------------------------------------------------------------------------------------------


@rule("hyb-3-skill-pools")
def pool_bonus(rules: Ruleset, ranks: tuple[int, ...] = (8, 5, 3)) -> Derived[int]:
    """Half the highest rank of a pool and a tenth of every other, rounded down at the end (ruling), never more than the highest.

    Two skills make a pool (ruling).
    """
    if len(ranks) < rules.number("pool-needs"):
        return total("skill pool: too few skills", rule="hyb-3-skill-pools", source=rules.source("pool-needs"))
    highest, *others = sorted(ranks, reverse=True)
    return limited(
        "skill pool",
        term("half the highest rank", highest / 2),
        term("a tenth of the others", sum(others) / 10),
        rounded_down(),
        limit=at_most(highest, "at most the highest rank", rule="hyb-3-skill-pools"),
        rule="hyb-3-skill-pools",
        source=rules.source("pool-bonus"),
    )


# --- using a skill ------------------------------------------------------------------------------------------------------------


class Use(Struct, frozen=True, cache_hash=True):
    """Everything that bears on one use of a skill."""

    stats: tuple[int, ...] = (12,)
    ranks: Ranks = BEGINNER
    difficulty: int = 0
    own_df: int = 0
    """The skill's own Difficulty Factor."""
    pool: tuple[int, ...] = ()
    """The ranks of all skills in the pool that this skill belongs to."""
    modifiers: tuple[Mod, ...] = ()
    percents: tuple[Mod, ...] = ()


A_USE = Use()


def use_factor(rules: Ruleset, use: Use = A_USE) -> Derived[int]:
    """The Difficulty Factor of a use, every term with its rule."""
    basis, worth = stat_basis(rules, use.stats), ranks_worth(rules, use.ranks)
    terms = [term(basis.reason.label, basis)]
    terms.append(term("ranks", worth) if use.ranks.ranked else Reason("unranked", UNRANKED.of(rules, "modifier"), "+", "hyb-2-unranked"))
    own = use.own_df if rules.on("skills-have-difficulty") else 0
    pool = pool_bonus(rules, use.pool) if use.pool and rules.word("pool-bonus") == "difficulty factor" else None
    parts = [Mod("difficulty of the task", use.difficulty), Mod("the skill itself", own, "hyb-3-skill-component-costs"), *use.modifiers]
    terms += [part.reason() for part in parts if part.value]
    if pool is not None:
        terms.append(term("skill pool", pool))
    return total("Difficulty Factor", *terms, rule="hyb-2-difficulty-factor")


def use_check(rules: Ruleset, use: Use = A_USE) -> Check:
    """Returns the check that a use of a skill rolls."""
    percent = ranks_percent(rules, use.ranks).value + sum(mod.value for mod in use.percents)
    if use.pool and rules.word("pool-bonus") == "percent":
        percent += pool_bonus(rules, use.pool).value
    return Check(use_factor(rules, use).value, percent)
