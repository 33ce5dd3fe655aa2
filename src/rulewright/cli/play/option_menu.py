"""A menu of many options for the terminal, grouped by action, target and manner, with about a dozen entries at a time.

A letter chooses the action, a number the target or the manner, words search for an option, and Enter confirms. It works for every game.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from msgspec import Struct

from rulewright.play import Given, Option
from rulewright.play.option_groups import FIRST_SIGHT, VERBS, Arranged, arrange, default_option, nearest, rooms

MANY = 6
"""More options than this are grouped; fewer are listed."""
KEYS = dict(zip(VERBS, "MASGHEO", strict=True))
"""The key of each action, as a capital letter: lower-case letters are commands."""

Words = Callable[[str], str]


def _letter(verb: str) -> str:
    """The capital letter that selects an action."""
    return KEYS.get(verb, verb[:1].upper())


class Default(Struct, frozen=True):
    """What the default answer is chosen by: the tactic's answer, the known chances by key, and the names of friends."""

    usual: Given = ""
    chances: dict[str, float] = {}
    friends: tuple[str, ...] = ()


class Last(Struct, frozen=True):
    """The last choice of a character: the option, its action, target and manner."""

    key: str
    verb: str
    target: str
    manner: tuple[str, ...]


class Arrangement:
    """The options of a question, one of which is selected, and the input that selects another."""

    def __init__(
        self,
        options: Sequence[Option[Any]],
        people: Collection[str],
        topic: str,
        verbs: Mapping[str, str],
        last: Last | None = None,
        default: Default | None = None,
    ) -> None:
        self.options = {option.key: option for option in options}
        self.places = arrange(options, people, topic, verbs)
        self.last = last
        self._default = default if default is not None else Default()
        self.all = False
        self.set = self._beginning()
        self._numbered: list[Arranged] = []

    def _beginning(self) -> Arranged:
        """The option selected at the start: the one nearest to the last choice, else the default."""
        nearest_to_last = None
        if self.last is not None and self.last.verb in self.verbs():
            here = self._of(self.last.verb, self.last.target) or self._of(self.last.verb)
            nearest_to_last = nearest(here, self.last.manner)
        default = self._default
        return default_option(self.places, default.usual, default.chances, default.friends, nearest_to_last)

    def verbs(self) -> list[str]:
        """The actions, in the order of the page."""
        result = dict.fromkeys(place.verb for place in self.places)
        return [*(verb for verb in VERBS if verb in result), *(verb for verb in result if verb not in VERBS)]

    def _of(self, verb: str, target: str | None = None) -> list[Arranged]:
        return [place for place in self.places if place.verb == verb and (target is None or place.target == target)]

    @property
    def option(self) -> Option[Any]:
        """The selected option, which Enter confirms."""
        return self.options[self.set.key]

    def remembered(self) -> Last:
        """The selection, to start from next time."""
        return Last(self.set.key, self.set.verb, self.set.target, self.set.manner)

    # drawing

    def lines(self, chance: Words) -> list[str]:
        """The rows: actions with letters, targets and manners with numbers. `chance` gives the short text of an option's chance."""
        result = []
        if len(self.verbs()) > 1:
            verbs = [f"{'*' if verb == self.set.verb else ' '}{_letter(verb)} {verb}" for verb in self.verbs()]
            result.append(f"action   {'  '.join(verbs)}")
        self._numbered = []
        targets = list(dict.fromkeys(place.target for place in self._of(self.set.verb)))
        arrangeds = [nearest(self._of(self.set.verb, target), self.set.manner) for target in targets] if len(targets) > 1 else []
        here = self._of(self.set.verb, self.set.target)
        ways = here if len(here) > 1 else []
        letters = len(self.verbs()) if len(self.verbs()) > 1 else 0
        whom, how = rooms([len(arrangeds), len(ways)], 2 * len(self.places) if self.all else FIRST_SIGHT - letters)
        if arrangeds:
            shown = [(place, place.target or self.options[place.key].label) for place in arrangeds[:whom]]
            result += self._row("whom", shown, chance, len(arrangeds))
        if ways:
            manners = [(place, ", ".join(place.manner)) for place in ways[:how]]
            result += self._row("how", manners, (lambda key: "") if arrangeds else chance, len(ways))
        return result

    def _row(self, name: str, rows: list[tuple[Arranged, str]], chance: Words, of: int) -> list[str]:
        parts = []
        for place, words in rows:
            self._numbered.append(place)
            on = place.key == self.set.key or (name == "whom" and place.target == self.set.target)
            likely = chance(place.key)
            parts.append(f"{'*' if on else ' '}{len(self._numbered)} {words}{f' {likely}' if likely else ''}")
        more = f"   {of - len(rows)} more: type all, or words to search" if of > len(rows) else ""
        return [f"{name:<9}{'  '.join(parts)}{more}"]

    # choosing

    def is_letter(self, said: str) -> bool:
        """Whether the input is the capital letter of an offered action, which takes precedence over a command."""
        verbs = self.verbs()
        return len(verbs) > 1 and any(said == _letter(verb) for verb in verbs)

    def chosen(self, said: str) -> str | None:
        """The key of the option that the input confirms; None if it confirms nothing, see `taken`."""
        if said == "":
            return self.set.key
        for key, option in self.options.items():
            if said.lower() in (key.lower(), option.label.lower()):
                return key
        if said == "." and self.last is not None and self.last.key in self.options:
            self.set = next(place for place in self.places if place.key == self.last.key)
            return self.last.key
        return None

    def taken(self, said: str) -> bool:
        """Select by input: an action, a number, or words of an option. False if nothing matches."""
        verb = next((text for text in self.verbs() if said in (_letter(text), text)), "")
        if verb:
            self.set = nearest(self._of(verb, self.set.target) or self._of(verb), self.set.manner)
        elif said == "all":
            self.all = True
        elif said.isdecimal() and len(said) < 5 and 1 <= int(said) <= len(self._numbered):
            self.set = self._numbered[int(said) - 1]
        elif arranged := self._found(said):
            self.set = arranged
        else:
            return False
        return True

    def _found(self, said: str) -> Arranged | None:
        """The first option whose label has all words."""
        words = said.lower().split()
        fits = (place for place in self.places if all(word in self.options[place.key].label.lower() for word in words))
        return next(fits, None) if words and not said.isdecimal() else None
