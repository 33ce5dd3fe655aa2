"""Rounds in numbers: what counts as an action, initiative, waiting, Free Strikes (book lines 1911-1998, 2179-2182, 2625-2639)."""

from functools import lru_cache
from math import ceil
from typing import Literal

from msgspec import Struct

from rulewright.dice.highest import Total
from rulewright.errors import UserError
from rulewright.play import Event, Play, Roll, Tell, Together
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
    """How long so many rounds take: six seconds each."""
    if rounds < 0:
        raise UserError(f"a number of rounds is at least 0, not {rounds}")
    return SECONDS * rounds


@rule("sil-3.1-rounds")
def rounds_in(time: float) -> int:
    """How many rounds so many seconds are; one begun counts."""
    return ceil(time / SECONDS)


@rule("sil-3.1-rounds")
def round_is_over(had_their_chance: tuple[str, ...] = (), able: tuple[str, ...] = ()) -> bool:
    """A round goes on until everybody who is able has had a chance to act. A view of the turns of a fight."""
    return set(able) <= set(had_their_chance)


# --- actions ------------------------------------------------------------------------------------------------------------------


class ActionRow(TableRow, frozen=True):
    """Something to do, and what it counts as; `test` is what it is tested with where a test is called for."""

    action: str
    type: ActionType
    test: str = ""


ACTIONS = Table("sil-3.1.1-action-types", ActionRow)


class Account(Struct, frozen=True):
    """What a turn comes to: how many actions it counts as, what each of them suffers, and how many simple ones must be tested."""

    actions: int
    penalty: int
    tests: int = 0


@rule("sil-3.1.1-action-types")
def action_type(rules: Ruleset, action: str = "draw", complicated: bool = False) -> ActionType:
    """What something counts as; an automatic act becomes a simple one where something complicates it. By id only."""
    result = ACTIONS.get(rules, action).type
    return "simple" if result == "automatic" and complicated else result


@rule("sil-3.1.1-action-types", "sil-3.1.1-multiple-actions")
def account(standard: int = 1, simple: int = 0) -> Account:
    """One simple action is free, and every two are an action (ruling). Where that makes more than one action all suffer, and of every
    two simple ones the second is tested at the same penalty.

    A view of `multiple_action_penalty`.
    """
    if standard < 0 or simple < 0:
        raise UserError("the numbers of actions must be at least 0")
    actions = standard + simple // 2
    return Account(actions, multiple_action_penalty(actions).value, simple // 2 if actions > 1 else 0)


@rule("sil-3.1.1-multiple-actions")
def multiple_action_penalty(actions: int = 1) -> Derived[int]:
    """What every action of a round suffers: 1 for each beyond the first."""
    extra = max(0, actions - 1)
    return total("multiple actions", less("actions beyond the first", extra), rule="sil-3.1.1-multiple-actions")


@rule("sil-3.1.1-action-types")
def counts(simple_before: int = 0) -> Literal["free", "an action"]:
    """What one more simple action of a turn costs: the first is free, the second makes an action of both, and so on."""
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
    """A simple action among several actions is tested like them: the attribute that suits it (Agility), against an easy Threshold
    (ruling "simple-action-threshold")."""
    mods = (
        Mod("multiple actions", penalty, "sil-3.1.1-multiple-actions"),
        Mod("wounds", wounds, "sil-3.5.2-action-penalties"),
        Mod("footing", footing, "sil-6.2.7-gravity-movement"),
    )
    pool = attribute_pool(rules, attribute, "Agility", mods).with_emergency(emergency)
    return (yield from action_test(rules, pool, rules.number("simple-action-threshold"), name, what))


@rule("sil-3.1.1-action-types")
def cannot_succeed(rules: Ruleset, action: str) -> bool:
    """Whether something is impossible, and so fails without a roll. By id only."""
    return ACTIONS.get(rules, action).type == "impossible"


# --- initiative ---------------------------------------------------------------------------------------------------------------


class Sense(Struct, frozen=True, cache_hash=True):
    """Somebody's part in an initiative roll: Combat Sense as it stands (Complexity apart), or what a round of Refocus has set."""

    name: str
    pool: Pool = Pool(1)
    complexity: int = 1
    level: int = 1
    perception: int = 0
    fixed: int | None = None
    secret: bool = False
    seen_by: tuple[str, ...] | None = None
    """Those who see them where the ground hides people; None where it hides nobody."""

    def rank(self) -> tuple[int, int, int]:
        """What settles a tie: level, Complexity, attribute."""
        return self.level, self.complexity, self.perception


class Order(Struct, frozen=True):
    """Who acts when: groups of names, the first first, those of one group at the same time; and who is confused this round."""

    groups: tuple[tuple[str, ...], ...]
    confused: tuple[str, ...] = ()


class Placed(Struct, frozen=True):
    """Somebody's initiative: what was rolled, or what a round of Refocus has set (then there is no pool, and `sense` is the level)."""

    name: str
    came: Total
    pool: Pool | None = None
    sense: int = 0

    def sum(self) -> Reason:
        """Why the total is what it is."""
        if self.pool is None:
            reason = refocused(self.sense).reason
            return Reason(self.name, reason.value, "=", reason.rule, reason.source, reason.terms)
        return sum_of(self.name, self.pool, self.came, "=", "sil-3.1.2-initiative")


class InitiativeRolled(Event, frozen=True):
    """Everybody's initiative, the highest first."""

    placed: tuple[Placed, ...]

    def headline(self) -> str:
        said = ", ".join(
            f"{candidate.name} {candidate.came.total}{' (fumble)' if candidate.came.fumble else ''}" for candidate in self.placed
        )
        return f"Initiative: {said or 'nobody acts'}"

    def reasons(self) -> tuple[Reason, ...]:
        return tuple([candidate.sum() for candidate in self.placed])


@rule("sil-3.1.1-refocus")
def refocused(combat_sense: int = 1) -> Derived[int]:
    """The initiative after a round spent on nothing but looking about: 4 and the level of Combat Sense, without a roll."""
    return total("initiative", term("base", 4), term("Combat Sense", combat_sense), rule="sil-3.1.1-refocus")


SOMEONE = (Sense("one"), Sense("other"))


@rule("sil-3.1.2-initiative")
def initiative(rules: Ruleset, everyone: tuple[Sense, ...] = SOMEONE, secret_to: tuple[str, ...] = ()) -> Play[Order]:
    """Everybody rolls Combat Sense with what their Complexity is above the lowest; the highest acts first and ties act at once.

    Whoever fumbles begins nothing this round but to duck. With advanced ties the better trained goes first (sil-3.3-advanced-ties-combat).
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
    for event in _told(everyone, pools, totals, secret_to):
        yield from Tell(event)
    return order_of(rules, everyone, tuple(totals))


@lru_cache(maxsize=50_000)
def cast_for_initiative(rules: Ruleset, sense: Sense, lowest: int) -> tuple[Pool, Roll[Total]]:
    """What somebody rolls among people of whom this is the lowest Complexity."""
    pool = sense.pool.plus(complexity_above(sense.complexity, (lowest,)))
    return pool, roll_of(rules, pool, sense.name, "initiative", secret=sense.secret)


def order_of(rules: Ruleset, everyone: tuple[Sense, ...], totals: tuple[Total, ...]) -> Order:
    """Who acts when, by what was rolled; the names of a group keep the order in which they were given."""
    groups: dict[int, list[str]] = {}
    for sense, result in zip(everyone, totals, strict=True):
        groups.setdefault(result.total, []).append(sense.name)
    order = tuple([tuple(groups[place]) for place in sorted(groups, reverse=True)])
    return Order(order, tuple([sense.name for sense, result in zip(everyone, totals, strict=True) if result.fumble]))


def _by_total(placed: tuple[Placed, bool]) -> int:
    return placed[0].came.total


def _told(everyone: tuple[Sense, ...], pools: list[Pool | None], totals: list[Total], secret_to: tuple[str, ...]) -> list[InitiativeRolled]:
    """Who acts when; the hidden are told apart, and where only they act the others hear nothing, which would give the ambush away."""
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
    """Among those whose initiative is tied the better in Combat Sense acts slightly before the others, where the campaign says so.

    The groups in which they act, the quickest first; without the rule, or between equals, they act at once.
    """
    if not rules.on("advanced-ties"):
        return (tuple([sense.name for sense in tied]),)
    ranks = sorted({sense.rank() for sense in tied}, reverse=True)
    return tuple([tuple([sense.name for sense in tied if sense.rank() == rank]) for rank in ranks])


@rule("sil-3.1.2-initiative")
def may_still(long_action: bool = False) -> tuple[Literal["duck", "nothing", "go on"], ...]:
    """What is left to one whose initiative fumbled: to duck, or to go on with what takes longer than a round."""
    return ("duck", "nothing", "go on") if long_action else ("duck", "nothing")


# --- waiting ------------------------------------------------------------------------------------------------------------------

Trigger = Literal["acts", "moves", "shows"]
"""What a readied person waits for: that somebody does anything, moves, or comes into view."""


class Ready(Struct, frozen=True):
    """An action held back: what it waits for and of whom ("" for anyone), and what weighs on it. Whoever delays names nothing."""

    trigger: Trigger = "acts"
    of: str = ""
    penalty: int = 0
    delays: bool = False


FOR_ANYONE = Ready()


@rule("sil-3.1.1-readying-delaying")
def sets_off(ready: Ready = FOR_ANYONE, event: Trigger = "acts", who: str = "") -> bool:
    """Whether an event is what somebody waits for; moving or showing oneself is doing something too."""
    return ready.of in ("", who) and (ready.trigger == "acts" or ready.trigger == event)


@rule("sil-3.1.1-readying-delaying")
def when_set_off(ready: Ready = FOR_ANYONE) -> Literal["before", "after"]:
    """A readied response comes before whoever set it off can act; a delayed action comes after they have."""
    return "after" if ready.delays else "before"


@rule("sil-3.1.1-readying-delaying")
def stays_ready(able: bool = True, moved_to_cover: bool = False, defended_against_grenade: bool = False) -> bool:
    """A held action lasts into the next rounds, unless its owner is put out, moves to cover or saves himself from a grenade."""
    return able and not moved_to_cover and not defended_against_grenade


# --- Free Strikes -------------------------------------------------------------------------------------------------------------


OPENINGS = Column("sil-3.1.2-free-strike", "act", opens=bool)
"""Something done within an opponent's reach, and whether it lets the guard down."""


@rule("sil-3.1.2-free-strike")
def lowers_guard(rules: Ruleset, act: str = "sheathe") -> bool:
    """Whether something lets the guard down, so that an opponent within reach may strike freely."""
    return OPENINGS.of(rules, act)


@rule("sil-3.1.2-free-strike")
def threatened_radius(reach: float = 1, weapon: float = 0) -> int:
    """How far a fighter threatens: own reach and that of the weapon, rounded up to whole metres."""
    return ceil(reach + weapon)


@rule("sil-3.1.2-free-strike")
def may_strike_freely(able: bool = True, aware: bool = True, struck_before: int = 0, metres: float = 1, radius: float = 1) -> bool:
    """Who is able, aware of it and near enough may strike freely, once a round; it is no action and costs none."""
    return able and aware and struck_before < 1 and metres <= radius
