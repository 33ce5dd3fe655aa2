"""How attacks are made and stopped: fire modes, interception, parries, decoys."""
