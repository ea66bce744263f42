import { type LoadedTable, quoted } from './loaded-tables.ts'
import type { PlotFacts } from './plot-facts.ts'

/** `analysis.py`: needs pandas alone; with matplotlib it draws as well. */
export const pythonScript = (tables: readonly LoadedTable[], facts: PlotFacts): string =>
  [
    head,
    'TABLES = {',
    ...tables.flatMap(tableLines),
    '}',
    `RESPONSE_TIME = ${quoted(facts.responseTime)}`,
    `RESPONSE_TIME_BOUNDS_MS = [${facts.responseTimeBoundsMs.join(', ')}]`,
    `WAIT_BOUNDS_MS = [${facts.waitBoundsMs.join(', ')}]`,
    body,
  ].join('\n')

const tableLines = ({ name, path, columns }: LoadedTable): string[] => [
  `    ${quoted(name)}: (`,
  `        ${quoted(path)},`,
  '        {',
  ...columns.map(
    (column) =>
      `            ${quoted(column.name)}: (${quoted(column.type)}, [${column.categories.map(quoted).join(', ')}]),`,
  ),
  '        },',
  '    ),',
]

const head = `"""Loads every table of this archive with the types of its columns, and makes the plots of the console from them.

Run it with \`python3 analysis/analysis.py\`, or import \`tables\` from it. It needs pandas. The numbers of each plot are
written to results/python; with matplotlib, plots.pdf is drawn there as well.
"""

import json
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "results" / "python"

# The type of each column, and the values that are known in advance.`

const body = `

def typed(cells, kind, categories):
    if kind in ("whole", "number"):
        numbers = pd.to_numeric(cells)
        return numbers.astype("Int64") if kind == "whole" else numbers.astype("float64")
    if kind == "flag":
        return cells.map({"true": True, "false": False}).astype("boolean")
    if kind == "time":
        return pd.to_datetime(cells, utc=True)
    if kind == "json":
        return cells.map(json.loads, na_action="ignore").astype(object)
    # The apostrophe keeps spreadsheets from executing a text.
    texts = cells.str.replace("^'", "", regex=True)
    if not categories:
        return texts
    others = [value for value in texts.dropna().unique() if value not in categories]
    return pd.Series(pd.Categorical(texts, categories=[*categories, *others]), index=cells.index)


def load(name):
    path, columns = TABLES[name]
    read = pd.read_csv(
        ROOT / path, dtype=str, keep_default_na=False, na_values=[""], encoding="utf-8-sig"
    )
    return pd.DataFrame(
        {column: typed(read[column].astype(object), *how) for column, how in columns.items()}
    )


tables = {name: load(name) for name in TABLES}


def people():
    participants = tables["participants"]
    return participants[participants["agent"].isna()]


def completion():
    """When people joined and completed, by the hour, or by the day in studies of more than a week."""
    joined, completed = people()["joined_at"], people()["completed_at"].dropna()
    if joined.empty:
        return pd.DataFrame({"at": [], "joined": [], "completed": []})
    latest = max([joined.max(), *completed])
    step = "86400s" if latest - joined.min().floor("86400s") > pd.Timedelta(days=7) else "3600s"
    at = pd.date_range(joined.min().floor(step), latest.floor(step), freq=step)
    count = lambda times: times.dt.floor(step).value_counts().reindex(at, fill_value=0).to_numpy()
    return pd.DataFrame(
        {"at": at.strftime("%Y-%m-%dT%H:%M:%SZ"), "joined": count(joined), "completed": count(completed)}
    )


def outcomes():
    """How participations ended; empty for those that have not."""
    found = people()["outcome"].astype(object)
    counts = found.dropna().value_counts()
    rows = [*counts[counts > 0].items(), *([("", found.isna().sum())] if found.isna().any() else [])]
    return pd.DataFrame(rows, columns=["outcome", "people"])


def as_rooms_record(rows, keys):
    """What pages reported counts only where no room recorded the same."""
    if rows.empty:
        return rows
    has_room = rows["origin"].eq("room").groupby([rows[key] for key in keys]).transform("any")
    return rows[rows["origin"].eq("room") | ~has_room]


def states():
    """How often people came into each state, went on from it, or ended there."""
    events = tables["events"]
    events = events[events["agent"].isna() & events["flags"].map(len).eq(0)]
    rows = []
    for event in events.to_dict("records"):
        kind, data, origin = event["type"], event["data"], event["origin"]
        if kind == "state_transition":
            rows.append(("entered", origin, data.get("toState", event["state_id"])))
            rows.append(("went_on", origin, data.get("fromState")))
        elif kind in ("finished", "left", "removed") and origin == "room":
            ended = "went_on" if pd.isna(event["visit"]) else "stopped"
            # Somebody who vanished went on with the room.
            rows.append((ended, origin, data.get("endedIn") or data.get("fromState")))
    found = pd.DataFrame(rows, columns=["kind", "origin", "state_id"]).dropna(subset=["state_id"])
    found = as_rooms_record(found, ["state_id"])
    counts = found.groupby(["state_id", "kind"], sort=False).size().unstack(fill_value=0)
    counts = counts.reindex(columns=["entered", "went_on", "stopped"], fill_value=0)
    return counts[counts["entered"] > 0].rename_axis(None, axis=1).reset_index()


def histogram(milliseconds, bounds):
    edges = [float("-inf"), *bounds, float("inf")]
    counts = pd.cut(milliseconds.astype("float64"), edges, right=False).value_counts(sort=False)
    return pd.DataFrame({"below_ms": [*map(str, bounds), ""], "count": counts.to_numpy()})


def response_times():
    """How long answers took, by component."""
    found = tables["responses"]
    plotted = found["flags"].map(lambda flags: set(flags) <= {"implausible_time"})
    found = found[found["agent"].isna() & plotted & found[RESPONSE_TIME].notna()]
    found = found.assign(**{key: found[key].astype(object).fillna("") for key in ("state_id", "component_id")})
    found = as_rooms_record(found, ["state_id", "component_id"])
    parts = [
        histogram(rows[RESPONSE_TIME], RESPONSE_TIME_BOUNDS_MS).assign(state_id=state, component_id=component)
        for (state, component), rows in found.groupby(["state_id", "component_id"], sort=False)
    ]
    columns = ["state_id", "component_id", "below_ms", "count"]
    return pd.concat(parts)[columns] if parts else pd.DataFrame(columns=columns)


def waiting():
    """From joining to the first state in a room."""
    entered = tables["states"]
    first = entered[entered["origin"].eq("room")].groupby("participant_id")["entered_at"].min()
    waits = people().set_index("participant_id")["joined_at"].rsub(first).dropna()
    return histogram(waits.dt.total_seconds() * 1000, WAIT_BOUNDS_MS)


figures = {
    "completion": completion(),
    "outcomes": outcomes(),
    "states": states(),
    "response_times": response_times(),
    "waiting": waiting(),
}


def draw():
    try:
        import matplotlib
    except ImportError:
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.backends.backend_pdf import PdfPages

    with PdfPages(RESULTS / "plots.pdf") as pages:
        for name, x in [("completion", "at"), ("outcomes", "outcome"), ("states", "state_id"), ("waiting", "below_ms")]:
            figure = figures[name]
            if figure.empty:
                continue
            bars = figure.set_index(x).plot.bar(title=name.capitalize())
            bars.figure.tight_layout()
            pages.savefig(bars.figure)
            pyplot.close(bars.figure)
        for (state, component), rows in figures["response_times"].groupby(["state_id", "component_id"], sort=False):
            bars = rows.plot.bar(x="below_ms", y="count", legend=False, title=f"{component} in {state}: response time")
            bars.figure.tight_layout()
            pages.savefig(bars.figure)
            pyplot.close(bars.figure)


if __name__ == "__main__":
    RESULTS.mkdir(parents=True, exist_ok=True)
    for name, figure in figures.items():
        figure.to_csv(RESULTS / f"{name}.csv", index=False)
    draw()
    for name, table in tables.items():
        print(f"{name}: {len(table)} rows, {len(table.columns)} columns")
`
