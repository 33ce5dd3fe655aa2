"""All actions of a fight by kind, and their options in order."""

from math import hypot

from rulewright.play import Option, Play
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.action.gravity import AT_HAND, floats
from rulewright.systems.silhouette.action.movement import can_stand, fastest_of
from rulewright.systems.silhouette.action.rounds import counts
from rulewright.systems.silhouette.attacks.shots import can_reach
from rulewright.systems.silhouette.combat.fighters import Action, Fight, Fighter, UnderWay, hands_of, reach_of, striking_weapon
from rulewright.systems.silhouette.fight.actions.attacks import Aim, Lob, Shoot, Strike, Throw
from rulewright.systems.silhouette.fight.actions.base import Doing, Offer, Target
from rulewright.systems.silhouette.fight.actions.fire import Saturate, WalkFire, fire_lines, spots
from rulewright.systems.silhouette.fight.actions.item_handling import SIMPLE, Clear
from rulewright.systems.silhouette.fight.actions.readied import StandReady
from rulewright.systems.silhouette.fight.actions.tasks import GetFree, HoldOn, UseSkill

GET_FREE, HOLD_ON = GetFree(), HoldOn()
AGAINST: tuple[Doing, ...] = (Shoot(), Strike(), Lob(), Throw(), Aim(), Saturate())
"""Actions against an enemy, offered for each in turn."""
BESIDE: tuple[Doing, ...] = (WalkFire(), Clear(), UseSkill(), StandReady())
"""Other actions."""
ACTIONS: dict[str, Doing] = {doing.kind: doing for doing in (*AGAINST, *BESIDE, *SIMPLE, GET_FREE, HOLD_ON)}
_PASS = Option("pass", "End turn", Action("pass"), verb="other")
_BOUND = (GET_FREE.option("get free", "Try to get free", Action("get free")), _PASS)
"""Options of an entangled fighter."""
_HOLD = HOLD_ON.option("hold on", "Grab the nearest hold", Action("hold on"))


def do(rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int) -> Play[Fight]:
    """Carries out one action."""
    return ACTIONS[action.kind].do(rules, fight, name, action, penalty)


def action_options(rules: Ruleset, fight: Fight, fighter: Fighter, turn: UnderWay) -> tuple[Option[Action], ...]:
    """Returns all options now, including spots for a grenade in hand."""
    options = _cached_options(rules, fight, fighter, turn)
    if floats(fight.ground.gravity):
        options = _free_fall_options(fight, fighter, turn, options)
    if fighter.weapon.blast is None or turn.left <= 0 or fight.acting_body(fighter).snared is not None:
        return options
    return (*options[:-1], *spots(rules, fight, fighter), options[-1])


def _free_fall_options(fight: Fight, fighter: Fighter, turn: UnderWay, options: tuple[Option[Action], ...]) -> tuple[Option[Action], ...]:
    """Adjusts options in free fall: nobody drops or stands up, and a floating fighter may grab a nearby hold."""
    kept = [option for option in options if option.value.kind not in ("stand", "drop")]
    near = any(hypot(spot.x - fighter.x, spot.y - fighter.y) <= AT_HAND for spot in fight.ground.covers)
    if fighter.loose and near and (counts(turn.simple) == "free" or turn.left > 0) and fighter.body.snared is None:
        kept.insert(len(kept) - 1, _HOLD)
    return tuple(kept)


def _cached_options(rules: Ruleset, fight: Fight, fighter: Fighter, turn: UnderWay) -> tuple[Option[Action], ...]:
    """Returns the other options, cached by situation."""
    if fight.acting_body(fighter).snared is not None:
        return _BOUND if turn.left > 0 else _BOUND[1:]
    return _offered(rules, _offer(rules, fight, fighter, turn))


def _offer(rules: Ruleset, fight: Fight, fighter: Fighter, turn: UnderWay) -> Offer:
    at, weapon, body = fighter.in_hand, fighter.weapon, fight.acting_body(fighter)
    reach = reach_of(rules, fighter.profile, fighter.profile.weapons[striking_weapon(fighter)])
    able = weapon.fires is not None and fighter.loaded and turn.left >= weapon.actions
    in_the_hand = weapon.thrown is not None or (weapon.blast is not None and (not weapon.lobs or fighter.ammo[at] > 0))
    targets = []
    for foe in fight.enemies(fighter):
        metres = fighter.distance(foe)
        shootable = able and can_reach(rules, fighter, weapon, metres)
        flung = in_the_hand and can_reach(rules, fighter, weapon, metres, thrown=True)
        medium = weapon.fires is not None and metres <= 2 * weapon.fires.short
        targets.append(Target(foe.profile.name, metres <= reach, shootable, flung, medium))
    walks = weapon.fires is not None and weapon.fires.rof > 0 and fighter.loaded and turn.left > 0 and len(targets) > 1
    return Offer(
        fighter.profile,
        at,
        fighter.ammo,
        fighter.jammed,
        fighter.unready,
        fighter.gone,
        fighter.shield_up,
        fighter.aim,
        fighter.aim_at,
        fighter.pace,
        can_stand(body.deep) and fastest_of(rules, body) != "crawling",
        tuple(targets),
        fire_lines(rules, fight, fighter, tuple([target.name for target in targets if target.shootable])) if walks else (),
        tuple([name for index, name in turn.fired if index == at]) if turn.fired else (),
        turn.left > 0,
        counts(turn.simple) == "free" or turn.left > 0,
        turn.steady,
        turn.loaded,
        hands_of(fighter, body),
    )


@cached(50_000)
def _offered(rules: Ruleset, offer: Offer) -> tuple[Option[Action], ...]:
    result: list[Option[Action]] = []
    if offer.actions:
        result.extend([option for target in offer.targets for doing in AGAINST for option in doing.against(rules, offer, target)])
        result.extend([option for doing in BESIDE for option in doing.options(rules, offer)])
    if offer.simple:
        result.extend([option for doing in SIMPLE for option in doing.options(rules, offer)])
    return (*result, _PASS)
