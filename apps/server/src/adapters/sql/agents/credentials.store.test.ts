import { randomUUID } from 'node:crypto'
import { smallestDefinition } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import { joined, newDefinition, oneDayMs, startOfTime } from '../../../../test/stores/samples.ts'
import { newCredentialId, newExperimentId } from '../../../kernel/ids.ts'
import type { CredentialChange, CredentialRecord } from '../../../modules/agents/credential.plan.ts'

const now = startOfTime
const ada = 'urn:x ada'
const bob = 'urn:x bob'
const everything = { owners: null, principals: ['nobody'] }
const sightOf = (actor: string) => ({
  owner: actor,
  experiments: { owners: [actor, 'examples'], principals: ['nobody'] },
})
const ofAdmins = { owner: null, experiments: everything }

describeOnBothEngines('[R42] the store of credentials', (engine) => {
  const store = () => engine().database.credentials

  async function aCredential(more: Partial<CredentialRecord> = {}): Promise<CredentialRecord> {
    const credentialId = newCredentialId()
    const credential: CredentialRecord = {
      credentialId,
      owner: ada,
      name: `“Lab” ${credentialId}`,
      baseUrl: 'https://model.example.org/v1',
      model: 'qwen3',
      timeoutMs: 60_000,
      sealedKey: `v1.k1.${randomUUID()}`,
      keyHint: 'wxyz',
      createdAt: now,
      changedAt: now,
      lastTest: null,
      ...more,
    }
    expect(await store().create(credential, 1_000, credential.owner)).toBe('created')
    return credential
  }

  const aChange = (more: Partial<CredentialChange> = {}): CredentialChange => ({
    name: 'Renamed',
    baseUrl: 'https://model.example.org/v1',
    model: 'qwen3',
    timeoutMs: 90_000,
    key: null,
    actor: bob,
    now: now + 5,
    ...more,
  })

  const agentWith = (credentialId: string) => ({
    id: `agent-${credentialId.slice(-6)}`,
    name: 'Robin',
    credentialId,
    seats: 1,
    instructions: 'Be kind.',
  })
  const definitionWith = (...credentialIds: string[]) =>
    smallestDefinition({ name: `Study of ${credentialIds.join()}`, agents: credentialIds.map(agentWith) })

  async function usedIn(credentialIds: string[], actor = ada, experimentId = newExperimentId()) {
    const { experiments } = engine().database
    const by = { experimentId, actor, now, ...newDefinition(definitionWith(...credentialIds)) }
    const exists = await experiments.find(experimentId)
    const outcome = exists ? await experiments.revise(by) : await experiments.create(by)
    expect(exists ? (outcome as { kind: string }).kind : outcome).toMatch(/created|revised/)
    return experimentId
  }
  const recruit = (experimentId: string) =>
    engine().database.experiments.changeStatus({ experimentId, to: 'recruiting', actor: ada, now })

  test('[R42] a credential is read as it was written, by its owner and by administrators', async () => {
    const credential = await aCredential()
    const { credentialId } = credential
    expect(await store().find(credentialId)).toEqual(credential)
    expect(await store().seen(credentialId, sightOf(ada))).toEqual({ credential, usedBy: [] })
    expect(await store().seen(credentialId, ofAdmins)).toEqual({ credential, usedBy: [] })
    expect(await store().seen(credentialId, sightOf(bob))).toBeUndefined()
    expect(await store().find(newCredentialId())).toBeUndefined()
  })

  test('[R42,AC10] nobody has more than the limit, even when they arrive at the same time', async () => {
    const owner = `urn:x ${randomUUID()}`
    const { credentialId: _, ...like } = await aCredential({ owner })
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, () =>
        store().create({ ...like, credentialId: newCredentialId() }, 5, like.owner),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(4)
    const listing = { sight: sightOf(owner), before: null, limit: 100 }
    expect(await store().visible(listing)).toHaveLength(5)
  })

  test('[R42] a list is newest first, in pages, also among credentials of the same time', async () => {
    const owner = `urn:x ${randomUUID()}`
    for (const createdAt of [now, now, now, now + 1, now - 1]) await aCredential({ owner, createdAt })
    const listed: CredentialRecord[] = []
    for (;;) {
      const before = listed.at(-1) ?? null
      const page = await store().visible({ sight: sightOf(owner), before, limit: 2 })
      if (page.length === 0) break
      listed.push(...page.map(({ credential }) => credential))
    }
    expect(listed.map(({ createdAt }) => createdAt)).toEqual([now + 1, now, now, now, now - 1])
    expect(new Set(listed.map(({ credentialId }) => credentialId)).size).toBe(5)
  })

  test('[R42,AC4] a change without a key keeps it, unless the key would go to another origin', async () => {
    const { credentialId, sealedKey, keyHint } = await aCredential()
    const change = (more: Partial<CredentialChange> = {}) => store().change(credentialId, aChange(more))
    expect(await change()).toBe('changed')
    expect(await store().find(credentialId)).toMatchObject({
      name: 'Renamed',
      timeoutMs: 90_000,
      sealedKey,
      keyHint,
      owner: ada,
      createdAt: now,
      changedAt: now + 5,
    })
    expect(await change({ baseUrl: 'https://model.example.org/other/v1' })).toBe('changed')
    for (const baseUrl of [
      'https://evil.example.org/v1',
      'http://model.example.org/v1',
      'https://model.example.org:8443/v1',
    ])
      expect(await change({ baseUrl }), baseUrl).toBe('key_needed')
    const key = { sealedKey: 'v1.k1.other', keyHint: '' }
    expect(await change({ baseUrl: 'https://evil.example.org/v1', key })).toBe('changed')
    expect(await store().find(credentialId)).toMatchObject({ ...key, baseUrl: 'https://evil.example.org/v1' })
    expect(await store().change(newCredentialId(), aChange())).toBe('not_found')
  })

  test('[R42,AC5,AC8] one test runs at a time, and its result is kept while it is about the same server', async () => {
    const { credentialId } = await aCredential()
    const claim = (testId: string, at = now) =>
      store().claimTest({ credentialId, testId, now: at, until: at + 100 })
    const end = (testId: string, changedAt = now, ok = true) =>
      store().endTest({
        credentialId,
        testId,
        changedAt,
        actor: ada,
        now: now + 7,
        result: { ok, checks: [] },
      })
    const lastTest = async () => (await store().find(credentialId))?.lastTest
    const outcomes = await Promise.all(Array.from({ length: 10 }, (_, at) => claim(`t${at}`)))
    expect(outcomes.filter(Boolean)).toHaveLength(1)
    await end('not this one')
    expect([await claim('late'), await lastTest()]).toEqual([false, null])
    await end(`t${outcomes.indexOf(true)}`)
    expect(await lastTest()).toEqual({ at: now + 7, result: { ok: true, checks: [] } })

    expect(await claim('next')).toBe(true)
    await store().change(credentialId, aChange({ now }))
    expect(await lastTest()).toMatchObject({ at: now + 7 })
    await store().change(credentialId, aChange({ model: 'llama', now: now + 9 }))
    expect(await lastTest()).toBeNull()
    await end('next')
    expect([await lastTest(), await claim('third')]).toEqual([null, true])
    // An instance that died does not keep others from testing.
    expect([await claim('fourth'), await claim('fourth', now + 100)]).toEqual([false, true])
    const ended = { credentialId, testId: 'fourth', changedAt: now + 9, actor: ada, now, result: null }
    await store().endTest(ended)
    expect([await lastTest(), await claim('fifth')]).toEqual([null, true])
    expect(await store().claimTest({ credentialId: 'cred_none', testId: 't', now, until: now })).toBe(false)
  })

  test('[R37] uses are those of newest revisions within sight', async () => {
    const { credentialId } = await aCredential()
    const other = await aCredential()
    const mine = await usedIn([credentialId, other.credentialId])
    const former = await usedIn([credentialId])
    await usedIn([other.credentialId], ada, former)
    const theirs = await usedIn([credentialId], bob)
    const usesFor = async (sight: Parameters<ReturnType<typeof store>['seen']>[1]) =>
      (await store().seen(credentialId, sight))?.usedBy.map(({ experimentId }) => experimentId).toSorted()
    expect(await usesFor(sightOf(ada))).toEqual([mine])
    expect(await usesFor(ofAdmins)).toEqual([mine, theirs].toSorted())
    const listed = await store().visible({ sight: sightOf(ada), before: null, limit: 1_000 })
    const inList = listed.find(({ credential }) => credential.credentialId === other.credentialId)
    expect(inList?.usedBy.map(({ experimentId }) => experimentId).toSorted()).toEqual(
      [mine, former].toSorted(),
    )
  })

  test('[R37,AC6] an author may name their own, the owner’s, and what is there already', async () => {
    const [own, owners, present, hidden] = [
      await aCredential({ owner: bob }),
      await aCredential({ owner: ada }),
      await aCredential({ owner: 'urn:x admin' }),
      await aCredential({ owner: 'urn:x carla' }),
    ]
    const experimentId = await usedIn([hidden.credentialId])
    await usedIn([present.credentialId], 'urn:x admin', experimentId)
    const credentialIds = [own, owners, present, hidden].map(({ credentialId }) => credentialId)
    const hiddenFrom = (actor: string | null, inExperiment: string | null) =>
      store().hiddenAmong({
        credentialIds: [...credentialIds, 'cred_none'],
        actor,
        experimentId: inExperiment,
      })
    expect(await hiddenFrom(bob, experimentId)).toEqual([hidden.credentialId, 'cred_none'])
    const [, ...others] = credentialIds
    expect(await hiddenFrom(bob, null)).toEqual([...others, 'cred_none'])
    expect(await hiddenFrom(null, null)).toEqual(['cred_none'])
  })

  test('[R42,AC7] it is not deleted while an experiment runs with it or somebody takes part with it', async () => {
    const { credentialId } = await aCredential()
    const replacement = await aCredential()
    const remove = (at = now) => store().remove({ credentialId, actor: ada, now: at })
    const experimentId = await usedIn([credentialId])
    const names = async (at = now) =>
      (await store().runningWith(credentialId, everything, at)).map((use) => use.experimentId)
    expect(await names()).toEqual([])
    await recruit(experimentId)
    expect([await remove(), await names()]).toEqual(['in_use', [experimentId]])
    expect(await store().runningWith(credentialId, sightOf(bob).experiments, now)).toEqual([])
    await joined(engine().database, experimentId, { revision: 1 })
    await usedIn([replacement.credentialId], ada, experimentId)
    expect([await remove(), await names()]).toEqual(['in_use', [experimentId]])
    const later = now + oneDayMs + 1
    expect([await names(later), await remove(later), await remove(later)]).toEqual([
      [],
      'removed',
      'not_found',
    ])
    expect(await store().find(credentialId)).toBeUndefined()
  })

  test('[R42,AC7] nothing is saved with a deleted credential, and a draft that names one cannot recruit', async () => {
    const { credentialId } = await aCredential()
    const { experiments } = engine().database
    const experimentId = await usedIn([credentialId])
    expect(await store().remove({ credentialId, actor: ada, now })).toBe('removed')
    expect(await recruit(experimentId)).toEqual({
      kind: 'credentials_missing',
      agents: [{ credentialId, path: '/agents/0/credentialId' }],
    })
    const by = { actor: ada, now, ...newDefinition(definitionWith(credentialId)) }
    expect(await experiments.create({ ...by, experimentId: newExperimentId() })).toBe('credential_gone')
    expect(await experiments.revise({ ...by, experimentId })).toEqual({ kind: 'credential_gone' })
    await usedIn([], ada, experimentId)
    expect(await recruit(experimentId)).toMatchObject({ kind: 'changed' })
  })

  test('[R42,AC7] recruiting and deleting at the same time: one of the two is refused', async () => {
    for (let round = 0; round < 10; round++) {
      const { credentialId } = await aCredential()
      const experimentId = await usedIn([credentialId])
      const [removed, recruited] = await Promise.all([
        store().remove({ credentialId, actor: ada, now }),
        recruit(experimentId),
      ])
      expect([removed === 'removed', recruited.kind === 'changed'].filter(Boolean)).toHaveLength(1)
    }
  })

  test('[R42,AC2] keys sealed otherwise are found in pages, and replaced only if nobody else has done so', async () => {
    const prefix = `v1.${randomUUID()}.`
    const current = await aCredential({ sealedKey: `${prefix}abc` })
    const older = await aCredential({ sealedKey: 'v1.older.abc' })
    const found: { credentialId: string; sealedKey: string }[] = []
    for (;;) {
      const after = found.at(-1)?.credentialId ?? ''
      const page = await store().sealedOtherwise({ prefix, after, limit: 3 })
      found.push(...page)
      if (page.length < 3) break
    }
    const ids = found.map(({ credentialId }) => credentialId)
    expect(ids).toContain(older.credentialId)
    expect(ids).not.toContain(current.credentialId)
    const { credentialId, sealedKey: from } = older
    await store().reseal({ credentialId, from, to: `${prefix}new` })
    await store().reseal({ credentialId, from, to: `${prefix}late` })
    expect(await store().find(credentialId)).toMatchObject({ sealedKey: `${prefix}new`, changedAt: now })
  })

  test('[R42,AC9] what happens to a credential is audited without any part of the key', async () => {
    const credential = await aCredential({ sealedKey: 'v1.k1.canary-sealed', keyHint: 'hint' })
    const { credentialId } = credential
    await store().change(credentialId, aChange({ key: { sealedKey: 'v1.k1.canary-2', keyHint: 'hin2' } }))
    await store().claimTest({ credentialId, testId: 't', now, until: now + 1 })
    const result = { ok: false, checks: [] }
    await store().endTest({ credentialId, testId: 't', changedAt: now, actor: bob, now, result })
    await store().remove({ credentialId, actor: bob, now })
    const rows = await engine().rows(
      `select actor, action, details from audit_log where subject = '${credentialId}' order by action`,
    )
    const facts = { name: credential.name, baseUrl: credential.baseUrl, model: 'qwen3', timeoutMs: 60_000 }
    const changed = { ...facts, name: 'Renamed', timeoutMs: 90_000 }
    const parsed = rows.map(({ details, ...row }) => ({ ...row, details: JSON.parse(String(details)) }))
    expect(parsed).toEqual([
      {
        actor: bob,
        action: 'credential_changed',
        details: { before: facts, after: changed, isKeyChanged: true },
      },
      { actor: ada, action: 'credential_created', details: facts },
      { actor: bob, action: 'credential_removed', details: { owner: ada, ...changed } },
      { actor: bob, action: 'credential_tested', details: { baseUrl: facts.baseUrl, ok: false } },
    ])
  })
})
