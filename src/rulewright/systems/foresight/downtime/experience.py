"""Experience between scenes: awards, study, training and what Character Points buy (book lines 786-797, 1061-1103, 2248-2250)."""

from collections.abc import Mapping
from typing import Literal, cast, get_args

from msgspec.structs import replace

from rulewright.build.experience import weigh
from rulewright.campaign.calendar import DAY, MONTH
from rulewright.campaign.downtime import Learnt, OngoingEffect, Value, learnt
from rulewright.campaign.downtime_rules import Activity, Begun, Case, Change, Figure
from rulewright.campaign.sheet_files import with_entries
from rulewright.errors import UserError
from rulewright.play import Happened, Play, Tell, sub
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.foresight.downtime.survivors import Recovers, Survivor, character_of, person_of
from rulewright.systems.foresight.people.advancement import Entry, bought, standing
from rulewright.systems.foresight.people.attributes import attribute_task
from rulewright.systems.foresight.people.backgrounds import award
from rulewright.systems.foresight.people.characters import Award, Character, MeritGained, Person, Purchase, Study
from rulewright.systems.foresight.people.creation import is_language
from rulewright.systems.foresight.people.skills import ALIKE, FIELDS, FieldLevel, head_start, split_name
from rulewright.systems.foresight.people.study import DOWNTIME, downtime, studied, study_months, train
from rulewright.systems.foresight.resolution.tests import RATINGS, attempt

Now = Case[Survivor]
POINTS = "Character Points"
TIME = Figure("time", "Time it takes (the book prints none)", takes="span", default=DAY)
FULL_TIME = 8
"""Hours a day from which on study is full-time."""


@cached(512)
def valued(rules: Ruleset, file: str, entry: Entry) -> tuple[str, int]:
    """Why an entry of the log cannot be made now (empty if it can), and what it would cost."""
    return weigh(standing(rules, character_of(file)), entry)


@cached(64)
def person_after(rules: Ruleset, file: str) -> Person:
    """The person at the end of the log of a sheet."""
    return standing(rules, character_of(file)).person


def entered(life: Survivor, words: str, *entries: Entry) -> Change[Survivor]:
    """The change that adds entries to the log of experience."""
    kept: tuple[Learnt, ...] = tuple(learnt(entry, words) for entry in entries)
    return Change(replace(life, file=with_entries(life.file, Character, *entries)), learnt=kept)


# --- awards -------------------------------------------------------------------------------------------------------------------


class Awarded(Begun[Survivor]):
    """Character Points for a session: the book's 5, and up to 5 each for staying in character and for hard goals."""

    name = "award"
    label = "award Character Points"
    rules = ("fs-experience-awards",)
    arguments = (
        Figure("session", "What for", takes="text"),
        Figure("in character", "Stayed in character (0 to 5)", low=0, high=5, rule="fs-experience-awards"),
        Figure("objectives", "Tough objectives (0 to 5)", low=0, high=5, rule="fs-experience-awards"),
    )

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        given = award(rules, int(effect.data[1]), int(effect.data[2]))
        words = f"gains {given.value} {POINTS}"
        yield from Tell(Recovers(case.name, words, "good", (given.reason,)))
        return entered(case.life, words, Award(given.value, effect.about))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{award(rules, int(effect.data[1]), int(effect.data[2])).value} {POINTS}"


class Merited(Begun[Survivor]):
    """Merit in an organization, gained or lost by a mission."""

    name = "merit"
    label = "give or take Merit Points"
    rules = ("fs-merit-points",)
    arguments = (
        Figure("organization", "Organization", takes="text", needed=True, rule="fs-merit-points"),
        Figure("points", "Merit Points", low=-1000, high=1000, default=5, rule="fs-merit-points"),
        Figure("mission", "What for", takes="text"),
    )

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        points, mission = int(effect.data[1]), str(effect.data[2])
        words = f"{'gains' if points >= 0 else 'loses'} {abs(points)} Merit Points ({effect.about})"
        yield from Tell(Happened(case.name, words, "good" if points >= 0 else "bad"))
        return entered(case.life, words, MeritGained(effect.about, points, mission))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{effect.data[1]:+} Merit Points ({effect.about})"


# --- study and training -------------------------------------------------------------------------------------------------------

FIELD = Figure("field", "Field of knowledge, such as Medicine", takes="text", needed=True, rule="fs-field-list")


def refuse_field(rules: Ruleset, name: str) -> None:
    """Raises an error for a field that the list does not have."""
    FIELDS.get(rules, split_name(name)[0])


@cached(64)
def spare_points(rules: Ruleset, file: str) -> int:
    """How many points of the last award can still be studied."""
    now = standing(rules, character_of(file))
    return max(0, min(now.last, now.general))


class Studying(Activity[Survivor]):
    """Points of the last award become education points of a field, by an intelligence roll at the end of the time set aside."""

    name = "study"
    label = "study a field with the points of an award"
    rules = ("fs-spending-experience", "fs-fields-levels")
    hours = FULL_TIME
    points = Figure("points", "Points of the award (0: all that are left)", low=0, high=1000, rule="fs-spending-experience")
    time = Figure("time", "Time (empty: 3 months for 5 points, part time 6)", takes="span", rule="fs-spending-experience")
    arguments = (FIELD, points, time)

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        refuse_field(rules, str(given[FIELD.name]))

    def _wanted(self, rules: Ruleset, case: Now) -> int:
        return int(case.argument(self.points)) or spare_points(rules, case.life.file)

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        left, wanted = spare_points(rules, case.life.file), int(case.argument(self.points))
        return "" if left and wanted <= left else f"{wanted or 'some'} points of an award are needed, {left} can be studied"

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        wished = int(case.argument(self.time))
        return case.worked(wished) if wished else months_of_study(rules, self._wanted(rules, case), case.hours)

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        points, person = self._wanted(rules, case), person_of(rules, case.life.file)
        rolled = yield from attempt(rules, attribute_task(rules, "IN", person.attribute("IN")), case.name, "study")
        gained = studied(rules, points, rolled.qr)
        words = f"turns {points} points into {gained.value} education points ({effect.about})"
        yield from Tell(Recovers(case.name, words, "good" if gained.value else "bad", (gained.reason,)))
        return entered(case.life, words, Study(points, effect.about, rolled.qr))


def months_of_study(rules: Ruleset, points: int, hours: int) -> int:
    """The seconds that so many education points take by the rule of thumb, full time or beside other work."""
    return max(1, round(study_months(rules, points, part_time=0 < hours < FULL_TIME) * MONTH))


class Training(Activity[Survivor]):
    """Down-time: Character Points for every quarter of study and practice, with a willpower roll where the gamemaster asks for it."""

    name = "train"
    label = "study and practice for months"
    rules = ("fs-downtime", "fs-spending-experience")
    hours = FULL_TIME
    aim = Figure("field", "Field to study (empty: none)", takes="text", rule="fs-field-list")
    rolls = Figure("rolls", "Willpower roll to keep at it", ("yes", "no"), rule="fs-downtime")
    quarters = Figure("quarters", "Quarters (0: until dropped)", low=0, high=400, default=1, rule="fs-downtime")
    arguments = (aim, rolls, quarters)

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        downtime(rules, 0)
        if str(given[self.aim.name]).strip():
            refuse_field(rules, str(given[self.aim.name]))

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return months_of_study(rules, DOWNTIME.of(rules, "points"), case.hours)

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        months, person = DOWNTIME.of(rules, "months"), person_of(rules, case.life.file)
        asked = case.argument(self.rolls) == "yes"
        trained = yield from sub(train, rules, months, person.attribute("WP"), person.attribute("IN"), asked)
        field, so_far = str(case.argument(self.aim)), int((effect.data or (0,))[0]) + 1
        entries: list[Entry] = [Award(trained.points, months=months)] if trained.points else []
        words = f"gains {trained.points} {POINTS} by {months} months of practice" if trained.points else "does not keep at it this quarter"
        if field and trained.points:
            entries.append(Study(trained.points, field, _rating(rules, trained.points, trained.education)))
            words = f"{words}, {trained.education} of them for {field}"
        yield from Tell(Happened(case.name, words, "good" if trained.points else "bad"))
        goes_on = None if so_far == int(case.argument(self.quarters)) else OngoingEffect(effect.of, effect.about, 0, (so_far,))
        return replace(entered(case.life, words, *entries), effect=goes_on)


def _rating(rules: Ruleset, points: int, education: int) -> int:
    """The best rating that makes so many education points of an award."""
    return next(qr for qr in RATINGS if studied(rules, points, qr).value == education)


# --- spending -----------------------------------------------------------------------------------------------------------------

Buy = Literal[
    "skill",
    "attribute",
    "field",
    "specialization",
    "environment",
    "gravity",
    "familiarity",
    "favor",
    "favored field",
    "insight",
    "ambidexterity",
    "wealth",
]
KINDS: tuple[Buy, ...] = get_args(Buy)


class Buying(Activity[Survivor]):
    """Something that Character Points or education points buy, at the end of the time that the gamemaster asks for."""

    hours = FULL_TIME

    def entry(self, rules: Ruleset, case: Now) -> Purchase:
        """The purchase for the log."""
        raise NotImplementedError

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        try:
            return valued(rules, case.life.file, self.entry(rules, case))[0]
        except UserError as error:
            return str(error)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return case.worked(int(case.argument(TIME)))

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        entry = self.entry(rules, case)
        cost = valued(rules, case.life.file, entry)[1]
        words = f"learns {bought(entry)} for {cost} points"
        yield from Tell(Recovers(case.name, words, "good"))
        return entered(case.life, words, entry)


class Improve(Buying):
    """One step of an ability, or anything else of the price list."""

    name = "spend experience"
    label = "improve or learn something with points"
    rules = ("fs-spending-experience", "fs-spending-cps", "fs-fields-levels", "fs-favored-field")
    what = Figure("what", "What, such as Search or Medicine", takes="text", rule="fs-spending-cps")
    buy = Figure("buy", "Kind", KINDS, rule="fs-spending-cps")
    tier = Figure("level", "Level of a field", ("standard", "basic"), rule="fs-fields-levels")
    subject = Figure("name", "Specialization, or the subject of a familiarity", takes="text")
    arguments = (what, buy, tier, subject, TIME)

    def about(self, given: Mapping[str, Value]) -> str:
        return f"{given['buy']} {given['what']}".strip()

    def entry(self, rules: Ruleset, case: Now) -> Purchase:
        buy, what = cast(Buy, case.argument(self.buy)), str(case.argument(self.what)).strip()
        basic = case.argument(self.tier) == "basic" and buy in ("field", "specialization")
        level: FieldLevel = "basic" if basic else "standard"
        return Purchase(buy, what, to=_next(rules, case.life, buy, what), level=level, name=str(case.argument(self.subject)).strip())


def _next(rules: Ruleset, life: Survivor, buy: Buy, what: str) -> int:
    """The next value of an ability that rises in steps; 0 for what does not."""
    person = person_after(rules, life.file)
    match buy:
        case "attribute":
            return person.attribute(what) + 1
        case "skill":
            level = person.level(what)
            return 0 if level is None else level + 1
        case "environment":
            return person.environments.get(what, 0) + 1
        case "gravity":
            return person.gravities.get(what, 0) + 1
        case _:
            return 0


class LearnSimilar(Buying):
    """A new skill like a known one begins at a part of its level, by how alike they are."""

    name = "learn a similar skill"
    label = "learn a skill like a known one"
    rules = ("fs-generic-skills",)
    skill = Figure("skill", "New skill", takes="text", needed=True, rule="fs-generic-skills")
    like = Figure("like", "Known skill like it", takes="text", needed=True, rule="fs-generic-skills")
    percent = Figure("percent", "How alike, in percent", low=ALIKE[0], high=ALIKE[1], default=50, rule="fs-generic-skills")
    arguments = (skill, like, percent, TIME)

    def entry(self, rules: Ruleset, case: Now) -> Purchase:
        skill, like = str(case.argument(self.skill)), str(case.argument(self.like))
        known = person_after(rules, case.life.file).level(like) or 0
        return Purchase("skill", skill, to=head_start(rules, known, int(case.argument(self.percent))).value, like=like)


class LearnLanguage(Buying):
    """A language learnt by living among people who speak it, at half the price in education points."""

    name = "learn a language"
    label = "learn a language among its speakers"
    rules = ("fs-language-immersion", "fs-fields-levels")
    language = Figure("language", "Language", takes="text", needed=True, rule="fs-language-immersion")
    kind = Figure("kind", "Kind", ("Language", "Language (Similar)", "Language (New Alphabet)"), rule="fs-language-immersion")
    tier = Figure("level", "Level", ("basic", "standard"), rule="fs-fields-levels")
    time = Figure("time", "Time (empty: 3 months for 5 points)", takes="span", rule="fs-spending-experience")
    arguments = (language, kind, tier, time)

    def entry(self, rules: Ruleset, case: Now) -> Purchase:
        tier: FieldLevel = "standard" if case.argument(self.tier) == "standard" else "basic"
        what = f"{case.argument(self.kind)}: {case.argument(self.language)}"
        assert is_language(split_name(what)[0])
        return Purchase("field", what, level=tier, immersed=True)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        wished = int(case.argument(self.time))
        cost = valued(rules, case.life.file, self.entry(rules, case))[1]
        return case.worked(wished) if wished else months_of_study(rules, cost, case.hours)
