import { type ExperimentDefinition, limits } from '@atrium/contract'
import { smallestDefinition } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import {
  aBatch,
  anEvent,
  joined,
  joinRequest,
  newDefinition,
  oneDayMs,
  openExperiment,
  startOfTime,
} from '../../../../test/stores/samples.ts'
import { heldRoom, inStages, newRoomOf } from '../../../../test/stores/stage-samples.ts'
import { tracesOf } from '../../../../test/stores/traces.ts'
import { newExperimentId } from '../../../kernel/ids.ts'
import { createSessionCache } from '../../../modules/sessions/session-cache.ts'
import { createTries } from '../../../modules/tries/tries.ts'
import { createInProcessBus } from '../../in-process/bus.ts'
import { createInProcessPods } from '../../in-process/pod-directory.ts'
import { createInProcessWaiting } from '../../in-process/waiting-queue.ts'

describeOnBothEngines('the store of tries', (engine) => {
  const started = async (
    experimentId: string,
    actor: string,
    {
      definition = smallestDefinition(),
      now = startOfTime,
    }: { definition?: ExperimentDefinition; now?: number } = {},
  ) => {
    const tryId = newExperimentId()
    const expiresAt = now + limits.tryLifetimeMs
    const request = { tryId, experimentId, ...newDefinition(definition), actor, now, expiresAt }
    return { tryId, outcome: await engine().database.tries.create(request) }
  }

  test('[TR3] a try recruits, and is in no list: not of its owner, not of administrators', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database, {}, 'urn:x ada')
    const { tryId, outcome } = await started(experimentId, 'urn:x ada')
    expect(outcome).toBe('created')
    expect(await database.experiments.find(tryId)).toMatchObject({ status: 'recruiting', revision: 1 })
    const listed = await database.experiments.list({})
    expect(listed.some((one) => one.experimentId === experimentId)).toBe(true)
    expect(listed.some((one) => one.experimentId === tryId)).toBe(false)
    for (const owners of [null, ['urn:x ada']]) {
      const visible = (await database.accesses.visible(owners, ['sub x ada'])).map(({ record }) => record)
      expect(visible.some((one) => one.experimentId === experimentId)).toBe(true)
      expect(visible.some((one) => one.experimentId === tryId)).toBe(false)
    }
    const { roomId, sessionId } = await joined(database, tryId)
    for (const subject of [
      { kind: 'experimentId', id: tryId },
      { kind: 'roomId', id: roomId ?? '' },
      { kind: 'sessionId', id: sessionId },
    ] as const)
      expect(await database.accesses.find(subject, ['sub x ada'])).toBeUndefined()
    expect(await database.tries.list(experimentId, 'urn:x ada')).toEqual([
      { tryId, createdAt: startOfTime, expiresAt: startOfTime + oneDayMs },
    ])
    expect(await database.tries.list(experimentId, 'urn:x ben')).toEqual([])
  })

  test('[TR6] a researcher has five at a time, in all their experiments together', async () => {
    const { database } = engine()
    const [one, other] = [await openExperiment(database), await openExperiment(database)]
    const outcomes: string[] = []
    for (let at = 0; at < 6; at++)
      outcomes.push((await started(at % 2 === 0 ? one : other, 'urn:x eve\tkey')).outcome)
    expect(outcomes).toEqual([...new Array(5).fill('created'), 'too_many'])
    expect((await started(one, 'urn:x ben')).outcome).toBe('created')
  })

  test('[TR5,RM271] after a day the sweep deletes it with everything, and nothing else', async () => {
    const { database, change } = engine()
    const experimentId = await openExperiment(database)
    const kept = await joined(database, experimentId)
    await database.events.append([aBatch(kept.sessionId, [anEvent(1)])])
    const { tryId } = await started(experimentId, 'urn:x zoe')
    const alone = await joined(database, tryId)
    await database.events.append([aBatch(alone.sessionId, [anEvent(1), anEvent(2)])])
    const held = await database.rooms.claim(alone.roomId ?? '', 'pod-0', 'seed')
    if (!held) throw new Error('the room was just made')
    const snapshot = { roomId: held.roomId, epoch: held.epoch, seq: 1, state: '{}' }
    await database.rooms.saveSnapshot(snapshot)
    await database.figures.fold(startOfTime)
    const waits = await joined(database, tryId, { soloRoom: false, drawRoleFrom: ['a', 'b'] })
    let now = startOfTime
    const clock = { now: () => now }
    const queue = createInProcessWaiting(createInProcessPods(clock))
    const { participantId } = waits
    await queue.keep(
      tryId,
      [{ participantId, arrivedAt: now, revision: 1, role: 'participant', attributes: {} }],
      now + 10 * oneDayMs,
      now,
    )
    const further = await joined(database, tryId)
    const first = await heldRoom(database, further.roomId ?? '')
    await first.goOn([further.participantId], 'last')
    await newRoomOf(database, tryId, [further.participantId])
    await change(`insert into stay_assignments (participant_id, stay, experiment_id, design, cells, ordinal, rows)
      values ('${further.participantId}', 1, '${tryId}', 'd', '[]', 0, '{}')`)
    const waitsOn = { participantId, arrivedAt: now, revision: 1, role: 'participant', attributes: {} }
    await queue.keep(`${tryId}:last`, [waitsOn], now + 10 * oneDayMs, now)
    const erased: string[] = []
    const bus = createInProcessBus()
    const never = () => Promise.reject(new Error('nothing is started here'))
    const tries = createTries({
      store: database.tries,
      experiments: { find: never, filled: never, written: async () => inStages() },
      heavyWork: { checkDefinition: never },
      tables: { rowsFor: async () => new Map() },
      media: { refuseHidden: never },
      credentials: { refuseHidden: never },
      sessions: { cache: createSessionCache(database.sessions, bus) },
      files: { eraseOf: async (participantId) => void erased.push(participantId) },
      queue,
      bus,
      clock,
    })
    const ids = [
      tryId,
      alone.participantId,
      alone.sessionId,
      held.roomId,
      participantId,
      further.participantId,
    ]
    const before = await tracesOf(engine(), ids)
    expect(before).toEqual(expect.arrayContaining(['experiments', 'participants', 'rooms', 'tries']))
    now = startOfTime + oneDayMs - 1
    await tries.sweep()
    expect(await tracesOf(engine(), ids)).toEqual(before)
    now += 1
    await tries.sweep()
    // Whoever held the room writes nothing any more.
    await database.rooms.saveSnapshot({ ...snapshot, seq: 2 })
    await database.figures.fold(now)
    expect(await tracesOf(engine(), ids)).toEqual([])
    expect(erased).toEqual(expect.arrayContaining([alone.participantId, participantId]))
    for (const queueId of [tryId, `${tryId}:last`])
      expect(JSON.stringify(await queue.view(queueId, now))).not.toContain(participantId)
    expect(await database.sessions.join(joinRequest(tryId))).toEqual({ kind: 'not_found' })
    expect(await database.sessions.find(kept.sessionId)).toMatchObject({ status: 'active' })
    expect(await database.experiments.monitor(experimentId, now)).toMatchObject({ events: 1 })
    await tries.sweep()
  })

  test('[TR5] only a try can be deleted like this', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const { participantId } = await joined(database, experimentId)
    await database.tries.remove(experimentId)
    expect(await database.experiments.find(experimentId)).toMatchObject({ status: 'recruiting' })
    expect(await database.sessions.activeIdsOf([participantId])).toHaveLength(1)
  })
})
