"""English for labels, errors and the log: numbers with nouns, articles, agreement, lists and rounded figures.

>>> count(1, "shot"), count(3, "shot"), count(0, "wound"), count(2, "die", "dice")
('1 shot', '3 shots', 'no wounds', '2 dice')
>>> a("Out"), a("pistol"), a("hour"), a("9mm SMG"), a("8 mm rifle")
('an Out', 'a pistol', 'an hour', 'a 9mm SMG', 'an 8 mm rifle')
>>> the("my pistol"), the("pistol"), the("Kolbe's knife"), the("sniper's rifle")
('my pistol', 'the pistol', "Kolbe's knife", "the sniper's rifle")
>>> is_crowd("The hornets"), is_crowd("Tobias"), is_crowd("The Meridian")
(True, False, False)
>>> labelled("Ana", 5), labelled("Guard 1", 5)
('Ana 5', 'Guard 1: 5')
>>> agree("red", "wins", "win"), agree("the raiders", "wins", "win")
('red wins', 'the raiders win')
>>> join(["Ana"]), join(["Ana", "Ben", "Cleo"]), join(["a hit", "a miss"], "or")
('Ana', 'Ana, Ben and Cleo', 'a hit or a miss')
>>> figure(12.3456), figure(0.004567), figure(1234.5), figure(3.0)
('12.3', '0.00457', '1,234', '3')
"""

import re
from collections.abc import Sequence

_SILENT_H = ("hour", "honest", "honor", "honour", "heir")
_YOU_SOUND = re.compile(r"(?:uni(?!n|m)|use|usu|eu|one\b|once\b|u-)", re.IGNORECASE)
_OWNED = re.compile(r"(?i:my|your|his|her|its|our|their|the|a|an|this|that)\b|[A-Z][^ ]*'s? ")


def plural(noun: str) -> str:
    """The plural of an English noun, by its ending; pass irregular ones to `count` yourself."""
    if re.search(r"(?:s|x|z|ch|sh)$", noun):
        return f"{noun}es"
    if re.search(r"[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def count(number: int | float, noun: str, many: str = "") -> str:
    """A number with its noun: no wounds, 1 wound, 2 wounds."""
    shown = "no" if number == 0 else figure(number)
    return f"{shown} {noun if number == 1 else many or plural(noun)}"


def a(noun: str) -> str:
    """A noun with its indefinite article."""
    word = noun.lstrip("\"'(")
    lower = word.lower()
    vowel = (lower[:1] in "aeiou" and not _YOU_SOUND.match(word)) or lower.startswith(_SILENT_H) or re.match(r"(?:8|11|18)(?!\d)|8\d", word)
    return f"{'an' if vowel else 'a'} {noun}"


def the(noun: str) -> str:
    """A noun with its definite article, unless it begins with an article or an owner already."""
    return noun if _OWNED.match(noun) else f"the {noun}"


def is_plural(name: str) -> bool:
    """Whether a name is plural: it ends in -s, but not in -ss, -us or -is."""
    last = name.split()[-1].lower() if name.split() else ""
    return last.endswith("s") and not last.endswith(("ss", "us", "is", "'s"))


def is_crowd(name: str) -> bool:
    """Whether the name of a combatant means several: the hornets, but not Tobias."""
    return name.lower().startswith("the ") and is_plural(name)


def labelled(name: str, number: object) -> str:
    """A name with its number, in a list: Ana 5, but Guard 1: 5."""
    return f"{name}{':' if name[-1:].isdigit() else ''} {number}"


def agree(name: str, singular: str, plural_form: str) -> str:
    """A name with the form of the verb that agrees with it: red wins, the raiders win."""
    return f"{name} {plural_form if is_plural(name) else singular}"


def join(parts: Sequence[str], word: str = "and") -> str:
    """A list in a sentence: Ana, Ben and Cleo."""
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}" if len(parts) > 1 else "".join(parts)


def figure(number: int | float, digits: int = 3) -> str:
    """A number with at most three significant digits; whole numbers stay exact, thousands are separated."""
    if float(number).is_integer():
        return f"{int(number):,}"
    if abs(number) >= 10 ** (digits - 1):
        return f"{number:,.0f}"
    return f"{number:.{digits}g}"


def signed_range(lowest: int, highest: int) -> str:
    """A modifier with its sign: "+1", "−2", "0", or "−3 to −1"."""
    low, high = [f"{value:+d}".replace("-", "−") if value else "0" for value in (lowest, highest)]
    return low if lowest == highest else f"{low} to {high}"
