"""Fighters: the people in a fight, their weapons, and their current action with its count."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.field import Spot
from rulewright.field.people import People, Somebody
from rulewright.grammar import the
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import OfSide
from rulewright.systems.hybrid.combat.arms import Arm, arms_of, filtered
from rulewright.systems.hybrid.combat.attacks import Guard, advance, defense_value, dodge_from_evasion, dodge_phase, retreat
from rulewright.systems.hybrid.combat.maneuvers import subdues
from rulewright.systems.hybrid.gear.items import ARMOUR
from rulewright.systems.hybrid.harm.damage import Body, Plate, shock_modifier
from rulewright.systems.hybrid.harm.energy import Energy
from rulewright.systems.hybrid.people.characters import Character, Person
from rulewright.systems.hybrid.people.movement import Mode
from rulewright.systems.hybrid.people.perception import Watcher
from rulewright.systems.hybrid.people.skills import Ranks, Use, use_check
from rulewright.systems.hybrid.people.statistics import OF_THE_MIND
from rulewright.systems.hybrid.resolution.modifiers import (
    Condition,
    Kind,
    condition_modifier,
    environment_modifiers,
    florentine,
    moving_modifier,
)
from rulewright.systems.hybrid.resolution.tests import Check, Mod

FULL_LIGHT = "full light"
"""What a lamp on a map makes of a dark place."""
REACH = 2.0
"""Metres at which hand weapons reach."""
NEXT_TO = 1.0
ACROBATICS = ("Acrobatics", "Tumbling", "Gymnastics", "Dodge")
"""Skills with which a person comes up from a dodge; the book names the last."""
PERCEPTION = ("Combat Perception", "General Perception", "Perception")

Deed = Literal[
    "attack",
    "cast",
    "approach",
    "go",
    "open",
    "shut",
    "draw",
    "drop weapon",
    "feint",
    "disarm",
    "overbear",
    "throw",
    "grapple",
    "tighten",
    "struggle",
    "let go",
    "free",
    "evade",
    "dodge",
    "drop prone",
    "rise",
    "retreat",
    "treat",
    "skill",
    "pick up",
    "look",
    "rest",
    "wait",
    "pass",
]
DEED_WORDS: dict[Deed, tuple[str, str]] = {
    "attack": ("attack", "attacks"),
    "cast": ("cast a spell on", "casts a spell on"),
    "approach": ("approach", "approaches"),
    "go": ("move", "moves"),
    "open": ("open", "opens"),
    "shut": ("shut", "shuts"),
    "draw": ("draw", "draws"),
    "drop weapon": ("drop the weapon", "drops the weapon"),
    "feint": ("feint at", "feints at"),
    "disarm": ("disarm", "tries to disarm"),
    "overbear": ("overbear", "tries to overbear"),
    "throw": ("throw", "tries to throw"),
    "grapple": ("grapple", "tries to grapple"),
    "tighten": ("tighten the hold", "tightens the hold"),
    "struggle": ("struggle", "struggles"),
    "let go": ("let go", "lets go"),
    "free": ("free the bound weapon", "tries to free the bound weapon"),
    "evade": ("evade", "evades"),
    "dodge": ("dodge", "dodges"),
    "drop prone": ("drop prone", "drops prone"),
    "rise": ("get up", "gets up"),
    "retreat": ("fall back", "falls back"),
    "treat": ("treat", "treats"),
    "skill": ("use a skill", "uses a skill"),
    "pick up": ("pick up", "picks up"),
    "look": ("look around", "looks around"),
    "rest": ("rest", "rests"),
    "wait": ("wait", "waits"),
    "pass": ("do nothing", "does nothing"),
}
"""Every action as an infinitive and as a statement about the person who acts."""
CONTINUING: frozenset[Deed] = frozenset(("approach", "go", "evade", "rest", "pass"))
"""Actions that go on until their count, where others take effect at it."""
Way = Literal["", "all out", "advance", "retreating", "evading", "spinning", "jumping", "rushed", "set up", "lob", "both hands"]


class Trained(Struct, frozen=True, cache_hash=True, gc=False):
    """A skill that is no fighting, as a person uses it."""

    skill: str
    check: Check
    kind: Kind = "physical"
    made: Use | None = None
    """What the check is made of, for the sums."""


class Profile(Struct, frozen=True, cache_hash=True, gc=False):
    """What does not change in a fight."""

    name: str
    side: str
    arms: tuple[Arm, ...]
    watcher: Watcher = Watcher()
    speed: int = 4
    pdf: int = 12
    mdf: int = 12
    pse: int = 6
    mst: int = 12
    pmv: float = 4.8
    acrobatics: Check | None = None
    ambidextrous: bool = False
    mental_speed: int = 4
    running: Check = Check(12)
    """What getting up to speed is rolled against."""
    senses: Watcher = Watcher()
    """How they notice what is beyond the senses, where minds clash."""
    first_aid: Check = Check(-3)
    """What stopping blood is rolled against."""
    full: tuple[Arm, ...] = ()
    """In strange surroundings: the same arms with all of one's ranks, for which a roll on the filter skill is needed."""
    filter: Check = Check(12)
    skills: tuple[Trained, ...] = ()
    made: tuple[tuple[str, Use], ...] = ()
    """What the checks of running, acrobatics and first aid are made of, for the sums."""

    def made_of(self, what: str) -> Use | None:
        """Returns the components of a check without a weapon; None if they are unknown."""
        return next((use for name, use in self.made if name == what), None)


class Doing(Struct, frozen=True, cache_hash=True, gc=False):
    """What is under way: begun at a count, taking effect at the count its doer has next."""

    what: Deed
    target: str = ""
    began: int = 0
    way: Way = ""
    called: str = ""
    arm: int = 0
    share: tuple[int, int] = (1, 1)
    hurled: bool = False
    """Whether a hand weapon is thrown."""
    also: tuple[Way, ...] = ()
    """The modes beside the first."""
    skill: str = ""
    """What is used, where it is no weapon, and how hard the gamemaster says it is."""
    difficulty: int = 0
    route: tuple[Spot, ...] = ()
    """The places that a person goes to, one after the other; only people who see it know of them."""

    @property
    def ways(self) -> tuple[Way, ...]:
        """All modes in which it is done."""
        return (self.way, *self.also) if self.way else ()

    def words(self) -> str:
        """The action as an infinitive, without what only the person who acts knows."""
        return f"use {self.skill}" if self.skill else f"{DEED_WORDS[self.what][0]} {self._object()}".strip()

    def says(self) -> str:
        """The action as a statement about the person who acts, without what only they know."""
        return f"uses {self.skill}" if self.skill else f"{DEED_WORDS[self.what][1]} {self._object()}".strip()

    def _object(self) -> str:
        """The target in a sentence: people by their names, doors and weapons with an article."""
        return the(self.target) if self.target and self.what in ("open", "shut", "pick up") else self.target


class Fighter(Somebody, frozen=True, cache_hash=True):
    """A person in a fight, as they stand at a count."""

    profile: Profile
    body: Body
    x: float = 0.0
    y: float = 0.0
    at: int = 0
    """The count on which they decide, or what they do takes effect."""
    doing: Doing | None = None
    pace: Mode = "no move"
    points: int = 0
    """Speed points."""
    late: int = 0
    """Counts lost while acting, by which the next initiative comes later."""
    in_hand: int = 0
    lost: tuple[int, ...] = ()
    """Weapons out of hand: dropped, thrown, struck away."""
    lies: tuple[tuple[int, float, float], ...] = ()
    """Where each of them lies that can be picked up."""
    entered: bool = False
    aware: bool = False
    waiting: bool = False
    """Whether they wait for one certain thing: to be attacked."""
    evading: bool = False
    all_out: Literal["", "body", "mind"] = ""
    """Which defense was given up for the attack."""
    advancing: bool = False
    retreating: bool = False
    inside: tuple[str, ...] = ()
    """Whose longer weapons they have got past."""
    holding: str = ""
    hold: int = 0
    bound_with: str = ""
    off_balance: int = 0
    fooled_by: str = ""
    ward: int = 0
    """What a ward takes off every blow."""
    ward_ends: int = 0
    strain: tuple[int, int] = (0, 0)
    """Parts of points of fatigue and exhaustion that moving about has cost."""
    left: str = ""
    """How a person left the fight by their own will: withdraw or surrender; empty if they have not."""

    @property
    def arm(self) -> Arm:
        """The weapon in hand."""
        return self.profile.arms[self.in_hand]

    def uses(self, doing: Doing) -> Arm:
        """Returns the weapon of an action, as a thrown one if it is thrown."""
        arm = self.profile.arms[doing.arm]
        return arm.hurled() if doing.hurled else arm

    @property
    def fists(self) -> Arm:
        """Bare hands, which everybody has."""
        return next(arm for arm in self.profile.arms if arm.name == "fist")

    def place(self, name: str) -> int:
        """Where a weapon or spell stands among what one has, the first of that name that is still there."""
        numbers = [place for place, arm in enumerate(self.profile.arms) if arm.name == name]
        return next((place for place in numbers if place not in self.lost), numbers[0])


class Ground(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """Where it happens."""

    surroundings: tuple[str, ...] = ()
    """Rows of the table of surroundings that hold for everybody."""
    unwary: OfSide = ""
    """A side that is not alert when the scene begins."""
    weightless: bool = False
    """Whether nothing pulls anybody down: then nobody drops prone."""
    minds: bool = False
    """Whether minds clash: then Mental Speed and Mental Awareness say who is ready when."""
    filter: str = ""
    """The filter skill that these surroundings call for (on horseback, without weight): ranks count up to its own."""


class Fight(People[Fighter], frozen=True, cache_hash=True):
    """A fight at a count."""

    ground: Ground
    fighters: tuple[Fighter, ...]
    count: int = 0
    seconds: int = 50

    def holder(self, name: str) -> Fighter | None:
        """A person who holds a person."""
        for fighter in self.fighters:
            if fighter.holding == name and fighter.hold and fighter.body.awake:
                return fighter
        return None

    def able(self, rules: Ruleset, fighter: Fighter) -> bool:
        """Whether a person can act: awake, and not held so fast that nothing is left to do."""
        if fighter.left or not fighter.body.awake:
            return False
        holder = self.holder(fighter.profile.name)
        return holder is None or not subdues(rules, holder.hold, fighter.body.pst)

    def around(self, fighter: Fighter) -> tuple[str, ...]:
        """The surroundings of a person: those of all, what the ground is like where they stand, and the light that falls there."""
        result = self.ground.surroundings
        if self.bare:
            return result
        spot = (fighter.x, fighter.y)
        here, light = self.field.terrain(spot), self.lit(spot)
        if light:
            result = tuple([text for text in result if not text.startswith("visibility")])
        return tuple(dict.fromkeys([*result, *[text for text in (here, light) if text and text != FULL_LIGHT]]))

    def enemies(self, rules: Ruleset, fighter: Fighter) -> tuple[Fighter, ...]:
        """Those of other sides who can still act and whom a person can see."""
        result = tuple(other for other in self.fighters if other.side != fighter.side and self.able(rules, other))
        return tuple([foe for foe in result if self.sees(fighter, foe)]) if self.hiding else result

    def known_enemies(self, rules: Ruleset, fighter: Fighter) -> tuple[Fighter, ...]:
        """Those of other sides who can still act and whom anybody on a person's side can see."""
        if not self.hiding:
            return self.enemies(rules, fighter)
        mates = [fighter, *[other for other in self.fighters if other.side == fighter.side and other.body.awake]]
        foes = [other for other in self.fighters if other.side != fighter.side and self.able(rules, other)]
        return tuple([foe for foe in foes if any(self.sees(mate, foe) for mate in mates)])


# --- entering -----------------------------------------------------------------------------------------------------------------


def enter(rules: Ruleset, character: Character, name: str, side: str, *, at: tuple[float, float] = (0.0, 0.0), filter: str = "") -> Fighter:
    """A person as they come into a fight, from their file; into surroundings that call for a filter skill, or into none."""
    whole = Person.of(rules, character)
    person = filtered(rules, whole, filter) if filter else whole  # eyes and first aid have nothing to do with it (ruling)
    clumsy = sum(ARMOUR.get(rules, worn).agility for worn in character.gear.armour)
    stat, body = person.stat, replace(body_of(rules, person, character), name=name)
    looks = next((skill for skill in PERCEPTION if person.rank(skill) is not None), "")
    rolls = next((skill for skill in ACROBATICS if person.rank(skill) is not None), "")
    made = {"running": _running(rules, person), "first aid": whole.use(rules, "First Aid")}
    if rolls:
        made["acrobatics"] = person.use(rules, rolls, ("PAG",))
    profile = Profile(
        name,
        side,
        arms_of(rules, person, character),
        _watcher(rules, whole, "PAW", looks, name),
        stat("PSPD"),
        pdf=stat("PDF") + clumsy,
        mdf=stat("MDF"),
        pse=stat("PSE"),
        mst=stat("MST"),
        pmv=float(person.statistics["PMV"].value),
        acrobatics=use_check(rules, made["acrobatics"]) if rolls else None,
        ambidextrous=any(gift.name.lower().startswith("ambidext") for gift in character.gifts),
        mental_speed=stat("MSPD"),
        running=use_check(rules, made["running"]).plus(df=clumsy),
        senses=_watcher(rules, whole, "MAW", looks, name),
        first_aid=use_check(rules, made["first aid"]),
        full=arms_of(rules, whole, character) if filter else (),
        filter=use_check(rules, whole.use(rules, filter)) if filter else Check(12),
        skills=_trained(rules, whole),
        made=tuple(made.items()),
    )
    return Fighter(profile, body, float(at[0]), float(at[1]))


def _trained(rules: Ruleset, person: Person) -> tuple[Trained, ...]:
    """Everything a person has a rank in, for tasks that are no fighting."""
    traineds = []
    for skill in sorted(person.ranks):
        of_mind = all(stat in OF_THE_MIND for stat in person.stats_of(rules, skill))
        use = person.use(rules, skill)
        traineds.append(Trained(skill, use_check(rules, use), "mental" if of_mind else "physical", use))
    return tuple(traineds)


def body_of(rules: Ruleset, person: Person, character: Character) -> Body:
    """A person's body and mind as their file has them: what is worn, and what scenes left (what of that cannot be is left out)."""
    plates = tuple(ARMOUR.get(rules, worn) for worn in character.gear.armour)
    stat, worn = person.stat, character.worn
    body = Body(
        character.name,
        pbd=max(0, stat("PBD") - worn.pbd),
        pbd_full=stat("PBD"),
        energy=Energy(max(0, stat("PFT") - worn.pft), max(0, stat("PEX") - worn.pex), stat("PFT"), stat("PEX")),
        mbd=max(0, stat("MBD") - worn.mbd),
        mbd_full=stat("MBD"),
        mind=Energy(max(0, stat("MFT") - worn.mft), max(0, stat("MEX") - worn.mex), stat("MFT"), stat("MEX")),
        pst=stat("PST"),
        pen=stat("PEN"),
        pag=stat("PAG") + sum(plate.agility for plate in plates),
        men=stat("MEN"),
        mag=stat("MAG"),
        armour=tuple(Plate(plate.armour, plate.covers, tuple(sorted(plate.stops.items()))) for plate in plates),
    )
    return after_scenes(body, character.condition)[0] if character.condition else body


LASTING = ("pbd", "mbd", "energy", "mind", "bleeding", "dead")
"""The fields of a body that outlast a scene."""


def after_scenes(body: Body, condition: Mapping[str, Any]) -> tuple[Body, dict[str, str]]:
    """A body with what scenes left of it, and what of that cannot be, with the reason."""
    from rulewright.scenes.scenarios import left_by_scenes

    return left_by_scenes(body, {field: value for field, value in condition.items() if field.partition(".")[0] in LASTING}, possible)


def possible(body: Body) -> Body:
    """A body that was described by hand, if there can be such a one."""
    counts = {f"energy.{field}": getattr(body.energy, field) for field in Energy.__struct_fields__}
    counts |= {f"mind.{field}": getattr(body.mind, field) for field in Energy.__struct_fields__}
    counts |= {"pbd": body.pbd, "mbd": body.mbd}
    for field, number in counts.items():
        if number < 0:
            raise UserError(f"{body.name}: {field} is at least 0, not {number}")
    return body


def _running(rules: Ruleset, person: Person) -> Use:
    """Getting up to speed, on PAG; everybody can run without a skill for it (ruling)."""
    use = person.use(rules, "Running", ("PAG",))
    return use if use.ranks.ranked else Use(use.stats, Ranks(0))


def _watcher(rules: Ruleset, person: Person, stat: str, skill: str, name: str) -> Watcher:
    """How well a person notices things; a general skill is one that covers much with little depth."""
    ranks = person.use(rules, skill).ranks if skill else Ranks()
    return Watcher(person.stat(stat), ranks.specific, name=name, general=ranks.general)


def checked(rules: Ruleset, fighter: Fighter) -> Fighter:
    """A fighter who was described by hand, if everything about them fits together."""
    body, arms = fighter.body, range(len(fighter.profile.arms))
    for place in (fighter.in_hand, *fighter.lost, fighter.doing.arm if fighter.doing is not None else 0):
        if place not in arms:
            raise UserError(f"{fighter.name}: there are {len(arms)} things to fight with, counted from 0, and none at {place}")
    if fighter.in_hand in fighter.lost:
        raise UserError(f"{fighter.name}: the {fighter.arm.name} cannot be in hand, it is lost")
    if body.pbd_full < 1 or body.mbd_full < 1:
        raise UserError(f"{fighter.name}: a body and a mind have at least 1 point")
    possible(body)
    counts = {"points": fighter.points, "late": fighter.late, "hold": fighter.hold, "ward": fighter.ward}
    for field, number in counts.items():
        if number < 0:
            raise UserError(f"{fighter.name}: {field} is at least 0, not {number}")
    if fighter.off_balance > 0:
        raise UserError(f"{fighter.name}: off_balance is a penalty, so it is 0 or less, not {fighter.off_balance}")
    shock_modifier(rules, body.shock)
    return fighter


def refuse_strangers(fight: Fight, described: Iterable[Fighter]) -> Fight:
    """A fight in which everybody takes part whom those deal with who were described by hand, and weapons are bound on both sides."""
    for candidate in described:
        target = candidate.doing.target if candidate.doing is not None and candidate.doing.what not in ("open", "shut") else ""
        for other in filter(None, (candidate.holding, candidate.bound_with, candidate.fooled_by, target, *candidate.inside)):
            fight.fighter(other)
        if candidate.name in (candidate.holding, candidate.bound_with):
            raise UserError(f"{candidate.name} cannot be their own opponent")
        if candidate.bound_with and fight.fighter(candidate.bound_with).bound_with != candidate.name:
            raise UserError(f"{candidate.name}: bound_with needs the same of {candidate.bound_with}, the other way round")
    return fight


# --- what bears on a roll -----------------------------------------------------------------------------------------------------


def condition_of(body: Body) -> Condition:
    """How body and mind stand, for what wounds and exhaustion cost."""
    return Condition(body.pbd, body.pbd_full, body.mbd, body.mbd_full, body.energy.exhaustion, mex=body.mind.exhaustion)


def situation(rules: Ruleset, fight: Fight, fighter: Fighter, offensive: bool | None = True, kind: Kind = "physical") -> int:
    """Sums the modifiers of wounds, shock, balance, surroundings, pressing and giving way to an action of body or mind.

    Whatever is done while evading is a second thing at the same time. What is neither attack nor defense (none) knows no pressing.
    """
    weaving = florentine(rules, "physical", kind).second.value if fighter.evading else 0
    return hindered(rules, fight, fighter, kind) + weaving + (stance(rules, fighter, offensive).value if offensive is not None else 0)


def hindered(rules: Ruleset, fight: Fight, fighter: Fighter, kind: Kind = "physical", awareness: bool = False) -> int:
    """Sums the penalties of wounds, shock, balance and surroundings."""
    body = fighter.body
    total = condition_modifier(rules, condition_of(body), kind, awareness).value + shock_modifier(rules, body.shock).value
    around = fight.around(fighter)
    total += moving_modifier(rules, fighter.pace, kind).value if fighter.pace != "no move" else 0
    return total + fighter.off_balance + (sum(mod.value for mod in environment_modifiers(rules, around, kind)) if around else 0)


def watching(rules: Ruleset, fight: Fight, fighter: Fighter, passing: bool = False) -> Watcher:
    """How well a person notices things as they stand: hurt, exhausted, in the dark, or busy with two things at once.

    What is noticed in passing knows nothing of things done at once.
    """
    minds = fight.ground.minds
    watcher = fighter.profile.senses if minds else fighter.profile.watcher
    busy = (
        not passing
        and fighter.doing is not None
        and ("both hands" in fighter.doing.ways or (fighter.evading and fighter.doing.what != "evade"))
    )
    less = hindered(rules, fight, fighter, "mental" if minds else "physical", awareness=True)
    less += florentine(rules).awareness.value if busy else 0
    return replace(watcher, modifier=watcher.modifier + less) if less else watcher


def speed_of(fight: Fight, fighter: Fighter) -> int:
    """Physical Speed, or Mental Speed where minds clash."""
    return fighter.profile.mental_speed if fight.ground.minds else fighter.profile.speed


def stance(rules: Ruleset, fighter: Fighter, offensive: bool) -> Mod:
    """The modifier of pressing or giving way to attacks, or to defenses."""
    total = advance(rules, offensive).value if fighter.advancing else 0
    total += retreat(rules, offensive).value if fighter.retreating else 0
    return Mod("stance", total)


def guard_of(rules: Ruleset, fighter: Fighter, now: int, crouching: bool = False, mental: bool = False) -> Guard:
    """How a person stands or moves at a count. Against minds only evading helps: dodges, crouches and falls are of the body."""
    doing = fighter.doing
    if fighter.all_out == ("mind" if mental else "body"):
        return "none"
    if mental:
        return "evading" if fighter.evading else "normal"
    if doing is not None and doing.what == "dodge":
        return dodge_phase(rules, now - doing.began)
    if doing is not None and doing.what == "drop prone":
        return "dropping"
    if fighter.body.prone:
        return "prone"
    if fighter.evading:
        return "evading"
    return "crouching" if crouching else "normal"


def defense_of(rules: Ruleset, fighter: Fighter, now: int, mental: bool = False, crouching: bool = False) -> int:
    """Returns the amount that an attack on a person loses at this count."""
    value = fighter.profile.mdf if mental else fighter.profile.pdf
    doing = fighter.doing
    more = stance(rules, fighter, offensive=False).value
    if doing is not None and doing.what == "dodge" and "evading" in doing.ways and not mental:
        more += dodge_from_evasion(rules).value
    aware = fighter.aware and fighter.body.awake
    return max(0, defense_value(rules, value, guard_of(rules, fighter, now, crouching, mental), aware, more).value)


def may_react(rules: Ruleset, fight: Fight, fighter: Fighter) -> bool:
    """Whether a person can still meet an attack with more than their defense."""
    helpless = fighter.doing is not None and fighter.doing.what in ("dodge", "drop prone")
    return fighter.entered and fighter.aware and fight.able(rules, fighter) and not fighter.all_out and not helpless
