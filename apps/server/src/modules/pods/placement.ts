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

/** What is stored of a room that is to be opened. */
export interface StoredPlace {
  podId: string
  people: number
  isAsleep: boolean
}

/**
 * P10: which pod opens a room. The living one that has it; else, for a room that is asleep, the one that was asked if it has a
 * place, or the best that has (R29), to which the router then brings whoever comes. Where none has a place, the one that was
 * asked takes it all the same: a place is what new groups wait for, and nobody who has a room is refused for want of one.
 *
 * It is said in the directory before it is done: of two instances that wake a room for two people, one hears of the other there.
 */
export function createPlacement({ pods, clock, podId, heartbeatMs }: PlacementDeps) {
  async function bestFor(people: number): Promise<string> {
    const listed = await pods.list()
    const here = listed.find((pod) => pod.podId === podId)
    if (here && canTake(here, people)) return podId
    return selectPod(listed, people, clock.now(), heartbeatMs) ?? podId
  }

  return {
    /** The living pod that has the room or is to have it, when it is another one. */
    async ownerElsewhere(
      roomId: string,
      stored: () => Promise<StoredPlace | undefined>,
    ): Promise<string | undefined> {
      const assignment = await pods.find(roomId)
      // Made for us, or sent to us; whoever came with it is not sent on.
      if (assignment?.podId === podId) return undefined
      const alive = assignment && (await pods.alive())
      if (assignment && alive?.has(assignment.podId)) return assignment.podId
      const room = await stored()
      if (!room) return undefined
      // The directory may have forgotten a room that is played.
      const isPlayed = !room.isAsleep && room.podId !== podId && (await pods.alive()).has(room.podId)
      const target = isPlayed ? room.podId : room.isAsleep ? await bestFor(room.people) : podId
      const owner = await pods.send(target, {
        roomId,
        participantCount: room.people,
        assignedAt: clock.now(),
      })
      return owner === podId ? undefined : owner
    },
  }
}
