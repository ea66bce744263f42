import { operationsRoutes } from '@atrium/contract'
import type { Document } from '../../http/document.ts'
import type { Routes } from '../../http/route.ts'
import type { Operations } from './operations.ts'

export interface OperationsRouteParts {
  operations: Operations
  /** The figures of `/api/health/metrics`. */
  figures(): Promise<object>
  openApi: Document
  referencePage: Document
}

export function addOperationsRoutes(routes: Routes, parts: OperationsRouteParts): void {
  const { operations } = parts
  routes.add(operationsRoutes.live, async () => ({ status: 'ok' }))
  routes.add(operationsRoutes.ready, operations.ready)
  routes.add(operationsRoutes.pod, operations.pod)
  routes.add(operationsRoutes.cluster, operations.cluster)
  routes.add(operationsRoutes.metrics, parts.figures)
  routes.addDocument(operationsRoutes.openApi, parts.openApi)
  routes.addDocument(operationsRoutes.docs, parts.referencePage)
}
