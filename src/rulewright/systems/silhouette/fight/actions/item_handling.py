"""Actions without a test: weapons, shield, standing up and dropping prone (book lines 1917-1998)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.grammar import the
from rulewright.play import Option
from rulewright.rules import Ruleset
from rulewright.scenes.skirmish import item_names, put_at
from rulewright.systems.silhouette.action.movement import DOWN
from rulewright.systems.silhouette.combat.fighters import Action, Fighter, Kind, hands_of
from rulewright.systems.silhouette.fight.actions.base import Offer, Simple, WithoutTest


class Load(Simple):
    """Loads a magazine, or a bow by one step."""

    kind: Kind = "load"
    verb = "gear"
    opens = "load"

    def options(self, rules: Ruleset, offer: Offer) -> Iterator[Option[Action]]:
        weapon, at = offer.weapon, offer.at
        short = offer.ammo[at] < weapon.magazine or offer.unready[at]
        if short and not (offer.loaded and offer.unready[at]) and not weapon.natural:
            yield self.option("load", f"Load {the(weapon.name)}", Action("load", weapon=at))

    def said(self, fighter: Fighter, action: Action) -> str:
        return f"loads {the(fighter.profile.weapons[action.weapon].name)}"

    def done(self, fighter: Fighter, action: Action) -> Fighter:
        at = action.weapon
        waits = max(0, fighter.unready[at] - 1)
        full = fighter.profile.weapons[at].magazine if not fighter.unready[at] else fighter.ammo[at]
        return replace(fighter, ammo=put_at(fighter.ammo, at, full), unready=put_at(fighter.unready, at, waits))


class TakeInHand(Simple):
    """Takes another weapon in hand, and drops the present one if there is no free hand."""

    verb = "gear"

    def done(self, fighter: Fighter, action: Action) -> Fighter:
        at, gone = action.weapon, fighter.gone
        if fighter.in_hand and lets_fall(fighter, at):
            gone = put_at(gone, fighter.in_hand, "dropped")
        keeps = fighter.shield_up and fighter.profile.weapons[at].hands < hands_of(fighter, fighter.body)
        return replace(still(fighter), in_hand=at, gone=put_at(gone, at, ""), shield_up=keeps)


class Draw(TakeInHand):
    """Draws a carried weapon."""

    kind: Kind = "draw"
    opens = "draw"

    def options(self, rules: Ruleset, offer: Offer) -> Iterator[Option[Action]]:
        free = offer.hands - (1 if offer.shield_up and offer.hands < 2 else 0)  # with both arms a shield is let go for two hands
        for at, (called, weapon) in enumerate(
            zip(item_names([weapon.name for weapon in offer.profile.weapons]), offer.profile.weapons, strict=True)
        ):
            if weapon.hands > free or not at:
                continue
            if at != offer.at and offer.gone[at] == "":
                words = f"{'Use' if weapon.natural else 'Draw'} {the(called)}"
                yield self.option(f"draw:{called}", words, Action("draw", weapon=at), target=called)
            elif offer.gone[at] == "dropped":
                yield PICK_UP.one(offer, at, called)

    def said(self, fighter: Fighter, action: Action) -> str:
        weapon = fighter.profile.weapons[action.weapon]
        return f"uses {the(weapon.name)}" if weapon.natural else f"draws {the(weapon.name)}{_describe_dropped(fighter, action.weapon)}"


class PickUp(TakeInHand):
    """Picks up a dropped weapon; offered next to drawing, in the order of the weapons."""

    kind: Kind = "pick up"
    opens = "pick up"

    def one(self, offer: Offer, at: int, called: str) -> Option[Action]:
        """Returns the option for one weapon."""
        falls = f" and drop {the(offer.weapon.name)}" if offer.at else ""
        return self.option(f"pick up:{called}", f"Pick up {the(called)}{falls}", Action("pick up", weapon=at), target=called)

    def said(self, fighter: Fighter, action: Action) -> str:
        return f"picks up {the(fighter.profile.weapons[action.weapon].name)}{_describe_dropped(fighter, action.weapon)}"


class Sheathe(Simple):
    """Puts away the weapon in hand."""

    kind: Kind = "sheathe"
    verb = "gear"
    opens = "sheathe"

    def options(self, rules: Ruleset, offer: Offer) -> Iterator[Option[Action]]:
        if offer.at:
            words = f"Use {the(offer.profile.weapons[0].name)}" if offer.weapon.natural else f"Put away {the(offer.weapon.name)}"
            yield self.option("sheathe", words, Action("sheathe", weapon=offer.at))

    def said(self, fighter: Fighter, action: Action) -> str:
        return f"puts away {the(fighter.profile.weapons[action.weapon].name)}"

    def done(self, fighter: Fighter, action: Action) -> Fighter:
        return replace(still(fighter), in_hand=0)


class Shield(Simple):
    """Readies or drops a shield."""

    kind: Kind = "shield"
    verb = "gear"

    def options(self, rules: Ruleset, offer: Offer) -> Iterator[Option[Action]]:
        number = (1 if offer.at else 0) + 1
        if offer.profile.shield is not None and (offer.shield_up or (number <= offer.hands and offer.weapon.hands < offer.hands)):
            yield self.option("shield", "Drop the shield" if offer.shield_up else "Ready the shield", Action("shield"))

    def said(self, fighter: Fighter, action: Action) -> str:
        return "drops the shield" if fighter.shield_up else "readies the shield"

    def done(self, fighter: Fighter, action: Action) -> Fighter:
        return replace(fighter, shield_up=not fighter.shield_up)


class Stand(Simple):
    """Stands up."""

    kind: Kind = "stand"
    verb = "move"
    on_the_feet = True

    def options(self, rules: Ruleset, offer: Offer) -> Iterator[Option[Action]]:
        if offer.pace in DOWN and offer.stands:
            yield self.option("stand", "Stand up", Action("stand"))

    def said(self, fighter: Fighter, action: Action) -> str:
        return "stands up"

    def done(self, fighter: Fighter, action: Action) -> Fighter:
        return replace(still(fighter), pace="stationary")


class Drop(Simple):
    """Drops prone."""

    kind: Kind = "drop"
    verb = "move"
    on_the_feet = True

    def options(self, rules: Ruleset, offer: Offer) -> Iterator[Option[Action]]:
        if offer.pace not in DOWN:
            yield self.option("drop", "Drop prone", Action("drop"))

    def said(self, fighter: Fighter, action: Action) -> str:
        return "drops prone"

    def done(self, fighter: Fighter, action: Action) -> Fighter:
        return replace(still(fighter), pace="prone")


class Clear(WithoutTest):
    """Clears a jam, or gets a bow ready after a fumble: a whole action."""

    kind: Kind = "clear"
    verb = "gear"
    opens = "clear a jam"

    def options(self, rules: Ruleset, offer: Offer) -> Iterator[Option[Action]]:
        if offer.weapon.fires is not None and offer.jammed[offer.at]:
            yield self.option("clear", f"Get {the(offer.weapon.name)} working again", Action("clear", weapon=offer.at))

    def said(self, fighter: Fighter, action: Action) -> str:
        return f"gets {the(fighter.profile.weapons[action.weapon].name)} working again"

    def done(self, fighter: Fighter, action: Action) -> Fighter:
        return replace(fighter, jammed=put_at(fighter.jammed, action.weapon, False))


PICK_UP = PickUp()
SIMPLE: tuple[Simple, ...] = (Load(), Draw(), PICK_UP, Sheathe(), Shield(), Stand(), Drop())
"""Simple actions in the order of the options."""


def still(fighter: Fighter) -> Fighter:
    """Returns a fighter who no longer aims."""
    return replace(fighter, aim=0, aim_at="") if fighter.aim else fighter


def _describe_dropped(fighter: Fighter, at: int) -> str:
    """Describes what is dropped to take another weapon."""
    return f" and drops {the(fighter.weapon.name)}" if fighter.in_hand and lets_fall(fighter, at) else ""


def lets_fall(fighter: Fighter, at: int) -> bool:
    """Whether taking another weapon requires dropping the present one; with more limbs both are held."""
    if fighter.profile.weapons[at].natural:
        return False
    number = fighter.weapon.hands + fighter.profile.weapons[at].hands + (1 if fighter.shield_up else 0)
    return not fighter.weapon.natural and (not fighter.profile.plan.limbs or number > hands_of(fighter, fighter.body))
