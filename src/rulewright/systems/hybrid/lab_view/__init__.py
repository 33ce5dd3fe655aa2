"""What the lab looks at, so that equal moments are recognised; no rule stands here."""
