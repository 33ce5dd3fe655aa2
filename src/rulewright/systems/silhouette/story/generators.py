"""The gamemaster's tables that make notes: people, names, plots, life changes, mishaps, campaign pages (book lines 6406-6890)."""

from collections.abc import Mapping
from typing import cast, get_args

from rulewright.campaign.downtime import Value
from rulewright.campaign.downtime_rules import Figure
from rulewright.campaign.generators import RANDOM, Draft, Generator, chosen
from rulewright.play import Play, Roll
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.story.names import FIRST, LAST
from rulewright.systems.silhouette.story.people import LEVELS, Level, described, made_from, sketch
from rulewright.systems.silhouette.story.stat_blocks import stat_block
from rulewright.systems.silhouette.story.tables import TYPES, Fumbled, Sex, drawn_type, mishap, one_of, plot_mover

STEREOTYPE = chosen("stereotype", "Stereotype", "fighter", "tinkerer", "socialite", "rogue", rule="sil-7.2.2-stereotypes")
SEX = chosen("sex", "Sex", *get_args(Sex), rule="sil-7.2.3-npc-physical")
CAST = Figure("cast", "Part in the cast", ("supporting cast", "lead", "extra"), rule="sil-7.2.1-cast-rating")
LEVEL = Figure("level", "Skills of a lead", LEVELS[::-1], rule="sil-7.2.2-stereotypes")


class Somebody(Generator):
    """A person by the tables: an extra is a look and a trade, supporting cast have a name and a story, leads also have statistics."""

    name = "somebody"
    label = "Roll somebody"
    rules = ("sil-7.2.3-npc-features", "sil-7.2.3-npc-physical", "sil-7.2.2-stereotypes", "sil-7.2.1-cast-rating")
    arguments = (CAST, STEREOTYPE, SEX, LEVEL)

    def generate(self, rules: Ruleset, given: Mapping[str, Value]) -> Play[Draft]:
        pinned: dict[str, object] = {part.name: given[part.name] for part in (STEREOTYPE, SEX) if given[part.name] != RANDOM}
        drawn = yield from sketch(rules, pinned)
        looks = f"{drawn.sex}, about {drawn.age}, {drawn.hair} hair, {drawn.eyes} eyes; {drawn.clothing}"
        if given[CAST.name] == "extra":
            return Draft(f"{drawn.trade}, extra".capitalize(), f"{drawn.stereotype}: {looks}")
        if given[CAST.name] == "supporting cast":
            return Draft(f"{drawn.name}, {drawn.trade}", described(drawn))
        person = made_from(rules, drawn, cast(Level, given[LEVEL.name]))
        return Draft(f"{drawn.name}, {drawn.trade}", stat_block(rules, person))


HOW_MANY = Figure("names", "How many", low=1, high=30, default=10)


class Names(Generator):
    """A list of names to cross out when they are used."""

    name = "names"
    label = "Roll names"
    rules = ("sil-7.1.8-gm-tools",)
    arguments = (HOW_MANY,)

    def generate(self, rules: Ruleset, given: Mapping[str, Value]) -> Play[Draft]:
        lines, firsts = [], [name for names in FIRST.values() for name in names]
        for _ in range(int(given[HOW_MANY.name])):
            first = yield from Roll(one_of(len(firsts)), "", "name")
            last = yield from Roll(one_of(len(LAST)), "", "family name")
            lines.append(f"- {firsts[first - 1]} {LAST[last - 1]}")
        return Draft("Names", "\n".join(lines))


TITLE = Figure("title", "Title (empty: rolled)", takes="text", rule="sil-7.3-plot-movers")


class PlotMover(Generator):
    """An event that starts a story, in one of its two versions."""

    name = "plot mover"
    label = "Roll a plot mover"
    rules = ("sil-7.3-plot-movers",)
    arguments = (TITLE,)

    def generate(self, rules: Ruleset, given: Mapping[str, Value]) -> Play[Draft]:
        plot = yield from plot_mover(rules, str(given[TITLE.name]).strip().casefold())
        return Draft(plot.title.capitalize(), f"{plot.premise}: {plot.how}")


GROUP = Figure("of", "What", ("life change", "motivation"), rule="sil-7.2.2-stereotypes")


class Turn(Generator):
    """An event that changes a life, or a reason why a party stays together."""

    name = "turn of life"
    label = "Roll a life change or motivation"
    rules = ("sil-7.2.2-stereotypes",)
    arguments = (GROUP,)

    def generate(self, rules: Ruleset, given: Mapping[str, Value]) -> Play[Draft]:
        group = str(given[GROUP.name])
        drawn = yield from drawn_type(rules, "motivation" if group == "motivation" else "life change")
        return Draft(f"{group}: {drawn}".capitalize(), TYPES.get(rules, drawn).about)


KIND = Figure("kind", "A fumbled", get_args(Fumbled), rule="sil-7.1.7-fumble-effects")


class Mishaps(Generator):
    """What a fumble looks like."""

    name = "fumble"
    label = "Roll the effect of a fumble"
    rules = ("sil-7.1.7-fumble-effects",)
    arguments = (KIND,)

    def generate(self, rules: Ruleset, given: Mapping[str, Value]) -> Play[Draft]:
        result = yield from mishap(rules, cast(Fumbled, given[KIND.name]))
        turns = f" (turns: {result.turns})" if result.turns is not None else ""
        return Draft(f"Fumbled {given[KIND.name]}", f"{result.what}{turns}")


PAGE = ("What has happened", "Allies and opponents", "Loose threads", "What happens in the world", "Subplots", "What players do not know")


class CampaignPage(Generator):
    """The page of a campaign's threads, with a rolled event to begin with."""

    name = "campaign page"
    label = "Begin a page of the campaign"
    rules = ("sil-7.1.8-gm-tools", "sil-7.3-plot-movers")
    arguments = (Figure("episode", "Episode", takes="text"),)

    def generate(self, rules: Ruleset, given: Mapping[str, Value]) -> Play[Draft]:
        plot = yield from plot_mover(rules)
        parts = [f"# {heading}\n" + (f"- {plot.premise}: {plot.how}\n" if heading == PAGE[2] else "") for heading in PAGE]
        return Draft(f"Campaign {given['episode']}".strip(), "\n".join(parts))


GENERATORS: tuple[Generator, ...] = (Somebody(), Names(), PlotMover(), Turn(), Mishaps(), CampaignPage())
