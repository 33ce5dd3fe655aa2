"""Scenes solved exactly: state graphs, Markov chains, probability flow and best responses."""
