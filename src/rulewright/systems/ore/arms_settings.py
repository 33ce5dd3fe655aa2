"""What a campaign decides about weapons, fire, cover, actions, mooks and Drama Points (chapter 4)."""

from rulewright.rules import Setting

ARMS: tuple[Setting, ...] = ()
