"""The types of the client and the contract of the service."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gleaner_client import (
    Account,
    Batch,
    BatchInput,
    Changes,
    RowChange,
    Run,
    RunError,
    RunWarning,
    Scraper,
    StepOverride,
)

from .conftest import ROOT

SCHEMAS: dict[str, Any] = json.loads((ROOT / "openapi.json").read_text())["components"]["schemas"]


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("Account", Account),
        ("Batch", Batch),
        ("BatchInput", BatchInput),
        ("RowChange", RowChange),
        ("Run", Run),
        ("RunChanges", Changes),
        ("RunError", RunError),
        ("RunWarning", RunWarning),
        ("Scraper", Scraper),
    ],
)
def test_models_have_the_fields_of_the_contract(name: str, model: Any) -> None:
    schema = SCHEMAS[name]
    assert model.__required_keys__ == set(schema["required"])
    assert model.__required_keys__ | model.__optional_keys__ == set(schema["properties"])


def test_overrides() -> None:
    keys = StepOverride.__required_keys__ | StepOverride.__optional_keys__
    # The type of a step can't be changed.
    assert keys == SCHEMAS["StepOverride"]["properties"].keys() - {"type"}
