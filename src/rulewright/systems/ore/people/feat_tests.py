"""Tests with feats: skill tests with all effects, and the own tests of levels."""

import re
from typing import NamedTuple

from msgspec.structs import replace

from rulewright.dice.sets import Sets
from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.play import Choice, Option, Play, Roll
from rulewright.rules import Ruleset, rule
from rulewright.systems.ore.people.characters import Character, Person
from rulewright.systems.ore.people.feat_effects import (
    EASED,
    RULE,
    Does,
    Ease,
    Feats,
    Help,
    Known,
    Try,
    applying,
    can_choose_ease,
    feat_does,
    feat_named,
    feats_of,
    helped,
    helps,
)
from rulewright.systems.ore.people.pools import rated, skill_pool, statistic_pool, usable_pool
from rulewright.systems.ore.people.skills import known_skill
from rulewright.systems.ore.resolution.contests import spoiled_at
from rulewright.systems.ore.resolution.dice_assignment import OnTable
from rulewright.systems.ore.resolution.joint_readings import Fronts
from rulewright.systems.ore.resolution.outcomes import Outcome, outcome_of
from rulewright.systems.ore.resolution.readings import BestFor, OrFaces, Thrown
from rulewright.systems.ore.resolution.tests import Mod, Pool, make_test, ready_dice, thrown

SOMEBODY = Character("somebody", skills={"athletics": 3}, feats={"Cliffhanger": 5})
"""A default character."""


class Attempted(NamedTuple):
    """A test with feats: pool, Difficulty and help."""

    pool: Pool
    difficulty: int
    given: Help


def attempted(
    rules: Ruleset,
    person: Person,
    skill: str,
    tried: Try,
    *,
    statistic: str = "",
    difficulty: int = 1,
    against: Feats = (),
    penalty: int = 0,
    ease: Ease = "difficulty",
) -> Attempted:
    """The roll for a skill: the best allowed skill, with feats of the character and of the opponent (`against`). `ease` is what a feat
    reduces that could reduce either."""
    feats = feats_of(person.feats)
    given = helps(rules, feats, tried)
    known = known_skill(rules, skill)
    usual = statistic or (known.statistic if known is not None else "body")
    pools = [_with_statistic(rules, person, skill, usual, feats=feats, tried=tried)]
    for other, by in given.instead:
        pools.append(skill_pool(rules, person, other, by or usual))
    best = max(pools, key=lambda pool: (ready_dice(rules, pool).size, pool.size, pool.master, pool.expert))
    foe = helps(rules, against, tried, foes=True)
    hindered = usable_pool(rules, best).plus(*foe.mods, Mod("penalty", -penalty, "ore-1.09-penalty"))
    pool, need = helped(rules, hindered, given, difficulty, ease)
    return Attempted(usable_pool(rules, pool), min(10, max(1, need + foe.difficulty)), given)


def _with_statistic(rules: Ruleset, person: Person, skill: str, statistic: str, *, feats: Feats, tried: Try) -> Pool:
    """The pool of a skill; a feat may replace the statistic by a higher skill rating."""
    pool = skill_pool(rules, person, skill, statistic)
    for known in applying(rules, feats, tried):
        if known.does.statistic_from:
            instead = rated(rules, person, known.does.statistic_from).rating - person.statistic(statistic)
            pool = replace(pool, dice=pool.dice + max(0, instead))
    return pool


@rule(RULE)
def feat_test(
    rules: Ruleset,
    character: Character = SOMEBODY,
    skill: str = "climbing",
    statistic: str = "",
    when: tuple[str, ...] = (),
    manner: tuple[str, ...] = (),
    difficulty: int = 1,
    times: int = 1,
    against: Character | None = None,
    penalty: int = 0,
) -> Play[Outcome]:
    """A skill test with all feats. `when` names circumstances, `manner` declared levels, `against` an opponent with feats, `penalty`
    penalty dice. Where a level reduces either Difficulty or penalty, the player chooses. A roll without a set is repeated if a level
    allows it. By id only."""
    if penalty < 0:
        raise UserError("a penalty is a number of dice from 0 on")
    person = Person.of(rules, character)
    tried = Try.of(rules, skill, statistic, when, tuple([feat_named(rules, name).feat for name in manner]), times)
    feats = feats_of(Person.of(rules, against).feats) if against is not None else ()
    ease: Ease = "difficulty"
    given = helps(rules, feats_of(person.feats), tried)
    lost = penalty - sum([mod.dice for mod in helps(rules, feats, tried, foes=True).mods if mod.dice < 0])
    if can_choose_ease(given, difficulty, lost):
        ease = yield from Choice(person.name, f"What does {given.by[-1]} reduce?", EASED, topic="ease")
    test = attempted(rules, person, skill, tried, statistic=statistic, difficulty=difficulty, against=feats, penalty=penalty, ease=ease)
    need = max(test.difficulty, _against(rules, against, feats, tried))
    if "a die of a set is rolled again" in helps(rules, feats, tried, foes=True):
        return (yield from doubted(rules, test.pool, need, person.name))
    return (yield from rolled(rules, test._replace(difficulty=need), person, skill))


def _against(rules: Ruleset, against: Character | None, feats: Feats, tried: Try) -> int:
    """The Difficulty from an opponent's skill."""
    skill = helps(rules, feats, tried, foes=True).difficulty_is
    return max(1, rated(rules, Person.of(rules, against), skill).rating) if against is not None and skill else 1


_AGAIN: tuple[Option[bool], ...] = (Option("yes", "Roll again", value=True), Option("no", "Keep the roll", value=False))


def rolled(rules: Ruleset, test: Attempted, person: Person, what: str) -> Play[Outcome]:
    """The roll, with a reroll by a feat if there is no set."""
    given = test.given
    dice = thrown(rules, test.pool, test.difficulty)
    if given.amount("counter dice on yourself") and dice is not None:
        return (yield from countering_oneself(rules, dice, given.amount("counter dice on yourself"), person.name, what))
    if not given.again or dice is None:
        return (yield from make_test(rules, test.pool, test.difficulty, by=person.name, what=what))
    fell, faces = yield from Roll(OrFaces(BestFor(dice)), person.name, what)
    if fell is not None:
        return outcome_of(fell)
    if not (yield from Choice(person.name, f"No set. Use {given.by[-1]} to roll again?", _AGAIN, topic="again")):
        return Outcome()
    most = dice.dice if given.again == "all" else min(dice.dice, rated(rules, person, given.again_skill or what).rating)
    kept = yield from dice_kept(person.name, tuple([face for _, face in faces]), dice.dice - most)
    return outcome_of((yield from Roll(BestFor(kept_lying(dice, kept)), person.name, f"{what}, again")))


def dice_kept(name: str, lying: tuple[int, ...], keeps: int, about: object = None) -> Play[tuple[int, ...]]:
    """Asks which dice of a roll stay while the others are rolled again, one by one, the highest first."""
    left, kept = sorted(lying, reverse=True), list[int]()
    while left and len(kept) < keeps:
        face = left[0]
        if len(set(left)) > 1 and len(left) > keeps - len(kept):
            options = tuple([Option(f"keep {number}", f"Keep the {number}", number) for number in dict.fromkeys(left)])
            face = yield from Choice(name, "Which die do you keep? The rest is rolled again.", options, about, "keep die")
        left.remove(face)
        kept.append(face)
    return tuple(kept)


def countering_oneself(rules: Ruleset, dice: Thrown, counters: int, by: str, what: str) -> Play[Outcome]:
    """A roll with counter dice against its owner: each takes a die from a set it reaches, and the widest rest counts."""
    sets = yield from Roll(Fronts(dice), by, what)
    fell = yield from Roll(Sets(counters, dice.top, loose=True), by, "counter dice on yourself")
    left = [(width - sum([many for many, face in fell if face >= height]), height) for width, height in sets]
    return outcome_of(max([pair for pair in left if pair[0] > spoiled_at(rules)], default=None))


def kept_lying(dice: Thrown, kept: tuple[int, ...]) -> Thrown:
    """The same dice with these kept and the others rerolled."""
    lent = list(dice.lent)
    for face in kept:
        if face >= dice.difficulty:
            lent[face - 1] += 1
    return replace(dice, dice=dice.dice - len(kept), lent=tuple(lent))


@rule(RULE)
def doubted(rules: Ruleset, pool: Pool, difficulty: int = 1, by: str = "") -> Play[Outcome]:
    """A roll against an opponent who sows doubt: one die of the widest set is rerolled (ruling: the set of greatest Width)."""
    dice = thrown(rules, pool, difficulty)
    if dice is None:
        return Outcome()
    lying = yield from Roll(OnTable(dice, keep="all"), by, "resisting")
    sets = [pair for pair in lying if pair[0] > 1]
    if not sets:
        return Outcome()
    _, height = max(sets)
    (fell,) = yield from Roll(Sets(1, dice.top, loose=True), by, "the unknown die")
    counted = {face: many - (face == height) for many, face in lying}
    if fell[1] >= dice.difficulty:
        counted[fell[1]] = counted.get(fell[1], 0) + 1
    left = [(many, face) for face, many in counted.items() if many > 1]
    return outcome_of(max(left, default=None))


# --- tests of their own -------------------------------------------------------------------------------------------------------


def written_pool(rules: Ruleset, person: Person, written: str) -> Pool:
    """The pool of a written test: `psyche + crime diff 5`, `command + manipulate -2d`, `insight`, `5d`."""
    bare = re.sub(r"\s*diff \d+", "", written)
    less = re.search(r"-(\d)d$", bare)
    bare = re.sub(r"\s*-\d+d$", "", bare)
    if re.fullmatch(r"\d+d", bare):
        return Pool(int(bare[:-1]))
    statistic, _, skill = (part.strip() for part in bare.partition("+"))
    pool = skill_pool(rules, person, skill, statistic) if skill else statistic_pool(rules, person, statistic)
    return usable_pool(rules, pool).plus(Mod("from the feat", -int(less[1]) if less else 0, RULE))


def written_difficulty(does: Does) -> int:
    """The printed Difficulty of a level's test; 1 for none."""
    match = re.search(r"diff (\d+)", does.test)
    return int(match[1]) if match else 1


def situations(does: Does) -> tuple[tuple[str, int], ...]:
    """The printed situations of a level's test with Difficulties."""
    base = written_difficulty(does)
    named = [(text.rpartition(" ")[0], int(text.rpartition(" ")[2])) for text in (*does.harder, *does.easier)]
    return tuple([(words, number if does.harder else max(1, base - number)) for words, number in named])


def brought(does: Does, width: int) -> tuple[str, ...]:
    """The results of a Width in a level's test; 0 means failure."""
    named = [(int(text.partition(":")[0]), text.partition(": ")[2]) for text in does.brings]
    return tuple([words for at, words in named if (at == 0) == (width == 0) and at <= width])


class Used(NamedTuple):
    """The result of a used feat: its set and results."""

    outcome: Outcome
    brings: tuple[str, ...]


@rule(RULE)
def use_feat(
    rules: Ruleset, character: Character = SOMEBODY, feat: str = "Locksmith's Hand 5", situation: str = "", difficulty: int = 0
) -> Play[Used]:
    """The own test of a level, at the printed Difficulty, that of its situation, or one set by the Game Master; with results by Width.
    By id only."""
    row = feat_named(rules, feat)
    does = next((feat_doe for feat_doe in feat_does(rules, row.feat) if feat_doe.test), None)
    if does is None:
        raise UserError(f"{row.name} has no roll")
    known = dict(situations(does))
    if situation and situation not in known:
        raise UserError(
            f"{row.name}: there is no situation {situation!r}; {f'choose {join(tuple(known))}' if known else 'this feat has none'}"
        )
    need = difficulty or known.get(situation, written_difficulty(does))
    person = Person.of(rules, character)
    outcome = yield from make_test(rules, written_pool(rules, person, does.test), need, by=person.name, what=row.name, secret=does.secret)
    return Used(outcome, brought(does, outcome.width))


def told(known: Known) -> str:
    """The effects of a level, in words for a sheet."""
    return told_of(known.does)


def told_of(does: Does) -> str:
    """The effects beside a roll: what comes off without one, what is offered, what the Game Master is asked, figures."""
    names = [f"without a roll: {does.sure}"] if does.sure else []
    names += [f"offers: {does.offers}"] if does.offers else []
    names += [f"the Game Master decides {does.asks}"] if does.asks else []
    names += [f"{name}: {number}" for name, number in does.facts.items()]
    names += [f"{name} {number:+}" for name, number in does.amounts.items()]
    names += [f"takes {does.time} % of the time"] if does.time else []
    names += [f"once per {does.limit}"] if does.limit else []
    names += [f"for as many rolls as the rating of {does.lasts}"] if does.lasts else []
    return "; ".join(names)
