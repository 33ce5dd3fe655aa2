"""The sheet of a machine: summary, hull, movement, crew, Perks, Flaws and systems."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.build.sheet_parts import AnyPiece, Arcs, Band, Bands, Choosable, PickMany, Rows, Section, Sector, Sheet, Stepper, Tag, Value
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived
from rulewright.systems.silhouette.machines.design.costs import default_size, reckoned, size_of, sizes_allowed
from rulewright.systems.silhouette.machines.design.crews import (
    computer_multiplier,
    computer_points,
    crew_of,
    crew_skills,
    quality_multiplier,
)
from rulewright.systems.silhouette.machines.design.rounding import Figure, exact, plain, rounded
from rulewright.systems.silhouette.machines.design.sizes import SMALL, largest_mass, volume
from rulewright.systems.silhouette.machines.design.speeds import combat_speed, shown_speed
from rulewright.systems.silhouette.machines.design.threat import device_worth, link_worth, threat
from rulewright.systems.silhouette.machines.design.trait_costs import flaws_of, label, perks_of
from rulewright.systems.silhouette.machines.design.trait_effects import actions_of, arm_ratings, crush_depth, effect_of, lifting
from rulewright.systems.silhouette.machines.machine import Machine, machine
from rulewright.systems.silhouette.machines.sheet.price_previews import offers, one_more
from rulewright.systems.silhouette.machines.sheet.record_sheet import record
from rulewright.systems.silhouette.machines.sheet.sheet_values import pick, value
from rulewright.systems.silhouette.machines.sheet.system_rows import patterns, system_row
from rulewright.systems.silhouette.machines.sheet.whole_machine import making, special
from rulewright.systems.silhouette.machines.special import in_personal_scale
from rulewright.systems.silhouette.machines.tables import (
    CREW_QUALITY,
    MOVEMENT,
    TYPICAL_MANEUVER,
    PriceRow,
    flaw_rows,
    perk_rows,
)
from rulewright.systems.silhouette.machines.vehicle import LOCATIONS, Component, Design, Fitted, Mode, Vehicle

BAR = ("threat_value", "final_cost", "mass", "size", "actions")
PARTS = ("offensive_threat_value", "defensive_threat_value", "miscellaneous_threat_value")
MOST_SIZE, MOST_ARMOR, MOST_CREW, MOST_DEPLOYMENT = 300, 500, 5_000, 50_000


@cached(64)
def sheet(rules: Ruleset, vehicle: Vehicle) -> Sheet:
    """The complete sheet of a machine."""
    page = _Page(rules, vehicle)
    sections = [
        Section("Threat Value", tuple(page.worth()), "screen"),
        Section("Hull", tuple(page.hull("", vehicle)), "screen"),
        Section("Movement", tuple(page.movement("", vehicle)), "screen"),
        Section("Crew", tuple(page.crew("", vehicle)), "screen"),
        Section("Systems", tuple(page.systems("", vehicle)), "screen"),
        Section("Perks", tuple(page.perks("", vehicle)), "screen"),
        Section("Flaws", tuple(page.flaws("", vehicle)), "screen"),
        Section("Making and extras", tuple(making(rules, vehicle)), "screen"),
        Section("Special construction", tuple(special(rules, vehicle)), "screen"),
    ]
    for name, title in (("sections", "Section"), ("forms", "Form"), ("components", "Component")):
        for place, body in enumerate(getattr(vehicle, name)):
            sections.append(Section(f"{title}: {body.name}", tuple(page.body(f"{name}.{place}.", body)), "screen"))
    sections.extend(record(rules, vehicle, page.machine))
    return Sheet("silhouette", "vehicle", vehicle.name, vehicle.concept, tuple(part for part in sections if part.pieces), BAR, PARTS)


class _Page:
    """One machine under one ruleset, with its shared derived values."""

    def __init__(self, rules: Ruleset, vehicle: Vehicle) -> None:
        self.rules, self.vehicle = rules, vehicle
        self.reckoned = reckoned(rules, vehicle)
        self.threat = threat(rules, vehicle)
        self.machine: Machine = machine(rules, vehicle)

    # --- summary ------------------------------------------------------------------------------------------------------------------

    def worth(self) -> Iterator[AnyPiece]:
        """Threat Value and cost."""
        result, parts = self.reckoned, self.threat
        yield value("threat_value", "Threat Value", result.threat_value)
        yield value("offensive_threat_value", "Offensive", parts.offense)
        yield value("defensive_threat_value", "Defensive", parts.defense)
        yield value("miscellaneous_threat_value", "Miscellaneous", parts.miscellany)
        yield value("default_size", "Default Size", result.default_size)
        yield value("default_cost", "Default Cost", result.default_cost, "credits")
        yield value("pre_production_cost", "Pre-Production Cost", result.pre_production, "credits")
        yield value("final_cost", "Final Cost", result.final_cost, "credits")
        yield value("mass", "Mass in kg", result.mass)

    # --- hull -------------------------------------------------------------------------------------------------------------------

    def hull(self, prefix: str, body: Design) -> Iterator[AnyPiece]:
        """Size, Armor, Maneuver."""
        rules, vehicle = self.rules, self.vehicle
        least, most = sizes_allowed(default_size(threat(rules, body).value.value).value)
        size = size_of(rules, body)
        yield from self._size(prefix, body, least, most)
        yield value(f"{prefix}size".replace(".", "_"), "Size", size)
        yield value(f"{prefix}volume".replace(".", "_"), "Volume in cubic metres", volume(min(10_000, float(size.value))))
        yield from self._armor(prefix, body, exact(size.value) <= SMALL)
        yield Stepper(
            name="Maneuver",
            rule="sil-4.1.6-maneuver",
            note=TYPICAL_MANEUVER.numbered(rules).get(body.maneuver, ""),
            field=f"{prefix}maneuver",
            value=body.maneuver,
            low=-10,
            high=3,
            price=one_more(rules, vehicle, maneuver=body.maneuver + 1) if not prefix and body.maneuver < 3 else "",
            signed=True,
        )

    def _size(self, prefix: str, body: Design, least: Figure, most: int) -> Iterator[AnyPiece]:
        """Choices of Size and mass, or automatic: tenths up to five, whole Sizes above; the masses of the Size, and
        the largest of every other."""
        rules = self.rules
        sizes = [plain(exact(place) / 10) for place in range(1, 51)] + list(range(6, min(MOST_SIZE, most) + 1))
        fits = [number for number in sizes if exact(least) <= exact(number) <= most]
        wished = sorted({*fits, *([body.size] if body.size else [])})
        options = [Choosable("0", "automatic"), *(Choosable(f"{number:g}", f"{number:g}") for number in wished)]
        yield pick(
            "Target Size", "sil-4.1.11-default-size-cost", f"{prefix}size", f"{body.size:g}", options=options, note=f"{least:g} to {most}"
        )
        heaviest = {fit: largest_mass(rules, float(fit)).value for fit in fits}
        size = size_of(rules, body).value
        if size in heaviest:
            under = max((mass for number, mass in heaviest.items() if number < size), default=0)
            masses = {under + (heaviest[size] - under) * tenth // 10 for tenth in range(1, 11)}
        else:
            masses = set()
        known = sorted({*heaviest.values(), *masses, *([body.mass] if body.mass else [])} - {0})
        weights = [Choosable("0", "automatic: the most for its Size"), *(Choosable(str(number), f"{number:,} kg") for number in known)]
        yield pick("Target mass", "sil-4.1.2-size-mass", f"{prefix}mass", str(body.mass), options=weights)

    def _armor(self, prefix: str, body: Design, small: bool) -> Iterator[AnyPiece]:
        rules, vehicle = self.rules, self.vehicle
        if small or exact(body.armor).denominator != 1:
            tenths = [plain(exact(place) / 10) for place in range(1, 151)]
            options = dict.fromkeys([*(f"{tenth:g}" for tenth in tenths), f"{body.armor:g}"])
            yield pick(
                "Armor",
                "sil-4.1.3-armor",
                f"{prefix}armor",
                f"{body.armor:g}",
                options=options,
                note="tenths are Personal-scale points",
            )
        else:
            yield Stepper(
                name="Armor",
                rule="sil-4.1.3-armor",
                field=f"{prefix}armor",
                value=int(body.armor),
                low=1,
                high=MOST_ARMOR,
                price=one_more(rules, vehicle, armor=int(body.armor) + 1) if not prefix else "",
            )
        own = self.machine if not prefix else None
        armor = own.armor if own is not None else body.armor
        bands = tuple(
            Band(name, float(exact(armor) * factor), grave)
            for name, factor, grave in (("no effect", 1, 0), ("Light", 2, 1), ("Heavy", 3, 2), ("Overkill", 4, 3))
        )
        yield Bands(name="Damage thresholds", rule="sil-4.1.1-record-sheet", note=_thresholds(armor), bands=bands)
        if small:
            yield value(f"{prefix}personal_armor".replace(".", "_"), "Armor in the Personal scale", in_personal_scale(float(body.armor)))

    # --- movement ---------------------------------------------------------------------------------------------------------------

    def movement(self, prefix: str, body: Design) -> Iterator[AnyPiece]:
        """Movement types, range and fuel."""
        rules = self.rules
        rows = []
        for way in body.movement:
            combat = shown_speed(rules, way, float(combat_speed(float(way.top)).value))
            stall = f"Stall Speed {way.stall:g}" if way.type == "air" else "unpowered" if way.unpowered else ""
            rows.append((way.type, combat, shown_speed(rules, way, float(way.top)), stall))
        known = {way.type for way in body.movement}
        yield Rows(
            name="Movement types",
            rule="sil-4.1.5-movement-types",
            field=f"{prefix}movement",
            heads=("type", "combat", "top", ""),
            rows=tuple(rows),
            keys=tuple(str(place) for place in range(len(rows))),
            addable=tuple(
                Choosable(name, name, note=row.effect, entry={"type": name, "top": 4})
                for name, row in MOVEMENT(rules).items()
                if name not in known
            ),
        )
        for place, way in enumerate(body.movement):
            if way.top == int(way.top):
                faster = tuple(
                    replace(result, top=int(result.top) + 1) if at == place else result for at, result in enumerate(body.movement)
                )
                yield Stepper(
                    name=f"{way.type.capitalize()} top speed",
                    rule="sil-4.1.5-speed",
                    field=f"{prefix}movement.{place}.top",
                    value=int(way.top),
                    low=0,
                    high=200,
                    price=one_more(rules, self.vehicle, movement=faster) if not prefix else "",
                )
            if not prefix and way.top:
                yield self._speeds(place)
        step = 50
        yield Stepper(
            name="Deployment Range",
            rule="sil-4.1.7-deployment-range",
            note="hours in space" if "space" in known else "km",
            field=f"{prefix}deployment",
            value=int(body.deployment),
            low=0,
            high=MOST_DEPLOYMENT,
            price=one_more(rules, self.vehicle, deployment=int(body.deployment) + step) if not prefix else "",
            step=step,
        )
        if "space" in known or body.burn_points or body.reaction_mass != "none":
            masses = ("none", "hydrogen", "helium-3", "water", "high-efficiency rocket fuel", "low-efficiency rocket fuel")
            yield pick("Reaction mass", "sil-4.1.7-reaction-mass", f"{prefix}reaction_mass", body.reaction_mass, options=masses)
            yield Stepper(
                name="Burn Points",
                rule="sil-4.1.7-reaction-mass",
                field=f"{prefix}burn_points",
                value=body.burn_points,
                low=0,
                high=50_000,
                step=50,
            )
        if not prefix and "submarine" in known:
            yield value("crush_depth", "Crush depth in metres", crush_depth(body))

    def _speeds(self, place: int) -> Bands:
        way = self.machine.ways[place]
        half = float(rounded(exact(way.combat) / 2, "down"))  # whole Movement Points (line 4378)
        bands = (Band("half combat", half, 0), Band("combat", float(way.combat), 1), Band("top", float(way.top), 2))
        return Bands(name=f"{way.type.capitalize()} speeds", rule="sil-4.1.5-speed", bands=bands, unit="MP")

    # --- crew -------------------------------------------------------------------------------------------------------------------

    def crew(self, prefix: str, body: Design) -> Iterator[AnyPiece]:
        """Crew, passengers, computers."""
        rules, vehicle = self.rules, self.vehicle
        price = one_more(rules, vehicle, crew=body.crew + 1) if not prefix else ""
        yield Stepper(name="Crew", rule="sil-4.1.4-crew", field=f"{prefix}crew", value=body.crew, low=0, high=MOST_CREW, price=price)
        yield Stepper(
            name="Passengers",
            rule="sil-4.1.4-crew",
            field=f"{prefix}passengers",
            value=body.passengers,
            low=0,
            high=MOST_CREW,
            price="free",
        )
        yield value(f"{prefix}crew_in_all".replace(".", "_"), "Effective crew", crew_of(body))
        yield value(f"{prefix}actions".replace(".", "_"), "Actions", actions_of(rules, body))
        yield Rows(
            name="Computers",
            rule="sil-4.1.13-computer-crew",
            field=f"{prefix}computers",
            heads=("mind", "counts as", "level", "multiplier", "points for attributes"),
            rows=tuple(
                (
                    computer.mind,
                    str(computer.crew),
                    str(computer.level),
                    f"×{computer_multiplier(rules, computer.level, computer.mind).value:g}",
                    str(computer_points(rules, computer.level, computer.mind).value),
                )
                for computer in body.computers
            ),
            keys=tuple(str(place) for place in range(len(body.computers))),
            addable=(Choosable("dumb", "dumb computer"), Choosable("sentient", "sentient computer")),
        )
        if prefix:
            return
        levels = [Choosable(str(row.level), f"{row.name} ({row.level})", f"×{row.multiplier:g}") for row in CREW_QUALITY(rules).values()]
        yield pick("Crew quality", "sil-4.1.13-crew-quality", "crew_level", vehicle.crew_level, options=levels)
        leans = [Choosable("false", "gunnery"), Choosable("true", "information warfare, as scouts")]
        yield pick("Crew is better at", "sil-4.1.13-crew-quality", "scout", str(vehicle.scout).lower(), options=leans)
        yield value("crew_multiplier", "Crew quality multiplier", quality_multiplier(rules, vehicle))
        skills = ", ".join(f"{name} {level}" for name, level in crew_skills(vehicle.crew_level, vehicle.scout).items())
        yield Tag(name="Crew skills", rule="sil-4.1.13-crew-quality", effect=skills)

    # --- systems ----------------------------------------------------------------------------------------------------------------

    def systems(self, prefix: str, body: Design) -> Iterator[AnyPiece]:
        """Weapons and devices, links, and a diagram of arcs and ranges."""
        rules = self.rules
        yield Rows(
            name="Systems",
            rule="sil-4.2.4-system-cost",
            field=f"{prefix}systems",
            heads=("name", "arc", "Acc", "DM", "ranges", "ROF", "ammo", "characteristics", "price"),
            rows=tuple(system_row(rules, device) for device in body.systems),
            keys=tuple(str(place) for place in range(len(body.systems))),
            addable=patterns(rules),
        )
        for place, device in enumerate(body.systems):
            yield Rows(
                name=f"Other modes of {device.name}",
                rule="sil-4.2.4-system-cost",
                field=f"{prefix}systems.{place}.modes",
                heads=("name", "Acc", "DM", "range", "ROF", "ammo"),
                rows=tuple(_mode_row(mode) for mode in device.modes),
                keys=tuple(str(at) for at in range(len(device.modes))),
            )
        yield Rows(
            name="Links",
            rule="sil-4.1.10-otv",
            field=f"{prefix}links",
            heads=("name", "systems", "price"),
            rows=tuple((link.name, ", ".join(link.systems), f"{link_worth(rules, body, link).value:g}") for link in body.links),
            keys=tuple(str(place) for place in range(len(body.links))),
        )
        if prefix:
            return
        sectors = []
        for system in self.machine.systems:
            reach = system.versions[0].ranges or (1,)
            sectors.append(Sector(system.name, system.faces, system.degrees, tuple(float(step) for step in reach)))
        if sectors:
            sides = (Sector("rear", 180, 60, ()), Sector("rear flank", 120, 60, ()), Sector("rear flank", -120, 60, ()))
            yield Arcs(name="Arcs and ranges", rule="sil-4.1.10-otv", sectors=tuple(sectors), unit="hexes", sides=sides)
        for place, device in enumerate(body.systems):
            derived = device_worth(rules, device)
            yield Value(
                name=device.name,
                rule=derived.reason.rule,
                key=f"systems.{place}",
                value=plain(exact(derived.value)),
                reasons=derived.reasons,
            )

    # --- Perks and Flaws --------------------------------------------------------------------------------------------------------

    def perks(self, prefix: str, body: Design) -> Iterator[AnyPiece]:
        """Perks with their points."""
        rules, points = self.rules, perks_of(self.rules, body)
        rows = {name: priced.row for name, priced in perk_rows(rules).items()}
        yield value(f"{prefix}perk_points".replace(".", "_"), "Perk points", points.total)
        yield self._list(
            "Perks",
            "sil-d-perk-notation",
            f"{prefix}perks",
            body.perks,
            points.each,
            rows,
            offers(rules, self.vehicle, body) if not prefix else (),
        )
        if arms := arm_ratings(body):
            yield value(f"{prefix}lifting".replace(".", "_"), "Lifts a Size of", lifting(arms, float(size_of(rules, body).value)))

    def flaws(self, prefix: str, body: Design) -> Iterator[AnyPiece]:
        """Flaws with their points."""
        rules, points = self.rules, flaws_of(self.rules, body)
        rows = {name: priced.row for name, priced in flaw_rows(rules).items()}
        yield value(f"{prefix}flaw_points".replace(".", "_"), "Flaw points", points.total)
        offered = offers(rules, self.vehicle, body, flaw=True) if not prefix else ()
        yield self._list("Flaws", "sil-e-negative-features", f"{prefix}flaws", body.flaws, points.each, rows, offered, flaw=True)

    def _list(
        self,
        name: str,
        rule: str,
        field: str,
        entries: tuple[Fitted, ...],
        worths: tuple[Derived[Figure] | None, ...],
        rows: dict[str, PriceRow],
        addable: tuple[Choosable, ...],
        flaw: bool = False,
    ) -> Rows:
        shown = []
        for fitted, worth in zip(entries, worths, strict=True):
            row, effect = rows.get(fitted.name), effect_of(self.rules, fitted.name, flaw=flaw)
            source = "" if row is None or row.source == "book" else row.source
            if row is not None and fitted.variant in row.lost:
                source = "stand-in"
            points = "?" if worth is None else f"{round(float(worth.value), 2):g}"
            shown.append(
                (
                    label(fitted),
                    f"{points}{f' ({source})' if source else ''}",
                    effect.effect if effect is not None else "unknown",
                )
            )
        return Rows(
            name=name,
            rule=rule,
            field=field,
            heads=("name", "points", "effect"),
            rows=tuple(shown),
            keys=tuple(str(place) for place in range(len(entries))),
            addable=addable,
        )

    def body(self, prefix: str, body: Design) -> Iterator[AnyPiece]:
        """A section, form or component."""
        result = threat(self.rules, body)
        key = prefix.replace(".", "_")
        yield value(f"{key}threat_value", "Threat Value", result.value)
        if isinstance(body, Component):
            parts = tuple(Choosable(LOCATION, LOCATION) for LOCATION in LOCATIONS)
            yield PickMany(name="Makes up", rule="sil-4.3.6-combiners", field=f"{prefix}locations", values=body.locations, options=parts)
        yield from self.hull(prefix, body)
        yield from self.movement(prefix, body)
        yield from self.crew(prefix, body)
        yield from self.systems(prefix, body)
        yield from self.perks(prefix, body)
        yield from self.flaws(prefix, body)


def _mode_row(mode: Mode) -> tuple[str, ...]:
    """Another mode in one line."""
    return mode.name, f"{mode.accuracy:+d}", f"{mode.damage:g}", f"{mode.range:g}", str(mode.rate), str(mode.uses or "∞")


def _thresholds(armor: Figure) -> str:
    light, heavy, overkill = (plain(exact(armor) * factor) for factor in (1, 2, 3))
    return f"Light from {light:g}, Heavy from {heavy:g}, Overkill from {overkill:g}"
