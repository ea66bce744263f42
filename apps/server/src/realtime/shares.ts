import { limits } from '@atrium/contract'
import { LRUCache } from 'lru-cache'
import { createTokenBucket, type TokenBucket } from './token-bucket.ts'

const actions = { perSecond: 20, burst: 60 }
/** The SDK waits 2.5 s between attempts on average; somebody who reloads the page angrily makes two a second. */
const handshakes = { perSecond: 1, burst: 30 }
/** A burst on connecting, then one every few seconds; a page that reconnects a few times measures again each time. */
const pings = { perSecond: 5, burst: 60 }
/** Half as a burst and half over the minute, so that no minute has more. */
const bytes = { perSecond: limits.socketBytesPerMinute / 120, burst: limits.socketBytesPerMinute / 2 }

/** Each is full again after this time, so forgetting it gives nothing away. */
const rememberedMs = 120_000
const maxParticipants = 20_000

/** What a participant may still send over sockets. */
export interface Share {
  actions: TokenBucket
  pings: TokenBucket
  handshakes: TokenBucket
  bytes: TokenBucket
}

/**
 * With less than this left, actions and handshakes are refused, so that a client which catches up after an hour
 * offline slows down; only one that continues regardless is cut off.
 */
export const minBytesLeft = bytes.burst / 4

export interface Shares {
  of(participantId: string): Share
}

/** Per participant, not per socket: reconnecting gives nobody more. */
export function createShares(): Shares {
  const shares = new LRUCache<string, Share>({
    max: maxParticipants,
    ttl: rememberedMs,
    updateAgeOnGet: true,
  })

  function create(): Share {
    const now = performance.now()
    const bucket = ({ perSecond, burst }: { perSecond: number; burst: number }) =>
      createTokenBucket(perSecond, burst, now)
    return {
      actions: bucket(actions),
      pings: bucket(pings),
      handshakes: bucket(handshakes),
      bytes: bucket(bytes),
    }
  }

  return {
    of(participantId) {
      const share = shares.get(participantId) ?? create()
      shares.set(participantId, share)
      return share
    },
  }
}
