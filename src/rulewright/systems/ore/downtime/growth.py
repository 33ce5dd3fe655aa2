"""What people gain between scenes: experience, and everything that it buys (book lines 1924-1929, 6085-6103)."""

from rulewright.campaign.calendar import HOUR
from rulewright.campaign.downtime import Learnt, OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, Begun, Change, Figure
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.play import Play, Tell
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.ore.build.advancement import buy, listed_price
from rulewright.systems.ore.downtime.patients import Now, Patient, Recovers, character_of, person_of
from rulewright.systems.ore.people.characters import Person, PowerSet, Purchase
from rulewright.systems.ore.people.skills import written

RULE, INTENSITY, AVAILABILITY = "ore-3.02-advancement-discipline", "ore-5.03-intensity", "ore-5.03-opt-learning-cost"
XP = "experience"
TIME = Figure("time", "Time it takes (the book prints none)", takes="span", default=HOUR)
KINDS = (
    *("skill", "discipline", "concentration", "feat", "expert die", "master die", "statistic", "advantage"),
    *("power effect", "power statistic", "power skill", "energy", "inherent power", "identity", "disadvantage"),
)


class Award(Begun[Patient]):
    """Experience at the end of a session. The book gives no rate; the gamemaster says how much."""

    name = "award"
    label = "award experience"
    rules = (RULE,)
    arguments = (Figure("session", "What for", takes="text"), Figure("xp", "Points of experience", low=1, high=1000, default=1, rule=RULE))

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Patient]]:
        xp = int(effect.data[1])
        words = f"gains {count(xp, 'point')} of experience"
        session = (("session", effect.about),) if effect.about else ()
        yield from Tell(Recovers(case.name, words, "good"))
        return Change(case.life, learnt=(Learnt("award", (*session, ("xp", xp)), 0, words),))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{count(int(effect.data[1]), 'point')} of experience"


class Learn(Activity[Patient]):
    """The next rating of anything that experience buys, for the book's price or, where it has none, the gamemaster's."""

    name = "learn"
    label = "learn or improve something"
    rules = (RULE, INTENSITY, AVAILABILITY)
    hours = 8
    what = Figure("what", "What", takes="text", needed=True, rule=RULE)
    kind = Figure("kind", "Kind", KINDS, rule=RULE)
    under = Figure("under", "Discipline of a Concentration, or set of a power", takes="text")
    xp = Figure("xp", "Price (0: the book's)", low=0, high=1000, rule=RULE)
    first = Figure("first", "First part of an advantage, or level of an inherent power", low=0, high=10)
    second = Figure("second", "Second part of an advantage, or limit of an inherent power", low=0, high=10)
    choice = Figure("choice", "Choice of an advantage", takes="text")
    arguments = (what, kind, under, xp, first, second, choice, TIME)

    def purchase(self, rules: Ruleset, case: Now) -> Purchase:
        """The purchase as the log of experience takes it."""
        kind, what, under = (str(case.argument(figure)) for figure in (self.kind, self.what, self.under))
        first, second, xp = (int(case.argument(figure)) for figure in (self.first, self.second, self.xp))
        to = first if kind == "inherent power" else next_rating(rules, person_of(rules, case.life.sheet), kind, what, under)
        entry = Purchase(kind, what, to, under, first=first, second=second, choice=str(case.argument(self.choice)))  # type: ignore[arg-type]
        return Purchase(entry.buy, what, to, under, xp=xp or listed_price(rules, entry), first=first, second=second, choice=entry.choice)

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        return refusal(rules, case.life.sheet, self.purchase(rules, case))

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return case.worked(int(case.argument(TIME)))

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Patient]]:
        entry = self.purchase(rules, case)
        fields: dict[str, Value] = {"buy": entry.buy, "what": entry.what, "to": entry.to, "under": entry.under, "xp": entry.xp or 0}
        fields |= {"first": entry.first, "second": entry.second, "choice": entry.choice}
        kept = tuple(sorted((name, value) for name, value in fields.items() if value or name == "xp"))
        words = f"learns {entry.what}{f' {entry.to}' if entry.buy != 'power effect' else ''}"
        yield from Tell(Recovers(case.name, f"{words} for {count(entry.xp or 0, 'point')} of experience", "good"))
        return Change(case.life, learnt=(Learnt("purchase", kept, 0, words),))


@cached(2_000)
def refusal(rules: Ruleset, sheet: str, entry: Purchase) -> str:
    """Why a purchase is against the rules or too dear; empty if it is neither."""
    try:
        buy(rules, character_of(sheet), entry)
    except UserError as error:
        return str(error)
    return ""


def next_rating(rules: Ruleset, person: Person, kind: str, what: str, under: str) -> int:
    """The rating after the present one; 1 for what has none."""
    if kind in ("skill", "discipline"):
        return person.skills.get(written(rules, what), 0) + 1
    if kind == "statistic":
        return int(getattr(person.statistics, what, 0)) + 1
    if kind == "concentration":
        return person.concentrations.get(written(rules, under), {}).get(what, 0) + 1
    if kind == "feat":
        return person.feats.get(what, 0) + 1
    if kind == "advantage":
        return person.has(what) + 1
    if kind in ("power statistic", "energy", "power skill"):
        own = person.power_set(under or what) or PowerSet(under or what)
        return {"power statistic": own.rating, "energy": own.energy, "power skill": own.skill(what.lower())}[kind] + 1
    return 1
