"""Plain drawing in the terminal: trees of reasons, bars, aligned columns. Nothing here needs more than click."""

from collections.abc import Iterable, Sequence

import click

from rulewright.rules.reasons import Reason

BLOCKS = " ▏▎▍▌▋▊▉"
VERDICTS = {"success": "green", "draw": "yellow", "failure": "red"}


def tree(reasons: Sequence[Reason], indent: str = "") -> list[str]:
    """Reasons as branches below one another, the rule that says so at the right."""
    lines: list[tuple[str, str]] = []
    _branches(reasons, indent, "", lines)
    return _aligned(lines)


def rooted(reason: Reason) -> list[str]:
    """A reason on top and its terms below: what `why` prints."""
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
    """A number as people write it."""
    return f"{number:g}" if isinstance(number, float) else str(number)


def bar(share: float, width: int) -> str:
    """A bar that fills this share of the width, to an eighth of a column."""
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    full, rest = divmod(eighths, 8)
    return "█" * full + (BLOCKS[rest] if rest else "")


def percent(chance: float) -> str:
    """A chance as people read it; the very small and the very large keep their digits, and neither is ever shown as never or always."""
    if chance in (0.0, 1.0):
        return f"{chance:.0%}"
    if 0.001 <= chance <= 0.999:
        return f"{chance:.1%}"
    if chance > 0.999:
        return f"{chance:.4%}" if chance < 0.999999 else ">99.9999%"
    digits = f"{chance * 100:.2g}"
    return f"{chance * 100:.6f}".rstrip("0") + "%" if "e" in digits and chance > 1e-7 else f"{digits}%"


def columns(rows: Iterable[Sequence[str]], gap: int = 2, indent: str = "") -> list[str]:
    """Rows with their columns aligned; the last column runs free."""
    table = [list(row) for row in rows]
    if not table:
        return []
    widths = [max(len(row[at]) for row in table if at < len(row)) for at in range(max(map(len, table)))]
    return [
        (indent + (" " * gap).join(cell.ljust(widths[at]) if at < len(row) - 1 else cell for at, cell in enumerate(row))).rstrip()
        for row in table
    ]


def width(most: int = 100) -> int:
    """The terminal's width, at most so much."""
    import shutil

    return min(most, max(40, shutil.get_terminal_size((80, 24)).columns))


def paragraph(words: str, indent: str = "  ") -> str:
    """A paragraph that fits the terminal."""
    import textwrap

    return textwrap.fill(" ".join(words.split()), width(), initial_indent=indent, subsequent_indent=indent)
