import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import {
  createTemporaryFolder,
  type StubModelServer,
  type StubModelServerOptions,
  startStubModelServer,
} from '@atrium/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { becomeAnotherUser } from '../../test/another-user.ts'
import { createTestIo } from '../../test/test-io.ts'
import { readOrCreateKey, rememberAddress } from '../keys/index.ts'
import { Misuse } from '../misuse.ts'
import { runVerify } from './verify.ts'

async function startStub(options: StubModelServerOptions = {}): Promise<StubModelServer> {
  const stub = await startStubModelServer(options)
  onTestFinished(stub.stop)
  return stub
}

async function verify(
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  { flags = ['--quick', '--parallel', '2'], outside = {} }: VerifyOptions = {},
) {
  const test = createTestIo()
  const code = await runVerify(['--base-url', baseUrl, '--api-key', apiKey, ...flags], test.io, outside)
  return { code, out: test.out(), err: test.err() }
}
type VerifyOptions = { flags?: string[]; outside?: Parameters<typeof runVerify>[2] }

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Reads the table as a person does: without the line breaks within a cell. */
const unwrapped = (text: string) => text.replace(/\s+/g, ' ')

const saying = (message: object) => ({ body: { choices: [{ message }] } })
const calling = (args: string) => saying({ tool_calls: [{ function: { name: 'respond', arguments: args } }] })

it('[AG90] fails with the message of the contract for each of its rows', async () => {
  const rows: [string, StubModelServerOptions][] = [
    ['FAILED reachable GET /models returned 404', { onModels: () => ({ status: 404 }) }],
    ['FAILED auth a WRONG key was accepted', { accepts: () => true }],
    ['FAILED tool_calling chat/completions returned 500', { onCompletion: () => ({ status: 500 }) }],
    [
      'FAILED tool_calling no tool_calls in response',
      { onCompletion: () => saying({ content: 'Five, I think.' }) },
    ],
    [
      'FAILED tool_calling tool_calls arguments are not valid JSON',
      { onCompletion: () => calling('{"choice":') },
    ],
    ['schema mismatches', { onCompletion: () => calling('{"choice":"4","message":""}') }],
    [
      'FAILED concurrency request failed under load',
      { onCompletion: (_request, answer, nth) => (nth > 30 ? { status: 503 } : answer) },
    ],
  ]
  for (const [message, options] of rows) {
    const { code, out } = await verify(await startStub(options))
    expect(unwrapped(out)).toContain(message)
    expect(out).toContain('The server does not meet the contract')
    expect(code).toBe(1)
  }
})

it('[AG90] says that nothing listens, or that the key is wrong', async () => {
  const nobody = await verify({ baseUrl: `http://127.0.0.1:${await freePort()}/v1`, apiKey: 'k' })
  expect(nobody).toMatchObject({ code: 1, out: expect.stringContaining('endpoint unreachable') })
  expect(nobody.out).toContain('auth, tool_calling, concurrency could not be checked')
  const stub = await startStub()
  const wrongKey = await verify({ baseUrl: stub.baseUrl, apiKey: 'atr_other' })
  expect(wrongKey).toMatchObject({ code: 1, out: expect.stringContaining('endpoint rejected the API key') })
})

/** Every answer takes `ms` on a clock that only the answers move. */
function slowBy(ms: number) {
  let now = 0
  return {
    clock: { now: () => now, after: () => () => undefined },
    fetch: (async (...request: Parameters<typeof fetch>) => {
      const response = await fetch(...request)
      now += ms
      return response
    }) as typeof fetch,
  }
}

it('[AG90] a p95 over 300 s fails, and over 60 s passes with a warning', async () => {
  const stub = await startStub()
  const flags = ['--quick', '--parallel', '1']
  const tooSlow = await verify(stub, { flags, outside: slowBy(301_000) })
  expect(unwrapped(tooSlow.out)).toContain("exceeds the platform's 300s maximum timeout")
  expect(tooSlow.code).toBe(1)
  const slow = await verify(stub, { flags, outside: slowBy(61_000) })
  expect(unwrapped(slow.out)).toContain(
    "warning p95 of 61 s is above the 60s default; raise the credential's timeoutMs to 80000.",
  )
  expect(slow.out).toContain('The server passes the four checks. There is 1 warning; see above.')
  expect(slow.code).toBe(0)
})

it('[AG91] prints a table for people, with the further checks, and says what it is doing', async () => {
  // No time passes, so that a busy machine does not look like a slow server.
  const { code, out, err } = await verify(await startStub(), { flags: [], outside: slowBy(0) })
  expect(code).toBe(0)
  expect(out.split('\n').map((line) => line.split(/ {2,}/).slice(1, 3))).toEqual(
    expect.arrayContaining([
      ['ok', 'reachable'],
      ['ok', 'concurrency'],
      ['ok', 'overflow'],
    ]),
  )
  expect(out).toMatch(/The server meets the contract\.\n$/)
  expect(err.split('\n').slice(0, 3)).toEqual([
    'Checking reachable …',
    'Checking auth …',
    'Checking tool_calling …',
  ])
})

it('[AG91] prints JSON for programs, without the key', async () => {
  const stub = await startStub()
  const { out } = await verify(stub, { flags: ['--json', '--quick'] })
  expect(JSON.parse(out)).toMatchObject({
    baseUrl: stub.baseUrl,
    ok: true,
    model: 'stub-model',
    checks: [{ name: 'reachable' }, { name: 'auth' }, { name: 'tool_calling' }, { name: 'concurrency' }],
    notRun: [],
  })
  expect(out).not.toContain(stub.apiKey)
})

it('[AG93] without flags, checks where serve is running, and sends its key nowhere else', async () => {
  const home = createTemporaryFolder('verify')
  onTestFinished(() => home.remove())
  const folder = `${home.path}/.config/atrium-agent`
  const apiKey = await readOrCreateKey({ folder, regenerate: false, say: () => undefined })
  const stub = await startStub({ accepts: (key) => key === apiKey })
  const forget = await rememberAddress(folder, stub.baseUrl)
  const run = (...args: string[]) =>
    runVerify([...args, '--quick', '--parallel', '1'], createTestIo({ env: { HOME: home.path } }).io)
  expect(await run()).toBe(0)
  expect(await run('--base-url', `${stub.baseUrl}/`)).toBe(0)
  const other = await startStub()
  await expect(run('--base-url', other.baseUrl)).rejects.toThrow('verify needs the key of the server')
  expect(other.requests).toEqual([])

  const asked = stub.requests.length
  const file = `${folder}/serving.json`
  const serving = JSON.parse(readFileSync(file, 'utf8'))
  const refusal = 'serve is not running on this machine'
  for (const gone of [{ pid: spawnSync('true').pid }, { host: 'another machine' }]) {
    writeFileSync(file, JSON.stringify({ ...serving, ...gone }))
    await expect(run()).rejects.toThrow(refusal)
  }
  await forget()
  expect(existsSync(file)).toBe(true) // That of a serve that was started later.
  await (await rememberAddress(folder, stub.baseUrl))()
  expect(existsSync(file)).toBe(false)
  await rememberAddress(folder, stub.baseUrl)
  becomeAnotherUser()
  await expect(run()).rejects.toThrow(refusal)
  expect(stub.requests).toHaveLength(asked)
})

it('[AG92] takes the key from the environment, and says what is missing or wrong', async () => {
  const stub = await startStub()
  const test = createTestIo({ env: { ATRIUM_AGENT_API_KEY: stub.apiKey } })
  expect(await runVerify(['--base-url', stub.baseUrl, '--quick', '--parallel', '1'], test.io)).toBe(0)
  const refusal = (...args: string[]) => runVerify(args, createTestIo().io).catch((error: unknown) => error)
  const url = ['--base-url', stub.baseUrl]
  const refusals = await Promise.all([
    refusal(),
    refusal('--base-url', 'localhost'),
    refusal(...url),
    refusal(...url, '--api-key', 'k', '--parallel', '0'),
    refusal(...url, '--api-keys', 'k'),
    refusal(...url, '--api-key'),
    refusal('here'),
  ])
  expect(refusals.every((error) => error instanceof Misuse)).toBe(true)
  expect(refusals.map((error) => (error as Misuse).message)).toEqual([
    expect.stringContaining('--base-url http://127.0.0.1:8080/v1'),
    expect.stringContaining('“localhost” is not a URL'),
    expect.stringContaining('ATRIUM_AGENT_API_KEY'),
    '--parallel has to be a whole number from 1 to 64, not “0”.',
    expect.stringContaining('verify has no flag --api-keys. Did you mean --api-key?'),
    expect.stringContaining('--api-key needs a value'),
    expect.stringContaining('takes no argument “here”'),
  ])
})
