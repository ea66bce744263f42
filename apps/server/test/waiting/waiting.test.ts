import { keys, RoomAssignment } from '@atrium/coordination'
import { describeInBothModes, waitUntil } from '@atrium/testkit'
import { Redis } from 'ioredis'
import { Value } from 'typebox/value'
import { describe, expect, onTestFinished, test } from 'vitest'
import { endless, lobbyIn } from './lobby.ts'

const pairs = endless({ matching: { groupSize: 2 } })

describeInBothModes(
  'The waiting room',
  (world) => {
    const lobby = lobbyIn(world)

    test('[R17][R25] tells everyone their position, then all members of a group their room', async () => {
      const experimentId = await lobby.open(endless({ matching: { groupSize: 3, deadlineMs: 600_000 } }))
      const ann = await lobby.come(experimentId)
      expect(ann.roomId).toBe(`waiting_${experimentId}`)
      const alone = await ann.socket.status()
      expect(alone).toMatchObject({ experimentId, waiting: 1, needed: 2, position: 1, held: null })
      expect(alone.deadlineAt).toBe(alone.serverTime - alone.waitedMs + 600_000)
      const bob = await lobby.come(experimentId)
      expect(await bob.socket.status()).toMatchObject({ waiting: 2, needed: 1, position: 2 })
      await ann.socket.status(({ waiting, needed }) => waiting === 2 && needed === 1)
      const cem = await lobby.come(experimentId)
      const roomId = await lobby.together([ann, bob, cem])
      expect(await ann.socket.assigned()).toEqual({ roomId, redirectUrl: `/experiment/${roomId}` })
      const seats = await lobby.seats(roomId)
      expect(seats.map(({ participantId }) => participantId).sort()).toEqual(
        [ann, bob, cem].map(({ participantId }) => participantId).sort(),
      )
    })

    test('[R25,W10] an assignment is state: it is sent again on every connect', async () => {
      const experimentId = await lobby.open(pairs)
      const people = [await lobby.come(experimentId), await lobby.come(experimentId)]
      const roomId = await lobby.together(people)
      for (const person of people)
        for (const pod of [0, 1]) expect((await person.wait(pod).assigned()).roomId).toBe(roomId)
      expect((await people[0]?.joinAgain())?.roomId).toBe(roomId)
    })

    test('[W2] people who reconnect, to any instance, keep their position', async () => {
      const experimentId = await lobby.open(endless({ matching: { groupSize: 3 } }))
      const ann = await lobby.join(experimentId)
      const first = ann.wait(0)
      const { serverTime } = await first.status()
      const bob = await lobby.come(experimentId)
      await bob.socket.status()
      first.close()
      const again = await ann.wait(1).status()
      expect(again).toMatchObject({ position: 1, waiting: 2 })
      expect(again.waitedMs).toBeGreaterThanOrEqual(again.serverTime - serverTime)
    })

    test('[R14,W2] joining again while waiting keeps the position too', async () => {
      const experimentId = await lobby.open(endless({ matching: { groupSize: 3 } }))
      const ann = await lobby.join(experimentId)
      await ann.wait(0).status()
      const bob = await lobby.come(experimentId)
      await bob.socket.status()
      const renewed = ann.wait(1, await ann.joinAgain())
      expect(await renewed.status()).toMatchObject({ position: 1 })
      const cem = await lobby.come(experimentId)
      await lobby.together([{ socket: renewed }, bob, cem])
    })

    test('[W1,W10] a room assigned to an offline participant is there when they come back', async () => {
      const experimentId = await lobby.open(pairs)
      const ann = await lobby.join(experimentId)
      const socket = ann.wait(0)
      await socket.status()
      socket.close()
      const bob = await lobby.come(experimentId)
      const { roomId } = await bob.socket.assigned()
      expect((await ann.wait(1).assigned()).roomId).toBe(roomId)
    })

    test('[W5] a participant who leaves is not matched, and may come back', async () => {
      const experimentId = await lobby.open(pairs)
      const ann = await lobby.come(experimentId)
      await ann.socket.status()
      expect(await ann.socket.leave()).toMatchObject({ ok: true })
      expect(await ann.socket.ended()).toEqual({ reason: 'left', completionCode: null, redirectUrl: '' })
      const bob = await lobby.come(experimentId)
      expect(await bob.socket.status()).toMatchObject({ waiting: 1, position: 1 })
      const back = ann.wait(1)
      await lobby.together([bob, { socket: back }])
      expect(await back.leave()).toMatchObject({ ok: false, error: { code: 'ACTION_REFUSED' } })
    })

    test('a solo experiment assigns a room at once', async () => {
      const ann = await lobby.come(await lobby.open(endless({})))
      expect(await ann.socket.assigned()).toEqual({
        roomId: ann.roomId,
        redirectUrl: `/experiment/${ann.roomId}`,
      })
    })

    test('people put into a room by a researcher leave the queue', async () => {
      const experimentId = await lobby.open(endless({ matching: { groupSize: 5 } }))
      const people = [await lobby.come(experimentId), await lobby.come(experimentId)]
      for (const { socket } of people) await socket.status()
      const roomId = await lobby.seatByHand(
        experimentId,
        people.map(({ participantId }) => participantId),
      )
      expect(await lobby.together(people)).toBe(roomId)
      const cem = await lobby.come(experimentId)
      await cem.socket.status(({ waiting }) => waiting === 1)
    })

    describe('the contract’s keys', () => {
      const redis = () => {
        const url = world().redis?.url
        if (!url) return undefined
        const client = new Redis(url)
        onTestFinished(() => client.disconnect())
        return client
      }

      test('[R28] the waiting set holds the waiting participants, and the room key says where the room is', async () => {
        const client = redis()
        if (!client) return
        const experimentId = await lobby.open(pairs)
        const ann = await lobby.come(experimentId)
        await ann.socket.status()
        const set = keys.waitingParticipants(experimentId)
        expect(await client.smembers(set)).toEqual([ann.participantId])
        expect(await client.ttl(set)).toBeGreaterThan(23 * 3600)
        const bob = await lobby.come(experimentId)
        const roomId = await lobby.together([ann, bob])
        expect(await client.smembers(set)).toEqual([])
        const assignment: unknown = JSON.parse((await client.get(keys.roomPod(roomId))) ?? 'null')
        expect(Value.Check(RoomAssignment, assignment)).toBe(true)
        expect(assignment).toMatchObject({ participantCount: 2, podId: expect.stringMatching(/^pod-/) })
        expect(await client.ttl(keys.roomPod(roomId))).toBeGreaterThan(100)
        const { podId } = assignment as RoomAssignment
        const owner = world().servers.find(({ env }) => env.POD_NAME === podId)
        const { openRoomSocket } = await import('@atrium/testkit')
        const socket = await openRoomSocket(owner?.http ?? '', { ...ann, roomId })
        onTestFinished(() => socket.close())
        expect(socket.snapshot().roomId).toBe(roomId)
        await waitUntil(async () => (await client.exists(keys.podLease(podId))) === 1 || 'no lease')
      })
    })
  },
  { env: { METRICS_HEARTBEAT_INTERVAL: '500', MAX_ROOMS_PER_POD: '200', MAX_PARTICIPANTS_PER_POD: '1000' } },
)
