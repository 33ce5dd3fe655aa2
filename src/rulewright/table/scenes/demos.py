"""Demonstration tables: a ready-made fight of any game, created on request and playable at once."""

from rulewright import files, library
from rulewright.errors import UserError
from rulewright.scenes.record import FIGHT
from rulewright.scenes.scenarios import Scenario
from rulewright.system import System, find, names
from rulewright.table.commands import messages as a
from rulewright.table.commands.characters import ready_made
from rulewright.table.seats import Hosting
from rulewright.table.service import Tables


def scenarios(system_id: str) -> dict[str, Scenario]:
    """The ready-made scenarios of a game, by name: the one marked as first, then the smallest fights."""
    scenario_by_name = library.scenarios(system_id)
    return dict(sorted(scenario_by_name.items(), key=lambda item: (not item[1].first, item[1].scene != FIGHT, _participants(item[1]))))


def _participants(scenario: Scenario) -> int:
    return sum(member.count for members in scenario.sides.values() for member in members)


def playable() -> list[System]:
    """The games that have a demonstration."""
    return [system for system in map(find, names()) if system.fights and scenarios(system.id)]


def demonstrate(tables: Tables, system_id: str, device: str, scenario: str = "", name: str = "Guest") -> Hosting:
    """Opens a table with a fight in progress. The guest is the gamemaster and controls the first side; tactics control the others."""
    system = find(system_id)
    known = scenarios(system.id)
    if not system.fights or not known:
        raise UserError(f"{system.name} has no demonstration fight")
    chosen = scenario or next(iter(known))
    if chosen not in known:
        raise UserError(f"{system.name} has no ready-made scenario {chosen[:60]!r}{files.did_you_mean(chosen[:60], known)}")
    demo = known[chosen]
    hosting = tables.host(system.id, demo.name, name, device, preset=demo.preset or "", settings=dict(demo.settings), demo=chosen)
    staged = library.staged(
        ready_made(system, chosen, "scenario"), None, find_member=lambda reference: ready_made(system, reference, *system.kinds).thing
    )
    first = next(iter(demo.sides))
    mine = tuple(placed.name for placed in staged.members if placed.side == first)
    tables.act(hosting.table, hosting.member, a.BeginScene(ready=chosen, npcs="tactics", mine=mine))
    return hosting
