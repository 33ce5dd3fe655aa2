"""Actions outside combat: concentrating, tasks, helping, signalling (book lines 1527-1545, 3052)."""

from msgspec.structs import replace

from rulewright.play import GAMEMASTER, Choice, Option, Play, Range, Tell, came_to
from rulewright.rules import Ruleset
from rulewright.systems.foresight.combat.events import TASK, Asked, Tried, happened
from rulewright.systems.foresight.combat.fighters import Action, Fight, Fighter
from rulewright.systems.foresight.fight.actions.aid import helped
from rulewright.systems.foresight.fight.actions.base import ActionKind, Moment, Offers
from rulewright.systems.foresight.harm.body import condition
from rulewright.systems.foresight.people.skills import skill_row
from rulewright.systems.foresight.resolution.tests import BOTCH, Mod, Task, attempt, follow_up, weighed

HARDEST = 10
"""How far the gamemaster may make a task harder or easier."""


def abilities_of(fighter: Fighter) -> dict[str, Task]:
    """The tasks that a person may try: attributes, and every skill that was learnt."""
    return {**{name: fighter.profile.task(name) for name in ("ST", "DX", "AG", "PC", "WP")}, **dict(fighter.profile.skills)}


class Concentrate(ActionKind):
    """Some fiddly job of one's own, one action after another."""

    kind = "concentrate"

    def offers(self, moment: Moment) -> Offers:
        return (self.plain("Concentrate", f"{moment.one.concentrated} in a row"),)

    def says(self, fighter: Fighter, action: Action) -> str:
        return f"concentrates ({fighter.concentrated + 1} in a row)"

    def after(self, rules: Ruleset, fight: Fight, fighter: Fighter, action: Action) -> Fighter:
        return replace(fighter, concentrated=fighter.concentrated + 1)


class TryTask(ActionKind):
    """A task of any ability at the gamemaster's modifier, with everything that weighs on the body."""

    kind, counts_as = "task", "concentrate"

    def offers(self, moment: Moment) -> Offers:
        return (self.plain("Attempt a task", "the gamemaster sets the modifier"),)

    def completed(self, rules: Ruleset, fight: Fight, name: str, action: Action, secret: bool) -> Play[Action]:
        """The ability of a task, which is the player's to say, and its modifier, which is the gamemaster's."""
        options = tuple([Option(ability, ability, replace(action, to=ability)) for ability in abilities_of(fight.fighter(name))])
        chosen: Action = yield Choice(name, "With which ability?", options, Asked(fight, name, rules), "ability", secret=secret)
        about = Asked(fight, name, rules, chosen, name)
        doing = f"helps {action.target}" if action.target else "attempts a task"
        asked = f"{name} {doing} ({chosen.to}). What is the modifier?"
        modifier: int = yield Choice(GAMEMASTER, asked, Range(-HARDEST, HARDEST), about, "task modifier", secret=secret)
        return replace(chosen, guess=modifier)

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action) -> Play[Fight]:
        result = fight.fighter(name)
        agile = action.to in ("AG", *[skill for skill, _ in result.profile.skills if "AG" in skill_row(rules, skill).attributes])
        worn = condition(rules, result.body, agility=agile, concentration=True)
        mods = (Mod("as the gamemaster says", action.guess, "fs-rule-of-thumb-modifiers"), *helped(result))
        task = abilities_of(result)[action.to].plus(*worn, *mods)
        rolled = yield from attempt(rules, task, name, f"a task ({action.to})")
        yield from Tell(Tried(who=name, ability=action.to, qr=rolled.qr, of=weighed(rules, task), known_to=fight.aware_of(name)))
        yield from came_to("success" if rolled.success else "botch" if rolled.qr == BOTCH else "failure", TASK, name)
        fight = fight.put(replace(result, helped=0)) if result.helped else fight
        return (yield from self.came_of(rules, fight, action, rolled.qr))

    def came_of(self, rules: Ruleset, fight: Fight, action: Action, qr: int) -> Play[Fight]:
        """Applies the result of a task of this rating; here nothing but what the gamemaster says."""
        yield from ()
        return fight


class Help(TryTask):
    """A task on which the next one of a friend builds: 4 less its rating is added to that, a failure makes it harder."""

    kind, verb, seen, aimed = "help", "help", "helps", " "

    def offers(self, moment: Moment) -> Offers:
        fighter = moment.one
        for friend in moment.fight.fighters:
            mate = friend.profile.side == fighter.profile.side and friend.profile.name != fighter.profile.name
            if mate and friend.able and not friend.helped and fighter.at(friend) is not None:
                yield self.at(friend, "Help", note="with the next task or bandage")

    def possible(self, rules: Ruleset, fight: Fight, item: Fighter, action: Action) -> bool:
        friend = fight.fighter(action.target)
        return friend.able and item.at(friend) is not None

    def came_of(self, rules: Ruleset, fight: Fight, action: Action, qr: int) -> Play[Fight]:
        more = follow_up(rules, qr)
        yield from happened(fight, action.target, f"is helped: {more:+} to the next task", "good" if more > 0 else "plain")
        return fight.change(action.target, helped=more)


class Signal(ActionKind):
    """The word for friends who wait for it."""

    kind, free, seen, does = "signal", True, "gives the signal", "gives the signal"

    def offers(self, moment: Moment) -> Offers:
        fighter = moment.one
        if any(f.waiting and f.side == fighter.side and f.name != fighter.name and f.able for f in moment.fight.fighters):
            yield self.plain("Signal those who wait", "no action")
