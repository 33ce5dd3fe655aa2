"""The ordeal as a scene: days pass, and what people took in takes its course."""
