import type { PodLease } from '@atrium/coordination'
import type { Redis } from 'ioredis'
import { createInProcessPods } from '../../src/adapters/in-process/pod-directory.ts'
import { createInProcessWaiting } from '../../src/adapters/in-process/waiting-queue.ts'
import { createRedisPods } from '../../src/adapters/redis/pod-directory.ts'
import { createRedisWaiting } from '../../src/adapters/redis/waiting-queue.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import type { PodDirectory } from '../../src/ports/pod-directory.ts'
import type { Group, WaitingPerson, WaitingQueue } from '../../src/ports/waiting-queue.ts'

/** A queue and the instances that its claims use. */
export interface WaitingWorld {
  waiting: WaitingQueue
  pods: PodDirectory
  /** The members of the contract's waiting set; in process, the queue itself. */
  members(experimentId: string): Promise<string[]>
  /** Resets everything. */
  clear(): Promise<void>
}

export const waitingWorlds = {
  inProcess(): WaitingWorld {
    const create = () => {
      const pods = createInProcessPods(systemClock)
      return { pods, waiting: createInProcessWaiting(pods) }
    }
    const world: WaitingWorld = {
      ...create(),
      async members(experimentId) {
        const { people, absent } = await world.waiting.view(experimentId, 0)
        return [...people.map(({ participantId }) => participantId), ...absent].sort()
      },
      clear: async () => void Object.assign(world, create()),
    }
    return world
  },
  async redis(connect: () => Promise<Redis>): Promise<WaitingWorld> {
    const client = await connect()
    // These tests are about what Redis answers, not how soon it does on a busy machine.
    client.options.commandTimeout = 30_000
    await client.flushall()
    return {
      pods: createRedisPods(client),
      waiting: createRedisWaiting(client),
      members: async (experimentId) => (await client.smembers(`waiting:${experimentId}:participants`)).sort(),
      clear: async () => void (await client.flushall()),
    }
  },
}

export const experimentId = 'exp-1'

export const person = (participantId: string, arrivedAt: number): WaitingPerson => ({
  participantId,
  arrivedAt,
  revision: 3,
  role: 'participant',
  attributes: { language: 'de', age: 31, isLeftHanded: false },
})

/** In batches, so that none takes long on a busy machine. */
export async function keepCrowd(
  waiting: WaitingQueue,
  crowd: readonly WaitingPerson[],
  presentUntil: number,
  now: number,
): Promise<void> {
  for (let at = 0; at < crowd.length; at += 250)
    await waiting.keep(experimentId, crowd.slice(at, at + 250), presentUntil, now)
}

export const group = (roomId: string, participantIds: readonly string[], podId = 'pod-a'): Group => ({
  roomId,
  experimentId,
  podId,
  members: participantIds.map((participantId) => ({ participantId, role: 'participant' })),
  agents: [],
})

export const lease: PodLease = {
  address: 'http://10.0.0.7:3000',
  draining: false,
  maxRooms: 20,
  maxParticipants: 80,
}
