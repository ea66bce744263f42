import type { CredentialTest } from '@atrium/contract'
import type { Sight } from '../experiments/index.ts'
import type { CredentialChange, CredentialRecord } from './credential.plan.ts'

export interface SeenCredential {
  credential: CredentialRecord
  /** Experiments within sight whose newest revision names the credential. */
  usedBy: UsingExperiment[]
}

export interface UsingExperiment {
  experimentId: string
  name: string
}

/** R37 */
export interface CredentialSight {
  /** Whose credentials; `null`: everybody's. */
  owner: string | null
  experiments: Sight
}

/** Where a credential stands in the list. */
type CredentialCursor = Pick<CredentialRecord, 'createdAt' | 'credentialId'>

export interface CredentialStore {
  /** Refuses one more than `max` of one owner, however many arrive at the same time. */
  create(credential: CredentialRecord, max: number, actor: string): Promise<'created' | 'too_many'>
  /** Whoever owns it. */
  find(credentialId: string): Promise<CredentialRecord | undefined>
  /** Newest first, from the one after `before`. */
  visible(listing: {
    sight: CredentialSight
    before: CredentialCursor | null
    limit: number
  }): Promise<SeenCredential[]>
  /** Undefined if it does not exist, or they may not see it. */
  seen(credentialId: string, sight: CredentialSight): Promise<SeenCredential | undefined>
  /** Applies `changeCredential`, one change after the other. */
  change(credentialId: string, change: CredentialChange): Promise<'changed' | 'not_found' | 'key_needed'>
  /** Deletes it, unless a running experiment needs it (see `runningWith`). */
  remove(removal: {
    credentialId: string
    actor: string
    now: number
  }): Promise<'removed' | 'in_use' | 'not_found'>
  /**
   * Experiments that recruit or are paused and whose newest revision names it, and those where somebody still takes part
   * in a revision that does. Only those within sight; `null`: all.
   */
  runningWith(credentialId: string, sight: Sight | null, now: number): Promise<UsingExperiment[]>
  /**
   * Those that do not exist, or that neither the author nor the owner of the experiment made, and that its newest
   * revision does not name either. To administrators (`actor` is `null`) only those that do not exist.
   */
  hiddenAmong(search: {
    credentialIds: readonly string[]
    actor: string | null
    experimentId: string | null
  }): Promise<string[]>
  /** False while another test of it runs, on whichever instance. */
  claimTest(claim: { credentialId: string; testId: string; now: number; until: number }): Promise<boolean>
  /** Ends the test. The result is kept unless the credential has changed meanwhile; without one, nothing is. */
  endTest(ended: {
    credentialId: string
    testId: string
    changedAt: number
    actor: string
    now: number
    result: CredentialTest | null
  }): Promise<void>
  /** Sealed keys that do not begin with the prefix, in the order of their ids. */
  sealedOtherwise(search: {
    prefix: string
    after: string
    limit: number
  }): Promise<{ credentialId: string; sealedKey: string }[]>
  /** Replaces a sealed key, unless somebody else has done so. */
  reseal(resealed: { credentialId: string; from: string; to: string }): Promise<void>
}
