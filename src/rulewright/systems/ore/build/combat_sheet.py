"""The combat part of a character sheet: health, weapons and armour; and its audit."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.build.audit import Problem, Repair, without_key, without_place
from rulewright.build.sheet_parts import AnyPiece, Choosable, Modifier, Pick, Rows, Section, Tag, Test, Track, Value
from rulewright.errors import UserError
from rulewright.grammar import the
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.systems.ore.combat.abilities import pool_for
from rulewright.systems.ore.combat.fighters import Fighter
from rulewright.systems.ore.combat.profiles import hardened, in_trained_hands, resistances
from rulewright.systems.ore.fight.entry_state import as_left, nonsense
from rulewright.systems.ore.fight.feats.effects import weapon_words
from rulewright.systems.ore.fight.initiative import rolls_initiative
from rulewright.systems.ore.fight.penalties import height_lost, hindering
from rulewright.systems.ore.fight.resolution.gunfire import gone
from rulewright.systems.ore.gear.armour import (
    CLASSES,
    SHIELDS,
    STRONGER,
    Hit,
    Piece,
    Protection,
    athletic_difficulty,
    encumbered,
    encumbrance,
    piece_of,
    protection,
    worn,
)
from rulewright.systems.ore.gear.armoury import ranges_of, weapon_named
from rulewright.systems.ore.gear.firearms import FIREARMS, recoil
from rulewright.systems.ore.gear.missiles import can_draw
from rulewright.systems.ore.gear.weapons import BARE_HANDS, MELEE, Weapon, hands_needed
from rulewright.systems.ore.harm.body import Abstract, AnyBody, Located, Vital, fresh
from rulewright.systems.ore.harm.locations import ARMS, LOCATIONS
from rulewright.systems.ore.harm.wounds import wound_threshold
from rulewright.systems.ore.people.characters import Character, Person
from rulewright.systems.ore.people.feat_effects import RULE, Try, feats_of, helps, with_help
from rulewright.systems.ore.people.pools import usable_pool
from rulewright.systems.ore.resolution.notation import spell
from rulewright.systems.ore.resolution.tests import NO_EDGE

MOST_WEAPONS = 12
EVERYWHERE = "all"
"""The key for all locations in a file."""


# --- what is wrong ------------------------------------------------------------------------------------------------------------


def problems(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Unknown weapons and armour, with repairs."""
    for place, written in enumerate(character.weapons):
        try:
            if place >= MOST_WEAPONS:
                raise UserError(f"a character carries at most {MOST_WEAPONS} weapons")
            weapon_named(rules, written)
        except UserError as error:
            drop = Repair("remove it", *without_place("weapons", character.weapons, place))
            yield Problem("ore-4.09b-sample-melee-weapons", f"weapons.{place}", str(error), repair=drop)
    for place_of, written in character.armour.items():
        try:
            worn(rules, {place_of: written})
        except UserError as error:
            drop = Repair("remove it", *without_key("armour", character.armour, place_of))
            yield Problem("ore-4.08-armour", f"armour.{place_of}", str(error), repair=drop)
    for field, message in nonsense(rules, character).items() if character.condition else ():
        drop = Repair("remove it", *without_key("condition", character.condition, field))
        yield Problem("ore-4.07-health-boxes", f"condition.{field}", message, repair=drop)


# --- what there is to see -----------------------------------------------------------------------------------------------------


def sections(rules: Ruleset, character: Character, person: Person) -> tuple[Section, ...]:
    """Health, weapons and armour; unreadable entries are left to the audit."""
    left = as_left(rules, character)
    body = left.body if left is not None else hardened(rules, fresh(rules, max(1, person.statistic("body"))), feats_of(person.feats))
    protected = replace(_worn(rules, character), natural=resistances(rules, person))
    return (
        Section("Health", (*health_pieces(rules, body), *_left(rules, left), *_fighting(rules, person, protected))),
        Section("Weapons", tuple(_weapons(rules, character, person, left))),
        Section("Armour worn", tuple(_pieces_worn(rules, character)), only="screen"),
        Section("Armour", tuple(_armour(rules, protected))),
    )


def _worn(rules: Ruleset, character: Character) -> Protection:
    fits = {}
    for place, written in character.armour.items():
        try:
            worn(rules, {place: written})
        except UserError:
            continue
        fits[place] = written
    return worn(rules, fits, character.shield, character.shield_arm)


def health_pieces(rules: Ruleset, body: AnyBody) -> Iterator[AnyPiece]:
    """The boxes of the campaign's damage system."""
    if isinstance(body, Located):
        for part in body.parts:
            marks = ("x",) * part.kill + ("/",) * part.shock
            yield Track(part.boxes, marks, name=part.location.capitalize(), rule="ore-4.07-health-boxes")
    elif isinstance(body, Vital):
        for name, boxes, lost in (
            ("Kill Boxes", body.kill_boxes, ("x",) * body.kill_lost),
            ("Vital Boxes", body.vital_boxes, ("x",) * body.vital_lost),
            ("Shock Boxes", body.vital_boxes, ("/",) * body.shock_lost),
        ):
            yield Track(boxes, lost, name=name, rule="ore-4.07-opt06-vital")
        terms = (("Body", body.statistic), ("feats", body.steadier))
        yield _value("Shock per box", "shock_for_a_box", body.statistic + body.steadier, "ore-4.07-opt06-vital", *terms)
    elif isinstance(body, Abstract):
        yield Track(3, ("x",) * body.down_boxes, name="Down Boxes", rule="ore-4.07-opt07-boxes")
        yield Track(3, ("x",) * body.out_boxes, name="Out Boxes", rule="ore-4.07-opt07-boxes")
        if body.injuries:
            yield Tag(body.record(), hurt=True, name="injuries", rule="ore-4.07-opt07-recording")
        terms = (("always", 4), ("Body", body.statistic))
        yield _value("Health Threshold", "health_threshold", body.health_threshold, "ore-4.07-opt07-abstract", *terms)
    if rules.on("wounds"):
        limit = wound_threshold(rules, body.statistic)
        terms = ((f"Body {body.statistic}", limit), ("feats", body.threshold))
        yield _value("Wound Threshold", "wound_threshold", limit + body.threshold, "ore-4.07-opt09-wounds", *terms)


def _left(rules: Ruleset, left: Fighter | None) -> Iterator[AnyPiece]:
    """Lasting results: Wounds, tiredness, spent points, and their penalties."""
    if left is None:
        return
    body = left.body
    hindrance, lost_height = hindering(rules, left), height_lost(rules, left)
    if hindrance or lost_height:
        said = [f"{mod.label} {mod.dice}d" for mod in hindrance] + ([f"Height -{lost_height}"] if lost_height else [])
        yield Tag(", ".join(said), hurt=True, name="every roll", rule="ore-4.07-kill-and-shock")
    for wound in body.wounds:
        yield Tag("bleeding" if wound.bleeding else "staunched", hurt=True, name=f"Wound, {wound.location}", rule="ore-4.07-opt09-wounds")
    if left.stamina.boxes:
        yield Tag(left.stamina.state, hurt=True, name="weary", rule="ore-4.09b-opt19-endurance")
    for name, rating, points in (
        ("drama points", "action hero", body.drama),
        ("lucky", "lucky", body.luck),
        ("hard to kill", "hard to kill", body.ignores),
    ):
        if any(own.name == rating for own in left.profile.training.advantages):
            yield Tag(f"{points} left", name=name)


def _fighting(rules: Ruleset, person: Person, protected: Protection) -> Iterator[AnyPiece]:
    """Initiative and encumbrance."""
    if not rolls_initiative(rules):
        insight = person.statistic("insight")
        yield _value("Initiative", "initiative", insight, "ore-4.02-initialisation", ("Insight", insight))
    weight = encumbrance(rules, protected)
    if weight.value:
        yield Value(name="Encumbrance", rule="ore-4.08-opt13-encumbrance", key="encumbrance", value=weight.value, reasons=weight.reasons)
        level = person.has("armour conditioning")
        difficulty = athletic_difficulty(weight.value, level)
        terms = (("Encumbrance", weight.value), ("Armour Conditioning", -level))
        yield _value("Athletic Difficulty", "athletic_difficulty", difficulty, "ore-4.08-opt13-encumbrance", *terms)
        if encumbered(weight.value, person.statistic("body")):
            yield Tag("cannot swim and gets tired", hurt=True, name="encumbered", rule="ore-4.08-opt13-encumbrance")


def _value(name: str, key: str, value: int, rule: str, *terms: tuple[str, int]) -> Value:
    return Value(
        name=name, rule=rule, key=key, value=value, reasons=tuple([Reason(label, number, "+", rule) for label, number in terms if number])
    )


def _weapons(rules: Ruleset, character: Character, person: Person, left: Fighter | None) -> Iterator[AnyPiece]:
    """An attack with every weapon, and parries."""
    yield Rows(
        name="Carried",
        rule="ore-4.09b-sample-melee-weapons",
        field="weapons",
        heads=("weapon",),
        rows=tuple([(written,) for written in character.weapons]),
        keys=character.weapons,
        addable=tuple([_offer(rules, name) for name in (*MELEE(rules), *FIREARMS(rules))]),
    )
    sizes = [Choosable("", "none"), *[Choosable(size, size) for size in SHIELDS(rules)]]
    yield Pick(name="Shield", rule="ore-4.08-shields", field="shield", value=character.shield, options=tuple(sizes))
    arms = tuple([Choosable(arm, arm) for arm in ARMS])
    yield Pick(name="Shield arm", rule="ore-4.08-shields", field="shield_arm", value=character.shield_arm, options=arms)
    result: list[Weapon] = [BARE_HANDS]
    for written in character.weapons[:MOST_WEAPONS]:
        try:
            result.append(weapon_named(rules, written))
        except UserError:
            continue
    hindrance = hindering(rules, left) if left is not None else ()
    feats = feats_of(person.feats)
    for place, weapon in enumerate(result):
        weapon = in_trained_hands(rules, weapon, feats, person.statistic("body")) if feats else weapon
        pool = usable_pool(rules, pool_for(rules, person, "attack", weapon))
        given = helps(rules, feats, Try(on=("attack", "any roll"), when=weapon_words(weapon)))
        helped = with_help(pool, given).plus(*hindrance)
        bullets = f", {weapon.magazine - gone(left, place)} of {weapon.magazine} loaded" if left is not None and weapon.magazine else ""
        yield Test(
            name=weapon.name.capitalize(),
            rule="ore-4.18-act-attack",
            note=_note(rules, weapon, person) + bullets,
            key=f"attack.{place}.{weapon.name}",
            notation=spell(helped) + (f" {helped.edge.words()}" if helped.edge != NO_EDGE else ""),
            parts=(
                Modifier("attack", pool.size, "ore-4.18-act-attack"),
                *[Modifier(mod.label, mod.dice, mod.rule) for mod in helped.mods[len(pool.mods) :]],
                *([Modifier(f"feats: {helped.edge.words()}", 0, RULE)] if helped.edge != NO_EDGE else []),
            ),
        )
    parry = next((weapon for weapon in result if weapon.kind == "close"), None)
    if parry is not None:
        pool = usable_pool(rules, pool_for(rules, person, "parry", parry))
        pool = with_help(pool, helps(rules, feats, Try(on=("parry", "any roll"), when=weapon_words(parry)))).plus(*hindrance)
        parts = tuple([Modifier(mod.label, mod.dice, mod.rule) for mod in pool.mods])
        yield Test(name=f"Parry with {the(parry.name)}", rule="ore-4.18-act-parry", key="parry", notation=spell(pool), parts=parts)


def _offer(rules: Ruleset, name: str) -> Choosable:
    """A weapon of the book with its statistics."""
    weapon = weapon_named(rules, name)
    facts = (("damage", f"W+{weapon.kill} Kill, W+{weapon.shock} Shock"), ("PEN", str(weapon.pen)), ("power", str(weapon.power)))
    shots = ("shots", str(weapon.magazine) if weapon.magazine else "")
    return Choosable(name, name, group="firearms" if weapon.gun else "close combat", facts=(*facts, shots))


def _note(rules: Ruleset, weapon: Weapon, person: Person) -> str:
    """The figures of a weapon in one line."""
    body = person.statistic("body")
    given = helps(rules, feats_of(person.feats), Try(on=("attack",), when=weapon_words(weapon)))
    said = [f"W+{weapon.kill + given.amount('kill')} Kill, W+{weapon.shock + given.amount('shock')} Shock"]
    if rules.on("penetration") and weapon.pen:
        said.append(f"PEN {weapon.pen}")
    if rules.on("damage-classes"):
        said.append("-".join(weapon.classes))
    if rules.on("weapon-reach") and weapon.close:
        said.append(f"Reach {weapon.reach}")
    if weapon.kind == "pull" and not can_draw(rules, body, weapon.power):
        return ", ".join([*said, "too strong to draw"])
    ranges = ranges_of(rules, weapon, body)
    if ranges is not None:
        said.append(f"{ranges.short}/{ranges.medium}/{ranges.long} m")
    if weapon.gun:
        kick = recoil(rules, weapon.power, body)
        said += [f"Recoil {kick.dice}d"] if kick.dice else []
        said += [f"Spray {weapon.spray}d"] if weapon.spray else []
    if weapon.kind == "close":
        said.append({0: "too heavy", 1: "one hand", 2: "two hands"}[hands_needed(rules, weapon.power, body, "hafted" in weapon.traits)])
    return ", ".join(said)


def _pieces_worn(rules: Ruleset, character: Character) -> Iterator[AnyPiece]:
    """Armour to choose for every location."""
    known = [*CLASSES(rules), *STRONGER(rules)]
    both = [candidate for candidate in ("arms", "legs") if candidate in character.armour]
    for place in (EVERYWHERE, *both, *[LOCATION for LOCATION in LOCATIONS if LOCATION != "vital"]):
        written = character.armour.get(place, "")
        nothing = "none" if place == EVERYWHERE or not character.armour.get(EVERYWHERE) else "same as everywhere"
        names = known if not written or written.lower() in known else [written, *known]
        yield Pick(
            name="Armour everywhere" if place == EVERYWHERE else f"Armour on the {place}",
            rule="ore-4.08-armour",
            field=f"armour.{place}",
            value=written.lower() if written.lower() in known else written,
            options=(Choosable("", nothing), *[Choosable(name, name, price=_rated(rules, name)) for name in names]),
        )


def _rated(rules: Ruleset, name: str) -> str:
    """The rating of a piece of armour."""
    try:
        return f"AR {piece_of(rules, 'torso', name).rating}"
    except UserError:
        return ""


def _armour(rules: Ruleset, protected: Protection) -> Iterator[AnyPiece]:
    """The armour of every location and what it stops."""
    rows: list[tuple[str, str, str]] = [
        (piece.location, piece.name + (f", {piece.trait}" if piece.trait else ""), _stops(rules, piece)) for piece in protected.pieces
    ]
    if protected.shield:
        rows.append((protected.shield_arm, "shield (and one other part)", str(protected.shield)))
    rows += [("everywhere", f"the body itself against class {code}", f"AR {rating}") for code, rating in protected.natural]
    if rows:
        heads = ("where", "what", "stops")
        yield Rows(name="Armour", rule="ore-4.08-armour", field="armour", heads=heads, rows=tuple(rows))


def _stops(rules: Ruleset, piece: Piece) -> str:
    if rules.on("damage-classes") and piece.split:
        return f"AR {piece.rating} ({'-'.join([f'{code}{value}' for code, value in piece.split])})"
    stops = protection(rules, piece, Hit(0, 0))
    return f"AR {stops.kill}" if stops.kill == stops.shock else f"{stops.kill} Kill, {stops.shock} Shock"
