"""Lasting results of a fight: boxes, injuries, spent points, tiredness, bullets."""

from collections.abc import Collection

import msgspec

from rulewright.scenes.scenarios import Lasts, counted, numbered
from rulewright.systems.ore.combat.fighters import Fighter
from rulewright.systems.ore.harm.body import Abstract, AnyBody, Located, Vital
from rulewright.systems.ore.harm.endurance import Stamina
from rulewright.systems.ore.powers.repertoire import Reserve

SESSION, MANA = 0, 3
"""Limit Ratings with uses to count."""
HURT = ("parts", "kill_lost", "vital_lost", "shock", "injuries", "down_boxes", "out_boxes", "stabilised", "wounds")
CARRIES = (*HURT, "ignores", "luck", "drama", "stamina", "spent", "reserve")
"""Fields of a fighter's state that last between scenes; which of them exist depends on the damage system."""


def aftermath(fighter: Fighter) -> dict[str, Lasts]:
    """The lasting results of a fighter. Fire, fear and dropped weapons do not last."""
    weapons, fired = fighter.profile.weapons, dict(fighter.spent)
    lasts_by_name = body_left(fighter.body, fighter.stamina)
    if fighter.profile.powers:
        lasts_by_name |= powers_left(fighter.reserve, {known.limit for known in fighter.profile.powers})
    for place, (name, weapon) in enumerate(zip(numbered([weapon.name for weapon in weapons]), weapons, strict=True)):
        if weapon.magazine:
            gone = fired.get(place, 0)
            lasts_by_name[f"spent.{name}"] = Lasts(gone, f"{name}: {weapon.magazine - gone} of {weapon.magazine} bullets")
    return lasts_by_name


def body_left(body: AnyBody, stamina: Stamina) -> dict[str, Lasts]:
    """What a body keeps between scenes: harm, Wounds, points left, and tiredness."""
    return {
        **_harm(body),
        "wounds": Lasts(
            [msgspec.to_builtins(wound) for wound in body.wounds],
            "; ".join([f"Wound in the {wound.location}{', bleeding' if wound.bleeding else ''}" for wound in body.wounds]) or "no Wounds",
        ),
        "ignores": Lasts(body.ignores, f"Hard To Kill can ignore {counted(body.ignores, 'more point')}"),
        "luck": Lasts(body.luck, f"Lucky can reroll {counted(body.luck, 'more roll')} this session"),
        "drama": Lasts(body.drama, f"{counted(body.drama, 'Drama Point')} left"),
        **_tired(stamina),
    }


def powers_left(reserve: Reserve, limits: Collection[int]) -> dict[str, Lasts]:
    """Used-up limits of powers, for those Limit Ratings."""
    lasts_by_name = {}
    if SESSION in limits:
        lasts_by_name["reserve.used"] = Lasts(list(reserve.used), f"used this session: {', '.join(reserve.used) or 'nothing'}")
    if MANA in limits:
        gone = sum([points for _, points in reserve.energy])
        lasts_by_name["reserve.energy"] = Lasts([list(pair) for pair in reserve.energy], f"{counted(gone, 'Energy Point')} spent")
    if reserve.unburnt:
        lasts_by_name["reserve.unburnt"] = Lasts(reserve.unburnt, f"{reserve.unburnt} Shock from Burn still to take")
    return lasts_by_name


def _harm(body: AnyBody) -> dict[str, Lasts]:
    match body:
        case Located():
            marks = [(part.location, kind, getattr(part, kind)) for part in body.parts for kind in ("kill", "shock")]
            return {
                f"parts.{where}.{kind}": Lasts(number, f"{where}: {number or 'no'} {kind.capitalize()}") for where, kind, number in marks
            }
        case Vital():
            return {
                "kill_lost": Lasts(body.kill_lost, f"{counted(body.kill_lost, 'Kill Box', 'Kill Boxes')} lost"),
                "vital_lost": Lasts(body.vital_lost, f"{counted(body.vital_lost, 'Vital Box', 'Vital Boxes')} lost"),
                "shock": Lasts(body.shock, f"{body.shock or 'no'} Shock"),
            }
        case Abstract():
            return {
                "injuries": Lasts(
                    [msgspec.to_builtins(injury) for injury in body.injuries], ", ".join(map(str, body.injuries)) or "no injuries"
                ),
                "down_boxes": Lasts(body.down_boxes, counted(body.down_boxes, "Down Box", "Down Boxes")),
                "out_boxes": Lasts(body.out_boxes, counted(body.out_boxes, "Out Box", "Out Boxes")),
                "stabilised": Lasts(body.stabilised, "stabilised" if body.stabilised else "not stabilised"),
            }


def _tired(stamina: Stamina) -> dict[str, Lasts]:
    return {
        "stamina.boxes": Lasts(stamina.boxes, f"{counted(stamina.boxes, 'Endurance Box', 'Endurance Boxes')} crossed off"),
        "stamina.passed": Lasts(stamina.passed, f"{counted(stamina.passed, 'Exertion Test')} passed"),
        "stamina.body_lost": Lasts(stamina.body_lost, f"{counted(stamina.body_lost, 'point')} of Body lost to exhaustion"),
    }
