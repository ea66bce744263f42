/** How long the router waits for others. */
export interface Limits {
  connectMs: number
  /** From the end of a request to the head of its answer; also the longest silence within a body, either way. */
  answerMs: number
  upgradeMs: number
  /** From when a backend was seen last until what is still under way to it is given up: a pod may take so long to stop. */
  goneMs: number
  /** From the signal to stop until what is still open is cut. */
  stopMs: number
}

export const usualLimits: Limits = {
  connectMs: 2_000,
  answerMs: 65_000,
  upgradeMs: 5_000,
  goneMs: 20_000,
  stopMs: 10_000,
}
