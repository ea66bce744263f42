# Reads every table of a folder with pandas, as the codebook beside them says, and prints a JSON object for each row.
import json, pathlib, sys

import pandas

folder = pathlib.Path(sys.argv[1])
plain = {"keep_default_na": False, "na_values": [""], "encoding": "utf-8"}
codebook = pandas.read_csv(folder / "codebook.csv", dtype=str, **plain)
dtypes = {"text": str, "json": str, "whole": "Int64", "number": "float64", "flag": "boolean", "time": str}


def cell(value, kind):
    if pandas.isna(value):
        return None
    if kind == "json":
        return json.loads(value)
    if kind == "text":
        return value[1:] if value.startswith("'") else value
    if kind == "time":
        return pandas.Timestamp(value).value // 1_000_000
    return value.item() if hasattr(value, "item") else value


for table in sys.argv[2:]:
    described = codebook[codebook["table"] == table].drop_duplicates("variable")
    kinds = dict(zip(described["variable"], described["type"]))
    read = pandas.read_csv(
        folder / f"{table}.csv",
        dtype={name: dtypes[kind] for name, kind in kinds.items()},
        float_precision="round_trip",
        **plain,
    )
    for row in read.to_dict("records"):
        cells = {name: cell(value, kinds[name]) for name, value in row.items()}
        print(json.dumps({"table": table, "cells": cells}))
