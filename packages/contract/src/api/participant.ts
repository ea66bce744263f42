import { Type } from 'typebox'
import { Consent } from '../definition/definition.ts'
import { GlobalComponent, State } from '../definition/state.ts'
import { ParticipantEventSchema } from '../event.ts'
import { limits } from '../limits.ts'
import { ParticipantId, RoomId, SessionId, SessionStatusSchema, SessionToken } from '../session.ts'
import { Count, FreeObject, IsoTime, Name } from '../text.ts'

const success = <Data extends Type.TSchema>(data: Data) =>
  Type.Object({ status: Type.Literal('success'), data })

const ExperimentId = Name(128, 'The experiment')

/** R16: a request may name what it believes the session to belong to; a wrong one is SESSION_MISMATCH. */
const claims = {
  experimentId: Type.Optional(Name(128, 'When sent, it must be the experiment of the session')),
  roomId: Type.Optional(Name(128, 'When sent, it must be the room of the session')),
}
export const SessionClaims = Type.Object(claims)
export type SessionClaims = Type.Static<typeof SessionClaims>

const EventBatch = Type.Array(ParticipantEventSchema, {
  minItems: 1,
  maxItems: limits.eventsPerBatch,
  description: 'All are stored, or none',
})

export const JoinBody = Type.Object({
  experimentId: ExperimentId,
  role: Type.Optional(Name(64, '`participant`, or a role that the experiment declares')),
  metadata: Type.Optional(FreeObject('Free; may carry a source label and an external participant id; 8 KiB')),
})
export type JoinBody = Type.Static<typeof JoinBody>

export const EventsBody = Type.Object({ ...claims, events: EventBatch })
export const EventsBodyV3 = Type.Object({ ...claims, experimentId: ExperimentId, events: EventBatch })

/** The batch around its events, which are checked one by one with the validator of their type. */
export const EventsEnvelope = Type.Object({
  ...claims,
  events: Type.Array(Type.Unknown(), { minItems: 1, maxItems: limits.eventsPerBatch }),
})

export const CompleteBody = Type.Object({
  ...claims,
  completionCode: Name(
    200,
    'An outcome (SUCCESS, TIMEOUT, …) or a literal code; what the room has decided goes before it (`completion.verify`)',
  ),
  finalState: Type.Optional(Name(200, 'The state in which the participant ended')),
  summary: Type.Optional(
    Type.Object({ totalEvents: Count('Events that the client sent'), duration: Count('Milliseconds') }),
  ),
})
export type CompleteBody = Type.Static<typeof CompleteBody>

export const ExperimentSummary = Type.Object({
  experimentId: Type.String(),
  name: Type.String(),
  status: Type.Literal('recruiting'),
  availableSlots: Count('Places left; 2147483647 when the experiment has no capacity'),
})

const StateConfigEnd = Type.Object(
  {
    on: Type.String({ description: 'The rule by which it ends' }),
    label: Type.Optional(Type.String({ description: 'Text of the button' })),
    afterMs: Type.Optional(Count('Milliseconds after which it ends at the latest')),
    componentId: Type.Optional(Type.String({ description: 'The video or audio that ends it' })),
  },
  { description: 'How the state ends; by a button when absent' },
)

const { id, name, instructions, components } = State.properties
const StateConfig = Type.Object(
  { id, name, instructions, components, end: Type.Optional(StateConfigEnd) },
  { description: 'A state as this participant may see it' },
)

/** R53: only what the participant's role may see; before a role is assigned, only what everyone sees. */
export const ExperimentConfig = Type.Object(
  {
    name: Type.String(),
    states: Type.Array(StateConfig, { description: 'Those that the participant’s role sees' }),
    globalComponents: Type.Array(GlobalComponent, {
      description: 'Those that the participant’s role sees',
    }),
    consent: Type.Optional(Consent),
  },
  {
    description:
      'What the participant’s role may see of the definition; before a role is assigned, what everyone sees',
  },
)
export type ExperimentConfig = Type.Static<typeof ExperimentConfig>

const Role = Type.String({
  description:
    'The participant’s role; `participant` when the experiment declares none, and until one is assigned',
})
const joined = {
  participantId: ParticipantId,
  roomId: RoomId,
  experimentConfig: ExperimentConfig,
  consentedAt: Type.Union([IsoTime('When the participant gave their consent'), Type.Null()], {
    description: 'Null until the consent of the experiment is given; once given, it is not asked for again',
  }),
}

export const DiscoverAnswer = success(
  Type.Object({
    experiments: Type.Array(ExperimentSummary),
    session: Type.Object({ valid: Type.Boolean(), expiresIn: Count('Seconds until the session expires') }),
  }),
)
export const DiscoverAnswerV3 = success(Type.Object({ experiments: Type.Array(ExperimentSummary) }))

export const JoinAnswer = success(
  Type.Object({
    sessionId: SessionId,
    sessionToken: SessionToken,
    ...joined,
    role: Role,
    expiresAt: IsoTime('When the session expires'),
  }),
)
export const JoinAnswerV3 = success(Type.Object(joined))

export const EventsAnswer = success(
  Type.Object({
    recorded: Count('Events of this batch that are stored'),
    serverTimestamp: IsoTime('Receipt'),
  }),
)

export const CompleteAnswer = success(
  Type.Object({
    outcome: Type.String({ description: 'How the participation ended, by what was decided' }),
    completionCode: Type.String({ description: 'The code that the experiment gives for this outcome' }),
    redirectUrl: Type.String({
      description: 'Where to send the participant; empty when the experiment has none',
    }),
    sessionEnded: Type.Boolean(),
  }),
)

export const SessionHistoryItem = Type.Object({
  sessionId: Type.String(),
  experimentId: Type.String(),
  experimentName: Type.String(),
  status: SessionStatusSchema,
  startedAt: IsoTime('When the session began'),
  completedAt: Type.Union([IsoTime('When it was completed'), Type.Null()]),
  completionCode: Type.Union([Type.String(), Type.Null()]),
})
export type SessionHistoryItem = Type.Static<typeof SessionHistoryItem>
export const HistoryAnswer = success(Type.Object({ sessions: Type.Array(SessionHistoryItem) }))
const SessionHistoryItemV3 = Type.Omit(SessionHistoryItem, ['sessionId'])
export const HistoryAnswerV3 = success(Type.Object({ sessions: Type.Array(SessionHistoryItemV3) }))
