"""Bodies between scenes, as far as the games of the highest die share them: bruises, rehabilitation, fatigue, milestones, cards."""

from collections.abc import Callable
from typing import Any, Literal, Protocol, TypeVar, cast

from msgspec.structs import replace

from rulewright.build.sheet_parts import AnyPiece, Tag, Track
from rulewright.campaign.calendar import DAY, HOUR
from rulewright.campaign.downtime import OngoingEffect
from rulewright.campaign.downtime_rules import RUNS_ON, Case, EffectKind, Figure, Milestone, again
from rulewright.grammar import count
from rulewright.play import Play, Reckoned, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived

Bruise = Literal["flesh", "deep"]
HALF_AN_HOUR = HOUR // 2


class Living(Protocol):
    """A body with the figures of the person that matter between scenes."""

    @property
    def body(self) -> Any: ...

    def with_body(self, body: Any) -> Any:
        """The same person with another body."""


S = TypeVar("S", bound=Living)


class Recovers(Reckoned, frozen=True):
    """Something about a body changes with time."""


# --- bruises ------------------------------------------------------------------------------------------------------------------


class Bruises(EffectKind[S]):
    """Bruises alone fade after a die of hours or days; beside real wounds they heal like these. The data are the seconds of each."""

    name = "bruises"

    def __init__(self, rule: str, lasts: Callable[[Ruleset, Bruise, str], Play[int]]) -> None:
        self.rules = (rule,)
        self.lasts = lasts
        """Rolls how many hours a bruise lasts."""

    def concerns(self, rules: Ruleset, case: Case[S]) -> tuple[str, ...]:
        body = case.life.body
        if body.wounded or body.dead:
            return ()
        return tuple(kind for kind in ("flesh", "deep") if _bruises(body, kind))

    def seconds(self, rules: Ruleset, case: Case[S], effect: OngoingEffect) -> int:
        known = cast(tuple[int, ...], effect.data)
        return min(known) if len(known) == _bruises(case.life.body, effect.about) else 0

    def come_due(self, rules: Ruleset, case: Case[S], effect: OngoingEffect) -> Play[tuple[S, OngoingEffect | None]]:
        body, kind = case.life.body, cast(Bruise, effect.about)
        left = sorted(max(0, int(seconds) - effect.spent) for seconds in effect.data)[: _bruises(body, kind)]
        missing = _bruises(body, kind) - len(left)
        if missing:
            for _ in range(missing):
                left.append(HOUR * (yield from self.lasts(rules, kind, case.name)))
            return case.life, again(effect, *left)
        if not left or left[0]:
            return case.life, again(effect, *left)  # there were more figures than bruises
        body = replace(body, **{f"bruised_{kind}": _bruises(body, kind) - 1})
        yield from Tell(Recovers(case.name, f"recovers: a {'bad bruise' if kind == 'deep' else 'bruise'} fades", "good"))
        return case.life.with_body(body), again(effect, *left[1:]) if left[1:] else None

    def words(self, rules: Ruleset, case: Case[S], effect: OngoingEffect) -> str:
        if len(effect.data) != _bruises(case.life.body, effect.about):
            return "a roll for how long bruises stay"
        return "a bad bruise fades" if effect.about == "deep" else "a bruise fades"


def _bruises(body: Any, kind: str) -> int:
    return int(body.bruised_deep if kind == "deep" else body.bruised_flesh)


# --- rehabilitation -----------------------------------------------------------------------------------------------------------


def rehabilitation_figure(rule: str) -> Figure:
    """How long rehabilitation takes at a location. The books leave it to the gamemaster."""
    return Figure("rehabilitation", "Days of rehabilitation (0: not offered)", low=0, high=366, rule=rule)


class Rehabilitation(EffectKind[S]):
    """Rehabilitation takes away what badly healed Deep wounds have left. The gamemaster says how long it takes."""

    name = "rehabilitation"

    def __init__(self, figure: Figure, rehabilitated: Callable[[Any], Any]) -> None:
        self.rules = (figure.rule,)
        self.figure = figure
        self.rehabilitated = rehabilitated

    def concerns(self, rules: Ruleset, case: Case[S]) -> tuple[str, ...]:
        return ("",) if case.life.body.stiffness and not case.life.body.dead and case.figure(self.figure) else ()

    def seconds(self, rules: Ruleset, case: Case[S], effect: OngoingEffect) -> int:
        return int(case.figure(self.figure)) * DAY

    def come_due(self, rules: Ruleset, case: Case[S], effect: OngoingEffect) -> Play[tuple[S, OngoingEffect | None]]:
        yield from Tell(Recovers(case.name, "has completed the rehabilitation: no more penalty on physical actions", "good"))
        return case.life.with_body(self.rehabilitated(case.life.body)), None

    def words(self, rules: Ruleset, case: Case[S], effect: OngoingEffect) -> str:
        return "rehabilitation ends"


# --- fatigue ------------------------------------------------------------------------------------------------------------------


class Exhaustion(EffectKind[S]):
    """Fatigue, an option: every day costs what people do in it and gives back a night; quiet rest counts by the half hour.

    Its data are the game's figures of weariness and, last, the seconds of the present day.
    """

    name = "fatigue"

    def tires(self, rules: Ruleset, case: Case[S]) -> bool:
        """Whether what a person does costs fatigue."""
        raise NotImplementedError

    def read(self, case: Case[S], data: tuple[int, ...]) -> Any:
        """The weariness in these figures; without figures, as the body has it."""
        raise NotImplementedError

    def written(self, weary: Any) -> tuple[int, ...]:
        """The figures of a weariness."""
        raise NotImplementedError

    def recovers_quietly(self, rules: Ruleset, case: Case[S], weary: Any) -> bool:
        """Whether a person rests and half an hour of it takes something away."""
        raise NotImplementedError

    def after_half_an_hour(self, rules: Ruleset, weary: Any) -> Any:
        """The weariness after half an hour of quiet rest."""
        raise NotImplementedError

    def after_a_day(self, rules: Ruleset, case: Case[S], weary: Any) -> Any:
        """The weariness after a day and a night."""
        raise NotImplementedError

    def borne(self, rules: Ruleset, case: Case[S], weary: Any) -> tuple[Any, Derived[int]]:
        """The body under a weariness, and its penalty."""
        raise NotImplementedError

    def concerns(self, rules: Ruleset, case: Case[S]) -> tuple[str, ...]:
        body = case.life.body
        if not rules.on("fatigue") or body.dead:
            return ()
        return ("",) if self.tires(rules, case) or body.fatigue < 0 or body.collapsed else RUNS_ON

    def seconds(self, rules: Ruleset, case: Case[S], effect: OngoingEffect) -> int:
        weary, today = self._begun(case, effect)
        return min(HALF_AN_HOUR, DAY - today) if self.recovers_quietly(rules, case, weary) else DAY - today

    def come_due(self, rules: Ruleset, case: Case[S], effect: OngoingEffect) -> Play[tuple[S, OngoingEffect | None]]:
        before, today = self._begun(case, effect)
        weary, today, old = before, today + effect.spent, case.life.body
        if today >= DAY:
            weary, today = self.after_a_day(rules, case, weary), 0
        elif effect.spent >= HALF_AN_HOUR and self.recovers_quietly(rules, case, weary):
            weary = self.after_half_an_hour(rules, weary)
        body, penalty = self.borne(rules, case, weary)
        if (body.fatigue, body.collapsed) != (old.fatigue, old.collapsed):
            falls = body.collapsed and not old.collapsed
            what = "collapses from fatigue" if falls else f"has a fatigue penalty of {penalty.value}"
            tone = "good" if weary.total > before.total else "bad"
            yield from Tell(Recovers(case.name, what, tone, (penalty.reason,)))
        goes_on = weary.total or self.tires(rules, case)
        return case.life.with_body(body), again(effect, *self.written(weary), today) if goes_on else None

    def words(self, rules: Ruleset, case: Case[S], effect: OngoingEffect) -> str:
        return "half an hour of rest" if self.seconds(rules, case, effect) <= HALF_AN_HOUR else "a day and a night"

    def _begun(self, case: Case[S], effect: OngoingEffect) -> tuple[Any, int]:
        """The weariness when the effect began or last came due, and the seconds of the day at that time."""
        figures = tuple(int(figure) for figure in effect.data)
        return self.read(case, figures[:-1]), figures[-1] if figures else 0


# --- what can be waited for, and what is shown --------------------------------------------------------------------------------

MILESTONES: tuple[Milestone[Any], ...] = (
    Milestone("well", "is well again", lambda life: _is_well(life.body)),
    Milestone("walks", "can walk", lambda life: life.body.able and not _lamed(life.body)),
    Milestone("no wounds", "has no wounds left", lambda life: not life.body.dead and not life.body.wounded),
    Milestone("stable", "is not dying", lambda life: not life.body.dead and life.body.trauma is None),
    Milestone("collapsed", "collapses from fatigue", lambda life: life.body.collapsed),
    Milestone("dead", "is dead", lambda life: life.body.dead, stops=True),
)


def _is_well(body: Any) -> bool:
    """Neither wounds nor bruises, fatigue or badly healed wounds are left."""
    hurt = body.wounded or body.bruise_boxes or body.trauma is not None or body.coma or body.resuscitated or body.unconscious
    return not (hurt or body.dead or body.fatigue < 0 or body.collapsed or body.stiffness)


def _lamed(body: Any) -> bool:
    """Whether a leg or foot is useless."""
    return any(limb.useless and limb.limb.endswith(("leg", "foot")) for limb in body.limbs)


def body_pieces(body: Any, tired: int, rules: tuple[str, str, str]) -> tuple[AnyPiece, ...]:
    """A body on a card. The rules are those of System Shock, recovery and fatigue; `tired` is the fatigue to show."""
    shock, recovery, fatigue = rules
    marks = ("d",) * (2 * body.deep) + ("f",) * body.flesh + ("b",) * body.bruise_boxes
    states = (
        ("dead", body.dead),
        ("in a coma", body.coma),
        ("collapsed", body.collapsed),
        ("rests from resuscitation", body.resuscitated),
    )
    tags = [Tag(name=name, rule=recovery) for name, holds in states if holds]
    if tired:
        tags.append(Tag(f"{tired:+d}", True, name="fatigue", rule=fatigue))
    if body.stiffness:
        tags.append(Tag(f"{body.stiffness:+d} on physical actions", True, name="badly healed", rule=recovery))
    return (Track(body.system_shock, marks, name="System Shock", rule=shock), *tags)


def wounds_in_words(body: Any, wound: str) -> tuple[str, ...]:
    """The wounds and bruises of a body; `wound` is how the game writes the word."""
    kinds = (
        (body.deep, f"Deep {wound}"),
        (body.flesh, f"Flesh {wound}"),
        (body.bruised_deep, "Deep bruise"),
        (body.bruised_flesh, "Flesh bruise"),
    )
    return tuple(count(number, kind) for number, kind in kinds if number)
