"""What hits do to machines and to those aboard (book lines 4999-5083)."""
