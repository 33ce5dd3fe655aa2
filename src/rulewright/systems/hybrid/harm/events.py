"""Log entries about blows: what they do to a body, and how it resists."""

from msgspec.structs import replace

from rulewright.play import Event
from rulewright.rules import Ruleset
from rulewright.rules.reasons import REMARK, Derived, Reason, term
from rulewright.systems.hybrid.resolution.tests import Check, Mod, chance_of, reasons_of


def check_of(mods: tuple[Mod, ...]) -> Check:
    """The check that these terms make."""
    return Check(sum([mod.value for mod in mods]))


class Struck(Event, frozen=True):
    """Something that a blow did to a person."""

    name: str
    what: str
    rule: str = "hyb-8-damage-application"
    good: bool = False
    rules: Ruleset | None = None
    mods: tuple[Mod, ...] = ()
    """The terms of the Difficulty Factor that was rolled against."""

    def headline(self) -> str:
        return f"{self.name or 'somebody'} {self.what}"

    def reasons(self) -> tuple[Reason, ...]:
        return tuple([replace(reason, rule=self.rule) for reason in chance_of(self.rules, check_of(self.mods), reasons_of(self.mods))])

    def tone(self) -> str:
        return "good" if self.good else "bad"


class Wounded(Event, frozen=True):
    """Where a blow landed and what took the damage."""

    name: str
    location: str
    damage: int
    armour: int
    fatigue: int
    flesh: int
    mental: bool
    dead: bool
    why: Derived[int] | None = None
    """What made the damage: dice, degree, mode."""
    flat: int = 0
    """What the weapon adds to its dice."""
    blocked: int = 0
    """What a block or a ward can take off, beside the armour worn."""

    def headline(self) -> str:
        where = "the mind" if self.mental else f"the {self.location.lower()}"
        pools = ("MFT", "MBD") if self.mental else ("PFT", "PBD")
        parts = [f"armour stops {self.armour}"] if self.armour else []
        parts += [f"{pools[0]} -{self.fatigue}"] if self.fatigue else []
        parts += [f"{pools[1]} -{self.flesh}"] if self.flesh else []
        took = f" ({', '.join(parts)})" if parts else ""
        return f"{self.name or 'somebody'} takes {self.damage} damage to {where}{took}{' and dies' if self.dead else ''}"

    def reasons(self) -> tuple[Reason, ...]:
        made = self.why.reasons if self.why is not None else ()
        if made and self.flat and isinstance(made[0].value, int) and made[0].value != self.flat:
            dice = (term("dice", made[0].value - self.flat), term("added to the dice", self.flat))
            made = (replace(made[0], terms=dice), *made[1:])
        guard = (Reason(f"of which a block or ward stops up to {self.blocked}", "", REMARK, "hyb-8-block"),) if self.blocked else ()
        return (
            Reason("damage", self.damage, "+", "hyb-8-damage-application", "book", terms=made),
            Reason("armour", self.armour, "-", "hyb-8-damage-application", terms=guard),
            Reason("fatigue", self.fatigue, "-", "hyb-8-damage-application"),
            Reason("body", self.flesh, "=", "hyb-8-damage-application"),
        )

    def tone(self) -> str:
        return "bad" if self.fatigue or self.flesh else "plain"
