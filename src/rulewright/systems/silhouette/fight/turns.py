"""Rounds and turns of a fight: stances, orders, initiative and ambushes (book lines 1911-1998, 2179-2182, 6014-6045)."""

from msgspec.structs import replace

from rulewright.play import Choice, Happened, Option, Play, Stands, Tell, Together, sub
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.action.gravity import floats, footing_in
from rulewright.systems.silhouette.action.movement import DOWN, may_act
from rulewright.systems.silhouette.action.rounds import (
    Order,
    Ready,
    Sense,
    counts,
    initiative,
    may_still,
    refocused,
    simple_test,
    tie_order,
    when_set_off,
)
from rulewright.systems.silhouette.attacks.action_parts import resolve
from rulewright.systems.silhouette.attacks.close_attacks import harmed, strikers
from rulewright.systems.silhouette.attacks.emergency_dice import emergency_dice_for_all, spend_emergency_dice
from rulewright.systems.silhouette.attacks.facing import by_the_map, choose_facing
from rulewright.systems.silhouette.attacks.orders import give_command, open_round, pre_empted, use_points
from rulewright.systems.silhouette.attacks.skill_applications import toughen
from rulewright.systems.silhouette.attacks.special_effects import (
    all_mimicked,
    crisis_over,
    hurrahs_end,
    seize_the_moment,
    show_off,
    without_fallen,
)
from rulewright.systems.silhouette.combat.effects import after_the_fight
from rulewright.systems.silhouette.combat.events import happened, managed
from rulewright.systems.silhouette.combat.fighters import (
    Action,
    Closing,
    Deed,
    Fight,
    Fighter,
    Firing,
    Kind,
    Landing,
    Moment,
    Opening,
    Situation,
    UnderWay,
)
from rulewright.systems.silhouette.combat.ranged_attacks import OFF_BALANCE
from rulewright.systems.silhouette.combat.stances import in_stance
from rulewright.systems.silhouette.fight.actions.attacks import aim
from rulewright.systems.silhouette.fight.actions.fire import spots_to_aim_at
from rulewright.systems.silhouette.fight.actions.readied import interrupts
from rulewright.systems.silhouette.fight.actions.registry import ACTIONS, action_options, do
from rulewright.systems.silhouette.fight.free_fall import float_off, float_on
from rulewright.systems.silhouette.fight.moves import move
from rulewright.systems.silhouette.fight.sleepers import rouse
from rulewright.systems.silhouette.genres.duels import stare_down
from rulewright.systems.silhouette.harm.body import OPEN_ENDED, Patient
from rulewright.systems.silhouette.harm.damage import hold_on, stay_out
from rulewright.systems.silhouette.harm.healing import exert
from rulewright.systems.silhouette.hazards.fight_hazards import gone_out, is_dangerous, suffer_dangers
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, passes, skill_pool

FEW = 3
"""Up to this many fighters, initiative is solved as a subgame of its own; more have too many orders to cache."""
MOST_ACTIONS = 4
"""The most actions offered for one turn."""


# --- initiative ---------------------------------------------------------------------------------------------------------------


@cached(50_000)
def sense_of(rules: Ruleset, fighter: Fighter) -> Sense:
    """Returns a fighter's part in the initiative roll."""
    profile, body = fighter.profile, fighter.body
    trained, perception = profile.trained("combat sense"), profile.attribute("perception")
    mods = (
        *trained.mods,
        Mod("wounds", body.acting_penalty, "sil-3.5.2-action-penalties"),
        Mod("stimulants", body.alert, "sil-6.2.2-stimulants"),
        *([OFF_BALANCE] if fighter.off_balance else []),
    )
    pool = skill_pool(rules, trained.level, perception, 1, 1, False, "Perception", mods)
    pool = replace(in_stance(rules, pool, fighter.stance, "initiative"), hero=profile.hero)
    set_to = refocused(trained.level).value if fighter.refocused else None
    return Sense(profile.name, pool, trained.complexity, trained.level, perception, set_to, fighter.hidden)


def begin_round(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Starts a round: everybody able rolls initiative, except for those who keep a held action."""
    if fight.swayed and fight.round:
        fight = hurrahs_end(rules, fight)
    if any(fighter.asleep for fighter in fight.fighters):
        fight = yield from rouse(rules, fight)
    if fight.ground.showdown:
        fight = yield from stare_down(rules, fight)
    if is_dangerous(fight):
        fight = yield from suffer_dangers(rules, fight)
    if floats(fight.ground.gravity):
        fight = yield from float_on(rules, fight)
    if fight.fading and (cleared := fight.cleared()) is not fight:
        for words in gone_out(fight, cleared):
            yield Tell(Happened("", words))
        fight = cleared
        yield Tell(Stands(fight))
    holding = (yield from _keep_holding(rules, fight)) if _anybody_ready(fight) else frozenset[str]()
    fight = yield from open_round(rules, fight)
    lurking = fight.round == 0 or _is_ambush_hidden(fight)
    mimics: dict[str, Fighter] = {}
    if fight.swayed:
        waiting = holding | {f.name for f in fight.fighters if f.refocused or f.asleep or (f.unwary and lurking)}
        rolling = [f.name for f in fight.fighters if f.body.able and f.name not in waiting]
        fight, mimics = yield from all_mimicked(rules, fight, rolling, "combat sense")
    fighters, senses = list(fight.fighters), []
    for at, fighter in enumerate(fighters):
        if not fighter.body.able or fighter.profile.plan.swarm is not None:
            continue
        if fighter.profile.name in holding or fighter.asleep or (fighter.unwary and lurking):
            fighters[at] = _keep_waiting(fighter, lurking)
        else:
            senses.append(sense_of(rules, mimics.get(fighter.profile.name, fighter)))
            fighters[at] = refreshed(fighter, lurking)
    hidden = tuple([f.profile.name for f in fight.fighters if f.hidden])
    order = Order(())
    if senses and any(fighter.body.emergency_dice for fighter in fighters):
        renewed = replace(fight, fighters=tuple(fighters))
        fight, pools = yield from emergency_dice_for_all(rules, renewed, _pools_of(senses), "initiative")
        senses, fighters = [replace(sense, pool=pools.get(sense.name, sense.pool)) for sense in senses], list(fight.fighters)
    if senses and fight.hiding:
        senses = [replace(sense, seen_by=fight.witnesses(sense.name)) for sense in senses]
    if senses:
        rolls = sub(initiative, rules, tuple(senses), hidden)
        order = yield from (rolls if len(senses) <= FEW else rolls.start())
    queue: list[tuple[str, ...]] = []
    late: list[str] = []
    for group in order.groups:
        if len(group) == 1:
            queue.append(group)
        else:
            split = tie_order(rules, tuple([sense for sense in senses if sense.name in group]))
            queue += split
            late += [name for slower in split[1:] for name in slower]
    if order.confused:
        fighters = [replace(f, confused=True) if f.profile.name in order.confused else f for f in fighters]
    fight = replace(
        fight,
        round=fight.round + 1,
        fighters=tuple(fighters),
        zones=(),
        frozen=(),
        queue=tuple(queue),
        late=tuple(late),
        delayed=False,
    )
    return (yield from give_command(rules, fight)) if fight.commands else fight


def _pools_of(senses: list[Sense]) -> dict[str, Pool]:
    """Returns the initiative pools by name; nothing for refocused fighters."""
    return {sense.name: sense.pool for sense in senses if sense.fixed is None}


@cached(50_000)
def refreshed(fighter: Fighter, lurking: bool) -> Fighter:
    """Returns a fighter with a place in the new round, without last round's effects."""
    return replace(
        fighter,
        confused=False,
        off_balance=False,
        refocused=False,
        attacked_by=(),
        many=0,
        struck_freely=False,
        pinned=0,
        ready=None,
        unwary=False,
        guarded=False,
        hurried=0,
        applied=(),
        ordered=0,
        hidden=fighter.hidden and lurking,
    )


def _keep_waiting(fighter: Fighter, lurking: bool) -> Fighter:
    """Returns a fighter who will not act on their own in the new round: unwary, or holding an action without a penalty."""
    ready = replace(fighter.ready, penalty=0) if fighter.ready is not None else None
    changed = refreshed(fighter, True)
    return replace(
        changed,
        ready=ready,
        unwary=fighter.asleep or (fighter.unwary and lurking),
        off_balance=fighter.off_balance,
        **_settle_posture(fighter),
    )


def _settle_posture(fighter: Fighter) -> dict[str, object]:
    """Returns the posture after a movement."""
    return {"pace": "prone" if fighter.pace in DOWN else "stationary", "covering_ground": False}


_STAY_READY: tuple[Option[bool], ...] = (
    Option("hold", "Keep waiting", True),
    Option("drop", "Give up the readied action and roll initiative", False),
)


def _keep_holding(rules: Ruleset, fight: Fight) -> Play[frozenset[str]]:
    """Asks those whose held action was not triggered whether to keep it."""
    waiting = [f for f in fight.fighters if f.ready is not None and f.body.able]
    asked = "Your readied action was not triggered. Do you keep it?"
    answers = yield from Together(
        tuple([Choice(f.name, asked, _STAY_READY, Situation(fight, f.name, rules), "stay ready", f.hidden) for f in waiting])
    )
    return frozenset([f.profile.name for f, stays in zip(waiting, answers, strict=True) if stays])


def _is_ambush_hidden(fight: Fight) -> bool:
    """Whether the ambush is still hidden."""
    lurkers = [f for f in fight.fighters if f.profile.side == fight.ground.ambush and f.body.able] if fight.ground.ambush else []
    return bool(lurkers) and all(f.hidden for f in lurkers)


# --- a turn -------------------------------------------------------------------------------------------------------------------

Plan = int
REFOCUS, DELAY = 0, -1
_PLANS: tuple[Option[Plan], ...] = (
    Option("1", "One action", 1),
    *[Option(str(n), f"{n} actions, each at {1 - n}", n) for n in range(2, MOST_ACTIONS + 1)],
    Option("refocus", "Refocus: do nothing this round, act early in the next", REFOCUS),
    Option("delay", "Delay: act later this round", DELAY),
)


def next_turn(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Starts the next turn. Those in one group act at the same time: what happens to one does not hinder the others."""
    group, rest = fight.queue[0], fight.queue[1:]
    if fight.swayed:
        seized = yield from seize_the_moment(rules, fight, group)
        if seized is not None:
            return seized
    if fight.commands:
        sooner = yield from pre_empted(rules, fight, group)
        if sooner is not None:
            return sooner
    if len(group) == 1:  # alone, or one of those of a shared moment
        return (yield from begin_turn(rules, replace(fight, queue=rest), group[0]))
    frozen = fight.frozen or tuple([Moment(name, fight.fighter(name).body) for name in group])
    queue = tuple([(text,) for text in group[1:]])
    return (yield from begin_turn(rules, replace(fight, frozen=frozen, queue=(*queue, *rest)), group[0]))


def begin_turn(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """Plays the start of a turn: confusion, or declared actions, a move and the first action."""
    fighter = fight.fighter(name)
    if not fight.acting_body(fighter).able:
        return end_turn(rules, fight, name)
    if not fighter.body.able:
        yield happened(fight, name, "acts at the same moment and is not stopped")
    if fighter.pace not in ("stationary", "prone") or fighter.covering_ground:
        fighter = replace(fighter, **_settle_posture(fighter))
        fight = fight.put(fighter)
    begun = fight
    if fighter.confused:
        fight = yield from confused_turn(rules, fight, name)
        return end_turn(rules, fight, name)
    if fighter.body.stable_flesh or fighter.body.stable_deep:
        fight = yield from _reopen_wounds(rules, fight, name)
    fight = yield from toughen(rules, fight, name)
    if fight is not begun and not fight.acting_body(fight.fighter(name)).able:
        return end_turn(rules, fight, name)
    declared = fighter.ordered
    if not declared:
        declared = yield from Choice(
            name, "How many actions do you take this round?", _PLANS, Situation(fight, name, rules), "plan", fighter.hidden
        )
    if declared == REFOCUS:
        yield happened(fight, name, "refocuses")
        return end_turn(rules, fight.change(name, refocused=True), name)
    if declared == DELAY:
        yield happened(fight, name, "delays")
        return end_turn(rules, fight.change(name, ready=Ready(delays=True)), name)
    turn = UnderWay(name, declared, declared - (1 if fighter.ordered else 0))
    if declared > 1 and rules.on("defense-suffers-from-actions"):
        fight = fight.change(name, hurried=turn.penalty)
    fight, turn = yield from use_points(rules, fight, turn)
    fight, turn = yield from show_off(rules, fight, turn)
    if fight is not begun and not fight.acting_body(fight.fighter(name)).able:
        return end_turn(rules, fight, name)
    if by_the_map(rules):
        fight = yield from choose_facing(rules, fight, name)
    fight, moved = yield from (float_off if floats(fight.ground.gravity) else move)(rules, fight, name)
    fighter = fight.fighter(name)
    if not fight.acting_body(fighter).able or not may_act(rules, fighter.pace):
        return end_turn(rules, fight, name)
    turn = replace(turn, simple=1 if moved.simple else 0, steady=not moved.moved)
    return (yield from go_on(rules, fight, turn))


def _reopen_wounds(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """Reopens stabilized wounds of a fighter who acts."""
    fighter = fight.fighter(name)
    body = yield from exert(rules, fighter.body, "heavy")
    return harmed(rules, fight, name, body)


def go_on(rules: Ruleset, fight: Fight, turn: UnderWay) -> Play[Fight]:
    """Plays one more action of the turn. Readied enemies may act first and make it impossible."""
    name = turn.name
    fighter = fight.fighter(name)
    if not fight.acting_body(fighter).able:
        return end_turn(rules, fight, name)
    options = action_options(rules, fight, fighter, turn)
    about = Situation(fight, name, rules, turn)
    where = spots_to_aim_at(rules, fight, fighter, turn) if fighter.weapon.blast is not None or not fight.bare else None
    chosen: Action = yield Choice(name, "What do you do?", options, about, "act", fighter.hidden, where)
    if chosen.kind == "pass":
        return end_turn(rules, fight, name)
    if not turn.noticed and _anybody_ready(fight):
        before = fight
        fight = yield from interrupts(rules, fight, name, "acts")
        if fight is not before and not _still_allowed(rules, fight, turn, chosen):
            return replace(fight, turn=replace(turn, noticed=True))  # asked again, as things stand now
    return (yield from act(rules, fight, turn, chosen))


def _still_allowed(rules: Ruleset, fight: Fight, turn: UnderWay, chosen: Action) -> bool:
    fighter = fight.fighter(turn.name)
    if not fight.acting_body(fighter).able:
        return False
    if chosen.spot is not None:
        return spots_to_aim_at(rules, fight, fighter, turn) is not None
    return any(option.value == chosen for option in action_options(rules, fight, fighter, turn))


def act(rules: Ruleset, fight: Fight, turn: UnderWay, chosen: Action) -> Play[Fight]:
    """Takes an action: its cost, Free Strikes it allows, its effect, and the rest of the turn."""
    name, doing = turn.name, ACTIONS[chosen.kind]
    simple = doing.simple
    costs = not simple or counts(turn.simple) == "an action"
    tested = simple and costs and turn.declared > 1
    turn = replace(
        turn,
        left=turn.left - (_actions_needed(fight, name, chosen) if costs else 0),
        simple=turn.simple + (1 if simple else 0),
        steady=False,
        noticed=True,
        loaded=turn.loaded or chosen.kind == "load",
        fired=_fired(turn, chosen),
    )
    opening = Opening(name, doing.opens) if doing.opens else None
    if opening is not None and not strikers(rules, fight, opening):
        opening = None
    before = rules.word("free-strike-timing") == "before"
    todo = [Deed(chosen, tested), *([opening] if opening and not before else []), Closing(chosen.kind)]
    fight = replace(fight, turn=turn, todo=tuple([opening, *todo] if opening and before else todo))
    return (yield from carry_on(rules, fight))


def _actions_needed(fight: Fight, name: str, chosen: Action) -> int:
    """Returns the number of actions an action takes: one, or more for some powers and spells."""
    return fight.fighter(name).profile.weapons[chosen.weapon].actions if ACTIONS[chosen.kind].hungry else 1


def carry_on(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Resolves the current action up to the next blow or shot that waits for its dice."""
    while fight.todo:
        item, rest = fight.todo[0], replace(fight, todo=fight.todo[1:])
        if isinstance(item, Deed):
            fight = yield from _carry_out(rules, rest, item)
        elif isinstance(item, Closing):
            fight = go_on_or_end(rules, rest, item.kind)
        else:
            fight = yield from resolve(rules, rest, item)
        if fight.todo and isinstance(fight.todo[0], Landing | Firing):
            break
    return fight


def _carry_out(rules: Ruleset, fight: Fight, deed: Deed) -> Play[Fight]:
    """Carries out an action unless a Free Strike has prevented it."""
    turn, action = fight.turn, deed.action
    assert turn is not None
    if not fight.in_it(fight.fighter(turn.name)) or (action.target and not fight.in_it(fight.fighter(action.target))):
        return fight
    if deed.tested:
        fight, managed = yield from _test_simple_action(rules, fight, turn, action)
        if not managed:
            return fight
    return (yield from do(rules, fight, turn.name, action, turn.penalty))


def _fired(turn: UnderWay, chosen: Action) -> tuple[tuple[int, str], ...]:
    if not ACTIONS[chosen.kind].fires:
        return turn.fired
    new = [(chosen.weapon, target) for target in (chosen.targets or (chosen.target,))]
    return (*turn.fired, *[pair for pair in new if pair not in turn.fired])


_ATTEMPTS: dict[Kind, str] = {
    "draw": "draw a weapon",
    "sheathe": "put away the weapon",
    "load": "load the weapon",
    "pick up": "pick up a weapon",
    "stand": "stand up",
    "drop": "drop prone",
    "shield": "handle the shield",
    "hold on": "grab a hold",
}


def _test_simple_action(rules: Ruleset, fight: Fight, turn: UnderWay, chosen: Action) -> Play[tuple[Fight, bool]]:
    """Tests a simple action that is one of several."""
    doing = ACTIONS[chosen.kind]
    fight, pool = yield from spend_emergency_dice(
        rules, fight, turn.name, Pool(2), f"the attempt to {_ATTEMPTS.get(chosen.kind, chosen.kind)}"
    )
    fighter = fight.fighter(turn.name)
    body = fight.acting_body(fighter)
    agility, dice = fighter.profile.attribute("agility"), pool.emergency
    footing = footing_in(rules, fight.ground.gravity, moving=True).value if doing.on_the_feet else 0
    test = yield from simple_test(rules, agility, turn.penalty, body.physical_penalty, turn.name, chosen.kind, dice, footing)
    passed = passes(rules, test.total, test.threshold)
    how = f"{'manages' if passed else 'fails'} to {_ATTEMPTS.get(chosen.kind, chosen.kind)}"
    yield managed(fight, turn.name, how, test, "sil-3.1.1-action-types", "plain" if passed else "bad")
    return fight, passed


def go_on_or_end(rules: Ruleset, fight: Fight, kind: Kind) -> Fight:
    """Continues or ends the turn; readying and aiming end it, and so does having only useless free actions left."""
    turn = fight.turn
    assert turn is not None
    if fight.fighter(turn.name).flourish:
        fight = fight.change(turn.name, flourish=0)
    over = ACTIONS[kind].all_round or (turn.left <= 0 and (counts(turn.simple) != "free" or not _has_useful_action(fight, turn)))
    if over or not fight.acting_body(fight.fighter(turn.name)).able:
        return end_turn(rules, fight, turn.name)
    return replace(fight, turn=replace(turn, noticed=False))


def _has_useful_action(fight: Fight, turn: UnderWay) -> bool:
    """Whether a useful free simple action is left: loading an empty gun, drawing, picking up."""
    fighter = fight.fighter(turn.name)
    weapon, at = fighter.weapon, fighter.in_hand
    empty = weapon.fires is not None and not fighter.loaded and not fighter.jammed[at]
    return empty or (not at and len(fighter.profile.weapons) > 1) or "dropped" in fighter.gone


def end_turn(rules: Ruleset, fight: Fight, name: str) -> Fight:
    """Ends a turn, and the shared moment once all of its fighters have acted; delaying fighters may act next."""
    late = tuple([text for text in fight.late if text != name]) if fight.late else ()
    fight = replace(fight, turn=None, todo=(), late=late, delayed=_anybody_delays(fight, name))
    if not all(fighter.body.able for fighter in fight.fighters):
        fight = without_fallen(fight)
    if fight.frozen:
        waiting = {text for group in fight.queue for text in group}
        if not any(moment.name in waiting for moment in fight.frozen):  # now the wounds of the moment bring people down
            fallen = [fight.fighter(moment.name) for moment in fight.frozen]
            fight = replace(fight, frozen=()).put(*[candidate.with_body(rules, candidate.body) for candidate in fallen])
    return fight


def _anybody_ready(fight: Fight) -> bool:
    return any(fighter.ready is not None for fighter in fight.fighters)


def _anybody_delays(fight: Fight, but: str) -> bool:
    return any(f.ready is not None and f.ready.delays and f.body.able and f.profile.name != but for f in fight.fighters)


# --- those who delay ----------------------------------------------------------------------------------------------------------

_GO: tuple[Option[bool], ...] = (Option("act", "Act now", True), Option("wait", "Keep waiting", False))


def ask_delayed(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Asks delaying fighters in turn whether to act now; the first who does takes a turn."""
    fight = replace(fight, delayed=False)
    waiting = [f for f in fight.fighters if f.ready is not None and when_set_off(f.ready) == "after" and f.body.able]
    for fighter in waiting:
        about = Situation(fight, fighter.name, rules)
        if (yield from Choice(fighter.name, "Do you act now?", _GO, about, "delayed", fighter.hidden)):
            return (yield from begin_turn(rules, fight.change(fighter.name, ready=None), fighter.name))
    return fight


# --- the rest -----------------------------------------------------------------------------------------------------------------

_CONFUSED: dict[str, Option[str]] = {
    "duck": Option("duck", "Duck", "duck"),
    "nothing": Option("nothing", "Do nothing", "nothing"),
    "go on": Option("go on", "Continue what you began", "go on"),
}


def confused_turn(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """Plays the turn of a confused fighter: only ducking, or continuing to aim or load."""
    fighter = fight.fighter(name)
    begun = fighter.aim > 0 or fighter.unready[fighter.in_hand] > 0
    options = tuple([_CONFUSED[what] for what in may_still(begun)])
    asked = "You are confused. What do you do?"
    chosen = yield from Choice(name, asked, options, Situation(fight, name, rules), "confused", fighter.hidden)
    if chosen == "duck":
        yield happened(fight, name, "ducks")
        return fight.change(name, pace="prone", aim=0, aim_at="")
    if chosen == "go on":
        if fighter.aim:
            return (yield from aim(rules, fight, name, fighter.aim_at))
        loading = Action("load", weapon=fighter.in_hand)
        return (yield from do(rules, fight, name, loading, 0))
    return fight


def settle_sleepers(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Rolls how long newly knocked-out fighters are unconscious."""
    for fighter in fight.fighters:
        if fighter.body.unconscious == OPEN_ENDED:
            body: Patient = yield from stay_out(rules, fighter.body)
            fight = fight.put(replace(fighter, body=body))
    return fight


def feel_the_wounds(rules: Ruleset, fight: Fight, carried: str) -> Play[Fight]:
    """Ends the fight for its fighters: those left for dead wake, ignored pain returns, and those who acted tough must stay conscious.
    The winner does not change."""
    for fighter in fight.fighters:
        result = crisis_over(fighter)
        body: Patient = (yield from sub(after_the_fight, rules, result.body)) if result.body.acted_tough else result.body
        fight = fight.put(result.with_body(rules, body))
    return replace(without_fallen(fight), carried=carried)


def settle_health(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Rolls the Health tests postponed to the end of the round (advanced ties)."""
    for fighter in fight.fighters:
        if fighter.body.shaken:
            body = replace(fighter.body, shaken=False)
            if body.awake:
                body = yield from hold_on(rules, body)
            fight = fight.put(fighter.with_body(rules, body))
    return fight
