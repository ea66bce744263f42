import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import { startOfTime } from '../../../../test/stores/samples.ts'
import { hashOfKey, newApiKey } from '../../../kernel/api-key.ts'
import type { KeyRecord } from '../../../modules/keys/keys.store.ts'

describeOnBothEngines('[R49] the store of API keys', (engine) => {
  const store = () => engine().database.keys

  async function aKey(more: Partial<KeyRecord> = {}): Promise<KeyRecord> {
    const { keyId, key } = newApiKey()
    const record: KeyRecord = {
      keyId,
      hash: hashOfKey(key),
      issuer: 'urn:x',
      subject: 'ada',
      verifiedEmail: 'ada@x.org',
      name: `“Nightly” ${keyId}`,
      access: 'write',
      experiments: ['exp_1', 'exp_2'],
      createdAt: startOfTime,
      lastUsedAt: null,
      expiresAt: startOfTime + 5,
      ...more,
    }
    expect(await store().create(record, 1_000)).toBe('created')
    return record
  }
  const audited = async (keyId: string) =>
    (await engine().rows(`select * from audit_log where subject = '${keyId}' order by at, action`)).map(
      ({ actor, action, details }) => ({ actor, action, ...JSON.parse(String(details)) }),
    )

  test('a key is found by its id, as it was stored', async () => {
    const limited = await aKey()
    const open = await aKey({ experiments: null, expiresAt: null, verifiedEmail: null, access: 'read' })
    expect(await store().find(limited.keyId)).toEqual(limited)
    expect(await store().find(open.keyId)).toEqual(open)
    expect(await store().find('key_none')).toBeUndefined()
    expect(await audited(limited.keyId)).toEqual([
      {
        actor: 'urn:x ada',
        action: 'key_created',
        name: limited.name,
        access: 'write',
        experiments: ['exp_1', 'exp_2'],
        expiresAt: startOfTime + 5,
      },
    ])
  })

  test('a list has one owner’s keys, newest first, page by page; administrators’ has all', async () => {
    const mine = { issuer: 'urn:x', subject: 'list-owner' }
    const keys = [
      await aKey({ ...mine, createdAt: startOfTime + 1 }),
      await aKey({ ...mine, createdAt: startOfTime + 3 }),
      await aKey({ ...mine, createdAt: startOfTime + 2 }),
    ]
    const other = await aKey({ issuer: 'urn:y', subject: 'list-owner' })
    const [oldest, newest, middle] = keys.map(({ keyId }) => keyId)
    const listed = async (listing: Parameters<ReturnType<typeof store>['list']>[0]) =>
      (await store().list(listing)).map(({ keyId }) => keyId)
    expect(await listed({ owner: mine, before: null, limit: 2 })).toEqual([newest, middle])
    const before = { createdAt: startOfTime + 2, keyId: middle ?? '' }
    expect(await listed({ owner: mine, before, limit: 2 })).toEqual([oldest])
    const all = await listed({ owner: null, before: null, limit: 1_000 })
    expect(all).toEqual(expect.arrayContaining([oldest, newest, other.keyId]))
  })

  test('the limit holds for keys that are made at once', async () => {
    const like = await aKey({ subject: 'limited-owner' })
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, () => store().create({ ...like, keyId: newApiKey().keyId }, 5)),
    )
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(4)
    const { issuer, subject } = like
    expect(await store().list({ owner: { issuer, subject }, before: null, limit: 99 })).toHaveLength(5)
  })

  test('[K5,K7] a key is revoked by its owner or an administrator, once, and nothing of it stays but the audit', async () => {
    const key = await aKey({ subject: 'revoking', verifiedEmail: 'revoking@x.org' })
    const { keyId, issuer, subject } = key
    const revoke = (owner: { issuer: string; subject: string } | null, actor: string) =>
      store().revoke({ keyId, owner, actor, now: startOfTime + 9 })
    expect(await revoke({ issuer, subject: 'somebody else' }, 'urn:x eve')).toBe(false)
    expect(await revoke({ issuer: 'urn:y', subject }, 'urn:y revoking')).toBe(false)
    expect(await store().find(keyId)).toEqual(key)
    expect(await revoke(null, 'urn:x root')).toBe(true)
    expect(await revoke({ issuer, subject }, 'urn:x revoking')).toBe(false)
    expect(await store().find(keyId)).toBeUndefined()
    const entries = await audited(keyId)
    expect(entries).toHaveLength(2)
    expect(entries[1]).toEqual({
      actor: 'urn:x root',
      action: 'key_revoked',
      owner: 'urn:x revoking',
      name: key.name,
    })
    expect(JSON.stringify(entries)).not.toContain('@x.org')
    expect(JSON.stringify(entries)).not.toContain(key.hash)
  })

  test('[K6] the last use is stored unless another instance has just done so', async () => {
    const { keyId } = await aKey()
    const use = (at: number) => store().used({ keyId, at, unlessSince: at - 60 })
    const lastUse = async () => (await store().find(keyId))?.lastUsedAt
    await use(startOfTime + 100)
    expect(await lastUse()).toBe(startOfTime + 100)
    await use(startOfTime + 130)
    expect(await lastUse()).toBe(startOfTime + 100)
    await use(startOfTime + 160)
    expect(await lastUse()).toBe(startOfTime + 160)
  })
})
