import { randomBytes } from 'node:crypto'
import { limits } from '@atrium/contract'
import { createTemporaryFolder } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../adapters/sql/stores.ts'
import { openSqlite } from '../../../adapters/sqlite/open-sqlite.ts'
import type { Identity } from '../../identity/index.ts'
import { createCredentials } from './credentials.ts'
import { createKeyBox } from './key-box.ts'

const folder = createTemporaryFolder('credentials')
let database: Database
beforeAll(async () => {
  database = await openSqlite(folder.path)
})
afterAll(async () => {
  await database.close()
  folder.remove()
})

const researcher = (subject: string): Identity => ({
  issuer: 'urn:x',
  subject,
  verifiedEmail: undefined,
  isAdmin: false,
  isResearcher: true,
})
const settings = {
  name: 'Lab',
  baseUrl: 'https://model.example.org/v1',
  model: 'qwen3',
  timeoutMs: 20_000,
  apiKey: 'atr_secret',
}
const credentialsWith = (keyId: string, httpsOnly = false) =>
  createCredentials({
    store: database.credentials,
    box: createKeyBox([{ id: keyId, key: randomBytes(32) }]),
    checkServer: () => Promise.reject(new Error('not in these tests')),
    clock: { now: () => 1_000 },
    onBackgroundError: () => undefined,
    warn: () => undefined,
    httpsOnly,
  })

test('[R42] the platform opens a credential by its id, and is told when that is impossible', async () => {
  const credentials = credentialsWith('k1')
  const { credentialId } = await credentials.create(settings, researcher('ada'))
  expect(await credentials.open(credentialId)).toEqual({ ...settings, owner: 'urn:x ada' })
  expect(await credentials.open('cred_none')).toBeUndefined()
  await expect(credentialsWith('k2').open(credentialId)).rejects.toMatchObject({
    code: 'CREDENTIAL_UNREADABLE',
  })
})

test('[R35] when hosted, an address without encryption is refused when it is saved', async () => {
  const credentials = credentialsWith('k1', true)
  const ada = researcher('ada')
  const open = { ...settings, baseUrl: 'http://model.example.org/v1' }
  const refusal = { code: 'VALIDATION_FAILED', details: { issues: [{ path: '/baseUrl' }] } }
  await expect(credentials.create(open, ada)).rejects.toMatchObject(refusal)
  const { credentialId } = await credentials.create(settings, ada)
  await expect(credentials.change(credentialId, open, ada)).rejects.toMatchObject(refusal)
})

test('[R42,AC10] a researcher has at most so many credentials, whatever others have', async () => {
  const credentials = credentialsWith('k1')
  const [bob, carla] = [researcher('bob'), researcher('carla')]
  for (let count = 0; count < limits.credentialsPerResearcher; count++)
    await credentials.create(settings, bob)
  await expect(credentials.create(settings, bob)).rejects.toMatchObject({ code: 'CREDENTIAL_LIMIT' })
  await credentials.create(settings, carla)
})
