"""Readied actions: held until an event, and then resolved before its cause (book lines 366)."""

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from rulewright.play import Choice, Option, Play, Together
from rulewright.rules import Ruleset, rule
from rulewright.systems.scumm.combat.attack_setup import Situation, happened
from rulewright.systems.scumm.combat.attacks import can_reach, range_band
from rulewright.systems.scumm.combat.close_combat import only_bruises
from rulewright.systems.scumm.combat.fighters import REACH, Action, Fight, Fighter, Kind, Ready, Trigger
from rulewright.systems.scumm.fight.actions.attacks import BRUISE, PLAIN, attack
from rulewright.systems.scumm.fight.actions.base import Doing, Offer

FOR_ANYONE = Ready()


class StandReady(Doing):
    """The action is held until a person acts, or moves."""

    kind: Kind = "ready"
    verb = "guard"
    all_round = True

    def options(self, rules: Ruleset, offer: Offer) -> Iterator[Option[Action]]:
        yield self.option("ready", "Ready an action for anyone who acts", Action("ready", ready=FOR_ANYONE))
        yield self.option("ready moves", "Ready an action for anyone who moves", Action("ready", ready=Ready("moves")))
        for name, *_ in offer.targets if len(offer.targets) > 1 else ():
            yield self.option(f"ready:{name}", f"Ready an action for {name}", Action("ready", ready=Ready("acts", name)), target=name)

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action, extra: int) -> Play[Fight]:
        ready = replace(action.ready or FOR_ANYONE, extra=extra)
        yield from happened(fight, name, f"readies an action in case {ready.of or 'anyone'} {ready.trigger}")
        return fight.change(name, ready=ready)


@rule("scumm-readying")
def sets_off(ready: Ready = FOR_ANYONE, event: Trigger = "acts", who: str = "") -> bool:
    """A readied action waits for something a person does, or for anybody to do it; moving is doing something too."""
    return ready.of in ("", who) and ready.trigger in ("acts", event)


Reply = Literal["act", "hold", "how", "bruise"]
_FIRE: tuple[Option[Reply], ...] = (Option("act", "Act now", "act"), Option("hold", "Keep waiting", "hold"))
_FIRE_HOW: tuple[Option[Reply], ...] = (*_FIRE, Option("act how", "Act now: choose how", "how"))
_FIRE_OR_BRUISE: tuple[Option[Reply], ...] = (*_FIRE, Option("act bruise", "Act now, to bruise only", "bruise"))


def _replies(answer: Action) -> tuple[Option[Reply], ...]:
    """How a readied action may come up: a shot or throw in every way there is, a bare hand that may hold back."""
    if answer.kind != "hit":
        return _FIRE_HOW
    return _FIRE_OR_BRUISE if answer.weapon == 0 and answer.way == PLAIN else _FIRE


def interrupts(rules: Ruleset, fight: Fight, name: str, event: Trigger) -> Play[Fight]:
    """Everybody whose readied action this sets off is asked at once; people who act do so before the one who set it off can."""
    if all(fighter.ready is None for fighter in fight.fighters):
        return fight
    actor = fight.fighter(name)
    pairs = [(f, _answer_to(rules, f, actor)) for f in fight.fighters if _waits_for(fight, f, actor, event)]
    waiting = [(f, _replies(answer)) for f, answer in pairs if answer is not None]
    if not waiting:
        return fight
    question = f"{name} {event}. Do you act first?"
    asked = [Choice(f.name, question, replies, Situation(fight, f.name, rules), "interrupt", f.hidden) for f, replies in waiting]
    answers = yield from Together(tuple(asked))
    for (waiter, _), reply in zip(waiting, answers, strict=True):
        if reply != "hold":
            fight = yield from _act_first(rules, fight, waiter.name, name, reply)
    return fight


def _act_first(rules: Ruleset, fight: Fight, waiter: str, actor: str, how: Reply) -> Play[Fight]:
    """A readied action comes up: what it does to the one who set it off counts at once."""
    result, other = fight.fighter(waiter), fight.fighter(actor)
    reply = _answer_to(rules, result, other) if result.body.able and other.body.able else None
    if reply is None or result.ready is None:
        return fight
    extra = result.ready.extra
    if how != "act":
        reply = replace(reply, way=BRUISE if how == "bruise" else None)
    fight = fight.put(replace(result, ready=None))
    fight = yield from attack(rules, fight, waiter, reply, extra)
    if fight.frozen and fight.fighter(actor).body is not other.body:
        fight = replace(fight, frozen=tuple([moment for moment in fight.frozen if moment.name != actor]))
    return fight


def _waits_for(fight: Fight, waiter: Fighter, actor: Fighter, event: Trigger) -> bool:
    """Whether this sets a person's readied action off; one readied in this same moment forestalls nobody who acts in it (ruling)."""
    ready = waiter.ready
    if ready is not None and fight.moment(waiter.name) is not None and fight.moment(actor.name) is not None:
        return False
    if ready is None or not waiter.body.able or waiter.side == actor.side or actor.hidden or not fight.sees(waiter, actor):
        return False
    return sets_off(ready, event, actor.name)


def _answer_to(rules: Ruleset, waiter: Fighter, actor: Fighter) -> Action | None:
    """Returns the action of a readied person against the one who set it off: shoot, strike within reach, or throw."""
    weapon, metres = waiter.weapon, waiter.distance(actor)
    reachable = weapon.ranges is not None and can_reach(rules, range_band(metres, weapon.ranges))
    if weapon.gun:
        fresh = (waiter.in_hand, actor.name) not in waiter.sprayed
        return Action("shoot", actor.name, weapon=waiter.in_hand, way=PLAIN) if waiter.loaded and reachable and fresh else None
    if metres <= REACH:
        way = BRUISE if only_bruises(waiter, weapon) else PLAIN
        return Action("hit", actor.name, weapon=waiter.in_hand, way=way)
    return Action("throw", actor.name, weapon=waiter.in_hand, way=PLAIN) if weapon.throwable and reachable else None
