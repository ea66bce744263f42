import { Type } from 'typebox'
import { Synthetic, WholeNumber } from '../api/query.ts'
import { defineRoute } from '../api/route.ts'
import { Count, EpochMs } from '../text.ts'
import { CredentialParams } from './credentials.ts'
import { agentOutcomes } from './turns.ts'

/** Thirty days at most: every request counts again, so the work must be bounded. */
export const figureMinutes = { min: 1, max: 43_200, usual: 1_440 } as const

/** Where there were more calls, the newest are counted. */
export const maxCallsCounted = 50_000

const Nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const counts = {
  calls: Count('Requests to the model, and turns in which nothing was asked because of the budget'),
  failures: Count('Calls that ended as `fallback`, `timeout` or `budget`'),
  latencyMs: Nullable(
    Type.Object({
      p50: Count('Half of the replies took no longer, in milliseconds'),
      p95: Count('95 % of the replies took no longer, in milliseconds'),
    }),
  ),
  promptTokens: Count('Tokens read'),
  completionTokens: Count('Tokens written'),
  money: Type.Number({ minimum: 0, description: 'By the agents’ `price`' }),
}

/** Calls of models over a time, and in each part of it. */
const figures = {
  ...counts,
  turns: Count('Turns taken: the calls without those that were asked again'),
  outcomes: Type.Object(
    Object.fromEntries(agentOutcomes.map((name) => [name, Count('Calls')])) as Record<
      (typeof agentOutcomes)[number],
      ReturnType<typeof Count>
    >,
    { description: 'Number of calls by outcome' },
  ),
  lastError: Nullable(
    Type.Object({
      at: EpochMs('When it was asked'),
      outcome: Type.Enum(agentOutcomes),
      message: Type.String(),
    }),
  ),
  buckets: Type.Array(Type.Object({ at: EpochMs('Start of the bucket'), ...counts }), {
    description: 'Oldest first, including empty buckets',
  }),
}
export const CallFigures = Type.Object(figures, { description: 'What was asked of a model, and how it went' })
export type CallFigures = Type.Static<typeof CallFigures>

const window = {
  from: EpochMs('Start of the first bucket'),
  to: EpochMs('End of the last bucket, which is the current one'),
  bucketMs: Type.Integer({ minimum: 1, description: 'Length of a bucket, in milliseconds' }),
  isPartial: Type.Boolean({
    description: `There were more than ${maxCallsCounted} calls: only the newest of them are counted`,
  }),
}

const AgentFigures = Type.Object({
  ...window,
  agents: Type.Array(
    Type.Object({
      agentId: Type.String(),
      name: Type.String(),
      credentialId: Nullable(Type.String({ description: 'Null for the scripted provider' })),
      ...figures,
    }),
    { description: 'The agents of the newest revision, in its order; of pilots, all agents that took part' },
  ),
})
export type AgentFigures = Type.Static<typeof AgentFigures>

const CredentialFigures = Type.Object({ ...window, ...figures })
export type CredentialFigures = Type.Static<typeof CredentialFigures>

const reader = { tag: 'Agents', envelope: 'plain', auth: 'researcher', method: 'GET' } as const
const minutes = Type.Optional(WholeNumber(figureMinutes, 'How far to look back, in minutes'))

export const agentFigureRoutes = {
  ofExperiment: defineRoute({
    ...reader,
    access: 'view',
    path: '/api/experiments/:experimentId/agents',
    summary: 'Get what the agents of an experiment have done, with latency and cost over time',
    description: 'At most 120 buckets of equal length, which start at round times.',
    params: Type.Object({ experimentId: Type.String() }),
    query: Type.Object({ minutes, synthetic: Type.Optional(Synthetic) }),
    success: { status: 200, schema: AgentFigures, description: 'Current figures' },
  }),
  ofCredential: defineRoute({
    ...reader,
    path: '/api/agents/credentials/:credentialId/figures',
    summary: 'Get the calls, failures, latency and cost of a credential over time',
    description: 'In all experiments and pilots that use it. Only for its owner and administrators.',
    params: CredentialParams,
    query: Type.Object({ minutes }),
    success: { status: 200, schema: CredentialFigures, description: 'Current figures' },
    errors: ['CREDENTIAL_NOT_FOUND'],
  }),
} as const
