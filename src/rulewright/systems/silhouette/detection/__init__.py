"""Detection: lines of sight, concealment, sensors and electronic warfare (book lines 4701-4800)."""
