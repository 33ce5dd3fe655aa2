"""Prepared scenes: from a form, a scenario file or a ready-made scenario; and saving them as files with their characters."""

import re
from math import dist
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import asdict as as_dict
from msgspec.structs import replace

from rulewright import files, library
from rulewright.errors import UserError
from rulewright.field.field import Spot, field
from rulewright.field.ground import Ground
from rulewright.field.places import free
from rulewright.scenes.scenarios import Scenario
from rulewright.table import limits
from rulewright.table.commands import messages as a
from rulewright.table.commands.characters import from_text, participant, ready_made
from rulewright.table.state import HouseRules, Table


def scenario_of(table: Table, action: a.BeginScene) -> library.Kept:
    """The scenario of a prepared scene: ready-made, from the text of a file, or composed of participants and a place."""
    if action.ready:
        return ready_made(table.system, action.ready, "scenario")
    if action.yaml:
        return _from_file(table, action.yaml)
    return library.opened(files.parse(files.render(_scenario_data(table, action)), "the scene"), "the scene")


def opened_again(table: Table, text: str) -> tuple[a.BeginScene, Ground | None]:
    """A scenario file as a prepared scene, and its map."""
    kept = _from_file(table, text)
    scenario = library.with_map(kept)
    sides = {side: tuple([a.Placing(**as_dict(member)) for member in members]) for side, members in scenario.sides.items()}
    action = a.BeginScene(
        name=scenario.name,
        sides=sides,
        place=scenario.place,
        tactics=scenario.tactics,
        scene=scenario.scene,
        rounds=scenario.rounds,
        about=scenario.about,
    )
    return action, scenario.map if isinstance(scenario.map, Ground) else None


def _from_file(table: Table, text: str) -> library.Kept:
    """Reads a scenario file and replaces references to files of this table's characters by the characters."""
    kept = from_text(table.system, text, "scenario")
    known = {file_of(table, character_id): character_id for character_id in table.characters}
    scenario: Scenario = kept.thing
    sides = {
        side: [replace(member, character=known.get(member.character, member.character)) for member in members]
        for side, members in scenario.sides.items()
    }
    return replace(kept, thing=replace(scenario, sides=sides, house=""))


def _scenario_data(table: Table, action: a.BeginScene) -> dict[str, Any]:
    """A scenario as plain data."""
    if not action.sides:
        raise UserError("a scene needs participants: add at least one to a side")
    place = ready_made(table.system, action.like, "scenario").thing.place if action.like else {}
    return {
        "system": table.system.id,
        "kind": "scenario",
        "name": limits.name(action.name, "name of the scene", 120),
        **({"about": limits.prose(action.about, "description of the scene", 2_000)} if action.about.strip() else {}),
        "scene": action.scene,
        "sides": {
            limits.name(side, "side"): [_member_data(placing) for placing in placings] for side, placings in spread(table, action).items()
        },
        "place": msgspec.to_builtins({**place, **action.place}),
        **({"map": msgspec.to_builtins(table.kept_map(action.map).ground)} if action.map else {}),
        "tactics": dict(action.tactics),
        "rounds": action.rounds,
    }


def spread(table: Table, action: a.BeginScene) -> dict[str, tuple[a.Placing, ...]]:
    """The placings with a place for everybody. On a map, those without one get a free place, each side at its own edge."""
    if not action.map:
        return action.sides
    ground = table.kept_map(action.map).ground
    scene_field, (width, height) = field(ground), ground.size or (20.0, 12.0)
    first = 1.0 if scene_field.hexes else 0.0
    placings_by_side = dict[str, tuple[a.Placing, ...]]()
    taken: set[Spot] = {placing.at for placings in action.sides.values() for placing in placings if placing.at is not None}
    for number, (side, placings) in enumerate(action.sides.items()):
        across = first + (width - first) * (0.08 + 0.84 * number / max(1, len(action.sides) - 1))
        edge = [
            (across + shift, first + (height - first) * share / 10) for shift in (0, 2, -2, 4, -4) for share in (5, 4, 6, 3, 7, 2, 8, 1, 9)
        ]
        edge = _within_area(action.starts[side], scene_field.hexes) if side in action.starts else edge
        placed: list[a.Placing] = []
        for placing in placings:
            if placing.at is not None:
                placed.append(placing)
                continue
            is_group = in_a_group(table, placing)
            for _ in range(1 if is_group else min(placing.count, library.MOST_MEMBERS)):
                spot = next((spot for wanted in edge if (spot := free(scene_field, wanted)) not in taken), edge[0])
                taken.add(spot)
                placed.append(replace(placing, at=spot, count=placing.count if is_group else 1))
        placings_by_side[side] = tuple(placed)
    return placings_by_side


def _within_area(area: tuple[float, float, float, float], hexes: bool) -> list[Spot]:
    """Places in the area where a side starts, from the middle outward."""
    x, y, wide, high = area
    across, down = max(1, int(wide)), max(1, int(high))
    shift = 0.0 if hexes else 0.5
    cells = [(column, row) for column in range(min(across, 30)) for row in range(min(down, 30))]
    middle = ((min(across, 30) - 1) / 2, (min(down, 30) - 1) / 2)
    cells.sort(key=lambda cell: (sum(cell) % 2, dist(cell, middle), cell))  # leaves a gap between two while there is room
    return [(x + shift + column, y + shift + row) for column, row in cells]


def in_a_group(table: Table, placing: a.Placing) -> bool:
    """Whether several of them form one group in one place."""
    return bool(table.system.together) and getattr(participant(table, placing.character), "kind", "") in table.system.together


def _member_data(placing: a.Placing) -> dict[str, Any]:
    data = msgspec.to_builtins(placing)
    return {name: list(value) if isinstance(value, tuple) else value for name, value in data.items() if value not in (None, "", {})}


# --- as files -------------------------------------------------------------------------------------------------------------------


def file_of(table: Table, character_id: str) -> str:
    """The file name for a character of the table."""
    stem = re.sub(r"[^a-z0-9]+", "-", table.characters[character_id].name.lower()).strip("-")
    return f"{stem or character_id}.yaml"


def scenario_text(table: Table, action: a.BeginScene) -> str:
    """A prepared scene as a scenario file; characters of the table are referred to by their file names."""
    data = _scenario_data(table, action)
    for members in data["sides"].values():
        for member in members:
            if member["character"] in table.characters:
                member["character"] = file_of(table, member["character"])
    return files.render({name: value for name, value in data.items() if value not in ({}, "")})


def write(table: Table, action: a.BeginScene, folder: Path, name: str = "scene.yaml") -> Path:
    """Writes a prepared scene with its characters and house rules to a folder, for simulations; returns the path of the scenario."""
    text = scenario_text(table, action)
    for character_id in {placing.character for placings in action.sides.values() for placing in placings}:
        if character_id in table.characters:
            (folder / file_of(table, character_id)).write_text(files.render(table.characters[character_id].data), encoding="utf-8")
    if table.house != HouseRules():
        (folder / "house.yaml").write_text(files.render(table.house.as_file(table.system.id, table.name)), encoding="utf-8")
        text += "house: house.yaml\n"
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path
