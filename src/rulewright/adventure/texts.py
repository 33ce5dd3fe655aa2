"""Texts in Markdown: a paragraph that is wrapped in its file becomes one line again."""

import re

_STRUCTURE = re.compile(r"\s*(?:[-*+] |\d+[.)] |[#>|]|```|~~~|---|\*\*\*|!\[)|(?: {4}|\t)")
"""The beginning of a line that Markdown does not join with the one before."""
_ENDS = ("  ", "\\")
"""The ends of lines after which Markdown breaks the line."""


def joined_lines(text: str) -> str:
    """The text with each wrapped paragraph in one line. Lists, tables, quotes, headings, code and hard breaks stay."""
    lines: list[str] = []
    fenced = False
    for line in text.splitlines():
        fence = line.lstrip().startswith(("```", "~~~"))
        joins = lines and lines[-1].strip() and line.strip() and not fenced
        if joins and not lines[-1].endswith(_ENDS) and not _STRUCTURE.match(line) and not lines[-1].lstrip().startswith(("|", "#", "```")):
            lines[-1] = f"{lines[-1].rstrip()} {line.strip()}"
        else:
            lines.append(line)
        fenced = fenced != fence
    return "\n".join(lines)
