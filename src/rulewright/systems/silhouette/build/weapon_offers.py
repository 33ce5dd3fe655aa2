"""The weapons that a sheet offers, with their statistics."""

from rulewright.build.audit import signed
from rulewright.build.sheet_parts import Choosable
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.gear.items import AnyWeapon, Archaic, Grenade, Gun, Heavy, Melee, find_weapon, weapon_names

KINDS: dict[type[AnyWeapon], str] = {Melee: "melee", Gun: "firearms", Heavy: "heavy", Archaic: "archaic", Grenade: "grenades"}
BANDS = (1, 2, 4, 8)
"""The end of each range band, in multiples of short range."""


def weapon_offers(rules: Ruleset, armed: int) -> tuple[Choosable, ...]:
    """Every weapon of the book; `armed` is the character's Armed Damage, to which melee weapons add."""
    offers = []
    for name in weapon_names(rules):
        row = find_weapon(rules, name)
        assert row is not None, "a name from the same tables"
        offers.append(Choosable(name, name, group=KINDS[type(row)], facts=_facts(row, armed)))
    return tuple(offers)


def _facts(row: AnyWeapon, armed: int) -> tuple[tuple[str, str], ...]:
    """Accuracy, Damage Multiplier, rate of fire, ranges and rounds."""
    damage = armed + row.damage if isinstance(row, Melee) else row.damage
    return (
        ("Acc", signed(row.accuracy)),
        ("DM", "of its grenade" if isinstance(row, Heavy) and row.grenade else f"× {damage}"),
        ("ROF", str(row.rof) if isinstance(row, Gun | Heavy) else ""),
        ("Ranges, m", _ranges(row)),
        ("Rounds", str(row.ammo) if isinstance(row, Gun | Heavy | Archaic) and row.ammo else ""),
    )


def _ranges(row: AnyWeapon) -> str:
    if isinstance(row, Melee):
        return f"parry {signed(row.parry)}"
    if isinstance(row, Grenade):
        return f"radius {row.radius}"
    return " / ".join(str(row.range * times) for times in BANDS) if row.range else "thrown"
