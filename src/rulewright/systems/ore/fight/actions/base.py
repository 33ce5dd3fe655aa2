"""What an action of a fight is. A new one is a small class with a kind, its offers, and what comes of it; `registry` lists it."""

from collections.abc import Iterable
from typing import ClassVar

from msgspec import Struct

from rulewright.field.field import Spot
from rulewright.play import Happened, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.attacks import Attempt
from rulewright.systems.ore.combat.fighters import Act, Fight, Fighter, Pending
from rulewright.systems.ore.fight.powers.active import POWER_KINDS
from rulewright.systems.ore.fight.powers.available import Gift
from rulewright.systems.ore.fight.resolution.movement import walks_up
from rulewright.systems.ore.gear.weapons import Weapon
from rulewright.systems.ore.harm.locations import Location

Names = tuple[str, ...]
"""Whom a set costs dice of sets that wait, once for each die."""
FREE, HELD, HOLDING, SPENT = "free", "held", "holding", "spent"
"""What state somebody is in who declares: free to act, in somebody's grip, with somebody in his own, or too tired for anything."""


class Declarable(Struct, frozen=True, gc=False):
    """What somebody can do this round, as keys that stand in records; a plus joins several actions."""

    key: str
    label: str
    acts: tuple[Act, ...]
    part: bool = False
    """Whether it can only be done together with something else."""


class Foe(Struct, frozen=True, cache_hash=True, gc=False):
    """An enemy as far as it matters to what can be done to him."""

    name: str
    metres: int
    near: bool
    """Whether one can walk up to him and strike, all in one round."""
    person: bool
    close_in: bool
    usable: bool
    """Whether the weapon in hand can be used on him."""
    others: tuple[int, ...]
    """Further weapons that could be drawn and used on him."""
    armed: bool
    weapon_arm: Location = "right arm"
    throwable: bool = False
    """Whether what is in hand, and not made for it, can be thrown so far."""
    at: Spot | None = None


class Friend(Struct, frozen=True, cache_hash=True, gc=False):
    """Somebody on one's own side, or oneself, who could be treated."""

    name: str
    bleeds: bool
    failing: bool
    """Whether the body is at its end and fights for itself."""
    burning: bool = False


class Me(Struct, frozen=True, cache_hash=True, kw_only=True, gc=False):
    """What somebody's choice of actions depends on beside the enemies."""

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
    """Weapons that could be taken in hand."""
    lying: tuple[tuple[int, str], ...] = ()
    """What lies on the floor within reach, by its place there."""
    aim: int
    feints: int
    against: str
    loaded: int
    can_reload: bool
    pair: int
    """A second weapon in the off-hand that can be used beside the one in hand."""
    second: tuple[int, ...]
    """Weapons that could be taken in the off-hand."""
    can_dive: bool = False
    walk: int
    """Metres that can be gone without a roll; 0 for whoever cannot move."""
    cover_metres: int = -1
    """How far the next cover is; -1 for none."""
    interposes: bool
    friends: tuple[Friend, ...] = ()
    skills: tuple[str, ...]
    gifts: tuple[Gift, ...] = ()
    """Powers that can be used now."""
    keeps: tuple[str, ...] = ()
    """Powers that are kept up, and could be let go."""
    minds: bool = False
    """Whether an enemy could confuse one's mind."""
    shakes: bool = False
    """Whether what dazes one can be shaken off."""
    gathers: bool = False
    """Whether there is light to be drawn in."""
    touches: tuple[str, ...] = ()
    """What Secret Feats let one do by a touch."""
    pained: tuple[str, ...] = ()
    """Friends at hand whom injuries cost dice."""
    flies: int = 0
    """Metres that can be flown."""
    mapped: bool = False
    """Whether there is a map."""
    doors: tuple[tuple[str, bool], ...] = ()
    """Doors within reach, and whether they would be opened or shut."""
    manners: tuple[tuple[str, str, bool], ...] = ()
    """Ways to attack that feats teach: the level, its name, and whether it fills the round."""
    abilities: frozenset[str] = frozenset()
    """What feats let one do that others cannot."""
    aims: int = 2
    """How often one can aim for a shot."""
    knacks: tuple[tuple[str, str], ...] = ()
    """Feats that can be called on by themselves: the level and its name."""
    marks: tuple[tuple[str, str], ...] = ()
    followers: tuple[str, ...] = ()
    """Mooks of one's own side to whom one can give an order."""
    fallen: tuple[str, ...] = ()
    """Friends who died a short while ago."""

    @property
    def weapon(self) -> Weapon:
        """What is in hand."""
        return self.weapons[self.in_hand]


class Action:
    """One thing that can be done in a fight. What a subclass leaves out is as it is here."""

    kind: ClassVar[str] = ""
    label: ClassVar[str] = ""
    """What the button says, before the name of a target."""
    did: ClassVar[str] = ""
    """What the log says that somebody does."""
    mood: ClassVar[str] = "plain"
    """How the log says it."""
    verb: ClassVar[str] = "other"
    """What sort of thing it is, by which pages and terminals group it."""
    rolled: ClassVar[bool] = True
    """Whether it needs a set."""
    free: ClassVar[bool] = False
    """Whether it costs nothing beside other actions: no die, no action."""
    alone: ClassVar[bool] = False
    """Whether it fills the round."""
    counters: ClassVar[bool] = False
    """Whether its set waits for what it can answer."""
    targeted: ClassVar[bool] = True
    """Whether it can be answered, and needs its target within reach of what it is done with."""
    exposes: ClassVar[bool] = False
    """Whether who hides shows himself for it."""
    blow: ClassVar[bool] = False
    """Whether it is an attack that hurts by a weapon."""
    with_weapon: ClassVar[bool] = False
    """Whether the arm that holds the weapon is needed for it."""
    bare: ClassVar[bool] = False
    """Whether it is done with the body, whatever is in hand."""
    plain: ClassVar[bool] = False
    """Whether no set can answer it, nor it another, where nobody defends."""
    by_width: ClassVar[bool] = False
    """Whether the Height of its set says nothing once nobody has answered it."""
    urgent: ClassVar[bool] = False
    """Whether any tactic does it first."""
    gathers: ClassVar[bool] = False
    """Whether it keeps what was gathered for an attack."""
    after: ClassVar[str] = ""
    """The action that must stand before it in the same round."""
    begins: ClassVar[bool] = False
    """Whether something of it happens before the dice fall, though it needs a set."""
    pool: ClassVar[str] = ""
    """Which pool of somebody's it is rolled with, where nothing else counts."""
    athletic: ClassVar[bool] = False
    """Whether what is worn makes it harder."""
    walks: ClassVar[bool] = False
    """Whether one walks up to whom it is done to."""
    ability: ClassVar[str] = ""
    """What feats must let one do for it."""
    foreseen: ClassVar[bool] = False
    """Whether what is declared after it counts on it being done."""
    own_dice: ClassVar[bool] = False
    """Whether it is rolled with dice of its own, by `rolls`."""
    when: ClassVar[frozenset[str]] = frozenset((FREE,))

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        """Every way in which it can be declared now: at each enemy to whom it can be done."""
        if self.ability and self.ability not in me.abilities:
            return []
        return [self.at(foe.name) for foe in foes if self.possible(rules, me, foe)]

    def possible(self, rules: Ruleset, me: Me, foe: Foe) -> bool:
        """Whether it can be done to this enemy now."""
        return False

    def completed(self, rules: Ruleset, fight: Fight, name: str, act: Act) -> Play[Act]:
        """What has still to be said of it once it is chosen."""
        yield from ()
        return act

    def imagined(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        """The fight as it will be if this comes off, for what is declared after it."""
        return self.done(rules, fight, fighter, act) if self.foreseen else fight

    def enables(self, fight: Fight, fighter: Fighter, act: Act, later: Act) -> bool:
        """Whether a later action of the same round rests on this one."""
        return False

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        """What it is rolled with."""
        return Attempt(getattr(fighter.profile, self.pool), fighter.profile.athletic_difficulty if self.athletic else 1)

    def at_once(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Fight]:
        """What happens before the dice fall: all of it where it needs no roll."""
        if self.walks and act.target != fighter.name:
            fight = yield from walks_up(rules, fight, fighter.name, act.target)
        if self.rolled:
            return fight
        if self.did:
            yield Tell(Happened(fighter.name, self.told(fighter, act), self.mood))
        return self.done(rules, fight, fighter, act)

    def told(self, fighter: Fighter, act: Act) -> str:
        """What the log says of it where it needs no roll."""
        return f"{self.did} {act.target}".strip()

    def done(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        """The fight once it is done without a roll."""
        return fight

    def rolls(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Pending | None]:
        """What lies on the table of an action that has dice of its own; None where nothing does."""
        raise NotImplementedError

    def lands(self, rules: Ruleset, fight: Fight, pending: Pending, width: int) -> Play[tuple[Fight, int]]:
        """A set that nobody stopped reaches its target; also how many dice that costs the target's waiting sets."""
        raise NotImplementedError

    def happens(self, rules: Ruleset, before: Fight, fight: Fight, pending: Pending) -> Play[tuple[Fight, Names]]:
        """What a set does that is aimed at nobody; also whom it costs dice."""
        raise NotImplementedError

    def answers(self, rules: Ruleset, fight: Fight, attack: Pending, own: Pending, weapon: Weapon) -> bool:
        """Whether a set that counters is of a kind that helps against an attack with this weapon."""
        return False

    def one(self, label: str = "") -> Declarable:
        """It, aimed at nobody."""
        return Declarable(self.kind, label or self.label, (Act(self.kind),))

    def at(self, foe: str, act: Act | None = None) -> Declarable:
        """It, aimed at somebody."""
        return Declarable(f"{self.kind}:{foe}", f"{self.label} {foe}", (act or Act(self.kind, foe),))


def named(act: Act) -> str:
    """What an act is called: a power by its effect, everything else by its kind."""
    return act.skill if act.kind in POWER_KINDS else act.kind


def words_of(act: Act) -> str:
    """An act as dice and log name it; records know rolls by it."""
    if act.kind in POWER_KINDS:
        return f"{act.skill} on {act.target}" if act.target else act.skill
    where = f" in the {act.location}" if act.location and act.kind == "called shot" else ""
    return f"{act.kind} {act.target or act.skill}".strip() + where


def pair(first: str, second: str, foe: str, on_second: bool = False) -> Declarable:
    """Two actions of which one is aimed at an enemy, as the shortcut that most would choose."""
    acts = (Act(first), Act(second, foe)) if on_second else (Act(first, foe), Act(second))
    return Declarable(f"{first}+{second}:{foe}", f"{first.capitalize()} and {second}: {foe}", acts)
