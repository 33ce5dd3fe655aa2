"""Actions of a fight: when each is offered, what it does, and its wording.

`base` defines an action; each module contains a family; `registry` lists all by kind.
"""
