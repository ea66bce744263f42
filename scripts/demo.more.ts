import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Server, startServer } from '@atrium/testkit'
import { afterAll, beforeAll, expect, it, test } from 'vitest'
import { platformAddress } from './platform-address.ts'

const script = fileURLToPath(new URL('./demo.ts', import.meta.url))
const run = promisify(execFile)
const demo = (args: string[], env: Record<string, string> = {}) =>
  run(process.execPath, [script, ...args], { env: { PATH: process.env.PATH, ...env } })

let server: Server
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server?.stop())

it('runs a whole study on the server given by PORT or --server', async () => {
  const { stdout } = await demo([], { PORT: new URL(server.http).port })
  expect(stdout).toContain(`ATRIUM='${server.http}'`)
  expect(stdout).toContain('"completionCode":"DEMO-DONE"')
  expect(stdout).toContain('That was a whole study.')
  expect((await demo(['--server', server.http], { PORT: '1' })).stdout).toContain('That was a whole study.')
})

it('prints lines that can be pasted one by one', async () => {
  const { stdout: printed } = await demo(['--server', server.http])
  // Everything printed, including comments: each line needs only what earlier lines have set.
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', printed], {
    env: { PATH: process.env.PATH },
  })
  expect(stdout).toContain('"completionCode":"DEMO-DONE"')
  expect(stdout).toContain('"type":"key_pressed"')
  expect(stdout).toContain('"status":"closed"')
})

it('explains what to do without a platform or without a development issuer', async () => {
  await expect(demo(['--server', 'http://127.0.0.1:1'])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'There is no response from http://127.0.0.1:1. Start the platform (npm start)',
    ),
  })
  const hosted = await startServer({
    env: { OIDC_ISSUER: 'https://id.example.org', OIDC_AUDIENCE: 'atrium' },
  })
  await expect(demo(['--server', hosted.http])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The demo needs the development issuer.'),
  })
  await hosted.stop()
})

test('the address is the one given, or else where a server with the same environment listens', () => {
  expect(platformAddress('http://lab.example:8080/', { PORT: '4000' })).toBe('http://lab.example:8080')
  expect(platformAddress(undefined, {})).toBe('http://127.0.0.1:3000')
  expect(platformAddress(undefined, { PORT: '4000' })).toBe('http://127.0.0.1:4000')
  expect(platformAddress(undefined, { HOST: '::1', PORT: '4000' })).toBe('http://[::1]:4000')
  expect(platformAddress(undefined, { HOST: '0.0.0.0', PORT: '0' })).toBe('http://127.0.0.1:3000')
  expect(platformAddress(undefined, { PUBLIC_URL: 'https://lab.example', PORT: '4000' })).toBe(
    'https://lab.example',
  )
})
