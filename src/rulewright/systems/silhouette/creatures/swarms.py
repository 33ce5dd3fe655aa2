"""Swarms and hordes (book lines 5397-5428, 6210-6218)."""

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
"""Swarms of a horde that reach one person in a round."""
CREEPS_IN = 3
"""Rounds after which unsealed armor does not help."""
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
    """Returns several copies of a printed swarm. By id only."""
    row = SWARMS.get(rules, species)
    return Swarm(row.aggressiveness, row.damage, row.threshold, row.horde, row.size, swarms)


@rule(_HORDE)
def horde_size(rules: Ruleset, swarm: Swarm = WASPS, name: str = "") -> Play[int]:
    """Rolls the number of swarms in a horde. By id only."""
    return (yield from Roll(sum_of(swarm.horde, 6), name, "swarms of the horde"))


@rule(_HORDE)
def swarms_at(swarms: int, victims: int = 1) -> int:
    """Returns how many swarms of a horde reach this many people in a round: at most three each."""
    return min(swarms, AT_ONCE * max(0, victims))


@rule(_ATTACK)
def swarm_damage(roll: int, damage: int = 3, victims: int = 1) -> Derived[int]:
    """Returns a swarm's damage to each victim: the roll times Damage/Round, divided evenly, rounded down."""
    if victims < 1:
        raise UserError("the number of victims must be at least 1")
    whole = total("damage of the swarm", term("roll", roll), times("Damage/Round", damage), rule=_ATTACK)
    return total("damage to each", term("all", whole), divided("victims", victims), rounded_down(), rule=_ATTACK)


@rule(_ATTACK)
def armor_in_a_swarm(armor: int, seal: Seal = "none", rounds: int = 0) -> int | None:
    """Returns the armor against a swarm after some rounds: all of it if sealed; otherwise half for three rounds, then 0. None if sealed
    all over: nothing gets through."""
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
    """Plays a round inside a swarm: one roll for each swarm that reaches a victim, added, multiplied and divided among all victims.
    Nobody can dodge or parry it.

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
    """Applies a victim's share of swarm damage against the remaining armor."""
    worth = armor_in_a_swarm(victim.armor, seal, rounds)
    if worth is None or damage <= 0:
        return victim
    lighter = Hit(max(0, damage - worth), armored=False)
    return (yield from sub(take_hit, rules, victim, lighter)) if lighter.damage else victim


@rule(_FIGHTING)
def disperse(damage: int, source: Source = "fire", threshold: int = 25, swarms: int = 1) -> int:
    """Returns how many swarms an attack leaves: fire, electricity and gas count in full, blows and explosions half, shots a quarter.
    More than the threshold drives one off, more than all thresholds together the whole horde.

    A view of `left_of`.
    """
    return left_of(damage, source, threshold, swarms)
