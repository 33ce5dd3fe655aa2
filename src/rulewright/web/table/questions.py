"""The open questions of a scene, and the chances of each answer."""

from collections.abc import Sequence

from msgspec import Struct

from rulewright.grammar import count
from rulewright.scenes.chances import Outcome, Weighed
from rulewright.table.commands.scenes import PLAYS
from rulewright.table.state import Table
from rulewright.table.views import Detail, LogShown, QuestionShown, SceneShown, TableShown
from rulewright.web.sheets.odds_bars import format_percent


class Segment(Struct, frozen=True):
    """A part of the bar beside an option."""

    name: str
    percent: str
    start: float
    width: float
    kind: str


class Prospect(Struct, frozen=True):
    """The chances of an option: the headline number and what it counts, and every outcome by name."""

    key: str
    large: str
    counts: str
    words: str
    bar: tuple[Segment, ...]
    why_not: str
    hoped: float | None = None
    """The headline number for comparison; None for a lower bound or an estimate."""
    margin: str = ""
    """The margin of an estimate, as ± and a number."""
    about: str = ""
    """A sentence about an estimate."""
    presumed: tuple[str, ...] = ()
    """The answers of others that the chances presume."""


NOT_COUNTED = "not computed in time"
"""The remaining chance if the chances are lower bounds."""
MIN_SHARE = 0.0005
"""The smallest share of a bar that is shown."""


def _harm_shade(place: int, harms: Sequence[int]) -> int:
    """The shade of a harm from 0 (none) to 3 (worst), by its rank among the possible harms."""
    if place not in harms:
        return 0
    return 3 if len(harms) == 1 else 1 + round(2 * harms.index(place) / (len(harms) - 1))


def prospects(options: Sequence[Weighed]) -> tuple[Prospect, ...]:
    """The chances of all options of a question."""
    result = []
    # A single good outcome has its own colour, unless it is that nothing happens. Several (a light wound, a deep one) are shaded by
    # severity, alike for all options.
    hopes = len({outcome.name for option in options for outcome in shown_outcomes(option) if outcome.good})
    known = [outcome for option in options for outcome in shown_outcomes(option)]
    spared = any(outcome.good for outcome in known if outcome.place == 0)
    # Touched without harm is as good as untouched; its shade is between none and harm.
    touched = {outcome.place for outcome in known if hopes and outcome.place > 0 and outcome.good == spared}
    harms = sorted({outcome.place for outcome in known if outcome.place > 0} - touched)
    for option in options:
        bar, start, outcomes = [], 0.0, shown_outcomes(option)
        for outcome, share in zip(outcomes, _round_shares(option), strict=True):
            shade = "graze" if outcome.place in touched else f"bad{_harm_shade(outcome.place, harms)}"
            kind = "good" if outcome.good and hopes == 1 and outcome.place > 0 else shade
            bar.append(Segment(outcome.name, share, round(start * 100, 3), round(outcome.chance * 100, 3), kind))
            start += outcome.chance
        left = 1 - start
        if option.about is None and option.at_least and outcomes and left > MIN_SHARE:
            bar.append(Segment(NOT_COUNTED, format_percent(left), round(start * 100, 3), round(left * 100, 3), "open"))
        # If the rule names no good outcome, every outcome but the first of the scale (nothing) is good.
        good = [outcome for outcome in outcomes if outcome.good]
        if not good and not option.counts:
            good = [outcome for outcome in outcomes if outcome.place > 0]
        # The headline number is the sum of the shares below it, as they are rounded there.
        parts = [part for part, outcome in zip(bar, outcomes, strict=False) if outcome in good]
        result.append(_build_prospect(option, tuple(bar), parts, sum(outcome.chance for outcome in good)))
    return tuple(result)


def shown_outcomes(weighed: Weighed) -> tuple[Outcome, ...]:
    """The outcomes to show: those of the estimate if there is one."""
    return weighed.about.outcomes if weighed.about is not None else weighed.outcomes


def _build_prospect(weighed: Weighed, bar: tuple[Segment, ...], good: Sequence[Segment], hoped: float) -> Prospect:
    """The chances of an option with its bar: exact, a lower bound, or an estimate."""
    words, counts, about = " · ".join(f"{part.name} {part.percent}" for part in bar), _describe_headline(weighed), weighed.about
    if about is not None:
        share = f"{sum(int(part.percent.removesuffix(' %')) for part in good)} %"
        margin = f"± {about.give_or_take}"
        sentence = f"{count(about.plays, 'simulation')}: {share} {margin}"
        return Prospect(weighed.key, f"about {share}", counts, f"about {words}", bar, "", None, margin, sentence, weighed.presumed)
    if weighed.low is not None and weighed.high is not None:
        low, high = round(100 * weighed.low), round(100 * weighed.high)
        large = f"{low} to {high} %" if low < high else f"{low} %"
        large = f"about {large}" if weighed.partial or weighed.at_least else large
        return Prospect(weighed.key, large, f"{counts}, by your next answers", large, (), weighed.why_not, presumed=weighed.presumed)
    large = _sum_shares(good, hoped) if weighed.outcomes else ""
    presumed = weighed.presumed
    if weighed.at_least:
        return Prospect(weighed.key, f"≥ {large}" if large else "", counts, f"at least {words}", bar, weighed.why_not, presumed=presumed)
    known = round(hoped, 6) if weighed.outcomes else None
    return Prospect(weighed.key, large, counts, words, bar, weighed.why_not, known, presumed=presumed)


def _sum_shares(parts: Sequence[Segment], exact: float) -> str:
    """The sum of several shares as rounded; the exact chance if one is too small to be shown."""
    shares = [part.percent.removesuffix(" %") for part in parts]
    if not shares or any(share.startswith("<") for share in shares):
        return format_percent(exact)
    return f"{sum(float(share) for share in shares):.1f} %"


def _describe_headline(weighed: Weighed) -> str:
    """Describes in words what the headline number counts."""
    if weighed.counts:
        return weighed.counts
    outcomes = shown_outcomes(weighed)
    good = [outcome.name for outcome in outcomes if outcome.good]
    others = [outcome.name for outcome in outcomes if not outcome.good]
    if good and len(good) < 3:
        return " or ".join(good)
    bad_name = others[0] if good and others else next((outcome.name for outcome in outcomes if outcome.place == 0), "")
    return "hits" if bad_name.startswith("miss") or not bad_name else f"not {bad_name}"


def _round_shares(weighed: Weighed) -> list[str]:
    """Round all chances so that they add up to 100 % with what is not settled: in tenths of a percent, whole percents for an estimate.

    The largest remainders are rounded up.
    """
    whole, settled = (100, 1.0) if weighed.about is not None else (1000, 1 - weighed.unsettled)
    exact = [outcome.chance * whole for outcome in shown_outcomes(weighed)]
    parts = [int(share) for share in exact]
    missing = round(settled * whole) - sum(parts)
    for at in sorted(range(len(exact)), key=lambda at: parts[at] - exact[at])[: max(0, missing)]:
        parts[at] += 1
    if weighed.about is not None:
        return [f"{part} %" for part in parts]
    return [f"{part / 10:.1f} %" if part or not share else "< 0.1 %" for part, share in zip(parts, exact, strict=True)]


class Prompt(Struct, frozen=True):
    """The question of the action bar: who is asked, who answers, and what caused it."""

    question: QuestionShown
    player: str
    """The name of the player who is asked."""
    colour: int
    """The player's colour."""
    mine: bool
    """Whether the member is asked; otherwise they answer for somebody else."""
    after: int
    """How many more questions are open at the same time."""
    spur: str = ""
    """The action of somebody else that this answers."""
    thinks: bool = False
    """Whether an AI player is asked, which is thinking; the gamemaster may answer for it."""
    alike: int = 0
    """How many more of the same player are asked the same at this moment, and may give the same answers."""

    @property
    def attacker(self) -> str:
        """The name of the combatant who acts against the asked one; empty if nobody does."""
        return self.spur.partition(":")[0] if self.question.topic not in ACTION_TOPICS else ""

    @property
    def many(self) -> bool:
        """Whether the options are grouped by verb, target and manner: many, or the tests and boosts of a roll request."""
        return len(self.question.options) > MAX_UNGROUPED or self.rolls

    @property
    def settles(self) -> bool:
        """Whether it can be answered once for the whole scene: reactions and habits, not actions."""
        return len(self.question.options) <= MAX_HABIT_OPTIONS and self.question.topic not in ACTION_TOPICS and not self.rolls

    @property
    def rolls(self) -> bool:
        """Whether it is the question of a roll request: which test, and what to spend on it."""
        return bool(self.question.options and self.question.options[0].verb == "roll")


MAX_UNGROUPED = 8
"""Up to this many options are shown side by side; more are grouped."""
MAX_HABIT_OPTIONS = 6
"""Up to this many options, a question may be answered alike for the whole scene."""
ACTION_TOPICS = ("act", "move", "way", "way too", "turn")
"""Topics that are asked every time."""


def find_prompt(seen: TableShown, scene: SceneShown, lines: Sequence[LogShown]) -> Prompt | None:
    """The question of the action bar: first the member's own, then those they may answer for others."""
    open_to_me = answerable(scene)
    thinkers = {hand.who for hand in scene.hands if hand.tactic in PLAYS}
    own = [question for question in open_to_me if question.asked == seen.me.id and question.who not in thinkers]
    theirs = [question for question in open_to_me if question not in own]
    if not own and not theirs:
        return None
    question = (own or theirs)[0]
    names = {member.id: member.name for member in seen.members}
    return Prompt(
        question,
        question.who if question.who in thinkers else names.get(question.asked, ""),
        colour_of(seen, question.asked),
        bool(own),
        len(own or theirs) - 1,
        _find_trigger(question, lines),
        question.who in thinkers,
        sum(_is_alike(question, other) for other in (own or theirs)[1:]),
    )


def _is_alike(question: QuestionShown, other: QuestionShown) -> bool:
    """Whether two questions have the same topic and the same options, and ask the same player."""
    keys = [[option.key for option in asked.options] for asked in (question, other)]
    return bool(keys[0]) and keys[0] == keys[1] and (question.asked, question.topic) == (other.asked, other.topic)


def find_thinker(scene: SceneShown, table: Table) -> str:
    """The AI player whose answer a scene waits for, if the member may know of its question."""
    hands = table.scene(scene.number).hands
    return next((question.who for question in scene.questions if question.who in hands and hands[question.who].tactic in PLAYS), "")


def colour_of(seen: TableShown, member: str) -> int:
    """A member's colour: their position among all members."""
    return next((at for at, member_shown in enumerate(seen.members) if member_shown.id == member), 0) % 6


def _find_trigger(question: QuestionShown, lines: Sequence[LogShown]) -> str:
    """The last decision of somebody else that names the asked combatant, if it is not resolved yet."""
    for line in reversed(lines[-12:]):
        for detail in reversed(line.details):
            if detail.undone or line.undone:
                continue
            if detail.sort == "event":
                return ""
            if detail.sort == "decision" and detail.who != question.who:
                return f"{detail.who}: {detail.answer}" if question.who in detail.answer else ""
    return ""


MAX_SENTENCES = 3
"""Maximum number of sentences in the banner."""


class Banner(Struct, frozen=True):
    """What just happened, in a sentence or two, with its dice."""

    mark: str
    sentences: tuple[str, ...]
    dice: tuple[tuple[tuple[int, ...], tuple[int, ...], str], ...]
    tone: str

    @property
    def size(self) -> str:
        """The CSS classes for its length: none, small on a phone, or small everywhere."""
        letters = sum(len(sentence) + 2 for sentence in self.sentences)
        return " long longer" if letters > 130 else " long" if letters > 70 else ""


def banner(lines: Sequence[LogShown], scene: SceneShown | None) -> Banner | None:
    """Returns what happened in the scene since the last decision that had a result."""
    if scene is None:
        return None
    dice: list[tuple[tuple[int, ...], tuple[int, ...], str]] = []
    events: list[Detail] = []
    mark = ""
    for line in reversed(lines):
        if line.scene != scene.number or line.undone:
            continue
        details = [detail for detail in line.details if not detail.undone]
        if line.sort == "scene begun" and not events:
            return Banner(line.mark, (scene.about or line.text,), (), "")
        if line.sort in ("undo", "redo") and not events:
            return Banner(line.mark, (f"{line.by_name} {line.text}",), (), "")
        mark = mark or line.mark
        events = [detail for detail in details if detail.sort == "event"] + events
        dice = [(detail.faces, detail.kept, detail.who) for detail in details if detail.sort == "roll"] + dice
        if events and line.sort == "scene begun":
            dice = []  # the order of turns is told in words
        if events and (any(detail.sort == "decision" for detail in details) or line.sort == "scene begun"):
            break
    if not events:
        return None
    tones = [event.tone for event in events if event.tone not in ("plain", "")]
    tone = {"success": "good", "failure": "bad"}.get(tones[-1], tones[-1]) if tones else ""
    return Banner(mark, tuple(event.text for event in events[-MAX_SENTENCES:]), tuple(dice[-3:]), tone)


def list_waiting(seen: TableShown, scene: SceneShown) -> list[str]:
    """Names the people whom the scene is waiting for: the combatant, and their player."""
    names = {member.id: member.name for member in seen.members}
    hands = {hand.who: hand.member for hand in scene.hands}
    names_shown = []
    for question in scene.questions:
        if not question.mine:
            player = names.get(hands.get(question.who, ""), "")
            names_shown.append(f"{question.who} ({player})" if player and player != question.who else question.who)
    return list(dict.fromkeys(names_shown))


def answerable(scene: SceneShown) -> list[QuestionShown]:
    """The questions that this member may answer. The gamemaster may answer all; questions of others come last."""
    return [question for question in scene.questions if question.mine]


def find_moment(lines: Sequence[LogShown], scene: SceneShown) -> str:
    """The mark of the latest log entry of a scene that the member sees. It changes when the same question is asked again."""
    return next((line.mark for line in reversed(lines) if line.scene == scene.number), "")
