import type { AgentOutcome, AgentTurnRecord } from '@atrium/contract'
import type { ExportPage, ExportSource } from '../events/index.ts'
import type { ActivityWindow } from '../experiments/index.ts'

/** A position among calls, in the order in which the models were asked. */
export interface CallPosition {
  askedAt: number
  callId: string
}

export interface ExportedCalls {
  experimentId: string
  /** Only this room of it; null for all. */
  roomId: string | null
  source: ExportSource
  /** Asked then or later; from the first when absent. Likewise below. */
  askedFrom?: number | null
  askedBefore?: number | null
  /** Of the room. */
  revision?: number | null
}

interface CallListing {
  roomId: string
  /** Only calls before this one, which are older. */
  before: CallPosition | null
  limit: number
}

/** Whose calls are counted: of an experiment by agent, or of a credential as one. */
export type CountedCalls =
  | { kind: 'experiment'; experimentId: string; source: ExportSource }
  | { kind: 'credential'; credentialId: string }

/** Calls of one agent with one outcome in one bucket. Empty ones are left out. */
export interface CallCount {
  /** Empty for a credential, here and below. */
  agentId: string
  bucket: number
  outcome: AgentOutcome
  calls: number
  promptTokens: number
  completionTokens: number
  money: number
}

export interface CallLatency {
  agentId: string
  /** Null for the whole window. */
  bucket: number | null
  p50: number
  p95: number
}

export interface CallError {
  agentId: string
  at: number
  outcome: AgentOutcome
  message: string
}

/** Of the newest `maxCallsCounted` calls in a window. */
export interface CallSums {
  counts: CallCount[]
  latencies: CallLatency[]
  /** The newest of each agent that had one. */
  errors: CallError[]
}

/** R45: reads what was asked of models. Rooms write it, with the actions that came of it. */
export interface AgentTurnStore {
  exportPage(calls: ExportedCalls, after: CallPosition | null): Promise<ExportPage<CallPosition>>
  /** Newest first. Fewer than asked for when they are large; at least one if there is any. */
  ofRoom(listing: CallListing): Promise<{ turns: AgentTurnRecord[]; isLast: boolean }>
  sums(calls: CountedCalls, window: ActivityWindow): Promise<CallSums>
}
