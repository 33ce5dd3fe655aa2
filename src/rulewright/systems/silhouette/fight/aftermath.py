"""Lasting results of a scene: wounds, fatigue, spent dice and luck, ammunition, reputation."""

from rulewright.highest_die.harm import body_left
from rulewright.scenes.scenarios import Lasts, counted, numbered
from rulewright.systems.silhouette.combat.fighters import Fighter
from rulewright.systems.silhouette.combat.social import Standing
from rulewright.systems.silhouette.drama.traits_in_play import Fortune
from rulewright.systems.silhouette.harm.body import LASTING, Patient

BODY = LASTING
"""Fields of a body that a scene starts with and leaves behind."""
FIGHTER = (*BODY, "ammo", "jammed", "fortune", "drained")
FACE = ("embarrassments", "hurts", "emergency_dice", "genre_points", "fortune")


def fighter_after(fighter: Fighter) -> dict[str, Lasts]:
    """Returns a fighter's lasting results, without passing ones such as a knockout, aim or stance."""
    lasts_by_name = body_after(fighter.body)
    weapons = fighter.profile.weapons
    for name, weapon, left, stuck in zip(
        numbered([candidate.name for candidate in weapons]), weapons, fighter.ammo, fighter.jammed, strict=True
    ):
        if weapon.magazine:
            lasts_by_name[f"ammo.{name}"] = Lasts(left, f"{name}: {left} of {weapon.magazine} shots")
            lasts_by_name[f"jammed.{name}"] = Lasts(stuck, f"{name}: {'jammed' if stuck else 'not jammed'}")
    if fighter.profile.magic:
        lasts_by_name["drained"] = Lasts(fighter.drained, f"{counted(fighter.drained, 'Spell Point')} spent")
    return {**lasts_by_name, **luck_after(fighter.fortune)}


def luck_after(luck: Fortune) -> dict[str, Lasts]:
    """Returns the luck left, good and bad."""
    return {
        "fortune.lucky": Lasts(luck.lucky, f"{counted(luck.lucky, 'lucky roll')} left this session"),
        "fortune.unlucky": Lasts(luck.unlucky, f"{counted(luck.unlucky, 'unlucky roll')} left this session"),
    }


def body_after(body: Patient) -> dict[str, Lasts]:
    """Returns a body's lasting results of any scene."""
    return {
        **body_left(body, "Wound"),
        "stable_flesh": Lasts(body.stable_flesh, f"{counted(body.stable_flesh, 'Flesh Wound')} stabilized"),
        "stable_deep": Lasts(body.stable_deep, f"{counted(body.stable_deep, 'Deep Wound')} stabilized"),
        "doomed": Lasts(body.doomed, "mortally wounded" if body.doomed else "not mortally wounded"),
        "genre_points": Lasts(body.genre_points, f"{counted(body.genre_points, 'Genre Point')} left"),
        "drugged": Lasts(body.drugged, f"drug penalty {body.drugged}" if body.drugged else "not drugged"),
        "ill": Lasts(body.ill, f"illness penalty {body.ill}" if body.ill else "not ill"),
    }


def face_after(standing: Standing, dice: int, points: int, fortune: Fortune) -> dict[str, Lasts]:
    """Returns a speaker's lasting results: reputation, dice, points and luck."""
    return {
        "embarrassments": Lasts(standing.embarrassments, counted(standing.embarrassments, "Embarrassment")),
        "hurts": Lasts(standing.hurts, counted(standing.hurts, "Hurt")),
        "emergency_dice": Lasts(dice, f"{counted(dice, 'Emergency Die', 'Emergency Dice')} left"),
        "genre_points": Lasts(points, f"{counted(points, 'Genre Point')} left"),
        **luck_after(fortune),
    }
