"""The view of a battle: cards, places and whose turn it is."""

from msgspec.structs import replace

from rulewright.build.sheet_parts import AnyPiece, Card, Place, Pool, Tag, Timeline, Track, Turn, Value
from rulewright.grammar import count, figure
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.forms.boosters import points_left
from rulewright.systems.silhouette.gunnery.shields import shield_up
from rulewright.systems.silhouette.maneuver.space import Vector
from rulewright.systems.silhouette.maneuver.speeds import combat_speed, top_speed
from rulewright.systems.silhouette.maneuver.stacking import LAND_ROOM, footprint, room
from rulewright.systems.silhouette.units.crews import actions_of
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Rider, Unit, auxiliaries
from rulewright.systems.silhouette.units.wear import DESTROYED_AT

MOST_BOXES = 40


def headline(battle: Battle) -> str:
    """The state of the battle in a line."""
    words = f"Round {battle.round}" if battle.round else "Before the first round"
    return words + (", at night" if battle.place.night else "")


def timeline(battle: Battle, names: set[str]) -> Timeline:
    """The active unit, and the units of its group that come after."""
    turns = [Turn(battle.active, battle.unit(battle.active).group, now=True)] if battle.active in names else []
    turns += [Turn(name, battle.unit(name).group) for name in battle.waiting if name in names and name != battle.active]
    return Timeline(tuple(turns), name="Activation")


def place_of(battle: Battle, unit: Unit) -> Place:
    """Where a unit is drawn, with all hexes that it occupies."""
    wide = unit.shape.stretched or (battle.hexes and room(battle.cell) == LAND_ROOM)
    covers = footprint(unit, battle.hexes)[1:] if wide else ()
    size = float(min(1.0, 0.35 + float(unit.machine.size) / 40))
    return Place(unit.x, unit.y, unit.altitude, unit.facing, size, covers, name=unit.name)


def unit_card(rules: Ruleset, battle: Battle, unit: Unit, friend: bool) -> Card:
    """A unit's card as far as the viewer may know: of enemies only what is visible."""
    machine, wear = unit.machine, unit.wear
    pieces: list[AnyPiece] = []
    armor = int(machine.armor)
    lost = min(armor, wear.armor)  # another form may have had more of it to lose
    if friend and 0 < armor <= MOST_BOXES:
        pieces.append(Track(armor, ("x",) * lost, name="Armor", rule="sil-5.5.2-extra-damage"))
    elif friend:
        pieces.append(Pool(armor - lost, armor, name="Armor", rule="sil-5.5.2-extra-damage"))
    pieces.append(Tag(name=machine.name))
    if friend:
        pieces.extend(_own_side_tags(rules, battle, unit))
    pieces.extend(_visible_tags(battle, unit, friend))
    pieces.extend(_condition_tags(unit, friend))
    return Card(unit.name, unit.side, tuple(pieces), not unit.able)


def _condition_tags(unit: Unit, friend: bool) -> list[AnyPiece]:
    """The conditions of a unit: those that anyone sees, and those that its own side knows."""
    signs = unit.signs
    seen = (
        ("prone", signs.prone and not signs.hull_down, "", "sil-5.6.6-knockdown"),
        ("hull-down", bool(signs.hull_down), "fully" if signs.hull_down > 1 else "", "sil-5.6.3-hull-down"),
        ("burning", bool(signs.burning), str(signs.burning), "sil-6.2.6-vehicles-fire"),
        ("held", bool(signs.held), str(signs.held), "sil-f-system-perks"),
        ("searchlight on", signs.searchlight, "", "sil-5.6.5-night"),
        ("taking in water", bool(signs.floods), "", "sil-5.5.2-flooding"),
        ("crew ejected", signs.ejected, "", "sil-5.5.3-ejection"),
        ("stretched", bool(unit.shape.stretched), f"over {count(unit.shape.stretched, 'hex')}, cannot move", "sil-4.3.9-nano-morphable"),
        ("dragged", signs.hauled is not None, "", "sil-f-system-perks"),
        ("berserk", bool(signs.berserk), f"attacks {signs.berserk}", "sil-d-thought-interface"),
        *[
            (f"{unit.arm_name(arm)} up", True, "", "sil-f-system-perks")
            for arm in range(len(unit.arms))
            if unit.version(arm).perk("energy shield") is not None and shield_up(unit, arm)
        ],
    )
    own = (
        ("poisoned by an agent", bool(signs.sick), f"-{signs.sick}", "sil-f-system-perks"),
        ("shut down", bool(signs.shut), "no power" if signs.shut > 50 else count(signs.shut, "round"), "sil-e-negative-features"),
        ("running hot", bool(signs.strained), count(signs.strained, "round"), "sil-e-negative-features"),
        ("cable stuck", signs.snagged, "", "sil-e-movement-flaws"),
        ("catatonia in", bool(signs.fading), count(signs.fading, "round"), "sil-d-thought-interface"),
        ("power booster", bool(points_left(unit)), count(points_left(unit), "point"), "sil-d-accessories"),
        *[(f"boosted {what}", True, f"+{more}", "sil-d-accessories") for what, more in signs.surge],
        *[
            (f"{unit.arm_name(arm)} folded in", not state.switched, "", "sil-f-system-perks")
            for arm, state in enumerate(unit.arms)
            if unit.version(arm).perk("concealed") is not None
        ],
        *[
            (f"{unit.arm_name(arm)} worn", True, f"-{state.worn}", "sil-f-system-perks")
            for arm, state in enumerate(unit.arms)
            if state.worn
        ],
        *[
            (f"absorbed from {candidate.source}", True, f"{figure(candidate.kg)} kg", "sil-4.3.9-nano-absorption")
            for candidate in unit.shape.taken
        ],
        ("blinded", bool(signs.blinded), count(signs.blinded, "round"), "sil-f-system-perks"),
        ("ready in", bool(signs.ready), count(signs.ready, "round"), "sil-5.6.1-airdrop"),
        ("towed array", bool(signs.array), f"{figure(signs.array)} km", "sil-5.3.2-towed-array"),
        *[(f"{unit.arm_name(arm)} jammed", True, "", "sil-g-system-flaws") for arm in signs.jammed],
        *[(f"{unit.arm_name(arm)} hot", True, "", "sil-g-system-flaws") for arm, _ in signs.hot],
    )
    return [Tag(text, True, name=name, rule=rule) for name, holds, text, rule in (*seen, *(own if friend else ())) if holds]


def _own_side_tags(rules: Ruleset, battle: Battle, unit: Unit) -> list[AnyPiece]:
    """Lists what only its own side knows of a unit: actions, speed, ammunition, damage."""
    actions = actions_of(rules, replace(unit, extra=0, ordered=0, stunned=0))
    steppers: list[AnyPiece] = [
        Value(key="actions", value=actions.value, reasons=actions.reasons, name="actions a round", rule="sil-5.1.1-actions")
    ]
    if unit.used:
        steppers.append(Tag(name=f"{count(unit.used, 'action')} used", rule="sil-5.1.1-actions"))
    if unit.stunned or unit.owed:
        steppers.append(Tag(name=f"crew stunned: {count(unit.stunned + unit.owed, 'action')} less", rule="sil-5.5.1-systems-damage"))
    if unit.ordered:
        steppers.append(Tag(name=f"{count(unit.ordered, 'action')} more by Command Points", rule="sil-5.1.1-command-points"))
    if unit.moving is not None:
        speed = f"Combat {combat_speed(unit, battle.place)}, Top {top_speed(unit, battle.place)}"
        steppers.append(Tag(speed, bool(wear_of(unit)), name=f"{unit.way} MP", rule="sil-5.2.1-combat-speed"))
    if unit.wear.maneuver:
        steppers.append(Tag(f"-{unit.wear.maneuver}", True, name="Maneuver", rule="sil-5.5.1-systems-damage"))
    if unit.way == "space" and unit.machine.burn_points:
        left_to_burn = max(0, unit.machine.burn_points - unit.course.burned)
        steppers.append(Pool(left_to_burn, unit.machine.burn_points, name="Burn Points", rule="sil-5.2.3-vectors"))
    if unit.course.load:
        steppers.append(Tag(f"{figure(unit.course.load)} kg", name="load", rule="sil-5.2.2-air-towing"))
    for at, arm in enumerate(unit.arms):
        uses = unit.version(at).uses
        name = unit.arm_name(at)
        if arm.broken:
            steppers.append(Tag("destroyed", True, name=name, rule="sil-5.5.1-systems-damage"))
        elif uses:
            steppers.append(Pool(arm.left[arm.mode], uses, name=name))
        if arm.accuracy and not arm.broken:
            steppers.append(Tag(f"Accuracy -{arm.accuracy}", True, name=f"{name}, damaged", rule="sil-5.5.1-systems-damage"))
    for name, lost in zip(auxiliaries(unit.machine), unit.wear.auxiliaries, strict=False):
        if lost:
            steppers.append(Tag("destroyed" if lost >= DESTROYED_AT else f"-{lost}", True, name=name, rule="sil-5.5.1-systems-damage"))
    lost_crew = unit.crew.lost + unit.crew.lost_passengers
    if lost_crew:
        steppers.append(Tag(str(lost_crew), True, name="casualties", rule="sil-5.5.1-systems-damage"))
    return steppers


def wear_of(unit: Unit) -> tuple[object, ...]:
    """Returns what slows a unit."""
    return (*unit.wear.slowed, *unit.wear.failed)


def _visible_tags(battle: Battle, unit: Unit, friend: bool) -> list[AnyPiece]:
    """Lists what anyone who sees a unit can see of it."""
    states = [
        (f"destroyed ({unit.wear.destroyed})", unit.destroyed),
        ("split", unit.split),
        ("has surrendered", unit.surrendered),
        ("has left the field", unit.gone and not unit.split and not unit.surrendered),
        ("nobody at the controls", not unit.destroyed and not unit.gone and not unit.manned),
        (
            f"power for {count(unit.part.power or 0, 'round')}" if unit.part is not None else "",
            unit.part is not None and bool(unit.part.power) and not unit.destroyed,
        ),
        ("no power", unit.part is not None and unit.part.power == 0 and not unit.destroyed),
        (f"{sum([candidate.hands for candidate in unit.ashore])} of the crew left behind on foot", bool(unit.ashore) and friend),
        (f"{unit.crew.crossing} of the crew in transfer", unit.crew.crossing > 0 and friend),
        ("Top Speed", unit.speed == "top" or unit.shifting == "top"),
        ("evading", unit.evading and friend),
        (count(unit.extra, "extra action"), unit.extra > 0 and friend),
        (f"tows {unit.tows}", bool(unit.tows)),
        *_movement_tags(unit),
        ("has moved", unit.moved),
    ]
    return [Tag(name=name) for name, holds in states if holds]


def _movement_tags(unit: Unit) -> list[tuple[str, bool]]:
    """How a unit flies, dives or drifts, as anyone can see it."""
    course = unit.course
    return [
        (f"altitude level {unit.altitude}", unit.way == "air" and not course.landed),
        ("on the ground", unit.way == "air" and course.landed),
        (f"depth level {-unit.altitude}", unit.way == "submarine" and unit.altitude < 0),
        ("on the surface", unit.way == "submarine" and unit.altitude == 0),
        ("tanks flushed", course.surfacing or course.flushed > 0),
        (f"vector {Vector(*course.vector)}", unit.way == "space"),
        ("falls", course.falling > 0),
        (f"diving {count(course.dive, 'level')} a round", course.dive > 0),
        (f"gliding at speed {course.glide}", course.glide is not None),
        (f"re-entry, round {course.reentry} of 20", course.reentry > 0),
    ]


def person_card(rules: Ruleset, battle: Battle, unit: Unit, friend: bool) -> Card:
    """The card of a person on foot: their body and what they carry."""
    body, carried = rider_card(unit, unit.riders[0]), unit_card(rules, battle, unit, friend)
    own = [piece for piece in body.pieces if piece.name != f"aboard {unit.name}"]
    more = [piece for piece in carried.pieces if piece.name not in ("Armor", unit.machine.name)]
    return Card(unit.name, unit.side, (*own, Tag(name="on foot"), *more), not unit.able)


def rider_card(unit: Unit, rider: Rider) -> Card:
    """The card of a character aboard."""
    body = rider.body
    wounds = ("d",) * (2 * body.deep) + ("f",) * body.flesh
    states = [
        ("dead", body.dead),
        ("in a coma", body.coma),
        ("unconscious", body.unconscious != 0 and not body.dead),
        (f"aboard {unit.name}", True),
    ]
    tags = [Tag(name=name) for name, holds in states if holds]
    return Card(
        rider.name, unit.side, (Track(body.system_shock, wounds, name="System Shock", rule="sil-2.3.3-system-shock"), *tags), not body.able
    )
