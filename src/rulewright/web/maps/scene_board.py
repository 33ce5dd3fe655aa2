"""The board for preparing a scene: the map, everybody on it, and the settings of the place."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright import files
from rulewright.errors import UserError
from rulewright.field.ground import BARE, UNCHANGED, Cover, Ground
from rulewright.field.placement import FieldShown
from rulewright.scenes.record import FIGHT
from rulewright.scenes.scene import Scene
from rulewright.scenes.scene_fields import PlaceField, place_fields, words_below
from rulewright.table.commands import messages as a
from rulewright.table.commands.maps import EMPTY
from rulewright.table.scenes import demos
from rulewright.table.scenes.map_setup import LaidOut, Stood, laid_out
from rulewright.table.state import Table
from rulewright.web.maps import map_editor as easel
from rulewright.web.pages.games import ready_made
from rulewright.web.sheets.nested_forms import Names, Node, apply_change, build_form, fields_of, parse_path
from rulewright.web.table.board import Board, Counter, draw_setup_map, initials
from rulewright.web.table.table_pages import TablePage

HEROES, FOES = "heroes", "opposition"
SIDES = (HEROES, FOES, "third side")
MAX_BUTTONS = 5
"""Up to this many choices are shown as buttons; more as a list."""


class BoardCharacter(Struct, frozen=True):
    """A character that can be put on the board."""

    key: str
    name: str
    about: str
    side: str
    """The side to join by default."""
    picture: str = ""

    @property
    def short(self) -> str:
        """Two letters for the token."""
        return initials(self.name)


class Group(Struct, frozen=True):
    """All copies of one character on a side."""

    side: str
    key: str
    name: str
    count: int
    places: tuple[int, ...]
    """Their positions in the side's list."""
    together: bool = False
    tactic: str = ""
    state: Mapping[str, Any] = {}
    """Their starting state, where it differs from a fresh start."""


class PlaceSetting(Struct, frozen=True):
    """A setting of the place with its current value."""

    field: PlaceField
    value: Any

    @property
    def chips(self) -> bool:
        """Whether all choices are shown as buttons."""
        return len(self.field.choices) <= MAX_BUTTONS and sum(len(str(choice)) for choice in self.field.choices) <= 60


class Prepared(Struct, frozen=True):
    """Everything that the page of a prepared scene shows."""

    draft: str
    """The scene as the page sends it back."""
    who: str
    """Side and position in its list for each token, by its name, as JSON."""
    action: a.BeginScene
    board: Board | None
    easel: easel.MapEditor | None
    groups: dict[str, list[Group]]
    spoken: tuple[PlaceSetting, ...]
    more: str
    """Further settings of the place, as a scenario file writes them."""
    offered: dict[str, list[BoardCharacter]]
    tactics: tuple[str, ...]
    begins_as: tuple[str, ...]
    """The fields of the game that can differ from a fresh start."""
    sheet: dict[str, Any]
    """The settings of a new blank map."""
    parts: tuple[Node, ...] = ()
    """Settings of the place that need a form of their own: lists of covers, dangers, objectives."""
    eyes: str = ""
    """The member whose view is shown."""
    unplaced: bool = False
    """Whether somebody has no place on the map."""
    wrong: str = ""
    told: str = ""


def first_draft(page: TablePage, map_id: str) -> a.BeginScene:
    """A new scene with every character that has a player."""
    placings = tuple([a.Placing(character.id) for character in page.seen.characters if character.owner])
    kind = FIGHT if FIGHT in page.system.scenes else next(iter(page.system.scenes))
    saved_maps = {saved_map.id: saved_map for saved_map in page.seen.maps}
    if map_id in saved_maps:
        kind = saved_maps[map_id].of
    return a.BeginScene(name="New scene", scene=kind, sides={HEROES: placings, FOES: ()}, map=map_id if map_id in saved_maps else "")


def draw_scene(page: TablePage, action: a.BeginScene, told: str = "", eyes: str = "") -> Prepared:
    """Draw a prepared scene; `eyes` names the member whose view is shown."""
    sides = _sides(action)
    action = replace(action, sides={side: action.sides[side] for side in sides if side in action.sides})
    offered = _list_characters(page, sides)
    faces = {character.key: character.picture for character in offered["At this table"] if character.picture}
    with page.tables.looking(page.seen.id) as table:
        if action.map and action.map not in table.maps:
            action, told = replace(action, map=""), "its map is no longer at this table"
        scene = _scene(table, action.scene)
        eyes = eyes if eyes in {member.id for member in page.seen.members if member.role == "player"} else ""
        laid = laid_out(table, action, eyes)
        ground = table.maps[action.map].ground if action.map else None
        blank_map = _blank_map(table, action.scene)
        tactics = tuple(table.system.staging(action.scene).tactics) if scene is not None else ()
    can_edit = action.map and scene is not None and scene.takes_maps and not eyes
    sketch = easel.edit_saved_map(page.tables, page.seen.id, action.map).easel if can_edit else None
    spoken, parts, more = _place_settings(scene, laid.action) if scene is not None else ((), (), "")
    return Prepared(
        draft=msgspec.json.encode(laid.action).decode(),
        who=msgspec.json.encode({person.name: [person.side, person.at] for person in laid.people}).decode(),
        action=laid.action,
        board=_board(scene, laid, ground, sides, faces, bool(eyes)) if scene is not None and scene.takes_maps else None,
        easel=sketch,
        groups=_groups(laid, sides, {entry.key: entry.name for listed in offered.values() for entry in listed}),
        spoken=spoken,
        more=more,
        parts=parts,
        eyes=eyes,
        offered=offered,
        tactics=tactics,
        begins_as=_state_fields(page.system.id, action.scene, scene),
        sheet=blank_map,
        unplaced=any(person.spot is None for person in laid.people),
        wrong=laid.wrong,
        told=told,
    )


def _scene(table: Table, kind: str) -> Scene[Any] | None:
    """The kind of scene; None if the game has no such kind."""
    try:
        return table.system.staging(kind).scene(table.rules)
    except UserError:
        return None


def _sides(action: a.BeginScene) -> list[str]:
    """The sides of a scene in a fixed order: those of an opened scenario, or the default ones."""
    named = [side for side, placings in action.sides.items() if placings or side not in SIDES]
    return list(SIDES) if set(named) <= set(SIDES) else named


def _list_characters(page: TablePage, sides: list[str]) -> dict[str, list[BoardCharacter]]:
    foes = sides[min(1, len(sides) - 1)]
    here = [
        BoardCharacter(
            character.id,
            character.name,
            ", ".join(character.carried) or character.of,
            sides[0] if character.owner else foes,
            character.picture,
        )
        for character in page.seen.characters
    ]
    ready = [
        BoardCharacter(f"{example.folder}/{example.name}", example.title, example.subtitle, foes)
        for example in ready_made(page.system.id).values()
    ]
    return {"At this table": here, "Ready-made": ready}


def _blank_map(table: Table, kind: str) -> dict[str, Any]:
    """The settings of a new blank map, like the first ready-made map for this kind of scene."""
    maps = [
        scenario.map
        for scenario in demos.scenarios(table.system.id).values()
        if scenario.scene == kind and isinstance(scenario.map, Ground)
    ]
    like = next((ground for ground in maps if ground.size is not None), EMPTY)
    return {"grid": like.grid, "cell": like.cell, "size": [24, 16] if like.grid == "hexes" else [30, 20]}


def _state_fields(game: str, kind: str, scene: Scene[Any] | None) -> tuple[str, ...]:
    """The starting-state fields that ready-made scenes use, and those kept from scene to scene."""
    scenes = [scenario for scenario in demos.scenarios(game).values() if scenario.scene == kind]
    used = [name for scenario in scenes for members in scenario.sides.values() for member in members for name in member.state]
    return tuple(dict.fromkeys([*sorted(used), *(scene.carries if scene is not None else ())]))


def _groups(laid: LaidOut, sides: list[str], names: Mapping[str, str]) -> dict[str, list[Group]]:
    """Everybody on the board by side, copies of one character together."""
    people_by_side: dict[str, dict[str, list[Stood]]] = {side: {} for side in sides}
    for person in laid.people:
        people_by_side[person.side].setdefault(person.character, []).append(person)
    return {
        side: [
            Group(
                side=side,
                key=key,
                name=names.get(key, people[0].names[0]),
                count=sum(len(person.names) for person in people),
                places=tuple([person.at for person in people]),
                together=len(people[0].names) > 1 or laid.action.sides[side][people[0].at].count > 1,
                tactic=laid.action.sides[side][people[0].at].tactic,
                state=laid.action.sides[side][people[0].at].state,
            )
            for key, people in by_character.items()
        ]
        for side, by_character in people_by_side.items()
    }


def _board(scene: Scene[Any], laid: LaidOut, ground: Ground | None, sides: list[str], faces: Mapping[str, str], as_one: bool) -> Board:
    """The map with everybody on it; with `as_one`, only those that the chosen player sees."""
    view = laid.seen if as_one and laid.seen is not None else laid.view
    field_shown = view.field if view is not None else None
    visible = {place.name for place in view.places} if as_one and view is not None else None
    if field_shown is None:
        field_shown = FieldShown(_with_covers(ground or BARE, laid.action.place), UNCHANGED, scene.looks, whole=True)
    turned = {place.name: place.facing for place in laid.view.places} if laid.view is not None else {}
    hexes = field_shown is not None and field_shown.ground.grid == "hexes"
    counters = []
    for person in laid.people:
        if person.spot is None or (visible is not None and not visible & set(person.names)):
            continue
        facing = turned.get(person.names[0])
        counters.append(
            Counter(
                name=person.name,
                short=initials(person.name),
                x=person.spot[0],
                y=person.spot[1],
                sort=f"side{sides.index(person.side) % 4}",
                movable=visible is None,
                spot=person.spot,
                turned=None if facing is None else facing * 60.0 - 90 if hexes else float(facing),
                picture=faces.get(person.character, ""),
            )
        )
    return draw_setup_map(field_shown, counters)


def _with_covers(ground: Ground, place: Mapping[str, Any]) -> Ground:
    """A map with the covers set for the place, until the scene can be staged."""
    try:
        covers = [Cover(cover["name"], cover["cover"], cover["x"], cover["y"]) for cover in place.get("covers", ())]
        return replace(ground, covers=(*ground.covers, *covers))
    except (KeyError, TypeError, ValueError, UserError):
        return ground


def _place_settings(scene: Scene[Any], action: a.BeginScene) -> tuple[tuple[PlaceSetting, ...], tuple[Node, ...], str]:
    """The settings of the place: simple ones, nested ones as forms, and the rest as text of a scenario file."""
    place, described = action.place, scene.described
    fields = place_fields(described, scene.place_words())
    spoken = tuple([PlaceSetting(place_field, place.get(place_field.name, place_field.usual)) for place_field in fields])
    asked = {place_field.name for place_field in fields}
    parts = place_parts(described, place, asked, _place_names(action, scene)) if described is not None else ()
    shown_names = asked | {part.dotted for part in parts}
    rest = {name: value for name, value in place.items() if name not in shown_names}
    return spoken, parts, files.render(msgspec.to_builtins(rest)) if rest else ""


def place_parts(described: type[Struct], place: Mapping[str, Any], asked: set[str], names: Names) -> tuple[Node, ...]:
    """The nested settings of a place, as forms."""
    descriptions = words_below(described)
    fields = [
        (field_info.encode_name, hint, descriptions.get(field_info.name, ""))
        for field_info, hint in fields_of(described)
        if field_info.encode_name not in asked
    ]
    nodes = [(build_form(hint, place.get(name), (name,), names, name.replace("_", " ")), about) for name, hint, about in fields]
    return tuple(replace(node, about=about) for node, about in nodes)


def _place_names(action: a.BeginScene, scene: Scene[Any]) -> Names:
    """Names that settings of a place may refer to: the sides, and the game's words for covers and terrain."""
    sides = tuple(action.sides)
    words = {name: tuple(map(str, choices)) for name, choices in scene.place_words().items()}
    ground = scene.ground_words()
    return {"side": sides, "leaders.*": sides, "commanders.*": sides, "cover": ground.covers, "terrain": ground.terrains, **words}


def change_place(scene: Scene[Any], place: Mapping[str, Any], path: str, do: str, texts: Mapping[str, str]) -> dict[str, Any]:
    """The settings of a place after one change: something set, added or removed."""
    if scene.described is None:
        raise UserError("this kind of scene has no settings for its place")
    settings = apply_change(scene.described, dict(place), parse_path(path), do, texts)
    return {name: value for name, value in settings.items() if value not in (None, [], {})}
