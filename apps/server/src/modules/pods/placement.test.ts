import { beforeEach, expect, test } from 'vitest'
import { createInProcessPods } from '../../adapters/in-process/pod-directory.ts'
import { createPlacement, type StoredPlace } from './placement.ts'

const clock = { now: () => 1_750_000_000_000 }
let pods = createInProcessPods(clock)
const owner = async (askedPod: string, stored: Partial<StoredPlace> = {}) =>
  await createPlacement({ pods, clock, podId: askedPod, heartbeatMs: 60_000 }).ownerElsewhere(
    'room_1',
    async () => ({
      podId: 'pod-gone',
      people: 2,
      isAsleep: true,
      ...stored,
    }),
  )

/** Two pods with one place each, for three people at most. */
beforeEach(async () => {
  pods = createInProcessPods(clock)
  for (const podId of ['pod-a', 'pod-b'])
    await pods.renew(podId, { address: 'http://x', draining: false, maxRooms: 1, maxParticipants: 3 }, 60_000)
})
const fill = (podId: string) =>
  pods.pin(podId, { roomId: `other on ${podId}`, participantCount: 2, assignedAt: 1 })

test('[P10] a room that is asleep is opened where it is asked for, if there is a place', async () => {
  expect(await owner('pod-b')).toBeUndefined()
  expect(await pods.find('room_1')).toMatchObject({ podId: 'pod-b' })
  // Whoever asks elsewhere at the same time is sent there.
  expect(await owner('pod-a')).toBe('pod-b')
  expect(await owner('pod-b')).toBeUndefined()
})

test('[P10] else where there is one, and whoever is sent there is not sent on', async () => {
  await fill('pod-a')
  expect(await owner('pod-a')).toBe('pod-b')
  await fill('pod-b')
  expect(await owner('pod-b')).toBeUndefined()
})

test('[P10] too many people for the place is no place; where there is none, it is opened all the same', async () => {
  expect(await owner('pod-a', { people: 4 })).toBeUndefined()
  expect(await pods.find('room_1')).toMatchObject({ podId: 'pod-a' })
})

test('[P10] a draining pod sends it on', async () => {
  await pods.renew('pod-a', { address: 'http://x', draining: true, maxRooms: 1, maxParticipants: 3 }, 60_000)
  expect(await owner('pod-a')).toBe('pod-b')
})

test('[P10,P13] a room that is awake is not moved for want of a place, nor taken from a pod that lives', async () => {
  await fill('pod-a')
  expect(await owner('pod-a', { isAsleep: false })).toBeUndefined()
  pods = createInProcessPods(clock)
  await pods.renew('pod-b', { address: 'http://x', draining: false, maxRooms: 1, maxParticipants: 3 }, 60_000)
  // The directory has forgotten it, the database has not.
  expect(await owner('pod-a', { isAsleep: false, podId: 'pod-b' })).toBe('pod-b')
  expect(await pods.find('room_1')).toMatchObject({ podId: 'pod-b' })
})
