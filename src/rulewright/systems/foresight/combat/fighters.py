"""Fighters: their fixed profile, their changing state, and the whole fight. All of it is plain and hashable."""

from math import atan2, degrees, hypot
from typing import Any, Literal, cast

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.ground import Cover
from rulewright.field.people import Opposed, Somebody
from rulewright.play.cache import Latest, cached
from rulewright.rules import Ruleset
from rulewright.systems.foresight.combat.arms import BARE, Profile, Style, Weapon, profile_of
from rulewright.systems.foresight.harm.body import BODY_LIMITS, CRITICAL, DEAD, DYING, Patient
from rulewright.systems.foresight.harm.damage import may_come_to
from rulewright.systems.foresight.people.characters import Character, Person
from rulewright.systems.foresight.people.traits import size_as_target
from rulewright.systems.foresight.resolution.damage_classes import Aimed
from rulewright.systems.foresight.resolution.locations import Location, Side
from rulewright.systems.foresight.resolution.situations import Stance
from rulewright.systems.foresight.resolution.tests import BOTCH, half_up

__all__ = ["BARE", "Action", "Deed", "Fight", "Fighter", "Ground", "Pin", "Profile", "Style", "Weapon", "enter"]

Motion = Literal["", "quick", "evasive"]
Lost = Literal["", "at hand", "away"]
"""What became of a weapon: still carried or held, lying at one's feet, or out of reach."""
_CARRIED: Lost = ""
Limb = Literal["left arm", "right arm", "legs", "neck"]
Grip = Literal["held", "free to fire", "loose", "immobile", "restrained"]
"""What a pin does this turn: fresh, a tie, the pinned one step better, the pinner one better, or two."""
Light = Literal["normal", "poor", "dark"]
CoverDegree = Literal["1/3 cover", "2/3 cover", "almost perfect cover", "out of sight"]
COVERS: tuple[CoverDegree, ...] = ("1/3 cover", "2/3 cover", "almost perfect cover", "out of sight")
"""From the least to the best."""
LIGHTS: tuple[Light, ...] = ("normal", "poor", "dark")
Range = Literal["close", "normal", "reach"]
Size = Literal["", "small", "large", "tiny", "huge"]
"""For a human adult remarkably small or large; dog-sized and less; horse-sized and more."""

FLAT: frozenset[Stance] = frozenset(("prone", "lying"))
FRONT, SIDEWAYS = 60, 120
"""Degrees to either side that still count as in front, and as at the side."""
UNJAMMED = -1
UNUSED = -1
FIGHTER_LIMITS: dict[str, tuple[float, float]] = {
    **BODY_LIMITS,
    "awareness": (-8, 8),
    "acts": (0, 10),
    "bonuses": (0, 10),
    "aim": (0, 10),
    "facing": (-360, 360),
    "gives_up": (0, DEAD),
    "helped": (-10, 10),
    "jams": (-1, 10),
    "kg": (0.001, 100_000),
    "last_used": (-1, 100),
    "legs": (0, 100),
    "qr": (1, BOTCH),
    "rolled": (0, BOTCH),
}
"""What the numbers of a fighter may be where a scenario begins."""
NO_AIM: dict[str, Any] = {"aim": 0, "aim_at": "", "aim_off": False}
"""What a lost aim leaves."""


class CoverSpot(Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True, gc=False):
    """A place to shelter behind: how much it hides, what stays bare, what its walls stop, and whether a gun can be braced on it."""

    name: str
    x: float
    y: float
    cover: CoverDegree = "2/3 cover"
    bare: tuple[Location, ...] = ()
    barriers: tuple[str, ...] = ()
    braces: bool = True

    def leaves_bare(self, aimed: Aimed) -> bool:
        """Whether it hides nothing of what is aimed at: the torso is chest and abdomen, the legs are both."""
        parts: tuple[str, ...] = {"torso": ("chest", "abdomen"), "legs": ("left leg", "right leg")}.get(aimed, (aimed,))
        return bool(aimed) and all(part in self.bare for part in parts)


@cached(256)
def on_the_map(cover: Cover) -> CoverSpot:
    """A cover of the ground as the rules know covers: nothing stays bare, its walls stop nothing, a gun can be braced on it."""
    return CoverSpot(cover.name, *cover.middle, cast(CoverDegree, cover.cover))


class Area(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the ground that a person can watch."""

    name: str
    x: float
    y: float
    radius: float = 3.0


class Ground(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """Where the fight takes place, as far as the rules care."""

    light: Light = "normal"
    dimness: int = 1
    """How poor poor light is, 1 to 5."""
    covers: tuple[CoverSpot, ...] = ()
    areas: tuple[Area, ...] = ()
    environment: str = "Urban"
    gravity: float = 1.0
    starlight: bool = True
    """Whether there is as much as starlight, for people who see by it."""
    sunlight: bool = False
    """Whether the sun shines, for people whom sunlight hurts."""


class Pin(Struct, frozen=True):
    """A limb that a person holds: whose, which, how firmly this turn, whether it was kept up, and how many turns of restraint in a row."""

    of: str
    limb: Limb
    grip: Grip = "held"
    kept: bool = True
    turns: int = 0


class Action(Struct, frozen=True, gc=False):
    """What a person does with an action."""

    kind: str
    target: str = ""
    weapon: int = 0
    way: str = ""
    """How an attack is made: a special attack, a burst, fire at an area."""
    aimed: Aimed = ""
    to: str = ""
    """Where a movement goes, which limb a pin is for."""
    guess: int = 0
    """What guessing a target's place costs."""


class Fighter(Somebody, frozen=True, cache_hash=True, gc=False):
    """A person in the fight, in their current state."""

    profile: Profile
    body: Patient
    x: float = 0.0
    y: float = 0.0
    facing: int = 0
    stance: Stance = "standing"
    rising: int = 0
    balanced: bool = True
    motion: Motion = ""
    cover: str = ""
    hand: int = 0
    off: int = 0
    drawing: int = 0
    drawn: int = 0
    gone: tuple[Lost, ...] = ()
    lying: tuple[tuple[int, float, float], ...] = ()
    """Weapons that were thrown, and where each came to lie."""
    ammo: tuple[int, ...] = ()
    reloaded: int = 0
    """Reload actions done so far."""
    ready: tuple[int, ...] = ()
    """Weapons that are cocked, drawn back or lifted for the throw."""
    jams: tuple[int, ...] = ()
    """Concentrate actions that each jammed weapon still needs before the dexterity roll; -1 is no jam."""
    shouldered: bool = False
    braced: bool = False
    aim: int = 0
    aim_at: str = ""
    just_hit: str = ""
    shots: int = 0
    """Shots since the last aim or recover action."""
    sighted: bool = False
    """Whether the laser sight's own aim action of this round is used."""
    awareness: int = 0
    unaware_of: tuple[str, ...] = ()
    qr: int = 7
    """The initiative rating in force."""
    rolled: int = 0
    """This round's rating of a person who waited over from the last; it counts from the next turn on."""
    focus: str = ""
    """A person's name, "area:" and an area's name, or nothing."""
    waiting: bool = False
    engaged: str = ""
    """Whose doings were answered to this round; the rest of the turn follows theirs."""
    acts: int = 0
    bonus: str = ""
    bonuses: int = 0
    tried: bool = False
    """Whether bonus actions were rolled for this round."""
    roused: bool = False
    """Whether grave wounds have been overcome this round already."""
    dodges: int = 0
    parries: int = 0
    sudden: bool = False
    attacks: tuple[int, ...] = ()
    last_used: int = UNUSED
    """The weapon of the last attack or parry."""
    feints: int = 0
    windups: int = 0
    pins: tuple[Pin, ...] = ()
    entangled: int = 0
    cuffed: bool = False
    choking: int = 0
    numb: tuple[Location, ...] = ()
    style: int = 0
    faced: tuple[tuple[str, int], ...] = ()
    """How many blows were exchanged with users of strange styles."""
    concentrated: int = 0
    """Concentrate actions in a row on some fiddly job of one's own."""
    size: Size = ""
    size_degree: int = 1
    """How far a tiny or huge one goes, 1 to 5."""
    gives_up: int = 0
    """The wound level from which a person wants no more of it, as the scenario says; 0 is never."""
    legs: int = 2
    kg: float = 75.0
    power: int = 0
    """What is left of the stamina of a powered frame."""
    acted: bool = False
    """Whether a person who waits has acted in this turn already: only the first action may come before another's."""
    aim_off: bool = False
    """Whether the aim is that of the weapon in the worse hand."""
    tending: str = ""
    """Whose wounds one is about to bandage, with the concentrate actions in a row."""
    helped: int = 0
    """What the help of a friend adds to the next task."""
    left: str = ""
    """How a person left the fight by their own will: withdraw or surrender; empty if they have not."""

    @property
    def weapon(self) -> Weapon:
        """The weapon in the better hand; the first of all weapons is the bare hand."""
        return self.profile.weapons[self.hand]

    @property
    def out(self) -> bool:
        """Out of the fight: dead, senseless, cuffed, fast in a frame without power, or wounded enough to give up."""
        body = self.body
        if body.dead or body.unconscious or body.heart_stopped or self.cuffed or self.left or 0 < self.gives_up <= body.wounds:
            return True
        return self.profile.power > 0 and self.stuck

    @property
    def given_up(self) -> bool:
        """Whether a person is conscious, but wounded enough to give up."""
        return 0 < self.gives_up <= self.body.wounds and not self.body.unconscious and not self.body.dead

    @property
    def senseless(self) -> bool:
        """Whether nothing but a critical wound keeps a person out of the fight, who may then still come to."""
        return self.body.unconscious and may_come_to(self.body) and not self.cuffed and not self.stuck and not 0 < self.gives_up <= CRITICAL

    @property
    def stuck(self) -> bool:
        """Whether the powered frame that a person wears has run out of power, and holds them where they are (ruling)."""
        return self.profile.power > 0 and self.power <= 0

    @property
    def frozen(self) -> bool:
        """A botched initiative roll in force."""
        return self.qr == BOTCH and not self.waiting

    @property
    def able(self) -> bool:
        """Whether anything can be done at will."""
        return not self.out and not self.body.stunned

    @property
    def flat(self) -> bool:
        """On the ground."""
        return self.stance in FLAT

    @property
    def main_arm(self) -> Location:
        """The better arm."""
        return "left arm" if self.profile.left_handed else "right arm"

    @property
    def off_arm(self) -> Location:
        """The other arm."""
        return "right arm" if self.profile.left_handed else "left arm"

    def arms_of(self, weapon: int) -> tuple[Location, ...]:
        """The arms that a weapon in hand is used with."""
        if weapon and self.both_hands(weapon):
            return (self.main_arm, self.off_arm)
        if not weapon:
            return self.empty_arms()[:1] or (self.main_arm,)
        return (self.off_arm,) if weapon and weapon == self.off and weapon != self.hand else (self.main_arm,)

    def in_off_hand(self, weapon: int) -> bool:
        """Whether a weapon is in the worse hand alone."""
        return weapon != BARE and weapon == self.off and weapon != self.hand

    def both_hands(self, weapon: int) -> bool:
        """Whether a weapon is held in two hands: it has to be, or it can be and the other hand is free. Nobody has more than there are."""
        if self.profile.one_armed:
            return False
        owned = self.profile.weapons[weapon]
        return owned.hands == "2" or (owned.hands == "1-2" and weapon == self.hand and self.off in (0, weapon))

    def empty_arms(self) -> tuple[Location, ...]:
        """The arms whose hands are empty, the better one first."""
        main = () if self.hand else (self.main_arm,)
        other = not self.profile.one_armed and not self.off and not (self.hand and self.both_hands(self.hand))
        return (*main, self.off_arm) if other else main

    def free_hand(self) -> bool:
        """Whether a hand is empty."""
        return bool(self.empty_arms())

    def within_reach(self, weapon: int) -> bool:
        """Whether a weapon that is in no hand can be taken up: it is carried, or lies at one's feet or a step away."""
        return self.gone[weapon] != "away" or any(at == weapon and hypot(x - self.x, y - self.y) < 1.5 for at, x, y in self.lying)

    def at(self, other: "Fighter") -> Range | None:
        """The distance in the terms of melee: close, normal, reach, or none of them."""
        meters = half_up(self.distance(other))
        return ("close", "normal", "reach")[meters] if meters <= 2 else None

    def off_by(self, x: float, y: float) -> int:
        """Degrees between where one looks and a place."""
        if hypot(x - self.x, y - self.y) < 0.5:
            return 0
        turn = abs(direction(self.x, self.y, x, y) - self.facing) % 360
        return min(turn, 360 - turn)

    def flank_of(self, other: "Fighter") -> Location:
        """The arm on whose side a person is."""
        turn = (direction(self.x, self.y, other.x, other.y) - self.facing) % 360
        return "left arm" if turn < 180 else "right arm"

    def side_of(self, other: "Fighter") -> Side:
        """From which side a person comes at this one."""
        turn = self.off_by(other.x, other.y)
        return "front" if turn <= FRONT else "side" if turn <= SIDEWAYS else "behind"

    def with_body(self, body: Patient) -> "Fighter":
        """After an injury: who is out or thrown down lies, arms let go, stun ends waiting and aiming."""
        if body == self.body:
            return self
        changes: dict[str, Any] = {"body": body}
        gone = body.dead or body.unconscious or body.heart_stopped
        if gone or body.stunned:
            changes.update(waiting=False, **NO_AIM, just_hit="", feints=0, windups=0, engaged="")
            if self.tending:
                changes.update(tending="", concentrated=0)
        if (gone or body.prone) and not self.flat:
            changes.update(stance="prone", balanced=False, shouldered=False, braced=False, cover=self.cover, rising=0)
        if body.dropped:
            changes.update(_let_go(self, body.dropped))
        if body.prone or body.dropped:
            changes["body"] = replace(body, prone=False, dropped=())
        if gone:
            changes.update(pins=(), acts=0, bonuses=0)
        return replace(self, **changes)

    @classmethod
    def of(cls, rules: Ruleset, character: Character) -> "Fighter":
        """A character ready to fight, on a side of their own."""
        return enter(rules, character, character.name, character.name)


def _let_go(fighter: Fighter, arms: tuple[Location, ...]) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    gone = list(fighter.gone)
    for number in {fighter.hand, fighter.off} - {0}:
        if any(arm in arms for arm in fighter.arms_of(number)):
            gone[number] = "at hand"
            changes.update({field: 0 for field in ("hand", "off") if getattr(fighter, field) == number})
    return {**changes, "gone": tuple(gone), "shouldered": False, "braced": False} if changes else {}


def put_away(count: int) -> dict[str, Any]:
    """Of so many weapons none used or lost, and nothing in them."""
    return {"gone": (_CARRIED,) * count, "ammo": (0,) * count, "jams": (UNJAMMED,) * count, "attacks": (0,) * count}


def direction(x: float, y: float, to_x: float, to_y: float) -> int:
    """The way from one place to another, in whole degrees."""
    return half_up(degrees(atan2(to_y - y, to_x - x))) % 360


def enter(
    rules: Ruleset, character: Character, name: str, side: str, *, at: tuple[float, float] = (0.0, 0.0), ground: Ground | None = None
) -> Fighter:
    """A character enters a fight with empty hands; what is carried has to be drawn, unless the scenario says otherwise."""
    ground = ground or Ground()
    person = Person.of(rules, character)
    profile = profile_of(
        rules,
        person,
        name,
        side,
        left=character.handed == "left",
        environment=ground.environment,
        gravity=ground.gravity,
        sunlight=ground.sunlight,
    )
    body = replace(Patient.of_person(rules, person), name=name)
    loaded = tuple([weapon.ammo if weapon.loaded is None else weapon.loaded for weapon in profile.weapons])
    return Fighter(
        profile,
        body,
        float(at[0]),
        float(at[1]),
        **{**put_away(len(profile.weapons)), "ammo": loaded},
        size=size_as_target(rules, person.size, person.traits),
        kg=75.0 * person.ds,
        power=profile.power,
    )


class Deed(Struct, frozen=True, gc=False):
    """Something being done: before or after it others may act, those granted it one after another."""

    who: str
    action: Action
    stage: Literal["before", "done", "after"] = "before"
    """Before it, done with nobody asked yet, or after it."""
    granted: tuple[str, ...] = ()
    answered: tuple[str, ...] = ()
    """People who have acted upon it already: one action each."""


_grips = Latest("rulewright.systems.foresight.combat.fighters.grips")


class Fight(Opposed[Fighter], frozen=True, cache_hash=True, gc=False):
    """The whole fight at one moment, between two steps."""

    ground: Ground
    fighters: tuple[Fighter, ...]
    round: int = 0
    rounds: int = 50
    order: tuple[str, ...] = ()
    """A person who is still to have a turn this round, best initiative first."""
    declaring: bool = False
    """Whether focus is still to be declared."""
    turn: str = ""
    deeds: tuple[Deed, ...] = ()
    """What is being done, the innermost interruption last."""

    def harm(self, name: str, body: Patient) -> "Fight":
        """The fight with a person injured; a person who is out holds nobody, and nobody goes on holding the dead."""
        before = self.fighter(name)
        after = before.with_body(body)
        if after == before:
            return self
        fight = self.put(after)
        if after.out and not before.out:
            for other in fight.fighters:
                if any(pin.of == name for pin in other.pins):
                    fight = fight.put(replace(other, pins=tuple([pin for pin in other.pins if pin.of != name])))
        return fight

    def light_on(self, fighter: Fighter) -> Light:
        """How a person is lit: by the lamps of the map where they reach, else as the whole place is."""
        return cast(Light, (self.lit((fighter.x, fighter.y)) if self.map.lights else "") or self.ground.light)

    def against(self, fighter: Fighter) -> list[Fighter]:
        side, unaware_of = fighter.profile.side, fighter.unaware_of
        return [f for f in self.fighters if f.profile.side != side and not f.out and f.profile.name not in unaware_of]

    def known_enemies(self, fighter: Fighter) -> list[Fighter]:
        """Everybody of another side whom this person knows of and anybody on their side can see."""
        if not self.hiding:
            return self.enemies(fighter)
        mates = [fighter, *[f for f in self.fighters if f.profile.side == fighter.profile.side and not f.out]]
        return [foe for foe in self.against(fighter) if any(self.sees(mate, foe) for mate in mates)]

    def aware_of(self, name: str) -> tuple[str, ...] | None:
        """People who know of a person; None where everybody does. Where the ground hides people, only sides that see them do."""
        hiding = self.hiding
        if not hiding:
            for fighter in self.fighters:
                if fighter.unaware_of and name in fighter.unaware_of:
                    break
            else:
                return None
        knowing = tuple([f.name for f in self.fighters if name not in f.unaware_of])
        if hiding:
            result = self.fighter(name)
            sides = {f.side for f in self.fighters if f.side == result.side or (not f.out and self.sees(f, result))}
            knowing = tuple([text for text in knowing if self.fighter(text).side in sides])
        return None if len(knowing) == len(self.fighters) else knowing

    def cover_of(self, fighter: Fighter) -> CoverSpot | None:
        """The cover that a person shelters behind; None for none."""
        return self.cover_called(fighter.cover) if fighter.cover else None

    def cover_called(self, name: str) -> CoverSpot | None:
        """A cover that is a bare place, by name."""
        return next((spot for spot in self.ground.covers if spot.name == name), None)

    def cover_from(self, fighter: Fighter, other: Fighter) -> CoverSpot | None:
        """The cover that shelters a person against another: their own, or what of the ground lies between, whichever hides more."""
        own = self.cover_of(other)
        if not (self.map.covers or self.map.walls):
            return own
        cover_spots = [on_the_map(candidate) for candidate in self.field.covers((fighter.x, fighter.y), (other.x, other.y))]
        return max([*cover_spots, *([own] if own is not None else [])], key=lambda spot: COVERS.index(spot.cover), default=None)

    def braces_at(self, fighter: Fighter) -> CoverSpot | None:
        """The cover that a person can brace a gun on: the one in front of them, or one of the ground beside them."""
        own = self.cover_of(fighter)
        if own is not None or not self.map.covers:
            return own
        beside = self.field.beside((fighter.x, fighter.y))
        return on_the_map(beside[0]) if beside else None

    def pinned(self, name: str) -> list[Pin]:
        """The grips on a person."""
        fighters, _, grips = _grips.last
        if fighters is not self.fighters:
            grips = {}
            for fighter in self.fighters:
                for pin in fighter.pins:
                    grips.setdefault(pin.of, []).append(pin)
            _grips.last = (self.fighters, None, grips)
        return grips.get(name) or []

    def watches(self, fighter: Fighter, other: Fighter) -> bool:
        """Whether a person's attention is on another, or on the area where the other is."""
        if other.name in fighter.unaware_of or not self.sees(fighter, other):
            return False
        if fighter.focus.startswith("area:"):
            area = next((candidate for candidate in self.ground.areas if f"area:{candidate.name}" == fighter.focus), None)
            return area is not None and hypot(other.x - area.x, other.y - area.y) <= area.radius
        return fighter.focus == other.name


def checked(fighter: Fighter) -> Fighter:
    """A fighter who was described by hand, if everything about them fits together."""
    count = len(fighter.profile.weapons)
    for field in ("hand", "off", "drawing"):
        if not 0 <= getattr(fighter, field) < count:
            raise UserError(f"{fighter.name}: {field} is one of 0 to {count - 1}, not {getattr(fighter, field)}")
    for field in ("ammo", "gone", "jams", "attacks"):
        if len(getattr(fighter, field)) != count:
            raise UserError(f"{fighter.name}: {field} needs an entry for each of {count} weapons, the bare hand first")
    for weapon, left in zip(fighter.profile.weapons, fighter.ammo, strict=True):
        if not 0 <= left <= weapon.ammo:
            raise UserError(f"{fighter.name}: the {weapon.name} holds from 0 to {weapon.ammo} rounds, not {left}")
    if not all(0 < at < count for at, _, _ in fighter.lying):
        raise UserError(f"{fighter.name}: lying lists weapons from 1 to {count - 1}")
    if fighter.profile.weapons[fighter.hand].hands == "2" and fighter.off not in (0, fighter.hand):
        raise UserError(f"{fighter.name}: the {fighter.weapon.name} takes both hands")
    if fighter.off and fighter.profile.one_armed:
        raise UserError(f"{fighter.name} has one arm, and no hand for the {fighter.profile.weapons[fighter.off].name}")
    if fighter.hand and fighter.hand == fighter.off:
        raise UserError(f"{fighter.name}: one weapon cannot be in both hands apart")
    if not -8 <= fighter.awareness <= 8:
        raise UserError(f"{fighter.name}: awareness goes from -8 to 8, not {fighter.awareness}")
    if not 1 <= fighter.size_degree <= 5:
        raise UserError(f"{fighter.name}: size_degree goes from 1 to 5, not {fighter.size_degree}")
    if not 0 <= fighter.style <= len(fighter.profile.styles):
        raise UserError(f"{fighter.name}: style is 0 for none or one of {len(fighter.profile.styles)}, not {fighter.style}")
    body = fighter.body
    if body.wounds < 0:
        raise UserError(f"{fighter.name}: a wound level is 0 or more, not {body.wounds}")
    return fighter.with_body(replace(body, dead=body.dead or body.wounds >= DEAD, unconscious=body.unconscious or body.wounds >= DYING))
