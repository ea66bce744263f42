import { AppError, isUnavailable } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { PodDirectory } from '../../ports/pod-directory.ts'
import { canTake } from './capacity.plan.ts'
import { selectPod } from './select-pod.ts'

interface PlacementDeps {
  pods: PodDirectory
  clock: Clock
  podId: string
  heartbeatMs: number
}

/** What the database says about a room that is to be opened. */
export interface StoredPlace {
  podId: string
  people: number
  isAsleep: boolean
}

/**
 * P10: which instance opens a room. If a living instance has it, that one. Otherwise, for a sleeping room, the instance that was asked
 * if it has a free place, or the best instance that has one (R29); the router then sends people there. If no instance has a free
 * place, the instance that was asked takes the room anyway: places are for new groups, and nobody who has a room is turned away.
 *
 * The directory is written first, so that of two instances waking the same room for two people, one learns of the other.
 */
export function createPlacement({ pods, clock, podId, heartbeatMs }: PlacementDeps) {
  async function bestFor(people: number): Promise<string> {
    const listed = await pods.list()
    const here = listed.find((pod) => pod.podId === podId)
    if (here && canTake(here, people)) return podId
    return selectPod(listed, people, clock.now(), heartbeatMs) ?? podId
  }

  const findUnlessAway = (roomId: string) =>
    pods.find(roomId).catch((error: unknown) => {
      if (isUnavailable(error)) return 'away' as const
      throw error
    })

  /** P14: a room that was ours stays ours. Any other may be held by an instance that we cannot see. */
  async function ownerWithoutDirectory(stored: () => Promise<StoredPlace | undefined>): Promise<undefined> {
    const room = await stored()
    if (room && (room.isAsleep || room.podId !== podId)) throw new AppError('UNAVAILABLE')
  }

  return {
    /** The instance that has the room or is to open it, if that is not this one. */
    async ownerElsewhere(
      roomId: string,
      stored: () => Promise<StoredPlace | undefined>,
    ): Promise<string | undefined> {
      const assignment = await findUnlessAway(roomId)
      if (assignment === 'away') return await ownerWithoutDirectory(stored)
      // Made for us or sent to us; nobody is sent on a second time.
      if (assignment?.podId === podId) return undefined
      const alive = assignment && (await pods.alive())
      if (assignment && alive?.has(assignment.podId)) return assignment.podId
      const room = await stored()
      if (!room) return undefined
      // The directory may have lost a room that is being played.
      const isPlayed = !room.isAsleep && room.podId !== podId && (await pods.alive()).has(room.podId)
      const target = isPlayed ? room.podId : room.isAsleep ? await bestFor(room.people) : podId
      const assignedAt = clock.now()
      const owner = await pods.send(target, { roomId, participantCount: room.people, assignedAt })
      return owner === podId ? undefined : owner
    },
  }
}
