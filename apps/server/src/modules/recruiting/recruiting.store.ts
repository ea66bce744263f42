import type { SealedKeyStore } from '../agents/index.ts'

interface ProlificToken {
  sealedToken: string
  tokenHint: string
}

interface ProlificStudy {
  studyId: string
  name: string
  createdAt: number
}

/** `preparing`: nothing has been asked to pay. `paying`: Prolific may have been asked. `unknown`: asked, and it did not say. */
export type BonusStatus = 'preparing' | 'paying' | 'unknown' | 'done'

export interface BonusRecord {
  submissionId: string
  amount: number
  status: BonusStatus
  changedAt: number
}

/** A bonus as somebody knows it, who may have been asleep since. */
export type SeenBonus = Pick<BonusRecord, 'submissionId' | 'status' | 'changedAt'>

export interface Acting {
  experimentId: string
  actor: string
  now: number
}

/** Every change is audited, without tokens and without people: submissions, which lead to them, are stored by hash. */
export interface RecruitingStore extends SealedKeyStore {
  token(experimentId: string): Promise<ProlificToken | undefined>
  keepToken(acting: Acting, token: ProlificToken | null): Promise<void>
  studies(experimentId: string): Promise<ProlificStudy[]>
  addStudy(acting: Acting, study: ProlificStudy): Promise<void>
  /** Of those among the submissions that have one. */
  bonuses(studyId: string, submissionIds: readonly string[]): Promise<BonusRecord[]>
  bonus(studyId: string, submissionId: string): Promise<BonusRecord | undefined>
  /**
   * Of all who want to pay the same bonus, one gets `claimed`. A claim from before `staleBefore` that never got as far as
   * paying is taken over.
   */
  claimBonus(
    acting: Acting,
    bonus: { studyId: string; submissionId: string; amount: number; staleBefore: number },
  ): Promise<'claimed' | BonusRecord>
  /** False if the claim has been lost meanwhile. */
  markPaying(paying: {
    submissionId: string
    paymentId: string
    claimedAt: number
    now: number
  }): Promise<boolean>
  /** Nothing happens unless it is still as `seen`, here and below: somebody may have settled it and begun again. */
  markUnknown(acting: Acting, seen: SeenBonus): Promise<void>
  /** Whatever it was: paid is paid. */
  markPaid(acting: Acting, submissionId: string): Promise<void>
  /** For a bonus that was certainly not paid. */
  dropBonus(acting: Acting, seen: SeenBonus): Promise<void>
}
