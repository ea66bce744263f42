import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { IsoTime, Name } from '../text.ts'
import { KeyAccess } from './key-access.ts'
import { WholeNumber } from './query.ts'
import { defineRoute } from './route.ts'

const Nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const exampleName = 'Nightly analysis'

/** R49 */
export const NewKey = Type.Object(
  {
    name: Name(200, 'What the key is for', { examples: [exampleName] }),
    access: KeyAccess,
    experiments: Type.Optional(
      Type.Array(Name(128, 'An experiment that you may see'), {
        minItems: 1,
        maxItems: limits.experimentsPerKey,
        description:
          'The only experiments that the key can use; others are unknown to it, and it cannot create any. Without this, all that you may see',
      }),
    ),
    expiresAt: Type.Optional(IsoTime('When the key stops working; without this, never')),
  },
  { additionalProperties: false },
)
export type NewKey = Type.Static<typeof NewKey>

const CreatedKey = Type.Object({
  keyId: Type.String({ description: 'Names the key in lists and in the audit log' }),
  key: Type.String({
    description:
      'The key itself, `atk_…`. Store it now: the server keeps only a hash, and cannot show it again',
    examples: ['atk_…'],
  }),
})

/** The key itself is never part of it. */
export const ApiKey = Type.Object({
  keyId: Type.String(),
  name: Type.String({ examples: [exampleName] }),
  access: KeyAccess,
  experiments: Nullable(
    Type.Array(Type.String(), {
      description: 'The experiments it is limited to; null if it is not limited',
      examples: [['exp_7Jq2mR4tVw9K']],
    }),
  ),
  createdAt: IsoTime('When it was created'),
  lastUsedAt: Nullable(IsoTime('When it was last used, to about a minute; null if never')),
  expiresAt: Nullable(IsoTime('When it stops working; null if never')),
  owner: Type.String({ description: 'Subject of the researcher who created it' }),
  isOwn: Type.Boolean({ description: 'False for the keys of others, which only administrators see' }),
})
export type ApiKey = Type.Static<typeof ApiKey>

/** All that one researcher can have; administrators see more. */
export const keysPerPage = {
  min: 1,
  max: limits.keysPerResearcher,
  usual: limits.keysPerResearcher,
} as const

const KeyPage = Type.Object({
  keys: Type.Array(ApiKey),
  next: Nullable(Type.String({ description: 'Value of `before` for the next page; null on the last page' })),
})
export type KeyPage = Type.Static<typeof KeyPage>

/** A stolen key must not be able to make another, or to see which others there are. */
const managed = { tag: 'API keys', envelope: 'plain', auth: 'researcher', keys: 'never' } as const

export const keyRoutes = {
  create: defineRoute({
    ...managed,
    method: 'POST',
    path: '/api/keys',
    summary: 'Create an API key',
    description:
      'A key acts as the researcher who created it, and never with more rights: when they lose access to an experiment, so does the key. No key can share, manage keys, read who participants are, take part, or act as an administrator.',
    body: NewKey,
    showsKey: true,
    success: { status: 201, schema: CreatedKey, description: 'The key, which is shown only here' },
    errors: ['KEY_LIMIT'],
  }),
  list: defineRoute({
    ...managed,
    method: 'GET',
    path: '/api/keys',
    summary: 'List API keys',
    description: 'Your own, including those that have expired; administrators see everybody’s.',
    query: Type.Object({
      limit: Type.Optional(WholeNumber(keysPerPage, 'Maximum number of results')),
      before: Type.Optional(
        Type.String({
          pattern: '^[0-9]{1,15}\\.[A-Za-z0-9_-]{1,64}$',
          description: 'The `next` value of the previous page',
        }),
      ),
    }),
    success: { status: 200, schema: KeyPage, description: 'Newest first' },
  }),
  revoke: defineRoute({
    ...managed,
    method: 'DELETE',
    path: '/api/keys/:keyId',
    params: Type.Object({
      keyId: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'The key, by its `keyId`' }),
    }),
    summary: 'Revoke an API key',
    description: 'Every instance refuses it within five seconds. Administrators can revoke anybody’s.',
    success: {
      status: 200,
      schema: Type.Object({ success: Type.Literal(true) }),
      description: 'Revoked, and deleted from the list',
    },
    errors: ['KEY_NOT_FOUND'],
  }),
} as const
