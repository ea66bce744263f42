import { createGuardedFetch } from '../adapters/outbound/guarded-fetch.ts'
import type { KeyBox } from '../modules/agents/index.ts'
import type { Experiments } from '../modules/experiments/index.ts'
import { createProlificApi, createRecruiting } from '../modules/recruiting/index.ts'
import { addRecruitingRoutes } from '../modules/recruiting/recruiting.routes.ts'
import type { HttpEdge } from './outside.ts'
import type { Ports } from './ports.ts'

interface RecruitingPeers {
  experiments: Experiments
  box: KeyBox
}

/** Studies at Prolific, with the guarded way there. */
export function openRecruiting(ports: Ports, { experiments, box }: RecruitingPeers) {
  const { config, database, clock, warn } = ports
  const { hosted, prolificUrl: baseUrl, publicUrl } = config
  const outbound = createGuardedFetch({ hosted })
  const recruiting = createRecruiting({
    store: database.recruiting,
    exports: database.exports,
    audit: database.operations.audit,
    openApi: (token) => createProlificApi({ baseUrl, token, fetch: outbound.fetch }),
    publicUrl,
    box,
    experiments,
    clock,
    warn,
  })
  return {
    routes: ({ routes }: HttpEdge): void => addRecruitingRoutes(routes, recruiting),
    start: recruiting.reseal,
    stop: outbound.close,
  }
}
