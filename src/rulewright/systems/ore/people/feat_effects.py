"""Feat effects as data, and how they apply (book lines 2383-4154).

A row of `data/people/feat_effects.yaml` says what a level changes: `on` what (a skill, an action, a moment), `when`, and the change. A
roll is described as a `Try`; `helps` returns a `Help` with dice, changes to sets, named amounts and flags. Scenes know no single feats.
"""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Option
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, Table, TableRow, nearest, rule
from rulewright.systems.ore.people.feats import FeatRow, paths
from rulewright.systems.ore.people.skills import BROAD, NARROW, OTHER_NAMES, known_skill
from rulewright.systems.ore.resolution.tests import NO_EDGE, Edge, Mod, Pool

Feats = tuple[tuple[str, int], ...]
"""The highest known level of each path."""
ANY_ROLL, ANY_ACTION = "any roll", "any action"
RULE = "ore-3.10-feat-reading-rules"
Class = Literal["numbers", "offers", "gamemaster", "story"]
Limit = Literal["", "round", "scene", "encounter", "session", "day"]


class Does(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One effect of a level."""

    on: tuple[str, ...] = ()
    """Skills, actions or moments it applies to, any of these; `any roll` and `any action` mean all."""
    when: tuple[str, ...] = ()
    """Circumstances, all of these. The scene knows some; others are asked."""
    where: str = ""
    """A setting that must be on, `not` one that must be off, or `setting=value`."""
    foes: bool = False
    """Whether it changes rolls of others against the owner."""
    manner: bool = False
    """Whether it must be declared before the roll."""
    limit: Limit = ""
    but_not: tuple[str, ...] = ()
    """Levels, or `extra time`, that do not stack with it."""
    # the dice
    dice: int = 0
    expert: int = 0
    master: int = 0
    promotes: int = 0
    """Ordinary dice that become Expert Dice."""
    per: str = ""
    """What the value counts for, up to `most` times."""
    most: int = 1
    beyond_ten: bool = False
    difficulty: int = 0
    difficulty_is: str = ""
    """The skill whose rating is the Difficulty for others."""
    difficulty_by: str = ""
    """The skill whose rating reduces the Difficulty."""
    relief: int = 0
    """Penalty dice ignored, of these kinds (any if empty)."""
    relief_of: tuple[str, ...] = ()
    eases: int = 0
    """Reduces either the Difficulty or penalties, as the player chooses."""
    eases_dice: int = 0
    # the sets
    squash: bool = False
    squash_width: int = 1
    squish: bool = False
    width: int = 0
    height: int = 0
    floor: int = 0
    shift: int = 0
    speed: int = 0
    again: Literal["", "all", "rating"] = ""
    """Rerolls a roll without a set: all dice, or as many as a skill's rating."""
    again_skill: str = ""
    counter_dice: int = 0
    """Counter Dice against sets."""
    # what stands in the place of something else
    instead: str = ""
    """The skill to roll instead."""
    statistic: str = ""
    """The statistic to use with it."""
    statistic_from: str = ""
    """The skill whose rating replaces the statistic."""
    # what else can be done
    free: tuple[str, ...] = ()
    """Two actions without the penalty for the second."""
    twin: tuple[str, ...] = ()
    """Uses of a copy of the set."""
    spare: Literal["", "riposte", "remise", "fling"] = ""
    """The use of a spare set."""
    test: str = ""
    """Its own test: `psyche + crime diff 5`."""
    harder: tuple[str, ...] = ()
    """Difficulties of that test by situation."""
    easier: tuple[str, ...] = ()
    """Reductions of its Difficulty by situation."""
    brings: tuple[str, ...] = ()
    """Results by Width."""
    secret: bool = False
    sure: str = ""
    """An automatic success."""
    offers: str = ""
    asks: str = ""
    """A question to the Game Master, with the book's measure."""
    # everything else that has a number or a name
    amounts: dict[str, int] = {}
    flags: tuple[str, ...] = ()
    facts: dict[str, int] = {}
    """Figures for people; no rule uses them."""
    time: int = 0
    """Time in percent of the usual; 0 for no change."""
    lasts: str = ""
    """The skill whose rating is the number of rolls it counts for."""

    @property
    def edge(self) -> Edge:
        """Changes to the roll and its sets."""
        return Edge(self.squash, self.squish, self.squash_width, self.width, self.height, self.floor, self.shift)

    @property
    def rolled(self) -> bool:
        """Whether it changes dice, Difficulty or sets."""
        dice = self.dice or self.expert or self.master or self.promotes or self.beyond_ten or self.relief or self.eases
        against = self.difficulty or self.difficulty_is or self.difficulty_by or self.counter_dice
        sets = self.squash or self.squish or self.width or self.height or self.floor or self.shift or self.speed
        return bool(dice or against or sets)

    @property
    def changes(self) -> bool:
        """Whether it affects a roll, its sets or their effects."""
        more = self.free or self.twin or self.spare or self.again or self.instead or self.statistic_from
        return bool(self.rolled or self.amounts or self.flags or self.time or more)

    @property
    def kind(self) -> Class:
        """The kind of change."""
        if self.rolled or self.amounts or self.flags or self.time:
            return "numbers"
        if self.changes or self.test or self.sure or self.offers or self.facts:
            return "offers"
        return "gamemaster" if self.asks else "story"


class EffectRow(TableRow, frozen=True):
    """The effects of a level; empty for pure description."""

    feat: str
    does: tuple[Does, ...] = ()


EFFECTS = Table(RULE, EffectRow)
_ORDER: tuple[Class, ...] = ("numbers", "offers", "gamemaster", "story")


@rule(RULE)
def feat_does(rules: Ruleset, feat: str = "Wired 1") -> tuple[Does, ...]:
    """The effects of a level; a house-rule level without a row has none."""
    return EFFECTS(rules)[feat].does if feat in EFFECTS(rules) else ()


@rule(RULE)
def feat_class(rules: Ruleset, feat: str = "Wired 1") -> Class:
    """The class of a level: numbers, an offer, a question to the Game Master, or description."""
    return min([does.kind for does in feat_does(rules, feat)], key=_ORDER.index, default="story")


# --- what is tried ------------------------------------------------------------------------------------------------------------


class Try(Struct, frozen=True, cache_hash=True, kw_only=True, gc=False):
    """A roll or moment as feats see it: name and circumstances."""

    on: tuple[str, ...] = ()
    when: tuple[str, ...] = ()
    manner: tuple[str, ...] = ()
    """Declared levels: `Power Attack 2`."""
    times: int = 1
    """How often something counts."""

    @classmethod
    def of(
        cls, rules: Ruleset, skill: str, statistic: str = "", when: tuple[str, ...] = (), manner: tuple[str, ...] = (), times: int = 1
    ) -> "Try":
        """A test of a skill: a Narrow Skill counts as its Broad Skill too."""
        return cls(on=(*names_of(rules, skill), *filter(None, (statistic,)), ANY_ROLL), when=when, manner=manner, times=times)


@cached(1_000)
def names_of(rules: Ruleset, skill: str) -> tuple[str, ...]:
    """The names of a skill in feats: itself, without subject, and its Broad Skill."""
    bare = skill.partition(":")[0].strip().lower()
    known = known_skill(rules, skill)
    names = [bare] + ([known.name.partition(":")[0], known.field] if known is not None else [])
    names += [OTHER_NAMES.get(bare, "")] + [row.skill for row in BROAD(rules).values() if bare in row.action]
    return tuple(dict.fromkeys(filter(None, names)))


class Known(Struct, frozen=True, gc=False):
    """One effect of a known level."""

    row: FeatRow
    does: Does

    @property
    def label(self) -> str:
        """Its label in log and sheet."""
        return self.row.name


@cached(4_000)
def known(rules: Ruleset, feats: Feats) -> tuple[Known, ...]:
    """All effects of these levels under the campaign's rules."""
    knowns = []
    for path, level in feats:
        if path in paths(rules):
            for row in paths(rules)[path].levels[:level]:
                knowns += [Known(row, does) for does in feat_does(rules, row.feat) if _played(rules, does.where)]
    return tuple(knowns)


def _played(rules: Ruleset, where: str) -> bool:
    """Whether the campaign uses an alternative of a level."""
    if not where:
        return True
    if where.startswith("not "):
        return not rules.on(where[4:])
    name, _, value = where.partition("=")
    return rules.word(name) == value if value else rules.on(name)


def missing(rules: Ruleset, item: Known, tried: Try) -> tuple[str, ...] | None:
    """The missing circumstances; None if it does not apply or was not declared."""
    does = item.does
    if does.manner and item.row.feat not in tried.manner:
        return None
    extra: tuple[str, ...] = ()
    if does.on and not any(name in tried.on for name in does.on):
        narrow = [name for name in does.on if _broad(rules, name) in tried.on]  # a Broad Skill, used for what the Narrow one is
        if not narrow:
            return None
        extra = () if any(name in tried.when for name in narrow) else (narrow[0],)
    elif not does.on:
        return None
    return (*extra, *[word for word in does.when if word not in tried.when])


@cached(1_000)
def _broad(rules: Ruleset, skill: str) -> str:
    row = NARROW(rules).get(skill)
    return row.broad if row is not None else "no skill"


def applying(rules: Ruleset, feats: Feats, tried: Try, foes: bool = False) -> tuple[Known, ...]:
    """All effects that apply to a roll: own ones, or (`foes`) against others."""
    knowns = [
        candidate
        for candidate in known(rules, feats)
        if candidate.does.foes is foes and candidate.does.changes and missing(rules, candidate, tried) == ()
    ]
    beaten = {name for candidate in knowns for name in candidate.does.but_not}
    return tuple([candidate for candidate in knowns if candidate.row.feat not in beaten])


def asked_about(rules: Ruleset, feats: Feats, tried: Try) -> tuple[Known, ...]:
    """Effects whose circumstances the scene does not know, to be asked."""
    return tuple([candidate for candidate in known(rules, feats) if not candidate.does.foes and missing(rules, candidate, tried)])


# --- what comes of it ---------------------------------------------------------------------------------------------------------


class Relief(Struct, frozen=True, gc=False):
    """Ignored penalty dice, of some kinds or any."""

    label: str
    dice: int
    of: tuple[str, ...] = ()

    def covers(self, mod: Mod) -> bool:
        """Whether it covers a penalty."""
        return mod.dice < 0 and (not self.of or any(word in mod.label.lower() for word in self.of))


class Help(Struct, frozen=True, cache_hash=True, gc=False):
    """The sum of all effects for a roll or moment."""

    by: tuple[str, ...] = ()
    """The names of the levels."""
    mods: tuple[Mod, ...] = ()
    expert: int = 0
    master: int = 0
    promotes: int = 0
    beyond_ten: bool = False
    difficulty: int = 0
    eases: int = 0
    eases_dice: int = 0
    reliefs: tuple[Relief, ...] = ()
    edge: Edge = NO_EDGE
    speed: int = 0
    again: str = ""
    again_skill: str = ""
    amounts: tuple[tuple[str, int], ...] = ()
    flags: frozenset[str] = frozenset()
    twin: tuple[str, ...] = ()
    spare: str = ""
    instead: tuple[tuple[str, str], ...] = ()
    """Skills to roll instead, each with its statistic (empty for the same)."""
    time: int = 100
    difficulty_is: str = ""
    """The skill whose rating is the Difficulty."""
    difficulty_by: str = ""
    """The skill whose rating reduces the Difficulty."""

    def amount(self, name: str) -> int:
        """The sum of a named amount; 0 for none."""
        return sum([number for text, number in self.amounts if text == name])

    def __contains__(self, flag: str) -> bool:
        return flag in self.flags


NO_HELP = Help()


def helps(rules: Ruleset, feats: Feats, tried: Try, foes: bool = False) -> Help:
    """The help of feats for an own roll; with `foes` for a roll against the owner."""
    return _helps(rules, feats, tried, foes) if feats else NO_HELP


@cached(20_000)
def _helps(rules: Ruleset, feats: Feats, tried: Try, foes: bool) -> Help:
    knowns = applying(rules, feats, tried, foes)
    if not knowns:
        return NO_HELP
    help_ = NO_HELP
    for candidate in knowns:
        help_ = _with(help_, candidate, tried)
    return help_


_ADDED_UP = ("expert", "master", "promotes", "difficulty", "eases", "speed", "twin")
_THE_FIRST = ("beyond_ten", "again", "again_skill", "spare", "difficulty_is", "difficulty_by")
"""Fields that add up, and fields where the first value counts."""


def _with(so_far: Help, item: Known, tried: Try) -> Help:
    """The same with one more effect."""
    does = item.does
    times = min(tried.times, does.most) if does.per else 1
    edge = replace(does.edge, width=does.width * times)
    mods = (*so_far.mods, Mod(item.label, does.dice * times, RULE)) if does.dice else so_far.mods
    reliefs = (*so_far.reliefs, Relief(item.label, does.relief, does.relief_of)) if does.relief else so_far.reliefs
    return Help(
        by=tuple(dict.fromkeys((*so_far.by, item.label))),
        mods=mods,
        reliefs=reliefs,
        eases_dice=so_far.eases_dice + (does.eases_dice or does.eases),
        edge=so_far.edge.and_(edge) if edge != NO_EDGE else so_far.edge,
        amounts=(*so_far.amounts, *[(name, number * times) for name, number in does.amounts.items()]),
        flags=so_far.flags | frozenset(does.flags),
        instead=(*so_far.instead, (does.instead, does.statistic)) if does.instead else so_far.instead,
        time=so_far.time * does.time // 100 if does.time else so_far.time,
        **{name: getattr(so_far, name) + getattr(does, name) for name in _ADDED_UP},
        **{name: getattr(so_far, name) or getattr(does, name) for name in _THE_FIRST},
    )


def with_help(pool: Pool, given: Help) -> Pool:
    """A pool with dice, Special Dice, promotions and changes from feats."""
    if given is NO_HELP:
        return pool
    promoted = min(given.promotes, pool.dice)
    special = given.expert + given.master + promoted
    grown = Pool(
        dice=pool.dice - promoted,
        expert=pool.expert + given.expert + promoted,
        master=pool.master + given.master,
        mods=pool.mods,
        several=pool.several or special > 0,
        beyond_ten=pool.beyond_ten or given.beyond_ten,
        edge=pool.edge.and_(given.edge) if given.edge is not NO_EDGE else pool.edge,
    )
    return grown.plus(*given.mods)


def relieved(pool: Pool, reliefs: tuple[Relief, ...]) -> Pool:
    """A pool with penalties partly ignored, each labelled."""
    mods = list(pool.mods)
    for relief in reliefs:
        left = relief.dice
        for place, mod in enumerate(mods):
            if left and relief.covers(mod):
                spared = min(left, -mod.dice)
                mods[place] = Mod(f"{mod.label}, reduced by {relief.label}", mod.dice + spared, mod.rule)
                left -= spared
    return replace(pool, mods=tuple([mod for mod in mods if mod.dice])) if mods != list(pool.mods) else pool


Ease = Literal["difficulty", "penalty"]
"""What a feat that eases either reduces; the player chooses."""
EASED: tuple[Option[Ease], ...] = (
    Option("difficulty", "The Difficulty", "difficulty"),
    Option("penalty", "The penalty dice", "penalty"),
)


def can_choose_ease(given: Help, difficulty: int, penalty: int) -> bool:
    """Whether a feat could reduce the Difficulty as well as penalty dice."""
    return bool(given.eases) and max(1, difficulty + given.difficulty) > 1 < difficulty and penalty > 0


def eased(pool: Pool, difficulty: int, given: Help, ease: Ease = "difficulty") -> tuple[Pool, int]:
    """Pool and Difficulty after reductions; a Difficulty is at least 1. `ease` is the player's choice where both could be reduced."""
    need = max(1, difficulty + given.difficulty) if difficulty > 1 else difficulty
    reliefs = given.reliefs
    if given.eases and need > 1 and ease == "difficulty":
        need = max(1, need - given.eases)
    elif given.eases:
        reliefs = (*reliefs, Relief(given.by[-1], given.eases_dice))
    return (relieved(pool, reliefs) if reliefs else pool), need


@rule(RULE)
def helped(
    rules: Ruleset, pool: Pool, given: Help = NO_HELP, difficulty: int = 1, ease: Literal["difficulty", "penalty"] = "difficulty"
) -> tuple[Pool, int]:
    """A whole roll with feats: bonuses first, then reductions. Where a feat reduces either Difficulty or penalty, `ease` chooses."""
    return eased(with_help(pool, given), difficulty, given, ease)


def feat_named(rules: Ruleset, name: str) -> FeatRow:
    """A level by key (`Wired 1`) or name (`Tumble`); refuses unknown ones with a suggestion."""
    rows = {row.feat: row for path in paths(rules).values() for row in path.levels}
    named = [row for row in rows.values() if row.name.casefold() == name.casefold()]
    feat_row = rows.get(name) or (named[0] if named else None)
    if feat_row is None:
        raise UserError(f"there is no feat {name!r}{nearest(name, [*rows, *[row.name for row in rows.values()]])}")
    return feat_row


def feats_of(feats: dict[str, int]) -> Feats:
    """The known levels as a hashable value."""
    return tuple(sorted([(path, level) for path, level in feats.items() if level > 0]))
