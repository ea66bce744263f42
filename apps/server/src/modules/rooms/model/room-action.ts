import type { Leave, Ready, SendMessage, SubmitResponse } from '@atrium/contract'
import type { AgentSeat, Member } from '../rooms.store.ts'

interface By {
  /** The researcher, for the audit. */
  by: string
}

interface Who {
  participantId: string
}

/** Everything that can happen to a room. The log holds these, with the time of each. */
export type RoomAction =
  /** `agents` is absent in logs of before there were any. */
  | { type: 'opened'; members: Member[]; agents?: AgentSeat[]; seed: string; ordinal: number }
  | ({ type: 'connected' } & Who)
  | ({ type: 'disconnected' } & Who)
  /** The process that held the sockets is gone: everyone is away until they are back. */
  | { type: 'restored' }
  | ({ type: 'submit_response' } & Who & SubmitResponse)
  | ({ type: 'send_message' } & Who & SendMessage)
  | ({ type: 'ready' } & Who & Ready)
  | ({ type: 'leave' } & Who & Leave)
  /** A deadline has come. */
  | { type: 'tick' }
  /** They have completed over HTTP: whatever the room still had for them, they do not come back. */
  | ({ type: 'completed'; outcome: string } & Who)
  | ({ type: 'advance' } & By)
  | ({ type: 'pause'; reason: string } & By)
  | ({ type: 'resume' } & By)
  | ({ type: 'end'; reason: string } & By)
  | ({ type: 'announce'; text: string; to: string | null } & By)
  | ({ type: 'remove'; participantId: string; outcome: string } & By)

export type ParticipantAction = Extract<RoomAction, { actionId: string }>
