"""Swarms and hordes: many small animals as one (book lines 5397-5428, 6210-6218)."""

from typing import Literal

from rulewright.dice.sums import sum_of
from rulewright.errors import UserError
from rulewright.play import Play, Roll, sub
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, divided, rounded_down, term, times, total
from rulewright.systems.silhouette.creatures.swarm import Swarm
from rulewright.systems.silhouette.harm.body import AVERAGE, Patient
from rulewright.systems.silhouette.harm.damage import Hit, take_hit
from rulewright.systems.silhouette.harm.dispersal import Source, left_of
from rulewright.systems.silhouette.resolution.tests import Pool, rolled

_ATTACK, _HORDE, _FIGHTING = "sil-6.1.5-swarm-attack", "sil-6.1.5-hordes", "sil-6.1.5-fighting-swarms"
AT_ONCE = 3
"""How many swarms of a horde reach one person in a round."""
CREEPS_IN = 3
"""After so many rounds armor that is not sealed is no help."""
Seal = Literal["none", "sealed", "sealed all over"]


class SwarmRow(TableRow, frozen=True):
    """A printed swarm."""

    species: str
    aggressiveness: int
    damage: int
    threshold: int
    horde: int
    size: int


SWARMS = Table("sil-6.1.5-swarm-table", SwarmRow)
WASPS = Swarm(3, 3, 25, 2, 15)
SOMEBODY = (AVERAGE,)


@rule("sil-6.1.5-swarm-table")
def swarm_of(rules: Ruleset, species: str = "wasps", swarms: int = 1) -> Swarm:
    """A printed swarm, so many times. By id only."""
    row = SWARMS.get(rules, species)
    return Swarm(row.aggressiveness, row.damage, row.threshold, row.horde, row.size, swarms)


@rule(_HORDE)
def horde_size(rules: Ruleset, swarm: Swarm = WASPS, name: str = "") -> Play[int]:
    """How many swarms a horde has: its dice added up. By id only."""
    return (yield from Roll(sum_of(swarm.horde, 6), name, "swarms of the horde"))


@rule(_HORDE)
def swarms_at(swarms: int, victims: int = 1) -> int:
    """How many swarms of a horde reach so many people of human size in a round: three each at most."""
    return min(swarms, AT_ONCE * max(0, victims))


@rule(_ATTACK)
def swarm_damage(roll: int, damage: int = 3, victims: int = 1) -> Derived[int]:
    """What a swarm's roll does to each of those within it: the roll times Damage/Round, divided evenly, rounded down."""
    if victims < 1:
        raise UserError("the number of victims must be at least 1")
    whole = total("damage of the swarm", term("roll", roll), times("Damage/Round", damage), rule=_ATTACK)
    return total("damage to each", term("all", whole), divided("victims", victims), rounded_down(), rule=_ATTACK)


@rule(_ATTACK)
def armor_in_a_swarm(armor: int, seal: Seal = "none", rounds: int = 0) -> int | None:
    """What armor is worth against a swarm after so many rounds in it: all where it is sealed; half for three rounds and then nothing where
    it is not. None where it is sealed all over: then nothing gets through."""
    if seal == "sealed all over":
        return None
    if seal == "sealed":
        return armor
    return armor // 2 if rounds < CREEPS_IN else 0


@rule(_ATTACK)
def swarm_attack(
    rules: Ruleset,
    swarm: Swarm = WASPS,
    victims: tuple[Patient, ...] = SOMEBODY,
    seal: Seal = "none",
    rounds: int = 0,
    name: str = "the swarm",
) -> Play[tuple[Patient, ...]]:
    """A round in a swarm: its dice are rolled once for each of the swarms that reach somebody, added, multiplied and divided among all who
    are in it. Nobody dodges or parries that.

    By id only.
    """
    total = 0
    for _ in range(swarms_at(swarm.swarms, len(victims))):
        total += (yield from rolled(rules, Pool(swarm.aggressiveness, hero=False), name, "attack of the swarm")).total
    share = swarm_damage(total, swarm.damage, len(victims)).value
    after = []
    for victim in victims:
        after.append((yield from sub(bitten, rules, victim, share, seal, rounds)))
    return tuple(after)


def bitten(rules: Ruleset, victim: Patient, damage: int, seal: Seal = "none", rounds: int = 0) -> Play[Patient]:
    """Somebody's share of a swarm's damage, against what the armor is still worth."""
    worth = armor_in_a_swarm(victim.armor, seal, rounds)
    if worth is None or damage <= 0:
        return victim
    lighter = Hit(max(0, damage - worth), armored=False)
    return (yield from sub(take_hit, rules, victim, lighter)) if lighter.damage else victim


@rule(_FIGHTING)
def disperse(damage: int, source: Source = "fire", threshold: int = 25, swarms: int = 1) -> int:
    """How many swarms one attack leaves: fire, electricity and gas count in full, blows and blasts half, shots a quarter. More than the
    threshold drives one off, more than that of all together the whole horde.

    A view of `left_of`.
    """
    return left_of(damage, source, threshold, swarms)
