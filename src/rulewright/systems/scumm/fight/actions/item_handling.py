"""Simple actions and clearing a jam, which need no test (book lines 348-366)."""

from collections.abc import Iterator
from typing import Any, Literal

from msgspec.structs import replace

from rulewright.grammar import the
from rulewright.play import Option
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.scenes.skirmish import item_names, put_at
from rulewright.systems.scumm.combat.fighters import DOWN, Action, Fighter, Kind
from rulewright.systems.scumm.fight.actions.base import Offer, Simple, WithoutTest


class ActionType(TableRow, frozen=True):
    """A kind of action: whether it takes time and needs a test."""

    type: str
    takes_time: bool
    needs_test: bool | None = None
    examples: tuple[str, ...] = ()


ACTION_TYPES = Table("scumm-action-types", ActionType)


class Reload(Simple):
    """A full magazine."""

    kind: Kind = "reload"
    verb = "gear"

    def options(self, rules: Ruleset, offer: Offer) -> Iterator[Option[Action]]:
        if offer.can_hold and offer.ammo[offer.in_hand] < offer.weapon.ammo:
            yield self.whole(offer)

    def whole(self, offer: Offer) -> Option[Action]:
        """The option, whatever is in the magazine now."""
        return self.option("reload", f"Reload {the(offer.weapon.name)}", Action("reload", weapon=offer.in_hand), offer.note)

    def said(self, fighter: Fighter, action: Action) -> str:
        return f"reloads {the(fighter.profile.weapons[action.weapon].name)}"

    def done(self, fighter: Fighter, action: Action) -> Fighter:
        return replace(fighter, ammo=put_at(fighter.ammo, action.weapon, fighter.profile.weapons[action.weapon].ammo))


class Draw(Simple):
    """Another weapon in hand, or none."""

    kind: Kind = "draw"
    verb = "gear"

    def options(self, rules: Ruleset, offer: Offer) -> Iterator[Option[Action]]:
        if not offer.can_hold:
            return
        for at, called in enumerate(item_names([weapon.name for weapon in offer.profile.weapons])):
            if at != offer.in_hand and offer.gone[at] == "":
                label = f"Draw {the(called)}" if at else "Bare hands"
                yield self.option(f"draw:{called}", label, Action("draw", weapon=at), offer.note, called)
            elif at != offer.in_hand and offer.gone[at] == "dropped":
                yield PICK_UP.one(offer, at, called)

    def said(self, fighter: Fighter, action: Action) -> str:
        return f"draws {the(fighter.profile.weapons[action.weapon].name)}" if action.weapon else "frees both hands"

    def done(self, fighter: Fighter, action: Action) -> Fighter:
        return replace(fighter, in_hand=action.weapon, aim=0, aim_at="")


class PickUp(Simple):
    """What was dropped is taken up again; offered beside drawing, in the order of the weapons."""

    kind: Kind = "pick up"
    verb = "gear"

    def one(self, offer: Offer, at: int, called: str) -> Option[Action]:
        """The option for one weapon."""
        label = f"Pick up {the(offer.profile.weapons[at].name)}"
        return self.option(f"pick up:{called}", label, Action("pick up", weapon=at), offer.note, called)

    def said(self, fighter: Fighter, action: Action) -> str:
        return f"picks up {the(fighter.profile.weapons[action.weapon].name)}"

    def done(self, fighter: Fighter, action: Action) -> Fighter:
        return replace(fighter, in_hand=action.weapon, gone=put_at(fighter.gone, action.weapon, ""), aim=0, aim_at="")


class Posture(Simple):
    """Getting up, or lying down."""

    verb = "move"
    in_motion = True

    def __init__(self, kind: Kind, label: str, does: str, **changes: Any) -> None:
        self.kind, self.label, self.does, self.changes = kind, label, does, changes

    def options(self, rules: Ruleset, offer: Offer) -> Iterator[Option[Action]]:
        up = self.kind == "stand"
        if (offer.mode in DOWN) == up and (offer.can_stand or not up):
            yield self.option(self.kind, self.label, Action(self.kind), offer.note)

    def said(self, fighter: Fighter, action: Action) -> str:
        return self.does

    def done(self, fighter: Fighter, action: Action) -> Fighter:
        return replace(fighter, **self.changes, aim=0, aim_at="")


class Clear(WithoutTest):
    """A jammed gun is made ready again: a whole action."""

    kind: Kind = "clear"
    verb = "gear"
    goes_on_treating = False

    def options(self, rules: Ruleset, offer: Offer) -> Iterator[Option[Action]]:
        if offer.weapon.gun and offer.jammed[offer.in_hand] and offer.can_hold:
            yield self.option("clear", f"Clear the jammed {offer.weapon.name}", Action("clear", weapon=offer.in_hand))

    def said(self, fighter: Fighter, action: Action) -> str:
        return f"clears the jammed {fighter.profile.weapons[action.weapon].name}"

    def done(self, fighter: Fighter, action: Action) -> Fighter:
        return replace(fighter, jammed=put_at(fighter.jammed, action.weapon, False))


RELOAD, PICK_UP = Reload(), PickUp()
POSTURES = (Posture("stand", "Stand up", "stands up", mode="normal", rose=True), Posture("drop", "Drop prone", "drops prone", mode="prone"))
SIMPLE: dict[str, Simple] = {reload.kind: reload for reload in (RELOAD, Draw(), PICK_UP, *POSTURES)}
"""The simple actions by their kind, in the order in which they are offered."""


@rule("scumm-action-types")
def counts_as(kind: Kind = "draw", simple_before: int = 0) -> Literal["simple", "standard"]:
    """Standing up, dropping, drawing, reloading and picking up need no test: one of them a round is free.

    A second one becomes a standard action, and brings the penalty of an extra action.
    """
    return "simple" if kind in SIMPLE and not simple_before else "standard"


@cached(10_000)
def simple_options(rules: Ruleset, offer: Offer) -> tuple[Option[Action], ...]:
    """The simple actions that make sense now."""
    return tuple([option for action in SIMPLE.values() for option in action.options(rules, offer)])


def put_off(rules: Ruleset, offer: Offer, simple: tuple[Option[Action], ...]) -> Iterator[Option[Action]]:
    """The free simple action at the end of the turn; a full magazine may be empty by then."""
    yield from [_afterwards(option) for option in simple]
    if offer.loaded and offer.can_hold and offer.ammo[offer.in_hand] == offer.weapon.ammo:
        yield _afterwards(RELOAD.whole(offer))


def _afterwards(option: Option[Action]) -> Option[Action]:
    label, later = f"{option.label}, at the end of the turn", replace(option.value, after=True)
    return replace(option, key=f"after {option.key}", label=label, value=later)
