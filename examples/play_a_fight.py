"""A fight question by question: questions, exact chances of options, log, and undo."""

from rulewright import library
from rulewright.play import Choice, Seeded
from rulewright.scenes.chances import Asked, weigh
from rulewright.scenes.encounter import Encounter

staged = library.stage("scumm/duel")
encounter = Encounter.begin(staged.scene, staged.state, "an example")
dice = Seeded(7)
chances_shown = False
while encounter.open and not chances_shown:
    at, request = encounter.open[0]
    if isinstance(request, Choice) and request.topic == "act":
        print(f"{request.who}: {request.ask_for}")
        for option in weigh(Asked(encounter.moment(at), (None,), staged.decide)):
            print(f"  {option.key:<30}", ", ".join(f"{outcome.name} {outcome.chance:.1%}" for outcome in option.outcomes) or option.why_not)
        chances_shown = True
    else:
        encounter.advance(dice, staged.decide)
answered = len(encounter.entries)
encounter.play_out(dice, staged.decide)
print(encounter.log[-1].what.headline() if hasattr(encounter.log[-1].what, "headline") else "the end")
encounter.undo()
print(f"{answered} answers to the first question, {len(encounter.entries)} entries in the record, the last of them an undo")
