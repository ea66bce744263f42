import { liveRoutes } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import type { ExperimentAccesses } from '../experiments/index.ts'
import { actorOf, type Identity } from '../identity/index.ts'
import type { LiveStreams } from './monitor/live-streams.ts'

export interface LiveRouteDeps {
  live: LiveStreams
  accesses: ExperimentAccesses
}

/** What a researcher watches while people take part. */
export function addLiveRoutes(routes: Routes<Identity>, { live, accesses }: LiveRouteDeps): void {
  routes.add(liveRoutes.read, async ({ params }) => await live.read(params.experimentId))
  routes.add(liveRoutes.stream, async ({ params, identity, reply }) => {
    const stream = await live.open({
      experimentId: params.experimentId,
      actor: actorOf(identity),
      keyId: identity.key?.keyId,
      expiresAt: identity.expiresAt,
      askAgain: () => accesses.admit(liveRoutes.stream, params, identity),
    })
    // Proxies such as nginx would otherwise keep messages until there is more to send.
    reply.header('x-accel-buffering', 'no')
    return stream
  })
}
