"""Breaches between the bodies of a machine: sections, forms, components, split systems (book lines 3511-3519, 3794-4045)."""

from collections.abc import Iterator

from rulewright.build.audit import Problem, Repair, amiss
from rulewright.grammar import figure, join
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.machines.design.constructions import morphs
from rulewright.systems.silhouette.machines.design.costs import mass_of, overall_size, size_of
from rulewright.systems.silhouette.machines.design.rounding import exact, plain, rounded
from rulewright.systems.silhouette.machines.vehicle import LOCATIONS, Vehicle

_LARGE, _FORMS, _COMBINED, _SPLIT = (
    *("sil-4.3.2-large-vehicles", "sil-4.3.7-transformables", "sil-4.3.6-combiners", "sil-4.2-split-systems"),
)
LARGE = 30


def bodies_together(rules: Ruleset, vehicle: Vehicle) -> Iterator[Problem]:
    """Every breach between the bodies of a machine."""
    kinds = [name for name in ("sections", "forms", "components") if getattr(vehicle, name)]
    if kinds == ["forms", "components"] and morphs(vehicle):
        kinds = []  # morphable material can split
    for name in kinds[1:]:
        said = f"a machine made of {kinds[0]} cannot also have {name}"
        yield amiss(_LARGE, name, said, len(getattr(vehicle, name)), f"no {name}", [])
    if vehicle.sections:
        yield from _check_sections(rules, vehicle)
    if vehicle.forms:
        yield from _check_forms(rules, vehicle)
    if vehicle.components:
        yield from _check_components(rules, vehicle)
    yield from _check_shares(vehicle)


def _check_sections(rules: Ruleset, vehicle: Vehicle) -> Iterator[Problem]:
    size = overall_size(rules, vehicle).value
    if vehicle.scale == "vehicle" and exact(size) <= LARGE:
        said = f"only machines above Size {LARGE} can have sections; with all sections this one is Size {size:g}"
        yield amiss(_LARGE, "sections", said, rounded(LARGE + 1 - exact(size), "up"), "no sections", [])
    own = {way.type for way in vehicle.movement}
    for place, section in enumerate(vehicle.sections):
        field = f"sections.{place}"
        if section.maneuver != vehicle.maneuver:
            said = f"all sections must have the Maneuver of the hull, {vehicle.maneuver:+d}"
            over = abs(section.maneuver - vehicle.maneuver)
            yield amiss(_LARGE, f"{field}.maneuver", said, over, f"Maneuver {vehicle.maneuver:+d}", vehicle.maneuver)
        if section.movement and not section.motive:
            said = "only motive sections can have movement"
            yield amiss(_LARGE, f"{field}.movement", said, len(section.movement), "no movement", [])
        elif section.motive and not {way.type for way in section.movement} & own:
            said = "a motive section needs a movement type of the hull"
            yield amiss(_LARGE, f"{field}.motive", said, 0, "not motive", False)


def _check_forms(rules: Ruleset, vehicle: Vehicle) -> Iterator[Problem]:
    size = size_of(rules, vehicle).value
    for place, form in enumerate(vehicle.forms):
        if size_of(rules, form).value != size:
            said = f"all forms must have the same Size, {size:g}; other Sizes are for fantastic settings"
            over = rounded(abs(exact(size_of(rules, form).value) - exact(size)), "up")
            yield amiss(_FORMS, f"forms.{place}.size", said, over, f"Size {size:g}", size)
    if vehicle.transformation == "one-way" and len(vehicle.forms) > 1:
        said = "a one-way transformation allows only two forms"
        yield amiss(_FORMS, "transformation", said, len(vehicle.forms) - 1, "make it reversible", "free")


def _check_components(rules: Ruleset, vehicle: Vehicle) -> Iterator[Problem]:
    covered = {location for component in vehicle.components for location in component.locations}
    lacking = [LOCATION for LOCATION in LOCATIONS if LOCATION not in covered]
    if lacking:
        said = f"no component makes up its {join(lacking, 'or')}"
        more = [*vehicle.components[0].locations, *lacking]
        mended = Repair(f"{vehicle.components[0].name} makes them up", "components.0.locations", more)
        yield Problem(_COMBINED, "components", said, len(lacking), mended)
    own, parts = mass_of(rules, vehicle).value, sum((exact(mass_of(rules, component).value) for component in vehicle.components), exact(0))
    if exact(own) != parts:
        said = f"the components weigh {figure(plain(parts))} kg together, but the combined machine {figure(own)} kg"
        yield Problem(_COMBINED, "mass", said, rounded(abs(exact(own) - parts), "up"), None, True)
    crews, seats = sum(component.crew for component in vehicle.components), vehicle.crew + vehicle.passengers
    if crews > seats:
        said = f"the components have a crew of {crews}, but the combined machine seats only {seats}: the others stay behind"
        yield amiss(_COMBINED, "passengers", said, crews - seats, f"{crews - vehicle.crew} passengers", crews - vehicle.crew, warning=True)


def _check_shares(vehicle: Vehicle) -> Iterator[Problem]:
    """The shares of a split system across the bodies of one machine must not exceed the whole; others' shares are unknown here."""
    shares: dict[str, list[tuple[str, float]]] = {}
    for prefix, bodies in (("", (vehicle,)), ("sections.", vehicle.sections), ("components.", vehicle.components)):
        for at, body in enumerate(bodies):
            for place, device in enumerate(body.systems):
                if device.share != 1:
                    field = f"{prefix}{at}.systems.{place}.share" if prefix else f"systems.{place}.share"
                    shares.setdefault(device.name, []).append((field, device.share))
    for name, parts in shares.items():
        total = sum((exact(share) for _, share in parts), exact(0))
        if total > 1:
            field, last = parts[-1]
            left = plain(max(exact(0), exact(last) - (total - 1)))
            yield amiss(_SPLIT, field, f"the shares of {name} add up to more than 1", 1, f"a share of {left:g}", left)
