"""Log entries about hits, wounds, unconsciousness and death."""

from rulewright.grammar import count
from rulewright.highest_die.harm import Knockout, Shock
from rulewright.play import Event
from rulewright.rules.reasons import Reason, at_least, term, times, total
from rulewright.systems.silhouette.harm.body import Location
from rulewright.systems.silhouette.people.secondary_attributes import Wound
from rulewright.systems.silhouette.resolution.tests import Test

NAMES = {"flesh": "Flesh", "deep": "Deep", "death": "Instant Death"}


def _compared(wound: Wound, damage: int, threshold: int) -> tuple[Reason, ...]:
    name = f"{NAMES[wound]}{' Wound' if wound != 'death' else ''} Threshold, with armor"
    return (
        Reason("damage", damage, "=", "sil-3.5.1-damage"),
        Reason(name, threshold, "against", "sil-2.3.2-injury-list"),
    )


class Unharmed(Event, frozen=True):
    """A hit without a wound."""

    name: str
    damage: int
    threshold: int

    def headline(self) -> str:
        return f"{self.name} takes {self.damage} damage, which causes no wound"

    def reasons(self) -> tuple[Reason, ...]:
        return _compared("flesh", self.damage, self.threshold)


class Wounded(Event, frozen=True):
    """A wound."""

    name: str
    wound: Wound
    damage: int
    threshold: int
    location: Location = "torso"
    useless: bool = False
    severed: bool = False

    def headline(self) -> str:
        where = "" if self.location == "torso" else f" to the {self.location}"
        what = ", which is crushed or severed" if self.severed else ", which is now useless" if self.useless else ""
        return f"{self.name} suffers a {'Flesh' if self.wound == 'flesh' else 'Deep'} Wound{where}{what}"

    def reasons(self) -> tuple[Reason, ...]:
        return _compared(self.wound, self.damage, self.threshold)

    def tone(self) -> str:
        return "bad"


class Bruised(Event, frozen=True):
    """A bruise."""

    name: str
    wound: Wound
    damage: int
    threshold: int
    boxes: int
    system_shock: int

    def headline(self) -> str:
        how = "lightly" if self.wound == "flesh" else "badly"
        more = "; further blows cause wounds" if self.boxes >= self.system_shock else ""
        return f"{self.name} is {how} bruised ({count(self.boxes, 'box')} of {self.system_shock}){more}"

    def reasons(self) -> tuple[Reason, ...]:
        return _compared(self.wound, self.damage, self.threshold)

    def tone(self) -> str:
        return "bad"


class HeldOn(Event, frozen=True):
    """Result of a test to stay conscious."""

    name: str
    test: Test
    out: bool = False

    def headline(self) -> str:
        if self.test.fumble:  # 2491: a coma
            return f"{self.name} falls into a coma"
        return f"{self.name} {'is knocked out' if self.out else 'stays conscious'}"

    def reasons(self) -> tuple[Reason, ...]:
        return self.test.sum("Health test", "sil-3.5.2-knockout")

    def tone(self) -> str:
        return "bad" if self.test.fumble or self.out else "plain"  # 2491


class OutFor(Knockout, frozen=True):
    """Duration of unconsciousness."""

    rule = "sil-3.5.2-knockout"

    flesh: int = 0
    """Minutes on the dice of Flesh Wounds."""
    hours: int = 0
    """Hours on the dice of Deep Wounds."""

    def reasons(self) -> tuple[Reason, ...]:
        deep = total("Deep Wounds", term("hours", self.hours), times("minutes an hour", 60))
        terms = [term("Flesh Wounds", self.flesh), *([term("Deep Wounds", deep)] if self.hours else [])]
        if not self.flesh and not self.hours:
            terms.append(at_least(1))
        return (Reason("minutes", self.minutes, "=", self.rule, "book", tuple(terms)),)


class Dying(Shock, frozen=True):
    """A character goes into shock."""

    def reasons(self) -> tuple[Reason, ...]:
        terms: tuple[Reason, ...] = (term("System Shock", self.system_shock), times("twice", 2), term("action penalty", self.penalty))
        other = self.minutes - 2 * self.system_shock - self.penalty
        terms = (*terms, term("minutes already passed, or the minimum of one", other)) if other else terms
        return (Reason("minutes until death", self.minutes, "=", "sil-3.5.5-trauma", "book", terms),)


class Died(Event, frozen=True):
    """A character dies."""

    name: str
    of: str
    damage: int = 0
    threshold: int = 0

    def headline(self) -> str:
        return f"{self.name} dies of {self.of}"

    def reasons(self) -> tuple[Reason, ...]:
        return _compared("death", self.damage, self.threshold) if self.threshold else ()

    def tone(self) -> str:
        return "bad"


class Managed(Event, frozen=True):
    """A character's test with its sum."""

    name: str
    what: str
    test: Test
    rule: str | None = None
    mood: str = "plain"
    label: str = "test"

    def headline(self) -> str:
        return f"{self.name} {self.what}"

    def reasons(self) -> tuple[Reason, ...]:
        return self.test.sum(self.label, self.rule)
