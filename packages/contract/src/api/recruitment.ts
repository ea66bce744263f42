import { Type } from 'typebox'
import { SessionStatusSchema } from '../session.ts'
import { EpochMs, FreeObject } from '../text.ts'
import { WholeNumber } from './query.ts'
import { defineRoute } from './route.ts'

const Nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

export const recruitsPerPage = { min: 1, max: 500, usual: 100 } as const

/** A participant and their ids on the recruiting platform. These identify people, so no export contains them. */
export const Recruit = Type.Object({
  participantId: Type.String(),
  metadata: FreeObject('Metadata sent on join: ids of the recruiting platform and other parameters'),
  joinedAt: EpochMs('When they first joined'),
  consentedAt: Nullable(EpochMs('When they gave consent')),
  revision: Type.Integer({ minimum: 1 }),
  roomId: Nullable(Type.String()),
  status: Type.Union([SessionStatusSchema], {
    description:
      'Status of their latest session; `completed` as soon as the room has decided how their part ended, also before they ask for their code',
  }),
  outcome: Nullable(
    Type.String({
      description: 'The outcome the room has decided, and finally what they completed with; null until then',
    }),
  ),
  completionCode: Nullable(
    Type.String({ description: 'The code they were given; null until they have asked for it' }),
  ),
  completedAt: Nullable(EpochMs('When they completed')),
})
export type Recruit = Type.Static<typeof Recruit>

const RecruitPage = Type.Object({
  participants: Type.Array(Recruit),
  next: Nullable(Type.String({ description: 'Value of `after` for the next page; null on the last page' })),
})
export type RecruitPage = Type.Static<typeof RecruitPage>

export const recruitmentRoutes = {
  list: defineRoute({
    tag: 'Experiments',
    envelope: 'plain',
    auth: 'researcher',
    access: 'owner',
    method: 'GET',
    path: '/api/experiments/:experimentId/participants',
    summary: 'List participants with their recruiting ids',
    description:
      'For paying people through the platform that recruited them. Every call is recorded in the audit log. Of all exports, only the identity file and the bonus file contain these ids.',
    params: Type.Object({ experimentId: Type.String() }),
    query: Type.Object({
      limit: Type.Optional(WholeNumber(recruitsPerPage, 'Maximum number of results')),
      after: Type.Optional(
        Type.String({
          pattern: '^[0-9]{1,15}\\.part_[A-Za-z0-9_-]{1,64}$',
          description: 'The `next` value of the previous page',
        }),
      ),
    }),
    success: { status: 200, schema: RecruitPage, description: 'In the order they joined' },
    errors: ['EXPERIMENT_NOT_FOUND'],
  }),
} as const
