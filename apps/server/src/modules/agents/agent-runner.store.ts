import type { AgentCall } from '../rooms/index.ts'

export interface AgentRunnerStore {
  /** Calls that led to no action of a room. */
  record(calls: AgentCall[]): Promise<void>
  /** What all rooms of an experiment have used so far, pilots excepted. */
  spent(experimentId: string): Promise<{ calls: number; tokens: number; money: number }>
}
