const primaryOf = (language: string): string => language.split('-')[0]?.toLowerCase() ?? ''

/**
 * The offered language that a person prefers; the first one if they prefer none of them. An exact match comes before one
 * that differs in its region, for each of their wishes in turn.
 */
export function preferredLanguage(offered: readonly string[], wanted: readonly string[]): string {
  for (const wish of wanted) {
    const exact = offered.find((one) => one.toLowerCase() === wish.toLowerCase())
    const similar = exact ?? offered.find((one) => primaryOf(one) === primaryOf(wish))
    if (similar !== undefined) return similar
  }
  return offered[0] ?? 'en'
}
