"""People and fights for the tests of combat: everybody average unless told otherwise, dice and decisions from a script."""

from msgspec.structs import replace

from foresight.rules_for_tests import RULES
from rulewright.play import Choice, Event, Roll, Rolled, Tell, Together
from rulewright.scenes.encounter import Decided, Encounter
from rulewright.scenes.record import Overruled
from rulewright.systems.foresight.combat.fighters import Fight, Ground, enter
from rulewright.systems.foresight.lab_view.scene import FightScene
from rulewright.systems.foresight.people.attributes import Attributes
from rulewright.systems.foresight.people.characters import Arm, Character, Gear, Known, Worn

ATTRIBUTES = ("ST", "EN", "DX", "AG", "IN", "PC", "EM", "WP", "AP")
SKILLS = {"hth": "Hand-to-Hand Combat", "pain": "Pain Resistance", "frames": "Armor/Exoskeleton"}


def someone(
    name="Ann",
    at=(0.0, 0.0),
    *,
    side="",
    rules=RULES,
    guns=(),
    blades=(),
    armor=(),
    fields=(),
    styles=(),
    favored=(),
    handed="right",
    ground=None,
    body=None,
    state=None,
    weapon="",
    frame=None,
    **levels,
):
    """A fighter by attributes and skill levels; `state` changes the fighter, `body` the body, `weapon` is in hand."""
    attributes = Attributes(**{key: levels.get(key, 9) for key in ATTRIBUTES})
    skills = {SKILLS.get(key, key.capitalize()): value for key, value in levels.items() if key not in ATTRIBUTES}
    gear = Gear(
        ranged=tuple(Arm(each) if isinstance(each, str) else each for each in guns),
        melee=tuple(Arm(each) if isinstance(each, str) else each for each in blades),
        armor=tuple(Worn(*each) for each in armor),
        exoskeleton=frame,
    )
    known = tuple(Known(f"Unarmed Combat {field}") for field in fields)
    known += tuple(Known("Unarmed Combat Exotic Style", name=style) for style in styles)
    character = Character(
        name,
        attributes=attributes,
        skills=skills,
        fields=known,
        favored_weapons=tuple(favored),
        handed=handed,
        gear=gear,
        environments={"Urban": 3},
        gravities={"NL": 3},
    )
    fighter = enter(rules, character, name, side or name, at=at, ground=ground)
    if body:
        fighter = fighter.with_body(replace(fighter.body, **body))
    changes = {"acts": 2, "qr": 3, **(state or {})}
    if weapon:
        changes["hand"] = [owned.name for owned in fighter.profile.weapons].index(weapon)
    return replace(fighter, **changes)


def fight_of(*fighters, **fields):
    """A fight in its first round, everybody facing whoever comes first of another side."""
    from rulewright.systems.foresight.fight.scene import facing_nearest

    fields.setdefault("ground", Ground())
    fields.setdefault("round", 1)
    turn = fields.pop("turned", True)
    return Fight(fighters=tuple(facing_nearest(f, fighters) if turn else f for f in fighters), **fields)


def weapon_at(fighter, name):
    """The place of a weapon among somebody's."""
    return [owned.name for owned in fighter.profile.weapons].index(name)


def told(played):
    """What the log says."""
    return [event.headline() for event in played.events]


def face(reading, qr):
    """A roll of d100 that comes to a rating, and on which nothing fails."""
    for roll in range(1, 101):
        found = reading.read((roll,))
        if found.qr == qr and not found.fails:
            return (roll,)
    raise AssertionError(f"no roll gives QR{qr}: {reading!r}")


def worth(request, given):
    """What a script says, as faces or as a key: "QR3" is any roll of that rating, a number a face, anything else a decision."""
    if isinstance(request, Roll):
        return face(request.reading, int(given[2:])) if isinstance(given, str) else (given,)
    return given


class Table:
    """A scripted table: every line says who is asked and what comes of it, and nobody else may answer."""

    def __init__(self, fight, rules=RULES):
        self.encounter = Encounter.begin(FightScene(rules), fight, "a story")
        self.lines = []
        self.shown = 0

    @property
    def fight(self):
        return self.encounter.state

    def fighter(self, name):
        return self.fight.fighter(name)

    def asks(self):
        """Who is asked now, and for what."""
        return [
            (request.by, request.what) if isinstance(request, Roll) else (request.who, request.topic) for _, request in self.encounter.open
        ]

    def play(self, *lines):
        """Answer the open questions with (who, what is given) pairs, in any order where several are asked at once."""
        for who, given in lines:
            place, request = next(
                ((at, each) for at, each in self.encounter.open if (each.by if isinstance(each, Roll) else each.who) == who),
                (None, None),
            )
            assert request is not None, f"{who} is not asked; open are {self.asks()}"
            self.encounter.give(worth(request, given), place)

    def transcript(self, begin=0):
        """The log as a text that can be read."""
        lines = []
        for line in self.encounter.log[begin:]:
            what = line.what
            if isinstance(what, Rolled):
                result = f"QR{what.result.qr}" if hasattr(what.result, "qr") else str(what.result)
                lines.append(f"    {what.roll.by} rolls {what.faces[0]} for {what.roll.what}: {result}")
            elif isinstance(what, Decided):
                lines.append(f"  {what.who} is asked: {what.question}  {what.answer}.")
            elif isinstance(what, Overruled):
                lines.append(f"  The gamemaster: {what.why}.")
            elif isinstance(what, Event):
                lines.append(what.headline())
        return "\n".join(lines) + "\n"


def drive(procedure, *lines):
    """Play one procedure from a script of (who, given) pairs; everything is used and nothing is missing."""
    left = list(lines)

    def answer(request):
        assert left, f"the script ends before {request.question()}"
        who, given = left.pop(0)
        asked = request.by if isinstance(request, Roll) else request.who
        assert asked == who, f"{asked} is asked ({request.question()}), not {who}"
        if isinstance(request, Roll):
            return request.reading.read(worth(request, given))
        return request.take(given)

    value, events, rolls = None, [], []
    stack = [procedure]
    while stack:
        try:
            request = stack[-1].send(value)
        except StopIteration as done:
            stack.pop()
            value = done.value
            continue
        if isinstance(request, Tell):
            events.append(request.event)
            value = None
        elif isinstance(request, Together):
            value = tuple(_noted(rolls, each, answer(each)) for each in request.requests)
        elif isinstance(request, Roll | Choice):
            value = _noted(rolls, request, answer(request))
        else:
            stack.append(request.start())
            value = None
    assert not left, f"the script has answers left over: {left}"
    return Driven(value, events, rolls)


def _noted(rolls, request, value):
    if isinstance(request, Roll):
        rolls.append((request.by, request.what, request.reading))
    return value


class Driven:
    """What came of a driven procedure."""

    def __init__(self, outcome, events, rolls):
        self.outcome = outcome
        self.events = events
        self.rolls = rolls

    @property
    def told(self):
        return [event.headline() for event in self.events]
