import { operationsRoutes } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import type { Operations } from './operations.ts'

export interface OperationsRouteParts {
  operations: Operations
  /** The figures of `/api/health/metrics`. */
  figures(): object
  openApi: object
  referencePage: string
}

export function addOperationsRoutes(routes: Routes, parts: OperationsRouteParts): void {
  const { operations } = parts
  routes.add(operationsRoutes.live, async () => ({ status: 'ok' }))
  routes.add(operationsRoutes.ready, operations.ready)
  routes.add(operationsRoutes.pod, operations.pod)
  routes.add(operationsRoutes.cluster, operations.cluster)
  routes.add(operationsRoutes.metrics, async () => parts.figures())
  routes.add(operationsRoutes.openApi, async () => parts.openApi)
  routes.add(operationsRoutes.docs, async () => parts.referencePage)
}
