import { Type } from 'typebox'
import { Synthetic, WholeNumber } from '../api/query.ts'
import { defineRoute } from '../api/route.ts'
import { Count, EpochMs, FreeObject } from '../text.ts'

/** R45: what became of a call of a model. */
export const agentOutcomes = ['applied', 'retried', 'fallback', 'timeout', 'refused', 'budget'] as const
export type AgentOutcome = (typeof agentOutcomes)[number]

const Nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

/** R45: one call of a model, as a line of the export. */
export const AgentTurnRecord = Type.Object({
  callId: Type.String({ description: 'Unique for each call' }),
  roomId: Type.String({ description: 'The room that the agent is in' }),
  revision: Type.Integer({ minimum: 1, description: 'The revision that the room plays' }),
  condition: Nullable(Type.String({ description: 'Of the room; null if the study has no conditions' })),
  participantId: Type.String({ description: 'Pseudonym of the agent, as in the other tables' }),
  agentId: Type.String({ description: 'As in the definition' }),
  turnId: Type.String({ description: 'Calls of one turn have the same' }),
  cause: Type.String({ description: '`state`, `message`, `continue`, `lull` or `demand`' }),
  stateId: Nullable(
    Type.String({
      description:
        'The state that the agent was in, as in the definition; null for a mediator of people with their own pace, and for calls before this was recorded',
    }),
  ),
  round: Nullable(
    Type.Integer({ minimum: 1, description: 'Round of the block, counted from 1; null outside blocks' }),
  ),
  attempt: Type.Integer({ minimum: 1, description: '2 after an invalid reply' }),
  outcome: Type.Enum(agentOutcomes, {
    description:
      '`applied`; `retried`: not valid, asked again; `fallback`: not valid either, or not reached; `timeout`; `refused`: the room had moved on; `budget`: not asked, because the budget was spent',
  }),
  askedAt: EpochMs('Server time'),
  latencyMs: Nullable(Count('Milliseconds; null when nothing was asked')),
  usage: Nullable(
    Type.Object({ promptTokens: Count('Tokens read'), completionTokens: Count('Tokens written') }),
  ),
  money: Type.Number({ minimum: 0, description: 'By the agent’s `price`' }),
  costIsEstimated: Nullable(
    Type.Boolean({
      description:
        'Whether the server reported no usage, so that `money` and the budget go by the length of the texts; null when no model was asked, and for calls before this was recorded',
    }),
  ),
  credentialId: Nullable(Type.String({ description: 'Null for the scripted provider' })),
  model: Nullable(
    Type.String({
      description:
        'The model that was asked for, as in the credential; null when no model was asked, and for calls before this was recorded',
    }),
  ),
  sampling: Nullable(
    FreeObject('As asked for: `maxTokens`, and `temperature`, `topP` and `seed` where the agent sets them'),
  ),
  servedModel: Nullable(
    Type.String({ description: 'What the server says has answered, which may be another version' }),
  ),
  promptHash: Nullable(Type.String({ description: 'SHA-256 of the request' })),
  request: Type.Unknown({ description: 'What was sent, without the key; null when nothing was asked' }),
  reply: Type.Unknown({ description: 'What the server answered, shortened where it is very long' }),
  error: Nullable(Type.String({ description: 'Why it was not applied' })),
  synthetic: Type.Optional(Type.Literal(true, { description: 'In a pilot; absent in rooms with people' })),
})
export type AgentTurnRecord = Type.Static<typeof AgentTurnRecord>

export const agentTurnsPerPage = { min: 1, max: 100, usual: 20 } as const

const AgentTurnPage = Type.Object({
  turns: Type.Array(AgentTurnRecord, {
    description: 'Newest first; fewer than `limit` where requests and replies are very long',
  }),
  next: Nullable(Type.String({ description: 'Value of `before` for the next page; null on the last page' })),
})
export type AgentTurnPage = Type.Static<typeof AgentTurnPage>

const viewer = {
  tag: 'Agents',
  envelope: 'plain',
  auth: 'researcher',
  access: 'view',
  method: 'GET',
} as const

export const agentTurnRoutes = {
  export: defineRoute({
    ...viewer,
    work: 'export',
    path: '/api/experiments/:experimentId/agent-turns',
    summary: 'Export every call of a model, with request and reply',
    description: 'In the order in which the models were asked. Keys of model servers are in none of it.',
    params: Type.Object({ experimentId: Type.String() }),
    query: Type.Object({
      format: Type.Optional(Type.Literal('jsonl')),
      roomId: Type.Optional(
        Type.String({
          pattern: '^room_[A-Za-z0-9_-]{1,64}$',
          description: 'Only this room; all of the experiment when absent',
        }),
      ),
      synthetic: Type.Optional(Synthetic),
    }),
    success: {
      status: 200,
      schema: AgentTurnRecord,
      contentType: 'application/x-ndjson',
      description: 'One call per line',
    },
  }),
  ofRoom: defineRoute({
    ...viewer,
    path: '/api/room/:roomId/agent-turns',
    summary: 'List what the agents of a room were asked and answered',
    description: 'Also for rooms that have ended, and for pilots.',
    params: Type.Object({ roomId: Type.String() }),
    query: Type.Object({
      limit: Type.Optional(WholeNumber(agentTurnsPerPage, 'Maximum number of results')),
      before: Type.Optional(
        Type.String({
          pattern: '^[0-9]{1,15}\\.[A-Za-z0-9_-]{1,64}$',
          description: 'The `next` value of the previous page',
        }),
      ),
    }),
    success: { status: 200, schema: AgentTurnPage, description: 'Newest first' },
  }),
} as const
