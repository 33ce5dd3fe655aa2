"""Every deed of a fight, each in one place: when it is offered, how long it takes, what it does when its time is over, and its words.

`base` says what a deed is; each module holds a family of them; `registry` knows them all by what stands in keys and records.
"""
