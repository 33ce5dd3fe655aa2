"""Systems: cost, range and minimum Size (book lines 3503-3726)."""

from collections.abc import Iterable

from rulewright.errors import UserError
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, at_least, row, term, times, total
from rulewright.systems.silhouette.machines.design.rounding import Figure, cube_root, exact, plain, reckon, whole
from rulewright.systems.silhouette.machines.entries import Characteristic, read
from rulewright.systems.silhouette.machines.tables import ACCURACY, AMMUNITION, SYSTEM_FLAWS, SYSTEM_PERKS
from rulewright.systems.silhouette.machines.vehicle import Device, Mode

_COST, _AMMO, _PERKS, _FLAWS = "sil-4.2.4-system-cost", "sil-4.2.4-ammo-cost", "sil-4.2.2-system-perks", "sil-4.2.3-system-flaws"
PORTABLE = "hand-held/hardpoint"


@cached(4096)
def _known(rules: Ruleset, text: str, flaw: bool) -> Characteristic | None:
    """A parsed characteristic, or None if it cannot be parsed."""
    try:
        return read((SYSTEM_FLAWS if flaw else SYSTEM_PERKS)(rules), text)
    except UserError:
        return None


def characteristics(rules: Ruleset, texts: Iterable[str], *, flaw: bool = False) -> tuple[Characteristic, ...]:
    """The characteristics of a system, each once unless it may be repeated; unparsable ones are left to the audit."""
    characteristic_by_value: dict[object, Characteristic] = {}
    for place, text in enumerate(texts):
        characteristic = _known(rules, text, flaw)
        if characteristic is None:
            continue
        characteristic_by_value.setdefault(
            (characteristic.row.name, place) if characteristic.row.repeat else characteristic.row.name, characteristic
        )
    return tuple(characteristic_by_value.values())


def perks_of(rules: Ruleset, mode: Mode) -> tuple[Characteristic, ...]:
    """The Perks of a system, including hand-held/hardpoint if it is mounted that way."""
    texts = (*mode.perks, PORTABLE) if isinstance(mode, Device) and mode.mount in ("hand-held", "hardpoint") else mode.perks
    return characteristics(rules, texts)


@rule("sil-4.2.2-system-perks")
def perk_factor(rules: Ruleset, mode: Mode) -> Derived[Figure]:
    """The cost factor of a system's Perks: 1.5 for one, from two on their number."""
    return _factor("Perk", perks_of(rules, mode), _PERKS)


@rule("sil-4.2.3-system-flaws")
def flaw_divisor(rules: Ruleset, mode: Mode) -> Derived[Figure]:
    """The cost divisor of a system's Flaws: 1.5 for one, from two on their number."""
    return _factor("Flaw", characteristics(rules, mode.flaws, flaw=True), _FLAWS)


def _factor(what: str, item: tuple[Characteristic, ...], rule_id: str) -> Derived[Figure]:
    terms = [term(_in_words(characteristic), characteristic.count, source=characteristic.row.source) for characteristic in item]
    many = sum(characteristic.count for characteristic in item)
    factor: Figure = 1 if many <= 0 else 1.5 if many == 1 else many
    if factor != many:
        terms.append(row(f"one {what} counts 1.5" if many == 1 else f"no {what}", factor))
    return reckon(f"{what}s", *terms, rule=rule_id)


def _in_words(characteristic: Characteristic) -> str:
    return " ".join(
        text
        for text in (characteristic.row.name, str(characteristic.level) if characteristic.level is not None else "", characteristic.variant)
        if text
    )


@rule("sil-4.2.4-ammo-cost")
def ammo_multiplier(rules: Ruleset, uses: int = 0, melee: bool = False) -> Derived[Figure]:
    """The cost multiplier of the number of uses: the first row that covers it; 0 uses, or more than any row, is
    unlimited."""
    if uses < 0:
        raise UserError(f"uses must be 0 (unlimited) or more, not {uses}")
    rows = AMMUNITION(rules)
    row = next((row for row in rows.values() if row.most >= uses), None) if uses else None
    row = row or rows["unlimited in melee" if melee else "unlimited"]
    return total("Ammunition", term(f"{uses or 'unlimited'} uses ({row.uses})", row.multiplier, source=row.source), rule=_AMMO)


def attenuation(rules: Ruleset, mode: Mode) -> int:
    """Returns the loss of the Damage Multiplier with every range band from Attenuating Damage."""
    return sum(
        characteristic.level or 0
        for characteristic in characteristics(rules, mode.flaws, flaw=True)
        if characteristic.row.name == "attenuating damage"
    )


@rule("sil-4.2.4-system-cost")
def version_cost(rules: Ruleset, mode: Mode) -> Derived[int]:
    """The cost of a system in one version, with ammunition: rounded once, at the end.

    Ranged: the square of damage plus rate, and range times range times (range plus rate); in melee the square of half the damage plus the
    rate. Neither square is of less than one. Then times Accuracy, Perks, Flaws and ammunition.
    """
    accuracy = ACCURACY(rules)[str(mode.accuracy)]
    lost = attenuation(rules, mode)
    power = _damage_square(mode, lost)
    terms = [term("damage and rate, squared", power)]
    if not mode.melee and mode.range:
        terms.append(term("range", _range_product(mode)))
    terms.append(times(f"Accuracy {mode.accuracy:+d}", accuracy.multiplier, source=accuracy.source))
    perks, flaws = perk_factor(rules, mode), flaw_divisor(rules, mode)
    if perks.value != 1:
        terms.append(times("Perks", perks))
    if flaws.value != 1:
        terms.append(term("Flaws", flaws, "÷"))
    terms.append(times("ammunition", ammo_multiplier(rules, mode.uses, mode.melee)))
    return whole(mode.name, *terms, rule=_COST)


def _damage_square(mode: Mode, lost: int) -> Derived[Figure]:
    damage = term("Damage Multiplier", mode.damage)
    terms = [damage]
    if lost:
        terms.append(term("Attenuating Damage", lost, "−", rule=_FLAWS))
    if mode.melee:
        terms.append(term("halved in melee", 2, "÷"))
    if mode.rate > 0:
        terms.append(term("Rate of Fire", mode.rate))
    terms.append(at_least(1, "minimum"))
    side = reckon("damage and rate", *terms)
    return reckon("squared", term("damage and rate", side), times("itself", side.value))


def _range_product(mode: Mode) -> Derived[Figure]:
    rate = max(0, mode.rate)
    first = reckon("range and rate", term("Base Range", mode.range), *([term("Rate of Fire", rate)] if rate else []))
    return reckon("range", term("range and rate", first), times("Base Range", mode.range), times("Base Range", mode.range))


@rule("sil-4.2-systems-modes")
def system_cost(rules: Ruleset, device: Device) -> Derived[int]:
    """The cost of a system with all its modes: the most expensive in full, a tenth of every other, rounded down."""
    versions = [version_cost(rules, device), *(version_cost(rules, mode) for mode in device.modes)]
    if len(versions) == 1:
        return versions[0]
    dearest = max(versions, key=lambda derived: derived.value)
    terms = [term(f"{dearest.reason.label}, the most expensive", dearest)]
    for version in versions:
        if version is not dearest:
            tenth = whole("a tenth", term(version.reason.label, version), term("ten", 10, "÷"), to="down")
            terms.append(term(f"a tenth of {version.reason.label}", tenth))
    return whole(device.name, *terms, rule="sil-4.2-systems-modes")


@rule("sil-4.2.4-minimum-size")
def minimum_size(rules: Ruleset, device: Device) -> Derived[Figure]:
    """The smallest Size that could carry a system, as a plausibility check: the cube root of half its cost, three quarters of that
    for HEAT."""
    cost = system_cost(rules, device)
    half = plain(exact(cost.value) / 2)
    terms = [row("cube root of half the cost", cube_root(half), term("system cost", cost), term("half", 2, "÷"))]
    if any(characteristic.row.name == "heat" for characteristic in characteristics(rules, device.flaws, flaw=True)):
        terms.append(times("HEAT", 0.75))
    return reckon("Minimum Size", *terms, rule="sil-4.2.4-minimum-size")


@rule("sil-4.2.1-system-attributes")
def ranges(mode: Mode) -> tuple[Figure, ...]:
    """Short, medium, long and extreme range in hexes: one, two, four and eight times the Base Range, or custom ones;
    none in melee."""
    if mode.melee:
        return ()
    if mode.ranges and not mode.range:
        return mode.ranges
    return tuple(plain(exact(mode.range) * factor) for factor in (1, 2, 4, 8))
