export interface RateState {
  allowed: boolean
  limit: number
  remaining: number
  /** How long the window still lasts; a duration, because the caller's clock may differ. */
  resetInMs: number
}

/** Counts requests per key in windows of one minute (R10). It never fails: without its store it counts alone. */
export interface RateLimiter {
  consume(bucket: string, key: string, limit: number): Promise<RateState>
  /** The state of a key, without counting a request. */
  peek(bucket: string, key: string, limit: number): Promise<RateState>
}
