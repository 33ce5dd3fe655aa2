"""The ward as a scene: convalescence under a doctor."""
