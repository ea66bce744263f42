import { Type } from 'typebox'
import { answerTiming, clientMoment } from '../client-clock.ts'
import { errorCodes } from '../errors.ts'
import { limits } from '../limits.ts'
import { SessionId, SessionToken } from '../session.ts'
import { jsonBytesOf, Name, Prose } from '../text.ts'

const shared = {
  actionId: Name(128, 'Chosen by the client; repeating an action under the same id is safe'),
}

const Visit = Type.Integer({
  minimum: 0,
  maximum: 2_147_483_647,
  description: 'The visit, as in the state shown; tells a late repeat from an answer in the next round',
})

/** The nesting depth has been checked before this runs, so writing the value as JSON is safe. */
const ResponseValue = Type.Refine(
  Type.Unknown({
    description: `A response that the component type accepts; at most ${limits.responseBytes} bytes as JSON`,
  }),
  (value) => jsonBytesOf(value) <= limits.responseBytes,
  () => `must be at most ${limits.responseBytes} bytes as JSON`,
)

/** Why somebody cannot answer a component that is shown to them. */
export const unanswerableReasons = ['not_loaded'] as const
export type UnanswerableReason = (typeof unanswerableReasons)[number]

/** A room's log keeps each action as it arrived, so unknown properties are refused rather than stored. */
const action = <Fields extends Type.TProperties>(fields: Fields) =>
  Type.Object({ ...shared, ...fields }, { additionalProperties: false })

/**
 * R26: what a participant may do in a room. The name is the socket event. From an entry follow the parser of the socket,
 * the action in the room's log, and the entries that the server's rules and the client must have to compile.
 */
export const roomActions = {
  submit_response: action({
    componentId: Name(200, 'The component being answered'),
    value: ResponseValue,
    stateId: Type.Optional(Name(200, 'The state in which it was answered; refused if the room has moved on')),
    visit: Type.Optional(Visit),
    ...answerTiming,
    ...clientMoment,
  }),
  send_message: action({
    text: Prose(4_000, 'The text of the message'),
    componentId: Type.Optional(Name(200, 'The chat; may be absent when there is only one')),
    ...clientMoment,
  }),
  ready: action({
    stateId: Type.Optional(Name(200, 'The state that the participant has finished')),
    visit: Type.Optional(Visit),
    ...clientMoment,
  }),
  cannot_answer: action({
    componentId: Name(200, 'The component that cannot be answered'),
    reason: Type.Enum(unanswerableReasons, {
      description: '`not_loaded`: the picture that it asks about did not load, also when it was tried again',
    }),
    stateId: Type.Optional(Name(200, 'The state in which this happened; refused if the room has moved on')),
    visit: Type.Optional(Visit),
    ...clientMoment,
  }),
  leave: action({
    reason: Type.Optional(Name(200, 'The reason, in the participant’s words')),
  }),
} as const

export type RoomActionName = keyof typeof roomActions
export type RoomActionPayload<Name extends RoomActionName> = Type.Static<(typeof roomActions)[Name]>

/** Every action is acknowledged: stored, or refused with a reason. */
export const RoomAck = Type.Union([
  Type.Object({ ok: Type.Literal(true), seq: Type.Integer({ minimum: 0 }) }),
  Type.Object({
    ok: Type.Literal(false),
    error: Type.Object({ code: Type.Enum(errorCodes), message: Type.String() }),
  }),
])
export type RoomAck = Type.Static<typeof RoomAck>

/** R24: what a socket presents. The token is required here, because a socket is authenticated only once. */
export const SocketAuth = Type.Object({ sessionId: SessionId, sessionToken: SessionToken })
export type SocketAuth = Type.Static<typeof SocketAuth>
