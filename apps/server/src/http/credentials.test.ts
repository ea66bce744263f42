import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { AppError } from '../kernel/app-error.ts'
import { idempotencyKeyOf, originOf, singleHeader } from './credentials.ts'

/** What `read` returns for a request with these headers, as they were on the wire. */
async function reading<Value>(
  headers: [string, string][],
  read: (request: Parameters<typeof originOf>[0]) => Value,
): Promise<Value | undefined> {
  const app = Fastify()
  let value: Value | undefined
  let failure: unknown
  app.get('/', async (request) => {
    // light-my-request cannot repeat headers, so they are put where Node leaves them.
    request.raw.rawHeaders = headers.flat()
    const joined = Map.groupBy(headers, ([name]) => name.toLowerCase())
    for (const [name, list] of joined) request.raw.headers[name] = list.map(([, text]) => text).join(', ')
    try {
      value = read(request)
    } catch (error) {
      failure = error
    }
  })
  await app.inject('/')
  await app.close()
  if (failure) throw failure
  return value
}

describe('singleHeader', () => {
  test('returns a header that occurs once, in upper or lower case', async () => {
    const read = (headers: [string, string][]) =>
      reading(headers, (request) => singleHeader(request, 'x-session-id'))
    expect(await read([['X-Session-ID', 'sess_1']])).toBe('sess_1')
    expect(
      await read([
        ['x-session-id', 'sess_1'],
        ['x-session-idx', 'sess_2'],
      ]),
    ).toBe('sess_1')
    expect(
      await read([
        ['x-session-id', 'sess_1'],
        ['X-Session-Id', 'sess_1'],
      ]),
    ).toBeUndefined()
    expect(await read([['accept', '*/*']])).toBeUndefined()
  })
})

describe('[R18] idempotencyKeyOf', () => {
  const read = (...keys: string[]) =>
    reading(
      keys.map((key): [string, string] => ['Idempotency-Key', key]),
      idempotencyKeyOf,
    )
  test('returns the key, or null if there is none', async () => {
    expect(await read()).toBeNull()
    expect(await read('batch-1')).toBe('batch-1')
    expect(await read('x'.repeat(255))).toBe('x'.repeat(255))
  })
  test.each([[['']], [['a b']], [['é']], [['x'.repeat(256)]], [['a', 'a']]])('refuses %j', async (keys) => {
    await expect(read(...keys)).rejects.toThrow(AppError)
  })
})

test('originOf treats a missing user agent as empty', async () => {
  const origin = await reading([], (request) => {
    delete request.raw.headers['user-agent']
    return originOf(request)
  })
  expect(origin).toEqual({ ipAddress: '127.0.0.1', userAgent: '' })
})
