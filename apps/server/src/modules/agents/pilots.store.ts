import type { Agent, PilotBody } from '@atrium/contract'
import type { AgentSeat } from '../rooms/index.ts'

export interface NewPilot {
  pilotId: string
  experimentId: string
  revision: number
  /** In the order in which they begin. */
  roomIds: string[]
  personas: Agent[]
  /** Seats that people would have. */
  seats: AgentSeat[]
  agentsPerRoom: number
  budget: NonNullable<PilotBody['budget']> | null
  podId: string
  now: number
}

/** A cursor into the list of an experiment's pilots. */
interface PilotCursor {
  createdAt: number
  pilotId: string
}

export interface StoredPilot extends PilotCursor {
  revision: number
  agentsPerRoom: number
  budget: NonNullable<PilotBody['budget']> | null
  rooms: PilotRoom[]
}

interface PilotRoom {
  roomId: string
  /** Whether an instance plays it. A pilot does not rest, so until then it waits. */
  isHeld: boolean
  closedAt: number | null
  endReason: string | null
}

/** `too_many`: so many rooms of pilots of the experiment, or of its owner, have not ended yet that these would be too many. */
export type PilotCreation = 'created' | 'too_many'

/** Pilots: rooms in which agents have every seat. */
export interface PilotStore {
  /** The rooms wait, held by nobody, until an instance opens them. */
  create(pilot: NewPilot): Promise<PilotCreation>
  /** Rooms that wait to be opened, the oldest first. */
  waiting(limit: number): Promise<string[]>
  /** Newest first. */
  list(listing: { experimentId: string; before: PilotCursor | null; limit: number }): Promise<StoredPilot[]>
}
