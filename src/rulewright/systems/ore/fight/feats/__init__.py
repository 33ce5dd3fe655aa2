"""Feats in a fight: their effects on actions and on sets."""
