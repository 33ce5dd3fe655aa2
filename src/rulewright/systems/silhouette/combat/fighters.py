"""People in a fight: what never changes while it lasts, and what does. All of it is plain, immutable and hashable.

None of it can ever hold itself, so that it need not be looked through for rings of garbage (`gc=False`).
"""

from functools import lru_cache
from math import hypot
from typing import Annotated, Any, Literal, NamedTuple, cast

from msgspec import Meta, Struct
from msgspec.structs import replace

from rulewright.field.field import Spot
from rulewright.field.ground import BARE, Region
from rulewright.field.people import Somebody
from rulewright.highest_die.fighting import Fray
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import OfSide
from rulewright.systems.silhouette.action.confined_places import Depth
from rulewright.systems.silhouette.action.gravity import MOST_GRAVITY, floats
from rulewright.systems.silhouette.action.movement import DOWN, GAITS, Gait, Pace, fastest_of, slower
from rulewright.systems.silhouette.action.rounds import Ready, threatened_radius
from rulewright.systems.silhouette.combat.arms import Weapon
from rulewright.systems.silhouette.combat.close_combat import ShieldUp, combat_reach
from rulewright.systems.silhouette.combat.command import Command
from rulewright.systems.silhouette.combat.effects import Stunts
from rulewright.systems.silhouette.combat.stances import Stance
from rulewright.systems.silhouette.combat.turn_actions import SIMPLE as SIMPLE
from rulewright.systems.silhouette.combat.turn_actions import Action as Action
from rulewright.systems.silhouette.combat.turn_actions import Closing as Closing
from rulewright.systems.silhouette.combat.turn_actions import Deed as Deed
from rulewright.systems.silhouette.combat.turn_actions import Firing as Firing
from rulewright.systems.silhouette.combat.turn_actions import Kind as Kind
from rulewright.systems.silhouette.combat.turn_actions import Landing as Landing
from rulewright.systems.silhouette.combat.turn_actions import Opening as Opening
from rulewright.systems.silhouette.combat.turn_actions import Swing as Swing
from rulewright.systems.silhouette.combat.turn_actions import Todo as Todo
from rulewright.systems.silhouette.combat.turn_actions import UnderWay as UnderWay
from rulewright.systems.silhouette.drama.traits_in_play import ORDINARY, Fortune
from rulewright.systems.silhouette.harm.body import Location, Patient
from rulewright.systems.silhouette.people.body_plan import HUMAN, BodyPlan
from rulewright.systems.silhouette.resolution.tests import Mod

Medium = Depth | Literal["free fall"]
"""What one fights in."""
Lost = Literal["", "dropped", "away"]
"""What became of a weapon: carried, lying at hand, or out of reach."""
SKILLS = (
    "melee",
    "hand-to-hand",
    "defense",
    "combat sense",
    "small arms",
    "heavy weapons",
    "archery",
    "throwing",
    "stealth",
    "notice",
    "athletics",
    "leadership",
    "interrogation",
    "zero-g",
    "magic",
)
"""The skills that a fight asks for."""


class Trained(Struct, frozen=True, gc=False):
    """A skill as somebody has it, with what Perks and Flaws always add to it."""

    skill: str
    level: int = 0
    complexity: int = 1
    specializations: tuple[str, ...] = ()
    mods: tuple[Mod, ...] = ()
    favored: str = ""


class Profile(Struct, frozen=True, cache_hash=True, gc=False):
    """What a fight does not change about a person."""

    name: str
    side: str
    attributes: tuple[tuple[str, int], ...]
    skills: tuple[Trained, ...]
    weapons: tuple[Weapon, ...]
    strength: int = 0
    sprint: int = 20
    fastest: Gait | None = "sprinting"
    """The fastest pace that load and Flaws leave."""
    shield: ShieldUp | None = None
    hero: bool = True
    both_hands: bool = False
    """The off hand is as good as the other."""
    villain: bool = False
    """A main villain, and no player's character."""
    emergency_start: int = 0
    """Emergency Dice of the file: how many there were before any were spent."""
    genre_start: int = 0
    """Genre Points at the beginning: what one effect may draw from a common pool without asking."""
    escaping: tuple[Mod, ...] = ()
    """What Perks add where somebody gets out of what holds them."""
    light_sleeper: bool = False
    waking: tuple[Mod, ...] = ()
    """What Flaws add where somebody is to wake."""
    plan: BodyPlan = HUMAN
    """What the body has that a human's has not."""
    magic: int = 0
    """Spell Points of one who has rested."""
    human_sprint: int = 0
    """Metres of a sprint at human rates, for further ways to move."""

    def attribute(self, name: str) -> int:
        """An attribute by its name."""
        for text, value in self.attributes:
            if text == name:
                return value
        return 0

    def trained(self, skill: str) -> Trained:
        """A skill of the fight."""
        for result in self.skills:
            if result.skill == skill:
                return result
        return Trained(skill)

    def level(self, skill: str) -> int:
        """The level of a skill."""
        return self.trained(skill).level


class Fighter(Somebody, frozen=True, cache_hash=True, gc=False):
    """A person in the fight, as things stand."""

    profile: Profile
    body: Patient
    x: float = 0.0
    y: float = 0.0
    pace: Pace = "stationary"
    covering_ground: bool = False
    """Bound for another place this round, rather than fighting on the spot."""
    cover: str = ""
    in_hand: int = 0
    ammo: tuple[int, ...] = ()
    jammed: tuple[bool, ...] = ()
    unready: tuple[int, ...] = ()
    """Rounds of loading that each weapon still needs before it shoots again."""
    gone: tuple[Lost, ...] = ()
    shield_up: bool = False
    aim: int = 0
    aim_at: str = ""
    confused: bool = False
    off_balance: bool = False
    refocused: bool = False
    attacked_by: tuple[str, ...] = ()
    many: int = 0
    """Further opponents that this round's defense has given up dice for."""
    struck_freely: bool = False
    ready: Ready | None = None
    unwary: bool = False
    hidden: bool = False
    pinned: int = 0
    """The rate of fire that pins whoever lies in cover under it."""
    drunk: Literal[0, 1, 2, 3] = 0
    off_hand: bool = False
    stance: Stance = "neutral"
    hurried: int = 0
    """What this round's many actions cost the defense, where the campaign says so: zero or negative."""
    guarded: bool = False
    """A Command Point waits to help the next defense."""
    applied: tuple[str, ...] = ()
    """Skill Applications used this round."""
    ordered: int = 0
    """Actions that a leader has declared this round, one of which went into giving orders; 0 for one who gave none."""
    fortune: Fortune = ORDINARY
    """What luck, good or ill, this session has still in store."""
    flourish: int = 0
    """Dice that a Special Effect or Insight adds to the tests of the next action."""
    eased: tuple[int, int] = (0, 0)
    """Flesh and Deep Wounds whose pain an Inner Well of Strength keeps away."""
    left_for_dead: bool = False
    """Blacked out by Blessed Unconsciousness, until the fight is over."""
    shocked: bool = False
    """Has witnessed something terrible, as the gamemaster says; the death of a companion needs no saying."""
    angst: tuple[tuple[str, int], ...] = ()
    """Attribute points that a Burst of Angst has moved out of Psyche, until the fight is over; the profile holds them already."""
    exposed_to: tuple[tuple[str, Literal["facing", "flanked", "attacked from behind"]], ...] = ()
    """Who stands at the flank or in the back, where the gamemaster says so."""
    faces: str = ""
    """Whom somebody faces, where the campaign goes by the map."""
    asleep: bool = False
    """Sleeps, and so is unwary until something wakes them."""
    farewell: int = 0
    """Points of a death scene that are left, where the gamemaster has granted one."""
    swarmed: int = 0
    """Rounds spent in a swarm without a break."""
    dealt: tuple[str, int] = ("", 0)
    """Whom somebody has wounded last, and that one's wounds since; kept where a Mortal Strike may come of it."""
    loose: bool = False
    """In free fall: floats without a hold; who has one is braced."""
    drift: tuple[float, float] = (0.0, 0.0)
    """In free fall: metres a second along both axes."""
    drained: int = 0
    """Spell Points that are spent."""
    height: float = 0.0
    """Metres above the ground of one who flies."""

    @property
    def weapon(self) -> Weapon:
        """What is in hand; the first of all weapons is the bare fist."""
        return self.profile.weapons[self.in_hand]

    @property
    def loaded(self) -> bool:
        """Whether what is in hand can be fired now."""
        weapon, at = self.weapon, self.in_hand
        if weapon.fires is None or weapon.too_heavy or self.jammed[at] or self.unready[at]:
            return False
        if weapon.spell and self.profile.magic - self.drained < weapon.spell:
            return False
        return not weapon.magazine or self.ammo[at] >= weapon.fires.shots

    def distance(self, other: "Fighter") -> float:
        """Metres between two people."""
        if self.height != other.height:
            return hypot(self.x - other.x, self.y - other.y, self.height - other.height)
        return hypot(self.x - other.x, self.y - other.y)

    def with_body(self, rules: Ruleset, body: Patient) -> "Fighter":
        """After an injury: who is out of it holds no action, and who cannot stand falls."""
        changes: dict[str, Any] = {"body": body}
        if body.snared is not None:
            changes.update(aim=0, aim_at="", ready=None, covering_ground=False, pace="prone" if self.pace in DOWN else "stationary")
        if body.limbs:
            changes.update(with_arms_left(self, body))
        if not body.able:
            if self.ready is not None:
                changes["ready"] = None
        elif self.pace not in DOWN and fastest_of(rules, body) == "crawling":
            changes.update(pace="prone", aim=0, aim_at="")
        return replace(self, **changes)


ARMS: tuple[tuple[Location, Location], ...] = (("left arm", "left hand"), ("right arm", "right hand"))


def arms_left(body: Patient) -> tuple[bool, bool]:
    """Whether the left and the right arm are of any use, hands included."""
    if not body.limbs:
        return True, True
    left, right = [not any(body.limb(part).useless for part in arm) for arm in ARMS]
    return left, right


def hands_of(fighter: Fighter, body: Patient) -> int:
    """Hands that can hold something: of both arms, and of further limbs."""
    return (sum(arms_left(body)) if body.limbs else 2) + fighter.profile.plan.limbs


def with_arms_left(fighter: Fighter, body: Patient) -> dict[str, Any]:
    """What changes about somebody whose arms fail: a weapon falls from a useless hand or where two are needed, and so does a shield; the
    other hand must do (ruling: weapons are held in the right hand, unless the off hand is used already)."""
    left, right = arms_left(body)
    if left and right:
        return {}
    at, holding = fighter.in_hand, fighter.in_hand > 0
    main, other = (left, right) if fighter.off_hand else (right, left)
    changes: dict[str, Any] = {}
    if holding and (not main or fighter.weapon.hands > left + right + fighter.profile.plan.limbs):
        changes.update(in_hand=0, gone=(*fighter.gone[:at], "dropped", *fighter.gone[at + 1 :]), aim=0, aim_at="")
    if fighter.shield_up and not other:
        changes["shield_up"] = False
    if left != right:
        changes["off_hand"] = not right
    return changes


# --- the place ----------------------------------------------------------------------------------------------------------------


COVERS = ("light cover", "fully hidden by light cover", "heavy cover", "fully hidden by heavy cover")
"""What shelters somebody, from the least to the best."""
LIGHTS = ("good light", "very bright", "poor light", "very poor light", "hardly any light", "complete darkness")
"""What a lamp on a map can make of its surroundings; in good light nothing is modified."""


class CoverSpot(Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True, gc=False):
    """A place to shelter behind; `cover` is a row of the tables of modifiers."""

    name: str
    x: float
    y: float
    cover: Literal["light cover", "fully hidden by light cover", "heavy cover", "fully hidden by heavy cover"] = "heavy cover"


class Danger(Struct, frozen=True, forbid_unknown_fields=True):
    """A place that harms whoever stands there."""

    name: str
    x: float
    y: float
    intensity: int
    kind: Literal["fire", "electricity", "gas"] = "fire"
    radius: float = 1.0


class Ground(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """Where the fight takes place."""

    light: Literal["", "very bright", "poor light", "very poor light", "hardly any light", "complete darkness"] = ""
    covers: tuple[CoverSpot, ...] = ()
    narrow: bool = False
    water: Depth = "dry"
    ambush: OfSide = ""
    """The side that lies in wait, if any."""
    showdown: bool = False
    """Two gunfighters face each other, and stare each other down before the first shot."""
    dangers: tuple[Danger, ...] = ()
    """Fires, gas and live wires: whoever stands there when a round begins suffers it."""
    gravity: Annotated[float, Meta(ge=0, le=MOST_GRAVITY)] = 1.0
    """In g; below a tenth everybody floats."""


class Zone(Struct, frozen=True):
    """Ground under saturation fire until the round ends."""

    by: str
    x: float
    y: float
    width: float
    threshold: int
    damage: int

    def holds(self, x: float, y: float) -> bool:
        """Whether a place lies under the fire."""
        return hypot(x - self.x, y - self.y) <= self.width / 2


# --- the whole ----------------------------------------------------------------------------------------------------------------


class Moment(Struct, frozen=True, gc=False):
    """What somebody had when a moment began in which several act at once: they act with it, whatever befalls them meanwhile."""

    name: str
    body: Patient


class Fight(Fray[Fighter], frozen=True, cache_hash=True, gc=False):
    """The whole fight at one moment, between two steps."""

    ground: Ground
    fighters: tuple[Fighter, ...]
    round: int = 0
    rounds: int = 50
    queue: tuple[tuple[str, ...], ...] = ()
    """Who has still to act this round: groups that act at the same time, the first first."""
    frozen: tuple[Moment, ...] = ()
    late: tuple[str, ...] = ()
    """Tied with somebody slightly faster and still to act: no wound keeps them from it (advanced ties)."""
    zones: tuple[Zone, ...] = ()
    turn: UnderWay | None = None
    todo: tuple[Todo, ...] = ()
    """What of the action under way is still to be done, the first first."""
    delayed: bool = False
    """Somebody has just acted, and those who delay may act now."""
    ambush_open: bool = False
    commands: tuple[Command, ...] = ()
    stunts: Stunts = Stunts()
    carried: str = ""
    """The side that has carried the fight, while those who acted tough feel their wounds again."""
    fading: tuple[tuple[str, int], ...] = ()
    """Smoke, gas and fire on the ground by its name, and the last round in which it is there."""
    swayed: bool = False
    """Whether luck or Genre Points may have a say in what is rolled; it stays as the fight began, and costs nothing where it is false."""

    def cover_from(self, at: Spot | None, target: Fighter) -> str:
        """What shelters somebody against what comes from a place: what they hold on to, or what they stand behind, whichever is better."""
        if at is None or self.map is BARE:
            return target.cover
        names = self.shelters(at, (target.x, target.y))
        return max(filter(None, (target.cover, *names)), key=COVERS.index) if names else target.cover

    def light_on(self, fighter: Fighter) -> str:
        """How somebody is lit: by the lamps of the ground where they reach, else as the whole place is."""
        return self.ground.light if self.map is BARE else self.lit((fighter.x, fighter.y)) or self.ground.light

    def water_at(self, fighter: Fighter) -> Depth:
        """How deep somebody stands in water: as the ground says there, else as the whole place is."""
        if self.map is BARE or not (self.map.regions or self.map.terrain):
            return self.ground.water
        return cast(Depth, self.field.terrain((fighter.x, fighter.y)) or self.ground.water)

    def medium_at(self, fighter: Fighter) -> Medium:
        """What somebody fights in: so much water, or free fall."""
        return "free fall" if floats(self.ground.gravity) else self.water_at(fighter)

    def acting_body(self, fighter: Fighter) -> Patient:
        """The body that somebody acts with now: that of a shared moment's beginning, or one that a late wound has not stopped yet."""
        for moment in self.frozen:
            if moment.name == fighter.profile.name:
                return moment.body
        if fighter.profile.name in self.late and not fighter.body.able:
            return replace(fighter.body, unconscious=0, coma=False, trauma=None, dead=False)
        return fighter.body

    def in_it(self, fighter: Fighter) -> bool:
        """Whether somebody is still in the fight; who shares a moment with others is, until it is over."""
        return fighter.body.able if not self.frozen and not self.late else self.acting_body(fighter).able

    def dying_act(self, fighter: Fighter) -> int:
        """What the last act of one who is dead already costs: 2."""
        return -2 if fighter.profile.name in self.late and fighter.body.dead else 0

    def first(self, *todo: Todo) -> "Fight":
        """The fight with something to be done before everything else."""
        return replace(self, todo=(*todo, *self.todo))

    def command_of(self, name: str) -> Command | None:
        """The combat group that somebody belongs to."""
        for command in self.commands:
            if any(member.name == name for member in command.members):
                return command
        return None

    def filled(self, what: str, at: Spot, radius: float, rounds: int) -> "Fight":
        """The fight with smoke around a place, which stops sight for so many rounds after this one (ruling)."""
        name = self._lasting(what)
        cloud = Region(circle=(at[0], at[1], radius), name=name, stops="sight")
        return replace(self.with_clouds(*self.changes.clouds, cloud), fading=(*self.fading, (name, self.round + rounds)))

    def _lasting(self, what: str) -> str:
        """A name of its own for something that lasts a while."""
        return f"{what} from round {self.round}{f', {len(self.fading) + 1}' if self.fading else ''}"

    def endangered(self, kind: Literal["fire", "gas"], at: Spot, radius: float, intensity: int, rounds: int) -> "Fight":
        """The fight with a fire or gas around a place, which harms whoever stands there for so many rounds after this one (ruling)."""
        name = self._lasting(kind)
        danger = Danger(name, at[0], at[1], intensity, kind, radius)
        ground = replace(self.ground, dangers=(*self.ground.dangers, danger))
        return replace(self, ground=ground, fading=(*self.fading, (name, self.round + rounds)))

    def cleared(self) -> "Fight":
        """The fight without smoke, gas and fire that were there long enough when a new round begins."""
        if not self.fading:
            return self
        gone = [name for name, last in self.fading if last <= self.round]
        if not gone:
            return self
        kept = [cloud for cloud in self.changes.clouds if cloud.name not in gone]
        ground = self.ground
        if any(danger.name in gone for danger in ground.dangers):
            ground = replace(ground, dangers=tuple([danger for danger in ground.dangers if danger.name not in gone]))
        left = tuple([pair for pair in self.fading if pair[0] not in gone])
        return replace(self.with_clouds(*kept), ground=ground, fading=left)

    def with_command(self, command: Command) -> "Fight":
        """The fight with another state of one combat group."""
        return replace(self, commands=tuple([command if candidate.leader == command.leader else candidate for candidate in self.commands]))


class Situation(NamedTuple):
    """What a decision in a fight is about; `action` is the attack in question, `turn` the turn under way."""

    fight: Fight
    name: str
    rules: Ruleset
    turn: UnderWay | None = None
    action: Action | None = None


# --- what follows -------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=10_000)
def reach_of(rules: Ruleset, profile: Profile, weapon: Weapon) -> int:
    """Metres within which somebody strikes with a weapon, and threatens."""
    skill = weapon.skill if weapon.close else "hand-to-hand"
    trained = profile.trained(skill)
    own = combat_reach(rules, trained.complexity, 0, profile.attribute("fitness"), profile.attribute("build")).value
    own = int(own * profile.plan.reach_times)
    return threatened_radius(own, weapon.reach if weapon.close else 0)


def striking_weapon(fighter: Fighter) -> int:
    """What somebody strikes with: what is in hand, or the fists where that is no weapon for it."""
    return fighter.in_hand if fighter.weapon.close else 0


@lru_cache(maxsize=10_000)
def gaits_of(rules: Ruleset, profile: Profile, body: Patient) -> tuple[Gait, ...]:
    """The paces at which somebody can go somewhere."""
    if profile.fastest is None or body.snared is not None:
        return ()
    fastest = slower(profile.fastest, fastest_of(rules, body))
    return GAITS[: GAITS.index(fastest) + 1]
