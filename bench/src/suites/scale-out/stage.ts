import { setTimeout as delay } from 'node:timers/promises'
import { type ExperimentDefinition, roomRoutes } from '@atrium/contract'
import { createApi, createResearcher, startCluster, succeeded } from '@atrium/testkit'
import { type Crowd, type Played, startBots } from '../../load/bot-load.ts'
import { gameRoundMs, steadyGame, warmUpGame, warmUpSpeed } from './game.ts'
import { openGauges, type Rates, ratesBetween } from './gauges.ts'

export interface Turn {
  rates: Rates
  latenciesMs: Float64Array
  refused: number
}

export type Stage = Awaited<ReturnType<typeof startStage>>

/** Room for everyone, because the limits of a pod are not what is measured. */
const spacious = { MAX_ROOMS_PER_POD: '100000', MAX_PARTICIPANTS_PER_POD: '100000' }

/** A cluster with its own router and bots, and gauges on all its parts. */
export async function startStage(pods: number, participants: number, profileFolder: string | undefined) {
  const stops: (() => Promise<unknown>)[] = []
  const close = async (): Promise<void> => {
    for (const stop of stops.splice(0).reverse()) await stop()
  }
  try {
    const profiling = profileFolder ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profileFolder}` } : {}
    const cluster = await startCluster({ pods, router: true, env: { ...spacious, ...profiling } })
    stops.push(cluster.stop)
    const gauges = await openGauges(cluster)
    stops.push(gauges.close)
    const bots = startBots()
    stops.push(bots.stop)
    const baseUrl = cluster.router?.http ?? ''
    const api = createApi(baseUrl)
    const researcher = await createResearcher(api)
    let roomIds: string[] = []

    async function ratesDuring(act: () => Promise<unknown>): Promise<Rates> {
      const from = await gauges.read()
      await act()
      return ratesBetween(from, await gauges.read())
    }

    async function crowdFor(game: ExperimentDefinition, speed: number): Promise<Crowd> {
      return { baseUrl, experimentId: await researcher.openExperiment(game), participants, speed }
    }

    async function callAll(route: typeof roomRoutes.pause | typeof roomRoutes.resume): Promise<void> {
      for (const roomId of roomIds)
        succeeded(await api.call(route, { token: researcher.token, params: { roomId }, body: {} }))
    }

    return {
      pods,
      participants,
      podRssBytes: gauges.podRssBytes,
      /** What the cluster uses while nobody is there. */
      idle: (ms: number): Promise<Rates> => ratesDuring(() => delay(ms)),
      warmUp: async (seconds: number) => bots.finish(await crowdFor(warmUpGame(pods, seconds), warmUpSpeed)),
      /** Seats everyone in a room, paused until the first turn. */
      async fill(): Promise<void> {
        roomIds = (await bots.enter(await crowdFor(steadyGame, 1))).roomIds
        await callAll(roomRoutes.pause)
      },
      /** Resumes the rooms for a while, then pauses them again. */
      async takeTurn(ms: number): Promise<Turn> {
        await callAll(roomRoutes.resume)
        await bots.play(gameRoundMs) // At first everyone catches up on what they could not do during the pause.
        let played: Played | undefined
        const rates = await ratesDuring(async () => {
          played = await bots.play(ms)
        })
        await callAll(roomRoutes.pause)
        return {
          rates,
          latenciesMs: played?.latenciesMs ?? new Float64Array(),
          refused: played?.refused ?? 0,
        }
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
