"""Exact odds of options: the solver, and the further questions of the person who is asked."""
