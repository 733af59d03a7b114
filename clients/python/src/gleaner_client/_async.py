"""The client for programs with asyncio: that of `_sync`, with the same methods."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import aclosing
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

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client

    async def do(self, flow: Flow[T]) -> T:
        try:
            effect = next(flow)
            while True:
                try:
                    response = await self._perform(effect)
                except httpx.TransportError as error:
                    effect = flow.throw(error)
                else:
                    effect = flow.send(response)
        except StopIteration as end:
            result: T = end.value
            return result

    async def _perform(self, effect: Call | Sleep) -> httpx.Response | None:
        if isinstance(effect, Sleep):
            await asyncio.sleep(effect.seconds)
            return None
        response = await self.client.send(flows.request(self.client, effect), stream=effect.stream)
        if response.is_error:
            async with aclosing(response):
                await response.aread()
        return response

    async def list(self, path: str, query: Mapping[str, Any]) -> AsyncIterator[Any]:
        page: int | None = 1
        while page is not None:
            body = await self.do(flows.json_of(Call("GET", path, {**query, "page": page})))
            for one in body["data"]:
                yield one
            page = body["next_page"]

    async def lines(self, lines: Lines) -> AsyncIterator[Any]:
        while not lines.is_complete:
            async with aclosing(await self.do(lines.open())) as response:
                try:
                    async for chunk in response.aiter_bytes():
                        for one in lines.feed(chunk):
                            yield one
                    lines.is_complete = True
                except httpx.TransportError as error:
                    lines.interrupted(error)

    async def download(self, call: Call, path: str | PathLike[str]) -> None:
        async with aclosing(await self.do(flows.send(call))) as response:
            with new_file(path) as file:
                try:
                    async for chunk in response.aiter_bytes():
                        file.write(chunk)
                except httpx.TransportError as error:
                    raise flows.broken_off(call, error) from error


class AsyncClient:
    """The API of a Gleaner service, for asyncio.

    Requests that fail for a moment (429, 5xx, a broken connection) are repeated for about half a minute, if that does
    no harm. All methods raise ApiError if the service responds with an error, and ConnectionFailed if they can't reach
    it.
    """

    def __init__(self, url: str | None = None, key: str | None = None, *, timeout: float = 60) -> None:
        """Without a url or a key, the environment variables GLEANER_URL and GLEANER_KEY have them.

        `timeout` is the number of seconds to wait for a connection, and for each part of a response.
        """
        self._http = _Http(httpx.AsyncClient(**flows.settings(url, key), timeout=timeout))
        self.scrapers = AsyncScrapers(self._http)
        self.runs = AsyncRuns(self._http)
        self.batches = AsyncBatches(self._http)

    async def account(self) -> Account:
        """The account of the key: its credits, its limits, and the version of the service."""
        return await self._http.do(flows.get_account())

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.client.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


class AsyncScrapers:
    """Stored scrapers."""

    def __init__(self, http: _Http) -> None:
        self._http = http

    def list(self) -> AsyncIterator[Scraper]:
        """All scrapers, newest first."""
        return self._http.list("/scrapers", {})

    async def get(self, id: str) -> Scraper:
        return await self._http.do(flows.get_scraper(id))

    async def create(self, definition: Json, *, idempotency_key: str | None = None) -> Scraper:
        """Stores a new scraper."""
        return await self._http.do(flows.create_scraper(definition, idempotency_key))

    async def replace(self, id: str, definition: Json, *, if_version: int | None = None) -> Scraper:
        """Replaces the whole definition. With `if_version`, ApiError 412 says that it has another version by now."""
        return await self._http.do(flows.replace_scraper(id, definition, if_version))

    async def delete(self, id: str) -> None:
        """Deletes a scraper and its schedule. Its runs stay."""
        await self._http.do(flows.delete(f"/scrapers/{id}"))


class AsyncRuns:
    """Executions of scrapers."""

    def __init__(self, http: _Http) -> None:
        self._http = http

    async def start(
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
        return await self._http.do(
            flows.create_run(idempotency_key, scraper_id, steps, rows_limit, only_new, webhook_url)
        )

    async def wait(self, id: str, *, timeout: float | None = None) -> Run:
        """Returns the run when it is successful. Look at its `warnings`.

        Raises RunFailed if it fails, and WaitTimeout after `timeout` seconds.
        """
        return await self._http.do(flows.wait_for_run(id, timeout))

    async def get(self, id: str) -> Run:
        return await self._http.do(flows.get_run(id))

    def list(
        self,
        *,
        scraper_id: str | None = None,
        batch_id: str | None = None,
        status: RunStatus | None = None,
    ) -> AsyncIterator[Run]:
        """All runs, newest first. Runs of batches are left out, unless `batch_id` asks for them."""
        return self._http.list("/runs", flows.run_query(scraper_id, batch_id, status))

    async def stop(self, id: str) -> Run:
        """Asks a run to stop. It keeps its rows."""
        return await self._http.do(flows.stop_run(id))

    async def delete(self, id: str) -> None:
        """Deletes a finished run with its rows."""
        await self._http.do(flows.delete(f"/runs/{id}"))

    def rows(
        self, id: str, *, fields: Sequence[str] | None = None, offset: int = 0, limit: int | None = None
    ) -> AsyncIterator[Row]:
        """The rows so far, as they arrive. If the connection breaks, it continues where it broke off."""
        return self._http.lines(Lines.of_rows(f"/runs/{id}", fields, offset, limit))

    async def frame(self, id: str, *, fields: Sequence[str] | None = None) -> pandas.DataFrame:
        """The rows so far as a data frame of texts. A field that a row does not have is missing."""
        return frame_of([row async for row in self.rows(id, fields=fields)])

    async def save(self, id: str, path: str | PathLike[str], *, fields: Sequence[str] | None = None) -> None:
        """Writes the rows so far to a file, whose name ends in .csv, .json, .jsonl or .xlsx."""
        await self._http.download(flows.rows_file(f"/runs/{id}", format_of(path), fields), path)

    def changes(self, id: str, *, kinds: Iterable[ChangeKind] | None = None) -> AsyncIterator[RowChange]:
        """The rows that differ from those of earlier runs. ApiError 409: the run was not compared."""
        return self._http.lines(Lines.of_changes(f"/runs/{id}", kinds))


class AsyncBatches:
    """Executions of one scraper for many inputs."""

    def __init__(self, http: _Http) -> None:
        self._http = http

    async def start(
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
        return await self._http.do(
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

    async def wait(self, id: str, *, timeout: float | None = None) -> Batch:
        """Returns the batch when it has finished.

        Its `failed` counts the inputs that failed, `warned` the successful ones with warnings.

        Raises WaitTimeout after `timeout` seconds.
        """
        return await self._http.do(flows.wait_for_batch(id, timeout))

    async def get(self, id: str) -> Batch:
        return await self._http.do(flows.get_batch(id))

    def list(self) -> AsyncIterator[Batch]:
        """All batches, newest first."""
        return self._http.list("/batches", {})

    def inputs(self, id: str, *, status: str | None = None) -> AsyncIterator[BatchInput]:
        """The inputs in their order, with what became of them.

        `status="failed"` gets those that failed, `status="warned"` successful ones with warnings.
        """
        return self._http.list(f"/batches/{id}/inputs", {"status": status})

    async def stop(self, id: str) -> Batch:
        """Asks a batch to stop. Inputs without a run fail."""
        return await self._http.do(flows.stop_batch(id))

    async def delete(self, id: str) -> None:
        """Deletes a finished batch with its runs."""
        await self._http.do(flows.delete(f"/batches/{id}"))

    def rows(
        self, id: str, *, fields: Sequence[str] | None = None, offset: int = 0, limit: int | None = None
    ) -> AsyncIterator[Row]:
        """The rows of all finished runs, in the order of the inputs. Each begins with its input: `input.NAME`."""
        return self._http.lines(Lines.of_rows(f"/batches/{id}", fields, offset, limit))

    async def frame(self, id: str, *, fields: Sequence[str] | None = None) -> pandas.DataFrame:
        """The rows of all finished runs as a data frame of texts."""
        return frame_of([row async for row in self.rows(id, fields=fields)])

    async def save(self, id: str, path: str | PathLike[str], *, fields: Sequence[str] | None = None) -> None:
        """Writes the rows of all finished runs to a file, whose name ends in .csv, .json, .jsonl or .xlsx."""
        await self._http.download(flows.rows_file(f"/batches/{id}", format_of(path), fields), path)
