import { Type } from 'typebox'
import { DefinitionFinding } from '../api/experiment.ts'
import { defineRoute } from '../api/route.ts'
import { limits } from '../limits.ts'
import { Count } from '../text.ts'
import { CredentialParams } from './credentials.ts'

/** What a researcher tells a model about a study that is not there yet. */
const StudyInWords = Type.Object(
  {
    description: Type.String({
      pattern: `^[^\\u0000\\p{Cs}]{${limits.studyDraft.minCharacters},${limits.studyDraft.maxCharacters}}$`,
      description: 'The study in your own words: who takes part, what they see and do, what is measured',
      examples: ['Two people talk for five minutes. Afterwards each says how much they liked the other.'],
    }),
  },
  { additionalProperties: false },
)

const StudyDraft = Type.Union([
  Type.Object({
    kind: Type.Literal('drafted'),
    definition: Type.Unknown({ description: 'A definition as `POST /api/experiments` takes it. Not saved' }),
    isValid: Type.Boolean({ description: 'Whether it could be saved: there are no errors' }),
    findings: Type.Array(DefinitionFinding, {
      description: 'As of `POST /api/experiments/check`, with the errors that the model did not repair',
    }),
    leftOut: Type.Array(Type.String(), {
      description: 'Component types and settings that the model used although it may not draft them',
    }),
    repairs: Count('How often the model was asked to repair its draft'),
  }),
  Type.Object({
    kind: Type.Literal('failed'),
    message: Type.String({ description: 'Why there is no draft, in a sentence or two' }),
  }),
])
export type StudyDraft = Type.Static<typeof StudyDraft>

export const studyDraftRoutes = {
  create: defineRoute({
    tag: 'Agents',
    envelope: 'plain',
    auth: 'researcher',
    work: 'check',
    method: 'POST',
    path: '/api/agents/credentials/:credentialId/study-draft',
    params: CredentialParams,
    summary: 'Draft a definition from a description in words',
    description: `Asks the model of a credential for a definition, checks it as \`POST /api/experiments/check\` does, and sends the errors back for at most ${limits.studyDraft.repairs} repairs. Nothing is saved and nothing is started. Takes up to ${limits.studyDraft.maxMs / 60_000} minutes; white space is sent meanwhile, so that nothing on the way gives up waiting. A researcher may start ${limits.studyDraft.perWindow} a minute, and a new one ends the one before it on the same instance.`,
    body: StudyInWords,
    success: { status: 200, schema: StudyDraft, description: 'The draft, or why there is none' },
    errors: ['CREDENTIAL_NOT_FOUND', 'CREDENTIAL_UNREADABLE'],
  }),
} as const
