"""Exact sums of machines: halves are rounded up (book line 3222; 4.5 becomes 5, 31.5 becomes 32), and roots are cube roots."""

from collections.abc import Iterable
from fractions import Fraction
from math import ceil, floor
from typing import Literal

from rulewright.play.cache import cached
from rulewright.rules.reasons import Derived, Reason, Source, reckoned, rounded_down, rounded_up, term, times, total
from rulewright.rules.reasons import rounded as rounded_off

Figure = int | float
Rounding = Literal["off", "up", "down"]

_ROUNDED = {"off": rounded_off, "up": rounded_up, "down": rounded_down}


@cached(4096)
def exact(figure: Figure) -> Fraction:
    """A figure as an exact fraction: 0.7 is seven tenths."""
    return Fraction(figure) if isinstance(figure, int) else Fraction(repr(figure))


def plain(number: Fraction) -> Figure:
    """A fraction as an int if it is whole, otherwise as a float."""
    return number.numerator if number.denominator == 1 else float(number)


def rounded(number: Fraction | Figure, how: Rounding = "off") -> int:
    """Round to a whole number; halves up."""
    number = number if isinstance(number, Fraction) else exact(number)
    return floor(number + Fraction(1, 2)) if how == "off" else ceil(number) if how == "up" else floor(number)


def worth(terms: Iterable[Reason]) -> Fraction:
    """The value of terms, applied one after the other."""
    return exact(reckoned(terms))


def reckon(label: str, *terms: Reason, rule: str | None = None, source: Source = "book", to: Rounding | None = None) -> Derived[Figure]:
    """A value computed from its terms, rounded at the end if the rule says so and there is anything to round."""
    result: Derived[Figure] = total(label, *terms, rule=rule, source=source)
    if to is None or isinstance(result.value, int):
        return result
    return total(label, *terms, _ROUNDED[to](), rule=rule, source=source)


def whole(label: str, *terms: Reason, rule: str | None = None, source: Source = "book", to: Rounding = "off") -> Derived[int]:
    """The same as a whole number."""
    derived = reckon(label, *terms, rule=rule, source=source, to=to)
    return Derived(int(derived.value), derived.reason)


def power(
    label: str, name: str, base: Figure | Derived[Figure] | Derived[int], exponent: int, *, rule: str | None = None
) -> Derived[Figure]:
    """A power of a figure."""
    first = term(name, base)
    again = first.value
    assert not isinstance(again, str)
    return reckon(label, first, *(times("itself" if count == 1 else "itself again", again) for count in range(1, exponent)), rule=rule)


def cube_root(number: Figure) -> Figure:
    """A cube root, as an int if it is whole."""
    value: float = float(number) ** (1 / 3)
    near = round(value)
    return near if near**3 == number else value


def nearest_root(number: int) -> int:
    """The whole number nearest to the cube root; halves up."""
    result: int = round(float(number) ** (1 / 3))
    while (2 * result + 1) ** 3 <= 8 * number:
        result += 1
    while result > 0 and (2 * result - 1) ** 3 > 8 * number:
        result -= 1
    return result
