"""Types for the parameters of handlers: the request, names in a path, form fields, query parameters."""

from typing import Annotated, Any, TypeAlias

from litestar import Request
from litestar.datastructures import FormMultiDict
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter

WebRequest: TypeAlias = Request[Any, Any, Any]
PathText: TypeAlias = FromPath[str]
FormFields: TypeAlias = NamedDependency[FormMultiDict]
QuestionIndex: TypeAlias = Annotated[int, QueryParameter(ge=0, le=1000)]
QuestionId: TypeAlias = Annotated[str, QueryParameter(max_length=64)]


def parse_question(request: WebRequest) -> tuple[int, int, str]:
    """The question that a URL names: its scene, its index and its id."""
    query = request.query_params
    return _parse_small(query.get("scene", "")), _parse_small(query.get("at", "")), query.get("question", "")[:64]


def _parse_small(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else 0


def address_of(request: WebRequest) -> str:
    """The address from which a request comes."""
    return request.client.host if request.client is not None else ""
