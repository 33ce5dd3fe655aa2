"""The actions of a fight, each defined in one place: when it is offered, what it does, and its labels.

`base` says what an action is; each module holds a family of them; `registry` knows them all by their kind.
"""
