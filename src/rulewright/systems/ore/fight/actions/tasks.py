"""Other actions: using a skill, getting bearings, speaking, doing nothing (book lines 397-421, 4206)."""

from collections.abc import Iterable

from msgspec.structs import replace

from rulewright.play import GAMEMASTER, Choice, Happened, Option, Play, Range, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.attacks import Attempt
from rulewright.systems.ore.combat.fighters import Act, Fight, Fighter, Pending, Situation
from rulewright.systems.ore.fight.actions.base import FREE, HELD, HOLDING, SPENT, Action, Declarable, Foe, Me, Names
from rulewright.systems.ore.fight.feats.effects import help_for, on_of
from rulewright.systems.ore.fight.initiative import rolls_initiative, take_initiative
from rulewright.systems.ore.fight.powers.active import DAZED
from rulewright.systems.ore.fight.resolution.parley import PARLEY
from rulewright.systems.ore.people.feat_effects import Try, asked_about, missing
from rulewright.systems.ore.people.pools import skill_pool, usable_pool
from rulewright.systems.ore.people.skills import known_skill

HARDEST = 10
SURRENDERED = "surrendered"


class Skill(Action):
    """Uses a skill at a Difficulty that the Game Master sets."""

    kind, label = "skill", "Use"
    targeted = False

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        for name in me.skills:
            yield Declarable(f"skill:{name}", f"Use {name}", (Act("skill", skill=name),))

    def completed(self, rules: Ruleset, fight: Fight, name: str, act: Act) -> Play[Act]:
        ask = f"{name} uses {act.skill}. What is the Difficulty, from 1 to {HARDEST}?"
        need = yield from Choice[int](GAMEMASTER, ask, Range(1, HARDEST), Situation(fight, name, rules), "difficulty")
        if fight.fighter(name).profile.feats:
            act = yield from with_circumstances(rules, fight, name, act)
        return replace(act, difficulty=need)

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        person = fighter.profile.training.person()
        pools = [skill_pool(rules, person, act.skill)]
        if fighter.profile.feats:
            known_as = known_skill(rules, act.skill)
            for skill, statistic in help_for(rules, fight, fighter, act).instead:
                pools.append(skill_pool(rules, person, skill, statistic or (known_as.statistic if known_as else None)))
        best = max(pools, key=lambda pool: (pool.size, pool.master, pool.expert))
        return Attempt(usable_pool(rules, best), act.difficulty)

    def happens(self, rules: Ruleset, before: Fight, fight: Fight, pending: Pending) -> Play[tuple[Fight, Names]]:
        yield Tell(Happened(pending.who, f"succeeds with {pending.act.skill}: {pending.width}x{pending.height}", "good"))
        return fight, ()


_APPLIES: tuple[Option[bool], ...] = (Option("no", "No", value=False), Option("yes", "Yes", value=True))


def with_circumstances(rules: Ruleset, fight: Fight, name: str, act: Act) -> Play[Act]:
    """Asks the Game Master for each relevant feat whether its circumstances apply, and how often."""
    fighter, about = fight.fighter(name), Situation(fight, name, rules)
    tried = Try(on=on_of(rules, act), when=act.when)
    asked: set[tuple[str, ...]] = set()
    for known in asked_about(rules, fighter.profile.feats, tried):
        words = missing(rules, known, Try(on=tried.on, when=act.when)) or ()
        if not known.does.changes or known.does.manner or not words or words in asked:
            continue
        asked.add(words)
        ask = f"{name} uses {act.skill}. Does {known.label} apply ({', '.join(words)})?"
        if (yield from Choice(GAMEMASTER, ask, _APPLIES, about, "feat applies")):
            act = replace(act, when=(*act.when, *words))
            if known.does.per:
                many = yield from Choice[int](GAMEMASTER, f"How many ({known.does.per})?", Range(1, known.does.most), about, "feat times")
                act = replace(act, times=many)
    return act


class GetBearings(Action):
    """Spends an action to roll Initiative again."""

    kind, label, did = "get bearings", "Get your bearings", "looks around"
    rolled, plain = False, True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return (self.one(),) if rolls_initiative(rules) else ()

    def at_once(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Fight]:
        fight = yield from take_initiative(rules, fight, (fighter.name,))
        yield Tell(Happened(fighter.name, self.did))
        return fight


class Speak(Action):
    """Says a few words at no cost."""

    kind, label, did = "speak", "Say something", "speaks"
    rolled, free, plain = False, True, True
    when = frozenset((FREE, HELD, HOLDING, SPENT))

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return (self.one(),)


class Parley(Action):
    """A threat or a Display Move before the fight, offered beside the first declaration (`parley.parley_acts`)."""

    kind, label = PARLEY, "Speak before the fight"
    verb = "special"
    rolled, alone, plain = False, True, True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return ()


class Surrender(Action):
    """Gives up the fight without a roll, before the dice of the round."""

    kind, label, did = "surrender", "Surrender", "surrenders"
    rolled, alone, plain = False, True, True
    when = frozenset((FREE, HELD, HOLDING, SPENT))

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return (self.one(),) if foes else ()

    def done(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        return fight.put(replace(fighter, fled=True, marks=(*fighter.marks, (SURRENDERED, ""))))


class Pass(Action):
    """Does nothing, or keeps holding."""

    kind, label = "pass", "Do nothing"
    rolled, alone, plain = False, True, True
    when = frozenset((FREE, HELD, HOLDING, SPENT, DAZED))

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return (self.one("Hold on" if me.holds else ""),)
