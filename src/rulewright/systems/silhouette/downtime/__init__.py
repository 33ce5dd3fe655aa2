"""Downtime: what happens to bodies between scenes. One object for each kind of ongoing effect, and what the rules need to know."""
