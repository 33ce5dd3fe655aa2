"""Hand-to-hand maneuvers: closing and fending, tricks, throws and holds (book lines 898-908, 944-1000)."""

from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.limits import bound
from rulewright.errors import UserError
from rulewright.play import Choice, Event, Option, Play, Reckoned, Tell, sub
from rulewright.rules import Figures, Ruleset, rule
from rulewright.rules.reasons import Derived, at_least, at_most, divided, less, reckoned, rounded_down, rounded_up, term, times, total
from rulewright.systems.hybrid.combat.attacks import (
    A_STRIKE,
    NO_ANSWER,
    Answer,
    Parried,
    Strike,
    Struggle,
    against_defense,
    attack,
    block,
    exchange,
    half_speed,
    parry,
)
from rulewright.systems.hybrid.combat.initiative import setup_counts
from rulewright.systems.hybrid.harm.damage import A_STAB, SOUND, Blow, Body, wound
from rulewright.systems.hybrid.resolution.tests import ORDINARY, Check, Checked, Mod, chance_of, measured_check, opposing, skill_check

CLOSING, DISARM, FEINT = Figures("hyb-8-closing"), Figures("hyb-8-disarm"), Figures("hyb-8-feint")
SPIN, THROW = Figures("hyb-8-spinning"), Figures("hyb-8-throw")
GRAPPLE, HOLD = Figures("hyb-8-grapple"), Figures("hyb-8-hold")


# --- closing (lines 898-908) --------------------------------------------------------------------------------------------------


@rule("hyb-8-closing")
def must_close(rules: Ruleset, own_length: int = 20, other_length: int = 90) -> bool:
    """Against a longer weapon one has to get past it first."""
    return own_length < other_length


@rule("hyb-8-closing")
def fend_check(rules: Ruleset, check: Check = ORDINARY, giving_way: bool = False) -> Check:
    """The roll that keeps a person off: the weapon's own, 6 easier for people who step back."""
    return check.plus(df=CLOSING.of(rules, "fend and give way")) if giving_way else check


@rule("hyb-8-closing")
def fend_counts(rules: Ruleset, weapon_speed: int = 8) -> Derived[int]:
    """Returns the counts that fending costs the defender, as a parry does; initiative is not rolled again."""
    return half_speed(rules, weapon_speed)


A_FEND = Strike(what="fend")
FENDED = (
    Option("break off", "break off: stay outside", "break off"),
    Option("ignore", "ignore it: take the damage and get inside", "ignore"),
)
FENDED_OR_ROLL = (*FENDED, Option("roll with the blow", "ignore it and roll with the blow: initiative again", "roll with the blow"))


class Closed(Struct, frozen=True):
    """The outcome of closing in: whether one got there, and in what shape."""

    inside: bool
    body: Body
    parried: Parried | None = None
    """How the fend was parried, where it was."""
    rolled: bool = False
    """Whether the closer rolled with the blow, so that initiative is rolled again."""


class Closing(Event, frozen=True):
    """How closing in went."""

    name: str
    against: str
    inside: bool

    def headline(self) -> str:
        return f"{self.name or 'somebody'} {'gets inside' if self.inside else 'is kept outside'} the reach of {self.against or 'somebody'}"


@rule("hyb-8-closing")
def close_in(
    rules: Ruleset,
    closer: Body = SOUND,
    fend: Strike | None = A_FEND,
    answer: Answer = NO_ANSWER,
    now: int = 0,
    rolling: int | None = None,
) -> Play[Closed]:
    """Getting past a longer weapon. A fend is an attack that can be met like any other; an attacker who ignores one that succeeds takes its
    damage, and may roll with it where something bears on that (`rolling`; none: it cannot be done). A person whom it knocks out or throws
    to the ground stays outside (ruling); one who lay there already gets inside.

    Without a fend one simply gets there. `fend` holds its modifiers already, with the 6 of a person who gives way.
    """
    if fend is None:
        yield from Tell(Closing(closer.name, "", inside=True))
        return Closed(inside=True, body=closer)
    tried = yield from sub(exchange, rules, against_defense(rules, fend.check, fend.defense), answer, fend.by, "fending off")
    parried = tried.parried
    kept = tried.degree.success and not (parried is not None and parried.success)
    rolled = answer.way == "roll with the blow"
    if kept:
        ways = FENDED if rolling is None or answer.way != "none" else FENDED_OR_ROLL
        chosen = yield from Choice(closer.name, "The fend will hit. Do you go on?", ways, fend, "fended")
        kept, rolled = chosen == "break off", rolled or chosen == "roll with the blow"
        if not kept:
            blow = replace(fend.blow, degree=tried.degree, rolled_with=rolled, rolling=answer.modifier + (rolling or 0))
            if answer.way == "block":
                stopped = yield from block(rules, answer.check, answer.dice, answer.flat, answer.by)
                blow = replace(blow, armour=blow.armour + stopped)
            lay = closer.prone
            closer = yield from wound(rules, closer, blow, now, fend.by)
            kept = not closer.awake or (closer.prone and not lay)
    yield from Tell(Closing(closer.name, fend.by, not kept))
    return Closed(not kept, closer, parried, rolled and not kept)


@rule("hyb-8-closing")
def as_a_club(rules: Ruleset, blow: Blow = A_STAB) -> Blow:
    """A long weapon used on a person who is inside its reach: crushing, with a d4 in place of its dice (ruling)."""
    return Blow(dice=(4,), flat=blow.flat // 2, type="crushing", called=blow.called, times=blow.times)


# --- tricks (lines 944-970) ---------------------------------------------------------------------------------------------------


@rule("hyb-8-disarm")
def disarm(rules: Ruleset, check: Check = ORDINARY, other: Check = ORDINARY, by: str = "", against: str = "") -> Play[bool]:
    """An opposed roll at -4, in the weapon's time; success costs the other the weapon (ruling: the effect is not printed)."""
    harder = check.plus(df=DISARM.of(rules, "modifier"))
    tried = yield from measured_check(rules, harder, by, "disarm")
    yield from Tell(Checked(by, "disarm", tried.success, rules, harder))
    if not tried.success:
        return False
    opposed = opposing(rules, other, tried.success_number)
    kept = yield from skill_check(rules, opposed, against, "keeping hold of the weapon")
    yield from Tell(Checked(against, "keeping hold of the weapon", kept.success, rules, opposed, against=tried.success_number))
    return not kept.success


class Manner(Struct, frozen=True):
    """What a mode of attack costs, how it multiplies damage, and how long it takes."""

    modifier: Mod
    times: tuple[int, int]
    counts: int


@rule("hyb-8-spinning")
def spinning(rules: Ruleset, speed: int = 4) -> Manner:
    """-2, half again the damage, half again the time (rounded up)."""
    return Manner(Mod("spinning", SPIN.of(rules, "modifier"), "hyb-8-spinning"), _half_again(rules), slower(rules, speed).value)


@rule("hyb-8-jumping")
def jumping(rules: Ruleset, speed: int = 4) -> Manner:
    """-4, half again the damage, half again the time (rounded up)."""
    return Manner(Mod("jumping", -rules.number("jumping-penalty"), "hyb-8-jumping"), _half_again(rules), slower(rules, speed).value)


def _half_again(rules: Ruleset) -> tuple[int, int]:
    """Returns the ratio by which spinning and jumping multiply damage and time."""
    return Fraction(SPIN.of(rules, "tenths of damage and time"), 10).as_integer_ratio()


def slower(rules: Ruleset, speed: int = 4) -> Derived[int]:
    """Half again as long."""
    up, down = _half_again(rules)
    return total("counts", term("speed", speed), times("half again", up / down), rounded_up(), rule="hyb-8-spinning")


@rule("hyb-8-spinning", "hyb-8-jumping", "hyb-7-setup")
def manner_counts(rules: Ruleset, counts: int = 2, slowed: int = 1, prepared: bool = False) -> int:
    """How long an attack takes that would take so many counts, with every speed point in them: half again for spinning, and for
    jumping; a set-up takes as long again."""
    bound("the manners that take half again as long", slowed, 0, 2)
    for _ in range(slowed):
        counts = slower(rules, counts).value
    return counts + (setup_counts(rules, counts).value if prepared else 0)


@rule("hyb-8-feint")
def feint(rules: Ruleset, check: Check = ORDINARY, watchers: tuple[Check, ...] = (ORDINARY,), by: str = "") -> Play[tuple[bool, ...]]:
    """A weapon roll at -6; everybody in reach may see through it with perception, less the Success Number. Gives who was fooled.

    A view of `deceive`.
    """
    return (yield from deceive(rules, check, watchers, by)).fooled


class Deceived(Struct, frozen=True):
    """The Success Number of a feint, and which of the watchers it fooled."""

    success_number: int
    fooled: tuple[bool, ...]


@rule("hyb-8-feint")
def deceive(rules: Ruleset, check: Check = ORDINARY, watchers: tuple[Check, ...] = (ORDINARY,), by: str = "") -> Play[Deceived]:
    """A feint and what everybody in reach sees of it."""
    harder = check.plus(df=FEINT.of(rules, "modifier"))
    tried = yield from measured_check(rules, harder, by, "feint")
    yield from Tell(Checked(by, "feint", tried.success, rules, harder))
    fooled = [False] * len(watchers)
    for place, watcher in enumerate(watchers if tried.success else ()):
        seen = yield from skill_check(rules, opposing(rules, watcher, tried.success_number), "", "seeing through the feint")
        fooled[place] = not seen.success
    return Deceived(max(0, tried.success_number), tuple(fooled))


# --- at arm's length (lines 972-1000) -----------------------------------------------------------------------------------------


@rule("hyb-8-overbear")
def overbear_strike(
    rules: Ruleset, check: Check = ORDINARY, defense: int = 12, pse: int = 6, gripped: bool = False, by: str = ""
) -> Strike:
    """The attack that bears a person down: damage is the strike value, and the other is on the ground."""
    return Strike(_gripped(rules, check, gripped), defense, Blow((), pse, "crushing", topples=True), by, "overbear")


@rule("hyb-8-overbear")
def overbear(rules: Ruleset, strike: Strike = A_STRIKE, target: Body = SOUND, answer: Answer = NO_ANSWER, now: int = 0) -> Play[Struggle]:
    """Once closed in, an attack on PCA that can be met like any other. A view of `overbear_strike`, which a fight plays."""
    return (yield from attack(rules, strike, target, answer, now))


@rule("hyb-8-throw")
def throw_strike(rules: Ruleset, check: Check = ORDINARY, defense: int = 12, pse: int = 6, gripped: bool = False, by: str = "") -> Strike:
    """The attack that throws a person, at -5: twice the strike value, and the other is on the ground."""
    hard = Blow((), THROW.of(rules, "times the strike value") * pse, "crushing", topples=True)
    return Strike(_gripped(rules, check.plus(df=THROW.of(rules, "modifier")), gripped), defense, hard, by, "throw")


@rule("hyb-8-throw")
def throw(rules: Ruleset, strike: Strike = A_STRIKE, target: Body = SOUND, answer: Answer = NO_ANSWER, now: int = 0) -> Play[Struggle]:
    """Once closed in, an attack on PCA that can be met like any other. A view of `throw_strike`, which a fight plays."""
    return (yield from attack(rules, strike, target, answer, now))


def _gripped(rules: Ruleset, check: Check, gripped: bool) -> Check:
    return check.plus(df=grip_bonus(rules).value) if gripped else check


class Gripped(Event, frozen=True):
    """How strong a hold is now."""

    name: str
    against: str
    hold: int

    def headline(self) -> str:
        if not self.hold:
            return f"{self.name or 'somebody'} finds no hold on {self.against or 'somebody'}"
        return f"{self.name or 'somebody'} holds {self.against or 'somebody'} with strength {self.hold}"


@rule("hyb-8-grapple")
def grapple(
    rules: Ruleset,
    check: Check = ORDINARY,
    defense: int = 12,
    pst: int = 12,
    by: str = "",
    against: str = "",
    answer: Answer = NO_ANSWER,
) -> Play[int]:
    """An attack for a hand hold on PCA (ruling), parried like any other; gives the strength of the hold, 0 where it failed.

    A view of `grip`.
    """
    return (yield from grip(rules, check, defense, pst, by=by, against=against, answer=answer)).hold


class Grip(Struct, frozen=True):
    """The outcome of an attempt at a hand hold: its strength, and how it was parried where it was."""

    hold: int
    parried: Parried | None = None


def grip(rules: Ruleset, check: Check, defense: int, pst: int, *, by: str, against: str, answer: Answer) -> Play[Grip]:
    """A grapple with everything that comes of it."""
    tried = yield from measured_check(rules, against_defense(rules, check, defense), by, "grapple")
    got, parried = tried.success, None
    if got and answer.way == "parry":
        parried = yield from parry(rules, answer.check, tried.success_number, answer.by)
        got = not parried.success
    hold = hold_strength(rules, 0, tried.success_number, pst).value if got else 0
    yield from Tell(Gripped(by, against, hold))
    return Grip(hold, parried)


@rule("hyb-8-grapple")
def grip_bonus(rules: Ruleset) -> Mod:
    """The bonus of a hand hold to throws, to bearing down, and to attempts at a better hold."""
    return Mod("hand hold", GRAPPLE.of(rules, "hand hold"), "hyb-8-grapple")


@rule("hyb-8-hold")
def hold_strength(rules: Ruleset, hold: int = 0, success_number: int = 20, pst: int = 12, by_victim: bool = False) -> Derived[int]:
    """A hold begins with the Success Number of the grapple, grows by half of every later one up to five times the holder's PST,
    and shrinks by the Success Number of what the held one rolls; at 0 they are free (ruling)."""
    if hold < 0 or pst < 1:
        raise UserError("a hold has a strength of at least 0, and its holder a Physical Strength of at least 1")
    number = max(0, success_number)
    if success_number < 0:
        return total("hold", term("hold", hold), term("the roll failed", 0), rule="hyb-8-hold")
    if by_victim:
        return total("hold", term("hold", hold), less("Success Number", number), at_least(0), rule="hyb-8-hold")
    more = total("half the Success Number", term("Success Number", number), divided("half", 2), rounded_down())
    terms = [term("hold", hold), term("half the Success Number", more)] if hold else [term("Success Number", number)]
    limit = HOLD.of(rules, "most times the strength")
    most, grown = limit * pst, reckoned(terms)
    if grown > most:
        terms.append(at_most(most, f"at most {limit} × PST {pst}", rule="hyb-8-hold"))
    elif grown < 1:
        terms.append(at_least(1, "a grip that succeeded is at least", rule="hyb-8-hold", source="ruling"))
    return total("hold", *terms, rule="hyb-8-hold")


@rule("hyb-8-hold")
def tighten(rules: Ruleset, check: Check = ORDINARY, hold: int = 20, pst: int = 12, by: str = "", against: str = "") -> Play[int]:
    """Another roll, 5 easier for the grip one has, solely to make the hold stronger."""
    tried = yield from measured_check(rules, check.plus(df=grip_bonus(rules).value), by, "tightening the hold")
    after = hold_strength(rules, hold, tried.success_number, pst).value if tried.success else hold
    yield from Tell(Gripped(by, against, after))
    return after


@rule("hyb-8-hold")
def struggle(rules: Ruleset, check: Check = ORDINARY, hold: int = 20, by: str = "") -> Play[int]:
    """The held one rolls to get free; gives what is left of the hold."""
    tried = yield from measured_check(rules, check, by, "breaking the hold")
    left = hold_strength(rules, hold, tried.success_number, by_victim=True)
    if not tried.success:
        yield from Tell(Checked(by, "breaking the hold", success=False, rules=rules, check=check))
        return hold
    yield from Tell(Reckoned(by, "loosens the hold", sums=(*chance_of(rules, check), left.reason)))
    return left.value


@rule("hyb-8-hold")
def subdues(rules: Ruleset, hold: int = 40, pst: int = 12) -> bool:
    """Whether a hold leaves a person of this strength nothing to do but to struggle: one five times as strong (ruling hold-subdues)."""
    return hold >= rules.number("hold-subdues") * pst
