"""The rulesets that these tests play by."""

from rulewright.systems.foresight.settings import BOOK

RULES = BOOK.ruleset()


def under(**settings):
    """The book with some settings changed; underscores stand for hyphens."""
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in settings.items()})
