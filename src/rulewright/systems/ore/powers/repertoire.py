"""The powers that somebody has, ready for use, what of their limits is used up, and powers at work (book lines 5999-6083)."""

from functools import lru_cache

from msgspec import Struct

from rulewright.rules import Ruleset
from rulewright.systems.ore.people.characters import Inherent, Owned, Person, PowerSet
from rulewright.systems.ore.people.pools import skill_pool
from rulewright.systems.ore.powers.catalogue import SETS, EffectRow, effects, rules_of
from rulewright.systems.ore.powers.usage import energy_points
from rulewright.systems.ore.resolution.tests import Pool

APPRENTICE = "arcane apprentice"


class Known(Struct, frozen=True, cache_hash=True):
    """An effect that somebody can use: of which set, at what Power Statistic, with what pool, and how it is limited."""

    effect: str
    set: str
    psi: int
    pool: Pool
    limit: int
    level: int = 1
    inherent: bool = False
    resist: str = ""
    does: str = ""
    rolled: bool = True
    energy: int = 0
    """All Energy Points of the set, where it has them."""

    def row(self, rules: Ruleset) -> EffectRow:
        """Its row; one of the Game Master's own, or an inherent power, is as he says."""
        effect_row = effects(rules).get(self.effect)
        return effect_row if effect_row is not None and not self.inherent else _of_its_own(self)


@lru_cache(maxsize=1_000)
def _of_its_own(known: Known) -> EffectRow:
    return EffectRow(
        effect=known.effect,
        skill="",
        set=known.set,
        level=known.level,
        intensity=1 if known.inherent else known.level,
        line=0,
        reach="sight",
        works="ask",
        use="gamemaster",
        does=known.does or known.effect,
        asks="What happens?",
        resist=known.resist,  # type: ignore[arg-type]
        source="house",
    )


class Reserve(Struct, frozen=True, cache_hash=True):
    """What limits somebody's powers: Energy Points spent, by set; effects used this session; light gathered; patients treated before."""

    energy: tuple[tuple[str, int], ...] = ()
    used: tuple[str, ...] = ()
    light: int = 0
    treated: tuple[str, ...] = ()
    unburnt: int = 0
    """Burn that waits until somebody is back in the body."""

    def spent(self, power_set: str) -> int:
        """Energy Points of a set that are gone."""
        return dict(self.energy).get(power_set, 0)


FULL = Reserve()


class Working(Struct, frozen=True, cache_hash=True):
    """A power at work: which, whose, on whom, with what set, for how long, and what it costs whom."""

    effect: str
    by: str
    on: str
    width: int = 2
    height: int = 1
    rounds: int = -1
    """Rounds that it goes on; below 0 until it is ended."""
    dice: int = 0
    """Dice that it gives or takes on whatever its target rolls."""
    kept: int = 0
    """Dice that keeping it up costs whoever does."""
    word: str = ""
    """What was chosen for it: a band, a feeling, a side of the light."""


def apprenticed(person: Person, power_set: str) -> Owned | None:
    """The advantage that opens a set to somebody; one without a choice opens the only set there is."""
    owned = [own for own in person.advantages if own.name == APPRENTICE]
    named = next((own for own in owned if own.choice.lower() == power_set.lower()), None)
    return named or (owned[0] if len(owned) == 1 and not owned[0].choice else None)


def limit_for(rules: Ruleset, person: Person, power_set: str) -> int:
    """How a set is limited for somebody: as his advantage says, or as the book's set is."""
    own = apprenticed(person, power_set)
    if own is not None and (own.first or own.second):
        return own.second
    row = SETS(rules).get(power_set.lower())
    return row.limit if row is not None else 5


def known_of(rules: Ruleset, person: Person) -> tuple[Known, ...]:
    """Every power that somebody can use."""
    knowns: list[Known] = []
    for own in person.powers:
        knowns += _of_set(rules, person, own)
    return tuple(knowns + [_born_with(rules, person, candidate) for candidate in person.inherent])


def _of_set(rules: Ruleset, person: Person, own: PowerSet) -> list[Known]:
    limit, table = limit_for(rules, person, own.set), effects(rules)
    most = energy_points(own.rating, own.energy).value if limit == 3 else 0
    levels = {name: table[name].level for name in own.effects if name in table} | dict(own.own)
    knowns = []
    for name, level in levels.items():
        skill = own.skill(table[name].skill) if name in table else max(dict(own.skills).values(), default=0)
        pool = Pool(own.rating + skill)
        knowns.append(Known(name, own.set, own.rating, pool, limit, level, energy=most))
    return knowns


def _born_with(rules: Ruleset, person: Person, item: Inherent) -> Known:
    """An inherent power: always there; rolled only where the Game Master named what with."""
    rolls = bool(item.skill)
    pool = skill_pool(rules, person, item.skill, item.statistic or None) if rolls else Pool(0)
    return Known(
        effect=item.name,
        set="inherent",
        psi=item.level,
        pool=pool,
        limit=item.limit,
        level=item.level,
        inherent=True,
        resist=item.resist,
        does=item.does,
        rolled=rolls,
    )


def rule_for(rules: Ruleset, effect: str) -> str:
    """The rule under which an effect stands; an own one under that of power sets."""
    return rules_of(rules).get(effect, "ore-5.00-power-sets")
