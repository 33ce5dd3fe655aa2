"""Step one of a round: who declares when, and what can be declared (book lines 4192-4208)."""

from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from rulewright.play import Choice, Option, Play, Prospect, Roll, Together
from rulewright.rules import Ruleset, instead_of, rule
from rulewright.systems.ore.combat.abilities import run_metres
from rulewright.systems.ore.combat.attacks import can_use
from rulewright.systems.ore.combat.fighters import REACH, Act, Fight, Fighter, Kind, Situation, facts_of
from rulewright.systems.ore.combat.reach import near_enough
from rulewright.systems.ore.drama.points import fortunate_test
from rulewright.systems.ore.fight.gunfire import ENDLESS, can_reload, can_suppress, gone, loaded, pairs, volleys
from rulewright.systems.ore.gear.armour import DAMAGE_CLASSES
from rulewright.systems.ore.gear.weapons import Weapon, can_thrust
from rulewright.systems.ore.harm.body import legs
from rulewright.systems.ore.harm.endurance import BOXES
from rulewright.systems.ore.harm.locations import LOCATIONS, Location, anatomy, uses_locations
from rulewright.systems.ore.resolution.readings import BestFor
from rulewright.systems.ore.resolution.tests import Pool, thrown

FIVE_DICE = (Pool(5),)
CHARGE = 5
"""Metres that somebody must cross for a charge (ruling: fifteen feet, by the feat that does without them)."""
Score = tuple[int, ...]
"""Compared place by place; the lowest declares first."""


# --- who declares when --------------------------------------------------------------------------------------------------------


@rule("ore-4.02-initialisation")
def initiative(rules: Ruleset, insight: int = 2, perception: int = 0, psyche: int = 2, rolled: tuple[int, int] = (0, 0)) -> Score:
    """The Initiative Score is Insight; Perception breaks ties, then Psyche. The lowest declares first, the highest last."""
    return insight, perception, psyche


@rule("ore-4.02-opt01-random-initiative")
@instead_of(initiative, "random-initiative")
def rolled_initiative(rules: Ruleset, insight: int = 2, perception: int = 0, psyche: int = 2, rolled: tuple[int, int] = (2, 5)) -> Score:
    """The Width of the set that was rolled for it, ties broken by Height; no set is 0 (ruling)."""
    return rolled


@rule("ore-4.02-opt01-random-initiative")
def rolls_initiative(rules: Ruleset) -> bool:
    """Whether anybody rolls for initiative: nobody does."""
    return False


@rule("ore-4.02-opt01-random-initiative")
@instead_of(rolls_initiative, "random-initiative")
def everybody_rolls(rules: Ruleset) -> bool:
    """Everybody but mooks rolls once, and again when an action was spent on getting one's bearings."""
    return True


@rule("ore-4.02-opt01-random-initiative")
def roll_initiative(
    rules: Ruleset, pools: tuple[Pool, ...] = FIVE_DICE, names: tuple[str, ...] = ("",)
) -> Play[tuple[tuple[int, int], ...]]:
    """Insight and the highest combat skill, whatever weapon is in hand; the widest set counts, with its Height."""
    dice = [thrown(rules, pool) for pool in pools]
    rolls = [Roll(BestFor(each, "widest"), name, "initiative") for each, name in zip(dice, names, strict=True) if each is not None]
    fell = list((yield from Together(tuple(rolls)))) if rolls else []
    return tuple([(fell.pop(0) or (0, 0)) if each is not None else (0, 0) for each in dice])


def score(rules: Ruleset, fighter: Fighter) -> Score:
    """Somebody's place in the order of declarations."""
    profile = fighter.profile
    return initiative(rules, profile.insight, profile.perception, profile.psyche, fighter.initiative)


@rule("ore-4.02-initialisation")
def order_of(rules: Ruleset, fight: Fight) -> tuple[str, ...]:
    """Everybody who can act, the lowest Initiative first; mooks have none and come before all (ruling, printed for rolled initiative)."""
    able = [fighter for fighter in fight.fighters if fighter.able]
    people = sorted(able, key=lambda fighter: score(rules, fighter))
    return (*[group.name for group in fight.groups if group.able], *[fighter.name for fighter in people])


def take_initiative(rules: Ruleset, fight: Fight, names: tuple[str, ...]) -> Play[Fight]:
    """These people roll for initiative, or roll again."""
    turning = [name for name in names if fight.fighter(name).luck or fight.fighter(name).drama]
    plain = tuple([name for name in names if name not in turning])
    found = yield from roll_initiative(rules, tuple([fight.fighter(name).profile.wits for name in plain]), plain)
    for name, came in zip(plain, found, strict=True):
        fight = fight.change(name, initiative=came)
    for name in turning:
        fighter = fight.fighter(name)
        body, rolled = yield from fortunate_test(rules, fighter.body, fighter.profile.wits, by=name, what="initiative")
        fight = fight.put(replace(fighter, body=body, initiative=(rolled.width, rolled.height)))
    return fight


# --- what can be declared -----------------------------------------------------------------------------------------------------


class Declarable(Struct, frozen=True):
    """What somebody can do this round, as keys that stand in records; a plus joins several actions."""

    key: str
    label: str
    acts: tuple[Act, ...]


def declare(rules: Ruleset, fight: Fight, name: str) -> Play[tuple[Act, ...]]:
    """Somebody announces everything that he does this round."""
    options = options_for(rules, fight, name)
    return (yield from Choice(name, "What do you do?", options, Situation(fight, name, rules), "act"))


class Able(Struct, frozen=True, cache_hash=True):
    """What somebody's choice of actions depends on."""

    in_hand: int
    armed: bool
    downed: bool
    held: bool
    holds: str
    away: bool
    burning: bool
    lost: tuple[int, ...]
    taken: tuple[int, ...]
    aim: int
    feints: int
    against: str
    loaded: int = ENDLESS
    can_reload: bool = True
    depleted: bool = False
    off_hand: int = 0
    """A second weapon that can be used beside the one in hand."""
    can_dive: bool = False
    interposes: bool = False
    """Whether there is something to parry with."""


class Foe(Struct, frozen=True, cache_hash=True):
    """An enemy as far as it matters to what can be done to him."""

    name: str
    metres: int
    near: bool
    """Whether one can walk up to him and strike, all in one round."""
    person: bool
    close_in: bool
    usable: bool
    """Whether the weapon in hand can be used on him."""
    others: tuple[int, ...]
    """Further weapons that could be drawn and used on him."""
    armed: bool
    weapon_arm: Location = "right arm"


def options_for(rules: Ruleset, fight: Fight, name: str) -> tuple[Option[tuple[Act, ...]], ...]:
    """Everything that somebody could declare."""
    fighter = fight.fighter(name)
    foes = tuple([_foe(rules, fight, fighter, foe) for foe in fight.foes(fighter.side)])
    holds = next((each.name for each in fight.fighters if each.held_by == name and each.able), "")
    able = Able(
        fighter.in_hand,
        fighter.hand != "none",
        fighter.downed,
        bool(fighter.held_by),
        holds,
        bool(foes) and all(foe.metres > REACH for foe in foes),
        bool(fighter.body.burning),
        fighter.lost,
        fighter.taken,
        fighter.aim,
        fighter.feints,
        fighter.against,
        loaded(fighter),
        can_reload(rules, fighter.weapon, fighter.profile.body),
        fighter.stamina.boxes == len(BOXES),
        pairs(rules, fighter),
        bool(fight.ground.cover) and not fighter.cover.any,
        fighter.interposes,
    )
    return _options(rules, fighter.profile.weapons, able, foes)


def _foe(rules: Ruleset, fight: Fight, fighter: Fighter, name: str) -> Foe:
    group, metres = fight.group(name), fight.distance(fighter.name, name)
    facts = facts_of(rules, fight, fighter, Act("attack", name))
    usable = can_use(rules, fighter.weapon, facts)
    others = tuple([place for place in _drawable(fighter) if can_use(rules, fighter.profile.weapons[place], facts)])
    if group is not None:
        return Foe(name, metres, True, False, False, usable, others, False)
    other = fight.fighter(name)
    near = metres <= REACH + (0 if fighter.downed or fighter.held_by else run_metres(rules, 0, legs(fighter.body)))
    return Foe(
        name, metres, near, True, near_enough(rules, fight.close_in(fighter, other)), usable, others, other.in_hand > 0, other.weapon_arm
    )


def _drawable(fighter: Fighter) -> list[int]:
    """The weapons that are carried but not in hand, and ready to be used."""
    weapons = fighter.profile.weapons
    ready = [place for place, weapon in enumerate(weapons) if not weapon.magazine or gone(fighter, place) < weapon.magazine]
    return [place for place in ready if place not in (0, fighter.in_hand, *fighter.lost)]


@lru_cache(maxsize=20_000)
def _options(rules: Ruleset, weapons: tuple[Weapon, ...], able: Able, foes: tuple[Foe, ...]) -> tuple[Option[tuple[Act, ...]], ...]:
    weapon = weapons[able.in_hand]
    found: list[Declarable] = []
    if able.depleted:  # too tired for anything
        return _as_options([_one("pass", "Do nothing")])
    if able.held:
        return _as_options([_one("escape", "Break free"), _one("pass", "Do nothing")])
    if able.holds:
        found += [_at("strangle", able.holds, "head"), _at("let go", able.holds), _one("pass", "Hold on")]
        return _as_options(found)
    if able.downed:
        found.append(_one("stand", "Stand up"))
    for foe in foes:
        found += _at_once(weapons, able, foe)
        if able.armed and foe.usable and able.loaded and (foe.near or not weapon.close):
            found += _attacks(rules, weapon, able, foe, foes)
        if able.armed and foe.usable and weapon.close and not able.downed and foe.metres >= REACH + CHARGE:
            found.append(_pair("charge", "attack", foe.name))
    if not able.downed:
        found.append(_one("dodge", "Dodge"))
        if able.can_dive:
            found.append(_one("dive", "Dive for cover"))
    if able.interposes:
        found.append(_one("parry", "Parry"))
    if able.armed and weapon.close and any(foe.person and not foe.close_in for foe in foes):
        found.append(_one("fend off", "Fend off whoever closes in"))
    if able.away and not able.downed:
        found.append(_one("run", "Run at the enemy"))
    there = [place for place in range(len(weapons)) if place not in (able.in_hand, *able.taken)]
    found += [_draw(place, weapons[place].name, place in able.lost) for place in there]
    if able.armed and able.loaded and foes and can_suppress(rules, weapon):
        act = Act("suppress", mode="suppressive")
        found.append(Declarable("suppress", "Lay the area under fire", (act,)))
    if able.armed and able.loaded != ENDLESS and able.loaded < weapon.magazine and able.can_reload:
        found.append(_one("reload", f"Reload the {weapon.name}" if weapon.gun else f"Set the {weapon.name}"))
    if able.burning:
        found.append(_one("put out the fire", "Put out the fire"))
    if rolls_initiative(rules):
        found.append(_one("get bearings", "Get your bearings"))
    return _as_options([*found, _one("pass", "Do nothing")])


def _at_once(weapons: tuple[Weapon, ...], able: Able, foe: Foe) -> list[Declarable]:
    """Attacks with something else in one: with a weapon that is drawn for it, or after a leap to one's feet."""
    found = []
    near = foe.near
    for place in foe.others:
        if able.armed and (near or not weapons[place].close):
            acts = (Act("draw", weapon=place), Act("attack", foe.name))
            label = f"Draw the {weapons[place].name} and attack {foe.name}"
            found.append(Declarable(f"draw+attack:{weapons[place].name}:{foe.name}", label, acts))
    if able.downed and able.armed and able.loaded and foe.usable and (near or not weapons[able.in_hand].close):
        found.append(_pair("kip up", "attack", foe.name))
    return found


def _attacks(rules: Ruleset, weapon: Weapon, able: Able, foe: Foe, foes: tuple[Foe, ...]) -> list[Declarable]:
    """Everything that can be done to an enemy with the weapon in hand."""
    name = foe.name
    found = [_at("attack", name), Declarable(f"wait:{name}", f"Wait, then attack {name}", (Act("attack", name, wait=True),))]
    if "half-sword" in weapon.traits:
        act = Act("attack", name, grip="two hands")
        found.append(Declarable(f"two hands:{name}", f"Attack {name} with both hands on the {weapon.name}", (act,)))
    if rules.on("damage-classes"):
        for code in weapon.classes[1:]:
            label = f"Attack {name} for {DAMAGE_CLASSES.get(rules, code).name.lower()} damage"
            found.append(Declarable(f"attack {code}:{name}", label, (Act("attack", name, damage_class=code),)))
    if able.off_hand:
        act = Act("attack", name, off_hand=able.off_hand)
        found.append(Declarable(f"two weapons:{name}", f"Attack {name} with both weapons", (act,)))
    if not able.downed:
        found.append(_pair("attack", "dodge", name))
    if able.interposes:
        found.append(_pair("attack", "parry", name))
    if weapon.close:
        found.append(Declarable(f"attack twice:{name}", f"Attack {name} twice", (Act("attack", name),) * 2))
        near = [each.name for each in foes if each.usable and each.near and each.name > name]
        found += [Declarable(f"attack:{name}+{other}", f"Attack {name} and {other}", _both(name, other)) for other in near]
        if able.feints < 2 or able.against != name:
            found.append(_at("feint", name))
        if weapon.kind == "close" and can_thrust(rules, weapon.style):
            found.append(_at("thrust", name))
        if foe.person:
            found += _on_a_person(rules, weapon, foe)
    else:
        others = tuple([(each.name, abs(each.metres - foe.metres)) for each in foes if each.usable and each.name > name])
        found += [Declarable(*volley) for volley in volleys(rules, weapon, able.loaded, name, others)]
        if able.aim < 2 or able.against != name:
            found.append(_at("aim", name))
    if foe.person:
        found += [_at("called shot", name, location) for location in _places(rules)]
    return found


def _both(one: str, other: str) -> tuple[Act, ...]:
    return Act("attack", one), Act("attack", other)


def _on_a_person(rules: Ruleset, weapon: Weapon, foe: Foe) -> list[Declarable]:
    """What can be done at arm's length to somebody with a name, beside striking him."""
    found = [_at("trip", foe.name), _at("tackle", foe.name)]
    if foe.armed:
        found.append(_at("disarm", foe.name, foe.weapon_arm))
    if rules.on("wounds") and weapon.kind == "close":
        found.append(_at("slash", foe.name))
    if foe.close_in:
        standing = Declarable(f"grapple standing:{foe.name}", f"Grapple {foe.name} on your feet", (Act("grapple", foe.name, upright=True),))
        found += [_at("push", foe.name), _at("grapple", foe.name), standing, _at("hold", foe.name)]
    else:
        found.append(_at("close in", foe.name))
    return found


def _as_options(found: list[Declarable]) -> tuple[Option[tuple[Act, ...]], ...]:
    """Each key once: of two weapons of one name the first is meant."""
    first = {each.key: each for each in reversed(found)}
    return tuple([_as_option(each) for each in found if first[each.key] is each])


ODDS_OF: frozenset[Kind] = frozenset(("attack", "called shot", "slash", "thrust"))
"""What can say beside it what it leads to."""


def _as_option(each: Declarable) -> Option[tuple[Act, ...]]:
    if len(each.acts) != 1 or each.acts[0].kind not in ODDS_OF or each.acts[0].mode != "single":
        return Option(each.key, each.label, each.acts)
    act = replace(each.acts[0], wait=False)

    def leads(about: Situation) -> Prospect | None:
        from rulewright.systems.ore.fight.prospects import prospect

        return prospect(about, act)

    return Option(each.key, each.label, each.acts, leads=leads)


_LABELS: dict[Kind, str] = {
    "called shot": "Called shot at",
    "slash": "Slash at",
    "thrust": "Thrust at",
    "aim": "Aim at",
    "feint": "Feint at",
    "let go": "Let go of",
    "close in": "Get inside the guard of",
}


def _one(kind: Kind, label: str) -> Declarable:
    return Declarable(kind, label, (Act(kind),))


def _at(kind: Kind, foe: str, location: Location | None = None) -> Declarable:
    where = f":{location}" if kind == "called shot" else ""
    whose = f"'s {location}" if kind == "called shot" else ""
    return Declarable(f"{kind}:{foe}{where}", f"{_LABELS.get(kind, kind.capitalize())} {foe}{whose}", (Act(kind, foe, location),))


def _pair(first: Kind, second: Kind, foe: str) -> Declarable:
    acts = (Act(first), Act(second, foe)) if second == "attack" else (Act(first, foe), Act(second))
    return Declarable(f"{first}+{second}:{foe}", f"{first.capitalize()} and {second}: {foe}", acts)


def _draw(place: int, name: str, lost: bool) -> Declarable:
    return Declarable(f"draw:{name}", f"{'Pick up' if lost else 'Take in hand'}: {name}", (Act("draw", weapon=place),))


@lru_cache(maxsize=256)
def _places(rules: Ruleset) -> tuple[Location, ...]:
    """What can be aimed at: the parts that have boxes, or all that the list of aimed blows knows."""
    if uses_locations(rules):
        return tuple([part.location for part in anatomy(rules)])
    return tuple([location for location in LOCATIONS if location != "torso"])


def shield_options(fighter: Fighter) -> tuple[Option[Location], ...]:
    """The parts of the body that a shield can cover beside the arm that carries it."""
    parts = [location for location in LOCATIONS if location not in (fighter.worn.shield_arm, "vital")]
    return tuple([Option(location, location.capitalize(), location) for location in parts])


def raise_shield(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """Before anybody rolls, whoever bears a shield names one further part of the body that it protects, anew each round (ruling)."""
    fighter = fight.fighter(name)
    worn = fighter.worn
    if not worn.shield or not fighter.body.usable(worn.shield_arm):
        return fight.put(replace(fighter, worn=replace(worn, covers=None))) if worn.covers else fight
    about = Situation(fight, name, rules)
    covers = yield from Choice(name, "What else does your shield protect?", shield_options(fighter), about, "shield")
    return fight.put(replace(fighter, worn=replace(worn, covers=covers)))
