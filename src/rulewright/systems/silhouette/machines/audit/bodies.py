"""Breaches between the bodies of one machine: sections, forms, components, split systems (book lines 3511-3519, 3794-4045)."""

from collections.abc import Iterator

from rulewright.build.audit import Problem, Repair, amiss
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
    """Everything that the bodies of a machine get wrong together."""
    kinds = [name for name in ("sections", "forms", "components") if getattr(vehicle, name)]
    if kinds == ["forms", "components"] and morphs(vehicle):
        kinds = []  # morphable material splits
    for name in kinds[1:]:
        said = f"a machine of {kinds[0]} has no {name} besides"
        yield amiss(_LARGE, name, said, len(getattr(vehicle, name)), f"no {name}", [])
    if vehicle.sections:
        yield from _sections(rules, vehicle)
    if vehicle.forms:
        yield from _forms(rules, vehicle)
    if vehicle.components:
        yield from _components(rules, vehicle)
    yield from _split(vehicle)


def _sections(rules: Ruleset, vehicle: Vehicle) -> Iterator[Problem]:
    size = overall_size(rules, vehicle).value
    if vehicle.scale == "vehicle" and exact(size) <= LARGE:
        said = f"only machines above Size {LARGE} are made of sections; with all of them this is Size {size:g}"
        yield amiss(_LARGE, "sections", said, rounded(LARGE + 1 - exact(size), "up"), "no sections", [])
    own = {way.type for way in vehicle.movement}
    for place, section in enumerate(vehicle.sections):
        field = f"sections.{place}"
        if section.maneuver != vehicle.maneuver:
            said = f"all sections have the Maneuver of the hull, {vehicle.maneuver:+d}"
            over = abs(section.maneuver - vehicle.maneuver)
            yield amiss(_LARGE, f"{field}.maneuver", said, over, f"Maneuver {vehicle.maneuver:+d}", vehicle.maneuver)
        if section.movement and not section.motive:
            said = "only motive sections move by themselves"
            yield amiss(_LARGE, f"{field}.movement", said, len(section.movement), "no movement", [])
        elif section.motive and not {way.type for way in section.movement} & own:
            said = "a motive section moves as the hull does"
            yield amiss(_LARGE, f"{field}.motive", said, 0, "not motive", False)


def _forms(rules: Ruleset, vehicle: Vehicle) -> Iterator[Problem]:
    size = size_of(rules, vehicle).value
    for place, form in enumerate(vehicle.forms):
        if size_of(rules, form).value != size:
            said = f"all forms have one Size, {size:g}; other Sizes are for fantastic settings"
            over = rounded(abs(exact(size_of(rules, form).value) - exact(size)), "up")
            yield amiss(_FORMS, f"forms.{place}.size", said, over, f"Size {size:g}", size)
    if vehicle.transformation == "one-way" and len(vehicle.forms) > 1:
        said = "a change that goes one way has two forms"
        yield amiss(_FORMS, "transformation", said, len(vehicle.forms) - 1, "both ways", "free")


def _components(rules: Ruleset, vehicle: Vehicle) -> Iterator[Problem]:
    covered = {location for component in vehicle.components for location in component.locations}
    lacking = [LOCATION for LOCATION in LOCATIONS if LOCATION not in covered]
    if lacking:
        said = f"no component makes up its {', '.join(lacking)}"
        more = [*vehicle.components[0].locations, *lacking]
        mended = Repair(f"{vehicle.components[0].name} makes them up", "components.0.locations", more)
        yield Problem(_COMBINED, "components", said, len(lacking), mended)
    own, parts = mass_of(rules, vehicle).value, sum((exact(mass_of(rules, component).value) for component in vehicle.components), exact(0))
    if exact(own) != parts:
        said = f"the components weigh {plain(parts):,g} kg together, the combined machine {own:,g}"
        yield Problem(_COMBINED, "mass", said, rounded(abs(exact(own) - parts), "up"), None, True)
    crews, seats = sum(component.crew for component in vehicle.components), vehicle.crew + vehicle.passengers
    if crews > seats:
        said = f"the components have a crew of {crews}, and the combined machine seats {seats}: the others are dropped off before combining"
        yield amiss(_COMBINED, "passengers", said, crews - seats, f"{crews - vehicle.crew} passengers", crews - vehicle.crew, warning=True)


def _split(vehicle: Vehicle) -> Iterator[Problem]:
    """The shares of a split system that several bodies of one machine carry make one whole; what others carry is not known here."""
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
            yield amiss(_SPLIT, field, f"the shares of {name} come to more than the whole", 1, f"a share of {left:g}", left)
