import { type TSchema, Type } from 'typebox'
import { ExportedEvent } from '../event.ts'

export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const event = ExportedEvent.properties

/** R54: on every row. */
export const who = {
  participantId: event.participantId,
  sessionId: event.sessionId,
  revision: event.revision,
  roomId: event.roomId,
  stage: event.stage,
  condition: event.condition,
  role: event.role,
  alias: event.alias,
  agent: event.agent,
}

/** R88: on every row about a moment. */
export const times = {
  serverTime: event.serverTime,
  clientTime: event.clientTime,
  clockOffsetMs: event.clockOffsetMs,
  clockErrorMs: event.clockErrorMs,
}
