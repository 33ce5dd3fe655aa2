"""Maps of other tools: Universal VTT and Foundry files, and plain images with a grid."""
