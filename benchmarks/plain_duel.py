"""The S.C.U.M.M. duel as a hand-written loop: the baseline for the play driver.

Two people with 9mm pistols shoot at each other until one is out. The rules and dice are the same, without reasons, record and choices.
"""

import random


def roll(rng: random.Random, dice: int, modifier: int) -> tuple[int, bool]:
    """The highest of some dice, extra sixes, fumbles; unskilled without dice."""
    if dice > 0:
        faces = [rng.randint(1, 6) for _ in range(dice)]
        sixes = faces.count(6)
        best = 5 + sixes if sixes else max(faces)
        return max(0, best + modifier), best == 1
    lower = min(rng.randint(1, 6), rng.randint(1, 6))
    return (1, True) if lower == 1 else (max(0, lower + modifier), False)


class Shooter:
    """One side of the duel."""

    def __init__(
        self, skill: int, alertness: int, defense: int, combat_sense: int, health: int, stamina: int, armor: int, damage: int
    ) -> None:
        self.skill, self.alertness, self.defense, self.combat_sense = skill, alertness, defense, combat_sense
        self.health, self.shock = health, max(1, 5 + health)
        self.flesh_at, self.deep_at, self.death_at = -(-stamina // 2) + armor, stamina + armor, 2 * stamina + armor
        self.damage = damage
        self.start()

    def start(self) -> None:
        """Reset for a new duel."""
        self.flesh = self.deep = self.bad_position = 0
        self.ammo, self.jammed, self.out = 12, False, False

    def penalty(self) -> int:
        """The penalty for wounds."""
        return -self.flesh - 2 * self.deep


def be_hit(rng: random.Random, victim: Shooter, damage: int) -> None:
    """Wounds, shock, knockout."""
    if damage >= victim.death_at:
        victim.out = True
        return
    if damage < victim.flesh_at:
        return
    if damage >= victim.deep_at:
        victim.deep += 1
    else:
        victim.flesh += 1
    if victim.shock + victim.penalty() <= 0:
        victim.out = True
        return
    total, fumble = roll(rng, 2, victim.health + victim.penalty())
    if fumble or total < 1:
        victim.out = True


def shot(rng: random.Random, shooter: Shooter, penalty: int, target: Shooter, range_modifier: int) -> None:
    """One action: clear a jam, or shoot (reloading is free)."""
    if shooter.jammed:
        shooter.jammed = False
        return
    if shooter.ammo == 0:
        shooter.ammo = 12
    shooter.ammo -= 1
    attack, fumble = roll(rng, shooter.skill, shooter.alertness + range_modifier + penalty)
    defense, stumble = roll(rng, target.defense, target.penalty())
    if attack > defense:
        be_hit(rng, target, shooter.damage * (attack - defense))
    if fumble:
        shooter.jammed = True
    if stumble:
        target.bad_position = -3


def duel(seed: int, left: Shooter, right: Shooter, range_modifier: int = 0, most: int = 50) -> int:
    """The winner: 1, 2, or 0 for nobody."""
    rng = random.Random(seed)
    left.start()
    right.start()
    for _ in range(most):
        order = []
        for shooter in (left, right):
            total, fumble = roll(rng, shooter.combat_sense, shooter.penalty() + shooter.bad_position)
            shooter.bad_position = 0
            order.append((-1 if fumble else total, 0 if fumble else 2 if total >= 7 else 1))
        (first, first_acts), (second, second_acts) = order
        turns = [(left, right, first_acts), (right, left, second_acts)]
        if second > first:
            turns.reverse()
        together = first == second
        penalties = [turns[0][0].penalty(), turns[1][0].penalty()]
        for place, (shooter, target, acts) in enumerate(turns):
            if shooter.out and not together:
                continue
            for _ in range(acts):
                if target.out or (shooter.out and not together):
                    break
                shot(rng, shooter, penalties[place] if together else shooter.penalty(), target, range_modifier)
        if left.out or right.out:
            return 0 if left.out and right.out else 2 if left.out else 1
    return 0
