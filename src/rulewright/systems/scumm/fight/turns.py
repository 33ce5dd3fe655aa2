"""Rounds, initiative and turns (book lines 45, 348-370)."""

from typing import Literal, NamedTuple

from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.errors import UserError
from rulewright.grammar import labelled
from rulewright.play import Choice, Event, Option, Play, Range, Roll, Tell, Together, sub
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Reason
from rulewright.systems.scumm.action.movement import Mode, Movement, movement_modifiers
from rulewright.systems.scumm.combat.attack_setup import Situation, emergency_dice_for_all, happened
from rulewright.systems.scumm.combat.close_combat import grapple_turn
from rulewright.systems.scumm.combat.fighters import Action, Fight, Fighter, Moment, UnderWay, one_of
from rulewright.systems.scumm.fight.actions.aid import treat, treatable
from rulewright.systems.scumm.fight.actions.attacks import aim
from rulewright.systems.scumm.fight.actions.fire import ground_to_suppress
from rulewright.systems.scumm.fight.actions.item_handling import SIMPLE, counts_as
from rulewright.systems.scumm.fight.actions.readied import interrupts
from rulewright.systems.scumm.fight.actions.registry import ACTIONS, action_options, do, still_simple
from rulewright.systems.scumm.fight.moves import Moved, move
from rulewright.systems.scumm.harm.body import OPEN_ENDED, Patient
from rulewright.systems.scumm.harm.damage import stay_out
from rulewright.systems.scumm.people.characters import combat_sense_pool
from rulewright.systems.scumm.resolution.tests import Mod, Pool, reading, rolled_total

EXTRA_ACTIONS = 3
"""The most extra actions that are offered where the campaign plays with multiple actions."""


# --- the rules in numbers -----------------------------------------------------------------------------------------------------


@rule("scumm-initiative")
def actions_by_initiative(total: int = 1, fumble: bool = False) -> int:
    """One action a round, two for a total of 7 or more, none for a fumble."""
    if total < 0:
        raise UserError(f"the total of a test is 0 or more, not {total}")
    return 0 if fumble else 2 if total >= 7 else 1


@cached(1_000)
@rule("scumm-actions-per-round")
def actions_in_turn(rules: Ruleset, movement: Movement = "normal", by_initiative: int = 1, extra: int = 0) -> int:
    """A movement mode and one action, two after a very good initiative, more where they were declared; none in a sprint."""
    if movement_modifiers(rules, movement).action is None:
        return 0
    return by_initiative + extra


@rule("scumm-initiative")
def may_still(rules: Ruleset, long_action: bool = False) -> tuple[Literal["duck", "nothing", "go on"], ...]:
    """The choices after fumbled initiative: duck, or go on with what was begun before and takes longer (ruling "fumbled-initiative")."""
    if rules.word("fumbled-initiative") == "nothing":
        return ("nothing",)
    return ("duck", "nothing", "go on") if long_action else ("duck", "nothing")


# --- initiative ---------------------------------------------------------------------------------------------------------------


class InitiativeRolled(Event, frozen=True):
    """Everybody's place in the round. What the hidden rolled is told apart, to people who may know."""

    round: int
    order: tuple[tuple[str, int, bool], ...]
    pools: tuple[Pool, ...] = ()

    def headline(self) -> str:
        said = ", ".join(labelled(name, f"{total} (fumble)" if fumbled else total) for name, total, fumbled in self.order)
        return f"Round {self.round}. Initiative: {said or 'nobody acts'}"

    def reasons(self) -> tuple[Reason, ...]:
        rolled = zip(self.order, self.pools, strict=False)
        return tuple(
            [rolled_total(name, pool, Total(total, fumbled), "scumm-initiative").reason for (name, total, fumbled), pool in rolled]
        )


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


def begin_round(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Everybody able rolls Combat Sense: the highest acts first, ties act at once, and people who hold an action may go on holding it."""
    holding = (yield from _keep_holding(rules, fight)) if _anybody_ready(fight) else NOBODY
    lurking = fight.round == 0 or _still_lurking(fight)
    fighters, rolling, dice = list(fight.fighters), [], NO_DICE
    asked = False
    for at, fighter in enumerate(fighters):
        if not fighter.body.able:
            continue
        if fighter.profile.name in holding or (fighter.unwary and lurking):
            fighters[at] = _waiting(fighter, lurking)
        else:
            rolling.append(at)
            asked = asked or fighter.body.emergency_dice > 0
    if asked:
        senses = {fighters[at].name: fighters[at].profile.combat_sense for at in rolling}
        fight, dice = yield from emergency_dice_for_all(rules, fight, senses, "initiative")
        for at in rolling:
            fighters[at] = fight.fighters[at]
    rolls, pools = [], {}
    for at in rolling:
        fighter = fighters[at]
        name = fighter.profile.name
        pools[name], rolled = _rolling(
            rules, name, fighter.profile.combat_sense, fighter.body, fighter.initiative_modifier, fighter.hidden, dice.get(name, 0)
        )
        rolls.append(rolled)
    totals = yield from _initiatives(tuple(rolls))
    ranks: dict[int, list[Fighter]] = {}
    for at, result in zip(rolling, totals, strict=True):
        fighter = fighters[at] = refreshed(fighters[at], result.total, result.fumble, lurking)
        ranks.setdefault(result.total, []).append(fighter)
    order = [ranks[total] for total in sorted(ranks, reverse=True)]
    queue = tuple([tuple([fighter.profile.name for fighter in group]) for group in order])
    fight = replace(fight, round=fight.round + 1, fighters=tuple(fighters), zones=(), frozen=(), queue=queue)
    for event in _told_order(fight, [fighter for group in order for fighter in group], pools):
        yield Tell(event)
    return fight


MOST_REMEMBERED = 4
"""Up to so many people's initiative is a part with odds of its own; that of more has too many outcomes to remember."""


class Initiatives(NamedTuple):
    """What everybody's initiative came to."""

    totals: tuple[Total, ...]


def roll_for_initiative(rolls: tuple[Roll[Total], ...]) -> Play[Initiatives]:
    """Everybody rolls at once."""
    return Initiatives((yield from Together(rolls)))


def _initiatives(rolls: tuple[Roll[Total], ...]) -> Play[tuple[Total, ...]]:
    if len(rolls) > MOST_REMEMBERED:
        return (yield from Together(rolls))
    return (yield from sub(roll_for_initiative, rolls)).totals


def ranked(rolled: Initiatives) -> Initiatives:
    """The lowest totals that give the same order, the same actions and the same fumbles."""
    numbers = sorted({total.total for total in rolled.totals})
    slow = [total for total in numbers if actions_by_initiative(total) == 1]
    lowest = {total: rank for rank, total in enumerate(slow)}
    lowest |= {total: 7 + rank for rank, total in enumerate(numbers[len(slow) :])}
    return Initiatives(tuple([Total(lowest[total.total], total.fumble) for total in rolled.totals]))


@cached(50_000)
def _rolling(
    rules: Ruleset, name: str, combat_sense: int, body: Patient, modifier: int, hidden: bool, dice: int
) -> tuple[Pool, Roll[Total]]:
    """A roll for initiative, made once for everybody who comes again as they were."""
    pool = replace(initiative_pool(rules, combat_sense, body, modifier), emergency=dice)
    return pool, Roll(reading(rules, pool), name, "initiative", hidden)


def rolled_for_initiative(rules: Ruleset, fighter: Fighter) -> Roll[Total]:
    """The roll of a person who spends no Emergency Dice on it."""
    return _rolling(
        rules, fighter.profile.name, fighter.profile.combat_sense, fighter.body, fighter.initiative_modifier, fighter.hidden, 0
    )[1]


def _told_order(fight: Fight, acting: list[Fighter], pools: dict[str, Pool]) -> list[InitiativeRolled]:
    """A person who acts when, and why; what the hidden rolled goes to their own side alone. Where only they act the others hear nothing:
    that
    nobody acts would give the ambush away. Where walls hide people, who rolled what is told to people who see them."""
    if fight.map.walls or fight.changes.clouds:
        groups: dict[tuple[str, ...], list[Fighter]] = {}
        for fighter in acting:
            groups.setdefault(fight.witnesses(fighter.name), []).append(fighter)
        return [
            InitiativeRolled(fight.round, _places(group), tuple([pools[f.profile.name] for f in group]), known_to=known)
            for known, group in groups.items()
        ]
    unseen = [f for f in acting if f.hidden]
    seen = [f for f in acting if not f.hidden] if unseen else acting
    told = [InitiativeRolled(fight.round, _places(seen), tuple([pools[f.profile.name] for f in seen]))] if seen or not unseen else []
    if unseen:
        because = tuple([pools[f.profile.name] for f in unseen])
        told.append(InitiativeRolled(fight.round, _places(unseen), because, known_to=fight.mates(unseen[0].name)))
    return told


def _places(acting: list[Fighter]) -> tuple[tuple[str, int, bool], ...]:
    return tuple([(f.profile.name, f.initiative, f.fumbled) for f in acting])


NOBODY: frozenset[str] = frozenset()
NO_DICE: dict[str, int] = {}


@cached(50_000)
def refreshed(fighter: Fighter, total: int, fumbled: bool, lurking: bool) -> Fighter:
    """A person with a place in the new round, and without what the last one left."""
    return one_of(
        replace(
            fighter,
            initiative=total,
            acts=actions_by_initiative(total, fumbled),
            fumbled=fumbled,
            initiative_modifier=0,
            attacked_by=(),
            free_strikes=0,
            pinned=False,
            ready=None,
            unwary=False,
            hidden=fighter.hidden and lurking,
            shot_at=(),
            sprayed=(),
        )
    )


def _waiting(fighter: Fighter, lurking: bool) -> Fighter:
    """A person who will not act of their own accord in the new round: unwary, or holding an action, which stays hidden."""
    ready = replace(fighter.ready, extra=0) if fighter.ready is not None else None
    changed = refreshed(fighter, 0, False, True)
    return replace(
        changed,
        acts=0,
        ready=ready,
        unwary=fighter.unwary and lurking,
        mode=settled(fighter.mode),
        initiative_modifier=fighter.initiative_modifier,
    )


def settled(mode: Mode) -> Mode:
    """How one stands or lies when a movement is over."""
    return "prone" if mode in ("prone", "crawling") else "normal"


_STAY_READY: tuple[Option[bool], ...] = (
    Option("hold", "Keep the readied action", True),
    Option("drop", "Give up the readied action and roll initiative", False),
)


def _keep_holding(rules: Ruleset, fight: Fight) -> Play[frozenset[str]]:
    """Those whose held action has not come up decide whether to go on waiting."""
    waiting = [f.profile.name for f in fight.fighters if f.ready is not None and f.body.able]
    asked = "Your readied action was not triggered. Do you keep it?"
    answers = yield from Together(
        tuple(
            [Choice(name, asked, _STAY_READY, Situation(fight, name, rules), "stay ready", fight.fighter(name).hidden) for name in waiting]
        )
    )
    return frozenset([name for name, stays in zip(waiting, answers, strict=True) if stays])


def _still_lurking(fight: Fight) -> bool:
    """Whether the ambush is still to be sprung: nobody who lies in wait has shown himself."""
    lurkers = [f for f in fight.fighters if f.profile.side == fight.ground.ambush and f.body.able] if fight.ground.ambush else []
    return bool(lurkers) and all(f.hidden for f in lurkers)


# --- a turn -------------------------------------------------------------------------------------------------------------------


def next_turn(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """The next in the queue begins to act. Those of one group act at the same time: what befalls one does not hinder the others.

    Wounds, a lost weapon and a grip count only afterwards; being pushed or tripped counts at once (ruling).
    """
    group, rest = fight.queue[0], fight.queue[1:]
    if len(group) == 1:
        return begin_turn(rules, replace(fight, queue=rest), group[0])
    frozen = fight.frozen
    if not frozen:
        frozen = moments_of([fight.fighter(name) for name in group])
    return begin_turn(rules, replace(fight, frozen=frozen, queue=(group[1:], *rest)), group[0])


def moments_of(acting: list[Fighter]) -> tuple[Moment, ...]:
    """Returns the states that people act with who act at the same time."""
    return tuple([Moment(fighter.profile.name, fighter.body, fighter.in_hand, fighter.grappling) for fighter in acting])


def begin_turn(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """A turn from its beginning: a grapple, confusion, or extra actions declared, a move, and the first action."""
    fighter, moment = fight.fighter(name), fight.moment(name)
    if not fight.acting_body(fighter).able:
        return end_turn(fight)
    if moment is not None and moment.body is not fighter.body:
        yield from happened(fight, name, "acts at the same moment, not yet hindered by what has just happened")
    if fighter.mode not in ("normal", "prone"):
        fighter = replace(fighter, mode=settled(fighter.mode))
        fight = fight.put(fighter)
    flag = fighter.grappling != "" and moment is not None and moment.grappling == ""
    # 370: after a fumble one may only duck or go on
    if fighter.fumbled and (flag or not fighter.grappling or rules.word("fumbled-initiative") == "nothing"):
        fight = yield from confused_turn(rules, fight, name)
        return end_turn(fight)
    if fighter.grappling and not flag:  # a grapple is a long action: a person who fumbled initiative may go on with it
        return (yield from _wrestling(rules, fight, name))
    if moment is not None and moment.in_hand != fighter.in_hand and fighter.gone[moment.in_hand]:
        fight = fight.put(replace(fighter, in_hand=moment.in_hand))  # lost in this very moment, and still used in it
    extra = (yield from declare_extra_actions(rules, fight, name)) if rules.on("multiple-actions") else 0
    moved = NOT_MOVED
    if not flag:
        fight, moved = yield from move(rules, fight, name)
        fighter = fight.fighter(name)
        if not fight.acting_body(fighter).able:
            return end_turn(fight)
        if fighter.grappling:
            return (yield from _wrestling(rules, fight, name))
    actions = actions_in_turn(rules, fighter.mode, fighter.acts, extra)
    if not actions:
        return end_turn(fight)
    turn = UnderWay(name, actions, extra, not moved.simple, metres=moved.left, steady=not moved.moved, held=flag)
    return (yield from go_on(rules, fight, turn))


NOT_MOVED = Moved(False, False, 0.0)


def _wrestling(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """A grappler's turn; a person who comes free by it may still use a second action."""
    fight = yield from grapple_turn(rules, fight, name)
    fighter = fight.fighter(name)
    if fighter.acts < 2 or fighter.grappling or not fighter.body.able:
        return end_turn(fight)
    return (yield from go_on(rules, fight, UnderWay(name, fighter.acts - 1, steady=False)))


def go_on(rules: Ruleset, fight: Fight, turn: UnderWay) -> Play[Fight]:
    """One more action of the turn under way. The first simple action takes none of those there are, now or at the end of the turn."""
    name = turn.name
    fighter = fight.fighter(name)
    if not fight.acting_body(fighter).able or (fighter.grappling and not turn.held):
        return (yield from close_turn(rules, fight, turn))
    options = action_options(rules, fight, fighter, turn)
    about = Situation(fight, name, rules)
    where = None if fight.bare else ground_to_suppress(fight, fighter, turn)
    chosen: Action = yield Choice(name, "What do you do?", options, about, "act", fighter.hidden, where)
    if chosen.kind == "pass":
        return (yield from close_turn(rules, fight, turn))
    if not turn.noticed and _anybody_ready(fight):
        before = fight
        fight = yield from interrupts(rules, fight, name, "acts")
        if fight is not before and not _still_allowed(rules, fight, turn, chosen):
            return replace(fight, turn=replace(turn, noticed=True))  # asked again, in their current state now
    return (yield from act(rules, fight, turn, chosen))


def _still_allowed(rules: Ruleset, fight: Fight, turn: UnderWay, chosen: Action) -> bool:
    """Whether an action can still be done after a person acted first."""
    fighter = fight.fighter(turn.name)
    if not fight.acting_body(fighter).able or (fighter.grappling and not turn.held):
        return False
    if chosen.target.startswith("@"):
        return ground_to_suppress(fight, fighter, turn) is not None
    return any(option.value == chosen for option in action_options(rules, fight, fighter, turn))


def act(rules: Ruleset, fight: Fight, turn: UnderWay, chosen: Action) -> Play[Fight]:
    """Take an action: what it costs, what it does, and what is left of the turn."""
    kind, doing = chosen.kind, ACTIONS[chosen.kind]
    if counts_as(kind, 0 if turn.simple_left else 1) == "simple":
        steady = turn.steady and (chosen.after or not doing.in_motion)
        turn = replace(turn, simple_left=False, steady=steady, noticed=True)
    else:
        extra = turn.extra + 1 if doing.simple else turn.extra  # a second simple action is an extra one, with its penalty
        turn = replace(turn, actions=turn.actions - 1, extra=extra, steady=False, noticed=True)
    if chosen.after:
        return replace(fight, turn=replace(turn, after=chosen))
    goes_on = turn.actions > 0 and not doing.all_round
    if goes_on or kind == "hit":  # a shove may be followed up, and uses metres of the turn
        fight = replace(fight, turn=turn)
    fight = yield from do(rules, fight, turn.name, chosen, turn.extra)
    if goes_on:
        return fight
    return (yield from close_turn(rules, fight, turn)) if turn.after is not None else end_turn(fight)


def close_turn(rules: Ruleset, fight: Fight, turn: UnderWay) -> Play[Fight]:
    """Plays what was put off to the end of the turn, if it still can be done, and ends the turn."""
    fighter = fight.fighter(turn.name)
    after = turn.after
    free = fighter.body.able and not fighter.grappling
    if after is not None and free and still_simple(rules, fighter, replace(after, after=False)):
        fight = yield from SIMPLE[after.kind].do(rules, fight, turn.name, after, 0)
    return end_turn(fight)


def end_turn(fight: Fight) -> Fight:
    """The turn is over, and so is the moment of people who acted together once all of them have; a person who is out of the fight is not
    waited for."""
    frozen, queue = fight.frozen, fight.queue
    gone = [fighter.profile.name for fighter in fight.fighters if not fighter.body.able]
    if not frozen and not gone:
        return fight if fight.turn is None else replace(fight, turn=None)
    if gone:
        acting = [moment.name for moment in frozen if moment.body.able]
        queue = tuple([left for group in queue if (left := tuple([name for name in group if name not in gone or name in acting]))])
    if frozen and not (queue and any(moment.name in queue[0] for moment in frozen)):
        fight, frozen = _moment_over(fight), ()
    return replace(fight, turn=None, queue=queue, frozen=frozen)


def _anybody_ready(fight: Fight) -> bool:
    for fighter in fight.fighters:  # noqa: SIM110 asked at every action, and a loop is twice as fast
        if fighter.ready is not None:
            return True
    return False


def _moment_over(fight: Fight) -> Fight:
    """Once a shared moment is over, what was lost in it is gone from the hand, and who is out of the fight holds no action."""
    for fighter in fight.fighters:
        if fighter.in_hand and fighter.gone[fighter.in_hand]:
            fight = fight.change(fighter.profile.name, in_hand=0)
        if fighter.ready is not None and not fighter.body.able:
            fight = fight.change(fighter.profile.name, ready=None)
    return fight


def settle_sleepers(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Roll for how long those will be out who were knocked out just now."""
    for fighter in fight.fighters:
        if fighter.body.unconscious == OPEN_ENDED:
            body = yield from stay_out(rules, fighter.body)
            fight = fight.put(replace(fighter, body=body))
    return fight


def declare_extra_actions(rules: Ruleset, fight: Fight, name: str) -> Play[int]:
    """Where the campaign plays with multiple actions they are declared before anything is rolled."""
    about = Situation(fight, name, rules)
    return (yield from Choice[int](name, "How many extra actions?", Range(0, EXTRA_ACTIONS), about, "extra actions"))


_CONFUSED: dict[str, Option[str]] = {
    "duck": Option("duck", "Duck", "duck"),
    "nothing": Option("nothing", "Do nothing", "nothing"),
    "go on": Option("keep aiming", "Keep aiming", "go on"),
}


_TREATING = Option("keep treating", "Keep treating", "go on")


@cached(64)
def _while_confused(what: tuple[str, ...], treats: bool) -> tuple[Option[str], ...]:
    return tuple([_TREATING if treats and text == "go on" else _CONFUSED[text] for text in what])


def confused_turn(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """After a fumbled initiative one may only duck, or go on with what was begun: aiming, or treating a person."""
    fighter = fight.fighter(name)
    treats = fighter.treating in treatable(fight, fighter)
    options = _while_confused(may_still(rules, long_action=treats or 0 < fighter.aim < 3), treats)
    if len(options) == 1:
        return fight
    chosen = yield from Choice(
        name, "You are confused. What do you do?", options, Situation(fight, name, rules), "confused", fight.fighter(name).hidden
    )
    if chosen == "duck":
        yield from happened(fight, name, "ducks")
        return fight.change(name, mode="prone", aim=0, aim_at="")
    if chosen == "go on" and treats:
        return (yield from treat(rules, fight, name, fighter.treating))
    if chosen == "go on":
        return (yield from aim(rules, fight, name, fighter.aim_at))
    return fight
