"""Attacks from pool to damage; aiming and called shots (book lines 5330-5338).

`attempt` builds the roll, `blow` (see `weapons`) turns a set into damage, and `land` applies it through cover and armour to a body.
"""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import join, the
from rulewright.play import Play, Roll
from rulewright.play.cache import cached
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
    """The circumstances of an attack besides weapon and pool."""

    body: int = 3
    """The attacker's Body."""
    metres: int = 0
    aims: int = 0
    feints: int = 0
    display: bool = False
    """Whether the opponent saw a Display Move and this is the first attack on them."""
    hand: Hand = "primary"
    ambidextrous: bool = False
    free_hand: bool = True
    """Whether the other hand is empty and usable."""
    grip: Grip = "one hand"
    reach: int = 0
    """The opponent's Reach."""
    close_in: bool = False
    called: Location | None = None
    number: int = 0
    """The number that a die is set to for a called shot; by default the lowest of the target part."""
    mode: Mode = "single"
    shots: int = 1
    metres_between: int = 0
    cover: Cover = OPEN
    """The cover of the target."""
    beside: int = 0
    """The Power of a firearm fired at the same time with the other hand; 0 for none."""
    throws: int = 0
    """Body bonus from feats for throwing range."""


IN_REACH = Facts()
BURST = Facts(metres=20, mode="burst")


class Attempt(Struct, frozen=True, cache_hash=True, gc=False):
    """The roll of an action: pool, Difficulty, and the number of the set die (0 for none)."""

    pool: Pool
    difficulty: int = 1
    number: int = 0


# --- one attack ---------------------------------------------------------------------------------------------------------------


class Landed(Struct, frozen=True, gc=False):
    """The result of an attack: body and armour afterwards, location, and whether it hit."""

    body: AnyBody
    worn: Protection = BARE
    location: Location | None = None
    """None if it missed, was countered, or hit cover."""
    covered: bool = False
    kill: int = 0
    shock: int = 0

    @property
    def hit(self) -> bool:
        """Whether it hit; a hit costs a die of a set even if armour stopped it."""
        return self.location is not None

    def left_of(self, own: Protection, met: Protection) -> Protection:
        """The armour of a victim who had additional protection; pieces may be damaged."""
        return own if self.worn.pieces == met.pieces else replace(own, pieces=self.worn.pieces)


class Attacked(Struct, frozen=True, omit_defaults=True):
    """The result of an attack: location, damage taken, and state of the victim."""

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
    """One attack from roll to damage: any set hits unless a parry or dodge counters it (`defence`). The defence is always in time here;
    rounds handle Speed. The weapon is written as on a sheet."""
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
    """The same, with the full state of the victim."""
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
    """Each Aim gives a die to the next ranged attack; at most two in a row count, and only for single shots."""
    if aims < 0:
        raise UserError("the number of Aim actions cannot be negative")
    return Mod("aim", min(aims, MOST_AIM) if ranged and single else 0, "ore-4.18-act-aim")


@rule("ore-4.18-act-feint")
def feint_dice(feints: int = 1) -> Mod:
    """Each Feint gives a die to the next attack on the same opponent, at most two; it needs no roll (ruling)."""
    if feints < 0:
        raise UserError("the number of feints cannot be negative")
    return Mod("feint", min(feints, 2), "ore-4.18-act-feint")


@rule("ore-4.18-act-display-move")
def display_dice(success: bool = True, seen: bool = True, first_attack: bool = True) -> Mod:
    """A successful Display Move gives a die, or cancels a penalty die, on the first attack against a witness."""
    return Mod("Display Move", int(success and seen and first_attack), "ore-4.18-act-display-move")


@rule("ore-4.18-act-called-shot")
def called_shot(
    rules: Ruleset, pool: Pool = SIX, location: Location = "right arm", number: int = 0, difficulty: int = 1, by: str = ""
) -> Play[Outcome]:
    """A called shot: -1d, one die set to a number of the target part, and the others rolled: matching dice hit there."""
    tried = Attempt(pool.plus(called_dice()), printed_difficulty(rules, difficulty), called_number(rules, location, number))
    return (yield from at_number(rules, tried, by))


def at_number(rules: Ruleset, tried: Attempt, by: str = "") -> Play[Outcome]:
    """The roll of a called shot with its final dice."""
    if not tried.number:
        raise UserError("a called shot needs the number of its target part")
    dice = with_set_die(rules, tried)
    if dice is None:
        return Outcome()
    width = yield from Roll(AtNumber(dice, tried.number), by, "called shot")
    return Outcome(width, tried.number) if width >= 2 else Outcome()


@rule("ore-4.18-act-called-shot")
def called_dice(called: bool = True) -> Mod:
    """A called shot costs a die; a second one is set to a number of the target part and not rolled."""
    return Mod("called shot", -int(called), "ore-4.18-act-called-shot")


@rule("ore-4.18-act-called-shot")
def called_number(rules: Ruleset, location: Location = "right arm", number: int = 0) -> int:
    """The number of the set die: one of the target part; by default the lowest (ruling)."""
    numbers = heights_of(rules, location)
    if number and number not in numbers:
        raise UserError(f"the {location} is hit on {join([str(location_number) for location_number in numbers], 'or')}, not on {number}")
    return number or min(numbers)


@rule("ore-4.11-cover", "ore-4.18-act-called-shot")
def exposed_number(rules: Ruleset, location: Location = "torso", cover: Cover = BEHIND_A_WALL) -> int:
    """The number for a called shot at a target in cover: the lowest that cover does not hide; 0 if it hides all."""
    return min([number for number in heights_of(rules, location) if not stops_shot(rules, cover, number)], default=0)


@rule("ore-4.18-act-attack")
def attack_mods(rules: Ruleset, weapon: Weapon, facts: Facts = IN_REACH) -> tuple[Mod, ...]:
    """All bonus and penalty dice from weapon, hand and situation. Of two firearms the stronger recoil counts (ruling). Refuses
    impossible attacks: weapon too heavy, out of range, aimed bursts."""
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
    """The bonus of the grip; refuses weapons that are too heavy or need a hand that is not free."""
    if weapon.kind != "close":
        return Held()
    hands = hands_needed(rules, weapon.power, facts.body, "hafted" in weapon.traits)
    if hands == 0:
        raise UserError(f"{the(weapon.name)} of Power {weapon.power} is too heavy for a Body of {facts.body}")
    if hands == 2 and not facts.free_hand:
        raise UserError(f"{the(weapon.name)} needs both hands")
    return half_swording(rules, weapon.traits, weapon.power, facts.body, facts.free_hand, facts.grip)


@cached(20_000)
def can_use(rules: Ruleset, weapon: Weapon, facts: Facts = IN_REACH) -> bool:
    """Whether a fighter can attack like this: strong enough, in range, enough hands."""
    try:
        attack_mods(rules, weapon, facts)
    except UserError:
        return False
    return True


@rule("ore-4.18-act-attack")
def attempt(rules: Ruleset, pool: Pool, weapon: Weapon = BARE_HANDS, facts: Facts = IN_REACH, difficulty: int = 1) -> Attempt:
    """The roll of an attack: pool with modifiers, Difficulty of cover, and the set die of a called shot."""
    return _attempt(rules, pool, weapon, facts, difficulty)


@cached(20_000)
def _attempt(rules: Ruleset, pool: Pool, weapon: Weapon, facts: Facts, difficulty: int) -> Attempt:
    called = facts.called is not None
    need = printed_difficulty(rules, difficulty) if weapon.close else shot_difficulty(rules, facts.cover, called, difficulty)
    number = called_number(rules, facts.called, facts.number) if facts.called is not None else 0
    return Attempt(pool.plus(*attack_mods(rules, weapon, facts)), need, number)


@rule("ore-4.18-act-called-shot")
def with_set_die(rules: Ruleset, tried: Attempt) -> Thrown | None:
    """The dice of a called shot with one die set; None if there is none to set."""
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
    """Applies a blow: location, cover, armour, then damage. Armour may wear down."""
    location = yield from strike(rules, struck_with.width, height, by, aimed)
    by_width = rules.word("hit-location") == "width"
    if ranged and stops_shot(rules, cover, height, location if by_width else None):
        return Landed(body, worn, covered=True)
    bonus = called_bonus(rules, location) if aimed is not None else Bonus()
    hit = struck_with.hit
    behind = cover_armour(rules, cover, aimed is not None) if ranged else 0
    full = type(hit)(hit.kill + bonus.kill, hit.shock + bonus.shock, hit.width, hit.pen, hit.damage_class)
    resistance, piece, shield = resisted(rules, full, worn, location), worn.piece(location), worn.shielded(location)
    dealt = _felt(struck_with, full, through(rules, full, piece, shield, behind + resistance + struck_with.stopped))
    kill, shock, towards_wound = dealt.kill, dealt.shock, struck_with.wound_shock if dealt.kill or dealt.shock else 0
    if struck_with.slash:
        kill, shock, towards_wound = after_slash(dealt, struck_with.wound_shock > 0)
    stopped_by = (piece.name if piece is not None else "", shield, behind, resistance, struck_with.stopped, struck_with.spared)
    passed = (dealt.kill, dealt.shock)
    coming = Coming(hit.width, (hit.kill, hit.shock), (full.kill, full.shock), passed, struck_with.parts, stopped_by)
    if struck_with.wounding:
        body = replace(body, threshold=body.threshold - struck_with.wounding)
    after = yield from hurt(rules, body, location, shock, kill, victim, towards_wound, coming)
    if struck_with.wounding:
        after = replace(after, threshold=after.threshold + struck_with.wounding)
    return Landed(after, struck(rules, worn, location, struck_with.width), location, kill=kill, shock=shock)


def _felt(blow: Blow, full: Hit, dealt: Dealt) -> Dealt:
    """The damage after armour, minimum damage and ignored damage."""
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
    """Several shots or a burst at one target: every set for a shot lands in turn. A burst hits each target once."""
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
    """The Speeds at which a waiting fighter can act, fastest first; without any the action is lost. A view of waiting in fights."""
    return tuple(sorted({speed for speed in speeds if speed < own}, reverse=True))
