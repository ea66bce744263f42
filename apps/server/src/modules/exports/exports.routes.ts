import {
  type ExportQuery,
  type ExportTable,
  experimentRoutes,
  exportFormats,
  momentOf,
  type TableFormat,
} from '@atrium/contract'
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
    const wanted = wantedFile(query)
    const selection = selectionOf(experimentId, query)
    const file =
      wanted.kind === 'archive'
        ? await exports.openArchive(selection, auditedFilters(query))
        : await exports.open(selection, wanted.table, wanted.format)
    const lines = await eventExports.start({
      experimentId,
      table: auditedTable(wanted),
      filters: auditedFilters(query),
      read: file,
      actor: signedBy(identity),
      requestId: request.id,
      to: reply.raw,
      askAgain: () => accesses.admit(experimentRoutes.export, params, identity),
      onBroken: (broken) => request.log.warn(broken, 'an export broke off'),
    })
    // Not before: a refusal is JSON.
    const { contentType, ending } = exportFormats[query.format ?? 'jsonl']
    const content = wanted.kind === 'archive' ? 'psych-ds' : wanted.table
    const name = `${experimentId.replace(/[^\w.-]/g, '_')}-${content}.${ending}`
    reply.type(contentType === 'text/csv' ? 'text/csv; charset=utf-8; header=present' : contentType)
    reply.header('content-disposition', `attachment; filename="${name}"`)
    return lines
  })
}

type WantedFile = { kind: 'archive' } | { kind: 'table'; table: ExportTable; format: TableFormat }

/** Refuses what would be ignored. */
function wantedFile(query: ExportQuery): WantedFile {
  const { format = 'jsonl', table = 'events' } = query
  if (format === 'psych-ds') {
    if (query.table !== undefined) throw refused('/table', 'must be left out: ‘psych-ds’ has all tables')
    return { kind: 'archive' }
  }
  if (table === 'agent_turns' && query.status !== undefined)
    throw refused('/status', 'is about participants; ‘agent_turns’ has none')
  for (const name of ['from', 'to', 'status'] as const)
    if (table === 'codebook' && query[name] !== undefined)
      throw refused(`/${name}`, 'is about participants; ‘codebook’ has none')
  return { kind: 'table', table, format }
}

function auditedTable(wanted: WantedFile): AuditedTable {
  if (wanted.kind === 'archive') return 'archive'
  return wanted.table === 'agent_turns' ? 'agentTurns' : wanted.table
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

const refused = (path: string, message: string) => validationFailed([{ path, message }])
