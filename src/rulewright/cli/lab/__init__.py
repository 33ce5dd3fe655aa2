"""The commands `simulate` and `duel`, and how their results are printed."""
