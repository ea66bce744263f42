import { Type } from 'typebox'
import { IsoTime, Name, Prose } from '../text.ts'
import { defineRoute } from './route.ts'

const Nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const SiteId = (description: string) => Type.String({ pattern: '^[A-Za-z0-9_-]{1,128}$', description })
/** Prolific counts money in pence or cents. */
const Money = (description: string) => Type.Integer({ minimum: 1, maximum: 1_000_000, description })

/** The token itself is never part of it. */
const ProlificConnection = Type.Object({
  isConnected: Type.Boolean({ description: 'Whether the experiment has a token' }),
  isTokenReadable: Type.Boolean({
    description: 'False if the server no longer has the key that encrypted it',
  }),
  tokenHint: Type.String({
    description: 'The last characters of the token; empty without one, or of a short one',
  }),
  studies: Type.Array(
    Type.Object({
      studyId: Type.String(),
      name: Type.String(),
      createdAt: IsoTime('When it was created here'),
    }),
    { description: 'Studies that were created here, newest first' },
  ),
})
export type ProlificConnection = Type.Static<typeof ProlificConnection>

export const NewProlificStudy = Type.Object(
  {
    name: Name(200, 'Title that people at Prolific see'),
    description: Prose(5_000, 'What people at Prolific read before they choose the study'),
    places: Type.Integer({ minimum: 1, maximum: 100_000, description: 'Number of participants' }),
    minutes: Type.Integer({ minimum: 1, maximum: 1_440, description: 'Estimated time to complete' }),
    reward: Money(
      'Payment of one participant, in the smallest unit of the account’s currency (pence, cents)',
    ),
    origin: Type.Optional(
      Type.String({
        pattern: '^https?://[^/?#@\\s]{1,255}$',
        description:
          'Public address of the platform, for installations without `PUBLIC_URL`; ignored elsewhere',
      }),
    ),
  },
  { additionalProperties: false },
)
export type NewProlificStudy = Type.Static<typeof NewProlificStudy>

const Amount = Type.Integer({ description: 'In pence or cents', examples: [125] })
const PaymentStatus = Type.Enum(['begun', 'done', 'unknown'], {
  description:
    '`begun`: on its way; `done`: Prolific has confirmed it; `unknown`: nobody knows whether Prolific has paid, so it is not repeated until you have looked there',
})

export const ProlificSubmission = Type.Object({
  submissionId: Type.String({ description: 'Prolific’s `SESSION_ID`' }),
  status: Type.String({ description: 'As Prolific names it: ACTIVE, AWAITING REVIEW, APPROVED, …' }),
  startedAt: Nullable(Type.String()),
  completedAt: Nullable(Type.String()),
  code: Nullable(Type.String({ description: 'The completion code they returned with' })),
  bonus: Nullable(Type.Object({ amount: Amount, status: PaymentStatus })),
})
export type ProlificSubmission = Type.Static<typeof ProlificSubmission>

const base = '/api/experiments/:experimentId/prolific'
const experiment = { experimentId: Type.String() }
const study = { ...experiment, studyId: SiteId('A study that was created here') }
const submission = { ...study, submissionId: SiteId('A submission to this study') }
/** For people alone: with the token, money is spent. */
const managed = {
  tag: 'Recruiting',
  envelope: 'plain',
  auth: 'researcher',
  access: 'edit',
  keys: 'never',
} as const
const asking = [
  'PROLIFIC_NOT_CONNECTED',
  'CREDENTIAL_UNREADABLE',
  'PROLIFIC_REFUSED',
  'PROLIFIC_UNAVAILABLE',
] as const
const ofStudy = [...asking, 'PROLIFIC_STUDY_NOT_FOUND'] as const
const Bonus = Type.Object({ amount: Amount, status: PaymentStatus })

export const prolificRoutes = {
  read: defineRoute({
    ...managed,
    method: 'GET',
    path: base,
    params: Type.Object(experiment),
    summary: 'Get the connection to Prolific',
    success: { status: 200, schema: ProlificConnection, description: 'Without the token' },
  }),
  connect: defineRoute({
    ...managed,
    method: 'PUT',
    path: base,
    params: Type.Object(experiment),
    summary: 'Connect an experiment to Prolific',
    description:
      'Checks the token with Prolific and stores it encrypted. It is never shown again. Everyone with edit access to the experiment can use it for the studies that are created here.',
    body: Type.Object(
      {
        token: Type.String({
          pattern: '^[\\x21-\\x7e]{8,500}$',
          description: 'An API token of your account at Prolific',
          examples: ['token-of-your-account'],
        }),
      },
      { additionalProperties: false },
    ),
    success: { status: 200, schema: ProlificConnection, description: 'Connected' },
    errors: ['PROLIFIC_REFUSED', 'PROLIFIC_UNAVAILABLE'],
  }),
  disconnect: defineRoute({
    ...managed,
    method: 'DELETE',
    path: base,
    params: Type.Object(experiment),
    summary: 'Delete the token for Prolific',
    description: 'Studies and what was paid stay on record.',
    success: { status: 200, schema: ProlificConnection, description: 'No longer connected' },
  }),
  createStudy: defineRoute({
    ...managed,
    method: 'POST',
    path: `${base}/studies`,
    params: Type.Object(experiment),
    summary: 'Create a draft study at Prolific',
    description:
      'With the link of the experiment and the codes of its newest revision. The draft costs nothing; publish it at Prolific.',
    body: NewProlificStudy,
    success: {
      status: 201,
      schema: Type.Object({ studyId: Type.String(), status: Type.String() }),
      description: 'The draft',
    },
    errors: [...asking, 'NOT_PUBLISHED'],
  }),
  submissions: defineRoute({
    ...managed,
    method: 'GET',
    path: `${base}/studies/:studyId/submissions`,
    params: Type.Object(study),
    summary: 'List the submissions to a study at Prolific',
    success: {
      status: 200,
      schema: Type.Object({
        submissions: Type.Array(ProlificSubmission),
        isComplete: Type.Boolean({ description: 'False if Prolific has more than are read here' }),
      }),
      description: 'As Prolific lists them, without the ids of people',
    },
    errors: ofStudy,
  }),
  approve: defineRoute({
    ...managed,
    method: 'POST',
    path: `${base}/studies/:studyId/submissions/:submissionId/approve`,
    params: Type.Object(submission),
    summary: 'Approve a submission at Prolific',
    description: 'Prolific then pays the reward. Repeating the call is safe: a submission is approved once.',
    success: {
      status: 200,
      schema: Type.Object({ status: Type.String() }),
      description: 'Its status at Prolific',
    },
    errors: ofStudy,
  }),
  payBonus: defineRoute({
    ...managed,
    method: 'POST',
    path: `${base}/studies/:studyId/submissions/:submissionId/bonus`,
    params: Type.Object(submission),
    summary: 'Pay a bonus through Prolific',
    description:
      'One for each submission. A second call is refused with PROLIFIC_BONUS_EXISTS, also while it is `unknown` whether the first one was paid.',
    body: Type.Object(
      { amount: Money('In the smallest unit of the account’s currency (pence, cents)') },
      { additionalProperties: false },
    ),
    success: { status: 200, schema: Bonus, description: 'Paid, or `unknown`' },
    errors: [...ofStudy, 'PROLIFIC_BONUS_EXISTS'],
  }),
  settleBonus: defineRoute({
    ...managed,
    method: 'PUT',
    path: `${base}/studies/:studyId/submissions/:submissionId/bonus`,
    params: Type.Object(submission),
    summary: 'Say whether an unknown bonus was paid',
    description: 'After looking at Prolific. If it was not paid, it can be paid again.',
    body: Type.Object({ isPaid: Type.Boolean() }, { additionalProperties: false }),
    success: { status: 200, schema: Nullable(Bonus), description: 'The bonus; null if there is none now' },
    errors: ['PROLIFIC_STUDY_NOT_FOUND', 'NOT_FOUND'],
  }),
  bonusFile: defineRoute({
    ...managed,
    access: 'owner',
    method: 'GET',
    path: '/api/experiments/:experimentId/bonus-file',
    params: Type.Object(experiment),
    query: Type.Object({
      site: Type.Optional(
        Type.Enum(['prolific', 'sona', 'mturk'], {
          description: 'Whose ids; prolific when absent',
        }),
      ),
    }),
    summary: 'Download the bonuses of people from a recruiting site',
    description:
      'One line for each person, `id,amount`, as Prolific takes it for a bulk bonus payment: those whose `bonus` in the table `payments` is above 0, with that amount. It identifies people, so every download is recorded in the audit log.',
    success: {
      status: 200,
      contentType: 'text/csv',
      description: 'In the order they joined, without a header',
    },
  }),
} as const
