"""A member's page as it listens to a table, for tests of what it may learn."""

import msgspec


class Ear:
    """What the stream of a member's page carries, moment by moment."""

    def __init__(self, group, who):
        self.tables, self.table, self.member = group.tables, group.table, getattr(group, who)
        self.mark, _ = self.tables.since(self.table, self.member, "")
        self.sent = (self.mark, self.tables.look(self.table, self.member))
        self.events = []

    def listen(self):
        """Take the event of one change, if there is one."""
        news = self.tables.heard(self.table, [(self.member, self.mark)])[self.member, self.mark]
        if (news.mark, news.look) != self.sent:
            view = msgspec.to_builtins(self.tables.view(self.table, self.member))
            lines = [{**msgspec.to_builtins(line), "mark": ""} for line in news.lines]
            self.events.append((lines, {**view, "mark": "", "id": ""}))
        self.mark, self.sent = news.mark, (news.mark, news.look)
