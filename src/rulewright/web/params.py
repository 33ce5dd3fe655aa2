"""What every page is asked with: a request, a name from its address, the fields of a form."""

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
    """The question that an address is about: its scene, its place, its mark."""
    asked = request.query_params
    return _small(asked.get("scene", "")), _small(asked.get("at", "")), asked.get("question", "")[:64]


def _small(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else 0
