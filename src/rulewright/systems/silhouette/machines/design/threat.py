"""Threat Value: offensive, defensive, miscellaneous and total (book lines 3208-3334)."""

from msgspec import Struct

from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, at_least, term, times
from rulewright.systems.silhouette.machines.design.crews import crew_actions, crew_of
from rulewright.systems.silhouette.machines.design.rounding import Figure, power, reckon, whole
from rulewright.systems.silhouette.machines.design.systems import system_cost
from rulewright.systems.silhouette.machines.design.trait_costs import ARMS, NO_SPEED, flaws_of, has, perks_of
from rulewright.systems.silhouette.machines.tables import ARC_PRICES, MANEUVER
from rulewright.systems.silhouette.machines.vehicle import Design, Device, Link, Vehicle

_TV, _OTV, _DTV, _MTV = "sil-4.1.10-threat-value", "sil-4.1.10-otv", "sil-4.1.10-dtv", "sil-4.1.10-mtv"
EMPLACED = -5
"""The Maneuver with which an emplacement is priced."""
HIGHEST_MANEUVER, LOWEST_MANEUVER = 3, -10


# --- offense ---------------------------------------------------------------------------------------------------------------------


@cached(2048)
def device_worth(rules: Ruleset, device: Device) -> Derived[Figure]:
    """Returns what a system adds to the offense: its cost times its arc, times its quantity. A pintle weapon adds its bare figures."""
    if device.mount == "pintle":
        figures = [term("Damage Multiplier", device.damage), term("Base Range", device.range), term("Rate of Fire", max(0, device.rate))]
        terms = [term("pintle weapon", reckon("figures", *figures, rule="sil-d-accessories"))]
    else:
        arc = ARC_PRICES(rules)[device.arc]
        terms = [term("system cost", system_cost(rules, device)), times(f"arc {arc.short}", arc.multiplier, source=arc.source)]
    if device.quantity > 1:
        terms.append(times("quantity", device.quantity))
    if device.share != 1:
        terms.append(times("this carrier's share of a split system", device.share, rule="sil-4.2-split-systems"))
    return reckon(device.name, *terms, rule=_OTV)


def linked(design: Design, link: Link) -> tuple[Device, ...]:
    """The systems of a link."""
    return tuple(device for device in design.systems if device.name in link.systems)


def link_worth(rules: Ruleset, design: Design, link: Link) -> Derived[Figure]:
    """A tenth of the cost of a link's systems, by their arcs unless the campaign rules otherwise; missiles of one type are
    linked for free."""
    devices = linked(design, link)
    if devices and all(device.type == "missile" for device in devices) and len({device.name for device in devices}) == 1:
        return reckon(link.name, term("missiles of one type are linked for free", 0), rule=_OTV)
    if rules.word("link-price") == "without arcs":
        terms = [term(device.name, _cost_without_arc(rules, device)) for device in devices]
    else:
        terms = [term(device.name, device_worth(rules, device)) for device in devices]
    return reckon(link.name, *terms, times("a tenth", 0.1), rule=_OTV, source=rules.source("link-price"))


def _cost_without_arc(rules: Ruleset, device: Device) -> Derived[Figure]:
    return reckon(device.name, term("system cost", system_cost(rules, device)), times("quantity", device.quantity))


def _sniper_sights(rules: Ruleset, design: Design) -> Derived[Figure]:
    every = rules.word("sniper-price") == "all systems"
    terms = [term(device.name, device_worth(rules, device)) for device in design.systems if every or device.sniper]
    return reckon("sniper sights", *terms, times("a tenth", 0.1), rule=_OTV, source=rules.source("sniper-price"))


@rule("sil-4.1.10-otv", "sil-4.2-split-systems")
def offense(rules: Ruleset, design: Design) -> Derived[int]:
    """Offensive Threat Value: all systems by their arcs, a tenth more for links and sniper sights, and half of every punch squared."""
    terms = [term(device.name, device_worth(rules, device)) for device in design.systems]
    terms += [term(f"link {link.name}", link_worth(rules, design, link)) for link in design.links]
    if any(device.sniper for device in design.systems):
        terms.append(term("sniper sights", _sniper_sights(rules, design)))
    for arm in design.perks:
        if arm.name in ARMS and arm.punch:
            half = reckon("half the punch", term("Damage Multiplier", arm.punch), term("half", 2, "÷"))
            count = [times("arms", arm.count)] if arm.count > 1 else []
            terms.append(term(f"punch of the {arm.name}", reckon("punch", term("half", half), times("itself", half.value), *count)))
    return whole("Offensive Threat Value", *terms, rule=_OTV)


# --- defense ---------------------------------------------------------------------------------------------------------------------


def counted_maneuver(design: Design) -> int:
    """The Maneuver with which a machine is priced."""
    return EMPLACED if isinstance(design, Vehicle) and design.build == "emplacement" else design.maneuver


@rule("sil-4.1.10-dtv")
def defense(rules: Ruleset, design: Design) -> Derived[int]:
    """Defensive Threat Value: Armor squared plus every Top Speed squared, times the Maneuver's multiplier. The Stall Speed is subtracted
    from an aircraft's speed.

    Muscle and bio-energy count no speed, nor do unpowered wheels. Below -10 a Maneuver counts as -10 (a ruling).
    """
    terms = [term("Armor squared", power("Armor squared", "Armor", design.armor, 2))]
    free = has(design, *NO_SPEED)
    for way in design.movement:
        if way.unpowered or free:
            terms.append(term(f"{way.type}: {'unpowered' if way.unpowered else 'speed is free'}", 0))
            continue
        speed = term("Top Speed", way.top)
        if way.type == "air" and way.stall:
            paid = reckon("speed", speed, term("Stall Speed", way.stall, "−"), at_least(0, "minimum"))
            terms.append(term(f"{way.type} squared", power("squared", "above the Stall Speed", paid, 2)))
        else:
            terms.append(term(f"{way.type} squared", power("squared", "Top Speed", way.top, 2)))
    maneuver = max(LOWEST_MANEUVER, min(HIGHEST_MANEUVER, counted_maneuver(design)))
    row = MANEUVER(rules)[str(maneuver)]
    terms.append(times(f"Maneuver {maneuver:+d}", row.multiplier, source=row.source))
    return whole("Defensive Threat Value", *terms, rule=_DTV)


# --- everything else -------------------------------------------------------------------------------------------------------------


def running(rules: Ruleset, design: Design) -> list[Reason]:
    """The contributions of crew, range and reaction mass to the miscellaneous value."""
    actions = crew_actions(rules, crew_of(design).value)
    terms = [term("actions cubed", power("cubed", "actions", actions, 3))]
    if design.deployment and not has(design, *NO_SPEED):
        part = reckon("range", term("Deployment Range", design.deployment), term("fifty", 50, "÷"))
        terms.append(term("Deployment Range", power("squared", "a fiftieth", part, 2)))
    if design.burn_points:
        part = reckon("burn", term("Burn Points", design.burn_points), term("hundred", 100, "÷"))
        terms.append(term("reaction mass", power("squared", "a hundredth", part, 2)))
    return terms


@rule("sil-4.1.10-mtv")
def miscellany(rules: Ruleset, design: Design) -> Derived[int]:
    """Miscellaneous Threat Value: actions cubed, a fiftieth of the range squared, a hundredth of the Burn Points squared, Perks
    squared less Flaws squared.

    It is at least 0. Points of Perks and Flaws keep their fractions; only the sum is rounded (a ruling).
    """
    terms = running(rules, design)
    perks, flaws = perks_of(rules, design).total, flaws_of(rules, design).total
    if perks.value:
        terms.append(term("Perk points squared", power("squared", "Perk points", perks, 2)))
    if flaws.value:
        squared = power("squared", "Flaw points", flaws, 2)
        terms.append(term("Flaw points squared", squared, "−"))
    terms.append(at_least(0, "minimum"))
    return whole("Miscellaneous Threat Value", *terms, rule=_MTV)


class Threat(Struct, frozen=True):
    """The three parts of a body's Threat Value and their total, before multipliers."""

    offense: Derived[int]
    defense: Derived[int]
    miscellany: Derived[int]
    value: Derived[int]


@cached(512)
def threat(rules: Ruleset, design: Design) -> Threat:
    """The Threat Value of one body with its parts."""
    parts = offense(rules, design), defense(rules, design), miscellany(rules, design)
    terms = [term(part.reason.label, part) for part in parts]
    return Threat(*parts, whole("Threat Value", *terms, term("a third", 3, "÷"), rule=_TV))


@rule("sil-4.1.10-threat-value")
def design_threat(rules: Ruleset, design: Design) -> Derived[int]:
    """The Threat Value of one body: a third of its offense, defense and miscellaneous value, rounded."""
    return threat(rules, design).value
