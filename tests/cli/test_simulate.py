"""simulate: solved or sampled, with the shape that other programs rely on."""

import json

import pytest

BEACH = "pebbles/on-the-beach"


def test_an_exact_answer_has_the_shape_of_the_design(run):
    found = run("simulate", BEACH, "--exact", "--json").json
    assert found["exact"] is True
    assert found["n"] is None
    assert found["states"] > 10
    assert found["settled"] == pytest.approx(1)
    assert set(found["sides"]) == {"family", "Oskar alone"}
    chances = [side["chance"] for side in found["sides"].values()] + [found["draw"]["chance"]]
    assert sum(chances) == pytest.approx(1)
    assert sum(found["rounds"]["chance"].values()) == pytest.approx(1)
    assert sum(found["losses"]["family"]["chance"].values()) == pytest.approx(1)


def test_sampling_agrees_with_solving(run):
    exact = run("simulate", BEACH, "--exact", "--json").json["sides"]["family"]["chance"]
    sampled = run("simulate", BEACH, "-n", 20_000, "--seed", 4, "--json").json
    low, high = sampled["sides"]["family"]["interval"]
    assert sampled["n"] == 20_000
    assert low - 0.01 < exact < high + 0.01


def test_a_seed_samples_the_same_again(run):
    first = run("simulate", BEACH, "-n", 500, "--seed", 4, "--json").json
    again = run("simulate", BEACH, "-n", 500, "--seed", 4, "--json").json
    assert first["sides"] == again["sides"]


def test_a_budget_gives_bounds(run):
    found = run("simulate", BEACH, "--exact", "--states", 20, "--json").json
    assert found["settled"] < 1
    low, high = found["sides"]["family"]["interval"]
    assert low < high


def test_people_read_bars_and_charts_are_drawn(run, folder):
    shown = run("simulate", BEACH, "-n", 500, "--seed", 4, "--plot", "s.svg")
    assert shown.status == 0
    assert "500 fights" in shown.out
    assert "rounds" in shown.out
    assert "█" in shown.out
    assert (folder / "s.svg").read_bytes().startswith(b"<svg")
    run("simulate", BEACH, "--exact", "--plot", "s.json")
    assert len(json.loads((folder / "s.json").read_text())["vconcat"]) == 3


def test_settings_change_the_chances(run):
    plain = run("simulate", BEACH, "--exact", "--json").json["sides"]["family"]["chance"]
    gentle = run("simulate", BEACH, "--exact", "--json", "--preset", "friendly").json["sides"]["family"]["chance"]
    assert plain != gentle
