"""Files and data frames made from rows."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from ._models import Row

if TYPE_CHECKING:
    import pandas

FORMATS = ("csv", "json", "jsonl", "xlsx")


def format_of(path: str | os.PathLike[str]) -> str:
    """The format of the rows in a file, by the end of its name."""
    ending = Path(path).suffix.removeprefix(".").lower()
    if ending not in FORMATS:
        raise ValueError(f"The name of {path} has to end in one of: {', '.join('.' + one for one in FORMATS)}.")
    return ending


@contextmanager
def new_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Writes a file as a whole. If that fails, a file of this name stays as it was."""
    part = Path(f"{os.fspath(path)}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def frame_of(rows: list[Row]) -> pandas.DataFrame:
    try:
        import pandas
    except ImportError as error:
        raise ImportError('Data frames need pandas: pip install "gleaner-client[pandas]"') from error
    return pandas.DataFrame(rows)
