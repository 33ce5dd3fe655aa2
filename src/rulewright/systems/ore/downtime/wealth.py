"""Money between scenes: income by the month, estates and what they sell for, buying and paying back (book lines 1158-1282, 1517-1537)."""

from collections.abc import Mapping

from rulewright.campaign.activities.general import AIM
from rulewright.campaign.calendar import HOUR, MONTH
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, Begun, Change, EffectKind, Figure, again
from rulewright.errors import UserError
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.downtime.patients import Now, Patient, Recovers, person_of
from rulewright.systems.ore.downtime.ties import OWED, POUNDS
from rulewright.systems.ore.people.advantages import estate_price, monthly_income, starting_money
from rulewright.systems.ore.people.characters import Owned, Person

SOLD, ESTATE = "sold estate", "estate"
TIME = Figure("time", "Time it takes (the book prints none)", takes="span", default=HOUR)


def starting_pounds(rules: Ruleset, person: Person) -> int:
    """The money that a sheet says: what Wealth gives."""
    points = person.has("wealth")
    return starting_money(rules, points).value if points else 0


def incomes(rules: Ruleset, case: Now) -> tuple[Owned, ...]:
    """The sources of income that still pay: that of a sold estate does not."""
    sold = bool(case.running(SOLD))
    owned = person_of(rules, case.life.sheet).advantages
    return tuple([own for own in owned if own.name == "income" and own.rating and not (sold and own.attached == ESTATE)])


class Income(EffectKind[Patient]):
    """Income comes at the end of every month of 30 days (ruling). The data are the months that were paid."""

    name = "income"
    rules = ("ore-2.28-income",)
    possessions = True

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        return ("",) if incomes(rules, case) and not case.life.body.dead else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return MONTH

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Patient]]:
        sums = [monthly_income(rules, own.rating) for own in incomes(rules, case)]
        pounds = sum([income.value for income in sums])
        yield from Tell(Recovers(case.name, f"receives {pounds} {POUNDS} of income", "good", tuple([income.reason for income in sums])))
        return Change(case.life, again(effect, *effect.data), means=((POUNDS, pounds),))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{sum([monthly_income(rules, own.rating).value for own in incomes(rules, case)])} {POUNDS} of income"


class SoldEstate(Begun[Patient]):
    """An estate that was sold pays nothing any more. Never due."""

    name = SOLD
    rules = ("ore-2.24-estate",)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> None:
        return None

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return "the estate is sold"


class SellEstate(Activity[Patient]):
    """Selling the estate for ten times its monthly income, if a buyer is there; without Income the gamemaster sets the price."""

    name = "sell the estate"
    label = "sell the estate"
    rules = ("ore-2.24-estate",)
    price_set = Figure("price", "Price in pounds (0: the book's)", low=0, high=10_000_000, rule="ore-2.24-estate")
    arguments = (price_set, TIME)

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        if not any(own.name == ESTATE for own in person_of(rules, case.life.sheet).advantages) or case.running(SOLD):
            return f"{case.name} has no estate"
        if not int(case.argument(self.price_set)) and not self._income(rules, case):
            return "the Game Master sets the price of an estate without Income"
        return ""

    def _income(self, rules: Ruleset, case: Now) -> int:
        return sum([own.rating for own in incomes(rules, case) if own.attached == ESTATE])

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return case.worked(int(case.argument(TIME)))

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Patient]]:
        pounds = int(case.argument(self.price_set))
        price = None if pounds else estate_price(rules, self._income(rules, case))
        pounds = pounds if price is None else price.value
        sums = () if price is None else (price.reason,)
        yield from Tell(Recovers(case.name, f"sells the estate for {pounds} {POUNDS}", "good", sums))
        return Change(case.life, means=((POUNDS, pounds),), runs=(OngoingEffect(SOLD),))


class Spend(Activity[Patient]):
    """Buying something; with a number it is stock, such as materials. Or paying back what is owed."""

    name = "spend money"
    label = "spend money"
    rules = ("ore-2.41-wealth",)
    cost = Figure("cost", POUNDS, low=1, high=100_000_000, default=1, rule="ore-2.41-wealth")
    what_for = Figure("for", "To", ("buy it", "pay a loan back"), rule="ore-2.18-allies")
    number = Figure("number", "Added to the stock", low=0, high=10_000)
    arguments = (AIM, cost, what_for, number, TIME)

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        if given[self.number.name] and given[self.what_for.name] != self.what_for.words[0]:
            raise UserError("paying a loan back adds nothing to the stock")

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return case.worked(int(case.argument(TIME)))

    def price(self, rules: Ruleset, case: Now) -> tuple[tuple[str, int], ...]:
        return ((POUNDS, int(case.argument(self.cost))),)

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        owed = case.amount(OWED)
        if case.argument(self.what_for) == self.what_for.words[0] or owed >= int(case.argument(self.cost)):
            return ""
        return f"{case.name} owes {owed} {POUNDS}" if owed else f"{case.name} owes nothing"

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Patient]]:
        cost, number = int(case.argument(self.cost)), int(case.argument(self.number))
        if case.argument(self.what_for) != self.what_for.words[0]:
            yield from Tell(Recovers(case.name, f"pays {cost} {POUNDS} back ({effect.about})", "good"))
            return Change(case.life, means=((OWED, -cost),))
        yield from Tell(Recovers(case.name, f"buys {f'{number} ' if number else ''}{effect.about}", "good"))
        return Change(case.life, means=((effect.about, number),) if number else ())
