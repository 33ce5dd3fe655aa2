"""AI players for any scene of any game: they search for the best answer with what their side knows.

>>> from rulewright.lab.examples.dares import Dares, Pot
>>> from rulewright.play import first_option
>>> from rulewright.scenes.encounter import Encounter
>>> encounter = Encounter.begin(Dares(), Pot(bold=1, meek=3))
>>> mind = Mind(encounter.scene, {}, first_option, level("good").counted, seed=1)
>>> thought = mind.think(encounter.moment(0))
>>> thought.answer, [option.key for option in thought.options]
('one', ['one', 'two'])
"""

from rulewright.lab.search.levels import LEVELS, Level, level, who_plays
from rulewright.lab.search.matches import Match, play
from rulewright.lab.search.planner import Mind, Thought, Valued
from rulewright.lab.search.review import Costly, review

__all__ = ["LEVELS", "Costly", "Level", "Match", "Mind", "Thought", "Valued", "level", "play", "review", "who_plays"]
