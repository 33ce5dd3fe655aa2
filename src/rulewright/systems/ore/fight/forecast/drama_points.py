"""A Drama Point that makes a set of an opponent slip, for the chances beside options: who spends it is asked without being shown anything.

It can be told in advance where nobody but one of his opponents has sets: then it is all the same what the others rolled.
"""

from msgspec.structs import replace

from rulewright.play import Choice, Play
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.fighters import Fight, Fighter, Pending
from rulewright.systems.ore.fight.drama_points import slips
from rulewright.systems.ore.fight.forecast.applicability import BLIND

Sets = tuple[Pending, ...]


def slipped_blindly(rules: Ruleset, fight: Fight, falls: tuple[Sets, ...], spender: Fighter) -> Play[tuple[Sets, ...]]:
    """What is left of each of these, which somebody may have rolled, once Drama Points have made them slip: spent by one who has so many
    left after his own roll."""
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
    """Who among the opponents of somebody may have sets."""
    people = {cast.who for cast in fight.casts if fight.side_of(cast.who) != spender.side}
    return people | {group.name for group in fight.groups if group.able and group.side != spender.side}
