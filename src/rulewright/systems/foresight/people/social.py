"""Social rules: impressions, lies, encounters, games, teaching (book lines 1711-1742, 1832-1949, 2011-2019, 2438-2521)."""

from typing import Literal

from msgspec import Struct

from rulewright.dice.limits import bound
from rulewright.dice.sums import Banded
from rulewright.errors import UserError
from rulewright.play import Play, Roll, Together, sub
from rulewright.play.cache import cached
from rulewright.rules import Column, Figures, Ruleset, Table, TableRow, instead_of, rule
from rulewright.rules.reasons import Derived, term, total
from rulewright.systems.foresight.people.skills import skill_row
from rulewright.systems.foresight.resolution.tests import (
    BARELY,
    D10,
    RATINGS,
    Mod,
    Task,
    attempt,
    built_on,
    compare,
    contest,
    oppose,
    reading,
)

SOMEBODY_ABLE = Task(12, 5)
"""An ability of 12, for rules that are asked without naming anybody."""


class ReactionRow(TableRow, frozen=True):
    """The impression that Charisma leaves."""

    qr: int
    reaction: str
    steps: int = 0
    """How far it moves a demeanor, up where positive (ruling)."""


class BeliefRow(TableRow, frozen=True):
    """How a lie is taken."""

    qr: int
    reaction: str
    believed: bool


class PickRow(TableRow, frozen=True):
    """How a pickpocket fares."""

    qr: int
    result: str
    taken: bool


class EncounterRow(TableRow, frozen=True):
    """What the side with the lower total of an engagement gains."""

    difference: int
    sees: str
    avoid: bool
    initiative: int
    others: int
    from_range: str
    at_contact: int | None = None


class RangesRow(TableRow, frozen=True):
    """How far off parties meet, in meters."""

    terrain: str
    contact: int
    observation: int


class DemeanorRow(TableRow, frozen=True):
    """How strangers feel at first, and what it does to dealings with them."""

    demeanor: str
    d10: tuple[int, int]
    interaction: int


class GlanceRow(TableRow, frozen=True):
    """What is seen of strangers, and what it adds to the d10 of their demeanor; where the two differ the gamemaster picks."""

    seen: str
    mildest: int
    strongest: int


class PersuasionRow(TableRow, frozen=True):
    """What helps or hinders a request; where the two differ the gamemaster picks."""

    situation: str
    lowest: int
    highest: int


REACTIONS = Table("fs-charisma-reaction", ReactionRow)
BELIEFS = Table("fs-confidence-table", BeliefRow)
PICKS = Table("fs-pickpocket", PickRow)
ENCOUNTERS = Table("fs-contact-engagement", EncounterRow)
RANGES = Table("fs-engagement-ranges", RangesRow)
GAMES = Column("fs-game-skill", "game", rounds=int)
"""How many opposed rounds decide a game."""
DEMEANORS = Table("fs-npc-demeanor", DemeanorRow)
GLANCES = Table("fs-first-glance", GlanceRow)
PERSUASION = Table("fs-persuasion", PersuasionRow)


# --- impressions and lies -----------------------------------------------------------------------------------------------------


class Impression(Struct, frozen=True):
    """A rating and what people make of it."""

    qr: int
    reaction: str


@rule("fs-charisma-reaction")
def impress(rules: Ruleset, charisma: Task = SOMEBODY_ABLE, interaction: int = 0) -> Play[Impression]:
    """A Charisma roll, modified by how people feel already, and the impression it leaves."""
    rolled = yield from attempt(rules, charisma.plus(Mod("their demeanor", interaction, "fs-npc-demeanor")), "", "Charisma")
    return Impression(rolled.qr, REACTIONS.get(rules, str(rolled.qr)).reaction)


class Lie(Struct, frozen=True):
    """How a lie was taken."""

    qr: int
    reaction: str
    believed: bool


@rule("fs-confidence-table")
def lie(rules: Ruleset, confidence: Task = SOMEBODY_ABLE, empathy: Task | None = None, interaction: int = 0) -> Play[Lie]:
    """A lie face to face: a Confidence roll, which the other's empathy may block. By id only."""
    told = confidence.plus(Mod("their demeanor", interaction, "fs-npc-demeanor"))
    if empathy is None:
        qr = (yield from attempt(rules, told, "", "Confidence")).qr
    else:
        qr = (yield from oppose(rules, told, empathy, what="Confidence", resists="Empathy")).through
    row = BELIEFS.get(rules, str(qr))
    return Lie(qr, row.reaction, row.believed)


class Theft(Struct, frozen=True):
    """How a pickpocket fared."""

    qr: int
    result: str
    taken: bool


@rule("fs-pickpocket")
def pick_pocket(rules: Ruleset, thief: Task = SOMEBODY_ABLE, perception: Task = SOMEBODY_ABLE) -> Play[Theft]:
    """The victim's perception blocks the attempt; QR3 or better goes unnoticed, and QR4 still gets the thing.

    By id only.
    """
    through = (yield from oppose(rules, thief, perception, what="Pickpocket", resists="Perception")).through
    row = PICKS.get(rules, str(through))
    return Theft(through, row.result, row.taken)


# --- demeanor and persuasion --------------------------------------------------------------------------------------------------


@cached(512)
def _demeanor_reading(rules: Ruleset, modifier: int) -> Banded:
    """A d10 and a modifier, held between 1 and 10 (ruling), read as a demeanor."""
    rows = DEMEANORS(rules).values()
    faces = [next(row.demeanor for row in rows if row.d10[0] <= max(1, min(10, face + modifier)) <= row.d10[1]) for face in range(1, 11)]
    return Banded(D10, tuple([(face, face, label) for face, label in enumerate(faces, 1)]))


class Demeanor(Struct, frozen=True):
    """How a person feels, and what it does to dealings with them."""

    demeanor: str
    interaction: int


@rule("fs-npc-demeanor")
def meet(rules: Ruleset, modifier: int = 0) -> Play[Demeanor]:
    """A d10 for how strangers feel at first, with modifiers for looks, likeness and organizations. By id only."""
    bound("the modifier", modifier, -20, 20)
    text = yield from Roll(_demeanor_reading(rules, modifier), "", "demeanor")
    return Demeanor(text, DEMEANORS.get(rules, text).interaction)


Glance = Literal["attractive", "similar", "different", "same organization", "friendly organization", "opposing organization"]


@rule("fs-npc-demeanor", "fs-first-glance")
def first_glance(rules: Ruleset, seen: tuple[Glance, ...] = ("similar",), strongly: bool = False) -> Derived[int]:
    """The modifier of looks, likeness and organizations for a demeanor roll: the mildest of a range, or the strongest.

    By id only.
    """
    terms = []
    for fromkey in dict.fromkeys(seen):
        weighs = GLANCES.get(rules, fromkey)
        terms.append(term(fromkey, weighs.strongest if strongly else weighs.mildest))
    return total("first glance", *terms, rule="fs-npc-demeanor")


@rule("fs-npc-demeanor")
def read_feelings(rules: Ruleset, mask: Task = SOMEBODY_ABLE, empathy: Task = SOMEBODY_ABLE) -> Play[bool]:
    """Whether empathy sees through feelings that are masked (by Confidence or willpower) or feigned (by Disguise): it must do better.

    By id only.
    """
    result = yield from contest(rules, empathy, mask, what="reading feelings")
    return result.winner == 1


class Charmed(Struct, frozen=True):
    """How a person feels after an attempt to be liked, and whether the attempt was noticed."""

    demeanor: str
    interaction: int
    noticed: bool


@rule("fs-npc-demeanor")
def win_over(
    rules: Ruleset, demeanor: str = "Neutral/Guarded", charisma: Task = SOMEBODY_ABLE, empathy: Task | None = None
) -> Play[Charmed]:
    """Charisma betters a demeanor, by as many rows of the table as the impression is worth (ruling); a botch makes it worse.

    Empathy that does better notices the attempt, which spoils it only where the campaign says so.

    By id only.
    """
    rows = sorted(DEMEANORS(rules).values(), key=lambda row: row.d10)
    now = rows.index(DEMEANORS.get(rules, demeanor))
    made = yield from impress(rules, charisma, rows[now].interaction)
    seen = False
    if empathy is not None:
        watched = yield from attempt(rules, empathy, "", "Empathy")
        seen = watched.success and compare(rules, watched.qr, made.qr).winner == 1
    steps = REACTIONS.get(rules, str(made.qr)).steps
    if seen and rules.word("noticed-charm") == "fails":
        steps = min(0, steps)
    after = rows[max(0, min(len(rows) - 1, now + steps))]
    return Charmed(after.demeanor, after.interaction, seen)


@rule("fs-persuasion")
def persuasion_modifier(rules: Ruleset, situation: str = "thought sincere", pick: int | None = None) -> Mod:
    """The modifier of a situation for a request; the gamemaster picks within the range, the mildest otherwise."""
    row = PERSUASION.get(rules, situation)
    value = min((row.lowest, row.highest), key=abs) if pick is None else pick
    if not row.lowest <= value <= row.highest:
        raise UserError(f"{situation} is worth {row.lowest} to {row.highest}, not {value}")
    return Mod(situation, value, "fs-persuasion")


class Request(Struct, frozen=True):
    """A request made: the rating of the case behind it (none where there was none), and of the asking."""

    case: int | None
    qr: int

    @property
    def granted(self) -> bool:
        """Whether the other is persuaded."""
        return self.qr <= BARELY


@rule("fs-persuasion")
def build_case(rules: Ruleset, case: Task = SOMEBODY_ABLE, feigned: Task | None = None, empathy: Task | None = None) -> Play[int]:
    """A case is built with intelligence or Theory. What is false in it is feigned with Confidence or Disguise.

    The other's empathy may block that, and a case that rests on a lie is no better than the lie (ruling).
    """
    built = (yield from attempt(rules, case, "", "building a case")).qr
    if feigned is None:
        return built
    if empathy is None:
        return max(built, (yield from attempt(rules, feigned, "", "feigning")).qr)
    return max(built, (yield from oppose(rules, feigned, empathy, what="feigning", resists="Empathy")).through)


@rule("fs-persuasion")
def gauge(rules: Ruleset, empathy: Task = SOMEBODY_ABLE, case: int = 4) -> Play[int | None]:
    """An empathy roll tells how a case was received before anything is asked: its rating, or nothing where the roll fails.

    By id only.
    """
    if case not in RATINGS:
        raise UserError(f"a quality rating is one of {', '.join(map(str, RATINGS))}, not {case}")
    return case if (yield from attempt(rules, empathy, "", "gauging the case")).success else None


@rule("fs-npc-demeanor")
def persuade(
    rules: Ruleset,
    asking: Task = SOMEBODY_ABLE,
    case: Task = SOMEBODY_ABLE,
    situations: tuple[str, ...] = (),
    interaction: int = 0,
    feigned: Task | None = None,
    empathy: Task | None = None,
    picks: tuple[int, ...] = (),
) -> Play[Request]:
    """A request is one roll with the demeanor of the other person; no case and no other modifiers count."""
    asked = yield from attempt(rules, asking.plus(Mod("their demeanor", interaction, "fs-npc-demeanor")), "", "the request")
    return Request(None, asked.qr)


@instead_of(persuade, "persuasion")
@rule("fs-persuasion")
def persuade_in_steps(
    rules: Ruleset,
    asking: Task = SOMEBODY_ABLE,
    case: Task = SOMEBODY_ABLE,
    situations: tuple[str, ...] = (),
    interaction: int = 0,
    feigned: Task | None = None,
    empathy: Task | None = None,
    picks: tuple[int, ...] = (),
) -> Play[Request]:
    """The request, hard by Confidence or softly by Charisma, builds on a case; all that fits the situation is added up.

    What the gamemaster picks within the ranges stands in the order of the situations; 0, or none said, is the mildest.
    """
    if len(picks) > len(situations):
        raise UserError(f"{len(picks)} picks for {len(situations)} situations")
    picked = dict(zip(situations, (*picks, *[0] * (len(situations) - len(picks))), strict=True))
    built = yield from build_case(rules, case, feigned, empathy)
    mods = [persuasion_modifier(rules, text, pick or None) for text, pick in picked.items()]
    task = asking.plus(built_on(rules, built, "the case"), *mods, Mod("their demeanor", interaction, "fs-npc-demeanor"))
    asked = yield from attempt(rules, task, "", "the request")
    return Request(built, asked.qr)


# --- meetings -----------------------------------------------------------------------------------------------------------------

March = Literal["ambush", "very cautious", "normal", "hasty"]
MARCHES = Figures("fs-engagement-march")


@rule("fs-contact-engagement", "fs-engagement-march")
def engagement_total(rules: Ruleset, stealth: tuple[int, ...], perception: tuple[int, ...], march: March = "normal") -> Derived[int]:
    """A party's total: its worst Stealth rating and its best perception rating, adjusted for ambush, caution or haste."""
    if not stealth or not perception:
        raise UserError("everybody in a party rolls Stealth and Perception: give at least one rating of each")
    worst, best = max(stealth), min(perception)
    terms = (term("worst Stealth", worst), term("best Perception", best), term(march, MARCHES.of(rules, march)))
    return total("engagement total", *terms, rule="fs-contact-engagement")


class Engagement(Struct, frozen=True):
    """How two parties met: who has the edge (1, 2 or 0), what it means, and the initiative modifiers of the first round."""

    edge: int
    sees: str
    first: int
    second: int
    range: str
    may_avoid: bool = False
    """Whether the side with the edge can let the others pass."""
    in_cover: bool = False
    """Whether the side with the edge has taken cover."""


@rule("fs-contact-engagement")
def engagement(rules: Ruleset, first: int = 5, second: int = 7, at_contact: bool = False) -> Engagement:
    """Two totals compared: the lower has the edge, and the difference says how great it is.

    A surprise by 3 is worth initiative only where the fight is opened at observation range; at contact range it is worth cover.
    """
    row = ENCOUNTERS.get(rules, str(min(4, abs(first - second))))
    if first == second:
        return Engagement(0, row.sees, row.initiative, row.others, "observation" if first % 2 == 0 else "contact")
    covered = at_contact and row.at_contact is not None
    gained = row.at_contact if covered and row.at_contact is not None else row.initiative
    mods = (gained, row.others) if first < second else (row.others, gained)
    return Engagement(
        edge=1 if first < second else 2,
        sees=row.sees,
        first=mods[0],
        second=mods[1],
        range=row.from_range,
        may_avoid=row.avoid,
        in_cover=covered,
    )


class Party(Struct, frozen=True):
    """A party on the move: everybody's Stealth and Perception, and how it moves."""

    stealth: tuple[Task, ...] = (SOMEBODY_ABLE,)
    perception: tuple[Task, ...] = (SOMEBODY_ABLE,)
    march: March = "normal"


A_PARTY = Party()


@rule("fs-contact-engagement")
def make_contact(rules: Ruleset, first: Party = A_PARTY, second: Party = A_PARTY, at_contact: bool = False) -> Play[Engagement]:
    """Everybody of both parties rolls Stealth and Perception; the worst of the one and the best of the other make each total.

    By id only.
    """
    totals = []
    for party in (first, second):
        quiet = yield from sub(_best_or_worst, rules, party.stealth, "Stealth", "worst")
        alert = yield from sub(_best_or_worst, rules, party.perception, "Perception", "best")
        totals.append(engagement_total(rules, (quiet,), (alert,), party.march).value)
    return engagement(rules, totals[0], totals[1], at_contact)


def _best_or_worst(rules: Ruleset, tasks: tuple[Task, ...], what: str, counts: Literal["best", "worst"]) -> Play[int]:
    if not tasks:
        raise UserError("everybody in a party rolls Stealth and Perception: give at least one of each")
    rolled = yield from Together(tuple([Roll(reading(rules, task), "", what) for task in tasks]))
    ratings = [quality.qr for quality in rolled]
    return max(ratings) if counts == "worst" else min(ratings)


@rule("fs-engagement-ranges")
def engagement_range(rules: Ruleset, terrain: str = "Flat, Mixed", contact: bool = False) -> int:
    """How far off parties meet in a terrain, in meters. By id only."""
    row = RANGES.get(rules, terrain)
    return row.contact if contact else row.observation


# --- games and teaching -------------------------------------------------------------------------------------------------------


class Match(Struct, frozen=True):
    """Rounds won by each side of a game."""

    one: int
    other: int


@rule("fs-game-skill")
def game_lore(rules: Ruleset, education: int = 10) -> Mod:
    """Every ten education points spent on a deep game's lore are +1 at it. By id only."""
    bound("education points", education, 0, 100_000)
    return Mod("lore of the game", education // 10, "fs-game-skill")


@rule("fs-game-skill")
def play_game(
    rules: Ruleset, one: Task = SOMEBODY_ABLE, other: Task = SOMEBODY_ABLE, game: str = "Chess", handicap: int = 0
) -> Play[Match]:
    """A game is so many opposed rounds, the more the less luck it holds; a handicap is rounds given to the second side in advance.

    By id only.
    """
    bound("the handicap in rounds", handicap, 0, 100)
    return (yield from sub(_rounds, rules, one, other, GAMES.of(rules, game), Match(0, handicap)))


def _rounds(rules: Ruleset, task: Task, other: Task, left: int, match: Match) -> Play[Match]:
    if not left:
        return match
    winner = yield from sub(_round, rules, task, other)
    after = Match(match.one + (winner == 1), match.other + (winner == 2))
    return (yield from sub(_rounds, rules, task, other, left - 1, after))


def _round(rules: Ruleset, task: Task, other: Task) -> Play[int]:
    return (yield from contest(rules, task, other, what="a round of the game")).winner


@rule("fs-teach")
def teaching_hours(rules: Ruleset, skill: str = "Aircraft") -> int:
    """About as many hours of intensive training as the skill costs teach it at level 0."""
    return skill_row(rules, skill).cost


@rule("fs-teach")
def teach(rules: Ruleset, teacher: Task = SOMEBODY_ABLE, knows: bool = True) -> Play[bool]:
    """A successful Teach roll takes away strangeness, teaches a skill at level 0 or hands over knowledge, if the teacher has it."""
    if not knows:
        raise UserError("a teacher can only teach an ability that they have")
    return (yield from attempt(rules, teacher, "", "Teach")).success
