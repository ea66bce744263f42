import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTemporaryFolder, startServer, waitUntil } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { storageOf, welcome } from '../../src/entry/welcome.ts'

const serve = fileURLToPath(new URL('../../src/entry/serve.ts', import.meta.url))

/** Starts the server as from a terminal, which `script` provides. */
async function onTerminal(env: Record<string, string>) {
  const command = `exec '${process.execPath}' '${serve}' --welcome`
  const terminal = spawn('script', ['-qefc', command, '/dev/null'], {
    env: { PATH: process.env.PATH, METRICS_PORT: '0', ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const closed = once(terminal, 'close') // By then all output has been read.
  let screen = ''
  terminal.stdout.setEncoding('utf8').on('data', (text) => {
    screen += text.replaceAll('\r', '')
  })
  try {
    await waitUntil(() => screen.includes('Ctrl-C') || screen)
    terminal.stdin.write('\u0003')
    const [exitCode] = await closed
    return { screen, exitCode }
  } finally {
    terminal.kill('SIGKILL')
  }
}

test('[R2] on a terminal: the listening line, the actual addresses and folder, and a human-readable log', async () => {
  const folder = createTemporaryFolder('terminal')
  const dataDir = join(folder.path, 'my data')
  const { screen, exitCode } = await onTerminal({ HOST: '0.0.0.0', PORT: '0', DATA_DIR: dataDir })
  folder.remove()
  const lines = screen.split('\n')
  const line = lines.find((text) => text.startsWith('{"event":"listening","http":"http://127.0.0.1:')) ?? ''
  const { http, metrics } = JSON.parse(line)
  expect(line).toBe(`{"event":"listening","http":"${http}","metrics":"${metrics}"}`)
  expect(screen).toContain(`API reference      ${http}/api/docs\n`)
  expect(screen).toContain(`npm run demo -- --server ${http}\n`)
  expect(screen).toContain(`Data is kept in ${dataDir} (DATA_DIR). Stop with Ctrl-C.\n`)
  expect(screen).not.toContain(':3000')
  expect(screen).toMatch(/^\d\d:\d\d:\d\d WARN {2}The development issuer runs .* host=0\.0\.0\.0$/m)
  expect(lines.filter((text) => text.startsWith('{'))).toEqual([line])
  expect(exitCode).toBe(0)
})

test('[R2] elsewhere the log is JSON', async () => {
  const server = await startServer({ env: { HOST: '0.0.0.0' } })
  await server.stop()
  expect(server.stderr()).toContain('The development issuer runs')
  for (const line of server.stderr().trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ level: 40 })
})

test('the greeting names PostgreSQL without its password, and offers no demo if there is an identity provider', () => {
  const storage = storageOf('postgres://atrium:secret@db/atrium', './data')
  const running = { http: 'https://lab.example', metrics: 'http://127.0.0.1:9464', hasPages: true, storage }
  const text = welcome({ ...running, demoAt: undefined })
  expect(text).toContain('Data is kept in PostgreSQL (DATABASE_URL).')
  expect(text).toContain('For researchers    https://lab.example/console')
  expect(text).not.toMatch(/secret|demo|\.\/data/)
})
