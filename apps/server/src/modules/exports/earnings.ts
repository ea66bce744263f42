import type { Experiments } from '../experiments/index.ts'
import { createCodebook } from './codebook/codebook.ts'
import type { ExportSelection, ExportStore } from './exports.store.ts'
import { readParts } from './paged-rows.ts'
import { paymentRows } from './tables/payment-rows.ts'
import { numberIn, textIn } from './tables/row.ts'
import { participantRows } from './wide/participant-rows.ts'

export interface EarningsDeps {
  store: Pick<ExportStore, 'plan' | 'parts' | 'revisions' | 'members' | 'roomChanges'>
  experiments: Pick<Experiments, 'definition'>
}

/** The bonus of each person as the table `payments` has it, for whoever pays. */
export async function readBonuses(
  { store, experiments }: EarningsDeps,
  experimentId: string,
): Promise<ReadonlyMap<string, { bonus: number; currency: string }>> {
  const codebook = createCodebook({ withAnswers: false })
  for (const revision of await store.revisions(experimentId))
    codebook.add(revision, await experiments.definition(experimentId, revision))
  const table = paymentRows(participantRows(store, codebook.wide()), codebook.wide(), codebook.payments)
  const filters = { joinedFrom: null, joinedBefore: null, revision: null, status: null }
  const selection: ExportSelection = { experimentId, source: 'people', filters }
  const bonuses = new Map<string, { bonus: number; currency: string }>()
  let after: Parameters<ExportStore['plan']>[2] = null
  do {
    const page = await readParts(store, selection, table.types, after)
    for (const row of await table.rowsOf(page.parts, page.next === null)) {
      const [bonus, currency] = [numberIn(row.bonus), textIn(row.currency)]
      if (bonus !== null && currency !== null) bonuses.set(String(row.participantId), { bonus, currency })
    }
    after = page.next
  } while (after !== null)
  return bonuses
}
