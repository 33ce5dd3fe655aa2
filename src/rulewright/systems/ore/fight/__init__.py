"""The fight as a scene: rounds, what is offered, and how it ends."""
