"""What the log tells of hazards adds up."""

from rulewright import library
from rulewright.play import Seeded, play
from rulewright.rules.reasons import holds
from rulewright.scenes.scene import run


def test_every_sum_of_an_ordeal_holds():
    staged = library.stage("silhouette/ordeal")
    for seed in range(4):
        told = play(run(staged.scene, staged.state), dice=Seeded(seed), decide=staged.decide)
        events = [event for event in told.events if event.reasons()]
        assert events
        assert all(holds(reason) for event in events for reason in event.reasons())
