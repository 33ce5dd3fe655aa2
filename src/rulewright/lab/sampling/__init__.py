"""Many fights played and counted: batches, cached steps, transition tables, processes and clusters."""
