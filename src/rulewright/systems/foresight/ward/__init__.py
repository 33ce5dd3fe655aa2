"""The ward scene: convalescence under a doctor."""
