"""Companies between scenes: their qualities, how often they can be used in a month, and the rise to another tier
(book lines 1117-1120, 1191-1194, 1538-1559)."""

from collections.abc import Mapping
from typing import cast

from rulewright.campaign.calendar import DAY, MONTH
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, Begun, Change, Figure
from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.downtime.patients import Now, Patient, Recovers, change_sums, person_of
from rulewright.systems.ore.downtime.projects import DIFFICULTY
from rulewright.systems.ore.downtime.ties import POUNDS
from rulewright.systems.ore.people.advantages import advantage_cost
from rulewright.systems.ore.people.companies import (
    COMPANY_QUALITIES,
    FULL,
    QUALITIES,
    TIERS,
    Company,
    company_pool,
    promote,
    quality_level,
    treasure_rating,
)
from rulewright.systems.ore.resolution.tests import make_test

COMPANY = "company"
TIER_RULE = "ore-2.42-opt-company-tiers"
NAME = Figure("aim", "Which company", takes="text", needed=True)
TIME = Figure("time", "Time it takes (the book prints none)", takes="span", default=DAY)
TIER_NAMES = ("company", "global agency", "super power")


def company_of(effect: OngoingEffect) -> Company:
    """The company that an effect is about."""
    tier, *qualities = effect.data[: 1 + len(QUALITIES)]
    return Company(str(tier), *[int(quality) for quality in qualities])


def written_company(effect: OngoingEffect, company: Company, used: tuple[int, ...]) -> OngoingEffect:
    """The effect of a company, with how often each quality was used this month."""
    data: tuple[Value, ...] = (company.tier, *[int(getattr(company, quality)) for quality in QUALITIES], *used)
    return OngoingEffect(effect.of, effect.about, effect.spent, data, effect.known)


def uses_of(effect: OngoingEffect) -> tuple[int, ...]:
    """How often each quality was used this month."""
    return cast(tuple[int, ...], tuple(effect.data[1 + len(QUALITIES) :])) or (0,) * len(QUALITIES)


def refuse_without_companies(rules: Ruleset) -> None:
    """Raises an error if the campaign has no companies."""
    if rules.word("companies") == "none":
        raise UserError("this campaign has no companies (setting companies)")


class Owns(Begun[Patient]):
    """A company of somebody's. At the end of every month all its qualities can be used again."""

    name = COMPANY
    label = "give a company"
    rules = ("ore-2.42-company-qualities", "ore-2.42-company-treasure", TIER_RULE)
    tier = Figure("tier", "Tier", TIER_NAMES, rule=TIER_RULE)
    qualities = tuple(Figure(quality, quality.capitalize(), low=0, high=FULL, rule="ore-2.42-company-qualities") for quality in QUALITIES)
    arguments = (NAME, tier, *qualities)

    def begun(self, rules: Ruleset, given: Mapping[str, Value]) -> OngoingEffect:
        refuse_without_companies(rules)
        company = Company(str(given[self.tier.name]), *[int(given[quality]) for quality in QUALITIES])
        return written_company(OngoingEffect(self.name, self.about(given)), company, ())

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        return MONTH if any(uses_of(effect)) else None

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Patient]]:
        yield from Tell(Recovers(case.name, f"can use every quality of {effect.about} at full strength again", "good"))
        fresh = OngoingEffect(effect.of, effect.about, 0, effect.data, effect.known)
        return Change(case.life, written_company(fresh, company_of(effect), ()))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        company = company_of(effect)
        return f"{effect.about}, {company.tier}: " + ", ".join(f"{quality} {getattr(company, quality)}" for quality in QUALITIES)


class CompanyWork(Activity[Patient]):
    """Something that a company does."""

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        refuse_without_companies(rules)

    def owned(self, case: Now) -> OngoingEffect | None:
        """The company that it is about."""
        return next((run for run in case.running(COMPANY) if run.about == case.argument(NAME)), None)

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        effect = self.owned(case)
        return f"{case.name} has no company {case.argument(NAME)}" if effect is None else self.forbids(rules, case, effect)

    def forbids(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        """Why this company cannot do it now."""
        return ""

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return case.worked(int(case.argument(TIME)))

    def the_company(self, case: Now) -> OngoingEffect:
        """The company, which is there."""
        effect = self.owned(case)
        assert effect is not None
        return effect


class Found(CompanyWork):
    """Founding a company: every three points of the founder's advantages are a level of a quality, and money is its Treasure."""

    name = "found a company"
    label = "found a company"
    rules = ("ore-2.42-company-qualities", "ore-2.42-company-treasure")
    money = Figure("money", "Pounds put in", low=0, high=100_000_000, rule="ore-2.42-company-treasure")
    arguments = (NAME, money, TIME)

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        return f"there is a company {case.argument(NAME)} already" if self.owned(case) is not None else ""

    def price(self, rules: Ruleset, case: Now) -> tuple[tuple[str, int], ...]:
        money = int(case.argument(self.money))
        return ((POUNDS, money),) if money else ()

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Patient]]:
        levels = dict.fromkeys(QUALITIES, 0)
        for own in person_of(rules, case.life.sheet).advantages:
            if own.name in COMPANY_QUALITIES(rules):
                points = advantage_cost(rules, own.name, own.rating, own.first, own.second).value
                quality, level = quality_level(rules, own.name, points)
                levels[quality.lower()] = max(level, levels[quality.lower()])
        levels["treasure"] = max(levels["treasure"], treasure_rating(rules, int(case.argument(self.money))))
        company = Company(TIER_NAMES[0], *[min(FULL, level) for level in levels.values()])
        begun = written_company(OngoingEffect(COMPANY, effect.about), company, ())
        said = join([f"{quality} {level}" for quality, level in levels.items()])
        yield from Tell(Recovers(case.name, f"founds {effect.about}: {said}", "good"))
        return Change(case.life, runs=(begun,))


class Invest(CompanyWork):
    """Putting money into a company: its Treasure is at least what the sum is worth in its tier."""

    name = "invest in a company"
    label = "invest in a company"
    rules = ("ore-2.42-company-treasure",)
    money = Figure("money", POUNDS, low=1, high=1_000_000_000, default=1, rule="ore-2.42-company-treasure")
    arguments = (NAME, money, TIME)

    def price(self, rules: Ruleset, case: Now) -> tuple[tuple[str, int], ...]:
        return ((POUNDS, int(case.argument(self.money))),)

    def forbids(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        company = company_of(effect)
        worth = treasure_rating(rules, int(case.argument(self.money)), company.tier)
        return "" if worth > company.treasure else f"the sum is a Treasure of {worth}, and {effect.about} has {company.treasure}"

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Patient]]:
        run = self.the_company(case)
        was = company_of(run)
        worth = treasure_rating(rules, int(case.argument(self.money)), was.tier)
        now = Company(was.tier, was.influence, was.might, was.sovereignty, was.territory, worth)
        sums = change_sums([("Treasure", was.treasure)], [("Treasure", worth)], self.rules[0])
        yield from Tell(Recovers(case.name, f"invests in {effect.about}: Treasure {worth}", "good", sums))
        return Change(case.life, runs=(written_company(run, now, uses_of(run)),))


class UseQualities(CompanyWork):
    """A test of two qualities of a company, each of which has so many uses a month, by tier."""

    name = "use a company"
    label = "use a company's qualities"
    rules = (TIER_RULE, "ore-2.42-company-qualities")
    first = Figure("first", "First quality", QUALITIES, rule="ore-2.42-company-qualities")
    second = Figure("second", "Second quality", (*QUALITIES[1:], QUALITIES[0]), rule="ore-2.42-company-qualities")
    goal = Figure("goal", "What for", takes="text")
    arguments = (NAME, first, second, DIFFICULTY, goal, TIME)

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        super().refuse(rules, given)
        if given[self.first.name] == given[self.second.name]:
            raise UserError("a company uses two different qualities")

    def chosen(self, case: Now) -> tuple[str, str]:
        """The two qualities."""
        return str(case.argument(self.first)), str(case.argument(self.second))

    def forbids(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        used, most = dict(zip(QUALITIES, uses_of(effect), strict=True)), TIERS.get(rules, company_of(effect).tier).uses
        spent = [quality for quality in self.chosen(case) if used[quality] >= most]
        return f"{join(spent)} of {effect.about} {'is' if len(spent) == 1 else 'are'} used up for this month" if spent else ""

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Patient]]:
        run, chosen = self.the_company(case), self.chosen(case)
        pool = company_pool(rules, company_of(run), *chosen)
        goal = str(case.argument(self.goal)) or "its own ends"
        outcome = yield from make_test(rules, pool, int(case.argument(DIFFICULTY)), "widest", case.name, effect.about)
        said = f"uses {join(list(chosen))} of {effect.about} for {goal}: {outcome}"
        yield from Tell(Recovers(case.name, said, "good" if outcome.success else "bad"))
        used = tuple(times + (quality in chosen) for quality, times in zip(QUALITIES, uses_of(run), strict=True))
        begun = run if any(uses_of(run)) else OngoingEffect(run.of, run.about, 0, run.data, run.known)
        return Change(case.life, runs=(written_company(begun, company_of(run), used),))


class Promote(CompanyWork):
    """Raising a company with 6 in every quality to the next tier; a failure costs a point of a quality."""

    name = "promote a company"
    label = "promote a company to the next tier"
    rules = (TIER_RULE,)
    gives = Figure("gives", "Quality that falls after a failure", QUALITIES, rule=TIER_RULE)
    arguments = (NAME, gives, TIME)

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        super().refuse(rules, given)
        if rules.word("companies") != "tiers":
            raise UserError("this campaign has no tiers of companies (setting companies)")

    def forbids(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        company = company_of(effect)
        if company.tier == TIER_NAMES[-1]:
            return f"there is no tier above {company.tier}"
        low = [quality for quality in QUALITIES if getattr(company, quality) < FULL]
        return f"{effect.about} needs {FULL} in {join(low)}" if low else ""

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Patient]]:
        run = self.the_company(case)
        was, gives = company_of(run), cast(str, case.argument(self.gives))
        now = yield from promote(rules, was, gives, case.name)  # type: ignore[arg-type]
        risen = now.tier != was.tier
        said = (
            f"makes {effect.about} a {now.tier}; every quality falls by 1"
            if risen
            else f"fails to promote {effect.about}: {gives} falls by 1"
        )
        yield from Tell(Recovers(case.name, said, "good" if risen else "bad"))
        return Change(case.life, runs=(written_company(run, now, uses_of(run)),))
