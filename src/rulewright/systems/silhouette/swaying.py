"""Rolls of a fight where luck and Genre Points have a say, before they are made and after (book lines 6120-6188, 8742-8747, 8844-8847).

A step of such a fight is watched: whatever dice it asks for, those who may are asked first for Insight, and then whether the roll
stands. So every roll of a fight is open to luck, and no rule of the fight needs to know of it.
"""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.highest import HighestDie, Total, Unskilled
from rulewright.dice.multiples import CountedPool
from rulewright.dice.reading import Reading
from rulewright.play import Choice, Option, Play, Range, Request, Roll, Sub, Together
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.fighters import SIMPLE, Fight, Fighter, Situation
from rulewright.systems.silhouette.genre import Priced
from rulewright.systems.silhouette.genre_in_play import better_dice
from rulewright.systems.silhouette.purses import Purses
from rulewright.systems.silhouette.spotlight import last_words, mortal_strikes
from rulewright.systems.silhouette.telling import happened
from rulewright.systems.silhouette.traits_in_play import ORDINARY, Fortune, by_luck, fumble_again, once_more, worth

A = TypeVar("A")
HARMFUL = frozenset(("defense", "defense against the blast", "getting through the fire", "staying conscious"))
"""Rolls whose failure hurts outright: no ill luck may turn them."""
NO_SKILL = frozenset(("staying conscious", "acting tough", "moving under fire", *SIMPLE))
"""Tests of an attribute alone, which Sweet Success does not sweeten."""
AMBUSH = frozenset(("noticing the ambush", "hiding"))
"""Rolls that only those who lie in wait know of: nobody else is asked about them."""
MOST_AT_ONCE = 10
"""How many points are offered for one roll."""
AGAIN, AGAIN_FOR_ANOTHER = 1, 3
"""What it costs to have one's own test rolled again, and another's."""


def swayed(rules: Ruleset, fight: Fight, step: Callable[[Fight], Play[Fight]]) -> Play[Fight]:
    """A step of a fight with luck and Genre Points in it, and what may be bought because of what came of it."""
    sway = Sway(rules, fight)
    after = sway.settled((yield from sway.watch(step(sway.purses.shown(fight)))))
    if not sway.purses.genre:
        return after
    sway = Sway(rules, after)
    return sway.settled((yield from sway.watch(_aftermath(rules, fight, sway.purses))))


def _aftermath(rules: Ruleset, before: Fight, purses: Purses) -> Play[Fight]:
    after = yield from mortal_strikes(rules, before, purses.shown(purses.fight))
    return (yield from last_words(rules, before, after, purses.own))


class Cast(Struct):
    """A roll under way: as it was asked for and without modifiers, what is added to it, and what Sweet Success adds."""

    roll: Roll[Total]
    bare: Roll[Total]
    modifier: int
    unskilled: bool
    dice: Total = Total(0)
    sweet: int = 0

    def without_modifiers(self, came: Total) -> Total:
        """The dice alone of what was rolled; where a malus has pressed a total to 0, nobody asks for them."""
        held = self.roll.reading is self.bare.reading or (came.fumble and self.unskilled)
        return came if held else Total(came.total - self.modifier, came.fumble)

    def total(self) -> Total:
        """What it comes to now."""
        came = worth(self.dice, self.modifier, self.unskilled)
        return Total(came.total + self.sweet, came.fumble)


class Sway:
    """What everybody has left of luck and Genre Points while a step is played; the state learns of it when the step is over."""

    def __init__(self, rules: Ruleset, fight: Fight) -> None:
        self.rules, self.fight = rules, fight
        self.purses = Purses(rules, fight)
        self.genre = self.purses.genre
        self.fortunes = {f.name: f.fortune for f in fight.fighters if f.fortune != ORDINARY}

    def settled(self, fight: Fight) -> Fight:
        """The fight with what was spent."""
        fight = self.purses.settled(fight)
        for name, fortune in self.fortunes.items():
            if fight.fighter(name).fortune != fortune:
                fight = fight.change(name, fortune=fortune)
        return fight

    # --- what the rules ask for ----------------------------------------------------------------------------------------------------

    def watch(self, play: Play[A]) -> Play[A]:
        """A procedure with all its rolls, and what it offers for Genre Points, passed on through here."""
        answer: Any = None
        while True:
            try:
                request = play.send(answer)
            except StopIteration as done:
                return done.value  # type: ignore[no-any-return]
            answer = yield from self._answer(request)

    def _answer(self, request: Request[Any]) -> Play[Any]:
        if not self.fortunes and not any(self.purses.own.values()):
            return (yield request)
        if isinstance(request, Sub):
            return (yield from self.watch(request.start()))
        if isinstance(request, Roll) and _is_test(request.reading):
            return (yield from self._rolled((request,)))[0]
        if isinstance(request, Together) and all(isinstance(each, Roll) and _is_test(each.reading) for each in request.requests):
            return (yield from self._rolled(request.requests))  # type: ignore[arg-type]
        if isinstance(request, Choice):
            return (yield from self._offered(request))
        return (yield request)

    def _offered(self, choice: Choice[Any]) -> Play[Any]:
        """What costs Genre Points is offered as far as they go; a main villain may spend against it."""
        options = choice.options
        if isinstance(options, Range) or not any(isinstance(option, Priced) for option in options):
            return (yield choice)
        left = self.purses.left(choice.who)
        open_to = tuple([option for option in options if not isinstance(option, Priced) or option.price <= left])
        if len(open_to) < 2:
            return open_to[0].value
        answer = yield replace(choice, options=open_to)
        price = next((option.price for option in open_to if isinstance(option, Priced) and option.value == answer), 0)
        return answer if not price or (yield from self.purses.pay(choice.who, price)) else open_to[0].value

    # --- dice ------------------------------------------------------------------------------------------------------------------------

    def _rolled(self, rolls: tuple[Roll[Total], ...]) -> Play[tuple[Total, ...]]:
        """Rolls made at once: Insight before them, then luck, then Genre Points until everybody lets them stand."""
        casts = []
        for roll in rolls:
            apart = roll.by in self.fortunes or "do it again" in self.genre
            casts.append(_cast((yield from self._with_insight(roll)), apart))
        first = yield from Together(tuple([cast.roll for cast in casts]))
        for cast, came in zip(casts, first, strict=True):
            cast.dice = cast.without_modifiers(came)
            yield from self._lucky(cast)
        for cast in casts:
            yield from self._stands(cast)
        return tuple([cast.total() for cast in casts])

    def _with_insight(self, roll: Roll[Total]) -> Play[Roll[Total]]:
        left = self.purses.left(roll.by)
        if left < 1 or "insight" not in self.genre or not self._knows(roll.by, roll.what):
            return roll
        asked, about = f"Insight for {roll.what}: how many more dice?", Situation(self.fight, roll.by, self.rules)
        dice = yield from Choice[int](roll.by, asked, Range(0, min(left, MOST_AT_ONCE)), about, "insight", roll.secret)
        if not dice or not (yield from self.purses.pay(roll.by, dice)):
            return roll
        return Roll(_more_dice(roll.reading, dice), roll.by, roll.what, roll.secret)

    def _lucky(self, cast: Cast) -> Play[None]:
        by = cast.roll.by
        if not self._knows(by, cast.roll.what):
            return
        own = self.fortunes.get(by)
        if own is not None and own != ORDINARY:
            harmless = cast.roll.what not in HARMFUL
            came = yield from by_luck(cast.bare, cast.dice, cast.modifier, cast.unskilled, own, harmless)
            cast.dice, cast.modifier, self.fortunes[by] = came
        foe = next(self._unlucky_foes(by), None) if cast.dice.fumble else None
        if foe is not None and (yield from fumble_again(cast.bare)):
            fortune = self.fortunes[foe]
            self.fortunes[foe] = Fortune(fortune.lucky, fortune.unlucky - 1)
            cast.dice = yield from once_more(cast.bare)

    def _unlucky_foes(self, name: str) -> Iterator[str]:
        side = next((f.side for f in self.fight.fighters if f.name == name), None)
        for fighter in self.fight.fighters if side is not None else ():
            if fighter.side != side and fighter.name in self.fortunes and self.fortunes[fighter.name].unlucky:
                yield fighter.name

    def _stands(self, cast: Cast) -> Play[None]:
        """Everybody who can is asked whether a roll stands, again and again until nobody spends anything on it."""
        while True:
            asked = [choice for choice in [self._asked(cast, fighter) for fighter in self.fight.fighters] if choice is not None]
            if not asked:
                return
            answers = yield from Together(tuple(asked))
            wanted = [(choice.who, points) for choice, points in zip(asked, answers, strict=True) if points is not None]
            if not wanted:
                return
            who, points = next((each for each in wanted if each[0] == cast.roll.by), wanted[0])
            if points:
                if (yield from self.purses.pay(who, points)):
                    yield happened(self.fight, who, f"has Sweet Success: {points} more for {cast.roll.what}", "good")
                    cast.sweet += points
            elif (yield from self.purses.pay(who, AGAIN if who == cast.roll.by else AGAIN_FOR_ANOTHER)):
                yield happened(self.fight, who, f"has {cast.roll.what} of {cast.roll.by} rolled again", "good")
                cast.dice = yield from better_dice(cast.bare, cast.dice, who)

    def _asked(self, cast: Cast, fighter: Fighter) -> Choice[int | None] | None:
        """What one person may do about a roll: 0 is to have it rolled again, more is what Sweet Success adds, None lets it stand."""
        roll, name = cast.roll, fighter.name
        if not self._knows(name, roll.what):
            return None
        own, left = name == roll.by, self.purses.left(name)
        options: list[Option[int | None]] = []
        if "do it again" in self.genre and left >= (AGAIN if own else AGAIN_FOR_ANOTHER):
            options.append(Option("again", f"Do It Again, for {AGAIN if own else AGAIN_FOR_ANOTHER}", 0))
        if own and "sweet success" in self.genre and not self._is_bare(roll.what):
            options += [Option(f"+{points}", f"Sweet Success: {points} more", points) for points in range(1, min(left, MOST_AT_ONCE) + 1)]
        if not options or (not own and (roll.secret or not self._present(fighter, roll.by))):
            return None
        shown = "" if roll.secret else f" ({cast.total().total})"
        asked = f"{'Your' if own else 'The'} roll for {roll.what}{'' if own else f' of {roll.by}'}{shown}: does it stand?"
        stands: Option[int | None] = Option("no", "Let it stand", None)
        return Choice(name, asked, (stands, *options), Situation(self.fight, name, self.rules), "roll stands", roll.secret)

    def _knows(self, name: str, what: str) -> bool:
        """Whether somebody may know of a roll at all."""
        return what not in AMBUSH or any(f.hidden for f in self.fight.fighters if f.name == name)

    def _is_bare(self, what: str) -> bool:
        """Whether a test is of an attribute alone."""
        return what in NO_SKILL or (what == "getting free" and self.rules.word("getting-free") != "athletics")

    def _present(self, fighter: Fighter, roller: str) -> bool:
        return fighter.body.able and any(other.name == roller for other in self.fight.fighters)


def _is_test(reading: Reading[Any]) -> bool:
    return isinstance(reading, HighestDie | Unskilled | CountedPool)


def _cast(roll: Roll[Total], apart: bool) -> Cast:
    """A roll and what is added to it. Where the dice matter by themselves it is made without a malus, which might press it to 0."""
    reading: Any = roll.reading
    bare = Roll(replace(reading, modifier=0), roll.by, roll.what, roll.secret) if reading.modifier else roll
    unskilled = isinstance(reading, Unskilled) or (isinstance(reading, CountedPool) and not reading.dice)
    return Cast(bare if apart and reading.modifier < 0 else roll, bare, reading.modifier, unskilled)


def _more_dice(reading: Reading[Total], dice: int) -> Reading[Total]:
    """A reading with more dice of one's own; without any before, these are all."""
    if isinstance(reading, Unskilled):
        return HighestDie(dice + reading.extra, reading.modifier, reading.die)
    assert isinstance(reading, HighestDie | CountedPool)
    return replace(reading, dice=reading.dice + dice)
