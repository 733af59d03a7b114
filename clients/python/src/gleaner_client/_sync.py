"""The client for programs without asyncio."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from os import PathLike
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

import httpx

from . import _flows as flows
from ._files import format_of, frame_of, new_file
from ._flows import Call, Flow, Sleep
from ._lines import Lines
from ._models import Account, Batch, BatchInput, ChangeKind, Json, Row, RowChange, Run, RunStatus, Scraper
from ._models import StepOverride as Step

if TYPE_CHECKING:
    import pandas

T = TypeVar("T")


class _Http:
    """Carries out flows."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client

    def do(self, flow: Flow[T]) -> T:
        try:
            effect = next(flow)
            while True:
                try:
                    response = self._perform(effect)
                except httpx.TransportError as error:
                    effect = flow.throw(error)
                else:
                    effect = flow.send(response)
        except StopIteration as end:
            result: T = end.value
            return result

    def _perform(self, effect: Call | Sleep) -> httpx.Response | None:
        if isinstance(effect, Sleep):
            time.sleep(effect.seconds)
            return None
        response = self.client.send(flows.request(self.client, effect), stream=effect.stream)
        if response.is_error:
            with closing(response):
                response.read()
        return response

    def list(self, path: str, query: Mapping[str, Any]) -> Iterator[Any]:
        page: int | None = 1
        while page is not None:
            body = self.do(flows.json_of(Call("GET", path, {**query, "page": page})))
            yield from body["data"]
            page = body["next_page"]

    def lines(self, lines: Lines) -> Iterator[Any]:
        while not lines.is_complete:
            with closing(self.do(lines.open())) as response:
                try:
                    for chunk in response.iter_bytes():
                        yield from lines.feed(chunk)
                    lines.is_complete = True
                except httpx.TransportError as error:
                    lines.interrupted(error)

    def download(self, call: Call, path: str | PathLike[str]) -> None:
        with closing(self.do(flows.send(call))) as response, new_file(path) as file:
            try:
                for chunk in response.iter_bytes():
                    file.write(chunk)
            except httpx.TransportError as error:
                raise flows.broken_off(call, error) from error


class Client:
    """The API of a Gleaner service.

    Requests that fail for a moment (429, 5xx, a broken connection) are repeated for about half a minute, if that does
    no harm. All methods raise ApiError if the service responds with an error, and ConnectionFailed if they can't reach
    it.
    """

    def __init__(self, url: str | None = None, key: str | None = None, *, timeout: float = 60) -> None:
        """Without a url or a key, the environment variables GLEANER_URL and GLEANER_KEY have them.

        `timeout` is the number of seconds to wait for a connection, and for each part of a response.
        """
        self._http = _Http(httpx.Client(**flows.settings(url, key), timeout=timeout))
        self.scrapers = Scrapers(self._http)
        self.runs = Runs(self._http)
        self.batches = Batches(self._http)

    def account(self) -> Account:
        """The account of the key: its credits, its limits, and the version of the service."""
        return self._http.do(flows.get_account())

    def close(self) -> None:
        """Closes the connections."""
        self._http.client.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Scrapers:
    """Stored scrapers."""

    def __init__(self, http: _Http) -> None:
        self._http = http

    def list(self) -> Iterator[Scraper]:
        """All scrapers, newest first."""
        return self._http.list("/scrapers", {})

    def get(self, id: str) -> Scraper:
        return self._http.do(flows.get_scraper(id))

    def create(self, definition: Json, *, idempotency_key: str | None = None) -> Scraper:
        """Stores a new scraper."""
        return self._http.do(flows.create_scraper(definition, idempotency_key))

    def replace(self, id: str, definition: Json, *, if_version: int | None = None) -> Scraper:
        """Replaces the whole definition. With `if_version`, ApiError 412 says that it has another version by now."""
        return self._http.do(flows.replace_scraper(id, definition, if_version))

    def delete(self, id: str) -> None:
        """Deletes a scraper and its schedule. Its runs stay."""
        self._http.do(flows.delete(f"/scrapers/{id}"))


class Runs:
    """Executions of scrapers."""

    def __init__(self, http: _Http) -> None:
        self._http = http

    def start(
        self,
        scraper_id: str,
        *,
        steps: Sequence[Step] | None = None,
        rows_limit: int | None = None,
        only_new: bool | None = None,
        webhook_url: str | None = None,
        idempotency_key: str | None = None,
    ) -> Run:
        """Creates a run, once, also if the request is repeated. `steps` and the others override the scraper's."""
        return self._http.do(flows.create_run(idempotency_key, scraper_id, steps, rows_limit, only_new, webhook_url))

    def wait(self, id: str, *, timeout: float | None = None) -> Run:
        """Returns the run when it is successful. Look at its `warnings`.

        Raises RunFailed if it fails, and WaitTimeout after `timeout` seconds.
        """
        return self._http.do(flows.wait_for_run(id, timeout))

    def get(self, id: str) -> Run:
        return self._http.do(flows.get_run(id))

    def list(
        self,
        *,
        scraper_id: str | None = None,
        batch_id: str | None = None,
        status: RunStatus | None = None,
    ) -> Iterator[Run]:
        """All runs, newest first. Runs of batches are left out, unless `batch_id` asks for them."""
        return self._http.list("/runs", flows.run_query(scraper_id, batch_id, status))

    def stop(self, id: str) -> Run:
        """Asks a run to stop. It keeps its rows."""
        return self._http.do(flows.stop_run(id))

    def delete(self, id: str) -> None:
        """Deletes a finished run with its rows."""
        self._http.do(flows.delete(f"/runs/{id}"))

    def rows(
        self, id: str, *, fields: Sequence[str] | None = None, offset: int = 0, limit: int | None = None
    ) -> Iterator[Row]:
        """The rows so far, as they arrive. If the connection breaks, it continues where it broke off."""
        return self._http.lines(Lines.of_rows(f"/runs/{id}", fields, offset, limit))

    def frame(self, id: str, *, fields: Sequence[str] | None = None) -> pandas.DataFrame:
        """The rows so far as a data frame of texts. A field that a row does not have is missing."""
        return frame_of([*self.rows(id, fields=fields)])

    def save(self, id: str, path: str | PathLike[str], *, fields: Sequence[str] | None = None) -> None:
        """Writes the rows so far to a file, whose name ends in .csv, .json, .jsonl or .xlsx."""
        self._http.download(flows.rows_file(f"/runs/{id}", format_of(path), fields), path)

    def changes(self, id: str, *, kinds: Iterable[ChangeKind] | None = None) -> Iterator[RowChange]:
        """The rows that differ from those of earlier runs. ApiError 409: the run was not compared."""
        return self._http.lines(Lines.of_changes(f"/runs/{id}", kinds))


class Batches:
    """Executions of one scraper for many inputs."""

    def __init__(self, http: _Http) -> None:
        self._http = http

    def start(
        self,
        scraper_id: str,
        inputs: Iterable[Json] | None = None,
        *,
        inputs_from: Json | None = None,
        steps: Sequence[Step] | None = None,
        rows_limit: int | None = None,
        concurrency: int | None = None,
        webhook_url: str | None = None,
        idempotency_key: str | None = None,
    ) -> Batch:
        """Creates a batch, once, also if the request has to be repeated.

        Each of the inputs maps the ids of steps to values. Other names are carried along to the rows.
        """
        return self._http.do(
            flows.create_batch(
                idempotency_key,
                scraper_id,
                inputs,
                inputs_from,
                steps,
                rows_limit,
                concurrency,
                webhook_url,
            )
        )

    def wait(self, id: str, *, timeout: float | None = None) -> Batch:
        """Returns the batch when it has finished.

        Its `failed` counts the inputs that failed, `warned` the successful ones with warnings.

        Raises WaitTimeout after `timeout` seconds.
        """
        return self._http.do(flows.wait_for_batch(id, timeout))

    def get(self, id: str) -> Batch:
        return self._http.do(flows.get_batch(id))

    def list(self) -> Iterator[Batch]:
        """All batches, newest first."""
        return self._http.list("/batches", {})

    def inputs(self, id: str, *, status: str | None = None) -> Iterator[BatchInput]:
        """The inputs in their order, with what became of them.

        `status="failed"` gets those that failed, `status="warned"` successful ones with warnings.
        """
        return self._http.list(f"/batches/{id}/inputs", {"status": status})

    def stop(self, id: str) -> Batch:
        """Asks a batch to stop. Inputs without a run fail."""
        return self._http.do(flows.stop_batch(id))

    def delete(self, id: str) -> None:
        """Deletes a finished batch with its runs."""
        self._http.do(flows.delete(f"/batches/{id}"))

    def rows(
        self, id: str, *, fields: Sequence[str] | None = None, offset: int = 0, limit: int | None = None
    ) -> Iterator[Row]:
        """The rows of all finished runs, in the order of the inputs. Each begins with its input: `input.NAME`."""
        return self._http.lines(Lines.of_rows(f"/batches/{id}", fields, offset, limit))

    def frame(self, id: str, *, fields: Sequence[str] | None = None) -> pandas.DataFrame:
        """The rows of all finished runs as a data frame of texts."""
        return frame_of([*self.rows(id, fields=fields)])

    def save(self, id: str, path: str | PathLike[str], *, fields: Sequence[str] | None = None) -> None:
        """Writes the rows of all finished runs to a file, whose name ends in .csv, .json, .jsonl or .xlsx."""
        self._http.download(flows.rows_file(f"/batches/{id}", format_of(path), fields), path)
