import { limits as contractLimits } from '@atrium/contract'
import type { LimiterOptions } from './limiter.ts'

/** How long the router waits for others, and how much it does at the same time. */
export interface Limits {
  connectTimeoutMs: number
  /** How long the instance that Redis named for a room is used before Redis is read again. */
  roomCacheMs: number
  /** From the end of a request to the head of its response, and the longest pause within a body in either direction. */
  responseTimeoutMs: number
  /** How long the first 64 KiB of a body may take, or all of a smaller one. */
  bodyStartTimeoutMs: number
  upgradeTimeoutMs: number
  /** How long after a backend was last seen its unfinished requests are abandoned. An instance may take this long to stop. */
  abandonAfterMs: number
  /** How long after the signal to stop open connections are cut. */
  stopTimeoutMs: number
  /** Requests in progress to one backend, each on its own connection. */
  perBackend: LimiterOptions
  /** Requests in progress for one client address. */
  perAddress: LimiterOptions
  /** Sockets to one backend, including those being opened. */
  socketsPerBackend: number
}

export const defaultLimits: Limits = {
  connectTimeoutMs: 2_000,
  // Less than a second, including the read: a room that moved is followed that soon even if its message is lost.
  roomCacheMs: 800,
  responseTimeoutMs: 65_000,
  // As long as an instance waits for a complete request.
  bodyStartTimeoutMs: 17_000,
  upgradeTimeoutMs: 5_000,
  abandonAfterMs: 20_000,
  stopTimeoutMs: 10_000,
  // An instance answers a few thousand requests a second within a few milliseconds each, so a few dozen connections keep it
  // busy. The rest is for slow uploads and responses; twice what one address may use, so that no address takes it all.
  perBackend: { maxActive: 512, maxQueued: 1_024, queueTimeoutMs: 10_000 },
  // Hundreds of people may share a school's address, each with one or two requests in progress. Further requests wait
  // for a moment; none is refused unless thousands arrive together.
  perAddress: { maxActive: 256, maxQueued: 4_096, queueTimeoutMs: 30_000 },
  // An instance refuses sockets above its own limit and says why; this only bounds how many it has to refuse.
  socketsPerBackend: contractLimits.socketsPerInstance + 200,
}
