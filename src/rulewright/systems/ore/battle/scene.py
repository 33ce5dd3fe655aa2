"""The battle as a scene: steps, end, views and lasting results."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from rulewright.build.sheet_parts import AnyPiece, Card, Pool, SceneView, Tag, Timeline, Track, Turn
from rulewright.errors import UserError
from rulewright.grammar import count, join
from rulewright.play import Option, Play, Scale, Verdict
from rulewright.play.odds import Odds
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts, Placed, counted
from rulewright.scenes.scene import Followed, Leaving, Result, Solve
from rulewright.scenes.skirmish import FIGHT_ON, Parting
from rulewright.systems.ore.battle.actions.registry import ACTIONS
from rulewright.systems.ore.battle.combatants import Battle, Craft, Engagement, Occupant, Order, Wing
from rulewright.systems.ore.battle.dice import street_of, words
from rulewright.systems.ore.battle.events import SCALE_OF_HITS, SCALE_OF_TRIES
from rulewright.systems.ore.battle.forecast import foretold
from rulewright.systems.ore.battle.position import position
from rulewright.systems.ore.battle.rounds import next_step
from rulewright.systems.ore.battle.setup import checked, craft_of, is_wing, occupant_of, wing_of
from rulewright.systems.ore.battle.tactics import TACTICS
from rulewright.systems.ore.fight.aftermath import CARRIES, aftermath
from rulewright.systems.ore.harm.body import hindered
from rulewright.systems.ore.harm.over_time import SECONDS_A_ROUND
from rulewright.systems.ore.machines.structure import LEVEL_NAMES, TRACKS, out_of_order
from rulewright.systems.ore.machines.vehicle import Vehicle

__all__ = ["BATTLE_SCENE", "TACTICS", "BattleScene", "fights_on"]

BATTLE_SCENE = "battle"


def fights_on(rules: Ruleset, battle: Battle, unit: Craft | Wing) -> bool:
    """Whether a vehicle still takes part: present, not destroyed, and with a driver or gunner."""
    if not unit.able:
        return False
    if isinstance(unit, Wing):
        return True
    steered = battle.manned(unit) and not out_of_order(rules, unit.hull, ("helm",))
    armed = bool(unit.machine.guns) and not out_of_order(rules, unit.hull, ("weapons",))
    gunners = any(occupant.able and occupant.seat in ("co-pilot", "gunner") for occupant in battle.aboard(unit.name))
    others = any(occupant.able and occupant.seat != "pilot" for occupant in battle.aboard(unit.name)) and not out_of_order(
        rules, unit.hull, ("helm",)
    )
    return steered or others or (armed and (gunners or (unit.machine.of_the_line and unit.machine.hands is not None)))


class BattleScene(Parting[Battle]):
    """Battles of vehicles: every declaration, the roll, and every Speed with results is a step."""

    state_type = Battle
    described = Engagement
    kind = BATTLE_SCENE
    event = "battle"
    seconds_a_round = SECONDS_A_ROUND
    overlaps = declares = True
    followed = 60

    def asks_for(self, option: Option[Any]) -> Scale | None:
        """The scale of outcomes for an option: attacks or other actions."""
        orders = option.value if isinstance(option.value, tuple) else ()
        kinds = [order.kind for order in orders if isinstance(order, Order) and order.kind in ACTIONS]
        return None if not kinds else SCALE_OF_HITS if any(ACTIONS[kind].attack for kind in kinds) else SCALE_OF_TRIES

    def threatened(self, state: Battle, who: str) -> bool:
        """Whether a set may still hit the vehicle of the deciding post this round."""
        if state.phase != "resolve":
            return state.phase != "begin"
        own = {plan.post.craft for plan in state.plans if plan.post.who == who} | {who}
        return any(not candidate.counters and candidate.order.target in own for candidate in state.waiting)

    def under_way(self, state: Battle, who: str) -> bool:
        """Whether a declared action may still take effect."""
        orders = [order for plan in state.plans if plan.post.who == who for order in plan.orders]
        if state.phase in ("declare", "roll") or any(order.kind == "escape" and order.far for order in orders):
            return any(order.kind != "pass" for order in orders)
        return any(candidate.post.who == who and not candidate.counters for candidate in state.waiting)

    def foretold(self, state: Battle, question: Followed, so_far: Verdict | None, solve: Solve) -> Odds[Any] | None:
        return foretold(self, state, question, so_far, solve)

    def step(self, state: Battle) -> Play[Battle]:
        leaving = self.resolve(state) if state.phase == "begin" else None
        return leaving if leaving is not None else next_step(self.rules, state)

    def holding(self, state: Battle) -> list[str]:
        """Sides that can still fight."""
        return list(dict.fromkeys([unit.side for unit in state.units if fights_on(self.rules, state, unit)]))

    def result(self, state: Battle) -> Result | None:
        left = self.holding(state)
        if not left:
            return Result(None, "nobody can fight on")
        if len(left) == 1:
            fled = [unit.name for unit in state.units if unit.gone and not unit.surrendered]
            why = f"only {left[0]} can still fight" + (f"; {join(fled)} got away" if fled else "")
            return Result(left[0], why)
        if state.round >= state.rounds and state.phase == "begin":
            return Result(None, f"{count(state.rounds, 'round')} {'has' if state.rounds == 1 else 'have'} passed")
        return None

    def sides(self, state: Battle) -> Mapping[str, tuple[str, ...]]:
        result: dict[str, tuple[str, ...]] = {}
        for craft in state.crafts:
            result[craft.side] = (*result.get(craft.side, ()), craft.name)
        for wing in state.wings:
            result[wing.side] = (*result.get(wing.side, ()), *wing.members)
        for person in state.people:
            result[person.side] = (*result.get(person.side, ()), person.name)
        return result

    def out(self, state: Battle) -> frozenset[str]:
        crafts = [craft.name for craft in state.crafts if not fights_on(self.rules, state, craft)]
        fighters = [name for wing in state.wings for name in (wing.members if wing.gone else wing.members[len(wing.ratings) :])]
        able = {craft.name for craft in state.crafts if craft.able}
        people = [person.name for person in state.people if not person.able or person.craft not in able]
        return frozenset([*crafts, *fighters, *people])

    def members(self, state: Battle) -> Sequence[Craft | Wing]:
        return state.units

    def member(self, state: Battle, who: str) -> Craft | Wing | None:
        person = state.person(who)
        name = person.craft if person is not None else next((wing.name for wing in state.wings if who in wing.members), who)
        return next((unit for unit in state.units if unit.name == name), None)

    def able(self, state: Battle, fighter: Craft | Wing) -> bool:
        return fighter.able

    def speaker(self, state: Battle, member: Craft | Wing) -> str:
        helm = state.helm(member.name)
        return helm.who if helm is not None else next((person.name for person in state.aboard(member.name) if person.able), "")

    def departed(self, state: Battle, fighter: Craft | Wing, how: Leaving) -> Battle:
        """A vehicle leaves with everybody aboard, or a wing as a whole (ruling: at once, from any range)."""
        return state.change(fighter.name, gone=True, surrendered=how == "surrender")

    def badly_hurt(self, state: Battle, fighter: Craft | Wing) -> bool:
        """Whether half of a hull is crossed off, half of a wing's Threat Ratings are gone, or a vehicle is out of control."""
        if isinstance(fighter, Wing):
            return 2 * sum(fighter.ratings) <= fighter.threat * len(fighter.members)
        return 2 * fighter.hull.marked >= TRACKS * fighter.hull.size or not fights_on(self.rules, state, fighter)

    def wise_answers(self, state: Battle, fighter: Craft | Wing) -> tuple[str, ...]:
        """A vehicle that can be steered withdraws, another one surrenders."""
        steered = isinstance(fighter, Wing) or (state.manned(fighter) and not out_of_order(self.rules, fighter.hull, ("helm",)))
        return ("withdraw", "surrender", FIGHT_ON) if steered else ("surrender", FIGHT_ON)

    def position(self, state: Battle, side: str) -> Mapping[str, float]:
        return position(state, side)

    def round(self, state: Battle) -> int:
        """Rounds with a roll so far."""
        return state.round - (state.phase == "declare")

    def tally(self, state: Battle) -> Mapping[str, Mapping[str, int]]:
        result = {side: {"boxes crossed off": 0} for side in self.sides(state)}
        for craft in state.crafts:
            result[craft.side]["boxes crossed off"] += craft.hull.marked
        return result

    def join(self, state: Battle, newcomer: Any, side: str) -> Battle:
        if any(newcomer.name == name for names in self.sides(state).values() for name in names):
            raise UserError(f"there is already a {newcomer.name} in this battle; give the newcomer another name")
        placed = Placed.coming(newcomer, side)
        if not isinstance(placed.character, Vehicle):
            return checked(replace(state, people=(*state.people, occupant_of(self.rules, state, placed))))
        if is_wing(placed, set()) and not (set(placed.state) - {"mode"}):
            wing = wing_of(self.rules, [placed], state.field, [unit.name for unit in state.units])
            return checked(replace(state, wings=(*state.wings, wing)))
        craft = craft_of(self.rules, placed, state.field)
        joined = replace(state, crafts=(*state.crafts, craft))
        return checked(replace(joined, round=max(1, joined.round)) if craft.machine.hands is None else joined)

    carries = (*CARRIES, "marked", "hits")

    def lasting(self, state: Battle, who: str) -> Mapping[str, Lasts]:
        """Lasting results of a person or vehicle; unnamed fighters have none."""
        person = state.person(who)
        if person is not None:
            return aftermath(person.fighter)
        craft = next((candidate for candidate in state.crafts if candidate.name == who), None)
        return craft_after(craft) if craft is not None else {}

    def checked(self, state: Battle) -> Battle:
        return checked(state)

    title = "Battle"

    def view(self, state: Battle, who: str | None) -> SceneView:
        if state.phase == "resolve":
            waiting = sorted(state.waiting, key=lambda item: item.speed, reverse=True)
            turns = [Turn(candidate.post.who, f"{candidate.width}x{candidate.height} {words(candidate.order)}") for candidate in waiting]
        else:
            turns = [Turn(plan.post.who, "has declared", done=True) for plan in state.plans]
            turns += [Turn(post.who, "to declare") for post in state.order]
        turns = [replace(turn, now=True) if place == 0 and not turn.done else turn for place, turn in enumerate(turns)]
        cards = [self._craft_card(state, craft) for craft in state.crafts]
        cards += [card for wing in state.wings for card in _wing_cards(state, wing)]
        cards += [self._person_card(state, person) for person in state.people]
        phase = {"begin": "", "declare": ": declarations", "roll": ": rolls", "resolve": ": results, fastest first"}[state.phase]
        street = street_of(state)[0]
        headline = f"Round {state.round}{f', {street}' if street else ''}{phase}" if state.round else "Before the first round"
        return SceneView(self.title, headline, tuple(cards), Timeline(tuple(turns), name="Order"))

    def _craft_card(self, state: Battle, craft: Craft) -> Card:
        hull, left = craft.hull, craft.hull.marked
        pieces: list[AnyPiece] = []
        for level in LEVEL_NAMES[:TRACKS]:
            here = min(left, hull.size)
            left -= here
            pieces.append(Track(hull.size, ("x",) * here, name=level, rule="ore-4.22-structure"))
        pieces.append(Pool(craft.speed, craft.machine.speed, name=f"Speed ({craft.machine.mode})", rule="ore-4.22-speed-tables"))
        pieces.append(_position(craft))
        pieces += [Tag(_apart(state, craft.name), name="ranges", rule="ore-4.22-vehicle-ranges")]
        for system, hits in hull.hits:
            pieces.append(Tag("destroyed" if hits > 1 else "-1d", hurt=True, name=system, rule="ore-4.22-critical"))
        for place, gun in enumerate(craft.machine.guns):
            if gun.shots:
                pieces.append(Pool(craft.shots_left(place), gun.shots, name=gun.name, rule="ore-4.22-vehicle-weapons"))
        states = (
            ("destroyed", hull.destroyed),
            ("got away", craft.gone and not craft.surrendered),
            ("surrendered", craft.surrendered),
            ("on the ground", craft.grounded),
            (f"erratic: Difficulty {craft.erratic}", craft.erratic > 0),
            (f"hull turned: Height -{craft.turned}", craft.turned > 0),
            (f"pushed {craft.aside} m aside", craft.aside > 0),
            ("no driver", craft.able and not state.manned(craft)),
        )
        pieces += [Tag(name=name) for name, holds in states if holds]
        return Card(craft.name, craft.side, tuple(pieces), not fights_on(self.rules, state, craft))

    def _person_card(self, state: Battle, occupant: Occupant) -> Card:
        body = occupant.fighter.body
        where = f"{occupant.seat} of {occupant.craft}" if occupant.craft else "outside any vehicle"
        pieces: list[AnyPiece] = [Tag(where, name="seat"), Tag(body.record(), body.record() != "unhurt", name="body")]
        hindrance = hindered(self.rules, body)
        if hindrance.dice or hindrance.height:
            pieces.append(Tag(f"-{hindrance.dice}d, Height -{hindrance.height}", hurt=True, name="hurt"))
        if occupant.dazed >= max(1, state.round) and occupant.able:
            pieces.append(Tag("no action", hurt=True, name="blacked out", rule="ore-4.22-g-force"))
        return Card(occupant.name, occupant.side, tuple(pieces), occupant.name in self.out(state))


def _position(unit: Craft | Wing) -> Tag:
    width, height = unit.position
    return Tag(f"{width}x{height}" if width else "none", name="Position", rule="ore-4.22-position")


def _apart(state: Battle, name: str) -> str:
    """The range to every enemy."""
    side = state.unit(name).side
    return ", ".join([f"{state.range_of(name, unit.name)} to {unit.name}" for unit in state.units if unit.side != side and unit.able])


def _wing_cards(state: Battle, wing: Wing) -> list[Card]:
    """A card for every fighter with its remaining Threat Rating, strongest first."""
    cards = []
    for place, name in enumerate(wing.members):
        left = wing.ratings[place] if place < len(wing.ratings) else 0
        pieces: tuple[AnyPiece, ...] = (Pool(left, wing.threat, name="Threat Rating", rule="ore-4.22-fighters"), _position(wing))
        pieces += (Tag(_apart(state, wing.name), name=wing.name, rule="ore-4.22-vehicle-ranges"),)
        cards.append(Card(name, wing.side, pieces, not left or wing.gone))
    return cards


def craft_after(craft: Craft) -> dict[str, Lasts]:
    """Lasting results of a vehicle: boxes, systems, shots."""
    hits = [f"{system} {'destroyed' if count > 1 else 'damaged'}" for system, count in craft.hull.hits]
    gone = [f"{craft.machine.guns[place].name}: {counted(number, 'shot')} fired" for place, number in craft.spent]
    return {
        "marked": Lasts(craft.hull.marked, f"{counted(craft.hull.marked, 'box', 'boxes')} crossed off ({craft.hull.level})"),
        "hits": Lasts([list(hit) for hit in craft.hull.hits], ", ".join(hits) or "all systems work"),
        "spent": Lasts([list(pair) for pair in craft.spent], ", ".join(gone) or "no shots fired"),
    }
