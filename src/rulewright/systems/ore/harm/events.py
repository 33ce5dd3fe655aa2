"""Log entries for harm without a blow: bleeding, fire, areas, Down and Out Tests."""

from rulewright.grammar import a, count, join
from rulewright.play import Event
from rulewright.rules.reasons import Reason


class Suffered(Event, frozen=True):
    """Harm from something other than a blow."""

    who: str
    what: str
    label: str
    """The label of its only term."""
    points: int
    form: str = "Shock"
    location: str | None = None
    rule: str | None = None

    def headline(self) -> str:
        where = f" to the {self.location}" if self.location else ""
        return f"{self.who} {self.what}: {self.points or 'no'} {self.form}{where}"

    def reasons(self) -> tuple[Reason, ...]:
        return (Reason(self.label, self.points, "+", self.rule),)

    def tone(self) -> str:
        return "bad"


class AreaRolled(Event, frozen=True):
    """The dice of an Area of Effect against a person or a group."""

    who: str
    faces: tuple[int, ...]
    rule: str
    width: int = 0
    """Dice added for the Width of the attacker's set."""

    def headline(self) -> str:
        dice, against = (
            "die of the area shows" if len(self.faces) == 1 else "dice of the area show",
            f" against {self.who}" if self.who else "",
        )
        return f"The {dice} {join(list(map(str, self.faces)))}{against}"

    def reasons(self) -> tuple[Reason, ...]:
        wide = (Reason("Width", self.width, "+", self.rule),) if self.width else ()
        return (Reason("Area Dice", len(self.faces) - self.width, "+", self.rule), *wide)

    def tone(self) -> str:
        return "bad"


class BodyMarked(Event, frozen=True):
    """Downs for the Kill and Outs for the Shock of an attack."""

    who: str
    downs: int
    outs: int
    kill: int
    shock: int
    body: int
    total: int
    """Downs and Outs of all Injuries."""

    def headline(self) -> str:
        marks = [count(many, name) for many, name in ((self.downs, "Down"), (self.outs, "Out")) if many]
        return f"{self.who} gains {join(marks)} ({self.total} in all)"

    def reasons(self) -> tuple[Reason, ...]:
        rule = "ore-4.07-opt07-abstract"
        compared = [
            (name, many, points) for name, many, points in (("Down", self.downs, self.kill), ("Out", self.outs, self.shock)) if many
        ]
        forms = {"Down": "Kill", "Out": "Shock"}
        return tuple(
            [Reason(f"{forms[name]} {points} against Body {self.body}: {name}s", many, "+", rule) for name, many, points in compared]
        )

    def tone(self) -> str:
        return "bad"


class BodyTested(Event, frozen=True):
    """A Down or Out Test and its result."""

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
        names = [f"{a(name)} Box is crossed off"] if self.boxes else []
        names += ["-1d on every roll"] if self.dice_lost else []
        names += [f"one more {name}"] if self.marks else []
        return f"{self.who}'s {name} Test: {join(names) or 'no harm'}"

    def reasons(self) -> tuple[Reason, ...]:
        rule = "ore-4.07-opt07-down-out-tests"
        dice = max(0, self.threshold - self.penalty)
        terms = [Reason("Health Threshold", self.threshold, "+", rule)]
        terms += [Reason("wounds", -self.penalty, "+", rule)] if self.penalty else []
        terms += [Reason("never below", 0, "at least", rule)] if self.penalty > self.threshold else []
        return Reason("dice", dice, "=", rule, terms=tuple(terms)), Reason("Difficulty: sum of Downs and Outs", self.difficulty, "=", rule)

    def tone(self) -> str:
        return "bad" if self.boxes or self.dice_lost or self.marks else "good"
