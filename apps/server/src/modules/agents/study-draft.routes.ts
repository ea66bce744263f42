import { limits, parserFor, studyDraftRoutes } from '@atrium/contract'
import { rateLimited } from '../../http/rate-limits.ts'
import type { Routes } from '../../http/route.ts'
import { validationFailed } from '../../kernel/app-error.ts'
import type { RateLimiter } from '../../ports/rate-limiter.ts'
import { actorOf, type Identity } from '../identity/index.ts'
import type { Credentials } from './credentials/credentials.ts'
import type { StudyDrafts } from './drafting/study-drafts.ts'
import { keepAliveJson } from './keep-alive-json.ts'

const form = parserFor(studyDraftRoutes.create.body)

export interface StudyDraftRouteDeps {
  credentials: Pick<Credentials, 'read'>
  studyDrafts: StudyDrafts
  limiter: RateLimiter
}

export function addStudyDraftRoutes(
  routes: Routes<Identity>,
  { credentials, studyDrafts, limiter }: StudyDraftRouteDeps,
): void {
  // Parsed by the handler, once it is known that the caller may see the credential.
  routes.addParsing(studyDraftRoutes.create, asItCame, async ({ params, body, identity, reply }) => {
    const { credentialId } = params
    await credentials.read(credentialId, identity)
    const parsed = form.parse(body)
    if (!parsed.ok) throw validationFailed(parsed.issues)
    // A draft costs whoever pays for the model.
    const state = await limiter.consume('study-draft', actorOf(identity), limits.studyDraft.perWindow)
    if (!state.allowed) throw rateLimited(reply, state)
    const draft = await studyDrafts.begin(credentialId, parsed.value.description, identity)
    return keepAliveJson(reply, draft)
  })
}

const asItCame = (body: unknown): unknown => body
