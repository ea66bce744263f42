import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import {
  aBatch,
  anEvent,
  completeRequest,
  joined,
  joinRequest,
  oneDayMs,
  startOfTime,
} from '../../../../test/stores/samples.ts'
import { heldRoom, inStages, newRoomOf, openInStages } from '../../../../test/stores/stage-samples.ts'
import type { JoinRequest } from '../../../modules/sessions/sessions.store.ts'

describeOnBothEngines('somebody between two stages', (engine) => {
  /** They have finished the first stage, and wait for the second. */
  async function waiting(more: Partial<JoinRequest> = {}, experimentId?: string) {
    const { database } = engine()
    const ofStudy = experimentId ?? (await openInStages(database, inStages({ capacity: 2 })))
    const session = await joined(database, ofStudy, more)
    const first = await heldRoom(database, session.roomId ?? '')
    await first.goOn([session.participantId], 'talk', { opinion: 'for' })
    return { database, ...session, first }
  }

  const placeOf = async (participantId: string) => {
    const [row] = await engine().rows(
      `select holds_place from participants where participant_id = '${participantId}'`,
    )
    return Number(row?.holds_place)
  }

  test('[RM272,R56] keeps their place when they leave the waiting room, vanish or stop in the next stage', async () => {
    const { database, experimentId, participantId } = await waiting()
    const other = await waiting({}, experimentId)
    expect(await database.sessions.leaveWaiting([participantId])).toEqual([])
    expect(await placeOf(participantId)).toBe(1)
    expect(await database.sessions.join(joinRequest(experimentId))).toMatchObject({ reason: 'full' })

    const roomId = await newRoomOf(database, experimentId, [participantId, other.participantId])
    const talk = await heldRoom(database, roomId)
    const left = { outcome: 'ABANDONED', givesPlaceBack: true, decidedBy: 'room' } as const
    await talk.append([], { decisions: [{ participantId, ...left }] })
    expect(await placeOf(participantId)).toBe(1)
    await database.sessions.expire(startOfTime + oneDayMs)
    expect(await placeOf(other.participantId)).toBe(1)
  })

  test('[RM272,R52] cannot say that they have reached the end, but that they stop', async () => {
    const { database, participantId, sessionId } = await waiting()
    const asked = { ...completeRequest(sessionId), decidedBy: 'room', needsDecision: true } as const
    expect(await database.sessions.complete(asked)).toEqual({ kind: 'not_finished', roomId: null })
    const stopped = completeRequest(sessionId, { outcome: 'ABANDONED' })
    expect(await database.sessions.complete({ ...stopped, decidedBy: 'room' })).toMatchObject({
      kind: 'completed',
      roomId: null,
    })
    expect(await placeOf(participantId)).toBe(1)
  })

  test('[RM272,R38] who withdraws as the stage ends waits, gets no room, and goes on if they agree again', async () => {
    const { database, rows } = engine()
    const experimentId = await openInStages(database)
    const session = await joined(database, experimentId, { needsConsent: true })
    const { participantId, sessionId } = session
    const answer = async (type: string) =>
      await database.events.append([aBatch(sessionId, [anEvent(1, { type })], { needsConsent: true })])
    await answer('consent_given')
    const first = await heldRoom(database, session.roomId ?? '')
    await answer('consent_declined')
    await first.goOn([participantId], 'talk', { opinion: 'for' })
    expect(
      await rows(`select room_id, stage from participants where participant_id = '${participantId}'`),
    ).toEqual([{ room_id: null, stage: 'talk' }])
    await expect(newRoomOf(database, experimentId, [participantId])).rejects.toThrow('unfit')
    await answer('consent_given')
    const roomId = await newRoomOf(database, experimentId, [participantId])
    expect(await database.rooms.find(roomId)).toMatchObject({
      stage: 'talk',
      members: [{ participantId, carried: { variables: { opinion: 'for' } } }],
    })
  })

  test('[RM272] gets no room after their session was revoked or has expired, and goes on under the next one', async () => {
    const person = { issuer: 'urn:test', subject: 'comes back' }
    const { database, experimentId, participantId, sessionId } = await waiting({ person })
    await database.sessions.expire(startOfTime + oneDayMs)
    await expect(newRoomOf(database, experimentId, [participantId])).rejects.toThrow('unfit')
    const later = { now: startOfTime + oneDayMs, expiresAt: startOfTime + 2 * oneDayMs }
    const again = await joined(database, experimentId, { person, ...later })
    expect(again).toMatchObject({ participantId, roomId: null, stage: 'talk' })
    expect(again.sessionId).not.toBe(sessionId)
    await newRoomOf(database, experimentId, [participantId])
  })

  test('[RM272,R54] what a room records of somebody who has gone on says in which of their rooms it was', async () => {
    const { database, rows } = engine()
    const experimentId = await openInStages(database)
    const pair = [await waiting({}, experimentId), await waiting({}, experimentId)]
    const ids = pair.map(({ participantId }) => participantId)
    const talk = await heldRoom(database, await newRoomOf(database, experimentId, ids))
    const [gone] = pair
    const record = (type: string) => ({
      participantId: gone?.participantId ?? '',
      event: { ...anEvent(1, { type }), round: null, visit: null },
    })
    await gone?.first.append([record('of the first, later')])
    await talk.append([record('of the second')])
    await talk.goOn(ids.slice(0, 1), 'last')
    await talk.append([record('of the second, later')])
    const recorded = await rows(`select e.type, e.stay from events e
      join event_streams t on t.stream_no = e.stream_no where t.session_id = '${gone?.sessionId}' order by e.seq`)
    expect(recorded).toEqual([
      { type: 'of the first, later', stay: null },
      { type: 'of the second', stay: 1 },
      { type: 'of the second, later', stay: 1 },
    ])
  })
})
