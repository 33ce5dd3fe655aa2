"""Machines of several bodies come apart: what goes on to the hull when a section is lost, and what becomes of sections when the hull is
(book lines 3826-3836)."""

from msgspec.structs import replace

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
"""Ends of a combined machine that its components survive; what blows up takes them along (ruling)."""


def goes_through(rules: Ruleset, battle: Battle, shot: Shot, *, margin: int, damage: Figure, severity: Severity) -> Play[Battle]:
    """What is left of a hit that has overkilled a section strikes the hull, as damage of its own."""
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
    yield from Tell(Broken(hull.name, f"takes what is left of the hit: {NAMES[grave]}", sums, mood))
    blow = Blow(heavy=grave == "heavy", margin=max(1, margin), by=battle.unit(shot.attacker).voice, to=hull.voice)
    battle = battle.put((yield from suffer(rules, hull, grave, left, shot=on, blow=blow)))
    for follows in FOLLOWS:
        battle = yield from follows(rules, battle, on, margin=margin, damage=left, severity=grave)
    return battle


def breaks_up(rules: Ruleset, battle: Battle, shot: Shot, *, margin: int, damage: Figure, severity: Severity) -> Play[Battle]:
    """After every hit: machines of several bodies that it has destroyed come apart."""
    return (yield from come_apart(rules, battle))


FOLLOWS.extend([goes_through, breaks_up])


def come_apart(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Hulls that are destroyed break up, and hulls that have lost a section that drove them are slower. Components have what hits on the
    combined machine did to them, and are on their own once it is broken."""
    for hull in battle.units:
        if hull.machine.components and not hull.split:
            battle = yield from _combined(rules, battle, hull)
        if not hull.machine.sections:
            continue
        if hull.destroyed:
            battle = yield from _broken_up(battle, hull)
        elif hull.drawn != (after := pulling(hull, battle.sections(hull))):
            battle = yield from _slower(battle, hull, after)
    return battle


def _combined(rules: Ruleset, battle: Battle, whole: Unit) -> Play[Battle]:
    """A combined machine after a hit: its components with their dents, on the field where it holds together no longer, lost where it has
    blown up."""
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


def _slower(battle: Battle, hull: Unit, drawn: tuple[Figure, Figure]) -> Play[Battle]:
    """What drives a hull has changed: it is drawn along, and the speed is what towing leaves of it."""
    after = replace(hull, drawn=drawn)
    before, now = [(combat_speed(unit, battle.place), top_speed(unit, battle.place)) for unit in (hull, after)]
    if before != now:
        words = f"has {drawn[0]:,} kg left that drive it, and {drawn[1]:,} to draw: {now[0]} Combat and {now[1]} Top Speed"
        yield from Tell(Broken(hull.name, words))
    return battle.put(after)


def _broken_up(battle: Battle, hull: Unit) -> Play[Battle]:
    """Every section that is left goes its own way, with as many rounds of power as it has Size."""
    sections = [unit for unit in battle.sections(hull) if not unit.destroyed]
    if not sections:
        return battle
    yield from Tell(Broken(hull.name, "breaks up"))
    for section in sections:
        turns = power_left(section.machine.size)
        assert section.part is not None
        adrift = replace(section, part=replace(section.part, power=int(turns.value)), evading=False)
        battle = battle.put(adrift)
        yield from Tell(Announced(section.name, f"is on its own, with power for {turns.value} rounds", (turns.reason,)))
        if aloft(section):
            battle = yield from begin_to_fall(battle, adrift, "breaks away")
    yield from Tell(Stands(battle))
    return battle


def power_fades(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Sections on their own have a round of power less, and with the last of it they are out of the fight."""
    for unit in battle.units:
        part = unit.part
        if part is None or not part.power or unit.destroyed:
            continue
        if part.power == 1:
            yield from Tell(Broken(unit.name, "has no power left"))
        battle = battle.put(replace(unit, part=replace(part, power=part.power - 1)))
    return battle
