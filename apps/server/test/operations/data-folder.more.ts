import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTemporaryFolder, type Server, startServer } from '@atrium/testkit'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'

const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8)
const modesIn = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(join(folder, name))]))

/** Without the one about the development issuer, which every server of these tests runs. */
const warningsIn = (server: Server) =>
  server
    .stderr()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => !msg.includes('development issuer'))

const everything = {
  'atrium.db': '600',
  'credential-secret': '600',
  'server.lock': '600',
  'session-secret': '600',
  objects: '700',
  transcoding: '700',
}
const whileRunning = {
  ...everything,
  'atrium.db-shm': '600',
  'atrium.db-wal': '600',
  'server.lock-journal': '600',
}

// A start takes a second, and many seconds on a busy machine.
describe('[R12] DATA_DIR', () => {
  const parent = createTemporaryFolder('data')
  afterAll(() => parent.remove())
  let count = 0
  let dataDir = ''
  beforeEach(() => {
    dataDir = join(parent.path, String(++count))
  })

  test('and everything in it are accessible only to its user', async () => {
    const server = await startServer({ dataDir: join(dataDir, 'made', 'on the way') })
    expect(modesIn(server.dataDir)).toEqual(whileRunning)
    expect([dataDir, join(dataDir, 'made'), server.dataDir].map(modeOf)).toEqual(['700', '700', '700'])
    await server.stop()
  })

  test('of an older server is closed to others, including what a crash left behind', async () => {
    const older = await startServer({ dataDir })
    await older.kill()
    chmodSync(dataDir, 0o755)
    for (const [name, mode] of Object.entries(modesIn(dataDir)))
      chmodSync(join(dataDir, name), mode === '700' ? 0o755 : 0o644)
    await older.restart()
    expect(modeOf(dataDir)).toBe('700')
    expect(modesIn(dataDir)).toEqual(whileRunning)
    expect(warningsIn(older)).toEqual([])
    await older.stop()
  })

  test('with unrelated files in it keeps its mode, with a warning in the log', async () => {
    mkdirSync(dataDir)
    chmodSync(dataDir, 0o755)
    writeFileSync(join(dataDir, 'holiday.txt'), 'sun', { mode: 0o644 })
    const server = await startServer({ dataDir })
    expect(modeOf(dataDir)).toBe('755')
    expect(modesIn(dataDir)).toEqual({ ...whileRunning, 'holiday.txt': '644' })
    await server.stop()
    expect(warningsIn(server)).toMatchObject([{ level: 40, path: dataDir }])
  })

  test.each([
    ['empty', ''],
    ['blank', ' \n'],
    ['short', 'hush-hush'],
    ['cut off', 'x'.repeat(31)],
    ['full of NUL, as a crash may leave it', '\0'.repeat(43)],
  ])('with a session secret that is %s makes the start fail and is left unchanged', async (_how, secret) => {
    mkdirSync(dataDir)
    const file = join(dataDir, 'session-secret')
    writeFileSync(file, secret)
    await expect(startServer({ dataDir })).rejects.toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(new RegExp(`^DATA_DIR cannot be used: ${file} [^\\n]+\\.\\n$`)),
    })
    expect(readFileSync(file, 'utf8')).toBe(secret)
  })

  test('with a damaged session secret is used if a secret is configured', async () => {
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'session-secret'), '')
    const server = await startServer({ dataDir, env: { SESSION_SECRET: 'x'.repeat(16) } })
    expect(await server.stop()).toBe(0)
  })

  test('with a damaged credential secret makes the start fail, unless keys are configured', async () => {
    mkdirSync(dataDir)
    const file = join(dataDir, 'credential-secret')
    writeFileSync(file, 'hush-hush')
    await expect(startServer({ dataDir })).rejects.toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(new RegExp(`^DATA_DIR cannot be used: ${file} [^\\n]+\\.\\n$`)),
    })
    const CREDENTIAL_KEYS = `a:${Buffer.alloc(32, 7).toString('base64')}`
    const server = await startServer({ dataDir, env: { CREDENTIAL_KEYS } })
    expect(await server.stop()).toBe(0)
  })

  test('with an unfinished session secret gets a new one, and the operator’s own secret is used', async () => {
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'session-secret.draft'), 'half of i', { mode: 0o644 })
    const server = await startServer({ dataDir })
    await server.end()
    const made = readFileSync(join(dataDir, 'session-secret'), 'utf8')
    expect(made).toMatch(/^[\w-]{43}$/)
    expect(modesIn(dataDir)).toMatchObject(everything)
    writeFileSync(join(dataDir, 'session-secret'), `${'own'.repeat(11)}\n`)
    await server.restart()
    expect(await server.stop()).toBe(0)
  })
})
