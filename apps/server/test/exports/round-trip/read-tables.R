# Reads every table of a folder with base R, as the codebook beside them says, and prints a line for each row: the table and
# its cells, in hexadecimal, because base R writes no JSON.
arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]
read_table <- function(name) {
  path <- file.path(folder, paste0(name, ".csv"))
  read.csv(path, encoding = "UTF-8", colClasses = "character", na.strings = "", check.names = FALSE)
}
codebook <- read_table("codebook")

as_type <- function(cells, type) {
  switch(type,
    text = sub("^'", "", cells),
    whole = ,
    number = sprintf("%.17g", as.numeric(cells)),
    flag = ifelse(cells == "true", "true", "false"),
    time = sprintf("%.0f", 1000 * as.numeric(as.POSIXct(cells, format = "%Y-%m-%dT%H:%M:%OSZ", tz = "UTC"))),
    cells
  )
}
in_hexadecimal <- function(cell) if (is.na(cell)) "NA" else paste0("x", paste(charToRaw(enc2utf8(cell)), collapse = ""))

for (name in arguments[-1]) {
  table <- read_table(name)
  described <- codebook[codebook$table == name, ]
  types <- described$type[match(names(table), described$variable)]
  columns <- Map(function(cells, type) ifelse(is.na(cells), NA, as_type(cells, type)), table, types)
  cat(name, "columns", vapply(names(table), in_hexadecimal, ""), sep = " ", fill = FALSE)
  cat("\n")
  for (row in seq_len(nrow(table)))
    cat(name, vapply(columns, function(column) in_hexadecimal(column[row]), ""), "\n", sep = " ")
}
