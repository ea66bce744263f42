import { createHmac, randomBytes } from 'node:crypto'
import type { SharedSecretStore } from './identity.store.ts'

export type ResearcherPseudonym = (researcher: string) => string

/**
 * R91: what the data call a researcher, the same in every study of this platform. Made with a secret, because the few who
 * work at an institution could be guessed from a hash alone.
 */
export async function createResearcherPseudonyms(secrets: SharedSecretStore): Promise<ResearcherPseudonym> {
  const key = await secrets.keepFirst('researcher_pseudonym_key', randomBytes(32).toString('base64url'))
  return (researcher) =>
    `res_${createHmac('sha256', key).update(researcher).digest('base64url').slice(0, 22)}`
}
