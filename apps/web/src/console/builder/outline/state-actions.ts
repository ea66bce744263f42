/** What can be done with a state in the outline. The same object for as long as the builder is open. */
export interface StateActions {
  add: (at: number) => void
  duplicate: (at: number) => void
  remove: (at: number) => void
  move: (from: number, to: number) => void
}
