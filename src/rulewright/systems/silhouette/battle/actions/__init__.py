"""What a unit can do in its turn, each in one place: when it is offered, what it costs, what it does, and its words.

`base` says what an action is; each module holds a family of them; `registry` knows them all.
"""
