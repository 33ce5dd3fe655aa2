"""Perks and Flaws in play: situations, resistance tests, luck, money, split personalities (book lines 8651-9026)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.errors import UserError
from rulewright.play import Choice, Option, Play, Roll
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, row, term, times, total
from rulewright.systems.silhouette.harm.fatigue import strain
from rulewright.systems.silhouette.people.characters import Person, skill_test
from rulewright.systems.silhouette.people.experience import Taught, tutor_months, tutor_rebate
from rulewright.systems.silhouette.people.secondary_attributes import attribute_test
from rulewright.systems.silhouette.people.traits import (
    FLAWS,
    PERKS,
    Trait,
    effects,
    flaw_value,
    machine_complexity,
    offered_modifiers,
    perk_cost,
    resistance_threshold,
    spared,
    trait_modifiers,
)
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, Test, action_test, passes, roll_of, settled

_PERKS, _FLAWS = "sil-b-perks", "sil-c-flaws"
WAKING, WAKING_THRESHOLD = ("waking in danger",), 4
"""The situation of waking up in danger, and its Threshold (ours)."""
MENTAL = ("creativity", "influence", "knowledge", "psyche", "willpower")

# --- what speaks up -----------------------------------------------------------------------------------------------------------


class Speaking(Struct, frozen=True):
    """A trait that matters in a situation."""

    trait: str
    what: str
    side: Literal["help", "trouble"]
    rule: str


@rule(_PERKS, _FLAWS)
def speaks_up(rules: Ruleset, situation: str, perks: tuple[Trait, ...] = (), flaws: tuple[Trait, ...] = ()) -> tuple[Speaking, ...]:
    """Returns every Perk and Flaw that matters in a situation, with its effect and modifier. By id only."""
    speakings: list[Speaking] = []
    for trait, does, rule_id in effects(rules, perks, flaws):
        name = f"{trait.label()}: {trait.about}" if trait.about else trait.label()
        for call in does.calls:
            if call.when == situation and call.variant in ("", trait.variant):
                speakings.append(Speaking(name, call.what, call.side, rule_id))
        for effect in does.modifiers:
            if effect.when == situation and effect.variant in ("", trait.variant):
                value = effect.worth(trait)
                speakings.append(Speaking(name, f"{value:+} on {', '.join(effect.on)}", "help" if value > 0 else "trouble", rule_id))
    return tuple(speakings)


@rule(_FLAWS)
def possible(rules: Ruleset, activity: str, flaws: tuple[Trait, ...] = ()) -> bool:
    """Whether a character can do something at all, given Flaws such as blindness, deafness, one arm or lameness."""
    return not any(
        ban.what == activity and ban.variant in ("", trait.variant) for trait, row, _ in effects(rules, (), flaws) for ban in row.forbids
    )


SENSES = {"sight": "seeing", "hearing": "hearing"}


@rule(_PERKS, _FLAWS)
def fighting_modifiers(rules: Ruleset, skill: str, perks: tuple[Trait, ...] = (), flaws: tuple[Trait, ...] = ()) -> tuple[Mod, ...]:
    """Returns the modifiers of Perks and Flaws on a skill in a fight; noticing uses the better of the senses left."""
    if skill == "notice":
        left = [sense for sense, use in SENSES.items() if possible(rules, use, flaws)]
        by_sense = [trait_modifiers(rules, skill, (sense,), perks, flaws) for sense in left or [""]]
        return max(by_sense, key=lambda mods: sum([mod.value for mod in mods]))
    return trait_modifiers(rules, skill, ("handling", "moving"), perks, flaws)


@rule(_PERKS)
def escape_modifiers(rules: Ruleset, perks: tuple[Trait, ...] = (), flaws: tuple[Trait, ...] = ()) -> tuple[Mod, ...]:
    """Returns the modifiers of Perks and Flaws on getting free from bonds: 1 for the double-jointed."""
    return tuple([mod for mod, situation in offered_modifiers(rules, "escaping", perks, flaws) if situation == "escaping"])


def waking_modifiers(rules: Ruleset, perks: tuple[Trait, ...] = (), flaws: tuple[Trait, ...] = ()) -> tuple[Mod, ...]:
    """Returns the modifiers of Perks and Flaws on waking up in danger."""
    return tuple([mod for mod, situation in offered_modifiers(rules, "notice", perks, flaws) if situation in WAKING])


# --- against oneself ----------------------------------------------------------------------------------------------------------


@rule(_FLAWS)
def resist(rules: Ruleset, person: Person, flaw: Trait, modifiers: tuple[Mod, ...] = (), emergency: int = 0) -> Play[Test]:
    """Tests Willpower against a Flaw's Threshold to resist it; flashbacks use Psyche if it is better."""
    threshold = resistance_threshold(rules, flaw, person.perks)
    if threshold is None:
        raise UserError(f"{flaw.label()} needs no test")
    test = next(resistance for resistance in FLAWS.get(rules, flaw.name).tests if resistance.variant in ("", flaw.variant))
    better = test.or_on if test.or_on and person.attribute(test.or_on) > person.attribute(test.on) else test.on
    pool = attribute_test(rules, person, better, (), modifiers).with_emergency(emergency)
    return (yield from action_test(rules, pool, threshold, person.name, f"to {test.to}"))


@rule(_PERKS)
def hunch(rules: Ruleset, person: Person, threshold: int = 4) -> Play[Literal["insight", "nothing", "misled"]]:
    """Intuition: tests Creativity without any clue against the gamemaster's Threshold; a fumble misleads badly.

    By id only.
    """
    if not any(perk.name == "intuition" for perk in person.perks):
        raise UserError(f"{person.name} has no Intuition")
    test = yield from action_test(rules, attribute_test(rules, person, "creativity"), threshold, person.name, "a hunch", unseen=True)
    return "misled" if test.fumble else "insight" if passes(rules, test.total, test.threshold) else "nothing"


@rule(_PERKS, _FLAWS)
def wakes(rules: Ruleset, person: Person, threshold: int = WAKING_THRESHOLD, by_notice: bool = True) -> Play[bool]:
    """Tests whether a sleeper wakes in danger: light sleepers always do; others test Notice, heavy sleepers at -3 (the Threshold is
    ours).

    A view of `rouse`, which also counts wounds.
    """
    if spared(rules, "surprised asleep", person.perks):
        return True
    when = WAKING
    pool = skill_test(rules, person, "notice", when=when) if by_notice else attribute_test(rules, person, "perception", when)
    test = yield from action_test(rules, pool, threshold, person.name, "waking")
    return passes(rules, test.total, test.threshold)


@rule(_FLAWS)
def buys_beyond_basics(rules: Ruleset, person: Person, threshold: int = 4) -> Play[bool]:
    """Tests whether a character can buy more than basics: destitute ones need Streetwise.

    By id only.
    """
    if not any(flaw.name == "destitute" for flaw in person.flaws):
        return True
    test = yield from action_test(rules, skill_test(rules, person, "streetwise"), threshold, person.name, "getting hold of it")
    return passes(rules, test.total, test.threshold)


# --- luck ---------------------------------------------------------------------------------------------------------------------


class Fortune(Struct, frozen=True, cache_hash=True):
    """Good and bad luck left in a session."""

    lucky: int = 0
    unlucky: int = 0

    @classmethod
    def of(cls, person: Person) -> "Fortune":
        """Returns a person's luck at the start of a session."""
        return cls(sum([p.name == "lucky" for p in person.perks]), sum([f.name == "bad luck" for f in person.flaws]))


ORDINARY = Fortune()


class Rolled(Struct, frozen=True):
    """A roll after luck, and the luck left."""

    total: Total
    fortune: Fortune


@rule(_PERKS, _FLAWS)
def roll_with_luck(
    rules: Ruleset, pool: Pool, fortune: Fortune = ORDINARY, by: str = "", what: str = "test", harmless: bool = True
) -> Play[Rolled]:
    """Rolls for a lucky or unlucky character. Once per session a lucky one rerolls a fumble or flips the sign of a modifier after the
    test. Once per game the gamemaster flips an unlucky one's modifier, but not if that would hurt or kill directly. An unskilled fumble
    has no modifier to flip.

    A view of `by_luck`.
    """
    bare = Pool(pool.dice, (), pool.emergency, pool.hero, pool.favored)
    roll = roll_of(rules, bare, by, what)
    dice = settled(rules, bare, (yield from roll))
    result, modifier, fortune = yield from by_luck(roll, dice, pool.modifier, pool.dice <= 0, fortune=fortune, harmless=harmless)
    return Rolled(worth(settled(rules, bare, result), modifier, pool.dice <= 0), fortune)


def worth(dice: Total, modifier: int, unskilled: bool) -> Total:
    """Returns the total of dice and modifiers: 0 for an unskilled fumble."""
    return dice if dice.fumble and unskilled else Total(max(0, dice.total + modifier), dice.fumble)  # 683


def by_luck(
    roll: Roll[Total], dice: Total, modifier: int, unskilled: bool, *, fortune: Fortune, harmless: bool = True
) -> Play[tuple[Total, int, Fortune]]:
    """Applies luck to dice already rolled; returns the dice and modifier that count, and the luck left.

    `roll` is the same roll without modifiers, for a reroll.
    """
    by = roll.by
    if dice.fumble and fortune.lucky and (yield from _ask_yes_no(by, "You fumbled. Use your luck to roll again?", roll.secret)):  # 8744
        fortune = replace(fortune, lucky=fortune.lucky - 1)
        dice = yield from once_more(roll)
    if dice.fumble and unskilled:  # 683: it has no modifiers to switch
        return dice, modifier, fortune
    turned = f"{modifier} into {-modifier:+}"
    if modifier < 0 and fortune.lucky and (yield from _ask_yes_no(by, f"Use your luck to turn the modifier of {turned}?", roll.secret)):
        return dice, -modifier, replace(fortune, lucky=fortune.lucky - 1)
    turned = f"{modifier:+} of {by or 'the unlucky'} into {-modifier}"
    if (
        modifier > 0
        and fortune.unlucky
        and harmless
        and (yield from _ask_yes_no("gamemaster", f"Turn the modifier of {turned}?", roll.secret))
    ):
        return dice, -modifier, replace(fortune, unlucky=fortune.unlucky - 1)
    return dice, modifier, fortune


def once_more(roll: Roll[Total]) -> Roll[Total]:
    """Returns the same roll for a reroll."""
    return replace(roll, what=f"{roll.what}, once more")


@rule(_FLAWS)
def opponent_rolls(rules: Ruleset, pool: Pool, fortune: Fortune = ORDINARY, by: str = "", what: str = "test") -> Play[Rolled]:
    """Rolls for an opponent of a character with Bad Luck: once per game a fumble may be rerolled. A view of `fumble_again`."""
    roll = roll_of(rules, pool, by, what)
    rolled = settled(rules, pool, (yield from roll))
    if not rolled.fumble or not fortune.unlucky or not (yield from fumble_again(roll)):  # 8846
        return Rolled(rolled, fortune)
    again = settled(rules, pool, (yield from once_more(roll)))
    return Rolled(again, replace(fortune, unlucky=fortune.unlucky - 1))


def fumble_again(roll: Roll[Total]) -> Play[bool]:
    """Asks whether to use an opponent's Bad Luck."""
    return (yield from _ask_yes_no(roll.by, "You fumbled against an unlucky opponent. Roll again?", roll.secret))


def _ask_yes_no(who: str, question: str, secret: bool = False) -> Play[bool]:
    options = (Option("yes", "yes", True), Option("no", "no", False))
    return (yield from Choice[bool](who, question, options, None, "luck", secret))


# --- money, debts, years ------------------------------------------------------------------------------------------------------


class Purse(Struct, frozen=True):
    """Credits from a draw on wealth, and the rating after it."""

    credits: int
    rating: int


@rule(_PERKS)
def draw_on_wealth(rating: int, days: tuple[int, ...] = (0,), renewable: bool = True) -> tuple[Purse, ...]:
    """Returns the credits from Wealthy on each of these days: 10,000 per point, and a point less afterwards; a full week without a draw
    restores one. Non-renewable wealth is simply spent."""
    if list(days) != sorted(days):
        raise UserError("the days must be in ascending order")
    level, last, purses = rating, None, []
    for day in days:
        if last is not None and renewable:
            level = min(rating, level + (day - last) // 7)
        credits = 10_000 * max(0, level)
        level, last = max(0, level - 1), day
        purses.append(Purse(credits, level))
    return tuple(purses)


@rule(_PERKS)
def wealth_rating(rating: int, draws: tuple[int, ...] = (), day: int = 0, renewable: bool = True) -> int:
    """Returns the wealth rating on a day after earlier draws. By id only."""
    if not draws:
        return rating
    left = draw_on_wealth(rating, draws, renewable)[-1].rating
    return min(rating, left + (day - draws[-1]) // 7) if renewable else left


@rule(_PERKS, _FLAWS)
def debt_in_credits(rules: Ruleset, trait: Trait) -> Derived[int]:
    """Returns the credits of a Favor or Debt of this size. By id only."""
    favor = trait.name == "favor"
    points = (perk_cost if favor else flaw_value)(rules, trait).value
    worth = (PERKS if favor else FLAWS).get(rules, trait.name).worth
    if not worth:
        raise UserError(f"{trait.name} is not a debt")
    listed = row("from the table", worth[min(points, len(worth)) - 1], term("points", points))
    return total(f"credits for {points} points", listed, rule=_PERKS if favor else _FLAWS)


@rule(_PERKS)
def apparent_age(age: int, middle: int = 40, perks: tuple[Trait, ...] = (Trait("longevity"),)) -> int:
    """Returns how old a character looks and feels: Longevity halves the years past middle age (40 is ours). By id only."""
    long_lived = any(perk.name == "longevity" for perk in perks)
    return age // 2 if long_lived and age > middle else age


@rule(_FLAWS)
def dependence(trait: Trait) -> int:
    """Returns the strength of an Addiction: its rating, and 5 for an activity."""
    return 5 if trait.variant == "activity" or not trait.rating else trait.rating


@rule(_PERKS)
def immune(to: str, perks: tuple[Trait, ...] = ()) -> bool:
    """Whether a drug, poison or illness has no effect at all. By id only."""
    return any(perk.name == "immunity" and perk.about.casefold() == to.casefold() for perk in perks)


@rule(_PERKS)
def space_needed(metres: float, perks: tuple[Trait, ...] = ()) -> Derived[float]:
    """Returns how wide an opening must be: half for the double-jointed. By id only."""
    half = any(perk.name == "double jointed" for perk in perks)
    return total("metres needed", term("usual", metres), *([times("half", 0.5)] if half else []), rule=_PERKS)


# --- learning, machines, nights -----------------------------------------------------------------------------------------------


@rule(_PERKS, _FLAWS)
def learner(rules: Ruleset, perks: tuple[Trait, ...] = (), flaws: tuple[Trait, ...] = ()) -> tuple[int, int]:
    """Returns a quick or slow learner's effect on a tutor: months added, and the modifier on the Teaching test."""
    rows = [row for _, row, _ in effects(rules, perks, flaws)]
    return sum([row.tutor_months for row in rows]), sum([row.tutor_bonus for row in rows])


@rule(_PERKS, _FLAWS)
def course_months(rules: Ruleset, student: Person, cost: int, teaching: int = 0) -> Derived[float]:
    """Returns the months this student needs with a tutor; at least a week. By id only."""
    return tutor_months(cost, teaching, learner(rules, student.perks, student.flaws)[0])


@rule(_PERKS, _FLAWS)
def finish_course(
    rules: Ruleset, student: Person, cost: int, level: int, teaching: int = 0, skill: int = 1, creativity: int = 0
) -> Play[Taught]:
    """Rolls the tutor's test at the end of a course, with the modifier of a quick or slow learner. By id only."""
    return (yield from tutor_rebate(rules, cost, level, teaching, skill, creativity, learner(rules, student.perks, student.flaws)[1]))


@rule(_PERKS, _FLAWS)
def machine_test(rules: Ruleset, person: Person, skill: str, complexity: int = 1, repair: bool = True) -> Pool:
    """Returns the pool to use or repair a machine: for some every repair is simple, for others every device hard. By id only."""
    return skill_test(rules, person, skill, task=machine_complexity(rules, complexity, repair, person.perks, person.flaws))


@rule(_FLAWS)
def sleepless_nights(rules: Ruleset, person: Person, nights: int = 1) -> Derived[int]:
    """Returns the fatigue of lost nights: double for an insomniac. By id only."""
    return strain(rules, "missed sleep", nights, insomniac=any(flaw.name == "insomniac" for flaw in person.flaws))


# --- other minds --------------------------------------------------------------------------------------------------------------


class Personality(Struct, frozen=True):
    """One of several personalities in a body: its mental attributes, Perks and Flaws."""

    name: str
    attributes: dict[str, int] = {}
    perks: tuple[Trait, ...] = ()
    flaws: tuple[Trait, ...] = ()


@rule(_FLAWS)
def with_personality(person: Person, mind: Personality) -> Person:
    """Returns the same body with another personality: its own Creativity, Influence, Knowledge, Psyche, Willpower, Perks and Flaws.

    By id only.
    """
    if not any(flaw.name == "split personality" for flaw in person.flaws):
        raise UserError(f"{person.name} has no Split Personality")
    wrong = [name for name in mind.attributes if name not in MENTAL]
    if wrong:
        raise UserError(f"{wrong[0]} is not a mental attribute; these are {', '.join(MENTAL)}")
    split = tuple([flaw for flaw in person.flaws if flaw.name == "split personality"])
    mental = {name: mind.attributes.get(name, 0) for name in MENTAL}
    return replace(person, attributes={**person.attributes, **mental}, perks=mind.perks, flaws=(*split, *mind.flaws))
