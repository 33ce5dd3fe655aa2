"""A typed client of the Rulewright server.

from rulewright_client import Client, models

with Client("http://127.0.0.1:8000") as client:
    table = client.host(models.ToHost(system="scumm", name="Friday", gamemaster="Bea")).table
    client.act(table, models.ToAct(action=models.Say(text="Good evening.")))
    for event in client.stream(table):
        print(event.lines)
"""

from rulewright_client import models
from rulewright_client.client import Client, Event, Refused

__all__ = ["Client", "Event", "Refused", "models"]
