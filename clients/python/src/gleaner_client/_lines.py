"""JSON Lines that come in pieces, from responses that may break off."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import httpx

from ._errors import ConnectionFailed
from ._flows import RETRIES, Call, Flow, field_list, send
from ._models import ChangeKind


class Lines:
    """The objects of a response in JSON Lines. After an interruption, the rest is requested from where it broke off."""

    def __init__(self, path: str, query: dict[str, Any], *, has_offset: bool) -> None:
        self._path = path
        self._query = query
        self._has_offset = has_offset
        #: Set at the end of a response without an interruption.
        self.is_complete = False
        self._is_stable = True
        self._partial = b""
        self._count = 0
        self._interruptions = 0

    @classmethod
    def of_rows(cls, path: str, fields: Sequence[str] | None, offset: int, limit: int | None) -> Lines:
        query = {"fields": field_list(fields), "offset": offset, "limit": limit}
        lines = cls(f"{path}/rows", query, has_offset=True)
        lines.is_complete = limit == 0
        return lines

    @classmethod
    def of_changes(cls, path: str, kinds: Iterable[ChangeKind] | None) -> Lines:
        query = {"kinds": None if kinds is None else ",".join(kinds)}
        return cls(f"{path}/changes", query, has_offset=False)

    def open(self) -> Flow[httpx.Response]:
        """The response from the first object on that has not been returned. Its body has to be fed."""
        query = {**self._query, "format": "jsonl"}
        if self._count:
            query["offset"] = query["offset"] + self._count
            if query["limit"] is not None:
                query["limit"] -= self._count
        self._partial = b""
        response = yield from send(Call("GET", self._path, query, stream=True))
        # While a batch is in progress, rows may come before those that were there already.
        self._is_stable = response.headers.get("gleaner-batch-status") != "running"
        return response

    def feed(self, chunk: bytes) -> list[Any]:
        """The objects that the chunk completes."""
        # Only \n ends a line: values may hold other line separators, which str.splitlines would take for ends.
        *lines, self._partial = (self._partial + chunk).split(b"\n")
        found = [json.loads(line) for line in lines if line]
        self._count += len(found)
        if found:
            self._interruptions = 0
        return found

    def interrupted(self, error: httpx.TransportError) -> None:
        """Raises ConnectionFailed if the rest can't be requested."""
        self._interruptions += 1
        can_resume = self._count == 0 or (self._has_offset and self._is_stable)
        if self._interruptions > RETRIES or not can_resume:
            raise ConnectionFailed(f"{self._path} broke off after {self._count} rows.") from error
        limit = self._query.get("limit")
        self.is_complete = limit is not None and self._count >= limit
