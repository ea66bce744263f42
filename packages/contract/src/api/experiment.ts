import { Type } from 'typebox'
import { ExperimentDefinition } from '../definition/definition.ts'
import { ValidationIssue } from '../errors.ts'
import { ExportedEvent } from '../event.ts'
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
  availableSlots: Count('Places left; 2147483647 when the experiment has no capacity'),
}
/** An experiment in short, as one researcher sees it. */
export const ExperimentHead = Type.Object({ ...head, access: ExperimentAccess })
export type ExperimentHead = Type.Static<typeof ExperimentHead>

const revised = {
  experimentId: Type.String(),
  revision: Type.Integer({ minimum: 1 }),
  status: ExperimentStatusSchema,
}
export const ExperimentRevised = Type.Object(revised)
const DefinitionSaved = Type.Object({
  ...revised,
  warnings: Type.Array(ValidationIssue, { description: 'Not wrong, but perhaps not meant' }),
})

export const ExperimentMonitor = Type.Object({
  experimentId: Type.String(),
  status: ExperimentStatusSchema,
  revision: Type.Integer({ minimum: 1 }),
  availableSlots: head.availableSlots,
  participants: Type.Object({
    total: Count('Everyone who joined'),
    active: Count('Still taking part, with a session that is active, and not in a room that rests'),
    completed: Count('Ended with SUCCESS, or with an outcome of the experiment’s own'),
  }),
  outcomes: Type.Record(Type.String(), Count('People'), {
    description: 'How many participations have ended with which outcome; the 100 most frequent ones',
  }),
  openRooms: Count('Rooms with at least one active participant'),
  events: Count('Events stored'),
  sessionsWithGaps: Count('Completed sessions whose client counted more events than are stored'),
  lastEventAt: Type.Union([IsoTime('Receipt of the newest event'), Type.Null()]),
})
export type ExperimentMonitor = Type.Static<typeof ExperimentMonitor>

/** A week at most: what is counted afresh on every call must stay bounded. */
export const activityMinutes = { least: 1, most: 10_080, usual: 60 } as const

export const ExperimentActivity = Type.Object({
  from: EpochMs('Where the first bucket begins'),
  to: EpochMs('Where the last bucket, the present one, will end'),
  bucketMs: Type.Integer({ minimum: 1, description: 'How long a bucket is' }),
  buckets: Type.Array(
    Type.Object({
      at: EpochMs('Where the bucket begins'),
      joined: Count('Who joined; coming back is not counted'),
      completed: Count('Whose participation was completed, with whatever outcome'),
      events: Count('Events received, those of rooms included'),
    }),
    { description: 'Oldest first, empty ones included' },
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
    summary: 'Create an experiment from its definition, as a draft',
    body: ExperimentDefinition,
    success: { status: 201, schema: DefinitionSaved, description: 'The first revision' },
  }),
  list: defineRoute({
    ...researcher,
    method: 'GET',
    path: '/api/experiments',
    summary: 'List the experiments that you may see',
    description: 'Those you made, those shared with you, and the examples; an admin sees all.',
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
    summary: 'Replace the definition: a new immutable revision',
    description: 'Participants who have joined stay on the revision they joined.',
    params: ExperimentParams,
    body: ExperimentDefinition,
    success: { status: 200, schema: DefinitionSaved, description: 'The new revision' },
    errors: ['STATUS_CONFLICT'],
  }),
  changeStatus: defineRoute({
    ...editor,
    method: 'POST',
    path: '/api/experiments/:experimentId/status',
    summary: 'Change the status',
    params: ExperimentParams,
    body: Type.Object({ status: ExperimentStatusSchema }),
    success: { status: 200, schema: ExperimentRevised, description: 'The experiment as it is now' },
    errors: ['STATUS_CONFLICT'],
  }),
  export: defineRoute({
    ...viewer,
    work: 'export',
    method: 'GET',
    path: '/api/experiments/:experimentId/export',
    summary: 'Export all events, oldest first per participant',
    params: ExperimentParams,
    query: Type.Object({ format: Type.Optional(Type.Literal('jsonl')) }),
    success: {
      status: 200,
      schema: ExportedEvent,
      contentType: 'application/x-ndjson',
      description: 'One event a line',
    },
  }),
  monitor: defineRoute({
    ...viewer,
    method: 'GET',
    path: '/api/experiments/:experimentId/monitor',
    summary: 'How the experiment is going',
    params: ExperimentParams,
    success: { status: 200, schema: ExperimentMonitor, description: 'Counts as of now' },
  }),
  activity: defineRoute({
    ...viewer,
    method: 'GET',
    path: '/api/experiments/:experimentId/activity',
    summary: 'What happened in the last minutes, as a time series',
    description:
      'At most 120 buckets of equal length, which begin at round times: the same bucket is the same in every answer.',
    params: ExperimentParams,
    query: Type.Object({
      minutes: Type.Optional(WholeNumber(activityMinutes, 'How far back, in minutes')),
    }),
    success: { status: 200, schema: ExperimentActivity, description: 'Counts as of now' },
  }),
  revokeSession: defineRoute({
    ...editor,
    auth: 'admin',
    method: 'POST',
    path: '/api/sessions/:sessionId/revoke',
    summary: 'Revoke a participant’s session',
    description: 'Every instance refuses the session within 5 seconds.',
    params: Type.Object({ sessionId: SessionReference }),
    success: {
      status: 200,
      schema: Type.Object({ sessionId: SessionPseudonym, status: Type.Enum(['revoked', 'expired']) }),
      description: 'The session has ended; `expired` when it had before',
    },
    errors: ['SESSION_COMPLETED'],
  }),
} as const
