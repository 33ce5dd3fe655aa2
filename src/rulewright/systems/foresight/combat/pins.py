"""Close quarters: seizing limbs, keeping hold, falling together, choking, cuffing (book lines 3193-3229, 3245)."""

from typing import Literal

from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Choice, Option, Play, Roll, Scale, Together, came_to, sub
from rulewright.rules import Figures, Ruleset, rule
from rulewright.systems.foresight.combat.events import Asked, attempted, happened
from rulewright.systems.foresight.combat.fighters import BARE, NO_AIM, Fight, Fighter, Grip, Limb, Pin
from rulewright.systems.foresight.combat.melee import attack_task, dodge_task, open_arms
from rulewright.systems.foresight.combat.moves import lose_balance
from rulewright.systems.foresight.combat.reflexes import Answer, can_react, defended, limb_of
from rulewright.systems.foresight.harm.body import SOMEBODY, Patient, condition, endurance_task
from rulewright.systems.foresight.harm.hazards import breath
from rulewright.systems.foresight.resolution.damage_classes import damage, protection
from rulewright.systems.foresight.resolution.locations import Location
from rulewright.systems.foresight.resolution.situations import UNARMED_FIELDS, reflex
from rulewright.systems.foresight.resolution.tests import BARELY, Contest, Mod, Task, attempt, blocked, compare, contest, reading, weighed

PINS = Figures("fs-close-quarters-pins")
BREATH_ROLL = 5
"""Seconds between the rolls of a person out of breath."""
STRONG = Task(9, 7)
_HOLDING = ("free to fire", "immobile", "restrained")
GRIPS = Scale(("broken", "loose", *_HOLDING), _HOLDING, "holds", "gets loose")
"""What keeping hold can lead to."""
FOOTING = Scale(("stands", "falls"), ("stands",), "stands")
"""What a struggle to stay on one's feet leads to."""


@rule("fs-unarmed-fields", "fs-close-quarters-pins")
def capture(rules: Ruleset, knows: bool = True) -> Mod:
    """The modifier of the Capture field for making, keeping and breaking pins."""
    return Mod("Capture", UNARMED_FIELDS.get(rules, "Unarmed Combat Capture").modifier if knows else 0, "fs-unarmed-fields")


@rule("fs-close-quarters-pins")
def grip(rules: Ruleset, pinner: int = 3, pinned: int = 4) -> Grip | Literal["broken"]:
    """The grip of a pin for the turn after two strength rolls, by how far they are apart.

    A tie lets the pinned fire wildly; one better frees the limb at -4 and two break the pin. The pinner's one better holds the
    limb fast, and two restrain the whole person.
    """
    ahead = compare(rules, pinner, pinned).margin
    if ahead <= -2:
        return "broken"
    return {-1: "loose", 0: "free to fire", 1: "immobile"}.get(ahead, "restrained")  # type: ignore[return-value]


@rule("fs-close-quarters-pins")
def struggle(rules: Ruleset, pinner: Task = STRONG, pinned: Task = STRONG, by: str = "", against: str = "") -> Play[str]:
    """Both roll strength and compare: how firm the pin is this turn."""
    result = yield from contest(rules, pinner, pinned, by, against, what="strength")
    return grip(rules, result.one, result.other)


@rule("fs-close-quarters-pins")
def seized_modifier(rules: Ruleset, seized: bool = True, dodged: bool = False) -> int:
    """The modifier of a hand on the gun for a shot: 4 if it got hold, 2 for the balance lost in dodging it, 6 for both."""
    return -4 * seized - 2 * dodged


def strength_task(rules: Ruleset, fighter: Fighter, knack: bool = True) -> Task:
    """Strength in a struggle, Capture included."""
    return fighter.profile.strength.plus(*condition(rules, fighter.body), capture(rules, knack and fighter.profile.knows("Capture")))


def pin_aim(limb: Limb) -> Location | Literal["legs", ""]:
    """The location that a pin of a limb is aimed at; the neck has a modifier of its own."""
    return "" if limb == "neck" else limb


def pin_task(rules: Ruleset, fight: Fight, fighter: Fighter, other: Fighter, *, limb: Limb, aware: bool = True) -> Task:
    """An attempt to seize a limb: an unarmed attack at it, with what Capture adds; on the neck it is a strangle."""
    way = "strangle" if limb == "neck" else ""
    extra = (capture(rules, fighter.profile.knows("Capture") and limb != "neck"),)
    return attack_task(rules, fight, fighter, other, weapon=BARE, way=way, aimed=pin_aim(limb), aware=aware, extra=extra)


@rule("fs-special-melee-attacks")
def strangle_works(rules: Ruleset, unarmed: float = 2, victim: Patient = SOMEBODY) -> bool:
    """A strangle hold does nothing where a blow as hard could not get through the armor of head or chest."""
    for place in ("head", "chest"):
        armor = protection(rules, tuple([cover.against("m") for cover in victim.covers if cover.location == place]))
        if not damage(rules, unarmed, 1, victim.ds, armor.number, absorbs=armor.absorbs).levels:
            return False
    return True


# --- getting hold -------------------------------------------------------------------------------------------------------------


def take_hold(rules: Ruleset, fight: Fight, name: str, target: str, limb: Limb) -> Play[Fight]:
    """A limb is seized: it is held fast until the next struggle, and both are drawn to the ground."""
    if limb == "neck" and not strangle_works(rules, fight.fighter(name).profile.unarmed, fight.fighter(target).body):
        yield from happened(fight, name, f"cannot reach {target}'s throat through the armor")
        return fight
    result = fight.fighter(name)
    yield from happened(fight, name, f"pins {target}'s {limb}", "good")
    fight = fight.put(replace(result, pins=(*[pin for pin in result.pins if (pin.of, pin.limb) != (target, limb)], Pin(target, limb))))
    return (yield from topple(rules, fight, name, target))


_WISHES: tuple[Option[bool], ...] = (Option("stand", "Stay on your feet", value=True), Option("ground", "Go to the ground", value=False))


def topple(rules: Ruleset, fight: Fight, name: str, target: str) -> Play[Fight]:
    """After a pin: who wants to stand? Both do: each rolls agility. One does: strength decides. Neither: strength decides who is on top."""
    outcome, other = fight.fighter(name), fight.fighter(target)
    if outcome.flat and other.flat:
        return fight
    asked = f"{name} has hold of {target}. Do you stay on your feet?"
    pair = [outcome, other]
    wishes = yield Together(tuple([Choice(f.name, asked, _WISHES, Asked(fight, f.name, rules), "footing") for f in pair]))
    if all(wishes):
        rolls = yield Together(tuple([Roll(reading(rules, footing(rules, f)), f.name, "staying on the feet") for f in pair]))
        for fighter, rolled in zip(pair, rolls, strict=True):
            fight = yield from _footed(rules, fight, fighter.name, rolled.qr)
            if not rolled.success and not fighter.flat:
                fight = yield from fall_down(rules, fight, fighter.name)
        return (yield from _stood(fight, pair))
    mine, theirs = strength_task(rules, outcome, knack=False), strength_task(rules, other, knack=False)
    result = yield from contest(rules, mine, theirs, name, target, what="strength")
    of = ((name, weighed(rules, mine)), (target, weighed(rules, theirs)))
    yield from attempted(fight, name, f"struggles with {target}, {strengths(result)}", of=of)
    if any(wishes):
        stands = 1 if wishes[0] else 2
        if result.winner in (0, stands):
            yield from happened(fight, pair[stands - 1].name, "keeps both of them on their feet")
            return (yield from _stood(fight, pair))
    for fighter in pair:
        if not fighter.flat:
            fight = yield from fall_down(rules, fight, fighter.name)
    if not any(wishes) and result.winner:
        yield from happened(fight, pair[result.winner - 1].name, "ends up on top")
    return (yield from _stood(fight, pair))


def strengths(result: Contest) -> str:
    """The ratings of two strength rolls, in words."""
    return f"strength QR{result.one} against QR{result.other}"


def _footed(rules: Ruleset, fight: Fight, name: str, qr: int) -> Play[Fight]:
    """Tell whether a person keeps their feet by agility."""
    said = "stays on their feet" if qr <= BARELY else "loses their footing"
    yield from attempted(fight, name, f"{said} (QR{qr})", of=((name, weighed(rules, footing(rules, fight.fighter(name)))),))
    return fight


def _stood(fight: Fight, pair: list[Fighter]) -> Play[Fight]:
    """Reports for evaluation which of two people still stand."""
    for fighter in pair:
        yield from came_to("falls" if fight.fighter(fighter.name).flat else "stands", FOOTING, fighter.name)
    return fight


def footing(rules: Ruleset, fighter: Fighter) -> Task:
    """Agility to stay on one's feet."""
    return fighter.profile.agility.plus(*condition(rules, fighter.body, agility=True))


def fall_down(rules: Ruleset, fight: Fight, name: str, stance: Literal["kneeling", "prone"] = "prone") -> Play[Fight]:
    """A person goes to the knees or to the ground, and loses balance with it."""
    result = fight.fighter(name)
    if result.flat or result.stance == stance:
        return fight
    yield from happened(fight, name, "falls to the knees" if stance == "kneeling" else "falls to the ground", "bad")
    return fight.put(replace(lose_balance(rules, result), stance=stance, rising=0, **NO_AIM))


def seize_gun(rules: Ruleset, fight: Fight, name: str, firer: str) -> Play[tuple[Fight, bool]]:
    """The target of a shot at close quarters grabs for the gun hand; the firer may dodge that and loses balance by it."""
    result, other = fight.fighter(name), fight.fighter(firer)
    limb = limb_of(other)
    before = 0 if result.bonus == "parry" and result.bonuses else result.parries
    task = pin_task(rules, fight, result, other, limb=limb).plus(reflex(rules, "parry", before))
    dodges = False
    if can_react(fight, other) and not other.frozen:
        about = Asked(fight, firer, rules, actor=name)
        dodges = yield from Choice(firer, f"{name} grabs for your gun hand. Do you dodge it?", _DODGE, about, "gun hand")
    rolled = yield from attempt(rules, task, name, "seizing the gun hand")
    through, against, of = rolled.qr, "", [(name, weighed(rules, task))]
    if dodges:
        evading = dodge_task(rules, fight, other, result)
        evaded = (yield from attempt(rules, evading, firer, "dodge")).qr
        through, against = blocked(rules, rolled.qr, evaded), f" against QR{evaded}"
        of.append((firer, weighed(rules, evading)))
        fight = yield from defended(rules, fight, firer, name, Answer("dodges"))
    fight = yield from defended(rules, fight, name, firer, Answer("parries"))
    said = f"{'grabs' if through <= BARELY else 'misses'} {firer}'s gun hand"
    yield from attempted(fight, name, f"{said} (QR{rolled.qr}{against})", of=tuple(of))
    if through > BARELY:
        return fight, False
    return (yield from take_hold(rules, fight, name, firer, limb)), True


_DODGE: tuple[Option[bool], ...] = (
    Option("hold", "Hold still and fire", value=False),
    Option("dodge", "Dodge it, losing balance", value=True),
)


# --- keeping hold -------------------------------------------------------------------------------------------------------------


def maintain(rules: Ruleset, fight: Fight, name: str, target: str, limb: str) -> Play[Fight]:
    """One action keeps one pin for the turn, and both strengths decide how firm it is."""
    result, other = fight.fighter(name), fight.fighter(target)
    pin = next((candidate for candidate in result.pins if (candidate.of, candidate.limb) == (target, limb)), None)
    if pin is None:
        raise UserError(f"{name} has no hold of {target}'s {limb}")
    mine, theirs = strength_task(rules, result), strength_task(rules, other)
    text = yield from sub(struggle, rules, mine, theirs, name, target)
    of = ((name, weighed(rules, mine)), (target, weighed(rules, theirs)))
    yield from came_to(text, GRIPS, name, target)
    if text == "broken":
        yield from attempted(fight, target, f"breaks {name}'s hold: at least two ratings stronger", "good", of=of)
        return fight.put(replace(result, pins=tuple([candidate for candidate in result.pins if candidate is not pin])))
    turns = pin.turns + 1 if text == "restrained" else 0
    words = {
        "restrained": f"restrains {target}: at least two ratings stronger",
        "immobile": f"holds {target}'s {limb} fast: one rating stronger",
        "free to fire": f"barely holds {target}'s {limb}: equally strong",
        "loose": f"has only a loose hold of {target}'s {limb}: one rating weaker",
    }
    yield from attempted(fight, name, words[text], of=of)
    new = replace(pin, grip=text, kept=True, turns=turns)
    return fight.put(replace(result, pins=tuple([new if candidate is pin else candidate for candidate in result.pins])))


def begin_holding(fighter: Fighter) -> Fighter:
    """At the beginning of a turn every pin wants to be kept up again."""
    if not fighter.pins:
        return fighter
    return replace(fighter, pins=tuple([replace(pin, kept=False) for pin in fighter.pins]))


def let_slip(fight: Fight, name: str) -> Play[Fight]:
    """At the end of a turn: who did not keep up all pins has lost all of them."""
    result = fight.fighter(name)
    if not result.pins or all(pin.kept for pin in result.pins):
        return fight
    yield from happened(fight, name, f"lets go of {', '.join(dict.fromkeys([pin.of for pin in result.pins]))}")
    return fight.put(replace(result, pins=()))


@rule("fs-close-quarters-pins")
def may_cuff(rules: Ruleset, turns: int = 2) -> bool:
    """A person who has been restrained for two turns or more can be cuffed."""
    return turns >= PINS.of(rules, "turns before cuffs")


def cuff(fight: Fight, name: str, target: str) -> Play[Fight]:
    """Handcuffs or a rope: the fight is over for the one who is put in them."""
    yield from happened(fight, name, f"cuffs {target}", "good")
    result = fight.fighter(name)
    fight = fight.put(replace(result, pins=tuple([pin for pin in result.pins if pin.of != target])))
    return fight.change(target, cuffed=True, waiting=False, pins=(), acts=0, bonuses=0)


def choke(rules: Ruleset, fight: Fight, seconds: int) -> Play[Fight]:
    """A round goes by for everybody whose throat is held: when the breath is used up endurance is rolled every five seconds."""
    for fighter in fight.fighters:
        flag = any(pin.limb == "neck" for pin in fight.pinned(fighter.name))
        if fighter.out or not flag:
            fight = fight.put(replace(fighter, choking=0)) if fighter.choking else fight
            continue
        before, after = fighter.choking, fighter.choking + seconds
        fight = fight.put(replace(fighter, choking=after))
        lasts = breath(rules, fighter.body.endurance).value
        for _ in range(max(0, after - lasts) // BREATH_ROLL - max(0, before - lasts) // BREATH_ROLL):
            task = endurance_task(rules, fighter.body, *condition(rules, fighter.body))
            rolled = yield from attempt(rules, task, fighter.name, "holding out without air")
            said = "holds out without air" if rolled.success else "passes out from lack of air"
            of = ((fighter.name, weighed(rules, task)),)
            yield from attempted(fight, fighter.name, f"{said} (QR{rolled.qr})", "plain" if rolled.success else "bad", of=of)
            if not rolled.success:
                fight = fight.harm(fighter.name, replace(fighter.body, unconscious=True))
                break
    return fight


def limbs_to_pin(fight: Fight, fighter: Fighter, other: Fighter) -> list[Limb]:
    """The limbs that an empty hand can seize at close quarters; legs only where both are on the ground."""
    taken = {pin.limb for pin in fight.pinned(other.name)}
    result: list[Limb] = []
    if open_arms(fight, fighter):
        result += [limb for limb in ("left arm", "right arm", "neck") if limb not in taken]
    if fighter.stance != "standing" and other.stance != "standing" and "legs" not in taken:
        result.append("legs")
    return result
