import { beforeEach, expect, test } from 'vitest'
import { createInProcessPods } from '../../adapters/in-process/pod-directory.ts'
import { AppError } from '../../kernel/app-error.ts'
import { createPlacement, type StoredPlace } from './placement.ts'

const clock = { now: () => 1_750_000_000_000 }
let pods = createInProcessPods(clock)
const owner = async (askedPod: string, stored: Partial<StoredPlace> = {}) =>
  await createPlacement({ pods, clock, podId: askedPod, heartbeatMs: 60_000 }).ownerElsewhere(
    'room_1',
    async () => ({ podId: 'pod-gone', people: 2, isAsleep: true, ...stored }),
  )

/** Two instances, each with room for one more group of at most three people. */
beforeEach(async () => {
  pods = createInProcessPods(clock)
  for (const podId of ['pod-a', 'pod-b'])
    await pods.renew(podId, { address: 'http://x', draining: false, maxRooms: 1, maxParticipants: 3 }, 60_000)
})
const fill = (podId: string) =>
  pods.pin(podId, { roomId: `other on ${podId}`, participantCount: 2, assignedAt: 1 })

test('[P10] a sleeping room is opened by the pod that was asked, if it has a free place', async () => {
  expect(await owner('pod-b')).toBeUndefined()
  expect(await pods.find('room_1')).toMatchObject({ podId: 'pod-b' })
  // Somebody who asks another instance meanwhile is sent to this one.
  expect(await owner('pod-a')).toBe('pod-b')
  expect(await owner('pod-b')).toBeUndefined()
})

test('[P10] otherwise by a pod that has one, which does not send people on again', async () => {
  await fill('pod-a')
  expect(await owner('pod-a')).toBe('pod-b')
  await fill('pod-b')
  expect(await owner('pod-b')).toBeUndefined()
})

test('[P10] a place too small for the group does not count; without any place the pod that was asked opens the room anyway', async () => {
  expect(await owner('pod-a', { people: 4 })).toBeUndefined()
  expect(await pods.find('room_1')).toMatchObject({ podId: 'pod-a' })
})

test('[P10] a draining pod passes the room on', async () => {
  await pods.renew('pod-a', { address: 'http://x', draining: true, maxRooms: 1, maxParticipants: 3 }, 60_000)
  expect(await owner('pod-a')).toBe('pod-b')
})

test('[P10,P13] an awake room is neither moved for lack of places nor taken from a living pod', async () => {
  await fill('pod-a')
  expect(await owner('pod-a', { isAsleep: false })).toBeUndefined()
  pods = createInProcessPods(clock)
  await pods.renew('pod-b', { address: 'http://x', draining: false, maxRooms: 1, maxParticipants: 3 }, 60_000)
  // Lost from the directory, but still in the database.
  expect(await owner('pod-a', { isAsleep: false, podId: 'pod-b' })).toBe('pod-b')
  expect(await pods.find('room_1')).toMatchObject({ podId: 'pod-b' })
})

test('[P14] while the directory is away, a room of ours is reopened; any other may be held by a pod that we cannot see', async () => {
  const away = () => Promise.reject(new AppError('UNAVAILABLE'))
  pods = { ...pods, find: away, alive: away, list: away, send: away }
  expect(await owner('pod-a', { isAsleep: false, podId: 'pod-a' })).toBeUndefined()
  for (const stored of [
    { isAsleep: false, podId: 'pod-b' },
    { isAsleep: true, podId: 'pod-a' },
  ])
    await expect(owner('pod-a', stored)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})
