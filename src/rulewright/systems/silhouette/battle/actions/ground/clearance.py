"""Clearing minefields and fighting fires (book lines 9481, 9493)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.dice.sums import Sum
from rulewright.field.geometry import hexes
from rulewright.grammar import the
from rulewright.play import Option, Play, Roll, Tell
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, at_least, less, limited, term
from rulewright.systems.silhouette.battle.actions.attacks.shots import distinct, used
from rulewright.systems.silhouette.battle.actions.base import Action, Deed
from rulewright.systems.silhouette.battle.damage.agents import dice_of_foam
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.gunnery.areas import area_of
from rulewright.systems.silhouette.gunnery.modifiers import band_of, range_mod
from rulewright.systems.silhouette.maneuver.terrain import distance
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, rolled
from rulewright.systems.silhouette.units.crews import actions_left, pool_of
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

_PERKS = "sil-f-system-perks"


@rule(_PERKS)
def cleared(threshold: int, margin: int) -> Derived[int]:
    """The Threshold of a minefield after fire at it: reduced by the margin of the attack, 0 if it is clear."""
    return limited("Threshold", term("Threshold", threshold), less("Margin of Success", margin), limit=at_least(0), rule=_PERKS)


def _pool(rules: Ruleset, unit: Unit, arm: int, band: str) -> Pool:
    version = unit.version(arm)
    return pool_of(rules, unit, "gunnery", Mod("Accuracy", version.accuracy, _PERKS), range_mod(rules, band))


def _band(rules: Ruleset, battle: Battle, unit: Unit, arm: int, spot: tuple[float, float]) -> str:
    return band_of(rules, distance(battle.field, unit.spot, spot), unit.version(arm).ranges)


class ClearMines(Action):
    """Fires a mine-clearing system at a minefield. There is no defense; the roll is the margin."""

    kind = "clear mines"
    activity = "use one system"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if not battle.scars.mines or actions_left(rules, unit) < self.costs(rules):
            return
        for arm in distinct(unit):
            if unit.version(arm).perk("minebuster") is None:
                continue
            for at, field in enumerate(battle.scars.mines):
                if _band(rules, battle, unit, arm, field.spot):
                    name = unit.arm_name(arm)
                    label = f"Clear the {field.name} with {the(name)} (Threshold {field.threshold})"
                    deed = Deed(kind=self.kind, arm=arm, number=at)
                    yield Option(f"clear {field.name} {at + 1} {name}", label, deed, verb="special", manner=(name,))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        field, version = battle.scars.mines[deed.number], unit.version(deed.arm)
        battle = battle.put(used(unit, deed.arm, self.costs(rules)))
        pool = _pool(rules, unit, deed.arm, _band(rules, battle, unit, deed.arm, field.spot))
        result = yield from rolled(rules, pool, unit.voice, "clearing mines")
        wide, fields = area_of(version) or 0, []
        for at, mined in enumerate(battle.scars.mines):
            if at != deed.number and distance(battle.field, mined.spot, field.spot) > wide:
                fields.append(mined)
                continue
            left = cleared(mined.threshold, max(0, result.total))
            words = f"clears the {mined.name}" if not left.value else f"thins out the {mined.name}: its Threshold is now {left.value}"
            yield from Tell(Announced(unit.name, words, (left.reason,)))
            if left.value:
                fields.append(replace(mined, threshold=int(left.value)))
        return replace(battle, scars=replace(battle.scars, mines=tuple(fields)))


class PutOut(Action):
    """Fights a fire on a machine or in a hex with a fire-fighting system."""

    kind = "put out"
    activity = "use one system"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        burning = [candidate for candidate in battle.units if candidate.signs.burning and not candidate.gone]
        hot = [fire for fire in battle.scars.fires if fire.intensity]
        if not (burning or hot) or actions_left(rules, unit) < self.costs(rules):
            return
        for arm in distinct(unit):
            if unit.version(arm).perk("fire-fighting") is None:
                continue
            name = unit.arm_name(arm)
            for candidate in burning:
                if candidate.side == unit.side and (candidate.name == unit.name or _band(rules, battle, unit, arm, candidate.spot)):
                    deed = Deed(kind=self.kind, arm=arm, target=candidate.name)
                    label = f"Put out the fire on {candidate.name} with {the(name)} (Intensity {candidate.signs.burning})"
                    yield Option(f"put out {name}:{candidate.name}", label, deed, verb="special", target=candidate.name, manner=(name,))
            for fire in hot:
                if _band(rules, battle, unit, arm, fire.spot):
                    where = hexes.label((int(fire.spot[0]), int(fire.spot[1])))
                    deed = Deed(kind=self.kind, arm=arm, spot=fire.spot)
                    yield Option(
                        f"put out {name}:{where}", f"Put out the fire in {where} with {the(name)}", deed, verb="special", manner=(name,)
                    )

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        battle = battle.put(used(unit, deed.arm, self.costs(rules)))
        spot = deed.spot or battle.unit(deed.target).spot
        band = _band(rules, battle, unit, deed.arm, spot) or "point blank"
        result = yield from rolled(rules, _pool(rules, unit, deed.arm, band), unit.voice, "fighting the fire")
        dice = dice_of_foam(max(0, result.total), unit.version(deed.arm).damage)
        less_hot = (yield from Roll(Sum((6,) * min(10, dice.value)), unit.voice, "loss of Intensity")) if dice.value else 0
        sums = (dice.reason, Reason("Intensity lost", less_hot, "=", _PERKS))
        if deed.target:
            burning = battle.unit(deed.target)
            left = max(0, burning.signs.burning - less_hot)
            yield from Tell(Announced(unit.name, f"fights the fire on {burning.name}: {_fire_left(left)}", sums))
            sticks = burning.signs.sticks if left else 0
            return battle.change(burning.name, signs=replace(burning.signs, burning=left, sticks=sticks))
        fire = next(candidate for candidate in battle.scars.fires if candidate.spot == deed.spot)
        left = max(0, fire.intensity - less_hot)
        where = hexes.label((int(spot[0]), int(spot[1])))
        yield from Tell(Announced(unit.name, f"fights the fire in {where}: {_fire_left(left)}", sums))
        others = tuple([candidate for candidate in battle.scars.fires if candidate.spot != deed.spot])
        fires = (*others, replace(fire, intensity=left)) if left else others
        return replace(battle, scars=replace(battle.scars, fires=fires))


def _fire_left(intensity: int) -> str:
    return f"Intensity {intensity} remains" if intensity else "it is out"
