"""Simulation: solve scenes exactly or sample them by the million, with the same rules that people play.

>>> from rulewright.lab import sample, solve
>>> from rulewright.lab.examples.coins import Coins, Lives
>>> solved = solve(Coins(), Lives(3, 2), question="losses")
>>> f"{solved.sides['left'].chance:.4f}", f"{solved.losses['right'].mean:.4f}"
('0.7037', '0.8148')
>>> sampled = sample(Coins(), Lives(3, 2), n=10_000, seed=1)
>>> low, high = sampled.sides["left"].interval
>>> low < solved.sides["left"].chance < high
True
"""

from rulewright.lab.balance import Balance, Tried, balance
from rulewright.lab.compare import Compared, Variant, compare
from rulewright.lab.results import Chance, End, Spread
from rulewright.lab.sampling.dask_cluster import Cluster
from rulewright.lab.sampling.sample import sample
from rulewright.lab.solver.best_response import AIMS, Advice, Best, Worth, best
from rulewright.lab.solver.exact import Solved, solve
from rulewright.lab.solver.state_graph import Progress, Report
from rulewright.lab.statistics import Sampled
from rulewright.lab.tournament import Tournament, tournament

__all__ = [
    "AIMS",
    "Advice",
    "Balance",
    "Best",
    "Chance",
    "Cluster",
    "Compared",
    "End",
    "Progress",
    "Report",
    "Sampled",
    "Solved",
    "Spread",
    "Tournament",
    "Tried",
    "Variant",
    "Worth",
    "balance",
    "best",
    "compare",
    "sample",
    "solve",
    "tournament",
]
