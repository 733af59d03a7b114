"""A Gleaner service of this checkout, with a site to scrape."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from gleaner_client import Client, Scraper

ROOT = Path(__file__).parents[3]


def _note(number: int) -> str:
    # The characters that Python, but not JSON Lines, takes for ends of lines, and some that can't be compressed.
    return "one\u2028two\x85three " + hashlib.sha256(str(number).encode()).hexdigest()


#: About 80 kB, compressed.
ROWS = [{"name": f"Row {number}", "note": _note(number)} for number in range(2000)]


#: How many of ROWS the page /changing has.
SHOWN = {"rows": 1}


class Service(NamedTuple):
    url: str
    key: str
    shop: str
    site: str


class _Site(BaseHTTPRequestHandler):
    """Pages with ROWS, or with the first ones of them."""

    def do_GET(self) -> None:
        wanted = re.search(r"count=(\d+)", self.path)
        count = SHOWN["rows"] if self.path == "/changing" else int(wanted[1]) if wanted else len(ROWS)
        items = "".join(f'<li data-note="{row["note"]}">{row["name"]}</li>' for row in ROWS[:count])
        page = f"<!doctype html><meta charset=utf-8><title>Rows</title><ul>{items}</ul>".encode()
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    data = tmp_path_factory.mktemp("gleaner")
    site = ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    host = f"127.0.0.1:{site.server_port}"
    node = os.environ.get("NODE", ROOT / "node_modules/.bin/node")
    command = [node, ROOT / "bin/gleaner.js", "start", "--port", "0", "--data", data, "--example", "--allow-host", host]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        assert process.stdout is not None
        printed = ""
        shop = None
        while shop is None:
            line = process.stdout.readline()
            assert line, f"The service did not start: {printed}"
            printed += line
            shop = re.search(r"bookshop is open at (\S+)", line)
        url = json.loads((data / "service.json").read_text())["url"]
        key = json.loads((data / "credentials.json").read_text())["api_key"]
        yield Service(url, key, shop[1], f"http://{host}")
    finally:
        process.terminate()
        process.wait()
        site.shutdown()


@pytest.fixture
def client(service: Service) -> Iterator[Client]:
    with Client(service.url, service.key) as client:
        yield client


@pytest.fixture(scope="session")
def scraper(service: Service) -> Scraper:
    """Reads the rows of the site, whose number its step `open` decides."""
    with Client(service.url, service.key) as client:
        return client.scrapers.create(
            {
                "name": "Rows",
                "steps": [
                    {"id": "open", "type": "visit", "url": service.site},
                    {
                        "id": "rows",
                        "type": "get_list",
                        "selector": "li",
                        "key": ["name"],
                        "fields": [{"name": "name"}, {"name": "note", "attribute": "data-note"}],
                    },
                ],
                "rows_limit": 5000,
            }
        )
