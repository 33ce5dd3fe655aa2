"""Skill Applications: dice given up for effects (book lines 5994-6012)."""

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.systems.silhouette.resolution.tests import Mod, Pool

_ID = "sil-6.4.2-applications-list"


class ApplicationRow(TableRow, frozen=True):
    """An application: it cancels a kind of penalty per die, halves the time, weakens the other side, or cancels a penalty at once."""

    application: str
    does: str
    cancels: str = ""
    halves: bool = False
    other_side: bool = False
    all_at_once: bool = False


APPLICATIONS = Table(_ID, ApplicationRow)


class Use(Struct, frozen=True, cache_hash=True):
    """One application and the dice given up for it. `malus` is the penalty without it: zero or negative."""

    application: str
    dice: int = 1
    malus: int = 0
    opponents: int = 0
    """Number of further opponents, if they cause the penalty."""


class Applied(Struct, frozen=True):
    """Result of applications: dice lost, penalty points cancelled, dice the other side loses, divisor of the time."""

    dice: int = 0
    given_back: int = 0
    others_dice: int = 0
    faster: int = 1


@rule("sil-6.4.2-skill-applications")
def may_apply(rules: Ruleset, complexity: int = 1, names: tuple[str, ...] = ()) -> bool:
    """Whether these applications are allowed: as many different ones per round as the skill's Complexity, if the campaign has them."""
    if not rules.on("skill-applications"):
        return not names
    return len(set(names)) == len(names) and len(set(names)) <= complexity


@rule("sil-6.4.2-skill-applications")
def apply(rules: Ruleset, uses: tuple[Use, ...] = (), complexity: int = 1, used_this_round: tuple[str, ...] = ()) -> Applied:
    """Returns the combined result of all applications of a test; refuses more different ones per round than the skill's Complexity."""
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
    """Returns the result of one application: a die cancels a point of its penalty, halves the time, or takes a die from the defender; a
    die per further opponent cancels the whole penalty of several."""
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
    """Returns a pool with its applications: fewer dice (unskilled without any), and the penalty cancelled."""
    if not uses:
        return pool
    result = apply(rules, uses, complexity, used_this_round)
    return pool.with_dice(pool.dice - result.dice).plus(Mod("Skill Applications", result.given_back, _ID))


def deceived(pool: Pool, dice: int) -> Pool:
    """Returns a defender's pool against a deception: as many dice fewer as the attacker gave up."""
    return pool.with_dice(pool.dice - dice) if dice else pool
