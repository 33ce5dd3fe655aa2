"""All actions of a fight by kind, and the options they offer, in order."""

from rulewright.play import Option, Play
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.scumm.action.movement import fastest
from rulewright.systems.scumm.combat.attacks import range_band
from rulewright.systems.scumm.combat.fighters import DOWN, REACH, Action, Fight, Fighter, UnderWay, hands
from rulewright.systems.scumm.fight.actions.aid import Treat, UseSkill, treatable
from rulewright.systems.scumm.fight.actions.attacks import Aim, Shoot, Strike, Throw
from rulewright.systems.scumm.fight.actions.base import Doing, Offer, Target
from rulewright.systems.scumm.fight.actions.fire import Spray, Suppress, covers_in_range, spray_lines
from rulewright.systems.scumm.fight.actions.item_handling import SIMPLE, Clear, put_off, simple_options
from rulewright.systems.scumm.fight.actions.readied import StandReady
from rulewright.systems.scumm.harm.body import Patient

TREAT, SUPPRESS = Treat(), Suppress()
AGAINST: tuple[Doing, ...] = (Shoot(), Strike(), Throw(), Aim(), SUPPRESS)
"""What is done to an enemy; offered for one after the other."""
BESIDE: tuple[Doing, ...] = (SUPPRESS, Spray(), Clear(), UseSkill(), StandReady())
"""What else is done with an action."""
ACTIONS: dict[str, Doing] = {doing.kind: doing for doing in (*AGAINST, *BESIDE, *SIMPLE.values(), TREAT)}
NOTHING_MORE = Option("pass", "Nothing more", Action("pass"), verb="other")


def do(rules: Ruleset, fight: Fight, name: str, action: Action, extra: int) -> Play[Fight]:
    """Carry out one action; any other action ends a treatment."""
    doing = ACTIONS[action.kind]
    if not doing.goes_on_treating and fight.fighter(name).treating:
        fight = fight.change(name, treating="", treated=0)
    return doing.do(rules, fight, name, action, extra)


def action_options(rules: Ruleset, fight: Fight, fighter: Fighter, turn: UnderWay) -> tuple[Option[Action], ...]:
    """Everything that is allowed now; the options are kept and offered again whenever the situation is the same."""
    offered = _offered(rules, _offer(rules, fight, fighter, turn))
    if turn.actions > 0 and treatable(fight, fighter):
        return (*TREAT.for_all(rules, fight, fighter), *offered)
    return offered


def _offer(rules: Ruleset, fight: Fight, fighter: Fighter, turn: UnderWay) -> Offer:
    weapon, at = fighter.weapon, fighter.in_hand
    ranges = weapon.ranges
    targets = []
    for foe in fight.enemies(fighter):
        metres = fighter.distance(foe)
        band = range_band(metres, ranges) if ranges is not None else None
        targets.append(Target(foe.profile.name, band, metres <= REACH, ranges is not None and metres <= ranges[1]))
    bursts = weapon.burst and turn.actions > 0
    can_stand, can_hold = posture(fight.acting_body(fighter))
    return Offer(
        fighter.profile,
        at,
        fighter.ammo,
        fighter.gone,
        fighter.mode,
        can_stand,
        can_hold,
        fighter.jammed,
        fighter.aim,
        fighter.aim_at,
        tuple(targets),
        spray_lines(rules, fight, fighter, tuple([target.name for target in targets])) if bursts else (),
        covers_in_range(fight, fighter, ranges[1]) if bursts and ranges is not None else (),
        tuple([name for index, name in fighter.sprayed if index == at]) if fighter.sprayed else (),
        turn.actions > 0,
        turn.simple_left,
        turn.steady,
    )


@cached(50_000)
def _offered(rules: Ruleset, offer: Offer) -> tuple[Option[Action], ...]:
    result: list[Option[Action]] = []
    if offer.actions:
        result.extend([option for target in offer.targets for doing in AGAINST for option in doing.against(rules, offer, target)])
        result.extend([option for doing in BESIDE for option in doing.options(rules, offer)])
    if offer.simple_left or offer.actions:
        simple = simple_options(rules, offer)
        result.extend(simple)
        if offer.simple_left and offer.actions:
            result.extend(put_off(rules, offer, simple))
    return (*result, NOTHING_MORE)


@cached(10_000)
def posture(body: Patient) -> tuple[bool, bool]:
    """Whether wounds let a person stand, and hold anything."""
    return fastest(body) not in DOWN, hands(body) > 0


def still_simple(rules: Ruleset, fighter: Fighter, action: Action) -> bool:
    """Whether a person can still do a simple action that was put off."""
    can_stand, can_hold = posture(fighter.body)
    offer = Offer(
        fighter.profile,
        fighter.in_hand,
        fighter.ammo,
        fighter.gone,
        fighter.mode,
        can_stand,
        can_hold,
    )
    return any(option.value == action for option in simple_options(rules, offer))
