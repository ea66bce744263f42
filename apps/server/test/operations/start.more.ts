import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { participantRoutes } from '@atrium/contract'
import {
  createApi,
  createPerson,
  createResearcher,
  createTemporaryFolder,
  ServerStartError,
  startServer,
} from '@atrium/testkit'
import { describe, expect, test } from 'vitest'

// A start takes a second, and many seconds on a busy machine.
describe('a start', () => {
  const failure = async (env: Record<string, string>): Promise<ServerStartError> => {
    const error: unknown = await startServer({ env }).then(
      (server) => server.stop(),
      (reason: unknown) => reason,
    )
    if (error instanceof ServerStartError) return error
    throw new Error(`it did not refuse: ${String(error)}`)
  }

  test.each<[string, Record<string, string>]>([
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['HORIZONTAL_SCALING_ENABLED', { HORIZONTAL_SCALING_ENABLED: 'true' }],
    ['OIDC_ISSUER', { NODE_ENV: 'production', SESSION_SECRET: 'x'.repeat(32) }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://u:hush-hush@127.0.0.1:1/x' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://u:hush-hush@[bad/x' }],
    ['DATA_DIR', { DATA_DIR: '/dev/null/data' }],
    ['DATA_DIR', { DATA_DIR: '/dev/null' }],
    ['DATA_DIR', { DATA_DIR: '/proc/nope' }],
    ['DATA_DIR', { DATA_DIR: '/proc/nope/deeper/still' }],
    ['DATA_DIR', { DATA_DIR: '/proc/self' }],
    ['HOST', { HOST: 'no-such-host.invalid' }],
  ])('[R2] with an invalid configuration fails with one line that names %s', async (key, env) => {
    const { exitCode, stderr } = await failure({ LOG_LEVEL: 'silent', ...env })
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^[^\n]+\n$/)
    expect(stderr).toContain(key)
    expect(stderr).not.toMatch(/hush-hush|\bat .+:\d+/)
  })

  test('[R2] on a port in use names the key', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const port = String((taken.address() as AddressInfo).port)
    expect((await failure({ PORT: port })).stderr).toMatch(
      new RegExp(`^[^\\n]*\\bPORT\\b[^\\n]*${port}[^\\n]*\\n$`),
    )
    expect((await failure({ METRICS_PORT: port })).stderr).toMatch(/^[^\n]*METRICS_PORT[^\n]*\n$/)
    taken.close()
  })

  test('[R36] on every interface warns once about who can sign in; on loopback it does not', async () => {
    const lines = async (env: Record<string, string>) => {
      const server = await startServer({ env })
      await server.stop()
      return server.stderr().split('\n').filter(Boolean)
    }
    for (const HOST of ['0.0.0.0', 'localhost'])
      expect((await lines({ HOST })).map((line) => JSON.parse(line))).toMatchObject([
        { level: 40, msg: expect.stringContaining('sign in as anybody') },
      ])
    const provider = { OIDC_ISSUER: 'https://login.example.org', OIDC_AUDIENCE: 'atrium' }
    expect(await lines({ HOST: 'localhost', ...provider })).toEqual([])
  })

  test('[R36] listens only on loopback by default, for the API and for metrics', async () => {
    const server = await startServer({ env: { HOST: '' } })
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4')
    for (const { port } of [new URL(server.http), new URL(server.metrics)]) {
      expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBeGreaterThan(0)
      for (const { address } of others)
        await expect(fetch(`http://${address}:${port}/metrics`)).rejects.toThrow()
    }
    await server.stop()
  })

  test('[R2] writes one JSON line to standard output, and nothing else', async () => {
    const server = await startServer({ env: { LOG_LEVEL: 'trace' } })
    const { http, metrics } = server
    expect(http).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
    expect(metrics).not.toBe(http)
    expect(await server.stop()).toBe(0)
    expect(server.stdout()).toBe(`{"event":"listening","http":"${http}","metrics":"${metrics}"}\n`)
  })

  test('[R12] without a secret creates one that only its user can read, and keeps it', async () => {
    const folder = createTemporaryFolder('kept')
    const server = await startServer({ dataDir: join(folder.path, 'data') })
    const api = createApi(() => server.http)
    const experimentId = await (await createResearcher(api)).openExperiment()
    const session = await (await createPerson(api)).join(experimentId)
    const file = join(server.dataDir, 'session-secret')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const secret = readFileSync(file, 'utf8')
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
    await server.restart()
    expect(readFileSync(file, 'utf8')).toBe(secret)
    expect((await api.call(participantRoutes.discoverV4, { session })).status).toBe(200)
    const forged = { ...session, sessionToken: `stkn_${'A'.repeat(43)}` }
    expect((await api.call(participantRoutes.discoverV4, { session: forged })).status).toBe(401)
    await server.stop()
    folder.remove()
  })
})
