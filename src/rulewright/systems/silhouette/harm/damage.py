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

HURTING = Scale(("miss", *OUTCOMES), OUTCOMES[1:], "hurts", "unhurt")
"""What an attack can come to, for the chances beside options."""
SNARING = Scale(("miss", "entangled"), ("entangled",), "entangles", "free")
"""The same for one that is to entangle."""


class Hit(Struct, frozen=True):
    """Damage on its way: where it was aimed (None: nowhere), whether it only bruises, and what nature the blow is of."""

    damage: int
    location: Location | None = None
    bruise: bool = False
    nature: Nature = "plain"
    armored: bool = True
    """Whether armor counts: it does not against falls, cold and poison."""
    by: Source = "melee"
    """What kind of attack it is, which matters to swarms."""
    waits: bool = False
    """Whether the test to stay conscious waits for the end of the round (sil-3.3-advanced-ties-combat)."""
    pierces: bool = False
    """Whether only half the armor counts, rounded up."""


THIRTY_POINTS = Hit(30)
"""What the rules are asked about when nobody names a hit."""


# --- how much, and against what -----------------------------------------------------------------------------------------------


@rule("sil-3.5.1-damage")
def damage(rules: Ruleset, multiplier: int, margin: int) -> Derived[int]:
    """Damage is the Damage Multiplier times the Margin of Success; a miss does none. Bigger dice may tame both."""
    tamed, counted = tamed_multiplier(rules, max(0, multiplier)), tamed_margin(rules, max(0, margin))
    return total("damage", term("Damage Multiplier", tamed), times("Margin of Success", counted), rule="sil-3.5.1-damage")


class Thresholds(Struct, frozen=True):
    """What damage must reach at one spot: the natural thresholds, and the armor over it against Flesh Wounds and against worse."""

    flesh: int
    deep: int
    death: int
    armor: int = 0
    armor_flesh: int = 0

    def wound(self, damage: int) -> Wound:
        """The most severe wound whose threshold the damage reaches."""
        worst = wound_from(damage, self.flesh, self.deep, self.death, self.armor)
        if worst in ("deep", "death"):
            return worst
        return "flesh" if damage >= self.flesh + self.armor_flesh else "none"

    def needed(self, wound: Wound) -> int:
        """What damage must reach for a wound, armor included."""
        return {"flesh": self.flesh + self.armor_flesh, "deep": self.deep + self.armor, "death": self.death + self.armor}[wound]


@rule("sil-3.5.1-armor")
def armor_at(victim: Patient = AVERAGE, location: Location | None = None) -> int:
    """The armor over a spot: none where it does not reach; where no spot was named, that of the torso."""
    return victim.armor if (location or "torso") in victim.covers else 0


@rule("sil-3.5.1-blunt-stabbing")
def armor_against_flesh_wounds(rules: Ruleset, armor: int, nature: Nature = "blunt") -> int:
    """Where the campaign says so, armor counts 5 more against Flesh Wounds by blunt blows, and 5 less (never below 0) by stabs."""
    if not rules.on("blunt-and-stabbing") or nature == "plain":
        return armor
    if nature == "stabbing":
        return max(0, armor - 5)
    return armor + 5 if armor or not rules.on("blunt-needs-armor") else 0


@rule("sil-3.5.1-blunt-stabbing")
def stabbing_modifier(rules: Ruleset, parry: int) -> Mod:
    """A stab with a blade that has no parry bonus of its own costs 1 on the attack."""
    return Mod("stabbing", -1 if parry <= 0 and rules.on("blunt-and-stabbing") else 0, "sil-3.5.1-blunt-stabbing")


def part_of(rules: Ruleset, location: Location | None) -> Part:
    """What kind of part a place on the body is; no place named is the torso."""
    return LOCATIONS.get(rules, location).part if location else "torso"


def thresholds_at(rules: Ruleset, victim: Patient, hit: Hit) -> Thresholds:
    """What a hit must reach where it lands: less at the head and other vital spots, and more where armor covers them."""
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
    """The most severe threshold that the damage reaches decides the injury, and only that one; less leaves no mark."""
    after = yield from sub(take_hit, rules, victim, hit)
    return (yield from stay_out(rules, after))


def take_hit(rules: Ruleset, victim: Patient, hit: Hit) -> Play[Patient]:
    """Being hit, all but how long a knocked-out victim will stay so: a fight's outcome does not depend on that."""
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
    """Lucky Break: 3 Genre Points for each step that a wound is to be less; the victim decides when the hit is known."""
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
    """An attack on a swarm: enough of it drives one swarm off, or the whole horde; less does nothing."""
    left = left_of(hit.damage, hit.by, victim.scatters_at, victim.swarms)
    if left == victim.swarms:
        yield from Tell(Happened(victim.name, "close ranks again" if is_plural(victim.name) else "closes ranks again"))
        return victim
    verb = "are" if is_plural(victim.name) else "is"
    gone = f"{verb} driven off" if not left else f"{verb} down to {left} of {victim.swarms} swarms"
    yield from Tell(Happened(victim.name, gone, "bad"))
    return replace(victim, swarms=left) if left else replace(victim, dead=True)


def worn_armor(rules: Ruleset, victim: Patient, hit: Hit, wound: Wound) -> Patient:
    """Armor that was pierced loses points where the campaign says so: by a Flesh Wound few, by worse more (ruling)."""
    if not rules.on("armor-wears-away") or not hit.armored or not armor_at(victim, hit.location):
        return victim
    lost = armor_loss(rules, "light" if wound == "flesh" else "heavy")
    return replace(victim, armor=max(0, victim.armor + lost))


def be_wounded(rules: Ruleset, victim: Patient, wound: Wound, hit: Hit, thresholds: Thresholds) -> Play[Patient]:
    """A real wound: death at once, or a wound that may bring on trauma and otherwise may knock out."""
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
    """One more wound; what would kill elsewhere is a Deep one here. More damage ends what held the wounds in check."""
    if wound == "flesh":
        return replace(victim, flesh=victim.flesh + 1, spared=False)
    return replace(victim, deep=victim.deep + 1, spared=False)


@rule("sil-3.5.7-hit-location")
def wound_limb(rules: Ruleset, victim: Patient = AVERAGE, limb: Location = "left arm", wound: Wound = "flesh") -> Patient:
    """Two Flesh Wounds or a Deep one put an arm or leg out of use, a single wound a hand or foot; what would kill is a Deep Wound that
    severs or crushes. A useless limb takes no more."""
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
    """A Flesh bruise marks one box of System Shock, a Deep one two (also where a real blow would kill: ruling)."""
    if wound == "none":
        return victim
    if wound == "flesh":
        return replace(victim, bruised_flesh=victim.bruised_flesh + 1)
    return replace(victim, bruised_deep=victim.bruised_deep + 1)


@rule("sil-3.5.2-bruise")
def bruise_penalty(boxes: int, per_penalty: int = 2) -> int:
    """Bruises alone cost 1 for every two boxes they have marked (ruling, as the book's example has it). A view of `Patient`."""
    return -(boxes // max(1, per_penalty))


@rule("sil-3.5.2-bruise")
def only_bruises(hand_to_hand: int, meant_to_wound: bool = False) -> bool:
    """Bare hands bruise; only who has learnt to fight with them may mean to wound (ruling)."""
    return hand_to_hand < 1 or not meant_to_wound


def full_of_bruises(rules: Ruleset, victim: Patient) -> bool:
    """Whether bruises have filled (or surpassed) System Shock, so that further blows do real damage."""
    boxes = victim.bruise_boxes
    return boxes > victim.system_shock or (boxes == victim.system_shock and rules.word("bruises-full") == "filled")


@rule("sil-3.5.2-bruise")
def be_bruised(rules: Ruleset, victim: Patient, wound: Wound, hit: Hit, thresholds: Thresholds) -> Play[Patient]:
    """A bruise counts against System Shock; beside real wounds it is as bad as one.

    Once bruises have filled System Shock the victim must stay conscious, beginning with this bruise (ruling "bruise-knockout"),
    and further blows do real damage. With hit locations a Deep one to the head asks for the test in any case (sil-3.5.7-hit-location).
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
    """Health by itself, with the action penalty."""
    mod = Mod("action penalty", victim.penalty if penalty is None else penalty, "sil-3.5.2-action-penalties")
    pool = attribute_pool(rules, victim.health, "Health", (mod,))
    return Pool(pool.dice, pool.mods, emergency, victim.hero)


@rule("sil-3.5.2-knockout")
def knockout(rules: Ruleset, victim: Patient = AVERAGE, emergency: int = 0) -> Play[Patient]:
    """A wound may knock its victim out: a Health test against 1 with all action penalties, that of the new wound too; a draw holds.

    Who fails is unconscious for a die of minutes per Flesh Wound and a die of hours per Deep Wound; a fumble is a coma.

    A view of `stay_conscious`.
    """
    after = yield from stay_conscious(rules, victim, emergency)
    return (yield from stay_out(rules, after))


@rule("sil-3.5.2-knockout")
def stay_conscious(rules: Ruleset, victim: Patient = AVERAGE, emergency: int = 0, more: int = 0) -> Play[Patient]:
    """The Health test of a knockout; for how long is left open. `more` is a penalty on top."""
    victim = victim.under(rules)
    penalty = victim.penalty + more
    test = yield from action_test(rules, health_test_pool(rules, victim, penalty, emergency), 1, victim.name, "staying conscious")
    out = not test.fumble and not passes(rules, test.total, test.threshold)
    yield from Tell(HeldOn(victim.name, test, out))
    if test.fumble:
        return replace(victim, coma=True)
    return replace(victim, unconscious=OPEN_ENDED) if out else victim


def hold_on(rules: Ruleset, victim: Patient, more: int = 0) -> Play[Patient]:
    """The same of somebody who is asked first whether Emergency Dice go into it, where there are any."""
    victim, dice = yield from spend_dice(victim, most_emergency_dice(rules), "staying conscious")
    return (yield from sub(stay_conscious, rules, victim, dice, more))


@rule("sil-3.5.2-knockout")
def stay_out(rules: Ruleset, victim: Patient = AVERAGE) -> Play[Patient]:
    """Roll how long a knocked-out victim will be unconscious, where that is open: by wounds, or by bruises alone (ruling)."""
    if victim.unconscious != OPEN_ENDED:
        return victim
    counted = (victim.flesh, victim.deep) if victim.wounded else (victim.bruised_flesh, victim.bruised_deep)
    minutes = yield from sub(time_out, rules, victim.name, *counted)
    yield from Tell(OutFor(victim.name, minutes))
    return replace(victim, unconscious=minutes)


@rule("sil-3.5.2-knockout")
def time_out(rules: Ruleset, name: str = "", flesh: int = 1, deep: int = 0) -> Play[int]:
    """Minutes of unconsciousness: a die of minutes per Flesh Wound and a die of hours per Deep Wound, added up; at least a minute."""
    minutes = (yield from Roll(sum_of(flesh, 6), name, "minutes unconscious")) if flesh > 0 else 0
    hours = (yield from Roll(sum_of(deep, 6), name, "hours unconscious")) if deep > 0 else 0
    return max(1, minutes + 60 * hours)


# --- trauma and death ---------------------------------------------------------------------------------------------------------


@rule("sil-3.5.5-trauma")
def trauma_minutes(system_shock: int = 5, penalty: int = -5) -> Derived[int]:
    """From apparent to irrevocable death it takes twice the original System Shock plus the (negative) penalty in minutes."""
    return total(
        "minutes until death",
        term("System Shock", system_shock),
        times("twice", 2),
        term("action penalty", penalty, rule="sil-3.5.2-action-penalties"),
        rule="sil-3.5.5-trauma",
    )


@rule("sil-3.5.5-trauma")
def go_into_shock(rules: Ruleset, before: Patient, injured: Patient) -> Play[Patient]:
    """Whose wounds leave no System Shock is dying; where no minute remains the trauma kills at once."""
    if injured.system_shock + injured.shock_penalty > 0:
        return injured
    return (yield from begin_to_die(injured, minutes_left(before, injured)))


def minutes_left(before: Patient, injured: Patient) -> int:
    """How long somebody without System Shock has; the minutes that have passed since shock set in are gone."""
    if before.trauma is not None:
        return before.trauma + injured.shock_penalty - before.shock_penalty
    return trauma_minutes(injured.system_shock, injured.shock_penalty).value


def begin_to_die(injured: Patient, minutes: int) -> Play[Patient]:
    """So many minutes are left; none is death."""
    if minutes <= 0:
        yield from Tell(Died(injured.name, "trauma"))
        return replace(injured, dead=True, trauma=None)
    yield from Tell(Dying(injured.name, minutes, injured.system_shock, injured.shock_penalty))
    return replace(injured, trauma=minutes, resuscitated=False)


@rule("sil-3.5.5-death")
def instant_death(rules: Ruleset, victim: Patient = AVERAGE, damage: int = 50, threshold: int = 50) -> Play[Patient]:
    """Damage that reaches the Instant Death threshold kills at once, beyond all help (ruling: reaching it is enough)."""
    if victim.hero and rules.word("instant-death") != "kills":
        return (yield from escape_death(rules, victim))
    yield from Tell(Died(victim.name, "the blow", damage, threshold))
    return replace(victim, dead=True, trauma=None)


@rule("sil-3.5.6-instant-death-alternative")
def escape_death(rules: Ruleset, victim: Patient = AVERAGE) -> Play[Patient]:
    """Player characters and main villains take Deep Wounds instead until no System Shock is left, beside the wounds they had, and have
    a minute at least (ruling); where the campaign lets them, Emergency Dice buy them off unharmed."""
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
    """How many more Deep Wounds bring System Shock to zero; at least one."""
    victim = victim.under(rules)
    wounds = 1
    while wounds < victim.system_shock and replace(victim, deep=victim.deep + wounds).shock_penalty + victim.system_shock > 0:
        wounds += 1
    return wounds
