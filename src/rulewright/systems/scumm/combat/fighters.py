"""People in a fight: what never changes while it lasts, and what does. All of it is plain, immutable and hashable.

Simulation makes millions of them. Nothing in them leads back to itself, so the garbage collector need not look at them (`gc=False`).
"""

from collections.abc import Iterable
from typing import Any, Literal, cast

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.ground import BARE
from rulewright.field.people import Somebody
from rulewright.highest_die.awareness import Fray
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import OfSide
from rulewright.systems.scumm.action.movement import Mode, fastest, rates
from rulewright.systems.scumm.gear.items import GUNS, MELEE, thrown_ranges
from rulewright.systems.scumm.harm.body import Location, Patient, possible
from rulewright.systems.scumm.people.characters import SKILLS, Character, Person, derived_of

Cover = Literal["none", "light cover", "heavy cover"]
COVERS: tuple[Cover, ...] = ("none", "light cover", "heavy cover")
"""From the least to the best."""
Light = Literal["normal", "very brightly or poorly lit", "very dimly lit", "completely dark"]
LIGHTS: tuple[Light, ...] = ("normal", "very brightly or poorly lit", "very dimly lit", "completely dark")
Trigger = Literal["acts", "moves"]
Kind = Literal[
    "shoot",
    "throw",
    "hit",
    "aim",
    "ready",
    "spray",
    "suppress",
    "clear",
    "draw",
    "reload",
    "stand",
    "drop",
    "pick up",
    "treat",
    "skill",
    "pass",
]
Lost = Literal["", "dropped", "away"]
CombatSkill = Literal["brawl", "melee", "pistols", "rifles", "throw"]
Ranges = tuple[int, int, int, int]

_CARRIED: Lost = ""
_DROPPED: Lost = "dropped"
REACH = 2.0
"""Metres within which blows can be exchanged, and just outside of which a shot counts as point blank."""
DOWN: frozenset[Mode] = frozenset(("prone", "crawling"))
STYLES = {"knife": "knives", "machete": "knives", "nightstick": "clubs", "baseball bat": "clubs", "fists": "striking"}
"""The specialization that a weapon falls under; one in the weapon itself counts as well."""


class Weapon(Struct, frozen=True, cache_hash=True, gc=False):
    """A weapon in a person's hands: its Damage Multiplier holds the wielder's strength already."""

    name: str
    skill: CombatSkill
    damage: int
    ranges: Ranges | None = None
    ammo: int = 0
    burst: bool = False
    throwable: bool = False

    @property
    def gun(self) -> bool:
        """Whether it is fired."""
        return self.skill in ("pistols", "rifles")


class Trained(Struct, frozen=True, cache_hash=True, gc=False):
    """A skill a person has, with the attribute that goes with it."""

    skill: str
    level: int
    attribute: int
    attribute_name: str


class Profile(Struct, frozen=True, cache_hash=True, gc=False):
    """What a fight does not change about a person."""

    name: str
    side: str
    alertness: int
    body: int
    spirit: int
    defense: int
    combat_sense: int
    unarmed: int
    armed: int
    brawl: int
    melee: int
    pistols: int
    rifles: int
    throw: int
    stealth: int
    notice: int
    weapons: tuple[Weapon, ...]
    sprint: int
    run: int
    walk: int
    crawl: int
    specializations: tuple[tuple[str, tuple[str, ...]], ...] = ()
    trained: tuple[Trained, ...] = ()
    intelligence: int = 0

    def level(self, skill: CombatSkill) -> int:
        """The level of a combat skill."""
        return int(getattr(self, skill))

    def specialized(self, skill: str, *used: str) -> str:
        """The specialization that fits what is used, or nothing."""
        meant = {name.casefold() for name in used}
        for name, owned in self.specializations:
            if name == skill:
                return next((special for special in owned if special.casefold() in meant), "")
        return ""

    def pace(self, mode: Mode) -> int:
        """Metres a round in this mode."""
        return {"prone": self.crawl, "crawling": self.crawl, "normal": self.walk, "running": self.run, "sprinting": self.sprint}[mode]


class Ready(Struct, frozen=True):
    """A held action: what it waits for, of whom ("" for anyone), and the extra actions that weigh on it this round."""

    trigger: Trigger = "acts"
    of: str = ""
    extra: int = 0


class Fighter(Somebody, frozen=True, cache_hash=True, gc=False):
    """A person in the fight, in their current state."""

    profile: Profile
    body: Patient
    x: float = 0.0
    y: float = 0.0
    mode: Mode = "normal"
    cover: Cover = "none"
    in_hand: int = 0
    ammo: tuple[int, ...] = ()
    jammed: tuple[bool, ...] = ()
    gone: tuple[Lost, ...] = ()
    """What became of each weapon: "" is still carried, "dropped" lies at hand, "away" is out of reach."""
    aim: int = 0
    aim_at: str = ""
    initiative: int = 0
    acts: int = 0
    fumbled: bool = False
    initiative_modifier: int = 0
    """What a fumbled defense does to the next initiative test."""
    attacked_by: tuple[str, ...] = ()
    free_strikes: int = 0
    grappling: str = ""
    ready: Ready | None = None
    unwary: bool = False
    hidden: bool = False
    pinned: bool = False
    intoxicated: int = 0
    off_hand: bool = False
    rose: bool = False
    """Got up since the last move: nobody sprints in the round after lying or crawling."""
    shot_at: tuple[tuple[int, str], ...] = ()
    """Whom each burst-capable weapon was fired at this round: nobody is sprayed who was."""
    sprayed: tuple[tuple[int, str], ...] = ()
    """Whom each weapon has sprayed this round: it is not fired at them again."""
    special_attack: int = 0
    """What special circumstances do to their attacks, as the gamemaster judges them."""
    special_defense: int = 0
    treating: str = ""
    """Whose life they are trying to save, and for how many rounds they have worked on it."""
    treated: int = 0

    @property
    def weapon(self) -> Weapon:
        """The weapon in hand; the first of all weapons is the bare fist."""
        return self.profile.weapons[self.in_hand]

    @property
    def loaded(self) -> bool:
        """Whether the gun in hand can be fired."""
        return self.weapon.gun and self.ammo[self.in_hand] > 0 and not self.jammed[self.in_hand]

    def with_body(self, body: Patient) -> "Fighter":
        """After an injury: who is out of the fight holds no action, who cannot stand falls, and useless arms hold no weapon."""
        changes: dict[str, Any] = {"body": body}
        if not body.able:
            if self.ready is not None:
                changes["ready"] = None
        else:
            if self.mode not in DOWN and fastest(body) == "crawling":
                changes.update(mode="prone", aim=0, aim_at="")
            if self.in_hand and body.limbs and not hands(body):
                changes.update(in_hand=0, aim=0, aim_at="", gone=_with(self.gone, self.in_hand, _DROPPED))
        return replace(self, **changes)

    @classmethod
    def of(cls, rules: Ruleset, character: Character) -> "Fighter":
        """A character ready to fight, on a side of their own."""
        return enter(rules, character, character.name, character.name)


@cached(50_000)
def one_of(fighter: Fighter) -> Fighter:
    """The same person as one object wherever it comes from: what is looked up by it is then found without looking at every field."""
    return fighter


def _with(gone: tuple[Lost, ...], at: int, lost: Lost) -> tuple[Lost, ...]:
    return (*gone[:at], lost, *gone[at + 1 :])


def hands(body: Patient) -> int:
    """How many arms can be used."""
    return 2 - sum(limb.useless for limb in body.limbs if limb.limb in ("left arm", "right arm"))


def weapons_of(rules: Ruleset, person: Person) -> tuple[Weapon, ...]:
    """Bare fists first, then everything the person carries."""
    values = derived_of(rules, person)
    weapons = [Weapon("fists", "brawl", values["unarmed_damage"].value)]
    for name in person.gear.melee:
        row = MELEE.get(rules, name)
        reach = thrown_ranges(person.attributes.body) if row.thrown else None
        weapons.append(Weapon(row.weapon, "melee", values["armed_damage"].value + row.bonus, reach, throwable=row.thrown))
    for name in person.gear.guns:
        gun = GUNS.get(rules, name)
        weapons.append(Weapon(gun.weapon, gun.skill, gun.damage, gun.range, gun.ammo, gun.burst))
    return tuple(weapons)


def enter(rules: Ruleset, character: Character, name: str, side: str, at: tuple[float, float] = (0.0, 0.0)) -> Fighter:
    """A character enters a fight with the best weapon in hand: a gun if there is one, else a blade, else fists."""
    person = Person.of(rules, character)
    values = derived_of(rules, person)
    weapons = weapons_of(rules, person)
    pace = rates(rules, person.attributes.body + person.level("athletics"))
    profile = Profile(
        name,
        side,
        person.attributes.alertness,
        person.attributes.body,
        person.attributes.spirit,
        values["defense"].value,
        values["combat_sense"].value,
        values["unarmed_damage"].value,
        values["armed_damage"].value,
        person.level("brawl"),
        person.level("melee"),
        person.level("pistols"),
        person.level("rifles"),
        person.level("throw"),
        person.level("stealth"),
        person.level("notice"),
        weapons,
        pace.sprinting,
        pace.running,
        pace.normal,
        pace.crawling,
        tuple(sorted(person.specializations.items())),
        _trained(rules, person),
        person.attributes.intelligence,
    )
    body = replace(Patient.of_person(rules, person), name=name)
    fighter = Fighter(
        profile,
        body,
        float(at[0]),
        float(at[1]),
        in_hand=len(weapons) - 1,
        ammo=tuple(weapon.ammo for weapon in weapons),
        jammed=(False,) * len(weapons),
        gone=(_CARRIED,) * len(weapons),
    )
    return fighter.with_body(body)


def _trained(rules: Ruleset, person: Person) -> tuple[Trained, ...]:
    """Lists a person's skills for tasks that are no fighting; house skills without a row of the table have no attribute."""
    rows = SKILLS(rules)
    traineds = []
    for skill, level in sorted(person.skills.items()):
        attribute = rows[skill].attribute if skill in rows else None
        if level > 0:
            traineds.append(Trained(skill, level, person.attribute(attribute) if attribute else 0, attribute or "attribute"))
    return tuple(traineds)


class CoverSpot(Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True, gc=False):
    """A place to shelter behind."""

    name: str
    x: float
    y: float
    cover: Literal["light cover", "heavy cover"] = "heavy cover"


class Surroundings(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """What a place is like, beside the map itself: light, an ambush, and covers that are bare places."""

    light: Light = "normal"
    dim_modifier: Literal[-2, -3] = -2
    """What a very dim place costs, as the gamemaster judges it."""
    covers: tuple[CoverSpot, ...] = ()
    ambush: OfSide = ""
    """The side that lies in wait, if any."""
    ambush_modifier: int = 0
    """What range and conditions do to noticing the ambush."""


class Zone(Struct, frozen=True):
    """Ground under suppression fire until the round ends."""

    by: str
    x: float
    y: float
    width: float
    threshold: int
    damage: int


class Way(Struct, frozen=True):
    """How a shot or blow is made."""

    burst: int = 0
    location: Location | None = None
    bruise: bool = False
    vitals: bool = False


class Action(Struct, frozen=True, gc=False):
    """What a person does with an action."""

    kind: Kind
    target: str = ""
    targets: tuple[str, ...] = ()
    weapon: int = 0
    ready: Ready | None = None
    wide: bool = False
    way: Way | None = None
    """How an attack is made; None asks."""
    after: bool = False
    """A simple action that waits for the end of the turn."""


class UnderWay(Struct, frozen=True, gc=False):
    """A turn that has begun: whose it is, what is left of it, and what extra actions were declared."""

    name: str
    actions: int
    extra: int = 0
    simple_left: bool = True
    noticed: bool = False
    """Whether readied people have been asked about it already."""
    after: Action | None = None
    """A simple action put off to the end of the turn."""
    metres: float = 0.0
    """How far one could still go."""
    steady: bool = True
    """Neither moved nor acted yet, so that the round can be spent aiming."""
    held: bool = False
    """Grappled by a person who acts at the same time: this turn does not feel it yet."""


class Moment(Struct, frozen=True, gc=False):
    """What a person had when a moment began in which several act at once: they act with it, whatever befalls them meanwhile."""

    name: str
    body: Patient
    in_hand: int
    grappling: str


class Fight(Fray[Fighter], frozen=True, cache_hash=True, gc=False):
    """The whole fight at one moment, between two steps."""

    ground: Surroundings
    fighters: tuple[Fighter, ...]
    round: int = 0
    rounds: int = 50
    """Nobody has won when this many rounds have passed."""
    queue: tuple[tuple[str, ...], ...] = ()
    """A person who is still to act this round, best initiative first; those in one group act at the same time."""
    frozen: tuple[Moment, ...] = ()
    """The moment of people who act at the same time, until the last of them has acted."""
    turn: UnderWay | None = None
    zones: tuple[Zone, ...] = ()
    ambush_open: bool = False

    def cover_from(self, at: tuple[float, float], target: Fighter) -> Cover:
        """Returns the cover of a person against a shot from a place: what they hold on to or stand behind, whichever is better."""
        if self.map is BARE:
            return target.cover
        names = self.shelters(at, (target.x, target.y))
        return max(target.cover, *cast(tuple[Cover, ...], names), key=COVERS.index) if names else target.cover

    def light_on(self, target: Fighter | None) -> Light:
        """How a person is lit: by the lamps of the map where they reach, else as the whole place is."""
        if target is None or not self.map.lights:
            return self.ground.light
        return cast(Light, self.lit((target.x, target.y)) or self.ground.light)

    def harm(self, name: str, body: Patient) -> "Fight":
        """The fight with one person injured; a person who is out of the fight releases any hold."""
        fighter = self.fighter(name)
        if body is fighter.body:
            return self
        fight = self.put(fighter.with_body(body))
        return fight if body.able or not fighter.grappling else fight.release(name)

    def release(self, name: str) -> "Fight":
        """The fight with a grapple ended."""
        other = self.fighter(name).grappling
        fight = self.change(name, grappling="")
        return fight.change(other, grappling="") if other else fight

    def moment(self, name: str) -> Moment | None:
        """Returns the state that a person acts with who acts at the same time as others; None for anybody else."""
        for moment in self.frozen:
            if moment.name == name:
                return moment
        return None

    def acting_body(self, fighter: Fighter) -> Patient:
        """The body that a person acts with now."""
        for moment in self.frozen:
            if moment.name == fighter.profile.name:
                return moment.body
        return fighter.body

    def against(self, fighter: Fighter) -> list[Fighter]:
        side = fighter.profile.side
        return [f for f in self.fighters if f.profile.side != side and f.body.able and not f.hidden]


def checked(fighter: Fighter) -> Fighter:
    """A fighter who was described by hand, if everything about them fits together."""
    count = len(fighter.profile.weapons)
    if not 0 <= fighter.in_hand < count:
        raise UserError(f"{fighter.name}: in_hand is one of 0 to {count - 1}, not {fighter.in_hand}")
    if not len(fighter.ammo) == len(fighter.jammed) == len(fighter.gone) == count:
        raise UserError(f"{fighter.name}: ammo, jammed and gone need an entry for each of {count} weapons, the fists first")
    for weapon, left in zip(fighter.profile.weapons, fighter.ammo, strict=True):
        if not 0 <= left <= weapon.ammo:
            raise UserError(f"{fighter.name}: the {weapon.name} holds from 0 to {weapon.ammo} rounds, not {left}")
    if not 0 <= fighter.intoxicated <= 3 or not 0 <= fighter.aim <= 3:
        raise UserError(f"{fighter.name}: intoxicated and aim go from 0 to 3")
    if fighter.gone[fighter.in_hand]:
        raise UserError(f"{fighter.name}: the {fighter.weapon.name} cannot be in hand, it is {fighter.gone[fighter.in_hand]}")
    if fighter.acts < 0 or fighter.free_strikes < 0:
        raise UserError(f"{fighter.name}: acts and free_strikes are counted from 0")
    return fighter.with_body(possible(fighter.body))


def refuse_strangers(fight: Fight, described: Iterable[Fighter]) -> Fight:
    """A fight in which everybody takes part whom those deal with who were described by hand, and a grapple holds both."""
    for fighter in described:
        for other in filter(None, (fighter.grappling, fighter.aim_at, fighter.ready.of if fighter.ready is not None else "")):
            fight.fighter(other)
        if fighter.grappling and fight.fighter(fighter.grappling).grappling != fighter.name:
            raise UserError(f"{fighter.name}: grappling needs the same of {fighter.grappling}, the other way round")
        if fighter.grappling == fighter.name:
            raise UserError(f"{fighter.name} cannot grapple alone")
    return fight
