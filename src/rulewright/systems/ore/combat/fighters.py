"""People and mooks in a fight: what never changes while it lasts, and what does. All of it is plain, immutable and hashable."""

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
"""What an action is called: see `fight.actions`, where each stands with all it is."""
REACH = 2
"""Metres within which blows can be exchanged."""


class Profile(Struct, frozen=True, cache_hash=True, kw_only=True, gc=False):
    """What a fight does not change about a person, save that somebody's weapon may come into his hands. Attacks and parries stand in
    the order of the weapons."""

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
    """Insight and the best combat skill, for rolled initiative."""
    athletic_difficulty: int = 1
    ambidextrous: bool = False
    nerve: Pool = Pool(0)
    """Psyche and Focus."""
    endurance: Pool = Pool(0)
    threat: Pool = Pool(0)
    """Command and Manipulate."""
    ratings: tuple[int, ...] = ()
    """How good somebody is with each weapon."""
    acrobatics: Pool = Pool(0)
    """Coordination and Athletics."""
    training: Training = Training()
    feats: Feats = ()
    powers: tuple[Known, ...] = ()
    """The powers that somebody can use."""

    def power(self, effect: str) -> Known:
        """One of them by the name of its effect."""
        for known in self.powers:
            if known.effect == effect:
                return known
        raise UserError(f"{self.name} does not know {effect!r}")

    def with_weapon(self, rules: Ruleset, weapon: Weapon) -> "Profile":
        """The same person with one weapon more, the last."""
        own = wielded(rules, self.training.person(), weapon)
        return replace(
            self,
            weapons=(*self.weapons, weapon),
            attacks=(*self.attacks, own.attack),
            parries=(*self.parries, own.parry),
            ratings=(*self.ratings, own.rating),
        )


class Fighter(Named, frozen=True, cache_hash=True):
    """Somebody in a fight: the body, what is worn and held, and what earlier actions have brought."""

    profile: Profile
    body: AnyBody
    worn: Protection = BARE
    in_hand: int = 0
    cover: Cover = OPEN
    metres: int = 0
    """Where on the line between the sides: the first side begins at 0."""
    initiative: tuple[int, int] = (0, 0)
    aim: int = 0
    feints: int = 0
    against: str = ""
    """At whom was aimed or feinted."""
    downed: bool = False
    tripped: int = 0
    """Dice less in the next round."""
    afraid: int = 0
    """What is left of a Morale Attack: dice less, one fewer each round."""
    held_by: str = ""
    """Who has this one in a grapple."""
    close_to: str = ""
    """Whose guard this one is inside of."""
    choked: int = 0
    """The Width of a strangler's grip, which hurts again next round."""
    lost: tuple[int, ...] = ()
    """The weapons that were knocked out of the hand."""
    taken: tuple[int, ...] = ()
    """Those of them that somebody else has now."""
    spent: tuple[tuple[int, int], ...] = ()
    """Bullets gone, by the place of the weapon."""
    winding: int = 0
    """Rounds spent on setting the weapon in hand."""
    stamina: Stamina = Stamina()
    diving: bool = False
    """Behind cover from the end of this round."""
    impresses: bool = False
    """A Display Move came off, and nobody was attacked since."""
    off_hand: int = 0
    """The weapon in the other hand; 0 for none."""
    mounted: bool = False
    fled: bool = False
    """Far enough from every enemy to be out of it."""
    reserve: Reserve = FULL
    """What limits the use of powers."""
    at: Spot | None = None
    """Where on the map; None where there is none, and the line counts."""
    marks: tuple[tuple[str, str], ...] = ()
    """What earlier actions have brought that feats count, each with whom it is about."""

    @property
    def weapon(self) -> Weapon:
        """What is in hand."""
        return self.profile.weapons[self.in_hand]

    @property
    def drama(self) -> int:
        """Drama Points that are left."""
        return self.body.drama

    @property
    def luck(self) -> int:
        """Rolls without a set that a Lucky one can still make again in this session."""
        return self.body.luck

    @property
    def able(self) -> bool:
        """Whether they can still act here."""
        return self.body.able and not self.fled

    @property
    def interposes(self) -> bool:
        """Whether there is something to parry with: a weapon, a shield, or armour on an arm that can be used; bare hands are nothing."""
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
        """The hand that can still be used: the right one, else the left."""
        if self.body.usable("right arm"):
            return "none" if self.weapon.two_handed and not self.body.usable("left arm") else "primary"
        return "off" if self.body.usable("left arm") and not self.weapon.two_handed else "none"


class Group(Struct, frozen=True, cache_hash=True, gc=False):
    """Mooks who act as one, the names of all who came, and on whose side they are. The first of them speaks for all."""

    mob: Mob
    side: str
    members: tuple[str, ...]
    metres: int = 0
    """Where on the line they are."""
    at: Spot | None = None
    """Where on the map, all of them together (ruling)."""
    stunned: int = 0
    """What some of them, who can do nothing, take from the next roll."""
    instructed: int = 0
    """Dice that a clear instruction gives the next roll."""

    @property
    def name(self) -> str:
        """What the group is called."""
        return self.mob.name

    @property
    def able(self) -> bool:
        """Whether anybody is left."""
        return not self.mob.out


class Act(Struct, frozen=True, cache_hash=True, gc=False):
    """One thing that somebody does in a round, and to whom."""

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
    """The weapon in the other hand, where two are used."""
    twin: bool = False
    """The second blow of a Twinned set, with the weapon in the off-hand."""
    grip: Grip = "one hand"
    """How a half-swording weapon is held."""
    damage_class: Literal["", "B", "C", "E", "I", "P", "S"] = ""
    """The class of damage that was picked, where the weapon has several."""
    wait: bool = False
    """Held back until somebody slower has acted."""
    upright: bool = False
    """A grapple in which both stay on their feet."""
    steps: int = 0
    """Metres that somebody goes, from where he stands; below 0 towards the lower end of the line."""
    away: bool = False
    """A run from the enemy, not at him."""
    skill: str = ""
    """What is used, where it is none of combat."""
    difficulty: int = 1
    """What the Game Master set against it."""
    less: int = 0
    """Dice that stand in the way of a power."""
    to: Spot | None = None
    """The place on the map that somebody goes to."""
    manner: tuple[str, ...] = ()
    """The feats that it is done by."""
    when: tuple[str, ...] = ()
    """What holds of it, as far as feats ask."""
    times: int = 0
    """How often something is there that a feat counts each time."""
    spare: str = ""
    """What a spare set of the roll is used for, beside what was declared."""


class Plan(Struct, frozen=True, cache_hash=True, gc=False):
    """Everything that somebody declared for a round, and the part of the body that a shield covers beside its arm."""

    who: str
    acts: tuple[Act, ...]
    determined: bool = False
    gain: Literal["", "width", "height"] = ""
    """What a set gains by being Hell-Bent."""
    exposed: bool = False
    """Whether some of it is an attack, for which whoever hides must show himself."""


class Pending(Struct, frozen=True, cache_hash=True, gc=False):
    """A set that waits for its moment: whose it is, what it does, and its Speed (compared place by place, the higher first)."""

    who: str
    act: Act
    width: int
    height: int
    speed: tuple[int, ...]
    lying: tuple[tuple[int, int], ...] = ()
    """All dice of suppressive fire, by how many show each face."""
    need: int = 1
    """The Difficulty that it had to meet."""
    off: bool = False
    """Whether it is done with the left hand."""
    counters: bool = False
    """Whether it waits for what it can answer."""
    place: int = 0
    """Which of the declared actions it is, counted from 1."""
    needs: int = 0
    """The earlier action that it rests on; 0 for none."""
    steady: bool = False
    """Whether a hit takes no die of it."""
    waste_dice: int = 0
    """Dice of the roll that stood in no set of it, where a feat counts them."""


class Dropped(Struct, frozen=True, cache_hash=True, gc=False):
    """A weapon on the floor: whose it was, its place among his weapons, and where it lies."""

    owner: str
    place: int
    metres: int
    at: Spot | None = None


class Ground(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a fight takes place, as the scenario has it: how far apart the sides begin, and how many mooks find room to attack."""

    metres: int = 0
    room_for_mooks: int = 0
    """0 where all of them find room."""
    cover: str = ""
    """What one can dive behind, where there is anything."""
    cover_metres: int = 2
    cover_material: str = ""
    """What it is made of, where complete cover is armour."""
    parley: bool = False
    """Whether there is time for threats and displays before the first round."""
    area: int = 0
    """The Area Rating of what everybody stands in (smoke, hail, a collapsing roof); 0 for nothing."""
    area_form: Literal["shock", "kill"] = "shock"
    escape: int = 40
    """How many metres from every enemy whoever flees is out of it."""
    light: Literal["bright", "indoor", "dim", "dark"] = "indoor"
    """How much light there is, for powers that draw on it."""


Where = int | Spot
"""A place: metres along the line between the sides, or a spot on the map."""


class Lies(Protocol):
    """Whatever is somewhere: a person, mooks, a weapon on the floor."""

    @property
    def metres(self) -> int:
        """Where on the line."""

    @property
    def at(self) -> Spot | None:
        """Where on the map."""


def where(thing: Lies) -> Where:
    """Where something is: on the map, or on the line."""
    return thing.metres if thing.at is None else thing.at


def apart(lies: Lies, other: Lies) -> int:
    """Metres between two things, to the nearest metre."""
    if lies.at is None or other.at is None:
        return abs(lies.metres - other.metres)
    return round(hypot(lies.at[0] - other.at[0], lies.at[1] - other.at[1]))


class Fight(Gathering[Fighter], frozen=True, cache_hash=True):
    """A fight: who takes part, who has declared what, and the sets that wait to be resolved."""

    ground: Ground
    fighters: tuple[Fighter, ...]
    groups: tuple[Group, ...] = ()
    round: int = 0
    rounds: int = 50
    phase: Literal["begin", "declare", "roll", "resolve"] = "begin"
    order: tuple[str, ...] = ()
    """Who has still to declare, the lowest Initiative first."""
    plans: tuple[Plan, ...] = ()
    casts: tuple[Cast, ...] = ()
    """Who rolls what, once everybody has declared."""
    plain: str = ""
    """How little of the dice matters where no set can answer another: see `scene.FightScene.level`."""
    pending: tuple[Pending, ...] = ()
    floor: tuple[Dropped, ...] = ()
    powers: tuple[Working, ...] = ()
    """Powers at work."""

    @property
    def with_feats(self) -> bool:
        """Whether anybody has feats."""
        for fighter in self.fighters:  # noqa: SIM110 asked at every blow, and a loop is twice as fast
            if fighter.profile.feats:
                return True
        return False

    def group(self, name: str) -> Group | None:
        """Mooks by the name of their group."""
        for group in self.groups:
            if group.mob.name == name:
                return group
        return None

    def side_of(self, name: str) -> str:
        """On whose side somebody is, person or group."""
        return self.one(name).side

    def able(self, name: str) -> bool:
        """Whether somebody can still act, person or group."""
        return self.one(name).able

    def foes(self, side: str) -> tuple[str, ...]:
        """Everybody on other sides who can still act."""
        people = [fighter.profile.name for fighter in self.fighters if fighter.profile.side != side and fighter.able]
        return (*people, *[group.name for group in self.groups if group.side != side and group.able])

    def one(self, name: str) -> "Fighter | Group":
        """Somebody, person or group."""
        for group in self.groups:
            if group.mob.name == name:
                return group
        return self.fighter(name)

    def place_of(self, name: str) -> Where:
        """Where somebody is, person or group: on the map, or on the line."""
        return where(self.one(name))

    def distance(self, name: str, other: str) -> int:
        """Metres between two."""
        return apart(self.one(name), self.one(other))

    def sees(self, name: str, other: str) -> bool:
        """Whether nothing on the ground stands between two."""
        if not self.hiding:
            return True
        here, there = self.one(name).at, self.one(other).at
        return here is None or there is None or self.clear_between(here, there)

    def known_foes(self, name: str) -> tuple[str, ...]:
        """Everybody on other sides who can still act and whom somebody on this one's side sees."""
        side = self.side_of(name)
        foes = self.foes(side)
        if not self.hiding:
            return foes
        mates = [name, *[fighter.name for fighter in self.fighters if fighter.side == side and fighter.able]]
        mates += [group.name for group in self.groups if group.side == side and group.able]
        return tuple([foe for foe in foes if any(self.sees(mate, foe) for mate in mates)])

    def witnesses(self, name: str) -> tuple[str, ...]:
        """Everybody of all sides that see somebody; of his own side everybody."""
        own = self.side_of(name)
        seeing = [fighter for fighter in self.fighters if fighter.side == own or (fighter.able and self.sees(fighter.name, name))]
        sides = {own, *[fighter.side for fighter in seeing]}
        sides |= {group.side for group in self.groups if group.able and self.sees(group.name, name)}
        mooks = [member for group in self.groups if group.side in sides for member in group.members]
        return (*[fighter.name for fighter in self.fighters if fighter.side in sides], *mooks)

    def nearest_foe(self, name: str) -> str:
        """The enemy who is nearest, a person before mooks; nobody where there is none."""
        foes = self.known_foes(name)
        return min(foes, key=lambda foe: self.distance(name, foe)) if foes else ""

    def cover_of(self, fighter: Fighter) -> Cover:
        """Where somebody hides in this round: whoever attacks from there fights back, everybody else keeps his head down."""
        if not fighter.cover.any:
            return fighter.cover
        fights_back = any(plan.exposed for plan in self.plans if plan.who == fighter.name)
        return replace(fighter.cover, hunkering=not fights_back) if fighter.cover.hunkering == fights_back else fighter.cover

    def cover_from(self, by: str, fighter: Fighter) -> Cover:
        """The same against one attacker: also what of the ground lies between, whichever hides more of him."""
        own = fighter.cover if not fighter.cover.name else self.cover_of(fighter)
        if fighter.at is None or not (self.map.covers or self.map.walls):
            return own
        here = self.one(by).at
        result = [cover_called(word) for word in self.shelters(here, fighter.at)] if here is not None else []
        best = max([own, *result], key=lambda cover: hides(cover.name))
        return best if best is own else self.cover_of(replace(fighter, cover=best))

    def close_in(self, fighter: Fighter, other: Fighter) -> bool:
        """Whether two fight inside each other's guard."""
        return fighter.close_to == other.name or other.close_to == fighter.name or other.held_by == fighter.name

    def put_group(self, group: Group) -> "Fight":
        """The fight with a group changed."""
        return replace(self, groups=tuple([group if candidate.name == group.name else candidate for candidate in self.groups]))

    def put_one(self, fighter: Fighter | Group) -> "Fight":
        """The fight with somebody, or a group, changed."""
        return self.put_group(fighter) if isinstance(fighter, Group) else self.put(fighter)


class Situation(Struct, frozen=True, eq=False, gc=False):
    """What a decision is about: the fight as it stands, and who decides."""

    fight: Fight
    name: str
    rules: Ruleset


def facts_of(rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Facts:
    """What an attack depends on, as it stands in the fight."""
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
    """Whether the other hand can be laid on a weapon too: both arms are well, and nothing is in it or on it."""
    body = fighter.body
    return not fighter.off_hand and not fighter.worn.shield and body.usable("left arm") and body.usable("right arm")


def throws_further(rules: Ruleset, fighter: Fighter, place: int) -> int:
    """What feats add to Body for how far somebody throws a weapon."""
    weapon = fighter.profile.weapons[place]
    return helps(rules, fighter.profile.feats, Try(on=("range",), when=weapon.skills)).amount("body")


def _number(rules: Ruleset, fight: Fight, fighter: Fighter, other: Fighter | None, location: Location | None) -> int:
    """The number that a called shot is set to: one that cover leaves exposed; 0 where any will do."""
    if location is None or other is None or fighter.weapon.close:
        return 0
    cover = fight.cover_from(fighter.name, other)
    return exposed_number(rules, location, cover) if cover.any else 0


def _fired_beside(fighter: Fighter, place: int) -> int:
    """The Power of a firearm in the other hand."""
    weapon = fighter.profile.weapons[place]
    return weapon.power if weapon.gun else 0
