"""Who fights, and what stands at every count: people, what they have in hand, what they are doing, and until when."""

from fractions import Fraction
from math import ceil, floor, hypot
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.rules import Ruleset
from rulewright.systems.hybrid.characters import Character, Person
from rulewright.systems.hybrid.combat import Guard, defense_value, dodge_phase
from rulewright.systems.hybrid.energy import Energy
from rulewright.systems.hybrid.gear import ARMOUR, SPELLS, WEAPONS
from rulewright.systems.hybrid.injury import Body, DamageType, Plate, shock_modifier
from rulewright.systems.hybrid.modifiers import Condition, condition_modifier, environment_modifiers
from rulewright.systems.hybrid.perception import Watcher
from rulewright.systems.hybrid.resolution import Check, Mod
from rulewright.systems.hybrid.skills import use_check

REACH = 2.0
"""Metres at which hand weapons reach."""
NEXT_TO = 1.0
NATURAL = ("fist", "kick")
ACROBATICS = ("Acrobatics", "Tumbling", "Gymnastics")
PERCEPTION = ("Combat Perception", "General Perception", "Perception")

Deed = Literal[
    "attack",
    "approach",
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
    "wait",
    "pass",
]
Way = Literal["", "all out", "advance", "retreating", "evading", "spinning", "jumping", "rushed", "set up", "lob", "both hands"]


class Arm(Struct, frozen=True, cache_hash=True):
    """A weapon, a spell or bare hands, as somebody uses it: the check before any situation, and what a hit does."""

    name: str
    check: Check
    use: Literal["melee", "thrown", "missile", "spell"] = "melee"
    rank: int | None = None
    type: DamageType = "crushing"
    length: int = 0
    speed: int = 4
    dice: tuple[int, ...] = (4,)
    flat: int = 0
    range: int = 0
    shield: bool = False
    mental: bool = False
    cost: int = 0
    """Mental fatigue that a spell costs."""

    @property
    def natural(self) -> bool:
        """Whether it cannot be dropped or lost."""
        return self.name in NATURAL or self.use == "spell"


class Profile(Struct, frozen=True, cache_hash=True):
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
    grapple: Check = Check(12)
    acrobatics: Check | None = None
    ambidextrous: bool = False


class Doing(Struct, frozen=True, cache_hash=True):
    """What is under way: begun at a count, taking effect at the count its doer has next."""

    what: Deed
    target: str = ""
    began: int = 0
    way: Way = ""
    called: str = ""
    arm: int = 0
    share: tuple[int, int] = (1, 1)

    def words(self) -> str:
        """For people, without what only the doer knows."""
        return f"{self.what} {self.target}".strip()


class Fighter(Struct, frozen=True, cache_hash=True):
    """Somebody in a fight, as they stand at a count."""

    profile: Profile
    body: Body
    x: float = 0.0
    y: float = 0.0
    at: int = 0
    """The count on which they decide, or what they do takes effect."""
    doing: Doing | None = None
    points: int = 0
    """Speed points."""
    in_hand: int = 0
    lost: tuple[int, ...] = ()
    entered: bool = False
    aware: bool = False
    waiting: bool = False
    """Whether they wait for one certain thing: to be attacked."""
    evading: bool = False
    all_out: bool = False
    advancing: bool = False
    retreating: bool = False
    inside: tuple[str, ...] = ()
    """Whose longer weapons they have got past."""
    holding: str = ""
    hold: int = 0
    bound_with: str = ""
    off_balance: int = 0
    fooled_by: str = ""

    @property
    def name(self) -> str:
        """Who it is."""
        return self.profile.name

    @property
    def side(self) -> str:
        """Whose side they are on."""
        return self.profile.side

    @property
    def arm(self) -> Arm:
        """What is in hand."""
        return self.profile.arms[self.in_hand]

    def distance(self, other: "Fighter") -> float:
        """Metres between two people."""
        return hypot(self.x - other.x, self.y - other.y)


class Ground(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """Where it happens."""

    surroundings: tuple[str, ...] = ()
    """Rows of the table of surroundings that hold for everybody."""
    unwary: str = ""
    """A side that is not alert when the scene begins."""


class Fight(Struct, frozen=True, cache_hash=True):
    """A fight at a count."""

    ground: Ground
    fighters: tuple[Fighter, ...]
    count: int = 0
    seconds: int = 50

    def fighter(self, name: str) -> Fighter:
        """Somebody by name."""
        for one in self.fighters:
            if one.profile.name == name:
                return one
        raise KeyError(name)

    def having(self, changed: Fighter) -> "Fight":
        """The same fight with somebody changed."""
        return replace(self, fighters=tuple([changed if one.profile.name == changed.profile.name else one for one in self.fighters]))

    def change(self, name: str, **changes: Any) -> "Fight":
        """The same fight with some fields of somebody changed."""
        return self.having(replace(self.fighter(name), **changes))

    def holder(self, name: str) -> Fighter | None:
        """Who holds somebody."""
        return next((one for one in self.fighters if one.holding == name and one.hold and one.body.awake), None)

    def able(self, rules: Ruleset, one: Fighter) -> bool:
        """Whether somebody can act: awake, and not held so fast that nothing is left to do."""
        from rulewright.systems.hybrid.maneuvers import subdues

        if not one.body.awake:
            return False
        holder = self.holder(one.profile.name)
        return holder is None or not subdues(rules, holder.hold, one.body.pst)

    def enemies(self, rules: Ruleset, one: Fighter) -> tuple[Fighter, ...]:
        """Those of other sides who can still act."""
        return tuple(other for other in self.fighters if other.side != one.side and self.able(rules, other))


# --- entering -----------------------------------------------------------------------------------------------------------------


def enter(rules: Ruleset, character: Character, name: str, side: str, at: tuple[float, float] = (0.0, 0.0)) -> Fighter:
    """Somebody as they come into a fight, from their file."""
    person = Person.of(rules, character)
    plates = tuple(ARMOUR.get(rules, worn) for worn in character.gear.armour)
    clumsy = sum(plate.agility for plate in plates)
    stat = person.stat
    worn = character.worn
    body = Body(
        name,
        max(0, stat("PBD") - worn.pbd),
        stat("PBD"),
        Energy(max(0, stat("PFT") - worn.pft), max(0, stat("PEX") - worn.pex), stat("PFT"), stat("PEX")),
        max(0, stat("MBD") - worn.mbd),
        stat("MBD"),
        Energy(max(0, stat("MFT") - worn.mft), max(0, stat("MEX") - worn.mex), stat("MFT"), stat("MEX")),
        stat("PST"),
        stat("PEN"),
        stat("PAG") + clumsy,
        stat("MEN"),
        stat("MAG"),
        tuple(Plate(plate.armour, plate.covers, tuple(sorted(plate.stops.items()))) for plate in plates),
    )
    looks = next((skill for skill in PERCEPTION if person.rank(skill) is not None), "")
    rolls = next((skill for skill in ACROBATICS if person.rank(skill) is not None), "")
    profile = Profile(
        name,
        side,
        _arms(rules, person, character),
        Watcher(stat("PAW"), person.rank(looks) if looks else None, name=name),
        stat("PSPD"),
        stat("PDF") + clumsy,
        stat("MDF"),
        stat("PSE"),
        stat("MST"),
        float(person.statistics["PMV"].value),
        use_check(rules, person.use(rules, "Unarmed Combat", ("PCA",))),
        use_check(rules, person.use(rules, rolls, ("PAG",))) if rolls else None,
        any(gift.name.lower().startswith("ambidext") for gift in character.gifts),
    )
    return Fighter(profile, body, float(at[0]), float(at[1]))


def _arms(rules: Ruleset, person: Person, character: Character) -> tuple[Arm, ...]:
    """Everything to fight with: weapons in the order of the file, spells that harm, bare hands."""
    found = []
    for name in (*character.gear.weapons, *NATURAL):
        row = WEAPONS.get(rules, name)
        base = "PCA" if row.use == "melee" else "ACC"
        check = use_check(rules, person.use(rules, row.skill, (base,)))
        flat = row.base + floor(Fraction(str(row.strike)) * person.stat("PSE"))
        found.append(
            Arm(name, check, row.use, person.rank(row.skill), row.type, row.length, row.speed, row.dice, flat, row.range, row.shield)
        )
    for name in character.gear.spells:
        spell = SPELLS.get(rules, name)
        if not spell.dice:
            continue
        skill = f"Magic: {spell.field}"
        check = use_check(rules, person.use(rules, skill, ("MCA" if spell.mental else "NRG",), spell.df))
        flat = floor(Fraction(str(spell.strike)) * person.stat("MSE"))
        kind: DamageType = spell.type or "energy"
        found.append(
            Arm(
                name,
                check,
                "spell",
                person.rank(skill),
                kind,
                0,
                spell.speed,
                spell.dice,
                flat,
                spell.range,
                mental=spell.mental,
                cost=spell.mft,
            )
        )
    return tuple(found)


# --- what bears on a roll -----------------------------------------------------------------------------------------------------


def situation(rules: Ruleset, fight: Fight, one: Fighter, offensive: bool = True) -> int:
    """What wounds, shock, balance, surroundings, pressing and giving way add to everything somebody does."""
    body = one.body
    state = Condition(body.pbd, body.pbd_full, body.mbd, body.mbd_full, body.energy.exhaustion, body.mind.exhaustion)
    total = condition_modifier(rules, state).value + shock_modifier(rules, body.shock).value + one.off_balance
    total += sum(mod.value for mod in environment_modifiers(rules, fight.ground.surroundings)) if fight.ground.surroundings else 0
    return total + stance(rules, one, offensive).value


def stance(rules: Ruleset, one: Fighter, offensive: bool) -> Mod:
    """What pressing or giving way adds to attacks, or to defenses."""
    from rulewright.systems.hybrid.combat import advance, retreat

    total = advance(rules, offensive).value if one.advancing else 0
    total += retreat(rules, offensive).value if one.retreating else 0
    return Mod("stance", total)


def guard_of(rules: Ruleset, one: Fighter, now: int, crouching: bool = False) -> Guard:
    """How somebody stands or moves at a count."""
    doing = one.doing
    if one.all_out:
        return "none"
    if doing is not None and doing.what == "dodge":
        return dodge_phase(rules, now - doing.began)
    if doing is not None and doing.what == "drop prone":
        return "dropping"
    if one.body.prone:
        return "prone"
    if one.evading:
        return "evading"
    return "crouching" if crouching else "normal"


def defense_of(rules: Ruleset, one: Fighter, now: int, mental: bool = False, crouching: bool = False) -> int:
    """What an attack on somebody loses at this count."""
    value = one.profile.mdf if mental else one.profile.pdf
    doing = one.doing
    more = 3 if doing is not None and doing.what == "dodge" and doing.way == "evading" else 0
    aware = one.aware and one.body.awake
    return max(0, defense_value(rules, value, guard_of(rules, one, now, crouching), aware, stance(rules, one, False).value + more).value)


def range_modifier(arm: Arm, metres: float) -> int:
    """One off for every full stretch beyond the first."""
    if arm.use == "melee" or not arm.range:
        return 0
    return -max(0, ceil(metres / arm.range) - 1)


def may_react(rules: Ruleset, fight: Fight, one: Fighter) -> bool:
    """Whether somebody can still meet an attack with more than their defense."""
    helpless = one.doing is not None and one.doing.what in ("dodge", "drop prone")
    return one.entered and one.aware and fight.able(rules, one) and not one.all_out and not helpless
