/**
 * Dates, sizes and choices in words. Created when needed, as plurals are: a browser that lacks one of them loses the texts
 * that need it, not the page.
 */
export function createTaskFormats(locale: string) {
  const sizeIn = (unit: 'kilobyte' | 'megabyte', count: number): string =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, maximumSignificantDigits: 2 }).format(count)
  return {
    /** `2026-05-17` in words. */
    inWords: (date: string): string =>
      new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(
        new Date(`${date}T00:00:00Z`),
      ),
    size: (bytes: number): string =>
      bytes < 1_000_000 ? sizeIn('kilobyte', bytes / 1_000) : sizeIn('megabyte', bytes / 1_000_000),
    anyOf: (names: readonly string[]): string =>
      new Intl.ListFormat(locale, { type: 'disjunction' }).format(names),
  }
}
