import { systemRoutes } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import type { OperationsStore } from './operations.store.ts'
import type { Operations } from './operations.ts'

export interface SystemRouteDeps {
  operations: Pick<Operations, 'instances'>
  researchers: OperationsStore['researchers']
}

export function addSystemRoutes(routes: Routes, { operations, researchers }: SystemRouteDeps): void {
  routes.add(systemRoutes.instances, operations.instances)
  routes.add(systemRoutes.researchers, async () => ({ researchers: await researchers() }))
}
