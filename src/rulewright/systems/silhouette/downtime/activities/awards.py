"""What people gain at the end of an evening: experience, for deeds and fights, and Genre Points (book lines 1619-1690, 6160-6180)."""

from collections.abc import Mapping

from msgspec.structs import replace

from rulewright.campaign.downtime import Learnt, OngoingEffect, Value
from rulewright.campaign.downtime_rules import Begun, Case, Change, Figure
from rulewright.grammar import count
from rulewright.highest_die.downtime import Recovers
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived
from rulewright.systems.silhouette.downtime.survivors import Survivor
from rulewright.systems.silhouette.people.experience import (
    character_level,
    combat_award,
    experience_award,
    session_award,
)
from rulewright.systems.silhouette.people.genre import EARNINGS

Now = Case[Survivor]
XP, CREDITS = "Experience Points", "credits"
SESSION = Figure("session", "What for", takes="text")
LENGTHS = ("typical session", "short session", "long session", "marathon session")


def award(rules: Ruleset, case: Now, gained: int, session: str, sums: tuple[Derived[int], ...] = ()) -> Play[Change[Survivor]]:
    """Experience for the log; a level that it reaches is told."""
    earned = case.life.learning.earned
    before, after = character_level(rules, earned), character_level(rules, earned + gained)
    reached = f" and reaches level {after}" if after > before else ""
    words = f"gains {gained} {XP}{reached}"
    yield from Tell(Recovers(case.name, words, "good" if gained > 0 else "plain", tuple(total.reason for total in sums)))
    named = (("session", session),) if session else ()
    return Change(case.life, learnt=(Learnt("award", (*named, ("xp", gained)), 0, words),))


class Award(Begun[Survivor]):
    """Experience at the end of a session: a number, the average of the book, or the deeds of the table."""

    name = "award"
    label = "award Experience Points"
    rules = ("sil-2.5.1-xp-awards", "sil-2.5.1-detailed-xp", "sil-2.5.4-levels")
    arguments = (
        SESSION,
        Figure("xp", "Experience Points (0: by deeds, or the average)", low=0, high=100_000),
        Figure("deeds", "Deeds of the table, with commas between", takes="text", rule="sil-2.5.1-xp-awards"),
        Figure("length", "Length of the session", LENGTHS, rule="sil-2.5.1-xp-awards"),
        Figure("more", "More for a deed", low=-20, high=20, rule="sil-2.5.1-xp-awards"),
    )

    def begun(self, rules: Ruleset, given: Mapping[str, Value]) -> OngoingEffect:
        session_award(rules, deeds_of(given["deeds"]), str(given["length"]))
        return super().begun(rules, given)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        session, xp, deeds, length, more = effect.data
        if xp:
            return (yield from award(rules, case, int(xp), str(session)))
        done = deeds_of(deeds)
        gained = session_award(rules, done, str(length), int(more)) if done else experience_award(rules)
        return (yield from award(rules, case, gained.value, str(session), (gained,)))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{effect.data[1] or 'earned'} {XP}"


def deeds_of(text: Value) -> tuple[str, ...]:
    """The deeds that a text lists."""
    return tuple(part.strip() for part in str(text).split(",") if part.strip())


class CombatAward(Begun[Survivor]):
    """Experience for fights, by the power of both sides; and for problems and goals."""

    name = "combat award"
    label = "award Experience Points for fights"
    rules = ("sil-2.5.1-combat-xp",)
    arguments = (
        SESSION,
        Figure("own", "Character and Skill Points of one's own", low=1, high=10_000, default=80, rule="sil-2.5.1-combat-xp"),
        Figure("foe", "Character and Skill Points of the opponents", low=0, high=10_000, default=80, rule="sil-2.5.1-combat-xp"),
        Figure("fights", "Fights", low=0, high=100, default=1, rule="sil-2.5.1-combat-xp"),
        Figure("problems", "Problems solved", low=0, high=100, rule="sil-2.5.1-combat-xp"),
        Figure("goals", "For goals", low=0, high=1000, rule="sil-2.5.1-combat-xp"),
    )

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        own, foe, fights, problems, goals = (int(value) for value in effect.data[1:])
        gained = combat_award(rules, own, foe, fights, problems, goals)
        return (yield from award(rules, case, gained.value, str(effect.data[0]), (gained,)))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{XP} for fights"


WHY = Figure(
    "why",
    "What for",
    ("something that fits the genre", "a Flaw played out", "the table is amazed", "a setback accepted"),
    rule="sil-6.4.5-gp-earning",
)


class GenrePoints(Begun[Survivor]):
    """Genre Points: what the table gives for the reason, or as many as the gamemaster says."""

    name = "genre points"
    label = "give Genre Points"
    rules = ("sil-6.4.5-gp-earning",)
    arguments = (WHY, Figure("points", "Genre Points (0: of the table)", low=0, high=20, rule="sil-6.4.5-gp-earning"))

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        why, number = str(effect.data[0]), int(effect.data[1])
        points = number or (EARNINGS.get(rules, why).low if why in EARNINGS(rules) else 1)
        body = replace(case.life.body, genre_points=case.life.body.genre_points + points)
        yield from Tell(Recovers(case.name, f"gets {count(points, 'Genre Point')} ({why}): {body.genre_points}", "good"))
        return Change(case.life.with_body(body))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return "Genre Points"


class Payment(Begun[Survivor]):
    """The gamemaster pays somebody, or takes money away: credits for fees and machines."""

    name = "payment"
    label = "pay or charge credits"
    rules = ("sil-2.5.3-tutors",)
    arguments = (SESSION, Figure("credits", "Credits (negative: taken)", low=-1_000_000_000, high=1_000_000_000))

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        amount = max(int(effect.data[1]), -case.amount(CREDITS))
        yield from Tell(Recovers(case.name, f"{'gets' if amount >= 0 else 'loses'} {abs(amount):,} credits", "plain"))
        return Change(case.life, means=((CREDITS, amount),) if amount else ())

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{int(effect.data[1]):,} credits"
