"""Powers and spells in character files: small machine systems with their cost (book lines 5456, 7169-7171)."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

SCALE = 10
"""Damage among people per point of a system's damage."""
METRES = 50
"""Metres among people per point of a system's Base Range."""


class Power(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True, omit_defaults=True):
    """A natural power or spell with the figures of its system; `cost` is the system's cost."""

    name: Annotated[str, Meta(min_length=1, max_length=60)]
    cost: Annotated[int, Meta(ge=0, le=10_000)] = 0
    type: Literal["matter", "missile", "energy", "exotic"] = "energy"
    melee: bool = False
    damage: Annotated[int, Meta(ge=0, le=100)] | Annotated[float, Meta(ge=0, le=100)] = 1
    range: Annotated[int, Meta(ge=0, le=100)] | Annotated[float, Meta(ge=0, le=100)] = 0
    accuracy: Annotated[int, Meta(ge=-5, le=5)] = 0
    rate: Annotated[int, Meta(ge=-20, le=20)] = 0
    uses: Annotated[int, Meta(ge=0, le=1000)] = 0
    perks: tuple[str, ...] = ()
    flaws: tuple[str, ...] = ()

    def has(self, name: str) -> bool:
        """Whether it has a Perk or Flaw of this name at any level."""
        return any(text == name or text.startswith(f"{name} ") for text in (*self.perks, *self.flaws))

    def level(self, name: str) -> int:
        """Returns the level of a Perk or Flaw; 0 without it, 1 if none is given."""
        for text in (*self.perks, *self.flaws):
            if text == name or text.startswith(f"{name} "):
                last = text.rpartition(" ")[2]
                return int(last) if last.isdecimal() else 1
        return 0

    @property
    def multiplier(self) -> int:
        """Returns its Damage Multiplier among people."""
        return round(self.damage * SCALE)

    @property
    def metres(self) -> int:
        """Returns its short range among people."""
        return max(1, round(self.range * METRES))
