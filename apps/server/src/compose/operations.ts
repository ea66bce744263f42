import { allRoutes } from '@atrium/contract'
import { buildAsyncApi, buildOpenApi } from '@atrium/contract/reference'
import type { Config } from '../config/config.ts'
import { createDocument } from '../http/document.ts'
import { createFigures, type FigureDeps, version } from '../http/figures.ts'
import { createMetrics } from '../http/metrics.ts'
import { addReferenceFiles } from '../http/reference/reference-files.ts'
import { referencePageHeaders, renderReferencePage } from '../http/reference/reference-page.ts'
import { createOperations } from '../modules/operations/index.ts'
import {
  addAuditRoutes,
  addOperationsRoutes,
  addSystemRoutes,
} from '../modules/operations/operations.routes.ts'
import type { Ownership } from '../modules/ownership/index.ts'
import type { HttpEdge } from './outside.ts'
import type { Ports } from './ports.ts'

interface OperationsPeers extends Pick<FigureDeps, 'events' | 'rooms' | 'sessions'> {
  ownership: Ownership
}

/** What operators and load balancers learn of this instance. `peers` are asked for only once they are open. */
export function openOperations(ports: Ports, peers: () => OperationsPeers) {
  const { config, database, clock, pods, space, onBackgroundError } = ports
  const podId = config.pod.id
  const metrics = createMetrics(
    () => database.sessions.activeExperiments(clock.now()),
    () => peers().ownership.load().rooms,
    space.freeBytes,
  )
  const operations = createOperations({
    store: database.operations,
    space,
    load: () => peers().ownership.load(),
    countAll: () => database.rooms.countAwake(),
    sample: metrics.sample,
    heartbeatMs: config.pod.heartbeatMs,
    pods,
    clock,
    podId,
    onBackgroundError,
  })
  return {
    metrics,
    operations,
    start: operations.start,
    drain: operations.drain,
    routes({ app, routes }: HttpEdge): void {
      addAuditRoutes(routes, database.operations)
      addSystemRoutes(routes, { operations, researchers: database.operations.researchers })
      addReferenceFiles(app)
      const { events, rooms, sessions } = peers()
      const figures = createFigures({ podId, metrics, operations, events, rooms, sessions })
      addOperationsRoutes(routes, { operations, figures, ...reference(config) })
    },
  }
}

function reference(config: Config) {
  const json = 'application/json; charset=utf-8'
  return {
    openApi: () => createDocument(JSON.stringify(buildOpenApi(servedRoutes(config), { version })), json),
    asyncApi: () => createDocument(JSON.stringify(buildAsyncApi({ version })), json),
    referencePage: () =>
      createDocument(renderReferencePage(), 'text/html; charset=utf-8', referencePageHeaders),
  }
}

const servedRoutes = (config: Config) =>
  allRoutes.filter(
    ({ path }) =>
      (config.useV4 || !path.startsWith('/api/v4/')) && (!config.oidc || !path.startsWith('/dev/identity/')),
  )
