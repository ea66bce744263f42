import { type ExportQuery, experimentRoutes, exportFormats, momentOf } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import { validationFailed } from '../../kernel/app-error.ts'
import type { AuditedTable, EventExports } from '../events/index.ts'
import type { ExperimentAccesses, Experiments } from '../experiments/index.ts'
import { type Identity, signedBy } from '../identity/index.ts'
import type { Exports } from './exports.ts'

export interface ExportRouteDeps {
  experiments: Experiments
  accesses: ExperimentAccesses
  exports: Exports
  eventExports: EventExports
}

export function addExportRoutes(
  routes: Routes<Identity>,
  { experiments, accesses, exports, eventExports }: ExportRouteDeps,
): void {
  routes.add(experimentRoutes.export, async ({ params, query, identity, request, reply }) => {
    const { experimentId } = params
    await experiments.find(experimentId)
    const { table = 'events', format = 'jsonl' } = query
    if (table === 'agent_turns' && query.status !== undefined) throw withoutStatus()
    const file = await exports.open(selectionOf(experimentId, query), table, format)
    const lines = await eventExports.start({
      experimentId,
      table: table === 'agent_turns' ? 'agentTurns' : (table satisfies AuditedTable),
      filters: auditedFilters(query),
      read: file,
      actor: signedBy(identity),
      requestId: request.id,
      to: reply.raw,
      askAgain: () => accesses.admit(experimentRoutes.export, params, identity),
      onBroken: (broken) => request.log.warn(broken, 'an export broke off'),
    })
    // Not before: a refusal is JSON.
    const { contentType, ending } = exportFormats[format]
    const name = `${experimentId.replace(/[^\w.-]/g, '_')}-${table}.${ending}`
    reply.type(contentType === 'text/csv' ? 'text/csv; charset=utf-8; header=present' : contentType)
    reply.header('content-disposition', `attachment; filename="${name}"`)
    return lines
  })
}

const selectionOf = (experimentId: string, query: ExportQuery) => ({
  experimentId,
  source: query.synthetic === 'true' ? ('pilots' as const) : ('people' as const),
  filters: {
    joinedFrom: momentOf(query.from),
    joinedBefore: momentOf(query.to),
    revision: query.revision === undefined ? null : Number(query.revision),
    status: query.status ?? null,
  },
})

/** What narrows the export down, and its format where it is not the usual one. */
function auditedFilters({ synthetic, format, table: _ofAction, ...filters }: ExportQuery) {
  return {
    ...(format === undefined || format === 'jsonl' ? {} : { format }),
    ...filters,
    ...(synthetic === 'true' ? { synthetic: true } : {}),
  }
}

const withoutStatus = () =>
  validationFailed([{ path: '/status', message: 'is about participants; ‘agent_turns’ has none' }])
