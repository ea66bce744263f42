export interface RateState {
  allowed: boolean
  limit: number
  remaining: number
  /** How long the window still lasts: by whose clock it ends is for the caller to say. */
  resetInMs: number
}

/** Counts requests per key in windows of one minute (R10). It never fails: without its store it counts alone. */
export interface RateLimiter {
  consume(bucket: string, key: string, limit: number): Promise<RateState>
  /** The state of a key without counting a request. */
  peek(bucket: string, key: string, limit: number): Promise<RateState>
}
