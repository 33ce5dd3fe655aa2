"""Flooding, leaks and escapes from a lost machine (book lines 5075-5091)."""

from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.play import Play, Roll, Tell
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, Reason, at_least, divided, less, limited, rounded_down, term, times, total
from rulewright.systems.silhouette.breakage.events import Broken, PartPicked
from rulewright.systems.silhouette.resolution.tests import DIE, Figure

_FLOOD, _LEAK, _EJECT = "sil-5.5.2-flooding", "sil-5.5.2-reaction-mass-leaks", "sil-5.5.3-ejection"
DUST = 250
"""Burn Points lost at once that make a cloud."""


class LeakRow(TableRow, frozen=True):
    """The share of the remaining Burn Points lost instead of a damage."""

    effect: str
    share: int | float


FLOODS = Table(_FLOOD, Figure)
LEAKS = Table(_LEAK, LeakRow)
EJECTS = Table(_EJECT, Figure)


def _die(by: str, what: str) -> Roll[int]:
    return Roll(DIE, by, what)


# --- flooding -----------------------------------------------------------------------------------------------------------------


@rule(_FLOOD)
def flooding(rules: Ruleset, name: str = "", machine: str = "") -> Play[int | None]:
    """Roll for a vessel with Heavy Damage: on a 1 or 2 it begins to flood and is full after a die of rounds; None if it does not. The
    names of the roller and the machine are for the log."""
    die = yield from _die(name, "flooding")
    sums = (Reason("die of flooding", die, "=", _FLOOD),)
    if die > FLOODS.get(rules, "floods up to").value:
        yield from Tell(Broken(machine or name, "does not flood", sums, "plain"))
        return None
    rounds = yield from _die(name, "rounds until it is flooded")
    words = f"takes in water and is flooded after {count(rounds, 'round')}"
    yield from Tell(Broken(machine or name, words, (*sums, Reason("die of the rounds", rounds, "=", _FLOOD))))
    return rounds


@rule(_FLOOD)
def flooded_maneuver(rules: Ruleset, floods: bool) -> int:
    """The Maneuver penalty of flooding. A view of `maneuver_of`."""
    return FLOODS.get(rules, "Maneuver").value if floods else 0


@rule(_FLOOD)
def drawn_down(rules: Ruleset, flooded: int, points: int = 0, surfacing: bool = False) -> Derived[int]:
    """Levels that flooded sections draw a vessel down in a turn: one for each, less one for every two Movement Points spent
    against it; none during an emergency surfacing."""
    if flooded < 0 or points < 0:
        raise UserError("flooded sections and Movement Points must be 0 or more")
    if surfacing:
        return total("levels down", term("emergency surfacing", 0), rule=_FLOOD)
    derived = total(
        "held up",
        term("Movement Points", points),
        divided("for each level", FLOODS.get(rules, "Movement Points for each level").value),
        rounded_down(),
    )
    return limited(
        "levels down", term("flooded sections", flooded), less("Movement Points against it", derived), limit=at_least(0), rule=_FLOOD
    )


# --- reaction mass ------------------------------------------------------------------------------------------------------------

Leaking = Literal["-1 MP", "-1 Maneuver", "-2 Maneuver", "half the MP", "no movement"]


@rule(_LEAK)
def leak(rules: Ruleset, burn_points: int, effect: Leaking) -> Derived[int]:
    """Burn Points that leak instead of a damage to movement: a tenth, a fifth, half or all of what is left, rounded down."""
    leak_row = LEAKS.get(rules, effect)
    return total(
        "Burn Points lost", term("left", burn_points), times(effect, leak_row.share, source=leak_row.source), rounded_down(), rule=_LEAK
    )


@rule(_LEAK)
def makes_dust(lost: int) -> bool:
    """Whether so much leaked reaction mass makes a cloud of dust: from 250 points on."""
    return lost >= DUST


@rule(_LEAK)
def who_says(rules: Ruleset, name: str = "", machine: str = "", target: str = "") -> Play[Literal["defender", "attacker"]]:
    """Rolls for who decides whether the tanks are hit: a die, odd the defender, even the attacker. The names of the roller, the machine and
    its player are for the log."""
    die = yield from _die(name, "who decides about the tanks")
    yield from Tell(PartPicked(machine, "part", (target if die % 2 else name) or name or target, die))
    return "defender" if die % 2 else "attacker"


# --- ejection -----------------------------------------------------------------------------------------------------------------


class Out(Struct, frozen=True, dict=True):
    """How a person left a lost machine: alive or not, and how many hexes behind it."""

    alive: bool
    hexes: int = 0

    def after(self, die: int) -> "Out":
        """The same with its die, for the log."""
        self.__dict__["die"] = die
        return self

    def sums(self) -> tuple[Reason, ...]:
        """The dice behind it."""
        die = self.__dict__.get("die", 0)
        escaped = (total("escape", term("die", die), rule=_EJECT).reason,) if die else ()
        return (*escaped, *((total("hexes behind", term("die", self.hexes), rule=_EJECT).reason,) if self.hexes else ()))


@rule(_EJECT)
def escape(rules: Ruleset, system: bool = False, name: str = "") -> Play[Out]:
    """Roll an escape from an overkilled machine: without an ejection system only on a 6; with one on anything but a 1, and a die of hexes
    behind it."""
    die = yield from _die(name, "ejection" if system else "escape")
    if not system:
        return Out(die >= EJECTS.get(rules, "escapes without a system on").value).after(die)
    if die < EJECTS.get(rules, "ejects from").value:
        return Out(alive=False).after(die)
    return Out(True, (yield from _die(name, "hexes behind"))).after(die)


@rule(_EJECT)
def jump_out(rules: Ruleset, system: bool, name: str = "") -> Play[Out]:
    """Eject voluntarily, for an action: only with an ejection system, and always successful."""
    if not system:
        raise UserError("ejecting needs an ejection system")
    return Out(True, (yield from _die(name, "hexes behind")))


@rule(_EJECT)
def drifting(rules: Ruleset, velocity: int) -> Derived[int]:
    """The velocity of a person who ejected in space: the machine's, less 4; at least 0 (ruling)."""
    lost = EJECTS.get(rules, "velocity lost in space").value
    return limited("velocity", term("the machine's", velocity), less("ejected", lost), limit=at_least(0, source="ruling"), rule=_EJECT)
