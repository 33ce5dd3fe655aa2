"""The library of kept files: any file as the thing it holds, house rules as a ruleset, a scenario as a scene ready to begin.

A thing is named by its path, or, for those that ship with a game, as `game/name` (`scumm/ana`); within a scenario also by its
bare name.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright import files
from rulewright.build.audit import Audit
from rulewright.build.sheet_parts import Sheet
from rulewright.errors import UserError
from rulewright.files import Document
from rulewright.files.documents import shortened
from rulewright.play import Choice, Dice, Given, Tactic, first_option, is_local, play
from rulewright.rules import House, Ruleset, Setting, SettingValue, nearest
from rulewright.scenes.record import AnyEntry, Begun, house_of, read_record
from rulewright.scenes.scenarios import CONDITION, Member, Placed, Scenario
from rulewright.scenes.scene import Scene, someone_of
from rulewright.system import System, find, names

K = TypeVar("K")
T = TypeVar("T")

MOST_MEMBERS = 200
"""How many may take part in one scenario."""


class HouseRules(Struct, frozen=True, forbid_unknown_fields=True):
    """A campaign's own rules as a file: settings chosen, rows of tables changed, added or (null) removed."""

    system: str
    kind: Literal["house-rules"]
    name: str
    about: str = ""
    preset: str | None = None
    settings: dict[str, SettingValue] = {}
    tables: dict[str, dict[str, dict[str, Any] | None]] = {}


class Kept(Struct, frozen=True):
    """A thing with the file it stands in and the game it belongs to."""

    path: str
    system: System
    kind: str
    thing: Any
    document: Document


def kinds(system: System) -> dict[str, type[Any]]:
    """Every kind of file that can be kept for a game, with the type that it holds."""
    return {**system.file_kinds(), "house-rules": HouseRules}


def take(name: str | Path, *kind: str) -> Kept:
    """The thing in a file, checked against its type; refuses other kinds than those asked for, where any are."""
    kept = opened(_document(str(name)), str(name))
    if kind and kept.kind not in kind:
        raise kept.document.wrong(("kind",), f"{_one_of(kind)} is needed here, and this is {_a(kept.kind)}")
    return kept


def opened(document: Document, path: str) -> Kept:
    """The thing in a document that was read already, such as an upload."""
    header = files.header(document)
    try:
        system = find(header.system)
    except UserError as error:
        raise document.wrong(("system",), str(error)) from None
    known = kinds(system)
    if header.kind not in known:
        raise document.wrong(("kind",), f"{system.id} has no kind {header.kind!r}{files.did_you_mean(header.kind, known)}")
    return Kept(path, system, header.kind, files.convert(document, known[header.kind]), document)


@lru_cache(maxsize=64)
def scenarios(system_id: str) -> dict[str, Scenario]:
    """The ready-made scenarios of a game by the names of their files; what cannot be read is left out."""
    scenario_by_name = {}
    for key, resource in find(system_id).demos().items():
        with suppress(UserError):
            kept = opened(files.parse(resource.read_bytes(), key), key)
            if isinstance(kept.thing, Scenario):
                scenario_by_name[key.rpartition("/")[2].removesuffix(".yaml")] = kept.thing
    return scenario_by_name


def _document(name: str) -> Document:
    """A file's document, or that of a ready-made thing named `game/name`."""
    if not _there(Path(name)):
        game, slash, rest = name.partition("/")
        if slash and game.isidentifier() and not name.endswith((".yaml", ".yml")) and game in names():
            return _demo(find(game), rest)
        if name in names():
            return _demo(find(name), "")
    return files.read(name)


def _there(path: Path) -> bool:
    """Whether something lies there; a name that no file can have is none."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _demo(system: System, name: str) -> Document:
    demos = {key.removesuffix(".yaml"): resource for key, resource in system.demos().items()}
    short = {key.rpartition("/")[2]: key for key in demos}
    key = name if name in demos else short.get(name)
    if key is None:
        folders = dict.fromkeys(demo.partition("/")[0] for demo in sorted(demos, key=lambda text: text.startswith("scenarios/")))
        listed = [
            f"the {folder} {', '.join(demo.rpartition('/')[2] for demo in demos if demo.startswith(f'{folder}/'))}" for folder in folders
        ]
        near = files.did_you_mean(name, short) if name else ""
        there = f"; there are {', '.join(listed)}; `rulewright systems {system.id}` tells of each"
        raise UserError(f"{system.id} has no ready-made {shortened(name)!r}{near or there}")
    return files.parse(demos[key].read_bytes(), f"{system.id}/{key}.yaml")


def _one_of(kind: tuple[str, ...]) -> str:
    return " or ".join(_a(text) for text in kind)


def _a(noun: str) -> str:
    return "a house-rules file" if noun == "house-rules" else f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


# --- rules to play by ---------------------------------------------------------------------------------------------------------


def ruleset(
    system: System, preset: str | None = None, settings: Mapping[str, SettingValue] | None = None, house: str | Path | None = None
) -> Ruleset:
    """The rules to play by: the book with a preset, a house-rules file, and single settings."""
    return _ruleset(system, preset, typed(system, settings or {}), _house(system, house))


def typed(system: System, settings: Mapping[str, SettingValue]) -> dict[str, SettingValue]:
    """Settings converted to the types they are declared with: "yes" and "5" are text as typed by people."""
    return {name: _setting(system.book.setting(name), value) for name, value in settings.items()}


def _setting(setting: Setting, text: SettingValue) -> SettingValue:
    if not isinstance(text, str):
        return setting.check(text)
    value: object = text.strip()
    if isinstance(setting.default, bool):
        value = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}.get(text.strip().lower(), text)
    elif isinstance(setting.default, int):
        digits = text.strip()
        value = int(digits) if digits.lstrip("+-").isdecimal() and digits.isascii() and len(digits) < 10 else text
    return setting.check(value)


def _house(system: System, house: str | Path | None) -> HouseRules | None:
    if house is None:
        return None
    return house_rules(system, take(house, "house-rules"))


def house_rules(system: System, kept: Kept) -> HouseRules:
    """The house rules of a file that was taken, for this game; refuses what the game does not have."""
    if kept.kind != "house-rules":
        raise kept.document.wrong(("kind",), f"{_a('house-rules')} is needed here, and this is {_a(kept.kind)}")
    if kept.system.id != system.id:
        raise kept.document.wrong(("system",), f"these house rules are for {kept.system.id}, and {system.id} is played")
    rules: HouseRules = kept.thing
    _refuse_unknown(kept.document, system, rules)
    return rules


def _refuse_unknown(document: Document, system: System, house: HouseRules) -> None:
    """Say with line and column which setting or table is not there."""
    for name, value in house.settings.items():
        try:
            system.book.setting(name).check(value)
        except UserError as error:
            raise document.wrong(("settings", name), str(error)) from None
    for rule_id in house.tables:
        try:
            system.book.raw(rule_id)
        except UserError as error:
            raise document.wrong(("tables", rule_id), str(error)) from None


def _ruleset(system: System, preset: str | None, settings: Mapping[str, SettingValue], house: HouseRules | None) -> Ruleset:
    if house is None:
        return system.book.ruleset(preset, settings)
    return system.book.ruleset(preset or house.preset, settings, House(house.settings, house.tables))


# --- scenarios ----------------------------------------------------------------------------------------------------------------


class Staged(Struct, frozen=True):
    """A scenario made ready: its rules, the scene, the state it begins in, who takes part, and how each decides."""

    system: System
    rules: Ruleset
    scenario: Scenario
    scene: Scene[Any]
    state: Hashable
    members: tuple[Placed, ...]
    tactics: dict[str, Tactic]
    usual: Tactic

    @property
    def local(self) -> bool:
        """Whether each side has one tactic for all, and it looks only at what a step of theirs depends on."""
        alike = all(self.tactics.get(member.name) is self.tactics.get(someone_of(member.side)) for member in self.members)
        return alike and all(is_local(self.tactics.get(member.name, self.usual)) for member in self.members)

    def decide(self, choice: Choice[Any]) -> Given:
        """The decision of whoever is asked, by their own tactic."""
        return self.tactics.get(choice.who, self.usual)(choice)

    def tactic_of(self, who: str) -> Tactic:
        """By what tactic somebody decides."""
        return self.tactics.get(who, self.usual)


def stage(
    path: str | Path,
    preset: str | None = None,
    settings: Mapping[str, SettingValue] | None = None,
    house: str | Path | None = None,
    changes: Mapping[str, Any] | None = None,
) -> Staged:
    """A scenario file made ready to be played, solved or sampled; what is given here goes before what the file says.

    `changes` are fields of the file that have another value: `{"tactics.north": "marksman", "sides.south.0.count": 3}`.
    """
    kept = take(path, "scenario")
    return staged(changed(kept, changes) if changes else kept, Path(path).parent, preset, settings, house)


def changed(kept: Kept, changes: Mapping[str, Any]) -> Kept:
    """The thing of a file with some fields changed, by their dotted names; refuses what does not fit."""
    data = msgspec.to_builtins(kept.thing)
    for field, value in changes.items():
        first = field.partition(".")[0]
        if first not in data:
            raise UserError(f"{kept.path}: there is no field {first!r} to change{files.did_you_mean(first, data)}")
        data = files.set_at(data, field, value, create=True)
    try:
        thing = msgspec.convert(data, type(kept.thing), strict=False)
    except msgspec.ValidationError as error:
        raise UserError(f"{kept.path}, changed in {', '.join(changes)}: {error}") from None
    return replace(kept, thing=thing)


def staged(
    kept: Kept,
    folder: Path | None,
    preset: str | None = None,
    settings: Mapping[str, SettingValue] | None = None,
    house: str | Path | None = None,
    find_member: "Callable[[str], Any] | None" = None,
    rules: Ruleset | None = None,
) -> Staged:
    """The same for a scenario that was opened already; `folder` is where its other files lie, `find_member` another way to find them.

    Given `rules`, these alone are played by, whatever the scenario says.
    """
    system, scenario, document = kept.system, kept.thing, kept.document
    assert isinstance(scenario, Scenario)
    if rules is None:
        own_house = house if house is not None else (str((folder or Path()) / scenario.house) if scenario.house else None)
        chosen = {**scenario.settings, **typed(system, settings or {})}
        try:
            rules = _ruleset(system, preset or scenario.preset, chosen, _house(system, own_house))
        except UserError as error:
            raise document.wrong(("settings",), str(error)) if scenario.settings or scenario.preset else error from None
    members = _members(kept, find_member or partial(fetch, system, folder=folder))
    try:
        staging = system.staging(scenario.scene)
    except UserError as error:
        raise document.wrong(("scene",) if "scene" in document.data else (), str(error)) from None
    usual = next(iter(staging.tactics.values()), first_option)
    tactics = _tactics(kept, members, staging.tactics)
    scene = staging.scene(rules)
    scenario = with_map(kept, folder)

    def begun(conditions: dict[tuple[int, str], Any]) -> tuple[Any, tuple[Placed, ...]]:
        entering = _with_conditions(members, conditions)
        return staging.begin(rules, scenario, entering), entering

    try:
        (state, members), _ = as_far_as_it_fits(_conditions(scene, members), begun)
        if scenario.map is not None and not scene.takes_maps:
            raise UserError(f"map: this scene of {system.name} does not know ground yet; leave the map out")
    except UserError as error:
        field = _field_of(scenario, members, str(error))
        raise document.wrong(field, str(error).removeprefix("map: ").removeprefix("place: ").removeprefix("place.")) from None
    return Staged(system, rules, scenario, scene, state, members, tactics, usual)


def _field_of(scenario: Scenario, members: Iterable[Placed], message: str) -> files.FieldPath:
    """The field of a scenario that a refusal speaks of: its map, its place, or whoever it names first."""
    for field in ("map", "place"):
        if message.startswith((f"{field}:", f"{field}.")):
            return (field,) if getattr(scenario, field) else ()
    named = [member for member in members if message.startswith((f"{member.name}:", f"{member.name} "))]
    if not named:
        return ()
    whom = max(named, key=lambda member: len(member.name))
    at = [place for place, member in enumerate(scenario.sides[whom.side]) for _ in range(member.count)]
    return "sides", whom.side, at[[member.name for member in members if member.side == whom.side].index(whom.name)]


def with_map(kept: Kept, folder: Path | None = None) -> Scenario:
    """A scenario with the ground itself, where it only names a file of the kind `map`."""
    scenario: Scenario = kept.thing
    if not isinstance(scenario.map, str):
        return scenario
    name, system = scenario.map, kept.system
    beside = (folder or Path()) / name
    try:
        if folder is not None and (name.endswith((".yaml", ".yml")) or (_there(beside) and beside.is_file())):
            result = take(beside, "map")
        else:
            result = opened(_demo(system, name), name)
        if result.kind != "map":
            raise UserError(f"{name} is {_a(result.kind)}, not a map")
    except UserError as error:
        raise kept.document.wrong(("map",), str(error)) from None
    return replace(scenario, map=result.thing.map)


def as_far_as_it_fits(carried: dict[K, Any], attempt: Callable[[dict[K, Any]], T]) -> tuple[T, list[K]]:
    """What comes of entering with everything that is carried; where the game refuses some of it (a weapon that was sold, rules that
    changed), with what it takes. And what it does not."""
    try:
        return attempt(carried), []
    except UserError:
        result, kept = attempt({}), dict[K, Any]()
    for field, value in carried.items():
        try:
            result = attempt({**kept, field: value})
        except UserError:
            continue
        kept[field] = value
    return result, [field for field in carried if field not in kept]


def _with_conditions(members: tuple[Placed, ...], conditions: dict[tuple[int, str], Any]) -> tuple[Placed, ...]:
    """Members who begin with what earlier scenes left of them, as far as this kind of scene knows it; their own state goes before it."""
    brought: dict[int, dict[str, Any]] = {}
    for (place, field), value in conditions.items():
        brought.setdefault(place, {})[field] = value
    return tuple(replace(placed, state={**brought.get(place, {}), **placed.state}) for place, placed in enumerate(members))


def _conditions(scene: Scene[Any], members: tuple[Placed, ...]) -> dict[tuple[int, str], Any]:
    """What the files of these members say that scenes left, where a scene of this kind begins with it."""
    return {
        (place, field): value
        for place, placed in enumerate(members)
        for field, value in getattr(placed.character, CONDITION, {}).items()
        if field.partition(".")[0] in scene.carries
    }


def _members(kept: Kept, find_member: "Callable[[str], Any]") -> tuple[Placed, ...]:
    scenario, document = kept.thing, kept.document
    if scenario.rounds < 1:
        raise document.wrong(("rounds",), f"a scene lasts at least 1 round, not {scenario.rounds}")
    if not scenario.sides:
        raise document.wrong(("sides",), "nobody takes part: name a side and who is on it")
    placed: list[Placed] = []
    taken: set[str] = set()
    for side, members in scenario.sides.items():
        if not members:
            raise document.wrong(("sides", side), "nobody is on this side")
        for place, member in enumerate(members):
            field = ("sides", side, place)
            if not 1 <= member.count <= MOST_MEMBERS or len(placed) + member.count > MOST_MEMBERS:
                raise document.wrong(
                    (*field, "count"), f"from 1 to {MOST_MEMBERS} may take part in a scenario, and this makes {len(placed) + member.count}"
                )
            try:
                character = find_member(member.character)
            except UserError as error:
                raise document.wrong((*field, "character"), str(error)) from None
            if member.count > 1 and getattr(character, CONDITION, None):
                character = replace(character, **{CONDITION: {}})  # several of one: nobody knows whose wounds these are
            for name in _own_names(member, character, taken):
                placed.append(Placed(character, name, side, member.at, member.state))
    return tuple(placed)


def fetch(system: System, reference: str, folder: Path | None = None) -> Any:
    """A character or machine by its file (in the folder, such as a scenario's) or by its name among the ready-made ones."""
    beside = (folder or Path()) / reference
    if reference.endswith((".yaml", ".yml")) or (_there(beside) and beside.is_file()):
        kept = take(beside, *system.kinds)
        if kept.system.id != system.id:
            raise UserError(f"{reference} belongs to {kept.system.id}, not to {system.id}")
        return kept.thing
    kept = opened(_demo(system, reference), reference)
    if kept.kind not in system.kinds:
        raise UserError(f"{reference} is {_a(kept.kind)}, and nobody who can take part")
    return kept.thing


def fetch_any(system: System, reference: str, folder: Path | None = None) -> Any:
    """The same, and a scenario too, as the state it begins in: what a rule may be given."""
    beside = (folder or Path()) / reference
    if reference.endswith((".yaml", ".yml")) or (_there(beside) and beside.is_file()):
        kept, lies = take(beside), beside.parent
    else:
        kept, lies = opened(_demo(system, reference.removeprefix(f"{system.id}/")), reference), None
    if kept.system.id != system.id:
        raise UserError(f"{reference} belongs to {kept.system.id}, not to {system.id}")
    return staged(kept, lies).state if kept.kind == "scenario" else kept.thing


def _own_names(member: Member, character: Any, taken: set[str]) -> list[str]:
    """A name for everybody: numbered where there are several."""
    base = member.name or str(getattr(character, "name", member.character))
    result = []
    for number in range(1, member.count + 1):
        name = base if member.count == 1 else f"{base} {number}"
        while name in taken:
            number += 1
            name = f"{base} {number}"
        taken.add(name)
        result.append(name)
    return result


def _tactics(kept: Kept, members: tuple[Placed, ...], known: Mapping[str, Tactic]) -> dict[str, Tactic]:
    scenario, document = kept.thing, kept.document
    for side, tactic in scenario.tactics.items():
        if side not in scenario.sides:
            raise document.wrong(("tactics", side), f"there is no side {side!r}{files.did_you_mean(side, scenario.sides)}")
        if tactic not in known:
            raise document.wrong(("tactics", side), _no_tactic(kept.system, tactic, known))
    tactic_by_name: dict[str, Tactic] = {}
    placeds = iter(members)
    for side, listed in scenario.sides.items():
        for place, member in enumerate(listed):
            if member.tactic and member.tactic not in known:
                raise document.wrong(("sides", side, place, "tactic"), _no_tactic(kept.system, member.tactic, known))
            tactic = member.tactic or scenario.tactics.get(side, "")
            for _ in range(member.count):
                name = next(placeds).name
                if tactic:
                    tactic_by_name[name] = tactic_by_name[someone_of(side)] = known[tactic]
    return tactic_by_name


def _no_tactic(system: System, tactic: str, known: Mapping[str, Tactic]) -> str:
    return f"{system.id} has no tactic {tactic!r}{files.did_you_mean(tactic, known)}"


# --- audits and sheets --------------------------------------------------------------------------------------------------------


def audit(
    kept: Kept,
    preset: str | None = None,
    settings: Mapping[str, SettingValue] | None = None,
    house: str | Path | None = None,
) -> Audit:
    """Check any file. Scenarios, house rules and maps have no budgets: they are legal if they can be used, else UserError is raised."""
    if kept.kind == "scenario":
        staged(kept, Path(kept.path).parent, preset, settings, house)
        return Audit((), ())
    if kept.kind == "house-rules":
        _ruleset(kept.system, None, {}, house_rules(kept.system, kept))
        return Audit((), ())
    if kept.kind == "map":  # a map is checked when it is read
        return Audit((), ())
    return kept.system.audit(ruleset(kept.system, preset, settings, house), kept.thing)


def sheet(kept: Kept, rules: Ruleset) -> Sheet:
    """The sheet of a character, a machine or a creature."""
    if kept.kind not in kept.system.kinds:
        raise kept.document.wrong(("kind",), f"{_a(kept.kind)} has no sheet; give {_one_of(tuple(kept.system.kinds))}")
    return kept.system.sheet(rules, kept.thing)


# --- records ------------------------------------------------------------------------------------------------------------------


class Recorded(Struct, frozen=True):
    """A record taken from disk, with the scene that it was played in."""

    system: System
    scene: Scene[Any]
    entries: list[AnyEntry]
    begun: Begun


def take_record(path: str | Path) -> Recorded:
    """A record and its scene, under the rules it was played by; refuses one whose rules are no longer the same."""
    entries = read_record(Path(path))
    begun = entries[0]
    assert isinstance(begun, Begun)
    try:
        system = find(begun.system)
        staging = system.staging(begun.scene)
        rules = system.book.ruleset(house=house_of(begun))
    except UserError as error:
        raise UserError(f"{path}:1: entry 1: {error}") from None
    if rules.digest != begun.ruleset:
        raise UserError(f"{path}:1: entry 1: the record was played by other rules ({begun.ruleset}) than these ({rules.digest})")
    return Recorded(system, staging.scene(rules), entries, begun)


# --- people made up by dice ---------------------------------------------------------------------------------------------------


def made_up(game: System, rules: Ruleset, said: Mapping[str, str], number: int, dice: Dice) -> list[Any]:
    """So many people made up by dice, all but what is said; no two with one name."""
    _sayable(game, said)
    people: list[Any] = []
    for _ in range(number):
        result = play(game.draft(rules, said), dice=dice).outcome
        people.append(replace(result, name=_another(result.name, {person.name for person in people})))
    return people


def made_up_in_parts(game: System, rules: Ruleset, said: Mapping[str, str], number: int, dice: Dice) -> list[tuple[Mapping[str, str], Any]]:
    """The same, each with the parts that the dice decided, by which just this person is made up again."""
    _sayable(game, said)
    pairs: list[tuple[Mapping[str, str], Any]] = []
    for _ in range(number):
        parts = dict(play(game.draft_parts(rules, said), dice=dice).outcome)
        if "name" in parts:
            parts["name"] = _another(parts["name"], {str(result.name) for _, result in pairs})
        pairs.append((parts, play(game.draft(rules, {**said, **parts}), dice=dice).outcome))
    return pairs


def _sayable(game: System, said: Mapping[str, str]) -> None:
    """Refuse parts that the game does not know."""
    if not game.drafted:
        raise UserError(f"{game.name} cannot make people up here yet")
    for part in said:
        if part not in game.drafted:
            raise UserError(
                f"{game.id} makes people up without a {part!r}{nearest(part, game.drafted)}; there are {', '.join(game.drafted)}"
            )


def _another(name: str, taken: set[str]) -> str:
    """A name that nobody has yet."""
    text, more = name, 1
    while text in taken:
        more += 1
        text = f"{name} {more}"
    return text
