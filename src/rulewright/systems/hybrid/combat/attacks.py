"""Attack and defense: the hit roll, defense multipliers, parries and blocks (book lines 910-928, 1067-1133)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.sums import Sum
from rulewright.errors import UserError
from rulewright.play import Event, Happened, Play, Roll, Tell, sub
from rulewright.rules import Figures, Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, at_least, divided, less, rounded_down, term, times, total
from rulewright.systems.hybrid.harm.damage import A_STAB, SOUND, Blow, Body, shock_by, wound
from rulewright.systems.hybrid.resolution.tests import (
    ORDINARY,
    Check,
    Checked,
    Degree,
    Measured,
    Mod,
    chance_of,
    difficulty_factor,
    measured_check,
    opposing,
    skill_check,
    success_chance,
)

AttackKind = Literal["melee", "thrown", "missile", "mental", "mental on a thing"]
STAT_BASES: dict[AttackKind, str] = {"melee": "PCA", "thrown": "ACC", "missile": "ACC", "mental": "MCA", "mental on a thing": "FCS"}
Comes = Literal["melee", "thrown", "projectile", "energy"]
"""How an attack comes, for a parry."""
Guard = Literal["normal", "evading", "dodge: start", "dodge: leap", "dodge: recovery", "dropping", "prone", "crouching", "none"]
ADVANCE, RETREAT = Figures("hyb-8-advance"), Figures("hyb-8-retreat")
LOB, EVASION, DODGE = Figures("hyb-8-indirect-fire"), Figures("hyb-8-evasion"), Figures("hyb-8-dodge")
PRONE, CROUCH = Figures("hyb-8-drop-prone"), Figures("hyb-8-crouch")
PARRY, SIDE_EFFECTS, BLOCK = Figures("hyb-8-parry"), Figures("hyb-8-parry-side-effects"), Figures("hyb-8-block")
TIMES: dict[Guard, tuple[Figures, str]] = {
    "evading": (EVASION, "times the defense"),
    "dodge: start": (DODGE, "times at the start"),
    "dodge: leap": (DODGE, "times in the leap"),
    "dropping": (PRONE, "times while dropping"),
    "crouching": (CROUCH, "times the defense"),
}
"""The ways to stand or move that multiply the defense, and where the book's figure stands."""


# --- the hit roll (lines 910-914, 1067-1075) ----------------------------------------------------------------------------------


@rule("hyb-8-attack-roll")
def attack_factor(
    rules: Ruleset, stat: int = 12, rank: int | None = 4, defense: int = 12, aware: bool = True, modifiers: tuple[Mod, ...] = ()
) -> Derived[int]:
    """Combat statistic, rank and modifiers, less the defense of a target that knows of the attack (ruling: no formula is printed).

    A view of `difficulty_factor` and `against_defense`.
    """
    base = difficulty_factor(rules, (stat,), rank, 0, modifiers)
    if not aware or rules.word("defense-counts") == "percent":
        return total("Difficulty Factor to hit", *base.reasons, rule="hyb-8-attack-roll")
    off = less("defense", defense, rule="hyb-8-normal-defense", source=rules.source("defense-counts"))
    return total("Difficulty Factor to hit", *base.reasons, off, rule="hyb-8-attack-roll")


@rule("hyb-8-attack-roll")
def stat_base(rules: Ruleset, kind: AttackKind = "melee") -> str:
    """The statistic an attack rests on: PCA in melee, ACC for what flies, MCA against minds, FCS with the mind on things."""
    return STAT_BASES[kind]


@rule("hyb-8-attack-roll")
def against_defense(rules: Ruleset, check: Check = ORDINARY, defense: int = 12) -> Check:
    """The check of an attack with the defense taken off the Difficulty Factor (ruling), or off the chance."""
    return check.plus(percent=-defense) if rules.word("defense-counts") == "percent" else check.plus(df=-defense)


@rule("hyb-8-normal-defense")
def defense_value(
    rules: Ruleset, pdf: int = 12, guard: Guard = "normal", aware: bool = True, modifier: int = 0, modifiers: tuple[Mod, ...] = ()
) -> Derived[int]:
    """PDF or MDF of a person who knows of an attack, times what their way to move makes of it; this is no action."""
    if not aware:
        return total("defense: not aware of the attack", rule="hyb-8-normal-defense")
    terms = [term("defense", pdf)]
    if guard == "none":
        terms.append(times(guard, 0, rule="hyb-8-all-out-attack"))
    elif guard == "prone":
        part = PRONE.of(rules, "part of it once down")
        terms += [times(guard, 1 / part, rule=PRONE.rule), *([rounded_down()] if pdf % part else [])]
    elif guard in TIMES:
        figures, name = TIMES[guard]
        terms.append(times(guard, figures.of(rules, name), rule=figures.rule))
    if modifier:
        terms.append(term("situation", modifier))
    terms += [mod.reason() for mod in modifiers if mod.value]
    return total("defense", *terms, rule="hyb-8-normal-defense")


# --- ways to attack and to give way (lines 916-928, 1077-1081) ----------------------------------------------------------------


@rule("hyb-8-all-out-attack")
def all_out(rules: Ruleset, pdf: int = 12) -> Mod:
    """The own defense value is added to the attack, and missing from the defense until the next action (ruling)."""
    return Mod("all out attack", pdf, "hyb-8-all-out-attack")


@rule("hyb-8-advance")
def may_advance(rules: Ruleset, own_length: int = 90, other_length: int = 50) -> bool:
    """Only a weapon at least as long as the other's can press."""
    return own_length >= other_length


@rule("hyb-8-advance")
def advance(rules: Ruleset, offensive: bool = True) -> Mod:
    """Pressing on: +4 to everything offensive, -4 to everything defensive."""
    return Mod("advancing", ADVANCE.of(rules, "modifier") * (1 if offensive else -1), "hyb-8-advance")


@rule("hyb-8-retreat")
def retreat(rules: Ruleset, offensive: bool = False) -> Mod:
    """Falling back: +6 to everything defensive, -6 to everything offensive, together with any action and without another penalty."""
    return Mod("retreating", RETREAT.of(rules, "modifier") * (-1 if offensive else 1), "hyb-8-retreat")


@rule("hyb-8-indirect-fire")
def lob(rules: Ruleset) -> Mod:
    """The modifier of a lob."""
    return Mod("lob", LOB.of(rules, "modifier"), "hyb-8-indirect-fire")


@rule("hyb-8-indirect-fire")
def lob_range(rules: Ruleset, pst: int = 12) -> Derived[int]:
    """How far a lob carries, in metres: Physical Strength."""
    return total("metres", term("Physical Strength", pst), rule="hyb-8-indirect-fire")


@rule("hyb-9-enhancement-list")
def off_hand(rules: Ruleset, ambidextrous: bool = False) -> Mod:
    """The modifier of the other hand; Ambidexterity removes it. The book never prints the figure (ruling)."""
    return Mod("off hand", 0 if ambidextrous else rules.number("off-hand"), "hyb-9-enhancement-list")


# --- moving out of the way (lines 1083-1119) ----------------------------------------------------------------------------------


@rule("hyb-8-evasion")
def evasion(rules: Ruleset, pdf: int = 12) -> Derived[int]:
    """Weaving doubles the defense; other actions meanwhile are second actions at the same time. A view of `defense_value`."""
    return defense_value(rules, pdf, "evading")


@rule("hyb-8-evasion")
def dodge_from_evasion(rules: Ruleset) -> Mod:
    """A dodge out of evasion is easier."""
    return Mod("from evasion", EVASION.of(rules, "dodge from it"), "hyb-8-evasion")


@rule("hyb-8-dodge")
def dodge_phase(rules: Ruleset, counts: int = 7) -> Guard:
    """Returns the phase of a dodge so many counts after it began: five to start, ten of leap, five of recovery."""
    start = DODGE.of(rules, "counts to start")
    if counts < start:
        return "dodge: start"
    return "dodge: leap" if counts < start + DODGE.of(rules, "counts of leap") else "dodge: recovery"


@rule("hyb-8-dodge")
def dodge_counts(rules: Ruleset) -> int:
    """How long a dodge takes with all its parts."""
    return sum(DODGE.of(rules, f"counts {part}") for part in ("to start", "of leap", "of recovery"))


@rule("hyb-8-dodge")
def dodge(rules: Ruleset, pdf: int = 12, counts: int = 7, evading: bool = False) -> Derived[int]:
    """The defense so many counts into a dodge: twice, three times, once PDF; 3 more where it began from evasion.

    A view of `defense_value`.
    """
    return defense_value(
        rules, pdf, dodge_phase(rules, counts), aware=True, modifier=0, modifiers=(dodge_from_evasion(rules),) if evading else ()
    )


@rule("hyb-8-dodge")
def recover_from_dodge(rules: Ruleset, check: Check | None = None, by: str = "") -> Play[bool]:
    """A dodge ends in a fall, unless a person skilled in acrobatics rolls to come up standing."""
    feet = False
    if check is not None:
        feet = (yield from skill_check(rules, check, by, "acrobatic recovery")).success
    yield from Tell(Happened(by or "somebody", "lands on their feet" if feet else "lands on the ground"))
    return feet


@rule("hyb-8-drop-prone")
def drop_prone(rules: Ruleset, pdf: int = 12, down: bool = False, weightless: bool = False) -> Derived[int]:
    """The defense while dropping, three times PDF for five counts, or once down, half of it. Getting up takes thirty counts.

    Without a strong pull of gravity nobody drops.

    A view of `defense_value`.
    """
    if weightless:
        raise UserError("dropping prone needs gravity")
    return defense_value(rules, pdf, "prone" if down else "dropping")


@rule("hyb-8-drop-prone")
def rising(rules: Ruleset) -> int:
    """Counts to get up from the ground."""
    return PRONE.of(rules, "counts to get up")


@rule("hyb-8-crouch")
def crouch(rules: Ruleset, pdf: int = 12) -> Derived[int]:
    """Five counts that double the defense against one attack, in place of evasion. A view of `defense_value`."""
    return defense_value(rules, pdf, "crouching")


# --- parry and block (lines 1121-1133) ----------------------------------------------------------------------------------------


@rule("hyb-8-parry")
def parry_modifier(rules: Ruleset, against: Comes = "melee") -> Mod:
    """-3, and -5, -30 or -40 in its place (ruling) against what was thrown, shot, or is energy."""
    worth = PARRY.of(rules, against)
    if against != "melee" and rules.word("parry-modifiers") == "add":
        worth += PARRY.of(rules, "melee")
    return Mod(f"parry: {against}", worth, "hyb-8-parry")


@rule("hyb-8-parry")
def half_speed(rules: Ruleset, weapon_speed: int = 3) -> Derived[int]:
    """Counts for a parry, block or fend: half the weapon's speed, at least one (ruling), added to one's own next count."""
    return total("counts", term("weapon speed", weapon_speed), divided("half", 2), rounded_down(), at_least(1), rule="hyb-8-parry")


class Parried(Struct, frozen=True, gc=False):
    """How a parry went, and what follows for the weapons and the attacker."""

    success: bool
    bound: bool = False
    off_balance: int = 0


@rule("hyb-8-parry")
def parry(rules: Ruleset, check: Check = ORDINARY, attack: int = 20, by: str = "") -> Play[Parried]:
    """An opposed roll: the Success Number of the attack is taken off the parry's chance. The modifier of a parry is in the check."""
    against = opposing(rules, check, attack)
    made = yield from measured_check(rules, against, by, "parry")
    yield from Tell(Checked(by, "parry", made.success, rules, against, against=max(0, attack)))
    return side_effects(rules, made.success, made.success_number)


@rule("hyb-8-parry-side-effects")
def side_effects(rules: Ruleset, success: bool = True, made_by: int = 30) -> Parried:
    """A parry made by less than 5 binds the weapons; one made by more than 25 (ruling) leaves the attacker off balance.

    Being off balance costs as much as shock would by that margin, at most 6 (ruling).
    """
    if not success:
        return Parried(success=False)
    off = 0
    if made_by > SIDE_EFFECTS.of(rules, "off balance above"):
        row = shock_by(rules, made_by)
        worst = -rules.number("off-balance-worst")
        off = max(worst, row.df if row is not None and row.df is not None else worst)
    return Parried(success=True, bound=made_by < SIDE_EFFECTS.of(rules, "bound below"), off_balance=off)


@rule("hyb-8-parry-side-effects")
def release(rules: Ruleset, own: Check = ORDINARY, other: Check = ORDINARY, by: str = "", against: str = "") -> Play[bool]:
    """Bound weapons come free by an opposed roll at the defender's next initiative."""
    tried = yield from measured_check(rules, own, by, "freeing the weapon")
    yield from Tell(Checked(by, "freeing the weapon", tried.success, rules, own))
    if not tried.success:
        return False
    check = opposing(rules, other, tried.success_number)
    degree = yield from skill_check(rules, check, against, "keeping the weapons bound")
    keeps = Checked(against, "keeping the weapons bound", degree.success, rules, check, against=tried.success_number)
    yield from Tell(keeps)
    return not degree.success


@rule("hyb-8-block")
def block_modifier(rules: Ruleset) -> Mod:
    """The modifier of a block."""
    return Mod("block", BLOCK.of(rules, "modifier"), "hyb-8-block")


@rule("hyb-8-block")
def block(rules: Ruleset, check: Check = ORDINARY, dice: tuple[int, ...] = (6,), flat: int = 3, by: str = "") -> Play[int]:
    """Where it succeeds the damage of the blocking weapon or shield counts as armour. The -2 is in the check."""
    degree = yield from skill_check(rules, check, by, "block")
    if not degree.success:
        yield from Tell(Checked(by, "block", success=False, rules=rules, check=check))
        return 0
    stopped = (yield from Roll(Sum(dice, flat), by, "block")) if dice else flat
    yield from Tell(Blocked(by, stopped, flat, rules, check))
    return stopped


class Blocked(Event, frozen=True):
    """A block that succeeded, and the most that it stops."""

    by: str
    stops: int
    flat: int
    rules: Ruleset
    check: Check

    def headline(self) -> str:
        return f"{self.by or 'somebody'} blocks: up to {self.stops} of the damage is stopped"

    def reasons(self) -> tuple[Reason, ...]:
        terms = (term("dice", self.stops - self.flat), term("added to the dice", self.flat))
        return (*chance_of(self.rules, self.check), total("stopped at most", *terms, rule="hyb-8-block").reason)

    def tone(self) -> str:
        return "good"


# --- an attack from the roll to the wound -------------------------------------------------------------------------------------


class Answer(Struct, frozen=True, cache_hash=True, gc=False):
    """How the target meets an attack beside its defense: a parry or block with a weapon, or rolling with the blow."""

    way: Literal["none", "parry", "block", "roll with the blow"] = "none"
    check: Check = ORDINARY
    dice: tuple[int, ...] = ()
    flat: int = 0
    by: str = ""
    modifier: int = 0
    """What bears on rolling with the blow."""


NO_ANSWER = Answer()


class Strike(Struct, frozen=True, cache_hash=True, gc=False):
    """An attack: what it rolls against before the defense, what it meets, and what it does."""

    check: Check = Check(19)
    defense: int = 12
    blow: Blow = A_STAB
    by: str = ""
    what: str = "attack"


A_STRIKE = Strike()


class Struggle(Struct, frozen=True):
    """The outcome of an attack: the target after it, the degree, and how it was parried."""

    body: Body
    degree: Degree
    hit: bool
    parried: Parried | None = None


class Attacked(Event, frozen=True):
    """How an attack went."""

    by: str
    against: str
    what: str
    degree: Degree
    chance: int
    outcome: str
    why: Event | None = None
    """What the chance was reckoned from, in a fight."""

    def headline(self) -> str:
        return f"{self.by or 'somebody'} attacks {self.against or 'somebody'} ({self.what}): {str(self.degree).lower()}{self.outcome}"

    def reasons(self) -> tuple[Reason, ...]:
        return self.why.reasons() if self.why is not None else (Reason("chance to hit", self.chance, "=", "hyb-8-attack-roll"),)

    def tone(self) -> str:
        return "good" if self.degree.success and not self.outcome else "plain"


@rule("hyb-8-attack-roll")
def attack(rules: Ruleset, strike: Strike = A_STRIKE, target: Body = SOUND, answer: Answer = NO_ANSWER, now: int = 0) -> Play[Struggle]:
    """An attack through to the wound: the roll less the defense, the answer of the target, place, damage and what follows."""
    result = yield from landing(rules, strike, answer)
    return (yield from land(rules, strike, target, result, now))


def told_of(strike: Strike, target: str, item: "Landing", why: Event | None = None) -> Attacked:
    """Log entries about an attack that was rolled and met."""
    away = ", but parried" if item.parried is not None and item.parried.success else ""
    return Attacked(strike.by, target, strike.what, item.degree, item.chance, outcome=away, why=why)


def land(rules: Ruleset, strike: Strike, target: Body, item: "Landing", now: int) -> Play[Struggle]:
    """Applies an attack that was rolled and answered to its target."""
    yield from Tell(told_of(strike, target.name, item))
    if item.blow is None:
        return Struggle(target, item.degree, hit=False, parried=item.parried)
    after = yield from sub(wound, rules, target, item.blow, now, strike.by)
    return Struggle(after, item.degree, hit=True, parried=item.parried)


class Landing(Struct, frozen=True, gc=False):
    """How an attack was rolled and met, and the blow that lands where it hits."""

    degree: Degree
    chance: int
    parried: Parried | None = None
    blow: Blow | None = None


def landing(rules: Ruleset, strike: Strike, answer: Answer) -> Play[Landing]:
    """An attack until it lands or does not; nothing here depends on how the target fares."""
    check = against_defense(rules, strike.check, strike.defense)
    result = yield from sub(exchange, rules, check, answer, strike.by, strike.what)
    degree, parried = result.degree, result.parried
    away = parried is not None and parried.success
    chance = success_chance(rules, check.df, check.percent, check.share).value
    if not degree.success or away:
        return Landing(degree, chance, parried)
    blow = replace(strike.blow, degree=degree, rolled_with=answer.way == "roll with the blow", rolling=answer.modifier)
    if answer.way == "block":
        stopped = yield from block(rules, answer.check, answer.dice, answer.flat, answer.by)
        blow = replace(blow, armour=blow.armour + stopped)
    return Landing(degree, chance, parried, blow)


class Exchange(Struct, frozen=True, gc=False):
    """How an attack was rolled, and how it was parried where it was."""

    degree: Degree
    parried: Parried | None = None


@rule("hyb-8-attack-roll")
def exchange(rules: Ruleset, check: Check = ORDINARY, answer: Answer = NO_ANSWER, by: str = "", what: str = "attack") -> Play[Exchange]:
    """The rolls of attacker and defender; the defense is in the check already."""
    if answer.way != "parry":
        return Exchange((yield from skill_check(rules, check, by, what)))
    tried: Measured = yield from measured_check(rules, check, by, what)
    if not tried.success:
        return Exchange(tried.degree)
    parried = yield from sub(parry, rules, answer.check, tried.success_number, answer.by)
    return Exchange(tried.degree, parried)
