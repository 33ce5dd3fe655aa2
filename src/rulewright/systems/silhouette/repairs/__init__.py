"""Days in the workshop: technicians, their Labor Points, and machines that battles have left their marks on (book lines 5093-5127)."""
