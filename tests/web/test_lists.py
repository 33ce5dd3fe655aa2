"""Lists and tables as CSV and JSON, read back by the standard readers."""

import csv
import io
import json

import pytest


def rows_of(reply):
    return list(csv.reader(io.StringIO(reply.content.decode("utf-8-sig"))))


@pytest.mark.parametrize("rule", ["scumm/scumm-skill-list", "silhouette/sil-1.2.4-thresholds", "foresight/fs-load-bands"])
def test_the_table_of_a_rule_is_the_same_on_the_page_in_csv_and_in_json(client, rule):
    table = rows_of(client.get(f"/rules/{rule}/table.csv"))
    records = client.get(f"/rules/{rule}/table.json").json()
    assert [list(record) for record in records] == [table[0]] * len(records)
    assert [[value.removeprefix("'") for value in row] for row in table[1:]] == [
        [value.removeprefix("'") for value in record.values()] for record in records
    ]
    assert f"/rules/{rule}/table.csv" in client.get(f"/rules/{rule}").text


def test_the_list_of_a_game_has_the_filters_of_its_page(client):
    whole = rows_of(client.get("/games/silhouette/list/list.csv?kind=vehicle"))
    few = rows_of(client.get("/games/silhouette/list/list.csv?kind=vehicle&q=heron"))
    assert 1 < len(few) < len(whole)
    assert whole[0][:4] == ["name", "kind", "about", "best at"]
    ratings = [float(row[4]) for row in whole[1:] if row[4]]
    assert ratings
    records = json.loads(client.get("/games/silhouette/list/list.json?kind=vehicle&sort=rating").content)
    assert [record[whole[0][4]] for record in records] == sorted(ratings, reverse=True)


@pytest.mark.parametrize(
    "path", ["/rules/scumm/scumm-skill-list/table.xls", "/rules/scumm/scumm-fumble/table.csv", "/games/scumm/list/list.exe"]
)
def test_other_files_are_not_there(client, path):
    assert client.get(path).status_code == 404
