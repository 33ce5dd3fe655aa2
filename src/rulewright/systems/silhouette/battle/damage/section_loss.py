"""Loss of sections: damage that passes on to the hull, and what happens to sections when the hull is destroyed
(book lines 3826-3836)."""

from msgspec.structs import replace

from rulewright.grammar import count, figure
from rulewright.play import Play, Stands, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.forms.splitting_machines import apart_words, come_apart_at, components, spots_for
from rulewright.systems.silhouette.battle.movement.aircraft import begin_to_fall
from rulewright.systems.silhouette.breakage.damage import NAMES, Severity
from rulewright.systems.silhouette.breakage.events import Broken
from rulewright.systems.silhouette.breakage.systems import Blow
from rulewright.systems.silhouette.gunnery.attacks import FOLLOWS, suffer, weighed
from rulewright.systems.silhouette.gunnery.shields import Shot, armor_here
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.machines.special import carried_over, power_left
from rulewright.systems.silhouette.maneuver.course_limits import aloft
from rulewright.systems.silhouette.maneuver.speeds import combat_speed, top_speed
from rulewright.systems.silhouette.units.parts import pulling
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

SPLITS = ("overkill", "structure")
"""Ends of a combined machine that its components survive; an explosion destroys them too (ruling)."""


def goes_through(rules: Ruleset, battle: Battle, shot: Shot, *, margin: int, damage: Figure, severity: Severity) -> Play[Battle]:
    """Apply to the hull what is left of a hit that overkilled a section."""
    section = battle.unit(shot.target)
    if severity != "overkill" or section.part is None or not section.borne:
        return battle
    hull = battle.bearer(section)
    armor = armor_here(battle, section, shot).value
    rest = carried_over(armor, damage) if armor > 0 else None
    left = damage if rest is None else rest.value
    if left <= 0 or hull.destroyed:
        return battle
    on = replace(shot, target=hull.name, location="", guard="", taken=0)
    grave, met = weighed(rules, battle, hull, on, left)
    sums = (*((rest.reason,) if rest is not None else ()), *met)
    mood = "plain" if grave == "none" else "bad"
    yield from Tell(Broken(hull.name, f"takes the rest of the hit: {NAMES[grave]}", sums, mood))
    blow = Blow(heavy=grave == "heavy", margin=max(1, margin), by=battle.unit(shot.attacker).voice, to=hull.voice)
    battle = battle.put((yield from suffer(rules, hull, grave, left, shot=on, blow=blow)))
    for follows in FOLLOWS:
        battle = yield from follows(rules, battle, on, margin=margin, damage=left, severity=grave)
    return battle


def breaks_up(rules: Ruleset, battle: Battle, shot: Shot, *, margin: int, damage: Figure, severity: Severity) -> Play[Battle]:
    """After every hit: split machines of several bodies that it destroyed."""
    return (yield from come_apart(rules, battle))


FOLLOWS.extend([goes_through, breaks_up])


def come_apart(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Break up destroyed hulls, and slow down hulls that lost a driving section. Components carry the damage that hits on the
    combined machine did to them, and act on their own once it is broken."""
    for hull in battle.units:
        if hull.machine.components and not hull.split:
            battle = yield from _update_combined(rules, battle, hull)
        if not hull.machine.sections:
            continue
        if hull.destroyed:
            battle = yield from _break_up(battle, hull)
        elif hull.drawn != (after := pulling(hull, battle.sections(hull))):
            battle = yield from _slow_hull(battle, hull, after)
    return battle


def _update_combined(rules: Ruleset, battle: Battle, whole: Unit) -> Play[Battle]:
    """Update a combined machine after a hit: its components take their damage, appear on the field if it broke apart, and are lost if
    it blew up."""
    if whole.dents:
        named = dict(
            zip([body.name for body in whole.machine.components], [candidate.name for candidate in components(battle, whole)], strict=True)
        )
        for body, points in whole.dents:
            component = battle.unit(named[body])
            battle = battle.put(replace(component, wear=replace(component.wear, armor=component.lost_with(points))))
        whole = replace(whole, dents=())
        battle = battle.put(whole)
    if not whole.destroyed:
        return battle
    if whole.wear.destroyed not in SPLITS:
        for component in components(battle, whole):
            battle = battle.put(replace(component, wear=replace(component.wear, destroyed=whole.wear.destroyed)))
        return battle
    yield from Tell(Announced(whole.name, apart_words(battle, whole)))
    battle = come_apart_at(battle, whole, spots_for(rules, battle, whole) or {})
    for component in components(battle, whole):
        if aloft(whole) and component.way != "air":
            battle = yield from begin_to_fall(battle, replace(battle.unit(component.name), way="air"), "breaks away")
    yield from Tell(Stands(battle))
    return battle


def _slow_hull(battle: Battle, hull: Unit, drawn: tuple[Figure, Figure]) -> Play[Battle]:
    """Recompute the speed of a hull whose driving sections changed: the speed is what towing leaves of it."""
    after = replace(hull, drawn=drawn)
    before, now = [(combat_speed(unit, battle.place), top_speed(unit, battle.place)) for unit in (hull, after)]
    if before != now:
        words = f"drags {figure(drawn[1])} kg with {figure(drawn[0])} kg of driving sections: Combat Speed {now[0]}, Top Speed {now[1]}"
        yield from Tell(Broken(hull.name, words))
    return battle.put(after)


def _break_up(battle: Battle, hull: Unit) -> Play[Battle]:
    """Send every remaining section on its own way, with as many rounds of power as it has Size."""
    sections = [unit for unit in battle.sections(hull) if not unit.destroyed]
    if not sections:
        return battle
    yield from Tell(Broken(hull.name, "breaks up"))
    for section in sections:
        turns = power_left(section.machine.size)
        assert section.part is not None
        adrift = replace(section, part=replace(section.part, power=int(turns.value)), evading=False)
        battle = battle.put(adrift)
        yield from Tell(Announced(section.name, f"is on its own, with power for {count(turns.value, 'round')}", (turns.reason,)))
        if aloft(section):
            battle = yield from begin_to_fall(battle, adrift, "breaks away")
    yield from Tell(Stands(battle))
    return battle


def power_fades(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Reduce the power of sections on their own by a round; at zero they are out of the fight."""
    for unit in battle.units:
        part = unit.part
        if part is None or not part.power or unit.destroyed:
            continue
        if part.power == 1:
            yield from Tell(Broken(unit.name, "has no power left"))
        battle = battle.put(replace(unit, part=replace(part, power=part.power - 1)))
    return battle
