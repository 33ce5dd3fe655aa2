"""Powers of chapter 5: catalogue, costs and use outside fights (book lines 5983-7734)."""
