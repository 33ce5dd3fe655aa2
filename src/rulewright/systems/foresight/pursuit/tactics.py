"""Driving tactics: named AI policies for pursuits, for scenario files and unassigned characters."""

from collections.abc import Mapping
from typing import Any

from rulewright.play import Choice, Given, Tactic
from rulewright.systems.foresight.gear.vehicles import FASTEST_BID, slowest_bid
from rulewright.systems.foresight.pursuit.actions import About

CLOSE = 3
"""The range from which a quick turn can shake a person off."""


def _pick(choice: Choice[Any], *begins: str) -> Given | None:
    """The first option whose key is one of these, or begins with one of them and a colon."""
    keys = choice.keys()
    for begin in begins:
        for key in keys:
            if key == begin or key.startswith(f"{begin}:"):
                return key
    return None


def _bid(about: About, slower: int) -> int:
    """The fastest bid that is still safe, or one so much slower."""
    return max(FASTEST_BID, min(slowest_bid(about.rules), about.runner.safest(about.rules) + slower))


def _follow(choice: Choice[Any], about: About) -> Given | None:
    """Turn back from the wrong way: by a quick turn where one is enough, otherwise by a reverse."""
    gap = about.runner.gap
    if gap is None or gap.missed == "no":
        return None
    return _pick(choice, "quick turn" if gap.owes == 1 else "reverse")


def _weapon(choice: Choice[Any]) -> Given | None:
    return _pick(choice, "fire", "strike", "ready", "clear", "reload")


def _passenger(choice: Choice[Any]) -> Given | None:
    """Draw a weapon if not driving: a ranged one, or any where blows are possible."""
    about: About = choice.about
    if not about.seat or not about.rider.drawable:
        return None
    weapons = [about.rider.profile.weapons[at] for at in about.rider.drawable]
    useful = [weapon for weapon in weapons if weapon.ranged] or (weapons if about.runner.craft.open else [])
    return _pick(choice, f"draw:{useful[0].name}") if useful else None


SMALL: Mapping[str, str] = {"focus": "nothing", "first": "let", "now": "wait"}
"""What anybody answers who keeps the eyes on the road."""


def _small(choice: Choice[Any]) -> Given | None:
    """The answers to smaller questions: nobody is watched, and blows are parried or dodged."""
    if choice.topic == "guard":
        return _pick(choice, "parry", "dodge", "nothing")
    if choice.topic == "morale":
        return choice.keys()[0]
    return SMALL.get(choice.topic)


def _nearest(about: About) -> int:
    """The range to the nearest vehicle."""
    gaps = [about.runner.gap] if about.runner.gap is not None else [runner.gap for runner in about.chase.pursuers if not runner.out]
    return min([gap.range for gap in gaps if gap is not None], default=CLOSE + 1)


def _drive(choice: Choice[Any], beyond: int) -> Given:
    """Bid so far beyond what is safe; follow turns, force others off the road, shake off who is close, shoot."""
    small = _small(choice)
    if small is not None:
        return small
    about: About = choice.about
    if choice.topic == "bid":
        return _bid(about, -beyond)
    turn = _follow(choice, about)
    if turn is None and about.runner.gap is not None:
        turn = _pick(choice, "force")
    if turn is None and about.runner.gap is None and about.seat == 0 and _nearest(about) <= CLOSE:
        turn = _pick(choice, "quick turn")
    return turn or _weapon(choice) or _passenger(choice) or "wait"


def steady(choice: Choice[Any]) -> Given:
    """As fast as is safe, and every trick of the road."""
    return _drive(choice, 0)


def reckless(choice: Choice[Any]) -> Given:
    """Two steps faster than is safe."""
    return _drive(choice, 2)


def daring(choice: Choice[Any]) -> Given:
    """A step faster than is safe, and a turn back on the spot when they come close."""
    about: About = choice.about
    if choice.topic == "act" and about.seat == 0 and about.runner.gap is None and _nearest(about) <= 1:
        return _pick(choice, "reverse") or "wait"
    return _drive(choice, 1)


def careful(choice: Choice[Any]) -> Given:
    """A step slower than is safe, and nothing risky but following."""
    small = _small(choice)
    if small is not None:
        return small
    about: About = choice.about
    if choice.topic == "bid":
        return _bid(about, 1)
    return _follow(choice, about) or _weapon(choice) or _passenger(choice) or "wait"


def flyer(choice: Choice[Any]) -> Given:
    """As steady, but out of sight by diving or climbing wherever the vehicle can."""
    about: About = choice.about
    if choice.topic == "act" and about.runner.gap is None:
        return _pick(choice, "dive") or steady(choice)
    return steady(choice)


def watchful(choice: Choice[Any]) -> Given:
    """As fast as is safe, with an eye on the others: wait for what they do, and answer it."""
    if choice.topic == "focus":
        about: About = choice.about
        others = [runner.name for runner in about.chase.runners if runner.side != about.runner.side and not runner.out]
        return _pick(choice, *others) or "nothing"
    if choice.topic in ("first", "now"):
        return choice.topic
    if choice.topic == "act" and _follow(choice, choice.about) is None:
        return _pick(choice, "hold") or steady(choice)
    return steady(choice)


TACTICS: Mapping[str, Tactic] = {
    "steady": steady,
    "reckless": reckless,
    "daring": daring,
    "careful": careful,
    "flyer": flyer,
    "watchful": watchful,
}
"""The first is what anybody does who was given no tactic."""
