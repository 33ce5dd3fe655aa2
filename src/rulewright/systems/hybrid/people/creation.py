"""What creation costs and what pays for it: prices of skills and packages, what a culture gives, the ledger of the pools.

Every entry of the ledger names its rule, the field of the file it stands for, and how it could be made cheaper, so that the audit
and the sheet read the same sums (book lines 1236-1266, 1440-1512, 1655-1707, 2220-2289, 2375-2391).
"""

from collections.abc import Iterator
from functools import partial

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, at_least, term, times, total
from rulewright.systems.hybrid.people.careers import career_gains
from rulewright.systems.hybrid.people.characters import (
    ALLOWANCES,
    CULTURES,
    PACKAGES,
    Character,
    Moved,
    Package,
    PointPool,
    Skill,
    given_by_culture,
    package_skills,
    starting_points,
    thenean_pool,
)
from rulewright.systems.hybrid.people.gifts import (
    enhanced_price,
    gift_price,
    heightened_price,
    limitation_gives,
    presence_price,
    stat_price,
)
from rulewright.systems.hybrid.people.statistics import PRIMARY, RACES, STATISTICS, Primary, stat_name
from rulewright.systems.hybrid.people.ties import USES, most_people, tie_price
from rulewright.systems.hybrid.people.traits import STAT_COSTS

POOLS_PAID: tuple[PointPool, ...] = ("skill", "wealth", "community")
MOST_TIMES = 100.0
"""No race multiplies a statistic by more."""
MULTIPLIED = ("PBD", "PMV", "MBD", "MMV")
MOST = 10**6
"""Larger numbers are read as this one; the audit names them anyway."""


# --- prices (lines 1464-1468, 1502-1512, 2287-2289, 2375-2391) ----------------------------------------------------------------


@rule("hyb-9-skill-cost")
def skill_price(rules: Ruleset, rank: int = 0, given: int | None = None) -> Derived[int]:
    """A single skill costs 1 + rank points, whatever its base cost. One that was given is raised for the difference (ruling)."""
    whole = 1 + max(0, rank)
    parts = [term("rank 0", 1), term("ranks above", whole - 1)]
    if given is None or given < 0 or rules.word("raising-given-ranks") == "full":
        return total(f"rank {rank}", *parts, rule="hyb-9-skill-cost")
    free = min(whole, 1 + given)
    parts.append(Reason(f"rank {given} was given", -free, "+", "hyb-9-skill-cost", rules.source("raising-given-ranks")))
    return total(f"rank {rank}", *parts, rule="hyb-9-skill-cost")


@rule("hyb-9-skill-packages")
def package_price(rules: Ruleset, package: str = "Terran Law Enforcement Officer", rank: int = 0, cost: int | None = None) -> Derived[int]:
    """A package costs its price for every rank of all its skills, rank 0 among them."""
    row = PACKAGES(rules).get(package)
    number = cost if cost is not None else row.cost if row is not None else PACKAGES.get(rules, package).cost
    parts = (term("the package", number), times("1 + rank", 1 + max(0, rank)))
    return total(f"{package}, rank {rank}", *parts, rule="hyb-9-skill-packages")


@rule("hyb-9-skill-packages")
def package_saving(rules: Ruleset, package: str = "Terran Law Enforcement Officer", rank: int = 0) -> Derived[int]:
    """Returns the points that a package saves over buying its skills one by one. A view of `package_price`."""
    row = PACKAGES.get(rules, package)
    singly, together = skill_price(rules, rank).value * len(row.skills), package_price(rules, package, rank).value
    parts = (term(f"{len(row.skills)} skills one by one", singly), term("the package", together, "−"))
    return total("points saved", *parts, rule="hyb-9-skill-packages")


@rule("hyb-9-cultural-points")
def allowance_left(rules: Ruleset, field: str = "language", ranks: tuple[int, ...] = (12, 5)) -> Derived[int]:
    """Returns what is left of an allowance after skills at these ranks, each at 1 + rank; below zero where too much was taken.

    By id only.
    """
    row = ALLOWANCES.get(rules, field)
    spent = [Reason(f"rank {rank}", 1 + max(0, rank), "−", "hyb-9-skill-cost") for rank in ranks]
    return total(f"left for {field}", term(field, row.points, source=row.source), *spent, rule="hyb-9-cultural-points")


# --- a file made sound --------------------------------------------------------------------------------------------------------


def _within(number: int) -> int:
    return max(-MOST, min(MOST, number))


def known_race(rules: Ruleset, name: str) -> bool:
    """Whether there is such a race, by either of its names."""
    return name in RACES(rules) or any(row.also and row.also.lower() == name.lower() for row in RACES(rules).values())


def sound(rules: Ruleset, character: Character) -> Character:
    """The same character without what no formula could read: unknown names and numbers out of this world. The audit reports those."""
    race = character.race if known_race(rules, character.race) else next(iter(RACES(rules)), "Human")
    culture = character.culture if character.culture in CULTURES(rules) else ""
    heritage = character.heritage
    clean = replace(
        heritage,
        mods={stat: _within(value) for stat, value in heritage.mods.items() if stat_name(stat) in STATISTICS},
        times={stat: value for stat, value in heritage.times.items() if fair_multiplier(stat, value)},
    )
    points = Primary(*(_within(character.primary.of(stat)) for stat in PRIMARY))
    bought = {stat: _within(value) for stat, value in character.bought.items() if stat_name(stat) in STAT_COSTS(rules)}
    skills = {name: _sound_skill(entry) for name, entry in character.skills.items()}
    return replace(character, race=race, culture=culture, heritage=clean, primary=points, bought=bought, skills=skills)


def _sound_skill(entry: int | Skill) -> int | Skill:
    if not isinstance(entry, Skill):
        return max(0, _within(entry))
    return replace(
        entry, rank=max(0, _within(entry.rank)), stat_base=tuple(stat for stat in entry.stat_base if stat_name(stat) in STATISTICS)
    )


def fair_multiplier(stat: str, value: float) -> bool:
    """Whether a race can multiply this statistic by this."""
    return stat_name(stat) in MULTIPLIED and 0 < value <= MOST_TIMES


# --- the ledger ---------------------------------------------------------------------------------------------------------------


class Cost(Struct, frozen=True):
    """Something that was paid for: from which pool, how much, by which rule, and where it stands in the file.

    `now` can be lowered to `least`, each step saving `step` points; `drop` is the list or mapping and the entry to leave out.
    """

    pool: PointPool
    price: Derived[int]
    field: str
    now: int = 0
    least: int = 0
    step: int = 0
    drop: tuple[str, str] = ("", "")
    hurts: int = 1

    @property
    def points(self) -> int:
        """The cost in points; never below 0."""
        return max(0, self.price.value)

    @property
    def label(self) -> str:
        """The name of the cost."""
        return self.price.reason.label


class Account(Struct, frozen=True):
    """One pool: what it holds, and what was paid from it."""

    pool: PointPool
    given: Derived[int]
    costs: tuple[Cost, ...]

    @property
    def spent(self) -> int:
        """Everything paid from it."""
        return sum(cost.points for cost in self.costs)

    @property
    def left(self) -> int:
        """The unspent points; negative where too many were spent."""
        return self.given.value - self.spent


def plain_field(part: str, key: str) -> str:
    """The dotted field of a named entry; the whole part where the name cannot stand in a path."""
    return f"{part}.{key}" if key and "." not in key else part


def _priced(name: str, work: partial[Derived[int]]) -> Derived[int] | None:
    """A price, under its own name; None where the rules know none. The audit says why."""
    try:
        derived = work()
    except UserError:
        return None
    return Derived(derived.value, msgspec.structs.replace(derived.reason, label=name))


def costs(rules: Ruleset, character: Character) -> tuple[Cost, ...]:
    """Everything in a file that was paid for with points of creation."""
    return tuple(cost for cost in _costs(rules, sound(rules, character)) if cost.price.value)


def _costs(rules: Ruleset, character: Character) -> Iterator[Cost]:
    heritage = _within(character.heritage.cost)
    if heritage > 0:
        price = total(f"race and culture: {character.race}", term("as the gamemaster says", heritage), rule="hyb-9-race")
        yield Cost("skill", price, "heritage.cost", heritage, 0, step=1, hurts=9)
    given = given_ranks(rules, character)
    for skill in character.skills:
        yield _skill_cost(rules, character, skill, given.get(skill))
    for place, package in enumerate(character.packages):
        rank, agreed = _within(package.rank), None if package.cost is None else max(0, _within(package.cost))
        price_of = _priced(f"package: {package.package}, rank {rank}", partial(package_price, rules, package.package, rank, agreed))
        if price_of is not None:
            number = price_of.value // (1 + max(0, rank))
            yield Cost("skill", price_of, f"packages.{place}.rank", rank, 0, step=number, drop=("packages", str(place)), hurts=3)
    for stat, points in character.bought.items():
        price_of = _priced(f"{stat} {points:+}", partial(stat_price, rules, stat, points))
        if price_of is not None and points > 0:
            yield Cost(
                "skill", price_of, plain_field("bought", stat), points, 0, step=price_of.value // points, drop=("bought", stat), hurts=2
            )
    yield from _trait_costs(rules, character)
    for kind in USES:
        for place, tie in enumerate(getattr(character, kind)):
            people = max(1, min(tie.people, most_people(rules)))
            price_of = _priced(f"{kind}: {tie.name}", partial(tie_price, rules, people, tie.depth))
            if price_of is not None:
                yield Cost(tie.paid_from, price_of, f"{kind}.{place}", drop=(kind, str(place)), hurts=3)
    for pool, field, label in (("wealth", "wealth", "money and goods"), ("community", "status", "standing")):
        points = _within(getattr(character, field))
        if points > 0:
            price = total(label, term("points", points), rule="hyb-10-pools")
            yield Cost("wealth" if pool == "wealth" else "community", price, field, points, 0, step=1, hurts=0)


def _skill_cost(rules: Ruleset, character: Character, skill: str, given: int | None) -> Cost:
    entry, rank = character.skills[skill], character.skill(skill).rank
    price = skill_price(rules, rank, given)
    named = Derived(price.value, replace(price.reason, label=f"skill: {skill} {rank}"))
    field = plain_field("skills", skill)
    if field != "skills" and isinstance(entry, Skill):
        field += ".rank"
    least = given if given is not None and rules.word("raising-given-ranks") == "difference" else 0
    return Cost("skill", named, field, rank, max(0, min(rank, least)), step=1, drop=("skills", skill), hurts=2)


def _trait_costs(rules: Ruleset, character: Character) -> Iterator[Cost]:
    for place, gift in enumerate(character.gifts):
        cost = max(0, _within(gift.cost)) if gift.cost is not None else None
        derived = _priced(f"gift: {gift.name}", partial(gift_price, rules, gift.name, cost, _within(gift.scope), _within(gift.depth)))
        if derived is not None:
            yield Cost(gift.paid_from, derived, f"gifts.{place}", drop=("gifts", str(place)), hurts=4)
    for place, better in enumerate(character.enhanced):
        points = max(0, _within(better.points))
        derived = _priced(f"{better.stat} {points:+} for {better.area}", partial(enhanced_price, rules, better.stat, points))
        if derived is not None:
            drop = ("enhanced", str(place))
            yield Cost(
                better.paid_from, derived, f"enhanced.{place}.points", points, 1, step=derived.value // max(1, points), drop=drop, hurts=3
            )
    for place, more in enumerate(character.heightened):
        points = max(0, _within(more.points))
        derived = _priced(f"{more.power} gift: {more.field} {points:+}", partial(heightened_price, rules, more.power, more.scope, points))
        if derived is not None:
            drop = ("heightened", str(place))
            yield Cost(
                more.paid_from, derived, f"heightened.{place}.points", points, 1, step=derived.value // max(1, points), drop=drop, hurts=3
            )
    for place, seen in enumerate(character.presence):
        steps = _within(seen.steps)
        derived = _priced(f"{seen.of} presence {steps:+}", partial(presence_price, rules, steps))
        if derived is not None:
            yield Cost(seen.paid_from, derived, f"presence.{place}", drop=("presence", str(place)), hurts=2)


def given_ranks(rules: Ruleset, character: Character) -> dict[str, int]:
    """The ranks that culture and packages gave, the best of each skill."""
    result: dict[str, int] = {}
    for skill, rank in given_by_culture(rules, character).items():
        result[skill] = max(result.get(skill, -1), int(rank.value))
    for package in character.packages:
        for skill in package_skills(rules, package):
            result[skill] = max(result.get(skill, -1), max(0, _within(package.rank)))
    return result


# --- what the pools hold ------------------------------------------------------------------------------------------------------


def _gains(rules: Ruleset, character: Character, pool: PointPool) -> list[Reason]:
    """Lists what fills a pool beside its beginning."""
    result = []
    for limitation in character.limitations:
        if limitation.paid_to == pool:
            gives = max(0, _within(limitation.gives)) if limitation.gives is not None else None
            work = partial(limitation_gives, rules, limitation.name, gives, _within(limitation.scope), _within(limitation.depth))
            worth = _priced(f"limitation: {limitation.name}", work)
            if worth is not None:
                result.append(term(worth.reason.label, worth))
    if pool == "skill":
        plain = sum(-points for stat, points in character.bought.items() if stat_name(stat) == "APP" and points < 0)
        if plain and "APP" in STAT_COSTS(rules):
            worth = stat_price(rules, "APP", plain)
            result.append(Reason("looks traded away", worth.value, "+", "hyb-9-appearance", "ruling", terms=worth.reasons))
        of_culture = thenean_pool(rules, character.culture)
        if of_culture:
            result.append(
                Reason("Thenean culture, by chapter 10", of_culture, "+", "hyb-10-thenean-template", rules.source("culture-skills"))
            )
    if rules.on("careers") and pool in ("skill", "community"):
        for career in character.careers:
            gained = career_gains(rules, career)[pool]
            if gained.value:
                result.append(term(gained.reason.label, gained))
    return result


def accounts(rules: Ruleset, character: Character) -> dict[PointPool, Account]:
    """All three pools that creation is paid from."""
    fair, paid = sound(rules, character), costs(rules, character)
    result: dict[PointPool, Account] = {}
    for pool in POOLS_PAID:
        start = starting_points(rules, pool, fair.race)
        parts = [*start.reasons, *_gains(rules, fair, pool)]
        parts += [
            Reason(f"moved from {move.out_of}", _moves(move), "+", "hyb-10-pools", "ruling")
            for move in character.moved
            if move.into == pool
        ]
        number = sum(int(part.value) for part in parts)
        if number < 0:
            parts.append(at_least(0, "never below nothing", rule="hyb-10-pools", source="ruling"))
        out = [
            Reason(f"moved to {move.into}", -_moves(move), "+", "hyb-10-pools", "ruling") for move in character.moved if move.out_of == pool
        ]
        given = total(f"{pool} points", *parts, *out, rule="hyb-10-pools")
        result[pool] = Account(pool, given, tuple(cost for cost in paid if cost.pool == pool))
    return result


def _moves(move: Moved) -> int:
    """The points that a move really moves."""
    return max(0, _within(move.points)) if move.out_of != move.into else 0


@rule("hyb-10-pools")
def points_moved(rules: Ruleset, moves: tuple[Moved, ...] = ()) -> Derived[int]:
    """How many points were moved between pools in all; one for one, and as many as one likes unless a campaign sets a limit (ruling)."""
    parts = [term(f"{move.out_of} to {move.into}", _moves(move)) for move in moves]
    return total("points moved", *parts, rule="hyb-10-pools", source=rules.source("most-points-moved"))


@rule("hyb-10-pools", "hyb-11-variations")
def move_points(
    rules: Ruleset, moves: tuple[Moved, ...] = (), out_of: PointPool = "wealth", into: PointPool = "skill", points: int = 5
) -> tuple[Moved, ...]:
    """Move points from one pool into another, one for one; refused where it would go beyond the campaign's limit.

    A view of `points_moved`.
    """
    if points < 1 or out_of == into:
        raise UserError(f"{points} points cannot be moved from {out_of} to {into}")
    most, so_far = rules.number("most-points-moved"), points_moved(rules, moves).value
    if not unlimited(rules) and so_far + points > most:
        raise UserError(f"at most {most} points move between pools in this campaign; {so_far} have, and {points} more would")
    return (*moves, Moved(out_of, into, points))


def unlimited(rules: Ruleset) -> bool:
    """Whether any number of points may be moved."""
    setting = rules.book.setting("most-points-moved")
    return rules.number("most-points-moved") == setting.high


def package_known(rules: Ruleset, package: Package) -> bool:
    """Whether the rules know a package's price and skills, from the book or from the file."""
    return package.package in PACKAGES(rules) or (package.cost is not None and bool(package.skills))
