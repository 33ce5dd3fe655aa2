"""Whole chains worked out a second time, in plain arithmetic from the book's text, and held against the rules over many cases."""

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Seeded, play
from rulewright.systems.scumm.combat.fighters import Surroundings
from rulewright.systems.scumm.combat.shots import ranged_attack
from rulewright.systems.scumm.harm.body import AVERAGE, Patient
from rulewright.systems.scumm.harm.damage import Hit, be_hit
from rulewright.systems.scumm.harm.healing import recover
from rulewright.systems.scumm.people.characters import Attributes, Character, Gear
from rulewright.systems.scumm.settings import BOOK

from .fights import RULES, fight_of, someone

ATTRIBUTE = st.integers(-3, 3)
SEED = st.integers(0, 10_000)
WORN = {None: 0, "leather": 1, "light flak vest": 3, "medium flak vest": 5, "heavy flak vest": 7}
PLACES = dict.fromkeys((2, 12), "head") | dict.fromkeys((3, 4), "left leg") | {5: "left arm", 9: "right arm"}
PLACES |= dict.fromkeys((6, 7, 8), "torso") | dict.fromkeys((10, 11), "right leg")


def half(number):
    return -(-number // 2)


def highest(faces, modifier=0):
    """A total of the highest die and whether it fumbled (line 299)."""
    fumble = set(faces) == {1}
    return max(0, (1 if fumble else max(faces) + max(0, faces.count(6) - 1)) + modifier), fumble


# --- the wound chain (lines 23-41, 456, 495-553) --------------------------------------------------------------------------------


class Victim:
    """Somebody without Emergency Dice, by the book: thresholds, wounds, bruises, shock, unconsciousness, death."""

    def __init__(self, body, spirit, armor=0, covers=()):
        self.health = half(body + spirit)
        stamina = 5 + body + spirit
        self.shock = max(1, 5 + self.health)
        self.thresholds = [max(1, half(stamina)), max(1, stamina), max(1, 2 * stamina)]
        self.armor, self.covers = armor, covers
        self.flesh = self.deep = self.light = self.bad = self.out = 0
        self.limbs = {}
        self.dead = self.coma = False
        self.minutes = None

    def boxes(self):
        return self.light + 2 * self.bad

    def penalty(self):
        """What every test loses; bruises beside wounds count as wounds."""
        return self.flesh + 2 * self.deep + self.boxes() if self.flesh or self.deep else self.boxes() // 2

    def state(self):
        return (self.flesh, self.deep, self.light, self.bad, self.dead, self.coma, self.out, self.minutes, self.limbs)

    def hit(self, damage, location, bruise, rolled):
        if self.dead:
            return
        faces = iter(rolled)
        place = location or PLACES[sum(next(faces))]
        if sum(self.limbs.get(place, ())) >= 2:  # useless already
            return
        natural = [half(each) for each in self.thresholds] if place == "head" else self.thresholds
        reached = sum(damage >= each + (self.armor if place in self.covers else 0) for each in natural)
        if not reached:
            return
        real = not bruise or self.boxes() > self.shock
        before = self.penalty()
        if not real:
            self.light, self.bad = self.light + (reached == 1), self.bad + (reached > 1)
        elif reached == 3 and place in ("head", "torso"):
            self.dead, self.minutes = True, None
            return
        else:
            self.flesh, self.deep = self.flesh + (reached == 1), self.deep + (reached > 1)
            if place not in ("head", "torso"):  # a Flesh wound is half of what a limb can take, a Deep one all of it
                self.limbs[place] = (*self.limbs.get(place, ()), 1 if reached == 1 else 2)
        if (self.flesh or self.deep) and self.penalty() >= self.shock:
            left = 2 * self.shock - self.penalty() if self.minutes is None else self.minutes - self.penalty() + before
            self.dead, self.minutes = left <= 0, left if left > 0 else None
        elif not self.coma and not self.out and self.minutes is None and (real or self.boxes() > self.shock):
            total, self.coma = highest(next(faces), self.health - self.penalty())
            if total < 1 and not self.coma:
                self.out = sum(next(faces)) if (self.flesh if self.flesh or self.deep else self.light) else 0
                self.out += 60 * sum(next(faces)) if (self.deep if self.flesh or self.deep else self.bad) else 0


HITS = st.lists(
    st.tuples(st.integers(0, 24), st.sampled_from([None, "head", "torso", "left arm", "right leg"]), st.booleans()), min_size=1, max_size=7
)


@settings(max_examples=60, deadline=None)
@given(body=ATTRIBUTE, spirit=ATTRIBUTE, armor=st.sampled_from(list(WORN)), hits=HITS, seed=SEED)
def test_a_series_of_hits_does_what_the_book_says(body, spirit, armor, hits, seed):
    rules, dice = BOOK.ruleset(settings={"random-hit-locations": True}), Seeded(seed)
    character = Character("Bo", attributes=Attributes(0, body, 0, spirit), gear=Gear(armor=armor), player=False)
    now = Patient.of(rules, character)
    covers = {None: (), "leather": ("torso", "left arm", "right arm")}.get(armor, ("torso",))
    victim = Victim(body, spirit, WORN[armor], covers)
    for damage, location, bruise in hits:
        played = play(be_hit(rules, now, Hit(damage, location, bruise)), dice=dice)
        now = played.outcome
        victim.hit(damage, location, bruise, [rolled.faces for rolled in played.rolls])
        limbs = {limb.limb: (limb.flesh, limb.deep) for limb in now.limbs}
        found = (now.flesh, now.deep, now.bruised_flesh, now.bruised_deep, now.dead, now.coma, now.unconscious, now.trauma)
        assert found == victim.state()[:-1]
        assert limbs == {limb: (taken.count(1), taken.count(2)) for limb, taken in victim.limbs.items()}
        if not now.dead:
            assert now.penalty == -victim.penalty()


# --- a shot with everything around it (lines 385-396, 444-493, 619-639) ---------------------------------------------------------

GUNS = {".22 revolver": (2, 4, 6), "9mm pistol": (3, 6, 12), ".45 pistol": (5, 7, 12), "9mm smg": (3, 10, 30), "11mm smg": (4, 10, 30)}
MODES = {"normal": (0, 0), "prone": (0, 2), "crawling": (-1, 1), "running": (-2, 2)}
LIGHT = {"normal": 0, "very brightly or poorly lit": -1, "very dimly lit": -2, "completely dark": -4}
COVER = {"none": 0, "light cover": 1, "heavy cover": 2}


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(list(GUNS)),
    st.sampled_from([0.5, 1, 1.01, 2, 2.01, 4, 4.01, 8, 8.01]),
    st.tuples(ATTRIBUTE, st.integers(1, 5), st.sampled_from(list(MODES)), st.integers(0, 3), st.integers(0, 3), st.integers(0, 2)),
    st.tuples(ATTRIBUTE, ATTRIBUTE, st.sampled_from(list(MODES)), st.sampled_from(list(COVER)), st.integers(0, 3), st.integers(0, 2)),
    st.sampled_from(list(LIGHT)),
    st.sampled_from([0, 1, 2]),
    st.booleans(),
    SEED,
)
def test_a_shot_adds_up_to_what_the_book_says(gun, share, shooter, target, light, burst, off_hand, seed):
    multiplier, short, rounds = GUNS[gun]
    alertness, level, mode, aim, drinks, wounds = shooter
    watchful, strong, moves, cover, foes, hurt = target
    burst = burst if gun.endswith("smg") else 0
    state = {"mode": mode, "aim": aim, "aim_at": "Bob", "intoxicated": drinks, "off_hand": off_hand}
    ann = someone("Ann", alertness=alertness, pistols=level, guns=(gun,), state=state, wounds={"flesh": wounds})
    state = {"mode": moves, "cover": cover, "attacked_by": tuple(f"foe {n}" for n in range(foes))}
    bob = someone("Bob", (share * short, 0), alertness=watchful, body=strong, state=state, wounds={"flesh": hurt})
    shot = ranged_attack(RULES, fight_of(ann, bob, ground=Surroundings(light=light)), "Ann", "Bob", 1, burst=burst)
    dice = level + aim - burst
    if share > 8 or (burst and dice < 1):
        try:
            play(shot, dice=Seeded(seed))
        except UserError:
            return
        raise AssertionError("no such shot can be tried")
    played = play(shot, dice=Seeded(seed))
    attack, defense, *rest = [rolled.faces for rolled in played.rolls]
    band = (share * short <= 3) if share <= 1 else -1 if share <= 2 else -2 if share <= 4 else -3
    assert len(attack) == dice
    total, jams = highest(attack, alertness + band + MODES[mode][0] + LIGHT[light] - drinks - off_hand - wounds)
    more = MODES[moves][1] + COVER[cover] - foes - hurt
    if 1 + watchful + strong > 0:
        met, stumbles = highest(defense, more)
    else:
        met, stumbles = (1, True) if 1 in defense else (max(0, min(defense) + more), False)
    victim = Victim(strong, 0)
    victim.flesh = hurt
    if total > met:
        victim.hit(multiplier * (total - met + burst), "torso", False, [*rest, (1,) * 9, (1,) * 9])
    after, fired = played.outcome.fighter("Bob"), played.outcome.fighter("Ann")
    assert (after.body.flesh, after.body.deep, after.body.dead) == (victim.flesh, victim.deep, victim.dead)
    assert (after.body.coma, after.body.trauma, bool(after.body.unconscious)) == (victim.coma, victim.minutes, bool(victim.out))
    assert (fired.ammo[1], fired.jammed[1]) == (rounds - (5 * burst or 1), jams)
    assert after.initiative_modifier == (-3 if stumbles else 0)


# --- healing (lines 557-567) ----------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 3), st.integers(0, 2), st.booleans(), st.booleans(), st.integers(0, 120), st.sampled_from(["none", "constant"]))
def test_wounds_heal_one_after_another(flesh, deep, resuscitated, coma, days, care):
    patient = replace(AVERAGE, flesh=flesh, deep=deep, resuscitated=resuscitated, coma=coma)
    found = recover(RULES, patient, days, care).value.patient
    if care == "none" and ((resuscitated and days >= 1) or (coma and days > 7)):
        assert found.dead
        return
    lasts = {"none": (7, 30), "constant": (3, 14)}[care]
    ends, left = days - 7 * resuscitated, [flesh, deep]
    for kind in (0, 1):
        while left[kind] and ends >= lasts[kind]:
            ends, left[kind] = ends - lasts[kind], left[kind] - 1
        if left[kind]:
            break
    assert [found.flesh, found.deep] == left
    assert found.stiffness == (left[1] - deep if care == "none" else 0)
