import { idAtSite, plainMoney, type RecruitingSite, type RecruitPage } from '@atrium/contract'
import { validationFailed } from '../../kernel/app-error.ts'
import type { Experiments } from '../experiments/index.ts'
import { type EarningsDeps, readBonuses } from '../exports/index.ts'

export interface BonusFileDeps {
  experiments: Experiments
  exports: EarningsDeps['store']
}

const peoplePerPage = 500

/**
 * RC9: what Prolific takes as a bulk bonus payment, `id,amount` on each line: everybody from the site whose outcome is paid and
 * whose bonus, as the table `payments` has it, is above 0.
 */
export async function bonusFile(
  deps: BonusFileDeps,
  experimentId: string,
  site: RecruitingSite,
): Promise<{ text: string; people: number }> {
  const { experiments, exports } = deps
  const { revision } = await experiments.find(experimentId)
  const newest = await experiments.definition(experimentId, revision)
  const { bonus, pick, min } = newest.completion?.payment ?? {}
  if (bonus === undefined && pick === undefined && min === undefined)
    throw validationFailed([
      {
        path: '',
        message:
          'the definition names no variable for the bonus in completion.payment.bonus, and draws no rounds with completion.payment.pick',
      },
    ])
  const bonuses = await readBonuses({ store: exports, experiments }, experimentId)
  const lines: string[] = []
  const paid = new Set<string>()
  const isPaidOnce = newest.completion?.allowRepeat !== true
  let after: string | null = null
  do {
    const page: RecruitPage = await experiments.recruits(experimentId, { limit: peoplePerPage, after })
    for (const { participantId, metadata } of page.participants) {
      const id = idAtSite(site, metadata)
      const earned = bonuses.get(participantId)
      if (!earned || earned.bonus <= 0) continue
      if (id === undefined || !isPlainId(id) || (isPaidOnce && paid.has(id))) continue
      paid.add(id)
      lines.push(`${id},${plainMoney(earned.bonus, earned.currency)}\n`)
    }
    after = page.next
  } while (after !== null)
  return { text: lines.join(''), people: lines.length }
}

/** Ids come with the link, so anybody can write them; a comma or a new line would be another payment. */
const isPlainId = (id: string): boolean => /^[A-Za-z0-9_-]{1,128}$/.test(id)
