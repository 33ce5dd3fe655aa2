"""Characters built and drawn: beginnings, audit, sheet."""
