"""Machines that strain themselves and their crews: shutdowns, overheating, minds on an interface, cables, what lives on air (book lines
9061, 9286-9310, 9330-9338, 9372-9380)."""

from msgspec.structs import replace

from rulewright.field.geometry import hexes as grid
from rulewright.play import Play, Roll, Tell, sub
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, less, term, total
from rulewright.systems.silhouette.battle.damage.agents import laid_low
from rulewright.systems.silhouette.battle.sensors.sightings import names_of
from rulewright.systems.silhouette.breakage.damage import PLAIN, Severity, hull_after
from rulewright.systems.silhouette.breakage.events import Broken, Tested
from rulewright.systems.silhouette.breakage.systems import Blow, fail, systems_damage
from rulewright.systems.silhouette.gunnery.attacks import FOLLOWS, maneuver_of
from rulewright.systems.silhouette.gunnery.shields import Shot
from rulewright.systems.silhouette.harm.damage import stay_conscious
from rulewright.systems.silhouette.machines.design.crews import crew_actions
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.machines.design.trait_effects import figure
from rulewright.systems.silhouette.maneuver.speeds import combat_speed
from rulewright.systems.silhouette.maneuver.terrain import cost_table
from rulewright.systems.silhouette.resolution.tests import DIE, Pool, Test, action_test, attribute_pool, passes
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
    """The rating of a Perk or Flaw of a unit; 0 where it has none."""
    own = unit.machine.has(name)
    return (own.rating or 0) if own is not None else 0


# --- it shuts down ---------------------------------------------------------------------------------------------------------------------


@rule(_NEGATIVE)
def shuts_down(rules: Ruleset, rating: int = 1, by: str = "") -> Play[int]:
    """Whether a machine given to it shuts down in a round: two dice against its rating and one, or still for a die of rounds. 0: it
    goes on."""
    test = yield from action_test(rules, Pool(2, hero=False), rating + 1, by, "whether it shuts down")
    if passes(rules, test.total, test.threshold):
        return 0
    return (yield from Roll(DIE, by, "rounds of standstill"))


def shutdowns(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """At the beginning of a round what shuts down at random may do so."""
    for unit in battle.units:
        if unit.machine.has("random shutdown") is None or not unit.able or unit.signs.shut:
            continue
        rounds = yield from sub(shuts_down, rules, rating_of(unit, "random shutdown"), unit.voice)
        if rounds:
            words = f"shuts down, and does nothing for {rounds} round{'' if rounds == 1 else 's'}"
            yield from Tell(Broken(unit.name, words, (Reason("rounds", rounds, "=", _NEGATIVE),)))
            battle = battle.change(unit.name, signs=replace(unit.signs, shut=rounds))
    return battle


# --- it overheats ----------------------------------------------------------------------------------------------------------------------


@rule(_NEGATIVE)
def overheats(rules: Ruleset, rounds: int, extreme: bool = False) -> Severity:
    """What straining itself for so many rounds on end does to a machine that overheats: Light Damage after three, Heavy after five; where
    it is extreme after one (a stand-in) and three."""
    light, heavy = ("extreme light", "extreme heavy") if extreme else ("light", "heavy")
    if rounds == figure(rules, "overheating", heavy, flaw=True):
        return "heavy"
    return "light" if rounds == figure(rules, "overheating", light, flaw=True) else "none"


def strains(unit: Unit) -> bool:
    """Whether a machine has strained itself this round: moved and fired, fired three weapons, or used thrust."""
    weapons = sum([1 for arm in unit.arms if arm.fired])
    return bool((unit.hexes and weapons) or weapons >= 3 or (unit.way == "space" and unit.spent))


def heat_builds(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """At the end of a round machines that overheat are a round hotter, or cool down."""
    for unit in battle.units:
        flaw = unit.machine.has("overheating")
        if flaw is None or unit.destroyed or unit.gone:
            continue
        rounds = unit.signs.strained + 1 if strains(unit) else 0
        if rounds != unit.signs.strained:
            words = f"has run hot for {rounds} round{'' if rounds == 1 else 's'}" if rounds else "has cooled down"
            yield from Tell(Broken(unit.name, words, mood="plain", known_to=names_of(battle, unit.side)))
        severity = overheats(rules, rounds, flaw.variant == "extreme") if rounds else "none"
        unit = replace(unit, signs=replace(unit.signs, strained=0 if severity == "heavy" else rounds))
        if severity != "none":
            sums = (Reason("rounds of strain on end", rounds, "=", _NEGATIVE),)
            yield from Tell(Broken(unit.name, f"overheats: {severity} damage", sums))
            unit = hull_after(rules, unit, severity, PLAIN)
            unit = yield from sub(systems_damage, rules, unit, Blow(heavy=severity == "heavy", to=unit.voice, by=unit.voice))
        battle = battle.put(unit)
    return battle


# --- minds on an interface ---------------------------------------------------------------------------------------------------------------


def linked_actions(rules: Ruleset, unit: Unit) -> int:
    """Actions that a thought interface gives."""
    return max(0, int(unit.machine.actions - crew_actions(rules, unit.machine.crew).value))


def _mind(unit: Unit, what: str) -> int:
    """Willpower or Psyche of whoever is linked: the first character of the crew; 0 for the nameless."""
    rider = next((able_rider for able_rider in unit.able_riders if able_rider.seat == "crew"), None)
    return 0 if rider is None else rider.body.willpower if what == "Willpower" else rider.psyche


@rule(_THOUGHT)
def mind_test(rules: Ruleset, threshold: int, attribute: int = 0, name: str = "Willpower", by: str = "") -> Play[Test]:
    """A mind is held against an interface: Willpower or Psyche against what the interface asks."""
    return (yield from action_test(rules, attribute_pool(rules, attribute, name), threshold, by, f"{name} against the interface"))


def minds_link(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """At the beginning of a round: invasive interfaces are borne once, mind links every round."""
    for unit in battle.units:
        if unit.machine.has("thought interface") is None or not unit.able:
            continue
        if unit.machine.has("invasive interface") is not None and (battle.round == 1 or unit.signs.fading):
            battle = yield from _invaded(rules, battle, unit)
        unit = battle.unit(unit.name)
        if unit.machine.has("mind link") is not None and unit.able:
            test = yield from mind_test(rules, rating_of(unit, "mind link"), _mind(unit, "Willpower"), "Willpower", unit.voice)
            if not passes(rules, test.total, test.threshold) or test.fumble:
                words = f"loses the mind link: {'a stray thought' if test.fumble else 'no actions of the interface'}"
                yield from Tell(Tested(unit.name, words, test, _THOUGHT, "bad"))
                battle = battle.change(unit.name, stunned=unit.stunned + linked_actions(rules, unit))
            else:
                yield from Tell(Tested(unit.name, "holds the mind link", test, _THOUGHT))
    return battle


def _invaded(rules: Ruleset, battle: Battle, unit: Unit) -> Play[Battle]:
    if unit.signs.fading:
        left = unit.signs.fading - 1
        unit = replace(unit, signs=replace(unit.signs, fading=left))
        if not left:
            yield from Tell(Broken(unit.name, "the crew on the interface falls into catatonia"))
            unit = laid_low(unit)
        return battle.put(unit)
    test = yield from mind_test(rules, rating_of(unit, "invasive interface"), _mind(unit, "Psyche"), "Psyche", unit.voice)
    if passes(rules, test.total, test.threshold) and not test.fumble:
        yield from Tell(Tested(unit.name, "bears the interface", test, _THOUGHT))
        return battle
    if test.fumble:
        yield from Tell(Tested(unit.name, "is overwhelmed by the interface: the crew is knocked out", test, _THOUGHT, "bad"))
        return battle.put(laid_low(unit))
    rounds = yield from Roll(DIE, unit.voice, "rounds until catatonia")
    words = f"is overwhelmed by the interface: catatonia in {rounds} round{'' if rounds == 1 else 's'}"
    yield from Tell(Tested(unit.name, words, test, _THOUGHT, "bad"))
    return battle.change(unit.name, signs=replace(unit.signs, fading=rounds))


@rule(_THOUGHT)
def feedback(severity: Severity, before: int = 0) -> Derived[int]:
    """What damage to the machine costs on the Knockout test of who is linked without a shield: 1 at Light, 2 at Heavy Damage, and 1 more
    for each test before it in the same turn."""
    harm = {"light": -1, "heavy": -2}.get(severity, 0)
    return total("Knockout test", term(severity, harm), less("tests before it this turn", before), rule=_THOUGHT)


def feeds_back(rules: Ruleset, battle: Battle, shot: Shot, *, margin: int, damage: Figure, severity: Severity) -> Play[Battle]:
    """An interface without a shield lets damage through to the mind; a sentient machine must be mastered when it is hurt."""
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
        test = yield from mind_test(rules, rating_of(unit, "sentient interface"), _mind(unit, "Willpower"), "Willpower", unit.voice)
        wild = not passes(rules, test.total, test.threshold) or test.fumble
        words = f"goes berserk, and turns on {shot.attacker}" if wild else "is kept in hand"
        yield from Tell(Tested(unit.name, words, test, _THOUGHT, "bad" if wild else "plain"))
        if wild:
            battle = battle.change(unit.name, signs=replace(unit.signs, berserk=shot.attacker))
    return battle


# --- power and air -----------------------------------------------------------------------------------------------------------------------


def cut_off(rules: Ruleset, battle: Battle, shot: Shot, *, margin: int, damage: Figure, severity: Severity) -> Play[Battle]:
    """A collector that is shot away ends a machine's power; life support that fails where nobody can breathe takes everybody aboard out."""
    unit = battle.unit(shot.target)
    if severity not in ("light", "heavy") or unit.destroyed or not unit.able:
        return battle
    beam = unit.machine.has("external power")
    if beam is not None and beam.variant == "beamed" and not unit.has("external power") and not unit.signs.shut:
        yield from Tell(Broken(unit.name, "its collector is gone: no power is left"))
        unit = replace(unit, signs=replace(unit.signs, shut=999))
    if unit.machine.has("life support") is not None and unit.auxiliary("life support") is None and hostile(battle, unit):
        yield from Tell(Broken(unit.name, "life support fails, and everybody aboard is busy staying alive"))
        unit = laid_low(unit)
    return battle.put(unit)


def hostile(battle: Battle, unit: Unit) -> bool:
    """Whether nobody could live outside a machine: in space, under water, without air."""
    return unit.way == "space" or unit.altitude < 0 or battle.place.atmosphere < 0.2


FOLLOWS.extend([feeds_back, cut_off])


@rule(_MOVEMENT)
def snags(rules: Ruleset, pool: Pool, cost: int, by: str = "") -> Play[Test]:
    """A machine that is fed by wire: Piloting against the dearest ground of its way, or the cable is stuck for the next round; a fumble
    severs it."""
    return (yield from action_test(rules, pool, cost, by, "the cable"))


def cables_drag(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """At the end of a round what hangs on a cable and has gone over hard ground may be snagged (ruling: the ground it ends on counts)."""
    for unit in battle.units:
        wire = unit.machine.has("external power")
        if wire is None or wire.variant != "wire" or not unit.able or not unit.hexes or unit.borne or unit.way == "space":
            continue
        cost = cost_table(rules, unit.machine, unit.way, battle.place.atmosphere)[battle.field.terrain(unit.spot)] or 1
        if cost <= 1:
            continue
        test = yield from snags(rules, pool_of(rules, unit, "piloting", maneuver_of(battle, unit)), cost, unit.voice)
        if test.fumble:
            yield from Tell(Tested(unit.name, "tears its cable: no power is left", test, _MOVEMENT, "bad"))
            for way in unit.machine.ways:
                unit = yield from fail(unit, way.type)
            battle = battle.put(unit)
        elif not passes(rules, test.total, test.threshold):
            yield from Tell(Tested(unit.name, "has its cable stuck, and stands still for a round", test, _MOVEMENT, "bad"))
            battle = battle.change(unit.name, signs=replace(unit.signs, snagged=True))
    return battle


def unsnag(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Who has stood still for a round has the cable free again."""
    for unit in battle.units:
        if unit.signs.snagged:
            yield from Tell(Broken(unit.name, "has its cable free again", mood="plain"))
            battle = battle.change(unit.name, signs=replace(unit.signs, snagged=False))
    return battle


def autopilots(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """At the end of a round a machine whose crew is out of it goes straight on where it has an autopilot, as far as nothing stops it."""
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
            yield from Tell(Broken(unit.name, f"goes straight on to {where}, on its autopilot", mood="plain"))
            battle = battle.change(unit.name, x=spot[0], y=spot[1])
    return battle
