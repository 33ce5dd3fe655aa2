"""Money between scenes: work, and buying things and vehicles of the lists (book lines 1304-1336, 3494-3616, 3827-3873, 3987-4263)."""

from collections.abc import Mapping
from math import ceil

from msgspec import Struct

from rulewright.campaign.calendar import HOUR, WEEK
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, Case, Change, Figure
from rulewright.errors import UserError
from rulewright.grammar import figure
from rulewright.play import Happened, Play, Tell
from rulewright.rules import Ruleset, nearest
from rulewright.systems.foresight.downtime.survivors import Recovers, Survivor, technology_of
from rulewright.systems.foresight.gear.items import (
    AIDS,
    DEVICES,
    GENERATORS,
    SIZES,
    STORAGE,
    TOOLS,
    modified,
    pounds,
    price_of,
    technology_level,
    toolkit,
)
from rulewright.systems.foresight.gear.vehicles import VEHICLES, machine, price_at

Now = Case[Survivor]
SVU = "svu"
MOST_SVU = 1_000_000_000
EARLIEST, LATEST = -40_000, 10_000
"""The years that one can ask the technology level of."""


class Offer(Struct, frozen=True):
    """A thing on sale: what one of it costs and weighs, and from which technology level on it is made."""

    cost: float
    kg: float
    tl: float
    size: str = ""


def listed_names(rules: Ruleset) -> tuple[str, ...]:
    """Everything with a price in the lists of equipment and vehicles."""
    tables = (DEVICES(rules), GENERATORS(rules), AIDS(rules), STORAGE(rules), TOOLS(rules), VEHICLES(rules))
    return tuple(name for table in tables for name in table)


def listed_offer(rules: Ruleset, name: str) -> Offer | None:
    """A thing of the lists of equipment; a battery by the watt-hour. None for what is in none of them."""
    listed = DEVICES(rules).get(name) or GENERATORS(rules).get(name) or AIDS(rules).get(name)
    if listed is not None:
        return Offer(listed.cost, listed.kg, listed.tl, listed.size)
    battery = STORAGE(rules).get(name)
    if battery is not None:
        return Offer(battery.cost, battery.grams / 1000, battery.tl)
    if name in TOOLS(rules):
        tools = toolkit(rules, name)
        return Offer(tools.cost, tools.kg[0], 0)
    return None


def parted(text: str) -> tuple[str, ...]:
    """Names separated by commas."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


class Buy(Activity[Survivor]):
    """Buying a thing of the lists with modifications, a vehicle, or anything else at the gamemaster's price. It is added to the stock."""

    name = "buy"
    label = "buy something"
    rules = (
        "fs-wealth",
        "fs-item-modifications",
        "fs-item-characteristics",
        "fs-technology-levels",
        "fs-communications",
        "fs-power-storage",
        "fs-power-generators",
        "fs-navigation-aids",
        "fs-toolkits",
        "fs-vehicle-list",
        "fs-vehicle-mods",
        "fs-vehicle-stats",
    )
    item = Figure("item", "What, such as Sextant or Jeep", takes="text", needed=True)
    made = Figure("modifications", "Modifications, separated by commas", takes="text", rule="fs-item-modifications")
    number = Figure("number", "How many (watt-hours of a battery)", low=1, high=100_000, default=1)
    cost = Figure("cost", "svu for one (0: the list's)", low=0, high=MOST_SVU, rule="fs-wealth")
    year = Figure(
        "year", "Year in the West (0: the technology level of the location)", low=EARLIEST, high=LATEST, rule="fs-technology-levels"
    )
    time = Figure("time", "Time it takes (the book prints none)", takes="span", default=HOUR)
    arguments = (item, made, number, cost, year, time)

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        name, named = str(given[self.item.name]), parted(str(given[self.made.name]))
        if name in VEHICLES(rules):
            machine(rules, name, named)
            return
        modified(rules, named)
        if listed_offer(rules, name) is None and not given[self.cost.name]:
            raise UserError(f"no list has {name[:40]!r}{nearest(name, listed_names(rules))}; give its cost in svu")

    def offer(self, rules: Ruleset, case: Now) -> Offer:
        """What is bought, with its modifications, one of it."""
        name, named = str(case.argument(self.item)), parted(str(case.argument(self.made)))
        own = int(case.argument(self.cost))
        if name in VEHICLES(rules):
            vehicle = machine(rules, name, named)
            cost = float(own) if own else price_at(rules, name, self._level(rules, case), named).value
            return Offer(cost, 0, vehicle.tl or 0)
        listed, made = listed_offer(rules, name) or Offer(0, 0, 0), modified(rules, named)
        cost = price_of(rules, own or listed.cost, named).value if named else own or listed.cost
        return Offer(cost, listed.kg * made.kg, listed.tl + made.tl, listed.size)

    def _level(self, rules: Ruleset, case: Now) -> float:
        year = int(case.argument(self.year))
        return technology_level(rules, year) if year else technology_of(case)

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        try:
            needed, level = self.offer(rules, case).tl, self._level(rules, case)
        except UserError as error:
            return str(error)
        return "" if needed <= level else f"{case.argument(self.item)} is made from TL{needed:g} on, and this is TL{level:g}"

    def price(self, rules: Ruleset, case: Now) -> tuple[tuple[str, int], ...]:
        try:
            cost = ceil(self.offer(rules, case).cost * int(case.argument(self.number)))
        except UserError:
            return ()
        return ((SVU, cost),) if cost else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return case.worked(int(case.argument(self.time)))

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        number, offer = int(case.argument(self.number)), self.offer(rules, case)
        kg = offer.kg * number
        weighs = f"{figure(kg)} kg ({figure(pounds(rules, kg))} pounds)" if kg else ""
        like = f"the size of {SIZES.of(rules, offer.size)}" if offer.size in SIZES.every(rules) else offer.size
        details = "; ".join(part for part in (weighs, like) if part)
        yield from Tell(Happened(case.name, f"buys {number} {effect.about}{f', {details}' if details else ''}", "good"))
        return Change(case.life, means=((effect.about, number),))


class Labour(Activity[Survivor]):
    """Work for a wage by the week, as the gamemaster sets it."""

    name = "work for a wage"
    label = "work for a wage"
    rules = ("fs-wealth",)
    hours = 8
    aim = Figure("aim", "What work", takes="text", needed=True)
    wage = Figure("wage", "svu a week", low=0, high=MOST_SVU, default=100, rule="fs-wealth")
    weeks = Figure("weeks", "Weeks (0: until dropped)", low=0, high=10_000)
    arguments = (aim, wage, weeks)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return WEEK

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        worked, wage = int((effect.data or (0,))[0]) + 1, int(case.argument(self.wage))
        yield from Tell(Recovers(case.name, f"earns {wage} {SVU} ({effect.about})", "good"))
        goes_on = None if worked == int(case.argument(self.weeks)) else OngoingEffect(effect.of, effect.about, 0, (worked,))
        return Change(case.life, goes_on, means=((SVU, wage),) if wage else ())
