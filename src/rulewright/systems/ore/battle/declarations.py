"""Step one of a round: order, options and declarations (book lines 5828-5865, 5934-5957)."""

from msgspec.structs import replace

from rulewright.grammar import the
from rulewright.play import Choice, Happened, Option, Play, Range, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.battle.actions.base import Offer, offered
from rulewright.systems.ore.battle.actions.registry import ACTIONS, action_of
from rulewright.systems.ore.battle.actions.weapons import firepower_left, open_to_attack, targets
from rulewright.systems.ore.battle.combatants import Battle, Craft, Order, Plan, Post, Situation, Wing
from rulewright.systems.ore.battle.dice import skill_of
from rulewright.systems.ore.battle.feats import beyond_the_limit, redlined
from rulewright.systems.ore.machines.driving_tests import erratic_difficulty, evades_by, split_firepower

Orders = tuple[Order, ...]
SPEED, ERRATIC, TURN, SEVERAL, SPLIT = "speed", "erratic manoeuvres", "turn the hull", "several", "split fire"
MOST_ORDERS = 3
MOST_TURNED = 5


# --- who declares -------------------------------------------------------------------------------------------------------------


def posts(battle: Battle) -> tuple[Post, ...]:
    """The posts in order of declaration: lowest Position first, drivers first aboard. At a tie unnamed fighters come first (ruling)."""
    units = sorted([unit for unit in battle.units if unit.able], key=lambda unit: (unit.position, isinstance(unit, Craft)))
    return tuple([post for unit in units for post in posts_of(battle, unit)])


def posts_of(battle: Battle, unit: Craft | Wing) -> list[Post]:
    """All deciding posts of a vehicle or wing."""
    if isinstance(unit, Wing):
        return [Post(unit.members[0], unit.name, "wing")]
    result = []
    for seat in ("pilot", "co-pilot", "gunner", "passenger"):
        for occupant in battle.aboard(unit.name):
            if occupant.seat == seat and occupant.able and occupant.dazed != battle.round:
                result.append(Post(occupant.name, unit.name, occupant.seat))
    machine = unit.machine
    steers = battle.in_seat(unit.name, "pilot") is None
    if machine.hands is not None and (steers or (machine.of_the_line and nameless_gunners(battle, unit) > 0)):
        result.append(Post(unit.name, unit.name, "crew"))
    return result


def nameless_gunners(battle: Battle, craft: Craft) -> int:
    """The number of unnamed gunners."""
    named = [occupant for occupant in battle.aboard(craft.name) if occupant.seat == "gunner"]
    return max(0, craft.machine.gunners - len(named)) if craft.machine.hands is not None else 0


# --- what can be declared -----------------------------------------------------------------------------------------------------


def offers_for(rules: Ruleset, battle: Battle, post: Post) -> tuple[Offer, ...]:
    """All options for one action or a common pair."""
    result = [offer for action in ACTIONS.values() if post.role in action.roles for offer in action.offers(rules, battle, post)]
    result = [offer for offer in result if offered(rules, battle, post, offer)]
    return (*result, *_pairs(rules, battle, post, result))


def _pairs(rules: Ruleset, battle: Battle, post: Post, offers: list[Offer]) -> list[Offer]:
    """Common pairs: attack and evade; take a Position and attack."""
    unit, keys = battle.unit(post.craft), {offer.key for offer in offers}
    if post.role not in ("pilot", "crew") or not isinstance(unit, Craft) or unit.machine.of_the_line:
        return []
    evade = evades_by(unit.machine.mode)
    pairs = []
    for offer in offers:
        if offer.orders[0].kind == "attack" and evade in keys and offer.key.count(":") == 1:
            target = offer.orders[0].target
            pairs.append(Offer(f"attack+{evade}:{target}", f"Attack {target} and {evade}", (*offer.orders, Order(evade))))
    if "position" in keys:
        for target, place in dict(reversed(targets(rules, battle, post, locked=False))).items():
            if not open_to_attack(battle, post.craft, target):
                orders = (Order("position"), Order("attack", target, place))
                pair = Offer(f"position+attack:{target}", f"Take a Position and attack {target}", orders)
                pairs += [pair] if offered(rules, battle, post, pair) else []
    return pairs


def free_offers(rules: Ruleset, battle: Battle, post: Post, done: frozenset[str]) -> tuple[Offer, ...]:
    """Free actions, each once per round: Speed, erratic manoeuvres, turning the hull."""
    unit, offers = battle.unit(post.craft), []
    if not isinstance(unit, Craft) or unit.grounded or post != battle.helm(post.craft):
        return ()
    dead = any(unit.hull.broken(system) for system in ("engine", "fuel", "cockpit"))
    if unit.machine.speed > 1 and not dead:
        offers.append(Offer(SPEED, f"Change Speed from {unit.speed}", (Order(SPEED),)))
    if skill_of(rules, battle, post, "skill") and unit.machine.manoeuvrable and unit.speed and not dead:
        offers.append(Offer(ERRATIC, "Erratic manoeuvres", (Order(ERRATIC),)))
    if unit.machine.of_the_line and any(foe.machine.of_the_line for foe in battle.foes(unit.side)):
        offers.append(Offer(TURN, "Turn the hull to other ships of the line", (Order(TURN),)))
    return tuple([offer for offer in offers if offer.key not in done])


def _option(offer: Offer) -> Option[Orders]:
    first = offer.orders[0]
    verbs = [ACTIONS[order.kind].verb if order.kind in ACTIONS else "other" for order in offer.orders]
    verb = "attack" if "attack" in verbs else verbs[0]
    target = next((order.target for order in offer.orders if order.target), "")
    manner = () if len(offer.orders) == 1 else tuple([order.kind for order in offer.orders])
    if first.kind in (SPEED, ERRATIC, TURN, SEVERAL):
        return Option(offer.key, offer.label, offer.orders, verb="other" if first.kind == SEVERAL else "move")
    return Option(offer.key, offer.label, offer.orders, verb=verb, target=target, manner=manner)


# --- declaring ----------------------------------------------------------------------------------------------------------------


def declaration(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Asks the next post for all its declarations."""
    post = battle.order[0]
    battle = replace(battle, order=battle.order[1:])
    if not battle.can_act(post):
        return battle
    orders: Orders
    if post.role == "crew" and battle.unit(post.craft).machine.of_the_line:
        battle, orders = yield from _ask_ship(rules, battle, post)
    else:
        battle, orders = yield from _ask_declaration(rules, battle, post)
    return replace(battle, plans=(*battle.plans, Plan(post, orders)))


def _ask_declaration(rules: Ruleset, battle: Battle, post: Post, topic: str = "act") -> Play[tuple[Battle, Orders]]:
    """Asks for free actions first, then one action, a common pair, or several."""
    done: frozenset[str] = frozenset()
    while True:
        offers = offers_for(rules, battle, post)
        free = free_offers(rules, battle, post, done)
        several = (Offer(SEVERAL, "Several actions", (Order(SEVERAL),)),) if len(offers) > 2 and post.role != "wing" else ()
        options = tuple([_option(offer) for offer in (*offers, *free, *several)])
        chosen = yield from Choice(post.who, "What do you do?", options, Situation(battle, post, rules), topic)
        kind = chosen[0].kind
        if kind in (SPEED, ERRATIC, TURN):
            battle, done = (yield from _carry_out_free_action(rules, battle, post, kind)), done | {kind}
            continue
        if kind == SEVERAL:
            return battle, (yield from _one_by_one(rules, battle, post))
        return battle, (yield from _completed(rules, battle, post, chosen))


def _completed(rules: Ruleset, battle: Battle, post: Post, orders: Orders) -> Play[Orders]:
    result = []
    for order in orders:
        result.append((yield from action_of(order).completed(rules, battle, post, order)))
    return tuple(result)


def _one_by_one(rules: Ruleset, battle: Battle, post: Post) -> Play[Orders]:
    """Asks for any number of actions in order: one roll for all, -1d for each beyond the first."""
    orders: Orders = ()
    while len(orders) < MOST_ORDERS:
        single = [offer for offer in offers_for(rules, battle, post) if len(offer.orders) == 1 and offer.orders[0].kind != "pass"]
        options = tuple([_option(offer) for offer in single if offer.orders[0] not in orders])
        options = (*options, Option("done", "Done", ())) if orders else options
        ask = "What do you do next?" if orders else "What do you do first?"
        chosen: Orders = yield from Choice(post.who, ask, options, Situation(battle, post, rules), "and")
        if not chosen:
            break
        orders = (*orders, *(yield from _completed(rules, battle, post, chosen)))
    return orders


def _carry_out_free_action(rules: Ruleset, battle: Battle, post: Post, kind: str) -> Play[Battle]:
    """Carries out a free action: Speed, erratic manoeuvres or a turned hull."""
    craft, about = battle.craft(post.craft), Situation(battle, post, rules)
    if kind == SPEED:
        most = craft.machine.speed + beyond_the_limit(rules, battle, craft.name)
        speed = yield from Choice[int](post.who, "At which Speed?", Range(1, most), about, "speed")
        if speed != craft.speed:
            yield Tell(Happened(post.who, f"goes to Speed {speed}" if post.who == craft.name else f"takes {craft.name} to Speed {speed}"))
        battle = battle.change(craft.name, speed=speed)
        return (yield from redlined(rules, battle, post)) if speed > craft.machine.speed else battle
    if kind == ERRATIC:
        skill = skill_of(rules, battle, post, "skill")
        chosen = yield from Choice[int](
            post.who, "How erratic? This is the Difficulty of all your rolls.", Range(1, skill), about, "erratic"
        )
        yield Tell(Happened(post.who, f"manoeuvres erratically: Difficulty {chosen} to drive {craft.name} and to hit it"))
        return battle.change(craft.name, erratic=erratic_difficulty(chosen, skill))
    ask = "By how much? Other ships of the line lose this much Height, and your gunners this many dice."
    turned = yield from Choice[int](post.who, ask, Range(0, MOST_TURNED), about, "turn")
    if turned:
        yield Tell(Happened(craft.name, f"turns its hull: Height -{turned} for other ships of the line, -{turned}d for its own gunners"))
    return battle.change(craft.name, turned=turned)


# --- ships of the line --------------------------------------------------------------------------------------------------------


def _ask_ship(rules: Ruleset, battle: Battle, post: Post) -> Play[tuple[Battle, Orders]]:
    """Declarations of an unnamed crew: gunners and helm, which do not share penalties (ruling)."""
    craft = battle.craft(post.craft)
    orders: Orders = ()
    if nameless_gunners(battle, craft):
        battle, orders = yield from _ask_gunners(rules, battle, post)
    if battle.helm(craft.name) != post:
        return battle, orders
    topic = "helm" if nameless_gunners(battle, craft) else "act"
    battle, helm = yield from _ask_declaration(rules, battle, post, topic)
    return battle, (*orders, *[order for order in helm if order.kind != "pass"])


def gun_offers(rules: Ruleset, battle: Battle, post: Post, left: int) -> tuple[Offer, ...]:
    """Targets of the gunners: with guns and with guided weapons, as far as Position allows."""
    offer_by_name: dict[str, Offer] = {}
    aimed = [(pair, Order("attack", *pair, left), "Fire all guns") for pair in targets(rules, battle, post, locked=False) if left > 0]
    guns = battle.unit(post.craft).machine.guns
    locked = [(pair, Order("lock-on", *pair), f"Fire {the(guns[pair[1]].name)}") for pair in targets(rules, battle, post, locked=True)]
    for (target, _), order, fired in (*aimed, *locked):
        if open_to_attack(battle, post.craft, target):
            key = f"{order.kind}:{target}"
            offer_by_name.setdefault(key, Offer(key, f"{fired} at {target}", (order,)))
    return tuple([offer for offer in offer_by_name.values() if offered(rules, battle, post, offer)])


def _ask_gunners(rules: Ruleset, battle: Battle, post: Post) -> Play[tuple[Battle, Orders]]:
    """Asks for one target for all guns, or splits the Firepower."""
    left, gunners = firepower_left(battle, post.craft), nameless_gunners(battle, battle.craft(post.craft))
    offers = gun_offers(rules, battle, post, left)
    options = [_option(offer) for offer in offers]
    if len(offers) > 1 and gunners > 1:
        options.append(Option(SPLIT, "Divide the fire", (Order(SPLIT),), verb="attack"))
    options.append(Option("hold fire", "Hold fire", (), verb="guard"))
    chosen: Orders = yield from Choice(post.who, "What do the gunners do?", tuple(options), Situation(battle, post, rules), "act")
    if not chosen or chosen[0].kind != SPLIT:
        return battle, chosen
    return battle, (yield from _ask_split_fire(rules, battle, post, left, gunners))


def _ask_split_fire(rules: Ruleset, battle: Battle, post: Post, left: int, gunners: int) -> Play[Orders]:
    """Asks gunner by gunner for a target and a share of the Firepower."""
    orders: Orders = ()
    while len(orders) < gunners:
        about = Situation(battle, post, rules)
        named = {(order.kind, order.target) for order in orders}
        offers = [
            gun_offer
            for gun_offer in gun_offers(rules, battle, post, left)
            if (gun_offer.orders[0].kind, gun_offer.orders[0].target) not in named
        ]
        if not offers:
            break
        options = (*[Option(offer.key, offer.label.removeprefix("Fire all guns at "), offer.orders, verb="attack") for offer in offers],)
        stop: Option[Orders] = Option("done", "No more targets", ())
        ask = f"Who does gunner {len(orders) + 1} fire at?"
        chosen: Orders = yield from Choice(post.who, ask, (*options, stop) if orders else options, about, "guns")
        if not chosen:
            break
        order = chosen[0]
        if order.kind == "attack":
            ask = f"How much Firepower do you use on {order.target}? {left} is left."
            share = (yield from Choice[int](post.who, ask, Range(1, left), about, "share")) if left > 1 else left
            order, left = replace(order, share=share), left - share
        orders = (*orders, order)
    shares = tuple([order.share for order in orders if order.kind == "attack"])
    split_firepower(battle.craft(post.craft).machine.firepower, gunners, shares)
    return orders
