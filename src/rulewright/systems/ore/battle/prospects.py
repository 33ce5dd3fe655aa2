"""What an option leads to by itself, so that its odds can stand beside it while it is declared.

It is the round itself, from the dice on, with nobody in it but whoever declares and those who have declared something that can answer it:
what others are going to do nobody knows yet.
"""

from typing import Any

from msgspec.structs import replace

from rulewright.errors import Wrong
from rulewright.play import Play, Prospect, Request, Tell, sub
from rulewright.rules import Ruleset
from rulewright.systems.ore.battle.actions.registry import action_of, is_volley
from rulewright.systems.ore.battle.engaged import Battle, Order, Plan, Post, Situation
from rulewright.systems.ore.battle.events import GOOD_HITS, GOOD_TRIES, HITS, TRIES, Attempt
from rulewright.systems.ore.battle.rounds import make_ready, next_step
from rulewright.systems.ore.resolution.tests import dice_in

MOST_STEPS = 12
MOST_COUNTED = 8
"""Dice of a volley that are counted where Heights matter."""


def prospect(about: Situation, orders: tuple[Order, ...]) -> Prospect | None:
    """What these orders would come to, as things stand when they are declared; None where no dice decide it."""
    rules, battle, post = about.rules, about.battle, about.post
    rolls = [order for order in orders if action_of(order).needs_roll(rules, battle, post, order) or is_volley(battle, post, order)]
    if not rolls or any(order.kind == "skill" for order in orders):
        return None
    attack = any(action_of(order).attack for order in orders)
    try:
        ready = _ready(rules, battle, post, orders)
    except Wrong:
        return None
    if len(ready.plans) > 1 and any(dice_in(rules, volley.pool) > MOST_COUNTED for volley in ready.volleys):
        return None
    ready = replace(ready, level=len(ready.plans) == 1, apart=True)
    scale, good = (HITS, GOOD_HITS) if attack else (TRIES, GOOD_TRIES)
    return Prospect(sub(by_itself, rules, ready, post.who, attack), str, scale, good)


def _ready(rules: Ruleset, battle: Battle, post: Post, orders: tuple[Order, ...]) -> Battle:
    """The battle just before the dice fall, if nobody else did anything but answer these orders."""
    plans = []
    for plan in battle.plans:
        kept = tuple([order for order in plan.orders if _answers(battle, post, orders, plan.post, order)])
        if kept and battle.can_act(plan.post):
            plans.append(Plan(plan.post, kept))
    return _run(make_ready(rules, replace(battle, plans=(*plans, Plan(post, orders)), order=(), phase="roll")))


def _answers(battle: Battle, post: Post, orders: tuple[Order, ...], other: Post, answer: Order) -> bool:
    """Whether somebody has declared what can answer one of these."""
    if battle.unit(other.craft).side == battle.unit(post.craft).side:
        return False
    answered = [order for order in orders if answer.kind in action_of(order).answered_by]
    return any(other.craft == order.target or answer.target == post.craft for order in answered)


def _run(play: Play[Battle]) -> Battle:
    """What comes of a procedure that asks nothing."""
    try:
        while True:
            request = next(play)
            if not isinstance(request, Tell):
                raise Wrong("this asks for something before the dice fall")
    except StopIteration as done:
        found: Battle = done.value
        return found


def by_itself(rules: Ruleset, battle: Battle, who: str, attack: bool) -> Play[str]:
    """The round from the dice on, up to what comes of it for whoever declared."""
    for _ in range(MOST_STEPS):
        play, answer = next_step(rules, battle), None
        while True:
            try:
                request: Request[Any] = play.send(answer)
            except StopIteration as done:
                battle = done.value
                break
            answer = None
            if not isinstance(request, Tell):
                answer = yield request
            elif isinstance(request.event, Attempt) and request.event.who == who and request.event.of_attack() == attack:
                return request.event.came_to()
        if battle.phase == "begin":
            break
    return "comes off" if not attack else "no shot"
