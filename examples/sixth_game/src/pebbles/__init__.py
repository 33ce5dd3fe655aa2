"""Pebbles, a duel of coins: an example of a game in a separate package, built on the public API."""

from pebbles.game import SYSTEM

__all__ = ["SYSTEM"]
