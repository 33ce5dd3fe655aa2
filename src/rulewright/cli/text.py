"""Text output: trees of reasons, bars, percentages, aligned columns. Needs only click."""

from collections.abc import Iterable, Sequence

import click

from rulewright.rules.reasons import Reason

BLOCKS = " ▏▎▍▌▋▊▉"
VERDICTS = {"success": "green", "draw": "yellow", "failure": "red"}


def tree(reasons: Sequence[Reason], indent: str = "") -> list[str]:
    """Reasons as a tree, with the rule of each at the right."""
    lines: list[tuple[str, str]] = []
    _branches(reasons, indent, "", lines)
    return _aligned(lines)


def rooted(reason: Reason) -> list[str]:
    """A reason with its terms below it, as `why` prints it."""
    lines = [(_line(reason), reason.rule or "")]
    _branches(reason.terms, "", reason.rule or "", lines)
    return _aligned(lines)


def _branches(reasons: Sequence[Reason], indent: str, rule: str, lines: list[tuple[str, str]]) -> None:
    for place, reason in enumerate(reasons):
        last = place == len(reasons) - 1
        lines.append((f"{indent}{'└─ ' if last else '├─ '}{_line(reason)}", reason.rule if reason.rule and reason.rule != rule else ""))
        _branches(reason.terms, indent + ("   " if last else "│  "), reason.rule or rule, lines)


def _line(reason: Reason) -> str:
    if reason.rounds():
        return reason.op if reason.value == 1 else f"{reason.op}   {reason.label} of {value(reason.value)}"
    sign = f"{reason.sign()} " if reason.sign() else ""
    source = "" if reason.source == "book" else f"  ({reason.source})"
    return f"{sign}{value(reason.value)}   {reason.label}{source}"


def _aligned(lines: list[tuple[str, str]]) -> list[str]:
    at = min(80, max(54, *(len(line) + 2 for line, _ in lines))) if lines else 0
    return [f"{line:<{at}}{click.style(rule, dim=True)}" if rule else line for line, rule in lines]


def value(number: int | float | str) -> str:
    """A number without needless digits, and never with an exponent."""
    if not isinstance(number, float):
        return str(number)
    return f"{number:.0f}" if abs(number) >= 100_000 else f"{number:g}"


def bar(share: float, width: int) -> str:
    """A bar that fills this share of the width, to an eighth of a column."""
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    full, rest = divmod(eighths, 8)
    return "█" * full + (BLOCKS[rest] if rest else "")


def percent(chance: float) -> str:
    """A chance with at most three significant digits. Only impossible outcomes show 0%, and only certain ones 100%."""
    if chance in (0.0, 1.0):
        return f"{chance:.0%}"
    if chance > 0.999:
        return ">99.9%"
    if chance >= 0.001:
        return f"{chance:.1%}"
    return f"{chance * 100:.2g}%" if chance >= 0.00001 else "<0.001%"


def columns(rows: Iterable[Sequence[str]], gap: int = 2, indent: str = "") -> list[str]:
    """Rows with aligned columns; the last column is not padded."""
    table = [list(row) for row in rows]
    if not table:
        return []
    widths = [max(len(row[at]) for row in table if at < len(row)) for at in range(max(map(len, table)))]
    return [
        (indent + (" " * gap).join(cell.ljust(widths[at]) if at < len(row) - 1 else cell for at, cell in enumerate(row))).rstrip()
        for row in table
    ]


def width(most: int = 100) -> int:
    """The width of the terminal, at most `most`."""
    import shutil

    return min(most, max(40, shutil.get_terminal_size((80, 24)).columns))


def paragraph(words: str, indent: str = "  ") -> str:
    """A paragraph that fits the terminal."""
    import textwrap

    return textwrap.fill(" ".join(words.split()), width(), initial_indent=indent, subsequent_indent=indent)
