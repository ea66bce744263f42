import { Type } from 'typebox'
import { ExperimentDefinition } from '../definition/definition.ts'
import { ValidationIssue } from '../error-schemas.ts'
import { ExportQuery, exportFormats } from '../exports/query.ts'
import { ExportedIdentity, exportTables } from '../exports/tables.ts'
import { RecordOf } from '../record-of.ts'
import { SessionPseudonym, SessionReference } from '../session.ts'
import { Count, EpochMs, IsoTime } from '../text.ts'
import { ExperimentAccess } from './access.ts'
import { WholeNumber } from './query.ts'
import { defineRoute } from './route.ts'

export const experimentStatuses = ['draft', 'recruiting', 'paused', 'closed', 'archived'] as const
export type ExperimentStatus = (typeof experimentStatuses)[number]
export const ExperimentStatusSchema = Type.Enum(experimentStatuses)

/** R22: draft → recruiting ⇄ paused → closed → archived; closed may reopen. */
const statusChanges: Record<ExperimentStatus, readonly ExperimentStatus[]> = {
  draft: ['recruiting'],
  recruiting: ['paused', 'closed'],
  paused: ['recruiting', 'closed'],
  closed: ['recruiting', 'archived'],
  archived: [],
}
export const mayExperimentBecome = (from: ExperimentStatus, to: ExperimentStatus): boolean =>
  from === to || statusChanges[from].includes(to)

const head = {
  experimentId: Type.String(),
  name: Type.String(),
  status: ExperimentStatusSchema,
  revision: Type.Integer({ minimum: 1 }),
  isPublished: Type.Boolean({
    description:
      'Whether a revision was published by choice. If not, revision 1 is what the draft was begun with, and nobody can be recruited',
  }),
  availableSlots: Count('Places left; 2147483647 if the experiment has no capacity limit'),
}
/** Summary of an experiment as one researcher sees it. */
export const ExperimentHead = Type.Object({ ...head, access: ExperimentAccess })
export type ExperimentHead = Type.Static<typeof ExperimentHead>

const revised = {
  experimentId: Type.String(),
  revision: Type.Integer({ minimum: 1 }),
  status: ExperimentStatusSchema,
}
export const ExperimentRevised = Type.Object(revised)
export const DefinitionSaved = Type.Object({
  ...revised,
  warnings: Type.Array(ValidationIssue, { description: 'Valid, but possibly not what you intended' }),
  notes: Type.Optional(
    Type.Array(ValidationIssue, {
      description:
        'Good to know: what conditions and orders are balanced with, in numbers; absent from releases before 0.3',
    }),
  ),
})

const findingLevels = ['error', 'warning', 'note'] as const

/** What saving would refuse, let pass with a warning, or only say. */
export const DefinitionFinding = Type.Object({
  level: Type.Enum(findingLevels),
  ...ValidationIssue.properties,
})
export type DefinitionFinding = Type.Static<typeof DefinitionFinding>

const DefinitionChecked = Type.Object({
  isValid: Type.Boolean({ description: 'Whether it could be saved: there are no errors' }),
  findings: Type.Array(DefinitionFinding, {
    description:
      'At most 100 errors and warnings, errors first; then notes, which are nothing to correct. Warnings and notes are looked for once there are no errors.',
  }),
})
export type DefinitionChecked = Type.Static<typeof DefinitionChecked>

export const ExperimentMonitor = Type.Object({
  experimentId: Type.String(),
  status: ExperimentStatusSchema,
  revision: Type.Integer({ minimum: 1 }),
  availableSlots: head.availableSlots,
  participants: Type.Object({
    total: Count('Participants who have joined'),
    active: Count('Participants still taking part, with an active session, in no room that rests'),
    completed: Count('Participants who ended with SUCCESS or with an outcome that the experiment defines'),
  }),
  outcomes: RecordOf(Type.String(), Count('Participants'), {
    description: 'Number of participants by outcome, for the 100 most frequent outcomes',
  }),
  openRooms: Count('Rooms with at least one active participant'),
  events: Count('Stored events of people and of the agents that play with them'),
  sessionsWithGaps: Count('Completed sessions for which the client reported more events than are stored'),
  lastEventAt: Type.Union([IsoTime('When the latest event was received'), Type.Null()]),
})
export type ExperimentMonitor = Type.Static<typeof ExperimentMonitor>

/** At most a week: counts by time are not kept for longer. */
export const activityMinutes = { min: 1, max: 10_080, usual: 60 } as const

export const ExperimentActivity = Type.Object({
  from: EpochMs('Start of the first bucket'),
  to: EpochMs('End of the last bucket, which is the current one'),
  bucketMs: Type.Integer({ minimum: 1, description: 'Length of a bucket, in milliseconds' }),
  buckets: Type.Array(
    Type.Object({
      at: EpochMs('Start of the bucket'),
      joined: Count('Participants who joined for the first time'),
      completed: Count('Participants who completed, with any outcome'),
      events: Count('Events received, including room events'),
    }),
    { description: 'Oldest first, including empty buckets' },
  ),
})
export type ExperimentActivity = Type.Static<typeof ExperimentActivity>

const ExperimentParams = Type.Object({ experimentId: Type.String() })
const researcher = { tag: 'Experiments', envelope: 'plain', auth: 'researcher' } as const
const viewer = { ...researcher, access: 'view' } as const
const editor = { ...researcher, access: 'edit' } as const

export const experimentRoutes = {
  create: defineRoute({
    ...researcher,
    work: 'check',
    method: 'POST',
    path: '/api/experiments',
    summary: 'Create a draft experiment from a definition',
    body: ExperimentDefinition,
    success: { status: 201, schema: DefinitionSaved, description: 'The first revision' },
  }),
  begin: defineRoute({
    ...researcher,
    work: 'check',
    method: 'POST',
    path: '/api/experiments/drafts',
    summary: 'Begin an experiment as a draft, with nothing published',
    description:
      'Any JSON is accepted. Nobody can be recruited until the draft has been published. Revision 1 is what was sent, or an empty study of the same name if that is not valid yet.',
    body: Type.Object({ definition: Type.Unknown({ description: 'What to begin with' }) }),
    success: {
      status: 201,
      schema: Type.Object({
        ...revised,
        isValid: Type.Boolean({ description: 'Whether it could be published as it is' }),
        version: Type.Integer({ minimum: 1, examples: [1], description: 'The version of the draft' }),
      }),
      description: 'The experiment and its draft',
    },
  }),
  check: defineRoute({
    ...researcher,
    work: 'check',
    method: 'POST',
    path: '/api/experiments/check',
    summary: 'Check a definition for a new experiment, without saving it',
    description: 'Finds exactly what saving would refuse or warn about.',
    body: ExperimentDefinition,
    success: { status: 200, schema: DefinitionChecked, description: 'What was found' },
  }),
  checkRevision: defineRoute({
    ...editor,
    work: 'check',
    method: 'POST',
    path: '/api/experiments/:experimentId/check',
    summary: 'Check a definition for a revision, without saving it',
    description:
      'As for a new experiment, and with what the revision may use because the experiment already does.',
    params: ExperimentParams,
    body: ExperimentDefinition,
    success: { status: 200, schema: DefinitionChecked, description: 'What was found' },
  }),
  list: defineRoute({
    ...researcher,
    method: 'GET',
    path: '/api/experiments',
    keys: 'filtered',
    summary: 'List the experiments that you can see',
    description:
      'Returns your own experiments, those shared with you, and the examples. Admins see all experiments. With an API key that is limited to some experiments, returns only those.',
    success: {
      status: 200,
      schema: Type.Object({ experiments: Type.Array(ExperimentHead) }),
      description: 'Newest first',
    },
  }),
  read: defineRoute({
    ...viewer,
    method: 'GET',
    path: '/api/experiments/:experimentId',
    summary: 'Read an experiment with its current definition',
    params: ExperimentParams,
    success: {
      status: 200,
      schema: Type.Object({ ...head, access: ExperimentAccess, definition: ExperimentDefinition }),
      description: 'The experiment',
    },
  }),
  revise: defineRoute({
    ...editor,
    work: 'check',
    method: 'PUT',
    path: '/api/experiments/:experimentId',
    summary: 'Replace the definition with a new, immutable revision',
    description:
      'Participants stay on the revision that was current when they joined. With `basedOn`, nothing that somebody else has saved since is replaced unseen.',
    params: ExperimentParams,
    query: Type.Object({
      basedOn: Type.Optional(
        Type.String({
          pattern: '^[1-9][0-9]{0,8}$',
          description: 'The revision that was edited: refused if it is no longer the newest one',
        }),
      ),
    }),
    body: ExperimentDefinition,
    success: { status: 200, schema: DefinitionSaved, description: 'The new revision' },
    errors: ['STATUS_CONFLICT', 'REVISION_CONFLICT', 'VIDEO_FAILED'],
  }),
  changeStatus: defineRoute({
    ...editor,
    method: 'POST',
    path: '/api/experiments/:experimentId/status',
    summary: 'Change the status',
    params: ExperimentParams,
    body: Type.Object({
      status: ExperimentStatusSchema,
      revision: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 2_147_483_647,
          description: 'The revision that people are to get: refused if it is not the newest one',
        }),
      ),
    }),
    success: { status: 200, schema: ExperimentRevised, description: 'The updated experiment' },
    errors: ['STATUS_CONFLICT', 'REVISION_CONFLICT', 'NOT_PUBLISHED', 'VIDEO_FAILED', 'CREDENTIAL_MISSING'],
  }),
  remove: defineRoute({
    ...researcher,
    access: 'owner',
    method: 'DELETE',
    path: '/api/experiments/:experimentId',
    summary: 'Delete an experiment that has never recruited',
    description:
      'With its revisions, its draft and what agents played in it alone. One that has recruited holds what people did, and can only be archived.',
    params: ExperimentParams,
    success: {
      status: 200,
      schema: Type.Object({ experimentId: Type.String() }),
      description: 'It is gone',
    },
    errors: ['STATUS_CONFLICT', 'ACTION_REFUSED'],
  }),
  export: defineRoute({
    ...viewer,
    work: 'export',
    method: 'GET',
    path: '/api/experiments/:experimentId/export',
    summary: 'Export the data: events, or a table made of them',
    description:
      'People in the order of joining, and agents that play with them in the order in which they got their seats; the rows of each in chronological order. `agent_turns` is in the order in which models were asked. CSV and Parquet have the same columns, named in snake_case.',
    params: ExperimentParams,
    query: ExportQuery,
    success: {
      status: 200,
      schema: Type.Union([...Object.values(exportTables), ExportedIdentity]),
      contentType: exportFormats.jsonl.contentType,
      furtherContentTypes: [
        exportFormats.csv.contentType,
        exportFormats.parquet.contentType,
        exportFormats['psych-ds'].contentType,
      ],
      description: 'One row per line, of the table that was asked for',
    },
  }),
  monitor: defineRoute({
    ...viewer,
    method: 'GET',
    path: '/api/experiments/:experimentId/monitor',
    summary: 'Get the current counts of an experiment',
    params: ExperimentParams,
    success: { status: 200, schema: ExperimentMonitor, description: 'Current counts' },
  }),
  activity: defineRoute({
    ...viewer,
    method: 'GET',
    path: '/api/experiments/:experimentId/activity',
    summary: 'Get recent activity as a time series',
    description:
      'Returns at most 120 buckets of equal length. Buckets start at round times, so the same bucket has the same bounds in every response.',
    params: ExperimentParams,
    query: Type.Object({
      minutes: Type.Optional(WholeNumber(activityMinutes, 'How far to look back, in minutes')),
    }),
    success: { status: 200, schema: ExperimentActivity, description: 'Current counts' },
  }),
  revokeSession: defineRoute({
    ...editor,
    auth: 'admin',
    method: 'POST',
    path: '/api/sessions/:sessionId/revoke',
    summary: 'Revoke a participant’s session',
    description: 'All instances refuse the session within 5 seconds.',
    params: Type.Object({ sessionId: SessionReference }),
    success: {
      status: 200,
      schema: Type.Object({ sessionId: SessionPseudonym, status: Type.Enum(['revoked', 'expired']) }),
      description: 'The session has ended; `expired` if it had already expired',
    },
    errors: ['SESSION_COMPLETED'],
  }),
} as const
