"""Actions that change a unit itself: transformation, combination, nanomachines, switches."""
