"""Feats on the sheet: a test for each that changes a roll, and the others in words."""

from collections.abc import Iterator
from typing import NamedTuple

from rulewright.build.sheet_parts import AnyPiece, Modifier, Tag, Test
from rulewright.grammar import count, join
from rulewright.rules import Ruleset
from rulewright.systems.ore.people.characters import Person
from rulewright.systems.ore.people.feat_effects import RULE, Does, Known, Try, feat_class, feat_does, feats_of, helped, known
from rulewright.systems.ore.people.feat_tests import attempted, situations, told, told_of, written_difficulty, written_pool
from rulewright.systems.ore.people.feats import paths
from rulewright.systems.ore.people.pools import rated, usable_pool
from rulewright.systems.ore.people.skills import known_skill
from rulewright.systems.ore.resolution.notation import spell
from rulewright.systems.ore.resolution.tests import NO_EDGE, Mod, Pool


def feats_at_work(rules: Ruleset, person: Person, hindrance: tuple[Mod, ...] = ()) -> Iterator[AnyPiece]:
    """For every known level: its tests and other effects."""
    for candidate in known(rules, feats_of(person.feats)):
        if candidate.does.test:
            yield from _own_tests(rules, person, candidate, hindrance)
        elif (
            candidate.does.rolled or candidate.does.instead or candidate.does.again or candidate.does.statistic_from
        ) and not candidate.does.foes:
            yield from _changed_tests(rules, person, candidate, hindrance)
        words = told(candidate)
        if words or candidate.does.foes or not candidate.does.changes:
            yield Tag(
                words or candidate.row.effect, name=f"{candidate.row.name}{_for_foes(candidate)}", rule=RULE, note=candidate.row.effect
            )


def _for_foes(item: Known) -> str:
    """The effect on opponents."""
    does = item.does
    if not does.foes:
        return ""
    what = f"{does.dice:+}d" if does.dice else f"Difficulty equals {does.difficulty_is}" if does.difficulty_is else ""
    return f" ({', '.join((*does.on, *does.when))}: {what} for others)" if what else ""


def _changed_tests(rules: Ruleset, person: Person, item: Known, hindrance: tuple[Mod, ...]) -> Iterator[Test]:
    """The tests of the skills that a level changes, under its circumstances."""
    skills = [name for name in item.does.on if known_skill(rules, name) is not None]
    for skill in skills:
        tried = Try.of(rules, skill, when=(skill, *item.does.when), manner=(item.row.feat,) if item.does.manner else ())
        test = attempted(rules, person, skill, tried)
        pool = test.pool.plus(*hindrance)
        if test.given.reliefs:
            pool = helped(rules, pool, test.given.__class__(reliefs=test.given.reliefs))[0]
        circumstances = f" ({', '.join(item.does.when)})" if item.does.when else ""
        yield _test(
            rules,
            f"feat.{item.row.feat}.{skill}{circumstances}",
            f"{item.row.name}: {skill}{circumstances}",
            pool,
            made_of=_made_of(rules, person, skill),
        )


def _own_tests(rules: Ruleset, person: Person, item: Known, hindrance: tuple[Mod, ...]) -> Iterator[Test]:
    """The own test of a level, for each printed situation."""
    pool = written_pool(rules, person, item.does.test).plus(*hindrance)
    ways = situations(item.does) or (("", written_difficulty(item.does)),)
    for words, need in ways:
        name = f"{item.row.name}{f': {words}' if words else ''}"
        note = "; ".join(item.does.brings)
        yield _test(rules, f"feat.{item.row.feat}.{words or 'test'}", name, pool, made_of=item.does.test, difficulty=need, note=note)


def _made_of(rules: Ruleset, person: Person, skill: str) -> str:
    result = known_skill(rules, skill)
    has = rated(rules, person, skill)
    statistic = result.statistic if result is not None else "body"
    return f"{statistic.capitalize()} {person.statistic(statistic)}, {has.skill} {has.rating}"


def _test(rules: Ruleset, key: str, name: str, pool: Pool, *, made_of: str, difficulty: int = 1, note: str = "") -> Test:
    """A test with its reasons, as notation."""
    edge = f" {pool.edge.words()}" if pool.edge != NO_EDGE else ""
    notation = spell(usable_pool(rules, pool)) + (f" diff {difficulty}" if difficulty > 1 else "") + edge
    parts = (Modifier(made_of, 0, RULE), *[Modifier(mod.label, mod.dice, mod.rule) for mod in pool.mods])
    parts += (Modifier(f"sets: {edge.strip()}", 0, RULE),) if edge else ()
    return Test(name=name, rule=RULE, note=note, key=key, notation=notation, parts=parts)


# --- the table of all levels --------------------------------------------------------------------------------------------------


class FeatLine(NamedTuple):
    """A level of a path in the feat table."""

    feat: str
    name: str
    kind: str
    does: str
    line: int
    """Line in the book."""
    plays: bool
    """Whether it does more than change the dice and sets of a roll, so that a scene must implement it."""


def feat_table(rules: Ruleset) -> tuple[FeatLine, ...]:
    """All levels with class, effect in words, and implementation."""
    feat_lines = []
    for path in paths(rules).values():
        for row in path.levels:
            does = feat_does(rules, row.feat)
            words = "; ".join(filter(None, [in_words(doe) for doe in does])) or row.effect
            plays = any(doe.flags or doe.amounts or doe.twin or doe.spare or doe.free for doe in does)
            feat_lines.append(FeatLine(row.feat, row.name, feat_class(rules, row.feat), words, row.line, plays))
    return tuple(feat_lines)


def in_words(does: Does) -> str:
    """One effect of a level in a line."""
    whom = "others, " if does.foes else ""
    what = f"{whom}{', '.join(does.on) or 'always'}{f' ({chr(44).join(does.when)})' if does.when else ''}".replace(",", ", ").replace(
        ",  ", ", "
    )
    changes = [f"{does.dice:+}d" + (f" per {does.per}" if does.per else "")] if does.dice else []
    changes += [
        count(number, f"{name} Die", f"{name} Dice") for number, name in ((does.expert, "Expert"), (does.master, "Master")) if number
    ]
    changes += [f"{count(does.promotes, 'die', 'dice')} promoted"] if does.promotes else []
    changes += [f"Difficulty {does.difficulty:+}"] if does.difficulty else []
    changes += [f"Difficulty is {does.difficulty_is}"] if does.difficulty_is else []
    changes += [f"Difficulty reduced by {does.difficulty_by}"] if does.difficulty_by else []
    changes += (
        [f"{count(does.relief, 'die', 'dice')} of penalty ignored{f' ({chr(44).join(does.relief_of)})' if does.relief_of else ''}"]
        if does.relief
        else []
    )
    changes += [f"Difficulty or penalty reduced by {does.eases}"] if does.eases else []
    edge = does.edge.words()
    changes += [edge] if edge else []
    changes += [f"Speed {does.speed:+}"] if does.speed else []
    changes += ["reroll without a set"] if does.again else []
    changes += [count(does.counter_dice, "Counter Die", "Counter Dice")] if does.counter_dice else []
    changes += [f"{does.instead} instead"] if does.instead else []
    changes += [f"{does.statistic_from} as the statistic"] if does.statistic_from else []
    changes += [f"no penalty for {join(does.free)}"] if does.free else []
    changes += [f"the set also counts as {join(does.twin, 'or')}"] if does.twin else []
    changes += [f"a spare set counts as {does.spare}"] if does.spare else []
    changes += [f"test: {does.test}"] if does.test else []
    changes += list(does.flags)
    manner = " if declared" if does.manner else ""
    return f"{what}{manner}: {'; '.join(filter(None, [*changes, told_of(does)]))}"
