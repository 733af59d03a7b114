"""The exceptions of the client."""

from __future__ import annotations

from ._models import Run


class GleanerError(Exception):
    """Any failure that the client reports."""


class ApiError(GleanerError):
    """The service responded with an error."""

    def __init__(self, status: int, message: str, errors: list[dict[str, str]], request_id: str | None) -> None:
        super().__init__(message)
        #: The HTTP status, such as 404.
        self.status = status
        self.message = message
        #: The `path` and `message` of each error in an invalid request.
        self.errors = errors
        #: Quote it if you report a fault of the service.
        self.request_id = request_id


class ConnectionFailed(GleanerError):
    """The service could not be reached, or its response broke off, also after repetitions."""


class RunFailed(GleanerError):
    """A run that was waited for has failed. It keeps the rows that it got."""

    def __init__(self, run: Run) -> None:
        error = run["error"]
        self.run = run
        #: The code of the failure, such as `element_not_found`.
        self.code = error["code"] if error else "unknown"
        self.message = error["message"] if error else f"The run {run['id']} has failed."
        #: The index of the step that failed, or None.
        self.step = error["step"] if error else None
        super().__init__(f"{self.code}: {self.message}")


class WaitTimeout(GleanerError, TimeoutError):
    """A run or a batch did not finish in the time that the caller gave it. It continues."""
