import { identityCalls, isUnfilledPlaceholder } from '@atrium/contract'
import { isBrowser } from './browser-events.ts'
import { systemClock } from './clock.ts'
import { ApiRefused } from './errors.ts'
import { createHttp, type Fetch } from './http.ts'
import type { GetIdToken } from './session.ts'
import { userAgentOf } from './user-agent.ts'

export interface GuestOptions {
  /** URL of the platform, as for `createParticipant`. */
  baseUrl: string
  experimentId: string
  /** The recruiting site's id of the person: the same id is the same person. An unfilled placeholder counts as none. */
  externalId?: string | undefined
  /** The parameters of the link, as for `join`: a closed experiment says by them where people go. */
  metadata?: Record<string, unknown>
  /** Stores the secret that identifies the device, and a person without an id. localStorage in browsers by default, nothing elsewhere. */
  memory?: GuestMemory
  fetch?: Fetch
  /** For programs only; browsers send their own. */
  userAgent?: string
}

export interface GuestMemory {
  recall(): string | null
  keep(secret: string): void
}

/**
 * For taking part without an account: returns the `getIdToken` of a guest of this experiment. An experiment that requires
 * signing in refuses with FORBIDDEN.
 */
export function asGuest(options: GuestOptions): GetIdToken {
  const { experimentId, memory = browserMemory(experimentId) } = options
  const externalId = idIn(options.externalId)
  const link = options.metadata && { metadata: options.metadata }
  const http = createHttp({
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    clock: systemClock,
    userAgent: userAgentOf(options),
    closing: new AbortController().signal,
  })
  /** Kept for this visit where nothing can be stored. */
  let secret: string | null = null
  let token: Promise<string> | undefined

  async function ask(guestSecret: string | null): Promise<string> {
    // Both: the id says who it is, the secret that it is the same device, which may see its code again.
    const who = {
      ...(externalId !== undefined && { externalId }),
      ...(guestSecret !== null && { guestSecret }),
    }
    const answer = await http(identityCalls.guest, { headers: {}, body: { experimentId, ...link, ...who } })
    secret = answer.guestSecret
    attempt(() => memory.keep(answer.guestSecret))
    return answer.idToken
  }

  async function askWithSecret(): Promise<string> {
    const known = secret ?? attempt(() => memory.recall()) ?? null
    return await ask(known).catch((error: unknown) => {
      // It may belong to another platform at the same address. The guest is unknown here and starts afresh.
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

/** Per experiment. In Node, even accessing localStorage causes a warning. */
function browserMemory(experimentId: string): GuestMemory {
  const storage = () => (isBrowser() ? (globalThis as StorageGlobals).localStorage : undefined)
  const name = `atrium.guest.${experimentId}`
  return {
    recall: () => storage()?.getItem(name) ?? null,
    keep: (secret) => storage()?.setItem(name, secret),
  }
}

/** Storage may be full or forbidden; the study continues without it. */
function attempt<Result>(use: () => Result): Result | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}
