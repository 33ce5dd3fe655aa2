"""The list of combat actions: their pools, and actions that are not attacks (book lines 5315-5414)."""

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
    """An action of the list: its pools in close and ranged combat, its conditions and its effect."""

    action: ActionName
    close: tuple[str, ...] = ()
    ranged: tuple[str, ...] = ()
    dice: int = 0
    difficulty: int = 1
    close_in: bool = False
    counters: bool = False
    before: bool = False
    """Whether it is done before the fight."""
    effect: str = ""

    @property
    def rolled(self) -> bool:
        """Whether it needs a roll."""
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
"""Names of each word in the campaign's skill system, in order of preference. A better Narrow Skill replaces its Broad Skill."""


_PLAIN: dict[str, tuple[str, ...]] = {"athletics": ("run",), "acrobatics": ("jump",), "manipulate": ("intimidate",)}
"""Simple skills of the Action system that also work."""


@rule("ore-4.18-action-list")
def action(rules: Ruleset, name: ActionName = "trip") -> ActionListRow:
    """One of the twenty combat actions."""
    return ACTIONS.get(rules, name)


@rule("ore-4.18-action-list")
def action_dice(rules: Ruleset, name: ActionName = "tackle") -> Mod:
    """The bonus or penalty of the action itself."""
    return Mod(name, ACTIONS.get(rules, name).dice, "ore-4.18-action-list")


def pool_for(rules: Ruleset, person: Person, name: ActionName, weapon: Weapon = BARE_HANDS) -> Pool:
    """The best pool of a person for an action, before modifiers."""
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
    """Concentrations that fit a word of the list or the weapon, with their Disciplines."""
    if not person.concentrations or rules.word("skill-system") != "discipline":
        return []
    wanted = {skill, *_SKILLS.get(skill, ())}
    if skill in ("weapon skill", "close combat", "ranged combat"):
        wanted |= {weapon.name, weapon.broad, *weapon.skills}
    named = [(discipline, name) for discipline, levels in person.concentrations.items() for name in levels]
    return [(discipline, name) for discipline, name in named if wanted & {name.lower(), concentration_on(rules, name)}]


def trained(rules: Ruleset, person: Person, names: tuple[str, ...], statistic: str) -> list[Pool]:
    """The pools of these skills and of Concentrations on them."""
    pools = [skill_pool(rules, person, name, statistic) for name in names]
    for discipline, levels in person.concentrations.items() if rules.word("skill-system") == "discipline" else ():
        focused = [name for name in levels if concentration_on(rules, name) in names]
        pools += [skill_pool(rules, person, discipline, statistic, concentration=name) for name in focused]
    return pools


def aid_pool(rules: Ruleset, person: Person) -> Pool:
    """The pool for first aid: Psyche and the best skill for it."""
    pools = trained(rules, person, ("medicine", "remedy", "first aid", "healing"), "psyche")
    return usable_pool(rules, max(pools, key=lambda pool: pool.size))


def general_skill(rules: Ruleset, weapon: Weapon) -> str:
    """The campaign's general skill for a weapon."""
    return _first_known(rules, (weapon.broad, "close combat") if weapon.close else (weapon.broad, "ranged combat", "shoot"))


def _names(rules: Ruleset, person: Person, skill: str, weapon: Weapon) -> tuple[str, ...]:
    """The campaign's skills for a word of the list."""
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
    """The dice of an attack, the better of two: Body and Close Combat (ranged: Insight and Ranged Combat), or Coordination and the
    weapon skill. A view of attack pools in fights."""
    return max((insight if ranged else body) + broad, coordination + special)


# --- those without an attack --------------------------------------------------------------------------------------------------


@rule("ore-4.18-act-draw")
def draw_actions(used_at_once: bool = True) -> int:
    """How many actions it takes to ready a weapon and act: one without a roll, plus one if the weapon is used in the same round. A view
    of action costs in fights."""
    return 2 if used_at_once else 1


@rule("ore-4.18-act-draw")
def draw_and_attack(rules: Ruleset, attack: Pool = SIX, by: str = "") -> Play[Outcome]:
    """Draws a weapon and attacks in one round: a multiple action with -1d; drawing needs no set. A view of multiple actions in fights."""
    return (yield from make_test(rules, shared_pool(rules, (attack, attack)), by=by, what="draw and attack"))


@rule("ore-4.18-act-charge")
def ride_pool(rules: Ruleset, person: Person) -> Pool:
    """The pool for a mounted charge: Body and Ride."""
    return usable_pool(rules, _best(rules, _pools(rules, person, "body + ride", BARE_HANDS)))


@rule("ore-4.18-act-run")
def run_metres(rules: Ruleset, width: int = 0, speed: Speed = SOUND) -> int:
    """Metres per round: five without a roll; Body and Athletics add metres per point of Width. Hurt legs halve it. Crawling covers one
    metre (ruling: the book gives no number)."""
    return 1 if speed.crawling else run_distance(rules, width).value // speed.divided_by


@rule("ore-4.18-act-run")
def run(rules: Ruleset, athletics: Pool = SIX, difficulty: int = 1, speed: Speed = SOUND, by: str = "") -> Play[int]:
    """A run: the metres covered this round."""
    outcome = yield from make_test(rules, athletics, difficulty, by=by, what="run")
    return run_metres(rules, outcome.width, speed)


class Risen(Struct, frozen=True):
    """Whether a fighter stands again, and how many other actions succeeded."""

    standing: bool
    others: int = 0


@rule("ore-4.18-act-stand")
def stand(rules: Ruleset, acrobatics: Pool | None = None, other: Pool = SIX, by: str = "") -> Play[Risen]:
    """Standing up takes an action without a roll; or a kip up as part of a multiple action, with Coordination and Athletics. The kip up
    gets the first set, and dependent actions need another. A view of standing in fights."""
    if acrobatics is None:
        return Risen(standing=True)
    done = yield from multiple_actions(rules, (acrobatics, other), by=by)
    return Risen(done > 0, max(0, done - 1))


@rule("ore-4.18-act-threaten")
def threaten(rules: Ruleset, manipulate: Pool = SIX, by: str = "") -> Play[Outcome]:
    """A threat before the fight: Command and Manipulate; the set is a Morale Attack. A view of threats in fights."""
    return (yield from make_test(rules, manipulate, by=by, what="threat"))


@rule("ore-4.18-act-display-move")
def display_move(rules: Ruleset, pool: Pool = SIX, by: str = "") -> Play[Outcome]:
    """A Display Move before the fight, with the attack pool or Body and Control: any set impresses all witnesses. A view of Display
    Moves in fights."""
    return (yield from make_test(rules, pool, by=by, what="display move"))
