import { expect, test } from 'vitest'
import { noQuota } from '../../../../test/no-quota.ts'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import {
  aBatch,
  anEvent,
  completeRequest,
  exportAll,
  joined,
  oneDayMs,
  openExperiment,
  startOfTime,
} from '../../../../test/stores/samples.ts'
import { newRoomId, pseudonymOf } from '../../../kernel/ids.ts'
import type { RoomAppend, RoomAppendRecord } from '../../../modules/rooms/rooms.store.ts'
import type { Database } from '../stores.ts'

describeOnBothEngines('what a room appends', (engine) => {
  async function room() {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    // The second joins first, so that order and ids disagree half of the time.
    const late = await joined(database, experimentId, { soloRoom: false, now: startOfTime + 5 })
    const person = { issuer: 'urn:test', subject: `early-${experimentId}` }
    const early = await joined(database, experimentId, { soloRoom: false, person })
    const roomId = newRoomId()
    const members = [late, early].map(({ participantId }) => ({ participantId, role: null }))
    await database.rooms.create({ roomId, experimentId, members, agents: [], podId: 'pod', now: startOfTime })
    const claimed = await database.rooms.claim(roomId, 'pod', 'seed')
    const append = async (seq: number, records: RoomAppendRecord[], more: Partial<RoomAppend> = {}) =>
      await database.rooms.append([
        {
          roomId,
          seq,
          records,
          epoch: claimed?.epoch ?? 0,
          at: startOfTime,
          action: '{}',
          actor: 'x',
          actionId: null,
          status: null,
          condition: null,
          decisions: [],
          ...more,
        },
      ])
    const lines = async () => (await exportAll(database, experimentId)).lines
    return { database, roomId, late, early, person, append, lines }
  }

  const record = (participantId: string, type: string): RoomAppendRecord => ({
    participantId,
    event: { ...anEvent(1, { type }), round: 2, visit: 3 },
  })

  test('[R54] has the position, the action, the condition and the participant’s alias', async () => {
    const { early, late, roomId, append, lines } = await room()
    await append(1, [record(early.participantId, 'a'), record(late.participantId, 'b')], {
      condition: 'high',
    })
    // Opened again: the condition stays.
    await append(2, [], { condition: 'other' })
    const shared = { roomId, condition: 'high', role: 'participant', origin: 'room', roomSeq: 1 }
    expect(await lines()).toMatchObject([
      { ...shared, participantId: early.participantId, alias: 'P1', type: 'a', round: 2, visit: 3 },
      { ...shared, participantId: late.participantId, alias: 'P2', type: 'b' },
    ])
  })

  test('[RM182] what a participant does counts for them; beyond the quota it is not stored, and nor is what was computed after it', async () => {
    const { database, early, append, lines } = await room()
    const actor = early.participantId
    const quota = { participantBytes: 9_000, experimentBytes: noQuota.experimentBytes }
    const said = (seq: number) => ({
      actor,
      action: JSON.stringify('x'.repeat(3_000)),
      actionId: `a${seq}`,
      quota,
    })
    const by = [record(actor, 'message')]
    expect(await append(1, by, said(1))).toEqual([{ kind: 'stored' }])
    expect(await append(2, by, said(2))).toMatchObject([{ kind: 'stored' }])
    expect(await append(3, by, said(3))).toMatchObject([
      { kind: 'over_quota', over: { scope: 'participant', limitBytes: 9_000 } },
    ])
    expect(await append(4, by, said(4))).toEqual([{ kind: 'fenced' }])
    // Without a quota, as for leaving, nothing is refused. The events that they send are counted together with it.
    const { quota: _none, ...leaving } = said(3)
    expect(await append(3, by, leaving)).toEqual([{ kind: 'stored' }])
    const batch = aBatch(early.sessionId, [anEvent(1)], { quota })
    expect(await database.events.append([batch])).toMatchObject([{ kind: 'over_quota' }])
    expect(await lines()).toHaveLength(3)
  })

  test('[RM97] whoever has withdrawn their consent gets no other outcome, and the next to open the room learns of it', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const roomId = newRoomId()
    const answer = async (sessionId: string, type: string) =>
      await database.events.append([
        {
          sessionId,
          idempotencyKey: null,
          bodyHash: '',
          receivedAt: startOfTime,
          needsConsent: true,
          quota: noQuota,
          events: [anEvent(1, { type })],
        },
      ])
    const people = []
    for (const _ of [1, 2, 3, 4]) {
      const person = await joined(database, experimentId, { soloRoom: false, needsConsent: true })
      await answer(person.sessionId, 'consent_given')
      people.push(person)
    }
    const members = people.map(({ participantId }) => ({ participantId, role: null }))
    await database.rooms.create({ roomId, experimentId, members, agents: [], podId: 'pod', now: startOfTime })
    const [withdrawn, removed, gone, there] = people
    if (!withdrawn || !removed || !gone || !there) throw new Error('four have joined')
    await database.sessions.complete(completeRequest(gone.sessionId))
    for (const { sessionId } of [withdrawn, removed]) await answer(sessionId, 'consent_declined')
    const claimed = await database.rooms.claim(roomId, 'pod', 'seed')
    expect(claimed).toMatchObject({
      completed: [{ participantId: gone.participantId }],
      withdrawn: [withdrawn.participantId, removed.participantId].sort(),
    })
    const decided = (participantId: string, outcome: string) => ({
      participantId,
      outcome,
      givesPlaceBack: false,
      decidedBy: 'room' as const,
    })
    await database.rooms.append([
      {
        roomId,
        seq: 1,
        records: [],
        epoch: claimed?.epoch ?? 0,
        at: startOfTime,
        action: '{}',
        actor: 'x',
        actionId: null,
        status: null,
        condition: null,
        decisions: [
          decided(withdrawn.participantId, 'SUCCESS'),
          decided(removed.participantId, 'TECHNICAL'),
          decided(there.participantId, 'SUCCESS'),
        ],
      },
    ])
    const outcomes = await engine().rows(
      `select participant_id, outcome from participants where room_id = '${roomId}'`,
    )
    const outcomeOf = ({ participantId }: { participantId: string }) =>
      outcomes.find((row) => row.participant_id === participantId)?.outcome
    expect([withdrawn, removed, there].map(outcomeOf)).toEqual(['NO_CONSENT', 'TECHNICAL', 'SUCCESS'])
  })

  const endings: [string, (database: Database, sessionId: string) => Promise<unknown>][] = [
    [
      'was revoked',
      ({ sessions }, sessionId) => sessions.revoke({ sessionId, actor: 'admin', now: startOfTime }),
    ],
    ['has expired', ({ sessions }) => sessions.expire(startOfTime + 2 * oneDayMs)],
    ['is completed', ({ sessions }, sessionId) => sessions.complete(completeRequest(sessionId))],
  ]
  for (const [ending, end] of endings)
    test(`[E20] somebody’s record goes on when their session ${ending}, and takes nothing from clients`, async () => {
      const { database, early, late, append, lines } = await room()
      await end(database, early.sessionId)
      await append(1, [record(early.participantId, 'variables_changed'), record(late.participantId, 'own')])
      await append(2, [record(early.participantId, 'payoff')])
      const sent = await database.events.append([aBatch(early.sessionId, [anEvent(1)])])
      expect(sent).toEqual([{ kind: 'sealed' }])
      const rows = await lines()
      const ofEarly = rows.filter(({ participantId }) => participantId === early.participantId)
      expect(ofEarly.slice(-2)).toMatchObject([{ type: 'variables_changed' }, { type: 'payoff' }])
      expect(ofEarly.map(({ seq }) => seq)).toEqual(ofEarly.map((_, index) => index + 1))
    })

  test('[E20] after somebody has come back, the room writes into their newest session', async () => {
    const { database, early, person, append, lines } = await room()
    await append(1, [record(early.participantId, 'before')])
    const back = await joined(database, early.experimentId, { person, soloRoom: false, now: startOfTime + 9 })
    await database.sessions.revoke({ sessionId: back.sessionId, actor: 'admin', now: startOfTime + 10 })
    await append(2, [record(early.participantId, 'after')])
    expect(await lines()).toMatchObject([
      { type: 'before', sessionId: pseudonymOf(early.sessionId) },
      { type: 'after', sessionId: pseudonymOf(back.sessionId) },
    ])
  })
})
