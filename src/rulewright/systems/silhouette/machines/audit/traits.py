"""Breaches in Perks and Flaws: unknown names, ratings out of bounds, too many, missing requirements (book lines 3011-3188, 9030-9426)."""

from collections.abc import Iterator
from typing import Any

import msgspec

from rulewright.build.audit import Problem, Repair, amiss, near_to
from rulewright.grammar import count
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.machines.design.costs import size_of
from rulewright.systems.silhouette.machines.design.crews import crew_of
from rulewright.systems.silhouette.machines.design.rounding import exact, rounded
from rulewright.systems.silhouette.machines.design.trait_costs import ARMS, has
from rulewright.systems.silhouette.machines.design.trait_effects import muscle_crew
from rulewright.systems.silhouette.machines.entries import missing
from rulewright.systems.silhouette.machines.tables import Priced, flaw_rows, perk_rows
from rulewright.systems.silhouette.machines.vehicle import Body, Design, Fitted, Vehicle

MOTIVE = ("off-road ability", "high towing capacity", "fuel efficient", "no fuel required", "diving wings", "glider")
"""Movement Perks that a section without movement cannot have."""
ONE_TO_A_PLACE = ("reinforced armor", "ablative armor", "weak facing")
"""Perks and Flaws of an arc or a location; each arc or location has one, with one rating."""
COMBAT = ("piloting", "gunnery", "small arms", "melee", "hand-to-hand", "heavy weapons", "combat sense", "defense")


def fittings(rules: Ruleset, vehicle: Vehicle, body: Design, prefix: str) -> Iterator[Problem]:
    """Every breach in a body's Perks and Flaws."""
    for part, entries, rows, others in (
        ("perks", body.perks, perk_rows(rules), flaw_rows(rules)),
        ("flaws", body.flaws, flaw_rows(rules), perk_rows(rules)),
    ):
        taken: dict[str, int] = {}
        covered: set[tuple[str, str]] = set()
        for place, fitted in enumerate(entries):
            taken[fitted.name] = taken.get(fitted.name, 0) + fitted.count
            entry = _Entry(rules, vehicle, body, prefix, part, place, fitted)
            if fitted.name in ONE_TO_A_PLACE and ((fitted.name, fitted.on) in covered or fitted.count > 1):
                yield entry.repeated(rows[fitted.name].rule if fitted.name in rows else "")
            covered.add((fitted.name, fitted.on))
            if fitted.name not in rows:
                yield entry.unknown(rows, others)
                continue
            yield from entry.problems(rows[fitted.name], taken[fitted.name])
    yield from _check_together(rules, body, prefix)


class _Entry:
    """An entry of a list, with what its repair needs."""

    def __init__(self, rules: Ruleset, vehicle: Vehicle, body: Design, prefix: str, part: str, place: int, fitted: Fitted) -> None:
        self.rules, self.vehicle, self.body, self.fitted = rules, vehicle, body, fitted
        self.part, self.place = f"{prefix}{part}", place
        self.entries: tuple[Fitted, ...] = getattr(body, part)
        self.field = f"{prefix}{part}.{place}"

    def without(self) -> Repair:
        """The repair that removes the entry."""
        return Repair("remove it", self.part, [msgspec.to_builtins(fitted) for at, fitted in enumerate(self.entries) if at != self.place])

    def unknown(self, rows: Any, others: Any) -> Problem:
        """The problem of an unknown name."""
        kind = "Perk" if self.part.endswith("perks") else "Flaw"
        if self.fitted.name in others:
            said = f"{self.fitted.name} is not a {kind}"
            return Problem(others[self.fitted.name].rule, f"{self.field}.name", said, 0, self.without())
        near = near_to(self.fitted.name, rows)
        mended = (
            Repair(f"write {near!r}", f"{self.field}.name", near) if near and not missing(rows[near].row, self.fitted) else self.without()
        )
        rule = "sil-4.1.8-perk-costs-features" if kind == "Perk" else "sil-4.1.8-flaw-costs-negative"
        return Problem(rule, f"{self.field}.name", f"there is no {kind} {self.fitted.name!r}", 0, mended)

    def repeated(self, rule: str) -> Problem:
        """The problem of a second entry for the same arc or location."""
        where = f" on the {self.fitted.on}" if self.fitted.on else ""
        mended = self.without() if self.fitted.count < 2 else Repair("only 1", f"{self.field}.count", 1)
        return Problem(rule, self.field, f"{self.fitted.name}{where} is listed twice; raise its rating instead", 1, mended)

    def problems(self, priced: Priced, taken: int) -> Iterator[Problem]:
        """The problems of an entry with a known name."""
        row, fitted, rule = priced.row, self.fitted, priced.rule
        if lacks := missing(row, fitted):
            yield Problem(rule, self.field, lacks, 0, self.without())
            return
        if row.most and taken > row.most:
            over = taken - row.most
            kept = fitted.count - over
            mended = self.without() if kept < 1 else Repair(f"only {kept}", f"{self.field}.count", kept)
            yield Problem(rule, self.field, f"{fitted.name} can be taken {_often(row.most)} at most", over, mended)
        yield from self._check_rating(priced)
        yield from self._check_amount(priced)
        if row.needs and not any(way.type in row.needs for way in self.body.movement):
            yield Problem(rule, self.field, f"{fitted.name} needs {' or '.join(row.needs)} movement", 0, self.without())
        if fitted.on and row.on and fitted.on not in row.on:
            near = near_to(fitted.on, row.on) or row.on[0]
            said = f"{fitted.name} must be on one of {', '.join(row.on)}, not {fitted.on!r}"
            yield amiss(rule, f"{self.field}.on", said, 0, f"on {near}", near)
        elif fitted.name in ("off-road ability", "decreased maneuver") and not any(way.type == fitted.on for way in self.body.movement):
            yield Problem(rule, f"{self.field}.on", f"it has no {fitted.on} movement", 0, self.without())
        if row.part_of and not any(perk.name == row.part_of for perk in self.body.perks):
            yield Problem(rule, self.field, f"{fitted.name} requires {row.part_of}", 0, self.without())
        if fitted.punch:
            yield from self._check_punch(rule)
        yield from self._check_special(rule)
        source = "stand-in" if fitted.variant in row.lost else row.source
        if source == "stand-in":
            yield Problem(rule, self.field, f"{fitted.name}: the book lacks a price; ours is a stand-in", 0, None, True)

    def _check_rating(self, priced: Priced) -> Iterator[Problem]:
        row, rating = priced.row, self.fitted.rating
        if rating is None:
            return
        least = row.low if row.low is not None else 1
        most = row.high
        if row.half_of:
            half = rounded(exact(self.body.armor if row.half_of == "armor" else size_of(self.rules, self.body).value) / 2, "down")
            most = half if most is None else min(most, half)
        if not row.rated:
            yield amiss(priced.rule, f"{self.field}.rating", f"{row.name} has no rating", 0, "no rating", None)
        elif rating < least or (most is not None and rating > most):
            if most is not None and most < least:
                said = f"its {'Armor' if row.half_of == 'armor' else 'Size'} is too low for {row.name}"
                yield Problem(priced.rule, self.field, said, 0, self.without())
                return
            near = least if rating < least else most
            over = least - rating if rating < least else rating - (most or 0)
            limit = f"{least} to {most}" if most is not None else f"at least {least}"
            said = f"the rating of {row.name} must be {limit}{f' (half its {row.half_of})' if row.half_of else ''}, not {rating}"
            yield amiss(priced.rule, f"{self.field}.rating", said, over, f"rating {near}", near)

    def _check_amount(self, priced: Priced) -> Iterator[Problem]:
        row, amount, field = priced.row, self.fitted.amount, f"{self.field}.amount"
        if amount is None:
            return
        most = {
            "crew interfaced": crew_of(self.body).value,
            "crew exposed": crew_of(self.body).value,
            "passengers covered": self.body.passengers,
        }
        if row.unit in most and amount > most[row.unit]:
            over = rounded(exact(amount) - most[row.unit], "up")
            yield amiss(priced.rule, field, f"the amount can be at most {most[row.unit]}", over, str(most[row.unit]), most[row.unit])
        elif row.least and amount < row.least:
            yield amiss(priced.rule, field, f"the amount must be at least {row.least:g} {row.unit}", 1, f"{row.least:g}", row.least)
        elif not row.unit:
            yield amiss(priced.rule, field, f"{row.name} has no amount", 0, "no amount", None)

    def _check_punch(self, rule: str) -> Iterator[Problem]:
        field = f"{self.field}.punch"
        if self.fitted.name not in ARMS:
            yield amiss("sil-4.1.10-otv", field, "only arms can punch", 0, "no punch", None)
        elif (self.fitted.punch or 0) > (self.fitted.rating or 0):
            rating = self.fitted.rating or 0
            said = f"a punch of ×{self.fitted.punch:g} is above the arm's rating of {rating}"
            over = rounded(exact(self.fitted.punch or 0) - rating, "up")
            yield amiss("sil-4.1.10-otv", field, said, over, f"make it ×{rating}", rating)

    def _check_special(self, rule: str) -> Iterator[Problem]:
        """Special requirements of single Perks and Flaws."""
        body, name, fitted = self.body, self.fitted.name, self.fitted
        flight = next((way for way in body.movement if way.type == "air"), None)
        if name == "airlift winch" and flight is not None and flight.stall:
            yield Problem(rule, self.field, "an airlift winch needs a machine that can hover", 0, self.without())
        if name == "maximum climbing angle" and flight is not None and not flight.stall:
            yield Problem(rule, self.field, "a hovering machine climbs at any angle", 0, self.without())
        if name == "decreased maneuver" and len(body.movement) < 2:
            yield Problem(rule, self.field, "only machines with two or more movement types can have decreased Maneuver", 0, self.without())
        if name == "laboratory" and fitted.on.lower().split(" (")[0] in COMBAT:
            yield Problem(
                "sil-d-features", f"{self.field}.on", "a laboratory cannot be for combat skills, Piloting or Gunnery", 0, self.without()
            )
        if name == "muscle-powered":
            yield from self._check_muscle()
        if isinstance(body, Body) and body in self.vehicle.sections and not body.motive:
            listed = rule.endswith("-movement") or name in MOTIVE
            if listed:
                said = "a section without movement cannot have movement Perks"
                yield Problem("sil-4.3.2-large-vehicles", self.field, said, 0, self.without())

    def _check_muscle(self) -> Iterator[Problem]:
        rule = "sil-e-movement-flaws"
        if has(self.body, "no engine"):
            yield Problem(rule, self.field, "muscle power and no engine exclude each other", 0, self.without())
        size = size_of(self.rules, self.body).value
        needed = muscle_crew(size).value
        if self.body.crew < needed:
            field = self.part.rpartition("flaws")[0] + "crew"
            said = f"muscle power at Size {size:g} needs {needed} people"
            yield amiss(rule, field, said, needed - self.body.crew, f"a crew of {needed}", needed)


def _often(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _check_together(rules: Ruleset, body: Design, prefix: str) -> Iterator[Problem]:
    """Breaches between the lists."""
    names = {flaw.name for flaw in body.flaws}
    if "cannot glide" in names and any(perk.name == "glider" for perk in body.perks):
        left = [msgspec.to_builtins(flaw) for flaw in body.flaws if flaw.name != "cannot glide"]
        said = "a glider cannot have the Flaw cannot glide"
        yield amiss("sil-e-movement-flaws", f"{prefix}flaws", said, 0, "remove cannot glide", left)
    mounts = sum(perk.count for perk in body.perks if perk.name == "pintle mount")
    guns = sum(device.quantity for device in body.systems if device.mount == "pintle")
    if guns > mounts:
        said = f"{count(guns, 'pintle weapon')} but {count(mounts, 'pintle mount')}"
        perks = [msgspec.to_builtins(perk) for perk in body.perks] + [{"name": "pintle mount", "count": guns - mounts}]
        yield amiss("sil-d-accessories", f"{prefix}perks", said, guns - mounts, "add pintle mounts", perks)
