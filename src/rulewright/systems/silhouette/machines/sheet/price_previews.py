"""Price previews: what choices would add to the Threat Value."""

from msgspec.structs import replace

from rulewright.build.sheet_parts import Choosable
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.machines.design.costs import reckoned
from rulewright.systems.silhouette.machines.design.rounding import Figure, exact, plain, rounded, worth
from rulewright.systems.silhouette.machines.design.threat import running, threat
from rulewright.systems.silhouette.machines.design.trait_costs import NO_SPEED, beginning, flaws_of, perks_of, price
from rulewright.systems.silhouette.machines.design.trait_effects import effect_of
from rulewright.systems.silhouette.machines.tables import Priced, flaw_rows, perk_rows
from rulewright.systems.silhouette.machines.vehicle import Design, Fitted, Vehicle


def more(rules: Ruleset, vehicle: Vehicle, changed: Vehicle) -> int:
    """Returns the change of the Threat Value."""
    return reckoned(rules, changed).threat_value.value - reckoned(rules, vehicle).threat_value.value


def shown(added: int) -> str:
    """A change of the Threat Value in short."""
    return f"{added:+d} TV" if added else "±0 TV"


def one_more(rules: Ruleset, vehicle: Vehicle, **fields: object) -> str:
    """Returns what one more of a figure adds."""
    try:
        return shown(more(rules, vehicle, replace(vehicle, **fields)))
    except UserError:
        return ""


class Ahead:
    """Predicts the Threat Value for further points without rebuilding the machine."""

    def __init__(self, rules: Ruleset, vehicle: Vehicle, body: Design) -> None:
        self.whole = body is vehicle and not (vehicle.sections or vehicle.components or vehicle.forms)
        result = threat(rules, body)
        self.others = result.offense.value + result.defense.value
        perks, flaws = exact(perks_of(rules, body).total.value), exact(flaws_of(rules, body).total.value)
        self.perks, self.flaws = perks, flaws
        self.rest = worth(running(rules, body))
        self.now = result.value.value
        final = reckoned(rules, vehicle).threat_value.value if self.whole else result.value.value
        self.factor = exact(final) / self.now if self.now else exact(1)

    def added(self, perks: Figure = 0, flaws: Figure = 0) -> int:
        """Returns what so many more points of Perks or Flaws add."""
        sum_ = self.rest + (self.perks + exact(perks)) ** 2 - (self.flaws + exact(flaws)) ** 2
        misc = rounded(max(exact(0), sum_))
        return rounded((exact(rounded(exact(self.others + misc) / 3)) - self.now) * self.factor)


def offers(rules: Ruleset, vehicle: Vehicle, body: Design, *, flaw: bool = False) -> tuple[Choosable, ...]:
    """Every Perk or Flaw with its price and its change of the Threat Value, in its smallest version."""
    ahead = Ahead(rules, vehicle, body)
    taken: dict[str, int] = {}
    for fitted in body.flaws if flaw else body.perks:
        taken[fitted.name] = taken.get(fitted.name, 0) + fitted.count
    rows = (flaw_rows if flaw else perk_rows)(rules)
    return tuple(_offer(rules, vehicle, body, ahead, priced=priced, taken=taken.get(name, 0), flaw=flaw) for name, priced in rows.items())


def _offer(rules: Ruleset, vehicle: Vehicle, body: Design, ahead: Ahead, *, priced: Priced, taken: int, flaw: bool) -> Choosable:
    row, entry = priced.row, beginning(priced.row)
    try:
        points: Figure = price(rules, Fitted(**entry), body, flaw=flaw).value
    except UserError:
        points = 0
    barred = ""
    if row.most and taken >= row.most:
        barred = "taken"
    elif row.needs and not any(way.type in row.needs for way in body.movement):
        barred = f"needs {' or '.join(row.needs)} movement"
    elif row.part_of and not any(perk.name == row.part_of for perk in body.perks):
        barred = f"needs {row.part_of}"
    added = _added(rules, vehicle, body, ahead, priced=priced, entry=Fitted(**entry), points=points, flaw=flaw)
    effect = effect_of(rules, row.name, flaw=flaw)
    return Choosable(
        key=row.name,
        label=row.name,
        price=f"{count(plain(exact(round(points, 2))), 'point')}, {shown(added)}",
        barred=barred,
        source=row.source,
        group=priced.list_name,
        note=effect.effect if effect is not None else "",
        entry=entry,
    )


def _added(
    rules: Ruleset, vehicle: Vehicle, body: Design, ahead: Ahead, *, priced: Priced, entry: Fitted, points: Figure, flaw: bool
) -> int:
    """Prices an entry: usually by its points alone; an entry that changes another price or the cost of speed is evaluated in place."""
    if priced.row.name in NO_SPEED and body is vehicle:
        part = {"flaws": (*vehicle.flaws, entry)} if flaw else {"perks": (*vehicle.perks, entry)}
        return more(rules, vehicle, replace(vehicle, **part))
    if priced.row.part_of:
        points = plain(exact(perks_of(rules, replace(body, perks=(*body.perks, entry))).total.value) - ahead.perks)
    return ahead.added(flaws=points) if flaw else ahead.added(perks=points)
