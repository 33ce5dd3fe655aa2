"""The builder of characters: steps, catalogues, what a change did, and a fight to try a design in."""
