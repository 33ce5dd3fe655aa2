"""Rounds: initiative, focus from worst to best, turns from best to worst (book lines 2929-2968, 2998-3018)."""

from typing import Literal

from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Choice, Event, Option, Play, Roll, Tell, Together
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Reason
from rulewright.systems.foresight.combat.events import Asked, attempted, happened
from rulewright.systems.foresight.combat.fighters import UNUSED, Fight, Fighter
from rulewright.systems.foresight.combat.moves import lose_balance
from rulewright.systems.foresight.combat.pins import begin_holding, choke, fall_down, footing, let_slip
from rulewright.systems.foresight.fight.actions.registry import choose_action
from rulewright.systems.foresight.fight.bonus_actions import KINDS
from rulewright.systems.foresight.fight.wait_actions import carry_on, comes_after, declare, has_action, may_try, rouse, try_bonus
from rulewright.systems.foresight.harm.body import CRITICAL, condition
from rulewright.systems.foresight.harm.damage import come_to, recover_from_stun
from rulewright.systems.foresight.resolution.situations import AWARENESS
from rulewright.systems.foresight.resolution.tests import BARELY, BOTCH, FAILURE, Mod, Quality, Task, Weighed, attempt, reading, weighed

NOTHING = ""


# --- the rules in numbers -----------------------------------------------------------------------------------------------------


@rule("fs-combat-rounds")
def actions_by_initiative(rules: Ruleset, qr: int = 3) -> int:
    """Two actions a turn, one after a failed initiative roll, none after a botch."""
    if qr == BOTCH:
        return 0
    return 1 if qr == FAILURE else 2


@rule("fs-combat-rounds")
def turn_order(rules: Ruleset, ratings: tuple[int, ...] = (3, 4), scores: tuple[float, ...] = (10, 10)) -> tuple[int, ...]:
    """A person who acts when, as places in the list: best rating first, ties by the higher Initiative score, then as listed (ruling).

    Focus is declared in the opposite order.
    """
    if len(ratings) != len(scores):
        raise UserError(f"{len(ratings)} ratings need as many scores, not {len(scores)}")
    return tuple(sorted(range(len(ratings)), key=lambda at: (ratings[at], -scores[at], at)))


@rule("fs-combat-rounds")
def allowed(
    rules: Ruleset, qr: int = 3, stunned: bool = False
) -> Literal["two actions", "one action", "recover from stun", "nothing or drop"]:
    """The limits of a turn: a botch at initiative freezes or drops a person, stunned or not; the stunned may only try to recover."""
    if stunned and qr != BOTCH:
        return "recover from stun"
    return {0: "nothing or drop", 1: "one action"}.get(actions_by_initiative(rules, qr), "two actions")  # type: ignore[return-value]


# --- initiative and focus -----------------------------------------------------------------------------------------------------


class InitiativeRolled(Event, frozen=True):
    """Everybody's place in the round. What those roll who are unknown to a person is told apart."""

    round: int
    order: tuple[tuple[str, int], ...]
    of: tuple[Weighed, ...] = ()
    hidden: bool = False
    """Whether others act as well, unknown to some."""

    def headline(self) -> str:
        said = ", ".join([f"{name} QR{qr}" for name, qr in self.order])
        if self.known_to is not None:
            return f"Initiative: {said}"
        return f"Round {self.round}" if self.hidden and not said else f"Round {self.round}. Initiative: {said or 'nobody acts'}"

    def reasons(self) -> tuple[Reason, ...]:
        rolled = zip(self.order, self.of, strict=True)
        return tuple([replace(of.why().reason, label=f"{name}: success chance") for (name, _), of in rolled])


@cached(20_000)
def initiative_task(rules: Ruleset, fighter: Fighter) -> Task:
    """Initiative with awareness of the situation, stun and everything that weighs on the body."""
    stun = AWARENESS.of(rules, "stunned") if fighter.body.stunned else 0
    mods = (Mod("awareness", fighter.awareness, "fs-initiative-modifiers"), Mod("stunned", stun, "fs-initiative-modifiers"))
    return fighter.profile.initiative.plus(*mods, *condition(rules, fighter.body))


def begin_round(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Everybody rolls Initiative, and the order of the round stands; focus is declared next."""
    awoken: tuple[str, ...] = ()
    if fight.round:
        fight = yield from choke(rules, fight, rules.number("round-seconds"))
        fight, awoken = yield from awaken(rules, fight)
    rolling = [fighter for fighter in fight.fighters if not fighter.out]
    rolls = [Roll(reading(rules, initiative_task(rules, f)), f.name, "initiative", fight.aware_of(f.name) is not None) for f in rolling]
    qualities: tuple[Quality, ...] = yield Together(tuple(rolls))
    ratings = tuple([rolled.qr for rolled in qualities])
    for fighter, qr in zip(rolling, ratings, strict=True):
        fight = fight.put(refreshed(rules, fighter, qr))
    for name in awoken:
        fight = fight.put(after_waking(rules, fight.fighter(name)))
    of = {f.name: weighed(rules, initiative_task(rules, f)) for f in rolling}
    places = turn_order(rules, ratings, tuple([fighter.profile.initiative.score for fighter in rolling]))
    order = tuple([rolling[place].name for place in places])
    fight = replace(fight, round=fight.round + 1, order=order, declaring=True, turn="", deeds=())
    for event in _told(fight, {f.name: qr for f, qr in zip(rolling, ratings, strict=True)}, of):
        yield from Tell(event)
    return fight


def awaken(rules: Ruleset, fight: Fight) -> Play[tuple[Fight, tuple[str, ...]]]:
    """At the start of a round, people unconscious from a critical wound may come to: which do."""
    awoken = []
    for fighter in fight.fighters:
        if fighter.senseless:
            body = yield from come_to(rules, fighter.body)
            if not body.unconscious:
                awoken.append(fighter.name)
                fight = fight.harm(fighter.name, body)
    return fight, tuple(awoken)


def after_waking(rules: Ruleset, fighter: Fighter) -> Fighter:
    """A person who has just come to has made this round's willpower roll and loses the action that it costs."""
    return replace(fighter, roused=True, acts=max(0, fighter.acts - rules.on("critical-loses-action")))


def declare_all(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Focus is declared from the worst rating to the best, each hearing those before."""
    for name in reversed(fight.order):
        fight = yield from declare_focus(rules, fight, name)
    return replace(fight, declaring=False)


def refreshed(rules: Ruleset, fighter: Fighter, qr: int) -> Fighter:
    """A person at the beginning of a round; who waits keeps the old rating until the next turn."""
    old = fighter.qr if fighter.waiting else qr
    dazed = fighter.body.stunned or (old == BOTCH and not fighter.waiting)
    return replace(
        fighter,
        qr=old,
        rolled=qr if fighter.waiting else 0,
        acts=actions_by_initiative(rules, old),
        bonus="",
        bonuses=0,
        tried=False,
        roused=False,
        sighted=False,
        engaged="",
        focus="" if dazed else fighter.focus,
        dodges=0,
        parries=0,
        sudden=False,
        attacks=(0,) * len(fighter.attacks),
        last_used=UNUSED,
        acted=False,
    )


def _told(fight: Fight, ratings: dict[str, int], of: dict[str, Weighed]) -> list[InitiativeRolled]:
    """The order of the round, for everybody; and apart, for people who know of them, the ratings of the unseen."""
    known = {name: fight.aware_of(name) for name in fight.order}
    open_to_all = [(name, ratings[name]) for name, knowing in known.items() if knowing is None]
    told = [InitiativeRolled(fight.round, tuple(open_to_all), tuple([of[name] for name, _ in open_to_all]), hidden=fight.hiding)]
    for name, knowing in known.items():
        if knowing is not None:
            told.append(InitiativeRolled(fight.round, ((name, ratings[name]),), (of[name],), known_to=knowing))
    return told


def declare_focus(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """A person says where the attention goes: a person, an area, or nowhere in particular."""
    result = fight.fighter(name)
    if not result.able or result.frozen:
        return fight
    options = focus_options(fight, result)
    secret = fight.aware_of(name) is not None
    focus: str = yield Choice(name, "What do you focus on?", options, Asked(fight, name, rules), "focus", secret=secret)
    if focus == result.focus:
        return fight
    yield from happened(fight, name, f"watches {focus.removeprefix('area:')}" if focus else "watches nothing in particular")
    return fight.put(replace(result, focus=focus))


def focus_options(fight: Fight, fighter: Fighter) -> tuple[Option[str], ...]:
    """Enemies, areas, friends, and nothing at all."""
    foes = [f.name for f in fight.enemies(fighter)]
    friends = [
        f.name
        for f in fight.fighters
        if f.side == fighter.side and f.name != fighter.name and not f.out and f.name not in fighter.unaware_of
    ]
    return _focus_options(tuple(foes), tuple([area.name for area in fight.ground.areas]), tuple(friends))


@cached(4096)
def _focus_options(foes: tuple[str, ...], areas: tuple[str, ...], friends: tuple[str, ...]) -> tuple[Option[str], ...]:
    options = [Option(name, name, name) for name in foes]
    options += [Option(f"area:{name}", name, f"area:{name}") for name in areas]
    options += [Option(name, f"{name}, a friend", name) for name in friends]
    return (*options, Option("nothing", "Nothing in particular", NOTHING))


# --- a turn -------------------------------------------------------------------------------------------------------------------


def begin_turn(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """The next in order: a rating rolled while waiting comes into force, wounds and grips are seen to, then it is act or wait."""
    name = fight.order[0]
    fight = replace(fight, order=fight.order[1:])
    result = fight.fighter(name)
    if result.out:
        return fight
    result = begin_holding(replace(rated(rules, result), motion=""))
    fight = fight.put(result)
    if result.body.wounds == CRITICAL:  # whatever else holds them back, they roll to stay conscious
        fight, _ = yield from rouse(rules, fight, name)
        if fight.fighter(name).body.unconscious:
            return (yield from end_turn(fight, name))
    if result.qr == BOTCH:  # a frozen character has not even the effort to recover from stun
        fight = yield from frozen_turn(rules, fight, name)
        return (yield from end_turn(fight, name))
    if result.body.stunned:
        fight = yield from stunned_turn(rules, fight, name)
        return (yield from end_turn(fight, name))
    if any(pin.grip == "restrained" for pin in fight.pinned(name)):
        yield from happened(fight, name, "is restrained")
        return (yield from end_turn(fight, name))
    fight, able = yield from rouse(rules, fight, name)
    if able and rules.on("close-quarters-footing"):
        fight = yield from keep_feet(rules, fight, name)
    if not able or not fight.fighter(name).able:
        return (yield from end_turn(fight, name))
    return (yield from act_or_wait(rules, fight, name))


def rated(rules: Ruleset, fighter: Fighter) -> Fighter:
    """A person whose new rating counts from now on."""
    if not fighter.rolled:
        return fighter
    more = actions_by_initiative(rules, fighter.rolled) - actions_by_initiative(rules, fighter.qr)
    return replace(
        fighter, qr=fighter.rolled, rolled=0, acts=max(0, fighter.acts + more), waiting=fighter.waiting and fighter.rolled != BOTCH
    )


def act_or_wait(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """The first question of a turn: act, with or without a roll for bonus actions, or wait."""
    result = fight.fighter(name)
    if not has_action(result):
        return (yield from end_turn(fight, name))
    options = turn_options(may_try(rules, result), result.waiting)
    secret = fight.aware_of(name) is not None
    chosen: str = yield Choice(name, "It is your turn. Do you act or wait?", options, Asked(fight, name, rules), "turn", secret=secret)
    if chosen == "wait":
        return (yield from start_waiting(rules, fight, name))
    if result.waiting:
        yield from happened(fight, name, "waits no longer")
    fight = fight.change(name, waiting=False)
    if chosen:
        fight = yield from try_bonus(rules, fight, name, chosen)
        if not has_action(fight.fighter(name)):
            return (yield from end_turn(fight, name))
    return replace(fight, turn=name)


@cached(8)
def turn_options(bonus: bool, waiting: bool) -> tuple[Option[str], ...]:
    """Act, wait, or try for a kind of bonus actions."""
    options = [Option("act", "Act", ""), Option("wait", "Keep waiting" if waiting else "Wait", "wait")]
    if bonus:
        options += [Option(f"bonus:{kind}", f"Try for bonus actions: {row.label}", kind, row.attribute) for kind, row in KINDS.items()]
    return tuple(options)


def start_waiting(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """A person waits from now on; what is left of the turn is kept for the moment that comes."""
    result = fight.fighter(name)
    if not result.waiting:
        yield from happened(fight, name, f"waits, watching {result.focus.removeprefix('area:') or 'nothing in particular'}")
        result = replace(result, acted=comes_after(rules, result.acted))
    return (yield from end_turn(fight.put(replace(result, waiting=True)), name))


def go_on(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """One more action of the turn under way."""
    name = fight.turn
    result = fight.fighter(name)
    if not result.able or not has_action(result):
        return (yield from end_turn(fight, name))
    action = yield from choose_action(rules, fight, name, "What do you do?")
    if action.kind == "wait":
        return (yield from start_waiting(rules, fight, name))
    if action.kind == "done":
        return (yield from end_turn(fight, name))
    fight = yield from declare(rules, fight, name, action)
    fight = yield from carry_on(rules, fight)
    return (yield from settle(fight))


def settle(fight: Fight) -> Play[Fight]:
    """A turn with nothing left in it is over once nothing is being done any more."""
    if not fight.turn or fight.deeds:
        return fight
    result = fight.fighter(fight.turn)
    return fight if result.able and has_action(result) else (yield from end_turn(fight, fight.turn))


def end_turn(fight: Fight, name: str) -> Play[Fight]:
    """A turn is over: pins that were not kept up are lost, and people who answered to it may finish their own."""
    fight = replace(fight, turn="")
    result = fight.fighter(name)
    if result.acted and not result.waiting:
        fight = fight.put(replace(result, acted=False))
    fight = yield from let_slip(fight, name)
    engaged = [f for f in fight.fighters if f.engaged == name]
    for fighter in engaged:
        fight = fight.change(fighter.name, engaged="")
    next_up = [f.name for f in engaged if f.waiting and f.able and has_action(f)]
    if next_up:
        fight = replace(fight, order=(*next_up, *[text for text in fight.order if text not in next_up]))
    return replace(fight, order=tuple([text for text in fight.order if not fight.fighter(text).out]))


_STUNNED: tuple[Option[str], ...] = (
    Option("recover", "Try to recover from stun", "recover"),
    Option("drop", "Drop prone", "drop"),
    Option("nothing", "Do nothing", ""),
)
_FROZEN: tuple[Option[str], ...] = (Option("nothing", "Do nothing", ""), Option("drop", "Fall prone", "drop"))


def stunned_turn(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """The stunned can try once to recover, or drop. At wound level 4 the effort asks for willpower first."""
    chosen: str = yield Choice(name, "You are stunned. What do you do?", _STUNNED, Asked(fight, name, rules), "stunned")
    if chosen == "recover":
        fight, able = yield from rouse(rules, fight, name)
        if not able:
            return fight
        body = yield from recover_from_stun(rules, fight.fighter(name).body)
        return fight.harm(name, body)
    return (yield from lie_down(rules, fight, name)) if chosen == "drop" else fight


def frozen_turn(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """After a botched initiative roll one freezes, or falls prone."""
    if fight.fighter(name).flat:
        yield from happened(fight, name, "freezes", "bad")
        return fight
    chosen: str = yield Choice(name, "You freeze. What do you do?", _FROZEN, Asked(fight, name, rules), "frozen")
    if chosen == "drop":
        return (yield from lie_down(rules, fight, name))
    yield from happened(fight, name, "freezes", "bad")
    return fight


def lie_down(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """A person drops to the ground."""
    yield from happened(fight, name, "drops prone")
    return fight.put(replace(lose_balance(rules, fight.fighter(name)), stance="prone"))


@rule("fs-close-quarters-pins")
def keep_feet(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """At close quarters with an enemy the gamemaster may ask for agility to stay on one's feet."""
    result = fight.fighter(name)
    if result.flat or not any(result.at(foe) == "close" for foe in fight.enemies(result)):
        return fight
    task = footing(rules, result)
    rolled = yield from attempt(rules, task, name, "staying on the feet")
    said = "stays on their feet" if rolled.qr <= BARELY else "loses their footing"
    yield from attempted(fight, name, f"{said} (QR{rolled.qr})", of=((name, weighed(rules, task)),))
    return fight if rolled.qr <= BARELY else (yield from fall_down(rules, fight, name))
