import { Type } from 'typebox'
import { SessionStatusSchema } from '../session.ts'
import { Count, EpochMs, Name } from '../text.ts'
import { WholeNumber } from './query.ts'
import { RevisionNumber } from './revision.ts'
import { defineRoute } from './route.ts'

const Nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

export const peoplePerPage = { min: 1, max: 200, usual: 50 } as const

/** A participant as everyone with access to the study may see them: without who they are. */
export const Person = Type.Object({
  participantId: Type.String(),
  joinedAt: EpochMs('When they first joined'),
  revision: Type.Integer({ minimum: 1 }),
  roomId: Nullable(Type.String({ description: 'The room they are in; null while they wait for one' })),
  condition: Nullable(Type.String({ description: 'The condition of their room' })),
  role: Nullable(Type.String({ description: 'Null for people who never got a room and a role' })),
  alias: Nullable(Type.String({ description: 'The name others in the room see' })),
  status: Type.Union([SessionStatusSchema], {
    description:
      'Status of their latest session; `completed` as soon as the room has decided how their part ended',
  }),
  outcome: Nullable(Type.String({ description: 'Null until it is decided' })),
  completedAt: Nullable(EpochMs('When they completed')),
})
export type Person = Type.Static<typeof Person>

const PersonPage = Type.Object({
  participants: Type.Array(Person),
  next: Nullable(Type.String({ description: 'Value of `after` for the next page; null on the last page' })),
})
export type PersonPage = Type.Static<typeof PersonPage>

const stepKinds = [
  ...['joined', 'consented', 'declined', 'waited', 'matched', 'entered', 'went_on'],
  ...['answered', 'wrote', 'dropped', 'stopped', 'ended', 'completed'],
] as const

export const PersonStep = Type.Object({
  at: EpochMs('By the server’s clock'),
  kind: Type.Enum(stepKinds, {
    description:
      '`waited`: got a room after waiting for `durationMs`; `matched`: got one at once; `entered`: a state; `went_on`: finished a stage, whose id is the `value`; `wrote`: a chat message; `dropped`: away for too long; `stopped`: left, was removed, or the room ended early; `ended`: reached the end; `completed`: asked for their code',
  }),
  stateId: Nullable(Type.String()),
  componentId: Nullable(Type.String()),
  round: Nullable(Type.Integer({ minimum: 1 })),
  value: Type.Unknown({ description: 'The answer, the message or the outcome; null if there is none' }),
  durationMs: Nullable(Type.Number({ description: 'The response time, or how long they waited' })),
})
export type PersonStep = Type.Static<typeof PersonStep>

const PersonTimeline = Type.Object({
  person: Person,
  steps: Type.Array(PersonStep, { description: 'Oldest first' }),
  isComplete: Type.Boolean({ description: 'False if there are more than the first 500 events' }),
  events: Count('Number of their events'),
})
export type PersonTimeline = Type.Static<typeof PersonTimeline>

const viewer = { tag: 'Experiments', envelope: 'plain', auth: 'researcher', access: 'view' } as const

export const peopleRoutes = {
  list: defineRoute({
    ...viewer,
    method: 'GET',
    path: '/api/experiments/:experimentId/people',
    summary: 'List participants without who they are',
    params: Type.Object({ experimentId: Type.String() }),
    query: Type.Object({
      limit: Type.Optional(WholeNumber(peoplePerPage, 'Maximum number of results')),
      after: Type.Optional(
        Type.String({
          pattern: '^[0-9]{1,15}\\.part_[A-Za-z0-9_-]{1,64}$',
          description: 'The `next` value of the previous page',
        }),
      ),
      status: Type.Optional(SessionStatusSchema),
      outcome: Type.Optional(Name(200, 'Only people with this outcome')),
      condition: Type.Optional(Name(200, 'Only people in rooms with this condition')),
      revision: Type.Optional(RevisionNumber),
    }),
    success: { status: 200, schema: PersonPage, description: 'In the order they joined' },
    errors: ['EXPERIMENT_NOT_FOUND'],
  }),
  timeline: defineRoute({
    ...viewer,
    method: 'GET',
    path: '/api/experiments/:experimentId/people/:participantId/timeline',
    summary: 'Get what one participant did, step by step',
    params: Type.Object({
      experimentId: Type.String(),
      participantId: Type.String({
        pattern: '^part_[A-Za-z0-9_-]{1,64}$',
        description: 'The participant, as in exports',
      }),
    }),
    success: { status: 200, schema: PersonTimeline, description: 'Without who they are' },
    errors: ['NOT_FOUND'],
  }),
} as const
