import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeInBothModes } from './modes.ts'
import { stillRunning } from './process-tree.ts'
import { type Server, ServerStartError, startServer } from './server.ts'
import { createTemporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait.ts'

const folder = createTemporaryFolder('fake-server')
const entry = join(folder.path, 'fake server.ts')

/** Stands in for the real server: listens, prints where, and responds with its environment. */
const fakeServer = `
  import { createServer } from 'node:http'
  import { mkdirSync } from 'node:fs'
  if (process.env.PUBLIC_URL === 'bad') {
    console.error('PUBLIC_URL is not an address')
    process.exit(78)
  }
  mkdirSync(process.env.DATA_DIR, { recursive: true })
  const listen = (port) => new Promise((resolve) => {
    const server = createServer(({ url }, reply) => {
      reply.end(JSON.stringify(process.env))
      if (url === '/crash') Promise.reject(new Error('nobody handles this'))
    })
    server.listen(port, '127.0.0.1', () => resolve('http://127.0.0.1:' + server.address().port))
  })
  const http = await listen(process.env.PORT)
  const metrics = await listen(process.env.METRICS_PORT)
  process.on('SIGTERM', () => process.exit(0))
  console.log(JSON.stringify({ level: 'info', event: 'starting' }))
  console.log(JSON.stringify({ event: 'listening', http, metrics }))
`

beforeAll(() => writeFileSync(entry, fakeServer))
afterAll(() => folder.remove())

async function envOf(address: string): Promise<Record<string, string>> {
  return JSON.parse(await (await fetch(address)).text())
}

describe('startServer', () => {
  test('passes on only the given configuration', async () => {
    process.env.REDIS_URL = 'redis://somewhere.invalid'
    const server = await startServer({ entry, env: { HOSTED: 'false' } }).finally(() => {
      delete process.env.REDIS_URL
    })
    const { HOSTED, HOST, REDIS_URL, DATA_DIR } = await envOf(server.http)
    expect({ HOSTED, HOST, REDIS_URL }).toEqual({ HOSTED: 'false', HOST: '127.0.0.1' })
    expect(DATA_DIR).toBe(server.dataDir)
    expect(await server.stop()).toBe(0)
    expect(existsSync(server.dataDir)).toBe(false)
  })

  test('a server that refuses to start rejects with its exit code and stderr', async () => {
    const refused = startServer({ entry, env: { PUBLIC_URL: 'bad' } })
    await expect(refused).rejects.toThrow(ServerStartError)
    await expect(refused).rejects.toMatchObject({ exitCode: 78, stderr: 'PUBLIC_URL is not an address\n' })
  })

  test('restarts at the same addresses after a kill, with its data', async () => {
    const server = await startServer({ entry })
    const { http, metrics, pid } = server
    await server.kill()
    expect(existsSync(server.dataDir)).toBe(true)
    await expect(fetch(http)).rejects.toThrow()
    await server.restart()
    expect(server.pid).not.toBe(pid)
    expect((await envOf(http)).DATA_DIR).toBe((await envOf(metrics)).DATA_DIR)
    await server.stop()
  })

  test.each([
    ['stop', (server: Server) => server.stop()],
    ['kill', (server: Server) => server.kill()],
    ['restart', (server: Server) => server.restart()],
  ])('[R41] after a crash, %s fails with the last output of the server', async (_name, act) => {
    const server = await startServer({ entry })
    await fetch(`${server.http}/crash`)
    await waitUntil(() => stillRunning([server.pid]).length === 0 || 'it still runs')
    await expect(act(server)).rejects.toThrow(/ended by itself \(1\)[\s\S]*nobody handles this/)
    await server.stop() // The clean-up that follows does not fail again.
    expect(existsSync(server.dataDir)).toBe(false)
  })

  test('a given data folder is kept', async () => {
    const dataDir = join(folder.path, 'kept data')
    const server = await startServer({ entry, dataDir })
    await server.stop()
    expect(existsSync(dataDir)).toBe(true)
  })

  test('nothing survives a killed test process', async () => {
    const script = join(folder.path, 'killed.ts')
    const found = join(folder.path, 'found.json')
    writeFileSync(
      script,
      `import { writeFileSync } from 'node:fs'
       import { startServer } from ${JSON.stringify(join(import.meta.dirname, 'server.ts'))}
       const { pid, dataDir } = await startServer({ entry: ${JSON.stringify(entry)} })
       writeFileSync(${JSON.stringify(found)}, JSON.stringify({ pid, dataDir }))
       process.kill(process.pid, 'SIGKILL')`,
    )
    await once(spawn(process.execPath, [script], { stdio: 'inherit' }), 'exit')
    const { pid, dataDir } = JSON.parse(readFileSync(found, 'utf8'))
    await waitUntil(() => stillRunning([pid]).length === 0 || 'the server still runs')
    await waitUntil(() => !existsSync(dataDir) || 'its data are still there')
  })
})

describeInBothModes(
  'startWorld',
  (world) => {
    test('its servers have what their mode needs and take turns', async () => {
      const { mode, servers, any, databaseUrl, redis } = world()
      const environments = await Promise.all(servers.map(({ http }) => envOf(http)))
      const parts = environments.map(({ POD_NAME, DATABASE_URL, REDIS_URL }) => [
        POD_NAME,
        DATABASE_URL,
        REDIS_URL,
      ])
      const pods = ['pod-0', 'pod-1'].map((pod) => [pod, databaseUrl, redis?.url])
      expect(parts).toEqual(mode === 'embedded' ? [[undefined, undefined, undefined]] : pods)
      expect(new Set(environments.map((env) => env.SESSION_SECRET)).size).toBe(1)
      expect(new Set(environments.map((env) => env.DATA_DIR)).size).toBe(servers.length)
      expect(new Set(servers.map(() => any().http)).size).toBe(servers.length)
    })
  },
  { entry },
)
