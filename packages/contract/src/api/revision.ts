import { Type } from 'typebox'
import { ExperimentDefinition } from '../definition/definition.ts'
import { EpochMs } from '../text.ts'
import { WholeNumber } from './query.ts'
import { defineRoute } from './route.ts'

const revision = {
  tag: 'Experiments',
  envelope: 'plain',
  auth: 'researcher',
  access: 'view',
  method: 'GET',
} as const

/** The largest value that the column can hold. */
const maxRevisions = 2_147_483_647
export const revisionsPerPage = { min: 1, max: 500, usual: 100 } as const

const head = {
  revision: Type.Integer({ minimum: 1 }),
  name: Type.String({ description: 'Name of the experiment in this revision' }),
  createdAt: EpochMs('When it was saved'),
  createdBy: Type.String({ description: 'Who saved it: issuer and `sub` of their identity' }),
}
export const RevisionHead = Type.Object(head)
export type RevisionHead = Type.Static<typeof RevisionHead>

const RevisionPage = Type.Object({
  revisions: Type.Array(RevisionHead),
  next: Type.Union([
    Type.String({ description: 'Value of `before` for the next page' }),
    Type.Null({ description: 'On the last page' }),
  ]),
})
export type RevisionPage = Type.Static<typeof RevisionPage>

export const RevisionNumber = Type.Refine(
  Type.String({ description: 'Revision number, from 1' }),
  (text) => /^[1-9]\d{0,9}$/.test(text) && Number(text) <= maxRevisions,
  () => `must be a whole number from 1 to ${maxRevisions}`,
)

export const revisionRoutes = {
  list: defineRoute({
    ...revision,
    path: '/api/experiments/:experimentId/revisions',
    summary: 'List the revisions of an experiment',
    params: Type.Object({ experimentId: Type.String() }),
    query: Type.Object({
      limit: Type.Optional(WholeNumber(revisionsPerPage, 'Maximum number of results')),
      before: Type.Optional(RevisionNumber),
    }),
    success: { status: 200, schema: RevisionPage, description: 'Newest first' },
    errors: ['EXPERIMENT_NOT_FOUND'],
  }),
  read: defineRoute({
    ...revision,
    path: '/api/experiments/:experimentId/revisions/:revision',
    summary: 'Read a revision with its definition',
    description: 'Revisions never change, so this is what its participants saw.',
    params: Type.Object({ experimentId: Type.String(), revision: RevisionNumber }),
    success: {
      status: 200,
      schema: Type.Object({ ...head, definition: ExperimentDefinition }),
      description: 'The revision',
    },
    errors: ['EXPERIMENT_NOT_FOUND', 'NOT_FOUND'],
  }),
} as const
