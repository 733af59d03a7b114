from __future__ import annotations

import asyncio
import inspect

import pytest

from gleaner_client import ApiError, AsyncClient, Client, RunFailed, Scraper

from .conftest import ROWS, Service
from .proxy import Proxy


def test_runs_at_the_same_time(service: Service, scraper: Scraper) -> None:
    async def names(client: AsyncClient, count: int) -> list[str]:
        url = f"{service.site}?count={count}"
        run = await client.runs.start(scraper["id"], steps=[{"id": "open", "url": url}])
        run = await client.runs.wait(run["id"], timeout=120)
        return [row["name"] async for row in client.runs.rows(run["id"])]

    async def main() -> None:
        async with AsyncClient(service.url, service.key) as client:
            found = await asyncio.gather(*(names(client, count) for count in (1, 2, 3)))
            assert found == [[f"Row {number}" for number in range(count)] for count in (1, 2, 3)]
            assert len([one async for one in client.scrapers.list()]) > 0
            with pytest.raises(ApiError):
                await client.scrapers.get("01a1fc3c-acb4-7463-96cb-370000000001")
            run = await client.runs.start(scraper["id"], steps=[{"id": "open", "url": "http://127.0.0.1:8080/"}])
            with pytest.raises(RunFailed):
                await client.runs.wait(run["id"])

    asyncio.run(main())


def test_rows_continue_where_the_connection_broke(service: Service, scraper: Scraper) -> None:
    async def main() -> None:
        async with AsyncClient(service.url, service.key) as client:
            run = await client.runs.wait((await client.runs.start(scraper["id"]))["id"], timeout=120)
            frame = await client.runs.frame(run["id"])
            assert frame.to_dict("records") == ROWS
        with Proxy(service.url, cut_after=20_000, cuts=2) as proxy:
            async with AsyncClient(proxy.url, service.key) as cut:
                assert [row async for row in cut.runs.rows(run["id"])] == ROWS
            assert proxy.cuts == 2

    asyncio.run(main())


def test_both_clients_have_the_same_methods(service: Service) -> None:
    one, other = Client(service.url, service.key), AsyncClient(service.url, service.key)
    for name in ("scrapers", "runs", "batches"):
        sync, asynchronous = getattr(one, name), getattr(other, name)
        methods = [method for method in dir(sync) if not method.startswith("_")]
        assert methods == [method for method in dir(asynchronous) if not method.startswith("_")]
        for method in methods:
            mine, its = getattr(sync, method), getattr(asynchronous, method)
            assert inspect.signature(mine).parameters == inspect.signature(its).parameters, method
            assert mine.__doc__ == its.__doc__, method
