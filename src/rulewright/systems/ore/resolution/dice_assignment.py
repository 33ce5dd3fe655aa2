"""Assigning the dice of one roll to several actions (book lines 299-312, 325-332, 415-421, 522-537)."""

from typing import Literal, NamedTuple

from rulewright.dice.reading import Faces
from rulewright.dice.sets import Set
from rulewright.systems.ore.resolution.readings import STEP, ByFace, Thrown
from rulewright.systems.ore.resolution.salvos import Free, arrangement

Lying = tuple[Set, ...]
"""Dice per face, most first."""
Keep = Literal["sets", "lowest", "all"]


class OnTable(ByFace[Lying, Lying], frozen=True):
    """Everything on the table that can matter: sets, single dice for Special Dice or called shots, and waste dice if they count."""

    free: Free = ()
    """Dice set after the roll."""
    keep: Keep = "sets"
    numbers: Faces = ()
    """Faces of dice set before the roll."""

    def fixed(self, face: int) -> int:
        """Expert Dice that lie on this face whatever is rolled."""
        return self.thrown.lent[face - 1] - sum([face in faces for faces in self.free])

    def go_on(self, state: Lying, face: int, rolled: int) -> Lying:
        many = rolled + self.fixed(face)
        if many >= 2 or (many and self._wanted(state, face, rolled)):
            return (*state, (many, face))
        return state

    def _wanted(self, state: Lying, face: int, rolled: int) -> bool:
        """Whether a single die can matter."""
        if self.keep == "all" or self.free or self.thrown.run or face in self.numbers:
            return True
        return self.keep == "lowest" and bool(rolled) and all(many > 1 for many, _ in state)

    def end(self, state: Lying) -> Lying:
        return tuple(sorted(state, reverse=True))

    def kept(self, faces: Faces) -> tuple[int, ...]:
        heights = {face for many, face in self.read(faces) if many > 1}
        return tuple(i for i, face in enumerate(faces) if face in heights)

    def lowest_waste(self, lying: Lying, used: set[int]) -> int:
        """The lowest rolled die outside of sets; 0 for none."""
        return min([face for many, face in lying if many == 1 and face not in used and not self.fixed(face)], default=0)


class Left(NamedTuple):
    """Unused dice by face, dice set after the roll, and whether a trade was made."""

    lying: Lying
    free: Free = ()
    traded: bool = False

    def many(self, face: int) -> int:
        """How many dice show a face."""
        return next((many for many, shown in self.lying if shown == face), 0)

    def without(self, face: int, rolled: int, helpers: Free = ()) -> "Left":
        """The same with dice of a face taken away, and with these Special Dice."""
        lying = [(many - rolled if shown == face else many, shown) for many, shown in self.lying]
        free = list(self.free)
        for die in helpers:
            free.remove(die)
        return Left(tuple([pair for pair in lying if pair[0]]), tuple(free), self.traded)


class Way(NamedTuple):
    """One use of dice for an action: set, waste die for Speed, the rest, and the set before a trade."""

    width: int
    height: int
    left: Left
    waste: int = 0
    was: Set | None = None

    @property
    def key(self) -> str:
        """The set as it is written."""
        return (
            f"{self.width}x{self.height}"
            + (f" from {self.was[0]}x{self.was[1]}" if self.was else "")
            + (f"@{self.waste}" * (self.waste > 0))
        )


def ways(thrown: Thrown, left: Left, number: int = 0, last: bool = False, waste: bool = False) -> tuple[Way, ...]:
    """Every use of the remaining dice for an action: a set, whole or broken up (only whole for the last action), or after the one trade;
    a called shot (`number`) has its own die. Widest first."""
    result: list[Way] = []
    for face in range(thrown.top, thrown.difficulty - 1, -1):
        if not number or face == number:
            result += _of_face(thrown, left, face, int(face == number), last)
    if not result and not number and thrown.run:
        top = thrown.run_of(frozenset([face for _, face in left.lying]))
        result = [Way(1, top, Left(()))] if top else []
    result = sorted(result, key=lambda way: (way.was is not None, -way.width, -way.height))
    return tuple([candidate for way in result for candidate in _with_waste(thrown, way, last)]) if waste else tuple(result)


def _of_face(thrown: Thrown, left: Left, face: int, own: int, last: bool) -> list[Way]:
    """The ways to use dice of one face; `own` is a die that was set to it for this action."""
    rolled = left.many(face)
    helpers = tuple([die for die in left.free if face in die])
    most = own + rolled + len(helpers)
    if most < 2 or (not rolled and not own and face != thrown.top):
        return []
    result = []
    for width in range(most, 1, -1):
        taken = min(rolled, width - own)
        result.append(Way(width, face, left.without(face, taken, helpers[: width - own - taken])))
        if last:
            break
    return result if left.traded or own else result + _trades(thrown, left, result[0], rolled)


def _trades(thrown: Thrown, left: Left, whole: Way, rolled: int) -> list[Way]:
    """The ways to trade a whole set: a lower set given up for a die, Height for Width, Width for Height."""
    trades, (width, height) = thrown.trades, whole[:2]
    lowest = 1 if trades.squashed_below_difficulty else thrown.difficulty
    after = whole.left._replace(traded=True)
    result = []
    if trades.full_house:
        lower = [(below, many) for many, below in left.lying if below < height and many >= 2]
        result += [Way(width + 1, height, after.without(*min(lower)), was=(width, height))] if lower else []
    if trades.squash and height - STEP >= lowest:
        result.append(Way(width + trades.squash_width, height - STEP, after, was=(width, height)))
    if trades.squish and width > 2 - trades.squished_to_one and height < thrown.top:
        result.append(Way(width - 1, min(height + STEP, thrown.top), after, was=(width, height)))
    return result


def _with_waste(thrown: Thrown, way: Way, last: bool) -> list[Way]:
    """The same with each die that could be given up for its Speed; the highest first, and only that one for the last action."""
    result = [
        way._replace(waste=face, left=way.left.without(face, 1)) for face in sorted([face for _, face in way.left.lying], reverse=True)
    ]
    for die in way.left.free[:1]:
        result.insert(0, way._replace(waste=max(die), left=way.left.without(0, 0, (die,))))
    if thrown.failsafe:
        unseen = [face for face in range(thrown.difficulty, thrown.top + 1) if not way.left.many(face) and face != way.height]
        result += [way._replace(waste=max(unseen))] if unseen else []
    result.sort(key=lambda item: -item.waste)
    return (result[:1] if last else result) or [way]


def sensible(thrown: Thrown, left: Left, item: tuple[Way, ...], actions: int) -> Way:
    """The default choice: the widest set of the arrangement that serves most actions with most dice, and the highest spare die for
    Speed."""
    sets = tuple([pair for pair in left.lying if pair[0] >= 2])
    loose = tuple([face for many, face in left.lying if many == 1])
    wanted = arrangement(sets, loose, left.free, actions, thrown.difficulty)
    fits = [way for way in item if wanted and (way.width, way.height) == wanted[0] and way.was is None]
    return next((way for way in fits if _serves(thrown, way.left, wanted[1:])), fits[0] if fits else item[0])


def _serves(thrown: Thrown, left: Left, wanted: tuple[Set, ...]) -> bool:
    """Whether what is left holds these sets, Special Dice aside."""
    if left.free:
        return True
    need: dict[int, int] = {}
    for width, height in wanted:
        need[height] = need.get(height, 0) + width
    return all(left.many(height) >= width for height, width in need.items())
