import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import {
  completeRequest,
  joined,
  oneDayMs,
  openExperiment,
  startOfTime,
} from '../../../../test/stores/samples.ts'
import { createPrivacy } from '../../../modules/privacy/privacy.ts'
import { createSessionCache } from '../../../modules/sessions/session-cache.ts'
import { createInProcessBus } from '../../in-process/bus.ts'
import { createInProcessPods } from '../../in-process/pod-directory.ts'
import { createInProcessWaiting } from '../../in-process/waiting-queue.ts'

describeOnBothEngines('the store of privacy', (engine) => {
  test('[PR5] once a participation is ended, whoever held the room stores nothing of it any more', async () => {
    const { database, rows } = engine()
    const experimentId = await openExperiment(database)
    const { participantId, roomId } = await joined(database, experimentId)
    if (roomId === null) throw new Error('alone in a room')
    const held = await database.rooms.claim(roomId, 'pod-0', 'seed')
    if (!held) throw new Error('the room was just made')
    const person = { experimentId, participantId }
    const snapshot = { roomId, epoch: held.epoch, seq: 1, state: '{"words":"mine"}' }
    const stored = () => rows(`select * from room_snapshots where room_id = '${roomId}'`)
    await database.rooms.saveSnapshot(snapshot)
    expect(await stored()).toHaveLength(1)
    await database.privacy.endParticipation({ ...person, now: startOfTime, withdraws: true })
    await database.rooms.saveSnapshot({ ...snapshot, seq: 2 })
    expect(await stored()).toMatchObject([{ seq: 1 }])
    const erasure = { ...person, actor: 'ada', requestedBy: 'researcher', now: startOfTime } as const
    await database.privacy.erase({ ...erasure, erasedId: 'erased_1', room: null })
    await database.rooms.saveSnapshot({ ...snapshot, seq: 3 })
    expect(await stored()).toEqual([])
  })

  test('[PR21] identityDays after the end, it is forgotten who somebody was, once, and audited', async () => {
    const { database, rows } = engine()
    const [short, kept] = [
      await openExperiment(database, { identityDays: 30 }),
      await openExperiment(database),
    ]
    const people = {
      completed: await joined(database, short),
      left: await joined(database, short),
      late: await joined(database, short, {
        now: startOfTime + 10 * oneDayMs,
        expiresAt: startOfTime + 11 * oneDayMs,
      }),
      inOther: await joined(database, kept),
    }
    await database.sessions.complete(completeRequest(people.completed.sessionId))
    let now = startOfTime + 30 * oneDayMs
    const privacy = createPrivacy({
      store: database.privacy,
      sessions: { cache: createSessionCache(database.sessions, createInProcessBus()) },
      rooms: { rewrite: () => Promise.reject(new Error('nobody is deleted')) },
      queue: createInProcessWaiting(createInProcessPods({ now: () => now })),
      files: { eraseOf: async () => undefined },
      bus: createInProcessBus(),
      clock: { now: () => now },
    })
    const known = async () => {
      const ids = (await rows('select participant_id from participant_identities')).map(
        (row) => row.participant_id,
      )
      return Object.entries(people).flatMap(([name, one]) => (ids.includes(one.participantId) ? [name] : []))
    }
    await privacy.sweep()
    expect(await known()).toEqual(['completed', 'left', 'late', 'inOther'])
    now += 2 * oneDayMs
    await Promise.all([privacy.sweep(), privacy.sweep()])
    expect(await known()).toEqual(['late', 'inOther'])
    const audited = await rows(`select * from audit_log where action = 'participant_identity_deleted'`)
    expect(audited.map(({ subject, actor }) => [subject, actor])).toEqual([
      [short, 'atrium'],
      [short, 'atrium'],
    ])
  })

  test.each([
    ['identity', false],
    ['all', false],
    ['all', true],
  ] as const)(
    '[PR6] whoever is deleted (%s, after a failed attempt: %s) leaves the queue',
    async (scope, isRepeated) => {
      const { database } = engine()
      const experimentId = await openExperiment(database)
      const { participantId } = await joined(database, experimentId, { soloRoom: false })
      const clock = { now: () => startOfTime }
      const queue = createInProcessWaiting(createInProcessPods(clock))
      const waiting = { participantId, arrivedAt: startOfTime, revision: 1, role: 'participant' }
      await queue.keep(experimentId, [{ ...waiting, attributes: { age: 41 } }], startOfTime + 1, startOfTime)
      const by = { experimentId, participantId, actor: 'ada', requestedBy: 'researcher' } as const
      if (isRepeated)
        await database.privacy.erase({ ...by, now: startOfTime, erasedId: 'erased_1', room: null })
      const privacy = createPrivacy({
        store: database.privacy,
        sessions: { cache: createSessionCache(database.sessions, createInProcessBus()) },
        rooms: { rewrite: () => Promise.reject(new Error('nobody has a room')) },
        queue,
        files: { eraseOf: async () => undefined },
        bus: createInProcessBus(),
        clock,
      })
      await privacy.erase({ ...by, scope })
      expect(JSON.stringify(await queue.view(experimentId, startOfTime))).not.toContain(participantId)
      expect(await queue.arrivalsSince(experimentId, 0)).toEqual([])
    },
  )
})
