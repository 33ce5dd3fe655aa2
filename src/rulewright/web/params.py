"""Types for the parameters of handlers: the request, names in a path, form fields, query parameters."""

from typing import Annotated, Any, TypeAlias

from litestar import Request
from litestar.datastructures import FormMultiDict
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter

Asking: TypeAlias = Request[Any, Any, Any]
Named: TypeAlias = FromPath[str]
Sent: TypeAlias = NamedDependency[FormMultiDict]
At: TypeAlias = Annotated[int, QueryParameter(ge=0, le=1000)]
QuestionMark: TypeAlias = Annotated[str, QueryParameter(max_length=64)]


def question_of(request: Asking) -> tuple[int, int, str]:
    """The question that a URL names: its scene, its index and its id."""
    query = request.query_params
    return _small(query.get("scene", "")), _small(query.get("at", "")), query.get("question", "")[:64]


def _small(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else 0
