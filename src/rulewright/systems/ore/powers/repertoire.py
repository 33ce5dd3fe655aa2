"""The powers of a person, their used limits, and active powers (book lines 5999-6083)."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.ore.people.characters import Inherent, Owned, Person, PowerSet
from rulewright.systems.ore.people.pools import skill_pool
from rulewright.systems.ore.powers.catalogue import SETS, EffectRow, effects, rules_of
from rulewright.systems.ore.powers.usage import Cost, energy_points
from rulewright.systems.ore.resolution.tests import Pool

APPRENTICE = "arcane apprentice"


class Known(Struct, frozen=True, cache_hash=True):
    """A usable effect: set, Power Statistic, pool and limit."""

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
    """Total Energy Points of the set."""

    def row(self, rules: Ruleset) -> EffectRow:
        """Its row; own effects and inherent powers get a generic one."""
        effect_row = effects(rules).get(self.effect)
        return effect_row if effect_row is not None and not self.inherent else _of_its_own(self)


@cached(1_000)
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
    """Used limits: Energy Points by set, effects used this session, light gathered, patients treated."""

    energy: tuple[tuple[str, int], ...] = ()
    used: tuple[str, ...] = ()
    light: int = 0
    treated: tuple[str, ...] = ()
    unburnt: int = 0
    """Burn delayed until the return to the body."""

    def spent(self, power_set: str) -> int:
        """Energy Points of a set that are gone."""
        return dict(self.energy).get(power_set, 0)

    def drawn(self, known: Known, cost: Cost) -> "Reserve":
        """The used limits after one more use at this cost."""
        used = (*self.used, known.effect) if cost.once else self.used
        energy = self.energy
        if cost.energy:
            energy = tuple({**dict(energy), known.set: self.spent(known.set) + cost.energy}.items())
        return self if (used, energy) == (self.used, self.energy) else replace(self, used=used, energy=energy)

    def lacks(self, known: Known, cost: Cost) -> str:
        """Why a use at this cost is impossible; empty if it is not."""
        if cost.once and known.effect in self.used:
            return f"{known.effect} was used this session already"
        left = known.energy - self.spent(known.set)
        return f"{cost.energy} Energy Points are needed, {left} are left" if cost.energy > left and cost.energy else ""


FULL = Reserve()


class Working(Struct, frozen=True, cache_hash=True):
    """An active power: effect, user, target, set, duration and costs."""

    effect: str
    by: str
    on: str
    width: int = 2
    height: int = 1
    rounds: int = -1
    """Rounds left; negative until ended."""
    dice: int = 0
    """Dice for all rolls of its target."""
    kept: int = 0
    """Concentration dice of its user."""
    word: str = ""
    """The choice: a band, a feeling, a kind of light."""


def apprenticed(person: Person, power_set: str) -> Owned | None:
    """The advantage that opens a set; one without a choice opens the only set."""
    owned = [own for own in person.advantages if own.name == APPRENTICE]
    named = next((own for own in owned if own.choice.lower() == power_set.lower()), None)
    return named or (owned[0] if len(owned) == 1 and not owned[0].choice else None)


def limit_for(rules: Ruleset, person: Person, power_set: str) -> int:
    """The limit of a set: from the advantage, or the book."""
    own = apprenticed(person, power_set)
    if own is not None and (own.first or own.second):
        return own.second
    row = SETS(rules).get(power_set.lower())
    return row.limit if row is not None else 5


def known_of(rules: Ruleset, person: Person) -> tuple[Known, ...]:
    """All usable powers of a person."""
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
    """An inherent power; rolled only if it has a pool."""
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
    """The rule of an effect; own effects use that of power sets."""
    return rules_of(rules).get(effect, "ore-5.00-power-sets")
