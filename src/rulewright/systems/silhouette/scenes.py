"""The kinds of scenes besides fights that a scenario can name."""

from collections.abc import Mapping

from rulewright.system import Staging

STAGINGS: Mapping[str, Staging] = {}
