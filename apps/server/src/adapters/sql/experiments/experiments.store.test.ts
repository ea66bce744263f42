import { randomUUID } from 'node:crypto'
import { smallestDefinition } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import {
  completeRequest,
  joined,
  joinRequest,
  newDefinition,
  openExperiment,
  startOfTime,
} from '../../../../test/stores/samples.ts'

describeOnBothEngines('experiments', (engine) => {
  const by = (experimentId: string) => ({ experimentId, actor: 'urn:test 👋 "r"', now: startOfTime })

  test('[R22] a new experiment is a draft with revision 1; an id is used once', async () => {
    const { experiments } = engine().database
    const definition = smallestDefinition({
      name: `Née "d'été" \\ 👩‍🔬`,
      capacity: 12,
      variables: { 'a "b"': [1e21, null] },
    })
    const created = { ...by('exp_new'), ...newDefinition(definition) }
    expect(await Promise.all([experiments.create(created), experiments.create(created)])).toEqual(
      expect.arrayContaining(['created', 'taken']),
    )
    expect(await experiments.find('exp_new')).toEqual({
      experimentId: 'exp_new',
      name: definition.name,
      status: 'draft',
      revision: 1,
      capacity: 12,
      participantCount: 0,
      isPublished: true,
    })
    expect(await experiments.definition('exp_new', 1)).toEqual(definition)
    expect(await experiments.find('exp_unknown')).toBeUndefined()
    expect(await experiments.definition('exp_new', 2)).toBeUndefined()
    expect(await experiments.monitor('exp_unknown', startOfTime)).toBeUndefined()
  })

  test('[R22] every change is a new revision and the old ones stay; simultaneous changes lose none', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const session = await joined(database, experimentId)
    const names = Array.from({ length: 8 }, (_, index) => `revision by editor ${index}`)
    const outcomes = await Promise.all(
      names.map((name) =>
        database.experiments.revise({ ...by(experimentId), ...newDefinition(smallestDefinition({ name })) }),
      ),
    )
    const revisions = outcomes.map((outcome) => (outcome.kind === 'revised' ? outcome.record.revision : 0))
    expect(revisions.toSorted()).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
    for (const [index, revision] of revisions.entries())
      expect(await database.experiments.definition(experimentId, revision)).toMatchObject({
        name: names[index],
      })
    expect((await database.sessions.find(session.sessionId))?.revision).toBe(1)
    const newest = names[revisions.indexOf(9)]
    expect(await database.experiments.find(experimentId)).toMatchObject({ revision: 9, name: newest })
  })

  test('[R22] a capacity set later counts everybody who has joined', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    for (let index = 0; index < 3; index++) await joined(database, experimentId)
    const definition = smallestDefinition({ capacity: 4 })
    await database.experiments.revise({ ...by(experimentId), ...newDefinition(definition) })
    expect(await database.experiments.find(experimentId)).toMatchObject({ capacity: 4, participantCount: 3 })
    await joined(database, experimentId)
    expect(await database.sessions.join(joinRequest(experimentId))).toEqual({
      kind: 'closed',
      reason: 'full',
    })
  })

  test('[X68] what the previous release has published of a study begun as a draft can recruit', async () => {
    const { database, change } = engine()
    const experimentId = `exp_${randomUUID()}`
    const definition = smallestDefinition()
    await database.experiments.create({ ...by(experimentId), ...newDefinition(definition), draft: '{}' })
    const start = () => database.experiments.changeStatus({ ...by(experimentId), to: 'recruiting' })
    expect(await start()).toEqual({ kind: 'not_published' })
    await database.experiments.revise({ ...by(experimentId), ...newDefinition(definition) })
    // That release does not know what it should note.
    await change(`update experiments set is_published = 0 where experiment_id = '${experimentId}'`)
    expect(await database.experiments.find(experimentId)).toMatchObject({ isPublished: true })
    expect(await start()).toMatchObject({ kind: 'changed', record: { isPublished: true } })
  })

  test('[R22] only allowed changes of status happen, and each is audited', async () => {
    const { database, rows } = engine()
    const experimentId = await openExperiment(database)
    const become = (to: 'draft' | 'recruiting' | 'paused' | 'closed' | 'archived') =>
      database.experiments.changeStatus({ ...by(experimentId), to })
    expect(await become('draft')).toEqual({ kind: 'refused', from: 'recruiting' })
    for (const to of [
      'paused',
      'recruiting',
      'recruiting',
      'closed',
      'recruiting',
      'closed',
      'archived',
    ] as const)
      expect(await become(to)).toMatchObject({ kind: 'changed', record: { status: to } })
    expect(await become('recruiting')).toEqual({ kind: 'refused', from: 'archived' })
    expect(
      await database.experiments.revise({ ...by(experimentId), ...newDefinition(smallestDefinition()) }),
    ).toEqual({ kind: 'archived' })
    expect(await database.experiments.changeStatus({ ...by('exp_unknown'), to: 'paused' })).toEqual({
      kind: 'not_found',
    })
    expect(
      await database.experiments.revise({ ...by('exp_unknown'), ...newDefinition(smallestDefinition()) }),
    ).toEqual({ kind: 'not_found' })
    const audited = await rows(`select details from audit_log where action = 'experiment_status'
      and subject = '${experimentId}'`)
    expect(audited.map(({ details }) => JSON.parse(String(details)).to)).toEqual([
      'recruiting',
      'paused',
      'recruiting',
      'closed',
      'recruiting',
      'closed',
      'archived',
    ])
  })

  test('the list is newest first and can be filtered by status', async () => {
    const { database } = engine()
    const ids = await Promise.all([openExperiment(database), openExperiment(database)])
    const later = { ...by('exp_later'), now: startOfTime + 1 }
    await database.experiments.create({ ...later, ...newDefinition(smallestDefinition()) })
    const listed = (await database.experiments.list({})).map(({ experimentId }) => experimentId)
    expect(listed[0]).toBe('exp_later')
    expect(listed).toEqual(expect.arrayContaining(ids))
    const recruiting = await database.experiments.list({ status: 'recruiting' })
    expect(recruiting.map(({ experimentId }) => experimentId)).toEqual(expect.arrayContaining(ids))
    expect(recruiting.every(({ status }) => status === 'recruiting')).toBe(true)
  })

  test('[R6] of many candidates for a shared secret one is kept, and everybody gets the same one', async () => {
    const { secrets } = engine().database
    const candidates = Array.from({ length: 20 }, (_, index) => `candidate ${index} 👋\n"'\\`)
    const kept = await Promise.all(candidates.map((candidate) => secrets.keepFirst('race', candidate)))
    expect(new Set(kept).size).toBe(1)
    expect(candidates).toContain(kept[0])
    expect(await secrets.keepFirst('race', 'late')).toBe(kept[0])
    expect(await secrets.keepFirst('another', 'first')).toBe('first')
  })

  test('the audit log keeps who did what, with its details', async () => {
    const { database, rows } = engine()
    const details = { reason: `"quoted" \\ 👋 \u0000`, count: 2 ** 53 - 1 }
    await database.operations.ping()
    await database.operations.audit({
      at: startOfTime,
      actor: 'a b',
      action: 'tested',
      subject: 's',
      details,
    })
    const audited = await rows(`select * from audit_log where action = 'tested'`)
    expect(audited).toEqual([
      {
        at: expect.anything(),
        actor: 'a b',
        action: 'tested',
        subject: 's',
        details: JSON.stringify(details),
        entry_no: expect.anything(),
      },
    ])
    expect(Number(audited[0]?.at)).toBe(startOfTime)
  })

  test('[X40] only SUCCESS and outcomes of the revision’s own count as completed', async () => {
    const { database } = engine()
    const end = { on: 'timed' as const, afterMs: 1_000, onTimeout: { outcome: 'BONUS' } }
    const states = [{ id: 's1', components: [], end }]
    const experimentId = await openExperiment(database, { states })
    const finish = async (outcome: string, revision = 1) => {
      const { sessionId } = await joined(database, experimentId, { revision })
      await database.sessions.complete(completeRequest(sessionId, { outcome }))
    }
    for (const outcome of ['SUCCESS', 'BONUS', 'BONUS', 'TIMEOUT', 'FOO', '__proto__', 'toString'])
      await finish(outcome)
    await database.experiments.revise({ ...by(experimentId), ...newDefinition(smallestDefinition()) })
    await finish('BONUS', 2)
    const monitor = await database.experiments.monitor(experimentId, startOfTime)
    expect(monitor?.participants).toMatchObject({ total: 8, completed: 3 })
    expect(Object.entries(monitor?.outcomes ?? {}).toSorted()).toEqual([
      ['BONUS', 3],
      ['FOO', 1],
      ['SUCCESS', 1],
      ['TIMEOUT', 1],
      ['__proto__', 1],
      ['toString', 1],
    ])
  })
})
