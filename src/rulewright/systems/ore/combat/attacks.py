"""An attack from the dice that are given and taken to where it lands; aiming and called shots (book lines 5330-5338).

`attempt` says what is rolled, `blow` (see `weapons`) what a set does, and `land` carries it through cover and armour to a body.
"""

from functools import lru_cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import join, the
from rulewright.play import Play, Roll
from rulewright.rules import Ruleset, rule
from rulewright.systems.ore.combat.cover import BEHIND_A_WALL, OPEN, Cover, cover_armour, shot_difficulty, stops_shot
from rulewright.systems.ore.combat.reach import reach_dice
from rulewright.systems.ore.combat.two_weapons import Hand, hand_dice
from rulewright.systems.ore.drama.round_readings import AtNumber
from rulewright.systems.ore.gear.armour import BARE, Hit, Protection, resisted, struck, through
from rulewright.systems.ore.gear.armoury import ranges_of, weapon_named
from rulewright.systems.ore.gear.firearms import Mode, check_fire, recoil, salvo, spray_dice
from rulewright.systems.ore.gear.missiles import range_dice
from rulewright.systems.ore.gear.weapons import BARE_HANDS, SIX, Blow, Grip, Held, Manner, Weapon, blow, half_swording, hands_needed
from rulewright.systems.ore.harm.body import AnyBody, Coming, Dealt, fresh, hurt
from rulewright.systems.ore.harm.locations import Bonus, Location, called_bonus, heights_of, strike
from rulewright.systems.ore.harm.wounds import after_slash
from rulewright.systems.ore.resolution.contests import beat, opposed
from rulewright.systems.ore.resolution.outcomes import Outcome, printed_difficulty
from rulewright.systems.ore.resolution.readings import Thrown
from rulewright.systems.ore.resolution.tests import Mod, Pool, thrown

MOST_AIM = 2


class Facts(Struct, frozen=True, cache_hash=True, gc=False):
    """What an attack depends on beside the weapon and the pool."""

    body: int = 3
    """The attacker's Body."""
    metres: int = 0
    aims: int = 0
    feints: int = 0
    display: bool = False
    """The opponent saw a Display Move, and this is the first attack on him."""
    hand: Hand = "primary"
    ambidextrous: bool = False
    free_hand: bool = True
    """The other hand holds nothing and can be used."""
    grip: Grip = "one hand"
    reach: int = 0
    """The opponent's Reach."""
    close_in: bool = False
    called: Location | None = None
    number: int = 0
    """The number that a die is set to for a called shot; the lowest of the part aimed at where nothing is said."""
    mode: Mode = "single"
    shots: int = 1
    metres_between: int = 0
    cover: Cover = OPEN
    """Where the target hides."""
    beside: int = 0
    """The Power of a firearm that is fired at once from the other hand; 0 for none."""
    throws: int = 0
    """What feats add to Body for how far a weapon is thrown."""


IN_REACH = Facts()
BURST = Facts(metres=20, mode="burst")


class Attempt(Struct, frozen=True, cache_hash=True, gc=False):
    """What is rolled for an action: the pool, the Difficulty, and the number that one die is set to (0 for none)."""

    pool: Pool
    difficulty: int = 1
    number: int = 0


# --- one attack ---------------------------------------------------------------------------------------------------------------


class Landed(Struct, frozen=True, gc=False):
    """What an attack did: the body and the armour after it, where it struck, and whether it struck at all."""

    body: AnyBody
    worn: Protection = BARE
    location: Location | None = None
    """None if it missed, was countered, or met cover."""
    covered: bool = False
    kill: int = 0
    shock: int = 0

    @property
    def hit(self) -> bool:
        """Whether it found its mark; then it costs a die of a set, even if armour stopped all of it."""
        return self.location is not None

    def left_of(self, own: Protection, met: Protection) -> Protection:
        """What somebody wears after it, who met it with other protection than his own: pieces may be worse."""
        return own if self.worn.pieces == met.pieces else replace(own, pieces=self.worn.pieces)


class Attacked(Struct, frozen=True, omit_defaults=True):
    """What came of an attack: where it struck, the damage that came through, and what became of the victim."""

    outcome: Literal["miss", "cover", "hit"]
    location: Location | None = None
    kill: int = 0
    shock: int = 0
    then: Literal["", "down", "unconscious", "dead"] = ""


@rule("ore-4.18-act-attack")
def attack(
    rules: Ruleset,
    pool: Pool = SIX,
    weapon: str = "bare hands",
    facts: Facts = IN_REACH,
    body: AnyBody | None = None,
    worn: Protection = BARE,
    defence: Pool | None = None,
    manner: Manner = "plain",
) -> Play[Attacked]:
    """One attack from the roll to the wound: any set hits, unless a parry or dodge counters it (`defence`).

    Rounds and their Speeds stand above this: here the defence is always in time. The weapon is written as on a sheet.
    """
    landed = yield from attack_on(rules, pool, weapon, facts, body=body, worn=worn, defence=defence, manner=manner)
    if not landed.hit:
        return Attacked("cover" if landed.covered else "miss")
    after = landed.body
    then: Literal["", "down", "unconscious", "dead"] = (
        "dead" if after.dead else "unconscious" if after.unconscious else "down" if after.down else ""
    )
    return Attacked("hit", landed.location, landed.kill, landed.shock, then)


def attack_on(
    rules: Ruleset,
    pool: Pool,
    weapon: str,
    facts: Facts = IN_REACH,
    *,
    body: AnyBody | None = None,
    worn: Protection = BARE,
    defence: Pool | None = None,
    manner: Manner = "plain",
    by: str = "",
    victim: str = "",
) -> Play[Landed]:
    """The same, with everything that it leaves of the victim."""
    target = fresh(rules) if body is None else body
    armed = weapon_named(rules, weapon)
    tried = attempt(rules, pool, armed, facts)
    if facts.called is not None:
        outcome = yield from at_number(rules, tried, by)
        if defence is not None and outcome.success:
            outcome = (yield from beat(rules, defence, outcome.width, outcome.height, by=victim)).left
    else:
        outcome = yield from opposed(rules, tried.pool, defence or Pool(0), tried.difficulty, by=by, against=victim, what="attack")
    if not outcome.success:
        return Landed(target, worn)
    grip = grip_of(rules, armed, facts)
    done = blow(rules, armed, outcome.width, manner, kill=grip.kill)
    return (yield from land(rules, done, outcome.height, target, worn, facts.called, facts.cover, not armed.close, by=by, victim=victim))


# --- what is rolled -----------------------------------------------------------------------------------------------------------


@rule("ore-4.18-act-aim")
def aim_dice(aims: int = 1, ranged: bool = True, single: bool = True) -> Mod:
    """Every Aim action gives a die to the next ranged attack; only two in a row count, and only for a single shot."""
    if aims < 0:
        raise UserError("the number of Aim actions cannot be negative")
    return Mod("aim", min(aims, MOST_AIM) if ranged and single else 0, "ore-4.18-act-aim")


@rule("ore-4.18-act-feint")
def feint_dice(feints: int = 1) -> Mod:
    """Every Feint gives a die to the next attack on the same opponent, two at most; it needs no roll (ruling)."""
    if feints < 0:
        raise UserError("the number of feints cannot be negative")
    return Mod("feint", min(feints, 2), "ore-4.18-act-feint")


@rule("ore-4.18-act-display-move")
def display_dice(success: bool = True, seen: bool = True, first_attack: bool = True) -> Mod:
    """A Display Move that came off gives a die, or takes back a die of a penalty, on the first attack against whoever saw it."""
    return Mod("Display Move", int(success and seen and first_attack), "ore-4.18-act-display-move")


@rule("ore-4.18-act-called-shot")
def called_shot(
    rules: Ruleset, pool: Pool = SIX, location: Location = "right arm", number: int = 0, difficulty: int = 1, by: str = ""
) -> Play[Outcome]:
    """A die less, one die set to a number of the part that is aimed at, and the others rolled: any that match it hit there."""
    tried = Attempt(pool.plus(called_dice()), printed_difficulty(rules, difficulty), called_number(rules, location, number))
    return (yield from at_number(rules, tried, by))


def at_number(rules: Ruleset, tried: Attempt, by: str = "") -> Play[Outcome]:
    """The roll of a called shot, with its dice counted already."""
    if not tried.number:
        raise UserError("a called shot needs the number of its target part")
    dice = with_set_die(rules, tried)
    if dice is None:
        return Outcome()
    width = yield from Roll(AtNumber(dice, tried.number), by, "called shot")
    return Outcome(width, tried.number) if width >= 2 else Outcome()


@rule("ore-4.18-act-called-shot")
def called_dice(called: bool = True) -> Mod:
    """A called shot costs a die; a second one is set, and not rolled, to a number of the part that is aimed at."""
    return Mod("called shot", -int(called), "ore-4.18-act-called-shot")


@rule("ore-4.18-act-called-shot")
def called_number(rules: Ruleset, location: Location = "right arm", number: int = 0) -> int:
    """The number that the die is set to: one of those that strike the part aimed at; the lowest where nobody says (ruling)."""
    numbers = heights_of(rules, location)
    if number and number not in numbers:
        raise UserError(f"the {location} is hit on {join([str(each) for each in numbers], 'or')}, not on {number}")
    return number or min(numbers)


@rule("ore-4.11-cover", "ore-4.18-act-called-shot")
def exposed_number(rules: Ruleset, location: Location = "torso", cover: Cover = BEHIND_A_WALL) -> int:
    """The number for a called shot at somebody in cover: the lowest of the part aimed at that cover does not hide; 0 if it hides all."""
    return min([number for number in heights_of(rules, location) if not stops_shot(rules, cover, number)], default=0)


@rule("ore-4.18-act-attack")
def attack_mods(rules: Ruleset, weapon: Weapon, facts: Facts = IN_REACH) -> tuple[Mod, ...]:
    """Every die that the weapon, the hand that holds it and the situation give or take. Of two firearms the one that kicks more counts
    (ruling).

    Refuses what cannot be done: a weapon too heavy, a target out of range, aiming a burst.
    """
    grip = grip_of(rules, weapon, facts)
    given = [hand_dice(facts.hand, facts.ambidextrous), display_dice(first_attack=facts.display), called_dice(facts.called is not None)]
    if weapon.close:
        given += [reach_dice(rules, weapon.reach, facts.reach, facts.close_in), feint_dice(facts.feints)]
        given.append(Mod("half-swording in one hand", grip.dice, "ore-4.09b-weapon-traits"))
        return tuple([mod for mod in given if mod.dice])
    ranges = ranges_of(rules, weapon, facts.body + facts.throws)
    if ranges is None:
        raise UserError(f"{the(weapon.name)} is not a ranged weapon")
    single = facts.shots == 1 and facts.mode in SINGLE
    given += [range_dice(rules, facts.metres, ranges), feint_dice(facts.feints), aim_dice(facts.aims, single=single)]
    if weapon.gun:
        check_fire(rules, weapon.fire, facts.mode, facts.shots, facts.aims > 0, facts.called is not None)
        given.append(recoil(rules, max(weapon.power, facts.beside), facts.body, facts.mode, facts.shots).mod)
        if facts.mode == "burst":
            given.append(spray_dice(rules, weapon.spray, facts.metres_between))
    elif facts.beside:
        given.append(recoil(rules, facts.beside, facts.body).mod)
    return tuple([mod for mod in given if mod.dice])


SINGLE: tuple[Mode, ...] = ("single", "semi-automatic")


def grip_of(rules: Ruleset, weapon: Weapon, facts: Facts) -> Held:
    """What the grip gives; refuses a weapon that is too heavy, or needs a hand that is not free."""
    if weapon.kind != "close":
        return Held()
    hands = hands_needed(rules, weapon.power, facts.body, "hafted" in weapon.traits)
    if hands == 0:
        raise UserError(f"{the(weapon.name)} of Power {weapon.power} is too heavy for a Body of {facts.body}")
    if hands == 2 and not facts.free_hand:
        raise UserError(f"{the(weapon.name)} needs both hands")
    return half_swording(rules, weapon.traits, weapon.power, facts.body, facts.free_hand, facts.grip)


@lru_cache(maxsize=20_000)
def can_use(rules: Ruleset, weapon: Weapon, facts: Facts = IN_REACH) -> bool:
    """Whether somebody can attack with a weapon so: strong enough, in range, with the hands it takes."""
    try:
        attack_mods(rules, weapon, facts)
    except UserError:
        return False
    return True


@rule("ore-4.18-act-attack")
def attempt(rules: Ruleset, pool: Pool, weapon: Weapon = BARE_HANDS, facts: Facts = IN_REACH, difficulty: int = 1) -> Attempt:
    """What is rolled for an attack: the pool with every die given and taken, the Difficulty of cover, and a die set for a called shot."""
    return _attempt(rules, pool, weapon, facts, difficulty)


@lru_cache(maxsize=20_000)
def _attempt(rules: Ruleset, pool: Pool, weapon: Weapon, facts: Facts, difficulty: int) -> Attempt:
    called = facts.called is not None
    need = printed_difficulty(rules, difficulty) if weapon.close else shot_difficulty(rules, facts.cover, called, difficulty)
    number = called_number(rules, facts.called, facts.number) if facts.called is not None else 0
    return Attempt(pool.plus(*attack_mods(rules, weapon, facts)), need, number)


@rule("ore-4.18-act-called-shot")
def with_set_die(rules: Ruleset, tried: Attempt) -> Thrown | None:
    """The dice of a called shot: one of those that would be rolled lies at its number already; None if there is none to set."""
    dice = thrown(rules, tried.pool, tried.difficulty)
    if dice is None or dice.dice < 1 or tried.number < dice.difficulty:
        return None
    lent = tuple([lent + (face == tried.number) for face, lent in enumerate(dice.lent, 1)])
    return Thrown(dice.dice - 1, lent, dice.difficulty)


# --- where it lands -----------------------------------------------------------------------------------------------------------


@rule("ore-4.18-act-attack")
def land(
    rules: Ruleset,
    struck_with: Blow,
    height: int,
    body: AnyBody,
    worn: Protection = BARE,
    aimed: Location | None = None,
    cover: Cover = OPEN,
    ranged: bool = False,
    by: str = "",
    victim: str = "",
) -> Play[Landed]:
    """A blow finds a part of the body; cover may stop it, armour takes its share, and the rest hurts. Armour may wear down."""
    location = yield from strike(rules, struck_with.width, height, by, aimed)
    by_width = rules.word("hit-location") == "width"
    if ranged and stops_shot(rules, cover, height, location if by_width else None):
        return Landed(body, worn, covered=True)
    bonus = called_bonus(rules, location) if aimed is not None else Bonus()
    hit = struck_with.hit
    extra = cover_armour(rules, cover, aimed is not None) if ranged else 0
    full = type(hit)(hit.kill + bonus.kill, hit.shock + bonus.shock, hit.width, hit.pen, hit.damage_class)
    extra += resisted(rules, full, worn, location) + struck_with.stopped
    dealt = _felt(struck_with, full, through(rules, full, worn.piece(location), worn.shielded(location), extra))
    kill, shock, towards_wound = dealt.kill, dealt.shock, struck_with.wound_shock if dealt.kill or dealt.shock else 0
    if struck_with.slash:
        kill, shock, towards_wound = after_slash(dealt, struck_with.wound_shock > 0)
    coming = Coming(hit.width, (hit.kill, hit.shock), (full.kill, full.shock), (dealt.kill, dealt.shock))
    if struck_with.wounding:
        body = replace(body, threshold=body.threshold - struck_with.wounding)
    after = yield from hurt(rules, body, location, shock, kill, victim, towards_wound, coming)
    if struck_with.wounding:
        after = replace(after, threshold=after.threshold + struck_with.wounding)
    return Landed(after, struck(rules, worn, location, struck_with.width), location, kill=kill, shock=shock)


def _felt(blow: Blow, full: Hit, dealt: Dealt) -> Dealt:
    """What armour let through, with what a blow does in spite of it, and what the target does not feel."""
    kill = full.kill if "kill" in blow.through else min(full.kill, dealt.kill + blow.pierces)
    shock = full.shock if "shock" in blow.through else max(dealt.shock, min(full.shock, dealt.shock + blow.pierces))
    least = max(kill, min(full.kill, blow.least_kill)), max(shock, min(full.shock, blow.least_shock))
    return Dealt(least[0], max(0, least[1] - blow.spared))


# --- whole attacks ------------------------------------------------------------------------------------------------------------


@rule("ore-4.09d-fire-modes", "ore-4.09d-burst-fire")
def volley(
    rules: Ruleset,
    pool: Pool = SIX,
    weapon: str = "uzi 9mm",
    facts: Facts = BURST,
    body: AnyBody | None = None,
    worn: Protection = BARE,
    by: str = "",
    victim: str = "",
) -> Play[Landed]:
    """Several shots, or a burst, at one target: every set that a shot was announced for lands, one after the other.

    A burst hits each target once, so at one target it is a single set with the dice of its spray.
    """
    target = Landed(fresh(rules) if body is None else body, worn)
    armed = weapon_named(rules, weapon)
    tried = attempt(rules, pool, armed, facts)
    sets = yield from salvo(rules, tried.pool, facts.shots, tried.difficulty, by=by, what=f"{facts.mode} fire")
    hit: Location | None = None
    for width, height in sets:
        done = blow(rules, armed, width)
        target = yield from land(rules, done, height, target.body, target.worn, cover=facts.cover, ranged=True, by=by, victim=victim)
        hit = target.location or hit
    return Landed(target.body, target.worn, hit, target.covered and hit is None)


@rule("ore-4.18-act-wait")
def later_speeds(own: int = 4, speeds: tuple[int, ...] = (5, 3, 2)) -> tuple[int, ...]:
    """Whoever waits can act at the Speed of any slower set, the fastest first; if there is none the action is lost.

    A view of waiting in fights.
    """
    return tuple(sorted({speed for speed in speeds if speed < own}, reverse=True))
