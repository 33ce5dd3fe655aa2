"""Effects of a machine's Perks and Flaws in figures (book lines 9028-9426); their descriptions are in tables."""

from collections.abc import Sequence
from typing import Literal

from msgspec import field

from rulewright.errors import UserError
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, at_least, at_most, term, times, total
from rulewright.systems.silhouette.machines.design.constructions import tech_multiplier
from rulewright.systems.silhouette.machines.design.crews import crew_actions, crew_of
from rulewright.systems.silhouette.machines.design.rounding import Figure, exact, plain, reckon, whole
from rulewright.systems.silhouette.machines.design.sizes import largest_mass
from rulewright.systems.silhouette.machines.design.trait_costs import ARMS
from rulewright.systems.silhouette.machines.vehicle import Design, MoveType

Place = Literal["ground", "air", "space"]


class EffectRow(TableRow, frozen=True):
    """The effect of a Perk or Flaw, and its figures in play."""

    name: str
    effect: str
    figures: dict[str, int | float] = field(default_factory=dict)


PERK_EFFECTS = tuple(
    Table(f"sil-d-{part}", EffectRow)
    for part in (
        *("accessories", "arms", "armor-qualities", "communications", "features", "hostile-environment", "information-warfare"),
        *("reinforced-systems", "sensors", "teleporters", "thought-interface", "dimensional"),
    )
)
FLAW_EFFECTS = tuple(Table(f"sil-e-{part}", EffectRow) for part in ("movement-flaws", "negative-features", "weaknesses"))
SYSTEM_PERK_EFFECTS = Table("sil-f-system-perks", EffectRow)
SYSTEM_FLAW_EFFECTS = Table("sil-g-system-flaws", EffectRow)


def effect_of(rules: Ruleset, name: str, *, flaw: bool = False) -> EffectRow | None:
    """The effect of a machine's Perk or Flaw."""
    for table in (*FLAW_EFFECTS, *PERK_EFFECTS) if flaw else PERK_EFFECTS:
        if (row := table(rules).get(name)) is not None:
            return row
    return None


def figure(rules: Ruleset, name: str, what: str, *, flaw: bool = False) -> int | float:
    """A figure of an effect; 0 if the row has none of that name."""
    row = effect_of(rules, name, flaw=flaw)
    return row.figures.get(what, 0) if row is not None else 0


@rule("sil-d-perk-notation")
def notation(name: str, rating: int | None = None, options: Sequence[str] = ()) -> str:
    """A Perk on a sheet: name, rating, and options in brackets."""
    chosen = f" ({', '.join(options)})" if options else ""
    return f"{name}{'' if rating is None else f' {rating}'}{chosen}"


@rule("sil-d-accessories")
def catapult_speed(rating: int, tonnes: float) -> Derived[Figure]:
    """The speed that a catapult gives a craft, in metres per second: 150 times its rating divided by the craft's tonnes."""
    if tonnes <= 0:
        raise UserError(f"the craft's tonnes must be above 0, not {tonnes:g}")
    return reckon(
        "Catapult speed in m/s",
        term("rating", rating),
        times("metres a second", 150),
        term("tonnes", tonnes, "÷"),
        rule="sil-d-accessories",
    )


@rule("sil-d-accessories")
def catapult_points(rating: int, tonnes: float) -> Derived[int]:
    """Movement Points that a catapult adds in the round of the launch: a tenth of its speed, rounded up. In space the speed counts
    in full. By id only."""
    return whole("Movement Points", term("speed", catapult_speed(rating, tonnes)), term("ten", 10, "÷"), rule="sil-d-accessories", to="up")


@rule("sil-d-accessories")
def refueling_rounds(size: float) -> Derived[int]:
    """Rounds to refuel a machine while moving, besides three minutes to hook up: one for each point of its Size. By id only."""
    return whole("Rounds", term("Size", size), rule="sil-d-accessories", to="up")


@rule("sil-d-accessories")
def wrecked(penalty: int) -> bool:
    """Whether an accessory is beyond repair: at a penalty of -5 or worse. By id only."""
    if penalty > 0:
        raise UserError(f"the penalty must be 0 or less, not {penalty}")
    return penalty <= -5


@rule("sil-d-arms")
def lifting(ratings: Sequence[int], size: float, braced: bool = False) -> Derived[Figure]:
    """The Size that arms lift together: the strongest in full and half of each other, at most twice the machine's own Size unless
    it is braced."""
    if not ratings:
        return total("Lifts a Size of", term("no arms", 0), rule="sil-d-arms")
    ordered = sorted(ratings, reverse=True)
    terms = [term("strongest arm", ordered[0])]
    terms += [term("half of another", plain(exact(number) / 2)) for number in ordered[1:]]
    if not braced:
        terms.append(at_most(plain(exact(size) * 2), "at most twice its own Size"))
    return reckon("Lifts a Size of", *terms, rule="sil-d-arms")


@rule("sil-d-arms")
def grip(rules: Ruleset, rating: int) -> Derived[int]:
    """The grip pressure of a hand in tonnes per square metre: the largest mass of half its rating as a Size, rounded up."""
    half = whole("Size", term("rating", rating), term("half", 2, "÷"), to="up")
    return total(
        "Pressure",
        term("largest mass of that Size", largest_mass(rules, half.value)),
        rule="sil-d-arms",
    )


def arm_ratings(design: Design) -> tuple[int, ...]:
    """The ratings of all arms."""
    return tuple(perk.rating or 0 for perk in design.perks if perk.name in ARMS for _ in range(perk.count))


@rule("sil-d-armor-qualities", "sil-e-weaknesses", "sil-e-negative-features")
def armor_against(design: Design, arc: str = "front", location: str = "", heat: bool = False, below: bool = False) -> Derived[Figure]:
    """Armor where it is hit: halved in a weak facing or from below, plus Perks for the arc, the location and HEAT.

    A weak point counts if its location is aimed at. Armor is at least 0.
    """
    sides = arc in ("sides", "left", "right", "left front flank", "right front flank", "left rear flank", "right rear flank")
    terms = [term("base Armor", design.armor)]
    halved = [
        flaw for flaw in design.flaws if (flaw.name == "weak facing" and flaw.on == arc) or (flaw.name == "weak underbelly" and below)
    ]
    terms += [term(fitted.name, 2, "÷") for fitted in halved[:1]]
    for perk in design.perks:
        on_arc = perk.on == arc or (perk.name == "ablative armor" and perk.on == "sides" and sides)
        here = (perk.name in ("reinforced armor", "ablative armor") and on_arc) or (
            perk.name == "reinforced location" and perk.on == location
        )
        if here or (heat and perk.name == "heat resistant"):
            terms.append(term(perk.name, perk.rating or 0))
    for perk in design.flaws:
        if (perk.name == "weak point" and location and perk.on == location) or (heat and perk.name == "heat vulnerable"):
            terms.append(term(perk.name, perk.rating or 0, "−"))
    return reckon("Armor there", *terms, at_least(0, "minimum"), rule="sil-d-armor-qualities")


@rule("sil-d-communications", "sil-d-sensors")
def reach(kilometres: float, place: Place = "ground", uplink: bool = False, tech_level: int = 0) -> Derived[Figure]:
    """The range of sensors or communications in kilometres: ten times as far in the air, a hundred times in space, a thousand by
    satellite."""
    terms = [term("base range", kilometres)]
    if place != "ground":
        terms.append(times(f"in {'the air' if place == 'air' else 'space'}", 10 if place == "air" else 100))
    if uplink:
        terms.append(times("satellite uplink", 1000))
    if tech_level:
        terms.append(times("Technical Level", tech_multiplier(tech_level)))
    return reckon("Range in km", *terms, rule="sil-d-communications")


@rule("sil-d-features")
def stowed_volume(size: float, care: Literal["bare", "access", "service"] = "access") -> Derived[Figure]:
    """Cubic metres of an object of a Size in a cargo bay: half its Size cubed; twice that with access, ten times for servicing it.

    By id only.
    """
    half = reckon("half", term("Size", size), term("half", 2, "÷"))
    terms = [term("half its Size", half), times("itself", half.value), times("itself again", half.value)]
    if care != "bare":
        terms.append(times(care, 2 if care == "access" else 10))
    return reckon("Cubic metres", *terms, rule="sil-d-features")


@rule("sil-d-features")
def bio_energy_speed(rating: int, willpower: int, psyche: int = 0) -> Derived[int]:
    """Top Speed of a bio-energy machine: twice the sum of the pilot's Willpower, the absolute value of Psyche, and the rating.

    By id only.
    """
    terms = (term("Willpower", willpower), term("Psyche (absolute value)", abs(psyche)), term("rating", rating), times("twice", 2))
    return whole("Top Speed", *terms, at_least(0, "minimum"), rule="sil-d-features")


@rule("sil-d-features")
def bio_energy_range(stamina: int) -> Derived[int]:
    """Deployment Range of a bio-energy machine: ten times the pilot's Stamina. By id only."""
    return whole("Deployment Range", term("Stamina", stamina), times("ten", 10), rule="sil-d-features")


DEPTHS = {"pressure": 5, "high pressure": 25, "extreme pressure": 250}


@rule("sil-d-hostile-environment")
def crush_depth(design: Design) -> Derived[Figure]:
    """Metres that a machine can dive: per point of Armor, by its best protection; 0 without any.

    Submarine movement includes the least of them.
    """
    kept = {perk.name.removeprefix("hostile environment: ") for perk in design.perks}
    if any(way.type == "submarine" for way in design.movement) or "all" in kept:
        kept.add("pressure")
    best = max((DEPTHS[text] for text in kept if text in DEPTHS), default=0)
    return reckon("Depth in metres", term("Armor", design.armor), times("metres for each", best), rule="sil-d-hostile-environment")


@rule("sil-d-hostile-environment")
def rads(rating: int) -> Derived[int]:
    """Rads per hour that are kept out: ten to the power of the rating."""
    if not 0 <= rating <= 18:
        raise UserError(f"the rating must be 0 to 18, not {rating}")
    return whole("Rads an hour", term("ten to the power of the rating", 10**rating), rule="sil-d-hostile-environment")


@rule("sil-d-information-warfare")
def decoy_threshold(rating: int) -> Derived[int]:
    """The Threshold of an attacker's Notice, at -3, to hit the true target among decoys: the rating."""
    return whole("Threshold", term("rating", rating), rule="sil-d-information-warfare")


@rule("sil-d-reinforced-systems")
def absorbing(design: Design) -> dict[str, int]:
    """How many hits each reinforced part absorbs."""
    result: dict[str, int] = {}
    for perk in design.perks:
        if perk.name.startswith("reinforced ") and perk.name.removeprefix("reinforced ") in (
            "ammo/fuel",
            "backups",
            "chassis",
            "crew",
            "movement",
        ):
            part = perk.name.removeprefix("reinforced ")
            result[part] = result.get(part, 0) + perk.count
    return result


@rule("sil-d-teleporters")
def teleports(rating: int, prepared: bool = False) -> Derived[int]:
    """The range of a teleporter of others in hexes: its rating, a thousand times that after an action at rest. By id only."""
    return whole("Hexes", term("rating", rating), *([times("prepared", 1000)] if prepared else []), rule="sil-d-teleporters")


@rule("sil-d-teleporters")
def materializing(sizes: Sequence[float]) -> Derived[int]:
    """The Threshold to avoid a collision with the units there: the sum of their Sizes divided by five, rounded."""
    return whole("Threshold", *(term("Size", size) for size in sizes), term("five", 5, "÷"), rule="sil-d-teleporters")


@rule("sil-d-thought-interface")
def actions_of(rules: Ruleset, design: Design) -> Derived[int]:
    """Actions a round: those of the whole crew, plus those that the crew on a thought interface would have alone."""
    terms = [term("crew", crew_actions(rules, crew_of(design).value))]
    for perk in design.perks:
        if perk.name == "thought interface":
            terms.append(term("thought interface", crew_actions(rules, int(perk.amount or 0)), rule="sil-d-thought-interface"))
    return whole("Actions", *terms, rule="sil-4.1.4-crew")


@rule("sil-d-dimensional")
def stored_elsewhere(rating: int) -> Derived[int]:
    """Cubic metres of dimensional storage: its rating squared. By id only."""
    return whole("Cubic metres", term("rating", rating), times("itself", rating), rule="sil-d-dimensional")


@rule("sil-d-dimensional")
def grown(size: float, rating: int, by: int, rounds: int = 1) -> Derived[Figure]:
    """The Size of a machine that grows or shrinks: by its rating at most, and by five a round."""
    most = min(rating, 5 * rounds)
    change = max(-most, min(most, by))
    return reckon("Size", term("own Size", size), term("grown", change), at_least(0.1, "minimum"), rule="sil-d-dimensional")


@rule("sil-e-movement-flaws")
def ceiling(design: Design) -> Derived[int]:
    """The ceiling of an aircraft in kilometres: 12, less its Maximum Ceiling, or 50 with stratospheric flight.

    A view of `highest_level`.
    """
    if any(perk.name == "stratospheric flight" for perk in design.perks):
        return whole("Ceiling in km", term("stratospheric flight", 50, rule="sil-d-features"), rule="sil-e-movement-flaws")
    low = sum(flaw.rating or 0 for flaw in design.flaws if flaw.name == "maximum ceiling")
    return whole(
        "Ceiling in km",
        term("normal ceiling", 12),
        term("maximum ceiling", low, "−"),
        at_least(0, "minimum"),
        rule="sil-e-movement-flaws",
    )


@rule("sil-e-movement-flaws")
def muscle_crew(size: float) -> Derived[int]:
    """The fewest people who can move a muscle-powered machine: its Size squared, rounded up."""
    return whole("People", term("Size", size), times("itself", size), rule="sil-e-movement-flaws", to="up")


@rule("sil-e-movement-flaws")
def muscle_power(size: float, crew: int, strength: int, stamina: int) -> dict[str, int]:
    """Top Speed and Deployment Range of a muscle-powered machine: Strength plus three, twice Stamina; one more of both for every
    doubling of the crew. It needs at least one person for each point of its Size squared. By id only."""
    needed = muscle_crew(size).value
    if crew < needed:
        raise UserError(f"muscle power at Size {size:g} needs {needed} people, not {crew}")
    doublings = 0
    while needed and needed * 2 ** (doublings + 1) <= crew:
        doublings += 1
    return {"top": max(0, strength + doublings + 3), "deployment": max(0, 2 * (stamina + doublings))}


@rule("sil-4.1.7-deployment-range")
def fuel_used(design: Design, kilometres: float, top_speed: bool = False) -> Derived[Figure]:
    """Returns the Deployment Range that a distance uses: every kilometre, double at Top Speed; inefficient engines take more, efficient
    ones less."""
    more = sum(flaw.rating or 0 for flaw in design.flaws if flaw.name == "fuel inefficient")
    factor = {"half more": 1.5, "double": 2, "triple": 3}
    saving = next((factor[perk.variant] for perk in design.perks if perk.name == "fuel efficient" and perk.variant in factor), 1)
    terms = [term("kilometres", kilometres)]
    if more:
        terms.append(times("fuel inefficient", 1 + more, rule="sil-e-negative-features"))
    if top_speed:
        terms.append(times("at Top Speed", 2))
    elif saving != 1:
        terms.append(term("fuel efficient", saving, "÷", rule="sil-d-features"))
    return reckon("Deployment Range used", *terms, rule="sil-4.1.7-deployment-range")


@rule("sil-4.1.7-deployment-range")
def endurance(deployment: float, place: Place = "ground") -> Derived[Figure]:
    """How long the Deployment Range lasts: kilometres on the ground and in the air, as many hours in space."""
    return reckon("Hours" if place == "space" else "Kilometres", term("Deployment Range", deployment), rule="sil-4.1.7-deployment-range")


def maneuver_with(design: Design, movement: MoveType | str) -> int:
    """The Maneuver of one movement type: less if it is decreased, and on unpowered wheels."""
    lost = sum(flaw.rating or 0 for flaw in design.flaws if flaw.name == "decreased maneuver" and flaw.on == movement)
    taxi = any(way.type == movement and way.unpowered for way in design.movement)
    return design.maneuver - lost - (3 if taxi else 0)
