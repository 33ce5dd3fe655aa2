"""Who is seen by whom: line of sight, Concealment and Detection, sensors, jamming, night (book lines 4695-4800, 5208-5216)."""
