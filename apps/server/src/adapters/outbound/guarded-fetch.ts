import { limits, modelTimeoutMs } from '@atrium/contract'
import { type Schedule, systemSchedule } from '../../kernel/clock.ts'
import { OutboundError } from '../../kernel/outbound-error.ts'
import { acceptedUrl } from './accepted-url.ts'
import { createConnectionSlots } from './connection-slots.ts'
import { createGuardedAgents, type OpenSocket, openSocket } from './guarded-agents.ts'
import { outgoingRequestOf, signalOf } from './outgoing-request.ts'
import { addressRefused } from './public-address.ts'
import {
  createDnsResolve,
  createPublicLookup,
  isAllowedAddress,
  ownAddressesOf,
  type Resolve,
} from './public-lookup.ts'
import { replyOf } from './reply.ts'
import { send } from './send.ts'

export interface GuardOptions {
  /** R35: only https, and only public addresses. */
  hosted: boolean
  /** Longest time from the call to the last byte. */
  totalMs?: number
  maxReplyBytes?: number
  maxConnections?: number
  schedule?: Schedule
  resolve?: Resolve
  ownAddresses?: () => string[]
  open?: OpenSocket
}

export interface GuardedFetch {
  /**
   * For every request to an address that a researcher gave. Like the global one, except that it follows no redirect and
   * sends and reads only the headers that model servers use. Rejects with an `AppError` for an address, with an
   * `OutboundError` for a reply that breaks a rule, and with the signal's reason.
   */
  fetch: typeof globalThis.fetch
  /** Whether `fetch` would try this address, as far as can be said without looking up its name. */
  accepts(url: string): boolean
  /** Ends what is under way, and refuses what comes later. */
  close(): void
}

/** For each origin and key; the others wait. More than one instance has agents that think at the same time. */
const defaultMaxConnections = 256

interface UnderWay {
  limit: AbortController
  /** Held until the reply has been read: once a `Request` is collected, its signal no longer follows the caller’s. */
  input: string | URL | Request
  callersSignal: AbortSignal | undefined
}

export function createGuardedFetch({
  hosted,
  totalMs = modelTimeoutMs.max,
  maxReplyBytes = limits.modelReplyBytes,
  maxConnections = defaultMaxConnections,
  schedule = systemSchedule,
  resolve = createDnsResolve(),
  ownAddresses = ownAddressesOf,
  open = openSocket,
}: GuardOptions): GuardedFetch {
  const isAllowed = (address: string) => isAllowedAddress(address, ownAddresses)
  const addresses = hosted ? { lookup: createPublicLookup(resolve, isAllowed), isAllowed } : undefined
  const agents = createGuardedAgents({ open, schedule, addresses })
  const slots = createConnectionSlots(maxConnections)
  const underWay = new Set<UnderWay>()
  let isClosed = false

  async function guardedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const url = acceptedUrl(input instanceof Request ? input.url : String(input), hosted)
    if (url === undefined) throw addressRefused()
    const callersSignal = signalOf(input, init)
    const { redirect, ...request } = await outgoingRequestOf(input, init)
    callersSignal?.throwIfAborted()
    if (isClosed) throw new OutboundError('OUTBOUND_CLOSED')

    const limit = new AbortController()
    const { signal } = limit
    const call: UnderWay = { limit, input, callersSignal }
    const cancelLimit = schedule(totalMs, () => limit.abort(new OutboundError('REPLY_TIMEOUT')))
    // Not `AbortSignal.any`, which refers to the signals that it follows only weakly.
    const onCallersAbort = () => limit.abort(callersSignal?.reason)
    let release: (() => void) | undefined
    const onEnd = () => {
      cancelLimit()
      callersSignal?.removeEventListener('abort', onCallersAbort)
      underWay.delete(call)
      release?.()
      release = undefined
    }
    underWay.add(call)
    callersSignal?.addEventListener('abort', onCallersAbort, { once: true })
    // Nobody may be reading the reply by then.
    signal.addEventListener('abort', onEnd, { once: true })
    try {
      release = await slots.take(poolOf(url, request.headers), signal)
      signal.throwIfAborted()
      const message = await send({ url, ...request, agent: agents.for(url), hosted, signal })
      const showRedirect = redirect === 'manual'
      return replyOf(message, { maxBytes: maxReplyBytes, showRedirect, signal, onEnd })
    } catch (error) {
      onEnd()
      throw error
    }
  }

  return {
    fetch: guardedFetch,
    accepts: (url) => acceptedUrl(url, hosted) !== undefined,
    close() {
      isClosed = true
      for (const { limit } of [...underWay]) limit.abort(new OutboundError('OUTBOUND_CLOSED'))
      agents.destroy()
    },
  }
}

/** One researcher’s calls must not keep another’s waiting, although both use the same model server. */
const poolOf = (url: URL, headers: Headers): string => `${url.origin} ${headers.get('authorization') ?? ''}`
