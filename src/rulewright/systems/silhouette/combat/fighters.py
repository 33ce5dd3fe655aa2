"""Fighters: fixed facts and changing state. All of it is immutable and hashable.

None of it can contain itself, so the garbage collector can skip it (`gc=False`).
"""

from math import hypot
from typing import Annotated, Any, Literal, NamedTuple, cast

from msgspec import Meta, Struct
from msgspec.structs import replace

from rulewright.field.field import Spot
from rulewright.field.ground import BARE, Region
from rulewright.field.people import Somebody
from rulewright.highest_die.awareness import Fray
from rulewright.play.cache import cached
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
"""The medium of a fight: water depth or free fall."""
Lost = Literal["", "dropped", "away"]
"""State of a weapon: carried, dropped within reach, or out of reach."""
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
"""Skills used in a fight."""


class Trained(Struct, frozen=True, gc=False):
    """A skill level with the permanent modifiers of Perks and Flaws."""

    skill: str
    level: int = 0
    complexity: int = 1
    specializations: tuple[str, ...] = ()
    mods: tuple[Mod, ...] = ()
    favored: str = ""


class Profile(Struct, frozen=True, cache_hash=True, gc=False):
    """Facts about a fighter that a fight does not change."""

    name: str
    side: str
    attributes: tuple[tuple[str, int], ...]
    skills: tuple[Trained, ...]
    weapons: tuple[Weapon, ...]
    strength: int = 0
    sprint: int = 20
    fastest: Gait | None = "sprinting"
    """Fastest pace that load and Flaws allow."""
    shield: ShieldUp | None = None
    hero: bool = True
    both_hands: bool = False
    """Whether both hands are equally skilled."""
    villain: bool = False
    """Whether this is a main villain rather than a player character."""
    emergency_start: int = 0
    """Emergency Dice before any were spent."""
    genre_start: int = 0
    """Genre Points at the start: what one effect may draw from a shared pool without asking."""
    escaping: tuple[Mod, ...] = ()
    """Modifiers of Perks on getting free."""
    light_sleeper: bool = False
    waking: tuple[Mod, ...] = ()
    """Modifiers of Flaws on waking up."""
    plan: BodyPlan = HUMAN
    """Features of a body that is not human."""
    magic: int = 0
    """Spell Points when rested."""
    human_sprint: int = 0
    """Metres of a sprint at human rates, for further ways to move."""

    def attribute(self, name: str) -> int:
        """Returns an attribute by name."""
        for text, value in self.attributes:
            if text == name:
                return value
        return 0

    def trained(self, skill: str) -> Trained:
        """Returns a skill of the fight."""
        for result in self.skills:
            if result.skill == skill:
                return result
        return Trained(skill)

    def level(self, skill: str) -> int:
        """Returns the level of a skill."""
        return self.trained(skill).level


class Fighter(Somebody, frozen=True, cache_hash=True, gc=False):
    """A fighter's current state."""

    profile: Profile
    body: Patient
    x: float = 0.0
    y: float = 0.0
    pace: Pace = "stationary"
    covering_ground: bool = False
    """Whether the fighter moves to another place this round instead of fighting on the spot."""
    cover: str = ""
    in_hand: int = 0
    ammo: tuple[int, ...] = ()
    jammed: tuple[bool, ...] = ()
    unready: tuple[int, ...] = ()
    """Rounds of loading that each weapon still needs."""
    gone: tuple[Lost, ...] = ()
    shield_up: bool = False
    aim: int = 0
    aim_at: str = ""
    confused: bool = False
    off_balance: bool = False
    refocused: bool = False
    attacked_by: tuple[str, ...] = ()
    many: int = 0
    """Further opponents cancelled by dice given up this round."""
    struck_freely: bool = False
    ready: Ready | None = None
    unwary: bool = False
    hidden: bool = False
    pinned: int = 0
    """Rate of fire that pins the fighter in cover."""
    drunk: Literal[0, 1, 2, 3] = 0
    off_hand: bool = False
    stance: Stance = "neutral"
    hurried: int = 0
    """Penalty of several actions on this round's defense, if the campaign says so: zero or negative."""
    guarded: bool = False
    """Whether a Command Point helps the next defense."""
    applied: tuple[str, ...] = ()
    """Skill Applications used this round."""
    ordered: int = 0
    """Actions declared by a leader this round, one of them for orders; 0 without orders."""
    fortune: Fortune = ORDINARY
    """Good and bad luck left in this session."""
    flourish: int = 0
    """Dice from a Special Effect or Insight for the tests of the next action."""
    eased: tuple[int, int] = (0, 0)
    """Flesh and Deep Wounds ignored with an Inner Well of Strength."""
    left_for_dead: bool = False
    """Unconscious through Blessed Unconsciousness until the fight ends."""
    shocked: bool = False
    """Whether the gamemaster says the fighter saw something traumatic; the death of a companion counts anyway."""
    angst: tuple[tuple[str, int], ...] = ()
    """Attribute points moved from Psyche by a Burst of Angst until the fight ends; the profile includes them."""
    exposed_to: tuple[tuple[str, Literal["facing", "flanked", "attacked from behind"]], ...] = ()
    """Enemies at the flank or back, as the gamemaster says."""
    faces: str = ""
    """Who the fighter faces, if the campaign uses the map."""
    asleep: bool = False
    """Asleep, and so unwary until something wakes them."""
    farewell: int = 0
    """Death scene points left, if the gamemaster granted one."""
    swarmed: int = 0
    """Consecutive rounds inside a swarm."""
    dealt: tuple[str, int] = ("", 0)
    """The last fighter wounded and their wounds since, in case of a Mortal Strike."""
    loose: bool = False
    """In free fall: floating without a hold; with a hold a fighter is braced."""
    drift: tuple[float, float] = (0.0, 0.0)
    """In free fall: metres per second along both axes."""
    drained: int = 0
    """Spell Points spent."""
    height: float = 0.0
    """Height above the ground of a flier, in metres."""

    @property
    def weapon(self) -> Weapon:
        """Returns the weapon in hand; the first of all weapons is the bare fist."""
        return self.profile.weapons[self.in_hand]

    @property
    def loaded(self) -> bool:
        """Whether the weapon in hand can fire now."""
        weapon, at = self.weapon, self.in_hand
        if weapon.fires is None or weapon.too_heavy or self.jammed[at] or self.unready[at]:
            return False
        if weapon.spell and self.profile.magic - self.drained < weapon.spell:
            return False
        return not weapon.magazine or self.ammo[at] >= weapon.fires.shots

    def distance(self, other: "Fighter") -> float:
        """Returns the metres between two fighters."""
        if self.height != other.height:
            return hypot(self.x - other.x, self.y - other.y, self.height - other.height)
        return hypot(self.x - other.x, self.y - other.y)

    def with_body(self, rules: Ruleset, body: Patient) -> "Fighter":
        """Returns a fighter after an injury: without a held action if out of action, and prone if unable to stand."""
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
    """Whether the left and the right arm, with their hands, are usable."""
    if not body.limbs:
        return True, True
    left, right = [not any(body.limb(part).useless for part in arm) for arm in ARMS]
    return left, right


def hands_of(fighter: Fighter, body: Patient) -> int:
    """Returns the number of usable hands, further limbs included."""
    return (sum(arms_left(body)) if body.limbs else 2) + fighter.profile.plan.limbs


def with_arms_left(fighter: Fighter, body: Patient) -> dict[str, Any]:
    """Returns the changes when arms fail: a weapon drops from a useless hand or if it needs two, and so does a shield; the other hand
    takes over (ruling: the right hand holds the weapon unless the off hand is in use)."""
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
"""Kinds of cover, from the least to the best."""
LIGHTS = ("good light", "very bright", "poor light", "very poor light", "hardly any light", "complete darkness")
"""Kinds of light a lamp on a map can give; good light has no modifier."""


class CoverSpot(Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True, gc=False):
    """A place with cover; `cover` is a row of the modifier tables."""

    name: str
    x: float
    y: float
    cover: Literal["light cover", "fully hidden by light cover", "heavy cover", "fully hidden by heavy cover"] = "heavy cover"


class Danger(Struct, frozen=True, forbid_unknown_fields=True):
    """A place that harms everybody in it."""

    name: str
    x: float
    y: float
    intensity: int
    kind: Literal["fire", "electricity", "gas"] = "fire"
    radius: float = 1.0


class Ground(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """The place of a fight."""

    light: Literal["", "very bright", "poor light", "very poor light", "hardly any light", "complete darkness"] = ""
    covers: tuple[CoverSpot, ...] = ()
    narrow: bool = False
    water: Depth = "dry"
    ambush: OfSide = ""
    """The side that lies in ambush, if any."""
    showdown: bool = False
    """Whether two gunfighters stare each other down before the first shot."""
    dangers: tuple[Danger, ...] = ()
    """Fires, gas and live wires, which harm everybody in them when a round begins."""
    gravity: Annotated[float, Meta(ge=0, le=MOST_GRAVITY)] = 1.0
    """Gravity in g; below 0.1 everybody floats."""


class Zone(Struct, frozen=True):
    """A zone under saturation fire until the round ends."""

    by: str
    x: float
    y: float
    width: float
    threshold: int
    damage: int

    def holds(self, x: float, y: float) -> bool:
        """Whether a place is in the zone."""
        return hypot(x - self.x, y - self.y) <= self.width / 2


# --- the whole ----------------------------------------------------------------------------------------------------------------


class Moment(Struct, frozen=True, gc=False):
    """A fighter's state at the start of a shared moment: they act with it whatever happens meanwhile."""

    name: str
    body: Patient


class Fight(Fray[Fighter], frozen=True, cache_hash=True, gc=False):
    """The state of a fight between two steps."""

    ground: Ground
    fighters: tuple[Fighter, ...]
    round: int = 0
    rounds: int = 50
    queue: tuple[tuple[str, ...], ...] = ()
    """Who still acts this round: groups in order, each group at the same time."""
    frozen: tuple[Moment, ...] = ()
    late: tuple[str, ...] = ()
    """Tied with a slightly faster fighter and still to act: no wound stops them (advanced ties)."""
    zones: tuple[Zone, ...] = ()
    turn: UnderWay | None = None
    todo: tuple[Todo, ...] = ()
    """Pending parts of the current action, in order."""
    delayed: bool = False
    """Whether somebody has just acted, so that delaying fighters may act now."""
    ambush_open: bool = False
    commands: tuple[Command, ...] = ()
    stunts: Stunts = Stunts()
    carried: str = ""
    """The winning side, while those who acted tough feel their wounds again."""
    fading: tuple[tuple[str, int], ...] = ()
    """Smoke, gas and fire by name, with the last round of each."""
    swayed: bool = False
    """Whether luck or Genre Points may affect rolls; fixed at the start of the fight, and free of cost if false."""

    def cover_from(self, at: Spot | None, target: Fighter) -> str:
        """Returns a fighter's cover against an attack from a place: the cover they use or stand behind, whichever is better."""
        if at is None or self.map is BARE:
            return target.cover
        names = self.shelters(at, (target.x, target.y))
        return max(filter(None, (target.cover, *names)), key=COVERS.index) if names else target.cover

    def light_on(self, fighter: Fighter) -> str:
        """Returns the light on a fighter: from lamps in range, otherwise that of the whole place."""
        return self.ground.light if self.map is BARE else self.lit((fighter.x, fighter.y)) or self.ground.light

    def water_at(self, fighter: Fighter) -> Depth:
        """Returns the water depth at a fighter: from the map, otherwise that of the whole place."""
        if self.map is BARE or not (self.map.regions or self.map.terrain):
            return self.ground.water
        return cast(Depth, self.field.terrain((fighter.x, fighter.y)) or self.ground.water)

    def medium_at(self, fighter: Fighter) -> Medium:
        """Returns the medium of a fighter: water depth or free fall."""
        return "free fall" if floats(self.ground.gravity) else self.water_at(fighter)

    def acting_body(self, fighter: Fighter) -> Patient:
        """Returns the body a fighter acts with now: at the start of a shared moment, or one that a late wound has not stopped yet."""
        for moment in self.frozen:
            if moment.name == fighter.profile.name:
                return moment.body
        if fighter.profile.name in self.late and not fighter.body.able:
            return replace(fighter.body, unconscious=0, coma=False, trauma=None, dead=False)
        return fighter.body

    def in_it(self, fighter: Fighter) -> bool:
        """Whether a fighter is still in the fight; during a shared moment everybody in it is."""
        return fighter.body.able if not self.frozen and not self.late else self.acting_body(fighter).able

    def dying_act(self, fighter: Fighter) -> int:
        """Returns the penalty of the last action of a fighter who is already dead: 2."""
        return -2 if fighter.profile.name in self.late and fighter.body.dead else 0

    def first(self, *todo: Todo) -> "Fight":
        """Returns the fight with a part to be resolved before all others."""
        return replace(self, todo=(*todo, *self.todo))

    def command_of(self, name: str) -> Command | None:
        """Returns the combat group of a fighter."""
        for command in self.commands:
            if any(member.name == name for member in command.members):
                return command
        return None

    def filled(self, what: str, at: Spot, radius: float, rounds: int) -> "Fight":
        """Returns the fight with smoke around a place, which blocks sight for some rounds after this one (ruling)."""
        name = self._unique_name(what)
        cloud = Region(circle=(at[0], at[1], radius), name=name, stops="sight")
        return replace(self.with_clouds(*self.changes.clouds, cloud), fading=(*self.fading, (name, self.round + rounds)))

    def _unique_name(self, what: str) -> str:
        """Returns a unique name for a lasting effect."""
        return f"{what} from round {self.round}{f', {len(self.fading) + 1}' if self.fading else ''}"

    def endangered(self, kind: Literal["fire", "gas"], at: Spot, radius: float, intensity: int, rounds: int) -> "Fight":
        """Returns the fight with a fire or gas around a place, which harms for some rounds after this one (ruling)."""
        name = self._unique_name(kind)
        danger = Danger(name, at[0], at[1], intensity, kind, radius)
        ground = replace(self.ground, dangers=(*self.ground.dangers, danger))
        return replace(self, ground=ground, fading=(*self.fading, (name, self.round + rounds)))

    def cleared(self) -> "Fight":
        """Returns the fight without smoke, gas and fire that have expired when a new round begins."""
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
        """Returns the fight with one combat group changed."""
        return replace(self, commands=tuple([command if candidate.leader == command.leader else candidate for candidate in self.commands]))


class Situation(NamedTuple):
    """The subject of a decision in a fight; `action` is the attack in question, `turn` the current turn."""

    fight: Fight
    name: str
    rules: Ruleset
    turn: UnderWay | None = None
    action: Action | None = None


# --- what follows -------------------------------------------------------------------------------------------------------------


@cached(10_000)
def reach_of(rules: Ruleset, profile: Profile, weapon: Weapon) -> int:
    """Returns the reach of a fighter with a weapon, in metres."""
    skill = weapon.skill if weapon.close else "hand-to-hand"
    trained = profile.trained(skill)
    own = combat_reach(rules, trained.complexity, 0, profile.attribute("fitness"), profile.attribute("build")).value
    own = int(own * profile.plan.reach_times)
    return threatened_radius(own, weapon.reach if weapon.close else 0)


def striking_weapon(fighter: Fighter) -> int:
    """Returns the weapon for a strike: the one in hand, or the fists if it cannot strike."""
    return fighter.in_hand if fighter.weapon.close else 0


@cached(10_000)
def gaits_of(rules: Ruleset, profile: Profile, body: Patient) -> tuple[Gait, ...]:
    """Returns the paces at which a fighter can move."""
    if profile.fastest is None or body.snared is not None:
        return ()
    fastest = slower(profile.fastest, fastest_of(rules, body))
    return GAITS[: GAITS.index(fastest) + 1]
