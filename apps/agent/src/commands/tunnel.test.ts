import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createTemporaryFolder, waitUntil } from '@atrium/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { startHttp } from '../../test/start-http.ts'
import { stubAddress } from '../../test/stub-cloudflared.ts'
import { createTestIo } from '../../test/test-io.ts'
import { isRunning, setUpTunnel } from '../../test/tunnel-world.ts'
import { rememberAddress } from '../keys/index.ts'
import { runTunnel } from './tunnel.ts'

const isOpen = (out: () => string) => waitUntil(() => out().includes('/v1') || 'not open yet')

it('[AG100] prints the URL that ends in /v1 once it answers, and closes the tunnel on Ctrl-C', async () => {
  const tunnel = await setUpTunnel('good', [530, 502])
  const code = tunnel.run()
  await isOpen(tunnel.out)
  expect(tunnel.asked()).toBe(3)
  expect(tunnel.out()).toContain(`Base URL: ${stubAddress}/v1\n`)
  expect(tunnel.out()).toContain('The host changes on every restart')
  const { args, env, pid } = await tunnel.notes()
  expect(args).toEqual(['tunnel', '--no-autoupdate', '--url', `http://127.0.0.1:${tunnel.server.port}`])
  expect(Object.keys(env).filter((name) => /TUNNEL|ATRIUM/.test(name))).toEqual([])
  tunnel.stop()
  expect(await code).toBe(0)
  expect(isRunning(pid)).toBe(false)
})

it('[AG100] prints one line of JSON for programs', async () => {
  const tunnel = await setUpTunnel('pieces')
  const code = tunnel.run('--json')
  await isOpen(tunnel.out)
  expect(tunnel.out()).toBe(`{"baseUrl":"${stubAddress}/v1"}\n`)
  tunnel.stop()
  expect(await code).toBe(0)
})

const noAnswer = 0

/** A local server that answers every request alike. */
async function serverThatSays(
  status: (method: string, hasKey: boolean, url: string | undefined) => number,
): Promise<string> {
  const { port, stop } = await startHttp((request, response) => {
    request.resume()
    const code = status(request.method ?? '', request.headers.authorization !== undefined, request.url)
    if (code === noAnswer) request.socket.destroy()
    else response.writeHead(code).end('{}')
  })
  onTestFinished(stop)
  return String(port)
}

it('[AG101] refuses a server that answers without a key, and a port where nothing listens', async () => {
  const open = await serverThatSays(() => 200)
  const halfOpen = await serverThatSays((method) => (method === 'GET' ? 401 : 400))
  const refused = (port: string) => runTunnel(['--port', port], createTestIo().io)
  await expect(refused(open)).rejects.toThrow(
    /is not protected: GET \/v1\/models without a key was answered with 200, not 401.*atrium-agent serve/,
  )
  await expect(refused(halfOpen)).rejects.toThrow(
    'POST /v1/chat/completions without a key was answered with 400',
  )
  const anyKey = await serverThatSays((method, hasKey) => (hasKey && method === 'POST' ? 400 : 401))
  await expect(refused(anyKey)).rejects.toThrow(
    'POST /v1/chat/completions with a wrong key was answered with 400',
  )
  const anyKeyLists = await serverThatSays((_, hasKey) => (hasKey ? 200 : 401))
  await expect(refused(anyKeyLists)).rejects.toThrow(
    'GET /v1/models with a wrong key was answered with 200, not 401',
  )
  const silent = await serverThatSays((method) => (method === 'GET' ? 401 : noAnswer))
  await expect(refused(silent)).rejects.toThrow(/POST \/v1\/chat\/completions without a key was not answered/)
  for (const door of ['/invocations', '/completion', '/api/chat', '/v1/responses']) {
    // As vLLM does: its key covers some of its addresses.
    const sideDoor = await serverThatSays((_method, _hasKey, url) => (url === door ? 422 : 401))
    await expect(refused(sideDoor)).rejects.toThrow(`POST ${door} without a key was answered with 422`)
  }
  const { server } = await setUpTunnel('good')
  await server.stop()
  await expect(refused(String(server.port))).rejects.toThrow(/No answer from port \d+.*atrium-agent serve/)
})

it('[AG101] closes the tunnel when a server that answers without a key takes the port', async () => {
  const tunnel = await setUpTunnel('good')
  let isProtected = true
  const { fetch = globalThis.fetch } = tunnel.outside
  const asked: string[] = []
  tunnel.outside.fetch = ((address: string, init?: RequestInit) => {
    if (isProtected || address.startsWith(stubAddress)) return fetch(address, init)
    asked.push(address)
    return Promise.resolve(new Response('{}', { status: 200 }))
  }) as typeof fetch
  const code = tunnel.run()
  await isOpen(tunnel.out)
  const { pid } = await tunnel.notes()
  const pass = async () => {
    await waitUntil(() => tunnel.clock.isWaitingFor(60_000) || 'nobody watches')
    tunnel.clock.pass(60_000)
  }
  await pass()
  await waitUntil(() => tunnel.clock.isWaitingFor(60_000) || 'the first look is not over')
  expect(isRunning(pid)).toBe(true)
  isProtected = false
  await pass()
  expect(await code).toBe(1)
  expect(tunnel.err()).toContain('The tunnel is closed. The server on port')
  expect(asked).toHaveLength(1)
  expect(isRunning(pid)).toBe(false)
})

it('[AG102] waits for an address that comes late', async () => {
  const tunnel = await setUpTunnel('late')
  const code = tunnel.run()
  await tunnel.notes()
  tunnel.letItGoOn()
  await isOpen(tunnel.out)
  tunnel.stop()
  expect(await code).toBe(0)
})

it('[AG102] gives up on a cloudflared that names no address, and ends it', async () => {
  const tunnel = await setUpTunnel('never')
  const code = tunnel.run()
  const { pid } = await tunnel.notes()
  tunnel.clock.pass(60_000)
  await expect(code).rejects.toThrow('cloudflared named no address within 60 s')
  expect(isRunning(pid)).toBe(false)
})

it('[AG102] repeats what cloudflared complains about when it ends early', async () => {
  const tunnel = await setUpTunnel('dies')
  await expect(tunnel.run()).rejects.toThrow(
    /has ended \(exit code 1\)\. Its last output: “.*429 Too Many Requests/,
  )
})

it('[AG102] repeats words without a level too, but nothing that looks like a secret', async () => {
  const tunnel = await setUpTunnel('diesPlainly')
  await expect(tunnel.run()).rejects.toThrow(/Incorrect Usage: flag provided but not defined.* <secret>”/)
})

it('[AG102] says so when the tunnel breaks later', async () => {
  const tunnel = await setUpTunnel('diesLater')
  const code = tunnel.run()
  await isOpen(tunnel.out)
  tunnel.letItGoOn()
  expect(await code).toBe(1)
  expect(tunnel.err()).toContain(
    'has ended (exit code 3). Its last output: “2026-11-16T10:00:00Z ERR Connection terminated”. Start the tunnel again',
  )
})

it('[AG102] gives up on an address that never leads to the server', async () => {
  const tunnel = await setUpTunnel('complains', Array(1_000).fill(530))
  // Expected before anything is awaited: on a slow machine it gives up before its notes are read.
  const refusal = expect(tunnel.run()).rejects.toThrow(
    /within 90 s \(last answer: 530\)\. Its last output: “.*Unable to reach the origin/,
  )
  const { pid } = await tunnel.notes()
  await refusal
  expect(isRunning(pid)).toBe(false)
})

it('[AG102] gives up on an address where nobody ever answers', async () => {
  const tunnel = await setUpTunnel('good')
  const { fetch = globalThis.fetch } = tunnel.outside
  tunnel.outside.fetch = ((address: string, init: RequestInit) =>
    address.startsWith(stubAddress)
      ? new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
      : fetch(address, init)) as typeof fetch
  const code = tunnel.run()
  let failure: unknown
  code.catch((error: unknown) => {
    failure = error
  })
  await tunnel.notes()
  await waitUntil(() => {
    if (tunnel.clock.isWaitingFor(15_000)) tunnel.clock.pass(15_000)
    return failure !== undefined || 'it still waits'
  })
  await expect(code).rejects.toThrow(/within 90 s \(last answer: nothing within 15 s\)/)
})

it('[AG100] without --port it takes the server that serve has started', async () => {
  const tunnel = await setUpTunnel('good')
  const home = createTemporaryFolder('tunnel-home')
  onTestFinished(() => home.remove())
  tunnel.io.env.HOME = home.path
  const config = join(home.path, '.config', 'atrium-agent')
  await mkdir(config, { recursive: true, mode: 0o700 })
  await rememberAddress(config, `http://127.0.0.1:${tunnel.server.port}/v1`)
  const code = runTunnel(['--cloudflared', tunnel.binary], tunnel.io, tunnel.outside)
  await isOpen(tunnel.out)
  expect((await tunnel.notes()).args.at(-1)).toBe(`http://127.0.0.1:${tunnel.server.port}`)
  tunnel.stop()
  expect(await code).toBe(0)
})

it('[AG103] kills a cloudflared that ignores SIGTERM', async () => {
  const tunnel = await setUpTunnel('stubborn')
  const code = tunnel.run()
  await isOpen(tunnel.out)
  const { pid } = await tunnel.notes()
  tunnel.stop()
  await waitUntil(() => tunnel.clock.isWaitingFor(5_000) || 'not asked to end yet')
  expect(isRunning(pid)).toBe(true)
  tunnel.clock.pass(5_000)
  expect(await code).toBe(0)
  expect(isRunning(pid)).toBe(false)
})

it('[AG103] Ctrl-C before the tunnel is open leaves nothing behind', async () => {
  const tunnel = await setUpTunnel('never')
  const code = tunnel.run()
  const { pid } = await tunnel.notes()
  tunnel.stop()
  await expect(code).rejects.toThrow('stopped by the test')
  expect(isRunning(pid)).toBe(false)
})
