import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createInProcessBus } from '../../adapters/in-process/bus.ts'
import { createInProcessPods } from '../../adapters/in-process/pod-directory.ts'
import { AppError } from '../../kernel/app-error.ts'
import { createRegistration } from './registration.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function registered() {
  const clock = { now: Date.now }
  const pods = createInProcessPods(clock)
  const line = { isCut: false }
  const told: string[] = []
  const registration = createRegistration({
    directory: {
      ...pods,
      renew: (...lease) => (line.isCut ? Promise.reject(new AppError('UNAVAILABLE')) : pods.renew(...lease)),
    },
    bus: createInProcessBus(),
    rooms: { listen: () => undefined, drop: () => undefined },
    clock,
    podId: 'pod-0',
    capacity: { maxRooms: 1, maxParticipants: 1 },
    onLeaseLost: () => void told.push('lost'),
    onLeaseRegained: () => void told.push('regained'),
    onBackgroundError: () => undefined,
  })
  await registration.start('http://localhost')
  return { registration, pods, line, told }
}

test('[P15] an instance that starts takes orphans at once', async () => {
  const { registration, told } = await registered()
  expect([registration.isSettled(), told]).toEqual([true, []])
})

test('[P15] after it was cut off from the directory, it waits until the others are back', async () => {
  const { registration, line, told } = await registered()
  line.isCut = true
  await vi.advanceTimersByTimeAsync(1_000)
  expect([registration.isSettled(), told]).toEqual([true, []])
  await vi.advanceTimersByTimeAsync(1_000)
  expect([registration.isSettled(), told]).toEqual([false, ['lost']])
  line.isCut = false
  await vi.advanceTimersByTimeAsync(1_000)
  expect([registration.isSettled(), told]).toEqual([false, ['lost', 'regained']])
  await vi.advanceTimersByTimeAsync(3_000)
  expect(registration.isSettled()).toBe(true)
})

test('[P15] the same after the directory has lost everything', async () => {
  const { registration, pods, told } = await registered()
  await pods.remove('pod-0')
  await vi.advanceTimersByTimeAsync(500)
  expect([registration.isSettled(), told]).toEqual([false, []])
  await vi.advanceTimersByTimeAsync(3_000)
  expect(registration.isSettled()).toBe(true)
})
