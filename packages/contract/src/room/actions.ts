import { Type } from 'typebox'
import { errorCodes } from '../errors.ts'
import { Name, Prose } from '../text.ts'

const shared = {
  actionId: Name(128, 'Chosen by the client; an action is safe to repeat under the same id'),
}

const Visit = Type.Integer({
  minimum: 0,
  description: 'The visit of the state, as shown; tells a late repetition from an answer in the next round',
})

/** R26: what a participant may do in a room. The name is the socket event. */
export const roomActions = {
  submit_response: Type.Object({
    ...shared,
    componentId: Name(200, 'The component that is answered'),
    value: Type.Unknown({ description: 'What the component type takes as a response' }),
    stateId: Type.Optional(
      Name(200, 'The state in which it was answered; refused when the room has moved on'),
    ),
    visit: Type.Optional(Visit),
    responseTime: Type.Optional(Type.Number({ minimum: 0, description: 'Milliseconds' })),
    clientTime: Type.Optional(Type.Integer({ minimum: 0, description: 'Epoch milliseconds of the client' })),
  }),
  send_message: Type.Object({
    ...shared,
    text: Prose(4_000, 'What is said'),
    componentId: Type.Optional(Name(200, 'The chat; the only one there is when absent')),
  }),
  ready: Type.Object({
    ...shared,
    stateId: Type.Optional(Name(200, 'The state that the participant is done with')),
    visit: Type.Optional(Visit),
  }),
  leave: Type.Object({
    ...shared,
    reason: Type.Optional(Name(200, 'Why, in the participant’s words')),
  }),
} as const

export type RoomActionName = keyof typeof roomActions
export type SubmitResponse = Type.Static<(typeof roomActions)['submit_response']>
export type SendMessage = Type.Static<(typeof roomActions)['send_message']>
export type Ready = Type.Static<(typeof roomActions)['ready']>
export type Leave = Type.Static<(typeof roomActions)['leave']>

/** Every action is acknowledged: stored, or refused with a reason. */
export const RoomAck = Type.Union([
  Type.Object({ ok: Type.Literal(true), seq: Type.Integer({ minimum: 0 }) }),
  Type.Object({
    ok: Type.Literal(false),
    error: Type.Object({ code: Type.Enum(errorCodes), message: Type.String() }),
  }),
])
export type RoomAck = Type.Static<typeof RoomAck>

/** R24: what a socket presents. The token is required here, because a socket is not asked again. */
export const SocketAuth = Type.Object({
  sessionId: Type.String(),
  sessionToken: Type.String(),
})
export type SocketAuth = Type.Static<typeof SocketAuth>
