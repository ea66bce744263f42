import { type Static, type TSchema, Type } from 'typebox'
import { answerSources } from '../agents/answer-source.ts'
import { AgentTurnRecord } from '../agents/turns.ts'
import { inUnit } from '../components/annotations.ts'
import { dropReasons } from '../definition/outcomes.ts'
import { ExportedEvent } from '../event.ts'
import { answerParadata, deviceParadata } from '../paradata.ts'
import { unanswerableReasons } from '../room/actions.ts'
import { SessionPseudonym } from '../session.ts'
import { Count, FreeObject, IsoTime } from '../text.ts'
import { ExportedVariable } from './codebook.ts'
import { columnsOf, type ExportColumn } from './columns.ts'
import { Nullable, times, who } from './common-columns.ts'
import { ExportedTrial } from './trials.ts'

const event = ExportedEvent.properties

/** R61, R91 */
const missingReasons = ['not_shown', 'timed_out', 'left', 'skipped', ...unanswerableReasons] as const

const { seq, stateId, componentId, round, visit, origin, roomSeq, timestamp, receivedAt, synthetic } = event

/** R93: null where the study does not collect it, and where the page did not say. */
const nullable = <Fields extends Record<string, TSchema>>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Nullable(schema)])) as {
    [Name in keyof Fields]: ReturnType<typeof Nullable<Fields[Name]>>
  }

/** R88, R92: on rows about a person. */
const language = Nullable(
  Type.String({
    description:
      'The language in which they read the study; null for agents, and for people who joined before this was kept',
  }),
)

/** Of a block with thousands of rounds, nobody compares more by eye, and every row would repeat it. */
export const plannedStatesAtMost = 1_000

/** R47: a row for each answer, oldest first per participant. */
export const ExportedResponse = Type.Object({
  ...who,
  seq,
  stateId,
  componentId,
  round,
  visit,
  target: Nullable(
    Type.String({
      description:
        'Alias of the member of the room that the answer is about, where the component is asked for each other member; null for all other components',
    }),
  ),
  value: Type.Unknown({ description: 'The answer' }),
  valueNumber: Nullable(Type.Number({ description: 'The answer if it is a number' })),
  valueText: Nullable(Type.String({ description: 'The answer if it is a text' })),
  responseTimeMs: Nullable(
    inUnit(
      'ms',
      Type.Number({
        description:
          'From the first paint in which the component was visible to the last change of the answer, as measured by the page. Flagged with `implausible_time` if it cannot be true',
      }),
    ),
  ),
  firstInteractionMs: Nullable(
    inUnit(
      'ms',
      Type.Number({ description: 'From that paint to the first focus, press or key in the component' }),
    ),
  ),
  changes: Nullable(Count('How often the answer was changed before it was sent')),
  ...nullable(answerParadata.focus),
  ...nullable(answerParadata.paste),
  ...nullable(answerParadata.typing),
  ...nullable(answerParadata.network),
  answerSource: Nullable(
    Type.Enum(answerSources, {
      description:
        'Who answered: `person`; `model`: a model, at once; `retry`: a model, after its first reply was not valid; `fallback`: drawn at random for an agent without a valid reply; `script`: an agent without a model; `inherited`: the person whose seat the agent took over, who has this answer in a row of their own. Null for agents in rooms that were played before this was recorded',
    }),
  ),
  missing: Nullable(
    Type.Enum(missingReasons, {
      description:
        'Why there is no answer; null if there is one. `not_shown`: the component was not shown to this participant, also because its block was skipped (`visit` is null then); `timed_out`: the state was over before they were done: its time was up, or a researcher, another member or the end of the room ended it; `left`: they had vanished, left or been removed; `skipped`: they went on without answering, or ended the state themselves; `not_loaded`: the picture that was asked about did not load on their device, and they went on without it. Only in rooms, and for components of the state that their role sees',
    }),
  ),
  score: Nullable(Type.Number({ description: 'Points, where the component scores answers' })),
  result: Type.Unknown({ description: 'What the participant was told about the answer; null if nothing' }),
  timestamp,
  receivedAt,
  ...times,
  language,
  origin,
  roomSeq,
  flags: event.flags,
  synthetic,
})

/** R47: a row for each chat message, under whoever wrote it. */
export const ExportedMessage = Type.Object({
  ...who,
  seq,
  stateId,
  componentId,
  round,
  visit,
  messageId: Nullable(Type.String({ description: 'Unique in the room' })),
  text: Type.String({ description: 'The message' }),
  timestamp,
  receivedAt,
  ...times,
  roomSeq,
  synthetic,
})

/** R47: a row for each state that a participant entered. */
export const ExportedStateVisit = Type.Object({
  ...who,
  seq,
  stateId: Type.String({ description: 'The state that was entered' }),
  round,
  visit,
  occurrence: Type.Integer({
    minimum: 1,
    description: 'How often the participant had entered this state in this round, this time included',
  }),
  enteredAt: IsoTime(
    'On the server’s clock. What a page says is its `clientTime` and `clockOffsetMs` together, or the `serverTime` where the offset is unknown',
  ),
  leftAt: Nullable(IsoTime('On the same clock; null if they never left it')),
  durationMs: Nullable(inUnit('ms', Type.Number({ description: 'Time between the two' }))),
  pausedMs: Nullable(
    inUnit(
      'ms',
      Type.Number({
        description:
          'How much of that time a researcher had paused the room: the time in which the participant could act is the duration less this. Null for what a page says',
      }),
    ),
  ),
  wasPresent: Nullable(
    Type.Boolean({
      description:
        'Whether the participant was connected at any time during the visit; somebody who has vanished is taken along by the room without being there. Null for what a page says',
    }),
  ),
  outerRounds: Type.Unknown({
    description:
      'Of a state in a block that is itself in a block: the rounds of the blocks around, from the outermost, each with ‘block’ and ‘round’; null elsewhere. Rows of other tables have the same ‘visit’',
  }),
  componentOrder: Type.Unknown({
    description:
      'Ids of the components in the order of this participant, where the state shows them in random order; null elsewhere',
  }),
  nextStateId: Nullable(Type.String({ description: 'The state they went to; null at the end' })),
  ...times,
  origin,
  roomSeq,
  synthetic,
})

/** R47: a row for each participant. Columns for variables, payoffs and answers follow, as the study has them. */
export const ExportedParticipant = Type.Object(
  {
    participantId: event.participantId,
    sessionIds: Type.Array(SessionPseudonym, {
      description: 'Pseudonyms of their sessions, oldest first: more than one if they came back',
    }),
    revision: event.revision,
    roomId: event.roomId,
    condition: event.condition,
    role: event.role,
    alias: event.alias,
    agent: event.agent,
    groupMembers: Type.Array(Type.String(), {
      description: 'Participant ids of the others in the room, agents included',
    }),
    outcome: Nullable(
      Type.String({ description: 'How the participation ended; null while it is undecided' }),
    ),
    completionCode: Nullable(Type.String({ description: 'The code they were given at the end' })),
    droppedAt: Nullable(
      IsoTime(
        'When people who did not complete were last here; null for those who completed or are still taking part',
      ),
    ),
    droppedState: Nullable(
      Type.String({
        description: 'The state they were in then; null if they were in none, or it is unknown',
      }),
    ),
    dropReason: Nullable(
      Type.Enum(dropReasons, {
        description:
          'Why they did not complete. `declined`: no consent; `withdrawn`: took their consent back; `not_matched`: the wait for a group ended without one; `screened_out`; `disconnected`: vanished; `left`: on their own; `removed`: by a researcher; `partner_left`: somebody else stopped; `timed_out`: a deadline led to the end; `quota_full`; `ended`: the room or study was ended',
      }),
    ),
    joinedAt: IsoTime('When they joined, or when the agent got its seat'),
    consentedAt: Nullable(
      IsoTime(
        'When they gave the `consent` of the definition; null without one. Answers to a consent component are in its own column',
      ),
    ),
    completedAt: Nullable(IsoTime('When they completed; null if they have not')),
    durationMs: Nullable(inUnit('ms', Count('Time from joining to completing'))),
    eventCount: Count('Number of their events'),
    paymentAmount: Nullable(
      Type.Number({
        description:
          'What is due to them in all, as in the table `payments`; null for agents, and if the revision declares no payment',
      }),
    ),
    paymentCurrency: Nullable(Type.String({ description: 'ISO 4217' })),
    language,
    softwareVersion: Nullable(
      Type.String({
        description:
          'Version of the platform that served their newest session; null for agents and before this was kept',
      }),
    ),
    synthetic,
  },
  { additionalProperties: Type.Unknown() },
)

const { usage: _nested, request, reply, error, synthetic: ofPilot, ...turn } = AgentTurnRecord.properties

/** R47: a row for each call of a model: as R45 has it, with the tokens in columns. */
export const ExportedTurn = Type.Object({
  ...turn,
  promptTokens: Nullable(Count('Tokens read; null if unknown')),
  completionTokens: Nullable(Count('Tokens written; null if unknown')),
  request,
  reply,
  error,
  synthetic: ofPilot,
})

/** R47: a row for each report of a page on how far a video in step was from where the room was. */
export const ExportedPlaybackReport = Type.Object({
  ...who,
  seq,
  stateId,
  componentId,
  round,
  visit,
  driftMs: Nullable(
    inUnit(
      'ms',
      Type.Number({ description: 'The page’s position minus the room’s; positive if it was ahead' }),
    ),
  ),
  rttMs: Nullable(inUnit('ms', Type.Number({ description: 'Round trip of the clock measurement' }))),
  positionMs: Nullable(inUnit('ms', Type.Number({ description: 'The room’s position in the video' }))),
  timestamp,
  receivedAt,
  ...times,
  roomSeq,
  synthetic,
})

/** R93: a row for each report of a page on its device: one when it is loaded, and one when something of it has changed. */
const ExportedDevice = Type.Object({
  ...who,
  seq,
  ...nullable(deviceParadata.device),
  ...nullable(deviceParadata.network),
  timestamp,
  receivedAt,
  ...times,
  synthetic,
})

/** R47: a row for each person, by `completion.payment` of the revision that they joined. */
export const ExportedPayment = Type.Object({
  participantId: event.participantId,
  revision: event.revision,
  roomId: event.roomId,
  condition: event.condition,
  role: event.role,
  alias: event.alias,
  outcome: Nullable(Type.String({ description: 'How the participation ended; null while it is undecided' })),
  completionCode: Nullable(Type.String({ description: 'The code they were given at the end' })),
  completedAt: Nullable(IsoTime('When they completed; null if they have not')),
  isPaid: Nullable(
    Type.Boolean({ description: 'Whether their outcome is paid; null if the revision declares no payment' }),
  ),
  amount: Nullable(
    Type.Number({
      description:
        'What is due in all, rounded once to the smallest unit of the currency, as the study says; 0 if their outcome is not paid; null if the bonus is not known',
    }),
  ),
  amountUnrounded: Nullable(
    Type.Number({
      description:
        'The same before rounding: the base, and the variable or the picked rounds times the rate, within the bounds of the payment',
    }),
  ),
  base: Nullable(
    Type.Number({
      description: 'The fixed part of the amount, in whole units; 0 if their outcome is not paid',
    }),
  ),
  bonus: Nullable(
    Type.Number({
      description:
        'The rest of the amount, from the variable that the definition names, as it was when their part ended, or from the picked rounds; 0 if their outcome is not paid; null if it is no number',
    }),
  ),
  total: Nullable(Type.Number({ description: 'The same as `amount`, which earlier versions called this' })),
  pickedRounds: Type.Unknown({
    description: 'The rounds that were drawn for payment, as a list; null where no rounds are drawn',
  }),
  pickedValues: Type.Unknown({
    description: 'What each of them was worth, in points, before the rate; null where no rounds are drawn',
  }),
  currency: Nullable(Type.String({ description: 'ISO 4217' })),
})

/** R90: a row for each person whose room has begun, with what they were assigned then, whatever became of them. */
const ExportedAssignment = Type.Object({
  participantId: event.participantId,
  revision: event.revision,
  roomId: event.roomId,
  role: event.role,
  alias: event.alias,
  stage: Nullable(Type.String({ description: 'The stage of the study; null in a study without stages' })),
  seed: Type.String({
    description:
      'Seed of the assignment: that of the `conditions`, or the id of the experiment. Decides between cells that are filled equally',
  }),
  ordinal: Count(
    'Position of the room in the experiment, counted from 0; of the person, where everyone in a group has a condition or orders of their own',
  ),
  condition: event.condition,
  factors: Type.Unknown({
    description: 'By factor: the level in their condition; null in a study without factors',
  }),
  plannedOrder: Type.Unknown({
    description: `By block: the ids of its states in the order planned for this person, round after round, at most the first ${plannedStatesAtMost}. What they have really seen is in \`states\``,
  }),
  schedule: Type.Unknown({
    description: 'Planned partners of each round; null in a study that does not regroup people',
  }),
  assignedAt: Nullable(IsoTime('When their room began')),
  matchedBy: Nullable(
    Type.String({
      description:
        'How their group was found: `full`: with all its people; `short`: with fewer, at the deadline; `with_agents`: with agents in some seats; null for people who did not wait for others',
    }),
  ),
  waitedMs: Nullable(Count('How long they had waited when the group was found, in milliseconds')),
  part: Nullable(
    Count('Which part of `compose` they were in the group, counted from 0; null without `compose`'),
  ),
  peopleWaiting: Nullable(Count('People who were waiting at that moment, themselves included')),
  peopleConsidered: Nullable(
    Count(
      'Those of them among whom the group was sought: without a group, and not kept apart by an exclusion',
    ),
  ),
  peoplePassedOver: Nullable(
    Count('Those who had come before the last member of the group and stayed without one'),
  ),
})

const Seat = Type.Integer({ minimum: 1, description: 'Number of the seat in the network of the room' })

/** R72: a row for each time that two members of a room were joined, under the one with the lower seat number. */
const ExportedEdge = Type.Object({
  participantId: event.participantId,
  revision: event.revision,
  roomId: event.roomId,
  condition: event.condition,
  alias: event.alias,
  seat: Seat,
  neighbourId: Nullable(
    Type.String({ description: 'Participant id of the other end; null if they are no longer stored' }),
  ),
  neighbourAlias: Type.String({ description: 'Alias of the other end' }),
  neighbourSeat: Seat,
  fromTime: IsoTime('When they were joined'),
  fromStateId: Nullable(
    Type.String({ description: 'The state in which that was; null when the room began' }),
  ),
  fromRound: Nullable(Type.Integer({ description: 'The round in which that was; null when the room began' })),
  fromVisit: Nullable(
    Type.Integer({
      description:
        'The visit in which that was; null when the room began. They were neighbours in the visits after it, up to `untilVisit`',
    }),
  ),
  untilTime: Nullable(
    IsoTime('When they were parted, or somebody took over the seat of one of them; null if neither was'),
  ),
  untilStateId: Nullable(Type.String({ description: 'The state in which that was' })),
  untilRound: Nullable(Type.Integer({ description: 'The round in which that was' })),
  untilVisit: Nullable(Type.Integer({ description: 'The visit in which that was' })),
  synthetic,
})

/** R47: who the participants are. In a file of its own, for owners and administrators. */
export const ExportedIdentity = Type.Object({
  participantId: event.participantId,
  externalId: Nullable(Type.String({ description: 'Id on the recruiting platform, if the link had one' })),
  metadata: FreeObject('Everything that was sent on joining: further recruiting ids, and other parameters'),
  issuer: Type.String({
    description: 'Who vouched for them: the identity provider, or the platform for guests',
  }),
  subject: Type.String({ description: 'Their id there' }),
  attempt: Type.Integer({ minimum: 1, description: '1 for their first participation' }),
  revision: event.revision,
  joinedAt: IsoTime('When they joined'),
  outcome: Nullable(Type.String({ description: 'How the participation ended; null while it is undecided' })),
  completedAt: Nullable(IsoTime('When they completed; null if they have not')),
})

/** The columns of the identity file, which is no table that others could ask for. */
export const identityColumns = (): ExportColumn[] => columnsOf(ExportedIdentity)

/** What is known of every table before the study is. */
export const exportTables = {
  events: ExportedEvent,
  participants: ExportedParticipant,
  responses: ExportedResponse,
  trials: ExportedTrial,
  messages: ExportedMessage,
  states: ExportedStateVisit,
  payments: ExportedPayment,
  assignments: ExportedAssignment,
  playback: ExportedPlaybackReport,
  devices: ExportedDevice,
  edges: ExportedEdge,
  agent_turns: ExportedTurn,
  codebook: ExportedVariable,
} as const
export type ExportTable = keyof typeof exportTables
/** A row in JSON lines. */
export type ExportedRow<Table extends ExportTable> = Static<(typeof exportTables)[Table]>

/** The declared columns of a table. Those of `participants` and `trials` that follow from the study come after them. */
export const declaredColumns = (table: ExportTable): ExportColumn[] => columnsOf(exportTables[table])

/** The tables of data, which the codebook describes and an archive contains. */
export const exportedTables = (Object.keys(exportTables) as ExportTable[]).filter(
  (table) => table !== 'codebook',
)
