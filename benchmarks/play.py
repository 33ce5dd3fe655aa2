"""Playing, replaying, solving one attack, and starting the command line, each compared with a baseline in the same run.

Both take turns and are measured in processor time; the median of several repeats counts. A busy machine thus affects both.
"""

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from msgspec.structs import replace

from benchmarks import plain_duel
from rulewright.dice.highest import Total
from rulewright.library import stage
from rulewright.play import Play, Player, Replayer, Roll, Seeded, Together, play, sub
from rulewright.play.odds import Exact
from rulewright.rules import Ruleset
from rulewright.scenes.scene import run
from rulewright.system import find
from rulewright.systems.scumm.combat.attack_setup import ranged_strike
from rulewright.systems.scumm.combat.attacks import Circumstances, Exposure, Strike, attack_pool, guard_pool, shoot
from rulewright.systems.scumm.combat.fighters import Fighter
from rulewright.systems.scumm.fight.turns import actions_by_initiative, initiative_pool
from rulewright.systems.scumm.harm.body import Patient
from rulewright.systems.scumm.resolution.tests import Mod, reading

REPEATS = 7
NOTHING = Mod("", 0)


def _timed(work: Callable[[], Any]) -> float:
    begun = process_time()
    work()
    return process_time() - begun


def _row(
    name: str, ours: Callable[[], Any], peer: str, theirs: Callable[[], Any], floor: float | None, scale: float = 1.0
) -> dict[str, Any]:
    """Times both in turn; `scale` converts their time to the same amount of work."""
    ours(), theirs()
    times = [(_timed(ours), _timed(theirs) * scale) for _ in range(REPEATS)]
    mine, others = median(time[0] for time in times), median(time[1] for time in times)
    return {"name": name, "ours": mine, "peer": peer, "theirs": others, "ratio": others / mine, "floor": floor}


@lru_cache
def _stage() -> tuple[Any, Any]:
    staged = stage("scumm/scenarios/duel")
    return staged, staged.state


# --- the duel -----------------------------------------------------------------------------------------------------------------


class Shooter:
    """One side of the duel: the values that never change."""

    def __init__(self, rules: Ruleset, fighter: Fighter) -> None:
        self.rules = rules
        self.profile = fighter.profile
        self.weapon = fighter.weapon
        self.body = fighter.body


@lru_cache(maxsize=10_000)
def _strike(rules: Ruleset, attacker: Shooter, penalty: int, target: Shooter, exposed: int) -> Strike:
    me = attacker.profile
    attack = attack_pool(
        rules, me.level(attacker.weapon.skill), Mod("Alertness", me.alertness), NOTHING, Circumstances("short range", penalty=penalty)
    )
    defense = guard_pool(rules, "defense", target.profile.defense, 0, NOTHING, Exposure(penalty=exposed))
    return Strike(attacker.profile.name, target.profile.name, attacker.weapon.name, attack, defense, 0, attacker.weapon.damage)


def _initiative(rules: Ruleset, shooter: Shooter, body: Patient, stumbled: int) -> Roll[Total]:
    pool = initiative_pool(rules, shooter.profile.combat_sense, body, stumbled)
    return Roll(reading(rules, pool), shooter.profile.name, "initiative")


def duel(rules: Ruleset, left: Shooter, right: Shooter, most: int = 50) -> Play[int]:
    """The duel of `plain_duel`, as a procedure with the real rules."""
    bodies = [left.body, right.body]
    people = (left, right)
    ammo, jammed, stumbled = [12, 12], [False, False], [0, 0]
    for _ in range(most):
        rolled = yield from Together(tuple([_initiative(rules, people[i], bodies[i], stumbled[i]) for i in (0, 1)]))
        stumbled = [0, 0]
        order = (0, 1) if (-1 if rolled[0].fumble else rolled[0].total) >= (-1 if rolled[1].fumble else rolled[1].total) else (1, 0)
        together = rolled[0] == rolled[1]
        begun = list(bodies)
        for me in order:
            target = 1 - me
            for _ in range(actions_by_initiative(rolled[me].total, rolled[me].fumble)):
                acting = begun[me] if together else bodies[me]
                if not bodies[target].able or not acting.able:
                    break
                if jammed[me]:
                    jammed[me] = False
                    continue
                ammo[me] = (ammo[me] or 12) - 1
                strike = _strike(rules, people[me], acting.physical_penalty, people[target], bodies[target].physical_penalty)
                struck = yield from sub(shoot, rules, strike, bodies[target])
                bodies[target] = struck.victim
                jammed[me] = struck.fumble
                if struck.defense_fumble:
                    stumbled[target] = -3
        if not (bodies[0].able and bodies[1].able):
            return 0 if not (bodies[0].able or bodies[1].able) else 1 if bodies[0].able else 2
    return 0


FIGHTS = 150


def _fighters() -> tuple[Ruleset, Shooter, Shooter]:
    _, fight = _stage()
    rules = find("scumm").book.ruleset()
    return rules, Shooter(rules, fight.fighters[0]), Shooter(rules, fight.fighters[1])


def _plain() -> tuple[plain_duel.Shooter, plain_duel.Shooter]:
    _, fight = _stage()
    made = []
    for fighter in fight.fighters:
        body, me = fighter.body, fighter.profile
        numbers = (me.level("pistols"), me.alertness, me.defense, me.combat_sense, body.health, body.deep_threshold)
        made.append(plain_duel.Shooter(*numbers, body.armor, fighter.weapon.damage))
    return made[0], made[1]


def duel_speed() -> dict[str, Any]:
    """The play driver with reasons, log and record, compared with a hand-written duel without them."""
    rules, left, right = _fighters()
    plain_left, plain_right = _plain()

    def ours() -> None:
        for seed in range(FIGHTS):
            play(duel(rules, left, right), dice=Seeded(seed))

    def theirs() -> None:
        for seed in range(FIGHTS):
            plain_duel.duel(seed, plain_left, plain_right)

    return _row(f"{FIGHTS} duels played, reasons and record on", ours, "plain Python loop", theirs, 0.2)


def scene_speed() -> dict[str, Any]:
    """The whole scene with movement, options and tactics. It does more than the plain loop, so it has no floor."""
    staged, fight = _stage()
    plain_left, plain_right = _plain()

    def ours() -> None:
        for seed in range(FIGHTS):
            Player(Seeded(seed), staged.decide).play(run(staged.scene, fight))

    def theirs() -> None:
        for seed in range(FIGHTS):
            plain_duel.duel(seed, plain_left, plain_right)

    return _row(f"{FIGHTS} whole scenes played, with every decision", ours, "plain Python loop without decisions", theirs, None)


def replay_speed() -> dict[str, Any]:
    """Replaying records compared with playing; the floor is a third of the speed."""
    staged, fight = _stage()
    records = [Player(Seeded(seed), staged.decide).play(run(staged.scene, fight)).record for seed in range(FIGHTS)]

    def ours() -> None:
        for record in records:
            Replayer(record).play(run(staged.scene, fight))

    def theirs() -> None:
        for seed in range(FIGHTS):
            Player(Seeded(seed), staged.decide).play(run(staged.scene, fight))

    return _row(f"{FIGHTS} records replayed", ours, "playing them", theirs, 1 / 3)


# --- exact odds and the start -------------------------------------------------------------------------------------------------


def exact_attack() -> dict[str, Any]:
    """The exact odds of a complete ranged attack, compared with 1,000 plays of it."""
    _, fight = _stage()
    rules = find("scumm").book.ruleset(settings={"random-hit-locations": True})
    attacker, target = fight.fighters
    strike = ranged_strike(rules, fight, attacker, target, attacker.weapon)
    victim: Patient = replace(target.body, flesh=1)

    def theirs() -> None:
        for seed in range(1_000):
            Player(Seeded(seed)).run(shoot(rules, strike, victim))

    def ours() -> None:
        Exact().part(sub(shoot, rules, strike, victim))

    return _row("a complete ranged attack solved exactly", ours, "1,000 plays of it", theirs, 1)


def start() -> dict[str, Any]:
    """Cold start of `rulewright roll`, compared with a bare interpreter; the floor is a ninth."""
    command = str(Path(sys.executable).with_name("rulewright"))
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}

    def timed(arguments: list[str]) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        for _ in range(4):
            subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / 4

    ours_command, bare = [command, "roll", "scumm", "3d+1 vs 5"], [sys.executable, "-c", "pass"]
    timed(ours_command), timed(bare)
    times = [(timed(ours_command), timed(bare)) for _ in range(9)]
    ours, theirs = median(time[0] for time in times), median(time[1] for time in times)
    return {
        "name": 'rulewright roll scumm "3d+1 vs 5", from nothing',
        "ours": ours,
        "peer": "a bare interpreter",
        "theirs": theirs,
        "ratio": theirs / ours,
        "floor": 1 / 9,
    }


def rows() -> Iterator[dict[str, Any]]:
    """All benchmarks of this module."""
    yield exact_attack()
    yield duel_speed()
    yield scene_speed()
    yield replay_speed()
    yield start()
