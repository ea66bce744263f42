/** One place of a definition that an earlier version saved, and that saving refuses now. */
export interface DefinitionChange {
  /** A JSON pointer into the definition as it was. */
  path: string
  /**
   * `removed` and `rewritten` leave what participants see, and what is computed, as it was. `undecided`: nothing was written, and
   * only the author knows what is meant.
   */
  kind: 'removed' | 'rewritten' | 'undecided'
  /** What stood there. */
  before?: unknown
  /** What stands there now. */
  after?: unknown
  /** Why it is refused now, as saving says it. */
  reason: string
  /** What it did in rooms so far, and what to do if more was meant. */
  effect: string
}
