"""Luck and Genre Points on rolls, before and after them (book lines 6120-6188, 8742-8747, 8844-8847).

A step of such a scene is watched: for every roll, those who can are first asked for Insight, and then whether to change the roll. So
luck applies to every roll of a fight, chase, debate or journey without any rule knowing of it.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.highest import HighestDie, Total, Unskilled
from rulewright.dice.multiples import CountedPool
from rulewright.dice.reading import Reading
from rulewright.grammar import count
from rulewright.play import Choice, Option, Play, Range, Request, Roll, Sub, Tell, Together
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.attacks.special_effects import last_words, mortal_strikes
from rulewright.systems.silhouette.combat.events import happened
from rulewright.systems.silhouette.combat.fighters import SIMPLE, Fight, Moment, Situation
from rulewright.systems.silhouette.combat.ranged_attacks import HIDING, NOTICING
from rulewright.systems.silhouette.drama.genre_effects import better_dice
from rulewright.systems.silhouette.drama.genre_point_pools import Purses
from rulewright.systems.silhouette.drama.luck_targets import Company, Fate
from rulewright.systems.silhouette.drama.traits_in_play import ORDINARY, Fortune, by_luck, fumble_again, once_more, worth
from rulewright.systems.silhouette.people.genre import Priced

A = TypeVar("A")
S = TypeVar("S")
GETTING_WORSE = "keeping wounds from getting worse"
HARMFUL = frozenset(("defense", "defense against the blast", "getting through the fire", "staying conscious", GETTING_WORSE))
"""Rolls whose failure hurts directly: bad luck may not flip them."""
TREATING = ("stabilizing ", "resuscitating ")
"""Prefixes of treatment rolls, whose failure may cost a life: bad luck may not flip them either (ruling)."""
NO_SKILL = frozenset(("staying conscious", GETTING_WORSE, "acting tough", "moving under fire", *SIMPLE))
"""Tests of an attribute alone, which Sweet Success does not affect."""
AMBUSH = (NOTICING, HIDING)
"""Prefixes of rolls that only ambushers know of: nobody else is asked about them."""
MOST_AT_ONCE = 10
"""The most points offered for one roll."""
AGAIN, AGAIN_FOR_ANOTHER = 1, 3
"""Price to repeat one's own test, and another's."""


def swayed(rules: Ruleset, fight: Fight, step: Callable[[Fight], Play[Fight]]) -> Play[Fight]:
    """Plays a step of a fight with luck and Genre Points, and the offers that follow from its result."""
    sway = Sway(rules, FightCompany(rules, fight))
    after = sway.settled((yield from sway.watch(step(sway.purses.shown(fight)))))
    if not sway.purses.genre:
        return after
    sway = Sway(rules, FightCompany(rules, after))
    return sway.settled((yield from sway.watch(_aftermath(rules, fight, after, sway.purses))))


def _aftermath(rules: Ruleset, before: Fight, fight: Fight, purses: Purses[Fight]) -> Play[Fight]:
    after = yield from mortal_strikes(rules, before, purses.shown(fight))
    return (yield from last_words(rules, before, after, purses.own))


def watched(company: Company[S], step: Callable[[S], Play[S]]) -> Play[S]:
    """Plays a step of another scene with luck and Genre Points."""
    sway = Sway(company.rules, company)
    return sway.settled((yield from sway.watch(step(sway.purses.shown(company.state)))))


class FightCompany(Company[Fight]):
    """The people of a fight as holders of luck and Genre Points."""

    def all_fates(self) -> tuple[Fate, ...]:
        return tuple(
            [
                Fate(f.name, f.side, f.body.able, f.body.genre_points, f.body.genre, p.genre_start, p.villain, f.hidden, f.fortune)
                for f in self.state.fighters
                for p in (f.profile,)
            ]
        )

    def with_points(self, state: Fight, points: Mapping[str, int]) -> Fight:
        changed = [f for f in state.fighters if f.name in points and f.body.genre_points != points[f.name]]
        if changed:
            state = state.put(*[replace(f, body=replace(f.body, genre_points=points[f.name])) for f in changed])
        if any(m.body.genre_points != points.get(m.name, m.body.genre_points) for m in state.frozen):
            moments = [Moment(m.name, replace(m.body, genre_points=points.get(m.name, m.body.genre_points))) for m in state.frozen]
            state = replace(state, frozen=tuple(moments))
        return state

    def with_fortune(self, state: Fight, name: str, fortune: Fortune) -> Fight:
        return state.change(name, fortune=fortune) if state.fighter(name).fortune != fortune else state

    def about(self, name: str) -> Situation:
        return Situation(self.state, name, self.rules)

    def tell(self, who: str, what: str, mood: str = "plain") -> Tell:
        return happened(self.state, who, what, mood)


class Cast(Struct):
    """A roll in progress: as requested and without modifiers, its modifiers, and the bonus of Sweet Success."""

    roll: Roll[Total]
    bare: Roll[Total]
    modifier: int
    unskilled: bool
    dice: Total = Total(0)
    sweet: int = 0

    def without_modifiers(self, item: Total) -> Total:
        """Returns the dice without modifiers; not needed where a penalty pressed a total to 0."""
        flag = self.roll.reading is self.bare.reading or (item.fumble and self.unskilled)  # 683
        return item if flag else Total(item.total - self.modifier, item.fumble)

    def total(self) -> Total:
        """Returns the present total."""
        result = worth(self.dice, self.modifier, self.unskilled)
        return Total(result.total + self.sweet, result.fumble)


class Sway(Generic[S]):
    """Everybody's luck and Genre Points during a step; written to the state after the step."""

    def __init__(self, rules: Ruleset, company: Company[S]) -> None:
        self.rules, self.company = rules, company
        self.purses = Purses(rules, company)
        self.genre = self.purses.genre
        self.fortunes = {fate.name: fate.fortune for fate in company.fates if fate.fortune != ORDINARY}

    def settled(self, state: S) -> S:
        """Returns the scene with what was spent."""
        state = self.purses.settled(state)
        for name, fortune in self.fortunes.items():
            state = self.company.with_fortune(state, name, fortune)
        return state

    # --- what the rules ask for ----------------------------------------------------------------------------------------------------

    def watch(self, play: Play[A]) -> Play[A]:
        """Runs a procedure with all its rolls and Genre Point offers routed through here."""
        answer: Any = None
        while True:
            try:
                request = play.send(answer)
            except StopIteration as done:
                return done.value  # type: ignore[no-any-return]
            answer = yield from self._answer(request)

    def _answer(self, request: Request[Any]) -> Play[Any]:
        if not self.fortunes and not self.genre:
            return (yield request)
        if isinstance(request, Sub):
            return (yield from self.watch(request.start()))
        if isinstance(request, Roll) and _is_test(request.reading):
            return (yield from self._rolled((request,)))[0]
        if isinstance(request, Together) and all(
            isinstance(candidate, Roll) and _is_test(candidate.reading) for candidate in request.requests
        ):
            return (yield from self._rolled(request.requests))  # type: ignore[arg-type]
        if isinstance(request, Choice):
            return (yield from self._offered(request))
        return (yield request)

    def _offered(self, choice: Choice[Any]) -> Play[Any]:
        """Offers what a character can afford; a main villain may spend against it."""
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
        """Rolls several rolls at once: Insight first, then luck, then Genre Points until nobody changes them."""
        casts = []
        for roll in rolls:
            apart = roll.by in self.fortunes or "do it again" in self.genre
            casts.append(_cast((yield from self._with_insight(roll)), apart))
        first = yield from Together(tuple([cast.roll for cast in casts]))
        for cast, result in zip(casts, first, strict=True):
            cast.dice = cast.without_modifiers(result)
            yield from self._lucky(cast)
        for cast in casts:
            yield from self._ask_for_changes(cast)
        return tuple([cast.total() for cast in casts])

    def _with_insight(self, roll: Roll[Total]) -> Play[Roll[Total]]:
        left = self.purses.left(roll.by)
        if left < 1 or "insight" not in self.genre or not self._may_know(roll.by, roll.what):
            return roll
        asked, about = f"Insight: how many extra dice for {roll.what}?", self.company.about(roll.by)
        dice = yield from Choice[int](roll.by, asked, Range(0, min(left, MOST_AT_ONCE)), about, "insight", roll.secret)
        if not dice or not (yield from self.purses.pay(roll.by, dice)):
            return roll
        return replace(roll, reading=_add_dice(roll.reading, dice))

    def _lucky(self, cast: Cast) -> Play[None]:
        by = cast.roll.by
        if not self._may_know(by, cast.roll.what):
            return
        own = self.fortunes.get(by)
        if own is not None and own != ORDINARY:
            harmless = cast.roll.what not in HARMFUL and not cast.roll.what.startswith(TREATING)
            entry = yield from by_luck(cast.bare, cast.dice, cast.modifier, cast.unskilled, fortune=own, harmless=harmless)
            cast.dice, cast.modifier, self.fortunes[by] = entry
        foe = next(self._unlucky_foes(by), None) if cast.dice.fumble else None  # 8846
        if foe is not None and (yield from fumble_again(cast.bare)):
            fortune = self.fortunes[foe]
            self.fortunes[foe] = Fortune(fortune.lucky, fortune.unlucky - 1)
            cast.dice = yield from once_more(cast.bare)

    def _unlucky_foes(self, name: str) -> Iterator[str]:
        result = self.company.fate(name)
        for other in self.company.fates if result is not None else ():
            if result is not None and other.side != result.side and other.name in self.fortunes and self.fortunes[other.name].unlucky:
                yield other.name

    def _ask_for_changes(self, cast: Cast) -> Play[None]:
        """Asks everybody who can whether to change a roll, until nobody spends anything."""
        while True:
            asked = [choice for choice in [self._ask_about_roll(cast, fate) for fate in self.company.fates] if choice is not None]
            if not asked:
                return
            answers = yield from Together(tuple(asked))
            wanted = [(choice.who, points) for choice, points in zip(asked, answers, strict=True) if points is not None]
            if not wanted:
                return
            who, points = next((pair for pair in wanted if pair[0] == cast.roll.by), wanted[0])
            if points:
                if (yield from self.purses.pay(who, points)):
                    yield self.company.tell(who, f"uses Sweet Success: +{points} on {cast.roll.what}", "good")
                    cast.sweet += points
            elif (yield from self.purses.pay(who, AGAIN if who == cast.roll.by else AGAIN_FOR_ANOTHER)):
                yield self.company.tell(who, f"uses Do It Again: {_describe_roll(cast.roll)} is rolled again", "good")
                cast.dice = yield from better_dice(cast.bare, cast.dice, who)

    def _ask_about_roll(self, cast: Cast, fate: Fate) -> Choice[int | None] | None:
        """Asks one person about a roll: 0 repeats it, a higher number is the bonus of Sweet Success, None keeps it."""
        roll, name = cast.roll, fate.name
        if not self._may_know(name, roll.what):
            return None
        own, left = name == roll.by, self.purses.left(name)
        options: list[Option[int | None]] = []
        if "do it again" in self.genre and left >= (AGAIN if own else AGAIN_FOR_ANOTHER):
            options.append(Option("again", f"Do It Again ({count(AGAIN if own else AGAIN_FOR_ANOTHER, 'Genre Point')})", 0))
        if own and "sweet success" in self.genre and not self._is_bare(roll.what):
            options += [
                Option(f"+{points}", f"Sweet Success: +{points} ({count(points, 'Genre Point')})", points)
                for points in range(1, min(left, MOST_AT_ONCE) + 1)
            ]
        if not options or (not own and not self._is_present(fate, roll)):
            return None
        shown = "" if roll.secret else f" ({cast.total().total})"
        asked = f"{f'Your roll for {roll.what}' if own else f'The roll for {_describe_roll(roll)}'}{shown}. Do you change it?"
        stands: Option[int | None] = Option("no", "Keep the roll", None)
        return Choice(name, asked, (stands, *options), self.company.about(name), "roll stands", roll.secret)

    def _may_know(self, name: str, what: str) -> bool:
        """Whether a character may know of a roll."""
        if not what.startswith(AMBUSH):
            return True
        fate = self.company.fate(name)
        return fate is not None and fate.hidden

    def _is_bare(self, what: str) -> bool:
        """Whether a test uses an attribute alone."""
        return what in NO_SKILL or (what == "getting free" and self.rules.word("getting-free") != "athletics")

    def _is_present(self, fate: Fate, roll: Roll[Total]) -> bool:
        """Whether another character is present at a roll. Ambushers watch their targets, but see no dice."""
        if roll.what.startswith(NOTICING):
            return fate.able
        return fate.able and not roll.secret and self.company.fate(roll.by) is not None


def _describe_roll(roll: Roll[Any]) -> str:
    """Describes a roll and its roller; ambush rolls name the target, and the gamemaster makes them."""
    return roll.what if roll.what.startswith(NOTICING) else f"{roll.what} of {roll.by}"


def _is_test(reading: Reading[Any]) -> bool:
    return isinstance(reading, HighestDie | Unskilled | CountedPool)


def _cast(roll: Roll[Total], apart: bool) -> Cast:
    """Returns a roll and its modifiers. If the dice matter by themselves, it is made without a penalty, which might press it to 0."""
    reading: Any = roll.reading
    bare = replace(roll, reading=replace(reading, modifier=0)) if reading.modifier else roll
    unskilled = isinstance(reading, Unskilled) or (isinstance(reading, CountedPool) and not reading.dice)
    return Cast(bare if apart and reading.modifier < 0 else roll, bare, reading.modifier, unskilled)


def _add_dice(reading: Reading[Total], dice: int) -> Reading[Total]:
    """Returns a reading with more dice; without any before, these are all."""
    if isinstance(reading, Unskilled):
        return HighestDie(dice + reading.extra, reading.modifier, reading.die)
    assert isinstance(reading, HighestDie | CountedPool)
    return replace(reading, dice=reading.dice + dice)
