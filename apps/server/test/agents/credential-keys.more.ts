import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import {
  codeOf,
  createApi,
  createTemporaryFolder,
  type Server,
  startServer,
  succeeded,
} from '@atrium/testkit'
import Sqlite from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { refusalOf } from '../stories/refusal.ts'
import { aCredential, credentialKeeper } from './credential-stage.ts'

const aKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`
const [first, second, third] = [aKey('2025'), aKey('2026'), aKey('2027')]

const folder = createTemporaryFolder('credential-keys')
const dataDir = join(folder.path, 'data')
afterAll(() => folder.remove())

const inDatabase = <Result>(use: (database: Sqlite.Database) => Result): Result => {
  const database = new Sqlite(join(dataDir, 'atrium.db'), { fileMustExist: true })
  try {
    return use(database)
  } finally {
    database.close()
  }
}
const sealedWith = (): string[] =>
  inDatabase((database) =>
    database
      .prepare<[], { sealed_key: string }>('select sealed_key from agent_credentials order by created_at')
      .all()
      .map(({ sealed_key }) => sealed_key.split('.')[1] ?? ''),
  )

async function withKeys<Result>(
  keys: string | undefined,
  use: (keeper: ReturnType<typeof credentialKeeper>, server: Server) => Promise<Result>,
): Promise<Result> {
  const server = await startServer({ dataDir, env: keys === undefined ? {} : { CREDENTIAL_KEYS: keys } })
  try {
    const api = createApi(server.http)
    return await use(credentialKeeper(api, await api.token('ada', ['researcher'])), server)
  } finally {
    await server.end()
  }
}

test('[R42,AC2,AC3] keys are introduced, rotated and lost, and each start seals with the first that there is', async () => {
  const isReadable = async (keeper: ReturnType<typeof credentialKeeper>) =>
    (await keeper.list()).credentials.map(({ isKeyReadable }) => isKeyReadable)
  const credentialId = await withKeys(undefined, async (keeper) => (await keeper.made()).credentialId)
  expect(sealedWith()).toEqual([expect.stringMatching(/^_/)])
  // The server's own secret still opens what it has sealed.
  await withKeys(first, async (keeper) => {
    expect([sealedWith(), await isReadable(keeper)]).toEqual([['2025'], [true]])
    await keeper.made()
  })
  await withKeys(`${second},${first}`, async (keeper, server) => {
    expect([sealedWith(), await isReadable(keeper)]).toEqual([
      ['2026', '2026'],
      [true, true],
    ])
    expect(server.stderr()).not.toContain('cannot be decrypted')
  })
  await withKeys(third, async (keeper, server) => {
    expect([sealedWith(), await isReadable(keeper)]).toEqual([
      ['2026', '2026'],
      [false, false],
    ])
    expect(server.stderr()).toContain('"keyId":"2026"')
    expect(refusalOf(await keeper.test(credentialId))).toEqual({
      status: 409,
      code: 'CREDENTIAL_UNREADABLE',
      details: { credentialId },
    })
    // Only this credential needs its key again.
    succeeded(await keeper.change(credentialId, aCredential()))
    expect(await isReadable(keeper)).toEqual([false, true])
    expect(succeeded(await keeper.test(credentialId)).checks).toMatchObject([
      { name: 'reachable', ok: false },
    ])
  })
  await withKeys(`${third},${second}`, async (keeper) => {
    expect([sealedWith(), await isReadable(keeper)]).toEqual([
      ['2027', '2027'],
      [true, true],
    ])
  })
})

test('[R42,AC2] a sealed key that is moved to another credential, or changed, does not open there', async () => {
  const [one, other] = await withKeys(first, async (keeper) => [
    (await keeper.made()).credentialId,
    (await keeper.made()).credentialId,
  ])
  inDatabase((database) =>
    database
      .prepare(
        'update agent_credentials set sealed_key = (select sealed_key from agent_credentials where credential_id = ?) where credential_id = ?',
      )
      .run(one, other),
  )
  await withKeys(first, async (keeper) => {
    expect(codeOf(await keeper.test(other ?? ''))).toBe('CREDENTIAL_UNREADABLE')
    expect(succeeded(await keeper.test(one ?? '')).ok).toBe(false)
  })
})
