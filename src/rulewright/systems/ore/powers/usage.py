"""Using an effect: roll, Burn, costs, and questions to the Game Master (book lines 6015-6022, 6085-6091)."""

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.grammar import a, count
from rulewright.play import GAMEMASTER, Choice, Event, Option, Play, Range, Roll, Scale, Tell, Verdict
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, less, row, term, times, total
from rulewright.systems.ore.people.advantages import energy, materials
from rulewright.systems.ore.people.powers import power_pool
from rulewright.systems.ore.powers.catalogue import LIMITS, SETS, EffectRow, effect_named, rules_of, words_at
from rulewright.systems.ore.resolution.burn_reading import Burning
from rulewright.systems.ore.resolution.contests import beat
from rulewright.systems.ore.resolution.outcomes import Outcome, difficulty_of, outcome_of, without_dice
from rulewright.systems.ore.resolution.tests import Mod, Pool, reading

USED = Scale(("no set", "resisted", "works"), ("works",), "works")
HARDEST_ASKED = 5
MOST_MOOD = 5
"""The most dice that a feeling gives or takes (ruling)."""
SHARES: tuple[Option[str], ...] = (
    Option("all", "All of it", "all of it"),
    Option("some", "Some of it", "some of it"),
    Option("none", "Nothing", "nothing"),
)


class Used(Struct, frozen=True):
    """The result of an effect: set after opposition, Burn, and the Game Master's answer."""

    effect: str
    outcome: Outcome = Outcome()
    burnt: int = 0
    resisted: bool = False
    measure: str = ""
    """The measure of the set, in words."""
    answer: str = ""


class Activated(Event, frozen=True):
    """An effect was used."""

    who: str
    effect: str
    width: int
    height: int
    measure: str = ""
    resisted: bool = False

    def headline(self) -> str:
        who = self.who or "The psychic"
        if self.resisted:
            return f"{who} uses {self.effect}, but the target resists"
        if not self.width:
            return f"{who} uses {self.effect} without a set"
        return f"{who} uses {self.effect} with a {self.width}x{self.height}{f': {self.measure}' if self.measure else ''}"

    def verdict(self) -> Verdict:
        return Verdict("resisted" if self.resisted else "works" if self.width else "no set", USED, self.who)

    def tone(self) -> str:
        return "good" if self.width and not self.resisted else "plain"


class Ruled(Event, frozen=True):
    """A decision of the Game Master about an effect."""

    who: str
    effect: str
    asked: str
    answer: str

    def headline(self) -> str:
        return f"{self.who or 'The psychic'} uses {self.effect}. {self.asked} {self.answer.capitalize()}"


# --- what is rolled -----------------------------------------------------------------------------------------------------------


@rule("ore-5.03-intensity")
def activation(rules: Ruleset, effect: str = "Heatburn", statistic: int = 3, skill: int = 3) -> tuple[Pool, int]:
    """The pool of an effect: Power Statistic and Power Skill, with Intensity as Difficulty. A view of powers in fights."""
    return power_pool(statistic, skill), effect_named(rules, effect).intensity


@rule("ore-5.02-limit-rating", "ore-5.04-metapsychic")
def burns_below(rules: Ruleset, effect: str = "Heatburn") -> int:
    """The face below which waste dice burn: the Intensity, or the level (setting burn-below; they differ for Flashback)."""
    effect_row = effect_named(rules, effect)
    return difficulty_of(
        rules, effect_row.intensity if rules.word("burn-below") == "intensity" else min(effect_row.level, effect_row.intensity)
    )


@rule("ore-5.02-limit-rating", "ore-5.04-metapsychic")
def burnt_by(rules: Ruleset, effect: str = "Heatburn", waste: tuple[int, ...] = (1, 2, 5)) -> Derived[int]:
    """Burn: 1 Shock per waste die below the threshold. A view of Burn in fights."""
    below = burns_below(rules, effect)
    low = sum([face < below for face in waste])
    return total("Shock", term(f"waste dice below {below}", low), rule="ore-5.02-limit-rating")


class Cost(Struct, frozen=True):
    """The cost of one use."""

    way: str
    energy: int = 0
    pounds: int = 0
    once: bool = False
    asks: bool = False
    burns: bool = False


@rule("ore-5.02-limit-rating")
def use_costs(rules: Ruleset, level: int = 3, limit: int = 1) -> Cost:
    """The cost of a use by Limit Rating: once per session, Burn, preparation, Energy Points, materials, or none."""
    way = LIMITS.get(rules, str(limit)).way
    return Cost(
        way,
        level if way == "mana" else 0,
        materials(rules, level).value if way == "materials" else 0,
        way == "session",
        way == "preparation",
        way == "burn",
    )


@rule("ore-5.02-limit-rating")
def energy_points(statistic: int = 3, bought: int = 0, spent: int = 0) -> Derived[int]:
    """Energy Points left: Power Statistic plus bought minus spent."""
    terms = [term("Power Statistic", energy(statistic)), term("bought", bought), less("spent", spent)]
    return total("Energy Points", *terms, rule="ore-5.02-limit-rating")


def limit_of(rules: Ruleset, power_set: str) -> int:
    """The Limit Rating of a set."""
    return SETS.get(rules, power_set).limit


# --- how far and how long -----------------------------------------------------------------------------------------------------


@rule("ore-5.03-intensity")
def effect_range(rules: Ruleset, effect: str = "Heatburn", statistic: int = 3) -> Derived[int]:
    """The range of an effect in its unit, by Power Statistic: range, range with a known signature, or radius. A view of ranges in
    fights."""
    effect_row = effect_named(rules, effect)
    known = (
        ("Range", effect_row.reach, effect_row.far),
        ("Range with a print", "kilometres", effect_row.by_print),
        ("Radius", "metres", effect_row.radius),
    )
    for what, unit, number in known:
        if number:
            terms = (term(f"{unit} per point", number), times("Power Statistic", statistic))
            return total(f"{what} in {unit}", *terms, rule=rules_of(rules)[effect_row.effect])
    raise UserError(f"{effect_row.effect} has no range in metres: {effect_row.reach}")


@rule("ore-5.03-intensity")
def kept_dice(rules: Ruleset, effect: str = "Mindshield") -> Mod:
    """Concentration: -1d on other actions, -2d if intense. A view of concentration in fights."""
    effect_row = effect_named(rules, effect)
    return Mod(f"concentrating on {effect_row.effect}", -effect_row.kept, rules_of(rules)[effect_row.effect])


def measure_of(effect: EffectRow, width: int, height: int) -> str:
    """The measure of a set in the words of the effect."""
    parts = [words_at(effect.by_width, width), words_at(effect.by_height, height)]
    if effect.gives and width:
        parts.append(effect.gives.format(width=width, height=height, quarters=15 * width))
    if effect.details and width:
        parts.append(count(width, "detail"))
    if effect.seconds and width:
        step = max([int(at) for at in effect.seconds if int(at) <= width], default=0)
        parts.append(f"{effect.seconds[str(step)] * height} seconds" if step else "")
    if effect.degrees and height:
        parts.append(f"{effect.degrees * height} degrees")
    return ", ".join(filter(None, parts))


@rule("ore-5.04-effects-clairsentience")
def seconds_seen(rules: Ruleset, width: int = 2, height: int = 6) -> Derived[int]:
    """The time Flashback shows: 30 seconds, one minute or five by Width, times Height. By id only."""
    number_by_name = effect_named(rules, "Flashback").seconds
    step = str(max([int(at) for at in number_by_name if int(at) <= width], default=0))
    if step == "0":
        raise UserError("Flashback needs a set")
    return total("Seconds", row(f"Width {width}", number_by_name[step]), times("Height", height), rule="ore-5.04-effects-clairsentience")


# --- using one ----------------------------------------------------------------------------------------------------------------


@rule(
    "ore-5.03-intensity",
    "ore-5.04-effects-clairsentience",
    "ore-5.04-effects-electrokinesis",
    "ore-5.04-effects-psychokinesis",
    "ore-5.04-effects-redaction",
    "ore-5.04-effects-telepathy",
    "ore-5.04-grandmaster-clairsentience",
    "ore-5.04-grandmaster-electrokinesis",
    "ore-5.04-grandmaster-psychokinesis",
    "ore-5.04-grandmaster-redaction",
    "ore-5.04-grandmaster-telepathy",
)
def use_effect(
    rules: Ruleset,
    effect: str = "Dowsing",
    statistic: int = 3,
    skill: int = 3,
    penalty: int = 0,
    opposition: Pool | None = None,
    by: str = "",
) -> Play[Used]:
    """Uses an effect: obstacles from the Game Master, roll, opposition, and the Game Master's answer. `penalty` are dice lost to the
    target or wards; `opposition` is the resisting pool. A view of powers in fights."""
    effect_row = effect_named(rules, effect)
    way = yield from _which_way(effect_row, by)
    hard = yield from _in_the_way(effect_row, by)
    need = way[1] if way and way[1] else effect_row.intensity
    dice = (
        Mod("an obstacle", -hard, rules_of(rules)[effect_row.effect]),
        Mod("the target", -max(0, penalty), rules_of(rules)[effect_row.effect]),
    )
    outcome, burnt = yield from rolled(rules, effect_row, power_pool(statistic, skill).plus(*dice), need, by)
    resisted = False
    if outcome.success and effect_row.resist and opposition is not None:
        outcome = (yield from beat(rules, opposition, outcome.width, outcome.height, by=f"the target of {by}" if by else "the target")).left
        resisted = not outcome.success
    measure = measure_of(effect_row, outcome.width, outcome.height)
    yield Tell(Activated(by, effect_row.effect, outcome.width, outcome.height, measure, resisted))
    answer = (yield from asked(effect_row, by, outcome, measure)) if outcome.success and effect_row.asks else ""
    return Used(effect_row.effect, outcome, burnt, resisted, measure, answer)


def _which_way(effect_row: EffectRow, by: str) -> Play[tuple[str, int] | None]:
    """Asks for one of the ways of an effect, where each has a Difficulty of its own."""
    if not effect_row.steps or effect_row.works != "ask":
        return None
    options = tuple([Option(words, f"{words}: Difficulty {need}", (words, need)) for words, need in effect_row.steps.items()])
    return (yield from Choice(by or GAMEMASTER, f"What do you use {effect_row.effect} on?", options, effect_row, "power"))


def _in_the_way(effect_row: EffectRow, by: str) -> Play[int]:
    """Asks for obstacles, in dice."""
    if not effect_row.hard:
        return 0
    ask = f"{by or 'The psychic'} uses {effect_row.effect}. {effect_row.hard}"
    return (yield from Choice[int](GAMEMASTER, ask, Range(0, HARDEST_ASKED), effect_row, "power in the way"))


def rolled(rules: Ruleset, effect_row: EffectRow, pool: Pool, need: int, by: str) -> Play[tuple[Outcome, int]]:
    """Rolls an effect and counts burning dice; without dice only luck is left."""
    read = reading(rules, pool, need)
    if read is None:
        return (yield from without_dice(rules, by, effect_row.effect)), 0
    below = min(burns_below(rules, effect_row.effect), difficulty_of(rules, need))
    if limit_of(rules, effect_row.set) != 1 or below < 2:
        return outcome_of((yield from Roll(read, by, effect_row.effect, unseen=effect_row.unseen))), 0
    best, burnt = yield from Roll(Burning(read, below), by, effect_row.effect, unseen=effect_row.unseen)
    return outcome_of(best), burnt


def asked(effect_row: EffectRow, by: str, outcome: Outcome, measure: str) -> Play[str]:
    """Asks the Game Master for the result, with the book's measure; the log keeps the answer."""
    who = by or "The psychic"
    worth = f" ({measure})" if measure else ""
    ask = f"{who} uses {effect_row.effect} with {a(f'{outcome.width}x{outcome.height}')}{worth}. {effect_row.asks}"
    if effect_row.works == "mood":
        dice = yield from Choice[int](GAMEMASTER, ask, Range(-MOST_MOOD, MOST_MOOD), effect_row, "power dice")
        answer = f"{dice:+d}"
    else:
        answer = yield from Choice(GAMEMASTER, ask, SHARES, effect_row, "power answer")
    yield Tell(Ruled(by, effect_row.effect, effect_row.asks, answer))
    return answer
