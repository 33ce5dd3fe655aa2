"""What the log tells of harm that is no blow: blood, fire, what one stands in, tests of a failing body."""

from rulewright.play import Event
from rulewright.rules.reasons import Reason


class Suffered(Event, frozen=True):
    """Something that is no blow did this to somebody."""

    who: str
    what: str
    label: str
    """What it is made of."""
    points: int
    form: str = "Shock"
    location: str | None = None
    rule: str | None = None

    def headline(self) -> str:
        where = f" to the {self.location}" if self.location else ""
        return f"{self.who} {self.what}: {self.points} {self.form}{where}"

    def reasons(self) -> tuple[Reason, ...]:
        return (Reason(self.label, self.points, "+", self.rule),)

    def tone(self) -> str:
        return "bad"


class BodyTested(Event, frozen=True):
    """A Down or an Out Test, and what it came to."""

    who: str
    track: str
    threshold: int
    penalty: int
    difficulty: int
    boxes: int
    dice_lost: int
    marks: int

    def headline(self) -> str:
        name = self.track.capitalize()
        names = [f"a {name} Box is crossed off"] if self.boxes else []
        names += ["a die less on every roll"] if self.dice_lost else []
        names += [f"a {name} more"] if self.marks else []
        return f"{self.who}'s {name} Test: {' and '.join(names) or 'no harm'}"

    def reasons(self) -> tuple[Reason, ...]:
        rule = "ore-4.07-opt07-down-out-tests"
        dice = max(0, self.threshold - self.penalty)
        terms = [Reason("Health Threshold", self.threshold, "+", rule)]
        terms += [Reason("wounds", -self.penalty, "+", rule)] if self.penalty else []
        terms += [Reason("never below", 0, "at least", rule)] if self.penalty > self.threshold else []
        return Reason("dice", dice, "=", rule, terms=tuple(terms)), Reason("Difficulty: all Downs and Outs", self.difficulty, "=", rule)

    def tone(self) -> str:
        return "bad" if self.boxes or self.dice_lost or self.marks else "good"
