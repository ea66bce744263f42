import { createHmac, timingSafeEqual } from 'node:crypto'
import { sessionTokenPrefix } from '@atrium/contract'

export interface SessionTokens {
  sign(sessionId: string, expiresAt: number): string
  isRight(token: string, sessionId: string, expiresAt: number): boolean
}

/** R12: HMAC over the session id and its expiry; compared in constant time. */
export function createSessionTokens(secret: string): SessionTokens {
  const sign = (sessionId: string, expiresAt: number): string =>
    sessionTokenPrefix + createHmac('sha256', secret).update(`${sessionId}.${expiresAt}`).digest('base64url')
  return {
    sign,
    isRight(token, sessionId, expiresAt) {
      const given = Buffer.from(token)
      const right = Buffer.from(sign(sessionId, expiresAt))
      return given.length === right.length && timingSafeEqual(given, right)
    },
  }
}
