"""Flesh and Deep wounds, bruises and their consequences, as far as the games of the highest die share them."""

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

import msgspec
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Choice, Event, Play, Range
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.scenes.scenarios import Lasts, counted

B = TypeVar("B", bound=msgspec.Struct)
OUTCOMES = ("nothing", "bruise", "flesh wound", "deep wound", "knocked out", "death")
"""The results of a hit, from nothing to worst."""


def in_words(minutes: int) -> str:
    """Minutes in words."""
    days, rest = divmod(minutes, 24 * 60)
    hours, left = divmod(rest, 60)
    parts = [counted(number, unit) for number, unit in ((days, "day"), (hours, "hour"), (left, "minute")) if number]
    return " and ".join(parts) or "no time"


class LimbPastHarm(Event, frozen=True):
    """A hit on a limb that was already useless."""

    name: str
    limb: str

    def headline(self) -> str:
        return f"the {self.limb} of {self.name} is useless already, more damage to it changes nothing"


class Knockout(Event, frozen=True):
    """How long a person will be unconscious."""

    rule: ClassVar[str]

    name: str
    minutes: int

    def headline(self) -> str:
        return f"{self.name} will be out for {in_words(self.minutes)}"

    def reasons(self) -> tuple[Reason, ...]:
        return (Reason("minutes", self.minutes, "=", self.rule),)


class Shock(Event, frozen=True):
    """A person goes into shock."""

    name: str
    minutes: int
    system_shock: int
    penalty: int

    def headline(self) -> str:
        return f"{self.name} goes into shock and will be dead in {in_words(self.minutes)}"

    def tone(self) -> str:
        return "bad"


class CheatedDeath(Event, frozen=True):
    """An important character escapes death."""

    name: str
    dice: int

    def headline(self) -> str:
        return f"{self.name} escapes death at the price of {self.dice} Emergency Dice"

    def tone(self) -> str:
        return "good"


def dice_asked(who: str, what: str, owned: int, most: int, about: Any, secret: bool = False) -> Choice[int]:
    """Asks how many Emergency Dice go into a roll: at most `most`, and no more than are owned."""
    return Choice(who, f"Emergency Dice for {what}?", Range(0, min(most, owned)), about, "emergency dice", secret)


def spend_dice(body: B, most: int, what: str) -> Play[tuple[B, int]]:
    """Offers Emergency Dice for a test of the body; returns the body without them, and their number."""
    hurt: Any = body
    if hurt.emergency_dice <= 0:
        return body, 0
    dice = yield from dice_asked(hurt.name, what, hurt.emergency_dice, most, body)
    return (replace(body, emergency_dice=hurt.emergency_dice - dice) if dice else body), dice


def hit_outcome(before: Any, after: Any) -> str:
    """The worst effect of a hit, as one of OUTCOMES."""
    if (after.dead and not before.dead) or (after.trauma is not None and before.trauma is None):
        return "death"
    if before.awake and not after.awake:
        return "knocked out"
    if after.deep > before.deep:
        return "deep wound"
    if after.flesh > before.flesh:
        return "flesh wound"
    return "bruise" if after.bruise_boxes > before.bruise_boxes else "nothing"


def faded(rules: Ruleset, body: B, hours: int, lasts: Callable[..., Play[int]]) -> Play[B]:
    """The body some hours after the blows: bruises whose time is over are gone. Next to real wounds, bruises heal like these instead."""
    hurt: Any = body
    if hours < 0:
        raise UserError(f"the hours must be 0 or more, not {hours}")
    if hurt.wounded:
        return body
    left = {"flesh": 0, "deep": 0}
    for kind, count in (("flesh", hurt.bruised_flesh), ("deep", hurt.bruised_deep)):
        for _ in range(count):
            left[kind] += (yield from lasts(rules, kind, hurt.name)) > hours
    return replace(body, bruised_flesh=left["flesh"], bruised_deep=left["deep"])


def body_left(body: Any, wound: str) -> dict[str, Lasts]:
    """The lasting results of a body, for any scene; `wound` is how the game writes the word."""
    limbs = "; ".join([f"{candidate.limb} {_limb(candidate)}" for candidate in body.limbs])
    return {
        "flesh": Lasts(body.flesh, counted(body.flesh, f"Flesh {wound}")),
        "deep": Lasts(body.deep, counted(body.deep, f"Deep {wound}")),
        "bruised_flesh": Lasts(body.bruised_flesh, counted(body.bruised_flesh, "Flesh bruise")),
        "bruised_deep": Lasts(body.bruised_deep, counted(body.bruised_deep, "Deep bruise")),
        "limbs": Lasts([msgspec.to_builtins(limb) for limb in body.limbs], limbs or "no limb hurt"),
        "trauma": Lasts(body.trauma, "not dying" if body.trauma is None else f"dying: {counted(body.trauma, 'minute')} left"),
        "coma": Lasts(body.coma, "in a coma" if body.coma else "out of the coma"),
        "resuscitated": Lasts(body.resuscitated, "brought back from death" if body.resuscitated else "not brought back from death"),
        "dead": Lasts(body.dead, "dead" if body.dead else "alive"),
        "fatigue": Lasts(body.fatigue, f"fatigue {body.fatigue}"),
        "collapsed": Lasts(body.collapsed, "collapsed from fatigue" if body.collapsed else "on their feet again"),
        "stiffness": Lasts(body.stiffness, f"stiffness {body.stiffness}"),
        "emergency_dice": Lasts(body.emergency_dice, f"{counted(body.emergency_dice, 'Emergency Die', 'Emergency Dice')} left"),
    }


def _limb(limb: Any) -> str:
    return "severed" if limb.severed else "useless" if limb.useless else "hurt"
