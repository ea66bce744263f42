import { experimentRoutes } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import { actorOf } from '../identity/index.ts'
import type { Sessions } from './sessions.ts'

export function addSessionRoutes(routes: Routes, sessions: Sessions): void {
  routes.add(
    experimentRoutes.revokeSession,
    async ({ params, identity }) => await sessions.revoke(params.sessionId, actorOf(identity)),
  )
}
