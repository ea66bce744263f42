import { participantRoutes } from '@atrium/contract'
import {
  type ApiResponse,
  createApi,
  createPerson,
  createResearcher,
  numberedEvent,
  pace,
} from '@atrium/testkit'

/** Between the requests of one client. */
const pauseMs = 60
const longestPauseMs = 2_000

/** What a client repeats, because it says nothing about whether it may: a restart under way. */
const isPassing = (status: number): boolean => [502, 503, 504].includes(status)

export type RotationLoad = Awaited<ReturnType<typeof startRotationLoad>>

/** People who join and send events, one after another, and viewers of a video. All go through the front. */
export async function startRotationLoad(front: () => string, clients: number) {
  const api = createApi(front)
  const experimentId = await (await createResearcher(api)).openExperiment()
  const refused: string[] = []
  const counts = { completed: 0, played: 0, repeated: 0 }
  let isStopping = false
  /** Signed paths that are valid now. */
  const paths = new Set<string>()

  /** Repeats what a restart has interrupted, as the SDK does. Undefined if it was refused. */
  async function retryWhileUnavailable<Body>(
    call: () => Promise<ApiResponse<Body>>,
  ): Promise<Body | undefined> {
    for (let attempt = 0; ; attempt++) {
      const response = await call().catch(() => undefined)
      if (response && response.status < 300) return response.body
      if (response && !isPassing(response.status)) {
        refused.push(`${response.status} ${response.text.slice(0, 200)}`)
        return undefined
      }
      counts.repeated++
      // As the SDK: the limits of joins count attempts, too.
      await pace(Math.min(pauseMs * 2 ** attempt, longestPauseMs))
    }
  }

  async function participate(client: number): Promise<void> {
    for (let turn = 0; !isStopping; turn++) {
      const person = await createPerson(api, `rotation-${client}-${turn}`).catch(() => undefined)
      if (!person) continue
      const { token } = person
      const joined = await retryWhileUnavailable(() =>
        api.call(participantRoutes.joinV4, { token, body: { experimentId } }),
      )
      if (!joined) continue
      const session = joined.data
      for (let batch = 0; batch < 3; batch++) {
        const events = [numberedEvent(batch, { eventId: `${client}-${turn}-${batch}` })]
        await retryWhileUnavailable(() => api.call(participantRoutes.eventsV4, { session, body: { events } }))
        await pace(pauseMs)
      }
      counts.completed++
    }
  }

  async function watch(): Promise<void> {
    while (!isStopping) {
      for (const path of paths) {
        const response = await fetch(front() + path).catch(() => undefined)
        await response?.arrayBuffer().catch(() => undefined)
        if (!response || isPassing(response.status)) counts.repeated++
        else if (response.ok) counts.played++
        else if (paths.has(path)) refused.push(`${response.status} for a video`)
      }
      await pace(pauseMs)
    }
  }

  const running = [...Array.from({ length: clients }, (_, client) => participate(client)), watch()]
  return {
    refused,
    counts,
    paths,
    async stop(): Promise<void> {
      isStopping = true
      await Promise.all(running)
    },
  }
}
