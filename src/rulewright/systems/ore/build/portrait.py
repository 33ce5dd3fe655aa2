"""People of the One Roll Engine in words that other games share, for conversion."""

from collections.abc import Mapping

import msgspec

from rulewright.build.portrait import Item, Portrait, Portrayal, Rating
from rulewright.play import sub
from rulewright.play.cache import cached
from rulewright.play.odds import exact
from rulewright.rules import Ruleset
from rulewright.systems.ore.gear.armour import CLASSES, STRONGER, armour_rating
from rulewright.systems.ore.gear.armoury import weapon_named
from rulewright.systems.ore.gear.firearms import FIREARMS
from rulewright.systems.ore.gear.weapons import BARE_HANDS, MELEE
from rulewright.systems.ore.harm.body import dealt, fresh, marked
from rulewright.systems.ore.harm.locations import at_height
from rulewright.systems.ore.people.characters import HUMAN_LIMIT, STATISTICS, Character, Person, Statistics, start
from rulewright.systems.ore.people.skills import known_skill, narrow_fields, selection, starting_limit
from rulewright.systems.ore.resolution.notation import parse, written_test
from rulewright.systems.ore.resolution.outcomes import Outcome

ORDINARY = 2
MOST_NARROW = 2
"""More Narrow Skills of one field become the Broad Skill."""
ORDINARY_DIFFICULTIES = (1, 2)
"""Easy and Demanding: most rolls have no Difficulty beyond the first."""
_STATISTICS: Mapping[str, tuple[str, ...]] = {
    "body": ("strength", "toughness"),
    "coordination": ("agility", "dexterity"),
    "psyche": ("reasoning", "creativity", "willpower"),
    "insight": ("perception", "intuition"),
    "command": ("presence",),
    "charm": ("appearance",),
}
_SKILLS: Mapping[str, tuple[str, ...]] = {
    "fight": ("melee", "unarmed"),
    "dodge": ("dodging",),
    "small arms": ("pistols",),
    "long arms": ("rifles",),
    "heavy weapons": ("heavy weapons",),
    "pull weapons": ("archery",),
    "hurled weapons": ("throwing",),
    "running": ("athletics", "jumping", "swimming"),
    "acrobatics": ("acrobatics", "weightlessness"),
    "climbing": ("climbing",),
    "endurance": ("endurance", "pain"),
    "sneaking": ("stealth",),
    "theft": ("sleight of hand",),
    "b & e": ("locks",),
    "streetwise": ("streetwise",),
    "sight": ("noticing", "alertness in combat"),
    "searching": ("searching",),
    "tracking": ("tracking",),
    "sustenance": ("survival",),
    "direction": ("navigation",),
    "trapping": ("explosives",),
    "drive: cars": ("driving",),
    "pilot: aircraft": ("flying",),
    "sail: boats": ("boats",),
    "spaceflight": ("spacecraft",),
    "ride: horses": ("riding",),
    "remedy": ("medicine",),
    "software": ("computers",),
    "repair: machines": ("machines",),
    "science": ("science",),
    "research": ("lore",),
    "influence": ("persuasion", "trade"),
    "subterfuge": ("deception", "gambling"),
    "intimidation": ("intimidation", "interrogation"),
    "authority": ("leadership", "teaching"),
    "fascinate": ("seduction",),
    "etiquette": ("etiquette",),
    "disguise": ("disguise",),
    "perform: stage": ("performance",),
    "arts": ("art",),
    "meditation": ("meditation",),
}
_BROAD: Mapping[str, tuple[str, ...]] = {
    "close combat": ("melee", "unarmed", "dodging"),
    "ranged combat": ("pistols", "rifles", "archery", "throwing"),
    "athletics": ("athletics", "acrobatics", "climbing", "jumping", "swimming"),
    "physique": ("endurance", "pain"),
    "stealth": ("stealth", "disguise"),
    "crime": ("sleight of hand", "locks", "streetwise"),
    "perception": ("noticing", "alertness in combat"),
    "scrutinize": ("searching", "tracking"),
    "survival": ("survival", "navigation", "explosives"),
    "medicine": ("medicine",),
    "computers": ("computers",),
    "engineering": ("machines",),
    "education": ("science", "lore", "art"),
    "manipulate": ("persuasion", "deception", "intimidation"),
    "leadership": ("leadership",),
    "social": ("seduction", "etiquette"),
    "entertain": ("performance",),
    "focus": ("meditation",),
    "ballistics": ("pistols", "rifles"),
    "missiles": ("archery",),
    "thrown": ("throwing",),
    "unarmed": ("unarmed",),
    "swords": ("melee",),
    "fencing": ("melee",),
    "axes": ("melee",),
    "bludgeoning": ("melee",),
    "hafted": ("melee",),
    "close-in fighting": ("melee",),
    "parry": ("melee",),
    "vigor": ("endurance",),
    "hiding": ("stealth",),
    "hardware": ("computers",),
    "operation": ("computers",),
    "hearing": ("noticing",),
    "drive": ("driving",),
    "pilot": ("flying",),
    "sail": ("boats",),
    "ride": ("riding",),
    "repair": ("machines",),
    "perform": ("performance",),
    "pharmaceuticals": ("medicine",),
    "tactics": ("leadership",),
    "strategy": ("leadership",),
}
"""Broad and special skills: read, and said with the narrow ones."""
_CLOSE = {"battle axe": "axe", "dagger": "knife", "staff": "staff"}
_GUNS = {"pistol": "pistol", "submachine gun": "submachine gun", "assault rifle": "assault rifle", "rifle": "rifle", "shotgun": "shotgun"}
_BUILT: Mapping[str, str] = {
    "cudgel: bludgeon 1": "club",
    "mace: bludgeon 2": "club",
    "maul: bludgeon 4": "club",
    "hatchet: broad blade 2 axe": "axe",
    "sabre: narrow blade 2 slashing": "sword",
    "spear: narrow blade 2 hafted": "staff",
    "throwing knife: trajectory 1": "thrown blade",
    "short bow: pull 2": "bow",
    "long bow: pull 3": "bow",
    "crossbow: push 3": "crossbow",
    "light pistol: pistol 9mm semi-automatic magazine 15": "pistol",
    "heavy pistol: pistol .40 semi-automatic magazine 12": "pistol",
    "hunting rifle: rifle .30 rifle single action magazine 5": "rifle",
    "service rifle: rifle 7.62 single action magazine 10": "rifle",
    "shotgun: shotgun 12 gauge single action magazine 6": "shotgun",
    "machine pistol: submachine gun .40 automatic rpm 600 magazine 30": "submachine gun",
    "beam pistol: energy pistol 2 magazine 12": "energy pistol",
    "beam rifle: energy rifle 4 magazine 12": "energy rifle",
}
"""Weapons of the book's construction, so that every usual kind has some."""
_ARMOUR: Mapping[str, str] = {
    "leather": "jacket",
    "studded leather": "jacket",
    "chain mail": "mail",
    "scale mail": "mail",
    "half-plate": "plate",
    "plate mail": "plate",
    "anti-knife vest": "vest",
    "kevlar": "vest",
    "kevlar with plates": "vest",
}


class OrePortrayal(Portrayal):
    """Six statistics; the narrow skills are written, broad and special ones are read."""

    def ratings(self, rules: Ruleset) -> tuple[Rating, ...]:
        begin, learnt = start(rules), starting_limit(rules)
        statistics = [
            Rating(f"statistics.{name}", name.capitalize(), covers, begin.start, begin.highest, ORDINARY, attribute=True)
            for name, covers in _STATISTICS.items()
        ]
        skills = [
            Rating(f"skills.{name}", name.capitalize(), covers, 1, learnt, min(ORDINARY, learnt), in_play=HUMAN_LIMIT)
            for name, covers in _SKILLS.items()
        ]
        broad = [
            Rating(f"skills.{name}", name.capitalize(), covers, 1, learnt, min(ORDINARY, learnt), written=False)
            for name, covers in _BROAD.items()
        ]
        return (*statistics, *skills, *broad)

    def tasks(self, rules: Ruleset, rating: Rating, ratings: Mapping[str, int]) -> tuple[str, ...]:
        field, _, name = rating.key.partition(".")
        if field == "statistics":
            dice = ratings[rating.key] + ORDINARY
        else:
            skill = known_skill(rules, name)
            dice = ratings[f"statistics.{skill.statistic if skill is not None else 'body'}"] + ratings[rating.key]
        return tuple([f"{max(1, dice)}d diff {difficulty}" for difficulty in ORDINARY_DIFFICULTIES])

    def read(self, rules: Ruleset, thing: Character) -> Portrait:
        person = Person.of(rules, thing)
        values = {f"statistics.{name}": min(person.statistic(name), HUMAN_LIMIT) for name in STATISTICS}
        lost = [
            f"{name.capitalize()} {person.statistic(name)}: beyond what people have"
            for name in STATISTICS
            if person.statistic(name) > HUMAN_LIMIT
        ]
        for skill, rating in person.skills.items():
            base = skill.partition(":")[0]
            own = next((f"skills.{name}" for name in (skill, base) if name in _SKILLS or name in _BROAD), "")
            if own:
                values[own] = max(rating, values.get(own, 0))
            else:
                lost.append(f"{skill} {rating}: no shared word covers this skill")
        lost += [f"Expert and Master Dice of {skill}: no other game has them" for skill in person.special]
        lost += [f"the feats of {path}: no other game has them" for path in person.feats]
        lost += [f"the advantage {own.name}: advantages have no equal in other games" for own in person.advantages]
        lost += [f"the power {power.name}: no other game has it" for power in person.inherent]
        lost += [f"the powers of {powers.set}: no other game has them" for powers in person.powers]
        weapons = tuple([weapon for weapon in thing.weapons if weapon != BARE_HANDS.name])
        return Portrait(
            thing.name,
            thing.concept,
            values,
            tuple([_same_as(rules, weapon) for weapon in weapons]),
            tuple(dict.fromkeys(armour for armour in thing.armour.values())),
            thing.gear,
            tuple(lost),
        )

    def build(self, rules: Ruleset, portrait: Portrait) -> Character:
        ratings, known = portrait.ratings, selection(rules)
        statistics = {name: ratings.get(f"statistics.{name}", ORDINARY) for name in STATISTICS}
        skills = {key.partition(".")[2]: rating for key, rating in ratings.items() if key.startswith("skills.")}
        for field, narrow in narrow_fields(rules, skills).items():
            if len(narrow) > MOST_NARROW:  # the book makes them the Broad Skill
                skills[field] = max(skills.pop(name) for name in narrow)
        return Character(
            portrait.name,
            concept=portrait.concept,
            statistics=msgspec.convert(statistics, Statistics),
            skills={name: rating for name, rating in skills.items() if name.partition(":")[0] in known},
            weapons=portrait.weapons,
            armour={"torso": portrait.armour[0]} if portrait.armour else {},
            gear=portrait.other,
        )

    def weapons(self, rules: Ruleset) -> tuple[Item, ...]:
        kinds = {name: _CLOSE.get(name, "sword") for name in MELEE(rules)}
        kinds |= {row.name: _GUNS.get(row.gun, "rifle") for row in FIREARMS(rules).values()}
        return tuple([Item(name, kind, felling(rules, name)) for name, kind in (kinds | dict(_BUILT)).items()])

    def armour(self, rules: Ruleset) -> tuple[Item, ...]:
        named = [Item(name, kind, _stopped(rules, name)) for name, kind in _ARMOUR.items() if name in STRONGER(rules)]
        return (
            *named,
            *[Item(name, kind, _stopped(rules, name)) for name, kind in zip(CLASSES(rules), ("jacket", "mail", "plate"), strict=False)],
        )


PORTRAYAL = OrePortrayal()
_USUAL_DAMAGE = 4
"""Kill and Shock of an ordinary hit with a sword or a pistol, at Width 2."""


def _stopped(rules: Ruleset, name: str) -> float:
    return min(1.0, 2 * armour_rating(rules, name) / (2 * _USUAL_DAMAGE))


def _same_as(rules: Ruleset, written: str) -> str:
    """The weapon of the lists that a weapon of one's own is measured by: itself, or the likest in kind and damage."""
    own = weapon_named(rules, written)
    if written in MELEE(rules) or written in FIREARMS(rules) or written in _BUILT:
        return written
    candidates = [*MELEE(rules), *FIREARMS(rules), *_BUILT]
    same = [name for name in candidates if weapon_named(rules, name).kind == own.kind and weapon_named(rules, name).gun == own.gun]
    distance = {name: abs(weapon_named(rules, name).kill - own.kill) + abs(weapon_named(rules, name).shock - own.shock) for name in same}
    return min(same, key=lambda name: distance[name], default=candidates[0])


@cached(16)
def _hits(rules: Ruleset) -> tuple[tuple[int, int, float], ...]:
    """Width and Height of an ordinary person's hits, with their chances."""
    odds = exact(sub(written_test, rules, parse(f"{2 * ORDINARY}d")))
    weights = {(outcome.width, outcome.height): weight for outcome, weight in odds if isinstance(outcome, Outcome) and outcome.success}
    whole = sum(weights.values())
    return tuple([(width, height, weight / whole) for (width, height), weight in sorted(weights.items())])


@cached(256)
def felling(rules: Ruleset, name: str) -> float:
    """How far a hit with a weapon goes towards felling an ordinary person: the chance that it fells, and the share of boxes it fills.

    Most hits of one roll wound without felling; the boxes break the tie between weapons (ruling).
    """
    weapon = weapon_named(rules, name)
    unhurt = fresh(rules, ORDINARY)
    chance = 0.0
    for width, height, share in _hits(rules):
        kill, shock = dealt(width, weapon.kill, weapon.shock)
        location = at_height(rules, height)
        fallen = float(not marked(rules, unhurt, location, shock, kill).able)  # type: ignore[arg-type]  # ordinary bodies have locations
        chance += share * (fallen + (1 - fallen) * min(1.0, (kill + shock) / 20))
    return chance
