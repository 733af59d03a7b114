"""Reads the files with pandas and compares them with expected.json."""

import json
import sys

import pandas
from openpyxl.utils.escape import unescape

with open("expected.json", encoding="utf-8") as file:
    expected = pandas.DataFrame(json.load(file), dtype=str)


def read(path):
    if path.endswith(".xlsx"):
        # openpyxl leaves the escapes of ECMA-376 (22.9.2.19) in inline strings, which spreadsheets resolve.
        read = pandas.read_excel(path, keep_default_na=False)
        if path == "rows.xlsx":
            assert [str(kind) for kind in read.dtypes[-2:]] == ["float64", "datetime64[us]"], read.dtypes
            read["day"] = read["day"].dt.strftime("%Y-%m-%d")
        return read.astype(str).map(unescape)
    if path.endswith(".jsonl"):
        with open(path, encoding="utf-8") as file:
            return pandas.DataFrame([json.loads(line) for line in file], dtype=str)
    if path.endswith(".json"):
        with open(path, encoding="utf-8") as file:
            return pandas.DataFrame(json.load(file), dtype=str)
    return pandas.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")


failed = False
for path in sys.argv[1:]:
    actual = read(path)
    wanted = expected
    # LibreOffice reads each kind of line break in a CSV file as the same one.
    if path == "libreoffice/csv.csv":
        wanted = expected.map(lambda value: value.replace("\r", "\n"))
    same = list(actual.columns) == list(wanted.columns) and actual.shape == wanted.shape
    if same:
        differences = (actual.to_numpy() != wanted.to_numpy()).nonzero()
        same = len(differences[0]) == 0
    print(f"{path}: {len(actual)} rows, {'equal' if same else 'DIFFERENT'}")
    if not same:
        failed = True
        print("  columns:", list(actual.columns), "shape:", actual.shape)
        for row, column in list(zip(*differences))[:8] if actual.shape == wanted.shape else []:
            print(f"  row {row}: {actual.iat[row, column][:60]!r} in place of {wanted.iat[row, column][:60]!r}")
sys.exit(1 if failed else 0)
