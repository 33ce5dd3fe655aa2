"""Messages between units of a side, and jamming (book lines 4792, 4800)."""

from rulewright.field.field import Spot
from rulewright.play import Event, Play, Scale, Tell, Verdict
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.systems.silhouette.detection.jamming import JAMMING, message, strongest
from rulewright.systems.silhouette.detection.sight import kilometres, people_of
from rulewright.systems.silhouette.resolution.tests import Mod
from rulewright.systems.silhouette.units.crews import pool_of
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit
from rulewright.systems.silhouette.units.visible_traits import Jam

_ECM = "sil-5.3.3-ecm"


class Electronic(Event, frozen=True):
    """Electronic warfare: the attempt and its sums."""

    name: str
    what: str
    sums: tuple[Reason, ...] = ()
    came: str = ""
    scale: Scale | None = None
    by: str = ""
    to: str = ""
    mood: str = "plain"

    def headline(self) -> str:
        return f"{self.name} {self.what}"

    def verdict(self) -> Verdict | None:
        return Verdict(self.came, self.scale, self.by, self.to) if self.scale is not None else None


def jams_over(battle: Battle, effect: str, *spots: Spot) -> tuple[Jam, ...]:
    """The jammers with an effect that cover any of these places."""
    jams = []
    for jammer in battle.scars.jammers:
        if jammer.effect == effect and jammer.covers(*[kilometres(battle, battle.unit(jammer.by).spot, spot) for spot in spots]):
            jams.append(jammer)
    return tuple(jams)


def sent(rules: Ruleset, battle: Battle, unit: Unit, to: Unit) -> Play[bool]:
    """Whether a message of a unit reaches another: always, unless a jammer covers either of them; a machine needs no radio for
    itself."""
    if unit.name == to.name or not battle.scars.jammers:
        return True
    threshold = strongest(jams_over(battle, "jam communications", unit.spot, to.spot), "jam communications")
    if threshold is None or unit.machine.comms is None:
        return True
    lost = unit.auxiliary("communications") or 0
    pool = pool_of(rules, unit, "information warfare", Mod("radio", unit.machine.comms.rating + lost, _ECM))
    result = yield from message(rules, pool, threshold, unit.voice)
    words = f"reaches {to.name} despite the jamming" if result.through else f"cannot reach {to.name}: jammed"
    sums = result.test.sum("message", _ECM)
    name = "comes through" if result.through else "jammed"
    yield from Tell(Electronic(unit.name, words, sums, name, JAMMING, known_to=people_of(battle, [unit.side])))
    return result.through


def ordered(rules: Ruleset, battle: Battle, unit: Unit) -> Play[bool]:
    """Whether a Command Point reaches a unit from its commander; a jammed one is lost."""
    commander = battle.command(unit.side).commander
    return (yield from sent(rules, battle, battle.unit(commander), unit)) if commander else True
