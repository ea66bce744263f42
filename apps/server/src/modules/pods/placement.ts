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

/**
 * P10: which pod opens a room. The living one that has it; else, for a room that is asleep, the one that was asked if it has a
 * place, or the best that has (R29), to which the router then brings whoever comes. Where none has a place, the one that was
 * asked takes it all the same: a place is what new groups wait for, and nobody who has a room is refused for want of one.
 */
export function createPlacement({ pods, clock, podId, heartbeatMs }: PlacementDeps) {
  async function sendElsewhere(roomId: string, people: number): Promise<string | undefined> {
    const listed = await pods.list()
    const here = listed.find((pod) => pod.podId === podId)
    if (here && canTake(here, people)) return undefined
    const now = clock.now()
    const best = selectPod(listed, people, now, heartbeatMs)
    if (best === undefined || best === podId) return undefined
    return await pods.send(best, { roomId, participantCount: people, assignedAt: now })
  }

  return {
    /** The living pod that has the room or is to have it, when it is another one. */
    async ownerElsewhere(
      roomId: string,
      peopleAsleep: () => Promise<number | undefined>,
    ): Promise<string | undefined> {
      const assignment = await pods.find(roomId)
      const isOurs = assignment?.podId === podId
      if (assignment && !isOurs && (await pods.alive()).has(assignment.podId)) return assignment.podId
      // It was made for us, or sent to us; whoever came with it is not sent on.
      if (isOurs) return undefined
      const people = await peopleAsleep()
      const owner = people === undefined ? undefined : await sendElsewhere(roomId, people)
      return owner === podId ? undefined : owner
    },
  }
}
