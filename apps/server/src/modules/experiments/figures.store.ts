export interface FigureStore {
  /**
   * Brings what has changed into the tables of figures, a limited number of changes at a time, and forgets what nobody
   * asks for any more. True if there is more to do.
   */
  fold(now: number): Promise<boolean>
  /** Counts some of the events that were stored without being counted. True if there are more. */
  countMissed(now: number): Promise<boolean>
}
