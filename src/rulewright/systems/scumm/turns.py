"""Rounds: initiative, ambushes, and whose turn it is (book lines 45, 348-370, 448)."""

from functools import lru_cache

from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.play import Choice, Event, Option, Play, Range, Roll, Tell, Together, sub
from rulewright.rules import Ruleset, rule
from rulewright.systems.scumm.actions import action_options, aim, do, done, interrupts, is_simple, said
from rulewright.systems.scumm.attacks import ambush
from rulewright.systems.scumm.characters import combat_sense_pool
from rulewright.systems.scumm.close_combat import Happened, grapple_turn
from rulewright.systems.scumm.fighters import Action, Fight, Fighter, Mode, UnderWay
from rulewright.systems.scumm.injury import stay_out
from rulewright.systems.scumm.moving import move
from rulewright.systems.scumm.patient import OPEN_ENDED, Patient
from rulewright.systems.scumm.resolution import Mod, Pool, reading

EXTRA_ACTIONS = 3
"""The most extra actions that are offered where the campaign plays with multiple actions."""


# --- initiative ---------------------------------------------------------------------------------------------------------------


class InitiativeRolled(Event, frozen=True):
    """Everybody's place in the round."""

    round: int
    order: tuple[tuple[str, int, bool], ...]

    def headline(self) -> str:
        said = ", ".join(f"{name} {'fumbles' if fumbled else total}" for name, total, fumbled in self.order)
        return f"Round {self.round}. Initiative: {said}"


@lru_cache(maxsize=10_000)
def initiative_pool(rules: Ruleset, combat_sense: int, body: Patient, modifier: int = 0) -> Pool:
    """Combat Sense with wounds, drugs and what a fumbled defense left behind."""
    return combat_sense_pool(
        rules,
        combat_sense,
        (
            Mod("wounds", body.penalty, "scumm-injuries"),
            Mod("bad position", modifier, "scumm-ranged-fumbles"),
            Mod("stimulant", body.initiative_bonus, "scumm-stimulants"),
        ),
    )


@rule("scumm-initiative")
def actions_by_initiative(total: int, fumble: bool = False) -> int:
    """One action a round, two for a total of 7 or more, none for a fumble."""
    return 0 if fumble else 2 if total >= 7 else 1


@rule("scumm-initiative")
def begin_round(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Everybody able rolls Combat Sense: the highest acts first, ties act at once, and those who hold an action may go on holding it."""
    fight = replace(fight, round=fight.round + 1, zones=(), frozen=())
    holding = yield from _keep_holding(fight)
    fighters = [_refreshed(fighter, fighter.name in holding) for fighter in fight.fighters]
    rolling = [at for at, f in enumerate(fighters) if f.body.able and not f.unwary and f.ready is None]
    totals = yield from Together(tuple([_initiative_roll(rules, fighters[at]) for at in rolling]))
    order: dict[int, list[str]] = {}
    told = []
    for at, (total, fumble) in zip(rolling, [(rolled.total, rolled.fumble) for rolled in totals], strict=True):
        name = fighters[at].profile.name
        acts = actions_by_initiative(total, fumble)
        fighters[at] = replace(fighters[at], initiative=total, acts=acts, fumbled=fumble, initiative_modifier=0)
        order.setdefault(-1 if fumble else total, []).append(name)
        told.append((name, total, fumble))
    told.sort(key=lambda line: (line[2], -line[1]))
    yield from Tell(InitiativeRolled(fight.round, tuple(told)))
    fight = replace(fight, fighters=tuple(fighters), queue=tuple([tuple(order[total]) for total in sorted(order, reverse=True)]))
    return fight if fight.queue else end_round(fight)


def _initiative_roll(rules: Ruleset, fighter: Fighter) -> Roll[Total]:
    pool = initiative_pool(rules, fighter.profile.combat_sense, fighter.body, fighter.initiative_modifier)
    return Roll(reading(rules, pool), fighter.profile.name, "initiative")


def _refreshed(fighter: Fighter, holds: bool) -> Fighter:
    """What a new round takes off somebody's shoulders."""
    mode: Mode = "prone" if fighter.mode in ("prone", "crawling") else "normal"
    return replace(
        fighter,
        attacked_by=(),
        free_strikes=0,
        pinned=False,
        acts=0,
        fumbled=False,
        mode=fighter.mode if fighter.mode in ("running", "sprinting") else mode,
        ready=fighter.ready if holds else None,
    )


_STAY_READY: tuple[Option[bool], ...] = (Option("hold", "Stay ready", True), Option("drop", "Give it up and roll initiative", False))


def _keep_holding(fight: Fight) -> Play[set[str]]:
    """Those whose held action has not come up decide whether to go on waiting."""
    waiting = [f for f in fight.fighters if f.ready is not None and f.body.able]
    if not waiting:
        return set()
    answers = yield from Together(
        tuple([Choice(f.name, "Your moment has not come. Do you stay ready?", _STAY_READY, (fight, f.name), "stay ready") for f in waiting])
    )
    return {fighter.name for fighter, stays in zip(waiting, answers, strict=True) if stays}


# --- the ambush ---------------------------------------------------------------------------------------------------------------


def spring_ambush(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Before the first round: does each target notice those who lie in wait? Who does not is unwary, and they stay hidden from him."""
    side = fight.ground.ambush
    lurking = [f for f in fight.fighters if f.side == side and f.body.able]
    for target in [f for f in fight.fighters if f.side != side and f.body.able]:
        noticed = False
        for lurker in lurking:
            stealth = Pool(lurker.profile.stealth).plus(Mod("Alertness", lurker.profile.alertness))
            if rules.word("ambush-roll") == "combat sense":
                notice = combat_sense_pool(rules, target.profile.combat_sense)
            else:
                notice = Pool(target.profile.notice).plus(Mod("Alertness", target.profile.alertness))
            notice = notice.plus(Mod("range and conditions", fight.ground.ambush_modifier))
            unnoticed = yield from sub(ambush, rules, stealth, notice, lurker.name, target.name)
            if not unnoticed:
                noticed = True
                break
        yield from Tell(Happened(target.name, "notices the ambush" if noticed else "notices nothing", secret=not noticed))
        fight = fight.change(target.name, unwary=not noticed)
    if all(f.unwary for f in fight.fighters if f.side != side and f.body.able):
        for lurker in lurking:
            fight = fight.change(lurker.name, hidden=True)
    return replace(fight, ambush_open=False)


# --- a turn -------------------------------------------------------------------------------------------------------------------


def next_turn(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """The next in the queue begins to act. Those of one group act at the same time: what befalls one does not hinder the others."""
    group, rest = fight.queue[0], fight.queue[1:]
    name = group[0]
    if len(group) > 1 and not fight.frozen:
        fight = replace(fight, frozen=tuple([(other, fight.fighter(other).body) for other in group]))
    fight = replace(fight, queue=(group[1:], *rest) if len(group) > 1 else rest)
    return (yield from begin_turn(rules, fight, name))


@rule("scumm-actions-per-round")
def begin_turn(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """A movement mode and one action, or two after a very good initiative; one simple action is free."""
    fighter = fight.fighter(name)
    if not fight.acting_body(fighter).able:
        return end_turn(fight)
    if fighter.grappling:
        if fight.fighter(fighter.grappling).body.able:
            fight = yield from grapple_turn(rules, fight, name)
            return end_turn(fight)
        fight = fight.change(name, grappling="")
    if fighter.fumbled:
        fight = yield from confused_turn(rules, fight, name)
        return end_turn(fight)
    if fighter.mode in ("running", "sprinting"):
        fight = fight.change(name, mode="normal")
    fight, stood = yield from move(rules, fight, name)
    if not fight.acting_body(fight.fighter(name)).able or fight.fighter(name).mode == "sprinting":
        return end_turn(fight)
    extra = yield from declare_extra_actions(rules, fight, name)
    fight = replace(fight, turn=UnderWay(name, fighter.acts + extra, extra, not stood))
    return (yield from go_on(rules, fight))


def go_on(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """One more action of the turn under way. The first simple action takes none of those there are, now or at the end of the turn."""
    turn = fight.turn
    assert turn is not None
    name, actions, extra, simple_left, after = turn.name, turn.actions, turn.extra, turn.simple_left, turn.after
    fighter = fight.fighter(name)
    if not fight.acting_body(fighter).able:
        return end_turn(fight)
    options = action_options(rules, fight, fighter, actions, simple_left)
    chosen = yield from Choice(name, "What do you do?", options, (rules, fight, name, extra), "act")
    if chosen.kind == "pass":
        return (yield from close_turn(fight, name, after))
    if not turn.noticed:
        fight = yield from interrupts(rules, fight, name, "acts")
        if not fight.acting_body(fight.fighter(name)).able:
            return end_turn(fight)
    if is_simple(chosen.kind) and simple_left:
        simple_left = False
    else:
        actions -= 1
        if is_simple(chosen.kind):
            extra += 1  # a second simple action counts as a standard one and brings its penalty
    if chosen.after:
        after = chosen
    else:
        fight = yield from do(rules, fight, name, chosen, extra)
    if actions <= 0 or chosen.kind == "ready":
        return (yield from close_turn(fight, name, after))
    return replace(fight, turn=UnderWay(name, actions, extra, simple_left, True, after))


def close_turn(fight: Fight, name: str, after: Action | None) -> Play[Fight]:
    """What was put off to the end of the turn is done, and the turn is over."""
    if after is not None and fight.fighter(name).body.able:
        fighter = fight.fighter(name)
        yield from Tell(Happened(name, said(fighter, after)))
        fight = fight.put(done(fighter, after))
    return end_turn(fight)


def end_turn(fight: Fight) -> Fight:
    """The turn is over; so is the moment of those who acted together, and the round when nobody is left to act."""
    fight = replace(fight, turn=None)
    group = fight.queue[0] if fight.queue else ()
    if fight.frozen and not any(name in group for name, _ in fight.frozen):
        fight = replace(fight, frozen=())
    return fight if fight.queue else end_round(fight)


def end_round(fight: Fight) -> Fight:
    """Once a round has passed nobody is unwary any more; who still lies hidden is so only while holding an action."""
    for fighter in fight.fighters:
        if fighter.unwary or (fighter.hidden and fighter.ready is None):
            fight = fight.change(fighter.name, unwary=False, hidden=False)
    return fight


def settle_sleepers(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Roll for how long those will be out who were knocked out just now."""
    for fighter in fight.fighters:
        if fighter.body.unconscious == OPEN_ENDED:
            body = yield from stay_out(rules, fighter.body)
            fight = fight.change(fighter.name, body=body)
    return fight


@rule("scumm-multiple-actions")
def extra_action_penalty(extra: int) -> int:
    """Every extra action costs -1 on all actions of the round."""
    return -max(0, extra)


def declare_extra_actions(rules: Ruleset, fight: Fight, name: str) -> Play[int]:
    """Where the campaign plays with multiple actions they are declared before anything is rolled."""
    if not rules.on("multiple-actions"):
        return 0
    return (yield from Choice[int](name, "How many extra actions?", Range(0, EXTRA_ACTIONS), (fight, name), "extra actions"))


_DUCK: tuple[Option[str], ...] = (Option("duck", "Duck", "duck"), Option("nothing", "Do nothing", "nothing"))
_DUCK_OR_AIM: tuple[Option[str], ...] = (*_DUCK, Option("keep aiming", "Keep aiming", "aim"))


def confused_turn(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """After a fumbled initiative one may only duck, or go on with what was begun before (ruling "fumbled-initiative")."""
    fighter = fight.fighter(name)
    if rules.word("fumbled-initiative") == "nothing":
        return fight
    options = _DUCK_OR_AIM if 0 < fighter.aim < 3 else _DUCK
    chosen = yield from Choice(name, "You are confused. What do you do?", options, (fight, name), "confused")
    if chosen == "duck":
        yield from Tell(Happened(name, "ducks"))
        return fight.change(name, mode="prone", aim=0, aim_at="")
    if chosen == "aim":
        return (yield from aim(rules, fight, name, fighter.aim_at))
    return fight
