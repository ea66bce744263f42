import { type ErrorCode, envelopeKindOf, errorCatalogue, errorCodes } from '@atrium/contract'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AppError } from '../kernel/app-error.ts'
import { replyWithError } from './error-reply.ts'

const app = Fastify()
const prefixes = ['/api/v4/participant', '/api/v3/participant', '/api/experiments']

class DriverError extends Error {
  detail = 'Failing row contains (secret)'
}

beforeAll(async () => {
  app.setErrorHandler(replyWithError)
  for (const prefix of prefixes) {
    app.get(`${prefix}/refuse/:code`, async (request) => {
      throw new AppError((request.params as { code: ErrorCode }).code, { fact: 1 })
    })
    app.get(`${prefix}/break/:how`, async (request) => {
      const { how } = request.params as { how: string }
      if (how === 'text') throw 'secret text'
      if (how === 'status') throw Object.assign(new Error('secret at /srv/secret.ts'), { statusCode: 418 })
      throw new DriverError('secret at /srv/secret.ts:1')
    })
  }
  await app.ready()
})
afterAll(() => app.close())

describe.each(prefixes)('below %s', (prefix) => {
  test.each(errorCodes)('[R8][R9] %s has its status and its shape', async (code) => {
    const answer = await app.inject(`${prefix}/refuse/${code}`)
    const { status, sentence } = errorCatalogue[code]
    expect(answer.statusCode).toBe(status)
    const details = { fact: 1 }
    expect(answer.json()).toEqual(
      envelopeKindOf(prefix) === 'participant'
        ? { status: 'error', error: { code, message: sentence, details } }
        : { error: sentence, code, details },
    )
    expect(answer.headers['retry-after'] !== undefined).toBe(status === 429 || status === 503)
  })

  test.each(['driver', 'status', 'text'])('[R9] a defect shows no internals (%s)', async (how) => {
    const answer = await app.inject(`${prefix}/break/${how}`)
    expect(answer.statusCode).toBe(500)
    expect(answer.body).toContain('"code":"INTERNAL"')
    expect(answer.body).toContain('"requestId":"req-')
    expect(answer.body + JSON.stringify(answer.headers)).not.toMatch(/secret|stack|\.ts|Driver/)
  })
})
