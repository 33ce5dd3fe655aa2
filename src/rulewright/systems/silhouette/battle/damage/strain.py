"""Strain on machines and crews: shutdowns, overheating, thought interfaces, power cables, life support (book lines
9061, 9286-9310, 9330-9338, 9372-9380)."""

from msgspec.structs import replace

from rulewright.field.geometry import hexes as grid
from rulewright.grammar import count
from rulewright.play import Play, Roll, Tell, sub
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, less, term, total
from rulewright.systems.silhouette.battle.damage.agents import laid_low
from rulewright.systems.silhouette.battle.sensors.sightings import names_of
from rulewright.systems.silhouette.breakage.damage import PLAIN, Severity
from rulewright.systems.silhouette.breakage.events import Broken, Tested
from rulewright.systems.silhouette.breakage.systems import Blow, fail, lose_armor, systems_damage
from rulewright.systems.silhouette.gunnery.attacks import FOLLOWS, maneuver_of
from rulewright.systems.silhouette.gunnery.shields import Shot
from rulewright.systems.silhouette.harm.damage import stay_conscious
from rulewright.systems.silhouette.machines.design.crews import crew_actions
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.machines.design.trait_effects import figure
from rulewright.systems.silhouette.maneuver.speeds import combat_speed
from rulewright.systems.silhouette.maneuver.terrain import cost_table
from rulewright.systems.silhouette.resolution.tests import DIE, Pool, Test, action_test, attribute_pool, passes, succeeds
from rulewright.systems.silhouette.units.crews import pool_of
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

_NEGATIVE, _THOUGHT, _MOVEMENT, _ACCESSORIES = (
    "sil-e-negative-features",
    "sil-d-thought-interface",
    "sil-e-movement-flaws",
    "sil-d-accessories",
)


def rating_of(unit: Unit, name: str) -> int:
    """The rating of a unit's Perk or Flaw; 0 if it has none."""
    own = unit.machine.has(name)
    return (own.rating or 0) if own is not None else 0


# --- shutdowns ---------------------------------------------------------------------------------------------------------------------------


@rule(_NEGATIVE)
def shuts_down(rules: Ruleset, rating: int = 1, by: str = "") -> Play[int]:
    """Test whether a machine with random shutdowns shuts down: two dice against its rating plus one. Returns the rounds of standstill
    (one die), 0 if it keeps running."""
    test = yield from action_test(rules, Pool(2, hero=False), rating + 1, by, "a random shutdown")
    if passes(rules, test.total, test.threshold):
        return 0
    return (yield from Roll(DIE, by, "rounds of standstill"))


def shutdowns(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Test for random shutdowns at the beginning of a round."""
    for unit in battle.units:
        if unit.machine.has("random shutdown") is None or not unit.able or unit.signs.shut:
            continue
        rounds = yield from sub(shuts_down, rules, rating_of(unit, "random shutdown"), unit.voice)
        if rounds:
            words = f"shuts down for {count(rounds, 'round')}"
            yield from Tell(Broken(unit.name, words, (Reason("rounds", rounds, "=", _NEGATIVE),)))
            battle = battle.change(unit.name, signs=replace(unit.signs, shut=rounds))
    return battle


# --- overheating -------------------------------------------------------------------------------------------------------------------------


@rule(_NEGATIVE)
def overheats(rules: Ruleset, rounds: int, extreme: bool = False) -> Severity:
    """Damage to an overheating machine after so many rounds of strain in a row: Light after three, Heavy after five; if
    extreme, after one (a stand-in) and three."""
    light, heavy = ("extreme light", "extreme heavy") if extreme else ("light", "heavy")
    if rounds == figure(rules, "overheating", heavy, flaw=True):
        return "heavy"
    return "light" if rounds == figure(rules, "overheating", light, flaw=True) else "none"


def strains(unit: Unit) -> bool:
    """Whether a machine has strained itself this round: moved and fired, fired three weapons, or used thrust."""
    weapons = sum([1 for arm in unit.arms if arm.fired])
    return bool((unit.hexes and weapons) or weapons >= 3 or (unit.way == "space" and unit.spent))


def heat_builds(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Heat up or cool down machines that overheat, at the end of a round."""
    for unit in battle.units:
        flaw = unit.machine.has("overheating")
        if flaw is None or unit.destroyed or unit.gone:
            continue
        rounds = unit.signs.strained + 1 if strains(unit) else 0
        if rounds != unit.signs.strained:
            words = f"has run hot for {count(rounds, 'round')}" if rounds else "has cooled down"
            yield from Tell(Broken(unit.name, words, mood="plain", known_to=names_of(battle, unit.side)))
        severity = overheats(rules, rounds, flaw.variant == "extreme") if rounds else "none"
        unit = replace(unit, signs=replace(unit.signs, strained=0 if severity == "heavy" else rounds))
        if severity != "none":
            sums = (Reason("rounds of strain in a row", rounds, "=", _NEGATIVE),)
            yield from Tell(Broken(unit.name, f"overheats and takes {severity} damage", sums))
            unit = yield from lose_armor(rules, unit, severity, PLAIN)
            unit = yield from sub(systems_damage, rules, unit, Blow(heavy=severity == "heavy", to=unit.voice, by=unit.voice))
        battle = battle.put(unit)
    return battle


# --- thought interfaces ------------------------------------------------------------------------------------------------------------------


def linked_actions(rules: Ruleset, unit: Unit) -> int:
    """Actions that a thought interface adds."""
    return max(0, int(unit.machine.actions - crew_actions(rules, unit.machine.crew).value))


def _linked_attribute(unit: Unit, what: str) -> int:
    """Willpower or Psyche of the linked person: the first character of the crew; 0 for nameless crew."""
    rider = next((able_rider for able_rider in unit.able_riders if able_rider.seat == "crew"), None)
    return 0 if rider is None else rider.body.willpower if what == "Willpower" else rider.psyche


@rule(_THOUGHT)
def mind_test(rules: Ruleset, threshold: int, attribute: int = 0, name: str = "Willpower", by: str = "") -> Play[Test]:
    """Test a mind against an interface: Willpower or Psyche against the interface's rating."""
    return (yield from action_test(rules, attribute_pool(rules, attribute, name), threshold, by, f"{name} against the interface"))


def minds_link(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """At the beginning of a round: test invasive interfaces once, mind links every round."""
    for unit in battle.units:
        if unit.machine.has("thought interface") is None or not unit.able:
            continue
        if unit.machine.has("invasive interface") is not None and (battle.round == 1 or unit.signs.fading):
            battle = yield from _test_invasion(rules, battle, unit)
        unit = battle.unit(unit.name)
        if unit.machine.has("mind link") is not None and unit.able:
            test = yield from mind_test(rules, rating_of(unit, "mind link"), _linked_attribute(unit, "Willpower"), "Willpower", unit.voice)
            if not succeeds(rules, test, 9316):
                words = f"loses the mind link{' to a stray thought' if test.fumble else ' and the actions of its interface'}"
                yield from Tell(Tested(unit.name, words, test, _THOUGHT, "bad"))
                battle = battle.change(unit.name, stunned=unit.stunned + linked_actions(rules, unit))
            else:
                yield from Tell(Tested(unit.name, "holds the mind link", test, _THOUGHT))
    return battle


def _test_invasion(rules: Ruleset, battle: Battle, unit: Unit) -> Play[Battle]:
    if unit.signs.fading:
        left = unit.signs.fading - 1
        unit = replace(unit, signs=replace(unit.signs, fading=left))
        if not left:
            yield from Tell(Broken(unit.name, "the linked crew falls into catatonia"))
            unit = laid_low(unit)
        return battle.put(unit)
    test = yield from mind_test(rules, rating_of(unit, "invasive interface"), _linked_attribute(unit, "Psyche"), "Psyche", unit.voice)
    if succeeds(rules, test, 9312):
        yield from Tell(Tested(unit.name, "withstands the interface", test, _THOUGHT))
        return battle
    if test.fumble:  # 9312: a fumble knocks the crew out
        yield from Tell(Tested(unit.name, "is overwhelmed by the interface: the crew is knocked out", test, _THOUGHT, "bad"))
        return battle.put(laid_low(unit))
    rounds = yield from Roll(DIE, unit.voice, "rounds until catatonia")
    words = f"is overwhelmed by the interface: catatonia in {count(rounds, 'round')}"
    yield from Tell(Tested(unit.name, words, test, _THOUGHT, "bad"))
    return battle.change(unit.name, signs=replace(unit.signs, fading=rounds))


@rule(_THOUGHT)
def feedback(severity: Severity, before: int = 0) -> Derived[int]:
    """The modifier to the Knockout test of a person linked without a shield: -1 at Light, -2 at Heavy Damage, and -1 more for each
    earlier test in the same turn."""
    harm = {"light": -1, "heavy": -2}.get(severity, 0)
    return total("Knockout test", term(severity, harm), less("earlier tests this turn", before), rule=_THOUGHT)


def feeds_back(rules: Ruleset, battle: Battle, shot: Shot, *, margin: int, damage: Figure, severity: Severity) -> Play[Battle]:
    """Apply damage feedback: an unshielded interface passes it to the mind, and a sentient machine must be mastered when it is hurt."""
    unit = battle.unit(shot.target)
    if severity not in ("light", "heavy") or unit.destroyed or not unit.able or unit.machine.has("thought interface") is None:
        return battle
    if unit.machine.has("unshielded interface") is not None:
        hits = max(0, len(unit.hit_by) - 1)
        riders = []
        for rider in unit.riders:
            body = rider.body
            if rider.seat == "crew" and body.able:
                body = yield from stay_conscious(rules, body, more=int(feedback(severity, hits).value))
            riders.append(replace(rider, body=body))
        unit = replace(unit, riders=tuple(riders))
        battle = battle.put(unit)
    if unit.machine.has("sentient interface") is not None and unit.able and not unit.signs.berserk:
        test = yield from mind_test(
            rules, rating_of(unit, "sentient interface"), _linked_attribute(unit, "Willpower"), "Willpower", unit.voice
        )
        wild = not succeeds(rules, test)
        words = f"goes berserk and turns on {shot.attacker}" if wild else "stays under control"
        yield from Tell(Tested(unit.name, words, test, _THOUGHT, "bad" if wild else "plain"))
        if wild:
            battle = battle.change(unit.name, signs=replace(unit.signs, berserk=shot.attacker))
    return battle


# --- power and air -----------------------------------------------------------------------------------------------------------------------


def cut_off(rules: Ruleset, battle: Battle, shot: Shot, *, margin: int, damage: Figure, severity: Severity) -> Play[Battle]:
    """Cut off power when a collector is shot away; failed life support in a hostile place incapacitates everyone aboard."""
    unit = battle.unit(shot.target)
    if severity not in ("light", "heavy") or unit.destroyed or not unit.able:
        return battle
    beam = unit.machine.has("external power")
    if beam is not None and beam.variant == "beamed" and not unit.has("external power") and not unit.signs.shut:
        yield from Tell(Broken(unit.name, "its collector is destroyed and it has no power"))
        unit = replace(unit, signs=replace(unit.signs, shut=999))
    if unit.machine.has("life support") is not None and unit.auxiliary("life support") is None and hostile(battle, unit):
        yield from Tell(Broken(unit.name, "life support fails; everyone aboard is busy staying alive"))
        unit = laid_low(unit)
    return battle.put(unit)


def hostile(battle: Battle, unit: Unit) -> bool:
    """Whether nobody could survive outside: in space, under water, without air."""
    return unit.way == "space" or unit.altitude < 0 or battle.place.atmosphere < 0.2


FOLLOWS.extend([feeds_back, cut_off])


@rule(_MOVEMENT)
def snags(rules: Ruleset, pool: Pool, cost: int, by: str = "") -> Play[Test]:
    """Test a cable-powered machine: Piloting against the costliest terrain of its path, or the cable is stuck for the next round; a
    fumble severs it."""
    return (yield from action_test(rules, pool, cost, by, "the cable"))


def cables_drag(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Test for snagged cables at the end of a round, after hard terrain (ruling: the terrain where the move ends counts)."""
    for unit in battle.units:
        wire = unit.machine.has("external power")
        if wire is None or wire.variant != "wire" or not unit.able or not unit.hexes or unit.borne or unit.way == "space":
            continue
        cost = cost_table(rules, unit.machine, unit.way, battle.place.atmosphere)[battle.field.terrain(unit.spot)] or 1
        if cost <= 1:
            continue
        test = yield from snags(rules, pool_of(rules, unit, "piloting", maneuver_of(battle, unit)), cost, unit.voice)
        if test.fumble:  # 9352: a fumble severs the cable
            yield from Tell(Tested(unit.name, "tears its power cable and has no power", test, _MOVEMENT, "bad"))
            for way in unit.machine.ways:
                unit = yield from fail(unit, way.type)
            battle = battle.put(unit)
        elif not passes(rules, test.total, test.threshold):
            yield from Tell(Tested(unit.name, "snags its power cable and cannot move for a round", test, _MOVEMENT, "bad"))
            battle = battle.change(unit.name, signs=replace(unit.signs, snagged=True))
    return battle


def unsnag(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Free the cable of a machine that stood still for a round."""
    for unit in battle.units:
        if unit.signs.snagged:
            yield from Tell(Broken(unit.name, "has freed its power cable", mood="plain"))
            battle = battle.change(unit.name, signs=replace(unit.signs, snagged=False))
    return battle


def autopilots(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Move a machine whose crew is incapacitated straight ahead at the end of a round if it has an autopilot, until something stops it."""
    for unit in battle.units:
        if unit.machine.has("autopilot") is None or unit.able or unit.destroyed or unit.gone or unit.signs.ejected or not battle.hexes:
            continue
        if unit.auxiliary("autopilot") is None or unit.way in ("air", "space", "submarine"):
            continue
        costs, spot, left = cost_table(rules, unit.machine, unit.way, battle.place.atmosphere), unit.spot, combat_speed(unit, battle.place)
        while left > 0:
            ahead = grid.neighbour((int(spot[0]), int(spot[1])), unit.facing)
            cost = costs[battle.field.terrain((float(ahead[0]), float(ahead[1])))] if battle.field.on_map(ahead) else None
            if cost is None or cost > left or any(candidate.spot == (float(ahead[0]), float(ahead[1])) for candidate in battle.units):
                break
            spot, left = (float(ahead[0]), float(ahead[1])), left - cost
        if spot != unit.spot:
            where = grid.label((int(spot[0]), int(spot[1])))
            yield from Tell(Broken(unit.name, f"goes straight ahead to {where} on autopilot", mood="plain"))
            battle = battle.change(unit.name, x=spot[0], y=spot[1])
    return battle
