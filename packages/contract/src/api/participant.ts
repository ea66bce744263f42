import { Type } from 'typebox'
import { ClockReport } from '../client-clock.ts'
import { Appearance } from '../definition/appearance.ts'
import { Consent, Withdrawal } from '../definition/definition.ts'
import { ShownPayment } from '../definition/payment.ts'
import { GlobalComponent, State } from '../definition/state.ts'
import { ParticipantEventSchema } from '../event.ts'
import { limits } from '../limits.ts'
import { mediaKinds } from '../media/media-files.ts'
import { fileIdPattern } from '../media/object-keys.ts'
import { Paradata } from '../paradata.ts'
import { ParticipantId, RoomId, SessionId, SessionStatusSchema, SessionToken } from '../session.ts'
import { Count, FreeObject, IsoTime, Name } from '../text.ts'

const success = <Data extends Type.TSchema>(data: Data) =>
  Type.Object({ status: Type.Literal('success'), data })

const ExperimentId = Name(128, 'The experiment')

/** R16: a request may name the experiment and room of its session; a wrong one is SESSION_MISMATCH. */
const claims = {
  experimentId: Type.Optional(Name(128, 'If sent, must be the experiment of the session')),
  roomId: Type.Optional(Name(128, 'If sent, must be the room of the session')),
}
export const SessionClaims = Type.Object(claims)
export type SessionClaims = Type.Static<typeof SessionClaims>

const EventBatch = Type.Array(ParticipantEventSchema, {
  minItems: 1,
  maxItems: limits.eventsPerBatch,
  description: 'Either all events are stored, or none',
})

export const JoinBody = Type.Object({
  experimentId: ExperimentId,
  role: Type.Optional(Name(64, '`participant`, or a role that the experiment declares')),
  languages: Type.Optional(
    Type.Array(Type.String({ maxLength: 35 }), {
      maxItems: 50,
      description:
        'Languages that the participant reads, preferred first, e.g. `navigator.languages`; the first of the experiment when absent',
    }),
  ),
  metadata: Type.Optional(
    FreeObject('Free-form, up to 8 KiB; may carry a source label and an external participant id'),
  ),
})
export type JoinBody = Type.Static<typeof JoinBody>

const clock = Type.Optional(ClockReport)

export const EventsBody = Type.Object({ ...claims, events: EventBatch, clock })
export const EventsBodyV3 = Type.Object({ ...claims, experimentId: ExperimentId, events: EventBatch, clock })

/** A batch without its events, each of which is checked by the validator for its type. */
export const EventsEnvelope = Type.Object({
  ...claims,
  events: Type.Array(Type.Unknown(), { minItems: 1, maxItems: limits.eventsPerBatch }),
  clock,
})

export const CompleteBody = Type.Object({
  ...claims,
  completionCode: Name(
    200,
    'An outcome (SUCCESS, TIMEOUT, …) or a literal code; overridden by a decision of the room (`completion.verify`)',
  ),
  finalState: Type.Optional(Name(200, 'The participant’s last state')),
  summary: Type.Optional(
    Type.Object({ totalEvents: Count('Number of events the client sent'), duration: Count('Milliseconds') }),
  ),
})
export type CompleteBody = Type.Static<typeof CompleteBody>

export const ExperimentSummary = Type.Object({
  experimentId: Type.String(),
  name: Type.String(),
  status: Type.Literal('recruiting'),
  availableSlots: Count('Places left; 2147483647 if the experiment has no capacity limit'),
  full: Type.Optional(
    Type.Literal(true, {
      description:
        'All places are taken: not to be offered to anybody who has not joined yet. Listed for those who have one of the places and want to return; absent otherwise',
    }),
  ),
  summary: Type.Optional(
    Type.String({ description: 'What the study is about, where its definition says so' }),
  ),
  minutes: Type.Optional(
    Type.Integer({ minimum: 1, description: 'How long it usually takes, where its definition says so' }),
  ),
  groupSize: Type.Optional(
    Type.Object(
      { min: Type.Integer({ minimum: 1 }), max: Type.Integer({ minimum: 1 }) },
      { description: 'How many people take part together; absent where everyone takes part alone' },
    ),
  ),
})

export type ExperimentSummary = Type.Static<typeof ExperimentSummary>

const StateConfigEnd = Type.Object(
  {
    on: Type.String({ description: 'Rule that ends the state' }),
    label: Type.Optional(Type.String({ description: 'Button text' })),
    afterMs: Type.Optional(Count('Deadline in milliseconds after the state is entered')),
    componentId: Type.Optional(Type.String({ description: 'The video or audio whose end ends the state' })),
  },
  { description: 'How the state ends; with a button when absent' },
)

const { id, name, instructions, components } = State.properties
const StateConfig = Type.Object(
  { id, name, instructions, components, end: Type.Optional(StateConfigEnd) },
  { description: 'A state as this participant sees it' },
)

/** R53: only what the participant's role may see; before a role is assigned, only what everyone sees. */
export const ExperimentConfig = Type.Object(
  {
    name: Type.String(),
    language: Type.Optional(
      Type.String({
        description:
          'The language of these texts and of those in rooms: the experiment’s that the participant prefers; absent from releases before 0.2',
      }),
    ),
    states: Type.Array(StateConfig, { description: 'Those visible to the participant’s role' }),
    globalComponents: Type.Array(GlobalComponent, {
      description: 'Those visible to the participant’s role',
    }),
    consent: Type.Optional(Consent),
    withdrawal: Type.Optional(Withdrawal),
    paradata: Type.Optional(Paradata),
    appearance: Type.Optional(Appearance),
    mayShowFiles: Type.Optional(
      Type.Literal(true, {
        description:
          'The study may show pictures and sounds that its researcher has uploaded; `/media` lists them, so that they can be loaded before they are needed',
      }),
    ),
  },
  {
    description:
      'The part of the definition visible to the participant’s role; before a role is assigned, the part visible to everyone. Where a text has a value (`{{…}}`), an ellipsis stands here: the room knows the values, and its `room_snapshot`, `state_entered` and `texts` have the texts with them',
  },
)
export type ExperimentConfig = Type.Static<typeof ExperimentConfig>

const Role = Type.String({
  description:
    'The participant’s role; `participant` if the experiment declares none, or until one is assigned',
})
const joined = {
  participantId: ParticipantId,
  roomId: RoomId,
  experimentConfig: ExperimentConfig,
  consentedAt: Type.Union([IsoTime('When the participant gave consent'), Type.Null()], {
    description: 'Null until the participant gives consent; consent is asked for only once',
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
    recorded: Count('Number of events stored from this batch'),
    serverTimestamp: IsoTime('When the batch was received'),
  }),
)

export const CompleteAnswer = success(
  Type.Object({
    outcome: Type.String({ description: 'The outcome that was decided' }),
    completionCode: Type.String({ description: 'The experiment’s code for this outcome' }),
    redirectUrl: Type.String({
      description: 'Where to send the participant; empty if the experiment defines no address',
    }),
    sessionEnded: Type.Boolean(),
    payment: Type.Optional(ShownPayment),
  }),
)

export const SessionHistoryItem = Type.Object({
  sessionId: Type.String(),
  experimentId: Type.String(),
  experimentName: Type.String(),
  status: SessionStatusSchema,
  startedAt: IsoTime('When the session started'),
  completedAt: Type.Union([IsoTime('When it was completed'), Type.Null()]),
  completionCode: Type.Union([Type.String(), Type.Null()]),
})
export type SessionHistoryItem = Type.Static<typeof SessionHistoryItem>
/** R32 */
export const PlayableVideo = Type.Object({
  videoId: Type.String(),
  playbackUrl: Type.Union([Type.String(), Type.Null()], {
    description: 'Signed path of the master playlist; null while the video cannot be played',
  }),
  posterUrl: Type.Union([Type.String(), Type.Null()]),
  durationMs: Type.Union([Count('Playing time'), Type.Null()]),
  expiresAt: IsoTime('When these paths stop working'),
})
export type PlayableVideo = Type.Static<typeof PlayableVideo>
/** R67 */
export const PlayableFile = Type.Object({
  mediaId: Type.String(),
  names: Type.Array(Type.String(), {
    description: 'What `media:<name>` calls it in this definition; none where it is named by its id',
  }),
  kind: Type.Enum(mediaKinds),
  bytes: Count('Size of the file'),
  url: Type.String({ description: 'Signed path of the file' }),
  expiresAt: IsoTime('When this path stops working'),
})
export type PlayableFile = Type.Static<typeof PlayableFile>
export const MediaAnswer = success(
  Type.Object({
    videos: Type.Array(PlayableVideo),
    files: Type.Array(PlayableFile, { description: 'Pictures and sounds, in the order of the definition' }),
  }),
)

export const FileAnswer = success(
  Type.Object({
    fileId: Type.String({ pattern: fileIdPattern, description: 'For the response to the component' }),
    size: Count('Bytes'),
  }),
)

export const HistoryAnswer = success(Type.Object({ sessions: Type.Array(SessionHistoryItem) }))
const SessionHistoryItemV3 = Type.Omit(SessionHistoryItem, ['sessionId'])
export const HistoryAnswerV3 = success(Type.Object({ sessions: Type.Array(SessionHistoryItemV3) }))

export const WithdrawAnswer = success(Type.Object({ deleted: Withdrawal }))
