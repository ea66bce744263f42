import { Type } from 'typebox'
import { WholeNumber } from '../api/query.ts'
import { defineRoute } from '../api/route.ts'
import type { ExperimentDefinition } from '../definition/definition.ts'
import { limits } from '../limits.ts'
import { IsoTime, Name } from '../text.ts'
import { parseModelBaseUrl } from './base-url.ts'
import { ModelCheck, modelTimeoutMs } from './model-checks.ts'

const Nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

/** The only kind of provider so far: any server that keeps the contract of custom agent endpoints. */
export const customProvider = 'Custom'

const BaseUrl = Type.Refine(
  Type.String({
    description:
      'Address of the model server, over http or https; ends in `/v1`. A slash at the end is removed',
  }),
  (text) => parseModelBaseUrl(text).kind === 'valid',
  (text) => {
    const parsed = parseModelBaseUrl(text)
    return parsed.kind === 'invalid' ? parsed.because : ''
  },
)

/** A header can hold nothing else. */
const ApiKey = Type.String({
  pattern: '^[\\x21-\\x7e]{1,4000}$',
  description: 'Sent to the model server as a bearer token. Encrypted when it is stored, and never returned',
})

const exampleName = 'Model of the lab'

const settings = {
  name: Name(200, 'What you call it', { examples: [exampleName] }),
  provider: Type.Literal(customProvider),
  baseUrl: BaseUrl,
  model: Name(200, 'The model that the server is asked for'),
  timeoutMs: Type.Optional(
    Type.Integer({
      minimum: modelTimeoutMs.min,
      maximum: modelTimeoutMs.max,
      description: `How long to wait for a reply, in milliseconds; ${modelTimeoutMs.default} when absent`,
    }),
  ),
}

/** R42 */
export const NewCredential = Type.Object({ ...settings, apiKey: ApiKey })
export type NewCredential = Type.Static<typeof NewCredential>

export const ChangedCredential = Type.Object({ ...settings, apiKey: Type.Optional(ApiKey) })
export type ChangedCredential = Type.Static<typeof ChangedCredential>

export const CredentialTest = Type.Object({
  ok: Type.Boolean({ description: 'Every check was made and passed. Warnings do not count' }),
  checks: Type.Array(ModelCheck, {
    description: 'Those that were made, in the order of the contract; a failed one may rule out the rest',
  }),
})
export type CredentialTest = Type.Static<typeof CredentialTest>

/** Experiments that use a credential. */
const Uses = Type.Array(Type.Object({ experimentId: Type.String(), name: Type.String() }), {
  description: 'The experiments you may see whose newest revision uses the credential',
})

/** R42: how to reach a model server. The key is never part of it. */
export const Credential = Type.Object({
  credentialId: Type.String(),
  name: Type.String({ examples: [exampleName] }),
  provider: Type.Literal(customProvider),
  baseUrl: Type.String(),
  model: Type.String(),
  timeoutMs: Type.Integer(),
  keyHint: Type.String({
    description: 'The last four characters of the key; empty for keys of fewer than 16 characters',
  }),
  isKeyReadable: Type.Boolean({
    description:
      'False if the key was encrypted with a key that the server no longer has; then change the credential and give `apiKey` again',
  }),
  isOwn: Type.Boolean({ description: 'False for the credentials of others, which only administrators see' }),
  createdAt: IsoTime('When it was created'),
  changedAt: IsoTime('When it was last changed'),
  lastTestedAt: Nullable(
    IsoTime('When the latest test ended; null if the server, model or key has changed since'),
  ),
  lastTest: Nullable(CredentialTest),
  usedBy: Uses,
})
export type Credential = Type.Static<typeof Credential>

/** All that one researcher can have; administrators see more. */
export const credentialsPerPage = {
  min: 1,
  max: limits.credentialsPerResearcher,
  usual: limits.credentialsPerResearcher,
} as const

const CredentialPage = Type.Object({
  credentials: Type.Array(Credential),
  next: Nullable(Type.String({ description: 'Value of `before` for the next page; null on the last page' })),
})
export type CredentialPage = Type.Static<typeof CredentialPage>

export const CredentialParams = Type.Object({
  credentialId: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'The credential' }),
})

const credential = {
  tag: 'Agents',
  envelope: 'plain',
  auth: 'researcher',
  path: '/api/agents/credentials/:credentialId',
  params: CredentialParams,
} as const
const collection = {
  tag: 'Agents',
  envelope: 'plain',
  auth: 'researcher',
  path: '/api/agents/credentials',
} as const

export const credentialRoutes = {
  create: defineRoute({
    ...collection,
    method: 'POST',
    summary: 'Add a credential for a model server',
    description: 'The key is encrypted when it is stored, and no response contains it.',
    body: NewCredential,
    success: { status: 201, schema: Credential, description: 'The credential, without its key' },
    errors: ['CREDENTIAL_LIMIT'],
  }),
  list: defineRoute({
    ...collection,
    method: 'GET',
    summary: 'List credentials',
    description: 'Your own; administrators see everybody’s.',
    query: Type.Object({
      limit: Type.Optional(WholeNumber(credentialsPerPage, 'Maximum number of results')),
      before: Type.Optional(
        Type.String({
          pattern: '^[0-9]{1,15}\\.[A-Za-z0-9_-]{1,64}$',
          description: 'The `next` value of the previous page',
        }),
      ),
    }),
    success: { status: 200, schema: CredentialPage, description: 'Newest first' },
  }),
  read: defineRoute({
    ...credential,
    method: 'GET',
    summary: 'Read a credential',
    success: { status: 200, schema: Credential, description: 'The credential, without its key' },
    errors: ['CREDENTIAL_NOT_FOUND'],
  }),
  change: defineRoute({
    ...credential,
    method: 'PUT',
    summary: 'Change a credential',
    description:
      'Without `apiKey` the key stays the same. It has to be given again if `baseUrl` changes to another origin (scheme, host or port), because the key would be sent there.',
    body: ChangedCredential,
    success: { status: 200, schema: Credential, description: 'The changed credential, without its key' },
    errors: ['CREDENTIAL_NOT_FOUND'],
  }),
  remove: defineRoute({
    ...credential,
    method: 'DELETE',
    summary: 'Delete a credential that no running experiment uses',
    description:
      'An experiment is running while it recruits or is paused, and as long as anybody takes part in a revision that uses the credential.',
    success: {
      status: 200,
      schema: Type.Object({ success: Type.Literal(true) }),
      description: 'Deleted, with its key',
    },
    errors: ['CREDENTIAL_NOT_FOUND', 'CREDENTIAL_IN_USE'],
  }),
  test: defineRoute({
    ...credential,
    work: 'check',
    method: 'POST',
    path: `${credential.path}/test`,
    summary: 'Test the model server of a credential',
    description: `Makes the checks of the agent tool’s \`verify\`: sends about fifty requests to the server, and takes up to ${limits.credentialTestMs / 60_000} minutes. White space is sent while the checks run, so that nothing on the way gives up waiting. At most one test of a credential runs at a time, and a researcher may start ${limits.credentialTestsPerWindow} a minute.`,
    success: { status: 200, schema: CredentialTest, description: 'What was found' },
    errors: ['CREDENTIAL_NOT_FOUND', 'CREDENTIAL_UNREADABLE', 'CREDENTIAL_TEST_RUNNING'],
  }),
} as const

/** A place where a definition names a credential. */
interface CredentialUse {
  credentialId: string
  /** JSON pointer into the definition. */
  path: string
}

export const credentialUsesIn = ({ agents = [] }: Pick<ExperimentDefinition, 'agents'>): CredentialUse[] =>
  agents.flatMap(({ credentialId }, at) =>
    credentialId === undefined ? [] : [{ credentialId, path: `/agents/${at}/credentialId` }],
  )
