import { auditPerPage, auditRoutes, operationsRoutes, systemRoutes, wholeNumberOf } from '@atrium/contract'
import { connectionView } from '../../http/connection-view.ts'
import type { Document } from '../../http/document.ts'
import type { Routes } from '../../http/route.ts'
import type { OperationsStore } from './operations.store.ts'
import type { Operations } from './operations.ts'

export interface OperationsRouteDeps {
  operations: Operations
  /** The figures of `/api/health/metrics`. */
  figures(): Promise<object>
  openApi(): Document
  asyncApi(): Document
  referencePage(): Document
}

export function addOperationsRoutes(routes: Routes, deps: OperationsRouteDeps): void {
  const { operations } = deps
  routes.add(operationsRoutes.live, async () => ({ status: 'ok' }))
  routes.add(operationsRoutes.ready, operations.ready)
  routes.add(operationsRoutes.pod, operations.pod)
  routes.add(operationsRoutes.cluster, operations.cluster)
  routes.add(operationsRoutes.connection, async ({ request }) => connectionView(request))
  routes.add(operationsRoutes.metrics, deps.figures)
  routes.addDocument(operationsRoutes.openApi, deps.openApi)
  routes.addDocument(operationsRoutes.asyncApi, deps.asyncApi)
  routes.addDocument(operationsRoutes.docs, deps.referencePage)
}

type AuditReader = Pick<OperationsStore, 'auditPage'>

export function addAuditRoutes(routes: Routes, { auditPage }: AuditReader): void {
  routes.add(auditRoutes.list, async ({ query }) => {
    const limit = wholeNumberOf(query.limit, auditPerPage)
    const before = query.before === undefined ? null : Number(query.before)
    // One more than requested shows whether there is another page.
    const found = await auditPage({ limit: limit + 1, before })
    const entries = found.slice(0, limit)
    const last = entries.at(-1)
    return { entries, next: last && found.length > limit ? String(last.entry) : null }
  })
}

interface SystemRouteDeps {
  operations: Pick<Operations, 'instances'>
  researchers: OperationsStore['researchers']
}

export function addSystemRoutes(routes: Routes, { operations, researchers }: SystemRouteDeps): void {
  routes.add(systemRoutes.instances, operations.instances)
  routes.add(systemRoutes.researchers, async () => ({ researchers: await researchers() }))
}
