"""Step one of a round: options and declarations (book lines 397-421, 4192-4208)."""

from typing import Any, NamedTuple

from msgspec.structs import replace

from rulewright.field.destinations import doors_at_hand
from rulewright.play import Choice, Option, Play
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.systems.ore.combat.attacks import Facts, can_use
from rulewright.systems.ore.combat.fighters import REACH, Act, Fight, Fighter, Situation, apart, has_free_hand, throws_further
from rulewright.systems.ore.combat.profiles import for_combat
from rulewright.systems.ore.combat.reach import near_enough
from rulewright.systems.ore.combat.weapon_use import Training
from rulewright.systems.ore.fight.actions.attacks import MOST_GATHERED
from rulewright.systems.ore.fight.actions.base import FREE, HELD, HOLDING, SPENT, Declarable, Foe, Friend, Me
from rulewright.systems.ore.fight.actions.combined import cost_of
from rulewright.systems.ore.fight.actions.feat_attacks import locked
from rulewright.systems.ore.fight.actions.registry import ACTIONS, action_of
from rulewright.systems.ore.fight.feats.effects import abilities, knacks, manners, most_aims, trait, weapon_words
from rulewright.systems.ore.fight.powers.active import DAZED, POWER_KINDS, is_dazed, may_do, walled
from rulewright.systems.ore.fight.powers.available import can_gather, confused, flies, gifts_of, kept_by, minds_threaten, pained, touches
from rulewright.systems.ore.fight.resolution.gunfire import can_pair, can_reload, gone, loaded, pairs
from rulewright.systems.ore.fight.resolution.movement import can_dive, cover_metres, walk_metres
from rulewright.systems.ore.fight.resolution.parley import PARLEY, may_parley, parley_acts
from rulewright.systems.ore.gear.missiles import thrown_ranges
from rulewright.systems.ore.harm.body import Abstract
from rulewright.systems.ore.harm.endurance import BOXES
from rulewright.systems.ore.harm.locations import LOCATIONS, Location
from rulewright.systems.ore.people.skills import known_skill
from rulewright.systems.ore.resolution.contests import MOST_ACTIONS

SEVERAL = "several"
Acts = tuple[Act, ...]


@rule("ore-1.13-multiple-actions", "ore-4.02-initialisation")
def declare(rules: Ruleset, fight: Fight, name: str) -> Play[Acts]:
    """Asks a fighter for all actions of the round: one, a common pair, or several."""
    options = _with_several(rules, *_seen(rules, fight, name))
    if fight.powers:
        options = tuple([option for option in options if not option.value or _permitted(rules, fight, name, option.value)])
    if may_parley(fight, name):
        options += parley_acts(rules, fight, name)
    acts = yield from Choice(name, "What do you do?", options, Situation(fight, name, rules), "act")
    if acts and acts[0].kind == PARLEY:
        return acts
    if not acts:
        return (yield from _one_by_one(rules, fight, name))
    return (yield from _completed(rules, fight, name, acts))


def _permitted(rules: Ruleset, fight: Fight, name: str, acts: Acts) -> bool:
    """Whether active powers allow an act."""
    return may_do(fight, name, acts, any(_aggressive(rules, fight, name, act) for act in acts))


def _aggressive(rules: Ruleset, fight: Fight, name: str, act: Act) -> bool:
    """Whether an act is aggressive."""
    action = action_of(act)
    if act.kind in POWER_KINDS:
        return fight.fighter(name).profile.power(act.skill).row(rules).harmful
    return action.exposes or action.verb in ("attack", "special")


def _completed(rules: Ruleset, fight: Fight, name: str, acts: Acts) -> Play[Acts]:
    result = []
    for act in acts:
        result.append((yield from action_of(act).completed(rules, fight, name, act)))
    return tuple(result)


def _one_by_one(rules: Ruleset, fight: Fight, name: str) -> Play[Acts]:
    """Asks for several actions in order; each assumes that the earlier ones succeed."""
    acts: Acts = ()
    seen = fight
    while cost_of(acts) < MOST_ACTIONS:
        options = together_with(rules, seen, name, acts)
        if acts:
            options = (Option("done", "Done", ()), *options)
        about = Situation(seen, name, rules)
        chosen = yield from Choice(name, "What do you do next?" if acts else "What do you do first?", options, about, "and")
        if not chosen:
            break
        for act in (yield from _completed(rules, seen, name, chosen)):
            acts = (*acts, act)
            seen = action_of(act).imagined(rules, seen, seen.fighter(name), act)
    return acts


def together_with(rules: Ruleset, fight: Fight, name: str, acts: Acts) -> tuple[Option[Acts], ...]:
    """Options that can be combined with these actions."""
    moves = any(action_of(act).free and act.kind != "speak" for act in acts) or any(act.kind in ("run", "charge", "run to") for act in acts)
    options = []
    for declarable in declarables(rules, fight, name):
        first = action_of(declarable.acts[0])
        if fight.powers and not _permitted(rules, fight, name, declarable.acts):
            continue
        if acts and acts[0].kind == "shake off" and not first.rolled:
            continue  # what needs no roll would be done before it is clear whether anything can be
        if len({act.kind for act in declarable.acts}) > 1 or first.alone or declarable.acts[0].wait:
            continue
        if len(declarable.acts) > 1 and declarable.acts[0].mode == "single":
            continue  # a pair, which is two actions one by one
        if declarable.acts[0].mode != "single" and any(act.mode != "single" for act in acts):
            continue  # one volley a round
        if first.free and (moves if first.kind != "speak" else any(act.kind == "speak" for act in acts)):
            continue
        if not first.rolled and not first.gathers and any(act == declarable.acts[0] for act in acts):
            continue
        if first.after and not any(act.kind == first.after and act.target == declarable.acts[0].target for act in acts):
            continue
        options.append(Option(declarable.key, declarable.label, declarable.acts, verb=first.verb, target=_target(declarable)))
    return tuple(options)


def _target(declarable: Declarable) -> str:
    """The first target of a declaration."""
    return next((act.target for act in declarable.acts if act.target), "")


# --- what can be declared -----------------------------------------------------------------------------------------------------


def options_for(rules: Ruleset, fight: Fight, name: str) -> tuple[Option[Acts], ...]:
    """All options for a single declaration."""
    options = _options(rules, *_seen(rules, fight, name))
    return tuple([option for option in options if _permitted(rules, fight, name, option.value)]) if fight.powers else options


def declarables(rules: Ruleset, fight: Fight, name: str) -> tuple[Declarable, ...]:
    """The same with options that need another action."""
    return _declarables(rules, *_seen(rules, fight, name))


def _seen(rules: Ruleset, fight: Fight, name: str) -> tuple[Me, tuple[Foe, ...]]:
    fighter = fight.fighter(name)
    alone = _alone(rules, fighter)
    foes = tuple([_foe(rules, fight, fighter, foe, alone) for foe in fight.known_foes(name)])
    return _me(rules, fight, fighter, foes, alone.me), foes


class Alone(NamedTuple):
    """What a fighter's options depend on without others: ranges, free hand, drawable weapons."""

    me: Me
    throws: int
    free_hand: bool
    others: tuple[int, ...]


@cached(20_000)
def _alone(rules: Ruleset, fighter: Fighter) -> Alone:
    """A fighter without regard to others."""
    others = _drawable(fighter)
    me = Me(
        state=SPENT if fighter.stamina.boxes == len(BOXES) else HELD if fighter.held_by else FREE,
        weapons=fighter.profile.weapons,
        in_hand=fighter.in_hand,
        armed=fighter.hand != "none" and not (fighter.marks and locked(fighter)),
        downed=fighter.downed,
        burning=bool(fighter.body.burning),
        aim=fighter.aim,
        feints=fighter.feints,
        against=fighter.against,
        loaded=loaded(fighter),
        can_reload=can_reload(rules, fighter.weapon, fighter.profile.body),
        pair=pairs(rules, fighter),
        second=tuple([place for place in others if can_pair(rules, fighter, place)]) if not fighter.off_hand else (),
        walk=walk_metres(rules, fighter),
        interposes=fighter.interposes if not fighter.profile.feats and not fighter.marks else _interposes(rules, fighter),
        skills=_skills(rules, fighter.profile.training),
        mapped=fighter.at is not None,
        **(_by_feats(rules, fighter) if fighter.profile.feats or fighter.marks else {}),
    )
    throws = thrown_ranges(rules, fighter.profile.body, "hurled").long if fighter.weapon.kind == "close" else -1
    return Alone(me, throws, has_free_hand(fighter), others)


@cached(20_000)
def _declarables(rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> tuple[Declarable, ...]:
    """The options, each key once: of weapons with the same name the first counts."""
    result = [offer for action in ACTIONS.values() if me.state in action.when for offer in action.offers(rules, me, foes)]
    return tuple({declarable.key: declarable for declarable in reversed(result)}.values())[::-1]


@cached(20_000)
def _options(rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> tuple[Option[Acts], ...]:
    result = [declarable for declarable in _declarables(rules, me, foes) if not declarable.part]
    return tuple(
        [
            Option(declarable.key, declarable.label, declarable.acts, verb=_verb(declarable), target=_target(declarable))
            for declarable in result
        ]
    )


@cached(20_000)
def _with_several(rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> tuple[Option[Acts], ...]:
    """The options plus several actions, if the fighter is free to act."""
    several: tuple[Option[Acts], ...] = (Option(SEVERAL, "Several actions", (), verb="other"),) if me.state == FREE or me.shakes else ()
    return _options(rules, me, foes) + several


def _verb(declarable: Declarable) -> str:
    """The group of an option: attack if any of its acts is one."""
    verbs = [action_of(act).verb for act in declarable.acts]
    return "attack" if "attack" in verbs else verbs[0]


def _me(rules: Ruleset, fight: Fight, fighter: Fighter, foes: tuple[Foe, ...], alone: Me) -> Me:
    holds = next((candidate.name for candidate in fight.fighters if candidate.held_by == fighter.name and candidate.able), "")
    walk = 0 if holds else alone.walk
    me = replace(
        alone,
        state=HOLDING if holds and alone.state == FREE else alone.state,
        holds=holds,
        walk=walk,
        away=bool(foes) and all(foe.metres > REACH for foe in foes),
        there=_carried(fight, fighter),
        lying=_lying(fight, fighter, walk) if fight.floor else (),
        can_dive=can_dive(fight, fighter),
        cover_metres=cover_metres(fight, fighter) if fight.ground.cover or fighter.at is not None else -1,
        friends=_friends(fight, fighter, walk) if any(_ails(candidate) for candidate in fight.fighters) else (),
        doors=_doors(fight, fighter) if fighter.at is not None else (),
    )
    if fighter.profile.feats or fighter.marks:
        me = replace(me, followers=_followers(rules, fight, fighter), fallen=_fallen(fight, fighter))
    psychic = fighter.profile.powers or fight.powers or any(candidate.profile.powers for candidate in fight.fighters)
    return _gifted(rules, fight, fighter, me) if psychic else me


def _gifted(rules: Ruleset, fight: Fight, fighter: Fighter, me: Me) -> Me:
    """The fighter with options that powers add or remove."""
    alight = any(power.on == fighter.name and power.word == "alight" for power in fight.powers)
    return replace(
        me,
        state=DAZED if is_dazed(fight, fighter.name) else me.state,
        burning=me.burning or alight,
        gifts=gifts_of(rules, fight, fighter, me.walk),
        keeps=kept_by(fight, fighter.name),
        minds=minds_threaten(rules, fight, fighter.side),
        shakes=confused(rules, fight, fighter),
        gathers=can_gather(rules, fight, fighter),
        flies=flies(fight, fighter.name),
        touches=touches(rules, fighter),
        pained=pained(rules, fight, fighter, me.walk),
    )


def _doors(fight: Fight, fighter: Fighter) -> tuple[tuple[str, bool], ...]:
    """Doors within reach, and whether they would be opened or shut."""
    at_hand = doors_at_hand(fight.field, fighter.at) if fighter.at is not None else ()
    return tuple([(door.name, door.opens) for door in at_hand])


def _by_feats(rules: Ruleset, fighter: Fighter) -> dict[str, Any]:
    """Abilities from feats."""
    return {
        "manners": manners(rules, fighter),
        "abilities": abilities(rules, fighter),
        "aims": most_aims(rules, fighter, MOST_GATHERED),
        "knacks": knacks(rules, fighter),
        "marks": fighter.marks,
    }


def _followers(rules: Ruleset, fight: Fight, fighter: Fighter) -> tuple[str, ...]:
    """Mooks who can be given an order."""
    leads = bool(fight.groups) and trait(rules, fighter, "mooks attack", "on a clear instruction").mods
    return tuple([group.name for group in fight.groups if group.side == fighter.side and group.able]) if leads else ()


def _fallen(fight: Fight, fighter: Fighter) -> tuple[str, ...]:
    """Recently fallen friends."""
    return tuple([candidate.name for candidate in fight.fighters if candidate.side == fighter.side and _just_died(fight, candidate)])


def _just_died(fight: Fight, fighter: Fighter) -> bool:
    """Whether somebody died at most Body rounds ago."""
    died = next((int(when) for word, when in fighter.marks if word == "died"), None)
    return fighter.body.dead and died is not None and fight.round - died <= fighter.profile.body


def _carried(fight: Fight, fighter: Fighter) -> tuple[int, ...]:
    """Drawable weapons; bare hands come first."""
    lying = [dropped.place for dropped in fight.floor if dropped.owner == fighter.name]
    gone_from = (fighter.in_hand, *fighter.taken, *lying)
    return tuple([place for place in range(len(fighter.profile.weapons)) if place not in gone_from])


def _interposes(rules: Ruleset, fighter: Fighter) -> bool:
    """Whether the fighter can parry, also with feats; a locked weapon does not count."""
    if locked(fighter):
        return bool(fighter.worn.shield)
    can = abilities(rules, fighter)
    bow = "parries with a bow" in can and "with a haft" in weapon_words(fighter.weapon)
    return fighter.interposes or bow or "parries with bare hands" in can


def _lying(fight: Fight, fighter: Fighter, walk: int) -> tuple[tuple[int, str], ...]:
    """Weapons on the floor in reach, own ones first."""
    near = [(place, dropped) for place, dropped in enumerate(fight.floor) if apart(dropped, fighter) <= REACH + walk]
    near.sort(key=lambda pair: pair[1].owner != fighter.name)
    return tuple([(place, fight.fighter(dropped.owner).profile.weapons[dropped.place].name) for place, dropped in near])


def _ails(fighter: Fighter) -> bool:
    body = fighter.body
    return bool(body.wounds or body.burning) or (isinstance(body, Abstract) and bool(body.injuries))


def _friends(fight: Fight, fighter: Fighter, walk: int) -> tuple[Friend, ...]:
    """Friends in reach who need help, including the fighter."""
    friends = []
    for candidate in fight.fighters:
        body = candidate.body
        if candidate.side != fighter.side or body.dead or apart(candidate, fighter) > REACH + walk:
            continue
        bleeds = any(wound.bleeding for wound in body.wounds)
        failing = isinstance(body, Abstract) and not body.stabilised and (body.mauled or body.down_boxes + body.out_boxes > 0)
        burning = bool(body.burning) and candidate.name != fighter.name
        if bleeds or failing or burning:
            friends.append(Friend(candidate.name, bleeds, failing, burning))
    return tuple(friends)


@cached(1_000)
def _skills(rules: Ruleset, training: Training) -> tuple[str, ...]:
    """The non-combat skills of a fighter in this campaign."""
    known = [name for name, rating in training.skills if rating and known_skill(rules, name) is not None]
    return tuple([name for name in known if not for_combat(rules, name)])


def _foe(rules: Ruleset, fight: Fight, fighter: Fighter, name: str, alone: Alone) -> Foe:
    foe, weapon = fight.one(name), fighter.weapon
    metres = apart(fighter, foe)
    facts = Facts(  # what decides whether a weapon can be used on somebody at all
        body=fighter.profile.body,
        metres=metres,
        free_hand=alone.free_hand,
        throws=throws_further(rules, fighter, fighter.in_hand) if fighter.profile.feats else 0,
    )
    near, seen = metres <= REACH + alone.me.walk, not fight.hiding or fight.sees(fighter.name, name)
    other = foe if isinstance(foe, Fighter) else None
    through = weapon.close or not fight.powers or not walled(rules, fight, fighter.name)
    return Foe(
        name,
        metres,
        near and seen,
        other is not None,
        other is not None and near_enough(rules, fight.close_in(fighter, other)),
        seen and through and can_use(rules, weapon, facts),
        tuple([place for place in alone.others if seen and can_use(rules, fighter.profile.weapons[place], facts)]),
        other is not None and other.in_hand > 0,
        other.weapon_arm if other is not None else "right arm",
        seen and metres <= alone.throws,
        foe.at if fighter.at is not None else None,
    )


def _drawable(fighter: Fighter) -> tuple[int, ...]:
    """Weapons carried but not in hand, ready to use."""
    weapons = fighter.profile.weapons
    ready = [place for place, weapon in enumerate(weapons) if not weapon.magazine or gone(fighter, place) < weapon.magazine]
    return tuple([place for place in ready if place not in (0, fighter.in_hand, fighter.off_hand, *fighter.lost)])


# --- shields ------------------------------------------------------------------------------------------------------------------


def shield_options(fighter: Fighter) -> tuple[Option[Location], ...]:
    """Locations that a shield can cover besides its arm."""
    parts = [location for location in LOCATIONS if location not in (fighter.worn.shield_arm, "vital")]
    return tuple([Option(location, location.capitalize(), location) for location in parts])


def raise_shield(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """Asks which other location the shield protects, every round (ruling)."""
    fighter = fight.fighter(name)
    worn = fighter.worn
    if not worn.shield or not fighter.body.usable(worn.shield_arm):
        return fight.put(replace(fighter, worn=replace(worn, covers=None))) if worn.covers else fight
    about = Situation(fight, name, rules)
    covers = yield from Choice(name, "Which other part does your shield protect?", shield_options(fighter), about, "shield")
    return fight.put(replace(fighter, worn=replace(worn, covers=covers)))
