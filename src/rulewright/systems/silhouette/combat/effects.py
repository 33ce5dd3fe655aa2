"""Special Effects and acting tough in cinematic campaigns (book lines 6086-6108, 6947-6957)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import a
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.systems.silhouette.harm.body import AVERAGE, Patient
from rulewright.systems.silhouette.harm.damage import hold_on
from rulewright.systems.silhouette.harm.events import Managed
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, action_test, attribute_pool, succeeds

Level = Literal["basic", "advanced", "complex"]

# --- special effects ----------------------------------------------------------------------------------------------------------


class EffectRow(TableRow, frozen=True):
    """Value of a description: dice or free actions."""

    level: Level
    dice: int
    free_actions: int
    asks: str


LEVELS = Table("sil-6.4.4-special-effects", EffectRow)


class Stunts(Struct, frozen=True, cache_hash=True):
    """Special Effects of a session: those described, those of each villain, and the villains' pool."""

    described: tuple[str, ...] = ()
    villains: tuple[str, ...] = ()
    """Main villains who have used theirs."""
    pool: int = 0


class Stunt(Struct, frozen=True):
    """Result of a description: dice for the tests of the action or free actions, and the session after it."""

    dice: int
    free_actions: int
    session: Stunts


NOTHING_YET = Stunts()


@rule("sil-6.4.4-special-effects")
def special_effect(
    rules: Ruleset,
    level: Level = "basic",
    description: str = "",
    take: Literal["dice", "free actions"] = "dice",
    session: Stunts = NOTHING_YET,
) -> Stunt:
    """Awards a Special Effect: a vivid description adds a die to the skill tests of the action; with the surroundings two dice or a free
    action; one that amazes everybody three dice or two free actions. None may be repeated in a session."""
    if not rules.on("special-effects") or rules.word("reality") != "cinematic":
        raise UserError("this campaign has no Special Effects (settings reality and special-effects)")
    told = " ".join(description.casefold().split())
    if told and told in session.described:
        raise UserError("this Special Effect was already used in this session: describe another")
    row = LEVELS.get(rules, level)
    if take == "free actions" and not row.free_actions:
        raise UserError(f"{a(level)} Special Effect gives no free action")
    grown = session.pool + 1 if rules.word("villain-effects") == "pool" else session.pool
    after = replace(session, described=(*session.described, told) if told else session.described, pool=grown)
    return Stunt(row.dice if take == "dice" else 0, row.free_actions if take == "free actions" else 0, after)


@rule("sil-6.4.4-villain-effects")
def villain_effect(
    rules: Ruleset,
    villain: str = "the villain",
    main: bool = True,
    level: Level = "basic",
    take: Literal["dice", "free actions"] = "dice",
    session: Stunts = NOTHING_YET,
) -> Stunt:
    """Awards a main villain's Special Effect: one per session, or from a pool that grows by one with each effect of the players."""
    if not main:
        raise UserError("only main villains have Special Effects")
    if rules.word("villain-effects") == "pool":
        if session.pool < 1:
            raise UserError("the villains' pool of Special Effects is empty")
        paid = replace(session, pool=session.pool - 1)
    else:
        if villain in session.villains:
            raise UserError(f"{villain} has already used a Special Effect in this session")
        paid = replace(session, villains=(*session.villains, villain))
    stunt = special_effect(rules, level, "", take, replace(paid, pool=0))
    return Stunt(stunt.dice, stunt.free_actions, paid)


def with_stunt(pool: Pool, stunt: Stunt) -> Pool:
    """Returns a skill pool with the dice of a Special Effect; an unskilled character rolls only these dice (ruling)."""
    return pool.with_dice(max(0, pool.dice) + stunt.dice) if stunt.dice else pool


# --- acting tough -------------------------------------------------------------------------------------------------------------


@rule("sil-7.4.4-acting-tough")
def act_tough(rules: Ruleset, patient: Patient = AVERAGE, emergency: int = 0) -> Play[Patient]:
    """Tests Willpower against 5 with the wound penalty, once per fight: a success subtracts its margin from the action penalty, but not
    on Health tests; a failure requires a test to stay conscious with the margin as a further penalty."""
    if rules.word("reality") != "cinematic" and not rules.on("acting-tough-anywhere"):
        raise UserError("characters can act tough only in cinematic campaigns (setting acting-tough-anywhere)")
    patient = patient.under(rules)
    if patient.acted_tough:
        raise UserError(f"{patient.name} has already acted tough in this fight")
    mod = Mod("action penalty", patient.penalty, "sil-3.5.2-action-penalties")
    pool = attribute_pool(rules, patient.willpower, "Willpower", (mod,))
    test = yield from action_test(rules, Pool(pool.dice, pool.mods, emergency, patient.hero), 5, patient.name, "acting tough")
    tough, rule_id = succeeds(rules, test), "sil-7.4.4-acting-tough"
    said = f"ignores {test.margin} of the wound penalty" if tough else "fails to ignore the pain and feels it more"
    yield from Tell(Managed(patient.name, said, test, rule_id, "good" if tough else "bad", "Willpower test"))
    if tough:
        return replace(patient, tough=test.margin, acted_tough=True)
    return (yield from hold_on(rules, replace(patient, acted_tough=True), min(0, test.margin)))


@rule("sil-7.4.4-acting-tough")
def after_the_fight(rules: Ruleset, patient: Patient = AVERAGE) -> Play[Patient]:
    """Ends acting tough after the fight: the wounds count again, and the character must stay conscious."""
    over = replace(patient, tough=0, acted_tough=False)
    if not patient.acted_tough or not patient.awake:
        return over
    return (yield from hold_on(rules, over))
