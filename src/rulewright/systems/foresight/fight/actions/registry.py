"""All actions of a turn by kind: their costs, their options and their execution (book lines 3020-3088)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Choice, Option, Play
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.foresight.combat.events import Asked
from rulewright.systems.foresight.combat.fighters import Action, Fight, Fighter
from rulewright.systems.foresight.combat.moves import after_action, restless
from rulewright.systems.foresight.fight.actions import aid, guns, melee, moves, tasks
from rulewright.systems.foresight.fight.actions.base import ActionKind, Moment
from rulewright.systems.foresight.fight.bonus_actions import covers

AT_FOES: tuple[ActionKind, ...] = (melee.Attack(), melee.Feint(), melee.Pin())
"""The options offered against each enemy in turn."""
FIRE, THROW = guns.Fire(), guns.Throw()
WITH_GUNS: tuple[ActionKind, ...] = (guns.Clear(), guns.Reload(), guns.Shoulder(), guns.Brace())
"""The options offered with each gun in hand, after firing it and aiming it."""
FREED = melee.StruggleFree()
GRIPS: tuple[ActionKind, ...] = (melee.WindUp(), melee.Maintain())
"""The options that do not depend on nearby people."""
ELSE: tuple[ActionKind, ...] = (
    guns.Draw(),
    *moves.GOING.values(),
    moves.TurnDoor(),
    *moves.STANCES,
    moves.Recover(),
    moves.Turn(),
    tasks.Concentrate(),
    tasks.TryTask(),
    tasks.Signal(),
    melee.Release(),
    melee.TakeUpStyle(),
    aid.Bandage(),
    tasks.Help(),
)
ALONG: tuple[ActionKind, ...] = (melee.CUFF, guns.Discard(), guns.AIM, moves.PIVOT)
"""What others offer together with themselves."""
ACTIONS: dict[str, ActionKind] = {
    action_kind.kind: action_kind for action_kind in (*AT_FOES, *GRIPS, FIRE, THROW, *WITH_GUNS, *ELSE, *ALONG, FREED)
}


# --- what it costs ------------------------------------------------------------------------------------------------------------


def can_spend(fighter: Fighter, action: Action) -> bool:
    """Whether a person has an action left for this."""
    kind = ACTIONS[action.kind]
    return fighter.acts > 0 or kind.free or bool(fighter.bonuses and covers(fighter.bonus, kind.row)) or _by_laser(fighter, action)


def _by_laser(fighter: Fighter, action: Action) -> bool:
    """Whether the laser sight of the gun pays for an aim."""
    return action.kind == "aim" and not fighter.sighted and fighter.profile.weapons[action.weapon].bonus_aim > 0


def spend_action(fighter: Fighter, action: Action) -> Fighter:
    """One action less: a bonus action of that kind first, then the laser sight's own aim, then one of the two that everybody has."""
    kind = ACTIONS[action.kind]
    if kind.free:
        return fighter
    if fighter.bonuses and covers(fighter.bonus, kind.row):
        return replace(fighter, bonuses=fighter.bonuses - 1)
    if _by_laser(fighter, action):
        return replace(fighter, sighted=True)
    if fighter.acts <= 0:
        raise UserError(f"{fighter.name} has no action left to {kind.row}")
    return replace(fighter, acts=fighter.acts - 1)


# --- the options offered ------------------------------------------------------------------------------------------------------


def choose_action(rules: Ruleset, fight: Fight, name: str, question: str, *, reacting: bool = False) -> Play[Action]:
    """Asks for a person's action, every part of it: the action, then how or where."""
    options = action_options(rules, fight, name, reacting)
    secret = fight.aware_of(name) is not None
    chosen: Action = yield Choice(name, question, options, Asked(fight, name, rules), "act", secret=secret)
    if chosen.kind in ACTIONS:
        chosen = yield from ACTIONS[chosen.kind].completed(rules, fight, name, chosen, secret)
    return chosen


@cached(20_000)
def action_options(rules: Ruleset, fight: Fight, name: str, reacting: bool = False) -> tuple[Option[Action], ...]:
    """Everything that a person may do with the next action."""
    result = fight.fighter(name)
    moment = Moment.of(rules, fight, result)
    every = _all_options(moment) if not result.entangled else FREED.offers(moment)
    options = [option for option in every if can_spend(result, option.value)]
    if reacting:
        return (*options, Option("hold", "Cancel", Action("hold")))
    return (*options, Option("wait", "Wait", Action("wait"), result.focus), Option("done", "End the turn", Action("done")))


def _all_options(moment: Moment) -> Iterator[Option[Action]]:
    """Everything there is, in the order in which it has always been offered: the keys of a question stand in records."""
    fighter = moment.one
    for foe, weapons in zip(moment.foes, moment.strikes, strict=True):
        for kind in AT_FOES:
            yield from kind.against(moment, foe, weapons)
    for kind in GRIPS:
        yield from kind.offers(moment)
    for at in dict.fromkeys((fighter.hand, fighter.off)):
        owned = fighter.profile.weapons[at]
        if at and owned.ranged:
            yield from (THROW if owned.thrown else FIRE).with_gun(moment, at)
            for kind in WITH_GUNS:
                yield from kind.with_gun(moment, at)
    for kind in ELSE:
        yield from kind.offers(moment)


# --- doing it -----------------------------------------------------------------------------------------------------------------


def still_possible(rules: Ruleset, fight: Fight, name: str, action: Action) -> bool:
    """Whether an action that was begun can still be done after others came first."""
    result = fight.fighter(name)
    if not result.able or (result.entangled and action.kind != FREED.kind):
        return False
    if any(pin.grip == "restrained" for pin in fight.pinned(name)):
        return False
    return ACTIONS[action.kind].possible(rules, fight, result, action)


def do(rules: Ruleset, fight: Fight, name: str, action: Action) -> Play[Fight]:
    """Carry out an action whose price is paid."""
    kind, result = ACTIONS[action.kind], fight.fighter(name)
    if result.tending and action.kind != "bandage" and not kind.free:
        result = replace(result, tending="", concentrated=0)
    fight = fight.put(restless(result, kind.row))
    fight = yield from kind.do(rules, fight, name, action)
    return fight if kind.free or kind.sees_to_balance else fight.put(after_action(rules, fight.fighter(name), kind.row))
