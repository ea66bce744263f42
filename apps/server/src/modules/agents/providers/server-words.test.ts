import type { StubReply } from '@atrium/testkit'
import { expect, it } from 'vitest'
import { askServer, calling, completion, deep, patient, provider, request } from './test/ask-server.ts'

const canary = 'sk-Canary/"quoted"\\and+more=='

it('[R42] the key is in no outcome, wherever a server repeats it', async () => {
  const escaped = [...canary].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
  const slashed = JSON.stringify(canary).replaceAll('/', '\\/')
  const replies: StubReply[] = [
    { status: 401, body: { error: { message: `Incorrect API key: ${canary}` } } },
    { status: 401, body: `{"error":{"message":${slashed}}}` },
    { status: 401, body: `{"error":{"message":"${escaped}"}}` },
    { status: 401, body: `Bearer ${canary}` },
    { status: 401, body: `${'x'.repeat(65_530)}${canary}` },
    { status: 302, headers: { location: `/?key=${encodeURIComponent(canary)}` }, body: canary },
    { body: `<p>${canary}` },
    { body: `{"choices":${deep(100)},"k":${slashed}}` },
    completion({ content: canary }),
    calling([canary, '{}']),
    calling(['respond', `{"message":${JSON.stringify(canary)}}`]),
    calling(['respond', `{"message":${slashed}, "half":`]),
    calling(['respond', { [canary]: [canary] }]),
    calling(['respond', `{"message":"${escaped}"}`]),
    { body: { error: { message: canary } } },
  ]
  for (const reply of replies) {
    const outcome = await askServer(reply, canary)
    for (const spelling of [canary, slashed.slice(1, -1), escaped, encodeURIComponent(canary)])
      for (const text of [JSON.stringify(outcome), ...stringsIn(outcome)])
        expect(text.includes(spelling), text.slice(0, 300)).toBe(false)
  }
})

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.entries(value).flat().flatMap(stringsIn) : []
}

it('[R42] the key is in no outcome when a header cannot hold it, or when an error repeats it', async () => {
  const unsendable = 'sk-Canary\nwith a line'
  const failing: typeof globalThis.fetch = (_input, init) => {
    const said = String(new Headers(init?.headers).get('authorization'))
    throw new TypeError(`failed: ${said}`, { cause: Object.assign(new Error(said), { code: said }) })
  }
  const outcomes = [
    await provider({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: unsendable }).ask(request, patient()),
    await provider({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: canary, fetch: failing }).ask(
      request,
      patient(),
    ),
  ]
  expect(outcomes).toEqual([
    { kind: 'failed', reason: 'unreachable', message: 'The model server cannot be reached.' },
    { kind: 'failed', reason: 'unreachable', message: 'The model server cannot be reached.' },
  ])
})

it('words of the server are short, on one line and storable', async () => {
  const message = `\u001B[2JBad\r\nkey \0 \uD800 ${'x'.repeat(5_000)}`
  const outcome = await askServer({ status: 400, body: { error: { message, 'na\0me': 'x' } } })
  if (outcome.kind !== 'failed') throw new Error('It should have failed.')
  expect(outcome.message).toMatch(/^The model server returned 400: “\[2JBad key x{100,160} …”\.$/)
  const kept = stringsIn(outcome.reply)
  expect(kept).toContain('name')
  for (const text of kept) expect([text.isWellFormed(), text.includes('\0')]).toEqual([true, false])
})
