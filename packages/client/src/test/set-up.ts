import { onTestFinished } from 'vitest'
import { createParticipant } from '../participant.ts'
import type { Participant, ParticipantOptions } from '../participant-api.ts'
import { createMemoryQueue } from '../queue/memory-queue.ts'
import type { ParticipantStatus } from '../status.ts'
import { type FakePlatform, startFakePlatform } from './fake-platform.ts'
import { createQuickClock, type QuickClock } from './quick-clock.ts'

/** Long by the quick clock, a few seconds by ours. */
export const patient = { timeoutMs: 300_000 }

export async function setUpPlatform(options: { maxEvents?: number } = {}): Promise<FakePlatform> {
  const platform = await startFakePlatform(options)
  onTestFinished(() => platform.stop())
  return platform
}

export interface Person {
  participant: Participant
  clock: QuickClock
  statuses: ParticipantStatus[]
}

export function setUpPerson(platform: FakePlatform, options: Partial<ParticipantOptions> = {}): Person {
  const clock = createQuickClock()
  const participant = createParticipant({
    baseUrl: platform.baseUrl,
    getIdToken: () => 'ann',
    queueStore: createMemoryQueue(),
    clock,
    ...options,
  })
  const statuses: ParticipantStatus[] = []
  participant.onStatus((status) => statuses.push(status))
  onTestFinished(() => participant.close())
  return { participant, clock, statuses }
}

/** Records events e<from> … e<to>. */
export async function recordNumbers(participant: Participant, from: number, to: number): Promise<string[]> {
  const ids: string[] = []
  for (let number = from; number <= to; number++)
    ids.push(await participant.record({ type: 'click', eventId: `e${number}`, data: { number } }))
  return ids
}
