"""Damage, wounds, bruises, unconsciousness, trauma and death (book lines 2453-2508, 2533-2546, 2561-2584)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.sums import sum_of
from rulewright.errors import UserError
from rulewright.grammar import is_plural
from rulewright.highest_die.harm import OUTCOMES, CheatedDeath, LimbPastHarm, spend_dice
from rulewright.play import Choice, Happened, Option, Play, Roll, Scale, Tell, sub
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, term, times, total
from rulewright.systems.silhouette.harm.body import AVERAGE, LOCATIONS, OPEN_ENDED, LimbInjury, Location, Part, Patient
from rulewright.systems.silhouette.harm.called_shots import vital_thresholds
from rulewright.systems.silhouette.harm.dispersal import Source, left_of
from rulewright.systems.silhouette.harm.events import Bruised, Died, Dying, HeldOn, OutFor, Unharmed, Wounded
from rulewright.systems.silhouette.people.experience import escape_cost
from rulewright.systems.silhouette.people.genre import Priced, armor_loss, lucky_break
from rulewright.systems.silhouette.people.secondary_attributes import Wound, wound_from
from rulewright.systems.silhouette.resolution.dice_options import tamed_margin, tamed_multiplier
from rulewright.systems.silhouette.resolution.tests import (
    Mod,
    Pool,
    action_test,
    attribute_pool,
    most_emergency_dice,
    passes,
)

Nature = Literal["plain", "blunt", "stabbing"]

HURTING = Scale(("miss", *OUTCOMES), OUTCOMES[1:], "hurts", "unhurt", harms=True)
"""Possible results of an attack, for the odds next to options."""
SNARING = Scale(("miss", "entangled"), ("entangled",), "entangles", "free", harms=True)
"""Possible results of an attack to entangle."""


class Hit(Struct, frozen=True):
    """Incoming damage: the part aimed at (None: nowhere), whether it only bruises, and its nature."""

    damage: int
    location: Location | None = None
    bruise: bool = False
    nature: Nature = "plain"
    armored: bool = True
    """Whether armor counts: not against falls, cold and poison."""
    by: Source = "melee"
    """The kind of attack, which matters to swarms."""
    waits: bool = False
    """Whether the test to stay conscious waits for the end of the round (sil-3.3-advanced-ties-combat)."""
    pierces: bool = False
    """Whether only half the armor counts, rounded up."""


THIRTY_POINTS = Hit(30)
"""Default hit."""


# --- how much, and against what -----------------------------------------------------------------------------------------------


@rule("sil-3.5.1-damage")
def damage(rules: Ruleset, multiplier: int, margin: int) -> Derived[int]:
    """Returns damage: Damage Multiplier times Margin of Success; 0 for a miss. Bigger dice may reduce both."""
    tamed, counted = tamed_multiplier(rules, max(0, multiplier)), tamed_margin(rules, max(0, margin))
    return total("damage", term("Damage Multiplier", tamed), times("Margin of Success", counted), rule="sil-3.5.1-damage")


class Thresholds(Struct, frozen=True):
    """Thresholds at one spot: natural ones, and the armor against Flesh Wounds and against worse."""

    flesh: int
    deep: int
    death: int
    armor: int = 0
    armor_flesh: int = 0

    def wound(self, damage: int) -> Wound:
        """Returns the most severe wound whose threshold the damage reaches."""
        worst = wound_from(damage, self.flesh, self.deep, self.death, self.armor)
        if worst in ("deep", "death"):
            return worst
        return "flesh" if damage >= self.flesh + self.armor_flesh else "none"

    def needed(self, wound: Wound) -> int:
        """Returns the damage needed for a wound, armor included."""
        return {"flesh": self.flesh + self.armor_flesh, "deep": self.deep + self.armor, "death": self.death + self.armor}[wound]


@rule("sil-3.5.1-armor")
def armor_at(victim: Patient = AVERAGE, location: Location | None = None) -> int:
    """Returns the armor over a spot, or 0; without a spot, that of the torso."""
    return victim.armor if (location or "torso") in victim.covers else 0


@rule("sil-3.5.1-blunt-stabbing")
def armor_against_flesh_wounds(rules: Ruleset, armor: int, nature: Nature = "blunt") -> int:
    """Returns armor against Flesh Wounds, if the campaign says so: +5 against blunt blows, -5 (at least 0) against stabs."""
    if not rules.on("blunt-and-stabbing") or nature == "plain":
        return armor
    if nature == "stabbing":
        return max(0, armor - 5)
    return armor + 5 if armor or not rules.on("blunt-needs-armor") else 0


@rule("sil-3.5.1-blunt-stabbing")
def stabbing_modifier(rules: Ruleset, parry: int) -> Mod:
    """Returns the attack modifier of a stab with a blade without a parry bonus: -1."""
    return Mod("stabbing", -1 if parry <= 0 and rules.on("blunt-and-stabbing") else 0, "sil-3.5.1-blunt-stabbing")


def part_of(rules: Ruleset, location: Location | None) -> Part:
    """Returns the kind of a body part; without one, the torso."""
    return LOCATIONS.get(rules, location).part if location else "torso"


def thresholds_at(rules: Ruleset, victim: Patient, hit: Hit) -> Thresholds:
    """Returns the thresholds at a spot: lower at vital spots, and higher with armor."""
    armor = armor_at(victim, hit.location) if hit.armored else 0
    if hit.pierces:
        armor = -(-armor // 2)
    light = armor_against_flesh_wounds(rules, armor, hit.nature) if hit.armored else 0
    entry = (victim.flesh_threshold, victim.deep_threshold, victim.death_threshold)
    if part_of(rules, hit.location) in ("head", "vital"):
        entry = vital_thresholds(*entry)
    return Thresholds(*entry, armor, light)


# --- being hit ----------------------------------------------------------------------------------------------------------------


@rule("sil-3.5.1-damage")
def hurt(rules: Ruleset, victim: Patient = AVERAGE, hit: Hit = THIRTY_POINTS) -> Play[Patient]:
    """Applies damage: only the most severe threshold reached counts; less has no effect."""
    after = yield from sub(take_hit, rules, victim, hit)
    return (yield from stay_out(rules, after))


def take_hit(rules: Ruleset, victim: Patient, hit: Hit) -> Play[Patient]:
    """Applies a hit, except for the duration of a knockout, which does not affect the fight."""
    if hit.damage < 0:
        raise UserError(f"damage must be at least 0, not {hit.damage}")
    victim = victim.under(rules)
    if victim.dead:
        return victim
    if victim.swarms:
        return (yield from scatter(victim, hit))
    if rules.on("hit-locations") and hit.location is not None and victim.limb(hit.location).useless:
        yield from Tell(LimbPastHarm(victim.name, hit.location))
        return victim
    thresholds = thresholds_at(rules, victim, hit)
    wound = thresholds.wound(hit.damage)
    if wound == "none":
        yield from Tell(Unharmed(victim.name, hit.damage, thresholds.needed("flesh")))
        return victim
    if victim.last_rounds:  # past caring
        return with_wound(victim, wound)
    if "lucky break" in victim.genre and not (hit.bruise and not full_of_bruises(rules, victim)):
        victim, wound = yield from break_luckily(rules, victim, wound)
        if wound == "none":
            return victim
    victim = worn_armor(rules, victim, hit, wound)
    if hit.bruise and not full_of_bruises(rules, victim):
        return (yield from be_bruised(rules, victim, wound, hit, thresholds))
    return (yield from be_wounded(rules, victim, wound, hit, thresholds))


_WOUND_NAMES = {"none": "no wound", "flesh": "a Flesh Wound", "deep": "a Deep Wound", "death": "Instant Death"}


@rule("sil-6.4.5-genre-effects")
def break_luckily(rules: Ruleset, victim: Patient = AVERAGE, wound: Wound = "flesh") -> Play[tuple[Patient, Wound]]:
    """Offers a Lucky Break: 3 Genre Points for each step the wound is reduced; the victim decides after the hit is known."""
    steps = min(victim.genre_points // 3, ("none", "flesh", "deep", "death").index(wound))
    if steps < 1:
        return victim, wound
    no: Option[int] = Option("no", "Take the full damage", 0)
    prices = range(3, 3 * steps + 1, 3)
    options = (
        no,
        *[Priced(f"{n}", f"Suffer {_WOUND_NAMES[lucky_break(wound, n)]} instead ({n} Genre Points)", n, price=n) for n in prices],
    )
    asked = f"{victim.name} would suffer {_WOUND_NAMES[wound]}. Do you use a Lucky Break?"
    points = yield from Choice(victim.name, asked, options, victim, "lucky break")
    if not points:
        return victim, wound
    less = lucky_break(wound, points)
    yield from Tell(Happened(victim.name, "escapes unharmed" if less == "none" else "has a Lucky Break", "good"))
    return replace(victim, genre_points=victim.genre_points - points), less


def scatter(victim: Patient, hit: Hit) -> Play[Patient]:
    """Applies an attack on a swarm: enough damage drives off one swarm or the whole horde; less does nothing."""
    left = left_of(hit.damage, hit.by, victim.scatters_at, victim.swarms)
    if left == victim.swarms:
        yield from Tell(Happened(victim.name, "close ranks again" if is_plural(victim.name) else "closes ranks again"))
        return victim
    verb = "are" if is_plural(victim.name) else "is"
    gone = f"{verb} driven off" if not left else f"{verb} down to {left} of {victim.swarms} swarms"
    yield from Tell(Happened(victim.name, gone, "bad"))
    return replace(victim, swarms=left) if left else replace(victim, dead=True)


def worn_armor(rules: Ruleset, victim: Patient, hit: Hit, wound: Wound) -> Patient:
    """Returns the victim after a hit damaged the armor, if the campaign says so: few points for a Flesh Wound, more for worse (ruling)."""
    if not rules.on("armor-wears-away") or not hit.armored or not armor_at(victim, hit.location):
        return victim
    lost = armor_loss(rules, "light" if wound == "flesh" else "heavy")
    return replace(victim, armor=max(0, victim.armor + lost))


def be_wounded(rules: Ruleset, victim: Patient, wound: Wound, hit: Hit, thresholds: Thresholds) -> Play[Patient]:
    """Applies a real wound: instant death, trauma, or a possible knockout."""
    part = part_of(rules, hit.location)
    if wound == "death" and part not in ("limb", "extremity"):
        return (yield from instant_death(rules, victim, hit.damage, thresholds.needed("death")))
    injured = with_wound(victim, wound)
    if hit.location is not None and part in ("limb", "extremity") and rules.on("hit-locations"):
        injured = wound_limb(rules, victim, hit.location, wound)
    limb = injured.limb(hit.location or "torso")
    kind: Wound = "flesh" if wound == "flesh" else "deep"
    told = Wounded(victim.name, kind, hit.damage, thresholds.needed(wound), hit.location or "torso", limb.useless, limb.severed)
    yield from Tell(told)
    after = yield from go_into_shock(rules, victim, injured)
    if hit.waits:
        return replace(after, shaken=True)
    return (yield from hold_on(rules, after)) if after.awake else after


def with_wound(victim: Patient, wound: Wound) -> Patient:
    """Returns the victim with one more wound; a deadly hit counts as a Deep Wound here. New damage ends Escape Impending Death."""
    if wound == "flesh":
        return replace(victim, flesh=victim.flesh + 1, spared=False)
    return replace(victim, deep=victim.deep + 1, spared=False)


@rule("sil-3.5.7-hit-location")
def wound_limb(rules: Ruleset, victim: Patient = AVERAGE, limb: Location = "left arm", wound: Wound = "flesh") -> Patient:
    """Applies a wound to a limb: two Flesh Wounds or a Deep one disable an arm or leg, one wound a hand or foot; a deadly hit is a Deep
    Wound that severs or crushes. A useless limb takes no more."""
    part = part_of(rules, limb)
    if part not in ("limb", "extremity"):
        raise UserError(f"the {limb} is not an arm, leg, hand or foot")
    before = victim.limb(limb)
    if before.useless:
        return victim
    flesh, deep = before.flesh + (wound == "flesh"), before.deep + (wound != "flesh")
    useless = deep > 0 or flesh >= (2 if part == "limb" else 1)
    return with_wound(victim, wound).with_limb(LimbInjury(limb, flesh, deep, useless, wound == "death"))


# --- bruises ------------------------------------------------------------------------------------------------------------------


@rule("sil-3.5.2-bruise")
def bruise(rules: Ruleset, victim: Patient = AVERAGE, wound: Wound = "flesh") -> Patient:
    """Returns the boxes of a bruise: one for Flesh, two for Deep (also for a deadly blow: ruling)."""
    if wound == "none":
        return victim
    if wound == "flesh":
        return replace(victim, bruised_flesh=victim.bruised_flesh + 1)
    return replace(victim, bruised_deep=victim.bruised_deep + 1)


@rule("sil-3.5.2-bruise")
def bruise_penalty(boxes: int, per_penalty: int = 2) -> int:
    """Returns the penalty of bruises alone: 1 for every two boxes (ruling, as in the book's example). A view of `Patient`."""
    return -(boxes // max(1, per_penalty))


@rule("sil-3.5.2-bruise")
def only_bruises(hand_to_hand: int, meant_to_wound: bool = False) -> bool:
    """Whether bare hands only bruise: always without the skill; a trained fighter may choose (ruling)."""
    return hand_to_hand < 1 or not meant_to_wound


def full_of_bruises(rules: Ruleset, victim: Patient) -> bool:
    """Whether bruises have filled (or exceeded) System Shock, so that further blows do real damage."""
    boxes = victim.bruise_boxes
    return boxes > victim.system_shock or (boxes == victim.system_shock and rules.word("bruises-full") == "filled")


@rule("sil-3.5.2-bruise")
def be_bruised(rules: Ruleset, victim: Patient, wound: Wound, hit: Hit, thresholds: Thresholds) -> Play[Patient]:
    """Applies a bruise, which counts against System Shock and next to real wounds counts like one.

    Once bruises have filled System Shock, the victim must stay conscious, starting with this bruise (ruling "bruise-knockout"), and
    further blows do real damage. With hit locations a Deep bruise to the head always needs the test (sil-3.5.7-hit-location).
    """
    injured = bruise(rules, victim, wound)
    kind: Wound = "flesh" if wound == "flesh" else "deep"
    yield from Tell(Bruised(victim.name, kind, hit.damage, thresholds.needed(kind), injured.bruise_boxes, injured.system_shock))
    after = yield from go_into_shock(rules, victim, injured)
    dazed = kind == "deep" and hit.location == "head" and rules.on("hit-locations")
    tested = dazed or (full_of_bruises(rules, after) and rules.on("bruise-knockout"))
    if hit.waits and tested:
        return replace(after, shaken=True)
    return (yield from hold_on(rules, after)) if after.awake and tested else after


# --- staying conscious --------------------------------------------------------------------------------------------------------


def health_test_pool(rules: Ruleset, victim: Patient, penalty: int | None = None, emergency: int = 0) -> Pool:
    """Returns the pool of a Health test with the action penalty."""
    mod = Mod("action penalty", victim.penalty if penalty is None else penalty, "sil-3.5.2-action-penalties")
    pool = attribute_pool(rules, victim.health, "Health", (mod,))
    return Pool(pool.dice, pool.mods, emergency, victim.hero)


@rule("sil-3.5.2-knockout")
def knockout(rules: Ruleset, victim: Patient = AVERAGE, emergency: int = 0) -> Play[Patient]:
    """Tests Health against 1 with all action penalties, including the new wound's, to stay conscious; a draw passes.

    A failure means unconsciousness for a die of minutes per Flesh Wound and a die of hours per Deep Wound; a fumble is a coma.

    A view of `stay_conscious`.
    """
    after = yield from stay_conscious(rules, victim, emergency)
    return (yield from stay_out(rules, after))


@rule("sil-3.5.2-knockout")
def stay_conscious(rules: Ruleset, victim: Patient = AVERAGE, emergency: int = 0, more: int = 0) -> Play[Patient]:
    """Tests Health to stay conscious, without rolling the duration. `more` is a further penalty."""
    victim = victim.under(rules)
    penalty = victim.penalty + more
    test = yield from action_test(rules, health_test_pool(rules, victim, penalty, emergency), 1, victim.name, "staying conscious")
    out = not test.fumble and not passes(rules, test.total, test.threshold)  # 2491: a fumble is a coma
    yield from Tell(HeldOn(victim.name, test, out))
    if test.fumble:  # 2491
        return replace(victim, coma=True)
    return replace(victim, unconscious=OPEN_ENDED) if out else victim


def hold_on(rules: Ruleset, victim: Patient, more: int = 0) -> Play[Patient]:
    """Tests Health to stay conscious after asking for Emergency Dice."""
    victim, dice = yield from spend_dice(victim, most_emergency_dice(rules), "staying conscious")
    return (yield from sub(stay_conscious, rules, victim, dice, more))


@rule("sil-3.5.2-knockout")
def stay_out(rules: Ruleset, victim: Patient = AVERAGE) -> Play[Patient]:
    """Rolls how long a knocked-out victim is unconscious, if open: by wounds, or by bruises alone (ruling)."""
    if victim.unconscious != OPEN_ENDED:
        return victim
    counted = (victim.flesh, victim.deep) if victim.wounded else (victim.bruised_flesh, victim.bruised_deep)
    dice = yield from sub(_roll_time_out, victim.name, *counted)
    minutes = _minutes_out(*dice)
    yield from Tell(OutFor(victim.name, minutes, *dice))
    return replace(victim, unconscious=minutes)


@rule("sil-3.5.2-knockout")
def time_out(rules: Ruleset, name: str = "", flesh: int = 1, deep: int = 0) -> Play[int]:
    """Rolls the minutes of unconsciousness: a die of minutes per Flesh Wound plus a die of hours per Deep Wound; at least one minute.

    By id only.
    """
    return _minutes_out(*(yield from _roll_time_out(name, flesh, deep)))


def _roll_time_out(name: str, flesh: int, deep: int) -> Play[tuple[int, int]]:
    minutes = (yield from Roll(sum_of(flesh, 6), name, "minutes unconscious")) if flesh > 0 else 0
    hours = (yield from Roll(sum_of(deep, 6), name, "hours unconscious")) if deep > 0 else 0
    return minutes, hours


def _minutes_out(minutes: int, hours: int) -> int:
    return max(1, minutes + 60 * hours)


# --- trauma and death ---------------------------------------------------------------------------------------------------------


@rule("sil-3.5.5-trauma")
def trauma_minutes(system_shock: int = 5, penalty: int = -5) -> Derived[int]:
    """Returns the minutes from apparent to final death: twice the original System Shock plus the (negative) penalty."""
    return total(
        "minutes until death",
        term("System Shock", system_shock),
        times("twice", 2),
        term("action penalty", penalty, rule="sil-3.5.2-action-penalties"),
        rule="sil-3.5.5-trauma",
    )


@rule("sil-3.5.5-trauma")
def go_into_shock(rules: Ruleset, before: Patient, injured: Patient) -> Play[Patient]:
    """Puts a victim without System Shock left into trauma; without a minute left it kills at once."""
    if injured.system_shock + injured.shock_penalty > 0:
        return injured
    return (yield from begin_to_die(injured, minutes_left(before, injured)))


def minutes_left(before: Patient, injured: Patient) -> int:
    """Returns the minutes left without System Shock; minutes since the shock are subtracted."""
    if before.trauma is not None:
        return before.trauma + injured.shock_penalty - before.shock_penalty
    return trauma_minutes(injured.system_shock, injured.shock_penalty).value


def begin_to_die(injured: Patient, minutes: int) -> Play[Patient]:
    """Sets the minutes left; 0 is death."""
    if minutes <= 0:
        yield from Tell(Died(injured.name, "trauma"))
        return replace(injured, dead=True, trauma=None)
    yield from Tell(Dying(injured.name, minutes, injured.system_shock, injured.shock_penalty))
    return replace(injured, trauma=minutes, resuscitated=False)


@rule("sil-3.5.5-death")
def instant_death(rules: Ruleset, victim: Patient = AVERAGE, damage: int = 50, threshold: int = 50) -> Play[Patient]:
    """Applies Instant Death: damage that reaches the threshold kills at once (ruling: reaching it is enough)."""
    if victim.hero and rules.word("instant-death") != "kills":
        return (yield from escape_death(rules, victim))
    yield from Tell(Died(victim.name, "the hit", damage, threshold))
    return replace(victim, dead=True, trauma=None)


@rule("sil-3.5.6-instant-death-alternative")
def escape_death(rules: Ruleset, victim: Patient = AVERAGE) -> Play[Patient]:
    """Player characters and main villains take Deep Wounds instead until no System Shock is left, in addition to earlier wounds, and
    have at least a minute (ruling); if the campaign allows, they may spend Emergency Dice to escape unharmed."""
    price = escape_cost(rules)
    if rules.word("instant-death") == "emergency dice or trauma" and victim.emergency_dice >= price:
        options = (Option("yes", f"Spend {price} Emergency Dice and escape unharmed", True), Option("no", "Go into trauma", False))
        asked = f"{victim.name} would die. Do you spend {price} Emergency Dice?"
        if (yield from Choice(victim.name, asked, options, victim, "escape death")):
            yield from Tell(CheatedDeath(victim.name, price))
            return replace(victim, emergency_dice=victim.emergency_dice - price)
    wounds = deep_wounds_to_shock(rules, victim)
    injured = replace(victim, deep=victim.deep + wounds, spared=False)
    minutes = max(1, trauma_minutes(injured.system_shock, injured.shock_penalty).value)
    return (yield from begin_to_die(injured, minutes))


@rule("sil-3.5.6-instant-death-alternative")
def deep_wounds_to_shock(rules: Ruleset, victim: Patient = AVERAGE) -> int:
    """Returns how many more Deep Wounds reduce System Shock to zero; at least one."""
    victim = victim.under(rules)
    wounds = 1
    while wounds < victim.system_shock and replace(victim, deep=victim.deep + wounds).shock_penalty + victim.system_shock > 0:
        wounds += 1
    return wounds
