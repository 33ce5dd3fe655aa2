"""Bodies under the three damage systems, and how they take damage (lines 4304-4332).

`fresh` makes a body; `damage` hurts it (after armour); `hindered` gives its penalties; `lasting.a_round_passes` applies bleeding, fire
and body tests. Bodies are `Located` (boxes by location), `Vital` (see `vital`) or `Abstract` (see `abstract`); all have `able`, `dead`,
`unconscious` and `down`.
"""

from typing import NamedTuple, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.play import Choice, Event, Happened, Option, Play, Tell
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Reason, at_least
from rulewright.systems.ore.harm.locations import LEGS, LIMBS, TRUNK, Location, anatomy

MOST_STATISTIC = 20


class Wound(Struct, frozen=True, gc=False):
    """A Wound: location, whether it bleeds, and rounds since it last did."""

    location: Location = "torso"
    bleeding: bool = True
    rounds: int = 0


class Part(Struct, frozen=True, gc=False):
    """A location: its boxes, Shock and Kill."""

    location: Location
    boxes: int
    shock: int = 0
    kill: int = 0

    def __post_init__(self) -> None:
        if min(self.shock, self.kill) < 0 or self.shock + self.kill > self.boxes:
            raise UserError(f"the {self.location} has {self.boxes} boxes, too few for {self.shock} Shock and {self.kill} Kill")

    @property
    def empty(self) -> int:
        """Empty boxes."""
        return self.boxes - self.shock - self.kill

    @property
    def out(self) -> bool:
        """Whether every box is marked: it cannot be used."""
        return self.shock + self.kill >= self.boxes

    @property
    def slain(self) -> bool:
        """Whether every box has Kill: severed, or dead."""
        return self.kill >= self.boxes


class Body(Struct, frozen=True, cache_hash=True, kw_only=True, gc=False):
    """Common fields of bodies: Body statistic, Wounds, and continuous damage (the Width of each attack)."""

    statistic: int = 2
    wounds: tuple[Wound, ...] = ()
    burning: tuple[int, ...] = ()
    ignores: int = 0
    """Points that Hard To Kill can still ignore this session."""
    luck: int = 0
    """Rerolls left for Lucky this session."""
    drama: int = 0
    """Drama Points left."""
    threshold: int = 0
    """Wound Threshold bonus from feats."""

    def __post_init__(self) -> None:
        if not 1 <= self.statistic <= MOST_STATISTIC:
            raise UserError(f"a Body statistic goes from 1 to {MOST_STATISTIC}, not {self.statistic}")

    @property
    def dead(self) -> bool:
        """Whether it is dead."""
        raise NotImplementedError

    @property
    def unconscious(self) -> bool:
        """Whether it is alive but not awake."""
        raise NotImplementedError

    @property
    def down(self) -> bool:
        """Whether it is awake but can only crawl."""
        raise NotImplementedError

    @property
    def able(self) -> bool:
        """Whether this body can still act."""
        return not (self.dead or self.unconscious or self.down)

    def usable(self, location: Location) -> bool:
        """Whether a location can be used."""
        return True

    def record(self) -> str:
        """The damage as on a sheet."""
        raise NotImplementedError


class Located(Body, frozen=True, cache_hash=True, kw_only=True, tag="locations"):
    """A body with boxes by location."""

    parts: tuple[Part, ...] = ()

    def part(self, location: Location) -> Part:
        """A location; without boxes of its own it belongs to the torso."""
        for part in self.parts:
            if part.location == location:
                return part
        if location == "torso":
            raise UserError("a body needs at least a torso")
        return self.part("torso")

    def put(self, part: Part) -> "Located":
        """The body with a changed location."""
        return replace(self, parts=tuple([part if candidate.location == part.location else candidate for candidate in self.parts]))

    @property
    def dead(self) -> bool:
        return _standing(self)[0]

    @property
    def unconscious(self) -> bool:
        return _standing(self)[1]

    @property
    def down(self) -> bool:
        return _standing(self)[2]

    @property
    def able(self) -> bool:
        return _standing(self) == WELL

    @property
    def legs_out(self) -> int:
        """Unusable legs: one halves running, two allow only crawling."""
        return sum([self.part(leg).out for leg in LEGS])

    def usable(self, location: Location) -> bool:
        return not self.part(location).out

    def record(self) -> str:
        hurt = [f"{part.location} {'X' * part.kill}{'/' * part.shock}" for part in self.parts if part.shock or part.kill]
        return ", ".join(hurt) or "unhurt"


WELL = (False, False, False)
"""Neither dead, unconscious nor down."""


@cached(100_000)
def _standing(body: Located) -> tuple[bool, bool, bool]:
    """Whether the body is dead, unconscious or down; head and torso decide."""
    vital = [part for part in body.parts if part.location in TRUNK]
    dead = body.part("head").slain or any(part.slain for part in vital)
    return dead, not dead and body.part("head").out, not dead and any(part.out for part in vital)


class Vital(Body, frozen=True, cache_hash=True, kw_only=True, tag="vital"):
    """A body with Kill, Vital and Shock Boxes."""

    vital_boxes: int = 5
    kill_lost: int = 0
    vital_lost: int = 0
    shock: int = 0
    tougher: int = 0
    """Body bonus from feats for Kill Boxes and Shock Boxes."""
    steadier: int = 0

    @property
    def kill_boxes(self) -> int:
        """A Kill Box for every point of Body."""
        return self.statistic + self.tougher

    @property
    def shock_lost(self) -> int:
        """Lost Shock Boxes: one per Body points of Shock."""
        return min(self.vital_boxes, self.shock // (self.statistic + self.steadier))

    @property
    def dead(self) -> bool:
        return self.vital_lost >= self.vital_boxes

    @property
    def unconscious(self) -> bool:
        return not self.dead and self.shock_lost >= self.vital_boxes

    @property
    def down(self) -> bool:
        return False

    @property
    def able(self) -> bool:
        return self.vital_lost < self.vital_boxes and self.shock < self.vital_boxes * (self.statistic + self.steadier)

    def record(self) -> str:
        lost = ((self.kill_lost, "Kill"), (self.vital_lost, "Vital"), (self.shock_lost, "Shock"))
        return ", ".join([f"{count} {name} Box{'es' if count > 1 else ''} lost" for count, name in lost if count]) or "unhurt"


class Injury(Struct, frozen=True, gc=False):
    """An Injury: Downs, Outs and lost dice. With a penalty it is a Wound."""

    downs: int = 0
    outs: int = 0
    penalty: int = 0

    def __str__(self) -> str:
        return f"D{self.downs}/O{self.outs}/-{self.penalty}"


class Abstract(Body, frozen=True, cache_hash=True, kw_only=True, tag="abstract"):
    """A body with Injuries, three Down Boxes and three Out Boxes; `rounds` since the last test."""

    injuries: tuple[Injury, ...] = ()
    down_boxes: int = 0
    out_boxes: int = 0
    stabilised: bool = False
    rounds: int = 0

    @property
    def total(self) -> int:
        """The sum of Downs and Outs: the Difficulty of every test."""
        return sum([injury.downs + injury.outs for injury in self.injuries])

    @property
    def penalty(self) -> int:
        """Dice lost to Wounds, as a positive number."""
        return sum([injury.penalty for injury in self.injuries])

    @property
    def health_threshold(self) -> int:
        """Body plus four."""
        return 4 + self.statistic

    @property
    def mauled(self) -> bool:
        """Whether Downs plus Outs exceed the Health Threshold (ruling: their sum)."""
        return self.total > self.health_threshold

    @property
    def dead(self) -> bool:
        return self.down_boxes >= 3 or self.out_boxes >= 3

    @property
    def unconscious(self) -> bool:
        return not self.dead and self.out_boxes > 0

    @property
    def down(self) -> bool:
        return not self.dead and self.down_boxes > 0

    def record(self) -> str:
        boxes = [("Incapacitated", "Dying", "Dead")[self.down_boxes - 1]] if self.down_boxes else []
        boxes += [("Unconscious", "Comatose", "Dead")[self.out_boxes - 1]] if self.out_boxes else []
        return ", ".join([*map(str, self.injuries), *(["Mauled"] if self.mauled else []), *boxes]) or "unhurt"


AnyBody: TypeAlias = Located | Vital | Abstract
B = TypeVar("B", bound=AnyBody)


@rule("ore-4.07-health-boxes")
def fresh(rules: Ruleset, statistic: int = 2) -> AnyBody:
    """An unhurt body with boxes by location."""
    return Located(statistic=statistic, parts=tuple([Part(part.location, part.boxes) for part in anatomy(rules)]))


# --- what hurts ---------------------------------------------------------------------------------------------------------------


class Dealt(NamedTuple):
    """Damage in its two forms."""

    kill: int = 0
    shock: int = 0


@rule("ore-4.07-kill-and-shock")
def dealt(width: int = 3, kill: int | None = 0, shock: int | None = 1) -> Dealt:
    """The damage of an attack: Width in Kill and Shock, changed by the weapon; an absent form is 0. At least 0."""
    return Dealt(0 if kill is None else max(0, width + kill), 0 if shock is None else max(0, width + shock))


A_TORSO = Part("torso", 10)


@rule("ore-4.07-shock-marking")
def mark_shock(part: Part = A_TORSO, shock: int = 1) -> tuple[Part, int]:
    """Marks Shock in empty boxes; returns the points without room."""
    took = min(shock, part.empty)
    return (replace(part, shock=part.shock + took) if took else part), shock - took


@rule("ore-4.07-kill-marking")
def mark_kill(part: Part = A_TORSO, kill: int = 1) -> tuple[Part, int]:
    """Marks Kill in empty boxes, then over Shock; returns the points without room. Overwritten Shock is gone (ruling)."""
    empty = min(kill, part.empty)
    over = min(kill - empty, part.shock)
    took = empty + over
    return (replace(part, kill=part.kill + took, shock=part.shock - over) if took else part), kill - took


class Coming(NamedTuple):
    """A blow on its way: Width, damage dealt, after location, and after armour; Kill and Shock each. `by` are the named parts of the
    damage beside Width."""

    width: int
    dealt: tuple[int, int]
    full: tuple[int, int]
    through: tuple[int, int]
    by: tuple[tuple[str, int, int], ...] = ()
    armour: tuple[str, int, int, int, int, int] = ("", 0, 0, 0, 0, 0)
    """The name of the armour, and the points of shield, cover, resistance or ward, dodge, and ignored Shock."""

    def protection(self) -> str:
        """The names of everything that stopped some of it."""
        others = ("shield", "cover", "resistance or ward", "dodge", "ignored Shock")
        names = [self.armour[0]] if self.armour[0] else []
        return join([*names, *[name for name, points in zip(others, self.armour[1:], strict=True) if points]]) or "protection"

    def terms(self, form: int, taken: int, ignored: int) -> tuple[Reason, ...]:
        """The terms of one form of damage: 0 for Kill, 1 for Shock. `ignored` are points that Hard To Kill ignored."""
        dealt, full, through = self.dealt[form], self.full[form], self.through[form]
        rule, slash = "ore-4.07-kill-and-shock", taken + ignored - through
        named = [(label, points[form]) for label, *points in self.by if points[form]]
        terms = [Reason("Width", self.width, "+", rule), *[Reason(label, points, "+", rule) for label, points in named]]
        rest = dealt - self.width - sum([points for _, points in named])
        terms += (
            [at_least(dealt, rule=rule) if rest > 0 and not dealt else Reason("the manner of the attack", rest, "+", rule)] if rest else []
        )
        terms += [Reason("called shot", full - dealt, "+", "ore-4.07-opt08-called-shot")] if full != dealt else []
        terms += [Reason(self.protection(), through - full, "+", "ore-4.08-armour")] if through != full else []
        terms += [Reason("Slash: counts towards a Wound", slash, "+", "ore-4.07-opt09-wounds")] if slash else []
        terms += [Reason("Hard To Kill", -ignored, "+", "ore-2.27-hard-to-kill")] if ignored else []
        return tuple(terms)


class Hurt(Event, frozen=True):
    """Damage that came through: what it was, and how the body stands now."""

    name: str
    location: Location
    kill: int
    shock: int
    before: AnyBody
    after: AnyBody
    came: Coming | None = None
    ignored: Dealt = Dealt()
    """Damage that Hard To Kill ignored."""

    def reasons(self) -> tuple[Reason, ...]:
        if self.came is None:
            return ()
        forms = (("Kill", 0, self.kill), ("Shock", 1, self.shock))
        return tuple([Reason(name, taken, "=", terms=self.came.terms(form, taken, self.ignored[form])) for name, form, taken in forms])

    def headline(self) -> str:
        amounts = " and ".join([f"{amount} {kind}" for amount, kind in ((self.kill, "Kill"), (self.shock, "Shock")) if amount])
        where = _where(self.before, self.after, self.location)
        return f"{self.name} takes {amounts or 'no damage'}{where}{_change(self.before, self.after)}"

    def tone(self) -> str:
        return "bad"


def _where(before: AnyBody, after: AnyBody, location: Location) -> str:
    """The hit location in words, and the torso if it takes what a useless limb or head cannot."""
    if not isinstance(before, Located) or not isinstance(after, Located):
        return ""
    name = f"the {'vital part' if location == 'vital' else location}"
    changed = [now.location for was, now in zip(before.parts, after.parts, strict=True) if was != now]
    if location == "torso" or "torso" not in changed:
        return f" to {name}"
    if location in changed:
        return f" to {name} and the torso"
    return f" to the torso, because {name} is {'lost' if before.part(location).slain else 'useless'}"


def _change(before: AnyBody, after: AnyBody) -> str:
    """The consequences of damage in words."""
    news = _news(before, after)
    return ": " + ", ".join(news) if news else ""


def _news(before: AnyBody, after: AnyBody) -> list[str]:
    states = (("is dead", "dead"), ("falls unconscious", "unconscious"), ("is down", "down"))
    news = [words for words, state in states if getattr(after, state) and not getattr(before, state)][:1]
    if isinstance(before, Located) and isinstance(after, Located):
        limbs = [(was, now) for was, now in zip(before.parts, after.parts, strict=True) if now.location in LIMBS]
        news += [f"loses the {now.location}" for was, now in limbs if now.slain and not was.slain]
        news += [f"cannot use the {now.location}" for was, now in limbs if now.out and not was.out and not now.slain]
    if len(after.wounds) > len(before.wounds):
        news.append("has a bleeding Wound")
    if isinstance(before, Abstract) and isinstance(after, Abstract) and after.mauled and not before.mauled:
        news.append("is Mauled")
    return news


def hurt(
    rules: Ruleset,
    body: AnyBody,
    location: Location = "torso",
    shock: int = 0,
    kill: int = 0,
    by: str = "",
    slash: int = 0,
    coming: Coming | None = None,
) -> Play[AnyBody]:
    """`damage` with a log entry; Hard To Kill ignores some first."""
    whole = Dealt(kill, shock)
    body, shock, kill = yield from shrugs(body, shock, kill, by)
    ignored = Dealt(whole.kill - kill, whole.shock - shock)
    if isinstance(body, Abstract):  # the damage first, then the Downs, Outs and tests that it causes
        yield Tell(Hurt(by, location, kill, shock, body, body, coming, ignored))
        injured: AnyBody = yield from damage(rules, body, location, shock, kill, by, slash)
        if news := _news(body, injured):
            yield Tell(Happened(by, join(news), "bad"))
        return injured
    after = yield from damage(rules, body, location, shock, kill, by, slash)
    yield Tell(Hurt(by, location, kill, shock, body, after, coming, ignored))
    return after


@rule("ore-2.27-hard-to-kill")
def shrugs(body: B, shock: int = 0, kill: int = 0, by: str = "") -> Play[tuple[B, int, int]]:
    """Asks how much damage after armour Hard To Kill ignores (ruling); returns the body and the Shock and Kill left. The first option
    ignores most, Kill before Shock."""
    most = min(body.ignores, shock + kill)
    if most <= 0:
        return body, shock, kill
    ask = f"You take {_amounts(kill, shock)}. What does Hard To Kill ignore?"
    less_kill, less_shock = yield from Choice(by, ask, _to_ignore(most, kill, shock), body, "hard to kill")
    return replace(body, ignores=body.ignores - less_kill - less_shock), shock - less_shock, kill - less_kill


@cached(2_000)
def _to_ignore(most: int, kill: int, shock: int) -> tuple[Option[tuple[int, int]], ...]:
    """The options to ignore damage, most and Kill first."""
    ways = [(k, s) for k in range(min(most, kill), -1, -1) for s in range(min(most - k, shock), -1, -1)]
    return tuple([Option(_amounts(*way) or "no", (_amounts(*way) or "nothing").capitalize(), way) for way in ways])


def _amounts(kill: int, shock: int) -> str:
    return " and ".join([f"{points} {form}" for points, form in ((kill, "kill"), (shock, "shock")) if points])


@rule("ore-4.07-shock-marking", "ore-4.07-kill-marking")
def damage(
    rules: Ruleset, body: AnyBody | None = None, location: Location = "torso", shock: int = 0, kill: int = 0, by: str = "", slash: int = 0
) -> Play[AnyBody]:
    """Applies damage after armour: Shock first, then Kill, in boxes of the hit location. `by` names the owner; `slash` is Kill that only
    counts towards a Wound."""
    yield from ()
    unhurt = fresh(rules) if body is None else body
    if not isinstance(unhurt, Located):
        raise UserError("this body has no hit locations; the campaign uses another damage system")
    after = marked(rules, unhurt, location, shock, kill)
    return wounded(rules, after, location, shock, kill, slash)


@rule("ore-4.07-shock-marking", "ore-4.07-kill-marking")
def marked(rules: Ruleset, body: Located, location: Location = "torso", shock: int = 0, kill: int = 0) -> Located:
    """Marks points at a location. Excess from limbs and head goes to the torso; excess Shock in the torso (or vital part) becomes Kill.
    Kill takes empty boxes, then those with Shock; only a slain location passes Kill on (ruling)."""
    if min(shock, kill) < 0:
        raise UserError("damage cannot be negative")
    part = body.part(location)
    part, shock = mark_shock(part, shock)
    if part.location in TRUNK:
        return body.put(mark_kill(part, kill + shock)[0])
    if rules.word("kill-where-out") == "goes to the torso":
        over = max(0, kill - part.empty)
        part, kill = mark_kill(part, kill - over)[0], over
    else:
        part, kill = mark_kill(part, kill)
    body = body.put(part)
    return marked(rules, body, "torso", shock, kill) if shock or kill else body


@rule("ore-4.07-opt09-wounds")
def wounded(rules: Ruleset, body: AnyBody, location: Location = "torso", shock: int = 0, kill: int = 0, slash: int = 0) -> AnyBody:
    """Wounds from one attack: none without the option."""
    return body


@rule("ore-4.07-shock-marking")
def shock_to(rules: Ruleset, body: AnyBody, location: Location = "torso", shock: int = 1) -> AnyBody:
    """Shock that ignores protection, at a location."""
    if not isinstance(body, Located):
        raise UserError("this body has no hit locations; the campaign uses another damage system")
    return marked(rules, body, location, shock)


# --- what it costs ------------------------------------------------------------------------------------------------------------


class Hindrance(Struct, frozen=True, array_like=True, gc=False):
    """Penalties on every roll: dice and Height, as positive numbers."""

    dice: int = 0
    height: int = 0


def hindered(rules: Ruleset, body: AnyBody) -> Hindrance:
    """The penalties of a body: a die per Wound, plus those of the damage system."""
    system = system_hindrance(rules, body)
    return Hindrance(system.dice + len(body.wounds), system.height) if body.wounds else system


@rule("ore-4.07-health-boxes")
def system_hindrance(rules: Ruleset, body: AnyBody) -> Hindrance:
    """Marked boxes cost nothing by themselves."""
    return Hindrance()


class Speed(NamedTuple):
    """Movement: a divisor of the usual speed, or crawling."""

    divided_by: int = 1
    crawling: bool = False


@rule("ore-4.07-shock-marking")
def legs(body: AnyBody) -> Speed:
    """One leg Out halves running; both, or being Down, allow only crawling."""
    if not isinstance(body, Located):
        return Speed(crawling=body.down)
    return Speed(2 if body.legs_out == 1 else 1, body.legs_out > 1 or body.down)
