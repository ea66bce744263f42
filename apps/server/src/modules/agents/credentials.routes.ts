import { credentialRoutes, credentialsPerPage, limits, wholeNumberOf } from '@atrium/contract'
import type { FastifyReply } from 'fastify'
import { rateLimited } from '../../http/rate-limits.ts'
import type { Routes } from '../../http/route.ts'
import type { RateLimiter } from '../../ports/rate-limiter.ts'
import { actorOf, type Identity } from '../identity/index.ts'
import type { Credentials } from './credentials/credentials.ts'
import { parseChangedCredential, parseNewCredential } from './credentials/parse-credential.ts'
import { keepAliveJson } from './keep-alive-json.ts'

export interface CredentialRouteDeps {
  credentials: Credentials
  limiter: RateLimiter
}

export function addCredentialRoutes(
  routes: Routes<Identity>,
  { credentials, limiter }: CredentialRouteDeps,
): void {
  /** A test makes somebody's server work; and anybody's, if the address is not theirs. */
  async function countTest(identity: Identity, reply: FastifyReply): Promise<void> {
    const state = await limiter.consume('credential-test', actorOf(identity), limits.credentialTestsPerWindow)
    if (!state.allowed) throw rateLimited(reply, state)
  }

  routes.addParsing(
    credentialRoutes.create,
    parseNewCredential,
    async ({ body, identity }) => await credentials.create(body, identity),
  )
  routes.add(
    credentialRoutes.list,
    async ({ identity, query }) =>
      await credentials.list(identity, {
        limit: wholeNumberOf(query.limit, credentialsPerPage),
        before: query.before ?? null,
      }),
  )
  routes.add(
    credentialRoutes.read,
    async ({ params, identity }) => await credentials.read(params.credentialId, identity),
  )
  // Parsed by the handler, once it is known that the caller may see the credential.
  routes.addParsing(
    credentialRoutes.change,
    (body) => body,
    async ({ params, body, identity }) => {
      await credentials.read(params.credentialId, identity)
      return await credentials.change(params.credentialId, parseChangedCredential(body), identity)
    },
  )
  routes.add(credentialRoutes.remove, async ({ params, identity }) => {
    await credentials.remove(params.credentialId, identity)
    return { success: true }
  })
  routes.add(credentialRoutes.test, async ({ params, identity, reply }) => {
    await credentials.read(params.credentialId, identity)
    await countTest(identity, reply)
    const test = await credentials.test(params.credentialId, identity)
    return keepAliveJson(reply, test)
  })
}
