import { type LoadedTable, quoted } from './loaded-tables.ts'
import type { PlotFacts } from './plot-facts.ts'

/** `analysis.R`: base R alone; jsonlite reads JSON where it is installed. */
export const rScript = (tables: readonly LoadedTable[], facts: PlotFacts): string =>
  [
    head,
    'described <- list(',
    tables.map(tableText).join(',\n'),
    ')',
    `response_time <- ${quoted(facts.responseTime)}`,
    `response_time_bounds_ms <- c(${facts.responseTimeBoundsMs.join(', ')})`,
    `wait_bounds_ms <- c(${facts.waitBoundsMs.join(', ')})`,
    body,
  ].join('\n')

function tableText({ name, path, columns }: LoadedTable): string {
  const listed = columns.filter(({ categories }) => categories.length > 0)
  const types = columns.map((column) => `      ${quoted(column.name)} = ${quoted(column.type)}`)
  const categories = listed.map(
    (column) => `      ${quoted(column.name)} = c(${column.categories.map(quoted).join(', ')})`,
  )
  return [
    `  ${quoted(name)} = list(`,
    `    path = ${quoted(path)},`,
    `    columns = c(\n${types.join(',\n')}\n    ),`,
    `    categories = list(${categories.length === 0 ? '' : `\n${categories.join(',\n')}\n    `})`,
    '  )',
  ].join('\n')
}

const head = `# Loads every table of this archive with the types of its columns, and makes the plots of the console from them.
#
# Run it with "Rscript analysis/analysis.R", or source() it with this folder as the working directory; the tables are in
# the list "tables". It needs nothing but base R. The numbers of each plot are written to results/r, beside plots.pdf.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
root <- if (length(script) == 1) {
  dirname(dirname(normalizePath(script)))
} else if (basename(getwd()) == "analysis") {
  dirname(getwd())
} else {
  getwd()
}

# The type of each column, and the values that are known in advance.`

const body = String.raw`
parse_json <- if (requireNamespace("jsonlite", quietly = TRUE)) {
  function(cells) lapply(cells, function(cell) if (is.na(cell)) NULL else jsonlite::fromJSON(cell, simplifyVector = FALSE))
} else {
  identity
}

typed <- function(cells, type, categories) {
  switch(type,
    text = {
      # The apostrophe keeps spreadsheets from executing a text.
      texts <- sub("^'", "", cells)
      if (is.null(categories)) texts else factor(texts, levels = unique(c(categories, texts[!is.na(texts)])))
    },
    whole = ,
    number = as.numeric(cells),
    flag = cells == "true",
    time = as.POSIXct(cells, format = "%Y-%m-%dT%H:%M:%OSZ", tz = "UTC"),
    cells
  )
}

# Files for spreadsheets begin with a mark that R would take for a part of the first name.
without_mark <- function(path) {
  bytes <- readBin(path, "raw", 3)
  if (!identical(bytes, as.raw(c(0xef, 0xbb, 0xbf)))) return(path)
  copy <- tempfile(fileext = ".csv")
  writeBin(readBin(path, "raw", file.size(path))[-(1:3)], copy)
  copy
}

load_table <- function(name) {
  how <- described[[name]]
  path <- without_mark(file.path(root, how$path))
  table <- read.csv(path, encoding = "UTF-8", colClasses = "character", na.strings = "", check.names = FALSE)
  for (column in names(how$columns)) {
    table[[column]] <- typed(table[[column]], how$columns[[column]], how$categories[[column]])
  }
  table
}

tables <- lapply(setNames(names(described), names(described)), load_table)
people <- tables$participants[is.na(tables$participants$agent), ]

# Columns of type json are texts in the tables; json("responses", "value") parses one if jsonlite is installed.
json <- function(table, column) parse_json(tables[[table]][[column]])

# A field of JSON whose value is a text.
field <- function(data, name) {
  found <- regmatches(data, regexec(paste0('"', name, '"\\s*:\\s*"([^"\\\\]*)"'), data))
  vapply(found, function(one) if (length(one) == 2) one[2] else NA_character_, "")
}

# What pages reported counts only where no room recorded the same.
as_rooms_record <- function(rows, key) {
  of_rooms <- unique(key[rows$origin == "room"])
  rows[rows$origin == "room" | !(key %in% of_rooms), ]
}

# When people joined and completed, by the hour, or by the day in studies of more than a week.
completion <- function() {
  joined <- as.numeric(people$joined_at)
  completed <- as.numeric(na.omit(people$completed_at))
  if (length(joined) == 0) return(data.frame(at = character(), joined = integer(), completed = integer()))
  latest <- max(joined, completed)
  day <- 86400
  step <- if (latest - floor(min(joined) / day) * day > 7 * day) day else 3600
  start <- function(times) floor(times / step)
  steps <- seq(start(min(joined)), start(latest))
  count <- function(times) tabulate(match(start(times), steps), length(steps))
  at <- as.POSIXct(steps * step, origin = "1970-01-01", tz = "UTC")
  data.frame(at = format(at, "%Y-%m-%dT%H:%M:%SZ"), joined = count(joined), completed = count(completed))
}

# How participations ended; empty for those that have not.
outcomes <- function() {
  found <- as.character(people$outcome)
  counts <- sort(table(found), decreasing = TRUE)
  open <- sum(is.na(found))
  data.frame(
    outcome = c(names(counts), if (open > 0) ""),
    people = c(as.integer(counts), if (open > 0) open)
  )
}

# How often people came into each state, went on from it, or ended there.
states <- function() {
  events <- tables$events
  events <- events[is.na(events$agent) & events$flags == "[]", ]
  moves <- events[events$type == "state_transition", ]
  ends <- events[events$type %in% c("finished", "left", "removed") & events$origin == "room", ]
  rows_of <- function(kind, rows, state) {
    data.frame(kind = rep(kind, length.out = nrow(rows)), origin = as.character(rows$origin), state_id = state)
  }
  to <- field(moves$data, "toState")
  to[is.na(to)] <- as.character(moves$state_id)[is.na(to)]
  # Somebody who vanished went on with the room.
  from <- field(ends$data, "endedIn")
  from[is.na(from)] <- field(ends$data, "fromState")[is.na(from)]
  found <- rbind(
    rows_of("entered", moves, to),
    rows_of("went_on", moves, field(moves$data, "fromState")),
    rows_of(ifelse(is.na(ends$visit), "went_on", "stopped"), ends, from)
  )
  found <- found[!is.na(found$state_id), ]
  found <- as_rooms_record(found, found$state_id)
  ids <- unique(found$state_id)
  count <- function(kind) vapply(ids, function(id) sum(found$kind == kind & found$state_id == id), 0L, USE.NAMES = FALSE)
  counts <- data.frame(state_id = ids, entered = count("entered"), went_on = count("went_on"), stopped = count("stopped"))
  counts[counts$entered > 0, ]
}

histogram <- function(milliseconds, bounds) {
  counts <- tabulate(findInterval(milliseconds, bounds) + 1, length(bounds) + 1)
  data.frame(below_ms = c(format(bounds, scientific = FALSE, trim = TRUE), ""), count = counts)
}

# How long answers took, by component.
response_times <- function() {
  found <- tables$responses
  plotted <- found$flags %in% c("[]", '["implausible_time"]')
  found <- found[is.na(found$agent) & plotted & !is.na(found[[response_time]]), ]
  text_of <- function(cells) ifelse(is.na(cells), "", as.character(cells))
  found$state_id <- text_of(found$state_id)
  found$component_id <- text_of(found$component_id)
  found <- as_rooms_record(found, paste(found$state_id, found$component_id, sep = "\n"))
  places <- unique(found[c("state_id", "component_id")])
  parts <- lapply(seq_len(nrow(places)), function(row) {
    place <- places[row, ]
    here <- found$state_id == place$state_id & found$component_id == place$component_id
    data.frame(
      state_id = place$state_id, component_id = place$component_id,
      histogram(found[[response_time]][here], response_time_bounds_ms)
    )
  })
  if (length(parts) == 0) return(data.frame(state_id = character(), component_id = character(), below_ms = character(), count = integer()))
  do.call(rbind, parts)
}

# From joining to the first state in a room.
waiting <- function() {
  entered <- tables$states[tables$states$origin == "room", ]
  first <- tapply(as.numeric(entered$entered_at), as.character(entered$participant_id), min)
  waits <- first[match(as.character(people$participant_id), names(first))] - as.numeric(people$joined_at)
  # Times have whole milliseconds.
  histogram(round(1000 * as.numeric(waits[!is.na(waits)])), wait_bounds_ms)
}

figures <- list(
  completion = completion(), outcomes = outcomes(), states = states(),
  response_times = response_times(), waiting = waiting()
)

results <- file.path(root, "results", "r")
dir.create(results, recursive = TRUE, showWarnings = FALSE)
for (name in names(figures)) {
  write.csv(figures[[name]], file.path(results, paste0(name, ".csv")), row.names = FALSE, fileEncoding = "UTF-8")
}

bars <- function(heights, labels, title) {
  if (length(labels) == 0) return(invisible())
  legend_text <- if (is.matrix(heights)) rownames(heights) else NULL
  barplot(heights, names.arg = labels, beside = TRUE, las = 2, cex.names = 0.6, main = title, legend.text = legend_text)
}
pdf(file.path(results, "plots.pdf"))
with(figures$completion, bars(rbind(joined, completed), at, "Completion"))
with(figures$outcomes, bars(people, ifelse(outcome == "", "(none)", outcome), "Outcomes"))
with(figures$states, bars(rbind(entered, went_on, stopped), state_id, "States"))
with(figures$waiting, bars(count, below_ms, "Waiting, up to so many milliseconds"))
for (place in split(figures$response_times, with(figures$response_times, paste(state_id, component_id, sep = "\n")))) {
  bars(place$count, place$below_ms, paste0(place$component_id[1], " in ", place$state_id[1], ": response time"))
}
invisible(dev.off())
for (name in names(tables)) cat(name, ": ", nrow(tables[[name]]), " rows, ", ncol(tables[[name]]), " columns\n", sep = "")
`
