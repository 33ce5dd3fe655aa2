"""Shots, bursts and throws: the roll, jams and hit locations (book lines 3255-3298, 3642-3664, 3782-3794)."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.play import Play, Reckoned, Roll, Tell, came_to, sub
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import term, total
from rulewright.systems.foresight.combat.events import EFFECT, Attacked
from rulewright.systems.foresight.combat.fighters import UNJAMMED, Fight, Fighter
from rulewright.systems.foresight.combat.melee import aim_word, arms_in_use, dimmed, limbs_free, still
from rulewright.systems.foresight.gear.items import CONFIRM, FAILURES, failing_rolls
from rulewright.systems.foresight.gear.weapons import recoil
from rulewright.systems.foresight.harm.body import SOMEBODY, Patient, condition
from rulewright.systems.foresight.harm.damage import WOUNDING, Blow, be_hit, outcome_of
from rulewright.systems.foresight.harm.events import Attempted
from rulewright.systems.foresight.people.skills import off_hand
from rulewright.systems.foresight.resolution.damage_classes import Aimed, Cover, DamageClass, locate, parse_dc
from rulewright.systems.foresight.resolution.locations import Location, Side
from rulewright.systems.foresight.resolution.situations import RANGED, Situation, aiming, range_modifier, ranged_modifiers, situation_mod
from rulewright.systems.foresight.resolution.tests import BARELY, D10, FAILURE, Mod, Task, attempt, half_up, weighed, yield_of

MOST_ROUNDS = 100
SOMEBODY_SHOOTING = Task(12, 3)
WORST_GUESS = -6


class Shot(Struct, frozen=True, cache_hash=True):
    """A shot with everything decided: the task, the damage class, what it was aimed at, and what stands in its way."""

    firer: str = "firer"
    target: str = "target"
    task: Task = SOMEBODY_SHOOTING
    dc: str = "6i"
    aimed: Aimed = ""
    side: Side = "front"
    jam: str = "A"
    rounds: int = 0
    """Rounds laid over an area: each that hits does so alone, with a random rating. 0 is a shot or burst at a target."""
    barriers: tuple[str, ...] = ()
    bare: tuple[Location, ...] = ()
    """What the barriers leave bare."""
    covers: tuple[Cover, ...] = ()
    harmless: bool = False
    """Aimed at a thing and not at its bearer."""
    how: str = "shoots at"
    known_to: tuple[str, ...] | None = None


A_SHOT = Shot()


class Fired(Struct, frozen=True):
    """What a shot did: its rating, how many rounds hit, whether the weapon jammed, and the body afterwards."""

    qr: int
    hits: int
    jammed: bool
    body: Patient


@rule("fs-ranged-resolution")
def shot_body(rules: Ruleset, shot: Shot = A_SHOT, victim: Patient = SOMEBODY) -> Play[Patient]:
    """A shot as its victim feels it: what became of the body, whatever the rating was. A view of `shoot`."""
    return (yield from shoot(rules, shot, victim)).body


@rule("fs-ranged-resolution")
def shoot(rules: Ruleset, shot: Shot = A_SHOT, victim: Patient = SOMEBODY) -> Play[Fired]:
    """One roll of the weapon's skill: its rating decides the damage of the shot, and the roll itself whether the weapon fails."""
    rolled = yield from attempt(rules, shot.task, shot.firer, "shot", failing_rolls(rules, shot.jam))
    jams = rolled.fails and (yield from really_fails(rules, shot.jam, shot.firer))
    hits = 0 if jams else burst_hits(rules, shot.rounds, rolled.qr) if shot.rounds else int(rolled.qr <= BARELY)
    of, through = weighed(rules, shot.task), rolled.qr if hits else FAILURE
    yield from Tell(
        Attacked(
            attacker=shot.firer,
            target=shot.target,
            how=shot.how,
            attack=rolled.qr,
            through=through,
            jammed=jams,
            special=shot.harmless,
            attack_of=of,
            known_to=shot.known_to,
        )
    )
    if shot.rounds:
        body = yield from sub(sprayed, rules, shot, hits, victim)
    else:
        body = (yield from sub(pierced, rules, shot, rolled.qr, victim)) if hits and not shot.harmless else victim
    if shot.harmless:
        yield from came_to("disarmed" if hits else "miss", EFFECT, shot.firer, shot.target)
    else:
        yield from came_to(outcome_of(victim, body) if hits else "miss", WOUNDING, shot.firer, shot.target)
    return Fired(rolled.qr, hits, jams, body)


def shot_lands(rules: Ruleset, shot: Shot, victim: Patient) -> Play[Fired]:
    """A shot of which only hit, jam and wound matter afterwards: fewer outcomes to tell apart."""
    fired = yield from shoot(rules, shot, victim)
    hit = fired.hits > 0
    return Fired(BARELY if hit else FAILURE, int(hit), fired.jammed, fired.body)


def really_fails(rules: Ruleset, letter: str, by: str) -> Play[bool]:
    """The very reliable fail only if a further d10 says so."""
    row = FAILURES(rules).get(letter)
    return row is None or not row.confirm or (yield from Roll(CONFIRM, by, "does it really fail")) == "fails"


def pierced(rules: Ruleset, shot: Shot, qr: int, victim: Patient) -> Play[Patient]:
    """A hit on a body, through whatever hides the part of it that is struck."""
    whole = replace(victim, covers=victim.covers + shot.covers) if shot.covers else victim
    if not shot.barriers:
        after = yield from be_hit(rules, whole, Blow(shot.dc, qr, shot.aimed, shot.side))
    else:
        dc, after = parse_dc(shot.dc), whole
        for _ in range(dc.hits):
            where = yield from locate(rules, shot.aimed, victim.name)
            between = () if where in shot.bare else shot.barriers
            after = yield from be_hit(rules, after, Blow(str(replace(dc, hits=1)), qr, where, shot.side, between))
    return replace(after, covers=victim.covers) if shot.covers else after


def sprayed(rules: Ruleset, shot: Shot, hits: int, victim: Patient) -> Play[Patient]:
    """Rounds that hit one by one, each with a random rating."""
    for _ in range(hits):
        if victim.dead:
            break
        victim = yield from sub(pierced, rules, shot, 0, victim)
    return victim


@rule("fs-burst-fire")
def burst_hits(rules: Ruleset, rounds: int = 6, qr: int = 3) -> int:
    """How many rounds of area fire hit: the yield of the rating, to the nearest whole number."""
    if not 1 <= rounds <= MOST_ROUNDS:
        raise UserError(f"1 to {MOST_ROUNDS} rounds are fired at once, not {rounds}")
    return half_up(float(yield_of(rules, qr) * rounds)) if qr <= BARELY else 0


@rule("fs-burst-fire")
def burst_class(rules: Ruleset, dc: str = "9i2p", added: int = 3, area: bool = False) -> DamageClass:
    """A burst at one target is one hit of a higher damage class; rounds of area fire, like single shots, have the plain one."""
    return parse_dc(dc) if area else parse_dc(dc).plus(added)


@rule("fs-burst-fire")
def burst_actions(rules: Ruleset) -> int:
    """Fire actions that a burst takes: one, since the brackets count its rounds (ruling, setting burst-fire-actions)."""
    return rules.number("burst-fire-actions")


@rule("fs-weapon-traits")
def fire_actions(rules: Ruleset, prepare: bool = True, burst: bool = False) -> int:
    """Fire actions from the last shot to the next: two where the weapon has to be cocked, drawn or lifted first."""
    return max(2 if prepare else 1, burst_actions(rules) if burst else 1)


# --- jams ---------------------------------------------------------------------------------------------------------------------


@rule("fs-weapon-traits")
def jam(rules: Ruleset, by: str = "") -> Play[int]:
    """How many concentrate actions a jam will take to clear: a d10 that only the gamemaster sees."""
    actions = yield from Roll(D10, by, "how badly it is jammed", secret=True)
    if by:
        of = total("concentrate actions to clear the jam", term("d10", actions), rule="fs-weapon-traits").reason
        yield from Tell(Reckoned(by, f"needs {count(actions, 'action')} to clear the jam", sums=(of,), known_to=(by,)))
    return actions


@rule("fs-weapon-traits")
def clear_jam(rules: Ruleset, left: int = 3, dexterity: Task = SOMEBODY_SHOOTING, by: str = "") -> Play[int]:
    """One concentrate action on a jam: when the last is done a dexterity roll clears it (-1), or has to be tried again (ruling)."""
    if left > 1:
        return left - 1
    rolled = yield from attempt(rules, dexterity, by, "clearing the jam")
    if by:
        said = "clears the jam" if rolled.success else "cannot clear the jam yet"
        yield from Tell(Attempted(by, f"{said} (QR{rolled.qr})", of=((by, weighed(rules, dexterity)),)))
    return UNJAMMED if rolled.success else 1


# --- the task of a shot -------------------------------------------------------------------------------------------------------


def shot_task(
    rules: Ruleset,
    fight: Fight,
    fighter: Fighter,
    other: Fighter,
    weapon: int,
    *,
    aimed: Aimed = "",
    way: str = "",
    guess: int = 0,
    trained: bool = True,
    extra: tuple[Mod, ...] = (),
) -> Task:
    """The task of a shot or throw in the current state of the fight; an untrained one is a trigger pulled without aim."""
    owned = fighter.profile.weapons[weapon]
    if not owned.ranged:
        raise UserError(f"{owned.name} can neither be fired nor thrown")
    mine = fighter.aim_at == other.name and fighter.aim_off == fighter.in_off_hand(weapon)
    aims, arms = fighter.aim if trained and mine and not guess else 0, arms_in_use(fight, fighter, weapon)
    mods = [
        Mod(owned.name, owned.pm, "fs-ranged-weapons"),
        recoil(rules, owned.recoil, fighter.shots),
        aiming(rules, aims, trained and fighter.just_hit == other.name),
        range_modifier(rules, fighter.distance(other), owned.increment),
        limbs_free(fight, fighter, weapon),
        *ranged_modifiers(rules, tuple(_shot_situations(fight, fighter, other, weapon, aimed=aimed, way=way, guess=guess))),
        *extra,
    ]
    if arms == (fighter.off_arm,):
        mods.append(off_hand(rules, fighter.profile.ambidextrous, situation_mod(rules, RANGED.rule, Situation("off-hand")).value))
    return owned.task.plus(*condition(rules, fighter.body, arms), *mods)


def _shot_situations(fight: Fight, fighter: Fighter, other: Fighter, weapon: int, *, aimed: Aimed, way: str, guess: int) -> list[Situation]:
    situations = list(dimmed(fight, fighter, RANGED.rule, other))
    owned = fighter.profile.weapons[weapon]
    if fighter.braced or fighter.flat:
        situations.append(Situation("braced or prone"))
    if not fighter.balanced:
        situations.append(Situation("unbalanced"))
    if owned.longarm and len(arms_in_use(fight, fighter, weapon)) < 2:
        situations.append(Situation("longarm in one hand"))
    if guess:
        situations.append(Situation("area fire", pick=guess))
    situations.extend(_target_situations(fight, fighter, other, aimed, guess))
    word = _aim_word(fight, fighter, other, aimed, way)
    return [*situations, Situation(word)] if word else situations


def _target_situations(fight: Fight, fighter: Fighter, other: Fighter, aimed: Aimed, guess: int) -> list[Situation]:
    situations = []
    spot = fight.cover_from(fighter, other)
    if spot is not None and spot.cover != "out of sight" and not spot.leaves_bare(aimed):
        situations.append(Situation(spot.cover))
    if other.size in ("small", "large"):
        situations.append(Situation(f"target remarkably {other.size}"))
    elif other.size:
        degree = other.size_degree + 1
        name = "target dog-sized to tiny" if other.size == "tiny" else "target horse-sized to enormous"
        situations.append(Situation(name, pick=-degree if other.size == "tiny" else degree))
    if other.stance in ("kneeling", "squatting"):
        situations.append(Situation("target kneeling or squatting"))
    if other.flat:
        situations.append(Situation("target flat"))
    if other.motion:
        situations.append(Situation("target moving quickly" if other.motion == "quick" else "target moving evasively"))
    if still(fight, other):
        situations.append(Situation("target completely still"))
    if fighter.name in other.unaware_of and not guess:
        situations.append(Situation("target unaware"))
    if other.body.stunned:
        situations.append(Situation("target stunned"))
    return situations


def _aim_word(fight: Fight, fighter: Fighter, other: Fighter, aimed: Aimed, way: str) -> str:
    if way == "weapon":
        rifle = other.weapon.longarm and other.side_of(fighter) != "front"
        return "aimed at a rifle from the side" if rifle else "aimed at a handgun, or a rifle from the front"
    return aim_word(aimed)


def can_fire(fighter: Fighter, weapon: int) -> bool:
    """Whether a weapon has something to fire and is not jammed."""
    owned = fighter.profile.weapons[weapon]
    return owned.ranged and fighter.ammo[weapon] > 0 and fighter.jams[weapon] == UNJAMMED


def in_sight(fight: Fight, fighter: Fighter, other: Fighter) -> bool:
    """Whether a person can be aimed at: what is wholly hidden, or from wholly hidden, can only be guessed at."""
    hidden = (fight.cover_from(other, fighter), fight.cover_from(fighter, other))
    return fight.sees(fighter, other) and not any(spot is not None and spot.cover == "out of sight" for spot in hidden)


def may_aim(fight: Fight, fighter: Fighter, weapon: int) -> bool:
    """A longarm is aimed from the shoulder and with both hands (ruling: no modifier is printed for firing from the hip)."""
    owned = fighter.profile.weapons[weapon]
    return owned.ranged and (not owned.longarm or (fighter.shouldered and len(arms_in_use(fight, fighter, weapon)) == 2))
