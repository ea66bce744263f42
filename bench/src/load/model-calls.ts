/** The calls of agents without the agents: what asking a model costs if nothing is done with the reply. */
export interface ModelCallsOrder {
  /** Ends in `/v1`. */
  baseUrl: string
  apiKey: string
  body: string
  /** Everyone in a group asks at the same time, then all think. */
  groups: number
  groupSize: number
  callsEach: number
  thinkMs: number
  /** The groups begin one after the other within this time. */
  spreadMs: number
}

export interface ModelCallsOutcome {
  ms: number
  latenciesMs: Float64Array
  cpuMicros: number
}
