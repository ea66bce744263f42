import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../kernel/clock.ts'
import type { Credentials, OpenedCredential } from '../credentials/credentials.ts'
import type { ModelProvider } from '../providers/provider.ts'
import type { OpenModel } from './ask-agent.ts'

export interface OpenModelsDeps {
  credentials: Pick<Credentials, 'open'>
  createProvider(server: { baseUrl: string; apiKey: string }): ModelProvider
  clock: Clock
}

/**
 * Two hundred agents of one credential would otherwise read and decrypt it before each turn, and wait for that. A changed
 * credential counts after this time at the latest.
 */
const believedMs = 2_000
const maxKnown = 1_000

interface Known {
  readAt: number
  found: Promise<{ opened: OpenedCredential; model: OpenModel } | undefined>
}

/** The model servers of credentials. Each keeps its provider while its credential stays the same. */
export function createOpenModels({ credentials, createProvider, clock }: OpenModelsDeps) {
  const known = new LRUCache<string, Known>({ max: maxKnown })

  async function read(credentialId: string, before: Known['found'] | undefined): Known['found'] {
    const opened = await credentials.open(credentialId)
    if (!opened) return undefined
    const last = await before
    const { baseUrl, apiKey, model, timeoutMs } = opened
    const isSameServer = last?.opened.baseUrl === baseUrl && last.opened.apiKey === apiKey
    // A provider learns what its server understands.
    const provider = isSameServer ? last.model.provider : createProvider({ baseUrl, apiKey })
    return { opened, model: { credentialId, model, timeoutMs, provider } }
  }

  /** Undefined when there is no such credential. */
  return async (credentialId: string): Promise<OpenModel | undefined> => {
    const before = known.get(credentialId)
    if (before && clock.now() - before.readAt < believedMs) return (await before.found)?.model
    const one: Known = {
      readAt: clock.now(),
      found: read(
        credentialId,
        before?.found.catch(() => undefined),
      ),
    }
    known.set(credentialId, one)
    const forget = () => known.get(credentialId) === one && known.delete(credentialId)
    try {
      const found = await one.found
      if (!found) forget()
      return found?.model
    } catch (error) {
      forget()
      throw error
    }
  }
}
