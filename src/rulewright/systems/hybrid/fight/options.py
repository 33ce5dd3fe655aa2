"""Options from keys, and the labels of attack modes and defenses."""

from rulewright.play import Option
from rulewright.play.cache import cached

LABELS = {
    "dodge": "dodge (20 counts, ends in a fall)",
    "drop prone": "drop prone (5 counts)",
    "plain": "plainly",
    "enough": "nothing more",
}


@cached(20_000)
def options(keys: tuple[str, ...]) -> tuple[Option[str], ...]:
    """Keys as options."""
    return tuple(Option(key, LABELS.get(key, key.replace(":", " ")), key) for key in keys)
