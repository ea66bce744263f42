import { liveRoutes } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Experiments } from '../experiments/index.ts'
import type { Identity } from '../identity/index.ts'
import type { Rooms } from './rooms.ts'

export interface LiveRouteDeps {
  rooms: Rooms
  experiments: Experiments
  waitingFor(experimentId: string): Promise<{ participantId: string; role: string; arrivedAt: number }[]>
  clock: Clock
}

const mostWaiting = 50

/** What a researcher watches while people take part. */
export function addLiveRoutes(
  routes: Routes<Identity>,
  { rooms, experiments, waitingFor, clock }: LiveRouteDeps,
): void {
  routes.add(liveRoutes.read, async ({ params: { experimentId } }) => {
    const { participants } = await experiments.monitor(experimentId)
    const waiting = await waitingFor(experimentId)
    return {
      at: clock.now(),
      joined: participants.total,
      active: participants.active,
      completed: participants.completed,
      waiting: {
        people: waiting.length,
        first: waiting
          .slice(0, mostWaiting)
          .map(({ participantId, role, arrivedAt }) => ({ participantId, role, since: arrivedAt })),
      },
      ...(await rooms.watch(experimentId)),
    }
  })
}
