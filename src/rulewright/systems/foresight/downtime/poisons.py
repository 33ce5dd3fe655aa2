"""Poison and drink between scenes (book lines 2404, 2742-2748)."""

from collections.abc import Mapping

from msgspec.structs import replace

from rulewright.campaign.calendar import HOUR, MINUTE
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, Begun, Case, Change, EffectKind, Figure, again
from rulewright.play import Happened, Play, Tell, sub
from rulewright.rules import Ruleset
from rulewright.systems.foresight.downtime.hazards import calmed, told_wounds
from rulewright.systems.foresight.downtime.survivors import Senseless, Survivor
from rulewright.systems.foresight.harm.body import BODY_LIMITS, Patient
from rulewright.systems.foresight.harm.hazards import MOST_DOSES, POISONS, PoisonEffect, PoisonRow, strength_of_dose, suffer_dose

Now = Case[Survivor]
POISON = "poison"
DRUNKEST = int(BODY_LIMITS["drunk"][1])
OWN = "its own"
DOES: dict[str, PoisonEffect] = {"damage": "damage", "paralysis": "paralysis", "sleep": "sleep"}
LEAVES: dict[PoisonEffect, Senseless] = {"damage": "", "paralysis": "paralysed", "sleep": "unconscious"}


class Poisoned(Begun[Survivor]):
    """A poison: a dose at every interval until it has run its course. A dose that does something is the symptom.

    Its data are the arguments, then the doses so far and how the last one struck (0: it did nothing, or has done it already).
    """

    name = POISON
    label = "give a poison"
    rules = ("fs-poison",)
    arguments = (
        Figure("poison", "Poison of the table, or a name", takes="text", needed=True, rule="fs-poison"),
        Figure("does", "What it does", (OWN, *DOES), rule="fs-poison"),
        Figure("dc", "Damage class (0: the table's)", low=0, high=100, rule="fs-poison"),
        Figure("every", "Time between doses (empty: the table's)", takes="span", rule="fs-poison"),
        Figure("lasts", "How long it works (empty: the table's)", takes="span", rule="fs-poison"),
        Figure("onset", "Time until it begins to work", takes="span", rule="fs-poison"),
    )
    hidden = True
    ailment = True

    def begun(self, rules: Ruleset, given: Mapping[str, Value]) -> OngoingEffect:
        effect = super().begun(rules, given)
        poison_of(rules, effect)
        return effect

    def shows(self, effect: OngoingEffect) -> bool:
        return _struck(effect) > 0

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        if case.life.body.dead:
            return None
        if _struck(effect):
            return 0
        onset = 0 if _doses(effect) else int(effect.data[5])
        return onset + max(1, round(poison_of(rules, effect).every_minutes * MINUTE))

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        row, doses, struck = poison_of(rules, effect), _doses(effect), _struck(effect)
        body = case.life.body
        if not struck:
            strength = yield from sub(strength_of_dose, rules, body, row.dc, row.effect)
            yield from Tell(Happened(case.name, f"{effect.about}: {'takes effect' if strength else 'no effect yet'}"))
            doses += 1
            if strength:
                return Change(case.life, again(effect, *effect.data[:6], doses, strength))
            return Change(case.life, self._rest(rules, effect, row, doses))
        after = yield from sub(suffer_dose, rules, body, row.dc, row.effect, struck)
        senseless = LEAVES[row.effect] or case.life.senseless
        after = calmed(after)
        if row.effect == "damage":
            yield from told_wounds(rules, case.name, body, after, effect.about)
        else:
            yield from Tell(Happened(case.name, f"is {senseless} ({effect.about})", "bad"))
            after = replace(after, unconscious=body.unconscious)
        life = replace(case.life.with_body(after), senseless=senseless)
        return Change(life, None if after.dead else self._rest(rules, effect, row, doses, shown=True))

    def _rest(self, rules: Ruleset, effect: OngoingEffect, row: PoisonRow, doses: int, *, shown: bool = False) -> OngoingEffect | None:
        """The poison with the doses that are left; nobody hides what has shown."""
        if doses >= min(MOST_DOSES, int(row.minutes // row.every_minutes)):
            return None
        goes_on = again(effect, *effect.data[:6], doses, 0)
        return replace(goes_on, known=None) if shown else goes_on

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{effect.about} takes effect" if _struck(effect) else f"another dose of {effect.about}"


def poison_of(rules: Ruleset, effect: OngoingEffect) -> PoisonRow:
    """The poison that an effect is about: the row of the table with the gamemaster's figures in place of its own."""
    does, dc, every, lasts = str(effect.data[1]), int(effect.data[2]), int(effect.data[3]), int(effect.data[4])
    complete = does != OWN and every and lasts and (dc or DOES[does] != "damage")
    row = PoisonRow(effect.about, 0, 1, 1, "damage") if complete else POISONS.get(rules, effect.about)
    return PoisonRow(
        poison=effect.about,
        dc=float(dc) if dc else row.dc,
        every_minutes=every / MINUTE if every else row.every_minutes,
        minutes=lasts / MINUTE if lasts else row.minutes,
        effect=row.effect if does == OWN else DOES[does],
    )


def _doses(effect: OngoingEffect) -> int:
    return int(effect.data[6]) if len(effect.data) > 6 else 0


def _struck(effect: OngoingEffect) -> int:
    return int(effect.data[7]) if len(effect.data) > 7 else 0


# --- drink --------------------------------------------------------------------------------------------------------------------


def describe_drink(body: Patient) -> str:
    """How drunk somebody is, in words."""
    return "sober" if not body.drunk else f"drunk, level {body.drunk}"


class Drinking(Activity[Survivor]):
    """Drinking for some time, which makes drunk by as many levels as the gamemaster says: the book prints no amounts."""

    name = "drink"
    label = "drink"
    rules = ("fs-intoxication",)
    hours = 0
    levels = Figure("levels", "Levels of drink", low=1, high=DRUNKEST, default=1, rule="fs-intoxication")
    arguments = (levels, Figure("time", "Time it takes (the book prints none)", takes="span", default=HOUR))

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return int(case.argument(self.arguments[1]))

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        body = case.life.body
        after = replace(body, drunk=min(DRUNKEST, body.drunk + int(case.argument(self.levels))))
        yield from Tell(Happened(case.name, f"is {describe_drink(after)}", "bad"))
        return Change(case.life.with_body(after))


class Sobering(EffectKind[Survivor]):
    """Drink wears off by a level at a time (ruling on the hours)."""

    name = "sobering up"
    rules = ("fs-intoxication",)

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        return ("",) if case.life.body.drunk and not case.life.body.dead else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return rules.number("sobering-hours") * HOUR

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[tuple[Survivor, OngoingEffect | None]]:
        after = replace(case.life.body, drunk=case.life.body.drunk - 1)
        yield from Tell(Happened(case.name, f"is {describe_drink(after)}", "good"))
        return case.life.with_body(after), again(effect)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"a level of drink wears off (level {case.life.body.drunk})"
