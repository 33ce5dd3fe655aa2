"""Weapons against people: biological and chemical agents, stun weapons, and fire-fighting foam (book lines
9460-9463, 9481, 9600-9604)."""

from msgspec.structs import replace

from rulewright.grammar import count
from rulewright.play import Play, Roll, Tell
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, divided, rounded_down, rounded_up, term, times, total
from rulewright.systems.silhouette.breakage.crews import casualties
from rulewright.systems.silhouette.breakage.damage import damage_of
from rulewright.systems.silhouette.breakage.events import Broken, Tested
from rulewright.systems.silhouette.detection.sight import UNSEEN, tell_of
from rulewright.systems.silhouette.gunnery.areas import area_of, caught
from rulewright.systems.silhouette.gunnery.attacks import attack_pool, defense_pool, weighed
from rulewright.systems.silhouette.gunnery.effects import Affected
from rulewright.systems.silhouette.gunnery.shields import Shot
from rulewright.systems.silhouette.harm.body import OPEN_ENDED, Patient
from rulewright.systems.silhouette.harm.damage import go_into_shock, health_test_pool, with_wound
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.machines.machine import Version
from rulewright.systems.silhouette.machines.sheet.record_sheet import DAMAGE as SYSTEMS
from rulewright.systems.silhouette.resolution.tests import (
    DIE,
    Pool,
    action_test,
    attribute_pool,
    passes,
    roll_of,
    settled,
    succeeds,
    sum_of,
)
from rulewright.systems.silhouette.units.people import is_person
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

_PERKS, _FLAWS = "sil-f-system-perks", "sil-g-system-flaws"
AGENTS = ("biological", "chemical")
OUT_AT = 5
"""The penalty at which people who breathe an agent are incapacitated."""


def agent_of(version: Version) -> str:
    """The agent that a system spreads; empty for any other."""
    return next((name for name in AGENTS if version.perk(name) is not None), "")


def open_to_air(unit: Unit) -> bool:
    """Whether the people of a unit breathe the outside air: people on foot and exposed crews."""
    return is_person(unit) or unit.machine.has("exposed crew") is not None


@rule(_PERKS)
def sickness(margin: int, damage: Figure) -> Derived[int]:
    """The penalty that an agent puts on all actions of its victims: 1 for each ten points of damage."""
    return total("penalty", term("damage", damage_of(margin, damage)), divided("for each ten", 10), rounded_down(), rule=_PERKS)


def agent_attack(rules: Ruleset, battle: Battle, shot: Shot, version: Version) -> Play[Battle]:
    """Resolve a cloud over a hex, one hex wider than its area if it has one: everyone in it defends, and the unprotected fall ill."""
    own = area_of(version)
    attacker, spot = battle.unit(shot.attacker), battle.unit(shot.target).spot
    pool = attack_pool(rules, battle, shot)
    aim = settled(rules, pool, (yield from roll_of(rules, pool, attacker.voice, "attack with a cloud")))
    for unit in sorted(caught(battle, spot, 0 if own is None else own + 1), key=lambda item: item.name == shot.target):
        battle = yield from _expose_to_agent(rules, battle, replace(shot, target=unit.name), pool, aim=aim.total, aimed=shot.target)
    return battle


def _expose_to_agent(rules: Ruleset, battle: Battle, shot: Shot, pool: Pool, *, aim: int, aimed: str) -> Play[Battle]:
    unit, attacker = battle.unit(shot.target), battle.unit(shot.attacker)
    defense = defense_pool(rules, battle, shot)
    number = 0
    sums: tuple[Reason, ...] = (Reason("attack", aim, "=", _PERKS),)
    if defense is not None:
        result = settled(rules, defense, (yield from roll_of(rules, defense, unit.voice, "defense against a cloud")))
        number, sums = result.total, (*sums, sum_of("defense", defense, result, "against", _PERKS))
    margin = aim - number
    after, words = unit, "it is sealed"
    if margin > 0 and open_to_air(unit):
        ill = sickness(margin, shot.damage)
        sums = (*sums, ill.reason)
        after = replace(unit, signs=replace(unit.signs, sick=unit.signs.sick + ill.value))
        words = f"everyone aboard acts at -{after.signs.sick}" if after.signs.sick < OUT_AT else "everyone there is incapacitated"
        if after.signs.sick >= OUT_AT:
            after = laid_low(after)
    by = attacker.voice if unit.name == aimed else ""
    event = Affected(by, attacker.name, unit.voice, unit.name, shot.weapon, words, sums, margin > 0)
    yield from tell_of(rules, battle.put(after), event, attacker, unit, attacker=UNSEEN, by="")
    return battle.put(after)


def laid_low(unit: Unit) -> Unit:
    """Incapacitate everyone of a unit: nameless crew are casualties, characters fall unconscious."""
    crew = replace(unit.crew, lost=unit.crew.hands, lost_passengers=unit.crew.passengers)
    riders = tuple([replace(rider, body=_knock_unconscious(rider.body)) for rider in unit.riders])
    return replace(unit, crew=crew, riders=riders)


def _knock_unconscious(body: Patient) -> Patient:
    return body if body.dead or body.unconscious else replace(body, unconscious=OPEN_ENDED)


# --- stun weapons --------------------------------------------------------------------------------------------------------------------


@rule(_FLAWS)
def knocked_out(rules: Ruleset, victim: Patient, damage: Figure = 5, margin: int = 1) -> Play[Patient]:
    """Resolve a stun weapon: Health against the Damage Multiplier plus the margin, or unconscious for as many minutes as the margin of
    failure. From 5 on it is a Flesh Wound too, from 9 on a Deep Wound, from 13 on a coma."""
    threshold = total("Threshold", term("Damage Multiplier", damage), term("Margin of Success", margin), rule=_FLAWS)
    test = yield from action_test(rules, health_test_pool(rules, victim), int(threshold.value), victim.name, "staying conscious")
    if succeeds(rules, test):
        yield from Tell(Tested(victim.name, "stays conscious", test, _FLAWS))
        return victim
    short = max(1, -test.margin)
    wound = "a coma" if short >= 13 else "a Deep Wound" if short >= 9 else "a Flesh Wound" if short >= 5 else ""
    words = f"is knocked out for {count(short, 'minute')}" + (f", with {wound}" if wound else "")
    yield from Tell(Tested(victim.name, words, test, _FLAWS, "bad"))
    hurt = replace(victim, unconscious=max(victim.unconscious, short), coma=victim.coma or short >= 13)
    if 5 <= short < 13:
        hurt = yield from go_into_shock(rules, victim, with_wound(hurt, "deep" if short >= 9 else "flesh"))
    return hurt


@rule(_FLAWS)
def lost_to_stunning(rules: Ruleset, casualties: int, by: str = "") -> Play[tuple[int, int]]:
    """How many casualties of a stun weapon are knocked out, and how many of these are dead. One die each: on 1 and 2 unharmed, on 6
    dead."""
    out = dead = 0
    for _ in range(min(casualties, 6)):
        die = yield from Roll(DIE, by, "a casualty")
        out, dead = out + (die > 2), dead + (die == 6)
    more = max(0, casualties - 6)
    return out + more * 2 // 3, dead + more // 6


def stunning_attack(rules: Ruleset, battle: Battle, shot: Shot) -> Play[Battle]:
    """Resolve a stun attack: Armor stops it completely; an exposed crew is only affected if the crew itself is hit."""
    attacker, target = battle.unit(shot.attacker), battle.unit(shot.target)
    pool, defense = attack_pool(rules, battle, shot), defense_pool(rules, battle, shot)
    aim = settled(rules, pool, (yield from roll_of(rules, pool, attacker.voice, "attack")))
    sums: tuple[Reason, ...] = (sum_of("attack", pool, aim, rule=_FLAWS),)
    number = 0
    if defense is not None:
        result = settled(rules, defense, (yield from roll_of(rules, defense, target.voice, "defense")))
        sums, number = (*sums, sum_of("defense", defense, result, "against", _FLAWS)), result.total
    margin = aim.total - number
    share, words = 0, "the Armor stops it"
    if margin > 0 and is_person(target):
        share, words = 100, "it hits"
    elif margin > 0 and open_to_air(target):
        half = total("damage", term("damage", damage_of(margin, shot.damage)), divided("stun weapon", 2), rounded_down(), rule=_FLAWS)
        severity, met = weighed(rules, battle, target, shot, half.value)
        sums = (*sums, half.reason, *met)
        die = (yield from Roll(DIE, attacker.voice, "hit location")) if severity != "none" else 0
        if die and SYSTEMS.get(rules, str(die)).system == "crew":
            share, words = 10 if severity == "light" else 100, "it reaches the crew"
    event = Affected(attacker.voice, attacker.name, target.voice, target.name, shot.weapon, words, sums, margin > 0)
    yield from tell_of(rules, battle, event, attacker, target, attacker=UNSEEN, by="")
    return battle.put((yield from _stun_people(rules, target, shot, margin, share))) if share else battle


def _stun_people(rules: Ruleset, target: Unit, shot: Shot, margin: int, share: int) -> Play[Unit]:
    """Affect the people reached: a test for every character, a percentage of the nameless crew with a die each."""
    riders = []
    for rider in target.riders:
        riders.append(replace(rider, body=(yield from knocked_out(rules, rider.body, shot.damage, margin))))
    target = replace(target, riders=tuple(riders))
    standing = target.crew.hands - target.crew.lost
    if not standing:
        return target
    hit = int(casualties(standing, share).value)
    out, dead = yield from lost_to_stunning(rules, hit, target.voice)
    yield from Tell(
        Broken(
            target.name,
            f"{out} of {hit} crew hit {'is' if out == 1 else 'are'} knocked out",
            mood="bad" if out else "plain",
        )
    )
    crew = replace(target.crew, lost=target.crew.lost + out, dead=target.crew.dead + dead)
    return replace(target, crew=crew)


# --- foam, and systems that work at random -------------------------------------------------------------------------------------------


@rule(_PERKS)
def dice_of_foam(total_rolled: int, damage: Figure) -> Derived[int]:
    """Dice of Intensity that foam takes off a fire: one for every ten points, or part of them, of the roll times the Damage Multiplier."""
    return total("dice", term("roll", total_rolled), times("Damage Multiplier", damage), divided("ten", 10), rounded_up(), rule=_PERKS)


@rule(_FLAWS)
def at_random(rules: Ruleset, level: int = 1, psyche: int = 0, by: str = "") -> Play[int]:
    """Rolls the loss of a random system in one figure: nothing if Psyche passes its level plus one, otherwise the margin of failure."""
    test = yield from action_test(rules, attribute_pool(rules, psyche, "Psyche"), level + 1, by, "the random system")
    return 0 if passes(rules, test.total, test.threshold) else -test.margin
