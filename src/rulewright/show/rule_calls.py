"""Calls a rule by its id: parameters from its signature, arguments from text or JSON.

`parameters` lists what a rule takes. `prepare` turns text or JSON into a `Call`. `rulewright.show.serialize` turns the result into plain
data. The command line, the HTTP API and the forms of the web use this module.
"""

import inspect
import math
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct
from msgspec import inspect as shapes

from rulewright import rules as registry
from rulewright.errors import UserError
from rulewright.grammar import a
from rulewright.play import Play
from rulewright.rules import RuleInfo, Ruleset, TableRow, nearest
from rulewright.show import prose
from rulewright.show.serialize import plain, words

MOST = 1_000_000_000
"""The largest number that a rule takes, positive or negative."""

_AMOUNTS = """
age attackers body_kilograms boxes burn_points centimetres characters coma_days damage days days_clean days_without emergency expert feet
followers gravity gunners height hexes hexsides hours hours_of_exercise intensity kg kilograms kilometres kill kph mass master meters
metres metres_between minutes months mooks multiplier opponents pen people potency pounds power psi radius rads rof rounds seconds
sessions shots size spray swarms tonnes units victims waste watts weeks width years
"""
AMOUNTS = frozenset(_AMOUNTS.split())
"""Names of parameters that count or measure something: they are never negative."""

Fetch = Callable[[str], Any]
"""Loads the character or scenario of a file name or of a ready-made name."""


class Parameter(Struct, frozen=True):
    """A parameter of a rule: its name, its type in words, and its default."""

    name: str
    type: str
    required: bool
    default: Any = None
    choices: tuple[str, ...] = ()
    fields: "tuple[Parameter, ...]" = ()
    """The fields of a structure; each is given as `name.field=value`."""

    def signature(self) -> str:
        """The parameter in one line."""
        return f"{self.name} ({self.type})" if self.required else f"{self.name}={words(self.default)} ({self.type})"


class Call(Struct, frozen=True):
    """A rule with its arguments. It can be called several times."""

    rules: Ruleset
    info: RuleInfo
    function: Callable[..., Any]
    arguments: dict[str, Any]
    asks: bool
    """Whether the rule is a procedure, with rolls or decisions, and not a formula."""

    def value(self) -> Any:
        """Evaluate a formula."""
        with self.fitting():
            return self._called()

    def start(self) -> Play[Any]:
        """Start a run of a procedure."""
        with self.fitting():
            return (yield from self._called())

    def _called(self) -> Any:
        first = [self.rules] if _takes_rules(self.function) else []
        return self.function(*first, **self.arguments)

    @contextmanager
    def fitting(self) -> Iterator[None]:
        """Turn errors of the rule into UserError: arguments can have the right types and still not fit together.

        Play the whole procedure within this context: the driver starts its sub-procedures, and their errors are raised there.
        """
        try:
            yield
        except (LookupError, ArithmeticError, ValueError, AttributeError) as error:
            raise UserError(f"{self.info.id} cannot work with these values ({type(error).__name__}: {error})") from error
        except (StopIteration, RuntimeError) as error:  # a search found nothing; Python wraps StopIteration in a generator
            if not isinstance(error, StopIteration) and not isinstance(error.__cause__, StopIteration):
                raise
            raise UserError(f"{self.info.id} cannot work with these values: they name something that is not among them") from error

    def changes(self, outcome: Any) -> dict[str, Any] | None:
        """The fields that differ between an outcome and the argument of the same type; None if there is no such argument."""
        if not isinstance(outcome, Struct):
            return None
        omitted = [default for name, default in _defaults(self.function) if name not in self.arguments]
        for argument in (*self.arguments.values(), *omitted):
            if type(argument) is type(outcome):
                before, after = plain(argument), plain(outcome)
                return {name: value for name, value in after.items() if value != before.get(name)}
        return None

    def _briefly(self, outcome: Any) -> Any:
        """An outcome as plain data; a part that is a changed argument shows only its changes."""
        whole = plain(outcome)
        if not isinstance(outcome, Struct) or not isinstance(whole, dict):
            return whole
        for field in outcome.__struct_fields__:
            part = getattr(outcome, field)
            changed = self.changes(part)
            if changed is not None:
                itself = {name: value for name, value in changed.items() if name in part.__struct_fields__}
                whole[field] = words(itself) if itself else "no change"
        return whole

    def label(self, outcome: Any) -> str:
        """An outcome in a few words, for JSON: only the changes if the outcome is a changed argument, and every field otherwise."""
        changed = self.changes(outcome)
        if changed is None:
            return words(self._briefly(outcome))
        itself = {name: value for name, value in changed.items() if name in outcome.__struct_fields__}
        return words(itself or changed) if changed else "no change"

    def describe(self, outcome: Any) -> str:
        """An outcome in words for people: only the changes of an argument, and no fields that are zero, false or empty."""
        changed = self._own_changes(outcome)
        if changed is not None:
            return prose.describe(changed, keep_zeros=True) if changed else "no change"
        whole = plain(outcome)
        if not isinstance(outcome, Struct) or not isinstance(whole, dict):
            return prose.describe(whole)
        for field in outcome.__struct_fields__:
            changed = self._own_changes(getattr(outcome, field))
            if changed is not None:
                whole[field] = prose.describe(changed, keep_zeros=True) if changed else ""
        return prose.describe(whole)

    def _own_changes(self, outcome: Any) -> dict[str, Any] | None:
        """The changed fields of an argument, without values that follow from them; all changes if only such values changed."""
        changed = self.changes(outcome)
        if not changed:
            return changed
        return {name: value for name, value in changed.items() if name in outcome.__struct_fields__} or changed


# --- what a rule takes --------------------------------------------------------------------------------------------------------


def names(info: RuleInfo) -> tuple[str, ...]:
    """The names of a rule's functions."""
    return tuple(function.__name__ for function in info.functions)


def choose(info: RuleInfo, name: str | None = None) -> Callable[..., Any]:
    """One of a rule's functions: the first, or the one named."""
    if not info.functions:
        raise UserError(f"{info.id} is {'advice' if info.only_advice else 'a table'}: there is nothing to call")
    if name is None:
        return info.functions[0]
    for function in info.functions:
        if function.__name__ == name:
            return function
    raise UserError(f"{info.id} has no function {name!r}; it has {', '.join(names(info))}")


def is_procedure(function: Callable[..., Any]) -> bool:
    """Whether a function rolls dice or asks for decisions."""
    return inspect.isgeneratorfunction(inspect.unwrap(function))


def parameters(info: RuleInfo, function: str | None = None) -> tuple[Parameter, ...]:
    """The parameters of a rule, in the order of its signature."""
    return tuple(_parameter(taken) for taken in _signature(choose(info, function)))


def signature_of(function: Callable[..., Any]) -> Iterator[tuple[str, Any, bool]]:
    """The parameters of a function: name, type, and whether it must be given."""
    for taken in _signature(function):
        yield taken.name, taken.annotation, taken.required


def structures_of(annotation: Any) -> tuple[type[Struct], ...]:
    """The structures that a parameter may take; none if it takes a plain value or a list."""
    shape = _given_shape(_shape_of(annotation))
    members = shape.types if isinstance(shape, shapes.UnionType) else (shape,)
    return tuple(member.cls for member in members if isinstance(member, shapes.StructType))


def is_number(annotation: Any) -> bool:
    """Whether a parameter takes a number."""
    return isinstance(_given_shape(_shape_of(annotation)), shapes.IntType | shapes.FloatType)


def is_text(annotation: Any) -> bool:
    """Whether a parameter takes any text."""
    return isinstance(_given_shape(_shape_of(annotation)), shapes.StrType)


def made_of(rules: Ruleset, name: str, annotation: Any, thing: Any) -> Any:
    """The structure that a parameter takes, made of a character; an error if it cannot be."""
    shape = _given_shape(_shape_of(annotation))
    if not isinstance(shape, shapes.StructType):
        raise UserError(f"{name} is no structure")
    return _fetched(rules, name, shape, "", lambda _: thing)


class _Taken(Struct, frozen=True):
    name: str
    annotation: Any
    default: Any

    @property
    def required(self) -> bool:
        return self.default is inspect.Parameter.empty


@cache
def _defaults(function: Callable[..., Any]) -> tuple[tuple[str, Any], ...]:
    """The parameters of a function with their defaults."""
    return tuple((name, parameter.default) for name, parameter in inspect.signature(inspect.unwrap(function)).parameters.items())


def _takes_rules(function: Callable[..., Any]) -> bool:
    return next((name for name, _ in _defaults(function)), None) == "rules"


@cache
def _signature(function: Callable[..., Any]) -> tuple[_Taken, ...]:
    unwrapped = inspect.unwrap(function)
    hints = _hints(unwrapped)
    taken = []
    for name, parameter in inspect.signature(unwrapped).parameters.items():
        if name == "rules" or parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            continue
        taken.append(_Taken(name, hints.get(name, Any), parameter.default))
    return tuple(taken)


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    """The types of the parameters. The return type is left out: it may name types that only its module can resolve."""
    plain_function = getattr(function, "__func__", function)
    shadow = types.FunctionType(plain_function.__code__, plain_function.__globals__)
    shadow.__annotations__ = {name: hint for name, hint in plain_function.__annotations__.items() if name != "return"}
    return typing.get_type_hints(shadow)


def _parameter(taken: _Taken) -> Parameter:
    return _described(taken.name, _shape_of(taken.annotation), taken.required, taken.default)


def _described(name: str, shape: shapes.Type, required: bool, default: Any, deep: int = 1) -> Parameter:
    usual = None if required else plain(default)
    return Parameter(name, _type_words(shape), required, usual, _choices(shape), _fields(shape, deep))


@cache
def _shape_of(annotation: Any) -> shapes.Type:
    try:
        return shapes.type_info(annotation)
    except (TypeError, NotImplementedError):
        return shapes.CustomType(annotation)


def _fields(shape: shapes.Type, deep: int) -> tuple[Parameter, ...]:
    shape = _given_shape(shape)
    if not isinstance(shape, shapes.StructType | shapes.NamedTupleType) or deep < 0:
        return ()
    return tuple([_described(field.encode_name, field.type, field.required, _default(field), deep - 1) for field in shape.fields])


def _default(field: shapes.Field) -> Any:
    if field.default is not msgspec.NODEFAULT:
        return field.default
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return None


def _choices(shape: shapes.Type) -> tuple[str, ...]:
    shape = _given_shape(shape)
    if isinstance(shape, shapes.LiteralType):
        return tuple(str(value) for value in shape.values)
    if isinstance(shape, shapes.EnumType):
        return tuple(str(member.value) for member in shape.cls)
    if isinstance(shape, shapes.BoolType):
        return ("true", "false")
    return ()


def _given_shape(shape: shapes.Type) -> shapes.Type:
    """The shape of an optional value without its None."""
    if isinstance(shape, shapes.UnionType):
        given = [member for member in shape.types if not isinstance(member, shapes.NoneType)]
        if len(given) == 1:
            return given[0]
    return shape


def _type_words(shape: shapes.Type) -> str:
    match shape:
        case shapes.IntType():
            return "a whole number"
        case shapes.FloatType():
            return "a number"
        case shapes.StrType():
            return "text"
        case shapes.BoolType():
            return "true or false"
        case shapes.NoneType():
            return "none"
        case shapes.LiteralType(values=values):
            return "one of " + ", ".join(map(str, values))
        case shapes.EnumType(cls=cls):
            return "one of " + ", ".join(str(member.value) for member in cls)
        case shapes.UnionType(types=types):
            return " or ".join(_type_words(member) for member in types)
        case shapes.VarTupleType(item_type=item) | shapes.ListType(item_type=item) | shapes.FrozenSetType(item_type=item):
            between = "; " if isinstance(item, _LISTS) else ", "
            return f"a list (a{between}b), each {_type_words(item)}"
        case shapes.TupleType(item_types=items):
            return ",".join(_type_words(item).removeprefix("a ") for item in items)
        case shapes.DictType(value_type=value):
            return f"names, each with {_type_words(value)}"
        case shapes.NamedTupleType(fields=fields) | shapes.StructType(fields=fields, array_like=True):
            return ":".join(field.name if field.required else f"[{field.name}]" for field in fields)
        case shapes.StructType(cls=cls):
            return f"{cls.__name__}: a file, or its fields"
        case _:
            return "anything"


# --- from what was typed to what the rule takes -------------------------------------------------------------------------------


def prepare(rules: Ruleset, info: RuleInfo, given: Mapping[str, Any], function: str | None = None, fetch: Fetch | None = None) -> Call:
    """Make a call from text or JSON: `{"victim": "ana.yaml", "victim.flesh": "2", "metres": "10"}`."""
    chosen = choose(info, function) if function is not None else fitting(info, given)
    taken = _signature(chosen)
    known = {parameter.name: parameter for parameter in taken}
    whole: dict[str, Any] = {}
    below: dict[str, dict[str, Any]] = {}
    for key, value in given.items():
        name, dot, rest = key.partition(".")
        if name not in known:
            near = nearest(name, known) or f"; it takes {', '.join(known) or 'nothing'}"
            raise UserError(f"{info.id} has no parameter {name!r}{near}")
        if dot:
            _put(below.setdefault(name, {}), rest.split("."), value, key)
        else:
            whole[name] = value
    arguments = {}
    for name, parameter in known.items():
        if name in whole or name in below:
            arguments[name] = _argument(rules, parameter, whole.get(name), below.get(name), fetch)
    missing = [parameter for parameter in taken if parameter.required and parameter.name not in arguments]
    if missing:
        raise UserError(f"{info.id} needs {'; '.join(_parameter(parameter).signature() for parameter in missing)}")
    return Call(rules, info, chosen, arguments, is_procedure(chosen))


def fitting(info: RuleInfo, given: Mapping[str, Any]) -> Callable[..., Any]:
    """The first function of a rule whose parameters match these names, if possible all that it needs; else the first function."""
    names = {key.partition(".")[0] for key in given}
    taking = [function for function in info.functions if names <= {parameter.name for parameter in _signature(function)}]
    for function in taking:
        if all(parameter.name in names for parameter in _signature(function) if parameter.required):
            return function
    return taking[0] if taking and names else choose(info)


def _put(tree: dict[str, Any], path: list[str], value: Any, key: str) -> None:
    for part in path[:-1]:
        tree = tree.setdefault(part, {})
        if not isinstance(tree, dict):
            raise UserError(f"{key}: {part} already has a value; give either {part} or its fields")
    if not all(path) or isinstance(tree.get(path[-1]), dict):
        raise UserError(f"{key}: this is not the name of a field; write name.field=value")
    tree[path[-1]] = value


def _argument(rules: Ruleset, parameter: _Taken, whole: Any, below: dict[str, Any] | None, fetch: Fetch | None) -> Any:
    shape = _shape_of(parameter.annotation)
    if isinstance(shape, shapes.CustomType) and not _made_of(shape):
        raise UserError(f"{parameter.name} cannot be given as text or JSON")
    inner = _given_shape(shape)
    thing: Any = None
    if isinstance(inner, shapes.StructType) and isinstance(whole, str) and whole[:1] != "{":
        thing = _fetched(rules, parameter.name, inner, whole, fetch)
        if below is None:
            return thing
    data = below if whole is None else _typed(whole, shape, parameter.name)
    if whole is not None and below is not None:
        data = _overlaid(msgspec.to_builtins(thing if thing is not None else data), below)
    if isinstance(inner, shapes.StructType) and isinstance(data, dict):
        named = next((field for field in inner.fields if field.encode_name == "name"), None)
        if named is not None and named.required:
            data.setdefault("name", parameter.name)
    return _converted(data, parameter.annotation, shape, parameter.name)


def _made_of(shape: shapes.CustomType) -> bool:
    return shape.cls in (Any, object)


def _fetched(rules: Ruleset, name: str, shape: shapes.StructType, text: str, fetch: Fetch | None) -> Any:
    """The structure behind the key of a table, a file, or the name of a ready-made file."""
    if issubclass(shape.cls, TableRow):
        for rule_id, row_type in registry.row_types.items():
            if row_type is shape.cls and rule_id in rules.book.tables():
                rows = rules.rows(rule_id, row_type)
                if text not in rows:
                    raise UserError(f"{name}: {text!r} is not in the table {rule_id}{nearest(text, rows)}")
                return rows[text]
    if fetch is None:
        raise UserError(f"{name} is a structure: give its fields as {name}.field=value")
    saved = fetch(text)
    if isinstance(saved, shape.cls):
        return saved
    if isinstance(inspect.getattr_static(shape.cls, "of", None), classmethod) and _fits(shape.cls.of, saved):  # type: ignore[attr-defined]
        return shape.cls.of(rules, saved)  # type: ignore[attr-defined]
    for field in getattr(saved, "__struct_fields__", ()):
        if isinstance(getattr(saved, field), shape.cls):
            return getattr(saved, field)
    raise UserError(f"{name} takes {a(shape.cls.__name__)}, and {text} is {a(type(saved).__name__)}")


def _fits(of: Callable[..., Any], saved: Any) -> bool:
    """Whether a type's `of(rules, saved)` takes this type."""
    kinds = [hint for name, hint in _hints(of).items() if name != "rules"]
    return not kinds or not isinstance(kinds[0], type) or isinstance(saved, kinds[0])


def _overlaid(data: Any, over: dict[str, Any]) -> Any:
    """Plain data with some fields replaced."""
    if isinstance(data, list | tuple):
        return _overlaid({str(place): item for place, item in enumerate(data)}, over)
    if not isinstance(data, dict):
        return over
    changed = dict(data)
    for key, value in over.items():
        changed[key] = _overlaid(changed[key], value) if isinstance(value, dict) and key in changed else value
    return changed


def _typed(value: Any, shape: shapes.Type, where: str) -> Any:
    """Bring text into the shape that msgspec converts: lists from commas, field names checked."""
    if isinstance(value, str):
        value = _from_text(value, shape, where)
    shape = _given_shape(shape)
    match shape:
        case shapes.NamedTupleType(fields=fields) | shapes.StructType(fields=fields, array_like=True) if isinstance(value, _SEVERAL):
            return _named(value, fields, where)
        case shapes.StructType(fields=fields) if isinstance(value, dict):
            known = {field.encode_name: field for field in fields}
            if shape.tag_field is not None:
                known.setdefault(shape.tag_field, fields[0] if fields else None)  # type: ignore[arg-type]
            for key in value:
                if key not in known:
                    raise UserError(f"{where} has no field {key!r}{nearest(key, known)}")
            return {key: item if key == shape.tag_field else _typed(item, known[key].type, f"{where}.{key}") for key, item in value.items()}
        case shapes.VarTupleType(item_type=item) | shapes.ListType(item_type=item) | shapes.FrozenSetType(item_type=item):
            alone = isinstance(_given_shape(item), shapes.StructType) and isinstance(value, dict) and not all(map(str.isdecimal, value))
            parts = [value] if alone else _listed(value, where)
            return [_typed(part, item, f"{where}.{place}") for place, part in enumerate(parts)]
        case shapes.TupleType(item_types=items):
            parts = _listed(value, where)
            if len(parts) != len(items):
                raise UserError(f"{where}: give {len(items)} values with commas between them, not {len(parts)}")
            return [_typed(part, item, f"{where}.{place}") for place, (part, item) in enumerate(zip(parts, items, strict=True))]
        case shapes.DictType(value_type=item) if isinstance(value, dict):
            return {key: _typed(part, item, f"{where}.{key}") for key, part in value.items()}
        case shapes.LiteralType(values=values) if isinstance(value, str | int):
            return _one_of(value, values, where)
    if isinstance(value, int | float) and not isinstance(value, bool) and not -MOST <= value <= MOST:
        raise UserError(f"{where}: {value} is out of range; give a number from {-MOST:,} to {MOST:,}")
    if where in AMOUNTS and isinstance(value, int | float) and value < 0:
        raise UserError(f"{where}: {value:g} is negative; give 0 or more")
    return value


_SEVERAL = (dict, list, tuple)
_LISTS = (shapes.VarTupleType, shapes.ListType, shapes.FrozenSetType, shapes.TupleType)


def _from_text(text: str, shape: shapes.Type, where: str) -> Any:
    inner = _given_shape(shape)
    if inner is not shape and text.lower() in ("none", "null", ""):
        return None
    if text[:1] in ("[", "{") and not isinstance(inner, shapes.StrType | shapes.LiteralType):
        try:
            return msgspec.json.decode(text)
        except msgspec.DecodeError as error:
            raise UserError(f"{where}: {text!r} is not JSON: {error}") from None
    match inner:
        case shapes.VarTupleType(item_type=item) | shapes.ListType(item_type=item) | shapes.FrozenSetType(item_type=item):
            between = ";" if isinstance(_given_shape(item), _LISTS) else ","
            return [part.strip() for part in text.split(between)] if text else []
        case shapes.TupleType(item_types=items):
            between = ";" if any(isinstance(_given_shape(item), _LISTS) for item in items) else ","
            return [part.strip() for part in text.split(between)] if text else []
        case shapes.NamedTupleType() | shapes.StructType(array_like=True):
            return text.split(":")
        case shapes.IntType() | shapes.FloatType():
            return _number(text, inner, where)
        case shapes.BoolType():
            if text.lower() in ("true", "yes", "on", "1"):
                return True
            if text.lower() in ("false", "no", "off", "0"):
                return False
            raise UserError(f"{where}: give true or false, not {text!r}")
    return text


def _one_of(value: str | int, values: tuple[str | int | bool | None, ...], where: str) -> str | int | bool | None:
    """Find the allowed value; upper and lower case do not matter."""
    for same in (str, lambda item: str(item).casefold()):
        for allowed in values:
            if same(allowed) == same(value):
                return allowed
    raise UserError(f"{where} is one of {', '.join(map(str, values))}, not {value!r}")


def _number(text: str, shape: shapes.Type, where: str) -> int | float:
    try:
        if isinstance(shape, shapes.IntType):
            return int(text[:20]) if len(text) <= 20 else MOST + 1
        number = float(text)
        return number if math.isfinite(number) else MOST + 1.0
    except ValueError:
        raise UserError(f"{where}: give {_type_words(shape)}, not {text!r}") from None


def _listed(value: Any, where: str) -> list[Any]:
    if isinstance(value, dict):
        if not all(str(key).isdecimal() for key in value):
            raise UserError(f"{where} is a list: number its entries from 0, as in {where}.0=...")
        return [value[key] for key in sorted(value, key=int)]
    if isinstance(value, list | tuple | set | frozenset):
        return list(value)
    raise UserError(f"{where}: give a list, not {value!r}")


def _named(value: Any, fields: Iterable[shapes.Field], where: str) -> list[Any]:
    """The parts of an array-like value, given in order or by name."""
    fields = tuple(fields)
    if isinstance(value, dict):
        known = {field.name: place for place, field in enumerate(fields)}
        numbered = {str(place): place for place in range(len(fields))}
        places = {}
        for key, part in value.items():
            if key not in known and key not in numbered:
                raise UserError(f"{where} has no field {key!r}{nearest(key, known)}")
            places[known.get(key, numbered.get(key, 0))] = part
        value = [places[place] if place in places else _or_default(field, where) for place, field in enumerate(fields)]
    if len(value) > len(fields) or any(field.required for field in fields[len(value) :]):
        raise UserError(f"{where}: write {':'.join(field.name for field in fields)}")
    return [_typed(part, field.type, f"{where}.{field.name}") for part, field in zip(value, fields, strict=False)]


def _or_default(field: shapes.Field, where: str) -> Any:
    if field.required:
        raise UserError(f"{where} needs {field.name} ({_type_words(field.type)})")
    return _default(field)


def _converted(data: Any, annotation: Any, shape: shapes.Type, where: str) -> Any:
    typed = _typed(data, shape, where)
    try:
        return msgspec.convert(typed, annotation, strict=False)
    except msgspec.ValidationError as error:
        raise UserError(_in_words(str(error), where)) from None
    except TypeError:
        raise UserError(f"{where} cannot be given as text or JSON") from None


def _in_words(error: str, where: str) -> str:
    """`Expected `int`, got `str` - at `$.flesh`` as `victim.flesh: expected int, got str`."""
    problem, _, path = error.partition(" - at ")
    place = f"{where}{path.strip('`').removeprefix('$')}"
    lacking = problem.removeprefix("Object missing required field ")
    if lacking != problem:
        return f"{place} needs a value for {lacking.strip('`')}"
    return f"{place}: {problem[:1].lower()}{problem[1:].replace('`', '')}"


# --- tables -------------------------------------------------------------------------------------------------------------------


def rows(rules: Ruleset, info: RuleInfo) -> list[dict[str, Any]]:
    """The rows of a rule's table, with house rules applied. The columns source and note are left out if all rows have the default."""
    if info.table is None:
        raise UserError(f"{info.id} has no table; call it without --rows")
    row_type = registry.row_types.get(info.id)
    result = info.table.rows if row_type is None else [plain(row) for row in rules.rows(info.id, row_type).values()]
    shown = [{key: plain(value) for key, value in row.items()} for row in result]
    for key, usual in (("source", "book"), ("note", "")):
        if all(row.get(key, usual) == usual for row in shown):
            shown = [{name: value for name, value in row.items() if name != key} for row in shown]
    return shown
