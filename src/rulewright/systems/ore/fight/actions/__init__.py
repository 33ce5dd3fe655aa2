"""Actions of a fight: their offers, pools, effects and words.

`base` has the base class; each module holds a family of actions; `registry` lists all by kind.
"""
