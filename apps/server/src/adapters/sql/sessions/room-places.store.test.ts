import { describe, expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import {
  aBatch,
  anEvent,
  completeRequest,
  joined,
  joinRequest,
  oneDayMs,
  openExperiment,
  startOfTime,
} from '../../../../test/stores/samples.ts'
import type { RoomAppend } from '../../../modules/rooms/rooms.store.ts'

const transition = { type: 'state_transition', data: '{"fromState":"s1","toState":"s2"}' }

describeOnBothEngines('places of people in rooms', (engine) => {
  const enterRoom = async (decidedBy: 'room' | 'client', more = {}) => {
    const { database } = engine()
    const states = [{ id: 's1', components: [{ id: 'rate', type: 'slider' }] }]
    const experimentId = await openExperiment(database, { capacity: 1, states })
    const session = await joined(database, experimentId, more)
    const places = async () => (await database.experiments.find(experimentId))?.participantCount
    const claimed = await database.rooms.claim(session.roomId ?? '', 'pod-0', 'seed')
    const append = (more: Partial<RoomAppend>) =>
      database.rooms.append([
        {
          roomId: session.roomId ?? '',
          epoch: claimed?.epoch ?? 0,
          seq: 1,
          at: startOfTime,
          action: '{}',
          actor: 'clock',
          actionId: null,
          records: [],
          status: null,
          condition: null,
          decisions: [],
          ...more,
        },
      ])
    const { participantId, sessionId } = session
    const complete = (outcome: string) =>
      database.sessions.complete({ ...completeRequest(sessionId, { outcome }), decidedBy })
    const decide = (givesPlaceBack: boolean) =>
      append({ decisions: [{ participantId, outcome: 'ABANDONED', givesPlaceBack, decidedBy }] })
    return { database, experimentId, participantId, sessionId, places, append, decide, complete }
  }

  describe('[S42,R56] where the room decides', () => {
    const ways = ['complete', 'expire'] as const

    test.each(ways)('a transition that a client has made up keeps no place (%s)', async (way) => {
      const { database, sessionId, places, complete } = await enterRoom('room')
      await database.events.append([aBatch(sessionId, [anEvent(1, transition)])])
      await (way === 'complete'
        ? complete('ABANDONED')
        : database.sessions.expire(startOfTime + 2 * oneDayMs))
      expect(await places()).toBe(0)
    })

    test.each(ways)('a transition of the room does (%s)', async (way) => {
      const { database, participantId, places, append, complete } = await enterRoom('room')
      const event = { ...anEvent(1, transition), round: 1, visit: 2 }
      await append({ records: [{ participantId, event }] })
      await (way === 'complete'
        ? complete('ABANDONED')
        : database.sessions.expire(startOfTime + 2 * oneDayMs))
      expect(await places()).toBe(1)
    })

    test.each([...ways])('what it decided about the place stands (%s)', async (way) => {
      for (const givesPlaceBack of [true, false]) {
        const { database, places, decide, complete } = await enterRoom('room')
        await decide(givesPlaceBack)
        const decided = givesPlaceBack ? 0 : 1
        expect(await places()).toBe(decided)
        await (way === 'complete'
          ? complete('ABANDONED')
          : database.sessions.expire(startOfTime + 2 * oneDayMs))
        expect(await places()).toBe(decided)
      }
    })
  })

  test('[S26] people who return after the room has decided need no place, even if others have taken them all', async () => {
    const person = { issuer: 'urn:test', subject: 'who comes for the code' }
    const { database, experimentId, participantId, places, decide } = await enterRoom('room', { person })
    await decide(true)
    await joined(database, experimentId)
    const back = await database.sessions.join(joinRequest(experimentId, { person }))
    expect(back).toMatchObject({ kind: 'joined', session: { participantId, holdsPlace: false } })
    expect(await places()).toBe(1)
  })

  describe('[S44,R56] where the client decides, whoever leaves the room', () => {
    test('in the first state frees the place at once', async () => {
      const { places, decide, complete } = await enterRoom('client')
      await decide(true)
      expect(await places()).toBe(0)
      await complete('ABANDONED')
      expect(await places()).toBe(0)
    })

    test('after a transition that the client recorded keeps it', async () => {
      const { database, sessionId, places, decide } = await enterRoom('client')
      await database.events.append([aBatch(sessionId, [anEvent(1, transition)])])
      await decide(true)
      expect(await places()).toBe(1)
    })

    test('and completes nevertheless takes a place again, if there is one', async () => {
      const alone = await enterRoom('client')
      await alone.decide(true)
      await alone.complete('SUCCESS')
      expect(await alone.places()).toBe(1)
      const late = await enterRoom('client')
      await late.decide(true)
      await joined(late.database, late.experimentId)
      expect(await late.complete('SUCCESS')).toMatchObject({ completion: { outcome: 'SUCCESS' } })
      expect(await late.places()).toBe(1)
    })
  })
})
