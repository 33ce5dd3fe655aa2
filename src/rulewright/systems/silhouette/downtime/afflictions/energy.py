"""Current and fire between scenes, round by round (book lines 5686-5774)."""

from collections.abc import Mapping
from typing import cast

from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Begun, Case, Change, Figure, again
from rulewright.highest_die.downtime import Recovers
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.action.rounds import SECONDS
from rulewright.systems.silhouette.downtime.survivors import Survivor
from rulewright.systems.silhouette.harm.damage import stay_out
from rulewright.systems.silhouette.hazards import electricity, fire

Now = Case[Survivor]
BURNING = "burning clothes"
EXPOSURE = Figure("exposure", "Exposure", ("full rounds", "less than a round", "weapon"), rule="sil-6.2.6-fire-damage")
ROUNDS = Figure("rounds", "Rounds", low=1, high=60, default=1, rule="sil-6.2.6-burn-duration")
FUEL = Figure("fuel", "What may catch fire", ("nothing", "light clothes", "medium clothes", "heavy clothes"), rule="sil-6.2.6-ignition")
CLOTHES = "normal clothing"
"""The row of the table for clothes."""


class Hazard(Begun[Survivor]):
    """Rounds of exposure, the first at once. Its data are the arguments and, last, the rounds so far."""

    def about(self, given: Mapping[str, Value]) -> str:
        return ""

    def begun(self, rules: Ruleset, given: Mapping[str, Value]) -> OngoingEffect:
        self.intensity(rules, str(given[self.arguments[0].name]), int(given[self.arguments[1].name]))
        return OngoingEffect(self.name, "", 0, (*super().begun(rules, given).data, 0))

    def intensity(self, rules: Ruleset, source: str, number: int) -> int:
        """The Intensity of a source of the table, or the given one."""
        raise NotImplementedError

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        if case.life.body.dead:
            return None
        return SECONDS if int(effect.data[-1]) else 0

    def goes_on(self, effect: OngoingEffect, rounds: int, dead: bool) -> OngoingEffect | None:
        """The effect after another round, if there is one more."""
        so_far = int(effect.data[-1]) + 1
        return again(effect, *effect.data[:-1], so_far) if so_far < rounds and not dead else None

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{self.name}, round {int(effect.data[-1]) + 1}"


def set_alight(case: Now, fuel: str) -> Play[tuple[OngoingEffect, ...]]:
    """Clothes catch fire."""
    yield from Tell(Recovers(case.name, f"catches fire: {fuel}", "bad"))
    return (OngoingEffect(BURNING, "", 0, (fuel, "rolling", 0)),)


class Current(Hazard):
    """An electric shock: damage every round, cramps, and the heart. Cramped muscles cannot let go before the current stops."""

    name = "current"
    label = "put under current"
    rules = (
        *("sil-6.2.5-electric-intensity", "sil-6.2.5-electric-damage", "sil-6.2.5-electric-effects"),
        "sil-6.2.5-electric-ignition",
    )
    arguments = (
        Figure("source", "Source of the table (empty: Intensity)", takes="text", rule="sil-6.2.5-electric-intensity"),
        Figure("intensity", "Intensity without a source", low=0, high=electricity.MOST, default=5, rule="sil-6.2.5-electric-intensity"),
        *(EXPOSURE, ROUNDS, FUEL),
    )

    def intensity(self, rules: Ruleset, source: str, number: int) -> int:
        return electricity.intensity_of(rules, source) if source else number

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        source, number, exposure, rounds, fuel = effect.data[:5]
        strength = self.intensity(rules, str(source), int(number))
        shocked = yield from electricity.electrocute(rules, case.life.body, strength, exposure == "full rounds", exposure == "weapon")
        body = yield from stay_out(rules, shocked.patient)
        may_burn = fuel != "nothing" and not case.running(BURNING)
        alight = may_burn and (yield from electricity.spark_ignites(rules, strength, fire.flammability_of(rules, CLOTHES)))
        burning = (yield from set_alight(case, str(fuel))) if alight else ()
        return Change(case.life.with_body(body), self.goes_on(effect, int(rounds), body.dead), burning)


class Fire(Hazard):
    """Rounds in a fire, or of burning fuel that sticks; clothes may catch fire."""

    name = "fire"
    label = "expose to fire"
    rules = ("sil-6.2.6-fire-intensity", "sil-6.2.6-fire-damage", "sil-6.2.6-burn-duration", "sil-6.2.6-ignition", "sil-6.2.6-flammability")
    arguments = (
        Figure("flame", "Fire of the table (empty: Intensity)", takes="text", rule="sil-6.2.6-fire-intensity"),
        Figure("intensity", "Intensity without a fire", low=0, high=fire.MOST, default=3, rule="sil-6.2.6-fire-intensity"),
        *(EXPOSURE, ROUNDS, FUEL),
    )

    def intensity(self, rules: Ruleset, source: str, number: int) -> int:
        return fire.heat_of(rules, source) if source else number

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        flame, number, exposure, rounds, fuel = effect.data[:5]
        heat, whole = self.intensity(rules, str(flame), int(number)), exposure != "less than a round"
        burnt = yield from fire.burn(rules, case.life.body, heat, whole, exposure == "weapon")
        body = yield from stay_out(rules, burnt.patient)
        may_burn = fuel != "nothing" and not case.running(BURNING)
        alight = may_burn and (yield from fire.ignites(rules, heat, fire.flammability_of(rules, CLOTHES), whole, case.name))
        burning = (yield from set_alight(case, str(fuel))) if alight else ()
        return Change(case.life.with_body(body), self.goes_on(effect, int(rounds), body.dead), burning)


HOW = Figure("how", "What is done about it", ("rolling", "water, foam or vacuum", "nothing"), rule="sil-6.2.6-ignition")


class BurningClothes(Begun[Survivor]):
    """Clothes, hair or fur on fire until they are put out or burnt. Its data are the fuel, what is done, and the rounds left + 1 (0: not
    rolled yet)."""

    name = BURNING
    label = "set clothes on fire"
    rules = ("sil-6.2.6-ignition", "sil-6.2.6-burn-duration", "sil-6.2.6-fire-damage")
    arguments = (Figure("fuel", "What burns", FUEL.words[1:], rule="sil-6.2.6-ignition"), HOW)

    def about(self, given: Mapping[str, Value]) -> str:
        return ""

    def begun(self, rules: Ruleset, given: Mapping[str, Value]) -> OngoingEffect:
        return OngoingEffect(self.name, "", 0, (given["fuel"], given[HOW.name], 0))

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        if case.life.body.dead:
            return None
        return SECONDS if int(effect.data[2]) else 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        fuel, how, left = str(effect.data[0]), str(effect.data[1]), int(effect.data[2]) - 1
        intensity = fire.new_fire(rules, fuel)
        if left < 0:
            if how == "nothing" or not case.life.body.able:
                left = yield from fire.burning_time(rules, intensity, case.name)
            else:
                put_out: fire.PutOut = cast(fire.PutOut, how)
                left = yield from fire.time_to_put_out(rules, put_out, case.name)
            return Change(case.life, again(effect, fuel, how, left + 1) if left else None)
        body = yield from fire.burn_on(rules, case.life.body, intensity, 1)
        body = yield from stay_out(rules, body)
        return Change(case.life.with_body(body), again(effect, fuel, how, left) if left > 1 and not body.dead else None)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"burning: {effect.data[0]}"
