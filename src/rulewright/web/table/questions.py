"""What is asked of whom, and what each way of answering promises."""

from collections.abc import Sequence

from msgspec import Struct

from rulewright.scenes.chances import Outcome, Weighed
from rulewright.table.views import Detail, LogShown, QuestionShown, SceneShown, TableShown
from rulewright.web.sheets.odds_bars import percent


class Segment(Struct, frozen=True):
    """A part of the bar beside an option."""

    name: str
    percent: str
    start: float
    width: float
    kind: str


class Prospect(Struct, frozen=True):
    """What an option leads to: the chance that is hoped for as a large number and what it counts, and every outcome by name."""

    key: str
    large: str
    counts: str
    words: str
    bar: tuple[Segment, ...]
    why_not: str
    hoped: float | None = None
    """The large number to be compared with others; None where it is a lower bound or an estimate."""
    margin: str = ""
    """How far off an estimate may be, in a few signs."""
    about: str = ""
    """What an estimate is, in a sentence."""


NOT_COUNTED = "not counted in time"
"""What stands for the rest where the chances are lower bounds."""
SEEN = 0.0005
"""The least share of a bar that is told."""


def _shade(place: int, harms: Sequence[int]) -> int:
    """Nothing, light, serious, worst: where a place on the scale stands among the harms that can come of it."""
    if place not in harms:
        return 0
    return 3 if len(harms) == 1 else 1 + round(2 * harms.index(place) / (len(harms) - 1))


def prospects(weighed: Sequence[Weighed]) -> tuple[Prospect, ...]:
    """The chances beside the options of a question."""
    result = []
    # One thing to hope for has its colour; several (a light wound, a deep one) are told apart by how much they are, alike for all options.
    hopes = len({outcome.name for candidate in weighed for outcome in told_of(candidate) if outcome.good})
    known = [outcome for candidate in weighed for outcome in told_of(candidate)]
    spared = any(outcome.good for outcome in known if outcome.place == 0)
    # Whoever is touched without harm fares as if nothing had come, and has a shade between that and harm.
    touched = {outcome.place for outcome in known if hopes and outcome.place > 0 and outcome.good == spared}
    harms = sorted({outcome.place for outcome in known if outcome.place > 0} - touched)
    for candidate in weighed:
        bar, start, outcomes = [], 0.0, told_of(candidate)
        for outcome, told in zip(outcomes, _adding_up(candidate), strict=True):
            shade = "graze" if outcome.place in touched else f"bad{_shade(outcome.place, harms)}"
            kind = "good" if outcome.good and hopes == 1 else shade
            bar.append(Segment(outcome.name, told, round(start * 100, 3), round(outcome.chance * 100, 3), kind))
            start += outcome.chance
        left = 1 - start
        if candidate.about is None and candidate.at_least and outcomes and left > SEEN:
            bar.append(Segment(NOT_COUNTED, percent(left), round(start * 100, 3), round(left * 100, 3), "open"))
        # What comes of it is anything but the first of the scale, which is nothing; or what the rule says one hopes for.
        good = [outcome for outcome in outcomes if outcome.good]
        if not good and not candidate.counts:
            good = [outcome for outcome in outcomes if outcome.place > 0]
        # The large number is the sum of the small ones beneath it, as they are rounded there.
        parts = [part for part, outcome in zip(bar, outcomes, strict=False) if outcome in good]
        result.append(_prospect(candidate, tuple(bar), parts, sum(outcome.chance for outcome in good)))
    return tuple(result)


def told_of(weighed: Weighed) -> tuple[Outcome, ...]:
    """The outcomes that are told: those of the estimate where there is one."""
    return weighed.about.outcomes if weighed.about is not None else weighed.outcomes


def _prospect(weighed: Weighed, bar: tuple[Segment, ...], good: Sequence[Segment], hoped: float) -> Prospect:
    """What an option leads to, as a bar that is drawn already: exact, a lower bound, or about."""
    words, counts, about = " · ".join(f"{part.name} {part.percent}" for part in bar), _counts(weighed), weighed.about
    if about is not None:
        share = f"{sum(int(part.percent.removesuffix(' %')) for part in good)} %"
        margin = f"± {about.give_or_take}"
        said = f"played out {about.plays} times: {share} {margin}"
        return Prospect(weighed.key, f"about {share}", counts, f"about {words}", bar, "", None, margin, said)
    large = _together(good, hoped) if weighed.outcomes else ""
    if weighed.at_least:
        return Prospect(weighed.key, f"≥ {large}" if large else "", counts, f"at least {words}", bar, weighed.why_not)
    return Prospect(weighed.key, large, counts, words, bar, weighed.why_not, round(hoped, 6) if weighed.outcomes else None)


def _together(parts: Sequence[Segment], exact: float) -> str:
    """The chance of several parts of a bar as their shares add up; as exact as can be told where one is too small to be a share."""
    shares = [part.percent.removesuffix(" %") for part in parts]
    if not shares or any(share.startswith("<") for share in shares):
        return percent(exact)
    return f"{sum(float(share) for share in shares):.1f} %"


def _counts(weighed: Weighed) -> str:
    """What the large number counts, in words."""
    if weighed.counts:
        return weighed.counts
    outcomes = told_of(weighed)
    good = [outcome.name for outcome in outcomes if outcome.good]
    others = [outcome.name for outcome in outcomes if not outcome.good]
    if good and len(good) < 3:
        return " or ".join(good)
    nothing = others[0] if good and others else next((outcome.name for outcome in outcomes if outcome.place == 0), "")
    return "hits" if nothing.startswith("miss") or not nothing else f"not {nothing}"


def _adding_up(weighed: Weighed) -> list[str]:
    """Every chance in tenths of a percent that add up to a hundred with what is not settled, or in whole percents where it is an estimate;
    rounding goes where most was cut off."""
    all_of_it, settled = (100, 1.0) if weighed.about is not None else (1000, 1 - weighed.unsettled)
    exact = [outcome.chance * all_of_it for outcome in told_of(weighed)]
    parts = [int(share) for share in exact]
    missing = round(settled * all_of_it) - sum(parts)
    for at in sorted(range(len(exact)), key=lambda at: parts[at] - exact[at])[: max(0, missing)]:
        parts[at] += 1
    if weighed.about is not None:
        return [f"{part} %" for part in parts]
    return [f"{part / 10:.1f} %" if part or not share else "< 0.1 %" for part, share in zip(parts, exact, strict=True)]


class Asked(Struct, frozen=True):
    """The question of the bar: whose it is, for whom it is answered, what brought it about."""

    question: QuestionShown
    player: str
    """Who is asked, by name."""
    colour: int
    """The player's own colour."""
    mine: bool
    """Whether it is asked of whoever looks; else it is answered for somebody, on purpose."""
    after: int
    """How many more are asked at the same time."""
    spur: str = ""
    """What somebody else has just done that this answers."""

    @property
    def many(self) -> bool:
        """Whether there is so much to choose from that it is arranged by verb, target and manner."""
        return len(self.question.options) > FEW

    @property
    def settles(self) -> bool:
        """Whether it can be answered once for the whole scene: reactions and habits, not deeds."""
        return len(self.question.options) <= HABITS and self.question.topic not in DEEDS


FEW = 8
"""So many options stand side by side; more are arranged."""
HABITS = 6
"""A question with so many answers may be one that somebody always answers alike."""
DEEDS = ("act", "move", "way", "way too", "turn")
"""What nobody wants to be rid of."""


def asked(seen: TableShown, scene: SceneShown, lines: Sequence[LogShown]) -> Asked | None:
    """What the bar asks: first what is asked of this member, then what they may answer for others."""
    open_to_me = mine(scene)
    own = [question for question in open_to_me if question.asked == seen.me.id]
    theirs = [question for question in open_to_me if question.asked != seen.me.id]
    if not own and not theirs:
        return None
    question = (own or theirs)[0]
    names = {member.id: member.name for member in seen.members}
    return Asked(
        question,
        names.get(question.asked, ""),
        colour_of(seen, question.asked),
        bool(own),
        len(own or theirs) - 1,
        _spur(question, lines),
    )


def colour_of(seen: TableShown, member: str) -> int:
    """The place of a member among all, which gives them their colour."""
    return next((at for at, member_shown in enumerate(seen.members) if member_shown.id == member), 0) % 6


def _spur(question: QuestionShown, lines: Sequence[LogShown]) -> str:
    """The last decision of somebody else that names whoever is asked, as long as nothing has come of it yet."""
    for line in reversed(lines[-12:]):
        for detail in reversed(line.details):
            if detail.undone or line.undone:
                continue
            if detail.sort == "event":
                return ""
            if detail.sort == "decision" and detail.who != question.who:
                return f"{detail.who}: {detail.answer}" if question.who in detail.answer else ""
    return ""


MOST_TOLD = 3
"""So many sentences stand in the banner."""


class Banner(Struct, frozen=True):
    """What just happened, in a sentence or two, with its dice."""

    mark: str
    sentences: tuple[str, ...]
    dice: tuple[tuple[tuple[int, ...], tuple[int, ...], str], ...]
    tone: str

    @property
    def size(self) -> str:
        """How the page has to set it so that its end is seen: as it is, small on a phone, or small everywhere."""
        letters = sum(len(sentence) + 2 for sentence in self.sentences)
        return " long longer" if letters > 130 else " long" if letters > 70 else ""


def banner(lines: Sequence[LogShown], scene: SceneShown | None) -> Banner | None:
    """What the log tells of the scene since somebody last decided something that had come to anything."""
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
        dice = [(candidate.faces, candidate.kept, candidate.who) for candidate in details if candidate.sort == "roll"] + dice
        if events and line.sort == "scene begun":
            dice = []  # who goes first is told in words
        if events and (any(detail.sort == "decision" for detail in details) or line.sort == "scene begun"):
            break
    if not events:
        return None
    tones = [event.tone for event in events if event.tone not in ("plain", "")]
    tone = {"success": "good", "failure": "bad"}.get(tones[-1], tones[-1]) if tones else ""
    return Banner(mark, tuple(event.text for event in events[-MOST_TOLD:]), tuple(dice[-3:]), tone)


def waits_for(seen: TableShown, scene: SceneShown) -> list[str]:
    """Whom the scene waits for, in words: the combatant, and who plays them."""
    names = {member.id: member.name for member in seen.members}
    hands = {hand.who: hand.member for hand in scene.hands}
    result = []
    for question in scene.questions:
        if not question.mine:
            player = names.get(hands.get(question.who, ""), "")
            result.append(f"{question.who} ({player})" if player and player != question.who else question.who)
    return list(dict.fromkeys(result))


def mine(scene: SceneShown) -> list[QuestionShown]:
    """What this member may answer. The gamemaster may answer for everybody, so the others' questions come last."""
    return [question for question in scene.questions if question.mine]


def moment(lines: Sequence[LogShown], scene: SceneShown) -> str:
    """What stands for this moment of a scene, the latest of its lines that the member may see: the same question asked later is another."""
    return next((line.mark for line in reversed(lines) if line.scene == scene.number), "")
