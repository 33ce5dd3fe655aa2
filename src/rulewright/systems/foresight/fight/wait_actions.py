"""Waiting: one action before or right after another person's action (book lines 2970-2994, 3008-3018)."""

from typing import Literal

from msgspec.structs import replace

from rulewright.play import Choice, Option, Play, Together
from rulewright.rules import Ruleset, rule
from rulewright.systems.foresight.combat.events import Asked, attempted, happened
from rulewright.systems.foresight.combat.fighters import Action, Deed, Fight, Fighter
from rulewright.systems.foresight.combat.reflexes import can_react, look_on, notices
from rulewright.systems.foresight.fight.actions.registry import ACTIONS, choose_action, do, spend_action, still_possible
from rulewright.systems.foresight.fight.bonus_actions import KINDS, bonus_task, roll_bonus
from rulewright.systems.foresight.harm.body import INCAPACITATED
from rulewright.systems.foresight.harm.damage import pull_together
from rulewright.systems.foresight.resolution.tests import BARELY, weighed


@rule("fs-waiting")
def comes(rules: Ruleset, waiting: int = 3, acting: int = 4, on_them: bool = True, first: bool = True) -> Literal["before", "after"]:
    """When a person who waits may act: before the action of the person in focus with a strictly better initiative rating, else right
    after it.

    Equal ratings never come before, whatever the Initiative scores; and only the first action of a turn does.
    """
    return "before" if on_them and first and waiting < acting else "after"


@rule("fs-waiting")
def comes_after(rules: Ruleset, acted: bool = True) -> bool:
    """Whether an action before waiting, such as aiming, costs the right to come first (ruling, setting wait-after-acting)."""
    return acted and rules.word("wait-after-acting") == "comes after"


def has_action(fighter: Fighter) -> bool:
    """Whether a person has anything left to act with."""
    return fighter.acts > 0 or (fighter.bonuses > 0 and bool(KINDS[fighter.bonus].actions))


def ready_to_answer(fight: Fight, fighter: Fighter, deed: Deed) -> bool:
    """Whether a person who waits could act upon an action at all."""
    if not fighter.waiting or fighter.profile.name == deed.who or fighter.profile.name in deed.answered:
        return False
    return has_action(fighter) and can_react(fight, fighter) and deed.who not in fighter.unaware_of


def ahead_of(rules: Ruleset, fight: Fight, deed: Deed) -> list[Fighter]:
    """People who may come before an action with the first action of their turn: they wait, focused on its doer, with a better rating."""
    acting, waiting = fight.fighter(deed.who).qr, [f for f in fight.fighters if f.waiting and f.focus == deed.who]
    return [f for f in waiting if ready_to_answer(fight, f, deed) and comes(rules, f.qr, acting, first=not f.acted) == "before"]


def could_answer(fight: Fight, fighter: Fighter, deed: Deed) -> bool:
    """Whether an action may give a person who waits cause to act: it was done in their focus, is the word they wait for, or they have
    none."""
    if not ready_to_answer(fight, fighter, deed):
        return False
    actor = fight.fighter(deed.who)
    if fighter.profile.side == actor.profile.side and deed.action.kind == "signal":
        return True
    if not fighter.focus:
        return fighter.profile.side != actor.profile.side and fight.sees(fighter, actor)
    return fight.watches(fighter, actor)


def after_it(rules: Ruleset, fight: Fight, deed: Deed) -> Play[list[Fighter]]:
    """People who may act right after an action; who watches nothing in particular has to notice it first."""
    actor, result = fight.fighter(deed.who), []
    for fighter in fight.fighters:
        if not could_answer(fight, fighter, deed):
            continue
        if fighter.focus or fighter.profile.side == actor.profile.side or (yield from notices(rules, fight, fighter, actor)):
            result.append(fighter)
    return result


FIRST: tuple[Option[bool], ...] = (Option("let", "Let it happen", value=False), Option("first", "Act first", value=True))
NOW: tuple[Option[bool], ...] = (Option("wait", "Keep waiting", value=False), Option("now", "Act now", value=True))


def asked_about(deed: Deed) -> str:
    """An action in a few words, for people who may respond to it."""
    kind = ACTIONS[deed.action.kind]
    verb = kind.seen or kind.does or f"acts ({deed.action.kind})"
    target = deed.action.target if deed.action.target not in ("", deed.who) else ""
    return f"{deed.who} {verb}{kind.aimed}{target}" if target else f"{deed.who} {verb}"


def granted(rules: Ruleset, fight: Fight, deed: Deed, who: list[Fighter]) -> Play[tuple[str, ...]]:
    """Ask everybody who may act upon an action, all at once; the best initiative goes first among people who do."""
    if not who:
        return ()
    first = deed.stage == "before"
    question = f"{asked_about(deed)}. Do you act {'first' if first else 'now'}?"
    topic, options = ("first", FIRST) if first else ("now", NOW)
    asked = [
        Choice(
            f.name, question, options, Asked(fight, f.name, rules, deed.action, deed.who), topic, secret=fight.aware_of(f.name) is not None
        )
        for f in who
    ]
    answers = yield from Together(tuple(asked))
    yes = [f for f, goes in zip(who, answers, strict=True) if goes]
    return tuple([f.name for f in sorted(yes, key=lambda f: (f.qr, -f.profile.initiative.score))])


# --- actions ------------------------------------------------------------------------------------------------------------------


def declare(rules: Ruleset, fight: Fight, name: str, action: Action) -> Play[Fight]:
    """A person sets about something: the action is paid for, and people who can come before it are asked."""
    result = spend_action(fight.fighter(name), action)
    fight = fight.put(result if result.acted or ACTIONS[action.kind].free else replace(result, acted=True))
    deed = Deed(name, action)
    if not ACTIONS[action.kind].silent and any(f.waiting for f in fight.fighters):
        deed = replace(deed, granted=(yield from granted(rules, fight, deed, ahead_of(rules, fight, deed))))
        if deed.granted:
            return replace(fight, deeds=(*fight.deeds, deed))
    return (yield from resolve(rules, fight, deed))


def resolve(rules: Ruleset, fight: Fight, deed: Deed) -> Play[Fight]:
    """Carries out an action that was begun, if it still can be; people who may act right after it are asked next."""
    kind = ACTIONS[deed.action.kind]
    if not still_possible(rules, fight, deed.who, deed.action):
        yield from happened(fight, deed.who, "can no longer carry out the action")
        return fight
    if not kind.silent:
        fight = yield from look_on(rules, fight, deed.who, deed.action.target, kind.hostile)
        if not still_possible(rules, fight, deed.who, deed.action):
            yield from happened(fight, deed.who, "can no longer carry out the action")
            return fight
    before, fight = fight, (yield from do(rules, fight, deed.who, deed.action))
    for fighter in fight.fighters:
        if fighter.gives_up and fighter.given_up and not before.fighter(fighter.name).given_up:
            yield from happened(fight, fighter.name, f"gives up at wound level {fighter.body.wounds}", "bad")
    if kind.silent:
        return fight
    deed = replace(deed, stage="done")
    return replace(fight, deeds=(*fight.deeds, deed)) if any(could_answer(fight, f, deed) for f in fight.fighters if f.waiting) else fight


def carry_on(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Whatever was interrupted goes on once nobody is left who interrupts it."""
    while fight.deeds and fight.deeds[-1].stage != "done" and not fight.deeds[-1].granted:
        top = fight.deeds[-1]
        fight = replace(fight, deeds=fight.deeds[:-1])
        if top.stage == "before":
            fight = yield from resolve(rules, fight, top)
    return fight


def interruption(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """The innermost action: people who may act upon it are asked once it is done, and act one after another."""
    if fight.deeds[-1].stage == "done":
        top = replace(fight.deeds[-1], stage="after")
        who = yield from after_it(rules, fight, top)
        top = replace(top, granted=(yield from granted(rules, fight, top, who)))
        fight = replace(fight, deeds=(*fight.deeds[:-1], top))
    else:
        fight = yield from interrupt(rules, fight)
    return (yield from carry_on(rules, fight))


def interrupt(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """The next of people who act upon the innermost action: a roll for bonus actions the first time in a round, then one action.

    Others may interrupt that action in turn.
    """
    top = fight.deeds[-1]
    name = top.granted[0]
    if can_react(fight, fight.fighter(name)):
        fight, able = yield from rouse(rules, fight, name)
        if able and has_action(fight.fighter(name)) and may_try(rules, fight.fighter(name)):
            about = Asked(fight, name, rules, actor=top.who)
            secret = fight.aware_of(name) is not None
            kind = yield from Choice(name, "Do you try for bonus actions?", BONUS, about, "bonus", secret=secret)
            if kind:
                return (yield from try_bonus(rules, fight, name, kind))
    answered = (*top.answered, name) if top.stage == "after" else top.answered  # who came before it may go on right after it
    top = replace(top, granted=top.granted[1:], answered=answered)
    fight = replace(fight, deeds=(*fight.deeds[:-1], top))
    return (yield from one_action(rules, fight, name, top.who))


def one_action(rules: Ruleset, fight: Fight, name: str, upon: str) -> Play[Fight]:
    """One action of a person who waited."""
    result = fight.fighter(name)
    if not can_react(fight, result) or not has_action(result):
        return fight
    fight = fight.put(replace(result, engaged=upon))
    action = yield from choose_action(rules, fight, name, f"You have one action in response to {upon}. What do you do?", reacting=True)
    if action.kind == "hold":
        return fight
    return (yield from declare(rules, fight, name, action))


# --- what comes before anything else in a turn --------------------------------------------------------------------------------


def may_try(rules: Ruleset, fighter: Fighter) -> bool:
    """Whether a person may roll for bonus actions: once a round, and not after a failed initiative roll."""
    return rules.on("bonus-actions") and not fighter.tried and fighter.qr <= BARELY


BONUS = (Option("none", "No", ""), *[Option(kind, row.label.capitalize(), kind, row.attribute) for kind, row in KINDS.items()])
"""The kinds of bonus actions, and none."""


def try_bonus(rules: Ruleset, fight: Fight, name: str, kind: str) -> Play[Fight]:
    """The roll for bonus actions; a botch costs one of the ordinary ones."""
    result = fight.fighter(name)
    attribute = result.profile.attribute(KINDS[kind].attribute)
    task = bonus_task(rules, result.profile, result.body, result.weapon, kind)
    won = yield from roll_bonus(rules, attribute, task, name, kind, secret=fight.aware_of(name) is not None)
    yield from attempted(fight, name, won.told(kind), of=((name, weighed(rules, task)),))
    if won.actions < 0:
        return fight.put(replace(result, tried=True, acts=max(0, result.acts - 1)))
    return fight.put(replace(result, tried=True, bonus=kind if won.actions else "", bonuses=won.actions))


def rouse(rules: Ruleset, fight: Fight, name: str) -> Play[tuple[Fight, bool]]:
    """Grave wounds ask for willpower once a round before anything is done, and take an action.

    Returns whether they allow any effort; for the stunned that is the one to recover.
    """
    result = fight.fighter(name)
    if result.roused or result.body.wounds < INCAPACITATED:
        return fight, True
    willed = yield from pull_together(rules, result.body)
    fight = fight.put(replace(result, roused=True, acts=max(0, result.acts - willed.lost))).harm(name, willed.patient)
    if not willed.able:
        fight = fight.change(name, acts=0, bonuses=0)
    return fight, willed.overcame if result.body.stunned else willed.able
