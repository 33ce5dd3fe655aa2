"""Feats on the sheet: a test for each that changes a roll, with its reasons, and what the others give in words."""

from collections.abc import Iterator

from rulewright.build.pieces import AnyPiece, Modifier, Tag, Test
from rulewright.rules import Ruleset
from rulewright.systems.ore.people.characters import Person
from rulewright.systems.ore.people.feat_effects import RULE, Known, Try, feats_of, helped, known
from rulewright.systems.ore.people.feat_tests import attempted, situations, told, written_difficulty, written_pool
from rulewright.systems.ore.people.pools import rated, usable_pool
from rulewright.systems.ore.people.skills import known_skill
from rulewright.systems.ore.resolution.notation import spell
from rulewright.systems.ore.resolution.tests import NO_EDGE, Mod, Pool


def feats_at_work(rules: Ruleset, person: Person, hindrance: tuple[Mod, ...] = ()) -> Iterator[AnyPiece]:
    """For every level that somebody knows: the tests that it changes or has, and what else it does."""
    for each in known(rules, feats_of(person.feats)):
        if each.does.test:
            yield from _own_tests(rules, person, each, hindrance)
        elif (each.does.rolled or each.does.instead or each.does.again or each.does.statistic_from) and not each.does.foes:
            yield from _changed_tests(rules, person, each, hindrance)
        words = told(each)
        if words or each.does.foes or not each.does.changes:
            yield Tag(words or each.row.effect, name=f"{each.row.name}{_for_foes(each)}", rule=RULE, note=each.row.effect)


def _for_foes(each: Known) -> str:
    """What somebody else is in for."""
    does = each.does
    if not does.foes:
        return ""
    what = f"{does.dice:+}d" if does.dice else f"Difficulty by {does.difficulty_is}" if does.difficulty_is else ""
    return f" ({', '.join((*does.on, *does.when))}: {what} for others)" if what else ""


def _changed_tests(rules: Ruleset, person: Person, each: Known, hindrance: tuple[Mod, ...]) -> Iterator[Test]:
    """The test of each skill that a level is for, as it is when its circumstances hold."""
    skills = [name for name in each.does.on if known_skill(rules, name) is not None]
    for skill in skills:
        tried = Try.of(rules, skill, when=(skill, *each.does.when), manner=(each.row.feat,) if each.does.manner else ())
        test = attempted(rules, person, skill, tried)
        pool = test.pool.plus(*hindrance)
        if test.given.reliefs:
            pool = helped(rules, pool, test.given.__class__(reliefs=test.given.reliefs))[0]
        circumstances = f" ({', '.join(each.does.when)})" if each.does.when else ""
        yield _test(
            rules,
            f"feat.{each.row.feat}.{skill}{circumstances}",
            f"{each.row.name}: {skill}{circumstances}",
            pool,
            made_of=_made_of(rules, person, skill),
        )


def _own_tests(rules: Ruleset, person: Person, each: Known, hindrance: tuple[Mod, ...]) -> Iterator[Test]:
    """The test that a level has of its own, once for each situation that it prints."""
    pool = written_pool(rules, person, each.does.test).plus(*hindrance)
    ways = situations(each.does) or (("", written_difficulty(each.does)),)
    for words, need in ways:
        name = f"{each.row.name}{f': {words}' if words else ''}"
        note = "; ".join(each.does.brings)
        yield _test(rules, f"feat.{each.row.feat}.{words or 'test'}", name, pool, made_of=each.does.test, difficulty=need, note=note)


def _made_of(rules: Ruleset, person: Person, skill: str) -> str:
    found = known_skill(rules, skill)
    has = rated(rules, person, skill)
    statistic = found.statistic if found is not None else "body"
    return f"{statistic.capitalize()} {person.statistic(statistic)}, {has.skill} {has.rating}"


def _test(rules: Ruleset, key: str, name: str, pool: Pool, *, made_of: str, difficulty: int = 1, note: str = "") -> Test:
    """A test with its reasons, as it is written."""
    edge = f" {pool.edge.words()}" if pool.edge != NO_EDGE else ""
    notation = spell(usable_pool(rules, pool)) + (f" diff {difficulty}" if difficulty > 1 else "") + edge
    parts = (Modifier(made_of, 0, RULE), *[Modifier(mod.label, mod.dice, mod.rule) for mod in pool.mods])
    parts += (Modifier(f"sets: {edge.strip()}", 0, RULE),) if edge else ()
    return Test(name=name, rule=RULE, note=note, key=key, notation=notation, parts=parts)
