import { expect, test } from 'vitest'
import { createInProcessBus } from '../../adapters/in-process/bus.ts'
import { newApiKey } from '../../kernel/api-key.ts'
import type { Identity } from '../identity/index.ts'
import type { KeyRecord, KeyStore } from './keys.store.ts'
import { createKeys } from './keys.ts'

const ada: Identity = {
  issuer: 'urn:one',
  subject: 'ada',
  verifiedEmail: 'ada@x.org',
  isAdmin: true,
  isResearcher: true,
}
const body = { name: 'Analysis', access: 'read' } as const
const unauthenticated = { code: 'UNAUTHENTICATED' }

/** A store in memory that counts how often it is read and written. */
function createStage() {
  let now = Date.UTC(2030, 0, 1)
  const stored = new Map<string, KeyRecord>()
  const counts = { found: 0, used: 0 }
  const store: KeyStore = {
    async create(key) {
      stored.set(key.keyId, key)
      return 'created'
    },
    async find(keyId) {
      counts.found++
      const key = stored.get(keyId)
      return key && { ...key }
    },
    list: async () => [...stored.values()],
    revoke: async ({ keyId }) => stored.delete(keyId),
    async used({ keyId, at }) {
      counts.used++
      const key = stored.get(keyId)
      if (key) stored.set(keyId, { ...key, lastUsedAt: at })
    },
  }
  const deps = { store, bus: createInProcessBus(), clock: { now: () => now } }
  const failed: unknown[] = []
  const keys = createKeys({ ...deps, onBackgroundError: (error) => failed.push(error) })
  return { keys, stored, counts, failed, pass: (ms: number) => (now += ms) }
}

test('[R49] a key is its owner without the administrator', async () => {
  const { keys } = createStage()
  const { keyId, key } = await keys.create({ ...body, experiments: ['exp_1'] }, ada)
  expect(keys.claims(key)).toBe(true)
  expect(await keys.verify(key)).toEqual({
    issuer: 'urn:one',
    subject: 'ada',
    verifiedEmail: 'ada@x.org',
    isAdmin: false,
    isResearcher: true,
    key: { keyId, access: 'read', experiments: ['exp_1'] },
  })
})

test('[R49,K1] the id of a key is not enough: the secret must be right', async () => {
  const { keys, stored } = createStage()
  const { keyId } = await keys.create(body, ada)
  // Another key, well formed, that claims the id of the first.
  const other = newApiKey()
  const record = stored.get(keyId)
  if (record) stored.set(other.keyId, { ...record, keyId: other.keyId })
  await expect(keys.verify(other.key)).rejects.toMatchObject(unauthenticated)
  await expect(keys.verify(newApiKey().key)).rejects.toMatchObject(unauthenticated)
})

test('[R49,K1] what cannot be a key is refused without a lookup', async () => {
  const { keys, counts } = createStage()
  const { key } = await keys.create(body, ada)
  for (const odd of ['atk_', `${key}x`, key.slice(0, -1), `atk_${'A'.repeat(54)}`])
    await expect(keys.verify(odd)).rejects.toMatchObject(unauthenticated)
  expect(counts.found).toBe(0)
})

test('[R49] a key works until it expires, also for work that goes on', async () => {
  const { keys, pass } = createStage()
  const { keyId, key } = await keys.create({ ...body, expiresAt: '2030-01-01T00:01:00.000Z' }, ada)
  pass(59_999)
  await keys.verify(key)
  await keys.confirm(keyId)
  pass(1)
  await expect(keys.verify(key)).rejects.toMatchObject(unauthenticated)
  await expect(keys.confirm(keyId)).rejects.toMatchObject(unauthenticated)
})

test.each(['2029-12-31T23:59:59.999Z', '2030-01-01T00:00:00.000Z', '2031-12-31T23:59:60Z', 'tomorrow'])(
  '[R49] a key cannot expire at %s',
  async (expiresAt) => {
    const { keys, stored } = createStage()
    await expect(keys.create({ ...body, expiresAt }, ada)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    })
    expect(stored.size).toBe(0)
  },
)

test('[R49,K5] a revoked key is refused at once, whatever was remembered of it', async () => {
  const { keys } = createStage()
  const { keyId, key } = await keys.create(body, ada)
  await keys.verify(key)
  await keys.revoke(keyId, ada)
  await expect(keys.verify(key)).rejects.toMatchObject(unauthenticated)
  await expect(keys.revoke(keyId, ada)).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' })
})

test('[R49,K6] a busy script costs one write a minute and few reads', async () => {
  const { keys, counts, failed, pass } = createStage()
  const { key } = await keys.create(body, ada)
  for (let request = 0; request < 100; request++) await keys.verify(key)
  await keys.stop()
  expect(counts).toEqual({ found: 1, used: 1 })
  pass(59_999)
  await keys.verify(key)
  await keys.stop()
  expect(counts.used).toBe(1)
  pass(1)
  for (let request = 0; request < 100; request++) await keys.verify(key)
  await keys.stop()
  expect(counts.used).toBe(2)
  expect(failed).toEqual([])
})
