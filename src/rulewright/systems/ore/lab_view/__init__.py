"""Views of fights for simulation, so that equal states are recognised. No rules."""
