"""Styles: the weights of AI tactics, and the thresholds that all of them share. Not a rule of the book."""

from collections.abc import Mapping

from msgspec import Struct


class Style(Struct, frozen=True, cache_hash=True, kw_only=True):
    """The weights of a tactic: damage done, damage taken, preferred distance (0: any), whether it moves, and the worth of a shot
    with which it interrupts an enemy before its own turn."""

    harm: float = 1.0
    danger: float = 0.5
    wants: int = 4
    pull: float = 0.05
    moves: bool = True
    waits: float = 99.0
    """The worth of a shot at which it interrupts before its own turn."""
    runs: bool = False
    """Whether it makes for the edge first of all."""
    band: int = -1
    """The range of its farthest-reaching weapon that it prefers: 0 is short, 1 medium, 2 long; -1: the preferred distance."""
    idle: float = 0.3
    """How much worse a place is from which it cannot attack."""
    halts: float = 99.0
    """The worth of a shot for which it stays where it is, while no enemy is near."""


STYLES: Mapping[str, Style] = {
    "advance": Style(),
    "hold": Style(moves=False, waits=0.15),
    "skirmish": Style(danger=1.0, wants=6, band=1, pull=0.08),
    "snipe": Style(danger=0.8, wants=10, waits=0.4, band=2, pull=0.1, halts=0.05),
    "brawl": Style(danger=0.15, wants=0, pull=0.12),
    "escape": Style(danger=1.0, wants=12, runs=True, idle=0.0),
}
FIRES_FROM = 0.005
"""The least worth of a shot that is worth its ammunition."""
FAR_AWAY = 99
"""The distance that an unarmed unit prefers."""
WORTH_DICE = 1
"""Emergency Dice for tests of one's own body."""
PARRIES_FROM = 0.4
"""The expected damage at which it parries although that costs an action it still needs."""
SAVES_FROM = 1.0
"""The expected damage that is worth a Command Point for defense."""
