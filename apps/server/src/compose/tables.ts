import { createTables } from '../modules/tables/index.ts'
import { addTableRoutes } from '../modules/tables/tables.routes.ts'
import type { HttpEdge } from './outside.ts'
import type { Ports } from './ports.ts'

/** Tables of trials that researchers upload. */
export function openTables({ database, clock }: Ports) {
  const tables = createTables({ store: database.trialTables, clock })
  return { tables, routes: ({ routes }: HttpEdge): void => addTableRoutes(routes, tables) }
}
