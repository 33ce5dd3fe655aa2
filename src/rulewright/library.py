"""Loads files: characters, scenarios, house rules, maps and records.

A file is given by its path or, if it ships with a game, by `game/name` (`scumm/detective`); within a scenario also by its name alone.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright import files
from rulewright.adventure.format import ADVENTURE
from rulewright.adventure.package import read_package
from rulewright.adventure.references import wrong_references
from rulewright.build.audit import Audit, Problem
from rulewright.build.sheet_parts import Sheet
from rulewright.campaign.campaign_file import CAMPAIGN, CampaignFile
from rulewright.errors import UserError, all_of
from rulewright.files import Document
from rulewright.files.documents import shortened
from rulewright.grammar import a, join
from rulewright.play import Choice, Dice, Given, Tactic, first_option, is_local, play
from rulewright.play.cache import cached
from rulewright.rules import House, Ruleset, Setting, SettingValue, nearest
from rulewright.scenes.record import AnyEntry, Begun, house_of, read_record
from rulewright.scenes.scenarios import CONDITION, Member, Placed, Scenario
from rulewright.scenes.scene import Scene, someone_of
from rulewright.state_faults import each_field_once, entries, lasting_faults, out_of_limits, refused_states
from rulewright.system import System, find, names

K = TypeVar("K")
T = TypeVar("T")

MOST_MEMBERS = 200
"""The largest number of members of a scenario."""


class HouseRules(Struct, frozen=True, forbid_unknown_fields=True):
    """A house-rules file: settings, and rows of tables that are changed, added or (null) removed."""

    system: str
    kind: Literal["house-rules"]
    name: str
    about: str = ""
    preset: str | None = None
    settings: dict[str, SettingValue] = {}
    tables: dict[str, dict[str, dict[str, Any] | None]] = {}


class Kept(Struct, frozen=True):
    """A loaded file: its path, its game, its kind, the character or other `thing` in it, and the document with line numbers."""

    path: str
    system: System
    kind: str
    thing: Any
    document: Document


def kinds(system: System) -> dict[str, type[Any]]:
    """The kinds of files of a game, with the type of each."""
    return {**system.file_kinds(), "house-rules": HouseRules}


def take(name: str | Path, *kind: str) -> Kept:
    """Load a file and check it. If kinds are given, other kinds raise UserError."""
    kept = opened(_document(str(name)), str(name))
    if kind and kept.kind not in kind:
        raise kept.document.wrong(("kind",), f"{_one_of(kind)} is needed here, and this is {_a(kept.kind)}")
    return kept


def opened(document: Document, path: str) -> Kept:
    """Load a document that is already parsed, such as an upload."""
    header = files.header(document)
    try:
        system = find(header.system)
    except UserError as error:
        raise document.wrong(("system",), str(error)) from None
    known = kinds(system)
    if header.kind not in known:
        raise document.wrong(("kind",), f"{system.id} has no kind {header.kind!r}{files.did_you_mean(header.kind, known)}")
    return Kept(path, system, header.kind, files.convert(document, known[header.kind]), document)


@cached(64)
def scenarios(system_id: str) -> dict[str, Scenario]:
    """The ready-made scenarios of a game by name; files that cannot be read are left out."""
    scenario_by_name = {}
    for key, resource in find(system_id).demos().items():
        with suppress(UserError):
            kept = opened(files.parse(resource.read_bytes(), key), key)
            if isinstance(kept.thing, Scenario):
                scenario_by_name[key.rpartition("/")[2].removesuffix(".yaml")] = kept.thing
    return scenario_by_name


def _document(name: str) -> Document:
    """Parse a file, or a ready-made file named `game/name`."""
    if not _there(Path(name)):
        game, slash, rest = name.partition("/")
        if slash and game.isidentifier() and not name.endswith((".yaml", ".yml")) and game in names():
            return _demo(find(game), rest)
        if name in names():
            return _demo(find(name), "")
    return files.read(name)


def _there(path: Path) -> bool:
    """Whether a path exists; false for names that the system does not allow."""
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
        known = f"; there are {', '.join(listed)}; `rulewright systems {system.id}` describes them"
        raise UserError(f"{system.id} has no ready-made {shortened(name)!r}{near or known}")
    return files.parse(demos[key].read_bytes(), f"{system.id}/{key}.yaml")


def _one_of(kind: tuple[str, ...]) -> str:
    return " or ".join(_a(text) for text in kind)


def _a(kind: str) -> str:
    return a(f"{kind} file" if kind == "house-rules" else kind)


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
    """The house rules of a loaded file; raises UserError for another game, unknown settings or unknown tables."""
    if kept.kind != "house-rules":
        raise kept.document.wrong(("kind",), f"{_a('house-rules')} is needed here, and this is {_a(kept.kind)}")
    if kept.system.id != system.id:
        raise kept.document.wrong(("system",), f"these house rules are for {kept.system.id}, and {system.id} is played")
    rules: HouseRules = kept.thing
    _refuse_unknown(kept.document, system, rules)
    return rules


def _refuse_unknown(document: Document, system: System, house: HouseRules) -> None:
    """Raise UserError with line and column for every unknown setting or table."""
    faults: list[UserError] = []
    for name, value in house.settings.items():
        try:
            system.book.setting(name).check(value)
        except UserError as error:
            faults.append(document.wrong(("settings", name), str(error)))
    for rule_id in house.tables:
        try:
            system.book.raw(rule_id)
        except UserError as error:
            faults.append(document.wrong(("tables", rule_id), str(error)))
    if faults:
        raise all_of(faults)


def _ruleset(system: System, preset: str | None, settings: Mapping[str, SettingValue], house: HouseRules | None) -> Ruleset:
    if house is None:
        return system.book.ruleset(preset, settings)
    return system.book.ruleset(preset or house.preset, settings, House(house.settings, house.tables))


# --- scenarios ----------------------------------------------------------------------------------------------------------------


class Staged(Struct, frozen=True):
    """A scenario ready to play: rules, scene, start state, members, and the tactic of each."""

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
        """Whether every member of a side has the same tactic, and every tactic is local (see `play.is_local`)."""
        alike = all(self.tactics.get(member.name) is self.tactics.get(someone_of(member.side)) for member in self.members)
        return alike and all(is_local(self.tactics.get(member.name, self.usual)) for member in self.members)

    def decide(self, choice: Choice[Any]) -> Given:
        """Decide by the tactic of the member who is asked."""
        return self.tactics.get(choice.who, self.usual)(choice)

    def tactic_of(self, who: str) -> Tactic:
        """The tactic of a member."""
        return self.tactics.get(who, self.usual)


def stage(
    path: str | Path,
    preset: str | None = None,
    settings: Mapping[str, SettingValue] | None = None,
    house: str | Path | None = None,
    changes: Mapping[str, Any] | None = None,
) -> Staged:
    """Load a scenario to play, solve or sample it. Arguments override the file.

    `changes` replaces fields of the file: `{"tactics.north": "marksman", "sides.south.0.count": 3}`.
    """
    kept = take(path, "scenario")
    return staged(changed(kept, changes) if changes else kept, Path(path).parent, preset, settings, house)


def changed(kept: Kept, changes: Mapping[str, Any]) -> Kept:
    """Replace fields of a loaded file, by dotted names; raises UserError if a value does not fit."""
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
    """Stage a loaded scenario. Its other files are in `folder`, or `find_member` finds them.

    `rules` overrides the rules of the scenario.
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
    state, members = _begun(document, scenario, scene, members, partial(staging.begin, rules, scenario))
    return Staged(system, rules, scenario, scene, state, members, tactics, usual)


def _begun(
    document: Document, scenario: Scenario, scene: Scene[Any], members: tuple[Placed, ...], begin: Callable[[tuple[Placed, ...]], Any]
) -> tuple[Any, tuple[Placed, ...]]:
    """The start state of a scene, and the members with the conditions of earlier scenes. An error names every fault of the file."""
    faults = out_of_limits(scene, document, scenario, members)

    def begun(conditions: dict[tuple[int, str], Any]) -> tuple[Any, tuple[Placed, ...]]:
        entering = _with_conditions(members, conditions)
        return begin(entering), entering

    try:
        started, _ = as_far_as_it_fits(_conditions(scene, members), begun)
        if scenario.map is not None and not scene.takes_maps:
            raise UserError("map: this scene does not know ground yet; leave the map out")
        if scenario.ends not in scene.endings:
            raise UserError(f"ends: this scene cannot end {scenario.ends}; choose {join(scene.endings, 'or')}")
    except UserError as error:
        faults += refused_states(document, scenario, members, begin)
        if not faults:
            field = _field_of(scenario, members, str(error))
            raise document.wrong(
                field, str(error).removeprefix("map: ").removeprefix("ends: ").removeprefix("place: ").removeprefix("place.")
            ) from None
    if faults:
        raise each_field_once(faults)
    return started


def _field_of(scenario: Scenario, members: Iterable[Placed], message: str) -> files.FieldPath:
    """The field of a scenario that an error message is about: its map, its place, or the member at the start of the message."""
    for field in ("map", "place", "ends"):
        if message.startswith((f"{field}:", f"{field}.")):
            return (field,) if getattr(scenario, field) else ()
    named = [member for member in members if message.startswith((f"{member.name}:", f"{member.name} "))]
    if not named:
        return ()
    whom = max(named, key=lambda member: len(member.name))
    at = [place for place, member in enumerate(scenario.sides[whom.side]) for _ in range(member.count)]
    return "sides", whom.side, at[[member.name for member in members if member.side == whom.side].index(whom.name)]


def with_map(kept: Kept, folder: Path | None = None) -> Scenario:
    """Load the map file that a scenario names, and put its map into the scenario."""
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
    """Attempt something with all carried values; if that fails, with those that the game accepts one by one.

    A value fails after a weapon was sold or the rules changed. Returns the result and the values that were left out.
    """
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
    """Members with the conditions of earlier scenes; the state in the scenario overrides them."""
    brought: dict[int, dict[str, Any]] = {}
    for (place, field), value in conditions.items():
        brought.setdefault(place, {})[field] = value
    return tuple(replace(placed, state={**brought.get(place, {}), **placed.state}) for place, placed in enumerate(members))


def _conditions(scene: Scene[Any], members: tuple[Placed, ...]) -> dict[tuple[int, str], Any]:
    """The conditions in the files of the members that this kind of scene uses, by member and field."""
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
        raise document.wrong(("sides",), "this scenario has no sides; give a side with its members")
    placed: list[Placed] = []
    taken: set[str] = set()
    faults: list[UserError] = []
    for side, members in scenario.sides.items():
        if not members:
            faults.append(document.wrong(("sides", side), "this side has no members"))
        for place, member in enumerate(members):
            field = ("sides", side, place)
            if not 1 <= member.count <= MOST_MEMBERS or len(placed) + member.count > MOST_MEMBERS:
                words = f"a scenario has from 1 to {MOST_MEMBERS} members, and this makes {len(placed) + member.count}"
                faults.append(document.wrong((*field, "count"), words))
                continue
            try:
                character = find_member(member.character)
            except UserError as error:
                faults += [document.wrong((*field, "character"), part) for part in error.parts]
                continue
            if member.count > 1 and getattr(character, CONDITION, None):
                character = replace(character, **{CONDITION: {}})  # several copies: the wounds belong to none of them
            for name in _own_names(member, character, taken):
                placed.append(Placed(character, name, side, member.at, member.state))
    if faults:
        raise all_of(faults)
    return tuple(placed)


def fetch(system: System, reference: str, folder: Path | None = None) -> Any:
    """Load a character or machine by its file name, relative to the folder, or by the name of a ready-made one."""
    beside = (folder or Path()) / reference
    if reference.endswith((".yaml", ".yml")) or (_there(beside) and beside.is_file()):
        kept = take(beside, *system.kinds)
        if kept.system.id != system.id:
            raise UserError(f"{reference} belongs to {kept.system.id}, not to {system.id}")
        return kept.thing
    kept = opened(_demo(system, reference), reference)
    if kept.kind not in system.kinds:
        raise UserError(f"{reference} is {_a(kept.kind)}; give {_one_of(tuple(system.kinds))}")
    return kept.thing


def fetch_any(system: System, reference: str, folder: Path | None = None) -> Any:
    """Load an argument of a rule: as `fetch`, or a scenario as its start state."""
    beside = (folder or Path()) / reference
    if reference.endswith((".yaml", ".yml")) or (_there(beside) and beside.is_file()):
        kept, kept_in = take(beside), beside.parent
    else:
        kept, kept_in = opened(_demo(system, reference.removeprefix(f"{system.id}/")), reference), None
    if kept.system.id != system.id:
        raise UserError(f"{reference} belongs to {kept.system.id}, not to {system.id}")
    return staged(kept, kept_in).state if kept.kind == "scenario" else kept.thing


def _own_names(member: Member, character: Any, taken: set[str]) -> list[str]:
    """A unique name for each copy of a member: numbered if there are several."""
    base = member.name or str(getattr(character, "name", member.character))
    unique = []
    for number in range(1, member.count + 1):
        name = base if member.count == 1 else f"{base} {number}"
        while name in taken:
            number += 1
            name = f"{base} {number}"
        taken.add(name)
        unique.append(name)
    return unique


def _tactics(kept: Kept, members: tuple[Placed, ...], known: Mapping[str, Tactic]) -> dict[str, Tactic]:
    scenario = kept.thing
    faults = list(_wrong_tactics(kept, known))
    if faults:
        raise all_of(faults)
    tactic_by_name: dict[str, Tactic] = {}
    remaining = iter(members)
    for side, listed in scenario.sides.items():
        for member in listed:
            tactic = member.tactic or scenario.tactics.get(side, "")
            for _ in range(member.count):
                name = next(remaining).name
                if tactic:
                    tactic_by_name[name] = tactic_by_name[someone_of(side)] = known[tactic]
    return tactic_by_name


def _wrong_tactics(kept: Kept, known: Mapping[str, Tactic]) -> Iterator[UserError]:
    """Every tactic of a side that is not there, and every tactic that the game does not have."""
    scenario, document = kept.thing, kept.document
    for side, tactic in scenario.tactics.items():
        if side not in scenario.sides:
            yield document.wrong(("tactics", side), f"there is no side {side!r}{files.did_you_mean(side, scenario.sides)}")
        elif tactic not in known:
            yield document.wrong(("tactics", side), _no_tactic(kept.system, tactic, known))
    for place, member in entries(scenario):
        if member.tactic and member.tactic not in known:
            yield document.wrong((*place, "tactic"), _no_tactic(kept.system, member.tactic, known))


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
    if kept.kind == ADVENTURE:
        _refuse_unknown_names(kept)
        return Audit((), ())
    if kept.kind == CAMPAIGN:
        campaign_people(kept)
        return Audit((), ())
    rules = ruleset(kept.system, preset, settings, house)
    result = kept.system.audit(rules, kept.thing)
    known = {problem.field for problem in result.problems}
    faults = lasting_faults([staging.scene(rules) for staging in kept.system.scenes.values()], kept.thing)
    more = [Problem("", field, words) for field, words in faults if field not in known and CONDITION not in known]
    return replace(result, problems=(*result.problems, *more)) if more else result


def campaign_people(kept: Kept, find_person: "Callable[[str], Any] | None" = None) -> list[Any]:
    """The characters of a campaign file, which `find_person` finds by name, or its folder has. An error names everybody who is missing."""
    file: CampaignFile = kept.thing
    by_name = find_person or partial(fetch, kept.system, folder=Path(kept.path).parent)
    people, faults = [], []
    for number, person in enumerate(file.people):
        try:
            people.append(by_name(person) if isinstance(person, str) else _person_in_place(kept.system, person))
        except UserError as error:
            faults.append(kept.document.wrong(("people", number), str(error)))
    if faults:
        raise all_of(faults)
    return people


def _person_in_place(system: System, data: dict[str, Any]) -> Any:
    """A character whose whole file stands in another."""
    kind = str(data.get("kind", ""))
    if data.get("system") != system.id or kind not in system.kinds:
        raise UserError(f"a person in place needs system: {system.id} and one of the kinds {join(list(system.kinds), 'or')}")
    try:
        return msgspec.convert(data, system.kinds[kind], strict=True)
    except msgspec.ValidationError as error:
        raise UserError(f"this is not {_a(kind)}: {error}") from None


def _refuse_unknown_names(kept: Kept) -> None:
    """Raise UserError for everything that an adventure names and does not have. `rulewright adventure check` plays it, too."""
    faults = wrong_references(kept.thing, kept.document, read_package(kept.path))
    if faults:
        raise all_of(faults)


def sheet(kept: Kept, rules: Ruleset) -> Sheet:
    """The sheet of a character, a machine or a creature."""
    if kept.kind not in kept.system.kinds:
        raise kept.document.wrong(("kind",), f"{_a(kept.kind)} has no sheet; give {_one_of(tuple(kept.system.kinds))}")
    return kept.system.sheet(rules, kept.thing)


# --- records ------------------------------------------------------------------------------------------------------------------


class Recorded(Struct, frozen=True):
    """A loaded record with its scene."""

    system: System
    scene: Scene[Any]
    entries: list[AnyEntry]
    begun: Begun


def take_record(path: str | Path) -> Recorded:
    """Load a record and its scene; raises UserError if the rules have changed since."""
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
        raise UserError(f"{path}:1: entry 1: this record used other rules ({begun.ruleset}) than the current ones ({rules.digest})")
    return Recorded(system, staging.scene(rules), entries, begun)


# --- random characters --------------------------------------------------------------------------------------------------------


def made_up(game: System, rules: Ruleset, said: Mapping[str, str], number: int, dice: Dice) -> list[Any]:
    """Generate random characters with unique names. `said` sets parts instead of rolling them."""
    _refuse_unknown_parts(game, said)
    people: list[Any] = []
    for _ in range(number):
        drafted = play(game.draft(rules, said), dice=dice).outcome
        people.append(replace(drafted, name=_unique(drafted.name, {person.name for person in people})))
    return people


def made_up_in_parts(game: System, rules: Ruleset, said: Mapping[str, str], number: int, dice: Dice) -> list[tuple[Mapping[str, str], Any]]:
    """As `made_up`, each with its rolled parts, which generate the same character again."""
    _refuse_unknown_parts(game, said)
    pairs: list[tuple[Mapping[str, str], Any]] = []
    for _ in range(number):
        parts = dict(play(game.draft_parts(rules, said), dice=dice).outcome)
        if "name" in parts:
            parts["name"] = _unique(parts["name"], {str(drafted.name) for _, drafted in pairs})
        pairs.append((parts, play(game.draft(rules, {**said, **parts}), dice=dice).outcome))
    return pairs


def _refuse_unknown_parts(game: System, said: Mapping[str, str]) -> None:
    """Raise UserError for parts that the game does not have."""
    if not game.drafted:
        raise UserError(f"{game.name} has no random characters")
    for part in said:
        if part not in game.drafted:
            raise UserError(
                f"random characters of {game.id} have no part {part!r}{nearest(part, game.drafted)}; there are {', '.join(game.drafted)}"
            )


def _unique(name: str, taken: set[str]) -> str:
    """The name, with a number if it is taken."""
    unique, number = name, 1
    while unique in taken:
        number += 1
        unique = f"{name} {number}"
    return unique
