"""Scalars of YAML: the meaning of a plain word, and how a value is written so that it is read back the same."""

import re
from typing import Any

MAX_DIGITS = 18

INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_ENDLESS = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_WORDS: dict[str, bool | None] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip


def plain_scalar(text: str) -> Any:
    """The value of an unquoted scalar in YAML 1.2, so that `yes` and `2001-01-01` are text. Raises ValueError for forbidden numbers."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    if INT.fullmatch(text):
        base = 8 if text.startswith("0o") else 16 if text.startswith("0x") else 10
        if len(text.lstrip("+-0xo")) > 24 or abs(whole := int(text, base)) >= 10**MAX_DIGITS:
            raise ValueError(f"a whole number may have at most {MAX_DIGITS} digits; put it in quotes if it is meant as text")
        return whole
    if FLOAT.fullmatch(text):
        number = float(text)
        if abs(number) >= 10**MAX_DIGITS:
            raise ValueError(f"this number is too large; at most {MAX_DIGITS} digits before the point can be read")
        return number
    if _ENDLESS.fullmatch(text):
        raise ValueError("expected a finite number; put it in quotes if it is meant as text")
    return text


_AMBIGUOUS = re.compile(r"(?i:yes|no|on|off|null|true|false)|[-+]?[0-9][-0-9_.:,]*|[-+]?[0-9.]+(e[-+]?[0-9]+)?")
_BARE = re.compile(r"[^\W]|[(/](?=.)|[-+](?=\w)")


def scalar(value: Any, *, flow: bool = False) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return repr(value)
    safe = (
        _BARE.match(value)
        and value.isprintable()
        and not value.endswith((" ", ":"))
        and ": " not in value
        and " #" not in value
        and not (flow and re.search(r"[,\[\]{}:?]", value))
        and not _AMBIGUOUS.fullmatch(value)
        and _is_text(value)
    )
    return value if safe else in_quotes(value)


def key_text(name: str) -> str:
    return name if re.fullmatch(r"[0-9]{1,9}", name) else scalar(name, flow=True)


def _is_text(value: str) -> bool:
    try:
        return isinstance(plain_scalar(value), str)
    except ValueError:
        return False


def in_quotes(text: str) -> str:
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}

    def escaped(c: str) -> str:
        if c in escapes:
            return escapes[c]
        if c.isprintable():
            return c
        code = ord(c)
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"

    return '"' + "".join(map(escaped, text)) + '"'
