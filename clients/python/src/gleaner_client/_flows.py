"""What the client does, without doing any input or output.

A flow is a generator. It yields requests to send and times to sleep, and returns a result. `Client` and `AsyncClient`
carry out the same flows, each in its own way.
"""

from __future__ import annotations

import csv
import io
import os
import random
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, TypeAlias, TypeVar
from uuid import uuid4

import httpx

from ._errors import ApiError, ConnectionFailed, GleanerError, RunFailed, WaitTimeout
from ._models import Account, Batch, Json, Run, Scraper, StepOverride

T = TypeVar("T")


@dataclass(frozen=True)
class Call:
    """A request to the API. `query` and `body` leave out what is None."""

    method: str
    path: str
    query: dict[str, Any] = field(default_factory=dict)
    body: dict[str, Any] | None = None
    headers: dict[str, str] = field(default_factory=dict)
    #: Whether the response is returned before its body is read.
    stream: bool = False

    @property
    def is_repeatable(self) -> bool:
        """Whether a second request, after one without a response, does nothing that the first one did not."""
        return self.method != "POST" or "idempotency-key" in self.headers or self.path.endswith("/stop")


@dataclass(frozen=True)
class Sleep:
    seconds: float


#: Sent into the flow after a `Call`: its response, whose body has been read unless it is a stream without an error.
Flow: TypeAlias = Generator["Call | Sleep", "httpx.Response | None", T]

#: How often a request is repeated. The pauses add up to about 30 seconds, if the service states none.
RETRIES = 6
LONGEST_RETRY_PAUSE = 10.0
#: The first pause of a wait is short, because many runs take a second. The last ones stay far below the rate limit.
FIRST_POLL_PAUSE = 0.5
LONGEST_POLL_PAUSE = 5.0
PASSING_FAULTS = {500, 502, 503, 504}


def request(client: httpx.Client | httpx.AsyncClient, call: Call) -> httpx.Request:
    query = {name: value for name, value in call.query.items() if value is not None}
    body = call.body and {name: value for name, value in call.body.items() if value is not None}
    return client.build_request(call.method, call.path, params=query, json=body, headers=call.headers)


def settings(url: str | None, key: str | None) -> dict[str, Any]:
    """The arguments of the HTTP client. Without a URL or key, the environment has them."""
    url = url or os.environ.get("GLEANER_URL")
    key = key or os.environ.get("GLEANER_KEY")
    if not url or not key:
        missing = "the URL of the service" if not url else "an API key"
        raise GleanerError(
            f"The client needs {missing}. Pass url and key, or set the variables GLEANER_URL and GLEANER_KEY."
        )
    return {
        "base_url": f"{url.rstrip('/')}/v1",
        "headers": {
            "authorization": f"Bearer {key}",
            "user-agent": f"gleaner-client-python/{version('gleaner-client')}",
        },
    }


def send(call: Call) -> Flow[httpx.Response]:
    """Sends a request, and repeats it as long as the failure may pass and a repetition does no harm.

    Raises ApiError or ConnectionFailed.
    """
    for attempt in range(RETRIES + 1):
        pause = min(LONGEST_RETRY_PAUSE, 0.5 * 2**attempt) * random.uniform(0.75, 1)
        try:
            response = yield call
        except httpx.TransportError as error:
            # Nothing was sent if no connection was made.
            if attempt == RETRIES or not (call.is_repeatable or isinstance(error, httpx.ConnectError)):
                raise broken_off(call, error) from error
        else:
            assert response is not None
            if response.is_success:
                return response
            if attempt > 0 and call.method == "DELETE" and response.status_code == 404:
                return response  # The request before this one has deleted it.
            passes = response.status_code == 429 or (response.status_code in PASSING_FAULTS and call.is_repeatable)
            if attempt == RETRIES or not passes:
                raise api_error(response)
            pause = retry_after(response) or pause
        yield Sleep(pause)
    raise AssertionError("The last attempt returns or raises.")


def broken_off(call: Call, error: httpx.TransportError) -> ConnectionFailed:
    return ConnectionFailed(f"{call.method} {call.path}: {error or type(error).__name__}")


def retry_after(response: httpx.Response) -> float | None:
    text = response.headers.get("retry-after", "")
    return float(text) if text.isdigit() else None


def api_error(response: httpx.Response) -> ApiError:
    try:
        body = response.json()
    except ValueError:
        body = None
    if not isinstance(body, dict):
        # A proxy in front of the service answers with a page.
        body = {"message": f"{response.status_code} {response.reason_phrase} from {response.request.url}"}
    return ApiError(
        response.status_code,
        str(body.get("message")),
        body.get("errors", []),
        response.headers.get("x-request-id"),
    )


def json_of(call: Call) -> Flow[Any]:
    return (yield from send(call)).json()


def delete(path: str) -> Flow[None]:
    yield from send(Call("DELETE", path))


def _create(path: str, body: dict[str, Any], idempotency_key: str | None) -> Flow[Any]:
    """Creates a run, a batch or a scraper, once, however often the request is repeated."""
    return json_of(Call("POST", path, body=body, headers={"idempotency-key": idempotency_key or str(uuid4())}))


def create_run(
    idempotency_key: str | None,
    scraper_id: str,
    steps: Sequence[StepOverride] | None,
    rows_limit: int | None,
    only_new: bool | None,
    webhook_url: str | None,
) -> Flow[Run]:
    body = {
        "scraper_id": scraper_id,
        "steps": steps,
        "rows_limit": rows_limit,
        "only_new": only_new,
        "webhook_url": webhook_url,
    }
    return _create("/runs", body, idempotency_key)


def create_batch(
    idempotency_key: str | None,
    scraper_id: str,
    inputs: Iterable[Json] | None,
    inputs_from: Json | None,
    steps: Sequence[StepOverride] | None,
    rows_limit: int | None,
    concurrency: int | None,
    webhook_url: str | None,
) -> Flow[Batch]:
    body = {
        "scraper_id": scraper_id,
        "inputs": None if inputs is None else [dict(one) for one in inputs],
        "inputs_from": inputs_from,
        "steps": steps,
        "rows_limit": rows_limit,
        "concurrency": concurrency,
        "webhook_url": webhook_url,
    }
    return _create("/batches", body, idempotency_key)


def create_scraper(definition: Json, idempotency_key: str | None) -> Flow[Scraper]:
    return _create("/scrapers", dict(definition), idempotency_key)


def run_query(scraper_id: str | None, batch_id: str | None, status: str | None) -> dict[str, Any]:
    return {"scraper_id": scraper_id, "batch_id": batch_id, "status": status, "rows": "false"}


def rows_file(path: str, format: str, fields: Sequence[str] | None) -> Call:
    return Call("GET", f"{path}/rows", {"format": format, "fields": field_list(fields)}, stream=True)


def field_list(fields: Sequence[str] | None) -> str | None:
    """Names of fields as a line of CSV."""
    if fields is None:
        return None
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(fields)
    return line.getvalue()


def get_account() -> Flow[Account]:
    return json_of(Call("GET", "/account"))


def get_scraper(id: str) -> Flow[Scraper]:
    return json_of(Call("GET", f"/scrapers/{id}"))


def replace_scraper(id: str, definition: Json, if_version: int | None) -> Flow[Scraper]:
    headers = {} if if_version is None else {"if-match": f'"{if_version}"'}
    return json_of(Call("PUT", f"/scrapers/{id}", body=dict(definition), headers=headers))


def get_run(id: str) -> Flow[Run]:
    return json_of(Call("GET", f"/runs/{id}", {"rows": "false"}))


def stop_run(id: str) -> Flow[Run]:
    run: Run = yield from json_of(Call("POST", f"/runs/{id}/stop"))
    run["result_rows"] = None
    return run


def get_batch(id: str) -> Flow[Batch]:
    return json_of(Call("GET", f"/batches/{id}"))


def stop_batch(id: str) -> Flow[Batch]:
    return json_of(Call("POST", f"/batches/{id}/stop"))


def wait_for_run(id: str, timeout: float | None) -> Flow[Run]:
    run = yield from _wait(f"run {id}", lambda: get_run(id), timeout)
    if run["status"] == "failed":
        raise RunFailed(run)
    return run


def wait_for_batch(id: str, timeout: float | None) -> Flow[Batch]:
    return _wait(f"batch {id}", lambda: get_batch(id), timeout)


W = TypeVar("W", Run, Batch)


def _wait(what: str, get: Callable[[], Flow[W]], timeout: float | None) -> Flow[W]:
    end = float("inf") if timeout is None else time.monotonic() + timeout
    pause = FIRST_POLL_PAUSE
    while True:
        found = yield from get()
        if found["status"] != "running":
            return found
        left = end - time.monotonic()
        if left <= 0:
            raise WaitTimeout(f"The {what} has not finished within {timeout} seconds. It continues.")
        yield Sleep(min(pause, left))
        pause = min(pause * 1.5, LONGEST_POLL_PAUSE)
