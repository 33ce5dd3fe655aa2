"""Breaches in systems and links (book lines 3234-3272, 3503-3726)."""

from collections.abc import Iterator

import msgspec

from rulewright.build.audit import Problem, Repair, amiss
from rulewright.errors import UserError
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.machines.design.costs import size_of
from rulewright.systems.silhouette.machines.design.rounding import exact, rounded
from rulewright.systems.silhouette.machines.design.systems import minimum_size
from rulewright.systems.silhouette.machines.entries import read
from rulewright.systems.silhouette.machines.tables import SYSTEM_FLAWS, SYSTEM_PERKS
from rulewright.systems.silhouette.machines.vehicle import Design, Device, Mode, Vehicle

_TYPES, _FIGURES, _LINKS, _SMALLEST = (
    *("sil-4.2.1-system-types", "sil-4.2.1-system-attributes", "sil-4.1.10-otv", "sil-4.2.4-minimum-size"),
)
NEAR = 8
"""A system whose extreme range is below this has a Base Range of 0."""


def armament(rules: Ruleset, vehicle: Vehicle, body: Design, prefix: str) -> Iterator[Problem]:
    """Every breach in a body's systems and links."""
    names: set[str] = set()
    for place, device in enumerate(body.systems):
        field = f"{prefix}systems.{place}"
        if device.name in names:
            other = next(f"{device.name} {number}" for number in range(2, 999) if f"{device.name} {number}" not in names)
            said = f"two systems are named {device.name!r}"
            yield amiss(_FIGURES, f"{field}.name", said, 1, f"rename it to {other!r}", other[:60])
        names.add(device.name)
        yield from _check_version(rules, field, device)
        for at, mode in enumerate(device.modes):
            yield from _check_version(rules, f"{field}.modes.{at}", mode)
        yield from _check_device(rules, vehicle, body, field, device)
    yield from _check_links(body, prefix, names)


def _check_version(rules: Ruleset, field: str, mode: Mode) -> Iterator[Problem]:
    """Breaches in one version of a system."""
    for part, texts, rows in (("perks", mode.perks, SYSTEM_PERKS(rules)), ("flaws", mode.flaws, SYSTEM_FLAWS(rules))):
        for place, text in enumerate(texts):
            try:
                characteristic = read(rows, text)
            except UserError as error:
                rule = SYSTEM_PERKS.rule if part == "perks" else SYSTEM_FLAWS.rule
                left = [result for at, result in enumerate(texts) if at != place]
                yield Problem(rule, f"{field}.{part}.{place}", str(error), 0, Repair("remove it", f"{field}.{part}", left))
                continue
            if characteristic.row.melee and not mode.melee and characteristic.row.name != "energy shield" and part == "perks":
                said = f"only melee systems can have {characteristic.row.name}"
                yield amiss(SYSTEM_PERKS.rule, f"{field}.melee", said, 0, "make it a melee system", True)
            if part == "flaws" and characteristic.row.name == "overheating":
                left = [result for at, result in enumerate(texts) if at != place]
                said = "overheating cannot be chosen: it results from Unreliable"
                yield Problem(SYSTEM_FLAWS.rule, f"{field}.{part}.{place}", said, 0, Repair("remove it", f"{field}.{part}", left))
    if exact(mode.damage) < 1:
        yield amiss("sil-4.3.1-small-vehicles", f"{field}.damage", "a mounted system needs a Damage Multiplier of 1 or more", 1, "×1", 1)
    if mode.melee and (mode.range or mode.ranges):
        which = "range" if mode.range else "ranges"
        said = "a melee system cannot have a range"
        yield amiss(_FIGURES, f"{field}.{which}", said, 0, "no range", 0 if mode.range else [])
    elif mode.ranges and (mode.range or exact(mode.ranges[-1]) >= NEAR):
        said = "only a system with an extreme range below 8 hexes can have custom ranges"
        yield amiss(_FIGURES, f"{field}.ranges", said, 0, "the default ranges", [])
    if mode.type == "missile" and mode.uses != 1:
        said = "a missile has one use: increase its quantity instead"
        yield amiss(_TYPES, f"{field}.uses", said, 0, "one use", 1)


def _check_device(rules: Ruleset, vehicle: Vehicle, body: Design, field: str, device: Device) -> Iterator[Problem]:
    if device.mount == "pintle" and device.modes:
        yield amiss("sil-d-accessories", f"{field}.modes", "an infantry weapon cannot have modes", 0, "no modes", [])
    if device.mount == "hand-held" and not any(perk.name == "manipulator arm" for perk in body.perks) and vehicle.build != "suit":
        said = "a hand-held system needs a manipulator arm"
        yield amiss("sil-f-system-perks", f"{field}.mount", said, 0, "on a hardpoint", "hardpoint")
    if rules.on("minimum-size"):
        size, least = size_of(rules, body).value, minimum_size(rules, device).value
        if exact(size) < exact(least):
            said = f"{device.name} needs a machine of Size {least:.1f}"
            left = [msgspec.to_builtins(system) for system in body.systems if system is not device]
            mended = Repair("remove it", field.rpartition(".")[0], left)
            yield Problem(_SMALLEST, field, said, rounded(exact(least) - exact(size), "up"), mended)


def _check_links(body: Design, prefix: str, names: set[str]) -> Iterator[Problem]:
    plain = [msgspec.to_builtins(candidate) for candidate in body.links]
    for place, link in enumerate(body.links):
        field = f"{prefix}links.{place}"
        known = [name for name in link.systems if name in names]
        many = sum(device.quantity for device in body.systems if device.name in known)
        without = Repair("remove it", f"{prefix}links", [result for at, result in enumerate(plain) if at != place])
        if len(known) < len(link.systems):
            lost = [name for name in link.systems if name not in names]
            mended = Repair(f"without {', '.join(lost)}", f"{field}.systems", known) if known else without
            yield Problem(_LINKS, f"{field}.systems", f"there is no system {lost[0]!r} to link", len(lost), mended)
        elif many < 2:
            yield Problem(_LINKS, field, "a link needs two or more systems", 2 - many, without)
