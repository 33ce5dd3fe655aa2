"""Damage, wounds, unconsciousness and death (book lines 55, 284, 410-412, 456, 495-553)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.dice.sums import Banded, Sum, sum_of
from rulewright.errors import UserError
from rulewright.highest_die.harm import CheatedDeath, LimbPastHarm, spend_dice
from rulewright.play import Choice, Option, Play, Roll, Tell, sub
from rulewright.rules import Ruleset, Table, TableRow, instead_of, rule
from rulewright.rules.reasons import Derived, Reason, at_least, at_most, divided, limited, rounded_down, term, times, total
from rulewright.systems.scumm.harm.body import AVERAGE, LIMBS, OPEN_ENDED, LimbInjury, Location, Patient, trauma_minutes
from rulewright.systems.scumm.harm.events import Bruised, Died, Dying, HeldOn, OutFor, Unharmed, Wound, Wounded
from rulewright.systems.scumm.resolution.tests import (
    EMERGENCY_DICE,
    Mod,
    action_test,
    health_pool,
    most_emergency_dice,
    passes,
)

Cause = Literal["attack", "fall", "poison"]


class Hit(Struct, frozen=True):
    """Damage on its way: where it was aimed (None: not aimed), whether it only bruises, and whether the spot is a vital one."""

    damage: int
    location: Location | None = None
    bruise: bool = False
    vitals: bool = False
    """A throat, a groin and the like; the head is vital by itself."""
    cause: Cause = "attack"
    inescapable: bool = False
    """Whether the gamemaster rules out that Emergency Dice save anybody from it."""


FIVE_POINTS = Hit(5)
"""What the rules are asked about when nobody names a hit."""


# --- damage, armor, thresholds ------------------------------------------------------------------------------------------------


@rule("scumm-damage")
def damage(multiplier: int, margin: int, burst: int = 0) -> Derived[int]:
    """Damage is the weapon's Damage Multiplier times the Margin of Success; a miss does none. `burst` is how much of it a burst added."""
    parts = (term("of the attack", margin - burst), term("burst", burst, rule="scumm-burst-fire")) if burst else ()
    by = Reason("Margin of Success", margin, "×", "scumm-damage", "book", parts)
    if margin < 0:
        by = times("a miss", 0)
    return limited("damage", term("Damage Multiplier", multiplier), by, limit=at_least(0), rule="scumm-damage")


@rule("scumm-armor")
def armor_at(rules: Ruleset, victim: Patient = AVERAGE, location: Location | None = None, cause: Cause = "attack") -> int:
    """Armor Points against an attack on a spot that the armor covers; a spot that was not named is the torso."""
    counts = cause == "attack" or (cause == "fall" and rules.on("armor-against-falls"))
    return victim.armor if counts and (location or "torso") in victim.covers else 0


class Thresholds(Struct, frozen=True):
    """What damage must reach at one spot: the natural thresholds, and the armor that is added to each of them."""

    flesh: int
    deep: int
    death: int
    armor: int = 0

    def of(self, wound: Wound) -> int:
        """A natural threshold by its name."""
        return self.flesh if wound == "flesh" else self.deep if wound == "deep" else self.death


@rule("scumm-head-hits")
def thresholds_at(
    rules: Ruleset, victim: Patient = AVERAGE, location: Location | None = "head", vitals: bool = False, cause: Cause = "attack"
) -> Thresholds:
    """At the head or another vital spot the natural thresholds are halved, rounded up; armor over it counts in full."""
    armor = armor_at(rules, victim, location, cause)
    if location == "head" or vitals:
        return Thresholds(-(-victim.flesh_threshold // 2), -(-victim.deep_threshold // 2), -(-victim.death_threshold // 2), armor)
    return Thresholds(victim.flesh_threshold, victim.deep_threshold, victim.death_threshold, armor)


@rule("scumm-death")
def kills(rules: Ruleset, damage: int, threshold: int) -> bool:
    """Damage that reaches the Instant Death Threshold kills at once (ruling: reaching it is enough)."""
    return damage > threshold or (damage == threshold and rules.word("instant-death") == "reaches")


def wound_of(rules: Ruleset, thresholds: Thresholds, damage: int) -> Wound | None:
    """The most severe threshold that the damage reaches; None if it reaches none."""
    if kills(rules, damage, thresholds.death + thresholds.armor):
        return "death"
    if damage >= thresholds.deep + thresholds.armor:
        return "deep"
    return "flesh" if damage >= thresholds.flesh + thresholds.armor else None


class LocationRow(TableRow, frozen=True):
    """A place on the body and the sums of two dice that hit it."""

    location: Location
    results: tuple[int, ...]
    chance: str
    percent: float


LOCATIONS = Table("scumm-random-hit-location", LocationRow)


@rule("scumm-random-hit-location")
def roll_location(rules: Ruleset, by: str = "") -> Play[Location]:
    """Two dice, added up for once, say which part of the body is hit."""
    bands = tuple((result, result, row.location) for row in LOCATIONS(rules).values() for result in row.results)
    location: Location = yield from Roll(Banded(Sum((6, 6)), bands), by, "hit location")  # type: ignore[assignment]
    return location


@rule("scumm-armor")
def hit_location(rules: Ruleset, hit: Hit) -> Play[Location]:
    """Where a hit lands: where it was aimed; otherwise it counts as one to the torso."""
    yield from ()
    return hit.location or "torso"


@instead_of(hit_location, "random-hit-locations")
def random_hit_location(rules: Ruleset, hit: Hit) -> Play[Location]:
    """Where a hit lands: where it was aimed, otherwise where two dice say. Poison has no place."""
    if hit.location is not None or hit.cause == "poison":
        return hit.location or "torso"
    return (yield from roll_location(rules))


# --- being hit ----------------------------------------------------------------------------------------------------------------


@rule("scumm-injuries")
def be_hit(rules: Ruleset, victim: Patient = AVERAGE, hit: Hit = FIVE_POINTS) -> Play[Patient]:
    """The most severe threshold that the damage reaches decides the injury; less than a Flesh wound leaves no mark."""
    after = yield from sub(take_hit, rules, victim, hit)
    return (yield from stay_out(rules, after))


def take_hit(rules: Ruleset, victim: Patient, hit: Hit) -> Play[Patient]:
    """Being hit, all but how long a knocked-out victim will stay so: a fight's outcome does not depend on that."""
    if hit.damage < 0:
        raise UserError(f"damage is 0 or more, not {hit.damage}")
    victim = victim.under(rules)
    if victim.dead:
        return victim
    if hit.inescapable and victim.player:
        after = yield from take_hit(rules, replace(victim, player=False), replace(hit, inescapable=False))
        return replace(after, player=True)
    location = yield from hit_location(rules, hit)
    if location in LIMBS and victim.limb(location).useless:
        yield from Tell(LimbPastHarm(victim.name, location))
        return victim
    thresholds = thresholds_at(rules, victim, location, hit.vitals, hit.cause)
    wound = wound_of(rules, thresholds, hit.damage)
    if wound is None:
        yield from Tell(Unharmed(victim.name, hit.damage, thresholds.flesh, thresholds.armor))
        return victim
    if hit.bruise and not past_bruises(victim):
        return (yield from be_bruised(rules, victim, wound, hit.damage, thresholds))
    return (yield from be_wounded(rules, victim, wound, location, damage=hit.damage, thresholds=thresholds))


def be_wounded(rules: Ruleset, victim: Patient, wound: Wound, location: Location, *, damage: int, thresholds: Thresholds) -> Play[Patient]:
    """A real wound: death at once, or a wound that may bring on shock and otherwise may knock out."""
    if wound == "death" and location not in LIMBS:
        return (yield from die(rules, victim, Died(victim.name, "the injury", damage, thresholds.death, thresholds.armor)))
    hurt = wound_limb(rules, victim, location, wound) if location in LIMBS else with_wound(victim, wound)
    limb = hurt.limb(location)
    told = Wounded(victim.name, wound, damage, thresholds.of(wound), thresholds.armor, location, limb.useless, limb.severed)
    yield from Tell(told)
    after = yield from trauma(rules, victim, hurt)
    if not after.awake or (after.flesh, after.deep) == (victim.flesh, victim.deep):  # who cheated death took no wound
        return after
    after = yield from hold_on(rules, after)
    if location == "head" and wound == "deep" and after.awake and rules.on("second-test-for-the-head"):
        after = yield from hold_on(rules, after)
    return after


def with_wound(victim: Patient, wound: Wound) -> Patient:
    """One more wound; what would kill elsewhere is a Deep one here."""
    if wound == "flesh":
        return replace(victim, flesh=victim.flesh + 1)
    return replace(victim, deep=victim.deep + 1)


@rule("scumm-limb-hits")
def wound_limb(rules: Ruleset, victim: Patient = AVERAGE, limb: Location = "left arm", wound: Wound = "flesh") -> Patient:
    """Two Flesh wounds or a Deep one put a limb out of use; what would kill severs it as a Deep wound. A useless limb takes no more."""
    before = victim.limb(limb)
    if limb not in LIMBS:
        raise UserError(f"the {limb} is not an arm or leg")
    if before.useless:
        return victim
    flesh, deep = before.flesh + (wound == "flesh"), before.deep + (wound != "flesh")
    injury = LimbInjury(limb, flesh, flesh >= 2 or deep >= 1, before.severed or wound == "death", deep)
    return with_wound(victim, wound).with_limb(injury)


@rule("scumm-injuries")
def action_penalty(rules: Ruleset, victim: Patient = AVERAGE) -> Derived[int]:
    """Every Flesh wound costs 1 and every Deep wound 2 on all tests; other penalties add to that, and what is numbed is ignored."""
    victim = victim.under(rules)
    terms = (
        term("Flesh wounds", victim.flesh * victim.weighs.flesh, rule="scumm-injuries"),
        term("Deep wounds", victim.deep * victim.weighs.deep, rule="scumm-injuries"),
        term("bruises", bruise_penalty(rules, victim).value, rule="scumm-bruise-damage"),
        term("drugs", victim.drug_penalty, rule="scumm-drugs"),
        term("fatigue", min(0, victim.fatigue), rule="scumm-fatigue"),
        term("other", victim.other_penalty),
        term("numbed", victim.relief, rule="scumm-analgesics"),
    )
    fresh = (term("fatigue that Body outweighs", victim.fatigue, rule="scumm-fatigue"),) if victim.fatigue > 0 else ()
    hindered = limited(
        "action penalty", *[reason for reason in terms if reason.value], limit=at_most(0, "never a bonus"), rule="scumm-injuries"
    )
    return total("action penalty", *hindered.reasons, *fresh, rule="scumm-injuries") if fresh else hindered


# --- bruises ------------------------------------------------------------------------------------------------------------------


def past_bruises(victim: Patient) -> bool:
    """Whether bruises have marked more boxes than System Shock has, so that further blows do real damage."""
    return victim.bruise_boxes > victim.system_shock


@rule("scumm-bruise-damage")
def bruise_penalty(rules: Ruleset, victim: Patient = AVERAGE) -> Derived[int]:
    """Bruises cost 1 for every two boxes (ruling, as the book's example has it); beside real wounds they cost what wounds cost."""
    victim = victim.under(rules)
    cost = victim.weighs
    if victim.wounded and cost.bruises_as_wounds:
        light, heavy = victim.bruised_flesh * cost.flesh, victim.bruised_deep * cost.deep
        terms = (term("Flesh bruises, as wounds", light), term("Deep bruises, as wounds", heavy))
        return total("bruises beside wounds", *terms, rule="scumm-bruise-damage", source="ruling")
    boxes = term("boxes", victim.bruise_boxes), divided("boxes for each", cost.boxes_per_penalty), rounded_down(), times("costs", -1)
    return total("bruises", *boxes, rule="scumm-bruise-damage", source="ruling")


@rule("scumm-bruise-damage")
def be_bruised(rules: Ruleset, victim: Patient, wound: Wound, damage: int, thresholds: Thresholds) -> Play[Patient]:
    """A Flesh bruise marks one box of System Shock, a Deep one two (also where a real blow would kill: ruling).

    Once the boxes surpass System Shock the victim is subject to knockout tests, beginning with this bruise (ruling
    "bruise-knockout"), and further blows do real damage. Beside real wounds bruises count for shock as well.
    """
    if wound == "flesh":
        hurt = replace(victim, bruised_flesh=victim.bruised_flesh + 1)
    else:
        hurt = replace(victim, bruised_deep=victim.bruised_deep + 1)
    kind: Literal["flesh", "deep"] = "flesh" if wound == "flesh" else "deep"
    told = Bruised(victim.name, kind, damage, thresholds.of(kind), thresholds.armor, hurt.bruise_boxes, hurt.system_shock)
    yield from Tell(told)
    after = yield from trauma(rules, victim, hurt)
    if after.awake and past_bruises(after) and rules.on("bruise-knockout"):
        return (yield from hold_on(rules, after))
    return after


# --- shock, trauma, unconsciousness, death ------------------------------------------------------------------------------------


@rule("scumm-system-shock")
def shock_left(rules: Ruleset, victim: Patient = AVERAGE) -> Derived[int]:
    """Every point of wound penalty crosses out a box of System Shock; with none left the character goes into shock."""
    victim = victim.under(rules)
    return total(
        "System Shock left",
        term("System Shock", victim.system_shock, rule="scumm-derived-attributes"),
        term("wound penalty", victim.wound_penalty, rule="scumm-injuries"),
        rule="scumm-system-shock",
    )


@rule("scumm-trauma")
def trauma(rules: Ruleset, before: Patient, hurt: Patient) -> Play[Patient]:
    """A person who has no System Shock left is dying; where no minute remains the wounds kill at once."""
    if shock_left(rules, hurt).value > 0:
        return hurt
    minutes = trauma_minutes(hurt.system_shock, hurt.wound_penalty).value
    if before.trauma is not None:  # the minutes that have passed since shock set in are gone
        minutes = before.trauma + hurt.wound_penalty - before.wound_penalty
    if minutes <= 0:
        return (yield from die(rules, before, Died(hurt.name, "trauma"), hurt))
    yield from Tell(Dying(hurt.name, minutes, hurt.system_shock, hurt.wound_penalty))
    return replace(hurt, trauma=minutes, resuscitated=False)


@rule("scumm-knockout")
def knockout(rules: Ruleset, victim: Patient = AVERAGE) -> Play[Patient]:
    """A wound may knock its victim out: a Health test against 1 with all action penalties, those of the new wound too.

    Who fails is unconscious for a die of minutes per Flesh wound and a die of hours per Deep wound; a fumble is a coma.

    A view of `hold_on`.
    """
    after = yield from hold_on(rules, victim)
    return (yield from stay_out(rules, after))


def hold_on(rules: Ruleset, victim: Patient) -> Play[Patient]:
    """The Health test of a knockout, by a person who is asked first whether Emergency Dice go into it, where there are any."""
    victim, dice = yield from spend_dice(victim, most_emergency_dice(rules), "staying conscious")
    return (yield from sub(stay_conscious, rules, victim, dice))


@rule("scumm-knockout")
def stay_conscious(rules: Ruleset, victim: Patient = AVERAGE, emergency: int = 0) -> Play[Patient]:
    """The Health test of a knockout; for how long is left open."""
    victim = victim.under(rules)
    pool = health_pool(rules, victim.health, (Mod("action penalty", victim.penalty, "scumm-injuries"),))
    pool = replace(pool, emergency=emergency)
    test = yield from action_test(rules, pool, 1, victim.name, "staying conscious")
    out = not test.fumble and not passes(rules, test.total, 1)  # 537: a fumble is a coma
    yield from Tell(HeldOn(victim.name, pool, Total(test.total, test.fumble), out, test.fumble))
    if test.fumble:  # 537
        return replace(victim, coma=True)
    return replace(victim, unconscious=OPEN_ENDED) if out else victim


@rule("scumm-knockout")
def stay_out(rules: Ruleset, victim: Patient = AVERAGE) -> Play[Patient]:
    """Roll how long a knocked-out victim will be unconscious, where that is open."""
    if victim.unconscious != OPEN_ENDED:
        return victim
    minutes = yield from sub(time_out, rules, victim.name, *_senseless_for(victim))
    yield from Tell(OutFor(victim.name, minutes))
    return replace(victim, unconscious=minutes)


def _senseless_for(victim: Patient) -> tuple[int, int]:
    """The Flesh and Deep wounds that decide how long; where there are bruises alone, these (ruling)."""
    return (victim.flesh, victim.deep) if victim.wounded else (victim.bruised_flesh, victim.bruised_deep)


@rule("scumm-knockout")
def time_out(rules: Ruleset, name: str = "", flesh: int = 1, deep: int = 0) -> Play[int]:
    """Minutes of unconsciousness: a die of minutes per Flesh wound and a die of hours per Deep wound; at least a minute."""
    minutes = (yield from Roll(sum_of(flesh, 6), name, "minutes unconscious")) if flesh > 0 else 0
    hours = (yield from Roll(sum_of(deep, 6), name, "hours unconscious")) if deep > 0 else 0
    return max(1, minutes + 60 * hours)


def die(rules: Ruleset, victim: Patient, told: Died, as_if: Patient | None = None) -> Play[Patient]:
    """Death, unless it is bought off; then nothing of the harm has happened."""
    escaped = yield from cheat_death(rules, victim)
    if escaped is not None:
        return escaped
    yield from Tell(told)
    return replace(as_if or victim, dead=True, trauma=None)


@rule("scumm-emergency-dice-cheat-death")
def cheat_death(rules: Ruleset, victim: Patient = AVERAGE) -> Play[Patient | None]:
    """A player whose character would be killed may spend five Emergency Dice: the harm never happened. None if not taken."""
    price = EMERGENCY_DICE.get(rules, "cheat death").value
    if not victim.player or victim.emergency_dice < price:
        return None
    options = (
        Option("yes", f"spend {price} Emergency Dice and escape unharmed", True),
        Option("no", "die", False),
    )
    spend = yield from Choice(victim.name, f"{victim.name} would be killed: spend {price} Emergency Dice?", options, victim, "cheat death")
    if not spend:
        return None
    yield from Tell(CheatedDeath(victim.name, price))
    return replace(victim, emergency_dice=victim.emergency_dice - price)


@rule("scumm-trauma")
def minutes_pass(rules: Ruleset, victim: Patient, minutes: int) -> Play[Patient]:
    """Time goes by: the unconscious wake, the helpless rise, and who is dying of trauma dies when the time is up.

    A player may buy the character off at that last moment too; then the body holds out as if resuscitated (ruling).
    """
    if minutes < 0:
        raise UserError(f"the time is 0 minutes or more, not {minutes}")
    victim = yield from stay_out(rules, victim)
    later = replace(victim, unconscious=max(0, victim.unconscious - minutes), incapacitated=max(0, victim.incapacitated - minutes))
    if later.trauma is None:
        return later
    if later.trauma > minutes:
        return replace(later, trauma=later.trauma - minutes)
    after = yield from die(rules, later, Died(victim.name, "trauma"))
    return after if after.dead else replace(after, trauma=None, resuscitated=True)
