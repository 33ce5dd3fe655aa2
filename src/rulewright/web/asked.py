"""What every page is asked with: a request, a name from its address, the fields of a form."""

from typing import Any, TypeAlias

from litestar import Request
from litestar.datastructures import FormMultiDict
from litestar.di import NamedDependency
from litestar.params import FromPath

Asking: TypeAlias = Request[Any, Any, Any]
Named: TypeAlias = FromPath[str]
Sent: TypeAlias = NamedDependency[FormMultiDict]
