import { describe, expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import {
  anEvent,
  completeRequest,
  joined,
  oneDayMs,
  openExperiment,
  startOfTime,
} from '../../../../test/stores/samples.ts'
import { heldRoom, newRoomOf, openInStages } from '../../../../test/stores/stage-samples.ts'
import { tracesOf } from '../../../../test/stores/traces.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { newRoomId } from '../../../kernel/ids.ts'
import { createExperiments } from '../../../modules/experiments/index.ts'
import type { PersonPosition, PrivacyStore } from '../../../modules/privacy/privacy.store.ts'
import { createPrivacy, type PrivacyDeps } from '../../../modules/privacy/privacy.ts'
import { createSessionCache } from '../../../modules/sessions/session-cache.ts'
import { createInProcessBus } from '../../in-process/bus.ts'
import { createInProcessPods } from '../../in-process/pod-directory.ts'
import { createInProcessWaiting } from '../../in-process/waiting-queue.ts'

describeOnBothEngines('the store of privacy', (engine) => {
  const sharesNone = () => Promise.reject(new Error('nobody shares a room'))

  /** Of people who share no room, unless it is said how rooms are rewritten. */
  function privacyOf(
    clock: Clock,
    more: Partial<PrivacyStore> = {},
    rewrite: PrivacyDeps['rooms']['rewrite'] = sharesNone,
  ) {
    const { database } = engine()
    const queue = createInProcessWaiting(createInProcessPods(clock))
    const bus = createInProcessBus()
    const privacy = createPrivacy({
      store: Object.assign(Object.create(database.privacy), more),
      sessions: { cache: createSessionCache(database.sessions, bus) },
      experiments: createExperiments({
        store: database.experiments,
        clock,
        filled: async (definition) => definition,
      }),
      rooms: { rewrite },
      queue,
      files: { eraseOf: async () => undefined },
      bus,
      clock,
    })
    return { privacy, queue }
  }

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
    await database.privacy.erase({ ...erasure, erasedId: 'erased_1', condition: null, room: null })
    await database.rooms.saveSnapshot({ ...snapshot, seq: 3 })
    expect(await stored()).toEqual([])
  })

  test('[M29] how somebody was matched is known of them, and goes with them', async () => {
    const { database, rows } = engine()
    const experimentId = await openExperiment(database)
    const { participantId } = await joined(database, experimentId, { soloRoom: false })
    const match = { search: 'short' as const, waiting: 3, considered: 2, passedOver: 1 }
    await database.rooms.create({
      ...{ roomId: newRoomId(), experimentId, podId: 'pod-0', agents: [], now: startOfTime },
      members: [{ participantId, role: null }],
      match: { ...match, waitedMs: [4_000], parts: [1] },
    })
    const person = { experimentId, participantId }
    const known = String((await database.privacy.page(person, null)).lines)
    expect(JSON.parse(`${known}]}`)).toMatchObject({ matches: [{ ...match, waitedMs: 4_000, part: 1 }] })
    const erasure = { ...person, actor: 'ada', requestedBy: 'researcher', now: startOfTime } as const
    await database.privacy.erase({ ...erasure, erasedId: 'erased_1', room: null, condition: null })
    expect(await rows(`select * from matches where participant_id = '${participantId}'`)).toEqual([])
  })

  test('[PR5,RM141] what is replayed goes with whom the previous release deletes from a room', async () => {
    const { database, rows, change } = engine()
    const experimentId = await openExperiment(database)
    const { participantId, roomId } = await joined(database, experimentId)
    const held = roomId === null ? undefined : await database.rooms.claim(roomId, 'pod-0', 'seed')
    if (!held || roomId === null) throw new Error('the room was just made')
    const others = ['ben', 'cleo', 'dan']
    for (const [index, actor] of [participantId, ...others].entries())
      await change(`insert into room_actions (room_id, seq, epoch, at, actor, action)
        values ('${roomId}', ${index + 1}, 1, 1, '${actor}', '{"type":"said","by":"${actor}"}')`)
    const bystander = await joined(database, experimentId)
    await change(
      `update participants set room_id = '${roomId}' where participant_id = '${bystander.participantId}'`,
    )
    const replay = [1, 2, 3, 4].map((seq) => ({ seq, replay: `"words of ben, ${seq}"` }))
    const erasure = { experimentId, participantId, actor: 'ada', requestedBy: 'researcher' } as const
    const room = { roomId, epoch: held.epoch, seq: 4, state: '{}', replay }
    expect(
      await database.privacy.erase({
        ...erasure,
        now: startOfTime,
        erasedId: 'erased_1',
        condition: null,
        room,
      }),
    ).toBe('erased')
    const replayed = () =>
      rows(`select seq, replay from room_actions where room_id = '${roomId}' order by seq`)
    expect(await replayed()).toEqual(replay)
    // As that release deletes the second person of a room.
    await change(
      `update room_actions set actor = 'erased_2', action = '{"type":"erased"}' where room_id = '${roomId}' and actor = 'ben'`,
    )
    expect(await replayed()).toEqual(replay.map(({ seq }) => ({ seq, replay: null })))
  })

  describe('of somebody who has gone from stage to stage', () => {
    /** Alone, then with somebody else, then waiting for the third room, or in it. */
    async function playedOn(isInLast: boolean) {
      const { database, rows } = engine()
      const experimentId = await openInStages(database)
      const [gone, stays] = [await joined(database, experimentId), await joined(database, experimentId)]
      const pair = [gone.participantId, stays.participantId]
      for (const one of [gone, stays]) {
        const first = await heldRoom(database, one.roomId ?? '')
        await first.goOn([one.participantId], 'talk', { opinion: `of ${one.participantId}` })
      }
      const shared = await newRoomOf(database, experimentId, pair)
      const room = await heldRoom(database, shared)
      const changed = (cause: string) => ({
        ...anEvent(1, {
          type: 'variables_changed',
          data: JSON.stringify({ scope: 'room', changes: [{ cause }] }),
        }),
        ...{ round: 1, visit: 1 },
      })
      const records = ['onEnter', 'saveTo'].map((cause) => ({
        participantId: gone.participantId,
        event: changed(cause),
      }))
      await room.append(records, { action: JSON.stringify({ type: 'said', by: gone.participantId }) })
      await room.goOn(isInLast ? pair : [gone.participantId], 'last')
      const last = isInLast ? await newRoomOf(database, experimentId, [gone.participantId]) : ''
      if (isInLast) await database.rooms.claim(last, 'pod-0', 'seed')
      const { privacy, queue } = privacyOf({ now: () => startOfTime }, {}, async (roomId, _person, keep) => {
        const found = await database.rooms.find(roomId)
        return await keep({ roomId, epoch: found?.epoch ?? 0, seq: 9, state: '{}', replay: null })
      })
      const changes = async () =>
        await rows(`select e.stay, e.data from events e join event_streams t on t.stream_no = e.stream_no
          where t.session_id = '${stays.sessionId}' and e.type = 'variables_changed'`)
      return { experimentId, gone, stays, shared, last, privacy, queue, changes }
    }

    test.each([
      ['while they wait for the third', false],
      ['in the third', true],
    ])(
      '[RM271,PR3] nothing of them is left in any room %s, and the others keep theirs and its record',
      async (_when, isInLast) => {
        const { database, rows } = engine()
        const { experimentId, gone, stays, shared, last, privacy, queue, changes } = await playedOn(isInLast)
        const waiting = { participantId: gone.participantId, arrivedAt: startOfTime, revision: 1 }
        const attributes = { opinion: 'mine' }
        const person = { ...waiting, role: 'participant', attributes }
        await queue.keep(`${experimentId}:last`, [person], startOfTime + 1, startOfTime)
        const counted = async () =>
          await rows(`select cell, people from assignment_counts where experiment_id = '${experimentId}'`)
        expect((await counted()).map(({ people }) => Number(people))).toEqual(isInLast ? [1] : [])
        const own = [gone.roomId, last].filter((id) => id)
        const by = { experimentId, participantId: gone.participantId, actor: 'ada' } as const
        await privacy.erase({ ...by, requestedBy: 'participant', scope: 'all' })
        expect(await tracesOf(engine(), [gone.participantId, ...own.map(String)])).toEqual([])
        expect((await counted()).map(({ people }) => Number(people))).toEqual(isInLast ? [0] : [])
        expect(JSON.stringify(await queue.view(`${experimentId}:last`, startOfTime))).not.toContain('mine')
        expect(
          (await database.rooms.find(shared))?.members.map(({ participantId }) => participantId),
        ).toEqual([stays.participantId])
        // Of the room of their second stay, without what was saved of an answer.
        expect(await changes()).toEqual([
          { stay: 1, data: '{"scope":"room","changes":[{"cause":"onEnter"}]}' },
        ])
        expect(
          await rows(`select * from former_stays where participant_id = '${stays.participantId}'`),
        ).toHaveLength(isInLast ? 2 : 1)
      },
    )

    test('[RM271,PR1] what is known of them has each of their rooms and what they took along', async () => {
      const { database } = engine()
      const { experimentId, gone, shared } = await playedOn(false)
      let text = ''
      let next: PersonPosition | null = null
      do {
        const page: Awaited<ReturnType<PrivacyStore['page']>> = await database.privacy.page(
          { experimentId, participantId: gone.participantId },
          next,
        )
        text += page.lines
        next = page.next
      } while (next !== null)
      expect(JSON.parse(text)).toMatchObject({
        participant: { roomId: null },
        formerRooms: [
          { roomId: gone.roomId, stage: null },
          { roomId: shared, stage: 'talk' },
        ],
        carried: { variables: {} },
      })
    })
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
    const { privacy } = privacyOf({ now: () => now })
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

  test('[PR21] whoever comes back after they were found to be due keeps their identity, and waits on', async () => {
    const { database, rows } = engine()
    const experimentId = await openExperiment(database, { identityDays: 30 })
    const person = { issuer: 'urn:test', subject: 'back again' }
    const { participantId } = await joined(database, experimentId, { person, soloRoom: false })
    const now = startOfTime + 40 * oneDayMs
    const waiting = { participantId, arrivedAt: now, revision: 1, role: 'participant', attributes: {} }
    const { privacy, queue } = privacyOf(
      { now: () => now },
      {
        identitiesDue: async (at) => {
          const due = await database.privacy.identitiesDue(at)
          if (due.length > 0) {
            expect(due).toEqual([{ experimentId, participantId }])
            await joined(database, experimentId, { person, soloRoom: false, now, expiresAt: now + oneDayMs })
            await queue.keep(experimentId, [waiting], now + oneDayMs, now)
          }
          return due
        },
      },
    )
    await privacy.sweep()
    const identities = `select subject from participant_identities where experiment_id = '${experimentId}'`
    expect(await rows(identities)).toEqual([{ subject: person.subject }])
    expect(JSON.stringify(await queue.view(experimentId, now))).toContain(participantId)
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
      const { privacy, queue } = privacyOf({ now: () => startOfTime })
      const waiting = { participantId, arrivedAt: startOfTime, revision: 1, role: 'participant' }
      await queue.keep(experimentId, [{ ...waiting, attributes: { age: 41 } }], startOfTime + 1, startOfTime)
      const by = { experimentId, participantId, actor: 'ada', requestedBy: 'researcher' } as const
      if (isRepeated)
        await database.privacy.erase({
          ...by,
          now: startOfTime,
          erasedId: 'erased_1',
          condition: null,
          room: null,
        })
      await privacy.erase({ ...by, scope })
      expect(JSON.stringify(await queue.view(experimentId, startOfTime))).not.toContain(participantId)
      expect(await queue.arrivalsSince(experimentId, 0)).toEqual([])
    },
  )
})
