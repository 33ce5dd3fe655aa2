"""Skill Applications: dice given up for effects (book lines 5994-6012)."""

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.systems.silhouette.resolution.tests import Mod, Pool

_ID = "sil-6.4.2-applications-list"


class ApplicationRow(TableRow, frozen=True):
    """What giving up dice does: it cancels a kind of malus, halves the time, weakens the other side, or cancels a malus in one go."""

    application: str
    does: str
    cancels: str = ""
    halves: bool = False
    other_side: bool = False
    all_at_once: bool = False


APPLICATIONS = Table(_ID, ApplicationRow)


class Use(Struct, frozen=True, cache_hash=True):
    """One application and the dice given up for it. `malus` is what stands against the test without it: zero or negative."""

    application: str
    dice: int = 1
    malus: int = 0
    opponents: int = 0
    """Further opponents, where the malus comes of them."""


class Applied(Struct, frozen=True):
    """What applications come to: dice lost, points of malus given back, dice the other side loses, what the time is divided by."""

    dice: int = 0
    given_back: int = 0
    others_dice: int = 0
    faster: int = 1


@rule("sil-6.4.2-skill-applications")
def may_apply(rules: Ruleset, complexity: int = 1, names: tuple[str, ...] = ()) -> bool:
    """As many different applications in a round as the Complexity of the skill; each but once on a test. Not every campaign has them."""
    if not rules.on("skill-applications"):
        return not names
    return len(set(names)) == len(names) and len(set(names)) <= complexity


@rule("sil-6.4.2-skill-applications")
def apply(rules: Ruleset, uses: tuple[Use, ...] = (), complexity: int = 1, used_this_round: tuple[str, ...] = ()) -> Applied:
    """What all applications of a test come to; refuses more different ones in a round than the skill's Complexity."""
    if uses and not rules.on("skill-applications"):
        raise UserError("this campaign has no Skill Applications (setting skill-applications)")
    names = tuple([use.application for use in uses])
    if len(set(names)) < len(names):
        raise UserError("an application counts only once per test: give up more dice for it instead")
    different = tuple(dict.fromkeys((*used_this_round, *names)))
    if not may_apply(rules, complexity, different):
        raise UserError(f"Complexity {complexity} allows {complexity} different applications per round, not {len(different)}")
    applieds = [effect(rules, use) for use in uses]
    faster = 1
    for candidate in applieds:
        faster *= candidate.faster
    return Applied(sum([e.dice for e in applieds]), sum([e.given_back for e in applieds]), sum([e.others_dice for e in applieds]), faster)


@rule(_ID)
def effect(rules: Ruleset, use: Use) -> Applied:
    """What one application does: a die gives back a point of the malus it is for, halves the time, or takes a die from the defender;
    a die for each further opponent takes away the whole malus of many."""
    row = APPLICATIONS.get(rules, use.application)
    if use.dice < 1:
        raise UserError(f"{use.application} costs at least one die")
    if row.halves:
        return Applied(use.dice, faster=2**use.dice)
    if row.other_side:
        return Applied(use.dice, others_dice=use.dice)
    if row.all_at_once:
        if use.dice != use.opponents:
            raise UserError(f"{use.application} costs one die per further opponent: {use.opponents}, not {use.dice}")
        return Applied(use.dice, given_back=-use.malus)
    if use.dice > -use.malus:
        raise UserError(f"{use.application} cancels a penalty of {use.malus}, so {use.dice} dice are too many")
    return Applied(use.dice, given_back=use.dice)


def applied(rules: Ruleset, pool: Pool, uses: tuple[Use, ...], complexity: int = 1, used_this_round: tuple[str, ...] = ()) -> Pool:
    """A pool with its applications: fewer dice (none are rolled unskilled), and the malus given back."""
    if not uses:
        return pool
    result = apply(rules, uses, complexity, used_this_round)
    return pool.with_dice(pool.dice - result.dice).plus(Mod("Skill Applications", result.given_back, _ID))


def deceived(pool: Pool, dice: int) -> Pool:
    """A defender's pool against a deception: as many dice less as the attacker gave up."""
    return pool.with_dice(pool.dice - dice) if dice else pool
