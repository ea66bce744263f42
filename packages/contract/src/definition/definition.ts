import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { identifierPattern } from '../name-patterns.ts'
import { Paradata } from '../paradata.ts'
import { RecordOf } from '../record-of.ts'
import { FreeObject, Name, Prose } from '../text.ts'
import { About } from './about.ts'
import { Agent, AgentBudget, Disclosure } from './agents.ts'
import { Appearance } from './appearance.ts'
import { Completion } from './completion.ts'
import { Conditions } from './conditions.ts'
import { Dropout } from './dropout.ts'
import { Matching } from './matching.ts'
import { Network } from './network.ts'
import { languagePattern, ParticipantText } from './participant-text.ts'
import { Recruiting } from './recruiting.ts'
import { Role } from './roles.ts'
import { Stage } from './stage.ts'
import { Block, GlobalComponent, maxRoles, State, timeLimit } from './state.ts'
import { TrialTables } from './trials.ts'

const Strict = { additionalProperties: false }
const Positive = (description: string) => Type.Integer({ minimum: 1, maximum: 10_000_000, description })

/** The long form of a variable. The short form is the initial value of a room variable. */
export const Variable = Type.Object(
  {
    scope: Type.Optional(
      Type.Enum(['room', 'participant'], {
        description: 'Whether the room or each participant has it; room when absent',
      }),
    ),
    initial: Type.Optional(
      Type.Unknown({
        description:
          'Initial value, or `{"expression": "…"}`, which is evaluated once, such as `drawInt(1, 6)`; null when absent',
      }),
    ),
    compute: Type.Optional(
      Name(2_000, 'Expression that always gives its value; such a variable cannot be assigned'),
    ),
    secret: Type.Optional(Type.Boolean({ description: 'Hidden from participants; false when absent' })),
  },
  { ...Strict, description: 'A variable' },
)
export type Variable = Type.Static<typeof Variable>

const longForm = ['scope', 'initial', 'compute', 'secret']

/** A declaration in its long form, whichever form it was written in. */
export const variableOf = (declared: unknown): Variable =>
  typeof declared === 'object' && declared !== null && longForm.some((name) => Object.hasOwn(declared, name))
    ? (declared as Variable)
    : { initial: declared }

/** The expression that gives an initial value, if one does. */
export function initialExpressionOf(initial: unknown): string | undefined {
  if (typeof initial !== 'object' || initial === null) return undefined
  const [[name, text] = [], ...more] = Object.entries(initial)
  return name === 'expression' && typeof text === 'string' && more.length === 0 ? text : undefined
}

export const Consent = Type.Object(
  {
    text: Type.Optional(ParticipantText(Prose(100_000, 'What the participant agrees to'))),
    minReadMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3_600_000,
        title: 'Reading time',
        description: 'Minimum reading time before the participant can agree; none when absent',
      }),
    ),
    requireScroll: Type.Optional(
      Type.Boolean({
        title: 'Read to the end',
        description: 'The participant must scroll to the end of the text before agreeing; false when absent',
      }),
    ),
    sendsTextToModels: Type.Optional(
      Type.Boolean({
        description:
          'Participants’ text is sent to a language model; required for agents; false when absent. Where an agent may take over a seat (`replaces`), the answers of the person who left are sent too: say so in the text',
      }),
    ),
  },
  {
    ...Strict,
    description:
      'A page that asks for consent before the first state and before the wait. Until people have agreed, the server accepts nothing else from them; no consent page when absent',
  },
)

/** R48 */
export const Withdrawal = Type.Enum(['identity', 'all'], {
  description:
    'What participants may delete themselves, on their last page: `identity`, who they are, or `all`, what they did as well; nothing when absent',
})

/** R23a: the smallest definition is a name and one state; everything else has a default. */
export const ExperimentDefinition = Type.Object(
  {
    name: ParticipantText(Name(200, 'Name shown to participants and researchers')),
    languages: Type.Optional(
      Type.Array(Type.String({ pattern: languagePattern, description: 'A language tag, e.g. `de`' }), {
        minItems: 1,
        maxItems: 20,
        description:
          'Languages of the texts, the first for people who prefer none of them; any text for participants may then be `{"en": …, "de": …}`; only `en` when absent',
      }),
    ),
    description: Type.Optional(Prose(20_000, 'For researchers; participants do not see it')),
    summary: Type.Optional(
      Prose(
        500,
        'What the study is about, in a sentence or two, for people who choose from the list of studies',
      ),
    ),
    minutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_440,
        description: 'How long the study usually takes, for people who choose from the list of studies',
      }),
    ),
    listed: Type.Optional(
      Type.Boolean({
        description:
          'Whether the study is in the list of studies while it recruits; its link works in either case; true when absent',
      }),
    ),
    about: Type.Optional(About),
    appearance: Type.Optional(Appearance),
    states: Type.Optional(
      Type.Array(State, {
        minItems: 1,
        maxItems: limits.definition.states,
        description: 'The steps of the experiment, in order; absent where there are `stages`',
      }),
    ),
    stages: Type.Optional(
      Type.Array(Stage, {
        minItems: 1,
        maxItems: limits.definition.stages,
        description:
          'The stages of the experiment, in order: each says who shares a room and which states are played there. Between two stages people wait for their next room; variables of participants, their consent and what they have earned go with them. Instead of `states`, `blocks`, `roles`, `matching` and `dropout`; one stage when absent',
      }),
    ),
    globalComponents: Type.Optional(
      Type.Array(GlobalComponent, { maxItems: 100, description: 'Components shown across states' }),
    ),
    roles: Type.Optional(
      Type.Array(Role, {
        maxItems: maxRoles,
        description: 'Roles that a participant can take; only `participant` when absent',
      }),
    ),
    variables: Type.Optional(
      RecordOf(Type.String({ pattern: identifierPattern }), Type.Unknown(), {
        description: 'Name → initial value, or an object with `scope`, `initial`, `compute`, `secret`',
        additionalProperties: false,
        maxProperties: limits.definition.variables,
      }),
    ),
    conditions: Type.Optional(Conditions),
    blocks: Type.Optional(
      Type.Array(Block, {
        maxItems: 100,
        description: 'States played in random order or for several rounds',
      }),
    ),
    tables: Type.Optional(TrialTables),
    timeLimit: Type.Optional(timeLimit('How long the whole study may take, in the room', 'to the end')),
    pacing: Type.Optional(
      Type.Enum(['participant', 'room'], {
        description: 'Whether each participant proceeds individually or the room proceeds together',
      }),
    ),
    access: Type.Optional(
      Type.Enum(['anyone', 'signed_in'], {
        description:
          'Who can join: `anyone` with the link, even without an account, or only people who have `signed_in`; anyone when absent',
      }),
    ),
    capacity: Type.Optional(
      Positive('Maximum number of participants, including those who have completed; unlimited when absent'),
    ),
    matching: Type.Optional(Matching),
    network: Type.Optional(Network),
    agents: Type.Optional(
      Type.Array(Agent, {
        maxItems: limits.definition.agents,
        description: 'Language-model agents that take part',
      }),
    ),
    agentInstructions: Type.Optional(
      Prose(50_000, 'Told to every agent, before its own instructions; participants do not see it'),
    ),
    agentBudget: Type.Optional(
      AgentBudget(
        'What all rooms of the experiment together may use, pilots excepted; once spent, the fallback of each agent applies',
      ),
    ),
    disclosure: Type.Optional(Disclosure),
    dropout: Type.Optional(Dropout),
    consent: Type.Optional(Consent),
    completion: Type.Optional(Completion),
    withdrawal: Type.Optional(Withdrawal),
    identityDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3_650,
        title: 'Days until identities are deleted',
        description:
          'Days from the end of a participation until the platform deletes who the person was: their account, what their link carried, address and browser. What they did stays; never deleted when absent',
      }),
    ),
    paradata: Type.Optional(Paradata),
    recruiting: Type.Optional(Recruiting),
    metadata: Type.Optional(FreeObject('Free-form notes of the researcher; not used by the platform')),
  },
  { ...Strict, description: 'The definition of an experiment' },
)
/** As its author wrote it: with `states`, or with `stages`. */
export type WrittenDefinition = Type.Static<typeof ExperimentDefinition>
/** With states: of the whole study, or of one stage of it. */
export type ExperimentDefinition = WrittenDefinition & { states: State[] }

/** How many people share a room. Capped here too, because earlier versions stored larger groups. */
export const groupSizeOf = (
  definition: Pick<ExperimentDefinition, 'matching'>,
): { min: number; max: number } => {
  const size = definition.matching?.groupSize ?? 1
  const { min, max } = typeof size === 'number' ? { min: size, max: size } : size
  const limit = limits.definition.groupSize
  return { min: Math.min(min, limit), max: Math.min(max, limit) }
}

/** The role of participants who take any role, and of everyone in an experiment without roles. */
export const anyRole = 'participant'

export const roleIdsOf = ({ roles = [] }: Pick<ExperimentDefinition, 'roles'>): string[] =>
  roles.map((role) => (typeof role === 'string' ? role : role.id))

export interface RoleQuota {
  id: string
  min: number
  /** Infinity when the role sets no limit. */
  max: number
}

/** The places of each role that are left for people: agents with seats take theirs first. Roles without any are left out. */
export function rolesOfPeople({
  roles = [],
  agents = [],
}: Pick<ExperimentDefinition, 'roles' | 'agents'>): RoleQuota[] {
  return roles.flatMap((role) => {
    const { id, min = 0, max = Infinity } = typeof role === 'string' ? { id: role } : role
    const taken = agents.reduce((sum, agent) => sum + (agent.role === id ? (agent.seats ?? 0) : 0), 0)
    return max <= taken ? [] : [{ id, min: Math.max(0, min - taken), max: max - taken }]
  })
}
