"""The combat actions as a list: what each is rolled with, and those that are no attack (book lines 5315-5414)."""

from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Play
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.systems.ore.gear.weapons import BARE_HANDS, SIX, Weapon
from rulewright.systems.ore.harm.body import Speed
from rulewright.systems.ore.people.advantages import with_signature_weapon
from rulewright.systems.ore.people.characters import Person
from rulewright.systems.ore.people.pools import skill_pool, usable_pool
from rulewright.systems.ore.people.skills import concentration_on, known_skill, run_distance
from rulewright.systems.ore.resolution.contests import multiple_actions, shared_pool
from rulewright.systems.ore.resolution.outcomes import Outcome
from rulewright.systems.ore.resolution.tests import Mod, Pool, make_test, ready_dice

ActionName = Literal[
    "aim",
    "attack",
    "called shot",
    "charge",
    "disarm",
    "dodge",
    "display move",
    "draw",
    "feint",
    "grapple",
    "hold",
    "parry",
    "push",
    "run",
    "stand",
    "strangle",
    "tackle",
    "threaten",
    "trip",
    "wait",
]


class ActionListRow(TableRow, frozen=True):
    """An action: what it is rolled with in close combat and at range, what it asks for, and what comes of it."""

    action: ActionName
    close: tuple[str, ...] = ()
    ranged: tuple[str, ...] = ()
    dice: int = 0
    difficulty: int = 1
    close_in: bool = False
    counters: bool = False
    before: bool = False
    """Done before the fight begins."""
    effect: str = ""

    @property
    def rolled(self) -> bool:
        """Whether it needs a roll at all."""
        return bool(self.close or self.ranged)


SOUND = Speed()
ACTIONS = Table("ore-4.18-action-list", ActionListRow)

_SKILLS: dict[str, tuple[str, ...]] = {
    "close combat": ("fight", "close combat"),
    "dodge": ("dodge", "close combat"),
    "parry": ("parry", "close combat"),
    "wrestling": ("unarmed", "close combat"),
    "athletics": ("running", "athletics"),
    "acrobatics": ("acrobatics", "athletics"),
    "control": ("control", "physique"),
    "manipulate": ("intimidation", "manipulate"),
    "focus": ("focus", "willpower"),
}
"""What a campaign's skills call each of these: the first that it has. A Narrow Skill stands for its Broad one where that is better."""


_PLAIN: dict[str, tuple[str, ...]] = {"athletics": ("run",), "acrobatics": ("jump",), "manipulate": ("intimidate",)}
"""Plain skills of the Action system that serve as well: any that somebody has."""


@rule("ore-4.18-action-list")
def action(rules: Ruleset, name: ActionName = "trip") -> ActionListRow:
    """One of the twenty combat actions."""
    return ACTIONS.get(rules, name)


@rule("ore-4.18-action-list")
def action_dice(rules: Ruleset, name: ActionName = "tackle") -> Mod:
    """What an action itself gives or takes."""
    return Mod(name, ACTIONS.get(rules, name).dice, "ore-4.18-action-list")


def pool_for(rules: Ruleset, person: Person, name: ActionName, weapon: Weapon = BARE_HANDS) -> Pool:
    """The best pool that somebody has for an action, before any modifier: of the ways that the list gives, the one with most dice."""
    row = ACTIONS.get(rules, name)
    ways = row.close if weapon.close or not row.ranged else row.ranged
    if not ways:
        raise UserError(f"{name} needs no roll")
    best = _best(rules, [pool for way in ways for pool in _pools(rules, person, way, weapon)])
    if not any(way.endswith("weapon skill") for way in ways):
        return best
    signatures = tuple([own.choice.lower() for own in person.advantages if own.name == "signature weapon"])
    return with_signature_weapon(rules, best, weapon.name, signatures)


def _pools(rules: Ruleset, person: Person, way: str, weapon: Weapon) -> list[Pool]:
    statistic, _, skill = (part.strip() for part in way.partition("+"))
    pools = [skill_pool(rules, person, name, statistic) for name in _names(rules, person, skill, weapon)]
    focused = _concentrations(rules, person, skill, weapon)
    return pools + [skill_pool(rules, person, discipline, statistic, concentration=name) for discipline, name in focused]


def _concentrations(rules: Ruleset, person: Person, skill: str, weapon: Weapon) -> list[tuple[str, str]]:
    """The Concentrations that are for what a word of the list stands for, or for the weapon that is used; each with its Discipline."""
    if not person.concentrations or rules.word("skill-system") != "discipline":
        return []
    wanted = {skill, *_SKILLS.get(skill, ())}
    if skill in ("weapon skill", "close combat", "ranged combat"):
        wanted |= {weapon.name, weapon.broad, *weapon.skills}
    named = [(discipline, name) for discipline, levels in person.concentrations.items() for name in levels]
    return [(discipline, name) for discipline, name in named if wanted & {name.lower(), concentration_on(rules, name)}]


def trained(rules: Ruleset, person: Person, names: tuple[str, ...], statistic: str) -> list[Pool]:
    """The pools of these skills, and of Concentrations on them."""
    pools = [skill_pool(rules, person, name, statistic) for name in names]
    for discipline, levels in person.concentrations.items() if rules.word("skill-system") == "discipline" else ():
        focused = [name for name in levels if concentration_on(rules, name) in names]
        pools += [skill_pool(rules, person, discipline, statistic, concentration=name) for name in focused]
    return pools


def general_skill(rules: Ruleset, weapon: Weapon) -> str:
    """What this campaign calls the general skill with such a weapon."""
    return _first_known(rules, (weapon.broad, "close combat") if weapon.close else (weapon.broad, "ranged combat", "shoot"))


def _names(rules: Ruleset, person: Person, skill: str, weapon: Weapon) -> tuple[str, ...]:
    """The skills of this campaign that a word of the list stands for."""
    if skill == "weapon skill":
        return weapon.skills if weapon.close or known_skill(rules, "shoot") is None else (*weapon.skills, "shoot")
    if skill == "ranged combat":
        return (_first_known(rules, (weapon.broad, "ranged combat")),)
    if skill == "ride":
        return tuple([name for name in person.skills if name.startswith("ride:")]) or ("ride: anything",)
    if rules.word("skill-system") == "action":
        plain = [name for name in (*_SKILLS.get(skill, (skill,)), *_PLAIN.get(skill, ())) if known_skill(rules, name) is not None]
        return tuple(plain) or (skill,)
    return (_first_known(rules, _SKILLS.get(skill, (skill,))),)


def _first_known(rules: Ruleset, names: tuple[str, ...]) -> str:
    return next((name for name in names if known_skill(rules, name) is not None), names[0])


def _best(rules: Ruleset, pools: list[Pool]) -> Pool:
    return max(pools, key=lambda pool: (ready_dice(rules, pool).size, pool.size, pool.master, pool.expert))


@rule("ore-4.18-action-list")
def attack_dice(body: int = 3, coordination: int = 3, insight: int = 2, broad: int = 2, special: int = 3, ranged: bool = False) -> int:
    """How many dice an attack has, the better of two: Body and Close Combat (at range Insight and Ranged Combat), or Coordination and
    the weapon's own skill. A view of the pool of an attack in fights."""
    return max((insight if ranged else body) + broad, coordination + special)


# --- those without an attack --------------------------------------------------------------------------------------------------


@rule("ore-4.18-act-draw")
def draw_actions(used_at_once: bool = True) -> int:
    """How many actions it takes to ready a weapon and go on: one without a roll, and another if the weapon is used in the same round.

    A view of what actions cost in fights.
    """
    return 2 if used_at_once else 1


@rule("ore-4.18-act-draw")
def draw_and_attack(rules: Ruleset, attack: Pool = SIX, by: str = "") -> Play[Outcome]:
    """A weapon is drawn and used in one round: a multiple action, so the attack has a die less; drawing itself needs no set.

    A view of the roll for several actions in fights.
    """
    return (yield from make_test(rules, shared_pool(rules, (attack, attack)), by=by, what="draw and attack"))


@rule("ore-4.18-act-charge")
def ride_pool(rules: Ruleset, person: Person) -> Pool:
    """What is rolled to charge on a mount: Body and Ride."""
    return usable_pool(rules, _best(rules, _pools(rules, person, "body + ride", BARE_HANDS)))


@rule("ore-4.18-act-run")
def run_metres(rules: Ruleset, width: int = 0, speed: Speed = SOUND) -> int:
    """Everybody moves five metres a round for nothing; Body and Athletics add metres for each point of Width. Hurt legs halve it.

    Whoever can only crawl covers a metre (ruling: the book prints no number).
    """
    return 1 if speed.crawling else run_distance(rules, width).value // speed.divided_by


@rule("ore-4.18-act-run")
def run(rules: Ruleset, athletics: Pool = SIX, difficulty: int = 1, speed: Speed = SOUND, by: str = "") -> Play[int]:
    """A run: how many metres somebody covers in the round."""
    outcome = yield from make_test(rules, athletics, difficulty, by=by, what="run")
    return run_metres(rules, outcome.width, speed)


class Risen(Struct, frozen=True):
    """Whether somebody stands again, and how many of the other actions of the round came off."""

    standing: bool
    others: int = 0


@rule("ore-4.18-act-stand")
def stand(rules: Ruleset, acrobatics: Pool | None = None, other: Pool = SIX, by: str = "") -> Play[Risen]:
    """Standing up takes an action and no roll; or one kips up as part of a multiple action, with Coordination and Athletics.

    The kip up gets the first set, and what depends on it needs another.

    A view of standing and kipping up in fights.
    """
    if acrobatics is None:
        return Risen(standing=True)
    done = yield from multiple_actions(rules, (acrobatics, other), by=by)
    return Risen(done > 0, max(0, done - 1))


@rule("ore-4.18-act-threaten")
def threaten(rules: Ruleset, manipulate: Pool = SIX, by: str = "") -> Play[Outcome]:
    """A threat before the fight: Command and Manipulate; the set is a Morale Attack of its Width. A view of threats in fights."""
    return (yield from make_test(rules, manipulate, by=by, what="threat"))


@rule("ore-4.18-act-display-move")
def display_move(rules: Ruleset, pool: Pool = SIX, by: str = "") -> Play[Outcome]:
    """Showing off before the fight, with the dice of an attack or with Body and Control: any set impresses whoever sees it.

    A view of Display Moves in fights.
    """
    return (yield from make_test(rules, pool, by=by, what="display move"))
