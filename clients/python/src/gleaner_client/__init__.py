"""Client of Gleaner, the open-source web-scraping service."""

from ._async import AsyncClient
from ._errors import ApiError, ConnectionFailed, GleanerError, RunFailed, WaitTimeout
from ._models import (
    Account,
    Batch,
    BatchInput,
    Changes,
    Json,
    Row,
    RowChange,
    Run,
    RunError,
    RunWarning,
    Scraper,
    StepOverride,
)
from ._sync import Client

__all__ = [
    "Account",
    "ApiError",
    "AsyncClient",
    "Batch",
    "BatchInput",
    "Changes",
    "Client",
    "ConnectionFailed",
    "GleanerError",
    "Json",
    "Row",
    "RowChange",
    "Run",
    "RunError",
    "RunFailed",
    "RunWarning",
    "Scraper",
    "StepOverride",
    "WaitTimeout",
]
