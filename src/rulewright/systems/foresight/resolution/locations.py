"""The parts of a body."""

from typing import Literal

Location = Literal["head", "chest", "abdomen", "left arm", "right arm", "left leg", "right leg"]
LOCATIONS: tuple[Location, ...] = ("head", "chest", "abdomen", "left arm", "right arm", "left leg", "right leg")
ARMS: tuple[Location, ...] = ("left arm", "right arm")
LEGS: tuple[Location, ...] = ("left leg", "right leg")
LIMBS: tuple[Location, ...] = (*ARMS, *LEGS)

Side = Literal["front", "side", "behind", "above"]
"""Where an attack comes from, as far as armor cares."""
