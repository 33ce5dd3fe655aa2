"""People in a fight: what never changes while it lasts, and what does. All of it is plain, immutable and hashable."""

from math import hypot
from typing import Any, Literal

import msgspec
from msgspec import Struct

from rulewright.errors import Wrong
from rulewright.rules import Ruleset
from rulewright.systems.scumm.characters import Character, Person, derived_of
from rulewright.systems.scumm.gear import GUNS, MELEE, thrown_ranges
from rulewright.systems.scumm.movement import rates
from rulewright.systems.scumm.patient import Location, Patient

Mode = Literal["normal", "prone", "crawling", "running", "sprinting"]
Cover = Literal["none", "light cover", "heavy cover"]
Trigger = Literal["acts", "moves"]
Kind = Literal["shoot", "throw", "hit", "aim", "ready", "spray", "suppress", "clear", "draw", "reload", "stand", "drop", "pick up", "pass"]
Lost = Literal["", "dropped", "away"]
CombatSkill = Literal["brawl", "melee", "pistols", "rifles", "throw"]

_CARRIED: Lost = ""
REACH = 2.0
"""Metres within which blows can be exchanged, and just outside of which a shot counts as point blank."""


class Weapon(Struct, frozen=True):
    """A weapon in somebody's hands: its Damage Multiplier holds the wielder's strength already."""

    name: str
    skill: CombatSkill
    damage: int
    ranges: tuple[int, int, int, int] | None = None
    ammo: int = 0
    burst: bool = False
    throwable: bool = False


class Profile(Struct, frozen=True, cache_hash=True):
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

    def level(self, skill: CombatSkill) -> int:
        """The level of a combat skill."""
        return int(getattr(self, skill))


class Ready(Struct, frozen=True):
    """A held action: what it waits for, and of whom ("" for anyone)."""

    trigger: Trigger = "acts"
    of: str = ""


class Fighter(Struct, frozen=True, cache_hash=True):
    """A person in the fight, as things stand."""

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

    @property
    def name(self) -> str:
        """Who it is."""
        return self.profile.name

    @property
    def side(self) -> str:
        """Whose side."""
        return self.profile.side

    @property
    def weapon(self) -> Weapon:
        """What is in hand; the first of all weapons is the bare fist."""
        return self.profile.weapons[self.in_hand]

    def distance(self, other: "Fighter") -> float:
        """Metres between two people."""
        return hypot(self.x - other.x, self.y - other.y)

    @classmethod
    def of(cls, rules: Ruleset, character: Character) -> "Fighter":
        """A character ready to fight, on a side of their own."""
        return enter(rules, character, character.name, character.name)


def weapons_of(rules: Ruleset, person: Person) -> tuple[Weapon, ...]:
    """Bare fists first, then everything the person carries."""
    values = derived_of(rules, person)
    found = [Weapon("fists", "brawl", values["unarmed_damage"].value)]
    for name in person.gear.melee:
        row = MELEE.get(rules, name)
        reach = thrown_ranges(person.attributes.body) if row.thrown else None
        found.append(Weapon(name, "melee", values["armed_damage"].value + row.bonus, reach, throwable=row.thrown))
    for name in person.gear.guns:
        gun = GUNS.get(rules, name)
        found.append(Weapon(name, gun.skill, gun.damage, gun.range, gun.ammo, gun.burst))
    return tuple(found)


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
    )
    body = msgspec.structs.replace(Patient.of_person(rules, person), name=name)
    return Fighter(
        profile,
        body,
        float(at[0]),
        float(at[1]),
        in_hand=len(weapons) - 1,
        ammo=tuple(weapon.ammo for weapon in weapons),
        jammed=(False,) * len(weapons),
        gone=tuple([_CARRIED] * len(weapons)),
    )


class CoverSpot(Struct, frozen=True, forbid_unknown_fields=True):
    """A place to shelter behind."""

    name: str
    x: float
    y: float
    cover: Literal["light cover", "heavy cover"] = "heavy cover"


class Ground(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """Where the fight takes place."""

    light: Literal["normal", "very brightly or poorly lit", "very dimly lit", "completely dark"] = "normal"
    dim_modifier: Literal[-2, -3] = -2
    """What a very dim place costs, as the gamemaster judges it."""
    covers: tuple[CoverSpot, ...] = ()
    ambush: str = ""
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


class Action(Struct, frozen=True):
    """What somebody does with an action."""

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


class UnderWay(Struct, frozen=True):
    """A turn that has begun: whose it is, what is left of it, and what extra actions were declared."""

    name: str
    actions: int
    extra: int = 0
    simple_left: bool = True
    noticed: bool = False
    """Whether readied people have been asked about it already."""
    after: Action | None = None
    """A simple action put off to the end of the turn."""


class Fight(Struct, frozen=True, cache_hash=True):
    """The whole fight at one moment, between two steps."""

    ground: Ground
    fighters: tuple[Fighter, ...]
    round: int = 0
    rounds: int = 50
    """Nobody has won when this many rounds have passed."""
    queue: tuple[tuple[str, ...], ...] = ()
    """Who is still to act this round, best initiative first; those in one group act at the same time."""
    frozen: tuple[tuple[str, Patient], ...] = ()
    """The bodies that those who act at the same time act with, whatever befalls them meanwhile."""
    turn: UnderWay | None = None
    zones: tuple[Zone, ...] = ()
    ambush_open: bool = False

    def fighter(self, name: str) -> Fighter:
        """Somebody by name."""
        for fighter in self.fighters:
            if fighter.profile.name == name:
                return fighter
        raise Wrong(f"there is no {name!r} in this fight; there are {', '.join(f.name for f in self.fighters)}")

    def put(self, changed: Fighter) -> "Fight":
        """The fight with one person changed."""
        name = changed.profile.name
        fighters = tuple([changed if fighter.profile.name == name else fighter for fighter in self.fighters])
        return msgspec.structs.replace(self, fighters=fighters)

    def change(self, name: str, **fields: Any) -> "Fight":
        """The fight with some fields of one person changed."""
        return self.put(msgspec.structs.replace(self.fighter(name), **fields))

    def acting_body(self, fighter: Fighter) -> Patient:
        """The body that somebody acts with now."""
        for name, body in self.frozen:
            if name == fighter.profile.name:
                return body
        return fighter.body

    def enemies(self, fighter: Fighter) -> list[Fighter]:
        """Everybody able of another side whom this person can see."""
        side = fighter.profile.side
        return [f for f in self.fighters if f.profile.side != side and f.body.able and not f.hidden]
