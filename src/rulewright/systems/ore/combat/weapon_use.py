"""Using any weapon, including one taken from others (book lines 5350-5356)."""

from typing import NamedTuple

from msgspec import Struct

from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.abilities import general_skill, pool_for
from rulewright.systems.ore.gear.weapons import Weapon
from rulewright.systems.ore.people.characters import Owned, Person, Special, Statistics
from rulewright.systems.ore.people.pools import rated, usable_pool
from rulewright.systems.ore.resolution.tests import Pool

NO_DICE = Pool(0)


class Training(Struct, frozen=True, cache_hash=True, gc=False):
    """The skills of a person that matter for weapons."""

    statistics: Statistics = Statistics()
    skills: tuple[tuple[str, int], ...] = ()
    special: tuple[tuple[str, Special], ...] = ()
    advantages: tuple[Owned, ...] = ()
    concentrations: tuple[tuple[str, tuple[tuple[str, int], ...]], ...] = ()

    @classmethod
    def of(cls, person: Person) -> "Training":
        """The training of a person."""
        focused = tuple([(discipline, tuple(levels.items())) for discipline, levels in person.concentrations.items()])
        return cls(person.statistics, tuple(person.skills.items()), tuple(person.special.items()), person.advantages, focused)

    def person(self) -> Person:
        """A person with just this training."""
        focused = {discipline: dict(levels) for discipline, levels in self.concentrations}
        return Person("", self.statistics, {}, dict(self.skills), dict(self.special), focused, {}, self.advantages, {})


class Wielded(NamedTuple):
    """The attack pool, parry pool and skill rating with a weapon."""

    attack: Pool
    parry: Pool
    rating: int


def wielded(rules: Ruleset, person: Person, weapon: Weapon) -> Wielded:
    """The best use of a weapon by a person."""
    return Wielded(
        usable_pool(rules, pool_for(rules, person, "attack", weapon)),
        usable_pool(rules, pool_for(rules, person, "parry", weapon)) if weapon.close else NO_DICE,
        max([rated(rules, person, skill).rating for skill in (general_skill(rules, weapon), *weapon.skills)]),
    )
