"""Rounds: action costs, initiative, waiting and Free Strikes (book lines 1911-1998, 2179-2182, 2625-2639)."""

from math import ceil
from typing import Literal

from msgspec import Struct

from rulewright.dice.highest import Total
from rulewright.errors import UserError
from rulewright.grammar import labelled
from rulewright.play import Event, Play, Roll, Tell, Together
from rulewright.play.cache import cached
from rulewright.rules import Column, Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, Reason, less, term, total
from rulewright.systems.silhouette.resolution.tests import (
    Mod,
    Pool,
    Test,
    action_test,
    attribute_pool,
    complexity_above,
    roll_of,
    settled,
    sum_of,
)

SECONDS = 6
ActionType = Literal["automatic", "simple", "standard", "full round", "impossible"]


# --- rounds -------------------------------------------------------------------------------------------------------------------


@rule("sil-3.1-rounds")
def seconds(rounds: int = 1) -> int:
    """Returns the seconds of some rounds: six each."""
    if rounds < 0:
        raise UserError(f"a number of rounds is at least 0, not {rounds}")
    return SECONDS * rounds


@rule("sil-3.1-rounds")
def rounds_in(time: float) -> int:
    """Returns the number of rounds in some seconds, rounded up."""
    return ceil(time / SECONDS)


@rule("sil-3.1-rounds")
def round_is_over(had_their_chance: tuple[str, ...] = (), able: tuple[str, ...] = ()) -> bool:
    """Whether a round is over: everybody able has had a chance to act. A view of the turns of a fight."""
    return set(able) <= set(had_their_chance)


# --- actions ------------------------------------------------------------------------------------------------------------------


class ActionRow(TableRow, frozen=True):
    """An action and its type; `test` is the attribute or skill it uses if a test is needed."""

    action: str
    type: ActionType
    test: str = ""


ACTIONS = Table("sil-3.1.1-action-types", ActionRow)


class Account(Struct, frozen=True):
    """Cost of a turn: the number of actions, the penalty on each, and how many simple ones need a test."""

    actions: int
    penalty: int
    tests: int = 0


@rule("sil-3.1.1-action-types")
def action_type(rules: Ruleset, action: str = "draw", complicated: bool = False) -> ActionType:
    """Returns the type of an action; a complicated automatic action becomes a simple one. By id only."""
    result = ACTIONS.get(rules, action).type
    return "simple" if result == "automatic" and complicated else result


@rule("sil-3.1.1-action-types", "sil-3.1.1-multiple-actions")
def account(standard: int = 1, simple: int = 0) -> Account:
    """Returns the cost of a turn. One simple action is free, and every two count as an action (ruling). With more than one action, all
    suffer the penalty, and the second of every two simple ones needs a test at the same penalty.

    A view of `multiple_action_penalty`.
    """
    if standard < 0 or simple < 0:
        raise UserError("the numbers of actions must be at least 0")
    actions = standard + simple // 2
    return Account(actions, multiple_action_penalty(actions).value, simple // 2 if actions > 1 else 0)


@rule("sil-3.1.1-multiple-actions")
def multiple_action_penalty(actions: int = 1) -> Derived[int]:
    """Returns the penalty on every action of a round: 1 for each beyond the first."""
    extra = max(0, actions - 1)
    return total("multiple actions", less("actions beyond the first", extra), rule="sil-3.1.1-multiple-actions")


@rule("sil-3.1.1-action-types")
def counts(simple_before: int = 0) -> Literal["free", "an action"]:
    """Returns the cost of one more simple action: the first is free, the second makes an action of both, and so on."""
    return "an action" if simple_before % 2 else "free"


@rule("sil-3.1.1-action-types")
def simple_test(
    rules: Ruleset,
    attribute: int = 0,
    penalty: int = -1,
    wounds: int = 0,
    name: str = "",
    what: str = "load",
    emergency: int = 0,
    footing: int = 0,
) -> Play[Test]:
    """Tests a simple action among several: its attribute (Agility) against an easy Threshold (ruling "simple-action-threshold")."""
    mods = (
        Mod("multiple actions", penalty, "sil-3.1.1-multiple-actions"),
        Mod("wounds", wounds, "sil-3.5.2-action-penalties"),
        Mod("footing", footing, "sil-6.2.7-gravity-movement"),
    )
    pool = attribute_pool(rules, attribute, "Agility", mods).with_emergency(emergency)
    return (yield from action_test(rules, pool, rules.number("simple-action-threshold"), name, what))


@rule("sil-3.1.1-action-types")
def cannot_succeed(rules: Ruleset, action: str) -> bool:
    """Whether an action is impossible and fails without a roll. By id only."""
    return ACTIONS.get(rules, action).type == "impossible"


# --- initiative ---------------------------------------------------------------------------------------------------------------


class Sense(Struct, frozen=True, cache_hash=True):
    """A fighter's part in an initiative roll: Combat Sense (Complexity separate), or the value set by Refocus."""

    name: str
    pool: Pool = Pool(1)
    complexity: int = 1
    level: int = 1
    perception: int = 0
    fixed: int | None = None
    secret: bool = False
    seen_by: tuple[str, ...] | None = None
    """Fighters who can see this one, if the terrain hides people; None if it hides nobody."""

    def rank(self) -> tuple[int, int, int]:
        """Returns the tie-breakers: level, Complexity, attribute."""
        return self.level, self.complexity, self.perception


class Order(Struct, frozen=True):
    """The order of a round: groups of names in order, each group at the same time; and the confused fighters."""

    groups: tuple[tuple[str, ...], ...]
    confused: tuple[str, ...] = ()


class Placed(Struct, frozen=True):
    """A fighter's initiative: the roll, or the value of Refocus (then there is no pool, and `sense` is the level)."""

    name: str
    came: Total
    pool: Pool | None = None
    sense: int = 0

    def sum(self) -> Reason:
        """Explains the total."""
        if self.pool is None:
            reason = refocused(self.sense).reason
            return Reason(self.name, reason.value, "=", reason.rule, reason.source, reason.terms)
        return sum_of(self.name, self.pool, self.came, "=", "sil-3.1.2-initiative")


class InitiativeRolled(Event, frozen=True):
    """Everybody's initiative, highest first."""

    placed: tuple[Placed, ...]

    def headline(self) -> str:
        said = ", ".join(
            labelled(candidate.name, f"{candidate.came.total}{' (fumble)' if candidate.came.fumble else ''}") for candidate in self.placed
        )
        return f"Initiative: {said or 'nobody acts'}"

    def reasons(self) -> tuple[Reason, ...]:
        return tuple([candidate.sum() for candidate in self.placed])


@rule("sil-3.1.1-refocus")
def refocused(combat_sense: int = 1) -> Derived[int]:
    """Returns the initiative after Refocus: 4 + the level of Combat Sense, without a roll."""
    return total("initiative", term("base", 4), term("Combat Sense", combat_sense), rule="sil-3.1.1-refocus")


SOMEONE = (Sense("one"), Sense("other"))


@rule("sil-3.1.2-initiative")
def initiative(rules: Ruleset, everyone: tuple[Sense, ...] = SOMEONE, secret_to: tuple[str, ...] = ()) -> Play[Order]:
    """Rolls Combat Sense for everybody, with Complexity above the lowest; the highest acts first and ties act together.

    A fighter who fumbles may only duck this round. With advanced ties the better trained fighter acts first
    (sil-3.3-advanced-ties-combat).
    """
    lowest = min([sense.complexity for sense in everyone], default=1)
    casts = [cast_for_initiative(rules, sense, lowest) for sense in everyone]
    rolls = tuple([roll for sense, (_, roll) in zip(everyone, casts, strict=True) if sense.fixed is None])
    result = iter((yield from Together(rolls)) if rolls else ())
    totals = [
        settled(rules, pool, next(result)) if sense.fixed is None else Total(sense.fixed)
        for sense, (pool, _) in zip(everyone, casts, strict=True)
    ]
    pools = [pool if sense.fixed is None else None for sense, (pool, _) in zip(everyone, casts, strict=True)]
    for event in _tell_order(everyone, pools, totals, secret_to):
        yield from Tell(event)
    return order_of(rules, everyone, tuple(totals))


@cached(50_000)
def cast_for_initiative(rules: Ruleset, sense: Sense, lowest: int) -> tuple[Pool, Roll[Total]]:
    """Returns a fighter's initiative pool, given the lowest Complexity of all."""
    pool = sense.pool.plus(complexity_above(sense.complexity, (lowest,)))
    return pool, roll_of(rules, pool, sense.name, "initiative", secret=sense.secret)


def order_of(rules: Ruleset, everyone: tuple[Sense, ...], totals: tuple[Total, ...]) -> Order:
    """Returns the order of a round from the rolls; names of a group keep the given order."""
    groups: dict[int, list[str]] = {}
    for sense, result in zip(everyone, totals, strict=True):
        groups.setdefault(result.total, []).append(sense.name)
    order = tuple([tuple(groups[place]) for place in sorted(groups, reverse=True)])
    return Order(order, tuple([sense.name for sense, result in zip(everyone, totals, strict=True) if result.fumble]))


def _by_total(placed: tuple[Placed, bool]) -> int:
    return placed[0].came.total


def _tell_order(
    everyone: tuple[Sense, ...], pools: list[Pool | None], totals: list[Total], secret_to: tuple[str, ...]
) -> list[InitiativeRolled]:
    """Tells the order of a round; hidden fighters are told separately, and if only they act, nobody else hears of it."""
    placed = [(Placed(s.name, result, pool, s.level), s.secret) for s, pool, result in zip(everyone, pools, totals, strict=True)]
    placed.sort(key=_by_total, reverse=True)
    if everyone and everyone[0].seen_by is not None:
        witnesses = {sense.name: sense.seen_by for sense in everyone}
        groups = dict.fromkeys([witnesses[result.name] for result, _ in placed])
        return [InitiativeRolled(tuple([p for p, _ in placed if witnesses[p.name] == group]), known_to=group) for group in groups]
    seen, hidden = tuple([result for result, secret in placed if not secret]), tuple([result for result, secret in placed if secret])
    initiative_rolleds = [InitiativeRolled(seen)] if seen or not hidden else []
    return [*initiative_rolleds, InitiativeRolled(hidden, known_to=secret_to)] if hidden else initiative_rolleds


@rule("sil-3.3-advanced-ties-combat")
def tie_order(rules: Ruleset, tied: tuple[Sense, ...] = SOMEONE) -> tuple[tuple[str, ...], ...]:
    """Orders fighters with tied initiative by Combat Sense, if the campaign uses advanced ties.

    Returns the groups, the fastest first; without the rule, or between equals, they act together.
    """
    if not rules.on("advanced-ties"):
        return (tuple([sense.name for sense in tied]),)
    ranks = sorted({sense.rank() for sense in tied}, reverse=True)
    return tuple([tuple([sense.name for sense in tied if sense.rank() == rank]) for rank in ranks])


@rule("sil-3.1.2-initiative")
def may_still(long_action: bool = False) -> tuple[Literal["duck", "nothing", "go on"], ...]:
    """Returns the options of a fighter with fumbled initiative: duck, or continue an action longer than a round."""
    return ("duck", "nothing", "go on") if long_action else ("duck", "nothing")


# --- waiting ------------------------------------------------------------------------------------------------------------------

Trigger = Literal["acts", "moves", "shows"]
"""The event a readied action waits for: somebody acts, moves, or comes into view."""


class Ready(Struct, frozen=True):
    """A held action: the event it waits for, of which fighter ("" for anyone), and its penalty. A delaying fighter names nothing."""

    trigger: Trigger = "acts"
    of: str = ""
    penalty: int = 0
    delays: bool = False


FOR_ANYONE = Ready()


@rule("sil-3.1.1-readying-delaying")
def sets_off(ready: Ready = FOR_ANYONE, event: Trigger = "acts", who: str = "") -> bool:
    """Whether an event triggers a readied action; moving and coming into view count as acting."""
    return ready.of in ("", who) and (ready.trigger == "acts" or ready.trigger == event)


@rule("sil-3.1.1-readying-delaying")
def when_set_off(ready: Ready = FOR_ANYONE) -> Literal["before", "after"]:
    """Returns the timing of a held action: a readied one before the trigger, a delayed one after it."""
    return "after" if ready.delays else "before"


@rule("sil-3.1.1-readying-delaying")
def stays_ready(able: bool = True, moved_to_cover: bool = False, defended_against_grenade: bool = False) -> bool:
    """Whether a held action lasts: not if its owner is knocked out, moves to cover or dodges a grenade."""
    return able and not moved_to_cover and not defended_against_grenade


# --- Free Strikes -------------------------------------------------------------------------------------------------------------


OPENINGS = Column("sil-3.1.2-free-strike", "act", opens=bool)
"""Actions within an opponent's reach, and whether they drop the guard."""


@rule("sil-3.1.2-free-strike")
def lowers_guard(rules: Ruleset, act: str = "sheathe") -> bool:
    """Whether an action drops the guard, so that an opponent within reach gets a Free Strike."""
    return OPENINGS.of(rules, act)


@rule("sil-3.1.2-free-strike")
def threatened_radius(reach: float = 1, weapon: float = 0) -> int:
    """Returns the radius a fighter threatens: own reach and weapon, rounded up to whole metres."""
    return ceil(reach + weapon)


@rule("sil-3.1.2-free-strike")
def may_strike_freely(able: bool = True, aware: bool = True, struck_before: int = 0, metres: float = 1, radius: float = 1) -> bool:
    """Whether a fighter may make a Free Strike: able, aware and near enough, once per round and without cost."""
    return able and aware and struck_before < 1 and metres <= radius
