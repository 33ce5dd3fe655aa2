"""Commands of the lab: `simulate`, `duel`, and how their results are printed."""
