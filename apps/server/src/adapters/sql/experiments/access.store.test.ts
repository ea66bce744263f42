import { smallestDefinition } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import { joined, newDefinition, openExperiment, startOfTime } from '../../../../test/stores/samples.ts'
import { newExperimentId, newRoomId, pseudonymOf } from '../../../kernel/ids.ts'

const owner = 'tester' // of whatever `openExperiment` makes

describeOnBothEngines('[R37] who owns and shares what', (engine) => {
  const accesses = () => engine().database.accesses
  const share = (experimentId: string, shares: [principal: string, access: 'view' | 'edit'][]) =>
    accesses().replaceShares({
      experimentId,
      actor: 'ada',
      now: startOfTime,
      shares: shares.map(([principal, access]) => ({ principal, access, user: `the ${principal}` })),
    })
  const made = async (actor: string) => {
    const experimentId = newExperimentId()
    const by = { experimentId, actor, now: startOfTime }
    await engine().database.experiments.create({ ...by, ...newDefinition(smallestDefinition()) })
    return experimentId
  }

  test('[X10] the owner of an experiment, its rooms and its sessions is whoever made revision 1', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    await database.experiments.revise({
      experimentId,
      actor: 'somebody-else',
      now: startOfTime,
      ...newDefinition(smallestDefinition()),
    })
    const { sessionId, roomId } = await joined(database, experimentId, { revision: 2 })
    const find = (kind: 'experimentId' | 'roomId' | 'sessionId', id: string | null) =>
      accesses().find({ kind, id: id ?? '' }, ['p1'])
    const known = { experimentId, owner, shared: [] }
    expect(await find('experimentId', experimentId)).toEqual(known)
    expect(await find('roomId', roomId)).toEqual(known)
    expect(await find('sessionId', sessionId)).toEqual(known)
    expect(await find('sessionId', pseudonymOf(sessionId))).toEqual(known)
    for (const [kind, id] of [
      ['experimentId', 'exp_nowhere'],
      ['experimentId', roomId],
      ['roomId', newRoomId()],
      ['roomId', experimentId],
      ['sessionId', `sess_${'A'.repeat(43)}`],
      ['sessionId', `ses_${'A'.repeat(22)}`],
    ] as const)
      expect(await find(kind, id), `${kind} ${id}`).toBeUndefined()
  })

  test('shares are found by principal, and read in their order', async () => {
    const experimentId = await openExperiment(engine().database)
    await share(experimentId, [
      ['z', 'view'],
      ['a', 'edit'],
      ['m', 'view'],
    ])
    const sharedWith = async (...principals: string[]) =>
      (await accesses().find({ kind: 'experimentId', id: experimentId }, principals))?.shared.toSorted()
    expect(await sharedWith('z')).toEqual(['view'])
    expect(await sharedWith('z', 'a')).toEqual(['edit', 'view'])
    expect(await sharedWith('nobody')).toEqual([])
    expect(await accesses().shares(experimentId)).toEqual([
      { user: 'the z', access: 'view' },
      { user: 'the a', access: 'edit' },
      { user: 'the m', access: 'view' },
    ])
    await share(experimentId, [])
    expect(await accesses().shares(experimentId)).toEqual([])
    expect(await sharedWith('z')).toEqual([])
  })

  test('[X14] a change of the list is audited with the old and the new list; no change is not', async () => {
    const experimentId = await openExperiment(engine().database)
    await share(experimentId, [['z', 'view']])
    await share(experimentId, [['z', 'view']])
    await share(experimentId, [['z', 'edit']])
    const audited = await engine().rows(
      `select actor, details from audit_log where action = 'experiment_shared' and subject = '${experimentId}'`,
    )
    const [viewer, editor] = (['view', 'edit'] as const).map((access) => [{ user: 'the z', access }])
    expect(audited.map(({ actor, details }) => [actor, JSON.parse(String(details))])).toEqual([
      ['ada', { before: [], after: viewer }],
      ['ada', { before: viewer, after: editor }],
    ])
  })

  test('a list has one’s own and shared experiments, and nothing else', async () => {
    const [own, shared, hidden] = [await made('urn:x me'), await made('urn:x you'), await made('urn:x you')]
    await share(shared, [
      ['p1', 'view'],
      ['p2', 'edit'],
    ])
    const listed = async (owners: string[] | null, principals: string[]) =>
      new Map(
        (await accesses().visible(owners, principals)).map(({ record, ownership }) => [
          record.experimentId,
          ownership,
        ]),
      )
    const mine = await listed(['urn:x me', 'examples'], ['p1', 'p2'])
    expect([...mine.keys()].toSorted()).toEqual([own, shared].toSorted())
    expect(mine.get(own)).toEqual({ experimentId: own, owner: 'urn:x me', shared: [] })
    expect(mine.get(shared)?.shared.toSorted()).toEqual(['edit', 'view'])
    expect([...(await listed(['nobody'], ['nobody'])).keys()]).toEqual([])
    expect([...(await listed(null, ['p1'])).keys()]).toEqual(expect.arrayContaining([own, shared, hidden]))
  })
})
