import { limits } from '@atrium/contract'
import { expect, test } from 'vitest'
import type { Clock } from '../clock.ts'
import { ApiRefused } from '../errors.ts'
import { createHttp, type Fetch } from '../http.ts'
import type { SessionKeeper } from '../session.ts'
import { uploadAnswerFile } from './answer-file.ts'

/** A platform that answers with these statuses, one after another. */
async function upload(statuses: number[], size = 3) {
  const waits: number[] = []
  const clock: Clock = {
    now: () => 0,
    after(delayMs, act) {
      waits.push(delayMs)
      // Rests are over at once; the patience of a request is not.
      if (delayMs < 60_000) queueMicrotask(act)
      return () => undefined
    },
  }
  const asked: FormData[] = []
  const fetch: Fetch = async (_url, { body }) => {
    asked.push(body as FormData)
    const status = statuses[asked.length - 1] ?? 200
    const answer =
      status === 200
        ? { status: 'success', data: { fileId: 'file_1', size } }
        : {
            status: 'error',
            error: { code: status === 503 ? 'UNAVAILABLE' : 'ACTION_REFUSED', message: 'No.', details: {} },
          }
    return { status, headers: new Headers({ 'retry-after': '2' }), text: async () => JSON.stringify(answer) }
  }
  const http = createHttp({
    baseUrl: '',
    fetch,
    clock,
    userAgent: undefined,
    closing: new AbortController().signal,
  })
  const session = { sessionId: 'sess_1' } as Parameters<Parameters<SessionKeeper['withSession']>[0]>[0]
  const keeper = { withSession: (act) => act(session) } as SessionKeeper
  const file = new Blob([new Uint8Array(size)])
  const outcome = await uploadAnswerFile(
    { http, clock, random: () => 0, keeper },
    { componentId: 'photo', file, name: 'a.png' },
  ).catch((error: unknown) => (error instanceof ApiRefused ? error.code : error))
  return { outcome, asked, waits }
}

test('[FI8] a file for which there was no place is sent again, whole, when the server says so', async () => {
  const { outcome, asked, waits } = await upload([503, 503])
  expect(outcome).toEqual({ fileId: 'file_1', size: 3 })
  expect(asked.map((form) => (form.get('file') as File).size)).toEqual([3, 3, 3])
  expect(waits.filter((delayMs) => delayMs === 2_000)).toHaveLength(2)
})

test('a refusal that repeating would not change is for the participant to see, and so is a server that stays full', async () => {
  expect((await upload([409])).asked).toHaveLength(1)
  const { outcome, asked } = await upload(Array.from({ length: 20 }, () => 503))
  expect([outcome, asked.length]).toEqual(['UNAVAILABLE', 8])
})

test('[FI8] the largest file may take as long as it takes at 256 kbit/s', async () => {
  const { waits } = await upload([], limits.answerFileBytes)
  expect(waits[0]).toBeGreaterThan((limits.answerFileBytes * 8) / 256)
})
