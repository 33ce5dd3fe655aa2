"""Weapons in hand, with the wielder's strength included in the damage."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.combat.ranged_attacks import Firearm
from rulewright.systems.silhouette.combat.throws import Blast, Missile
from rulewright.systems.silhouette.drama.traits_in_play import possible
from rulewright.systems.silhouette.gear.items import Archaic, Grenade, Gun, Heavy, Melee, find_weapon, weapon_names
from rulewright.systems.silhouette.harm.damage import Nature
from rulewright.systems.silhouette.people.characters import Person
from rulewright.systems.silhouette.people.powers import Power
from rulewright.systems.silhouette.people.secondary_attributes import secondary_of
from rulewright.systems.silhouette.resolution.modifiers import throwing_range


class Weapon(Struct, frozen=True, cache_hash=True):
    """A weapon in hand; its Damage Multiplier includes the wielder's strength."""

    name: str
    skill: str
    damage: int
    accuracy: int = 0
    parry: int | None = None
    """Parry bonus; None if it cannot parry."""
    nature: Nature = "plain"
    reach: int = 0
    hands: int = 1
    long: bool = False
    """Longer than an arm."""
    unwieldy: bool = False
    too_heavy: bool = False
    fires: Firearm | None = None
    thrown: Missile | None = None
    blast: Blast | None = None
    lobs: int = 0
    """Short range of a launcher, which fires fragmentation grenades (ruling); 0 for a thrown grenade."""
    rounds: int = 0
    """Number of grenades in a launcher."""
    natural: bool = False
    """A natural weapon: it wounds where bare hands bruise, and cannot be dropped."""
    entangles: int | None = None
    """Added to the margin for the Threshold to get free; None if it cannot entangle."""
    spell: int = 0
    """Spell Points per cast; 0 for anything but a spell."""
    actions: int = 1
    """Actions per use."""
    pierces: bool = False
    """Whether armor counts half against it."""

    @property
    def aims_with(self) -> str:
        """Returns the skill used to shoot or throw it."""
        return "throwing" if self.fires is None else self.skill

    @property
    def close(self) -> bool:
        """Whether it is used for blows."""
        return self.skill in ("melee", "hand-to-hand") and not self.too_heavy

    @property
    def magazine(self) -> int:
        """Returns its magazine size; 0 if nobody counts."""
        return (self.fires.ammo or 0) if self.fires is not None else self.rounds


_NATURES: dict[str, Nature] = {"blunt": "blunt", "piercing": "stabbing"}


def weapon_of(rules: Ruleset, name: str, armed: int, strength: int) -> Weapon:
    """Returns a weapon of the book's tables for this Armed Damage and Strength."""
    row = find_weapon(rules, name)
    if row is None:
        raise UserError(f"there is no weapon {name[:60]!r}; some weapons: {', '.join(weapon_names(rules)[:8])}")
    if isinstance(row, Melee):
        heavy = row.min_strength is not None and strength < row.min_strength
        missile = Missile.of(rules, name, strength) if row.thrown else None
        return Weapon(
            name,
            "melee",
            armed + row.damage,
            row.accuracy,
            row.parry,
            _NATURES.get(row.kind, "plain"),
            row.reach,
            row.hands,
            row.hands > 1 or row.reach > 0,
            row.unwieldy,
            heavy,
            thrown=missile,
            entangles=row.entangles,
        )
    if isinstance(row, Grenade):
        return Weapon(name, "throwing", 0, row.accuracy, blast=Blast.of(rules, name))
    if isinstance(row, Heavy) and row.grenade:
        return Weapon(
            name,
            "heavy weapons",
            0,
            row.accuracy,
            hands=2,
            long=True,
            blast=Blast.of(rules, "fragmentation"),
            lobs=row.range,
            rounds=row.ammo,
        )
    if isinstance(row, Archaic) and row.skill == "throwing":
        return Weapon(name, "throwing", row.damage, row.accuracy, thrown=Missile.of(rules, name, strength), entangles=row.entangles)
    if isinstance(row, Archaic) and row.thrown:  # shoots as far as its owner throws
        short = max(1, throwing_range(rules, strength, 1))
        sling = Firearm(name, row.skill, row.damage, row.accuracy, short, reload=row.reload)
        return Weapon(name, row.skill, row.damage, row.accuracy, fires=sling)
    fires = Firearm.of(rules, name)
    heavy = isinstance(row, Archaic) and row.min_strength is not None and strength < row.min_strength
    hands = row.hands if isinstance(row, Gun) else 2
    return Weapon(name, fires.skill, fires.damage, fires.accuracy, hands=hands, long=hands > 1, too_heavy=heavy, fires=fires)


def power_of(power: Power, spell: bool = False) -> Weapon:
    """Returns a power or spell as a weapon: used with Magic if it is a spell, otherwise thrown or struck (ruling). It needs no hand, and
    its machine-scale figures are converted to people's."""
    pierces, actions = power.has("armor-piercing"), max(1, power.level("power-hungry"))
    if power.melee and not spell:
        return Weapon(power.name, "hand-to-hand", power.multiplier, power.accuracy, hands=0, natural=True, actions=actions, pierces=pierces)
    skill = "magic" if spell else "throwing"
    bolt = Firearm(
        power.name,
        skill,
        power.multiplier,
        power.accuracy,
        power.metres,
        max(0, power.rate),
        power.uses or None,
        bruises=power.has("non-lethal"),
    )
    return Weapon(
        power.name,
        skill,
        power.multiplier,
        power.accuracy,
        hands=0,
        fires=bolt,
        natural=True,
        spell=power.cost if spell else 0,
        actions=actions,
        pierces=pierces,
    )


def weapons_of(rules: Ruleset, person: Person) -> tuple[Weapon, ...]:
    """Returns bare fists, then every carried weapon with enough hands; blind characters cannot shoot or throw (ruling)."""
    if person.plan.attacks:
        return tuple([Weapon(name, "hand-to-hand", made, nature=how, natural=True) for name, made, how in person.plan.attacks])
    values = secondary_of(rules, person)
    armed, strength = values["armed_damage"].value, values["strength"].value
    result = [Weapon("fists", "hand-to-hand", values["unarmed_damage"].value, nature="blunt")]
    carried = [weapon_of(rules, name, armed, strength) for name in person.gear.weapons]
    two_hands, sees = possible(rules, "two hands", person.flaws), possible(rules, "seeing", person.flaws)
    fit = [weapon for weapon in carried if weapon.hands < 2 or two_hands]
    own = [power_of(power) for power in person.powers if not power.has("shield")]
    own += [power_of(spell, spell=True) for spell in person.spells]
    if not sees:
        own = [weapon for weapon in own if weapon.close]
    return (*result, *(fit if sees else [replace(weapon, thrown=None) for weapon in fit if weapon.close]), *own)
