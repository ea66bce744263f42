import { operationsRoutes } from '@atrium/contract'
import { connectionView } from '../../http/connection-view.ts'
import type { Document } from '../../http/document.ts'
import type { Routes } from '../../http/route.ts'
import type { Operations } from './operations.ts'

export interface OperationsRouteDeps {
  operations: Operations
  /** The figures of `/api/health/metrics`. */
  figures(): Promise<object>
  openApi: Document
  asyncApi: Document
  referencePage: Document
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
