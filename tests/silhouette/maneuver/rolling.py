"""Dice from lists, and machines by their ways to move, for the tests of movement."""

from typing import Any, TypeVar

from rulewright.play import Play, Sub, script
from rulewright.systems.silhouette.machines.machine import Machine, machine
from rulewright.systems.silhouette.machines.vehicle import Fitted, Movement, Vehicle
from rulewright.systems.silhouette.settings import BOOK

A = TypeVar("A")
RULES = BOOK.ruleset()


def done(procedure: "Play[A] | Sub[A]", *faces: tuple[int, ...]) -> A:
    """What came of a procedure with these dice, all of them and no more."""
    return script(procedure, faces).outcome


def craft(*moves: Movement, perks: tuple[Fitted, ...] = (), flaws: tuple[Fitted, ...] = (), **fields: Any) -> Machine:
    """A machine with these ways to move."""
    return machine(RULES, Vehicle(name="Test", size=10, armor=10, movement=moves, perks=perks, flaws=flaws, **fields))
