import {
  type ExperimentDefinition,
  idAtSite,
  type RecruitingSite,
  type RecruitPage,
  success,
} from '@atrium/contract'
import { validationFailed } from '../../kernel/app-error.ts'
import type { Experiments } from '../experiments/index.ts'
import { type ExportStore, readParts } from '../exports/index.ts'

export interface BonusFileDeps {
  experiments: Experiments
  exports: Pick<ExportStore, 'plan' | 'parts'>
}

type Payment = NonNullable<ExperimentDefinition['completion']>['payment']

interface Earned {
  revision: number
  outcome: string | null
  /** By variable; the last value that was recorded counts. */
  payoffs: Map<string, number>
}

const peoplePerPage = 500

/**
 * RC9: what Prolific takes as a bulk bonus payment, `id,amount` on each line: everybody from the site whose outcome is paid and
 * whose variable is above 0.
 */
export async function bonusFile(
  deps: BonusFileDeps,
  experimentId: string,
  site: RecruitingSite,
): Promise<{ text: string; people: number }> {
  const { experiments } = deps
  const { revision } = await experiments.find(experimentId)
  const newest = await experiments.definition(experimentId, revision)
  if (newest.completion?.payment?.bonus === undefined)
    throw validationFailed([
      { path: '', message: 'the definition names no variable for the bonus in completion.payment.bonus' },
    ])
  const earned = await readEarned(deps, experimentId)
  const payments = new Map<number, Payment>()
  for (const { revision: at } of earned.values())
    if (!payments.has(at))
      payments.set(at, (await experiments.definition(experimentId, at)).completion?.payment)
  const lines: string[] = []
  const paid = new Set<string>()
  const isPaidOnce = newest.completion.allowRepeat !== true
  let after: string | null = null
  do {
    const page: RecruitPage = await experiments.recruits(experimentId, { limit: peoplePerPage, after })
    for (const { participantId, metadata } of page.participants) {
      const id = idAtSite(site, metadata)
      const amount = amountOf(earned.get(participantId), payments)
      if (id === undefined || !isPlainId(id) || amount <= 0 || (isPaidOnce && paid.has(id))) continue
      paid.add(id)
      lines.push(`${id},${twoDigits.format(amount)}\n`)
    }
    after = page.next
  } while (after !== null)
  return { text: lines.join(''), people: lines.length }
}

/** Never with an exponent, however much it is. */
const twoDigits = new Intl.NumberFormat('en', {
  useGrouping: false,
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})

/** Ids come with the link, so anybody can write them; a comma or a new line would be another payment. */
const isPlainId = (id: string): boolean => /^[A-Za-z0-9_-]{1,128}$/.test(id)

function amountOf(earned: Earned | undefined, payments: ReadonlyMap<number, Payment>): number {
  if (!earned) return 0
  const payment = payments.get(earned.revision)
  if (!payment?.bonus || !(payment.outcomes ?? [success]).includes(earned.outcome ?? '')) return 0
  return Math.round((earned.payoffs.get(payment.bonus) ?? 0) * 100) / 100
}

async function readEarned(
  { exports }: BonusFileDeps,
  experimentId: string,
): Promise<ReadonlyMap<string, Earned>> {
  const earned = new Map<string, Earned>()
  const filters = { joinedFrom: null, joinedBefore: null, revision: null, status: null }
  let after: Parameters<ExportStore['plan']>[2] = null
  do {
    const selection = { experimentId, source: 'people', filters } as const
    const page: Awaited<ReturnType<typeof readParts>> = await readParts(exports, selection, ['payoff'], after)
    for (const { session, events } of page.parts) {
      const { participantId, revision, outcome } = session
      const known = earned.get(participantId) ?? { revision, outcome, payoffs: new Map<string, number>() }
      for (const { data, roomSeq } of events) {
        // Only the room pays; a page can send events of any name.
        if (roomSeq === null) continue
        const { variable, value } = JSON.parse(data) as { variable?: unknown; value?: unknown }
        if (typeof variable === 'string' && typeof value === 'number' && Number.isFinite(value))
          known.payoffs.set(variable, value)
      }
      earned.set(participantId, known)
    }
    after = page.next
  } while (after !== null)
  return earned
}
