import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { ProlificApi } from './prolific-api.ts'
import type { Acting, BonusRecord, RecruitingStore } from './recruiting.store.ts'

export interface ShownBonus {
  amount: number
  status: 'begun' | 'done' | 'unknown'
}

interface BonusDeps {
  store: RecruitingStore
  clock: Clock
}

interface WantedBonus {
  studyId: string
  submissionId: string
  personId: string
  amount: number
}

/** An instance that died while it prepared a payment has not paid; another may begin. Much longer than preparing takes. */
const staleAfterMs = 10 * 60_000
/** Longer than any request to Prolific: whoever asked it to pay and has not heard by then never will. */
const unknownAfterMs = 60_000
/** A request that begins by then has ended before its bonus is called unknown. */
const latestStartMs = 30_000

/**
 * RC8: Prolific pays again when it is asked again, so it is asked once. What is about to happen is stored before, and what
 * happened after; if that cannot be known, a person has to look.
 */
export async function payBonus(
  { store, clock }: BonusDeps,
  api: Pick<ProlificApi, 'prepareBonus' | 'payBonus'>,
  acting: Omit<Acting, 'now'>,
  { studyId, submissionId, personId, amount }: WantedBonus,
): Promise<ShownBonus> {
  const now = () => ({ ...acting, now: clock.now() })
  const claim = now()
  const staleBefore = claim.now - staleAfterMs
  const claimed = await store.claimBonus(claim, { studyId, submissionId, amount, staleBefore })
  if (claimed !== 'claimed')
    throw new AppError('PROLIFIC_BONUS_EXISTS', { ...shownBonus(claimed, claim.now) })
  const paymentId = await api.prepareBonus(studyId, personId, amount).catch(async (error: unknown) => {
    await store.dropBonus(now(), { submissionId, status: 'preparing', changedAt: claim.now })
    throw error
  })
  const changedAt = clock.now()
  if (!(await store.markPaying({ submissionId, paymentId, claimedAt: claim.now, now: changedAt })))
    throw new AppError('PROLIFIC_BONUS_EXISTS', { amount, status: 'begun' })
  const paying = { submissionId, status: 'paying', changedAt } as const
  // The database, or this whole process, may have stood still. Soon a person may say that nothing was paid.
  if (clock.now() > changedAt + latestStartMs) {
    await store.dropBonus(now(), paying)
    throw new AppError('PROLIFIC_UNAVAILABLE', { reason: 'timeout' })
  }
  try {
    await api.payBonus(paymentId)
  } catch (error) {
    // Only a refusal says for certain that nothing was paid.
    if (!(error instanceof AppError) || error.code !== 'PROLIFIC_REFUSED') {
      await store.markUnknown(now(), paying)
      return { amount, status: 'unknown' }
    }
    await store.dropBonus(now(), paying)
    throw error
  }
  await store.markPaid(now(), submissionId)
  return { amount, status: 'done' }
}

export function shownBonus({ amount, status, changedAt }: BonusRecord, now: number): ShownBonus {
  if (status === 'done' || status === 'unknown') return { amount, status }
  return { amount, status: status === 'paying' && changedAt <= now - unknownAfterMs ? 'unknown' : 'begun' }
}
