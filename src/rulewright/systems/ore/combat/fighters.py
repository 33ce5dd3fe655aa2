"""State of a fight: people and mooks, fixed facts and changing fields, immutable and hashable."""

from math import hypot
from typing import Literal, Protocol

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.field import Spot
from rulewright.field.people import Gathering, Named
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.attacks import Facts, exposed_number
from rulewright.systems.ore.combat.cover import OPEN, Cover, cover_called, hides
from rulewright.systems.ore.combat.mooks import Mob
from rulewright.systems.ore.combat.weapon_use import Training, wielded
from rulewright.systems.ore.drama.determination import Cast
from rulewright.systems.ore.gear.armour import BARE, Protection
from rulewright.systems.ore.gear.firearms import Mode
from rulewright.systems.ore.gear.weapons import Grip, Weapon
from rulewright.systems.ore.harm.body import AnyBody
from rulewright.systems.ore.harm.endurance import Stamina
from rulewright.systems.ore.harm.locations import ARMS, Location
from rulewright.systems.ore.people.feat_effects import Feats, Try, helps
from rulewright.systems.ore.powers.repertoire import FULL, Known, Reserve, Working
from rulewright.systems.ore.resolution.tests import Pool

Kind = str
"""The kind of an action; see `fight.actions`."""
REACH = 2
"""Metres within close combat reach."""
EDITION = 1
"""The edition of the rules of play in new scenes; records of older ones replay by theirs."""


class Profile(Struct, frozen=True, cache_hash=True, kw_only=True, gc=False):
    """Fixed facts of a person, except that weapons can be added. Attacks and parries are in the order of the weapons."""

    name: str
    side: str
    body: int
    coordination: int
    insight: int
    psyche: int
    perception: int
    weapons: tuple[Weapon, ...]
    attacks: tuple[Pool, ...]
    parries: tuple[Pool, ...]
    dodge: Pool
    run: Pool
    wrestle: Pool
    wits: Pool
    """Insight and the best combat skill, for rolled Initiative."""
    athletic_difficulty: int = 1
    ambidextrous: bool = False
    nerve: Pool = Pool(0)
    """Psyche and Focus."""
    endurance: Pool = Pool(0)
    threat: Pool = Pool(0)
    """Command and Manipulate."""
    ratings: tuple[int, ...] = ()
    """The skill rating with each weapon."""
    acrobatics: Pool = Pool(0)
    """Coordination and Athletics."""
    training: Training = Training()
    feats: Feats = ()
    powers: tuple[Known, ...] = ()
    """The usable powers."""

    def power(self, effect: str) -> Known:
        """A power by the name of its effect."""
        for known in self.powers:
            if known.effect == effect:
                return known
        raise UserError(f"{self.name} does not know {effect!r}")

    def with_weapon(self, rules: Ruleset, weapon: Weapon) -> "Profile":
        """The same person with one more weapon at the end."""
        own = wielded(rules, self.training.person(), weapon)
        return replace(
            self,
            weapons=(*self.weapons, weapon),
            attacks=(*self.attacks, own.attack),
            parries=(*self.parries, own.parry),
            ratings=(*self.ratings, own.rating),
        )


class Fighter(Named, frozen=True, cache_hash=True):
    """A person in a fight: body, gear, and effects of earlier actions."""

    profile: Profile
    body: AnyBody
    worn: Protection = BARE
    in_hand: int = 0
    cover: Cover = OPEN
    metres: int = 0
    """Position on the line between the sides: the first side starts at 0."""
    initiative: tuple[int, int] = (0, 0)
    aim: int = 0
    feints: int = 0
    against: str = ""
    """The target of aiming or feints."""
    downed: bool = False
    tripped: int = 0
    """Dice lost next round."""
    afraid: int = 0
    """The rest of a Morale Attack: dice lost, one less each round."""
    held_by: str = ""
    """Who grapples this fighter."""
    close_to: str = ""
    """The opponent this fighter is Close-In with."""
    choked: int = 0
    """The Width of a strangling grip, which hurts again next round."""
    lost: tuple[int, ...] = ()
    """Weapons knocked out of the hand."""
    taken: tuple[int, ...] = ()
    """Those of them that others have taken."""
    spent: tuple[tuple[int, int], ...] = ()
    """Bullets fired, by index of the weapon."""
    winding: int = 0
    """Rounds spent setting the weapon in hand."""
    stamina: Stamina = Stamina()
    diving: bool = False
    """Whether they are in cover from the end of this round."""
    impresses: bool = False
    """Whether a Display Move succeeded and no attack followed yet."""
    off_hand: int = 0
    """The weapon in the other hand; 0 for none."""
    mounted: bool = False
    fled: bool = False
    """Whether they escaped from the fight."""
    reserve: Reserve = FULL
    """The used-up limits of powers."""
    at: Spot | None = None
    """Position on the map; None without a map."""
    marks: tuple[tuple[str, str], ...] = ()
    """Effects of earlier actions that feats count, each with its subject."""

    @property
    def weapon(self) -> Weapon:
        """The weapon in hand."""
        return self.profile.weapons[self.in_hand]

    @property
    def drama(self) -> int:
        """Drama Points left."""
        return self.body.drama

    @property
    def luck(self) -> int:
        """Rerolls left for Lucky this session."""
        return self.body.luck

    @property
    def able(self) -> bool:
        """Whether they can still act."""
        return self.body.able and not self.fled

    @property
    def interposes(self) -> bool:
        """Whether they can parry: with a weapon, a shield or an armoured usable arm, not with bare hands."""
        if self.weapon.kind == "close" and self.hand != "none":
            return True
        if self.worn.shield and self.body.usable(self.worn.shield_arm):
            return True
        return any(self.worn.piece(arm) is not None and self.body.usable(arm) for arm in ARMS)

    @property
    def weapon_arm(self) -> Location:
        """The arm that holds the weapon."""
        return "left arm" if self.hand == "off" else "right arm"

    @property
    def hand(self) -> Literal["primary", "off", "none"]:
        """The usable hand: the right, else the left."""
        if self.body.usable("right arm"):
            return "none" if self.weapon.two_handed and not self.body.usable("left arm") else "primary"
        return "off" if self.body.usable("left arm") and not self.weapon.two_handed else "none"


class Group(Struct, frozen=True, cache_hash=True, gc=False):
    """Mooks who act as one, with their names and side. The first speaks for all."""

    mob: Mob
    side: str
    members: tuple[str, ...]
    metres: int = 0
    """Position on the line."""
    at: Spot | None = None
    """Position on the map, for all together (ruling)."""
    stunned: int = 0
    """Dice that stunned mooks take from the next roll."""
    instructed: int = 0
    """Bonus dice of a clear instruction for the next roll."""

    @property
    def name(self) -> str:
        """The name of the group."""
        return self.mob.name

    @property
    def able(self) -> bool:
        """Whether anybody is left."""
        return not self.mob.out


class Act(Struct, frozen=True, cache_hash=True, gc=False):
    """One declared action with its target."""

    kind: Kind
    target: str = ""
    location: Location | None = None
    weapon: int = 0
    charge: int = 0
    """The Width of the charge that ends in this attack."""
    mode: Mode = "single"
    shots: int = 1
    between: int = 0
    """Metres between the targets of a burst."""
    off_hand: int = 0
    """The weapon in the other hand, if both are used."""
    twin: bool = False
    """Whether it is the second blow of a Twinned set, with the off-hand."""
    grip: Grip = "one hand"
    """The grip of a half-swording weapon."""
    damage_class: Literal["", "B", "C", "E", "I", "P", "S"] = ""
    """The chosen damage class, if the weapon has several."""
    wait: bool = False
    """Whether it waits for a slower action."""
    upright: bool = False
    """Whether both stay on their feet in a grapple."""
    steps: int = 0
    """Metres to walk along the line; negative towards its lower end."""
    away: bool = False
    """Whether it is a run away from the enemy."""
    skill: str = ""
    """The skill, power or feat used."""
    difficulty: int = 1
    """The Difficulty set by the Game Master."""
    less: int = 0
    """Dice lost to obstacles of a power."""
    to: Spot | None = None
    """The destination on the map."""
    manner: tuple[str, ...] = ()
    """The feats it uses."""
    when: tuple[str, ...] = ()
    """Its circumstances for feats."""
    times: int = 0
    """How often a feat counts."""
    spare: str = ""
    """The use of a spare set of the roll."""
    also: str = ""
    """The target of the weapon in the other hand, if it is another."""


class Plan(Struct, frozen=True, cache_hash=True, gc=False):
    """All declarations of a fighter for a round, and the second location of the shield."""

    who: str
    acts: tuple[Act, ...]
    determined: bool = False
    gain: Literal["", "width", "height"] = ""
    """The gain from Hell-Bent."""
    exposed: bool = False
    """Whether it contains an attack, which reveals a hidden fighter."""


class Pending(Struct, frozen=True, cache_hash=True, gc=False):
    """A set that waits to be applied: owner, action and Speed (compared element by element, higher first)."""

    who: str
    act: Act
    width: int
    height: int
    speed: tuple[int, ...]
    lying: tuple[tuple[int, int], ...] = ()
    """All dice of suppressive fire, by number per face."""
    need: int = 1
    """The Difficulty it met."""
    off: bool = False
    """Whether it is done with the left hand."""
    counters: bool = False
    """Whether it waits as counter dice."""
    place: int = 0
    """The number of the declared action, from 1."""
    needs: int = 0
    """The earlier action that it depends on; 0 for none."""
    steady: bool = False
    """Whether hits take no die from it."""
    waste_dice: int = 0
    """Dice of the roll outside of sets, if a feat counts them."""


class Dropped(Struct, frozen=True, cache_hash=True, gc=False):
    """A weapon on the floor: owner, index among their weapons, and position."""

    owner: str
    place: int
    metres: int
    at: Spot | None = None


class Ground(Struct, frozen=True, forbid_unknown_fields=True):
    """The place of a fight from the scenario: distance between the sides and room for mooks."""

    metres: int = 0
    room_for_mooks: int = 0
    """0 if all have room."""
    cover: str = ""
    """The cover to dive behind, if any."""
    cover_metres: int = 2
    cover_material: str = ""
    """Its material, if complete cover is armour."""
    parley: bool = False
    """Whether there is time for threats and displays before the fight."""
    area: int = 0
    """The Area Rating of the whole place (smoke, hail, a collapsing roof); 0 for none."""
    area_form: Literal["shock", "kill"] = "shock"
    escape: int = 40
    """Metres from every enemy at which a fleeing fighter escapes."""
    light: Literal["bright", "indoor", "dim", "dark"] = "indoor"
    """The amount of light, for powers that use it."""


Where = int | Spot
"""A position: metres along the line, or a spot on the map."""


class Lies(Protocol):
    """Anything with a position: person, mooks, weapon on the floor."""

    @property
    def metres(self) -> int:
        """Position on the line."""

    @property
    def at(self) -> Spot | None:
        """Position on the map."""


def where(thing: Lies) -> Where:
    """The position of something on the map or line."""
    return thing.metres if thing.at is None else thing.at


def apart(lies: Lies, other: Lies) -> int:
    """Whole metres between two things."""
    if lies.at is None or other.at is None:
        return abs(lies.metres - other.metres)
    return round(hypot(lies.at[0] - other.at[0], lies.at[1] - other.at[1]))


class Fight(Gathering[Fighter], frozen=True, cache_hash=True):
    """A fight: fighters, declarations and waiting sets."""

    ground: Ground
    fighters: tuple[Fighter, ...]
    groups: tuple[Group, ...] = ()
    round: int = 0
    rounds: int = 50
    phase: Literal["begin", "declare", "roll", "resolve"] = "begin"
    order: tuple[str, ...] = ()
    """Who still has to declare, lowest Initiative first."""
    plans: tuple[Plan, ...] = ()
    casts: tuple[Cast, ...] = ()
    """The rolls, once everybody has declared."""
    plain: str = ""
    """How much of the dice matters if no set can counter another; see `scene.FightScene.level`."""
    pending: tuple[Pending, ...] = ()
    floor: tuple[Dropped, ...] = ()
    powers: tuple[Working, ...] = ()
    """Active powers."""
    edition: int = 0
    """The edition of the rules of play; 0 in records of version 0.9.5 and earlier."""

    @property
    def with_feats(self) -> bool:
        """Whether anybody has feats."""
        for fighter in self.fighters:  # noqa: SIM110 asked at every blow, and a loop is twice as fast
            if fighter.profile.feats:
                return True
        return False

    def group(self, name: str) -> Group | None:
        """A group of mooks by name, or None."""
        for group in self.groups:
            if group.mob.name == name:
                return group
        return None

    def side_of(self, name: str) -> str:
        """The side of a person or group."""
        return self.one(name).side

    def able(self, name: str) -> bool:
        """Whether a person or group can still act."""
        return self.one(name).able

    def foes(self, side: str) -> tuple[str, ...]:
        """Everybody on other sides who can still act."""
        people = [fighter.profile.name for fighter in self.fighters if fighter.profile.side != side and fighter.able]
        return (*people, *[group.name for group in self.groups if group.side != side and group.able])

    def one(self, name: str) -> "Fighter | Group":
        """A person or group by name."""
        for group in self.groups:
            if group.mob.name == name:
                return group
        return self.fighter(name)

    def place_of(self, name: str) -> Where:
        """The position of a person or group."""
        return where(self.one(name))

    def distance(self, name: str, other: str) -> int:
        """Metres between two."""
        return apart(self.one(name), self.one(other))

    def sees(self, name: str, other: str) -> bool:
        """Whether two can see each other."""
        if not self.hiding:
            return True
        here, there = self.one(name).at, self.one(other).at
        return here is None or there is None or self.clear_between(here, there)

    def known_foes(self, name: str) -> tuple[str, ...]:
        """Enemies who can act and whom the side sees."""
        side = self.side_of(name)
        foes = self.foes(side)
        if not self.hiding:
            return foes
        mates = [name, *[fighter.name for fighter in self.fighters if fighter.side == side and fighter.able]]
        mates += [group.name for group in self.groups if group.side == side and group.able]
        return tuple([foe for foe in foes if any(self.sees(mate, foe) for mate in mates)])

    def witnesses(self, name: str) -> tuple[str, ...]:
        """Everybody of all sides that see somebody, and their own side."""
        own = self.side_of(name)
        seeing = [fighter for fighter in self.fighters if fighter.side == own or (fighter.able and self.sees(fighter.name, name))]
        sides = {own, *[fighter.side for fighter in seeing]}
        sides |= {group.side for group in self.groups if group.able and self.sees(group.name, name)}
        mooks = [member for group in self.groups if group.side in sides for member in group.members]
        return (*[fighter.name for fighter in self.fighters if fighter.side in sides], *mooks)

    def nearest_foe(self, name: str) -> str:
        """The nearest enemy, people before mooks; empty without one."""
        foes = self.known_foes(name)
        return min(foes, key=lambda foe: self.distance(name, foe)) if foes else ""

    def cover_of(self, fighter: Fighter) -> Cover:
        """The cover of a fighter this round: attackers fight back, all others hunker down."""
        if not fighter.cover.any:
            return fighter.cover
        fights_back = any(plan.exposed for plan in self.plans if plan.who == fighter.name)
        return replace(fighter.cover, hunkering=not fights_back) if fighter.cover.hunkering == fights_back else fighter.cover

    def cover_from(self, by: str, fighter: Fighter) -> Cover:
        """The cover against one attacker, including terrain in between; the better one."""
        own = fighter.cover if not fighter.cover.name else self.cover_of(fighter)
        if fighter.at is None or not (self.map.covers or self.map.walls):
            return own
        here = self.one(by).at
        result = [cover_called(word) for word in self.shelters(here, fighter.at)] if here is not None else []
        best = max([own, *result], key=lambda cover: hides(cover.name))
        return best if best is own else self.cover_of(replace(fighter, cover=best))

    def close_in(self, fighter: Fighter, other: Fighter) -> bool:
        """Whether two are Close-In."""
        return fighter.close_to == other.name or other.close_to == fighter.name or other.held_by == fighter.name

    def put_group(self, group: Group) -> "Fight":
        """The fight with a changed group."""
        return replace(self, groups=tuple([group if candidate.name == group.name else candidate for candidate in self.groups]))

    def put_one(self, fighter: Fighter | Group) -> "Fight":
        """The fight with a changed person or group."""
        return self.put_group(fighter) if isinstance(fighter, Group) else self.put(fighter)


class Situation(Struct, frozen=True, eq=False, gc=False):
    """The subject of a decision: the fight and the deciding fighter."""

    fight: Fight
    name: str
    rules: Ruleset


def facts_of(rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Facts:
    """The circumstances of an attack in the fight."""
    group = fight.group(act.target)
    other = fight.fighter(act.target) if act.target and group is None else None
    aimed = fighter.against == act.target
    return Facts(  # made for every attack, by the order of its fields: names would take ten times as long
        fighter.profile.body,
        fight.distance(fighter.name, act.target) if act.target else 0,
        fighter.aim if aimed and act.mode == "single" else 0,
        fighter.feints if aimed else 0,
        fighter.impresses,
        "both" if act.off_hand else "off" if fighter.hand == "off" else "primary",
        fighter.profile.ambidextrous,
        has_free_hand(fighter),
        act.grip,
        other.weapon.reach if other is not None and other.weapon.close else 0,
        other is not None and fight.close_in(fighter, other),
        act.location,
        _number(rules, fight, fighter, other, act.location),
        act.mode,
        act.shots,
        act.between,
        fight.cover_from(fighter.name, other) if other is not None else OPEN,
        _fired_beside(fighter, act.off_hand) if act.off_hand else 0,
        throws_further(rules, fighter, act.weapon or fighter.in_hand) if fighter.profile.feats else 0,
    )


def has_free_hand(fighter: Fighter) -> bool:
    """Whether the other hand can also hold the weapon."""
    body = fighter.body
    return not fighter.off_hand and not fighter.worn.shield and body.usable("left arm") and body.usable("right arm")


def throws_further(rules: Ruleset, fighter: Fighter, place: int) -> int:
    """Body bonus from feats for throwing range."""
    weapon = fighter.profile.weapons[place]
    return helps(rules, fighter.profile.feats, Try(on=("range",), when=weapon.skills)).amount("body")


def _number(rules: Ruleset, fight: Fight, fighter: Fighter, other: Fighter | None, location: Location | None) -> int:
    """The number of a called shot that cover leaves exposed; 0 for any."""
    if location is None or other is None or fighter.weapon.close:
        return 0
    cover = fight.cover_from(fighter.name, other)
    return exposed_number(rules, location, cover) if cover.any else 0


def _fired_beside(fighter: Fighter, place: int) -> int:
    """The Power of a firearm in the other hand."""
    weapon = fighter.profile.weapons[place]
    return weapon.power if weapon.gun else 0
