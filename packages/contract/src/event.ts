import { Type } from 'typebox'
import { answerTiming } from './client-clock.ts'
import { DeviceReport } from './paradata.ts'
import { SessionPseudonym } from './session.ts'
import { EpochMs, FreeObject, IsoTime, Name } from './text.ts'

const eventTypePattern = '^[a-z][a-z0-9_.:-]{0,63}$'
const StateId = Name(200, 'A state of the experiment')
const ComponentId = Name(200, 'A component of the experiment')

const shared = {
  timestamp: EpochMs('When it happened, by the participant’s clock'),
  eventId: Type.Optional(Name(128, 'Makes retries safe: an id is stored only once per participant')),
  // R16: an event may name its experiment and room, but they must be those of the session.
  experimentId: Type.Optional(Name(128, 'The experiment of the session')),
  roomId: Type.Optional(Name(128, 'The room of the session')),
}

export const StateTransitionEvent = Type.Object(
  {
    ...shared,
    type: Type.Literal('state_transition'),
    stateId: StateId,
    componentId: Type.Optional(ComponentId),
    data: Type.Object({
      fromState: Type.Optional(Type.Union([Name(200, 'Previous state'), Type.Null()])),
      toState: Name(200, 'New state'),
    }),
  },
  { description: 'The participant moved from one state to another' },
)

export const ComponentResponseEvent = Type.Object(
  {
    ...shared,
    type: Type.Literal('component_response'),
    stateId: Type.Optional(StateId),
    componentId: ComponentId,
    data: Type.Object({
      value: Type.Unknown({ description: 'Any JSON value' }),
      ...answerTiming,
      responseTime: Type.Optional(
        Type.Number({
          minimum: 0,
          description:
            'Milliseconds from the first paint in which the component was visible to the last change of the answer',
        }),
      ),
    }),
  },
  { description: 'The participant answered a component' },
)

/** R93 */
export const DeviceReportEvent = Type.Object(
  { ...shared, type: Type.Literal('device_report'), data: DeviceReport },
  { description: 'What the study collects of the device; anything else of it is not stored' },
)

/** R19: any other lower-case name, with free-form data. */
export const OtherEvent = Type.Object(
  {
    ...shared,
    type: Type.String({ pattern: eventTypePattern }),
    stateId: Type.Optional(StateId),
    componentId: Type.Optional(ComponentId),
    data: Type.Optional(FreeObject('Free-form data')),
  },
  { description: 'Any other event, with a name that the researcher chooses' },
)

export type ParticipantEvent = Type.Static<typeof OtherEvent>

/** For the reference, where a union is clearer than the dispatch below. */
export const ParticipantEventSchema = Type.Union([
  StateTransitionEvent,
  ComponentResponseEvent,
  DeviceReportEvent,
  OtherEvent,
])

const eventFlags = ['unknown_state', 'unknown_component', 'invalid_value', 'implausible_time'] as const
export type EventFlag = (typeof eventFlags)[number]

const Nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

/**
 * R54: the participant’s place in the study. Known once they have a room; the same on all of their rows, or in a study with
 * stages on all that were recorded in one room.
 */
const whereabouts = {
  roomId: Nullable(Type.String({ description: 'The participant’s room; null if they never had one' })),
  stage: Nullable(Type.String({ description: 'The stage of the study; null in a study without stages' })),
  condition: Nullable(
    Type.String({ description: 'The condition of the room; null if the experiment has no conditions' }),
  ),
  role: Type.Union([Type.String(), Type.Null()], {
    description:
      '`participant`, or a role that the definition declares; null for people who never got a room and a role, and for mediators. Where blocks rotate roles, the one at that moment in the tables `responses`, `messages`, `states` and `trials`, and the first one elsewhere',
  }),
  alias: Nullable(
    Type.String({ description: 'The name others in the room see: P1, P2, …, or the name of a mediator' }),
  ),
  agent: Nullable(Type.String({ description: 'The id of the agent in the definition; null for people' })),
}

/** R88: when it happened, each time by one clock. */
const times = {
  serverTime: IsoTime('When the server took it, or did it, by the server’s clock'),
  clientTime: Nullable(
    IsoTime(
      'When it happened by the participant’s clock, as sent, which may be wrong; null where the server acted, or the page said nothing',
    ),
  ),
  clockOffsetMs: Nullable(
    Type.Integer({
      description:
        'Estimate of the server’s clock minus the participant’s: add it to `clientTime` to have it by the server’s clock. Null where `clientTime` is, and in what was stored before there were estimates',
      'x-unit': 'ms',
    }),
  ),
  clockErrorMs: Nullable(
    Type.Integer({
      minimum: 0,
      description: 'The offset is off by at most this much; null if that is not known',
      'x-unit': 'ms',
    }),
  ),
}

/** R23: one line of the JSONL export. */
export const ExportedEvent = Type.Object({
  participantId: Type.String({
    description: 'Pseudonym of the participant or agent in this experiment, the same in every table',
  }),
  sessionId: SessionPseudonym,
  seq: Type.Integer({ minimum: 1, description: 'Order of receipt within the session, without gaps' }),
  type: Type.String({ description: 'What happened, such as `component_response`' }),
  timestamp: Nullable(
    EpochMs('The same as `clientTime`, in milliseconds since 1970: for scripts that know this name'),
  ),
  receivedAt: IsoTime('The same as `serverTime`: for scripts that know this name'),
  ...times,
  stateId: Nullable(
    Type.String({ description: 'The state it belongs to, as in the definition; null if none' }),
  ),
  componentId: Nullable(
    Type.String({ description: 'The component it belongs to, as in the definition; null if none' }),
  ),
  data: FreeObject('The data as sent'),
  eventId: Nullable(
    Type.String({ description: 'The id that the page gave it, so that it is stored once; null without one' }),
  ),
  revision: Type.Integer({
    minimum: 1,
    description: 'The revision that the participant joined, or that the agent’s room plays',
  }),
  ...whereabouts,
  round: Nullable(
    Type.Integer({ minimum: 1, description: 'Round of the block, counted from 1; null outside blocks' }),
  ),
  visit: Nullable(
    Type.Integer({
      minimum: 1,
      description:
        'Which of the states entered so far it was, counted over all states from 1; null if no state was open',
    }),
  ),
  origin: Type.Enum(['client', 'room'], {
    description:
      '`room`: recorded by the server when something happened in the room. `client`: sent over HTTP by the participant’s page, whatever its type; round, visit and roomSeq are null',
  }),
  roomSeq: Nullable(
    Type.Integer({
      minimum: 1,
      description: 'Number of the room action it was recorded with; sorts the rows of a room',
    }),
  ),
  flags: Type.Array(Type.Enum(eventFlags), {
    description:
      'Set if the event names a state or component that the revision does not have, a component of another role, or a response value that the component’s settings do not allow; `implausible_time` if the response time cannot be true',
  }),
  extra: Type.Optional(FreeObject('Undocumented fields, kept as sent')),
  synthetic: Type.Optional(Type.Literal(true, { description: 'In a pilot; absent in rooms with people' })),
})
export type ExportedEvent = Type.Static<typeof ExportedEvent>
