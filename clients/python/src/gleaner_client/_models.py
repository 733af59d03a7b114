"""The JSON of the API, as it comes. A newer service may add keys. Times are ISO 8601 in UTC."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, TypedDict

Json: TypeAlias = Mapping[str, Any]
#: The values of one row by the names of its fields. A field that the item does not have is left out.
Row: TypeAlias = dict[str, str]
Source: TypeAlias = Literal["app", "scheduler", "api", "integration"]
RunStatus: TypeAlias = Literal["running", "successful", "failed"]
BatchStatus: TypeAlias = Literal["running", "finished"]
ChangeKind: TypeAlias = Literal["new", "changed", "removed"]


class _StepId(TypedDict):
    id: str


class StepOverride(_StepId, total=False):
    """Another value for a step of a scraper: the `url` of a visit, or the `value` of the others."""

    url: str
    value: str


class _Failure(TypedDict):
    code: str
    message: str
    step: int | None


class RunError(_Failure, total=False):
    """Why a run failed. The message ends with what you can check or do."""

    suggestion: dict[str, Any]


class RunWarning(_Failure, total=False):
    """What may be wrong with the rows of a run although nothing failed."""

    field: str
    count: int
    suggestion: dict[str, Any]


class Progress(TypedDict):
    step: int
    page: int
    rows: int
    credits: int
    at: str


class Changes(TypedDict):
    """How the rows of a run differ from those of its scraper's baseline: numbers of rows."""

    baseline: str | None
    new: int
    changed: int
    removed: int
    same: int
    mostly_changed: list[dict[str, Any]]
    final: bool
    message: str | None


class _StoredRun(TypedDict):
    id: str
    scraper_id: str
    scraper_version: int | None
    source: Source
    status: RunStatus
    credits_used: int
    steps: list[dict[str, Any]]
    rows_limit: int
    webhook_url: str | None
    #: Always None in what this client returns: `runs.rows` gets the rows.
    result_rows: list[Row] | None
    row_count: int
    created_at: str
    started_at: str | None
    finished_at: str | None
    error: RunError | None
    warnings: list[RunWarning]
    progress: Progress | None
    stopping: bool
    batch_id: str | None
    input: dict[str, str] | None
    changes: Changes | None


class Run(_StoredRun, total=False):
    """One execution of a scraper."""

    files: dict[str, Any]


class _Change(TypedDict):
    kind: ChangeKind
    row: Row | None


class RowChange(_Change, total=False):
    """A row that is new, changed or removed. `old` has the values before, of a changed row."""

    old: dict[str, str | None] | None


class Batch(TypedDict):
    """One execution of a scraper for each of many inputs."""

    id: str
    scraper_id: str
    scraper_version: int
    source: Source
    status: BatchStatus
    total: int
    waiting: int
    running: int
    successful: int
    warned: int
    failed: int
    row_count: int
    credits_used: int
    rows_limit: int
    concurrency: int
    webhook_url: str | None
    created_at: str
    finished_at: str | None
    stopping: bool


class BatchInput(TypedDict):
    """An input of a batch, with what became of it."""

    index: int
    values: dict[str, str]
    run_id: str | None
    status: Literal["waiting", "running", "successful", "failed"]
    row_count: int
    error: RunError | None
    warnings: list[RunWarning]


class _StoredScraper(TypedDict):
    id: str
    name: str
    steps: list[dict[str, Any]]
    pagination: dict[str, Any]
    rows_limit: int
    schedule: dict[str, Any] | None
    proxy: dict[str, Any]
    webhook_url: str | None
    created_at: str
    updated_at: str
    version: int
    last_run: dict[str, Any] | None


class Scraper(_StoredScraper, total=False):
    """A stored scraper."""

    inputs: list[dict[str, str]]
    inputs_from: dict[str, Any]
    load_images: bool
    user_agent: str
    clock: Literal["page", "real"]
    engine: Literal["browser", "http", "auto"]
    concurrency: int
    respect_robots: bool
    session: dict[str, Any]
    headers: dict[str, str]
    cookies: list[dict[str, Any]]
    http_credentials: dict[str, Any]
    accept_status: list[int]
    only_new: bool
    stop_after_known_pages: int
    expect: dict[str, Any]
    deliveries: list[dict[str, Any]]


class Account(TypedDict):
    """The account of an API key."""

    id: str
    name: str
    credits: dict[str, Any]
    storage: dict[str, int]
    running: int | None
    access: dict[str, str | None]
    rate_limit: dict[str, int]
    limits: dict[str, int]
    features: list[str]
    version: str
