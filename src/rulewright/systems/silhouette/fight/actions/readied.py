"""Readied actions: held until a trigger, and resolved before it (book lines 1917-1998)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.grammar import is_crowd
from rulewright.play import Choice, Option, Play, Together
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.action.rounds import FOR_ANYONE, Ready, Trigger, sets_off
from rulewright.systems.silhouette.attacks.action_parts import resolve_all
from rulewright.systems.silhouette.attacks.close_attacks import bruises
from rulewright.systems.silhouette.attacks.shots import can_reach
from rulewright.systems.silhouette.combat.events import happened
from rulewright.systems.silhouette.combat.fighters import Action, Fight, Fighter, Kind, Situation, reach_of, striking_weapon
from rulewright.systems.silhouette.fight.actions.attacks import Attack, Shoot, Strike, Throw
from rulewright.systems.silhouette.fight.actions.base import Doing, Offer

_TRIGGERS: dict[Trigger, str] = {"acts": "acts", "moves": "moves", "shows": "comes into view"}
_OF_A_CROWD: dict[Trigger, str] = {"acts": "act", "moves": "move", "shows": "come into view"}


def _triggered(who: str, trigger: Trigger) -> str:
    """Describes the trigger of a readied action: Grey acts, the hornets act."""
    return f"{who} {(_OF_A_CROWD if is_crowd(who) else _TRIGGERS)[trigger]}"


class StandReady(Doing):
    """Readies an action until somebody acts, moves or comes into view."""

    kind: Kind = "ready"
    verb = "guard"
    opens = "ready"
    all_round = True

    def options(self, rules: Ruleset, offer: Offer) -> Iterator[Option[Action]]:
        yield self.option("ready", "Ready an action: when anyone acts", Action("ready", ready=FOR_ANYONE))
        yield self.option("ready moves", "Ready an action: when anyone moves", Action("ready", ready=Ready("moves")))
        yield self.option("ready shows", "Ready an action: when anyone comes into view", Action("ready", ready=Ready("shows")))
        for name, *_ in offer.targets if len(offer.targets) > 1 else ():
            label = f"Ready an action: when {_triggered(name, 'acts')}"
            yield self.option(f"ready:{name}", label, Action("ready", ready=Ready("acts", name)), target=name)

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int) -> Play[Fight]:
        ready = replace(action.ready or FOR_ANYONE, penalty=penalty)
        yield happened(fight, name, f"readies an action in case {_triggered(ready.of or 'anyone', ready.trigger)}")
        return fight.change(name, ready=ready)


REPLIES: dict[str, Attack] = {shoot.kind: shoot for shoot in (Shoot(), Strike(), Throw())}
"""Actions that can be readied."""

_FIRE: tuple[Option[bool], ...] = (Option("act", "Act now", True), Option("hold", "Keep waiting", False))


def interrupts(rules: Ruleset, fight: Fight, name: str, event: Trigger) -> Play[Fight]:
    """Asks everybody whose readied action this event triggers; those who act do so before the event."""
    actor = fight.fighter(name)
    waiting = [f for f in fight.fighters if _waits_for(fight, f, actor, event) and _choose_reply(rules, f, actor) is not None]
    if not waiting:
        return fight
    question = f"{_triggered(name, event)}. Do you act first?"
    asked = [Choice(f.name, question, _FIRE, Situation(fight, f.name, rules), "interrupt", f.hidden) for f in waiting]
    answers = yield from Together(tuple(asked))
    for waiter, goes in zip(waiting, answers, strict=True):
        if goes:
            fight = yield from _act_first(rules, fight, waiter.name, name)
    return fight


def _act_first(rules: Ruleset, fight: Fight, waiter: str, actor: str) -> Play[Fight]:
    """Resolves a readied action; its effects on the one who triggered it count at once."""
    result, other = fight.fighter(waiter), fight.fighter(actor)
    reply = _choose_reply(rules, result, other) if result.body.able and other.body.able else None
    if reply is None or result.ready is None:
        return fight
    penalty = result.ready.penalty
    later = fight.todo
    fight = replace(fight.put(replace(result, ready=None)), todo=())
    fight = yield from REPLIES[reply.kind].do(rules, fight, waiter, reply, penalty)
    fight = replace((yield from resolve_all(rules, fight)), todo=later)
    if fight.frozen and fight.fighter(actor).body is not other.body:
        fight = replace(fight, frozen=tuple([moment for moment in fight.frozen if moment.name != actor]))
    return fight


def _waits_for(fight: Fight, waiter: Fighter, actor: Fighter, event: Trigger) -> bool:
    """Whether an event triggers a readied action; one readied at the same moment does not interrupt those who act in it (ruling)."""
    ready = waiter.ready
    if ready is not None and {waiter.name, actor.name} <= {moment.name for moment in fight.frozen}:
        return False
    if ready is None or ready.delays or not waiter.body.able or waiter.side == actor.side or actor.hidden or not fight.sees(waiter, actor):
        return False
    return sets_off(ready, event, actor.name)


def _choose_reply(rules: Ruleset, waiter: Fighter, actor: Fighter) -> Action | None:
    """Returns a readied fighter's reply: shoot, strike within reach, or throw."""
    if waiter.body.snared is not None:
        return None
    weapon, metres, at = waiter.weapon, waiter.distance(actor), waiter.in_hand
    if weapon.fires is not None:
        if waiter.loaded and can_reach(rules, waiter, weapon, metres):
            return Action("shoot", actor.name, weapon=at)
    elif weapon.blast is not None:
        return None
    close = striking_weapon(waiter)
    if metres <= reach_of(rules, waiter.profile, waiter.profile.weapons[close]):
        return Action("strike", actor.name, weapon=close, bruise=bruises(waiter, waiter.profile.weapons[close], True))
    if weapon.thrown is not None and can_reach(rules, waiter, weapon, metres, thrown=True):
        return Action("throw", actor.name, weapon=at)
    return None
