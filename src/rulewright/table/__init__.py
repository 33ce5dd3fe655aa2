"""Campaigns that last: tables of people who play together, kept as an append-only log that nothing is lost from.

`service.Tables` is what pages and programs speak to; `actions` lists what people can do; `views` is what each of them may see.
"""
