import { createTemporaryFolder } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../adapters/sql/stores.ts'
import { openSqlite } from '../../../adapters/sqlite/open-sqlite.ts'
import { newCredentialId } from '../../../kernel/ids.ts'
import type { CredentialRecord } from '../credential.plan.ts'
import { type CheckServer, createCredentialTests } from './credential-tests.ts'

const folder = createTemporaryFolder('credential-tests')
const clock = { now: () => 1_000 }
let database: Database
beforeAll(async () => {
  database = await openSqlite(folder.path)
})
afterAll(async () => {
  await database.close()
  folder.remove()
})

async function aCredential(): Promise<CredentialRecord> {
  const credential: CredentialRecord = {
    credentialId: newCredentialId(),
    owner: 'urn:x ada',
    name: 'Lab',
    baseUrl: 'http://127.0.0.1:9/v1',
    model: 'm',
    timeoutMs: 60_000,
    sealedKey: 'sealed',
    keyHint: '',
    createdAt: 1,
    changedAt: 1,
    lastTest: null,
  }
  await database.credentials.create(credential, 100, credential.owner)
  return credential
}

/** A server that is reachable, and then hangs. */
const hangingServer: CheckServer = (_server, { signal, onBegun, onChecked }) =>
  new Promise((_resolve, reject) => {
    onBegun('reachable')
    onChecked({ name: 'reachable', ok: true, message: 'it answers' })
    onBegun('auth')
    signal.addEventListener('abort', () => reject(signal.reason))
    if (signal.aborted) reject(signal.reason)
  })

const errors: unknown[] = []
const testsWith = (checkServer: CheckServer, testMs?: number) =>
  createCredentialTests({
    store: database.credentials,
    onBackgroundError: (error) => void errors.push(error),
    checkServer,
    clock,
    ...(testMs !== undefined && { testMs }),
  })
const kept = async ({ credentialId }: CredentialRecord) =>
  (await database.credentials.find(credentialId))?.lastTest

test('[R42,AC8] a test that takes too long is ended, and says what it has found', async () => {
  const credential = await aCredential()
  const test = await testsWith(hangingServer, 1).begin(credential, 'key', 'urn:x ada')
  const result = await test.result
  expect(result).toEqual({
    ok: false,
    checks: [
      { name: 'reachable', ok: true, message: 'it answers' },
      { name: 'auth', ok: false, message: expect.stringContaining('because it took too long') },
    ],
  })
  expect(await kept(credential)).toEqual({ at: 1_000, result })
})

test('[R42,AC8] a server that stops ends its tests, and another may begin at once', async () => {
  const credential = await aCredential()
  const tests = testsWith(hangingServer)
  const first = await tests.begin(credential, 'key', 'urn:x ada')
  await expect(tests.begin(credential, 'key', 'urn:x ada')).rejects.toMatchObject({
    code: 'CREDENTIAL_TEST_RUNNING',
  })
  tests.stop()
  expect((await first.result).checks.at(-1)?.message).toContain('the server is being stopped')
  const second = await tests.begin(credential, 'key', 'urn:x ada')
  second.abandon()
  await second.result
  expect((await kept(credential))?.result).toEqual(await first.result)
})

test('[R42] a defect of the checks is a failed check, without its words', async () => {
  const credential = await aCredential()
  const tests = testsWith(() => Promise.reject(new Error('defect with key')))
  const { result } = await tests.begin(credential, 'key', 'urn:x ada')
  expect(await result).toEqual({
    ok: false,
    checks: [{ name: 'reachable', ok: false, message: 'the test could not be finished. Try again.' }],
  })
  expect(errors).toEqual([new Error('defect with key')])
})
