import { Redis } from 'ioredis'
import type { ClockFacts } from '../judge/clock.ts'
import type { RedisFacts } from '../judge/redis.ts'
import { codeOf } from './error-code.ts'

const limitMs = 3_000

export async function gatherRedis(
  url: string,
): Promise<{ facts: RedisFacts; clock: ClockFacts | undefined }> {
  let redis: Redis | undefined
  let lastError: unknown
  try {
    redis = new Redis(url, {
      lazyConnect: true,
      connectTimeout: limitMs,
      commandTimeout: limitMs,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    })
    redis.on('error', (error) => {
      lastError = error
    })
    await redis.connect()
    // Not CONFIG GET: providers that run Redis for others often forbid it.
    const info = readInfo(await redis.info())
    const before = Date.now()
    const [seconds = 0, microseconds = 0] = (await redis.time()).map(Number)
    const now = (before + Date.now()) / 2
    return {
      clock: { other: 'Redis', aheadMs: seconds * 1000 + microseconds / 1000 - now },
      facts: {
        kind: 'reached',
        version: info.get('redis_version') ?? '0',
        policy: info.get('maxmemory_policy') ?? 'unknown',
        maxBytes: Number(info.get('maxmemory') ?? 0),
        isReplica: info.get('role') === 'slave',
      },
    }
  } catch (error) {
    // When a password is refused, the connection merely closes; only the event says why.
    const code = refusalOf(lastError) ?? refusalOf(error) ?? codeOf(lastError ?? error)
    return { facts: { kind: 'unreachable', code }, clock: undefined }
  } finally {
    redis?.disconnect()
  }
}

const readInfo = (text: string): Map<string, string> =>
  new Map(
    text.split('\r\n').flatMap((line) => {
      const colon = line.indexOf(':')
      return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1)] as const]
    }),
  )

/** Redis begins its errors with a word in capitals. */
const refusalOf = (error: unknown): string | undefined =>
  /^(WRONGPASS|NOAUTH|NOPERM)\b/.exec(error instanceof Error ? error.message : '')?.[1]
