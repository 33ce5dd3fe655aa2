"""What a campaign decides about the round, where blows land, how damage is recorded, armour and healing (chapter 4)."""

from rulewright.rules import Setting
from rulewright.systems.ore.deciding import number, option, ruling, variant, word

_WHOLE_BODY = "Downs and Outs belong to the whole body, which has no locations"

ROUND: tuple[Setting, ...] = (
    option(
        "random-initiative",
        "ore-4.02-opt01-random-initiative",
        "4204-4208",
        "More random initiative",
        "Who declares first is rolled for once a fight, with Insight and the best combat skill.",
    ),
    variant(
        "speed",
        "ore-4.03-determination",
        "4210-4268",
        ("width", "height", "waste"),
        "What decides Speed",
        "The Width of a set, its Height (ties by Width), or a waste die that is given up for it.",
    ),
    variant(
        "hit-location",
        "ore-4.06-hit-location",
        "4270-4288",
        ("height", "width"),
        "What decides where a blow lands",
        "The Height of a set, or its Width: torso, limb, head.",
        (("width", "damage-system", "abstract", _WHOLE_BODY),),
    ),
    word(
        "limb-by-width",
        "ore-4.06-opt04-width-location",
        "4286-4288",
        ("attacker chooses", "at random"),
        "Which limb",
        "Who says which limb is struck where Width decides; the book is silent.",
    ),
    word(
        "hit-takes-die-from",
        "ore-4.05-resolution-order",
        "4302",
        ("highest set", "widest set"),
        "What a hit takes",
        "Which of somebody's waiting sets loses a die when he is hit: the book says the highest, which may mean either.",
    ),
    ruling(
        "defence-at-equal-speed",
        "ore-4.04-no-reaction-to-faster",
        "4230-4254",
        True,
        "Defence at equal Speed",
        "Whether a defence works against an attack exactly as fast.",
    ),
)

DAMAGE: tuple[Setting, ...] = (
    variant(
        "damage-system",
        "ore-4.07-kill-and-shock",
        "4318-4485",
        ("locations", "vital", "abstract"),
        "Damage system",
        "Boxes in every part of the body; Kill, Vital and Shock Boxes; or Downs and Outs. The last two do without hit locations, "
        "and bring their own aimed blows, area damage and lasting damage.",
        (
            ("vital", "deadly-locations", True, "the Vital system has no boxes in parts of the body"),
            ("abstract", "deadly-locations", True, _WHOLE_BODY),
            ("abstract", "locations-beside-vital", True, _WHOLE_BODY),
            ("abstract", "wounds", True, "Downs and Outs have Wounds of their own"),
        ),
    ),
    option(
        "locations-beside-vital",
        "ore-4.06-opt-no-locations",
        "4167, 4290",
        "Locations beside the Vital system",
        "The Vital system records damage, but blows still land on parts of the body, for armour, shields and cover.",
    ),
    option(
        "deadly-locations",
        "ore-4.07-opt05-deadly-locations",
        "4334-4347",
        "More deadly hit locations",
        "A vital part of its own at Height 9, and a torso of six boxes.",
        ((True, "six-sided-dice", True, "seven parts of the body cannot share six faces"),),
    ),
    option("wounds", "ore-4.07-opt09-wounds", "4512-4537", "Wounds", "One great blow leaves a Wound that costs a die and bleeds."),
    word(
        "kill-where-out",
        "ore-4.07-shock-marking",
        "4322-4332",
        ("overwrites shock", "goes to the torso"),
        "Kill in a part that is Out",
        "Whether Kill crosses over the Shock of a limb or head that is full, or goes on to the torso; the book says both.",
    ),
    number(
        "vital-boxes",
        "ore-4.07-opt06-vital",
        "4353",
        5,
        1,
        20,
        "Vital Boxes",
        "How many Vital Boxes somebody of normal size has; the book gives no numbers for other sizes.",
    ),
    word(
        "tests-for-great-damage",
        "ore-4.07-opt07-abstract",
        "4400-4463",
        ("instead", "besides two"),
        "Tests for damage beyond Body",
        "Whether a Down or Out Test stands in place of Downs and Outs, as the table says, or comes besides two, as the example has it.",
    ),
    number(
        "area-without-a-set",
        "ore-4.12-opt25-area-no-location",
        "5233",
        5,
        1,
        10,
        "Area attacks without a set",
        "The Height that area dice are held against where the attacker rolled no set.",
    ),
)

ARMOUR: tuple[Setting, ...] = (
    option(
        "minimum-damage",
        "ore-4.08-opt10-minimum-damage",
        "4557-4567",
        "Minimum damage",
        "Kill that armour stops comes through as Shock, up to the Width of the attack.",
    ),
    option(
        "light-and-heavy-armour",
        "ore-4.08-opt11-lar-har",
        "4571-4599",
        "Light and heavy armour",
        "Cushioning stops Shock alone, rigid plates stop both.",
        ((True, "damage-classes", True, "an armour is rated by what it is made of or by what strikes it, not by both"),),
    ),
    option("stronger-armour", "ore-4.08-opt12-stronger-armour", "4601-4642", "Stronger armour", "Armour is rated from 1 to 6."),
    option(
        "encumbering-armour",
        "ore-4.08-opt13-encumbrance",
        "4644-4675",
        "Encumbering armour",
        "What armour weighs is the Difficulty of everything athletic.",
    ),
    option(
        "damage-classes",
        "ore-4.08-opt14-damage-class",
        "4677-4695",
        "Damage classes",
        "Armour stops more of one kind of damage than of another.",
    ),
    option(
        "ablative-armour",
        "ore-4.08-opt15-ablative",
        "4697-4707",
        "Ablative armour",
        "A blow of Width 4 takes a point off the armour it strikes, for good.",
    ),
    option(
        "penetration",
        "ore-4.08-opt16-penetration",
        "4709-4713",
        "Armour penetration",
        "The PEN of a weapon lowers the armour it strikes, for that blow.",
    ),
    word(
        "shield-beside-armour",
        "ore-4.08-shields",
        "4545-4555",
        ("added", "the better counts"),
        "Shield beside armour",
        "What protects a part of the body that has both; the book does not say.",
    ),
)

HEALING: tuple[Setting, ...] = (
    word(
        "medicine-heals",
        "ore-4.09-medicine",
        "4725-4727",
        ("width", "height"),
        "What medicine heals",
        "Whether a Medicine roll treats its Width or its Height in points; the book names both.",
    ),
)

COMBAT = ROUND + DAMAGE + ARMOUR + HEALING
