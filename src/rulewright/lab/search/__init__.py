"""Search as a decider, for any scene of any game: whoever plays by themselves plays to win, knowing what their side knows.

>>> from rulewright.lab.examples.dares import Dares, Dare  # doctest: +SKIP
"""

from rulewright.lab.search.levels import LEVELS, Level, level
from rulewright.lab.search.matches import Match, play
from rulewright.lab.search.mind import Mind, Thought, Valued

__all__ = ["LEVELS", "Level", "Match", "Mind", "Thought", "Valued", "level", "play"]
