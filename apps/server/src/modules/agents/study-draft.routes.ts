import { Readable } from 'node:stream'
import { limits, studyDraftRoutes } from '@atrium/contract'
import { rateLimited } from '../../http/gate.ts'
import type { Routes } from '../../http/route.ts'
import type { RateLimiter } from '../../ports/rate-limiter.ts'
import { actorOf, type Identity } from '../identity/index.ts'
import type { Credentials } from './credentials/credentials.ts'
import type { StudyDrafts } from './drafting/study-drafts.ts'
import { spacedOut } from './spaced-out.ts'

export interface StudyDraftRouteDeps {
  credentials: Pick<Credentials, 'read'>
  studyDrafts: StudyDrafts
  limiter: RateLimiter
}

export function addStudyDraftRoutes(
  routes: Routes<Identity>,
  { credentials, studyDrafts, limiter }: StudyDraftRouteDeps,
): void {
  routes.add(studyDraftRoutes.create, async ({ params, body, identity, reply }) => {
    const { credentialId } = params
    await credentials.read(credentialId, identity)
    // A draft costs whoever pays for the model.
    const state = await limiter.consume('study-draft', actorOf(identity), limits.studyDraft.perWindow)
    if (!state.allowed) throw rateLimited(reply, state)
    const draft = await studyDrafts.begin(credentialId, body.description, identity)
    // Not when the body is closed: its generator first waits for the next space.
    reply.raw.once('close', draft.abandon)
    return Readable.from(spacedOut(draft.result))
  })
}
