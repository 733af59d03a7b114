from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from gleaner_client import ApiError, Client, ConnectionFailed, GleanerError, Run, RunFailed, Scraper, WaitTimeout

from .conftest import ROWS, SHOWN, Service
from .proxy import Proxy

FIELDS = [{"name": "name"}, {"name": "note", "attribute": "data-note"}]
NOWHERE = "01a1fc3c-acb4-7463-96cb-370000000001"


@pytest.fixture(scope="module")
def run(service: Service, scraper: Scraper) -> Run:
    """A successful run with all ROWS."""
    with Client(service.url, service.key) as client:
        return client.runs.wait(client.runs.start(scraper["id"])["id"], timeout=120)


def test_rows_as_dicts_frames_and_files(client: Client, run: Run, tmp_path: Path) -> None:
    assert (run["status"], run["row_count"], run["warnings"]) == ("successful", 2000, [])
    assert [*client.runs.rows(run["id"])] == ROWS
    assert [*client.runs.rows(run["id"], fields=["name"], offset=5, limit=2)] == [{"name": "Row 5"}, {"name": "Row 6"}]
    assert [*client.runs.rows(run["id"], limit=0)] == []
    frame = client.runs.frame(run["id"])
    assert frame.to_dict("records") == ROWS
    client.runs.save(run["id"], tmp_path / "rows.jsonl", fields=["note", "name"])
    with open(tmp_path / "rows.jsonl", newline="\n", encoding="utf-8") as file:
        assert [json.loads(line) for line in file] == ROWS
    client.runs.save(run["id"], tmp_path / "rows.csv")
    with open(tmp_path / "rows.csv", newline="", encoding="utf-8-sig") as file:
        assert [*csv.DictReader(file)] == ROWS
    with pytest.raises(ValueError, match="has to end in one of: .csv, .json, .jsonl, .xlsx"):
        client.runs.save(run["id"], "rows.xls")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rows.csv", "rows.jsonl"]


def test_runs_are_listed_over_several_pages(client: Client, scraper: Scraper, run: Run) -> None:
    batch = client.batches.start(scraper["id"], [{"open": run["steps"][0]["url"] + "?count=1"}] * 60)
    assert client.batches.wait(batch["id"], timeout=240)["successful"] == 60
    listed = [*client.runs.list(batch_id=batch["id"])]
    assert len({one["id"] for one in listed}) == 60
    assert all(one["result_rows"] is None for one in listed)
    assert [one["index"] for one in client.batches.inputs(batch["id"])] == [*range(60)]
    client.batches.delete(batch["id"])


def test_batch_of_inputs(client: Client, service: Service, scraper: Scraper, tmp_path: Path) -> None:
    inputs = [{"open": f"{service.site}?count={count}", "article": count} for count in (1, 2)]
    inputs.append({"open": "http://127.0.0.1:8080/", "article": 3})
    batch = client.batches.start(scraper["id"], inputs, concurrency=2)
    batch = client.batches.wait(batch["id"], timeout=120)
    assert (batch["status"], batch["successful"], batch["failed"]) == ("finished", 2, 1)
    rows = [*client.batches.rows(batch["id"], fields=["input.article", "name"])]
    assert rows == [
        {"input.article": "1", "name": "Row 0"},
        {"input.article": "2", "name": "Row 0"},
        {"input.article": "2", "name": "Row 1"},
    ]
    assert [*client.batches.frame(batch["id"])["input.article"]] == ["1", "2", "2"]
    client.batches.save(batch["id"], tmp_path / "rows.xlsx")
    assert (tmp_path / "rows.xlsx").read_bytes()[:2] == b"PK"
    (failed,) = client.batches.inputs(batch["id"], status="failed")
    assert failed["error"] is not None
    assert (failed["values"]["article"], failed["error"]["code"]) == ("3", "blocked_address")
    again = client.batches.start(scraper["id"], inputs_from={"failed_of": batch["id"]})
    assert client.batches.wait(again["id"], timeout=120)["total"] == 1
    assert [one["id"] for one in client.batches.list()][:2] == [again["id"], batch["id"]]
    assert client.batches.stop(batch["id"])["status"] == "finished"


def test_changes_between_runs(client: Client, service: Service, tmp_path: Path) -> None:
    definition = {
        "name": "Changes",
        "steps": [
            {"type": "visit", "url": f"{service.site}/changing"},
            {"type": "get_list", "selector": "li", "key": ["name"], "fields": FIELDS},
        ],
        "rows_limit": 5000,
    }
    scraper = client.scrapers.create(definition)
    first = client.runs.wait(client.runs.start(scraper["id"])["id"], timeout=60)
    SHOWN["rows"] = len(ROWS)
    run = client.runs.wait(client.runs.start(scraper["id"])["id"], timeout=60)
    assert run["changes"] is not None
    assert (run["changes"]["baseline"], run["changes"]["new"]) == (first["id"], 1999)
    assert [*client.runs.changes(run["id"], kinds=["new"])] == [{"kind": "new", "row": row} for row in ROWS[1:]]
    assert [*client.runs.changes(run["id"], kinds=["removed"])] == []
    with Proxy(service.url, cut_after=20_000, cuts=99) as proxy, Client(proxy.url, service.key) as cut:
        with pytest.raises(ConnectionFailed, match="broke off"):
            [*cut.runs.changes(run["id"])]
        with pytest.raises(ConnectionFailed):
            cut.runs.save(run["id"], tmp_path / "rows.csv")
    assert [*tmp_path.iterdir()] == []
    client.scrapers.delete(scraper["id"])
    assert scraper["id"] not in {one["id"] for one in client.scrapers.list()}


def test_a_scraper_is_replaced_unless_somebody_else_has_done_so(client: Client, scraper: Scraper) -> None:
    own = client.scrapers.create({"name": "Own", "steps": scraper["steps"]})
    replaced = client.scrapers.replace(own["id"], {**own, "name": "Renamed"}, if_version=1)
    assert (replaced["version"], client.scrapers.get(own["id"])["name"]) == (2, "Renamed")
    with pytest.raises(ApiError) as error:
        client.scrapers.replace(own["id"], {**own, "name": "Late"}, if_version=1)
    assert error.value.status == 412


def test_failures_are_exceptions(client: Client, service: Service, scraper: Scraper) -> None:
    with pytest.raises(ApiError) as unknown:
        client.runs.get(NOWHERE)
    assert (unknown.value.status, unknown.value.errors) == (404, [])
    assert unknown.value.request_id
    with pytest.raises(ApiError) as unknown_rows:
        next(client.runs.rows(NOWHERE))
    assert (unknown_rows.value.status, unknown_rows.value.message) == (404, unknown.value.message)
    with pytest.raises(ApiError) as invalid:
        client.runs.start(scraper["id"], rows_limit=0)
    assert (invalid.value.status, invalid.value.errors) == (
        400,
        [{"path": "rows_limit", "message": "must be at least 1"}],
    )
    with Client(service.url, "wrong") as other, pytest.raises(ApiError) as denied:
        other.account()
    assert denied.value.status == 401
    run = client.runs.start(scraper["id"], steps=[{"id": "open", "url": "http://127.0.0.1:8080/"}])
    with pytest.raises(RunFailed) as failed:
        client.runs.wait(run["id"], timeout=60)
    assert (failed.value.code, failed.value.step, failed.value.run["id"]) == ("blocked_address", 0, run["id"])
    assert failed.value.message in str(failed.value)


def test_a_wait_ends_and_a_run_is_stopped(client: Client, service: Service, scraper: Scraper) -> None:
    wait = {"type": "wait", "value": 60000}
    slow = client.scrapers.create({"name": "Slow", "clock": "real", "steps": [*scraper["steps"][:1], wait]})
    run = client.runs.start(slow["id"])
    with pytest.raises(WaitTimeout, match="has not finished within 0.1 seconds"):
        client.runs.wait(run["id"], timeout=0.1)
    client.runs.stop(run["id"])
    with pytest.raises(RunFailed) as stopped:
        client.runs.wait(run["id"], timeout=60)
    assert stopped.value.code == "stopped"
    client.runs.delete(run["id"])
    with pytest.raises(ApiError):
        client.runs.get(run["id"])


def test_a_key_makes_one_run(client: Client, scraper: Scraper) -> None:
    one, other = (client.runs.start(scraper["id"], rows_limit=1, idempotency_key="client-test") for _ in range(2))
    assert one["id"] == other["id"]


def test_more_requests_than_the_rate_limit_allows(client: Client) -> None:
    limit = client.account()["rate_limit"]["requests"]
    assert len([client.account() for _ in range(limit + 5)]) == limit + 5


def test_a_lost_response_makes_no_second_run(service: Service, client: Client, scraper: Scraper) -> None:
    before = {run["id"] for run in client.runs.list(scraper_id=scraper["id"])}
    with Proxy(service.url, cut_after=0) as proxy, Client(proxy.url, service.key) as cut:
        run = cut.runs.start(scraper["id"], rows_limit=1)
        assert proxy.cuts == 1
    assert {run["id"] for run in client.runs.list(scraper_id=scraper["id"])} - before == {run["id"]}


def test_rows_continue_where_the_connection_broke(service: Service, run: Run) -> None:
    with Proxy(service.url, cut_after=20_000, cuts=2) as proxy, Client(proxy.url, service.key) as cut:
        assert [*cut.runs.rows(run["id"], limit=1990)] == ROWS[:1990]
        assert proxy.cuts == 2


def test_settings(monkeypatch: pytest.MonkeyPatch, service: Service) -> None:
    monkeypatch.delenv("GLEANER_URL", raising=False)
    with pytest.raises(GleanerError, match="the URL of the service"):
        Client()
    monkeypatch.setenv("GLEANER_URL", service.url)
    monkeypatch.setenv("GLEANER_KEY", service.key)
    with Client() as client:
        assert client.account()["version"]
