import { createHmac, timingSafeEqual } from 'node:crypto'
import { mediaPath } from '@atrium/contract'
import type { Clock } from '../../kernel/clock.ts'

export interface MediaPathDeps {
  /** Shared by all instances. The first signs, all are accepted. */
  secrets: readonly [string, ...string[]]
  lifetimeMs: number
  clock: Clock
}

export interface SignedVideo {
  /** The path of an object of this video. */
  pathOf(key: string): string
  /** Epoch milliseconds. */
  expiresAt: number
}

export type MediaPaths = ReturnType<typeof createMediaPaths>

/**
 * A lifetime has this many steps, at which paths end: whoever asks within one step gets the same path, so that browsers
 * and proxies find in their cache what they have.
 */
const stepsPerLifetime = 4

/** R32: paths that let anyone who has them play one video, for a while. */
export function createMediaPaths({ secrets, lifetimeMs, clock }: MediaPathDeps) {
  // Another key than that of session tokens: a signature of one kind is never valid as the other.
  const keyFrom = (secret: string) => createHmac('sha256', secret).update('atrium media path').digest()
  const [signingKey, ...olderKeys] = [keyFrom(secrets[0]), ...secrets.slice(1).map(keyFrom)] as const
  const lifetime = Math.floor(lifetimeMs / 1000)
  const step = Math.max(1, Math.floor(lifetime / stepsPerLifetime))

  const signatureOf = (key: Buffer, expiry: number, videoId: string): Buffer =>
    createHmac('sha256', key).update(`${expiry} ${videoId}`).digest()

  return {
    sign(videoId: string): SignedVideo {
      const expiry = Math.floor((Math.floor(clock.now() / 1000) + lifetime) / step) * step
      const signature = signatureOf(signingKey, expiry, videoId).toString('base64url')
      return { pathOf: (object) => mediaPath(expiry, signature, object), expiresAt: expiry * 1000 }
    },

    /** When the credential of a path ends, in epoch milliseconds; undefined if it is forged, of another video, or over. */
    validUntil(credential: string, videoId: string): number | undefined {
      const [, digits = '', signature = ''] = /^([1-9]\d{0,11})\.([\w-]{43})$/.exec(credential) ?? []
      const expiry = Number(digits)
      const presented = Buffer.from(signature, 'base64url')
      const isGenuine = [signingKey, ...olderKeys].some((key) => {
        const expected = signatureOf(key, expiry, videoId)
        // Exactly as we write it: base64 has several spellings of the same bytes.
        return (
          presented.length === expected.length &&
          timingSafeEqual(presented, expected) &&
          expected.toString('base64url') === signature
        )
      })
      return isGenuine && clock.now() < expiry * 1000 ? expiry * 1000 : undefined
    },
  }
}
