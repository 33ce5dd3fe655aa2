"""Base class of actions. A new action is a small class with a kind, its offers and its effect; `registry` lists it."""

from collections.abc import Iterable
from typing import ClassVar

from msgspec import Struct

from rulewright.play import Choice, Option, Play
from rulewright.rules import Ruleset
from rulewright.systems.foresight.combat.attack_exchange import attack_weapons
from rulewright.systems.foresight.combat.events import Asked, happened
from rulewright.systems.foresight.combat.fighters import Action, Fight, Fighter

Offers = Iterable[Option[Action]]


class Moment(Struct, frozen=True, eq=False):
    """The options offered depends on this: the rules, the fight, who acts, the enemies in sight, and what each can be struck with."""

    rules: Ruleset
    fight: Fight
    one: Fighter
    foes: tuple[Fighter, ...]
    strikes: tuple[list[int], ...]
    """For each of them the weapons that reach."""
    held: bool
    """Whether a person's grip keeps one from going anywhere."""

    @classmethod
    def of(cls, rules: Ruleset, fight: Fight, fighter: Fighter) -> "Moment":
        """The moment as it is for a person."""
        foes = tuple(fight.enemies(fighter))
        flag = any(pin.grip != "loose" for pin in fight.pinned(fighter.name))
        return cls(rules, fight, fighter, foes, strikes=tuple([attack_weapons(fight, fighter, foe) for foe in foes]), held=flag)


class ActionKind:
    """One thing that can be done with an action. What a subclass leaves out is as it is here."""

    kind: ClassVar[str]
    verb: ClassVar[str] = "other"
    """What sort of thing it is, by which pages and terminals group it."""
    counts_as: ClassVar[str] = ""
    """The row of the table of actions that it is paid by, where that is another."""
    free: ClassVar[bool] = False
    """Whether it takes no action."""
    hostile: ClassVar[bool] = False
    """Whether it is an attack before which others may duck."""
    silent: ClassVar[bool] = False
    """Whether it gives nobody cause to act."""
    does: str = ""
    """What the log says of one that needs no roll."""
    seen: ClassVar[str] = ""
    """What it looks like to people who may act upon it."""
    aimed: ClassVar[str] = " at "
    """What joins these words and the target: aims at Mara, turns to Mara, helps Mara."""
    sees_to_balance: ClassVar[bool] = False
    """Whether what it costs of balance is part of what it does."""

    @property
    def row(self) -> str:
        """The action of the table that it counts as."""
        return self.counts_as or self.kind

    def option(self, key: str, label: str, action: Action, note: str = "", target: str = "") -> Option[Action]:
        """It, as it is offered."""
        return Option(key, label, action, note, verb=self.verb, target=target)

    def at(self, foe: Fighter, label: str, action: Action | None = None, note: str = "") -> Option[Action]:
        """It, as it is offered against a person or for them."""
        name = foe.name
        return self.option(f"{self.kind}:{name}", f"{label} {name}", action or Action(self.kind, name), note, name)

    def plain(self, label: str, note: str = "") -> Option[Action]:
        """It, as it is offered where there is nothing more to say."""
        return self.option(self.kind, label, Action(self.kind), note)

    def offers(self, moment: Moment) -> Offers:
        """The options offered of it now; nothing where it cannot be done."""
        return ()

    def against(self, moment: Moment, foe: Fighter, weapons: list[int]) -> Offers:
        """The options offered of it against an enemy, who can be struck with these weapons."""
        return ()

    def with_gun(self, moment: Moment, at: int) -> Offers:
        """The options offered of it with a gun in hand, or something to be thrown."""
        return ()

    def completed(self, rules: Ruleset, fight: Fight, name: str, action: Action, secret: bool) -> Play[Action]:
        """Completes an action after the choice: asks for how or where."""
        yield from ()
        return action

    def possible(self, rules: Ruleset, fight: Fight, fighter: Fighter, action: Action) -> bool:
        """Whether it can still be done after others came first, by a person who can act at all."""
        return True

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action) -> Play[Fight]:
        """It is done; its price is paid."""
        result = fight.fighter(name)
        yield from happened(fight, name, self.says(result, action))
        return fight.put(self.after(rules, fight, result, action))

    def says(self, fighter: Fighter, action: Action) -> str:
        """The same, where it is not always so."""
        return self.does

    def after(self, rules: Ruleset, fight: Fight, fighter: Fighter, action: Action) -> Fighter:
        """A person after one that needs no roll."""
        return fighter


def asked_how(rules: Ruleset, fight: Fight, name: str, chosen: Action, *, ways: tuple[Option[Action], ...], secret: bool) -> Play[Action]:
    """In which way something is done to a person."""
    about = Asked(fight, name, rules, chosen, name)
    return (yield from Choice(name, f"How do you do it to {chosen.target}?", ways, about, "way", secret=secret))
