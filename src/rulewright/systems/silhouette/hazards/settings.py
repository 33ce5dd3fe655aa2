"""What a campaign decides about hazards: our rulings where the book is unclear."""

from rulewright.systems.silhouette.declaring import number, ruling, word

HAZARD_RULINGS = (
    word(
        "oxygen-death-counts",
        "sil-6.2.1-atmosphere-oxygen",
        "5499-5501",
        ("the attributes themselves", "what is left of the attributes"),
        "Dying for lack of oxygen",
        "Whether the drops after twenty minutes count from the mental attributes themselves, as in a vacuum, or from what bad air left.",
    ),
    number(
        "pressure-threshold",
        "sil-6.2.1-pressure-loss",
        "5507-5511",
        4,
        1,
        12,
        "Threshold of falling pressure",
        "What Fitness is held against at each stage of decompression; the book prints none, lack of oxygen has 4.",
    ),
    ruling(
        "vacuum-kills-in-three-minutes",
        "sil-6.2.1-vacuum-exposure",
        "5521-5531",
        True,
        "Three minutes of vacuum",
        "Whether nobody lives through three minutes of vacuum, whatever the dice say.",
    ),
    word(
        "extra-doses",
        "sil-6.2.2-multi-effect-doses",
        "5589-5591, 6234-6238",
        ("a tenth, rounded down", "a point each at least"),
        "Further doses",
        "Three doses of Potency 6 are 7 by the rule and 8 in the book's example.",
    ),
    word(
        "withdrawal-deaths",
        "sil-6.2.3-addiction",
        "5633",
        ("as of a fever", "left to the gamemaster"),
        "Dying of withdrawal",
        "What a life-threatening day of withdrawal does: it kills as the fever of the printed illness does, or nobody rolls.",
    ),
    word(
        "short-burns",
        "sil-6.2.6-fire-damage",
        "5736, 6258",
        ("down", "up"),
        "Fire for less than a round",
        "How half the Intensity is rounded: down by the rule, up in the book's example.",
    ),
    word(
        "fire-sixes",
        "sil-6.2.6-fire-damage",
        "5734",
        ("seven", "six"),
        "Two sixes of a fire",
        "Whether two sixes are 7, as on any roll, or the better of them, 6.",
    ),
)
