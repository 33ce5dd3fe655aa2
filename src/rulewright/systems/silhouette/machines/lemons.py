"""Lemons: the dice for a machine's defects, and the defects (book lines 3360-3434, 9380)."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.sums import Sum
from rulewright.errors import UserError
from rulewright.grammar import a
from rulewright.play import Choice, Happened, Option, Play, Roll, Tell
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, term, total
from rulewright.systems.silhouette.machines.design.rounding import exact, rounded
from rulewright.systems.silhouette.machines.design.trait_costs import beginning, entries_of, label, perks_of, price
from rulewright.systems.silhouette.machines.tables import ANNOYANCES, LEMONS, PRODUCTION, LemonRow, flaw_rows, perk_rows
from rulewright.systems.silhouette.machines.vehicle import Defect, Design, Fitted, Vehicle
from rulewright.systems.silhouette.resolution.tests import DIE, Pool, rolled

_ID, _TABLE = "sil-4.1.12-lemon-rolls", "sil-4.1.12-lemon-defects"
FREE_OF_DEFECTS = 5
"""Every point of the roll above this is a defect."""
AUXILIARY = ("accessories", "arms", "comms", "iw", "sensors", "exotic")
"""The lists whose Perks are auxiliary systems."""
MOST_DEFECTS = 30


def _extra_dice(rules: Ruleset, vehicle: Vehicle) -> list[tuple[str, int]]:
    """Dice for many Perks and for being problem-prone."""
    careful = any(way.type in ("air", "space") for way in vehicle.movement)
    many = rounded(perks_of(rules, vehicle).total.value, "down") if rules.word("lemon-perks") == "points" else entries_of(vehicle)
    pairs = [(f"{many} Perks, one for every {10 if careful else 5}", max(0, many) // (10 if careful else 5))]
    pairs += [("problem-prone", flaw.rating or 1) for flaw in vehicle.flaws if flaw.name == "problem-prone"]
    return [pair for pair in pairs if pair[1]]


@rule(_ID, "sil-4.1.12-production-type")
def model_dice(rules: Ruleset, vehicle: Vehicle) -> Derived[int]:
    """Lemon dice of the model: by its production, one for every five Perks (ten for aircraft and spacecraft), plus problem-prone.

    A scratch-built machine has no model, and rolls these dice with its own (a ruling).
    """
    row = PRODUCTION.get(rules, vehicle.production)
    if row.model is None:
        return total("Model Lemon dice", term(f"{row.type}: none", 0), rule=_ID)
    terms = [term(row.type, row.model, rule="sil-4.1.12-production-type", source=row.source)]
    terms += [term(name, dice, source=rules.source("lemon-perks")) for name, dice in _extra_dice(rules, vehicle)]
    return total("Model Lemon dice", *terms, rule=_ID)


@rule(_ID, "sil-4.1.12-production-type")
def individual_dice(rules: Ruleset, vehicle: Vehicle) -> Derived[int]:
    """Lemon dice of a single machine, rolled when it enters play."""
    row = PRODUCTION.get(rules, vehicle.production)
    terms = [term(row.type, row.individual, rule="sil-4.1.12-production-type", source=row.source)]
    if row.model is None or rules.word("lemon-dice") == "model and individual":
        terms += [term(name, dice, source=rules.source("lemon-dice")) for name, dice in _extra_dice(rules, vehicle)]
    return total("Lemon dice", *terms, rule=_ID)


class Lemon(Struct, frozen=True):
    """The result of a Lemon roll."""

    total: int
    defects: tuple[Defect, ...]


@rule(_ID)
def lemon_roll(rules: Ruleset, vehicle: Vehicle, model: bool = True) -> Play[Lemon]:
    """Roll the Lemon dice of a model or of one machine: every point above five is a defect; fumbles do not count."""
    dice = (model_dice if model else individual_dice)(rules, vehicle).value
    if dice <= 0:
        return Lemon(0, ())
    result = yield from rolled(rules, Pool(dice, hero=False), vehicle.name, "Lemon dice")
    defects: list[Defect] = []
    for _ in range(min(MOST_DEFECTS, result.total - FREE_OF_DEFECTS)):
        defects.extend((yield from defect(rules, vehicle, model)))
    if not defects:
        yield from Tell(Happened(who=vehicle.name, what=f"has no defects (Lemon roll {result.total})", mood="good"))
    return Lemon(result.total, tuple(defects))


@rule(_TABLE)
def defect(rules: Ruleset, vehicle: Vehicle, model: bool = True) -> Play[tuple[Defect, ...]]:
    """Roll one defect; the gamemaster decides if the row leaves a choice."""
    roll = yield from Roll(DIE, vehicle.name, "the kind of defect")
    row = LEMONS(rules)[str(roll)]
    what = row.either[0]
    if len(row.either) > 1:
        options = tuple(Option(text, f"Reduce {text}", text) for text in row.either)
        what = yield from Choice("gamemaster", f"{row.defect}: which figure is reduced?", options, vehicle, "defect")
    defects = yield from _DEFECTS[what](rules, vehicle, row, model)
    for candidate in defects:
        yield from Tell(Happened(who=vehicle.name, what=f"has {a(row.defect)}: {_words(candidate)}", mood="bad"))
    return defects


def _words(item: Defect) -> str:
    if item.what in ("annoyance", "flaw"):
        return item.on
    return f"{item.on or item.what} -{item.loss}"


def _maneuver(rules: Ruleset, vehicle: Vehicle, row: LemonRow, model: bool) -> Play[tuple[Defect, ...]]:
    yield from ()
    return (Defect("maneuver", 1, "", model),)


def _armor(rules: Ruleset, vehicle: Vehicle, row: LemonRow, model: bool) -> Play[tuple[Defect, ...]]:
    """A tenth of the Armor, rounded up."""
    yield from ()
    return (Defect("armor", max(1, rounded(exact(vehicle.armor) / 10, "up")), "", model),)


def _speed(rules: Ruleset, vehicle: Vehicle, row: LemonRow, model: bool) -> Play[tuple[Defect, ...]]:
    """A tenth of the fastest Top Speed, rounded up and at least one."""
    yield from ()
    fastest = max(vehicle.movement, key=lambda way: way.top, default=None)
    if fastest is None:
        return (Defect("maneuver", 1, "", model),)
    return (Defect("top speed", max(1, rounded(exact(fastest.top) / 10, "up")), fastest.type, model),)


def auxiliaries(rules: Ruleset, design: Design) -> tuple[str, ...]:
    """The auxiliary systems of a machine; identical ones separately."""
    rows = perk_rows(rules)
    return tuple(
        label(replace(perk, count=1))
        for perk in design.perks
        if perk.name in rows and rows[perk.name].group in AUXILIARY
        for _ in range(perk.count)
    )


def _glitch(rules: Ruleset, vehicle: Vehicle, row: LemonRow, model: bool) -> Play[tuple[Defect, ...]]:
    """A random auxiliary system is at -1; a machine without any is unaffected."""
    known = auxiliaries(rules, vehicle)
    if not known:
        return ()
    place = 1
    if len(known) > 1:
        place = yield from Roll(Sum((len(known),)), vehicle.name, "which auxiliary system")
    return (Defect("auxiliary", 1, known[place - 1], model),)


@rule("sil-4.1.12-annoyances")
def annoy(rules: Ruleset, vehicle: Vehicle) -> Play[str]:
    """Draw a random annoyance from the samples; it has no effect in rules."""
    known = [f"{annoyance}: {effect}" for annoyance, effect in ANNOYANCES.every(rules).items()]
    place = yield from Roll(Sum((len(known),)), vehicle.name, "which annoyance")
    return known[place - 1]


def _annoyance(rules: Ruleset, vehicle: Vehicle, row: LemonRow, model: bool) -> Play[tuple[Defect, ...]]:
    text = yield from annoy(rules, vehicle)
    return (Defect("annoyance", 0, text, model),)


def small_flaws(rules: Ruleset, vehicle: Vehicle, least: int, most: int) -> tuple[Fitted, ...]:
    """The Flaws of so many points that a machine can still get, in the order of the lists."""
    owned = {fitted.name for fitted in vehicle.flaws}
    fitteds = []
    for name, priced in flaw_rows(rules).items():
        needed = priced.row.needs
        if name in owned or (needed and not any(way.type in needed for way in vehicle.movement)):
            continue
        entry = Fitted(**beginning(priced.row))
        worth = -price(rules, entry, vehicle, flaw=True).value
        if least <= worth <= most and worth > 0:
            fitteds.append(entry)
    return tuple(fitteds)


def _flaw(rules: Ruleset, vehicle: Vehicle, row: LemonRow, model: bool) -> Play[tuple[Defect, ...]]:
    """A further Flaw of the row's points, chosen by the gamemaster."""
    allowed = small_flaws(rules, vehicle, row.least, row.most)
    if not allowed:
        raise UserError(f"{vehicle.name} already has every Flaw of {row.least} to {row.most} points")
    options = tuple(Option(fitted.name, label(fitted), fitted) for fitted in allowed)
    chosen = yield from Choice("gamemaster", f"Which Flaw of {row.least} to {row.most} points?", options, vehicle, "defect")
    return (Defect("flaw", 0, chosen.name, model),)


_DEFECTS = {
    "maneuver": _maneuver,
    "armor": _armor,
    "top speed": _speed,
    "auxiliary": _glitch,
    "annoyance": _annoyance,
    "flaw": _flaw,
}
