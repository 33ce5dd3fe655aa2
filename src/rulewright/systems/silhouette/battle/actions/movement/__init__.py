"""Movement of a unit on land, at sea, in the air and in space."""
