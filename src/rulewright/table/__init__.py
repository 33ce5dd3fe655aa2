"""Tables: campaigns that people play together over the network, stored as an append-only log.

`service.Tables` is the entry point for pages and programs. `commands.messages` lists the actions; `views` is what each member may see.
"""
