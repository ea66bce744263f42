import { Type } from 'typebox'
import { SessionStatusSchema } from '../session.ts'
import { EpochMs, FreeObject } from '../text.ts'
import { WholeNumber } from './query.ts'
import { defineRoute } from './route.ts'

const Nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

export const recruitsPerPage = { least: 1, most: 500, usual: 100 } as const

/** Who took part, with what the recruiting platform calls them. In no export: this is what tells who somebody is. */
export const Recruit = Type.Object({
  participantId: Type.String(),
  metadata: FreeObject(
    'What the join brought along: the ids of the recruiting platform, and other parameters',
  ),
  joinedAt: EpochMs('When they joined for the first time'),
  consentedAt: Nullable(EpochMs('When they gave the consent that the experiment asks for')),
  revision: Type.Integer({ minimum: 1 }),
  roomId: Nullable(Type.String()),
  status: Type.Union([SessionStatusSchema], {
    description:
      'Status of their newest session; `completed` as soon as the room has decided how their part ended, also before they ask for their code',
  }),
  outcome: Nullable(
    Type.String({
      description: 'What the room has decided, and finally what they completed with; null until then',
    }),
  ),
  completionCode: Nullable(
    Type.String({ description: 'The code that they were given; null until they have asked for it' }),
  ),
  completedAt: Nullable(EpochMs('When they completed')),
})
export type Recruit = Type.Static<typeof Recruit>

const RecruitPage = Type.Object({
  participants: Type.Array(Recruit),
  next: Nullable(Type.String({ description: 'What to send as `after` for the next page; null on the last' })),
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
    summary: 'List the participants with their recruiting ids',
    description:
      'To pay people by the ids of the platform that sent them. Each call is in the audit log. The ids are in no export.',
    params: Type.Object({ experimentId: Type.String() }),
    query: Type.Object({
      limit: Type.Optional(WholeNumber(recruitsPerPage, 'How many at most')),
      after: Type.Optional(
        Type.String({
          pattern: '^[0-9]{1,15}\\.part_[A-Za-z0-9_-]{1,64}$',
          description: 'Go on after a page: the `next` of that page',
        }),
      ),
    }),
    success: { status: 200, schema: RecruitPage, description: 'In the order in which they joined' },
    errors: ['EXPERIMENT_NOT_FOUND'],
  }),
} as const
