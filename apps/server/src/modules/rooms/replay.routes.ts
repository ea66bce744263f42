import { languagesOf, momentsPerPage, replayRoutes, wholeNumberOf } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import type { Experiments } from '../experiments/index.ts'
import { actorOf, type Identity } from '../identity/index.ts'
import { reportMoment, reportMoments } from './reports/replay-report.ts'
import type { Rooms } from './rooms.ts'

export interface ReplayRouteDeps {
  rooms: Rooms
  experiments: Experiments
}

/** What a researcher may read of a room's past. Nothing here touches the room itself. */
export function addReplayRoutes(
  routes: Routes<Identity>,
  { rooms: { replays }, experiments }: ReplayRouteDeps,
): void {
  routes.add(replayRoutes.moments, async ({ params, query, identity }) =>
    reportMoments(await replays.read(params.roomId, actorOf(identity)), {
      after: query.after === undefined ? -1 : Number(query.after),
      limit: wholeNumberOf(query.limit, momentsPerPage),
    }),
  )
  routes.add(replayRoutes.at, async ({ params, query, identity }) => {
    const moment = await replays.at(
      params.roomId,
      query.at === undefined ? Number.MAX_SAFE_INTEGER : Number(query.at),
      actorOf(identity),
    )
    const { experimentId, revision, seats } = moment.state
    const [first] = languagesOf(await experiments.written(experimentId, revision))
    const language = seats.find(({ participantId }) => participantId === query.as)?.language ?? first
    const definition = await experiments.definition(experimentId, revision, language)
    return reportMoment(moment, { participantId: query.as, language, definition })
  })
}
