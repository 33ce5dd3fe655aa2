"""Maps for tests: the warehouse with its office, and random ones."""

from hypothesis import strategies as st

from rulewright.field.ground import Ground, read_ground

WAREHOUSE = read_ground(
    {
        "size": [40, 24],
        "walls": [
            {"along": [[0, 0], [40, 0], [40, 24], [0, 24], [0, 0]]},
            {"along": [[26, 0], [26, 9]]},
            {"along": [[26, 9], [26, 11]], "name": "office door", "door": "closed"},
            {"along": [[26, 11], [26, 15], [34, 15]]},
            {"along": [[34, 15], [40, 15]], "name": "office window", "stops": "move", "cover": "light cover"},
        ],
        "covers": [
            {"name": "the forklift", "box": [6, 4, 2, 1.5], "cover": "light cover"},
            {"name": "the crates", "box": [14, 10, 3, 2], "cover": "heavy cover"},
        ],
        "regions": [{"terrain": "slippery", "circle": [20, 18, 3], "name": "oil"}],
    }
)

centimetres = st.integers(0, 1200).map(lambda number: number / 100)
spots = st.tuples(centimetres, centimetres)
quarters = st.integers(0, 48).map(lambda number: number / 4)
corners = st.tuples(quarters, quarters)
"""Walls on a lattice, so that ends often meet and lines often touch or overlap."""


@st.composite
def walled(draw: st.DrawFn) -> Ground:
    """A random map of 12 by 12 metres with a few walls, some of which block sight alone, or movement alone."""
    walls = draw(
        st.lists(
            st.tuples(st.lists(corners, min_size=2, max_size=4), st.sampled_from(["all", "sight", "move"])).filter(
                lambda each: len(set(each[0])) > 1
            ),
            max_size=6,
        )
    )
    return read_ground({"size": [12, 12], "walls": [{"along": along, "stops": stops} for along, stops in walls]})
