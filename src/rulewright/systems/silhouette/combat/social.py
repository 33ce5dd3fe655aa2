"""Social combat: ploys as weapons, reputation as life (book lines 2274-2300)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.play import Event, Play, Scale, Tell, Together, came_to, sub
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, Reason, at_least, divided, rounded, rounded_up, term, times, total
from rulewright.systems.silhouette.combat.close_combat import Open, blow_margin, who_is_open
from rulewright.systems.silhouette.people.characters import Person, known, skill_test
from rulewright.systems.silhouette.people.characters import side as side_of
from rulewright.systems.silhouette.people.secondary_attributes import Wound, toward_zero, wound_from
from rulewright.systems.silhouette.people.skills import named
from rulewright.systems.silhouette.resolution.dice_options import tamed_margin
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, Side, opposed_complexity, roll_of, settled, sum_of

_ID = "sil-3.3.5-social-game"


class PloyRow(TableRow, frozen=True):
    """A ploy: its skill, and its modifiers to damage and to the roll."""

    ploy: str
    skill: str
    damage: int = 0
    accuracy: int = 0


PLOYS = Table(_ID, PloyRow)


# --- ratings ------------------------------------------------------------------------------------------------------------------


@rule(_ID)
def social_ratings(
    rules: Ruleset, influence: int = 0, willpower: int = 0, psyche: int = 0, knowledge: int = 0, skill: int = 0
) -> dict[str, Derived[int]]:
    """Returns the social counterparts of the physical ratings, rounded like them: Strength toward zero, Health to the nearest,
    Embarrassment up (ruling). `skill` is the level of the attacking skill."""
    inf, wil = term("Influence", influence), term("Willpower", willpower)
    strength = total("Social Strength", inf, wil, divided("halved", 2), toward_zero(influence + willpower), rule=_ID)
    health = total("Social Health", wil, term("Psyche", psyche), term("Knowledge", knowledge), divided("a third", 3), rounded(), rule=_ID)
    stamina = total(
        "Social Stamina",
        inf,
        term("Social Health", health),
        times("five", 5),
        term("base", 25),
        at_least(10),
        rule=_ID,
    )
    base, least = (8, 5) if rules.word("social-damage") == "general" else (3, 1)
    hurts = total(
        "Social Damage",
        term("base", base),
        term("skill", skill),
        term("Social Strength", strength),
        inf,
        at_least(least),
        rule=_ID,
    )
    by_stamina = term("Social Stamina", stamina)
    return {
        "social_strength": strength,
        "social_health": health,
        "social_stamina": stamina,
        "social_damage": hurts,
        "embarrassment": total("Embarrassment", by_stamina, divided("halved", 2), rounded_up(), rule=_ID),
        "hurt": total("Hurt", by_stamina, rule=_ID),
        "instant_shame": total("Instant Shame", by_stamina, times("twice", 2), rule=_ID),
        "reputation": total("Reputation", term("base", 5), term("Social Health", health), at_least(1), rule=_ID),
    }


def social_ratings_of(rules: Ruleset, person: Person, skill: str = "") -> dict[str, Derived[int]]:
    """Returns the social ratings of a person who attacks with a skill."""
    level = person.level(person.best(known(rules, skill))) if skill else 0
    of = person.attribute
    return social_ratings(rules, of("influence"), of("willpower"), of("psyche"), of("knowledge"), level)


# --- standing -----------------------------------------------------------------------------------------------------------------


class Standing(Struct, frozen=True, cache_hash=True):
    """A person's social state. Every Embarrassment costs 1 on all social tests, and every Hurt 2."""

    name: str = "someone"
    embarrassment: int = 13
    hurt: int = 25
    shame: int = 50
    reputation: int = 5
    embarrassments: int = 0
    hurts: int = 0
    exiled: bool = False

    @classmethod
    def of(cls, rules: Ruleset, person: Person) -> "Standing":
        """Returns a person's social state without any damage."""
        values = social_ratings_of(rules, person)
        first, second, third, last = [values[key].value for key in ("embarrassment", "hurt", "instant_shame", "reputation")]
        return cls(person.name, first, second, third, last)

    @property
    def penalty(self) -> int:
        """Returns the penalty on social tests."""
        return -self.embarrassments - 2 * self.hurts

    @property
    def reputation_left(self) -> int:
        """Returns the reputation left."""
        return self.reputation + self.penalty


GOOD_REPUTE = Standing()


class LostFace(Event, frozen=True):
    """A social attack that had an effect."""

    name: str
    wound: Wound
    damage: int
    after: Standing

    def headline(self) -> str:
        if self.after.exiled:
            return f"{self.name} is disgraced and leaves society"
        words = {"none": "shrugs it off", "flesh": "is embarrassed", "deep": "is deeply hurt", "death": "is shamed"}[self.wound]
        return f"{self.name} {words} (reputation {self.after.reputation_left} of {self.after.reputation})"

    def reasons(self) -> tuple[Reason, ...]:
        after, compared = self.after, {"none": "embarrassment", "flesh": "embarrassment", "deep": "hurt", "death": "shame"}[self.wound]
        blows = (term("Embarrassments", -after.embarrassments), term("Hurts, 2 each", -2 * after.hurts))
        return (
            Reason("social damage", self.damage, "=", _ID),
            Reason(compared.capitalize(), getattr(after, compared), "against", _ID),
            Reason("penalty now", after.penalty, "=", _ID, "book", blows),
        )

    def tone(self) -> str:
        return "plain" if self.wound == "none" else "bad"


@rule(_ID)
def lose_face(standing: Standing = GOOD_REPUTE, damage: int = 0) -> Standing:
    """Compares damage with Embarrassment, Hurt and Instant Shame; a character without reputation goes into exile."""
    wound = wound_from(damage, standing.embarrassment, standing.hurt, standing.shame)
    if wound == "death":
        return replace(standing, exiled=True)
    if wound == "flesh":
        standing = replace(standing, embarrassments=standing.embarrassments + 1)
    elif wound == "deep":
        standing = replace(standing, hurts=standing.hurts + 1)
    return replace(standing, exiled=True) if standing.reputation_left <= 0 else standing


# --- a social blow ------------------------------------------------------------------------------------------------------------


class Affront(Struct, frozen=True, cache_hash=True):
    """A complete social attack."""

    attacker: str
    target: str
    ploy: str
    attack: Side
    defense: Side
    damage: int
    strikes: int = 1
    """Strikes per roll; each is answered separately."""


class Snubbed(Struct, frozen=True):
    """Result of a social attack: the standing left, the best margin, and who fumbled."""

    standing: Standing
    margin: int
    open: Open = "nobody"


class Exchanged(Event, frozen=True, kw_only=True):
    """A social attack with both rolls, the margin and the social damage."""

    attacker: str
    target: str
    ploy: str
    pool: Pool
    attack: Total
    guard: Pool
    defense: Total
    margin: int
    damage: Derived[int] | None = None

    def headline(self) -> str:
        both = self.attack.fumble and self.defense.fumble  # 2177
        told = f"success by {self.margin}" if self.margin else "both make fools of themselves" if both else "no effect"
        return f"{self.attacker} tries {self.ploy} on {self.target}: {told}"

    def reasons(self) -> tuple[Reason, ...]:
        done = (self.damage.reason,) if self.damage is not None else ()
        return (sum_of("attack", self.pool, self.attack, "=", _ID), sum_of("answer", self.guard, self.defense, "against", _ID), *done)

    def tone(self) -> str:
        return "bad" if self.margin else "plain"


@rule(_ID)
def ploy_skill(rules: Ruleset, ploy: str = "etiquette") -> str:
    """Returns the skill of a ploy; intimidation is not on the list and uses another skill (ruling "intimidation")."""
    return PLOYS.get(rules, ploy).skill or rules.word("intimidation")


@rule(_ID)
def social_attribute(rules: Ruleset, ploy: str = "etiquette", answers: bool = False) -> str:
    """Returns the attribute of a ploy: Creativity to attack and Willpower to defend, or the skill's own attribute (ruling).

    Intimidation always uses Build or Willpower: here Willpower, or Build if the campaign uses the skills' own attributes.
    """
    if rules.word("social-attributes") == "as in close combat":
        return "willpower" if answers or ploy == "intimidation" else "creativity"
    if ploy == "intimidation":
        return "build"
    from rulewright.systems.silhouette.people.skills import attribute_of

    return attribute_of(rules, ploy_skill(rules, ploy))


@rule(_ID)
def social_attention(rules: Ruleset) -> str:
    """Returns the attribute of Notice for initiative: Perception, like Combat Sense, or Psyche, which the skill uses for reading people
    (ruling)."""
    return "perception" if rules.word("social-attributes") == "as in close combat" else "psyche"


def social_side(rules: Ruleset, person: Person, ploy: str, penalty: int = 0, *, answers: bool = False) -> Side:
    """Returns the side of an attacker or defender with a ploy."""
    skill, attribute = ploy_skill(rules, ploy), social_attribute(rules, ploy, answers)
    row = PLOYS.get(rules, ploy)
    mods = (Mod("lost face", penalty, _ID), Mod("ploy", 0 if answers else row.accuracy, _ID))
    pool = skill_test(rules, person, skill, attribute, task=None, modifiers=mods)
    side = side_of(rules, person, skill, attribute, pool)
    return replace(side, skill=named(rules, skill).skill)


@rule(_ID)
def snub(rules: Ruleset, affront: Affront, standing: Standing) -> Play[Snubbed]:
    """Plays a social attack like close combat: opposed, a tie goes to the defender, and the margin multiplies Social Damage."""
    pair: tuple[tuple[int, ...], Open] = yield from sub(words, rules, affront)
    margins, opened = pair
    before = standing
    for margin in margins:
        if margin and not standing.exiled:
            done = social_damage(rules, affront.damage, margin).value
            wound = wound_from(done, standing.embarrassment, standing.hurt, standing.shame)
            standing = lose_face(standing, done)
            yield from Tell(LostFace(standing.name, wound, done, standing))
    yield came_to(social_outcome(before, standing, max(margins)), SNUBBING, affront.attacker, affront.target)
    return Snubbed(standing, max(margins), opened)


SNUBBING = Scale(("no effect", "shrugged off", "embarrassed", "hurt", "exile"), ("embarrassed", "hurt", "exile"), "tells", "keeps face")
"""Possible results of a social attack."""


def social_outcome(before: Standing, after: Standing, margin: int) -> str:
    """Returns the worst effect of a social attack in one word."""
    if after.exiled and not before.exiled:
        return "exile"
    if after.hurts > before.hurts:
        return "hurt"
    if after.embarrassments > before.embarrassments:
        return "embarrassed"
    return "shrugged off" if margin else "no effect"


@rule(_ID)
def social_damage(rules: Ruleset, multiplier: int, margin: int) -> Derived[int]:
    """Returns Social Damage times the margin."""
    counted = tamed_margin(rules, max(0, margin))
    return total("social damage", term("Social Damage", multiplier), times("Margin of Success", counted), rule=_ID)


def words(rules: Ruleset, affront: Affront) -> Play[tuple[tuple[int, ...], Open]]:
    """Rolls a social attack and an answer to each of its strikes; returns the margins and who is open."""
    attack, answer = affront.attack.pool, affront.defense.pool
    if affront.attack.skill and affront.attack.skill == affront.defense.skill:
        attack = attack.plus(opposed_complexity(rules, affront.attack.complexity, affront.defense.complexity)[0])
    answers = [roll_of(rules, answer, affront.target, "answering") for _ in range(affront.strikes)]
    rolls = yield from Together((roll_of(rules, attack, affront.attacker, affront.ploy), *answers))
    said, met = settled(rules, attack, rolls[0]), [settled(rules, answer, roll) for roll in rolls[1:]]
    margins = [0 if said.fumble and candidate.fumble else blow_margin(said.total, candidate.total) for candidate in met]  # 2177
    for result, margin in zip(met, margins, strict=True):
        told = Exchanged(
            attacker=affront.attacker,
            target=affront.target,
            ploy=affront.ploy,
            pool=attack,
            attack=said,
            guard=answer,
            defense=result,
            margin=margin,
            damage=social_damage(rules, affront.damage, margin) if margin else None,
        )
        yield from Tell(told)
    return tuple(sorted(margins, reverse=True)), who_is_open(said.fumble, any(candidate.fumble for candidate in met))


SocialVictory = Literal["opponent shamed", "useful contact", "good deal", "out of debt", "met somebody important"]


@rule(_ID)
def social_experience(victories: tuple[SocialVictory, ...] = ()) -> Derived[int]:
    """Returns the experience for social victories: one point for each enemy overcome, contact made or deal struck (ruling: 1 each).

    By id only.
    """
    return total("Experience Points", *[term(victory, 1) for victory in victories], rule=_ID)
