"""Base class of actions. A new action is a small class with keys, a beginning and an effect; `registry` lists it."""

from collections.abc import Iterable
from typing import ClassVar, cast

from msgspec import Struct

from rulewright.play import Happened, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.hybrid.combat.fighters import CONTINUING, REACH, Deed, Doing, Fight, Fighter, Way, watching
from rulewright.systems.hybrid.fight.log_events import SIMPLE_COUNTS, react, set_off
from rulewright.systems.hybrid.people.perception import perceive

Keys = Iterable[str]


class Moment(Struct, frozen=True, eq=False):
    """The options offered depends on this: the rules, the fight, who decides, the enemies in sight, and those within reach."""

    rules: Ruleset
    fight: Fight
    me: Fighter
    foes: tuple[Fighter, ...]
    near: tuple[Fighter, ...]

    @classmethod
    def of(cls, rules: Ruleset, fight: Fight, me: Fighter) -> "Moment":
        """The moment as it is for a person."""
        foes = fight.enemies(rules, me)
        return cls(rules, fight, me, foes, tuple([foe for foe in foes if me.distance(foe) <= REACH]))

    @property
    def tied(self) -> bool:
        """Whether a person holds another or is bound: then they go nowhere before letting go (ruling)."""
        return bool(self.me.holding or self.me.bound_with)


class Chosen(Struct, frozen=True, eq=False):
    """What a person has decided to do at a count."""

    rules: Ruleset
    name: str
    now: int
    what: str
    target: str = ""
    evaded: bool = False
    """Whether they evaded until now."""


class Due(Struct, frozen=True, eq=False):
    """An action whose time is over; `then` is how its doer was when the count began."""

    rules: Ruleset
    name: str
    now: int
    then: Fighter
    doing: Doing


class DeedKind:
    """One kind of action, with defaults for what a subclass leaves out."""

    what: ClassVar[Deed]
    verb: ClassVar[str] = "other"
    """What sort of thing it is, by which pages and terminals group it."""
    words: ClassVar[str] = ""
    """What the button says, where that is always the same."""
    takes: ClassVar[int] = SIMPLE_COUNTS
    """How many counts it takes, where that is always the same."""
    rolled: ClassVar[bool] = False
    """Whether a roll decides it when its time is over."""
    on_the_move: ClassVar[bool] = False
    """Whether the character keeps their pace."""
    at_once: ClassVar[bool] = False
    """Whether one decides again on the count on which it is done, without rolling initiative."""

    def keys(self, moment: Moment) -> Keys:
        """The keys under which it is offered now; none where it cannot be done."""
        return ()

    def against(self, moment: Moment, foe: Fighter, near: bool) -> Keys:
        """The keys under which it is offered against an enemy."""
        return ()

    def label(self, what: str, target: str) -> str:
        """Returns the text of the button."""
        deed, how = what.removesuffix(" how"), ": choose how" if what.endswith(" how") else ""
        return self.words or (f"{deed} {target}{how}" if target else what)

    def counts(self, rules: Ruleset, me: Fighter) -> tuple[int, int]:
        """How long it takes, and the speed points that are left after it."""
        return self.takes, me.points

    def begin(self, chosen: Chosen, fight: Fight) -> Play[Fight]:
        """It begins."""
        took, points = self.counts(chosen.rules, fight.fighter(chosen.name))
        doing = Doing(cast(Deed, chosen.what), chosen.target, chosen.now, self.way(chosen))
        fight = fight.change(chosen.name, points=points)
        return under_way(chosen.rules, fight, chosen.name, doing, took=took)

    def way(self, chosen: Chosen) -> Way:
        """The mode in which it is done, where one is meant without being asked for."""
        return ""

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        """Applies the action when its time is over."""
        yield from ()
        return fight

    def ends(self, due: Due, fight: Fight) -> Play[Fight]:
        """After it: most actions end in a roll for the next initiative."""
        if self.at_once:
            return fight.change(due.name, doing=None, at=due.now)
        return (yield from react(due.rules, fight, due.name, due.now))


def under_way(rules: Ruleset, fight: Fight, name: str, doing: Doing, *, took: int, words: str = "") -> Play[Fight]:
    """Start an action that takes time; people who waited for it may react first."""
    until = doing.began + took
    yield from Tell(Happened(name, f"{words or doing.says()} ({'until' if doing.what in CONTINUING else 'takes effect at'} count {until})"))
    fight = fight.change(name, doing=doing, at=until)
    for foe in fight.fighters:
        if foe.waiting and fight.sees(foe, fight.fighter(name)) and _awaited(fight.fighter(name), doing, foe) and fight.able(rules, foe):
            noticed = yield from perceive(rules, watching(rules, fight, foe), preset=True)
            if noticed.success:
                fight = yield from set_off(rules, fight, foe.profile.name, doing.began)
    return fight


def _awaited(me: Fighter, doing: Doing, foe: Fighter) -> bool:
    """Whether this is what a person waits for; a feint is only if it fools them, which its own roll decides."""
    if me.side == foe.side:
        return False
    if foe.doing is not None and foe.doing.called == "draw":
        return doing.what == "draw"
    return doing.target == foe.profile.name and doing.what != "feint"
