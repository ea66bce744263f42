import { Type } from 'typebox'
import { EpochMs } from '../text.ts'
import { DefinitionSaved } from './experiment.ts'
import { defineRoute } from './route.ts'

const draft = {
  tag: 'Experiments',
  envelope: 'plain',
  auth: 'researcher',
  access: 'edit',
  path: '/api/experiments/:experimentId/draft',
  params: Type.Object({ experimentId: Type.String() }),
} as const

/** The largest value that the column can hold. */
const max = 2_147_483_647

const VersionText = (description: string) =>
  Type.Refine(
    Type.String({ description }),
    (text) => /^(0|[1-9]\d{0,9})$/.test(text) && Number(text) < max,
    () => `must be a whole number from 0 to ${max - 1}`,
  )

const version = Type.Integer({
  minimum: 0,
  maximum: max - 1,
  examples: [3],
  description: 'Counts every change of the draft, its deletion included; 0 if there has never been one',
})

const SavedDraft = Type.Object({
  definition: Type.Unknown({
    description: 'What is being written; need not be valid. `null` if you already `know` this version',
  }),
  basedOn: Type.Integer({ minimum: 1, description: 'The revision that it was begun with' }),
  savedAt: EpochMs('When it was saved last'),
  savedBy: Type.String({ description: 'Who saved it last: issuer and `sub` of their identity' }),
  isYours: Type.Boolean({ description: 'Whether you saved it last' }),
})

const DraftView = Type.Object({
  version,
  draft: Type.Union([SavedDraft, Type.Null({ description: 'Nothing is being changed' })]),
})
export type DraftView = Type.Static<typeof DraftView>

export const draftRoutes = {
  read: defineRoute({
    ...draft,
    method: 'GET',
    summary: 'Read the draft of the next revision',
    description: 'What editors are writing and have not published yet. Participants never see it.',
    query: Type.Object({
      known: Type.Optional(VersionText('The version that you have, whose definition is then left out')),
    }),
    success: { status: 200, schema: DraftView, description: 'The draft, if there is one' },
  }),
  save: defineRoute({
    ...draft,
    method: 'PUT',
    summary: 'Save the draft of the next revision',
    description:
      'Any JSON is accepted, because a definition is seldom valid while it is written. Publish it to make it a revision.',
    body: Type.Object({
      version: Type.Integer({
        ...version,
        description: 'The version that was edited: refused if somebody has changed the draft since',
      }),
      basedOn: Type.Integer({
        minimum: 1,
        maximum: max,
        description: 'The revision that the draft was begun with',
      }),
      definition: Type.Unknown({ description: 'What has been written' }),
    }),
    success: { status: 200, schema: DraftView, description: 'The new version, without its definition' },
    errors: ['DRAFT_CONFLICT', 'STATUS_CONFLICT'],
  }),
  discard: defineRoute({
    ...draft,
    method: 'DELETE',
    summary: 'Delete the draft of the next revision',
    query: Type.Object({
      version: VersionText('The version to delete: refused if somebody has changed the draft since'),
    }),
    success: { status: 200, schema: DraftView, description: 'There is no draft any more' },
    errors: ['DRAFT_CONFLICT', 'NOT_PUBLISHED'],
  }),
  publish: defineRoute({
    ...draft,
    work: 'check',
    method: 'POST',
    path: '/api/experiments/:experimentId/publish',
    summary: 'Publish the draft as a new revision, and start recruiting if wanted',
    description:
      'Everything or nothing: the revision is saved, the draft ends, and the status changes. Sent again by the same person, it publishes nothing twice.',
    body: Type.Object({
      version: Type.Integer({
        ...version,
        minimum: 1,
        description: 'The version of the draft that you have read: refused if somebody has changed it since',
      }),
      basedOn: Type.Integer({
        minimum: 1,
        maximum: max,
        description: 'The newest revision that you know: refused if there is a newer one',
      }),
      start: Type.Optional(
        Type.Boolean({
          description: 'Whether people can join from now on. The status stays as it is if absent',
        }),
      ),
    }),
    success: {
      status: 200,
      schema: Type.Object({ ...DefinitionSaved.properties, version }),
      description: 'The new revision, and the version after the end of the draft',
    },
    errors: ['DRAFT_CONFLICT', 'REVISION_CONFLICT', 'STATUS_CONFLICT', 'VIDEO_FAILED', 'CREDENTIAL_MISSING'],
  }),
} as const
