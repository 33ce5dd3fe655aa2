"""The actions of a unit in its turn: when each is offered, what it costs, what it does and how it is worded.

`base` defines an action; each module holds one family of them; `registry` lists them all.
"""
