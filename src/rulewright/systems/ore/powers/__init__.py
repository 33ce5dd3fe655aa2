"""Powers of chapter 5: what there is, what it costs, how it is used outside fights (book lines 5983-7734)."""
