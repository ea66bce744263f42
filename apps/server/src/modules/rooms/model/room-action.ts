import type {
  Agent,
  AgentFallback,
  AnswerSource,
  RoomActionName,
  RoomActionPayload,
  SyncActionName,
  SyncActionPayload,
} from '@atrium/contract'
import type { Assignment } from '@atrium/flow'
import type { AgentSeat, Member } from '../rooms.store.ts'
import type { AgentMove, AgentUse } from './agent-part.ts'
import type { Turn } from './turn.ts'

interface OfParticipant {
  participantId: string
}

interface OfResearcher {
  /** The researcher, for the audit log. */
  by: string
  /** R91: what the participants' records call them. Absent in logs of earlier versions, and where no person acts. */
  researcher?: string
}

/** What the server itself does to a room. */
interface ServerActions {
  /**
   * `agents` is absent in logs written before rooms had agents, `countsAbsence` in those of rooms that were opened before
   * RM96: they are played by the older rule to their end. `assigned` is absent where nothing is, and in rooms that began
   * before RM150.
   */
  opened: {
    members: Member[]
    agents?: AgentSeat[]
    /** Of a pilot: its agents, instead of those in the definition. */
    personas?: Agent[]
    seed: string
    ordinal: number
    countsAbsence?: true
    assigned?: Assignment
    /** Absent in rooms that were opened before RM172: hidden agents sit last there, from the start. */
    blendsAgents?: true
    /** Absent in rooms that were opened before RM181: what hidden agents had begun could be cut short there. */
    finishesTurns?: true
  }
  /** `language` is absent where the experiment has only one. */
  connected: OfParticipant & { language?: string }
  disconnected: OfParticipant
  /** The process that held the sockets is gone: everyone is away until they reconnect. */
  restored: object
  /** A deadline has passed. */
  tick: object
  /** The participant has completed over HTTP and will not come back, whatever the room still had for them. */
  completed: OfParticipant & { outcome: string }
  /** The participant has withdrawn their consent. */
  withdrawn: OfParticipant
  /** RM207: their condition; null when all were full. */
  assigned: OfParticipant & { condition: string | null }
  /** R44: an agent has taken its turn. */
  agent_turn: OfParticipant & AgentTurn
}

export type { AgentMove }

export interface AgentTurn {
  turnId: string
  moves: AgentMove[]
  /** It wants to wait for the others, whether or not it has said something. */
  isWaiting?: true
  /** R88: who made the moves; absent in logs written before this was recorded. */
  source?: AnswerSource
  /** There was no valid reply: this happens instead. */
  fallback?: AgentFallback
  /** Number of messages in the room when it was asked. */
  seenMessages: number
  /** Its reasoning, which it is told again in later turns. */
  note?: string
  used: AgentUse
}

/** What a participant does over their socket: the actions of the contract. */
type ParticipantActions = { [Name in RoomActionName]: OfParticipant & RoomActionPayload<Name> }

/** What they do on `/sync`. */
type SyncActions = { [Name in SyncActionName]: OfParticipant & SyncActionPayload<Name> }

/** What a researcher does over the API. */
interface ResearcherActions {
  advance: OfResearcher
  pause: OfResearcher & { reason: string }
  resume: OfResearcher
  end: OfResearcher & { reason: string }
  announce: OfResearcher & { text: string; to: string | null }
  remove: OfResearcher & { participantId: string; outcome: string }
  /** Asks an agent to act now. */
  prompt: OfResearcher & { participantId: string }
}

export type ServerActionType = keyof ServerActions
export type ResearcherActionType = keyof ResearcherActions

type ActionFields = ServerActions & ParticipantActions & SyncActions & ResearcherActions
export type RoomActionType = keyof ActionFields

/** Everything that can happen to a room. The log holds these, each with its time. */
export type RoomAction<Type extends RoomActionType = RoomActionType> = {
  [Each in Type]: { type: Each } & ActionFields[Each]
}[Type]

/** What each action does to a room. An action without an entry does not compile. */
export type ActionRules<Type extends RoomActionType> = {
  [Each in Type]: (turn: Turn, action: RoomAction<Each>) => void
}

/** The participant who acts, or null when the server or a researcher does. */
export const actorOf = (action: RoomAction): string | null =>
  'participantId' in action && !('by' in action) ? action.participantId : null

/** What the client calls the action, so that it can repeat it; null for everything that nobody repeats. */
export const actionIdOf = (action: RoomAction): string | null =>
  'actionId' in action ? (action.actionId ?? null) : null
