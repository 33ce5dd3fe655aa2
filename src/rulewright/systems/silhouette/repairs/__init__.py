"""The workshop scene: technicians, Labor Points and damaged machines (book lines 5093-5127)."""
