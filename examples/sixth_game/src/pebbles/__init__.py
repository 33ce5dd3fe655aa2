"""Pebbles, a duel of coins: the sixth game, which uses nothing but the public core."""

from pebbles.game import SYSTEM

__all__ = ["SYSTEM"]
