"""Every action with a vehicle: when it is offered, what it is rolled with, what it does. `registry` lists them."""
