import { identityRoutes, isUnfilledPlaceholder } from '@atrium/contract'
import { isBrowser } from './browser-events.ts'
import { systemClock } from './clock.ts'
import { ApiRefused } from './errors.ts'
import { createHttp, type Fetch } from './http.ts'
import type { GetIdToken } from './session.ts'
import { userAgentOf } from './user-agent.ts'

export interface GuestOptions {
  /** Where the platform is, as for `createParticipant`. */
  baseUrl: string
  experimentId: string
  /** Who it is, as the recruiting site says: the same id is the same person. A placeholder that it left counts as none. */
  externalId?: string | undefined
  /** Where the secret is kept that says who it is without an id. By default localStorage in browsers, nowhere else. */
  memory?: GuestMemory
  fetch?: Fetch
  /** Programs only; browsers send their own. */
  userAgent?: string
}

export interface GuestMemory {
  recall(): string | null
  keep(secret: string): void
}

/**
 * Takes part without an account: gives the `getIdToken` of a participant of this experiment. An experiment that wants people
 * to sign in refuses with FORBIDDEN.
 */
export function asGuest(options: GuestOptions): GetIdToken {
  const { experimentId, memory = browserMemory(experimentId) } = options
  const externalId = idIn(options.externalId)
  const http = createHttp({
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    clock: systemClock,
    userAgent: userAgentOf(options),
    closing: new AbortController().signal,
  })
  /** For the visit, where nothing can be kept longer. */
  let secret: string | null = null
  let token: Promise<string> | undefined

  async function ask(guestSecret: string | null): Promise<string> {
    const who = externalId === undefined ? { ...(guestSecret !== null && { guestSecret }) } : { externalId }
    const answer = await http(identityRoutes.guest, { headers: {}, body: { experimentId, ...who } })
    secret = answer.guestSecret
    attempt(() => memory.keep(answer.guestSecret))
    return answer.idToken
  }

  async function askWithSecret(): Promise<string> {
    const known = secret ?? attempt(() => memory.recall()) ?? null
    return await ask(known).catch((error: unknown) => {
      // Of another platform at the same address, say. Whoever has it is nobody there, and begins anew.
      if (known !== null && isStrangeSecret(error)) return ask(null)
      throw error
    })
  }

  return ({ isRefresh }) => {
    if (isRefresh) token = undefined
    token ??= askWithSecret().catch((error: unknown) => {
      token = undefined
      throw error
    })
    return token
  }
}

function idIn(externalId: string | undefined): string | undefined {
  const id = externalId?.trim()
  return id && !isUnfilledPlaceholder(id) ? id : undefined
}

const isStrangeSecret = (error: unknown): boolean =>
  error instanceof ApiRefused && error.code === 'UNAUTHENTICATED' && error.details.reason === 'guest_secret'

interface StorageGlobals {
  localStorage?: { getItem(name: string): string | null; setItem(name: string, value: string): void }
}

/** Per experiment. In Node looking for localStorage is enough for a warning. */
function browserMemory(experimentId: string): GuestMemory {
  const storage = () => (isBrowser() ? (globalThis as StorageGlobals).localStorage : undefined)
  const name = `atrium.guest.${experimentId}`
  return {
    recall: () => storage()?.getItem(name) ?? null,
    keep: (secret) => storage()?.setItem(name, secret),
  }
}

/** Storage may be full or forbidden; a study goes on without it. */
function attempt<Result>(use: () => Result): Result | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}
