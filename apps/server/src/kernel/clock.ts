/** The only source of time. Rules take `now` as an argument; whoever calls them asks a clock. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
