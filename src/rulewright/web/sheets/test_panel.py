"""The panel of a test: its parts, modifiers, target and odds; and the log entry of its roll."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from litestar.datastructures import FormMultiDict, MultiDict
from msgspec import Struct
from msgspec.structs import replace

from rulewright.build.sheet_parts import Modifier, Sheet, Test
from rulewright.dice.reading import Faces
from rulewright.errors import UserError
from rulewright.play import Roll, Seeded, play
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.show.replies import Thrown
from rulewright.system import System
from rulewright.web.pages.games import MAX_TEXT, Missing, shorten
from rulewright.web.pages.visitor_drafts import Dice, Entry
from rulewright.web.server import bounded_replies
from rulewright.web.server.security import time_limited
from rulewright.web.sheets import odds_bars

MAX_HAND_LETTERS = 40
MAX_CHIPS = 100


class PanelInput(Struct, frozen=True):
    """The settings of a test panel."""

    test: str
    on: tuple[str, ...] | None = None
    hand: str = ""
    against: str | None = None
    faces: tuple[str, ...] = ()
    before: str = ""
    """The target typed for the previous test."""

    @classmethod
    def of(cls, fields: MultiDict[Any] | FormMultiDict) -> "PanelInput | None":
        """Read the settings from form fields; None if no test is chosen."""
        test = _text(fields.get("test", ""))
        if not test:
            return None
        against = fields.get("against", "")
        return cls(
            test,
            tuple(_text(key) for key in fields.getall("on", [])[:MAX_CHIPS]) if fields.get("asked", "") else None,
            _text(fields.get("hand", "")).strip(),
            _text(against).strip() if fields.get("asked", "") or against else None,
            tuple(_text(face) for face in fields.getall("faces", [])[:8]),
            _text(fields.get("before", "")).strip(),
        )

    def query(self) -> list[tuple[str, str]]:
        """The settings as query parameters."""
        pairs = [("test", self.test)]
        if self.on is not None:
            pairs += [("asked", "1"), *(("on", key) for key in self.on), ("hand", self.hand), ("against", self.against or "")]
        return pairs


def _text(value: object) -> str:
    return value[:MAX_TEXT] if isinstance(value, str) else ""


class Chip(Struct, frozen=True):
    """A modifier that can be switched on."""

    key: str
    label: str
    worth: str
    value: int
    on: bool
    group: str
    rule: str


class TypedRoll(Struct, frozen=True):
    """A roll whose faces can be typed."""

    dice: str
    what: str
    faces: str


class Panel(Struct, frozen=True):
    """Everything that the panel shows."""

    test: Test
    asked: PanelInput
    parts: tuple[Chip, ...]
    chips: tuple[Chip, ...]
    against: str
    notation: str
    odds: Mapping[str, Any] | None
    shares: tuple[odds_bars.Share, ...]
    chart: odds_bars.Chart | None
    table: tuple[odds_bars.Line, ...]
    mean: str
    rolls: tuple[TypedRoll, ...]
    wrong: str = ""

    @property
    def before(self) -> str:
        """The target for the next test, if that has none of its own."""
        return self.against if self.against != self.test.against else self.asked.before


def find_test(sheet: Sheet, key: str) -> Test:
    """The test with this key."""
    test = sheet.tests().get(key)
    if test is None:
        raise Missing(f"{sheet.name} has no test {shorten(key)!r}")
    return test


def build_panel(system: System, rules: Ruleset, sheet: Sheet, asked: PanelInput, wrong: str = "") -> Panel:
    """Build the panel of a test; it shows an error for a test that cannot be rolled."""
    test = find_test(sheet, asked.test)
    chips = _chips(test.modifiers, asked)
    against = _find_target(test, asked)
    notation, odds = "", None
    rolls: tuple[TypedRoll, ...] = ()
    try:
        notation = compose_notation(system, test, asked)
        odds = bounded_replies.odds(system, rules, notation)
        rolls = _list_rolls(system, rules, notation, asked.faces)
    except UserError as refused:
        wrong = wrong or str(refused)
    parts = tuple(_chip(part, True) for part in test.parts)
    if odds is None:
        return Panel(test, asked, parts, chips, against, notation, None, (), None, (), "", (), wrong)
    mean = "" if odds["chance"] is not None else _compute_mean(odds)
    return Panel(
        test,
        asked,
        parts,
        chips,
        against,
        notation,
        odds,
        odds_bars.build_shares(odds),
        odds_bars.build_chart([odds]),
        odds_bars.build_table([odds]),
        mean,
        rolls,
        wrong,
    )


def _chips(modifiers: Sequence[Modifier], asked: PanelInput) -> tuple[Chip, ...]:
    """The modifiers as chips; of each group, only the first that is on."""
    taken: set[str] = set()
    chips = []
    for modifier in modifiers:
        key = f"{modifier.label} {modifier.value:+}"
        on = modifier.on if asked.on is None else key in asked.on
        if on and modifier.group:
            on = modifier.group not in taken
            taken.add(modifier.group)
        chips.append(_chip(modifier, on))
    return tuple(chips)


def _chip(modifier: Modifier, on: bool) -> Chip:
    worth = odds_bars.format_number(modifier.value, signed=True) if modifier.value else ""
    return Chip(f"{modifier.label} {modifier.value:+}", modifier.label, worth, modifier.value, on, modifier.group, modifier.rule or "")


def compose_notation(system: System, test: Test, asked: PanelInput) -> str:
    """The test in the game's notation. Text added by hand that is no number (Emergency Dice) follows the dice."""
    total = sum(chip.value for chip in _chips(test.modifiers, asked) if chip.on)
    hand = asked.hand[:MAX_HAND_LETTERS].replace("−", "-")
    if re.fullmatch(r"[+-]?\d{1,6}", hand, re.ASCII):
        total, hand = total + int(hand), ""
    extra = hand if not hand or hand[0] in "+-" else f"+{hand}"
    return system.compose(test.notation + extra, total, _find_target(test, asked).strip())


def _find_target(test: Test, asked: PanelInput) -> str:
    """The target: as the visitor set it, as the game offers it, or as in the previous test."""
    return asked.against if asked.against is not None else test.against or asked.before


def _compute_mean(odds: Mapping[str, Any]) -> str:
    """The average of a roll without a target, if its outcomes are numbers."""
    outcomes = odds["outcomes"]
    known = sum(outcome["weight"] for outcome in outcomes)
    return f"{sum(outcome['order'] * outcome['weight'] for outcome in outcomes) / known:.2f}" if known else ""


@time_limited
def _list_rolls(system: System, rules: Ruleset, notation: str, faces: Sequence[str]) -> tuple[TypedRoll, ...]:
    """The rolls that a test needs."""
    asked: list[Roll[Any]] = [fallen.roll for fallen in play(system.test(rules, notation).start(), dice=Seeded(1)).rolls]
    return tuple(
        TypedRoll(str(roll.reading), ", ".join(filter(None, (roll.by, roll.what))), faces[at] if at < len(faces) else "")
        for at, roll in enumerate(asked)
    )


def parse_faces(system: System, rules: Ruleset, notation: str, texts: Sequence[str]) -> list[Faces]:
    """Parse typed faces, one field for each roll; commas can be left out for dice with fewer than ten sides."""
    rolls = []
    needed = play(system.test(rules, bounded_replies.check_length(notation)).start(), dice=Seeded(1)).rolls
    for at, text in enumerate(texts):
        sides = needed[at].roll.reading.sides() if at < len(needed) else ()
        bare = text.strip()
        if bare.isascii() and bare.isdecimal() and len(bare) == len(sides) and max(sides, default=10) < 10:
            text = ",".join(bare)
        if not bare:
            dice = f" ({needed[at].roll.reading})" if at < len(needed) else ""
            raise UserError(f"enter the faces of your dice{dice}, as in {','.join(str(side) for side in sides[:4]) or '3,5'}")
        rolls += bounded_replies.faces(text)
    return rolls


def create_log_entry(system: System, number: int, who: str, test: Test, asked: PanelInput, thrown: Thrown, typed: bool) -> Entry:
    """The log entry of a test that was rolled."""
    rolls = tuple(Dice(fallen.faces, fallen.kept) for fallen in thrown.played.rolls)
    return Entry(
        number,
        system.id,
        who,
        test.name,
        thrown.notation,
        thrown.shown.label,
        thrown.shown.verdict or "",
        typed,
        rolls,
        _split_modifier(thrown.reasons, test, asked),
    )


def _split_modifier(reasons: tuple[Reason, ...], test: Test, asked: PanelInput) -> tuple[Reason, ...]:
    """The sum with its modifier split into what the sheet and the chips gave, if they add up to it."""
    given = [Reason(part.label, part.value, "+", part.rule) for part in test.parts if part.value]
    given += [Reason(chip.label, chip.value, "+", chip.rule or None) for chip in _chips(test.modifiers, asked) if chip.on and chip.value]
    if re.fullmatch(r"[+-]?\d{1,6}", asked.hand, re.ASCII) and int(asked.hand):
        given.append(Reason("by hand", int(asked.hand)))
    worth = sum(int(reason.value) for reason in given)
    done = False
    result: list[Reason] = []
    for reason in reasons:
        if not done and not reason.terms and reason.label == "modifier" and reason.value == worth:
            done = True
            result += given
        elif not done and reason.terms and any(below.label == "modifier" and below.value == worth for below in reason.terms):
            done = True
            result.append(replace(reason, terms=_split_modifier(reason.terms, test, asked)))
        else:
            result.append(reason)
    return tuple(result)
