"""An adventure at a table: its log entries, its state, the actions of those who play it, and what each member may see."""
