import { expect, it } from 'vitest'
import type { CheckProgress } from './check-model-server.ts'
import { check, createTestClock, messageOf, startStub } from './test/set-up.ts'

const completionSaying = (message: object) => ({ body: { choices: [{ index: 0, message }] } })
const calling = (name: string, args: unknown) =>
  completionSaying({
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: args } }],
  })

it('[MC1] a server that keeps the contract passes, and progress is reported', async () => {
  const stub = await startStub()
  const seen: CheckProgress[] = []
  // No time passes, so that a busy machine does not look like a slow server.
  const clock = createTestClock()
  const report = await check(stub, { clock, onProgress: (progress) => seen.push(progress) })
  expect(report).toMatchObject({ ok: true, model: 'stub-model', notRun: [], further: [] })
  expect(report.checks.map(({ name, ok }) => [name, ok])).toEqual([
    ['reachable', true],
    ['auth', true],
    ['tool_calling', true],
    ['concurrency', true],
  ])
  expect(report.checks.map(({ warning }) => warning)).toEqual([undefined, undefined, undefined, undefined])
  expect(report.checks[3]?.figures).toMatchObject({ parallel: 8, requests: 24 })
  expect(seen.at(-1)).toEqual({ check: 'concurrency', done: 24, total: 24 })
})

it('[MC4] a trailing slash is accepted, and what is no base URL is refused with a sentence', async () => {
  const stub = await startStub()
  const { apiKey } = stub
  expect(await check({ baseUrl: `${stub.baseUrl}/`, apiKey })).toMatchObject({ ok: true })
  const messages = ['ftp://host/v1', 'no url', 'http://me:secret@host/v1', 'http://host/v1?x=1'].map(
    async (baseUrl) => messageOf(await check({ baseUrl, apiKey })),
  )
  expect(await Promise.all(messages)).toEqual([
    expect.stringContaining('begins with ftp:'),
    expect.stringContaining('“no url” is not a URL'),
    expect.stringContaining('contains a user name or a password'),
    expect.stringContaining('contains a “?”'),
  ])
  expect(messageOf(await check({ baseUrl: stub.baseUrl, apiKey: 'two words' }))).toContain('Copy it again')
})

it('[MC2] [MC4] says that /v1 is missing, whether or not the server answers without it', async () => {
  const strict = await startStub()
  const { apiKey } = strict
  const baseUrl = strict.baseUrl.replace('/v1', '')
  const report = await check({ baseUrl, apiKey })
  expect(messageOf(report)).toBe(
    `GET /models returned 404: “No such route.”. Check that the base URL includes /v1: ${baseUrl}/v1`,
  )
  expect(report).toMatchObject({ ok: false, notRun: ['auth', 'tool_calling', 'concurrency'] })
  const lenient = ((url: string, init: RequestInit) =>
    fetch(url.replace(/(\d)\//, '$1/v1/'), init)) as typeof fetch
  expect(messageOf(await check({ baseUrl, apiKey }, { fetch: lenient }))).toContain(
    `does not end in /v1, which the platform requires. Use ${baseUrl}/v1`,
  )
})

it('[MC4] warns about a model that the server does not list', async () => {
  const stub = await startStub()
  const named = await check(stub, { model: 'other', parallel: 1 })
  expect(named.model).toBe('other')
  expect(named.checks[0]?.warning).toContain('does not list the model “other”. It lists “stub-model”')
  const none = await startStub({ onModels: () => ({ body: { data: [] } }) })
  expect((await check(none)).checks[0]?.warning).toContain('lists no model')
})

it('[MC3] [MC5] a server that accepts any key fails, but is still asked for tool calls', async () => {
  const report = await check(await startStub({ accepts: () => true }))
  expect(report.ok).toBe(false)
  expect(report.checks[1]?.message).toContain('a WRONG key was accepted by POST /chat/completions')
  expect(report.checks[3]).toMatchObject({ name: 'concurrency', ok: true })
})

it('[MC5] refuses servers that need no key at all, or say no with the wrong status', async () => {
  const withoutKey = await startStub({ accepts: (key) => key === undefined || key === 'atr_stub' })
  expect((await check(withoutKey)).checks[1]?.message).toContain(
    'a request WITHOUT a key was accepted by POST',
  )
  const forbidding = await startStub({ accepts: () => true, onCompletion: () => ({ status: 403 }) })
  expect((await check(forbidding)).checks[1]?.message).toContain('a WRONG key was answered with 403 by POST')
})

it('[MC5] a list of models that anyone can read is only worth a warning', async () => {
  const stub = await startStub()
  const open = ((url: string, init: RequestInit) =>
    fetch(
      url,
      url.endsWith('/models') ? { ...init, headers: { authorization: `Bearer ${stub.apiKey}` } } : init,
    )) as typeof fetch
  const report = await check(stub, { fetch: open })
  expect(report.ok).toBe(true)
  expect(report.checks[1]?.warning).toContain('a WRONG key was accepted by GET /models')
})

it('[MC3] [MC5] says that the key was rejected, by whichever route', async () => {
  const stub = await startStub()
  const everywhere = await check({ baseUrl: stub.baseUrl, apiKey: 'atr_other' })
  expect(messageOf(everywhere)).toContain('endpoint rejected the API key (401)')
  expect(everywhere).toMatchObject({ ok: false, notRun: ['tool_calling', 'concurrency'] })
  const onlyCompletions = await startStub({ accepts: () => true, onCompletion: () => ({ status: 401 }) })
  expect(messageOf(await check(onlyCompletions))).toContain('endpoint rejected the API key (401)')
})

it('[MC6] tells apart the ways in which a tool call can be wrong', async () => {
  const cases: [object, string][] = [
    [
      completionSaying({ content: 'I would \u001B[31mrate\nit 5.' }),
      'no tool_calls in response: the model wrote “I would [31mrate it 5.”',
    ],
    [completionSaying({ content: null, tool_calls: [] }), 'no tool_calls in response. Use a model'],
    [calling('look_up', '{}'), 'schema mismatches: the tool “look_up” was called instead of respond'],
    [calling('respond', '{"choice": 4,'), 'tool_calls arguments are not valid JSON: “{"choice": 4,”'],
    [
      calling('respond', { choice: 4, message: '' }),
      'tool_calls arguments are not valid JSON: they have to be a string',
    ],
    [
      calling('respond', '{"choice":9,"message":"x"}'),
      'tool_calls arguments have schema mismatches: “choice must be <= 7”',
    ],
    [calling('respond', '{"choice":4}'), 'tool_calls arguments have schema mismatches'],
    [{ body: { choices: [] } }, 'not a completion with choices[0].message'],
  ]
  for (const [reply, message] of cases) {
    const stub = await startStub({ onCompletion: () => reply })
    const report = await check(stub)
    expect(messageOf(report)).toContain(message)
    expect(report).toMatchObject({ ok: false, notRun: ['concurrency'] })
  }
})

it('[MC6] one bad answer in ten is one too many', async () => {
  const stub = await startStub({
    onCompletion: (_request, answer, nth) => (nth === 7 ? completionSaying({ content: 'Five.' }) : answer),
  })
  expect(messageOf(await check(stub))).toContain('(1 of 10 answers)')
})

it('[MC6] an HTTP error fails at once, with the words of the server', async () => {
  const body = { error: { message: 'out of memory', type: 'server_error', param: null, code: null } }
  const stub = await startStub({ onCompletion: () => ({ status: 500, body }) })
  const report = await check(stub)
  expect(messageOf(report)).toBe(
    'chat/completions returned 500: “out of memory”. The server itself failed: look into its log.',
  )
  expect(
    stub.requests.filter(({ path, key }) => path.endsWith('/completions') && key === stub.apiKey),
  ).toHaveLength(2)
})

it('[MC2] a server that fails is not taken for a wrong address', async () => {
  const body = { error: { message: 'the model is still loading' } }
  const stub = await startStub({ onModels: () => ({ status: 503, body }) })
  expect(messageOf(await check(stub))).toBe(
    'GET /models returned 503: “the model is still loading”. The server itself failed: look into its log.',
  )
})

it('[MC4] says how to name one of several models', async () => {
  const stub = await startStub({ onModels: () => ({ body: { data: [{ id: 'one' }, { id: 'two' }] } }) })
  const { checks } = await check(stub, { parallel: 1 })
  expect(checks[0]?.warning).toContain('“one”, “two”. Name the one that you want: with --model')
})

it('[MC7] a request that fails only under load fails the check', async () => {
  const stub = await startStub({
    onCompletion: (_request, answer, nth) => (nth === 20 ? { status: 503, body: 'Busy.' } : answer),
  })
  expect(messageOf(await check(stub))).toContain(
    'request failed under load (1 of 24, 8 at the same time): chat/completions returned 503: “Busy.”',
  )
})

/** Answers when all requests of the wave are there; the wave then took `ms`, whatever the machine is doing. */
async function startSlowStub(parallel: number, ms: number) {
  const clock = createTestClock()
  const waiting: (() => void)[] = []
  const stub = await startStub({
    async onCompletion(_request, answer, nth) {
      if (nth <= 11) {
        clock.pass(1_000)
        return answer
      }
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        if (waiting.length < parallel) return
        clock.pass(ms)
        for (const release of waiting.splice(0)) release()
      })
      return answer
    },
  })
  return { stub, clock }
}

it('[MC8] a p95 above 60 s passes with a warning, and above 90 s warns about tunnels too', async () => {
  const slow = await startSlowStub(8, 75_000)
  const report = await check(slow.stub, { clock: slow.clock })
  expect(report.ok).toBe(true)
  expect(report.checks[3]).toMatchObject({
    message: 'p50 75 s, p95 75 s with 8 requests at the same time, 1.3 tokens/s',
    warning: expect.stringMatching(
      /^p95 of 75 s is above the 60s default; raise the credential's timeoutMs to 90000\./,
    ),
    figures: { p50Ms: 75_000, p95Ms: 75_000 },
  })
  expect(report.checks[3]?.warning).not.toContain('tunnel')
  const slower = await startSlowStub(8, 120_000)
  const { checks } = await check(slower.stub, { clock: slower.clock })
  expect(checks[3]?.warning).toContain('A tunnel of Cloudflare cuts requests after about 100 s')
})

it.each([0, 2_000])('[MC9] a server that runs requests one at a time, %i ms away, fails', async (wayMs) => {
  const clock = createTestClock()
  const waiting: (() => void)[] = []
  let isBusy = false
  const next = () => {
    isBusy = waiting.length > 0
    waiting.shift()?.()
  }
  const stub = await startStub({
    onModels() {
      clock.pass(wayMs)
      return { body: { data: [{ id: 'stub-model' }] } }
    },
    async onCompletion(_request, answer, nth) {
      const isUnderLoad = nth > 11
      if (isUnderLoad)
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
          if (!isBusy) next()
        })
      // Requests that come together are on their way at the same time.
      const isFirstOfWave = (nth - 12) % 8 === 0
      if (!isUnderLoad || isFirstOfWave) clock.pass(wayMs)
      clock.pass(1_000)
      return answer
    },
  })
  // The next one begins when the one before has arrived, so that the clock tells each its own time.
  const onProgress = (progress: CheckProgress) => progress.check === 'concurrency' && next()
  const report = await check(stub, { clock, onProgress })
  expect(report.ok).toBe(false)
  expect(messageOf(report)).toMatch(
    /^the server runs requests one at a time, which the contract rules out: 8 together take 8 times as long as one/,
  )
  expect(report.checks[3]?.figures).toMatchObject({ overlap: 1, p50Ms: 4_000 + wayMs, p95Ms: 8_000 + wayMs })
})

it('[MC9] a server that works on all requests but gains nothing from it is only warned about', async () => {
  const saturated = await startSlowStub(8, 8_000)
  const { ok, checks } = await check(saturated.stub, { clock: saturated.clock })
  expect(ok).toBe(true)
  expect(checks[3]?.figures).toMatchObject({ overlap: 1 })
  expect(checks[3]?.warning).toContain('8 requests together take 8 times as long as one')
  const batched = await startSlowStub(8, 2_000)
  const { checks: better } = await check(batched.stub, { clock: batched.clock })
  expect(better[3]?.figures).toMatchObject({ overlap: 4 })
  expect(better[3]?.warning).toBeUndefined()
})

it('[MC8] a p95 above 300 s fails, whether requests are answered late or cut off', async () => {
  const message = "exceeds the platform's 300s maximum timeout"
  const late = await startSlowStub(8, 310_000)
  const withoutLimit = { ...late.clock, after: () => () => undefined }
  const report = await check(late.stub, { clock: withoutLimit })
  expect(report).toMatchObject({ ok: false, notRun: [] })
  expect(messageOf(report)).toContain(`p95 of 310 s with 8 requests at the same time ${message}`)
  const cut = await startSlowStub(8, 310_000)
  expect(messageOf(await check(cut.stub, { clock: cut.clock }))).toContain(message)
})
