"""Base class for actions of a fight: kind, offers, pool and effect. `registry` lists all actions."""

from collections.abc import Iterable
from typing import ClassVar

from msgspec import Struct

from rulewright.field.field import Spot
from rulewright.grammar import the
from rulewright.play import Happened, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.attacks import Attempt
from rulewright.systems.ore.combat.fighters import Act, Fight, Fighter, Pending
from rulewright.systems.ore.fight.powers.active import POWER_KINDS
from rulewright.systems.ore.fight.powers.available import Gift
from rulewright.systems.ore.fight.resolution.movement import walks_up
from rulewright.systems.ore.gear.weapons import Weapon
from rulewright.systems.ore.harm.locations import Location
from rulewright.systems.ore.log_phrases import action_name

Names = tuple[str, ...]
"""Who loses dice of waiting sets, one entry per die."""
FREE, HELD, HOLDING, SPENT = "free", "held", "holding", "spent"
"""States of a declaring fighter: free to act, held, holding somebody, or too tired to act."""


class Declarable(Struct, frozen=True, gc=False):
    """An option of a declaration. Records contain its key; a plus joins several actions."""

    key: str
    label: str
    acts: tuple[Act, ...]
    part: bool = False
    """Whether it needs another action in the same round."""


class Foe(Struct, frozen=True, cache_hash=True, gc=False):
    """An enemy, with what the offers need to know."""

    name: str
    metres: int
    near: bool
    """Whether the fighter can walk up and strike in one round."""
    person: bool
    close_in: bool
    usable: bool
    """Whether the weapon in hand can be used on this enemy."""
    others: tuple[int, ...]
    """Other weapons that could be drawn and used on this enemy."""
    armed: bool
    weapon_arm: Location = "right arm"
    throwable: bool = False
    """Whether an improvised throw of the weapon in hand reaches."""
    at: Spot | None = None


class Friend(Struct, frozen=True, cache_hash=True, gc=False):
    """A patient: the fighter or somebody on the same side."""

    name: str
    bleeds: bool
    failing: bool
    """Whether the body must be stabilised."""
    burning: bool = False


class Me(Struct, frozen=True, cache_hash=True, kw_only=True, gc=False):
    """The fighter who declares, with what the offers need to know."""

    state: str
    weapons: tuple[Weapon, ...]
    in_hand: int
    armed: bool
    downed: bool
    holds: str = ""
    away: bool = False
    """Whether every enemy is out of reach."""
    burning: bool
    there: tuple[int, ...] = ()
    """Weapons that can be drawn."""
    lying: tuple[tuple[int, str], ...] = ()
    """Weapons on the floor within reach, by index."""
    aim: int
    feints: int
    against: str
    loaded: int
    can_reload: bool
    pair: int
    """The weapon in the off-hand, if both can be used."""
    second: tuple[int, ...]
    """Weapons that can be drawn into the off-hand."""
    can_dive: bool = False
    walk: int
    """Metres of movement without a roll; 0 if the fighter cannot move."""
    cover_metres: int = -1
    """Metres to the nearest cover; -1 for none."""
    interposes: bool
    friends: tuple[Friend, ...] = ()
    skills: tuple[str, ...]
    gifts: tuple[Gift, ...] = ()
    """Powers that can be used now."""
    keeps: tuple[str, ...] = ()
    """Sustained powers that can be released."""
    minds: bool = False
    """Whether an enemy has powers over minds."""
    shakes: bool = False
    """Whether a daze can be shaken off."""
    gathers: bool = False
    """Whether there is light to gather."""
    touches: tuple[str, ...] = ()
    """Touches that Secret Feats allow."""
    pained: tuple[str, ...] = ()
    """Friends in reach with dice lost to injuries."""
    flies: int = 0
    """Metres of flight."""
    mapped: bool = False
    """Whether there is a map."""
    doors: tuple[tuple[str, bool], ...] = ()
    """Doors within reach, and whether they would open (or shut)."""
    manners: tuple[tuple[str, str, bool], ...] = ()
    """Attacks that feats teach: level, name, and whether they fill the round."""
    abilities: frozenset[str] = frozenset()
    """Special abilities from feats."""
    aims: int = 2
    """How many rounds of aiming count."""
    knacks: tuple[tuple[str, str], ...] = ()
    """Feats that are actions of their own: level and name."""
    marks: tuple[tuple[str, str], ...] = ()
    followers: tuple[str, ...] = ()
    """Mooks on the same side who can be given an order."""
    fallen: tuple[str, ...] = ()
    """Friends who died recently."""

    @property
    def weapon(self) -> Weapon:
        """The weapon in hand."""
        return self.weapons[self.in_hand]


class Action:
    """An action of a fight, with defaults."""

    kind: ClassVar[str] = ""
    label: ClassVar[str] = ""
    """The label of the option, before the name of the target."""
    did: ClassVar[str] = ""
    """The verb phrase for the log."""
    mood: ClassVar[str] = "plain"
    """The tone of the log entry."""
    verb: ClassVar[str] = "other"
    """The group of options it belongs to."""
    rolled: ClassVar[bool] = True
    """Whether it needs a set."""
    free: ClassVar[bool] = False
    """Whether it costs neither a die nor an action."""
    alone: ClassVar[bool] = False
    """Whether it fills the round."""
    counters: ClassVar[bool] = False
    """Whether its set waits as counter dice."""
    targeted: ClassVar[bool] = True
    """Whether it has a target that can defend and must be within reach."""
    exposes: ClassVar[bool] = False
    """Whether it reveals a hidden fighter."""
    blow: ClassVar[bool] = False
    """Whether it is an attack with a weapon."""
    with_weapon: ClassVar[bool] = False
    """Whether it needs the weapon arm."""
    bare: ClassVar[bool] = False
    """Whether it ignores the weapon in hand."""
    plain: ClassVar[bool] = False
    """Whether it interacts with no other set if nobody defends."""
    by_width: ClassVar[bool] = False
    """Whether the Height of its set is irrelevant once no counter applies."""
    urgent: ClassVar[bool] = False
    """Whether any tactic does it first."""
    gathers: ClassVar[bool] = False
    """Whether it keeps dice gathered by aiming or feinting."""
    after: ClassVar[str] = ""
    """The action that must come before it in the same round."""
    begins: ClassVar[bool] = False
    """Whether part of it happens before the roll."""
    pool: ClassVar[str] = ""
    """The field of the profile with its pool."""
    athletic: ClassVar[bool] = False
    """Whether encumbrance applies."""
    walks: ClassVar[bool] = False
    """Whether the fighter walks up to the target."""
    ability: ClassVar[str] = ""
    """The ability from a feat that it needs."""
    foreseen: ClassVar[bool] = False
    """Whether later declarations assume that it succeeds."""
    goal: ClassVar[str] = "comes off"
    """What a success of it means, beside its chance."""
    own_dice: ClassVar[bool] = False
    """Whether it has a roll of its own, made by `rolls`."""
    when: ClassVar[frozenset[str]] = frozenset((FREE,))

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        """All options for it now; by default one for each possible target."""
        if self.ability and self.ability not in me.abilities:
            return []
        return [self.at(foe.name) for foe in foes if self.possible(rules, me, foe)]

    def possible(self, rules: Ruleset, me: Me, foe: Foe) -> bool:
        """Whether it can be done to this enemy now."""
        return False

    def completed(self, rules: Ruleset, fight: Fight, name: str, act: Act) -> Play[Act]:
        """Asks for the details of a chosen action."""
        yield from ()
        return act

    def imagined(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        """The fight as if the action had succeeded, for later declarations."""
        return self.done(rules, fight, fighter, act) if self.foreseen else fight

    def enables(self, fight: Fight, fighter: Fighter, act: Act, later: Act) -> bool:
        """Whether a later action of the same round depends on this one."""
        return False

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        """Its pool and Difficulty."""
        return Attempt(getattr(fighter.profile, self.pool), fighter.profile.athletic_difficulty if self.athletic else 1)

    def at_once(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Fight]:
        """Carries out the part before the roll: all of it if there is no roll."""
        if self.walks and act.target != fighter.name:
            fight = yield from walks_up(rules, fight, fighter.name, act.target)
        if self.rolled:
            return fight
        if self.did:
            yield Tell(Happened(fighter.name, self.told(fighter, act), self.mood))
        return self.done(rules, fight, fighter, act)

    def told(self, fighter: Fighter, act: Act) -> str:
        """The log text of an action without a roll."""
        return f"{self.did} {act.target}".strip()

    def done(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        """The fight after an action without a roll."""
        return fight

    def rolls(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Pending | None]:
        """Makes the roll of an action with dice of its own; None without a set."""
        raise NotImplementedError

    def lands(self, rules: Ruleset, fight: Fight, pending: Pending, width: int) -> Play[tuple[Fight, int]]:
        """Applies an unstopped set to its target; also returns how many dice the target's waiting sets lose."""
        raise NotImplementedError

    def happens(self, rules: Ruleset, before: Fight, fight: Fight, pending: Pending) -> Play[tuple[Fight, Names]]:
        """Applies a set without a target; also returns who loses dice."""
        raise NotImplementedError

    def answers(self, rules: Ruleset, fight: Fight, attack: Pending, own: Pending, weapon: Weapon) -> bool:
        """Whether counter dice of this kind work against an attack with this weapon."""
        return False

    def one(self, label: str = "") -> Declarable:
        """The option without a target."""
        return Declarable(self.kind, label or self.label, (Act(self.kind),))

    def at(self, foe: str, act: Act | None = None) -> Declarable:
        """The option with this target."""
        return Declarable(f"{self.kind}:{foe}", f"{self.label} {foe}", (act or Act(self.kind, foe),))


def named(act: Act) -> str:
    """The name of an act: the effect of a power, else the kind of the action as a noun."""
    return act.skill if act.kind in POWER_KINDS else action_name(act.kind)


def the_act(act: Act) -> str:
    """The name of an act with its article; powers have none."""
    return act.skill if act.kind in POWER_KINDS else the(action_name(act.kind))


def words_of(act: Act) -> str:
    """The label of the roll for an act, which states save; `action_phrase` turns it into a phrase."""
    if act.kind in POWER_KINDS:
        return f"{act.skill} on {act.target}" if act.target else act.skill
    if act.also and not act.twin:
        return f"{act.kind} {act.target} and {act.kind} {act.also}"
    where = f" in the {act.location}" if act.location and act.kind == "called shot" else ""
    return f"{act.kind} {act.target or act.skill}".strip() + where


def pair(first: str, second: str, foe: str, on_second: bool = False) -> Declarable:
    """A shortcut for two common actions, one of them aimed at an enemy."""
    acts = (Act(first), Act(second, foe)) if on_second else (Act(first, foe), Act(second))
    label = f"{first.capitalize()} and {second} {foe}" if on_second else f"{first.capitalize()} {foe} and {second}"
    return Declarable(f"{first}+{second}:{foe}", label, acts)
