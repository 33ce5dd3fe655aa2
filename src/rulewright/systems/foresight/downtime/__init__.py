"""Downtime: wounds, treatment, therapy and stamina between scenes. One object for each kind of ongoing effect, and what the rules need."""
