import { tableRoutes } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import type { Identity } from '../identity/index.ts'
import type { Tables } from './tables.ts'

export function addTableRoutes(routes: Routes<Identity>, tables: Tables): void {
  routes.add(tableRoutes.create, async ({ body, identity }) => await tables.create(body, identity))
  routes.add(tableRoutes.list, async ({ identity }) => ({ tables: await tables.list(identity) }))
  routes.add(tableRoutes.read, async ({ params, identity }) => await tables.read(params.tableId, identity))
  routes.add(tableRoutes.remove, async ({ params, identity }) => {
    await tables.remove(params.tableId, identity)
    return { success: true }
  })
}
