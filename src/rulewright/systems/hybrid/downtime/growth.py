"""What people gain between scenes: experience, training, skills and years in a career (book lines 653-657, 1647-1649, 1951-1999)."""

from collections.abc import Mapping

from msgspec.structs import replace

from rulewright.build.experience import weigh
from rulewright.campaign.activities.general import AIM
from rulewright.campaign.calendar import DAY, HOUR, YEAR
from rulewright.campaign.downtime import OngoingEffect, Value, learnt
from rulewright.campaign.downtime_rules import Activity, Begun, Case, Change, Figure
from rulewright.campaign.sheet_files import with_entries
from rulewright.errors import UserError
from rulewright.play import Happened, Play, Tell, sub
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.hybrid.downtime.convalescents import Convalescent
from rulewright.systems.hybrid.people.advancement import Entry, standing
from rulewright.systems.hybrid.people.careers import career_title, career_year
from rulewright.systems.hybrid.people.characters import Award, Character, Raised, Training, statistics_of
from rulewright.systems.hybrid.people.skills import Method, training_hours
from rulewright.systems.hybrid.people.traits import CAREERS

Now = Case[Convalescent]
POINTS, MONEY = "experience points", "money"
TIME = Figure("time", "Time it takes (the book prints none)", takes="span", default=DAY)


@cached(512)
def _valued(rules: Ruleset, file: str, entry: Entry) -> tuple[str, int]:
    """Why an entry of the log cannot be made now (empty if it can), and what it would cost."""
    return weigh(standing(rules, Convalescent(file=file).character), entry)


def entered(life: Convalescent, words: str, entry: Entry) -> Change[Convalescent]:
    """The change that adds an entry to the log of experience."""
    return Change(replace(life, file=with_entries(life.file, Character, entry)), learnt=(learnt(entry, words),))


class Awarded(Begun[Convalescent]):
    """Experience points for a session, as the gamemaster gives them."""

    name = "award"
    label = "award experience points"
    rules = ("hyb-3-raising-skills",)
    arguments = (
        Figure("session", "What for", takes="text"),
        Figure("eep", "Experience points", low=0, high=1000, default=4, rule="hyb-3-raising-skills"),
    )

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Convalescent]]:
        points = int(effect.data[1])
        yield from Tell(Happened(case.name, f"gains {points} {POINTS}", "good"))
        return entered(case.life, f"gains {points} {POINTS}", Award(points, effect.about))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{effect.data[1]} {POINTS}"


METHODS: dict[str, Method] = {"alone": "alone", "partner": "partner", "teacher": "teacher"}


class Train(Activity[Convalescent]):
    """Hours of training, alone, with a partner or with a teacher, that are worth experience points. Others at the place may take part."""

    name = "train"
    label = "train a skill"
    rules = ("hyb-3-training",)
    hours = 8
    method = Figure("method", "Method", tuple(METHODS), rule="hyb-3-training")
    number = Figure("hours of training", "Hours of training (0: those for a point)", low=0, high=100_000, rule="hyb-3-training")
    company = True
    with_whom = Figure("with", "Partner or teacher (empty: somebody else)", takes="people", rule="hyb-3-training")
    arguments = (Figure("skill", "Skill", takes="text", needed=True), method, number, with_whom)
    needs_partner = with_whom

    def _hours(self, rules: Ruleset, case: Now) -> int:
        method = METHODS[str(case.argument(self.method))]
        return int(case.argument(self.number)) or training_hours(rules, 1, method).value

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        asleep = [partner.name for partner in case.partners(self.with_whom) if not partner.life.body.awake]
        return f"{asleep[0]} cannot act" if asleep else ""

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return case.worked(self._hours(rules, case) * HOUR)

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Convalescent]]:
        hours, method = self._hours(rules, case), METHODS[str(case.argument(self.method))]
        before = standing(rules, case.life.character).earned
        entry = Training(hours, method, effect.about)
        change = entered(case.life, f"trains {effect.about} for {hours} hours", entry)
        gained = standing(rules, change.life.character).earned - before
        yield from Tell(Happened(case.name, f"trains {effect.about} for {hours} hours ({method}): {gained:+} {POINTS}", "good"))
        return change


class Raise(Activity[Convalescent]):
    """The next rank of a skill, or of a statistic where the campaign lets them rise."""

    name = "raise a skill"
    label = "learn or raise a skill"
    rules = ("hyb-3-raising-skills",)
    hours = 8
    what = Figure("what", "Skill, or statistic where they rise", takes="text", needed=True, rule="hyb-3-raising-skills")
    arguments = (what, TIME)

    def _entry(self, rules: Ruleset, case: Now) -> Raised:
        what, now = str(case.argument(self.what)), standing(rules, case.life.character)
        value = now.statistics[what] if what in now.statistics else now.ranks.get(what, -1)
        return Raised(what, value + 1)

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        return _valued(rules, case.life.file, self._entry(rules, case))[0]

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return case.worked(int(case.argument(TIME)))

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Convalescent]]:
        entry = self._entry(rules, case)
        cost = _valued(rules, case.life.file, entry)[1]
        words = f"reaches {entry.what} {entry.to} for {cost} {POINTS}"
        yield from Tell(Happened(case.name, words, "good"))
        return entered(case.life, words, entry)


# --- careers ------------------------------------------------------------------------------------------------------------------


def status_in(career: str) -> str:
    """The name of the mean that counts status in a career."""
    return f"status: {career}"


class CareerYear(Activity[Convalescent]):
    """A year in a career, an option: three rolls, for development, wealth and status. Development is experience (ruling)."""

    name = "career"
    label = "spend a year in a career"
    rules = ("hyb-11-careers",)
    hours = 8
    career = Figure("career", "Career, such as Soldier", takes="text", needed=True, rule="hyb-11-careers")
    years = Figure("years", "Years (0: until dropped)", low=0, high=100, default=1, rule="hyb-11-careers")
    arguments = (career, years)

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        CAREERS.get(rules, str(given[self.career.name]))
        if not rules.on("careers"):
            raise UserError("this campaign has no career rolls (setting careers)")

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return YEAR

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Convalescent]]:
        statistics = statistics_of(rules, case.life.character)
        paw, maw = (int(statistics[name].value) for name in ("PAW", "MAW"))
        year = yield from sub(career_year, rules, effect.about, paw, maw, case.name)
        status = case.amount(status_in(effect.about)) + year.status
        title = career_title(rules, effect.about, status)
        if year.status and title != career_title(rules, effect.about, status - 1):
            yield from Tell(Happened(case.name, f"becomes {title} ({effect.about})", "good"))
        so_far = int((effect.data or (0,))[0]) + 1
        goes_on = None if so_far == int(case.argument(self.years)) else OngoingEffect(effect.of, effect.about, 0, (so_far,))
        gains = ((MONEY, year.money), (status_in(effect.about), year.status))
        means = tuple((mean, amount) for mean, amount in gains if amount)
        if year.development <= 0:
            return Change(case.life, goes_on, means=means)
        words = f"gains {year.development} {POINTS} in a year as {effect.about}"
        return replace(entered(case.life, words, Award(year.development, f"a year as {effect.about}")), effect=goes_on, means=means)


class ContinuedCareer(Activity[Convalescent]):
    """Going on with a career beside everything else: its enemies and its backing cancel out, so it costs and gives nothing."""

    name = "continue a career"
    label = "go on with a career"
    rules = ("hyb-9-continued-career",)
    arguments = (AIM,)
    hours = 8

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> None:
        return None

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"goes on as {effect.about}: its enemies and its backing cancel out"
