"""Every action of a fight of people, each in one place: when it is offered, what it does, and its words.

`base` says what an action is; each module holds a family of them; `registry` knows them all by their kind.
"""
