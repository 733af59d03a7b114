"""The programs of the documentation print what it shows."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gleaner_client import Client

from .conftest import ROOT, Service

PAGES = ["clients/python/README.md", "docs/how-to/python.md"]


def _programs(page: str) -> list[tuple[str, str]]:
    """Each program of a page with the output that follows it, or an empty one."""
    blocks = re.findall(r"^```(python|text)\n(.*?)^```$", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
    return [
        (text, output if kind == "text" else "")
        for (language, text), (kind, output) in zip(blocks, [*blocks[1:], ("", "")], strict=True)
        if language == "python"
    ]


@pytest.mark.parametrize("page", PAGES)
def test_programs_print_what_the_page_shows(page: str, service: Service, tmp_path: Path) -> None:
    definition = (
        (ROOT / "examples/shop-catalogue.json").read_text().replace("http://localhost:4100/books", service.shop)
    )
    with Client(service.url, service.key) as client:
        scraper = client.scrapers.create(json.loads(definition))
    env = {**os.environ, "GLEANER_URL": service.url, "GLEANER_KEY": service.key, "SCRAPER_ID": scraper["id"]}
    programs = _programs(page)
    assert len(programs) > 1
    for program, output in programs:
        (tmp_path / "program.py").write_text(program)
        result = subprocess.run(
            [sys.executable, "program.py"], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
        )
        assert (result.stdout, result.stderr) == (output, "")
    assert (tmp_path / "rows.xlsx").read_bytes()[:2] == b"PK"
