import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { RecordOf } from '../record-of.ts'
import { Name, Prose } from '../text.ts'
import { DefinitionId } from './state.ts'

const Strict = { additionalProperties: false }
const Ms = (longest: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: longest, description })
const hourMs = 3_600_000

/** How an agent times what it does, so that it reads like a person. */
const AgentPacing = Type.Object(
  {
    thinkMs: Type.Optional(Ms(hourMs, 'Shortest time before it acts, in milliseconds; 1500 when absent')),
    thinkSpreadMs: Type.Optional(
      Ms(
        hourMs,
        'Up to this much is added at random, in milliseconds; 1500 when absent. Where agents are hidden, mostly less than half of it, and now and then more than all of it, as with people',
      ),
    ),
    charactersPerSecond: Type.Optional(
      Type.Number({
        minimum: 1,
        maximum: 10_000,
        description:
          'How fast it types: a longer message arrives later, by 20 seconds at most; 12 when absent',
      }),
    ),
    minMessages: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description: 'Messages that it writes in a state with a chat before it continues; 0 when absent',
      }),
    ),
    maxReplies: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000,
        description: 'Messages that it writes at most in one visit to a state; 20 when absent',
      }),
    ),
    lullMs: Type.Optional(
      Type.Integer({
        minimum: 1_000,
        maximum: hourMs,
        description: 'A silence after which it looks again, in milliseconds; 20000 when absent',
      }),
    ),
  },
  { ...Strict, description: 'Thinking and typing time, and how much it writes' },
)

/** Of one agent, of all rooms of an experiment, or of a pilot: the description says of what. */
export const AgentBudget = (description: string) =>
  Type.Object(
    {
      turns: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description: 'Calls of the model' })),
      tokens: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000_000,
          description: 'Tokens, prompt and reply together',
        }),
      ),
      money: Type.Optional(
        Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, description: 'In the currency of `price`' }),
      ),
    },
    { ...Strict, description },
  )

const AgentPrice = Type.Object(
  {
    promptPerMillion: Type.Number({ minimum: 0, maximum: 1_000_000, description: 'Per million tokens read' }),
    replyPerMillion: Type.Number({
      minimum: 0,
      maximum: 1_000_000,
      description: 'Per million tokens written',
    }),
  },
  { ...Strict, description: 'What the model costs; nothing when absent' },
)

const Sampling = Type.Object(
  {
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2, description: 'Sampling temperature' })),
    topP: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'Nucleus sampling' })),
    maxTokens: Type.Optional(
      Type.Integer({ minimum: 16, maximum: 32_768, description: 'Longest reply; 1024 when absent' }),
    ),
    seed: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Sampling seed' })),
  },
  { ...Strict, description: 'How the model samples; the server’s defaults when absent' },
)

/** When an agent without a seat speaks. */
const SpeaksWhen = Type.Union(
  [
    Type.Object(
      { on: Type.Literal('lull'), afterMs: Type.Integer({ minimum: 1_000, maximum: hourMs }) },
      { ...Strict, description: 'After a silence' },
    ),
    Type.Object(
      { on: Type.Literal('every'), messages: Type.Integer({ minimum: 1, maximum: 100 }) },
      { ...Strict, description: 'After this many messages of participants' },
    ),
    Type.Object(
      {
        on: Type.Literal('keyword'),
        words: Type.Array(Name(100, 'A word or phrase; upper and lower case are the same'), {
          minItems: 1,
          maxItems: 50,
        }),
      },
      { ...Strict, description: 'After a message that contains one of these' },
    ),
    Type.Object(
      { on: Type.Literal('demand') },
      { ...Strict, description: 'Only when a researcher asks it to' },
    ),
  ],
  { description: 'When a mediator speaks; after every 5 messages when absent' },
)
export type SpeaksWhen = Type.Static<typeof SpeaksWhen>

/** A line of the scripted provider: what to do in a state, without a model. */
const ScriptLine = Type.Object(
  {
    state: Type.Optional(DefinitionId('The state it is for; every state when absent')),
    say: Type.Optional(
      Type.Array(
        Prose(4_000, 'A message; {{name}} is replaced by a variable, {{last}} by the last message'),
        {
          minItems: 1,
          maxItems: 100,
          description: 'What it writes in the chat: one of these per turn, in order, the last one again',
        },
      ),
    ),
    answers: Type.Optional(
      RecordOf(Type.String(), Type.Unknown(), {
        maxProperties: 1_000,
        description: 'Component → response; a response is drawn for those that are missing',
      }),
    ),
  },
  { ...Strict, description: 'What a scripted agent does' },
)

export const agentFallbacks = ['skip', 'default', 'leave'] as const
export type AgentFallback = (typeof agentFallbacks)[number]

/** The provider that needs no model: for demonstrations, tests and pilots. */
export const scriptedProvider = 'Scripted'

/** R43: an agent of an experiment: a persona, who runs its model, and where it takes part. */
export const Agent = Type.Object(
  {
    id: DefinitionId('Unique among the agents'),
    name: Name(200, 'What participants call it, where agents are disclosed'),
    credentialId: Type.Optional(Name(100, 'The model server that it uses')),
    provider: Type.Optional(
      Type.Literal(scriptedProvider, {
        description: 'Instead of a credential: plays `script`, without a model',
      }),
    ),
    script: Type.Optional(
      Type.Array(ScriptLine, { maxItems: 100, description: 'For `Scripted`; the first that applies counts' }),
    ),
    role: Type.Optional(DefinitionId('The role of its seats; any when absent')),
    seats: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: limits.definition.agentSeats,
        description:
          'Seats it takes in every room from the start, on top of `groupSize`; they count towards `min` and `max` of its role; 0 when absent',
      }),
    ),
    fills: Type.Optional(
      Type.Boolean({ description: 'It may fill seats at the deadline of matching; false when absent' }),
    ),
    replaces: Type.Optional(
      Type.Boolean({ description: 'It may take the seat of a drop-out; false when absent' }),
    ),
    mediates: Type.Optional(
      Type.Array(Name(200, 'Id of a chat'), {
        minItems: 1,
        maxItems: 20,
        description: 'Instead of a seat: the chats that it reads and speaks in; nobody waits for it',
      }),
    ),
    speaks: Type.Optional(SpeaksWhen),
    sees: Type.Optional(
      Type.Array(Name(64, 'A variable'), {
        maxItems: 100,
        description:
          'For a mediator: variables that it is told, those of each participant included; none when absent',
      }),
    ),
    instructions: Prose(50_000, 'Who it is and how it behaves'),
    language: Type.Optional(Name(100, 'The language it writes in; that of the others when absent')),
    sampling: Type.Optional(Sampling),
    pacing: Type.Optional(AgentPacing),
    budget: Type.Optional(
      AgentBudget(
        'What this agent may use in one room, in each of its seats; once spent, its fallback applies',
      ),
    ),
    price: Type.Optional(AgentPrice),
    fallback: Type.Optional(
      Type.Enum(agentFallbacks, {
        description:
          'What happens when no valid reply comes: `skip`: nobody waits for it in this state; `default`: responses are drawn for it; `leave`: it leaves; `skip` when absent',
      }),
    ),
  },
  { ...Strict, description: 'A language-model agent that takes part' },
)
export type Agent = Type.Static<typeof Agent>

export const Disclosure = Type.Object(
  {
    agents: Type.Enum(['named', 'hidden'], {
      description: 'Whether participants see which seats are agents',
    }),
  },
  { ...Strict, description: 'What participants are told about agents; `named` when absent' },
)

/** A pacing with everything filled in. */
export const pacingOf = ({ pacing = {} }: Pick<Agent, 'pacing'>) => ({
  thinkMs: pacing.thinkMs ?? 1_500,
  thinkSpreadMs: pacing.thinkSpreadMs ?? 1_500,
  charactersPerSecond: pacing.charactersPerSecond ?? 12,
  minMessages: pacing.minMessages ?? 0,
  maxReplies: pacing.maxReplies ?? 20,
  lullMs: pacing.lullMs ?? 20_000,
})

/** Whether it ever sits in a room, as a person does. */
export const takesSeats = ({ seats = 0, fills, replaces }: Agent): boolean =>
  seats > 0 || fills === true || replaces === true

/** Whether one of its seats may have this role. */
export const canTakeRole = ({ role }: Pick<Agent, 'role'>, id: string): boolean =>
  role === undefined || role === id

/** When a mediator speaks. */
export const speaksOf = ({ speaks }: Pick<Agent, 'speaks'>): SpeaksWhen =>
  speaks ?? { on: 'every', messages: 5 }

/** Whether what participants write leaves the platform for this agent. */
export const usesModel = ({ provider }: Pick<Agent, 'provider'>): boolean => provider !== scriptedProvider
