"""Weapons, thrown weapons, spells and bare hands, as one person uses them."""

from fractions import Fraction
from math import ceil, floor
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived, at_most, limited
from rulewright.systems.hybrid.gear.items import SPELLS, WEAPONS
from rulewright.systems.hybrid.harm.damage import DamageType
from rulewright.systems.hybrid.people.characters import Character, Person
from rulewright.systems.hybrid.people.skills import Use, filtered_rank, unfamiliar_tool, use_check
from rulewright.systems.hybrid.resolution.modifiers import Kind
from rulewright.systems.hybrid.resolution.tests import Check, Mod

NATURAL = ("fist", "kick")
ACTIONS = ("fast draw", "feint", "disarm", "fend", "free", "overbear", "throw", "grapple", "tighten", "struggle")
"""What is done with a weapon or bare hands beside attack, parry and block; a support skill may be trained for any of it."""


class Arm(Struct, frozen=True, cache_hash=True, gc=False):
    """A weapon, a spell or bare hands, as a person uses it: the check before any situation, and what a hit does."""

    name: str
    check: Check
    use: Literal["melee", "thrown", "missile", "spell"] = "melee"
    rank: int | None = None
    type: DamageType = "crushing"
    length: int = 0
    speed: int = 4
    dice: tuple[int, ...] = (4,)
    flat: int = 0
    range: int = 0
    shield: bool = False
    mental: bool = False
    cost: int = 0
    """Mental fatigue that a spell costs."""
    parry: Check = Check(12)
    block: Check = Check(12)
    thrown: Check | None = None
    """The check with which a hand weapon is thrown, where it can be."""
    thrown_rank: int | None = None
    helps: Literal["", "ward", "mend", "light"] = ""
    """What a spell does that harms nobody."""
    power: int = 0
    lasts: int = 0
    trained: tuple[tuple[str, Check], ...] = ()
    """The checks of actions other than attacks for which there is a support skill, or where only attacks have one."""
    made: Use | None = None
    """What the check of its attack is made of, for the sums."""
    thrown_made: Use | None = None
    made_for: tuple[tuple[str, Use], ...] = ()
    """What the checks of parry, block and other actions are made of, where they differ from that of an attack."""

    def by(self, action: str) -> Check:
        """Returns the check for an action with it."""
        return next((check for name, check in self.trained if name == action), self.check)

    @property
    def natural(self) -> bool:
        """Whether it cannot be dropped or lost."""
        return self.name in NATURAL or self.use == "spell"

    @property
    def kind(self) -> Kind:
        """Whether body or mind does it: casting is of the mind."""
        return "mental" if self.use == "spell" else "physical"

    def hurled(self) -> "Arm":
        """The same weapon thrown."""
        if self.thrown is None:
            return self
        return replace(self, use="thrown", check=self.thrown, rank=self.thrown_rank, length=0, made=self.thrown_made)


def arms_of(rules: Ruleset, person: Person, character: Character) -> tuple[Arm, ...]:
    """Everything to fight with: weapons in the order of the file, bare hands, spells."""
    weapons = [_weapon(rules, person, name) for name in (*character.gear.weapons, *NATURAL)]
    return (*weapons, *(_spell(rules, person, name) for name in character.gear.spells))


def _weapon(rules: Ruleset, person: Person, name: str) -> Arm:
    row = WEAPONS.get(rules, name)

    def check(action: str = "") -> Check:
        return use_check(rules, wielding(rules, person, name, action))

    def made(action: str) -> tuple[str, Use]:
        return action, wielding(rules, person, name, action)

    hurling, thrown_rank = throwing(rules, person, name)
    own = use_check(rules, hurling) if row.use == "thrown" else check("attack")
    others = [(action, check(action)) for action in ACTIONS] if row.use != "thrown" else []
    trained = tuple((action, result) for action, result in others if result != own)
    return Arm(
        name,
        own,
        row.use,
        thrown_rank if row.use == "thrown" else person.good_for(rules, row.skill),
        row.type,
        length=row.length,
        speed=row.speed,
        dice=row.dice,
        flat=row.base + floor(Fraction(str(row.strike)) * person.stat("PSE")),
        range=row.range,
        shield=row.shield,
        parry=check("parry"),
        block=check("block"),
        thrown=use_check(rules, hurling) if row.thrown else None,
        thrown_rank=thrown_rank,
        made=hurling if row.use == "thrown" else wielding(rules, person, name),
        thrown_made=hurling if row.thrown else None,
        trained=trained,
        made_for=tuple([made(action) for action in ("parry", "block", *[action for action, _ in trained])]),
    )


def wielding(rules: Ruleset, person: Person, name: str, action: str = "attack") -> Use:
    """Using a weapon: on PCA in the hand, on ACC where it shoots; 2 less with one that handles differently."""
    row = WEAPONS.get(rules, name)
    return _strange(rules, person, name, person.use(rules, row.skill, ("PCA" if row.use == "melee" else "ACC",), action=action))


def _strange(rules: Ruleset, person: Person, name: str, use: Use) -> Use:
    learnt = person.character.gear.unfamiliar.get(name)
    costs = unfamiliar_tool(rules, learnt) if learnt is not None else None
    return replace(use, modifiers=(*use.modifiers, costs)) if costs is not None and costs.value else use


def filtered(rules: Ruleset, person: Person, skill: str) -> Person:
    """A person in the surroundings of a filter skill without a roll on it: no other rank counts for more than its own."""
    cap = person.rank(skill)
    ranks = {name: rank if name == skill else _capped(rules, rank, skill, cap) for name, rank in person.ranks.items()}
    return replace(person, ranks=ranks)


def _capped(rules: Ruleset, rank: Derived[int], skill: str, cap: int | None) -> Derived[int]:
    counts = filtered_rank(rules, rank.value, cap)
    return limited(rank.reason.label, *rank.reasons, limit=at_most(counts, f"by {skill}"), rule="hyb-3-filter-skills")


def throwing(rules: Ruleset, person: Person, name: str) -> tuple[Use, int | None]:
    """Throwing something, on ACC: by a skill for just this object, and by the general one for anything (book lines 675-679)."""
    specific, general = f"Throwing: {name.title()}", person.rank("Throw Object")
    use = person.use(rules, specific, ("ACC",))
    ranks = replace(use.ranks, general=general)
    return _strange(rules, person, name, replace(use, ranks=ranks)), use.ranks.specific if use.ranks.specific is not None else general


def casting(rules: Ruleset, person: Person, name: str) -> Use:
    """Casting a spell: on NRG, or on MCA where it attacks a mind; with the skill of its field and the gifts for it."""
    row = SPELLS.get(rules, name)
    use = person.use(rules, f"Magic: {row.field}", ("MCA" if row.mental else "NRG",), row.df)
    gift = person.gifted("magic", row.field, row.spell)
    if not gift or row.mental:  # a gift heightens NRG, and nothing that is worked out from it
        return use
    return replace(use, modifiers=(*use.modifiers, Mod(f"gift for {row.field}", gift, "hyb-12-mage-gift")))


def _spell(rules: Ruleset, person: Person, name: str) -> Arm:
    row = SPELLS.get(rules, name)
    return Arm(
        name,
        use_check(rules, casting(rules, person, name)),
        "spell",
        person.rank(f"Magic: {row.field}"),
        row.type or "energy",
        length=0,
        speed=row.speed,
        dice=row.dice,
        flat=floor(Fraction(str(row.strike)) * person.stat("MSE")),
        range=row.range,
        mental=row.mental,
        cost=row.mft,
        helps="ward" if row.armour else "mend" if row.heals else "light" if row.light else "",
        power=row.armour or row.heals,
        lasts=row.lasts,
        made=casting(rules, person, name),
    )


def range_modifier(arm: Arm, metres: float) -> int:
    """One off for every full stretch beyond the first."""
    if arm.use == "melee" or not arm.range:
        return 0
    return -max(0, ceil(metres / arm.range) - 1)
