"""Slip Up in forecasts: the decision is asked without showing any sets.

It can be forecast if only one opponent has sets: then the other rolls do not matter.
"""

from msgspec.structs import replace

from rulewright.play import Choice, Play
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.fighters import Fight, Fighter, Pending
from rulewright.systems.ore.fight.drama_points import slips
from rulewright.systems.ore.fight.forecast.applicability import BLIND

Sets = tuple[Pending, ...]


def slipped_blindly(rules: Ruleset, fight: Fight, falls: tuple[Sets, ...], spender: Fighter) -> Play[tuple[Sets, ...]]:
    """The sets left of each roll that somebody may have made, once Drama Points have made them slip; one with so many left after his own
    roll spends them."""
    pendingss, fight = list[Sets](), fight.put(spender)
    for sets in falls:
        play, answer = slips(rules, fight, sets), None
        while True:
            try:
                request = play.send(answer)
            except StopIteration as done:
                pendingss.append(tuple(done.value[1]))
                break
            answer = yield replace(request, about=BLIND) if isinstance(request, Choice) else request
    return tuple(pendingss)


def rolls_against(fight: Fight, spender: Fighter) -> set[str]:
    """The opponents of the spender who may have sets."""
    people = {cast.who for cast in fight.casts if fight.side_of(cast.who) != spender.side}
    return people | {group.name for group in fight.groups if group.able and group.side != spender.side}
