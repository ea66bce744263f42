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
import type { Clock } from '../../kernel/clock.ts'
import type { AuditedTable, EventExports } from '../events/index.ts'
import type { ExperimentAccesses, Experiments } from '../experiments/index.ts'
import { type Identity, signedBy } from '../identity/index.ts'
import { startCursor } from './cursor.ts'
import type { ExportSelection } from './exports.store.ts'
import type { Exports } from './exports.ts'
import { exportIdOf, type Held, readResumption, restOf } from './resumption.ts'
import type { PagedTable } from './row-sources.ts'

export interface ExportRouteDeps {
  experiments: Experiments
  accesses: ExperimentAccesses
  exports: Exports
  eventExports: EventExports
  clock: Clock
}

export function addExportRoutes(
  routes: Routes<Identity>,
  { experiments, accesses, exports, eventExports, clock }: ExportRouteDeps,
): void {
  async function openFile(
    wanted: WantedFile,
    selection: ExportSelection,
    query: ExportQuery,
    startedAt: number,
  ) {
    const form = { bom: query.bom === 'true' }
    switch (wanted.kind) {
      case 'table':
        return { file: await exports.open(selection, wanted.table, wanted.format, form), next: null }
      case 'page':
        return await exports.page(selection, wanted.table, wanted.format, form, wanted.cursor)
      case 'identities':
        return { file: exports.openIdentities(selection, wanted.format, form), next: null }
      case 'psych-ds': {
        const options = { ...form, answerKeys: query.answerKeys === 'true' }
        const filters = chosenFilters(query)
        return { file: await exports.openArchive(selection, filters, options, startedAt), next: null }
      }
    }
  }

  routes.add(experimentRoutes.export, async ({ params, query, identity, request, reply }) => {
    const { experimentId } = params
    await experiments.find(experimentId)
    const wanted = wantedFile(query)
    // R47: who people are is for owners and administrators, and for no key.
    const needed = wanted.kind === 'identities' ? ofOwners : experimentRoutes.export
    const admit = () => accesses.admit(needed, params, identity)
    if (wanted.kind === 'identities') await admit()
    const selection = selectionOf(experimentId, query)
    const now = clock.now()
    const held = query.resume === undefined ? undefined : readResumption(query.resume, now)
    const startedAt = held?.startedAt ?? now
    const { file, next } = await openFile(wanted, selection, query, startedAt)
    const lines = await eventExports.start({
      experimentId,
      table: auditedTable(wanted),
      filters: auditedFilters(query, held),
      read: held ? restOf(file, held, { isGone: () => reply.raw.destroyed, askAgain: admit }) : file,
      actor: signedBy(identity),
      requestId: request.id,
      to: reply.raw,
      askAgain: admit,
      onBroken: (broken) => request.log.warn(broken, 'an export broke off'),
    })
    // Not before: a refusal is JSON.
    const { contentType, ending } = exportFormats[query.format ?? 'jsonl']
    const content = 'table' in wanted ? wanted.table : wanted.kind
    const name = `${experimentId.replace(/[^\w.-]/g, '_')}-${content}.${ending}`
    reply.type(contentType === 'text/csv' ? 'text/csv; charset=utf-8; header=present' : contentType)
    reply.header('content-disposition', `attachment; filename="${name}"`)
    if (wanted.kind !== 'page') reply.header('x-export-id', exportIdOf(startedAt))
    if (held) reply.header('x-export-offset', String(held.bytes))
    if (next !== null) reply.header('x-next-cursor', next)
    return lines
  })
}

const ofOwners = { ...experimentRoutes.export, access: 'owner' } as const

type WantedFile =
  | { kind: 'psych-ds' }
  | { kind: 'identities'; format: TableFormat }
  | { kind: 'table'; table: ExportTable; format: TableFormat }
  | { kind: 'page'; table: PagedTable; format: TableFormat; cursor: string }

/** Refuses what would be ignored. */
function wantedFile(query: ExportQuery): WantedFile {
  const { format = 'jsonl', table = 'events', cursor } = query
  if (cursor !== undefined && (format === 'psych-ds' || query.identity === 'true'))
    throw refused('/cursor', 'must be left out: this is one file')
  if (cursor !== undefined && query.resume !== undefined)
    throw refused('/resume', 'must be left out: a page is asked for again as a whole')
  if (query.bom === 'true' && format !== 'csv' && format !== 'psych-ds')
    throw refused('/bom', 'is about CSV files: must be left out')
  if (query.answerKeys === 'true' && format !== 'psych-ds')
    throw refused('/answerKeys', 'is about the archive: must be left out')
  if (query.identity === 'true') {
    const alone = 'must be left out: who people are is in a file of its own'
    if (query.table !== undefined) throw refused('/table', alone)
    if (format === 'psych-ds') throw refused('/format', 'must be one of jsonl, csv, parquet with ‘identity’')
    if (query.synthetic === 'true') throw refused('/synthetic', 'nobody took part in pilots')
    return { kind: 'identities', format }
  }
  if (format === 'psych-ds') {
    if (query.table !== undefined) throw refused('/table', 'must be left out: ‘psych-ds’ has all tables')
    return { kind: 'psych-ds' }
  }
  if (table === 'agent_turns' && query.status !== undefined)
    throw refused('/status', 'is about participants; ‘agent_turns’ has none')
  for (const name of ['from', 'to', 'status'] as const)
    if (table === 'codebook' && query[name] !== undefined)
      throw refused(`/${name}`, 'is about participants; ‘codebook’ has none')
  if (cursor === undefined) return { kind: 'table', table, format }
  if (table === 'agent_turns' || table === 'codebook')
    throw refused('/cursor', `must be left out: ‘${table}’ is one file`)
  if (format === 'parquet')
    throw refused('/cursor', 'must be left out: ‘parquet’ cannot be put together from pages')
  return { kind: 'page', table, format, cursor }
}

function auditedTable(wanted: WantedFile): AuditedTable {
  if (wanted.kind === 'psych-ds') return 'archive'
  if (wanted.kind === 'identities') return 'identities'
  return wanted.table === 'agent_turns' ? 'agentTurns' : wanted.table
}

const selectionOf = (experimentId: string, query: ExportQuery): ExportSelection => ({
  experimentId,
  source: query.synthetic === 'true' ? 'pilots' : 'people',
  filters: {
    joinedFrom: momentOf(query.from),
    joinedBefore: momentOf(query.to),
    revision: query.revision === undefined ? null : Number(query.revision),
    status: query.status ?? null,
  },
})

/** What narrows the export down, and its format where it is not the usual one. */
function chosenFilters({ synthetic, format, from, to, revision, status, answerKeys }: ExportQuery) {
  return {
    ...(format === undefined || format === 'jsonl' ? {} : { format }),
    ...{ from, to, revision, status },
    ...(synthetic === 'true' ? { synthetic: true } : {}),
    ...(answerKeys === 'true' ? { answerKeys: true } : {}),
  }
}

const auditedFilters = (query: ExportQuery, held: Held | undefined) => ({
  ...chosenFilters(query),
  ...(query.cursor === undefined ? {} : { page: query.cursor === startCursor ? 'first' : 'later' }),
  ...(held ? { continuedAtByte: held.bytes } : {}),
})

const refused = (path: string, message: string) => validationFailed([{ path, message }])
